/* SPDX-License-Identifier: Apache-2.0 */
/* place_ranks [TARGET [HOSTS]] - where to put the ranks of an MPI program:
 * docs/guide/ranks.md.
 *
 * The program is a stencil on a periodic grid of processes of 4 columns, as wide as the
 * machine has PEs: each rank sends 100 to the next row and 10 to the next column.  Writes the
 * file "ranks" for mpirun --rankfile when HOSTS, such as n[1-2], names the nodes. */
#include <stdio.h>
#include <stdlib.h>

#include <cleave/cleave.h>

static int fail(const char *what, const cleave_error *err)
{
    fprintf(stderr, "place_ranks: %s: %s\n", what, err->message);
    return EXIT_FAILURE;
}

/* The amount of data between pairs of ranks, one edge after the other. */
static cleave_status traffic(cleave_graph **out, int32_t ranks, cleave_error *err)
{
    cleave_builder *b = NULL;
    cleave_status status = cleave_builder_create(&b, CLEAVE_UNDIRECTED, err);
    for (int32_t r = 0; r < ranks && status == CLEAVE_OK; r++) {
        int32_t row = r / 4, tail[] = {r, r}, weight[] = {100, 10};
        int32_t head[] = {(r + 4) % ranks, row * 4 + (r + 1) % 4};
        status = cleave_builder_add(b, 2, tail, head, weight, err);
    }
    if (status == CLEAVE_OK)
        status = cleave_builder_finish(out, b, ranks, NULL, err);
    cleave_builder_free(b);
    return status;
}

static cleave_status place(cleave_mapping **out, const cleave_graph *g, const cleave_target *t,
                           cleave_map_report *report, cleave_error *err)
{
    cleave_options opt;
    cleave_options_init(&opt, sizeof opt);
    cleave_map_report_init(report, sizeof *report);
    opt.effort = CLEAVE_EFFORT_QUALITY;
    opt.one_to_one = 1; /* a PE of its own for each rank */
    opt.report = report;
    return cleave_map(out, g, t, &opt, err);
}

static void print(const cleave_mapping *m, const cleave_map_report *report)
{
    printf("cost %lld, in the order of the ranks %lld\nPEs of the ranks:",
           (long long)report->cost, (long long)report->cost_identity);
    for (int32_t r = 0; r < cleave_mapping_vertices(m); r++)
        printf(" %d", (int)cleave_mapping_parts(m)[r]);
    printf("\n");
}

int main(int argc, char **argv)
{
    const char *machine = argc > 1 ? argv[1] : "tree:4:4@1:10";
    cleave_error err = {CLEAVE_OK, ""};
    cleave_graph *g = NULL;
    cleave_target *t = NULL;
    cleave_mapping *m = NULL;
    cleave_map_report report;
    int result = EXIT_SUCCESS;
    if (cleave_target_parse(&t, machine, &err) != CLEAVE_OK) {
        result = fail(machine, &err);
    } else if (cleave_target_pes(t) % 4 != 0) {
        fprintf(stderr, "place_ranks: the machine has no multiple of 4 PEs\n");
        result = EXIT_FAILURE;
    } else if (traffic(&g, cleave_target_pes(t), &err) != CLEAVE_OK) {
        result = fail("the traffic", &err);
    } else if (place(&m, g, t, &report, &err) != CLEAVE_OK) {
        result = fail("placing", &err);
    } else {
        print(m, &report);
        if (argc > 2 && cleave_launch_write("ranks", "rankfile", m, t, argv[2], &err) != 0)
            result = fail("writing", &err);
    }
    cleave_mapping_free(m);
    cleave_target_free(t);
    cleave_graph_free(g);
    return result;
}
