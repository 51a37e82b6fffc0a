/* SPDX-License-Identifier: Apache-2.0 */
/* cleave run solve|circuit: executes schedules. */
#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "cli/run_circuit.h"
#include "cli/run_solve.h"

static const struct {
    const char *word;
    int (*run)(int argc, char **argv);
} things[] = {{"solve", cli_run_solve}, {"circuit", cli_run_circuit}};
enum { nthings = sizeof things / sizeof *things };

/* By subcommand. */
static int print_help(void)
{
    for (int i = 0; i < nthings; i++) {
        char *help[] = {(char[]){"--help"}, NULL};
        if (i > 0)
            putchar('\n');
        int status = things[i].run(1, help);
        if (status != CLI_OK)
            return status;
    }
    return CLI_OK;
}

int cmd_run(int argc, char **argv)
{
    if (argc == 0)
        return cli_usage_error("run", "missing argument: cleave run solve|circuit ...");
    if (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0)
        return print_help();
    for (int i = 0; i < nthings; i++)
        if (strcmp(argv[0], things[i].word) == 0)
            return things[i].run(argc - 1, argv + 1);
    return cli_usage_error("run", "cannot run '%s', only solve and circuit", argv[0]);
}
