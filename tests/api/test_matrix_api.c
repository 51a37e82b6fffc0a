/* SPDX-License-Identifier: Apache-2.0 */
/* Matrices with values: sorted rows, summed duplicates, and files that preserve every bit. */
#include <float.h>
#include <math.h>

#include "api/api_support.h"
#include "base/rng.h"
#include "matrix/matrix.h"
#include "support/test.h"

static cleave_error err;

enum { most = 12 };

typedef struct dense {
    int32_t nrow, ncol;
    bool there[most][most];
    double val[most][most];
} dense;

static const char *scratch(const char *name)
{
    static char path[4200];
    snprintf(path, sizeof path, "%s/%s", test_scratch(), name);
    return path;
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static bool same_matrix(const cleave_matrix *a, const dense *d)
{
    cleave_matrix_csr view = {.size = sizeof view};
    cleave_matrix_view(a, &view);
    if (view.nrow != d->nrow || view.ncol != d->ncol || view.xadj[0] != 0)
        return false;
    int64_t k = 0;
    for (int32_t i = 0; i < d->nrow; i++) {
        for (int32_t j = 0; j < d->ncol; j++)
            if (d->there[i][j]) {
                if (k >= view.xadj[i + 1] || view.col[k] != j ||
                    !same_bits(view.val[k], d->val[i][j]))
                    return false;
                k++;
            }
        if (view.xadj[i + 1] != k)
            return false;
    }
    return true;
}

/* ---- Random matrices ---------------------------------------------------------------- */

static double random_value(clv_rng *rng)
{
    static const double special[] = {0.0,     -0.0,    1.0,          -1.0,   0.1,     1e-310,
                                     DBL_MAX, DBL_MIN, -DBL_EPSILON, 5e-324, 1.0 / 3, 1e22};
    switch (clv_rng_below(rng, 4)) {
    case 0:
        return special[clv_rng_below(rng, sizeof special / sizeof *special)];
    case 1:
        return (double)clv_rng_below(rng, 100);
    case 2:
        return clv_rng_unit(rng) * 1e3 - 500;
    default:
        for (;;) { /* any finite double */
            uint64_t bits = clv_rng_u64(rng);
            double value;
            memcpy(&value, &bits, sizeof value);
            if (isfinite(value))
                return value;
        }
    }
}

typedef struct triples {
    int64_t xadj[most + 1];
    int32_t col[3 * most * most];
    double val[3 * most * most];
} triples;

/* Rows in random order; copies of an entry are summed in the order in which they stand. */
static void random_matrix(dense *d, triples *t, bool copies, clv_rng *rng)
{
    memset(d, 0, sizeof *d);
    d->nrow = (int32_t)clv_rng_below(rng, most + 1);
    d->ncol = (int32_t)clv_rng_below(rng, most + 1);
    int64_t k = 0;
    for (int32_t i = 0; i < d->nrow; i++) {
        t->xadj[i] = k;
        int count = d->ncol ? (int)clv_rng_below(rng, 2 * (uint32_t)d->ncol) : 0;
        for (int c = 0; c < count; c++) {
            int32_t j = (int32_t)clv_rng_below(rng, (uint32_t)d->ncol);
            double value = random_value(rng);
            if (d->there[i][j] && !copies)
                continue;
            d->val[i][j] = d->there[i][j] ? d->val[i][j] + value : value;
            d->there[i][j] = true;
            t->col[k] = j;
            t->val[k++] = value;
        }
    }
    t->xadj[d->nrow] = k;
}

static void make_symmetric(dense *d, triples *t)
{
    d->ncol = d->nrow;
    int64_t k = 0;
    for (int32_t i = 0; i < d->nrow; i++) {
        t->xadj[i] = k;
        for (int32_t j = 0; j < d->nrow; j++) {
            d->there[i][j] = i < j ? d->there[i][j] : d->there[j][i];
            d->val[i][j] = i < j ? d->val[i][j] : d->val[j][i];
            if (d->there[i][j]) {
                t->col[k] = j;
                t->val[k++] = d->val[i][j];
            }
        }
    }
    t->xadj[d->nrow] = k;
}

static bool is_symmetric(const dense *d)
{
    for (int i = 0; i < d->nrow; i++)
        for (int j = 0; j < d->ncol; j++)
            if (d->nrow != d->ncol || d->there[i][j] != d->there[j][i] ||
                (d->there[i][j] && !same_bits(d->val[i][j], d->val[j][i])))
                return false;
    return d->nrow == d->ncol;
}

static cleave_matrix *created(const dense *d, const triples *t)
{
    int64_t nnz = t->xadj[d->nrow];
    cleave_matrix_csr csr = {.size = sizeof csr, .nrow = d->nrow, .ncol = d->ncol};
    csr.xadj = frozen(t->xadj, d->nrow + 1, sizeof *t->xadj);
    csr.col = frozen(t->col, nnz, sizeof *t->col);
    csr.val = frozen(t->val, nnz, sizeof *t->val);
    cleave_matrix *a = NULL;
    CHECK_OK(cleave_matrix_create(&a, &csr, &err));
    thaw();
    return a;
}

/* Is the second word of the banner "symmetric" exactly when the matrix is? */
static bool banner_says(const char *path, bool symmetric)
{
    char line[128] = "";
    FILE *file = fopen(path, "r");
    if (!file || !fgets(line, sizeof line, file))
        line[0] = '\0';
    if (file)
        fclose(file);
    return strcmp(line, symmetric ? "%%MatrixMarket matrix coordinate real symmetric\n"
                                  : "%%MatrixMarket matrix coordinate real general\n") == 0;
}

static bool round_trip(const dense *d, const triples *t, bool *symmetric)
{
    const char *path = scratch("round.mtx");
    cleave_matrix *a = created(d, t), *again = NULL;
    bool found;
    bool good = same_matrix(a, d);
    CHECK_OK(clv_matrix_is_symmetric(a, &found, &err));
    *symmetric = is_symmetric(d);
    good = good && found == *symmetric;
    CHECK_OK(cleave_matrix_write(a, path, &err));
    good = good && banner_says(path, *symmetric);
    CHECK_OK(cleave_matrix_read(&again, path, NULL, &err));
    good = good && again && same_matrix(again, d);
    cleave_matrix_free(a);
    cleave_matrix_free(again);
    return good;
}

static void test_random_matrices(void)
{
    int symmetric = 0;
    for (uint64_t seed = 0; seed < 1500; seed++) {
        static dense d;
        static triples t;
        clv_rng rng = clv_rng_make(seed, 5, 0, 0);
        random_matrix(&d, &t, clv_rng_below(&rng, 2), &rng);
        bool is, finite = true;
        for (int i = 0; i < d.nrow; i++)
            for (int j = 0; j < d.ncol; j++)
                finite = finite && isfinite(d.val[i][j]);
        if (!finite) /* a sum overflowed */
            continue;
        if (d.ncol >= d.nrow && clv_rng_below(&rng, 2))
            make_symmetric(&d, &t);
        if (!round_trip(&d, &t, &is)) {
            fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
            CHECK(!"the same matrix");
            return;
        }
        symmetric += is;
    }
    CHECK(symmetric > 200 && symmetric < 1300);
}

/* ---- By hand ------------------------------------------------------------------------ */

static void test_sums_in_order(void)
{
    /* (1e16 + 1) + 1 loses both ones, 1 + 1 + 1e16 none. */
    static const int64_t xadj[] = {0, 6};
    static const int32_t col[] = {1, 0, 1, 0, 1, 0};
    static const double val[] = {1e16, 1, 1, 1, 1, 1e16};
    cleave_matrix_csr csr = {sizeof csr, 1, 2, xadj, col, val}, view = csr;
    cleave_matrix *a;
    REQUIRE_OK(cleave_matrix_create(&a, &csr, &err));
    cleave_matrix_view(a, &view);
    CHECK(view.xadj[1] == 2 && view.col[0] == 0 && view.col[1] == 1);
    CHECK(same_bits(view.val[0], 1e16 + 2) && same_bits(view.val[1], 1e16));
    CHECK(view.xadj != xadj && view.col != col && view.val != val);
    cleave_matrix_free(a);
}

/* A row longer than any special case, its columns falling. */
static void test_long_row(void)
{
    enum { n = 50000 };
    int64_t xadj[] = {0, 2 * n};
    int32_t *col = malloc(2 * n * sizeof *col);
    double *val = malloc(2 * n * sizeof *val);
    for (int32_t k = 0; k < 2 * n; k++) {
        col[k] = n - 1 - k / 2;
        val[k] = k % 2 ? 0.5 : (double)(k / 2);
    }
    cleave_matrix_csr csr = {sizeof csr, 1, n, xadj, col, val}, view = csr;
    cleave_matrix *a;
    REQUIRE_OK(cleave_matrix_create(&a, &csr, &err));
    cleave_matrix_view(a, &view);
    bool good = view.xadj[1] == n;
    for (int32_t k = 0; k < n && good; k++)
        good = view.col[k] == k && same_bits(view.val[k], (double)(n - 1 - k) + 0.5);
    CHECK(good);
    cleave_matrix_free(a);
    free(col);
    free(val);
}

static bool symmetric_by_hand(const double *val)
{
    static const int64_t xadj[] = {0, 2, 4};
    static const int32_t col[] = {0, 1, 0, 1};
    cleave_matrix_csr csr = {sizeof csr, 2, 2, xadj, col, val};
    cleave_matrix *a = NULL;
    bool symmetric = false;
    CHECK_OK(cleave_matrix_create(&a, &csr, &err));
    CHECK_OK(clv_matrix_is_symmetric(a, &symmetric, &err));
    cleave_matrix_free(a);
    return symmetric;
}

static void test_symmetry(void)
{
    CHECK(symmetric_by_hand((double[]){1, 2, 2, 3}));
    CHECK(!symmetric_by_hand((double[]){1, 2, 2.5, 3}));
    CHECK(!symmetric_by_hand((double[]){1, 0.0, -0.0, 3})); /* bit for bit */
    CHECK(symmetric_by_hand((double[]){1, NAN, NAN, 3}));
    CHECK(symmetric_by_hand((double[]){1, INFINITY, INFINITY, 3}));
    /* A circle: as many entries in every row as in its column, but not the same. */
    static const int64_t xadj[] = {0, 1, 2, 3};
    static const int32_t col[] = {1, 2, 0};
    static const double ones[] = {1, 1, 1};
    cleave_matrix_csr csr = {sizeof csr, 3, 3, xadj, col, ones};
    cleave_matrix *a;
    bool symmetric = true;
    REQUIRE_OK(cleave_matrix_create(&a, &csr, &err));
    CHECK_OK(clv_matrix_is_symmetric(a, &symmetric, &err));
    CHECK(!symmetric);
    cleave_matrix_free(a);
}

static void test_shapes(void)
{
    static const int64_t xadj[] = {0, 0, 0, 0};
    static const int32_t shapes[][2] = {{0, 0}, {0, 5}, {3, 0}, {1, 1}, {3, 3}, {2, 3}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        cleave_matrix_csr csr = {sizeof csr, shapes[i][0], shapes[i][1], xadj, NULL, NULL};
        cleave_matrix *a, *again;
        REQUIRE_OK(cleave_matrix_create(&a, &csr, &err));
        CHECK_OK(cleave_matrix_write(a, scratch("shape.mtx"), &err));
        REQUIRE_OK(cleave_matrix_read(&again, scratch("shape.mtx"), NULL, &err));
        cleave_matrix_csr view = {.size = sizeof view};
        cleave_matrix_view(again, &view);
        CHECK(view.nrow == csr.nrow && view.ncol == csr.ncol && view.xadj[view.nrow] == 0);
        cleave_matrix_free(a);
        cleave_matrix_free(again);
    }
}

/* ---- Files of others ---------------------------------------------------------------- */

static void test_read_expands(void)
{
    const char *path = test_file("skew.mtx", "%%MatrixMarket matrix coordinate real "
                                             "skew-symmetric\n% comment\n3 3 2\n"
                                             "2 1 1.5\n3 2 -2d1\n");
    static dense want;
    want = (dense){.nrow = 3, .ncol = 3};
    want.there[1][0] = want.there[0][1] = want.there[2][1] = want.there[1][2] = true;
    want.val[1][0] = 1.5;
    want.val[0][1] = -1.5;
    want.val[2][1] = -20;
    want.val[1][2] = 20;
    cleave_matrix *a;
    REQUIRE_OK(cleave_matrix_read(&a, path, NULL, &err));
    CHECK(same_matrix(a, &want));
    cleave_matrix_free(a);
    path = test_file("twice.mtx", "%%MatrixMarket matrix coordinate integer symmetric\n"
                                  "2 2 3\n1 1 4\n2 1 5\n2 1 6\n");
    want = (dense){.nrow = 2, .ncol = 2};
    want.there[0][0] = want.there[1][0] = want.there[0][1] = true;
    want.val[0][0] = 4;
    want.val[1][0] = want.val[0][1] = 11;
    REQUIRE_OK(cleave_matrix_read(&a, path, NULL, &err));
    CHECK(same_matrix(a, &want));
    cleave_matrix_free(a);
    path = test_file("pattern.mtx",
                     "%%MatrixMarket matrix coordinate pattern general\n1 2 1\n1 2\n");
    want = (dense){.nrow = 1, .ncol = 2};
    want.there[0][1] = true;
    want.val[0][1] = 1;
    REQUIRE_OK(cleave_matrix_read(&a, path, NULL, &err));
    CHECK(same_matrix(a, &want));
    cleave_matrix_free(a);
}

static void unreadable(const char *text, cleave_status status)
{
    cleave_matrix *a = (cleave_matrix *)&err;
    const char *path = test_file("bad.mtx", text);
    memset(&err, 0, sizeof err);
    CHECK_EQ(cleave_matrix_read(&a, path, NULL, &err), status);
    CHECK(a == NULL);
    CHECK(strncmp(err.message, path, strlen(path) < 100 ? strlen(path) : 0) == 0);
}

static void test_read_refuses(void)
{
    unreadable("", CLEAVE_EPARSE);
    unreadable("%%MatrixMarket matrix coordinate real general\n", CLEAVE_EPARSE);
    unreadable("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n",
               CLEAVE_EPARSE);
    unreadable("%%MatrixMarket matrix coordinate real general\n1 1 1\n", CLEAVE_EPARSE);
    unreadable("%%MatrixMarket matrix coordinate real general\n1 1 1\n2 1 3\n", CLEAVE_EPARSE);
    unreadable("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1\n", CLEAVE_EPARSE);
    unreadable("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 x\n", CLEAVE_EPARSE);
    unreadable("%%MatrixMarket matrix coordinate real symmetric\n1 2 0\n", CLEAVE_EPARSE);
    unreadable("%%MatrixMarket matrix coordinate real skew-symmetric\n1 1 1\n1 1 1\n",
               CLEAVE_EPARSE);
    unreadable("%%MatrixMarket matrix coordinate real general\n2000000000 2 0\n",
               CLEAVE_ERANGE);
    cleave_matrix *a;
    CHECK_EQ(cleave_matrix_read(&a, scratch("absent.mtx"), NULL, &err), CLEAVE_EIO);
    CHECK(a == NULL);
}

static int stop(void *payload, const cleave_progress *now)
{
    CHECK(now->size == sizeof *now && now->phase && now->done >= 0);
    ++*(int *)payload;
    return 1;
}

static void test_cancel(void)
{
    cleave_read_options opt;
    cleave_read_options_init(&opt, sizeof opt);
    int calls = 0;
    opt.progress = stop;
    opt.payload = &calls;
    const char *path = test_file("stop.mtx", "%%MatrixMarket matrix coordinate real general\n"
                                             "1 1 1\n1 1 1\n");
    cleave_matrix *a;
    CHECK_EQ(cleave_matrix_read(&a, path, &opt, &err), CLEAVE_ECANCEL);
    CHECK(a == NULL && calls == 1);
}

static void test_view_sizes(void)
{
    static const int64_t xadj[] = {0, 1};
    static const int32_t col[] = {0};
    static const double val[] = {3};
    cleave_matrix_csr csr = {sizeof csr, 1, 1, xadj, col, val};
    cleave_matrix *a;
    REQUIRE_OK(cleave_matrix_create(&a, &csr, &err));
    cleave_matrix_csr view = {.size = offsetof(cleave_matrix_csr, val), .val = val};
    cleave_matrix_view(a, &view);
    CHECK(view.val == val && view.nrow == 1 && view.size == offsetof(cleave_matrix_csr, val));
    cleave_matrix_free(a);
}

int main(void)
{
    test_file("scratch", "");
    RUN(test_random_matrices);
    RUN(test_sums_in_order);
    RUN(test_long_row);
    RUN(test_symmetry);
    RUN(test_shapes);
    RUN(test_read_expands);
    RUN(test_read_refuses);
    RUN(test_cancel);
    RUN(test_view_sizes);
    return test_end();
}
