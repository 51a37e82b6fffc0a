/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/curve_parts.c - partitioning by cutting a space-filling curve: see mpi/curve.h. */
#include <string.h>

#include "graph/share.h"
#include "mpi/curve.h"
#include "mpi/dist_cut.h"
#include "order/split.h"
#include "target/machine.h"

/* The intervals of a curve that the PEs of a target get; arrays by PE, from ws. */
typedef struct intervals {
    const clv_target *t;
    double imbalance;
    clv_ws *ws;
    double *share;     /* target weight of each PE */
    int64_t *even;     /* target weight, rounded up */
    int64_t *max;      /* upper bound on the weight */
    int32_t *sequence; /* PEs along the curve */
    int64_t *begin, *end, *load;
} intervals;

static cleave_status allocate(intervals *k, cleave_error *err)
{
    clv_ws *ws = k->ws;
    int32_t npes = k->t->npes;
    k->share = clv_ws_alloc(ws, npes, sizeof *k->share);
    k->even = clv_ws_alloc(ws, npes, sizeof *k->even);
    k->max = clv_ws_alloc(ws, npes, sizeof *k->max);
    k->sequence = clv_ws_alloc(ws, npes, sizeof *k->sequence);
    k->begin = clv_ws_alloc(ws, npes, sizeof *k->begin);
    k->end = clv_ws_alloc(ws, npes, sizeof *k->end);
    k->load = clv_ws_alloc(ws, npes, sizeof *k->load);
    if (!k->share || !k->even || !k->max || !k->sequence || !k->begin || !k->end || !k->load)
        return clv_fail_memory(err);
    return CLEAVE_OK;
}

/* aim: the total weight, or the number of vertices when the total weight is 0. */
static void find_shares(intervals *k, int64_t aim)
{
    const clv_target *t = k->t;
    clv_share_rule rule = clv_share_rule_make(clv_target_shares(t), t->npes, 1);
    for (int32_t pe = 0; pe < t->npes; pe++) {
        k->share[pe] = clv_share_of(&rule, aim, pe);
        k->max[pe] = clv_share_bound(&rule, aim, pe, k->imbalance);
        if (aim == 0) /* no vertices: any share is correct */
            k->share[pe] = clv_share_of(&rule, 1, pe);
    }
    rule = clv_share_rule_make(k->share, t->npes, 1);
    for (int32_t pe = 0; pe < t->npes; pe++)
        k->even[pe] = clv_share_bound(&rule, aim, pe, 0);
}

/* The PEs of a machine come in the order of its recursive halves; groups have the same weight
 * in that numbering. */
static cleave_status find_sequence(intervals *k, cleave_error *err)
{
    clv_machine machine;
    const clv_target *t = k->t;
    const int32_t *pe_at = NULL;
    double *share = clv_ws_alloc(k->ws, t->npes, sizeof *share);
    int32_t *scratch = clv_ws_alloc(k->ws, t->npes, sizeof *scratch);
    if (!share || !scratch)
        return clv_fail_memory(err);
    if (clv_target_has_distances(t)) {
        CLV_TRY(clv_machine_make(&machine, t, NULL, k->ws, err));
        pe_at = machine.pe;
    }
    for (int32_t i = 0; i < t->npes; i++)
        share[i] = k->share[pe_at ? pe_at[i] : i];
    clv_grouping_sequence(CLV_GROUPING_BINPACKING, share, t->npes, k->sequence, scratch);
    for (int32_t i = 0; pe_at && i < t->npes; i++)
        k->sequence[i] = pe_at[k->sequence[i]];
    return CLEAVE_OK;
}

static bool is_within(const intervals *k)
{
    for (int32_t pe = 0; pe < k->t->npes; pe++)
        if (k->load[pe] > k->max[pe])
            return false;
    return true;
}

/* The cuts of one machine; if these break a bound, the cuts that keep the bounds. */
static cleave_status cut(intervals *k, clv_dist_cut *what, cleave_error *err)
{
    bool bounded;
    size_t bytes = (size_t)what->npes * sizeof *k->begin;
    intervals other = *k;
    other.begin = clv_ws_alloc(k->ws, what->npes, sizeof *other.begin);
    other.end = clv_ws_alloc(k->ws, what->npes, sizeof *other.end);
    CLV_TRY(clv_comm_agree_memory(what->line->comm, other.begin && other.end, err));
    what->bound = k->even;
    CLV_TRY(clv_dist_cut_make(what, k->begin, k->end, k->load, &bounded, err));
    if (is_within(k))
        return CLEAVE_OK;
    what->bound = k->max;
    CLV_TRY(clv_dist_cut_make(what, other.begin, other.end, other.load, &bounded, err));
    if (bounded) {
        memcpy(k->begin, other.begin, bytes);
        memcpy(k->end, other.end, bytes);
    }
    return CLEAVE_OK;
}

/* Fills the PEs of the own places. */
static void read_off(const intervals *k, const clv_dist_line *line, int32_t *pe)
{
    int64_t first = line->first[line->comm->rank], last = first + line->count;
    for (int32_t p = 0; p < k->t->npes; p++) {
        int64_t begin = k->begin[p] > first ? k->begin[p] : first;
        int64_t end = k->end[p] < last ? k->end[p] : last;
        for (int64_t place = begin; place < end; place++)
            pe[place - first] = p;
    }
}

/* *out: the first weights by own place, or NULL when all are 1. */
static cleave_status place_weights(const clv_dist_graph *g, const clv_dist_line *line,
                                   clv_ws *ws, const int32_t **out, cleave_error *err)
{
    *out = NULL;
    if (!g->vwgt)
        return CLEAVE_OK;
    int32_t *own = clv_ws_alloc(ws, g->nlocal, sizeof *own);
    int32_t *placed = clv_ws_alloc(ws, line->count, sizeof *placed);
    CLV_TRY(clv_comm_agree_memory(&g->comm, own && placed, err));
    for (int32_t v = 0; v < g->nlocal; v++)
        own[v] = clv_dist_vwgt(g, v, 0);
    *out = placed;
    return clv_dist_line_send(line, own, sizeof *own, placed, err);
}

static int64_t weigh_all(const clv_dist_graph *g)
{
    int64_t own = 0;
    for (int32_t v = 0; v < g->nlocal; v++)
        own += clv_dist_vwgt(g, v, 0);
    return clv_comm_sum(&g->comm, own);
}

static cleave_status cut_line(intervals *k, const clv_dist_graph *g, const clv_dist_line *line,
                              int32_t *part, cleave_error *err)
{
    clv_dist_cut what = {.line = line, .total = weigh_all(g), .npes = k->t->npes};
    int32_t *pe = clv_ws_alloc(k->ws, line->count, sizeof *pe);
    cleave_status status = allocate(k, err);
    if (status == CLEAVE_OK) {
        find_shares(k, what.total > 0 ? what.total : g->nglobal);
        status = find_sequence(k, err);
    }
    if (status == CLEAVE_OK && !pe)
        status = clv_fail_memory(err);
    CLV_TRY(clv_comm_agree(&g->comm, status, err));
    what.sequence = k->sequence;
    what.share = k->share;
    CLV_TRY(place_weights(g, line, k->ws, &what.weight, err));
    CLV_TRY(cut(k, &what, err));
    read_off(k, line, pe);
    return clv_dist_line_fetch(line, pe, sizeof *pe, part, err);
}

cleave_status clv_dist_curve_parts(const clv_dist_graph *g, clv_curve curve,
                                   const cleave_target *t, double imbalance, int32_t *part,
                                   cleave_error *err)
{
    clv_dist_line line;
    clv_ws ws = {0};
    intervals k = {.t = t, .imbalance = imbalance, .ws = &ws};
    CLV_TRY(clv_dist_curve_line(&line, g, curve, err));
    cleave_status status = cut_line(&k, g, &line, part, err);
    clv_ws_free(&ws);
    clv_dist_line_free(&line);
    return status;
}
