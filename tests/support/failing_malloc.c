/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded into a program: makes its n-th allocation fail, in any library of the process. n
 * is CLEAVE_FAIL_AT, counted from main on; the number of allocations is written to the file
 * CLEAVE_FAIL_COUNT at the end.  For glibc.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

typedef int (*main_function)(int, char **, char **);
typedef int (*start_function)(main_function, int, char **, void (*)(void), void (*)(void),
                              void (*)(void), void *);

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t each);
void *__libc_realloc(void *block, size_t bytes);

static atomic_llong calls;
static long long fail_at;
static atomic_bool counting;
static main_function program;

static int fails(void)
{
    if (!atomic_load(&counting) || atomic_fetch_add(&calls, 1) + 1 != fail_at)
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t bytes)
{
    return fails() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t each)
{
    return fails() ? NULL : __libc_calloc(count, each);
}

void *realloc(void *block, size_t bytes)
{
    return fails() ? NULL : __libc_realloc(block, bytes);
}

static void write_count(void)
{
    atomic_store(&counting, 0);
    const char *path = getenv("CLEAVE_FAIL_COUNT");
    FILE *f = path ? fopen(path, "w") : NULL;
    if (f) {
        fprintf(f, "%lld\n", (long long)atomic_load(&calls));
        fclose(f);
    }
}

static int counted_main(int argc, char **argv, char **environment)
{
    const char *n = getenv("CLEAVE_FAIL_AT");
    fail_at = n ? atoll(n) : 0;
    atexit(write_count);
    atomic_store(&counting, 1);
    return program(argc, argv, environment);
}

int __libc_start_main(main_function real_main, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    start_function real = (start_function)dlsym(RTLD_NEXT, "__libc_start_main");
    program = real_main;
    return real(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}
