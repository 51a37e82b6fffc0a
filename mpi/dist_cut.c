/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_cut.c - see mpi/dist_cut.h.
 *
 * The steps are those of order/split.c.  From the right: how early each PE can begin so that
 * all PEs after it keep their bounds.  From the left: each cut is as near to its share as
 * these limits and the PE's own bound allow.  A cut depends on the one before it, so the ranks
 * work one after the other: each makes the cuts among its own places and sends its state to
 * the next.
 *
 * Places are numbers from 0 to n; rank r has the prefix weights of places first[r] to first[r
 * + 1].  A search that finds nothing in this range continues on the next rank. */
#include "mpi/dist_cut.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/compare.h"
#include "graph/share.h"

enum { tag_cut = 14 };

/* The state passed from rank to rank.  PEs are counted in the order of the sequence. */
typedef struct turn {
    int64_t pe;     /* the next PE to be cut */
    int64_t busy;   /* PEs with a nonzero share before it */
    int64_t place;  /* its begin, or, from the right, its end */
    int64_t before; /* the prefix weight of that place */
    int64_t lower;  /* the prefix weight of the last place of lower ranks */
    double sum;     /* sum of the shares so far */
    int64_t ok;     /* from the right: all PEs so far keep their bounds */
} turn;

typedef struct cutter {
    const clv_dist_cut *cut;
    const clv_comm *comm;
    int64_t *before;  /* own places + 1 */
    int64_t n, count; /* places of all ranks, and own ones */
    int64_t base;     /* the first own place */
    int64_t lower;    /* the prefix weight of the place below it */
    int64_t total;    /* 0 only if there are no places */
    int64_t busy;     /* PEs with a nonzero share */
    clv_share_rule rule;
    bool bounded;
    int64_t *earliest, *begin, *end, *load; /* by PE; set by the rank that cuts, else 0 */
} cutter;

static bool is_busy(const cutter *c, int32_t pe)
{
    return c->cut->share[pe] > 0;
}

static int64_t bound_of(const cutter *c, int32_t pe)
{
    return clv_smaller64(c->cut->bound[pe], c->total);
}

/* The place below the own places is the lowest that a rank has the prefix weight of. */
static int64_t before(const cutter *c, int64_t place)
{
    assert(place >= c->base - 1 && place <= c->base + c->count);
    return place < c->base ? c->lower : c->before[place - c->base];
}

/* The first place with at least `weight` before it, as far as this rank has the prefix
 * weights. base: this place or one of a lower rank; base + count + 1: one of a higher rank, or
 * none. */
static int64_t first_place_with(const cutter *c, int64_t weight)
{
    int64_t low = 0, high = c->count + 1;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (c->before[middle] >= weight)
            high = middle;
        else
            low = middle + 1;
    }
    return c->base + low;
}

/* ---- From the right --------------------------------------------------------------------- */

/* Returns false if the interval begins at a place of a lower rank. */
static bool find_begin(cutter *c, int32_t pe, turn *t)
{
    int64_t weight = t->before - bound_of(c, pe), least = t->busy - 1;
    int64_t place = weight > 0 ? first_place_with(c, weight) : c->base;
    if (place == c->base && c->base > least)
        return false;
    t->ok = t->ok && place < t->place;
    t->place = clv_larger64(place, least);
    t->before = t->ok ? before(c, t->place) : 0;
    t->busy--;
    c->earliest[pe] = t->place;
    return true;
}

static void go_left(cutter *c, turn *t)
{
    for (; t->ok && t->pe >= 0; t->pe--) {
        int32_t pe = c->cut->sequence[t->pe];
        if (is_busy(c, pe) && !find_begin(c, pe, t))
            return;
    }
}

static void find_first_begins(cutter *c)
{
    const clv_comm *comm = c->comm;
    turn t = {.pe = c->cut->npes - 1,
              .busy = c->busy,
              .place = c->n,
              .before = c->total,
              .ok = c->n >= c->busy};
    if (comm->rank < comm->size - 1)
        MPI_Recv(&t, sizeof t, MPI_BYTE, comm->rank + 1, tag_cut, comm->mpi,
                 MPI_STATUS_IGNORE);
    go_left(c, &t);
    if (comm->rank > 0)
        MPI_Send(&t, sizeof t, MPI_BYTE, comm->rank - 1, tag_cut, comm->mpi);
    clv_comm_broadcast(comm, &t, sizeof t, 0);
    c->bounded = t.ok && t.pe < 0 && t.place == 0;
    clv_comm_sum_all(comm, c->earliest, c->cut->npes);
}

/* ---- From the left ---------------------------------------------------------------------- */

/* The range of places of the cut after the i-th busy PE, such that every busy PE gets a vertex
 * or, with fewer vertices than busy PEs, none gets two. */
static void limit_counts(const cutter *c, int64_t i, int64_t last, int64_t *low, int64_t *high)
{
    int64_t after = c->busy - i;
    if (after == 0) {
        *low = *high = c->n;
    } else if (c->n >= c->busy) {
        *low = last + 1;
        *high = c->n - after;
    } else {
        *low = clv_larger64(last, c->n - after);
        *high = clv_smaller64(last + 1, c->n);
    }
}

/* The range in which the next busy PE can begin. */
static int64_t earliest_next(const cutter *c, int64_t i)
{
    while (++i < c->cut->npes)
        if (is_busy(c, c->cut->sequence[i]))
            return c->earliest[c->cut->sequence[i]];
    return c->n;
}

static void limit_weights(const cutter *c, const turn *t, int64_t *low, int64_t *high)
{
    int64_t bound = bound_of(c, c->cut->sequence[t->pe]), most = c->n;
    if (bound < c->total - t->before)
        most = first_place_with(c, t->before + bound + 1) - 1;
    /* Beyond the own places, the next rank makes the cut. */
    if (most == c->base + c->count)
        most++;
    *low = clv_larger64(*low, clv_smaller64(earliest_next(c, t->pe), *high));
    *high = clv_larger64(*low, clv_smaller64(most, *high));
}

/* Returns false if the interval ends at a place of a higher rank. */
static bool find_end(const cutter *c, const turn *t, double sum, int64_t *end)
{
    int64_t low, high, whole = c->total;
    limit_counts(c, t->busy + 1, t->place, &low, &high);
    if (c->bounded)
        limit_weights(c, t, &low, &high);
    if (ceil(sum) < (double)c->total)
        whole = (int64_t)ceil(sum);
    int64_t place = clv_larger64(low, clv_smaller64(high, first_place_with(c, whole)));
    if (place > c->base + c->count)
        return false;
    if (place > low && sum - (double)before(c, place - 1) <= (double)before(c, place) - sum)
        place--;
    *end = place;
    return true;
}

static void go_right(cutter *c, turn *t)
{
    for (; t->pe < c->cut->npes; t->pe++) {
        int32_t pe = c->cut->sequence[t->pe];
        int64_t end = t->place;
        if (is_busy(c, pe)) {
            double sum = t->sum + clv_share_of(&c->rule, c->total, pe);
            if (!find_end(c, t, sum, &end))
                return;
            t->sum = sum;
            t->busy++;
        }
        /* A PE without vertices ends where it began, which can be a place of a lower rank. */
        int64_t weight = end > t->place ? before(c, end) : t->before;
        c->begin[pe] = t->place;
        c->end[pe] = end;
        c->load[pe] = weight - t->before;
        t->place = end;
        t->before = weight;
    }
}

static void cut_nearest(cutter *c)
{
    const clv_comm *comm = c->comm;
    int64_t npes = c->cut->npes;
    turn t = {0};
    memset(c->begin, 0, (size_t)npes * sizeof *c->begin);
    memset(c->end, 0, (size_t)npes * sizeof *c->end);
    memset(c->load, 0, (size_t)npes * sizeof *c->load);
    if (comm->rank > 0)
        MPI_Recv(&t, sizeof t, MPI_BYTE, comm->rank - 1, tag_cut, comm->mpi,
                 MPI_STATUS_IGNORE);
    c->lower = t.lower;
    go_right(c, &t);
    if (c->count > 0)
        t.lower = c->before[c->count - 1];
    if (comm->rank < comm->size - 1)
        MPI_Send(&t, sizeof t, MPI_BYTE, comm->rank + 1, tag_cut, comm->mpi);
    clv_comm_sum_all(comm, c->begin, npes);
    clv_comm_sum_all(comm, c->end, npes);
    clv_comm_sum_all(comm, c->load, npes);
}

/* ---- All cuts --------------------------------------------------------------------------- */

/* When all weights are 0, places are counted. */
static void sum_weights(cutter *c)
{
    const int32_t *weight = c->cut->weight;
    bool count = c->cut->total == 0 || !weight;
    int64_t own = 0;
    for (int64_t i = 0; !count && i < c->count; i++)
        own += weight[i];
    c->before[0] = count ? c->base : clv_comm_before(c->comm, own);
    for (int64_t i = 0; i < c->count; i++)
        c->before[i + 1] = c->before[i] + (count ? 1 : weight[i]);
    c->total = c->cut->total == 0 ? c->n : c->cut->total;
}

static void open_cutter(cutter *c, const clv_dist_cut *cut)
{
    const clv_dist_line *line = cut->line;
    c->cut = cut;
    c->comm = line->comm;
    c->n = line->first[c->comm->size];
    c->base = line->first[c->comm->rank];
    c->count = line->count;
    for (int32_t pe = 0; pe < cut->npes; pe++)
        c->busy += is_busy(c, pe);
    c->rule = clv_share_rule_make(cut->share, cut->npes, 1);
}

cleave_status clv_dist_cut_make(const clv_dist_cut *cut, int64_t *begin, int64_t *end,
                                int64_t *load, bool *bounded, cleave_error *err)
{
    cutter c = {.begin = begin, .end = end, .load = load};
    open_cutter(&c, cut);
    c.before = clv_alloc(c.count + 1, sizeof *c.before);
    c.earliest = clv_zalloc(cut->npes, sizeof *c.earliest);
    cleave_status status = clv_comm_agree_memory(c.comm, c.before && c.earliest, err);
    if (status == CLEAVE_OK) {
        sum_weights(&c);
        find_first_begins(&c);
        cut_nearest(&c);
        *bounded = c.bounded;
    }
    clv_sys_free(c.before);
    clv_sys_free(c.earliest);
    return status;
}
