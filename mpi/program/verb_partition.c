/* SPDX-License-Identifier: Apache-2.0 */
/* cleave-mpi partition GRAPH -k K: partitions into K parts without a target machine. */
#include "mpi/program/mpi_map_command.h"

int cmd_partition(int argc, char **argv)
{
    map_command p;
    cli_map_request *r = &p.request;
    map_command_init(&p, "partition");
    const cli_option options[] = {
        MAP_REQUEST_OUTPUT_OPTION(r, "the partition (default: GRAPH.part.K)"),
        MAP_REQUEST_DEMAND_OPTIONS(r),
        MAP_REQUEST_SEARCH_OPTIONS(r),
        MAP_REQUEST_METHOD_OPTIONS(r),
        CLI_INPUT_OPTIONS(&r->input, CLI_AS_KINDS),
        {0}};
    const cli_usage usage = {
        "partition",
        "GRAPH -k PARTS",
        1,
        1,
        "Divides the vertices of a graph into parts of equal or given weight with a small "
        "cut,\n"
        "on all ranks. The parts of a DAG are acyclic. Binary files (.clv), METIS and Matrix\n"
        "Market files are read by all ranks, each its share; other formats are read by one\n"
        "rank and distributed. The partition is written to GRAPH.part.K, one 0-based part "
        "per\n"
        "line, or to the file of -o ('-': standard output), and evaluated as by 'cleave-mpi\n"
        "evaluate'. If a constraint is not met, a message names it and the exit status is 1;\n"
        "the best partition found is still written.\n"
        "The same seed and number of ranks give the same partition, unless a time limit "
        "stops\n"
        "it; one rank gives that of 'cleave partition'.",
        options};
    return map_command_run(&p, &usage, argc, argv);
}
