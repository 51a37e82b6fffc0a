/* SPDX-License-Identifier: Apache-2.0 */
/* engine/presets.h - the parameters of each effort, and how a task changes them.
 *
 * This is the only place where the effort decides anything.  The tables are in
 * engine/presets.c, with the origin of every number.  Where a machine, a division or a random
 * variation needs other values than the table has, a function here returns the changed copy.
 */
#ifndef CLV_ENGINE_PRESETS_H
#define CLV_ENGINE_PRESETS_H

#include "base/rng.h"
#include "coarsen/cluster.h"
#include "refine/placement.h"

typedef struct clv_coarsening_preset {
    int32_t limit_per_part; /* coarsening ends at so many vertices per part, */
    int32_t limit_least;    /* but not below so many in all */
    int32_t limit_pair;     /* the same for the bisections that make the first solution */
    clv_merge merge;
    bool spare_weak; /* clv_merge_rule; depends on the graph, not on the effort */
    double heaviest; /* bound of a coarse vertex, in units of total weight / limit */
    int32_t finer;   /* clv_coarsening, also the next two */
    int64_t sparsify_from;
    double density;
} clv_coarsening_preset;

typedef struct clv_initial_preset {
    int32_t bisections; /* independent bisections of each step; the best is kept.  0: the
                           coarsest graph is divided into all parts at once */
    int32_t tries;      /* first bipartitions (DAG: slicings) of the coarsest graph, */
    int32_t most_tries; /* more while they are out of balance */
    clv_placement_params placement; /* of whole parts on a machine; rounds 0: none */
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
    int32_t flow_whole;       /* on small levels, pairs of up to so many vertices as a whole */
    int32_t flow_lost;  /* passes over the graph that flows may cost in vain; 0: no bound */
    int32_t flow_below; /* flows only on levels of fewer vertices; 0: on all */
    bool rerank_moves;  /* FM with moves that change the order of the parts */
    int32_t reslices;   /* new topological orders that are sliced, per level */
    int32_t climbs;     /* 0: from the engine's own first solution.  From the starts below,
                           1: the better one, 2: both, 3: both and the engine's own */
    int32_t underlying; /* start from a partition without directions: 1 of effort fast, 2 of
                           default; 0: none */
    bool any_order;     /* draw which of the parts comes first */
    int32_t sliced;     /* topological orders of the whole graph that are sliced for a start */
} clv_dag_preset;

typedef struct clv_search_preset {
    int32_t cycles;     /* V-cycles after the first run */
    int32_t population; /* solutions that are combined; 0: none */
    int32_t generations;
    bool until_limit; /* with a time limit, generations until it is over */
    bool plain;       /* machine: also from a partition that ignores it, placed afterwards */
    int32_t independent_runs; /* machine of a few PEs: independent mappings, the best is kept,
                      and one as of plain; 0: one mapping */
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
/* An undirected graph on a machine, by cost. */
clv_preset clv_preset_for_machine(cleave_effort effort);
/* A whole partition.  by_cost: undirected, and distances count.  light_edges: the graph has
 * edges that a cheap cut may run along. */
clv_preset clv_preset_for_partition(cleave_effort effort, cleave_kind kind, bool by_cost,
                                    bool light_edges);

/* One bisection inside recursive bisection. */
clv_preset clv_preset_for_bisection(const clv_preset *whole);
/* Independent bisections of each step towards nparts parts; at least 1. */
int32_t clv_preset_bisections(const clv_preset *whole, int32_t nparts);
/* One division into the groups of a machine, and the V-cycle after all of them. */
clv_preset clv_preset_for_groups(const clv_preset *whole);
clv_preset clv_preset_after_groups(const clv_preset *whole);
/* One of several mappings that compete. */
clv_preset clv_preset_without_population(const clv_preset *whole);
/* Refinement of parts that were placed afterwards. */
clv_preset clv_preset_for_placed_parts(cleave_effort effort, cleave_kind kind);
/* Refinement of borders that a geometric method or a split of an order made. */
const clv_preset *clv_preset_for_borders(void);
/* The undirected partition that a climb on a DAG starts from. */
const clv_preset *clv_preset_for_underlying(const clv_preset *dag);

/* A child of a generation.  from_scratch: it has no start. */
clv_preset clv_preset_vary(const clv_preset *whole, const clv_graph *g, bool from_scratch,
                           clv_rng *rng);
/* The same for a child without parents of a DAG, after clv_preset_vary. */
void clv_preset_vary_start(clv_preset *child, clv_rng *rng);

/* Temperature of unconstrained moves on a level; 0 is the finest. */
int32_t clv_preset_jet_temperature(int32_t level);
/* Rounds of moves by communication volume. */
int32_t clv_preset_volume_rounds(cleave_effort effort);

/* ---- Placement of whole parts ----------------------------------------------------------- */

/* One vertex per PE, where placement is the whole search. */
clv_placement_params clv_preset_placement_of_vertices(cleave_effort effort);
/* Parts of a mapping, where placement is a small share of the search. */
clv_placement_params clv_preset_placement_of_parts(cleave_effort effort);
/* The same on a machine: without a table of distances one search from where the parts are,
 * without annealing and kicks. */
clv_placement_params clv_preset_placement_on(const clv_placement_params *params,
                                             const clv_machine *machine);
/* Tried swaps per part and round that lower the congestion. */
int32_t clv_preset_congestion_steps(cleave_effort effort);

/* ---- Separators and orders -------------------------------------------------------------- */

typedef struct clv_separator_preset {
    cleave_effort base; /* of the cuts that the first separators come from */
    int32_t limit;      /* vertices of the graph that they are made on */
    clv_merge merge;
    int32_t starts; /* first separators on it; the best is kept */
    int32_t climbs; /* independent runs of the whole; the best is kept */
    int32_t passes; /* of FM, per level */
    int32_t patience;
    int32_t layers;     /* of the band of the flow; 0: no flow */
    int32_t flow_below; /* flows only on levels of at most so many vertices */
} clv_separator_preset;

typedef struct clv_dissection_preset {
    int32_t leaf;    /* pieces of so many vertices are not cut */
    int32_t compare; /* pieces of so many vertices are also ordered by minimum degree, */
    bool whole;      /* and so is the whole graph */
    int32_t climbs;  /* for the separator of the whole, one less at every step below */
} clv_dissection_preset;

const clv_separator_preset *clv_preset_for_separator(cleave_effort effort);
const clv_dissection_preset *clv_preset_for_dissection(cleave_effort effort);
/* The separator of a piece at this depth; 0 is the whole graph. */
clv_separator_preset clv_preset_for_piece(cleave_effort effort, int32_t depth);

typedef struct clv_order_preset {
    cleave_effort base;        /* of the coarse line, and of the blocks of a DAG */
    int32_t bisections, flows; /* of the coarse line */
    int32_t turns;             /* runs turned around, each followed by a V-cycle */
    int32_t cycled_below;      /* only for graphs of at most so many vertices */
    int32_t jet_rounds;        /* of the fine line */
    int32_t fm_rounds;         /* of both */
    int32_t rounds;            /* of the fine line as a whole */
    int32_t sweeps;            /* inside blocks */
    int32_t exchanges;         /* of neighbouring vertices at the end */
} clv_order_preset;

const clv_order_preset *clv_preset_for_order(cleave_effort effort);
/* The search for the coarse line.  first: the run from scratch, else the V-cycles after it. */
clv_preset clv_preset_for_coarse_line(const clv_order_preset *order, bool first);
/* Halving of the blocks of a line. */
clv_preset clv_preset_for_line_blocks(void);
/* Is an undirected graph with coordinates ordered along a curve? */
bool clv_preset_orders_by_curve(cleave_effort effort);

/* ---- Remapping -------------------------------------------------------------------------- */

/* The effort of a partition with anchors.  size: vertices and arcs. */
cleave_effort clv_preset_effort_with_anchors(cleave_effort effort, bool machine, int64_t size);
/* The effort of the order whose intervals are the start of a remapping. */
cleave_effort clv_preset_effort_of_intervals(cleave_effort effort);

/* ---- Many ranks ------------------------------------------------------------------------- */

/* Does the preset make one run of the multilevel engine and nothing else? */
bool clv_preset_is_one_run(const clv_preset *preset);
/* The gathered coarsest graph, which two ranks solve with different seeds. */
clv_preset clv_preset_for_gathered(cleave_effort effort, const clv_graph *g, int32_t nparts);
/* The surroundings of the borders on one rank. */
clv_preset clv_preset_for_corridor(const clv_preset *whole);

#endif
