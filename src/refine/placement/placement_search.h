/* SPDX-License-Identifier: Apache-2.0 */
/* refine/placement/placement_search.h - data shared by the searches of
 * refine/placement/placement.h.
 *
 * An empty place gets a dummy item without edges, so that there are as many items as places
 * and every step is a swap of two items. */
#ifndef CLV_REFINE_PLACEMENT_PLACEMENT_SEARCH_H
#define CLV_REFINE_PLACEMENT_PLACEMENT_SEARCH_H

#include "base/rng.h"
#include "refine/placement/placement.h"

enum {
    clv_seats_near = 16,  /* length of the list of nearest places */
    clv_seats_wide = 1024 /* places up to which all pairs are tried */
};

/* The instance; read-only and shared by all searches. */
typedef struct clv_seats {
    const clv_placement *p;
    int32_t n;             /* places, and items */
    const int64_t *xadj;   /* n + 1 */
    const int32_t *adj;    /* without self-loops */
    const int64_t *weight; /* by arc */
    const int32_t *table;  /* distances; NULL: too many places */
    const int32_t *twin;   /* by place: places with equal numbers have equal distances to all
                              others */
    const int32_t *near;   /* n * nnear: the nearest places, ties at random */
    int32_t nnear;
    const int32_t *mover; /* items that can move and have edges */
    int32_t nmovers;
    bool all_fit;     /* no capacities */
    uint8_t *movable; /* by item */
} clv_seats;

/* The assignment of one search: items to places and back. */
typedef struct clv_seating {
    int32_t *at;   /* by item */
    int32_t *item; /* by place */
    int64_t cost;
} clv_seating;

static inline int64_t clv_seats_distance(const clv_seats *x, int32_t p, int32_t q)
{
    return clv_machine_distance(x->p->machine, p, q);
}

/* The increase of the cost of the edges of i to all but `other` from place `from` to `to`. */
static inline int64_t clv_seats_shift(const clv_seats *x, const int32_t *at, int32_t i,
                                      int32_t other, int32_t from, int32_t to)
{
    int64_t sum = 0;
    if (x->table) {
        const int32_t *old = x->table + (int64_t)from * x->n;
        const int32_t *new = x->table + (int64_t)to * x->n;
        for (int64_t a = x->xadj[i]; a < x->xadj[i + 1]; a++) {
            int32_t u = x->adj[a], p = at[u];
            int64_t w = u == other ? 0 : x->weight[a];
            sum += w * ((int64_t) new[p] - old[p]);
        }
        return sum;
    }
    for (int64_t a = x->xadj[i]; a < x->xadj[i + 1]; a++) {
        int32_t u = x->adj[a], p = at[u];
        if (u != other)
            sum +=
                x->weight[a] * (clv_seats_distance(x, to, p) - clv_seats_distance(x, from, p));
    }
    return sum;
}

/* The gain when i and j change places; the length of their own edge does not change. */
static inline int64_t clv_seats_gain(const clv_seats *x, const int32_t *at, int32_t i,
                                     int32_t j)
{
    return -clv_seats_shift(x, at, i, j, at[i], at[j]) -
           clv_seats_shift(x, at, j, i, at[j], at[i]);
}

/* Whether the overload grows when i and j change places. */
bool clv_seats_refuse(const clv_seats *x, const int32_t *at, int32_t i, int32_t j);

/* Whether i and j can change places and the cost can change. */
static inline bool clv_seats_may_swap(const clv_seats *x, const int32_t *at, int32_t i,
                                      int32_t j)
{
    return i != j && x->movable[j] && x->twin[at[i]] != x->twin[at[j]] &&
           (x->all_fit || !clv_seats_refuse(x, at, i, j));
}

static inline void clv_seating_swap(clv_seating *s, int32_t i, int32_t j)
{
    int32_t p = s->at[i], q = s->at[j];
    s->at[i] = q;
    s->at[j] = p;
    s->item[p] = j;
    s->item[q] = i;
}

int64_t clv_seats_cost(const clv_seats *x, const int32_t *at);

/* Builds the instance of p; arrays from ctx->ws, the caller restores.  *fits: false where
 * costs might not fit into 64 bits, or when time is over: then the instance is incomplete. */
cleave_status clv_seats_make(clv_seats *x, const clv_placement *p, clv_context *ctx,
                             bool *fits, cleave_error *err);

/* Places items as in p->at, and dummy items on the rest. */
cleave_status clv_seating_make(clv_seating *s, const clv_seats *x, clv_ws *ws,
                               cleave_error *err);

/* ---- Starts (refine/placement/placement_starts.c) --------------------------------------- */

/* A random placement. */
void clv_seating_shuffle(const clv_seats *x, clv_seating *s, clv_rng *rng);
/* Greedy growing: the item with the heaviest edges to placed items takes the cheapest free
 * place. */
cleave_status clv_seating_grow(const clv_seats *x, clv_seating *s, clv_ws *ws,
                               cleave_error *err);

/* ---- Searches: s->cost is kept ---------------------------------------------------------- */

/* Swaps with gains, chains of two swaps if the params allow, then kicks
 * (refine/placement/placement_local.c).  Never more expensive. */
cleave_status clv_seating_descend(const clv_seats *x, clv_seating *s,
                                  const clv_placement_params *params, clv_rng *rng,
                                  clv_context *ctx, cleave_error *err);
/* Simulated annealing (refine/placement/placement_anneal.c). heat: 1 makes the result
 * independent of the start.  Can end more expensive. */
void clv_seating_anneal(const clv_seats *x, clv_seating *s, int32_t tries, double heat,
                        clv_rng *rng, clv_context *ctx);

#endif
