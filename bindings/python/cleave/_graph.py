# SPDX-License-Identifier: Apache-2.0
"""Graphs from arrays, scipy, networkx, lists of edges and files."""
from __future__ import annotations

import ctypes
import re
from typing import Any, Dict, Iterable, List, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _structs as structs
from ._arrays import Int32Array, Int64Array, address, floats, int32, int64, strings, view
from ._convert import (
    DAG,
    FORMS,
    KINDS,
    UNDIRECTED,
    check_compressed,
    check_form,
    gather,
    is_scipy,
    row_lengths,
)
from ._errors import CycleError, Error, InvalidArgument, RangeError
from ._library import Handle, call, defaults, encode, lib, make, path_bytes, text
from ._options import choice, whole
from ._progress import ProgressCallback, run
from ._target import Path

BORROW, REPAIR, TRUST, DROP_LOOPS = 1, 2, 4, 8


class _Attributes:
    """Vertex attributes, as a struct and the arrays that it points to."""

    def __init__(
        self,
        nvtx: Optional[int],
        vertex_weights: Any,
        vertex_sizes: Any,
        coords: Any,
        names: Optional[Iterable[str]],
    ) -> None:
        self.csr = defaults(structs.Csr)
        self.keep: List[Any] = []
        if vertex_weights is not None:
            weights = np.asarray(vertex_weights)
            dims = 2 if weights.ndim == 2 else 1
            weights = int32(weights, "vertex_weights", nvtx, dims)
            self.csr.ncon = weights.shape[1] if dims == 2 else 1
            self.csr.vwgt = self._held(weights)
        if vertex_sizes is not None:
            self.csr.vsize = self._held(int32(vertex_sizes, "vertex_sizes", nvtx))
        if coords is not None:
            points = floats(coords, "coords")
            if points.ndim != 2 or (nvtx is not None and points.shape[0] != nvtx):
                raise InvalidArgument(
                    f"coords has the shape {points.shape}, not (vertices, 2) or (vertices, 3)"
                )
            self.csr.ndim = points.shape[1]
            self.csr.coords = self._held(points)
        if names is not None:
            words = [str(name) for name in names]
            if nvtx is not None and len(words) != nvtx:
                raise InvalidArgument(f"names has {len(words)} entries, not {nvtx}")
            array = strings(words)
            self.keep.append(array)
            self.csr.names = ctypes.cast(array, ctypes.POINTER(ctypes.c_char_p))

    def _held(self, array: npt.NDArray[Any]) -> Optional[int]:
        self.keep.append(array)
        return address(array)


def _given_more(weights: Any, sizes: Any, coords: Any, names: Any, vertices: Any) -> str:
    """The first given keyword that the source itself must determine, or ""."""
    if not isinstance(weights, str) or weights != "auto":
        return "vertex_weights"
    rest = {"vertex_sizes": sizes, "coords": coords, "names": names, "vertices": vertices}
    return next((name for name, value in rest.items() if value is not None), "")


class Graph:
    """An undirected graph, or a DAG whose arcs lead from producers to consumers.

    ``source`` may be

    * a scipy sparse matrix or array (its pattern without the diagonal),
    * a networkx graph (a DiGraph is a DAG); its nodes become ``labels``,
    * a tuple ``(xadj, adj)`` of compressed rows as in METIS,
    * a list or an array of edges ``(u, v)`` or ``(u, v, weight)``: numbers from 0, or labels,
    * with ``form="adjacency"``, a list with the list of neighbours of each vertex,
    * a file name, see :func:`read`.

    ``kind``: "undirected" or "dag"; for a matrix also "lower" and "upper", the DAG of the rows
    of that triangle; None: determined by the source.  ``edge_weights``: whole numbers, in the
    order of ``adj``, of the matrix's ``data`` or of the edges; "values": the absolute values of
    a matrix times ``scale``, rounded; for networkx the name of an attribute (default "weight");
    None: all 1.  ``vertex_weights``: one number per vertex, or an array (vertices, weights); for
    networkx also the name of an attribute.  ``symmetrise``: None refuses edges whose two
    directions have different weights, and for matrices and rows also edges stored in one
    direction; "sum": the weight of an edge is the sum of both directions, "max": the larger one
    (see docs/formats.md, "Both directions of an edge").  ``repair`` fixes faults if possible,
    ``trust`` skips the checks of symmetry and cycles.  ``vertices``: the number of vertices, if
    the edges do not determine it.  ``form``: "edges" or "adjacency", the meaning of the rows of
    a list; None: edges, and an ambiguous list is refused.

    The graph copies all arrays, so later changes of the originals have no effect.
    ``copy=False`` saves memory and time: arrays of the types that the library uses (int64
    ``xadj``, int32 ``adj`` and weights, float64 coordinates; contiguous, rows ascending, no
    diagonal) are then used in place.  The graph keeps them alive; they must not be modified
    while the graph is in use, otherwise the process may crash or results may be wrong.

    >>> import cleave
    >>> cleave.Graph([(0, 1), (1, 2), (2, 0), (2, 3)])
    <cleave.Graph undirected, 4 vertices, 4 edges>
    >>> cleave.Graph([("fetch", "build"), ("build", "test")], kind="dag").names
    ['fetch', 'build', 'test']
    >>> cleave.Graph([[1], [0, 2], [1]], form="adjacency")
    <cleave.Graph undirected, 3 vertices, 2 edges>
    """

    __slots__ = ("_handle", "labels", "repairs", "condensed", "__weakref__")

    _handle: Handle

    def __init__(
        self,
        source: "GraphLike",
        *,
        kind: Optional[str] = None,
        vertex_weights: Any = "auto",
        edge_weights: Any = "auto",
        scale: float = 1.0,
        vertex_sizes: Any = None,
        coords: Any = None,
        names: Optional[Iterable[str]] = None,
        vertices: Optional[int] = None,
        symmetrise: Optional[str] = None,
        repair: bool = False,
        trust: bool = False,
        copy: bool = True,
        form: Optional[str] = None,
    ) -> None:
        #: The node of each vertex, for a graph from networkx or labelled edges; otherwise None.
        self.labels: Optional[List[Any]] = None
        #: For a file that was read with ``repair``: number of repaired faults by kind.
        self.repairs: Optional[Dict[str, int]] = None
        #: For a file that was read with ``condense``: the vertex of each vertex of the file.
        self.condensed: Optional[Int32Array] = None
        if kind is not None:
            choice(kind, KINDS, "kind")
        if symmetrise is not None:
            choice(symmetrise, ("sum", "max"), "symmetrise")
        if form is not None:
            choice(form, FORMS, "form")
            check_form(source)
        if isinstance(source, Graph):
            self._handle, self.labels = source._handle, source.labels
            given = _given_more(vertex_weights, vertex_sizes, coords, names, vertices)
            weighed = not isinstance(edge_weights, str) or edge_weights != "auto"
            if given or weighed or kind not in (None, source.kind):
                raise InvalidArgument("a Graph never changes; make another one from its arrays")
            return
        if isinstance(source, (str, bytes)) or hasattr(source, "__fspath__"):
            more_given = _given_more(vertex_weights, vertex_sizes, coords, names, vertices)
            if more_given:
                raise InvalidArgument(
                    f"a file says itself what it has, so there can be no {more_given}: "
                    "cleave.read takes coordinates from a second file; others need its arrays"
                )
            read_into(self, source, kind, symmetrise, edge_weights, scale, repair, trust)
            return
        parts = gather(source, kind, vertex_weights, edge_weights, scale, vertices, form)
        self.labels = parts.labels
        if names is None and parts.names is not None:
            names = parts.names
        more = _Attributes(parts.nvtx, parts.vertex_weights, vertex_sizes, coords, names)
        if parts.xadj is None:
            try:
                self._handle = _from_edges(
                    parts.kind,
                    parts.tail,
                    parts.head,
                    parts.edge_weights,
                    parts.nvtx,
                    more,
                    symmetrise or ("max" if repair else None),
                )
            except (CycleError, InvalidArgument, RangeError) as error:
                raise _with_labels(error, parts.names) from None
            return
        assert parts.nvtx is not None and parts.head is not None
        if symmetrise and parts.kind == UNDIRECTED:
            lengths = row_lengths(parts.xadj, "xadj")
            tail = np.repeat(np.arange(parts.nvtx, dtype=np.int32), lengths)
            self._handle = _from_edges(
                parts.kind, tail, parts.head, parts.edge_weights, parts.nvtx, more, symmetrise
            )
            return
        csr = more.csr
        csr.kind, csr.nvtx = parts.kind, parts.nvtx
        csr.xadj, csr.adj = address(parts.xadj), address(parts.head)
        csr.ewgt = address(parts.edge_weights)
        flags = (0 if copy else BORROW) | (DROP_LOOPS if parts.drop_loops else 0)
        flags |= REPAIR if repair else 0
        flags |= TRUST if trust else 0
        try:
            self._handle = make(
                "cleave_graph_create", "cleave_graph_free", ctypes.byref(csr), flags
            )
        except InvalidArgument as error:
            # Duplicates are summed, as in scipy; they are searched for only after a failure.
            matrix: Any = source
            if not is_scipy(source) or not _has_duplicates(matrix):
                raise _with_hint(error) from None
            merged = matrix.copy()
            merged.sum_duplicates()
            self.__init__(  # type: ignore[misc]
                merged,
                kind=kind,
                vertex_weights=vertex_weights,
                edge_weights=edge_weights,
                scale=scale,
                vertex_sizes=vertex_sizes,
                coords=coords,
                names=names,
                symmetrise=symmetrise,
                repair=repair,
                trust=trust,
                copy=copy,
            )
            return
        if not copy:
            self._handle.keep = (parts.xadj, parts.head, parts.edge_weights, more.keep)

    @classmethod
    def _wrap(cls, handle: Handle, labels: Optional[List[Any]] = None) -> "Graph":
        made = object.__new__(cls)
        made._handle = handle
        made.labels = labels
        made.repairs = made.condensed = None
        return made

    # ---- Properties -------------------------------------------------------------------

    @property
    def vertices(self) -> int:
        """The number of vertices."""
        return int(lib.cleave_graph_vertices(self._handle))

    @property
    def edges(self) -> int:
        """The number of edges (each counted once), or of arcs of a DAG."""
        return int(lib.cleave_graph_edges(self._handle))

    @property
    def kind(self) -> str:
        """"undirected" or "dag"."""
        dag = lib.cleave_graph_kind(self._handle) == DAG
        return "dag" if dag else "undirected"

    def __len__(self) -> int:
        return self.vertices

    def __repr__(self) -> str:
        word = "arcs" if self.kind == "dag" else "edges"
        return f"<cleave.Graph {self.kind}, {self.vertices} vertices, {self.edges} {word}>"

    def _csr(self, predecessors: bool = False) -> structs.Csr:
        csr = defaults(structs.Csr)
        which = lib.cleave_graph_view_predecessors if predecessors else lib.cleave_graph_view
        which(self._handle, ctypes.byref(csr))
        return csr

    def _view(self, place: Optional[int], shape: Any, dtype: Any) -> npt.NDArray[Any]:
        return view(place, shape, dtype, self._handle)

    @property
    def xadj(self) -> Int64Array:
        """Offsets into ``adj`` where the neighbours of each vertex start; vertices + 1 numbers."""
        return self._view(self._csr().xadj, self.vertices + 1, np.int64)

    @property
    def adj(self) -> Int32Array:
        """Neighbours in both directions of an undirected graph; successors in a DAG."""
        csr = self._csr()
        return self._view(csr.adj, self._arcs(csr), np.int32)

    def _arcs(self, csr: structs.Csr) -> int:
        return int(self._view(csr.xadj, self.vertices + 1, np.int64)[-1])

    @property
    def edge_weights(self) -> Optional[Int32Array]:
        """A weight for each entry of ``adj``; None: all are 1."""
        csr = self._csr()
        return self._view(csr.ewgt, self._arcs(csr), np.int32) if csr.ewgt else None

    def predecessors(self) -> Tuple[Int64Array, Int32Array]:
        """Offsets and predecessors of a DAG, like ``xadj`` and ``adj``."""
        csr = self._csr(True)
        return (
            self._view(csr.xadj, self.vertices + 1, np.int64),
            self._view(csr.adj, self._arcs(csr), np.int32),
        )

    @property
    def vertex_weights(self) -> Optional[Int32Array]:
        """A weight for each vertex, or a row of several; None: all are 1."""
        csr = self._csr()
        if not csr.vwgt:
            return None
        shape = (csr.nvtx,) if csr.ncon == 1 else (csr.nvtx, csr.ncon)
        return self._view(csr.vwgt, shape, np.int32)

    @property
    def vertex_sizes(self) -> Optional[Int32Array]:
        """The size of each vertex: data sent to each other part; None: all are 1."""
        csr = self._csr()
        return self._view(csr.vsize, csr.nvtx, np.int32) if csr.vsize else None

    @property
    def coords(self) -> Optional[npt.NDArray[np.float64]]:
        """A row of coordinates for each vertex, or None."""
        csr = self._csr()
        return self._view(csr.coords, (csr.nvtx, csr.ndim), np.float64) if csr.ndim else None

    @property
    def names(self) -> Optional[List[str]]:
        """The name of each vertex, or None."""
        at, handle = lib.cleave_graph_name, self._handle
        if at(handle, 0) is None:
            return None
        return [at(handle, v).decode("utf-8", "replace") for v in range(self.vertices)]

    @property
    def weight(self) -> int:
        """The sum of the (first) weights of the vertices."""
        weights = self.vertex_weights
        if weights is None:
            return self.vertices
        return int((weights if weights.ndim == 1 else weights[:, 0]).sum(dtype=np.int64))

    def source(self) -> Dict[str, Any]:
        """The source of the graph: format, entries of the file, unit, origin."""
        found = defaults(structs.Source)
        lib.cleave_graph_source(self._handle, ctypes.byref(found))
        return {
            "format": text(found.format),
            "entries": int(found.entries),
            "unit": text(found.unit),
            "origin": text(found.origin),
        }

    def __reduce__(self) -> Any:
        """Supports pickling; everything but ``source()`` is restored."""
        return _restore, (
            self.kind,
            np.array(self.xadj),
            np.array(self.adj),
            self.edge_weights,
            self.vertex_weights,
            self.vertex_sizes,
            self.coords,
            self.names,
            self.labels,
        )

    # ---- Derived data --------------------------------------------------------------------

    def topological_order(self) -> Int32Array:
        """The vertices of a DAG in topological order."""
        order = np.empty(self.vertices, np.int32)
        call("cleave_graph_topological_order", self._handle, address(order))
        return order

    def levels(self, which: str = "top") -> Int32Array:
        """The level of each vertex of a DAG: "top", "bottom" or "alap" (as late as possible).

        >>> import cleave
        >>> cleave.Graph([(0, 1), (1, 2), (0, 2)], kind="dag").levels()
        array([0, 1, 2], dtype=int32)
        """
        number = ("top", "bottom", "alap").index(choice(which, ("top", "bottom", "alap"), "which"))
        level = np.empty(self.vertices, np.int32)
        call("cleave_graph_levels", self._handle, number, address(level), None)
        return level

    def components(self) -> Int32Array:
        """The connected component of each vertex, numbered by their smallest vertices."""
        component = np.empty(self.vertices, np.int32)
        count = ctypes.c_int32()
        call(
            "cleave_graph_components",
            self._handle,
            address(component),
            ctypes.byref(count),
        )
        return component

    def transpose(self) -> "Graph":
        """The DAG with every arc reversed."""
        handle = self._handle
        made = make("cleave_graph_transpose", "cleave_graph_free", handle)
        return Graph._wrap(made, self.labels)

    def subgraph(self, vertices: Any) -> "Graph":
        """The subgraph induced by some vertices, in the given order."""
        chosen = int32(vertices, "vertices")
        made = make(
            "cleave_graph_subgraph",
            "cleave_graph_free",
            self._handle,
            len(chosen),
            address(chosen),
        )
        labels = None if self.labels is None else [self.labels[v] for v in chosen]
        return Graph._wrap(made, labels)

    def factor(self, order: Any = "natural") -> "Graph":
        """The DAG of the Cholesky factor; order: "natural", "mindeg" or a permutation."""
        name = encode(order, "order") if isinstance(order, str) else None
        places = None if isinstance(order, str) else int32(order, "order", self.vertices)
        made = make(
            "cleave_graph_factor",
            "cleave_graph_free",
            self._handle,
            name,
            address(places),
        )
        return Graph._wrap(made)

    def to_scipy(self) -> Any:
        """A CSR array of scipy with the weights of the edges as values.

        Entry (u, v) is the edge between u and v; for a DAG, the arc u -> v.
        """
        from scipy.sparse import csr_array  # type: ignore[import]

        weights = self.edge_weights
        values = np.ones(len(self.adj), np.int32) if weights is None else np.array(weights)
        n = self.vertices
        return csr_array((values, np.array(self.adj), np.array(self.xadj)), shape=(n, n))

    def to_networkx(self) -> Any:
        """A graph of networkx, a DiGraph for a DAG; nodes are the labels, or numbers."""
        import networkx  # type: ignore[import]

        made = networkx.DiGraph() if self.kind == "dag" else networkx.Graph()
        nodes = list(range(self.vertices)) if self.labels is None else self.labels
        made.add_nodes_from(nodes)
        weights = self.vertex_weights
        if weights is not None and weights.ndim == 1:
            for node, weight in zip(nodes, weights.tolist()):
                made.nodes[node]["weight"] = weight
        tail = np.repeat(np.arange(self.vertices), np.diff(self.xadj)).tolist()
        ends = [(nodes[u], nodes[v]) for u, v in zip(tail, self.adj.tolist())]
        if self.edge_weights is None:
            made.add_edges_from(ends)
        else:
            made.add_weighted_edges_from(
                (u, v, w) for (u, v), w in zip(ends, self.edge_weights.tolist())
            )
        return made

    def write(
        self,
        path: Path,
        *,
        format: Optional[str] = None,
        parts: Any = None,
        place: Any = None,
        encoding: Optional[str] = None,
        mesh_file: Optional[Path] = None,
        mesh: Optional[str] = None,
        mesh_coords: Optional[Path] = None,
        no_sync: bool = False,
        progress: Optional[ProgressCallback] = None,
    ) -> None:
        """Writes a file, in the given format or that of the extension.

        ``parts``: the part of each vertex; colours in "dot", an array in "vtk" and "vtu", the
        contents of "openfoam".  The other options are for "vtk" and "vtu".  ``place``: the
        position of each vertex in an order.  ``encoding``: "ascii", "base64", "raw".
        ``mesh_file``: the METIS mesh that the graph was read from, whose elements are written
        instead of vertices; ``mesh``: "dual" or "nodal", as when it was read; ``mesh_coords``:
        the coordinates of its nodes, None: a file next to it.  ``no_sync``: for scratch files,
        which need not survive a system crash.
        """
        options = defaults(structs.WriteOptions)
        options.format = encode(format, "format")
        shown = None if parts is None else int32(np.asarray(parts), "parts", self.vertices)
        options.part = address(shown)
        line = None if place is None else int32(np.asarray(place), "place", self.vertices)
        options.place = address(line)
        options.encoding = encode(encoding, "encoding")
        options.mesh_file = None if mesh_file is None else path_bytes(mesh_file)
        options.mesh = encode(mesh, "mesh")
        options.mesh_coords = None if mesh_coords is None else path_bytes(mesh_coords)
        options.no_sync = no_sync
        run(
            "cleave_graph_write",
            self._handle,
            path_bytes(path),
            ctypes.byref(options),
            options=options,
            progress=progress,
        )

    def write_coords(self, path: Path) -> None:
        """Writes the coordinates as plain lines, as Scotch's .xyz or as a Matrix Market array."""
        call("cleave_graph_write_coords", self._handle, path_bytes(path))


GraphLike = Union[Graph, Path, Any]


def _restore(
    kind: str,
    xadj: Any,
    adj: Any,
    edge_weights: Any,
    vertex_weights: Any,
    vertex_sizes: Any,
    coords: Any,
    names: Any,
    labels: Any,
) -> Graph:
    made = Graph(
        (xadj, adj),
        kind=kind,
        edge_weights=edge_weights,
        vertex_weights=vertex_weights,
        vertex_sizes=vertex_sizes,
        coords=coords,
        names=names,
        trust=True,
    )
    made.labels = labels
    return made


def _has_duplicates(matrix: Any) -> bool:
    """Does a matrix of scipy have duplicate or unsorted entries?"""
    try:
        check_compressed(matrix, True)
    except InvalidArgument:
        return False
    return not getattr(matrix, "has_canonical_format", True)


def _from_edges(
    kind: int,
    tail: Optional[Int32Array],
    head: Optional[Int32Array],
    weights: Optional[Int32Array],
    nvtx: Optional[int],
    more: _Attributes,
    symmetrise: Optional[str],
) -> Handle:
    assert tail is not None and head is not None
    builder = make("cleave_builder_create", "cleave_builder_free", kind)
    call(
        "cleave_builder_add",
        builder,
        len(tail),
        address(tail),
        address(head),
        address(weights),
    )
    if symmetrise is not None:
        call("cleave_builder_symmetrise", builder, encode(symmetrise, "symmetrise"))
    return make(
        "cleave_builder_finish",
        "cleave_graph_free",
        builder,
        -1 if nvtx is None else nvtx,
        ctypes.byref(more.csr),
    )


def _with_labels(error: Error, names: Optional[List[str]]) -> Error:
    """Adds names to a message that has vertex numbers, because there was no graph yet."""
    edge = re.fullmatch(r"(.*edge )(\d+) - (\d+)( (?:has|sum) .*)", str(error))
    if names is not None and edge:
        ends = f"{names[int(edge[2])]} - {names[int(edge[3])]}"
        return type(error)(edge[1] + ends + edge[4])
    beginning, colon, cycle = str(error).partition(": ")
    if names is None or not re.fullmatch(r"\d+( -> \d+)*", cycle):
        return error
    return CycleError(
        beginning + colon + " -> ".join(names[int(v)] for v in cycle.split(" -> "))
    )


def _with_hint(error: InvalidArgument) -> InvalidArgument:
    """Adds a hint on ``symmetrise`` to a message about an unsymmetric graph."""
    if not re.search("which does not list it$|this way and .* the other way$", str(error)):
        return error
    return InvalidArgument(
        f'{error}; cleave.Graph(..., symmetrise="sum") adds both directions up, "max" takes the '
        "larger"
    )


def as_graph(thing: GraphLike, kind: Optional[str] = None, copy: bool = False) -> Graph:
    """The graph itself, or a graph made from its description for the duration of a call.

    The caller's arrays are used in place, because no code of the caller runs before the call
    returns.  If it does, in a ``progress`` function, ``copy`` must be True.
    """
    if isinstance(thing, Graph) and kind in (None, thing.kind):
        return thing
    return Graph(thing, kind=kind, copy=copy)


# ---- Files --------------------------------------------------------------------------------


def read_into(
    graph: Graph,
    path: Any,
    kind: Optional[str],
    symmetrise: Optional[str],
    edge_weights: Any,
    scale: float,
    repair: bool,
    trust: bool,
) -> None:
    """Implements Graph("file")."""
    weights = None
    if edge_weights is None:
        weights = "none"
    elif isinstance(edge_weights, str) and edge_weights != "auto":
        weights = edge_weights
    elif not isinstance(edge_weights, str):
        raise InvalidArgument("a file has its own edge weights")
    made = read(
        path,
        kind=kind,
        symmetrise=symmetrise,
        weights=weights,
        scale=scale,
        repair=repair,
        trust=trust,
    )
    graph._handle, graph.repairs = made._handle, made.repairs


def read(
    path: Path,
    *,
    format: Optional[str] = None,
    kind: Optional[str] = None,
    symmetrise: Optional[str] = None,
    weights: Optional[str] = None,
    scale: float = 1.0,
    coords: Optional[Path] = None,
    mesh: Optional[str] = None,
    common: int = 1,
    binarise: bool = False,
    repair: bool = False,
    trust: bool = False,
    condense: bool = False,
    threads: int = 0,
    progress: Optional[ProgressCallback] = None,
) -> Graph:
    """Reads a graph from a file in any supported format.

    format: None: detected; "metis", "mtx", "edges", ... (see :func:`formats`).
    kind: None: from the file; "undirected", "dag"; for matrices "lower", "upper".
    symmetrise: None refuses edges whose two directions have different weights, and in formats
    with both directions (METIS, Scotch, ...) edges stored in one; "sum", "max" accept them.
    weights: None: from the file; "values": those of a matrix, times ``scale``; "none": all 1.
    coords: None: a file next to the graph if there is one; "": none; otherwise a path.
    mesh: "dual" (a vertex per element; neighbours share ``common`` nodes) or "nodal".
    binarise: for circuits, a vertex per operation with two inputs.
    repair: fix faults if possible.  trust: do not check symmetry and cycles.
    condense: strongly connected components become vertices.
    """
    options = defaults(structs.ReadOptions)
    options.format = encode(format, "format")
    setattr(options, "as", encode(kind, "kind"))
    options.symmetrise = encode(symmetrise, "symmetrise")
    options.weights = encode(weights, "weights")
    options.scale = float(scale)
    options.coords = None if coords is None else path_bytes(coords)
    options.mesh = encode(mesh, "mesh")
    options.common = whole(common, "common", 1)
    options.binarise = bool(binarise)
    options.flags = (REPAIR if repair else 0) | (TRUST if trust else 0)
    options.threads = whole(threads, "threads")
    options.condense = bool(condense)
    mended = defaults(structs.Repairs)
    options.repairs = ctypes.pointer(mended)
    out, components = ctypes.c_void_p(), ctypes.c_void_p()
    options.components = ctypes.pointer(components)
    run(
        "cleave_graph_read",
        ctypes.byref(out),
        path_bytes(path),
        ctypes.byref(options),
        options=options,
        progress=progress,
    )
    assert out.value is not None
    made = Graph._wrap(Handle(out.value, "cleave_graph_free"))
    if components.value is not None:
        owner = Handle(components.value, "cleave_mapping_free")
        count = lib.cleave_mapping_vertices(owner)
        made.condensed = view(lib.cleave_mapping_parts(owner), count, np.int32, owner)
    if repair:
        made.repairs = {name: getattr(mended, name) for name, _ in mended._fields_[1:]}
    return made


def generate(spec: str, *, seed: int = 1, threads: int = 0) -> Graph:
    """Generates a graph: "grid2d:40x40", "rgg:100000:12", ... (see :func:`generators`).

    >>> import cleave
    >>> cleave.generate("grid2d:4x3")
    <cleave.Graph undirected, 12 vertices, 17 edges>
    """
    options = defaults(structs.GenerateOptions)
    options.seed = whole(seed, "seed", 0, 2**64 - 1)
    options.threads = whole(threads, "threads")
    made = make(
        "cleave_graph_generate",
        "cleave_graph_free",
        encode(spec, "the kind of graph"),
        ctypes.byref(options),
    )
    return Graph._wrap(made)


def generators() -> Dict[str, str]:
    """The kinds of graphs of :func:`generate`: form and description by name."""
    found: Dict[str, str] = {}
    form, description = ctypes.c_char_p(), ctypes.c_char_p()
    while True:
        name = lib.cleave_generator_name(
            len(found), ctypes.byref(form), ctypes.byref(description)
        )
        if name is None:
            return found
        found[name.decode()] = f"{text(form.value)}: {text(description.value)}"


def formats() -> Dict[str, Tuple[str, bool]]:
    """The formats of graph files by name: description, and whether they can be written."""
    found: Dict[str, Tuple[str, bool]] = {}
    description, writes = ctypes.c_char_p(), ctypes.c_int()
    while True:
        name = lib.cleave_format_name(
            len(found), ctypes.byref(description), ctypes.byref(writes)
        )
        if name is None:
            return found
        found[name.decode()] = (text(description.value) or "", bool(writes.value))
