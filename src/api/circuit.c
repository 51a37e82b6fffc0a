/* SPDX-License-Identifier: Apache-2.0 */
/* api/circuit.c - public circuits, their plans, and evidence. */
#include "matrix/circuit.h"

#include "api/run_arguments.h"
#include "base/context.h"
#include "engine/circuit/circuit_plan.h"
#include "formats/evidence_file.h"
#include "formats/psdd.h"

cleave_status cleave_circuit_read(cleave_circuit **out, const char *path, cleave_error *err)
{
    if (out)
        *out = NULL;
    if (!out || !path)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", out ? "path" : "out");
    clv_input *in;
    CLV_TRY(clv_input_open(&in, path, NULL, NULL, err));
    cleave_status status = clv_psdd_read_circuit(out, in, err);
    clv_input_close(in);
    return status;
}

void cleave_circuit_free(cleave_circuit *c)
{
    clv_circuit_free(c);
}

int32_t cleave_circuit_variables(const cleave_circuit *c)
{
    return c ? clv_circuit_variables(c) : 0;
}

int32_t cleave_circuit_nodes(const cleave_circuit *c)
{
    return c ? c->nnode : 0;
}

int64_t cleave_circuit_elements(const cleave_circuit *c)
{
    return c ? c->nelement : 0;
}

cleave_status cleave_circuit_graph(cleave_graph **out, const cleave_circuit *c,
                                   cleave_error *err)
{
    if (out)
        *out = NULL;
    if (!out || !c)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", out ? "the circuit" : "out");
    return clv_psdd_graph(out, c, err);
}

/* ---- Plans ---------------------------------------------------------------------------- */

cleave_status cleave_circuit_plan_create(cleave_circuit_plan **out, const cleave_circuit *c,
                                         const cleave_run_options *opt, cleave_error *err)
{
    double start = clv_clock();
    cleave_run_options how;
    if (out)
        *out = NULL;
    if (!out || !c)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", out ? "the circuit" : "out");
    CLV_TRY(clv_run_options_take(&how, opt, err));
    CLV_TRY(clv_circuit_plan_create(out, c, &how, err));
    (*out)->seconds = clv_clock() - start;
    return CLEAVE_OK;
}

void cleave_circuit_plan_free(cleave_circuit_plan *plan)
{
    clv_circuit_plan_free(plan);
}

void cleave_circuit_plan_info(const cleave_circuit_plan *plan, cleave_run_info *info)
{
    cleave_run_info full = {.method = "", .sync = ""};
    if (plan)
        full = (cleave_run_info){.method = plan->method,
                                 .sync = clv_sync_name(plan->bound[1].sync.kind),
                                 .layers = plan->layers,
                                 .threads = plan->bound[1].sync.threads,
                                 .nonzeros = plan->program.nelement,
                                 .bytes = plan->bound[1].bytes,
                                 .waits = plan->bound[1].sync.waits,
                                 .seconds_analysis = plan->seconds};
    clv_sized_write(info, &full, sizeof full);
}

/* ---- Evidence and results ------------------------------------------------------------- */

cleave_status cleave_evidence_read(cleave_evidence **out, const char *path, int32_t variables,
                                   cleave_error *err)
{
    if (out)
        *out = NULL;
    if (!out || !path)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", out ? "path" : "out");
    if (variables < 1)
        return clv_fail(err, CLEAVE_EINVAL, "evidence cannot be of %ld variables",
                        (long)variables);
    return clv_evidence_read(out, path, variables, err);
}

void cleave_evidence_free(cleave_evidence *e)
{
    clv_evidence_free(e);
}

int64_t cleave_evidence_count(const cleave_evidence *e)
{
    return e ? e->count : 0;
}

const int8_t *cleave_evidence_view(const cleave_evidence *e)
{
    return e ? e->value : NULL;
}

cleave_status cleave_results_write(const char *path, int64_t count, const double *result,
                                   cleave_error *err)
{
    if (!path)
        return clv_fail(err, CLEAVE_EINVAL, "path is NULL");
    if (count < 0)
        return clv_fail(err, CLEAVE_EINVAL, "count is %lld", (long long)count);
    if (count > 0 && !result)
        return clv_fail(err, CLEAVE_EINVAL, "result is NULL");
    return clv_results_write(path, count, result, err);
}
