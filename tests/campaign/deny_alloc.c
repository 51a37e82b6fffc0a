/* SPDX-License-Identifier: Apache-2.0 */
/* tests/campaign/deny_alloc.c - preloaded into the program: its nth allocation fails
 * (CAMPAIGN_DENY, 0: none), and how many there were is written to the file CAMPAIGN_COUNT at
 * the end.  All callers count: the library, the program, zlib, the C library itself. */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static void *(*real_malloc)(size_t);
static void *(*real_calloc)(size_t, size_t);
static void *(*real_realloc)(void *, size_t);
static atomic_long calls, deny_at;
static atomic_bool counting;

/* dlsym itself may want memory before there is any. */
static char early[4096];
static size_t early_used;

static void *early_block(size_t bytes)
{
    size_t room = (bytes + 15) & ~(size_t)15;
    if (room > sizeof early - early_used)
        return NULL;
    early_used += room;
    return early + early_used - room;
}

static void find_real(void)
{
    *(void **)&real_malloc = dlsym(RTLD_NEXT, "malloc");
    *(void **)&real_calloc = dlsym(RTLD_NEXT, "calloc");
    *(void **)&real_realloc = dlsym(RTLD_NEXT, "realloc");
}

__attribute__((constructor)) static void begin(void)
{
    const char *nth = getenv("CAMPAIGN_DENY");
    if (!real_malloc)
        find_real();
    atomic_store(&deny_at, nth ? atol(nth) : 0);
    atomic_store(&counting, true);
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("CAMPAIGN_COUNT");
    atomic_store(&counting, false);
    FILE *out = path && atomic_load(&deny_at) == 0 ? fopen(path, "w") : NULL;
    if (!out)
        return;
    fprintf(out, "%ld\n", atomic_load(&calls));
    fclose(out);
}

static bool denied(void)
{
    if (!atomic_load(&counting) || atomic_fetch_add(&calls, 1) + 1 != atomic_load(&deny_at))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t bytes)
{
    if (!real_malloc)
        find_real();
    return denied() ? NULL : real_malloc(bytes);
}

void *calloc(size_t count, size_t each)
{
    if (!real_calloc)
        return early_block(count * each); /* static memory is 0 */
    return denied() ? NULL : real_calloc(count, each);
}

void *realloc(void *old, size_t bytes)
{
    if (!real_realloc)
        find_real();
    return denied() ? NULL : real_realloc(old, bytes);
}
