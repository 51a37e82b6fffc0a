/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/row_split_grow.c - super layers over rows that may be split.
 *
 * As in GrowLocal [Boehnlein et al. 2025] a layer is tried with growing budgets: one thread
 * after the other takes rows up to the weight of the budget, first those that its own work has
 * made ready, then those that are ready for all, in order.  A thread that runs out of rows
 * takes pieces of later rows: the leading predecessors that earlier layers have computed.
 * Rows are split only where a thread would otherwise be idle.
 *
 * The score of a budget is its progress per unit of time.  Progress is measured on two
 * quantities, the remaining weight per thread and the longest remaining path of rows, each
 * weighted by its share of the two.  Budgets stop growing when a layer leaves most threads
 * idle, even if its score is the best: its results give the other threads pieces to take in
 * the next layer. */
#include "schedule/row_split_grow.h"

#include <assert.h>

#include "base/sort.h"

enum {
    several = -2,      /* owner of a row that has read the work of several threads */
    nothing = -1,      /* end of a list */
    never = INT32_MAX, /* layer of an unfinished row */
};
static const double give_up =
    0.9; /* times the best score: below it no larger budget is tried */
static const double path_factor = 2;

/* ---- One layer with one budget ---------------------------------------------------------- */

static int32_t degree(const clv_graph *g, int32_t v)
{
    return (int32_t)(g->xpred[v + 1] - g->xpred[v]);
}

static void make_ready(clv_heap *heap, const clv_row_grower *w, int32_t v)
{
    clv_heap_set(heap, v, -(int64_t)w->rank[v]);
}

static void take_row(clv_row_grower *w, int32_t v, int32_t p)
{
    const clv_graph *g = w->g;
    w->layer[v] = w->layers;
    w->thread[v] = p;
    w->taken[w->ntaken++] = v;
    w->load[p] += clv_row_part(g, v, w->summed[v], degree(g, v));
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        clv_row_wait *s = &w->wait[g->adj[a]];
        if (s->attempt != w->attempts) {
            s->attempt = w->attempts;
            s->seen = 0;
            s->owner = p;
        }
        s->owner = s->owner == p ? p : several;
        if (++s->seen == s->pending && s->owner == p)
            make_ready(&w->own, w, g->adj[a]);
    }
}

static void take_rows(clv_row_grower *w, int64_t budget)
{
    for (int32_t p = 0; p < w->threads; p++) {
        w->load[p] = 0;
        while (w->load[p] < budget && w->own.count + w->ready.count > 0) {
            if (w->own.count > 0) {
                take_row(w, clv_heap_pop(&w->own), p);
            } else {
                w->popped[w->npopped] = clv_heap_pop(&w->ready);
                take_row(w, w->popped[w->npopped++], p);
            }
        }
        clv_heap_clear(&w->own);
    }
}

static int64_t largest_load(const clv_row_grower *w)
{
    int64_t most = 0;
    for (int32_t p = 0; p < w->threads; p++)
        most = w->load[p] > most ? w->load[p] : most;
    return most;
}

/* The end of a piece of row v with weight at most `room`; 0: it would be too small. */
static int32_t piece_end(const clv_row_grower *w, int32_t v, int64_t room)
{
    int64_t from = w->summed[v], to = w->known[v];
    if (clv_row_part(w->g, v, from, to) > room)
        to = from + room * (degree(w->g, v) + 1) / clv_graph_vwgt(w->g, v, 0);
    return clv_row_part(w->g, v, from, to) < clv_row_least ? 0 : (int32_t)to;
}

static void take_pieces(clv_row_grower *w, int64_t budget)
{
    int32_t p = 0;
    int64_t most = largest_load(w);
    budget = most > budget ? most : budget;
    for (int32_t i = 0; i < w->nopen && p < w->threads; i++) {
        int32_t v = w->open[i], end = 0;
        if (w->layer[v] == w->layers)
            continue;
        while (p < w->threads && (end = piece_end(w, v, budget - w->load[p])) == 0 &&
               budget - w->load[p] < 2 * clv_row_least)
            p++;
        if (end == 0)
            continue;
        w->load[p] += clv_row_part(w->g, v, w->summed[v], end);
        w->pieces[w->npieces++] = (clv_row_piece){v, end, w->layers, p};
    }
}

typedef struct trial {
    int64_t most, sum;
    double score;
} trial;

static trial try_budget(clv_row_grower *w, int64_t budget)
{
    trial t = {0};
    w->attempts++;
    w->ntaken = w->npopped = 0;
    w->npieces = w->first_piece;
    take_rows(w, budget);
    take_pieces(w, budget);
    t.most = largest_load(w);
    for (int32_t p = 0; p < w->threads; p++)
        t.sum += w->load[p];
    int32_t top = w->top;
    while (top < w->g->nvtx && w->layer[w->by_height[top]] <= w->layers)
        top++;
    int64_t nearer = w->height[w->by_height[w->top]];
    nearer -= top < w->g->nvtx ? w->height[w->by_height[top]] : 0;
    double gain = w->work_share * (double)t.sum + w->path_share * (double)nearer;
    t.score = gain / ((double)t.most + w->sync + 1);
    return t;
}

static void undo_trial(clv_row_grower *w)
{
    for (int32_t i = 0; i < w->ntaken; i++)
        w->layer[w->taken[i]] = never;
    for (int32_t i = 0; i < w->npopped; i++)
        make_ready(&w->ready, w, w->popped[i]);
}

/* ---- Updates after a layer -------------------------------------------------------------- */

static bool has_piece(const clv_row_grower *w, int32_t v)
{
    return w->layer[v] == never && w->known[v] < degree(w->g, v) &&
           clv_row_part(w->g, v, w->summed[v], w->known[v]) >= clv_row_least;
}

/* Advances to the first unfinished predecessor, and waits for it. */
static void wait_for_next(clv_row_grower *w, int32_t v)
{
    const int32_t *pred = w->g->pred + w->g->xpred[v];
    int32_t count = degree(w->g, v);
    while (w->known[v] < count && w->layer[pred[w->known[v]]] != never)
        w->known[v]++;
    if (w->known[v] < count) {
        int32_t u = pred[w->known[v]];
        w->next[v] = w->waiting[u];
        w->waiting[u] = v;
    }
}

/* Updates the rows that waited for u; those that now have a piece are appended to
 * woken[count...). */
static int32_t update_waiting(clv_row_grower *w, int32_t u, int32_t count)
{
    int32_t v = w->waiting[u];
    w->waiting[u] = nothing;
    while (v != nothing) {
        int32_t after = w->next[v];
        if (w->layer[v] == never)
            wait_for_next(w, v);
        if (!w->listed[v] && has_piece(w, v)) {
            w->listed[v] = 1;
            w->woken[count++] = v;
        }
        v = after;
    }
    return count;
}

/* Removes rows without a piece from `open`, and merges the rows woken[0..count) into it, from
 * the end. */
static void update_open(clv_row_grower *w, int32_t count)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < w->nopen; i++) {
        int32_t v = w->open[i];
        if (has_piece(w, v))
            w->open[kept++] = v;
        else
            w->listed[v] = 0;
    }
    clv_heap *heap = &w->own; /* empty between layers */
    for (int32_t i = 0; i < count; i++)
        clv_heap_set(heap, w->woken[i], w->place[w->woken[i]]);
    w->nopen = kept + count;
    for (int32_t at = w->nopen; heap->count > 0;) {
        int32_t v = clv_heap_top(heap);
        if (kept > 0 && w->place[w->open[kept - 1]] > w->place[v])
            w->open[--at] = w->open[--kept];
        else
            w->open[--at] = clv_heap_pop(heap);
    }
}

static void complete_layer(clv_row_grower *w)
{
    const clv_graph *g = w->g;
    int32_t count = 0;
    for (int64_t i = w->first_piece; i < w->npieces; i++)
        w->summed[w->pieces[i].row] = w->pieces[i].end;
    for (int32_t i = 0; i < w->ntaken; i++) {
        int32_t v = w->taken[i];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t s = g->adj[a];
            if (--w->wait[s].pending == 0 && w->layer[s] == never)
                make_ready(&w->ready, w, s);
        }
        count = update_waiting(w, v, count);
    }
    update_open(w, count);
    for (int32_t p = 0; p < w->threads; p++)
        w->left -= w->load[p];
    w->first_piece = w->npieces;
    w->ndone += w->ntaken;
    w->layers++;
}

/* ---- A layer ---------------------------------------------------------------------------- */

/* Weights of work and path in the score: in proportion to what remains of both. */
static void weigh_progress(clv_row_grower *w)
{
    while (w->layer[w->by_height[w->top]] != never)
        w->top++;
    double work = (double)w->left / w->threads;
    double path = (double)w->height[w->by_height[w->top]];
    w->work_share = work / (work + path + 1) / w->threads;
    w->path_share = path_factor * path / (work + path + 1);
}

void clv_row_grower_layer(clv_row_grower *w)
{
    double best = -1;
    int64_t budget = w->sync < (double)w->left ? (int64_t)(w->sync / 8) : w->left / 8;
    int64_t best_budget = budget = budget < clv_row_least ? clv_row_least : budget;
    assert(w->ndone < w->g->nvtx && w->ready.count > 0);
    weigh_progress(w);
    for (;; budget += budget / 2) {
        trial t = try_budget(w, budget);
        if (t.score > best) {
            best = t.score;
            best_budget = budget;
        }
        double most = (double)t.most;
        bool idle = 2 * (double)t.sum < w->threads * most && most > 2 * w->sync;
        if (idle || t.score < give_up * best || t.most < budget)
            break;
        undo_trial(w);
    }
    if (budget != best_budget) {
        undo_trial(w);
        try_budget(w, best_budget);
    }
    complete_layer(w);
}

cleave_status clv_row_grower_init(clv_row_grower *w, clv_ws *ws, cleave_error *err)
{
    int32_t n = w->g->nvtx;
    int32_t **arrays[] = {&w->layer, &w->thread, &w->waiting, &w->next,
                          &w->open,  &w->woken,  &w->taken,   &w->popped};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (!(*arrays[i] = clv_ws_alloc(ws, n, sizeof(int32_t))))
            return clv_fail_memory(err);
    w->wait = clv_ws_zalloc(ws, n, sizeof *w->wait);
    w->summed = clv_ws_zalloc(ws, n, sizeof *w->summed);
    w->known = clv_ws_zalloc(ws, n, sizeof *w->known);
    w->listed = clv_ws_zalloc(ws, n, sizeof *w->listed);
    w->load = clv_ws_alloc(ws, w->threads, sizeof *w->load);
    if (!w->wait || !w->summed || !w->known || !w->listed || !w->load)
        return clv_fail_memory(err);
    CLV_TRY(clv_heap_init(&w->ready, n, ws, err));
    CLV_TRY(clv_heap_init(&w->own, n, ws, err));
    for (int32_t v = 0; v < n; v++) {
        w->layer[v] = never;
        w->waiting[v] = nothing;
        w->wait[v].pending = degree(w->g, v);
        if (w->wait[v].pending == 0)
            make_ready(&w->ready, w, v);
    }
    for (int32_t v = 0; v < n; v++)
        if (w->heavy[v])
            wait_for_next(w, v);
    return CLEAVE_OK;
}
