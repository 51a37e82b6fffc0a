/* SPDX-License-Identifier: Apache-2.0 */
/* Plain substitution: bit for bit the reference, in place or not, in both precisions; new
 * values; failing allocations. */
#include "run/plain_rows.h"

#include "run/tri_fixture.h"
#include "support/test.h"

static cleave_error err;

static void check_double(const clv_plain_rows *p, const tri_system *t)
{
    size_t n = (size_t)t->n, bytes = n * sizeof(double);
    double *b = malloc(bytes + 8), *x = malloc(bytes + 8), *right = malloc(bytes + 8);
    for (size_t i = 0; i < n; i++)
        x[i] = b[i] = 1.0 / (double)(i + 1);
    tri_reference(t, right, b);
    clv_plain_rows_solve(p, x, x);
    CHECK(memcmp(x, right, bytes) == 0);
    memset(x, 0xff, bytes);
    clv_plain_rows_solve(p, x, b);
    CHECK(memcmp(x, right, bytes) == 0);
    free(b);
    free(x);
    free(right);
}

static void check_float(const clv_plain_rows *p, const tri_system *t)
{
    size_t n = (size_t)t->n, bytes = n * sizeof(float);
    float *b = malloc(bytes + 8), *x = malloc(bytes + 8), *right = malloc(bytes + 8);
    for (size_t i = 0; i < n; i++)
        b[i] = 1.0F / (float)(i + 1);
    tri_reference32(t, right, b);
    clv_plain_rows_solve(p, x, b);
    CHECK(memcmp(x, right, bytes) == 0);
    free(b);
    free(x);
    free(right);
}

static void test_random(void)
{
    for (uint64_t seed = 0; seed < 300; seed += TEST_STRIDE) {
        tri_system t = tri_random(seed, 90);
        clv_tri_rows rows = tri_rows(&t);
        for (int single = 0; single < 2; single++) {
            clv_plain_rows *p;
            REQUIRE_OK(clv_plain_rows_new(&p, &rows, t.upper, single, &err));
            clv_plain_rows_values(p, single ? (void *)t.val32 : (void *)t.val);
            for (int round = 0; round < 2; round++) {
                if (single)
                    check_float(p, &t);
                else
                    check_double(p, &t);
                for (int64_t k = 0; k < t.nval; k++) {
                    t.val[k] *= 1.25;
                    t.val32[k] *= 1.25F;
                }
                clv_plain_rows_values(p, single ? (void *)t.val32 : (void *)t.val);
            }
            clv_plain_rows_free(p);
        }
        tri_free(&t);
    }
    clv_plain_rows_free(NULL);
}

static void test_no_memory(void)
{
    tri_system t = tri_random(5, 40);
    clv_tri_rows rows = tri_rows(&t);
    test_oom_rounds oom = {0};
    while (test_oom_next(&oom)) {
        clv_plain_rows *p;
        cleave_status status =
            TEST_OOM(&oom, clv_plain_rows_new(&p, &rows, t.upper, false, &err));
        CHECK((p != NULL) == (status == CLEAVE_OK));
        clv_plain_rows_free(p);
    }
    CHECK(oom.failures > 2);
    tri_free(&t);
}

int main(void)
{
    RUN(test_random);
    RUN(test_no_memory);
    return test_end();
}
