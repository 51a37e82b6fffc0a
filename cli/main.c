/* SPDX-License-Identifier: Apache-2.0 */
/* cleave VERB ...: finds the verb and runs it. */
#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "cli/progress.h"

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

static int print_version(void)
{
    const char *name;
    const char *features = cleave_features();
    printf("cleave %s\nfeatures: %s\nformats:", cleave_version(),
           features[0] ? features : "none");
    for (int i = 0; (name = cleave_format_name(i, NULL, NULL)); i++)
        printf(" %s", name);
    putchar('\n');
    return CLI_OK;
}

static int unknown_verb(const char *word)
{
    const char *words[32];
    int count = 0;
    for (const cli_verb *verb = cli_verbs; verb->name; verb++)
        words[count++] = verb->name;
    words[count++] = "--version";
    words[count++] = "--help";
    words[count] = NULL;
    const char *what = word[0] == '-' ? "option" : "verb";
    const char *meant = cli_suggest(word, words);
    if (meant)
        return cli_usage_error(NULL, "unknown %s '%s', did you mean '%s'?", what, word, meant);
    return cli_usage_error(NULL, "unknown %s '%s'", what, word);
}

static int run(int argc, char **argv)
{
    if (argc < 2)
        return cli_usage_error(NULL, "say what to do: cleave VERB ...");
    const char *word = argv[1];
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)
        return print_version();
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return cmd_help(0, NULL);
    for (const cli_verb *verb = cli_verbs; verb->name; verb++)
        if (strcmp(verb->name, word) == 0)
            return verb->run(argc - 2, argv + 2);
    return unknown_verb(word);
}

int main(int argc, char **argv)
{
    cli_signals_init();
    int status = run(argc, argv);
    int flushed = cli_flush();
    return flushed > status ? flushed : status;
}
