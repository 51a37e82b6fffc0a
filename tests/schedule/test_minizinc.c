/* SPDX-License-Identifier: Apache-2.0 */
/* cli/minizinc.c with fake minizinc programs and, where it is installed, with MiniZinc and
 * Gecode: the same optima as the builtin solver. */
#include "cli/minizinc.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "schedule/two_way_fixture.h"

const char cli_program[] = "test_minizinc"; /* of cli/cli.h */

enum { compared = 40, largest_compared = 12 };

static cleave_error err;
static char usual_path[4096];

/* ---- Pretenders ------------------------------------------------------------------------- */

/* PATH holds one program of that name, a shell script; NULL: none. */
static void pretend(const char *script)
{
    char folder[4096], path[4200], text[20000];
    snprintf(folder, sizeof folder, "%s/bin", test_scratch());
    snprintf(path, sizeof path, "%s/minizinc", folder);
    mkdir(folder, 0777);
    unlink(path);
    if (script) {
        snprintf(text, sizeof text, "#!/bin/sh\nPATH=/usr/bin:/bin\n%s\n", script);
        FILE *file = fopen(path, "w");
        if (!file || fputs(text, file) < 0 || fclose(file) != 0 || chmod(path, 0777) != 0)
            exit(EXIT_FAILURE);
    }
    setenv("PATH", folder, 1);
}

static int ask(cli_minizinc *m, int32_t count, int32_t *part)
{
    return cli_minizinc_solve(m, clv_two_way_model_text(), "n_V = 3;\n", count, part);
}

/* What standard error got meanwhile. */
static char heard[8192];
static int saved_stderr;

static void listen_in(void)
{
    char path[4200];
    fflush(stderr);
    snprintf(path, sizeof path, "%s/heard", test_scratch());
    saved_stderr = dup(2);
    if (!freopen(path, "w", stderr))
        exit(EXIT_FAILURE);
}

static void listen_no_more(void)
{
    char path[4200];
    fflush(stderr);
    dup2(saved_stderr, 2);
    close(saved_stderr);
    snprintf(path, sizeof path, "%s/heard", test_scratch());
    FILE *file = fopen(path, "r");
    size_t count = file ? fread(heard, 1, sizeof heard - 1, file) : 0;
    heard[count] = '\0';
    if (file)
        fclose(file);
}

static int files_left(void)
{
    int count = 0;
    char path[4200];
    snprintf(path, sizeof path, "%s/tmp", test_scratch());
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        count += entry->d_name[0] != '.';
    if (folder)
        closedir(folder);
    return count;
}

static void test_pretenders(void)
{
    static const struct {
        const char *script;
        double limit;
        int answer;
        const char *said; /* a part of it */
    } cases[] = {
        {"echo 'PART = [1, 0, 2];'; echo ----------; echo ==========", 0, 0, ""},
        {"echo 'Warning: old' >&2; echo 'PART = [1, 0, 2];'; echo ----------", 5, 0, ""},
        {"echo 'PART = [0, 0, 0];'; echo ----------; echo 'PART = [1, 0, 2];'; echo "
         "----------;"
         " exit 1",
         0, 0, ""},
        {NULL, 0, -1, "not installed (Debian: apt-get install minizinc)"},
        {"printf 'Warning: old\\n\\nno solver with tag gecode\\nhelp\\n' >&2; exit 1", 5, -1,
         "minizinc --solver gecode failed: no solver with tag gecode\n"},
        {"echo 'PART = [1, 0];'; echo ----------", 0, -1, "failed without a message"},
        {"echo =====UNKNOWN=====", 0, -1, "failed without a message"},
        {"echo =====UNKNOWN=====", 5, 1, ""},
        {"kill -9 $$", 5, 1, ""},
        {"yes 'warning warning warning' | head -c 3000000 >&2; yes % | head -c 3000000;"
         " echo; echo 'PART = [1, 0, 2];'; echo ----------",
         0, 0, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cli_minizinc m;
        int32_t part[3] = {-1, -1, -1};
        pretend(cases[i].script);
        CHECK_EQ(cli_minizinc_init(&m, "minizinc", NULL, cases[i].limit), 0);
        CHECK(cli_minizinc_wanted(&m));
        listen_in();
        int answer = ask(&m, 3, part);
        listen_no_more();
        CHECK_EQ(answer, cases[i].answer);
        CHECK(*cases[i].said ? strstr(heard, cases[i].said) != NULL : heard[0] == '\0');
        if (answer == 0)
            CHECK(part[0] == 1 && part[1] == 0 && part[2] == 2);
        CHECK_EQ(m.failed, answer < 0);
        CHECK_EQ(m.unsolved, answer > 0);
        CHECK_EQ(m.instances, 1);
        CHECK_EQ(m.proved, i == 0);
        CHECK_EQ(files_left(), 0);
        listen_in();
        cli_minizinc_end(&m);
        listen_no_more();
        CHECK_EQ(strstr(heard, "found no solution of 1 of 1 instances") != NULL, answer > 0);
    }
}

/* The input of the program; the data are at its end. */
static void test_words(void)
{
    char script[16000], path[4200];
    cli_minizinc m;
    int32_t part[3];
    snprintf(path, sizeof path, "%s/words", test_scratch());
    snprintf(script, sizeof script,
             "echo \"$*\" >'%s'; tail -n 1 >>'%s'; echo 'PART = [1, 0, 2];'; echo ----------",
             path, path);
    pretend(script);
    CHECK_EQ(cli_minizinc_init(&m, "minizinc:or tools", NULL, 1.5), 0);
    CHECK_EQ(ask(&m, 3, part), 0);
    char words[256] = "";
    FILE *file = fopen(path, "r");
    REQUIRE(file);
    words[fread(words, 1, sizeof words - 1, file)] = '\0';
    fclose(file);
    CHECK_STR(words, "--solver or tools --time-limit 1500 -\nn_V = 3;\n");
}

static void test_hanging(void)
{
    cli_minizinc m;
    int32_t part[3];
    pretend("sleep 100 & sleep 100");
    CHECK_EQ(cli_minizinc_init(&m, "minizinc", NULL, 0.01), 0);
    double start = cli_clock();
    CHECK_EQ(ask(&m, 3, part), 1);
    CHECK(cli_clock() - start < 60); /* its children too */
}

/* Whether a process runs: its parent may not have looked at its end. */
static bool alive(long id)
{
    char path[64], state = 'Z';
    snprintf(path, sizeof path, "/proc/%ld/stat", id);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
        state = 'Z';
    if (file)
        fclose(file);
    return state != 'Z';
}

/* Killed while the program works: no file is left, and the program ends, too. */
static void test_killed(void)
{
    char script[16000], path[4200];
    cli_minizinc m;
    int32_t part[3];
    long program = 0;
    snprintf(path, sizeof path, "%s/program", test_scratch());
    snprintf(script, sizeof script, "echo $$ >'%s.new'; mv '%s.new' '%s'; exec sleep 100",
             path, path, path);
    pretend(script);
    CHECK_EQ(cli_minizinc_init(&m, "minizinc", NULL, 0), 0);
    pid_t child = fork();
    if (child == 0)
        _exit(ask(&m, 3, part) == 0);
    REQUIRE(child > 0);
    for (int tenths = 0; tenths < 300 && access(path, F_OK) != 0; tenths++)
        usleep(100000);
    FILE *file = fopen(path, "r");
    CHECK(file && fscanf(file, "%ld", &program) == 1);
    if (file)
        fclose(file);
    CHECK_EQ(kill(child, SIGKILL), 0);
    CHECK_EQ(waitpid(child, NULL, 0), child);
    CHECK_EQ(files_left(), 0);
#ifdef __linux__
    for (int tenths = 0; tenths < 300 && alive(program); tenths++)
        usleep(100000);
    CHECK(!alive(program));
#endif
}

/* ---- Words and files -------------------------------------------------------------------- */

static void test_solver_names(void)
{
    static const char *const good[][2] = {
        {"builtin", ""}, {NULL, ""}, {"minizinc", "gecode"}, {"minizinc:chuffed", "chuffed"}};
    static const char *const bad[] = {
        "",
        "minizin",
        "minizincs",
        "minizinc:",
        "minizinc:-D",
        "gecode",
        "builtin:x",
        "MINIZINC",
        "minizinc:a23456789b23456789c23456789d23456789e23456789f23456789g23456789h"};
    cli_minizinc m;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        CHECK_EQ(cli_minizinc_init(&m, good[i][0], NULL, 0), 0);
        CHECK_STR(m.solver, good[i][1]);
        CHECK_EQ(cli_minizinc_wanted(&m), good[i][1][0] != '\0');
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        listen_in();
        int status = cli_minizinc_init(&m, bad[i], NULL, 0);
        listen_no_more();
        CHECK_EQ(status, CLI_USAGE);
        CHECK(strstr(heard, "is none of builtin, minizinc, minizinc:SOLVER"));
    }
    listen_in();
    CHECK_EQ(cli_minizinc_init(&m, "builtin", "", 0), CLI_USAGE);
    listen_no_more();
    CHECK(strstr(heard, "--export-model"));
}

static bool file_holds(const char *prefix, const char *end, const char *text)
{
    char path[4200], found[8192];
    snprintf(path, sizeof path, "%s%s", prefix, end);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    found[fread(found, 1, sizeof found - 1, file)] = '\0';
    fclose(file);
    return strcmp(found, text) == 0;
}

static void test_export(void)
{
    char prefix[4096];
    cli_minizinc m;
    int32_t part[3] = {7, 7, 7};
    snprintf(prefix, sizeof prefix, "%s/kept", test_scratch());
    pretend(NULL);
    CHECK_EQ(cli_minizinc_init(&m, "builtin", prefix, 0), 0);
    CHECK(cli_minizinc_wanted(&m));
    CHECK_EQ(cli_minizinc_solve(&m, "the model\n", "first\n", 3, part), 1);
    CHECK_EQ(cli_minizinc_solve(&m, "the model\n", "second\n", 3, part), 1);
    CHECK(file_holds(prefix, ".mzn", "the model\n"));
    CHECK(file_holds(prefix, "-1.dzn", "first\n"));
    CHECK(file_holds(prefix, "-2.dzn", "second\n"));
    CHECK(m.instances == 2 && m.unsolved == 0 && !m.failed);
    snprintf(prefix, sizeof prefix, "%s/nowhere/kept", test_scratch());
    CHECK_EQ(cli_minizinc_init(&m, "builtin", prefix, 0), 0);
    listen_in();
    int answer = ask(&m, 3, part), status = cli_minizinc_fail(&m, CLEAVE_EIO, &err);
    listen_no_more();
    CHECK(answer < 0 && m.failed);
    CHECK_EQ(status, CLI_FAILED);
    CHECK(strstr(heard, "nowhere/kept.mzn: cannot write: No such file"));
}

/* ---- The true one ----------------------------------------------------------------------- */

static bool installed(void)
{
    setenv("PATH", usual_path, 1);
    return system("minizinc --solvers 2>/dev/null | grep -qi gecode") == 0;
}

static void compare(const clv_two_way *model, clv_context *ctx, int64_t known)
{
    int32_t part[largest_compared];
    clv_two_way_result ours = {0}, theirs = {0};
    cli_minizinc m;
    CHECK_EQ(cli_minizinc_init(&m, "minizinc:gecode", NULL, 120), 0);
    CHECK_OK(clv_two_way_solve(model, ctx, part, &ours, &err));
    CHECK(ours.proved);
    CHECK_OK(clv_two_way_call(model, (clv_two_way_solver){cli_minizinc_solve, &m}, ctx, part,
                              &theirs, &err));
    CHECK_EQ(m.proved, 1);
    CHECK_EQ(theirs.objective, ours.objective);
    if (known >= 0)
        CHECK_EQ(theirs.objective, known);
}

static void test_same_optimum(void)
{
    clv_context ctx;
    two_way_fixture f;
    setenv("PATH", usual_path, 1);
    two_way_open(&ctx, 1, 1, 0);
    two_way_figure_6(&f);
    compare(&f.model, &ctx, 37);
    two_way_free(&f);
    for (uint64_t round = 0; round < compared; round += TEST_STRIDE) {
        two_way_options o = two_way_any(1000 + round, largest_compared);
        two_way_make(&f, &o);
        compare(&f.model, &ctx, -1);
        two_way_free(&f);
    }
    clv_context_close(&ctx);
}

int main(void)
{
    char temporary[4200];
    snprintf(usual_path, sizeof usual_path, "%s", getenv("PATH") ? getenv("PATH") : "");
    snprintf(temporary, sizeof temporary, "%s/tmp", test_scratch());
    mkdir(temporary, 0777);
    setenv("TMPDIR", temporary, 1);
    RUN(test_pretenders);
    RUN(test_words);
    RUN(test_hanging);
    RUN(test_killed);
    RUN(test_solver_names);
    RUN(test_export);
    if (installed())
        RUN(test_same_optimum);
    else if (test_failures_ == 0) {
        printf("minizinc with gecode is not installed: optima are not compared\n");
        return TEST_SKIP;
    }
    return test_end();
}
