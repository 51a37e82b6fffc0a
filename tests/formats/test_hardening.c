/* SPDX-License-Identifier: Apache-2.0 */
/* Files under adverse conditions, for every format: they shrink or reading is cancelled, they
 * are pipes, directories or unreadable, or the disk becomes full during writing.  Each gives a
 * clear message, and never a partial graph or file.  test_input.c and test_output.c have the
 * details of a single stream of bytes. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>

#include "formats/input_fixture.h"
#include "formats/metis_rows.h"
#include "formats/stepping_clock.h"

/* ---- Large files of every format -------------------------------------------------------- */

typedef struct image {
    char *bytes;
    size_t size, room;
} image;

static void put_line(image *to, const char *format, ...)
{
    if (to->room - to->size < 256)
        to->bytes = realloc(to->bytes, to->room = 2 * to->room + 4096);
    va_list args;
    va_start(args, format);
    to->size += (size_t)vsnprintf(to->bytes + to->size, 256, format, args);
    va_end(args);
}

/* The formats that cannot be written. */
static image made_image(const char *format)
{
    enum { n = 20000 };
    image to = {NULL, 0, 0};
    bool json = strcmp(format, "wfcommons") == 0, psdd = strcmp(format, "psdd") == 0;
    put_line(&to, json ? "{\"workflow\": {\"tasks\": [\n" : psdd ? "psdd %d\n" : "%d\n", n);
    for (int i = 0; i < n; i++) {
        if (json)
            put_line(&to, "{\"id\": \"t%d\", \"children\": [%s", i, i == n - 1 ? "]}\n" : "");
        if (json && i < n - 1)
            put_line(&to, "\"t%d\"], \"runtime\": %d.5},\n", i + 1, i);
        if (psdd && i < n / 2)
            put_line(&to, "L %d 0 %d\n", i, i + 1);
        if (psdd && i >= n / 2)
            put_line(&to, "D %d 1 2 %d %d -0.5 %d %d -0.93\n", i, i - n / 2, i - 1, i / 2, 0);
        if (!json && !psdd)
            put_line(&to, "%d %d %d\n", i + 1, i + 2, i + 200);
    }
    if (json)
        put_line(&to, "]}}\n");
    return to;
}

/* The bytes as they are on the disk. */
static image image_of(const char *path)
{
    image to = {NULL, 0, 0};
    int fd = open(path, O_RDONLY);
    for (ssize_t got = 1; fd >= 0 && got > 0; to.size += (size_t)got) {
        if (to.size == to.room)
            to.bytes = realloc(to.bytes, to.room = 2 * to.room + 65536);
        got = read(fd, to.bytes + to.size, to.room - to.size);
        if (got < 0)
            abort();
    }
    close(fd);
    return to;
}

typedef struct sample {
    const char *format, *spec; /* spec NULL: made here */
    const char *name;
    int threads;
} sample;

/* 4 MiB and more of METIS is read by all threads. */
static const sample samples[] = {
    {"metis", "grid2d:150x150", "a.graph", 1},
    {"metis", "grid2d:420x420", "b.graph", 1},
    {"metis", "grid2d:420x420", "c.graph", 4},
    {"mtx", "grid2d:150x150", "a.mtx", 0},
    {"mtx", "stencil:70x70:5", "b.mtx", 0},
    {"edges", "grid2d:150x150", "a.edges", 0},
    {"dot", "grid2d:100x100", "a.dot", 0},
    {"binary", "grid2d:150x150", "a.clv", 0},
    {"scotch", "grid2d:150x150", "a.grf", 0},
    {"dgraph", "stencil:70x70:5", "a.dgraph", 0},
    {"pace", "grid2d:150x150", "a.gr", 0},
    {"hdag", "stencil:70x70:5", "a.hdag", 0},
    {"metis", "grid2d:200x200", "p.graph.gz", 0},
    {"wfcommons", NULL, "a.json", 0},
    {"psdd", NULL, "a.psdd", 0},
    {"mesh", NULL, "a.mesh", 0},
};
enum { nsamples = sizeof samples / sizeof *samples };

static bool usable(const sample *s)
{
    if (strcmp(s->format, "wfcommons") == 0)
        return strstr(cleave_features(), "jansson") != NULL;
    return !strstr(s->name, ".gz") || has_zlib();
}

/* Writes the file of a sample; the path is static. */
static const char *sample_file(const sample *s)
{
    if (!s->spec) {
        image made = made_image(s->format);
        const char *path = test_file_bytes(s->name, made.bytes, made.size);
        free(made.bytes);
        return path;
    }
    const char *path = fixture_path(s->name);
    cleave_graph *g = NULL;
    CHECK_OK(cleave_graph_generate(&g, s->spec, NULL, &err));
    CHECK_OK(cleave_graph_write(g, path, NULL, &err));
    cleave_graph_free(g);
    return path;
}

static cleave_graph *read_sample(const sample *s, const char *path,
                                 cleave_progress_fn progress, void *payload)
{
    cleave_read_options opt;
    cleave_read_options_init(&opt, sizeof opt);
    opt.format = s->format;
    opt.as = strcmp(s->name, "b.mtx") == 0 ? "dag" : NULL;
    opt.threads = s->threads;
    opt.progress = progress;
    opt.payload = payload;
    opt.coords = "";
    cleave_graph *g = NULL;
    cleave_status status = cleave_graph_read(&g, path, &opt, &err);
    CHECK((status == CLEAVE_OK) == (g != NULL));
    return g;
}

/* ---- Shrinking -------------------------------------------------------------------------- */

typedef struct cutter {
    const char *path;
    int calls, cut_at; /* call at which the file is cut; 0: never */
    off_t size;        /* to this */
} cutter;

static int cut(void *payload, const cleave_progress *now)
{
    cutter *c = payload;
    (void)now;
    if (++c->calls == c->cut_at && truncate(c->path, c->size) != 0)
        abort();
    return 0;
}

static void restore(const char *path, const image *whole)
{
    int fd = open(path, O_WRONLY | O_TRUNC);
    if (fd < 0 || write(fd, whole->bytes, whole->size) != (ssize_t)whole->size)
        abort();
    close(fd);
}

/* A mapped file is looked at for its size last of all when it is mapped. */
static bool says_so(const sample *s, const char *path)
{
    static reader_text shown;
    shown.used = 0;
    reader_show_error(&shown, &err, path);
    return strcmp(shown.text, "EIO @: the file became shorter while it was read") == 0 ||
           (strcmp(s->format, "binary") == 0 &&
            strncmp(shown.text, "EPARSE @: the file is cut short: ", 33) == 0);
}

/* Cut at any moment, to any size: the whole graph comes out, or the sentence. */
static void check_shrinking(const sample *s)
{
    const char *path = sample_file(s);
    cutter counter = {.path = path};
    cleave_graph *whole = read_sample(s, path, cut, &counter);
    REQUIRE(whole != NULL);
    image bytes = image_of(path);
    CHECK(s->threads < 2 || bytes.size > CLV_METIS_PIECES_PAY);
    off_t size = (off_t)bytes.size;
    const off_t sizes[] = {0, 1000, size / 2, size * 9 / 10, size - 1};
    int refused = 0, step = counter.calls / 4 + 1, files = open_files();
    int64_t live = test_alloc_live();
    for (int at = 1; at <= counter.calls; at += step)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            cutter c = {path, 0, at, sizes[i]};
            restore(path, &bytes);
            cleave_graph *g = read_sample(s, path, cut, &c);
            CHECK(g ? fixture_same(g, whole) : says_so(s, path));
            if (!g && !says_so(s, path))
                fprintf(stderr, "%s cut to %lld: %s\n", s->name, (long long)sizes[i],
                        err.message);
            refused += g == NULL;
            cleave_graph_free(g);
        }
    CHECK(refused > 0);
    CHECK_EQ(test_alloc_live(), live);
    CHECK_EQ(open_files(), files);
    cleave_graph_free(whole);
    free(bytes.bytes);
    unlink(path);
}

static void test_shrinking(void)
{
    for (int i = 0; i < nsamples; i++)
        if (usable(&samples[i]))
            check_shrinking(&samples[i]);
}

/* A file that grows is read as far as it goes: to its end or, if it announces its length,
 * with a complaint about what follows. */
static int grow_file(void *payload, const cleave_progress *now)
{
    cutter *c = payload;
    (void)now;
    if (++c->calls == c->cut_at) {
        int fd = open(c->path, O_WRONLY | O_APPEND);
        CHECK_EQ(write(fd, "\n7 8\n", 5), 5);
        close(fd);
    }
    return 0;
}

static void test_growing(void)
{
    const char *path = sample_file(&samples[0]);
    cutter c = {path, 0, 2, 0};
    CHECK(read_sample(&samples[0], path, grow_file, &c) == NULL);
    CHECK_EQ(err.status, CLEAVE_EPARSE);
    CHECK(strstr(err.message, "unexpected text after the last of 22500 vertices") != NULL);
}

typedef struct stopper {
    int calls, stop_at;
} stopper;

static int stop(void *payload, const cleave_progress *now)
{
    stopper *s = payload;
    (void)now;
    return ++s->calls == s->stop_at;
}

/* Stopped at any call, the last one as well, which comes at the end of the file. */
static void test_stopped(void)
{
    for (int i = 0; i < nsamples; i++) {
        const sample *s = &samples[i];
        if (!usable(s))
            continue;
        const char *path = sample_file(s);
        stopper all = {0, 0};
        cleave_graph *whole = read_sample(s, path, stop, &all);
        REQUIRE(whole != NULL);
        int64_t live = test_alloc_live();
        int files = open_files();
        for (int at = 1; at <= all.calls; at += at < all.calls - 2 ? all.calls / 4 + 1 : 1) {
            stopper one = {0, at};
            cleave_graph *g = read_sample(s, path, stop, &one);
            /* With many threads there may be fewer calls this time. */
            CHECK(g ? s->threads > 1 && one.calls < at : err.status == CLEAVE_ECANCEL);
            cleave_graph_free(g);
        }
        CHECK_EQ(test_alloc_live(), live);
        CHECK_EQ(open_files(), files);
        cleave_graph_free(whole);
        unlink(path);
    }
}

/* Our own writer replaces files: who has mapped the old one keeps it. */
static void test_replaced_while_mapped(void)
{
    const char *path = fixture_path("mapped.clv");
    cleave_graph *g = NULL, *small = NULL, *again = NULL;
    REQUIRE_OK(cleave_graph_generate(&g, "grid2d:200x200", NULL, &err));
    REQUIRE_OK(cleave_graph_generate(&small, "grid2d:2x2", NULL, &err));
    CHECK_OK(cleave_graph_write(g, path, NULL, &err));
    CHECK_OK(cleave_graph_read(&again, path, NULL, &err));
    CHECK_OK(cleave_graph_write(small, path, NULL, &err));
    CHECK(again && fixture_same(g, again));
    cleave_graph_free(again);
    CHECK_OK(cleave_graph_read(&again, path, NULL, &err));
    CHECK(again && fixture_same(small, again));
    cleave_graph_free(again);
    cleave_graph_free(small);
    cleave_graph_free(g);
}

/* ---- Pipes ------------------------------------------------------------------------------ */

typedef struct feeder {
    const char *path;
    image bytes;
} feeder;

static void *feed(void *argument)
{
    feeder *f = argument;
    int fd = open(f->path, O_WRONLY);
    for (size_t done = 0; fd >= 0 && done < f->bytes.size;) {
        size_t left = f->bytes.size - done, now = left < 3000 ? left : 3000;
        ssize_t put = write(fd, f->bytes.bytes + done, now);
        if (put < 0)
            break;
        done += (size_t)put;
    }
    if (fd >= 0)
        close(fd);
    return NULL;
}

/* A named pipe gives the same graph as the file. */
static void test_pipes(void)
{
    for (int i = 0; i < nsamples; i++) {
        const sample *s = &samples[i];
        if (!usable(s))
            continue;
        const char *path = sample_file(s);
        cleave_graph *whole = read_sample(s, path, NULL, NULL);
        feeder f = {fixture_path("pipe"), image_of(path)};
        CHECK_EQ(mkfifo(f.path, 0666), 0);
        pthread_t thread;
        REQUIRE(pthread_create(&thread, NULL, feed, &f) == 0);
        cleave_graph *g = read_sample(s, f.path, NULL, NULL);
        pthread_join(thread, NULL);
        CHECK(g && whole && fixture_same(g, whole));
        cleave_graph_free(g);
        cleave_graph_free(whole);
        free(f.bytes.bytes);
        unlink(f.path);
        unlink(path);
    }
}

/* ---- Folders and secrets ---------------------------------------------------------------- */

/* Every way to read a file, by number; false past the last. */
static bool read_somehow(int way, const char *path, cleave_status *status)
{
    cleave_graph *g = NULL;
    cleave_matrix *a = NULL;
    cleave_mapping *m = NULL;
    cleave_read_options opt;
    cleave_read_options_init(&opt, sizeof opt);
    int nformats = 0;
    while (clv_formats[nformats])
        nformats++;
    int32_t part[4];
    double shares[4];
    int64_t bounds[4];
    opt.format = way < nformats ? clv_formats[way]->name : NULL;
    switch (way - nformats) {
    case 0: /* whatever it is */
    default:
        *status = cleave_graph_read(&g, path, &opt, &err);
        break;
    case 1:
        opt.coords = path;
        *status = cleave_graph_read(&g, test_file("edge.graph", "2 1\n2\n1\n"), &opt, &err);
        break;
    case 2:
        *status = cleave_matrix_read(&a, path, &opt, &err);
        break;
    case 3:
        *status = cleave_mapping_read(&m, path, 4, 2, &err);
        break;
    case 4:
        *status = cleave_fixed_read(part, 4, 2, path, &err);
        break;
    case 5:
        *status = cleave_shares_read(shares, 2, 2, path, &err);
        break;
    case 6:
        *status = cleave_groups_read(part, 4, path, &err);
        break;
    case 7:
        *status = cleave_bounds_read(bounds, 2, 2, path, &err);
        break;
    }
    CHECK(!g && !a && !m);
    return way <= nformats + 7;
}

static int check_all_ways(const char *path, const char *expected)
{
    static reader_text shown;
    cleave_status status;
    int way = 0;
    for (; read_somehow(way, path, &status); way++) {
        shown.used = 0;
        reader_show_error(&shown, &err, path);
        CHECK_EQ(status, err.status);
        CHECK_STR(shown.text, expected);
    }
    return way;
}

static void test_folders(void)
{
    const char *folder = fixture_path("folder.graph");
    CHECK_EQ(mkdir(folder, 0777), 0);
    CHECK_EQ(check_all_ways(folder, "EIO @: cannot read it: it is a directory"), 24);
    check_all_ways(fixture_path("missing.graph"),
                   "EIO @: cannot open it: no such file or directory");
}

/* Root may access everything: the test runs as another user, who can reach the directory. */
static void as_somebody(void (*test)(const char *folder))
{
    char folder[] = "/tmp/cleave-test-XXXXXX", command[64];
    REQUIRE(mkdtemp(folder) != NULL);
    CHECK_EQ(chmod(folder, 0777), 0);
    fflush(stdout);
    int before = test_failures_;
    pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && setuid(65534) != 0)
            _exit(3);
        test(folder);
        _exit(test_failures_ > before);
    }
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    CHECK_EQ(system(command), 0);
}

static void secret(const char *folder)
{
    char path[64];
    cleave_status status;
    snprintf(path, sizeof path, "%s/secret", folder);
    close(open(path, O_WRONLY | O_CREAT, 0000));
    for (int way = 0; way < 12; way++) { /* the others need a scratch folder of their own */
        CHECK(read_somehow(way, path, &status));
        CHECK_EQ(status, CLEAVE_EIO);
        CHECK(strstr(err.message, "/secret: cannot open it: permission denied") != NULL);
    }
}

static void test_secrets(void)
{
    as_somebody(secret);
}

/* ---- Full disks ------------------------------------------------------------------------- */

typedef struct things {
    cleave_graph *g, *dag;
    cleave_matrix *a;
    cleave_mapping *m;
} things;

static const char *const written[] = {
    "a.graph", "a.mtx",      "a.edges", "a.dot",    "a.clv", "a.grf",    "a.dgraph", "a.gr",
    "a.hdag",  "b.graph.gz", "a.xyz",   "a.coords", "c.mtx", "a.part.2", "a.map",    "values"};
enum { nwritten = sizeof written / sizeof *written };

/* The i-th of the files above, or the same bytes to another path. */
static cleave_status write_thing(const things *t, int i, const char *path)
{
    static const char *const formats[] = {"metis",  "mtx",    "edges", "dot",  "binary",
                                          "scotch", "dgraph", "pace",  "hdag", "metis"};
    cleave_write_options opt;
    cleave_write_options_init(&opt, sizeof opt);
    if (i < 10) {
        opt.format = formats[i];
        bool dag = i == 6 || i == 8;
        return cleave_graph_write(dag ? t->dag : t->g, path, &opt, &err);
    }
    if (i < 13)
        return cleave_graph_write_coords(t->g, path, &err);
    return i < 15 ? cleave_mapping_write(t->m, path, &err)
                  : cleave_matrix_write(t->a, path, &err);
}

static void make_things(things *t)
{
    memset(t, 0, sizeof *t);
    CHECK_OK(cleave_graph_generate(&t->g, "mesh2d:100x100", NULL, &err));
    CHECK_OK(cleave_graph_generate(&t->dag, "stencil:50x50:4", NULL, &err));
    CHECK_OK(cleave_matrix_factor(&t->a, t->g, "mindeg", NULL, 1, &err));
    int32_t *part = calloc(300000, sizeof *part);
    CHECK_OK(cleave_mapping_create(&t->m, 300000, 2, part, &err));
    free(part);
}

static void free_things(things *t)
{
    cleave_graph_free(t->g);
    cleave_graph_free(t->dag);
    cleave_matrix_free(t->a);
    cleave_mapping_free(t->m);
}

static int entries(const char *folder)
{
    DIR *d = opendir(folder);
    int count = -2; /* . and .. */
    while (d && readdir(d))
        count++;
    if (d)
        closedir(d);
    return count;
}

/* With the disk full after a few blocks: the old file stays, or none appears. */
static void check_full_disk(const things *t, int i, const char *folder, bool old)
{
    char path[4400], before[8] = "";
    snprintf(path, sizeof path, "%s/%s", folder, written[i]);
    FILE *file = old ? fopen(path, "w") : NULL;
    if (file) {
        fputs("old", file);
        fclose(file);
    }
    struct rlimit limit, few = {8192, 8192};
    getrlimit(RLIMIT_FSIZE, &limit);
    few.rlim_max = limit.rlim_max;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &few);
    cleave_status status = write_thing(t, i, path);
    setrlimit(RLIMIT_FSIZE, &limit);
    signal(SIGXFSZ, handler);
    CHECK_EQ(status, CLEAVE_EIO);
    CHECK(strstr(err.message, "cannot write it: the file grew too large") != NULL);
    CHECK_EQ(entries(folder), old);
    file = fopen(path, "r");
    CHECK((file != NULL) == old);
    CHECK(!file || (fgets(before, sizeof before, file) && strcmp(before, "old") == 0));
    if (file)
        fclose(file);
    unlink(path);
}

static void test_full_disks(void)
{
    things t;
    const char *folder = fixture_path("full");
    CHECK_EQ(mkdir(folder, 0777), 0);
    make_things(&t);
    int64_t live = test_alloc_live();
    int files = open_files();
    for (int i = 0; i < nwritten; i++) {
        if (strstr(written[i], ".gz") && !has_zlib())
            continue;
        check_full_disk(&t, i, folder, false);
        check_full_disk(&t, i, folder, true);
        if (access("/dev/full", W_OK) == 0) {
            CHECK_EQ(write_thing(&t, i, "/dev/full"), CLEAVE_EIO);
            CHECK_STR(err.message, "/dev/full: cannot write it: no space left on the device");
        }
    }
    CHECK_EQ(test_alloc_live(), live);
    CHECK_EQ(open_files(), files);
    free_things(&t);
}

/* A format that cannot represent the graph fails before a file is created. */
static void test_refused_output(void)
{
    things t;
    const char *folder = fixture_path("refused");
    char path[4400];
    CHECK_EQ(mkdir(folder, 0777), 0);
    make_things(&t);
    const char *const names[] = {"a.dgraph", "a.hdag", "a.json", "a.psdd", "a.mesh", "a.what"};
    for (int i = 0; i < 6; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        CHECK_EQ(cleave_graph_write(t.g, path, NULL, &err), CLEAVE_EINVAL);
        CHECK_EQ(entries(folder), 0);
    }
    free_things(&t);
}

int main(void)
{
    clock_step = 1000000000; /* every block of a file is reported */
    signal(SIGPIPE, SIG_IGN);
    RUN(test_shrinking);
    RUN(test_growing);
    RUN(test_stopped);
    RUN(test_replaced_while_mapped);
    RUN(test_pipes);
    RUN(test_folders);
    RUN(test_secrets);
    RUN(test_full_disks);
    RUN(test_refused_output);
    return test_end();
}
