/* SPDX-License-Identifier: Apache-2.0 */
/* Parses command lines by an option table, and prints the table as help. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"

enum { most_words = 64 };

int cli_usage_error(const char *verb, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cli_complain("%s (see '%s help%s%s')", text, cli_program, verb ? " " : "",
                 verb ? verb : "");
    return CLI_USAGE;
}

static bool has_long_name(const cli_option *option)
{
    return option->name[1] != 0;
}

static const char *dashes(const cli_option *option)
{
    return has_long_name(option) ? "--" : "-";
}

/* ---- Help ------------------------------------------------------------------------- */

static void print_option(const cli_option *option)
{
    char letter[8] = "    ", name[64] = "", left[128];
    bool both = has_long_name(option);
    if (option->letter)
        snprintf(letter, sizeof letter, "-%c%s", option->letter, both ? ", " : "");
    if (both)
        snprintf(name, sizeof name, "--%s", option->name);
    snprintf(left, sizeof left, "%s%s%s%s", letter, name, option->value ? " " : "",
             option->value ? option->value : "");
    if (strlen(left) > 26)
        printf("  %s\n  %-26s  %s\n", left, "", option->help);
    else
        printf("  %-26s  %s\n", left, option->help);
}

static void print_help(const cli_usage *usage)
{
    printf("usage: %s %s [OPTIONS] %s\n\n%s\n\noptions:\n", cli_program, usage->verb,
           usage->operands, usage->text);
    for (const cli_option *option = usage->options; option->name; option++)
        print_option(option);
    const cli_option help = {CLI_FLAG, 'h', "help", NULL, "print this help", NULL, 0};
    print_option(&help);
}

/* ---- Values ----------------------------------------------------------------------- */

/* Splits "a|b|c" into words in buffer; words is NULL-terminated. */
static void split_choices(const char *choices, char *buffer, size_t size,
                          const char *words[most_words])
{
    int count = 0;
    snprintf(buffer, size, "%s", choices);
    for (char *word = strtok(buffer, "|"); word && count < most_words - 1;
         word = strtok(NULL, "|"))
        words[count++] = word;
    words[count] = NULL;
}

static void list_formats(const char *words[most_words])
{
    int count = 0;
    while (count < most_words - 1) {
        const char *name = cleave_format_name(count, NULL, NULL);
        if (!name)
            break;
        words[count++] = name;
    }
    words[count] = NULL;
}

static int set_word(const cli_usage *usage, const cli_option *option, const char *value)
{
    char buffer[256], list[256] = "";
    const char *words[most_words];
    if (option->kind == CLI_FORMAT)
        list_formats(words);
    else
        split_choices(option->value, buffer, sizeof buffer, words);
    for (int i = 0; words[i]; i++) {
        if (strcmp(words[i], value) == 0) {
            *(const char **)option->to = value;
            return CLI_GO_ON;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", words[i]);
    }
    const char *meant = cli_suggest(value, words);
    if (meant)
        return cli_usage_error(usage->verb, "%s%s: unknown value '%s', did you mean '%s'?",
                               dashes(option), option->name, value, meant);
    return cli_usage_error(usage->verb, "%s%s: unknown value '%s', expected one of %s",
                           dashes(option), option->name, value, list);
}

static int set_count(const cli_usage *usage, const cli_option *option, const char *value)
{
    char *end;
    errno = 0;
    long long number = strtoll(value, &end, 10);
    bool whole = end != value && !*end;
    if (whole && number > INT32_MAX)
        return cli_usage_error(usage->verb,
                               "%s%s needs a whole number from %d to %d, not '%s'",
                               dashes(option), option->name, option->low, INT32_MAX, value);
    if (!whole || errno || number < option->low)
        return cli_usage_error(usage->verb, "%s%s needs a whole number from %d up, not '%s'",
                               dashes(option), option->name, option->low, value);
    *(int32_t *)option->to = (int32_t)number;
    return CLI_GO_ON;
}

/* strtod also accepts "inf", "nan" and hexadecimal, which are rejected here. */
static bool real_from(const char *text, size_t length, double *value)
{
    char *end;
    if (length == 0 || strspn(text, "+-.0123456789eE") < length)
        return false;
    *value = strtod(text, &end);
    return end == text + length && isfinite(*value);
}

static int set_real(const cli_usage *usage, const cli_option *option, const char *value)
{
    double number;
    if (!real_from(value, strlen(value), &number) || number < option->low)
        return cli_usage_error(usage->verb, "%s%s needs a number from %d up, not '%s'",
                               dashes(option), option->name, option->low, value);
    *(double *)option->to = number;
    return CLI_GO_ON;
}

/* METIS users write 1.03 and KaHIP users 3 for what is 0.03 here: values up to 100 probably
 * are of this kind.  They are accepted with a warning. */
static int set_imbalance(const cli_usage *usage, const cli_option *option, const char *value)
{
    int status = set_real(usage, option, value);
    double bound = *(double *)option->to;
    if (status == CLI_GO_ON && bound >= 1 && bound <= 100)
        cli_warn("--%s %s allows parts of %g times the average; did you mean %g?",
                 option->name, value, 1 + bound,
                 bound > 1 && bound < 2 ? bound - 1 : bound / 100);
    return status;
}

int cli_count_fields(const char *text)
{
    int count = 1;
    for (; *text; text++)
        count += *text == ',';
    return count;
}

int cli_split_reals(const char *text, double *to, int most)
{
    int count = 0;
    for (;;) {
        size_t length = strcspn(text, ",");
        if (count == most || !real_from(text, length, &to[count]) || to[count] < 0)
            return -1;
        count++;
        if (!text[length])
            return count;
        text += length + 1;
    }
}

int cli_take_seed(const char *verb, const char *text, uint64_t *seed)
{
    char *end;
    *seed = 1;
    if (!text)
        return CLI_GO_ON;
    errno = 0;
    *seed = strtoull(text, &end, 10);
    if (strspn(text, "0123456789") != strlen(text) || *end || errno || end == text)
        return cli_usage_error(verb,
                               "--seed needs a whole number from 0 to %" PRIu64 ", not '%s'",
                               UINT64_MAX, text);
    return CLI_GO_ON;
}

static int add_value(const cli_usage *usage, const cli_option *option, const char *value)
{
    cli_list *list = option->to;
    const int most = (int)(sizeof list->value / sizeof *list->value);
    if (list->count == most)
        return cli_usage_error(usage->verb, "%s%s can be given at most %d times",
                               dashes(option), option->name, most);
    list->value[list->count++] = value;
    return CLI_GO_ON;
}

static int set_value(const cli_usage *usage, const cli_option *option, const char *value)
{
    switch (option->kind) {
    case CLI_FLAG:
        *(bool *)option->to = true;
        return CLI_GO_ON;
    case CLI_STRING:
        *(const char **)option->to = value;
        return CLI_GO_ON;
    case CLI_CHOICE:
    case CLI_FORMAT:
        return set_word(usage, option, value);
    case CLI_COUNT:
        return set_count(usage, option, value);
    case CLI_REAL:
        return set_real(usage, option, value);
    case CLI_IMBALANCE:
        return set_imbalance(usage, option, value);
    case CLI_LIST:
        return add_value(usage, option, value);
    }
    return CLI_USAGE;
}

/* ---- Arguments -------------------------------------------------------------------- */

static const cli_option *find_option(const cli_usage *usage, const char *name, size_t length)
{
    for (const cli_option *option = usage->options; option->name; option++)
        if (has_long_name(option) && strlen(option->name) == length &&
            strncmp(option->name, name, length) == 0)
            return option;
    return NULL;
}

static int unknown_option(const cli_usage *usage, const char *name, size_t length)
{
    char word[64];
    const char *words[most_words];
    int count = 0;
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    for (const cli_option *o = usage->options; o->name && count < most_words - 2; o++)
        if (has_long_name(o))
            words[count++] = o->name;
    words[count++] = "help";
    words[count] = NULL;
    const char *meant = cli_suggest(word, words);
    if (meant)
        return cli_usage_error(usage->verb, "unknown option '--%s', did you mean '--%s'?",
                               word, meant);
    return cli_usage_error(usage->verb, "unknown option '--%s'", word);
}

/* An argument that starts with "--" and has more; *at moves when the value follows. */
static int take_long(const cli_usage *usage, int argc, char **argv, int *at)
{
    const char *name = argv[*at] + 2;
    size_t length = strcspn(name, "=");
    const cli_option *option = find_option(usage, name, length);
    if (!option)
        return unknown_option(usage, name, length);
    const char *value = name[length] ? name + length + 1 : NULL;
    if (option->kind == CLI_FLAG && value)
        return cli_usage_error(usage->verb, "--%s takes no value", option->name);
    if (option->kind != CLI_FLAG && !value) {
        if (*at + 1 >= argc)
            return cli_usage_error(usage->verb, "--%s needs a value", option->name);
        value = argv[++*at];
    }
    return set_value(usage, option, value);
}

/* "-k4", "-k 4" or several flags "-ab". */
static int take_short(const cli_usage *usage, int argc, char **argv, int *at)
{
    for (const char *letter = argv[*at] + 1; *letter; letter++) {
        const cli_option *option = usage->options;
        while (option->name && option->letter != *letter)
            option++;
        if (!option->name)
            return cli_usage_error(usage->verb, "unknown option '-%c'", *letter);
        if (option->kind == CLI_FLAG) {
            set_value(usage, option, NULL);
            continue;
        }
        if (!letter[1] && *at + 1 >= argc)
            return cli_usage_error(usage->verb, "-%c needs a value", *letter);
        return set_value(usage, option, letter[1] ? letter + 1 : argv[++*at]);
    }
    return CLI_GO_ON;
}

static int check_operands(const cli_usage *usage, char **argv, int count)
{
    if (count < usage->least)
        return cli_usage_error(usage->verb, "%s: missing argument, expected %s", usage->verb,
                               usage->operands);
    if (usage->most >= 0 && count > usage->most)
        return cli_usage_error(usage->verb, "%s: unexpected argument '%s'", usage->verb,
                               argv[usage->most]);
    return CLI_GO_ON;
}

int cli_parse(const cli_usage *usage, int argc, char **argv, int *count)
{
    bool options_over = false;
    *count = 0;
    for (int at = 0; at < argc; at++) {
        char *argument = argv[at];
        int status = CLI_GO_ON;
        if (options_over || argument[0] != '-' || !argument[1]) {
            argv[(*count)++] = argument;
        } else if (strcmp(argument, "--") == 0) {
            options_over = true;
        } else if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
            print_help(usage);
            return CLI_OK;
        } else if (argument[1] == '-') {
            status = take_long(usage, argc, argv, &at);
        } else {
            status = take_short(usage, argc, argv, &at);
        }
        if (status != CLI_GO_ON)
            return status;
    }
    return check_operands(usage, argv, *count);
}
