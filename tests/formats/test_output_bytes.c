/* SPDX-License-Identifier: Apache-2.0 */
/* Written data reads back equal: numbers around the end of the buffer, compressed files of
 * every size, pipes, standard output; and data is on the device before the file gets its
 * name. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include "formats/input_fixture.h"
#include "formats/stepping_clock.h"

enum { buffer_size = 256 * 1024 };

/* Everything the put functions offer, around the end of the buffer. */
static void check_puts(const char *path, size_t before)
{
    clv_output *out = NULL;
    CHECK_OK(clv_output_open(&out, path, NULL, NULL, &err));
    REQUIRE(out != NULL);
    char *expected = malloc(before + 1000), *to = expected + before;
    memset(expected, '.', before);
    clv_put_bytes(out, expected, before);
    clv_put_i64(out, INT64_MIN);
    clv_put_char(out, ' ');
    clv_put_double(out, -1.7976931348623157e308);
    clv_put_text(out, " text ");
    clv_put_i64(out, 0);
    clv_put_bytes(out, "\0\n", 2);
    clv_put_double(out, 0.1);
    to += sprintf(to, "%lld -1.7976931348623157e308 text 0", (long long)INT64_MIN);
    memcpy(to, "\0\n0.1", 5);
    to += 5;
    CHECK_OK(clv_output_commit(out, &err));
    size_t count;
    char *bytes = read_all(path, 1 << 16, &count, NULL, NULL);
    bool same =
        bytes && count == (size_t)(to - expected) && memcmp(bytes, expected, count) == 0;
    CHECK(same);
    free(bytes);
    free(expected);
}

static void test_contents(void)
{
    const char *path = fixture_path("contents");
    for (size_t before = 0; before <= 80; before++) {
        check_puts(path, buffer_size - before);
        if (before % 9 == 0)
            check_puts(path, 2 * buffer_size - before);
    }
    check_puts(path, 0);
    check_puts(path, 10 * buffer_size + 17);
}

static void test_compressed(void)
{
    const char *path = fixture_path("a.gz");
    const size_t sizes[] = {
        0, 1, 1000, buffer_size - 1, buffer_size, 300000, buffer_size + 1, 5 * buffer_size};
    clv_rng rng = clv_rng_make(7, 7, 7, 7);
    char *text = malloc(5 * buffer_size);
    for (int noise = 0; noise < 2; noise++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            for (size_t k = 0; k < sizes[i]; k++)
                text[k] = noise ? (char)clv_rng_u64(&rng) : (char)('0' + k / 7 % 10);
            clv_output *out = NULL;
            CHECK_OK(clv_output_open(&out, path, NULL, NULL, &err));
            clv_put_bytes(out, text, sizes[i]);
            CHECK_OK(clv_output_commit(out, &err));
            struct stat info;
            CHECK(stat(path, &info) == 0 && info.st_size >= 18);
            CHECK(noise || sizes[i] < 1000 || (size_t)info.st_size < sizes[i] / 10);
            char magic[2] = "";
            FILE *file = fopen(path, "rb");
            CHECK(file && fread(magic, 1, 2, file) == 2 && memcmp(magic, "\x1f\x8b", 2) == 0);
            fclose(file);
            size_t count;
            char *bytes = read_all(path, 100000, &count, NULL, NULL);
            CHECK(bytes && count == sizes[i] && memcmp(bytes, text, count) == 0);
            free(bytes);
        }
    /* gzip itself understands it. */
    char command[4500];
    snprintf(command, sizeof command, "gzip -t '%s' 2>/dev/null", path);
    if (system("command -v gzip >/dev/null") == 0)
        CHECK_EQ(system(command), 0);
    free(text);
}

/* ---- Crashes ---------------------------------------------------------------------------- */

/* What the library asked of the system, in order: f a file synced, d a directory, r a file got
 * its last name.  These take the place of the C library's. */
static char asked[64];
static int sync_fails; /* errno of the next fsync; 0: it works */

static void ask(char what)
{
    size_t length = strlen(asked);
    if (length + 1 < sizeof asked)
        asked[length] = what;
}

int fsync(int fd)
{
    struct stat info;
    ask(fstat(fd, &info) == 0 && S_ISDIR(info.st_mode) ? 'd' : 'f');
    errno = sync_fails;
    return sync_fails ? -1 : 0;
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags)
{
    int status = (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
    if (status == 0 && !strstr(to, ".tmp"))
        ask('r');
    return status;
}

int rename(const char *from, const char *to)
{
    ask('r');
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

static const char *asked_for(const char *path, bool no_sync, cleave_status *status)
{
    int32_t tail[] = {0}, head[] = {1};
    cleave_builder *b = NULL;
    cleave_graph *g = NULL;
    cleave_write_options opt;
    cleave_write_options_init(&opt, sizeof opt);
    opt.no_sync = no_sync;
    CHECK_OK(cleave_builder_create(&b, CLEAVE_UNDIRECTED, &err));
    CHECK_OK(cleave_builder_add(b, 1, tail, head, NULL, &err));
    CHECK_OK(cleave_builder_finish(&g, b, -1, NULL, &err));
    memset(asked, 0, sizeof asked);
    *status = cleave_graph_write(g, path, &opt, &err);
    cleave_builder_free(b);
    cleave_graph_free(g);
    return asked;
}

/* The bytes are on the device before the file takes its name, and so is the name before the
 * call returns. */
static void test_synced(void)
{
    cleave_status status;
    CHECK_STR(asked_for(fixture_path("a.graph"), false, &status), "frd");
    CHECK_EQ(status, CLEAVE_OK);
    CHECK_STR(asked_for(fixture_path("a.graph"), false, &status), "frd"); /* replaced */
    if (has_zlib())
        CHECK_STR(asked_for(fixture_path("a.graph.gz"), false, &status), "frd");
    CHECK_STR(asked_for(fixture_path("b.graph"), true, &status), "r");
    CHECK_EQ(status, CLEAVE_OK);
    /* What the device could not keep does not replace what was there. */
    const char *old = test_file("c.graph", "old");
    sync_fails = EIO;
    CHECK_STR(asked_for(old, false, &status), "f");
    CHECK_EQ(status, CLEAVE_EIO);
    size_t count = 0;
    char *bytes = read_all(old, 100, &count, NULL, NULL);
    CHECK(bytes && count == 3 && memcmp(bytes, "old", 3) == 0);
    free(bytes);
    /* File systems that do not support it. */
    sync_fails = EINVAL;
    CHECK_STR(asked_for(old, false, &status), "frd");
    CHECK_EQ(status, CLEAVE_OK);
    sync_fails = 0;
}

typedef struct slow_reader {
    const char *path;
    int64_t bytes, limit; /* read; stop behind */
    bool good;
} slow_reader;

static void *read_slowly(void *argument)
{
    slow_reader *reader = argument;
    int fd = open(reader->path, O_RDONLY);
    char buffer[30000];
    reader->good = true;
    for (;;) {
        usleep(2000);
        ssize_t n = read(fd, buffer, sizeof buffer);
        if (n <= 0)
            break;
        for (ssize_t i = 0; i < n; i++)
            reader->good = reader->good && buffer[i] == (char)('0' + (reader->bytes + i) % 10);
        reader->bytes += n;
        if (reader->limit && reader->bytes >= reader->limit)
            break;
    }
    close(fd);
    return NULL;
}

static void ignore(int number)
{
    (void)number;
}

/* Through a named pipe, interrupted by signals, written in pieces. */
static void test_pipe(void)
{
    const char *path = fixture_path("pipe");
    CHECK_EQ(mkfifo(path, 0666), 0);
    for (int round = 0; round < 2; round++) {
        bool broken = round == 1;
        sigset_t alarm_only;
        sigemptyset(&alarm_only);
        sigaddset(&alarm_only, SIGALRM);
        pthread_sigmask(SIG_BLOCK, &alarm_only, NULL);
        slow_reader reader = {.path = path, .limit = broken ? 40000 : 0};
        pthread_t thread;
        CHECK_EQ(pthread_create(&thread, NULL, read_slowly, &reader), 0);
        struct sigaction action = {.sa_handler = ignore};
        sigaction(SIGALRM, &action, NULL);
        void (*pipe_handler)(int) = signal(SIGPIPE, SIG_IGN);
        clv_output *out = NULL;
        CHECK_OK(clv_output_open(&out, path, NULL, NULL, &err));
        REQUIRE(out != NULL);
        pthread_sigmask(SIG_UNBLOCK, &alarm_only, NULL);
        struct itimerval often = {{0, 700}, {0, 700}}, never = {{0, 0}, {0, 0}};
        setitimer(ITIMER_REAL, &often, NULL);
        for (int i = 0; i < 700000; i++)
            clv_put_char(out, (char)('0' + i % 10));
        cleave_status status = clv_output_commit(out, &err);
        setitimer(ITIMER_REAL, &never, NULL);
        pthread_join(thread, NULL);
        signal(SIGALRM, SIG_IGN); /* one may still be on its way */
        signal(SIGPIPE, pipe_handler);
        CHECK(reader.good);
        CHECK_EQ(status, broken ? CLEAVE_EIO : CLEAVE_OK);
        if (broken)
            CHECK(strstr(err.message,
                         "pipe: cannot write it: no process reads the other end of the pipe"));
        else
            CHECK_EQ(reader.bytes, 700000);
    }
}

static void test_standard_output(void)
{
    fflush(stdout);
    int saved = dup(STDOUT_FILENO), ends[2];
    REQUIRE(pipe(ends) == 0);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[1]);
    clv_output *out;
    cleave_status status = clv_output_open(&out, "-", NULL, NULL, &err);
    if (status == CLEAVE_OK) {
        clv_put_text(out, "out\n");
        status = clv_output_commit(out, &err);
    }
    bool open_still = fcntl(STDOUT_FILENO, F_GETFD) >= 0;
    close(STDOUT_FILENO);
    cleave_status closed = clv_output_open(&out, "-", NULL, NULL, &err);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    CHECK_EQ(status, CLEAVE_OK);
    CHECK(open_still);
    CHECK_EQ(closed, CLEAVE_EIO);
    CHECK_STR(err.message, "standard output: cannot open it: it is not open");
    char buffer[16];
    CHECK(read(ends[0], buffer, sizeof buffer) == 4 && memcmp(buffer, "out\n", 4) == 0);
    CHECK_EQ(read(ends[0], buffer, sizeof buffer), 0);
    close(ends[0]);
}

static int count_call(void *payload, const cleave_progress *now)
{
    (void)now;
    ++*(int *)payload;
    return 0;
}

/* However fast the bytes go: a call at the beginning, then one every tenth of a second. */
static void test_calls_per_second(void)
{
    static char block[300000];
    int calls = 0;
    clv_output *out;
    memset(block, 'x', sizeof block);
    REQUIRE_OK(clv_output_open(&out, fixture_path("calls"), count_call, &calls, &err));
    clock_step = 1000000;
    clock_looks = 0;
    for (int i = 0; i < 1000; i++)
        clv_put_bytes(out, block, sizeof block);
    double seconds = 0.001 * (double)clock_looks;
    clock_step = 0;
    CHECK(seconds > 0.5); /* as often the callback might have been called */
    CHECK(calls >= (int)(9 * seconds) && calls <= 1 + (int)(10 * seconds));
    CHECK_OK(clv_output_commit(out, &err));
}

int main(void)
{
    RUN(test_contents);
    if (has_zlib())
        RUN(test_compressed);
    RUN(test_synced);
    RUN(test_pipe);
    RUN(test_standard_output);
    RUN(test_calls_per_second);
    return test_end();
}
