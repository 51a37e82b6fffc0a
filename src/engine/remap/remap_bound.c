/* SPDX-License-Identifier: Apache-2.0 */
/* engine/remap/remap_bound.c - a lower bound on migration by fractional knapsack.
 *
 * Proof.  A vertex that is on no PE of the target, or is fixed to a PE other than its home,
 * moves in every mapping: its size counts.  For a PE p, consider the other vertices whose home
 * is p and those fixed to p.  If they weigh more than p's bound, the vertices that leave must
 * weigh at least the excess, because further arrivals only add to it.  The least size of
 * vertices of at least that weight is a knapsack problem.  Its fractional relaxation is a
 * lower bound and is solved exactly by taking vertices in ascending order of size per weight.
 * Sizes are integers, so the result is rounded up.  With several weights per vertex each gives
 * such a bound, and the largest is used.  Each vertex has one home, so none is counted twice.
 * Therefore every mapping within the bounds moves at least the sum over all PEs. */
#include "base/group.h"
#include "base/sort.h"
#include "engine/remap/remap.h"

int64_t clv_remap_migration(const clv_graph *g, const int32_t *home, const int32_t *part)
{
    int64_t sum = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        sum += part[v] == home[v] ? 0 : clv_graph_vsize(g, v);
    return sum;
}

typedef struct counting {
    const clv_remap_task *task;
    int32_t *first, *list; /* by PE: vertices whose home it is and that may stay */
    int64_t *weight;       /* nparts * ncon: weight of those and of others fixed there */
    clv_sort_item *items, *scratch;
} counting;

static int32_t fixed_to(const clv_remap_task *task, int32_t v)
{
    const clv_groups *groups = task->to.groups;
    return groups->fixed ? groups->fixed[clv_group_of(groups, v)] : -1;
}

/* Does v move in every mapping? */
static bool must_move(const clv_remap_task *task, int32_t v)
{
    int32_t fixed = fixed_to(task, v);
    return task->home[v] < 0 || (fixed >= 0 && fixed != task->home[v]);
}

static void weigh(counting *c, int32_t v, int32_t p)
{
    const clv_graph *g = c->task->to.g;
    for (int32_t i = 0; i < g->ncon; i++)
        c->weight[(int64_t)p * g->ncon + i] += clv_graph_vwgt(g, v, i);
}

/* Fills the lists.  Returns the size that moves in every mapping. */
static int64_t list_residents(counting *c)
{
    const clv_remap_task *task = c->task;
    int32_t n = task->to.g->nvtx, k = task->to.bounds.nparts;
    int64_t sure = 0;
    for (int32_t v = 0; v < n; v++)
        if (!must_move(task, v) && fixed_to(task, v) < 0)
            c->first[task->home[v]]++;
    clv_running_sums32(c->first, k);
    for (int32_t v = n; v-- > 0;) {
        int32_t fixed = fixed_to(task, v);
        if (must_move(task, v))
            sure += clv_graph_vsize(task->to.g, v);
        if (fixed >= 0) {
            weigh(c, v, fixed);
        } else if (task->home[v] >= 0) {
            weigh(c, v, task->home[v]);
            c->list[--c->first[task->home[v]]] = v;
        }
    }
    return sure;
}

/* Sort key: size per weight in units of 2^-32, rounded down. */
static int64_t ratio(int64_t size, int64_t weight)
{
    return (size << 32) / weight;
}

/* ceil(part * size / weight - taken * 2^-32), 0 <= part <= weight: the least that the last,
 * fractional vertex adds, minus the error of the rounded ratios before it, which is less than
 * 2^-32 per unit of weight taken. */
static int64_t last_share(int64_t size, int64_t weight, int64_t part, int64_t taken)
{
    int64_t whole = size * part / weight, rest = size * part % weight;
    double fraction = (double)(taken & 0xffffffff) / 4294967296.0;
    return whole - (taken >> 32) + (rest > 0 && (double)rest > fraction * (double)weight);
}

/* The least size of vertices of p with a weight of at least `excess`, the last one
 * fractional. */
static int64_t least_size(const counting *c, int32_t p, int32_t con, int64_t excess)
{
    const clv_graph *g = c->task->to.g;
    int64_t count = 0, sum = 0, left = excess;
    for (int32_t i = c->first[p]; i < c->first[p + 1]; i++) {
        int64_t weight = clv_graph_vwgt(g, c->list[i], con);
        if (weight > 0)
            c->items[count++] =
                (clv_sort_item){.key = ratio(clv_graph_vsize(g, c->list[i]), weight),
                                .with.index = c->list[i]};
    }
    const clv_sort_item *sorted = clv_sort(c->items, c->scratch, count);
    for (int64_t i = 0; i < count && left > 0; i++) {
        int32_t v = (int32_t)sorted[i].with.index;
        int64_t weight = clv_graph_vwgt(g, v, con), size = clv_graph_vsize(g, v);
        sum += weight < left ? size : last_share(size, weight, left, excess);
        left -= weight;
    }
    return sum > 0 ? sum : 0;
}

static cleave_status open(counting *c, clv_ws *ws, cleave_error *err)
{
    const clv_partition_task *to = &c->task->to;
    int64_t n = to->g->nvtx, k = to->bounds.nparts;
    c->first = clv_ws_zalloc(ws, k + 1, sizeof *c->first);
    c->list = clv_ws_alloc(ws, n, sizeof *c->list);
    c->weight = clv_ws_zalloc(ws, k * to->g->ncon, sizeof *c->weight);
    c->items = clv_ws_alloc(ws, n, sizeof *c->items);
    c->scratch = clv_ws_alloc(ws, n, sizeof *c->scratch);
    return c->first && c->list && c->weight && c->items && c->scratch ? CLEAVE_OK
                                                                      : clv_fail_memory(err);
}

cleave_status clv_remap_bound(const clv_remap_task *task, clv_ws *ws, int64_t *bound,
                              cleave_error *err)
{
    counting c = {.task = task};
    clv_ws_mark mark = clv_ws_save(ws);
    CLV_TRY(open(&c, ws, err));
    int32_t ncon = task->to.g->ncon;
    *bound = list_residents(&c);
    for (int32_t p = 0; p < task->to.bounds.nparts; p++) {
        int64_t most = 0;
        for (int32_t con = 0; con < ncon; con++) {
            int64_t i = (int64_t)p * ncon + con, excess = c.weight[i] - task->to.bounds.max[i];
            int64_t least = excess > 0 ? least_size(&c, p, con, excess) : 0;
            most = least > most ? least : most;
        }
        *bound += most;
    }
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
