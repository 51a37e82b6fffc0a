/* SPDX-License-Identifier: Apache-2.0 */
/* Fix files, groups, bounds and target weights: all forms, every error message, failing
 * allocations. */
#include "formats/reader_fixture.h"

static cleave_error err;

/* "0 -1 2", or the complaint without the folder. */
static const char *fixed(const char *text, int32_t nvtx, int32_t nparts)
{
    static char shown[512];
    int32_t part[16] = {0};
    if (cleave_fixed_read(part, nvtx, nparts, test_file("f.fix", text), &err) != CLEAVE_OK)
        return fixture_message(&err);
    char *to = shown;
    *to = '\0';
    for (int32_t v = 0; v < nvtx; v++)
        to += sprintf(to, "%s%d", v ? " " : "", (int)part[v]);
    return shown;
}

static void test_fixed(void)
{
    CHECK_STR(fixed("0\n-1\n2\n", 3, 3), "0 -1 2");
    CHECK_STR(fixed("% c\n0\r\n\n -1 \n# c\n2", 3, 3), "0 -1 2");
    CHECK_STR(fixed("", 0, 1), "");
    CHECK_STR(fixed("0\n-1\n", 3, 3),
              "f.fix:3: the file ends after 2 vertices, but the graph has 3");
    CHECK_STR(fixed("0\n-1\n1\n1\n", 3, 3),
              "f.fix:4: there are more lines than the graph's 3 vertices");
    CHECK_STR(fixed("0\n3\n", 2, 3), "f.fix:2: the part of a vertex is 3, outside -1..2");
    CHECK_STR(fixed("-2\n", 1, 3), "f.fix:1: the part of a vertex is -2, outside -1..2");
    CHECK_STR(fixed("x\n", 1, 3),
              "f.fix:1: the part of a vertex is \"x\", not a whole number");
    CHECK_STR(fixed("1 2\n", 1, 3), "f.fix:1: unexpected text after the part");
    CHECK_EQ(err.status, CLEAVE_EPARSE);
    int32_t part[1];
    CHECK_EQ(cleave_fixed_read(NULL, 1, 2, "x", &err), CLEAVE_EINVAL);
    CHECK_EQ(cleave_fixed_read(part, 1, 2, NULL, &err), CLEAVE_EINVAL);
    CHECK_EQ(cleave_fixed_read(part, -1, 2, "x", &err), CLEAVE_EINVAL);
    CHECK_EQ(cleave_fixed_read(part, 1, 0, "x", &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "nparts is 0");
    CHECK_EQ(cleave_fixed_read(part, 1, 2, fixture_path("none"), &err), CLEAVE_EIO);
    CHECK_EQ(cleave_fixed_read(NULL, 0, 2, test_file("e.fix", ""), &err), CLEAVE_OK);
}

/* "0 -1 7", or the complaint without the folder. */
static const char *groups(const char *text, int32_t nvtx)
{
    static char shown[512];
    int32_t group[16] = {0};
    if (cleave_groups_read(group, nvtx, test_file("g.txt", text), &err) != CLEAVE_OK)
        return fixture_message(&err);
    char *to = shown;
    *to = '\0';
    for (int32_t v = 0; v < nvtx; v++)
        to += sprintf(to, "%s%d", v ? " " : "", (int)group[v]);
    return shown;
}

static void test_groups(void)
{
    CHECK_STR(groups("0\n-1\n2147483647\n", 3), "0 -1 2147483647");
    CHECK_STR(groups("% c\n0\r\n\n -1 \n# c\n2", 3), "0 -1 2");
    CHECK_STR(groups("", 0), "");
    CHECK_STR(groups("0\n-1\n", 3),
              "g.txt:3: the file ends after 2 vertices, but the graph has 3");
    CHECK_STR(groups("0\n-1\n1\n1\n", 3),
              "g.txt:4: there are more lines than the graph's 3 vertices");
    CHECK_STR(groups("2147483648\n", 1),
              "g.txt:1: the group of a vertex is 2147483648, outside -1..2147483647");
    CHECK_STR(groups("-2\n", 1), "g.txt:1: the group of a vertex is -2, outside "
                                 "-1..2147483647");
    CHECK_STR(groups("x\n", 1), "g.txt:1: the group of a vertex is \"x\", not a whole number");
    CHECK_STR(groups("1 2\n", 1), "g.txt:1: unexpected text after the group");
    CHECK_EQ(cleave_groups_read(NULL, 0, test_file("e.txt", ""), &err), CLEAVE_OK);
}

/* "1 -1 9", the bounds of a part joined by a slash. */
static const char *bounds(const char *text, int32_t nparts, int32_t ncon)
{
    static char shown[512];
    int64_t bound[64];
    if (cleave_bounds_read(bound, nparts, ncon, test_file("b.txt", text), &err) != CLEAVE_OK)
        return fixture_message(&err);
    char *to = shown;
    *to = '\0';
    for (int32_t i = 0; i < nparts * ncon; i++)
        to += sprintf(to, "%s%lld", i == 0 ? "" : i % ncon ? "/" : " ", (long long)bound[i]);
    return shown;
}

static void test_bounds(void)
{
    CHECK_STR(bounds("0\n-1\n9223372036854775807\n", 3, 1), "0 -1 9223372036854775807");
    CHECK_STR(bounds("# c\n 1 2\r\n\n-1 4\n% c\n", 2, 2), "1/2 -1/4");
    CHECK_STR(bounds("1\n", 2, 1), "b.txt:2: the file ends after the bounds of 1 of 2 parts");
    CHECK_STR(bounds("1\n2\n3\n", 2, 1), "b.txt:3: there are more lines than 2 parts");
    CHECK_STR(bounds("1 2\n3\n", 2, 1), "b.txt:1: unexpected text after the bounds of a part");
    CHECK_STR(bounds("1\n3\n", 2, 2), "b.txt:1: the line ends before a bound");
    CHECK_STR(bounds("-2\n", 1, 1), "b.txt:1: a bound is -2, outside -1..9223372036854775807");
    CHECK_STR(bounds("1.5\n", 1, 1), "b.txt:1: a bound is \"1.5\", not a whole number");
}

/* "0.5 0.25 0.25", the shares of a part joined by a slash. */
static const char *shares(const char *text, int32_t nparts, int32_t ncon)
{
    static char shown[512];
    double share[64];
    if (cleave_shares_read(share, nparts, ncon, test_file("t.txt", text), &err) != CLEAVE_OK)
        return fixture_message(&err);
    char *to = shown;
    *to = '\0';
    for (int32_t i = 0; i < nparts * ncon; i++)
        to += sprintf(to, "%s%g", i == 0 ? "" : i % ncon ? "/" : " ", share[i]);
    return shown;
}

static void test_plain(void)
{
    CHECK_STR(shares("2\n1\n1\n", 3, 1), "2 1 1");
    CHECK_STR(shares("# c\n 2.5e-1\r\n\n% c\n0\n.75", 3, 1), "0.25 0 0.75");
    CHECK_STR(shares("1 2\n3 4\n", 2, 2), "1/2 3/4");
    CHECK_STR(shares("1\n", 2, 1), "t.txt:2: the file ends after the shares of 1 of 2 parts");
    CHECK_STR(shares("1\n2\n3\n", 2, 1), "t.txt:3: there are more lines than 2 parts");
    CHECK_STR(shares("1 2\n3\n", 2, 1), "t.txt:1: unexpected text after the shares of a part");
    CHECK_STR(shares("1\n3\n", 2, 2), "t.txt:1: the line ends before a share");
    CHECK_STR(shares("1\nx\n", 2, 1), "t.txt:2: a share is \"x\", not a number");
    CHECK_STR(shares("1\n-1\n", 2, 1), "t.txt:2: a share is negative or not finite");
    CHECK_STR(shares("1\ninf\n", 2, 1), "t.txt:2: a share is negative or not finite");
    CHECK_STR(shares("0\n0\n", 2, 1), "t.txt:3: the shares of constraint 0 add up to 0");
    CHECK_STR(shares("1e308 1\n1e308 1\n", 2, 2),
              "t.txt:3: the shares of constraint 0 add up to infinity");
    CHECK_STR(shares("1 0\n1 0\n", 2, 2), "t.txt:3: the shares of constraint 1 add up to 0");
}

static void test_metis(void)
{
    CHECK_STR(shares("0 = 0.5\n1-2 = .25\n", 3, 1), "0.5 0.25 0.25");
    CHECK_STR(shares("% c\n\n 0=.5 \r\n1 - 2\t= 25e-2\n", 3, 1), "0.5 0.25 0.25");
    /* What is left goes to the others in equal parts. */
    CHECK_STR(shares("1 = 0.5\n", 3, 1), "0.25 0.5 0.25");
    CHECK_STR(shares("0-2 = 0.25\n", 4, 1), "0.25 0.25 0.25 0.25");
    CHECK_STR(shares("0 = 1\n", 3, 1), "1 0 0");
    /* The last line wins. */
    CHECK_STR(shares("0-3 = 0.2\n2 = 0.4\n1-2 = 0.3\n", 4, 1), "0.2 0.3 0.3 0.2");
    CHECK_STR(shares("0:1 = 0.75\n1:0 = 0.25\n", 2, 2), "0.75/0.75 0.25/0.25");
    CHECK_STR(shares("0-1:0-1 = 0.125\n2 = .75\n", 3, 3),
              "0.125/0.125/0.125 0.125/0.125/0.125 0.75/0.75/0.75");
    /* All given: any scale. */
    CHECK_STR(shares("0 = 3\n1 = 1\n", 2, 1), "3 1");
}

static void test_metis_complaints(void)
{
    static const char parts[] =
        "t.txt:1: the line does not start with a part or a range of parts inside 0..1";
    static const char constraints[] =
        "t.txt:1: no constraint or range of constraints inside 0..1 follows the colon";
    CHECK_STR(shares("x = 1\n", 2, 1), parts);
    CHECK_STR(shares("2 = 1\n", 2, 1), parts);
    CHECK_STR(shares("-1 = 1\n", 2, 1), parts);
    CHECK_STR(shares("1-0 = 1\n", 2, 1), parts);
    CHECK_STR(shares("0-2 = 1\n", 2, 1), parts);
    CHECK_STR(shares("0- = 1\n", 2, 1), parts);
    CHECK_STR(shares("99999999999999999999 = 1\n", 2, 1), parts);
    CHECK_STR(shares("= 1\n", 2, 1), parts);
    CHECK_STR(shares("0:2 = 1\n", 2, 2), constraints);
    CHECK_STR(shares("0:1-0 = 1\n", 2, 2), constraints);
    CHECK_STR(shares("0: = 1\n", 2, 2), constraints);
    CHECK_STR(shares("0 = 1\n1 x\n", 2, 1), "t.txt:2: no = follows the parts of the line");
    CHECK_STR(shares("0 = 1\n1\n", 2, 1), "t.txt:2: no = follows the parts of the line");
    CHECK_STR(shares("0 =\n", 2, 1), "t.txt:1: no number follows the =");
    CHECK_STR(shares("0 = 1 x\n", 2, 1), "t.txt:1: no number follows the =");
    CHECK_STR(shares("0 = -1\n", 2, 1), "t.txt:1: a share is negative or not finite");
    CHECK_STR(shares("0 = nan\n", 2, 1), "t.txt:1: a share is negative or not finite");
    CHECK_STR(shares("0 = 1.5\n", 2, 1),
              "t.txt:2: the shares add up to more than 1, and nothing is left for part 1");
    CHECK_STR(shares("0-1 = 0\n", 2, 1), "t.txt:2: the shares of constraint 0 add up to 0");
    char line[400];
    memset(line, '0', sizeof line);
    memcpy(line, "0=", 2);
    line[sizeof line - 1] = '\0';
    CHECK_STR(shares(line, 2, 1), "t.txt:1: the line is longer than 256 characters");
    double share[2];
    CHECK_EQ(cleave_shares_read(NULL, 2, 1, "x", &err), CLEAVE_EINVAL);
    CHECK_EQ(cleave_shares_read(share, 2, 1, NULL, &err), CLEAVE_EINVAL);
    CHECK_EQ(cleave_shares_read(share, 0, 1, "x", &err), CLEAVE_EINVAL);
    CHECK_EQ(cleave_shares_read(share, 2, 0, "x", &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "ncon is 0");
    CHECK_EQ(cleave_shares_read(share, 2, 1, fixture_path("none"), &err), CLEAVE_EIO);
}

/* Many long ranges over each other must not cost their product. */
static void test_many_ranges(void)
{
    enum { count = 200000, line = 24 };
    char *text = malloc((size_t)count * line);
    double *share = malloc(count * sizeof *share);
    char *to = text;
    for (int i = 0; i < count; i++)
        to += sprintf(to, "%d-%d=0.000001\n", i % 7, count - 1 - i % 5);
    CHECK_OK(cleave_shares_read(share, count, 1, test_file("many.txt", text), &err));
    CHECK(share[0] == 0.000001 && share[count - 1] == 0.000001);
    free(share);
    free(text);
}

static void test_memory(void)
{
    static const char *const texts[] = {"0 = 0.5\n1-2 = .25\n", "2\n1\n1\n", "0\n-1\n1\n"};
    for (int i = 0; i < 3; i++) {
        const char *path = test_file("m.txt", texts[i]);
        for (test_oom_rounds oom = {0}; test_oom_next(&oom);) {
            double share[3];
            int32_t part[3];
            TEST_OOM(&oom, i < 2 ? cleave_shares_read(share, 3, 1, path, &err)
                                 : cleave_fixed_read(part, 3, 2, path, &err));
        }
    }
}

int main(void)
{
    RUN(test_fixed);
    RUN(test_groups);
    RUN(test_bounds);
    RUN(test_plain);
    RUN(test_metis);
    RUN(test_metis_complaints);
    RUN(test_many_ranges);
    RUN(test_memory);
    return test_end();
}
