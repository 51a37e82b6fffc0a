/* SPDX-License-Identifier: Apache-2.0 */
/* cleave-mpi partition GRAPH -k K: parts that differ in nothing but their size. */
#include "mpi/program/mpi_map_command.h"

int cmd_partition(int argc, char **argv)
{
    map_command p;
    map_command_init(&p, "partition");
    const cli_option options[] = {
        MAP_COMMAND_OUTPUT_OPTION(&p, "the partition (default: GRAPH.part.K)"),
        MAP_COMMAND_DEMAND_OPTIONS(&p),
        MAP_COMMAND_SEARCH_OPTIONS(&p),
        MAP_COMMAND_METHOD_OPTIONS(&p),
        CLI_INPUT_OPTIONS(&p.input, CLI_AS_KINDS),
        {0}};
    const cli_usage usage = {
        "partition",
        "GRAPH -k PARTS",
        1,
        1,
        "Divides the vertices of a graph into parts of equal or given weight such that "
        "little\n"
        "is cut, on all ranks.  The parts of a DAG depend on each other in one direction\n"
        "only.  Binary files (.clv), METIS and Matrix Market files are read by all ranks,\n"
        "each its share; others by one rank, which deals them out.  The partition is written\n"
        "to GRAPH.part.K, one 0-based part per line, or to the file of -o ('-': standard\n"
        "output), and judged as by 'cleave-mpi evaluate'.  What cannot be met is said and\n"
        "the exit status is 1; the best partition found is written all the same.\n"
        "The same seed and number of ranks give the same partition, unless a time limit\n"
        "ends it; one rank gives that of 'cleave partition'.",
        options};
    return map_command_run(&p, &usage, argc, argv);
}
