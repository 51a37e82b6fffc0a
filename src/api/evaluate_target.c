/* SPDX-License-Identifier: Apache-2.0 */
/* api/evaluate_target.c - the public metrics of a mapping on its target: checks the arguments,
 * calls evaluate/, fills the result. */
#include "evaluate/mapping_metrics.h"

void cleave_target_metrics_init(cleave_target_metrics *metrics, size_t size)
{
    clv_sized_init(metrics, size);
}

static cleave_status check(const cleave_graph *g, const cleave_mapping *m,
                           const cleave_target *t, cleave_error *err)
{
    if (!g || !m || !t)
        return clv_fail(err, CLEAVE_EINVAL, "the %s is NULL",
                        !g ? "graph" : (!m ? "mapping" : "target"));
    if (g->nvtx != m->nvtx)
        return clv_fail(err, CLEAVE_EINVAL,
                        "the mapping has %ld vertices but the graph has %ld", (long)m->nvtx,
                        (long)g->nvtx);
    if (m->nparts > t->npes)
        return clv_fail(err, CLEAVE_EINVAL, "the mapping has %ld parts but the target %ld PEs",
                        (long)m->nparts, (long)t->npes);
    return CLEAVE_OK;
}

cleave_status cleave_evaluate_target(cleave_target_metrics *metrics, const cleave_graph *g,
                                     const cleave_mapping *m, const cleave_target *t,
                                     cleave_error *err)
{
    if (!metrics || metrics->size < sizeof metrics->size || metrics->size > 65536)
        return clv_fail(err, CLEAVE_EINVAL, "metrics needs cleave_target_metrics_init first");
    CLV_TRY(check(g, m, t, err));
    clv_ws ws = {NULL};
    cleave_target_metrics result;
    cleave_target_metrics_init(&result, sizeof result);
    cleave_status status = clv_evaluate_on_target(&result, g, m, t, &ws, err);
    clv_ws_free(&ws);
    if (status == CLEAVE_OK)
        clv_sized_write(metrics, &result, sizeof result);
    return status;
}
