/* SPDX-License-Identifier: Apache-2.0 */
/* evaluate/setups.c - metrics of the quotient graph: how many pairs of parts communicate (each
 * pair is one connection to set up), and whether the parts of a DAG can run one after another.
 */
#include "evaluate/evaluate.h"
#include "graph/derive.h"
#include "graph/topology.h"

static cleave_status measure_quotient(const clv_parted_graph *p, clv_ws *ws, int64_t *setups,
                                      int32_t *cycle, int32_t *length, cleave_error *err)
{
    clv_quotient q;
    int32_t nparts = p->nparts;
    CLV_TRY(clv_derive_quotient_rows(&q, p->g, nparts, p->part, ws, err));
    *length = 0;
    if (p->g->kind == CLEAVE_UNDIRECTED) {
        *setups = q.xadj[nparts] / 2;
        return CLEAVE_OK;
    }
    *setups = q.xadj[nparts];
    if (!cycle)
        cycle = clv_ws_alloc(ws, nparts, sizeof *cycle);
    if (!cycle)
        return clv_fail_memory(err);
    return clv_topology_find_cycle(nparts, q.xadj, q.adj, ws, cycle, length, err);
}

cleave_status clv_evaluate_quotient(const clv_parted_graph *p, clv_ws *ws, int64_t *setups,
                                    int32_t *cycle, int32_t *length, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    cleave_status status = measure_quotient(p, ws, setups, cycle, length, err);
    clv_ws_restore(ws, mark);
    return status;
}
