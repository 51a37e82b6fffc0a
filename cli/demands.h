/* SPDX-License-Identifier: Apache-2.0 */
/* cli/demands.h - the target and the constraints of a mapping, from options and the files that
 * they name. */
#ifndef CLI_DEMANDS_H
#define CLI_DEMANDS_H

#include "cli/options.h"

typedef struct cli_demands {
    int32_t k; /* 0: not given */
    const char *target_text, *fix, *groups, *shares_file, *min_text, *max_text, *start;
    bool is_old;       /* start is of another machine: it can have any number of parts */
    bool onto_machine; /* the verb needs a target, not a number of parts */
    bool connected;
    cleave_target *target;
    char count[16];                 /* the target's text when only -k was given */
    cleave_constraints constraints; /* points to the arrays below */
    int32_t *fixed, *group;
    double *shares;
    int64_t *min, *max;
    cleave_mapping *from;
} cli_demands;

/* Their rows in a table of options. */
#define CLI_DEMAND_OPTIONS(demands)                                                           \
    CLI_PARTS_OPTIONS(demands), CLI_LIMIT_OPTIONS(demands),                                   \
    {                                                                                         \
        CLI_STRING, 0, "start", "FILE", "improve this partition", &(demands)->start, 0        \
    }
#define CLI_PARTS_OPTIONS(demands)                                                            \
    {CLI_COUNT, 'k', "k", "PARTS", "number of parts", &(demands)->k, 1},                      \
    {                                                                                         \
        CLI_STRING, 't', "target", "TARGET",                                                  \
            "parts as PEs: a number, speeds 3,2,2,1, a machine", &(demands)->target_text, 0   \
    }
/* The options that restrict the parts of vertices. */
#define CLI_LIMIT_OPTIONS(demands)                                                            \
    CLI_SHARES_OPTION(demands),                                                               \
        {CLI_STRING, 0, "min", "W|FILE", "minimum part weight", &(demands)->min_text, 0},     \
        CLI_MAX_OPTION(demands), CLI_FIX_OPTION(demands),                                     \
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
#define CLI_SHARES_OPTION(demands)                                                            \
    {                                                                                         \
        CLI_STRING, 0, "shares", "FILE",                                                      \
            "relative sizes of the parts, for each weight of a vertex",                       \
            &(demands)->shares_file, 0                                                        \
    }
#define CLI_MAX_OPTION(demands)                                                               \
    {                                                                                         \
        CLI_STRING, 0, "max", "W|FILE", "maximum part weight, instead of --imbalance",        \
            &(demands)->max_text, 0                                                           \
    }
#define CLI_FIX_OPTION(demands)                                                               \
    {                                                                                         \
        CLI_STRING, 0, "fix", "FILE", "fixed vertices: a part or -1 per vertex",              \
            &(demands)->fix, 0                                                                \
    }

/* Creates the target and checks for contradictions: CLI_GO_ON, or prints an error. */
int cli_demands_check(const char *verb, cli_demands *demands);
/* The number of constraint files that are standard input. */
int cli_demands_from_input(const cli_demands *demands);
/* Reads the files, which must match the graph; those by vertex have nvtx vertices. */
cleave_status cli_demands_read(cli_demands *demands, const cleave_graph *g, int32_t nvtx,
                               cleave_error *err);
/* Only those by part, for ncon weights per vertex. */
cleave_status cli_demands_read_parts(cli_demands *demands, int32_t ncon, cleave_error *err);
/* Updates the pointers of constraints to the arrays. */
void cli_demands_point(cli_demands *demands);
void cli_demands_free(cli_demands *demands);

#endif
