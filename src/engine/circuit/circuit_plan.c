/* SPDX-License-Identifier: Apache-2.0 */
/* engine/circuit/circuit_plan.c - builds the plan of a circuit.
 *
 * There are two schedules, because a node with exponentials takes several times as long as one
 * without, and a schedule that is balanced for one is not for the other.  "auto" uses threads
 * only if they are faster than batches of eight instances on one thread, including waking the
 * team: first by the model, then by timing. */
#include "engine/circuit/circuit_plan.h"

#include <string.h>

#include "engine/build_schedule.h"
#include "evaluate/schedule_metrics.h"
#include "graph/schedule_costs.h"

/* Cost of one wait for another thread, in multiply-adds; see engine/solve/solve_strategy.c. */
static const double sync_cost = 200;
static const double least_gain = 1.08;
const double clv_circuit_wake_cost = 1500 * clv_circuit_cost_unit;

typedef struct planning {
    cleave_circuit_plan *plan;
    cleave_run_options opt;
    cleave_schedule_costs costs; /* in units of clv_circuit_cost */
    clv_circuit_binding binding;
    bool automatic;
    int threads; /* of the schedules: as requested, or of the team */
    clv_ws ws;
    cleave_error *err;
} planning;

static bool is_method(const char *method, const char *name)
{
    return method && strcmp(method, name) == 0;
}

static cleave_status set_sync(planning *p)
{
    CLV_TRY(clv_sync_parse(&p->binding.sync, p->opt.sync, p->err));
    if (p->binding.sync == CLV_SYNC_AUTO && is_method(p->opt.method, "levels"))
        p->binding.sync = CLV_SYNC_BARRIER;
    return CLEAVE_OK;
}

static cleave_status set_options(planning *p)
{
    CLV_TRY(set_sync(p));
    CLV_TRY(clv_schedule_costs_take(&p->costs, p->opt.costs, p->err));
    if (!p->opt.costs)
        p->costs.sync = sync_cost;
    p->costs.sync *= clv_circuit_cost_unit;
    p->costs.read *= clv_circuit_cost_unit;
    p->binding.simple =
        is_method(p->opt.method, "serial") || is_method(p->opt.method, "levels");
    p->automatic = !p->opt.method || !*p->opt.method || is_method(p->opt.method, "auto");
    if (p->automatic && p->opt.params && *p->opt.params)
        return clv_fail(p->err, CLEAVE_EINVAL,
                        "method auto has no params, but they are \"%s\"", p->opt.params);
    return CLEAVE_OK;
}

/* ---- Schedules ------------------------------------------------------------------------ */

static cleave_status build_schedule(planning *p, clv_schedule **s, const clv_graph *g,
                                    const char *method, int threads)
{
    enum { worth_a_team = 100000 }; /* arcs */
    cleave_schedule_options how = clv_schedule_options_defaults();
    clv_schedule_request request;
    *s = NULL;
    how.method = method;
    how.params = p->opt.params;
    how.threads = threads;
    how.costs = &p->costs;
    how.seed = p->opt.seed;
    int processors = clv_threads_available();
    int workers = g->narc < worth_a_team ? 1 : threads < processors ? threads : processors;
    clv_team *team;
    clv_context ctx;
    CLV_TRY(clv_team_create_up_to(&team, workers, p->err));
    CLV_TRY(clv_context_open_team(&ctx, team, p->opt.seed, p->err));
    cleave_status status = clv_schedule_request_check(&request, g, &how, p->err);
    if (status == CLEAVE_OK)
        status = clv_schedule_build(s, &request, g, &ctx, p->err);
    clv_context_close(&ctx);
    return status;
}

/* Frees *s and sets it to NULL unless it is faster than one thread. */
static cleave_status drop_if_slower(planning *p, clv_schedule **s, const clv_graph *g,
                                    double work)
{
    cleave_schedule_metrics m = {.size = sizeof m};
    cleave_status status = clv_evaluate_schedule(&m, g, *s, &p->costs, p->err);
    if (status == CLEAVE_OK && m.cost * least_gain + clv_circuit_wake_cost < work)
        return CLEAVE_OK;
    clv_schedule_free(*s);
    *s = NULL;
    return status;
}

static cleave_status choose_schedule(planning *p, clv_schedule **s, const clv_graph *g,
                                     double work)
{
    int threads = p->threads, processors = clv_threads_available();
    *s = NULL;
    if (!p->automatic)
        return build_schedule(p, s, g, p->opt.method, threads);
    threads = threads < processors ? threads : processors;
    double best = work / threads + p->costs.sync;
    if (threads > 1 && best * least_gain + clv_circuit_wake_cost < work) {
        CLV_TRY(build_schedule(p, s, g, "auto", threads));
        CLV_TRY(drop_if_slower(p, s, g, work));
    }
    return *s ? CLEAVE_OK : build_schedule(p, s, g, "serial", 1);
}

/* ---- The plan ------------------------------------------------------------------------- */

static void describe_schedule(cleave_circuit_plan *plan, const clv_schedule *s)
{
    memcpy(plan->method, s->method, sizeof plan->method);
    plan->layers = s->layers;
}

/* Switches to one thread if timing shows that it is faster. */
static cleave_status try_serial(planning *p, int which, const clv_graph *g)
{
    clv_circuit_bound serial, *bound = &p->plan->bound[which];
    clv_schedule *s;
    bool keep = true;
    CLV_TRY(build_schedule(p, &s, g, "serial", 1));
    cleave_status status = clv_circuit_bind(&serial, &p->binding, s, &p->ws, p->err);
    if (status == CLEAVE_OK)
        status =
            clv_circuit_compare_with_serial(&keep, p->plan, which, &serial, &p->ws, p->err);
    if (status == CLEAVE_OK && !keep) {
        clv_circuit_bound threaded = *bound;
        *bound = serial;
        serial = threaded;
        describe_schedule(p->plan, s);
    }
    clv_circuit_bound_free(&serial);
    clv_schedule_free(s);
    return status;
}

static cleave_status bind_schedule(planning *p, int which)
{
    enum { few_calls = 100 }; /* a trial costs half as many calls */
    cleave_circuit_plan *plan = p->plan;
    const clv_circuit_program *program = &plan->program;
    clv_graph g = *program->dag;
    clv_schedule *s;
    int32_t *weight = clv_ws_alloc(&p->ws, program->nnode, sizeof *weight);
    if (!weight)
        return clv_fail_memory(p->err);
    for (int32_t v = 0; v < program->nnode; v++) {
        weight[v] = clv_circuit_cost(program, v, which == 1);
        plan->cost[which] += weight[v];
    }
    g.vwgt = weight;
    CLV_TRY(choose_schedule(p, &s, &g, (double)plan->cost[which]));
    describe_schedule(plan, s);
    cleave_status status =
        clv_circuit_bind(&plan->bound[which], &p->binding, s, &p->ws, p->err);
    clv_schedule_free(s);
    bool often = p->opt.expected_calls == 0 || p->opt.expected_calls > few_calls;
    if (status == CLEAVE_OK && p->automatic && often && plan->bound[which].sync.threads > 1)
        status = try_serial(p, which, &g);
    return status;
}

/* Creates the team and the value arrays of its members for sweeps. */
static cleave_status make_team(planning *p)
{
    cleave_circuit_plan *plan = p->plan;
    plan->team = p->opt.team;
    plan->own_team = !plan->team;
    p->threads = clv_run_threads(&p->opt);
    if (plan->own_team)
        CLV_TRY(clv_run_team_create(&plan->team, p->threads, p->opt.threads > 0, p->err));
    if (p->opt.threads == 0)
        p->threads = clv_run_team_size(plan->team);
    if (p->binding.simple && plan->program.nnode > 0)
        return CLEAVE_OK;
    int members = clv_run_team_size(plan->team);
    CLV_TRY(clv_circuit_sweep_new(&plan->sweep, &plan->program, &p->ws, p->err));
    plan->value = clv_arena_alloc(&plan->arena, members, sizeof *plan->value);
    for (int i = 0; plan->value && i < members; i++) {
        plan->value[i] = clv_circuit_lines(
            &plan->arena, (int64_t)plan->sweep.nplace * clv_circuit_lanes, sizeof(double));
        if (!plan->value[i])
            return clv_fail_memory(p->err);
    }
    return plan->value ? CLEAVE_OK : clv_fail_memory(p->err);
}

static cleave_status make_plan(planning *p, const clv_circuit *c)
{
    cleave_circuit_plan *plan = p->plan;
    plan->kernels = clv_circuit_kernels_best();
    CLV_TRY(clv_circuit_program_new(&plan->program, c, &p->ws, p->err));
    p->binding.program = &plan->program;
    strcpy(plan->method, "serial");
    CLV_TRY(make_team(p));
    for (int which = 0; which < 2 && plan->program.nnode > 0; which++)
        CLV_TRY(bind_schedule(p, which));
    return CLEAVE_OK;
}

cleave_status clv_circuit_plan_create(cleave_circuit_plan **out, const clv_circuit *c,
                                      const cleave_run_options *opt, cleave_error *err)
{
    planning p = {.opt = *opt, .err = err};
    CLV_TRY(set_options(&p));
    p.plan = clv_zalloc(1, sizeof *p.plan);
    if (!p.plan)
        return clv_fail_memory(err);
    cleave_status status = make_plan(&p, c);
    clv_ws_free(&p.ws);
    if (status == CLEAVE_OK)
        *out = p.plan;
    else
        clv_circuit_plan_free(p.plan);
    return status;
}

void clv_circuit_plan_free(cleave_circuit_plan *plan)
{
    if (!plan)
        return;
    if (plan->own_team)
        clv_run_team_free(plan->team);
    clv_circuit_bound_free(&plan->bound[0]);
    clv_circuit_bound_free(&plan->bound[1]);
    clv_circuit_sweep_free(&plan->sweep);
    clv_circuit_program_free(&plan->program);
    clv_arena_free(&plan->arena);
    clv_sys_free(plan);
}
