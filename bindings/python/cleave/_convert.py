# SPDX-License-Identifier: Apache-2.0
"""Conversion of graphs of other packages to the arrays of the library."""
from __future__ import annotations

import sys
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import numpy as np
import numpy.typing as npt

from ._arrays import Int32Array, Int64Array, int32, int64
from ._errors import InvalidArgument
from ._options import INT32_MAX, whole


UNDIRECTED, DAG = 0, 1
FORMS = ("edges", "adjacency")
KINDS = {"undirected": UNDIRECTED, "dag": DAG, "lower": DAG, "upper": DAG}


def is_scipy(thing: Any) -> bool:
    """Is this a sparse matrix or array of scipy?  Does not import scipy."""
    scipy = sys.modules.get("scipy.sparse")
    return scipy is not None and bool(scipy.issparse(thing))


def is_networkx(thing: Any) -> bool:
    """Is this a graph of networkx?  Does not import networkx."""
    networkx = sys.modules.get("networkx")
    return networkx is not None and isinstance(thing, networkx.Graph)


class Gathered(NamedTuple):
    """Compressed rows (xadj and head), or a list of edges if xadj is None."""

    kind: int
    nvtx: Optional[int]
    xadj: Optional[Int64Array]
    tail: Optional[Int32Array]
    head: Int32Array
    edge_weights: Optional[Int32Array]
    vertex_weights: Any
    drop_loops: bool = False
    labels: Optional[List[Any]] = None
    names: Optional[List[str]] = None


def gather(
    source: Any,
    kind: Optional[str],
    vertex_weights: Any,
    edge_weights: Any,
    scale: float,
    vertices: Optional[int],
    form: Optional[str],
) -> Gathered:
    """The arrays of a source other than a Graph or a file."""
    if form == "adjacency":
        return _of_adjacency(source, kind, _given(vertex_weights), _given(edge_weights))
    pair = type(source) is tuple and len(source) == 2
    if pair and form is None and kind not in ("lower", "upper"):
        return _of_rows(source[0], source[1], kind, _given(vertex_weights), _given(edge_weights))
    if is_scipy(source):
        return _of_scipy(source, kind, _given(vertex_weights), edge_weights, scale)
    if is_networkx(source):
        return _of_networkx(source, kind, vertex_weights, edge_weights)
    if kind in ("lower", "upper"):
        raise InvalidArgument(f'kind "{kind}" is for matrices of scipy and for files')
    if isinstance(source, (list, tuple, np.ndarray)) or hasattr(source, "__array__"):
        return _of_edges(source, kind, _given(vertex_weights), edge_weights, vertices, form)
    raise TypeError(
        f"a graph cannot be made from a {type(source).__name__}; it can from a sparse matrix "
        "of scipy, a graph of networkx, a tuple (xadj, adj), a list of edges or a file name"
    )


def _given(values: Any) -> Any:
    if not isinstance(values, str):
        return values
    if values == "auto":
        return None
    raise InvalidArgument(f'weights are "{values}", but only networkx has attributes by name')


def _number(kind: Optional[str]) -> int:
    return KINDS[kind] if kind else UNDIRECTED


# ---- Compressed rows ------------------------------------------------------------------------


def _of_rows(
    starts: Any, neighbours: Any, kind: Optional[str], vertex_weights: Any, edge_weights: Any
) -> Gathered:
    xadj, adj = int64(starts, "xadj"), int32(neighbours, "adj")
    if len(xadj) == 0:
        raise InvalidArgument("xadj is empty; it has one entry more than there are vertices")
    if not 0 <= xadj[-1] <= len(adj):
        raise InvalidArgument(
            f"xadj ends with {xadj[-1]}, but adj has {len(adj)} entries; a list of edges "
            "would be a list or an array, not a tuple"
        )
    weights = None
    if edge_weights is not None:
        weights = int32(edge_weights, "edge_weights", len(adj))
    return Gathered(_number(kind), len(xadj) - 1, xadj, None, adj, weights, vertex_weights)


# ---- scipy ----------------------------------------------------------------------------------


def row_lengths(starts: npt.NDArray[Any], what: str) -> npt.NDArray[Any]:
    """The number of entries in each row; refuses offsets that do not ascend from 0."""
    lengths = np.diff(starts)
    if starts[0] != 0 or (lengths < 0).any():
        raise InvalidArgument(f"{what} does not ascend from 0")
    return lengths


def check_compressed(matrix: Any, entries: bool) -> None:
    """Refuses a CSR or CSC matrix whose arrays do not fit together.

    With ``entries``, every offset and every index is checked as well: scipy does not check them
    when it converts or sorts, and would write out of bounds.
    """
    form = matrix.format
    if form not in ("csr", "csc"):
        return
    outer, inner = matrix.shape if form == "csr" else matrix.shape[::-1]
    indptr, indices, values = matrix.indptr, matrix.indices, matrix.data
    if len(indptr) != outer + 1:
        raise InvalidArgument(f"indptr has {len(indptr)} entries, not {outer + 1}")
    if not 0 <= indptr[-1] <= min(len(indices), len(values)):
        raise InvalidArgument(
            f"indptr ends with {indptr[-1]}, but there are {len(indices)} indices and "
            f"{len(values)} values"
        )
    if not entries:
        return
    row_lengths(indptr, "indptr")
    used = indices[: indptr[-1]]
    if used.size and (used.min() < 0 or used.max() >= inner):
        wrong = used.min() if used.min() < 0 else used.max()
        raise InvalidArgument(f"the matrix has the index {wrong}, outside 0..{inner - 1}")


def _values(data: npt.NDArray[Any], scale: float) -> Int32Array:
    if data.dtype.kind == "c":
        raise TypeError("the matrix is complex; its values cannot be weights")
    if data.dtype == np.int32 and scale == 1 and (data.size == 0 or data.min() >= 0):
        return data
    rounded = np.floor(np.abs(data.astype(np.float64)) * scale + 0.5)
    return int32(rounded, "the values of the matrix")


def _triangle(matrix: Any, lower: bool) -> Any:
    """The entries of a triangle by columns: the successors of each vertex."""
    import scipy.sparse  # type: ignore[import]

    by_columns = matrix.tocsc()
    column = np.repeat(np.arange(matrix.shape[1], dtype=np.int32), np.diff(by_columns.indptr))
    outside = by_columns.indices < column if lower else by_columns.indices > column
    if outside.any():
        cut = scipy.sparse.tril if lower else scipy.sparse.triu
        by_columns = cut(by_columns, format="csc")
    return by_columns


def _of_scipy(
    matrix: Any, kind: Optional[str], vertex_weights: Any, edge_weights: Any, scale: float
) -> Gathered:
    shape = matrix.shape
    if len(shape) != 2 or shape[0] != shape[1]:
        raise InvalidArgument(f"the matrix has the shape {shape}; a graph has a square one")
    if shape[0] >= INT32_MAX:
        raise InvalidArgument(f"the matrix has {shape[0]} rows, more than 2^31 - 2")
    converted = kind in ("lower", "upper") or (kind == "dag" and matrix.format == "csc")
    check_compressed(matrix, converted)
    if kind in ("lower", "upper"):
        rows = _triangle(matrix, kind == "lower")
    elif matrix.format == "csr" or (matrix.format == "csc" and kind != "dag"):
        rows = matrix  # the columns of a symmetric matrix equal its rows
    else:
        rows = matrix.tocsr()
    xadj, adj = int64(rows.indptr, "indptr"), int32(rows.indices, "indices")
    weights: Optional[Int32Array] = None
    if isinstance(edge_weights, str) and edge_weights == "values":
        weights = _values(rows.data, scale)
    elif edge_weights is not None and not isinstance(edge_weights, str):
        if rows is not matrix:
            raise InvalidArgument("edge_weights in the order of data need a CSR or CSC matrix")
        weights = int32(edge_weights, "edge_weights", len(adj))
    elif isinstance(edge_weights, str) and edge_weights != "auto":
        raise InvalidArgument(f'edge_weights is "{edge_weights}"; of a matrix there is "values"')
    return Gathered(
        _number(kind), shape[0], xadj, None, adj, weights, vertex_weights, True
    )


# ---- networkx -------------------------------------------------------------------------------


def _attribute(pairs: List[Tuple[Any, Dict[Any, Any]]], name: str, what: str) -> Any:
    """The values of an attribute, 1 where it is missing; None if no item has it."""
    if not any(name in attributes for _, attributes in pairs):
        return None
    values = [attributes.get(name, 1) for _, attributes in pairs]
    try:
        return int32(np.asarray(values), what)
    except (InvalidArgument, TypeError):
        for where, attributes in pairs:  # report the first invalid one
            value = attributes.get(name, 1)
            try:
                int32(np.asarray([value]), what)
            except (InvalidArgument, TypeError, ValueError):
                raise InvalidArgument(
                    f"{what} {where!r} has {name} {value!r}; weights are whole numbers up to "
                    "2^31 - 1: scale and round them, or choose another attribute"
                ) from None
        raise


def _of_networkx(
    source: Any, kind: Optional[str], vertex_weights: Any, edge_weights: Any
) -> Gathered:
    labels = list(source.nodes)
    index = {label: v for v, label in enumerate(labels)}
    if kind in ("lower", "upper"):
        raise InvalidArgument(f'kind "{kind}" is for matrices of scipy and for files')
    number = _number(kind) if kind else DAG if source.is_directed() else UNDIRECTED
    if number == DAG and not source.is_directed():
        raise InvalidArgument("the edges have no direction; a DAG is a DiGraph")
    edges = list(source.edges(data=True))
    count = len(edges)
    tail = np.fromiter((index[u] for u, _, _ in edges), np.int32, count)
    head = np.fromiter((index[v] for _, v, _ in edges), np.int32, count)
    if isinstance(edge_weights, str):
        name = "weight" if edge_weights == "auto" else edge_weights
        weights = _attribute([((u, v), data) for u, v, data in edges], name, "edge")
        if weights is None and edge_weights != "auto":
            raise InvalidArgument(f'no edge has an attribute "{edge_weights}"')
    else:
        weights = None if edge_weights is None else int32(edge_weights, "edge_weights", count)
    if isinstance(vertex_weights, str):
        name = "weight" if vertex_weights == "auto" else vertex_weights
        found = _attribute(list(source.nodes(data=True)), name, "node")
        if found is None and vertex_weights != "auto":
            raise InvalidArgument(f'no node has an attribute "{vertex_weights}"')
        vertex_weights = found
    return Gathered(
        number,
        len(labels),
        None,
        tail,
        head,
        weights,
        vertex_weights,
        labels=labels,
        names=_names(labels),
    )


def _names(labels: List[Any]) -> Optional[List[str]]:
    """Labels as names, if they are strings or differ from the numbers from 0."""
    if all(isinstance(label, int) for label in labels) and labels == list(range(len(labels))):
        return None
    names = [str(label) for label in labels]
    return names if len(set(names)) == len(names) and not any("\0" in n for n in names) else None


# ---- Adjacency lists ------------------------------------------------------------------------


def check_form(source: Any) -> None:
    """Refuses ``form`` for a source that is not a list of rows."""
    if not isinstance(source, (list, tuple, np.ndarray)):
        raise InvalidArgument(
            f"form says what the rows of a list are; there are none in a {type(source).__name__}"
        )


def _of_adjacency(
    source: Any, kind: Optional[str], vertex_weights: Any, edge_weights: Any
) -> Gathered:
    if kind in ("lower", "upper"):
        raise InvalidArgument(f'kind "{kind}" is for matrices of scipy and for files')
    rows = []
    for v, row in enumerate(source):
        if not hasattr(row, "__len__") or isinstance(row, (str, bytes)):
            raise InvalidArgument(f"row {v} of the adjacency lists is {row!r}, which is no list")
        rows.append(int32(np.asarray(row), f"the list of vertex {v}") if len(row) else _NONE)
    xadj = np.zeros(len(rows) + 1, np.int64)
    np.cumsum([len(row) for row in rows], out=xadj[1:])
    adj = np.concatenate(rows) if rows else _NONE
    return _of_rows(xadj, adj, kind, vertex_weights, edge_weights)


_NONE: Int32Array = np.zeros(0, np.int32)


def _pairs(u: npt.NDArray[Any], v: npt.NDArray[Any], n: int) -> npt.NDArray[Any]:
    """The set of pairs, encoded as numbers, without self-loops."""
    found: npt.NDArray[Any] = np.unique((u * n + v)[u != v])
    return found


def _check_one_meaning(edges: npt.NDArray[Any]) -> None:
    """Refuses edges that are also valid adjacency lists of another graph.

    That is so if the numbers are row numbers, and row u contains v whenever row v contains u.
    For edges this is very unlikely; adjacency lists always have this property.
    """
    n, columns = edges.shape
    if n == 0 or edges.min() < 0 or edges.max() >= n:
        return
    numbers = edges.astype(np.int64)
    row = np.repeat(np.arange(n), columns)
    neighbour = numbers.ravel()
    if (row == neighbour).any():
        return
    arcs = _pairs(row, neighbour, n)
    if not np.array_equal(arcs, _pairs(neighbour, row, n)):
        return
    u, v = numbers[:, 0], numbers[:, 1]
    if columns == 2 and np.array_equal(arcs, _pairs(np.append(u, v), np.append(v, u), n)):
        return  # the same graph in both readings, for example a triangle
    raise InvalidArgument(
        f"{n} rows of {columns} numbers below {n} can be edges or the neighbours of each vertex: "
        'say cleave.Graph(..., form="adjacency") or form="edges"'
    )


# ---- Lists of edges -------------------------------------------------------------------------


def _of_edges(
    source: Any,
    kind: Optional[str],
    vertex_weights: Any,
    edge_weights: Any,
    vertices: Any,
    form: Optional[str],
) -> Gathered:
    nvtx = None if vertices is None else whole(vertices, "vertices", 0, INT32_MAX - 1)
    labels: Optional[List[Any]] = None
    if not isinstance(source, np.ndarray) and _has_labels(source):
        source, labels = _number_labels(source)
    try:
        edges = np.asarray(source)
    except ValueError:
        raise InvalidArgument(
            "the edges are not all of the same length; lists of the neighbours of each vertex "
            'need cleave.Graph(..., form="adjacency")'
        ) from None
    if edges.size == 0:
        edges = np.zeros((0, 2), np.int32)
    dense = isinstance(source, np.ndarray) and edges.dtype.kind not in "iu"
    if edges.ndim != 2 or edges.shape[1] not in (2, 3) or dense:
        raise InvalidArgument(
            f"an array of shape {edges.shape} of {edges.dtype} is no list of edges, which has 2 "
            "columns of integers, or 3 with weights; a dense matrix becomes a graph by way of "
            'scipy.sparse.csr_array, and lists of neighbours by form="adjacency"'
        )
    if form is None and labels is None and _number(kind) == UNDIRECTED:
        _check_one_meaning(edges)
    tail, head = int32(edges[:, 0], "the edges"), int32(edges[:, 1], "the edges")
    weights: Optional[Int32Array] = None
    if edges.shape[1] == 3 and isinstance(edge_weights, str) and edge_weights == "auto":
        weights = int32(edges[:, 2], "the weights of the edges")
    elif _given(edge_weights) is not None:
        weights = int32(edge_weights, "edge_weights", len(edges))
    if nvtx is not None and len(edges) and int(max(tail.max(), head.max())) >= nvtx:
        raise InvalidArgument(f"an edge names vertex {max(tail.max(), head.max())} of {nvtx}")
    if labels is not None:
        nvtx = len(labels)
    if nvtx is None:
        nvtx = int(max(tail.max(), head.max())) + 1 if len(edges) else 0
        if vertex_weights is not None:
            nvtx = max(nvtx, len(vertex_weights))
    return Gathered(
        _number(kind),
        max(nvtx, 0),
        None,
        tail,
        head,
        weights,
        vertex_weights,
        labels=labels,
        names=None if labels is None else _names(labels),
    )


def _has_labels(source: Any) -> bool:
    """Is a vertex of any edge something other than a number?"""
    for edge in source:
        if not hasattr(edge, "__len__") or isinstance(edge, str):
            return False
        for end in list(edge)[:2]:
            if not isinstance(end, (int, float, np.number)):
                return True
    return False


def _number_labels(source: Any) -> Tuple[List[Any], List[Any]]:
    index: Dict[Any, int] = {}
    edges = []
    for edge in source:
        u, v, *rest = edge
        first = index.setdefault(u, len(index))
        edges.append((first, index.setdefault(v, len(index)), *rest))
    return edges, list(index)
