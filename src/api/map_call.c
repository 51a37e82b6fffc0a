/* SPDX-License-Identifier: Apache-2.0 */
/* api/map_call.c - see api/map_call.h. */
#include "api/map_call.h"

/* Graphs that are solved before another thread has started. */
enum { small_graph = 1 << 14 }; /* arcs and vertices */

cleave_status clv_map_call_open(clv_context *ctx, const clv_map_request *request,
                                cleave_error *err)
{
    const clv_graph *g = request->g;
    const cleave_options *opt = &request->opt;
    bool small = g->narc + g->nvtx < small_graph;
    int threads = opt->threads == 0 && small ? 1 : opt->threads;
    CLV_TRY(clv_context_open(ctx, threads, opt->seed, err));
    clv_context_watch(ctx, opt->time_limit, opt->progress, opt->payload);
    return CLEAVE_OK;
}

cleave_status clv_map_call_close(clv_mapping **out, clv_context *ctx, cleave_status status)
{
    clv_context_close(ctx);
    if (!clv_status_has_mapping(status)) {
        clv_mapping_free(*out);
        *out = NULL;
    }
    return status;
}

static void fill_report(const clv_map_job *job, double seconds, cleave_map_report *report)
{
    clv_context *ctx = job->ctx;
    report->cut = job->verdict.cut;
    report->volume = job->verdict.volume;
    report->imbalance = job->verdict.imbalance;
    report->balanced = job->verdict.balanced;
    report->empty_parts = job->verdict.empty_parts;
    report->levels = job->stats.levels;
    report->threads = clv_context_threads(ctx);
    report->cycles = job->stats.cycles;
    report->timed_out = clv_context_is_shortened(ctx);
    report->seconds = seconds;
    report->seconds_coarsen = job->stats.coarsen;
    report->seconds_initial = job->stats.initial;
    report->seconds_refine = job->stats.refine;
    report->acyclic = job->verdict.acyclic;
    report->critical_path = job->verdict.critical_path;
    report->cost = job->cost;
    report->cost_identity = job->cost_identity;
    report->residual = job->stats.spectral.computed ? job->stats.spectral.residual : -1;
    report->converged = job->stats.spectral.computed ? job->stats.spectral.converged : -1;
}

void clv_map_call_report(const clv_map_job *job, double begin)
{
    cleave_map_report report;
    cleave_map_report_init(&report, sizeof report);
    fill_report(job, clv_clock() - begin, &report);
    clv_sized_write(job->request->opt.report, &report, sizeof report);
}
