/* SPDX-License-Identifier: Apache-2.0 */
/* refine/fm/kway_search.h - one localised search of k-way FM.
 *
 * A search works in place, on the state and its gain cache, or privately: with an overlay of
 * the cache (refine/gain/gain_overlay.h) and weights of its own, so that searches on several
 * threads can start from the same state. */
#ifndef CLV_REFINE_FM_KWAY_SEARCH_H
#define CLV_REFINE_FM_KWAY_SEARCH_H

#include "refine/fm/kway_fm.h"
#include "refine/gain/gain_cache_queue.h"
#include "refine/gain/gain_overlay.h"

typedef struct clv_kway_step {
    int32_t v, from, to;
} clv_kway_step;

typedef struct clv_kway_search {
    clv_partition_state *s;
    const clv_kway_fm_params *params;
    clv_context *ctx;
    clv_gain_cache t;
    clv_gain_cache_queue q;
    double *inverse; /* nparts * ncon: 1 / upper bound */
    clv_kway_step *steps;
    int32_t nsteps, kept; /* moves of this search; those up to the best state */
    int32_t most_steps;
    int64_t overload; /* of the state */
    int64_t credit;   /* arcs that searches can still roll back */
    int64_t earned;   /* credit that the seeds of one search add */
    int64_t work;     /* moves and seeds since the clock was read */
    int64_t summed;   /* on a machine: terms of the costs of places since then */
    int64_t paid;     /* arcs walked until then */
    bool repeats;     /* in clv_kway_repeat_steps: nothing is queued */
} clv_kway_search;

/* Inserts entry i into the queue if it can start a search. */
void clv_kway_seed(clv_kway_search *f, int32_t i);

/* Searches from the seeds in the queue, which is empty afterwards.  Returns the gain of the
 * moves that are kept.  In place, the others are rolled back.  Privately, all are, and
 * f->steps lists them, the first f->kept of which are worth repeating. */
int64_t clv_kway_search_from_seeds(clv_kway_search *f);

/* Makes the moves of a private search in place, as far as they are possible, and keeps those
 * up to the best state; none if they gain less than `least`.  Returns their gain. */
int64_t clv_kway_repeat_steps(clv_kway_search *f, const clv_kway_step *steps, int32_t nsteps,
                              int64_t least);

/* Reads the clock from time to time. */
bool clv_kway_out_of_time(clv_kway_search *f);

/* A vertex that costs more than the seeds of a search add to the credit. */
static inline bool clv_kway_is_hub(const clv_kway_search *f, int32_t v)
{
    return f->s->g->xadj[v + 1] - f->s->g->xadj[v] > f->earned;
}

#endif
