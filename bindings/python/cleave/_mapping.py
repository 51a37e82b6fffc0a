# SPDX-License-Identifier: Apache-2.0
"""Mappings (vertex -> part or PE): partition, map, and their reports."""
from __future__ import annotations

import ctypes
import dataclasses
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _structs as structs
from ._arrays import Int32Array, Int64Array, Record, Unread, address, floats, int32, int64, view
from ._errors import InvalidArgument
from ._graph import Graph, GraphLike, as_graph
from ._library import Handle, call, defaults, encode, make, path_bytes
from ._library import lib
from ._options import EFFORTS, OBJECTIVES, choice, imbalance as bound_of, seconds, whole
from ._progress import ProgressCallback, run
from ._target import Path, Target, TargetLike, as_target


class Quotient(NamedTuple):
    """A vertex per part, an edge per pair of adjacent parts; all sums have 64 bits."""

    #: offsets into ``adj`` where the neighbours of each part start
    xadj: Int64Array
    #: adjacent parts; for a DAG, successors
    adj: Int32Array
    #: weight of each part, or a row of several
    weights: Int64Array
    #: weight of the cut edges, for each entry of ``adj``
    cut: Int64Array


@dataclasses.dataclass(frozen=True)
class MapReport(Record):
    """The report on a computed mapping."""

    #: weight of the edges between parts
    cut: int
    #: sum over vertices of size * other parts that read it
    volume: int
    #: max over parts and weights of weight / share - 1
    imbalance: float
    empty_parts: int
    #: every part is within its bounds
    balanced: bool
    #: levels of the hierarchy, including the graph itself
    levels: int
    #: number of threads used
    threads: int
    #: number of V-cycles
    cycles: int
    #: the time limit ended the search
    timed_out: bool
    seconds: float
    seconds_coarsen: float
    seconds_initial: float
    seconds_refine: float
    #: for DAGs, otherwise None
    acyclic: Optional[bool]
    #: for DAGs, otherwise None
    critical_path: Optional[int]
    #: sum of weight * distance; None: all PEs are equally distant, so the cut is the cost
    cost: Optional[int]
    #: of the mapping v -> floor(v * PEs / vertices)
    cost_identity: Optional[int]
    #: largest residual of the eigenvectors, if any were computed
    residual: Optional[float]
    converged: Optional[bool]


@dataclasses.dataclass(frozen=True)
class RemapReport(MapReport):
    """The report on a mapping that was adapted to a changed machine."""

    #: "interval", "diffuse" or "scratch"
    strategy: str = ""
    #: cut of the old mapping
    cut_before: int = 0
    #: sum of the sizes of the vertices that moved
    migration: int = 0
    #: lower bound on the migration of any mapping within the bounds
    migration_bound: int = 0


class Mapping:
    """The part (or PE) of each vertex; usable as a numpy array.

    Computed by :func:`partition`, :func:`map`, :func:`split` and :func:`remap`, read by
    :func:`read_parts`, or made from any sequence of parts.  The values of the report are also
    attributes of the mapping.

    >>> import cleave
    >>> halves = cleave.partition([(0, 1), (1, 2), (2, 3)], 2)
    >>> halves
    <cleave.Mapping of 4 vertices onto 2 parts, cut 1, imbalance 0.000>
    >>> halves.parts.tolist() in ([0, 0, 1, 1], [1, 1, 0, 0])
    True
    >>> halves.report.balanced
    True
    """

    __slots__ = ("_handle", "parts", "target", "labels", "_said", "begin", "end", "__weakref__")

    #: The part of each vertex; read-only.
    parts: Int32Array

    def __init__(self, parts: Any, nparts: Optional[int] = None) -> None:
        if isinstance(parts, Mapping) and nparts is None:
            self._adopt(parts._handle, parts.target, parts.labels, parts._said)
            return
        array = int32(np.asarray(parts), "parts")
        count = -1 if nparts is None else whole(nparts, "nparts")
        handle = make(
            "cleave_mapping_create", "cleave_mapping_free", len(array), count, address(array)
        )
        self._adopt(handle)

    def _adopt(
        self,
        handle: Handle,
        target: Optional[Target] = None,
        labels: Optional[List[Any]] = None,
        said: Union[None, MapReport, Callable[[], MapReport]] = None,
    ) -> "Mapping":
        count = lib.cleave_mapping_vertices(handle)
        self._handle = handle
        self.parts = view(lib.cleave_mapping_parts(handle), count, np.int32, handle)
        #: The target, or None.
        self.target = target
        #: The nodes of a networkx graph, or None.
        self.labels = labels
        self._said = said
        #: For a split order: the first position of each PE, and the end; otherwise None.
        self.begin: Optional[Int32Array] = None
        self.end: Optional[Int32Array] = None
        return self

    def __getattr__(self, name: str) -> Any:
        if name in MAP_FIGURES:
            said = self._said
            if isinstance(said, Unread):
                try:
                    return said.figure(name)
                except KeyError:
                    pass
            elif self.report is not None and hasattr(self.report, name):
                return getattr(self.report, name)
        raise AttributeError(f"this mapping has no {name!r}; see evaluate()")

    def __dir__(self) -> List[str]:
        return sorted({*object.__dir__(self), *(MAP_FIGURES if self.report else ())})

    @property
    def report(self) -> Optional[MapReport]:
        """The report of the library, or None; created on first use."""
        if callable(self._said):
            self._said = self._said()
        return self._said

    @property
    def nparts(self) -> int:
        """The number of parts, empty ones included."""
        return int(lib.cleave_mapping_nparts(self._handle))

    @property
    def metrics(self) -> Dict[str, Any]:
        """The values of the report as a dictionary."""
        return {} if self.report is None else self.report.as_dict()

    def __len__(self) -> int:
        return len(self.parts)

    def __getitem__(self, v: Any) -> Any:
        return self.parts[v]

    def __array__(self, dtype: Any = None, copy: Any = None) -> npt.NDArray[Any]:
        return self.parts if dtype is None and not copy else np.array(self.parts, dtype)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mapping):
            return NotImplemented
        return self.nparts == other.nparts and np.array_equal(self.parts, other.parts)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        word = "PEs" if self.target is not None and self.target.shape != "equal" else "parts"
        said = ""
        if self.report is not None:
            said = f", cut {self.report.cut}"
            if self.report.cost is not None:
                said += f", cost {self.report.cost}"
            said += f", imbalance {self.report.imbalance:.3f}"
        return f"<cleave.Mapping of {len(self)} vertices onto {self.nparts} {word}{said}>"

    def __reduce__(self) -> Any:
        """Supports pickling."""
        return _restore, (np.array(self.parts), self.nparts, self.target, self.labels, self.report)

    def by_label(self) -> Dict[Any, int]:
        """The part of each node of a networkx graph, or of each vertex by number."""
        nodes: Any = range(len(self)) if self.labels is None else self.labels
        return dict(zip(nodes, self.parts.tolist()))

    def members(self) -> List[Any]:
        """The vertices of each part: arrays of numbers, or lists of labels."""
        order = np.argsort(self.parts, kind="stable")
        ends = np.cumsum(np.bincount(self.parts, minlength=self.nparts))[:-1]
        found = np.split(order, ends) if self.nparts else []
        labels = self.labels
        if labels is None:
            return list(found)
        return [[labels[v] for v in part] for part in found]

    def part_order(self, graph: GraphLike) -> Int32Array:
        """The parts of a DAG in topological order of the quotient graph."""
        order = np.empty(self.nparts, np.int32)
        handle = as_graph(graph)._handle
        call("cleave_mapping_part_order", handle, self._handle, address(order))
        return order

    def quotient_sums(self, graph: GraphLike) -> Quotient:
        """The quotient graph with sums of 64 bits.

        >>> import cleave
        >>> path = cleave.Graph([(0, 1, 2**31 - 1), (2, 3, 2**31 - 1), (1, 3, 1)])
        >>> cleave.Mapping([0, 1, 0, 1]).quotient_sums(path).cut.tolist()
        [4294967294, 4294967294]
        """
        owner = make(
            "cleave_quotient_create",
            "cleave_quotient_free",
            as_graph(graph)._handle,
            self._handle,
        )
        csr = defaults(structs.QuotientCsr)
        lib.cleave_quotient_view(owner, ctypes.byref(csr))
        xadj = view(csr.xadj, csr.nparts + 1, np.int64, owner)
        shape = (csr.nparts,) if csr.ncon == 1 else (csr.nparts, csr.ncon)
        return Quotient(
            xadj,
            view(csr.adj, xadj[-1], np.int32, owner),
            view(csr.weight, shape, np.int64, owner),
            view(csr.cut, xadj[-1], np.int64, owner),
        )

    def quotient(self, graph: GraphLike) -> Graph:
        """The quotient graph, weighted by the weights of the parts and of the cut edges.

        A graph has weights of 32 bits; for larger sums use :meth:`quotient_sums`.
        """
        made = make(
            "cleave_graph_quotient",
            "cleave_graph_free",
            as_graph(graph)._handle,
            self._handle,
        )
        return Graph._wrap(made)

    def write(self, path: Path) -> None:
        """Writes one part per line as in METIS, or Scotch's format if the name ends in .map."""
        call("cleave_mapping_write", self._handle, path_bytes(path))

    def write_launch(
        self,
        path: Path,
        form: str,
        *,
        target: Optional[TargetLike] = None,
        hosts: Optional[str] = None,
    ) -> None:
        """Writes the placement of the ranks of a parallel program, for its launcher.

        form: "rankfile", "hostfile", "cpu-bind", "rank-order" or "permutation".
        hosts: names of the nodes, such as "n[1-4,7]", if the target has none.
        """
        machine = self.target if target is None else as_target(target)
        if machine is None:
            raise InvalidArgument("this mapping has no target; give one")
        call(
            "cleave_launch_write",
            path_bytes(path),
            encode(form, "form"),
            self._handle,
            machine._handle,
            encode(hosts, "hosts"),
        )


MAP_FIGURES = frozenset(
    field.name for kind in (MapReport, RemapReport) for field in dataclasses.fields(kind)
)
MappingLike = Union[Mapping, Sequence[int], npt.NDArray[Any], Dict[Any, int]]


def _restore(parts: Any, nparts: int, target: Any, labels: Any, report: Any) -> Mapping:
    made = Mapping(parts, nparts)
    made.target, made.labels, made._said = target, labels, report
    return made


def wrap(
    pointer: int,
    target: Optional[Target],
    graph: Optional[Graph],
    report: Optional[Callable[[], MapReport]],
) -> Mapping:
    """A mapping returned by the library."""
    made = object.__new__(Mapping)
    labels = None if graph is None else graph.labels
    return made._adopt(Handle(pointer, "cleave_mapping_free"), target, labels, report)


def as_mapping(parts: MappingLike, graph: Optional[Graph] = None) -> Mapping:
    """The mapping itself, or one made from parts or from a dictionary by label."""
    if isinstance(parts, Mapping):
        return parts
    if isinstance(parts, dict):
        if graph is None:
            raise TypeError("parts by label need a graph")
        labels: Any = range(graph.vertices) if graph.labels is None else graph.labels
        try:
            parts = [parts[label] for label in labels]
        except KeyError as error:
            raise InvalidArgument(f"there is no part for {error.args[0]!r}") from None
    return Mapping(parts)


def read_parts(
    path: Path, graph: Optional[GraphLike] = None, *, nparts: Optional[int] = None
) -> Mapping:
    """Reads a METIS partition or a Scotch .map file; labels in the latter need the graph."""
    count = -1 if nparts is None else whole(nparts, "nparts")
    if graph is None:
        made = make(
            "cleave_mapping_read", "cleave_mapping_free", path_bytes(path), -1, count
        )
        return wrap_handle(made)
    known = as_graph(graph)
    made = make(
        "cleave_mapping_read_for",
        "cleave_mapping_free",
        path_bytes(path),
        known._handle,
        count,
    )
    return wrap_handle(made, labels=known.labels)


def wrap_handle(handle: Handle, labels: Optional[List[Any]] = None) -> Mapping:
    """A mapping without a report."""
    return object.__new__(Mapping)._adopt(handle, None, labels)


# ---- Computation ----------------------------------------------------------------------------


class Search:
    """cleave_options with its constraints and report, and the arrays that they point to."""

    def __init__(self, graph: Graph, target: Target) -> None:
        self.graph, self.target = graph, target
        self.options = defaults(structs.Options)
        self.constraints = defaults(structs.Constraints)
        self.report = defaults(structs.MapReport)
        self.options.report = ctypes.pointer(self.report)
        self.keep: List[Any] = []

    def ask(
        self,
        imbalance: Any,
        seed: int,
        effort: str,
        objective: str,
        threads: int,
        time_limit: Optional[float],
        method: Optional[str] = None,
        params: Optional[str] = None,
    ) -> None:
        options = self.options
        if isinstance(imbalance, (int, float, np.number)):
            options.imbalance = bound_of(imbalance)
        else:
            bounds = floats(imbalance, "imbalance", self.target.pes)
            bound_of(bounds.max(initial=0))
            self._demand("imbalance", bounds)
        options.seed = whole(seed, "seed", 0, 2**64 - 1)
        options.effort = EFFORTS[choice(effort, EFFORTS, "effort")]
        options.objective = OBJECTIVES[choice(objective, OBJECTIVES, "objective")]
        options.threads = whole(threads, "threads")
        options.time_limit = seconds(time_limit)
        options.method = encode(method, "method")
        options.params = encode(params, "params")

    def _demand(self, name: str, values: npt.NDArray[Any]) -> None:
        array = values.copy()  # a progress function may modify the caller's array
        self.keep.append(array)
        setattr(self.constraints, name, address(array))
        self.options.constraints = ctypes.pointer(self.constraints)

    def demand(
        self,
        fixed: Any,
        groups: Any,
        shares: Any,
        min_weights: Any,
        max_weights: Any,
        connected: bool,
        start: Optional[MappingLike] = None,
    ) -> None:
        asked = (fixed, groups, shares, min_weights, max_weights, start)
        if not connected and all(demand is None for demand in asked):
            return
        n, k = self.graph.vertices, self.target.pes
        for name, values in (("fixed", fixed), ("groups", groups)):
            if values is not None:
                self._demand(name, int32(values, name, n))
        if shares is None and min_weights is None and max_weights is None:
            ncon = 1
        else:
            weights = self.graph.vertex_weights
            ncon = 1 if weights is None or weights.ndim == 1 else weights.shape[1]
        if shares is not None:
            self._demand("shares", floats(shares, "shares", k * ncon))
        for name, values in (("min", min_weights), ("max", max_weights)):
            if values is not None:
                wide = int64(np.asarray(values).ravel(), name + "_weights", k * ncon)
                self._demand(name, wide)
        if connected:
            self.constraints.connected = 1
            self.options.constraints = ctypes.pointer(self.constraints)
        if start is not None:
            begun = as_mapping(start, self.graph)
            if len(begun) != n:
                raise InvalidArgument(f"start has {len(begun)} vertices, the graph {n}")
            self.keep.append(begun)
            self.constraints.start = begun._handle.pointer
            self.options.constraints = ctypes.pointer(self.constraints)

    def go(
        self,
        name: str,
        *arguments: Any,
        last: Any,
        progress: Optional[ProgressCallback],
        report: Optional[Callable[[], MapReport]] = None,
    ) -> Mapping:
        out = ctypes.c_void_p()

        def result() -> Optional[Mapping]:
            if out.value is None:
                return None
            return wrap(out.value, self.target, self.graph, report or Unread(MapReport, self.report))

        run(
            name,
            ctypes.byref(out),
            *arguments,
            ctypes.byref(last),
            options=self.options,
            progress=progress,
            result=result,
        )
        made = result()
        assert made is not None
        return made


def map(
    graph: GraphLike,
    target: TargetLike,
    *,
    imbalance: Union[float, Sequence[float]] = 0.03,
    seed: int = 1,
    effort: str = "default",
    objective: str = "cost",
    method: Optional[str] = None,
    params: Optional[str] = None,
    one_to_one: bool = False,
    threads: int = 0,
    time_limit: Optional[float] = None,
    fixed: Any = None,
    groups: Any = None,
    shares: Any = None,
    min_weights: Any = None,
    max_weights: Any = None,
    connected: bool = False,
    start: Optional[MappingLike] = None,
    progress: Optional[ProgressCallback] = None,
) -> Mapping:
    """Maps the vertices of a graph onto the PEs of a machine, minimising communication cost.

    graph: any argument of :class:`Graph`.  target: any argument of :class:`Target`.
    imbalance: no part is above floor((1 + imbalance) * ceil(share)); a number, or one per part.
    effort: "fast", "default", "quality", "best" (which uses all of ``time_limit``).
    objective: "cut", "volume", "cost" (weight times distance) or "congestion".
    method, params: None: chosen automatically; "drb", "kway", "multisection", "rcb", "zci",
        "hci", "rsb"; for DAGs "dagp", "kernighan", "fauzia".
    one_to_one: at most one vertex per PE.
    threads: number of threads, 0: all available; the result does not depend on it.
    seed: random seed; the same seed gives the same result.
    time_limit: in seconds; the best result so far is then returned.
    fixed, groups: by vertex, the part it is fixed to, and its group; -1: none.
    shares, min_weights, max_weights: by part (and weight).
    connected: every part must be connected.
    start: a mapping to improve.
    progress: called with a :class:`Progress` a few times a second; False cancels.

    Raises :class:`BalanceError` if a bound cannot be met; its ``result`` is the best found.

    >>> import cleave
    >>> ring = [(v, (v + 1) % 16) for v in range(16)]
    >>> cleave.map(ring, "torus:4x4").cost
    16
    """
    search = Search(as_graph(graph, copy=progress is not None), as_target(target))
    search.ask(imbalance, seed, effort, objective, threads, time_limit, method, params)
    search.demand(fixed, groups, shares, min_weights, max_weights, connected, start)
    search.options.one_to_one = bool(one_to_one)
    return search.go(
        "cleave_map",
        search.graph._handle,
        search.target._handle,
        last=search.options,
        progress=progress,
    )


def partition(
    graph: GraphLike,
    parts: TargetLike,
    *,
    imbalance: Union[float, Sequence[float]] = 0.03,
    seed: int = 1,
    effort: str = "default",
    objective: str = "cut",
    method: Optional[str] = None,
    params: Optional[str] = None,
    threads: int = 0,
    time_limit: Optional[float] = None,
    fixed: Any = None,
    groups: Any = None,
    shares: Any = None,
    min_weights: Any = None,
    max_weights: Any = None,
    connected: bool = False,
    start: Optional[MappingLike] = None,
    progress: Optional[ProgressCallback] = None,
) -> Mapping:
    """Partitions a graph with a small cut; the quotient graph of a DAG is acyclic.

    ``parts`` is a number of equal parts or a sequence of relative sizes.  Options as for
    :func:`map`.

    >>> import cleave
    >>> grid = cleave.generate("grid2d:12x8")
    >>> quarters = cleave.partition(grid, 4)
    >>> quarters.nparts, quarters.balanced, quarters.cut <= 24
    (4, True, True)
    >>> import numpy
    >>> numpy.bincount(cleave.partition(grid, [2, 1], imbalance=0).parts).tolist()
    [64, 32]
    """
    return map(
        graph,
        parts,
        imbalance=imbalance,
        seed=seed,
        effort=effort,
        objective=objective,
        method=method,
        params=params,
        threads=threads,
        time_limit=time_limit,
        fixed=fixed,
        groups=groups,
        shares=shares,
        min_weights=min_weights,
        max_weights=max_weights,
        connected=connected,
        start=start,
        progress=progress,
    )
