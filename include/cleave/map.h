/* SPDX-License-Identifier: Apache-2.0 */
/* cleave/map.h - partitioning and mapping: the parts (PEs) of a graph's vertices.
 *
 * A partition is a mapping onto equal PEs:
 *
 *     cleave_options opt;
 *     cleave_mapping *m = NULL;
 *     cleave_options_init(&opt, sizeof opt);
 *     opt.imbalance = 0.05;
 *     if (cleave_map(&m, g, t, &opt, &err) == CLEAVE_OK)
 *         cleave_mapping_write(m, "mesh.part", &err);
 *     cleave_mapping_free(m);
 *
 * evaluate.h measures mappings, remap.h changes them for another machine. */
#ifndef CLEAVE_MAP_H
#define CLEAVE_MAP_H

#include "cleave/graph.h"
#include "cleave/mapping.h"
#include "cleave/status.h"
#include "cleave/target.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Options, constraints, report ----------------------------------------------------- */

typedef enum cleave_effort {
    CLEAVE_EFFORT_FAST = 0,    /* in about the time METIS takes */
    CLEAVE_EFFORT_DEFAULT = 1, /* a few times as long */
    CLEAVE_EFFORT_QUALITY = 2, /* ten times as long */
    CLEAVE_EFFORT_BEST = 3     /* as long as time_limit allows */
} cleave_effort;

typedef enum cleave_objective {
    CLEAVE_OBJECTIVE_CUT = 0,       /* weight of the edges between parts */
    CLEAVE_OBJECTIVE_VOLUME = 1,    /* sum over vertices of vsize * other parts that read it */
    CLEAVE_OBJECTIVE_COST = 2,      /* sum over edges of weight * distance; the same as the cut
                                       when all PEs are equally far from each other */
    CLEAVE_OBJECTIVE_CONGESTION = 3 /* the largest load of a link, then the cost; the routes
                                       of the target must be known */
} cleave_objective;

/* Constraints of a mapping besides balance.  Every array may be NULL: no such constraint. */
typedef struct cleave_constraints {
    size_t size;
    const int32_t *fixed;    /* nvtx: the part a vertex must be in, -1: any */
    const int32_t *groups;   /* nvtx: vertices with the same number stay together, -1: alone */
    const double *shares;    /* nparts * ncon relative part sizes; NULL: the target's speeds.
                                A PE of speed 0 always stays empty */
    const double *imbalance; /* nparts: replaces the imbalance of the options */
    const int64_t *min, *max;    /* nparts * ncon part weights, -1: no bound of this kind; max
                                    replaces the bound derived from imbalance */
    int connected;               /* nonzero: a part is connected within each connected
                                    component of the graph, which must be undirected */
    const cleave_mapping *start; /* improve this mapping instead of computing a new one; for
                                    a DAG it need not be acyclic */
} cleave_constraints;
CLEAVE_API void cleave_constraints_init(cleave_constraints *constraints, size_t size);

/* Results of cleave_map besides the mapping. */
typedef struct cleave_map_report {
    size_t size;
    int64_t cut, volume; /* recomputed from the mapping */
    double imbalance;    /* max over parts and weights of weight / share - 1 */
    int32_t empty_parts;
    int32_t balanced;  /* 1: every part is within its bounds */
    int32_t levels;    /* of the multilevel hierarchy, the graph itself included */
    int32_t threads;   /* in use */
    int32_t cycles;    /* multilevel cycles */
    int32_t timed_out; /* 1: the time limit ended or shortened the search */
    double seconds, seconds_coarsen, seconds_initial, seconds_refine;
    int32_t acyclic;       /* for a DAG 1, recomputed from the mapping; -1: undirected */
    int64_t critical_path; /* with the default costs of cleave_evaluate; -1: undirected */
    int64_t cost; /* sum of weight * distance, recomputed from the mapping; -1: all PEs
                     are equally far from each other, the cut is the cost */
    int64_t cost_identity; /* of the mapping v -> floor(v * PEs / nvtx); -1 likewise */
    /* The largest residual of the eigenvectors that "rsb" used: the norm of L x - value x, x
     * of norm 1, divided by the largest weighted degree; -1: none was computed. */
    double residual;
    int32_t converged; /* 1: all converged to 1 % of their eigenvalues; -1 likewise */
} cleave_map_report;
CLEAVE_API void cleave_map_report_init(cleave_map_report *report, size_t size);

typedef struct cleave_options {
    size_t size;
    double imbalance;           /* 0.03: no part above floor(1.03 * ceil(share)) */
    uint64_t seed;              /* 1; every value is a seed */
    cleave_effort effort;       /* CLEAVE_EFFORT_DEFAULT */
    cleave_objective objective; /* CLEAVE_OBJECTIVE_COST */
    int threads;                /* 0: all that this process may use */
    double time_limit; /* seconds; 0: none.  The result is the best mapping found by then; the
                          call returns about 5 % and two evaluations of the graph later */
    const cleave_constraints *constraints; /* NULL: none */
    cleave_map_report *report;             /* NULL, or written on return */
    cleave_progress_fn progress;           /* NULL */
    void *payload;                         /* NULL */
    /* NULL, "", "auto" or "multilevel": the library's best method.  On targets with distances
     * also "drb" (dual recursive bipartitioning), "kway", "multisection" (along the levels of
     * a hierarchy).  For undirected graphs also "rcb" (recursive coordinate bisection), "zci",
     * "hci" (intervals along the Morton and Hilbert curves), "rsb" (recursive spectral
     * bisection); all but "rsb" need coordinates, and all balance the first vertex weight
     * only: if a bound of another weight is not met, CLEAVE_EBALANCE.  For DAGs also the
     * baselines "dagp", "kernighan", "fauzia". */
    const char *method;
    const char *params; /* NULL, or parameters of the method: "order=top,match=hem,runs=5" for
                           dagp, "version=2019" for its journal version; "policy=depth",
                           "=breadth" or "=size" for drb; for rcb, zci, hci and rsb
                           "grouping=simple" or "=binpacking" (how unequal parts are halved)
                           and "refine=1" (refine the boundaries) */
    int one_to_one;     /* 0; nonzero: every vertex gets its own PE; needs at least as many
                           PEs as vertices */
} cleave_options;
CLEAVE_API void cleave_options_init(cleave_options *opt, size_t size);

/* ---- Mapping -------------------------------------------------------------------------- */

/* Maps the vertices of a graph onto the PEs of t; opt NULL: defaults.  With at least as many
 * vertices as PEs, no PE is empty (except those of speed 0); with fewer, every vertex has its
 * own PE.  The mapping of a DAG is always acyclic: a group, or a set of vertices fixed to one
 * part, includes all vertices on paths between its vertices.  CLEAVE_ECYCLE if the fixed
 * vertices and groups allow no such mapping; the message names a cycle of parts.
 * CLEAVE_EBALANCE (a bound cannot be met or was not met; the message names the bound and the
 * value reached) and CLEAVE_ECANCEL (stopped by the callback) also return the best mapping
 * found.  About O(edges * log PEs); memory about twice the graph's. */
CLEAVE_API cleave_status cleave_map(cleave_mapping **out, const cleave_graph *g,
                                    const cleave_target *t, const cleave_options *opt,
                                    cleave_error *err);

/* ---- Files of constraints ------------------------------------------------------------- */

/* Reads an hMETIS fix file, one line per vertex: the part it must be in, or -1 if it is
 * free.  part has nvtx elements. */
CLEAVE_API cleave_status cleave_fixed_read(int32_t *part, int32_t nvtx, int32_t nparts,
                                           const char *path, cleave_error *err);
/* Reads groups, one line per vertex: the number >= 0 of its group, or -1 if it has none.
 * group has nvtx elements. */
CLEAVE_API cleave_status cleave_groups_read(int32_t *group, int32_t nvtx, const char *path,
                                            cleave_error *err);
/* Reads bounds on part weights, one line per part with ncon integers >= 0, or -1 for no
 * bound.  bound has nparts * ncon elements, those of a part adjacent. */
CLEAVE_API cleave_status cleave_bounds_read(int64_t *bound, int32_t nparts, int32_t ncon,
                                            const char *path, cleave_error *err);
/* Reads relative part sizes >= 0: one line per part (with ncon numbers), or METIS target
 * weights, lines `part = weight`, `first-last : con = weight`, where parts without a line
 * share the remainder to 1.  shares has nparts * ncon elements, those of a part adjacent. */
CLEAVE_API cleave_status cleave_shares_read(double *shares, int32_t nparts, int32_t ncon,
                                            const char *path, cleave_error *err);

/* ---- Files for launchers -------------------------------------------------------------- */

/* Writes the placement of the ranks of a parallel program for a launcher; the vertices of m
 * are the ranks.  Forms:
 *   rankfile     Open MPI: mpirun --rankfile FILE, or --map-by rankfile:file=FILE
 *   hostfile     Slurm: SLURM_HOSTFILE=FILE srun --distribution=arbitrary
 *   cpu-bind     Slurm: srun $(cat FILE)
 *   rank-order   Cray MPICH: the file MPICH_RANK_ORDER, MPICH_RANK_REORDER_METHOD=3
 *   permutation  the PE of each rank, one per line
 * hosts: NULL, or the names of the nodes of t, such as "n[1-4,7],m3", if the PEs have no
 * names or are not whole nodes.  CLEAVE_EINVAL if a form cannot express the mapping. */
CLEAVE_API cleave_status cleave_launch_write(const char *path, const char *form,
                                             const cleave_mapping *m, const cleave_target *t,
                                             const char *hosts, cleave_error *err);

#ifdef __cplusplus
}
#endif

#endif
