/* SPDX-License-Identifier: Apache-2.0 */
/* See tests/oracle/task_oracle.h. */
#include "oracle/task_oracle.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { room = 10, most_pes = 16 };

typedef struct problem {
    cleave_csr csr;
    const cleave_target *t;
    double bandwidth, latency;
} problem;

static problem problem_of(const cleave_graph *g, const cleave_target *t, double bandwidth,
                          double latency)
{
    problem p = {.t = t, .bandwidth = bandwidth, .latency = latency};
    cleave_csr_init(&p.csr, sizeof p.csr);
    cleave_graph_view(g, &p.csr);
    return p;
}

static double work_of(const problem *p, int32_t v)
{
    return p->csr.vwgt ? p->csr.vwgt[v] : 1;
}

static double delay_of(const problem *p, int64_t arc, int32_t from, int32_t to)
{
    double data = p->csr.ewgt ? p->csr.ewgt[arc] : 1;
    if (from == to)
        return 0;
    return cleave_target_distance(p->t, from, to) * (p->latency + data / p->bandwidth);
}

double oracle_task_makespan(const cleave_task_schedule *s, const cleave_graph *g,
                            const cleave_target *t, double bandwidth, double latency)
{
    problem p = problem_of(g, t, bandwidth, latency);
    const int32_t *pe = cleave_task_schedule_pe(s);
    const double *start = cleave_task_schedule_start(s);
    double makespan = 0;
    if (cleave_task_schedule_tasks(s) != p.csr.nvtx)
        return -1;
    for (int32_t u = 0; u < p.csr.nvtx; u++) {
        if (pe[u] < 0 || pe[u] >= cleave_target_pes(t) || !(start[u] >= 0) ||
            cleave_target_speed(t, pe[u]) <= 0)
            return -1;
        double finish = start[u] + work_of(&p, u) / cleave_target_speed(t, pe[u]);
        makespan = fmax(makespan, finish);
        for (int64_t a = p.csr.xadj[u]; a < p.csr.xadj[u + 1]; a++) {
            int32_t v = p.csr.adj[a];
            if (start[v] < finish + delay_of(&p, a, pe[u], pe[v]))
                return -1;
        }
        for (int32_t v = 0; v < p.csr.nvtx; v++)
            if (v != u && pe[v] == pe[u] && start[v] >= start[u] && start[v] < finish &&
                (start[v] > start[u] || work_of(&p, v) > 0))
                return -1;
    }
    return makespan;
}

/* ---- Branch and bound ------------------------------------------------------------------- */

typedef struct branching {
    problem p;
    double free[most_pes], finish[room], best;
    int32_t pe[room], waiting[room];
    bool done[room];
} branching;

static double start_on(const branching *b, int32_t v, int32_t q)
{
    double start = b->free[q];
    for (int32_t u = 0; u < b->p.csr.nvtx; u++)
        for (int64_t a = b->p.csr.xadj[u]; a < b->p.csr.xadj[u + 1]; a++)
            if (b->p.csr.adj[a] == v)
                start = fmax(start, b->finish[u] + delay_of(&b->p, a, b->pe[u], q));
    return start;
}

/* Appends every ready task to every PE. */
static void branch(branching *b, int32_t placed, double makespan)
{
    const cleave_csr *csr = &b->p.csr;
    if (makespan >= b->best)
        return;
    if (placed == csr->nvtx) {
        b->best = makespan;
        return;
    }
    for (int32_t v = 0; v < csr->nvtx; v++) {
        if (b->done[v] || b->waiting[v] > 0)
            continue;
        b->done[v] = true;
        for (int64_t a = csr->xadj[v]; a < csr->xadj[v + 1]; a++)
            b->waiting[csr->adj[a]]--;
        for (int32_t q = 0; q < cleave_target_pes(b->p.t); q++) {
            double speed = cleave_target_speed(b->p.t, q), before = b->free[q];
            if (speed <= 0)
                continue;
            b->pe[v] = q;
            b->finish[v] = b->free[q] = start_on(b, v, q) + work_of(&b->p, v) / speed;
            branch(b, placed + 1, fmax(makespan, b->finish[v]));
            b->free[q] = before;
        }
        b->done[v] = false;
        for (int64_t a = csr->xadj[v]; a < csr->xadj[v + 1]; a++)
            b->waiting[csr->adj[a]]++;
    }
}

double oracle_task_best(const cleave_graph *g, const cleave_target *t, double bandwidth,
                        double latency)
{
    branching b = {.p = problem_of(g, t, bandwidth, latency), .best = INFINITY};
    for (int32_t v = 0; v < b.p.csr.nvtx; v++)
        for (int64_t a = b.p.csr.xadj[v]; a < b.p.csr.xadj[v + 1]; a++)
            b.waiting[b.p.csr.adj[a]]++;
    branch(&b, 0, 0);
    return b.best;
}
