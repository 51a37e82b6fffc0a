/* SPDX-License-Identifier: Apache-2.0 */
/* evaluate/traffic.c - see evaluate/traffic.h. */
#include "evaluate/traffic.h"

#include "evaluate/evaluate.h"

cleave_status clv_traffic_make(clv_traffic *traffic, const clv_graph *g, const clv_target *t,
                               const int32_t *part, clv_ws *ws, cleave_error *err)
{
    clv_used_parts used;
    *traffic = (clv_traffic){.t = t, .directed = g->kind == CLEAVE_DAG};
    CLV_TRY(clv_evaluate_used_parts(g->nvtx, t->npes, part, ws, &used, err));
    traffic->pe = used.label;
    return clv_derive_quotient_rows(&traffic->q, g, used.count, used.part, ws, err);
}
