/* SPDX-License-Identifier: Apache-2.0 */
/* engine/effort.c - the table of efforts, and the refiners in the order they are called. */
#include "engine/effort.h"

#include "refine/acyclic_balance.h"
#include "refine/acyclic_fm.h"
#include "refine/acyclic_moves.h"
#include "refine/bipartition_fm.h"
#include "refine/flow.h"
#include "refine/jet.h"
#include "refine/kway_fm.h"
#include "refine/label_moves.h"
#include "refine/rebalance.h"
#include "refine/reslice.h"

/* Vertices of a level where flows through whole parts are cheap. */
enum { small_level = 30000 };

/* What all efforts have in common. */
#define COMMON .heaviest = 1.5, .sparsify_from = 200000, .density = 0.4
/* What the two highest have in common. */
#define THOROUGH                                                                              \
    COMMON, .limit_per_part = 100, .limit_least = 4000, .limit_pair = 160, .bisections = 4,   \
            .tries = 10, .most_tries = 20, .fm_passes = 10, .fm_patience = 400,               \
            .jet_rounds = 16, .jet_patience = 4, .fm_rounds = 10, .cycles = 1

#define FAST                                                                                  \
    COMMON, .limit_per_part = 30, .limit_least = 500, .limit_pair = 80, .finer = 4,           \
            .bisections = 1, .tries = 5, .most_tries = 10, .fm_passes = 3,                    \
            .fm_patience = 100, .label_rounds = 2, .jet_rounds = 6, .jet_patience = 1,        \
            .fm_rounds = 1
#define DEFAULT                                                                               \
    COMMON, .limit_per_part = 60, .limit_least = 4000, .limit_pair = 80, .bisections = 4,     \
            .tries = 5, .most_tries = 10, .fm_passes = 6, .fm_patience = 200,                 \
            .jet_rounds = 8, .jet_patience = 2, .fm_rounds = 4
#define BEST THOROUGH, .flow_rounds = 8, .population = 8, .generations = 8, .until_limit = true

static const clv_effort efforts[] = {
    [CLEAVE_EFFORT_FAST] = {FAST},
    [CLEAVE_EFFORT_DEFAULT] = {DEFAULT},
    [CLEAVE_EFFORT_QUALITY] = {THOROUGH, .flow_rounds = 4},
    [CLEAVE_EFFORT_BEST] = {BEST},
};

/* On a machine: much of the cost is in where whole parts are, and flows see what the distance
 * to third parts means for a border. */
static const clv_effort machine_efforts[] = {
    [CLEAVE_EFFORT_FAST] = {FAST, .placing = {.starts = 1, .rounds = 1}},
    [CLEAVE_EFFORT_DEFAULT] =
        {DEFAULT, .flow_rounds = 4, .cycles = 1, .apart = 4,
         .placing = {.starts = 1, .annealed = 800, .chains = 32, .rounds = 1}},
    [CLEAVE_EFFORT_QUALITY] =
        {THOROUGH, .flow_rounds = 4, .population = 4, .generations = 2, .plain = true,
         .apart = 4,
         .placing = {.starts = 2, .annealed = 2000, .chains = 64, .kicks = 4, .rounds = 1}},
    [CLEAVE_EFFORT_BEST] =
        {BEST,
         .placing = {.starts = 2, .annealed = 4000, .chains = 64, .kicks = 8, .rounds = 1}},
};

/* DAGs.  What is common to all efforts, and to the two highest. */
#define DAG_COMMON .heaviest = 1.5, .flow_alpha = 16, .flow_whole = 20000
#define DAG_THOROUGH                                                                          \
    DAG_COMMON, .limit_per_part = 100, .limit_least = 4000, .limit_pair = 160,                \
                .bisections = 4, .tries = 16, .most_tries = 32, .fm_passes = 10,              \
                .fm_patience = 1000, .jet_rounds = 8, .flow_rounds = 4,                       \
                .pair_flow_rounds = 2, .reslices = 1, .reach = true, .climbs = 3,             \
                .underlying = 2, .sliced = 15, .cycles = 1

static const clv_effort dag_efforts[] = {
    [CLEAVE_EFFORT_FAST] = {DAG_COMMON, .limit_pair = 80, .fm_passes = 2, .fm_patience = 100,
                            .jet_rounds = 4, .flow_rounds = 2, .flow_below = 30000,
                            .flow_lost = 4, .climbs = 1, .underlying = 1, .sliced = 4},
    [CLEAVE_EFFORT_DEFAULT] = {DAG_COMMON, .limit_pair = 120, .fm_passes = 4,
                               .fm_patience = 300, .jet_rounds = 4, .flow_rounds = 2,
                               .climbs = 2, .underlying = 1, .sliced = 6},
    [CLEAVE_EFFORT_QUALITY] = {DAG_THOROUGH},
    [CLEAVE_EFFORT_BEST] = {DAG_THOROUGH, .population = 8, .generations = 8,
                            .until_limit = true},
};

const clv_effort *clv_effort_of(cleave_effort effort, cleave_kind kind)
{
    return kind == CLEAVE_DAG ? &dag_efforts[effort] : &efforts[effort];
}

const clv_effort *clv_effort_on_machine(cleave_effort effort)
{
    return &machine_efforts[effort];
}

clv_effort clv_effort_inner(const clv_effort *outer)
{
    clv_effort inner = *outer;
    inner.limit_least = inner.limit_pair;
    inner.limit_per_part = 0;
    inner.finer = 0;
    inner.bisections = 0;
    inner.cycles = inner.population = 0;
    inner.flow_rounds = inner.pair_flow_rounds;
    return inner;
}

/* Unconstrained moves; bolder on coarse levels, where there is time to repair. */
static cleave_status jump(clv_kway *s, const clv_effort *effort, clv_context *ctx,
                          cleave_error *err)
{
    clv_jet_params jet = {effort->jet_rounds, effort->jet_patience, s->level ? 512 : 256};
    return effort->jet_rounds > 0 ? clv_jet(s, &jet, ctx, err) : CLEAVE_OK;
}

/* Moves of single vertices between any two parts. */
static cleave_status improve_many(clv_kway *s, const clv_effort *effort, clv_context *ctx,
                                  cleave_error *err)
{
    if (effort->label_rounds > 0 && s->level == 0) {
        clv_label_params label = {effort->label_rounds};
        CLV_TRY(clv_label_moves(s, &label, ctx, err));
    }
    CLV_TRY(jump(s, effort, ctx, err));
    if (effort->fm_rounds > 0) {
        clv_kway_fm_params fm = clv_kway_fm_defaults();
        fm.rounds = effort->fm_rounds;
        CLV_TRY(clv_kway_fm(s, &fm, ctx, err));
    }
    return CLEAVE_OK;
}

/* Where the cost in vain is bounded, flows that bring less than a ten-thousandth of the cut
 * rest on the next level, then on two, on four: of the levels of six PolyBench DAGs, three in
 * four bring nothing and are two thirds of the time. */
static void rest_flows(clv_kway *s, int64_t before)
{
    bool in_vain = before - s->cut <= before / 10000;
    s->flow_last_rest = !in_vain ? 0 : s->flow_last_rest > 0 ? 2 * s->flow_last_rest : 1;
    s->flow_rest = s->flow_last_rest;
}

static cleave_status flow_dag(clv_kway *s, const clv_effort *effort, clv_context *ctx,
                              cleave_error *err)
{
    if (effort->flow_rounds == 0 ||
        (effort->flow_below > 0 && s->g->nvtx >= effort->flow_below))
        return CLEAVE_OK;
    if (s->flow_rest > 0) {
        s->flow_rest--;
        return CLEAVE_OK;
    }
    clv_flow_params flow = clv_flow_defaults(CLEAVE_EFFORT_QUALITY);
    flow.rounds = effort->flow_rounds;
    flow.whole = s->g->nvtx < small_level ? effort->flow_whole : 0;
    if (effort->flow_alpha > 0)
        flow.alpha = effort->flow_alpha;
    flow.lost = effort->flow_lost;
    int64_t before = s->cut;
    CLV_TRY(clv_flow_refine(s, &flow, ctx, err));
    if (effort->flow_lost > 0)
        rest_flows(s, before);
    return CLEAVE_OK;
}

/* Every move keeps the quotient acyclic. */
static cleave_status improve_dag(clv_kway *s, const clv_effort *effort, clv_context *ctx,
                                 cleave_error *err)
{
    CLV_TRY(clv_acyclic_balance(s, ctx, err));
    if (clv_context_stop(ctx))
        return CLEAVE_OK;
    if (effort->jet_rounds > 0) {
        clv_acyclic_moves_params moves = {effort->jet_rounds};
        CLV_TRY(clv_acyclic_moves(s, &moves, ctx, err));
    }
    clv_acyclic_fm_params fm = {
        .passes = effort->fm_passes, .patience = effort->fm_patience, .reach = effort->reach};
    CLV_TRY(clv_acyclic_fm(s, &fm, ctx, err));
    if (clv_context_stop(ctx))
        return CLEAVE_OK;
    CLV_TRY(flow_dag(s, effort, ctx, err));
    for (int32_t i = 0; i < effort->reslices && !clv_context_stop(ctx); i++)
        CLV_TRY(clv_reslice(s, ctx, err));
    return CLEAVE_OK;
}

cleave_status clv_improve(clv_kway *s, const clv_effort *effort, clv_context *ctx,
                          cleave_error *err)
{
    if (s->rank)
        return improve_dag(s, effort, ctx, err);
    CLV_TRY(clv_rebalance(s, ctx, err));
    if (clv_context_stop(ctx))
        return CLEAVE_OK;
    if (s->bounds.nparts == 2) {
        clv_bipartition_fm_params fm = {effort->fm_passes, effort->fm_patience};
        if (effort->bisections > 0)
            CLV_TRY(jump(s, effort, ctx, err));
        CLV_TRY(clv_bipartition_fm(s, &fm, ctx, err));
    } else {
        CLV_TRY(improve_many(s, effort, ctx, err));
    }
    if (effort->flow_rounds > 0 && !clv_context_stop(ctx)) {
        clv_flow_params flow = clv_flow_defaults(CLEAVE_EFFORT_QUALITY);
        flow.rounds = effort->flow_rounds;
        CLV_TRY(clv_flow_refine(s, &flow, ctx, err));
    }
    return CLEAVE_OK;
}
