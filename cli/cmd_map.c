/* SPDX-License-Identifier: Apache-2.0 */
/* cleave map GRAPH -t TARGET: maps vertices to PEs so that heavy communication stays between
 * near PEs. */
#include "cli/map_command.h"

int cmd_map(int argc, char **argv)
{
    cli_map_command p;
    cli_map_request *r = &p.request;
    cli_map_command_init(&p, "map");
    r->demands.onto_machine = true;
    r->method.own = "auto";
    const cli_option options[] = {
        CLI_OUTPUT_OPTIONS(&r->outputs, "the mapping (default: GRAPH.part.P for P PEs)"),
        {CLI_LIST, 0, "launch", "FORM=FILE", "also write a launcher file; may be repeated",
         &r->outputs.launch, 0},
        {CLI_STRING, 0, "hosts", "LIST", "node names for --launch: n[1-4,7],m3",
         &r->outputs.hosts, 0},
        CLI_DEMAND_OPTIONS(&r->demands),
        {CLI_FLAG, 0, "one-to-one", NULL, "at most one vertex per PE", &r->one_to_one, 0},
        {CLI_FLAG, 0, "acyclic", NULL, "require a DAG; its parts are acyclic", &r->acyclic, 0},
        CLI_IMBALANCE_OPTION(&r->opt.imbalance),
        {CLI_CHOICE, 0, "objective", "cut|volume|cost|congestion", "objective (default cost)",
         &r->objective, 0},
        CLI_MAP_SEARCH_OPTIONS(&p),
        {CLI_CHOICE, 0, "method", "auto|drb|kway|multisection|rcb|zci|hci|rsb",
         "method (default auto)", &r->method.name, 0},
        {CLI_CHOICE, 0, "policy", "depth|breadth|size", "drb: order of the jobs",
         &r->method.policy, 0},
        CLI_GROUPING_OPTION(&r->method.grouping),
        CLI_GRAPH_OPTIONS(&p),
        {0}};
    const cli_usage usage = {
        "map",
        "GRAPH -t TARGET",
        1,
        1,
        "Maps the vertices of a graph onto the processing elements (PEs) of a machine. It\n"
        "minimises the sum of edge weight times distance, with load in proportion to speed.\n"
        "'cleave help targets' lists the machines: 8, mesh:4x2, tree:4:8:16@1:10:100, ...\n"
        "and some PEs of any of them: mesh:4x2[0,4-6], slurm:topology.conf[n[1-4,7],m3].\n"
        "The mapping is written to GRAPH.part.P, one 0-based PE per line, or to the file of "
        "-o\n"
        "('-': standard output; .map: Scotch's format), and evaluated as by 'cleave evaluate\n"
        "-t'. --launch takes rankfile, hostfile, cpu-bind, rank-order and permutation. If a\n"
        "constraint is not met, a message names it and the exit status is 1; the best "
        "mapping\n"
        "found is still written, also after Ctrl-C.",
        options};
    return cli_map_command_run(&p, &usage, argc, argv);
}
