/* SPDX-License-Identifier: Apache-2.0 */
/* view/graph_legend.c - the colours of parts and their legend. */
#include <stdio.h>

#include "base/number.h"
#include "graph/derive.h"
#include "view/graph_picture.h"
#include "view/palette.h"

enum { most_entries = 1024, most_compared = 100000 };

/* The quotient of a DAG with both directions of each arc. */
static cleave_status both_ways(clv_palette_pairs *pairs, const clv_quotient *q, clv_ws *ws,
                               cleave_error *err)
{
    int64_t narc = q->xadj[q->nparts], *xadj = clv_ws_alloc(ws, q->nparts + 1, sizeof *xadj);
    int64_t *xt = clv_ws_alloc(ws, q->nparts + 1, sizeof *xt);
    int32_t *t = clv_ws_alloc(ws, narc, sizeof *t);
    int32_t *adj = clv_ws_alloc(ws, 2 * narc, sizeof *adj);
    if (!xadj || !xt || !t || !adj)
        return clv_fail_memory(err);
    clv_derive_transpose_rows(q->nparts, (clv_csr){.xadj = q->xadj, .adj = q->adj},
                              (clv_csr_space){.xadj = xt, .adj = t});
    int64_t used = 0;
    for (int32_t p = 0; p < q->nparts; p++) {
        xadj[p] = used;
        for (int64_t a = q->xadj[p]; a < q->xadj[p + 1]; a++)
            adj[used++] = q->adj[a];
        for (int64_t a = xt[p]; a < xt[p + 1]; a++)
            adj[used++] = t[a];
    }
    xadj[q->nparts] = used;
    *pairs = (clv_palette_pairs){xadj, adj};
    return CLEAVE_OK;
}

cleave_status clv_graph_colors(uint32_t **rgb, const clv_graph_parts *parts, clv_arena *arena,
                               clv_ws *ws, cleave_error *err)
{
    int32_t nparts = parts->nparts;
    clv_ws_mark mark = clv_ws_save(ws);
    clv_palette_pairs pairs = {0};
    *rgb = clv_arena_alloc(arena, nparts, sizeof **rgb);
    if (!*rgb)
        return clv_fail_memory(err);
    if (parts->part && nparts <= most_compared) {
        clv_quotient q;
        CLV_TRY(clv_derive_quotient_rows(&q, parts->g, nparts, parts->part, ws, err));
        pairs = (clv_palette_pairs){q.xadj, q.adj};
        if (parts->g->kind == CLEAVE_DAG)
            CLV_TRY(both_ways(&pairs, &q, ws, err));
    }
    CLV_TRY(clv_palette_parts(*rgb, nparts, pairs, ws, err));
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* 1234567 as "1 234 567", with thin spaces. */
static void print_grouped(char *to, int64_t value)
{
    char digits[CLV_NUMBER_SPACE];
    char *end = clv_print_i64(digits, value);
    for (char *p = digits; p < end; p++) {
        *to++ = *p;
        if ((end - p) % 3 == 1 && end - p > 1 && *p != '-') {
            *to++ = '\xe2';
            *to++ = '\x80';
            *to++ = '\x89';
        }
    }
    *to = '\0';
}

cleave_status clv_graph_legend(clv_figure *f, const clv_graph_parts *parts, clv_arena *arena,
                               cleave_error *err)
{
    enum { name_room = 24, value_room = 48 };
    const clv_graph *g = parts->g;
    int32_t nparts = parts->nparts, shown = nparts < most_entries ? nparts : most_entries;
    int64_t *weight = clv_arena_zalloc(arena, nparts, sizeof *weight);
    clv_legend *legend = clv_arena_zalloc(arena, shown, sizeof *legend);
    char *text = clv_arena_alloc(arena, shown, name_room + value_room);
    if (!weight || !legend || !text)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++)
        weight[parts->part[v]] += clv_graph_vwgt(g, v, 0);
    for (int32_t p = 0; p < shown; p++, text += name_room + value_room) {
        snprintf(text, name_room, "part %d", (int)p);
        print_grouped(text + name_room, weight[p]);
        legend[p] = (clv_legend){p, text, text + name_room};
    }
    f->legend = legend;
    f->nlegend = shown;
    f->legend_title = g->vwgt ? "Parts and their weights" : "Parts and their vertices";
    return CLEAVE_OK;
}

cleave_status clv_graph_tints(int32_t **tint, clv_figure *f, int32_t nvtx,
                              const int32_t *place, clv_arena *arena, cleave_error *err)
{
    enum { steps = 256, marks = 5 };
    static const char *const name[marks] = {"first", "a quarter", "half", "three quarters",
                                            "last"};
    uint32_t *heat = clv_arena_alloc(arena, steps, sizeof *heat);
    clv_legend *legend = clv_arena_zalloc(arena, marks, sizeof *legend);
    *tint = clv_arena_alloc(arena, nvtx, sizeof **tint);
    if (!heat || !legend || !*tint)
        return clv_fail_memory(err);
    clv_palette_heat(heat, steps);
    for (int32_t v = 0; v < nvtx; v++)
        (*tint)[v] = (int32_t)((int64_t)place[v] * steps / nvtx);
    for (int i = 0; i < marks; i++)
        legend[i] = (clv_legend){i * (steps - 1) / (marks - 1), name[i], NULL};
    f->palette = heat;
    f->npalette = steps;
    f->legend = legend;
    f->nlegend = marks;
    f->legend_title = "Places along the order";
    return CLEAVE_OK;
}
