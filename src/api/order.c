/* SPDX-License-Identifier: Apache-2.0 */
/* api/order.c - public orders: building, reading, writing, accessors.  api/order_split.c cuts
 * them. */
#include "graph/order.h"

#include <math.h>

#include "api/order_arguments.h"
#include "engine/order/build_order.h"
#include "formats/order_file.h"

void cleave_order_options_init(cleave_order_options *opt, size_t size)
{
    cleave_order_options defaults = {.seed = 1, .effort = CLEAVE_EFFORT_DEFAULT};
    clv_sized_init(opt, size);
    clv_sized_write(opt, &defaults, sizeof defaults);
}

/* ---- Building -------------------------------------------------------------------------- */

cleave_status clv_order_arguments(cleave_order_options *to, clv_line_method *method,
                                  const cleave_order_options *opt, cleave_error *err)
{
    cleave_order_options_init(to, sizeof *to);
    if (opt)
        CLV_TRY(clv_sized_copy(to, sizeof *to, opt, "opt", err));
    if ((int)to->effort < CLEAVE_EFFORT_FAST || to->effort > CLEAVE_EFFORT_BEST)
        return clv_fail(err, CLEAVE_EINVAL, "unknown effort %d", (int)to->effort);
    if (to->threads < 0)
        return clv_fail(err, CLEAVE_EINVAL, "threads is %d", to->threads);
    if (!(to->time_limit >= 0) || !isfinite(to->time_limit))
        return clv_fail(err, CLEAVE_EINVAL, "time_limit is not a number of seconds >= 0");
    return clv_line_method_parse(method, to->method, to->params, err);
}

cleave_status cleave_order_build(cleave_order **out, const cleave_graph *g,
                                 const cleave_order_options *opt, cleave_error *err)
{
    cleave_order_options given;
    clv_line_method method;
    clv_context ctx;
    if (!out)
        return clv_fail(err, CLEAVE_EINVAL, "out is NULL");
    *out = NULL;
    if (!g)
        return clv_fail(err, CLEAVE_EINVAL, "the graph is NULL");
    CLV_TRY(clv_order_arguments(&given, &method, opt, err));
    CLV_TRY(clv_line_method_choose(&method, g, given.effort, err));
    CLV_TRY(clv_context_open(&ctx, given.threads, given.seed, err));
    clv_context_watch(&ctx, given.time_limit, given.progress, given.payload);
    clv_context_lend(&ctx, g->narc + g->nvtx);
    cleave_status status = clv_order_build(out, g, &method, given.effort, &ctx, err);
    clv_context_close(&ctx);
    return status;
}

cleave_status cleave_order_create(cleave_order **out, int32_t nvtx, const int32_t *vertex,
                                  const int32_t *weight, cleave_error *err)
{
    if (!out)
        return clv_fail(err, CLEAVE_EINVAL, "out is NULL");
    *out = NULL;
    if (!vertex && nvtx > 0)
        return clv_fail(err, CLEAVE_EINVAL, "vertex is NULL");
    return clv_order_given(out, nvtx, vertex, weight, err);
}

void cleave_order_free(cleave_order *o)
{
    clv_order_free(o);
}

/* ---- Files ----------------------------------------------------------------------------- */

cleave_status cleave_order_read(cleave_order **out, const char *path, cleave_error *err)
{
    return cleave_order_open(out, path, 0, err);
}

cleave_status cleave_order_open(cleave_order **out, const char *path, unsigned flags,
                                cleave_error *err)
{
    if (!out)
        return clv_fail(err, CLEAVE_EINVAL, "out is NULL");
    *out = NULL;
    if (!path)
        return clv_fail(err, CLEAVE_EINVAL, "path is NULL");
    if (flags & ~CLEAVE_TRUST)
        return clv_fail(err, CLEAVE_EINVAL, "flags is %u; only CLEAVE_TRUST is for orders",
                        flags);
    return clv_order_read(out, path, (flags & CLEAVE_TRUST) != 0, err);
}

cleave_status cleave_order_write(const cleave_order *o, const char *path, cleave_error *err)
{
    if (!o || !path)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", o ? "path" : "the order");
    return clv_order_write(o, path, err);
}

/* ---- Accessors ------------------------------------------------------------------------- */

int32_t cleave_order_vertices(const cleave_order *o)
{
    return o ? o->nvtx : 0;
}

const int32_t *cleave_order_view(const cleave_order *o)
{
    return o ? o->vertex : NULL;
}

const char *cleave_order_method(const cleave_order *o)
{
    return o ? o->method : "";
}

const int64_t *cleave_order_weight_before(const cleave_order *o)
{
    return o ? o->before : NULL;
}

double cleave_order_average_crossing(const cleave_order *o)
{
    return o ? clv_order_average_crossing(o) : -1;
}

double cleave_order_residual(const cleave_order *o)
{
    return o ? o->residual : -1;
}

int32_t cleave_order_converged(const cleave_order *o)
{
    return o ? o->converged : -1;
}

cleave_status cleave_order_check(const cleave_order *o, const cleave_graph *g,
                                 cleave_error *err)
{
    if (!o || !g)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", o ? "the graph" : "the order");
    return clv_order_check(o, g, err);
}

cleave_status cleave_order_complete(cleave_order *o, const cleave_graph *g, cleave_error *err)
{
    CLV_TRY(cleave_order_check(o, g, err));
    return clv_order_complete(o, g, err);
}
