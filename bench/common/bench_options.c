/* SPDX-License-Identifier: Apache-2.0 */
/* bench/common/bench_options.c - lists and options of the command line, the tag of the
 * library. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/bench.h"

const char *const effort_names[neffort] = {"fast", "default", "quality", "best"};

void bench_fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", bench_name, what);
    exit(1);
}

static clockid_t bench_clock = CLOCK_MONOTONIC;

double bench_seconds(void)
{
    struct timespec now;
    clock_gettime(bench_clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int bench_in_cpu(void)
{
    return bench_clock != CLOCK_MONOTONIC;
}

int bench_repeats(double seconds, int repeat, double limit)
{
    if (limit > 0 || seconds > 2)
        return 1;
    if (seconds >= 0.05)
        return repeat;
    int more = (int)(0.2 / (seconds + 1e-6)) + 1;
    return more < repeat ? repeat : more > 7 * repeat ? 7 * repeat : more;
}

int bench_list(const char *text, char item[][40])
{
    int count = 0;
    while (*text && count < max_list) {
        size_t length = strcspn(text, ",");
        snprintf(item[count++], 40, "%.*s", (int)length, text);
        text += length + (text[length] == ',');
    }
    return count;
}

int bench_numbers(const char *text, int *to)
{
    char item[max_list][40];
    int count = bench_list(text, item);
    for (int i = 0; i < count; i++)
        if ((to[i] = atoi(item[i])) < 1)
            bench_fail("a list of numbers above 0 is expected");
    return count;
}

void bench_efforts(settings *s, const char *text)
{
    char item[max_list][40];
    s->nefforts = bench_list(text, item);
    for (int i = 0; i < s->nefforts; i++) {
        int e = 0;
        while (e < neffort && strcmp(effort_names[e], item[i]) != 0)
            e++;
        if (e == neffort)
            bench_fail("the efforts are fast, default, quality and best");
        s->efforts[i] = e;
    }
}

const char *bench_value(int count, char **arguments, int *at)
{
    if (*at + 1 >= count)
        bench_fail("an option lacks its value");
    return arguments[++*at];
}

int bench_option(choices *c, settings *s, int count, char **arguments, int *at)
{
    const char *name = arguments[*at];
    if (strcmp(name, "--quick") == 0)
        c->quick = 1;
    else if (strcmp(name, "--fresh") == 0)
        c->fresh = 1;
    else if (strcmp(name, "--report") == 0)
        c->report = 1;
    else if (strcmp(name, "--cpu") == 0)
        bench_clock = CLOCK_PROCESS_CPUTIME_ID;
    else if (strcmp(name, "--k") == 0)
        c->k = bench_value(count, arguments, at);
    else if (strcmp(name, "--efforts") == 0)
        c->efforts = bench_value(count, arguments, at);
    else if (strcmp(name, "--threads") == 0)
        c->threads = bench_value(count, arguments, at);
    else if (strcmp(name, "--graphs") == 0)
        c->graphs = bench_value(count, arguments, at);
    else if (strcmp(name, "--seeds") == 0)
        c->seeds = atoi(bench_value(count, arguments, at));
    else if (strcmp(name, "--repeat") == 0)
        s->repeat = atoi(bench_value(count, arguments, at));
    else if (strcmp(name, "--best-limit") == 0)
        s->best_limit = strtod(bench_value(count, arguments, at), NULL);
    else if (strcmp(name, "--imbalance") == 0)
        s->imbalance = strtod(bench_value(count, arguments, at), NULL);
    else if (strcmp(name, "--shared") == 0)
        snprintf(s->shared, sizeof s->shared, "%s", bench_value(count, arguments, at));
    else if (strcmp(name, "--tag") == 0)
        snprintf(s->tag, sizeof s->tag, "%s", bench_value(count, arguments, at));
    else
        return 0;
    return 1;
}

void bench_shared(settings *s)
{
    const char *shared = getenv("CLEAVE_SHARED");
    snprintf(s->shared, sizeof s->shared, "%s", shared ? shared : "../shared");
}

/* FNV-1a over the static library: each build has a different tag. */
void bench_tag(settings *s)
{
    if (s->tag[0])
        return;
    FILE *file = fopen(BENCH_LIBRARY, "rb");
    unsigned char block[65536];
    uint64_t hash = 14695981039346656037u;
    size_t got;
    while (file && (got = fread(block, 1, sizeof block, file)) > 0)
        for (size_t i = 0; i < got; i++)
            hash = (hash ^ block[i]) * 1099511628211u;
    if (!file)
        bench_fail("cannot open " BENCH_LIBRARY);
    fclose(file);
    snprintf(s->tag, sizeof s->tag, "%s-%012llx%s", cleave_version(),
             (unsigned long long)(hash >> 16), bench_in_cpu() ? "-cpu" : "");
}
