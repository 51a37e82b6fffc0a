/* SPDX-License-Identifier: Apache-2.0 */
/* cleave partition GRAPH -k K: parts of equal or given sizes. */
#include "cli/map_command.h"
#include "cli/separating.h"

int cmd_partition(int argc, char **argv)
{
    cli_map_command p;
    bool separator; /* for the help; cli_separating_asked reads the option */
    if (cli_separating_asked(argc, argv))
        return cli_separating_run(argc, argv);
    cli_map_request *r = &p.request;
    cli_map_command_init(&p, "partition");
    const cli_option options[] = {
        CLI_OUTPUT_OPTIONS(&r->outputs, "the partition (default: GRAPH.part.K)"),
        CLI_DEMAND_OPTIONS(&r->demands),
        CLI_IMBALANCE_OPTION(&r->opt.imbalance),
        {CLI_CHOICE, 0, "objective", "cut|volume", "objective (default cut)", &r->objective,
         0},
        CLI_MAP_SEARCH_OPTIONS(&p),
        CLI_METHOD_OPTIONS(&r->method),
        {CLI_FLAG, 0, "separator", NULL,
         "vertex separator: two sides and the vertices between them", &separator, 0},
        CLI_GRAPH_OPTIONS(&p),
        {0}};
    const cli_usage usage = {
        "partition",
        "GRAPH -k PARTS",
        1,
        1,
        "Divides the vertices of a graph into parts of equal or given weight with a small "
        "cut.\n"
        "The parts of a DAG are acyclic: there is an order in which they can be computed one\n"
        "after the other. The partition is written to GRAPH.part.K, one 0-based part per "
        "line,\n"
        "or to the file of -o ('-': standard output), and evaluated as by 'cleave evaluate'.\n"
        "If a constraint is not met, a message names it and the exit status is 1; the best\n"
        "partition found is still written, also after Ctrl-C.\n"
        "The same seed gives the same partition on any machine and any number of threads,\n"
        "unless a time limit stops it.",
        options};
    return cli_map_command_run(&p, &usage, argc, argv);
}
