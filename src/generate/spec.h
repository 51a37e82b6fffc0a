/* SPDX-License-Identifier: Apache-2.0 */
/* generate/spec.h - the specification KIND[:PARAMETER...] of a generated graph.
 *
 * A generator reads its parameters one after the other.  An error message quotes the text and
 * ends with the form of the kind: CLEAVE_EINVAL if the text does not have that form,
 * CLEAVE_ERANGE if a size is too large. */
#ifndef CLV_GENERATE_SPEC_H
#define CLV_GENERATE_SPEC_H

#include <stdbool.h>

#include "base/status.h"

/* Vertices: one less than INT32_MAX, so that nvtx + 1 fits as well.  Edges: more than any
 * machine holds, small enough that sums of several such numbers fit. */
#define CLV_MOST_VERTICES INT64_C(2147483646)
#define CLV_MOST_EDGES (INT64_C(1) << 40)

typedef struct clv_spec {
    const char *text; /* the whole text, for messages */
    const char *form; /* "grid2d:WxH[:5|9][:periodic]" */
    const char *rest; /* the next parameter; NULL: there are no more */
} clv_spec;

/* kind: length of the name of the kind, after which the parameters start. */
clv_spec clv_spec_start(const char *text, size_t kind, const char *form);

/* A whole number >= 0; `what` is its name in the form.  More than `most`: CLEAVE_ERANGE. */
cleave_status clv_spec_whole(clv_spec *spec, const char *what, int64_t most, int64_t *value,
                             cleave_error *err);
/* A finite number in [low, high]. */
cleave_status clv_spec_real(clv_spec *spec, const char *what, double low, double high,
                            double *value, cleave_error *err);
/* Sizes such as 3x4x5, at least `least` and at most `most` of them; *count: how many. */
cleave_status clv_spec_sizes(clv_spec *spec, const char *what, int least, int most,
                             int64_t *size, int *count, cleave_error *err);
/* Consumes the next parameter if it is this word. */
bool clv_spec_option(clv_spec *spec, const char *word);
/* Is there another parameter? */
static inline bool clv_spec_more(const clv_spec *spec)
{
    return spec->rest != NULL;
}
/* Fails if parameters are left. */
cleave_status clv_spec_end(const clv_spec *spec, cleave_error *err);

/* CLEAVE_EINVAL "'text': sentence; the form is ...". */
cleave_status clv_spec_fail(const clv_spec *spec, const char *sentence, cleave_error *err);

/* The product of sizes as a number of vertices; more than `most`: CLEAVE_ERANGE. */
cleave_status clv_spec_product(const clv_spec *spec, const int64_t *size, int count,
                               int64_t most, int64_t *nvtx, cleave_error *err);
/* The same for a graph in one process: at most CLV_MOST_VERTICES. */
cleave_status clv_spec_vertices(const clv_spec *spec, const int64_t *size, int count,
                                int32_t *nvtx, cleave_error *err);
/* CLEAVE_ERANGE unless edges <= CLV_MOST_EDGES; a double cannot overflow. */
cleave_status clv_spec_edges(const clv_spec *spec, double edges, cleave_error *err);

#endif
