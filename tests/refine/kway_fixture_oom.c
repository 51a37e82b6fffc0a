/* SPDX-License-Identifier: Apache-2.0 */
#include "refine/kway_fixture.h"

const char *fixture_refine_failing(clv_partition_state *s, fixture_refiner refine, int64_t nth,
                                   bool *failed)
{
    clv_context ctx;
    cleave_error err = {0};
    int64_t live = test_alloc_live();
    fixture_context(&ctx, 2, 3);
    test_alloc_fail_at(nth);
    cleave_status status = refine(s, &ctx, &err);
    *failed = test_alloc_calls() >= nth;
    test_alloc_fail_at(0);
    clv_context_close(&ctx);
    if (status != (*failed ? CLEAVE_ENOMEM : CLEAVE_OK))
        return "a wrong status";
    return test_alloc_live() == live ? NULL : "memory leaked";
}

const char *fixture_fault_memory(fixture *f, fixture_refiner refine, fixture_judge judge)
{
    enum { most = 1000 };
    clv_partition_state start = fixture_copy(f);
    const char *fault = NULL;
    bool failed = true;
    int64_t nth = 0;
    while (failed && !fault && nth < most) {
        memcpy(f->part, start.part, (size_t)f->g.nvtx * sizeof f->part[0]);
        fixture_scatter(f, 0, 0);
        fault = fixture_refine_failing(&f->s, refine, ++nth, &failed);
        if (!fault)
            fault = fixture_fault(f);
        if (!fault)
            fault = judge(f, &start, failed);
    }
    free(start.part);
    if (!fault && (nth < 2 || nth == most))
        fault = "the allocations are too few or too many";
    if (fault)
        fprintf(stderr, "with allocation %d\n", (int)nth);
    return fault;
}

const char *fixture_fault_memory_of(const fixture_options *o, int32_t spread,
                                    fixture_refiner refine, fixture_judge judge)
{
    fixture f;
    fixture_make(&f, o);
    fixture_scatter(&f, spread, 1);
    const char *fault = fixture_fault_memory(&f, refine, judge);
    fixture_free(&f);
    return fault;
}
