#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""bench/run costs: growth of the CPU time of each call with its input.

Every call runs on inputs of one and of ten times the size, with one thread, and its CPU time is
taken from the kernel's account of the process.  A call whose time grows by more than --flag
(default 15) and takes more than half a second is marked; the exit status is then 1.  Prints the
table of docs/design/costs.md.

options: --only TEXT (calls or inputs that contain it), --size N (vertices, default 10000),
         --limit S (CPU seconds of a run, default 60), --flag X
"""
import argparse
import itertools
import os
import resource
import subprocess
import sys
import tempfile

# Inputs: name -> edges of n vertices; those that 'cleave generate' makes have a kind instead.
EDGES = {
    "star": lambda n: ((0, i) for i in range(1, n)),
    "path": lambda n: ((i, i + 1) for i in range(n - 1)),
    "dense row": lambda n: itertools.chain(((i, i + 1) for i in range(1, n - 1)),
                                           ((0, i) for i in range(1, n))),
    "K(50,n)": lambda n: ((i, j) for i in range(50) for j in range(50, n // 10)),
    "isolated": lambda n: ((2 * i, 2 * i + 1) for i in range(n // 20)),
    "components": lambda n: ((i, i + 1) for i in range(n - 1) if i % 10 != 9),
}
KINDS = {
    "mesh": lambda n: "grid2d:%dx%d" % (round(n**.5), round(n**.5)),
    "tree": lambda n: "tree:%d:random" % n,
    "rmat": lambda n: "rmat:%d:8" % (n - 1).bit_length(),
    "layered": lambda n: "layered:%d:100:3" % (n // 100),
}
FEW = ["mesh", "star", "path"]
ALL = FEW + ["dense row", "K(50,n)", "isolated", "components", "tree"]

# {g} the graph, {n} its vertices, {n2} half as many, {n10} a tenth, {q} the square root of
# that; {part}, {order}, {schedule}: made of it before.
CALLS = [
    ("info", "info {g}", FEW),
    ("check", "check {g}", FEW),
    ("convert to METIS and back", "convert {g} {out}.graph", FEW),
    ("read METIS", "info {g}.graph", ALL),
    ("info -t graph", "info -t graph:{g}.graph", ["mesh", "tree"]),
    ("partition -k 8", "partition {g} -k 8", ALL + ["rmat"]),
    ("partition -k n/10", "partition {g} -k {n10}", FEW + ["tree"]),
    ("partition -k n/2", "partition {g} -k {n2} --effort fast", ALL),
    ("partition --objective volume", "partition {g} -k 8 --objective volume", FEW),
    ("partition --connected", "partition {g} -k 8 --connected", FEW),
    ("partition --method rsb", "partition {g} -k 8 --method rsb", FEW),
    ("partition --method hci", "partition {g} -k 8 --method hci", ["mesh"]),
    ("partition --separator", "partition {g} --separator", FEW),
    ("partition of a DAG", "partition {g} -k 8", ["layered"]),
    ("partition of a DAG, --as lower", "partition {g} --as lower -k 8", ALL),
    ("partition of a DAG, dagp", "partition {g} --as lower -k 8 --method dagp", FEW),
    ("map, mesh of 8x8", "map {g} -t mesh:8x8", ALL),
    ("map, tree of 4:4:4", "map {g} -t tree:4:4:4@1:10:100", FEW),
    ("map --method drb, n/10 PEs", "map {g} -t mesh:{q}x{q} --method drb", FEW),
    ("map, 400 vertices on 10 n PEs", "map {small} -t mesh:{n}x10", ["mesh"]),
    ("order --method multilevel", "order {g} --method multilevel", ALL),
    ("order --method rsbi", "order {g} --method rsbi", FEW),
    ("order --method hci", "order {g} --method hci", ["mesh"]),
    ("order --method nd", "order {g} --method nd", ALL),
    ("order --method mindeg", "order {g} --method mindeg", ALL),
    ("order --method topo", "order {g} --as lower --method topo", FEW),
    ("split", "split {order} -k 64", FEW),
    ("split --refine", "split {order} -k 64 --refine {g}", FEW),
    ("remap", "remap {g} {part} -t 8[0-6]", FEW),
    ("remap --strategy interval", "remap {g} {part} -t 8[0-6] --strategy interval", FEW),
    ("remap --strategy diffuse", "remap {g} {part} -t 8[0-6] --strategy diffuse", FEW),
    ("schedule --method auto", "schedule {g} --as lower -p 8", ALL),
    ("schedule --method graphopt", "schedule {g} --as lower -p 8 --method graphopt", FEW),
    ("schedule --split-rows", "schedule {g} --as lower -p 8 --split-rows", FEW),
    ("evaluate", "evaluate {g} {part} -t mesh:4x2", ALL),
    ("evaluate --order", "evaluate {g} --order {order}", FEW),
    ("view, svg", "view {g} -o {out}.svg", FEW + ["dense row"]),
    ("view, html", "view {g} -o {out}.html", FEW),
]
WRITES = ("partition", "map", "order", "split", "remap", "schedule")


def run(command, limit, folder):
    """CPU seconds, exit status and the last line of standard error."""
    def bound():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    with open(os.path.join(folder, "complaints"), "w+") as complaints:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=complaints,
                                   preexec_fn=bound, cwd=folder)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        complaints.seek(0)
        last = (complaints.read().strip().splitlines() or [""])[-1]
    return usage.ru_utime + usage.ru_stime, process.returncode, last


class Bench:
    def __init__(self, program, options, folder):
        self.program, self.options, self.folder = program, options, folder
        self.made = {}

    def must(self, *words):
        subprocess.run([self.program, *words], check=True, cwd=self.folder,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write_metis(self, path, n, edges):
        rows, count = [[] for _ in range(n)], 0
        for u, v in edges:
            rows[u].append(str(v + 1))
            rows[v].append(str(u + 1))
            count += 1
        with open(path, "w") as out:
            out.write("%d %d\n" % (n, count))
            out.writelines(" ".join(row) + "\n" for row in rows)

    def graph(self, name, n):
        """The graph as .clv and as .clv.graph; generated once."""
        path = self.path("%s-%d.clv" % ("".join(c for c in name if c.isalnum()), n))
        if path in self.made:
            return path
        if name in KINDS:
            self.must("generate", KINDS[name](n), "-o", path)
            if name != "layered":
                self.must("convert", path, path + ".graph")
        else:
            vertices = n // 10 if name == "K(50,n)" else n
            self.write_metis(path + ".graph", vertices, EDGES[name](n))
            self.must("convert", path + ".graph", path)
        self.made[path] = True
        return path

    def beside(self, graph, ending, *words):
        path = graph + ending
        if path not in self.made:
            self.must(*words, "-o", path)
            self.made[path] = True
        return path

    def command(self, text, name, n):
        graph = self.graph(name, n)
        words = {"g": graph, "n": n, "n2": n // 2, "n10": n // 10, "out": self.path("out"),
                 "q": round((n / 10)**.5)}
        if name == "K(50,n)":
            words.update(n2=n // 20, n10=n // 100)
        if "{small}" in text:
            words["small"] = self.graph("mesh", 400)
        if "{part}" in text:
            words["part"] = self.beside(graph, ".part", "partition", graph, "-k", "8")
        if "{order}" in text:
            words["order"] = self.beside(graph, ".order", "order", graph)
        command = text.format(**words).split()
        if command[0] in WRITES:
            command += ["-o", self.path("out.txt")]
            command += [] if "split" == command[0] and "{g}" not in text else ["--threads", "1"]
        return [self.program] + command

    def measure(self, text, name):
        times, complaint = [], ""
        for n in (self.options.size, 10 * self.options.size):
            seconds, status, last = run(self.command(text, name, n), self.options.limit,
                                        self.folder)
            times.append(seconds)
            if status not in (0, 1):
                complaint = "over %d s" % self.options.limit if status < 0 else last
                break
        return times, complaint

    def row(self, call, text, name):
        """Prints a row of the table; returns whether it exceeds the bar."""
        times, remark = self.measure(text, name)
        bad = remark != ""
        if not bad:
            ratio = times[1] / max(times[0], 0.01)
            bad = ratio > self.options.flag and times[1] > 0.5
            remark = "%.1f%s" % (ratio, " **above %g**" % self.options.flag if bad else "")
        cells = ["%.2f" % t for t in times] + ["-"] * (2 - len(times))
        print("| %s | %s | %s | %s | %s |" % (call, name, *cells, remark), flush=True)
        return bad


def main():
    parser = argparse.ArgumentParser(prog="bench/run costs")
    parser.add_argument("build")
    parser.add_argument("--only", default="")
    parser.add_argument("--size", type=int, default=10000)
    parser.add_argument("--limit", type=int, default=60)
    parser.add_argument("--flag", type=float, default=15)
    options = parser.parse_args()
    program = os.path.abspath(os.path.join(options.build, "cleave"))
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(program, options, folder)
        print("| call | input | CPU s, n = %d | n = %d | ratio |\n|---|---|---|---|---|"
              % (options.size, 10 * options.size))
        for call, text, names in CALLS:
            for name in names:
                if options.only in call or options.only in name:
                    bad += bench.row(call, text, name)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
