/* SPDX-License-Identifier: Apache-2.0 */
/* cleave_remap on an instance from bytes (fuzz_instance.h), an old mapping and its machine:
 * the contract of cleave_map, and the reported migration. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz_instance.h"

typedef struct change {
    fuzz_instance x;
    fuzz_machine before;
    bool by_name; /* opt.from is the machine before */
    cleave_mapping *old;
    cleave_order *order;
    cleave_remap_options opt;
    cleave_remap_report report;
} change;

static void take_change(fuzz_input *in, change *c)
{
    static const char *const strategies[] = {NULL,      "auto",    "diffuse", "interval",
                                             "scratch", "diffuse", "nothing"};
    static const double prices[] = {1, 0, 0.3, 1000, 1e300};
    int strategy = fuzz_take(in, 20);
    bool beyond = fuzz_chance(in, 40);
    fuzz_take_machine(in, &c->before);
    fuzz_take_instance(in, FUZZ_ANY_KIND, FUZZ_FOR_REMAP, &c->x);
    c->by_name = fuzz_take(in, 2);
    c->old = fuzz_take_mapping(in, c->x.a.n + (beyond ? 1 : 0), c->before.npes);
    cleave_remap_options_init(&c->opt, sizeof c->opt);
    cleave_remap_report_init(&c->report, sizeof c->report);
    c->opt.strategy = strategies[strategy == 6 ? 6 : strategy % 6];
    c->opt.migration_price = prices[fuzz_take(in, 5)];
    c->opt.from = c->by_name ? c->before.t : NULL;
    c->opt.report = &c->report;
    c->order = NULL;
    if (fuzz_chance(in, 6))
        FUZZ_CHECK(cleave_order_build(&c->order, c->x.a.g, NULL, NULL) == CLEAVE_OK);
    c->opt.order = c->order;
    if (strategy == 6 || beyond)
        strcpy(c->x.wrong,
               strategy == 6 ? "no such strategy" : "an old mapping of another size");
}

static cleave_status remap(change *c, cleave_mapping **m)
{
    asked_call call;
    asked_open(&call, &c->x.a);
    c->opt.options = &call.opt;
    cleave_status status = cleave_remap(m, c->x.a.g, c->old, c->x.a.t, &c->opt, &c->x.a.err);
    asked_close(&call);
    return status;
}

/* The PE of today that a vertex is on: the one of the same number in the whole machine. */
static int32_t lives_on(const change *c, int32_t v)
{
    int32_t pe = cleave_mapping_parts(c->old)[v];
    int32_t number = c->by_name ? c->before.number[pe] : pe;
    for (int32_t p = 0; p < c->x.machine.npes; p++)
        if (c->x.machine.number[p] == number)
            return p;
    return -1;
}

static int64_t cut_of(const cleave_csr *g, const int32_t *part)
{
    int64_t sum = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (part[v] != part[g->adj[a]])
                sum += g->ewgt ? g->ewgt[a] : 1;
    return g->kind == CLEAVE_DAG ? sum : sum / 2;
}

static void check_report(const change *c, cleave_status status, const cleave_mapping *m)
{
    const cleave_csr *g = &c->x.a.csr;
    const int32_t *part = cleave_mapping_parts(m);
    const char *strategy = c->opt.strategy ? c->opt.strategy : "auto";
    int64_t moved = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        if (lives_on(c, v) != part[v])
            moved += g->vsize ? g->vsize[v] : 1;
    FUZZ_CHECK(c->report.migration == moved);
    FUZZ_CHECK(c->report.cut == cut_of(g, part));
    FUZZ_CHECK(c->report.cut_before == cut_of(g, cleave_mapping_parts(c->old)));
    FUZZ_CHECK(status != CLEAVE_OK || c->report.migration_bound <= moved);
    FUZZ_CHECK(c->report.migration_bound >= 0);
    FUZZ_CHECK(strcmp(c->report.strategy, "diffuse") == 0 ||
               strcmp(c->report.strategy, "interval") == 0 ||
               strcmp(c->report.strategy, "scratch") == 0);
    /* If no vertex can stay, diffusion has nothing to do. */
    FUZZ_CHECK(strcmp(strategy, "auto") == 0 || strcmp(strategy, "diffuse") == 0 ||
               strcmp(strategy, c->report.strategy) == 0);
}

FUZZ_TARGET(api_remap)
{
    static change c;
    cleave_mapping *m = (cleave_mapping *)&c; /* anything but NULL */
    take_change(in, &c);
    cleave_status status = FUZZ_CALL(cleave_remap, remap(&c, &m));
    if (fuzz_check_status(&c.x, status, m)) {
        fuzz_spoil_mapping("part", &m);
        c.report.migration += fuzz_spoils("migration");
        c.report.cut_before += fuzz_spoils("cut");
        fuzz_check_mapping(&c.x, status, m);
        check_report(&c, status, m);
        fuzz_check_evaluation(&c.x, m);
    }
    cleave_mapping_free(m);
    cleave_mapping_free(c.old);
    cleave_order_free(c.order);
    fuzz_machine_free(&c.before);
    fuzz_instance_free(&c.x);
}
