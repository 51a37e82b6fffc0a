# SPDX-License-Identifier: Apache-2.0
"""Linear orders, which are split for a machine; separators; remapping."""
from __future__ import annotations

import ctypes
from typing import Any, Dict, Optional, Sequence, Union

import numpy as np

from . import _structs as structs
from ._arrays import Int32Array, Int64Array, address, int32, view
from ._errors import BalanceError, InvalidArgument
from ._graph import TRUST, Graph, GraphLike, as_graph
from ._library import Handle, call, defaults, encode, lib, make, path_bytes
from ._mapping import Mapping, MappingLike, RemapReport, Search, as_mapping, wrap
from ._options import EFFORTS, choice, imbalance as bound_of, seconds, whole
from ._progress import ProgressCallback, run
from ._target import Path, TargetLike, as_target


class Order:
    """A linear order in which any interval is a good part; usable as a numpy array.

    Computed by :func:`order`, or made from the vertices in order and their weights.

    >>> import cleave
    >>> line = cleave.order(cleave.generate("grid2d:8x8"))
    >>> line
    <cleave.Order of 64 vertices, multilevel>
    >>> line.split("3,2,2,1").parts.size
    64
    """

    __slots__ = ("_handle", "labels", "__weakref__")

    def __init__(self, vertices: Any, weights: Any = None) -> None:
        line = int32(vertices, "vertices")
        heavy = None if weights is None else int32(weights, "weights", len(line))
        self._handle = make(
            "cleave_order_create", "cleave_order_free", len(line), address(line), address(heavy)
        )
        self.labels: Any = None

    @classmethod
    def _wrap(cls, handle: Handle, labels: Any = None) -> "Order":
        made = object.__new__(cls)
        made._handle = handle
        made.labels = labels
        return made

    @classmethod
    def read(
        cls, path: Path, graph: Optional[GraphLike] = None, *, trust: bool = False
    ) -> "Order":
        """Reads an order.  The graph provides what a text file does not contain.

        trust: a binary file is mapped into memory, and only its header is checked.
        """
        flags = TRUST if trust else 0
        handle = make("cleave_order_open", "cleave_order_free", path_bytes(path), flags)
        known = None if graph is None else as_graph(graph)
        if known is not None:
            call("cleave_order_complete", handle, known._handle)
        return cls._wrap(handle, None if known is None else known.labels)

    def write(self, path: Path) -> None:
        """Writes text, or the binary format if the name ends in .clo."""
        call("cleave_order_write", self._handle, path_bytes(path))

    @property
    def vertices(self) -> Int32Array:
        """The vertex at each position."""
        handle = self._handle
        return view(lib.cleave_order_view(handle), len(self), np.int32, self._handle)

    @property
    def places(self) -> Int32Array:
        """The position of each vertex."""
        place = np.empty(len(self), np.int32)
        place[self.vertices] = np.arange(len(self), dtype=np.int32)
        return place

    @property
    def weight_before(self) -> Int64Array:
        """The weight of the vertices before each position, and of all."""
        handle = self._handle
        return view(
            lib.cleave_order_weight_before(handle), len(self) + 1, np.int64, self._handle
        )

    @property
    def method(self) -> str:
        """The method: "hci", ...; "given"."""
        return str(lib.cleave_order_method(self._handle).decode())

    @property
    def average_crossing(self) -> Optional[float]:
        """The mean weight of the edges across a position; None: unknown."""
        found = float(lib.cleave_order_average_crossing(self._handle))
        return None if found < 0 else found

    @property
    def residual(self) -> Optional[float]:
        """The largest residual of the eigenvectors of "rsbi", or None."""
        found = float(lib.cleave_order_residual(self._handle))
        return None if found < 0 else found

    @property
    def converged(self) -> Optional[bool]:
        """Did the eigenvectors of "rsbi" converge?  None for other methods."""
        found = int(lib.cleave_order_converged(self._handle))
        return None if found < 0 else bool(found)

    def by_label(self) -> Dict[Any, int]:
        """The position of each node of a networkx graph, or of each vertex by number."""
        nodes: Any = range(len(self)) if self.labels is None else self.labels
        return dict(zip(nodes, self.places.tolist()))

    def __len__(self) -> int:
        return int(lib.cleave_order_vertices(self._handle))

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.vertices if dtype is None and not copy else np.array(self.vertices, dtype)

    def __repr__(self) -> str:
        return f"<cleave.Order of {len(self)} vertices, {self.method}>"

    def check(self, graph: GraphLike) -> None:
        """Raises InvalidArgument if the order does not belong to this graph."""
        call("cleave_order_check", self._handle, as_graph(graph)._handle)

    def split(self, target: TargetLike, **options: Any) -> Mapping:
        """Splits the order for the PEs of a machine: see :func:`split`."""
        return split(self, target, **options)


def as_order(line: Any) -> Order:
    return line if isinstance(line, Order) else Order(line)


def order(
    graph: GraphLike,
    *,
    method: Optional[str] = None,
    params: Optional[str] = None,
    seed: int = 1,
    effort: str = "default",
    threads: int = 0,
    time_limit: Optional[float] = None,
    progress: Optional[ProgressCallback] = None,
) -> Order:
    """Computes a linear order of the vertices of a graph.

    method: None: chosen automatically; "hci" (Hilbert), "zci" (Morton), "rcbi" (coordinate
    bisection), "rsbi" (spectral bisection), "multilevel"; "topo" for DAGs; elimination orders
    "nd" (nested dissection) and "mindeg".
    time_limit: in seconds; the best result so far is then returned.

    >>> import cleave
    >>> grid = cleave.generate("grid2d:8x8")
    >>> cleave.evaluate(grid, cleave.order(grid, method="nd")).fill < 400
    True
    """
    known = as_graph(graph, copy=progress is not None)
    options = defaults(structs.OrderOptions)
    options.method = encode(method, "method")
    options.params = encode(params, "params")
    options.seed = whole(seed, "seed", 0, 2**64 - 1)
    options.effort = EFFORTS[choice(effort, EFFORTS, "effort")]
    options.threads = whole(threads, "threads")
    options.time_limit = seconds(time_limit)
    out = ctypes.c_void_p()

    def result() -> Optional[Order]:
        if out.value is None:
            return None
        return Order._wrap(Handle(out.value, "cleave_order_free"), known.labels)

    run(
        "cleave_order_build",
        ctypes.byref(out),
        known._handle,
        ctypes.byref(options),
        options=options,
        progress=progress,
        result=result,
    )
    made = result()
    assert made is not None
    return made


def split(
    line: Union[Order, Sequence[int], Any],
    target: TargetLike,
    *,
    imbalance: float = 0.03,
    grouping: Optional[str] = None,
    refine: Optional[GraphLike] = None,
    seed: int = 1,
    threads: int = 0,
    time_limit: Optional[float] = None,
    progress: Optional[ProgressCallback] = None,
) -> Mapping:
    """Splits an order for the PEs of a machine in proportion to their speeds, in microseconds.

    grouping: order of the PEs: "simple", "binpacking" or None (the best known).
    refine: the graph, on which the boundaries are then improved.
    Without ``refine``, ``begin`` and ``end`` of the mapping are the positions of each PE.

    >>> import cleave
    >>> cleave.split(range(12), "2,1", imbalance=0).parts.tolist()
    [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1]
    """
    known, machine = as_order(line), as_target(target)
    if refine is not None:
        if grouping is not None:
            raise InvalidArgument("grouping and refine do not go together")
        search = Search(as_graph(refine, copy=progress is not None), machine)
        search.ask(imbalance, seed, "default", "cost", threads, time_limit)
        return search.go(
            "cleave_order_split_refine",
            search.graph._handle,
            known._handle,
            machine._handle,
            last=search.options,
            progress=progress,
        )
    options = defaults(structs.SplitOptions)
    options.imbalance = bound_of(imbalance)
    options.grouping = encode(grouping, "grouping")
    begin, end = np.empty(machine.pes, np.int32), np.empty(machine.pes, np.int32)
    failed: Optional[BalanceError] = None
    try:
        call(
            "cleave_order_split",
            address(begin),
            address(end),
            known._handle,
            machine._handle,
            ctypes.byref(options),
        )
    except BalanceError as error:  # the positions are valid nevertheless
        failed = error
    out = ctypes.c_void_p()
    call(
        "cleave_order_mapping",
        ctypes.byref(out),
        known._handle,
        machine.pes,
        address(begin),
        address(end),
    )
    assert out.value is not None
    made = wrap(out.value, machine, None, None)
    made.labels, made.begin, made.end = known.labels, begin, end
    if failed is not None:
        failed.result = made
        raise failed
    return made


def separator(
    graph: GraphLike,
    *,
    imbalance: float = 0.2,
    seed: int = 1,
    effort: str = "default",
    threads: int = 0,
    time_limit: Optional[float] = None,
    progress: Optional[ProgressCallback] = None,
) -> Mapping:
    """Computes a vertex separator of small weight that divides a graph into two sides.

    Parts 0 and 1 are the sides, part 2 is the separator.
    time_limit: in seconds; the best result so far is then returned.

    >>> import cleave
    >>> path = [(v, v + 1) for v in range(8)]
    >>> (cleave.separator(path).parts == 2).sum()
    1
    """
    known = as_graph(graph, copy=progress is not None)
    options = defaults(structs.SeparatorOptions)
    options.imbalance = bound_of(imbalance)
    options.seed = whole(seed, "seed", 0, 2**64 - 1)
    options.effort = EFFORTS[choice(effort, EFFORTS, "effort")]
    options.threads = whole(threads, "threads")
    options.time_limit = seconds(time_limit)
    out = ctypes.c_void_p()

    def result() -> Optional[Mapping]:
        return None if out.value is None else wrap(out.value, None, known, None)

    run(
        "cleave_separator",
        ctypes.byref(out),
        known._handle,
        ctypes.byref(options),
        None,
        options=options,
        progress=progress,
        result=result,
    )
    made = result()
    assert made is not None
    return made


def remap(
    graph: GraphLike,
    old: MappingLike,
    target: TargetLike,
    *,
    from_target: Optional[TargetLike] = None,
    migration_price: float = 1.0,
    strategy: Optional[str] = None,
    order: Optional[Order] = None,
    imbalance: Union[float, Sequence[float]] = 0.03,
    seed: int = 1,
    effort: str = "default",
    objective: str = "cost",
    threads: int = 0,
    time_limit: Optional[float] = None,
    fixed: Any = None,
    groups: Any = None,
    shares: Any = None,
    min_weights: Any = None,
    max_weights: Any = None,
    connected: bool = False,
    progress: Optional[ProgressCallback] = None,
) -> Mapping:
    """Remaps a graph after the machine has changed, with small cut and small migration.

    ``old`` is the present mapping, ``target`` the new machine.
    from_target: the old machine, whose PEs are matched by name; None: that of ``old`` if it
        has names, otherwise PEs are matched by number.
    migration_price: cost of a unit of migration, in units of cut.
    order: an existing order for "interval".
    strategy: None: the cheapest; "interval", "diffuse", "scratch".
    Other options as for :func:`map`; the report is a :class:`RemapReport`.

    >>> import cleave
    >>> grid = cleave.generate("grid2d:12x8")
    >>> four = cleave.partition(grid, 4)
    >>> three = cleave.remap(grid, four, "1,1,0,1")
    >>> three.migration >= three.migration_bound >= 24
    True
    """
    search = Search(as_graph(graph, copy=progress is not None), as_target(target))
    search.ask(imbalance, seed, effort, objective, threads, time_limit)
    search.demand(fixed, groups, shares, min_weights, max_weights, connected)
    before = as_mapping(old, search.graph)
    options = defaults(structs.RemapOptions)
    report = defaults(structs.RemapReport)
    options.migration_price = float(migration_price)
    options.strategy = encode(strategy, "strategy")
    options.options = ctypes.pointer(search.options)
    options.report = ctypes.pointer(report)
    machine = None if from_target is None else as_target(from_target)
    if machine is None and before.target is not None and before.target.names is not None:
        machine = before.target
    if machine is not None:
        setattr(options, "from", machine._handle.pointer)
    line = None if order is None else as_order(order)
    if line is not None:
        options.order = line._handle.pointer

    def said() -> RemapReport:
        return RemapReport.of(
            search.report,
            strategy=report.strategy.decode(),
            cut=report.cut,
            cut_before=report.cut_before,
            migration=report.migration,
            migration_bound=report.migration_bound,
        )

    return search.go(
        "cleave_remap",
        search.graph._handle,
        before._handle,
        search.target._handle,
        last=options,
        progress=progress,
        report=said,
    )
