/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes of files, pipes and standard input: opening, lookahead, cancelling.  Compressed input:
 * test_input_gzip.c. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>

#include "formats/input_fixture.h"
#include "formats/stepping_clock.h"
#include "formats/text.h"

/* ---- Opening ---------------------------------------------------------------------------- */

static void test_not_there(void)
{
    CHECK_STR(failure(fixture_path("missing")),
              "EIO @: cannot open it: no such file or directory");
    CHECK_STR(failure(test_scratch()), "EIO @: cannot read it: it is a directory");
    char path[8192];
    snprintf(path, sizeof path, "%s/x", test_file("plain", "1"));
    CHECK_STR(failure(path), "EIO @: cannot open it: a part of its path is not a directory");
    snprintf(path, sizeof path, "%s/%0300d", test_scratch(), 1);
    CHECK_STR(failure(path), "EIO @: cannot open it: its name is too long");
    const char *loop = fixture_path("loop");
    CHECK_EQ(symlink("loop", loop), 0);
    CHECK_STR(failure(loop), "EIO @: cannot open it: too many symbolic links");
    if (access("/proc/self/mem", R_OK) == 0)
        CHECK_STR(failure("/proc/self/mem"),
                  "EIO @: cannot read it: the device reports an error");
    CHECK_STR(failure(""), "EIO @: cannot open it: no such file or directory");
}

/* Root may read everything: the test runs as another user. */
static void test_unreadable(void)
{
    char folder[] = "/tmp/cleave-test-XXXXXX", path[64];
    REQUIRE(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/secret", folder);
    int fd = open(path, O_WRONLY | O_CREAT, 0000);
    close(fd);
    fflush(stdout);
    int before = test_failures_;
    pid_t child = fork();
    if (child == 0) {
        if (chmod(folder, 0755) != 0 || (geteuid() == 0 && setuid(65534) != 0))
            _exit(3);
        CHECK_STR(failure(path), "EIO @: cannot open it: permission denied");
        _exit(test_failures_ > before);
    }
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    unlink(path);
    rmdir(folder);
}

static void test_standard_input(void)
{
    int saved = dup(STDIN_FILENO);
    size_t count;
    /* A file whose offset is not at its start. */
    int fd = open(test_file("plain", "1 2 3\n"), O_RDONLY);
    CHECK_EQ(lseek(fd, 2, SEEK_SET), 2);
    dup2(fd, STDIN_FILENO);
    close(fd);
    char *bytes = read_all("-", 10, &count, NULL, NULL);
    CHECK(bytes && count == 4 && memcmp(bytes, "2 3\n", 4) == 0);
    free(bytes);
    /* A pipe. */
    int ends[2];
    CHECK_EQ(pipe(ends), 0);
    CHECK_EQ(write(ends[1], "a\nb", 3), 3);
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    bytes = read_all("-", 10, &count, NULL, NULL);
    CHECK(bytes && count == 3 && memcmp(bytes, "a\nb", 3) == 0);
    free(bytes);
    /* The standard input stays open for others. */
    CHECK(fcntl(STDIN_FILENO, F_GETFD) >= 0);
    /* Something that cannot be read, and nothing at all. */
    fd = open(fixture_path("written"), O_WRONLY | O_CREAT, 0666);
    dup2(fd, STDIN_FILENO);
    close(fd);
    CHECK_STR(failure("-"), "EIO @: cannot read it: it is not open");
    close(STDIN_FILENO);
    CHECK_STR(failure("-"), "EIO @: cannot open it: it is not open");
    if (saved >= 0) {
        dup2(saved, STDIN_FILENO);
        close(saved);
    }
}

static void ignore(int number)
{
    (void)number;
}

typedef struct slow_writer {
    int fd;
} slow_writer;

static void *write_slowly(void *argument)
{
    slow_writer *writer = argument;
    for (int i = 0; i < 4; i++) {
        usleep(15000);
        if (write(writer->fd, "12345", 5) != 5)
            break;
    }
    close(writer->fd);
    return NULL;
}

/* Signals interrupt a waiting read, which continues. */
static void test_interrupted(void)
{
    int ends[2], saved = dup(STDIN_FILENO);
    REQUIRE(pipe(ends) == 0);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    sigset_t alarm_only;
    sigemptyset(&alarm_only);
    sigaddset(&alarm_only, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarm_only, NULL);
    slow_writer writer = {ends[1]};
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, write_slowly, &writer), 0);
    struct sigaction action = {.sa_handler = ignore};
    sigaction(SIGALRM, &action, NULL);
    pthread_sigmask(SIG_UNBLOCK, &alarm_only, NULL);
    struct itimerval often = {{0, 2000}, {0, 2000}}, never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &often, NULL);
    size_t count;
    char *bytes = read_all("-", 100, &count, NULL, NULL);
    setitimer(ITIMER_REAL, &never, NULL);
    CHECK(bytes && count == 20);
    free(bytes);
    pthread_join(thread, NULL);
    signal(SIGALRM, SIG_IGN); /* one may still be on its way */
    if (saved >= 0) {
        dup2(saved, STDIN_FILENO);
        close(saved);
    }
}

/* ---- Looking ahead ---------------------------------------------------------------------- */

static void check_peek(const char *path, const char *text, size_t size)
{
    clv_input *in = NULL;
    CHECK_OK(clv_input_open(&in, path, NULL, NULL, &err));
    REQUIRE(in != NULL);
    const char *bytes;
    size_t count, expected = size < 65536 ? size : 65536;
    for (int i = 0; i < 2; i++) {
        CHECK_OK(clv_input_peek(in, &bytes, &count, &err));
        CHECK(count == expected && memcmp(bytes, text, count) == 0);
    }
    char *to = malloc(size + 10);
    size_t used = 0, got;
    CHECK_OK(clv_input_read(in, to, 10, &got, &err));
    used += got;
    /* Peeking after reading has begun: the bytes that follow. */
    CHECK_OK(clv_input_peek(in, &bytes, &count, &err));
    CHECK(count == expected - got && memcmp(bytes, text + got, count) == 0);
    do {
        got = 0;
        CHECK_OK(clv_input_read(in, to + used, size + 10 - used, &got, &err));
        used += got;
    } while (got > 0);
    CHECK(used == size && memcmp(to, text, size) == 0);
    free(to);
    clv_input_close(in);
}

static void test_peek(void)
{
    const size_t sizes[] = {0, 1, 9, 5000, 65535, 65536, 65537, 200000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const char *text = pattern_text(sizes[i]);
        check_peek(test_file_bytes("plain", text, sizes[i]), text, sizes[i]);
        if (!has_zlib())
            continue;
        gz.size = 0;
        pack_member(text, sizes[i] / 2, 0);
        pack_member(text + sizes[i] / 2, sizes[i] - sizes[i] / 2, 0);
        check_peek(packed_file(), text, sizes[i]);
    }
    reader_drip_input input;
    const char *text = pattern_text(3000);
    reader_drip_begin(&input, text, 3000, 7);
    check_peek("-", text, 3000);
    reader_drip_end(&input);
    clv_input_close(NULL);
}

static void test_size_and_descriptor(void)
{
    clv_input *in = NULL;
    const char *path = test_file("plain", "12345");
    CHECK_OK(clv_input_open(&in, path, NULL, NULL, &err));
    CHECK_EQ(clv_input_size(in), 5);
    CHECK(clv_input_fd(in) >= 0);
    CHECK_STR(clv_input_path(in), path);
    char c;
    size_t got;
    CHECK_OK(clv_input_read(in, &c, 1, &got, &err));
    CHECK_EQ(clv_input_fd(in), -1); /* no longer at the beginning */
    clv_input_close(in);
    reader_drip_input input;
    reader_drip_begin(&input, "123", 3, 1);
    CHECK_OK(clv_input_open(&in, "-", NULL, NULL, &err));
    CHECK_EQ(clv_input_size(in), -1);
    CHECK_EQ(clv_input_fd(in), -1);
    clv_input_close(in);
    reader_drip_end(&input);
    if (!has_zlib())
        return;
    gz.size = 0;
    pack_member("12", 2, 0);
    CHECK_OK(clv_input_open(&in, packed_file(), NULL, NULL, &err));
    CHECK_EQ(clv_input_size(in), -1);
    CHECK_EQ(clv_input_fd(in), -1);
    clv_input_close(in);
}

static const char *slurped(const char *path, int64_t limit, int64_t *count)
{
    static reader_text shown;
    shown.used = 0;
    clv_input *in = NULL;
    char *text;
    CHECK_OK(clv_input_open(&in, path, NULL, NULL, &err));
    cleave_status status = clv_input_slurp(in, limit, &text, count, &err);
    clv_input_close(in);
    CHECK((status == CLEAVE_OK) == (text != NULL));
    if (text) {
        CHECK_EQ(text[*count], '\0');
        bool same = memcmp(text, pattern_text((size_t)*count), (size_t)*count) == 0;
        reader_put(&shown, same ? "same" : "different");
    } else {
        reader_show_error(&shown, &err, path);
    }
    clv_sys_free(text);
    return shown.text;
}

static void test_slurp(void)
{
    const size_t sizes[] = {0, 1, 65535, 65536, 65537, 131072, 200000};
    int64_t count;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int64_t size = (int64_t)sizes[i];
        const char *path = test_file_bytes("plain", pattern_text(sizes[i]), sizes[i]);
        CHECK_STR(slurped(path, size, &count), "same");
        CHECK_EQ(count, size);
        CHECK_STR(slurped(path, size + 1, &count), "same");
        if (size > 0) {
            char expected[128];
            snprintf(expected, sizeof expected,
                     "ERANGE @: is larger than the %lld bytes this format may have",
                     (long long)size - 1);
            CHECK_STR(slurped(path, size - 1, &count), expected);
        }
        if (!has_zlib())
            continue;
        gz.size = 0;
        pack_member(pattern_text(sizes[i]), sizes[i], 0);
        CHECK_STR(slurped(packed_file(), size, &count), "same");
        CHECK_EQ(count, size);
    }
}

/* ---- Progress and memory ---------------------------------------------------------------- */

typedef struct watcher {
    int calls, stop_at;
    int64_t done, total;
    bool sane;
} watcher;

static int watch(void *payload, const cleave_progress *now)
{
    watcher *w = payload;
    w->sane = w->sane && now->size == sizeof *now && strcmp(now->phase, "reading") == 0 &&
              now->done >= w->done && (now->total == 0 || now->done <= now->total);
    w->done = now->done;
    w->total = now->total;
    return ++w->calls == w->stop_at;
}

/* Cancelling at any call ends the reading there and then, without leaks. */
static void check_cancel(const char *path, int64_t size)
{
    clock_step = 150000000; /* the callback is due each time */
    watcher w = {.sane = true};
    cleave_read_options opt;
    cleave_read_options_init(&opt, sizeof opt);
    opt.progress = watch;
    opt.payload = &w;
    cleave_graph *g = NULL;
    CHECK_OK(cleave_graph_read(&g, path, &opt, &err));
    cleave_graph_free(g);
    CHECK(w.sane && w.calls >= 2);
    CHECK_EQ(w.done, size);
    CHECK_EQ(w.total, size);
    int calls = w.calls, files = open_files();
    int64_t live = test_alloc_live();
    for (int stop = 1; stop <= calls; stop++) {
        w = (watcher){.sane = true, .stop_at = stop};
        CHECK_EQ(cleave_graph_read(&g, path, &opt, &err), CLEAVE_ECANCEL);
        CHECK(g == NULL && w.sane);
        CHECK_EQ(w.calls, stop);
        reader_text shown = {.used = 0};
        reader_show_error(&shown, &err, path);
        CHECK_STR(shown.text, "ECANCEL @: reading was cancelled");
    }
    clock_step = 0;
    CHECK_EQ(test_alloc_live(), live);
    CHECK_EQ(open_files(), files);
}

static void test_cancel(void)
{
    enum { n = 350000 };
    char *text = malloc(n + 100);
    size_t used = (size_t)sprintf(text, "%d 0\n", n);
    memset(text + used, '\n', n);
    used += n;
    check_cancel(test_file_bytes("rows.graph", text, used), (int64_t)used);
    if (has_zlib()) {
        gz.size = 0;
        pack_member(text, used, 0);
        check_cancel(packed_file(), (int64_t)gz.size);
    }
    free(text);
    const char *matrix = "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1\n";
    check_cancel(test_file("a.mtx", matrix), (int64_t)strlen(matrix));
    watcher w = {.sane = true, .stop_at = 2};
    clock_step = 150000000;
    reader_drip_input input;
    reader_drip_begin(&input, "2 1\n2\n1\n", 8, 1);
    size_t count;
    CHECK(read_all("-", 10, &count, watch, &w) == NULL);
    reader_drip_end(&input);
    clock_step = 0;
    CHECK_EQ(err.status, CLEAVE_ECANCEL);
    CHECK_STR(err.message, "standard input: reading was cancelled");
}

/* However fast the bytes come: a call at the beginning, then one every tenth of a second. */
static void test_calls_per_second(void)
{
    enum { n = 3000 };
    static char text[n + 1];
    watcher w = {.sane = true};
    reader_drip_input input;
    size_t count;
    memset(text, 'x', n);
    reader_drip_begin(&input, text, n, 1);
    clock_step = 1000000;
    clock_looks = 0;
    char *bytes = read_all("-", n + 1, &count, watch, &w);
    double seconds = 0.001 * (double)clock_looks;
    clock_step = 0;
    reader_drip_end(&input);
    REQUIRE(bytes != NULL);
    CHECK_EQ(count, n);
    CHECK(seconds > 2); /* as often the callback might have been called */
    CHECK(w.sane && w.calls >= (int)(9 * seconds) && w.calls <= 1 + (int)(10 * seconds));
    clv_sys_free(bytes);
}

static void test_memory(void)
{
    gz.size = 0;
    pack_member(pattern_text(300000), 300000, 0); /* zlib allocates memory later, too */
    const char *paths[2];
    paths[0] = test_file("plain", "12\n");
    paths[1] = packed_file();
    int64_t live = test_alloc_live(), calls = 0;
    int files = open_files();
    for (int i = 0; i < (has_zlib() ? 2 : 1); i++)
        for (int64_t n = 1; n < 100; n++) {
            char *text = NULL;
            int64_t count;
            clv_input *in;
            test_alloc_fail_at(n);
            cleave_status status = clv_input_open(&in, paths[i], NULL, NULL, &err);
            if (status == CLEAVE_OK)
                status = clv_input_slurp(in, 1 << 20, &text, &count, &err);
            calls = test_alloc_calls();
            test_alloc_fail_at(0);
            clv_input_close(in);
            clv_sys_free(text);
            CHECK_EQ(status, calls < n ? CLEAVE_OK : CLEAVE_ENOMEM);
            CHECK_EQ(test_alloc_live(), live);
            CHECK_EQ(open_files(), files);
            if (calls < n)
                break;
        }
    CHECK(calls >= 4);
}

/* ---- From elsewhere --------------------------------------------------------------------- */

/* Gives at most three bytes at a time; fails behind `broken`. */
typedef struct spring {
    const char *bytes;
    int64_t broken;
} spring;

static cleave_status give_three(void *context, char *to, size_t capacity, int64_t at,
                                size_t *count, cleave_error *error)
{
    const spring *s = context;
    if (at >= s->broken)
        return clv_fail(error, CLEAVE_EIO, "broken");
    *count = capacity < 3 ? capacity : 3;
    memcpy(to, s->bytes + at, *count);
    return CLEAVE_OK;
}

static void test_source(void)
{
    spring s = {"ab\ncd 17\nbehind the end", 100};
    const clv_input_source source = {.size = 9, .read = give_three, .context = &s};
    clv_input *in;
    clv_text text;
    int64_t value;
    const char *word;
    size_t length;
    REQUIRE_OK(clv_input_from(&in, "elsewhere", &source, &err));
    CHECK_EQ(clv_input_size(in), 9);
    CHECK_EQ(clv_input_fd(in), -1);
    CHECK_STR(clv_input_path(in), "elsewhere");
    CHECK_OK(clv_input_peek(in, &word, &length, &err));
    CHECK(length == 9 && memcmp(word, s.bytes, 9) == 0);
    CHECK_OK(clv_text_resume(&text, in, 41, &err));
    CHECK_OK(clv_text_skip_line(&text));
    CHECK_OK(clv_text_word(&text, &word, &length));
    CHECK(length == 2 && memcmp(word, "cd", 2) == 0);
    CHECK_OK(clv_text_i64(&text, 0, 99, "a number", &value));
    CHECK_EQ(value, 17);
    CHECK_EQ(clv_text_i64(&text, 0, 99, "another", &value), CLEAVE_EPARSE);
    CHECK_STR(err.message, "elsewhere:42: the line ends before another");
    clv_text_free(&text);
    clv_input_close(in);
    s.broken = 6;
    REQUIRE_OK(clv_input_from(&in, "elsewhere", &source, &err));
    CHECK_EQ(clv_input_peek(in, &word, &length, &err), CLEAVE_EIO);
    clv_input_close(in);
}

int main(void)
{
    RUN(test_source);
    RUN(test_not_there);
    RUN(test_unreadable);
    RUN(test_standard_input);
    RUN(test_interrupted);
    RUN(test_peek);
    RUN(test_size_and_descriptor);
    RUN(test_slurp);
    RUN(test_cancel);
    RUN(test_calls_per_second);
    RUN(test_memory);
    return test_end();
}
