# SPDX-License-Identifier: Apache-2.0
"""Schedules, triangular solves, factors and circuits, compared with the program, scipy and loops."""
import itertools
import os
import threading
import unittest

import numpy as np
import support
from support import Scratch, cli, needs, needs_program, shared

import cleave


def triangle(n, seed, upper=False, dtype=float):
    """A sparse triangle with a dominant diagonal."""
    import scipy.sparse

    random = np.random.default_rng(seed)
    dense = random.uniform(-1, 1, (n, n)) * (random.uniform(size=(n, n)) < 0.1)
    dense = np.triu(dense, 1) if upper else np.tril(dense, -1)
    dense += np.diag(random.uniform(4, 5, n))
    return scipy.sparse.csr_matrix(dense.astype(dtype))


class Schedules(Scratch):
    @needs_program
    def test_as_the_program(self):
        graph = cleave.generate("grid2d:60x60")
        graph.write(self.file("g.graph"))
        out = self.file("out.schedule")
        dag = cleave.read(self.file("g.graph"), kind="lower")
        weights = (np.diff(dag.predecessors()[0]) + 1).astype(np.int32)
        dag = cleave.Graph((dag.xadj, dag.adj), kind="dag", vertex_weights=weights)
        for method in (None, "grow", "levels", "graphopt"):
            extra = () if method is None else ("--method", method)
            said = cli("schedule", self.file("g.graph"), "--as", "lower", "-p", 3, *extra,
                       "-o", out, "--json")  # fmt: skip
            ours, theirs = cleave.schedule(dag, 3, method=method), cleave.Schedule.read(out)
            for name in ("layer", "thread", "order", "blocks"):
                np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name), name)
            judged = cleave.evaluate(dag, ours)
            for key in ("levels", "layers", "work_max", "work_total", "crossing_edges"):
                self.assertEqual(said[key], getattr(judged, key), key)
            theirs.check(dag)
            self.assertEqual(ours.work(dag).sum(), judged.work_total)

    @needs("scipy")
    def test_matrix(self):
        import scipy.sparse

        lower = triangle(300, 1)
        ours = cleave.schedule(lower, 2)
        ours.check(lower)
        self.assertEqual(cleave.evaluate(lower, ours).work_total, lower.nnz)
        both = (lower + lower.T).tocsc()
        np.testing.assert_array_equal(cleave.schedule(both, 2, kind="lower").layer, ours.layer)
        upper = cleave.schedule(scipy.sparse.csr_matrix(lower.T), 2, kind="upper")
        self.assertEqual(upper.tasks, 300)

    def test_promise(self):
        dag = cleave.generate("layered:2000:20:3")
        ours = cleave.schedule(dag, 2)
        tail = np.repeat(np.arange(len(dag)), np.diff(dag.xadj))
        before, after = ours.layer[tail], ours.layer[dag.adj]
        same = ours.thread[tail] == ours.thread[dag.adj]
        self.assertTrue(((before < after) | ((before == after) & same)).all())

    def test_given(self):
        ours = cleave.Schedule([0, 0, 1], [0, 1, 0])
        ours.check(cleave.Graph([(0, 2), (1, 2)], kind="dag"))
        with self.assertRaises(cleave.InvalidArgument):
            ours.check(cleave.Graph([(2, 0)], kind="dag"))
        ours.write(self.file("a.schedule"))
        self.assertEqual(cleave.Schedule.read(self.file("a.schedule")).layer.tolist(), [0, 0, 1])
        self.assertEqual(ours.by_label()[2], (1, 0))

    def test_split_rows(self):
        star = cleave.Graph([(v, 4000) for v in range(4000)], kind="dag",
                            vertex_weights=[1] * 4000 + [4001])  # fmt: skip
        ours = cleave.schedule(star, 2, split_rows=True, costs={"sync": 10})
        self.assertGreater(ours.tasks, ours.rows)
        self.assertEqual(ours.row[-1], 4000)
        self.assertEqual(ours.share.sum(), 4000)

    def test_solver(self):
        dag = cleave.generate("layered:200:10:3")
        asked = []

        def helpless(model, data, count):
            asked.append((model, data, count))

        own = cleave.schedule(dag, 2, method="graphopt")
        ours = cleave.schedule(dag, 2, method="graphopt", solver=helpless)
        ours.check(dag)
        self.assertTrue(asked and "solve" in asked[0][0])
        np.testing.assert_array_equal(own.layer, ours.layer)

        def broken(model, data, count):
            raise KeyError("mine")

        with self.assertRaisesRegex(KeyError, "mine"):
            cleave.schedule(dag, 2, method="graphopt", solver=broken)

    def test_costs(self):
        costs = cleave.Costs(480, 1.5)
        costs.save(self.file("costs"))
        self.assertEqual(cleave.Costs.load(self.file("costs")), costs)
        self.assertGreater(cleave.Costs.measure(2).sync, 0)


@needs("scipy")
class Solves(unittest.TestCase):
    def test_as_scipy(self):
        from scipy.sparse.linalg import spsolve_triangular

        for upper, form, unit in itertools.product((False, True), ("csr", "csc"), (False, True)):
            a = triangle(200, 3, upper).asformat(form)
            b = np.random.default_rng(1).uniform(-1, 1, (200, 5))
            plan = cleave.Trsv(a, lower=not upper, unit_diagonal=unit, threads=2, method="grow")
            for right in (b[:, 0], b, np.asfortranarray(b)):
                want = spsolve_triangular(a.tocsr(), right, lower=not upper, unit_diagonal=unit)
                np.testing.assert_allclose(plan.solve(right), want, rtol=1e-9)
                back = spsolve_triangular(
                    a.T.tocsr(), right, lower=upper, unit_diagonal=unit
                )
                np.testing.assert_allclose(plan.solve(right, "T"), back, rtol=1e-9)
                np.testing.assert_allclose(plan.solve(right, trans="H"), back, rtol=1e-9)
            direct = cleave.Trsv(a, lower=not upper, unit_diagonal=unit, transpose=True)
            np.testing.assert_array_equal(direct.solve(b), plan.solve(b, "T"))

    def test_bits_of_plain_substitution(self):
        a = triangle(150, 5)
        b = np.random.default_rng(2).uniform(-1, 1, 150)
        x = np.zeros(150)
        for i in range(150):
            total = b[i]
            for k in range(a.indptr[i], a.indptr[i + 1]):
                if a.indices[k] < i:
                    total -= a.data[k] * x[a.indices[k]]
            x[i] = total / a[i, i]
        for method, threads in ((None, 0), ("levels", 2), ("serial", 1), ("graphopt", 2)):
            plan = cleave.Trsv(a, method=method, threads=threads)
            np.testing.assert_array_equal(plan.solve(b), x)

    def test_no_copies(self):
        plan = cleave.Trsv(triangle(50, 1))
        b = np.ones(50)
        out = np.empty(50)
        self.assertIs(plan.solve(b, out=out), out)
        self.assertTrue((b == 1).all())
        self.assertIs(plan.solve(b, out=b), b)
        np.testing.assert_array_equal(b, out)
        many = np.ones((50, 3), order="F")
        self.assertIs(plan.solve(many, out=many), many)
        np.testing.assert_array_equal(many[:, 2], out)
        ordered = np.ones(50)
        plan.solve_ordered(ordered)
        self.assertEqual(sorted(plan.order), list(range(50)))
        np.testing.assert_array_equal(ordered, out[plan.order])

    def test_shapes(self):
        plan = cleave.Trsv(triangle(9, 1))
        want = plan.solve(np.ones(9))
        np.testing.assert_array_equal(plan.solve([1] * 9), want)
        np.testing.assert_array_equal(plan.solve(np.ones(18)[::2]), want)
        self.assertEqual(plan.solve(np.ones((9, 0))).shape, (9, 0))
        self.assertEqual(plan.solve(np.ones((9, 1))).shape, (9, 1))
        import scipy.sparse

        self.assertEqual(cleave.Trsv(scipy.sparse.csr_matrix((0, 0))).solve([]).shape, (0,))

    def test_single_precision(self):
        a = triangle(80, 2, dtype=np.float32)
        plan = cleave.Trsv(a)
        b = np.ones((80, 2), np.float32)
        x = plan.solve(b)
        self.assertEqual((plan.dtype, x.dtype), (np.float32, np.float32))
        np.testing.assert_allclose(a @ x, b, rtol=1e-4)
        self.assertEqual(plan.solve(np.ones(80)).dtype, np.float32)
        plan.update_values(2 * a.data)
        np.testing.assert_array_equal(plan.solve(b), x / 2)

    def test_update_values(self):
        a, b = triangle(100, 7), np.ones(100)
        plan = cleave.Trsv(a)
        first, turned = plan.solve(b), plan.solve(b, "T")
        plan.update_values(2 * a.data)
        np.testing.assert_array_equal(plan.solve(b), first / 2)
        np.testing.assert_array_equal(plan.solve(b, "T"), turned / 2)
        plan.update_values(a)
        np.testing.assert_array_equal(plan.solve(b), first)
        other = cleave.Trsv(a)
        other.update_values(2 * a.data)  # before anybody asked for the transpose
        np.testing.assert_array_equal(other.solve(b, "T"), turned / 2)
        self.assertTrue((a.data == triangle(100, 7).data).all())
        with self.assertRaisesRegex(cleave.InvalidArgument, "another pattern"):
            plan.update_values(triangle(100, 8))
        bad = a.data.copy()
        bad[3] = np.nan
        with self.assertRaises(cleave.InvalidArgument):
            plan.update_values(bad)
        np.testing.assert_array_equal(plan.solve(b), first)  # still the old ones

    def test_the_matrix_may_change(self):
        a, b = triangle(60, 4), np.ones(60)
        plan, want = cleave.Trsv(a), cleave.Trsv(a).solve(b, "T")
        a.data[:] = 7
        a.indices[:] = 0
        np.testing.assert_array_equal(plan.solve(b, "T"), want)

    def test_factors(self):
        import scipy.sparse
        from scipy.sparse.linalg import aslinearoperator, cg, LinearOperator

        n = 20
        grid = support.grid(n, n, diagonal=True) * 1.0
        a = scipy.sparse.csr_matrix(np.where(np.eye(n * n), grid, -grid))
        factor = cleave.ic0(a)
        product = (factor @ factor.T).toarray()
        stored = a.toarray() != 0
        np.testing.assert_allclose(product[stored], a.toarray()[stored])
        lower = cleave.Trsv(factor)
        b = np.ones(n * n)
        plain, preconditioned = [], []
        cg(a, b, callback=lambda _: plain.append(1))
        inverse = LinearOperator(a.shape, lambda r: lower.solve(lower.solve(r), "T"), dtype=float)
        x, status = cg(a, b, M=inverse, callback=lambda _: preconditioned.append(1))
        self.assertEqual(status, 0)
        self.assertLess(len(preconditioned), len(plain))
        np.testing.assert_allclose(aslinearoperator(lower).matvec(b), lower.solve(b))
        np.testing.assert_allclose(aslinearoperator(lower).rmatvec(b), lower.solve(b, "T"))
        both = cleave.ilu0(a)
        one = cleave.Trsv(both, unit_diagonal=True, part=True, pair=True)
        two = cleave.Trsv(both, lower=False, part=True, like=one)
        self.assertIn(two.reused, (True, False))
        dense = both.toarray()
        np.testing.assert_allclose(
            two.solve(one.solve(b)),
            np.linalg.solve(np.triu(dense), np.linalg.solve(np.tril(dense, -1) + np.eye(n * n), b)),
        )
        exact, p = cleave.cholesky(a)
        np.testing.assert_allclose((exact @ exact.T).toarray(), a.toarray()[p][:, p], atol=1e-12)
        with self.assertRaises(cleave.InvalidArgument):
            cleave.ic0(-a)
        self.assertEqual(cleave.random_factor(cleave.Graph(a), "mindeg").shape, a.shape)

    def test_matrix_files(self):
        import tempfile

        a = triangle(30, 1)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.mtx.gz")
            cleave.write_matrix(a, path)
            self.assertEqual((cleave.read_matrix(path) != a).nnz, 0)

    def test_shared_team_outlives_its_plans(self):
        team = cleave.Team(2)
        plans = [cleave.Trsv(triangle(100, seed), team=team, method="grow") for seed in (1, 2)]
        child = plans[0].T
        want = child.solve(np.ones(100))
        del team, plans[0]
        np.testing.assert_array_equal(child.solve(np.ones(100)), want)

    def test_cycles_of_garbage(self):
        """Plans that depend on each other are freed in a valid order from any cycle."""
        import gc

        for _ in range(20):
            team = cleave.Team(2)
            plan = cleave.Trsv(triangle(40, 1), team=team)
            ring = [team, plan, plan.T, cleave.Trsv(triangle(40, 1), like=plan)]
            ring.append(ring)
            del ring, plan, team
        gc.collect()

    def test_threads_take_turns(self):
        plan = cleave.Trsv(triangle(400, 3), threads=2)
        want = [plan.solve(np.full(400, float(i))) for i in range(4)]
        wrong = []

        def work(i):
            for _ in range(50):
                if not np.array_equal(plan.solve(np.full(400, float(i))), want[i]):
                    wrong.append(i)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_read_problem(self):
        a = cleave.read_matrix(shared("mtx/bodyy5.mtx.gz"))
        factor = cleave.ic0(a, shift=True)
        plan = cleave.Trsv(factor, threads=2)
        b = np.ones(a.shape[0])
        np.testing.assert_allclose(factor @ plan.solve(b), b)
        self.assertEqual(plan.info.nonzeros, factor.nnz)


class Circuits(Scratch):
    def test_sums_to_one(self):
        path = shared("psdd/little_4var.psdd")
        circuit = cleave.Circuit(path, threads=2)
        n = circuit.variables
        every = np.array(list(itertools.product((0, 1), repeat=n)))
        logs = circuit.evaluate(every)
        self.assertAlmostEqual(np.exp(logs).sum(), 1)
        self.assertAlmostEqual(circuit.evaluate([-1] * n), 0)
        np.testing.assert_allclose(circuit.evaluate(every, space="linear"), logs)
        best, value = circuit.most_probable([-1] * n)
        self.assertAlmostEqual(value, logs.max())
        self.assertAlmostEqual(circuit.evaluate(best), logs.max())
        known, asked = np.full(n, -1), np.full(n, -1)
        known[0], asked[0], asked[1] = 1, 1, 1
        rows = np.exp(logs)[every[:, 0] == 1].sum()
        both = np.exp(logs)[(every[:, 0] == 1) & (every[:, 1] == 1)].sum()
        self.assertAlmostEqual(np.exp(circuit.conditional(asked, known)), both / rows)
        self.assertEqual(circuit.graph().vertices, circuit.nodes)
        text = "\n".join(",".join("?" if v < 0 else str(v) for v in row) for row in [known, asked])
        read = circuit.read_evidence(self.file("evidence", text + "\n"))
        self.assertEqual(read.tolist(), [known.tolist(), asked.tolist()])
        self.assertGreater(circuit.info.nonzeros, 0)
        for bad in (np.zeros((2, n + 1), int), np.full(n, 2)):
            with self.assertRaises(cleave.InvalidArgument):
                circuit.evaluate(bad)
