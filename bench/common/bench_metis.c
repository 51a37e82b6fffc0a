/* SPDX-License-Identifier: Apache-2.0 */
/* bench/common/bench_metis.c - METIS in this process: METIS_PartGraphKway with default options
 * except for the seed and the imbalance.  Its arrays are prepared outside the timed section.
 */
#include <stdlib.h>

#include "common/bench.h"

#ifdef BENCH_METIS
#include <metis.h>

_Static_assert(sizeof(idx_t) == sizeof(int32_t), "METIS with 32-bit numbers is expected");

struct metis_graph {
    idx_t n, ncon;
    idx_t *xadj; /* ours; the rest belongs to the graph */
    idx_t *adj, *vwgt, *ewgt, *vsize;
};

int metis_available(void)
{
    return 1;
}

metis_graph *metis_prepare(const cleave_graph *g)
{
    cleave_csr view;
    cleave_csr_init(&view, sizeof view);
    cleave_graph_view(g, &view);
    metis_graph *m = malloc(sizeof *m);
    idx_t *xadj = malloc(((size_t)view.nvtx + 1) * sizeof *xadj);
    if (!m || !xadj)
        bench_fail("out of memory");
    for (int32_t v = 0; v <= view.nvtx; v++)
        xadj[v] = (idx_t)view.xadj[v];
    *m = (metis_graph){view.nvtx,          view.ncon,          xadj,
                       (idx_t *)view.adj,  (idx_t *)view.vwgt, (idx_t *)view.ewgt,
                       (idx_t *)view.vsize};
    return m;
}

void metis_free(metis_graph *m)
{
    free(m->xadj);
    free(m);
}

double metis_run(metis_graph *m, int k, double imbalance, int seed, int volume, int32_t *part)
{
    idx_t options[METIS_NOPTIONS], parts = k, result;
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = seed;
    options[METIS_OPTION_UFACTOR] = (idx_t)(1000 * imbalance + 0.5);
    options[METIS_OPTION_OBJTYPE] = volume ? METIS_OBJTYPE_VOL : METIS_OBJTYPE_CUT;
    double start = bench_seconds();
    int status = METIS_PartGraphKway(&m->n, &m->ncon, m->xadj, m->adj, m->vwgt, m->vsize,
                                     m->ewgt, &parts, NULL, NULL, options, &result, part);
    double seconds = bench_seconds() - start;
    return status == METIS_OK ? seconds : -1;
}

#else

int metis_available(void)
{
    return 0;
}

metis_graph *metis_prepare(const cleave_graph *g)
{
    (void)g;
    return NULL;
}

void metis_free(metis_graph *m)
{
    (void)m;
}

double metis_run(metis_graph *m, int k, double imbalance, int seed, int volume, int32_t *part)
{
    (void)m, (void)k, (void)imbalance, (void)seed, (void)volume, (void)part;
    return 0;
}

#endif
