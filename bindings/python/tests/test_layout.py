# SPDX-License-Identifier: Apache-2.0
"""Structs, prototypes, constants and defaults agree with the C headers."""
import ctypes
import glob
import inspect
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

import support

import cleave
from cleave import _errors, _graph, _library, _options, _structs
from cleave._library import defaults

HEADERS = sorted(glob.glob(os.path.join(support.SOURCE, "include", "cleave", "*.h")))
COMPILER = shlex.split(os.environ.get("CC", "cc"))


RAW = "".join(open(path, encoding="utf-8").read() for path in HEADERS)


def header_text():
    """All headers without comments and preprocessor lines."""
    text = re.sub(r"/\*.*?\*/", " ", RAW, flags=re.S)
    return re.sub(r"^#(\\\n|.)*$", "", text, flags=re.M)


TEXT = header_text()


def header_structs():
    """Field names of every struct of the headers, in order."""
    found = {}
    for body, name in re.findall(r"typedef struct \w+ \{(.*?)\} (\w+);", TEXT, flags=re.S):
        fields = []
        for statement in body.split(";"):
            for piece in statement.split(","):
                word = re.search(r"(\w+)\s*(\[[^\]]*\])?\s*$", piece)
                if word:
                    fields.append(word.group(1))
        found[name] = fields
    return found


def header_functions():
    """Result and arguments of every public function, as written."""
    found = {}
    for result, name, arguments in re.findall(
        r"CLEAVE_API\s+([\w\s*]+?[\s*])(cleave_\w+)\(([^;]*)\);", TEXT
    ):
        words = " ".join(arguments.split())
        found[name] = (" ".join(result.split()), [] if words == "void" else words.split(","))
    return found


#: Structs of the headers that Python does not use.
UNUSED = {
    "cleave_series",
    "cleave_plot_options",
    "cleave_span",
    "cleave_view_options",
    "cleave_task_options",
    "cleave_task_metrics",
}


class Structs(unittest.TestCase):
    def test_all_there(self):
        self.assertEqual(set(header_structs()) - UNUSED, set(_structs.STRUCTS))
        self.assertGreater(len(_structs.STRUCTS), 25)

    def test_field_names(self):
        for name, fields in header_structs().items():
            if name not in UNUSED:
                known = [field[0] for field in _structs.STRUCTS[name]._fields_]
                self.assertEqual(known, fields, name)

    @unittest.skipUnless(shutil.which(COMPILER[0]), "there is no C compiler")
    def test_offsets(self):
        """A C program prints size and offset of every field."""
        lines = []
        for name, kind in _structs.STRUCTS.items():
            lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
            for field in kind._fields_:
                member = f"(({name} *)0)->{field[0]}"
                lines.append(
                    f'printf("{name}.{field[0]} %zu %zu\\n", offsetof({name}, {field[0]}), '
                    f"sizeof({member}));"
                )
        program = "\n".join(
            ["#include <cleave/cleave.h>", "#include <stdio.h>", "int main(void) {", *lines]
            + ["return 0; }\n"]
        )
        with tempfile.TemporaryDirectory() as scratch:
            source, binary = os.path.join(scratch, "layout.c"), os.path.join(scratch, "layout")
            with open(source, "w", encoding="utf-8") as out:
                out.write(program)
            include = "-I" + os.path.join(support.SOURCE, "include")
            subprocess.run([*COMPILER, "-std=c11", include, "-o", binary, source], check=True)
            printed = subprocess.run([binary], capture_output=True, text=True, check=True).stdout
        said = []
        for name, kind in _structs.STRUCTS.items():
            said.append(f"{name} {ctypes.sizeof(kind)}")
            for field in kind._fields_:
                place = getattr(kind, field[0])
                said.append(f"{name}.{field[0]} {place.offset} {place.size}")
        self.assertEqual(printed.split("\n")[:-1], said)


def kind_of(words):
    """The ctypes kind that a C type needs: by width, pointers being pointers."""
    if "*" in words or words.strip().endswith("_fn"):
        return "pointer"
    simple = {
        "int": ctypes.c_int,
        "unsigned": ctypes.c_uint,
        "double": ctypes.c_double,
        "size_t": ctypes.c_size_t,
        "int32_t": ctypes.c_int32,
        "int64_t": ctypes.c_int64,
        "uint64_t": ctypes.c_uint64,
        "void": None,
    }
    word = words.replace("const", "").split()[0]
    return simple.get(word, ctypes.c_int)  # the rest are enums


def struct_of(words):
    """The struct that an argument points to, if Python defines it."""
    found = re.match(r"(?:const )?(cleave_\w+) \*\w+$", words)
    return _structs.STRUCTS.get(found.group(1)) if found else None


class Functions(unittest.TestCase):
    def test_every_function_is_known(self):
        public = {name for name in header_functions() if not name.endswith("_init")}
        known, left_out = set(_library.PROTOTYPES), set(_library.LEFT_OUT)
        self.assertGreater(len(public), 90)
        self.assertEqual(known & left_out, set())
        self.assertEqual(public, known | left_out)

    def test_prototypes(self):
        public = header_functions()
        for name, (result, arguments) in _library.PROTOTYPES.items():
            wanted_result, wanted = public[name]
            self.assertEqual(len(arguments), len(wanted), name)
            if result == "status":
                self.assertEqual(wanted_result, "cleave_status", name)
            elif "*" in wanted_result:
                self.assertIn(result, (ctypes.c_void_p, ctypes.c_char_p), name)
                self.assertEqual(result is ctypes.c_char_p, "char" in wanted_result, name)
            else:
                self.assertEqual(result, kind_of(wanted_result), name)
            for mine, theirs in zip(arguments, wanted):
                self.check_argument(name, mine, theirs.strip())

    def check_argument(self, name, mine, theirs):
        where = f"{name}: {theirs}"
        if kind_of(theirs) != "pointer":
            self.assertIs(mine, kind_of(theirs), where)
            return
        pointers = (ctypes.c_void_p, ctypes.c_char_p)
        self.assertTrue(mine in pointers or issubclass(mine, ctypes._Pointer), where)
        if struct_of(theirs):
            self.assertIs(getattr(mine, "_type_", None), struct_of(theirs), where)
        if "char *" in theirs and "**" not in theirs:
            self.assertIs(mine, ctypes.c_char_p, where)
        if "**" in theirs:
            self.assertIn(mine._type_, pointers, where)

    def test_init_functions(self):
        names = {name[:-5] for name in header_functions() if name.endswith("_init")}
        self.assertEqual(names - UNUSED, set(_structs.STRUCTS) - {"cleave_error", "cleave_progress"})
        for name in names - UNUSED:
            kind = _structs.STRUCTS[name]
            self.assertEqual(defaults(kind).size, ctypes.sizeof(kind))


class Constants(unittest.TestCase):
    def enum(self, prefix):
        pairs = re.findall(r"\b" + prefix + r"_([A-Z]+) = (\d+)", RAW)
        return {name.lower(): int(value) for name, value in pairs}

    def test_enums(self):
        self.assertEqual(self.enum("CLEAVE_EFFORT"), _options.EFFORTS)
        self.assertEqual(self.enum("CLEAVE_OBJECTIVE"), _options.OBJECTIVES)
        self.assertEqual(self.enum("CLEAVE_LEVELS"), {"top": 0, "bottom": 1, "alap": 2})

    def test_flags(self):
        for name in ("BORROW", "REPAIR", "TRUST", "DROP_LOOPS"):
            value = re.search(rf"#define CLEAVE_{name} (\d+)u", RAW).group(1)
            self.assertEqual(int(value), getattr(_graph, name))
        self.assertIn(f"CLEAVE_MOST_LEVELS = {_structs.MOST_LEVELS} ", RAW)

    def test_statuses(self):
        listed = re.findall(r"X\((CLEAVE_E\w+), (-\d+),", RAW)
        self.assertEqual(len(listed), 8)
        for name, value in listed:
            kind = _errors.BY_STATUS[int(value)]
            self.assertEqual((kind.name, kind.status), (name, int(value)))
            self.assertTrue(issubclass(kind, cleave.Error))

    def test_version(self):
        version = re.search(r'#define CLEAVE_VERSION "(.*)"', RAW).group(1)
        self.assertEqual(cleave.__version__, version)
        self.assertEqual(cleave.library_version, version)


class Defaults(unittest.TestCase):
    """The defaults of keywords are those of the C options, and every option has one."""

    def compare(self, function, kind, renamed, absent, different=()):
        struct = defaults(kind)
        keywords = inspect.signature(function).parameters
        for field, *_ in kind._fields_:
            if field in absent:
                continue
            keyword = keywords[renamed.get(field, field)]
            if field in different:
                continue
            value = getattr(struct, field)
            if field == "effort":
                value = [name for name, number in _options.EFFORTS.items() if number == value][0]
            if field == "objective":
                value = [name for name, number in _options.OBJECTIVES.items() if number == value][0]
            if field == "time_limit":
                value = value or None
            where = f"{function.__name__}({keyword.name})"
            if isinstance(keyword.default, bool):
                value = bool(value)
            if isinstance(value, (int, float, str, bool)) or value is None:
                self.assertEqual(keyword.default, value, where)
            else:  # a pointer or a callback
                self.assertFalse(value, where)
                self.assertIsNone(keyword.default, where)

    def test_options(self):
        own = {"size", "payload", "report", "constraints"}
        self.compare(cleave.map, _structs.Options, {}, own)
        self.compare(cleave.partition, _structs.Options, {}, own | {"one_to_one", "objective"})
        self.compare(
            cleave.remap, _structs.Options, {}, own | {"method", "params", "one_to_one"}
        )
        self.compare(
            cleave.map,
            _structs.Constraints,
            {"min": "min_weights", "max": "max_weights"},
            {"size"},
            {"imbalance"},
        )
        self.compare(
            cleave.remap, _structs.RemapOptions, {"from": "from_target"}, own | {"options"}
        )
        self.compare(cleave.order, _structs.OrderOptions, {}, own)
        self.compare(cleave.split, _structs.SplitOptions, {}, own)
        self.compare(cleave.separator, _structs.SeparatorOptions, {}, own)
        self.compare(
            cleave.schedule, _structs.ScheduleOptions, {}, own | {"solver_payload"}, {"threads"}
        )
        self.assertEqual(inspect.signature(cleave.schedule).parameters["threads"].default, 2)
        self.compare(cleave.Trsv.__init__, _structs.RunOptions, {}, own)
        self.compare(cleave.Circuit.__init__, _structs.RunOptions, {}, own | {"split_rows", "pair"})
        self.compare(cleave.generate, _structs.GenerateOptions, {}, own)
        self.compare(cleave.evaluate, _structs.EvaluateOptions, {}, own)
        self.compare(
            cleave.read,
            _structs.ReadOptions,
            {"as": "kind", "flags": "repair"},
            own | {"repairs", "components"},  # attributes of the graph
        )
        self.compare(cleave.Graph.write, _structs.WriteOptions, {"part": "parts"}, own)
        costs = defaults(_structs.ScheduleCosts)
        self.assertEqual(cleave.Costs(), cleave.Costs(costs.sync, costs.read))

    def test_reports(self):
        """Every field of the C structs is available in Python."""
        import dataclasses

        for ours, theirs in (
            (cleave.MapReport, _structs.MapReport),
            (cleave.Metrics, _structs.Metrics),
            (cleave.TargetMetrics, _structs.TargetMetrics),
            (cleave.OrderMetrics, _structs.OrderMetrics),
            (cleave.ScheduleMetrics, _structs.ScheduleMetrics),
            (cleave.RunInfo, _structs.RunInfo),
            (cleave.RemapReport, _structs.RemapReport),
        ):
            names = {field.name for field in dataclasses.fields(ours)}
            wanted = {field[0] for field in theirs._fields_} - {"size", "map"}
            self.assertEqual(wanted - names, set(), ours.__name__)
