/* SPDX-License-Identifier: Apache-2.0 */
/* order/halving_cut.c - see order/halving_cut.h. */
#include "order/halving_cut.h"

#include <assert.h>
#include <string.h>

#include "base/sort.h"

/* Integers in the same order; 0 and -0 are the same. */
static int64_t key_of(double value)
{
    int64_t bits;
    value += 0.0;
    memcpy(&bits, &value, sizeof bits);
    return bits >= 0 ? bits : bits ^ INT64_MAX;
}

static double weight_of(const clv_graph *g, bool weigh, int64_t v)
{
    return weigh ? (double)clv_graph_vwgt(g, (int32_t)v, 0) : 1;
}

/* How many of the sorted items are on the first side. */
static int32_t find_cut(const clv_graph *g, const clv_cut_rule *rule, bool weigh, double total,
                        int32_t count, const clv_sort_item *item)
{
    double target = total * (rule->first / (rule->first + rule->second));
    double low = total - rule->second_most, high = rule->first_most;
    int32_t best = -1, fitting = -1;
    double sum = 0, best_off = 0, fitting_off = 0;
    for (int32_t c = 0; c <= rule->most; c++) {
        if (c > 0)
            sum += weight_of(g, weigh, item[c - 1].with.index);
        if (c < rule->least)
            continue;
        double off = sum > target ? sum - target : target - sum;
        if (best < 0 || off < best_off) {
            best = c;
            best_off = off;
        }
        if (sum >= low && sum <= high && (fitting < 0 || off < fitting_off)) {
            fitting = c;
            fitting_off = off;
        }
    }
    (void)count;
    return fitting >= 0 ? fitting : best;
}

/* Puts those up to (key, last) in front, keeping the order on both sides. */
static void divide(int32_t count, int32_t *vertex, const double *value, int64_t key,
                   int32_t last, int32_t *rest)
{
    int32_t front = 0, back = 0;
    for (int32_t i = 0; i < count; i++) {
        int64_t mine = key_of(value[i]);
        if (mine < key || (mine == key && vertex[i] <= last))
            vertex[front++] = vertex[i];
        else
            rest[back++] = vertex[i];
    }
    memcpy(vertex + front, rest, (size_t)back * sizeof *vertex);
}

cleave_status clv_halving_cut(const clv_graph *g, const clv_cut_rule *rule, int32_t count,
                              int32_t *vertex, const double *value, clv_ws *ws, int32_t *first,
                              cleave_error *err)
{
    assert(0 <= rule->least && rule->least <= rule->most && rule->most <= count);
    clv_ws_mark mark = clv_ws_save(ws);
    clv_sort_item *item = clv_ws_alloc(ws, count, sizeof *item);
    clv_sort_item *scratch = clv_ws_alloc(ws, count, sizeof *scratch);
    if (!item || !scratch) {
        clv_ws_restore(ws, mark);
        return clv_fail_memory(err);
    }
    double total = 0;
    for (int32_t i = 0; i < count; i++) {
        item[i] = (clv_sort_item){key_of(value[i]), {vertex[i]}};
        total += weight_of(g, true, vertex[i]);
    }
    bool weigh = total > 0;
    clv_sort_item *sorted = clv_sort(item, scratch, count);
    *first = find_cut(g, rule, weigh, weigh ? total : count, count, sorted);
    if (*first > 0) {
        clv_sort_item last = sorted[*first - 1];
        divide(count, vertex, value, last.key, (int32_t)last.with.index,
               (int32_t *)(sorted == item ? scratch : item));
    }
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
