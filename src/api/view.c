/* SPDX-License-Identifier: Apache-2.0 */
/* api/view.c - public pictures: checks the arguments, draws into memory, writes the file. */
#include <string.h>

#include "api/evaluate_arguments.h"
#include "formats/output.h"
#include "graph/order.h"
#include "graph/schedule_costs.h"
#include "view/drawing.h"

void cleave_view_options_init(cleave_view_options *opt, size_t size)
{
    cleave_view_options defaults = {.width = 1000, .height = 720, .imbalance = 0.03};
    clv_sized_init(opt, size);
    clv_sized_write(opt, &defaults, sizeof defaults);
}

static cleave_status take_options(cleave_view_options *opt, const cleave_view_options *given,
                                  cleave_error *err)
{
    cleave_view_options_init(opt, sizeof *opt);
    if (given)
        CLV_TRY(clv_sized_copy(opt, sizeof *opt, given, "opt", err));
    CLV_TRY(clv_picture_size_check(opt->width, opt->height, err));
    if (opt->nresults < 0 || (opt->nresults > 0 && (!opt->result_keys || !opt->result_values)))
        return clv_fail(err, CLEAVE_EINVAL, "there are no names or values for %d results",
                        (int)opt->nresults);
    if (opt->layout != 0 && opt->layout != 2 && opt->layout != 3)
        return clv_fail(err, CLEAVE_EINVAL, "layout is %d, not 0, 2 or 3", (int)opt->layout);
    return CLEAVE_OK;
}

/* ---- Formats ---------------------------------------------------------------------------- */

static const char *const all_formats[] = {"svg", "html", "dot", "vtk", "vtu", "json", NULL};

/* The formats of a kind of picture. */
typedef struct picture_formats {
    const char *name[6]; /* the rest is NULL */
    const char *list;    /* for messages */
} picture_formats;
static const picture_formats graph_formats = {{"svg", "html", "dot", "vtk", "vtu"},
                                              "svg, html, dot, vtk, vtu"};
static const picture_formats chart_formats = {{"svg", "html", "json"}, "svg, html, json"};
static const picture_formats drawn_formats = {{"svg", "html"}, "svg, html"};

const char *cleave_view_format_of_path(const char *path)
{
    size_t length = path ? strlen(path) : 0;
    if (length > 3 && strcmp(path + length - 3, ".gz") == 0)
        length -= 3;
    for (int i = 0; all_formats[i]; i++) {
        size_t extension = strlen(all_formats[i]);
        if (length > extension && path[length - extension - 1] == '.' &&
            strncmp(path + length - extension, all_formats[i], extension) == 0)
            return all_formats[i];
    }
    return NULL;
}

/* The name in the list, or NULL. */
static const char *find_name(const char *const *formats, const char *name)
{
    for (; *formats; formats++)
        if (name && strcmp(*formats, name) == 0)
            return *formats;
    return NULL;
}

static cleave_status find_format(const char **out, const char *path, const char *given,
                                 const picture_formats *formats, cleave_error *err)
{
    const char *name = given ? given : cleave_view_format_of_path(path);
    *out = find_name(formats->name, name);
    if (*out)
        return CLEAVE_OK;
    if (name)
        return clv_fail(err, CLEAVE_EINVAL,
                        "unknown picture format \"%s\"; this kind of picture has %s", name,
                        formats->list);
    return clv_fail(err, CLEAVE_EINVAL,
                    "%s: unknown picture format; use %s, or give the format", path,
                    formats->list);
}

/* ---- From options to a file ------------------------------------------------------------- */

static cleave_status take_picture(cleave_view_options *known, const char **format,
                                  const char *path, const cleave_view_options *opt,
                                  const picture_formats *formats, cleave_error *err)
{
    if (!path)
        return clv_fail(err, CLEAVE_EINVAL, "path is NULL");
    CLV_TRY(take_options(known, opt, err));
    return find_format(format, path, known->format, formats, err);
}

static cleave_status open_drawing(clv_drawing *d, const char *path,
                                  const cleave_view_options *opt,
                                  const picture_formats *formats, cleave_error *err)
{
    cleave_view_options known;
    const char *format = NULL;
    CLV_TRY(take_picture(&known, &format, path, opt, formats, err));
    return clv_drawing_open(d, &known, format, err);
}

/* Writes the drawing when status is CLEAVE_OK; always frees it. */
static cleave_status finish_drawing(clv_drawing *d, const char *path, cleave_status status,
                                    cleave_error *err)
{
    if (status == CLEAVE_OK)
        status = clv_output_write(path, d->out.text, (size_t)d->out.used, err);
    clv_drawing_close(d);
    return status;
}

/* m NULL: the defaults. */
static cleave_status take_evaluation(cleave_evaluate_options *out,
                                     const cleave_view_options *opt, const double *shares,
                                     const cleave_mapping *m, cleave_error *err)
{
    cleave_evaluate_options given;
    cleave_evaluate_options_init(&given, sizeof given);
    if (m) {
        given.imbalance = opt->imbalance;
        given.shares = shares;
    }
    return clv_evaluate_arguments(out, &given, m ? m->nparts : 0, err);
}

/* which: "" or, of two mappings, " before" and " after"; m and t may be NULL. */
static cleave_status check_mapping(const cleave_graph *g, const cleave_mapping *m,
                                   const char *which, const cleave_target *t,
                                   cleave_error *err)
{
    if (m && m->nvtx != g->nvtx)
        return clv_fail(err, CLEAVE_EINVAL,
                        "the mapping%s has %lld vertices but the graph has %lld", which,
                        (long long)m->nvtx, (long long)g->nvtx);
    if (m && t && m->nparts > t->npes)
        return clv_fail(err, CLEAVE_EINVAL,
                        "the mapping%s has %lld parts but the target %lld PEs", which,
                        (long long)m->nparts, (long long)t->npes);
    return CLEAVE_OK;
}

/* ---- Graphs ----------------------------------------------------------------------------- */

/* Files for other drawing programs. */
static cleave_status write_graph(const char *path, const cleave_graph *g,
                                 const cleave_mapping *m, const char *format,
                                 const cleave_view_options *known, cleave_error *err)
{
    cleave_write_options opt;
    cleave_write_options_init(&opt, sizeof opt);
    opt.format = format;
    opt.part = m ? m->part : NULL;
    opt.progress = known->progress;
    opt.payload = known->payload;
    return cleave_graph_write(g, path, &opt, err);
}

cleave_status cleave_view_graph(const char *path, const cleave_graph *g,
                                const cleave_mapping *m, const cleave_target *t,
                                const cleave_view_options *opt, cleave_error *err)
{
    cleave_view_options known;
    cleave_evaluate_options evaluate;
    const char *format = NULL;
    clv_drawing d;
    if (!g)
        return clv_fail(err, CLEAVE_EINVAL, "the graph is NULL");
    CLV_TRY(check_mapping(g, m, "", t, err));
    CLV_TRY(take_picture(&known, &format, path, opt, &graph_formats, err));
    if (known.order && known.order->nvtx != g->nvtx)
        return clv_fail(err, CLEAVE_EINVAL,
                        "the order has %lld vertices but the graph has %lld",
                        (long long)known.order->nvtx, (long long)g->nvtx);
    if (!find_name(drawn_formats.name, format))
        return write_graph(path, g, m, format, &known, err);
    CLV_TRY(take_evaluation(&evaluate, &known, known.shares, m, err));
    CLV_TRY(clv_drawing_open(&d, &known, format, err));
    return finish_drawing(&d, path, clv_draw_graph(&d, g, m, t, &evaluate, err), err);
}

cleave_status cleave_view_remap(const char *path, const cleave_graph *g,
                                const cleave_mapping *before, const cleave_mapping *after,
                                const cleave_view_options *opt, cleave_error *err)
{
    const cleave_mapping *const m[2] = {before, after};
    cleave_evaluate_options evaluate[2];
    clv_drawing d;
    if (!g || !before || !after)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", g ? "a mapping" : "the graph");
    CLV_TRY(check_mapping(g, before, " before", NULL, err));
    CLV_TRY(check_mapping(g, after, " after", NULL, err));
    CLV_TRY(open_drawing(&d, path, opt, &drawn_formats, err));
    cleave_status status =
        take_evaluation(&evaluate[0], &d.opt, d.opt.shares_before, before, err);
    if (status == CLEAVE_OK)
        status = take_evaluation(&evaluate[1], &d.opt, d.opt.shares, after, err);
    if (status == CLEAVE_OK)
        status = clv_draw_remap(&d, g, m, evaluate, err);
    return finish_drawing(&d, path, status, err);
}

/* ---- Machines, schedules, solves -------------------------------------------------------- */

cleave_status cleave_view_target(const char *path, const cleave_target *t,
                                 const cleave_graph *g, const cleave_mapping *m,
                                 const cleave_mapping *before, const cleave_view_options *opt,
                                 cleave_error *err)
{
    clv_drawing d;
    if (!t)
        return clv_fail(err, CLEAVE_EINVAL, "the target is NULL");
    if (before && !m)
        return clv_fail(err, CLEAVE_EINVAL, "there is a mapping before but none after");
    if (m && !g)
        return clv_fail(err, CLEAVE_EINVAL, "a mapping needs its graph, which is NULL");
    CLV_TRY(check_mapping(g, m, "", t, err));
    CLV_TRY(check_mapping(g, before, " before", t, err));
    CLV_TRY(open_drawing(&d, path, opt, &drawn_formats, err));
    return finish_drawing(&d, path, clv_draw_target(&d, t, g, m, before, err), err);
}

cleave_status cleave_view_schedule(const char *path, const cleave_graph *g,
                                   const cleave_schedule *s,
                                   const cleave_schedule_costs *costs,
                                   const cleave_view_options *opt, cleave_error *err)
{
    cleave_schedule_costs known;
    clv_drawing d;
    if (!g || !s)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", g ? "the schedule" : "the graph");
    CLV_TRY(clv_schedule_costs_take(&known, costs, err));
    CLV_TRY(cleave_schedule_check(s, g, err));
    CLV_TRY(open_drawing(&d, path, opt, &chart_formats, err));
    return finish_drawing(&d, path, clv_draw_schedule(&d, g, s, &known, err), err);
}

cleave_status cleave_view_trace(const char *path, int count, const cleave_trace *const *traces,
                                const cleave_view_options *opt, cleave_error *err)
{
    clv_drawing d;
    if (count < 1 || count > clv_most_traces)
        return clv_fail(err, CLEAVE_EINVAL, "%d traces: a picture shows 1 to %d", count,
                        clv_most_traces);
    for (int i = 0; i < count; i++)
        if (!traces || !traces[i])
            return clv_fail(err, CLEAVE_EINVAL, "a trace is NULL");
    CLV_TRY(open_drawing(&d, path, opt, &chart_formats, err));
    return finish_drawing(&d, path, clv_draw_traces(&d, count, traces, err), err);
}
