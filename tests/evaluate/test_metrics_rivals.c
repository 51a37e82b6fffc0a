/* SPDX-License-Identifier: Apache-2.0 */
/* Our metrics against those that gpmetis reports of its partitions and Scotch's gmtst of
 * Scotch's and METIS's, on graphs of the Walshaw archive, plain and with random weights.
 * Skipped where the programs or the graphs are missing. */
#include <math.h>
#include <sys/stat.h>

#include "base/rng.h"
#include "support/test.h"

enum { path_size = 4600 };

static const char *const graphs[] = {"3elt", "4elt",       "add20",    "add32", "bcsstk29",
                                     "cs4",  "crack",      "cti",      "data",  "memplus",
                                     "uk",   "wing_nodal", "vibrobox", "t60k"};
enum { ngraphs = sizeof graphs / sizeof *graphs };

static int exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

static int have_program(const char *name)
{
    char command[256];
    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", name);
    return system(command) == 0;
}

/* Runs a command of the shell and returns what it printed (static); NULL if it failed. */
static const char *output_of(const char *command)
{
    static char text[65536];
    FILE *pipe = popen(command, "r");
    if (!pipe)
        return NULL;
    size_t used = fread(text, 1, sizeof text - 1, pipe);
    text[used] = 0;
    if (pclose(pipe) != 0) {
        fprintf(stderr, "failed: %s\n%s\n", command, text);
        return NULL;
    }
    return text;
}

/* The number behind `label` in `text`; NAN when the label is not there. */
static double number_after(const char *text, const char *label)
{
    const char *at = strstr(text, label);
    return at ? strtod(at + strlen(label), NULL) : NAN;
}

static const char *folder; /* of the graphs */

/* NAME.graph in the scratch folder, where gpmetis may leave its files; 0: not shared. */
static int fetch_graph(const char *name, char *path)
{
    char source[path_size], command[3 * path_size];
    snprintf(path, path_size, "%s/%s.graph", test_scratch(), name);
    snprintf(source, sizeof source, "%s/%s.graph", folder, name);
    if (exists(source)) {
        snprintf(command, sizeof command, "cp '%s' '%s'", source, path);
        return system(command) == 0;
    }
    strcat(source, ".gz");
    if (!exists(source))
        return 0;
    snprintf(command, sizeof command, "gzip -dc '%s' > '%s'", source, path);
    return system(command) == 0;
}

static cleave_graph *read_graph(const char *path)
{
    cleave_error err = {0};
    cleave_graph *g = NULL;
    CHECK_OK(cleave_graph_read(&g, path, NULL, &err));
    return g;
}

/* Reads a partition file and evaluates it; frees what it read, or hands it out. */
static int evaluate_file(cleave_metrics *metrics, const cleave_graph *g, const char *path,
                         int k, cleave_mapping **keep)
{
    cleave_error err = {0};
    cleave_mapping *m = NULL;
    int before = test_failures_;
    cleave_metrics_init(metrics, sizeof *metrics);
    CHECK_OK(cleave_mapping_read(&m, path, cleave_graph_vertices(g), k, &err));
    if (m)
        CHECK_OK(cleave_evaluate(metrics, g, m, NULL, &err));
    if (keep)
        *keep = m;
    else
        cleave_mapping_free(m);
    return test_failures_ == before;
}

/* gmtst on a .grf and a .map against our metrics of the same mapping. */
static void compare_with_gmtst(const cleave_metrics *m, const char *grf, const char *map)
{
    char command[4 * path_size], target[path_size];
    snprintf(target, sizeof target, "%s.%d.tgt", grf, (int)m->parts);
    FILE *file = fopen(target, "w");
    REQUIRE(file);
    fprintf(file, "cmplt %d\n", (int)m->parts);
    fclose(file);
    snprintf(command, sizeof command, "gmtst '%s' '%s' '%s'", grf, target, map);
    const char *text = output_of(command);
    REQUIRE(text);
    const char *cut = strstr(text, "CommCutSz=");
    REQUIRE(cut);
    CHECK_EQ(number_after(cut, "("), m->cut);
    CHECK_EQ(number_after(text, "Processors "), m->parts - m->empty_parts);
    CHECK_EQ(number_after(text, "max="), m->max_weight);
    if (m->empty_parts == 0) /* gmtst leaves empty parts out of its minimum */
        CHECK_EQ(number_after(text, "min="), m->min_weight);
    const char *neighbours = strstr(text, "Neighbors");
    REQUIRE(neighbours);
    CHECK_EQ(number_after(neighbours, "sum="), 2 * m->setups);
}

/* gpmetis reports cut, volume, the largest weight over the average, the neighbours per
 * part, and the pieces when some part has several. */
static void compare_with_gpmetis(const cleave_metrics *m, const char *text)
{
    CHECK_EQ(number_after(text, "Edgecut: "), m->cut);
    CHECK_EQ(number_after(text, "communication volume: "), m->volume);
    CHECK(fabs(number_after(text, "constraint #0: ") - (1 + m->imbalance)) < 0.00051);
    const char *neighbours = strstr(text, "Subdomain connectivity");
    REQUIRE(neighbours);
    CHECK(fabs(number_after(neighbours, "avg: ") - 2.0 * (double)m->setups / m->parts) <
          0.0051);
    double pieces = number_after(text, "after removing the cut edges: ");
    if (isnan(pieces)) /* said otherwise where the graph itself is in pieces */
        pieces = number_after(text, "after removing the cut edges has ");
    CHECK_EQ(isnan(pieces) ? m->parts - m->empty_parts : pieces, m->pieces);
}

/* Writes the mapping for Scotch.  A .map file names vertices as its graph does, and gcv
 * counts them from 1, unlike our writer. */
static void show_to_gmtst(const cleave_mapping *mapping, const cleave_metrics *m,
                          const char *grf, const char *part)
{
    char ours[path_size + 48], theirs[path_size + 48], command[3 * path_size];
    cleave_error err = {0};
    snprintf(ours, sizeof ours, "%s.ours.map", part);
    snprintf(theirs, sizeof theirs, "%s.theirs.map", part);
    REQUIRE_OK(cleave_mapping_write(mapping, ours, &err));
    snprintf(command, sizeof command,
             "awk 'NR == 1 { print; next } NR == 2 { d = 1 - $1 } { print $1 + d, $2 }' "
             "'%s' > '%s'",
             ours, theirs);
    REQUIRE(system(command) == 0);
    compare_with_gmtst(m, grf, theirs);
}

static void check_gpmetis(const cleave_graph *g, const char *path, const char *grf, int k,
                          const char *objective)
{
    char command[2 * path_size], part[path_size + 32];
    cleave_metrics m;
    cleave_mapping *mapping = NULL;
    snprintf(command, sizeof command, "gpmetis -objtype=%s '%s' %d", objective, path, k);
    const char *text = output_of(command);
    REQUIRE(text);
    snprintf(part, sizeof part, "%s.part.%d", path, k);
    if (evaluate_file(&m, g, part, k, &mapping)) {
        compare_with_gpmetis(&m, text);
        if (grf && have_program("gmtst"))
            show_to_gmtst(mapping, &m, grf, part);
    }
    cleave_mapping_free(mapping);
}

static void check_scotch(const cleave_graph *g, const char *grf, int k)
{
    char command[3 * path_size], map[path_size];
    cleave_metrics m;
    snprintf(map, sizeof map, "%s.%d.map", grf, k);
    snprintf(command, sizeof command,
             "SCOTCH_PTHREAD_NUMBER=1 scotch_gpart %d -b0.03 '%s' '%s'", k, grf, map);
    REQUIRE(output_of(command));
    if (evaluate_file(&m, g, map, k, NULL))
        compare_with_gmtst(&m, grf, map);
}

/* Converts a METIS file (without vsize) to Scotch's form; NULL without gcv. */
static const char *convert(const char *path, char *grf)
{
    char command[3 * path_size];
    if (!have_program("gcv"))
        return NULL;
    snprintf(grf, path_size, "%s.grf", path);
    snprintf(command, sizeof command, "gcv -ic -os '%s' '%s'", path, grf);
    return output_of(command) ? grf : NULL;
}

static const int part_counts[] = {2, 7, 32};

static void check_plain(const char *name)
{
    char path[path_size - 32], grf[path_size];
    if (!fetch_graph(name, path))
        return;
    const char *scotch = convert(path, grf);
    cleave_graph *g = read_graph(path);
    REQUIRE(g);
    for (int i = 0; i < 3; i++) {
        if (have_program("gpmetis")) {
            check_gpmetis(g, path, scotch, part_counts[i], "cut");
            check_gpmetis(g, path, scotch, part_counts[i], "vol");
        }
        if (scotch && have_program("scotch_gpart") && have_program("gmtst"))
            check_scotch(g, scotch, part_counts[i]);
    }
    cleave_graph_free(g);
}

/* Writes the graph with random weights: an edge's depends on its ends alone.  with_size
 * adds vsize, which Scotch's converter does not support. */
static void write_weighted(const cleave_csr *csr, const char *path, int with_size)
{
    FILE *file = fopen(path, "w");
    REQUIRE(file);
    fprintf(file, "%d %lld %s\n", (int)csr->nvtx, (long long)csr->xadj[csr->nvtx] / 2,
            with_size ? "111" : "011");
    for (int32_t v = 0; v < csr->nvtx; v++) {
        if (with_size)
            fprintf(file, "%d ", (int)(clv_hash64((uint64_t)v + 77) % 20));
        fprintf(file, "%d", 1 + (int)(clv_hash64((uint64_t)v) % 9));
        for (int64_t a = csr->xadj[v]; a < csr->xadj[v + 1]; a++) {
            uint64_t u = (uint64_t)csr->adj[a], low = u < (uint64_t)v ? u : (uint64_t)v;
            uint64_t edge = low << 32 | (u + (uint64_t)v - low);
            fprintf(file, " %d %d", (int)u + 1, 1 + (int)(clv_hash64(edge) % 15));
        }
        fputc('\n', file);
    }
    fclose(file);
}

static void check_weighted(const char *name)
{
    char path[path_size - 32], sized[path_size], unsized[path_size], grf[path_size];
    if (!fetch_graph(name, path))
        return;
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    cleave_graph *plain = read_graph(path);
    REQUIRE(plain);
    cleave_graph_view(plain, &csr);
    snprintf(sized, sizeof sized, "%s/%s_sized.graph", test_scratch(), name);
    snprintf(unsized, sizeof unsized, "%s/%s_weighted.graph", test_scratch(), name);
    write_weighted(&csr, sized, 1);
    write_weighted(&csr, unsized, 0);
    cleave_graph_free(plain);
    cleave_graph *g = read_graph(sized), *h = read_graph(unsized);
    const char *scotch = convert(unsized, grf);
    for (int i = 0; g && h && i < 3; i++) {
        if (have_program("gpmetis")) {
            check_gpmetis(g, sized, NULL, part_counts[i], "cut");
            check_gpmetis(g, sized, NULL, part_counts[i], "vol");
            check_gpmetis(h, unsized, scotch, part_counts[i], "cut");
        }
        if (scotch && have_program("scotch_gpart") && have_program("gmtst"))
            check_scotch(h, scotch, part_counts[i]);
    }
    cleave_graph_free(g);
    cleave_graph_free(h);
}

static void test_plain_graphs(void)
{
    for (int i = 0; i < ngraphs; i++)
        check_plain(graphs[i]);
}

static void test_weighted_graphs(void)
{
    static const char *const some[] = {"add20", "data", "3elt", "uk"};
    for (int i = 0; i < 4; i++)
        check_weighted(some[i]);
}

int main(void)
{
    int rivals = have_program("gpmetis") || have_program("scotch_gpart");
    folder = test_shared("walshaw", ngraphs + 4);
    if (!rivals)
        printf("skipped: neither METIS nor Scotch is installed\n");
    if (!folder || !rivals)
        return TEST_SKIP;
    test_file("rivals.txt", ""); /* has the scratch folder removed at the end */
    RUN(test_plain_graphs);
    RUN(test_weighted_graphs);
    return test_checks_ == 0 ? TEST_SKIP : test_end();
}
