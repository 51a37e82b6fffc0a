/* SPDX-License-Identifier: Apache-2.0 */
/* engine/effort.c - the table of efforts, and the refiners in the order they are called. */
#include "engine/effort.h"

#include "refine/bipartition_fm.h"
#include "refine/flow.h"
#include "refine/jet.h"
#include "refine/kway_fm.h"
#include "refine/label_moves.h"
#include "refine/rebalance.h"

static const clv_effort efforts[] = {
    [CLEAVE_EFFORT_FAST] =
        {
            .limit_per_part = 30,
            .limit_least = 500,
            .limit_pair = 80,
            .heaviest = 1.5,
            .sparsify_from = 200000,
            .density = 0.4,
            .bisections = 1,
            .tries = 4,
            .most_tries = 8,
            .fm_passes = 3,
            .fm_patience = 100,
            .jet_rounds = 4,
            .jet_patience = 1,
            .fm_rounds = 1,
        },
    [CLEAVE_EFFORT_DEFAULT] =
        {
            .limit_per_part = 60,
            .limit_least = 4000,
            .limit_pair = 80,
            .heaviest = 1.5,
            .sparsify_from = 200000,
            .density = 0.4,
            .bisections = 4,
            .tries = 5,
            .most_tries = 10,
            .fm_passes = 6,
            .fm_patience = 200,
            .jet_rounds = 8,
            .jet_patience = 2,
            .fm_rounds = 4,
        },
    [CLEAVE_EFFORT_QUALITY] = {.limit_per_part = 100,
                               .limit_least = 4000,
                               .limit_pair = 160,
                               .heaviest = 1.5,
                               .sparsify_from = 200000,
                               .density = 0.4,
                               .bisections = 4,
                               .tries = 10,
                               .most_tries = 20,
                               .fm_passes = 10,
                               .fm_patience = 400,
                               .jet_rounds = 16,
                               .jet_patience = 4,
                               .fm_rounds = 10,
                               .flow_rounds = 4,
                               .cycles = 1},
    [CLEAVE_EFFORT_BEST] = {.limit_per_part = 100,
                            .limit_least = 4000,
                            .limit_pair = 160,
                            .heaviest = 1.5,
                            .sparsify_from = 200000,
                            .density = 0.4,
                            .bisections = 4,
                            .tries = 10,
                            .most_tries = 20,
                            .fm_passes = 10,
                            .fm_patience = 400,
                            .jet_rounds = 16,
                            .jet_patience = 4,
                            .fm_rounds = 10,
                            .flow_rounds = 8,
                            .cycles = 1,
                            .population = 8,
                            .generations = 8},
};

const clv_effort *clv_effort_of(cleave_effort effort)
{
    return &efforts[effort];
}

clv_effort clv_effort_inner(const clv_effort *outer)
{
    clv_effort inner = *outer;
    inner.limit_least = inner.limit_pair;
    inner.limit_per_part = 0;
    inner.bisections = 0;
    inner.cycles = inner.population = 0;
    inner.flow_rounds = 0;
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
    if (effort->label_rounds > 0) {
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

cleave_status clv_improve(clv_kway *s, const clv_effort *effort, clv_context *ctx,
                          cleave_error *err)
{
    CLV_TRY(clv_rebalance(s, ctx, err));
    if (s->nparts == 2) {
        clv_bipartition_fm_params fm = {effort->fm_passes, effort->fm_patience};
        if (effort->bisections > 0)
            CLV_TRY(jump(s, effort, ctx, err));
        CLV_TRY(clv_bipartition_fm(s, &fm, ctx, err));
    } else {
        CLV_TRY(improve_many(s, effort, ctx, err));
    }
    if (effort->flow_rounds > 0) {
        clv_flow_params flow = clv_flow_defaults(CLEAVE_EFFORT_QUALITY);
        flow.rounds = effort->flow_rounds;
        CLV_TRY(clv_flow_refine(s, &flow, ctx, err));
    }
    return CLEAVE_OK;
}
