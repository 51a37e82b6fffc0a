/* SPDX-License-Identifier: Apache-2.0 */
/* run/circuit_groups.c - from a schedule to groups of eight nodes. */
#include "run/circuit_groups.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"

typedef struct binder {
    const clv_circuit_binding *how;
    const clv_circuit_program *p;
    const clv_schedule *s;
    clv_circuit_bound *b;
    clv_ws *ws;
    cleave_error *err;
    int32_t lanes;   /* nodes per group */
    int64_t *place;  /* by node: index of its value */
    int32_t *height; /* by node: the longest chain inside its block that ends at it */
    clv_sort_item *items, *scratch;
    int32_t *filled; /* nodes in the order of their values; -1: padding of a group */
    clv_circuit_segment *segment;
    int64_t nsegment;
    int64_t *leaf_at; /* by leaf: its index for the current thread; -1: none */
} binder;

/* ---- Reads between threads ------------------------------------------------------------ */

/* By thread, the last layer + 1 from which the nodes of a block read. */
static void note_reads(const binder *m, int64_t block, int32_t *most)
{
    const clv_schedule *s = m->s;
    const clv_graph *g = m->p->dag;
    for (int64_t i = s->block[block]; i < s->block[block + 1]; i++) {
        int32_t v = s->order[i];
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
            int32_t u = g->pred[a];
            if (s->thread[u] != s->thread[v] && most[s->thread[u]] <= s->layer[u])
                most[s->thread[u]] = s->layer[u] + 1;
        }
    }
}

static cleave_status find_reads(const binder *m, clv_sync_reads *reads)
{
    const clv_schedule *s = m->s;
    int64_t blocks = (int64_t)s->layers * s->threads, room = 0, count = 0;
    for (int64_t k = 0; k < blocks; k++)
        room += s->block[k] < s->block[k + 1] ? s->threads : 0;
    int64_t *xread = clv_ws_alloc(m->ws, blocks + 1, sizeof *xread);
    clv_sync_wait *read = clv_ws_alloc(m->ws, room, sizeof *read);
    int32_t *most = clv_ws_alloc(m->ws, s->threads, sizeof *most);
    if (!xread || !read || !most)
        return clv_fail_memory(m->err);
    for (int64_t k = 0; k < blocks; k++) {
        xread[k] = count;
        if (s->block[k] == s->block[k + 1])
            continue;
        memset(most, 0, sizeof *most * (size_t)s->threads);
        note_reads(m, k, most);
        for (int32_t other = 0; other < s->threads; other++)
            if (most[other] > 0)
                read[count++] = (clv_sync_wait){other, most[other]};
    }
    xread[blocks] = count;
    *reads = (clv_sync_reads){s, xread, read};
    return CLEAVE_OK;
}

/* ---- Groups --------------------------------------------------------------------------- */

static void set_height(const binder *m, int32_t v)
{
    const clv_graph *g = m->p->dag;
    int32_t height = 0;
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
        int32_t u = g->pred[a];
        if (m->s->layer[u] == m->s->layer[v] && m->height[u] >= height)
            height = m->height[u] + 1;
    }
    m->height[v] = height;
}

/* Sorts the nodes of a block by height, then by shape. */
static const clv_sort_item *sort_block(const binder *m, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++) {
        int32_t v = m->s->order[i];
        set_height(m, v);
        m->items[i - begin].key = m->lanes == 1
                                      ? i
                                      : (int64_t)m->height[v] * (clv_circuit_widest + 1) +
                                            clv_circuit_shape(m->p, v);
        m->items[i - begin].with.index = v;
    }
    return clv_sort(m->items, m->scratch, end - begin);
}

/* Adds a group of `count` nodes, padded to eight, with the shape of its widest. fresh: it may
 * read the groups before it, so that a new segment starts. */
static void add_group(binder *m, const clv_sort_item *items, int32_t count, int32_t shape,
                      bool fresh)
{
    clv_circuit_bound *b = m->b;
    if (fresh || m->segment[m->nsegment - 1].elements != shape)
        m->segment[m->nsegment++] = (clv_circuit_segment){shape, 0, b->nplace, b->nelement};
    m->segment[m->nsegment - 1].groups++;
    for (int32_t i = 0; i < m->lanes; i++) {
        int32_t v = i < count ? (int32_t)items[i].with.index : -1;
        m->filled[b->nplace + i] = v;
        if (v >= 0)
            m->place[v] = b->nplace + i;
    }
    b->nplace += m->lanes;
    b->nelement += (int64_t)m->lanes * (shape > 0 ? shape : 1);
}

/* Groups of up to eight nodes of equal height; products are not mixed with sums. */
static void group_block(binder *m, int64_t begin, int64_t end)
{
    const clv_sort_item *items = sort_block(m, begin, end);
    int64_t n = end - begin;
    int32_t before = -1;
    for (int64_t i = 0, next; i < n; i = next) {
        int32_t v = (int32_t)items[i].with.index, shape = clv_circuit_shape(m->p, v);
        int32_t height = m->height[v];
        bool product = shape == 0;
        for (next = i + 1; next < n && next - i < m->lanes; next++) {
            int32_t u = (int32_t)items[next].with.index, its = clv_circuit_shape(m->p, u);
            if (m->height[u] != height || (its == 0) != product)
                break;
            shape = its;
        }
        add_group(m, items + i, (int32_t)(next - i), shape, m->lanes == 1 || height != before);
        before = height;
    }
}

/* ---- Leaves --------------------------------------------------------------------------- */

static void use_leaf(binder *m, int32_t operand, int32_t *leaf, int64_t *count)
{
    if (operand < m->p->nleaf && m->leaf_at[operand] < 0) {
        m->leaf_at[operand] = *count;
        leaf[(*count)++] = operand;
    }
}

/* Collects the leaves that the nodes of a thread read; leaf 0 is always included. */
static int64_t collect_leaves(binder *m, int32_t thread, int32_t *leaf)
{
    const clv_schedule *s = m->s;
    const clv_circuit_program *p = m->p;
    int64_t count = 0;
    memset(m->leaf_at, 0xff, (size_t)p->nleaf * sizeof *m->leaf_at);
    use_leaf(m, 0, leaf, &count);
    for (int32_t l = 0; l < s->layers; l++) {
        int64_t block = (int64_t)l * s->threads + thread;
        for (int64_t i = s->block[block]; i < s->block[block + 1]; i++)
            for (int64_t e = p->first[s->order[i]]; e < p->first[s->order[i] + 1]; e++) {
                use_leaf(m, p->left[e], leaf, &count);
                use_leaf(m, p->right[e], leaf, &count);
            }
    }
    return count;
}

/* ---- Elements ------------------------------------------------------------------------- */

typedef struct filling {
    int32_t *left, *right;
    double *log_weight, *linear_weight;
} filling;

static int32_t place_of(const binder *m, int64_t leaf_place, int32_t operand)
{
    return operand < m->p->nleaf ? (int32_t)(leaf_place + m->leaf_at[operand])
                                 : (int32_t)m->place[operand - m->p->nleaf];
}

static void fill_segment(const binder *m, const clv_circuit_segment *seg, const filling *f,
                         int64_t leaf_place)
{
    const clv_circuit_program *p = m->p;
    int32_t wide = seg->elements > 0 ? seg->elements : 1;
    for (int64_t i = 0; i < (int64_t)seg->groups * m->lanes; i++) {
        int32_t v = m->filled[seg->place + i];
        int64_t group = i / m->lanes, lane = i % m->lanes;
        for (int32_t j = 0; j < wide; j++) {
            int64_t to = seg->element + (group * wide + j) * m->lanes + lane;
            int64_t e = v >= 0 ? p->first[v] + j : 0;
            bool real = v >= 0 && e < p->first[v + 1];
            f->left[to] = place_of(m, leaf_place, real ? p->left[e] : 0);
            f->right[to] = place_of(m, leaf_place, real ? p->right[e] : 0);
            f->log_weight[to] = real ? p->weight[0][e] : -INFINITY;
            f->linear_weight[to] = real ? p->weight[1][e] : 0;
        }
    }
}

/* ---- Binding -------------------------------------------------------------------------- */

/* Lays out the leaves and blocks of one thread, and the segments of its steps. */
static void lay_thread(binder *m, int32_t thread, int64_t *xsegment, int32_t *leaf,
                       int64_t *xleaf, int64_t *leaf_place)
{
    const clv_schedule *s = m->s;
    clv_circuit_bound *b = m->b;
    int32_t member = b->sync.member[thread];
    b->nplace = (b->nplace + clv_circuit_lanes - 1) / clv_circuit_lanes * clv_circuit_lanes;
    leaf_place[member] = b->nplace;
    xleaf[member + 1] = xleaf[member] + collect_leaves(m, thread, leaf + xleaf[member]);
    b->nplace += (xleaf[member + 1] - xleaf[member] + clv_circuit_lanes - 1) /
                 clv_circuit_lanes * clv_circuit_lanes;
    for (int64_t k = b->sync.xstep[member]; k < b->sync.xstep[member + 1]; k++) {
        const clv_sync_step *step = &b->sync.step[k];
        xsegment[k] = m->nsegment;
        for (int32_t l = step->first; l <= step->last; l++) {
            int64_t block = (int64_t)l * s->threads + thread;
            group_block(m, s->block[block], s->block[block + 1]);
        }
    }
}

static cleave_status lay_out(binder *m)
{
    const clv_schedule *s = m->s;
    const clv_circuit_program *p = m->p;
    clv_circuit_bound *b = m->b;
    int32_t threads = b->sync.threads;
    int64_t steps = b->sync.xstep[threads];
    /* Upper bound: every group has at least one node. */
    int64_t room = (int64_t)p->nnode * clv_circuit_lanes +
                   (int64_t)threads * (p->nleaf + clv_circuit_lanes);
    int64_t *xsegment = clv_arena_alloc(&b->arena, steps + 1, sizeof *xsegment);
    int32_t *leaf = clv_arena_alloc(&b->arena, (int64_t)threads * p->nleaf, sizeof *leaf);
    int64_t *xleaf = clv_arena_alloc(&b->arena, (int64_t)threads + 1, sizeof *xleaf);
    int64_t *leaf_place = clv_arena_alloc(&b->arena, threads, sizeof *leaf_place);
    m->segment = clv_arena_alloc(&b->arena, p->nnode, sizeof *m->segment);
    m->filled = clv_ws_alloc(m->ws, room, sizeof *m->filled);
    if (!xsegment || !leaf || !xleaf || !leaf_place || !m->segment || !m->filled)
        return clv_fail_memory(m->err);
    xleaf[0] = 0;
    for (int32_t t = 0; t < s->threads; t++)
        if (b->sync.member[t] >= 0)
            lay_thread(m, t, xsegment, leaf, xleaf, leaf_place);
    xsegment[steps] = m->nsegment;
    b->segment = m->segment;
    b->xsegment = xsegment;
    b->leaf = leaf;
    b->xleaf = xleaf;
    b->leaf_place = leaf_place;
    return b->nplace <= INT32_MAX
               ? CLEAVE_OK
               : clv_fail(m->err, CLEAVE_ERANGE, "the circuit has too many nodes");
}

static cleave_status fill_elements(binder *m)
{
    clv_circuit_bound *b = m->b;
    filling f;
    f.left = clv_circuit_lines(&b->arena, b->nelement, sizeof *f.left);
    f.right = clv_circuit_lines(&b->arena, b->nelement, sizeof *f.right);
    f.log_weight = clv_circuit_lines(&b->arena, b->nelement, sizeof *f.log_weight);
    f.linear_weight = clv_circuit_lines(&b->arena, b->nelement, sizeof *f.linear_weight);
    b->value = clv_circuit_lines(&b->arena, b->nplace, sizeof *b->value);
    if (!f.left || !f.right || !f.log_weight || !f.linear_weight || !b->value)
        return clv_fail_memory(m->err);
    for (int32_t q = 0; q < b->sync.threads; q++) {
        memset(m->leaf_at, 0xff, (size_t)m->p->nleaf * sizeof *m->leaf_at);
        for (int64_t i = b->xleaf[q]; i < b->xleaf[q + 1]; i++)
            m->leaf_at[b->leaf[i]] = i - b->xleaf[q];
        for (int64_t k = b->sync.xstep[q]; k < b->sync.xstep[q + 1]; k++)
            for (int64_t i = b->xsegment[k]; i < b->xsegment[k + 1]; i++)
                fill_segment(m, &b->segment[i], &f, b->leaf_place[q]);
    }
    b->left = f.left;
    b->right = f.right;
    b->weight[0] = f.log_weight;
    b->weight[1] = f.linear_weight;
    b->bytes = b->nelement * 16 + b->nplace * 8;
    return CLEAVE_OK;
}

static cleave_status bind_threads(binder *m)
{
    const clv_circuit_program *p = m->p;
    clv_circuit_bound *b = m->b;
    clv_sync_reads reads;
    CLV_TRY(find_reads(m, &reads));
    CLV_TRY(clv_run_sync_new(&b->sync, &reads, m->how->sync, &b->arena, m->ws, m->err));
    m->place = clv_ws_alloc(m->ws, p->nnode, sizeof *m->place);
    m->height = clv_ws_alloc(m->ws, p->nnode, sizeof *m->height);
    m->items = clv_ws_alloc(m->ws, p->nnode, sizeof *m->items);
    m->scratch = clv_ws_alloc(m->ws, p->nnode, sizeof *m->scratch);
    m->leaf_at = clv_ws_alloc(m->ws, p->nleaf, sizeof *m->leaf_at);
    if (!m->place || !m->height || !m->items || !m->scratch || !m->leaf_at)
        return clv_fail_memory(m->err);
    CLV_TRY(lay_out(m));
    CLV_TRY(fill_elements(m));
    b->root = m->place[p->root - p->nleaf];
    b->root_owner = b->sync.member[m->s->thread[p->root - p->nleaf]];
    return CLEAVE_OK;
}

void *clv_circuit_lines(clv_arena *arena, int64_t count, size_t each)
{
    enum { line = 64 };
    int64_t bytes;
    if (!clv_mul_i64(count, (int64_t)each, &bytes))
        return NULL;
    char *raw = clv_arena_alloc(arena, bytes + 2 * line, 1);
    return raw ? raw + (line - (uintptr_t)raw % line) : NULL;
}

cleave_status clv_circuit_bind(clv_circuit_bound *b, const clv_circuit_binding *how,
                               const clv_schedule *s, clv_ws *ws, cleave_error *err)
{
    binder m = {.how = how, .p = how->program, .s = s, .b = b, .ws = ws, .err = err};
    m.lanes = how->simple ? 1 : clv_circuit_lanes;
    *b = (clv_circuit_bound){.program = how->program, .simple = how->simple};
    clv_ws_mark mark = clv_ws_save(ws);
    cleave_status status = bind_threads(&m);
    clv_ws_restore(ws, mark);
    if (status != CLEAVE_OK)
        clv_circuit_bound_free(b);
    return status;
}

void clv_circuit_bound_free(clv_circuit_bound *b)
{
    clv_arena_free(&b->arena);
    *b = (clv_circuit_bound){0};
}

/* ---- Running -------------------------------------------------------------------------- */

static void fill_leaves(const clv_circuit_bound *b, clv_circuit_op op, const int8_t *evidence,
                        int member)
{
    const clv_circuit_program *p = b->program;
    const double *table = p->leaf[clv_circuit_is_linear(op)];
    int unknown = clv_circuit_is_max(op) ? clv_leaf_max : clv_leaf_sum;
    double *to = b->value + b->leaf_place[member];
    to[0] = table[0];
    for (int64_t i = b->xleaf[member] + 1; i < b->xleaf[member + 1]; i++) {
        int32_t leaf = b->leaf[i];
        int8_t e = evidence[p->variable[leaf] - 1];
        *++to = table[(int64_t)leaf * clv_leaf_cases + (e < 0 ? unknown : e)];
    }
}

void clv_circuit_bound_run(clv_circuit_bound *b, const clv_circuit_kernels *kernels,
                           clv_circuit_op op, const int8_t *evidence, int member, double *root)
{
    const clv_run_sync *sync = &b->sync;
    const clv_circuit_groups g = {b->left, b->right, b->weight[clv_circuit_is_linear(op)],
                                  NULL};
    clv_circuit_kernel kernel =
        b->simple ? clv_circuit_kernels_simple[op] : kernels->groups[op];
    uint64_t base = clv_run_sync_begin(sync, member);
    fill_leaves(b, op, evidence, member);
    for (int64_t k = sync->xstep[member]; k < sync->xstep[member + 1]; k++) {
        clv_run_sync_before(sync, &sync->step[k], base);
        kernel(b->segment + b->xsegment[k], b->segment + b->xsegment[k + 1], &g, b->value);
        clv_run_sync_after(sync, &sync->step[k], member, base);
    }
    if (member == b->root_owner)
        *root = b->value[b->root];
    clv_run_sync_end(sync, member, base);
}
