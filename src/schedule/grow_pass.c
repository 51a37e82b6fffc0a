/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/grow_pass.c - grows super layers one after the other, for all threads together.
 *
 * The idea of GrowLocal [Boehnlein, Papp, Yzelman 2025]: each thread first takes vertices that
 * only its own work in this layer has made ready, then vertices that are ready for all.  The
 * budget that a thread may take is the same for all layers, because the layer that is best by
 * itself is often a bad start for the next (a pipeline has to fill).  If not all threads find
 * as much, the layer is undone and grown again with the mean of what they found.
 *
 * Only threads that find work in a layer are visited: the time for a layer does not depend on
 * the number of threads.
 *
 * A vertex becomes ready when the last of its predecessors is taken: in this layer, for one
 * thread, if all its predecessors in this layer are on that thread; otherwise in the next
 * layer. */
#include "base/number_set.h"
#include "base/queue.h"
#include "base/sort.h"
#include "schedule/grow_layers.h"

enum {
    most_attempts = 3, /* per layer */
    look_after = 20000 /* vertices between two checks whether to stop */
};

typedef struct waiting {
    uint32_t seen; /* attempt * (threads + 1) + thread that took predecessors, or + threads if
                      several did */
    int32_t left;  /* predecessors not yet taken */
} waiting;

typedef struct growth {
    const clv_graph *g;
    const clv_grow_rule *rule;
    clv_layering *l;      /* the result */
    waiting *wait;        /* by vertex */
    int32_t *rank;        /* by vertex */
    clv_number_set ready; /* ranks: ready for all threads since the start of the layer; with
                             homes also what the thread itself has made ready */
    int32_t *own;         /* ranks, a heap, without homes: ready for the current thread only */
    int32_t *later;       /* ranks: ready in the next layer */
    int32_t nlater;
    int32_t *taken;    /* vertices in the order in which they were taken, in all layers */
    bool *was_ready;   /* by index in taken: it came from `ready` */
    int32_t ntaken;    /* length of taken */
    uint32_t attempts; /* since `seen` was cleared */
    int64_t found;     /* mean weight per thread in the last layer */
    bool full;         /* found is about the budget */
    int32_t busy;      /* threads that found work in the attempt */
    int32_t *who;   /* the busy threads, ascending; the arrays below have the same indices */
    int32_t *begin; /* busy + 1: start in `taken` of each thread's vertices */
    int32_t *end;   /* end of those that it keeps */
    int64_t *load;  /* their weight */
    clv_sort_item *items, *scratch;
    int64_t all; /* sum of load */
} growth;

/* ---- Heap of ranks, the smallest on top ------------------------------------------------- */

static inline void push(int32_t *heap, int32_t count, int32_t rank)
{
    int32_t i = count;
    for (; i > 0 && heap[clv_heap_parent(i)] > rank; i = clv_heap_parent(i))
        heap[i] = heap[clv_heap_parent(i)];
    heap[i] = rank;
}

/* Removes the top of a heap of count + 1 elements. */
static inline void pop(int32_t *heap, int32_t count)
{
    int32_t last = heap[count], i = 0;
    for (int64_t child = 1; child < count; child = clv_heap_child(i)) {
        child += child + 1 < count && heap[child + 1] < heap[child];
        if (heap[child] >= last)
            break;
        heap[i] = heap[child];
        i = (int32_t)child;
    }
    heap[i] = last;
}

/* ---- One attempt ------------------------------------------------------------------------ */

/* The thread that takes vertices now. */
typedef struct turn {
    uint32_t none, mine, many; /* values of `seen` */
    int32_t home, home_end;    /* ranks it may take */
} turn;

/* Counts one more taken predecessor of u.  Returns whether all are taken, those of this layer
 * by this thread, so that it can take u; if others took some, u is ready later. */
static inline bool makes_ready(growth *s, const turn *now, int32_t u)
{
    waiting *w = &s->wait[u];
    uint32_t seen = w->seen < now->none || w->seen == now->mine ? now->mine : now->many;
    w->seen = seen;
    if (--w->left > 0)
        return false;
    int32_t rank = s->rank[u];
    if (seen == now->mine && rank >= now->home && rank < now->home_end)
        return true;
    s->later[s->nlater++] = rank;
    return false;
}

/* With homes: takes the first ready vertices of the home.  Returns their weight. */
static int64_t fill_home(growth *s, const turn *now, int64_t budget)
{
    const clv_graph *g = s->g;
    int64_t load = 0;
    int32_t at = now->home;
    for (bool first = true;; first = false) {
        at = clv_number_set_next(&s->ready, at);
        if (at < 0 || at >= now->home_end)
            return load;
        int32_t v = s->rule->order.vertex[at];
        int64_t w = clv_graph_vwgt(g, v, 0);
        if (!first && load + w / 2 > budget)
            return load;
        clv_number_set_remove(&s->ready, at);
        load += w;
        s->taken[s->ntaken++] = v;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            if (!makes_ready(s, now, g->adj[a]))
                continue;
            int32_t rank = s->rank[g->adj[a]];
            clv_number_set_insert(&s->ready, rank);
            at = rank < at ? rank : at;
        }
    }
}

/* Without homes: takes first what only its own work has made ready.  Returns the weight. */
static int64_t fill_share(growth *s, const turn *now, int64_t budget)
{
    const clv_graph *g = s->g;
    int64_t load = 0;
    int32_t ready = 0, count = 0;
    for (bool first = true;; first = false) {
        bool from_ready = count == 0;
        int32_t rank = from_ready ? clv_number_set_next(&s->ready, ready) : s->own[0];
        if (rank < 0)
            return load;
        int32_t v = s->rule->order.vertex[rank];
        int64_t w = clv_graph_vwgt(g, v, 0);
        if (!first && load + w / 2 > budget)
            break;
        if (from_ready)
            clv_number_set_remove(&s->ready, ready = rank);
        else
            pop(s->own, --count);
        load += w;
        s->was_ready[s->ntaken] = from_ready;
        s->taken[s->ntaken++] = v;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (makes_ready(s, now, g->adj[a]))
                push(s->own, count++, s->rank[g->adj[a]]);
    }
    /* Vertices that it has made ready but not taken are ready for all threads in the next
     * layer. */
    for (int32_t i = 0; i < count; i++)
        s->later[s->nlater++] = s->own[i];
    return load;
}

/* Clears `seen` when the numbers of attempts are used up. */
static void start_attempt(growth *s)
{
    if (s->attempts >= UINT32_MAX / ((uint32_t)s->l->threads + 1) - 1) {
        for (int32_t v = 0; v < s->g->nvtx; v++)
            s->wait[v].seen = 0;
        s->attempts = 0;
    }
    s->attempts++;
    s->nlater = 0;
    s->all = 0;
}

/* The thread whose home contains a rank. */
static int32_t find_home(const growth *s, int32_t rank)
{
    const int32_t *start = s->rule->order.start;
    int32_t low = 0, high = s->l->threads; /* start[low] <= rank < start[high] */
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (start[middle] <= rank)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* With homes, threads whose home has a ready vertex take a turn; without, threads in order
 * while there are ready vertices. */
static void attempt_layer(growth *s, int64_t budget)
{
    const int32_t *start = s->rule->order.start;
    start_attempt(s);
    uint32_t none = s->attempts * ((uint32_t)s->l->threads + 1);
    int32_t from = 0;
    for (s->busy = 0; s->busy < s->l->threads; s->busy++) {
        int32_t rank = clv_number_set_next(&s->ready, from), i = s->busy;
        if (rank < 0)
            break;
        int32_t t = start ? find_home(s, rank) : i;
        turn now = {.none = none,
                    .mine = none + (uint32_t)t,
                    .many = none + (uint32_t)s->l->threads,
                    .home = start ? start[t] : 0,
                    .home_end = start ? start[t + 1] : s->g->nvtx};
        s->who[i] = t;
        s->begin[i] = s->ntaken;
        s->load[i] = start ? fill_home(s, &now, budget) : fill_share(s, &now, budget);
        s->all += s->load[i];
        if (start && (from = now.home_end) >= s->g->nvtx) {
            s->busy++;
            break;
        }
    }
    s->begin[s->busy] = s->ntaken;
}

static void give_back(growth *s, int32_t v)
{
    for (int64_t a = s->g->xadj[v]; a < s->g->xadj[v + 1]; a++)
        s->wait[s->g->adj[a]].left++;
}

/* Undoes the attempt. */
static void take_back(growth *s)
{
    while (s->ntaken > s->begin[0]) {
        int32_t v = s->taken[--s->ntaken];
        give_back(s, v);
        if (s->was_ready[s->ntaken])
            clv_number_set_insert(&s->ready, s->rank[v]);
    }
}

/* ---- One layer -------------------------------------------------------------------------- */

/* The weight at which to truncate all threads so that the work per unit of time is largest. */
static int64_t best_level(const growth *s, double *score)
{
    int64_t best = 0, below = 0;
    *score = -1;
    for (int32_t t = 0; t < s->busy; t++)
        s->items[t] = (clv_sort_item){.key = s->load[t], .with = {.index = t}};
    const clv_sort_item *sorted = clv_sort(s->items, s->scratch, s->busy);
    for (int32_t i = 0; i < s->busy; i++) {
        int64_t level = sorted[i].key;
        double done = (double)below + (double)level * (s->busy - i);
        double here = done / ((double)level + s->rule->sync);
        if (!(here < *score)) { /* ties: the highest level */
            *score = here;
            best = level;
        }
        below += level;
    }
    return best;
}

/* Truncates: vertices that a thread took last are ready again, down to the level. */
static void cut_off(growth *s, int64_t level)
{
    for (int32_t t = 0; t < s->busy; t++) {
        int32_t i = s->begin[t + 1];
        for (; i-- > s->begin[t];) {
            int32_t v = s->taken[i];
            int64_t w = clv_graph_vwgt(s->g, v, 0);
            if (s->load[t] - w / 2 <= level || i == s->begin[0])
                break;
            give_back(s, v);
            s->later[s->nlater++] = s->rank[v];
            s->load[t] -= w;
            s->all -= w;
        }
        s->end[t] = i + 1;
    }
}

/* Assigns the vertices that threads keep; the remaining ready vertices become ready for all,
 * unless a predecessor was given back. */
static void end_layer(growth *s, int32_t number)
{
    s->ntaken = s->begin[0];
    for (int32_t t = 0; t < s->busy; t++)
        for (int32_t i = s->begin[t]; i < s->end[t]; i++) {
            int32_t v = s->taken[i];
            s->l->layer[v] = number;
            s->l->thread[v] = s->who[t];
            s->taken[s->ntaken++] = v; /* closes the gaps of removed vertices */
        }
    for (int32_t i = 0; i < s->nlater; i++)
        if (s->wait[s->rule->order.vertex[s->later[i]]].left == 0)
            clv_number_set_insert(&s->ready, s->later[i]);
}

/* Predicts from the last layer how much threads will find. */
static int64_t first_budget(const growth *s)
{
    int64_t most = s->rule->budget;
    if (s->found > most / 5 * 3)
        return most;
    int64_t budget = s->found + (s->full ? s->found : s->found / 2);
    return budget < most ? budget : most;
}

static void grow_layer(growth *s, int32_t number)
{
    int64_t budget = first_budget(s), level, best_budget = 0;
    double best = -1, score;
    for (int tries = 0;; tries++) {
        attempt_layer(s, budget);
        level = best_level(s, &score);
        if (!(score <= best)) {
            best = score;
            best_budget = budget;
        }
        int64_t next = s->all / s->l->threads + 1;
        next += next / 16;
        /* With homes, idle threads wait. */
        if (s->rule->order.start || tries >= most_attempts || next + next / 4 >= budget)
            break;
        take_back(s);
        budget = next;
    }
    if (budget != best_budget) {
        take_back(s);
        attempt_layer(s, best_budget);
        level = best_level(s, &score);
    }
    for (int32_t i = 0; i < s->busy; i++)
        s->end[i] = s->begin[i + 1];
    if (!s->rule->order.start) {
        cut_off(s, level);
        s->found = s->all / s->l->threads + 1;
        s->full = s->found + s->found / 8 >= best_budget;
    }
    end_layer(s, number);
}

/* After a timeout: the remaining vertices become one layer of one thread. */
static void finish_serially(growth *s, int32_t number)
{
    for (int32_t i = 0; i < s->ntaken; i++)
        s->rank[s->taken[i]] = -1;
    for (int32_t v = 0; v < s->g->nvtx; v++)
        if (s->rank[v] >= 0) {
            s->l->layer[v] = number;
            s->l->thread[v] = 0;
        }
    s->ntaken = s->g->nvtx;
}

/* Grows all layers; returns their number. */
static int32_t grow_all(growth *s, clv_context *ctx)
{
    int64_t looked = 0; /* vertices and layers done at the last check */
    int32_t layers = 0;
    while (s->ntaken < s->g->nvtx) {
        grow_layer(s, layers++);
        if (s->ntaken + layers - looked < look_after)
            continue;
        looked = s->ntaken + layers;
        if (clv_context_stop(ctx) && s->ntaken < s->g->nvtx)
            finish_serially(s, layers++);
    }
    return layers;
}

static bool make_growth(growth *s, clv_ws *ws)
{
    int32_t n = s->g->nvtx, threads = s->l->threads;
    s->wait = clv_ws_alloc(ws, n, sizeof *s->wait);
    s->rank = clv_ws_alloc(ws, n, sizeof *s->rank);
    s->own = clv_ws_alloc(ws, n, sizeof *s->own);
    s->later = clv_ws_alloc(ws, n, sizeof *s->later);
    s->who = clv_ws_alloc(ws, threads, sizeof *s->who);
    s->begin = clv_ws_alloc(ws, (int64_t)threads + 1, sizeof *s->begin);
    s->end = clv_ws_alloc(ws, threads, sizeof *s->end);
    s->load = clv_ws_alloc(ws, threads, sizeof *s->load);
    s->items = clv_ws_alloc(ws, threads, sizeof *s->items);
    s->scratch = clv_ws_alloc(ws, threads, sizeof *s->scratch);
    s->taken = clv_ws_alloc(ws, n, sizeof *s->taken);
    s->was_ready = clv_ws_alloc(ws, n, sizeof *s->was_ready);
    return s->wait && s->rank && s->own && s->later && s->who && s->begin && s->end &&
           s->load && s->items && s->scratch && s->taken && s->was_ready &&
           clv_number_set_init(&s->ready, n, ws);
}

/* Ranks, and what is ready from the beginning. */
static void start_growth(growth *s)
{
    const clv_graph *g = s->g;
    for (int32_t rank = 0; rank < g->nvtx; rank++) {
        int32_t v = s->rule->order.vertex[rank];
        int32_t left = (int32_t)(g->xpred[v + 1] - g->xpred[v]);
        s->wait[v] = (waiting){.seen = 0, .left = left};
        s->rank[v] = rank;
        if (left == 0)
            clv_number_set_insert(&s->ready, rank);
    }
    s->found = s->rule->order.start ? INT64_MAX : s->rule->budget;
}

cleave_status clv_grow_pass(const clv_graph *g, const clv_grow_rule *rule, clv_context *ctx,
                            clv_layering *l, cleave_error *err)
{
    growth s = {.g = g, .rule = rule, .l = l};
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    bool made = make_growth(&s, ctx->ws);
    if (made) {
        start_growth(&s);
        l->layers = grow_all(&s, ctx);
    }
    clv_ws_restore(ctx->ws, mark);
    return made ? CLEAVE_OK : clv_fail_memory(err);
}
