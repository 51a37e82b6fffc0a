# SPDX-License-Identifier: Apache-2.0
"""Evaluation of mappings, orders and schedules from scratch; properties of graphs."""
from __future__ import annotations

import ctypes
import dataclasses
from typing import Any, Dict, NamedTuple, Optional, Tuple, Union, overload

import numpy as np

from . import _structs as structs
from ._arrays import Int32Array, Int64Array, Record, address, floats
from ._errors import InvalidArgument
from ._graph import Graph, GraphLike, as_graph
from ._library import call, defaults
from ._mapping import Mapping, MappingLike, as_mapping
from ._options import imbalance as bound_of, whole
from ._order import Order
from ._schedule import CostsLike, Schedule, ScheduleMetrics, as_costs, as_dag
from ._target import Target, TargetLike, as_target


@dataclasses.dataclass(frozen=True)
class TargetMetrics(Record):
    """Metrics of a mapping on its target."""

    #: sum over edges of weight * distance
    cost: int
    #: of the mapping v -> floor(v * PEs / vertices)
    cost_identity: int
    cut: int
    #: cost / cut
    average_dilation: float
    #: None: routes are unknown
    max_link_load: Optional[int]
    average_link_load: Optional[float]
    #: largest weight of the edges between one PE and all others
    max_pe_traffic: int
    imbalance: float
    #: levels of a hierarchy; 0: not a hierarchy
    levels: int
    #: cost by level of the smallest group that contains both PEs, lowest first
    cost_level: Tuple[int, ...]
    cost_level_identity: Tuple[int, ...]


@dataclasses.dataclass(frozen=True)
class Metrics(Record):
    """Metrics of a mapping."""

    #: parts of the mapping, empty ones included
    parts: int
    empty_parts: int
    #: weight of edges between parts
    cut: int
    #: sum over vertices of size * other parts that read it
    volume: int
    #: largest volume sent by one part
    max_volume: int
    #: max over parts and weights of weight / share - 1
    imbalance: float
    #: every part is within its bound
    balanced: bool
    #: total number of connected components of the parts
    pieces: int
    #: edges of the quotient graph
    setups: int
    #: for DAGs, otherwise None
    acyclic: Optional[bool]
    #: no path leaves a part and returns to it; for DAGs, otherwise None
    convex: Optional[bool]
    critical_path: Optional[int]
    min_weight: int
    max_weight: int
    #: on the target, if one was given
    target: Optional[TargetMetrics] = None

    def as_dict(self) -> Dict[str, Any]:
        """All metrics by name, including those of the target."""
        figures = dataclasses.asdict(self)
        on_machine = figures.pop("target")
        if on_machine is not None:
            figures.update({k: v for k, v in on_machine.items() if k not in figures})
        return figures


@dataclasses.dataclass(frozen=True)
class OrderMetrics(Record):
    """Metrics of the Cholesky factorization of a matrix with an elimination order."""

    #: non-zeros of the factor, its diagonal included
    fill: int
    #: sum over columns of the square of their non-zeros
    operations: float
    largest_column: int
    #: number of vertices on the longest path of the elimination tree
    height: int


class PartFigures(NamedTuple):
    """Metrics by part."""

    #: the (first) weight
    weight: Int64Array
    #: volume that it sends
    volume: Int64Array
    #: connected components
    pieces: Int32Array


def _target_metrics(graph: Graph, mapping: Mapping, target: Target) -> TargetMetrics:
    found = defaults(structs.TargetMetrics)
    call(
        "cleave_evaluate_target",
        ctypes.byref(found),
        graph._handle,
        mapping._handle,
        target._handle,
    )
    levels = min(found.levels, structs.MOST_LEVELS)
    return TargetMetrics.of(
        found,
        cost_level=tuple(found.cost_level[:levels]),
        cost_level_identity=tuple(found.cost_level_identity[:levels]),
    )


@overload
def evaluate(graph: GraphLike, what: Order) -> OrderMetrics:
    ...


@overload
def evaluate(graph: GraphLike, what: Schedule, *, costs: CostsLike = None) -> ScheduleMetrics:
    ...


@overload
def evaluate(
    graph: GraphLike,
    what: MappingLike,
    target: Optional[TargetLike] = None,
    *,
    shares: Any = None,
    imbalance: float = 0.03,
    cost_vertex: int = 1,
    cost_inside: int = 1,
    cost_cut: int = 11,
) -> Metrics:
    ...


def evaluate(
    graph: GraphLike,
    what: Union[MappingLike, Order, Schedule],
    target: Optional[TargetLike] = None,
    *,
    shares: Any = None,
    imbalance: float = 0.03,
    cost_vertex: int = 1,
    cost_inside: int = 1,
    cost_cut: int = 11,
    costs: CostsLike = None,
) -> Union[Metrics, OrderMetrics, ScheduleMetrics]:
    """Evaluates parts, a mapping, an order or a schedule from any source.

    Parts are a sequence, a :class:`Mapping`, or a dictionary by the labels of a networkx
    graph.  With a target, parts are its PEs, and shares follow their speeds.  ``shares``:
    relative part sizes.  ``cost_...``: for the critical path, per vertex, per arc inside a part
    and per arc between parts.  ``costs``: for a schedule.

    >>> import cleave
    >>> ring = [(0, 1), (1, 2), (2, 3), (3, 0)]
    >>> judged = cleave.evaluate(ring, [0, 0, 1, 1], "mesh:2")
    >>> judged.cut, judged.imbalance, judged.target.cost
    (2, 0.0, 2)
    """
    if isinstance(what, Order):
        order_found = defaults(structs.OrderMetrics)
        handle = as_graph(graph)._handle
        call("cleave_evaluate_order", ctypes.byref(order_found), handle, what._handle)
        return OrderMetrics.of(order_found)
    if isinstance(what, Schedule):
        return _evaluate_schedule(graph, what, costs)
    known = as_graph(graph)
    mapping = as_mapping(what, known)
    machine = None if target is None else as_target(target)
    if machine is not None and shares is None:
        shares = machine.speeds[: mapping.nparts]
        if mapping.nparts < machine.pes:
            mapping = Mapping(mapping.parts, machine.pes)
            shares = machine.speeds
    options = defaults(structs.EvaluateOptions)
    wanted = None if shares is None else floats(shares, "shares", mapping.nparts)
    options.shares = address(wanted)
    options.imbalance = bound_of(imbalance)
    most = 2**63 - 1
    options.cost_vertex = whole(cost_vertex, "cost_vertex", 0, most)
    options.cost_inside = whole(cost_inside, "cost_inside", 0, most)
    options.cost_cut = whole(cost_cut, "cost_cut", 0, most)
    found = defaults(structs.Metrics)
    call(
        "cleave_evaluate",
        ctypes.byref(found),
        known._handle,
        mapping._handle,
        ctypes.byref(options),
    )
    on_machine = None if machine is None else _target_metrics(known, mapping, machine)
    return Metrics.of(found, target=on_machine)


def _evaluate_schedule(graph: GraphLike, plan: Schedule, costs: CostsLike) -> ScheduleMetrics:
    found = defaults(structs.ScheduleMetrics)
    price = as_costs(costs)
    call(
        "cleave_evaluate_schedule",
        ctypes.byref(found),
        as_dag(graph)._handle,
        plan._handle,
        None if price is None else ctypes.byref(price),
    )
    return ScheduleMetrics.of(found)


def evaluate_parts(graph: GraphLike, parts: MappingLike) -> PartFigures:
    """Weight, volume sent and connected components of each part."""
    known = as_graph(graph)
    mapping = as_mapping(parts, known)
    count = mapping.nparts
    weight, volume = np.zeros(count, np.int64), np.zeros(count, np.int64)
    pieces = np.zeros(count, np.int32)
    call(
        "cleave_evaluate_parts",
        known._handle,
        mapping._handle,
        address(weight),
        address(volume),
        address(pieces),
    )
    return PartFigures(weight, volume, pieces)


def find_cycle(graph: GraphLike, parts: MappingLike) -> Optional[Int32Array]:
    """A cycle in the quotient graph of a DAG, as a list of parts; None if it is acyclic."""
    known = as_graph(graph)
    mapping = as_mapping(parts, known)
    cycle, length = np.zeros(max(mapping.nparts, 1), np.int32), ctypes.c_int32()
    call(
        "cleave_evaluate_cycle",
        known._handle,
        mapping._handle,
        address(cycle),
        ctypes.byref(length),
    )
    return cycle[: length.value] if length.value else None


def info(what: Union[Target, GraphLike]) -> Dict[str, Any]:
    """Properties of a graph (or graph file) or of a :class:`Target`, as a dictionary.

    >>> import cleave
    >>> cleave.info(cleave.generate("grid2d:4x3"))["edges"]
    17
    """
    if isinstance(what, Target):
        return {
            "machine": what.description,
            "shape": what.shape,
            "pes": what.pes,
            "levels": what.levels,
            "links": what.links,
            "speeds": what.speeds,
            "names": what.names,
        }
    graph = as_graph(what)
    degree = np.diff(graph.xadj)
    source = graph.source()
    component = graph.components()
    weights = graph.vertex_weights
    return {
        "kind": graph.kind,
        "format": source["format"],
        "vertices": graph.vertices,
        "edges": graph.edges,
        "degree_min": int(degree.min()) if len(degree) else 0,
        "degree_mean": float(degree.mean()) if len(degree) else 0.0,
        "degree_max": int(degree.max()) if len(degree) else 0,
        "isolated": int((degree == 0).sum()) if graph.kind == "undirected" else None,
        "components": int(component.max()) + 1 if len(component) else 0,
        "weights_per_vertex": 0 if weights is None else 1 if weights.ndim == 1 else weights.shape[1],
        "edge_weights": graph.edge_weights is not None,
        "dimensions": 0 if graph.coords is None else graph.coords.shape[1],
        "names": graph.names is not None,
        "unit": source["unit"],
    }
