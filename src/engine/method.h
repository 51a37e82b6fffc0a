/* SPDX-License-Identifier: Apache-2.0 */
/* engine/method.h - the partitioning methods: a table from a name to a function and its
 * properties.
 *
 * Each property is a column of the table (engine/method.c): which graphs and constraints a
 * method supports, whether it uses the machine, and which steps of the pipeline follow it. */
#ifndef CLV_ENGINE_METHOD_H
#define CLV_ENGINE_METHOD_H

#include "engine/acyclic/dagp.h"
#include "engine/multilevel/bisection.h"
#include "engine/multilevel/search.h"
#include "order/spectral_source.h"
#include "order/split.h"

typedef enum clv_method_kind {
    CLV_METHOD_AUTO,         /* HIERARCHY if the machine has levels, otherwise KWAY */
    CLV_METHOD_KWAY,         /* multilevel k-way partitioning */
    CLV_METHOD_DRB,          /* dual recursive bipartitioning without k-way refinement */
    CLV_METHOD_MULTISECTION, /* multisection along the machine's hierarchy, then KWAY from
                                there */
    CLV_METHOD_DAGP,         /* one of engine/acyclic/dagp.h */
    CLV_METHOD_RCB,          /* those of engine/mapping/geometric_parts.h */
    CLV_METHOD_ZCI,
    CLV_METHOD_HCI,
    CLV_METHOD_RSB,
    /* Without a name: only the library selects them. */
    CLV_METHOD_HIERARCHY,  /* MULTISECTION, on a few PEs the better of it and KWAY */
    CLV_METHOD_BORDERS,    /* refines the boundaries of the start */
    CLV_METHOD_SPREAD,     /* the start has one vertex per part: improves the placement */
    CLV_METHOD_KEEP_START, /* rebalances the start, nothing else */
} clv_method_kind;

/* A method with its parameters. */
typedef struct clv_method {
    clv_method_kind kind;
    const char *name;
    clv_policy policy;     /* of DRB */
    clv_dagp_method which; /* of DAGP, and its variants */
    clv_dagp_params params;
    clv_grouping grouping; /* of the methods of engine/mapping/geometric_parts.h */
    bool refine;           /* refine boundaries afterwards */
} clv_method;

/* The input of a method. */
typedef struct clv_method_task {
    clv_multilevel_task t; /* has a machine if the row's `machine` allows it */
    const clv_method *method;
    cleave_effort effort;
    clv_preset preset; /* the same in detail; filled if the row has `searches` */
    clv_context *ctx;
    int32_t *part;                  /* t.g->nvtx, the result */
    clv_spectral_quality *spectral; /* zero; filled by methods that use eigenvectors */
} clv_method_task;

typedef cleave_status clv_method_function(const clv_method_task *task,
                                          clv_search_result *result, cleave_error *err);
typedef cleave_status clv_method_parser(clv_method *method, const char *params,
                                        cleave_error *err);

/* Constraints and objectives that a method supports. */
enum {
    CLV_KEEPS_FIXED = 1,
    CLV_KEEPS_GROUPS = 2,
    CLV_KEEPS_START = 4,
    CLV_KEEPS_CONNECTED = 8,
    CLV_KEEPS_VOLUME = 16,
    CLV_KEEPS_ALL = 31
};

typedef enum clv_method_machine {
    CLV_MACHINE_NEVER,   /* parts are placed afterwards */
    CLV_MACHINE_BY_COST, /* for undirected graphs if the objective depends on distances */
    CLV_MACHINE_ALWAYS
} clv_method_machine;

typedef struct clv_method_row {
    const char *name; /* NULL: internal, not selectable by name */
    clv_method_kind kind;
    clv_dagp_method which;
    clv_method_function *partition;
    clv_method_parser *parse; /* of the parameters; NULL: there are none */
    unsigned keeps;           /* CLV_KEEPS_ */
    bool needs_dag, needs_undirected, needs_levels, needs_coordinates;
    bool only_cut; /* the cut is the only objective */
    clv_method_machine machine;
    bool searches; /* uses the multilevel engine with the presets of engine/presets.h */
    bool nests;    /* higher efforts on a machine also try the default, clv_try_lower_effort */
    bool places;   /* parts are placed already; no later step moves them */
} clv_method_row;

/* name NULL, "" or "multilevel": "auto".  The message of CLEAVE_EINVAL lists the names. */
cleave_status clv_method_parse(clv_method *method, const char *name, const char *params,
                               cleave_error *err);
/* A method without parameters. */
clv_method clv_method_of(clv_method_kind kind);
const clv_method_row *clv_method_row_of(clv_method_kind kind);
/* Returns the row for a task and resolves AUTO.  machine: NULL if distances do not matter. */
const clv_method_row *clv_method_choose(const clv_method *method, const clv_machine *machine,
                                        const int32_t *start);

#endif
