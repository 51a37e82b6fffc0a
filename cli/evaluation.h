/* SPDX-License-Identifier: Apache-2.0 */
/* cli/evaluation.h - what `evaluate` of cleave and of cleave-mpi have in common: the options
 * (a number of parts, sizes of parts or a machine, costs) and the report. */
#ifndef CLI_EVALUATION_H
#define CLI_EVALUATION_H

#include "cli/options.h"
#include "cli/quality.h"

typedef struct cli_evaluation {
    int32_t k; /* 0: not given */
    const char *shares_text, *costs_text, *target_text;
    bool strict;
    cleave_target *target;       /* NULL: none given */
    const char *shares_file;     /* the source of the part sizes, or NULL */
    double *shares;              /* k of them, or NULL */
    cleave_evaluate_options opt; /* points to them */
    cleave_metrics metrics;
    cleave_target_metrics on_target; /* of the target, if there is one */
    int64_t *cycle;                  /* parts of the quotient of a DAG; NULL: there is none */
    int32_t cycle_length;
} cli_evaluation;

/* Their rows in a table of options. */
#define CLI_EVALUATION_OPTIONS(evaluation)                                                    \
    {CLI_COUNT,        'k', "k", "PARTS", "number of parts (default: from the file)",         \
     &(evaluation)->k, 1},                                                                    \
        {CLI_STRING,                                                                          \
         't',                                                                                 \
         "target",                                                                            \
         "TARGET",                                                                            \
         "target machine: also report cost and load",                                         \
         &(evaluation)->target_text,                                                          \
         0},                                                                                  \
        {CLI_STRING,                                                                          \
         0,                                                                                   \
         "shares",                                                                            \
         "A,B,...|FILE",                                                                      \
         "relative sizes of the parts (default: equal)",                                      \
         &(evaluation)->shares_text,                                                          \
         0},                                                                                  \
        {CLI_IMBALANCE,                                                                       \
         0,                                                                                   \
         "imbalance",                                                                         \
         "X",                                                                                 \
         "bound on the imbalance (default 0.03)",                                             \
         &(evaluation)->opt.imbalance,                                                        \
         0},                                                                                  \
    {                                                                                         \
        CLI_STRING, 0, "costs", "V,I,C",                                                      \
            "critical path: vertex, inner arc, cut arc (default 1,1,11)",                     \
            &(evaluation)->costs_text, 0                                                      \
    }
#define CLI_STRICT_OPTION(evaluation)                                                         \
    {                                                                                         \
        CLI_FLAG, 0, "strict", NULL,                                                          \
            "exit status 1 unless balanced, acyclic, no empty parts", &(evaluation)->strict,  \
            0                                                                                 \
    }

void cli_evaluation_init(cli_evaluation *evaluation);
/* Parses the options: CLI_GO_ON, or prints an error. */
int cli_evaluation_check(cli_evaluation *evaluation);
/* Reads the file of shares, if there is one. */
cleave_status cli_evaluation_read(cli_evaluation *evaluation, int32_t nparts,
                                  cleave_error *err);
/* The report of the metrics: rows of text, members of a JSON object. */
void cli_evaluation_rows(const cli_evaluation *evaluation, const char *graph,
                         const char *partition, cli_size size);
void cli_evaluation_json(cli_json *json, const cli_evaluation *evaluation, const char *graph,
                         const char *partition, cli_size size);
/* With --strict: prints what does not hold, and returns the exit status. */
int cli_evaluation_strictly(const cli_evaluation *evaluation, int64_t nvtx);
void cli_evaluation_free(cli_evaluation *evaluation);

#endif
