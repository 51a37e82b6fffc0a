# SPDX-License-Identifier: Apache-2.0
"""The examples of README.md and of the docstrings run; everything public is documented."""
import doctest
import importlib
import inspect
import os
import pkgutil
import re
import shutil
import unittest

import support
from support import Scratch, needs

import cleave

HERE = os.path.dirname(os.path.abspath(__file__))


def needs_all(test):
    return needs("scipy")(needs("networkx")(test))


class Documents(Scratch):
    @needs_all
    def test_readme(self):
        self.assertGreater(self.run_examples(os.path.join(HERE, "..", "README.md")), 6)
        self.assertGreater(self.run_examples(os.path.join(support.SOURCE, "README.md")), 0)

    def run_examples(self, path):
        """Runs the blocks of a document one after the other; returns their number."""
        text = open(path, encoding="utf-8").read()
        blocks = [
            (text.count("\n", 0, found.start(1)), found.group(1))
            for found in re.finditer(r"^```python\n(.*?)^```$", text, re.M | re.S)
        ]
        data = os.path.join(support.SOURCE, "examples", "data")
        for name in os.listdir(data):
            shutil.copy(os.path.join(data, name), self.scratch)
        before = os.getcwd()
        os.chdir(self.scratch)
        self.addCleanup(os.chdir, before)
        path = os.path.abspath(path)
        names, parser = {}, doctest.DocTestParser()
        runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
        for line, block in blocks:
            test = parser.get_doctest(block, names, "README.md", path, line)
            self.assertGreater(len(test.examples), 0)
            runner.run(test, clear_globs=False)
            names = test.globs
        self.assertEqual(runner.failures, 0)
        os.chdir(before)
        return len(blocks)

    @needs_all
    def test_docstrings(self):
        tried = 0
        for found in pkgutil.iter_modules(cleave.__path__, "cleave."):
            result = doctest.testmod(importlib.import_module(found.name))
            self.assertEqual(result.failed, 0, found.name)
            tried += result.attempted
        self.assertGreater(tried, 40)

    def test_everything_is_documented(self):
        for name in [*cleave.__all__, "map"]:
            thing = getattr(cleave, name)
            if not (inspect.isclass(thing) or inspect.isfunction(thing)):
                continue
            self.assertTrue(thing.__doc__, name)
            for inner, member in vars(thing).items() if inspect.isclass(thing) else ():
                if inner.startswith("_") or not isinstance(
                    member, (property, classmethod, type(len), type(lambda: 0))
                ):
                    continue
                function = getattr(member, "fget", None) or getattr(member, "__func__", member)
                self.assertTrue(function.__doc__, f"{name}.{inner}")

    def test_options_are_documented(self):
        """The docstring of map names all of its keywords."""
        for function in (cleave.map, cleave.read, cleave.remap):
            for keyword in inspect.signature(function).parameters:
                shown = cleave.map.__doc__ + function.__doc__
                if function is cleave.read and keyword in ("path", "threads", "progress"):
                    continue
                self.assertRegex(shown, rf"\b{keyword}\b", function.__name__)

    def test_star_import_hides_nothing(self):
        import builtins

        self.assertEqual([name for name in cleave.__all__ if hasattr(builtins, name)], [])
        self.assertEqual(sorted(cleave.__all__), sorted(set(cleave.__all__)))


class Types(unittest.TestCase):
    def test_mypy(self):
        """mypy --strict reports no errors, if it is installed."""
        import subprocess
        import sys
        import tempfile

        if shutil.which("mypy") is None:
            self.skipTest("mypy is not installed")
        with tempfile.TemporaryDirectory() as cache:
            done = subprocess.run(
                ["mypy", "--strict", "--cache-dir", cache, "--python-executable", sys.executable,
                 "cleave"],
                cwd=os.path.join(HERE, ".."), capture_output=True, text=True, check=False,
            )  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
