/* SPDX-License-Identifier: Apache-2.0 */
/* api/trsv.c - cleave_trsv: making plans of triangular solves, and what they are like. */
#include "api/trsv.h"

#include <string.h>

#include "api/schedule_costs.h"
#include "base/context.h"

/* ---- The plan ----------------------------------------------------------------------------
 */

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

/* Options that outlive those of the caller, for cleave_trsv_create_from. */
static cleave_status keep_options(cleave_trsv *p, const cleave_run_options *opt,
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

/* Own threads, exactly as many as have work and a processor: more would only keep each other
 * from working. */
static cleave_status take_team(cleave_trsv *p, cleave_team *team, cleave_error *err)
{
    int threads = clv_tri_plan_threads(p->plan), processors = clv_threads_available();
    p->workers = threads < processors ? threads : processors;
    p->team = team;
    p->own_team = !team;
    return team ? CLEAVE_OK : cleave_team_create(&p->team, p->workers, err);
}

/* The plan gives way to another, by a schedule that is then in the place of its own, if that
 * is faster.  Takes s. */
static cleave_status try_other(cleave_trsv *p, const clv_oriented *o, clv_schedule *s,
                               const void *val, clv_ws *ws, cleave_error *err)
{
    clv_tri_plan *other;
    bool keep = true;
    clv_sync sync = s->threads > 1 ? p->sync : CLV_SYNC_AUTO;
    cleave_status status =
        clv_tri_plan_new(&other, &o->rows, s, sync, p->values.single, ws, err);
    if (status == CLEAVE_OK) {
        clv_tri_plan_values(other, val);
        status = clv_trsv_trial(&keep, p->plan, other, p->team, p->values.n, ws, err);
    }
    clv_tri_plan *dropped = keep ? other : p->plan;
    clv_schedule *unused = keep ? s : p->schedule;
    p->plan = keep ? p->plan : other;
    p->schedule = keep ? p->schedule : s;
    clv_tri_plan_free(dropped);
    clv_schedule_free(unused);
    return status;
}

/* Layer by layer, where layers are wide: rows of a layer all run side by side. */
static cleave_status try_levels(cleave_trsv *p, const clv_oriented *o, const void *val,
                                clv_ws *ws, cleave_error *err)
{
    bool wide = false;
    clv_schedule *s;
    cleave_run_options opt = p->opt;
    opt.method = "levels";
    opt.params = NULL;
    opt.split_rows = 0;
    opt.threads = clv_tri_plan_threads(p->plan);
    if (!opt.pair && p->opt.split_rows < 1)
        CLV_TRY(clv_trsv_wide_levels(&wide, &o->rows, o->upper, ws, err));
    if (!wide)
        return CLEAVE_OK;
    CLV_TRY(clv_trsv_schedule(&s, &o->rows, o->upper, &opt, ws, err));
    return try_other(p, o, s, val, ws, err);
}

static cleave_status trial(cleave_trsv *p, const clv_oriented *o, const void *val, clv_ws *ws,
                           cleave_error *err)
{
    clv_schedule *s;
    CLV_TRY(try_levels(p, o, val, ws, err));
    CLV_TRY(clv_trsv_serial(&s, p->values.n, o->upper, ws, err));
    CLV_TRY(try_other(p, o, s, val, ws, err));
    if (clv_tri_plan_threads(p->plan) > 1)
        return CLEAVE_OK;
    cleave_team *team = p->own_team ? NULL : p->team;
    if (p->own_team)
        cleave_team_free(p->team);
    p->team = NULL;
    return take_team(p, team, err);
}

/* Row by row, where that is faster than the plan of one thread: in small systems, because a
 * plan takes longer to call, and in some whose rows the processor overlaps by itself. */
static cleave_status try_plain(cleave_trsv *p, const clv_oriented *o, const void *val,
                               bool compare, clv_ws *ws, cleave_error *err)
{
    enum { small = 4000 }; /* multiply-adds: a look costs next to nothing */
    bool keep = false;
    if ((p->nonzeros > small && !compare) || p->nonzeros > INT32_MAX ||
        clv_tri_plan_threads(p->plan) > 1)
        return CLEAVE_OK;
    CLV_TRY(clv_plain_rows_new(&p->plain, &o->rows, o->upper, p->values.single, err));
    clv_plain_rows_values(p->plain, val);
    CLV_TRY(clv_trsv_glance(&keep, p->plain, p->plan, p->values.n, ws, err));
    if (!keep) {
        clv_plain_rows_free(p->plain);
        p->plain = NULL;
    }
    return CLEAVE_OK;
}

static cleave_status fill(cleave_trsv *p, const cleave_triangle *t, const clv_oriented *o,
                          const cleave_run_options *opt, cleave_team *team, bool compare,
                          clv_ws *ws, cleave_error *err)
{
    const void *val = t->val ? (const void *)t->val : (const void *)t->val32;
    CLV_TRY(clv_run_find_sync(&p->sync, opt, err));
    CLV_TRY(keep_options(p, opt, err));
    CLV_TRY(clv_value_places_make(&p->values, t, o, &p->arena, err));
    CLV_TRY(clv_values_check(&p->values, val, err));
    CLV_TRY(
        clv_tri_plan_new(&p->plan, &o->rows, p->schedule, p->sync, p->values.single, ws, err));
    clv_tri_plan_values(p->plan, val);
    p->nonzeros = o->rows.xadj[t->n] + t->n;
    CLV_TRY(take_team(p, team, err));
    if (compare && clv_tri_plan_threads(p->plan) > 1)
        CLV_TRY(trial(p, o, val, ws, err));
    p->split_rows = count_split(p->schedule);
    return try_plain(p, o, val, compare, ws, err);
}

cleave_status clv_trsv_bind(cleave_trsv **out, const cleave_triangle *t, const clv_oriented *o,
                            clv_schedule *s, const cleave_run_options *opt, cleave_team *team,
                            bool compare, clv_ws *ws, cleave_error *err)
{
    cleave_trsv *p = clv_zalloc(1, sizeof *p);
    if (!p) {
        clv_schedule_free(s);
        return clv_fail_memory(err);
    }
    p->schedule = s;
    cleave_status status = fill(p, t, o, opt, team, compare, ws, err);
    if (status == CLEAVE_OK)
        *out = p;
    else
        cleave_trsv_free(p);
    return status;
}

static cleave_status create(cleave_trsv **out, const cleave_triangle *t,
                            const cleave_run_options *opt, clv_ws *ws, cleave_error *err)
{
    clv_oriented o;
    clv_tri_rows both;
    clv_schedule *s;
    CLV_TRY(clv_triangle_orient(&o, t, ws, err));
    const clv_tri_rows *pattern = &o.rows;
    if (opt->pair) {
        CLV_TRY(clv_triangle_union(&both, t, ws, err));
        pattern = &both;
    }
    CLV_TRY(clv_trsv_schedule(&s, pattern, o.upper, opt, ws, err));
    return clv_trsv_bind(out, t, &o, s, opt, opt->team, clv_trsv_worth_trial(opt), ws, err);
}

cleave_status cleave_trsv_create(cleave_trsv **out, const cleave_triangle *t,
                                 const cleave_run_options *opt, cleave_error *err)
{
    cleave_triangle known;
    cleave_run_options how;
    clv_ws ws = {0};
    double start = clv_clock();
    if (!out)
        return clv_fail(err, CLEAVE_EINVAL, "out is NULL");
    *out = NULL;
    CLV_TRY(clv_triangle_take(&known, t, err));
    CLV_TRY(clv_run_options_take(&how, opt, err));
    CLV_TRY(clv_run_find_sync(&(clv_sync){CLV_SYNC_AUTO}, &how, err));
    cleave_status status = create(out, &known, &how, &ws, err);
    clv_ws_free(&ws);
    if (status == CLEAVE_OK)
        (*out)->seconds = clv_clock() - start;
    return status;
}

void cleave_trsv_free(cleave_trsv *p)
{
    if (!p)
        return;
    if (p->own_team)
        cleave_team_free(p->team);
    clv_tri_plan_free(p->plan);
    clv_plain_rows_free(p->plain);
    clv_schedule_free(p->schedule);
    clv_arena_free(&p->arena);
    clv_sys_free(p);
}

/* ---- Looking ------------------------------------------------------------------------------
 */

const int32_t *cleave_trsv_order(const cleave_trsv *p)
{
    return p ? clv_tri_plan_order(p->plan) : NULL;
}

void cleave_trsv_info(const cleave_trsv *p, cleave_run_info *info)
{
    cleave_run_info full = {.method = "", .sync = ""};
    if (p)
        full = (cleave_run_info){.method = p->schedule->method,
                                 .sync = clv_run_sync_name(clv_tri_plan_sync(p->plan)),
                                 .layers = p->schedule->layers,
                                 .threads = clv_tri_plan_threads(p->plan),
                                 .nonzeros = p->nonzeros,
                                 .bytes = clv_tri_plan_bytes(p->plan),
                                 .waits = clv_tri_plan_waits(p->plan),
                                 .seconds_analysis = p->seconds,
                                 .split_rows = p->split_rows};
    clv_sized_write(info, &full, sizeof full);
}
