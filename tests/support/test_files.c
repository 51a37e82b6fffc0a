/* SPDX-License-Identifier: Apache-2.0 */
/* Paths of the files that tests read and write.  CLEAVE_SOURCE_DIR and CLEAVE_BINARY_DIR are
 * set by CMake. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/test.h"

int test_failures_, test_checks_;

enum { path_size = 4096 };

const char *test_shared(const char *name, int cases)
{
    static char paths[4][path_size];
    static int next;
    char *path = paths[next++ % 4];
    const char *from_environment = getenv("CLEAVE_SHARED");
    if (from_environment)
        snprintf(path, path_size, "%s/data/%s", from_environment, name);
    else
        snprintf(path, path_size, "%s/../shared/data/%s", CLEAVE_SOURCE_DIR, name);
    struct stat info;
    if (stat(path, &info) == 0)
        return path;
    printf("skipped: %d case%s need%s ../shared/data/%s\n", cases, cases == 1 ? "" : "s",
           cases == 1 ? "s" : "", name);
    return NULL;
}

const char *test_scratch(void)
{
    static char path[path_size];
    if (!path[0]) {
        char command[path_size + 64];
        snprintf(path, sizeof path, "%s/scratch.%ld", CLEAVE_BINARY_DIR, (long)getpid());
        snprintf(command, sizeof command, "rm -rf '%s' && mkdir -p '%s'", path, path);
        if (system(command) != 0)
            abort();
    }
    return path;
}

static void remove_scratch(void)
{
    char command[path_size + 64];
    snprintf(command, sizeof command, "rm -rf '%s'", test_scratch());
    if (system(command) != 0)
        fprintf(stderr, "could not remove %s\n", test_scratch());
}

const char *test_data(const char *name)
{
    static char path[path_size];
    snprintf(path, sizeof path, "%s/tests/data/%s", CLEAVE_SOURCE_DIR, name);
    return path;
}

const char *test_file_bytes(const char *name, const void *bytes, size_t count)
{
    static char paths[16][path_size];
    static int next, registered;
    if (!registered++)
        atexit(remove_scratch);
    char *path = paths[next++ % 16];
    snprintf(path, path_size, "%s/%s", test_scratch(), name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, count, file) != count || fclose(file) != 0) {
        fprintf(stderr, "cannot write %s: %s\n", path, strerror(errno));
        abort();
    }
    return path;
}

const char *test_file(const char *name, const char *text)
{
    return test_file_bytes(name, text, strlen(text));
}
