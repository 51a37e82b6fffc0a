/* SPDX-License-Identifier: Apache-2.0 */
/* cleave_map on a graph, a machine, constraints and options from bytes (fuzz_instance.h), and
 * its whole contract. */
#include <string.h>

#include "fuzz/fuzz_instance.h"

/* The same on another number of threads, unless the clock decided. */
static void check_again(fuzz_instance *x, cleave_status status, const cleave_mapping *m)
{
    cleave_mapping *again = NULL;
    size_t bytes = (size_t)x->a.n * sizeof(int32_t);
    x->a.opt.threads = 3 - x->a.opt.threads;
    FUZZ_CHECK(ask_map(&x->a, &again) == status);
    FUZZ_CHECK(memcmp(cleave_mapping_parts(m), cleave_mapping_parts(again), bytes) == 0);
    cleave_mapping_free(again);
}

/* The parts of a DAG in an order in which all arcs run forward. */
static void check_part_order(const fuzz_instance *x, const cleave_mapping *m)
{
    const cleave_csr *g = &x->a.csr;
    const int32_t *part = cleave_mapping_parts(m);
    int32_t order[FUZZ_MOST_PES], place[FUZZ_MOST_PES];
    cleave_error err;
    FUZZ_CHECK_OK(cleave_mapping_part_order(x->a.g, m, order, &err), err);
    for (int32_t i = 0; i < x->a.k; i++)
        place[i] = -1;
    for (int32_t i = 0; i < x->a.k; i++) {
        FUZZ_CHECK(order[i] >= 0 && order[i] < x->a.k && place[order[i]] < 0);
        place[order[i]] = i;
    }
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            FUZZ_CHECK(place[part[v]] <= place[part[g->adj[a]]]);
}

static void spoil(fuzz_instance *x, cleave_status *status, cleave_mapping **m)
{
    x->a.report.cut += fuzz_spoils("cut");
    x->a.report.volume += fuzz_spoils("volume");
    x->a.report.cost += fuzz_spoils("cost") && x->a.report.cost >= 0;
    if (fuzz_spoils("status"))
        *status = *status == CLEAVE_OK ? CLEAVE_EBALANCE : CLEAVE_OK;
    fuzz_spoil_mapping("part", m);
}

FUZZ_TARGET(api_map)
{
    static fuzz_instance x;
    cleave_mapping *m = (cleave_mapping *)&x; /* anything but NULL */
    fuzz_take_instance(in, FUZZ_ANY_KIND, FUZZ_FOR_MAP, &x);
    cleave_status status = FUZZ_CALL(cleave_map, ask_map(&x.a, &m));
    bool denied = fuzz_alloc_denied();
    if (fuzz_check_status(&x, status, m)) {
        spoil(&x, &status, &m);
        fuzz_check_mapping(&x, status, m);
        if (x.a.csr.kind == CLEAVE_DAG)
            check_part_order(&x, m);
        if (!denied && x.a.opt.time_limit == 0 && x.stop.until == 0 &&
            fuzz_choose(in, 0, 4) == 0)
            check_again(&x, status, m);
        fuzz_check_evaluation(&x, m);
    }
    cleave_mapping_free(m);
    fuzz_instance_free(&x);
}
