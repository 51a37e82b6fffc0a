/* SPDX-License-Identifier: Apache-2.0 */
/* api/schedule.c - public schedules: building, creating, reading, writing, accessors. */
#include "graph/schedule.h"

#include "engine/build_schedule.h"
#include "formats/schedule_file.h"

void cleave_schedule_options_init(cleave_schedule_options *opt, size_t size)
{
    cleave_schedule_options defaults = clv_schedule_options_defaults();
    clv_sized_init(opt, size);
    clv_sized_write(opt, &defaults, sizeof defaults);
}

cleave_status cleave_schedule_build(cleave_schedule **out, const cleave_graph *g,
                                    const cleave_schedule_options *opt, cleave_error *err)
{
    clv_schedule_request request;
    clv_context ctx;
    if (!out)
        return clv_fail(err, CLEAVE_EINVAL, "out is NULL");
    *out = NULL;
    CLV_TRY(clv_schedule_request_check(&request, g, opt, err));
    CLV_TRY(clv_context_open(&ctx, request.opt.workers, request.opt.seed, err));
    clv_context_watch(&ctx, request.opt.time_limit, request.opt.progress, request.opt.payload);
    cleave_status status = clv_schedule_build(out, &request, g, &ctx, err);
    clv_context_close(&ctx);
    return status;
}

cleave_status cleave_schedule_create(cleave_schedule **out, int32_t nvtx, const int32_t *layer,
                                     const int32_t *thread, cleave_error *err)
{
    if (!out)
        return clv_fail(err, CLEAVE_EINVAL, "out is NULL");
    *out = NULL;
    if (nvtx < 0)
        return clv_fail(err, CLEAVE_EINVAL, "a schedule cannot have %ld vertices", (long)nvtx);
    if (nvtx > 0 && (!layer || !thread))
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", layer ? "thread" : "layer");
    int32_t threads = 1;
    for (int32_t v = 0; v < nvtx; v++)
        if (thread[v] >= threads)
            threads = thread[v] < clv_schedule_most_threads ? thread[v] + 1
                                                            : clv_schedule_most_threads;
    clv_ws ws = {0};
    clv_schedule_spec spec = {
        .method = "given", .threads = threads, .layer = layer, .thread = thread};
    cleave_status status = clv_schedule_given(out, nvtx, &spec, &ws, err);
    clv_ws_free(&ws);
    return status;
}

void cleave_schedule_free(cleave_schedule *s)
{
    clv_schedule_free(s);
}

cleave_status cleave_schedule_read(cleave_schedule **out, const char *path, cleave_error *err)
{
    if (!out)
        return clv_fail(err, CLEAVE_EINVAL, "out is NULL");
    *out = NULL;
    if (!path)
        return clv_fail(err, CLEAVE_EINVAL, "path is NULL");
    return clv_schedule_read(out, path, err);
}

cleave_status cleave_schedule_write(const cleave_schedule *s, const char *path,
                                    cleave_error *err)
{
    if (!s || !path)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", s ? "path" : "the schedule");
    return clv_schedule_write(s, path, err);
}

/* ---- Accessors ------------------------------------------------------------------------- */

int32_t cleave_schedule_tasks(const cleave_schedule *s)
{
    return s ? s->ntasks : 0;
}

int32_t cleave_schedule_rows(const cleave_schedule *s)
{
    return s ? s->nrows : 0;
}

int32_t cleave_schedule_layers(const cleave_schedule *s)
{
    return s ? s->layers : 0;
}

int32_t cleave_schedule_threads(const cleave_schedule *s)
{
    return s ? s->threads : 0;
}

const char *cleave_schedule_method(const cleave_schedule *s)
{
    return s ? s->method : "";
}

const int32_t *cleave_schedule_layer(const cleave_schedule *s)
{
    return s ? s->layer : NULL;
}

const int32_t *cleave_schedule_thread(const cleave_schedule *s)
{
    return s ? s->thread : NULL;
}

const int32_t *cleave_schedule_order(const cleave_schedule *s)
{
    return s ? s->order : NULL;
}

const int64_t *cleave_schedule_blocks(const cleave_schedule *s)
{
    return s ? s->block : NULL;
}

const int32_t *cleave_schedule_row(const cleave_schedule *s)
{
    return s ? s->row : NULL;
}

const int32_t *cleave_schedule_share(const cleave_schedule *s)
{
    return s ? s->share : NULL;
}

const cleave_graph *cleave_schedule_graph(const cleave_schedule *s)
{
    return s ? s->tasks : NULL;
}
