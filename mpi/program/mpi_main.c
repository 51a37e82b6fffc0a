/* SPDX-License-Identifier: Apache-2.0 */
/* mpirun -n N cleave-mpi VERB ...: the verbs of the program, its startup and shutdown. */
#include <stdio.h>
#include <string.h>

#include "mpi/program/all_ranks.h"

const char cli_program[] = "cleave-mpi";
const char cli_purpose[] =
    "Maps a mesh, a matrix or a DAG onto a machine, on many ranks of MPI:\n"
    "mpirun -n RANKS cleave-mpi VERB ...  On one rank it does what cleave does.";

const cli_verb cli_verbs[] = {
    {"generate", "generate a graph of a given kind", cmd_generate},
    {"partition", "divide a graph into parts", cmd_partition},
    {"map", "map a graph onto a machine", cmd_map},
    {"order", "compute a linear order of the vertices of a graph", cmd_order},
    {"remap", "remap a graph after the machine has changed", cmd_remap},
    {"evaluate", "evaluate a partition or a mapping of a graph", cmd_evaluate},
    {"help", "show the help of a verb", cmd_help},
    {NULL, NULL, NULL},
};

/* The first line of a text that can have several. */
static int print_version(void)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length, version, part;
    int status = cli_print_version();
    MPI_Get_version(&version, &part);
    MPI_Get_library_version(library, &length);
    library[strcspn(library, "\n")] = 0;
    printf("MPI: %d.%d, %s\n", version, part, library);
    return status;
}

int main(int argc, char **argv)
{
    ranks_begin(&argc, &argv);
    int status = cli_run(argc, argv, print_version);
    int flushed = cli_flush();
    return ranks_end(flushed > status ? flushed : status);
}
