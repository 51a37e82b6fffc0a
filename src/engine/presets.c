/* SPDX-License-Identifier: Apache-2.0 */
/* engine/presets.c - the parameter tables of partitions and mappings, see engine/presets.h.
 *
 * The origin of every number is beside it or above its table:
 *   a name such as engine.md "Growing by ties" is a paragraph of docs/design/engine.md,
 *   RESULTS "Partitioning" is a section of bench/RESULTS.md,
 *   [Author year] is a paper,
 *   "not measured on its own": the value was chosen by hand and measured only with its row. */
#include "engine/presets.h"

/* ---- Partitions ------------------------------------------------------------------------- */

/* Undirected graphs.  The rows as a whole: RESULTS "Partitioning", cut @ time over METIS: fast
 * 0.915 @ 1.10, default 0.861 @ 3.36, quality 0.829 @ 9.19; best with 6 s 0.754.
 * limit_per_part, limit_least: engine.md "Repeat where it is cheap" (a few thousand vertices,
 *   bisected several times, 0.80 @ 3.6 for k = 2); more than 500 for fast is in engine.md
 *   "Hubs: coarsening" (4000: 0.917 @ 1.45 instead of 0.918 @ 1.07).  The factors per part:
 *   not measured on their own.
 * limit_pair: not measured on its own.
 * heaviest: METIS's bound, 1.5 total / limit.
 * finer: engine.md "Lighter clusters where hubs hide the structure" (hub-sides 1.007 to
 * 0.994). sparsify_from, density: engine.md "Thinning dense levels" (0.869 against 0.870, 10 %
 * less time). rivals: engine.md "Several first solutions". bisections: engine.md "Repeat where
 * it is cheap". tries: engine.md "Growing by ties" (a fifth try, 0.932 @ 1.01 to 0.906
 * @ 1.08); 10: not measured on its own. most_tries: not measured on its own, twice the tries.
 * fm_passes, fm_patience, label_rounds, jet_patience, fm_rounds, flow_rounds: not measured on
 * their own. jet_rounds: that there are some, engine.md "Unconstrained moves before FM"
 * (irregular 0.925 to 0.875); how many: not measured on its own. cycles: [Walshaw 2004]; one:
 * not measured on its own. population, generations: engine.md "Generations"; eight: not
 * measured on its own. */
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
                               .initial = {.bisections = 4,
                                           .tries = 5,
                                           .most_tries = 10,
                                           .rivals = {.apart = 2, .first = 3, .others = 1}},
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
                               .initial = {.bisections = 4,
                                           .tries = 10,
                                           .most_tries = 20,
                                           .rivals = {.apart = 2, .first = 3, .others = 1}},
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
         .initial = {.bisections = 4,
                     .tries = 10,
                     .most_tries = 20,
                     .rivals = {.apart = 2, .first = 3, .others = 1}},
         .refinement = {.fm_passes = 10,
                        .fm_patience = 400,
                        .jet_rounds = 16,
                        .jet_patience = 4,
                        .fm_rounds = 10,
                        .flow_rounds = 8},
         .search = {.cycles = 1, .population = 8, .generations = 8, .until_limit = true}},
};

/* DAGs.  The rows as a whole: RESULTS "Acyclic partitioning", cut over dagP @ time over METIS:
 * fast 0.572 @ 3.89, default 0.553 @ 8.52, quality 0.538 @ 41.87; best with 60 s 0.609; other
 * families: RESULTS "DAG families".
 * limit_per_part, limit_least, bisections, heaviest, cycles, population, generations: as for
 *   undirected graphs; fast and default begin with other solutions and need no bisections.
 * limit_pair, tries, most_tries, fm_passes, fm_patience, jet_rounds, flow_rounds,
 *   pair_flow_rounds: not measured on their own.
 * flow_alpha: [Heuer, Sanders, Schlag 2018].
 * flow_whole: acyclic.md "Closure flows" (3mm, k = 8: 12,646 against 25,548); the number of
 *   vertices: not measured on its own.
 * flow_lost, divided, pair_cycles: acyclic.md "Recursive bisection first".
 * pair_starts: acyclic.md "Several undirected starts of two parts" (k = 2, 0.749 to 0.739).
 * split_starts: acyclic.md "Starts of a bisection" (quality 0.756 to 0.745, 11 DAGs, k = 8 and
 *   32).
 * redivide_sweeps, redivide_parts: acyclic.md "Re-division" (default 0.812 @ 1.30 to
 *   0.807 @ 1.37, quality 0.785 to 0.762; k = 8 and 32).
 * rerank_moves: acyclic.md "FM" (0 to 0.2 % for twice the time).
 * reslice: acyclic.md "Re-slicing" (default 0.806 @ 1.31 to 0.792 @ 1.19, with cheaper
 * splits). runs, underlying: acyclic.md "The start decides". sliced: acyclic.md "Orders" (four
 * cover all but 2 %) and "Repair" (three instead of four 0.539 @ 2.43, not taken); 15: not
 * measured on its own. */
static const clv_preset directed[] = {
    [CLEAVE_EFFORT_FAST] =
        {.coarsening = {.limit_pair = 80, .heaviest = 1.5},
         .refinement = {.fm_passes = 2, .fm_patience = 100, .jet_rounds = 4, .flow_rounds = 2},
         .dag = {.flow_alpha = 16,
                 .flow_whole = 20000,
                 .flow_lost = 8,
                 .divided = true,
                 .pair_cycles = 1,
                 .runs = 1,
                 .underlying = 1,
                 .sliced = 4}},
    [CLEAVE_EFFORT_DEFAULT] =
        {.coarsening = {.limit_pair = 120, .heaviest = 1.5},
         .refinement = {.fm_passes = 4, .fm_patience = 300, .jet_rounds = 4, .flow_rounds = 2},
         .dag = {.flow_alpha = 16,
                 .flow_whole = 20000,
                 .flow_lost = 8,
                 .reslice = true,
                 .divided = true,
                 .pair_cycles = 1,
                 .runs = 2,
                 .underlying = 1,
                 .pair_starts = 3,
                 .redivide_sweeps = 1,
                 .redivide_parts = 2,
                 .sliced = 4}},
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
                                       .reslice = true,
                                       .divided = true,
                                       .runs = 3,
                                       .underlying = 2,
                                       .pair_starts = 3,
                                       .split_starts = 3,
                                       .redivide_sweeps = 4,
                                       .redivide_parts = 16,
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
                 .reslice = true,
                 .divided = true,
                 .runs = 3,
                 .underlying = 2,
                 .pair_starts = 3,
                 .split_starts = 3,
                 .redivide_sweeps = 4,
                 .redivide_parts = 16,
                 .sliced = 15},
         .search = {.cycles = 1, .population = 8, .generations = 8, .until_limit = true}},
};

/* What a machine changes in the rows for undirected graphs: much of the cost depends on where
 * whole parts are, and flows see the distances to third parts.  The rows as a whole: RESULTS
 * "Mapping", cost @ time over Scotch, trees: default 0.885 @ 3.48, quality 0.868 @ 18.57.
 *
 * rivals: mapping.md "Several first solutions"; two each: not measured
 *   on their own.
 * flow_rounds, cycles: mapping.md "Flows see third parts" (default 0.935 to 0.908).
 * population, generations of quality: mapping.md "Generations at quality" (meshes 0.90 to
 * 0.88, tori 0.90 to 0.85); RESULTS "Mapping": four generations gain 0.3 % for 1.4 times the
 * time, six solutions nothing. plain, independent_runs: RESULTS "Mapping", bump onto lists of
 * 5 PEs (0.917, worst 1.008); four: not measured on its own. placement: mapping.md "Whole
 * parts are placed on the coarsest level" (0.918 to 0.910 with a little, 0.897 with ten times
 * as much); the single numbers: not measured on their own. */
static const struct machine_row {
    clv_rivals_preset rivals;
    int32_t flow_rounds;
    clv_placement_params placement;
    clv_search_preset search;
} machine_rows[] = {
    [CLEAVE_EFFORT_FAST] = {.placement = {.starts = 1, .rounds = 1}},
    [CLEAVE_EFFORT_DEFAULT] =
        {.rivals = {.along = 2, .apart = 2, .first = 4, .others = 2},
         .flow_rounds = 4,
         .placement = {.starts = 1, .annealed = 800, .chains = 32, .rounds = 1},
         .search = {.cycles = 1, .independent_runs = 4}},
    [CLEAVE_EFFORT_QUALITY] =
        {.rivals = {.along = 2, .apart = 2, .first = 4, .others = 2},
         .flow_rounds = 4,
         .placement = {.starts = 2, .annealed = 2000, .chains = 64, .kicks = 4, .rounds = 1},
         .search = {.cycles = 1,
                    .population = 4,
                    .generations = 2,
                    .plain = true,
                    .independent_runs = 4}},
    [CLEAVE_EFFORT_BEST] =
        {.rivals = {.along = 2, .apart = 2, .first = 4, .others = 2},
         .flow_rounds = 8,
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
    preset.initial.rivals = row->rivals;
    preset.refinement.flow_rounds = row->flow_rounds;
    preset.initial.placement = row->placement;
    preset.search = row->search;
    return preset;
}

/* Vertices do not merge over weak ties if there are light edges: engine.md "Weak ties are
 * not merged". */
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
 * order: not measured on its own. */
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

/* One step of many: few slices, because bisections also start from an undirected partition,
 * one such start and, where both starts are refined, no V-cycle afterwards:
 * docs/design/acyclic.md, "Recursive bisection first".  With high efforts, several such
 * starts; starts far above the best one are not refined: "Starts of a bisection".  High
 * efforts divide with the default preset. */
clv_preset clv_preset_for_split(const clv_preset *whole)
{
    enum { near_one = 150, near_several = 125 }; /* per cent */
    bool several = whole->dag.split_starts > 1;
    clv_preset split = *whole;
    if (whole->dag.runs > 2) {
        split = directed[CLEAVE_EFFORT_DEFAULT];
        split.coarsening.spare_weak = whole->coarsening.spare_weak;
    }
    bool refines_both = split.dag.runs > 1;
    split.dag.sliced = refines_both ? 1 : 2;
    split.dag.pair_cycles = refines_both ? 0 : split.dag.pair_cycles;
    split.dag.pair_starts = whole->dag.split_starts;
    split.dag.near_starts = !refines_both ? 0 : several ? near_several : near_one;
    split.dag.redivide_sweeps = 0;
    return split;
}

/* Windows of two parts as in the recursive bisection, larger ones as at effort default:
 * docs/design/acyclic.md, "Re-division". */
clv_preset clv_preset_for_window(const clv_preset *whole, int32_t size)
{
    clv_preset window = clv_preset_for_split(whole);
    if (size > 2) {
        window = directed[CLEAVE_EFFORT_DEFAULT];
        window.coarsening.spare_weak = whole->coarsening.spare_weak;
        window.dag.pair_cycles = 0;
        window.dag.redivide_sweeps = 0;
        window.dag.split_starts = whole->dag.split_starts;
    }
    return window;
}

/* With very many parts there are very many bisections, and each matters less.  Not measured
 * on its own. */
enum { very_many_parts = 256 };

int32_t clv_preset_bisections(const clv_preset *whole, int32_t nparts)
{
    int32_t all = whole->initial.bisections;
    int32_t tries = nparts <= very_many_parts ? all : (all + 1) / 2;
    return tries > 0 ? tries : 1;
}

int32_t clv_preset_first_solutions(const clv_preset *whole, int32_t nparts, bool on_machine)
{
    int32_t all = whole->initial.rivals.along + whole->initial.rivals.apart;
    return nparts > 2 && (on_machine || nparts <= very_many_parts) && all > 1 ? all : 1;
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

/* Flows before the comparison cost more than they tell: engine.md "Several first solutions".
 */
clv_preset clv_preset_for_rival(const clv_preset *whole, bool first)
{
    clv_preset light = *whole;
    const clv_rivals_preset *r = &whole->initial.rivals;
    light.refinement.flow_rounds = 0;
    light.initial.bisections = first ? r->first : r->others;
    light.initial.placement.starts = 1;
    light.initial.placement.kicks = 0;
    return light;
}

/* mapping.md "Efforts are nested on machines". */
cleave_effort clv_preset_nested_effort(cleave_effort effort)
{
    return effort > CLEAVE_EFFORT_DEFAULT ? CLEAVE_EFFORT_DEFAULT : effort;
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
    preset.dag.reslice = false;
    return preset;
}

/* Measured on meshes with intervals of a multilevel order, cut over that of a mapping from
 * scratch: 1.094 after one round, 1.054 after three, 1.042 after five, 1.040 after eight;
 * unconstrained moves before FM gain nothing.  The rest: not measured on its own. */
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
 * numbers drawn from: not measured on their own. */
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

/* Higher on coarse levels, where there is time to repair.  Not measured on its own. */
int32_t clv_preset_jet_temperature(int32_t level)
{
    return level > 0 ? 512 : 256;
}

/* RESULTS "Acyclic partitioning", volume (default 0.736 to 0.650); the numbers: not measured
 * on their own. */
int32_t clv_preset_volume_rounds(cleave_effort effort)
{
    return effort == CLEAVE_EFFORT_FAST ? 3 : 20;
}

/* ---- Remapping -------------------------------------------------------------------------- */

/* Anchors leave a search few choices, so flows and a second cycle cost little and find most of
 * the possible gain.  The bound of the size: not measured on its own. */
cleave_effort clv_preset_effort_with_anchors(cleave_effort effort, bool machine, int64_t size)
{
    enum { large_graph = 1 << 21 };
    return effort == CLEAVE_EFFORT_DEFAULT && !machine && size <= large_graph
               ? CLEAVE_EFFORT_QUALITY
               : effort;
}

/* One effort level lower: the order is only the start of the search.  Not
 * measured on its own. */
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
 * parts of a dense graph take most of the time and gain least: not measured on its own. */
clv_preset clv_preset_for_gathered(cleave_effort effort, const clv_graph *g, int32_t nparts)
{
    enum { dense_degree = 12, many_parts = 100 };
    bool dense = g->narc / dense_degree > g->nvtx;
    int32_t most = dense && nparts >= many_parts ? 1 : 2;
    clv_preset preset = undirected[effort];
    if (preset.initial.bisections > most)
        preset.initial.bisections = most;
    preset.initial.rivals = (clv_rivals_preset){0};
    return preset;
}

/* Label moves and unconstrained moves were made by all MPI ranks together before. */
clv_preset clv_preset_for_corridor(const clv_preset *whole)
{
    clv_preset inner = *whole;
    inner.refinement.label_rounds = inner.refinement.jet_rounds = 0;
    return inner;
}

/* RESULTS "Task graphs"; the numbers of further runs: not measured on their own. */
clv_task_preset clv_preset_for_tasks(cleave_effort effort)
{
    static const clv_task_preset rows[] = {
        [CLEAVE_EFFORT_FAST] = {.stages = 1},
        [CLEAVE_EFFORT_DEFAULT] = {.stages = 2},
        [CLEAVE_EFFORT_QUALITY] = {.stages = 2, .anneals = 4},
        [CLEAVE_EFFORT_BEST] = {.stages = 2, .anneals = 16}};
    clv_task_preset preset = rows[effort];
    preset.partition_effort = CLEAVE_EFFORT_FAST;
    preset.partition_imbalance = 0.2;
    return preset;
}
