/* SPDX-License-Identifier: Apache-2.0 */
/* cli/demands.h - what a mapping must keep to: a target and constraints, from options and
 * the files that they name. */
#ifndef CLI_DEMANDS_H
#define CLI_DEMANDS_H

#include "cli/options.h"

typedef struct cli_demands {
    int32_t k; /* 0: not given */
    const char *target_text, *fix, *groups, *shares_file, *min_text, *max_text, *start;
    bool is_old;       /* start is of another machine: it may have any number of parts */
    bool onto_machine; /* the target is what it is about, not a number of parts */
    bool connected;
    cleave_target *target;
    char count[16];                 /* the target's text when -k alone was given */
    cleave_constraints constraints; /* points to the arrays below */
    int32_t *fixed, *group;
    double *shares;
    int64_t *min, *max;
    cleave_mapping *from;
} cli_demands;

/* Their rows in a table of options. */
#define CLI_DEMAND_OPTIONS(demands)                                                           \
    {CLI_COUNT, 'k', "k", "PARTS", "number of parts", &(demands)->k, 1},                      \
        {CLI_STRING,                                                                          \
         't',                                                                                 \
         "target",                                                                            \
         "TARGET",                                                                            \
         "parts as PEs: a number, speeds 3,2,2,1, a machine",                                 \
         &(demands)->target_text,                                                             \
         0},                                                                                  \
        CLI_LIMIT_OPTIONS(demands),                                                           \
    {                                                                                         \
        CLI_STRING, 0, "start", "FILE", "improve this partition", &(demands)->start, 0        \
    }
/* Those that limit where vertices may go. */
#define CLI_LIMIT_OPTIONS(demands)                                                            \
    {CLI_STRING,                                                                              \
     0,                                                                                       \
     "shares",                                                                                \
     "FILE",                                                                                  \
     "relative sizes of the parts, for each weight of a vertex",                              \
     &(demands)->shares_file,                                                                 \
     0},                                                                                      \
        {CLI_STRING, 0, "min", "W|FILE", "minimum part weight", &(demands)->min_text, 0},     \
        {CLI_STRING,                                                                          \
         0,                                                                                   \
         "max",                                                                               \
         "W|FILE",                                                                            \
         "maximum part weight, instead of --imbalance",                                       \
         &(demands)->max_text,                                                                \
         0},                                                                                  \
        {CLI_STRING,      0, "fix", "FILE", "fixed vertices: a part or -1 per vertex",        \
         &(demands)->fix, 0},                                                                 \
        {CLI_STRING,                                                                          \
         0,                                                                                   \
         "groups",                                                                            \
         "FILE",                                                                              \
         "vertices that stay together: a group or -1 per vertex",                             \
         &(demands)->groups,                                                                  \
         0},                                                                                  \
    {                                                                                         \
        CLI_FLAG, 0, "connected", NULL, "parts in one piece per component of the graph",      \
            &(demands)->connected, 0                                                          \
    }

/* Makes the target and looks for contradictions: CLI_GO_ON, or complains. */
int cli_demands_check(const char *verb, cli_demands *demands);
/* How many of the demands' files are standard input. */
int cli_demands_from_input(const cli_demands *demands);
/* Reads the files, which must fit the graph; those by vertex are of nvtx vertices. */
cleave_status cli_demands_read(cli_demands *demands, const cleave_graph *g, int32_t nvtx,
                               cleave_error *err);
/* Only those by part, for ncon weights per vertex. */
cleave_status cli_demands_read_parts(cli_demands *demands, int32_t ncon, cleave_error *err);
/* Makes constraints point to the arrays as they are now. */
void cli_demands_point(cli_demands *demands);
void cli_demands_free(cli_demands *demands);

#endif
