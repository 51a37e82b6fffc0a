/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors as files: round trips and error messages. */
#include <float.h>

#include "base/rng.h"
#include "support/test.h"

static cleave_error err;

static void test_round_trip(void)
{
    static const double special[] = {0.0, -0.0, DBL_MAX, -DBL_MIN, 5e-324, 1.0 / 3, 1e22, 7};
    double values[60], again[60];
    for (uint64_t seed = 0; seed < 60; seed += TEST_STRIDE) {
        clv_rng rng = clv_rng_make(seed, 1, 0, 0);
        int32_t rows = (int32_t)clv_rng_below(&rng, 13), columns = (int32_t)(seed % 5);
        for (int i = 0; i < rows * columns; i++)
            values[i] = clv_rng_below(&rng, 3) ? clv_rng_unit(&rng) * 200 - 100
                                               : special[clv_rng_below(&rng, 8)];
        const char *path = test_file(seed % 2 ? "v.mtx" : "v.mtx.gz", "");
        REQUIRE_OK(cleave_vectors_write(values, rows, columns, path, &err));
        REQUIRE_OK(cleave_vectors_read(again, rows, columns, path, &err));
        CHECK(memcmp(values, again, (size_t)(rows * columns) * sizeof *values) == 0);
    }
}

static void reads(const char *text)
{
    double values[4] = {0};
    REQUIRE_OK(cleave_vectors_read(values, 2, 2, test_file("v", text), &err));
    CHECK(values[0] == 1 && values[1] == -0.5 && values[2] == 3e2 && values[3] == 4);
}

static void test_forms(void)
{
    reads("%%MatrixMarket matrix array real general\n% comment\n2 2\n1\n-0.5\n3e2\n4\n");
    reads("%%matrixmarket MATRIX array Integer GENERAL\n2 2\n1 -0.5 3e2 4");
    reads("1\n-0.5\n300\n4\n");
    reads("# as it comes\n  1 -0.5\n\n% more\n3e2\t4   ");
    reads("%% no banner\n1\r\n-0.5\r\n300\r\n4\r\n");
    double nothing;
    CHECK_OK(cleave_vectors_read(&nothing, 0, 3, test_file("v", "\n"), &err));
    CHECK_OK(cleave_vectors_read(NULL, 0, 0, test_file("v", ""), &err));
}

static void refused(const char *text, const char *sentence)
{
    double values[2];
    const char *path = test_file("v", text);
    memset(&err, 0, sizeof err);
    CHECK_EQ(cleave_vectors_read(values, 2, 1, path, &err), CLEAVE_EPARSE);
    const char *said = strrchr(err.message, '/');
    CHECK_STR(said ? said + 1 : err.message, sentence);
}

static void test_refuses(void)
{
    refused("1\n", "v:2: the file ends after 1 of 2 values");
    refused("", "v:1: the file ends after 0 of 2 values");
    refused("1\n2\n3\n", "v:3: unexpected text after the last of 2 values");
    refused("1 2 3\n", "v:1: unexpected text after the last of 2 values");
    refused("1\nx\n", "v:2: a value is \"x\", not a number");
    refused("1\n1e999\n", "v:2: a value is not finite");
    refused("%%MatrixMarket vector array real general\n2 1\n1\n2\n",
            "v:1: the banner does not describe a matrix");
    refused("%%MatrixMarket matrix coordinate real general\n2 1 1\n1 1 1\n",
            "v:1: only array files hold vectors");
    refused("%%MatrixMarket matrix array complex general\n2 1\n1 0\n2 0\n",
            "v:1: the field is not real or integer");
    refused("%%MatrixMarket matrix array real symmetric\n2 2\n",
            "v:1: the symmetry of vectors is not general");
    refused("%%MatrixMarket matrix array real general\n",
            "v:2: the file ends before its size line");
    refused("%%MatrixMarket matrix array real general\n1 2\n1\n2\n",
            "v:2: the vectors are 1 x 2, but 2 x 1 are expected");
    refused("%%MatrixMarket matrix array real general\n2 1 5\n1\n2\n",
            "v:2: unexpected text after the sizes");
    refused("%%MatrixMarket matrix array real general\n2\n1\n2\n",
            "v:2: the line ends before the number of columns");
    double value;
    CHECK_EQ(cleave_vectors_read(&value, 1, 1, "/nowhere/v", &err), CLEAVE_EIO);
}

static void test_memory(void)
{
    double values[2];
    const char *path = test_file("v", "1 2\n");
    test_oom_rounds oom = {0};
    while (test_oom_next(&oom))
        TEST_OOM(&oom, cleave_vectors_read(values, 2, 1, path, &err));
    CHECK(oom.failures > 1 && oom.failures < 100);
}

int main(void)
{
    RUN(test_round_trip);
    RUN(test_forms);
    RUN(test_refuses);
    RUN(test_memory);
    return test_end();
}
