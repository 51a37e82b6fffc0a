/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/admission.c - see coarsen/admission.h.
 *
 * A single vertex that has a wish may be the wish of another one.  It is pinned, and stays, if
 * a vertex of lower number chose it; otherwise it moves, and those of higher number that chose
 * it follow it to the leader that it joins.  Along such a chain numbers fall, so it ends.
 *
 * All vertices add their weights to the leaders.  The sums do not depend on the order.  Where
 * a sum is within the bound, all of them join.  Vertices of the other leaders, of which there
 * are few except next to hubs, take their weights back and join one after the other. */
#include "coarsen/admission.h"

#include <string.h>

enum { grain = 2048, parallel_from = 32768 /* vertices; not tuned */ };

cleave_status clv_admission_init(clv_admission *a, clv_clusters *k, clv_team *team,
                                 int32_t most, clv_ws *ws, cleave_error *err)
{
    int64_t n = k->g->nvtx;
    *a = (clv_admission){.k = k, .team = team};
    a->wish = clv_ws_alloc(ws, n, sizeof *a->wish);
    a->pinned = clv_ws_zalloc(ws, n, sizeof *a->pinned);
    a->root = clv_ws_alloc(ws, most, sizeof *a->root);
    a->rest = clv_ws_alloc(ws, most, sizeof *a->rest);
    a->left = clv_ws_alloc(ws, most, sizeof *a->left);
    if (!a->wish || !a->pinned || !a->root || !a->rest || !a->left)
        return clv_fail_memory(err);
    for (int64_t v = 0; v < n; v++)
        a->wish[v] = -1;
    return CLEAVE_OK;
}

static void pin_range(void *context, int64_t begin, int64_t end, int member)
{
    clv_admission *a = context;
    (void)member;
    for (int64_t i = begin; i < end; i++) {
        int32_t v = a->list[i], t = a->wish[v];
        if (t > v && a->wish[t] >= 0)
            __atomic_store_n(&a->pinned[t], 1, __ATOMIC_RELAXED);
    }
}

static void add_weight(const clv_admission *a, int32_t v, int32_t root, int sign)
{
    int32_t ncon = a->k->g->ncon;
    for (int32_t i = 0; i < ncon; i++)
        __atomic_fetch_add(&a->k->weight[(int64_t)root * ncon + i],
                           sign * a->k->weight[(int64_t)v * ncon + i], __ATOMIC_RELAXED);
}

static void claim_range(void *context, int64_t begin, int64_t end, int member)
{
    clv_admission *a = context;
    (void)member;
    for (int64_t i = begin; i < end; i++) {
        int32_t v = a->list[i], t = a->wish[v];
        a->root[i] = -1;
        if (t < 0 || a->pinned[v])
            continue;
        while (a->wish[t] >= 0 && !a->pinned[t])
            t = a->wish[t];
        a->root[i] = t;
        add_weight(a, v, t, 1);
    }
}

static bool is_too_heavy(const clv_clusters *k, int32_t cluster)
{
    int32_t ncon = k->g->ncon;
    for (int32_t i = 0; i < ncon; i++)
        if (k->weight[(int64_t)cluster * ncon + i] > k->rule->max_weight[i])
            return true;
    return false;
}

static void check_range(void *context, int64_t begin, int64_t end, int member)
{
    clv_admission *a = context;
    (void)member;
    for (int64_t i = begin; i < end; i++)
        a->left[i] = a->root[i] >= 0 ? is_too_heavy(a->k, a->root[i])
                                     : a->wish[a->list[i]] >= 0; /* pinned */
}

static void join_range(void *context, int64_t begin, int64_t end, int member)
{
    clv_admission *a = context;
    (void)member;
    for (int64_t i = begin; i < end; i++) {
        int32_t v = a->list[i], root = a->root[i];
        a->wish[v] = -1;
        a->pinned[v] = 0;
        if (root < 0)
            continue;
        if (a->left[i]) {
            add_weight(a, v, root, -1);
            continue;
        }
        a->k->leader[v] = root;
        a->k->joined[v] = 1;
        __atomic_store_n(&a->k->joined[root], 1, __ATOMIC_RELAXED);
    }
}

/* Indices of those that are left, which are few: eight at a time.  One thread is faster than a
 * parallel pass. */
static int32_t list_left(clv_admission *a)
{
    int32_t count = 0;
    for (int32_t i = 0; i < a->count; i++) {
        uint64_t eight = 0;
        while (i + 8 <= a->count && (memcpy(&eight, a->left + i, 8), eight == 0))
            i += 8;
        if (i < a->count && a->left[i])
            a->rest[count++] = i;
    }
    return count;
}

/* Those whose leaders were claimed beyond the bound join in order. */
static int32_t join_rest(clv_admission *a, int32_t count)
{
    int32_t refused = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t v = a->list[a->rest[i]], root = a->root[a->rest[i]];
        if (a->k->joined[v])
            continue;
        if (root >= 0 && clv_clusters_fit(a->k, v, root))
            clv_clusters_join(a->k, v, root);
        else
            a->list[refused++] = v;
    }
    return refused;
}

int32_t clv_admit(clv_admission *a, int32_t *list, int32_t count)
{
    clv_team *team = count < parallel_from ? NULL : a->team;
    a->list = list;
    a->count = count;
    clv_parallel_for(team, count, grain, pin_range, a);
    clv_parallel_for(team, count, grain, claim_range, a);
    clv_parallel_for(team, count, grain, check_range, a);
    clv_parallel_for(team, count, grain, join_range, a);
    return join_rest(a, list_left(a));
}
