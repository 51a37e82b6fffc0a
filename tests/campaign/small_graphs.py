# SPDX-License-Identifier: Apache-2.0
"""Small random graphs as files, and their properties by plain loops.

Nothing here calls cleave: these are the oracles of tests/campaign/processes.py.
"""


class Graph:
    """n vertices; edges (u, v): weight, u < v, or arcs of a DAG."""

    def __init__(self, rng):
        self.dag = rng.random() < 0.4
        self.n = rng.choice([1, 2, 3, 5, 9, 16, 30, 50])
        self.edges = {}
        weighted = not self.dag and rng.random() < 0.5
        for _ in range(rng.randrange(4 * self.n)):
            u, v = sorted((rng.randrange(self.n), rng.randrange(self.n)))
            if u != v:
                self.edges[u, v] = rng.choice([1, 2, 9, 1000000]) if weighted else 1
        heavy = not self.dag and rng.random() < 0.4
        self.weight = [rng.choice([0, 1, 3, 20]) if heavy else 1 for _ in range(self.n)]

    def write(self, path):
        """METIS with all weights, or DOT of a DAG; the name of the file."""
        path += ".dot" if self.dag else ".graph"
        with open(path, "w") as out:
            if self.dag:
                out.write("digraph {\n%s%s}\n" % (
                    "".join("%d;\n" % v for v in range(self.n)),
                    "".join("%d -> %d;\n" % arc for arc in self.edges)))
            else:
                out.write(self.metis())
        return path

    def metis(self):
        near = [[] for _ in range(self.n)]
        for (u, v), weight in self.edges.items():
            near[u] += ["%d %d" % (v + 1, weight)]
            near[v] += ["%d %d" % (u + 1, weight)]
        lines = ["%d %s" % (w, " ".join(row)) for w, row in zip(self.weight, near)]
        return "%d %d 11\n%s\n" % (self.n, len(self.edges), "\n".join(lines))

    # ---- Judging -------------------------------------------------------------------------

    def cut(self, part):
        return sum(w for (u, v), w in self.edges.items() if part[u] != part[v])

    def volume(self, part):
        reads = set()
        for u, v in self.edges:
            if part[u] != part[v]:
                reads.add((u, part[v]))
                if not self.dag:
                    reads.add((v, part[u]))
        return len(reads)

    def cost(self, part, distance):
        return sum(w * distance(part[u], part[v]) for (u, v), w in self.edges.items())

    def balanced(self, part, nparts, thousandths):
        total = sum(self.weight)
        bound = -(-total // nparts) * (1000 + thousandths) // 1000
        load = [0] * nparts
        for v, p in enumerate(part):
            load[p] += self.weight[v]
        return max(load) <= bound

    def acyclic(self, part):
        """Parts without successors are removed until none is left."""
        after = {(part[u], part[v]) for u, v in self.edges if part[u] != part[v]}
        left = set(part)
        while left:
            free = [p for p in left if not any(b == p for a, b in after if a in left)]
            if not free:
                return False
            left -= set(free)
        return True


def read_metis(path, dag=False):
    """{(u, v): weight} and the number of vertices of a METIS file; edges are checked both ways,
    while the rows of a DAG are successors."""
    with open(path) as file:
        lines = [line for line in file.read().split("\n") if not line.startswith("%")]
    head = lines[0].split()
    n, m = int(head[0]), int(head[1])
    code = head[2].zfill(3) if len(head) > 2 else "000"
    ncon = int(head[3]) if len(head) > 3 else (1 if code[1] == "1" else 0)
    skip = (code[0] == "1") + ncon
    edges = {}
    for v, line in enumerate(lines[1:n + 1]):
        numbers = list(map(int, line.split()))[skip:]
        step = 2 if code[2] == "1" else 1
        for i in range(0, len(numbers), step):
            edges[v, numbers[i] - 1] = numbers[i + 1] if step == 2 else 1
    if dag:
        return edges, n
    for (u, v), weight in edges.items():
        if edges.get((v, u)) != weight:
            raise ValueError("edge %d-%d is stored one way" % (u, v))
    if len(edges) != 2 * m:
        raise ValueError("%d arcs, not twice %d edges" % (len(edges), m))
    return {(u, v): w for (u, v), w in edges.items() if u < v}, n


def read_parts(path, n, nparts):
    with open(path) as file:
        part = [int(line) for line in file.read().split()]
    if len(part) != n or any(not 0 <= p < nparts for p in part):
        raise ValueError("not %d numbers from 0 to %d" % (n, nparts - 1))
    return part


def read_order(path, n):
    with open(path) as file:
        order = [int(line.split()[0]) for line in file if not line.startswith("%")]
    if sorted(order) != list(range(n)):
        raise ValueError("not a permutation of %d" % n)
    return order


def check_schedule(graph, path):
    """Layers and crossing arcs of a schedule file, after every arc was looked at."""
    where, place = {}, {}
    with open(path) as file:
        for line in file:
            if not line.startswith("%"):
                vertex, layer, thread = map(int, line.split()[:3])
                place[vertex] = len(place)
                where[vertex] = (layer, thread)
    if sorted(where) != list(range(graph.n)):
        raise ValueError("not every vertex once")
    for u, v in graph.edges:
        (layer, thread), (later, other) = where[u], where[v]
        if layer > later or (layer == later and thread != other) or place[u] > place[v]:
            raise ValueError("arc %d -> %d is not kept" % (u, v))
    crossing = sum(where[u][1] != where[v][1] for u, v in graph.edges)
    return len({layer for layer, _ in where.values()}), crossing


def machine(rng):
    """A target as text, its PEs and the distance of two of them."""
    kind = rng.choice(["equal", "mesh", "torus", "hypercube"])
    if kind == "equal":
        k = rng.randrange(1, 10)
        return str(k), k, lambda p, q: int(p != q)
    if kind == "hypercube":
        d = rng.randrange(1, 4)
        return "hypercube:%d" % d, 1 << d, lambda p, q: bin(p ^ q).count("1")
    a, b = rng.randrange(1, 4), rng.randrange(1, 4)

    def steps(i, j, size):
        far = abs(i - j)
        return min(far, size - far) if kind == "torus" else far
    return ("%s:%dx%d" % (kind, a, b), a * b,
            lambda p, q: steps(p % a, q % a, a) + steps(p // a, q // a, b))
