#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Overhead of calls from Python over the same calls from C: `bench/run python`.

Both alternate in one process, on one thread; processor times: the minimum of several calls,
and the median of the differences of neighbouring calls.  Also reports the time that Python
spends outside of the library's functions, which varies less on a busy machine than a
difference of two long times.
"""
import argparse
import ctypes
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, HERE)

import numpy as np  # noqa: E402
import scipy.sparse  # noqa: E402

import cleave  # noqa: E402
from cleave import _library  # noqa: E402

SOURCE = os.path.join(HERE, "..", "..")
SHARED = os.environ.get("CLEAVE_SHARED") or os.path.join(SOURCE, "..", "shared")
EFFORTS = {"fast": 0, "default": 1}
DROP_LOOPS = 8
INSIDE = [
    f"cleave_{name}"
    for name in ("graph_create", "map", "target_create", "graph_free", "mapping_free", "target_free")
]


def reference():
    """The calls in C, compiled on the spot; they use the library that is loaded."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "bench_calls.so")
        compiler = shlex.split(os.environ.get("CC", "cc"))
        subprocess.run(
            [*compiler, "-O2", "-shared", "-fPIC", "-I" + os.path.join(SOURCE, "include"),
             "-o", path, os.path.join(HERE, "bench_calls.c"), cleave.library_path],
            check=True,
        )  # fmt: skip
        made = ctypes.CDLL(path)
    for name in ("bench_partition", "bench_split", "bench_solve"):
        getattr(made, name).restype = ctypes.c_double
    return made


class Outside:
    """Counts the time inside of some of the library's functions."""

    def __init__(self, *names):
        self.names = names

    def __enter__(self):
        self.inside = 0.0
        self.real = {name: getattr(_library.lib, name) for name in self.names}
        for name, function in self.real.items():
            setattr(_library.lib, name, self._timed(function))
        return self

    def _timed(self, function):
        def timed(*arguments):
            begun = time.thread_time()
            try:
                return function(*arguments)
            finally:
                self.inside += time.thread_time() - begun

        return timed

    def __exit__(self, *_):
        for name, function in self.real.items():
            setattr(_library.lib, name, function)


def partition(c, name, source, rows, flags, k, effort, repeat):
    """One line of the table."""
    xadj, adj = rows
    ours, theirs, outside = [], [], []
    for _ in range(repeat):
        cut = ctypes.c_int64()
        theirs.append(
            c.bench_partition(
                ctypes.c_int32(len(xadj) - 1),
                ctypes.c_void_p(xadj.ctypes.data),
                ctypes.c_void_p(adj.ctypes.data),
                ctypes.c_uint(flags),
                ctypes.c_int32(k),
                ctypes.c_int(EFFORTS[effort]),
                ctypes.byref(cut),
            )
        )
        begun = time.thread_time()
        found = cleave.partition(source, k, effort=effort, threads=1)
        cut_of_ours = found.cut
        found = found.parts.size  # what is seen of it is freed, as in C
        ours.append(time.thread_time() - begun)
        assert cut_of_ours == cut.value and theirs[-1] > 0
        with Outside(*INSIDE) as watch:
            begun = time.thread_time()
            cleave.partition(source, k, effort=effort, threads=1)
            outside.append(time.thread_time() - begun - watch.inside)
    base = min(theirs)
    pairs = statistics.median(b - a for a, b in zip(theirs, ours)) / statistics.median(theirs)
    print(
        f"{name:24} {len(adj) // 2:9d} {k:3d} {effort:8} {1e3 * base:9.2f} {1e3 * min(ours):9.2f}"
        f" {100 * (min(ours) / base - 1):7.2f} % {100 * pairs:7.2f} %"
        f" {1e6 * min(outside):8.0f} {100 * min(outside) / base:8.2f} %",
        flush=True,
    )


def compressed(matrix):
    return matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32)


def partitions(c, repeat):
    print(
        "graph                        edges   k effort        C, ms Python, ms    more   in pairs   "
        "outside, us and share"
    )
    mesh = cleave.read(os.path.join(SHARED, "data", "walshaw", "4elt.graph"))
    rows = np.array(mesh.xadj), np.array(mesh.adj)
    matrix = scipy.sparse.csr_matrix((np.ones(len(rows[1])), rows[1], rows[0].astype(np.int32)))
    full = scipy.sparse.csr_matrix(matrix + scipy.sparse.identity(matrix.shape[0]))
    for k, effort in ((2, "fast"), (8, "fast"), (8, "default")):
        partition(c, "4elt, (xadj, adj)", rows, rows, 0, k, effort, repeat * 3)
        partition(c, "4elt, scipy", matrix, rows, 0, k, effort, repeat * 3)
    partition(c, "4elt, diagonal", full, compressed(full), DROP_LOOPS, 8, "fast", repeat * 3)
    for spec in ("rgg:150000:16", "grid3d:72x72x72"):
        big = cleave.generate(spec)
        rows = np.array(big.xadj), np.array(big.adj)
        matrix = big.to_scipy()
        matrix.indptr = matrix.indptr.astype(np.int32)
        full = scipy.sparse.csr_matrix(matrix + scipy.sparse.identity(matrix.shape[0]))
        partition(c, spec, rows, rows, 0, 8, "fast", repeat)
        partition(c, spec + ", scipy", matrix, rows, 0, 8, "fast", repeat)
        partition(c, spec + ", diagonal", full, compressed(full), DROP_LOOPS, 8, "fast", repeat)


def copies(repeat):
    """The time of the copies of a Graph, compared with a graph that borrows and with a partition."""
    print("\ngraph               borrowed, ms  copied, ms  of a partition, fast, k = 8")
    for spec in ("4elt", "rgg:150000:16", "grid3d:72x72x72"):
        file = os.path.join(SHARED, "data", "walshaw", "4elt.graph")
        mesh = cleave.read(file) if spec == "4elt" else cleave.generate(spec)
        rows = np.array(mesh.xadj), np.array(mesh.adj)
        borrowed = best(lambda: cleave.Graph(rows, copy=False), 1, 3 * repeat)
        copied = best(lambda: cleave.Graph(rows), 1, 3 * repeat)
        whole = best(lambda: cleave.partition(rows, 8, effort="fast", threads=1), 1, repeat)
        print(
            f"{spec:20} {1e3 * borrowed:11.2f} {1e3 * copied:11.2f}"
            f" {100 * (copied - borrowed) / whole:9.2f} %",
            flush=True,
        )


def best(action, repeat, times=7):
    found = []
    for _ in range(times):
        begun = time.thread_time()
        for _ in range(repeat):
            action()
        found.append((time.thread_time() - begun) / repeat)
    return min(found)


def small_calls(c):
    """Calls of microseconds, in which the time of Python is visible."""
    print("\ncall                                        C, us  Python, us  difference, us")
    line = cleave.order(cleave.generate("grid2d:50x50"))
    theirs = min(
        c.bench_split(ctypes.c_void_p(line._handle.pointer), b"3,2,2,1", 2000) for _ in range(7)
    )
    ours = best(lambda: cleave.split(line, "3,2,2,1"), 2000)
    report("split(line of 2500, \"3,2,2,1\")", theirs, ours)
    for n in (10, 100):
        grid = cleave.generate(f"grid2d:{n}x{n}").to_scipy()
        lower = scipy.sparse.csr_matrix(
            scipy.sparse.tril(grid, -1) + 5.0 * scipy.sparse.identity(n * n)
        )
        plan = cleave.Trsv(lower, threads=1)
        b = np.ones(n * n)
        x = np.empty(n * n)
        place = ctypes.c_void_p
        theirs = min(
            c.bench_solve(
                place(plan._handle.pointer), place(x.ctypes.data), place(b.ctypes.data), 2000
            )
            for _ in range(7)
        )
        ours = best(lambda: plan.solve(b, out=x), 2000)
        report(f"Trsv.solve, {n * n} rows", theirs, ours)


def report(name, theirs, ours):
    print(f"{name:40} {1e6 * theirs:8.1f} {1e6 * ours:11.1f} {1e6 * (ours - theirs):15.1f}")


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--repeat", type=int, default=5, help="rounds for large graphs (5)")
    repeat = options.parse_args().repeat
    c = reference()
    partitions(c, repeat)
    copies(repeat)
    small_calls(c)


if __name__ == "__main__":
    main()
