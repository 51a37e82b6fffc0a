# SPDX-License-Identifier: Apache-2.0
"""partition, map, order, split, remap and evaluate, compared with the program and with slow loops."""
import pickle
import unittest
import warnings

import numpy as np
from support import Scratch, cli, grid, needs_program, rows_of, shared, slow_cut

import cleave


def parts_of(path):
    return np.loadtxt(path, dtype=int)


class AsTheProgram(Scratch):
    """Same seed, same parts, same figures."""

    def setUp(self):
        super().setUp()
        self.graph = cleave.generate("rgg:3000:10", seed=5)
        self.path = self.file("rgg.clv")
        self.graph.write(self.path)
        self.out = self.file("out.part")

    def check_figures(self, said, mapping):
        for key in ("cut", "volume", "imbalance", "empty_parts", "balanced", "cost"):
            if key in said and said[key] is not None and key in mapping.metrics:
                value = mapping.metrics[key]
                if isinstance(value, float):
                    self.assertAlmostEqual(said[key], value, 5, key)
                elif value is not None:
                    self.assertEqual(said[key], value, key)

    @needs_program
    def test_partition(self):
        for k, effort, seed in ((2, "fast", 1), (7, "default", 3), (4, "quality", 2)):
            said = cli(
                "partition", self.path, "-k", k, "--effort", effort, "--seed", seed,
                "-o", self.out, "--json",
            )  # fmt: skip
            ours = cleave.partition(self.graph, k, effort=effort, seed=seed)
            np.testing.assert_array_equal(ours.parts, parts_of(self.out))
            self.check_figures(said, ours)
            self.assertIn("cut", said)
            judged = cleave.evaluate(self.graph, ours)
            for key in ("cut", "volume", "max_volume", "pieces", "setups", "empty_parts"):
                self.assertEqual(said[key], getattr(judged, key), key)

    @needs_program
    def test_four_elements(self):
        path = shared("walshaw/4elt.graph")
        cli("partition", path, "-k", 8, "-o", self.out)
        np.testing.assert_array_equal(cleave.partition(path, 8).parts, parts_of(self.out))

    @needs_program
    def test_map(self):
        for target in ("torus:4x4", "tree:4:2@1:10", "mesh:4x2[0,4,5,1,7]", "3,2,2,1"):
            said = cli("map", self.path, "-t", target, "-o", self.out, "--json")
            ours = cleave.map(self.graph, target)
            np.testing.assert_array_equal(ours.parts, parts_of(self.out), target)
            self.check_figures(said, ours)
            judged = cleave.evaluate(self.graph, ours, target)
            self.assertEqual(judged.target.cost, said["cost"])
            self.assertEqual(judged.as_dict()["cost"], said["cost"])

    @needs_program
    def test_dag(self):
        dag = cleave.generate("stencil:8x8:20")
        dag.write(self.file("dag.clv"))
        said = cli("partition", self.file("dag.clv"), "-k", 4, "-o", self.out, "--json")
        ours = cleave.partition(dag, 4)
        np.testing.assert_array_equal(ours.parts, parts_of(self.out))
        self.assertTrue(ours.acyclic)
        self.assertEqual(said["critical_path"], ours.critical_path)
        order = ours.part_order(dag).tolist()
        tail = np.repeat(np.arange(len(dag)), np.diff(dag.xadj))
        rank = np.argsort(order)
        self.assertTrue((rank[ours.parts[tail]] <= rank[ours.parts[dag.adj]]).all())
        self.assertEqual(ours.quotient(dag).vertices, 4)
        sums, narrow = ours.quotient_sums(dag), ours.quotient(dag)
        self.assertEqual(sums.weights.tolist(), narrow.vertex_weights.tolist())
        self.assertEqual(sums.cut.tolist(), narrow.edge_weights.tolist())
        self.assertEqual(sums.adj.tolist(), narrow.adj.tolist())
        self.assertIsNone(cleave.find_cycle(dag, ours))

    def test_sums_of_64_bits(self):
        heavy = cleave.Graph(
            [(0, 1, 2**31 - 1), (2, 3, 2**31 - 1)], vertex_weights=[2**31 - 1] * 4
        )
        halves = cleave.Mapping([0, 1, 0, 1])
        with self.assertRaises(cleave.RangeError):
            halves.quotient(heavy)
        sums = halves.quotient_sums(heavy)
        self.assertEqual(sums.weights.tolist(), [2**32 - 2] * 2)
        self.assertEqual(sums.cut.tolist(), [2**32 - 2] * 2)
        self.assertEqual(sums.xadj.tolist(), [0, 1, 2])

    def test_imbalance_of_others(self):
        """METIS uses a factor, KaHIP a percentage."""
        grid = cleave.generate("grid2d:6x6")
        order = cleave.order(grid)
        parts = cleave.partition(grid, 2)
        actions = (
            lambda x: cleave.partition(grid, 2, imbalance=x),
            lambda x: cleave.map(grid, "mesh:2", imbalance=x),
            lambda x: cleave.partition(grid, 2, imbalance=[x, x]),
            lambda x: cleave.remap(grid, parts, "1,1", imbalance=x),
            lambda x: cleave.split(order, 2, imbalance=x),
            lambda x: cleave.separator(grid, imbalance=x),
            lambda x: cleave.evaluate(grid, parts, imbalance=x),
        )
        for action in actions:
            for bound, factor, meant in ((1.03, 2.03, 0.03), (3, 4, 0.03), (1, 2, 0.01)):
                sentence = f"imbalance {bound} allows parts of {factor} times .* mean {meant}.$"
                with self.assertWarnsRegex(UserWarning, sentence):
                    action(bound)
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                action(0.99)

    @needs_program
    def test_order_and_split(self):
        line = self.file("line.clo")
        for method in ("multilevel", "hci", "rcbi"):
            cli("order", self.path, "--method", method, "-o", line)
            ours = cleave.order(self.graph, method=method)
            theirs = cleave.Order.read(line)
            np.testing.assert_array_equal(ours.vertices, theirs.vertices)
            self.assertEqual(ours.method, theirs.method)
            theirs.check(self.graph)
            cli("split", line, "-t", "3,2,2,1", "-o", self.out)
            cut = ours.split("3,2,2,1")
            np.testing.assert_array_equal(cut.parts, parts_of(self.out))
            for p in range(4):
                mine = ours.vertices[cut.begin[p] : cut.end[p]]
                self.assertTrue((cut.parts[mine] == p).all())
            cli("split", line, "-t", "3,2,2,1", "--refine", self.path, "-o", self.out)
            refined = cleave.split(ours, "3,2,2,1", refine=self.graph)
            np.testing.assert_array_equal(refined.parts, parts_of(self.out))

    @needs_program
    def test_elimination(self):
        line = self.file("nd.order")
        cli("order", self.path, "--method", "nd", "-o", line)
        said = cli("evaluate", self.path, "--order", line, "--json")
        judged = cleave.evaluate(self.graph, cleave.order(self.graph, method="nd"))
        self.assertEqual((said["fill"], said["operations"]), (judged.fill, judged.operations))

    @needs_program
    def test_remap(self):
        old = cleave.map(self.graph, "mesh:4x2[0,4,5,1,7]")
        old.write(self.file("old.part"))
        said = cli(
            "remap", self.path, self.file("old.part"), "--from", "mesh:4x2[0,4,5,1,7]",
            "-t", "mesh:4x2[0,4,5,7]", "--migration-price", 10, "-o", self.out, "--json",
        )  # fmt: skip
        ours = cleave.remap(
            self.graph,
            old,
            "mesh:4x2[0,4,5,7]",
            from_target="mesh:4x2[0,4,5,1,7]",
            migration_price=10,
        )
        np.testing.assert_array_equal(ours.parts, parts_of(self.out))
        for key in ("migration", "migration_bound", "cut_before", "strategy", "cut"):
            self.assertEqual(said[key], getattr(ours, key), key)

    @needs_program
    def test_separator(self):
        cli("partition", self.path, "--separator", "-o", self.out)
        ours = cleave.separator(self.graph)
        np.testing.assert_array_equal(ours.parts, parts_of(self.out))


class Oracle(unittest.TestCase):
    def setUp(self):
        self.dense = grid(9, 7)
        self.rows = rows_of(self.dense)

    def test_cut(self):
        for k in (1, 2, 3, 5, 63):
            ours = cleave.partition(self.rows, k)
            self.assertEqual(ours.cut, slow_cut(self.dense, ours.parts), k)
            self.assertEqual(len(np.unique(ours.parts)), k)
            weights = np.bincount(ours.parts, minlength=k)
            np.testing.assert_array_equal(cleave.evaluate_parts(self.rows, ours).weight, weights)
            self.assertLessEqual(weights.max(), int(1.03 * -(-63 // k)))

    def test_cost(self):
        target = cleave.Target("mesh:3x2")
        ours = cleave.map(self.rows, target)
        far = target.distances()
        cost = sum(
            far[ours[u], ours[v]] for u in range(63) for v in range(u) if self.dense[u, v]
        )
        self.assertEqual(ours.cost, cost)

    def test_constraints(self):
        fixed = np.full(63, -1)
        fixed[0], fixed[1] = 2, 0
        groups = np.full(63, -1)
        groups[[5, 60]] = 4
        ours = cleave.partition(self.rows, 3, fixed=fixed, groups=groups, imbalance=0.2)
        self.assertEqual((ours[0], ours[1]), (2, 0))
        self.assertEqual(ours[5], ours[60])
        ours = cleave.partition(self.rows, 2, shares=[1, 2], imbalance=0)
        self.assertEqual(np.bincount(ours).tolist(), [21, 42])
        ours = cleave.partition(self.rows, 2, min_weights=[40, -1], max_weights=[45, 30])
        self.assertTrue(40 <= np.bincount(ours)[0] <= 45)
        ours = cleave.partition(self.rows, 3, imbalance=[0, 0.1, 0.1])
        self.assertLessEqual(np.bincount(ours)[0], 21)
        ours = cleave.partition(self.rows, 4, connected=True)
        self.assertEqual(cleave.evaluate(self.rows, ours).pieces, 4)
        start = (np.arange(63) % 2).tolist()
        better = cleave.partition(self.rows, 2, start=start)
        self.assertLess(better.cut, slow_cut(self.dense, start))

    def test_threads_do_not_matter(self):
        graph = cleave.generate("rgg:5000:10")
        one = cleave.partition(graph, 5, threads=1)
        for threads in (2, 3):
            self.assertEqual(one, cleave.partition(graph, 5, threads=threads))

    def test_time_limit(self):
        graph = cleave.generate("rgg:20000:12")
        ours = cleave.partition(graph, 16, effort="best", time_limit=0.3)
        self.assertTrue(ours.timed_out)
        self.assertTrue(ours.balanced)
        self.assertLess(ours.seconds, 30)

    def test_one_to_one(self):
        ours = cleave.map([(0, 1), (2, 3)], "mesh:4x2", one_to_one=True)
        self.assertEqual(len(set(ours.parts.tolist())), 4)

    def test_evaluate_by_label(self):
        g = cleave.Graph([("a", "b"), ("b", "c")])
        self.assertEqual(cleave.evaluate(g, {"a": 0, "b": 0, "c": 1}).cut, 1)
        with self.assertRaisesRegex(cleave.InvalidArgument, "no part for 'c'"):
            cleave.evaluate(g, {"a": 0, "b": 0})


class Objects(Scratch):
    def test_mapping(self):
        m = cleave.Mapping([0, 1, 1, 0], 3)
        self.assertEqual((len(m), m.nparts, m[1], m.metrics), (4, 3, 1, {}))
        self.assertEqual(np.asarray(m).tolist(), [0, 1, 1, 0])
        self.assertEqual([part.tolist() for part in m.members()], [[0, 3], [1, 2], []])
        self.assertEqual(m.by_label(), {0: 0, 1: 1, 2: 1, 3: 0})
        with self.assertRaises(ValueError):
            m.parts[0] = 1
        with self.assertRaisesRegex(AttributeError, "evaluate"):
            m.cut
        m.write(self.file("m.part"))
        self.assertEqual(cleave.read_parts(self.file("m.part"), nparts=3), m)
        m.write(self.file("m.map"))
        g = cleave.Graph([(0, 1)], vertices=4)
        self.assertEqual(cleave.read_parts(self.file("m.map"), g, nparts=3), m)
        with self.assertRaises(TypeError):
            hash(m)

    def test_figures_before_and_after_the_report(self):
        """A single figure equals that of the whole report; unknown figures are rejected in both cases."""
        once, again = (cleave.partition(cleave.generate("grid2d:6x6"), 4) for _ in range(2))
        whole = once.report
        for name in ("cut", "volume", "balanced", "acyclic", "cost", "levels"):
            alone, figure = getattr(again, name), getattr(whole, name)
            self.assertEqual((alone, type(alone)), (figure, type(figure)), name)
            self.assertEqual(getattr(once, name), figure, name)
        for mapping in (once, again):
            with self.assertRaisesRegex(AttributeError, "has no 'migration'"):
                mapping.migration

    def test_pickle(self):
        m = cleave.map([("a", "b"), ("b", "c")], "mesh:2", imbalance=0.5)
        again = pickle.loads(pickle.dumps(m))
        self.assertEqual(m, again)
        self.assertEqual((again.cut, again.labels, again.target.shape), (m.cut, m.labels, "mesh"))

    def test_launch(self):
        m = cleave.map([(0, 1), (2, 3)], "tree:2:2@1:10", one_to_one=True)
        m.write_launch(self.file("ranks"), "rankfile", hosts="n[1-2]")
        lines = open(self.file("ranks")).read().splitlines()
        self.assertEqual(len(lines), 4)
        self.assertRegex(lines[0], r"^rank 0=n[12] slot=[01]$")
        with self.assertRaisesRegex(cleave.InvalidArgument, "no target"):
            cleave.Mapping([0, 1]).write_launch(self.file("ranks"), "rankfile")

    def test_target(self):
        t = cleave.Target("tree:4:2@1:10")
        self.assertEqual((len(t), t.levels, t.shape, t.level(0, 4)), (8, 2, "tree", 2))
        self.assertEqual(t.distance(0, 7), 10)
        self.assertEqual(pickle.loads(pickle.dumps(t)).pes, 8)
        self.assertEqual(pickle.loads(pickle.dumps(cleave.Target([3, 1]))).speeds.tolist(), [3, 1])
        self.assertIs(cleave.Target(t)._handle, t._handle)
        t.write(self.file("t.tgt"))
        again = cleave.Target("scotch:" + self.file("t.tgt"))
        np.testing.assert_array_equal(again.distances(), t.distances())
        for p, q in ((0, 8), (-1, 0), (2**32, 0)):
            with self.assertRaises(IndexError):
                t.distance(p, q)

    def test_order(self):
        line = cleave.Order([2, 0, 1], weights=[5, 1, 1])
        self.assertEqual((line.method, line.places.tolist()), ("given", [1, 2, 0]))
        self.assertEqual(line.weight_before.tolist(), [0, 1, 6, 7])
        self.assertIsNone(line.average_crossing)
        line.write(self.file("line.txt"))
        graph = cleave.Graph([(0, 1), (1, 2)], vertex_weights=[5, 1, 1])
        again = cleave.Order.read(self.file("line.txt"), graph)
        self.assertEqual(np.asarray(again).tolist(), [2, 0, 1])
        self.assertEqual(again.weight_before.tolist(), [0, 1, 6, 7])
        with self.assertRaises(cleave.BalanceError) as caught:
            cleave.split(line, 3)
        self.assertEqual(len(caught.exception.result), 3)
