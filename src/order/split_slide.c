/* SPDX-License-Identifier: Apache-2.0 */
/* order/split_slide.c - moves the cuts of an order together to places with few crossings, by
 * dynamic programming.
 *
 * A single cut can move no farther than the slack of its two neighbours; if all cuts move a
 * little in the same direction, those in the middle move far.  A run of cuts between two fixed
 * ones is therefore moved at once: each has a few candidates, the places with the fewest
 * crossings in the stretches of its window.  Dynamic programming from left to right finds the
 * cheapest choice of one candidate per cut that keeps every bound.  Runs overlap, so that
 * every cut is once in the middle of a run.  All memory is on the stack. */
#include "order/cutter.h"

enum {
    most_cuts = 48,      /* of a run */
    overlap = 8,         /* PEs shared with the next run */
    most_stretches = 16, /* per window */
    few_stretches = 5,   /* per window with many PEs */
    many_pes = 128,
    most_looks = 1 << 17, /* crossings read in total */
    least_reach = 32      /* places that a cut may move */
};

typedef struct candidate {
    int32_t place;
    uint8_t from; /* candidate of the previous cut */
    int64_t cost; /* of this cut and the previous ones; -1: infeasible */
} candidate;

typedef struct run {
    clv_cutter *c;
    int32_t stretches, reach;
    int32_t count;             /* number of its PEs: one more than cuts */
    int32_t pe[most_cuts + 1]; /* busy PEs along the order */
    int64_t bound[most_cuts + 1];
    int32_t left, right; /* its first place and end */
    int32_t ncandidates[most_cuts];
    candidate at[most_cuts][most_stretches + 1];
} run;

/* Collects the busy PEs from the i-th of the sequence on.  Returns the start of the next
 * run. */
static int32_t gather(run *r, int32_t i)
{
    clv_cutter *c = r->c;
    for (r->count = 0; i < c->npes && r->count <= most_cuts; i++) {
        int32_t pe = clv_cutter_pe(c, i);
        if (!clv_cutter_is_busy(c, pe))
            continue;
        r->bound[r->count] = clv_cutter_bound(c, pe);
        r->pe[r->count++] = pe;
    }
    r->left = c->begin[r->pe[0]];
    r->right = c->end[r->pe[r->count - 1]];
    return i;
}

/* The place with the fewest crossings in each stretch of [low, high], and the current
 * place. */
static void choose_candidates(run *r, int32_t cut, int32_t low, int32_t high)
{
    const int64_t *crossing = r->c->o->crossing;
    int32_t now = r->c->end[r->pe[cut]], length = (high - low) / r->stretches + 1, count = 0;
    candidate *at = r->at[cut];
    bool has_now = false;
    for (int32_t first = low; first <= high; first += length) {
        int32_t last = clv_smaller(first + length - 1, high), best = first;
        for (int32_t p = first + 1; p <= last; p++)
            if (crossing[p] < crossing[best])
                best = p;
        has_now = has_now || best == now;
        at[count++].place = best;
    }
    if (!has_now)
        at[count++].place = now;
    r->ncandidates[cut] = count;
}

/* The window of each cut: the range that the sums of bounds to its left and right allow. */
static void open_windows(run *r)
{
    clv_cutter *c = r->c;
    int64_t most = clv_cutter_before(c, r->left), least[most_cuts + 1];
    /* Sums of bounds are clamped to 0 and the total, because they could overflow. */
    least[r->count - 1] = clv_cutter_before(c, r->right);
    for (int32_t i = r->count - 1; i > 0; i--)
        least[i - 1] = least[i] > r->bound[i] ? least[i] - r->bound[i] : 0;
    for (int32_t cut = 0; cut < r->count - 1; cut++) {
        int32_t now = c->end[r->pe[cut]];
        int32_t low = clv_larger(r->left + 1 + cut, now - r->reach);
        int32_t high = clv_smaller(r->right - (r->count - 1 - cut), now + r->reach);
        most = r->bound[cut] < c->total - most ? most + r->bound[cut] : c->total;
        while (low < now && clv_cutter_before(c, low) < least[cut])
            low = clv_cutter_search(c, low, now, low, least[cut]);
        if (clv_cutter_before(c, high) > most)
            high = clv_larger(now, clv_cutter_search(c, now, high, high, most + 1) - 1);
        choose_candidates(r, cut, clv_smaller(low, now), high);
    }
}

static bool fits(const run *r, int32_t from, int32_t to, int32_t i)
{
    const clv_cutter *c = r->c;
    return from < to && clv_cutter_before(c, to) - clv_cutter_before(c, from) <= r->bound[i];
}

static void find_cheapest(run *r, int32_t cut, candidate *x)
{
    x->cost = -1;
    if (cut == 0 && fits(r, r->left, x->place, 0))
        x->cost = 0;
    for (int32_t j = 0; cut > 0 && j < r->ncandidates[cut - 1]; j++) {
        const candidate *before = &r->at[cut - 1][j];
        if (before->cost >= 0 && (x->cost < 0 || before->cost < x->cost) &&
            fits(r, before->place, x->place, cut)) {
            x->cost = before->cost;
            x->from = (uint8_t)j;
        }
    }
    if (x->cost >= 0)
        x->cost += r->c->o->crossing[x->place];
}

/* Takes the cheapest choice; if there is none, the cuts stay. */
static void shift_cuts(run *r)
{
    int32_t last = r->count - 2, best = -1;
    for (int32_t cut = 0; cut <= last; cut++)
        for (int32_t j = 0; j < r->ncandidates[cut]; j++)
            find_cheapest(r, cut, &r->at[cut][j]);
    for (int32_t j = 0; j < r->ncandidates[last]; j++) {
        const candidate *x = &r->at[last][j];
        if (x->cost >= 0 && fits(r, x->place, r->right, r->count - 1) &&
            (best < 0 || x->cost < r->at[last][best].cost))
            best = j;
    }
    for (int32_t cut = last; cut >= 0 && best >= 0; cut--) {
        const candidate *x = &r->at[cut][best];
        r->c->end[r->pe[cut]] = r->c->begin[r->pe[cut + 1]] = x->place;
        best = x->from;
    }
}

void clv_cutter_slide(clv_cutter *c)
{
    run r = {.c = c};
    r.stretches = c->busy > many_pes ? few_stretches : most_stretches;
    r.reach = clv_larger(least_reach, most_looks / (4 * c->busy));
    for (int32_t first = 0, end = 0; end < c->npes;) {
        end = gather(&r, first);
        if (r.count < 2)
            return;
        open_windows(&r);
        shift_cuts(&r);
        first = clv_larger(first + 1, end - overlap);
    }
}
