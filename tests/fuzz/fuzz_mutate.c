/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/fuzz_mutate.c - damaged files through a reader, the same ones every time.
 *
 *     fuzz_mutate NAME COUNT CORPUS
 *
 * First every prefix of the files in CORPUS/NAME (truncation); then COUNT random mutations of
 * these and, less often, of the files of other readers. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "fuzz/fuzz_programs.h"

enum { longest = 16 * 1024, most_files = 4096 };

typedef struct pool {
    fuzz_bytes *own, *others;
    int nown, nothers;
} pool;

typedef struct subject {
    uint8_t bytes[longest];
    size_t size;
} subject;

/* ---- Mutations -------------------------------------------------------------------------- */

static size_t below(clv_rng *rng, size_t bound)
{
    return bound ? clv_rng_below(rng, (uint32_t)bound) : 0;
}

/* Replaces [at, at + old) by other bytes, as far as there is room. */
static void replace(subject *s, size_t at, size_t old, const void *bytes, size_t size)
{
    if (s->size - old + size > longest)
        return;
    uint8_t copy[longest];
    memcpy(copy, bytes, size);
    memmove(s->bytes + at + size, s->bytes + at + old, s->size - at - old);
    memcpy(s->bytes + at, copy, size);
    s->size = s->size - old + size;
}

/* A number, or the place of one, becomes another that readers may not expect. */
static void change_number(subject *s, clv_rng *rng)
{
    static const char *const numbers[] = {
        "0",     "1",     "2",          "-1",         "3",
        "7",     "65536", "2147483647", "2147483648", "4294967295",
        "1e9",   "1e999", "0.5",        "-0",         "9223372036854775807",
        "00001", "+1",    "nan",        "inf",        "99999999999999999999"};
    size_t at = below(rng, s->size), length = 0;
    while (at < s->size && (s->bytes[at] < '0' || s->bytes[at] > '9'))
        at++;
    while (at + length < s->size && s->bytes[at + length] >= '0' &&
           s->bytes[at + length] <= '9')
        length++;
    const char *number = numbers[below(rng, sizeof numbers / sizeof *numbers)];
    replace(s, at, length, number, strlen(number));
}

static void change_byte(subject *s, clv_rng *rng)
{
    static const char marks[] = "\n\n  \t\r,;%#{}[]=->\"\\<:/*+.019aez";
    if (s->size == 0)
        return;
    uint8_t *byte = &s->bytes[below(rng, s->size)];
    switch (below(rng, 3)) {
    case 0:
        *byte ^= (uint8_t)(1u << below(rng, 8));
        break;
    case 1:
        *byte = (uint8_t)below(rng, 256);
        break;
    default:
        *byte = (uint8_t)marks[below(rng, sizeof marks)]; /* the zero byte, too */
    }
}

/* Puts a piece of one file into another, or repeats or drops one. */
static void move_piece(subject *s, const fuzz_bytes *from, clv_rng *rng)
{
    enum { longest_piece = 64 };
    size_t at = below(rng, s->size + 1), old = below(rng, longest_piece);
    old = old < s->size - at ? old : s->size - at;
    size_t begin = below(rng, from->size), size = below(rng, longest_piece);
    size = size < from->size - begin ? size : from->size - begin;
    switch (below(rng, 4)) {
    case 0:
        replace(s, at, 0, from->bytes + begin, size);
        break;
    case 1:
        replace(s, at, old, from->bytes + begin, size);
        break;
    case 2:
        replace(s, at, old, "", 0);
        break;
    default:
        replace(s, at, 0, s->bytes + at, old);
    }
}

static const fuzz_bytes *any_file(const pool *p, clv_rng *rng)
{
    bool other = p->nothers > 0 && below(rng, 8) == 0;
    return other ? &p->others[below(rng, (size_t)p->nothers)]
                 : &p->own[below(rng, (size_t)p->nown)];
}

static void mutate(subject *s, const pool *p, clv_rng *rng)
{
    const fuzz_bytes *file = any_file(p, rng);
    s->size = file->size < longest ? file->size : longest;
    memcpy(s->bytes, file->bytes, s->size);
    for (size_t left = 1 + below(rng, 6); left > 0; left--) {
        size_t what = below(rng, 8);
        if (what == 0)
            s->size = below(rng, s->size + 1);
        else if (what < 3)
            change_number(s, rng);
        else if (what < 6)
            change_byte(s, rng);
        else
            move_piece(s, any_file(p, rng), rng);
    }
    /* Other options more often than chance would. */
    for (size_t i = 0; i < FUZZ_CHOICES && i < s->size; i++)
        if (below(rng, 2))
            s->bytes[i] = (uint8_t)('0' + below(rng, 60));
}

/* ---- Runs ------------------------------------------------------------------------------- */

static int run_prefixes(fuzz_target target, const pool *p)
{
    int runs = 0;
    for (int i = 0; i < p->nown; i++)
        for (size_t size = 0; size <= p->own[i].size && size <= longest; size++, runs++) {
            uint8_t *prefix = malloc(size + !size); /* its end known to AddressSanitizer */
            memcpy(prefix, p->own[i].bytes, size);
            fuzz_try(target, p->own[i].name, prefix, size);
            free(prefix);
        }
    return runs;
}

static void run_mutations(fuzz_target target, const pool *p, long count)
{
    static subject s;
    for (long i = 0; i < count; i++) {
        clv_rng rng = clv_rng_make(1, 0, 0, (uint64_t)i);
        char what[64];
        snprintf(what, sizeof what, "mutation %ld", i);
        mutate(&s, p, &rng);
        fuzz_try(target, what, s.bytes, s.size);
    }
}

/* All files of the folders in `corpus` but the one called `name`. */
static fuzz_bytes *load_others(const char *corpus, const char *name, int *count)
{
    struct dirent **entries;
    int found = scandir(corpus, &entries, NULL, alphasort);
    fuzz_bytes *all = calloc(most_files, sizeof *all);
    *count = 0;
    for (int i = 0; i < found; i++) {
        char path[4096];
        int more = 0;
        snprintf(path, sizeof path, "%s/%s", corpus, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && strcmp(entries[i]->d_name, name) != 0) {
            fuzz_bytes *files = fuzz_load_all(path, &more);
            for (int k = 0; k < more; k++) {
                if (*count < most_files)
                    all[(*count)++] = files[k];
                else
                    free(files[k].bytes);
            }
            free(files);
        }
        free(entries[i]);
    }
    free(entries);
    return all;
}

int main(int argc, char **argv)
{
    fuzz_target target = argc == 4 ? fuzz_find(argv[1]) : NULL;
    long count = target ? atol(argv[2]) : 0;
    if (count <= 0) {
        fprintf(stderr, "usage: fuzz_mutate NAME COUNT CORPUS\nNAME:%s\n", fuzz_names());
        return 2;
    }
    char folder[4096];
    snprintf(folder, sizeof folder, "%s/%s", argv[3], argv[1]);
    pool p;
    p.own = fuzz_load_all(folder, &p.nown);
    p.others = load_others(argv[3], argv[1], &p.nothers);
    if (p.nown == 0) {
        fprintf(stderr, "%s: no files\n", folder);
        return EXIT_FAILURE;
    }
    int prefixes = run_prefixes(target, &p);
    run_mutations(target, &p, count);
    printf("%s: %d prefixes, %ld mutations\n", argv[1], prefixes, count);
    fuzz_unload(p.own, p.nown);
    fuzz_unload(p.others, p.nothers);
    return EXIT_SUCCESS;
}
