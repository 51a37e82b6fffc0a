/* SPDX-License-Identifier: Apache-2.0 */
/* tests/mpi/mpi_outcome.h - a mapping by several ranks, and the result contract of cleave_map
 * recomputed from the whole graph. "gather=0" disables gathering of small graphs.
 */
#ifndef CLV_TESTS_MPI_OUTCOME_H
#define CLV_TESTS_MPI_OUTCOME_H

#include <cleave/cleave_mpi.h>

#include "graph/mapping.h"
#include "mpi_samples.h"

static clv_comm comm;

typedef struct outcome {
    cleave_status status;
    cleave_error err;
    cleave_map_report report;
    int32_t *part;  /* own */
    int32_t *parts; /* of all vertices */
} outcome;

static inline void gather_parts(const sample *s, outcome *o)
{
    cleave_error err = {0};
    clv_arrivals all = {0};
    CHECK_OK(clv_comm_gather_all(&comm, o->part, s->g->nlocal, sizeof *o->part, &all, &err));
    o->parts = sample_room(s->whole->nvtx, sizeof *o->parts);
    if (all.count == s->whole->nvtx && all.count > 0)
        memcpy(o->parts, all.items, (size_t)all.count * sizeof *o->parts);
    clv_arrivals_free(&all);
}

static inline outcome map_it(const sample *s, const char *target, cleave_options *opt)
{
    outcome o = {.part = sample_room(s->g->nlocal, sizeof *o.part)};
    cleave_target *t = NULL;
    cleave_map_report_init(&o.report, sizeof o.report);
    opt->report = &o.report;
    CHECK_EQ(cleave_target_parse(&t, target, &o.err), CLEAVE_OK);
    o.status = cleave_mpi_map(o.part, s->g, t, opt, &o.err);
    CHECK(sample_agreed(&comm, o.status, &o.err));
    cleave_target_free(t);
    gather_parts(s, &o);
    return o;
}

static inline void outcome_free(outcome *o)
{
    free(o->part);
    free(o->parts);
}

static inline void check_ok(const outcome *o)
{
    cleave_error err = o->err;
    CHECK_OK(o->status);
}

/* The effort that coarsens most: down to some 500 vertices. */
static inline cleave_options defaults(const char *params)
{
    cleave_options opt;
    cleave_options_init(&opt, sizeof opt);
    opt.effort = CLEAVE_EFFORT_FAST;
    opt.params = params;
    opt.threads = 1;
    return opt;
}

/* The report equals the evaluation of the whole graph by one process. */
static inline void check_report(const sample *s, const char *target, const outcome *o)
{
    cleave_error err = {0};
    cleave_mapping *m = NULL;
    cleave_target *t = NULL;
    cleave_metrics metrics;
    cleave_target_metrics at;
    cleave_metrics_init(&metrics, sizeof metrics);
    cleave_target_metrics_init(&at, sizeof at);
    REQUIRE_OK(cleave_target_parse(&t, target, &err));
    int32_t npes = cleave_target_pes(t);
    for (int32_t v = 0; v < s->whole->nvtx; v++)
        REQUIRE(o->parts[v] >= 0 && o->parts[v] < npes);
    REQUIRE_OK(cleave_mapping_create(&m, s->whole->nvtx, npes, o->parts, &err));
    CHECK_OK(cleave_evaluate(&metrics, s->whole, m, NULL, &err));
    CHECK_OK(cleave_evaluate_target(&at, s->whole, m, t, &err));
    CHECK_EQ(o->report.cut, metrics.cut);
    CHECK_EQ(o->report.volume, metrics.volume);
    CHECK_EQ(o->report.empty_parts, metrics.empty_parts);
    CHECK_EQ(o->report.acyclic, metrics.acyclic);
    CHECK_EQ(o->report.critical_path, metrics.critical_path);
    CHECK(o->report.imbalance > at.imbalance - 1e-9 &&
          o->report.imbalance < at.imbalance + 1e-9);
    if (o->report.cost >= 0) {
        CHECK_EQ(o->report.cost, at.cost);
        CHECK_EQ(o->report.cost_identity, at.cost_identity);
    }
    CHECK(metrics.acyclic != 0);
    cleave_mapping_free(m);
    cleave_target_free(t);
}

/* Bounds, computed here once more: floor(1.03 * ceil(share)). */
static inline void check_bounds(const sample *s, int32_t k, const outcome *o)
{
    int64_t *weight = sample_room(k, sizeof *weight), total = 0;
    int32_t *count = sample_room(k, sizeof *count);
    for (int32_t v = 0; v < s->whole->nvtx; v++) {
        weight[o->parts[v]] += clv_graph_vwgt(s->whole, v, 0);
        total += clv_graph_vwgt(s->whole, v, 0);
        count[o->parts[v]]++;
    }
    for (int32_t p = 0; p < k; p++) {
        CHECK(weight[p] <= (int64_t)(1.03 * (double)((total + k - 1) / k) + 1e-9));
        CHECK(s->whole->nvtx < k || count[p] > 0);
    }
    free(weight);
    free(count);
}

static inline sample generated(const char *spec, int spread)
{
    cleave_error err = {0};
    cleave_graph *g = NULL;
    CHECK_OK(cleave_graph_generate(&g, spec, NULL, &err));
    return sample_deal(&comm, g, spread, 5);
}

#endif
