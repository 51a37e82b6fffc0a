/* SPDX-License-Identifier: Apache-2.0 */
/* Slurm's topology.conf: both plugins, every error message, random clusters against distances
 * found by climbing, the shared files, failing allocations. */
#include "target/slurm.h"

#include "base/rng.h"
#include "target/shape_checks.h"

static cleave_error err;

static clv_target *cluster(const char *text)
{
    clv_target *t = NULL;
    memset(&err, 0, sizeof err);
    cleave_status status = clv_target_slurm(&t, test_file("topology.conf", text), &err);
    CHECK((t != NULL) == (status == CLEAVE_OK));
    CHECK_EQ(err.status, status);
    return t;
}

/* "a b c: 0 1 2": names, and the distances from the first; or the complaint without the
 * folder. */
static const char *read_as(const char *text)
{
    static char shown[1024];
    clv_target *t = cluster(text);
    if (!t) {
        const char *slash = strrchr(err.message, '/');
        return slash ? slash + 1 : err.message;
    }
    shown[0] = '\0';
    for (int32_t pe = 0; pe < t->npes; pe++)
        sprintf(shown + strlen(shown), "%s%s", pe ? " " : "", t->name[pe]);
    strcat(shown, ":");
    for (int32_t pe = 0; pe < t->npes; pe++)
        sprintf(shown + strlen(shown), " %d", (int)clv_target_distance(t, 0, pe));
    CHECK_EQ(t->per_node, 1);
    check_domains(t);
    check_pes(t);
    clv_target_free(t);
    return shown;
}

static void test_tree(void)
{
    CHECK_STR(read_as("SwitchName=s Nodes=a"), "a: 0");
    CHECK_STR(read_as("SwitchName=s0 Nodes=n[0-1]\nSwitchName=s1 Nodes=n[2-3]\n"
                      "SwitchName=top Switches=s[0-1]\n"),
              "n0 n1 n2 n3: 0 1 2 2");
    /* PEs are in the order of the lists, not of the lines. */
    CHECK_STR(read_as("SwitchName=top Switches=s1,s0\nSwitchName=s0 Nodes=n[0-1]\n"
                      "SwitchName=s1 Nodes=n[2-3]\n"),
              "n2 n3 n0 n1: 0 1 2 2");
    /* Several tops: one more above them. */
    CHECK_STR(read_as("SwitchName=a Nodes=x\nSwitchName=b Nodes=y,z"), "x y z: 0 2 2");
    /* Levels are counted on the longer way, also through switches with one child. */
    CHECK_STR(read_as("SwitchName=root Switches=im,leaf\nSwitchName=im Switches=low\n"
                      "SwitchName=low Nodes=a,b\nSwitchName=leaf Nodes=c"),
              "a b c: 0 1 3");
}

static void test_syntax(void)
{
    CHECK_STR(
        read_as("\xef\xbb\xbf# cluster\r\n\r\nSWITCHNAME=s \\\r\n  nodes = a,b # two\r\n"),
        "a b: 0 1");
    CHECK_STR(read_as("switchname=\"s\" LinkSpeed=100 Nodes=\"a,b\""), "a b: 0 1");
    CHECK_STR(read_as("SwitchName=s Nodes=a,\\\nb"), "a b: 0 1");
    CHECK_STR(read_as("\n\nSwitchName=s \\\n\\\nNodes=a,a"),
              "topology.conf:3: node a is listed twice");
    CHECK_STR(read_as(""), "topology.conf: there is neither a switch nor a block in it");
    CHECK_STR(read_as("# nothing\n\\"),
              "topology.conf: there is neither a switch nor a block in it");
    CHECK_STR(read_as("Include other.conf"),
              "topology.conf:1: Include is not followed: put the lines of that file here");
    CHECK_STR(
        read_as("NodeName=a"),
        "topology.conf:1: \"NodeName\" is not a setting of a topology; known are SwitchName, "
        "Switches, Nodes, LinkSpeed, BlockName and BlockSizes");
    CHECK_STR(read_as("SwitchName=s Nodes"),
              "topology.conf:1: \"Nodes\" is not a setting of the form Key=value");
    CHECK_STR(read_as("SwitchName=\"s Nodes=a"),
              "topology.conf:1: a quotation mark is never closed");
    CHECK_STR(read_as("SwitchName=s Nodes=a Nodes=b"),
              "topology.conf:1: Nodes= occurs twice in the line");
    CHECK_STR(read_as("a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1 a=1"),
              "topology.conf:1: there are more than 8 settings in the line");
    CHECK_EQ(err.status, CLEAVE_EPARSE);
}

static void test_complaints(void)
{
    CHECK_STR(read_as("SwitchName=s Nodes=a\n\nSwitchName=t Nodes=b,a"),
              "topology.conf:3: node a is listed twice");
    CHECK_STR(read_as("SwitchName=s Switches=t"),
              "topology.conf:1: switch t has no line of its own");
    CHECK_STR(
        read_as("SwitchName=s Switches=t\nSwitchName=u Switches=t\nSwitchName=t Nodes=a"),
        "topology.conf:2: switch t is listed twice");
    CHECK_STR(read_as("SwitchName=s Nodes=a\nSwitchName=s Nodes=b"),
              "topology.conf:2: switch s has a line of its own already, line 1");
    CHECK_STR(
        read_as("SwitchName=s Nodes=a\nSwitchName=t Switches=u\nSwitchName=u Switches=t"),
        "topology.conf:3: switch u is above itself");
    CHECK_STR(read_as("SwitchName=s Switches=s"), "topology.conf:1: switch s is above itself");
    CHECK_STR(read_as("SwitchName=s Nodes=a Switches=t"),
              "topology.conf:1: switch s has both Switches= and Nodes=; Slurm allows one of "
              "them");
    CHECK_STR(read_as("SwitchName=s"),
              "topology.conf:1: switch s has nothing below it: Nodes= is missing");
    CHECK_STR(read_as("SwitchName=s[1-2] Nodes=a"),
              "topology.conf:1: \"s[1-2]\" is not the name of one switch");
    CHECK_STR(read_as("Nodes=a"),
              "topology.conf:1: the line has neither SwitchName= nor BlockName=");
    CHECK_STR(read_as("SwitchName=s Nodes=n[1-"),
              "topology.conf:1: the brackets of \"n[1-\" do not match");
    CHECK_STR(read_as("SwitchName=s Nodes=n[1-2000000]"),
              "topology.conf:1: there are more names than a topology may have: 1048576 nodes, "
              "262144 switches, 16777216 bytes in a list");
    CHECK_EQ(err.status, CLEAVE_ERANGE);
    CHECK_STR(read_as("SwitchName=s Nodes=n[1-5000000]"),
              "topology.conf:1: the list has more than 4194304 names");
    CHECK_EQ(err.status, CLEAVE_ERANGE);
    clv_target *t;
    CHECK_EQ(clv_target_slurm(&t, "/nowhere/topology.conf", &err), CLEAVE_EIO);
}

static void test_blocks(void)
{
    CHECK_STR(read_as("BlockName=b Nodes=a,b"), "a b: 0 1");
    CHECK_STR(read_as("BlockName=b1 Nodes=n[1-2]\nBlockName=b2 Nodes=n[3-4]\n"
                      "BlockName=b3 Nodes=n[5-6]\nBlockSizes=2"),
              "n1 n2 n3 n4 n5 n6: 0 1 2 2 2 2");
    CHECK_STR(read_as("BlockSizes=2,4\nBlockName=b1 Nodes=n[1-2]\nBlockName=b2 Nodes=n[3-4]\n"
                      "BlockName=b3 Nodes=n[5-6]"),
              "n1 n2 n3 n4 n5 n6: 0 1 2 2 3 3");
    CHECK_STR(read_as("BlockName=b1 Nodes=a,b\nBlockName=b1 Nodes=c"),
              "topology.conf:2: block b1 has a line of its own already, line 1");
    CHECK_STR(read_as("BlockName=b1 Nodes=a\nSwitchName=s Nodes=b"),
              "topology.conf:2: there are switches and blocks in one topology");
    CHECK_STR(read_as("BlockName=b1 Switches=a"),
              "topology.conf:1: a block has Nodes=, not Switches=");
    CHECK_STR(read_as("BlockName=b1"),
              "topology.conf:1: block b1 has nothing below it: Nodes= is missing");
    CHECK_STR(read_as("BlockSizes=2"),
              "topology.conf: there is neither a switch nor a block in it");
    CHECK_STR(read_as("BlockSizes=2\nBlockSizes=2"),
              "topology.conf:2: there are two lines of BlockSizes=");
    static const char *const wrong[] = {
        "", "x", "2,", "0", "-2", "2,x", "99999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[64], want[128];
        sprintf(text, "BlockSizes=%s", wrong[i]);
        sprintf(want,
                "topology.conf:1: BlockSizes=%s is not a list of up to 16 numbers above 0",
                wrong[i]);
        CHECK_STR(read_as(text), want);
    }
    CHECK_STR(
        read_as("BlockSizes=4,12"),
        "topology.conf:1: BlockSizes=4,12: each size must be the first one times a power "
        "of two, and larger than the one before");
}

/* ---- Random clusters -------------------------------------------------------------------- */

enum { most_switches = 40, most_nodes = 120 };

typedef struct made {
    int nswitches, nnodes;
    int parent[most_switches]; /* -1: a top */
    bool leaf[most_switches];
    int under[most_nodes];
} made;

static made make_cluster(clv_rng *rng)
{
    made m = {.nswitches = 1 + (int)clv_rng_below(rng, most_switches)};
    bool has_child[most_switches] = {false};
    for (int s = 0; s < m.nswitches; s++) {
        m.parent[s] =
            s == 0 || clv_rng_below(rng, 8) == 0 ? -1 : (int)clv_rng_below(rng, (uint32_t)s);
        if (m.parent[s] >= 0)
            has_child[m.parent[s]] = true;
    }
    for (int s = 0; s < m.nswitches; s++) {
        m.leaf[s] = !has_child[s];
        for (int i = m.leaf[s] ? 1 + (int)clv_rng_below(rng, 3) : 0; i > 0; i--)
            m.under[m.nnodes++] = s;
    }
    return m;
}

static void write_cluster(const made *m, clv_rng *rng, char *text)
{
    int32_t order[most_switches];
    clv_rng_permutation(rng, m->nswitches, order);
    for (int i = 0; i < m->nswitches; i++) {
        int s = order[i];
        const char *separator = m->leaf[s] ? "Nodes=" : "Switches=";
        text += sprintf(text, "SwitchName=s%d ", s);
        for (int c = 0; c < m->nswitches; c++)
            if (m->parent[c] == s) {
                text += sprintf(text, "%ss%d", separator, c);
                separator = ",";
            }
        for (int n = 0; m->leaf[s] && n < m->nnodes; n++)
            if (m->under[n] == s) {
                text += sprintf(text, "%sn%d", separator, n);
                separator = ",";
            }
        text += sprintf(text, "\n");
    }
}

static int height(const made *m, int s)
{
    int highest = 0;
    for (int c = 0; c < m->nswitches; c++)
        if (m->parent[c] == s && height(m, c) > highest)
            highest = height(m, c);
    return highest + 1;
}

static int slow_distance(const made *m, const int *heights, int a, int b)
{
    int top = 0;
    for (int s = m->under[a]; s >= 0; s = m->parent[s])
        for (int u = m->under[b]; u >= 0; u = m->parent[u])
            if (s == u)
                return heights[s];
    for (int s = 0; s < m->nswitches; s++)
        top = heights[s] > top ? heights[s] : top;
    return top + 1;
}

static void test_random(void)
{
    for (int round = 0; round < 300 / TEST_STRIDE; round++) {
        clv_rng rng = clv_rng_make(7, 1, 1, (uint64_t)round);
        static char text[20000];
        int heights[most_switches];
        made m = make_cluster(&rng);
        write_cluster(&m, &rng, text);
        clv_target *t = cluster(text);
        REQUIRE(t != NULL);
        CHECK_EQ(t->npes, m.nnodes);
        for (int s = 0; s < m.nswitches; s++)
            heights[s] = height(&m, s);
        int wrong = 0;
        for (int32_t p = 0; p < t->npes; p++)
            for (int32_t q = 0; q < t->npes; q++) {
                int a = atoi(t->name[p] + 1), b = atoi(t->name[q] + 1);
                int want = p == q ? 0 : slow_distance(&m, heights, a, b);
                wrong += clv_target_distance(t, p, q) != want;
                wrong += t->shape->level(t, p, q) != want;
            }
        CHECK_EQ(wrong, 0);
        check_domains(t);
        clv_target_free(t);
    }
}

static cleave_status make_by_slurm(clv_target **t, const void *from)
{
    return clv_target_slurm(t, from, &err);
}

static void test_memory(void)
{
    static const char *const texts[] = {
        "SwitchName=top Switches=s[0-1]\nSwitchName=s0 Nodes=n[0-1]\nSwitchName=s1 Nodes=n2",
        "BlockName=b1 Nodes=n[1-2]\nBlockName=b2 Nodes=n[3-4]\nBlockSizes=2,4"};
    for (int i = 0; i < 2; i++) {
        const char *path = test_file("memory.conf", texts[i]);
        check_target_memory(make_by_slurm, path);
    }
}

/* PEs, levels, and the number of PEs at each distance from the first. */
static void check_shared(const char *folder, const char *name, int32_t npes, int32_t levels,
                         const int32_t *at)
{
    char path[5000];
    clv_target *t;
    snprintf(path, sizeof path, "%s/%s.conf", folder, name);
    REQUIRE_OK(clv_target_slurm(&t, path, &err));
    CHECK_EQ(t->npes, npes);
    CHECK_EQ(t->levels, levels);
    for (int32_t d = 0; d <= levels; d++) {
        int32_t count = 0;
        for (int32_t pe = 0; pe < t->npes; pe++)
            count += clv_target_distance(t, 0, pe) == d;
        CHECK_EQ(count, at[d]);
    }
    clv_target_free(t);
}

static void test_shared_files(void)
{
    const char *folder = test_shared("topo/slurm", 5);
    if (!folder)
        return;
    check_shared(folder, "topology1", 32, 4, (int32_t[]){1, 3, 4, 8, 16});
    check_shared(folder, "topology2", 10000, 4, (int32_t[]){1, 19, 380, 4600, 5000});
    check_shared(folder, "topology3", 10000, 4, (int32_t[]){1, 19, 380, 4600, 5000});
    check_shared(folder, "topology4", 400, 3, (int32_t[]){1, 19, 180, 200});
    check_shared(folder, "topology5", 400, 3, (int32_t[]){1, 19, 180, 200});
}

/* A list of nodes behind the file. */
static void test_list(void)
{
    char text[600];
    clv_target *t;
    snprintf(text, sizeof text, "slurm:%s[n[2-3],n0]",
             test_file("list.conf", "SwitchName=a Nodes=n[0-1]\nSwitchName=b Nodes=n[2-3]"));
    REQUIRE_OK(clv_target_parse(&t, text, &err));
    CHECK_EQ(t->npes, 3);
    CHECK_STR(t->name[0], "n2");
    CHECK_STR(t->name[2], "n0");
    CHECK_EQ(clv_target_distance(t, 0, 1), 1);
    CHECK_EQ(clv_target_distance(t, 0, 2), 2);
    clv_target_free(t);
}

int main(void)
{
    RUN(test_tree);
    RUN(test_syntax);
    RUN(test_complaints);
    RUN(test_blocks);
    RUN(test_random);
    RUN(test_memory);
    RUN(test_shared_files);
    RUN(test_list);
    return test_end();
}
