/* SPDX-License-Identifier: Apache-2.0 */
/* compat/parmetis/parlayer_partition.c - the search behind all partitioning functions: one
 * call of cleave_mpi_map or, with a current partition, of cleave_mpi_remap.
 *
 * Every rank uses one thread, because programs that call ParMETIS run one rank per core. */
#include <math.h>

#include "parlayer.h"

typedef struct search {
    const cp_question *question;
    const cp_ranks *ranks;
    cp_graph graph;
    cleave_mpi_local view;
    cleave_target *target;
    cleave_constraints constraints;
    cleave_options options;
    double *shares; /* nparts * ncon, or NULL */
    int64_t *max;   /* the same, where constraints differ in their imbalance */
    int32_t *part;  /* own vertices, then ghosts */
} search;

/* ---- Shares and bounds ------------------------------------------------------------ */

static bool equal_shares(const cp_question *q)
{
    for (int64_t i = q->ncon; i < (int64_t)q->nparts * q->ncon; i++)
        if (q->tpwgts[i] != q->tpwgts[i - q->ncon])
            return false;
    return true;
}

static int make_shares(search *s)
{
    const cp_question *q = s->question;
    int64_t count = (int64_t)q->nparts * q->ncon;
    if (equal_shares(q))
        return METIS_OK;
    s->shares = cp_alloc(count, sizeof *s->shares);
    if (!s->shares)
        return METIS_ERROR_MEMORY;
    for (int64_t i = 0; i < count; i++)
        s->shares[i] = q->tpwgts[i];
    s->constraints.shares = s->shares;
    return METIS_OK;
}

/* A float such as 1.05 is slightly less than its decimal value; the intended value has few
 * digits. */
static double allowance(const cp_question *q, idx_t kind)
{
    return floor(((double)q->ubvec[kind] - 1) * 1e6 + 0.5) / 1e6;
}

static bool same_allowance(const cp_question *q)
{
    for (idx_t kind = 1; kind < q->ncon; kind++)
        if (allowance(q, kind) != allowance(q, 0))
            return false;
    return true;
}

/* Bounds of one constraint, by the rule of cleave: floor((1 + eps) * ceil(share)). */
static void fill_bounds(search *s, idx_t kind, int64_t total)
{
    const cp_question *q = s->question;
    double sum = 0;
    for (int64_t p = 0; p < q->nparts; p++)
        sum += s->shares ? s->shares[p * q->ncon + kind] : 1;
    for (int64_t p = 0; p < q->nparts; p++) {
        double share = s->shares ? s->shares[p * q->ncon + kind] : 1;
        double bound = (1 + allowance(q, kind)) * ceil(share / sum * (double)total);
        s->max[p * q->ncon + kind] = (int64_t)fmin(bound, 0x1p62);
    }
}

/* Collective where tolerances differ, which they do on all ranks or on none. */
static int make_bounds(search *s, int status)
{
    const cp_question *q = s->question;
    s->options.imbalance = allowance(q, 0);
    if (same_allowance(q))
        return cp_agree(s->ranks, status);
    int64_t *total = cp_alloc(q->ncon, sizeof *total);
    s->max = cp_alloc((int64_t)q->nparts * q->ncon, sizeof *s->max);
    if (status == METIS_OK && (!total || !s->max))
        status = METIS_ERROR_MEMORY;
    status = cp_agree(s->ranks, status);
    if (status == METIS_OK) {
        for (idx_t kind = 0; kind < q->ncon; kind++) {
            total[kind] = s->view.vwgt ? 0 : q->own;
            for (int64_t v = 0; s->view.vwgt && v < q->own; v++)
                total[kind] += s->view.vwgt[v * q->ncon + kind];
        }
        cp_sum_all(s->ranks, total, (int)q->ncon);
        for (idx_t kind = 0; kind < q->ncon; kind++)
            fill_bounds(s, kind, total[kind]);
        s->constraints.max = s->max;
    }
    cp_free(total);
    return status;
}

static int open_question(search *s)
{
    const cp_question *q = s->question;
    int status = cp_graph_open(&s->graph, s->ranks, q);
    if (status != METIS_OK)
        return status;
    cleave_mpi_local_init(&s->view, sizeof s->view);
    cleave_mpi_graph_view(s->graph.g, &s->view);
    cleave_constraints_init(&s->constraints, sizeof s->constraints);
    cleave_options_init(&s->options, sizeof s->options);
    s->options.constraints = &s->constraints;
    s->options.seed = q->seed;
    s->options.effort = CLEAVE_EFFORT_FAST;
    s->options.threads = 1;
    s->part = cp_alloc(q->own + s->view.nghost, sizeof *s->part);
    status = s->part ? make_shares(s) : METIS_ERROR_MEMORY;
    if (status == METIS_OK)
        status = cp_status(cleave_target_create(&s->target, (int32_t)q->nparts, NULL, NULL));
    return make_bounds(s, status);
}

/* ---- The current partition --------------------------------------------------------- */

/* With numbering from 1, ParMETIS differs from its manual: it reads part from 0, but returns
 * it from 1. Both are accepted; the numbers count from 0 if one of them is 0. */
static idx_t base_of_parts(const search *s, const idx_t *part)
{
    const cp_question *q = s->question;
    int64_t least = q->numbering;
    for (int64_t v = 0; v < q->own; v++)
        least = part[v] < least ? part[v] : least;
    return cp_min(s->ranks, least) == 0 ? 0 : q->numbering;
}

/* Parts that no longer exist become one additional part, which all vertices must leave. */
static int fill_old(search *s, const idx_t *part, int32_t *nold)
{
    const cp_question *q = s->question;
    idx_t base = q->coupled ? 0 : base_of_parts(s, part);
    int64_t least = 0, most = 0;
    for (int64_t v = 0; v < q->own; v++) {
        int64_t old = q->coupled ? s->ranks->rank : (int64_t)part[v] - base;
        old = old > q->nparts ? q->nparts : old;
        least = old < least ? old : least;
        most = old > most ? old : most;
        s->part[v] = (int32_t)old;
    }
    *nold = (int32_t)(q->nparts + (cp_max(s->ranks, most) >= q->nparts));
    return cp_min(s->ranks, least) < 0 ? METIS_ERROR_INPUT : METIS_OK;
}

/* ParMETIS minimizes itr * cut + migration. */
static int remap(search *s, const idx_t *part)
{
    cleave_remap_options opt;
    int32_t nold;
    int status = fill_old(s, part, &nold);
    if (status != METIS_OK)
        return status;
    cleave_remap_options_init(&opt, sizeof opt);
    opt.migration_price =
        ldexp(1 / s->question->itr, s->graph.size_halvings - s->graph.edge_halvings);
    opt.options = &s->options;
    return cp_status(
        cleave_mpi_remap(s->part, s->graph.g, s->part, nold, s->target, &opt, NULL));
}

/* ---- Results ----------------------------------------------------------------------- */

/* A sum in which each word has capacity for 2^31 summands. */
typedef struct wide {
    int64_t high, low;
} wide;

static void add(wide *sum, int64_t value)
{
    sum->high += value >> 32;
    sum->low += value & 0xffffffff;
}

static idx_t half_of(const wide *sum)
{
    int64_t high = sum->high + (sum->low >> 32);
    if (high > INT32_MAX)
        return IDX_MAX;
    int64_t half = (high << 32 | (sum->low & 0xffffffff)) / 2;
    return half > IDX_MAX ? IDX_MAX : (idx_t)half;
}

static void cut_by_view(const search *s, wide *twice)
{
    const cleave_mpi_local *view = &s->view;
    for (int32_t v = 0; v < view->nlocal; v++)
        for (int64_t i = view->xadj[v]; i < view->xadj[v + 1]; i++)
            if (s->part[v] != s->part[view->adj[i]])
                add(twice, view->ewgt ? view->ewgt[i] : 1);
}

static int32_t part_of(const search *s, int64_t v)
{
    const cleave_mpi_local *view = &s->view;
    if (v >= s->question->begin && v < s->question->begin + view->nlocal)
        return s->part[v - s->question->begin];
    int32_t low = 0, high = view->nghost - 1; /* it is present */
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (view->ghost[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return s->part[view->nlocal + low];
}

/* Where weights had to be divided, the cut is computed in the caller's weights. */
static void cut_by_caller(const search *s, wide *twice)
{
    const cp_question *q = s->question;
    for (int64_t v = 0; v < q->own; v++)
        for (int64_t i = q->xadj[v] - q->numbering; i < q->xadj[v + 1] - q->numbering; i++)
            if (s->part[v] != part_of(s, (int64_t)q->adjncy[i] - q->numbering))
                add(twice, q->adjwgt[i]);
}

static int find_cut(const search *s, idx_t *cut)
{
    wide twice = {0, 0};
    cleave_status status = cleave_mpi_exchange(s->graph.g, s->part, sizeof *s->part, NULL);
    if (status != CLEAVE_OK)
        return cp_status(status);
    if (s->graph.edge_halvings > 0)
        cut_by_caller(s, &twice);
    else
        cut_by_view(s, &twice);
    int64_t words[] = {twice.high, twice.low};
    cp_sum_all(s->ranks, words, 2);
    *cut = half_of(&(wide){words[0], words[1]});
    return METIS_OK;
}

static int map(search *s)
{
    const cp_question *q = s->question;
    int status = cp_status(cleave_mpi_map(s->part, s->graph.g, s->target, &s->options, NULL));
    if (status == METIS_OK && q->nparts == s->ranks->size && !s->shares)
        status = cp_rename_parts(s->ranks, s->part, q->own);
    return status;
}

static int answer_question(search *s, const cp_call *call)
{
    idx_t cut = 0;
    int status = open_question(s);
    if (status == METIS_OK)
        status = s->question->remap ? remap(s, call->part) : map(s);
    if (status == METIS_OK)
        status = find_cut(s, &cut);
    if (status != METIS_OK)
        return status;
    for (int64_t v = 0; v < s->question->own; v++)
        call->part[v] = s->part[v] + s->question->numbering;
    *call->edgecut = cut;
    return METIS_OK;
}

int cp_partition_ranks(const cp_call *call, const cp_ranks *ranks)
{
    cp_question question;
    search s = {.question = &question, .ranks = ranks};
    int status = cp_question_read(&question, ranks, call);
    if (status == METIS_OK)
        status = answer_question(&s, call);
    cleave_target_free(s.target);
    cp_graph_close(&s.graph);
    cp_free(s.shares);
    cp_free(s.max);
    cp_free(s.part);
    return status;
}

int cp_partition(const cp_call *call, const MPI_Comm *comm)
{
    cp_ranks ranks;
    int status = cp_ranks_open(&ranks, comm);
    if (status != METIS_OK)
        return status;
    status = cp_partition_ranks(call, &ranks);
    cp_ranks_close(&ranks);
    return status;
}
