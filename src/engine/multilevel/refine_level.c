/* SPDX-License-Identifier: Apache-2.0 */
/* engine/multilevel/refine_level.c - the refiners of one level, see
 * engine/multilevel/refine_level.h.
 *
 * Two parts: rebalancing, Jet (unconstrained moves), FM.  More parts: rebalancing, label
 * propagation, Jet, localised k-way FM.  DAGs: their acyclic counterparts, and re-slicing.
 * Flow refinement between pairs of parts follows. */
#include "engine/multilevel/refine_level.h"

#include "refine/balance/acyclic_balance.h"
#include "refine/balance/rebalance.h"
#include "refine/flow/flow.h"
#include "refine/fm/acyclic_fm.h"
#include "refine/fm/bipartition_fm.h"
#include "refine/fm/kway_fm.h"
#include "refine/moves/acyclic_moves.h"
#include "refine/moves/jet.h"
#include "refine/moves/label_moves.h"
#include "refine/moves/reslice.h"

/* Vertices of a level on which flows through whole parts are cheap: docs/design/acyclic.md,
 * "Closure flows". */
enum { small_level = 30000 };

static cleave_status move_unconstrained(clv_partition_state *s,
                                        const clv_refinement_preset *preset, clv_context *ctx,
                                        cleave_error *err)
{
    clv_jet_params jet = {preset->jet_rounds, preset->jet_patience,
                          clv_preset_jet_temperature(s->level)};
    return preset->jet_rounds > 0 ? clv_jet(s, &jet, ctx, err) : CLEAVE_OK;
}

static cleave_status refine_two_parts(clv_partition_state *s, const clv_preset *effort,
                                      clv_context *ctx, cleave_error *err)
{
    const clv_refinement_preset *preset = &effort->refinement;
    clv_bipartition_fm_params fm = {preset->fm_passes, preset->fm_patience};
    if (effort->initial.bisections > 0) /* not inside recursive bisection */
        CLV_TRY(move_unconstrained(s, preset, ctx, err));
    return clv_bipartition_fm(s, &fm, ctx, err);
}

static cleave_status refine_many_parts(clv_partition_state *s,
                                       const clv_refinement_preset *preset, clv_context *ctx,
                                       cleave_error *err)
{
    if (preset->label_rounds > 0 && s->level == 0) {
        clv_label_params label = {preset->label_rounds};
        CLV_TRY(clv_label_moves(s, &label, ctx, err));
    }
    CLV_TRY(move_unconstrained(s, preset, ctx, err));
    if (preset->fm_rounds > 0) {
        clv_kway_fm_params fm = clv_kway_fm_defaults();
        fm.rounds = preset->fm_rounds;
        CLV_TRY(clv_kway_fm(s, &fm, ctx, err));
    }
    return CLEAVE_OK;
}

/* Should a refiner that gained nothing on the last levels skip this one? */
static bool rests(clv_level_rest *rest)
{
    if (rest->left == 0)
        return false;
    rest->left--;
    return true;
}

/* A refiner that lowered the cut by less than 10^-4 skips the next level, then two, then four:
 * docs/design/acyclic.md, "Closure flows" (three of four levels gain nothing and take two
 * thirds of the time). */
static void note_gain(clv_level_rest *rest, int64_t before, int64_t now)
{
    bool in_vain = before - now <= before / 10000;
    rest->last = !in_vain ? 0 : rest->last > 0 ? 2 * rest->last : 1;
    rest->left = rest->last;
}

static cleave_status flow_dag(clv_partition_state *s, const clv_preset *effort,
                              clv_context *ctx, cleave_error *err)
{
    const clv_dag_preset *dag = &effort->dag;
    if (effort->refinement.flow_rounds == 0 || rests(&s->flow_rest))
        return CLEAVE_OK;
    clv_flow_params flow = clv_flow_defaults();
    flow.rounds = effort->refinement.flow_rounds;
    flow.whole = s->g->nvtx < small_level ? dag->flow_whole : 0;
    if (dag->flow_alpha > 0)
        flow.alpha = dag->flow_alpha;
    flow.lost = dag->flow_lost;
    int64_t before = s->cut;
    CLV_TRY(clv_flow_refine(s, &flow, ctx, err));
    if (dag->flow_lost > 0)
        note_gain(&s->flow_rest, before, s->cut);
    return CLEAVE_OK;
}

static cleave_status reslice_dag(clv_partition_state *s, const clv_preset *effort,
                                 clv_context *ctx, cleave_error *err)
{
    if (!effort->dag.reslice || clv_context_stop(ctx) || rests(&s->reslice_rest))
        return CLEAVE_OK;
    int64_t before = s->cut;
    CLV_TRY(clv_reslice(s, ctx, err));
    if (effort->dag.flow_lost > 0)
        note_gain(&s->reslice_rest, before, s->cut);
    return CLEAVE_OK;
}

/* Every move keeps the quotient acyclic. */
static cleave_status refine_dag(clv_partition_state *s, const clv_preset *effort,
                                clv_context *ctx, cleave_error *err)
{
    const clv_refinement_preset *preset = &effort->refinement;
    CLV_TRY(clv_acyclic_balance(s, ctx, err));
    if (clv_context_stop(ctx))
        return CLEAVE_OK;
    if (preset->jet_rounds > 0) {
        clv_acyclic_moves_params moves = {preset->jet_rounds};
        CLV_TRY(clv_acyclic_moves(s, &moves, ctx, err));
    }
    clv_acyclic_fm_params fm = {.passes = preset->fm_passes,
                                .patience = preset->fm_patience,
                                .rerank_moves = effort->dag.rerank_moves};
    CLV_TRY(clv_acyclic_fm(s, &fm, ctx, err));
    if (clv_context_stop(ctx))
        return CLEAVE_OK;
    CLV_TRY(flow_dag(s, effort, ctx, err));
    return reslice_dag(s, effort, ctx, err);
}

cleave_status clv_refine_level(clv_partition_state *s, const clv_preset *effort,
                               clv_context *ctx, cleave_error *err)
{
    const clv_refinement_preset *preset = &effort->refinement;
    if (s->rank)
        return refine_dag(s, effort, ctx, err);
    CLV_TRY(clv_rebalance(s, ctx, err));
    if (clv_context_stop(ctx))
        return CLEAVE_OK;
    if (s->bounds.nparts == 2)
        CLV_TRY(refine_two_parts(s, effort, ctx, err));
    else
        CLV_TRY(refine_many_parts(s, preset, ctx, err));
    if (preset->flow_rounds > 0 && !clv_context_stop(ctx)) {
        clv_flow_params flow = clv_flow_defaults();
        flow.rounds = preset->flow_rounds;
        CLV_TRY(clv_flow_refine(s, &flow, ctx, err));
    }
    return CLEAVE_OK;
}
