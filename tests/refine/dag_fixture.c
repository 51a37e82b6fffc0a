/* SPDX-License-Identifier: Apache-2.0 */
#include "refine/dag_fixture.h"

/* ---- Making -------------------------------------------------------------------------- */

static void *keep(dag_fixture *f, int64_t count, size_t each)
{
    void *block = calloc((size_t)count + 1, each);
    if (!block)
        abort();
    f->blocks[f->nblocks++] = block;
    return block;
}

/* Arcs between places of the hidden order, tail < head. */
typedef struct arcs {
    int32_t *tail, *head;
    int64_t count, room;
} arcs;

static void add_arc(arcs *e, int32_t u, int32_t v)
{
    if (e->count == e->room)
        abort();
    e->tail[e->count] = u;
    e->head[e->count++] = v;
}

/* Unless it is there: the arcs of a tail come together. */
static void add_once(arcs *e, int32_t u, int32_t v)
{
    for (int64_t i = e->count; i-- > 0 && e->tail[i] == u;)
        if (e->head[i] == v)
            return;
    add_arc(e, u, v);
}

static void add_drawn(arcs *e, int32_t u, int32_t n, int32_t reach, uint32_t degree,
                      clv_rng *rng)
{
    int32_t behind = n - 1 - u < reach ? n - 1 - u : reach;
    for (uint32_t i = 0; i < degree && behind > 0; i++)
        add_once(e, u, u + 1 + (int32_t)clv_rng_below(rng, (uint32_t)behind));
}

static void add_arcs(arcs *e, const dag_options *o, clv_rng *rng)
{
    int32_t n = o->nvtx, side = 1;
    while ((int64_t)side * side < n)
        side++;
    for (int32_t u = 0; u < n; u++) {
        if (o->shape == DAG_RANDOM) {
            add_drawn(e, u, n, n, clv_rng_below(rng, 4), rng);
        } else if (o->shape == DAG_LOCAL) {
            add_drawn(e, u, n, 12, 1 + clv_rng_below(rng, 3), rng);
        } else if (o->shape == DAG_GRID) {
            if ((u + 1) % side != 0 && u + 1 < n)
                add_arc(e, u, u + 1);
            if (u + side < n)
                add_arc(e, u, u + side);
        } else if (o->shape == DAG_HUBS) {
            if (u < 3)
                for (int32_t v = 3 + u; v < n; v += 2 + u)
                    add_arc(e, u, v);
            else
                add_drawn(e, u, n, 20, 1, rng);
        } else if ((u + 1) % 10 != 0 && u + 1 < n) {
            add_arc(e, u, u + 1);
        }
    }
}

/* Rows by `from`, filled in the order of the arcs. */
static void make_rows(dag_fixture *f, const arcs *e, const int32_t *from, const int32_t *to,
                      const int32_t *wgt, const int64_t **rows, const int32_t **ends,
                      const int32_t **weights)
{
    int32_t n = f->g.nvtx;
    int64_t *xadj = keep(f, n + 1, sizeof *xadj);
    int32_t *adj = keep(f, e->count, sizeof *adj);
    int32_t *ewgt = keep(f, e->count, sizeof *ewgt);
    for (int64_t i = 0; i < e->count; i++)
        xadj[f->order[from[i]] + 1]++;
    for (int32_t v = 0; v < n; v++)
        xadj[v + 1] += xadj[v];
    for (int64_t i = e->count; i-- > 0;) {
        int64_t a = --xadj[f->order[from[i]] + 1];
        adj[a] = f->order[to[i]];
        ewgt[a] = wgt[i];
    }
    /* Each row now begins at the place of its end: shift by one. */
    for (int32_t v = 0; v < n; v++)
        xadj[v] = xadj[v + 1];
    xadj[n] = e->count;
    *rows = xadj;
    *ends = adj;
    *weights = ewgt;
}

static void make_graph(dag_fixture *f, const dag_options *o, clv_rng *rng)
{
    arcs e = {.room = 4 * (int64_t)o->nvtx + 10};
    e.tail = keep(f, e.room, sizeof *e.tail);
    e.head = keep(f, e.room, sizeof *e.head);
    add_arcs(&e, o, rng);
    int32_t *wgt = keep(f, e.count, sizeof *wgt);
    for (int64_t i = 0; i < e.count; i++)
        wgt[i] =
            o->edge_weight ? (int32_t)clv_rng_below(rng, (uint32_t)o->edge_weight + 1) : 1;
    clv_rng_permutation(rng, o->nvtx, f->order);
    f->g.kind = CLEAVE_DAG;
    f->g.nvtx = o->nvtx;
    f->g.narc = e.count;
    f->g.ncon = o->ncon;
    make_rows(f, &e, e.tail, e.head, wgt, &f->g.xadj, &f->g.adj, &f->g.ewgt);
    make_rows(f, &e, e.head, e.tail, wgt, &f->g.xpred, &f->g.pred, &f->g.pwgt);
    if (o->edge_weight == 0)
        f->g.ewgt = f->g.pwgt = NULL;
    if (o->vertex_weight == 0)
        return;
    int32_t *vwgt = keep(f, (int64_t)o->nvtx * o->ncon, sizeof *vwgt);
    for (int64_t i = 0; i < (int64_t)o->nvtx * o->ncon; i++)
        vwgt[i] = (int32_t)clv_rng_below(rng, (uint32_t)o->vertex_weight + 1);
    f->g.vwgt = vwgt;
}

static void make_bounds(dag_fixture *f, const dag_options *o, clv_rng *rng)
{
    int64_t places = (int64_t)o->nparts * o->ncon;
    int32_t *label = keep(f, o->nparts, sizeof *label);
    clv_rng_permutation(rng, o->nparts, label);
    for (int32_t r = 0; r < o->nparts; r++)
        f->rank[label[r]] = f->hidden_rank[label[r]] = r;
    for (int32_t i = 0; i < o->nvtx; i++) {
        int32_t v = f->order[i], p = label[(int64_t)i * o->nparts / o->nvtx];
        f->hidden[v] = f->part[v] = p;
        f->fixed[v] = o->fixed && v % o->fixed == 0 ? p : -1;
        for (int32_t c = 0; c < o->ncon; c++)
            f->max[(int64_t)p * o->ncon + c] += clv_graph_vwgt(&f->g, v, c);
    }
    for (int64_t i = 0; i < places; i++) {
        double weight = (double)f->max[i];
        f->max[i] = (int64_t)(weight * (1 + o->slack));
        f->min[i] = (int64_t)(weight * (1 - o->slack));
        if (f->max[i] == 0)
            f->max[i] = 1;
    }
}

void dag_make(dag_fixture *f, const dag_options *o)
{
    clv_rng rng = clv_rng_make(o->seed, 17, 7, 7);
    int64_t places = (int64_t)o->nparts * o->ncon;
    *f = (dag_fixture){0};
    f->order = keep(f, o->nvtx, sizeof *f->order);
    make_graph(f, o, &rng);
    f->hidden = keep(f, o->nvtx, sizeof *f->hidden);
    f->part = keep(f, o->nvtx, sizeof *f->part);
    f->fixed = keep(f, o->nvtx, sizeof *f->fixed);
    f->maybe_boundary = keep(f, o->nvtx, sizeof *f->maybe_boundary);
    f->count = keep(f, o->nparts, sizeof *f->count);
    f->rank = keep(f, o->nparts, sizeof *f->rank);
    f->hidden_rank = keep(f, o->nparts, sizeof *f->hidden_rank);
    f->weight = keep(f, places, sizeof *f->weight);
    f->max = keep(f, places, sizeof *f->max);
    f->min = keep(f, places, sizeof *f->min);
    make_bounds(f, o, &rng);
    f->s = (clv_partition_state){
        .g = &f->g,
        .bounds = {o->nparts, f->g.ncon, NULL, f->max, o->lower ? f->min : NULL},
        .part = f->part,
        .fixed = o->fixed ? f->fixed : NULL,
        .weight = f->weight,
        .count = f->count,
        .maybe_boundary = f->maybe_boundary,
        .rank = f->rank};
    dag_scatter(f, 0, 0);
}

void dag_free(dag_fixture *f)
{
    for (int i = 0; i < f->nblocks; i++)
        free(f->blocks[i]);
}

dag_options dag_any(uint64_t seed, int32_t largest)
{
    clv_rng rng = clv_rng_make(seed, 18, 8, 8);
    dag_options o = {.seed = seed};
    o.shape = (dag_shape)clv_rng_below(&rng, DAG_SHAPES);
    o.nvtx = 2 + (int32_t)clv_rng_below(&rng, (uint32_t)largest - 1);
    o.nparts = 2 + (int32_t)clv_rng_below(&rng, clv_rng_below(&rng, 3) ? 6 : 40);
    o.nparts = clv_rng_below(&rng, 3) ? o.nparts : 2;
    o.nparts = o.nparts < o.nvtx ? o.nparts : o.nvtx;
    o.ncon = clv_rng_below(&rng, 3) ? 1 : 1 + (int32_t)clv_rng_below(&rng, 3);
    o.vertex_weight = clv_rng_below(&rng, 2) ? 0 : 1 + (int32_t)clv_rng_below(&rng, 9);
    o.edge_weight = clv_rng_below(&rng, 2) ? 0 : 1 + (int32_t)clv_rng_below(&rng, 9);
    o.slack = 0.02 * clv_rng_below(&rng, 6);
    o.lower = clv_rng_below(&rng, 3) == 0;
    o.fixed = clv_rng_below(&rng, 3) ? 0 : 2 + (int)clv_rng_below(&rng, 9);
    return o;
}

/* The highest rank that the fixed vertices behind it leave to each vertex. */
static void find_ceilings(const dag_fixture *f, int32_t *ceiling)
{
    const clv_graph *g = &f->g;
    for (int32_t i = g->nvtx; i-- > 0;) {
        int32_t v = f->order[i];
        ceiling[v] = f->fixed[v] >= 0 ? f->rank[f->fixed[v]] : f->s.bounds.nparts - 1;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (ceiling[g->adj[a]] < ceiling[v])
                ceiling[v] = ceiling[g->adj[a]];
    }
}

static void draw_parts(dag_fixture *f, int32_t spread, clv_rng *rng)
{
    const clv_graph *g = &f->g;
    int32_t *ceiling = calloc((size_t)g->nvtx + 1, sizeof *ceiling);
    int32_t *label = calloc((size_t)f->s.bounds.nparts, sizeof *label);
    if (!ceiling || !label)
        abort();
    memcpy(f->rank, f->hidden_rank, (size_t)f->s.bounds.nparts * sizeof *f->rank);
    for (int32_t p = 0; p < f->s.bounds.nparts; p++)
        label[f->rank[p]] = p;
    find_ceilings(f, ceiling);
    for (int32_t i = 0; i < g->nvtx; i++) {
        int32_t v = f->order[i], low = 0, high = ceiling[v];
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
            int32_t r = f->rank[f->part[g->pred[a]]];
            low = r > low ? r : low;
        }
        if (high > spread - 1)
            high = spread - 1 > low ? spread - 1 : low;
        /* Two draws, the lower one: else all ranks are used up soon. */
        uint32_t a = clv_rng_below(rng, (uint32_t)(high - low) + 1);
        uint32_t b = clv_rng_below(rng, (uint32_t)(high - low) + 1);
        f->part[v] = f->fixed[v] >= 0 ? f->fixed[v] : label[low + (int32_t)(a < b ? a : b)];
    }
    free(ceiling);
    free(label);
}

void dag_scatter(dag_fixture *f, int32_t spread, uint64_t seed)
{
    clv_rng rng = clv_rng_make(seed, 19, 9, 9);
    if (spread > 0)
        draw_parts(f, spread, &rng);
    clv_context alone;
    fixture_context(&alone, 1, 1);
    clv_state_measure(&f->s, &alone);
    clv_context_close(&alone);
}

/* ---- Checking ------------------------------------------------------------------------ */

/* State of a part: 0 not seen, 1 on the path, 2 done. */
static bool finds_cycle(const uint8_t *arc, int32_t k, int32_t p, uint8_t *state)
{
    state[p] = 1;
    for (int32_t q = 0; q < k; q++)
        if (arc[(size_t)p * (size_t)k + (size_t)q] &&
            (state[q] == 1 || (state[q] == 0 && finds_cycle(arc, k, q, state))))
            return true;
    state[p] = 2;
    return false;
}

bool dag_is_acyclic(const clv_partition_state *s)
{
    size_t k = (size_t)s->bounds.nparts;
    uint8_t *arc = calloc(k * k, 1), *state = calloc(k, 1);
    if (!arc || !state)
        abort();
    for (int32_t v = 0; v < s->g->nvtx; v++)
        for (int64_t a = s->g->xadj[v]; a < s->g->xadj[v + 1]; a++)
            if (s->part[v] != s->part[s->g->adj[a]])
                arc[(size_t)s->part[v] * k + (size_t)s->part[s->g->adj[a]]] = 1;
    bool cycle = false;
    for (int32_t p = 0; p < s->bounds.nparts && !cycle; p++)
        cycle = state[p] == 0 && finds_cycle(arc, s->bounds.nparts, p, state);
    free(arc);
    free(state);
    return !cycle;
}

static const char *rank_fault(const clv_partition_state *s)
{
    uint8_t *seen = calloc((size_t)s->bounds.nparts, 1);
    if (!seen)
        abort();
    const char *fault = NULL;
    for (int32_t p = 0; p < s->bounds.nparts && !fault; p++) {
        if (s->rank[p] < 0 || s->rank[p] >= s->bounds.nparts || seen[s->rank[p]])
            fault = "the ranks are no permutation";
        else
            seen[s->rank[p]] = 1;
    }
    free(seen);
    for (int32_t v = 0; v < s->g->nvtx && !fault; v++)
        for (int64_t a = s->g->xadj[v]; a < s->g->xadj[v + 1]; a++)
            if (s->rank[s->part[v]] > s->rank[s->part[s->g->adj[a]]])
                fault = "an arc runs against the ranks";
    return fault;
}

const char *dag_fault(const dag_fixture *f)
{
    const clv_partition_state *s = &f->s;
    const char *fault = fixture_state_fault(s);
    if (!fault && !dag_is_acyclic(s))
        fault = "the quotient has a cycle";
    return fault ? fault : rank_fault(s);
}

/* ---- Runs ---------------------------------------------------------------------------- */

static void *copy_of(const void *from, size_t bytes)
{
    void *copy = malloc(bytes + 1);
    if (!copy)
        abort();
    memcpy(copy, from, bytes);
    return copy;
}

dag_snapshot dag_keep(const dag_fixture *f)
{
    return (dag_snapshot){copy_of(f->part, (size_t)f->g.nvtx * sizeof *f->part),
                          copy_of(f->rank, (size_t)f->s.bounds.nparts * sizeof *f->rank)};
}

void dag_return(dag_fixture *f, const dag_snapshot *to)
{
    memcpy(f->part, to->part, (size_t)f->g.nvtx * sizeof *f->part);
    memcpy(f->rank, to->rank, (size_t)f->s.bounds.nparts * sizeof *f->rank);
    dag_scatter(f, 0, 0);
}

void dag_drop(dag_snapshot *snapshot)
{
    free(snapshot->part);
    free(snapshot->rank);
}

static bool refine_one(uint64_t seed, fixture_refiner refine, bool each, clv_context *ctx)
{
    dag_fixture f;
    cleave_error err = {0};
    dag_options o = dag_any(seed, seed % 10 ? 60 : 600);
    dag_make(&f, &o);
    if (seed % 3)
        dag_scatter(&f, 1 + (int32_t)(seed / 3 % (uint64_t)o.nparts), seed);
    int64_t cut = f.s.cut, overload = clv_state_overload(&f.s);
    CHECK_FINE(dag_fault(&f));
    ctx->seed = seed;
    CHECK_OK(refine(&f.s, ctx, &err));
    CHECK_FINE(dag_fault(&f));
    int64_t now = clv_state_overload(&f.s);
    CHECK(now < overload || (now == overload && f.s.cut <= cut));
    CHECK(!each || f.s.cut <= cut);
    bool better = now < overload || f.s.cut < cut;
    dag_free(&f);
    return better;
}

int dag_refine_any(uint64_t count, fixture_refiner refine, bool each)
{
    clv_context ctx;
    fixture_context(&ctx, 2, 1);
    int better = 0;
    for (uint64_t seed = 0; seed < count; seed++)
        better += refine_one(seed, refine, each, &ctx);
    clv_context_close(&ctx);
    return better;
}

bool dag_is_deterministic(dag_fixture *f, fixture_refiner refine)
{
    static const int threads[] = {1, 2, 3, 8};
    size_t bytes = (size_t)f->g.nvtx * sizeof f->part[0];
    size_t rank_bytes = (size_t)f->s.bounds.nparts * sizeof f->rank[0];
    dag_snapshot start = dag_keep(f), first = dag_keep(f);
    bool same = true;
    for (int i = 0; i < 4; i++) {
        clv_context ctx;
        cleave_error err = {0};
        fixture_context(&ctx, threads[i], 5);
        dag_return(f, &start);
        same = same && refine(&f->s, &ctx, &err) == CLEAVE_OK;
        clv_context_close(&ctx);
        if (i == 0) {
            dag_drop(&first);
            first = dag_keep(f);
        }
        same = same && memcmp(first.part, f->part, bytes) == 0 &&
               memcmp(first.rank, f->rank, rank_bytes) == 0;
    }
    dag_drop(&start);
    dag_drop(&first);
    return same;
}
