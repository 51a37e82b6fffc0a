/* SPDX-License-Identifier: Apache-2.0 */
/* engine/presets_order.c - the parameter tables of placements, separators, dissections and
 * orders, see engine/presets.h; the origin of every number as in engine/presets.c. */
#include "engine/presets.h"

/* ---- Placement of whole parts ----------------------------------------------------------- */

/* RESULTS "Mapping", one to one (mesh:8x8x8: fast 881433, default 824082, quality 797047,
 * Scotch 834243).  The single numbers: not measured on their own. */
clv_placement_params clv_preset_placement_of_vertices(cleave_effort effort)
{
    static const clv_placement_params rows[] = {
        [CLEAVE_EFFORT_FAST] = {.starts = 1, .annealed = 1000, .rounds = 1},
        [CLEAVE_EFFORT_DEFAULT] = {.starts = 2, .annealed = 4000, .chains = 16, .rounds = 1},
        [CLEAVE_EFFORT_QUALITY] = {.starts = 4, .annealed = 20000, .chains = 16, .rounds = 1},
        [CLEAVE_EFFORT_BEST] = {.starts = 4,
                                .annealed = 40000,
                                .chains = 64,
                                .kicks = 8,
                                .rounds = 4,
                                .until_limit = true}};
    return rows[effort];
}

/* Less than on the coarsest level of a mapping by cost; not measured on its own. */
clv_placement_params clv_preset_placement_of_parts(cleave_effort effort)
{
    static const clv_placement_params rows[] = {
        [CLEAVE_EFFORT_FAST] = {.starts = 1, .rounds = 1},
        [CLEAVE_EFFORT_DEFAULT] = {.starts = 1, .annealed = 200, .chains = 16, .rounds = 1},
        [CLEAVE_EFFORT_QUALITY] =
            {.starts = 2, .annealed = 2000, .chains = 64, .kicks = 4, .rounds = 1},
        [CLEAVE_EFFORT_BEST] = {
            .starts = 4, .annealed = 4000, .chains = 64, .kicks = 8, .rounds = 1}};
    return rows[effort];
}

/* Recursive bisection places the parts of large machines well.  Annealing, which there tries
 * only places with adjacent numbers, ended with a higher cost and was undone: mapping.md
 * "Known limits".  Chains gain 0.3 %, most of it in the first few. */
clv_placement_params clv_preset_placement_on(const clv_placement_params *params,
                                             const clv_machine *machine)
{
    enum { few_chains = 8 };
    int32_t chains = params->chains < few_chains ? params->chains : few_chains;
    if (machine->table)
        return *params;
    return (clv_placement_params){.starts = 1, .chains = chains, .rounds = 1};
}

/* Not measured on its own. */
int32_t clv_preset_congestion_steps(cleave_effort effort)
{
    static const int32_t steps[] = {[CLEAVE_EFFORT_FAST] = 20,
                                    [CLEAVE_EFFORT_DEFAULT] = 100,
                                    [CLEAVE_EFFORT_QUALITY] = 500,
                                    [CLEAVE_EFFORT_BEST] = 2000};
    return steps[effort];
}

/* ---- Separators and orders -------------------------------------------------------------- */

/* RESULTS "Fill of elimination orders" (default 0.941 @ 1.99 of METIS_NodeND), together with
 * the dissections below.  Patience matters most: a sweep to one side passes many separators
 * that are no better before it reaches a better one.  The rest: not measured on its own. */
static const clv_separator_preset separators[] = {
    [CLEAVE_EFFORT_FAST] = {.base = CLEAVE_EFFORT_FAST,
                            .limit = 1000,
                            .merge = CLV_MERGE_PAIRS,
                            .starts = 1,
                            .runs = 1,
                            .passes = 6,
                            .patience = 400},
    [CLEAVE_EFFORT_DEFAULT] = {.base = CLEAVE_EFFORT_FAST,
                               .limit = 1000,
                               .merge = CLV_MERGE_PAIRS,
                               .starts = 1,
                               .runs = 1,
                               .passes = 9,
                               .patience = 3000,
                               .layers = 4,
                               .flow_below = INT32_MAX},
    [CLEAVE_EFFORT_QUALITY] = {.base = CLEAVE_EFFORT_FAST,
                               .limit = 1000,
                               .merge = CLV_MERGE_PAIRS,
                               .starts = 2,
                               .runs = 4,
                               .passes = 12,
                               .patience = 6000,
                               .layers = 4,
                               .flow_below = INT32_MAX},
    [CLEAVE_EFFORT_BEST] = {.base = CLEAVE_EFFORT_DEFAULT,
                            .limit = 2000,
                            .merge = CLV_MERGE_PAIRS,
                            .starts = 4,
                            .runs = 12,
                            .passes = 15,
                            .patience = 10000,
                            .layers = 6,
                            .flow_below = INT32_MAX},
};

const clv_separator_preset *clv_preset_for_separator(cleave_effort effort)
{
    return &separators[effort];
}

const clv_dissection_preset *clv_preset_for_dissection(cleave_effort effort)
{
    static const clv_dissection_preset rows[] = {
        [CLEAVE_EFFORT_FAST] = {.leaf = 240, .runs = 1},
        [CLEAVE_EFFORT_DEFAULT] = {.leaf = 300, .whole = true, .runs = 1},
        [CLEAVE_EFFORT_QUALITY] = {.leaf = 120,
                                   .compare = INT32_MAX,
                                   .whole = true,
                                   .runs = 5},
        [CLEAVE_EFFORT_BEST] = {.leaf = 100, .compare = INT32_MAX, .whole = true, .runs = 16}};
    return &rows[effort];
}

/* The separators of large pieces matter most. */
clv_separator_preset clv_preset_for_piece(cleave_effort effort, int32_t depth)
{
    int32_t runs = clv_preset_for_dissection(effort)->runs;
    clv_separator_preset preset = separators[effort];
    preset.runs = runs > depth + 1 ? runs - depth : 1;
    return preset;
}

/* Rows as a whole: RESULTS "Unequal and changing machines" (multilevel+split 1.105).  Flows,
 * bisections, turns: adaptive.md "A line is a machine" (flows 0.5 % for half as much time
 * again, twice the bisections nothing, turning 1.131 to 1.123, quality 1.09 for five times the
 * time).  The other numbers: not measured on their own. */
const clv_order_preset *clv_preset_for_order(cleave_effort effort)
{
    enum {
        large_graph = 200000
    }; /* on larger graphs a V-cycle repeats too much of the
          work */
    static const clv_order_preset rows[] = {
        [CLEAVE_EFFORT_FAST] = {.base = CLEAVE_EFFORT_FAST,
                                .bisections = 2,
                                .turns = 1,
                                .cycled_below = large_graph,
                                .jet_rounds = 4,
                                .fm_rounds = 1,
                                .rounds = 1,
                                .sweeps = 10,
                                .exchanges = 4},
        [CLEAVE_EFFORT_DEFAULT] = {.base = CLEAVE_EFFORT_DEFAULT,
                                   .bisections = 8,
                                   .turns = 1,
                                   .cycled_below = large_graph,
                                   .jet_rounds = 8,
                                   .fm_rounds = 2,
                                   .rounds = 1,
                                   .sweeps = 24,
                                   .exchanges = 4},
        [CLEAVE_EFFORT_QUALITY] = {.base = CLEAVE_EFFORT_QUALITY,
                                   .bisections = 16,
                                   .flows = 2,
                                   .turns = 2,
                                   .cycled_below = INT32_MAX,
                                   .jet_rounds = 16,
                                   .fm_rounds = 8,
                                   .rounds = 3,
                                   .sweeps = 30,
                                   .exchanges = 20},
        [CLEAVE_EFFORT_BEST] = {.base = CLEAVE_EFFORT_BEST,
                                .bisections = 32,
                                .flows = 4,
                                .turns = 4,
                                .cycled_below = INT32_MAX,
                                .jet_rounds = 16,
                                .fm_rounds = 8,
                                .rounds = 5,
                                .sweeps = 40,
                                .exchanges = 40}};
    return &rows[effort];
}

/* A line has many parts, and turning runs of them finds their places: less placement, no
 * search.  The first run is lighter because V-cycles follow.  Not measured on its own. */
clv_preset clv_preset_for_coarse_line(const clv_order_preset *order, bool first)
{
    clv_preset preset = clv_preset_for_machine(order->base);
    preset.coarsening.limit_per_part = 10;
    preset.coarsening.limit_least = 2000;
    preset.initial.bisections = order->bisections;
    preset.initial.rivals = (clv_rivals_preset){0};
    preset.initial.placement = (clv_placement_params){.starts = 1, .rounds = 1};
    preset.refinement.flow_rounds = order->flows;
    preset.refinement.fm_rounds = order->fm_rounds;
    preset.search.cycles = preset.search.population = 0;
    preset.search.until_limit = false;
    if (first) {
        preset.refinement.fm_rounds = 1;
        preset.refinement.jet_rounds = 4;
    }
    return preset;
}

/* There are many blocks, and each matters little.  The numbers: not measured on their own. */
clv_preset clv_preset_for_line_blocks(void)
{
    clv_preset preset = clv_preset_for_machine(CLEAVE_EFFORT_FAST);
    preset.coarsening.limit_pair = 300;
    preset.initial.tries = 1;
    preset.initial.most_tries = 2;
    preset.refinement.fm_passes = 1;
    return preset;
}

/* RESULTS "Unequal and changing machines": hci+split is 1.788 of a partition from scratch,
 * multilevel+split 1.105, but a curve through a million points takes 0.09 s. */
bool clv_preset_orders_by_curve(cleave_effort effort)
{
    return effort == CLEAVE_EFFORT_FAST;
}
