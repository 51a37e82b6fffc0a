/* SPDX-License-Identifier: Apache-2.0 */
/* PROGRAM VERB ...: finds the verb and runs it. */
#include <stdio.h>
#include <string.h>

#include "cli/options.h"

int cli_print_version(void)
{
    const char *name;
    const char *features = cleave_features();
    printf("%s %s\nfeatures: %s\nformats:", cli_program, cleave_version(),
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

int cli_run(int argc, char **argv, int (*print_version)(void))
{
    if (argc < 2)
        return cli_usage_error(NULL, "missing verb: %s VERB ...", cli_program);
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
