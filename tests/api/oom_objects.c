/* SPDX-License-Identifier: Apache-2.0 */
#include "api/oom_objects.h"

#include "api/trsv_systems.h"
#include "support/test.h"

cleave_csr undirected_csr, dag_csr, faulty_csr, unsorted_csr;
cleave_graph *undirected, *dag;
cleave_mapping *slices, *checkers, *many;
cleave_matrix *matrix;
cleave_trace *solve_trace;
int32_t *ints, *more_ints;
int64_t *longs, *more_longs;

static cleave_error err;
static bool good = true;

static void require(cleave_status status)
{
    if (status != CLEAVE_OK)
        fprintf(stderr, "%s\n", err.message);
    good = good && status == CLEAVE_OK;
}

uint64_t bytes_digest(const void *bytes, size_t count)
{
    uint64_t sum = 14695981039346656037u;
    for (size_t i = 0; i < count; i++)
        sum = (sum ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
    return sum;
}

const char *oom_scratch(const char *name)
{
    static char path[4200];
    snprintf(path, sizeof path, "%s/%s", test_scratch(), name);
    return path;
}

const char *oom_input(const char *detail)
{
    char name[64];
    size_t length = strcspn(detail, " ");
    snprintf(name, sizeof name, "in-%.*s", (int)length, detail);
    return oom_scratch(name);
}

static void *copy_of(const void *array, int64_t count, size_t each)
{
    void *copy = malloc((size_t)count * each + 1);
    memcpy(copy, array, (size_t)count * each);
    return copy;
}

/* Every row in reverse order; with `faults` a self-loop, a duplicate arc, and an arc in one
 * direction only. */
static void spoil(cleave_csr *csr, bool faults)
{
    int64_t narc = undirected_csr.xadj[n];
    int32_t *adj = copy_of(undirected_csr.adj, narc, sizeof *adj);
    int32_t *ewgt = copy_of(undirected_csr.ewgt, narc, sizeof *ewgt);
    for (int32_t v = 0; v < n; v++) {
        int64_t low = undirected_csr.xadj[v], high = undirected_csr.xadj[v + 1] - 1;
        for (; low < high; low++, high--) {
            int32_t u = adj[low], w = ewgt[low];
            adj[low] = adj[high];
            ewgt[low] = ewgt[high];
            adj[high] = u;
            ewgt[high] = w;
        }
    }
    if (faults) {
        adj[0] = 0;
        adj[3] = adj[2];
        ewgt[narc - 1]++;
    }
    *csr = undirected_csr;
    csr->adj = adj;
    csr->ewgt = ewgt;
}

static void write_graph(const cleave_graph *g, const char *name)
{
    require(cleave_graph_write(g, oom_input(name), NULL, &err));
}

/* A square matrix that is not symmetric, its entries twice and out of order. */
static void write_general_matrix(void)
{
    FILE *file = fopen(oom_input("g.mtx"), "w");
    fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", n, n, 2 * n);
    for (int pass = 0; pass < 2; pass++)
        for (int i = n; i > 0; i--)
            fprintf(file, "%d %d %d.5\n", i, 1 + i * 7 % n, i % 10);
    fclose(file);
}

static void write_bad_graph(void)
{
    test_file("in-bad.graph", "4 3 001\n2 3 3 1 2 5\n1 4\n\n2 1\n");
    test_file("in-cycles.edges", "1 2\n2 3\n3 1\n3 4\n4 5\n5 4\n5 6\n");
}

static void write_files(void)
{
    static const char *const of_undirected[] = {"u.graph",    "u.graph.gz", "u.mtx", "u.edges",
                                                "u.edges.gz", "u.dot",      "u.clv", NULL};
    static const char *const of_dag[] = {"d.mtx", "d.dot",    "d.dot.gz",
                                         "d.clv", "d.clv.gz", NULL};
    for (int i = 0; of_undirected[i]; i++)
        write_graph(undirected, of_undirected[i]);
    for (int i = 0; of_dag[i]; i++)
        write_graph(dag, of_dag[i]);
    write_general_matrix();
    write_bad_graph();
    require(cleave_graph_write_coords(undirected, oom_scratch("in-u.coords"), &err));
    require(cleave_matrix_write(matrix, oom_input("v.mtx"), &err));
    require(cleave_matrix_write(matrix, oom_input("v.mtx.gz"), &err));
    require(cleave_mapping_write(slices, oom_input("m.part"), &err));
    require(cleave_mapping_write(slices, oom_input("m.part.gz"), &err));
    require(cleave_mapping_write(slices, oom_input("m.map"), &err));
}

/* A part of a vertex is that of its slice: the same lines as in a partition file. */
static void write_constraints(void)
{
    require(cleave_mapping_write(slices, oom_input("m.fix"), &err));
    require(cleave_mapping_write(slices, oom_input("m.fix.gz"), &err));
    test_file("in-plain.shares", "1\n2\n3\n4\n5\n");
    test_file("in-metis.shares", "0-1 = 0.2\n3 = 0.3\n");
    test_file("in-plain.bounds", "1\n-1\n3\n-1\n5\n");
}

static void make_objects(void)
{
    enum { room = 4 * n + 100 };
    ints = calloc(room, sizeof *ints);
    more_ints = calloc(room, sizeof *more_ints);
    longs = calloc(room, sizeof *longs);
    more_longs = calloc(room, sizeof *more_longs);
    undirected_csr = make_grid(CLEAVE_UNDIRECTED, side);
    dag_csr = make_grid(CLEAVE_DAG, side);
    spoil(&unsorted_csr, false);
    spoil(&faulty_csr, true);
    require(cleave_graph_create(&undirected, &undirected_csr, 0, &err));
    require(cleave_graph_create(&dag, &dag_csr, 0, &err));
    for (int32_t v = 0; v < n; v++)
        more_ints[v] = v * k / n;
    require(cleave_mapping_create(&slices, n, k, more_ints, &err));
    /* Each vertex in a part of its own, numbered along the arcs, and parts to spare. */
    for (int32_t v = 0; v < n; v++)
        more_ints[v] = v + v / 100;
    require(cleave_mapping_create(&many, n, n + 60, more_ints, &err));
    for (int32_t v = 0; v < n; v++)
        more_ints[v] = (v / side + v % side) % 3;
    require(cleave_mapping_create(&checkers, n, 3, more_ints, &err));
    for (int64_t a = 0; a < undirected_csr.xadj[n]; a++)
        ((double *)longs)[a] = (double)a;
    cleave_matrix_csr csr = {
        sizeof csr, n, n, unsorted_csr.xadj, unsorted_csr.adj, (double *)longs,
    };
    require(cleave_matrix_create(&matrix, &csr, &err));
}

static void record_trace(void)
{
    static const cleave_schedule_costs cheap = {.size = sizeof cheap, .sync = 1};
    trsv_system s = trsv_system_make(6, 60, 0, 3);
    cleave_run_options opt;
    cleave_trsv *plan = NULL;
    cleave_run_options_init(&opt, sizeof opt);
    opt.method = "levels";
    opt.threads = 2;
    opt.costs = &cheap;
    require(cleave_trsv_create(&plan, &s.t, &opt, &err));
    require(cleave_trsv_trace(&solve_trace, plan, &err));
    cleave_trsv_free(plan);
    trsv_system_free(&s);
}

void oom_objects_free(void)
{
    free((void *)unsorted_csr.adj);
    free((void *)unsorted_csr.ewgt);
    free((void *)faulty_csr.adj);
    free((void *)faulty_csr.ewgt);
    csr_free(&undirected_csr);
    csr_free(&dag_csr);
    cleave_graph_free(undirected);
    cleave_graph_free(dag);
    cleave_mapping_free(slices);
    cleave_mapping_free(checkers);
    cleave_mapping_free(many);
    cleave_matrix_free(matrix);
    cleave_trace_free(solve_trace);
    free(ints);
    free(more_ints);
    free(longs);
    free(more_longs);
}

enum { small = 16, smalls = small * small }; /* a small grid: every allocation fails once */

/* Weights near 2^30, which are free()d with the rest of it. */
static const int32_t *near_limit(const int32_t *old, int64_t count)
{
    int32_t *weight = realloc((void *)old, (size_t)count * sizeof *weight);
    if (!weight)
        abort();
    for (int64_t i = 0; i < count; i++)
        weight[i] = INT32_MAX / 2;
    return weight;
}

void oom_make_wide(cleave_csr *csr)
{
    csr->ewgt = near_limit(csr->ewgt, csr->xadj[csr->nvtx]);
    csr->vwgt = near_limit(csr->vwgt, (int64_t)csr->nvtx * csr->ncon);
    csr->vsize = near_limit(csr->vsize, csr->nvtx);
}

void oom_demands_make(oom_demands *d, const char *detail)
{
    static int32_t fixed[smalls], groups[smalls], part[smalls];
    static const int64_t min[] = {60, 60, 60, -1}, max[] = {70, 68, 68, 68};
    static const double shares[] = {1, 1, 1, 1, 1, 1, 1, 1};
    memset(d, 0, sizeof *d);
    cleave_csr csr = make_grid(strstr(detail, "dag") ? CLEAVE_DAG : CLEAVE_UNDIRECTED, small);
    csr.ncon = strstr(detail, "several") ? 2 : 1;
    if (csr.ncon == 1) {
        free((void *)csr.vwgt);
        csr.vwgt = NULL;
    }
    if (strstr(detail, "wide"))
        oom_make_wide(&csr);
    require(cleave_graph_create(&d->g, &csr, 0, &err));
    csr_free(&csr);
    for (int32_t v = 0; v < smalls; v++) {
        part[v] = v / (smalls / 4);
        fixed[v] = v % 50 == 0 ? v / (smalls / 4) : -1;
        groups[v] = v % 16 < 4 ? v / 16 : -1;
    }
    require(cleave_target_parse(&d->t,
                                strstr(detail, "speeds") ? "3,2,2,1"
                                : strstr(detail, "many") ? "1000"
                                                         : "4",
                                &err));
    require(cleave_mapping_create(&d->start, smalls, 4, part, &err));
    cleave_options_init(&d->opt, sizeof d->opt);
    cleave_constraints_init(&d->constraints, sizeof d->constraints);
    d->opt.constraints = &d->constraints;
    d->opt.effort = strstr(detail, "fast")      ? CLEAVE_EFFORT_FAST
                    : strstr(detail, "quality") ? CLEAVE_EFFORT_QUALITY
                                                : CLEAVE_EFFORT_DEFAULT;
    d->opt.imbalance = 0.1;
    d->opt.threads = strstr(detail, "threads") ? 3 : 1;
    d->opt.objective =
        strstr(detail, "volume") ? CLEAVE_OBJECTIVE_VOLUME : CLEAVE_OBJECTIVE_CUT;
    d->opt.method = strstr(detail, "method") ? strstr(detail, "method") + 7 : NULL;
    d->constraints.fixed = strstr(detail, "fixed") ? fixed : NULL;
    d->constraints.groups = strstr(detail, "groups") ? groups : NULL;
    d->constraints.start = strstr(detail, "start") ? d->start : NULL;
    d->constraints.connected = strstr(detail, "connected") != NULL;
    d->constraints.min = strstr(detail, "bounds") ? min : NULL;
    d->constraints.max = strstr(detail, "bounds") ? max : NULL;
    d->constraints.shares = strstr(detail, "several") ? shares : NULL;
}

void oom_demands_free(oom_demands *d)
{
    cleave_graph_free(d->g);
    cleave_target_free(d->t);
    cleave_mapping_free(d->start);
}

cleave_status oom_write_plot(const char *path, bool profile, cleave_error *e)
{
    static const double x[] = {1, 2, 4}, y[] = {3, 1, 2};
    static const char *const labels[] = {"a", "b", NULL}, *const names[] = {"one"};
    cleave_series series;
    cleave_series_init(&series, sizeof series);
    series.name = "all";
    series.count = 3;
    series.x = x;
    series.y = y;
    series.labels = labels;
    return profile ? cleave_plot_write_profile(path, 1, names, 3, x, NULL, e)
                   : cleave_plot_write(path, 1, &series, NULL, e);
}

bool oom_objects_make(void)
{
    make_objects();
    record_trace();
    write_files();
    write_constraints();
    return good;
}

cleave_status graph_result(cleave_status status, cleave_graph *g, uint64_t *result)
{
    CHECK((g != NULL) == (status == CLEAVE_OK));
    if (g)
        *result = graph_digest(g);
    cleave_graph_free(g);
    return status;
}

cleave_status mapping_result(cleave_status status, cleave_mapping *m, uint64_t *result)
{
    CHECK((m != NULL) == (status == CLEAVE_OK));
    if (m)
        *result = bytes_digest(cleave_mapping_parts(m),
                               (size_t)cleave_mapping_vertices(m) * sizeof(int32_t));
    cleave_mapping_free(m);
    return status;
}
