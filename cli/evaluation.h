/* SPDX-License-Identifier: Apache-2.0 */
/* cli/judging.h - what a partition is judged by: a number of parts, sizes of parts or a
 * machine, costs; from the options of `evaluate`. */
#ifndef CLI_JUDGING_H
#define CLI_JUDGING_H

#include "cli/options.h"

typedef struct cli_judging {
    int32_t k; /* 0: not given */
    const char *shares_text, *costs_text, *target_text;
    bool strict;
    cleave_target *target;       /* NULL: none given */
    const char *shares_file;     /* where the sizes of the parts stand, or NULL */
    double *shares;              /* k of them, or NULL */
    cleave_evaluate_options opt; /* points to them */
} cli_judging;

/* Their rows in a table of options. */
#define CLI_JUDGING_OPTIONS(judging)                                                          \
    {CLI_COUNT,     'k', "k", "PARTS", "number of parts (default: from the file)",            \
     &(judging)->k, 1},                                                                       \
        {CLI_STRING,                                                                          \
         't',                                                                                 \
         "target",                                                                            \
         "TARGET",                                                                            \
         "target machine: also report cost and load",                                         \
         &(judging)->target_text,                                                             \
         0},                                                                                  \
        {CLI_STRING,                                                                          \
         0,                                                                                   \
         "shares",                                                                            \
         "A,B,...|FILE",                                                                      \
         "relative sizes of the parts (default: equal)",                                      \
         &(judging)->shares_text,                                                             \
         0},                                                                                  \
        {CLI_IMBALANCE,                                                                       \
         0,                                                                                   \
         "imbalance",                                                                         \
         "X",                                                                                 \
         "bound on the imbalance (default 0.03)",                                             \
         &(judging)->opt.imbalance,                                                           \
         0},                                                                                  \
    {                                                                                         \
        CLI_STRING, 0, "costs", "V,I,C",                                                      \
            "critical path: vertex, inner arc, cut arc (default 1,1,11)",                     \
            &(judging)->costs_text, 0                                                         \
    }
#define CLI_STRICT_OPTION(judging)                                                            \
    {                                                                                         \
        CLI_FLAG, 0, "strict", NULL,                                                          \
            "exit status 1 unless balanced, acyclic, no empty parts", &(judging)->strict, 0   \
    }

void cli_judging_init(cli_judging *judging);
/* Understands the options: CLI_GO_ON, or complains. */
int cli_judging_check(cli_judging *judging);
/* Reads the file of shares, if there is one. */
cleave_status cli_judging_read(cli_judging *judging, int32_t nparts, cleave_error *err);
/* What --strict asks for: complains about what does not hold, and returns the exit status. */
int cli_judging_strictly(const cli_judging *judging, const cleave_metrics *m, int64_t nvtx);
void cli_judging_free(cli_judging *judging);

#endif
