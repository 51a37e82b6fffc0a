/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/fuzz_programs.c - targets by name, inputs from files; the failing input is kept.
 * CMake puts X(NAME) for each target into FUZZ_TARGET_LIST. */
#include "fuzz/fuzz_programs.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { patience = 20 };

#define X(name) int fuzz_##name(const uint8_t *data, size_t size);
FUZZ_TARGET_LIST
#undef X

fuzz_target fuzz_find(const char *name)
{
#define X(known)                                                                              \
    if (strcmp(name, #known) == 0)                                                            \
        return fuzz_##known;
    FUZZ_TARGET_LIST
#undef X
    return NULL;
}

const char *fuzz_names(void)
{
#define X(name) " " #name
    return "" FUZZ_TARGET_LIST;
#undef X
}

/* ---- Files ---------------------------------------------------------------------------- */

fuzz_bytes fuzz_load(const char *path)
{
    fuzz_bytes loaded = {.bytes = malloc(FUZZ_LONGEST)};
    FILE *file = fopen(path, "rb");
    if (!file || !loaded.bytes) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    const char *slash = strrchr(path, '/');
    snprintf(loaded.name, sizeof loaded.name, "%s", slash ? slash + 1 : path);
    loaded.size = fread(loaded.bytes, 1, FUZZ_LONGEST, file);
    fclose(file);
    /* Exactly as long as the file, so that AddressSanitizer sees its end. */
    uint8_t *fitted = realloc(loaded.bytes, loaded.size + !loaded.size);
    loaded.bytes = fitted ? fitted : loaded.bytes;
    return loaded;
}

fuzz_bytes *fuzz_load_all(const char *path, int *count)
{
    struct stat info;
    struct dirent **entries = NULL;
    bool folder = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
    int found = folder ? scandir(path, &entries, NULL, alphasort) : 1;
    fuzz_bytes *files = calloc((size_t)found + 1, sizeof *files);
    *count = 0;
    if (!folder)
        files[(*count)++] = fuzz_load(path);
    for (int i = 0; folder && i < found; i++) {
        char inner[4096];
        snprintf(inner, sizeof inner, "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.')
            files[(*count)++] = fuzz_load(inner);
        free(entries[i]);
    }
    free(entries);
    return files;
}

void fuzz_unload(fuzz_bytes *files, int count)
{
    for (int i = 0; i < count; i++)
        free(files[i].bytes);
    free(files);
}

/* ---- The culprit ---------------------------------------------------------------------- */

static const char *current_name = "";
static const uint8_t *current_bytes;
static size_t current_size;

/* Called from signal handlers: only what is safe there. */
static void name_culprit(void)
{
    const char *before = "while running ", *behind = ", kept in fuzz-culprit\n";
    int fd = open("fuzz-culprit", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (write(STDERR_FILENO, before, strlen(before)) < 0 ||
        write(STDERR_FILENO, current_name, strlen(current_name)) < 0 ||
        write(STDERR_FILENO, behind, strlen(behind)) < 0 ||
        (fd >= 0 && write(fd, current_bytes, current_size) < 0))
        _exit(EXIT_FAILURE);
    if (fd >= 0)
        close(fd);
}

static void on_signal(int number)
{
    name_culprit();
    signal(number, SIG_DFL);
    raise(number);
}

/* There when a sanitizer is, which may end the program without a signal. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void watch(void)
{
    static bool watching;
    if (watching)
        return;
    watching = true;
    signal(SIGABRT, on_signal);
    signal(SIGALRM, on_signal);
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(name_culprit);
}

void fuzz_try(fuzz_target target, const char *what, const uint8_t *bytes, size_t size)
{
    watch();
    current_name = what;
    current_bytes = bytes;
    current_size = size;
    alarm(patience);
    target(bytes, size);
    alarm(0);
}
