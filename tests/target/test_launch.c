/* SPDX-License-Identifier: Apache-2.0 */
/* Launch files: every form for every kind of target, every error message, failing allocations.
 * As `test_launch rankfile FILE` it writes a rankfile for rankfile.sh. */
#include "target/launch.h"

#include "support/test.h"
#include "target/this_machine.h"

static cleave_error err;

/* The written text, or the error message. */
static const char *written(const char *form, const char *target, const char *hosts,
                           int32_t nranks, const int32_t *pe)
{
    static char text[2048], path[512];
    clv_target *t = NULL;
    memset(&err, 0, sizeof err);
    snprintf(path, sizeof path, "%s/launch", test_scratch());
    remove(path);
    CHECK_OK(clv_target_parse(&t, target, &err));
    if (!t)
        return "no target";
    clv_placed_ranks ranks = {nranks, pe, t, hosts};
    cleave_status status = clv_launch_write(path, form, &ranks, &err);
    clv_target_free(t);
    FILE *file = fopen(path, "r");
    CHECK((file != NULL) == (status == CLEAVE_OK));
    if (!file) {
        CHECK_EQ(err.status, CLEAVE_EINVAL);
        return err.message;
    }
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

#define RANKS(...)                                                                            \
    (int32_t)(sizeof((int32_t[]){__VA_ARGS__}) / sizeof(int32_t)), (int32_t[])                \
    {                                                                                         \
        __VA_ARGS__                                                                           \
    }

static const char *cluster(void)
{
    static char text[600];
    snprintf(text, sizeof text, "slurm:%s",
             test_file("launch.conf", "SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n[3-4]"));
    return text;
}

static void test_rankfile(void)
{
    CHECK_STR(written("rankfile", "tree:2:2@1:10", "a,b", RANKS(3, 0, 1, 2)),
              "rank 0=b slot=1\nrank 1=a slot=0\nrank 2=a slot=1\nrank 3=b slot=0\n");
    CHECK_STR(written("rankfile", "tree:2:2@1:10", NULL, RANKS(3, 0)),
              "rank 0=+n1 slot=1\nrank 1=+n0 slot=0\n");
    CHECK_STR(written("rankfile", "tree:4@1", NULL, RANKS(2, 0)),
              "rank 0=localhost slot=2\nrank 1=localhost slot=0\n");
    CHECK_STR(written("rankfile", "tree:4@1", "box", RANKS(2)), "rank 0=box slot=2\n");
    /* Nodes are counted in the order of the list. */
    CHECK_STR(written("rankfile", "tree:2:2@1:10[3,1,0]", NULL, RANKS(0, 1, 2)),
              "rank 0=+n0 slot=1\nrank 1=+n1 slot=1\nrank 2=+n1 slot=0\n");
    CHECK_STR(written("rankfile", "tree:2:3@1:10[5,3,4]", "x,y", RANKS(0, 1, 2)),
              "rank 0=x slot=1\nrank 1=y slot=1\nrank 2=x slot=0\n");
    CHECK_STR(written("rankfile", "tree:2:2@1:10", NULL, RANKS(3, 1, 3)),
              "a rankfile has room for one rank per PE, and ranks 0 and 2 are both on PE 3");
    static const char whole[] =
        "the PEs of this target are whole nodes, without cores to put ranks on: write a "
        "hostfile or a rank-order, or name a target with cores such as tree:4:8@1:10";
    CHECK_STR(written("rankfile", cluster(), NULL, RANKS(0)), whole);
    CHECK_STR(written("rankfile", "mesh:2x2", NULL, RANKS(0)), whole);
    CHECK_STR(written("rankfile", "8", NULL, RANKS(0)), whole);
}

static void test_hostfile(void)
{
    CHECK_STR(written("hostfile", cluster(), NULL, RANKS(3, 0, 0, 1)), "n4\nn1\nn1\nn2\n");
    CHECK_STR(written("hostfile", cluster(), "w,x,y,z", RANKS(3, 0)), "z\nw\n");
    CHECK_STR(written("hostfile", "mesh:2x2", "m[1-4]", RANKS(3, 3)), "m4\nm4\n");
    CHECK_STR(written("hostfile", "tree:2:2@1:10", "m[1-2]", RANKS(3, 0, 1)), "m2\nm1\nm1\n");
    CHECK_STR(written("hostfile", "tree:4@1", NULL, RANKS(3)), "localhost\n");
    CHECK_STR(written("hostfile", "tree:2:2@1:10", NULL, RANKS(3)),
              "the names of the target's 2 nodes are not known: give a list of hosts such as "
              "n[1-4,7]");
    CHECK_STR(written("hostfile", "1", NULL, RANKS(0)),
              "the names of the target's 1 node are not known: give a list of hosts such as "
              "n[1-4,7]");
    CHECK_STR(written("hostfile", "tree:2:2@1:10", "m[1-3]", RANKS(3)),
              "there are 3 host names, and the target has 2 nodes");
    CHECK_STR(written("hostfile", "tree:2:2@1:10", "m[1-", RANKS(3)),
              "the brackets of \"m[1-\" do not match");
}

static void test_cpu_bind(void)
{
    CHECK_STR(written("cpu-bind", "tree:4@1", NULL, RANKS(2, 0, 3)),
              "--cpu-bind=map_cpu:2,0,3\n");
    /* The same order on every node, one of which has fewer ranks. */
    CHECK_STR(written("cpu-bind", "tree:4:2@1:10", NULL, RANKS(2, 6, 0)),
              "--cpu-bind=map_cpu:2,0\n");
    CHECK_STR(written("cpu-bind", "tree:2:2@1:10", "a,b", RANKS(0, 3, 1, 2)),
              "--nodelist=a --cpu-bind=map_cpu:0,1\n--nodelist=b --cpu-bind=map_cpu:1,0\n");
    CHECK_STR(written("cpu-bind", "tree:2:3@1:10", "a,b,c", RANKS(0, 5)),
              "--nodelist=a --cpu-bind=map_cpu:0\n--nodelist=c --cpu-bind=map_cpu:1\n");
    CHECK(strstr(written("cpu-bind", "tree:2:2@1:10", NULL, RANKS(0, 3)), "are not known"));
    CHECK(strstr(written("cpu-bind", cluster(), NULL, RANKS(0, 3)), "are whole nodes"));
    CHECK_STR(written("cpu-bind", "tree:2@1", NULL, RANKS(0, 0)),
              "a cpu-bind has room for one rank per PE, and ranks 0 and 1 are both on PE 0");
    if (strstr(cleave_features(), "hwloc")) /* the operating system's numbers */
        CHECK_STR(written("cpu-bind", "hwloc:core:3 pu:2", NULL, RANKS(2, 0)),
                  "--cpu-bind=map_cpu:4,0\n");
}

static void test_rank_order(void)
{
    CHECK_STR(written("rank-order", "tree:2:2@1:10", NULL, RANKS(3, 0, 1, 2)), "1,2\n3,0\n");
    CHECK_STR(written("rank-order", "tree:2:3@1:10", NULL, RANKS(4, 0, 1, 2, 3)),
              "1,2\n3,4\n0\n");
    CHECK_STR(written("rank-order", cluster(), NULL, RANKS(3, 2, 1, 0, 0, 1, 2, 3)),
              "3,4\n2,5\n1,6\n0,7\n");
    CHECK_STR(written("rank-order", "tree:2:2@1:10", NULL, RANKS(3, 0, 2)),
              "a rank-order needs the same number of ranks on every node but the last, and "
              "nodes 0 and 1 have 1 and 2");
    CHECK_STR(written("rank-order", "tree:2:3@1:10", NULL, RANKS(0, 4)),
              "a rank-order needs the same number of ranks on every node but the last, and "
              "nodes 1 and 2 have 0 and 1");
    CHECK(strstr(written("rank-order", "tree:2@1", NULL, RANKS(1, 1)), "one rank per PE"));
}

static void test_others(void)
{
    CHECK_STR(written("permutation", "mesh:2x2", NULL, RANKS(3, 0, 0)), "3\n0\n0\n");
    CHECK_STR(written("pbs", "4", NULL, RANKS(0)),
              "unknown launch file \"pbs\"; known are rankfile, hostfile, cpu-bind, "
              "rank-order and permutation");
    CHECK_STR(written("permutation", "4", NULL, RANKS(1, 4)),
              "rank 1 is on PE 4, and the target has 4");
    CHECK_STR(written("permutation", "4", NULL, RANKS(-1)),
              "rank 0 is on PE -1, and the target has 4");
    clv_target *t;
    int32_t pe = 0;
    REQUIRE_OK(clv_target_parse(&t, "4", &err));
    clv_placed_ranks one = {1, &pe, t, NULL};
    CHECK_EQ(clv_launch_write("/nowhere/x", "permutation", &one, &err), CLEAVE_EIO);
    clv_target_free(t);
}

/* A permutation of many PEs, read back from the other forms. */
static void test_large(void)
{
    enum { count = 4096, per_node = 16 };
    static int32_t pe[count], rank_at[count];
    char path[512];
    clv_target *t;
    for (int32_t r = 0; r < count; r++) {
        pe[r] = (int32_t)((r * INT64_C(2731) + 17) % count);
        rank_at[pe[r]] = r;
    }
    REQUIRE_OK(clv_target_parse(&t, "tree:16:256@1:10", &err));
    snprintf(path, sizeof path, "%s/large", test_scratch());
    clv_placed_ranks ranks = {count, pe, t, NULL};
    REQUIRE_OK(clv_launch_write(path, "rank-order", &ranks, &err));
    FILE *file = fopen(path, "r");
    REQUIRE(file != NULL);
    for (int32_t p = 0; p < count; p++) {
        int rank = -1;
        CHECK_EQ(fscanf(file, "%d%*[,\n]", &rank), 1);
        CHECK_EQ(rank, rank_at[p]);
    }
    fclose(file);
    REQUIRE_OK(clv_launch_write(path, "rankfile", &ranks, &err));
    file = fopen(path, "r");
    REQUIRE(file != NULL);
    for (int32_t r = 0; r < count; r++) {
        int rank, node, slot;
        CHECK_EQ(fscanf(file, "rank %d=+n%d slot=%d\n", &rank, &node, &slot), 3);
        CHECK_EQ(rank, r);
        CHECK_EQ(node * per_node + slot, pe[r]);
    }
    fclose(file);
    clv_target_free(t);
}

static void test_memory(void)
{
    static const int32_t pe[] = {3, 0, 1, 2};
    clv_target *t;
    char path[512];
    snprintf(path, sizeof path, "%s/memory", test_scratch());
    REQUIRE_OK(clv_target_parse(&t, "tree:2:2@1:10", &err));
    clv_placed_ranks ranks = {4, pe, t, "a,b"};
    for (test_oom_rounds oom = {0}; test_oom_next(&oom);) {
        TEST_OOM(&oom, clv_launch_write(path, "rankfile", &ranks, &err));
    }
    clv_target_free(t);
}

static int write_for_mpirun(const char *path)
{
    clv_target *t = NULL;
    cleave_status status = clv_target_this_machine(&t, false, &err);
    int32_t pe[4096];
    for (int32_t r = 0; status == CLEAVE_OK && r < t->npes; r++) {
        pe[r] = t->npes - 1 - r;
        printf("%d %d\n", (int)r, (int)clv_target_seat(t, pe[r]).cpu);
    }
    if (status == CLEAVE_OK) {
        clv_placed_ranks ranks = {t->npes, pe, t, NULL};
        status = clv_launch_write(path, "rankfile", &ranks, &err);
    }
    if (status != CLEAVE_OK)
        fprintf(stderr, "%s\n", err.message);
    clv_target_free(t);
    return status == CLEAVE_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "rankfile") == 0)
        return write_for_mpirun(argv[2]);
    RUN(test_rankfile);
    RUN(test_hostfile);
    RUN(test_cpu_bind);
    RUN(test_rank_order);
    RUN(test_others);
    RUN(test_large);
    RUN(test_memory);
    return test_end();
}
