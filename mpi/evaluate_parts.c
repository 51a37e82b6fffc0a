/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/evaluate_parts.c - the parts of a distributed graph prepared for evaluation, and their
 * weights. */
#include <string.h>

#include "mpi/judge.h"

/* ---- Sums ------------------------------------------------------------------------------- */

cleave_status clv_judge_sum(const clv_comm *comm, bool fits, int64_t mine, int64_t *sum,
                            const char *what, cleave_error *err)
{
    /* Summed in two halves, which cannot overflow. */
    int64_t half[3] = {mine >> 32, mine & 0xffffffff, !fits}, high;
    clv_comm_sum_all(comm, half, 3);
    high = half[0] + (half[1] >> 32);
    if (half[2] > 0 || high > INT32_MAX)
        return clv_fail(err, CLEAVE_ERANGE, "%s exceeds 2^63-1", what);
    *sum = high << 32 | (half[1] & 0xffffffff);
    return CLEAVE_OK;
}

/* ---- Opening ---------------------------------------------------------------------------- */

static cleave_status check_parts(const clv_dist_graph *g, int32_t nparts, const int32_t *part,
                                 cleave_error *err)
{
    if (nparts < 0)
        return clv_fail(err, CLEAVE_EINVAL, "a mapping cannot have %ld parts", (long)nparts);
    if (nparts == 0 && g->nglobal > 0)
        return clv_fail(err, CLEAVE_EINVAL, "%lld vertices cannot be in 0 parts",
                        (long long)g->nglobal);
    if (!part && g->nlocal > 0)
        return clv_fail(err, CLEAVE_EINVAL, "part is NULL");
    for (int32_t v = 0; v < g->nlocal; v++)
        if (part[v] < 0 || part[v] >= nparts)
            return clv_fail(err, CLEAVE_EINVAL,
                            "vertex %lld is in part %ld, but parts run from 0 to %ld",
                            (long long)clv_dist_global(g, v), (long)part[v], (long)nparts - 1);
    return CLEAVE_OK;
}

/* Fewer vertices than parts: arrays of all vertices fit on each rank. */
static cleave_status renumber(clv_judge *j, const int32_t *part, int32_t *mine,
                              cleave_error *err)
{
    const clv_dist_graph *g = j->g;
    clv_arrivals all;
    CLV_TRY(clv_comm_gather_all(&g->comm, part, g->nlocal, sizeof *part, &all, err));
    cleave_status status = clv_evaluate_used_parts((int32_t)g->nglobal, j->nparts, all.items,
                                                   &j->ws, &j->used, err);
    for (int32_t v = 0; status == CLEAVE_OK && v < g->nlocal; v++)
        mine[v] = j->used.part[clv_dist_global(g, v)];
    clv_arrivals_free(&all);
    return clv_comm_agree(&g->comm, status, err);
}

static cleave_status take_parts(clv_judge *j, const int32_t *part, cleave_error *err)
{
    const clv_dist_graph *g = j->g;
    int64_t all = (int64_t)g->nlocal + g->nghost;
    int32_t *mine = clv_ws_alloc(&j->ws, all, sizeof *mine);
    CLV_TRY(clv_comm_agree_memory(&g->comm, mine != NULL, err));
    j->used.count = j->nparts;
    if (j->nparts > g->nglobal)
        CLV_TRY(renumber(j, part, mine, err));
    else if (g->nlocal > 0)
        memcpy(mine, part, (size_t)g->nlocal * sizeof *mine);
    clv_halo_exchange(g, mine, sizeof *mine);
    j->used.part = mine;
    return CLEAVE_OK;
}

cleave_status clv_judge_open(clv_judge *j, const clv_dist_graph *g, int32_t nparts,
                             const int32_t *part, cleave_error *err)
{
    *j = (clv_judge){.g = g, .nparts = nparts};
    j->view = clv_dist_local_view(g);
    CLV_TRY(clv_comm_agree(&g->comm, check_parts(g, nparts, part, err), err));
    if (clv_comm_min(&g->comm, nparts) != clv_comm_max(&g->comm, nparts))
        return clv_fail(err, CLEAVE_EINVAL, "the ranks disagree about the number of parts");
    return take_parts(j, part, err);
}

void clv_judge_close(clv_judge *j)
{
    clv_ws_free(&j->ws);
}

/* ---- Balance ---------------------------------------------------------------------------- */

/* members: vertices by part. */
static void weigh(const clv_judge *j, int64_t *weight, int64_t *members)
{
    const clv_dist_graph *g = j->g;
    for (int32_t v = 0; v < g->nlocal; v++) {
        int64_t p = j->used.part[v];
        members[p]++;
        for (int32_t c = 0; c < g->ncon; c++)
            weight[p * g->ncon + c] += clv_dist_vwgt(g, v, c);
    }
    clv_comm_sum_all(&g->comm, weight, (int64_t)j->used.count * g->ncon);
    clv_comm_sum_all(&g->comm, members, j->used.count);
}

cleave_status clv_judge_balance(clv_judge *j, const double *shares, double eps,
                                clv_balance *balance, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(&j->ws);
    int64_t count = j->used.count, nonempty = 0;
    int64_t *weight = clv_ws_zalloc(&j->ws, count * j->g->ncon, sizeof *weight);
    int64_t *members = clv_ws_zalloc(&j->ws, count, sizeof *members);
    cleave_status status = clv_comm_agree_memory(&j->g->comm, weight && members, err);
    if (status == CLEAVE_OK) {
        clv_share_rule rule = clv_share_rule_make(shares, j->nparts, 1);
        weigh(j, weight, members);
        for (int64_t p = 0; p < count; p++)
            nonempty += members[p] > 0;
        clv_evaluate_weights(&rule, &j->used, j->g->ncon, weight, eps, balance);
        balance->empty_parts = (int32_t)(j->nparts - nonempty);
    }
    clv_ws_restore(&j->ws, mark);
    return status;
}
