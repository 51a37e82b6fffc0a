/* SPDX-License-Identifier: Apache-2.0 */
/* evaluate/balance.c - part weights against their shares (graph/share.c):
 *
 *     imbalance = max over parts and constraints of weight / share - 1
 *
 * No weight of a part can overflow: 2^31 vertices of at most 2^31-1 each. */
#include "evaluate/evaluate.h"

/* Compares one constraint of every used part with its share. */
static void compare(const clv_share_rule *rule, const clv_used_parts *used,
                    const int64_t *weight, int32_t ncon, double eps, clv_balance *balance)
{
    int64_t total = 0;
    for (int32_t i = 0; i < used->count; i++)
        total += weight[(int64_t)i * ncon];
    for (int32_t i = 0; i < used->count; i++) {
        int32_t p = used->label ? used->label[i] : i;
        int64_t w = weight[(int64_t)i * ncon];
        if (w == 0)
            continue; /* fits any bound, and some other part has at least its share */
        double excess = (double)w / clv_share_of(rule, total, p) - 1;
        if (excess > balance->imbalance)
            balance->imbalance = excess;
        if (w > clv_share_bound(rule, total, p, eps))
            balance->balanced = false;
    }
}

enum {
    grain = 1 << 14,   /* vertices; fewer are added on one thread */
    few_weights = 1024 /* as many are summed on the stack */
};

typedef struct weighing {
    const clv_graph *g;
    const clv_used_parts *used;
    int64_t *weight; /* by part * ncon */
    int32_t *count;  /* by part: vertices */
} weighing;

static void add_range(const weighing *w, int64_t begin, int64_t end, int64_t *weight,
                      int32_t *count)
{
    const clv_graph *g = w->g;
    for (int64_t v = begin; v < end; v++) {
        int32_t p = w->used->part[v];
        count[p]++;
        for (int32_t c = 0; c < g->ncon; c++)
            weight[(int64_t)p * g->ncon + c] += clv_graph_vwgt(g, (int32_t)v, c);
    }
}

/* Sums a range in local arrays, then adds these to the totals: sums of integers do not
 * depend on the order. */
static void weigh_range(void *context, int64_t begin, int64_t end, int member)
{
    const weighing *w = context;
    int64_t weight[few_weights] = {0}, places = (int64_t)w->used->count * w->g->ncon;
    int32_t count[few_weights] = {0};
    (void)member;
    add_range(w, begin, end, weight, count);
    for (int64_t i = 0; i < places; i++)
        if (weight[i] != 0)
            __atomic_fetch_add(&w->weight[i], weight[i], __ATOMIC_RELAXED);
    for (int32_t p = 0; p < w->used->count; p++)
        if (count[p] != 0)
            __atomic_fetch_add(&w->count[p], count[p], __ATOMIC_RELAXED);
}

/* Returns the number of parts with vertices. */
static int32_t weigh(weighing *w, clv_team *team)
{
    int32_t nonempty = 0;
    if (clv_team_size(team) > 1 && w->g->ncon > 0 &&
        (int64_t)w->used->count * w->g->ncon <= few_weights)
        clv_parallel_for(team, w->g->nvtx, grain, weigh_range, w);
    else
        add_range(w, 0, w->g->nvtx, w->weight, w->count);
    for (int32_t p = 0; p < w->used->count; p++)
        nonempty += w->count[p] > 0;
    return nonempty;
}

static void find_extremes(const clv_used_parts *used, int32_t nparts, int32_t ncon,
                          const int64_t *weight, clv_balance *balance)
{
    /* Parts that are not in `used` have weight 0. */
    int64_t least = used->count < nparts || nparts == 0 ? 0 : INT64_MAX, most = 0;
    for (int32_t i = 0; i < used->count; i++) {
        int64_t w = weight[(int64_t)i * ncon];
        least = w < least ? w : least;
        most = w > most ? w : most;
    }
    balance->min_weight = least;
    balance->max_weight = most;
}

static void copy_weights(const clv_used_parts *used, int32_t nparts, int32_t ncon,
                         const int64_t *from, int64_t *to)
{
    for (int64_t i = 0; i < (int64_t)nparts * ncon; i++)
        to[i] = 0;
    for (int32_t i = 0; i < used->count; i++) {
        int64_t p = used->label ? used->label[i] : i;
        for (int32_t c = 0; c < ncon; c++)
            to[p * ncon + c] = from[(int64_t)i * ncon + c];
    }
}

void clv_evaluate_weights(const clv_share_rule *rule, const clv_used_parts *used, int32_t ncon,
                          const int64_t *weight, double eps, clv_balance *balance)
{
    *balance = (clv_balance){.balanced = true};
    for (int32_t c = 0; c < ncon; c++)
        compare(rule, used, weight + c, ncon, eps, balance);
    find_extremes(used, rule->nparts, ncon, weight, balance);
}

/* The weights of the parts in use, from ws: used->count * ncon. */
static cleave_status sum_weights(const clv_parted_graph *p, clv_team *team, clv_ws *ws,
                                 clv_used_parts *used, int64_t **sums, int32_t *empty_parts,
                                 cleave_error *err)
{
    const clv_graph *g = p->g;
    CLV_TRY(clv_evaluate_used_parts(g->nvtx, p->nparts, p->part, ws, used, err));
    /* At most 2^31 parts of 2^31 constraints: the count fits, the bytes are checked. */
    *sums = clv_ws_zalloc(ws, (int64_t)used->count * g->ncon, sizeof **sums);
    int32_t *count = clv_ws_zalloc(ws, used->count, sizeof *count);
    if (!*sums || !count)
        return clv_fail_memory(err);
    weighing w = {g, used, *sums, count};
    *empty_parts = p->nparts - weigh(&w, team);
    return CLEAVE_OK;
}

cleave_status clv_evaluate_part_weights(const clv_parted_graph *p, clv_team *team, clv_ws *ws,
                                        int64_t *weight, int32_t *empty_parts,
                                        cleave_error *err)
{
    clv_used_parts used;
    int64_t *sums;
    clv_ws_mark mark = clv_ws_save(ws);
    CLV_TRY(sum_weights(p, team, ws, &used, &sums, empty_parts, err));
    copy_weights(&used, p->nparts, p->g->ncon, sums, weight);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

cleave_status clv_evaluate_balance(const clv_parted_graph *p, const double *shares, double eps,
                                   clv_ws *ws, clv_balance *balance, cleave_error *err)
{
    clv_used_parts used;
    int64_t *sums;
    int32_t empty_parts;
    clv_ws_mark mark = clv_ws_save(ws);
    clv_share_rule rule = clv_share_rule_make(shares, p->nparts, 1);
    CLV_TRY(sum_weights(p, NULL, ws, &used, &sums, &empty_parts, err));
    clv_evaluate_weights(&rule, &used, p->g->ncon, sums, eps, balance);
    balance->empty_parts = empty_parts;
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

void clv_balance_report(const clv_balance *balance, int32_t nparts, cleave_metrics *out)
{
    out->parts = nparts;
    out->empty_parts = balance->empty_parts;
    out->imbalance = balance->imbalance;
    out->balanced = balance->balanced;
    out->min_weight = balance->min_weight;
    out->max_weight = balance->max_weight;
}
