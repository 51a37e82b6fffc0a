/* SPDX-License-Identifier: Apache-2.0 */
/* Evidence of circuits: every form of a value, every error message; round trips of results. */
#include <math.h>

#include "support/test.h"

static cleave_error err;

static void test_forms(void)
{
    static const int8_t want[] = {0, 1, -1, 1, -1, -1, 0, 0, 1};
    cleave_evidence *e = NULL;
    const char *path =
        test_file("forms", "% three variables\n0,1,?\n\n 1\t* -1 \r\n#\n0; 0;1");
    REQUIRE_OK(cleave_evidence_read(&e, path, 3, &err));
    CHECK_EQ(cleave_evidence_count(e), 3);
    CHECK(memcmp(cleave_evidence_view(e), want, sizeof want) == 0);
    cleave_evidence_free(e);
}

/* More than there is room for at first. */
static void test_many(void)
{
    enum { count = 1000 };
    char text[2 * count + 1];
    cleave_evidence *e = NULL;
    for (int i = 0; i < count; i++) {
        text[2 * i] = "01?"[i % 3];
        text[2 * i + 1] = '\n';
    }
    text[2 * count] = '\0';
    REQUIRE_OK(cleave_evidence_read(&e, test_file("many", text), 1, &err));
    CHECK_EQ(cleave_evidence_count(e), count);
    for (int i = 0; i < count; i++)
        CHECK_EQ(cleave_evidence_view(e)[i], i % 3 == 2 ? -1 : i % 3);
    cleave_evidence_free(e);
}

static void test_complaints(void)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"0,1\n0\n", ":2: the line has 1 of 2 values"},
        {"# x\n0,1,1\n", ":2: the line has more values than the circuit's 2"},
        {"0,2\n", ":1: \"2\" is not 0, 1 or ?"},
        {"0,01\n", ":1: \"01\" is not 0, 1 or ?"},
        {"0,-\n", ":1: \"-\" is not 0, 1 or ?"},
        {"a,b\n0,1\n", ":1: \"a\" is not 0, 1 or ?"},
        {",;\n", ":1: the line has 0 of 2 values"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cleave_evidence *e = (cleave_evidence *)&err;
        const char *path = test_file("bad", cases[i].text);
        CHECK_EQ(cleave_evidence_read(&e, path, 2, &err), CLEAVE_EPARSE);
        CHECK(e == NULL && strncmp(err.message, path, strlen(path)) == 0);
        CHECK_STR(err.message + strlen(path), cases[i].says);
    }
    cleave_evidence *e;
    CHECK_EQ(cleave_evidence_read(&e, "/nowhere/at/all", 2, &err), CLEAVE_EIO);
}

static void test_results(void)
{
    static const double values[] = {-0.1, -INFINITY, 0, -1234.5678901234567};
    char path[4200], text[100] = "";
    snprintf(path, sizeof path, "%s/results", test_scratch());
    REQUIRE_OK(cleave_results_write(path, 4, values, &err));
    FILE *file = fopen(path, "r");
    REQUIRE(file);
    size_t used = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[used] = '\0';
    CHECK_STR(text, "-0.1\n-inf\n0\n-1234.5678901234567\n");
}

int main(void)
{
    RUN(test_forms);
    RUN(test_many);
    RUN(test_complaints);
    RUN(test_results);
    return test_end();
}
