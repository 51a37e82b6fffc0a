#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench/run ledger [--only NAME,NAME] [--record] [--list]

Measures a small set for every capability and prints it beside the last record, so that a change
of one part shows what it costs another.  At most ten minutes on two cores.

Records are the lines of bench/ledger/ledger.tsv: capability, measure, which direction is better, the bar
on this small set (or -), the recorded value.  --record replaces the values that were measured.
The bars of the full sets are in bench/RESULTS.md; a bar here is the full set's bar where the
small set is representative of it, and otherwise absent.

A cut, fill or schedule is deterministic, but any change of a tie moves it: the mean over a small
set differs between seeds by 1.5 to 3 % (fast partitions, 39 instances; docs/design/engine.md).
Where the sets are small, several seeds are measured; a change above a capability's noise
(NOISE) is reported as WORSE.  Times are ratios to a rival in the same run and still noisy: above
20 % is reported as SLOWER.  The exit status is 1 when something is WORSE, misses a bar, or was not measured.
"""
import argparse
import math
import os
import re
import subprocess
import sys
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
RECORDS = os.path.join(FOLDER, "ledger.tsv")
# Relative change of a cut or cost by other ties alone: twice the standard error over the three
# seeds of a step where it was measured (single seeds of fast: 0.869 to 0.932, of maps: 0.950 and
# 0.976), else 0.5 %.
QUALITY_TOLERANCE = 0.005
NOISE = {"partition": 0.02, "map": 0.02}
TIME_TOLERANCE = 0.20


class Step:
    """One bench program with its arguments, and the figures read from its output."""

    def __init__(self, capability, command, read, needs=None):
        self.capability = capability
        self.command = command  # words; the build folder and the result folder are filled in
        self.read = read  # text -> {measure: value}
        self.needs = needs  # a program without which the step is left out


def rows(pattern, names):
    """Reads named figures: each match of `pattern` has the row's name and then the figures."""

    def read(text):
        found = {}
        for match in re.finditer(pattern, text, re.MULTILINE):
            label = " ".join(match.group(1).split())
            for name, value in zip(names, match.groups()[1:]):
                found[f"{label}: {name}"] = float(value)
        return found

    return read


def read_bars(text):
    """Lines of `layers` and `solve`: what, reached, bar, verdict."""
    found = {}
    for what, reached in re.findall(r"^  (\S.*?) +([0-9.]+) +[0-9.]+ (?:met|MISSED)", text, re.M):
        found[what.replace(" (not all matrices)", "")] = float(reached)
    return found


def only(read, pattern):
    """The figures of `read` whose names match."""
    return lambda text: {name: value for name, value in read(text).items()
                         if re.search(pattern, name)}


def read_invalid(read):
    """Adds the number of invalid results, which every table ends with."""

    def with_invalid(text):
        found = read(text)
        match = re.search(r"(\d+) (?:invalid|not valid)", text)
        if match:
            found["invalid results"] = float(match.group(1))
        return found

    return with_invalid


OVER = r"([0-9.]+) @ *([0-9.]+)"
ONE = ["--cpu", "--threads", "1", "--seeds", "1", "--repeat", "1"]
THREE = ["--cpu", "--threads", "1", "--seeds", "3", "--repeat", "1"]
STEPS = [
    Step("partition", ["bench_partition", "--quick", "--efforts", "fast,default,quality", *THREE],
         read_invalid(rows(r"^(fast|default|quality), 1 thread +" + OVER,
                           ["cut over METIS", "time over METIS"]))),
    Step("volume", ["bench_partition", "--volume", "--graphs", "add20,4elt,memplus", "--k", "8",
                    "--efforts", "default", *ONE],
         read_invalid(rows(r"^(default) +1 thread +([0-9.]+) +([0-9.]+)",
                           ["volume over METIS", "time over METIS"]))),
    Step("acyclic", ["bench_acyclic", "--quick", "--efforts", "fast,default", *ONE],
         read_invalid(rows(r"^(fast|default) +1 thread +" + OVER,
                           ["cut over dagP", "time over METIS"]))),
    Step("map", ["bench_map", "--quick", "--efforts", "default", *THREE],
         read_invalid(rows(r"^(trees|mesh, torus, hypercube) +default +" + OVER,
                           ["cost over Scotch", "time over Scotch"]))),
    Step("orders", ["bench_adaptive", "--meshes", "--quick", "--cpu"],
         read_invalid(rows(r"^(building .*?|the same, worst graph|cut of .*?|from scratch / .*?) +"
                           r"([0-9.]+)  bar", ["ratio"]))),
    Step("remap", ["bench_adaptive", "--remap", "--quick", "--cpu", "--graphs", "3elt,bump"],
         read_invalid(rows(r"^(all events) +([0-9.]+) +[0-9.]+ .*?([0-9.]+) +[0-9.]+ .*?"
                           r"([0-9.]+) +[0-9.]+",
                           ["cut at price 0", "migration at price 1000", "cut at price 1000"]))),
    Step("layers", ["bench_layers", "--quick", "--cpu", "--repeat", "1", "--methods",
                    "auto,auto+split,graphopt"],
         only(read_invalid(read_bars), r"speed-up|fewer layers|best public|solves|invalid")),
    Step("solve", ["bench_solve", "--quick"],
         only(read_bars, r"recorded matrices|mean$")),
    Step("fill", ["bench_fill", "--quick", "--efforts", "default"],
         rows(r"^(geometric mean) +([0-9.]+) +([0-9.]+) +([0-9.]+)",
              ["fill over METIS", "operations over METIS", "time over METIS"])),
    Step("metis", ["bench_metis", "--quick", "--k", "2,8,32"],
         rows(r"^(k-way|recursive|NodeND, fill) {3,}([0-9.]+) +([0-9.]+)",
              ["quality over METIS", "time over METIS"])),
    Step("mpi", ["mpi/mpi.py", "--quick", "--ranks", "2", "--repeat", "1"],
         read_invalid(rows(r"^\| (all) \| all \| ([0-9.]+) \| ([0-9.]+) \| ([0-9.]+)",
                           ["cut over one machine", "cut over dgpart", "time over dgpart"])),
         needs="mpirun"),
]


def is_time(measure):
    return "time" in measure or "speed-up" in measure and "threads" not in measure or \
        "solves" in measure or "recorded matrices" in measure or "circuits over" in measure or \
        measure.startswith("building") or measure.startswith("the same, worst graph") or \
        measure.startswith("from scratch")


def more_is_better(measure):
    return bool(re.search(r"^speed-up|fewer layers|recorded matrices|circuits over|"
                          r"from scratch / split_refine", measure))


def load_records():
    records = {}
    if os.path.exists(RECORDS):
        with open(RECORDS, encoding="utf-8") as file:
            for line in file:
                if not line.startswith("#"):
                    capability, measure, better, bar, value = line.rstrip("\n").split("\t")
                    records[capability, measure] = [better, bar, float(value)]
    return records


def save_records(records):
    with open(RECORDS + ".new", "w", encoding="utf-8") as file:
        file.write("# capability\tmeasure\tbetter\tbar\trecord\n")
        for (capability, measure), (better, bar, value) in records.items():
            file.write(f"{capability}\t{measure}\t{better}\t{bar}\t{value:g}\n")
    os.replace(RECORDS + ".new", RECORDS)


def run_step(step, build):
    """The output of a step, or None; results of earlier runs are not used."""
    folder = os.path.join(build, "bench", "ledger")
    os.makedirs(folder, exist_ok=True)
    program, *arguments = step.command
    if program.endswith(".py"):
        words = [sys.executable, os.path.join(FOLDER, "..", program), build, *arguments]
    else:
        words = [os.path.join(build, "bench", program), folder, *arguments]
        if program not in ("bench_solve", "bench_fill", "bench_metis"):
            words.append("--fresh")
    log = os.path.join(folder, step.capability + ".log")
    with open(log, "w", encoding="utf-8") as errors:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=errors, text=True, check=False)
    with open(log, "a", encoding="utf-8") as file:
        file.write(done.stdout)
    if not done.stdout:
        print(f"  {step.capability}: nothing measured, see {log}")
    return done.stdout


def judge(capability, measure, better, bar, record, value):
    """The note on one figure, and whether it fails."""
    worse, reference = (value, record) if better == "less" else (record, value)
    factor = worse / reference if reference else 1 if worse == 0 else math.inf
    tolerance = TIME_TOLERANCE if is_time(measure) else NOISE.get(capability, QUALITY_TOLERANCE)
    missed = bar != "-" and (value > float(bar) if better == "less" else value < float(bar))
    remark = "missed" if missed else ""
    if factor > 1 + tolerance:
        remark = ("SLOWER " if is_time(measure) else "WORSE ") + remark
    elif factor < 1 - tolerance:
        remark = "better " + remark
    return remark, missed or (factor > 1 + tolerance and not is_time(measure))


def compare(step, found, records, record_now):
    failures = 0
    for measure, value in found.items():
        key = step.capability, measure
        if key not in records:
            records[key] = ["more" if more_is_better(measure) else "less", "-", value]
            remark = "new"
        else:
            better, bar, record = records[key]
            remark, failed = judge(step.capability, measure, better, bar, record, value)
            failures += failed
        better, bar, record = records[key]
        print(f"{step.capability:<10} {measure:<58} {bar:>6} {record:>9.3f} {value:>9.3f}  {remark}")
        if record_now:
            records[key][2] = value
    for capability, measure in records:
        if capability == step.capability and measure not in found:
            print(f"{capability:<10} {measure:<58} not measured")
            failures += 1
    return failures


def main():
    parser = argparse.ArgumentParser(prog="bench/run ledger")
    parser.add_argument("build")
    parser.add_argument("--only", help="capabilities, separated by commas")
    parser.add_argument("--record", action="store_true", help="keep what is measured as the record")
    parser.add_argument("--list", action="store_true", help="print the records, measure nothing")
    options = parser.parse_args()
    records = load_records()
    wanted = options.only.split(",") if options.only else [s.capability for s in STEPS]
    unknown = set(wanted) - {s.capability for s in STEPS}
    if unknown:
        parser.error(f"no such capability: {', '.join(sorted(unknown))}")
    print(f"{'':10} {'':58} {'bar':>6} {'record':>9} {'now':>9}")
    failures, start = 0, time.monotonic()
    for step in STEPS:
        if step.capability not in wanted:
            continue
        if options.list:
            found = {m: r[2] for (c, m), r in records.items() if c == step.capability}
        elif step.needs and subprocess.run(["which", step.needs], stdout=subprocess.DEVNULL,
                                           check=False).returncode:
            print(f"{step.capability:<10} left out: {step.needs} is not installed")
            continue
        else:
            found = step.read(run_step(step, options.build))
        failures += compare(step, found, records, options.record)
        sys.stdout.flush()
    if options.record:
        save_records(records)
    print(f"\n{time.monotonic() - start:.0f} s; {failures} figures worse than the record beyond "
          "tolerance, beyond a bar, or not measured")
    return 1 if failures and not options.record else 0


if __name__ == "__main__":
    sys.exit(main())
