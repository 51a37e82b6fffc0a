/* SPDX-License-Identifier: Apache-2.0 */
/* api/order_split.c - orders cut for a machine: intervals, mappings, and mappings whose
 * borders were improved. */
#include "order/split.h"

#include <math.h>
#include <string.h>

#include "api/map_arguments.h"
#include "api/map_call.h"
#include "engine/task_normalise.h"
#include "engine/trivial_mapping.h"

void cleave_split_options_init(cleave_split_options *opt, size_t size)
{
    cleave_split_options defaults = {.imbalance = 0.03};
    clv_sized_init(opt, size);
    clv_sized_write(opt, &defaults, sizeof defaults);
}

/* ---- Intervals ------------------------------------------------------------------------- */

typedef struct split_request {
    const clv_order *o;
    const clv_target *t;
    double imbalance;
    clv_grouping grouping;
    bool arranged; /* and PEs exchanged for cheaper cuts */
} split_request;

static cleave_status check_split(split_request *request, const clv_order *o,
                                 const clv_target *t, const cleave_split_options *opt,
                                 cleave_error *err)
{
    cleave_split_options given;
    if (!o || !t)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", o ? "the target" : "the order");
    cleave_split_options_init(&given, sizeof given);
    if (opt)
        CLV_TRY(clv_sized_copy(&given, sizeof given, opt, "opt", err));
    if (!(given.imbalance >= 0) || !isfinite(given.imbalance))
        return clv_fail(err, CLEAVE_EINVAL, "the imbalance allowed is not a number >= 0");
    const char *grouping = given.grouping && *given.grouping ? given.grouping : "auto";
    bool simple = strcmp(grouping, "simple") == 0, arranged = strcmp(grouping, "auto") == 0;
    if (!simple && !arranged && strcmp(grouping, "binpacking") != 0)
        return clv_fail(err, CLEAVE_EINVAL,
                        "grouping is \"%.40s\", which is none of auto, simple, binpacking",
                        grouping);
    *request =
        (split_request){o, t, given.imbalance,
                        simple ? CLV_GROUPING_SIMPLE : CLV_GROUPING_BINPACKING, arranged};
    return CLEAVE_OK;
}

/* Equal PEs need no sequence, and for more than fit on the stack it does not matter any more.
 * Nor does it pay to group very many that are then exchanged. */
static void cut_line(const split_request *request, int32_t *begin, int32_t *end)
{
    enum { most = 8192, most_grouped = 256 };
    int32_t sequence[most];
    const clv_order *o = request->o;
    int32_t npes = request->t->npes;
    const double *speed = clv_target_shares(request->t);
    bool free = speed && request->grouping != CLV_GROUPING_SIMPLE && npes <= most;
    bool grouped = !request->arranged || !o->crossing || npes <= most_grouped;
    if (free)
        clv_grouping_sequence(grouped ? request->grouping : CLV_GROUPING_SIMPLE, speed, npes,
                              sequence, end);
    if (free && request->arranged)
        clv_split_arrange(o, npes, speed, sequence);
    clv_split(o, npes, speed, free ? sequence : NULL, request->imbalance, begin, end);
}

/* The first PE above its bound. */
static cleave_status judge_split(const split_request *request, const int32_t *begin,
                                 const int32_t *end, cleave_error *err)
{
    const clv_order *o = request->o;
    const clv_target *t = request->t;
    int64_t total = o->before[o->nvtx];
    clv_share_rule rule = clv_share_rule_make(clv_target_shares(t), t->npes, 1);
    for (int32_t pe = 0; pe < t->npes; pe++) {
        int64_t weight = o->before[end[pe]] - o->before[begin[pe]];
        int64_t bound = clv_share_bound(&rule, total, pe, request->imbalance);
        if (weight > bound)
            return clv_fail(err, CLEAVE_EBALANCE,
                            "the vertices are too heavy to cut the line there: PE %ld holds "
                            "%lld, above its bound %lld",
                            (long)pe, (long long)weight, (long long)bound);
    }
    return CLEAVE_OK;
}

cleave_status cleave_order_split(int32_t *begin, int32_t *end, const cleave_order *o,
                                 const cleave_target *t, const cleave_split_options *opt,
                                 cleave_error *err)
{
    split_request request = {.o = o};
    if (!begin || !end)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", begin ? "end" : "begin");
    CLV_TRY(check_split(&request, o, t, opt, err));
    cut_line(&request, begin, end);
    return judge_split(&request, begin, end, err);
}

/* ---- Mappings -------------------------------------------------------------------------- */

static cleave_status check_intervals(const clv_order *o, int32_t npes, const int32_t *begin,
                                     const int32_t *end, cleave_error *err)
{
    for (int32_t pe = 0; pe < npes; pe++)
        if (begin[pe] < 0 || begin[pe] > end[pe] || end[pe] > o->nvtx)
            return clv_fail(err, CLEAVE_EINVAL,
                            "PE %ld has places %ld to %ld, but places run from 0 to %ld",
                            (long)pe, (long)begin[pe], (long)end[pe] - 1, (long)o->nvtx - 1);
    return CLEAVE_OK;
}

static cleave_status fill_intervals(clv_mapping *m, const clv_order *o, const int32_t *begin,
                                    const int32_t *end, cleave_error *err)
{
    for (int32_t v = 0; v < m->nvtx; v++)
        m->part[v] = -1;
    for (int32_t pe = 0; pe < m->nparts; pe++)
        for (int32_t p = begin[pe]; p < end[pe]; p++) {
            int32_t *part = &m->part[o->vertex[p]];
            if (*part >= 0)
                return clv_fail(err, CLEAVE_EINVAL, "place %ld is of two PEs, %ld and %ld",
                                (long)p, (long)*part, (long)pe);
            *part = pe;
        }
    for (int32_t p = 0; p < o->nvtx; p++)
        if (m->part[o->vertex[p]] < 0)
            return clv_fail(err, CLEAVE_EINVAL, "place %ld is of no PE", (long)p);
    return CLEAVE_OK;
}

cleave_status cleave_order_mapping(cleave_mapping **out, const cleave_order *o, int32_t npes,
                                   const int32_t *begin, const int32_t *end, cleave_error *err)
{
    if (!out)
        return clv_fail(err, CLEAVE_EINVAL, "out is NULL");
    *out = NULL;
    if (!o || !begin || !end)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL",
                        !o       ? "the order"
                        : !begin ? "begin"
                                 : "end");
    if (npes < 1)
        return clv_fail(err, CLEAVE_EINVAL, "npes is %ld", (long)npes);
    CLV_TRY(check_intervals(o, npes, begin, end, err));
    CLV_TRY(clv_mapping_new(out, o->nvtx, npes, NULL, err));
    cleave_status status = fill_intervals(*out, o, begin, end, err);
    if (status != CLEAVE_OK) {
        clv_mapping_free(*out);
        *out = NULL;
    }
    return status;
}

/* ---- Improved borders ------------------------------------------------------------------ */

/* Of the options those that count; all else as by default. */
static cleave_status check_refine(clv_map_request *request, const clv_graph *g,
                                  const clv_order *o, const clv_target *t,
                                  const cleave_options *opt, cleave_error *err)
{
    cleave_options given, plain;
    if (!o)
        return clv_fail(err, CLEAVE_EINVAL, "the order is NULL");
    cleave_options_init(&given, sizeof given);
    cleave_options_init(&plain, sizeof plain);
    if (opt)
        CLV_TRY(clv_sized_copy(&given, sizeof given, opt, "opt", err));
    plain.imbalance = given.imbalance;
    plain.seed = given.seed;
    plain.threads = given.threads;
    plain.time_limit = given.time_limit;
    plain.report = given.report;
    plain.progress = given.progress;
    plain.payload = given.payload;
    CLV_TRY(clv_map_request_check(request, g, t, &plain, err));
    request->method = clv_method_of(CLV_METHOD_BORDERS);
    return cleave_order_check(o, g, err);
}

/* The line as the graph sees it, cut for the PEs; line: what the order does not know. */
static cleave_status make_start(const clv_map_job *job, const clv_order *o, int32_t *part,
                                cleave_error *err)
{
    const clv_target *t = job->request->t;
    clv_ws *ws = job->ctx->ws;
    clv_order *line = NULL;
    int32_t *begin = clv_ws_alloc(ws, t->npes, sizeof *begin);
    int32_t *end = clv_ws_alloc(ws, t->npes, sizeof *end);
    if (!begin || !end)
        return clv_fail_memory(err);
    if (!o->crossing || !o->hash)
        CLV_TRY(clv_order_new(&line, job->request->g, o->method, o->vertex, ws, err));
    const clv_order *cut = line ? line : o;
    split_request how = {cut, t, job->request->opt.imbalance, CLV_GROUPING_BINPACKING, true};
    cut_line(&how, begin, end);
    for (int32_t pe = 0; pe < t->npes; pe++)
        for (int32_t p = begin[pe]; p < end[pe]; p++)
            part[o->vertex[p]] = pe;
    clv_order_free(line);
    return CLEAVE_OK;
}

/* The pipeline of engine/pipeline.h with the intervals as its start. */
static cleave_status refine_borders(clv_map_job *job, const clv_order *o, int32_t *part,
                                    cleave_error *err)
{
    bool done;
    CLV_TRY(clv_normalise_request(job, err));
    CLV_TRY(clv_trivial_mapping(job, part, &done, err));
    if (done)
        return CLEAVE_OK;
    int32_t *start = clv_ws_alloc(job->ctx->ws, job->request->g->nvtx, sizeof *start);
    if (!start)
        return clv_fail_memory(err);
    CLV_TRY(make_start(job, o, start, err));
    job->start = start;
    clv_partition_task task = clv_pipeline_task(job);
    return clv_partition(&task, job->ctx, part, &job->stats, err);
}

cleave_status cleave_order_split_refine(cleave_mapping **out, const cleave_graph *g,
                                        const cleave_order *o, const cleave_target *t,
                                        const cleave_options *opt, cleave_error *err)
{
    double begin = clv_clock();
    clv_map_request request;
    clv_context ctx;
    if (!out)
        return clv_fail(err, CLEAVE_EINVAL, "out is NULL");
    *out = NULL;
    CLV_TRY(check_refine(&request, g, o, t, opt, err));
    CLV_TRY(clv_map_call_open(&ctx, &request, err));
    clv_map_job job = {.request = &request, .ctx = &ctx};
    cleave_status status = clv_mapping_new(out, g->nvtx, t->npes, NULL, err);
    if (status == CLEAVE_OK)
        status = refine_borders(&job, o, (*out)->part, err);
    if (status == CLEAVE_OK)
        status = clv_pipeline_judge(&job, (*out)->part, err);
    if (clv_status_has_mapping(status))
        clv_map_call_report(&job, begin);
    return clv_map_call_close(out, &ctx, status);
}
