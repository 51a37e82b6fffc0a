/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/fuzz_replay.c - runs a fuzz target over files, with any compiler.
 *
 *     fuzz_replay NAME FILE-OR-FOLDER... */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz_programs.h"

static int replay(fuzz_target target, const char *path)
{
    int count;
    fuzz_bytes *files = fuzz_load_all(path, &count);
    for (int i = 0; i < count; i++)
        fuzz_try(target, files[i].name, files[i].bytes, files[i].size);
    fuzz_unload(files, count);
    return count;
}

int main(int argc, char **argv)
{
    fuzz_target target = argc > 2 ? fuzz_find(argv[1]) : NULL;
    if (!target) {
        fprintf(stderr, "usage: fuzz_replay NAME FILE-OR-FOLDER...\nNAME:%s\n", fuzz_names());
        return 2;
    }
    int done = 0;
    for (int i = 2; i < argc; i++)
        done += replay(target, argv[i]);
    printf("%s: %d files\n", argv[1], done);
    return done > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
