/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dag_ranges.c - see mpi/dag_ranges.h.
 *
 * Arcs lead to higher levels.  Vertices sorted by level can therefore be distributed in
 * consecutive ranges, in any order inside a level. */
#include "mpi/dag_ranges.h"

#include "mpi/dist_check.h"
#include "mpi/dist_levels.h"

enum { most_bins = 1 << 20 };

static bool leads_down(const clv_dist_graph *g)
{
    for (int32_t i = 0; i < g->nghost; i++)
        if (g->ghost[i] < g->first[g->comm.rank]) {
            for (int64_t a = 0; a < g->narc; a++)
                if (g->adj[a] >= g->nlocal &&
                    g->ghost[g->adj[a] - g->nlocal] < g->first[g->comm.rank])
                    return true;
            return false;
        }
    return false;
}

/* Computes owner[v] from the levels, which are passed in owner.  With very many levels several
 * share a bin; a bin goes to one rank as a whole. */
static void deal_by_level(const clv_dist_graph *g, int64_t *bin, int64_t nbins, int shift,
                          int32_t *owner)
{
    int64_t n = g->nglobal, size = g->comm.size, begin = g->first[g->comm.rank];
    for (int64_t b = 0; b <= nbins; b++)
        bin[b] = 0;
    for (int32_t v = 0; v < g->nlocal; v++)
        bin[(owner[v] >> shift) + 1]++;
    clv_comm_sum_all(&g->comm, bin, nbins + 1);
    for (int64_t b = 0; b < nbins; b++)
        bin[b + 1] += bin[b];
    for (int32_t v = 0; v < g->nlocal; v++) {
        int64_t b = owner[v] >> shift;
        double share = shift > 0 ? 0 : (double)(begin + v) / (double)n;
        double place = (double)bin[b] + share * (double)(bin[b + 1] - bin[b]);
        int64_t r = (int64_t)(place * (double)size / (double)n);
        owner[v] = (int32_t)(r < size ? r : size - 1);
    }
}

cleave_status clv_dag_ranges(clv_dist_graph **out, const clv_dist_graph *g, int64_t *number,
                             cleave_error *err)
{
    *out = NULL;
    if (!clv_comm_max(&g->comm, leads_down(g)))
        return CLEAVE_OK;
    bool cyclic = false;
    int32_t *owner = clv_alloc(g->nlocal, sizeof *owner), highest = 0;
    int64_t *bin = NULL;
    cleave_status status = clv_comm_agree_memory(&g->comm, owner != NULL, err);
    if (status == CLEAVE_OK)
        status = clv_dist_levels(g, owner, &cyclic, err);
    if (status == CLEAVE_OK && cyclic)
        status = clv_dist_check_cycles(g, err);
    if (status == CLEAVE_OK) {
        for (int32_t v = 0; v < g->nlocal; v++)
            highest = owner[v] > highest ? owner[v] : highest;
        int64_t levels = clv_comm_max(&g->comm, highest) + 1;
        int shift = 0;
        while (levels >> shift >= most_bins)
            shift++;
        int64_t nbins = (levels >> shift) + 1;
        bin = clv_alloc(nbins + 1, sizeof *bin);
        status = clv_comm_agree_memory(&g->comm, bin != NULL, err);
        if (status == CLEAVE_OK) {
            deal_by_level(g, bin, nbins, shift, owner);
            status = clv_dist_redistribute(out, g, owner, number, err);
        }
    }
    clv_sys_free(owner);
    clv_sys_free(bin);
    return status;
}
