/* SPDX-License-Identifier: Apache-2.0 */
/* view/profile.c - performance profiles [Dolan, More 2002]: how often is a tool within a
 * factor of the best?  One cumulative step line per tool. */
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "view/plot.h"

typedef struct profile {
    int32_t ntool, ncase;
    const double *value;  /* [tool][case] */
    double *best;         /* by case; infinity if every tool failed */
    double widest;        /* largest finite factor */
    clv_sort_item *items; /* ncase and as many for sorting */
} profile;

static bool succeeded(double value)
{
    return isfinite(value);
}

static double factor_of(const profile *p, int32_t tool, int32_t at)
{
    double value = p->value[(int64_t)tool * p->ncase + at];
    return succeeded(value) ? value / p->best[at] : INFINITY;
}

static cleave_status find_best(profile *p, cleave_error *err)
{
    for (int32_t i = 0; i < p->ncase; i++) {
        p->best[i] = INFINITY;
        for (int32_t t = 0; t < p->ntool; t++) {
            double value = p->value[(int64_t)t * p->ncase + i];
            if (succeeded(value) && value <= 0)
                return clv_fail(err, CLEAVE_EINVAL,
                                "value of tool %d on case %d is not positive", (int)t, (int)i);
            if (succeeded(value) && value < p->best[i])
                p->best[i] = value;
        }
    }
    p->widest = 1;
    for (int32_t t = 0; t < p->ntool; t++)
        for (int32_t i = 0; i < p->ncase; i++) {
            double factor = factor_of(p, t, i);
            if (isfinite(factor) && factor > p->widest)
                p->widest = factor;
        }
    return CLEAVE_OK;
}

/* Points (factor, share of cases within it), ascending; x and y have ncase + 2 entries.
 * Positive doubles have the same order as their bit patterns, so an integer sort works. */
static int32_t trace_steps(const profile *p, int32_t tool, double right, double *x, double *y)
{
    for (int32_t i = 0; i < p->ncase; i++) {
        double factor = factor_of(p, tool, i);
        memcpy(&p->items[i].key, &factor, sizeof factor);
        p->items[i].with.value = factor;
    }
    const clv_sort_item *sorted = clv_sort(p->items, p->items + p->ncase, p->ncase);
    int32_t count = 0;
    x[count] = 1;
    y[count++] = 0;
    for (int32_t i = 0; i < p->ncase && isfinite(sorted[i].with.value); i++) {
        if (sorted[i].with.value > x[count - 1]) {
            x[count] = sorted[i].with.value;
            count++;
        }
        y[count - 1] = (i + 1.0) / p->ncase;
    }
    if (x[count - 1] < right) {
        x[count] = right;
        y[count] = y[count - 1];
        count++;
    }
    return count;
}

static cleave_status draw(profile *p, clv_svg *svg, const char *const *name,
                          const cleave_plot_options *opt, clv_ws *ws, cleave_error *err)
{
    int64_t places = (int64_t)p->ncase + 2;
    cleave_series *series = clv_ws_zalloc(ws, p->ntool, sizeof *series);
    double *points = clv_ws_alloc(ws, 2 * places * p->ntool, sizeof *points);
    p->best = clv_ws_alloc(ws, p->ncase, sizeof *p->best);
    p->items = clv_ws_alloc(ws, 2 * (int64_t)p->ncase, sizeof *p->items);
    if (!series || !points || !p->best || !p->items)
        return clv_fail_memory(err);
    CLV_TRY(find_best(p, err));
    double right = p->widest > 1 ? p->widest * 1.02 : 1.1;
    for (int32_t t = 0; t < p->ntool; t++) {
        double *x = points + 2 * places * t, *y = x + places;
        series[t] = (cleave_series){.size = sizeof *series,
                                    .name = name ? name[t] : NULL,
                                    .x = x,
                                    .y = y,
                                    .line = CLEAVE_LINE_STEPS,
                                    .dashed = t >= 8}; /* the palette repeats */
        series[t].count = trace_steps(p, t, right, x, y);
    }
    cleave_plot_options own = *opt;
    own.log_y = 0;
    own.mark_x = own.mark_y = 0;
    own.x_label = opt->x_label ? opt->x_label : "factor to the best";
    own.y_label = opt->y_label ? opt->y_label : "share of cases";
    const clv_plot plot = {p->ntool, series, &own, {1, right, 0, 1.02}};
    return clv_plot_draw(svg, &plot, ws, err);
}

cleave_status clv_plot_profile(clv_svg *svg, const clv_tool_results *results,
                               const cleave_plot_options *opt, clv_ws *ws, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    profile p = {.ntool = results->ntool, .ncase = results->ncase, .value = results->value};
    cleave_status status = draw(&p, svg, results->name, opt, ws, err);
    clv_ws_restore(ws, mark);
    return status;
}
