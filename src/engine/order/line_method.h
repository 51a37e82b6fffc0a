/* SPDX-License-Identifier: Apache-2.0 */
/* engine/order/line_method.h - selects the algorithm of a linear order by name. */
#ifndef CLV_ENGINE_ORDER_LINE_METHOD_H
#define CLV_ENGINE_ORDER_LINE_METHOD_H

#include "base/context.h"
#include "graph/graph.h"
#include "order/spectral_source.h"

typedef enum clv_line_kind {
    CLV_LINE_AUTO, /* chosen for the graph */
    CLV_LINE_HCI,  /* order/curve.h */
    CLV_LINE_ZCI,
    CLV_LINE_RCBI, /* order/halving.h */
    CLV_LINE_RSBI,
    CLV_LINE_MULTILEVEL, /* engine/order/multilevel_order.h */
    CLV_LINE_TOPO,       /* DAG: topological order, smallest ready number first */
    CLV_LINE_ND,         /* for elimination: nested dissection, engine/order/dissection.h */
    CLV_LINE_MINDEG      /* likewise: order/elimination/minimum_degree.h */
} clv_line_kind;

typedef struct clv_line_method {
    clv_line_kind kind;
    const char *name;
    int32_t leaves; /* of RCBI and RSBI; 0: down to single vertices */
} clv_line_method;

/* name NULL or "": "auto".  The message of CLEAVE_EINVAL lists the names. */
cleave_status clv_line_method_parse(clv_line_method *method, const char *name,
                                    const char *params, cleave_error *err);
/* Replaces AUTO by a method for g, following Table 8 of [Kaddoura, Ou, Ranka 1995]: a
 * space-filling curve if time matters and there are coordinates, otherwise the method with the
 * lowest cut.  CLEAVE_EINVAL if the method cannot be used on g. */
cleave_status clv_line_method_choose(clv_line_method *method, const clv_graph *g,
                                     cleave_effort effort, cleave_error *err);
typedef struct clv_line_result {
    int32_t *vertex;               /* by place; nvtx, from the caller */
    clv_spectral_quality spectral; /* of the eigenvectors of RSBI */
} clv_line_result;
/* Fills the line.  The method must not be AUTO.  Only the first vertex weight is used.  In a
 * DAG every arc points forward: CLEAVE_ECYCLE if an unchecked graph has a cycle. */
cleave_status clv_line_make(clv_line_result *line, const clv_graph *g,
                            const clv_line_method *method, cleave_effort effort,
                            clv_context *ctx, cleave_error *err);

/* For geometric methods: CLEAVE_EINVAL if g has no coordinates or if one is not finite; the
 * message names the vertex. */
cleave_status clv_coordinates_check(const clv_graph *g, const char *method, cleave_error *err);

#endif
