/* SPDX-License-Identifier: Apache-2.0 */
/* engine/solve/solve_plan.c - builds the plan of a triangular solve: a schedule, the matrix
 * stored in its order, and a trial of the alternatives. */
#include "engine/solve/solve_plan.h"

#include <string.h>

#include "base/compare.h"
#include "engine/solve/solve_analysis.h"
#include "graph/schedule_costs.h"

/* ---- Options ---------------------------------------------------------------------------- */

static cleave_status copy_text(const char **text, clv_arena *arena, cleave_error *err)
{
    if (!*text)
        return CLEAVE_OK;
    size_t bytes = strlen(*text) + 1;
    char *copy = clv_arena_alloc(arena, (int64_t)bytes, 1);
    if (!copy)
        return clv_fail_memory(err);
    memcpy(copy, *text, bytes);
    *text = copy;
    return CLEAVE_OK;
}

/* Copies of the options, for cleave_trsv_create_from. */
static cleave_status copy_options(cleave_trsv *p, const cleave_run_options *opt,
                                  cleave_error *err)
{
    p->opt = *opt;
    if (opt->costs) {
        CLV_TRY(clv_schedule_costs_take(&p->costs, opt->costs, err));
        p->opt.costs = &p->costs;
    }
    CLV_TRY(copy_text(&p->opt.method, &p->arena, err));
    CLV_TRY(copy_text(&p->opt.params, &p->arena, err));
    return copy_text(&p->opt.sync, &p->arena, err);
}

static int32_t count_split(const clv_schedule *s)
{
    int32_t count = 0;
    for (int32_t t = 1; s->row && t < s->ntasks; t++)
        count += s->row[t] == s->row[t - 1] && (t < 2 || s->row[t] != s->row[t - 2]);
    return count;
}

/* ---- Candidates ------------------------------------------------------------------------- */

/* Replaces the plan's team by `team`, or by a new one with at most as many threads as have
 * work and a processor.  Fewer threads are accepted if the system refuses threads that the
 * caller did not request. */
static cleave_status replace_team(cleave_trsv *p, int threads, cleave_team *team,
                                  cleave_error *err)
{
    int processors = clv_threads_available();
    if (p->own_team)
        clv_run_team_free(p->team);
    p->workers = threads < processors ? threads : processors;
    p->team = team;
    p->own_team = !team;
    if (!team)
        CLV_TRY(clv_run_team_create(&p->team, p->workers, p->opt.threads > 0, err));
    int members = clv_run_team_size(p->team);
    p->workers = p->workers < members ? p->workers : members;
    return CLEAVE_OK;
}

/* A schedule and the plan that runs it. */
typedef struct candidate {
    clv_schedule *schedule; /* NULL: not built yet */
    clv_tri_plan *plan;
    bool serial; /* without a schedule: build that of one thread; false: level scheduling */
    cleave_status status;
    cleave_error err;
} candidate;

enum { most_candidates = 3 };
/* A plan while it is built. */
typedef struct building {
    cleave_trsv *p;
    const cleave_triangle *t;
    const clv_oriented *o;
    cleave_team *team;                  /* of the caller; NULL: create one */
    const clv_solve_analysis *analysis; /* NULL: the schedule was made for another triangle,
                                           and is not compared with others */
    clv_context *ctx;
    candidate all[most_candidates];
    int count;
} building;

static const void *values_of(const cleave_triangle *t)
{
    return t->val ? (const void *)t->val : (const void *)t->val32;
}

static cleave_status build_candidate(const building *b, candidate *c, clv_context *ctx,
                                     cleave_error *err)
{
    const cleave_trsv *p = b->p;
    if (!c->schedule && c->serial)
        CLV_TRY(
            clv_solve_schedule_serial(&c->schedule, p->values.n, b->o->upper, ctx->ws, err));
    if (!c->schedule)
        CLV_TRY(clv_solve_schedule_levels(&c->schedule, b->analysis, ctx, err));
    clv_sync sync = c->schedule->threads > 1 ? p->sync : CLV_SYNC_AUTO;
    CLV_TRY(clv_tri_plan_new(&c->plan, &b->o->rows, c->schedule, sync, ctx->ws, err));
    clv_tri_plan_values(c->plan, values_of(b->t));
    return CLEAVE_OK;
}

static void build_candidates(void *context, int64_t begin, int64_t end, int member)
{
    building *b = context;
    for (int64_t i = begin; i < end; i++) {
        candidate *c = &b->all[i];
        clv_context child = clv_context_child(b->ctx, member);
        clv_ws_mark mark = clv_ws_save(child.ws);
        c->status = build_candidate(b, c, &child, &c->err);
        clv_ws_restore(child.ws, mark);
    }
}

/* Reports the first error in the order of the candidates, so that it does not depend on the
 * threads. */
static cleave_status build_all(building *b, cleave_error *err)
{
    clv_parallel_for(b->ctx->team, b->count, 1, build_candidates, b);
    for (int i = 0; i < b->count; i++)
        if (b->all[i].status != CLEAVE_OK) {
            if (err)
                *err = b->all[i].err;
            return b->all[i].status;
        }
    return CLEAVE_OK;
}

/* Moves the fastest candidate, by timing, to the front. */
static cleave_status move_fastest_first(building *b, cleave_error *err)
{
    clv_tri_plan *plan[most_candidates];
    int best = 0;
    for (int i = 0; i < b->count; i++)
        plan[i] = b->all[i].plan;
    CLV_TRY(clv_solve_find_fastest(&best, plan, b->count, b->p->team, b->ctx->ws, err));
    candidate winner = b->all[best];
    b->all[best] = b->all[0];
    b->all[0] = winner;
    return CLEAVE_OK;
}

/* The schedules that may be the fastest: that of the analysis, level scheduling if layers are
 * wide, and one thread. */
static void list_candidates(building *b)
{
    cleave_trsv *p = b->p;
    b->all[b->count++].schedule = p->schedule;
    if (!b->analysis || !clv_solve_worth_trial(&p->opt) || p->schedule->threads == 1)
        return;
    bool has_levels = strcmp(p->schedule->method, "levels") == 0;
    if (b->analysis->strategy.wide && !has_levels && !p->opt.pair && p->opt.split_rows < 1)
        b->count++;
    b->all[b->count++].serial = true;
}

/* Builds and compares all candidates; the fastest comes first.  Replaces the team. */
static cleave_status compare_candidates(building *b, cleave_error *err)
{
    int threads = 1;
    CLV_TRY(build_all(b, err));
    for (int i = 0; i < b->count; i++)
        threads = clv_larger(threads, clv_tri_plan_threads(b->all[i].plan));
    CLV_TRY(replace_team(b->p, threads, b->team, err));
    if (b->count > 1)
        CLV_TRY(move_fastest_first(b, err));
    int used = clv_tri_plan_threads(b->all[0].plan);
    return used < threads ? replace_team(b->p, used, b->team, err) : CLEAVE_OK;
}

/* Builds a plan for each schedule that may be the fastest, and keeps the fastest. */
static cleave_status choose_plan(building *b, cleave_error *err)
{
    list_candidates(b);
    cleave_status status = compare_candidates(b, err);
    b->p->schedule = b->all[0].schedule;
    b->p->plan = b->all[0].plan;
    for (int i = 1; i < b->count; i++) {
        clv_tri_plan_free(b->all[i].plan);
        clv_schedule_free(b->all[i].schedule);
    }
    return status;
}

/* Keeps substitution row by row if it is faster than the plan of one thread: in small systems,
 * because calling a plan takes longer, and in systems whose rows the processor overlaps by
 * itself. */
static cleave_status try_plain(const building *b, cleave_error *err)
{
    enum { small = 4000 }; /* multiply-adds: the cost of the comparison is negligible */
    cleave_trsv *p = b->p;
    bool faster = false, compare = b->analysis && clv_solve_worth_trial(&p->opt);
    if ((p->nonzeros > small && !compare) || p->nonzeros > INT32_MAX ||
        clv_tri_plan_threads(p->plan) > 1)
        return CLEAVE_OK;
    CLV_TRY(clv_plain_rows_new(&p->plain, &b->o->rows, b->o->upper, p->values.single, err));
    clv_plain_rows_values(p->plain, values_of(b->t));
    CLV_TRY(clv_solve_compare_with_plain(&faster, p->plain, p->plan, b->ctx->ws, err));
    if (!faster) {
        clv_plain_rows_free(p->plain);
        p->plain = NULL;
    }
    return CLEAVE_OK;
}

/* ---- The plan --------------------------------------------------------------------------- */

static cleave_status fill_plan(building *b, const cleave_run_options *opt, cleave_error *err)
{
    cleave_trsv *p = b->p;
    CLV_TRY(clv_sync_parse(&p->sync, opt->sync, err));
    CLV_TRY(copy_options(p, opt, err));
    CLV_TRY(clv_value_places_make(&p->values, b->t, b->o, &p->arena, err));
    CLV_TRY(clv_values_check(&p->values, values_of(b->t), err));
    p->nonzeros = b->o->rows.xadj[b->t->n] + b->t->n;
    CLV_TRY(choose_plan(b, err));
    p->split_rows = count_split(p->schedule);
    return try_plain(b, err);
}

/* Makes a plan from the triangle, team and analysis of b.  Takes ownership of the schedule,
 * also on failure. */
static cleave_status make_plan(cleave_trsv **out, building *b, clv_schedule *s,
                               const cleave_run_options *opt, cleave_error *err)
{
    b->p = clv_zalloc(1, sizeof *b->p);
    if (!b->p) {
        clv_schedule_free(s);
        return clv_fail_memory(err);
    }
    b->p->schedule = s;
    cleave_status status = fill_plan(b, opt, err);
    if (status == CLEAVE_OK)
        *out = b->p;
    else
        clv_solve_plan_free(b->p);
    return status;
}

/* Reserves the scratch of an analysis as one block, so that its stages reuse the same pages:
 * rows and DAG stay, scratch of schedulers and plans is released. */
static bool reserve_scratch(clv_context *ctx, const cleave_triangle *t)
{
    int64_t entries = t->xadj[t->n], n = t->n;
    bool reserved = clv_ws_reserve(&ctx->ws[0], 30 * entries + 200 * n);
    for (int i = 1; i < clv_context_threads(ctx) && i < most_candidates; i++)
        reserved = reserved && clv_ws_reserve(&ctx->ws[i], 12 * entries + 120 * n);
    return reserved;
}

/* Threads and scratch of an analysis. */
static cleave_status open_context(clv_context *ctx, const cleave_triangle *t,
                                  const cleave_run_options *opt, cleave_error *err)
{
    enum { worth_a_team = 50000 }; /* entries: with fewer, starting a thread takes longer */
    int workers = clv_run_threads(opt), processors = clv_threads_available();
    workers = t->xadj[t->n] < worth_a_team ? 1 : workers < processors ? workers : processors;
    clv_team *team;
    CLV_TRY(clv_team_create_up_to(&team, workers, err));
    CLV_TRY(clv_context_open_team(ctx, team, opt->seed, err));
    if (reserve_scratch(ctx, t))
        return CLEAVE_OK;
    clv_context_close(ctx);
    return clv_fail_memory(err);
}

static cleave_status analyse(cleave_trsv **out, const cleave_triangle *t,
                             const cleave_run_options *opt, clv_context *ctx,
                             cleave_error *err)
{
    clv_oriented o;
    clv_tri_rows both;
    clv_schedule *s;
    CLV_TRY(clv_triangle_orient(&o, t, ctx->ws, err));
    clv_solve_analysis a = {.pattern = &o.rows, .upper = o.upper, .opt = opt};
    if (opt->pair) {
        CLV_TRY(clv_triangle_union(&both, t, ctx->ws, err));
        a.pattern = &both;
    }
    CLV_TRY(clv_solve_schedule(&s, &a, ctx, err));
    building b = {.t = t, .o = &o, .team = opt->team, .analysis = &a, .ctx = ctx};
    return make_plan(out, &b, s, opt, err);
}

cleave_status clv_solve_plan_create(cleave_trsv **out, const cleave_triangle *t,
                                    const cleave_run_options *opt, cleave_error *err)
{
    clv_context ctx;
    CLV_TRY(open_context(&ctx, t, opt, err));
    cleave_status status = analyse(out, t, opt, &ctx, err);
    clv_context_close(&ctx);
    return status;
}

static cleave_status analyse_from(cleave_trsv **out, const cleave_trsv *from,
                                  const cleave_triangle *t, bool *reused, clv_context *ctx,
                                  cleave_error *err)
{
    clv_oriented o;
    clv_schedule *s;
    CLV_TRY(clv_triangle_orient(&o, t, ctx->ws, err));
    CLV_TRY(clv_solve_reuse_schedule(&s, from->schedule, &o.rows, ctx->ws, err));
    *reused = s != NULL;
    clv_solve_analysis a = {.pattern = &o.rows, .upper = o.upper, .opt = &from->opt};
    if (!s)
        CLV_TRY(clv_solve_schedule(&s, &a, ctx, err));
    /* A separate analysis may use more threads than `from` has. */
    int processors = clv_threads_available();
    int workers = s->threads < processors ? s->threads : processors;
    building b = {.t = t, .o = &o, .analysis = *reused ? NULL : &a, .ctx = ctx};
    if (workers <= clv_run_team_size(from->team))
        b.team = from->team;
    return make_plan(out, &b, s, &from->opt, err);
}

cleave_status clv_solve_plan_create_from(cleave_trsv **out, const cleave_trsv *from,
                                         const cleave_triangle *t, bool *reused,
                                         cleave_error *err)
{
    clv_context ctx;
    CLV_TRY(open_context(&ctx, t, &from->opt, err));
    cleave_status status = analyse_from(out, from, t, reused, &ctx, err);
    clv_context_close(&ctx);
    return status;
}

void clv_solve_plan_free(cleave_trsv *p)
{
    if (!p)
        return;
    if (p->own_team)
        clv_run_team_free(p->team);
    clv_tri_plan_free(p->plan);
    clv_plain_rows_free(p->plain);
    clv_schedule_free(p->schedule);
    clv_arena_free(&p->arena);
    clv_sys_free(p);
}
