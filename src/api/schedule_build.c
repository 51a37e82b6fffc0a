/* SPDX-License-Identifier: Apache-2.0 */
/* api/schedule_build.c - cleave_schedule_build: check the options, split rows where asked,
 * call the method by name, sort its answer into blocks, and check that. */
#include <math.h>
#include <string.h>

#include "api/schedule_costs.h"
#include "api/schedule_make.h"
#include "evaluate/schedule_metrics.h"
#include "schedule/schedulers.h"

void cleave_schedule_options_init(cleave_schedule_options *opt, size_t size)
{
    cleave_schedule_options defaults = {.threads = 2, .seed = 1};
    clv_sized_init(opt, size);
    clv_sized_write(opt, &defaults, sizeof defaults);
}

typedef struct job {
    cleave_schedule_options opt;
    clv_schedule_costs costs;
    clv_graphopt_params graphopt;
    double sync; /* the cost of a layer in the caller's unit: costs.sync, or that of params */
    clv_context *ctx;
} job;

/* ---- Methods -------------------------------------------------------------------------- */

/* *name: what the schedule will say made it. */
typedef cleave_status (*method_fn)(const job *j, const clv_graph *g, int32_t *layer,
                                   int32_t *thread, const char **name, cleave_error *err);

static cleave_status run_auto(const job *j, const clv_graph *g, int32_t *layer,
                              int32_t *thread, const char **name, cleave_error *err)
{
    return clv_schedule_auto(g, j->opt.threads, &j->costs, j->ctx, layer, thread, name, err);
}

static cleave_status run_graphopt(const job *j, const clv_graph *g, int32_t *layer,
                                  int32_t *thread, const char **name, cleave_error *err)
{
    (void)name;
    return clv_schedule_graphopt(g, j->opt.threads, &j->graphopt, j->ctx, layer, thread, err);
}

static cleave_status run_grow(const job *j, const clv_graph *g, int32_t *layer,
                              int32_t *thread, const char **name, cleave_error *err)
{
    (void)name;
    return clv_schedule_grow(g, j->opt.threads, &j->costs, j->ctx, layer, thread, err);
}

static cleave_status run_levels(const job *j, const clv_graph *g, int32_t *layer,
                                int32_t *thread, const char **name, cleave_error *err)
{
    (void)name;
    return clv_schedule_levels(g, j->opt.threads, j->ctx, layer, thread, err);
}

static cleave_status run_serial(const job *j, const clv_graph *g, int32_t *layer,
                                int32_t *thread, const char **name, cleave_error *err)
{
    (void)j, (void)name, (void)err;
    memset(layer, 0, (size_t)g->nvtx * sizeof *layer);
    memset(thread, 0, (size_t)g->nvtx * sizeof *thread);
    return CLEAVE_OK;
}

typedef struct method {
    const char *name;
    method_fn run;
} method;
static const method methods[] = {
    {"auto", run_auto},     {"graphopt", run_graphopt}, {"grow", run_grow},
    {"levels", run_levels}, {"serial", run_serial},
};

static const method *find_method(const char *name)
{
    if (!name || !*name)
        return &methods[0];
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        if (strcmp(name, methods[i].name) == 0)
            return &methods[i];
    return NULL;
}

/* ---- Options -------------------------------------------------------------------------- */

static cleave_status check_graph(const clv_graph *g, cleave_error *err)
{
    if (!g)
        return clv_fail(err, CLEAVE_EINVAL, "the graph is NULL");
    if (g->kind != CLEAVE_DAG)
        return clv_fail(err, CLEAVE_EINVAL,
                        "only a DAG can be scheduled, but the graph is undirected");
    if (g->ncon != 1)
        return clv_fail(err, CLEAVE_EINVAL,
                        "a schedule is for graphs with one weight per vertex, but this one "
                        "has %ld",
                        (long)g->ncon);
    return CLEAVE_OK;
}

static cleave_status check_numbers(const cleave_schedule_options *opt, cleave_error *err)
{
    if (opt->threads < 1 || opt->threads > clv_schedule_most_threads)
        return clv_fail(err, CLEAVE_EINVAL,
                        "a schedule for %ld threads is not possible, only for 1 to %d",
                        (long)opt->threads, (int)clv_schedule_most_threads);
    if (opt->workers < 0)
        return clv_fail(err, CLEAVE_EINVAL, "workers is %d", opt->workers);
    if (!(opt->time_limit >= 0) || !isfinite(opt->time_limit))
        return clv_fail(err, CLEAVE_EINVAL, "time_limit is not a number of seconds >= 0");
    return CLEAVE_OK;
}

/* What only graphopt takes. */
static cleave_status check_params(job *j, const method *m, cleave_error *err)
{
    const char *params = j->opt.params;
    j->sync = j->costs.sync;
    if (m->run != run_graphopt) {
        if (params && *params)
            return clv_fail(err, CLEAVE_EINVAL, "method %s has no params, but they are \"%s\"",
                            m->name, params);
        return CLEAVE_OK;
    }
    j->graphopt = clv_graphopt_defaults();
    j->graphopt.sync = -1;
    j->graphopt.solver = j->opt.solver;
    j->graphopt.solver_payload = j->opt.solver_payload;
    if (params && *params)
        CLV_TRY(clv_graphopt_parse(&j->graphopt, params, err));
    if (j->graphopt.sync >= 0)
        j->sync = j->graphopt.sync;
    return CLEAVE_OK;
}

static cleave_status check_options(job *j, const method **m,
                                   const cleave_schedule_options *opt, cleave_error *err)
{
    cleave_schedule_options_init(&j->opt, sizeof j->opt);
    if (opt)
        CLV_TRY(clv_sized_copy(&j->opt, sizeof j->opt, opt, "cleave_schedule_options", err));
    CLV_TRY(check_numbers(&j->opt, err));
    cleave_schedule_costs costs;
    CLV_TRY(clv_schedule_costs_take(&costs, j->opt.costs, err));
    j->costs = (clv_schedule_costs){.sync = costs.sync, .read = costs.read};
    *m = find_method(j->opt.method);
    if (!*m)
        return clv_fail(err, CLEAVE_EINVAL,
                        "there is no method \"%s\" for schedules: auto, graphopt, grow, "
                        "levels and serial are there",
                        j->opt.method);
    return check_params(j, *m, err);
}

/* ---- Building ------------------------------------------------------------------------- */

/* As many threads as were asked for; but if so many could not be kept for so many layers, and
 * the method says which it needs, only those. */
static int32_t fit_threads(const job *j, const method *m, const clv_graph *g,
                           const int32_t *layer, const int32_t *thread)
{
    int32_t layers = 0, used = 1;
    if (m->run != run_auto && m->run != run_grow)
        return j->opt.threads;
    for (int32_t v = 0; v < g->nvtx; v++) {
        layers = layer[v] >= layers ? layer[v] + 1 : layers;
        used = thread[v] >= used ? thread[v] + 1 : used;
    }
    return clv_schedule_is_plausible(g->nvtx, layers, j->opt.threads) ? j->opt.threads : used;
}

static cleave_status finish(clv_schedule **out, const job *j, const method *m,
                            const clv_graph *g, const char *name, const int32_t *layer,
                            const int32_t *thread, cleave_error *err)
{
    int32_t threads = fit_threads(j, m, g, layer, thread);
    return clv_schedule_new(out, g, name, threads, layer, thread, j->ctx->ws, err);
}

/* Calls the method with weights and costs in a unit of their own: no method sees in which unit
 * the caller counts. */
static cleave_status run_in_unit(const job *j, const method *m, const clv_graph *g,
                                 int32_t *layer, int32_t *thread, const char **name,
                                 cleave_error *err)
{
    job own = *j;
    clv_graph view;
    clv_ws_mark mark = clv_ws_save(j->ctx->ws);
    clv_schedule_unit unit = clv_schedule_unit_of(g, j->sync);
    CLV_TRY(clv_schedule_unit_graph(&view, g, unit, j->ctx->ws, err));
    own.costs.sync = clv_schedule_unit_cost(unit, j->costs.sync);
    own.costs.read = clv_schedule_unit_cost(unit, j->costs.read);
    own.graphopt.sync = clv_graphopt_whole_sync(clv_schedule_unit_cost(unit, j->sync));
    cleave_status status = m->run(&own, &view, layer, thread, name, err);
    clv_ws_restore(j->ctx->ws, mark);
    return status;
}

static cleave_status build_tasks(clv_schedule **out, const job *j, const method *m,
                                 const clv_graph *g, cleave_error *err)
{
    clv_context *ctx = j->ctx;
    int32_t *layer = clv_ws_alloc(ctx->ws, g->nvtx, sizeof *layer);
    int32_t *thread = clv_ws_alloc(ctx->ws, g->nvtx, sizeof *thread);
    const char *name = m->name;
    if (!layer || !thread)
        return clv_fail_memory(err);
    clv_context_phase(ctx, "scheduling", 0, 0);
    CLV_TRY(run_in_unit(j, m, g, layer, thread, &name, err));
    return finish(out, j, m, g, name, layer, thread, err);
}

/* Tasks and the schedule by which rows were cut. */
typedef struct split_rows {
    clv_graph *tasks; /* owned, until a schedule does; in its arena the rest: */
    int32_t *row, *layer, *thread;
} split_rows;

/* What auto looks for with split rows and without: side by side, if there are threads. */
typedef struct both_ways {
    const job *j;
    const clv_graph *g;
    split_rows split;
    int32_t *layer, *thread; /* of whole rows */
    const char *name[2];     /* with split rows, with whole ones */
    double cost[2];
    cleave_status status[2];
    cleave_error err[2];
} both_ways;

static bool nothing_split(const both_ways *b)
{
    return b->split.tasks->nvtx == b->g->nvtx;
}

/* The schedule by which rows were cut is the first candidate. */
static cleave_status search_split(both_ways *b, clv_context *ctx, cleave_error *err)
{
    const job *j = b->j;
    split_rows *s = &b->split;
    int32_t threads = j->opt.threads;
    CLV_TRY(clv_row_split_layers(&s->tasks, &s->row, &s->layer, &s->thread, b->g, threads,
                                 &j->costs, ctx, err));
    if (nothing_split(b))
        return CLEAVE_OK;
    CLV_TRY(clv_row_split_auto(s->tasks, threads, &j->costs, ctx, s->layer, s->thread,
                               &b->name[0], err));
    b->cost[0] = clv_schedule_cost(s->tasks, threads, s->layer, s->thread, &j->costs, ctx->ws,
                                   NULL, NULL);
    return b->cost[0] < 0 ? clv_fail_memory(err) : CLEAVE_OK;
}

static cleave_status search_whole(both_ways *b, clv_context *ctx, cleave_error *err)
{
    const job *j = b->j;
    CLV_TRY(clv_schedule_auto(b->g, j->opt.threads, &j->costs, ctx, b->layer, b->thread,
                              &b->name[1], err));
    b->cost[1] = clv_schedule_cost(b->g, j->opt.threads, b->layer, b->thread, &j->costs,
                                   ctx->ws, NULL, NULL);
    return b->cost[1] < 0 ? clv_fail_memory(err) : CLEAVE_OK;
}

static void search_one_way(void *context, int64_t begin, int64_t end, int member)
{
    both_ways *b = context;
    for (int64_t i = begin; i < end; i++) {
        clv_context child = clv_context_child(b->j->ctx, member);
        clv_ws_mark mark = clv_ws_save(child.ws);
        b->status[i] =
            i == 0 ? search_split(b, &child, &b->err[i]) : search_whole(b, &child, &b->err[i]);
        clv_ws_restore(child.ws, mark);
    }
}

static cleave_status finish_split(clv_schedule **out, const job *j, const method *m,
                                  const clv_graph *g, const split_rows *split,
                                  const char *name, cleave_error *err)
{
    CLV_TRY(finish(out, j, m, split->tasks, name, split->layer, split->thread, err));
    return clv_schedule_of_rows(*out, g->nvtx, split->row, split->tasks, err);
}

/* The cheaper of auto with split rows and without. */
static cleave_status build_auto_split(clv_schedule **out, const job *j, const method *m,
                                      const clv_graph *g, cleave_error *err)
{
    clv_ws *ws = j->ctx->ws;
    both_ways b = {.j = j, .g = g, .name = {"", ""}};
    b.layer = clv_ws_alloc(ws, g->nvtx, sizeof *b.layer);
    b.thread = clv_ws_alloc(ws, g->nvtx, sizeof *b.thread);
    if (!b.layer || !b.thread)
        return clv_fail_memory(err);
    clv_context_phase(j->ctx, "scheduling", 0, 0);
    clv_parallel_for(j->ctx->team, 2, 1, search_one_way, &b);
    int failed = b.status[0] != CLEAVE_OK ? 0 : 1;
    cleave_status status = b.status[failed];
    if (status != CLEAVE_OK && err)
        *err = b.err[failed];
    bool whole = status == CLEAVE_OK && (nothing_split(&b) || b.cost[1] <= b.cost[0]);
    if (whole)
        status = finish(out, j, m, g, b.name[1], b.layer, b.thread, err);
    else if (status == CLEAVE_OK)
        status = finish_split(out, j, m, g, &b.split, b.name[0], err);
    if (status != CLEAVE_OK || whole)
        clv_graph_free(b.split.tasks);
    return status;
}

static cleave_status build_split(clv_schedule **out, const job *j, const method *m,
                                 const clv_graph *g, cleave_error *err)
{
    split_rows split = {0};
    if (m->run == run_auto)
        return build_auto_split(out, j, m, g, err);
    CLV_TRY(clv_row_split_layers(&split.tasks, &split.row, &split.layer, &split.thread, g,
                                 j->opt.threads, &j->costs, j->ctx, err));
    bool whole = split.tasks->nvtx == g->nvtx; /* nothing was worth splitting */
    cleave_status status = build_tasks(out, j, m, whole ? g : split.tasks, err);
    if (status == CLEAVE_OK && !whole)
        status = clv_schedule_of_rows(*out, g->nvtx, split.row, split.tasks, err);
    if (status != CLEAVE_OK || whole)
        clv_graph_free(split.tasks);
    return status;
}

/* CLEAVE_ECANCEL: the callback said stop, and *out is there all the same. */
static cleave_status build(clv_schedule **out, const job *j, const method *m,
                           const clv_graph *g, cleave_error *err)
{
    clv_context_lend(j->ctx, g->narc + g->nvtx);
    cleave_status status =
        j->opt.split_rows ? build_split(out, j, m, g, err) : build_tasks(out, j, m, g, err);
    /* The contract, whoever made it. */
    if (status == CLEAVE_OK)
        status = clv_evaluate_schedule_check(*out, g, j->ctx->ws, err);
    if (status != CLEAVE_OK) {
        clv_schedule_free(*out);
        *out = NULL;
        return status;
    }
    clv_context_stop(j->ctx);
    return clv_context_cancelled(j->ctx)
               ? clv_fail(err, CLEAVE_ECANCEL,
                          "the progress callback said stop; the schedule is the best so far")
               : CLEAVE_OK;
}

static cleave_status prepare(job *j, const method **m, const clv_graph *g,
                             const cleave_schedule_options *opt, cleave_error *err)
{
    CLV_TRY(check_graph(g, err));
    return check_options(j, m, opt, err);
}

cleave_status clv_schedule_make(clv_schedule **out, const clv_graph *g,
                                const cleave_schedule_options *opt, bool hasty,
                                clv_context *ctx, cleave_error *err)
{
    const method *m;
    job j = {.ctx = ctx};
    *out = NULL;
    CLV_TRY(prepare(&j, &m, g, opt, err));
    j.costs.hasty = hasty;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = build(out, &j, m, g, err);
    clv_ws_restore(ctx->ws, mark);
    if (status != CLEAVE_OK) {
        clv_schedule_free(*out);
        *out = NULL;
    }
    return status;
}

cleave_status cleave_schedule_build(cleave_schedule **out, const cleave_graph *g,
                                    const cleave_schedule_options *opt, cleave_error *err)
{
    const method *m;
    clv_context ctx;
    job j = {.ctx = &ctx};
    if (!out)
        return clv_fail(err, CLEAVE_EINVAL, "out is NULL");
    *out = NULL;
    CLV_TRY(prepare(&j, &m, g, opt, err));
    CLV_TRY(clv_context_open(&ctx, j.opt.workers, j.opt.seed, j.opt.time_limit, j.opt.progress,
                             j.opt.payload, err));
    cleave_status status = build(out, &j, m, g, err);
    clv_context_close(&ctx);
    return status;
}
