# SPDX-License-Identifier: Apache-2.0
"""Graphs from arrays, scipy, networkx, edges and files; copied and borrowed arrays."""
import copy
import gc
import os
import pickle
import pathlib
import unittest

import numpy as np
import support
from support import Scratch, grid, needs, place, rows_of

import cleave


def wide(values):
    return np.array(values, np.int64)


def narrow(values):
    return np.array(values, np.int32)


class ZeroCopy(unittest.TestCase):
    """By addresses: the library uses the caller's arrays only with copy=False."""

    def setUp(self):
        xadj, adj = rows_of(grid(5, 4))
        self.xadj, self.adj = wide(xadj), narrow(adj)

    def test_rows(self):
        weights, heavy = narrow(np.ones(len(self.adj))), narrow(np.arange(20))
        sizes, coords = narrow(np.arange(20)), np.random.rand(20, 3)
        g = cleave.Graph(
            (self.xadj, self.adj),
            edge_weights=weights,
            vertex_weights=heavy,
            vertex_sizes=sizes,
            coords=coords,
            copy=False,
        )
        for ours, theirs in (
            (g.xadj, self.xadj),
            (g.adj, self.adj),
            (g.edge_weights, weights),
            (g.vertex_weights, heavy),
            (g.vertex_sizes, sizes),
            (g.coords, coords),
        ):
            self.assertEqual(place(ours), place(theirs))
            self.assertFalse(ours.flags.writeable)
            np.testing.assert_array_equal(ours, theirs)
        self.assertTrue(self.adj.flags.writeable)

    def test_copy(self):
        g = cleave.Graph((self.xadj, self.adj))
        self.assertNotEqual(place(g.xadj), place(self.xadj))
        self.assertNotEqual(place(g.adj), place(self.adj))
        self.adj[:] = 99
        self.assertLess(g.adj.max(), 20)

    def test_other_layouts_are_copied(self):
        for adj in (wide(self.adj), self.adj.astype(">i4"), np.repeat(self.adj, 2)[::2]):
            g = cleave.Graph((self.xadj, adj), copy=False)
            self.assertNotEqual(place(g.adj), place(adj))
            self.assertEqual(place(g.xadj), place(self.xadj))
            np.testing.assert_array_equal(g.adj, self.adj)
        g = cleave.Graph((narrow(self.xadj), self.adj), copy=False)
        self.assertEqual(place(g.adj), place(self.adj))
        np.testing.assert_array_equal(g.xadj, self.xadj)

    def test_unsorted_rows_are_copied(self):
        adj = self.adj.copy()
        adj[:2] = adj[1::-1]
        g = cleave.Graph((self.xadj, adj), copy=False)
        self.assertNotEqual(place(g.adj), place(adj))
        np.testing.assert_array_equal(g.adj, self.adj)

    def test_read_only_arrays(self):
        self.xadj.flags.writeable = self.adj.flags.writeable = False
        g = cleave.Graph((self.xadj, self.adj), copy=False)
        self.assertEqual(place(g.adj), place(self.adj))

    def test_arrays_live_as_long_as_views(self):
        want = self.adj.copy()
        g = cleave.Graph((self.xadj, self.adj), copy=False)
        view = g.adj
        del g, self.xadj, self.adj
        gc.collect()
        filler = [np.full(len(want), 77, np.int32) for _ in range(100)]
        np.testing.assert_array_equal(view, want)
        del filler

    @needs("scipy")
    def test_scipy(self):
        import scipy.sparse

        dense = grid(6, 5)
        for make in (scipy.sparse.csr_matrix, scipy.sparse.csc_matrix, scipy.sparse.csr_array):
            a = make(dense)
            self.assertEqual(a.indices.dtype, np.int32)
            g = cleave.Graph(a, copy=False)
            self.assertEqual(place(g.adj), place(a.indices))  # int32: as it is
            self.assertNotEqual(place(g.xadj), place(a.indptr))  # int32 offsets: widened
            b = make((a.data, a.indices, wide(a.indptr)), shape=a.shape)
            b.indptr, b.indices = wide(a.indptr), narrow(a.indices)
            self.assertEqual(place(cleave.Graph(b, copy=False).xadj), place(b.indptr))
            self.assertEqual(place(cleave.Graph(b, copy=False).adj), place(b.indices))
            b.indices = wide(a.indices)
            self.assertNotEqual(place(cleave.Graph(b, copy=False).adj), place(b.indices))
            np.testing.assert_array_equal(cleave.Graph(b, copy=False).adj, a.indices)

    @needs("scipy")
    def test_scipy_values(self):
        import scipy.sparse

        a = scipy.sparse.csr_matrix(narrow(3 * grid(6, 5)))
        g = cleave.Graph(a, edge_weights="values", copy=False)
        self.assertEqual(place(g.edge_weights), place(a.data))
        b = a.astype(float)
        self.assertEqual(set(cleave.Graph(-b, edge_weights="values", scale=0.5).edge_weights), {2})

    @needs("scipy")
    def test_triangle(self):
        import scipy.sparse

        below = scipy.sparse.csc_matrix(np.tril(grid(6, 5), -1))
        g = cleave.Graph(below, kind="lower", copy=False)
        self.assertEqual(place(g.adj), place(below.indices))


class Written(unittest.TestCase):
    """Later writes of the caller to its arrays have no effect on the graph."""

    def setUp(self):
        xadj, adj = rows_of(grid(30, 30))
        self.xadj, self.adj = wide(xadj), narrow(adj)
        self.want = cleave.partition((self.xadj.copy(), self.adj.copy()), 4).parts

    def check(self, g):
        np.testing.assert_array_equal(cleave.partition(g, 4).parts, self.want)

    def test_rows(self):
        heavy, weights = narrow(np.ones(900)), narrow(np.ones(len(self.adj)))
        sizes, coords = narrow(np.ones(900)), np.random.rand(900, 2)
        given = (self.xadj, self.adj, heavy, weights, sizes, coords)
        kept = [array.copy() for array in given]
        g = cleave.Graph(
            given[:2], vertex_weights=heavy, edge_weights=weights, vertex_sizes=sizes, coords=coords
        )
        for array in given:
            array[:] = 2**30
        held = (g.xadj, g.adj, g.vertex_weights, g.edge_weights, g.vertex_sizes, g.coords)
        for ours, theirs in zip(held, kept):
            np.testing.assert_array_equal(ours, theirs)
        self.check(g)

    @needs("scipy")
    def test_scipy(self):
        import scipy.sparse

        a = scipy.sparse.csr_matrix((narrow(np.ones(len(self.adj))), self.adj, self.xadj))
        a.indptr, a.indices = self.xadj, self.adj
        g = cleave.Graph(a, edge_weights="values")
        a.indices[:], a.indptr[:], a.data[:] = 2**30, 2**30, 2**30
        self.check(g)
        below = scipy.sparse.csc_matrix(np.tril(grid(6, 5), -1))
        dag = cleave.Graph(below, kind="lower")
        below.indices[:] = 2**30
        self.assertLess(dag.adj.max(), 30)

    def test_others(self):
        line, parts = narrow(np.arange(900)), narrow(np.arange(900) % 4)
        order, mapping = cleave.Order(line), cleave.Mapping(parts)
        plan = cleave.Schedule(narrow([0, 1]), narrow([0, 0]))
        line[:], parts[:] = 2**30, 2**30
        self.assertEqual(order.vertices.tolist(), list(range(900)))
        self.assertEqual(mapping.parts.max(), 3)
        self.assertEqual(plan.layers, 2)

    def test_during_a_call(self):
        """A progress function may write to the arguments of the call."""
        mesh = cleave.generate("rgg:20000:12")
        given = (np.array(mesh.xadj), np.array(mesh.adj), narrow(np.full(20000, -1)))
        called = []

        def spoil(now):
            called.append(now)
            for array in given:
                array[:] = 2**30

        def divide(progress):
            return cleave.partition(
                given[:2], 16, fixed=given[2], effort="quality", progress=progress
            )

        want = divide(None)
        made = divide(spoil)
        self.assertTrue(called)
        np.testing.assert_array_equal(made.parts, want.parts)
        self.assertEqual(given[1][0], 2**30)


class Adjacency(unittest.TestCase):
    """Lists of neighbours, which can be mistaken for edges."""

    def test_cube(self):
        cube = [[v ^ 1, v ^ 2, v ^ 4] for v in range(8)]
        for source in (cube, np.array(cube), [tuple(row) for row in cube]):
            with self.assertRaisesRegex(cleave.InvalidArgument, 'form="adjacency"'):
                cleave.Graph(source)
            with self.assertRaisesRegex(cleave.InvalidArgument, 'form="adjacency"'):
                cleave.partition(source, 2)
            g = cleave.Graph(source, form="adjacency")
            self.assertEqual((g.vertices, g.edges, g.edge_weights), (8, 12, None))
            self.assertEqual(cleave.partition(g, 2).cut, 4)
            g = cleave.Graph(source, form="edges", symmetrise="sum")
            self.assertIsNotNone(g.edge_weights)

    def test_ring(self):
        ring = [[(v - 1) % 9, (v + 1) % 9] for v in range(9)]
        with self.assertRaisesRegex(cleave.InvalidArgument, 'form="edges"'):
            cleave.Graph(ring)
        g = cleave.Graph(ring, form="adjacency")
        self.assertEqual((g.edges, sorted(g.adj[:2])), (9, [1, 8]))
        self.assertEqual(cleave.Graph(ring, form="edges").edges, 9)  # of v - 1 and v + 1

    def test_edges_are_edges(self):
        """Random edges, and those whose two interpretations give one graph, are accepted."""
        self.assertEqual(cleave.Graph([(1, 2), (2, 0), (0, 1)]).edges, 3)
        self.assertEqual(cleave.Graph([(0, 1, 2), (1, 2, 1), (2, 0, 1)]).edges, 3)
        draw = np.random.default_rng(1)
        for n in range(5, 60):
            edges = draw.integers(0, n, (n, 2 + n % 2))
            cleave.Graph(edges[edges[:, 0] != edges[:, 1]], symmetrise="sum")

    def test_unequal_lengths(self):
        path = [[1], [0, 2], [1], []]
        with self.assertRaisesRegex(cleave.InvalidArgument, 'form="adjacency"'):
            cleave.Graph(path)
        g = cleave.Graph(path, form="adjacency", edge_weights=[5, 5, 7, 7])
        self.assertEqual((g.vertices, g.edges, g.edge_weights.tolist()), (4, 2, [5, 5, 7, 7]))
        g = cleave.Graph(([1, 2], [2], []), form="adjacency", kind="dag")
        self.assertEqual((g.edges, g.kind), (3, "dag"))
        self.assertEqual(cleave.Graph([], form="adjacency").vertices, 0)
        self.assertEqual(cleave.Graph(([1], [0]), form="adjacency").edges, 1)

    def test_refused(self):
        for source, sentence in (
            ([[1], []], "symmetrise="),
            ([[1], [7]], "7"),
            ([[1], 0], "row 1"),
            ([["a"], [0]], "vertex 0"),
            ("grid.graph", "form"),
        ):
            with self.assertRaisesRegex((cleave.InvalidArgument, TypeError), sentence):
                cleave.Graph(source, form="adjacency")
        with self.assertRaisesRegex(cleave.InvalidArgument, "form"):
            cleave.Graph([(0, 1)], form="lists")


class Shapes(Scratch):
    def test_edges(self):
        g = cleave.Graph([(0, 1), (2, 1)])
        self.assertEqual((g.vertices, g.edges, g.kind), (3, 2, "undirected"))
        self.assertEqual(g.adj.tolist(), [1, 0, 2, 1])
        g = cleave.Graph(np.array([[0, 1], [1, 2]]), kind="dag", vertices=5)
        self.assertEqual((g.vertices, g.edges, g.kind), (5, 2, "dag"))
        self.assertEqual(g.predecessors()[1].tolist(), [0, 1])
        g = cleave.Graph([(0, 1, 5), (1, 2, 7)])
        self.assertEqual(g.edge_weights.tolist(), [5, 5, 7, 7])
        g = cleave.Graph([(0, 1), (1, 0), (1, 1)])
        self.assertEqual(g.edges, 1)

    def test_labels(self):
        g = cleave.Graph([("b", "a", 2), ("a", "c", 3)])
        self.assertEqual((g.labels, g.names), (["b", "a", "c"], ["b", "a", "c"]))
        self.assertEqual(g.edge_weights.tolist(), [2, 2, 3, 3])

    def test_nothing(self):
        for source in ([], (wide([0]), narrow([])), np.zeros((0, 2), int)):
            g = cleave.Graph(source)
            self.assertEqual((g.vertices, g.edges, len(g.adj), len(g.xadj)), (0, 0, 0, 1))
            self.assertEqual(len(cleave.partition(g, 1)), 0)
        one = cleave.Graph([], vertices=1)
        self.assertEqual(cleave.partition(one, 1).parts.tolist(), [0])
        self.assertEqual((one.names, one.coords, one.weight), (None, None, 1))

    def test_several_weights(self):
        weights = np.arange(12).reshape(4, 3)
        g = cleave.Graph([(0, 1), (2, 3)], vertex_weights=weights)
        np.testing.assert_array_equal(g.vertex_weights, weights)
        self.assertEqual(g.weight, 18)

    def test_algorithms(self):
        g = cleave.Graph([(0, 2), (2, 1), (3, 4)], kind="dag")
        self.assertEqual(g.topological_order().tolist(), [0, 2, 1, 3, 4])
        self.assertEqual(g.levels().tolist(), [0, 2, 1, 0, 1])
        self.assertEqual(g.levels("bottom").tolist(), [2, 0, 1, 1, 0])
        self.assertEqual(g.levels("alap").tolist(), [0, 2, 1, 1, 2])
        self.assertEqual(g.components().tolist(), [0, 0, 0, 1, 1])
        self.assertEqual(g.transpose().levels().tolist(), [2, 0, 1, 1, 0])
        self.assertEqual(g.subgraph([2, 1]).adj.tolist(), [1])
        path = cleave.Graph([(0, 1), (1, 2)])
        self.assertEqual(path.factor().edges, 2)
        self.assertEqual(path.factor([1, 0, 2]).edges, 3)

    def test_pickle(self):
        g = cleave.Graph(
            [("x", "y"), ("y", "z")],
            kind="dag",
            vertex_weights=[1, 2, 3],
            coords=np.arange(6.0).reshape(3, 2),
        )
        h = pickle.loads(pickle.dumps(g))
        self.assertEqual((h.labels, h.names, h.kind), (g.labels, g.names, "dag"))
        for name in ("xadj", "adj", "vertex_weights", "coords"):
            np.testing.assert_array_equal(getattr(g, name), getattr(h, name))

    def test_what_cannot_be_pickled_says_so(self):
        line = cleave.order(cleave.generate("grid2d:4x4"))
        for action in (pickle.dumps, copy.deepcopy):
            with self.assertRaisesRegex(TypeError, "the order is in the library"):
                action(line)
        self.assertEqual(len(copy.copy(line)), 16)

    def test_sources_with_their_own_attributes(self):
        """Data of a file or a Graph is not replaced, and no argument is ignored."""
        path = os.path.join(support.SOURCE, "examples", "data", "grid.graph")
        given = {
            "vertex_weights": np.ones(96, int),
            "vertex_sizes": np.ones(96, int),
            "coords": np.ones((96, 2)),
            "names": [str(v) for v in range(96)],
            "vertices": 96,
        }
        for name, value in given.items():
            with self.assertRaisesRegex(cleave.InvalidArgument, "there can be no " + name):
                cleave.Graph(path, **{name: value})
            with self.assertRaisesRegex(cleave.InvalidArgument, "a Graph never changes"):
                cleave.Graph(cleave.read(path), **{name: value})
        with self.assertRaisesRegex(cleave.InvalidArgument, "a Graph never changes"):
            cleave.Graph(cleave.read(path), edge_weights=np.ones(344, int))
        with self.assertRaisesRegex(cleave.InvalidArgument, "a file has its own edge weights"):
            cleave.Graph(path, edge_weights=np.ones(344, int))

    def test_pictures(self):
        g = cleave.generate("grid2d:4x3")
        halves, line = cleave.partition(g, 2), cleave.order(g)
        g.write(self.file("a.vtu"), parts=halves, place=line.places, encoding="ascii")
        text = pathlib.Path(self.file("a.vtu")).read_text()
        for values in (halves.parts, line.places):
            self.assertIn(" ".join(str(v) for v in values), " ".join(text.split()))
        g.write(self.file("cellDecomposition"), parts=halves)
        text = pathlib.Path(self.file("cellDecomposition")).read_text()
        self.assertIn("(\n" + "\n".join(str(v) for v in halves.parts) + "\n)", text)
        with self.assertRaisesRegex(cleave.InvalidArgument, 'encoding is "utf"'):
            g.write(self.file("a.vtu"), encoding="utf")
        with self.assertRaisesRegex(cleave.InvalidArgument, "place has 3 entries, not 12"):
            g.write(self.file("a.vtu"), place=[0, 1, 2])

    def test_files(self):
        source = os.path.join(support.SOURCE, "examples", "data", "grid.graph")
        for path in (source, pathlib.Path(source)):
            self.assertEqual(cleave.read(path).edges, 172)
            self.assertEqual(cleave.Graph(path).vertices, 96)
        g = cleave.read(source)
        self.assertEqual(g.source()["format"], "metis")
        for name in ("a.graph", "a.mtx", "a.edges", "a.clv", "a.grf", "a.dot"):
            g.write(self.file(name))
            h = cleave.read(self.file(name))
            np.testing.assert_array_equal(h.adj, g.adj, name)
        g.write(self.file("colours.dot"), parts=cleave.partition(g, 4))
        self.assertIn("color", open(self.file("colours.dot")).read())
        placed = cleave.generate("grid2d:4x3")
        placed.write_coords(self.file("a.xyz"))
        again = cleave.Graph([(0, 11)], coords=placed.coords)
        np.testing.assert_array_equal(again.coords, placed.coords)

    def test_repair_and_condense(self):
        broken = self.file("broken.graph", "3 1\n2\n1 3\n2 3\n")
        with self.assertRaises(cleave.ParseError):
            cleave.read(broken)
        g = cleave.read(broken, repair=True)
        self.assertEqual((g.edges, g.repairs["self_loops"], g.repairs["counts"]), (2, 1, 1))
        loop = self.file("loop.dot", "digraph { a -> b -> a; b -> c }")
        with self.assertRaises(cleave.CycleError):
            cleave.read(loop)
        g = cleave.read(loop, condense=True)
        self.assertEqual((g.vertices, g.condensed.tolist()), (2, [0, 0, 1]))

    def test_lists(self):
        self.assertIn("grid2d", cleave.generators())
        self.assertTrue(cleave.formats()["metis"][1])
        self.assertFalse(cleave.formats()["psdd"][1])
        self.assertIn("hypercube:10", cleave.targets())
        self.assertIn("threads", cleave.features())
        facts = cleave.info(cleave.generate("grid2d:4x3"))
        self.assertEqual((facts["vertices"], facts["degree_max"], facts["components"]), (12, 4, 1))
        self.assertEqual(cleave.info(cleave.Target("mesh:4x2"))["pes"], 8)


@needs("scipy")
class Scipy(unittest.TestCase):
    def test_diagonal_is_left_out(self):
        import scipy.sparse

        xadj, adj = rows_of(grid(5, 4))
        for form in ("csr", "csc", "coo", "lil", "dok", "bsr", "dia"):
            a = scipy.sparse.csr_matrix(grid(5, 4, diagonal=True)).asformat(form)
            before = a.copy()
            g = cleave.Graph(a)
            self.assertEqual((g.xadj.tolist(), g.adj.tolist()), (xadj, adj), form)
            self.assertEqual((a != before).nnz, 0)

    def test_duplicates_are_summed(self):
        import scipy.sparse

        indptr, indices = [0, 2, 3], [1, 1, 0]
        twice = scipy.sparse.csr_matrix((narrow([1, 2, 3]), indices, indptr), shape=(2, 2))
        g = cleave.Graph(twice, edge_weights="values")
        self.assertEqual(g.edge_weights.tolist(), [3, 3])
        self.assertEqual(twice.nnz, 3)  # the caller's matrix is as it was

    def test_symmetrise(self):
        import scipy.sparse

        a = scipy.sparse.csr_matrix(narrow([[0, 5, 0], [2, 0, 7], [0, 0, 0]]))
        for attempt in (cleave.Graph, lambda a: cleave.partition(a, 2)):
            with self.assertRaisesRegex(cleave.InvalidArgument, 'neighbour.*symmetrise="sum"'):
                attempt(a)
        both = scipy.sparse.csr_matrix(narrow([[0, 5], [2, 0]]))
        with self.assertRaisesRegex(cleave.InvalidArgument, 'weight 2.*symmetrise="sum"'):
            cleave.Graph(both, edge_weights="values")
        for how, weights in (("sum", [7, 7, 7, 7]), ("max", [5, 5, 7, 7])):
            g = cleave.Graph(a, edge_weights="values", symmetrise=how)
            self.assertEqual(g.edge_weights.tolist(), weights)
        self.assertEqual(cleave.Graph(a, symmetrise="max").adj.tolist(), [1, 0, 2, 1])
        equal = scipy.sparse.csr_matrix(narrow([[0, 5, 0], [5, 0, 7], [0, 0, 0]]))
        for how, weights in (("sum", [10, 10, 7, 7]), ("max", [5, 5, 7, 7])):
            g = cleave.Graph(equal, edge_weights="values", symmetrise=how)
            self.assertEqual(g.edge_weights.tolist(), weights)

    def test_weight_of_a_pair(self):
        """It depends only on the edges between its two vertices."""
        edges = [(0, 1, 5), (1, 0, 5), (1, 2, 7)]
        for more in ([], [(2, 1, 7)]):
            self.assertEqual(cleave.Graph(edges + more).edge_weights.tolist(), [5, 5, 7, 7])
        for how, weight in (("sum", 11), ("max", 6)):
            g = cleave.Graph([(0, 1, 5), (1, 0, 6)], symmetrise=how)
            self.assertEqual(g.edge_weights.tolist(), [weight, weight])
        mended = cleave.Graph([(0, 1, 5), (1, 0, 6)], repair=True)
        self.assertEqual(mended.edge_weights.tolist(), [6, 6])
        sentence = "edge b - a has weight 6 this way and 5 the other way"
        with self.assertRaisesRegex(cleave.InvalidArgument, sentence):
            cleave.Graph([("a", "b", 5), ("b", "a", 6)])

    def test_directions(self):
        import scipy.sparse

        lower = scipy.sparse.csr_matrix(narrow([[1, 0, 0], [1, 1, 0], [0, 1, 1]]))
        for matrix in (lower, lower.tocsc(), lower + lower.T):
            g = cleave.Graph(matrix, kind="lower")
            self.assertEqual((g.kind, g.adj.tolist()), ("dag", [1, 2]))
            g = cleave.Graph(matrix.T, kind="upper")
            self.assertEqual(g.adj.tolist(), [0, 1])
        g = cleave.Graph(lower.T.tocsr(), kind="dag")  # arc from row to column
        self.assertEqual(g.adj.tolist(), [1, 2])
        g = cleave.Graph(lower.T.tocsc(), kind="dag")
        self.assertEqual(g.adj.tolist(), [1, 2])

    def test_back(self):
        g = cleave.generate("rgg:300:8")
        h = cleave.Graph(g.to_scipy())
        np.testing.assert_array_equal(g.adj, h.adj)
        np.testing.assert_array_equal(g.xadj, h.xadj)


@needs("networkx")
class Networkx(unittest.TestCase):
    def test_labels_and_weights(self):
        import networkx

        g = networkx.Graph()
        g.add_edge("a", "b", weight=3)
        g.add_edge("b", (1, 2))
        g.add_node("lonely", weight=3)
        ours = cleave.Graph(g)
        self.assertEqual(ours.labels, list(g.nodes))
        self.assertEqual(ours.edge_weights.tolist(), [3, 3, 1, 1])
        self.assertEqual(ours.vertex_weights.tolist(), [1, 1, 1, 3])
        parts = cleave.partition(g, 2).by_label()
        self.assertEqual(set(parts), set(g.nodes))
        self.assertEqual(parts["a"], parts["b"])
        self.assertNotEqual(parts["a"], parts["lonely"])
        line = cleave.order(g).by_label()
        self.assertEqual(sorted(line.values()), [0, 1, 2, 3])
        self.assertEqual(set(line), set(g.nodes))
        self.assertEqual(cleave.evaluate(g, parts).cut, cleave.partition(g, 2).cut)
        self.assertIsNone(cleave.Graph(g, edge_weights=None).edge_weights)
        self.assertIsNone(cleave.Graph(g, vertex_weights=None).vertex_weights)

    def test_other_attributes(self):
        import networkx

        g = networkx.path_graph(3)
        networkx.set_edge_attributes(g, {(0, 1): 4, (1, 2): 6}, "bytes")
        networkx.set_node_attributes(g, {0: 1, 1: 2, 2: 3}, "work")
        ours = cleave.Graph(g, edge_weights="bytes", vertex_weights="work")
        self.assertEqual(ours.edge_weights.tolist(), [4, 4, 6, 6])
        self.assertEqual(ours.vertex_weights.tolist(), [1, 2, 3])
        with self.assertRaisesRegex(cleave.InvalidArgument, "no edge has an attribute"):
            cleave.Graph(g, edge_weights="nothing")
        g.edges[1, 2]["bytes"] = 0.5
        with self.assertRaisesRegex(cleave.InvalidArgument, r"edge \(1, 2\) has bytes 0.5"):
            cleave.Graph(g, edge_weights="bytes")

    def test_directed_and_multi(self):
        import networkx

        g = networkx.DiGraph([("c", "d"), ("d", "m")])
        self.assertEqual(cleave.Graph(g).kind, "dag")
        self.assertEqual(cleave.Graph(g, kind="undirected").edges, 2)
        g.add_edge("m", "c")
        with self.assertRaisesRegex(cleave.CycleError, "c -> d -> m -> c"):
            cleave.Graph(g)
        arcs = networkx.DiGraph()
        arcs.add_weighted_edges_from([("c", "d", 5), ("d", "c", 5), ("d", "m", 7)])
        both = cleave.Graph(arcs, kind="undirected")
        self.assertEqual(both.edge_weights.tolist(), [5, 5, 7, 7])
        arcs["d"]["c"]["weight"] = 6
        with self.assertRaisesRegex(cleave.InvalidArgument, "edge d - c has weight 6"):
            cleave.Graph(arcs, kind="undirected")
        both = cleave.Graph(arcs, kind="undirected", symmetrise="sum")
        self.assertEqual(both.edge_weights.tolist(), [11, 11, 7, 7])
        multi = networkx.MultiGraph([(0, 1), (0, 1), (1, 1)])
        self.assertEqual(cleave.Graph(multi).edges, 1)
        multi.edges[0, 1, 0]["weight"] = 4
        self.assertEqual(cleave.Graph(multi).edge_weights.tolist(), [5, 5])

    def test_cut_is_networkx_own(self):
        import networkx

        g = networkx.random_geometric_graph(200, 0.15, seed=3)
        for u, v in g.edges:
            g.edges[u, v]["weight"] = 1 + (u * v) % 7
        halves = cleave.partition(g, 2)
        sides = halves.members()
        self.assertEqual(halves.cut, networkx.cut_size(g, sides[0], weight="weight"))
        back = cleave.Graph(g).to_networkx()
        self.assertEqual(dict(back.adj), {u: dict(n) for u, n in g.adj.items()})
