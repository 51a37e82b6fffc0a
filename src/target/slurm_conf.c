/* SPDX-License-Identifier: Apache-2.0 */
/* target/slurm_conf.c - see target/slurm_conf.h.
 *
 * The whole text is in memory; continued lines are joined in place. */
#include "target/slurm_conf.h"

#include <string.h>

#include "formats/input.h"
#include "formats/text.h"

enum { largest_file = 1 << 28, most_shown = 40 };

cleave_status clv_conf_open(clv_conf *conf, const char *path, cleave_error *err)
{
    clv_input *in;
    int64_t count = 0;
    *conf = (clv_conf){.path = path, .next_line = 1, .err = err};
    CLV_TRY(clv_input_open(&in, path, NULL, NULL, err));
    cleave_status status = clv_input_slurp(in, largest_file, &conf->text, &count, err);
    clv_input_close(in);
    if (status != CLEAVE_OK)
        return status;
    bool marked = count >= 3 && memcmp(conf->text, "\xef\xbb\xbf", 3) == 0;
    conf->cur = conf->text + (marked ? 3 : 0); /* skips a byte order mark */
    conf->end = conf->text + count;
    return CLEAVE_OK;
}

void clv_conf_free(clv_conf *conf)
{
    clv_sys_free(conf->text);
    conf->text = NULL;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* The next line without its comment and joined with its continuations: [*begin, *end). */
static void join_line(clv_conf *conf, char **begin, char **end)
{
    char *to = conf->cur;
    *begin = to;
    conf->line = conf->next_line;
    for (bool goes_on = true; goes_on && conf->cur < conf->end;) {
        char *from = conf->cur;
        char *newline = memchr(from, '\n', (size_t)(conf->end - from));
        char *stop = newline ? newline : conf->end;
        char *comment = memchr(from, '#', (size_t)(stop - from));
        conf->cur = newline ? newline + 1 : conf->end;
        conf->next_line++;
        stop = comment ? comment : stop;
        while (stop > from && is_blank(stop[-1]))
            stop--;
        goes_on = stop > from && stop[-1] == '\\';
        if (goes_on)
            stop--;
        memmove(to, from, (size_t)(stop - from));
        to += stop - from;
    }
    *end = to;
}

static char *skip_blanks(char *p, const char *end)
{
    while (p < end && is_blank(*p))
        p++;
    return p;
}

/* The value at p, quoted or not; *behind: the position after it. */
static cleave_status cut_value(const clv_conf *conf, clv_conf_setting *s, char *p, char *end,
                               char **behind)
{
    char *q = p;
    if (p < end && *p == '"') {
        q = memchr(p + 1, '"', (size_t)(end - p - 1));
        if (!q)
            return clv_fail_at(conf->err, CLEAVE_EPARSE, conf->path, conf->line,
                               "a quotation mark is never closed");
        s->value = p + 1;
        s->value_length = (size_t)(q - s->value);
        *behind = q + 1;
        return CLEAVE_OK;
    }
    while (q < end && !is_blank(*q))
        q++;
    s->value = p;
    s->value_length = (size_t)(q - p);
    *behind = q;
    return CLEAVE_OK;
}

static cleave_status cut_settings(clv_conf *conf, char *p, char *end)
{
    for (p = skip_blanks(p, end); p < end; p = skip_blanks(p, end)) {
        if (conf->count == clv_most_conf_settings)
            return clv_fail_at(conf->err, CLEAVE_EPARSE, conf->path, conf->line,
                               "there are more than %d settings in the line",
                               (int)clv_most_conf_settings);
        clv_conf_setting *s = &conf->setting[conf->count++];
        *s = (clv_conf_setting){.key = p, .value = ""};
        while (p < end && *p != '=' && !is_blank(*p))
            p++;
        s->key_length = (size_t)(p - s->key);
        p = skip_blanks(p, end);
        if (p < end && *p == '=')
            CLV_TRY(cut_value(conf, s, skip_blanks(p + 1, end), end, &p));
        else if (clv_conf_is(s, "include"))
            return CLEAVE_OK;
        else
            return clv_fail_at(conf->err, CLEAVE_EPARSE, conf->path, conf->line,
                               "\"%.*s\" is not a setting of the form Key=value",
                               (int)(s->key_length < most_shown ? s->key_length : most_shown),
                               s->key);
    }
    return CLEAVE_OK;
}

cleave_status clv_conf_next(clv_conf *conf)
{
    for (conf->count = 0; conf->count == 0 && conf->cur < conf->end;) {
        char *begin, *end;
        join_line(conf, &begin, &end);
        CLV_TRY(cut_settings(conf, begin, end));
    }
    return CLEAVE_OK;
}

bool clv_conf_is(const clv_conf_setting *setting, const char *name)
{
    size_t i = 0;
    while (i < setting->key_length && name[i] && clv_text_lower(setting->key[i]) == name[i])
        i++;
    return i == setting->key_length && name[i] == '\0';
}
