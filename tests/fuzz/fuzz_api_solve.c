/* SPDX-License-Identifier: Apache-2.0 */
/* Triangular solves with a triangle from bytes (fuzz_instance.h): bit for bit the result of
 * plain substitution on a dense matrix, for all schedules, threads and storage forms. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz_instance.h"

enum { N = FUZZ_MOST_VERTICES };

typedef struct system_asked {
    cleave_triangle t;
    cleave_run_options opt;
    int64_t xadj[N + 1];
    int32_t *idx;
    double *val;
    double b[N];
    bool wrong;
} system_asked;

static double (*dense)[N]; /* the triangle as it is stored, row by row */

static double draw_value(fuzz_draws *draws)
{
    return (fuzz_draw(draws, 4001) - 2000) / 256.0;
}

/* Row v has an entry for each incoming or outgoing arc, on the requested side. */
static void fill_triangle(fuzz_draws *draws, const fuzz_arrays *arrays, system_asked *s)
{
    int32_t n = arrays->csr.nvtx;
    int64_t count = 0, most = 2 * arrays->xadj[n] + n + 1;
    s->idx = malloc((size_t)most * sizeof *s->idx);
    s->val = malloc((size_t)most * sizeof *s->val);
    dense = calloc(N, sizeof *dense);
    FUZZ_CHECK(s->idx && s->val && dense);
    for (int32_t v = 0; v < n; v++) {
        s->xadj[v] = count;
        for (int64_t a = arrays->xadj[v]; a <= arrays->xadj[v + 1]; a++) {
            int32_t u = a < arrays->xadj[v + 1] ? arrays->adj[a] : v;
            bool inside = (s->t.upper != 0) == (s->t.by_columns != 0) ? u <= v : u >= v;
            if (!inside || (u == v && s->t.unit && v % 2))
                continue; /* entries on a unit diagonal are ignored */
            s->idx[count] = u;
            s->val[count] = u == v ? 1 + fuzz_draw(draws, 512) / 256.0 : draw_value(draws);
            dense[s->t.by_columns ? u : v][s->t.by_columns ? v : u] = s->val[count++];
        }
    }
    s->xadj[n] = count;
}

static void take_run(fuzz_input *in, system_asked *s)
{
    static const char *const methods[] = {NULL,     "grow",     "levels",
                                          "serial", "graphopt", "auto"};
    static const char *const syncs[] = {NULL, "barrier", "p2p", "stale"};
    cleave_run_options_init(&s->opt, sizeof s->opt);
    s->opt.method = methods[fuzz_take(in, 6)];
    s->opt.sync = syncs[fuzz_take(in, 4)];
    s->opt.threads = 1 + fuzz_take(in, 3);
    s->opt.expected_calls = 1;
    s->opt.split_rows = fuzz_take(in, 3) - 1;
    if (fuzz_chance(in, 40)) {
        s->opt.sync = "never";
        s->wrong = true;
    }
}

static void take_system(fuzz_input *in, system_asked *s)
{
    static fuzz_arrays arrays;
    memset(s, 0, sizeof *s);
    fuzz_take_arrays(in, FUZZ_UNDIRECTED_ONLY, &arrays);
    fuzz_draws draws = fuzz_take_draws(in);
    cleave_triangle_init(&s->t, sizeof s->t);
    s->t.n = arrays.csr.nvtx;
    s->t.by_columns = fuzz_take(in, 2);
    s->t.upper = fuzz_take(in, 2);
    s->t.transpose = fuzz_take(in, 2);
    s->t.unit = fuzz_chance(in, 4);
    fill_triangle(&draws, &arrays, s);
    fuzz_arrays_free(&arrays);
    s->t.xadj = s->xadj;
    s->t.idx = s->idx;
    s->t.val = s->val;
    for (int32_t v = 0; v < s->t.n; v++)
        s->b[v] = draw_value(&draws);
    take_run(in, s);
    if (!s->t.unit && s->t.n > 0 && fuzz_chance(in, 20)) { /* a zero on the diagonal */
        int32_t v = fuzz_take(in, s->t.n);
        for (int64_t a = s->xadj[v]; a < s->xadj[v + 1]; a++)
            s->val[a] = s->idx[a] == v ? 0 : s->val[a];
        s->wrong = true;
    }
}

static double entry(const system_asked *s, int32_t i, int32_t j)
{
    return s->t.transpose ? dense[j][i] : dense[i][j];
}

/* Row by row, columns ascending, one division. */
static void substitute(const system_asked *s, double *x)
{
    bool upper = (s->t.upper != 0) != (s->t.transpose != 0);
    for (int32_t k = 0; k < s->t.n; k++) {
        int32_t i = upper ? s->t.n - 1 - k : k;
        double sum = s->b[i];
        for (int32_t j = upper ? i + 1 : 0; j < (upper ? s->t.n : i); j++)
            if (entry(s, i, j) != 0)
                sum -= entry(s, i, j) * x[j];
        x[i] = s->t.unit ? sum : sum / entry(s, i, i);
    }
}

static void check_solution(const system_asked *s, cleave_trsv *plan)
{
    double x[N], truth[N];
    cleave_error err = {0};
    substitute(s, truth);
    for (int call = 0; call < 2; call++) {
        memset(x, 0, sizeof x);
        cleave_status status =
            FUZZ_CALL(cleave_trsv_solve, cleave_trsv_solve(plan, x, s->b, &err));
        if (fuzz_lacks_memory(status, &err))
            continue;
        FUZZ_CHECK_OK(status, err);
        if (fuzz_spoils("solution"))
            x[0] += 1;
        for (int32_t v = 0; v < s->t.n; v++)
            FUZZ_CHECK(memcmp(&x[v], &truth[v], sizeof x[v]) == 0 ||
                       (x[v] != x[v] && truth[v] != truth[v]));
    }
}

FUZZ_TARGET(api_solve)
{
    static system_asked s;
    cleave_error err = {0};
    cleave_trsv *plan = (cleave_trsv *)&s; /* anything but NULL */
    take_system(in, &s);
    cleave_status status =
        FUZZ_CALL(cleave_trsv_create, cleave_trsv_create(&plan, &s.t, &s.opt, &err));
    if (status == CLEAVE_OK) {
        FUZZ_CHECK(!s.wrong);
        check_solution(&s, plan);
    } else {
        FUZZ_CHECK(plan == NULL);
        fuzz_check_sentence(status, &err);
        FUZZ_CHECK(fuzz_lacks_memory(status, &err) || (s.wrong && status == CLEAVE_EINVAL));
    }
    cleave_trsv_free(plan);
    free(s.idx);
    free(s.val);
    free(dense);
}
