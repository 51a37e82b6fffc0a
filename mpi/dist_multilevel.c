/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_multilevel.c - see mpi/dist_multilevel.h. */
#include "mpi/dist_multilevel.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "mpi/dist_cluster.h"
#include "mpi/dist_contract.h"
#include "mpi/dist_refine.h"
#include "mpi/dist_solve.h"
#include "target/target.h"

enum {
    most_levels = CLEAVE_MPI_MOST_LEVELS,
    acyclic_rounds = 24,
    sparsify_from = 1 << 22 /* arcs; fewer are cheap for every rank */
};

typedef struct level {
    const clv_dist_graph *g;
    clv_dist_attributes carried; /* of g; merge_class NULL: all may merge */
    clv_dist_coarse down;        /* the next level; down.g NULL: this is the coarsest */
} level;

typedef struct multilevel {
    const clv_dist_task *task;
    const clv_preset *effort;
    clv_context *ctx;
    clv_dist_result *result;
    level level[most_levels];
    int nlevels;
    const int64_t *size; /* remapping: migration size of a vertex; else NULL */
    int64_t *heaviest;   /* ncon */
    double limit;        /* coarsening stops below this number of vertices */
    int32_t *part;       /* of the current level: own vertices and ghosts */
    clv_dist_solution solution;
    clv_machine machine;
    clv_dist_bounds bounds;
    int64_t sent; /* bytes before the projection to the current level */
} multilevel;

/* Whether to stop, agreed by all ranks. */
static bool stops(multilevel *c)
{
    return clv_comm_max(&c->task->g->comm, clv_context_stop(c->ctx)) != 0;
}

/* ---- Coarsening ------------------------------------------------------------------------- */

static cleave_status choose_limits(multilevel *c, cleave_error *err)
{
    const clv_dist_graph *g = c->task->g;
    const clv_coarsening_preset *e = &c->effort->coarsening;
    double per_part = e->limit_per_part > 0 ? e->limit_per_part : e->limit_pair;
    c->limit = per_part * c->task->t->npes;
    if (c->limit < e->limit_least)
        c->limit = e->limit_least;
    c->heaviest = clv_ws_zalloc(c->ctx->ws, g->ncon, sizeof *c->heaviest);
    CLV_TRY(clv_comm_agree_memory(&g->comm, c->heaviest != NULL, err));
    for (int32_t i = 0; i < g->ncon; i++) {
        int64_t total = 0;
        for (int32_t v = 0; v < g->nlocal; v++)
            total += clv_dist_vwgt(g, v, i);
        total = clv_comm_sum(&g->comm, total);
        double bound = e->heaviest * (double)total / c->limit + 1;
        c->heaviest[i] = (int64_t)bound;
    }
    return CLEAVE_OK;
}

/* Classes of own vertices and ghosts. */
static cleave_status spread_classes(const level *l, clv_ws *ws, const int32_t **merge_class,
                                    cleave_error *err)
{
    const clv_dist_graph *g = l->g;
    *merge_class = NULL;
    if (!l->carried.merge_class)
        return CLEAVE_OK;
    int32_t *all = clv_ws_alloc(ws, (int64_t)g->nlocal + g->nghost, sizeof *all);
    CLV_TRY(clv_comm_agree_memory(&g->comm, all != NULL, err));
    if (g->nlocal > 0)
        memcpy(all, l->carried.merge_class, (size_t)g->nlocal * sizeof *all);
    clv_halo_exchange(g, all, sizeof *all);
    *merge_class = all;
    return CLEAVE_OK;
}

static cleave_status coarsen_once(multilevel *c, level *l, int32_t index, cleave_error *err)
{
    const clv_coarsening_preset *e = &c->effort->coarsening;
    clv_ws *ws = c->ctx->ws;
    clv_dist_merge_rule rule = {.max_weight = c->heaviest, .level = index};
    int64_t *leader = clv_alloc(l->g->nlocal, sizeof *leader);
    cleave_status status = clv_comm_agree_memory(&l->g->comm, leader != NULL, err);
    clv_ws_mark mark = clv_ws_save(ws);
    if (status == CLEAVE_OK)
        status = spread_classes(l, ws, &rule.merge_class, err);
    if (status == CLEAVE_OK)
        status = clv_dist_cluster(l->g, &rule, c->ctx, leader, err);
    clv_ws_restore(ws, mark);
    if (status == CLEAVE_OK) {
        clv_dist_contraction how = {.leader = leader,
                                    .carried = l->carried,
                                    .salt = clv_hash64(c->ctx->seed + (uint64_t)index)};
        if (e->density > 0 && l->g->narc_global > sparsify_from)
            how.density = e->density;
        return clv_dist_contract(&l->down, l->g, &how, err);
    }
    clv_sys_free(leader);
    return status;
}

/* A remapping always has migration sizes: vertices without one have size 1. */
static cleave_status make_sizes(multilevel *c, cleave_error *err)
{
    const clv_dist_graph *g = c->task->g;
    c->size = c->task->size;
    if (!c->task->home || c->size)
        return CLEAVE_OK;
    int64_t *size = clv_ws_alloc(c->ctx->ws, g->nlocal, sizeof *size);
    CLV_TRY(clv_comm_agree_memory(&g->comm, size != NULL, err));
    for (int32_t v = 0; v < g->nlocal; v++)
        size[v] = g->vsize ? g->vsize[v] : 1;
    c->size = size;
    return CLEAVE_OK;
}

static int64_t bytes_sent(const multilevel *c)
{
    return *c->task->g->comm.bytes_sent; /* all levels share the count */
}

static cleave_status build_levels(multilevel *c, cleave_error *err)
{
    const clv_dist_task *task = c->task;
    level *l = &c->level[0];
    c->nlevels = 1;
    l->g = task->g;
    l->carried.merge_class = (int32_t *)(task->home ? task->home : task->fixed);
    l->carried.size = (int64_t *)c->size;
    while (l->g->narc_global > task->gather && (double)l->g->nglobal > c->limit &&
           c->nlevels < most_levels && !stops(c)) {
        int64_t before = l->g->nglobal, sent = bytes_sent(c);
        CLV_TRY(coarsen_once(c, l, c->nlevels - 1, err));
        c->result->traffic.bytes_coarsen[c->nlevels - 1] = bytes_sent(c) - sent;
        level *next = &c->level[c->nlevels++];
        next->g = l->down.g;
        next->carried = l->down.carried;
        l = next;
        if ((double)l->g->nglobal > 0.95 * (double)before)
            break;
    }
    return CLEAVE_OK;
}

static cleave_status coarsen(void *method, int32_t *nlevels, cleave_error *err)
{
    multilevel *c = method;
    cleave_mpi_traffic *traffic = &c->result->traffic;
    CLV_TRY(choose_limits(c, err));
    CLV_TRY(make_sizes(c, err));
    CLV_TRY(build_levels(c, err));
    *nlevels = traffic->levels = c->nlevels;
    for (int i = 0; i < c->nlevels; i++) {
        traffic->vertices[i] = c->level[i].g->nglobal;
        traffic->edges[i] = clv_dist_edges(c->level[i].g);
    }
    return CLEAVE_OK;
}

/* ---- Refinement ------------------------------------------------------------------------- */

/* The cost of leaving the home PE, in units of the cut.  Sums of it must fit, multiplied by
 * any distance of the machine. */
static cleave_status tie_home(multilevel *c, const level *l, clv_dist_state *k,
                              cleave_error *err)
{
    if (!c->task->home || c->task->price <= 0)
        return CLEAVE_OK;
    int64_t *tie = clv_ws_alloc(c->ctx->ws, l->g->nlocal, sizeof *tie);
    double most = k->s.machine ? INT32_MAX : 0x1p60 / (double)l->g->nglobal;
    CLV_TRY(clv_comm_agree_memory(&l->g->comm, tie != NULL, err));
    for (int32_t v = 0; v < l->g->nlocal; v++) {
        double cost = c->task->price * (double)l->carried.size[v];
        tie[v] = (int64_t)(cost < most ? cost + 0.5 : most);
    }
    k->home = l->carried.merge_class;
    k->tie = tie;
    return CLEAVE_OK;
}

static cleave_status refine_state(multilevel *c, clv_dist_state *k, int32_t index,
                                  cleave_error *err)
{
    if (k->g->kind == CLEAVE_DAG)
        return clv_dist_acyclic(k, acyclic_rounds, c->ctx, err);
    CLV_TRY(clv_dist_rebalance(k, c->ctx, err));
    clv_dist_state_cut(k);
    clv_preset inner = clv_preset_for_corridor(c->effort);
    clv_dist_jet_params jet = {c->effort->refinement.jet_rounds,
                               c->effort->refinement.jet_patience,
                               clv_preset_jet_temperature(index)};
    CLV_TRY(clv_dist_jet(k, &jet, c->ctx, err));
    for (int turn = 0; turn < 2 && !stops(c); turn++)
        CLV_TRY(clv_dist_corridor(k, &inner, turn == 1, c->ctx, err));
    return CLEAVE_OK;
}

static cleave_status refine_level(multilevel *c, int32_t index, cleave_error *err)
{
    const level *l = &c->level[index];
    clv_dist_state k;
    clv_ws_mark mark = clv_ws_save(c->ctx->ws);
    cleave_status status = clv_dist_state_open(&k, l->g, &c->bounds, c->part, c->ctx, err);
    k.s.level = index;
    k.s.fixed = c->task->fixed ? l->carried.merge_class : NULL;
    k.s.rank = c->solution.rank;
    if (status == CLEAVE_OK)
        status = tie_home(c, l, &k, err);
    if (status == CLEAVE_OK)
        status = refine_state(c, &k, index, err);
    clv_ws_restore(c->ctx->ws, mark);
    return status;
}

static cleave_status refine(void *method, int32_t index, cleave_error *err)
{
    multilevel *c = method;
    if (!stops(c))
        CLV_TRY(refine_level(c, index, err));
    c->result->traffic.bytes_refine[index] = bytes_sent(c) - c->sent;
    return CLEAVE_OK;
}

/* ---- Solutions of levels ---------------------------------------------------------------- */

static int32_t *part_array(const clv_dist_graph *g)
{
    return clv_alloc((int64_t)g->nlocal + g->nghost, sizeof(int32_t));
}

/* The state of a level is created when the level is refined. */
static cleave_status project(void *method, int32_t index, cleave_error *err)
{
    multilevel *c = method;
    level *l = &c->level[index];
    c->sent = bytes_sent(c);
    int32_t *fine = part_array(l->g);
    cleave_status status = clv_comm_agree_memory(&l->g->comm, fine != NULL, err);
    if (status == CLEAVE_OK)
        status = clv_dist_lookup(l->down.g, l->g->nlocal, l->down.map, c->part, fine, err);
    clv_sys_free(c->part);
    c->part = fine;
    clv_dist_coarse_free(&l->down);
    c->nlevels = index + 1;
    return status;
}

/* Parts are PEs here, not positions in the recursive halves of the machine. */
static cleave_status make_machine(multilevel *c, cleave_error *err)
{
    const clv_target *t = c->task->t;
    c->bounds.parts =
        (clv_bounds){.nparts = t->npes, .ncon = c->task->g->ncon, .max = c->solution.max};
    if (!clv_target_has_distances(t) || c->nlevels == 1 ||
        c->task->opt->objective == CLEAVE_OBJECTIVE_CUT)
        return CLEAVE_OK;
    int32_t *numbers = clv_ws_alloc(c->ctx->ws, t->npes, sizeof *numbers);
    if (!numbers)
        return clv_fail_memory(err);
    for (int32_t pe = 0; pe < t->npes; pe++)
        numbers[pe] = pe;
    CLV_TRY(clv_machine_make(&c->machine, t, numbers, c->ctx->ws, err));
    c->bounds.machine = &c->machine;
    return CLEAVE_OK;
}

static cleave_status solve_coarsest(void *method, int32_t *index, cleave_error *err)
{
    multilevel *c = method;
    const level *l = &c->level[*index];
    const clv_comm *comm = &c->task->g->comm;
    int64_t sent = bytes_sent(c);
    clv_dist_task coarsest = *c->task;
    coarsest.g = l->g;
    coarsest.fixed = c->task->fixed ? l->carried.merge_class : NULL;
    coarsest.home = c->task->home ? l->carried.merge_class : NULL;
    coarsest.size = l->carried.size;
    c->part = part_array(l->g);
    CLV_TRY(clv_comm_agree_memory(comm, c->part != NULL, err));
    CLV_TRY(clv_dist_solve(&coarsest, c->ctx, c->part, &c->solution, err));
    CLV_TRY(clv_comm_agree(comm, make_machine(c, err), err));
    c->result->traffic.bytes_gather = bytes_sent(c) - sent;
    return CLEAVE_OK;
}

/* ---- The multilevel method -------------------------------------------------------------- */

static cleave_status run_cycle(multilevel *c, int32_t *part, cleave_error *err)
{
    static const clv_multilevel_steps steps = {.coarsen = coarsen,
                                               .solve_coarsest = solve_coarsest,
                                               .project = project,
                                               .refine = refine};
    CLV_TRY(clv_multilevel_run(&steps, c, NULL, &c->result->cycle, err));
    if (c->task->g->nlocal > 0)
        memcpy(part, c->part, (size_t)c->task->g->nlocal * sizeof *part);
    return CLEAVE_OK;
}

cleave_status clv_dist_multilevel(const clv_dist_task *task, clv_context *ctx, int32_t *part,
                                  clv_dist_result *result, cleave_error *err)
{
    multilevel *c = clv_zalloc(1, sizeof *c);
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = clv_comm_agree_memory(&task->g->comm, c != NULL, err);
    *result = (clv_dist_result){0};
    if (status == CLEAVE_OK) {
        c->task = task;
        c->ctx = ctx;
        c->result = result;
        c->effort = clv_preset_of(task->opt->effort, task->g->kind);
        status = run_cycle(c, part, err);
        for (int i = 0; i < c->nlevels; i++)
            clv_dist_coarse_free(&c->level[i].down);
        clv_dist_solution_free(&c->solution);
        clv_sys_free(c->part);
    }
    clv_ws_restore(ctx->ws, mark);
    clv_sys_free(c);
    return status;
}
