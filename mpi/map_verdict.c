/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/map_verdict.c - validation of a distributed mapping from scratch; see mpi/map_run.h. */
#include <math.h>
#include <string.h>

#include "cleave/cleave_mpi.h"
#include "engine/limits.h"
#include "mpi/judge.h"
#include "mpi/map_run.h"
#include "target/target.h"

/* Weights and counts of the parts. */
typedef struct weights {
    int64_t *part;  /* npes * ncon */
    int64_t *count; /* npes */
    int64_t *total; /* ncon */
    bool counted;   /* all weights are 0 */
} weights;

static void weigh(const clv_mpi_run *run, const int32_t *part, weights *w)
{
    const clv_dist_graph *g = run->g;
    int32_t npes = run->t->npes, ncon = g->ncon;
    for (int32_t v = 0; v < g->nlocal; v++) {
        w->count[part[v]]++;
        for (int32_t c = 0; c < ncon; c++)
            w->part[(int64_t)part[v] * ncon + c] += clv_dist_vwgt(g, v, c);
    }
    clv_comm_sum_all(&g->comm, w->part, (int64_t)npes * ncon);
    clv_comm_sum_all(&g->comm, w->count, npes);
    w->counted = true;
    for (int32_t c = 0; c < ncon; c++)
        for (int32_t p = 0; p < npes; p++) {
            w->total[c] += w->part[(int64_t)p * ncon + c];
            w->counted &= w->part[(int64_t)p * ncon + c] == 0;
        }
    for (int32_t p = 0; w->counted && p < npes; p++) {
        w->part[(int64_t)p * ncon] = w->count[p];
        w->total[0] += w->count[p];
    }
}

const double *clv_mpi_speeds(const clv_target *t, double *room)
{
    bool equal = true;
    for (int32_t p = 0; p < t->npes; p++) {
        room[p] = cleave_target_speed(t, p);
        equal &= room[p] == room[0];
    }
    return equal ? NULL : room;
}

clv_share_rule clv_mpi_run_rule(const clv_mpi_run *run, const double *speeds, int32_t con)
{
    const double *shares = run->constraints.shares;
    return shares ? clv_share_rule_make(shares + con, run->t->npes, run->g->ncon)
                  : clv_share_rule_make(speeds, run->t->npes, 1);
}

static double eps_of(const clv_mpi_run *run, int32_t p)
{
    const double *given = run->constraints.imbalance;
    return given ? given[p] : run->request.opt.imbalance;
}

int64_t clv_mpi_run_bound(const clv_mpi_run *run, const clv_share_rule *rule, int64_t total,
                          int32_t p, int32_t con)
{
    const cleave_constraints *given = &run->constraints;
    int64_t i = (int64_t)p * run->g->ncon + con;
    if (given->max && given->max[i] >= 0 && clv_share_of(rule, 1, p) > 0)
        return given->max[i];
    return clv_share_bound(rule, total, p, eps_of(run, p));
}

static cleave_status check_bounds(clv_mpi_run *run, const weights *w, const double *speeds,
                                  cleave_error *err)
{
    int32_t npes = run->t->npes, ncon = run->g->ncon;
    cleave_status status = CLEAVE_OK;
    run->balanced = true;
    run->imbalance = 0;
    for (int32_t c = 0; c < (w->counted ? 1 : ncon); c++) {
        clv_share_rule rule = clv_mpi_run_rule(run, speeds, c);
        for (int32_t p = 0; p < npes; p++) {
            int64_t weight = w->part[(int64_t)p * ncon + c];
            int64_t bound = w->counted ? clv_share_bound(&rule, w->total[c], p, eps_of(run, p))
                                       : clv_mpi_run_bound(run, &rule, w->total[c], p, c);
            double share = clv_share_of(&rule, w->total[c], p);
            double over = share > 0 ? (double)weight / share - 1 : weight > 0 ? INFINITY : 0;
            run->imbalance = over > run->imbalance ? over : run->imbalance;
            if (run->request.opt.one_to_one && bound > 0) /* one vertex per PE: any weight */
                bound = w->total[c];
            if (weight <= bound)
                continue;
            if (run->balanced)
                status = clv_fail(err, CLEAVE_EBALANCE,
                                  "no mapping within the bounds was found: part %ld reaches "
                                  "%lld, above its bound %lld",
                                  (long)p, (long long)weight, (long long)bound);
            run->balanced = false;
        }
    }
    return status;
}

/* Whether the part must stay empty: by its share, or by all of its bounds. */
static bool is_idle(const clv_mpi_run *run, const weights *w, const double *speeds, int32_t p)
{
    const cleave_constraints *given = &run->constraints;
    int32_t ncon = run->g->ncon;
    double share = given->shares ? given->shares[(int64_t)p * ncon] : speeds ? speeds[p] : 1;
    if (share <= 0)
        return true;
    for (int32_t c = 0; given->max && !w->counted && c < ncon; c++)
        if (given->max[(int64_t)p * ncon + c] != 0)
            return false;
    return given->max && !w->counted;
}

/* Counts parts that are empty but must not be, and the reverse. */
static cleave_status check_empty(clv_mpi_run *run, const weights *w, const double *speeds,
                                 cleave_error *err)
{
    int32_t wanted = 0, example = -1, missing = 0;
    run->empty_parts = 0;
    for (int32_t p = 0; p < run->t->npes; p++) {
        bool idle = is_idle(run, w, speeds, p);
        wanted += !idle;
        run->empty_parts += w->count[p] == 0;
        if (idle && w->count[p] > 0 && !run->some_fixed)
            return clv_fail(err, CLEAVE_EBALANCE,
                            "part %ld must stay empty, but %lld vertices are in it", (long)p,
                            (long long)w->count[p]);
        if (!idle && w->count[p] == 0) {
            missing++;
            example = p;
        }
    }
    if (missing == 0 || run->g->nglobal < wanted || run->some_fixed)
        return CLEAVE_OK;
    return clv_fail(err, CLEAVE_EBALANCE,
                    "part %ld is empty, as are %ld in all, though there are enough vertices",
                    (long)example, (long)missing);
}

static cleave_status judge_balance(clv_mpi_run *run, const int32_t *part, cleave_error *err)
{
    int64_t npes = run->t->npes, ncon = run->g->ncon;
    weights w = {.part = clv_zalloc(npes * ncon, sizeof *w.part),
                 .count = clv_zalloc(npes, sizeof *w.count),
                 .total = clv_zalloc(ncon, sizeof *w.total)};
    double *room = clv_alloc(npes, sizeof *room);
    cleave_status status =
        clv_comm_agree_memory(&run->g->comm, w.part && w.count && w.total && room, err);
    if (status == CLEAVE_OK) {
        weigh(run, part, &w);
        const double *speeds = clv_mpi_speeds(run->t, room);
        status = check_bounds(run, &w, speeds, err);
        cleave_status empty = check_empty(run, &w, speeds, status == CLEAVE_OK ? err : NULL);
        status = status == CLEAVE_OK ? empty : status;
    }
    clv_sys_free(w.part);
    clv_sys_free(w.count);
    clv_sys_free(w.total);
    clv_sys_free(room);
    return status;
}

/* ---- Cut, cost, cycles ------------------------------------------------------------------ */

/* A mapping whose parts form a cycle must never be returned. */
static cleave_status judge_dag(clv_mpi_run *run, clv_judge *j, cleave_error *err)
{
    clv_judge_quotient q = {0};
    int32_t ncomponents = 0, *component = clv_alloc(j->used.count, sizeof *component);
    cleave_status status = clv_comm_agree_memory(&run->g->comm, component != NULL, err);
    if (status == CLEAVE_OK)
        status = clv_judge_quotient_make(&q, j, err);
    if (status == CLEAVE_OK)
        status = clv_judge_strong(&q, j, component, &ncomponents, err);
    if (status == CLEAVE_OK)
        status = clv_judge_critical_path(j, 1, 1, 11, &run->critical_path, err);
    run->acyclic = ncomponents == j->used.count;
    if (status == CLEAVE_OK && !run->acyclic)
        status = clv_fail(err, CLEAVE_ECYCLE, "the parts form a cycle");
    clv_judge_quotient_free(&q);
    clv_sys_free(component);
    return status;
}

static cleave_status judge_cost(clv_mpi_run *run, const int32_t *part, cleave_error *err)
{
    run->cost = run->cost_identity = -1;
    if (clv_target_is_flat(run->t) || run->t->npes == 1)
        return CLEAVE_OK;
    cleave_target_metrics m;
    cleave_target_metrics_init(&m, sizeof m);
    CLV_TRY(cleave_mpi_evaluate_target(&m, run->g, part, run->t, err));
    run->cost = m.cost;
    run->cost_identity = m.cost_identity;
    return CLEAVE_OK;
}

static cleave_status judge_cut(clv_mpi_run *run, const int32_t *part, cleave_error *err)
{
    clv_judge j;
    int64_t largest;
    run->acyclic = -1;
    run->critical_path = -1;
    cleave_status status = clv_judge_open(&j, run->g, run->t->npes, part, err);
    if (status == CLEAVE_OK)
        status = clv_judge_cut(&j, &run->cut, err);
    if (status == CLEAVE_OK)
        status = clv_judge_volume(&j, &run->volume, &largest, err);
    if (status == CLEAVE_OK && run->g->kind == CLEAVE_DAG)
        status = judge_dag(run, &j, err);
    clv_judge_close(&j);
    return status;
}

/* ---- Validation ------------------------------------------------------------------------- */

cleave_status clv_mpi_run_judge(clv_mpi_run *run, const int32_t *part, cleave_error *err)
{
    CLV_TRY(judge_cut(run, part, err));
    CLV_TRY(judge_cost(run, part, err));
    cleave_status status = judge_balance(run, part, err);
    if (status != CLEAVE_OK && status != CLEAVE_EBALANCE)
        return status;
    run->result.cancelled = clv_comm_max(&run->g->comm, clv_context_cancelled(&run->ctx)) != 0;
    run->result.timed_out =
        clv_comm_max(&run->g->comm, clv_context_is_shortened(&run->ctx)) != 0 &&
        !run->result.cancelled;
    if (run->result.cancelled)
        return clv_fail(err, CLEAVE_ECANCEL,
                        "stopped by the progress callback; the mapping is the best so far%s",
                        status == CLEAVE_OK ? "" : " and violates a constraint");
    return status;
}

void clv_mpi_run_report(const clv_mpi_run *run, cleave_map_report *report)
{
    const clv_dist_result *r = &run->result;
    report->cut = run->cut;
    report->volume = run->volume;
    report->imbalance = run->imbalance;
    report->empty_parts = run->empty_parts;
    report->balanced = run->balanced;
    report->levels = r->cycle.levels;
    report->threads = clv_context_threads(&run->ctx);
    report->cycles = 1;
    report->timed_out = r->timed_out;
    report->seconds = clv_clock() - run->begin;
    report->seconds_coarsen = r->cycle.coarsen;
    report->seconds_initial = r->cycle.initial;
    report->seconds_refine = r->cycle.refine;
    report->acyclic = run->acyclic;
    report->critical_path = run->critical_path;
    report->cost = run->cost;
    report->cost_identity = run->cost_identity;
    report->residual = -1;
    report->converged = -1;
}
