/* SPDX-License-Identifier: Apache-2.0 */
/* evaluate/pe_traffic.c - the largest traffic of a PE: the weight of all edges between its
 * vertices and those of other PEs, independent of distance. */
#include "evaluate/traffic.h"

cleave_status clv_evaluate_pe_traffic(const clv_traffic *traffic, clv_ws *ws, int64_t *largest,
                                      cleave_error *err)
{
    const clv_quotient *q = &traffic->q;
    clv_ws_mark mark = clv_ws_save(ws);
    int64_t *sum = clv_ws_zalloc(ws, q->nparts, sizeof *sum);
    if (!sum) {
        clv_ws_restore(ws, mark);
        return clv_fail_memory(err);
    }
    *largest = 0;
    for (int32_t p = 0; p < q->nparts; p++)
        for (int64_t a = q->xadj[p]; a < q->xadj[p + 1]; a++) {
            sum[p] += q->cut[a];
            if (traffic->directed)
                sum[q->adj[a]] += q->cut[a];
        }
    for (int32_t p = 0; p < q->nparts; p++)
        *largest = sum[p] > *largest ? sum[p] : *largest;
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
