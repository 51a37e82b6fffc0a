#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench/tasks/tasks.py BUILD [--every N] [CASE...] - makespans of task graphs, compared with recorded ones.

A CASE is METHOD:EFFORT:ROW, such as auto:default:best: the makespan of our method at this effort is divided
by that of the row in ../shared/anchors/tasks.csv.  Without cases: HEFT and the other named methods against
their rows, auto against best-list and best.  --every N: every N-th instance, machine and CCR.  Times are
user times without reading, as far as the system counts them.
"""
import argparse
import collections
import csv
import json
import math
import os
import resource
import subprocess
import tempfile

MACHINES = {"4x1": "4", "16x1": "16", "8het": "1,1,1,1,2,2,4,4"}
CASES = (
    "heft:default:HEFT cpop:default:CPOP peft:default:PEFT lookahead:default:HEFT-lookahead etf:default:ETF "
    "dls:default:DLS minmin:default:MinMin maxmin:default:MaxMin sufferage:default:Sufferage dsc:default:DSC partition:default:PART-HEFT "
    "serial:default:serial auto:fast:best-list auto:default:best"
).split()


def read_anchors(shared):
    table = collections.defaultdict(dict)
    with open(os.path.join(shared, "anchors", "tasks.csv"), encoding="ascii") as file:
        for row in csv.DictReader(file):
            entry = table[row["instance"], row["machine"], row["ccr"]]
            entry[row["scheduler"]] = float(row["makespan"])
            entry["bandwidth"] = row["bandwidth"]
            entry["tasks"] = int(row["tasks"])
    return table


def schedule(build, shared, key, entry, method, effort, out):
    graph = os.path.join(shared, "data", "tasks", key[0] + ".dot.gz")
    command = [os.path.join(build, "cleave"), "schedule", graph, "-t", MACHINES[key[1]], "-o", out, "--json"]
    command += ["--objective", "makespan", "--bandwidth", entry["bandwidth"]]
    command += ["--method", method, "--effort", effort]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    report = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    user = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return report["makespan"], min(report["seconds"], user), report["bound"]


def mean(values):
    return math.exp(sum(math.log(v) for v in values) / len(values))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("cases", nargs="*", default=CASES)
    options = parser.parse_intermixed_args()
    shared = os.environ.get("CLEAVE_SHARED", "../shared")
    anchors = read_anchors(shared)
    results = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for key in list(anchors)[:: options.every]:
            for case in options.cases:
                method, effort, row = case.split(":")
                found = schedule(options.build, shared, key, anchors[key], method, effort, folder + "/out")
                if row in anchors[key]:
                    results[case].append((found[0] / anchors[key][row], found[1], anchors[key]["tasks"], key))
                assert found[2] == anchors[key]["bound2"], key
    print("| method, effort, against | cases | mean ratio | largest | equal | shorter | longer | mean s | largest s per 1000 tasks |")
    print("|---|---|---|---|---|---|---|---|---|")
    for case, found in results.items():
        ratios = [f[0] for f in found]
        counts = [sum(r == 1 for r in ratios), sum(r < 1 for r in ratios), sum(r > 1 for r in ratios)]
        print(
            f"| {case.replace(':', ', ')} | {len(found)} | {mean(ratios):.4f} | {max(ratios):.3f} |",
            " | ".join(map(str, counts)),
            f"| {sum(f[1] for f in found) / len(found):.4f} | {max(f[1] / f[2] for f in found) * 1000:.3f} |",
        )


if __name__ == "__main__":
    main()
