/* SPDX-License-Identifier: Apache-2.0 */
/* order/cheapest.c - which PE comes where on the line, when nobody says.
 *
 * The cuts of PEs of unequal speed are elsewhere in each sequence, and a cut costs next to
 * nothing to make: of the sequence by binpacking and some at random, a few are taken whose
 * cuts cross little, then slid to thin places; the cheapest of these counts.  On meshes, seven
 * to ten PEs of speeds 1 to 10, that is worth a tenth of the cut. */
#include "base/rng.h"
#include "order/split.h"

enum {
    most_pes = 64,
    tries = 24,
    finalists = 3 /* binpacking among them */,
    stage_sequence = 730
};

typedef struct choice {
    const clv_order *o;
    int32_t npes;
    const double *speed;
    int32_t *begin, *end;
} choice;

/* Splits by the i-th sequence; returns the weight of what crosses the cuts, about what they
 * cut. */
static int64_t split_by(const choice *c, int i, double eps)
{
    int32_t sequence[most_pes];
    clv_rng rng = clv_rng_make(0, stage_sequence, 0, (uint64_t)i);
    if (i == 0)
        clv_grouping_sequence(CLV_GROUPING_BINPACKING, c->speed, c->npes, sequence, c->end);
    else
        clv_rng_permutation(&rng, c->npes, sequence);
    clv_split(c->o, c->npes, c->speed, sequence, eps, c->begin, c->end);
    int64_t sum = 0;
    for (int32_t pe = 0; pe < c->npes; pe++)
        sum += c->o->crossing[c->begin[pe]];
    return sum;
}

/* The one of least weight, the first of them; it is out of the game then. */
static int take_least(int64_t *weight)
{
    int best = 0;
    for (int i = 1; i < tries; i++)
        if (weight[i] < weight[best])
            best = i;
    weight[best] = INT64_MAX;
    return best;
}

static void split_cheapest(const choice *c, double eps)
{
    int64_t weight[tries], least = INT64_MAX;
    int best = 0, last = 0;
    for (int i = 1; i < tries; i++)
        weight[i] = split_by(c, i, 0);
    weight[0] = -1;
    for (int i = 0; i < finalists; i++) {
        last = take_least(weight);
        int64_t slid = split_by(c, last, eps);
        if (slid < least)
            best = last;
        least = slid < least ? slid : least;
    }
    if (last != best)
        split_by(c, best, eps);
}

void clv_split_cheapest(const clv_order *o, int32_t npes, const double *speed, double eps,
                        int32_t *begin, int32_t *end)
{
    choice c = {o, npes, speed, begin, end};
    if (speed && o->crossing && npes <= most_pes)
        split_cheapest(&c, eps);
    else
        clv_split_grouped(o, npes, speed, CLV_GROUPING_BINPACKING, eps, begin, end);
}

void clv_split_grouped(const clv_order *o, int32_t npes, const double *speed,
                       clv_grouping grouping, double eps, int32_t *begin, int32_t *end)
{
    enum { most = 8192 };
    int32_t sequence[most];
    bool arranged = speed && grouping != CLV_GROUPING_SIMPLE && npes <= most;
    if (arranged)
        clv_grouping_sequence(grouping, speed, npes, sequence, end);
    clv_split(o, npes, speed, arranged ? sequence : NULL, eps, begin, end);
}
