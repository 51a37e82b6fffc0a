/* SPDX-License-Identifier: Apache-2.0 */
#include "refine/kway_fixture.h"

#include "refine/merge_parallel.h"

/* ---- Making -------------------------------------------------------------------------- */

static void *keep(fixture *f, int64_t count, size_t each)
{
    void *block = calloc((size_t)count + 1, each);
    if (!block)
        abort();
    f->blocks[f->nblocks++] = block;
    return block;
}

typedef struct edges {
    int32_t *tail, *head, *wgt;
    int64_t count;
} edges;

static void add_edge(edges *e, int32_t u, int32_t v, int32_t wgt)
{
    if (u == v)
        return;
    e->tail[e->count] = u;
    e->head[e->count] = v;
    e->wgt[e->count++] = wgt;
}

/* The result can have parallel edges, which most refiners accept. */
static void add_edges(edges *e, const fixture_options *o, clv_rng *rng)
{
    int32_t n = o->nvtx, side = 1;
    while ((int64_t)side * side < n)
        side++;
    for (int32_t v = 0; v < n; v++) {
        int32_t w[4];
        for (int i = 0; i < 4; i++)
            w[i] =
                o->edge_weight ? (int32_t)clv_rng_below(rng, (uint32_t)o->edge_weight + 1) : 1;
        if (o->shape == FIXTURE_RANDOM) {
            uint32_t degree = clv_rng_below(rng, 4);
            for (uint32_t i = 0; i < degree; i++)
                add_edge(e, v, (int32_t)clv_rng_below(rng, (uint32_t)n), w[i]);
        } else if (o->shape == FIXTURE_GRID) {
            if ((v + 1) % side != 0 && v + 1 < n)
                add_edge(e, v, v + 1, w[0]);
            if (v + side < n)
                add_edge(e, v, v + side, w[1]);
        } else if (o->shape == FIXTURE_STARS) {
            add_edge(e, v, v - v % 50, w[0]);
            if (v % 50 == 0)
                add_edge(e, v, (v + 50) % n, w[1]);
        } else {
            for (int32_t u = v - v % 10; u < v; u++)
                add_edge(e, v, u, w[u % 4]);
        }
    }
}

static void make_rows(fixture *f, const edges *e, int32_t n, bool weights)
{
    int64_t *xadj = keep(f, n + 1, sizeof *xadj);
    int32_t *adj = keep(f, 2 * e->count, sizeof *adj);
    int32_t *ewgt = keep(f, 2 * e->count, sizeof *ewgt);
    int64_t *place = calloc((size_t)n + 1, sizeof *place);
    if (!place)
        abort();
    for (int64_t i = 0; i < e->count; i++) {
        xadj[e->tail[i] + 1]++;
        xadj[e->head[i] + 1]++;
    }
    for (int32_t v = 0; v < n; v++) {
        xadj[v + 1] += xadj[v];
        place[v] = xadj[v];
    }
    for (int64_t i = 0; i < e->count; i++) {
        int64_t a = place[e->tail[i]]++, b = place[e->head[i]]++;
        adj[a] = e->head[i];
        adj[b] = e->tail[i];
        ewgt[a] = ewgt[b] = e->wgt[i];
    }
    free(place);
    f->g.xadj = xadj;
    f->g.adj = adj;
    f->g.ewgt = weights ? ewgt : NULL;
    f->g.narc = 2 * e->count;
}

static void make_graph(fixture *f, const fixture_options *o, clv_rng *rng)
{
    int64_t most = 10 * (int64_t)o->nvtx;
    edges e = {calloc((size_t)most, 4), calloc((size_t)most, 4), calloc((size_t)most, 4), 0};
    if (!e.tail || !e.head || !e.wgt)
        abort();
    add_edges(&e, o, rng);
    f->g.kind = CLEAVE_UNDIRECTED;
    f->g.nvtx = o->nvtx;
    f->g.ncon = o->ncon;
    make_rows(f, &e, o->nvtx, o->edge_weight > 0);
    if (o->simple)
        merge_parallel(&f->g);
    free(e.tail);
    free(e.head);
    free(e.wgt);
    if (o->vertex_weight == 0)
        return;
    int32_t *vwgt = keep(f, (int64_t)o->nvtx * o->ncon, sizeof *vwgt);
    for (int64_t i = 0; i < (int64_t)o->nvtx * o->ncon; i++)
        vwgt[i] = (int32_t)clv_rng_below(rng, (uint32_t)o->vertex_weight + 1);
    f->g.vwgt = vwgt;
}

/* Blocks of consecutive vertices, so that every part of the hidden solution has some. */
static void make_bounds(fixture *f, const fixture_options *o)
{
    int64_t places = (int64_t)o->nparts * o->ncon;
    for (int32_t v = 0; v < o->nvtx; v++) {
        int32_t p = (int32_t)((int64_t)v * o->nparts / o->nvtx);
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

static void make_state(fixture *f, int32_t nparts)
{
    int32_t n = f->g.nvtx;
    int64_t places = (int64_t)nparts * f->g.ncon;
    f->hidden = keep(f, n, sizeof *f->hidden);
    f->part = keep(f, n, sizeof *f->part);
    f->fixed = keep(f, n, sizeof *f->fixed);
    f->maybe_boundary = keep(f, n, sizeof *f->maybe_boundary);
    f->count = keep(f, nparts, sizeof *f->count);
    f->weight = keep(f, places, sizeof *f->weight);
    f->max = keep(f, places, sizeof *f->max);
    f->min = keep(f, places, sizeof *f->min);
    f->s = (clv_partition_state){.g = &f->g,
                                 .bounds = {nparts, f->g.ncon, NULL, f->max, NULL},
                                 .part = f->part,
                                 .weight = f->weight,
                                 .count = f->count,
                                 .maybe_boundary = f->maybe_boundary};
}

void fixture_make(fixture *f, const fixture_options *o)
{
    clv_rng rng = clv_rng_make(o->seed, 7, 7, 7);
    *f = (fixture){0};
    make_graph(f, o, &rng);
    make_state(f, o->nparts);
    make_bounds(f, o);
    f->s.fixed = o->fixed ? f->fixed : NULL;
    f->s.bounds.min = o->lower ? f->min : NULL;
    fixture_scatter(f, 0, 0);
}

void fixture_around(fixture *f, const clv_graph *g, int32_t nparts, const int32_t *part,
                    const int64_t *max)
{
    *f = (fixture){.g = *g};
    make_state(f, nparts);
    for (int32_t v = 0; v < g->nvtx; v++) {
        f->hidden[v] = f->part[v] = part[v];
        f->fixed[v] = -1;
    }
    memcpy(f->max, max, (size_t)nparts * sizeof *max);
    fixture_scatter(f, 0, 0);
}

void fixture_free(fixture *f)
{
    for (int i = 0; i < f->nblocks; i++)
        free(f->blocks[i]);
}

fixture_options fixture_any(uint64_t seed, int32_t largest)
{
    clv_rng rng = clv_rng_make(seed, 8, 8, 8);
    fixture_options o = {.seed = seed};
    o.shape = (fixture_shape)clv_rng_below(&rng, FIXTURE_SHAPES);
    o.nvtx = 2 + (int32_t)clv_rng_below(&rng, (uint32_t)largest - 1);
    o.nparts = 2 + (int32_t)clv_rng_below(&rng, clv_rng_below(&rng, 3) ? 6 : 40);
    o.nparts = o.nparts < o.nvtx ? o.nparts : o.nvtx;
    o.ncon = clv_rng_below(&rng, 3) ? 1 : 1 + (int32_t)clv_rng_below(&rng, 3);
    o.vertex_weight = clv_rng_below(&rng, 2) ? 0 : 1 + (int32_t)clv_rng_below(&rng, 9);
    o.edge_weight = clv_rng_below(&rng, 2) ? 0 : 1 + (int32_t)clv_rng_below(&rng, 9);
    o.slack = 0.02 * clv_rng_below(&rng, 6);
    o.lower = clv_rng_below(&rng, 3) == 0;
    o.fixed = clv_rng_below(&rng, 3) ? 0 : 2 + (int)clv_rng_below(&rng, 9);
    return o;
}

void fixture_scatter(fixture *f, int32_t spread, uint64_t seed)
{
    clv_rng rng = clv_rng_make(seed, 9, 9, 9);
    for (int32_t v = 0; v < f->g.nvtx && spread > 0; v++)
        if (f->fixed[v] < 0)
            f->part[v] = (int32_t)clv_rng_below(&rng, (uint32_t)spread);
    clv_context alone;
    fixture_context(&alone, 1, 1);
    clv_state_measure(&f->s, &alone);
    clv_context_close(&alone);
}

/* ---- Checking ------------------------------------------------------------------------ */

int64_t fixture_arc_cost(const clv_partition_state *s, int32_t v, int64_t a)
{
    int32_t p = s->part[v], q = s->part[s->g->adj[a]];
    int64_t distance = s->machine ? clv_machine_distance(s->machine, p, q) : p != q;
    return distance * clv_graph_ewgt(s->g, a);
}

int64_t fixture_cut(const clv_partition_state *s)
{
    int64_t sum = 0;
    for (int32_t v = 0; v < s->g->nvtx; v++)
        for (int64_t a = s->g->xadj[v]; a < s->g->xadj[v + 1]; a++)
            sum += fixture_arc_cost(s, v, a);
    return s->g->kind == CLEAVE_DAG ? sum : sum / 2;
}

/* By part: the number of its vertices, and its weights, part * ncon + constraint. */
typedef struct sums {
    int32_t *count;
    int64_t *weight;
} sums;

static sums sums_of(const clv_partition_state *s)
{
    int32_t nparts = s->bounds.nparts, ncon = s->g->ncon;
    sums sum = {calloc((size_t)nparts + 1, sizeof *sum.count),
                calloc((size_t)nparts * (size_t)ncon + 1, sizeof *sum.weight)};
    if (!sum.count || !sum.weight)
        abort();
    for (int32_t v = 0; v < s->g->nvtx; v++) {
        sum.count[s->part[v]]++;
        for (int32_t c = 0; c < ncon; c++)
            sum.weight[(int64_t)s->part[v] * ncon + c] += clv_graph_vwgt(s->g, v, c);
    }
    return sum;
}

static void free_sums(const sums *sum)
{
    free(sum->count);
    free(sum->weight);
}

int64_t fixture_overload(const clv_partition_state *s)
{
    sums sum = sums_of(s);
    int64_t overload = 0, empty = 0, spare = 0;
    for (int32_t p = 0; p < s->bounds.nparts; p++) {
        for (int32_t c = 0; c < s->g->ncon; c++) {
            int64_t i = (int64_t)p * s->g->ncon + c, w = sum.weight[i];
            overload += w > s->bounds.max[i] ? w - s->bounds.max[i] : 0;
            overload += s->bounds.min && w < s->bounds.min[i] ? s->bounds.min[i] - w : 0;
        }
        empty += sum.count[p] == 0 && s->bounds.max[(int64_t)p * s->g->ncon] > 0;
        spare += sum.count[p] > 1 ? sum.count[p] - 1 : 0;
    }
    free_sums(&sum);
    return overload + (empty < spare ? empty : spare);
}

static const char *vertex_fault(const clv_partition_state *s)
{
    for (int32_t v = 0; v < s->g->nvtx; v++) {
        if (s->part[v] < 0 || s->part[v] >= s->bounds.nparts)
            return "a part is out of range";
        if (s->fixed && s->fixed[v] >= 0 && s->part[v] != s->fixed[v])
            return "a fixed vertex has moved";
    }
    for (int32_t v = 0; v < s->g->nvtx; v++)
        for (int64_t a = s->g->xadj[v]; a < s->g->xadj[v + 1]; a++) {
            int32_t u = s->g->adj[a];
            if (s->part[v] != s->part[u] && !(s->maybe_boundary[v] && s->maybe_boundary[u]))
                return "a boundary vertex is not marked";
        }
    return NULL;
}

static const char *sum_fault(const clv_partition_state *s)
{
    sums sum = sums_of(s);
    size_t nparts = (size_t)s->bounds.nparts, places = nparts * (size_t)s->g->ncon;
    const char *fault = NULL;
    if (memcmp(sum.count, s->count, nparts * sizeof *sum.count) != 0)
        fault = "a count is wrong";
    else if (memcmp(sum.weight, s->weight, places * sizeof *sum.weight) != 0)
        fault = "a weight is wrong";
    free_sums(&sum);
    return fault;
}

const char *fixture_state_fault(const clv_partition_state *s)
{
    const char *fault = vertex_fault(s);
    if (!fault)
        fault = sum_fault(s);
    if (!fault && s->cut != fixture_cut(s))
        fault = "the cut is wrong";
    if (!fault && clv_state_overload(s) != fixture_overload(s))
        fault = "the overload is wrong";
    return fault;
}

const char *fixture_fault(const fixture *f)
{
    return fixture_state_fault(&f->s);
}

void fixture_context(clv_context *ctx, int threads, uint64_t seed)
{
    if (clv_context_open(ctx, threads, seed, NULL) != CLEAVE_OK)
        abort();
}

/* ---- What most tests of refiners do -------------------------------------------------- */

const char *fixture_no_worse(const fixture *f, const clv_partition_state *before, bool failed)
{
    (void)failed;
    int64_t overload = fixture_overload(before), now = clv_state_overload(&f->s);
    bool worse = now > overload || (now == overload && f->s.cut > before->cut);
    return worse ? "the state is worse" : NULL;
}

const char *fixture_none_worse(const fixture *f, const clv_partition_state *before,
                               bool failed)
{
    (void)failed;
    if (f->s.cut > before->cut)
        return "the cut is worse";
    return clv_state_overload(&f->s) > fixture_overload(before) ? "the overload is worse"
                                                                : NULL;
}

static size_t part_bytes(const fixture *f)
{
    return (size_t)f->g.nvtx * sizeof f->part[0];
}

clv_partition_state fixture_copy(const fixture *f)
{
    clv_partition_state copy = f->s;
    copy.part = malloc(part_bytes(f) + 1);
    if (!copy.part)
        abort();
    memcpy(copy.part, f->part, part_bytes(f));
    return copy;
}

static const char *try_any(uint64_t seed, fixture_refiner refine, fixture_judge judge,
                           clv_context *ctx)
{
    fixture f;
    cleave_error err = {0};
    fixture_options o = fixture_any(seed, seed % 10 ? 60 : 600);
    o.simple = true;
    fixture_make(&f, &o);
    if (seed % 2)
        fixture_scatter(&f, 1 + (int32_t)(seed / 2 % (uint64_t)o.nparts), seed);
    clv_partition_state before = fixture_copy(&f);
    ctx->seed = seed;
    const char *fault = "a wrong status";
    if (refine(&f.s, ctx, &err) == CLEAVE_OK)
        fault = fixture_fault(&f);
    if (!fault)
        fault = judge(&f, &before, false);
    free(before.part);
    fixture_free(&f);
    return fault;
}

const char *fixture_fault_any(uint64_t count, fixture_refiner refine, fixture_judge judge)
{
    clv_context ctx;
    const char *fault = NULL;
    fixture_context(&ctx, 2, 1);
    for (uint64_t seed = 0; seed < count && !fault; seed++) {
        fault = try_any(seed, refine, judge, &ctx);
        if (fault)
            fprintf(stderr, "with seed %d\n", (int)seed);
    }
    clv_context_close(&ctx);
    return fault;
}

bool fixture_is_deterministic(fixture *f, fixture_refiner refine)
{
    static const int threads[] = {1, 2, 3, 8};
    clv_partition_state start = fixture_copy(f), first = fixture_copy(f);
    bool same = true;
    for (int i = 0; i < 4; i++) {
        clv_context ctx;
        cleave_error err = {0};
        fixture_context(&ctx, threads[i], 5);
        memcpy(f->part, start.part, part_bytes(f));
        clv_state_measure(&f->s, &ctx);
        same = same && refine(&f->s, &ctx, &err) == CLEAVE_OK;
        clv_context_close(&ctx);
        if (i == 0)
            memcpy(first.part, f->part, part_bytes(f));
        same = same && memcmp(first.part, f->part, part_bytes(f)) == 0;
    }
    free(start.part);
    free(first.part);
    return same;
}

const char *fixture_fault_threads(fixture *f, fixture_refiner refine)
{
    return fixture_is_deterministic(f, refine) ? fixture_fault(f)
                                               : "the number of threads shows";
}

const char *fixture_fault_shapes(const fixture_options *o, int32_t spread,
                                 fixture_refiner refine)
{
    const char *fault = NULL;
    for (int shape = 0; shape < FIXTURE_SHAPES && !fault; shape++) {
        fixture f;
        fixture_options now = *o;
        now.shape = (fixture_shape)shape;
        if (shape % 2 == 0) {
            now.ncon = 1;
            now.vertex_weight = now.edge_weight = 0;
        }
        fixture_make(&f, &now);
        fixture_scatter(&f, spread, 1);
        int64_t overload = clv_state_overload(&f.s), cut = f.s.cut;
        fault = fixture_fault_threads(&f, refine);
        if (!fault && clv_state_overload(&f.s) > 0)
            fault = "a bound is not met";
        if (!fault && overload == 0 && f.s.cut >= cut)
            fault = "nothing became better";
        if (fault)
            fprintf(stderr, "with shape %d\n", shape);
        fixture_free(&f);
    }
    return fault;
}
