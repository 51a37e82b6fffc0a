/* SPDX-License-Identifier: Apache-2.0 */
/* order/slices.c - see order/slices.h.
 *
 * A boundary is a number of vertices in front of it.  With C(i, j) the weight of the arcs
 * from before i into the vertices i..j-1, the best first p slices that end at j cost
 *     f_p(j) = min over i of f_{p-1}(i) + C(i, j).
 * When j grows by one vertex, each arc from place q into it adds its weight to C(i, j) for
 * all i > q: an addition to a suffix, so that order/slice_tree.h finds the minimum over the
 * boundaries i that the bounds allow in logarithmic time.  Prefix weights, fixed vertices and
 * the vertices that other slices need narrow the range of each boundary beforehand. */
#include "order/slices.h"

#include <assert.h>
#include <string.h>

#include "base/compare.h"
#include "order/slice_tree.h"

enum {
    max_ncon = 64,         /* beyond, bounds are relaxed completely or not at all */
    extra_steps = 16,      /* steps of relaxing bounds: fractions of the heaviest vertex */
    free_overlap = 2,      /* times nvtx: ranges of boundaries below this are never thinned */
    cheap_work = 2000000,  /* vertices and arcs: ranges below this neither */
    between_clocks = 2048, /* vertices */
    program_passes = 32,   /* work equivalent of the dynamic program in arcs, approximate */
    quick_passes = 8       /* ... of the quick one */
};

typedef struct slicing {
    const clv_graph *g;
    const clv_slices_task *task;
    int32_t n, k;
    bool lower;              /* lower bounds hold */
    bool counted;            /* the number of vertices of a slice is bounded */
    bool crowded;            /* more parts than vertices */
    bool unlimited;          /* upper bounds do not hold */
    int32_t depth;           /* of the tree: steps per arc */
    bool paid;               /* from the credit of the context: regardless of the clock */
    bool ended;              /* out of time */
    int64_t extra[max_ncon]; /* allowed above the upper bounds */
    int32_t *place;          /* vertex -> its position in the order */
    int64_t *before;         /* (n + 1) * ncon: prefix weights */
    int32_t *low, *high;     /* k + 1: the range of a boundary; 0 and k are the ends */
    int32_t *first, *last;   /* k: places of the fixed vertices of a slice */
    int64_t *start;          /* k + 1: offset of the choices of a boundary */
    int32_t *choice;         /* by boundary and place: the boundary before it */
    int64_t *cost, *cost_before;
    clv_slice_tree tree;
} slicing;

/* ---- Bounds ----------------------------------------------------------------------------- */

static int32_t label_of(const slicing *w, int32_t slice)
{
    return w->task->by_rank ? w->task->by_rank[slice] : slice;
}

static int64_t weight_between(const slicing *w, int32_t i, int32_t j, int32_t c)
{
    int32_t ncon = w->g->ncon;
    return w->before[(int64_t)j * ncon + c] - w->before[(int64_t)i * ncon + c];
}

static bool wanted(const slicing *w, int32_t slice)
{
    return clv_bounds_wants_vertex(&w->task->bounds, label_of(w, slice));
}

static int32_t fewest(const slicing *w, int32_t slice)
{
    return w->counted && !w->crowded && wanted(w, slice);
}

static int32_t most(const slicing *w, int32_t slice)
{
    return w->counted && w->crowded && wanted(w, slice) ? 1 : w->n;
}

/* Whether i..j-1 exceeds the bound of the slice. */
static bool too_much(const slicing *w, int32_t slice, int32_t i, int32_t j)
{
    if (j - i > most(w, slice))
        return true;
    int32_t ncon = w->g->ncon;
    const int64_t *max = w->task->bounds.max + (int64_t)label_of(w, slice) * ncon;
    for (int32_t c = 0; !w->unlimited && c < ncon; c++)
        if (weight_between(w, i, j, c) - (c < max_ncon ? w->extra[c] : 0) > max[c])
            return true;
    return false;
}

static bool too_little(const slicing *w, int32_t slice, int32_t i, int32_t j)
{
    if (j - i < fewest(w, slice))
        return true;
    if (!w->lower)
        return false;
    int32_t ncon = w->g->ncon;
    const int64_t *min = w->task->bounds.min + (int64_t)label_of(w, slice) * ncon;
    for (int32_t c = 0; c < ncon; c++)
        if (weight_between(w, i, j, c) < min[c])
            return true;
    return false;
}

/* ---- Ranges of the boundaries -------------------------------------------------------------
 * Each of these is a binary search; all conditions are monotone. */

/* For a slice that begins or ends at `at`: the last feasible position of its other end between
 * `good` and `bad`, which stand for such positions. */
typedef struct border {
    bool (*fails)(const slicing *w, int32_t slice, int32_t begin, int32_t end);
    bool begins; /* at is where the slice begins */
    int32_t at, good, bad;
} border;

static int32_t find_border(const slicing *w, int32_t slice, border b)
{
    while (b.bad - b.good > 1 || b.good - b.bad > 1) {
        int32_t middle = b.good + (b.bad - b.good) / 2;
        if (b.begins ? b.fails(w, slice, b.at, middle) : b.fails(w, slice, middle, b.at))
            b.bad = middle;
        else
            b.good = middle;
    }
    return b.good;
}

static int32_t farthest_end(const slicing *w, int32_t slice, int32_t i)
{
    return find_border(w, slice, (border){too_much, true, i, i, w->n + 1});
}

static int32_t nearest_end(const slicing *w, int32_t slice, int32_t i)
{
    return find_border(w, slice, (border){too_little, true, i, w->n + 1, i - 1});
}

static int32_t farthest_begin(const slicing *w, int32_t slice, int32_t j)
{
    return find_border(w, slice, (border){too_much, false, j, j, -1});
}

static int32_t nearest_begin(const slicing *w, int32_t slice, int32_t j)
{
    return find_border(w, slice, (border){too_little, false, j, -1, j + 1});
}

static void narrow(slicing *w, int32_t p, int32_t low, int32_t high)
{
    w->low[p] = low > w->low[p] ? low : w->low[p];
    w->high[p] = high < w->high[p] ? high : w->high[p];
}

/* The feasible range of each boundary; false: none. */
static bool find_ranges(slicing *w)
{
    int32_t n = w->n, k = w->k;
    for (int32_t p = 0; p <= k; p++) {
        w->low[p] = p == k ? n : 0;
        w->high[p] = p == 0 ? 0 : n;
    }
    for (int32_t p = 0; p < k && w->first; p++) {
        narrow(w, p, 0, w->first[p]);
        narrow(w, p + 1, w->last[p] + 1, n);
    }
    for (int32_t p = 1; p <= k; p++) {
        narrow(w, p, nearest_end(w, p - 1, w->low[p - 1]),
               farthest_end(w, p - 1, w->high[p - 1]));
        if (w->low[p] > w->high[p])
            return false;
    }
    for (int32_t p = k; p-- > 0;) {
        narrow(w, p, farthest_begin(w, p, w->low[p + 1]), nearest_begin(w, p, w->high[p + 1]));
        if (w->low[p] > w->high[p])
            return false;
    }
    return true;
}

/* The boundary that gives the first p slices their share of the upper bounds. */
static int32_t even_boundary(const slicing *w, double share)
{
    int32_t low = 0, high = w->n, ncon = w->g->ncon;
    double goal = share * (double)w->before[(int64_t)w->n * ncon];
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if ((double)w->before[(int64_t)middle * ncon] < goal)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Limits ranges to `width`, around equal shares. */
static void thin_ranges(slicing *w, int32_t width)
{
    double sum = 0, all = 0;
    for (int32_t p = 0; p < w->k; p++)
        all += (double)w->task->bounds.max[(int64_t)p * w->g->ncon];
    for (int32_t p = 1; p < w->k; p++) {
        sum += (double)w->task->bounds.max[(int64_t)label_of(w, p - 1) * w->g->ncon];
        if (w->high[p] - w->low[p] <= width)
            continue;
        int32_t low = even_boundary(w, all > 0 ? sum / all : 0) - width / 2;
        low = low > w->high[p] - width ? w->high[p] - width : low;
        low = low < w->low[p] ? w->low[p] : low;
        w->low[p] = low;
        w->high[p] = low + width;
    }
}

/* ---- Out of time ------------------------------------------------------------------------ */

static int32_t depth_of(int64_t leaves)
{
    int32_t depth = 0;
    while ((INT64_C(1) << depth) < leaves)
        depth++;
    return depth;
}

/* Polled after so many arcs and vertices. */
static bool is_out_of_time(slicing *w, int64_t looked_at)
{
    clv_context *ctx = w->task->ctx;
    if (!ctx || w->paid)
        return false;
    clv_context_count(ctx, looked_at * w->depth);
    if (!clv_context_stop(ctx))
        return false;
    int64_t passes = w->task->quick ? quick_passes : program_passes;
    w->paid = clv_context_afford(ctx, passes * (w->g->narc + w->n));
    w->ended = !w->paid;
    return w->ended;
}

static void fill_slice(const slicing *w, int32_t i, int32_t j, int32_t label, int32_t *part)
{
    for (int32_t r = i; r < j; r++)
        part[w->task->order[r]] = label;
}

/* Boundaries at equal shares of the bounds, as far as their ranges and the previous slice
 * allow.  With lumpy weights and lower bounds, not both may hold. */
static void cut_evenly(slicing *w, int32_t *part)
{
    double sum = 0, all = 0;
    for (int32_t p = 0; p < w->k; p++)
        all += (double)w->task->bounds.max[(int64_t)p * w->g->ncon];
    for (int32_t p = 1, i = 0; p <= w->k; p++) {
        sum += (double)w->task->bounds.max[(int64_t)label_of(w, p - 1) * w->g->ncon];
        int32_t j = even_boundary(w, all > 0 ? sum / all : 0);
        j = (int32_t)clv_clamp(j, nearest_end(w, p - 1, i), farthest_end(w, p - 1, i));
        j = p == w->k ? w->n : (int32_t)clv_clamp(j, w->low[p], w->high[p]);
        j = j < i ? i : j;
        fill_slice(w, i, j, label_of(w, p - 1), part);
        i = j;
    }
}

/* ---- The dynamic program ---------------------------------------------------------------- */

/* The values of the tree are those of the boundaries from..to, minus `added`. */
typedef struct window {
    int32_t from, to;
    int64_t added;     /* to all of them */
    int64_t looked_at; /* arcs and vertices since the clock was read */
} window;

static void open_boundary(slicing *w, window *x, int32_t i, int64_t cost)
{
    clv_slice_add(&w->tree, i - x->from, cost - x->added - clv_slice_last(&w->tree));
}

/* The vertex at place r joins the slice. */
static void add_vertex(slicing *w, window *x, int32_t r, const int32_t *order)
{
    const clv_graph *g = w->g;
    int32_t v = order[r];
    x->looked_at += g->xpred[v + 1] - g->xpred[v] + 1;
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
        int32_t q = w->place[g->pred[a]];
        int64_t weight = clv_graph_pwgt(g, a);
        if (q < x->from)
            x->added += weight;
        else if (q < x->to)
            clv_slice_add(&w->tree, q + 1 - x->from, weight);
    }
}

/* Called for each vertex, reads the clock for some. */
static bool ends_at(slicing *w, window *x, int32_t j)
{
    if (j % between_clocks != 0)
        return false;
    int64_t looked_at = x->looked_at;
    x->looked_at = 0;
    return is_out_of_time(w, looked_at);
}

/* Computes f_p from f_{p-1}; false when no boundary p can be reached, or out of time. */
static bool next_boundary(slicing *w, int32_t p)
{
    window x = {w->low[p - 1], w->high[p - 1], 0, 0};
    int32_t *choice = w->choice + w->start[p];
    int32_t a = x.from, b = x.from - 1; /* the boundaries that suit j */
    bool reached = false;
    clv_slice_clear(&w->tree, x.to - x.from + 1);
    for (int32_t j = x.from; j <= w->high[p]; j++) {
        if (ends_at(w, &x, j))
            return false;
        if (j > x.from)
            add_vertex(w, &x, j - 1, w->task->order);
        if (j <= x.to)
            open_boundary(w, &x, j, w->cost_before[j - x.from]);
        if (j < w->low[p])
            continue;
        while (a <= x.to && a <= j && too_much(w, p - 1, a, j))
            a++;
        while (b < x.to && b < j && !too_little(w, p - 1, b + 1, j))
            b++;
        int64_t cost = CLV_SLICE_NEVER;
        choice[j - w->low[p]] = -1;
        if (a <= b) {
            int32_t at = clv_slice_least(&w->tree, a - x.from, b - x.from, &cost);
            cost += x.added;
            choice[j - w->low[p]] = x.from + at;
        }
        w->cost[j - w->low[p]] = cost < CLV_SLICE_NEVER ? cost : CLV_SLICE_NEVER;
        reached = reached || cost < CLV_SLICE_NEVER;
    }
    return reached;
}

/* Runs the dynamic program on the current ranges. */
static cleave_status run_program(slicing *w, clv_ws *ws, int32_t *part, int64_t *cut,
                                 bool *found, cleave_error *err)
{
    int32_t widest = 1;
    w->start[0] = 0;
    for (int32_t p = 0; p <= w->k; p++) {
        int32_t width = w->high[p] - w->low[p] + 1;
        widest = width > widest ? width : widest;
        if (p < w->k)
            w->start[p + 1] = w->start[p] + width;
    }
    w->choice = clv_ws_alloc(ws, w->start[w->k] + 1, sizeof *w->choice);
    w->cost = clv_ws_alloc(ws, widest, sizeof *w->cost);
    w->cost_before = clv_ws_alloc(ws, widest, sizeof *w->cost_before);
    w->tree.node = clv_ws_alloc(ws, 2 * clv_slice_leaves(widest), sizeof *w->tree.node);
    if (!w->choice || !w->cost || !w->cost_before || !w->tree.node)
        return clv_fail_memory(err);
    w->depth = depth_of(clv_slice_leaves(widest));
    *found = true;
    w->cost[0] = 0;
    for (int32_t p = 1; p <= w->k && *found; p++) {
        int64_t *swap = w->cost_before;
        w->cost_before = w->cost;
        w->cost = swap;
        *found = next_boundary(w, p);
    }
    if (!*found)
        return CLEAVE_OK;
    *cut = w->cost[0];
    for (int32_t p = w->k, j = w->n; p > 0; p--) {
        int32_t i = w->choice[w->start[p] + (j - w->low[p])];
        fill_slice(w, i, j, label_of(w, p - 1), part);
        j = i;
    }
    return CLEAVE_OK;
}

/* Ranges, thinned out where there are too many boundaries, and the dynamic program. */
static cleave_status cut_slices(slicing *w, clv_ws *ws, int32_t *part, int64_t *cut,
                                bool *found, cleave_error *err)
{
    *found = false;
    int64_t work = w->g->narc + w->n;
    int64_t room = work > 0 ? (int64_t)cheap_work * w->n / work : 0;
    int64_t least = w->task->quick ? w->n / 4 : (int64_t)free_overlap * w->n;
    room = room > least && !w->task->quick ? room : least;
    /* A second time with wider ranges, if the bounds require uneven slices. */
    for (int factor = 1; factor <= 8 && !*found; factor *= 8) {
        if (!find_ranges(w))
            return CLEAVE_OK;
        int64_t width = factor * room / w->k + 16, total = 0;
        for (int32_t p = 0; p <= w->k; p++)
            total += w->high[p] - w->low[p];
        bool thin = total > factor * room;
        if (thin)
            thin_ranges(w, (int32_t)(width < w->n ? width : w->n));
        clv_ws_mark mark = clv_ws_save(ws);
        if (!is_out_of_time(w, 0))
            CLV_TRY(run_program(w, ws, part, cut, found, err));
        clv_ws_restore(ws, mark);
        if (!thin || w->ended)
            break;
    }
    if (!w->ended)
        return CLEAVE_OK;
    *found = true;
    *cut = INT64_MAX;
    cut_evenly(w, part);
    return CLEAVE_OK;
}

/* ---- Exactly k slices ------------------------------------------------------------------- */

static void weigh_prefixes(slicing *w, const int32_t *order)
{
    const clv_graph *g = w->g;
    for (int32_t c = 0; c < g->ncon; c++)
        w->before[c] = 0;
    for (int32_t i = 0; i < w->n; i++) {
        w->place[order[i]] = i;
        for (int32_t c = 0; c < g->ncon; c++)
            w->before[((int64_t)i + 1) * g->ncon + c] =
                w->before[(int64_t)i * g->ncon + c] + clv_graph_vwgt(g, order[i], c);
    }
}

static cleave_status find_fixed(slicing *w, clv_ws *ws, cleave_error *err)
{
    if (!w->task->fixed)
        return CLEAVE_OK;
    w->first = clv_ws_alloc(ws, w->k, sizeof *w->first);
    w->last = clv_ws_alloc(ws, w->k, sizeof *w->last);
    int32_t *slice = clv_ws_alloc(ws, w->k, sizeof *slice);
    if (!w->first || !w->last || !slice)
        return clv_fail_memory(err);
    for (int32_t p = 0; p < w->k; p++) {
        slice[label_of(w, p)] = p;
        w->first[p] = w->n;
        w->last[p] = -1;
    }
    for (int32_t i = 0; i < w->n; i++) {
        int32_t label = w->task->fixed[w->task->order[i]];
        if (label < 0)
            continue;
        w->last[slice[label]] = i;
        if (w->first[slice[label]] == w->n)
            w->first[slice[label]] = i;
    }
    return CLEAVE_OK;
}

static void allow_extra(slicing *w, int64_t step)
{
    for (int32_t c = 0; c < w->g->ncon && c < max_ncon; c++) {
        int64_t heaviest = 0;
        for (int32_t v = 0; v < w->n; v++) {
            int64_t weight = clv_graph_vwgt(w->g, v, c);
            heaviest = weight > heaviest ? weight : heaviest;
        }
        w->extra[c] = (heaviest * step + extra_steps - 1) / extra_steps;
    }
}

/* No slices within the bounds: lower bounds are dropped first, then the upper ones rise as
 * little as necessary, then only fixed vertices count. */
static cleave_status relax_and_cut(slicing *w, clv_ws *ws, int32_t *part, int64_t *cut,
                                   bool *found, cleave_error *err)
{
    w->lower = false;
    int64_t low = 0, high = (int64_t)4 * extra_steps;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        allow_extra(w, middle);
        if (find_ranges(w))
            high = middle;
        else
            low = middle + 1;
    }
    for (; low <= (int64_t)8 * extra_steps && !*found; low = 2 * low + 1) {
        allow_extra(w, low);
        CLV_TRY(cut_slices(w, ws, part, cut, found, err));
    }
    w->unlimited = true;
    if (!*found)
        CLV_TRY(cut_slices(w, ws, part, cut, found, err));
    w->counted = false;
    if (!*found)
        CLV_TRY(cut_slices(w, ws, part, cut, found, err));
    return CLEAVE_OK;
}

static bool allocate_slicing(slicing *w, clv_ws *ws)
{
    w->place = clv_ws_alloc(ws, w->n, sizeof *w->place);
    w->before = clv_ws_alloc(ws, ((int64_t)w->n + 1) * w->g->ncon, sizeof *w->before);
    w->low = clv_ws_alloc(ws, (int64_t)w->k + 1, sizeof *w->low);
    w->high = clv_ws_alloc(ws, (int64_t)w->k + 1, sizeof *w->high);
    w->start = clv_ws_alloc(ws, (int64_t)w->k + 1, sizeof *w->start);
    return w->place && w->before && w->low && w->high && w->start;
}

cleave_status clv_slices(const clv_slices_task *task, clv_ws *ws, int32_t *part, int64_t *cut,
                         bool *met, cleave_error *err)
{
    assert(task->g->kind == CLEAVE_DAG && task->bounds.nparts >= 1);
    slicing w = {.g = task->g, .task = task, .n = task->g->nvtx, .k = task->bounds.nparts};
    clv_ws_mark mark = clv_ws_save(ws);
    if (!allocate_slicing(&w, ws))
        return clv_fail_memory(err);
    weigh_prefixes(&w, task->order);
    CLV_TRY(find_fixed(&w, ws, err));
    int32_t filled = 0;
    for (int32_t p = 0; p < w.k; p++)
        filled += wanted(&w, p);
    w.crowded = filled > w.n;
    w.counted = true;
    w.lower = task->bounds.min != NULL;
    *cut = -1;
    CLV_TRY(cut_slices(&w, ws, part, cut, met, err));
    bool found = *met;
    if (!found)
        CLV_TRY(relax_and_cut(&w, ws, part, cut, &found, err));
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* ---- Any number of slices --------------------------------------------------------------- */

static void best_slices(slicing *w, const int32_t *order)
{
    window x = {0, w->n, 0, 0};
    clv_slice_clear(&w->tree, w->n + 1);
    open_boundary(w, &x, 0, 0);
    w->cost[0] = 0;
    for (int32_t j = 1, a = 0, b = -1; j <= w->n && !ends_at(w, &x, j); j++) {
        add_vertex(w, &x, j - 1, order);
        while (a < j && too_much(w, 0, a, j))
            a++;
        while (b < j - 1 && !too_little(w, 0, b + 1, j))
            b++;
        w->cost[j] = CLV_SLICE_NEVER;
        w->choice[j] = -1;
        if (a <= b) {
            w->choice[j] = clv_slice_least(&w->tree, a, b, &w->cost[j]);
            w->cost[j] = w->cost[j] < CLV_SLICE_NEVER ? w->cost[j] : CLV_SLICE_NEVER;
        }
        open_boundary(w, &x, j, w->cost[j]);
    }
}

static int32_t number_slices(const slicing *w, int32_t *part)
{
    int32_t count = 0;
    for (int32_t j = w->n; j > 0; j = w->choice[j])
        count++;
    for (int32_t j = w->n, p = count; j > 0; j = w->choice[j])
        fill_slice(w, w->choice[j], j, --p, part);
    return count;
}

static bool allocate_any(slicing *w, clv_ws *ws)
{
    w->place = clv_ws_alloc(ws, w->n, sizeof *w->place);
    w->before = clv_ws_alloc(ws, ((int64_t)w->n + 1) * w->g->ncon, sizeof *w->before);
    w->choice = clv_ws_alloc(ws, (int64_t)w->n + 1, sizeof *w->choice);
    w->cost = clv_ws_alloc(ws, (int64_t)w->n + 1, sizeof *w->cost);
    w->tree.node = clv_ws_alloc(ws, 2 * clv_slice_leaves(w->n + 1), sizeof *w->tree.node);
    return w->place && w->before && w->choice && w->cost && w->tree.node;
}

cleave_status clv_slices_any(const clv_slices_task *task, clv_ws *ws, int32_t *part,
                             int32_t *nparts, int64_t *cut, cleave_error *err)
{
    const clv_graph *g = task->g;
    assert(g->kind == CLEAVE_DAG);
    clv_slices_task any = {
        .g = g, .order = task->order, .bounds = task->bounds, .ctx = task->ctx};
    slicing w = {.g = g, .task = &any, .n = g->nvtx, .k = 1};
    w.lower = task->bounds.min != NULL;
    clv_ws_mark mark = clv_ws_save(ws);
    if (!allocate_any(&w, ws))
        return clv_fail_memory(err);
    w.depth = depth_of(clv_slice_leaves(w.n + 1));
    weigh_prefixes(&w, task->order);
    best_slices(&w, task->order);
    bool found = w.n > 0 && !w.ended && w.cost[w.n] < CLV_SLICE_NEVER;
    *nparts = found ? number_slices(&w, part) : 0;
    *cut = found ? w.cost[w.n] : 0;
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
