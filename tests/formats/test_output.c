/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic writing: temporary names, links, permissions, devices, full disks, cancelling.
 * Contents: test_output_bytes.c. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "formats/input_fixture.h"
#include "formats/stepping_clock.h"

enum { buffer_size = 256 * 1024 };

/* ---- File systems ----------------------------------------------------------------------- */

/* As on a file system that has no files without a name. */
static bool refuse_unnamed;

/* In place of the system's: the library calls it. */
int open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    if (refuse_unnamed && (flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

/* A kill in the moment between two names. */
static bool killed_at_rename;

int rename(const char *from, const char *to)
{
    if (killed_at_rename)
        raise(SIGKILL);
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

static bool has_unnamed(const char *folder)
{
    int fd = open(folder, O_WRONLY | O_TMPFILE, 0666);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* ---- Helpers ---------------------------------------------------------------------------- */

/* A new folder inside the scratch folder, static. */
static const char *new_folder(void)
{
    static char path[4096];
    static int count;
    snprintf(path, sizeof path, "%s/%d", fixture_path("folder"), count++);
    *strrchr(path, '/') = '-';
    if (mkdir(path, 0777) != 0)
        abort();
    return path;
}

static const char *inside(const char *folder, const char *name)
{
    static char path[8][9000];
    static int next;
    char *to = path[next++ % 8];
    snprintf(to, sizeof path[0], "%s/%s", folder, name);
    return to;
}

/* Files of the folder. */
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

static bool contains(const char *path, const char *expected)
{
    char buffer[256];
    FILE *file = fopen(path, "r");
    size_t n = file ? fread(buffer, 1, sizeof buffer - 1, file) : 0;
    buffer[n] = '\0';
    if (file)
        fclose(file);
    return file && strcmp(buffer, expected) == 0;
}

static cleave_status put(const char *path, const char *text, cleave_progress_fn progress,
                         void *payload)
{
    clv_output *out;
    CLV_TRY(clv_output_open(&out, path, progress, payload, &err));
    clv_put_text(out, text);
    return clv_output_commit(out, &err);
}

/* Writing `size` bytes fails, leaves no memory and no descriptor behind. */
static const char *failing(const char *path, size_t size)
{
    static reader_text shown;
    int64_t live = test_alloc_live();
    int files = open_files();
    shown.used = 0;
    clv_output *out;
    cleave_status status = clv_output_open(&out, path, NULL, NULL, &err);
    if (status == CLEAVE_OK) {
        for (size_t i = 0; i < size; i++)
            clv_put_char(out, (char)('a' + i * i % 23));
        status = clv_output_commit(out, &err);
    } else {
        CHECK(out == NULL);
    }
    CHECK(status != CLEAVE_OK && status == err.status);
    reader_show_error(&shown, &err, path);
    CHECK_EQ(test_alloc_live(), live);
    CHECK_EQ(open_files(), files);
    return shown.text;
}

/* ---- Whole or not at all ---------------------------------------------------------------- */

static void test_appears_whole(void)
{
    const char *folder = new_folder(), *path = inside(folder, "a");
    clv_output *out = NULL;
    CHECK_OK(clv_output_open(&out, path, NULL, NULL, &err));
    clv_put_text(out, "new");
    CHECK(access(path, F_OK) != 0);                  /* not yet there */
    CHECK_EQ(entries(folder), !has_unnamed(folder)); /* but perhaps under another name */
    CHECK_OK(clv_output_commit(out, &err));
    CHECK(contains(path, "new"));
    CHECK_EQ(entries(folder), 1);
    /* Replacing: the old contents stay until the end. */
    CHECK_OK(clv_output_open(&out, path, NULL, NULL, &err));
    clv_put_text(out, "newer");
    CHECK(contains(path, "new"));
    CHECK_OK(clv_output_commit(out, NULL));
    CHECK(contains(path, "newer"));
    /* Giving up. */
    CHECK_OK(clv_output_open(&out, path, NULL, NULL, &err));
    for (int i = 0; i < 3 * buffer_size; i++)
        clv_put_char(out, 'x');
    clv_output_abandon(out);
    CHECK(contains(path, "newer"));
    CHECK_EQ(entries(folder), 1);
    clv_output_abandon(NULL);
    /* Two concurrent writers: the file is that of the last one, complete. */
    clv_output *other = NULL;
    CHECK_OK(clv_output_open(&out, path, NULL, NULL, &err));
    CHECK_OK(clv_output_open(&other, path, NULL, NULL, &err));
    clv_put_text(out, "one");
    clv_put_text(other, "two");
    CHECK_OK(clv_output_commit(other, &err));
    CHECK(contains(path, "two"));
    CHECK_OK(clv_output_commit(out, &err));
    CHECK(contains(path, "one"));
    CHECK_EQ(entries(folder), 1);
}

/* A killed process leaves no file, unless the file system does not support unnamed files. */
static void test_killed(void)
{
    const char *folder = new_folder(), *path = inside(folder, "a");
    pid_t child = fork();
    if (child == 0) {
        clv_output *out;
        if (clv_output_open(&out, path, NULL, NULL, &err) != CLEAVE_OK)
            _exit(1);
        for (int i = 0; i < 3 * buffer_size; i++)
            clv_put_char(out, 'x');
        raise(SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    CHECK_EQ(entries(folder), !has_unnamed(folder));
}

/* A new file takes its name in one step, so that nothing else is left there when the process
 * is killed meanwhile; to replace an old one takes two. */
static void test_killed_naming(void)
{
    for (int old = 0; old < 2; old++) {
        const char *folder = new_folder(), *path = inside(folder, "a");
        bool one_step = has_unnamed(folder) && !old;
        if (old)
            CHECK_OK(put(path, "old", NULL, NULL));
        pid_t child = fork();
        if (child == 0) {
            killed_at_rename = true;
            _exit(put(path, "new", NULL, NULL) != CLEAVE_OK);
        }
        int status = 0;
        waitpid(child, &status, 0);
        CHECK_EQ(WIFSIGNALED(status), !one_step);
        CHECK_EQ(entries(folder), 1 + old);
        CHECK(one_step ? contains(path, "new") : !old || contains(path, "old"));
    }
}

/* Others can put bytes into the file by a name that it has until the end. */
static void test_shared_name(void)
{
    const char *folder = new_folder(), *path = inside(folder, "a"), *name, *again;
    clv_output *out = NULL;
    REQUIRE_OK(clv_output_open(&out, path, NULL, NULL, &err));
    CHECK_OK(clv_output_temporary(&name, out, &err));
    CHECK_OK(clv_output_temporary(&again, out, &err));
    REQUIRE(name != NULL);
    CHECK(again == name && entries(folder) == 1);
    int fd = open(name, O_WRONLY);
    CHECK_EQ(write(fd, "theirs", 6), 6);
    close(fd);
    CHECK_OK(clv_output_commit(out, &err));
    CHECK(contains(path, "theirs"));
    REQUIRE_OK(clv_output_open(&out, path, NULL, NULL, &err));
    CHECK_OK(clv_output_temporary(&name, out, &err));
    clv_output_abandon(out);
    REQUIRE_OK(clv_output_open(&out, "/dev/null", NULL, NULL, &err));
    CHECK_OK(clv_output_temporary(&name, out, &err));
    CHECK(name == NULL);
    clv_output_abandon(out);
    CHECK(contains(path, "theirs") && entries(folder) == 1);
}

/* Others on the same computer can do so without a name, where there are such files. */
static void test_shared_unnamed(void)
{
    const char *folder = new_folder(), *path = inside(folder, "a"), *temporary;
    char name[CLV_OUTPUT_UNNAMED];
    clv_output *out = NULL;
    REQUIRE_OK(clv_output_open(&out, path, NULL, NULL, &err));
    CHECK_EQ(clv_output_unnamed(out, name), has_unnamed(folder));
    if (has_unnamed(folder)) {
        pid_t child = fork();
        if (child == 0)
            _exit(write(open(name, O_RDWR), "theirs", 6) != 6);
        int status = -1;
        waitpid(child, &status, 0);
        CHECK_EQ(status, 0);
        CHECK_EQ(entries(folder), 0);
        CHECK_OK(clv_output_commit(out, &err));
        CHECK(contains(path, "theirs") && entries(folder) == 1);
        REQUIRE_OK(clv_output_open(&out, path, NULL, NULL, &err));
    }
    CHECK_OK(clv_output_temporary(&temporary, out, &err));
    CHECK(!clv_output_unnamed(out, name)); /* it has one now */
    clv_output_abandon(out);
    REQUIRE_OK(clv_output_open(&out, "/dev/null", NULL, NULL, &err));
    CHECK(!clv_output_unnamed(out, name));
    clv_output_abandon(out);
}

/* Existing files with temporary names are not overwritten. */
static void test_taken_names(void)
{
    const char *folder = new_folder();
    char path[4400], taken[4500];
    snprintf(path, sizeof path, "%s", inside(folder, "a"));
    snprintf(taken, sizeof taken, "%s.%ld-0.tmp", path, (long)getpid());
    FILE *file = fopen(taken, "w");
    fputs("mine", file);
    fclose(file);
    CHECK_OK(put(path, "new", NULL, NULL));
    CHECK(contains(path, "new") && contains(taken, "mine"));
    for (int i = 1; i < 1000; i++) {
        snprintf(taken, sizeof taken, "%s.%ld-%d.tmp", path, (long)getpid(), i);
        close(open(taken, O_WRONLY | O_CREAT, 0666));
    }
    CHECK_STR(failing(path, 3), "EIO @: cannot create it: system error 17");
    CHECK(contains(path, "new"));
    CHECK_EQ(entries(folder), 1001);
}

static void test_failures(void)
{
    const char *folder = new_folder();
    CHECK_STR(failing(inside(folder, "missing/a"), 3),
              "EIO @: cannot create it: no such file or directory");
    CHECK_STR(failing(folder, 3), "EIO @: cannot write it: it is a directory");
    CHECK_STR(failing("", 3), "EIO @: cannot create it: no such file or directory");
    char path[8192];
    snprintf(path, sizeof path, "%s/%0300d", folder, 1);
    CHECK_STR(failing(path, 3), "EIO @: cannot create it: its name is too long");
    snprintf(path, sizeof path, "%s/%05000d", folder, 1);
    CHECK_STR(failing(path, 3), "EIO @: cannot create it: its name is too long");
    snprintf(path, sizeof path, "%s/a/b", test_file("plain", "1"));
    CHECK_STR(failing(path, 3),
              "EIO @: cannot create it: a part of its path is not a directory");
    if (access("/dev/full", W_OK) == 0) {
        CHECK_STR(failing("/dev/full", 3),
                  "EIO @: cannot write it: no space left on the device");
        CHECK_STR(failing("/dev/full", 5 * buffer_size),
                  "EIO @: cannot write it: no space left on the device");
    }
    CHECK_EQ(entries(folder), 0);
    /* A directory is created with the name of the output. */
    clv_output *out = NULL;
    const char *late = inside(folder, "late");
    CHECK_OK(clv_output_open(&out, late, NULL, NULL, &err));
    CHECK_EQ(mkdir(late, 0777), 0);
    CHECK_EQ(clv_output_commit(out, &err), CLEAVE_EIO);
    CHECK(strstr(err.message, "late: cannot create it: it is a directory") != NULL);
    CHECK_EQ(entries(folder), 1);
}

/* A disk that fills up, here a limit to the size of files. */
static void test_full_disk(void)
{
    const char *folder = new_folder(), *path = inside(folder, "a"),
               *packed_path = inside(folder, "a.gz");
    CHECK_OK(put(path, "old", NULL, NULL));
    struct rlimit before, limit;
    getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = 300000;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    CHECK_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
    CHECK_STR(failing(path, 2 * buffer_size),
              "EIO @: cannot write it: the file grew too large");
    if (has_zlib()) {
        clv_rng rng = clv_rng_make(1, 1, 1, 1);
        clv_output *out = NULL;
        CHECK_OK(clv_output_open(&out, packed_path, NULL, NULL, &err));
        for (int i = 0; i < 100000; i++) {
            uint64_t noise = clv_rng_u64(&rng);
            clv_put_bytes(out, &noise, sizeof noise);
        }
        CHECK_EQ(clv_output_commit(out, &err), CLEAVE_EIO);
        CHECK(strstr(err.message, "a.gz: cannot write it: the file grew too large") != NULL);
    }
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, handler);
    CHECK(contains(path, "old"));
    CHECK_EQ(entries(folder), 1);
}

/* ---- Links and permissions -------------------------------------------------------------- */

static bool is_link(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
}

static void test_links(void)
{
    const char *folder = new_folder();
    char target[4400], deep[4400];
    snprintf(target, sizeof target, "%s", inside(folder, "target"));
    snprintf(deep, sizeof deep, "%s", inside(folder, "deep"));
    CHECK_EQ(mkdir(deep, 0777), 0);
    CHECK_OK(put(target, "old", NULL, NULL));
    CHECK_EQ(symlink("target", inside(folder, "relative")), 0);
    CHECK_EQ(symlink(target, inside(folder, "absolute")), 0);
    CHECK_EQ(symlink("../relative", inside(deep, "chain")), 0);
    CHECK_EQ(symlink("made", inside(deep, "dangling")), 0);
    CHECK_OK(put(inside(folder, "relative"), "one", NULL, NULL));
    CHECK(contains(target, "one") && is_link(inside(folder, "relative")));
    CHECK_OK(put(inside(folder, "absolute"), "two", NULL, NULL));
    CHECK(contains(target, "two") && is_link(inside(folder, "absolute")));
    CHECK_OK(put(inside(deep, "chain"), "three", NULL, NULL));
    CHECK(contains(target, "three") && is_link(inside(deep, "chain")) && !is_link(target));
    CHECK_OK(put(inside(deep, "dangling"), "four", NULL, NULL));
    CHECK(contains(inside(deep, "made"), "four") && is_link(inside(deep, "dangling")));
    CHECK_EQ(entries(deep), 3);
    CHECK_EQ(entries(folder), 4);
    /* From the working folder, where names have no slash. */
    char *before = getcwd(NULL, 0);
    CHECK_EQ(chdir(folder), 0);
    CHECK_OK(put("relative", "five", NULL, NULL));
    CHECK_OK(put("here", "six", NULL, NULL));
    CHECK_EQ(chdir(before), 0);
    free(before);
    CHECK(contains(target, "five") && contains(inside(folder, "here"), "six"));
}

static void test_many_links(void)
{
    const char *folder = new_folder();
    char name[64], to[64];
    for (int i = 1; i <= 41; i++) {
        snprintf(name, sizeof name, "link%d", i);
        snprintf(to, sizeof to, "link%d", i - 1);
        CHECK_EQ(symlink(to, inside(folder, name)), 0);
    }
    CHECK_OK(put(inside(folder, "link40"), "far", NULL, NULL));
    CHECK(contains(inside(folder, "link0"), "far"));
    CHECK_STR(failing(inside(folder, "link41"), 3),
              "EIO @: cannot create it: too many symbolic links");
    CHECK_EQ(symlink("loop", inside(folder, "loop")), 0);
    CHECK_STR(failing(inside(folder, "loop"), 3),
              "EIO @: cannot create it: too many symbolic links");
    /* A link to a name that is too long together with its folder. */
    char far_away[4096];
    for (int i = 0; i < 4090; i++)
        far_away[i] = i % 2 ? '/' : 'a';
    far_away[4090] = '\0';
    CHECK_EQ(symlink(far_away, inside(folder, "far")), 0);
    CHECK_STR(failing(inside(folder, "far"), 3),
              "EIO @: cannot create it: its name is too long");
}

static mode_t mode_of(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 ? info.st_mode & 07777 : 0;
}

static void test_permissions(void)
{
    const char *folder = new_folder(), *path = inside(folder, "a");
    mode_t mask = umask(027);
    CHECK_OK(put(path, "old", NULL, NULL));
    CHECK_EQ(mode_of(path), 0640);
    const mode_t modes[] = {0600, 0644, 0666, 0755};
    for (int i = 0; i < 4; i++) {
        CHECK_EQ(chmod(path, modes[i]), 0);
        CHECK_OK(put(path, "new", NULL, NULL));
        CHECK_EQ(mode_of(path), modes[i]);
    }
    umask(mask);
}

/* Root may write everything: the test runs as another user. */
static void test_unwritable(void)
{
    char folder[] = "/tmp/cleave-test-XXXXXX";
    REQUIRE(mkdtemp(folder) != NULL);
    const char *path = inside(folder, "a");
    CHECK_OK(put(path, "old", NULL, NULL));
    fflush(stdout);
    int before = test_failures_;
    pid_t child = fork();
    if (child == 0) {
        if (chmod(path, 0444) != 0 || chmod(folder, 0555) != 0 ||
            (geteuid() == 0 && setuid(65534) != 0))
            _exit(3);
        CHECK_STR(failing(path, 3), "EIO @: cannot write it: permission denied");
        CHECK_STR(failing(inside(folder, "b"), 3),
                  "EIO @: cannot create it: permission denied");
        _exit(test_failures_ > before);
    }
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(contains(path, "old"));
    chmod(folder, 0755);
    CHECK_EQ(entries(folder), 1);
    unlink(path);
    rmdir(folder);
}

/* ---- Sockets ---------------------------------------------------------------------------- */

static void test_socket(void)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    const char *folder = new_folder(), *path = inside(folder, "s");
    if (strlen(path) >= sizeof name.sun_path)
        return;
    strcpy(name.sun_path, path);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK_EQ(bind(fd, (struct sockaddr *)&name, sizeof name), 0);
    CHECK_STR(failing(path, 3), "EIO @: cannot open it: system error 6");
    close(fd);
}

/* ---- Progress and memory ---------------------------------------------------------------- */

typedef struct watcher {
    int calls, stop_at;
    int64_t done;
    bool sane;
} watcher;

static int watch(void *payload, const cleave_progress *now)
{
    watcher *w = payload;
    w->sane = w->sane && now->size == sizeof *now && strcmp(now->phase, "writing") == 0 &&
              now->done >= w->done;
    w->done = now->done;
    return ++w->calls == w->stop_at;
}

/* By a clock on which the callback is due each time; the library looks at no other. */
static void check_cancel(const clv_graph *g, const char *folder, const char *path)
{
    clock_step = 150000000;
    watcher w = {.sane = true};
    cleave_write_options opt;
    cleave_write_options_init(&opt, sizeof opt);
    opt.progress = watch;
    opt.payload = &w;
    CHECK_OK(cleave_graph_write(g, path, &opt, &err));
    CHECK(w.sane && w.calls > 2);
    int calls = w.calls, files = open_files();
    int64_t live = test_alloc_live();
    for (int old = 0; old < 2; old++)
        for (int stop = 1; stop <= calls; stop++) {
            unlink(path);
            if (old)
                CHECK_OK(put(path, "old", NULL, NULL));
            w = (watcher){.sane = true, .stop_at = stop};
            CHECK_EQ(cleave_graph_write(g, path, &opt, &err), CLEAVE_ECANCEL);
            CHECK_STR(err.message, "writing was cancelled");
            CHECK(w.sane && w.calls == stop);
            CHECK_EQ(entries(folder), old);
            if (old && !strstr(path, ".gz"))
                CHECK(contains(path, "old"));
        }
    unlink(path);
    clock_step = 0;
    CHECK_EQ(test_alloc_live(), live);
    CHECK_EQ(open_files(), files);
}

static void test_cancel(void)
{
    const fixture_kind kind = {.nvtx = 20000, .nedge = 70000, .ncon = 1};
    clv_graph *g = fixture_graph(&kind, 3);
    const char *folder = new_folder();
    const char *const names[] = {"a.graph", "a.mtx", "a.edges", "a.graph.gz"};
    for (int i = 0; i < (has_zlib() ? 4 : 3); i++)
        check_cancel(g, folder, inside(folder, names[i]));
    clv_graph_free(g);
}

static void test_memory(void)
{
    const char *folder = new_folder();
    const char *const names[] = {"a", "a.gz"};
    for (int i = 0; i < (has_zlib() ? 2 : 1); i++) {
        int64_t live = test_alloc_live(), calls = 0;
        int files = open_files();
        for (int64_t n = 1; n < 100; n++) {
            test_alloc_fail_at(n);
            cleave_status status = put(inside(folder, names[i]), "x", NULL, NULL);
            calls = test_alloc_calls();
            test_alloc_fail_at(0);
            CHECK_EQ(status, calls < n ? CLEAVE_OK : CLEAVE_ENOMEM);
            CHECK_EQ(test_alloc_live(), live);
            CHECK_EQ(open_files(), files);
            CHECK_EQ(entries(folder), i + (status == CLEAVE_OK));
            if (calls < n)
                break;
        }
        CHECK(calls >= 5);
    }
}

int main(void)
{
    for (int round = 0; round < 2; round++) {
        refuse_unnamed = round == 1;
        RUN(test_appears_whole);
        RUN(test_killed);
        RUN(test_killed_naming);
        RUN(test_shared_name);
        RUN(test_shared_unnamed);
        RUN(test_taken_names);
        RUN(test_failures);
        RUN(test_full_disk);
        RUN(test_links);
        RUN(test_many_links);
        RUN(test_permissions);
        RUN(test_unwritable);
        RUN(test_cancel);
        RUN(test_memory);
    }
    RUN(test_socket);
    return test_end();
}
