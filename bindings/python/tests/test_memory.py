# SPDX-License-Identifier: Apache-2.0
"""Nothing leaks, nothing is freed twice or too early."""
import gc
import unittest
import weakref

import numpy as np
from support import needs

import cleave
from cleave import _library


def resident():
    """Resident memory of this process in bytes."""
    with open("/proc/self/statm", encoding="ascii") as facts:
        return int(facts.read().split()[1]) * 4096


class Counted(unittest.TestCase):
    """Every object that the library returns is freed exactly once."""

    def setUp(self):
        self.made, self.freed = [], []
        own, real = self, _library.Handle.__init__

        def counting(handle, pointer, free, needs=()):
            real(handle, pointer, free, needs)
            own.made.append((free, pointer))
            function = handle._free

            def release(place):
                own.freed.append((free, place))
                function(place)

            handle._free = release

        _library.Handle.__init__ = counting
        self.addCleanup(setattr, _library.Handle, "__init__", real)

    def balance(self):
        gc.collect()
        return len(self.made), sorted(self.made) == sorted(self.freed)

    def test_mappings(self):
        g = cleave.Graph([(0, 1), (1, 2), (2, 3)])
        for _ in range(3):
            m = cleave.map(g, "mesh:2")
            cleave.evaluate(g, m.parts, "mesh:2")
            cleave.remap(g, m, "1,1")
            cleave.order(g).split(2)
            cleave.separator(g)
            m.quotient(g)
            m.quotient_sums(g)
        self.assertFalse(self.balance()[1])
        del g, m
        count, even = self.balance()
        self.assertTrue(even)
        self.assertGreater(count, 20)

    def test_failures(self):
        heavy = cleave.Graph([(0, 1), (1, 2)], vertex_weights=[9, 1, 1])
        for _ in range(3):
            with self.assertRaises(cleave.BalanceError):
                cleave.partition(heavy, 2)
            with self.assertRaises(cleave.Error):
                cleave.Graph([(0, 1), (1, 0)], kind="dag")
            with self.assertRaises(cleave.Error):
                cleave.evaluate(heavy, [0, 1])
        del heavy
        self.assertTrue(self.balance()[1])

    def test_cancelled(self):
        g = cleave.generate("rgg:30000:12")

        def stop(now):
            raise KeyError

        with self.assertRaises(KeyError):
            cleave.partition(g, 16, effort="best", progress=stop)
        with self.assertRaises(cleave.Cancelled):
            cleave.partition(g, 16, effort="best", progress=lambda now: False)
        del g
        self.assertTrue(self.balance()[1])

    @needs("scipy")
    def test_plans(self):
        import scipy.sparse

        a = scipy.sparse.identity(50, format="csr")
        team = cleave.Team(2)
        plan = cleave.Trsv(a, team=team)
        plan.T.solve(np.ones(50))
        other = cleave.Trsv(a, like=plan)
        del plan, team
        other.solve(np.ones(50))
        # The team and both first plans are still needed.
        self.assertEqual(len([f for f in self.freed if f[0] == "cleave_team_free"]), 0)
        del other
        count, even = self.balance()
        self.assertTrue(even and count >= 4)
        kinds = [kind for kind, _ in self.freed]
        self.assertEqual(kinds[-1], "cleave_team_free")  # after all that uses it

    @needs("scipy")
    def test_cycle_in_any_order(self):
        import scipy.sparse

        for turn in range(6):
            team = cleave.Team(1)
            ring = [team] * (turn % 3)
            plan = cleave.Trsv(scipy.sparse.identity(5, format="csr"), team=team)
            ring.append(plan.T if turn % 2 else plan)
            ring.append(ring)
            del ring, plan, team
            self.assertTrue(self.balance()[1])
            last = [kind for kind, _ in self.freed][-1]
            self.assertEqual(last, "cleave_team_free")


class Lifetimes(unittest.TestCase):
    def test_no_cycles(self):
        """Reference counts alone free everything: no garbage collection is needed."""
        gc.collect()
        gc.disable()
        try:
            g = cleave.generate("grid2d:9x9")
            m = cleave.partition(g, 2, progress=lambda now: None)
            alive = [weakref.ref(thing) for thing in (g, m, g._handle, m._handle)]
            del g, m
            self.assertEqual([ref() for ref in alive], [None] * 4)
        finally:
            gc.enable()

    def test_views_outlive_objects(self):
        parts = cleave.partition(cleave.generate("grid2d:30x30"), 2).parts
        want = parts.copy()
        gc.collect()
        filler = [np.full(900, 77, np.int32) for _ in range(200)]
        np.testing.assert_array_equal(parts, want)
        del filler
        slice_of_view = cleave.order(cleave.generate("grid2d:30x30")).vertices[10:20]
        self.assertTrue((0 <= slice_of_view).all() and (slice_of_view < 900).all())

    def test_borrowed_arrays_are_released(self):
        xadj, adj = np.array([0, 1, 2]), np.array([1, 0], np.int32)

        class Watched(np.ndarray):
            pass

        watched = adj.view(Watched)
        ref = weakref.ref(watched)
        g = cleave.Graph((xadj, watched), copy=False)
        del watched
        self.assertIsNotNone(ref())
        m = cleave.partition(g, 2)
        del g
        gc.collect()
        self.assertIsNone(ref())
        self.assertEqual(len(m), 2)


class Leaks(unittest.TestCase):
    def test_memory_stays(self):
        """Sixty rounds of more than a megabyte each, so that a leak of one array is detected."""
        xadj = np.arange(250001, dtype=np.int64).clip(max=250000)

        def round_trip():
            adj = np.empty(250000, np.int64)
            adj[0::2], adj[1::2] = np.arange(1, 250000, 2), np.arange(0, 250000, 2)
            g = cleave.Graph((xadj, adj))
            m = cleave.Mapping(np.zeros(250000, np.int64), 2)
            cleave.evaluate(g, m)
            with self.assertRaises(cleave.Error):
                cleave.Graph((xadj, adj), kind="dag")

        for _ in range(5):
            round_trip()
        before = resident()
        for _ in range(60):
            round_trip()
        self.assertLess(resident() - before, 20 * 2**20)

    def test_small_calls(self):
        g = cleave.generate("grid2d:5x5")

        def calls():
            for _ in range(300):
                cleave.partition(g, 2, threads=1, progress=lambda now: None)
                cleave.Target("mesh:2x2").description
                g.names, g.adj, g.source()
                try:
                    cleave.Target("nonsense")
                except cleave.Error:
                    pass

        calls()
        gc.collect()
        count, before = len(gc.get_objects()), resident()
        calls()
        gc.collect()
        self.assertLess(len(gc.get_objects()) - count, 50)
        self.assertLess(resident() - before, 4 * 2**20)
