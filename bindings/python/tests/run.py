#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run.py [MODULE...]: runs test modules of this folder, or all; exit status 77 when nothing could run.

The environment says where things are: CLEAVE_LIBRARY (the library), CLEAVE_PROGRAM (the
program), CLEAVE_SHARED (larger data), CC (a C compiler).  Only the first is needed.
"""
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"  # for those that tests start
sys.path[:0] = [HERE, os.path.dirname(HERE)]


def main() -> int:
    try:
        import numpy  # noqa: F401
    except ImportError:
        print("skipped: numpy is not installed (python3-numpy)")
        return 77
    names = sys.argv[1:] or sorted(n[:-3] for n in os.listdir(HERE) if n.startswith("test_"))
    suite = unittest.defaultTestLoader.loadTestsFromNames(names)
    result = unittest.TextTestRunner(verbosity=1).run(suite)
    for test, why in result.skipped:
        print(f"skipped {test}: {why}")
    if not result.wasSuccessful() or result.testsRun == 0:
        return 1
    return 77 if len(result.skipped) == result.testsRun else 0


if __name__ == "__main__":
    sys.exit(main())
