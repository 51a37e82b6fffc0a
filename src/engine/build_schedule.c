/* SPDX-License-Identifier: Apache-2.0 */
/* engine/build_schedule.c - the pipeline of cleave_schedule_build: checks the options, splits
 * rows if requested, calls the method, sorts its result into blocks and validates it. */
#include "engine/build_schedule.h"

#include <math.h>
#include <string.h>

#include "evaluate/schedule_metrics.h"
#include "graph/schedule_costs.h"

cleave_schedule_options clv_schedule_options_defaults(void)
{
    return (cleave_schedule_options){
        .size = sizeof(cleave_schedule_options), .threads = 2, .seed = 1};
}

typedef struct job {
    clv_schedule_request request;
    clv_context *ctx;
} job;

/* ---- Methods -------------------------------------------------------------------------- */

/* Assigns a layer and a thread to each vertex; l->method is the method's name until it chooses
 * another. */
typedef cleave_status (*assign_fn)(const job *j, const clv_graph *g, clv_layering *l,
                                   cleave_error *err);

static cleave_status assign_auto(const job *j, const clv_graph *g, clv_layering *l,
                                 cleave_error *err)
{
    return clv_schedule_auto(g, &j->request.costs, j->ctx, l, err);
}

static cleave_status assign_graphopt(const job *j, const clv_graph *g, clv_layering *l,
                                     cleave_error *err)
{
    return clv_schedule_graphopt(g, &j->request.graphopt, j->ctx, l, err);
}

static cleave_status assign_grow(const job *j, const clv_graph *g, clv_layering *l,
                                 cleave_error *err)
{
    return clv_schedule_grow(g, &j->request.costs, j->ctx, l, err);
}

static cleave_status assign_levels(const job *j, const clv_graph *g, clv_layering *l,
                                   cleave_error *err)
{
    return clv_schedule_levels(g, j->ctx, l, err);
}

static cleave_status assign_serial(const job *j, const clv_graph *g, clv_layering *l,
                                   cleave_error *err)
{
    (void)j, (void)err;
    l->layers = g->nvtx > 0;
    memset(l->layer, 0, (size_t)g->nvtx * sizeof *l->layer);
    memset(l->thread, 0, (size_t)g->nvtx * sizeof *l->thread);
    return CLEAVE_OK;
}

struct clv_schedule_method {
    const char *name;
    assign_fn assign;
};
static const clv_schedule_method methods[] = {
    {"auto", assign_auto},     {"graphopt", assign_graphopt}, {"grow", assign_grow},
    {"levels", assign_levels}, {"serial", assign_serial},
};

static const clv_schedule_method *find_method(const char *name)
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

/* Only graphopt takes params. */
static cleave_status check_params(clv_schedule_request *r, cleave_error *err)
{
    const clv_schedule_method *m = r->method;
    const char *params = r->opt.params;
    r->sync = r->costs.sync;
    if (m->assign != assign_graphopt) {
        if (params && *params)
            return clv_fail(err, CLEAVE_EINVAL, "method %s has no params, but they are \"%s\"",
                            m->name, params);
        return CLEAVE_OK;
    }
    r->graphopt = clv_graphopt_defaults();
    r->graphopt.sync = -1;
    r->graphopt.solver = r->opt.solver;
    r->graphopt.solver_payload = r->opt.solver_payload;
    if (params && *params)
        CLV_TRY(clv_graphopt_parse(&r->graphopt, params, err));
    if (r->graphopt.sync >= 0)
        r->sync = r->graphopt.sync;
    return CLEAVE_OK;
}

static cleave_status check_options(clv_schedule_request *r, const cleave_schedule_options *opt,
                                   cleave_error *err)
{
    r->opt = clv_schedule_options_defaults();
    if (opt)
        CLV_TRY(clv_sized_copy(&r->opt, sizeof r->opt, opt, "cleave_schedule_options", err));
    CLV_TRY(check_numbers(&r->opt, err));
    cleave_schedule_costs costs;
    CLV_TRY(clv_schedule_costs_take(&costs, r->opt.costs, err));
    r->costs = (clv_schedule_costs){.sync = costs.sync, .read = costs.read};
    r->method = find_method(r->opt.method);
    if (!r->method)
        return clv_fail(err, CLEAVE_EINVAL,
                        "unknown method \"%s\" for schedules; expected one of auto, "
                        "graphopt, grow, levels, serial",
                        r->opt.method);
    return check_params(r, err);
}

cleave_status clv_schedule_request_check(clv_schedule_request *request, const clv_graph *g,
                                         const cleave_schedule_options *opt, cleave_error *err)
{
    *request = (clv_schedule_request){0};
    CLV_TRY(check_graph(g, err));
    return check_options(request, opt, err);
}

/* ---- Building ------------------------------------------------------------------------- */

/* Returns the requested number of threads.  If the arrays for that many threads and layers
 * would be too large, and the method reports how many threads it uses, returns that number. */
static int32_t fit_threads(const job *j, const clv_graph *g, const clv_layering *l)
{
    int32_t layers = 0, used = 1;
    const clv_schedule_method *m = j->request.method;
    if (m->assign != assign_auto && m->assign != assign_grow)
        return l->threads;
    for (int32_t v = 0; v < g->nvtx; v++) {
        layers = l->layer[v] >= layers ? l->layer[v] + 1 : layers;
        used = l->thread[v] >= used ? l->thread[v] + 1 : used;
    }
    return clv_schedule_is_plausible(g->nvtx, layers, l->threads) ? l->threads : used;
}

static cleave_status make_blocks(clv_schedule **out, const job *j, const clv_graph *g,
                                 const clv_layering *l, cleave_error *err)
{
    clv_schedule_spec spec = clv_layering_spec(l);
    spec.threads = fit_threads(j, g, l);
    return clv_schedule_new(out, g, &spec, j->ctx->ws, err);
}

/* Calls the method with weights and costs in a unit of their own, so that the schedule does
 * not depend on the caller's unit. */
static cleave_status assign_in_unit(const job *j, const clv_graph *g, clv_layering *l,
                                    cleave_error *err)
{
    job own = *j;
    clv_graph view;
    clv_ws_mark mark = clv_ws_save(j->ctx->ws);
    clv_schedule_unit unit = clv_schedule_unit_of(g, j->request.sync);
    CLV_TRY(clv_schedule_unit_graph(&view, g, unit, j->ctx->ws, err));
    own.request.costs.sync = clv_schedule_unit_cost(unit, j->request.costs.sync);
    own.request.costs.read = clv_schedule_unit_cost(unit, j->request.costs.read);
    own.request.graphopt.sync =
        clv_graphopt_whole_sync(clv_schedule_unit_cost(unit, j->request.sync));
    cleave_status status = j->request.method->assign(&own, &view, l, err);
    clv_ws_restore(j->ctx->ws, mark);
    return status;
}

/* A layering of g for the requested threads, by the requested method; arrays from ws. */
static cleave_status alloc_layering(clv_layering *l, const job *j, const clv_graph *g,
                                    cleave_error *err)
{
    clv_ws *ws = j->ctx->ws;
    *l = (clv_layering){.threads = j->request.opt.threads,
                        .layer = clv_ws_alloc(ws, g->nvtx, sizeof *l->layer),
                        .thread = clv_ws_alloc(ws, g->nvtx, sizeof *l->thread),
                        .method = j->request.method->name};
    return l->layer && l->thread ? CLEAVE_OK : clv_fail_memory(err);
}

static cleave_status build_tasks(clv_schedule **out, const job *j, const clv_graph *g,
                                 cleave_error *err)
{
    clv_layering l;
    CLV_TRY(alloc_layering(&l, j, g, err));
    clv_context_phase(j->ctx, "scheduling", 0, 0);
    CLV_TRY(assign_in_unit(j, g, &l, err));
    return make_blocks(out, j, g, &l, err);
}

/* The candidates of auto with split rows and with whole rows.  They are built in parallel if
 * there are threads. */
typedef struct both_ways {
    const job *j;
    const clv_graph *g;
    clv_split_rows split; /* owned until a schedule takes its tasks */
    clv_layering whole;
    double cost[2]; /* with split rows, with whole rows */
    cleave_status status[2];
    cleave_error err[2];
} both_ways;

static bool nothing_split(const both_ways *b)
{
    return b->split.tasks->nvtx == b->g->nvtx;
}

static cleave_status find_cost(double *cost, const job *j, const clv_graph *g,
                               const clv_layering *l, clv_ws *ws, cleave_error *err)
{
    clv_schedule_spec spec = clv_layering_spec(l);
    *cost = clv_schedule_cost(g, &spec, &j->request.costs, ws, NULL, NULL);
    return *cost < 0 ? clv_fail_memory(err) : CLEAVE_OK;
}

/* The schedule that decided the splits is the first candidate. */
static cleave_status schedule_split_rows(both_ways *b, clv_context *ctx, cleave_error *err)
{
    const job *j = b->j;
    clv_split_rows *s = &b->split;
    CLV_TRY(clv_row_split(s, b->g, j->request.opt.threads, &j->request.costs, ctx, err));
    if (nothing_split(b))
        return CLEAVE_OK;
    CLV_TRY(clv_row_split_auto(s->tasks, &j->request.costs, ctx, &s->layers, err));
    return find_cost(&b->cost[0], j, s->tasks, &s->layers, ctx->ws, err);
}

static cleave_status schedule_whole_rows(both_ways *b, clv_context *ctx, cleave_error *err)
{
    const job *j = b->j;
    CLV_TRY(clv_schedule_auto(b->g, &j->request.costs, ctx, &b->whole, err));
    return find_cost(&b->cost[1], j, b->g, &b->whole, ctx->ws, err);
}

static void schedule_one_way(void *context, int64_t begin, int64_t end, int member)
{
    both_ways *b = context;
    for (int64_t i = begin; i < end; i++) {
        clv_context child = clv_context_child(b->j->ctx, member);
        clv_ws_mark mark = clv_ws_save(child.ws);
        b->status[i] = i == 0 ? schedule_split_rows(b, &child, &b->err[i])
                              : schedule_whole_rows(b, &child, &b->err[i]);
        clv_ws_restore(child.ws, mark);
    }
}

static cleave_status make_split_blocks(clv_schedule **out, const job *j, const clv_graph *g,
                                       const clv_split_rows *split, cleave_error *err)
{
    CLV_TRY(make_blocks(out, j, split->tasks, &split->layers, err));
    return clv_schedule_of_rows(*out, g->nvtx, split->row, split->tasks, err);
}

/* Builds the cheaper of auto with split rows and auto with whole rows. */
static cleave_status build_auto_split(clv_schedule **out, const job *j, const clv_graph *g,
                                      cleave_error *err)
{
    both_ways b = {.j = j, .g = g};
    CLV_TRY(alloc_layering(&b.whole, j, g, err));
    clv_context_phase(j->ctx, "scheduling", 0, 0);
    clv_parallel_for(j->ctx->team, 2, 1, schedule_one_way, &b);
    int failed = b.status[0] != CLEAVE_OK ? 0 : 1;
    cleave_status status = b.status[failed];
    if (status != CLEAVE_OK && err)
        *err = b.err[failed];
    bool whole = status == CLEAVE_OK && (nothing_split(&b) || b.cost[1] <= b.cost[0]);
    if (whole)
        status = make_blocks(out, j, g, &b.whole, err);
    else if (status == CLEAVE_OK)
        status = make_split_blocks(out, j, g, &b.split, err);
    if (status != CLEAVE_OK || whole)
        clv_graph_free(b.split.tasks);
    return status;
}

static cleave_status build_split(clv_schedule **out, const job *j, const clv_graph *g,
                                 cleave_error *err)
{
    clv_split_rows split;
    if (j->request.method->assign == assign_auto)
        return build_auto_split(out, j, g, err);
    CLV_TRY(clv_row_split(&split, g, j->request.opt.threads, &j->request.costs, j->ctx, err));
    bool whole = split.tasks->nvtx == g->nvtx; /* no row was worth splitting */
    cleave_status status = build_tasks(out, j, whole ? g : split.tasks, err);
    if (status == CLEAVE_OK && !whole)
        status = clv_schedule_of_rows(*out, g->nvtx, split.row, split.tasks, err);
    if (status != CLEAVE_OK || whole)
        clv_graph_free(split.tasks);
    return status;
}

/* Builds a schedule and validates it, whatever the method.  CLEAVE_ECANCEL: the callback
 * stopped the search; *out is set nevertheless. */
static cleave_status build_checked(clv_schedule **out, const job *j, const clv_graph *g,
                                   cleave_error *err)
{
    clv_context_lend(j->ctx, g->narc + g->nvtx);
    cleave_status status =
        j->request.opt.split_rows ? build_split(out, j, g, err) : build_tasks(out, j, g, err);
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
                          "stopped by the progress callback; the schedule is the best so far")
               : CLEAVE_OK;
}

cleave_status clv_schedule_build(clv_schedule **out, const clv_schedule_request *request,
                                 const clv_graph *g, clv_context *ctx, cleave_error *err)
{
    job j = {.request = *request, .ctx = ctx};
    *out = NULL;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = build_checked(out, &j, g, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
