/* SPDX-License-Identifier: Apache-2.0 */
/* bench/solve/solve_set.c - triangles to solve with: the recorded ones (patterns as in
 * layers_set.c, generated values), IC(0) or, where the matrix is not symmetric, ILU(0) of the
 * matrices of the shared folder, their exact factors, and IC(0) of Laplacians from 100 rows to
 * a million. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solve/solve.h"

const char *const solve_groups[nsolve_group] = {"recorded", "incomplete factors",
                                                "exact factors", "Laplacians, IC(0)"};

typedef struct walk {
    const settings *s;
    int quick;
    const char *only;
    solve_each each;
    void *payload;
} walk;

static void *must(void *block)
{
    if (!block)
        bench_fail("out of memory");
    return block;
}

static int wanted(const walk *w, const char *name)
{
    char item[max_list][40];
    if (!w->only)
        return 1;
    int count = bench_list(w->only, item);
    for (int i = 0; i < count; i++)
        if (strcmp(item[i], name) == 0)
            return 1;
    return 0;
}

static void hand_over(const walk *w, triangle *t, const char *name, solve_group group)
{
    snprintf(t->name, sizeof t->name, "%s", name);
    t->group = group;
    w->each(w->payload, t);
    free(t->xadj);
    free(t->col);
    free(t->val);
}

static void make_room(triangle *t, int32_t n, int64_t entries)
{
    t->n = n;
    t->xadj = must(malloc(((size_t)n + 1) * sizeof *t->xadj));
    t->col = must(malloc(((size_t)entries + 1) * sizeof *t->col));
    t->val = must(malloc(((size_t)entries + 1) * sizeof *t->val));
}

/* ---- From a DAG of rows ----------------------------------------------------------------- */

/* Values that keep a solution near its right-hand side. */
static void from_rows(triangle *t, const cleave_graph *g)
{
    cleave_csr rows;
    cleave_csr_init(&rows, sizeof rows);
    cleave_graph_view_predecessors(g, &rows);
    make_room(t, rows.nvtx, rows.xadj[rows.nvtx] + rows.nvtx);
    int64_t at = 0;
    for (int32_t i = 0; i < rows.nvtx; i++) {
        t->xadj[i] = at;
        double share = 1.0 / (double)(1 + rows.xadj[i + 1] - rows.xadj[i]);
        for (int64_t a = rows.xadj[i]; a < rows.xadj[i + 1]; a++, at++) {
            t->col[at] = rows.adj[a];
            t->val[at] = -share * (double)(1 + a % 7) / 8;
        }
        t->col[at] = i;
        t->val[at++] = 1.25 + (double)(i % 5) / 16;
    }
    t->xadj[rows.nvtx] = at;
}

static void walk_anchors(const walk *w)
{
    for (int i = 0; i < layers_count; i++) {
        const layers_graph *what = &layers_set[i];
        const char *why = "";
        if (what->kind == CIRCUIT || (w->quick && !what->quick) || !wanted(w, what->name))
            continue;
        cleave_graph *g = layers_read(w->s, what, &why);
        if (!g) {
            fprintf(stderr, "%s: %s is left out: %s\n", bench_name, what->name, why);
            continue;
        }
        triangle t;
        from_rows(&t, g);
        cleave_graph_free(g);
        hand_over(w, &t, what->name, ANCHORS);
    }
}

/* ---- From matrices ---------------------------------------------------------------------- */

/* The lower triangle of a; unit: its diagonal is 1. */
static void from_matrix(triangle *t, const cleave_matrix *a, int unit)
{
    cleave_matrix_csr m;
    cleave_matrix_csr_init(&m, sizeof m);
    cleave_matrix_view(a, &m);
    make_room(t, m.nrow, m.xadj[m.nrow] + m.nrow);
    int64_t at = 0;
    for (int32_t i = 0; i < m.nrow; i++) {
        double diagonal = 1;
        t->xadj[i] = at;
        for (int64_t e = m.xadj[i]; e < m.xadj[i + 1]; e++) {
            if (m.col[e] < i) {
                t->col[at] = m.col[e];
                t->val[at++] = m.val[e];
            } else if (m.col[e] == i && !unit)
                diagonal = m.val[e];
        }
        t->col[at] = i;
        t->val[at++] = diagonal;
    }
    t->xadj[m.nrow] = at;
}

static void use_incomplete(const walk *w, const cleave_matrix *a, const char *name,
                           solve_group group)
{
    cleave_matrix *factor = NULL;
    cleave_error err;
    double shift = 0;
    int unit = 0;
    if (cleave_matrix_ic0(&factor, a, &shift, &err) != CLEAVE_OK) {
        unit = 1;
        if (cleave_matrix_ilu0(&factor, a, &err) != CLEAVE_OK) {
            fprintf(stderr, "%s: %s is left out: %s\n", bench_name, name, err.message);
            return;
        }
    }
    triangle t;
    from_matrix(&t, factor, unit);
    cleave_matrix_free(factor);
    hand_over(w, &t, name, group);
}

/* Not positive definite: values of a factor are generated. */
static cleave_matrix *made_factor(const char *path)
{
    cleave_read_options opt;
    cleave_graph *g;
    cleave_matrix *factor = NULL;
    cleave_error err;
    cleave_read_options_init(&opt, sizeof opt);
    opt.as = "undirected";
    opt.symmetrise = "max";
    if (cleave_graph_read(&g, path, &opt, &err) != CLEAVE_OK)
        return NULL;
    if (cleave_matrix_factor(&factor, g, "mindeg", NULL, 1, &err) != CLEAVE_OK)
        factor = NULL;
    cleave_graph_free(g);
    return factor;
}

static void use_exact(const walk *w, const cleave_matrix *a, const char *path,
                      const char *name)
{
    cleave_matrix *factor = NULL;
    cleave_error err;
    if (cleave_matrix_cholesky(&factor, NULL, a, NULL, &err) != CLEAVE_OK)
        factor = made_factor(path);
    if (!factor) {
        fprintf(stderr, "%s: %s is left out: %s\n", bench_name, name, err.message);
        return;
    }
    triangle t;
    from_matrix(&t, factor, 0);
    cleave_matrix_free(factor);
    hand_over(w, &t, name, EXACT);
}

static void walk_matrices(const walk *w)
{
    static const char *const file[] = {
        "1138_bus.mtx",    "OPF_6000.mtx.gz",       "bayer10.mtx.gz",    "bcspwr10.mtx",
        "bcsstk13.mtx.gz", "bcsstk25.mtx.gz",       "bodyy5.mtx.gz",     "c-62.mtx.gz",
        "cage10.mtx.gz",   "chipcool0_L.mtx.gz",    "finance256.mtx.gz", "lap3d_40.mtx.gz",
        "rajat01.mtx",     "shallow_water1.mtx.gz", "sherman3.mtx",      "xenon1.mtx.gz"};
    for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
        char path[600], name[40], incomplete[48], exact[48];
        cleave_matrix *a;
        cleave_error err;
        snprintf(path, sizeof path, "%s/data/mtx/%s", w->s->shared, file[i]);
        snprintf(name, sizeof name, "%.*s", (int)strcspn(file[i], "."), file[i]);
        snprintf(incomplete, sizeof incomplete, "%s.ic0", name);
        snprintf(exact, sizeof exact, "%s.exact", name);
        int first = wanted(w, incomplete), second = wanted(w, exact);
        /* Their exact factors have more than 10^8 non-zeros. */
        if (strcmp(name, "xenon1") == 0 || strcmp(name, "lap3d_40") == 0 ||
            strcmp(name, "c-62") == 0)
            second = second && w->only;
        if (!(first || second) || (w->quick && i > 4))
            continue;
        if (cleave_matrix_read(&a, path, NULL, &err) != CLEAVE_OK)
            bench_fail(err.message);
        if (first)
            use_incomplete(w, a, incomplete, INCOMPLETE);
        if (second)
            use_exact(w, a, path, exact);
        cleave_matrix_free(a);
    }
}

/* ---- Laplacians ------------------------------------------------------------------------- */

static cleave_matrix *laplacian(const char *kind)
{
    cleave_graph *g;
    cleave_csr view;
    cleave_matrix *made;
    cleave_matrix_csr m;
    cleave_error err;
    if (cleave_graph_generate(&g, kind, NULL, &err) != CLEAVE_OK)
        bench_fail(err.message);
    cleave_csr_init(&view, sizeof view);
    cleave_graph_view(g, &view);
    triangle t;
    make_room(&t, view.nvtx, view.xadj[view.nvtx] + view.nvtx);
    int64_t at = 0;
    double most = strncmp(kind, "grid3d", 6) == 0 ? 6 : 4;
    for (int32_t i = 0; i < view.nvtx; i++) {
        t.xadj[i] = at;
        t.col[at] = i;
        t.val[at++] = most;
        for (int64_t a = view.xadj[i]; a < view.xadj[i + 1]; a++, at++) {
            t.col[at] = view.adj[a];
            t.val[at] = -1;
        }
    }
    t.xadj[view.nvtx] = at;
    cleave_matrix_csr_init(&m, sizeof m);
    m.nrow = m.ncol = view.nvtx;
    m.xadj = t.xadj;
    m.col = t.col;
    m.val = t.val;
    if (cleave_matrix_create(&made, &m, &err) != CLEAVE_OK)
        bench_fail(err.message);
    cleave_graph_free(g);
    free(t.xadj);
    free(t.col);
    free(t.val);
    return made;
}

static void walk_laplacians(const walk *w)
{
    static const char *const kinds[] = {
        "grid2d:10x10",   "grid2d:30x30",    "grid2d:100x100",   "grid3d:30x30x30",
        "grid2d:300x300", "grid3d:60x60x60", "grid2d:1000x1000", "grid3d:100x100x100"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!wanted(w, kinds[i]) || (w->quick && i > 3))
            continue;
        cleave_matrix *a = laplacian(kinds[i]);
        use_incomplete(w, a, kinds[i], LAPLACIANS);
        cleave_matrix_free(a);
    }
}

void solve_triangles(const settings *s, int quick, const char *only, solve_each each,
                     void *payload)
{
    walk w = {s, quick, only, each, payload};
    walk_anchors(&w);
    walk_matrices(&w);
    walk_laplacians(&w);
}
