/* SPDX-License-Identifier: Apache-2.0 */
/* engine/presets.h - the parameters of each effort level, and how a task changes them.
 *
 * This is the only place where the effort level decides anything.  The tables are in
 * engine/presets.c, with the origin of every number.  If a machine, a division or a random
 * variation needs other values, a function here returns the changed copy. */
#ifndef CLV_ENGINE_PRESETS_H
#define CLV_ENGINE_PRESETS_H

#include "base/rng.h"
#include "coarsen/cluster.h"
#include "refine/placement/placement.h"

typedef struct clv_coarsening_preset {
    int32_t limit_per_part; /* vertices per part at which coarsening ends, */
    int32_t limit_least;    /* and the least number of vertices in all */
    int32_t limit_pair;     /* the same for the bisections of the initial partition */
    clv_merge merge;
    bool spare_weak; /* clv_merge_rule; depends on the graph, not on the effort */
    double heaviest; /* bound of a coarse vertex, in units of total weight / limit */
    int32_t finer;   /* see clv_coarsening, also for the next two */
    int64_t sparsify_from;
    double density;
} clv_coarsening_preset;

/* Several first solutions by recursive bisection: each is refined on the coarsest graph, and
 * the best is kept. */
typedef struct clv_rivals_preset {
    int32_t along, apart;  /* along the machine; without it, and placed afterwards.  0 and 0:
                              one solution */
    int32_t first, others; /* as bisections below, of the first solution and of the others */
} clv_rivals_preset;

typedef struct clv_initial_preset {
    int32_t bisections; /* independent bisections of each step; the best is kept.  0: the
                           coarsest graph is divided into all parts at once */
    int32_t tries;      /* initial bipartitions (DAG: slicings) of the coarsest graph, */
    int32_t most_tries; /* at most, while they are out of balance */
    clv_placement_params placement; /* of whole parts on a machine; rounds 0: none */
    clv_rivals_preset rivals;
} clv_initial_preset;

typedef struct clv_refinement_preset {
    int32_t fm_passes, fm_patience;   /* two parts, and DAGs */
    int32_t label_rounds;             /* on the finest level, before the others */
    int32_t jet_rounds, jet_patience; /* DAG: rounds of acyclic moves */
    int32_t fm_rounds;                /* more than two parts */
    int32_t flow_rounds;
} clv_refinement_preset;

typedef struct clv_dag_preset {
    int32_t pair_flow_rounds; /* rounds of flows inside recursive bisection */
    int32_t flow_alpha;       /* width of the corridors; clv_flow_params */
    int32_t flow_whole;       /* on small levels, pairs of up to so many vertices are one
                                 flow problem */
    int32_t flow_lost; /* passes over the graph without gain after which flows end; levels
                          after one without gain are skipped, also by re-slicing; 0: no
                          bound */
    bool rerank_moves; /* FM also makes moves that change the order of the parts */
    bool reslice;      /* topological orders that follow the parts are sliced on every level */
    bool divided;      /* more than two parts: another start, the first, is a recursive
                          bisection of the whole graph */
    int32_t pair_cycles;     /* V-cycles after the first runs of a bisection */
    int32_t runs;            /* 0: one, from the coarsest level's initial partition; from the
                                  starts below: 1: the better one, 2: both, 3: both and as with 0 */
    int32_t underlying;      /* start from an undirected partition: 1: of effort fast, 2: of
                                default; 0: none */
    int32_t pair_starts;     /* number of such starts, each with a seed of its own, of a
                                partition into two parts; 0: one */
    int32_t split_starts;    /* the same in each bisection of a recursive bisection */
    int32_t near_starts;     /* two parts: starts are refined when all are made, those with a
                                cut of at most so many per cent of the least; 0: each when
                                it is made */
    int32_t redivide_sweeps; /* over the parts by windows of each size; 0: none */
    int32_t redivide_parts;  /* of the largest window */
    bool any_order;          /* random order of the parts */
    int32_t sliced;          /* topological orders of the whole graph sliced for a start */
} clv_dag_preset;

typedef struct clv_search_preset {
    int32_t cycles;     /* V-cycles after the first run */
    int32_t population; /* number of solutions that are combined; 0: none */
    int32_t generations;
    bool until_limit;         /* with a time limit, generations until the deadline */
    bool plain;               /* machine: also try a partition that ignores it and is placed
                                 afterwards */
    int32_t independent_runs; /* machine of a few PEs: independent mappings, the best is
                                 kept, and one as for plain; 0: one mapping */
} clv_search_preset;

typedef struct clv_preset {
    clv_coarsening_preset coarsening;
    clv_initial_preset initial;
    clv_refinement_preset refinement;
    clv_dag_preset dag;
    clv_search_preset search;
} clv_preset;

/* ---- Partitions and mappings ------------------------------------------------------------ */

const clv_preset *clv_preset_of(cleave_effort effort, cleave_kind kind);
/* An undirected graph on a machine, minimising communication cost. */
clv_preset clv_preset_for_machine(cleave_effort effort);
/* A whole partition.  by_cost: undirected, and distances matter.  light_edges: the graph has
 * light edges that a cheap cut may follow. */
clv_preset clv_preset_for_partition(cleave_effort effort, cleave_kind kind, bool by_cost,
                                    bool light_edges);

/* One bisection inside recursive bisection. */
clv_preset clv_preset_for_bisection(const clv_preset *whole);
/* One bisection of the recursive bisection that a DAG search starts from. */
clv_preset clv_preset_for_split(const clv_preset *whole);
/* One window of `size` parts that are divided anew. */
clv_preset clv_preset_for_window(const clv_preset *whole, int32_t size);
/* Independent bisections of each step towards nparts parts; at least 1. */
int32_t clv_preset_bisections(const clv_preset *whole, int32_t nparts);

/* First solutions for nparts parts; 1 is a single recursive bisection. */
int32_t clv_preset_first_solutions(const clv_preset *whole, int32_t nparts, bool on_machine);

/* One division into the groups of a machine, and the V-cycle after all divisions. */
clv_preset clv_preset_for_groups(const clv_preset *whole);
clv_preset clv_preset_after_groups(const clv_preset *whole);
/* One of several first solutions. */
clv_preset clv_preset_for_rival(const clv_preset *whole, bool first);
/* The lower effort whose mapping is one of the candidates of this one, or itself. */
cleave_effort clv_preset_nested_effort(cleave_effort effort);
/* One of several candidate mappings. */
clv_preset clv_preset_without_population(const clv_preset *whole);
/* Refinement of parts after their placement. */
clv_preset clv_preset_for_placed_parts(cleave_effort effort, cleave_kind kind);
/* Refinement of the boundaries of a geometric method or of intervals of an order. */
const clv_preset *clv_preset_for_borders(void);
/* The undirected partition that a DAG run starts from. */
const clv_preset *clv_preset_for_underlying(const clv_preset *dag);

/* A child of a generation.  from_scratch: it has no start. */
clv_preset clv_preset_vary(const clv_preset *whole, const clv_graph *g, bool from_scratch,
                           clv_rng *rng);
/* The same for a DAG child without parents, after clv_preset_vary. */
void clv_preset_vary_start(clv_preset *child, clv_rng *rng);

/* Temperature of unconstrained moves on a level; 0 is the finest. */
int32_t clv_preset_jet_temperature(int32_t level);
/* Rounds of moves by communication volume. */
int32_t clv_preset_volume_rounds(cleave_effort effort);

/* ---- Placement of whole parts ----------------------------------------------------------- */

/* One vertex per PE: placement is the whole search. */
clv_placement_params clv_preset_placement_of_vertices(cleave_effort effort);
/* Parts of a mapping: placement is a small part of the search. */
clv_placement_params clv_preset_placement_of_parts(cleave_effort effort);
/* The same for a machine: without a distance table, one search from the given placement,
 * without annealing and kicks. */
clv_placement_params clv_preset_placement_on(const clv_placement_params *params,
                                             const clv_machine *machine);
/* Number of swaps tried per part and round to lower the congestion. */
int32_t clv_preset_congestion_steps(cleave_effort effort);

/* ---- Separators and orders -------------------------------------------------------------- */

typedef struct clv_separator_preset {
    cleave_effort base; /* effort of the bisections that the initial separators come from */
    int32_t limit;      /* vertices of the graph that these are computed on */
    clv_merge merge;
    int32_t starts; /* initial separators on it; the best is kept */
    int32_t runs;   /* independent multilevel runs; the best is kept */
    int32_t passes; /* of FM, per level */
    int32_t patience;
    int32_t layers;     /* width of the band of the flow; 0: no flow */
    int32_t flow_below; /* flows only on levels of at most so many vertices */
} clv_separator_preset;

typedef struct clv_dissection_preset {
    int32_t leaf;    /* pieces of at most so many vertices are not separated */
    int32_t compare; /* pieces of at most so many vertices are also ordered by minimum
                        degree, */
    bool whole;      /* and so is the whole graph */
    int32_t runs;    /* for the separator of the whole graph, one less per level of
                          recursion */
} clv_dissection_preset;

const clv_separator_preset *clv_preset_for_separator(cleave_effort effort);
const clv_dissection_preset *clv_preset_for_dissection(cleave_effort effort);
/* The separator of a piece at this depth; 0 is the whole graph. */
clv_separator_preset clv_preset_for_piece(cleave_effort effort, int32_t depth);

typedef struct clv_order_preset {
    cleave_effort base;        /* effort of the coarse line and of the blocks of a DAG */
    int32_t bisections, flows; /* of the coarse line */
    int32_t turns;             /* number of times that runs are reversed, each followed by a
                                  V-cycle */
    int32_t cycled_below;      /* only for graphs of at most so many vertices */
    int32_t jet_rounds;        /* of the fine line */
    int32_t fm_rounds;         /* of both */
    int32_t rounds;            /* of the fine line as a whole */
    int32_t sweeps;            /* inside blocks */
    int32_t exchanges;         /* of neighbouring vertices at the end */
} clv_order_preset;

const clv_order_preset *clv_preset_for_order(cleave_effort effort);
/* The search for the coarse line.  first: the run from scratch; otherwise the V-cycles after
 * it. */
clv_preset clv_preset_for_coarse_line(const clv_order_preset *order, bool first);
/* Bisections of the blocks of a line. */
clv_preset clv_preset_for_line_blocks(void);
/* Is an undirected graph with coordinates ordered along a space-filling curve? */
bool clv_preset_orders_by_curve(cleave_effort effort);

/* ---- Remapping -------------------------------------------------------------------------- */

/* The effort of a partition with anchors.  size: vertices and arcs. */
cleave_effort clv_preset_effort_with_anchors(cleave_effort effort, bool machine, int64_t size);
/* The effort of the order whose intervals are the start of a remapping. */
cleave_effort clv_preset_effort_of_intervals(cleave_effort effort);

/* ---- MPI ranks -------------------------------------------------------------------------- */

/* Does the preset make one run of the multilevel engine and nothing else? */
bool clv_preset_is_one_run(const clv_preset *preset);
/* The gathered coarsest graph, which two ranks solve with different seeds. */
clv_preset clv_preset_for_gathered(cleave_effort effort, const clv_graph *g, int32_t nparts);
/* The neighbourhood of the boundaries, solved on one MPI rank. */
clv_preset clv_preset_for_corridor(const clv_preset *whole);

/* Schedules of task graphs.  An effort continues what the lower ones do. */
typedef struct clv_task_preset {
    int32_t stages;  /* of list schedules, each followed by local search: 1 or 2 */
    int32_t anneals; /* further runs of local search */
    cleave_effort partition_effort; /* of acyclic partitions */
    double partition_imbalance;
} clv_task_preset;

clv_task_preset clv_preset_for_tasks(cleave_effort effort);

#endif
