/* SPDX-License-Identifier: Apache-2.0 */
/* refine/placement/placement_anneal.c - simulated annealing of a placement [Kirkpatrick,
 * Gelatt, Vecchi 1983; for quadratic assignment Burkard, Rendl 1984].
 *
 * A trial takes a random item and a place near one of its neighbours, or sometimes any place.
 * A swap with a loss is made when the loss is below the temperature times an exponential
 * random number, which is equivalent to the Metropolis rule.  The number is drawn from a
 * table, so that the result does not depend on the exponential function of a C library.
 * Temperatures fall geometrically from a level at which far places are exchanged to one at
 * which only the nearest places are. */
#include <string.h>

#include "refine/placement/placement_search.h"

enum {
    sampled = 500, /* pairs of places whose mean distance sets the temperature */
    steps = 200,   /* temperatures */
    drawn = 256,   /* entries of the table */
    tries_between_clocks = 4096
};

/* Multiples of the cost of an item of mean weight for the mean distance, and for the least. */
static const double hot = 0.2, cold = 0.1;

typedef struct furnace {
    const clv_seats *x;
    clv_seating *s;
    clv_rng rng;
    double waiting[drawn]; /* -ln((k + 1/2) / drawn) */
    int64_t turns;
} furnace;

/* -ln(x) for 0 < x <= 1 from the series of artanh; additions, multiplications, divisions. */
static double minus_ln(double x)
{
    static const double ln2 = 0.69314718055994530942;
    double sum = 0;
    for (; x < 0.70710678; x *= 2)
        sum += ln2;
    double z = (1 - x) / (1 + x), power = z;
    for (int k = 1; k < 20; k += 2, power *= z * z)
        sum += 2 * power / k;
    return sum;
}

/* An exponential random number of mean 1. */
static double draw(furnace *f, uint32_t bits)
{
    double more = 0;
    uint32_t k = bits % drawn;
    for (; k == 0; more += f->waiting[0] - minus_ln(0.5))
        k = clv_rng_below(&f->rng, drawn);
    return more + f->waiting[k];
}

/* Draws a pair of items that can change places, or returns false. */
static bool pick_pair(furnace *f, uint64_t bits, int32_t *i, int32_t *j)
{
    const clv_seats *x = f->x;
    const clv_seating *s = f->s;
    *i = x->mover[((bits & 0xffffffff) * (uint64_t)x->nmovers) >> 32];
    int32_t place;
    if ((bits >> 60) == 0) {
        place = (int32_t)clv_rng_below(&f->rng, (uint32_t)x->n);
    } else {
        uint64_t degree = (uint64_t)(x->xadj[*i + 1] - x->xadj[*i]);
        uint64_t pick = degree <= 65536 ? (((bits >> 32) & 0xffff) * degree) >> 16
                                        : clv_rng_u64(&f->rng) % degree;
        int32_t u = x->adj[x->xadj[*i] + (int64_t)pick];
        int32_t k = (int32_t)((((bits >> 48) & 0xfff) * (uint64_t)x->nnear) >> 12);
        place = x->near[(int64_t)s->at[u] * x->nnear + k];
    }
    *j = s->item[place];
    return clv_seats_may_swap(x, s->at, *i, *j);
}

/* The mean edge weight of an item. */
static double mean_weight(const clv_seats *x)
{
    double sum = 0;
    for (int64_t a = 0; a < x->xadj[x->n]; a++)
        sum += (double)x->weight[a];
    return sum / x->nmovers;
}

/* The mean distance of two places. */
static double mean_distance(furnace *f)
{
    double sum = 0;
    uint32_t n = (uint32_t)f->x->n;
    for (int k = 0; k < sampled; k++) {
        int32_t p = (int32_t)clv_rng_below(&f->rng, n);
        sum += (double)clv_seats_distance(f->x, p, (int32_t)clv_rng_below(&f->rng, n));
    }
    return sum / sampled;
}

/* The mean distance to the nearest place. */
static double near_distance(const clv_seats *x)
{
    double sum = 0;
    for (int32_t p = 0; p < x->n; p++)
        sum += (double)clv_seats_distance(x, p, x->near[(int64_t)p * x->nnear]);
    return sum / x->n;
}

static void try_swaps(furnace *f, int64_t tries, double temperature)
{
    int32_t i, j;
    for (int64_t k = 0; k < tries; k++) {
        uint64_t bits = clv_rng_u64(&f->rng);
        if (!pick_pair(f, bits, &i, &j))
            continue;
        int64_t gain = clv_seats_gain(f->x, f->s->at, i, j);
        if (gain < 0 &&
            (double)-gain > temperature * draw(f, (uint32_t)(clv_hash64(bits) >> 32)))
            continue;
        clv_seating_swap(f->s, i, j);
        f->s->cost -= gain;
    }
}

/* The cooling factor: reaches cold from hot in `steps` steps; found by bisection. */
static double cooling(double ratio)
{
    double low = 0.5, high = 1;
    for (int k = 0; k < 60; k++) {
        double middle = (low + high) / 2, power = 1;
        for (int step = 1; step < steps; step++)
            power *= middle;
        if (power < ratio)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static void cool_down(furnace *f, int64_t tries, double heat, clv_context *ctx)
{
    double weight = mean_weight(f->x), temperature = hot * heat * weight * mean_distance(f);
    double end = cold * weight * near_distance(f->x);
    double factor = cooling(end < temperature ? end / temperature : 1);
    for (int step = 0; step < steps; step++, temperature *= factor)
        for (int64_t left = tries / steps; left > 0; left -= tries_between_clocks) {
            try_swaps(f, left < tries_between_clocks ? left : tries_between_clocks,
                      temperature);
            if (clv_context_stop(ctx))
                return;
        }
}

void clv_seating_anneal(const clv_seats *x, clv_seating *s, int32_t tries, double heat,
                        clv_rng *rng, clv_context *ctx)
{
    if (x->nmovers == 0 || x->n < 2)
        return;
    furnace f = {.x = x, .s = s, .rng = *rng};
    for (int k = 0; k < drawn; k++)
        f.waiting[k] = minus_ln((k + 0.5) / drawn);
    cool_down(&f, (int64_t)tries * x->nmovers, heat, ctx);
    *rng = f.rng;
}
