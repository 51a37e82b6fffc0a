/* SPDX-License-Identifier: Apache-2.0 */
/* Members of a flat JSON object as keys and values; see cli/report_page.h. */
#include "cli/report_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int cli_page_check(const char *verb, const char *report, const char *input)
{
    struct stat to, from;
    if (!report)
        return CLI_GO_ON;
    const char *format = cleave_view_format_of_path(report);
    if (!format || strcmp(format, "html") != 0)
        return cli_usage_error(verb, "--report writes a page: '%s' should end in .html",
                               report);
    if (input && stat(report, &to) == 0 && stat(input, &from) == 0 &&
        to.st_dev == from.st_dev && to.st_ino == from.st_ino)
        return cli_usage_error(verb, "--report would replace '%s'", input);
    return CLI_GO_ON;
}

void cli_page_begin(cli_page *page)
{
    page->out = open_memstream(&page->text, &page->length);
    if (!page->out)
        cli_alloc(INT64_MAX, 1); /* prints an error and exits when out of memory */
}

/* The end of a value: a comma or brace outside of strings and lists. */
static char *end_of_value(char *p)
{
    bool quoted = false;
    int depth = 0;
    for (; *p; p++) {
        if (quoted && *p == '\\' && p[1])
            p++;
        else if (*p == '"')
            quoted = !quoted;
        else if (!quoted && *p == '[')
            depth++;
        else if (!quoted && *p == ']')
            depth--;
        else if (!quoted && depth == 0 && (*p == ',' || *p == '}'))
            break;
    }
    return p;
}

/* Decodes a string in place, with the escapes that cli/report.c writes. */
static char *unquote(char *value)
{
    char *to = value, *p = value + 1;
    if (*value != '"')
        return value;
    for (; *p && *p != '"'; p++) {
        if (*p == '\\' && p[1] == 'u') {
            *to++ = '?';
            p += strlen(p) > 5 ? 5 : strlen(p) - 1;
        } else {
            p += *p == '\\' && p[1];
            *to++ = *p;
        }
    }
    *to = '\0';
    return value;
}

/* Rounds a number with a fraction in place to five digits; --json has all digits. */
static char *round_number(char *value)
{
    char text[32], *end;
    double number = strtod(value, &end);
    if (*value == '"' || *value == '[' || *end || !strpbrk(value, ".e"))
        return value;
    snprintf(text, sizeof text, "%.4e", number);
    double rounded = strtod(text, NULL);
    bool plain = fabs(rounded) >= 1e5 && fabs(rounded) < 1e15; /* %g has exponents there */
    int length = snprintf(text, sizeof text, plain ? "%.0f" : "%.5g", rounded);
    if (length > 0 && (size_t)length <= strlen(value))
        memcpy(value, text, (size_t)length + 1);
    return value;
}

/* Splits the text into keys and values. */
static void find_members(cli_page *page)
{
    int32_t room = 0;
    char *p = page->text;
    for (; *p; p++)
        room += *p == ':';
    page->key = cli_alloc(room + 1, sizeof *page->key);
    page->value = cli_alloc(room + 1, sizeof *page->value);
    for (p = page->text + 1; *p == '"';) {
        char *key = p + 1, *colon = strstr(p, "\":"), *value = colon + 2;
        char *end = end_of_value(value);
        bool more = *end == ',';
        *colon = *end = '\0';
        p = more ? end + 1 : end;
        if (strcmp(value, "null") == 0)
            continue;
        page->key[page->count] = key;
        page->value[page->count++] = unquote(round_number(value));
    }
}

void cli_page_end(cli_page *page, cleave_view_options *opt, const char *verb, const char *file)
{
    const char *slash = strrchr(file, '/');
    fclose(page->out);
    page->out = NULL;
    find_members(page);
    cleave_view_options_init(opt, sizeof *opt);
    snprintf(page->title, sizeof page->title, "cleave %s: %s", verb,
             strcmp(file, "-") == 0 ? "standard input"
             : slash                ? slash + 1
                                    : file);
    opt->title = page->title;
    opt->format = "html";
    opt->nresults = page->count;
    opt->result_keys = (const char *const *)page->key;
    opt->result_values = (const char *const *)page->value;
}

int cli_page_close(cli_page *page, cleave_status status, const cleave_error *err,
                   const char *report)
{
    free(page->text);
    free(page->key);
    free(page->value);
    if (status == CLEAVE_OK)
        return CLI_OK;
    cli_complain("no report in %s: %s", report, err->message);
    return CLI_FAILED;
}
