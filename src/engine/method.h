/* SPDX-License-Identifier: Apache-2.0 */
/* engine/method.h - the methods that divide a graph: one table from a name to a function and
 * to what that function supports.
 *
 * All questions about a method are columns of the table (engine/method.c): which graphs and
 * constraints it takes, whether it knows the machine, which steps of the pipeline follow it.
 */
#ifndef CLV_ENGINE_METHOD_H
#define CLV_ENGINE_METHOD_H

#include "engine/bisection.h"
#include "engine/dagp.h"
#include "engine/search.h"
#include "order/split.h"

typedef enum clv_method_kind {
    CLV_METHOD_AUTO, /* HIERARCHY where the machine has levels, else KWAY */
    CLV_METHOD_KWAY, /* the multilevel engine on all parts at once */
    CLV_METHOD_DRB,  /* recursive bisection of the graph and the machine, and no more */
    CLV_METHOD_MULTISECTION, /* along the machine's hierarchy, then as KWAY from there */
    CLV_METHOD_DAGP,         /* one of engine/dagp.h */
    CLV_METHOD_RCB,          /* those of engine/geometric_parts.h */
    CLV_METHOD_ZCI,
    CLV_METHOD_HCI,
    CLV_METHOD_RSB,
    /* Without a name: chosen by the library. */
    CLV_METHOD_HIERARCHY,  /* MULTISECTION, on a few PEs compared with KWAY */
    CLV_METHOD_BORDERS,    /* improves the borders of the start */
    CLV_METHOD_SPREAD,     /* the start has one vertex per part: finds better places */
    CLV_METHOD_KEEP_START, /* brings the start within the bounds, and no more */
} clv_method_kind;

/* A method with its parameters. */
typedef struct clv_method {
    clv_method_kind kind;
    const char *name;
    clv_policy policy;     /* of DRB */
    clv_dagp_method which; /* of DAGP, and its variants */
    clv_dagp_params params;
    clv_grouping grouping; /* of those of engine/geometric_parts.h */
    bool refine;           /* and improve their borders afterwards */
} clv_method;

/* What a method works on. */
typedef struct clv_method_task {
    clv_multilevel_task t; /* has a machine if the row says so */
    const clv_method *method;
    cleave_effort effort;
    clv_preset preset; /* the same in detail; filled if the row says `searches` */
    clv_context *ctx;
    int32_t *part; /* t.g->nvtx, filled */
} clv_method_task;

typedef cleave_status clv_method_function(const clv_method_task *task,
                                          clv_search_result *result, cleave_error *err);
typedef cleave_status clv_method_parser(clv_method *method, const char *params,
                                        cleave_error *err);

/* Constraints that a method can keep to, and demands that it knows. */
enum {
    CLV_KEEPS_FIXED = 1,
    CLV_KEEPS_GROUPS = 2,
    CLV_KEEPS_START = 4,
    CLV_KEEPS_CONNECTED = 8,
    CLV_KEEPS_VOLUME = 16,
    CLV_KEEPS_ALL = 31
};

typedef enum clv_method_machine {
    CLV_MACHINE_NEVER,   /* parts get their places afterwards */
    CLV_MACHINE_BY_COST, /* of undirected graphs, if the objective counts distances */
    CLV_MACHINE_ALWAYS
} clv_method_machine;

typedef struct clv_method_row {
    const char *name; /* NULL: callers cannot ask for it */
    clv_method_kind kind;
    clv_dagp_method which;
    clv_method_function *partition;
    clv_method_parser *parse; /* of the parameters; NULL: there are none */
    unsigned keeps;           /* CLV_KEEPS_ */
    bool needs_dag, needs_undirected, needs_levels, needs_coordinates;
    bool only_cut; /* no other objective */
    clv_method_machine machine;
    bool searches; /* by the multilevel engine, with the efforts of engine/presets.h */
    bool places;   /* parts are where they belong, no step afterwards moves them */
} clv_method_row;

/* name NULL, "" or "multilevel": as "auto".  CLEAVE_EINVAL says what there is. */
cleave_status clv_method_parse(clv_method *method, const char *name, const char *params,
                               cleave_error *err);
/* A method without parameters. */
clv_method clv_method_of(clv_method_kind kind);
const clv_method_row *clv_method_row_of(clv_method_kind kind);
/* The row that divides a task: that of the method; AUTO is resolved.  machine: NULL where
 * distances do not count. */
const clv_method_row *clv_method_choose(const clv_method *method, const clv_machine *machine,
                                        const int32_t *start);

#endif
