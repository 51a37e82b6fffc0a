/* SPDX-License-Identifier: Apache-2.0 */
/* refine/fm/kway_batch.c - see refine/fm/kway_batch.h.
 *
 * The searches of a batch start from the same state and run privately, on any threads.  Then
 * their best moves are repeated in place, in the order of the searches, with gains that
 * include the moves before: of each search the moves up to the best state stay.  A search that
 * gains less than expected, because others moved its neighbours or filled its part, is tried
 * once more in a later batch.
 *
 * The size of a batch depends on the number of searches only, so the result does not depend on
 * the threads.  It is a small share of the round: most neighbours of a search are in other
 * batches.
 *
 * Searches are paid from the credit of the round before the batch; each one can use at least
 * what its seeds earn, so that a round rolls back at most twice as much as one in place. */
#include "refine/fm/kway_batch.h"

#include <string.h>

enum {               /* not tuned */
       batches = 16, /* of a round, at least */
       least_batch = 4,
       worth_waking = 16, /* searches; below, batches cost threads more than they save */
       first_batch = 8,
       laps = 2, /* the second for searches that failed */
       most_batch = 256,
       most_steps = 96, /* of a private search */
       most_entries = 4096,
       least_entries = 512,
       vertices_per_entry = 256
};

typedef struct outcome {
    int32_t nsteps, nhubs; /* steps to be repeated; hubs that were rolled back follow them */
    int64_t gain, spent, touched, summed;
} outcome;

typedef struct private_search {
    clv_kway_search f;
    clv_partition_state s;
    clv_gain_overlay overlay;
    int64_t batch; /* whose state s is */
} private_search;

struct clv_kway_batch {
    clv_kway_search *f;
    const clv_kway_ranges *ranges;
    const int32_t *order;  /* of this batch */
    int64_t number;        /* of this batch */
    int32_t size;          /* of the next batch */
    bool fit;              /* enough searches of a batch fit together */
    int64_t hoped, gained; /* gain of the batch: of the private searches, in place */
    int64_t limit;         /* credit of each search */
    private_search *member;
    outcome *outcome;     /* by search */
    clv_kway_step *steps; /* most_steps per search */
};

/* ---- Private searches --------------------------------------------------------------- */

static void copy_state(const clv_kway_batch *b, private_search *m)
{
    const clv_partition_state *s = b->f->s;
    int64_t places = clv_bounds_places(&s->bounds);
    memcpy(m->s.weight, s->weight, (size_t)places * sizeof *s->weight);
    memcpy(m->s.count, s->count, (size_t)s->bounds.nparts * sizeof *s->count);
    m->s.cut = s->cut;
    m->f.overload = b->f->overload;
    m->f.earned = b->f->earned;
    m->batch = b->number;
}

static void insert_seeds(const clv_kway_batch *b, private_search *m, int32_t range)
{
    const clv_kway_ranges *r = b->ranges;
    int32_t begin = range * r->length;
    int32_t end = r->count - begin < r->length ? r->count : begin + r->length;
    for (int32_t j = begin; j < end; j++) {
        const clv_gain_entry *e = &b->f->t.entry[r->list[j]];
        if (!e->locked)
            clv_kway_seed(&m->f, clv_gain_overlay_add(&m->f.t, e->vertex));
    }
}

static void search_privately(const clv_kway_batch *b, private_search *m, int32_t i,
                             clv_ws *lists)
{
    outcome *o = &b->outcome[i];
    if (m->batch != b->number)
        copy_state(b, m);
    m->s.touched = m->f.summed = 0;
    m->f.credit = b->limit;
    m->f.steps = b->steps + (int64_t)i * most_steps;
    clv_gain_overlay_start(&m->f.t, lists);
    insert_seeds(b, m, b->order[i]);
    o->gain = clv_kway_search_from_seeds(&m->f);
    o->spent = b->limit - m->f.credit;
    o->touched = m->s.touched;
    o->summed = m->f.summed;
    o->nsteps = m->f.kept;
    o->nhubs = 0;
    for (int32_t j = m->f.kept; j < m->f.nsteps; j++)
        if (clv_kway_is_hub(b->f, m->f.steps[j].v))
            m->f.steps[o->nsteps + o->nhubs++] = m->f.steps[j];
}

static void search_range(void *context, int64_t begin, int64_t end, int member)
{
    clv_kway_batch *b = context;
    clv_context *ctx = b->f->ctx;
    for (int64_t i = begin; i < end; i++) {
        /* Only the calling thread calls the callback. */
        bool stopped = member == 0 ? clv_context_stop(ctx) : clv_context_is_stopped(ctx);
        if (stopped)
            b->outcome[i] = (outcome){0};
        else
            search_privately(b, &b->member[member], (int32_t)i, &ctx->ws[member]);
    }
}

/* ---- Moves in place ----------------------------------------------------------------- */

/* False: the search gained less than expected. */
static bool repeat_search(clv_kway_batch *b, int32_t i)
{
    clv_kway_search *f = b->f;
    const outcome *o = &b->outcome[i];
    const clv_kway_step *steps = b->steps + (int64_t)i * most_steps;
    int64_t gain = o->nsteps > 0 ? clv_kway_repeat_steps(f, steps, o->nsteps, o->gain / 2) : 0;
    f->credit -= o->spent;
    f->s->touched += o->touched;
    f->summed += o->summed;
    for (int32_t j = o->nsteps; j < o->nsteps + o->nhubs; j++) {
        int32_t entry = f->t.index[steps[j].v];
        if (entry < 0)
            entry = clv_gain_cache_add(&f->t, steps[j].v);
        f->t.entry[entry].locked = true;
    }
    b->hoped += o->gain;
    b->gained += gain;
    return gain >= o->gain;
}

/* Fewer searches where they take each other's gains.  False: hardly any searches fit
 * together. */
static bool adapt_size(clv_kway_batch *b, int32_t most)
{
    if (b->gained * 4 < b->hoped * 3)
        b->size /= 2;
    else if (b->gained * 10 >= b->hoped * 9)
        b->size = 2 * b->size < most ? 2 * b->size : most;
    b->hoped /= 2;
    b->gained /= 2;
    return b->size >= least_batch;
}

int32_t clv_kway_batch_size(int32_t searches)
{
    int32_t size = searches / batches;
    return size < worth_waking ? 1 : size < most_batch ? size : most_batch;
}

/* Searches from order[begin..begin + n - 1].  The ranges that failed go to order[again..]; the
 * new `again` is returned. */
static int32_t search_batch(clv_kway_batch *b, int32_t *order, int32_t begin, int32_t n,
                            int32_t again)
{
    clv_kway_search *f = b->f;
    b->order = order + begin;
    b->number++;
    f->credit += n * f->earned;
    b->limit = f->credit / n > f->earned ? f->credit / n : f->earned;
    clv_parallel_for(f->ctx->team, n, 1, search_range, b);
    for (int32_t i = 0; i < n; i++)
        if (!repeat_search(b, i))
            order[again++] = b->order[i];
    return again;
}

/* Processes all ranges once; lists those that are left.  */
static int32_t search_lap(clv_kway_batch *b, int32_t *order, int32_t count)
{
    int32_t most = clv_kway_batch_size(count), again = 0, begin = 0, n;
    b->size = most < first_batch ? most : first_batch;
    b->hoped = b->gained = 0;
    for (; begin < count && b->fit && !clv_kway_out_of_time(b->f); begin += n) {
        n = count - begin < b->size ? count - begin : b->size;
        again = search_batch(b, order, begin, n, again);
        b->fit = adapt_size(b, most);
    }
    for (; begin < count; begin++)
        order[again++] = order[begin];
    return again;
}

int32_t clv_kway_batch_search(clv_kway_batch *b, const clv_kway_ranges *ranges, int32_t *order,
                              int32_t count)
{
    b->ranges = ranges;
    for (int lap = 0; lap < laps && b->fit && clv_kway_batch_size(count) > 1; lap++)
        count = search_lap(b, order, count);
    return count;
}

/* ---- Scratch ------------------------------------------------------------------------ */

/* Entries of a private search.  They depend on the graph, not on the number of threads, and
 * those of 64 threads take less memory than the graph. */
static int32_t entries_of(const clv_graph *g)
{
    int32_t share = g->nvtx / vertices_per_entry;
    int32_t most = share < least_entries ? least_entries : share;
    most = most < most_entries ? most : most_entries;
    return most < g->nvtx ? most : g->nvtx;
}

static cleave_status make_member(clv_kway_batch *b, private_search *m, cleave_error *err)
{
    clv_kway_search *f = b->f;
    clv_ws *ws = &f->ctx->ws[0];
    int32_t most = entries_of(f->s->g);
    m->s = *f->s;
    m->s.weight = clv_ws_alloc(ws, clv_bounds_places(&m->s.bounds), sizeof *m->s.weight);
    m->s.count = clv_ws_alloc(ws, m->s.bounds.nparts, sizeof *m->s.count);
    m->f = (clv_kway_search){.s = &m->s,
                             .params = f->params,
                             .ctx = f->ctx,
                             .inverse = f->inverse,
                             .most_steps = most_steps};
    CLV_TRY(clv_gain_overlay_init(&m->overlay, &m->f.t, &f->t, most, ws, err));
    m->f.t.s = &m->s;
    m->f.q.t = &m->f.t;
    m->f.q.key = clv_ws_alloc(ws, most, sizeof *m->f.q.key);
    return m->s.weight && m->s.count && m->f.q.key ? CLEAVE_OK : clv_fail_memory(err);
}

cleave_status clv_kway_batch_make(clv_kway_batch **out, clv_kway_search *f, cleave_error *err)
{
    clv_ws *ws = &f->ctx->ws[0];
    int threads = clv_context_threads(f->ctx);
    clv_kway_batch *b = clv_ws_zalloc(ws, 1, sizeof *b);
    *out = b;
    if (!b)
        return clv_fail_memory(err);
    b->f = f;
    b->fit = true;
    b->member = clv_ws_zalloc(ws, threads, sizeof *b->member);
    b->outcome = clv_ws_alloc(ws, most_batch, sizeof *b->outcome);
    b->steps = clv_ws_alloc(ws, (int64_t)most_batch * most_steps, sizeof *b->steps);
    if (!b->member || !b->outcome || !b->steps)
        return clv_fail_memory(err);
    for (int i = 0; i < threads; i++)
        CLV_TRY(make_member(b, &b->member[i], err));
    return CLEAVE_OK;
}
