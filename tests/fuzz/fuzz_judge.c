/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/fuzz_judge.c - does the result of cleave_map keep its contract?  See
 * fuzz_instance.h. Balance, edges and constraints are checked by engine/map_fixture_judge.c,
 * directions and metrics by tests/oracle. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fuzz/fuzz_instance.h"
#include "oracle/acyclic_oracle.h"
#include "oracle/oracle_metrics.h"

enum { N = FUZZ_MOST_VERTICES, words = (FUZZ_MOST_VERTICES + 63) / 64 };

void fuzz_spoil_mapping(const char *what, cleave_mapping **m)
{
    int32_t part[N], n = cleave_mapping_vertices(*m), k = cleave_mapping_nparts(*m);
    if (!fuzz_spoils(what) || n == 0)
        return;
    memcpy(part, cleave_mapping_parts(*m), (size_t)n * sizeof *part);
    part[0] = (part[0] + 1) % k;
    cleave_mapping_free(*m);
    FUZZ_CHECK(cleave_mapping_create(m, n, k, part, NULL) == CLEAVE_OK);
}

/* ---- Unavoidable cycles ----------------------------------------------------------------- */

static bool belong_together(const fuzz_instance *x, int32_t u, int32_t v)
{
    const cleave_constraints *c = &x->a.c;
    return (c->fixed && c->fixed[u] >= 0 && c->fixed[u] == c->fixed[v]) ||
           (c->groups && c->groups[u] >= 0 && c->groups[u] == c->groups[v]);
}

/* label[v]: the smallest vertex that v must share a part with. */
static void label_together(const fuzz_instance *x, int32_t *label)
{
    for (int32_t v = 0; v < x->a.n; v++)
        label[v] = v;
    for (int32_t v = 0; v < x->a.n; v++)
        for (int32_t u = 0; u < v; u++) {
            int32_t low = label[u] < label[v] ? label[u] : label[v];
            int32_t high = label[u] < label[v] ? label[v] : label[u];
            if (low == high || !belong_together(x, u, v))
                continue;
            for (int32_t w = 0; w < x->a.n; w++)
                label[w] = label[w] == high ? low : label[w];
        }
}

/* together[v]: vertices of one number share a part in every acyclic mapping, because they must
 * or lie on paths between such. */
static void close_groups(const fuzz_instance *x, int32_t *together)
{
    static uint64_t reach[N][words];
    int32_t label[N], n = x->a.n;
    memset(reach, 0, sizeof reach);
    label_together(x, label);
    for (int32_t v = 0; v < n; v++)
        for (int64_t a = x->a.csr.xadj[v]; a < x->a.csr.xadj[v + 1]; a++) {
            int32_t u = label[x->a.csr.adj[a]];
            reach[label[v]][u / 64] |= UINT64_C(1) << u % 64;
        }
    for (int32_t via = 0; via < n; via++)
        for (int32_t v = 0; v < n; v++)
            for (int w = 0; reach[v][via / 64] >> via % 64 & 1 && w < words; w++)
                reach[v][w] |= reach[via][w];
    for (int32_t v = 0; v < n; v++) {
        int32_t q = label[v], p = 0;
        while (p != q && !(reach[p][q / 64] >> q % 64 & 1 && reach[q][p / 64] >> p % 64 & 1))
            p++;
        together[v] = p;
    }
}

bool fuzz_must_cycle(const fuzz_instance *x)
{
    int32_t together[N];
    const int32_t *fixed = x->a.c.fixed;
    if (x->a.csr.kind != CLEAVE_DAG || !fixed)
        return false;
    close_groups(x, together);
    for (int32_t v = 0; v < x->a.n; v++)
        for (int32_t u = 0; u < v; u++)
            if (together[u] == together[v] && fixed[u] >= 0 && fixed[v] >= 0 &&
                fixed[u] != fixed[v])
                return true;
    return false;
}

/* ---- The status ------------------------------------------------------------------------- */

bool fuzz_check_status(const fuzz_instance *x, cleave_status status, const cleave_mapping *m)
{
    if (status == CLEAVE_OK || status == CLEAVE_EBALANCE || status == CLEAVE_ECANCEL) {
        if (x->wrong[0])
            fuzz_fail(__FILE__, __LINE__, x->wrong);
        FUZZ_CHECK(m != NULL);
        FUZZ_CHECK(!fuzz_must_cycle(x));
        FUZZ_CHECK((status == CLEAVE_ECANCEL) ==
                   (x->stop.until > 0 && x->stop.calls >= x->stop.until));
        if (status != CLEAVE_OK)
            fuzz_check_sentence(status, &x->a.err);
        return true;
    }
    FUZZ_CHECK(m == NULL);
    if (fuzz_lacks_memory(status, &x->a.err))
        return false;
    fuzz_check_sentence(status, &x->a.err);
    if (status == CLEAVE_ECYCLE)
        FUZZ_CHECK(fuzz_must_cycle(x));
    else if (x->wrong[0])
        FUZZ_CHECK(status == CLEAVE_EINVAL);
    else
        fuzz_fail(__FILE__, __LINE__, x->a.err.message);
    return false;
}

/* ---- The mapping ------------------------------------------------------------------------ */

/* One vertex per PE: what they weigh does not matter. */
static void lift_bounds(fuzz_instance *x, asked *judged, int64_t *lifted)
{
    for (int32_t i = 0; i < x->a.k * x->a.ncon; i++) {
        int64_t bound = fixture_bound(&x->a, i / x->a.ncon, i % x->a.ncon);
        lifted[i] = bound > 0 ? INT64_MAX / 2 : x->a.c.max ? x->a.c.max[i] : -1;
    }
    judged->c.max = lifted;
}

static void check_one_to_one(const fuzz_instance *x, const int32_t *part)
{
    for (int32_t v = 0; v < x->a.n; v++)
        for (int32_t u = 0; u < v; u++)
            FUZZ_CHECK(part[u] != part[v]);
}

static void check_costs(const fuzz_instance *x, const int32_t *part)
{
    const cleave_map_report *report = &x->a.report;
    int32_t identity[N];
    if (report->cost == -1) {
        FUZZ_CHECK(report->cost_identity == -1);
        FUZZ_CHECK(fuzz_machine_is_flat(&x->machine));
        return;
    }
    for (int32_t v = 0; v < x->a.n; v++)
        identity[v] = (int32_t)((int64_t)v * x->a.k / x->a.n);
    FUZZ_CHECK(report->cost == fuzz_cost(&x->machine, &x->a.csr, part));
    FUZZ_CHECK(report->cost_identity == fuzz_cost(&x->machine, &x->a.csr, identity));
}

void fuzz_check_mapping(fuzz_instance *x, cleave_status status, const cleave_mapping *m)
{
    static int64_t lifted[FUZZ_MOST_PES * FUZZ_MOST_CON];
    int32_t together[N];
    const int32_t *part = cleave_mapping_parts(m);
    bool dag = x->a.csr.kind == CLEAVE_DAG;
    asked judged = x->a;
    facts found;
    if (x->a.opt.one_to_one)
        lift_bounds(x, &judged, lifted);
    if (dag && (x->a.c.fixed || x->a.c.groups)) {
        close_groups(x, together);
        judged.c.groups = together;
    }
    const char *wrong = fixture_judge(&judged, status, m, &found);
    if (wrong) {
        fprintf(stderr, "  parts");
        for (int32_t v = 0; v < x->a.n; v++)
            fprintf(stderr, " %ld", (long)part[v]);
        fprintf(stderr, "\n");
    }
    if (wrong)
        fuzz_fail(__FILE__, __LINE__, wrong);
    FUZZ_CHECK(x->a.report.acyclic == (dag ? 1 : -1));
    FUZZ_CHECK(!dag || oracle_parts_acyclic(&x->a.csr, x->a.k, part));
    FUZZ_CHECK(dag || x->a.report.critical_path == -1);
    FUZZ_CHECK(x->a.report.threads <= x->a.opt.threads);
    FUZZ_CHECK(x->a.report.residual == -1 || x->a.report.residual >= 0);
    check_costs(x, part);
    if (x->a.opt.one_to_one)
        check_one_to_one(x, part);
}

/* ---- Evaluations ------------------------------------------------------------------------ */

static bool close_to(double a, double b)
{
    return a == b || fabs(a - b) <= 1e-9 * fmax(1, fabs(b));
}

static void check_metrics(const cleave_metrics *found, const cleave_metrics *truth)
{
    FUZZ_CHECK(found->parts == truth->parts && found->empty_parts == truth->empty_parts);
    FUZZ_CHECK(found->cut == truth->cut);
    FUZZ_CHECK(found->volume == truth->volume && found->max_volume == truth->max_volume);
    FUZZ_CHECK(close_to(found->imbalance, truth->imbalance));
    FUZZ_CHECK(found->balanced == truth->balanced);
    FUZZ_CHECK(found->pieces == truth->pieces && found->setups == truth->setups);
    FUZZ_CHECK(found->acyclic == truth->acyclic && found->convex == truth->convex);
    FUZZ_CHECK(found->critical_path == truth->critical_path);
    FUZZ_CHECK(found->min_weight == truth->min_weight);
    FUZZ_CHECK(found->max_weight == truth->max_weight);
}

static void check_on_target(const fuzz_instance *x, const cleave_mapping *m)
{
    const int32_t *part = cleave_mapping_parts(m);
    int64_t by_level = 0;
    cleave_error err;
    cleave_target_metrics metrics;
    cleave_target_metrics_init(&metrics, sizeof metrics);
    FUZZ_CHECK_OK(cleave_evaluate_target(&metrics, x->a.g, m, x->a.t, &err), err);
    FUZZ_CHECK(metrics.cost == fuzz_cost(&x->machine, &x->a.csr, part));
    FUZZ_CHECK(metrics.cut == x->a.report.cut); /* which was judged */
    FUZZ_CHECK(close_to(metrics.average_dilation,
                        metrics.cut ? (double)metrics.cost / (double)metrics.cut : 0));
    for (int32_t i = 0; i < metrics.levels && i < CLEAVE_MOST_LEVELS; i++)
        by_level += metrics.cost_level[i];
    FUZZ_CHECK(metrics.levels == 0 || by_level == metrics.cost);
    FUZZ_CHECK(metrics.max_link_load == -1 || metrics.max_link_load <= metrics.cost);
}

void fuzz_check_evaluation(const fuzz_instance *x, const cleave_mapping *m)
{
    static oracle_result truth;
    oracle_rules rules = {NULL, 30, 1, 1, 11};
    cleave_error err;
    cleave_metrics metrics;
    check_on_target(x, m);
    if (x->a.n > ORACLE_MAX_VERTICES)
        return;
    cleave_metrics_init(&metrics, sizeof metrics);
    cleave_status status =
        FUZZ_CALL(cleave_evaluate, cleave_evaluate(&metrics, x->a.g, m, NULL, &err));
    if (fuzz_lacks_memory(status, &err))
        return;
    FUZZ_CHECK_OK(status, err);
    oracle_metrics(&truth, &x->a.csr, x->a.k, cleave_mapping_parts(m), &rules);
    metrics.pieces += fuzz_spoils("pieces");
    check_metrics(&metrics, &truth.metrics);
    FUZZ_CHECK(x->a.csr.kind != CLEAVE_DAG ||
               x->a.report.critical_path == truth.metrics.critical_path);
}
