/* SPDX-License-Identifier: Apache-2.0 */
/* evaluate/identity.c - the baseline of a mapping: ranks placed in the order of their numbers,
 * the default of launchers. */
#include "evaluate/traffic.h"

typedef struct place {
    int64_t pe, rest; /* v * npes = pe * nvtx + rest */
} place;

/* From a vertex to the next one, without a division if PEs are few. */
static inline void advance(place *p, int32_t nvtx, int32_t npes)
{
    p->rest += npes;
    if (p->rest >= nvtx) {
        p->pe += npes <= nvtx ? 1 : p->rest / nvtx;
        p->rest = npes <= nvtx ? p->rest - nvtx : p->rest % nvtx;
    }
}

void clv_evaluate_identity(int32_t nvtx, int32_t npes, int32_t *part)
{
    place p = {0, 0};
    for (int32_t v = 0; v < nvtx; v++, advance(&p, nvtx, npes))
        part[v] = (int32_t)p.pe;
}

bool clv_is_identity(int32_t nvtx, int32_t npes, const int32_t *part)
{
    place p = {0, 0};
    for (int32_t v = 0; v < nvtx; v++, advance(&p, nvtx, npes))
        if (part[v] != (int32_t)p.pe)
            return false;
    return true;
}

cleave_status clv_evaluate_cost_identity(const clv_graph *g, const clv_target *t, clv_ws *ws,
                                         int64_t *cost, int64_t *level, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    clv_traffic traffic;
    int64_t cut;
    int32_t *part = clv_ws_alloc(ws, g->nvtx, sizeof *part);
    cleave_status status = part ? CLEAVE_OK : clv_fail_memory(err);
    if (part) {
        clv_evaluate_identity(g->nvtx, t->npes, part);
        status = level ? clv_traffic_make(&traffic, g, t, part, ws, err)
                       : clv_evaluate_cost_of(g, t, part, ws, cost, err);
    }
    if (status == CLEAVE_OK && level)
        status = clv_evaluate_cost(&traffic, cost, &cut, level, err);
    clv_ws_restore(ws, mark);
    return status;
}
