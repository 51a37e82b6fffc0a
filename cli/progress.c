/* SPDX-License-Identifier: Apache-2.0 */
/* The progress line and the signals.
 *
 * A signal outside a library call, where there is nothing to clean up, ends the program.
 * Inside one it is remembered for the callback; should the call sit in a read of a silent
 * pipe, where no callback comes, an alarm ends the program a second later.  A call that
 * writes gets no alarm, so that it can remove its temporary file. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/progress.h"

static volatile sig_atomic_t signal_seen;
static volatile sig_atomic_t inside_call; /* 1: reading, 2: writing */

static void leave(int number)
{
    static const char text[] = "cleave: interrupted\n";
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
    _exit(CLI_SIGNALLED + number);
}

static void on_signal(int number)
{
    if (signal_seen || !inside_call)
        leave(number);
    signal_seen = number;
    if (inside_call == 1)
        alarm(1);
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

/* A signal that our parent has us ignore stays ignored (nohup, background jobs). */
static void handle_unless_ignored(int number)
{
    struct sigaction before;
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_IGN)
        return;
    handle(number, on_signal);
}

void cli_signals_init(void)
{
    handle_unless_ignored(SIGINT);
    handle_unless_ignored(SIGTERM);
    handle(SIGALRM, on_alarm);
    handle(SIGPIPE, SIG_DFL); /* `cleave ... | head` ends quietly */
}

int cli_interrupted(void)
{
    return signal_seen;
}

void cli_progress_begin(cli_progress *progress, bool writing)
{
    memset(progress, 0, sizeof *progress);
    progress->start = cli_clock();
    progress->terminal = isatty(STDERR_FILENO);
    inside_call = writing ? 2 : 1;
}

static void draw(cli_progress *progress, const cleave_progress *now)
{
    enum { cells = 24 };
    char line[128], bar[cells + 1];
    const char *phase = now->phase ? now->phase : "working";
    if (now->total > 0) {
        double part = (double)now->done / (double)now->total;
        part = part < 0 ? 0 : part > 1 ? 1 : part;
        for (int i = 0; i < cells; i++)
            bar[i] = i < (int)(part * cells) ? '#' : '.';
        bar[cells] = 0;
        snprintf(line, sizeof line, "%.40s [%s] %3d %%", phase, bar, (int)(part * 100));
    } else {
        snprintf(line, sizeof line, "%.40s, %.0f s", phase, cli_clock() - progress->start);
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

void cli_progress_end(cli_progress *progress)
{
    inside_call = 0;
    if (progress->width)
        fprintf(stderr, "\r%*s\r", progress->width, "");
    progress->width = 0;
}
