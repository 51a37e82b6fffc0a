/* SPDX-License-Identifier: Apache-2.0 */
/* api/map_result.c - a mapping judged from scratch, and what is reported of it; see
 * api/map_run.h. */
#include "api/map_run.h"

#include "evaluate/traffic.h"

cleave_status clv_map_run_judge(clv_map_run *run, const int32_t *part, cleave_error *err)
{
    const clv_map_request *request = run->request;
    clv_ws *ws = &run->ctx->ws[0];
    run->cost = run->cost_identity = -1;
    if (run->machine.t) {
        CLV_TRY(clv_evaluate_cost_of(request->g, request->t, part, ws, &run->cost, NULL, NULL,
                                     err));
        CLV_TRY(clv_evaluate_cost_identity(request->g, request->t, ws, &run->cost_identity,
                                           NULL, err));
    }
    clv_demands demands = {request->g, &run->limits, &run->units, request->constraints.fixed,
                           request->constraints.connected != 0};
    cleave_status status = clv_verdict_reach(&run->verdict, &demands, part, ws, err);
    if (clv_context_cancelled(run->ctx) && (status == CLEAVE_OK || status == CLEAVE_EBALANCE))
        return clv_fail(err, CLEAVE_ECANCEL,
                        "the progress callback said stop; the mapping is the best so far%s",
                        status == CLEAVE_OK ? "" : " and does not meet all demands");
    return status;
}

bool clv_map_run_hands_out(cleave_status status)
{
    return status == CLEAVE_OK || status == CLEAVE_EBALANCE || status == CLEAVE_ECANCEL;
}

void clv_map_run_report(const clv_map_run *run, double seconds, cleave_map_report *report)
{
    clv_context *ctx = run->ctx;
    report->cut = run->verdict.cut;
    report->volume = run->verdict.volume;
    report->imbalance = run->verdict.imbalance;
    report->balanced = run->verdict.balanced;
    report->empty_parts = run->verdict.empty_parts;
    report->levels = run->stats.levels;
    report->threads = clv_context_threads(ctx);
    report->cycles = run->stats.cycles;
    report->timed_out = !clv_context_cancelled(ctx) && atomic_load(ctx->stopped) != 0;
    report->seconds = seconds;
    report->seconds_coarsen = run->stats.coarsen;
    report->seconds_initial = run->stats.initial;
    report->seconds_refine = run->stats.refine;
    report->acyclic = run->verdict.acyclic;
    report->critical_path = run->verdict.critical_path;
    report->cost = run->cost;
    report->cost_identity = run->cost_identity;
    report->residual = run->stats.spectral.computed ? run->stats.spectral.residual : -1;
    report->converged = run->stats.spectral.computed ? run->stats.spectral.converged : -1;
}

void clv_map_run_hand_report(const clv_map_run *run, double seconds)
{
    cleave_map_report report;
    cleave_map_report_init(&report, sizeof report);
    clv_map_run_report(run, seconds, &report);
    clv_sized_write(run->request->opt.report, &report, sizeof report);
}
