/* SPDX-License-Identifier: Apache-2.0 */
/* api/quotient.c - the quotient graph of a mapping with 64-bit weights.
 *
 * Where all sums fit into the weights of a graph, the quotient is also a cleave_graph and is
 * written like any other graph. */
#include "formats/graph_file.h"
#include "graph/derive.h"

struct cleave_quotient {
    clv_graph *g; /* has weights only if narrow; owns the sums */
    clv_sums sums;
    bool narrow; /* no sum exceeds 2^31-1 */
};

void cleave_quotient_csr_init(cleave_quotient_csr *csr, size_t size)
{
    cleave_quotient_csr defaults = {.ncon = 1};
    clv_sized_init(csr, size);
    clv_sized_write(csr, &defaults, sizeof defaults);
}

static cleave_status make_quotient(cleave_quotient *q, const clv_graph *g,
                                   const clv_mapping *m, clv_ws *ws, cleave_error *err)
{
    CLV_TRY(clv_derive_quotient_sums(&q->g, &q->sums, g, m, ws, err));
    cleave_status status = clv_derive_narrow(q->g, &q->sums, NULL);
    q->narrow = status == CLEAVE_OK;
    return status == CLEAVE_ENOMEM ? clv_fail_memory(err) : CLEAVE_OK;
}

cleave_status cleave_quotient_create(cleave_quotient **out, const cleave_graph *g,
                                     const cleave_mapping *m, cleave_error *err)
{
    if (out)
        *out = NULL;
    if (!out || !g || !m)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL",
                        !out ? "out"
                        : !g ? "the graph"
                             : "the mapping");
    if (m->nvtx != g->nvtx)
        return clv_fail(err, CLEAVE_EINVAL,
                        "the mapping is of %ld vertices, but the graph has %ld", (long)m->nvtx,
                        (long)g->nvtx);
    cleave_quotient *q = clv_zalloc(1, sizeof *q);
    if (!q)
        return clv_fail_memory(err);
    clv_ws ws = {NULL};
    cleave_status status = make_quotient(q, g, m, &ws, err);
    clv_ws_free(&ws);
    if (status != CLEAVE_OK) {
        cleave_quotient_free(q);
        return status;
    }
    *out = q;
    return CLEAVE_OK;
}

void cleave_quotient_view(const cleave_quotient *q, cleave_quotient_csr *view)
{
    cleave_quotient_csr full = {.ncon = 1};
    if (q)
        full = (cleave_quotient_csr){.kind = q->g->kind,
                                     .nparts = q->g->nvtx,
                                     .ncon = q->g->ncon,
                                     .xadj = q->g->xadj,
                                     .adj = q->g->adj,
                                     .weight = q->sums.vertex,
                                     .cut = q->sums.arc};
    clv_sized_write(view, &full, sizeof full);
}

cleave_status cleave_quotient_write(const cleave_quotient *q, const char *path,
                                    const cleave_write_options *opt, cleave_error *err)
{
    if (!q || !path)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", q ? "path" : "quotient");
    return clv_graph_file_write(q->g, q->narrow ? NULL : &q->sums, path, opt, err);
}

void cleave_quotient_free(cleave_quotient *q)
{
    if (!q)
        return;
    clv_graph_free(q->g);
    clv_sys_free(q);
}
