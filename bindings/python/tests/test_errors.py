# SPDX-License-Identifier: Apache-2.0
"""Invalid arguments, with their exceptions and messages."""
import errno
import unittest

import numpy as np
from support import Scratch, needs

import cleave

ROWS = (np.array([0, 1, 2]), np.array([1, 0], np.int32))


DAG = cleave.Graph([(0, 1)], kind="dag")


def mapping(**options):
    return lambda: cleave.partition(ROWS, 2, **options)


#: (exception, part of the sentence, what is done)
TABLE = [
    # shapes
    (cleave.InvalidArgument, "xadj is empty", lambda: cleave.Graph(([], []))),
    (cleave.InvalidArgument, "adj has 1 entries", lambda: cleave.Graph(([0, 1, 2], [1]))),
    (cleave.InvalidArgument, "xadj ends with -1", lambda: cleave.Graph(([0, -1], [1]))),
    (cleave.InvalidArgument, "xadj[0] is 1", lambda: cleave.Graph(([1, 0, 2], [1, 0]))),
    (cleave.InvalidArgument, "xadj[2] is less", lambda: cleave.Graph(([0, 2, 1, 2], [1, 0]))),
    (cleave.InvalidArgument, "2 dimensions", lambda: cleave.Graph(([[0, 1]], [1]))),
    (cleave.InvalidArgument, "shape (3, 3)", lambda: cleave.Graph(np.eye(3))),
    (cleave.InvalidArgument, "same length", lambda: cleave.Graph([(0, 1), (1, 2, 3), (2,)])),
    (cleave.InvalidArgument, "has 3 entries, not 2",
     lambda: cleave.Graph(ROWS, vertex_weights=[1, 2, 3])),
    (cleave.InvalidArgument, "has 3 entries, not 2",
     lambda: cleave.Graph(ROWS, edge_weights=[1, 2, 3])),
    (cleave.InvalidArgument, "coords has the shape (3, 2)",
     lambda: cleave.Graph(ROWS, coords=np.zeros((3, 2)))),
    (cleave.InvalidArgument, "2 or 3 dimensions",
     lambda: cleave.Graph(ROWS, coords=np.zeros((2, 4)))),
    (cleave.InvalidArgument, "names has 1 entries", lambda: cleave.Graph(ROWS, names=["a"])),
    (cleave.InvalidArgument, "vertex 7 of 3", lambda: cleave.Graph([(0, 7)], vertices=3)),
    # types and values
    (TypeError, "from a int", lambda: cleave.Graph(5)),
    (TypeError, "from a NoneType", lambda: cleave.Graph(None)),
    (TypeError, "dtype complex128", lambda: cleave.Graph(([0, 1, 2], np.array([1j, 0])))),
    (TypeError, "dtype <U1", lambda: cleave.Graph(([0, 1, 2], ["a", "b"]))),
    (cleave.InvalidArgument, "entry 0.5", lambda: cleave.Graph(([0, 1, 2], [1, 0.5]))),
    (cleave.InvalidArgument, "not a finite number",
     lambda: cleave.Graph(ROWS, vertex_weights=[1, np.nan])),
    (cleave.InvalidArgument, "not a finite number",
     lambda: cleave.Graph(ROWS, edge_weights=[1, np.inf])),
    (cleave.InvalidArgument, "does not fit", lambda: cleave.Graph(ROWS, edge_weights=[1, 2**31])),
    (cleave.InvalidArgument, "does not fit", lambda: cleave.Graph([(0, 2**40)])),
    (cleave.InvalidArgument, "negative weight -1",
     lambda: cleave.Graph(ROWS, edge_weights=[1, -1])),
    (cleave.InvalidArgument, "vertex 1 has the negative weight -4",
     lambda: cleave.Graph(ROWS, vertex_weights=[1, -4])),
    (cleave.InvalidArgument, "not finite",
     lambda: cleave.Graph(ROWS, coords=[[0, 0], [0, np.nan]])),
    (cleave.InvalidArgument, "outside 0..1", lambda: cleave.Graph(([0, 1, 2], [1, 5]))),
    (cleave.InvalidArgument, "its own neighbour", lambda: cleave.Graph(([0, 1, 1], [0]))),
    (cleave.InvalidArgument, "twice", lambda: cleave.Graph(([0, 2, 4], [1, 1, 0, 0]))),
    (cleave.InvalidArgument, "which does not list it",
     lambda: cleave.Graph(([0, 1, 1], [1]))),
    (cleave.InvalidArgument, "edge 0 is 0 - -1", lambda: cleave.Graph([(0, -1)])),
    (cleave.CycleError, "0 -> 1 -> 0", lambda: cleave.Graph(ROWS, kind="dag")),
    (cleave.CycleError, "a -> b -> a", lambda: cleave.Graph([("a", "b"), ("b", "a")], kind="dag")),
    (cleave.InvalidArgument, "kind is 'tree'", lambda: cleave.Graph(ROWS, kind="tree")),
    (cleave.InvalidArgument, "is for matrices", lambda: cleave.Graph(ROWS, kind="lower")),
    (cleave.InvalidArgument, "never changes",
     lambda: cleave.Graph(cleave.Graph(ROWS), vertices=7)),
    (cleave.InvalidArgument, "never changes", lambda: cleave.schedule(cleave.Graph(ROWS), 2, kind="dag")),
    (cleave.InvalidArgument, "no levels", lambda: cleave.Graph(ROWS).levels()),
    (cleave.InvalidArgument, "NUL", lambda: cleave.Graph(ROWS, names=["a\0", "b"])),
    # options
    (TypeError, "threads is 1.5", mapping(threads=1.5)),
    (TypeError, "threads is True", mapping(threads=True)),
    (cleave.InvalidArgument, "threads is -1", mapping(threads=-1)),
    (cleave.InvalidArgument, "threads is 4294967297", mapping(threads=2**32 + 1)),
    (cleave.InvalidArgument, "seed is -1", mapping(seed=-1)),
    (cleave.InvalidArgument, "effort is 'lazy', not one of fast", mapping(effort="lazy")),
    (cleave.InvalidArgument, "objective is 7", mapping(objective=7)),
    (cleave.InvalidArgument, "imbalance", mapping(imbalance=-1)),
    (cleave.InvalidArgument, "imbalance", mapping(imbalance=float("nan"))),
    (cleave.InvalidArgument, "imbalance has 3 entries, not 2", mapping(imbalance=[0, 0, 0])),
    (cleave.InvalidArgument, "time limit", mapping(time_limit=-1)),
    (cleave.InvalidArgument, "method", mapping(method="magic")),
    (TypeError, "method is a int", mapping(method=3)),
    (cleave.InvalidArgument, "NUL", mapping(method="a\0b")),
    (cleave.InvalidArgument, "fixed has 1 entries", mapping(fixed=[0])),
    (cleave.InvalidArgument, "fixed", mapping(fixed=[0, 9])),
    (cleave.InvalidArgument, "shares has 3 entries", mapping(shares=[1, 2, 3])),
    (cleave.InvalidArgument, "start has 3 vertices", mapping(start=[0, 1, 0])),
    (TypeError, "cannot be called", mapping(progress=3)),
    # targets
    (cleave.InvalidArgument, "at least 1 PE", lambda: cleave.Target(0)),
    (cleave.InvalidArgument, "", lambda: cleave.Target("mesh:4y")),
    (cleave.InvalidArgument, "", lambda: cleave.Target([1, -1])),
    (cleave.InvalidArgument, "", lambda: cleave.Target([1, float("nan")])),
    (cleave.InvalidArgument, "", lambda: cleave.Target([])),
    (cleave.InvalidArgument, "2 dimensions", lambda: cleave.Target([[1, 2]])),
    (TypeError, "not 2.5", lambda: cleave.Target(2.5)),
    (TypeError, "not True", lambda: cleave.Target(True)),
    (TypeError, "not None", lambda: cleave.partition(ROWS, None)),
    # the rest
    (cleave.InvalidArgument, "", lambda: cleave.evaluate(ROWS, [0, 1, 0])),
    (cleave.InvalidArgument, "", lambda: cleave.evaluate(ROWS, [0, -1])),
    (cleave.InvalidArgument, "shares has 3", lambda: cleave.evaluate(ROWS, [0, 1], shares=[1, 1, 1])),
    (cleave.InvalidArgument, "", lambda: cleave.evaluate(ROWS, [0, 1], 1)),
    # parts, orders and schedules of other graphs
    (cleave.InvalidArgument, "", lambda: cleave.remap(ROWS, [0, 1, 0], 2)),
    (cleave.InvalidArgument, "", lambda: cleave.Mapping([0, 1, 0]).quotient(ROWS)),
    (cleave.InvalidArgument, "", lambda: cleave.Mapping([0, 1, 0]).part_order(DAG)),
    (cleave.InvalidArgument, "", lambda: cleave.evaluate_parts(ROWS, [0, 1, 0])),
    (cleave.InvalidArgument, "", lambda: cleave.find_cycle(DAG, [0, 1, 0])),
    (cleave.InvalidArgument, "", lambda: cleave.Order([0, 2, 1]).check(ROWS)),
    (cleave.InvalidArgument, "", lambda: cleave.split([0, 2, 1], 2, refine=ROWS)),
    (cleave.InvalidArgument, "", lambda: cleave.evaluate(ROWS, cleave.Order([0, 2, 1]))),
    (cleave.InvalidArgument, "", lambda: cleave.Schedule([0], [0]).check(DAG)),
    (cleave.InvalidArgument, "", lambda: cleave.Schedule([0], [0]).work(DAG)),
    (cleave.InvalidArgument, "", lambda: cleave.evaluate(DAG, cleave.Schedule([0], [0]))),
    (cleave.InvalidArgument, "", lambda: cleave.Mapping([0, 9]).write_launch("x", "rankfile", target=2)),
    (cleave.InvalidArgument, "", lambda: cleave.remap(ROWS, [0, 1], 2, order=cleave.Order([0]))),
    (cleave.InvalidArgument, "has 1 entries, not 2", lambda: cleave.Graph(ROWS).write("x.dot", parts=[1])),
    (cleave.InvalidArgument, "", lambda: cleave.Graph(ROWS).subgraph([0, 0])),
    (cleave.InvalidArgument, "", lambda: cleave.Graph(ROWS).subgraph([5])),
    (cleave.InvalidArgument, "", lambda: cleave.Graph(ROWS).factor([0, 0])),
    (cleave.InvalidArgument, "", lambda: cleave.Graph(ROWS).factor("random")),
    (cleave.InvalidArgument, "", lambda: cleave.Order([0, 0])),
    (cleave.InvalidArgument, "", lambda: cleave.schedule(cleave.Graph(ROWS), 2)),
    (cleave.InvalidArgument, "threads is 0", lambda: cleave.schedule(cleave.generate("stencil:2x2:2"), 0)),
    (cleave.InvalidArgument, "", lambda: cleave.generate("dodecahedron:3")),
    (cleave.RangeError, "", lambda: cleave.generate("grid2d:100000x100000")),
    (cleave.InvalidArgument, "", lambda: cleave.remap(ROWS, [0, 1], 2, strategy="luck")),
    (cleave.InvalidArgument, "do not go together",
     lambda: cleave.split([0, 1], 2, refine=ROWS, grouping="simple")),
    (cleave.FileError, "/nowhere/x", lambda: cleave.read("/nowhere/x.graph")),
    (cleave.FileError, "/nowhere/x", lambda: cleave.Graph("/nowhere/x.graph")),
    (cleave.FileError, "/nowhere/x", lambda: cleave.partition("/nowhere/x.graph", 2)),
    (cleave.FileError, "", lambda: cleave.Graph(ROWS).write("/nowhere/x.graph")),
    (cleave.FileError, "", lambda: cleave.read_parts("/nowhere/x")),
    (cleave.InvalidArgument, "NUL", lambda: cleave.read("a\0b")),
]  # fmt: skip


class Table(unittest.TestCase):
    def test_table(self):
        for kind, sentence, action in TABLE:
            with self.subTest(sentence=sentence, kind=kind.__name__):
                with self.assertRaises(kind) as caught:
                    action()
                self.assertIn(sentence, str(caught.exception))
                self.assertTrue(str(caught.exception))
                self.assertNotIn("\n", str(caught.exception))

    def test_python_families(self):
        """Exception classes of Python that the errors derive from."""
        for ours, theirs in (
            (cleave.InvalidArgument, ValueError),
            (cleave.ParseError, ValueError),
            (cleave.CycleError, ValueError),
            (cleave.FileError, OSError),
            (cleave.OutOfMemory, MemoryError),
            (cleave.RangeError, OverflowError),
        ):
            self.assertTrue(issubclass(ours, theirs) and issubclass(ours, cleave.Error))
            self.assertEqual(str(ours("a sentence")), "a sentence")


class Results(Scratch):
    def test_parse_error(self):
        path = self.file("bad.graph", "2 1\n2\nx\n")
        with self.assertRaises(cleave.ParseError) as caught:
            cleave.read(path)
        self.assertTrue(str(caught.exception).startswith(path + ":3: "))
        self.assertEqual(caught.exception.line, 3)
        self.assertEqual((caught.exception.status, caught.exception.name), (-4, "CLEAVE_EPARSE"))

    def test_balance_error_has_the_best(self):
        with self.assertRaises(cleave.BalanceError) as caught:
            cleave.partition(cleave.Graph([(0, 1), (1, 2)], vertex_weights=[10, 1, 1]), 2)
        best = caught.exception.result
        self.assertEqual(len(best), 3)
        self.assertFalse(best.balanced)
        self.assertIn("10", str(caught.exception))

    @needs("scipy")
    def test_matrices(self):
        import scipy.sparse

        csr = scipy.sparse.csr_matrix
        lower = csr(np.array([[1.0, 0], [2, 1]]))
        table = [
            (TypeError, "no sparse matrix", lambda: cleave.Trsv(np.eye(2))),
            (cleave.InvalidArgument, "not square", lambda: cleave.Trsv(csr((2, 3)))),
            (cleave.InvalidArgument, "square", lambda: cleave.Graph(csr((2, 3)))),
            (TypeError, "complex", lambda: cleave.Trsv(csr(np.eye(2) * 1j))),
            (cleave.InvalidArgument, "", lambda: cleave.Trsv(csr((2, 2)))),
            (cleave.InvalidArgument, "", lambda: cleave.Trsv(csr(lower.T))),
            (cleave.InvalidArgument, "", lambda: cleave.Trsv(csr(lower * np.nan))),
            (cleave.InvalidArgument, "shape (3,)", lambda: cleave.Trsv(lower).solve([1, 2, 3])),
            (cleave.InvalidArgument, "shape ()", lambda: cleave.Trsv(lower).solve(1.0)),
            (TypeError, "complex", lambda: cleave.Trsv(lower).solve([1j, 2])),
            (TypeError, "dtype", lambda: cleave.Trsv(lower).solve(["a", "b"])),
            (cleave.InvalidArgument, "trans is 'X'", lambda: cleave.Trsv(lower).solve([1, 2], "X")),
            (cleave.InvalidArgument, "out is float32",
             lambda: cleave.Trsv(lower).solve([1, 2], out=np.ones(2, np.float32))),
            (cleave.InvalidArgument, "contiguous",
             lambda: cleave.Trsv(lower).solve([1, 2], out=np.ones(4)[::2])),
            (TypeError, "not an array", lambda: cleave.Trsv(lower).solve([1, 2], out=[0, 0])),
            (cleave.InvalidArgument, "shape (2,), not (3,)",
             lambda: cleave.Trsv(lower).update_values([1.0, 2])),
            (cleave.InvalidArgument, "", lambda: cleave.Trsv(lower, sync="never")),
            (TypeError, "not a Team", lambda: cleave.Trsv(lower, team=3)),
            (cleave.InvalidArgument, "edge_weights is \"mass\"",
             lambda: cleave.Graph(lower, edge_weights="mass")),
            (TypeError, "complex", lambda: cleave.Graph(csr(np.eye(2) * 1j), edge_weights="values")),
            (cleave.InvalidArgument, "does not list it", lambda: cleave.Graph(lower)),
        ]  # fmt: skip
        for kind, sentence, action in table:
            with self.subTest(sentence=sentence, kind=kind.__name__):
                with self.assertRaises(kind) as caught:
                    action()
                self.assertIn(sentence, str(caught.exception))

    def test_summed_rows_begin_at_zero(self):
        for xadj in ([1, 2, 3], [0, 5, 2]):
            with self.assertRaisesRegex(cleave.InvalidArgument, "xadj does not ascend from 0"):
                cleave.Graph((np.array(xadj), np.array([1, 0, 1])), symmetrise="sum")

    @needs("scipy")
    def test_damaged_matrix(self):
        """scipy checks little; the library must not read past the arrays."""
        import scipy.sparse

        a = scipy.sparse.csr_matrix(np.array([[0, 1.0], [1, 0]]))
        a.indptr[2] = 50
        for action in (cleave.Graph, cleave.Trsv):
            with self.assertRaisesRegex(cleave.InvalidArgument, "indptr ends with 50"):
                action(a)

    @needs("scipy")
    def test_damaged_matrix_is_kept_from_scipy(self):
        """scipy does not check offsets and indices when it converts and sorts."""
        import scipy.sparse

        def damaged(format, array, place, value):
            a = scipy.sparse.diags([1.0, 4.0, 1.0], [-1, 0, 1], shape=(90, 90), format=format)
            getattr(a, array)[place] = value
            return a

        def lower(a):
            return cleave.Graph(a, kind="lower")

        def dag(a):
            return cleave.Graph(a, kind="dag")

        def summed(a):
            return cleave.Graph(a, symmetrise="sum")

        actions = (cleave.Graph, lower, dag, summed, cleave.Trsv, cleave.ic0, cleave.ilu0)
        for format in ("csr", "csc"):
            for array, place, value in (
                ("indptr", 5, 100000),
                ("indptr", 7, -3),
                ("indptr", 0, 2),
                ("indices", 3, 100000),
                ("indices", 3, -100000),
            ):
                for action in actions:
                    with self.subTest(format=format, array=array, action=action.__name__):
                        with self.assertRaises(cleave.InvalidArgument):
                            action(damaged(format, array, place, value))
            short = damaged(format, "indices", 0, 0)
            short.indptr = short.indptr[:50].copy()
            for action in actions:
                with self.assertRaisesRegex(cleave.InvalidArgument, "indptr has 50 entries, not 91"):
                    action(short)

    def test_errno_is_not_invented(self):
        with self.assertRaises(OSError) as caught:
            cleave.read("/nowhere/x.graph")
        self.assertNotEqual(caught.exception.errno, errno.EACCES)
