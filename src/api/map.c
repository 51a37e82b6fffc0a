/* SPDX-License-Identifier: Apache-2.0 */
/* api/map.c - cleave_map: checks the arguments, calls the pipeline, reports; files for
 * launchers.
 *
 * The caller gets a mapping with CLEAVE_OK, CLEAVE_EBALANCE and CLEAVE_ECANCEL; besides it
 * only the report is written. */
#include "api/map_arguments.h"
#include "api/map_call.h"
#include "target/launch.h"

cleave_status cleave_map(cleave_mapping **out, const cleave_graph *g, const cleave_target *t,
                         const cleave_options *opt, cleave_error *err)
{
    double begin = clv_clock();
    clv_map_request request;
    clv_context ctx;
    if (!out)
        return clv_fail(err, CLEAVE_EINVAL, "out is NULL");
    *out = NULL;
    CLV_TRY(clv_map_request_check(&request, g, t, opt, err));
    CLV_TRY(clv_map_call_open(&ctx, &request, err));
    clv_map_job job = {.request = &request, .ctx = &ctx};
    cleave_status status = clv_mapping_new(out, g->nvtx, t->npes, NULL, err);
    if (status == CLEAVE_OK)
        status = clv_pipeline_map(&job, (*out)->part, err);
    if (status == CLEAVE_OK)
        status = clv_pipeline_judge(&job, (*out)->part, err);
    if (clv_status_has_mapping(status))
        clv_map_call_report(&job, begin);
    return clv_map_call_close(out, &ctx, status);
}

cleave_status cleave_launch_write(const char *path, const char *form, const cleave_mapping *m,
                                  const cleave_target *t, const char *hosts, cleave_error *err)
{
    if (!path || !form)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", path ? "form" : "path");
    if (!m || !t)
        return clv_fail(err, CLEAVE_EINVAL, "the %s is NULL", m ? "target" : "mapping");
    if (m->nparts > t->npes)
        return clv_fail(err, CLEAVE_EINVAL, "the mapping has %ld parts but the target %ld PEs",
                        (long)m->nparts, (long)t->npes);
    clv_placed_ranks ranks = {.nranks = m->nvtx, .pe = m->part, .t = t, .hosts = hosts};
    return clv_launch_write(path, form, &ranks, err);
}
