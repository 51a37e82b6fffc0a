/* SPDX-License-Identifier: Apache-2.0 */
/* engine/presets.c - the parameter tables, see engine/presets.h.
 *
 * The origin of every number is beside it or above its table:
 *   a name such as engine.md "Growing by ties" is a paragraph of docs/design/engine.md,
 *   RESULTS "Partitioning" is a section of bench/RESULTS.md,
 *   [Author year] is a paper,
 *   "taste" means that the value was chosen without a measurement of its own; it is measured
 *   only as a part of the whole row. */
#include "engine/presets.h"

/* ---- Partitions ------------------------------------------------------------------------- */

/* Undirected graphs.  The rows as a whole: RESULTS "Partitioning", cut @ time over METIS: fast
 * 0.915 @ 1.10, default 0.861 @ 3.36, quality 0.829 @ 9.19; best with 6 s 0.754.
 * limit_per_part, limit_least: engine.md "Repeat where it is cheap" (a few thousand vertices,
 *   bisected several times, 0.80 @ 3.6 for k = 2); more than 500 for fast is in engine.md
 *   "Hubs: coarsening" (4000: 0.917 @ 1.45 instead of 0.918 @ 1.07).  The factors per part:
 *   taste.
 * limit_pair: taste.
 * heaviest: METIS's bound, 1.5 total / limit.
 * finer: engine.md "Lighter clusters where hubs hide the structure" (hub-sides 1.007 to
 * 0.994). sparsify_from, density: engine.md "Thinning dense levels" (0.869 against 0.870, 10 %
 * less time). bisections: engine.md "Repeat where it is cheap". tries: engine.md "Growing by
 * ties" (a fifth try, 0.932 @ 1.01 to 0.906 @ 1.08); 10: taste. most_tries: taste, twice the
 * tries. fm_passes, fm_patience, label_rounds, jet_patience, fm_rounds, flow_rounds: taste.
 * jet_rounds: that there are some, engine.md "Unconstrained moves before FM" (irregular 0.925
 *   to 0.875); how many: taste.
 * cycles: [Walshaw 2004]; one: taste.
 * population, generations: engine.md "Generations"; eight: taste. */
static const clv_preset undirected[] = {
    [CLEAVE_EFFORT_FAST] = {.coarsening = {.limit_per_part = 30,
                                           .limit_least = 500,
                                           .limit_pair = 80,
                                           .heaviest = 1.5,
                                           .finer = 4,
                                           .sparsify_from = 200000,
                                           .density = 0.4},
                            .initial = {.bisections = 1, .tries = 5, .most_tries = 10},
                            .refinement = {.fm_passes = 3,
                                           .fm_patience = 100,
                                           .label_rounds = 2,
                                           .jet_rounds = 6,
                                           .jet_patience = 1,
                                           .fm_rounds = 1}},
    [CLEAVE_EFFORT_DEFAULT] = {.coarsening = {.limit_per_part = 60,
                                              .limit_least = 4000,
                                              .limit_pair = 80,
                                              .heaviest = 1.5,
                                              .sparsify_from = 200000,
                                              .density = 0.4},
                               .initial = {.bisections = 4, .tries = 5, .most_tries = 10},
                               .refinement = {.fm_passes = 6,
                                              .fm_patience = 200,
                                              .jet_rounds = 8,
                                              .jet_patience = 2,
                                              .fm_rounds = 4}},
    [CLEAVE_EFFORT_QUALITY] = {.coarsening = {.limit_per_part = 100,
                                              .limit_least = 4000,
                                              .limit_pair = 160,
                                              .heaviest = 1.5,
                                              .sparsify_from = 200000,
                                              .density = 0.4},
                               .initial = {.bisections = 4, .tries = 10, .most_tries = 20},
                               .refinement = {.fm_passes = 10,
                                              .fm_patience = 400,
                                              .jet_rounds = 16,
                                              .jet_patience = 4,
                                              .fm_rounds = 10,
                                              .flow_rounds = 4},
                               .search = {.cycles = 1}},
    [CLEAVE_EFFORT_BEST] =
        {.coarsening = {.limit_per_part = 100,
                        .limit_least = 4000,
                        .limit_pair = 160,
                        .heaviest = 1.5,
                        .sparsify_from = 200000,
                        .density = 0.4},
         .initial = {.bisections = 4, .tries = 10, .most_tries = 20},
         .refinement = {.fm_passes = 10,
                        .fm_patience = 400,
                        .jet_rounds = 16,
                        .jet_patience = 4,
                        .fm_rounds = 10,
                        .flow_rounds = 8},
         .search = {.cycles = 1, .population = 8, .generations = 8, .until_limit = true}},
};

/* DAGs.  The rows as a whole: RESULTS "Acyclic partitioning", cut over dagP @ time over METIS:
 * fast 0.572 @ 3.89, default 0.553 @ 8.52, quality 0.538 @ 41.87; best with 60 s 0.609.
 * limit_per_part, limit_least, bisections, heaviest, cycles, population, generations: as for
 *   undirected graphs; fast and default begin with other solutions and need no bisections.
 * limit_pair, tries, most_tries, fm_passes, fm_patience, jet_rounds, flow_rounds,
 *   pair_flow_rounds: taste.
 * flow_alpha: [Heuer, Sanders, Schlag 2018].
 * flow_whole: acyclic.md "Closure flows" (3mm, k = 8: 12,646 against 25,548); the number of
 *   vertices: taste.
 * flow_below, flow_lost: acyclic.md "Closure flows" (0.542 @ 3.11 to 0.543 @ 2.70).
 * rerank_moves: acyclic.md "FM" (0 to 0.2 % for twice the time).
 * reslices: acyclic.md "Re-slicing" (0.837 @ 9 to 0.818 @ 18).
 * climbs, underlying: acyclic.md "The start decides".
 * sliced: acyclic.md "Orders" (four cover all but 2 %) and "Repair" (three instead of four
 *   0.539 @ 2.43, not taken); 6 and 15: taste. */
static const clv_preset directed[] = {
    [CLEAVE_EFFORT_FAST] =
        {.coarsening = {.limit_pair = 80, .heaviest = 1.5},
         .refinement = {.fm_passes = 2, .fm_patience = 100, .jet_rounds = 4, .flow_rounds = 2},
         .dag = {.flow_alpha = 16,
                 .flow_whole = 20000,
                 .flow_lost = 4,
                 .flow_below = 30000,
                 .climbs = 1,
                 .underlying = 1,
                 .sliced = 4}},
    [CLEAVE_EFFORT_DEFAULT] =
        {.coarsening = {.limit_pair = 120, .heaviest = 1.5},
         .refinement = {.fm_passes = 4, .fm_patience = 300, .jet_rounds = 4, .flow_rounds = 2},
         .dag = {.flow_alpha = 16,
                 .flow_whole = 20000,
                 .climbs = 2,
                 .underlying = 1,
                 .sliced = 6}},
    [CLEAVE_EFFORT_QUALITY] = {.coarsening = {.limit_per_part = 100,
                                              .limit_least = 4000,
                                              .limit_pair = 160,
                                              .heaviest = 1.5},
                               .initial = {.bisections = 4, .tries = 16, .most_tries = 32},
                               .refinement = {.fm_passes = 10,
                                              .fm_patience = 1000,
                                              .jet_rounds = 8,
                                              .flow_rounds = 4},
                               .dag = {.pair_flow_rounds = 2,
                                       .flow_alpha = 16,
                                       .flow_whole = 20000,
                                       .rerank_moves = true,
                                       .reslices = 1,
                                       .climbs = 3,
                                       .underlying = 2,
                                       .sliced = 15},
                               .search = {.cycles = 1}},
    [CLEAVE_EFFORT_BEST] =
        {.coarsening =
             {.limit_per_part = 100, .limit_least = 4000, .limit_pair = 160, .heaviest = 1.5},
         .initial = {.bisections = 4, .tries = 16, .most_tries = 32},
         .refinement =
             {.fm_passes = 10, .fm_patience = 1000, .jet_rounds = 8, .flow_rounds = 4},
         .dag = {.pair_flow_rounds = 2,
                 .flow_alpha = 16,
                 .flow_whole = 20000,
                 .rerank_moves = true,
                 .reslices = 1,
                 .climbs = 3,
                 .underlying = 2,
                 .sliced = 15},
         .search = {.cycles = 1, .population = 8, .generations = 8, .until_limit = true}},
};

/* What a machine changes in the rows for undirected graphs: much of the cost depends on where
 * whole parts are, and flows see the distances to third parts.  The rows as a whole: RESULTS
 * "Mapping", cost @ time over Scotch, trees: default 0.885 @ 3.48, quality 0.868 @ 18.57.
 *
 * flow_rounds, cycles: mapping.md "Flows see third parts" (default 0.935 to 0.908).
 * population, generations of quality: mapping.md "Generations at quality" (meshes 0.90 to
 * 0.88, tori 0.90 to 0.85); RESULTS "Mapping": four generations gain 0.3 % for 1.4 times the
 * time, six solutions nothing. plain, independent_runs: RESULTS "Mapping", bump onto lists of
 * 5 PEs (0.917, worst 1.008); four: taste. placement: mapping.md "Whole parts are placed on
 * the coarsest level" (0.918 to 0.910 with a little, 0.897 with ten times as much); the single
 * numbers: taste. */
static const struct machine_row {
    int32_t flow_rounds;
    clv_placement_params placement;
    clv_search_preset search;
} machine_rows[] = {
    [CLEAVE_EFFORT_FAST] = {.placement = {.starts = 1, .rounds = 1}},
    [CLEAVE_EFFORT_DEFAULT] =
        {.flow_rounds = 4,
         .placement = {.starts = 1, .annealed = 800, .chains = 32, .rounds = 1},
         .search = {.cycles = 1, .independent_runs = 4}},
    [CLEAVE_EFFORT_QUALITY] =
        {.flow_rounds = 4,
         .placement = {.starts = 2, .annealed = 2000, .chains = 64, .kicks = 4, .rounds = 1},
         .search = {.cycles = 1,
                    .population = 4,
                    .generations = 2,
                    .plain = true,
                    .independent_runs = 4}},
    [CLEAVE_EFFORT_BEST] =
        {.flow_rounds = 8,
         .placement = {.starts = 2, .annealed = 4000, .chains = 64, .kicks = 8, .rounds = 1},
         .search = {.cycles = 1, .population = 8, .generations = 8, .until_limit = true}},
};

const clv_preset *clv_preset_of(cleave_effort effort, cleave_kind kind)
{
    return kind == CLEAVE_DAG ? &directed[effort] : &undirected[effort];
}

clv_preset clv_preset_for_machine(cleave_effort effort)
{
    const struct machine_row *row = &machine_rows[effort];
    clv_preset preset = undirected[effort];
    preset.refinement.flow_rounds = row->flow_rounds;
    preset.initial.placement = row->placement;
    preset.search = row->search;
    return preset;
}

/* Weak ties are spared where light edges exist: engine.md "Weak ties are not merged". */
clv_preset clv_preset_for_partition(cleave_effort effort, cleave_kind kind, bool by_cost,
                                    bool light_edges)
{
    clv_preset preset =
        by_cost ? clv_preset_for_machine(effort) : *clv_preset_of(effort, kind);
    preset.coarsening.spare_weak = light_edges;
    return preset;
}

/* ---- Parts of a search ------------------------------------------------------------------ */

/* Tries of a bisection for DAG presets that have no initial bisection of their own, as for an
 * order: taste. */
enum { bisection_tries = 4, bisection_most_tries = 8 };

/* A bisection is one step of many: no nested bisections and no search. */
clv_preset clv_preset_for_bisection(const clv_preset *whole)
{
    clv_preset inner = *whole;
    inner.coarsening.limit_least = inner.coarsening.limit_pair;
    inner.coarsening.limit_per_part = 0;
    inner.coarsening.finer = 0;
    inner.initial.bisections = 0;
    if (inner.initial.tries == 0) {
        inner.initial.tries = bisection_tries;
        inner.initial.most_tries = bisection_most_tries;
    }
    inner.refinement.flow_rounds = inner.dag.pair_flow_rounds;
    inner.search.cycles = inner.search.population = 0;
    return inner;
}

/* With very many parts there are very many bisections, and each matters less.  256: taste. */
int32_t clv_preset_bisections(const clv_preset *whole, int32_t nparts)
{
    enum { many_parts = 256 };
    int32_t all = whole->initial.bisections;
    int32_t tries = nparts <= many_parts ? all : (all + 1) / 2;
    return tries > 0 ? tries : 1;
}

clv_preset clv_preset_for_groups(const clv_preset *whole)
{
    clv_preset once = *whole;
    once.search.cycles = once.search.population = 0;
    return once;
}

/* After division along the groups, whole parts are placed already: annealing gained
 * nothing. */
clv_preset clv_preset_after_groups(const clv_preset *whole)
{
    clv_preset light = *whole;
    light.initial.placement = (clv_placement_params){.starts = 1, .rounds = 1};
    return light;
}

clv_preset clv_preset_without_population(const clv_preset *whole)
{
    clv_preset less = *whole;
    less.search.population = 0;
    return less;
}

/* Slices ignore distances: mapping.md "A DAG". */
clv_preset clv_preset_for_placed_parts(cleave_effort effort, cleave_kind kind)
{
    clv_preset preset = *clv_preset_of(effort, kind);
    preset.dag.reslices = 0;
    return preset;
}

/* Measured on meshes with intervals of a multilevel order, cut over that of a mapping from
 * scratch: 1.094 after one round, 1.054 after three, 1.042 after five, 1.040 after eight;
 * unconstrained moves before FM gain nothing.  Passes and patience: taste. */
const clv_preset *clv_preset_for_borders(void)
{
    static const clv_preset borders = {
        .refinement = {.fm_passes = 4, .fm_patience = 300, .fm_rounds = 3}};
    return &borders;
}

const clv_preset *clv_preset_for_underlying(const clv_preset *dag)
{
    return &undirected[dag->dag.underlying == 2 ? CLEAVE_EFFORT_DEFAULT : CLEAVE_EFFORT_FAST];
}

/* Solutions that were found in different ways are worth more when combined.  Some graphs are
 * solved best without coarsening: engine.md "Generations" (add20 629 against 679).  The
 * numbers drawn from: taste. */
clv_preset clv_preset_vary(const clv_preset *whole, const clv_graph *g, bool from_scratch,
                           clv_rng *rng)
{
    enum { small_graph = 10000 }; /* vertices: cheap to solve without coarsening */
    static const double heaviest[] = {1, 1.5, 1.5, 4};
    static const int32_t limit[] = {40, 80, 160, small_graph};
    clv_preset child = *whole;
    clv_coarsening_preset *c = &child.coarsening;
    if (g->kind == CLEAVE_UNDIRECTED && clv_rng_below(rng, 8) == 0)
        c->merge = CLV_MERGE_PAIRS;
    c->heaviest = heaviest[clv_rng_below(rng, 4)];
    c->limit_pair = limit[clv_rng_below(rng, 4)];
    if (!from_scratch && c->limit_pair == small_graph)
        c->limit_pair = whole->coarsening.limit_pair;
    if (c->limit_pair == small_graph && g->nvtx < small_graph)
        c->limit_least = small_graph;
    return child;
}

/* acyclic.md "Small DAGs" (97 % of 500 random DAGs end in the optimum). */
void clv_preset_vary_start(clv_preset *child, clv_rng *rng)
{
    child->dag.any_order = true;
    child->dag.underlying = 1 + (int32_t)clv_rng_below(rng, 2);
    if (clv_rng_below(rng, 2) == 0)
        child->initial.bisections = 0;
}

/* Higher on coarse levels, where there is time to repair.  The values: taste. */
int32_t clv_preset_jet_temperature(int32_t level)
{
    return level > 0 ? 512 : 256;
}

/* RESULTS "Acyclic partitioning", volume (default 0.736 to 0.650); the numbers: taste. */
int32_t clv_preset_volume_rounds(cleave_effort effort)
{
    return effort == CLEAVE_EFFORT_FAST ? 3 : 20;
}

/* ---- Placement of whole parts ----------------------------------------------------------- */

/* RESULTS "Mapping", one to one (mesh:8x8x8: fast 881433, default 824082, quality 797047,
 * Scotch 834243).  The single numbers: taste. */
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

/* Taste: less than on the coarsest level of a mapping by cost. */
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

/* Taste. */
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
 * that are no better before it reaches a better one.  The single numbers: taste. */
static const clv_separator_preset separators[] = {
    [CLEAVE_EFFORT_FAST] = {.base = CLEAVE_EFFORT_FAST,
                            .limit = 1000,
                            .merge = CLV_MERGE_PAIRS,
                            .starts = 1,
                            .climbs = 1,
                            .passes = 6,
                            .patience = 400},
    [CLEAVE_EFFORT_DEFAULT] = {.base = CLEAVE_EFFORT_FAST,
                               .limit = 1000,
                               .merge = CLV_MERGE_PAIRS,
                               .starts = 1,
                               .climbs = 1,
                               .passes = 9,
                               .patience = 3000,
                               .layers = 4,
                               .flow_below = INT32_MAX},
    [CLEAVE_EFFORT_QUALITY] = {.base = CLEAVE_EFFORT_FAST,
                               .limit = 1000,
                               .merge = CLV_MERGE_PAIRS,
                               .starts = 2,
                               .climbs = 4,
                               .passes = 12,
                               .patience = 6000,
                               .layers = 4,
                               .flow_below = INT32_MAX},
    [CLEAVE_EFFORT_BEST] = {.base = CLEAVE_EFFORT_DEFAULT,
                            .limit = 2000,
                            .merge = CLV_MERGE_PAIRS,
                            .starts = 4,
                            .climbs = 12,
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
        [CLEAVE_EFFORT_FAST] = {.leaf = 240, .climbs = 1},
        [CLEAVE_EFFORT_DEFAULT] = {.leaf = 300, .whole = true, .climbs = 1},
        [CLEAVE_EFFORT_QUALITY] = {.leaf = 120,
                                   .compare = INT32_MAX,
                                   .whole = true,
                                   .climbs = 5},
        [CLEAVE_EFFORT_BEST] = {
            .leaf = 100, .compare = INT32_MAX, .whole = true, .climbs = 16}};
    return &rows[effort];
}

/* The separators of large pieces matter most. */
clv_separator_preset clv_preset_for_piece(cleave_effort effort, int32_t depth)
{
    int32_t climbs = clv_preset_for_dissection(effort)->climbs;
    clv_separator_preset preset = separators[effort];
    preset.climbs = climbs > depth + 1 ? climbs - depth : 1;
    return preset;
}

/* Rows as a whole: RESULTS "Unequal and changing machines" (multilevel+split 1.105).  Flows,
 * bisections, turns: adaptive.md "A line is a machine" (flows 0.5 % for half as much time
 * again, twice the bisections nothing, turning 1.131 to 1.123, quality 1.09 for five times the
 * time).  The other numbers: taste. */
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
 * search.  The first run is lighter because V-cycles follow.  The numbers: taste. */
clv_preset clv_preset_for_coarse_line(const clv_order_preset *order, bool first)
{
    clv_preset preset = clv_preset_for_machine(order->base);
    preset.coarsening.limit_per_part = 10;
    preset.coarsening.limit_least = 2000;
    preset.initial.bisections = order->bisections;
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

/* There are many blocks, and each matters little.  The numbers: taste. */
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

/* ---- Remapping -------------------------------------------------------------------------- */

/* Anchors leave a search few choices, so flows and a second cycle cost little and find most of
 * the possible gain.  The bound of the size: taste. */
cleave_effort clv_preset_effort_with_anchors(cleave_effort effort, bool machine, int64_t size)
{
    enum { large_graph = 1 << 21 };
    return effort == CLEAVE_EFFORT_DEFAULT && !machine && size <= large_graph
               ? CLEAVE_EFFORT_QUALITY
               : effort;
}

/* One effort level lower: the order is only the start of the search.  Taste. */
cleave_effort clv_preset_effort_of_intervals(cleave_effort effort)
{
    return effort > CLEAVE_EFFORT_FAST ? (cleave_effort)(effort - 1) : effort;
}

/* ---- Many ranks ------------------------------------------------------------------------- */

bool clv_preset_is_one_run(const clv_preset *preset)
{
    return preset->search.cycles == 0 && preset->search.population == 0;
}

/* The shared-memory engine bisects a graph several times with different seeds and keeps the
 * best.  MPI ranks also have different seeds, so that fewer bisections are enough: mpi.md
 * "What was tried" (the cut of one machine in 0.6 of its time).  One bisection where many
 * parts of a dense graph take most of the time and gain least: taste. */
clv_preset clv_preset_for_gathered(cleave_effort effort, const clv_graph *g, int32_t nparts)
{
    enum { dense_degree = 12, many_parts = 100 };
    bool dense = g->narc / dense_degree > g->nvtx;
    int32_t most = dense && nparts >= many_parts ? 1 : 2;
    clv_preset preset = undirected[effort];
    if (preset.initial.bisections > most)
        preset.initial.bisections = most;
    return preset;
}

/* Label moves and unconstrained moves were made by all MPI ranks together before. */
clv_preset clv_preset_for_corridor(const clv_preset *whole)
{
    clv_preset inner = *whole;
    inner.refinement.label_rounds = inner.refinement.jet_rounds = 0;
    return inner;
}
