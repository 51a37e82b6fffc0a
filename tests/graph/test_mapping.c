/* SPDX-License-Identifier: Apache-2.0 */
/* Mappings: valid and invalid parts, and error messages. */
#include "graph/mapping.h"

#include "graph/sample.h"
#include "support/test.h"

static cleave_error err;

static void test_create(void)
{
    static const int32_t part[] = {2, 0, 2, 1};
    int32_t mine[4];
    cleave_mapping *m;
    memcpy(mine, part, sizeof mine);
    REQUIRE_OK(cleave_mapping_create(&m, 4, 5, mine, &err));
    mine[0] = 4; /* the mapping has a copy */
    CHECK_EQ(cleave_mapping_vertices(m), 4);
    CHECK_EQ(cleave_mapping_nparts(m), 5);
    CHECK(memcmp(cleave_mapping_parts(m), part, sizeof part) == 0);
    cleave_mapping_free(m);
    REQUIRE_OK(cleave_mapping_create(&m, 4, -1, part, &err));
    CHECK_EQ(cleave_mapping_nparts(m), 3);
    cleave_mapping_free(m);
    REQUIRE_OK(cleave_mapping_create(&m, 4, 3, part, &err));
    CHECK_EQ(cleave_mapping_nparts(m), 3);
    cleave_mapping_free(m);
}

static void test_empty(void)
{
    cleave_mapping *m;
    REQUIRE_OK(cleave_mapping_create(&m, 0, -1, NULL, &err));
    CHECK_EQ(cleave_mapping_vertices(m), 0);
    CHECK_EQ(cleave_mapping_nparts(m), 0);
    CHECK(cleave_mapping_parts(m) != NULL);
    cleave_mapping_free(m);
    REQUIRE_OK(cleave_mapping_create(&m, 0, INT32_MAX, NULL, &err));
    CHECK_EQ(cleave_mapping_nparts(m), INT32_MAX);
    cleave_mapping_free(m);
    REQUIRE_OK(cleave_mapping_create(&m, 0, 0, NULL, &err));
    CHECK_EQ(cleave_mapping_nparts(m), 0);
    cleave_mapping_free(m);
}

static void test_nothing(void)
{
    cleave_mapping_free(NULL);
    CHECK_EQ(cleave_mapping_vertices(NULL), 0);
    CHECK_EQ(cleave_mapping_nparts(NULL), 0);
    CHECK(cleave_mapping_parts(NULL) == NULL);
}

/* The internal maker takes NULL for "all in part 0". */
static void test_zero(void)
{
    clv_mapping *m;
    REQUIRE_OK(clv_mapping_new(&m, 3, 7, NULL, &err));
    CHECK_EQ(m->nparts, 7);
    CHECK(m->part[0] == 0 && m->part[1] == 0 && m->part[2] == 0);
    clv_mapping_free(m);
    REQUIRE_OK(clv_mapping_new(&m, 3, -1, NULL, &err));
    CHECK_EQ(m->nparts, 1);
    clv_mapping_free(m);
}

static void test_limits(void)
{
    static const int32_t highest[] = {INT32_MAX - 1};
    cleave_mapping *m;
    REQUIRE_OK(cleave_mapping_create(&m, 1, -1, highest, &err));
    CHECK_EQ(cleave_mapping_nparts(m), INT32_MAX);
    cleave_mapping_free(m);
}

static void refused(int32_t nvtx, int32_t nparts, const int32_t *part, const char *text)
{
    cleave_mapping *m = (cleave_mapping *)&err;
    memset(&err, 0, sizeof err);
    CHECK_EQ(cleave_mapping_create(&m, nvtx, nparts, part, &err), CLEAVE_EINVAL);
    CHECK(m == NULL);
    CHECK_EQ(err.status, CLEAVE_EINVAL);
    CHECK_STR(err.message, text);
    CHECK_EQ(cleave_mapping_create(&m, nvtx, nparts, part, NULL), CLEAVE_EINVAL);
}

static void test_refused(void)
{
    static const int32_t part[] = {0, 3, 1}, negative[] = {0, -1}, huge[] = {INT32_MAX};
    refused(3, 3, part, "vertex 1 is in part 3, but parts run from 0 to 2");
    refused(2, 4, negative, "vertex 1 is in part -1, but parts run from 0 to 3");
    refused(2, -1, negative, "vertex 1 is in part -1, but parts run from 0 to 2147483646");
    refused(1, -1, huge, "vertex 0 is in part 2147483647, but parts run from 0 to 2147483646");
    refused(3, 0, part, "3 vertices cannot be in 0 parts");
    refused(-1, 3, part, "a mapping cannot have -1 vertices");
    refused(3, -2, part, "a mapping cannot have -2 parts");
    refused(3, 3, NULL, "part is NULL");
    CHECK_EQ(cleave_mapping_create(NULL, 3, 4, part, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "out is NULL");
}

static void test_refused_files(void)
{
    static const int32_t part[] = {0};
    cleave_mapping *m = (cleave_mapping *)&err;
    CHECK_EQ(cleave_mapping_read(NULL, "x", -1, -1, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "out is NULL");
    CHECK_EQ(cleave_mapping_read(&m, NULL, -1, -1, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "path is NULL");
    CHECK(m == NULL);
    CHECK_EQ(cleave_mapping_read(&m, "x", -2, -1, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "a mapping cannot have -2 vertices");
    CHECK_EQ(cleave_mapping_read(&m, "x", -1, -2, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "a mapping cannot have -2 parts");
    CHECK_EQ(cleave_mapping_write(NULL, "x", &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "the mapping is NULL");
    REQUIRE_OK(cleave_mapping_create(&m, 1, 1, part, &err));
    CHECK_EQ(cleave_mapping_write(m, NULL, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "path is NULL");
    cleave_mapping_free(m);
}

static void test_round_trip(void)
{
    static const int32_t part[] = {2, 0, 2, 1};
    const char *path = test_file("mapping.part.4", "");
    cleave_mapping *m, *again;
    REQUIRE_OK(cleave_mapping_create(&m, 4, 4, part, &err));
    CHECK_OK(cleave_mapping_write(m, path, &err));
    cleave_mapping_free(m);
    REQUIRE_OK(cleave_mapping_read(&again, path, 4, 4, &err));
    CHECK_EQ(cleave_mapping_nparts(again), 4);
    CHECK(memcmp(cleave_mapping_parts(again), part, sizeof part) == 0);
    cleave_mapping_free(again);
}

static cleave_status call_create(const void *part, cleave_error *e)
{
    cleave_mapping *m = (cleave_mapping *)e;
    cleave_status status = cleave_mapping_create(&m, 4, -1, part, e);
    CHECK((m == NULL) == (status != CLEAVE_OK));
    cleave_mapping_free(m);
    return status;
}

static void test_out_of_memory(void)
{
    static const int32_t part[] = {2, 0, 2, 1};
    test_oom_call(call_create, part);
    CHECK_EQ(test_alloc_live(), 0);
}

int main(void)
{
    RUN(test_create);
    RUN(test_empty);
    RUN(test_nothing);
    RUN(test_zero);
    RUN(test_limits);
    RUN(test_refused);
    RUN(test_refused_files);
    RUN(test_round_trip);
    RUN(test_out_of_memory);
    return test_end();
}
