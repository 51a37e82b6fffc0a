/* SPDX-License-Identifier: Apache-2.0 */
/* cli/minizinc.c - see cli/minizinc.h. */
#include "cli/minizinc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

#include "cli/progress.h"

enum {
    tick = 100,              /* milliseconds between polls of the clock and of signals */
    grace = 5,               /* seconds that the program can exceed its limit by */
    longest_complaint = 400, /* of its output, the first characters kept */
    name_space = 4096
};

int cli_minizinc_init(cli_minizinc *m, const char *solver, const char *prefix,
                      double time_limit)
{
    static const char program[] = "minizinc";
    size_t length = strlen(program);
    *m = (cli_minizinc){.prefix = prefix, .time_limit = time_limit};
    if (prefix && (!*prefix || strlen(prefix) > name_space - 64)) {
        cli_complain("schedule: --export-model needs a prefix of file names");
        return CLI_USAGE;
    }
    if (!solver || strcmp(solver, "builtin") == 0)
        return CLI_OK;
    const char *name = strncmp(solver, program, length) == 0 ? solver + length : "";
    name = strcmp(solver, program) == 0 ? ":gecode" : name;
    if (name[0] != ':' || !name[1] || name[1] == '-' || strlen(name) > sizeof m->solver) {
        cli_complain("schedule: solver \"%.100s\" is none of builtin, minizinc, "
                     "minizinc:SOLVER",
                     solver);
        return CLI_USAGE;
    }
    strcpy(m->solver, name + 1);
    return CLI_OK;
}

bool cli_minizinc_wanted(const cli_minizinc *m)
{
    return m->solver[0] || m->prefix;
}

void cli_minizinc_end(const cli_minizinc *m)
{
    if (m->unsolved > 0)
        cli_warn("%s found no solution of %d of %d instances in time; the builtin solver "
                 "solved them",
                 m->solver, (int)m->unsolved, (int)m->instances);
}

int cli_minizinc_fail(const cli_minizinc *m, cleave_status status, const cleave_error *err)
{
    if (cli_interrupted())
        return cli_fail(CLEAVE_ECANCEL, err);
    return m->failed ? CLI_FAILED : cli_fail(status, err);
}

/* ---- Files ------------------------------------------------------------------------------ */

static int fail_file(cli_minizinc *m, const char *path, int code)
{
    cli_complain("%s: cannot write: %s", path, strerror(code));
    m->failed = true;
    return -1;
}

/* The file is renamed when it is complete. */
static int write_file(cli_minizinc *m, const char *path, const char *text)
{
    char unfinished[name_space + 64];
    snprintf(unfinished, sizeof unfinished, "%s.new%ld", path, (long)getpid());
    FILE *file = fopen(unfinished, "w");
    if (!file)
        return fail_file(m, path, errno);
    int code = fputs(text, file) < 0 ? errno : 0;
    if (fclose(file) != 0 && code == 0)
        code = errno;
    if (code == 0 && rename(unfinished, path) != 0)
        code = errno;
    if (code == 0)
        return 0;
    remove(unfinished);
    return fail_file(m, path, code);
}

/* --export-model: the files that are kept. */
static int keep_files(cli_minizinc *m, const char *model, const char *data)
{
    char path[name_space];
    snprintf(path, sizeof path, "%s.mzn", m->prefix);
    if (write_file(m, path, model) != 0)
        return -1;
    snprintf(path, sizeof path, "%s-%d.dzn", m->prefix, (int)m->instances);
    return write_file(m, path, data);
}

/* An unnamed file, which is removed with the processes that use it, however they end; -1: see
 * errno.  Where the file system does not support it, the file is unlinked at once. */
static int open_unnamed(const char *folder)
{
#ifdef O_TMPFILE
    int unnamed = open(folder, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
    if (unnamed >= 0)
        return unnamed;
#endif
    char path[name_space];
    snprintf(path, sizeof path, "%s/cleave-XXXXXX", folder);
    int fd = mkstemp(path);
    if (fd >= 0) {
        unlink(path);
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
    return fd;
}

static bool write_text(int fd, const char *text)
{
    size_t left = strlen(text);
    while (left > 0) {
        ssize_t done = write(fd, text, left);
        if (done < 0 && errno != EINTR)
            return false;
        text += done > 0 ? done : 0;
        left -= done > 0 ? (size_t)done : 0;
    }
    return true;
}

/* Model and data as one text: items of MiniZinc can be in any order.  -1: an error was
 * printed. */
static int open_instance(cli_minizinc *m, const char *model, const char *data)
{
    const char *folder = getenv("TMPDIR");
    if (!folder || !*folder || strlen(folder) > name_space - 64)
        folder = "/tmp";
    int fd = open_unnamed(folder);
    if (fd >= 0 && write_text(fd, model) && write_text(fd, "\n") && write_text(fd, data) &&
        lseek(fd, 0, SEEK_SET) == 0)
        return fd;
    int code = errno;
    if (fd >= 0)
        close(fd);
    return fail_file(m, folder, code);
}

/* ---- The process ------------------------------------------------------------------------ */

typedef struct text_buffer {
    char *bytes;
    size_t length, space;
} text_buffer;

typedef struct process {
    pid_t id;
    int output, errors; /* pipes from it */
    int code;           /* why it could not be started, or 0 */
} process;

/* In the new process: never returns. */
static void become_minizinc(const cli_minizinc *m, int input, int output, int errors,
                            int report)
{
    char limit[32];
    const char *words[12] = {"minizinc", "--solver", m->solver};
    int count = 3;
    if (m->time_limit > 0) {
        snprintf(limit, sizeof limit, "%.0f",
                 m->time_limit * 1e3 < 1 ? 1 : m->time_limit * 1e3);
        words[count++] = "--time-limit";
        words[count++] = limit;
    }
    words[count++] = "-";
    /* Its own process group: it has children, and all of them must end at the time limit. */
    setpgid(0, 0);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
#ifdef PR_SET_PDEATHSIG
    /* When this program is killed the child must end, too; it then removes its own files. */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
    if (dup2(input, 0) >= 0 && dup2(output, 1) >= 0 && dup2(errors, 2) >= 0)
        execvp(words[0], (char *const *)words);
    int code = errno;
    if (write(report, &code, sizeof code) < 0)
        _exit(126);
    _exit(127);
}

static bool open_pipes(int pipes[3][2])
{
    for (int i = 0; i < 3; i++) {
        if (pipe(pipes[i]) != 0) {
            while (i-- > 0) {
                close(pipes[i][0]);
                close(pipes[i][1]);
            }
            return false;
        }
        for (int end = 0; end < 2; end++)
            fcntl(pipes[i][end], F_SETFD, FD_CLOEXEC);
    }
    return true;
}

static process start(const cli_minizinc *m, int input)
{
    int pipes[3][2];
    process p = {.id = -1};
    if (!open_pipes(pipes)) {
        p.code = errno;
        return p;
    }
    p.id = fork();
    if (p.id == 0)
        become_minizinc(m, input, pipes[0][1], pipes[1][1], pipes[2][1]);
    p.code = p.id < 0 ? errno : 0;
    for (int i = 0; i < 3; i++)
        close(pipes[i][1]);
    /* Closed by a successful exec. */
    int code = 0;
    if (p.id > 0 && read(pipes[2][0], &code, sizeof code) == (ssize_t)sizeof code)
        p.code = code;
    close(pipes[2][0]);
    p.output = pipes[0][0];
    p.errors = pipes[1][0];
    return p;
}

/* Returns false at the end of the stream. */
static bool receive(int stream, text_buffer *text)
{
    if (text->space - text->length < name_space) {
        text->space = 2 * text->space + 2 * name_space;
        char *larger = cli_alloc((int64_t)text->space, 1);
        if (text->length > 0)
            memcpy(larger, text->bytes, text->length);
        free(text->bytes);
        text->bytes = larger;
    }
    ssize_t count = read(stream, text->bytes + text->length, name_space - 1);
    if (count < 0)
        return errno == EINTR || errno == EAGAIN;
    text->length += (size_t)count;
    text->bytes[text->length] = '\0';
    return count > 0;
}

/* Reads both streams to their ends; kills the group after its time limit or a signal. */
static void listen_to(const cli_minizinc *m, const process *p, text_buffer *output,
                      text_buffer *errors)
{
    double start_time = cli_clock();
    struct pollfd streams[2] = {{p->output, POLLIN, 0}, {p->errors, POLLIN, 0}};
    bool killed = false;
    while (streams[0].fd >= 0 || streams[1].fd >= 0) {
        bool late = m->time_limit > 0 && cli_clock() > start_time + m->time_limit + grace;
        if (!killed && (late || cli_interrupted())) {
            kill(-p->id, SIGKILL);
            killed = true;
        }
        if (poll(streams, 2, tick) <= 0)
            continue;
        if (streams[0].revents && !receive(p->output, output))
            streams[0].fd = -1;
        if (streams[1].revents && !receive(p->errors, errors))
            streams[1].fd = -1;
    }
}

static void complain_not_started(const cli_minizinc *m, int code)
{
    if (code == ENOENT)
        cli_complain("the program minizinc, which --solver minizinc:%s needs, is not "
                     "installed (Debian: apt-get install minizinc) or not in PATH; "
                     "--solver builtin needs none",
                     m->solver);
    else
        cli_complain("cannot run minizinc: %s", strerror(code));
}

/* ---- An answer -------------------------------------------------------------------------- */

/* The first line of the program's output that is not one of its usual warnings. */
static void complain_failed(const cli_minizinc *m, const char *errors)
{
    const char *line = errors ? errors : "";
    while (*line == '\n' || strncmp(line, "Warning", strlen("Warning")) == 0) {
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    int length = (int)strcspn(line, "\n");
    if (length == 0)
        cli_complain("minizinc --solver %s failed without a message", m->solver);
    else
        cli_complain("minizinc --solver %s failed: %.*s", m->solver,
                     length < longest_complaint ? length : longest_complaint, line);
}

static int run_solver(cli_minizinc *m, int input, int32_t count, int32_t *part)
{
    text_buffer output = {0}, errors = {0};
    process p = start(m, input);
    int status = 0, answer = -1, proved = 0;
    if (p.id > 0)
        listen_to(m, &p, &output, &errors);
    while (p.id > 0 && waitpid(p.id, &status, 0) < 0 && errno == EINTR)
        ;
    if (p.id > 0 || p.output > 0) {
        close(p.output);
        close(p.errors);
    }
    bool ended_well = p.id > 0 && p.code == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (p.code != 0)
        complain_not_started(m, p.code);
    else if (output.bytes &&
             cleave_two_way_answer(part, count, output.bytes, &proved, NULL) == CLEAVE_OK)
        answer = 0;
    else if (m->time_limit > 0 && !cli_interrupted() && (ended_well || WIFSIGNALED(status)))
        answer = 1;
    else if (!cli_interrupted())
        complain_failed(m, errors.bytes);
    m->proved += answer == 0 && proved;
    m->unsolved += answer > 0;
    m->failed = m->failed || (answer < 0 && !cli_interrupted());
    free(output.bytes);
    free(errors.bytes);
    return answer;
}

int cli_minizinc_solve(void *payload, const char *model, const char *data, int32_t count,
                       int32_t *part)
{
    cli_minizinc *m = payload;
    m->instances++;
    if (m->prefix && keep_files(m, model, data) != 0)
        return -1;
    if (!m->solver[0])
        return 1;
    int input = open_instance(m, model, data);
    if (input < 0)
        return -1;
    int answer = run_solver(m, input, count, part);
    close(input);
    return answer;
}
