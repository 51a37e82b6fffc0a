/* SPDX-License-Identifier: Apache-2.0 */
/* evaluate/identity.c - the baseline of a mapping: ranks placed in the order of their numbers,
 * the default of launchers. */
#include "evaluate/traffic.h"

void clv_evaluate_identity(int32_t nvtx, int32_t npes, int32_t *part)
{
    int64_t pe = 0, rest = 0; /* v * npes = pe * nvtx + rest */
    for (int32_t v = 0; v < nvtx; v++) {
        part[v] = (int32_t)pe;
        rest += npes;
        if (rest >= nvtx) {
            pe += npes <= nvtx ? 1 : rest / nvtx;
            rest = npes <= nvtx ? rest - nvtx : rest % nvtx;
        }
    }
}

cleave_status clv_evaluate_cost_identity(const clv_graph *g, const clv_target *t, clv_ws *ws,
                                         int64_t *cost, int64_t *level, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *part = clv_ws_alloc(ws, g->nvtx, sizeof *part);
    cleave_status status = part ? CLEAVE_OK : clv_fail_memory(err);
    if (part) {
        clv_evaluate_identity(g->nvtx, t->npes, part);
        status = clv_evaluate_cost_of(g, t, part, ws, cost, NULL, level, err);
    }
    clv_ws_restore(ws, mark);
    return status;
}
