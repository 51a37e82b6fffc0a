#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""bench/run families: DAGs of 23 families, compared with recorded results of dagP.

Partitions the DAGs of ../shared/data/dagfam and compares their cuts with those of the dagP program
in ../shared/anchors/acyclic-families.csv: the mean and the best of its five seeds.  dagP's time is
not measured; it is taken as the recorded ratio of dagP to METIS, times METIS's time here
(gpmetis, least of three seeds; needs the package metis), summed over the DAGs.  Ours is the CPU time of
the call on one thread.  With --shuffle S the vertices are renumbered at random first.

With --method dagp its method of that name runs instead of the efforts, once for each list of parameters:
--params "version=2019;coarsen=cotop".  --polybench takes the 23 PolyBench DAGs and
../shared/anchors/acyclic.csv, without times, instead.

options: --method dagp --params LIST;LIST --efforts fast,default --k 2,8,32 --seeds 1,2,3 --shuffle 0 --only TEXT (names that contain
         it) --cases N (the N worst cases) --rows FILE (every case as CSV) --library FILE (another
         libcleave.so)
"""
import argparse
import collections
import csv
import math
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.join(HERE, "..", "..")
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(TOP, "bindings", "python"))


def geometric_mean(values):
    return math.exp(sum(math.log(v) for v in values) / len(values))


def at_least_half(cut):
    """Cuts of 0 have no ratio."""
    return max(float(cut), 0.5)


class Anchors:
    """Recorded results of dagP and METIS, by graph and number of parts."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        self.family = {row["graph"]: row.get("family", row["graph"]) for row in rows}
        self.row = {(row["graph"], int(row["k"]), row["tool"]): row for row in rows}

    def dagp(self, name, k):
        return self.row[name, k, "dagp"]

    def dagp_over_metis(self, name, k):
        metis = float(self.row[name, k, "metis-undirected"]["cpu_seconds"])
        return float(self.dagp(name, k)["cpu_seconds"]) / metis


def metis_seconds(path, k):
    """Minimum CPU seconds of gpmetis, including reading, as recorded for dagP."""
    best = math.inf
    for seed in (1, 2, 3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(["gpmetis", "-ufactor=30", "-seed=%d" % seed, path, str(k)], check=True,
                       stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def read_graph(cleave, path, shuffle):
    import numpy
    graph = cleave.read(path)
    if not shuffle:
        return graph
    new = numpy.random.RandomState(shuffle).permutation(graph.vertices).astype(numpy.int32)
    tails = numpy.repeat(numpy.arange(graph.vertices), numpy.diff(graph.xadj))
    arcs = numpy.stack([new[tails], new[graph.adj]], 1)
    return cleave.Graph(arcs, kind="dag", vertices=graph.vertices)


def write_undirected(graph, path):
    """The graph without directions in METIS's format."""
    back_begin, back = graph.predecessors()
    with open(path, "w", encoding="ascii") as file:
        file.write("%d %d\n" % (graph.vertices, graph.edges))
        for v in range(graph.vertices):
            row = [*graph.adj[graph.xadj[v]:graph.xadj[v + 1]],
                   *back[back_begin[v]:back_begin[v + 1]]]
            file.write(" ".join(str(u + 1) for u in row) + "\n")


def partition(cleave, graph, k, how, seed):
    """Cut and CPU seconds; None where a result is not valid."""
    begin = time.process_time()
    try:
        found = cleave.partition(graph, k, seed=seed, threads=1, **how)
    except cleave.BalanceError:
        return None
    return found.report.cut, time.process_time() - begin


class Table:
    """The ratios of one effort."""

    def __init__(self):
        self.mean, self.best = collections.defaultdict(list), collections.defaultdict(list)
        self.family = collections.defaultdict(list)
        self.cases, self.seconds, self.dagp_seconds, self.invalid = [], 0.0, 0.0, 0
        self.rows = {}

    def add(self, anchors, name, k, results, metis):
        self.invalid += sum(result is None for result in results)
        results = [result for result in results if result is not None]
        if not results:
            return
        cut = sum(result[0] for result in results) / len(results)
        dagp = anchors.dagp(name, k)
        mean = at_least_half(cut) / at_least_half(dagp["cut_mean"])
        self.mean[k].append(mean)
        self.best[k].append(at_least_half(cut) / at_least_half(dagp["cut_best"]))
        self.family[anchors.family[name]].append(mean)
        self.cases.append((mean, name, k, cut, dagp["cut_mean"], dagp["cut_best"]))
        seconds = sum(result[1] for result in results) / len(results)
        self.rows[name, k] = cut, seconds
        self.seconds += seconds
        if metis is not None:
            self.dagp_seconds += metis * anchors.dagp_over_metis(name, k)

    def print(self, effort, ncases):
        every = [[v for values in side.values() for v in values] for side in (self.mean, self.best)]
        over = "%.2f" % (self.seconds / self.dagp_seconds) if self.dagp_seconds else "-"
        print("%s: cut over dagP's mean %.3f, over its best %.3f, time over dagP's %s (%.1f s), "
              "%d of %d above its mean, %d invalid" %
              (effort, geometric_mean(every[0]), geometric_mean(every[1]), over, self.seconds,
               sum(v > 1 for v in every[0]), len(every[0]), self.invalid))
        print("  " + ", ".join("k = %d: %.3f, %.3f" % (k, geometric_mean(self.mean[k]),
                                                       geometric_mean(self.best[k]))
                               for k in sorted(self.mean)))
        families = sorted(((geometric_mean(v), f) for f, v in self.family.items()), reverse=True)
        print("  " + ", ".join("%s %.2f" % (f, v) for v, f in families))
        for mean, name, k, cut, dagp_mean, dagp_best in sorted(self.cases, reverse=True)[:ncases]:
            print("  %.3f %s k = %d: %.0f, dagP %s, best %s" %
                  (mean, name, k, cut, dagp_mean, dagp_best))


def write_rows(tables, path):
    """One line per effort, graph and number of parts: mean cut and mean CPU seconds."""
    with open(path, "w", encoding="ascii") as file:
        file.write("effort,graph,k,cut,cpu_seconds\n")
        for effort, table in tables.items():
            for (name, k), (cut, seconds) in table.rows.items():
                file.write("%s,%s,%d,%.2f,%.4f\n" % (effort, name, k, cut, seconds))


def print_monotone(tables):
    """A higher effort should not be worse: the mean cuts of adjacent efforts, case by case."""
    efforts = list(tables)
    for less, more in zip(efforts, efforts[1:]):
        ratios = sorted(((at_least_half(cut) / at_least_half(tables[less].rows[case][0]), *case)
                         for case, (cut, _) in tables[more].rows.items()
                         if case in tables[less].rows), reverse=True)
        print("%s over %s: %.3f in the mean, %d of %d cases above 1.005%s" %
              (more, less, geometric_mean([row[0] for row in ratios]),
               sum(row[0] > 1.005 for row in ratios), len(ratios),
               "".join(", %s k = %d %.3f" % (name, k, ratio)
                       for ratio, name, k in ratios[:8] if ratio > 1.005)))


def main():
    parser = argparse.ArgumentParser(prog="bench/run families")
    parser.add_argument("build")
    parser.add_argument("--efforts", default="fast,default")
    parser.add_argument("--method")
    parser.add_argument("--polybench", action="store_true")
    parser.add_argument("--params", default="")
    parser.add_argument("--k", default="2,8,32")
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--shuffle", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--cases", type=int, default=10)
    parser.add_argument("--rows")
    parser.add_argument("--library")
    options = parser.parse_args()
    shared = os.environ.get("CLEAVE_SHARED", os.path.join(TOP, "..", "shared"))
    os.environ["CLEAVE_LIBRARY"] = os.path.abspath(
        options.library or os.path.join(options.build, "libcleave.so"))
    import cleave
    anchors = Anchors(os.path.join(shared, "anchors", "acyclic.csv" if options.polybench
                                   else "acyclic-families.csv"))
    variants = {effort: {"effort": effort} for effort in options.efforts.split(",")}
    if options.method:
        variants = {params or options.method: {"method": options.method, "params": params or None}
                    for params in options.params.split(";")}
    tables = {name: Table() for name in variants}
    seeds = [int(text) for text in options.seeds.split(",")]
    has_metis = shutil.which("gpmetis") is not None and not options.polybench
    with tempfile.TemporaryDirectory() as folder:
        for name in anchors.family:
            if options.only not in name:
                continue
            path = os.path.join(shared, "data", "dagfam", name + ".dot.gz")
            if options.polybench:
                graph = cleave.generate("polybench:" + name)
            else:
                graph = read_graph(cleave, path, options.shuffle)
            undirected = os.path.join(folder, "graph")
            if has_metis:
                write_undirected(graph, undirected)
            for k in (int(text) for text in options.k.split(",")):
                metis = metis_seconds(undirected, k) if has_metis else None
                for effort, table in tables.items():
                    table.add(anchors, name, k, [partition(cleave, graph, k, variants[effort], seed)
                                                 for seed in seeds], metis)
    for effort, table in tables.items():
        table.print(effort, options.cases)
    if not options.method:
        print_monotone(tables)
    if options.rows:
        write_rows(tables, options.rows)
    return 1 if any(table.invalid for table in tables.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
