/* SPDX-License-Identifier: Apache-2.0 */
/* target/deco_bipartition.c - the tree of bipartitions of a graph whose distances are known.
 *
 * The two halves of a domain differ by at most one PE, which makes the tree as shallow as
 * possible: Scotch's files number its nodes like a heap.  A split by "nearer to a or to b" is
 * tried for many pairs a, b of PEs; the best one is improved by exchanging pairs [Kernighan,
 * Lin 1970].  The cost of a split is the sum of the cut links, where short links cost more:
 * traffic between the halves uses these links, and short links should be inside a half. */
#include "base/sort.h"
#include "target/deco.h"

enum { samples = 12, most_passes = 4, most_patience = 50, nearness_unit = 64 };

typedef struct halver {
    const clv_deco *d;
    const clv_graph *g;
    int64_t longest; /* longest link */
    int32_t (*half)[2];
    int32_t made;  /* entries of half so far */
    int32_t *list; /* PEs; a domain is a range of them */
    int8_t *side;  /* by PE: 0, 1, or -1: not in this domain */
    int8_t *best;  /* the best split so far */
    int8_t *locked;
    int64_t *gain; /* by PE: gain of changing sides */
    int64_t *tie;  /* by PE: weight of the link to the chosen PE; 0 between uses */
    int32_t *moved;
    clv_sort_item *item, *scratch;
} halver;

static int64_t nearness(const halver *h, int64_t a)
{
    return h->longest * nearness_unit / clv_graph_ewgt(h->g, a);
}

/* The cost of the split of the domain list[0 .. count - 1]; each link counts twice. */
static int64_t cut_of(const halver *h, const int32_t *list, int32_t count)
{
    const clv_graph *g = h->g;
    int64_t cut = 0;
    for (int32_t i = 0; i < count; i++)
        for (int64_t a = g->xadj[list[i]]; a < g->xadj[list[i] + 1]; a++)
            if (h->side[g->adj[a]] == !h->side[list[i]])
                cut += nearness(h, a);
    return cut;
}

/* Side 0: the half of the PEs that are nearer to p than to q. */
static void split_between(halver *h, const int32_t *list, int32_t count, int32_t p, int32_t q)
{
    for (int32_t i = 0; i < count; i++) {
        h->item[i].key = clv_deco_far(h->d, p, list[i]) - clv_deco_far(h->d, q, list[i]);
        h->item[i].with.index = list[i];
    }
    const clv_sort_item *sorted = clv_sort(h->item, h->scratch, count);
    for (int32_t i = 0; i < count; i++)
        h->side[sorted[i].with.index] = i >= (count + 1) / 2;
}

/* Index in list of the first PE with the largest distance from p. */
static int32_t farthest(const halver *h, const int32_t *list, int32_t count, int32_t p)
{
    int32_t far = 0;
    for (int32_t i = 1; i < count; i++)
        if (clv_deco_far(h->d, p, list[i]) > clv_deco_far(h->d, p, list[far]))
            far = i;
    return far;
}

/* Some PEs of the domain: two that are far apart, and an even sample. */
static int32_t choose_poles(const halver *h, const int32_t *list, int32_t count,
                            int32_t pole[samples + 2])
{
    int32_t n = 0, taken = count < samples ? count : samples;
    pole[n++] = list[farthest(h, list, count, list[0])];
    pole[n++] = list[farthest(h, list, count, pole[0])];
    for (int32_t i = 0; i < taken; i++)
        pole[n++] = list[(int64_t)i * count / taken];
    return n;
}

static int64_t try_splits(halver *h, const int32_t *list, int32_t count)
{
    int32_t pole[samples + 2], poles = choose_poles(h, list, count, pole);
    int64_t least = -1;
    for (int32_t i = 0; i < poles; i++)
        for (int32_t j = i + 1; j < poles; j++) {
            if (pole[i] == pole[j])
                continue;
            split_between(h, list, count, pole[i], pole[j]);
            int64_t cut = cut_of(h, list, count);
            if (least >= 0 && cut >= least)
                continue;
            least = cut;
            for (int32_t k = 0; k < count; k++)
                h->best[list[k]] = h->side[list[k]];
        }
    for (int32_t k = 0; k < count; k++)
        h->side[list[k]] = h->best[list[k]];
    return least;
}

/* ---- Exchanging pairs ------------------------------------------------------------------- */

static void count_gains(halver *h, const int32_t *list, int32_t count)
{
    const clv_graph *g = h->g;
    for (int32_t i = 0; i < count; i++) {
        int32_t v = list[i];
        h->gain[v] = 0;
        h->locked[v] = 0;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (h->side[g->adj[a]] >= 0)
                h->gain[v] +=
                    h->side[g->adj[a]] != h->side[v] ? nearness(h, a) : -nearness(h, a);
    }
}

/* The unlocked PE of one side with the largest gain, minus the link to the chosen PE; -1: all
 * are locked. */
static int32_t best_of_side(const halver *h, const int32_t *list, int32_t count, int8_t side)
{
    int32_t best = -1;
    int64_t most = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t v = list[i];
        if (h->locked[v] || h->side[v] != side)
            continue;
        int64_t gain = h->gain[v] - 2 * h->tie[v];
        if (best < 0 || gain > most) {
            best = v;
            most = gain;
        }
    }
    return best;
}

static void change_side(halver *h, int32_t v)
{
    const clv_graph *g = h->g;
    h->side[v] = !h->side[v];
    h->gain[v] = -h->gain[v];
    h->locked[v] = 1;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t u = g->adj[a];
        if (h->side[u] >= 0)
            h->gain[u] += h->side[u] == h->side[v] ? -2 * nearness(h, a) : 2 * nearness(h, a);
    }
}

static void set_ties(halver *h, int32_t v, bool on)
{
    for (int64_t a = h->g->xadj[v]; a < h->g->xadj[v + 1]; a++)
        h->tie[h->g->adj[a]] = on ? nearness(h, a) : 0;
}

/* One exchange: the best partner for the best PE of side 0; false: all are locked. */
static bool exchange(halver *h, const int32_t *list, int32_t count, int32_t pair[2],
                     int64_t *gain)
{
    pair[0] = best_of_side(h, list, count, 0);
    if (pair[0] < 0)
        return false;
    set_ties(h, pair[0], true);
    pair[1] = best_of_side(h, list, count, 1);
    int64_t tie = pair[1] >= 0 ? h->tie[pair[1]] : 0;
    set_ties(h, pair[0], false);
    if (pair[1] < 0)
        return false;
    *gain = h->gain[pair[0]] + h->gain[pair[1]] - 2 * tie;
    change_side(h, pair[0]);
    change_side(h, pair[1]);
    return true;
}

/* A Kernighan-Lin pass: exchanges pairs, temporarily also at a loss, then returns to the best
 * state.  Returns whether it was better than the start. */
static bool exchange_pass(halver *h, const int32_t *list, int32_t count)
{
    int32_t moves = 0, kept = 0, pair[2];
    int64_t sum = 0, best = 0, gain;
    count_gains(h, list, count);
    while (moves - kept < 2 * most_patience && exchange(h, list, count, pair, &gain)) {
        h->moved[moves++] = pair[0];
        h->moved[moves++] = pair[1];
        sum += gain;
        if (sum > best) {
            best = sum;
            kept = moves;
        }
    }
    for (int32_t i = kept; i < moves; i++)
        h->side[h->moved[i]] = !h->side[h->moved[i]];
    return best > 0;
}

/* ---- The tree --------------------------------------------------------------------------- */

/* Moves the PEs of side 0 before the others, keeping the order of both. */
static int32_t separate(halver *h, int32_t *list, int32_t count)
{
    int32_t first = 0, second = 0;
    for (int32_t i = 0; i < count; i++) {
        if (h->side[list[i]])
            h->moved[second++] = list[i];
        else
            list[first++] = list[i];
    }
    for (int32_t i = 0; i < second; i++)
        list[first + i] = h->moved[i];
    for (int32_t i = 0; i < count; i++)
        h->side[list[i]] = -1;
    return first;
}

/* The node of the domain; the recursion depth is the logarithm of count. */
static int32_t make_node(halver *h, int32_t *list, int32_t count)
{
    if (count == 1)
        return list[0];
    int64_t cut = try_splits(h, list, count);
    for (int32_t pass = 0; pass < most_passes && cut > 0; pass++)
        if (!exchange_pass(h, list, count))
            break;
    int32_t first = separate(h, list, count), half[2];
    half[0] = make_node(h, list, first);
    half[1] = make_node(h, list + first, count - first);
    h->half[h->made][0] = half[0];
    h->half[h->made][1] = half[1];
    return h->g->nvtx + h->made++;
}

static cleave_status open_halver(halver *h, clv_ws *ws, cleave_error *err)
{
    int32_t n = h->g->nvtx;
    h->list = clv_ws_alloc(ws, n, sizeof *h->list);
    h->side = clv_ws_alloc(ws, n, sizeof *h->side);
    h->best = clv_ws_alloc(ws, n, sizeof *h->best);
    h->locked = clv_ws_alloc(ws, n, sizeof *h->locked);
    h->gain = clv_ws_alloc(ws, n, sizeof *h->gain);
    h->tie = clv_ws_zalloc(ws, n, sizeof *h->tie);
    h->moved = clv_ws_alloc(ws, n, sizeof *h->moved);
    h->item = clv_ws_alloc(ws, n, sizeof *h->item);
    h->scratch = clv_ws_alloc(ws, n, sizeof *h->scratch);
    if (!h->list || !h->side || !h->best || !h->locked || !h->gain || !h->tie || !h->moved ||
        !h->item || !h->scratch)
        return clv_fail_memory(err);
    h->longest = 1;
    for (int64_t a = 0; a < h->g->narc; a++)
        if (clv_graph_ewgt(h->g, a) > h->longest)
            h->longest = clv_graph_ewgt(h->g, a);
    for (int32_t v = 0; v < n; v++) {
        h->list[v] = v;
        h->side[v] = -1;
    }
    return CLEAVE_OK;
}

cleave_status clv_deco_bipartition(const clv_deco *d, const clv_graph *g, int32_t (*half)[2],
                                   clv_ws *ws, cleave_error *err)
{
    halver h = {.d = d, .g = g, .half = half};
    clv_ws_mark mark = clv_ws_save(ws);
    CLV_TRY(open_halver(&h, ws, err));
    make_node(&h, h.list, g->nvtx);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
