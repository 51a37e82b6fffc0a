/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/remap.c - cleave_mpi_remap: a new mapping with little migration from the current one. */
#include <math.h>
#include <string.h>

#include "cleave/cleave_mpi.h"
#include "engine/remap/remap.h"
#include "graph/mapping.h"
#include "mpi/map_run.h"
#include "target/pe_match.h"

/* ---- One rank --------------------------------------------------------------------------- */

/* The current mapping. */
typedef struct old_mapping {
    const int32_t *part; /* own vertices */
    int32_t nparts;
} old_mapping;

static cleave_status remap_alone(int32_t *part, const clv_dist_graph *g,
                                 const old_mapping *old, const cleave_target *t,
                                 const cleave_remap_options *opt, cleave_error *err)
{
    clv_graph *whole = NULL;
    cleave_mapping *before = NULL, *now = NULL;
    cleave_status status = clv_dist_graph_gather(&whole, g, -1, err);
    if (status == CLEAVE_OK)
        status = cleave_mapping_create(&before, g->nlocal, old->nparts, old->part, err);
    if (status == CLEAVE_OK)
        status = cleave_remap(&now, whole, before, t, opt, err);
    if (now && g->nlocal > 0)
        memcpy(part, now->part, (size_t)g->nlocal * sizeof *part);
    clv_mapping_free(now);
    clv_mapping_free(before);
    clv_graph_free(whole);
    return status;
}

/* ---- Several ---------------------------------------------------------------------------- */

typedef struct remapping {
    clv_mpi_run run;
    cleave_remap_options opt;
    old_mapping old;
    int32_t *home; /* own vertices: current PE, -1: none */
    int64_t cut_before, migration, bound;
} remapping;

static cleave_status check_old(const remapping *r, const clv_dist_graph *g, cleave_error *err)
{
    clv_remap_strategy strategy;
    if (!(r->opt.migration_price >= 0) || !isfinite(r->opt.migration_price))
        return clv_fail(err, CLEAVE_EINVAL, "the price of migration is not a number >= 0");
    CLV_TRY(clv_remap_strategy_parse(&strategy, r->opt.strategy, err));
    if (r->opt.order)
        return clv_fail(err, CLEAVE_EINVAL, "an order to remap along: not on several ranks");
    int32_t nparts = r->old.nparts,
            npes = r->opt.from ? cleave_target_pes(r->opt.from) : nparts;
    if (nparts < 1)
        return clv_fail(err, CLEAVE_EINVAL, "there are %ld old parts", (long)nparts);
    for (int32_t v = 0; v < g->nlocal; v++) {
        int32_t pe = r->old.part[v];
        if (pe < 0 || pe >= nparts || pe >= npes)
            return clv_fail(err, CLEAVE_EINVAL,
                            "vertex %lld is on PE %ld of the old mapping, but the old machine "
                            "has %ld PEs",
                            (long long)clv_dist_global(g, v), (long)pe, (long)npes);
    }
    return CLEAVE_OK;
}

/* Whether the PE can hold vertices. */
static bool is_open(const remapping *r, const cleave_target *t, int32_t pe)
{
    const cleave_constraints *given = &r->run.constraints;
    int32_t ncon = r->run.g->ncon;
    if (given->shares ? given->shares[(int64_t)pe * ncon] <= 0
                      : cleave_target_speed(t, pe) <= 0)
        return false;
    for (int32_t c = 0; given->max && c < ncon; c++)
        if (given->max[(int64_t)pe * ncon + c] != 0)
            return true;
    return !given->max;
}

/* No vertex can stay on a PE that must be empty. */
static cleave_status find_homes(remapping *r, const clv_dist_graph *g, const cleave_target *t,
                                cleave_error *err)
{
    int32_t count = r->old.nparts;
    if (r->opt.from && count > cleave_target_pes(r->opt.from))
        count = cleave_target_pes(r->opt.from);
    int32_t *pe = clv_alloc(count, sizeof *pe), *match = clv_alloc(count, sizeof *match);
    r->home = clv_alloc(g->nlocal, sizeof *r->home);
    cleave_status status = pe && match && r->home ? CLEAVE_OK : clv_fail_memory(err);
    for (int32_t i = 0; status == CLEAVE_OK && i < count; i++)
        pe[i] = i;
    if (status == CLEAVE_OK)
        status = clv_pe_match(r->opt.from, count, pe, t, match, err);
    for (int32_t v = 0; status == CLEAVE_OK && v < g->nlocal; v++) {
        int32_t home = match[r->old.part[v]];
        r->home[v] = home >= 0 && is_open(r, t, home) ? home : -1;
    }
    clv_sys_free(pe);
    clv_sys_free(match);
    return status;
}

static int32_t size_of(const clv_dist_graph *g, int32_t v)
{
    return g->vsize ? g->vsize[v] : 1;
}

static cleave_status check_all(remapping *r, const clv_dist_graph *g,
                               const cleave_remap_options *opt, cleave_error *err)
{
    cleave_remap_options_init(&r->opt, sizeof r->opt);
    if (opt)
        CLV_TRY(clv_sized_copy(&r->opt, sizeof r->opt, opt, "opt", err));
    return check_old(r, g, err);
}

static cleave_status remap_together(remapping *r, const clv_dist_graph *g,
                                    const cleave_target *t, int32_t *part, cleave_error *err)
{
    cleave_options opt;
    cleave_options_init(&opt, sizeof opt);
    if (r->opt.options) /* clv_mpi_run_open checks this, too */
        CLV_TRY(clv_comm_agree(
            &g->comm, clv_sized_copy(&opt, sizeof opt, r->opt.options, "opt.options", err),
            err));
    opt.size = sizeof opt;
    opt.method = NULL;
    opt.one_to_one = 0;
    CLV_TRY(clv_mpi_run_open(&r->run, g, t, &opt, err));
    if (r->run.some_fixed)
        return clv_fail(err, CLEAVE_EINVAL, "fixed vertices: not on several ranks");
    CLV_TRY(clv_comm_agree(&g->comm, find_homes(r, g, t, err), err));
    r->run.home = r->home;
    r->run.price = r->opt.migration_price;
    r->run.strategy = r->opt.strategy;
    return clv_mpi_run_search(&r->run, part, err);
}

static void count_migration(remapping *r, const clv_dist_graph *g, const int32_t *part)
{
    int64_t moved = 0;
    for (int32_t v = 0; v < g->nlocal; v++)
        moved += part[v] != r->home[v] ? size_of(g, v) : 0;
    r->migration = clv_comm_sum(&g->comm, moved);
}

/* By PE: its current weight, and the smallest size per unit of weight. */
static int64_t weigh_homes(const remapping *r, const clv_dist_graph *g, int64_t *weight,
                           double *least)
{
    int64_t homeless = 0;
    for (int32_t v = 0; v < g->nlocal; v++) {
        int32_t home = r->home[v];
        int64_t w = clv_dist_vwgt(g, v, 0);
        if (home < 0) {
            homeless += size_of(g, v);
            continue;
        }
        weight[home] += w;
        if (w > 0 && (double)size_of(g, v) / w < least[home])
            least[home] = (double)size_of(g, v) / w;
    }
    return homeless;
}

/* A lower bound on migration: the vertices without a PE, and from each PE its excess over the
 * bound by the first weight, at the smallest size per weight. */
static cleave_status bound_migration(remapping *r, const clv_dist_graph *g, cleave_error *err)
{
    const clv_mpi_run *run = &r->run;
    int32_t npes = run->t->npes;
    int64_t *weight = clv_zalloc(npes, sizeof *weight), total = 0;
    double *least = clv_alloc(npes, sizeof *least), *room = clv_alloc(npes, sizeof *room);
    cleave_status status = clv_comm_agree_memory(&g->comm, weight && least && room, err);
    if (status == CLEAVE_OK) {
        for (int32_t p = 0; p < npes; p++)
            least[p] = INFINITY;
        int64_t homeless = clv_comm_sum(&g->comm, weigh_homes(r, g, weight, least));
        clv_comm_sum_all(&g->comm, weight, npes);
        MPI_Allreduce(MPI_IN_PLACE, least, npes, MPI_DOUBLE, MPI_MIN, g->comm.mpi);
        for (int32_t v = 0; v < g->nlocal; v++)
            total += clv_dist_vwgt(g, v, 0);
        total = clv_comm_sum(&g->comm, total);
        clv_share_rule rule = clv_mpi_run_rule(run, clv_mpi_speeds(run->t, room), 0);
        r->bound = homeless;
        for (int32_t p = 0; p < npes && total > 0; p++) {
            int64_t above = weight[p] - clv_mpi_run_bound(run, &rule, total, p, 0);
            if (above > 0)
                r->bound += (int64_t)((double)above * least[p]);
        }
    }
    clv_sys_free(weight);
    clv_sys_free(least);
    clv_sys_free(room);
    return status;
}

static cleave_status cut_before(remapping *r, const clv_dist_graph *g, cleave_error *err)
{
    cleave_metrics m;
    cleave_metrics_init(&m, sizeof m);
    CLV_TRY(cleave_mpi_evaluate(&m, g, r->old.nparts, r->old.part, NULL, err));
    r->cut_before = m.cut;
    return CLEAVE_OK;
}

static void hand_report(const remapping *r)
{
    cleave_remap_report report;
    cleave_map_report map;
    cleave_remap_report_init(&report, sizeof report);
    cleave_map_report_init(&map, sizeof map);
    strcpy(report.strategy, "multilevel");
    report.cut = r->run.cut;
    report.cut_before = r->cut_before;
    report.migration = r->migration;
    report.migration_bound = r->bound;
    clv_mpi_run_report(&r->run, &map);
    clv_sized_write(r->run.request.opt.report, &map, sizeof map);
    clv_sized_write(r->opt.report, &report, sizeof report);
}

static cleave_status remap_all(remapping *r, int32_t *part, const clv_dist_graph *g,
                               const cleave_target *t, cleave_error *err)
{
    int32_t *made = clv_alloc(g->nlocal, sizeof *made);
    cleave_status status = clv_comm_agree_memory(&g->comm, made != NULL, err);
    if (status == CLEAVE_OK)
        status = remap_together(r, g, t, made, err);
    if (status == CLEAVE_OK)
        status = cut_before(r, g, err);
    if (status == CLEAVE_OK)
        status = bound_migration(r, g, err);
    if (status == CLEAVE_OK) {
        count_migration(r, g, made);
        status = clv_mpi_run_judge(&r->run, made, err);
        if (g->nlocal > 0)
            memcpy(part, made, (size_t)g->nlocal * sizeof *part);
        hand_report(r);
    }
    clv_sys_free(made);
    return status;
}

cleave_status cleave_mpi_remap(int32_t *part, const cleave_mpi_graph *g, const int32_t *old,
                               int32_t nold, const cleave_target *t,
                               const cleave_remap_options *opt, cleave_error *err)
{
    if (!g)
        return clv_fail(err, CLEAVE_EINVAL, "g is NULL");
    remapping r = {.old = {old, nold}};
    bool ok = t && ((part && old) || g->nlocal == 0);
    CLV_TRY(clv_comm_agree(
        &g->comm, ok ? CLEAVE_OK : clv_fail(err, CLEAVE_EINVAL, "t, part or old is NULL"),
        err));
    if (g->comm.size == 1)
        return remap_alone(part, g, &r.old, t, opt, err);
    CLV_TRY(clv_comm_agree(&g->comm, check_all(&r, g, opt, err), err));
    cleave_status status = remap_all(&r, part, g, t, err);
    clv_mpi_run_close(&r.run);
    clv_sys_free(r.home);
    return status;
}
