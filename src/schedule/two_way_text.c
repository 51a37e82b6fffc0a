/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/two_way_text.c - the two-way model for MiniZinc [Shah et al. 2022, Listings 1 and
 * 2], and parsing of its solutions.
 *
 * Differences from the listing: weights may be 0, w_s and w_c are data, sizes are bounded by
 * the sum of all weights (solvers have narrow integers), and there is an output; labels are
 * tried in random order, because Gecode's default, 0 first, is slow both to find and to prove
 * (20 vertices: 0.3 to 5 s and more; random: 0.005 to 0.7 s).  Only the part of a vertex in an
 * earlier layer is used: Vin has one vertex per part. */
#include <string.h>

#include "base/number.h"
#include "schedule/two_way.h"

static const char model_text[] =
    "% Two-way partitioning of a DAG: part 1, part 2, or later (0).\n"
    "int: w_s;\n"
    "int: w_c;\n"
    "int: n_V;\n"
    "set of int: V = 1..n_V;\n"
    "int: max_node_w;\n"
    "array[V] of 0..max_node_w: node_w;\n"
    "int: n_E;\n"
    "array[1..n_E, 1..2] of int: E;\n"
    "\n"
    "% vertices of earlier layers, and arcs from them\n"
    "int: n_Vin;\n"
    "set of int: Vin = 1..n_Vin;\n"
    "array[Vin] of 1..2: PARTin;\n"
    "int: n_Ein;\n"
    "array[1..n_Ein, 1..2] of int: Ein;\n"
    "\n"
    "array[V] of var 0..2: PART;\n"
    "int: all_w = sum(node_w);\n"
    "var 0..all_w: PART_1_size;\n"
    "var 0..all_w: PART_2_size;\n"
    "array[1..n_Ein] of var bool: Ein_crossings;\n"
    "\n"
    "constraint forall (e in 1..n_E) (\n"
    "  PART[E[e, 2]] = PART[E[e, 1]] \\/ PART[E[e, 2]] = 0\n"
    ");\n"
    "constraint PART_1_size = sum (v in V) (node_w[v] * bool2int(PART[v] = 1));\n"
    "constraint PART_2_size = sum (v in V) (node_w[v] * bool2int(PART[v] = 2));\n"
    "constraint forall (e in 1..n_Ein) (\n"
    "  Ein_crossings[e] =\n"
    "    (PART[Ein[e, 2]] != 0 /\\ PART[Ein[e, 2]] != PARTin[Ein[e, 1]])\n"
    ");\n"
    "\n"
    "solve :: int_search(PART, dom_w_deg, indomain_random)\n"
    "  maximize w_s * min(PART_1_size, PART_2_size)\n"
    "    - w_c * sum (e in 1..n_Ein) (bool2int(Ein_crossings[e]));\n"
    "\n"
    "output [\"PART = \", show(PART), \";\\n\"];\n";

const char *clv_two_way_model_text(void)
{
    return model_text;
}

/* ---- Data ------------------------------------------------------------------------------- */

enum {
    space_of_number = 13, /* digits, sign, comma, blank or line end */
    space_of_words = 600,
    numbers_per_line = 20
};

static char *put_text(char *to, const char *text)
{
    size_t length = strlen(text);
    memcpy(to, text, length);
    return to + length;
}

static char *put_setting(char *to, const char *name, int64_t value)
{
    to = put_text(to, name);
    to = put_text(to, " = ");
    to = clv_print_i64(to, value);
    return put_text(to, ";\n");
}

/* An element of a list, after `count` others. */
static char *put_item(char *to, int64_t count, int64_t value)
{
    if (count > 0)
        *to++ = ',';
    *to++ = count > 0 && count % numbers_per_line == 0 ? '\n' : ' ';
    return clv_print_i64(to, value);
}

static char *put_weights(char *to, const clv_graph *g)
{
    int32_t largest = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        largest = clv_graph_vwgt(g, v, 0) > largest ? clv_graph_vwgt(g, v, 0) : largest;
    to = put_setting(to, "max_node_w", largest);
    to = put_text(to, "node_w = [");
    for (int32_t v = 0; v < g->nvtx; v++)
        to = put_item(to, v, clv_graph_vwgt(g, v, 0));
    return put_text(to, " ];\n");
}

static char *put_arcs(char *to, const clv_graph *g)
{
    int64_t count = 0;
    to = put_setting(to, "n_E", g->narc);
    to = put_text(to, "E = array2d(1..n_E, 1..2, [");
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            to = put_item(to, count++, v + 1);
            to = put_item(to, count++, (int64_t)g->adj[a] + 1);
        }
    return put_text(to, " ]);\n");
}

static char *put_arrivals(char *to, const clv_two_way *model)
{
    to = put_text(to, "n_Vin = 2;\nPARTin = [ 1, 2 ];\n");
    to = put_setting(to, "n_Ein", model->narrivals);
    to = put_text(to, "Ein = array2d(1..n_Ein, 1..2, [");
    for (int32_t a = 0; a < model->narrivals; a++) {
        to = put_item(to, 2 * (int64_t)a, model->from[a]);
        to = put_item(to, 2 * (int64_t)a + 1, (int64_t)model->to[a] + 1);
    }
    return put_text(to, " ]);\n");
}

cleave_status clv_two_way_data_text(const clv_two_way *model, clv_arena *arena, char **text,
                                    cleave_error *err)
{
    const clv_graph *g = model->g;
    int64_t numbers = g->nvtx + 2 * (g->narc + model->narrivals);
    char *to = *text = clv_arena_alloc(arena, space_of_words + numbers * space_of_number, 1);
    if (!to)
        return clv_fail_memory(err);
    to = put_setting(to, "w_s", model->ws);
    to = put_setting(to, "w_c", model->wc);
    to = put_setting(to, "n_V", g->nvtx);
    to = put_weights(to, g);
    to = put_arcs(to, g);
    to = put_arrivals(to, model);
    *to = '\0';
    return CLEAVE_OK;
}

/* ---- Solutions -------------------------------------------------------------------------- */

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r'))
        p++;
    return p;
}

static bool begins(const char *p, const char *end, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(end - p) >= length && memcmp(p, word, length) == 0;
}

static int64_t line_of(const char *text, const char *p)
{
    int64_t line = 1;
    for (; text < p; text++)
        line += *text == '\n';
    return line;
}

/* [p, end) starts after "PART = [": fills part, returns the position after "]", or NULL. */
static const char *parse_parts(const char *p, const char *end, int32_t count, int32_t *part,
                               const char **wrong)
{
    for (int32_t i = 0; i < count; i++) {
        int64_t value = -1;
        bool overflow = false;
        *wrong = p = skip_blanks(p, end);
        p = clv_parse_i64(p, end, &value, &overflow);
        if (!p || overflow || value < 0 || value > 2)
            return NULL;
        part[i] = (int32_t)value;
        *wrong = p = skip_blanks(p, end);
        if (i + 1 < count && (p == end || *p++ != ','))
            return NULL;
    }
    *wrong = p = skip_blanks(p, end);
    return p < end && *p == ']' ? p + 1 : NULL;
}

static const char *next_line(const char *p, const char *end)
{
    const char *stop = memchr(p, '\n', (size_t)(end - p));
    return stop ? stop + 1 : end;
}

cleave_status clv_two_way_answer(const char *text, int64_t length, int32_t count,
                                 int32_t *part, bool *proved, cleave_error *err)
{
    static const char list[] = "PART = [";
    const char *end = text + length, *latest = NULL, *chosen = NULL, *wrong = text;
    *proved = false;
    for (const char *p = text; p < end; p = next_line(p, end)) {
        if (begins(p, end, list))
            latest = p + strlen(list);
        else if (begins(p, end, "----------"))
            chosen = latest;
        else if (begins(p, end, "=========="))
            *proved = chosen != NULL;
    }
    if (!chosen)
        return clv_fail_at(err, CLEAVE_EPARSE, "answer", line_of(text, end),
                           "the solver has found no solution");
    if (!parse_parts(chosen, end, count, part, &wrong))
        return clv_fail_at(err, CLEAVE_EPARSE, "answer", line_of(text, wrong),
                           "PART must be %d numbers, each 0, 1 or 2", (int)count);
    return CLEAVE_OK;
}

/* ---- Solvers of the caller -------------------------------------------------------------- */

cleave_status clv_two_way_check(const clv_two_way *model, const int32_t *part,
                                cleave_error *err)
{
    const clv_graph *g = model->g;
    for (int32_t v = 0; v < g->nvtx; v++)
        if (part[v] < 0 || part[v] > 2)
            return clv_fail(err, CLEAVE_EINVAL, "the solver puts vertex %d in part %d", (int)v,
                            (int)part[v]);
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (part[g->adj[a]] != 0 && part[g->adj[a]] != part[v])
                return clv_fail(err, CLEAVE_EINVAL,
                                "the solver puts vertex %d in part %d and vertex %d, which "
                                "needs it, in part %d",
                                (int)v, (int)part[v], (int)g->adj[a], (int)part[g->adj[a]]);
    return CLEAVE_OK;
}

cleave_status clv_two_way_call(const clv_two_way *model, clv_two_way_solver solver,
                               clv_context *ctx, int32_t *part, clv_two_way_result *result,
                               cleave_error *err)
{
    clv_arena arena = {0};
    char *data;
    if (!solver.fn)
        return clv_two_way_solve(model, ctx, part, result, err);
    cleave_status status = clv_two_way_data_text(model, &arena, &data, err);
    int answer = 0;
    if (status == CLEAVE_OK)
        answer =
            solver.fn(solver.payload, clv_two_way_model_text(), data, model->g->nvtx, part);
    clv_arena_free(&arena);
    CLV_TRY(status);
    if (answer < 0)
        return clv_fail(err, CLEAVE_EIO, "the solver of the two-way model failed");
    if (answer > 0)
        return clv_two_way_solve(model, ctx, part, result, err);
    CLV_TRY(clv_two_way_check(model, part, err));
    *result = (clv_two_way_result){.objective = clv_two_way_objective(model, part)};
    return CLEAVE_OK;
}
