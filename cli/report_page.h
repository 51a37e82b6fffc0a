/* SPDX-License-Identifier: Apache-2.0 */
/* cli/report_page.h - `--report FILE.html`: the --json output of a verb as a table on a page
 * with pictures. */
#ifndef CLI_REPORT_PAGE_H
#define CLI_REPORT_PAGE_H

#include <stdio.h>

#include "cli/options.h"
#include "cli/report.h"

/* The row of a table of options. */
#define CLI_REPORT_OPTION(to)                                                                 \
    {                                                                                         \
        CLI_STRING, 0, "report", "FILE", "also a page of pictures and results (.html)", (to), \
            0                                                                                 \
    }

typedef struct cli_page { /* zero-initialise */
    FILE *out;            /* receives the JSON object */
    char *text;
    size_t length;
    int32_t count; /* of its members, those without a value left out */
    char **key, **value;
    char title[200];
} cli_page;

/* Checks that it is a name for a page, and none of the inputs.  NULL is allowed.  CLI_GO_ON,
 * or prints an error. */
int cli_page_check(const char *verb, const char *report, const char *input);

/* Between these two the verb writes its object to page->out.  The second gives the options of
 * the picture: the members as its results, and "VERB: FILE" as its title. */
void cli_page_begin(cli_page *page);
void cli_page_end(cli_page *page, cleave_view_options *opt, const char *verb,
                  const char *file);
/* Frees the page and returns the exit status.  The results are already written: a page that
 * cannot be written only prints an error and makes the exit status 4. */
int cli_page_close(cli_page *page, cleave_status status, const cleave_error *err,
                   const char *report);

#endif
