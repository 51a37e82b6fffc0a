/* SPDX-License-Identifier: Apache-2.0 */
/* engine/line_method.h - which algorithm puts the vertices on a line, by name. */
#ifndef CLV_ENGINE_LINE_METHOD_H
#define CLV_ENGINE_LINE_METHOD_H

#include "base/context.h"
#include "graph/graph.h"
#include "order/spectral_source.h"

typedef enum clv_line_kind {
    CLV_LINE_AUTO, /* what suits the graph */
    CLV_LINE_HCI,  /* order/curve.h */
    CLV_LINE_ZCI,
    CLV_LINE_RCBI, /* order/halving.h */
    CLV_LINE_RSBI,
    CLV_LINE_MULTILEVEL, /* engine/multilevel_order.h */
    CLV_LINE_TOPO,       /* of a DAG: smallest ready number first */
    CLV_LINE_ND,         /* for elimination: engine/dissection.h */
    CLV_LINE_MINDEG      /* likewise: generate/minimum_degree.h */
} clv_line_kind;

typedef struct clv_line_method {
    clv_line_kind kind;
    const char *name;
    int32_t leaves; /* of RCBI and RSBI; 0: down to single vertices */
} clv_line_method;

/* name NULL or "": as "auto".  CLEAVE_EINVAL says what there is. */
cleave_status clv_line_method_parse(clv_line_method *method, const char *name,
                                    const char *params, cleave_error *err);
/* Replaces AUTO by the method for g, after Table 8 of Kaddoura, Ou, Ranka 1995: the curve when
 * time counts and there are coordinates, else what cuts least.  CLEAVE_EINVAL when the method
 * cannot be used on g. */
cleave_status clv_line_method_choose(clv_line_method *method, const clv_graph *g,
                                     cleave_effort effort, cleave_error *err);
/* vertex[p] at place p; the method is chosen: not AUTO.  Of several weights per vertex the
 * first counts. Of a DAG every arc runs forward: CLEAVE_ECYCLE when a graph that was taken on
 * trust has a cycle.  *spectral: of the eigenvectors of RSBI. */
cleave_status clv_line_make(const clv_graph *g, const clv_line_method *method,
                            cleave_effort effort, clv_context *ctx, int32_t *vertex,
                            clv_spectral_quality *spectral, cleave_error *err);

/* For methods that go by them: CLEAVE_EINVAL when g has no coordinates, or names a vertex
 * whose coordinates are not finite. */
cleave_status clv_coordinates_check(const clv_graph *g, const char *method, cleave_error *err);

#endif
