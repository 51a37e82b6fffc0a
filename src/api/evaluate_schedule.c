/* SPDX-License-Identifier: Apache-2.0 */
/* api/evaluate_schedule.c - validity and metrics of a schedule. */
#include "evaluate/schedule_metrics.h"
#include "graph/schedule_costs.h"

void cleave_schedule_metrics_init(cleave_schedule_metrics *m, size_t size)
{
    clv_sized_init(m, size);
}

static cleave_status check_pair(const cleave_graph *g, const cleave_schedule *s,
                                cleave_error *err)
{
    if (!g || !s)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", g ? "the schedule" : "the graph");
    return CLEAVE_OK;
}

cleave_status cleave_schedule_check(const cleave_schedule *s, const cleave_graph *g,
                                    cleave_error *err)
{
    CLV_TRY(check_pair(g, s, err));
    clv_ws ws = {0};
    cleave_status status = clv_evaluate_schedule_check(s, g, &ws, err);
    clv_ws_free(&ws);
    return status;
}

cleave_status cleave_evaluate_schedule(cleave_schedule_metrics *m, const cleave_graph *g,
                                       const cleave_schedule *s,
                                       const cleave_schedule_costs *costs, cleave_error *err)
{
    cleave_schedule_costs given;
    cleave_schedule_metrics result;
    if (!m || m->size < sizeof m->size || m->size > 65536)
        return clv_fail(err, CLEAVE_EINVAL, "m needs cleave_schedule_metrics_init first");
    CLV_TRY(check_pair(g, s, err));
    CLV_TRY(clv_schedule_costs_take(&given, costs, err));
    cleave_schedule_metrics_init(&result, sizeof result);
    CLV_TRY(clv_evaluate_schedule(&result, g, s, &given, err));
    clv_sized_write(m, &result, sizeof result);
    return CLEAVE_OK;
}

cleave_status cleave_evaluate_schedule_work(const cleave_graph *g, const cleave_schedule *s,
                                            int64_t *work, cleave_error *err)
{
    CLV_TRY(check_pair(g, s, err));
    if (!work && s->layers > 0)
        return clv_fail(err, CLEAVE_EINVAL, "work is NULL");
    clv_ws ws = {0};
    cleave_status status = clv_evaluate_schedule_check(s, g, &ws, err);
    if (status == CLEAVE_OK)
        status = clv_evaluate_schedule_work(g, s, &ws, work, err);
    clv_ws_free(&ws);
    return status;
}
