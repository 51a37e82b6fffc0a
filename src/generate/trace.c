/* SPDX-License-Identifier: Apache-2.0 */
/* generate/trace.c - memory of a trace, and its graph. */
#include "generate/trace.h"

#include <string.h>

#include "base/group.h"
#include "graph/build.h"

void clv_trace_init(clv_trace *t, int32_t capacity)
{
    memset(t, 0, sizeof *t);
    t->capacity = capacity;
    t->operand = clv_alloc(capacity, sizeof *t->operand);
    if (!t->operand)
        t->status = CLEAVE_ENOMEM;
}

void clv_trace_free(clv_trace *t)
{
    clv_sys_free(t->operand);
    clv_sys_free(t->input);
    clv_arena_free(&t->arena);
    memset(t, 0, sizeof *t);
}

/* The status is stored, not returned, so that kernels can declare all arrays before one check.
 */
static clv_value *fail(clv_trace *t, cleave_status status)
{
    t->status = status;
    return NULL;
}

clv_value *clv_trace_array(clv_trace *t, int64_t count)
{
    int64_t most = (int64_t)INT32_MAX + CLV_FIRST_ELEMENT; /* elements that a clv_value can
                                                              represent */
    if (!clv_trace_ready(t))
        return NULL;
    if (count < 0 || count > most - t->nelement)
        return fail(t, CLEAVE_ERANGE);
    int32_t *input = clv_realloc(t->input, t->nelement + count, sizeof *input);
    if (!input)
        return fail(t, CLEAVE_ENOMEM);
    t->input = input;
    clv_value *array = clv_arena_alloc(&t->arena, count, sizeof *array);
    if (!array)
        return fail(t, CLEAVE_ENOMEM);
    for (int64_t i = 0; i < count; i++) {
        array[i] = (clv_value)(CLV_FIRST_ELEMENT - (t->nelement + i));
        input[t->nelement + i] = CLV_LITERAL;
    }
    t->nelement += count;
    return array;
}

/* Rows of successors.  Consumers are visited in ascending order, so rows ascend. */
static void fill_rows(clv_rows *rows, const clv_trace *t)
{
    int64_t *fill = rows->xadj + 1; /* shifted by one, for clv_group_starts */
    for (int32_t v = 0; v < t->nvtx; v++)
        for (int i = 0; i < 2; i++)
            if (t->operand[v][i] != CLV_LITERAL)
                fill[t->operand[v][i]]++;
    clv_group_starts(rows->xadj, t->nvtx);
    for (int32_t v = 0; v < t->nvtx; v++)
        for (int i = 0; i < 2; i++)
            if (t->operand[v][i] != CLV_LITERAL)
                rows->adj[fill[t->operand[v][i]]++] = v;
}

static int64_t count_arcs(const clv_trace *t)
{
    int64_t narc = 0;
    for (int32_t v = 0; v < t->nvtx; v++)
        narc += (t->operand[v][0] != CLV_LITERAL) + (t->operand[v][1] != CLV_LITERAL);
    return narc;
}

cleave_status clv_trace_graph(clv_graph **out, const clv_trace *t, cleave_error *err)
{
    *out = NULL;
    if (t->status == CLEAVE_ENOMEM)
        return clv_fail_memory(err);
    if (!clv_trace_ready(t))
        return clv_fail(err, t->status,
                        "the trace has more than %ld vertices, or too many elements",
                        (long)t->capacity);
    clv_rows rows = {.nvtx = t->nvtx, .known_good = true};
    rows.xadj = clv_zalloc((int64_t)t->nvtx + 1, sizeof *rows.xadj);
    rows.adj = clv_alloc(count_arcs(t), sizeof *rows.adj);
    if (!rows.xadj || !rows.adj) {
        clv_rows_free(&rows);
        return clv_fail_memory(err);
    }
    fill_rows(&rows, t);
    /* Every arc leads to a vertex created later: there is no cycle. */
    clv_build_rules rules = {.trust = true};
    return clv_build_graph(out, CLEAVE_DAG, &rows, &rules, NULL, err);
}
