/* SPDX-License-Identifier: Apache-2.0 */
/* bench/adaptive/adaptive_tables.c - Tables 1 to 7 as Markdown, laid out as in the paper.  A
 * cell is ours / the paper's = the ratio. */
#include <math.h>
#include <stdio.h>

#include "adaptive/adaptive.h"

static const char *const graph_titles[npaper_graph] = {"Graph 1 (3elt)",
                                                       "Graph 2 (stand-in spiral)"};

static void print_rule(FILE *to, int columns)
{
    for (int i = 0; i < columns; i++)
        fprintf(to, "|---");
    fprintf(to, "|\n");
}

static void print_value(FILE *to, double ours, double theirs)
{
    fprintf(to, " %.*f / %g = %.2f |", ours < 20 ? 1 : 0, ours, theirs, ours / theirs);
}

static void print_pair(FILE *to, paper_mean ours, printed theirs)
{
    if (ours.count) {
        print_value(to, ours.edges, theirs.edges);
        print_value(to, ours.setups, theirs.setups);
    } else
        fprintf(to, " - | - |");
}

static void print_table1(FILE *to, const paper_view *v)
{
    static const paper_method methods[] = {P_HCI, P_ZCI};
    fprintf(to, "\n### Table 1: HCI and ZCI, simple grouping, ratio 1\n");
    for (int g = 0; g < npaper_graph; g++) {
        fprintf(to, "\n%s\n\n| parts | HCI edges | HCI setups | ZCI edges | ZCI setups |\n",
                graph_titles[g]);
        print_rule(to, 5);
        for (int j = 0; j < npaper_part; j++) {
            fprintf(to, "| %d |", paper_parts[j]);
            for (int m = 0; m < 2; m++)
                print_pair(to, paper_cell_of(v, g, methods[m], 1, paper_parts[j], 1),
                           printed_table1(g, methods[m], j));
            fprintf(to, "\n");
        }
    }
}

static void print_heading(FILE *to, const char *first)
{
    static const char *const names[] = {"RSB", "RCB", "HCI"};
    fprintf(to, "| %s |", first);
    for (int m = 0; m < 3; m++)
        fprintf(to, " %s bin edges | setups | %s simple edges | setups |", names[m], names[m]);
    fprintf(to, "\n");
    print_rule(to, 13);
}

static void print_table2(FILE *to, const paper_view *v)
{
    fprintf(to, "\n### Table 2: RSB, RCB and HCI by ratio, 10 parts\n");
    for (int g = 0; g < npaper_graph; g++) {
        fprintf(to, "\n%s\n\n", graph_titles[g]);
        print_heading(to, "ratio");
        for (int r = 0; r < npaper_ratio; r++) {
            fprintf(to, "| %d |", paper_ratios[r]);
            for (int m = P_RSB; m <= P_HCI; m++)
                for (int i = 0; i < ngrouping; i++)
                    print_pair(to,
                               paper_cell_of(v, g, (paper_method)m, i, 10, paper_ratios[r]),
                               printed_table2(g, (paper_method)m, i, r));
            fprintf(to, "\n");
        }
    }
}

static void print_table3(FILE *to, const paper_view *v)
{
    fprintf(to, "\n### Table 3: RSB, RCB and HCI by number of parts, all ratios\n");
    for (int g = 0; g < npaper_graph; g++) {
        fprintf(to, "\n%s\n\n", graph_titles[g]);
        print_heading(to, "parts");
        for (int j = 0; j < npaper_part; j++) {
            fprintf(to, "| %d |", paper_parts[j]);
            for (int m = P_RSB; m <= P_HCI; m++)
                for (int i = 0; i < ngrouping; i++)
                    print_pair(to, paper_cell_of(v, g, (paper_method)m, i, paper_parts[j], -1),
                               printed_table3(g, (paper_method)m, i, j));
            fprintf(to, "\n");
        }
    }
}

static void print_seconds(FILE *to, double ours, double theirs)
{
    if (ours < 0)
        fprintf(to, " - |");
    else
        fprintf(to, " %.5f / %g = 1/%.0f |", ours, theirs, theirs / (ours + 1e-9));
}

static void print_table4(FILE *to, const paper_view *v)
{
    static const int parts[] = {4, 10, 20};
    fprintf(to, "\n### Table 4: seconds of RSB, RCB and HCI\n\n| parts | Graph 1 RSB | RCB | "
                "HCI | Graph 2 RSB | RCB | HCI |\n");
    print_rule(to, 7);
    for (int j = 0; j < 3; j++) {
        fprintf(to, "| %d |", parts[j]);
        for (int g = 0; g < npaper_graph; g++)
            for (int m = P_RSB; m <= P_HCI; m++) {
                paper_mean mean = paper_cell_of(v, g, (paper_method)m, 0, parts[j], -1);
                print_seconds(to, mean.count ? mean.seconds : -1,
                              printed_table4(g, (paper_method)m, parts[j]));
            }
        fprintf(to, "\n");
    }
}

static void print_table5(FILE *to, const paper_view *v)
{
    fprintf(to, "\n### Table 5: RSBI, 1024 leaves in random order\n\n| parts | Graph 1 bin "
                "edges | setups | simple edges | setups | Graph 2 bin edges | setups | simple "
                "edges | setups |\n");
    print_rule(to, 9);
    for (int j = 0; j < npaper_part; j++) {
        fprintf(to, "| %d |", paper_parts[j]);
        for (int g = 0; g < npaper_graph; g++)
            for (int i = 0; i < ngrouping; i++)
                print_pair(to, paper_cell_of(v, g, P_RSBI, i, paper_parts[j], -1),
                           printed_table3(g, P_RSBI, i, j));
        fprintf(to, "\n");
    }
}

/* Per cent that RSB from scratch saves over an order; NaN: not measured. */
static double gain(const paper_view *v, int graph, paper_method order, int grouping, int k)
{
    paper_mean rsb = paper_cell_of(v, graph, P_RSB, grouping, k, -1);
    paper_mean line = paper_cell_of(v, graph, order, grouping, k, -1);
    return rsb.count && line.count ? 100 * (1 - rsb.edges / line.edges) : NAN;
}

static void print_table6(FILE *to, const paper_view *v)
{
    fprintf(to,
            "\n### Table 6: per cent that RSB from scratch gains over RSBI\n\nAnd over the "
            "multilevel order, which the paper does not have.\n\n");
    fprintf(to, "| parts | Graph 1 bin | simple | multilevel bin | Graph 2 bin | simple | "
                "multilevel bin |\n");
    print_rule(to, 7);
    for (int j = 0; j < npaper_part; j++) {
        fprintf(to, "| %d |", paper_parts[j]);
        for (int g = 0; g < npaper_graph; g++) {
            for (int i = 0; i < ngrouping; i++)
                fprintf(to, " %.0f / %.0f |", gain(v, g, P_RSBI, i, paper_parts[j]),
                        printed_table6(g, i, j));
            fprintf(to, " %.0f |", gain(v, g, P_MULTILEVEL, 0, paper_parts[j]));
        }
        fprintf(to, "\n");
    }
}

static void print_table7(FILE *to, const paper_view *v)
{
    static const paper_method methods[] = {P_RSBI, P_RSBI_WHOLE, P_RCBI, P_MULTILEVEL};
    fprintf(to, "\n### Table 7: seconds to make an order\n\n| order | Graph 1 | Graph 2 |\n");
    print_rule(to, 3);
    for (int i = 0; i < 4; i++) {
        fprintf(to, "| %s |", paper_methods[methods[i]].name);
        for (int g = 0; g < npaper_graph; g++) {
            double seconds = paper_build_seconds(v, g, methods[i]);
            if (i == 0 || seconds < 0)
                print_seconds(to, seconds, printed_table7(g));
            else
                fprintf(to, " %.5f |", seconds);
        }
        fprintf(to, "\n");
    }
}

void page_tables(FILE *to, const paper_view *v)
{
    print_table1(to, v);
    print_table2(to, v);
    print_table3(to, v);
    print_table4(to, v);
    print_table5(to, v);
    print_table6(to, v);
    print_table7(to, v);
}
