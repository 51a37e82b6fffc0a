/* SPDX-License-Identifier: Apache-2.0 */
/* Many threads share graphs, mappings and files, and all get the result of a single thread;
 * the number of threads of a call does not change the result either.  Also for
 * ThreadSanitizer. */
#include <pthread.h>

#include "api/api_support.h"
#include "support/test.h"

enum { nthreads = 8, rounds = 2, side = 50, n = side * side, k = 7 };

static cleave_error err;
static cleave_csr undirected_csr, dag_csr;
static cleave_graph *undirected, *dag;
static cleave_mapping *slices;
static cleave_matrix *matrix;
static int32_t every_second[n / 3];

static void path_in_scratch(char path[4200], const char *name)
{
    snprintf(path, 4200, "%s/%s", test_scratch(), name);
}

static uint64_t mix(uint64_t sum, const void *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sum = (sum ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
    return sum;
}

/* ---- What every thread does --------------------------------------------------------- */

/* Each returns a digest of its result; 0: it failed.  member: for names of its own. */
typedef uint64_t (*job)(const char *detail, int member);

static uint64_t finish(cleave_status status, cleave_graph *g)
{
    uint64_t sum = status == CLEAVE_OK ? graph_digest(g) : 0;
    cleave_graph_free(g);
    return sum;
}

static uint64_t job_evaluate(const char *detail, int member)
{
    (void)member;
    const cleave_graph *g = strcmp(detail, "dag") == 0 ? dag : undirected;
    cleave_metrics metrics;
    memset(&metrics, 0, sizeof metrics);
    cleave_metrics_init(&metrics, sizeof metrics);
    int64_t weight[k], volume[k];
    int32_t pieces[k];
    if (cleave_evaluate(&metrics, g, slices, NULL, NULL) != CLEAVE_OK ||
        cleave_evaluate_parts(g, slices, weight, volume, pieces, NULL) != CLEAVE_OK)
        return 0;
    uint64_t sum = mix(1, &metrics.cut, sizeof metrics.cut);
    sum = mix(sum, &metrics.volume, sizeof metrics.volume);
    sum = mix(sum, &metrics.imbalance, sizeof metrics.imbalance);
    sum = mix(sum, &metrics.critical_path, sizeof metrics.critical_path);
    sum = mix(mix(sum, weight, sizeof weight), volume, sizeof volume);
    return mix(sum, pieces, sizeof pieces);
}

static uint64_t job_algorithms(const char *detail, int member)
{
    (void)detail;
    (void)member;
    int32_t *values = malloc(4 * n * sizeof *values), count[3] = {0};
    bool good = cleave_graph_components(undirected, values, &count[0], NULL) == CLEAVE_OK &&
                cleave_graph_topological_order(dag, values + n, NULL) == CLEAVE_OK &&
                cleave_graph_levels(dag, CLEAVE_LEVELS_ALAP, values + 2 * n, &count[1],
                                    NULL) == CLEAVE_OK &&
                cleave_strong_components(n, dag_csr.xadj, dag_csr.adj, values + 3 * n,
                                         &count[2], NULL) == CLEAVE_OK;
    uint64_t sum = good ? mix(mix(1, values, 4 * n * sizeof *values), count, sizeof count) : 0;
    free(values);
    return sum;
}

static uint64_t job_derive(const char *detail, int member)
{
    (void)member;
    cleave_graph *g = NULL;
    cleave_status status = CLEAVE_EINVAL;
    if (strcmp(detail, "transpose") == 0)
        status = cleave_graph_transpose(&g, dag, NULL);
    else if (strcmp(detail, "quotient") == 0)
        status = cleave_graph_quotient(&g, dag, slices, NULL);
    else if (strcmp(detail, "subgraph") == 0)
        status = cleave_graph_subgraph(&g, undirected, n / 3, every_second, NULL);
    return finish(status, g);
}

/* The same arrays, borrowed by all. */
static uint64_t job_borrow(const char *detail, int member)
{
    (void)member;
    cleave_graph *g;
    cleave_status status = cleave_graph_create(
        &g, strcmp(detail, "dag") == 0 ? &dag_csr : &undirected_csr, CLEAVE_BORROW, NULL);
    return finish(status, g);
}

/* Reads the same file; odd members request several threads. */
static uint64_t job_read(const char *detail, int member)
{
    static const int threads[] = {1, 2, 8, 0};
    char path[4200];
    path_in_scratch(path, detail);
    cleave_read_options opt;
    cleave_read_options_init(&opt, sizeof opt);
    opt.threads = threads[member % 4];
    opt.as = strncmp(detail, "d.", 2) == 0 && strcmp(detail, "d.clv") != 0 ? "dag" : NULL;
    cleave_graph *g;
    cleave_status status = cleave_graph_read(&g, path, &opt, NULL);
    return finish(status, g);
}

static uint64_t file_digest(const char *path)
{
    static const size_t room = 1 << 22;
    FILE *file = fopen(path, "rb");
    char *bytes = malloc(room);
    size_t count = file ? fread(bytes, 1, room, file) : 0;
    if (file)
        fclose(file);
    uint64_t sum = count > 0 && count < room ? mix(1, bytes, count) : 0;
    free(bytes);
    return sum;
}

/* Each to a file of its own. */
static uint64_t job_write(const char *detail, int member)
{
    char path[4200], name[64];
    snprintf(name, sizeof name, "out%d-%s", member, detail);
    path_in_scratch(path, name);
    const cleave_graph *g = strncmp(detail, "d.", 2) == 0 ? dag : undirected;
    if (cleave_graph_write(g, path, NULL, NULL) != CLEAVE_OK)
        return 0;
    uint64_t sum = file_digest(path);
    remove(path);
    return sum;
}

/* All write the same file, which is complete at any time. */
static uint64_t job_write_same(const char *detail, int member)
{
    char path[4200];
    path_in_scratch(path, detail);
    if (member % 2 == 0 && cleave_graph_write(undirected, path, NULL, NULL) != CLEAVE_OK)
        return 0;
    cleave_graph *g;
    cleave_status status = cleave_graph_read(&g, path, NULL, NULL);
    return finish(status, g);
}

/* Everybody partitions the same graph, with threads of its own or without. */
static uint64_t job_map(const char *detail, int member)
{
    static const int threads[] = {1, 2, 3, 0};
    cleave_target *t;
    cleave_mapping *m;
    cleave_options opt;
    cleave_options_init(&opt, sizeof opt);
    opt.threads = threads[member % 4];
    opt.effort = strcmp(detail, "fast") == 0 ? CLEAVE_EFFORT_FAST : CLEAVE_EFFORT_DEFAULT;
    if (cleave_target_create(&t, k, NULL, NULL) != CLEAVE_OK)
        return 0;
    cleave_status status = cleave_map(&m, undirected, t, &opt, NULL);
    uint64_t sum =
        m ? mix(mix(1, &status, sizeof status), cleave_mapping_parts(m), n * sizeof(int32_t))
          : 0;
    cleave_mapping_free(m);
    cleave_target_free(t);
    return sum;
}

static cleave_target *torus;

static uint64_t job_target(const char *detail, int member)
{
    (void)member;
    cleave_target_metrics metrics;
    memset(&metrics, 0, sizeof metrics);
    cleave_target_metrics_init(&metrics, sizeof metrics);
    const cleave_graph *g = strcmp(detail, "dag") == 0 ? dag : undirected;
    cleave_status status = cleave_evaluate_target(&metrics, g, slices, torus, NULL);
    return status == CLEAVE_OK ? mix(1, &metrics, sizeof metrics) : 0;
}

static uint64_t job_matrix(const char *detail, int member)
{
    char path[4200], name[64];
    (void)detail;
    snprintf(name, sizeof name, "matrix%d.mtx", member);
    path_in_scratch(path, name);
    cleave_matrix *a;
    if (cleave_matrix_write(matrix, path, NULL) != CLEAVE_OK ||
        cleave_matrix_read(&a, path, NULL, NULL) != CLEAVE_OK)
        return 0;
    cleave_matrix_csr view = {.size = sizeof view};
    cleave_matrix_view(a, &view);
    uint64_t sum = mix(1, view.val, (size_t)view.xadj[n] * sizeof *view.val);
    cleave_matrix_free(a);
    return sum;
}

static uint64_t job_mapping(const char *detail, int member)
{
    char path[4200], name[64];
    snprintf(name, sizeof name, "mapping%d.%s", member, detail);
    path_in_scratch(path, name);
    cleave_mapping *m;
    if (cleave_mapping_write(slices, path, NULL) != CLEAVE_OK ||
        cleave_mapping_read(&m, path, n, k, NULL) != CLEAVE_OK)
        return 0;
    uint64_t sum = mix(1, cleave_mapping_parts(m), n * sizeof(int32_t));
    cleave_mapping_free(m);
    return sum;
}

/* Each caller gets its own messages. */
static uint64_t job_complain(const char *detail, int member)
{
    (void)detail;
    char path[4200], name[64];
    snprintf(name, sizeof name, "absent%d.graph", member);
    path_in_scratch(path, name);
    cleave_graph *g;
    cleave_error e = {.status = CLEAVE_OK};
    if (cleave_graph_read(&g, path, NULL, &e) != CLEAVE_EIO || g || !strstr(e.message, name))
        return 0;
    return 1;
}

static const struct {
    job job;
    const char *detail;
} jobs[] = {
    {job_evaluate, "undirected"},
    {job_evaluate, "dag"},
    {job_algorithms, ""},
    {job_derive, "transpose"},
    {job_derive, "quotient"},
    {job_derive, "subgraph"},
    {job_borrow, "undirected"},
    {job_borrow, "dag"},
    {job_read, "u.graph"},
    {job_read, "u.graph.gz"},
    {job_read, "u.mtx"},
    {job_read, "u.edges"},
    {job_read, "u.dot"},
    {job_read, "u.clv"},
    {job_read, "d.dot"},
    {job_read, "d.clv"},
    {job_read, "d.edges"},
    {job_write, "u.graph"},
    {job_write, "u.mtx"},
    {job_write, "d.dot"},
    {job_write, "d.clv"},
    {job_write, "u.edges.gz"},
    {job_matrix, ""},
    {job_mapping, "part"},
    {job_mapping, "map"},
    {job_write_same, "same.clv"},
    {job_map, "fast"},
    {job_map, "default"},
    {job_target, "undirected"},
    {job_target, "dag"},
    {job_complain, ""},
};
enum { njobs = sizeof jobs / sizeof *jobs };

/* ---- All at once -------------------------------------------------------------------- */

static uint64_t alone[njobs];

typedef struct member {
    pthread_t thread;
    int number;
    uint64_t seen[rounds][njobs];
} member;

static pthread_barrier_t start;

/* CHECK counts without a lock: threads only note what they saw. */
static void *work(void *context)
{
    member *m = context;
    pthread_barrier_wait(&start);
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < njobs; i++) {
            /* In the first round everybody does the same, later something else. */
            int j = round == 0 ? i : (i + m->number * round * 5) % njobs;
            m->seen[round][j] = jobs[j].job(jobs[j].detail, m->number);
        }
    return NULL;
}

static void test_alone(void)
{
    for (int i = 0; i < njobs; i++) {
        alone[i] = jobs[i].job(jobs[i].detail, 0);
        if (alone[i] == 0)
            fprintf(stderr, "job %d (%s)\n", i, jobs[i].detail);
        CHECK(alone[i] != 0);
    }
    CHECK(alone[0] != alone[1]);
}

static void test_together(void)
{
    static member members[nthreads];
    pthread_barrier_init(&start, NULL, nthreads);
    for (int t = 0; t < nthreads; t++) {
        members[t].number = t;
        REQUIRE(pthread_create(&members[t].thread, NULL, work, &members[t]) == 0);
    }
    for (int t = 0; t < nthreads; t++)
        pthread_join(members[t].thread, NULL);
    pthread_barrier_destroy(&start);
    for (int t = 0; t < nthreads; t++)
        for (int round = 0; round < rounds; round++)
            for (int i = 0; i < njobs; i++) {
                if (members[t].seen[round][i] != alone[i])
                    fprintf(stderr, "thread %d, job %d (%s)\n", t, i, jobs[i].detail);
                CHECK(members[t].seen[round][i] == alone[i]);
            }
}

/* ---- The threads of one call -------------------------------------------------------- */

static void same_for_all_threads(const char *name)
{
    static const int threads[] = {1, 2, 3, 8, 0};
    char path[4200];
    path_in_scratch(path, name);
    uint64_t first = 0;
    for (int i = 0; i < 5; i++) {
        cleave_read_options opt;
        cleave_read_options_init(&opt, sizeof opt);
        opt.threads = threads[i];
        cleave_graph *g;
        REQUIRE_OK(cleave_graph_read(&g, path, &opt, &err));
        uint64_t sum = graph_digest(g);
        first = i == 0 ? sum : first;
        CHECK(sum == first);
        cleave_graph_free(g);
    }
}

static void test_determinism(void)
{
    cleave_csr csr = make_grid(CLEAVE_UNDIRECTED, 260); /* megabytes of text */
    static const char *const names[] = {"big.graph", "big.mtx", "big.edges", "big.dot",
                                        "big.clv"};
    cleave_graph *g;
    REQUIRE_OK(cleave_graph_create(&g, &csr, CLEAVE_BORROW, &err));
    for (int i = 0; i < 5; i++) {
        char path[4200];
        path_in_scratch(path, names[i]);
        CHECK_OK(cleave_graph_write(g, path, NULL, &err));
        same_for_all_threads(names[i]);
    }
    cleave_graph_free(g);
    csr_free(&csr);
}

/* ---- Making what is shared ---------------------------------------------------------- */

static void write_input(const cleave_graph *g, const char *name)
{
    char path[4200];
    path_in_scratch(path, name);
    CHECK_OK(cleave_graph_write(g, path, NULL, &err));
}

static void make_objects(void)
{
    static const char *const of_undirected[] = {"u.graph", "u.graph.gz", "u.mtx",   "u.edges",
                                                "u.dot",   "u.clv",      "same.clv"};
    static int32_t part[n];
    undirected_csr = make_grid(CLEAVE_UNDIRECTED, side);
    dag_csr = make_grid(CLEAVE_DAG, side);
    CHECK_OK(cleave_graph_create(&undirected, &undirected_csr, 0, &err));
    CHECK_OK(cleave_graph_create(&dag, &dag_csr, 0, &err));
    for (int32_t v = 0; v < n; v++)
        part[v] = v * k / n;
    for (int32_t i = 0; i < n / 3; i++)
        every_second[i] = 2 * i;
    CHECK_OK(cleave_mapping_create(&slices, n, k, part, &err));
    CHECK_OK(cleave_target_parse(&torus, "torus:4x4", &err));
    double *val = malloc((size_t)undirected_csr.xadj[n] * sizeof *val);
    for (int64_t a = 0; a < undirected_csr.xadj[n]; a++)
        val[a] = 1.0 / (double)(a + 1);
    cleave_matrix_csr csr = {sizeof csr, n, n, undirected_csr.xadj, undirected_csr.adj, val};
    CHECK_OK(cleave_matrix_create(&matrix, &csr, &err));
    free(val);
    for (size_t i = 0; i < sizeof of_undirected / sizeof *of_undirected; i++)
        write_input(undirected, of_undirected[i]);
    write_input(dag, "d.dot");
    write_input(dag, "d.clv");
    write_input(dag, "d.edges");
}

int main(void)
{
    test_file("scratch", "");
    make_objects();
    RUN(test_alone);
    RUN(test_together);
    RUN(test_determinism);
    cleave_graph_free(undirected);
    cleave_graph_free(dag);
    cleave_mapping_free(slices);
    cleave_target_free(torus);
    cleave_matrix_free(matrix);
    csr_free(&undirected_csr);
    csr_free(&dag_csr);
    return test_end();
}
