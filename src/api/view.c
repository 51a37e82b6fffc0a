/* SPDX-License-Identifier: Apache-2.0 */
/* api/view.c - public pictures of graphs: check the arguments, find coordinates, make the
 * figure, hand it to the writer of the format. */
#include "api/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "evaluate/evaluate.h"
#include "formats/output.h"
#include "graph/order.h"
#include "order/layout.h"
#include "view/even_out.h"

enum { default_width = 1000, default_height = 720, smallest = 200, largest = 4000 };

void cleave_view_options_init(cleave_view_options *opt, size_t size)
{
    cleave_view_options defaults = {
        .width = default_width, .height = default_height, .imbalance = 0.03};
    clv_sized_init(opt, size);
    clv_sized_write(opt, &defaults, sizeof defaults);
}

/* ---- Coordinates -------------------------------------------------------------------------
 */

static cleave_status check_finite(const clv_graph *g, cleave_error *err)
{
    for (int64_t i = 0; i < (int64_t)g->nvtx * g->ndim; i++)
        if (!isfinite(g->coords[i]))
            return clv_fail(err, CLEAVE_EINVAL,
                            "a coordinate of vertex %lld is not a finite number",
                            (long long)(i / g->ndim));
    return CLEAVE_OK;
}

/* A surface at constant height is drawn as the plane that it is. */
static bool is_flat(const clv_graph *g)
{
    for (int32_t v = 1; v < g->nvtx; v++)
        if (g->coords[3 * (int64_t)v + 2] != g->coords[2])
            return false;
    return true;
}

static cleave_status drop_height(const clv_graph *g, clv_arena *arena, const double **out,
                                 cleave_error *err)
{
    double *flat = clv_arena_alloc(arena, 2 * (int64_t)g->nvtx, sizeof *flat);
    if (!flat)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++) {
        flat[2 * (int64_t)v] = g->coords[3 * (int64_t)v];
        flat[2 * (int64_t)v + 1] = g->coords[3 * (int64_t)v + 1];
    }
    *out = flat;
    return CLEAVE_OK;
}

static cleave_status even_out(clv_view_request *v, clv_graph_picture *what, cleave_error *err)
{
    bool wanted = false;
    clv_ws *ws = v->ctx->ws;
    CLV_TRY(clv_even_out_wanted(&wanted, v->g->nvtx, what->position, ws, err));
    if (!wanted)
        return CLEAVE_OK;
    double *evened = clv_arena_alloc(v->arena, 2 * (int64_t)v->g->nvtx, sizeof *evened);
    if (!evened)
        return clv_fail_memory(err);
    what->evened = evened;
    return clv_even_out(evened, v->g->nvtx, what->position, ws, err);
}

cleave_status clv_view_positions(clv_view_request *v, clv_graph_picture *what,
                                 cleave_error *err)
{
    const clv_graph *g = v->g;
    if (v->opt.layout == 0 && g->coords && g->ndim >= 2) {
        CLV_TRY(check_finite(g, err));
        what->ndim = g->ndim;
        what->position = g->coords;
        if (g->ndim == 3 && is_flat(g)) {
            what->ndim = 2;
            CLV_TRY(drop_height(g, v->arena, &what->position, err));
        }
        return what->ndim == 2 ? even_out(v, what, err) : CLEAVE_OK;
    }
    what->ndim = v->opt.layout ? v->opt.layout : 2;
    double *position =
        clv_arena_alloc(v->arena, (int64_t)g->nvtx * what->ndim, sizeof *position);
    if (!position)
        return clv_fail_memory(err);
    clv_context_phase(v->ctx, "laying out", 0, 0);
    CLV_TRY(clv_layout(g, what->ndim, v->ctx, position, err));
    clv_context_stop(v->ctx);
    if (clv_context_cancelled(v->ctx))
        return clv_fail(err, CLEAVE_ECANCEL, "the progress callback said stop");
    what->position = position;
    return CLEAVE_OK;
}

/* ---- The figure --------------------------------------------------------------------------
 */

static cleave_status find_places(clv_view_request *v, clv_graph_picture *what,
                                 cleave_error *err)
{
    const clv_order *o = v->opt.order;
    int32_t *place = clv_arena_alloc(v->arena, v->g->nvtx, sizeof *place);
    if (!place)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < o->nvtx; i++)
        place[o->vertex[i]] = i;
    what->place = place;
    return CLEAVE_OK;
}

void clv_view_percent(char *to, double share)
{
    /* Whole numbers: the decimal point of "%.1f" is that of the locale. */
    long long tenths = (long long)fmin(share * 1000 + 0.5, 1e15);
    if (isfinite(share))
        snprintf(to, CLV_PERCENT_ROOM, "%lld.%lld %%", tenths / 10, tenths % 10);
    else
        snprintf(to, CLV_PERCENT_ROOM, "infinite");
}

/* Texts live as long as the figure. */
static cleave_status describe(clv_view_request *v, clv_graph_picture *what, cleave_error *err)
{
    enum { room = 240 };
    char *caption = clv_arena_alloc(v->arena, room, 1);
    if (!caption)
        return clv_fail_memory(err);
    char imbalance[CLV_PERCENT_ROOM];
    clv_view_percent(imbalance, v->metrics.imbalance);
    int used = snprintf(caption, room, "%s of %lld vertices and %lld edges",
                        v->g->kind == CLEAVE_DAG ? "DAG" : "Undirected graph",
                        (long long)v->g->nvtx, (long long)clv_graph_edges(v->g));
    if (v->m)
        snprintf(caption + used, (size_t)(room - used),
                 "; %lld part%s, cut %lld, imbalance %s", (long long)v->m->nparts,
                 v->m->nparts == 1 ? "" : "s", (long long)v->metrics.cut, imbalance);
    if (what->evened)
        snprintf(caption + strlen(caption), room - strlen(caption),
                 "; crowded places enlarged");
    what->title = v->opt.title ? v->opt.title : "A graph";
    what->caption = caption;
    return CLEAVE_OK;
}

/* All metrics; balance by the shares of the options, or by the speeds of the target. */
static cleave_status judge(clv_view_request *v, cleave_evaluate_options *opt,
                           cleave_error *err)
{
    opt->shares = v->opt.shares;
    CLV_TRY(cleave_evaluate(&v->metrics, v->g, v->m, opt, err));
    if (!v->t || v->opt.shares)
        return CLEAVE_OK;
    clv_balance on_target;
    CLV_TRY(clv_evaluate_balance(v->g, v->t->npes, v->m->part, v->t->speed, opt->imbalance,
                                 v->ctx->ws, &on_target, NULL, err));
    v->metrics.imbalance = on_target.imbalance;
    v->metrics.balanced = on_target.balanced;
    return CLEAVE_OK;
}

static cleave_status make_figure(clv_view_request *v, cleave_error *err)
{
    clv_graph_picture what = {.g = v->g};
    cleave_evaluate_options opt;
    cleave_evaluate_options_init(&opt, sizeof opt);
    opt.imbalance = v->opt.imbalance;
    cleave_metrics_init(&v->metrics, sizeof v->metrics);
    if (v->m) {
        CLV_TRY(judge(v, &opt, err));
        what.part = v->m->part;
        what.nparts = v->m->nparts;
    } else if (v->opt.order) {
        CLV_TRY(find_places(v, &what, err));
    }
    if (clv_view_is_dag(v)) {
        CLV_TRY(describe(v, &what, err));
        return clv_view_dag(v, what.title, what.caption, &opt, err);
    }
    CLV_TRY(clv_view_positions(v, &what, err));
    CLV_TRY(describe(v, &what, err));
    return clv_graph_figure(&v->figure, &what, v->arena, v->ctx->ws, err);
}

/* ---- Formats -----------------------------------------------------------------------------
 */

cleave_status clv_view_save(const char *path, const clv_buffer *text, cleave_error *err)
{
    clv_output *out;
    CLV_TRY(clv_output_open(&out, path, NULL, NULL, err));
    clv_put_bytes(out, text->text, (size_t)text->used);
    return clv_output_commit(out, err);
}

static cleave_status write_svg(clv_view_request *v, cleave_error *err)
{
    clv_svg svg = {0};
    const clv_picture_size size = {v->opt.width, v->opt.height};
    cleave_status status = make_figure(v, err);
    if (status == CLEAVE_OK)
        status = v->has_more ? clv_view_both_svg(&svg, v, err)
                             : clv_figure_svg(&svg, &v->figure, size, v->ctx->ws, err);
    if (status == CLEAVE_OK)
        status = clv_view_save(v->path, &svg, err);
    clv_svg_free(&svg);
    return status;
}

static cleave_status write_html(clv_view_request *v, cleave_error *err)
{
    clv_page page = {0};
    cleave_status status = make_figure(v, err);
    if (status == CLEAVE_OK)
        status = clv_view_page(&page, v, err);
    if (status == CLEAVE_OK)
        status = clv_view_save(v->path, &page.out, err);
    clv_page_free(&page);
    return status;
}

/* Files for programs that draw themselves. */
static cleave_status write_graph(clv_view_request *v, cleave_error *err)
{
    cleave_write_options opt;
    cleave_write_options_init(&opt, sizeof opt);
    opt.format = v->opt.format;
    opt.part = v->m ? v->m->part : NULL;
    opt.progress = v->opt.progress;
    opt.payload = v->opt.payload;
    return cleave_graph_write(v->g, v->path, &opt, err);
}

static cleave_status refuse_json(clv_view_request *v, cleave_error *err)
{
    return clv_fail(err, CLEAVE_EINVAL, "%s: traces in JSON are of schedules, not of graphs",
                    v->path);
}

/* Writers of further formats are a row here. */
typedef struct writer {
    const char *name;
    cleave_status (*write)(clv_view_request *v, cleave_error *err);
} writer;

static const writer writers[] = {
    {"svg", write_svg},   {"html", write_html},  {"dot", write_graph}, {"vtk", write_graph},
    {"vtu", write_graph}, {"json", refuse_json}, {NULL, NULL}};

const char *cleave_view_format_of_path(const char *path)
{
    size_t length = path ? strlen(path) : 0;
    if (length > 3 && strcmp(path + length - 3, ".gz") == 0)
        length -= 3;
    for (const writer *w = writers; w->name; w++) {
        size_t extension = strlen(w->name);
        if (length > extension && path[length - extension - 1] == '.' &&
            strncmp(path + length - extension, w->name, extension) == 0)
            return w->name;
    }
    return NULL;
}

static cleave_status find_writer(const writer **out, const char *path, const char *format,
                                 cleave_error *err)
{
    const char *name = format ? format : cleave_view_format_of_path(path);
    if (!name)
        return clv_fail(
            err, CLEAVE_EINVAL,
            "%s: pictures are called .svg, .html, .dot, .vtk or .vtu, or the format "
            "is given",
            path);
    for (const writer *w = writers; w->name; w++)
        if (strcmp(w->name, name) == 0) {
            *out = w;
            return CLEAVE_OK;
        }
    return clv_fail(err, CLEAVE_EINVAL,
                    "there is no picture format \"%s\": svg, html, dot, vtk, vtu", name);
}

/* ---- The call ----------------------------------------------------------------------------
 */

cleave_status clv_view_options_take(cleave_view_options *opt, const cleave_view_options *given,
                                    cleave_error *err)
{
    cleave_view_options_init(opt, sizeof *opt);
    if (given)
        CLV_TRY(clv_sized_copy(opt, sizeof *opt, given, "opt", err));
    if (opt->width < smallest || opt->width > largest || opt->height < smallest ||
        opt->height > largest)
        return clv_fail(err, CLEAVE_EINVAL, "%d x %d pixels: each must be from %d to %d",
                        (int)opt->width, (int)opt->height, smallest, largest);
    if (opt->nresults < 0 || (opt->nresults > 0 && (!opt->result_keys || !opt->result_values)))
        return clv_fail(err, CLEAVE_EINVAL, "there are no names or values for %d results",
                        (int)opt->nresults);
    if (opt->layout != 0 && opt->layout != 2 && opt->layout != 3)
        return clv_fail(err, CLEAVE_EINVAL, "layout is %d, not 0, 2 or 3", (int)opt->layout);
    return CLEAVE_OK;
}

static cleave_status check(clv_view_request *v, const cleave_view_options *opt,
                           cleave_error *err)
{
    if (!v->path || !v->g)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", v->path ? "the graph" : "path");
    if (v->m && v->m->nvtx != v->g->nvtx)
        return clv_fail(err, CLEAVE_EINVAL,
                        "the mapping has %lld vertices but the graph has %lld",
                        (long long)v->m->nvtx, (long long)v->g->nvtx);
    if (v->m && v->t && v->m->nparts > v->t->npes)
        return clv_fail(err, CLEAVE_EINVAL,
                        "the mapping has %lld parts but the target %lld PEs",
                        (long long)v->m->nparts, (long long)v->t->npes);
    CLV_TRY(clv_view_options_take(&v->opt, opt, err));
    if (v->opt.order && v->opt.order->nvtx != v->g->nvtx)
        return clv_fail(err, CLEAVE_EINVAL,
                        "the order has %lld vertices but the graph has %lld",
                        (long long)v->opt.order->nvtx, (long long)v->g->nvtx);
    return CLEAVE_OK;
}

cleave_status cleave_view_graph(const char *path, const cleave_graph *g,
                                const cleave_mapping *m, const cleave_target *t,
                                const cleave_view_options *opt, cleave_error *err)
{
    clv_view_request v = {.path = path, .g = g, .m = m, .t = t};
    const writer *w = NULL;
    clv_context ctx;
    clv_arena arena = {NULL};
    CLV_TRY(check(&v, opt, err));
    CLV_TRY(find_writer(&w, path, v.opt.format, err));
    CLV_TRY(clv_context_open(&ctx, 1, 1, 0, v.opt.progress, v.opt.payload, err));
    v.ctx = &ctx;
    v.arena = &arena;
    v.opt.format = w->name;
    cleave_status status = w->write(&v, err);
    clv_arena_free(&arena);
    clv_context_close(&ctx);
    return status;
}
