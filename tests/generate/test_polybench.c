/* SPDX-License-Identifier: Apache-2.0 */
/* The PolyBench DAGs: all 23 against the published table, small ones against traces written by
 * hand, one against a file of another tracer; limits of the tracer. */
#include "generate/polybench.h"
#include "generate/trace.h"
#include "graph/sample.h"
#include "support/test.h"

static cleave_error err;

/* ---- Table I ----------------------------------------------------------------------- */

typedef struct published {
    const char *name;
    int32_t vertices;
    int64_t edges;
    int64_t out_degree; /* the largest */
    const char *sizes;  /* where the printed letters mislead, what they must be */
} published;

static const published table[] = {
    {"2mm", 36500, 62200, 40, "NI=10 NJ=20 NK=30 NL=40"},
    {"3mm", 111900, 214600, 40, "NI=10 NJ=20 NK=30 NL=40 NM=50"},
    {"adi", 596695, 1059590, 109760, "TSTEPS=20 N=30"},
    {"atax", 241730, 385960, 230, "M=210 N=230"},
    {"covariance", 191600, 368775, 70, "M=50 N=70"},
    {"doitgen", 123400, 237000, 150, "NR=10 NQ=15 NP=20"},
    {"durbin", 126246, 250993, 252, "N=250"},
    {"fdtd-2d", 256479, 436580, 60, "TSTEPS=20 NX=30 NY=40"},
    {"gemm", 1026800, 1684200, 70, "NI=60 NJ=70 NK=80"},
    {"gemver", 159480, 259440, 120, "N=120"},
    {"gesummv", 376000, 500500, 500, "N=250"},
    {"heat-3d", 308480, 491520, 20, "TSTEPS=20 N=10"},
    {"jacobi-1d", 239202, 398000, 100, "TSTEPS=100 N=400"},
    {"jacobi-2d", 157808, 282240, 20, "TSTEPS=20 N=30"},
    {"lu", 344520, 676240, 79, "N=80"},
    {"ludcmp", 357320, 701680, 80, "N=80"},
    {"mvt", 200800, 320000, 200, "N=200"},
    {"seidel-2d", 261520, 490960, 60, "TSTEPS=20 N=40"},
    {"symm", 254020, 440400, 120, "M=40 N=60"},
    {"syr2k", 111000, 180900, 60, "M=20 N=30"},
    {"syrk", 594480, 975240, 81, "M=60 N=80"},
    {"trisolv", 240600, 320000, 399, "N=400"},
    {"trmm", 294570, 571200, 80, "M=60 N=80"},
};
enum { ntable = sizeof table / sizeof table[0] };

static int index_of(const char *name)
{
    for (int i = 0; clv_generate_polybench_name(i); i++)
        if (strcmp(clv_generate_polybench_name(i), name) == 0)
            return i;
    return -1;
}

static int count_parameters(int i)
{
    int count = 0;
    while (clv_generate_polybench_parameter(i, count, NULL))
        count++;
    return count;
}

/* "M=40 N=60", static. */
static const char *show_parameters(int i)
{
    static char text[128];
    char *to = text;
    int size;
    text[0] = '\0';
    for (int p = 0; clv_generate_polybench_parameter(i, p, &size); p++)
        to += sprintf(to, "%s%s=%d", p ? " " : "",
                      clv_generate_polybench_parameter(i, p, NULL), size);
    return text;
}

static int64_t largest_row(int32_t nvtx, const int64_t *xadj)
{
    int64_t largest = 0;
    for (int32_t v = 0; v < nvtx; v++)
        if (xadj[v + 1] - xadj[v] > largest)
            largest = xadj[v + 1] - xadj[v];
    return largest;
}

/* Numbers ascend along arcs: that is acyclic, and the order in which work was done. */
static int arcs_ascend(const clv_graph *g)
{
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (g->adj[a] <= v)
                return 0;
    return 1;
}

static void check_shape(const clv_graph *g)
{
    CHECK_EQ(g->kind, CLEAVE_DAG);
    CHECK(arcs_ascend(g));
    CHECK(largest_row(g->nvtx, g->xpred) <= 2);
    CHECK(!g->ewgt && !g->pwgt && !g->vwgt && !g->vsize && !g->coords && !g->format);
    const char *fault = sample_fault(g);
    CHECK_STR(fault ? fault : "none", "none");
}

static void test_table(void)
{
    CHECK_EQ(ntable, 23);
    for (int i = 0; i < ntable; i++) {
        const published *row = &table[i];
        clv_graph *g = NULL;
        CHECK_OK(clv_generate_polybench(&g, row->name, NULL, 0, &err));
        if (!g)
            continue;
        int before = test_failures_;
        CHECK_EQ(g->nvtx, row->vertices);
        CHECK_EQ(clv_graph_edges(g), row->edges);
        CHECK_EQ(largest_row(g->nvtx, g->xadj), row->out_degree);
        CHECK_STR(show_parameters(index_of(row->name)), row->sizes);
        check_shape(g);
        if (test_failures_ > before)
            fprintf(stderr, "  that was %s\n", row->name);
        /* The public algorithm agrees that it is a DAG. */
        int32_t *level = malloc((size_t)g->nvtx * sizeof *level);
        CHECK_OK(cleave_graph_levels(g, CLEAVE_LEVELS_TOP, level, NULL, &err));
        free(level);
        clv_graph_free(g);
    }
}

static void test_names(void)
{
    int count = 0;
    while (clv_generate_polybench_name(count))
        count++;
    CHECK_EQ(count, ntable);
    CHECK(clv_generate_polybench_name(-1) == NULL);
    CHECK(clv_generate_polybench_parameter(count, 0, NULL) == NULL);
    CHECK(clv_generate_polybench_parameter(0, -1, NULL) == NULL);
    CHECK(clv_generate_polybench_parameter(0, 99, NULL) == NULL);
}

/* ---- Small traces by hand ---------------------------------------------------------- */

/* "6: 0>1 1>2", arcs by tail. */
static const char *show_kernel(const char *name, int nsizes, const int *sizes)
{
    static char text[4096];
    clv_graph *g = NULL;
    if (clv_generate_polybench(&g, name, sizes, nsizes, &err) != CLEAVE_OK)
        return err.message;
    char *to = text + sprintf(text, "%d:", (int)g->nvtx);
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1] && to < text + sizeof text - 32; a++)
            to += sprintf(to, " %d>%d", (int)v, (int)g->adj[a]);
    clv_graph_free(g);
    return text;
}

#define SHOW(name, ...)                                                                       \
    show_kernel(name, (int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)), (int[]){__VA_ARGS__})

static void test_by_hand(void)
{
    /* 0 C, 1 C*beta, 2 A, 3 alpha*A, 4 B, 5 3*B, 6 C+ */
    CHECK_STR(SHOW("gemm", 1, 1, 1), "7: 0>1 1>6 2>3 3>5 4>5 5>6");
    /* 0 b0, 1 L00, 2 x0 = b0/L00; 3 L10, 4 L10*x0, 5 b1, 6 b1-4, 7 L11, 8 x1 */
    CHECK_STR(SHOW("trisolv", 2), "9: 0>2 1>2 2>4 3>4 4>6 5>6 6>8 7>8");
    /* 0 r0, 1 y0 = -r0, 2 alpha = -r0 */
    CHECK_STR(SHOW("durbin", 1), "3: 0>1 0>2");
    /* 3 alpha*alpha (one arc), 4 1-3, 5 beta = 4*1; 6 r0*y0, 7 0+6; 8 r1, 9 r1+7, 10 -9,
     * 11 alpha = 10/5; 12 11*y0, 13 z0 = y0+12 */
    CHECK_STR(SHOW("durbin", 2), "14: 0>1 0>2 0>6 1>6 1>12 1>13 2>3 3>4 4>5 5>11 6>7 7>9 8>9 "
                                 "9>10 10>11 11>12 12>13");
    /* 0 A10, 1 A00, 2 l = A10/A00; 3 A01, 4 l*A01, 5 A11, 6 A11-4 */
    CHECK_STR(SHOW("lu", 2), "7: 0>2 1>2 2>4 3>4 4>6 5>6");
    /* Nothing is computed. */
    CHECK_STR(SHOW("lu", 1), "0:");
    CHECK_STR(SHOW("jacobi-1d", 5, 2), "0:");
    CHECK_STR(SHOW("heat-3d", 2, 1), "0:");
    CHECK_STR(SHOW("fdtd-2d", 3, 1, 1), "0:");
    /* 0 A0, 1 A1, 2 A0+A1, 3 A2, 4 2+A2, 5 B1; then 6 B0, 7 B0+B1, 8 B2, 9 7+B2, 10 A1 */
    CHECK_STR(SHOW("jacobi-1d", 1, 3), "11: 0>2 1>2 2>4 3>4 4>5 5>7 6>7 7>9 8>9 9>10");
    /* 0 data, 1 0+data, 2 mean = 1/n, 3 data-mean, 4 its square (one arc), 5 0+4,
     * 6 n-1 (nothing but constants), 7 5/6 */
    CHECK_STR(SHOW("covariance", 1, 1), "8: 0>1 0>3 1>2 2>3 3>4 4>5 5>7 6>7");
    /* 0 C, 1 beta*C, 2 B, 3 alpha*B, 4 A, 5 3*A, 6 1+5, 7 alpha*temp2 (constant), 8 6+7 */
    CHECK_STR(SHOW("symm", 1, 1), "9: 0>1 1>6 2>3 3>5 4>5 5>6 6>8 7>8");
    /* 0 B, 1 alpha*B */
    CHECK_STR(SHOW("trmm", 1, 1), "2: 0>1");
    /* The scalars of adi alone: dx dy dt, b*dt twice, dx*dx, mul1, dy*dy, mul2, and then
     * -mul/2 and 1+mul of each. */
    CHECK_STR(SHOW("adi", 3, 2), "15: 0>5 1>7 2>3 2>4 3>6 4>8 5>6 6>9 6>11 7>8 8>12 8>14 9>10 "
                                 "12>13");
}

/* The numbers of the vertices are part of the promise "same result on any machine": one
 * number for the rows of all kernels at small sizes. */
static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static uint64_t hash_rows(uint64_t hash, const clv_graph *g)
{
    for (int32_t v = 0; v < g->nvtx; v++) {
        hash = mix(hash, (uint64_t)v);
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            hash = mix(hash, (uint64_t)g->adj[a]);
    }
    return hash;
}

static void test_numbering(void)
{
    static const int sizes[] = {3, 5, 4, 6, 2};
    uint64_t hash = 0;
    for (int i = 0; i < ntable; i++) {
        clv_graph *g = NULL;
        REQUIRE_OK(clv_generate_polybench(&g, table[i].name, sizes,
                                          count_parameters(index_of(table[i].name)), &err));
        hash = hash_rows(hash, g);
        clv_graph_free(g);
    }
    CHECK_EQ(hash, 4436779024556358146);
}

/* Every kernel at every combination of sizes from 1 to 4: empty loops, single elements. */
static void test_small_sizes(void)
{
    for (int i = 0; clv_generate_polybench_name(i); i++) {
        int sizes[8] = {1, 1, 1, 1, 1, 1, 1, 1}, count = count_parameters(i), p;
        do {
            clv_graph *g = NULL;
            REQUIRE_OK(clv_generate_polybench(&g, clv_generate_polybench_name(i), sizes, count,
                                              &err));
            check_shape(g);
            clv_graph_free(g);
            for (p = 0; p < count && ++sizes[p] > 4; p++)
                sizes[p] = 1;
        } while (p < count);
    }
}

/* ---- Somebody else's tracer -------------------------------------------------------- */

enum { rounds = 6 };

static int compare_hashes(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Colours that depend on the graph but not on its numbering: a vertex takes in the colours
 * of its successors and predecessors, a few times over.  Sorted at the end. */
static uint64_t *colours(const clv_graph *g)
{
    uint64_t *colour = calloc((size_t)g->nvtx, sizeof *colour);
    uint64_t *next = calloc((size_t)g->nvtx, sizeof *next);
    for (int round = 0; round < rounds; round++) {
        for (int32_t v = 0; v < g->nvtx; v++) {
            uint64_t out = 0, in = 0;
            for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
                out += mix(1, colour[g->adj[a]]);
            for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
                in += mix(2, colour[g->pred[a]]);
            next[v] = mix(mix(mix(3, colour[v]), out), in);
        }
        uint64_t *swap = colour;
        colour = next;
        next = swap;
    }
    free(next);
    qsort(colour, (size_t)g->nvtx, sizeof *colour, compare_hashes);
    return colour;
}

static void compare_levels(const clv_graph *a, const clv_graph *b)
{
    int32_t *level[2], depth[2];
    const clv_graph *g[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        level[i] = malloc((size_t)g[i]->nvtx * sizeof **level);
        CHECK_OK(cleave_graph_levels(g[i], CLEAVE_LEVELS_TOP, level[i], &depth[i], &err));
    }
    CHECK_EQ(depth[0], depth[1]);
    if (depth[0] == depth[1]) {
        int64_t *difference = calloc((size_t)depth[0], sizeof *difference);
        for (int32_t v = 0; v < a->nvtx; v++) {
            difference[level[0][v]]++;
            difference[level[1][v]]--;
        }
        for (int32_t d = 0; d < depth[0]; d++)
            CHECK_EQ(difference[d], 0);
        free(difference);
    }
    free(level[0]);
    free(level[1]);
}

static void test_foreign_trace(void)
{
    cleave_graph *theirs = NULL;
    clv_graph *ours = NULL;
    const char *path = test_shared("dag/2mm_10_20_30_40.dot.gz", 1);
    if (!path)
        return;
    REQUIRE_OK(cleave_graph_read(&theirs, path, NULL, &err));
    REQUIRE_OK(clv_generate_polybench(&ours, "2mm", NULL, 0, &err));
    CHECK_EQ(ours->nvtx, theirs->nvtx);
    CHECK_EQ(ours->narc, theirs->narc);
    if (ours->nvtx == theirs->nvtx) {
        compare_levels(ours, theirs);
        uint64_t *a = colours(ours), *b = colours(theirs);
        CHECK(memcmp(a, b, (size_t)ours->nvtx * sizeof *a) == 0);
        free(a);
        free(b);
    }
    clv_graph_free(ours);
    cleave_graph_free(theirs);
}

/* ---- Refusals ---------------------------------------------------------------------- */

static void check_refusal(const char *name, int nsizes, const int *sizes, cleave_status status,
                          const char *message)
{
    clv_graph *g = (clv_graph *)&err;
    CHECK_EQ(clv_generate_polybench(&g, name, sizes, nsizes, &err), status);
    CHECK(g == NULL);
    CHECK_STR(err.message, message);
    CHECK_EQ(clv_generate_polybench(&g, name, sizes, nsizes, NULL), status);
}

static void test_refusals(void)
{
    static const int huge[] = {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX};
    check_refusal("gem", 0, NULL, CLEAVE_EINVAL,
                  "unknown PolyBench kernel 'gem'; known are 2mm 3mm atax covariance "
                  "doitgen mvt gemm gemver gesummv symm syr2k syrk trmm durbin lu ludcmp "
                  "trisolv adi fdtd-2d heat-3d jacobi-1d jacobi-2d seidel-2d");
    check_refusal("gemm", 2, huge, CLEAVE_EINVAL,
                  "gemm takes 3 sizes, NI=60 NJ=70 NK=80 by default, not 2");
    check_refusal("lu", 0, huge, CLEAVE_EINVAL, "lu takes 1 size, N=80 by default, not 0");
    check_refusal("3mm", 6, huge, CLEAVE_EINVAL,
                  "3mm takes 5 sizes, NI=10 NJ=20 NK=30 NL=40 NM=50 by default, not 6");
    check_refusal("adi", 2, (int[]){3, 0}, CLEAVE_EINVAL,
                  "size N of adi must be at least 1, not 0");
    check_refusal("adi", 2, (int[]){-7, 3}, CLEAVE_EINVAL,
                  "size TSTEPS of adi must be at least 1, not -7");
    check_refusal("gemm", 3, (int[]){1000, 1000, 1000}, CLEAVE_ERANGE,
                  "gemm of this size has more than 2147483647 vertices");
    for (int i = 0; clv_generate_polybench_name(i); i++) {
        char message[128];
        const char *name = clv_generate_polybench_name(i);
        snprintf(message, sizeof message, "%s of this size has more than 2147483647 vertices",
                 name);
        check_refusal(name, count_parameters(i), huge, CLEAVE_ERANGE, message);
    }
}

/* ---- The tracer -------------------------------------------------------------------- */

static void test_trace_copies(void)
{
    clv_trace t;
    clv_graph *g = NULL;
    clv_trace_init(&t, 10);
    clv_value *a = clv_trace_array(&t, 2), *b = clv_trace_array(&t, 1);
    REQUIRE(a && b);
    b[0] = a[1];        /* copies name the same input */
    a[1] = CLV_LITERAL; /* which overwriting does not change */
    b[0] = clv_trace_operation(&t, b[0], b[0]);
    a[0] = clv_trace_operation(&t, a[1], CLV_LITERAL);
    CHECK_EQ(b[0], 1);
    CHECK_EQ(a[0], 2);
    REQUIRE_OK(clv_trace_graph(&g, &t, &err));
    CHECK_EQ(g->nvtx, 3); /* neither a[0] nor b[0] was read before it was written */
    CHECK_EQ(g->narc, 1);
    check_shape(g);
    clv_graph_free(g);
    clv_trace_free(&t);
}

static void test_trace_limits(void)
{
    clv_trace t;
    clv_graph *g = (clv_graph *)&err;
    clv_trace_init(&t, 2);
    for (int i = 0; i < 3; i++)
        clv_trace_operation(&t, CLV_LITERAL, CLV_LITERAL);
    CHECK(!clv_trace_ready(&t));
    CHECK_EQ(t.nvtx, 2);
    CHECK(clv_trace_array(&t, 1) == NULL);
    CHECK_EQ(clv_trace_graph(&g, &t, &err), CLEAVE_ERANGE);
    CHECK(g == NULL);
    clv_trace_free(&t);

    clv_trace_init(&t, 0);
    CHECK(clv_trace_array(&t, INT32_MAX) == NULL);
    CHECK_EQ(clv_trace_graph(&g, &t, &err), CLEAVE_ERANGE);
    clv_trace_free(&t);
}

static cleave_status generate(const void *name, cleave_error *error)
{
    clv_graph *g;
    cleave_status status = clv_generate_polybench(&g, name, (int[]){4, 3}, 2, error);
    CHECK_EQ(g != NULL, status == CLEAVE_OK);
    clv_graph_free(g);
    return status;
}

static void test_oom(void)
{
    test_oom_call(generate, "symm");
    test_oom_call(generate, "adi");
}

int main(void)
{
    RUN(test_table);
    RUN(test_names);
    RUN(test_by_hand);
    RUN(test_numbering);
    RUN(test_small_sizes);
    RUN(test_foreign_trace);
    RUN(test_refusals);
    RUN(test_trace_copies);
    RUN(test_trace_limits);
    RUN(test_oom);
    return test_end();
}
