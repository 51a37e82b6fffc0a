/* SPDX-License-Identifier: Apache-2.0 */
/* evaluate/balance.c - part weights against their shares.
 *
 *     share of part p = total * s_p / sum of s      (total / nparts when all are equal)
 *     bound of part p = floor((1 + eps) * ceil(share))
 *     imbalance       = max over parts and constraints of weight / share - 1
 *
 * The bound is an integer and must not lose or win one to rounding, though 0.29 and 0.7
 * have no exact double:
 *   ceil(share)  integers when shares are equal.  Otherwise a quotient of doubles that is
 *                off by about total * 2^-52; when it lies no more than total * 2^-50 above
 *                an integer it is that integer (70% of 100 is 70, not 71), but never so
 *                far that the bounds of all parts could add up to less than the total.
 *   (1 + eps)*c  is c + eps * c, c an integer: only eps * c is rounded, and is the next
 *                integer when a relative 2^-50 below it (0.29 * 100 is 29, not 28).
 * Beyond 2^50 a double eps or share does not determine the last unit; equal shares with
 * eps 0 stay exact throughout.
 * No weight of a part can overflow: 2^31 vertices of at most 2^31-1 each. */
#include "evaluate/evaluate.h"

#include <math.h>

/* Relative part sizes scaled to at most 1 by a power of two, which keeps them exact. */
typedef struct share_rule {
    const double *shares; /* NULL: equal */
    int32_t nparts;
    int exponent;
    double sum;
} share_rule;

static share_rule make_rule(const double *shares, int32_t nparts)
{
    share_rule rule = {shares, nparts, 0, nparts};
    double largest = 0, lost = 0;
    if (!shares)
        return rule;
    for (int32_t p = 0; p < nparts; p++)
        if (shares[p] > largest)
            largest = shares[p];
    frexp(largest, &rule.exponent);
    rule.sum = 0;
    /* Compensated [Kahan 1965]: a million shares must not cost twenty bits. */
    for (int32_t p = 0; p < nparts; p++) {
        double term = ldexp(shares[p], -rule.exponent) - lost;
        double next = rule.sum + term;
        lost = (next - rule.sum) - term;
        rule.sum = next;
    }
    return rule;
}

static double share_of(const share_rule *rule, int64_t total, int32_t p)
{
    double size = rule->shares ? ldexp(rule->shares[p], -rule->exponent) : 1;
    return (double)total * size / rule->sum;
}

static int64_t to_i64(double x)
{
    return x < 0x1p63 ? (int64_t)x : INT64_MAX;
}

static int64_t share_rounded_up(const share_rule *rule, int64_t total, int32_t p)
{
    if (!rule->shares)
        return total / rule->nparts + (total % rule->nparts != 0);
    if (rule->shares[p] == 0 || total == 0)
        return 0;
    /* A share above 0 that vanished in the arithmetic still lets one unit in. */
    double share = share_of(rule, total, p), whole = floor(share);
    double slack = fmin((double)total * 0x1p-50, 0.5 / rule->nparts);
    return to_i64(whole >= 1 && share - whole <= slack ? whole : whole + 1);
}

static int64_t bound_of(int64_t rounded_share, double eps)
{
    double extra = eps * (double)rounded_share, whole = ceil(extra);
    if (whole - extra > extra * 0x1p-50)
        whole -= 1;
    int64_t bound;
    return clv_add_i64(rounded_share, to_i64(whole), &bound) ? bound : INT64_MAX;
}

/* Compares one constraint of every used part with its share. */
static void compare(const share_rule *rule, const clv_used_parts *used, const int64_t *weight,
                    int32_t ncon, double eps, clv_balance *balance)
{
    int64_t total = 0;
    for (int32_t i = 0; i < used->count; i++)
        total += weight[(int64_t)i * ncon];
    for (int32_t i = 0; i < used->count; i++) {
        int32_t p = used->label ? used->label[i] : i;
        int64_t w = weight[(int64_t)i * ncon];
        if (w == 0)
            continue; /* fits any bound, and some other part has at least its share */
        double excess = (double)w / share_of(rule, total, p) - 1;
        if (excess > balance->imbalance)
            balance->imbalance = excess;
        if (w > bound_of(share_rounded_up(rule, total, p), eps))
            balance->balanced = false;
    }
}

static int32_t weigh(const clv_graph *g, const clv_used_parts *used, int64_t *weight,
                     uint8_t *occupied)
{
    int32_t nonempty = 0;
    for (int32_t v = 0; v < g->nvtx; v++) {
        int32_t p = used->part[v];
        nonempty += !occupied[p];
        occupied[p] = 1;
        for (int32_t c = 0; c < g->ncon; c++)
            weight[(int64_t)p * g->ncon + c] += clv_graph_vwgt(g, v, c);
    }
    return nonempty;
}

static void find_extremes(const clv_used_parts *used, int32_t nparts, int32_t ncon,
                          const int64_t *weight, clv_balance *balance)
{
    /* Parts outside `used` weigh nothing. */
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

static cleave_status measure(const clv_graph *g, const share_rule *rule, const int32_t *part,
                             double eps, clv_ws *ws, clv_balance *balance, int64_t *weight,
                             cleave_error *err)
{
    clv_used_parts used;
    CLV_TRY(clv_evaluate_used_parts(g->nvtx, rule->nparts, part, ws, &used, err));
    /* At most 2^31 parts of 2^31 constraints: the count fits, the bytes are checked. */
    int64_t *sums = clv_ws_zalloc(ws, (int64_t)used.count * g->ncon, sizeof *sums);
    uint8_t *occupied = clv_ws_zalloc(ws, used.count, sizeof *occupied);
    if (!sums || !occupied)
        return clv_fail_memory(err);
    *balance = (clv_balance){.balanced = true};
    balance->empty_parts = rule->nparts - weigh(g, &used, sums, occupied);
    for (int32_t c = 0; c < g->ncon; c++)
        compare(rule, &used, sums + c, g->ncon, eps, balance);
    find_extremes(&used, rule->nparts, g->ncon, sums, balance);
    if (weight)
        copy_weights(&used, rule->nparts, g->ncon, sums, weight);
    return CLEAVE_OK;
}

cleave_status clv_evaluate_balance(const clv_graph *g, int32_t nparts, const int32_t *part,
                                   const double *shares, double eps, clv_ws *ws,
                                   clv_balance *balance, int64_t *weight, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    share_rule rule = make_rule(shares, nparts);
    cleave_status status = measure(g, &rule, part, eps, ws, balance, weight, err);
    clv_ws_restore(ws, mark);
    return status;
}
