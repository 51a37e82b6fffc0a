# SPDX-License-Identifier: Apache-2.0
"""Schedules: a super layer and a thread for every vertex of a DAG."""
from __future__ import annotations

import ctypes
import dataclasses
from typing import Any, Callable, Dict, Optional, Sequence, Union

import numpy as np

from . import _structs as structs
from ._arrays import Int32Array, Int64Array, Record, address, int32, view
from ._convert import is_scipy
from ._graph import Graph, GraphLike, as_graph
from ._library import Handle, call, defaults, encode, lib, make, path_bytes
from ._options import seconds, whole
from ._progress import ProgressCallback, run
from ._target import Path

#: Solves an instance of the two-way model: (model, data, count) -> count numbers 0, 1, 2, or
#: None if it found no solution.
Solver = Callable[[str, str, int], Optional[Sequence[int]]]


@dataclasses.dataclass(frozen=True)
class ScheduleMetrics(Record):
    """Metrics of a schedule, computed from scratch."""

    #: levels of the DAG
    levels: int
    layers: int
    #: number of threads that have work
    threads_used: int
    work_total: int
    #: sum over layers of the largest thread's weight
    work_max: int
    #: arcs between threads
    crossing_edges: int
    cost: float
    cost_serial: float
    predicted_speedup: float
    mean_parallelism: float


@dataclasses.dataclass(frozen=True)
class Costs:
    """The coefficients of the cost of a schedule, in units of vertex weight."""

    #: cost of a synchronisation
    sync: float = 500.0
    #: cost of an arc from another thread
    read: float = 0.0

    def _struct(self) -> structs.ScheduleCosts:
        made = defaults(structs.ScheduleCosts)
        made.sync, made.read = float(self.sync), float(self.read)
        return made

    @classmethod
    def load(cls, path: Path) -> "Costs":
        """Reads lines "sync 480" and "read 1.5", as written by `cleave bench calibrate`."""
        made = defaults(structs.ScheduleCosts)
        call("cleave_schedule_costs_read", ctypes.byref(made), path_bytes(path))
        return cls(made.sync, made.read)

    def save(self, path: Path) -> None:
        """Writes a file for :meth:`load`."""
        call("cleave_schedule_costs_write", ctypes.byref(self._struct()), path_bytes(path))

    @classmethod
    def measure(cls, threads: int = 0) -> "Costs":
        """Measures the costs on this machine in less than a second; results vary."""
        made = defaults(structs.ScheduleCosts)
        count = whole(threads, "threads")
        call("cleave_schedule_costs_measure", ctypes.byref(made), None, count)
        return cls(made.sync, made.read)


CostsLike = Union[Costs, Dict[str, float], None]


def as_costs(costs: CostsLike) -> Optional[structs.ScheduleCosts]:
    """The struct, or None for the defaults."""
    if costs is None:
        return None
    return (Costs(**costs) if isinstance(costs, dict) else costs)._struct()


class Schedule:
    """Layer and thread of each task; tasks are vertices unless rows are split.

    >>> import cleave
    >>> dag = cleave.generate("stencil:8x8:20")
    >>> plan = cleave.schedule(dag, 2)
    >>> plan.check(dag)
    >>> len(plan.layer), plan.layers <= 39
    (1280, True)
    """

    __slots__ = ("_handle", "labels", "__weakref__")

    def __init__(self, layer: Any, thread: Any) -> None:
        layers = int32(layer, "layer")
        threads = int32(thread, "thread", len(layers))
        self._handle = make(
            "cleave_schedule_create",
            "cleave_schedule_free",
            len(layers),
            address(layers),
            address(threads),
        )
        #: The nodes of a networkx graph, or None.
        self.labels: Any = None

    @classmethod
    def _wrap(cls, handle: Handle, labels: Any = None) -> "Schedule":
        made = object.__new__(cls)
        made._handle = handle
        made.labels = labels
        return made

    @classmethod
    def read(cls, path: Path) -> "Schedule":
        """Reads a schedule file."""
        return cls._wrap(make("cleave_schedule_read", "cleave_schedule_free", path_bytes(path)))

    def write(self, path: Path) -> None:
        """Writes a schedule file."""
        call("cleave_schedule_write", self._handle, path_bytes(path))

    def _array(self, name: str, count: int, dtype: Any) -> Any:
        place = getattr(lib, name)(self._handle)
        return view(place, count, dtype, self._handle)

    @property
    def tasks(self) -> int:
        """The number of tasks."""
        return int(lib.cleave_schedule_tasks(self._handle))

    @property
    def rows(self) -> int:
        """The number of vertices of the graph."""
        return int(lib.cleave_schedule_rows(self._handle))

    @property
    def layers(self) -> int:
        """The number of super layers."""
        return int(lib.cleave_schedule_layers(self._handle))

    @property
    def threads(self) -> int:
        """The number of threads."""
        return int(lib.cleave_schedule_threads(self._handle))

    @property
    def method(self) -> str:
        """The method: "grow", ..."""
        return str(lib.cleave_schedule_method(self._handle).decode())

    @property
    def layer(self) -> Int32Array:
        """The super layer of each task."""
        return self._array("cleave_schedule_layer", self.tasks, np.int32)  # type: ignore[no-any-return]

    @property
    def thread(self) -> Int32Array:
        """The thread of each task."""
        return self._array("cleave_schedule_thread", self.tasks, np.int32)  # type: ignore[no-any-return]

    @property
    def order(self) -> Int32Array:
        """The tasks in the order of execution: by layer, then by thread."""
        return self._array("cleave_schedule_order", self.tasks, np.int32)  # type: ignore[no-any-return]

    @property
    def blocks(self) -> Int64Array:
        """Offsets into ``order`` where each block (layer * threads + thread) starts."""
        count = self.layers * self.threads + 1
        return self._array("cleave_schedule_blocks", count, np.int64)  # type: ignore[no-any-return]

    @property
    def row(self) -> Optional[Int32Array]:
        """The vertex that each task is a part of; None: tasks are vertices."""
        if not lib.cleave_schedule_row(self._handle):
            return None
        return self._array("cleave_schedule_row", self.tasks, np.int32)  # type: ignore[no-any-return]

    @property
    def share(self) -> Optional[Int32Array]:
        """The number of predecessors of its vertex that each task takes; None likewise."""
        if not lib.cleave_schedule_share(self._handle):
            return None
        return self._array("cleave_schedule_share", self.tasks, np.int32)  # type: ignore[no-any-return]

    def by_label(self) -> Dict[Any, Any]:
        """(layer, thread) of each node of a networkx graph, or of each vertex by number."""
        nodes: Any = range(self.tasks) if self.labels is None else self.labels
        return dict(zip(nodes, zip(self.layer.tolist(), self.thread.tolist())))

    def check(self, graph: GraphLike) -> None:
        """Raises InvalidArgument if the schedule is invalid for the graph."""
        call(
            "cleave_schedule_check", self._handle, as_dag(graph)._handle
        )

    def work(self, graph: GraphLike) -> Int64Array:
        """The weight of each thread's work in each layer: an array (layers, threads)."""
        work = np.zeros((self.layers, self.threads), np.int64)
        call(
            "cleave_evaluate_schedule_work",
            as_dag(graph)._handle,
            self._handle,
            address(work),
        )
        return work

    def __len__(self) -> int:
        return self.tasks

    def __repr__(self) -> str:
        return (
            f"<cleave.Schedule of {self.tasks} tasks in {self.layers} layers on {self.threads} "
            f"threads, {self.method}>"
        )


def as_dag(graph: GraphLike, kind: Optional[str] = None, copy: bool = False) -> Graph:
    """A DAG.  For a triangular matrix, vertex weights are the non-zeros of the rows.

    ``copy``: see as_graph.
    """
    if isinstance(graph, Graph):
        return as_graph(graph, kind)
    if kind is None and is_scipy(graph):
        kind = "lower"
    made = Graph(graph, kind=kind, copy=copy)
    if kind not in ("lower", "upper") or made.vertex_weights is not None:
        return made
    before = made.predecessors()[0]
    weights = (np.diff(before) + 1).astype(np.int32)
    return Graph(
        (made.xadj, made.adj),
        kind="dag",
        vertex_weights=weights,
        edge_weights=made.edge_weights,
        coords=made.coords,
        names=made.names,
        trust=True,
        copy=False,  # all belong to ``made``
    )


def schedule(
    dag: GraphLike,
    threads: int = 2,
    *,
    kind: Optional[str] = None,
    method: Optional[str] = None,
    params: Optional[str] = None,
    costs: CostsLike = None,
    split_rows: bool = False,
    seed: int = 1,
    time_limit: Optional[float] = None,
    workers: int = 0,
    solver: Optional[Solver] = None,
    progress: Optional[ProgressCallback] = None,
) -> Schedule:
    """Schedules a DAG in super layers; threads synchronise only between layers.

    A matrix of scipy is used as a triangle: ``kind`` "lower" (default) or "upper".
    method: None: the cheapest; "graphopt", "grow", "levels", "serial".
    costs: of a synchronisation and of reading from another thread, see :class:`Costs`.
    split_rows: heavy rows become several tasks.
    time_limit: in seconds; the best result so far is then returned.
    seed, solver: for graphopt.  workers: number of threads that compute the schedule.
    """
    known = as_dag(dag, kind, copy=progress is not None or solver is not None)
    options = defaults(structs.ScheduleOptions)
    options.method = encode(method, "method")
    options.params = encode(params, "params")
    options.threads = whole(threads, "threads", 1)
    price = as_costs(costs)
    if price is not None:
        options.costs = ctypes.pointer(price)
    options.split_rows = bool(split_rows)
    options.seed = whole(seed, "seed", 0, 2**64 - 1)
    options.time_limit = seconds(time_limit)
    options.workers = whole(workers, "workers")
    bridge = None if solver is None else _Bridge(solver)
    if bridge is not None:
        options.solver = bridge.function
    out = ctypes.c_void_p()

    def result() -> Optional[Schedule]:
        if out.value is None:
            return None
        return Schedule._wrap(Handle(out.value, "cleave_schedule_free"), known.labels)

    try:
        run(
            "cleave_schedule_build",
            ctypes.byref(out),
            known._handle,
            ctypes.byref(options),
            options=options,
            progress=progress,
            result=result,
        )
    finally:
        if bridge is not None and bridge.error is not None:
            raise bridge.error
    made = result()
    assert made is not None
    return made


class _Bridge:
    """A solver in Python as a C function; its exceptions are raised after the call."""

    def __init__(self, solver: Solver) -> None:
        self.error: Optional[BaseException] = None

        def solve(_: Any, model: bytes, data: bytes, count: int, part: Any) -> int:
            try:
                answer = solver(model.decode(), data.decode(), count)
                if answer is None:
                    return 1
                numbers = int32(np.asarray(answer), "the solver's answer", count)
                ctypes.memmove(part, address(numbers), 4 * count)  # type: ignore[arg-type]
                return 0
            except BaseException as error:
                self.error = error
                return -1

        self.function = structs.TwoWayFunction(solve)
