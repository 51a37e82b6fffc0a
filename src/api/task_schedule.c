/* SPDX-License-Identifier: Apache-2.0 */
/* api/task_schedule.c - public schedules of task graphs. */
#include <math.h>
#include <string.h>

#include "engine/tasks/build_tasks.h"
#include "formats/task_schedule_file.h"

static const cleave_task_options defaults = {.size = sizeof(cleave_task_options),
                                             .effort = CLEAVE_EFFORT_DEFAULT,
                                             .bandwidth = 1,
                                             .seed = 1};

void cleave_task_options_init(cleave_task_options *opt, size_t size)
{
    clv_sized_init(opt, size);
    clv_sized_write(opt, &defaults, sizeof defaults);
}

static cleave_status check_numbers(const cleave_task_options *opt, cleave_error *err)
{
    if (!(opt->bandwidth > 0) || !isfinite(opt->bandwidth))
        return clv_fail(err, CLEAVE_EINVAL, "bandwidth is not a number above 0");
    if (!(opt->latency >= 0) || !isfinite(opt->latency))
        return clv_fail(err, CLEAVE_EINVAL, "latency is not a number >= 0");
    if (!(opt->time_limit >= 0) || !isfinite(opt->time_limit))
        return clv_fail(err, CLEAVE_EINVAL, "time_limit is not a number of seconds >= 0");
    if ((int)opt->effort < CLEAVE_EFFORT_FAST || opt->effort > CLEAVE_EFFORT_BEST)
        return clv_fail(err, CLEAVE_EINVAL, "unknown effort %d", (int)opt->effort);
    return CLEAVE_OK;
}

static cleave_status check_options(clv_task_request *request, const cleave_task_options *opt,
                                   cleave_error *err)
{
    *request = (clv_task_request){.opt = defaults};
    if (opt)
        CLV_TRY(clv_sized_copy(&request->opt, sizeof request->opt, opt, "cleave_task_options",
                               err));
    CLV_TRY(check_numbers(&request->opt, err));
    request->method = clv_task_method_find(request->opt.method);
    if (!request->method)
        return clv_fail(err, CLEAVE_EINVAL,
                        "unknown method \"%s\" for task graphs; expected one of auto, heft, "
                        "lookahead, cpop, peft, etf, dls, minmin, maxmin, sufferage, dsc, "
                        "partition, serial",
                        request->opt.method);
    return CLEAVE_OK;
}

static cleave_status check_pair(const cleave_graph *g, const cleave_target *t,
                                cleave_error *err)
{
    if (!g || !t)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", g ? "the target" : "the graph");
    return CLEAVE_OK;
}

cleave_status cleave_task_schedule_build(cleave_task_schedule **out, const cleave_graph *g,
                                         const cleave_target *t,
                                         const cleave_task_options *opt, cleave_error *err)
{
    clv_task_request request;
    clv_context ctx;
    if (!out)
        return clv_fail(err, CLEAVE_EINVAL, "out is NULL");
    *out = NULL;
    CLV_TRY(check_pair(g, t, err));
    CLV_TRY(check_options(&request, opt, err));
    CLV_TRY(clv_task_graph_check(g, err));
    CLV_TRY(clv_context_open(&ctx, 1, request.opt.seed, err));
    clv_context_watch(&ctx, request.opt.time_limit, request.opt.progress, request.opt.payload);
    cleave_status status = clv_task_schedule_build(out, &request, g, t, &ctx, err);
    clv_context_close(&ctx);
    return status;
}

cleave_status cleave_task_schedule_create(cleave_task_schedule **out, int32_t ntasks,
                                          const int32_t *pe, const double *start,
                                          cleave_error *err)
{
    if (!out)
        return clv_fail(err, CLEAVE_EINVAL, "out is NULL");
    *out = NULL;
    if (ntasks < 0)
        return clv_fail(err, CLEAVE_EINVAL, "a schedule cannot have %ld tasks", (long)ntasks);
    if (ntasks > 0 && (!pe || !start))
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", pe ? "start" : "pe");
    for (int32_t v = 0; v < ntasks; v++)
        if (pe[v] < 0 || !(start[v] >= 0) || !isfinite(start[v]))
            return clv_fail(err, CLEAVE_EINVAL,
                            "task %ld has PE %ld and start %g, but both must be at least 0",
                            (long)v, (long)pe[v], start[v]);
    CLV_TRY(clv_task_schedule_new(out, ntasks, "given", err));
    if (ntasks > 0) {
        memcpy((*out)->pe, pe, (size_t)ntasks * sizeof *pe);
        memcpy((*out)->start, start, (size_t)ntasks * sizeof *start);
    }
    return CLEAVE_OK;
}

void cleave_task_schedule_free(cleave_task_schedule *s)
{
    clv_task_schedule_free(s);
}

/* ---- Metrics ---------------------------------------------------------------------------- */

void cleave_task_metrics_init(cleave_task_metrics *m, size_t size)
{
    clv_sized_init(m, size);
}

static cleave_status evaluate(cleave_task_metrics *m, const clv_task_problem *problem,
                              const cleave_task_schedule *s, cleave_error *err)
{
    clv_ws ws = {0};
    cleave_status status = clv_evaluate_tasks(m, problem, s, &ws, err);
    if (status == CLEAVE_OK)
        status = clv_evaluate_task_bounds(m, problem, &ws, err);
    clv_ws_free(&ws);
    /* Sums in another order round differently. */
    if (m->bound > m->makespan)
        m->bound = m->makespan;
    return status;
}

cleave_status cleave_evaluate_task_schedule(cleave_task_metrics *m, const cleave_graph *g,
                                            const cleave_target *t,
                                            const cleave_task_schedule *s,
                                            const cleave_task_options *opt, cleave_error *err)
{
    clv_task_request request;
    cleave_task_metrics result;
    if (!m || m->size < sizeof m->size || m->size > 65536)
        return clv_fail(err, CLEAVE_EINVAL, "m needs cleave_task_metrics_init first");
    CLV_TRY(check_pair(g, t, err));
    if (!s)
        return clv_fail(err, CLEAVE_EINVAL, "the schedule is NULL");
    CLV_TRY(check_options(&request, opt, err));
    cleave_task_metrics_init(&result, sizeof result);
    const clv_task_problem problem = {g, t, request.opt.bandwidth, request.opt.latency};
    CLV_TRY(evaluate(&result, &problem, s, err));
    clv_sized_write(m, &result, sizeof result);
    return CLEAVE_OK;
}

/* ---- Files ------------------------------------------------------------------------------ */

cleave_status cleave_task_schedule_read(cleave_task_schedule **out, const char *path,
                                        cleave_error *err)
{
    if (!out)
        return clv_fail(err, CLEAVE_EINVAL, "out is NULL");
    *out = NULL;
    if (!path)
        return clv_fail(err, CLEAVE_EINVAL, "path is NULL");
    return clv_task_schedule_read(out, path, err);
}

cleave_status cleave_task_schedule_write(const cleave_task_schedule *s, const char *path,
                                         cleave_error *err)
{
    if (!s || !path)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", s ? "path" : "the schedule");
    return clv_task_schedule_write(s, path, err);
}

/* ---- Accessors -------------------------------------------------------------------------- */

int32_t cleave_task_schedule_tasks(const cleave_task_schedule *s)
{
    return s ? s->ntasks : 0;
}

const char *cleave_task_schedule_method(const cleave_task_schedule *s)
{
    return s ? s->method : "";
}

const int32_t *cleave_task_schedule_pe(const cleave_task_schedule *s)
{
    return s ? s->pe : NULL;
}

const double *cleave_task_schedule_start(const cleave_task_schedule *s)
{
    return s ? s->start : NULL;
}
