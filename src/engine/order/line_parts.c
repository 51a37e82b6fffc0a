/* SPDX-License-Identifier: Apache-2.0 */
/* engine/order/line_parts.c - parts as intervals of a linear order, see
 * engine/order/line_parts.h. */
#include "engine/order/line_parts.h"

#include <math.h>
#include <string.h>

#include "order/curve.h"

enum {                           /* not tuned */
       most_sampled = 1 << 14,   /* vertices of a sample */
       most_looked_at = 1 << 17, /* arcs of a sample */
       good_enough = 20 /* an order that costs less than that share of these is accepted */
};

/* ---- Cutting ---------------------------------------------------------------------------- */

typedef struct cutting {
    const clv_multilevel_task *task;
    const clv_line *line;
    double *end;     /* by part: position where it ends, as a share of the total length */
    double *free;    /* by constraint: sum over the free vertices */
    double *unit;    /* by constraint: length of a vertex of weight 1 */
    int32_t weights; /* constraints with a free vertex of positive weight */
} cutting;

static int32_t vertex_at(const clv_line *line, int32_t i)
{
    return line->vertex ? line->vertex[i] : i;
}

static bool is_free(const clv_multilevel_task *t, int32_t v)
{
    return !t->fixed || t->fixed[v] < 0;
}

/* Computes where the parts end: the mean over the constraints of the share that fixed vertices
 * leave.  On entry end holds this remainder. */
static void find_ends(cutting *c, const double *held)
{
    const clv_multilevel_task *t = c->task;
    int32_t ncon = t->g->ncon, k = c->line->nparts;
    for (int32_t w = 0; w < ncon; w++) {
        double room = 0;
        for (int32_t i = 0; i < 2 * k; i++) {
            int64_t at = (int64_t)(i % k) * ncon + w;
            double left = t->bounds.share[(int64_t)c->line->first * ncon + at] - held[at];
            left = left > 0 ? left : 0;
            if (i < k)
                room += left;
            else if (c->free[w] > 0)
                c->end[i % k] += (room > 0 ? left / room : 1.0 / k) / c->weights;
        }
    }
    for (int32_t i = 1; i < k; i++)
        c->end[i] += c->end[i - 1];
}

/* Length of a vertex on the line: the mean of its relative weights. */
static double length_of(const cutting *c, int32_t v)
{
    const clv_graph *g = c->task->g;
    double sum = 0;
    for (int32_t w = 0; w < g->ncon; w++)
        sum += (double)clv_graph_vwgt(g, v, w) * c->unit[w];
    return sum;
}

/* The last part with a share; trailing parts without one get no vertex. */
static int32_t last_part(const cutting *c)
{
    int32_t last = c->line->nparts - 1;
    while (last > 0 && c->end[last - 1] == c->end[last])
        last--;
    return last;
}

/* Assigns each vertex to the part that contains its midpoint. */
static void cut(const cutting *c, int32_t *part)
{
    const clv_multilevel_task *t = c->task;
    double at = 0;
    int32_t p = 0, last = last_part(c);
    for (int32_t i = 0; i < c->line->count; i++) {
        int32_t v = vertex_at(c->line, i);
        if (!is_free(t, v)) {
            part[v] = t->fixed[v];
            continue;
        }
        double length = length_of(c, v);
        while (p < last && at + length / 2 >= c->end[p])
            p++;
        part[v] = c->line->first + p;
        at += length;
    }
}

/* The same if all vertices are free and have the same length. */
static void cut_evenly(const cutting *c, int32_t *part)
{
    int32_t at = 0, last = last_part(c), count = c->line->count;
    for (int32_t p = 0; p <= last; p++) {
        double end = p == last ? count : ceil(c->end[p] * count - 0.5);
        for (; at < end && at < count; at++)
            part[vertex_at(c->line, at)] = c->line->first + p;
    }
}

/* held: nparts * ncon, weights of the fixed vertices of each part. */
static void weigh_line(cutting *c, double *held)
{
    const clv_multilevel_task *t = c->task;
    int32_t ncon = t->g->ncon;
    for (int32_t i = 0; i < c->line->count; i++) {
        int32_t v = vertex_at(c->line, i);
        double *sum =
            is_free(t, v) ? c->free : held + (int64_t)(t->fixed[v] - c->line->first) * ncon;
        for (int32_t w = 0; w < ncon; w++)
            sum[w] += (double)clv_graph_vwgt(t->g, v, w);
    }
}

cleave_status clv_line_cut(const clv_multilevel_task *task, const clv_line *line, clv_ws *ws,
                           int32_t *part, cleave_error *err)
{
    const clv_graph *g = task->g;
    int32_t ncon = g->ncon, k = line->nparts;
    bool even = !task->fixed && !clv_weights_any(clv_graph_vwgts(g));
    clv_ws_mark mark = clv_ws_save(ws);
    cutting c = {.task = task, .line = line};
    c.end = clv_ws_zalloc(ws, k, sizeof *c.end);
    c.free = clv_ws_zalloc(ws, ncon, sizeof *c.free);
    c.unit = clv_ws_zalloc(ws, ncon, sizeof *c.unit);
    double *held = clv_ws_zalloc(ws, (int64_t)k * ncon, sizeof *held);
    if (!c.end || !c.free || !c.unit || !held)
        return clv_fail_memory(err);
    if (!even)
        weigh_line(&c, held);
    for (int32_t w = 0; w < ncon; w++) {
        c.free[w] = even ? line->count : c.free[w];
        c.weights += c.free[w] > 0;
    }
    for (int32_t w = 0; w < ncon; w++)
        c.unit[w] = c.free[w] > 0 ? 1 / (c.free[w] * c.weights) : 0;
    find_ends(&c, held);
    if (even)
        cut_evenly(&c, part);
    else
        cut(&c, part);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* ---- Lines ------------------------------------------------------------------------------ */

void clv_line_by_breadth(const clv_graph *g, uint8_t *seen, int32_t *vertex)
{
    int32_t count = 0, next = 0;
    memset(seen, 0, (size_t)g->nvtx);
    for (int32_t root = 0; root < g->nvtx; root++) {
        if (!seen[root])
            vertex[count++] = root;
        seen[root] = 1;
        for (; next < count; next++) {
            int32_t v = vertex[next];
            clv_graph_prefetch_rows(g, vertex + next, count - next);
            for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
                int32_t u = g->adj[a];
                if (seen[u])
                    continue;
                vertex[count++] = u;
                seen[u] = 1;
            }
        }
    }
}

/* Cost of the arcs of a regular sample of the vertices, and their cost if all led halfway
 * around the line. */
typedef struct sampled {
    double cost, all;
} sampled;

int32_t clv_line_sample_step(const clv_graph *g)
{
    int64_t by_vertices = g->nvtx / most_sampled, by_arcs = g->narc / most_looked_at;
    int64_t step = (by_vertices > by_arcs ? by_vertices : by_arcs) | 1;
    return step < g->nvtx ? (int32_t)step : g->nvtx;
}

static sampled sample_cost(const clv_partition_state *s)
{
    const clv_graph *g = s->g;
    int32_t step = clv_line_sample_step(g);
    sampled sum = {0, 0};
    for (int32_t v = 0; v < g->nvtx; v += step) {
        int32_t away = s->part[((int64_t)v + g->nvtx / 2) % g->nvtx];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int64_t w = clv_graph_ewgt(g, a);
            sum.cost += (double)clv_state_cost(s, w, s->part[v], s->part[g->adj[a]]);
            sum.all += (double)clv_state_cost(s, w, s->part[v], away);
        }
    }
    return sum;
}

double clv_line_sample(const clv_partition_state *s)
{
    return sample_cost(s).cost;
}

/* Lines of the same state, of which s->part becomes the cheapest on the sample. */
typedef struct lines {
    clv_partition_state *s;
    const clv_multilevel_task *task;
    clv_context *ctx;
    int32_t *vertex; /* a line */
    int32_t *other;  /* by vertex: part */
    double cost;
} lines;

static cleave_status offer_line(lines *l, cleave_error *err)
{
    clv_partition_state *s = l->s;
    clv_line line = {l->vertex, .count = s->g->nvtx, .nparts = s->bounds.nparts};
    memcpy(l->other, s->part, (size_t)s->g->nvtx * sizeof *l->other);
    CLV_TRY(clv_line_cut(l->task, &line, l->ctx->ws, s->part, err));
    double cost = sample_cost(s).cost;
    if (cost < l->cost)
        l->cost = cost;
    else
        memcpy(s->part, l->other, (size_t)s->g->nvtx * sizeof *l->other);
    return CLEAVE_OK;
}

/* Neighbours are near each other in most graphs with coordinates.  Coordinates that are not
 * finite are ignored. */
static cleave_status offer_curve(lines *l, cleave_error *err)
{
    const clv_graph *g = l->s->g;
    cleave_error ignored = {.status = CLEAVE_OK};
    if (g->ndim == 0 || !clv_context_afford(l->ctx, g->narc))
        return CLEAVE_OK;
    cleave_status status =
        clv_curve_order_by_cells(g, CLV_CURVE_HILBERT, l->ctx, l->vertex, &ignored);
    if (status == CLEAVE_ENOMEM)
        return clv_fail_memory(err);
    return status == CLEAVE_OK ? offer_line(l, err) : CLEAVE_OK;
}

/* *cost: of the sampled arcs. */
static cleave_status choose_line(clv_partition_state *s, const clv_multilevel_task *task,
                                 clv_context *ctx, double *cost, cleave_error *err)
{
    int64_t n = s->g->nvtx;
    clv_line numbers = {.count = s->g->nvtx, .nparts = s->bounds.nparts};
    CLV_TRY(clv_line_cut(task, &numbers, ctx->ws, s->part, err));
    sampled by_number = sample_cost(s);
    lines l = {.s = s, .task = task, .ctx = ctx, .cost = by_number.cost};
    l.vertex = clv_ws_alloc(ctx->ws, n, sizeof *l.vertex);
    l.other = clv_ws_alloc(ctx->ws, n, sizeof *l.other);
    if (!l.vertex || !l.other)
        return clv_fail_memory(err);
    CLV_TRY(offer_curve(&l, err));
    if (l.cost * good_enough >= by_number.all) {
        clv_context_count(ctx, s->g->narc);
        clv_line_by_breadth(s->g, s->maybe_boundary, l.vertex);
        CLV_TRY(offer_line(&l, err));
    }
    *cost = l.cost;
    return CLEAVE_OK;
}

cleave_status clv_line_parts(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    clv_multilevel_task task = {.g = s->g, .bounds = s->bounds, .fixed = s->fixed};
    double cost;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    CLV_TRY(choose_line(s, &task, ctx, &cost, err));
    clv_ws_restore(ctx->ws, mark);
    clv_state_measure(s, ctx);
    return CLEAVE_OK;
}

/* seen: nparts; the vertex that a part was counted for. */
static double sample_volume(const clv_partition_state *s, int32_t *seen)
{
    const clv_graph *g = s->g;
    int32_t step = clv_line_sample_step(g);
    double sum = 0;
    for (int32_t p = 0; p < s->bounds.nparts; p++)
        seen[p] = -1;
    for (int32_t v = 0; v < g->nvtx; v += step) {
        int32_t others = 0;
        seen[s->part[v]] = v;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t p = s->part[g->adj[a]];
            others += seen[p] != v;
            seen[p] = v;
        }
        sum += (double)others * (double)clv_graph_vsize(g, v);
    }
    return sum;
}

/* other: a state without arrays, which becomes the cheapest line; *cost: on the sample. */
static cleave_status make_rival(clv_partition_state *other, const clv_multilevel_task *task,
                                clv_context *ctx, double *cost, cleave_error *err)
{
    int64_t n = task->g->nvtx;
    *other =
        (clv_partition_state){.g = task->g, .machine = task->machine, .bounds = task->bounds};
    other->part = clv_ws_alloc(ctx->ws, n, sizeof *other->part);
    other->maybe_boundary = clv_ws_alloc(ctx->ws, n, sizeof *other->maybe_boundary);
    if (!other->part || !other->maybe_boundary)
        return clv_fail_memory(err);
    return choose_line(other, task, ctx, cost, err);
}

cleave_status clv_line_replace(const clv_multilevel_task *task, clv_context *ctx,
                               int32_t *part, bool *replaced, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    clv_partition_state s = {.g = task->g, .machine = task->machine, .part = part}, line;
    double given = sample_cost(&s).cost, cost;
    CLV_TRY(make_rival(&line, task, ctx, &cost, err));
    *replaced = cost < given;
    if (*replaced)
        memcpy(part, line.part, (size_t)s.g->nvtx * sizeof *part);
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}

cleave_status clv_line_replace_by_volume(const clv_multilevel_task *task, clv_context *ctx,
                                         int32_t *part, bool *replaced, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    clv_partition_state s = {.g = task->g, .bounds = task->bounds, .part = part}, line;
    int32_t *seen = clv_ws_alloc(ctx->ws, task->bounds.nparts, sizeof *seen);
    double cost;
    if (!seen)
        return clv_fail_memory(err);
    CLV_TRY(make_rival(&line, task, ctx, &cost, err));
    *replaced = sample_volume(&line, seen) < sample_volume(&s, seen);
    if (*replaced)
        memcpy(part, line.part, (size_t)s.g->nvtx * sizeof *part);
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}
