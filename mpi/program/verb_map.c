/* SPDX-License-Identifier: Apache-2.0 */
/* cleave-mpi map GRAPH -t TARGET: maps vertices to PEs so that heavy communication stays
 * between near PEs. */
#include "mpi/program/mpi_map_command.h"

int cmd_map(int argc, char **argv)
{
    map_command p;
    cli_map_request *r = &p.request;
    map_command_init(&p, "map");
    r->demands.onto_machine = true;
    r->method.own = "auto";
    const cli_option options[] = {
        MAP_REQUEST_OUTPUT_OPTION(r, "the mapping (default: GRAPH.part.P for P PEs)"),
        MAP_REQUEST_DEMAND_OPTIONS(r),
        {CLI_FLAG, 0, "acyclic", NULL, "require a DAG; its parts are acyclic", &r->acyclic, 0},
        {CLI_CHOICE, 0, "objective", "cut|cost", "objective (default cost)", &r->objective, 0},
        MAP_REQUEST_SEARCH_OPTIONS(r),
        MAP_REQUEST_METHOD_OPTIONS(r),
        CLI_INPUT_OPTIONS(&r->input, CLI_AS_KINDS),
        {0}};
    const cli_usage usage = {
        "map",
        "GRAPH -t TARGET",
        1,
        1,
        "Maps the vertices of a graph onto the processing elements (PEs) of a machine, on "
        "all\n"
        "ranks. It minimises the sum of edge weight times distance, with load in proportion "
        "to\n"
        "speed. Machines are those of 'cleave map', the same on all ranks. The mapping is\n"
        "written to GRAPH.part.P, one 0-based PE per line, or to the file of -o ('-': "
        "standard\n"
        "output), and evaluated as by 'cleave-mpi evaluate -t'. If a constraint is not met, "
        "a\n"
        "message names it and the exit status is 1; the best mapping found is still written.",
        options};
    return map_command_run(&p, &usage, argc, argv);
}
