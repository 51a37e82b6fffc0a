/* SPDX-License-Identifier: Apache-2.0 */
/* tests/oracle/acyclic_oracle.c - see the header. */
#include "oracle/acyclic_oracle.h"

#include <stdlib.h>
#include <string.h>

static void *grab(int64_t count, size_t size)
{
    void *memory = calloc((size_t)count + 1, size);
    if (!memory)
        abort();
    return memory;
}

/* ---- Acyclic? --------------------------------------------------------------------------- */

/* Where the search stands in a part: a vertex of it, and an arc of that vertex. */
typedef struct walk {
    const cleave_csr *g;
    const int32_t *part;
    int32_t *next;  /* by vertex: another of the same part, or -1 */
    int32_t *now;   /* by part: the vertex that is looked at, or -1 when all were */
    int64_t *arc;   /* by part: its arc that comes next */
    char *state;    /* by part: 0 new, 1 on the path, 2 done */
    int32_t *stack; /* the path */
} walk;

/* The part behind the next arc that leaves p, or -1 when there is none left. */
static int32_t step(walk *w, int32_t p)
{
    while (w->now[p] >= 0) {
        int32_t v = w->now[p];
        while (w->arc[p] < w->g->xadj[v + 1]) {
            int32_t q = w->part[w->g->adj[w->arc[p]++]];
            if (q != p)
                return q;
        }
        w->now[p] = w->next[v];
        w->arc[p] = w->now[p] >= 0 ? w->g->xadj[w->now[p]] : 0;
    }
    return -1;
}

static bool search(walk *w, int32_t root)
{
    int32_t depth = 0;
    w->stack[depth++] = root;
    w->state[root] = 1;
    while (depth > 0) {
        int32_t p = w->stack[depth - 1], q = step(w, p);
        if (q < 0) {
            w->state[p] = 2;
            depth--;
        } else if (w->state[q] == 1) {
            return false;
        } else if (w->state[q] == 0) {
            w->state[q] = 1;
            w->stack[depth++] = q;
        }
    }
    return true;
}

bool oracle_parts_acyclic(const cleave_csr *g, int32_t nparts, const int32_t *part)
{
    walk w = {g,
              part,
              grab(g->nvtx, sizeof(int32_t)),
              grab(nparts, sizeof(int32_t)),
              grab(nparts, sizeof(int64_t)),
              grab(nparts, 1),
              grab(nparts, sizeof(int32_t))};
    bool acyclic = true;
    memset(w.now, 0xff, (size_t)nparts * sizeof *w.now);
    for (int32_t v = 0; v < g->nvtx; v++) {
        w.next[v] = w.now[part[v]];
        w.now[part[v]] = v;
        w.arc[part[v]] = g->xadj[v];
    }
    for (int32_t p = 0; p < nparts && acyclic; p++)
        if (w.state[p] == 0)
            acyclic = search(&w, p);
    free(w.next);
    free(w.now);
    free(w.arc);
    free(w.state);
    free(w.stack);
    return acyclic;
}

/* ---- Cut and volume --------------------------------------------------------------------- */

int64_t oracle_cut(const cleave_csr *g, const int32_t *part)
{
    int64_t cut = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (part[g->adj[a]] != part[v])
                cut += g->ewgt ? g->ewgt[a] : 1;
    return cut;
}

int64_t oracle_volume(const cleave_csr *g, int32_t nparts, const int32_t *part)
{
    int64_t volume = 0;
    int32_t *reader = grab(nparts, sizeof *reader); /* 1 + the vertex that was last read */
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t p = part[g->adj[a]];
            if (p != part[v] && reader[p] != v + 1)
                volume += g->vsize ? g->vsize[v] : 1;
            reader[p] = v + 1;
        }
    free(reader);
    return volume;
}

/* ---- The optimum ------------------------------------------------------------------------ */

typedef struct sets {
    const cleave_csr *g;
    int n;
    uint32_t pred[ACYCLIC_MAX_VERTICES], succ[ACYCLIC_MAX_VERTICES];
    int64_t *weight; /* by set of vertices */
    int64_t *inside; /* weight of the arcs between vertices of the set */
    uint32_t *closed;
    int32_t count; /* of closed, each after its subsets */
} sets;

static int64_t weight_of(const cleave_csr *g, int32_t v)
{
    return g->vwgt ? g->vwgt[(int64_t)v * g->ncon] : 1;
}

static bool is_closed(const sets *s, uint32_t set)
{
    for (int v = 0; v < s->n; v++)
        if (set >> v & 1 && (s->pred[v] & ~set))
            return false;
    return true;
}

/* Sums over all sets: the set without its highest vertex, and what that vertex adds. */
static void sum_sets(sets *s)
{
    int64_t arc[ACYCLIC_MAX_VERTICES][ACYCLIC_MAX_VERTICES] = {{0}};
    for (int v = 0; v < s->n; v++)
        for (int64_t a = s->g->xadj[v]; a < s->g->xadj[v + 1]; a++)
            arc[v][s->g->adj[a]] = arc[s->g->adj[a]][v] = s->g->ewgt ? s->g->ewgt[a] : 1;
    for (int v = 0; v < s->n; v++)
        for (uint32_t rest = 0; rest < 1u << v; rest++) {
            uint32_t set = rest | 1u << v;
            int64_t joined = 0;
            for (int u = 0; u < v; u++)
                joined += rest >> u & 1 ? arc[u][v] : 0;
            s->weight[set] = s->weight[rest] + weight_of(s->g, v);
            s->inside[set] = s->inside[rest] + joined;
        }
}

static void make_sets(sets *s, const cleave_csr *g)
{
    *s = (sets){.g = g, .n = g->nvtx};
    if (s->n > ACYCLIC_MAX_VERTICES)
        abort();
    int64_t all = (int64_t)1 << s->n;
    s->weight = grab(all, sizeof *s->weight);
    s->inside = grab(all, sizeof *s->inside);
    s->closed = grab(all, sizeof *s->closed);
    for (int v = 0; v < s->n; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            s->succ[v] |= 1u << g->adj[a];
            s->pred[g->adj[a]] |= 1u << v;
        }
    sum_sets(s);
    for (uint32_t set = 0; set < all; set++)
        if (is_closed(s, set))
            s->closed[s->count++] = set;
}

static void free_sets(sets *s)
{
    free(s->weight);
    free(s->inside);
    free(s->closed);
}

int64_t oracle_closed_sets(const cleave_csr *g)
{
    sets s;
    make_sets(&s, g);
    free_sets(&s);
    return s.count;
}

/* What it costs that `block` is a part and `before` are the vertices of parts before it. */
static int64_t cost_of(const sets *s, uint32_t before, uint32_t block,
                       cleave_objective objective)
{
    if (objective == CLEAVE_OBJECTIVE_CUT)
        return s->inside[before | block] - s->inside[before] - s->inside[block];
    int64_t cost = 0;
    for (int v = 0; v < s->n; v++)
        if (before >> v & 1 && s->succ[v] & block)
            cost += s->g->vsize ? s->g->vsize[v] : 1;
    return cost;
}

/* best[i << nparts | taken]: closed set i is divided among the parts that are taken. */
static void extend(const sets *s, const acyclic_bounds *b, cleave_objective objective,
                   int32_t from, int32_t to, int64_t *best)
{
    uint32_t before = s->closed[from], block = s->closed[to] & ~before;
    int64_t weight = s->weight[block], cost = -1;
    for (int p = 0; p < b->nparts; p++) {
        if (weight < b->min[p] || weight > b->max[p])
            continue;
        if (cost < 0)
            cost = cost_of(s, before, block, objective);
        for (int taken = 0; taken < 1 << b->nparts; taken++) {
            int64_t have = best[(int64_t)from << b->nparts | taken];
            int64_t *into = &best[(int64_t)to << b->nparts | taken | 1 << p];
            if (have >= 0 && !(taken >> p & 1) && (*into < 0 || have + cost < *into))
                *into = have + cost;
        }
    }
}

int64_t oracle_optimum(const cleave_csr *g, const acyclic_bounds *bounds,
                       cleave_objective objective)
{
    sets s;
    make_sets(&s, g);
    int64_t places = (int64_t)s.count << bounds->nparts;
    int64_t *best = grab(places, sizeof *best);
    memset(best, 0xff, (size_t)places * sizeof *best);
    best[0] = 0; /* the empty set, no part taken */
    for (int32_t to = 1; to < s.count; to++)
        for (int32_t from = 0; from < to; from++)
            if (!(s.closed[from] & ~s.closed[to]))
                extend(&s, bounds, objective, from, to, best);
    int64_t optimum = best[places - 1];
    free(best);
    free_sets(&s);
    return optimum;
}

static bool within(const cleave_csr *g, const acyclic_bounds *b, const int32_t *part)
{
    int64_t weight[ACYCLIC_MAX_PARTS] = {0};
    int count[ACYCLIC_MAX_PARTS] = {0};
    for (int32_t v = 0; v < g->nvtx; v++) {
        weight[part[v]] += weight_of(g, v);
        count[part[v]]++;
    }
    for (int p = 0; p < b->nparts; p++)
        if (!count[p] || weight[p] < b->min[p] || weight[p] > b->max[p])
            return false;
    return true;
}

int64_t oracle_optimum_slow(const cleave_csr *g, const acyclic_bounds *bounds,
                            cleave_objective objective)
{
    int32_t part[ACYCLIC_MAX_VERTICES] = {0};
    int64_t best = -1;
    for (;;) {
        if (within(g, bounds, part) && oracle_parts_acyclic(g, bounds->nparts, part)) {
            int64_t value = objective == CLEAVE_OBJECTIVE_CUT
                                ? oracle_cut(g, part)
                                : oracle_volume(g, bounds->nparts, part);
            best = best < 0 || value < best ? value : best;
        }
        int32_t v = 0;
        while (v < g->nvtx && ++part[v] == bounds->nparts)
            part[v++] = 0;
        if (v == g->nvtx)
            return best;
    }
}
