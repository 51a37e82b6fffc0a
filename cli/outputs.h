/* SPDX-License-Identifier: Apache-2.0 */
/* cli/outputs.h - the files that a mapping is written to. */
#ifndef CLI_OUTPUTS_H
#define CLI_OUTPUTS_H

#include "cli/options.h"

typedef struct cli_outputs {
    const char *mapping;               /* NULL: GRAPH.part.K */
    const char *part_order, *quotient; /* NULL: not requested */
    cli_list launch;                   /* FORM=FILE */
    const char *hosts;                 /* for those; NULL: the names of the PEs */
    const char *input;                 /* name of the input that must not be overwritten; NULL:
                                          "graph" */
    char *own;                         /* the name GRAPH.part.K */
} cli_outputs;

/* Their rows in a table of options. */
#define CLI_OUTPUT_OPTIONS(outputs, what)                                                     \
    {CLI_STRING, 'o', "output", "FILE", what, &(outputs)->mapping, 0},                        \
        {CLI_STRING,                                                                          \
         0,                                                                                   \
         "part-order",                                                                        \
         "FILE",                                                                              \
         "of a DAG: its parts in topological order",                                          \
         &(outputs)->part_order,                                                              \
         0},                                                                                  \
    {                                                                                         \
        CLI_STRING, 0, "quotient", "FILE", "the graph of the parts, coloured (DOT)",          \
            &(outputs)->quotient, 0                                                           \
    }

/* Chooses the name of the partition, k parts of the graph read from path, and checks for files
 * that cannot be written or are named twice: CLI_GO_ON, or prints an error. */
int cli_outputs_check(const char *verb, cli_outputs *outputs, const char *path, int32_t k,
                      bool json);
/* If the mapping has no name: uses the name of the graph with the suffix.  A graph from
 * standard input has no name. */
void cli_outputs_beside(cli_outputs *outputs, const char *graph, const char *suffix);
/* Whether one of them is standard output. */
bool cli_outputs_piped(const cli_outputs *outputs);
/* Writes them; `written` is the mapping for the file and for launchers, m that of g. */
cleave_status cli_outputs_write(const cli_outputs *outputs, const cleave_graph *g,
                                const cleave_mapping *m, const cleave_mapping *written,
                                const cleave_target *t, cleave_error *err);
/* After Ctrl-C: prints the file of the best result so far; returns the exit status. */
int cli_outputs_interrupted(const cli_outputs *outputs);
void cli_outputs_free(cli_outputs *outputs);

#endif
