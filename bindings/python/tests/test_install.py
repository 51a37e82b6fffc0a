# SPDX-License-Identifier: Apache-2.0
"""Installs offline from the source tree into a virtual environment; finds its library."""
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import unittest
import zipfile

import support
from support import Scratch

PACKAGE = os.path.join(support.SOURCE, "bindings", "python")
LIBRARY = os.environ.get("CLEAVE_LIBRARY", "")
COMPILER = shlex.split(os.environ.get("CC", "cc"))
PRINT = "import cleave; print(cleave.partition([(0, 1)], 2).cut, cleave.library_path)"


def clean_environment(**more):
    """Without the path and the library of the source tree."""
    kept = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "CLEAVE_LIBRARY")}
    return {**kept, **more}


def python(executable, program, **environment):
    return subprocess.run(
        [executable, "-c", program],
        env=clean_environment(**environment),
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
    )


class Install(Scratch):
    def run_quietly(self, *command, **options):
        done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
        self.assertEqual(done.returncode, 0, f"{command}: {done.stdout}{done.stderr}")
        return done.stdout

    @unittest.skipUnless(
        all(importlib.util.find_spec(name) for name in ("ensurepip", "setuptools", "wheel")),
        "python3-venv, python3-setuptools or python3-wheel is not installed",
    )
    def test_virtual_environment(self):
        tree = self.file("tree")
        shutil.copytree(PACKAGE, tree, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        venv = self.file("venv")
        self.run_quietly(sys.executable, "-m", "venv", "--system-site-packages", venv)
        # A compiler that fails: nothing may be compiled.
        environment = clean_environment(CC="false", PIP_NO_INDEX="1")
        self.run_quietly(
            f"{venv}/bin/python", "-m", "pip", "install", "--quiet", "--no-build-isolation", tree,
            env=environment,
        )  # fmt: skip
        executable = f"{venv}/bin/python"
        done = python(executable, PRINT, CLEAVE_LIBRARY=LIBRARY)
        self.assertEqual(done.stdout.split(), ["1", LIBRARY], done.stderr)
        where = python(executable, "import cleave; print(cleave.__file__)", CLEAVE_LIBRARY=LIBRARY)
        folder = os.path.dirname(where.stdout.strip())
        self.assertTrue(folder.startswith(venv))
        self.assertTrue(os.path.exists(os.path.join(folder, "py.typed")))
        version = self.run_quietly(
            executable, "-c", "import importlib.metadata as m; print(m.version('cleave'))"
        )
        header = open(os.path.join(support.SOURCE, "include/cleave/status.h")).read()
        self.assertIn(f'#define CLEAVE_VERSION "{version.strip()}"', header)
        # Beside the package.
        shutil.copy(LIBRARY, os.path.join(folder, "libcleave.so.0"))
        done = python(executable, PRINT)
        self.assertEqual(done.stdout.split(), ["1", os.path.join(folder, "libcleave.so.0")])


@unittest.skipUnless(
    importlib.util.find_spec("wheel") and importlib.util.find_spec("setuptools"),
    "python3-wheel or python3-setuptools is not installed",
)
class Wheel(Scratch):
    """The name of a wheel states the platforms where it can be installed."""

    def build(self, library):
        """The name of the wheel, its WHEEL file as pairs, and its files."""
        tree = self.file(f"tree{library}")
        ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", "libcleave*", "build")
        shutil.copytree(PACKAGE, tree, ignore=ignored)
        if library:
            shutil.copy(LIBRARY, os.path.join(tree, "cleave", "libcleave.so.0"))
        program = "import setuptools.build_meta as b; print(b.build_wheel('.'))"
        done = subprocess.run(
            [sys.executable, "-c", program],
            env=clean_environment(),
            cwd=tree,
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        name = done.stdout.split()[-1]
        with zipfile.ZipFile(os.path.join(tree, name)) as wheel:
            files = wheel.namelist()
            facts = next(file for file in files if file.endswith(".dist-info/WHEEL"))
            lines = wheel.read(facts).decode().splitlines()
        return name, [tuple(line.split(": ")) for line in lines if line], files

    def test_pure(self):
        name, facts, files = self.build(False)
        self.assertTrue(name.endswith("-py3-none-any.whl"), name)
        self.assertIn(("Tag", "py3-none-any"), facts)
        self.assertIn(("Root-Is-Purelib", "true"), facts)
        self.assertFalse([file for file in files if "libcleave" in file])

    def test_with_the_library(self):
        name, facts, files = self.build(True)
        platform = re.sub("[-.]", "_", sysconfig.get_platform())
        self.assertTrue(name.endswith(f"-py3-none-{platform}.whl"), name)
        self.assertEqual([fact for fact in facts if fact[0] == "Tag"],
                         [("Tag", f"py3-none-{platform}")])  # fmt: skip
        self.assertIn(("Root-Is-Purelib", "false"), facts)
        self.assertIn("cleave/libcleave.so.0", files)


class Finding(Scratch):
    """Without installing: a link to the package in a separate directory."""

    def setUp(self):
        super().setUp()
        shutil.copytree(
            os.path.join(PACKAGE, "cleave"),
            self.file("cleave"),
            ignore=shutil.ignore_patterns("__pycache__", "libcleave*"),
        )

    def attempt(self, **environment):
        return python(sys.executable, PRINT, PYTHONPATH=self.scratch, **environment)

    def test_loader(self):
        os.mkdir(self.file("lib"))
        shutil.copy(LIBRARY, self.file("lib/libcleave.so.0"))
        done = self.attempt(LD_LIBRARY_PATH=self.file("lib"))
        self.assertEqual(done.stdout.split(), ["1", "libcleave.so.0"], done.stderr)

    def test_environment_comes_first(self):
        shutil.copy(LIBRARY, self.file("cleave/libcleave.so.0"))
        done = self.attempt(CLEAVE_LIBRARY=LIBRARY)
        self.assertEqual(done.stdout.split(), ["1", LIBRARY], done.stderr)

    def complains(self, sentence, **environment):
        done = self.attempt(**environment)
        self.assertEqual(done.returncode, 1)
        last = done.stderr.strip().splitlines()[-1]
        self.assertTrue(last.startswith("ImportError: "), done.stderr)
        self.assertIn(sentence, last)

    def test_nothing_there(self):
        self.complains("set the environment variable CLEAVE_LIBRARY", LD_LIBRARY_PATH="")
        self.complains("/nowhere/libcleave.so", CLEAVE_LIBRARY="/nowhere/libcleave.so")

    def test_something_else(self):
        self.complains("is not the C library of cleave", CLEAVE_LIBRARY="libm.so.6")

    @unittest.skipUnless(shutil.which(COMPILER[0]), "there is no C compiler")
    def test_other_versions(self):
        program = "const char *cleave_version(void); const char *cleave_version(void) { return %s; }"
        library = self.file("other.so")
        for version, sentence in (
            ('"9.9.0"', "is version 9.9.0 of the C library, this package needs"),
            ('"0.1.99"', "lacks cleave_status_name"),
        ):
            source = self.file("other.c", program % version)
            subprocess.run([*COMPILER, "-shared", "-fPIC", "-o", library, source], check=True)
            self.complains(sentence, CLEAVE_LIBRARY=library)
