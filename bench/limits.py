#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""bench/run limits: how long calls on large graphs go on once their time is over.

Graphs of about 5 million edges, one thread.  Every call runs with --times as its time limit, and
once with a progress callback that says stop after half a second; the table has the CPU seconds
of the call, for the callback those after that half second, and what the result costs: its cut, the
cost of a mapping, the mean weight of the edges across a place of a line, the fill of an order
to eliminate by, the vertices of a separator.  The contract is 1.05 times the limit and two passes
over the graph, and for the callback, which is called ten times a second, a tenth of a second more;
what is beyond is marked, and so is a result that is worse by more than 2 % than one of a
shorter limit; the exit status is then 1.

A pass is an evaluation of a partition of the graph into 64 parts, cleave_evaluate.

options: --only TEXT (calls or graphs that contain it), --times 0.1,0.5,2, --scale X (of the
         graphs, default 1), --free (also without a limit), --no-limits (only the callback),
         --library FILE (another libcleave.so)
"""
import argparse
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, "..", "bindings", "python"))

UNDIRECTED = ["grid", "rmat"]
GRAPHS = {
    "grid": lambda x: "grid2d:%dx%d" % (1600 * x**.5, 1600 * x**.5),
    "rmat": lambda x: "rmat:18:%d" % max(1, 20 * x),
    "stencil": lambda x: "stencil:%dx%d:30" % (200 * x**.5, 200 * x**.5),
}

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
    """A progress callback that says stop once so many CPU seconds have passed."""

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
            graph = self.cleave.generate(GRAPHS[name](self.options.scale))
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

    def value(self, verb, name, result):
        """What the result costs; None: not known."""
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
        cost = getattr(result.report, "cost", None)
        return result.report.cut if cost is None or cost < 0 else cost

    def crossing(self, name, line):
        """Mean weight of the edges that cross a gap of the line."""
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

    def stopped(self, function, words, more, verb, name):
        """CPU seconds after the callback should have said stop, and the result."""
        stopper = Stopper(STOP_AFTER)
        try:
            result = function(*words, **more, progress=stopper)
        except self.cleave.Cancelled as error:
            result = error.result
        late = time.process_time() - stopper.end
        return max(late, 0), self.value(verb, name, result)

    def row(self, call, name, verb, given):
        """Prints a row; returns whether it breaks the contract."""
        words, more = self.arguments(name, verb, given)
        function, cells, bad = getattr(self.cleave, verb), [], False
        spare, before = 2 * self.passes[name], None
        limits = [] if self.options.no_limits else self.options.times
        if self.options.free:
            seconds, result = self.cpu(function, *words, **more)
            cells.append("%.2f (%s)" % (seconds, self.value(verb, name, result)))
        for limit in limits:
            seconds, result = self.limited(function, words, more, limit)
            value = self.value(verb, name, result)
            late = seconds > 1.05 * limit + spare
            worse = before is not None and value is not None and value > 1.02 * before
            cells.append("%.2f%s (%s%s)" % (seconds, " **late**" if late else "", value,
                                            " **worse**" if worse else ""))
            before, bad = value if before is None else min(before, value), bad or late or worse
        cells += ["-"] * (len(self.options.times) - len(limits))
        seconds, value = self.stopped(function, words, more, verb, name)
        late = seconds > spare + 0.1
        cells.append("%.2f%s (%s)" % (seconds, " **late**" if late else "", value))
        print("| %s | %s | %.3f | %s |" % (call, name, spare, " | ".join(cells)), flush=True)
        return bad or late


def main():
    parser = argparse.ArgumentParser(prog="bench/run limits")
    parser.add_argument("build")
    parser.add_argument("--only", default="")
    parser.add_argument("--times", default="0.1,0.5,2")
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--free", action="store_true")
    parser.add_argument("--no-limits", action="store_true")
    parser.add_argument("--library")
    options = parser.parse_args()
    options.times = [float(text) for text in options.times.split(",")]
    os.environ["CLEAVE_LIBRARY"] = os.path.abspath(
        options.library or os.path.join(options.build, "libcleave.so"))
    import cleave
    bench, bad = Bench(cleave, options), 0
    heads = (["no limit"] if options.free else []) + ["%g s" % t for t in options.times]
    print("| call | graph | 2 passes | %s | after stop |\n|%s" %
          (" | ".join(heads), "---|" * (len(heads) + 4)))
    for name in GRAPHS:
        for call, names, verb, given in CALLS:
            if name in names and (options.only in call or options.only in name):
                bad += bench.row(call, name, verb, given)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
