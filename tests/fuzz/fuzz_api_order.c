/* SPDX-License-Identifier: Apache-2.0 */
/* Orders of a graph from bytes (fuzz_instance.h): topological permutations, their metrics,
 * splits for a machine, elimination, and separators. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz_instance.h"
#include "graph/graph.h"
#include "oracle/elimination_oracle.h"

enum { N = FUZZ_MOST_VERTICES, K = FUZZ_MOST_PES };

static int64_t weight_of(const cleave_csr *g, int32_t v)
{
    return g->vwgt ? g->vwgt[(int64_t)v * g->ncon] : 1;
}

/* ---- The line --------------------------------------------------------------------------- */

typedef struct line_way {
    const char *method, *params;
    bool undirected, dag; /* what it is for */
    bool coordinates;
} line_way;

static void take_line(fuzz_input *in, const fuzz_instance *x, cleave_order_options *opt,
                      char *wrong)
{
    static const line_way ways[] = {
        {NULL, NULL, true, true, false},    {"", NULL, true, true, false},
        {"nd", NULL, true, false, false},   {"mindeg", NULL, true, false, false},
        {"hci", NULL, true, false, true},   {"zci", NULL, true, false, true},
        {"rcbi", NULL, true, false, true},  {"rcbi", "leaves=4", true, false, true},
        {"rsbi", NULL, true, false, false}, {"rsbi", "leaves=2", true, false, false},
        {"topo", NULL, false, true, false}, {"multilevel", NULL, true, true, false},
        {"sort", NULL, false, false, false}};
    bool dag = x->a.csr.kind == CLEAVE_DAG;
    int drawn = fuzz_take(in, 40), count = sizeof ways / sizeof *ways;
    const line_way *way = &ways[drawn < count          ? drawn
                                : dag && drawn % 2     ? 10
                                : !dag && drawn % 3    ? 2 + drawn % 2
                                : x->a.csr.coords != 0 ? 4 + drawn % 3
                                                       : 11];
    bool fits = (dag ? way->dag : way->undirected) &&
                (!way->coordinates || x->a.csr.ndim > 0 || x->a.n == 0);
    cleave_order_options_init(opt, sizeof *opt);
    opt->method = way->method;
    opt->params = way->params;
    opt->seed = x->a.opt.seed;
    opt->threads = x->a.opt.threads;
    opt->effort = x->a.opt.effort;
    opt->time_limit = x->a.opt.time_limit;
    if (fuzz_chance(in, 40)) {
        opt->effort = (cleave_effort)9;
        fits = false;
    }
    strcpy(wrong, fits ? "" : "a method that does not suit the graph");
}

static void check_line(const cleave_csr *g, const cleave_order *o)
{
    const int32_t *vertex = cleave_order_view(o);
    const int64_t *before = cleave_order_weight_before(o);
    int32_t place[N];
    double crossing = 0;
    int64_t sum = 0;
    FUZZ_CHECK(cleave_order_vertices(o) == g->nvtx);
    memset(place, 0xff, sizeof place);
    for (int32_t p = 0; p < g->nvtx; p++) {
        int32_t v = fuzz_spoils("order") && p > 0 ? vertex[0] : vertex[p];
        FUZZ_CHECK(v >= 0 && v < g->nvtx && place[v] < 0);
        place[v] = p;
        FUZZ_CHECK(before[p] == sum);
        sum += weight_of(g, v);
    }
    FUZZ_CHECK(before[g->nvtx] == sum);
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t u = g->adj[a];
            FUZZ_CHECK(g->kind != CLEAVE_DAG || place[v] < place[u]);
            if (place[v] < place[u])
                crossing += (double)(g->ewgt ? g->ewgt[a] : 1) * (place[u] - place[v]);
        }
    crossing = g->nvtx > 1 ? crossing / (g->nvtx - 1) : 0;
    double said = cleave_order_average_crossing(o) + fuzz_spoils("crossing");
    FUZZ_CHECK(fabs(said - crossing) <= 1e-9 * fmax(1, crossing));
}

/* The same on another number of threads. */
static void check_again(const fuzz_instance *x, cleave_order_options opt,
                        const cleave_order *o)
{
    cleave_order *again;
    cleave_error err;
    size_t bytes = (size_t)x->a.n * sizeof(int32_t);
    opt.threads = 3 - opt.threads;
    FUZZ_CHECK_OK(cleave_order_build(&again, x->a.g, &opt, &err), err);
    FUZZ_CHECK(memcmp(cleave_order_view(o), cleave_order_view(again), bytes) == 0);
    cleave_order_free(again);
}

/* ---- Cuts ------------------------------------------------------------------------------- */

/* floor((1 + slack) * ceil(share)) in whole numbers. */
static int64_t bound_of(const fuzz_instance *x, int64_t total, int32_t pe)
{
    int64_t sum = 0;
    for (int32_t p = 0; p < x->machine.npes; p++)
        sum += x->machine.speeds[p];
    int64_t share = (total * x->machine.speeds[pe] + sum - 1) / sum;
    return share * (1000 + x->a.thousandths) / 1000;
}

static void check_intervals(const fuzz_instance *x, cleave_status status,
                            const cleave_order *o, const int32_t *begin, const int32_t *end)
{
    const int64_t *before = cleave_order_weight_before(o);
    int32_t owner[N + 1], n = x->a.n;
    bool balanced = true;
    memset(owner, 0xff, sizeof owner);
    for (int32_t pe = 0; pe < x->machine.npes; pe++) {
        FUZZ_CHECK(0 <= begin[pe] && begin[pe] <= end[pe] && end[pe] <= n);
        FUZZ_CHECK(x->machine.speeds[pe] > 0 || begin[pe] == end[pe]);
        for (int32_t p = begin[pe]; p < end[pe]; p++) {
            FUZZ_CHECK(owner[p] < 0);
            owner[p] = pe;
        }
        balanced =
            balanced && before[end[pe]] - before[begin[pe]] <= bound_of(x, before[n], pe);
    }
    for (int32_t p = 0; p < n; p++)
        FUZZ_CHECK(owner[p] >= 0);
    FUZZ_CHECK(status == (balanced ? CLEAVE_OK : CLEAVE_EBALANCE));
}

static void check_split(fuzz_input *in, const fuzz_instance *x, const cleave_order *o)
{
    static const char *const groupings[] = {NULL, "simple", "binpacking", "auto"};
    int32_t begin[K + 1], end[K + 1];
    cleave_error err = {0};
    cleave_mapping *m;
    cleave_split_options opt;
    cleave_split_options_init(&opt, sizeof opt);
    opt.imbalance = x->a.thousandths / 1000.0;
    opt.grouping = groupings[fuzz_take(in, 4)];
    cleave_status status = FUZZ_CALL(
        cleave_order_split, cleave_order_split(begin, end, o, x->machine.t, &opt, &err));
    FUZZ_CHECK(!fuzz_alloc_denied()); /* it allocates nothing */
    if (fuzz_spoils("split") && end[0] < x->a.n)
        end[0]++;
    check_intervals(x, status, o, begin, end);
    FUZZ_CHECK_OK(cleave_order_mapping(&m, o, x->machine.npes, begin, end, &err), err);
    for (int32_t pe = 0; pe < x->machine.npes; pe++)
        for (int32_t p = begin[pe]; p < end[pe]; p++)
            FUZZ_CHECK(cleave_mapping_parts(m)[cleave_order_view(o)[p]] == pe);
    cleave_mapping_free(m);
}

static cleave_status split_refine(fuzz_instance *x, const cleave_order *o, cleave_mapping **m)
{
    asked_call call;
    asked_open(&call, &x->a);
    cleave_status status =
        cleave_order_split_refine(m, x->a.g, o, x->a.t, &call.opt, &x->a.err);
    asked_close(&call);
    return status;
}

static void check_refined(fuzz_instance *x, const cleave_order *o)
{
    cleave_mapping *m = (cleave_mapping *)x; /* anything but NULL */
    cleave_status status = FUZZ_CALL(cleave_order_split_refine, split_refine(x, o, &m));
    if (fuzz_check_status(x, status, m)) {
        fuzz_spoil_mapping("part", &m);
        fuzz_check_mapping(x, status, m);
        fuzz_check_evaluation(x, m);
    }
    cleave_mapping_free(m);
}

/* ---- Elimination ------------------------------------------------------------------------ */

static void check_elimination(const fuzz_instance *x, const cleave_order *o)
{
    enum { most = 64 };
    cleave_error err;
    cleave_order_metrics metrics;
    if (x->a.csr.kind == CLEAVE_DAG || x->a.n > most)
        return;
    cleave_order_metrics_init(&metrics, sizeof metrics);
    cleave_status status =
        FUZZ_CALL(cleave_evaluate_order, cleave_evaluate_order(&metrics, x->a.g, o, &err));
    if (fuzz_lacks_memory(status, &err))
        return;
    FUZZ_CHECK_OK(status, err);
    metrics.fill += fuzz_spoils("fill");
    played truth = play_elimination(x->a.g, cleave_order_view(o), x->a.n, NULL);
    FUZZ_CHECK(metrics.fill == truth.fill && metrics.operations == truth.operations);
    FUZZ_CHECK(metrics.largest_column == truth.largest && metrics.height == truth.height);
}

static void judge_separator(const fuzz_instance *x, const int32_t *part, const int64_t *said)
{
    const cleave_csr *g = &x->a.csr;
    int64_t weight[3] = {0}, side[3] = {0}, total = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        total += weight_of(g, v);
    bool counted = total == 0;
    for (int32_t v = 0; v < g->nvtx; v++) {
        FUZZ_CHECK(part[v] >= 0 && part[v] < 3);
        weight[part[v]] += weight_of(g, v);
        side[part[v]] += counted ? 1 : weight_of(g, v);
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            FUZZ_CHECK(part[v] + part[g->adj[a]] != 1);
    }
    total = counted ? g->nvtx : total;
    int64_t bound = (total + 1) / 2 * (1000 + x->a.thousandths) / 1000;
    FUZZ_CHECK(side[0] <= bound && side[1] <= bound);
    for (int i = 0; i < 3; i++)
        FUZZ_CHECK(said[i] == weight[i]);
}

static void check_separator(fuzz_instance *x)
{
    int64_t weight[3];
    cleave_error err = {0};
    cleave_mapping *m = (cleave_mapping *)x; /* anything but NULL */
    cleave_separator_options opt;
    cleave_separator_options_init(&opt, sizeof opt);
    opt.imbalance = x->a.thousandths / 1000.0;
    opt.seed = x->a.opt.seed;
    opt.effort = x->a.opt.effort;
    opt.threads = x->a.opt.threads;
    x->stop.calls = 0;
    opt.progress = fuzz_progress;
    opt.payload = &x->stop;
    cleave_status status =
        FUZZ_CALL(cleave_separator, cleave_separator(&m, x->a.g, &opt, weight, &err));
    bool stopped = x->stop.until > 0 && x->stop.calls >= x->stop.until;
    if (fuzz_lacks_memory(status, &err)) {
        FUZZ_CHECK(m == NULL);
    } else if (x->a.csr.kind == CLEAVE_DAG) {
        FUZZ_CHECK(status == CLEAVE_EINVAL && m == NULL);
        fuzz_check_sentence(status, &err);
    } else {
        FUZZ_CHECK(status == (stopped ? CLEAVE_ECANCEL : CLEAVE_OK));
        fuzz_spoil_mapping("separator", &m);
        judge_separator(x, cleave_mapping_parts(m), weight);
    }
    cleave_mapping_free(m);
}

/* ---- All together ----------------------------------------------------------------------- */

FUZZ_TARGET(api_order)
{
    static fuzz_instance x;
    char wrong[80];
    cleave_error err = {0};
    cleave_order_options opt;
    cleave_order *o = (cleave_order *)&x; /* anything but NULL */
    fuzz_take_instance(in, FUZZ_ANY_KIND, FUZZ_FOR_SPLIT, &x);
    take_line(in, &x, &opt, wrong);
    opt.progress = fuzz_progress;
    opt.payload = &x.stop;
    cleave_status status =
        FUZZ_CALL(cleave_order_build, cleave_order_build(&o, x.a.g, &opt, &err));
    bool stopped = x.stop.until > 0 && x.stop.calls >= x.stop.until;
    x.stop.calls = 0;
    if (fuzz_lacks_memory(status, &err)) {
        FUZZ_CHECK(o == NULL);
    } else if (wrong[0]) {
        FUZZ_CHECK(status == CLEAVE_EINVAL && o == NULL);
        fuzz_check_sentence(status, &err);
    } else {
        FUZZ_CHECK(status == (stopped ? CLEAVE_ECANCEL : CLEAVE_OK));
        check_line(&x.a.csr, o);
        FUZZ_CHECK_OK(cleave_order_check(o, x.a.g, &err), err);
        if (opt.time_limit == 0 && x.stop.until == 0 && fuzz_choose(in, 0, 4) == 0)
            check_again(&x, opt, o);
        check_split(in, &x, o);
        check_elimination(&x, o);
        check_refined(&x, o);
        x.stop.calls = 0;
    }
    if (fuzz_choose(in, 1, 3) == 0)
        check_separator(&x);
    cleave_order_free(o);
    fuzz_instance_free(&x);
}
