/* SPDX-License-Identifier: Apache-2.0 */
/* cleave: the table of verbs and the main function. */
#include "cli/options.h"
#include "cli/progress.h"

const char cli_program[] = "cleave";
const char cli_purpose[] = "Maps a mesh, a matrix or a DAG onto a machine.";

const cli_verb cli_verbs[] = {
    {"info", "describe graph files and machines", cmd_info},
    {"check", "validate a graph file; --repair fixes it", cmd_check},
    {"convert", "write a graph in another format, or a machine", cmd_convert},
    {"generate", "generate a graph of a given kind", cmd_generate},
    {"partition", "divide a graph into parts", cmd_partition},
    {"map", "map a graph onto a machine", cmd_map},
    {"order", "compute a linear order of the vertices of a graph", cmd_order},
    {"split", "split an order into parts for a machine", cmd_split},
    {"remap", "remap a graph after the machine has changed", cmd_remap},
    {"schedule", "schedule a DAG on threads in super layers", cmd_schedule},
    {"run", "run triangular solves and circuits by a schedule", cmd_run},
    {"evaluate", "evaluate a partition or a mapping of a graph", cmd_evaluate},
    {"view", "draw a graph and its parts", cmd_view},
    {"bench", "measure this machine", cmd_bench},
    {"help", "show the help of a verb", cmd_help},
    {NULL, NULL, NULL},
};

int main(int argc, char **argv)
{
    cli_signals_init(true);
    int status = cli_run(argc, argv, cli_print_version);
    int flushed = cli_flush();
    return flushed > status ? flushed : status;
}
