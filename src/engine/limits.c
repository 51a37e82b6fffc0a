/* SPDX-License-Identifier: Apache-2.0 */
/* engine/limits.c - shares and bounds of the parts, see engine/limits.h. */
#include "engine/limits.h"

#include <math.h>

#include "base/compare.h"

/* ---- What the caller gave ------------------------------------------------------------- */

static cleave_status check_shares(const double *shares, int32_t nparts, int32_t ncon,
                                  cleave_error *err)
{
    for (int32_t c = 0; c < ncon; c++) {
        bool positive = false;
        for (int32_t p = 0; p < nparts; p++) {
            double share = shares[(int64_t)p * ncon + c];
            if (!(share >= 0) || !isfinite(share))
                return clv_fail(err, CLEAVE_EINVAL,
                                "the share of part %ld is not a number >= 0", (long)p);
            positive = positive || share > 0;
        }
        if (!positive && ncon == 1)
            return clv_fail(err, CLEAVE_EINVAL, "the shares of all parts are 0");
        if (!positive)
            return clv_fail(err, CLEAVE_EINVAL, "the shares of weight %ld are all 0",
                            (long)c + 1);
    }
    return CLEAVE_OK;
}

static cleave_status check_imbalance(const double *imbalance, int32_t nparts,
                                     cleave_error *err)
{
    for (int32_t p = 0; p < nparts; p++)
        if (!(imbalance[p] >= 0) || !isfinite(imbalance[p]))
            return clv_fail(err, CLEAVE_EINVAL,
                            "the imbalance allowed for part %ld is not a number >= 0",
                            (long)p);
    return CLEAVE_OK;
}

static cleave_status check_bounds(const int64_t *bound, int32_t nparts, int32_t ncon,
                                  const char *which, cleave_error *err)
{
    for (int64_t i = 0; bound && i < (int64_t)nparts * ncon; i++)
        if (bound[i] < -1)
            return clv_fail(err, CLEAVE_EINVAL,
                            "%s of part %ld is %lld, which is not a valid weight", which,
                            (long)(i / ncon), (long long)bound[i]);
    return CLEAVE_OK;
}

static cleave_status check_given(const cleave_constraints *given, int32_t nparts, int32_t ncon,
                                 cleave_error *err)
{
    if (given->shares)
        CLV_TRY(check_shares(given->shares, nparts, ncon, err));
    if (given->imbalance)
        CLV_TRY(check_imbalance(given->imbalance, nparts, err));
    CLV_TRY(check_bounds(given->min, nparts, ncon, "min", err));
    return check_bounds(given->max, nparts, ncon, "max", err);
}

/* ---- Bounds --------------------------------------------------------------------------- */

clv_share_rule clv_limits_rule(const clv_limits *limits, int32_t con)
{
    if (limits->stride == 0)
        return clv_share_rule_make(limits->shares, limits->npes, 1);
    return clv_share_rule_make(limits->shares + con, limits->npes, limits->stride);
}

/* Clips bounds to the total weight.  This changes nothing: no part weighs more, and a lower
 * bound of total + 1 cannot be met either.  Sums and differences of bounds and weights then
 * fit whatever imbalance and bounds the caller gives. */
static int64_t clip_min(int64_t given, int64_t total)
{
    return given < 0 ? 0 : clv_smaller64(given, total + 1);
}

static int64_t clip_max(const int64_t *min, int64_t i, int64_t bound, int64_t total)
{
    int64_t most = total > 0 ? total : 1;
    return clv_smaller64(bound, min && min[i] > most ? min[i] : most);
}

/* A part without a share stays empty even if it was given a bound.  counted: the number of
 * vertices if all weights of all constraints are 0; otherwise 0. */
static void bound_one(const clv_limits *limits, const clv_bounds_arrays *to,
                      const clv_weight_demands *demands, int32_t con, int32_t counted)
{
    const cleave_constraints *given = demands->given;
    clv_share_rule rule = clv_limits_rule(limits, con);
    int64_t total = limits->total[con], aim = counted > 0 ? counted : total;
    for (int32_t p = 0; p < limits->bounds.nparts; p++) {
        int64_t i = (int64_t)p * limits->bounds.ncon + con;
        double slack = given->imbalance ? given->imbalance[p] : demands->imbalance;
        to->share[i] = clv_share_of(&rule, aim, p);
        to->max[i] = clv_share_bound(&rule, total, p, slack);
        /* If all weights are 0, only parts without a share stay empty. */
        bool has_share = clv_share_of(&rule, 1, p) > 0;
        if (total == 0 && has_share)
            to->max[i] = 1;
        if (to->min)
            to->min[i] = clip_min(given->min[i], total);
        if (given->max && given->max[i] >= 0 && has_share)
            to->max[i] = given->max[i];
        to->max[i] = clip_max(to->min, i, to->max[i], total);
    }
}

/* Compares the caller's own numbers, so that the message names them. */
static cleave_status check_order(const clv_bounds *b, const cleave_constraints *given,
                                 cleave_error *err)
{
    for (int64_t i = 0; b->min && i < clv_bounds_places(b); i++) {
        bool both = given->max && given->max[i] >= 0 && b->max[i] > 0;
        int64_t max = both ? given->max[i] : b->max[i];
        if ((both ? given->min[i] : b->min[i]) > max)
            return clv_fail(err, CLEAVE_EINVAL,
                            "part %ld must weigh at least %lld, but may weigh at most %lld",
                            (long)(i / b->ncon), (long long)given->min[i], (long long)max);
    }
    return CLEAVE_OK;
}

/* The caller's bounds may exclude the shares.  Chooses the nearest targets between the bounds
 * whose sum is still the total. */
static void fit_shares(const clv_bounds *b, int32_t con, int64_t total, double *share)
{
    double missing = (double)total, above = 0, below = 0;
    int64_t last = clv_bounds_places(b);
    for (int64_t i = con; i < last; i += b->ncon) {
        double low = b->min ? (double)b->min[i] : 0, high = (double)b->max[i];
        share[i] = fmax(low, fmin(high, share[i]));
        missing -= share[i];
        above += high - share[i];
        below += share[i] - low;
    }
    double room = missing > 0 ? above : below;
    double part = room > 0 ? fmin(1, fabs(missing) / room) : 0;
    for (int64_t i = con; i < last; i += b->ncon) {
        double low = b->min ? (double)b->min[i] : 0, high = (double)b->max[i];
        share[i] += missing > 0 ? part * (high - share[i]) : part * (low - share[i]);
    }
}

static void weigh_all(const clv_graph *g, int64_t *total)
{
    bool weighted = clv_weights_any(clv_graph_vwgts(g));
    for (int32_t c = 0; c < g->ncon; c++)
        total[c] = weighted ? 0 : g->nvtx;
    for (int32_t v = 0; weighted && v < g->nvtx; v++)
        for (int32_t c = 0; c < g->ncon; c++)
            total[c] += clv_graph_vwgt(g, v, c);
}

/* Identical PEs need no arrays for more than one PE per vertex. */
static int32_t parts_to_look_at(const clv_graph *g, const clv_target *t,
                                const clv_limits *limits, const cleave_constraints *given)
{
    bool alike = clv_target_is_flat(t) && !limits->shares && !given->imbalance &&
                 !given->min && !given->max;
    bool named = given->fixed || given->start;
    if (!alike || named || limits->npes <= g->nvtx)
        return limits->npes;
    return g->nvtx > 0 ? g->nvtx : 1;
}

bool clv_shares_of_idle(const clv_target *t, const double *shares, int32_t ncon)
{
    for (int64_t i = 0; i < (int64_t)t->npes * ncon; i++)
        if (shares[i] > 0 && clv_target_speed_of(t, (int32_t)(i / ncon)) == 0)
            return true;
    return false;
}

cleave_status clv_shares_mask(double *to, const clv_target *t, const double *shares,
                              int32_t ncon, cleave_error *err)
{
    for (int64_t i = 0; i < (int64_t)t->npes * ncon; i++)
        to[i] = clv_target_speed_of(t, (int32_t)(i / ncon)) > 0 ? shares[i] : 0;
    return check_shares(to, t->npes, ncon, err);
}

static cleave_status take_shares(clv_limits *limits, const clv_target *t, const double *shares,
                                 int32_t ncon, clv_ws *ws, cleave_error *err)
{
    limits->shares = shares;
    limits->stride = ncon;
    if (!clv_shares_of_idle(t, shares, ncon))
        return CLEAVE_OK;
    double *masked = clv_ws_alloc(ws, (int64_t)t->npes * ncon, sizeof *masked);
    if (!masked)
        return clv_fail_memory(err);
    limits->shares = masked;
    return clv_shares_mask(masked, t, shares, ncon, err);
}

cleave_status clv_limits_make(clv_limits *limits, const clv_graph *g, const clv_target *t,
                              const clv_weight_demands *demands, clv_ws *ws, cleave_error *err)
{
    const cleave_constraints *constraints = demands->given;
    CLV_TRY(check_given(constraints, t->npes, g->ncon, err));
    *limits = (clv_limits){.npes = t->npes, .shares = clv_target_shares(t)};
    if (constraints->shares)
        CLV_TRY(take_shares(limits, t, constraints->shares, g->ncon, ws, err));
    limits->total = clv_ws_alloc(ws, g->ncon, sizeof *limits->total);
    if (!limits->total)
        return clv_fail_memory(err);
    clv_bounds_arrays made;
    CLV_TRY(clv_bounds_alloc(&limits->bounds, &made,
                             parts_to_look_at(g, t, limits, constraints), g->ncon,
                             constraints->min != NULL, ws, err));
    weigh_all(g, limits->total);
    int32_t counted = g->nvtx;
    for (int32_t c = 0; c < g->ncon; c++)
        counted = limits->total[c] > 0 ? 0 : counted;
    for (int32_t c = 0; c < g->ncon; c++)
        bound_one(limits, &made, demands, c, counted);
    CLV_TRY(check_order(&limits->bounds, constraints, err));
    for (int32_t c = 0; c < g->ncon && (constraints->min || constraints->max); c++)
        fit_shares(&limits->bounds, c, limits->total[c], made.share);
    return CLEAVE_OK;
}
