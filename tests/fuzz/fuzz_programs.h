/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/fuzz_programs.h - the common part of the programs that run targets without
 * libFuzzer. */
#ifndef CLV_TESTS_FUZZ_PROGRAMS_H
#define CLV_TESTS_FUZZ_PROGRAMS_H

#include "fuzz/fuzz_common.h"

fuzz_target fuzz_find(const char *name); /* NULL: no such target */
const char *fuzz_names(void);            /* of all targets */

/* A file as an input; exits when it cannot be read. */
typedef struct fuzz_bytes {
    char name[256];
    uint8_t *bytes;
    size_t size;
} fuzz_bytes;
fuzz_bytes fuzz_load(const char *path);
/* The files of a folder in the order of their names, or the one file; *count of them. */
fuzz_bytes *fuzz_load_all(const char *path, int *count);
void fuzz_unload(fuzz_bytes *files, int count);

/* Runs the target.  When it fails, or takes longer than 20 seconds, prints what was being run
 * and leaves the input in the file fuzz-culprit of the current folder. */
void fuzz_try(fuzz_target target, const char *what, const uint8_t *bytes, size_t size);

#endif
