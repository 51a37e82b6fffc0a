/* SPDX-License-Identifier: Apache-2.0 */
/* bench/common/bench_lines.c - an append-only file of measurements. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/bench.h"

void *lines_grow(void *rows, int count, int *room, size_t each)
{
    if (count < *room)
        return rows;
    *room = 2 * *room + 64;
    rows = realloc(rows, (size_t)*room * each);
    if (!rows)
        bench_fail("out of memory");
    return rows;
}

void lines_load(char *path, size_t size, const settings *s, const lines_file *from, int fresh,
                void *all)
{
    char line[1000];
    snprintf(path, size, "%s/%s.tsv", s->folder, from->name);
    if (fresh)
        remove(path);
    FILE *file = fopen(path, "r");
    if (!file) {
        file = fopen(path, "w");
        if (!file || fputs(from->heading, file) < 0 || fclose(file) != 0)
            bench_fail(path);
        return;
    }
    while (fgets(line, sizeof line, file))
        if (line[0] != '#')
            from->take(all, line);
    fclose(file);
}

/* Appended and closed at once, so that no measurement is lost. */
void lines_append(const char *path, const char *format, ...)
{
    va_list values;
    FILE *file = fopen(path, "a");
    if (!file)
        bench_fail(path);
    va_start(values, format);
    vfprintf(file, format, values);
    va_end(values);
    if (fclose(file) != 0)
        bench_fail(path);
}
