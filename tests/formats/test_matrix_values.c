/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix Market files as matrices with values, and random files of every kind against a
 * dense matrix filled with fgets and sscanf. */
#include <math.h>

#include "formats/reader_fixture.h"
#include "matrix/matrix.h"

static cleave_error err;

#define BANNER(field, symmetry) "%%MatrixMarket matrix coordinate " field " " symmetry "\n"

/* ---- Matrices -------------------------------------------------------------------------- */

/* "2x3: 0=1.5 2=-1 | 1=2", or the message. */
static const char *matrix_result(const char *path)
{
    static reader_text shown;
    shown.used = 0;
    shown.text[0] = '\0';
    cleave_matrix *a = NULL;
    cleave_error e = {.status = CLEAVE_OK};
    cleave_status status = cleave_matrix_read(&a, path, NULL, &e);
    CHECK((status == CLEAVE_OK) == (a != NULL));
    if (!a) {
        reader_show_error(&shown, &e, path);
        return shown.text;
    }
    cleave_matrix_csr view = {.size = sizeof view};
    cleave_matrix_view(a, &view);
    reader_put(&shown, "%dx%d:", (int)view.nrow, (int)view.ncol);
    for (int32_t i = 0; i < view.nrow; i++) {
        reader_put(&shown, i ? " |" : "");
        for (int64_t k = view.xadj[i]; k < view.xadj[i + 1]; k++)
            reader_put(&shown, " %d=%.17g", (int)view.col[k], view.val[k]);
    }
    cleave_matrix_free(a);
    return shown.text;
}

static void check_matrix(const char *text, const char *expected)
{
    int64_t live = test_alloc_live();
    CHECK_STR(matrix_result(test_file("a.mtx", text)), expected);
    const char *packed = reader_gzip_file("a.mtx.gz", text, strlen(text));
    if (packed)
        CHECK_STR(matrix_result(packed), expected);
    for (size_t packet = 1; packet <= 5; packet += 2) {
        reader_drip_input input;
        reader_drip_begin(&input, text, strlen(text), packet);
        CHECK_STR(matrix_result("-"), expected);
        reader_drip_end(&input);
    }
    CHECK_EQ(test_alloc_live(), live);
}

static void test_matrices(void)
{
    check_matrix(BANNER("real", "general") "2 3 3\n1 3 -1\n1 1 1.5\n2 2 2e0\n",
                 "2x3: 0=1.5 2=-1 | 1=2");
    check_matrix(BANNER("integer", "general") "1 2147483646 1\n1 2147483646 7\n",
                 "1x2147483646: 2147483645=7");
    check_matrix(BANNER("pattern", "general") "2 2 2\n1 1\n2 1\n", "2x2: 0=1 | 0=1");
    check_matrix(BANNER("double", "general") "0 0 0\n", "0x0:");
    check_matrix(BANNER("real", "general") "0 5 0\n", "0x5:");
    check_matrix(BANNER("real", "general") "2 0 0\n", "2x0: |");
    /* Expansion of triangles; diagonals once. */
    check_matrix(BANNER("real", "symmetric") "2 2 3\n1 1 4\n2 1 -3\n2 2 5\n",
                 "2x2: 0=4 1=-3 | 0=-3 1=5");
    check_matrix(BANNER("real", "symmetric") "2 2 1\n1 2 7\n", "2x2: 1=7 | 0=7");
    check_matrix(BANNER("pattern", "symmetric") "2 2 1\n2 1\n", "2x2: 1=1 | 0=1");
    check_matrix(BANNER("real", "skew-symmetric") "2 2 1\n2 1 3\n", "2x2: 1=-3 | 0=3");
    check_matrix(BANNER("real", "skew-symmetric") "2 2 2\n1 1 0\n1 2 3\n",
                 "2x2: 0=0 1=3 | 0=-3");
    check_matrix(BANNER("pattern", "skew-symmetric") "2 2 1\n2 1\n", "2x2: 1=-1 | 0=1");
    /* Duplicates are summed in the order of the file; zeros stay. */
    check_matrix(BANNER("real", "general") "1 2 5\n1 2 1e16\n1 1 0\n1 2 1\n1 2 -1e16\n1 1 0\n",
                 "1x2: 0=0 1=0");
    check_matrix(BANNER("real", "general") "1 1 3\n1 1 1e16\n1 1 -1e16\n1 1 1\n", "1x1: 0=1");
    check_matrix(BANNER("real", "symmetric") "2 2 2\n2 1 1.5\n1 2 2\n", "2x2: 1=3.5 | 0=3.5");
    /* Values of every shape. */
    check_matrix(BANNER("real", "general") "1 8 8\n1 1 +.5\n1 2 5.\n1 3 -0\n1 4 1E-400\n"
                                           "1 5 1e400\n1 6 -inf\n1 7 1d2\n1 8 0.1\n",
                 "1x8: 0=0.5 1=5 2=-0 3=0 4=inf 5=-inf 6=100 7=0.10000000000000001");
}

static void test_complaints(void)
{
    check_matrix(BANNER("real", "skew-symmetric") "%\n2 2 2\n2 1 1\n1 1 3\n",
                 "EPARSE @:5: the diagonal of a skew-symmetric matrix is zero");
    check_matrix(BANNER("pattern", "skew-symmetric") "2 2 1\n1 1",
                 "EPARSE @:3: the diagonal of a skew-symmetric matrix is zero");
    check_matrix(BANNER("real", "skew-symmetric") "2 3 0\n",
                 "EPARSE @:2: a symmetric matrix of 2 x 3 is not square");
    check_matrix(BANNER("complex", "general"), "EPARSE @:1: complex values are not supported");
    check_matrix("%%MatrixMarket matrix array real general\n1 1\n1\n",
                 "EPARSE @:1: only coordinate files hold a sparse matrix");
    check_matrix(BANNER("real", "general") "2 3 1\n3 1 1\n",
                 "EPARSE @:3: the row of an entry is 3, outside 1..2");
    check_matrix(BANNER("real", "general") "2 3 1\n1 4 1\n",
                 "EPARSE @:3: the column of an entry is 4, outside 1..3");
    check_matrix(BANNER("real", "general") "2 3 1\n1 3 1e\n",
                 "EPARSE @:3: the value of an entry is \"1e\", not a number");
    check_matrix(BANNER("real", "general") "2 3 2\n1 3 1\n",
                 "EPARSE @:4: the file ends after 1 of 2 entries");
    check_matrix(BANNER("real", "general") "2 3 1\n1 3 1\n1 1 1\n",
                 "EPARSE @:4: unexpected text after the last of 1 entries");
    check_matrix(BANNER("real", "general") "2147483646 1 3\n1 1 1\n",
                 "ERANGE @: 2147483646 rows with 3 entries in all are implausible");
    check_matrix(BANNER("real", "general") "2 3 200000000000000000\n1 1 1\n",
                 "EPARSE @:4: the file ends after 1 of 200000000000000000 entries");
}

static void check_matrix_written(const char *text, const char *expected)
{
    cleave_matrix *a = NULL;
    CHECK_OK(cleave_matrix_read(&a, test_file("in.mtx", text), NULL, &err));
    const char *path = fixture_path("out.mtx");
    CHECK_OK(cleave_matrix_write(a, path, &err));
    cleave_matrix_free(a);
    char buffer[512] = "";
    FILE *file = fopen(path, "r");
    size_t n = file ? fread(buffer, 1, sizeof buffer - 1, file) : 0;
    buffer[n] = '\0';
    if (file)
        fclose(file);
    CHECK_STR(buffer, expected);
}

static void test_writing(void)
{
    check_matrix_written(BANNER("pattern", "symmetric") "2 2 2\n2 1\n1 1\n",
                         BANNER("real", "symmetric") "2 2 2\n1 1 1\n2 1 1\n");
    check_matrix_written(BANNER("real", "general") "2 3 2\n2 1 0.1\n1 3 -4\n",
                         BANNER("real", "general") "2 3 2\n1 3 -4\n2 1 0.1\n");
    check_matrix_written(BANNER("real", "skew-symmetric") "2 2 1\n2 1 3\n",
                         BANNER("real", "general") "2 2 2\n1 2 -3\n2 1 3\n");
    check_matrix_written(BANNER("real", "general") "2 2 1\n2 1 3\n",
                         BANNER("real", "general") "2 2 1\n2 1 3\n");
    check_matrix_written(BANNER("real", "general") "0 0 0\n",
                         BANNER("real", "symmetric") "0 0 0\n");
}

static void test_memory(void)
{
    const char *path = test_file(
        "memory.mtx", BANNER("real", "symmetric") "3 3 4\n3 1 2\n2 1 1\n2 1 4\n3 3 5\n");
    const char *to = fixture_path("memory-out.mtx");
    test_oom_rounds reading = {0}, writing = {0};
    while (test_oom_next(&reading)) {
        cleave_matrix *a;
        cleave_status status = TEST_OOM(&reading, cleave_matrix_read(&a, path, NULL, &err));
        CHECK((a != NULL) == (status == CLEAVE_OK));
        cleave_matrix_free(a);
    }
    CHECK(reading.failures > 5 && reading.failures < 1000);
    cleave_matrix *a = NULL;
    CHECK_OK(cleave_matrix_read(&a, path, NULL, &err));
    while (test_oom_next(&writing)) {
        unlink(to);
        cleave_status status = TEST_OOM(&writing, cleave_matrix_write(a, to, &err));
        CHECK_EQ(access(to, F_OK), status == CLEAVE_OK ? 0 : -1);
    }
    CHECK(writing.failures > 2 && writing.failures < 1000);
    cleave_matrix_free(a);
}

/* ---- Random files against a dense matrix ------------------------------------------------ */

enum { most = 24 };

/* The value of entry (row, col), by the entries in the order of the file. */
typedef struct dense {
    int nrow, ncol;
    char field, symmetry; /* r i p; g s k */
    bool there[most][most], stored[most][most];
    double sum[most][most];     /* of the expanded matrix */
    int64_t weight[most][most]; /* sum of rounded |values| stored at this very place */
} dense;

static void dense_put(dense *d, int row, int col, double value)
{
    d->sum[row][col] = d->there[row][col] ? d->sum[row][col] + value : value;
    d->there[row][col] = true;
}

/* The slow parser. */
static void dense_read(dense *d, const char *path, double scale)
{
    memset(d, 0, sizeof *d);
    FILE *file = fopen(path, "r");
    char line[512], field[32], symmetry[32];
    bool sized = false;
    if (!fgets(line, sizeof line, file) ||
        sscanf(line, "%*s %*s %*s %31s %31s", field, symmetry) != 2)
        abort();
    d->field = field[0];
    d->symmetry = symmetry[1] == 'k' ? 'k' : symmetry[0];
    while (fgets(line, sizeof line, file)) {
        int row, col;
        double value = 1.0;
        long nnz;
        if (line[strspn(line, " \t\r\n")] == '\0' || line[strspn(line, " \t")] == '%')
            continue;
        if (!sized) {
            sized = sscanf(line, "%d %d %ld", &d->nrow, &d->ncol, &nnz) == 3;
            continue;
        }
        if (sscanf(line, "%d %d %lf", &row, &col, &value) < 2)
            abort();
        row--;
        col--;
        dense_put(d, row, col, value);
        if (d->symmetry != 'g' && row != col)
            dense_put(d, col, row, d->symmetry == 'k' ? -value : value);
        d->stored[row][col] = true;
        d->weight[row][col] += (int64_t)floor(fabs(value) * scale + 0.5);
    }
    fclose(file);
}

static void random_file(clv_rng *rng, FILE *file, int nrow, int ncol, char field,
                        char symmetry, bool lower_only)
{
    static const char *const blanks[] = {" ", " ", " ", "\t", "  "};
    int nnz = (int)clv_rng_below(rng, (uint32_t)(nrow * ncol) + 1), left = nnz;
    if (nrow == 0 || ncol == 0)
        nnz = left = 0;
    fprintf(file, "%%%%MatrixMarket matrix coordinate %s %s\n",
            field == 'r'   ? "real"
            : field == 'i' ? "integer"
                           : "pattern",
            symmetry == 'g'   ? "general"
            : symmetry == 's' ? "symmetric"
                              : "skew-symmetric");
    fprintf(file, "%%\n%d %d %d\n", nrow, ncol, nnz);
    bool sorted = clv_rng_below(rng, 3) == 0;
    for (int i = 0; left > 0; i++, left--) {
        int row = (int)clv_rng_below(rng, (uint32_t)nrow);
        int col = (int)clv_rng_below(rng, (uint32_t)ncol);
        if (sorted) { /* by columns or by rows, mostly */
            row = (int)((int64_t)i * nrow / nnz);
            col = col < row ? col : row;
        }
        if (lower_only && row < col) {
            int swap = row;
            row = col;
            col = swap;
        }
        fprintf(file, "%s%d%s%d", clv_rng_below(rng, 9) ? "" : " ", row + 1,
                blanks[clv_rng_below(rng, 5)], col + 1);
        double value = (clv_rng_unit(rng) - 0.5) * 50;
        if (symmetry == 'k' && row == col)
            value = 0;
        if (field == 'i')
            fprintf(file, " %d", (int)value);
        if (field == 'r')
            fprintf(file, "%s%.*g", blanks[clv_rng_below(rng, 5)],
                    1 + (int)clv_rng_below(rng, 17), value);
        fprintf(file, "%s%s", clv_rng_below(rng, 9) ? "" : " ",
                clv_rng_below(rng, 9) ? "\n" : "\r\n");
        if (clv_rng_below(rng, 15) == 0)
            fprintf(file, clv_rng_below(rng, 2) ? "\n" : " %% note\n");
    }
}

static void check_values(const char *path, const dense *d)
{
    cleave_matrix *a = NULL;
    CHECK_OK(cleave_matrix_read(&a, path, NULL, &err));
    REQUIRE(a != NULL);
    bool same = a->nrow == d->nrow && a->ncol == d->ncol;
    for (int i = 0; same && i < d->nrow; i++) {
        int64_t k = a->xadj[i];
        for (int j = 0; j < d->ncol; j++)
            if (d->there[i][j]) {
                same =
                    same && k < a->xadj[i + 1] && a->col[k] == j && a->val[k] == d->sum[i][j];
                k++;
            }
        same = same && k == a->xadj[i + 1];
    }
    CHECK(same);
    /* Written and read again it is the same, bit for bit. */
    const char *copy = fixture_path("copy.mtx");
    cleave_matrix *b = NULL;
    CHECK_OK(cleave_matrix_write(a, copy, &err));
    CHECK_OK(cleave_matrix_read(&b, copy, NULL, &err));
    REQUIRE(b != NULL);
    int64_t nnz = a->xadj[a->nrow];
    CHECK(b->nrow == a->nrow && b->ncol == a->ncol && b->xadj[b->nrow] == nnz &&
          memcmp(a->xadj, b->xadj, ((size_t)a->nrow + 1) * sizeof *a->xadj) == 0 &&
          memcmp(a->col, b->col, (size_t)nnz * sizeof *a->col) == 0 &&
          memcmp(a->val, b->val, (size_t)nnz * sizeof *a->val) == 0);
    cleave_matrix_free(a);
    cleave_matrix_free(b);
}

/* The arc i -> j of the graph for the options; -1: none. */
typedef int64_t (*arc_rule)(const dense *d, int i, int j, bool weighted);

static int64_t folded(const dense *d, int i, int j, bool weighted)
{
    if (i == j || !(d->stored[i][j] || d->stored[j][i]))
        return -1;
    return weighted ? d->weight[i][j] + d->weight[j][i] : 1;
}

static int64_t larger(const dense *d, int i, int j, bool weighted)
{
    if (folded(d, i, j, weighted) < 0 || !weighted)
        return folded(d, i, j, weighted);
    int64_t a = d->weight[i][j], b = d->weight[j][i];
    return a > b ? a : b;
}

static int64_t dag_arc(const dense *d, int i, int j, bool weighted)
{
    if (i == j || !d->stored[j][i])
        return -1;
    return weighted ? d->weight[j][i] : 1;
}

static int64_t lower_arc(const dense *d, int i, int j, bool weighted)
{
    if (i > j)
        return -1;
    return d->symmetry == 'g' ? dag_arc(d, i, j, weighted) : folded(d, i, j, weighted);
}

static int64_t upper_arc(const dense *d, int i, int j, bool weighted)
{
    if (i < j)
        return -1;
    return d->symmetry == 'g' ? dag_arc(d, i, j, weighted) : folded(d, i, j, weighted);
}

static void check_graph(const char *path, const dense *d, const char *as,
                        const char *symmetrise, bool weighted, double scale, arc_rule rule)
{
    cleave_read_options opt;
    cleave_read_options_init(&opt, sizeof opt);
    opt.as = as;
    opt.symmetrise = symmetrise;
    opt.weights = weighted ? "values" : NULL;
    opt.scale = scale;
    cleave_graph *g = NULL;
    CHECK_OK(cleave_graph_read(&g, path, &opt, &err));
    REQUIRE(g != NULL);
    bool same = g->nvtx == d->nrow && weighted == (g->ewgt != NULL);
    for (int i = 0; same && i < d->nrow; i++) {
        int64_t a = g->xadj[i];
        for (int j = 0; j < d->nrow; j++) {
            int64_t w = rule(d, i, j, weighted);
            if (w < 0)
                continue;
            same = same && a < g->xadj[i + 1] && g->adj[a] == j && clv_graph_ewgt(g, a) == w;
            a++;
        }
        same = same && a == g->xadj[i + 1];
    }
    CHECK(same);
    cleave_graph_free(g);
}

/* Is the matrix of weights symmetric already?  Then nothing is summed. */
static bool balanced(const dense *d)
{
    for (int i = 0; i < d->nrow; i++)
        for (int j = 0; j < i; j++)
            if (d->stored[i][j] != d->stored[j][i] || d->weight[i][j] != d->weight[j][i])
                return false;
    return true;
}

static void test_random(void)
{
    static dense d;
    for (uint64_t seed = 0; seed < 240; seed++) {
        clv_rng rng = clv_rng_make(seed, 2, 2, 2);
        char field = "rip"[seed % 3], symmetry = "gsk"[seed / 3 % 3];
        if (symmetry == 'k' && field == 'p')
            field = 'r';
        int nrow = (int)clv_rng_below(&rng, most + 1);
        int ncol = symmetry != 'g' || seed % 2 ? nrow : (int)clv_rng_below(&rng, most + 1);
        bool lower_only = seed % 4 == 1;
        double scale = seed % 5 ? 1.0 : 12.5;
        const char *path = fixture_path("random.mtx");
        FILE *file = fopen(path, "w");
        random_file(&rng, file, nrow, ncol, field, symmetry, lower_only && nrow == ncol);
        fclose(file);
        dense_read(&d, path, scale);
        check_values(path, &d);
        if (nrow != ncol)
            continue;
        check_graph(path, &d, NULL, NULL, false, 1, folded);
        check_graph(path, &d, "undirected", "max", false, 1, larger);
        check_graph(path, &d, "lower", NULL, seed % 2, scale, lower_arc);
        check_graph(path, &d, "upper", "sum", !(seed % 2), scale, upper_arc);
        if (symmetry != 'g') {
            check_graph(path, &d, NULL, seed % 2 ? "sum" : NULL, true, scale, folded);
            continue;
        }
        if (lower_only)
            check_graph(path, &d, "dag", NULL, seed % 8 == 1, scale, dag_arc);
        check_graph(path, &d, NULL, "max", true, scale, larger);
        if (!balanced(&d))
            check_graph(path, &d, NULL, "sum", true, scale, folded);
    }
}

/* ---- Round trips of graphs ------------------------------------------------------------- */

/* Does the file hold the arcs of g, each once? */
static bool slow_same(const char *path, const clv_graph *g)
{
    FILE *file = fopen(path, "r");
    char line[256];
    bool same = fgets(line, sizeof line, file) != NULL;
    bool symmetric = same && strstr(line, "symmetric"), pattern = strstr(line, "pattern");
    long nrow, ncol, nnz, count = 0;
    same = same && symmetric == (g->kind == CLEAVE_UNDIRECTED) && pattern == !g->ewgt &&
           fgets(line, sizeof line, file) &&
           sscanf(line, "%ld %ld %ld", &nrow, &ncol, &nnz) == 3 && nrow == g->nvtx &&
           ncol == g->nvtx && nnz == clv_graph_edges(g);
    while (same && fgets(line, sizeof line, file)) {
        long row, col, weight = 1;
        same = sscanf(line, "%ld %ld %ld", &row, &col, &weight) == (pattern ? 2 : 3) &&
               (!symmetric || row > col);
        bool found = false;
        for (int64_t a = g->xadj[col - 1]; same && a < g->xadj[col]; a++)
            found = found || (g->adj[a] == row - 1 && clv_graph_ewgt(g, a) == weight);
        same = same && found;
        count++;
    }
    fclose(file);
    return same && count == nnz;
}

static void check_round_trip(const fixture_kind *kind, uint64_t seed)
{
    clv_graph *g = fixture_graph(kind, seed), *again = NULL;
    clv_read_options opt = fixture_options();
    opt.as = kind->kind == CLEAVE_DAG ? CLV_AS_DAG : CLV_AS_AUTO;
    opt.weights_from_values = kind->ewgt;
    const char *path = fixture_path("graph.mtx");
    CHECK_OK(fixture_write(g, &clv_format_matrix_market, path, NULL, &err));
    CHECK(slow_same(path, g));
    CHECK_OK(fixture_read(&again, &clv_format_matrix_market, path, &opt, &err));
    CHECK(again && fixture_same(g, again));
    clv_graph_free(again);
    /* Through a pipe its size is unknown, and the careful ways are taken. */
    const char *packed = fixture_path("graph.mtx.gz");
    if (fixture_write(g, &clv_format_matrix_market, packed, NULL, &err) == CLEAVE_OK) {
        CHECK_OK(fixture_read(&again, &clv_format_matrix_market, packed, &opt, &err));
        CHECK(again && fixture_same(g, again));
        clv_graph_free(again);
    }
    clv_graph_free(g);
}

static void test_round_trips(void)
{
    for (uint64_t seed = 0; seed < 80; seed++) {
        clv_rng rng = clv_rng_make(seed, 3, 3, 3);
        fixture_kind kind = {.kind = seed % 3 == 0 ? CLEAVE_DAG : CLEAVE_UNDIRECTED,
                             .nvtx = (int32_t)clv_rng_below(&rng, seed % 8 ? 40 : 2000),
                             .ewgt = seed & 1,
                             .ncon = 1};
        kind.nedge = clv_rng_below(&rng, (uint32_t)kind.nvtx * 4 + 1);
        check_round_trip(&kind, seed);
    }
    const fixture_kind large = {.nvtx = 20000, .nedge = 100000, .ncon = 1};
    const fixture_kind heavy = {.nvtx = 20000, .nedge = 100000, .ncon = 1, .ewgt = true};
    check_round_trip(&large, 1);
    check_round_trip(&heavy, 2);
}

int main(void)
{
    RUN(test_matrices);
    RUN(test_complaints);
    RUN(test_writing);
    RUN(test_memory);
    RUN(test_random);
    RUN(test_round_trips);
    return test_end();
}
