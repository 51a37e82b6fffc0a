/* SPDX-License-Identifier: Apache-2.0 */
/* api/evaluate_order.c - the public metrics of an elimination order: checks the arguments,
 * calls evaluate/, fills the result. */
#include "evaluate/evaluate.h"
#include "graph/order.h"

void cleave_order_metrics_init(cleave_order_metrics *metrics, size_t size)
{
    clv_sized_init(metrics, size);
}

static cleave_status check(const clv_graph *g, const clv_order *o, cleave_error *err)
{
    if (!g || !o)
        return clv_fail(err, CLEAVE_EINVAL, "the %s is NULL", g ? "order" : "graph");
    if (g->kind != CLEAVE_UNDIRECTED)
        return clv_fail(err, CLEAVE_EINVAL, "a DAG has no factor; an undirected graph has");
    return cleave_order_check(o, g, err);
}

cleave_status cleave_evaluate_order(cleave_order_metrics *metrics, const cleave_graph *g,
                                    const cleave_order *o, cleave_error *err)
{
    if (!metrics || metrics->size < sizeof metrics->size || metrics->size > 65536)
        return clv_fail(err, CLEAVE_EINVAL, "metrics needs cleave_order_metrics_init first");
    CLV_TRY(check(g, o, err));
    clv_ws ws = {NULL};
    clv_fill fill;
    cleave_status status = clv_evaluate_fill(g, o->vertex, &ws, &fill, err);
    clv_ws_free(&ws);
    if (status != CLEAVE_OK)
        return status;
    cleave_order_metrics result = {.size = sizeof result,
                                   .fill = fill.fill,
                                   .operations = fill.operations,
                                   .largest_column = fill.largest,
                                   .height = fill.height};
    clv_sized_write(metrics, &result, sizeof result);
    return CLEAVE_OK;
}
