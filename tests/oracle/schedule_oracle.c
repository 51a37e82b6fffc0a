/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/schedule_oracle.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct machine {
    const cleave_schedule *s;
    cleave_csr before;   /* predecessors */
    const int32_t *row;  /* by task, or NULL */
    int64_t *taken;      /* by row: how many predecessors have been added up */
    int32_t *pieces;     /* by row: how many of its tasks have run */
    int32_t *tasks;      /* by row: how many it has */
    int32_t *layer_done; /* by row: where the last task that ran did so; -1: none */
    int32_t *thread_done;
    char *ran; /* by task */
    schedule_oracle out;
} machine;

static void complain(machine *m, const char *format, ...)
{
    va_list arguments;
    if (m->out.fault[0])
        return;
    va_start(arguments, format);
    vsnprintf(m->out.fault, sizeof m->out.fault, format, arguments);
    va_end(arguments);
}

static bool is_complete(const machine *m, int32_t row)
{
    return m->pieces[row] == m->tasks[row];
}

static bool is_visible(const machine *m, int32_t row, int32_t layer, int32_t thread)
{
    return m->layer_done[row] < layer || m->thread_done[row] == thread;
}

static int64_t row_weight(const machine *m, int32_t row)
{
    return m->before.vwgt ? m->before.vwgt[(int64_t)row * m->before.ncon] : 1;
}

/* Of a row's weight what belongs to its first `count` predecessors of `all`. */
static int64_t weight_until(const machine *m, int32_t row, int64_t count)
{
    int64_t all = m->before.xadj[row + 1] - m->before.xadj[row] + 1;
    return row_weight(m, row) * count / all;
}

/* Adds up what the task takes; returns how many values come from other threads. */
static int64_t take_values(machine *m, int32_t task, int32_t row, int32_t layer,
                           int32_t thread)
{
    int64_t first = m->before.xadj[row] + m->taken[row], reads = 0;
    int64_t count = m->row ? cleave_schedule_share(m->s)[task]
                           : m->before.xadj[row + 1] - m->before.xadj[row];
    if (count < 0 || first + count > m->before.xadj[row + 1]) {
        complain(m, "row %d has fewer predecessors than its tasks take", (int)row);
        return 0;
    }
    for (int64_t a = first; a < first + count; a++) {
        int32_t u = m->before.adj[a];
        if (!is_complete(m, u))
            complain(m, "row %d takes %d, which is not there yet", (int)row, (int)u);
        else if (!is_visible(m, u, layer, thread))
            complain(m, "row %d takes %d, which another thread computes meanwhile", (int)row,
                     (int)u);
        reads += m->thread_done[u] != thread;
    }
    m->taken[row] += count;
    return reads;
}

static void run_task(machine *m, int32_t task, int32_t layer, int32_t thread, int64_t *work,
                     int64_t *reads)
{
    int32_t row = m->row ? m->row[task] : task;
    if (m->ran[task]++)
        complain(m, "task %d runs twice", (int)task);
    if (cleave_schedule_layer(m->s)[task] != layer ||
        cleave_schedule_thread(m->s)[task] != thread)
        complain(m, "task %d is in the wrong block", (int)task);
    /* The tasks of a row run one after the other, in ascending order. */
    int32_t first = task;
    while (m->row && first > 0 && m->row[first - 1] == row)
        first--;
    if (task - first != m->pieces[row])
        complain(m, "task %d is not the next one of row %d", (int)task, (int)row);
    if (m->pieces[row] > 0) {
        if (!is_visible(m, row, layer, thread))
            complain(m, "task %d goes on with a sum that it cannot see", (int)task);
        *reads += m->thread_done[row] != thread;
    }
    int64_t before = weight_until(m, row, m->taken[row]);
    *reads += take_values(m, task, row, layer, thread);
    m->pieces[row]++;
    *work += (is_complete(m, row) ? row_weight(m, row) : weight_until(m, row, m->taken[row])) -
             before;
    m->layer_done[row] = layer;
    m->thread_done[row] = thread;
}

static void run_layer(machine *m, int32_t layer, const cleave_schedule_costs *costs,
                      char *used)
{
    int32_t threads = cleave_schedule_threads(m->s);
    const int64_t *block = cleave_schedule_blocks(m->s) + (int64_t)layer * threads;
    int64_t heaviest = 0;
    double longest = 0;
    if (block[0] == block[threads])
        complain(m, "layer %d is empty", (int)layer);
    for (int32_t t = 0; t < threads && !m->out.fault[0]; t++) {
        int64_t work = 0, reads = 0;
        for (int64_t i = block[t]; i < block[t + 1] && !m->out.fault[0]; i++) {
            run_task(m, cleave_schedule_order(m->s)[i], layer, t, &work, &reads);
            used[t] = 1;
        }
        double time = (double)work + costs->read * (double)reads;
        longest = time > longest ? time : longest;
        heaviest = work > heaviest ? work : heaviest;
        m->out.work_total += work;
        m->out.crossing += reads;
    }
    m->out.work_max += heaviest;
    m->out.cost += costs->sync + longest;
}

static void run_all(machine *m, const cleave_schedule_costs *costs)
{
    int32_t rows = cleave_schedule_rows(m->s), tasks = cleave_schedule_tasks(m->s);
    int32_t threads = cleave_schedule_threads(m->s);
    char *used = calloc((size_t)threads + 1, 1);
    for (int32_t t = 0; t < tasks; t++)
        m->tasks[m->row ? m->row[t] : t]++;
    for (int32_t l = 0; l < cleave_schedule_layers(m->s) && !m->out.fault[0]; l++)
        run_layer(m, l, costs, used);
    for (int32_t r = 0; r < rows; r++)
        if (m->tasks[r] == 0 || !is_complete(m, r) ||
            m->taken[r] != m->before.xadj[r + 1] - m->before.xadj[r])
            complain(m, "row %d is not finished", (int)r);
    for (int32_t t = 0; t < threads; t++)
        m->out.threads_used += used[t];
    free(used);
}

schedule_oracle oracle_schedule(const cleave_schedule *s, const cleave_graph *g,
                                const cleave_schedule_costs *costs)
{
    machine m = {.s = s, .row = cleave_schedule_row(s)};
    cleave_schedule_costs usual = {.sync = 500};
    size_t rows = (size_t)cleave_schedule_rows(s) + 1;
    cleave_csr_init(&m.before, sizeof m.before);
    cleave_graph_view_predecessors(g, &m.before);
    if (m.before.nvtx != cleave_schedule_rows(s)) {
        complain(&m, "has %d rows, not %d", (int)rows - 1, (int)m.before.nvtx);
        return m.out;
    }
    m.taken = calloc(rows, sizeof *m.taken);
    m.pieces = calloc(rows, sizeof *m.pieces);
    m.tasks = calloc(rows, sizeof *m.tasks);
    m.layer_done = calloc(rows, sizeof *m.layer_done);
    m.thread_done = calloc(rows, sizeof *m.thread_done);
    m.ran = calloc((size_t)cleave_schedule_tasks(s) + 1, 1);
    memset(m.layer_done, -1, rows * sizeof *m.layer_done);
    run_all(&m, costs ? costs : &usual);
    free(m.taken);
    free(m.pieces);
    free(m.tasks);
    free(m.layer_done);
    free(m.thread_done);
    free(m.ran);
    return m.out;
}
