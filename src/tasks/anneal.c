/* SPDX-License-Identifier: Apache-2.0 */
/* tasks/anneal.c - simulated annealing of (order, PE) [Kirkpatrick et al. 1983].
 *
 * A schedule is an order of all tasks, which is topological, and a PE for each: every task
 * begins as soon as its data are there and the tasks before it on its PE are done.  A move
 * takes one task to another PE, to another place of the order between its last predecessor and
 * its first successor, or both.  Most moves are of tasks without slack.  Of a few random moves
 * of the task, the one with the shortest path through the task is tried, if that path is not
 * above the threshold of acceptance [estimate of moves: Taillard 1994]; the threshold is drawn
 * first.  The times behind the move are then simulated exactly: tasks behind a changed
 * predecessor or a changed neighbour on the PE.  The simulation ends as soon as a start plus
 * the longest path from there (`tail`, valid for every schedule) exceeds the threshold.
 *
 * Invariants between moves: start, finish and rest of every task are exact for (order, PE). */
#include "tasks/anneal.h"

#include <math.h>
#include <stdlib.h>

#include "base/rng.h"

enum { stage_anneal = 0x7461736b, moves_per_look = 256 };

typedef struct annealing {
    const clv_tasks *x;
    int32_t *task, *place;        /* by place in the order: task; by task: its place */
    int32_t *pe, *before, *after; /* by task: its PE, its neighbours there (-1: none) */
    int32_t *first, *last;        /* by PE */
    double *start, *finish, *tail;
    double *rest; /* by task: from its start to the end of this schedule, if nothing waits */
    uint32_t *stamp; /* by task: the move in which it must be simulated */
    uint32_t move;
    int32_t *changed; /* tasks simulated in this move, and their old start */
    double *old;
    int32_t nchanged, marked; /* tasks that are marked but not yet simulated */
    double makespan;
    int64_t steps;
    clv_rng rng;
} annealing;

/* ---- Construction ---------------------------------------------------------------------- */

static cleave_status allocate(annealing *s, const clv_tasks *x, clv_ws *ws, cleave_error *err)
{
    int64_t n = x->ntasks;
    *s = (annealing){.x = x,
                     .task = clv_ws_alloc(ws, n, sizeof *s->task),
                     .place = clv_ws_alloc(ws, n, sizeof *s->place),
                     .pe = clv_ws_alloc(ws, n, sizeof *s->pe),
                     .before = clv_ws_alloc(ws, n, sizeof *s->before),
                     .after = clv_ws_alloc(ws, n, sizeof *s->after),
                     .first = clv_ws_alloc(ws, x->npes, sizeof *s->first),
                     .last = clv_ws_alloc(ws, x->npes, sizeof *s->last),
                     .start = clv_ws_alloc(ws, n, sizeof *s->start),
                     .finish = clv_ws_alloc(ws, n, sizeof *s->finish),
                     .tail = clv_ws_alloc(ws, n, sizeof *s->tail),
                     .rest = clv_ws_alloc(ws, n, sizeof *s->rest),
                     .stamp = clv_ws_zalloc(ws, n, sizeof *s->stamp),
                     .changed = clv_ws_alloc(ws, n, sizeof *s->changed),
                     .old = clv_ws_alloc(ws, n, sizeof *s->old)};
    if (!s->task || !s->place || !s->pe || !s->before || !s->after || !s->first || !s->last ||
        !s->start || !s->finish || !s->tail || !s->rest || !s->stamp || !s->changed || !s->old)
        return clv_fail_memory(err);
    return CLEAVE_OK;
}

/* The longest path from the beginning of each task to the end, on the fastest PE. */
static void find_tails(annealing *s)
{
    const clv_tasks *x = s->x;
    double fastest = x->speed[0];
    for (int32_t p = 1; p < x->npes; p++)
        fastest = x->speed[p] > fastest ? x->speed[p] : fastest;
    for (int32_t i = x->ntasks - 1; i >= 0; i--) {
        int32_t v = x->order[i];
        double longest = 0;
        for (int64_t a = x->g->xadj[v]; a < x->g->xadj[v + 1]; a++)
            longest = fmax(longest, s->tail[x->g->adj[a]]);
        /* A little less: sums in another order may round down. */
        s->tail[v] = longest + x->work[v] / fastest * (1 - 0x1p-40);
    }
}

/* The tasks by start, ties in topological order. */
static cleave_status order_by_start(annealing *s, const clv_task_plan *plan, clv_ws *ws,
                                    cleave_error *err)
{
    double *remaining = s->old;
    for (int32_t v = 0; v < s->x->ntasks; v++)
        remaining[v] = plan->makespan - plan->start[v];
    return clv_tasks_by_rank(s->x, remaining, s->task, ws, err);
}

static double start_of(const annealing *s, int32_t v)
{
    const clv_tasks *x = s->x;
    const clv_graph *g = x->g;
    int32_t p = s->pe[v];
    double start = s->before[v] >= 0 ? s->finish[s->before[v]] : 0;
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
        int32_t u = g->pred[a];
        double arrival = s->finish[u];
        if (s->pe[u] != p)
            arrival += x->flat ? x->in[a] : clv_tasks_distance(x, s->pe[u], p) * x->in[a];
        start = arrival > start ? arrival : start;
    }
    return start;
}

static double rest_of(const annealing *s, int32_t v)
{
    const clv_tasks *x = s->x;
    const clv_graph *g = x->g;
    int32_t p = s->pe[v];
    double rest = s->after[v] >= 0 ? s->rest[s->after[v]] : 0;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t c = g->adj[a];
        double path = s->rest[c];
        if (s->pe[c] != p)
            path += x->flat ? x->out[a] : clv_tasks_distance(x, p, s->pe[c]) * x->out[a];
        rest = path > rest ? path : rest;
    }
    return rest + x->work[v] / x->speed[p];
}

static void simulate_all(annealing *s)
{
    const clv_tasks *x = s->x;
    for (int32_t p = 0; p < x->npes; p++)
        s->first[p] = s->last[p] = -1;
    s->makespan = 0;
    for (int32_t i = 0; i < x->ntasks; i++) {
        int32_t v = s->task[i], p = s->pe[v];
        s->place[v] = i;
        s->before[v] = s->last[p];
        s->after[v] = -1;
        if (s->last[p] >= 0)
            s->after[s->last[p]] = v;
        else
            s->first[p] = v;
        s->last[p] = v;
        s->start[v] = start_of(s, v);
        s->finish[v] = s->start[v] + x->work[v] / x->speed[p];
        s->makespan = fmax(s->makespan, s->finish[v]);
    }
    for (int32_t i = x->ntasks - 1; i >= 0; i--)
        s->rest[s->task[i]] = rest_of(s, s->task[i]);
}

/* ---- Moves ----------------------------------------------------------------------------- */

static void unlink_task(annealing *s, int32_t v)
{
    int32_t p = s->pe[v], b = s->before[v], a = s->after[v];
    if (b >= 0)
        s->after[b] = a;
    else
        s->first[p] = a;
    if (a >= 0)
        s->before[a] = b;
    else
        s->last[p] = b;
}

/* The last task of PE p before v, if v moves to place `to`; -1: none. */
static int32_t find_before(const annealing *s, int32_t v, int32_t p, int32_t to)
{
    enum { near = 64 };
    int32_t i = to > s->place[v] ? to : to - 1, u;
    for (int32_t end = i - near; i >= 0 && i > end; i--)
        if (s->pe[s->task[i]] == p && s->task[i] != v)
            return s->task[i];
    for (u = s->last[p]; u >= 0 && (u == v || s->place[u] > i); u = s->before[u])
        ;
    return u;
}

/* Links v behind task b of PE p; -1: as its first. */
static void link_task(annealing *s, int32_t v, int32_t p, int32_t b)
{
    int32_t a = b >= 0 ? s->after[b] : s->first[p];
    s->pe[v] = p;
    s->before[v] = b;
    s->after[v] = a;
    if (b >= 0)
        s->after[b] = v;
    else
        s->first[p] = v;
    if (a >= 0)
        s->before[a] = v;
    else
        s->last[p] = v;
}

static void shift(annealing *s, int32_t v, int32_t to)
{
    int32_t i = s->place[v];
    for (; i < to; i++) {
        s->task[i] = s->task[i + 1];
        s->place[s->task[i]] = i;
    }
    for (; i > to; i--) {
        s->task[i] = s->task[i - 1];
        s->place[s->task[i]] = i;
    }
    s->task[to] = v;
    s->place[v] = to;
}

static void relocate(annealing *s, int32_t v, int32_t p, int32_t to, int32_t before)
{
    unlink_task(s, v);
    s->steps += 1 + abs(s->place[v] - to) / 8;
    shift(s, v, to);
    link_task(s, v, p, before);
}

static void mark(annealing *s, int32_t v)
{
    if (v >= 0 && s->stamp[v] != s->move) {
        s->stamp[v] = s->move;
        s->marked++;
    }
}

/* Simulates the marked tasks, all of which are at place i or later.  False: the makespan
 * exceeds `most`. */
static bool simulate(annealing *s, int32_t i, double most)
{
    const clv_tasks *x = s->x;
    const clv_graph *g = x->g;
    for (int32_t from = i; s->marked > 0; i++) {
        int32_t v = s->task[i];
        if (s->stamp[v] != s->move)
            continue;
        double start = start_of(s, v), finish = start + x->work[v] / x->speed[s->pe[v]];
        s->steps += 2 + g->xpred[v + 1] - g->xpred[v] + (i - from) / 8;
        from = i;
        s->marked--;
        if (start + s->tail[v] > most || finish > most)
            return false;
        s->changed[s->nchanged] = v;
        s->old[s->nchanged++] = s->start[v];
        s->start[v] = start;
        if (finish == s->finish[v])
            continue;
        s->finish[v] = finish;
        s->steps += 1 + g->xadj[v + 1] - g->xadj[v];
        mark(s, s->after[v]);
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            mark(s, g->adj[a]);
    }
    return true;
}

/* The same for `rest` after a move, from place i backwards. */
static void simulate_rests(annealing *s, int32_t i)
{
    const clv_graph *g = s->x->g;
    for (int32_t from = i; s->marked > 0; i--) {
        int32_t v = s->task[i];
        if (s->stamp[v] != s->move)
            continue;
        double rest = rest_of(s, v);
        s->steps += 2 + g->xadj[v + 1] - g->xadj[v] + (from - i) / 8;
        from = i;
        s->marked--;
        if (rest == s->rest[v])
            continue;
        s->rest[v] = rest;
        s->steps += 1 + g->xpred[v + 1] - g->xpred[v];
        mark(s, s->before[v]);
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
            mark(s, g->pred[a]);
    }
}

static double longest_end(const annealing *s)
{
    double longest = 0;
    for (int32_t p = 0; p < s->x->npes; p++)
        if (s->last[p] >= 0 && s->finish[s->last[p]] > longest)
            longest = s->finish[s->last[p]];
    return longest;
}

/* Takes back the last move: v was on PE p, at this place, behind this task. */
static void undo(annealing *s, int32_t v, int32_t p, int32_t to, int32_t before)
{
    relocate(s, v, p, to, before);
    while (s->nchanged > 0) {
        int32_t u = s->changed[--s->nchanged];
        s->start[u] = s->old[s->nchanged];
        s->finish[u] = s->start[u] + s->x->work[u] / s->x->speed[s->pe[u]];
    }
}

/* A new place for v: a few places away, or anywhere that its neighbours in the DAG allow. */
static int32_t draw_place(annealing *s, int32_t v)
{
    const clv_graph *g = s->x->g;
    int32_t low = 0, high = s->x->ntasks - 1, now = s->place[v];
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
        if (s->place[g->pred[a]] >= low)
            low = s->place[g->pred[a]] + 1;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        if (s->place[g->adj[a]] <= high)
            high = s->place[g->adj[a]] - 1;
    s->steps += (g->xpred[v + 1] - g->xpred[v] + g->xadj[v + 1] - g->xadj[v]) / 2;
    if (clv_rng_below(&s->rng, 2) == 0) {
        int32_t reach = 4 * s->x->npes;
        low = now - low > reach ? now - reach : low;
        high = high - now > reach ? now + reach : high;
    }
    return low + (int32_t)clv_rng_below(&s->rng, (uint32_t)(high - low + 1));
}

/* A PE: that of a neighbour in the DAG, or any. */
static int32_t draw_pe(annealing *s, int32_t v)
{
    const clv_graph *g = s->x->g;
    int64_t in = g->xpred[v + 1] - g->xpred[v], out = g->xadj[v + 1] - g->xadj[v];
    uint32_t kind = clv_rng_below(&s->rng, 4);
    if (kind == 0 && in > 0)
        return s->pe[g->pred[g->xpred[v] + clv_rng_below(&s->rng, (uint32_t)in)]];
    if (kind == 1 && out > 0)
        return s->pe[g->adj[g->xadj[v] + clv_rng_below(&s->rng, (uint32_t)out)]];
    return (int32_t)clv_rng_below(&s->rng, (uint32_t)s->x->npes);
}

/* A task; four times out of five one without slack, if one is found soon. */
static int32_t draw_task(annealing *s)
{
    enum { most_draws = 16 };
    uint32_t n = (uint32_t)s->x->ntasks;
    int32_t v = (int32_t)clv_rng_below(&s->rng, n);
    if (clv_rng_below(&s->rng, 5) == 0)
        return v;
    double critical = s->makespan * (1 - 0x1p-40);
    for (int i = 0; i < most_draws && s->start[v] + s->rest[v] < critical; i++, s->steps++)
        v = (int32_t)clv_rng_below(&s->rng, n);
    return v;
}

typedef struct anneal_move {
    int32_t task, pe, place, before;
    double estimate;
} anneal_move;

/* The longest path through the task if nothing else changes [Taillard 1994]. */
static void estimate(annealing *s, anneal_move *m)
{
    const clv_tasks *x = s->x;
    const clv_graph *g = x->g;
    int32_t v = m->task, p = m->pe, b = find_before(s, v, p, m->place);
    int32_t behind = b >= 0 ? s->after[b] : s->first[p];
    if (behind == v)
        behind = s->after[v];
    double head = b >= 0 ? s->finish[b] : 0, rest = behind >= 0 ? s->rest[behind] : 0;
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
        int32_t u = g->pred[a];
        double path = s->finish[u] + clv_tasks_distance(x, s->pe[u], p) * x->in[a];
        head = path > head ? path : head;
    }
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t c = g->adj[a];
        double path = s->rest[c] + clv_tasks_distance(x, p, s->pe[c]) * x->out[a];
        rest = path > rest ? path : rest;
    }
    m->before = b;
    m->estimate = head + x->work[v] / x->speed[p] + rest;
    s->steps += 2 + g->xpred[v + 1] - g->xpred[v] + g->xadj[v + 1] - g->xadj[v];
}

/* The most promising of some random moves of one task. */
static anneal_move draw_move(annealing *s)
{
    enum { candidates = 3 };
    anneal_move best = {.task = draw_task(s), .estimate = INFINITY};
    int32_t v = best.task;
    for (int i = 0; i < candidates; i++) {
        anneal_move m = {.task = v};
        uint32_t kind = clv_rng_below(&s->rng, 4);
        m.place = kind == 0 ? s->place[v] : draw_place(s, v);
        m.pe = kind == 1 ? s->pe[v] : draw_pe(s, v);
        s->steps += 4;
        if (m.pe == s->pe[v] && m.place == s->place[v])
            continue;
        estimate(s, &m);
        if (m.estimate < best.estimate)
            best = m;
    }
    return best;
}

/* Simulates the schedule behind a move.  False: its makespan exceeds `most`. */
static bool follow(annealing *s, const anneal_move *m, int32_t from, int32_t behind,
                   double most)
{
    mark(s, m->task);
    mark(s, behind);
    mark(s, s->after[m->task]);
    if (!simulate(s, from < m->place ? from : m->place, most))
        return false;
    double makespan = longest_end(s);
    if (makespan > most)
        return false;
    s->makespan = makespan;
    return true;
}

/* The times before a move that was accepted. */
static void follow_back(annealing *s, const anneal_move *m, int32_t from, int32_t before)
{
    const clv_graph *g = s->x->g;
    int32_t v = m->task;
    s->move++;
    s->marked = 0;
    mark(s, v);
    mark(s, before);
    mark(s, s->before[v]);
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
        mark(s, g->pred[a]);
    simulate_rests(s, from > m->place ? from : m->place);
}

/* One move; it is accepted up to a makespan of `most`. */
static void try_move(annealing *s, double most)
{
    anneal_move m = draw_move(s);
    int32_t v = m.task, p = s->pe[v], from = s->place[v];
    int32_t behind = s->after[v], before = s->before[v];
    if (m.estimate > most)
        return;
    s->move++;
    s->nchanged = s->marked = 0;
    relocate(s, v, m.pe, m.place, m.before);
    if (m.pe == p && s->after[v] == behind)
        return; /* its neighbours on the PE are the same: so are all times */
    double finish = s->finish[v];
    if (m.pe != p)
        s->finish[v] = -1; /* its data arrive at other times even if it ends when it did */
    if (follow(s, &m, from, behind, most)) {
        follow_back(s, &m, from, before);
        return;
    }
    s->finish[v] = finish;
    undo(s, v, p, from, before);
}

/* ---- The search ------------------------------------------------------------------------ */

static void keep(annealing *s, clv_task_plan *plan)
{
    if (s->makespan >= plan->makespan)
        return;
    for (int32_t v = 0; v < s->x->ntasks; v++) {
        plan->pe[v] = s->pe[v];
        plan->start[v] = s->start[v];
    }
    plan->makespan = s->makespan;
    s->steps += s->x->ntasks / 4;
}

/* A random number with density exp(-x), by comparisons only [von Neumann 1951]: the same with
 * every mathematical library. */
static double draw_exponential(clv_rng *rng)
{
    for (double whole = 0;; whole += 1) {
        double first = clv_rng_unit(rng), least = first;
        int32_t count = 1;
        for (double next = clv_rng_unit(rng); next < least; next = clv_rng_unit(rng)) {
            least = next;
            count++;
        }
        if (count % 2 == 1)
            return whole + first;
    }
}

/* The temperature falls by a factor of 200 over the budget, in `levels` equal factors. */
static void search_moves(annealing *s, const clv_anneal *how, clv_task_plan *plan,
                         clv_context *ctx)
{
    enum { levels = 256 };
    const double factor = 0.97951637; /* 200^(-1/256) */
    double heat = how->heat * s->makespan;
    int64_t level = 0;
    for (int64_t moves = 0; s->steps < how->steps && plan->makespan > how->bound; moves++) {
        for (; level < s->steps / (how->steps / levels + 1); level++)
            heat *= factor;
        if (moves % moves_per_look == 0 && clv_context_stop(ctx))
            break;
        try_move(s, s->makespan + heat * draw_exponential(&s->rng));
        keep(s, plan);
    }
}

cleave_status clv_tasks_anneal(const clv_tasks *x, const clv_anneal *how, clv_task_plan *plan,
                               clv_context *ctx, cleave_error *err)
{
    annealing s;
    if (x->ntasks < 2 || x->npes < 2)
        return CLEAVE_OK;
    clv_ws_mark restored = clv_ws_save(ctx->ws);
    cleave_status status = allocate(&s, x, ctx->ws, err);
    if (status == CLEAVE_OK)
        status = order_by_start(&s, plan, ctx->ws, err);
    if (status == CLEAVE_OK) {
        for (int32_t v = 0; v < x->ntasks; v++)
            s.pe[v] = plan->pe[v];
        s.rng = clv_rng_make(ctx->seed, stage_anneal, how->number, 0);
        find_tails(&s);
        simulate_all(&s);
        keep(&s, plan);
        search_moves(&s, how, plan, ctx);
    }
    clv_ws_restore(ctx->ws, restored);
    return status;
}
