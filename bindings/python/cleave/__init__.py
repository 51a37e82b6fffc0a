# SPDX-License-Identifier: Apache-2.0
"""cleave maps computations onto machines: meshes, sparse matrices and DAGs onto processors.

>>> import cleave
>>> grid = cleave.generate("grid2d:12x8")
>>> cleave.partition(grid, 4).balanced
True

All computations are done by the C library (libcleave).  It is loaded from the path in the
environment variable CLEAVE_LIBRARY, from the directory of this package, or by the dynamic
loader of the system.  The interpreter lock is released during computations.  The same input,
options and seed give the same result on any machine and any number of threads.
"""
from ._circuit import Circuit
from ._errors import (
    BalanceError,
    Cancelled,
    CycleError,
    Error,
    FileError,
    InvalidArgument,
    OutOfMemory,
    ParseError,
    RangeError,
)
from ._evaluate import (
    Metrics,
    OrderMetrics,
    PartFigures,
    TargetMetrics,
    evaluate,
    evaluate_parts,
    find_cycle,
    info,
)
from ._graph import Graph, formats, generate, generators, read
from ._library import lib as _lib
from ._library import library_path, library_version
from ._mapping import Mapping, MapReport, Quotient, RemapReport, map, partition, read_parts
from ._order import Order, order, remap, separator, split
from ._progress import Progress
from ._schedule import Costs, Schedule, ScheduleMetrics, schedule
from ._target import Target, targets
from ._trsv import (
    RunInfo,
    Team,
    Trsv,
    cholesky,
    ic0,
    ilu0,
    random_factor,
    read_matrix,
    write_matrix,
)
from ._version import __version__


def features() -> str:
    """The compiled features of the library, such as "threads zlib jansson hwloc"."""
    return str(_lib.cleave_features().decode())


# Without `map`, so that `from cleave import *` does not hide Python's own; use cleave.map.
__all__ = [
    "BalanceError",
    "Cancelled",
    "Circuit",
    "Costs",
    "CycleError",
    "Error",
    "FileError",
    "Graph",
    "InvalidArgument",
    "MapReport",
    "Mapping",
    "Metrics",
    "Order",
    "OrderMetrics",
    "OutOfMemory",
    "ParseError",
    "PartFigures",
    "Progress",
    "Quotient",
    "RangeError",
    "RemapReport",
    "RunInfo",
    "Schedule",
    "ScheduleMetrics",
    "Target",
    "TargetMetrics",
    "Team",
    "Trsv",
    "__version__",
    "cholesky",
    "evaluate",
    "evaluate_parts",
    "features",
    "find_cycle",
    "formats",
    "generate",
    "generators",
    "ic0",
    "ilu0",
    "info",
    "library_path",
    "library_version",
    "order",
    "partition",
    "random_factor",
    "read",
    "read_matrix",
    "read_parts",
    "remap",
    "schedule",
    "separator",
    "split",
    "targets",
    "write_matrix",
]
