#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""bench/run mpi [--graphs A,B] [--k 8,32,256] [--ranks 2,4] [--repeat 3] [--gather N] [--quick]
              [--scale [--sizes 5,10,25,50]] [--limit SECONDS]

Partitions by several ranks beside one machine's `cleave partition` (effort default, one thread)
and beside PT-Scotch's dgpart (Debian's package ptscotch), live and in turns: of each the least
time of the turns counts.  --gather N makes graphs with more than N arcs go the way of large ones.
--scale: generated graphs of so many million edges on 1, 2 and 4 ranks, with memory and traffic.
Called by bench/run, which gives the build folder as the first argument.
"""
import argparse
import json
import math
import os
import re
import subprocess
import sys

build = os.path.abspath(sys.argv[1])
shared = os.path.abspath(os.environ.get("CLEAVE_SHARED", "../shared")) + "/data/"
work = os.path.join(build, "bench")
env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
           OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1",
           OMPI_MCA_btl_vader_single_copy_mechanism="none", SCOTCH_PTHREAD_NUMBER="1")

GRAPHS = """walshaw/add20.graph walshaw/data.graph walshaw/3elt.graph walshaw/uk.graph
walshaw/add32.graph walshaw/bcsstk29.graph.gz walshaw/crack.graph walshaw/wing_nodal.graph
walshaw/vibrobox.graph.gz walshaw/4elt.graph walshaw/cti.graph walshaw/memplus.graph
walshaw/cs4.graph walshaw/fe_body.graph.gz walshaw/t60k.graph.gz walshaw/wing.graph.gz
walshaw/finan512.graph.gz mesh/brack2_3.graph.gz mesh/bump.grf irregular/astro-ph.graph.gz
irregular/Email-Enron.txt.gz irregular/NotreDame_www.mtx.gz irregular/facebook_combined.txt
irregular/he161_road_NY.gr.gz irregular/he172_road_FLA.gr.gz irregular/he160_sat_safe029.gr.gz
irregular/he173_sat_AProVE11-06.gr.gz mtx/lap3d_40.mtx.gz mtx/xenon1.mtx.gz mtx/bcsstk25.mtx.gz
mtx/finance256.mtx.gz mtx/shallow_water1.mtx.gz grid2d:1000x1000 grid3d:100x100x100
rgg:1000000:10""".split()
QUICK = ["walshaw/4elt.graph", "walshaw/wing.graph.gz", "mtx/lap3d_40.mtx.gz",
         "irregular/astro-ph.graph.gz", "rgg:200000:10"]


def run(command, limit=None):
    try:
        done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=limit)
    except subprocess.TimeoutExpired:
        return None
    return done.stdout if done.returncode == 0 else ""


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def stored(graph):
    """The graph as a binary file and as a Scotch file, without weights of its own."""
    name = os.path.join(work, "mpi-" + re.sub(r"[^A-Za-z0-9]+", "_", graph))
    cleave = os.path.join(build, "cleave")
    if not os.path.exists(name + ".clv"):
        if ":" in graph:
            run([cleave, "generate", graph, "-o", name + ".clv"])
        else:
            run([cleave, "convert", shared + graph, "--weights", "none", "-o", name + ".clv"])
    if not os.path.exists(name + ".grf"):
        run([cleave, "convert", name + ".clv", "-o", name + ".grf"])
    return name


def single(name, k):
    out = run([os.path.join(build, "cleave"), "partition", name + ".clv", "-k", str(k), "-o",
               name + ".part", "--threads", "1", "--json"])
    found = json.loads(out)
    return found["cut"], found["seconds"]


def numbers(line):
    words = line.split()
    return {words[i]: float(words[i + 1]) for i in range(0, len(words) - 1, 2)}


def ours(name, k, ranks, effort=1, gather=0, repeat=1):
    out = run(["mpirun", "-n", str(ranks), os.path.join(work, "bench_mpi_rank"), name, str(k),
               str(effort), str(gather), str(repeat)])
    if not out:
        return None
    lines = out.splitlines()
    found = numbers(lines[0])
    found["level"] = [numbers(line) for line in lines[1:]]
    return found


def scotch(name, k, ranks, limit):
    """Cut and seconds of dgpart; the limit if it does not end before."""
    out = run(["mpirun", "-n", str(ranks), "dgpart", "-b0.03", "-vmt", str(k), name + ".grf",
               "/dev/null"], limit)
    if out is None:
        return None, float(limit)
    cut = re.search(r"CommCutSz=\S+\s+\((\d+)\)", out)
    time = re.search(r"T\s+Mapping\s+min=\S+\s+max=(\S+)", out)
    return (int(cut.group(1)), float(time.group(1))) if cut and time else (None, None)


def compare(args):
    cut_single, cut_scotch, time_scotch = {}, {}, {}
    invalid = runs = unended = 0
    print("graph k ranks | single cut s | ours cut s valid | dgpart cut s | cut/single "
          "cut/dgpart time/dgpart")
    for graph in args.graphs:
        name = stored(graph)
        for k in args.k:
            alone = single(name, k)
            for ranks in args.ranks:
                us, time, them, their_time = None, None, None, None
                for _ in range(args.repeat):
                    us = ours(name + ".clv", k, ranks, gather=args.gather)
                    if us is None:
                        break
                    time = min(time or 1e300, us["seconds"])
                    if args.scotch and (their_time is None or their_time < args.limit):
                        cut, seconds = scotch(name, k, ranks, args.limit)
                        them = min(them or 1 << 62, cut) if cut else them
                        if seconds:
                            their_time = min(their_time or 1e300, seconds)
                if us is None:
                    print(f"{graph} {k} {ranks} FAILED")
                    invalid += 1
                    continue
                runs += 1
                invalid += us["valid"] != 1
                key = (ranks, k)
                if alone[0] > 0 and us["cut"] > 0:
                    cut_single.setdefault(key, []).append(us["cut"] / alone[0])
                if them and us["cut"] > 0:
                    cut_scotch.setdefault(key, []).append(us["cut"] / them)
                if their_time:
                    time_scotch.setdefault(key, []).append(time / their_time)
                    unended += them is None
                print(f"{graph} {k} {ranks} | {alone[0]} {alone[1]:.3f} | {us['cut']:.0f} "
                      f"{time:.3f} {us['valid']:.0f} | {them} {their_time} | "
                      f"{us['cut'] / max(alone[0], 1):.3f} {us['cut'] / them if them else 0:.3f} "
                      f"{time / their_time if their_time else 0:.3f}", flush=True)
    print("\n| ranks | k | cut / one machine | cut / dgpart | time / dgpart |\n|---|---|---|---|---|")
    for key in sorted(cut_single):
        print(f"| {key[0]} | {key[1]} | {mean(cut_single[key]):.3f} | "
              f"{mean(cut_scotch.get(key, [])):.3f} | {mean(time_scotch.get(key, [])):.3f} |")
    every = [sum(table.values(), []) for table in (cut_single, cut_scotch, time_scotch)]
    print("| all | all | " + " | ".join(f"{mean(values):.3f}" for values in every) + " |")
    print(f"\n{runs} cases, {invalid} not valid; dgpart did not end within {args.limit} s in "
          f"{unended} (counted as that much)")


def scale(args):
    print("| graph | edges | ranks | make s | map s | cut | peak MB | peak / share | sent MB "
          "(coarsen, gather, refine) |\n|---|---|---|---|---|---|---|---|---|")
    detail = []
    for size in args.sizes:
        for spec in (f"rgg:{size * 1000000 // 6}:12", rmat(size)):
            for ranks in (1, 2, 4):
                us = ours(spec, 32, ranks)
                if us is None:
                    print(f"| {spec} | | {ranks} | failed |")
                    continue
                down = sum(level["coarsen_mb"] for level in us["level"])
                up = sum(level["refine_mb"] for level in us["level"])
                print(f"| {spec} | {us['edges']:.0f} | {ranks} | {us['read']:.2f} | "
                      f"{us['seconds']:.2f} | {us['cut']:.0f} | {us['peak_mb']:.0f} | "
                      f"{us['peak_ratio']:.2f} | {down:.1f}, {us['gather_mb']:.1f}, {up:.1f} |"
                      + ("" if us["valid"] == 1 else " not valid"), flush=True)
                if ranks == 4 and size == args.sizes[-1]:
                    detail.append((spec, us))
    for spec, us in detail:
        print(f"\n{spec} on 4 ranks, by level:\n\n| level | vertices | edges | sent while "
              "coarsening, MB | while refining, MB |\n|---|---|---|---|---|")
        for level in us["level"]:
            print(f"| {level['level']:.0f} | {level['vertices']:.0f} | {level['edges']:.0f} | "
                  f"{level['coarsen_mb']:.2f} | {level['refine_mb']:.2f} |")


def rmat(size):
    """An R-MAT graph of about so many million edges; duplicates are merged."""
    bits = round(math.log2(size * 1e6 / 12))
    return f"rmat:{bits}:{max(1, round(size * 1.04e6 / 2 ** bits))}"


def ints(text):
    return [int(word) for word in text.split(",")]


parser = argparse.ArgumentParser(prog="bench/run mpi")
parser.add_argument("--graphs", type=lambda text: text.split(","), default=GRAPHS)
parser.add_argument("--k", type=ints, default=[8, 32, 256])
parser.add_argument("--ranks", type=ints, default=[2, 4])
parser.add_argument("--repeat", type=int, default=2)
parser.add_argument("--gather", type=int, default=0)
parser.add_argument("--limit", type=int, default=60)
parser.add_argument("--no-scotch", dest="scotch", action="store_false")
parser.add_argument("--quick", action="store_true")
parser.add_argument("--scale", action="store_true")
parser.add_argument("--sizes", type=ints, default=[5, 10, 25, 50])
options = parser.parse_args(sys.argv[2:])
if options.quick:
    options.graphs = QUICK
if options.scale:
    scale(options)
else:
    compare(options)
