/* SPDX-License-Identifier: Apache-2.0 */
/* graph/share.c - the target weight of a part and its upper bound.
 *
 *     share of part p = total * s_p / sum of s      (total / nparts if all are equal)
 *     bound of part p = floor((1 + eps) * ceil(share))
 *
 * The bound is an integer and must not change by one through rounding, although 0.29 and 0.7
 * have no exact double:
 *   ceil(share)  exact if shares are equal. Otherwise a quotient of doubles with an error
 *                of about total * 2^-52: if it is at most total * 2^-50 above an integer,
 *                it is that integer (70% of 100 is 70, not 71), but the tolerance is so
 *                small that the bounds of all parts never add up to less than the total.
 *   (1 + eps)*c  computed as c + eps * c, c an integer: only eps * c is rounded, up to the
 *                next integer if a relative 2^-50 below it (0.29 * 100 is 29, not 28).
 * Beyond 2^50 a double eps or share does not determine the last unit; equal shares with eps 0
 * are exact in any case. */
#include "graph/share.h"

#include <math.h>

static double size_of(const clv_share_rule *rule, int32_t p)
{
    return rule->shares[(int64_t)p * rule->stride];
}

clv_share_rule clv_share_rule_make(const double *shares, int32_t nparts, int32_t stride)
{
    clv_share_rule rule = {shares, nparts, stride, 0, nparts};
    double largest = 0, lost = 0;
    if (!shares)
        return rule;
    for (int32_t p = 0; p < nparts; p++)
        if (size_of(&rule, p) > largest)
            largest = size_of(&rule, p);
    frexp(largest, &rule.exponent);
    rule.sum = 0;
    /* Compensated summation [Kahan 1965]: a million shares would otherwise lose twenty bits.
     */
    for (int32_t p = 0; p < nparts; p++) {
        double term = ldexp(size_of(&rule, p), -rule.exponent) - lost;
        double next = rule.sum + term;
        lost = (next - rule.sum) - term;
        rule.sum = next;
    }
    return rule;
}

double clv_share_of(const clv_share_rule *rule, int64_t total, int32_t p)
{
    double size = rule->shares ? ldexp(size_of(rule, p), -rule->exponent) : 1;
    return (double)total * size / rule->sum;
}

static int64_t to_i64(double x)
{
    return x < 0x1p63 ? (int64_t)x : INT64_MAX;
}

static int64_t share_rounded_up(const clv_share_rule *rule, int64_t total, int32_t p)
{
    if (!rule->shares)
        return total / rule->nparts + (total % rule->nparts != 0);
    if (size_of(rule, p) == 0 || total == 0)
        return 0;
    /* A positive share that rounds to 0 still gives the bound 1. */
    double share = clv_share_of(rule, total, p), whole = floor(share);
    double slack = fmin((double)total * 0x1p-50, 0.5 / rule->nparts);
    return to_i64(whole >= 1 && share - whole <= slack ? whole : whole + 1);
}

int64_t clv_share_bound(const clv_share_rule *rule, int64_t total, int32_t p, double eps)
{
    int64_t rounded = share_rounded_up(rule, total, p), bound;
    double extra = eps * (double)rounded, whole = ceil(extra);
    if (whole - extra > extra * 0x1p-50)
        whole -= 1;
    return clv_add_i64(rounded, to_i64(whole), &bound) ? bound : INT64_MAX;
}
