/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/program/part_cycle.c - see mpi/program/part_cycle.h.
 *
 * Rank 0 collects the arcs of the quotient graph.  For each arc (p, q) it creates two
 * vertices, one in p and one in q, and an arc between them: a DAG with the same quotient
 * graph, in which the library finds the cycle. */
#include "mpi/program/part_cycle.h"

#include <stdlib.h>
#include <string.h>

enum { tag_pairs = 2 };

typedef struct pair_list {
    int64_t count;
    int64_t *key; /* from * nparts + to, ascending, each once */
} pair_list;

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void sort_once(pair_list *list)
{
    int64_t kept = 0;
    qsort(list->key, (size_t)list->count, sizeof *list->key, ascending);
    for (int64_t i = 0; i < list->count; i++)
        if (kept == 0 || list->key[kept - 1] != list->key[i])
            list->key[kept++] = list->key[i];
    list->count = kept;
}

/* The pairs of own arcs; key NULL: only counts. */
static int64_t list_arcs(const cleave_mpi_local *local, const int32_t *part, int64_t nparts,
                         int64_t *key)
{
    int64_t count = 0;
    for (int32_t v = 0; v < local->nlocal; v++)
        for (int64_t a = local->xadj[v]; a < local->xadj[v + 1]; a++) {
            int32_t p = part[v], q = part[local->adj[a]];
            if (p == q)
                continue;
            if (key)
                key[count] = p * nparts + q;
            count++;
        }
    return count;
}

static cleave_status own_pairs(pair_list *list, const cleave_mpi_graph *g, int32_t nparts,
                               const int32_t *part, cleave_error *err)
{
    cleave_mpi_local local;
    cleave_mpi_local_init(&local, sizeof local);
    cleave_mpi_graph_view(g, &local);
    int32_t *all = ranks_alloc((int64_t)local.nlocal + local.nghost, sizeof *all, err);
    if (!all)
        return CLEAVE_ENOMEM;
    memcpy(all, part, (size_t)local.nlocal * sizeof *all);
    cleave_status status = cleave_mpi_exchange(g, all, sizeof *all, err);
    if (status == CLEAVE_OK) {
        list->count = list_arcs(&local, all, nparts, NULL);
        list->key = ranks_alloc(list->count, sizeof *list->key, err);
        status = list->key ? CLEAVE_OK : CLEAVE_ENOMEM;
    }
    if (status == CLEAVE_OK) {
        list_arcs(&local, all, nparts, list->key);
        sort_once(list);
    }
    free(all);
    return status;
}

/* Rank 0 receives the pairs of one rank after the other, in chunks that fit its buffer. */
static void collect(const pair_list *mine, pair_list *all)
{
    enum { piece = 1 << 24 };
    for (int64_t at = 0; !ranks_first() && at < mine->count; at += piece)
        MPI_Send(mine->key + at, (int)(mine->count - at < piece ? mine->count - at : piece),
                 MPI_INT64_T, 0, tag_pairs, MPI_COMM_WORLD);
    if (!ranks_first())
        return;
    memcpy(all->key, mine->key, (size_t)mine->count * sizeof *all->key);
    for (int64_t have = mine->count; have < all->count;) {
        MPI_Status status;
        int64_t room = all->count - have;
        int got;
        MPI_Recv(all->key + have, (int)(room < piece ? room : piece), MPI_INT64_T,
                 MPI_ANY_SOURCE, tag_pairs, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT64_T, &got);
        have += got;
    }
    sort_once(all);
}

/* ---- Rank 0 ---------------------------------------------------------------------------- */

static cleave_status make_model(cleave_graph **g, cleave_mapping **m, const pair_list *list,
                                int32_t nparts, cleave_error *err)
{
    cleave_csr csr;
    int32_t nvtx = (int32_t)(2 * list->count);
    int64_t *xadj = cli_alloc((int64_t)nvtx + 1, sizeof *xadj);
    int32_t *adj = cli_alloc(list->count, sizeof *adj), *part = cli_alloc(nvtx, sizeof *part);
    for (int64_t i = 0; i < list->count; i++) {
        part[2 * i] = (int32_t)(list->key[i] / nparts);
        part[2 * i + 1] = (int32_t)(list->key[i] % nparts);
        adj[i] = (int32_t)(2 * i + 1);
        xadj[2 * i + 1] = xadj[2 * i + 2] = i + 1;
    }
    cleave_csr_init(&csr, sizeof csr);
    csr.kind = CLEAVE_DAG;
    csr.nvtx = nvtx;
    csr.xadj = xadj;
    csr.adj = adj;
    cleave_status status = cleave_graph_create(g, &csr, 0, err);
    if (status == CLEAVE_OK)
        status = cleave_mapping_create(m, nvtx, nparts, part, err);
    free(xadj);
    free(adj);
    free(part);
    return status;
}

static cleave_status find_cycle_in_model(int64_t **cycle, int32_t *length,
                                         const pair_list *list, int32_t nparts,
                                         cleave_error *err)
{
    cleave_graph *g = NULL;
    cleave_mapping *m = NULL;
    int32_t *found = cli_alloc(nparts, sizeof *found);
    cleave_status status = make_model(&g, &m, list, nparts, err);
    if (status == CLEAVE_OK)
        status = cleave_evaluate_cycle(g, m, found, length, err);
    *cycle = cli_alloc(nparts, sizeof **cycle);
    for (int32_t i = 0; status == CLEAVE_OK && i < *length; i++)
        (*cycle)[i] = found[i];
    free(found);
    cleave_mapping_free(m);
    cleave_graph_free(g);
    return status;
}

cleave_status part_cycle_find(int64_t **cycle, int32_t *length, const cleave_mpi_graph *g,
                              int32_t nparts, const int32_t *part, cleave_error *err)
{
    pair_list mine = {0}, all = {0};
    *cycle = NULL;
    *length = 0;
    cleave_status status = own_pairs(&mine, g, nparts, part, err);
    if (status == CLEAVE_OK) {
        all.count = ranks_sum(mine.count);
        all.key = ranks_alloc(ranks_first() ? all.count : 0, sizeof *all.key, err);
        status = all.key ? CLEAVE_OK : CLEAVE_ENOMEM;
    }
    if (status == CLEAVE_OK) {
        collect(&mine, &all);
        if (ranks_first())
            status = find_cycle_in_model(cycle, length, &all, nparts, err);
        status = ranks_agree_on(status, err);
    }
    free(mine.key);
    free(all.key);
    return status;
}
