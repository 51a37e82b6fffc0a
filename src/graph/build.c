/* SPDX-License-Identifier: Apache-2.0 */
/* graph/build.c - from rows to a finished graph: sorts, checks or repairs, adds predecessors,
 * checks that a DAG is acyclic.  The invariants of graph.h are established here only. */
#include "graph/build.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "graph/derive.h"
#include "graph/rows.h"
#include "graph/symmetry.h"
#include "graph/topology.h"

/* ---- Messages ---------------------------------------------------------------------- */

static const clv_where nowhere = {0};

/* A vertex as it is called in the input; `text` is scratch. */
static const char *vertex_text(const clv_where *where, int32_t v, char text[16])
{
    if (where->names && where->names->offset)
        return where->names->text + where->names->offset[v];
    snprintf(text, 16, "%lld", (long long)v + where->base);
    return text;
}

/* "BEFORE v BETWEEN u AFTER"; between NULL: only v is mentioned. */
typedef struct edge_sentence {
    const char *before, *between, *after;
} edge_sentence;

static cleave_status fail_edge_as(cleave_status status, cleave_error *err,
                                  const clv_where *where, int32_t v, int32_t u,
                                  edge_sentence words)
{
    char sentence[200], v_text[16], u_text[16];
    snprintf(sentence, sizeof sentence, "%s %.40s%s%.40s%s", words.before,
             vertex_text(where, v, v_text), words.between ? words.between : "",
             words.between ? vertex_text(where, u, u_text) : "", words.after);
    if (!where->path)
        return clv_fail(err, status, "%s", sentence);
    int64_t line = where->line_of_arc && words.between
                       ? where->line_of_arc(where->context, v, u)
                   : where->line_of ? where->line_of(where->context, v)
                                    : 0;
    return clv_fail_at(err, status, where->path, line, "%s", sentence);
}

static cleave_status fail_edge(cleave_error *err, const clv_where *where, int32_t v, int32_t u,
                               edge_sentence words)
{
    return fail_edge_as(where->path ? CLEAVE_EPARSE : CLEAVE_EINVAL, err, where, v, u, words);
}

static cleave_status fail_sum(cleave_error *err, const clv_where *where, const int32_t edge[2],
                              const char *whose)
{
    return fail_edge_as(CLEAVE_ERANGE, err, where, edge[0], edge[1],
                        (edge_sentence){whose, " - ", " sum to more than 2147483647"});
}

static cleave_status fail_asymmetry(cleave_error *err, const clv_where *where,
                                    const clv_asymmetry *found)
{
    if (!found->unequal)
        return fail_edge(
            err, where, found->from, found->to,
            (edge_sentence){"vertex", " lists neighbour ", ", which does not list it"});
    char after[80];
    snprintf(after, sizeof after, " has weight %ld this way and %ld the other way",
             (long)found->there, (long)found->back);
    return fail_edge(err, where, found->from, found->to,
                     (edge_sentence){"edge", " - ", after});
}

static cleave_status fail_cycle(cleave_error *err, const clv_where *where,
                                const int32_t *cycle, int32_t length)
{
    char text[160];
    clv_topology_cycle_text(cycle, length, where->names, where->base, text, sizeof text);
    if (!where->path)
        return clv_fail(err, CLEAVE_ECYCLE, "the graph has a cycle: %s", text);
    int64_t line = where->line_of ? where->line_of(where->context, cycle[0]) : 0;
    return clv_fail_at(err, CLEAVE_ECYCLE, where->path, line, "the graph has a cycle: %s",
                       text);
}

/* ---- Steps -------------------------------------------------------------------------- */

static cleave_status order_rows(clv_rows *rows, const clv_build_rules *rules,
                                const clv_where *where, clv_ws *ws, cleave_error *err)
{
    if (clv_rows_strict(rows))
        return CLEAVE_OK;
    CLV_TRY(clv_rows_sort(rows, ws, err));
    clv_row_faults faults = clv_rows_faults(rows);
    if (faults.loops == 0 && faults.duplicates == 0)
        return CLEAVE_OK;
    if (faults.loops && !rules->drop_loops)
        return fail_edge(err, where, faults.loop_vertex, faults.loop_vertex,
                         (edge_sentence){"vertex", NULL, " is its own neighbour"});
    if (faults.duplicates && !rules->merge_duplicates)
        return fail_edge(err, where, faults.duplicate_vertex, faults.duplicate_neighbour,
                         (edge_sentence){"vertex", " lists neighbour ", " twice"});
    if (rules->repairs && !rules->one_way) {
        rules->repairs->self_loops += faults.loops;
        rules->repairs->duplicates += faults.duplicates;
    }
    int32_t edge[2];
    if (!clv_rows_clean(rows, edge))
        return fail_sum(err, where, edge, "the weights of the duplicates of edge");
    return CLEAVE_OK;
}

static cleave_status pair_rows(clv_rows *rows, const clv_build_rules *rules,
                               const clv_where *where, clv_ws *ws, cleave_error *err)
{
    if (rules->symmetrise == CLV_SYMMETRISE_REFUSE && !rules->one_way) {
        clv_asymmetry found;
        CLV_TRY(clv_symmetry_check(rows, rules->team, ws, &found, err));
        return found.from < 0 ? CLEAVE_OK : fail_asymmetry(err, where, &found);
    }
    clv_symmetry_faults found;
    cleave_status status = clv_symmetry_make(rows, rules->symmetrise, ws, &found, err);
    if (status == CLEAVE_ERANGE)
        return fail_sum(err, where, found.overflow, "the weights of edge");
    if (status == CLEAVE_EINVAL)
        return fail_asymmetry(err, where, &found.contradiction);
    CLV_TRY(status);
    if (rules->repairs) {
        rules->repairs->one_way += rules->one_way ? 0 : found.one_way;
        rules->repairs->unequal += found.unequal;
    }
    return CLEAVE_OK;
}

/* Returns unused memory: duplicates were merged, and sizes were estimates. */
static void shrink(clv_rows *rows)
{
    int64_t narc = rows->xadj[rows->nvtx];
    int32_t *adj = clv_realloc(rows->adj, narc, sizeof *adj);
    if (adj)
        rows->adj = adj;
    if (rows->ewgt) {
        int32_t *ewgt = clv_realloc(rows->ewgt, narc, sizeof *ewgt);
        if (ewgt)
            rows->ewgt = ewgt;
    }
}

/* Each array passes to the arena as soon as it is registered there, so that it is freed
 * exactly once. */
static cleave_status take_rows(clv_graph *g, clv_rows *rows, cleave_error *err)
{
    g->nvtx = rows->nvtx;
    g->narc = rows->xadj[rows->nvtx];
    if (!clv_arena_adopt(&g->arena, rows->xadj))
        return clv_fail_memory(err);
    g->xadj = g->xpred = rows->xadj;
    rows->xadj = NULL;
    if (!clv_arena_adopt(&g->arena, rows->adj))
        return clv_fail_memory(err);
    g->adj = g->pred = rows->adj;
    rows->adj = NULL;
    if (rows->ewgt && !clv_arena_adopt(&g->arena, rows->ewgt))
        return clv_fail_memory(err);
    g->ewgt = g->pwgt = rows->ewgt;
    rows->ewgt = NULL;
    return CLEAVE_OK;
}

/* Sums of weights must fit (graph.h).  With at most 2^31 arcs they always do. */
cleave_status clv_graph_check_sums(const clv_graph *g, cleave_error *err)
{
    int64_t sum = 0;
    for (int64_t a = 0; g->ewgt && g->narc > INT32_MAX && a < g->narc; a++) {
        sum += g->ewgt[a];
        if (sum > CLV_MOST_WEIGHT)
            return clv_fail(err, CLEAVE_ERANGE,
                            "the weights of the edges sum to more than 2^62");
    }
    return CLEAVE_OK;
}

static cleave_status refuse_cycle(const clv_graph *g, const clv_where *where, clv_ws *ws,
                                  cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *order = clv_ws_alloc(ws, g->nvtx, sizeof *order);
    if (!order)
        return clv_fail_memory(err);
    bool complete;
    CLV_TRY(clv_topology_sort(g->nvtx, g->xadj, g->adj, ws, order, &complete, err));
    cleave_status status = CLEAVE_OK;
    if (!complete) {
        int32_t length;
        CLV_TRY(clv_topology_find_cycle(g->nvtx, g->xadj, g->adj, ws, order, &length, err));
        status = fail_cycle(err, where, order, length);
    }
    clv_ws_restore(ws, mark);
    return status;
}

static cleave_status add_predecessors(clv_graph *g, cleave_error *err)
{
    int64_t *xpred = clv_arena_alloc(&g->arena, (int64_t)g->nvtx + 1, sizeof *xpred);
    int32_t *pred = clv_arena_alloc(&g->arena, g->narc, sizeof *pred);
    int32_t *pwgt = g->ewgt ? clv_arena_alloc(&g->arena, g->narc, sizeof *pwgt) : NULL;
    int64_t *wide = g->wide_ewgt ? clv_arena_alloc(&g->arena, g->narc, sizeof *wide) : NULL;
    if (!xpred || !pred || (g->ewgt && !pwgt) || (g->wide_ewgt && !wide))
        return clv_fail_memory(err);
    clv_derive_transpose_rows(g->nvtx, (clv_csr){g->xadj, g->adj, clv_graph_ewgts(g)},
                              (clv_csr_space){xpred, pred, pwgt, wide});
    g->xpred = xpred;
    g->pred = pred;
    g->pwgt = pwgt;
    g->wide_pwgt = wide;
    return CLEAVE_OK;
}

static cleave_status finish_rows(clv_graph *g, clv_rows *rows, const clv_build_rules *rules,
                                 const clv_where *where, clv_ws *ws, cleave_error *err)
{
    bool strict = g->kind == CLEAVE_UNDIRECTED && rules->symmetrise == CLV_SYMMETRISE_REFUSE;
    /* The fingerprint fails for self-loops as well; then all rows are checked in detail. */
    if (strict && rows->ascending && !rules->trust)
        rows->known_good = clv_symmetry_fingerprint(rows, rules->team);
    /* Even if rows are valid, the two directions may still have to be summed. */
    bool add = rules->symmetrise == CLV_SYMMETRISE_SUM && rows->ewgt && !rows->paired;
    if (!rows->known_good || (g->kind == CLEAVE_UNDIRECTED && add)) {
        CLV_TRY(order_rows(rows, rules, where, ws, err));
        if (g->kind == CLEAVE_UNDIRECTED && !rules->trust && !rows->paired)
            CLV_TRY(pair_rows(rows, rules, where, ws, err));
        shrink(rows);
    }
    CLV_TRY(take_rows(g, rows, err));
    CLV_TRY(clv_graph_check_sums(g, err));
    if (g->kind == CLEAVE_UNDIRECTED)
        return CLEAVE_OK;
    if (!rules->trust && !rules->cycles)
        CLV_TRY(refuse_cycle(g, where, ws, err));
    return add_predecessors(g, err);
}

/* Checks and sorts nothing: for graphs made by coarsen/contract.h. */
cleave_status clv_build_wide(clv_graph **out, cleave_kind kind, clv_rows *rows,
                             int64_t **wide_ewgt, cleave_error *err)
{
    clv_graph *g = clv_graph_new();
    cleave_status status = g ? take_rows(g, rows, err) : clv_fail_memory(err);
    clv_rows_free(rows);
    *out = NULL;
    if (status == CLEAVE_OK && !clv_arena_adopt(&g->arena, *wide_ewgt))
        status = clv_fail_memory(err);
    if (status == CLEAVE_OK) {
        g->kind = kind;
        g->wide_ewgt = g->wide_pwgt = *wide_ewgt;
        *wide_ewgt = NULL;
        if (kind == CLEAVE_DAG)
            status = add_predecessors(g, err);
    }
    if (status != CLEAVE_OK)
        clv_graph_free(g);
    else
        *out = g;
    return status;
}

cleave_status clv_graph_finish_dag(clv_graph *g, bool trust, cleave_error *err)
{
    clv_ws ws = {NULL};
    cleave_status status = trust ? CLEAVE_OK : refuse_cycle(g, &nowhere, &ws, err);
    clv_ws_free(&ws);
    return status == CLEAVE_OK ? add_predecessors(g, err) : status;
}

cleave_status clv_build_graph(clv_graph **out, cleave_kind kind, clv_rows *rows,
                              const clv_build_rules *rules, const clv_where *where,
                              cleave_error *err)
{
    *out = NULL;
    clv_graph *g = clv_graph_new();
    clv_ws ws = {NULL};
    cleave_status status = g ? CLEAVE_OK : clv_fail_memory(err);
    if (g) {
        g->kind = kind;
        status = finish_rows(g, rows, rules, where ? where : &nowhere, &ws, err);
    }
    clv_ws_free(&ws);
    clv_rows_free(rows);
    if (status != CLEAVE_OK) {
        clv_graph_free(g);
        return status;
    }
    *out = g;
    return CLEAVE_OK;
}
