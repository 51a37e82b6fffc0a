/* SPDX-License-Identifier: Apache-2.0 */
/* order/halving_cut.c - weighted median cut by buckets, see order/halving_cut.h.
 *
 * Finding the cut does not require a full sort: weights are summed in buckets of values, and
 * only the bucket in which the sum reaches its target is sorted.  If that cut violates the
 * limits of the rule, all vertices are sorted and every place is considered. */
#include "order/halving_cut.h"

#include <assert.h>
#include <string.h>

#include "base/compare.h"
#include "base/sort.h"

enum { buckets = 1024 };

typedef struct cutting {
    const clv_subset *set;
    const clv_cut_rule *rule;
    const double *value;
    clv_ws *ws;
    bool weigh; /* false: vertices are counted */
    int64_t total;
    double target;     /* target weight of the first side */
    double low, scale; /* bucket of a value: (value / 2 - low) * scale */
} cutting;

/* Position of the cut: before this vertex in the sequence, or after it if `behind`. */
typedef struct place {
    double value;
    int32_t vertex;
    bool behind;
    int32_t before; /* vertices on the first side */
    int64_t weight; /* their weight */
} place;

static int64_t weight_of(const cutting *c, int64_t v)
{
    return c->weigh ? clv_graph_vwgt(c->set->g, (int32_t)v, 0) : 1;
}

static cleave_status name_fault(const cutting *c, cleave_error *err)
{
    int32_t i = 0;
    while (c->value[i] - c->value[i] == 0)
        i++;
    return clv_fail(err, CLEAVE_EINVAL, "the number of vertex %ld is not finite",
                    (long)c->set->vertex[i]);
}

static cleave_status init_cutting(cutting *c, cleave_error *err)
{
    double low = c->value[0], high = low, fault = 0;
    c->weigh = true;
    c->total = 0;
    for (int32_t i = 0; i < c->set->count; i++) {
        low = c->value[i] < low ? c->value[i] : low;
        high = c->value[i] > high ? c->value[i] : high;
        fault += c->value[i] - c->value[i]; /* 0, or NaN if a value is not finite */
        c->total += weight_of(c, c->set->vertex[i]);
    }
    if (fault != 0)
        return name_fault(c, err);
    c->weigh = c->total > 0;
    c->total = c->weigh ? c->total : c->set->count;
    c->target = (double)c->total * (c->rule->first / (c->rule->first + c->rule->second));
    /* Halved, because the difference of two finite numbers can overflow. */
    double span = high * 0.5 - low * 0.5;
    c->low = low * 0.5;
    c->scale = span > 1e-300 ? (buckets - 1) / span : 0;
    return CLEAVE_OK;
}

static int bucket_of(const cutting *c, double value)
{
    return (int)((value * 0.5 - c->low) * c->scale);
}

/* ---- Sorted ----------------------------------------------------------------------------- */

typedef struct items {
    clv_sort_item *item, *scratch;
    int32_t count;
} items;

static cleave_status alloc_items(items *s, int32_t count, clv_ws *ws, cleave_error *err)
{
    s->item = clv_ws_alloc(ws, count, sizeof *s->item);
    s->scratch = clv_ws_alloc(ws, count, sizeof *s->scratch);
    s->count = 0;
    return s->item && s->scratch ? CLEAVE_OK : clv_fail_memory(err);
}

static void add_item(items *s, const cutting *c, int32_t i)
{
    s->item[s->count++] = (clv_sort_item){clv_key_of_double(c->value[i]), {i}};
}

/* vertex[] ascends and the sort is stable: ties are ordered by vertex. */
static void sort_items(items *s)
{
    clv_sort_team(NULL, s->item, s->scratch, s->count);
}

static place place_at(const cutting *c, const clv_sort_item *item, bool behind, int64_t before,
                      int64_t weight)
{
    int64_t i = item->with.index;
    return (place){c->value[i], c->set->vertex[i], behind, (int32_t)before, weight};
}

/* The allowed place nearest to the target, preferring those within the bounds; of equally near
 * places the one whose last vertex is below the target. */
static place best_of_all(const cutting *c, const items *s)
{
    const clv_cut_rule *rule = c->rule;
    place best = {0};
    bool found = false, best_fits = false;
    double best_off = 0;
    int64_t sum = 0;
    for (int32_t n = 0; n <= rule->most; n++) {
        sum += n > 0 ? weight_of(c, c->set->vertex[s->item[n - 1].with.index]) : 0;
        if (n < rule->least)
            continue;
        bool fits =
            (double)sum <= rule->first_most && (double)(c->total - sum) <= rule->second_most;
        double off =
            (double)sum < c->target ? c->target - (double)sum : (double)sum - c->target;
        bool nearer = off < best_off || (off == best_off && (double)sum < c->target);
        if (!found || (fits && !best_fits) || (fits == best_fits && nearer)) {
            best = n > 0 ? place_at(c, &s->item[n - 1], true, n, sum) : (place){0};
            best_off = off;
            best_fits = fits;
            found = true;
        }
    }
    return best;
}

static cleave_status cut_sorted(const cutting *c, place *best, cleave_error *err)
{
    items all;
    CLV_TRY(alloc_items(&all, c->set->count, c->ws, err));
    for (int32_t i = 0; i < c->set->count; i++)
        add_item(&all, c, i);
    sort_items(&all);
    *best = best_of_all(c, &all);
    return CLEAVE_OK;
}

/* ---- By buckets ------------------------------------------------------------------------- */

typedef struct bucket_sums {
    int64_t weight[buckets];
    int32_t count[buckets];
} bucket_sums;

/* The bucket in which the sum reaches the target, and the sum before it. */
static int find_bucket(const cutting *c, bucket_sums *sums, int32_t *before, int64_t *weight)
{
    memset(sums, 0, sizeof *sums);
    for (int32_t i = 0; i < c->set->count; i++) {
        int b = bucket_of(c, c->value[i]);
        sums->weight[b] += weight_of(c, c->set->vertex[i]);
        sums->count[b]++;
    }
    int b = 0;
    *before = 0;
    *weight = 0;
    for (; b < buckets - 1 && (double)(*weight + sums->weight[b]) < c->target; b++) {
        *before += sums->count[b];
        *weight += sums->weight[b];
    }
    return b;
}

/* The vertex with which the sum reaches the target goes to the side that is then nearer to
 * it. */
static place find_nearest(const cutting *c, const items *s, int32_t before, int64_t weight)
{
    int32_t i = 0;
    int64_t more = weight_of(c, c->set->vertex[s->item[0].with.index]);
    while (i < s->count - 1 && (double)(weight + more) < c->target) {
        weight += more;
        more = weight_of(c, c->set->vertex[s->item[++i].with.index]);
    }
    bool behind = c->target - (double)weight > (double)(weight + more) - c->target;
    return place_at(c, &s->item[i], behind, before + i + behind,
                    behind ? weight + more : weight);
}

static cleave_status cut_buckets(const cutting *c, place *best, cleave_error *err)
{
    bucket_sums *sums = clv_ws_alloc(c->ws, 1, sizeof *sums);
    if (!sums)
        return clv_fail_memory(err);
    int32_t before;
    int64_t weight;
    int b = find_bucket(c, sums, &before, &weight);
    items some;
    CLV_TRY(alloc_items(&some, sums->count[b], c->ws, err));
    for (int32_t i = 0; i < c->set->count; i++)
        if (bucket_of(c, c->value[i]) == b)
            add_item(&some, c, i);
    if (some.count == 0) { /* rounding has moved the target beyond the last vertex */
        best->before = -1;
        return CLEAVE_OK;
    }
    sort_items(&some);
    *best = find_nearest(c, &some, before, weight);
    return CLEAVE_OK;
}

static bool obeys(const cutting *c, const place *p)
{
    const clv_cut_rule *rule = c->rule;
    return rule->least <= p->before && p->before <= rule->most &&
           (double)p->weight <= rule->first_most &&
           (double)(c->total - p->weight) <= rule->second_most;
}

/* ---- Both sides ------------------------------------------------------------------------- */

/* Moves the first side to the front, keeping the order on both sides. */
static cleave_status divide(const cutting *c, const place *p, cleave_error *err)
{
    int32_t front = 0, back = 0, *vertex = c->set->vertex;
    int32_t *rest = clv_ws_alloc(c->ws, c->set->count - p->before, sizeof *rest);
    if (!rest)
        return clv_fail_memory(err);
    if (p->before == 0)
        return CLEAVE_OK;
    int32_t last = p->behind ? p->vertex : p->vertex - 1;
    for (int32_t i = 0; i < c->set->count; i++) {
        int32_t v = vertex[i];
        if (c->value[i] < p->value || (c->value[i] == p->value && v <= last))
            vertex[front++] = v;
        else
            rest[back++] = v;
    }
    assert(front == p->before);
    memcpy(vertex + front, rest, (size_t)back * sizeof *vertex);
    return CLEAVE_OK;
}

static cleave_status cut(cutting *c, int32_t *first, cleave_error *err)
{
    enum { buckets_pay = 512 };
    place p = {.before = -1};
    CLV_TRY(init_cutting(c, err));
    if (c->set->count >= buckets_pay)
        CLV_TRY(cut_buckets(c, &p, err));
    if (!obeys(c, &p))
        CLV_TRY(cut_sorted(c, &p, err));
    *first = p.before;
    return divide(c, &p, err);
}

cleave_status clv_halving_cut(const clv_subset *set, const clv_cut_rule *rule,
                              const double *value, clv_ws *ws, int32_t *first,
                              cleave_error *err)
{
    assert(set->count >= 1);
    assert(0 <= rule->least && rule->least <= rule->most && rule->most <= set->count);
    cutting c = {.set = set, .rule = rule, .value = value, .ws = ws};
    clv_ws_mark mark = clv_ws_save(ws);
    cleave_status status = cut(&c, first, err);
    clv_ws_restore(ws, mark);
    return status;
}
