/* SPDX-License-Identifier: Apache-2.0 */
/* engine/order/line_parts.c - parts as intervals of a linear order, see
 * engine/order/line_parts.h. */
#include "engine/order/line_parts.h"

#include <string.h>

enum {                         /* not tuned */
       few_vertices = 1 << 14, /* in smaller graphs the sample is all vertices */
       most_sampled = 1 << 14,
       good_enough = 20 /* an order that cuts less than one in so many edges is accepted */
};

/* ---- Cutting ---------------------------------------------------------------------------- */

typedef struct cutting {
    const clv_multilevel_task *task;
    const clv_line *line;
    double *end;     /* by part: position where it ends, as a share of the total length */
    double *free;    /* by constraint: sum over the free vertices */
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
        if (c->free[w] > 0)
            sum += (double)clv_graph_vwgt(g, v, w) / c->free[w];
    return c->weights > 0 ? sum / c->weights : 0;
}

/* Assigns each vertex to the part that contains its midpoint. */
static void cut(const cutting *c, int32_t *part)
{
    const clv_multilevel_task *t = c->task;
    double at = 0;
    int32_t p = 0, last = c->line->nparts - 1;
    while (last > 0 && c->end[last - 1] == c->end[last])
        last--; /* trailing parts without a share */
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

cleave_status clv_line_cut(const clv_multilevel_task *task, const clv_line *line, clv_ws *ws,
                           int32_t *part, cleave_error *err)
{
    const clv_graph *g = task->g;
    int32_t ncon = g->ncon, k = line->nparts;
    clv_ws_mark mark = clv_ws_save(ws);
    cutting c = {.task = task, .line = line};
    c.end = clv_ws_zalloc(ws, k, sizeof *c.end);
    c.free = clv_ws_zalloc(ws, ncon, sizeof *c.free);
    double *held = clv_ws_zalloc(ws, (int64_t)k * ncon, sizeof *held);
    if (!c.end || !c.free || !held)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < line->count; i++) {
        int32_t v = vertex_at(line, i);
        double *sum =
            is_free(task, v) ? c.free : held + (int64_t)(task->fixed[v] - line->first) * ncon;
        for (int32_t w = 0; w < ncon; w++)
            sum[w] += (double)clv_graph_vwgt(g, v, w);
    }
    for (int32_t w = 0; w < ncon; w++)
        c.weights += c.free[w] > 0;
    find_ends(&c, held);
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
            for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
                int32_t u = g->adj[a];
                if (!seen[u])
                    vertex[count++] = u;
                seen[u] = 1;
            }
        }
    }
}

/* Cost of the arcs of a regular sample of the vertices, and their cost if all were cut. */
typedef struct sampled {
    double cost, all;
} sampled;

static sampled sample_cost(const clv_partition_state *s)
{
    const clv_graph *g = s->g;
    int32_t step = g->nvtx < few_vertices ? 1 : g->nvtx / most_sampled;
    sampled sum = {0, 0};
    for (int32_t v = 0; v < g->nvtx; v += step)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int64_t w = clv_graph_ewgt(g, a);
            sum.cost += (double)clv_state_cost(s, w, s->part[v], s->part[g->adj[a]]);
            sum.all += (double)w;
        }
    return sum;
}

double clv_line_sample(const clv_partition_state *s)
{
    return sample_cost(s).cost;
}

/* *cost: of the sampled arcs. */
static cleave_status choose_line(clv_partition_state *s, const clv_multilevel_task *task,
                                 clv_context *ctx, double *cost, cleave_error *err)
{
    int64_t n = s->g->nvtx;
    clv_line line = {.count = s->g->nvtx, .nparts = s->bounds.nparts};
    CLV_TRY(clv_line_cut(task, &line, ctx->ws, s->part, err));
    sampled by_number = sample_cost(s);
    *cost = by_number.cost;
    if (by_number.cost * good_enough < by_number.all)
        return CLEAVE_OK;
    int32_t *vertex = clv_ws_alloc(ctx->ws, n, sizeof *vertex);
    int32_t *other = clv_ws_alloc(ctx->ws, n, sizeof *other);
    if (!vertex || !other)
        return clv_fail_memory(err);
    clv_context_count(ctx, s->g->narc);
    clv_line_by_breadth(s->g, s->maybe_boundary, vertex);
    line.vertex = vertex;
    memcpy(other, s->part, (size_t)n * sizeof *other);
    CLV_TRY(clv_line_cut(task, &line, ctx->ws, s->part, err));
    double by_breadth = sample_cost(s).cost;
    if (by_breadth < by_number.cost)
        *cost = by_breadth;
    else
        memcpy(s->part, other, (size_t)n * sizeof *other);
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

cleave_status clv_line_replace(const clv_multilevel_task *task, clv_context *ctx,
                               int32_t *part, bool *replaced, cleave_error *err)
{
    int64_t n = task->g->nvtx;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    clv_partition_state s = {.g = task->g, .bounds = task->bounds, .machine = task->machine};
    s.part = part;
    double given = sample_cost(&s).cost;
    s.part = clv_ws_alloc(ctx->ws, n, sizeof *s.part);
    s.maybe_boundary = clv_ws_alloc(ctx->ws, n, sizeof *s.maybe_boundary);
    if (!s.part || !s.maybe_boundary)
        return clv_fail_memory(err);
    double cost;
    CLV_TRY(choose_line(&s, task, ctx, &cost, err));
    *replaced = cost < given;
    if (*replaced)
        memcpy(part, s.part, (size_t)n * sizeof *part);
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}
