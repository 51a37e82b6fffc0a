/* SPDX-License-Identifier: Apache-2.0 */
/* cli/method_options.h - the algorithm of a mapping and its variant. */
#ifndef CLI_METHOD_OPTIONS_H
#define CLI_METHOD_OPTIONS_H

#include "cli/options.h"

typedef struct cli_method {
    const char *name; /* NULL: not given */
    const char *own;  /* the method it selects; NULL: multilevel */
    const char *params, *order, *match, *initial, *refine, *coarsen, *constrain; /* of dagp */
    const char *policy;   /* of `cleave map` */
    const char *grouping; /* of rcb, zci, hci, rsb */
    int32_t runs;         /* 0: not given */
    char text[640];       /* all of them in the form of cleave_options.params; "": none */
} cli_method;

#define CLI_GROUPING_OPTION(to)                                                               \
    {                                                                                         \
        CLI_CHOICE, 0, "grouping", "simple|binpacking",                                       \
            "rcb, zci, hci, rsb: how unequal parts are grouped", to, 0                        \
    }

/* Their rows in a table of options. */
#define CLI_METHOD_OPTIONS(method)                                                            \
    {CLI_CHOICE,                                                                              \
     0,                                                                                       \
     "method",                                                                                \
     "multilevel|rcb|zci|hci|rsb|dagp|kernighan|fauzia",                                      \
     "method (default multilevel; the last three: DAGs, to compare)",                         \
     &(method)->name,                                                                         \
     0},                                                                                      \
        CLI_GROUPING_OPTION(&(method)->grouping),                                             \
        {CLI_CHOICE,       0, "order", "rand|top|breadth", "dagp: order of coarsening",       \
         &(method)->order, 0},                                                                \
        {CLI_CHOICE,       0, "match", "rand|hem|nwhem", "dagp: choice of the neighbour",     \
         &(method)->match, 0},                                                                \
        {CLI_CHOICE,                                                                          \
         0,                                                                                   \
         "initial",                                                                           \
         "kern|gp|ker+gp|greedy|undirected",                                                  \
         "dagp: initial partition",                                                           \
         &(method)->initial,                                                                  \
         0},                                                                                  \
        {CLI_CHOICE,        0, "refine", "topref|acyckway|fm", "dagp: refinement",            \
         &(method)->refine, 0},                                                               \
        {CLI_CHOICE,                                                                          \
         0,                                                                                   \
         "coarsen",                                                                           \
         "matching|cotop|cocyc|cohyb|none",                                                   \
         "dagp: coarsening; all but matching: dagP of 2019",                                  \
         &(method)->coarsen,                                                                  \
         0},                                                                                  \
        {CLI_CHOICE,                                                                          \
         0,                                                                                   \
         "constrain",                                                                         \
         "no|clusters|start",                                                                 \
         "dagp: clusters follow an undirected bisection",                                     \
         &(method)->constrain,                                                                \
         0},                                                                                  \
        {CLI_COUNT,       0, "runs", "N", "dagp: number of runs, the best is kept",           \
         &(method)->runs, 1},                                                                 \
    {                                                                                         \
        CLI_STRING, 0, "params", "LIST", "the same as one list: order=top,runs=5; refine=1",  \
            &(method)->params, 0                                                              \
    }

/* Combines the options; CLI_GO_ON, or prints an error about those without a method. */
int cli_method_check(const char *verb, cli_method *method);
/* The name used in reports. */
const char *cli_method_name(const cli_method *method);
/* The index of a word of --effort or --objective; NULL: the default of the library. */
cleave_effort cli_effort_of(const char *word);
cleave_objective cli_objective_of(const char *word);
/* The row of the report that describes the search. */
void cli_method_row(const cli_method *method, const char *effort, uint64_t seed,
                    bool several_weights);
/* Whether it is not one of the DAG methods. */
bool cli_method_is_own(const cli_method *method);
/* Whether the effort level has no effect on the method. */
bool cli_method_is_pure(const cli_method *method);

#endif
