/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_cluster_dag.c - see mpi/dist_cluster_dag.h. */
#include "mpi/dist_cluster_dag.h"

#include "coarsen/acyclic_cluster.h"
#include "graph/build.h"

static bool copy_rows(clv_rows *rows, int64_t **wide, const clv_dist_graph *g)
{
    int64_t count = 0;
    for (int64_t a = 0; a < g->narc; a++)
        count += g->adj[a] < g->nlocal;
    *rows = (clv_rows){.nvtx = g->nlocal};
    rows->xadj = clv_alloc((int64_t)g->nlocal + 1, sizeof *rows->xadj);
    rows->adj = clv_alloc(count, sizeof *rows->adj);
    rows->ewgt = g->ewgt ? clv_alloc(count, sizeof *rows->ewgt) : NULL;
    *wide = g->wide_ewgt ? clv_alloc(count, sizeof **wide) : NULL;
    if (!rows->xadj || !rows->adj || (g->ewgt && !rows->ewgt) || (g->wide_ewgt && !*wide))
        return false;
    count = 0;
    rows->xadj[0] = 0;
    for (int32_t v = 0; v < g->nlocal; v++) {
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (g->adj[a] < g->nlocal) {
                if (rows->ewgt)
                    rows->ewgt[count] = g->ewgt[a];
                if (*wide)
                    (*wide)[count] = g->wide_ewgt[a];
                rows->adj[count++] = g->adj[a];
            }
        rows->xadj[v + 1] = count;
    }
    return true;
}

cleave_status clv_dist_induced(clv_graph **out, const clv_dist_graph *g, cleave_error *err)
{
    clv_rows rows;
    int64_t *wide;
    clv_build_rules rules = {.trust = true};
    *out = NULL;
    if (!copy_rows(&rows, &wide, g)) {
        clv_rows_free(&rows);
        clv_sys_free(wide);
        return clv_fail_memory(err);
    }
    rows.paired = g->kind == CLEAVE_UNDIRECTED;
    cleave_status built = wide ? clv_build_wide(out, g->kind, &rows, &wide, err)
                               : clv_build_graph(out, g->kind, &rows, &rules, NULL, err);
    clv_sys_free(wide);
    CLV_TRY(built);
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    csr.ncon = g->ncon;
    csr.vwgt = g->vwgt;
    csr.vsize = g->vsize;
    csr.ndim = g->ndim;
    csr.coords = g->coords;
    cleave_status status = clv_graph_set_attributes(*out, &csr, true, err);
    if (status == CLEAVE_OK && g->wide_vwgt) { /* borrowed like the others */
        (*out)->ncon = g->ncon;
        clv_graph_set_vwgts(*out, clv_dist_vwgts(g));
    }
    if (status != CLEAVE_OK) {
        clv_graph_free(*out);
        *out = NULL;
    }
    return status;
}

/* A cluster is named after its smallest vertex. */
static void name_clusters(const clv_dist_graph *g, const int32_t *map, int32_t ncoarse,
                          int32_t *smallest, int64_t *leader)
{
    for (int32_t c = 0; c < ncoarse; c++)
        smallest[c] = -1;
    for (int32_t v = 0; v < g->nlocal; v++) {
        if (smallest[map[v]] < 0)
            smallest[map[v]] = v;
        leader[v] = clv_dist_global(g, smallest[map[v]]);
    }
}

static cleave_status cluster_alone(const clv_dist_graph *g, const clv_dist_merge_rule *rule,
                                   clv_context *ctx, int64_t *leader, cleave_error *err)
{
    clv_graph *own = NULL;
    clv_merge_rule inside = {.max_weight = rule->max_weight,
                             .merge_class = rule->merge_class,
                             .level = rule->level};
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    int32_t *map = clv_ws_alloc(ctx->ws, g->nlocal, sizeof *map), ncoarse = 0;
    int32_t *smallest = clv_ws_alloc(ctx->ws, g->nlocal, sizeof *smallest);
    cleave_status status = map && smallest ? CLEAVE_OK : clv_fail_memory(err);
    if (status == CLEAVE_OK)
        status = clv_dist_induced(&own, g, err);
    if (status == CLEAVE_OK)
        status = clv_cluster_acyclic(own, &inside, ctx, map, &ncoarse, err);
    if (status == CLEAVE_OK)
        name_clusters(g, map, ncoarse, smallest, leader);
    clv_graph_free(own);
    clv_ws_restore(ctx->ws, mark);
    return status;
}

cleave_status clv_dist_cluster_dag(const clv_dist_graph *g, const clv_dist_merge_rule *rule,
                                   clv_context *ctx, int64_t *leader, cleave_error *err)
{
    return clv_comm_agree(&g->comm, cluster_alone(g, rule, ctx, leader, err), err);
}
