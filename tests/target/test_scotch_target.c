/* SPDX-License-Identifier: Apache-2.0 */
/* Scotch's target files: every kind, the files of other programs, every error message, files
 * truncated anywhere, failing allocations. */
#include "target/scotch_target.h"

#include <ctype.h>

#include "target/deco.h"
#include "target/distance_oracle.h"
#include "target/graph_target.h"

static cleave_error err;

static cleave_target *read_text(const char *text)
{
    cleave_target *t = NULL;
    CHECK_OK(clv_target_scotch_file(&t, test_file("a.tgt", text), &err));
    return t;
}

static void check_same(const cleave_target *a, const cleave_target *b)
{
    REQUIRE(a && b);
    CHECK_EQ(a->npes, b->npes);
    for (int32_t p = 0; p < a->npes && p < b->npes; p++) {
        CHECK(clv_target_speed_of(a, p) == clv_target_speed_of(b, p));
        for (int32_t q = 0; q < a->npes && q < b->npes; q++)
            CHECK_EQ(clv_target_distance(a, p, q), clv_target_distance(b, p, q));
    }
}

/* The Scotch text and our text mean the same machine. */
static void check_pair(const char *scotch, const char *ours)
{
    cleave_target *a = read_text(scotch), *b = NULL;
    CHECK_OK(clv_target_parse(&b, ours, &err));
    if (a && b) {
        check_same(a, b);
        check_tree(a);
    } else {
        fprintf(stderr, "%s: %s\n", scotch, ours);
    }
    clv_target_free(a);
    clv_target_free(b);
}

static void test_regular(void)
{
    check_pair("cmplt 7", "7");
    check_pair("cmpltw 3 4\n7\n0", "4,7,0");
    check_pair("hcub 0", "1");
    cleave_target *t = read_text("mesh2D 4 2");
    CHECK_EQ(clv_target_distance(t, 3, 4), 4); /* x runs fastest */
    CHECK_EQ(clv_target_distance(t, 1, 5), 1);
    clv_target_free(t);
    t = read_text("meshXD 4 2 3 2 2");
    CHECK_EQ(t->npes, 24);
    CHECK_EQ(clv_target_distance(t, 0, 23), 5);
    clv_target_free(t);
    t = read_text("TORUS3d 4 4 4");
    CHECK_EQ(clv_target_distance(t, 0, 3), 1);
    CHECK_EQ(clv_target_distance(t, 0, 42), 6);
    clv_target_free(t);
    t = read_text("torusXD 1\n5");
    CHECK_EQ(clv_target_distance(t, 0, 4), 1);
    clv_target_free(t);
    t = read_text("hcub 4");
    CHECK_EQ(clv_target_distance(t, 3, 12), 4);
    clv_target_free(t);
}

static void test_trees(void)
{
    cleave_target *t = read_text("tleaf 3 2 90 8 9 4 1"); /* tree:4:8:2@1:10:100 */
    CHECK_EQ(t->npes, 64);
    CHECK_EQ(clv_target_distance(t, 0, 3), 1);
    CHECK_EQ(clv_target_distance(t, 3, 4), 10);
    CHECK_EQ(clv_target_distance(t, 31, 32), 100);
    CHECK_EQ(t->levels, 3);
    clv_target_free(t);
    t = read_text("tleaf 3 1 7 3 2 1 5"); /* levels of one son: only their costs count */
    CHECK_EQ(t->npes, 3);
    CHECK_EQ(clv_target_distance(t, 0, 2), 7);
    clv_target_free(t);
    t = read_text("tleaf 1 1 7");
    CHECK_EQ(t->npes, 1);
    clv_target_free(t);
    /* As in SCOTCH_archDomDist: leaf i has the i-th label. */
    t = read_text("ltleaf 2 2 10 3 1 6 1 2 3 4 5 0");
    CHECK_EQ(clv_target_distance(t, 1, 2), 1);
    CHECK_EQ(clv_target_distance(t, 0, 4), 1);
    CHECK_EQ(clv_target_distance(t, 0, 1), 11);
    clv_target_free(t);
    t = read_text("ltleaf 3 2 10 2 5 2 1 4 0 2 1 3"); /* one block of labels, then the next */
    CHECK_EQ(clv_target_distance(t, 0, 2), 1);
    CHECK_EQ(clv_target_distance(t, 4, 6), 1);
    CHECK_EQ(clv_target_distance(t, 4, 5), 6);
    CHECK_EQ(clv_target_distance(t, 3, 4), 16);
    clv_target_free(t);
    t = read_text("ltleaf 1 4 2 1 0");
    CHECK_EQ(t->levels, 1);
    clv_target_free(t);
}

static void test_sub(void)
{
    cleave_target *t = read_text("sub\n5 0 4 1 5 7\nmesh2D 4 2");
    CHECK_EQ(t->npes, 5);
    CHECK_EQ(clv_target_distance(t, 0, 1), 1);
    CHECK_EQ(clv_target_distance(t, 0, 4), 4);
    CHECK_EQ(clv_target_distance(t, 3, 4), 2);
    check_tree(t);
    clv_target_free(t);
    t = read_text("sub 2 2 0 sub 3 7 0 1 cmpltw 8 1 2 3 4 5 6 7 8");
    CHECK_EQ(t->npes, 2);
    CHECK(t->speed[0] == 2 && t->speed[1] == 8);
    clv_target_free(t);
}

/* ---- deco ------------------------------------------------------------------------------ */

static cleave_target *read_data(const char *name)
{
    char path[64];
    cleave_target *t = NULL;
    snprintf(path, sizeof path, "target/%s", name);
    CHECK_OK(clv_target_scotch_file(&t, test_data(path), &err));
    return t;
}

/* All three kinds and the graph itself are the same machine: made by Debian's amk_grf and, of
 * kind 0, printed in the manual of Scotch. */
static void test_de_bruijn(void)
{
    static const char *const names[] = {"ub3-deco0.tgt", "ub3-deco1.tgt", "ub3-deco2.tgt"};
    cleave_target *g;
    REQUIRE_OK(clv_target_graph_file(&g, test_data("target/ub3.grf"), &err));
    for (int i = 0; i < 3; i++) {
        cleave_target *t = read_data(names[i]);
        check_same(t, g);
        check_tree(t);
        clv_target_free(t);
    }
    clv_target_free(g);
    /* The halves of kind 0 are those of the file: 8..15 from left to right. */
    static const int order[] = {6, 5, 7, 3, 4, 2, 1, 0};
    cleave_target *t = read_data("ub3-deco0.tgt");
    for (int i = 0; i < 8; i++)
        CHECK_EQ(t->shape->place(t, order[i]), i);
    clv_target_free(t);
}

static void test_weighted(void)
{
    cleave_target *g, *t = read_data("weighted-deco1.tgt");
    REQUIRE_OK(clv_target_graph_file(&g, test_data("target/weighted.grf"), &err));
    check_same(t, g);
    clv_target_free(t);
    t = read_data("weighted-deco2.tgt");
    check_same(t, g);
    clv_target_free(t);
    clv_target_free(g);
    t = read_data("list-deco1.tgt"); /* vertices 0, 1 and 3, labelled so */
    CHECK_EQ(t->npes, 3);
    CHECK_STR(t->name[2], "3");
    CHECK_EQ(clv_target_distance(t, 0, 2), 9);
    CHECK(t->speed[2] == 1 && t->speed[1] == 7);
    clv_target_free(t);
    t = read_data("list-deco2.tgt");
    CHECK_EQ(t->npes, 3);
    CHECK_EQ(clv_target_distance(t, 0, 2), 9);
    CHECK_EQ(clv_target_distance(t, 1, 2), 6);
    CHECK(t->speed[2] == 1 && t->speed[1] == 7);
    clv_target_free(t);
}

/* Distances of all domains as Scotch's compiler works them out, within its rounding. */
static void check_compiled(const cleave_target *t, const char *path)
{
    FILE *f = fopen(path, "r");
    int npes, domains, size[64], label[64], weight;
    clv_domain at[64];
    bool there[64] = {false};
    REQUIRE(f && fscanf(f, "deco 1 %d %d", &npes, &domains) == 2 && domains < 63);
    for (int i = 1; i <= domains; i++)
        REQUIRE(fscanf(f, "%d %d %d", &label[i], &size[i], &weight) == 3);
    at[1] = t->shape->root(t);
    there[1] = true;
    for (int i = 1; 2 * i + 1 <= domains; i++) {
        clv_domain half[2];
        if (there[i] && t->shape->bipartition(t, at[i], half)) {
            at[2 * i] = half[0];
            at[2 * i + 1] = half[1];
            there[2 * i] = there[2 * i + 1] = true;
        }
    }
    for (int i = 1; i <= domains; i++) {
        CHECK_EQ(there[i] ? t->shape->pes(t, at[i]) : 0, size[i]);
        for (int j = 1; j < i; j++) {
            int far;
            REQUIRE(fscanf(f, "%d", &far) == 1);
            if (!there[i] || !there[j])
                continue;
            int64_t twice = t->shape->distance(t, at[i], at[j]);
            CHECK(twice - 2 * far <= 2 && 2 * far - twice <= 2);
            if (size[i] == 1 && size[j] == 1)
                CHECK_EQ(twice, 2 * far);
        }
    }
    fclose(f);
}

static void test_domain_distances(void)
{
    cleave_target *t = read_data("ub3-deco1.tgt");
    check_compiled(t, test_data("target/ub3-deco1.tgt"));
    clv_target_free(t);
    t = read_data("weighted-deco1.tgt");
    check_compiled(t, test_data("target/weighted-deco1.tgt"));
    clv_target_free(t);
}

static void test_kind_0_files(void)
{
    cleave_target *t = read_data("m3x2-deco0.tgt"), *m = read_text("mesh2D 3 2");
    check_same(t, m);
    clv_target_free(t);
    clv_target_free(m);
    t = read_data("ccc2-deco0.tgt");
    CHECK_EQ(t->npes, 8);
    check_tree(t);
    clv_target_free(t);
    t = read_data("fft1-deco0.tgt");
    check_tree(t);
    clv_target_free(t);
    /* Only one half of domain 3: it is that half. */
    t = read_text("deco 0 2 14 0 1 2 1 1 14 5");
    check_tree(t);
    CHECK_EQ(clv_target_distance(t, 0, 1), 5);
    clv_target_free(t);
    t = read_text("deco 0 1 1 7 3 1");
    CHECK_STR(t->name[0], "7");
    clv_target_free(t);
}

/* ---- Complaints ------------------------------------------------------------------------ */

static const char *complaint(const char *text)
{
    cleave_target *t = (cleave_target *)&err;
    const char *path = test_file("bad.tgt", text);
    memset(&err, 0, sizeof err);
    cleave_status status = clv_target_scotch_file(&t, path, &err);
    CHECK(status == CLEAVE_EPARSE || status == CLEAVE_ERANGE);
    CHECK(t == NULL);
    CHECK(strncmp(err.message, path, strlen(path)) == 0 && err.message[strlen(path)] == ':');
    return err.message + strlen(path) + 1;
}

static void test_complaints(void)
{
    CHECK_STR(complaint(""), "1: the file ends before the kind of the target");
    CHECK_STR(complaint("\n\nbox 3"), "3: \"box\" is not a kind of target in Scotch's files");
    CHECK_STR(complaint("varcmplt"), "1: varcmplt has no number of PEs: it is for clustering, "
                                     "not a machine that can be mapped onto");
    CHECK_STR(complaint("cmplt 0"), "1: the number of PEs is 0, outside 1..2147483647");
    CHECK_STR(complaint("cmpltw 2 0 0"), "1: the speeds of all PEs are 0");
    CHECK_STR(complaint("mesh2D 4"), "1: the file ends before the length of a dimension");
    CHECK_STR(complaint("mesh2D 4 2 2"), "1: unexpected text after the target");
    CHECK(strncmp(complaint("mesh2D\n 99999 99999"), "2: ", 3) == 0);
    CHECK_STR(complaint("tleaf 2 2 2147483647 2 1"),
              "1: the costs of the levels add up to more than 2147483647");
    CHECK_STR(complaint("ltleaf 1 4 1 3 0 1 2"), "1: 3 labels do not divide the 4 PEs evenly");
    CHECK_STR(complaint("ltleaf 1 4 1 2 0 2"),
              "1: the label 2 is larger than their number allows");
    CHECK_STR(complaint("ltleaf 1 4 1 2 1 1"), "1: the label 1 is there twice");
    CHECK_STR(complaint("ltleaf 2 3000 1 3000 2 2 1 0"),
              "1: a tree of 9000000 PEs is too large for labels");
    CHECK(strstr(complaint("sub 2 1 1 cmplt 4"), "1: ") != NULL);
    CHECK(strstr(complaint("sub 2 1 4 cmplt 4"), "1: ") != NULL);
    CHECK_STR(complaint("deco 3"), "1: the kind of deco is 3, outside 0..2");
    CHECK_STR(complaint("deco 0 2 3 0 1 2 0 1 3 1"), "1: two PEs have the label 0");
    CHECK_STR(complaint("deco 0 2 5 0 1 2 1 1 5 1"), "1: domains 2 and 5 of two PEs overlap");
    CHECK_STR(complaint("deco 0 2 5 0 1 2 1 1 2 1"), "1: domains 2 and 2 of two PEs overlap");
    CHECK_STR(complaint("deco 0 3 9 0 1 2 1 1 4 2 1 9 1 1 1"),
              "1: domains 2 and 4 of two PEs overlap");
    CHECK_STR(complaint("deco 0 2 3 0 1 2 1 1 3 -1"),
              "1: a distance is -1, outside 0..2147483647");
    CHECK_STR(complaint("deco 1 2 3 0 2 2 0 1 1 1 0 0"),
              "1: there are 1 domains of one PE, but 2 PEs");
    CHECK_STR(complaint("deco 1 1 3 0 1 1 0 1 1 1 0 0"),
              "1: there are more domains of one PE than the 1 PEs");
    CHECK_STR(complaint("deco 1 1 1 -1 1 1"), "1: domain 1 is a PE without a label");
    CHECK_STR(complaint("deco 2 1 1 0\n0 1\n1 1 1 0 -1 -1 -1 0 0\n0\n1 0\n0 000\n0\n1\n"),
              "8: PE 0 is vertex 1, but the graph has only 1");
    CHECK_STR(complaint("deco 2 1 1 0\n0 0\n1 1 1 0 -1 -1 -1 0 0\n0\n1 0\n0 002\n0\n1\n"),
              "6: the flags are not three digits 0 or 1");
    CHECK_STR(complaint("deco 2 1 1 0\n0 0\n1 1 1 0 -1 -1 -1 0 0\n0\n2 2\n0 000\n0\n0\n1\n"),
              "8: the graph has 0 arcs, but its header has 2");
    CHECK_STR(complaint("deco 2 1 1 0\n0 0\n1 1 1 0 -1 -1 -1 0 0\n0\n2 0\n0 000\n0\n0\n1\n"),
              "9: there is no path between the vertices 0 and 1 of the target graph");
    char deep[200] = "";
    for (int i = 0; i < 20; i++)
        strcat(deep, "sub 1 0\n");
    CHECK_STR(complaint(deep), "17: targets are nested more than 16 deep");
}

/* Every beginning of a file that ends inside is refused, with its place. */
static void check_prefixes(const char *text)
{
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    for (size_t i = 0; i < length; i++) {
        /* A number cut short may still be one: cut in front of words only. */
        if (i > 0 && !isspace((unsigned char)text[i - 1]))
            continue;
        char *prefix = strndup(text, i);
        CHECK(strstr(complaint(prefix), ": the file ") != NULL);
        free(prefix);
    }
}

static void test_prefixes(void)
{
    static const char *const names[] = {"ub3-deco0.tgt", "ub3-deco1.tgt", "ub3-deco2.tgt",
                                        "list-deco2.tgt"};
    check_prefixes("sub 2 1 0 sub 3 0 1 2 ltleaf 2 2 5 2 1 4 1 0 3 2");
    check_prefixes("torusXD 3 4 4 4");
    check_prefixes("cmpltw 3 1 2 3");
    for (int i = 0; i < 4; i++) {
        char path[64], text[4096];
        snprintf(path, sizeof path, "target/%s", names[i]);
        FILE *f = fopen(test_data(path), "r");
        REQUIRE(f != NULL);
        text[fread(text, 1, sizeof text - 1, f)] = '\0';
        fclose(f);
        check_prefixes(text);
    }
}

static void test_shared_files(void)
{
    static const struct {
        const char *name;
        int32_t pes;
    } file[] = {{"T3D_64", 64}, {"h4", 16},     {"k64", 64},   {"k8", 8},   {"m2x4x8", 64},
                {"m4x4", 16},   {"m5x7", 35},   {"m8x8", 64},  {"p32", 32}, {"p8", 8},
                {"t2x4x8", 64}, {"t4x4x4", 64}, {"vcmplt", 0}, {"vhcub", 0}};
    enum { count = sizeof file / sizeof *file };
    const char *folder = test_shared("topo", count);
    for (size_t i = 0; folder && i < count; i++) {
        char path[5000];
        cleave_target *t;
        snprintf(path, sizeof path, "%s/%s.tgt", folder, file[i].name);
        cleave_status status = clv_target_scotch_file(&t, path, &err);
        CHECK_EQ(status, file[i].pes ? CLEAVE_OK : CLEAVE_EPARSE);
        CHECK_EQ(t ? t->npes : 0, file[i].pes);
        CHECK(t || strstr(err.message, "has no number of PEs"));
        clv_target_free(t);
    }
}

static void test_memory(void)
{
    CHECK(refusals_without_memory(clv_target_scotch_file,
                                  test_file("m0.tgt", "deco 0 3 7 4 1 2 9 2 6 3 1 7 1 2 3")) >
          15);
    CHECK(refusals_without_memory(clv_target_scotch_file, test_data("target/list-deco2.tgt")) >
          15);
    CHECK(refusals_without_memory(clv_target_scotch_file,
                                  test_data("target/weighted-deco1.tgt")) > 15);
    CHECK(refusals_without_memory(clv_target_scotch_file,
                                  test_file("m1.tgt", "ltleaf 1 4 1 2 1 0")) > 8);
    CHECK(refusals_without_memory(clv_target_scotch_file,
                                  test_file("m2.tgt", "sub 2 1 0 cmpltw 3 1 2 3")) > 8);
}

int main(void)
{
    RUN(test_regular);
    RUN(test_trees);
    RUN(test_sub);
    RUN(test_de_bruijn);
    RUN(test_weighted);
    RUN(test_domain_distances);
    RUN(test_kind_0_files);
    RUN(test_complaints);
    RUN(test_prefixes);
    RUN(test_shared_files);
    RUN(test_memory);
    return test_end();
}
