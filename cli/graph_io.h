/* SPDX-License-Identifier: Apache-2.0 */
/* cli/graph_io.h - reading and writing graph files for all verbs: common options, the progress
 * line, Ctrl-C. */
#ifndef CLI_GRAPH_IO_H
#define CLI_GRAPH_IO_H

#include "cli/options.h"

/* The options of every verb that reads a graph. */
typedef struct cli_input {
    const char *from, *as, *symmetrise, *weights, *coords;
    double scale; /* < 0: not given */
    int32_t threads;
    bool trust;
    int32_t dual; /* 0: not given; else nodes that neighbours share */
    bool nodal;
    bool binarise;
    bool condense;               /* only used by `cleave partition` */
    cleave_mapping **components; /* NULL, or receives the components */
} cli_input;
void cli_input_init(cli_input *input);

#define CLI_AS_KINDS "undirected|dag|lower|upper"
/* Their rows in a table of options. */
#define CLI_INPUT_OPTIONS(input, kinds) CLI_INPUT_OPTIONS_BUT("from", input, kinds)
/* The same for verbs in which --from has another meaning. */
#define CLI_INPUT_OPTIONS_BUT(from_name, input, kinds)                                         \
    {CLI_FORMAT,     0, from_name, "FORMAT", "format of the input (default: detected)",        \
     &(input)->from, 0},                                                                       \
        {CLI_CHOICE,   0, "as", kinds, "kind of graph (default: from the file)",               \
         &(input)->as, 0},                                                                     \
        {CLI_CHOICE,                                                                           \
         0,                                                                                    \
         "symmetrise",                                                                         \
         "sum|max",                                                                            \
         "weight of an edge from its two directions: sum or maximum",                          \
         &(input)->symmetrise,                                                                 \
         0},                                                                                   \
        {CLI_CHOICE,                                                                           \
         0,                                                                                    \
         "weights",                                                                            \
         "values|none",                                                                        \
         "edges: |value| of a matrix, rounded; none: all weights 1",                           \
         &(input)->weights,                                                                    \
         0},                                                                                   \
        {CLI_REAL,        0, "scale", "X", "multiply those values by X first (default 1)",     \
         &(input)->scale, 0},                                                                  \
        {CLI_STRING,                                                                           \
         0,                                                                                    \
         "coords",                                                                             \
         "FILE",                                                                               \
         "coordinates (default: beside the graph; '': none)",                                  \
         &(input)->coords,                                                                     \
         0},                                                                                   \
        {CLI_FLAG, 0, "trust", NULL, "skip input validation", &(input)->trust, 0},             \
        {CLI_COUNT,         0, "threads", "N", "number of threads (default 0: all available)", \
         &(input)->threads, 0},                                                                \
        {CLI_COUNT,                                                                            \
         0,                                                                                    \
         "dual",                                                                               \
         "N",                                                                                  \
         "of a mesh: join elements that share N nodes (default 1)",                            \
         &(input)->dual,                                                                       \
         1},                                                                                   \
        {CLI_FLAG,        0, "nodal", NULL, "of a mesh: join nodes of the same element",       \
         &(input)->nodal, 0},                                                                  \
    {                                                                                          \
        CLI_FLAG, 0, "binarise", NULL, "of a circuit: a vertex per two-input operation",       \
            &(input)->binarise, 0                                                              \
    }

/* Checks for contradictory options; CLI_GO_ON when there are none. */
int cli_input_check(const char *verb, const cli_input *input);

/* Fills the options of cleave_graph_read and cleave_matrix_read. */
void cli_read_options(cleave_read_options *opt, const cli_input *input);

/* repairs NULL: strict; else receives the repairs of CLEAVE_REPAIR.  *seconds: time taken. */
cleave_status cli_graph_read(cleave_graph **out, const char *path, const cli_input *input,
                             cleave_repairs *repairs, double *seconds, cleave_error *err);
cleave_status cli_matrix_read(cleave_matrix **out, const char *path, const cli_input *input,
                              double *seconds, cleave_error *err);

/* format NULL: by the name. */
cleave_status cli_graph_write(const cleave_graph *g, const char *path, const char *format,
                              cleave_error *err);
/* All options except those of progress. */
cleave_status cli_graph_write_with(const cleave_graph *g, const char *path,
                                   cleave_write_options opt, cleave_error *err);

/* Checks whether the order of the file at `path` fits g.  If not, the file is invalid: EPARSE.
 * complete: also adds the data that needs the graph. */
cleave_status cli_order_fit(cleave_order *o, const char *path, const cleave_graph *g,
                            bool complete, cleave_error *err);

/* Reads a partition of g.  k 0: as many parts as the file names, or K where it is called
 * X.part.K and K is larger. */
cleave_status cli_mapping_read(cleave_mapping **out, const char *path, const cleave_graph *g,
                               int32_t k, cleave_error *err);

/* K of a name that ends in ".part.K" or ".part.K.gz"; 0 when it does not. */
int32_t cli_parts_in_name(const char *path);

bool cli_has_coords(const cleave_graph *g);
int32_t cli_weights_per_vertex(const cleave_graph *g);
const char *cli_kind_name(cleave_kind kind);
/* The singular or plural for a count: "1 vertex", "3 vertices". */
const char *cli_plural(int64_t count, const char *one, const char *many);

#endif
