/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of METIS that compat/metis serves (5.1, 64-bit idx_t), on arrays from bytes
 * (fuzz_instance.h).  Damaged arrays, and options that METIS refuses, are METIS_ERROR_INPUT;
 * results are in range and the objective is recounted. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz_instance.h"
#include "metis.h"

enum { N = FUZZ_MOST_VERTICES, C = FUZZ_MOST_CON, most_parts = 40, most_items = 400 };

typedef struct arrays {
    idx_t n, ncon, nparts, numbering;
    idx_t xadj[N + 1], *adj, *adjwgt; /* counted from 0; see count_from */
    idx_t vwgt[N * C], vsize[N];
    bool has_vwgt, has_vsize, has_adjwgt;
    bool repeats; /* rows have loops, and every neighbour twice */
    real_t tpwgts[most_parts * C], ubvec[C];
    bool has_tpwgts, has_ubvec;
    idx_t options[METIS_NOPTIONS];
    bool wrong;
} arrays;

/* In the terms of the tally. */
static cleave_status status_of(int returned)
{
    FUZZ_CHECK(returned == METIS_OK || returned == METIS_ERROR_INPUT ||
               returned == METIS_ERROR_MEMORY);
    return returned == METIS_OK            ? CLEAVE_OK
           : returned == METIS_ERROR_INPUT ? CLEAVE_EINVAL
                                           : CLEAVE_ENOMEM;
}

/* True: there is a result to be looked at. */
static bool has_result(const arrays *a, cleave_status status)
{
    if (status == CLEAVE_ENOMEM)
        FUZZ_CHECK(fuzz_alloc_denied());
    else
        FUZZ_CHECK((status == CLEAVE_EINVAL) == a->wrong);
    return status == CLEAVE_OK;
}

/* ---- Arrays ----------------------------------------------------------------------------- */

static void widen(const int32_t *from, int64_t count, int64_t factor, idx_t *to)
{
    for (int64_t i = 0; from && i < count; i++)
        to[i] = from[i] * factor;
}

/* Repeated neighbours and loops, which METIS tolerates: each row twice, and the vertex. */
static void repeat_rows(arrays *a)
{
    int64_t at = 0;
    idx_t *adj = malloc((size_t)(2 * a->xadj[a->n] + a->n + 1) * sizeof *adj);
    idx_t *wgt = malloc((size_t)(2 * a->xadj[a->n] + a->n + 1) * sizeof *wgt);
    FUZZ_CHECK(adj && wgt);
    for (idx_t v = 0; v < a->n; v++) {
        int64_t begin = a->xadj[v], end = a->xadj[v + 1];
        a->xadj[v] = at;
        adj[at] = v;
        wgt[at++] = 3;
        for (int64_t i = begin; i < 2 * end - begin; i++) {
            int64_t from = i < end ? i : i - (end - begin);
            adj[at] = a->adj[from];
            wgt[at++] = a->adjwgt[from];
        }
    }
    a->xadj[a->n] = at;
    free(a->adj);
    free(a->adjwgt);
    a->adj = adj;
    a->adjwgt = wgt;
}

/* An arc becomes a loop: its other direction is left. */
static void damage_arc(fuzz_input *in, arrays *a, int how)
{
    idx_t v = fuzz_take(in, (int)a->n);
    if (a->xadj[v] == a->xadj[v + 1])
        return;
    a->adj[a->xadj[v]] = how == 0 ? v : how == 1 ? a->n : -1;
    a->wrong = true;
}

static void damage(fuzz_input *in, arrays *a)
{
    int how = fuzz_take(in, 6);
    if (a->n == 0)
        return;
    idx_t v = fuzz_take(in, (int)a->n);
    if (how < 3)
        damage_arc(in, a, how == 0 && a->repeats ? 1 : how);
    if (how == 3 && v > 0)
        a->xadj[v] = a->xadj[v + 1] + 1;
    if (how == 4 && a->has_vwgt)
        a->vwgt[v] = -1;
    if (how == 5)
        a->xadj[0] = 5;
    a->wrong = a->wrong || (how == 3 && v > 0) || (how == 4 && a->has_vwgt) || how == 5;
}

static void take_options(fuzz_input *in, arrays *a)
{
    METIS_SetDefaultOptions(a->options);
    if (fuzz_chance(in, 3))
        return;
    a->numbering = fuzz_chance(in, 4);
    a->options[METIS_OPTION_SEED] = fuzz_take(in, 65536);
    a->options[METIS_OPTION_NUMBERING] = a->numbering;
    a->options[METIS_OPTION_NCUTS] = 1 + fuzz_chance(in, 4);
    a->options[METIS_OPTION_NITER] = 1 + fuzz_take(in, 30);
    a->options[METIS_OPTION_UFACTOR] = 1 + fuzz_take(in, 200);
    a->options[METIS_OPTION_MINCONN] = fuzz_chance(in, 6);
    a->options[METIS_OPTION_CONTIG] = fuzz_chance(in, 6);
    a->options[METIS_OPTION_NSEPS] = 1 + fuzz_take(in, 6);
    if (fuzz_chance(in, 20)) {
        static const int slots[] = {METIS_OPTION_CTYPE, METIS_OPTION_NITER,
                                    METIS_OPTION_UFACTOR, METIS_OPTION_NUMBERING};
        static const idx_t values[] = {9, 0, 0, 5};
        int slot = fuzz_take(in, 4);
        a->options[slots[slot]] = values[slot];
        a->wrong = true;
    }
}

static void take_shares(fuzz_input *in, arrays *a)
{
    a->has_tpwgts = fuzz_chance(in, 5);
    a->has_ubvec = fuzz_chance(in, 6);
    for (idx_t c = 0; c < a->ncon; c++) {
        int drawn[most_parts], sum = 0;
        for (idx_t p = 0; p < a->nparts && a->has_tpwgts; p++)
            sum += drawn[p] = 1 + fuzz_take(in, 9);
        for (idx_t p = 0; p < a->nparts && a->has_tpwgts; p++)
            a->tpwgts[p * a->ncon + c] = (real_t)drawn[p] / (real_t)sum;
        a->ubvec[c] = 1 + (real_t)fuzz_take(in, 300) / 1000;
    }
}

static void take_metis(fuzz_input *in, arrays *a)
{
    static fuzz_arrays from;
    static const int64_t factors[] = {1, 1, 1, 1000003};
    memset(a, 0, sizeof *a);
    fuzz_take_arrays(in, FUZZ_UNDIRECTED_ONLY, &from);
    const cleave_csr *g = &from.csr;
    int64_t narc = from.xadj[g->nvtx];
    a->n = g->nvtx;
    a->ncon = g->ncon;
    a->adj = malloc((size_t)(narc + 1) * sizeof *a->adj);
    a->adjwgt = malloc((size_t)(narc + 1) * sizeof *a->adjwgt);
    FUZZ_CHECK(a->adj && a->adjwgt);
    for (int32_t v = 0; v <= g->nvtx; v++)
        a->xadj[v] = from.xadj[v];
    widen(g->adj, narc, 1, a->adj);
    for (int64_t i = 0; i < narc; i++)
        a->adjwgt[i] = 1;
    widen(g->ewgt, narc, factors[fuzz_take(in, 4)], a->adjwgt);
    widen(g->vwgt, (int64_t)g->nvtx * g->ncon, factors[fuzz_take(in, 4)], a->vwgt);
    widen(g->vsize, g->nvtx, 1, a->vsize);
    a->has_vwgt = g->vwgt != NULL;
    a->has_vsize = g->vsize != NULL;
    a->nparts = 1 + fuzz_take(in, most_parts);
    a->repeats = fuzz_chance(in, 6);
    if (a->repeats)
        repeat_rows(a);
    a->has_adjwgt = g->ewgt != NULL;
    fuzz_arrays_free(&from);
    take_options(in, a);
    take_shares(in, a);
    if (fuzz_chance(in, 12))
        damage(in, a);
}

/* Fortran counts from 1. */
static void count_from(arrays *a, idx_t step)
{
    idx_t narc = a->xadj[a->n];
    for (idx_t v = 0; v <= a->n; v++)
        a->xadj[v] += step;
    for (idx_t i = 0; i < narc && narc < 1000000; i++)
        a->adj[i] += step;
}

/* ---- Partitions ------------------------------------------------------------------------- */

static int64_t cut_of(const arrays *a, const idx_t *part)
{
    int64_t sum = 0;
    for (idx_t v = 0; v < a->n; v++)
        for (int64_t i = a->xadj[v]; i < a->xadj[v + 1]; i++)
            if (part[v] != part[a->adj[i]])
                sum += a->has_adjwgt ? a->adjwgt[i] : 1;
    return sum / 2;
}

static int64_t volume_of(const arrays *a, const idx_t *part)
{
    int64_t sum = 0;
    for (idx_t v = 0; v < a->n; v++) {
        bool reads[most_parts] = {false};
        for (int64_t i = a->xadj[v]; i < a->xadj[v + 1]; i++) {
            idx_t p = part[a->adj[i]];
            sum += p != part[v] && !reads[p] ? (a->has_vsize ? a->vsize[v] : 1) : 0;
            reads[p] = true;
        }
    }
    return sum;
}

static void check_parts(const arrays *a, idx_t *part, idx_t said, bool volume)
{
    bool used[most_parts] = {false};
    idx_t empty = 0;
    for (idx_t v = 0; v < a->n; v++) {
        part[v] -= a->numbering;
        FUZZ_CHECK(part[v] >= 0 && part[v] < a->nparts);
        FUZZ_CHECK(a->nparts < a->n || !used[part[v]]);
        used[part[v]] = true;
    }
    for (idx_t p = 0; p < a->nparts; p++)
        empty += !used[p];
    FUZZ_CHECK(a->has_tpwgts || empty == (a->nparts > a->n ? a->nparts - a->n : 0));
    if (fuzz_spoils("part") && a->n > 0)
        part[0] = (part[0] + 1) % a->nparts;
    said += fuzz_spoils("cut");
    FUZZ_CHECK(said == (volume ? volume_of(a, part) : cut_of(a, part)));
}

static void check_partition(fuzz_input *in, arrays *a, bool kway)
{
    idx_t part[N + 1], objective = -7;
    bool volume = kway && fuzz_chance(in, 4);
    if (volume)
        a->options[METIS_OPTION_OBJTYPE] = METIS_OBJTYPE_VOL;
    if (fuzz_chance(in, 30)) {
        a->nparts = fuzz_take(in, 2) - 1;
        a->wrong = true;
    }
    count_from(a, a->numbering);
    idx_t *vwgt = a->has_vwgt ? a->vwgt : NULL, *vsize = a->has_vsize ? a->vsize : NULL;
    idx_t *adjwgt = a->has_adjwgt ? a->adjwgt : NULL;
    real_t *tpwgts = a->has_tpwgts ? a->tpwgts : NULL, *ubvec = a->has_ubvec ? a->ubvec : NULL;
    cleave_status status =
        kway ? FUZZ_CALL(METIS_PartGraphKway,
                         status_of(METIS_PartGraphKway(&a->n, &a->ncon, a->xadj, a->adj, vwgt,
                                                       vsize, adjwgt, &a->nparts, tpwgts,
                                                       ubvec, a->options, &objective, part)))
             : FUZZ_CALL(METIS_PartGraphRecursive,
                         status_of(METIS_PartGraphRecursive(
                             &a->n, &a->ncon, a->xadj, a->adj, vwgt, vsize, adjwgt, &a->nparts,
                             tpwgts, ubvec, a->options, &objective, part)));
    count_from(a, -a->numbering);
    if (has_result(a, status))
        check_parts(a, part, objective, volume);
}

/* ---- Orders and separators -------------------------------------------------------------- */

static void check_order(arrays *a)
{
    idx_t perm[N + 1], iperm[N + 1];
    count_from(a, a->numbering);
    cleave_status status =
        FUZZ_CALL(METIS_NodeND,
                  status_of(METIS_NodeND(&a->n, a->xadj, a->adj, a->has_vwgt ? a->vwgt : NULL,
                                         a->options, perm, iperm)));
    count_from(a, -a->numbering);
    if (!has_result(a, status))
        return;
    if (fuzz_spoils("order") && a->n > 1)
        perm[0] = perm[1];
    for (idx_t v = 0; v < a->n; v++) {
        idx_t old = perm[v] - a->numbering;
        FUZZ_CHECK(old >= 0 && old < a->n && iperm[old] - a->numbering == v);
    }
}

static void check_separator(arrays *a)
{
    idx_t part[N + 1], size = -7, sum = 0;
    count_from(a, a->numbering);
    cleave_status status = FUZZ_CALL(
        METIS_ComputeVertexSeparator,
        status_of(METIS_ComputeVertexSeparator(
            &a->n, a->xadj, a->adj, a->has_vwgt ? a->vwgt : NULL, a->options, &size, part)));
    count_from(a, -a->numbering);
    if (!has_result(a, status))
        return;
    size += fuzz_spoils("separator");
    for (idx_t v = 0; v < a->n; v++) {
        FUZZ_CHECK(part[v] >= 0 && part[v] <= 2);
        sum += part[v] == 2 ? (a->has_vwgt ? a->vwgt[v] : 1) : 0;
        for (int64_t i = a->xadj[v]; i < a->xadj[v + 1]; i++)
            FUZZ_CHECK(part[v] + part[a->adj[i]] != 1);
    }
    FUZZ_CHECK(size == sum);
}

/* ---- Meshes ----------------------------------------------------------------------------- */

typedef struct elements {
    idx_t ne, nn, eptr[N + 1], eind[most_items + 8];
} elements;

static void take_elements(fuzz_input *in, elements *e)
{
    e->ne = fuzz_take(in, 40);
    e->nn = 8 + fuzz_take(in, 60);
    e->eptr[0] = 0;
    for (idx_t i = 0; i < e->ne; i++) {
        idx_t count = fuzz_take(in, 7), near = fuzz_take(in, (int)e->nn), at = e->eptr[i];
        for (idx_t j = 0; j < count; j++)
            e->eind[at++] = (near + fuzz_take(in, 6)) % e->nn;
        e->eptr[i + 1] = at;
    }
}

static bool has_node(const elements *e, idx_t element, idx_t node)
{
    for (idx_t i = e->eptr[element]; i < e->eptr[element + 1]; i++)
        if (e->eind[i] == node)
            return true;
    return false;
}

static bool share_element(const elements *e, idx_t u, idx_t v)
{
    for (idx_t i = 0; u != v && i < e->ne; i++)
        if (has_node(e, i, u) && has_node(e, i, v))
            return true;
    return false;
}

static void check_nodal(elements *e)
{
    idx_t *xadj = NULL, *adj = NULL, zero = 0;
    cleave_status status = FUZZ_CALL(
        METIS_MeshToNodal,
        status_of(METIS_MeshToNodal(&e->ne, &e->nn, e->eptr, e->eind, &zero, &xadj, &adj)));
    FUZZ_CHECK(status == CLEAVE_OK && xadj[0] == 0);
    for (idx_t v = 0; v < e->nn; v++) {
        idx_t at = xadj[v];
        for (idx_t u = 0; u < e->nn; u++)
            if (share_element(e, u, v) != fuzz_spoils("mesh"))
                FUZZ_CHECK(at < xadj[v + 1] && adj[at++] == u);
        FUZZ_CHECK(at == xadj[v + 1]);
    }
    METIS_Free(xadj);
    METIS_Free(adj);
}

static void check_mesh_parts(fuzz_input *in, elements *e, arrays *a)
{
    idx_t epart[N], npart[N], objective, common = 1 + fuzz_take(in, 3);
    bool dual = fuzz_take(in, 2);
    a->wrong = false;
    METIS_SetDefaultOptions(a->options);
    a->nparts = 1 + fuzz_take(in, 8);
    cleave_status status =
        dual ? FUZZ_CALL(METIS_PartMeshDual,
                         status_of(METIS_PartMeshDual(&e->ne, &e->nn, e->eptr, e->eind, NULL,
                                                      NULL, &common, &a->nparts, NULL,
                                                      a->options, &objective, epart, npart)))
             : FUZZ_CALL(METIS_PartMeshNodal,
                         status_of(METIS_PartMeshNodal(&e->ne, &e->nn, e->eptr, e->eind, NULL,
                                                       NULL, &a->nparts, NULL, a->options,
                                                       &objective, epart, npart)));
    if (!has_result(a, status))
        return;
    for (idx_t i = 0; i < e->ne; i++)
        FUZZ_CHECK(epart[i] >= 0 && epart[i] < a->nparts);
    for (idx_t v = 0; v < e->nn; v++)
        FUZZ_CHECK(npart[v] >= 0 && npart[v] < a->nparts);
    FUZZ_CHECK(objective >= 0);
}

FUZZ_TARGET(api_metis)
{
    static arrays a;
    static elements e;
    take_metis(in, &a);
    switch (fuzz_take(in, 6)) {
    case 0:
    case 1:
        check_partition(in, &a, true);
        break;
    case 2:
        check_partition(in, &a, false);
        break;
    case 3:
        check_order(&a);
        break;
    case 4:
        check_separator(&a);
        break;
    default:
        take_elements(in, &e);
        check_nodal(&e);
        check_mesh_parts(in, &e, &a);
    }
    free(a.adj);
    free(a.adjwgt);
}
