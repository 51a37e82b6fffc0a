# SPDX-License-Identifier: Apache-2.0
"""Random runs of the program, for all verbs, and checks of each result.

Every process must end by itself within 20 seconds with a status from 0 to 4; a status of 2 to 4
comes with one line "cleave: ..." on standard error and no output file.  Beyond that, files and
figures are computed again by small_graphs.py.
"""
import json
import math
import os
import random
import shutil
import subprocess
import tempfile
import xml.dom.minidom
import xml.parsers.expat
from collections import Counter

import small_graphs

PATIENCE = 20


class Invalid(Exception):
    pass


def expect(condition, text):
    if not condition:
        raise Invalid(text)


class Runner:
    """Runs commands in a temporary directory; counts processes by verb and exit status."""

    def __init__(self, program, folder, rng):
        self.program, self.folder, self.rng = program, folder, rng
        self.counts = Counter()
        self.last = []

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, *arguments, statuses=(0, 1)):
        """The exit status and the JSON object, if there is one; checked like every process."""
        self.last = [str(a) for a in arguments]
        try:
            done = subprocess.run([self.program] + self.last, cwd=self.folder,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            raise Invalid("it takes longer than %d seconds" % PATIENCE)
        except ValueError:  # an argument with a zero byte
            return None, None
        verb = self.last[0] if self.last and self.last[0] in VERBS else "(no verb)"
        self.counts[verb, done.returncode] += 1
        said = done.stderr.decode("utf-8", "replace").splitlines()
        expect(0 <= done.returncode <= 4, "exit status %d" % done.returncode)
        expect(all(line.startswith("cleave: ") for line in said), "it says %r" % said)
        expect(done.returncode < 2 or len(said) >= 1, "it says nothing about status %d"
               % done.returncode)
        expect(statuses is None or done.returncode in statuses, "exit status %d: %s"
               % (done.returncode, said))
        expect(not [f for f in os.listdir(self.folder) if f.endswith(".tmp")],
               "a temporary file is left")
        figures = None
        if "--json" in self.last and done.returncode < 2:
            try:
                figures = json.loads(done.stdout.decode())
            except ValueError:
                if statuses is not None:
                    raise Invalid("no JSON object: %r" % done.stdout[:200])
        return done.returncode, figures


VERBS = ["info", "check", "convert", "generate", "partition", "map", "order", "split", "remap",
         "schedule", "run", "evaluate", "view", "bench", "help"]

# ---- Verbs ---------------------------------------------------------------------------------


def options_of(rng):
    chosen = ["--effort", rng.choice(["fast", "fast", "default", "quality"]),
              "--seed", rng.randrange(1000), "--threads", rng.choice([0, 1, 2]), "--json"]
    if rng.random() < 0.1:
        chosen += ["--time-limit", rng.choice(["1e-9", "0.001", "0.1"])]
    return chosen


def check_parts(g, status, figures, part, nparts, thousandths):
    empty = nparts - len(set(part))
    balanced = g.balanced(part, nparts, thousandths)
    expect(figures["cut"] == g.cut(part), "cut %s, not %d" % (figures["cut"], g.cut(part)))
    expect(figures["volume"] == g.volume(part), "the volume is %d" % g.volume(part))
    expect(figures["empty_parts"] == empty, "there are %d empty parts" % empty)
    expect(figures["balanced"] == balanced, "balanced is %s" % balanced)
    expect(not g.dag or g.acyclic(part), "the parts form a cycle")
    met = balanced and empty <= max(0, nparts - g.n)
    expect(status == (0 if met else 1), "status %d" % status)


def try_partition(r):
    rng, g = r.rng, small_graphs.Graph(r.rng)
    k, thousandths = rng.randrange(1, 10), rng.choice([0, 30, 100, 500])
    status, figures = r.run("partition", g.write(r.path("g")), "-k", k, "-o", "out.part",
                            "--imbalance", thousandths / 1000,
                            "--objective", rng.choice(["cut", "volume"]), *options_of(rng))
    part = small_graphs.read_parts(r.path("out.part"), g.n, k)
    check_parts(g, status, figures, part, k, thousandths)


def try_map(r):
    g = small_graphs.Graph(r.rng)
    text, k, distance = small_graphs.machine(r.rng)
    status, figures = r.run("map", g.write(r.path("g")), "-t", text, "-o", "out.part",
                            *options_of(r.rng))
    part = small_graphs.read_parts(r.path("out.part"), g.n, k)
    check_parts(g, status, figures, part, k, 30)
    cost = g.cost(part, distance)
    expect(figures["cost"] == cost, "cost %s, not %d" % (figures["cost"], cost))


def try_order(r):
    rng, g = r.rng, small_graphs.Graph(r.rng)
    method = rng.choice(["topo", "auto", "multilevel"] if g.dag else
                        ["auto", "multilevel", "rsbi", "nd", "mindeg"])
    r.run("order", g.write(r.path("g")), "-o", "out.order", "--method", method,
          *options_of(rng), statuses=(0,))
    order = small_graphs.read_order(r.path("out.order"), g.n)
    place = {v: p for p, v in enumerate(order)}
    expect(not g.dag or all(place[u] < place[v] for u, v in g.edges), "an arc runs backward")
    k = rng.randrange(1, 10)
    status, figures = r.run("split", "out.order", "-t", k, "-o", "out.part", "--json")
    part = small_graphs.read_parts(r.path("out.part"), g.n, k)
    along = [part[v] for v in order]
    expect(sum(a != b for a, b in zip(along, along[1:])) == len(set(part)) - (1 if part else 0),
           "a part is no interval")
    expect(figures["balanced"] == g.balanced(part, k, 30) == (status == 0), "the balance")


def try_remap(r):
    g = small_graphs.Graph(r.rng)
    before = r.rng.randrange(1, 10)
    text, k, _ = small_graphs.machine(r.rng)
    old = [r.rng.randrange(before) for _ in range(g.n)]
    with open(r.path("old.part"), "w") as out:
        out.write("".join("%d\n" % p for p in old))
    status, figures = r.run("remap", g.write(r.path("g")), "old.part", "-t", text, "-o",
                            "out.part", *options_of(r.rng))
    part = small_graphs.read_parts(r.path("out.part"), g.n, k)
    check_parts(g, status, figures, part, k, 30)
    moved = sum(a != b for a, b in zip(old, part))
    expect(figures["migration"] == moved, "migration %s, not %d" % (figures["migration"], moved))
    expect(figures["cut_before"] == g.cut(old), "the cut before was %d" % g.cut(old))


def try_schedule(r):
    g = small_graphs.Graph(r.rng)
    while not g.dag:
        g = small_graphs.Graph(r.rng)
    _, figures = r.run("schedule", g.write(r.path("g")), "-p", r.rng.randrange(1, 6), "-o",
                       "out.schedule", "--json", "--method",
                       r.rng.choice(["auto", "grow", "levels", "serial", "graphopt"]),
                       statuses=(0,))
    layers, crossing = small_graphs.check_schedule(g, r.path("out.schedule"))
    expect(figures["layers"] == layers, "there are %d layers" % layers)
    expect(figures["crossing_edges"] == crossing, "%d arcs cross" % crossing)
    r.run("schedule", r.last[1], "--check", "out.schedule", "--json", statuses=(0,))


def try_evaluate(r):
    g, k = small_graphs.Graph(r.rng), r.rng.randrange(1, 10)
    part = [r.rng.randrange(k) for _ in range(g.n)]
    with open(r.path("any.part"), "w") as out:
        out.write("".join("%d\n" % p for p in part))
    _, figures = r.run("evaluate", g.write(r.path("g")), "any.part", "-k", k, "--json",
                       statuses=(0,))
    expect(figures["cut"] == g.cut(part) and figures["volume"] == g.volume(part)
           and figures["balanced"] == g.balanced(part, k, 30), "the metrics")
    expect(figures["acyclic"] == (g.acyclic(part) if g.dag else None), "acyclic")


def try_convert(r):
    g = small_graphs.Graph(r.rng)
    middle = r.rng.choice(["m.clv", "m.clv.gz", "m.dot", "m.graph.gz"])
    lists = ["--as", "dag"] if g.dag and "graph" in middle else []
    r.run("convert", g.write(r.path("g")), middle, statuses=(0,))
    r.run("convert", middle, "last.graph", *lists, statuses=(0,))
    edges, n = small_graphs.read_metis(r.path("last.graph"), g.dag)
    expect(n == g.n and edges == g.edges, "the graph is another one")


def try_info(r):
    g = small_graphs.Graph(r.rng)
    _, figures = r.run("info", g.write(r.path("g")), "--json", statuses=(0,))
    expect(figures["vertices"] == g.n and figures["edges"] == len(g.edges), "the counts")
    _, figures = r.run("check", r.last[1], "--json", statuses=(0,))
    expect(figures["ok"] is True, "a good file is not ok")


def try_damaged(r):
    """A file with some bytes changed: read, or refused with status 3."""
    g = small_graphs.Graph(r.rng)
    path = g.write(r.path("g"))
    with open(path, "rb") as file:
        data = bytearray(file.read())
    for _ in range(r.rng.randrange(1, 4)):
        data[r.rng.randrange(len(data))] = r.rng.randrange(256)
    with open(path, "wb") as file:
        file.write(data[:r.rng.randrange(len(data))] if r.rng.random() < 0.2 else data)
    name = os.path.basename(path)
    status, _ = r.run("check", name, statuses=(0, 3))
    again, _ = r.run("partition", name, "-k", 2, "-o", "out.part", "--effort", "fast",
                     statuses=(0, 1) if status == 0 else (3,))
    expect(os.path.exists(r.path("out.part")) == (again < 2), "the output file")


def try_generate(r):
    kind = r.rng.choice(["grid2d:%dx%d", "gnp:%d:0.%d", "tree:%d", "rgg:1%d:%d", "grid3d:%dx%dx2"])
    numbers = (r.rng.randrange(2, 9), r.rng.randrange(2, 9))
    text = kind % numbers[:kind.count("%d")]
    _, figures = r.run("generate", text, "-o", "out.graph", "--coords", "", "--seed",
                       r.rng.randrange(100), "--json", statuses=(0,))
    edges, n = small_graphs.read_metis(r.path("out.graph"))
    expect(figures["vertices"] == n and figures["edges"] == len(edges), "the counts")


def try_view(r):
    g = small_graphs.Graph(r.rng)
    name = r.rng.choice(["out.svg", "out.html"])
    r.run("view", g.write(r.path("g")), "-o", name, statuses=(0,))
    if name == "out.svg":
        xml.dom.minidom.parse(r.path(name))
    with open(r.path(name)) as file:
        expect(file.read().rstrip().endswith("</svg>" if name == "out.svg" else "</html>"),
               "the end of the picture")


def try_solve(r):
    n = r.rng.randrange(1, 30)
    entries = ["%d %d %d" % (i + 1, i + 1, 1 + r.rng.randrange(9)) for i in range(n)]
    entries += ["%d %d %d" % (i + 1, j + 1, r.rng.randrange(-9, 9))
                for i in range(n) for j in range(i) if r.rng.random() < 0.2]
    with open(r.path("t.mtx"), "w") as out:
        out.write("%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n%s\n"
                  % (n, n, len(entries), "\n".join(entries)))
    _, figures = r.run("run", "solve", "t.mtx", "-p", r.rng.randrange(1, 3), "--repeat", 1,
                       "--json", statuses=(0,))
    expect(figures["bits_equal"] is True and figures["rows"] == n, "the solution")


def try_circuit(r):
    """x with probability p, and then y with q; without x no y."""
    p, q = r.rng.uniform(0.01, 0.99), r.rng.uniform(0.01, 0.99)
    with open(r.path("c.psdd"), "w") as out:
        out.write("psdd 5\nL 0 0 1\nL 1 0 -1\nT 2 2 2 %r\nL 3 2 -2\nD 4 1 2 0 2 %r 1 3 %r\n"
                  % (math.log(q), math.log(p), math.log1p(-p)))
    with open(r.path("c.csv"), "w") as out:
        out.write("1,1\n1,0\n0,0\n0,1\n")
    r.run("run", "circuit", "c.psdd", "--batch", "c.csv", "-o", "out.txt", "--repeat", 1,
          "-p", r.rng.randrange(1, 3), "--json", statuses=(0,))
    with open(r.path("out.txt")) as file:
        found = [float(line) for line in file]
    truth = [math.log(p) + math.log(q), math.log(p) + math.log1p(-q), math.log1p(-p), -math.inf]
    expect(len(found) == 4 and all(a == b or abs(a - b) < 1e-9 for a, b in zip(found, truth)),
           "%s, not %s" % (found, truth))


def try_calibrate(r):
    r.run("bench", "calibrate", "-o", "out.costs", statuses=(0,))
    with open(r.path("out.costs")) as file:
        costs = dict(line.split() for line in file if not line.startswith("%"))
    expect(sorted(costs) == ["read", "sync"] and min(map(float, costs.values())) >= 0,
           "costs %s" % costs)


WORDS = ["-k", "-t", "-o", "-p", "--json", "--seed", "--effort", "--imbalance", "--method",
         "--order", "--fix", "--groups", "--start", "--min", "--max", "--shares", "--connected",
         "--as", "--from", "--to", "--weights", "--scale", "--coords", "--time-limit",
         "--objective", "--one-to-one", "--params", "--condense", "--trust", "--repair",
         "--strict", "--check", "--part-order", "--quotient", "--report", "--launch", "--hosts",
         "--migration-price", "--strategy", "--separator", "--list", "--help", "--version",
         "0", "1", "2", "3", "-1", "1e9", "nan", "", "-", "--", "x", "7.5", "g.graph", "g.dot",
         "old.part", "/dev/null", "missing", ".", "dag", "lower", "undirected", "metis", "dot",
         "mesh:2x2", "torus:0", "tree:2:2@1:5", "3,0,2", "8[0,1]", "8[9]", "fast", "default",
         "cut", "volume", "cost", "congestion", "rcb", "nd", "topo", "grid2d:4x4", "gnp:9:0.3",
         "%s%n", "\u00e9\u00e9", "a" * 300, "99999999999999999999"]


def try_garbage(r):
    """Random words: the program must report an error, with any message."""
    g = small_graphs.Graph(r.rng)
    g.write(r.path("g"))
    with open(r.path("old.part"), "w") as out:
        out.write("0\n" * g.n)
    verb = [r.rng.choice(VERBS)] if r.rng.random() < 0.9 else []
    if verb == ["bench"]:
        verb = ["help"]
    words = [r.rng.choice(WORDS) for _ in range(r.rng.randrange(7))]
    r.run(*(verb + words), statuses=None)


TRIES = ([try_partition] * 5 + [try_map] * 4 + [try_order] * 3 + [try_remap] * 3
         + [try_schedule] * 3 + [try_evaluate] * 3 + [try_convert] * 3 + [try_info] * 2
         + [try_damaged] * 4 + [try_generate] * 2 + [try_view] * 2 + [try_circuit]
         + [try_garbage] * 12)
SLOW_TRIES = [try_solve] * 4 + [try_calibrate]  # a tenth of a second each


def run_one(runner, seed, i):
    """Runs case i; Invalid describes the failure."""
    rng = random.Random("%d process %d" % (seed, i))
    runner.rng = rng
    attempt = rng.choice(SLOW_TRIES if rng.random() < 0.005 else TRIES)
    for name in os.listdir(runner.folder):
        path = runner.path(name)
        shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
    try:
        attempt(runner)
    except (Invalid, OSError, ValueError, KeyError, TypeError, xml.parsers.expat.ExpatError) as wrong:
        raise Invalid("%s: cleave %s: %s" % (attempt.__name__, " ".join(runner.last), wrong))


def run_range(program, seed, first, count):
    """Counts by verb and status, and the invalid cases as (number, text)."""
    folder = tempfile.mkdtemp(prefix="campaign-", dir="/dev/shm" if os.path.isdir("/dev/shm")
                              else None)
    runner = Runner(program, folder, random.Random(seed))
    invalid, i = [], first
    while sum(runner.counts.values()) < count and len(invalid) < 20:
        try:
            run_one(runner, seed, i)
        except Invalid as wrong:
            invalid.append((i, str(wrong)))
        i += 1
    shutil.rmtree(folder, ignore_errors=True)
    return runner.counts, invalid
