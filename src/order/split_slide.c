/* SPDX-License-Identifier: Apache-2.0 */
/* order/split_slide.c - cuts of a line, shifted together to where little crosses them.
 *
 * One cut alone may go no farther than its two neighbours' slack; but if all go the same way a
 * little, the ones in the middle go far.  So a run of cuts between two that stay is shifted at
 * once: each has a few candidates, the thinnest places of the stretches that its window is
 * divided into, and the cheapest choice of one candidate per cut that keeps every bound is
 * found from left to right (dynamic programming).  Runs overlap, so that every cut has
 * its turn in the midst of others.  What is needed is on the stack. */
#include "order/cutter.h"

enum {
    most_cuts = 48,      /* of a run */
    overlap = 8,         /* PEs of a run that are in the next one, too */
    most_stretches = 16, /* of a window */
    few_stretches = 5,   /* where there are many PEs */
    many_pes = 128,
    most_looks = 1 << 17, /* at crossings, in all */
    least_reach = 32      /* places that a cut may go */
};

typedef struct candidate {
    int32_t place;
    uint8_t from; /* candidate of the cut before */
    int64_t cost; /* of this cut and those before it; -1: cannot be */
} candidate;

typedef struct run {
    clv_cutter *c;
    int32_t stretches, reach;
    int32_t count;             /* of its PEs: one more than cuts */
    int32_t pe[most_cuts + 1]; /* busy ones, along the line */
    int64_t bound[most_cuts + 1];
    int32_t left, right; /* where it begins and ends */
    int32_t ncandidates[most_cuts];
    candidate at[most_cuts][most_stretches + 1];
} run;

/* The busy PEs from the i-th of the sequence on; returns where the next ones begin. */
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

/* The thinnest place of each stretch of [low, high], and the one where the cut is now. */
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

/* The window of each cut: what the bounds to its left and right allow in all. */
static void open_windows(run *r)
{
    clv_cutter *c = r->c;
    int64_t most = clv_cutter_before(c, r->left), least[most_cuts + 1];
    /* Sums of bounds end at nothing and at all, because they need not fit otherwise. */
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

/* Takes the cheapest way; where none is, cuts stay. */
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
