/* SPDX-License-Identifier: Apache-2.0 */
/* run/circuit_sweep.c - the order of a sweep, and the storage of its values. */
#include "run/circuit_sweep.h"

#include <string.h>

typedef struct sweeper {
    const clv_circuit_program *p;
    clv_circuit_sweep *s;
    int32_t *order;   /* nodes, depth first */
    int32_t *waiting; /* by node: number of children not yet computed; -1: computed itself */
    int32_t *readers; /* by node: number of elements that have not read it yet */
    int32_t *place;   /* by node: index of its values */
    int32_t *vacant;  /* free indices */
    int32_t nvacant;
} sweeper;

/* Depth-first order from the root, without recursion: next[v] is the next element side to
 * visit. */
static void order_depth_first(const clv_circuit_program *p, int64_t *next, int32_t *stack,
                              int32_t *order)
{
    int32_t depth = 0, count = 0;
    for (int32_t v = 0; v < p->nnode; v++)
        next[v] = -1;
    if (p->root < p->nleaf)
        return;
    stack[depth++] = p->root - p->nleaf;
    next[stack[0]] = 2 * p->first[stack[0]];
    while (depth > 0) {
        int32_t v = stack[depth - 1], child = -1;
        while (child < 0 && next[v] < 2 * p->first[v + 1]) {
            int64_t side = next[v]++;
            int32_t operand = side % 2 ? p->right[side / 2] : p->left[side / 2];
            if (operand >= p->nleaf && next[operand - p->nleaf] < 0)
                child = operand - p->nleaf;
        }
        if (child < 0) {
            order[count++] = v;
            depth--;
        } else {
            next[child] = 2 * p->first[child];
            stack[depth++] = child;
        }
    }
}

static int32_t read_operand(sweeper *m, int32_t operand)
{
    if (operand < m->p->nleaf)
        return operand;
    int32_t v = operand - m->p->nleaf;
    if (--m->readers[v] == 0)
        m->vacant[m->nvacant++] = m->place[v];
    return m->place[v];
}

/* Arrays under construction. */
typedef struct laying {
    clv_circuit_segment *segment;
    int32_t *place, *left, *right;
    double *log_weight, *linear_weight;
    int64_t nnode, nelement;
} laying;

/* Adds the nodes of a segment.  Their places are allocated before those of their children are
 * released, because a kernel writes some results before it has read all children. */
static void lay_segment(sweeper *m, laying *to, const int32_t *node, int32_t count)
{
    const clv_circuit_program *p = m->p;
    to->segment[m->s->nsegment++] =
        (clv_circuit_segment){clv_circuit_shape(p, node[0]), count, to->nnode, to->nelement};
    for (int32_t i = 0; i < count; i++) {
        int32_t place = m->nvacant > 0 ? m->vacant[--m->nvacant] : m->s->nplace++;
        m->place[node[i]] = to->place[to->nnode++] = place;
    }
    for (int32_t i = 0; i < count; i++)
        for (int64_t e = p->first[node[i]]; e < p->first[node[i] + 1]; e++) {
            int64_t k = to->nelement++;
            to->left[k] = read_operand(m, p->left[e]);
            to->right[k] = read_operand(m, p->right[e]);
            to->log_weight[k] = p->weight[0][e];
            to->linear_weight[k] = p->weight[1][e];
        }
}

static void finish_node(sweeper *m, int32_t v)
{
    const clv_graph *g = m->p->dag;
    m->waiting[v] = -1;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        m->waiting[g->adj[a]]--;
}

/* Segments of the first remaining node, whose children are all computed, and of up to seven
 * nodes of the same shape that are ready, from the next part of the order. */
static void lay_segments(sweeper *m, laying *to)
{
    enum { window = 400, most = 8 };
    const clv_circuit_program *p = m->p;
    for (int32_t v = 0; v < p->nnode; v++)
        m->waiting[v] = (int32_t)(p->dag->xpred[v + 1] - p->dag->xpred[v]);
    for (int32_t begin = 0; begin < p->nnode; begin++) {
        int32_t node[most], count = 0;
        if (m->waiting[m->order[begin]] < 0)
            continue;
        int32_t shape = clv_circuit_shape(p, m->order[begin]);
        for (int32_t i = begin; i < p->nnode && i < begin + window && count < most; i++)
            if (m->waiting[m->order[i]] == 0 && clv_circuit_shape(p, m->order[i]) == shape)
                node[count++] = m->order[i];
        for (int32_t i = 0; i < count; i++)
            finish_node(m, node[i]);
        lay_segment(m, to, node, count);
    }
}

static void count_readers(sweeper *m)
{
    const clv_circuit_program *p = m->p;
    for (int64_t e = 0; e < p->nelement; e++) {
        if (p->left[e] >= p->nleaf)
            m->readers[p->left[e] - p->nleaf]++;
        if (p->right[e] >= p->nleaf)
            m->readers[p->right[e] - p->nleaf]++;
    }
}

static cleave_status make_sweep(sweeper *m, clv_ws *ws, cleave_error *err)
{
    const clv_circuit_program *p = m->p;
    clv_circuit_sweep *s = m->s;
    int64_t *next = clv_ws_alloc(ws, p->nnode, sizeof *next);
    int32_t *stack = clv_ws_alloc(ws, p->nnode, sizeof *stack);
    m->order = clv_ws_alloc(ws, p->nnode, sizeof *m->order);
    m->readers = clv_ws_zalloc(ws, p->nnode, sizeof *m->readers);
    m->place = clv_ws_alloc(ws, p->nnode, sizeof *m->place);
    m->vacant = clv_ws_alloc(ws, p->nnode, sizeof *m->vacant);
    m->waiting = clv_ws_alloc(ws, p->nnode, sizeof *m->waiting);
    laying to = {.nnode = 0};
    to.segment = clv_arena_alloc(&s->arena, p->nnode, sizeof *to.segment);
    to.place = clv_arena_alloc(&s->arena, p->nnode, sizeof *to.place);
    to.left = clv_arena_alloc(&s->arena, p->nelement, sizeof *to.left);
    to.right = clv_arena_alloc(&s->arena, p->nelement, sizeof *to.right);
    to.log_weight = clv_arena_alloc(&s->arena, p->nelement, sizeof *to.log_weight);
    to.linear_weight = clv_arena_alloc(&s->arena, p->nelement, sizeof *to.linear_weight);
    if (!next || !stack || !m->order || !m->readers || !m->place || !m->vacant ||
        !m->waiting || !to.segment || !to.place || !to.left || !to.right || !to.log_weight ||
        !to.linear_weight)
        return clv_fail_memory(err);
    order_depth_first(p, next, stack, m->order);
    count_readers(m);
    s->nplace = p->nleaf;
    lay_segments(m, &to);
    s->root = p->root < p->nleaf ? p->root : m->place[p->root - p->nleaf];
    s->segment = to.segment;
    s->place = to.place;
    s->left = to.left;
    s->right = to.right;
    s->weight[0] = to.log_weight;
    s->weight[1] = to.linear_weight;
    return CLEAVE_OK;
}

cleave_status clv_circuit_sweep_new(clv_circuit_sweep *s, const clv_circuit_program *p,
                                    clv_ws *ws, cleave_error *err)
{
    sweeper m = {.p = p, .s = s};
    *s = (clv_circuit_sweep){.program = p};
    clv_ws_mark mark = clv_ws_save(ws);
    cleave_status status = make_sweep(&m, ws, err);
    clv_ws_restore(ws, mark);
    if (status != CLEAVE_OK)
        clv_circuit_sweep_free(s);
    return status;
}

void clv_circuit_sweep_free(clv_circuit_sweep *s)
{
    clv_arena_free(&s->arena);
    *s = (clv_circuit_sweep){0};
}

void clv_circuit_sweep_run(const clv_circuit_sweep *s, const clv_circuit_kernels *kernels,
                           clv_circuit_op op, const int8_t *const *instance, double *value,
                           double *root)
{
    const clv_circuit_program *p = s->program;
    bool linear = clv_circuit_is_linear(op);
    int unknown = clv_circuit_is_max(op) ? clv_leaf_max : clv_leaf_sum;
    const double *table = p->leaf[linear];
    for (int i = 0; i < clv_circuit_lanes; i++)
        value[i] = table[0];
    for (int32_t leaf = 1; leaf < p->nleaf; leaf++) {
        int64_t variable = p->variable[leaf] - 1;
        table += clv_leaf_cases;
        for (int i = 0; i < clv_circuit_lanes; i++) {
            int8_t e = instance[i][variable];
            value[(int64_t)leaf * clv_circuit_lanes + i] = table[e < 0 ? unknown : e];
        }
    }
    const clv_circuit_groups g = {s->left, s->right, s->weight[linear], s->place};
    kernels->sweep[op](s->segment, s->segment + s->nsegment, &g, value);
    memcpy(root, value + (int64_t)s->root * clv_circuit_lanes,
           clv_circuit_lanes * sizeof *root);
}
