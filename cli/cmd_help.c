/* SPDX-License-Identifier: Apache-2.0 */
/* cleave help [VERB], help formats, help targets. */
#include <stdio.h>
#include <string.h>

#include "cli/options.h"

static void print_overview(void)
{
    printf("usage: %s VERB [OPTIONS] ...\n\n%s\n\nverbs:\n", cli_program, cli_purpose);
    for (const cli_verb *verb = cli_verbs; verb->name; verb++)
        printf("  %-10s  %s\n", verb->name, verb->summary);
    printf("\n'%s help VERB' explains a verb, '%s help formats' lists the file formats,\n"
           "'%s help targets' the machines, '%s --version' the compiled features.\n\n",
           cli_program, cli_program, cli_program, cli_program);
    puts(
        "exit status: 0 success, 1 a constraint was not met, 2 wrong usage, 3 invalid input,\n"
        "4 input/output failed or out of memory, 130 Ctrl-C (1 when the best result so far\n"
        "was still written)");
}

static int print_formats(void)
{
    const char *name, *description = NULL;
    int can_write = 0;
    for (int i = 0; (name = cleave_format_name(i, &description, &can_write)); i++)
        printf("  %-10s  %s%s\n", name, description,
               can_write == 0   ? " (read only)"
               : can_write == 2 ? " (write only)"
                                : "");
    return CLI_OK;
}

static int print_targets(void)
{
    const char *form, *description = NULL;
    for (int i = 0; (form = cleave_target_form(i, &description)); i++)
        printf("  %-13s  %s\n", form, description);
    puts("TARGET[0,4-6] is a subset of the PEs of any target, by number or name.");
    return CLI_OK;
}

int cmd_help(int argc, char **argv)
{
    const cli_option options[] = {{0}};
    const cli_usage usage = {
        "help", "[VERB [WHAT]]", 0, 2, "Shows the help of a verb, or lists all verbs.",
        options};
    int count, status = cli_parse(&usage, argc, argv, &count);
    if (status != CLI_GO_ON)
        return status;
    if (count == 0) {
        print_overview();
        return CLI_OK;
    }
    if (strcmp(argv[0], "formats") == 0)
        return print_formats();
    if (strcmp(argv[0], "targets") == 0)
        return print_targets();
    const char *words[32];
    int known = 0;
    for (const cli_verb *verb = cli_verbs; verb->name; verb++) {
        char *help[] = {count == 2 ? argv[1] : (char[]){"--help"}, (char[]){"--help"}, NULL};
        if (strcmp(verb->name, argv[0]) == 0)
            return verb->run(count, help);
        words[known++] = verb->name;
    }
    words[known++] = "formats";
    words[known++] = "targets";
    words[known] = NULL;
    const char *meant = cli_suggest(argv[0], words);
    if (meant)
        return cli_usage_error(NULL, "no help on '%s', did you mean '%s'?", argv[0], meant);
    return cli_usage_error(NULL, "no help on '%s'", argv[0]);
}
