/* SPDX-License-Identifier: Apache-2.0 */
/* The contract of cleave_map: on many graphs and options the status equals that of slow loops
 * over the mapping, the report is correct, no input of the caller is written, and the result
 * does not depend on the number of threads.  Quality is not tested here. */
#include <stdbool.h>
#include <stddef.h>

#include "api/api_support.h"
#include "support/test.h"

static cleave_error err;

enum { most = 2600, most_parts = 300 };

typedef struct demand {
    const char *graph, *target;
    double imbalance;
    const char *words; /* fixed, groups, connected, min, max, shares, each, start, volume */
} demand;

static const demand demands[] = {
    {"grid2d:20x20", "4", 0.03, ""},
    {"grid2d:20x20", "4", 0, ""},
    {"grid2d:20x20", "3,2,2,1", 0.05, ""},
    {"grid2d:20x20", "3,0,2,1", 0.05, ""},
    {"grid2d:20x20", "40", 0.03, ""},
    {"grid2d:13x7", "91", 0, ""},
    {"grid2d:13x7", "300", 0, ""},
    {"grid2d:13x7", "90", 0, ""},
    {"grid2d:40x40", "7", 0.03, "volume"},
    {"grid2d:40x40", "7", 0.03, "fixed"},
    {"grid2d:40x40", "7", 0.03, "groups"},
    {"grid2d:40x40", "7", 0.03, "groups fixed"},
    {"grid2d:40x40", "7", 0.03, "connected"},
    {"grid2d:40x40", "4", 0.03, "min max"},
    {"grid2d:40x40", "4", 0.03, "max"},
    {"grid2d:40x40", "4", 0.03, "each"},
    {"grid2d:40x40", "4", 0.03, "shares"},
    {"grid2d:40x40", "4", 0.03, "start"},
    {"grid2d:40x40", "4", 0.03, "start fixed groups"},
    {"grid2d:20x20", "4", 0.03, "start tight"},
    {"gnp:400:0.01", "5", 0.03, "connected"},
    {"rmat:9:4", "8", 0.03, ""},
    {"tree:500", "8", 0.01, ""},
    {"tree:500", "8", 0.01, "connected fixed"},
    {"mesh2d:30x30", "16", 0.03, "weights"},
    {"mesh2d:30x30", "16", 0.03, "weights groups"},
    {"mesh2d:30x30", "4", 0.05, "several"},
    {"mesh2d:30x30", "4", 0.05, "several shares fixed"},
    {"rgg:2000:8", "12", 0.03, ""},
};
enum { ndemands = sizeof demands / sizeof *demands };

/* Everything about one demand, the arrays in memory that cannot be written. */
typedef struct job {
    const demand *d;
    cleave_graph *g;
    cleave_csr view;
    cleave_target *t;
    cleave_constraints c;
    cleave_options opt;
    cleave_map_report report;
    cleave_mapping *start;
    int32_t k, n;
    int64_t total[2];
} job;

/* ---- Making demands -------------------------------------------------------------------- */

static void weigh(job *j, int32_t ncon)
{
    cleave_csr csr = j->view;
    static int32_t vwgt[2 * most];
    for (int32_t i = 0; i < ncon * j->n; i++)
        vwgt[i] = 1 + (i * 7) % 5;
    csr.vwgt = vwgt;
    csr.ncon = ncon;
    cleave_graph *g = NULL;
    CHECK_OK(cleave_graph_create(&g, &csr, 0, &err));
    cleave_graph_free(j->g);
    j->g = g;
    cleave_graph_view(g, &j->view);
}

static void constrain_vertices(job *j)
{
    static int32_t fixed[most], groups[most], start[most];
    for (int32_t v = 0; v < j->n; v++) {
        fixed[v] = v % 37 == 0 ? (v / 37) % j->k : -1;
        groups[v] = v % 11 < 3 ? 1000000 - v / 11 : -1;
        start[v] = (int32_t)((int64_t)v * j->k / j->n);
    }
    if (strstr(j->d->words, "groups"))
        j->c.groups = frozen(groups, j->n, sizeof *groups);
    for (int32_t v = 0; j->c.groups && v < j->n; v++)
        fixed[v] = v % 11 < 3 ? -1 : fixed[v]; /* no contradictions */
    if (strstr(j->d->words, "fixed"))
        j->c.fixed = frozen(fixed, j->n, sizeof *fixed);
    if (strstr(j->d->words, "start"))
        CHECK_OK(cleave_mapping_create(&j->start, j->n, j->k, start, &err));
    j->c.start = j->start;
}

static void constrain_parts(job *j)
{
    static int64_t min[2 * most_parts], max[2 * most_parts];
    static double shares[2 * most_parts], each[most_parts];
    int32_t ncon = j->view.ncon;
    for (int32_t i = 0; i < j->k * ncon; i++) {
        int64_t share = j->total[i % ncon] / j->k;
        min[i] = i % 3 ? share - share / 10 : -1;
        max[i] = i % 4 ? share + share / 8 : share / 2 + share;
        shares[i] = 1 + (i / ncon + i % ncon) % 3;
        each[i / ncon] = 0.02 * (1 + i / ncon % 4);
    }
    int64_t count = (int64_t)j->k * ncon;
    if (strstr(j->d->words, "tight"))
        max[0] = max[1] = 1;
    if (strstr(j->d->words, "min"))
        j->c.min = frozen(min, count, sizeof *min);
    if (strstr(j->d->words, "max") || strstr(j->d->words, "tight"))
        j->c.max = frozen(max, count, sizeof *max);
    if (strstr(j->d->words, "shares"))
        j->c.shares = frozen(shares, count, sizeof *shares);
    if (strstr(j->d->words, "each"))
        j->c.imbalance = frozen(each, j->k, sizeof *each);
    j->c.connected = strstr(j->d->words, "connected") != NULL;
}

static void job_make(job *j, const demand *d)
{
    memset(j, 0, sizeof *j);
    j->d = d;
    CHECK_OK(cleave_graph_generate(&j->g, d->graph, NULL, &err));
    CHECK_OK(cleave_target_parse(&j->t, d->target, &err));
    cleave_csr_init(&j->view, sizeof j->view);
    cleave_graph_view(j->g, &j->view);
    j->n = j->view.nvtx;
    j->k = cleave_target_pes(j->t);
    if (strstr(d->words, "weights"))
        weigh(j, 1);
    if (strstr(d->words, "several"))
        weigh(j, 2);
    for (int32_t i = 0; i < j->n * j->view.ncon; i++)
        j->total[i % j->view.ncon] += j->view.vwgt ? j->view.vwgt[i] : 1;
    cleave_constraints_init(&j->c, sizeof j->c);
    constrain_vertices(j);
    constrain_parts(j);
    cleave_options_init(&j->opt, sizeof j->opt);
    j->opt.imbalance = d->imbalance;
    j->opt.constraints = &j->c;
    j->opt.report = &j->report;
    j->opt.objective =
        strstr(d->words, "volume") ? CLEAVE_OBJECTIVE_VOLUME : CLEAVE_OBJECTIVE_CUT;
}

static void job_free(job *j)
{
    cleave_graph_free(j->g);
    cleave_target_free(j->t);
    cleave_mapping_free(j->start);
    thaw();
}

/* ---- Judging, slowly ------------------------------------------------------------------- */

static int64_t weight_of(const job *j, const int32_t *part, int32_t p, int32_t con)
{
    int64_t sum = 0;
    for (int32_t v = 0; v < j->n; v++)
        if (part[v] == p)
            sum += j->view.vwgt ? j->view.vwgt[v * j->view.ncon + con] : 1;
    return sum;
}

/* floor((1 + eps) * ceil(share)); speeds, shares and 1000 * eps are whole numbers here. */
static int64_t bound_of(const job *j, int32_t p, int32_t con)
{
    int64_t sum = 0, own = 0;
    double eps = j->c.imbalance ? j->c.imbalance[p] : j->d->imbalance;
    for (int32_t q = 0; q < j->k; q++) {
        double s =
            j->c.shares ? j->c.shares[q * j->view.ncon + con] : cleave_target_speed(j->t, q);
        sum += (int64_t)s;
        own = q == p ? (int64_t)s : own;
    }
    int64_t share = (j->total[con] * own + sum - 1) / sum;
    return share * (1000 + (int64_t)(eps * 1000 + 0.5)) / 1000;
}

static bool balanced(const job *j, const int32_t *part)
{
    for (int32_t p = 0; p < j->k; p++)
        for (int32_t c = 0; c < j->view.ncon; c++) {
            int64_t w = weight_of(j, part, p, c), max = bound_of(j, p, c);
            int32_t i = p * j->view.ncon + c;
            if (j->c.max && j->c.max[i] >= 0)
                max = j->c.max[i];
            if (w > max || (j->c.min && w < j->c.min[i]))
                return false;
        }
    return true;
}

static bool keeps_vertices(const job *j, const int32_t *part)
{
    for (int32_t v = 0; v < j->n; v++) {
        if (j->c.fixed && j->c.fixed[v] >= 0 && part[v] != j->c.fixed[v])
            return false;
        for (int32_t u = v + 1; j->c.groups && u < j->n && u < v + 11; u++)
            if (j->c.groups[u] >= 0 && j->c.groups[u] == j->c.groups[v] && part[u] != part[v])
                return false;
    }
    return true;
}

/* Empty parts beyond those that cannot be filled. */
static int32_t empty_parts(const job *j, const int32_t *part, int32_t *needless)
{
    int32_t count = 0, idle = 0;
    for (int32_t p = 0; p < j->k; p++) {
        bool used = false;
        for (int32_t v = 0; v < j->n && !used; v++)
            used = part[v] == p;
        count += !used;
        idle += cleave_target_speed(j->t, p) == 0;
    }
    int32_t busy = j->k - idle;
    *needless = count - idle - (busy > j->n ? busy - j->n : 0);
    return count;
}

/* Labels spread until they are the smallest vertex of a piece, or of a component. */
static int32_t count_pieces(const job *j, const int32_t *part, int32_t *label)
{
    int32_t count = 0;
    for (int32_t v = 0; v < j->n; v++)
        label[v] = v;
    for (bool again = true; again;) {
        again = false;
        for (int32_t v = 0; v < j->n; v++)
            for (int64_t a = j->view.xadj[v]; a < j->view.xadj[v + 1]; a++) {
                int32_t u = j->view.adj[a];
                if ((!part || part[u] == part[v]) && label[u] < label[v]) {
                    label[v] = label[u];
                    again = true;
                }
            }
    }
    for (int32_t v = 0; v < j->n; v++)
        count += label[v] == v;
    return count;
}

static bool connected(const job *j, const int32_t *part)
{
    static int32_t piece[most], component[most];
    static bool seen[most][most_parts];
    int32_t pieces = count_pieces(j, part, piece), pairs = 0;
    memset(seen, 0, sizeof seen);
    count_pieces(j, NULL, component);
    for (int32_t v = 0; v < j->n; v++) {
        pairs += !seen[component[v]][part[v]];
        seen[component[v]][part[v]] = true;
    }
    return pieces == pairs;
}

static void check_report(const job *j, const int32_t *part)
{
    int64_t cut = 0, volume = 0;
    for (int32_t v = 0; v < j->n; v++) {
        bool reads[most_parts] = {false};
        reads[part[v]] = true;
        for (int64_t a = j->view.xadj[v]; a < j->view.xadj[v + 1]; a++) {
            int32_t p = part[j->view.adj[a]];
            cut += p != part[v] ? (j->view.ewgt ? j->view.ewgt[a] : 1) : 0;
            volume += reads[p] ? 0 : j->view.vsize ? j->view.vsize[v] : 1;
            reads[p] = true;
        }
    }
    CHECK_EQ(j->report.cut, cut / 2);
    CHECK_EQ(j->report.volume, volume);
    CHECK(j->report.levels >= 1 && j->report.threads >= 1 && j->report.seconds >= 0);
    CHECK_EQ(j->report.timed_out, 0);
}

static void check_result(const job *j, cleave_status status, const cleave_mapping *m)
{
    const int32_t *part = cleave_mapping_parts(m);
    int32_t needless;
    REQUIRE(m && cleave_mapping_vertices(m) == j->n && cleave_mapping_nparts(m) == j->k);
    for (int32_t v = 0; v < j->n; v++)
        REQUIRE(part[v] >= 0 && part[v] < j->k);
    CHECK(keeps_vertices(j, part));
    CHECK_EQ(j->report.empty_parts, empty_parts(j, part, &needless));
    CHECK_EQ(j->report.balanced, balanced(j, part));
    bool good = needless <= 0 && j->report.balanced && keeps_vertices(j, part) &&
                (!j->c.connected || connected(j, part));
    CHECK_EQ(status, good ? CLEAVE_OK : CLEAVE_EBALANCE);
    CHECK((err.message[0] == '\0') == good);
    check_report(j, part);
}

/* ---- Tests ----------------------------------------------------------------------------- */

static cleave_status map(job *j, cleave_effort effort, int threads, cleave_mapping **m)
{
    cleave_map_report_init(&j->report, sizeof j->report);
    memset(&err, 0, sizeof err);
    j->opt.effort = effort;
    j->opt.threads = threads;
    return cleave_map(m, j->g, j->t, &j->opt, &err);
}

static bool same_mapping(const cleave_mapping *a, const cleave_mapping *b)
{
    return a && b &&
           memcmp(cleave_mapping_parts(a), cleave_mapping_parts(b),
                  (size_t)cleave_mapping_vertices(a) * sizeof(int32_t)) == 0;
}

static void test_promises(void)
{
    int met = 0;
    for (int i = 0; i < ndemands; i++) {
        job j;
        job_make(&j, &demands[i]);
        for (int effort = CLEAVE_EFFORT_FAST; effort <= CLEAVE_EFFORT_QUALITY; effort++) {
            cleave_mapping *m = NULL, *again = NULL;
            int before = test_failures_;
            cleave_status status = map(&j, (cleave_effort)effort, 1, &m);
            check_result(&j, status, m);
            met += status == CLEAVE_OK;
            CHECK_EQ(map(&j, (cleave_effort)effort, 2 + effort, &again), status);
            CHECK(same_mapping(m, again));
            if (test_failures_ != before)
                fprintf(stderr, "%s into %s, %g, %s, effort %d: %s\n", j.d->graph, j.d->target,
                        j.d->imbalance, j.d->words, effort, err.message);
            cleave_mapping_free(m);
            cleave_mapping_free(again);
        }
        job_free(&j);
    }
    CHECK(met > 2 * ndemands); /* most demands can be met */
}

/* Bounds that leave no room: the best is handed out with a sentence. */
static void test_impossible(void)
{
    static const demand d = {"grid2d:8x8", "2", 0.03, ""};
    static const int64_t little[] = {10, 10}, much[] = {40, 40}, plenty[] = {64, 64};
    job j;
    cleave_mapping *m;
    job_make(&j, &d);
    j.c.max = little;
    CHECK_EQ(map(&j, CLEAVE_EFFORT_DEFAULT, 1, &m), CLEAVE_EBALANCE);
    CHECK(m && strstr(err.message, "the bounds of all parts add up to 20, but the vertices "
                                   "weigh 64"));
    CHECK_EQ(j.report.balanced, 0);
    cleave_mapping_free(m);
    j.c.max = plenty;
    j.c.min = much;
    CHECK_EQ(map(&j, CLEAVE_EFFORT_DEFAULT, 1, &m), CLEAVE_EBALANCE);
    CHECK(m && strstr(err.message, "the lower bounds of all parts add up to 80"));
    cleave_mapping_free(m);
    job_free(&j);
}

/* Structs of a caller compiled with fewer fields, or more. */
static void test_sizes(void)
{
    static const demand d = {"grid2d:8x8", "2", 0.03, ""};
    job j;
    cleave_mapping *m, *same;
    job_make(&j, &d);
    REQUIRE_OK(cleave_map(&m, j.g, j.t, NULL, &err));
    CHECK_EQ(map(&j, CLEAVE_EFFORT_DEFAULT, 0, &same), CLEAVE_OK);
    CHECK(same_mapping(m, same));
    cleave_mapping_free(same);
    struct {
        cleave_options opt;
        char more[64];
    } wide = {.more = {0}};
    cleave_options_init(&wide.opt, sizeof wide);
    CHECK_OK(cleave_map(&same, j.g, j.t, &wide.opt, &err));
    CHECK(same_mapping(m, same));
    cleave_mapping_free(same);
    cleave_options narrow;
    cleave_options_init(&narrow, offsetof(cleave_options, effort));
    narrow.effort = (cleave_effort)77; /* beyond the size of the caller's struct */
    narrow.report = (cleave_map_report *)1;
    CHECK_OK(cleave_map(&same, j.g, j.t, &narrow, &err));
    CHECK(same_mapping(m, same));
    cleave_mapping_free(same);
    cleave_map_report_init(&j.report, offsetof(cleave_map_report, volume));
    j.report.volume = -5;
    CHECK_OK(cleave_map(&same, j.g, j.t, &j.opt, &err));
    CHECK(j.report.volume == -5 && j.report.cut > 0);
    cleave_mapping_free(same);
    cleave_mapping_free(m);
    job_free(&j);
}

static void test_defaults(void)
{
    cleave_options opt;
    cleave_options_init(&opt, sizeof opt);
    CHECK(opt.size == sizeof opt && opt.imbalance == 0.03 && opt.seed == 1);
    CHECK(opt.effort == CLEAVE_EFFORT_DEFAULT && opt.objective == CLEAVE_OBJECTIVE_COST);
    CHECK(opt.threads == 0 && opt.time_limit == 0 && !opt.constraints && !opt.report);
    CHECK(!opt.progress && !opt.payload);
}

/* Far more PEs than vertices: nothing is allocated per PE. */
static void test_many_parts(void)
{
    static const demand d = {"grid2d:8x8", "2147483647", 0.03, ""};
    cleave_graph *g;
    cleave_target *t;
    cleave_mapping *m;
    cleave_options opt;
    cleave_map_report report;
    cleave_options_init(&opt, sizeof opt);
    cleave_map_report_init(&report, sizeof report);
    opt.report = &report;
    REQUIRE_OK(cleave_graph_generate(&g, d.graph, NULL, &err));
    REQUIRE_OK(cleave_target_parse(&t, d.target, &err));
    REQUIRE_OK(cleave_map(&m, g, t, &opt, &err));
    CHECK_EQ(report.empty_parts, INT32_MAX - 64);
    CHECK_EQ(cleave_mapping_nparts(m), INT32_MAX);
    for (int32_t v = 0; v < 64; v++)
        CHECK_EQ(cleave_mapping_parts(m)[v], v);
    cleave_mapping_free(m);
    cleave_target_free(t);
    cleave_graph_free(g);
}

typedef struct listener {
    int calls, stop_at;
    int64_t bad;
} listener;

static int listen(void *payload, const cleave_progress *now)
{
    listener *l = payload;
    l->bad += now->size != sizeof *now || !now->phase || now->done < 0 || now->level < -1 ||
              now->cut < -1;
    return ++l->calls >= l->stop_at;
}

/* A callback that stops the call gets a mapping that is complete and judged all the same. */
static void test_cancel(void)
{
    cleave_graph *g;
    cleave_target *t;
    cleave_mapping *m;
    cleave_options opt;
    cleave_map_report report;
    listener l = {.stop_at = 1};
    REQUIRE_OK(cleave_graph_generate(&g, "rgg:60000:8", NULL, &err));
    REQUIRE_OK(cleave_target_parse(&t, "32", &err));
    cleave_options_init(&opt, sizeof opt);
    cleave_map_report_init(&report, sizeof report);
    opt.effort = CLEAVE_EFFORT_QUALITY;
    opt.progress = listen;
    opt.payload = &l;
    opt.report = &report;
    cleave_status status = cleave_map(&m, g, t, &opt, &err);
    CHECK_EQ(status, CLEAVE_ECANCEL);
    CHECK_EQ(l.calls, 1); /* it is not asked again */
    CHECK_EQ(l.bad, 0);
    CHECK(strstr(err.message, "stopped by the progress callback") != NULL);
    REQUIRE(m != NULL);
    cleave_metrics metrics;
    cleave_metrics_init(&metrics, sizeof metrics);
    CHECK_OK(cleave_evaluate(&metrics, g, m, NULL, &err));
    CHECK(metrics.parts == 32 && metrics.empty_parts == 0 && metrics.cut == report.cut);
    CHECK_EQ(metrics.balanced, report.balanced);
    CHECK_EQ(report.timed_out, 0);
    cleave_mapping_free(m);
    /* A time limit is no reason to complain. */
    opt.progress = NULL;
    opt.time_limit = 0.02;
    status = cleave_map(&m, g, t, &opt, &err);
    CHECK_EQ(status, CLEAVE_OK);
    CHECK_EQ(report.timed_out, 1);
    CHECK(report.seconds < 5 && report.empty_parts == 0 && report.balanced);
    cleave_mapping_free(m);
    cleave_target_free(t);
    cleave_graph_free(g);
}

int main(void)
{
    RUN(test_defaults);
    RUN(test_sizes);
    RUN(test_promises);
    RUN(test_impossible);
    RUN(test_many_parts);
    RUN(test_cancel);
    return test_end();
}
