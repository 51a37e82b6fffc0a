#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""bench/run limits: how long calls on large graphs continue after their time limit.

Graphs of about 5 million edges, one thread.  Every call runs with --times as its time limit, and
once with a progress callback that says stop after half a second; the table has the CPU seconds
of the call, for the callback those after that half second, and what the result costs: its cut or
whatever else the call minimises (volume, cost of a mapping, largest load of a link), the mean
weight of the edges across a place of a line, the fill of an order to eliminate by, the vertices
of a separator.  The contract is 1.05 times the limit and two passes
over the graph, and for the callback, which is called ten times a second, a tenth of a second more;
what is beyond is marked, and so is a result that is worse by more than 2 % than one of a
shorter limit; the exit status is then 1.

A pass is an evaluation of a partition of the graph into 64 parts, cleave_evaluate.

With --cpu the limits are of CPU time, too: other processes then do not shorten the work before
a limit, which makes the lateness visible that a busy machine hides.

options: --cpu, --only TEXT (calls or graphs that contain it), --times 0.1,0.5,2, --scale X (of the
         graphs, default 1), --free (also without a limit), --no-limits (only the callback),
         --more (also graphs with one hub, with 50, rgg and a path as a DAG),
         --repeat N (a late cell is run up to N times, and the fastest counts: other processes
         disturb single runs), --library FILE (another libcleave.so)
"""
import argparse
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, "..", "..", "bindings", "python"))

UNDIRECTED = ["grid", "rmat"]
GRAPHS = {
    "grid": lambda x: "grid2d:%dx%d" % (1600 * x**.5, 1600 * x**.5),
    "rmat": lambda x: "rmat:18:%d" % max(1, 20 * x),
    "stencil": lambda x: "stencil:%dx%d:30" % (200 * x**.5, 200 * x**.5),
}

# What the set above does not have: no locality, unequal degrees, no width.
MORE = {
    "rgg": lambda x: "rgg:%d:14" % (700000 * x),
    "star": lambda x: "tree:%d:%d" % (2500000 * x, 2500000 * x),
    "hubs": lambda x: "hubs",
    "path": lambda x: "layered:%d:1:1" % (2500000 * x),
}
LIKE = {"rgg": "rmat", "star": "rmat", "hubs": "rmat", "path": "stencil"}

# Name, graphs, function of the package, arguments.
CALLS = [
    ("partition fast", UNDIRECTED, "partition", dict(parts=64, effort="fast")),
    ("partition", UNDIRECTED, "partition", dict(parts=64)),
    ("partition quality", UNDIRECTED, "partition", dict(parts=64, effort="quality")),
    ("partition best", UNDIRECTED, "partition", dict(parts=64, effort="best")),
    ("partition into 10000", UNDIRECTED, "partition", dict(parts=10000)),
    ("partition volume", UNDIRECTED, "partition", dict(parts=64, objective="volume")),
    ("partition connected", ["grid"], "partition", dict(parts=64, connected=True)),
    ("partition rsb", UNDIRECTED, "partition", dict(parts=64, method="rsb")),
    ("partition rcb", ["grid"], "partition", dict(parts=64, method="rcb")),
    ("partition hci", ["grid"], "partition", dict(parts=64, method="hci")),
    ("partition zci", ["grid"], "partition", dict(parts=64, method="zci")),
    ("map mesh", UNDIRECTED, "map", dict(target="mesh:8x8")),
    ("map mesh fast", UNDIRECTED, "map", dict(target="mesh:8x8", effort="fast")),
    ("map mesh quality", UNDIRECTED, "map", dict(target="mesh:8x8", effort="quality")),
    ("map mesh best", UNDIRECTED, "map", dict(target="mesh:8x8", effort="best")),
    ("map 10000 PEs", UNDIRECTED, "map", dict(target="mesh:100x100")),
    ("map tree", UNDIRECTED, "map", dict(target="tree:4:4:4@1:10:100")),
    ("map drb", UNDIRECTED, "map", dict(target="mesh:8x8", method="drb")),
    ("map congestion", UNDIRECTED, "map", dict(target="mesh:8x8", objective="congestion")),
    ("remap", UNDIRECTED, "remap", dict(target="64[0-62]")),
    ("remap diffuse", UNDIRECTED, "remap", dict(target="64[0-62]", strategy="diffuse")),
    ("remap scratch", UNDIRECTED, "remap", dict(target="64[0-62]", strategy="scratch")),
    ("remap interval", UNDIRECTED, "remap", dict(target="64[0-62]", strategy="interval")),
    ("order multilevel", UNDIRECTED, "order", dict(method="multilevel")),
    ("order rsbi", UNDIRECTED, "order", dict(method="rsbi")),
    ("order rcbi", ["grid"], "order", dict(method="rcbi")),
    ("order hci", ["grid"], "order", dict(method="hci")),
    ("order nd", UNDIRECTED, "order", dict(method="nd")),
    ("order mindeg", ["grid"], "order", dict(method="mindeg")),
    ("separator", UNDIRECTED, "separator", dict()),
    ("acyclic fast", ["stencil"], "partition", dict(parts=64, effort="fast")),
    ("acyclic", ["stencil"], "partition", dict(parts=64)),
    ("acyclic quality", ["stencil"], "partition", dict(parts=64, effort="quality")),
    ("acyclic best", ["stencil"], "partition", dict(parts=64, effort="best")),
    ("acyclic volume", ["stencil"], "partition", dict(parts=64, objective="volume")),
    ("acyclic dagp", ["stencil"], "partition", dict(parts=64, method="dagp")),
    ("acyclic kernighan", ["stencil"], "partition", dict(parts=64, method="kernighan")),
    ("acyclic fauzia", ["stencil"], "partition", dict(parts=64, method="fauzia")),
    ("acyclic map", ["stencil"], "map", dict(target="mesh:8x8")),
    ("order topo", ["stencil"], "order", dict(method="topo")),
    ("schedule", ["stencil"], "schedule", dict()),
    ("schedule levels", ["stencil"], "schedule", dict(method="levels")),
    ("schedule graphopt", ["stencil"], "schedule", dict(method="graphopt")),
    ("schedule grow", ["stencil"], "schedule", dict(method="grow")),
]
STOP_AFTER = 0.5


class Stopper:
    """A progress callback that stops the call after so many CPU seconds."""

    def __init__(self, after):
        self.end = time.process_time() + after

    def __call__(self, _):
        return None if time.process_time() < self.end else False


class Bench:
    def __init__(self, cleave, options):
        self.cleave, self.options = cleave, options
        self.graphs, self.old, self.passes = {}, {}, {}

    def graph(self, name):
        if name not in self.graphs:
            text = {**GRAPHS, **MORE}[name](self.options.scale)
            graph = hubs_of(self.cleave, self.options.scale) if text == "hubs" \
                else self.cleave.generate(text)
            if name == "grid":  # coordinates are those of the generator
                assert graph.coords is not None
            self.graphs = {name: graph}
            n = graph.vertices
            parts = self.cleave.Mapping([v * 64 // n for v in range(n)], 64)
            self.passes[name] = min(
                self.cpu(self.cleave.evaluate, graph, parts)[0] for _ in range(3))
        return self.graphs[name]

    @staticmethod
    def cpu(call, *arguments, **more):
        begin = time.process_time()
        result = call(*arguments, **more)
        return time.process_time() - begin, result

    def arguments(self, name, verb, given):
        """Positional and other arguments of the call."""
        given, graph = dict(given), self.graph(name)
        if verb == "schedule":
            return [graph], dict(given, threads=8, workers=1)
        if verb == "remap":
            if name not in self.old:
                self.old[name] = self.cleave.partition(graph, 64, effort="fast", threads=1)
            return [graph, self.old[name], given.pop("target")], dict(given, threads=1)
        rest = [given.pop(word) for word in ("parts", "target") if word in given]
        return [graph, *rest], dict(given, threads=1)

    def value(self, verb, given, name, result):
        """What the call minimises, of the result; None: not known."""
        if result is None:
            return None
        if verb == "order" and result.method in ("nd", "mindeg"):
            return self.cleave.evaluate(self.graph(name), result).fill
        if verb == "order":
            return self.crossing(name, result)
        if verb == "schedule":
            return len(result)
        if verb == "separator":
            return int((result.parts == 2).sum())
        if given.get("objective") == "volume":
            return result.report.volume
        if given.get("objective") == "congestion":
            judged = self.cleave.evaluate(self.graph(name), result, given["target"])
            return judged.target.max_link_load
        cost = getattr(result.report, "cost", None)
        return result.report.cut if cost is None or cost < 0 else cost

    def crossing(self, name, line):
        """Mean weight of the edges across a position of the order."""
        import numpy
        graph = self.graph(name)
        place = line.places.astype(numpy.int64)
        ends = numpy.repeat(place, numpy.diff(graph.xadj))
        total = numpy.abs(ends - place[graph.adj]).sum()
        return int(total) // (len(place) * (1 if graph.kind == "dag" else 2))

    def limited(self, function, words, more, limit):
        """CPU seconds, and the result, even if it does not meet all bounds."""
        begin = time.process_time()
        try:
            result = function(*words, **more, time_limit=limit)
        except self.cleave.BalanceError as error:
            result = error.result
        return time.process_time() - begin, result

    def stopped(self, function, words, more, value):
        """CPU seconds after the callback requested a stop, and the result."""
        stopper = Stopper(STOP_AFTER)
        try:
            result = function(*words, **more, progress=stopper)
        except self.cleave.Cancelled as error:
            result = error.result
        late = time.process_time() - stopper.end
        return max(late, 0), value(result)

    def repeated(self, run, most):
        """The fastest of up to --repeat runs, the first of which may be fast enough."""
        best = run()
        for _ in range(1, self.options.repeat):
            if best[0] <= most:
                break
            again = run()
            best = again if again[0] < best[0] else best
        return best

    def row(self, call, name, verb, given):
        """Prints a row; returns the numbers of late and of worse cells."""
        words, more = self.arguments(name, verb, given)
        function, cells, late_cells, worse_cells = getattr(self.cleave, verb), [], 0, 0

        def value_of(result):
            return self.value(verb, given, name, result)

        spare, before = 2 * self.passes[name], None
        limits = [] if self.options.no_limits else self.options.times
        if self.options.free:
            seconds, result = self.cpu(function, *words, **more)
            cells.append("%.2f (%s)" % (seconds, value_of(result)))
        for limit in limits:
            most = 1.05 * limit + spare
            seconds, result = self.repeated(
                lambda: self.limited(function, words, more, limit), most)
            value = value_of(result)
            late = seconds > most
            worse = before is not None and value is not None and value > 1.02 * before
            cells.append("%.2f%s (%s%s)" % (seconds, " **late**" if late else "", value,
                                            " **worse**" if worse else ""))
            before = value if before is None else min(before, value)
            late_cells, worse_cells = late_cells + late, worse_cells + worse
        cells += ["-"] * (len(self.options.times) - len(limits))
        seconds, value = self.repeated(
            lambda: self.stopped(function, words, more, value_of), spare + 0.1)
        late = seconds > spare + 0.1
        cells.append("%.2f%s (%s)" % (seconds, " **late**" if late else "", value))
        print("| %s | %s | %.3f | %s |" % (call, name, spare, " | ".join(cells)), flush=True)
        return late_cells + late, worse_cells


def hubs_of(cleave, scale):
    """600,000 vertices with 8 neighbours each among 50 hubs."""
    import numpy
    count, hubs, each = int(600000 * scale), 50, 8
    rng = numpy.random.default_rng(1)
    chosen = numpy.argsort(rng.random((count, hubs)), axis=1)[:, :each].ravel()
    ends = numpy.repeat(numpy.arange(hubs, hubs + count), each)
    return cleave.Graph(numpy.stack([chosen, ends], axis=1), form="edges")


def by_cpu_clock(build):
    """Starts this program again with a clock that is the CPU time of the process."""
    shim = os.path.abspath(os.path.join(build, "bench", "cpu_clock.so"))
    os.makedirs(os.path.dirname(shim), exist_ok=True)
    subprocess.run([os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", "-o", shim,
                    os.path.join(HERE, "cpu_clock.c")], check=True)
    os.environ["LD_PRELOAD"] = shim
    os.execv(sys.executable, [sys.executable] + sys.argv)


def main():
    parser = argparse.ArgumentParser(prog="bench/run limits")
    parser.add_argument("build")
    parser.add_argument("--only", default="")
    parser.add_argument("--times", default="0.1,0.5,2")
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--free", action="store_true")
    parser.add_argument("--no-limits", action="store_true")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--library")
    parser.add_argument("--cpu", action="store_true")
    parser.add_argument("--more", action="store_true")
    options = parser.parse_args()
    if options.cpu and "cpu_clock" not in os.environ.get("LD_PRELOAD", ""):
        by_cpu_clock(options.build)
    options.times = [float(text) for text in options.times.split(",")]
    os.environ["CLEAVE_LIBRARY"] = os.path.abspath(
        options.library or os.path.join(options.build, "libcleave.so"))
    import cleave
    bench, late, worse = Bench(cleave, options), 0, 0
    heads = (["no limit"] if options.free else []) + ["%g s" % t for t in options.times]
    print("| call | graph | 2 passes | %s | after stop |\n|%s" %
          (" | ".join(heads), "---|" * (len(heads) + 4)))
    for name in [*GRAPHS, *(MORE if options.more else [])]:
        for call, names, verb, given in CALLS:
            if LIKE.get(name, name) in names and (options.only in call or options.only in name):
                more_late, more_worse = bench.row(call, name, verb, given)
                late, worse = late + more_late, worse + more_worse
    print("\n%d cells late, %d worse" % (late, worse))
    return 1 if late or worse else 0


if __name__ == "__main__":
    sys.exit(main())
