/* SPDX-License-Identifier: Apache-2.0 */
/* bench/adaptive/adaptive_page.c - adaptive-paper.md: the tables of the paper with our
 * results. */
#include <stdio.h>
#include <string.h>

#include "adaptive/adaptive.h"

static void print_opening(FILE *to, const paper_view *v)
{
    fprintf(to,
            "# The paper on adaptive and nonuniform machines: its tables and our results\n"
            "\n"
            "\"Mapping Unstructured Computational Graphs for Adaptive and Nonuniform "
            "Computational Environments\"\n"
            "(Kaddoura, Ou, Ranka, 1994, revised 1995). This page is written by `bench/run "
            "adaptive --paper`; library `%s`,\n"
            "%d samples, %d thread%s, %s time.\n"
            "\n"
            "## How it is measured\n"
            "Graph 1 is the mesh 3elt (4720 vertices, 13722 edges). Graph 2, Simon's spiral "
            "(1200 vertices, 3191 edges), is not\n"
            "available: a strip of triangles of 6 x 200 vertices wound into a spiral (`cleave "
            "generate spiral:6x200`, 1200 vertices, 3189 edges)\n"
            "replaces it, so figures on Graph 2 are comparable in kind only. Parts, "
            "ratios, groupings and the number of samples (20) are the\n"
            "paper's.\n\n",
            v->s->tag, v->s->seeds, v->s->threads[0], v->s->threads[0] == 1 ? "" : "s",
            bench_in_cpu() ? "CPU" : "wall");
    fprintf(
        to,
        "The paper does not specify how it drew its speeds. Here, for a ratio R every speed "
        "is uniform in [1, R], then the smallest is set to 1 and\n"
        "the largest to R. A sample depends on the number of parts, the ratio and its own "
        "number; all methods, groupings and graphs see the same.\n"
        "\n"
        "`rsb`, `rcb`, `hci`, `zci` are methods of `cleave_map` without refinement; "
        "`rsbi-1024` "
        "is `cleave order --method rsbi --leaves\n"
        "1024` cut by `cleave split` exactly at the shares. Every result is checked by "
        "`cleave_evaluate` with the speeds as shares (%g %%\n"
        "imbalance); setups are its `setups`. Means are over samples, in Tables 3 and 5 also "
        "over the ratios. A cell is ours / the\n"
        "paper's = the ratio.\n",
        100 * v->s->imbalance);
}

static void print_more(FILE *to, const paper_view *v)
{
    static const paper_method methods[] = {
        P_RSB,          P_RSBI,        P_RSBI_WHOLE, P_MULTILEVEL, P_MULTILEVEL_EXACT,
        P_SPLIT_REFINE, P_RSB_REFINED, P_SCRATCH};
    enum { count = sizeof methods / sizeof *methods };
    fprintf(to,
            "\n## Beyond the paper\n\nMean cross edges, binpacking, all ratios: "
            "`multilevel` is our order, with cuts moved to places with few crossings within\n"
            "the imbalance, `multilevel-exact` not shifted; `split-refine` improves the "
            "boundaries after the cut; `rsb-refined` is RSB with\nrefinement; `scratch` is "
            "the default partitioner.\n");
    for (int g = 0; g < npaper_graph; g++) {
        fprintf(to, "\n| %s | paper's RSB |", paper_graphs[g]);
        for (int i = 0; i < count; i++)
            fprintf(to, " %s |", paper_methods[methods[i]].name);
        fprintf(to, "\n|---|---");
        for (int i = 0; i < count; i++)
            fprintf(to, "|---");
        fprintf(to, "|\n");
        for (int j = 0; j < npaper_part; j++) {
            fprintf(to, "| %d | %g |", paper_parts[j], printed_table3(g, P_RSB, 0, j).edges);
            for (int i = 0; i < count; i++) {
                paper_mean mean = paper_cell_of(v, g, methods[i], 0, paper_parts[j], -1);
                if (mean.count)
                    fprintf(to, " %.1f |", mean.edges);
                else
                    fprintf(to, " - |");
            }
            fprintf(to, "\n");
        }
    }
}

static void print_remarks(FILE *to)
{
    fprintf(
        to,
        "\n## Remarks\n"
        "- The published figures of the paper's RCB hardly depend on the speeds: 1143 edges "
        "(429 on Graph 2) for every ratio but one. Our cuts depend on the speeds.\n"
        "- A cut straight across the stand-in spiral has 11 edges, so 11 (k - 1) is the least "
        "for k parts; the paper's RSB has about 10 (k - 1):\n"
        "  its spiral is thinner.\n"
        "- Its Tables 2 and 3 are consistent: the means over the ratios of Table "
        "2 "
        "are the entries of Table 3 for 10 parts.\n"
        "- Its times are those of a workstation of 1994.\n"
        "\n"
        "Pictures: `adaptive-3elt.svg`, `adaptive-spiral.svg` (cross edges by parts, ours and "
        "the paper's).\n");
}

void adaptive_page(const paper_view *v, const char *folder)
{
    char path[600];
    snprintf(path, sizeof path, "%s/adaptive-paper.md", folder);
    FILE *to = fopen(path, "w");
    if (!to)
        bench_fail(path);
    print_opening(to, v);
    fprintf(to, "\n## Bars\n\nGraph 1, mean cross edges over what the paper prints, "
                "binpacking; bars are 1.10 for its own methods, 1.00 for `rsb-refined`\nand "
                "`multilevel`, and 1.10 for setups.\n\n");
    adaptive_paper_bars(v, to);
    fprintf(to, "\n## The tables\n");
    page_tables(to, v);
    print_more(to, v);
    print_remarks(to);
    if (fclose(to) != 0)
        bench_fail(path);
    printf("page: %s\n", path);
}
