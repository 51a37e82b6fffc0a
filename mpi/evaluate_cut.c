/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/evaluate_cut.c - edge cut and communication volume of a distributed graph. */
#include "mpi/judge.h"

/* An undirected edge is counted at its end of the lower global number. */
cleave_status clv_judge_cut(clv_judge *j, int64_t *cut, cleave_error *err)
{
    const clv_dist_graph *g = j->g;
    const int32_t *part = j->used.part;
    int64_t total = 0;
    bool fits = true;
    for (int32_t v = 0; v < g->nlocal && fits; v++) {
        int64_t row = 0, global = clv_dist_global(g, v);
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t u = g->adj[a];
            if (part[u] != part[v] &&
                (g->kind == CLEAVE_DAG || clv_dist_global(g, u) > global))
                row += clv_dist_ewgt(g, a);
        }
        fits = clv_add_i64(total, row, &total);
    }
    return clv_judge_sum(&g->comm, fits, fits ? total : 0, cut, "the weight of the cut", err);
}

/* All neighbours of own vertices are own or ghosts, so each rank counts its own. */
cleave_status clv_judge_volume(clv_judge *j, int64_t *total, int64_t *largest,
                               cleave_error *err)
{
    const clv_comm *comm = &j->g->comm;
    clv_ws_mark mark = clv_ws_save(&j->ws);
    int64_t mine = 0, most;
    int64_t *sent = clv_ws_alloc(&j->ws, j->used.count, sizeof *sent);
    cleave_status status = sent ? CLEAVE_OK : clv_fail_memory(err);
    clv_parted_graph own = {&j->view, j->used.count, j->used.part};
    if (sent)
        status = clv_evaluate_volume(&own, &j->ws, &mine, &most, sent, err);
    status = clv_comm_agree(comm, status, err);
    if (status == CLEAVE_OK)
        status = clv_judge_sum(comm, true, mine, total, "the communication volume", err);
    if (status == CLEAVE_OK) {
        clv_comm_sum_all(comm, sent, j->used.count);
        *largest = 0;
        for (int32_t p = 0; p < j->used.count; p++)
            *largest = sent[p] > *largest ? sent[p] : *largest;
    }
    clv_ws_restore(&j->ws, mark);
    return status;
}
