/* SPDX-License-Identifier: Apache-2.0 */
#include "refine/dag_fixture.h"

static const char *refine_with_failure(dag_fixture *f, fixture_refiner refine, int64_t nth,
                                       bool *failed)
{
    clv_context ctx;
    cleave_error err = {0};
    int64_t live = test_alloc_live();
    fixture_context(&ctx, 2, 3);
    int64_t overload = clv_state_overload(&f->s), cut = f->s.cut;
    test_alloc_fail_at(nth);
    cleave_status status = refine(&f->s, &ctx, &err);
    *failed = test_alloc_calls() >= nth;
    test_alloc_fail_at(0);
    clv_context_close(&ctx);
    if (status != (*failed ? CLEAVE_ENOMEM : CLEAVE_OK))
        return "a wrong status";
    if (test_alloc_live() != live)
        return "memory leaked";
    int64_t now = clv_state_overload(&f->s);
    if (now > overload || (now == overload && f->s.cut > cut))
        return "the state is worse";
    return dag_fault(f);
}

void dag_fail_allocations(dag_fixture *f, fixture_refiner refine)
{
    dag_snapshot start = dag_keep(f);
    bool failed = true;
    int64_t nth = 1;
    for (; failed && nth < 1000; nth++) {
        dag_return(f, &start);
        const char *fault = refine_with_failure(f, refine, nth, &failed);
        CHECK_STR(fault ? fault : "none", "none");
    }
    CHECK(nth > 2 && nth < 1000);
    dag_drop(&start);
}
