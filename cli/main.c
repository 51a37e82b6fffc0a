/* SPDX-License-Identifier: Apache-2.0 */
/* cleave: its verbs, and where it begins and ends. */
#include "cli/options.h"
#include "cli/progress.h"

const char cli_program[] = "cleave";
const char cli_purpose[] = "Maps a mesh, a matrix or a DAG onto a machine.";

const cli_verb cli_verbs[] = {
    {"info", "describe graph files and machines", cmd_info},
    {"check", "say what is wrong with a graph file, and mend it", cmd_check},
    {"convert", "write a graph in another format, or a machine", cmd_convert},
    {"generate", "make a graph of a given kind", cmd_generate},
    {"partition", "divide a graph into parts", cmd_partition},
    {"map", "place a graph onto a machine", cmd_map},
    {"order", "put the vertices of a graph on a line", cmd_order},
    {"split", "cut such a line for a machine", cmd_split},
    {"remap", "map a graph anew when the machine has changed", cmd_remap},
    {"schedule", "put a DAG in super layers for threads", cmd_schedule},
    {"run", "solve systems and evaluate circuits by such schedules", cmd_run},
    {"evaluate", "judge a partition or a mapping of a graph", cmd_evaluate},
    {"view", "draw a graph and its parts", cmd_view},
    {"bench", "measure this machine", cmd_bench},
    {"help", "explain a verb", cmd_help},
    {NULL, NULL, NULL},
};

int main(int argc, char **argv)
{
    cli_signals_init(true);
    int status = cli_run(argc, argv, cli_print_version);
    int flushed = cli_flush();
    return flushed > status ? flushed : status;
}
