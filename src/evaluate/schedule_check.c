/* SPDX-License-Identifier: Apache-2.0 */
/* evaluate/schedule_check.c - validates a schedule: every task is once in the order of
 * execution and in its block, and every arc comes from an earlier layer or from earlier on the
 * same thread. */
#include "evaluate/schedule_metrics.h"

static const char *noun(const clv_schedule *s)
{
    return s->row ? "task" : "vertex";
}

/* ---- Every task once ------------------------------------------------------------------ */

static cleave_status check_block(const clv_schedule *s, int32_t layer, int32_t thread,
                                 int32_t *place, cleave_error *err)
{
    int64_t b = (int64_t)layer * s->threads + thread;
    for (int64_t i = s->block[b]; i < s->block[b + 1]; i++) {
        int32_t t = s->order[i];
        if (t < 0 || t >= s->ntasks || place[t] >= 0)
            return clv_fail(err, CLEAVE_EINVAL, "%s %ld is executed twice, or does not exist",
                            noun(s), (long)t);
        if (s->layer[t] != layer || s->thread[t] != thread)
            return clv_fail(err, CLEAVE_EINVAL,
                            "%s %ld, of layer %ld and thread %ld, is executed in layer %ld by "
                            "thread %ld",
                            noun(s), (long)t, (long)s->layer[t], (long)s->thread[t],
                            (long)layer, (long)thread);
        place[t] = (int32_t)i;
    }
    return CLEAVE_OK;
}

static cleave_status find_places(const clv_schedule *s, int32_t *place, cleave_error *err)
{
    int64_t blocks = (int64_t)s->layers * s->threads;
    for (int32_t t = 0; t < s->ntasks; t++)
        place[t] = -1;
    if (s->block[0] != 0 || s->block[blocks] != s->ntasks)
        return clv_fail(err, CLEAVE_EINVAL,
                        "the blocks of the schedule do not hold all %ld %s", (long)s->ntasks,
                        s->row ? "tasks" : "vertices");
    for (int32_t l = 0; l < s->layers; l++)
        for (int32_t t = 0; t < s->threads; t++)
            CLV_TRY(check_block(s, l, t, place, err));
    return CLEAVE_OK;
}

/* ---- Every arc forward ---------------------------------------------------------------- */

static cleave_status fail_arc(const clv_schedule *s, int32_t t, int32_t u, cleave_error *err)
{
    const char *what = noun(s);
    if (s->layer[t] > s->layer[u])
        return clv_fail(err, CLEAVE_EINVAL,
                        "the arc from %s %ld to %s %ld leads from layer %ld back to layer %ld",
                        what, (long)t, what, (long)u, (long)s->layer[t], (long)s->layer[u]);
    if (s->thread[t] != s->thread[u])
        return clv_fail(err, CLEAVE_EINVAL,
                        "the arc from %s %ld to %s %ld joins threads %ld and %ld inside layer "
                        "%ld",
                        what, (long)t, what, (long)u, (long)s->thread[t], (long)s->thread[u],
                        (long)s->layer[t]);
    return clv_fail(err, CLEAVE_EINVAL,
                    "%s %ld needs %s %ld, but comes before it on thread %ld of layer %ld",
                    what, (long)u, what, (long)t, (long)s->thread[t], (long)s->layer[t]);
}

/* Is t finished when u begins? */
static inline bool is_before(const clv_schedule *s, const int32_t *place, int32_t t, int32_t u)
{
    if (s->layer[t] != s->layer[u])
        return s->layer[t] < s->layer[u];
    return s->thread[t] == s->thread[u] && place[t] < place[u];
}

/* Does any predecessor of v come too late? Places ascend from block to block: a predecessor
 * must be before the places of the layer, or earlier in the same block. */
static bool is_late(const clv_schedule *s, const clv_graph *g, const int32_t *place, int32_t v)
{
    const int64_t *layer = s->block + (int64_t)s->layer[v] * s->threads;
    int32_t first = (int32_t)layer[0], begin = (int32_t)layer[s->thread[v]], end = place[v];
    int late = 0;
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
        int32_t at = place[g->pred[a]];
        late |= (at >= first) & ((at < begin) | (at >= end));
    }
    return late;
}

static cleave_status check_arcs(const clv_schedule *s, const clv_graph *g,
                                const int32_t *place, cleave_error *err)
{
    bool late = false;
    for (int32_t v = 0; v < g->nvtx; v++)
        late |= is_late(s, g, place, v);
    for (int32_t v = 0; late && v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (!is_before(s, place, v, g->adj[a]))
                return fail_arc(s, v, g->adj[a], err);
    return CLEAVE_OK;
}

/* ---- Split rows ----------------------------------------------------------------------- */

/* last[r]: the last task of row r; rows ascend without a gap. */
static cleave_status find_last_tasks(const clv_schedule *s, int32_t *last, cleave_error *err)
{
    int32_t row = -1;
    for (int32_t t = 0; t < s->ntasks; t++) {
        if (s->row[t] != row && s->row[t] != row + 1)
            return clv_fail(err, CLEAVE_EINVAL,
                            "task %ld is of row %ld, but the task before it of row %ld",
                            (long)t, (long)s->row[t], (long)row);
        row = s->row[t];
        last[row] = t;
    }
    if (row != s->nrows - 1)
        return clv_fail(err, CLEAVE_EINVAL, "row %ld has no task", (long)row + 1);
    return CLEAVE_OK;
}

/* The state while tasks are visited in the order of their rows. */
typedef struct row_walk {
    const clv_schedule *s;
    const clv_graph *g;
    const int32_t *place, *last;
    int64_t next; /* the first predecessor that no task so far takes */
} row_walk;

/* The predecessors that a task takes are finished before it. */
static cleave_status check_task(row_walk *w, int32_t t, cleave_error *err)
{
    const clv_schedule *s = w->s;
    const int64_t *xpred = w->g->xpred;
    int32_t r = s->row[t];
    if (t > 0 && s->row[t - 1] == r && !is_before(s, w->place, t - 1, t))
        return fail_arc(s, t - 1, t, err);
    if (s->share[t] < 0 || s->share[t] > xpred[r + 1] - w->next)
        return clv_fail(err, CLEAVE_EINVAL,
                        "the tasks of row %ld take more than its %ld predecessors", (long)r,
                        (long)(xpred[r + 1] - xpred[r]));
    for (int64_t end = w->next + s->share[t]; w->next < end; w->next++) {
        int32_t before = w->last[w->g->pred[w->next]];
        if (!is_before(s, w->place, before, t))
            return fail_arc(s, before, t, err);
    }
    if (t == w->last[r] && w->next != xpred[r + 1])
        return clv_fail(err, CLEAVE_EINVAL,
                        "the tasks of row %ld take only %ld of its %ld predecessors", (long)r,
                        (long)(w->next - xpred[r]), (long)(xpred[r + 1] - xpred[r]));
    return CLEAVE_OK;
}

static cleave_status check_rows(const clv_schedule *s, const clv_graph *g,
                                const int32_t *place, clv_ws *ws, cleave_error *err)
{
    int32_t *last = clv_ws_alloc(ws, s->nrows, sizeof *last);
    row_walk w = {.s = s, .g = g, .place = place, .last = last};
    if (!last)
        return clv_fail_memory(err);
    CLV_TRY(find_last_tasks(s, last, err));
    for (int32_t t = 0; t < s->ntasks; t++)
        CLV_TRY(check_task(&w, t, err));
    return CLEAVE_OK;
}

static cleave_status check_all(const clv_schedule *s, const clv_graph *g, clv_ws *ws,
                               cleave_error *err)
{
    int32_t *place = clv_ws_alloc(ws, s->ntasks, sizeof *place);
    if (!place)
        return clv_fail_memory(err);
    CLV_TRY(find_places(s, place, err));
    return s->row ? check_rows(s, g, place, ws, err) : check_arcs(s, g, place, err);
}

cleave_status clv_evaluate_schedule_check(const clv_schedule *s, const clv_graph *g,
                                          clv_ws *ws, cleave_error *err)
{
    if (g->kind != CLEAVE_DAG)
        return clv_fail(err, CLEAVE_EINVAL,
                        "a schedule is of a DAG, but the graph is undirected");
    if (s->nrows != g->nvtx)
        return clv_fail(err, CLEAVE_EINVAL,
                        "the schedule has %ld vertices, but the graph has %ld", (long)s->nrows,
                        (long)g->nvtx);
    clv_ws_mark mark = clv_ws_save(ws);
    cleave_status status = check_all(s, g, ws, err);
    clv_ws_restore(ws, mark);
    return status;
}
