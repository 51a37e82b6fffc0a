# SPDX-License-Identifier: Apache-2.0
"""Common parts of the tests: paths, and slow independent checks."""
import importlib.util
import json
import os
import subprocess
import tempfile
import unittest

import numpy as np

SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
PROGRAM = os.environ.get("CLEAVE_PROGRAM", "")
SHARED = os.environ.get("CLEAVE_SHARED") or os.path.join(SOURCE, "..", "shared")

needs_program = unittest.skipUnless(os.path.exists(PROGRAM), "CLEAVE_PROGRAM is not there")


def needs(module):
    """Skips without a Python package."""
    there = importlib.util.find_spec(module) is not None
    return unittest.skipUnless(there, f"python3-{module} is not installed")


def shared(path):
    """A file of the larger data; the test is skipped without it."""
    full = os.path.join(SHARED, "data", path)
    if not os.path.exists(full):
        raise unittest.SkipTest(f"{full} is not there")
    return full


def cli(*arguments, status=0):
    """Runs the program and returns its output, with --json as a dictionary."""
    done = subprocess.run(
        [PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False
    )
    if done.returncode != status:
        raise AssertionError(f"cleave {arguments}: status {done.returncode}: {done.stderr}")
    return json.loads(done.stdout) if "--json" in arguments else done.stdout


class Scratch(unittest.TestCase):
    """A test with a temporary directory, ``self.scratch``."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.scratch = folder.name

    def file(self, name, text=None):
        path = os.path.join(self.scratch, name)
        if text is not None:
            with open(path, "w", encoding="utf-8") as out:
                out.write(text)
        return path


def grid(rows, columns, diagonal=False):
    """The matrix of a grid, dense, by plain loops."""
    n = rows * columns
    dense = np.zeros((n, n), int)
    for r in range(rows):
        for c in range(columns):
            v = r * columns + c
            if diagonal:
                dense[v, v] = 4
            if c + 1 < columns:
                dense[v, v + 1] = dense[v + 1, v] = 1
            if r + 1 < rows:
                dense[v, v + columns] = dense[v + columns, v] = 1
    return dense


def rows_of(dense):
    """xadj and adj of a dense pattern without its diagonal, by plain loops."""
    xadj, adj = [0], []
    for v, row in enumerate(dense):
        adj += [u for u, value in enumerate(row) if value and u != v]
        xadj.append(len(adj))
    return xadj, adj


def slow_cut(dense, parts):
    """The cut of a symmetric dense matrix."""
    n = len(dense)
    return sum(
        dense[u][v] for u in range(n) for v in range(u) if parts[u] != parts[v]
    )


def place(array):
    """The address of an array's numbers."""
    return array.__array_interface__["data"][0]
