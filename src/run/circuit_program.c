/* SPDX-License-Identifier: Apache-2.0 */
/* run/circuit_program.c - from the nodes of a file to leaves, nodes and elements. */
#include "run/circuit_program.h"

#include <math.h>
#include <string.h>

#include "base/group.h"
#include "graph/build.h"

typedef struct maker {
    const clv_circuit *c;
    clv_circuit_program *p;
    clv_ws *ws;
    cleave_error *err;
    bool *used;        /* by node of the circuit: reachable from the root */
    int32_t *operand;  /* by node of the circuit: the leaf, or -2 - its node */
    int32_t *variable; /* arrays of the program, growing */
    double *leaf_log;
    int64_t *first;
    int32_t *left, *right;
    double *weight;
} maker;

int32_t clv_circuit_variables(const clv_circuit *c)
{
    int32_t most = 0;
    for (int32_t v = 0; v < c->nnode; v++) {
        int32_t variable = c->literal[v] < 0 ? -c->literal[v] : c->literal[v];
        most = variable > most ? variable : most;
    }
    return most;
}

/* Measured with one thread, eight lanes and all data in cache: 0.75 ns per element, 2 ns per
 * exponential or logarithm. */
int32_t clv_circuit_cost(const clv_circuit_program *p, int32_t node, bool exponentials)
{
    int64_t elements = p->first[node + 1] - p->first[node];
    return (int32_t)(3 * elements + (exponentials && elements > 1 ? 8 * (elements + 1) : 0));
}

/* ---- Leaves --------------------------------------------------------------------------- */

static void mark_used(maker *m)
{
    const clv_circuit *c = m->c;
    m->used[c->nnode - 1] = true;
    for (int32_t v = c->nnode; v-- > 0;)
        if (m->used[v])
            for (int64_t e = c->first[v]; e < c->first[v + 1]; e++)
                m->used[c->prime[e]] = m->used[c->sub[e]] = true;
}

static void set_table(double *table, double is_false, double is_true)
{
    table[clv_leaf_false] = is_false;
    table[clv_leaf_true] = is_true;
    table[clv_leaf_sum] = 0; /* the probabilities of both cases sum to 1 */
    table[clv_leaf_max] = is_true > is_false ? is_true : is_false;
}

static cleave_status set_leaf(maker *m, int32_t v, double *table)
{
    const clv_circuit *c = m->c;
    enum { rounding = 1000000000 };
    if (c->kind[v] == CLV_NODE_LITERAL) {
        bool positive = c->literal[v] > 0;
        set_table(table, positive ? -INFINITY : 0, positive ? 0 : -INFINITY);
        return CLEAVE_OK;
    }
    double w = c->node_weight[v];
    if (w > 1.0 / rounding)
        return clv_fail(m->err, CLEAVE_EINVAL,
                        "node %lld gives its variable a probability above 1",
                        (long long)c->id[v]);
    w = w >= 0 ? 0 : w; /* replaces -0 by 0 */
    set_table(table, clv_circuit_log_rest(w), w);
    return CLEAVE_OK;
}

/* The bits of a double: leaves are equal if their tables have equal bits. */
static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static bool same_leaf(const double *a, const double *b)
{
    return bits_of(a[clv_leaf_true]) == bits_of(b[clv_leaf_true]) &&
           bits_of(a[clv_leaf_false]) == bits_of(b[clv_leaf_false]);
}

/* The leaf of node v: an equal leaf in its hash chain, or a new one. */
static void add_leaf(maker *m, int32_t v, const double *table, int32_t *bucket, int32_t *next,
                     int32_t mask)
{
    int32_t variable = m->c->literal[v] < 0 ? -m->c->literal[v] : m->c->literal[v];
    uint64_t hash = (bits_of(table[clv_leaf_true]) ^ (uint64_t)(uint32_t)variable << 20) *
                    0x9e3779b97f4a7c15u;
    int32_t *chain = &bucket[(hash >> 40) & (uint64_t)mask];
    for (int32_t l = *chain; l >= 0; l = next[l])
        if (m->variable[l] == variable &&
            same_leaf(m->leaf_log + (int64_t)l * clv_leaf_cases, table)) {
            m->operand[v] = l;
            return;
        }
    int32_t l = m->p->nleaf++;
    m->variable[l] = variable;
    memcpy(m->leaf_log + (int64_t)l * clv_leaf_cases, table, clv_leaf_cases * sizeof *table);
    next[l] = *chain;
    *chain = l;
    m->operand[v] = l;
}

static cleave_status make_leaves(maker *m)
{
    const clv_circuit *c = m->c;
    int32_t count = 1, size = 1;
    for (int32_t v = 0; v < c->nnode; v++)
        count += m->used[v] && c->kind[v] != CLV_NODE_DECISION;
    while (size < count && size < 1 << 20)
        size *= 2;
    m->variable = clv_arena_alloc(&m->p->arena, count, sizeof *m->variable);
    m->leaf_log =
        clv_arena_alloc(&m->p->arena, (int64_t)count * clv_leaf_cases, sizeof *m->leaf_log);
    int32_t *bucket = clv_ws_alloc(m->ws, size, sizeof *bucket);
    int32_t *next = clv_ws_alloc(m->ws, count, sizeof *next);
    if (!m->variable || !m->leaf_log || !bucket || !next)
        return clv_fail_memory(m->err);
    memset(bucket, 0xff, (size_t)size * sizeof *bucket);
    m->variable[0] = 0;
    memset(m->leaf_log, 0, clv_leaf_cases * sizeof *m->leaf_log);
    m->p->nleaf = 1;
    for (int32_t v = 0; v < c->nnode; v++)
        if (m->used[v] && c->kind[v] != CLV_NODE_DECISION) {
            double table[clv_leaf_cases];
            CLV_TRY(set_leaf(m, v, table));
            add_leaf(m, v, table, bucket, next, size - 1);
        }
    return CLEAVE_OK;
}

/* ---- Nodes ---------------------------------------------------------------------------- */

static void add_element(maker *m, int32_t left, int32_t right, double weight)
{
    int64_t e = m->p->nelement++;
    m->left[e] = left;
    m->right[e] = right;
    m->weight[e] = weight == 0 ? 0 : weight; /* replaces -0 by 0 */
}

/* Completes the node of the elements added last; returns it as an operand. */
static int32_t add_node(maker *m)
{
    m->first[m->p->nnode + 1] = m->p->nelement;
    return -2 - m->p->nnode++;
}

/* Adds up the consecutive nodes [begin, end), at most `widest` at a time, until one is left.
 */
static void sum_sums(maker *m, int32_t begin, int32_t end)
{
    while (end - begin > 1) {
        int32_t level = end;
        for (int32_t s = begin; s < level;) {
            for (int32_t i = 0; i < clv_circuit_widest && s < level; i++)
                add_element(m, -2 - s++, 0, 0);
            add_node(m);
        }
        begin = level;
        end = m->p->nnode;
    }
}

static int32_t make_node(maker *m, int32_t v)
{
    const clv_circuit *c = m->c;
    int32_t begin = m->p->nnode;
    for (int64_t e = c->first[v]; e < c->first[v + 1];) {
        for (int32_t i = 0; i < clv_circuit_widest && e < c->first[v + 1]; i++, e++)
            add_element(m, m->operand[c->prime[e]], m->operand[c->sub[e]], c->weight[e]);
        add_node(m);
    }
    sum_sums(m, begin, m->p->nnode);
    return -2 - (m->p->nnode - 1);
}

/* Upper bounds on the numbers of nodes and elements. */
static cleave_status count_nodes(maker *m, int64_t *nnode, int64_t *nelement)
{
    const clv_circuit *c = m->c;
    *nnode = *nelement = 0;
    for (int32_t v = 0; v < c->nnode; v++) {
        if (!m->used[v] || c->kind[v] != CLV_NODE_DECISION)
            continue;
        int64_t count = c->first[v + 1] - c->first[v];
        *nelement += count;
        do {
            count = (count + clv_circuit_widest - 1) / clv_circuit_widest;
            *nnode += count;
            *nelement += count > 1 ? count : 0;
        } while (count > 1);
    }
    if (*nnode > INT32_MAX - m->p->nleaf - 8)
        return clv_fail(m->err, CLEAVE_ERANGE, "the circuit has too many nodes");
    return CLEAVE_OK;
}

/* Operands as numbers: leaves first, then nodes. */
static int32_t as_operand(const maker *m, int32_t operand)
{
    return operand >= 0 ? operand : m->p->nleaf + (-2 - operand);
}

static cleave_status make_nodes(maker *m)
{
    const clv_circuit *c = m->c;
    clv_circuit_program *p = m->p;
    int64_t nnode, nelement;
    CLV_TRY(count_nodes(m, &nnode, &nelement));
    m->first = clv_arena_alloc(&p->arena, nnode + 1, sizeof *m->first);
    m->left = clv_arena_alloc(&p->arena, nelement, sizeof *m->left);
    m->right = clv_arena_alloc(&p->arena, nelement, sizeof *m->right);
    m->weight = clv_arena_alloc(&p->arena, nelement, sizeof *m->weight);
    if (!m->first || !m->left || !m->right || !m->weight)
        return clv_fail_memory(m->err);
    m->first[0] = 0;
    for (int32_t v = 0; v < c->nnode; v++)
        if (m->used[v] && c->kind[v] == CLV_NODE_DECISION)
            m->operand[v] = make_node(m, v);
    for (int64_t e = 0; e < p->nelement; e++) {
        m->left[e] = as_operand(m, m->left[e]);
        m->right[e] = as_operand(m, m->right[e]);
    }
    p->root = as_operand(m, m->operand[c->nnode - 1]);
    return CLEAVE_OK;
}

/* ---- The linear side ------------------------------------------------------------------ */

static double *exponentials(maker *m, const double *from, int64_t count)
{
    double *to = clv_arena_alloc(&m->p->arena, count, sizeof *to);
    for (int64_t i = 0; to && i < count; i++)
        to[i] = from[i] <= 709 ? clv_circuit_exp(from[i]) : INFINITY;
    return to;
}

static bool is_proper(const maker *m)
{
    const clv_circuit *c = m->c;
    const double rounding = 1e-6;
    for (int32_t v = 0; v < c->nnode; v++) {
        double sum = 0;
        for (int64_t e = c->first[v]; m->used[v] && e < c->first[v + 1]; e++)
            sum += c->weight[e] < 1 ? clv_circuit_exp(c->weight[e]) : 2;
        if (!(sum <= 1 + rounding))
            return false;
    }
    return true;
}

static cleave_status make_linear(maker *m)
{
    clv_circuit_program *p = m->p;
    double *leaf = exponentials(m, m->leaf_log, (int64_t)p->nleaf * clv_leaf_cases);
    double *weight = exponentials(m, m->weight, p->nelement);
    if (!leaf || !weight)
        return clv_fail_memory(m->err);
    p->variable = m->variable;
    p->leaf[0] = m->leaf_log;
    p->leaf[1] = leaf;
    p->first = m->first;
    p->left = m->left;
    p->right = m->right;
    p->weight[0] = m->weight;
    p->weight[1] = weight;
    p->proper = is_proper(m);
    return CLEAVE_OK;
}

/* ---- The DAG -------------------------------------------------------------------------- */

/* Is this the first read of the operand by node v? last: by node, its last reader. */
static bool reads_anew(const clv_circuit_program *p, int32_t *last, int32_t operand, int32_t v)
{
    if (operand < p->nleaf || last[operand - p->nleaf] == v)
        return false;
    last[operand - p->nleaf] = v;
    return true;
}

/* adj NULL: counts the readers of each node at xadj[node + 1]; otherwise stores them at
 * xadj[node + 1]++. */
static void visit_arcs(const clv_circuit_program *p, int32_t *last, int64_t *xadj,
                       int32_t *adj)
{
    memset(last, 0xff, (size_t)p->nnode * sizeof *last);
    for (int32_t v = 0; v < p->nnode; v++)
        for (int64_t e = p->first[v]; e < p->first[v + 1]; e++) {
            const int32_t two[] = {p->left[e], p->right[e]};
            for (int i = 0; i < 2; i++)
                if (reads_anew(p, last, two[i], v)) {
                    int64_t at = xadj[two[i] - p->nleaf + 1]++;
                    if (adj)
                        adj[at] = v;
                }
        }
}

static cleave_status make_dag(maker *m)
{
    clv_circuit_program *p = m->p;
    clv_rows rows = {.nvtx = p->nnode, .known_good = true};
    clv_build_rules rules = {.trust = true};
    int32_t *last = clv_ws_alloc(m->ws, p->nnode, sizeof *last);
    rows.xadj = clv_zalloc((int64_t)p->nnode + 1, sizeof *rows.xadj);
    if (!last || !rows.xadj) {
        clv_rows_free(&rows);
        return clv_fail_memory(m->err);
    }
    visit_arcs(p, last, rows.xadj, NULL);
    rows.adj = clv_alloc(clv_group_starts(rows.xadj, p->nnode), sizeof *rows.adj);
    if (!rows.adj) {
        clv_rows_free(&rows);
        return clv_fail_memory(m->err);
    }
    visit_arcs(p, last, rows.xadj, rows.adj);
    return clv_build_graph(&p->dag, CLEAVE_DAG, &rows, &rules, NULL, m->err);
}

static cleave_status make_program(maker *m)
{
    m->used = clv_ws_zalloc(m->ws, m->c->nnode, sizeof *m->used);
    m->operand = clv_ws_alloc(m->ws, m->c->nnode, sizeof *m->operand);
    if (!m->used || !m->operand)
        return clv_fail_memory(m->err);
    m->p->nvar = clv_circuit_variables(m->c);
    mark_used(m);
    CLV_TRY(make_leaves(m));
    CLV_TRY(make_nodes(m));
    CLV_TRY(make_linear(m));
    return make_dag(m);
}

cleave_status clv_circuit_program_new(clv_circuit_program *p, const clv_circuit *c, clv_ws *ws,
                                      cleave_error *err)
{
    maker m = {.c = c, .p = p, .ws = ws, .err = err};
    *p = (clv_circuit_program){0};
    if (c->nnode == 0)
        return clv_fail(err, CLEAVE_EINVAL, "the circuit has no nodes");
    clv_ws_mark mark = clv_ws_save(ws);
    cleave_status status = make_program(&m);
    clv_ws_restore(ws, mark);
    if (status != CLEAVE_OK)
        clv_circuit_program_free(p);
    return status;
}

void clv_circuit_program_free(clv_circuit_program *p)
{
    clv_graph_free(p->dag);
    clv_arena_free(&p->arena);
    *p = (clv_circuit_program){0};
}
