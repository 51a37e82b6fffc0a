/* SPDX-License-Identifier: Apache-2.0 */
/* generate/trace.h - the DAG of a computation, recorded while its loops run.
 *
 * A clv_value represents a number of the traced program: a literal, an element of an array at
 * its initial value, or the result of an operation.  Copying a value records nothing.  An
 * operation creates a vertex with an arc from each operand; an element becomes an input vertex
 * when its initial value is first read; literals are not vertices.  Reading the same vertex
 * twice creates one arc.
 *
 * Vertices are numbered in order of creation: every arc leads from a lower to a higher
 * number. */
#ifndef CLV_GENERATE_TRACE_H
#define CLV_GENERATE_TRACE_H

#include "graph/graph.h"

/* >= 0: a vertex.  CLV_LITERAL: a literal.  Below: the unwritten element -2 - value of all
 * arrays. */
typedef int32_t clv_value;
enum { CLV_LITERAL = -1, CLV_FIRST_ELEMENT = -2 };

typedef struct clv_trace {
    int32_t nvtx, capacity; /* vertices created, and their maximum */
    int32_t (*operand)[2];  /* by vertex: its operands, or CLV_LITERAL */
    int32_t *input;         /* by element: its input vertex, or CLV_LITERAL: none yet */
    int64_t nelement;
    cleave_status status; /* the first failure; nothing is recorded after it */
    clv_arena arena;      /* owns the arrays of clv_trace_array */
} clv_trace;

/* capacity: maximum number of vertices.  The trace must be freed also after a failure.
 * Failures of this and of the calls below are kept until clv_trace_graph. */
void clv_trace_init(clv_trace *t, int32_t capacity);
void clv_trace_free(clv_trace *t);

/* An array of the traced program: `count` elements at their initial values.  NULL on failure.
 */
clv_value *clv_trace_array(clv_trace *t, int64_t count);

/* False after a failure: some arrays are missing. */
static inline bool clv_trace_ready(const clv_trace *t)
{
    return t->status == CLEAVE_OK;
}

static inline int32_t clv_trace_vertex(clv_trace *t, int32_t a, int32_t b)
{
    if (CLV_UNLIKELY(t->nvtx >= t->capacity)) {
        t->status = CLEAVE_ERANGE;
        return CLV_LITERAL;
    }
    t->operand[t->nvtx][0] = a;
    t->operand[t->nvtx][1] = b;
    return t->nvtx++;
}

/* The vertex of a value, or CLV_LITERAL. */
static inline int32_t clv_trace_read(clv_trace *t, clv_value value)
{
    if (value > CLV_FIRST_ELEMENT)
        return value;
    int32_t *input = &t->input[CLV_FIRST_ELEMENT - value];
    if (*input == CLV_LITERAL)
        *input = clv_trace_vertex(t, CLV_LITERAL, CLV_LITERAL);
    return *input;
}

/* The result of an operation on two values; b CLV_LITERAL: one operand. */
static inline clv_value clv_trace_operation(clv_trace *t, clv_value a, clv_value b)
{
    int32_t first = clv_trace_read(t, a), second = clv_trace_read(t, b);
    return clv_trace_vertex(t, first, second == first ? CLV_LITERAL : second);
}

/* The DAG of what was recorded, or the failure that was kept.  O(nvtx). */
cleave_status clv_trace_graph(clv_graph **out, const clv_trace *t, cleave_error *err);

#endif
