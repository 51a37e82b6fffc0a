#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""bench/run monotone: whether more effort is ever worse.

Small instances of four kinds (undirected graphs, DAGs, maps onto trees, maps onto meshes, tori and
graphs), each with several seeds and one thread: the mean cost of a higher effort over that of the
next lower one.  The bars: per instance at most 1.005 in the mean over the seeds, none above 1.02.
The exit status is 1 if a ratio is above 1.02 or a result is not valid.

With --best T also effort `best` with a time limit of T seconds for the whole call, whose cost
should not be above that of `quality`.  The vertices are renumbered at random with --shuffle S.
Files of ../shared/data take part where they are present.

options: --efforts fast,default,quality --seeds 1,2,3 --best 5 --shuffle 0 --only TEXT (instances
         that contain it) --kinds undirected,dag,tree,torus --rows FILE (every result as CSV)
         --library FILE (another libcleave.so)
"""
import argparse
import math
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.join(HERE, "..", "..")
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(TOP, "bindings", "python"))

TOLERANCE, LIMIT = 1.005, 1.02

# Kind, graph (a generator or a file of ../shared/data), numbers of parts or machines.
INSTANCES = [
    ("undirected", "grid2d:110x70", [2, 12]),
    ("undirected", "grid2d:60x60:9:periodic", [16]),
    ("undirected", "grid3d:20x20x20", [2, 8]),
    ("undirected", "mesh2d:90x90", [4, 32]),
    ("undirected", "mesh3d:15x15x15", [8]),
    ("undirected", "rgg:9000:9", [2, 16, 64]),
    ("undirected", "rgg:6000:12:3", [8]),
    ("undirected", "rmat:12:8", [2, 8]),
    ("undirected", "rmat:13:9", [16]),
    ("undirected", "rmat:14:5", [32]),
    ("undirected", "gnp:3000:0.003", [8]),
    ("undirected", "tree:8000:random", [5]),
    ("undirected", "walshaw/add20.graph", [8, 32]),
    ("undirected", "walshaw/uk.graph", [2, 8]),
    ("undirected", "walshaw/data.graph", [16]),
    ("undirected", "walshaw/crack.graph", [32]),
    ("undirected", "irregular/facebook_combined.txt", [2, 8]),
    ("undirected", "irregular/wiki-Vote.txt.gz", [16]),
    ("undirected", "irregular/bookworm-depends.edges.gz", [8]),
    ("dag", "stencil:60x60:12", [2, 8]),
    ("dag", "stencil:400:60", [4]),
    ("dag", "layered:40:100:3", [8]),
    ("dag", "layered:150:30:2", [16]),
    ("dag", "polybench:lu", [8]),
    ("dag", "polybench:jacobi-2d", [4]),
    ("dag", "dagfam/aig_max.dot.gz", [2, 8]),
    ("dag", "dagfam/cholL_bcspwr10.dot.gz", [8]),
    ("dag", "dagfam/fft_2048.dot.gz", [8]),
    ("dag", "dagfam/low_rajat01.dot.gz", [8, 32]),
    ("dag", "dagfam/psdd_msnbc.dot.gz", [8]),
    ("dag", "dagfam/sort_bitonic1024.dot.gz", [8]),
    ("dag", "dagfam/tree_outin.dot.gz", [8]),
    ("dag", "dagfam/workflow_epigenomics.dot.gz", [2]),
    ("tree", "grid2d:80x80", ["tree:4:4:4@2:4:6", "tree:3:5:2@1:5:20"]),
    ("tree", "rgg:8000:10", ["tree:4:8@1:10", "tree:5:3:4@1:4:9"]),
    ("tree", "mesh3d:14x14x14", ["tree:2:2:2:2@1:2:4:8"]),
    ("tree", "rmat:12:6", ["tree:4:4:2@1:5:25"]),
    ("tree", "walshaw/crack.graph", ["tree:3:5:7@1:5:20"]),
    ("tree", "walshaw/add32.graph", ["tree:8:4@1:6"]),
    ("torus", "grid2d:80x80", ["torus:6x10", "mesh:5x7"]),
    ("torus", "rgg:8000:10", ["torus:3x5x7", "mesh:8x8"]),
    ("torus", "grid3d:18x18x18", ["torus:4x4x4", "mesh:5x7x3"]),
    ("torus", "rmat:12:6", ["torus:9x4", "hypercube:5"]),
    ("torus", "walshaw/crack.graph", ["mesh:11x6"]),
    ("torus", "walshaw/data.graph", ["torus:4x8"]),
    ("torus", "mesh/bump.grf", ["hypercube:6"]),
]


def shuffled(cleave, graph, seed):
    import numpy
    new = numpy.random.RandomState(seed).permutation(graph.vertices)
    tails = numpy.repeat(numpy.arange(graph.vertices), numpy.diff(graph.xadj))
    heads = numpy.asarray(graph.adj)
    keep = slice(None) if graph.kind == "dag" else tails < heads
    arcs = numpy.stack([new[tails[keep]], new[heads[keep]]], 1).astype(numpy.int32)
    return cleave.Graph(arcs, kind=graph.kind, vertices=graph.vertices)


def load(cleave, text, seed):
    """The graph of an instance; None if its file is not there."""
    if "/" not in text:
        graph = cleave.generate(text)
    else:
        shared = os.environ.get("CLEAVE_SHARED", os.path.join(TOP, "..", "shared"))
        path = os.path.join(shared, "data", text)
        if not os.path.exists(path):
            return None
        graph = cleave.read(path)
    return shuffled(cleave, graph, seed) if seed else graph


def cost_of(cleave, graph, onto, effort, seed, limit=None):
    """Cost and CPU seconds of one call; None where the result is not valid."""
    verb = cleave.map if isinstance(onto, str) else cleave.partition
    more = {"time_limit": limit} if limit else {}
    begin = time.process_time()
    try:
        result = verb(graph, onto, effort=effort, seed=seed, threads=1, **more)
    except cleave.BalanceError:
        return None
    seconds = time.process_time() - begin
    cost = result.report.cost if isinstance(onto, str) else result.report.cut
    return max(float(cost), 0.5), seconds


class Table:
    """Ratios of adjacent efforts, by kind."""

    def __init__(self, efforts):
        self.steps = list(zip(efforts, efforts[1:]))
        self.ratios = {step: [] for step in self.steps}
        self.invalid = 0

    def add(self, kind, name, results):
        mean = {}
        for effort, found in results.items():
            self.invalid += sum(one is None for one in found)
            costs = [one[0] for one in found if one]
            if costs:
                mean[effort] = sum(costs) / len(costs)
        for step in self.steps:
            if step[0] in mean and step[1] in mean:
                self.ratios[step].append((mean[step[1]] / mean[step[0]], kind, name))

    def print(self):
        print("%-22s %-12s %9s %6s %8s %8s %8s" % ("", "kind", "instances", "mean", "> 1.005",
                                                   "> 1.02", "largest"))
        for (less, more), rows in self.ratios.items():
            for kind in ["all", *dict.fromkeys(row[1] for row in rows)]:
                some = [row[0] for row in rows if kind in ("all", row[1])]
                mean = math.exp(sum(math.log(ratio) for ratio in some) / len(some))
                print("%-22s %-12s %9d %6.3f %8d %8d %8.3f" %
                      ("%s over %s" % (more, less), kind, len(some), mean,
                       sum(ratio > TOLERANCE for ratio in some),
                       sum(ratio > LIMIT for ratio in some), max(some)))
        for (less, more), rows in self.ratios.items():
            for ratio, _, name in sorted(rows, reverse=True):
                if ratio > TOLERANCE:
                    print("  %s over %s: %.3f %s" % (more, less, ratio, name))
        print("%d invalid results" % self.invalid)

    def failed(self):
        return self.invalid or any(row[0] > LIMIT for rows in self.ratios.values() for row in rows)


def main():
    parser = argparse.ArgumentParser(prog="bench/run monotone")
    parser.add_argument("build")
    parser.add_argument("--efforts", default="fast,default,quality")
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--best", type=float, default=0)
    parser.add_argument("--shuffle", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--kinds", default="undirected,dag,tree,torus")
    parser.add_argument("--rows")
    parser.add_argument("--library")
    options = parser.parse_args()
    os.environ["CLEAVE_LIBRARY"] = os.path.abspath(
        options.library or os.path.join(options.build, "libcleave.so"))
    import cleave
    efforts = options.efforts.split(",") + (["best"] if options.best else [])
    seeds = [int(text) for text in options.seeds.split(",")]
    table, lines, missing = Table(efforts), ["kind,graph,onto,effort,seed,cost,cpu_seconds"], 0
    for kind, text, targets in INSTANCES:
        if kind not in options.kinds.split(","):
            continue
        graph = None
        for onto in targets:
            name = "%s %s %s" % (text, "onto" if isinstance(onto, str) else "k =", onto)
            if options.only not in name:
                continue
            graph = graph or load(cleave, text, options.shuffle)
            if graph is None:
                missing += 1
                continue
            results = {effort: [cost_of(cleave, graph, onto, effort, seed,
                                        options.best if effort == "best" else None)
                                for seed in seeds] for effort in efforts}
            table.add(kind, name, results)
            lines += ["%s,%s,%s,%s,%d,%g,%.4f" % (kind, text, onto, effort, seed, *one)
                      for effort, found in results.items()
                      for seed, one in zip(seeds, found) if one]
    table.print()
    if missing:
        print("%d instances left out: their files are not in ../shared/data" % missing)
    if options.rows:
        with open(options.rows, "w", encoding="ascii") as file:
            file.write("\n".join(lines) + "\n")
    return 1 if table.failed() else 0


if __name__ == "__main__":
    sys.exit(main())
