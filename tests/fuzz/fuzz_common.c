/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/fuzz_common.c - options, files and failures of fuzz targets. */
#include "fuzz/fuzz_common.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a reader may hold at once: buffers and tables of fixed size, and so much per byte. */
enum { memory_base = 192 << 20, memory_per_byte = 2048 };

int fuzz_run(void (*run)(fuzz_input *in), const uint8_t *data, size_t size)
{
    if (size < FUZZ_OPTION_BYTES || size > FUZZ_LONGEST)
        return 0;
    fuzz_input in = {.bytes = data + FUZZ_OPTION_BYTES, .size = size - FUZZ_OPTION_BYTES};
    for (int i = 0; i < FUZZ_CHOICES; i++)
        in.choice[i] = (uint8_t)(data[i] - '0');
    int64_t before = fuzz_alloc_live();
    fuzz_alloc_limit(before + memory_base + memory_per_byte * (int64_t)size);
    run(&in);
    fuzz_alloc_limit(0);
    FUZZ_CHECK(fuzz_alloc_live() == before);
    return 0;
}

int fuzz_choose(fuzz_input *in, int which, int count)
{
    int chosen = in->choice[which] % count;
    in->choice[which] /= count;
    return chosen;
}

void (*fuzz_describe)(void);

void fuzz_fail(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
    if (fuzz_describe)
        fuzz_describe();
    abort();
}

void fuzz_check_sentence(cleave_status status, const cleave_error *err)
{
    FUZZ_CHECK(err->status == status);
    FUZZ_CHECK(memchr(err->message, '\0', sizeof err->message) != NULL);
    FUZZ_CHECK(strlen(err->message) > 8);
    for (const char *p = err->message; *p; p++)
        FUZZ_CHECK((unsigned char)*p >= ' ');
}

void fuzz_check_refusal(cleave_status status, const cleave_error *err, const void *out,
                        const char *path)
{
    FUZZ_CHECK(status == CLEAVE_EPARSE || status == CLEAVE_ERANGE || status == CLEAVE_ECYCLE ||
               status == CLEAVE_EINVAL);
    FUZZ_CHECK(out == NULL);
    fuzz_check_sentence(status, err);
    size_t length = strlen(path);
    if (status != CLEAVE_EINVAL) {
        FUZZ_CHECK(strncmp(err->message, path, length) == 0 && err->message[length] == ':');
        FUZZ_CHECK(strlen(err->message) > length + 3);
    }
}

/* ---- Calls under test ----------------------------------------------------------------- */

fuzz_tally *fuzz_counts;
const char *fuzz_spoiled;

bool fuzz_spoils(const char *what)
{
    return fuzz_spoiled && strcmp(fuzz_spoiled, what) == 0;
}

void fuzz_call_begins(void)
{
    fuzz_alloc_watch(true);
}

static void count_call(const char *name, cleave_status status)
{
    int i = 0;
    while (i < FUZZ_FUNCTIONS && fuzz_counts->name[i][0] &&
           strcmp(fuzz_counts->name[i], name) != 0)
        i++;
    FUZZ_CHECK(i < FUZZ_FUNCTIONS);
    snprintf(fuzz_counts->name[i], sizeof fuzz_counts->name[i], "%s", name);
    fuzz_counts->calls[i][-status]++;
}

cleave_status fuzz_call_ends(const char *name, cleave_status status)
{
    fuzz_alloc_watch(false);
    FUZZ_CHECK(status <= 0 && status > -FUZZ_STATUSES);
    if (fuzz_counts)
        count_call(name, status);
    return status;
}

bool fuzz_lacks_memory(cleave_status status, const cleave_error *err)
{
    if (status != CLEAVE_ENOMEM)
        return false;
    FUZZ_CHECK(fuzz_alloc_denied());
    fuzz_check_sentence(status, err);
    return true;
}

/* ---- Files ---------------------------------------------------------------------------- */

enum { path_size = 256 };

static char folder[path_size];

static void remove_folder(void)
{
    char command[path_size + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0)
        fprintf(stderr, "could not remove %s\n", folder);
}

/* In memory where the system has a file system for that: a run makes several files.  A
 * program that is killed, and libFuzzer, leave it behind: tools/fuzz sets TMPDIR. */
static void make_folder(void)
{
    const char *roots[] = {getenv("TMPDIR"), "/dev/shm", "/tmp"};
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        if (!roots[i])
            continue;
        snprintf(folder, sizeof folder, "%.100s/cleave-fuzz-XXXXXX", roots[i]);
        if (mkdtemp(folder)) {
            atexit(remove_folder);
            return;
        }
    }
    fuzz_fail(__FILE__, __LINE__, "cannot make a folder for temporary files");
}

const char *fuzz_path(const char *name)
{
    static char paths[8][path_size + 32];
    static int next;
    if (!folder[0])
        make_folder();
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%.30s", folder, name);
    return path;
}

const char *fuzz_file(const char *name, const void *bytes, size_t size)
{
    const char *path = fuzz_path(name), *p = bytes;
    unlink(path);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    FUZZ_CHECK(fd >= 0);
    while (size > 0) {
        ssize_t done = write(fd, p, size);
        FUZZ_CHECK(done > 0);
        p += done;
        size -= (size_t)done;
    }
    FUZZ_CHECK(close(fd) == 0);
    return path;
}
