/* SPDX-License-Identifier: Apache-2.0 */
/* view/machine_figures.c - see view/machine_figures.h. */
#include "view/machine_figures.h"

#include <math.h>
#include <stdio.h>

#include "base/group.h"
#include "base/number.h"
#include "graph/build.h"
#include "order/layout.h"
#include "view/graph_picture.h"

enum { caption_room = 240, most_rows = 5000 };

/* ---- Machines without positions --------------------------------------------------------- */

/* The lines as rows of a graph, both directions. */
static cleave_status graph_of_lines(clv_graph **out, const clv_floorplan *f, cleave_error *err)
{
    const clv_build_rules rules = {0};
    clv_rows rows = {.nvtx = f->nplaces,
                     .xadj = clv_zalloc(f->nplaces + INT64_C(1), sizeof *rows.xadj),
                     .adj = clv_alloc(2 * f->nlines, sizeof *rows.adj)};
    if (!rows.xadj || !rows.adj) {
        clv_rows_free(&rows);
        return clv_fail_memory(err);
    }
    for (int64_t i = 0; i < f->nlines; i++) {
        rows.xadj[f->line[i].from + 1]++;
        rows.xadj[f->line[i].to + 1]++;
    }
    clv_group_starts(rows.xadj, f->nplaces);
    for (int64_t i = 0; i < f->nlines; i++) {
        rows.adj[rows.xadj[f->line[i].from + 1]++] = f->line[i].to;
        rows.adj[rows.xadj[f->line[i].to + 1]++] = f->line[i].from;
    }
    return clv_build_graph(out, CLEAVE_UNDIRECTED, &rows, &rules, NULL, err);
}

static cleave_status lay_out(clv_machine_figures *v, cleave_error *err)
{
    clv_floorplan *f = &v->floorplan;
    clv_graph *g = NULL;
    f->position =
        clv_arena_zalloc(v->arena, (int64_t)f->nplaces * f->ndim, sizeof *f->position);
    if (!f->position)
        return clv_fail_memory(err);
    cleave_status status = graph_of_lines(&g, f, err);
    if (status == CLEAVE_OK)
        status = clv_layout(g, f->ndim, v->ctx, f->position, err);
    clv_graph_free(g);
    return status;
}

/* Half of the shortest line of each PE, averaged. */
static double size_of_pes(const clv_floorplan *f, clv_arena *arena)
{
    double *shortest = clv_arena_alloc(arena, f->nplaces, sizeof *shortest), sum = 0;
    int64_t count = 0;
    if (!shortest)
        return -1;
    for (int32_t p = 0; p < f->nplaces; p++)
        shortest[p] = INFINITY;
    for (int64_t i = 0; i < f->nlines; i++) {
        const int32_t end[2] = {f->line[i].from, f->line[i].to};
        double length = 0;
        for (int d = 0; d < f->ndim; d++) {
            double apart = f->position[(int64_t)end[0] * f->ndim + d] -
                           f->position[(int64_t)end[1] * f->ndim + d];
            length += apart * apart;
        }
        for (int k = 0; k < 2 && length > 0; k++)
            shortest[end[k]] = fmin(shortest[end[k]], sqrt(length));
    }
    for (int32_t p = 0; p < f->npes; p++)
        if (isfinite(shortest[p])) {
            sum += shortest[p];
            count++;
        }
    return count > 0 ? 0.5 * sum / (double)count : 1;
}

static cleave_status find_floorplan(clv_machine_figures *v, cleave_error *err)
{
    CLV_TRY(clv_target_floorplan(&v->floorplan, v->t, v->arena, err));
    if (!v->floorplan.position)
        CLV_TRY(lay_out(v, err));
    if (v->floorplan.width > 0)
        return CLEAVE_OK;
    v->floorplan.width = v->floorplan.height = size_of_pes(&v->floorplan, v->arena);
    return v->floorplan.width > 0 ? CLEAVE_OK : clv_fail_memory(err);
}

/* ---- Figures ---------------------------------------------------------------------------- */

/* The colours of pictures of the graph; PEs without a part are grey. */
static cleave_status find_colors(const clv_machine_figures *v, uint32_t **out,
                                 cleave_error *err)
{
    const clv_graph_parts mapped = {v->g, v->nparts, v->part};
    uint32_t *parts, *rgb = clv_arena_alloc(v->arena, v->t->npes, sizeof *rgb);
    if (!rgb)
        return clv_fail_memory(err);
    CLV_TRY(clv_graph_colors(&parts, &mapped, v->arena, v->ctx->ws, err));
    for (int32_t p = 0; p < v->t->npes; p++)
        rgb[p] = p < v->nparts ? parts[p] : 0xa0a6ad;
    *out = rgb;
    return CLEAVE_OK;
}

static int32_t largest_load(const clv_machine_loads *l, int32_t npes)
{
    double most = 0;
    for (int32_t p = 0; p < npes; p++)
        if (l->share[p] > 0)
            most = fmax(most, (double)l->work[p] / l->share[p]);
    return (int32_t)fmin(1e9, 100 * most + 0.5);
}

static cleave_status caption_of(const clv_machine_figures *v, const clv_machine_loads *l,
                                const int32_t *part, char *caption, cleave_error *err)
{
    int64_t cost = 0;
    if (!part) {
        v->t->shape->describe(v->t, caption, caption_room);
        return CLEAVE_OK;
    }
    CLV_TRY(clv_evaluate_cost_of(v->g, v->t, part, v->ctx->ws, &cost, err));
    int used = snprintf(caption, caption_room, "cost %lld", (long long)cost);
    if (l->busiest > 0)
        used += snprintf(caption + used, (size_t)(caption_room - used), ", busiest %s %lld",
                         l->across ? "box"
                         : l->link ? "link"
                                   : "pair",
                         (long long)l->busiest);
    snprintf(caption + used, (size_t)(caption_room - used), ", heaviest PE %d %% of its share",
             (int)largest_load(l, v->t->npes));
    return CLEAVE_OK;
}

static cleave_status draw_one(clv_machine_figures *v, int which, const int32_t *part,
                              const uint32_t *rgb, cleave_error *err)
{
    char *caption = clv_arena_zalloc(v->arena, caption_room, 1);
    if (!caption)
        return clv_fail_memory(err);
    int64_t hottest =
        v->loads[0].busiest > v->loads[1].busiest ? v->loads[0].busiest : v->loads[1].busiest;
    CLV_TRY(caption_of(v, &v->loads[which], part, caption, err));
    const clv_machine_picture what = {.t = v->t,
                                      .floorplan = &v->floorplan,
                                      .loads = part ? &v->loads[which] : NULL,
                                      .hottest = hottest,
                                      .rgb = rgb,
                                      .title = v->title[which],
                                      .caption = caption};
    return clv_machine_figure(&v->figure[v->figures++], &what, v->arena, err);
}

cleave_status clv_machine_figures_make(clv_machine_figures *v, cleave_error *err)
{
    const int32_t *part[2] = {v->before, v->part};
    uint32_t *rgb = NULL;
    CLV_TRY(find_floorplan(v, err));
    for (int i = 0; i < 2; i++)
        if (part[i])
            CLV_TRY(clv_machine_loads_make(&v->loads[i],
                                           &(clv_machine_mapping){v->g, v->t, part[i]},
                                           &v->floorplan, v->arena, v->ctx->ws, err));
    if (v->part)
        CLV_TRY(find_colors(v, &rgb, err));
    if (v->before)
        CLV_TRY(draw_one(v, 0, v->before, rgb, err));
    return draw_one(v, 1, v->part, rgb, err);
}

void clv_page_machine(clv_page *page, const clv_machine_figures *v)
{
    for (int i = 0; i < v->figures; i++) {
        clv_figure f = v->figure[i];
        if (i + 1 < v->figures)
            f.nlegend = 0; /* the same as that of the other figure */
        clv_page_figure(page, &f, v->figures > 1);
    }
}

cleave_status clv_page_machine_table(clv_page *page, const clv_machine_figures *v,
                                     cleave_error *err)
{
    enum { columns = 5 };
    static const char *const header[columns] = {"PE", "Load", "% of its share", "Traffic",
                                                "Name"};
    const clv_machine_loads *l = &v->loads[1];
    const clv_target *t = v->t;
    int32_t shown = t->npes < most_rows ? t->npes : most_rows;
    int used = t->name ? columns : columns - 1;
    const char **cell = clv_arena_alloc(v->arena, (int64_t)shown * columns, sizeof *cell);
    char *text = clv_arena_alloc(v->arena, (int64_t)shown * columns, CLV_NUMBER_SPACE);
    if (!cell || !text)
        return clv_fail_memory(err);
    for (int32_t p = 0; p < shown; p++) {
        double share = l->share[p] > 0 ? 100 * (double)l->work[p] / l->share[p] + 0.5 : 0;
        const int64_t value[] = {p, l->work[p], (int64_t)share, l->traffic[p]};
        for (int c = 0; c < columns - 1; c++, text += CLV_NUMBER_SPACE) {
            *clv_print_i64(text, value[c]) = '\0';
            cell[(int64_t)p * used + c] = text;
        }
        if (t->name)
            cell[(int64_t)p * used + columns - 1] = t->name[p];
    }
    clv_page_table(page, "Processing elements", used, header, shown, cell);
    return CLEAVE_OK;
}
