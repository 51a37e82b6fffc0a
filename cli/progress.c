/* SPDX-License-Identifier: Apache-2.0 */
/* The progress line and the signals.
 *
 * A signal outside a library call, where there is nothing to clean up, ends the program.
 * Inside one it is remembered for the callback; if the call blocks in a read of a silent pipe,
 * without callbacks, an alarm ends the program a second later.  There is no alarm for a call
 * that writes, so that it can remove its temporary file (cli_signals_hurry limits its time),
 * and none for a call that computes, so that it can return the best result so far. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "cli/progress.h"

static volatile sig_atomic_t signal_seen;
static volatile sig_atomic_t inside_call; /* a cli_call, or 0 */

static char farewell[64]; /* "": none */
static void (*clean_up)(void);

static void leave(int number)
{
    ssize_t written = write(STDERR_FILENO, farewell, strlen(farewell));
    (void)written;
    if (clean_up)
        clean_up();
    _exit(CLI_SIGNALLED + number);
}

static void on_signal(int number)
{
    if (signal_seen || !inside_call)
        leave(number);
    signal_seen = number;
    const struct itimerval soon = {.it_value.tv_usec = 500000};
    if (inside_call == CLI_READING)
        alarm(1);
    else if (inside_call == CLI_WRITING && clean_up)
        setitimer(ITIMER_REAL, &soon, NULL);
}

static void on_alarm(int number)
{
    (void)number;
    leave(signal_seen ? signal_seen : SIGINT);
}

static void handle(int number, void (*handler)(int))
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

/* A signal that the parent process ignores stays ignored (nohup, background jobs). */
static void handle_unless_ignored(int number)
{
    struct sigaction before;
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_IGN)
        return;
    handle(number, on_signal);
}

void cli_signals_init(bool speaks)
{
    if (speaks)
        snprintf(farewell, sizeof farewell, "%s: interrupted\n", cli_program);
    handle_unless_ignored(SIGINT);
    handle_unless_ignored(SIGTERM);
    handle_unless_ignored(SIGHUP); /* the terminal or the connection is gone */
    handle(SIGALRM, on_alarm);
    handle(SIGPIPE, SIG_DFL); /* `cleave ... | head` ends quietly */
}

void cli_signals_hurry(void (*what)(void))
{
    clean_up = what;
}

int cli_interrupted(void)
{
    return signal_seen;
}

void cli_progress_begin(cli_progress *progress, cli_call what)
{
    memset(progress, 0, sizeof *progress);
    progress->start = cli_clock();
    progress->terminal = isatty(STDERR_FILENO);
    inside_call = (sig_atomic_t)what;
}

/* "refining, level 3, cut 12345" */
static void describe(char text[80], const cleave_progress *now)
{
    int used = snprintf(text, 80, "%.30s", now->phase ? now->phase : "working");
    if (now->level >= 0)
        used += snprintf(text + used, 80 - (size_t)used, ", level %d", (int)now->level);
    if (now->cut >= 0)
        snprintf(text + used, 80 - (size_t)used, ", cut %" PRId64, now->cut);
}

static void draw(cli_progress *progress, const cleave_progress *now)
{
    enum { cells = 24 };
    char line[160], bar[cells + 1], text[80];
    describe(text, now);
    if (now->total > 0) {
        double part = (double)now->done / (double)now->total;
        part = part < 0 ? 0 : part > 1 ? 1 : part;
        for (int i = 0; i < cells; i++)
            bar[i] = i < (int)(part * cells) ? '#' : '.';
        bar[cells] = 0;
        snprintf(line, sizeof line, "%s [%s] %3d %%", text, bar, (int)(part * 100));
    } else {
        snprintf(line, sizeof line, "%s, %.0f s", text, cli_clock() - progress->start);
    }
    int width = (int)strlen(line);
    int pad = progress->width > width ? progress->width - width : 0;
    fprintf(stderr, "\r%s%*s", line, pad, "");
    fflush(stderr);
    progress->width = width + pad;
}

int cli_progress_report(void *payload, const cleave_progress *now)
{
    cli_progress *progress = payload;
    double clock = progress->terminal ? cli_clock() : 0;
    if (progress->terminal && clock - progress->start > 1 && clock - progress->drawn > 0.1) {
        draw(progress, now);
        progress->drawn = clock;
    }
    return signal_seen != 0;
}

double cli_progress_end(cli_progress *progress)
{
    inside_call = 0;
    if (progress->width)
        fprintf(stderr, "\r%*s\r", progress->width, "");
    progress->width = 0;
    return cli_clock() - progress->start;
}
