/* SPDX-License-Identifier: Apache-2.0 */
/* initial/dagp_greedy.c - greedy graph growing on a DAG: parts are filled one after the other
 * with ready vertices, whose predecessors are all placed (see initial/dagp_initial.h).
 *
 * dagP's greedy partitioning [Herrmann et al. 2017] takes the ready vertex of the largest
 * gain: the arcs from the current part minus those to its successors, none of which is placed.
 * This is constant from when the vertex becomes ready until the next part begins.  A part is
 * closed at nine tenths of its share, but not before the rest fits into the remaining parts:
 * the paper leaves the whole deficit of the first parts to the last one.
 *
 * Fauzia et al. alternate between a ready vertex that shares a successor with one placed in
 * this part and a ready successor of one, first come, first served, and close a part when it
 * is full. */
#include <assert.h>

#include "base/queue.h"
#include "base/rng.h"
#include "initial/dagp_initial.h"

enum { most_misfits = 64 }; /* vertices that do not fit until a part is closed; not tuned */
enum { steps_between_looks = 1024 };

/* ---- Common to both --------------------------------------------------------------------- */

typedef struct filling {
    clv_partition_state *s;
    int64_t *waiting; /* by vertex: predecessors not placed yet */
    int64_t *rest;    /* ncon: weight not placed yet */
    int64_t *behind;  /* ncon: upper bounds of the parts after the current one */
    int64_t *held;    /* ncon: weight of the current part */
    int32_t part;     /* the current part */
    int32_t inside;   /* vertices in it */
    int32_t left;     /* vertices not placed yet */
    int32_t parts;    /* remaining parts that may hold vertices */
} filling;

static bool takes_vertices(const clv_partition_state *s, int32_t p)
{
    for (int32_t c = 0; c < s->g->ncon; c++)
        if (s->bounds.max[(int64_t)p * s->g->ncon + c] > 0)
            return true;
    return false;
}

/* The upper bound of a part, clamped so that the sum over all parts does not overflow. */
static int64_t room_of(const clv_partition_state *s, int32_t p, int32_t c)
{
    int64_t max = s->bounds.max[(int64_t)p * s->g->ncon + c],
            most = INT64_MAX / s->bounds.nparts;
    return max < most ? max : most;
}

static cleave_status open_filling(filling *f, clv_ws *ws, cleave_error *err)
{
    const clv_partition_state *s = f->s;
    const clv_graph *g = s->g;
    f->waiting = clv_ws_alloc(ws, g->nvtx, sizeof *f->waiting);
    f->rest = clv_ws_zalloc(ws, g->ncon, sizeof *f->rest);
    f->behind = clv_ws_zalloc(ws, g->ncon, sizeof *f->behind);
    f->held = clv_ws_zalloc(ws, g->ncon, sizeof *f->held);
    if (!f->waiting || !f->rest || !f->behind || !f->held)
        return clv_fail_memory(err);
    f->part = -1;
    f->left = g->nvtx;
    for (int32_t v = 0; v < g->nvtx; v++) {
        s->part[v] = -1;
        f->waiting[v] = g->xpred[v + 1] - g->xpred[v];
        for (int32_t c = 0; c < g->ncon; c++)
            f->rest[c] += clv_graph_vwgt(g, v, c);
    }
    for (int32_t p = 0; p < s->bounds.nparts; p++) {
        f->parts += takes_vertices(s, p);
        for (int32_t c = 0; c < g->ncon; c++)
            f->behind[c] += room_of(s, p, c);
    }
    return CLEAVE_OK;
}

/* Advances to the next part that may hold vertices; there is one. */
static void next_part(filling *f)
{
    const clv_partition_state *s = f->s;
    do {
        f->part++;
        for (int32_t c = 0; c < s->g->ncon; c++)
            f->behind[c] -= room_of(s, f->part, c);
    } while (!takes_vertices(s, f->part) && f->parts > 0);
    f->parts -= f->parts > 0;
    f->inside = 0;
    for (int32_t c = 0; c < s->g->ncon; c++)
        f->held[c] = 0;
}

/* The last part takes all vertices. */
static bool fits(const filling *f, int32_t v)
{
    const clv_graph *g = f->s->g;
    for (int32_t c = 0; f->parts > 0 && c < g->ncon; c++)
        if (f->held[c] + clv_graph_vwgt(g, v, c) >
            f->s->bounds.max[(int64_t)f->part * g->ncon + c])
            return false;
    return true;
}

/* Must the current part be closed, so that each remaining part gets a vertex? */
static bool must_close(const filling *f)
{
    return f->parts > 0 && f->inside > 0 && f->left <= f->parts;
}

static void put(filling *f, int32_t v)
{
    const clv_graph *g = f->s->g;
    f->s->part[v] = f->part;
    f->inside++;
    f->left--;
    for (int32_t c = 0; c < g->ncon; c++) {
        f->held[c] += clv_graph_vwgt(g, v, c);
        f->rest[c] -= clv_graph_vwgt(g, v, c);
    }
}

/* ---- dagP ------------------------------------------------------------------------------- */

typedef struct greedy {
    filling f;
    clv_heap ready;         /* by random number, so that ties are random */
    int32_t *lot, *drawn;   /* vertex -> random number -> vertex */
    int32_t *fresh, nfresh; /* vertices that became ready in this part */
    int32_t aside[most_misfits], naside;
} greedy;

/* The gain of v if no predecessor is in the current part. */
static int64_t plain_gain(const clv_graph *g, int32_t v)
{
    int64_t gain = 0;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        gain -= clv_graph_ewgt(g, a);
    return gain;
}

static int64_t gain_of(const greedy *t, int32_t v)
{
    const clv_graph *g = t->f.s->g;
    int64_t gain = plain_gain(g, v);
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
        if (t->f.s->part[g->pred[a]] == t->f.part)
            gain += clv_graph_pwgt(g, a);
    return gain;
}

static bool is_filled(const greedy *t)
{
    const filling *f = &t->f;
    int32_t ncon = f->s->g->ncon;
    if (f->parts == 0)
        return false;
    for (int32_t c = 0; c < ncon; c++) {
        double least = 0.9 * f->s->bounds.share[(int64_t)f->part * ncon + c];
        if ((double)f->held[c] < least || f->rest[c] > f->behind[c])
            return false;
    }
    return f->inside > 0;
}

static void place(greedy *t, int32_t v)
{
    const clv_graph *g = t->f.s->g;
    put(&t->f, v);
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t u = g->adj[a];
        if (--t->f.waiting[u] > 0)
            continue;
        clv_heap_set(&t->ready, t->lot[u], gain_of(t, u));
        t->fresh[t->nfresh++] = u;
    }
}

/* Arcs from the previous part no longer count. */
static void begin_part(greedy *t)
{
    const clv_graph *g = t->f.s->g;
    next_part(&t->f);
    for (int32_t i = 0; i < t->naside; i++)
        clv_heap_set(&t->ready, t->lot[t->aside[i]], plain_gain(g, t->aside[i]));
    for (int32_t i = 0; i < t->nfresh; i++)
        if (clv_heap_has(&t->ready, t->lot[t->fresh[i]]))
            clv_heap_set(&t->ready, t->lot[t->fresh[i]], plain_gain(g, t->fresh[i]));
    t->naside = t->nfresh = 0;
}

static void fill_greedily(greedy *t)
{
    begin_part(t);
    while (t->f.left > 0) {
        bool stuck = t->ready.count == 0 || t->naside == most_misfits;
        if (stuck || is_filled(t) || must_close(&t->f)) {
            begin_part(t);
            continue;
        }
        int32_t v = t->drawn[clv_heap_pop(&t->ready)];
        if (fits(&t->f, v))
            place(t, v);
        else
            t->aside[t->naside++] = v;
    }
}

cleave_status clv_dagp_greedy(clv_partition_state *s, uint64_t seed, clv_ws *ws,
                              cleave_error *err)
{
    int32_t n = s->g->nvtx;
    clv_ws_mark mark = clv_ws_save(ws);
    greedy *t = clv_ws_zalloc(ws, 1, sizeof *t);
    if (!t)
        return clv_fail_memory(err);
    t->f.s = s;
    CLV_TRY(open_filling(&t->f, ws, err));
    CLV_TRY(clv_heap_init(&t->ready, n, ws, err));
    t->lot = clv_ws_alloc(ws, n, sizeof *t->lot);
    t->drawn = clv_ws_alloc(ws, n, sizeof *t->drawn);
    t->fresh = clv_ws_alloc(ws, n, sizeof *t->fresh);
    if (!t->lot || !t->drawn || !t->fresh)
        return clv_fail_memory(err);
    clv_rng rng = clv_rng_make(seed, 0, 0, 0);
    clv_rng_permutation(&rng, n, t->drawn);
    for (int32_t i = 0; i < n; i++)
        t->lot[t->drawn[i]] = i;
    for (int32_t v = 0; v < n; v++)
        if (t->f.waiting[v] == 0)
            clv_heap_set(&t->ready, t->lot[v], plain_gain(s->g, v));
    fill_greedily(t);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* ---- Fauzia et al. ---------------------------------------------------------------------- */

/* A queue; a vertex is in it at most once. */
typedef struct line {
    int32_t *item;
    int64_t head, tail; /* increasing; item is a ring of nvtx */
    int64_t taken;
} line;

typedef struct fauzia {
    filling f;
    line ready, neighbours, successors; /* the last two are of this part */
    int32_t *listed;                    /* by vertex: the last part that had it in
                                           neighbours */
    int32_t *read; /* by vertex: the last part that scanned its predecessors */
} fauzia;

static void line_put(line *l, int32_t nvtx, int32_t v)
{
    l->item[l->tail++ % nvtx] = v;
}

/* The first vertex not placed yet, or -1. */
static int32_t line_take(line *l, const clv_partition_state *s)
{
    while (l->head < l->tail) {
        int32_t v = l->item[l->head++ % s->g->nvtx];
        if (s->part[v] < 0)
            return v;
    }
    return -1;
}

static void list_neighbours(fauzia *t, int32_t v)
{
    const clv_graph *g = t->f.s->g;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t u = g->adj[a];
        if (t->read[u] == t->f.part)
            continue;
        t->read[u] = t->f.part;
        for (int64_t b = g->xpred[u]; b < g->xpred[u + 1]; b++) {
            int32_t w = g->pred[b];
            if (t->f.s->part[w] >= 0 || t->f.waiting[w] > 0 || t->listed[w] == t->f.part)
                continue;
            t->listed[w] = t->f.part;
            line_put(&t->neighbours, g->nvtx, w);
        }
    }
}

static void place_near(fauzia *t, int32_t v)
{
    const clv_graph *g = t->f.s->g;
    put(&t->f, v);
    list_neighbours(t, v);
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t u = g->adj[a];
        if (--t->f.waiting[u] > 0)
            continue;
        line_put(&t->successors, g->nvtx, u);
        line_put(&t->ready, g->nvtx, u);
    }
}

static int32_t next_near(fauzia *t)
{
    line *first = t->neighbours.taken <= t->successors.taken ? &t->neighbours : &t->successors;
    line *second = first == &t->neighbours ? &t->successors : &t->neighbours;
    for (int i = 0; i < 2; i++) {
        line *l = i == 0 ? first : second;
        int32_t v = line_take(l, t->f.s);
        l->taken += v >= 0;
        if (v >= 0)
            return v;
    }
    return -1;
}

static void begin_near(fauzia *t)
{
    next_part(&t->f);
    t->neighbours.head = t->neighbours.tail = t->neighbours.taken = 0;
    t->successors.head = t->successors.tail = t->successors.taken = 0;
}

/* Fills one part until no vertex fits; false: the context was stopped. */
static bool fill_near(fauzia *t, clv_context *ctx)
{
    int32_t aside[most_misfits], naside = 0;
    begin_near(t);
    while (t->f.left > 0 && naside < most_misfits && !must_close(&t->f)) {
        if (t->f.left % steps_between_looks == 0 && clv_context_stop(ctx))
            return false;
        int32_t v = next_near(t);
        bool from_ready = v < 0;
        if (from_ready)
            v = line_take(&t->ready, t->f.s);
        if (v < 0)
            break;
        if (fits(&t->f, v))
            place_near(t, v);
        else if (from_ready)
            aside[naside++] = v;
    }
    for (int32_t i = 0; i < naside; i++)
        line_put(&t->ready, t->f.s->g->nvtx, aside[i]);
    return true;
}

cleave_status clv_dagp_fauzia(clv_partition_state *s, clv_context *ctx, bool *done,
                              cleave_error *err)
{
    int32_t n = s->g->nvtx;
    clv_ws *ws = ctx->ws;
    clv_ws_mark mark = clv_ws_save(ws);
    fauzia t = {.f = {.s = s}};
    CLV_TRY(open_filling(&t.f, ws, err));
    t.ready.item = clv_ws_alloc(ws, n, sizeof *t.ready.item);
    t.neighbours.item = clv_ws_alloc(ws, n, sizeof *t.neighbours.item);
    t.successors.item = clv_ws_alloc(ws, n, sizeof *t.successors.item);
    t.listed = clv_ws_alloc(ws, n, sizeof *t.listed);
    t.read = clv_ws_alloc(ws, n, sizeof *t.read);
    if (!t.ready.item || !t.neighbours.item || !t.successors.item || !t.listed || !t.read)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < n; v++) {
        t.listed[v] = t.read[v] = -1;
        if (t.f.waiting[v] == 0)
            line_put(&t.ready, n, v);
    }
    *done = true;
    while (t.f.left > 0 && *done)
        *done = fill_near(&t, ctx);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
