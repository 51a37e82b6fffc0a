/* SPDX-License-Identifier: Apache-2.0 */
/* cli/options.h - command line parsing by a table of options per verb.
 *
 * Options and operands can be mixed; "--name value", "--name=value", "-k 4" and "-k4" are
 * equivalent; "--" ends the options and "-" is an operand.  The last of several wins. `cleave
 * VERB --help` prints the same table. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "cli/cli.h"

typedef enum cli_option_kind {
    CLI_FLAG,      /* to: bool */
    CLI_STRING,    /* to: const char * */
    CLI_CHOICE,    /* to: const char *; value lists the words: "sum|max" */
    CLI_FORMAT,    /* to: const char *: the name of a graph format */
    CLI_COUNT,     /* to: int32_t, at least `low` */
    CLI_REAL,      /* to: double, finite, at least `low` */
    CLI_IMBALANCE, /* the same, from 0 up; warns of a factor or a percentage */
    CLI_LIST       /* to: cli_list; every occurrence is kept */
} cli_option_kind;

typedef struct cli_option {
    cli_option_kind kind;
    char letter;       /* 0: none */
    const char *name;  /* one character: short option only; NULL ends the table */
    const char *value; /* placeholder, or the words of a choice; NULL for a flag */
    const char *help;
    void *to;
    int low;
} cli_option;

typedef struct cli_list {
    int count;
    const char *value[16];
} cli_list;

typedef struct cli_usage {
    const char *verb;
    const char *operands; /* "FILE..." */
    int least, most;      /* number of operands; most -1: any */
    const char *text;     /* the description of the verb; several lines */
    const cli_option *options;
} cli_usage;

enum { CLI_GO_ON = -1 };

/* Parses the arguments; operands end up in argv[0 .. *count - 1].  Returns CLI_GO_ON, or the
 * exit status when help was requested or the command line is wrong. */
int cli_parse(const cli_usage *usage, int argc, char **argv, int *count);

/* Prints a usage error that points to the help and returns CLI_USAGE. */
int cli_usage_error(const char *verb, const char *format, ...) CLI_PRINTF(2, 3);

/* Parses the program's command line and runs its verb.  print_version: the action of
 * --version. */
int cli_run(int argc, char **argv, int (*print_version)(void));
/* "cleave 0.1.0", what was compiled in, the formats. */
int cli_print_version(void);

/* The text of --seed as a number; NULL: 1.  CLI_GO_ON, or prints an error and returns
 * CLI_USAGE. */
int cli_take_seed(const char *verb, const char *text, uint64_t *seed);

/* Rows that the tables of several verbs have; to: as for the kind. */
#define CLI_EFFORT_OPTION(to)                                                                 \
    {                                                                                         \
        CLI_CHOICE, 0, "effort", "fast|default|quality|best",                                 \
            "effort level (default: default)", to, 0                                          \
    }
#define CLI_IMBALANCE_OPTION(to)                                                              \
    {                                                                                         \
        CLI_IMBALANCE, 0, "imbalance", "X", "bound on the imbalance (default 0.03)", to, 0    \
    }
#define CLI_SEED_OPTION(to)                                                                   \
    {                                                                                         \
        CLI_STRING, 0, "seed", "N", "random seed (default 1)", to, 0                          \
    }
/* result: what the verb computes. */
#define CLI_TIME_LIMIT_OPTION(result, to)                                                     \
    {                                                                                         \
        CLI_REAL, 0, "time-limit", "S",                                                       \
            "time limit in seconds; the best " result " so far is used, also after Ctrl-C",   \
            to, 0                                                                             \
    }
#define CLI_JSON_OPTION(to)                                                                   \
    {                                                                                         \
        CLI_FLAG, 0, "json", NULL, "print one JSON object", to, 0                             \
    }

/* Splits "3,2,2,1" into at most `most` numbers >= 0; -1: it is not such a list. */
int cli_split_reals(const char *text, double *to, int most);
/* The number of comma-separated fields. */
int cli_count_fields(const char *text);

#endif
