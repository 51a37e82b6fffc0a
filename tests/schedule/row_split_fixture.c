/* SPDX-License-Identifier: Apache-2.0 */
/* See row_split_fixture.h. */
#include "schedule/row_split_fixture.h"

#include "graph/derive.h"

void *split_must(void *block)
{
    if (!block)
        exit(EXIT_FAILURE);
    return block;
}

static bool is_entry(split_shape kind, int32_t n, int32_t i, int32_t j, clv_rng *rng)
{
    switch (kind) {
    case SPLIT_TRIANGLE:
        return true;
    case SPLIT_BORDER: /* the last rows are full, the others sparse */
        return i >= n - n / 4 || clv_rng_below(rng, 20) == 0;
    case SPLIT_SPARSE:
        return clv_rng_below(rng, 8) == 0;
    case SPLIT_BAND:
        return i - j < 40;
    default: /* several dense blocks, and one below all of them */
        return i >= n - n / 3 || (i / 40 == j / 40 && i - j < 36);
    }
}

/* numbering: by which vertices are renamed; NULL: rows are numbered along the arcs. */
static void make_pattern(split_sample *s, split_shape kind, int32_t n,
                         const int32_t *numbering, clv_rng *rng)
{
    uint8_t *entry = split_must(calloc((size_t)n * (size_t)n + 1, 1));
    int64_t count = 0;
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < i; j++)
            if (is_entry(kind, n, i, j, rng)) {
                int32_t row = numbering ? numbering[i] : i, col = numbering ? numbering[j] : j;
                entry[(int64_t)row * n + col] = 1;
                count++;
            }
    s->xpred = split_must(calloc((size_t)n + 1, sizeof *s->xpred));
    s->xadj = split_must(calloc((size_t)n + 1, sizeof *s->xadj));
    s->pred = split_must(calloc((size_t)count + 1, sizeof *s->pred));
    s->pwgt = split_must(calloc((size_t)count + 1, sizeof *s->pwgt));
    s->adj = split_must(calloc((size_t)count + 1, sizeof *s->adj));
    s->ewgt = split_must(calloc((size_t)count + 1, sizeof *s->ewgt));
    s->vwgt = split_must(calloc((size_t)n + 1, sizeof *s->vwgt));
    int64_t at = 0;
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j < n; j++)
            if (entry[(int64_t)i * n + j])
                s->pred[at++] = j;
        s->xpred[i + 1] = at;
    }
    for (int64_t a = 0; a < count; a++)
        s->pwgt[a] = 1 + (int32_t)clv_rng_below(rng, 9);
    free(entry);
}

void split_make(split_sample *s, split_shape kind, int32_t n, int weights, bool renamed,
                bool arcs, uint64_t seed)
{
    clv_rng rng = clv_rng_make(seed, 1, 0, 0);
    int32_t *numbering = split_must(malloc(((size_t)n + 1) * sizeof *numbering));
    clv_rng_permutation(&rng, n, numbering);
    memset(s, 0, sizeof *s);
    make_pattern(s, kind, n, renamed ? numbering : NULL, &rng);
    free(numbering);
    clv_derive_transpose_rows(n, (clv_csr){s->xpred, s->pred, {.narrow = s->pwgt}},
                              (clv_csr_space){s->xadj, s->adj, s->ewgt, NULL});
    for (int32_t v = 0; v < n; v++) {
        int32_t length = (int32_t)(s->xpred[v + 1] - s->xpred[v]) + 1;
        s->vwgt[v] = weights == 0   ? length
                     : weights == 1 ? (clv_rng_below(&rng, 5) ? 3 * length : 0)
                                    : (int32_t)clv_rng_below(&rng, 2000);
    }
    s->g = (clv_graph){.kind = CLEAVE_DAG, .nvtx = n, .narc = s->xpred[n], .ncon = 1};
    s->g.xadj = s->xadj;
    s->g.adj = s->adj;
    s->g.xpred = s->xpred;
    s->g.pred = s->pred;
    s->g.ewgt = arcs ? s->ewgt : NULL;
    s->g.pwgt = arcs ? s->pwgt : NULL;
    s->g.vwgt = weights == 3 ? NULL : s->vwgt;
}

void split_drop(split_sample *s)
{
    void *blocks[] = {s->xpred, s->xadj, s->pred, s->pwgt, s->adj, s->ewgt, s->vwgt};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        free(blocks[i]);
}

/* ---- What the tasks promise ------------------------------------------------------------- */

static bool is_last(const int32_t *row, int32_t ntask, int32_t t)
{
    return t + 1 == ntask || row[t + 1] != row[t];
}

/* Reads the tasks of a row one after the other: the row's predecessors must come out. */
static const char *row_fault(const clv_graph *g, const clv_graph *tasks, const int32_t *row,
                             int32_t v, int32_t *at)
{
    int64_t read = g->xpred[v], weight = 0;
    int32_t first = *at;
    for (; *at < tasks->nvtx && row[*at] == v; (*at)++) {
        int chain = 0;
        for (int64_t a = tasks->xpred[*at]; a < tasks->xpred[*at + 1]; a++) {
            int32_t from = tasks->pred[a];
            if (a > tasks->xpred[*at] && tasks->pred[a - 1] >= from)
                return "predecessors do not ascend";
            if (row[from] == v) {
                if (from != *at - 1)
                    return "a task continues another one than that before it";
                chain++;
                continue;
            }
            if (!is_last(row, tasks->nvtx, from))
                return "a task reads a sum that is not complete";
            if (read == g->xpred[v + 1] || g->pred[read] != row[from])
                return "a row's predecessors are not read once and in order";
            if (g->pwgt && g->pwgt[read] != tasks->pwgt[a])
                return "the weight of an arc has changed";
            read++;
        }
        if (chain != (*at > first))
            return "the chain of tasks is broken";
        weight += tasks->vwgt[*at];
    }
    if (*at == first)
        return "a row has no task";
    if (read != g->xpred[v + 1])
        return "a predecessor is not read";
    return weight == clv_graph_vwgt(g, v, 0) ? NULL : "the weights do not add up";
}

/* Kahn's algorithm, last in first out, so that the order is unlike the numbers. */
int32_t split_order(const clv_graph *g, int32_t *order)
{
    int32_t *open = split_must(calloc((size_t)g->nvtx + 1, sizeof *open)), count = 0, high = 0;
    int32_t *stack = split_must(calloc((size_t)g->nvtx + 1, sizeof *stack));
    for (int32_t v = 0; v < g->nvtx; v++)
        if ((open[v] = (int32_t)(g->xpred[v + 1] - g->xpred[v])) == 0)
            stack[high++] = v;
    while (high > 0) {
        int32_t v = stack[--high];
        order[count++] = v;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (--open[g->adj[a]] == 0)
                stack[high++] = g->adj[a];
    }
    free(open);
    free(stack);
    return count;
}

static double value_of(int32_t i, int32_t j)
{
    return ((double)(clv_hash64((uint64_t)i * 65536 + (uint64_t)j) >> 11) * 0x1.0p-53 - 0.5) /
           (i == j ? 0.7 : 3.0);
}

static void solve_rows(const clv_graph *g, const int32_t *order, double *x)
{
    for (int32_t k = 0; k < g->nvtx; k++) {
        int32_t i = order[k];
        double sum = value_of(i, 40000);
        for (int64_t a = g->xpred[i]; a < g->xpred[i + 1]; a++)
            sum -= value_of(i, g->pred[a]) * x[g->pred[a]];
        x[i] = sum / value_of(i, i);
    }
}

/* x and the sum so far by task; a task that is read too early gives a wrong value. */
static void solve_tasks(const clv_graph *tasks, const int32_t *row, const int32_t *order,
                        double *of_task)
{
    for (int32_t t = 0; t < tasks->nvtx; t++)
        of_task[t] = 1e300;
    for (int32_t k = 0; k < tasks->nvtx; k++) {
        int32_t t = order[k], i = row[t];
        bool goes_on = t > 0 && row[t - 1] == i;
        double sum = goes_on ? of_task[t - 1] : value_of(i, 40000);
        for (int64_t a = tasks->xpred[t]; a < tasks->xpred[t + 1]; a++)
            if (row[tasks->pred[a]] != i)
                sum -= value_of(i, row[tasks->pred[a]]) * of_task[tasks->pred[a]];
        of_task[t] = is_last(row, tasks->nvtx, t) ? sum / value_of(i, i) : sum;
    }
}

static const char *solve_fault(const clv_graph *g, const clv_graph *tasks, const int32_t *row)
{
    const char *fault = NULL;
    int32_t *order = split_must(calloc((size_t)tasks->nvtx + 1, sizeof *order));
    double *x = split_must(calloc((size_t)g->nvtx + 1, sizeof *x));
    double *of_task = split_must(calloc((size_t)tasks->nvtx + 1, sizeof *of_task));
    split_order(g, order);
    solve_rows(g, order, x);
    if (split_order(tasks, order) != tasks->nvtx)
        fault = "the tasks have a cycle";
    else
        solve_tasks(tasks, row, order, of_task);
    for (int32_t t = 0; t < tasks->nvtx && !fault; t++)
        if (is_last(row, tasks->nvtx, t) && memcmp(&of_task[t], &x[row[t]], sizeof *x) != 0)
            fault = "a sum has other bits";
    free(order);
    free(x);
    free(of_task);
    return fault;
}

static bool is_transpose(const clv_graph *g)
{
    int64_t *at = split_must(calloc((size_t)g->nvtx + 1, sizeof *at));
    bool same = g->xadj[0] == 0 && g->xadj[g->nvtx] == g->narc && g->xpred[g->nvtx] == g->narc;
    for (int32_t v = 0; v < g->nvtx; v++)
        at[v] = g->xadj[v];
    for (int32_t v = 0; v < g->nvtx && same; v++)
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1] && same; a++) {
            int32_t u = g->pred[a];
            same = at[u] < g->xadj[u + 1] && g->adj[at[u]] == v &&
                   (!g->ewgt || g->ewgt[at[u]] == g->pwgt[a]);
            at[u]++;
        }
    free(at);
    return same;
}

const char *split_tasks_fault(const clv_graph *g, const clv_graph *tasks, const int32_t *row)
{
    int32_t at = 0;
    for (int32_t v = 0; v < g->nvtx; v++) {
        const char *fault = row_fault(g, tasks, row, v, &at);
        if (fault)
            return fault;
    }
    if (at != tasks->nvtx)
        return "there are tasks of no row";
    if (!is_transpose(tasks))
        return "successors are not what predecessors say";
    return solve_fault(g, tasks, row);
}

const char *split_layers_fault(const clv_graph *tasks, int32_t threads, const int32_t *layer,
                               const int32_t *thread)
{
    for (int32_t t = 0; t < tasks->nvtx; t++) {
        if (layer[t] < 0 || thread[t] < 0 || thread[t] >= threads)
            return "a task has no place";
        for (int64_t a = tasks->xpred[t]; a < tasks->xpred[t + 1]; a++) {
            int32_t u = tasks->pred[a];
            if (layer[u] > layer[t] || (layer[u] == layer[t] && thread[u] != thread[t]))
                return "a task reads what is not there yet";
        }
    }
    return NULL;
}
