/* SPDX-License-Identifier: Apache-2.0 */
#include "run/tri_fixture.h"

#include "support/test.h"

static cleave_error err;

/* ---- Systems ----------------------------------------------------------------------- */

/* Does row i of a lower triangle hold column j? */
static bool holds(int shape, int32_t n, int32_t i, int32_t j, clv_rng *rng)
{
    int32_t side = n < 16 ? 2 : n < 100 ? 5 : 12;
    switch (shape) {
    case 0:
        return clv_rng_below(rng, (uint32_t)n) < 3;
    case 1:
        return i - j < 12 && clv_rng_below(rng, 3) > 0;
    case 2: /* a grid */
        return (j == i - 1 && i % side) || j == i - side;
    case 3: /* dense blocks that hang on everything before now and then */
        return i / 24 == j / 24 || (clv_rng_below(rng, 100) < 60 && j / 24 % 3 == i / 24 % 3);
    case 4:
        return j == 0 || i > n - 4;
    case 5:
        return false;
    case 6:
        return true;
    default: /* equal lengths, independent rows */
        return j < 5 && i >= 8;
    }
}

static void fill_pattern(tri_system *t, int shape, clv_rng *rng)
{
    int64_t count = 0;
    for (int32_t i = 0; i < t->n; i++) {
        t->xadj[i] = count;
        for (int32_t j = 0; j < t->n; j++) {
            int32_t row = t->upper ? t->n - 1 - i : i, column = t->upper ? t->n - 1 - j : j;
            if (column < row && holds(shape, t->n, row, column, rng))
                t->col[count++] = j;
        }
    }
    t->xadj[t->n] = count;
}

static void fill_values(tri_system *t, clv_rng *rng)
{
    int64_t count = t->xadj[t->n];
    t->nval = count + t->n;
    int32_t *at = malloc(sizeof *at * (size_t)(t->nval + 1));
    clv_rng_permutation(rng, (int32_t)t->nval, at);
    for (int64_t e = 0; e < count; e++)
        t->source[e] = (uint32_t)at[e];
    for (int32_t i = 0; i < t->n; i++)
        t->diagonal[i] = at[count + i];
    for (int64_t k = 0; k < t->nval; k++) {
        t->val[k] = clv_rng_unit(rng) - 0.5;
        if (clv_rng_below(rng, 50) == 0)
            t->val[k] *= 0; /* of both signs */
    }
    for (int32_t i = 0; i < t->n; i++)
        t->val[t->diagonal[i]] = 0.7 + clv_rng_unit(rng);
    for (int64_t k = 0; k < t->nval; k++)
        t->val32[k] = (float)t->val[k];
    free(at);
}

tri_system tri_random(uint64_t seed, int32_t largest)
{
    clv_rng rng = clv_rng_make(seed, 77, 0, 0);
    tri_system t = {.upper = seed % 3 == 2, .unit = seed % 5 == 4};
    t.n = seed < 2 ? (int32_t)seed : (int32_t)clv_rng_below(&rng, (uint32_t)largest) + 1;
    size_t room = (size_t)t.n * (size_t)t.n + 1;
    t.xadj = malloc(sizeof *t.xadj * ((size_t)t.n + 1));
    t.col = malloc(sizeof *t.col * room);
    t.source = malloc(sizeof *t.source * room);
    t.diagonal = malloc(sizeof *t.diagonal * room);
    t.val = malloc(sizeof *t.val * (room + (size_t)t.n));
    t.val32 = malloc(sizeof *t.val32 * (room + (size_t)t.n));
    fill_pattern(&t, (int)(seed % 8), &rng);
    fill_values(&t, &rng);
    return t;
}

void tri_free(tri_system *t)
{
    free(t->xadj);
    free(t->col);
    free(t->source);
    free(t->diagonal);
    free(t->val);
    free(t->val32);
}

clv_tri_rows tri_rows(const tri_system *t)
{
    return (clv_tri_rows){t->n, t->xadj, t->col, t->source, t->unit ? NULL : t->diagonal,
                          false};
}

void tri_reference(const tri_system *t, double *x, const double *b)
{
    for (int32_t k = 0; k < t->n; k++) {
        int32_t i = t->upper ? t->n - 1 - k : k;
        volatile double s = b[i];
        for (int64_t e = t->xadj[i]; e < t->xadj[i + 1]; e++) {
            volatile double product = t->val[t->source[e]] * x[t->col[e]];
            s = s - product;
        }
        x[i] = t->unit ? s : s / t->val[t->diagonal[i]];
    }
}

void tri_reference32(const tri_system *t, float *x, const float *b)
{
    for (int32_t k = 0; k < t->n; k++) {
        int32_t i = t->upper ? t->n - 1 - k : k;
        volatile float s = b[i];
        for (int64_t e = t->xadj[i]; e < t->xadj[i + 1]; e++) {
            volatile float product = t->val32[t->source[e]] * x[t->col[e]];
            s = s - product;
        }
        x[i] = t->unit ? s : s / t->val32[t->diagonal[i]];
    }
}

/* ---- Schedules --------------------------------------------------------------------- */

/* Tasks of rows; share NULL where none is split. */
typedef struct task_list {
    int32_t count, *row, *share, *last;
} task_list;

static task_list cut_rows(const tri_system *t, bool split, clv_rng *rng)
{
    task_list l = {0};
    size_t room = (size_t)t->n * 4 + 1;
    l.row = malloc(sizeof *l.row * room);
    l.share = malloc(sizeof *l.share * room);
    l.last = malloc(sizeof *l.last * room);
    for (int32_t i = 0; i < t->n; i++) {
        int32_t left = (int32_t)(t->xadj[i + 1] - t->xadj[i]);
        for (int cuts = split ? (int)clv_rng_below(rng, 4) : 0; cuts > 0 && left > 1; cuts--) {
            int32_t share = 1 + (int32_t)clv_rng_below(rng, (uint32_t)left - 1);
            l.row[l.count] = i;
            l.share[l.count++] = share;
            left -= share;
        }
        l.row[l.count] = i;
        l.last[i] = l.count;
        l.share[l.count++] = left;
    }
    return l;
}

static void after(const int32_t *layer, const int32_t *thread, int32_t source, int32_t task,
                  int32_t *least)
{
    int32_t own = layer[source] + (thread[source] != thread[task]);
    if (*least < own)
        *least = own;
}

/* Layers that respect the arcs, row by row in the order of the solve. */
static void draw_layers(const tri_system *t, const task_list *l, int32_t threads, clv_rng *rng,
                        int32_t *layer, int32_t *thread, int32_t *order)
{
    int32_t done = 0, lazy = (int32_t)clv_rng_below(rng, 8) + 1;
    for (int32_t k = 0; k < t->n; k++) {
        int32_t i = t->upper ? t->n - 1 - k : k, first = i ? l->last[i - 1] + 1 : 0;
        int64_t e = t->xadj[i];
        for (int32_t v = first; v <= l->last[i]; v++) {
            int32_t least = 0;
            thread[v] = (int32_t)clv_rng_below(rng, (uint32_t)threads);
            if (v > first)
                after(layer, thread, v - 1, v, &least);
            for (int64_t end = e + l->share[v]; e < end; e++)
                after(layer, thread, l->last[t->col[e]], v, &least);
            layer[v] = least + (clv_rng_below(rng, (uint32_t)lazy + 3) == 0);
            order[done++] = v;
        }
    }
}

typedef struct keyed {
    int64_t key;
    int32_t task;
} keyed;

static int by_key(const void *a, const void *b)
{
    int64_t x = ((const keyed *)a)->key, y = ((const keyed *)b)->key;
    return x < y ? -1 : x > y;
}

/* Block after block, inside a block as they were. */
static void sort_blocks(int32_t count, int32_t threads, const int32_t *layer,
                        const int32_t *thread, int32_t *order)
{
    keyed *k = malloc(sizeof *k * ((size_t)count + 1));
    for (int32_t i = 0; i < count; i++)
        k[i] = (keyed){((int64_t)layer[order[i]] * threads + thread[order[i]]) * count + i,
                       order[i]};
    qsort(k, (size_t)count, sizeof *k, by_key);
    for (int32_t i = 0; i < count; i++)
        order[i] = k[i].task;
    free(k);
}

clv_schedule *tri_schedule(const tri_system *t, int32_t threads, bool split, clv_rng *rng)
{
    task_list l = cut_rows(t, split, rng);
    size_t room = sizeof(int32_t) * ((size_t)l.count + 1);
    int32_t *layer = malloc(room), *thread = malloc(room), *order = malloc(room);
    draw_layers(t, &l, threads, rng, layer, thread, order);
    sort_blocks(l.count, threads, layer, thread, order);
    clv_ws ws = {0};
    clv_schedule *s = NULL;
    CHECK_OK(clv_schedule_given(&s, l.count,
                                &(clv_schedule_spec){"random", threads, layer, thread, order},
                                &ws, &err));
    clv_ws_free(&ws);
    if (s) {
        s->nrows = t->n;
        s->row = split ? l.row : NULL;
        s->share = split ? l.share : NULL;
    }
    if (!s || !split) {
        free(l.row);
        free(l.share);
    }
    free(l.last);
    free(layer);
    free(thread);
    free(order);
    return s;
}

void tri_schedule_free(clv_schedule *s)
{
    free((void *)s->row);
    free((void *)s->share);
    s->row = s->share = NULL;
    clv_schedule_free(s);
}

cleave_graph *tri_graph(const tri_system *t)
{
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    int64_t *xadj = calloc((size_t)t->n + 2, sizeof *xadj);
    int32_t *adj = malloc(sizeof *adj * ((size_t)t->xadj[t->n] + 1));
    int32_t *weight = malloc(sizeof *weight * ((size_t)t->n + 1));
    for (int64_t e = 0; e < t->xadj[t->n]; e++)
        xadj[t->col[e] + 2]++;
    for (int32_t i = 0; i < t->n; i++)
        xadj[i + 2] += xadj[i + 1];
    for (int32_t i = 0; i < t->n; i++) {
        weight[i] = (int32_t)(t->xadj[i + 1] - t->xadj[i]) + 1;
        for (int64_t e = t->xadj[i]; e < t->xadj[i + 1]; e++)
            adj[xadj[t->col[e] + 1]++] = i;
    }
    csr.kind = CLEAVE_DAG;
    csr.nvtx = t->n;
    csr.xadj = xadj;
    csr.adj = adj;
    csr.vwgt = weight;
    cleave_graph *g = NULL;
    CHECK_OK(cleave_graph_create(&g, &csr, 0, &err));
    free(xadj);
    free(adj);
    free(weight);
    return g;
}
