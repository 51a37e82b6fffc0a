/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/fuzz_same.c - round trips of all objects but graphs, which are in
 * fuzz_graph.c. */
#include <math.h>
#include <string.h>

#include "formats/formats.h"
#include "fuzz/fuzz_common.h"
#include "graph/graph.h"
#include "target/deco.h"
#include "target/scotch_target.h"

/* ---- Mappings --------------------------------------------------------------------------- */

static void check_same_mapping(const cleave_mapping *a, const cleave_mapping *b)
{
    int32_t n = cleave_mapping_vertices(a);
    FUZZ_CHECK(cleave_mapping_vertices(b) == n);
    FUZZ_CHECK(cleave_mapping_nparts(b) == cleave_mapping_nparts(a));
    for (int32_t v = 0; v < n; v++)
        FUZZ_CHECK(cleave_mapping_parts(a)[v] == cleave_mapping_parts(b)[v]);
}

void fuzz_check_mapping_file(const cleave_mapping *m, const char *name)
{
    cleave_error err;
    cleave_mapping *again;
    const char *path = fuzz_path(name);
    int32_t n = cleave_mapping_vertices(m), k = cleave_mapping_nparts(m);
    FUZZ_CHECK_OK(cleave_mapping_write(m, path, &err), err);
    FUZZ_CHECK_OK(cleave_mapping_read(&again, path, n, k, &err), err);
    check_same_mapping(m, again);
    cleave_mapping_free(again);
}

/* ---- Coordinates ------------------------------------------------------------------------ */

void fuzz_check_coords_file(const cleave_graph *g, const char *name)
{
    cleave_error err;
    double *again;
    int32_t ndim;
    const char *path = fuzz_path(name);
    FUZZ_CHECK_OK(cleave_graph_write_coords(g, path, &err), err);
    FUZZ_CHECK_OK(clv_coords_read(&again, &ndim, path, g->nvtx, &err), err);
    FUZZ_CHECK(g->nvtx == 0 || ndim == g->ndim);
    FUZZ_CHECK(memcmp(again, g->coords, (size_t)g->nvtx * (size_t)g->ndim * sizeof *again) ==
               0);
    clv_sys_free(again);
}

/* ---- Orders ----------------------------------------------------------------------------- */

static void check_same_order(const cleave_order *a, const cleave_order *b)
{
    int32_t n = cleave_order_vertices(a);
    FUZZ_CHECK(cleave_order_vertices(b) == n);
    FUZZ_CHECK(strcmp(cleave_order_method(a), cleave_order_method(b)) == 0);
    for (int32_t p = 0; p < n; p++)
        FUZZ_CHECK(cleave_order_view(a)[p] == cleave_order_view(b)[p]);
    for (int32_t p = 0; p <= n; p++)
        FUZZ_CHECK(cleave_order_weight_before(a)[p] == cleave_order_weight_before(b)[p]);
}

void fuzz_check_order_file(const cleave_order *o, const char *name)
{
    cleave_error err;
    cleave_order *again;
    const char *path = fuzz_path(name);
    FUZZ_CHECK_OK(cleave_order_write(o, path, &err), err);
    FUZZ_CHECK_OK(cleave_order_read(&again, path, &err), err);
    check_same_order(o, again);
    cleave_order_free(again);
}

/* ---- Schedules -------------------------------------------------------------------------- */

static void check_same_schedule(const cleave_schedule *a, const cleave_schedule *b)
{
    int32_t n = cleave_schedule_tasks(a);
    size_t bytes = (size_t)n * sizeof(int32_t);
    FUZZ_CHECK(cleave_schedule_tasks(b) == n);
    FUZZ_CHECK(cleave_schedule_rows(b) == cleave_schedule_rows(a));
    FUZZ_CHECK(cleave_schedule_layers(b) == cleave_schedule_layers(a));
    FUZZ_CHECK(cleave_schedule_threads(b) == cleave_schedule_threads(a));
    FUZZ_CHECK(strcmp(cleave_schedule_method(a), cleave_schedule_method(b)) == 0);
    FUZZ_CHECK(memcmp(cleave_schedule_order(a), cleave_schedule_order(b), bytes) == 0);
    FUZZ_CHECK(memcmp(cleave_schedule_layer(a), cleave_schedule_layer(b), bytes) == 0);
    FUZZ_CHECK(memcmp(cleave_schedule_thread(a), cleave_schedule_thread(b), bytes) == 0);
    FUZZ_CHECK(!cleave_schedule_row(a) == !cleave_schedule_row(b));
    if (cleave_schedule_row(a)) {
        FUZZ_CHECK(memcmp(cleave_schedule_row(a), cleave_schedule_row(b), bytes) == 0);
        FUZZ_CHECK(memcmp(cleave_schedule_share(a), cleave_schedule_share(b), bytes) == 0);
    }
}

void fuzz_check_schedule_file(const cleave_schedule *s, const char *name)
{
    cleave_error err;
    cleave_schedule *again;
    const char *path = fuzz_path(name);
    FUZZ_CHECK_OK(cleave_schedule_write(s, path, &err), err);
    FUZZ_CHECK_OK(cleave_schedule_read(&again, path, &err), err);
    check_same_schedule(s, again);
    cleave_schedule_free(again);
}

void fuzz_check_costs_file(const cleave_schedule_costs *costs, const char *name)
{
    cleave_error err;
    cleave_schedule_costs again;
    const char *path = fuzz_path(name);
    cleave_schedule_costs_init(&again, sizeof again);
    FUZZ_CHECK_OK(cleave_schedule_costs_write(costs, path, &err), err);
    FUZZ_CHECK_OK(cleave_schedule_costs_read(&again, path, &err), err);
    FUZZ_CHECK(costs->sync == again.sync && costs->read == again.read);
}

/* ---- Targets ---------------------------------------------------------------------------- */

void fuzz_check_target_file(const cleave_target *t, const char *name)
{
    cleave_error err;
    cleave_target *again;
    const char *path = fuzz_path(name);
    FUZZ_CHECK_OK(clv_target_write_deco(t, path, &err), err);
    FUZZ_CHECK_OK(clv_target_scotch_file(&again, path, &err), err);
    FUZZ_CHECK(again->npes == t->npes);
    for (int32_t p = 0; p < t->npes; p++)
        for (int32_t q = 0; q < t->npes; q++)
            FUZZ_CHECK(clv_target_distance(again, p, q) == clv_target_distance(t, p, q));
    clv_target_free(again);
}

/* ---- Matrices and vectors --------------------------------------------------------------- */

static bool same_value(double a, double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static void check_same_matrix(const cleave_matrix_csr *a, const cleave_matrix_csr *b)
{
    FUZZ_CHECK(a->nrow == b->nrow && a->ncol == b->ncol);
    for (int32_t i = 0; i <= a->nrow; i++)
        FUZZ_CHECK(a->xadj[i] == b->xadj[i]);
    for (int64_t k = 0; k < a->xadj[a->nrow]; k++)
        FUZZ_CHECK(a->col[k] == b->col[k] && same_value(a->val[k], b->val[k]));
}

void fuzz_check_matrix_file(const cleave_matrix *a, const char *name)
{
    cleave_error err;
    cleave_matrix *again;
    cleave_matrix_csr view, view_again;
    const char *path = fuzz_path(name);
    cleave_matrix_csr_init(&view, sizeof view);
    cleave_matrix_csr_init(&view_again, sizeof view_again);
    FUZZ_CHECK_OK(cleave_matrix_write(a, path, &err), err);
    FUZZ_CHECK_OK(cleave_matrix_read(&again, path, NULL, &err), err);
    cleave_matrix_view(a, &view);
    cleave_matrix_view(again, &view_again);
    check_same_matrix(&view, &view_again);
    cleave_matrix_free(again);
}

void fuzz_check_vectors_file(const double *values, int32_t rows, int32_t columns,
                             const char *name)
{
    enum { most = 64 };
    double again[most];
    cleave_error err;
    const char *path = fuzz_path(name);
    FUZZ_CHECK(rows * columns <= most);
    FUZZ_CHECK_OK(cleave_vectors_write(values, rows, columns, path, &err), err);
    FUZZ_CHECK_OK(cleave_vectors_read(again, rows, columns, path, &err), err);
    for (int32_t i = 0; i < rows * columns; i++)
        FUZZ_CHECK(same_value(values[i], again[i]));
}
