/* SPDX-License-Identifier: Apache-2.0 */
/* adapt GRAPH - follow a machine that changes: docs/guide/changes.md.
 *
 * The vertices are put on a line once.  Four equal PEs cut it; then one slows down to half its
 * speed and the line is cut again, at once and without the graph; then it fails, and a remap
 * weighs what is cut against what moves. */
#include <stdio.h>
#include <stdlib.h>

#include <cleave/cleave.h>

static int fail(const char *what, const cleave_error *err)
{
    fprintf(stderr, "adapt: %s: %s\n", what, err->message);
    return EXIT_FAILURE;
}

/* Cuts the line for four PEs of these speeds. */
static cleave_status cut_line(cleave_mapping **out, const cleave_order *o, const char *machine,
                              cleave_error *err)
{
    cleave_target *t = NULL;
    int32_t begin[4], end[4];
    cleave_status status = cleave_target_parse(&t, machine, err);
    if (status == CLEAVE_OK)
        status = cleave_order_split(begin, end, o, t, NULL, err); /* microseconds */
    if (status == CLEAVE_OK)
        status = cleave_order_mapping(out, o, 4, begin, end, err);
    cleave_target_free(t);
    return status;
}

/* Vertices that are elsewhere than before, and what the mapping cuts. */
static cleave_status print(const char *what, const cleave_graph *g, const cleave_mapping *m,
                           const cleave_mapping *before, cleave_error *err)
{
    int32_t moved = 0;
    cleave_metrics metrics;
    cleave_metrics_init(&metrics, sizeof metrics);
    cleave_status status = cleave_evaluate(&metrics, g, m, NULL, err);
    if (status != CLEAVE_OK)
        return status;
    for (int32_t v = 0; before && v < cleave_mapping_vertices(m); v++)
        moved += cleave_mapping_parts(m)[v] != cleave_mapping_parts(before)[v];
    printf("%s: cut %lld, moved %d\n", what, (long long)metrics.cut, (int)moved);
    return CLEAVE_OK;
}

/* PE 3 is no more: what was on it moves, and little else. */
static cleave_status lose_one(cleave_mapping **out, const cleave_graph *g,
                              const cleave_mapping *before, cleave_remap_report *report,
                              cleave_error *err)
{
    cleave_target *four = NULL, *three = NULL;
    cleave_remap_options opt;
    cleave_remap_options_init(&opt, sizeof opt);
    cleave_remap_report_init(report, sizeof *report);
    opt.report = report;
    opt.migration_price = 0.5; /* of a vertex that moves, in units of the cut */
    cleave_status status = cleave_target_parse(&four, "4", err);
    if (status == CLEAVE_OK)
        status = cleave_target_parse(&three, "4[0-2]", err);
    opt.from = four;
    if (status == CLEAVE_OK)
        status = cleave_remap(out, g, before, three, &opt, err);
    cleave_target_free(four);
    cleave_target_free(three);
    return status;
}

int main(int argc, char **argv)
{
    cleave_error err = {CLEAVE_OK, ""};
    cleave_graph *g = NULL;
    cleave_order *o = NULL;
    cleave_mapping *equal = NULL, *slower = NULL, *three = NULL;
    cleave_remap_report report;
    if (argc != 2) {
        fprintf(stderr, "usage: adapt GRAPH\n");
        return EXIT_FAILURE;
    }
    int result = EXIT_SUCCESS;
    if (cleave_graph_read(&g, argv[1], NULL, &err) != CLEAVE_OK ||
        cleave_order_build(&o, g, NULL, &err) != CLEAVE_OK) {
        result = fail("the line", &err);
    } else if (cut_line(&equal, o, "1,1,1,1", &err) != CLEAVE_OK ||
               print("four equal PEs", g, equal, NULL, &err) != CLEAVE_OK ||
               cut_line(&slower, o, "2,2,2,1", &err) != CLEAVE_OK ||
               print("one at half speed", g, slower, equal, &err) != CLEAVE_OK) {
        result = fail("cutting", &err);
    } else if (lose_one(&three, g, slower, &report, &err) != CLEAVE_OK) {
        result = fail("remapping", &err);
    } else {
        printf("it is lost: cut %lld, moved %lld, at least %lld must move\n",
               (long long)report.cut, (long long)report.migration,
               (long long)report.migration_bound);
    }
    cleave_mapping_free(equal);
    cleave_mapping_free(slower);
    cleave_mapping_free(three);
    cleave_order_free(o);
    cleave_graph_free(g);
    return result;
}
