/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix Market files as graphs: undirected, DAG, lower and upper triangle; options as in
 * fuzz_read_options, then the format to write.  The result is also compared with the same file
 * read as a matrix, by other code. */
#include <math.h>
#include <string.h>

#include "fuzz/fuzz_common.h"
#include "graph/graph.h"

enum { most_rows = 4096 };

/* The value in row i, column j; NULL: there is no entry. */
static const double *entry(const cleave_matrix_csr *a, int32_t i, int32_t j)
{
    for (int64_t k = a->xadj[i]; k < a->xadj[i + 1]; k++)
        if (a->col[k] == j)
            return &a->val[k];
    return NULL;
}

static double weight_of(const double *value, double scale)
{
    return value ? floor(fabs(*value) * scale + 0.5) : -1;
}

/* Arcs run from column to row; `as` may want one triangle only. */
static bool is_arc(const cleave_read_options *opt, int32_t i, int32_t j)
{
    if (i == j)
        return false;
    if (opt->as && strcmp(opt->as, "lower") == 0)
        return i > j;
    return !opt->as || strcmp(opt->as, "upper") != 0 || i < j;
}

static int64_t count_expected(const cleave_matrix_csr *a, const cleave_read_options *opt,
                              bool undirected)
{
    int64_t count = 0;
    for (int32_t i = 0; i < a->nrow; i++)
        for (int64_t k = a->xadj[i]; k < a->xadj[i + 1]; k++)
            if (is_arc(opt, i, a->col[k])) /* an edge that stands once gives two arcs */
                count += undirected && !entry(a, a->col[k], i) ? 2 : 1;
    return count;
}

/* Weights can be told when no entry was a sum and the two directions are not to be added. */
static bool weights_are_clear(const cleave_matrix_csr *a, const cleave_graph *g,
                              const cleave_read_options *opt)
{
    int64_t stored = a->xadj[a->nrow], diagonal = 0;
    for (int32_t i = 0; i < a->nrow; i++)
        diagonal += entry(a, i, i) != NULL;
    bool single = stored == g->entries || stored == 2 * g->entries - diagonal;
    bool values = opt->weights && strcmp(opt->weights, "values") == 0;
    return single && values && (!opt->symmetrise || strcmp(opt->symmetrise, "sum") != 0);
}

static void compare(const cleave_matrix_csr *a, const cleave_graph *g,
                    const cleave_read_options *opt)
{
    bool undirected = g->kind == CLEAVE_UNDIRECTED, weights = weights_are_clear(a, g, opt);
    FUZZ_CHECK(g->nvtx == a->nrow && g->nvtx == a->ncol);
    FUZZ_CHECK(g->narc == count_expected(a, opt, undirected));
    for (int32_t j = 0; j < g->nvtx; j++)
        for (int64_t arc = g->xadj[j]; arc < g->xadj[j + 1]; arc++) {
            int32_t i = g->adj[arc];
            const double *there = entry(a, i, j), *back = entry(a, j, i);
            FUZZ_CHECK(there || (undirected && back));
            double weight = weight_of(there, opt->scale), other = weight_of(back, opt->scale);
            if (weights)
                FUZZ_CHECK(clv_graph_ewgt(g, arc) ==
                           (undirected && other > weight ? other : weight));
        }
}

FUZZ_TARGET(mtx)
{
    fuzz_check_blanks(in, "in.mtx", "mtx");
    fuzz_input same = *in;
    fuzz_graph_file(&same, "in.mtx", "mtx");
    cleave_read_options opt;
    bool trust;
    fuzz_read_options(in, &opt, &trust);
    opt.format = "mtx";
    const char *path = fuzz_path("in.mtx");
    cleave_graph *g = NULL;
    cleave_matrix *matrix = NULL;
    if (cleave_graph_read(&g, path, &opt, NULL) == CLEAVE_OK && g->nvtx <= most_rows &&
        cleave_matrix_read(&matrix, path, NULL, NULL) == CLEAVE_OK) {
        cleave_matrix_csr view = {.size = sizeof view};
        cleave_matrix_view(matrix, &view);
        compare(&view, g, &opt);
    }
    cleave_matrix_free(matrix);
    cleave_graph_free(g);
}
