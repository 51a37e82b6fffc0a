/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs from the caller's arrays: copied, borrowed, repaired or trusted, but never written.
 * The views of a graph for callers older and newer than the library. */
#include "api/api_support.h"
#include "base/rng.h"
#include "oracle/oracle_rows.h"
#include "support/test.h"

static cleave_error err;

static cleave_csr view_of(const cleave_graph *g)
{
    cleave_csr view;
    cleave_csr_init(&view, sizeof view);
    cleave_graph_view(g, &view);
    return view;
}

/* ---- Random arrays, every flag ------------------------------------------------------ */

typedef struct arrays {
    cleave_csr csr;
    int64_t xadj[16];
    int32_t adj[256], ewgt[256];
} arrays;

/* Rows of a random list, with or without each of the faults. */
static void random_arrays(arrays *in, oracle_rows *matrix, clv_rng *rng)
{
    int32_t n = (int32_t)clv_rng_below(rng, 9);
    bool weighted = clv_rng_below(rng, 2), clean = clv_rng_below(rng, 2);
    bool both = clv_rng_below(rng, 4) > 0, reversed = clv_rng_below(rng, 2);
    bool dag = clv_rng_below(rng, 3) == 0;
    int64_t count = 0;
    oracle_rows_clear(matrix, n, weighted);
    for (int32_t u = 0; u < n; u++)
        for (int32_t v = dag ? u + 1 : 0; v < n; v++) {
            uint32_t dice = clv_rng_below(rng, 6);
            if (dice > 2 || (clean && (u == v || (both && !dag && v < u))))
                continue;
            int32_t wgt = weighted ? (int32_t)clv_rng_below(rng, 5) : 1;
            for (uint32_t copies = clean ? 1 : 1 + dice / 2; copies > 0; copies--) {
                oracle_rows_add(matrix, u, v, wgt);
                if (both && u != v && !dag)
                    oracle_rows_add(matrix, v, u, wgt);
            }
        }
    cleave_csr_init(&in->csr, sizeof in->csr);
    in->csr = (cleave_csr){.size = sizeof in->csr, .nvtx = n, .ncon = 1};
    for (int32_t u = 0; u < n; u++) {
        in->xadj[u] = count;
        for (int32_t i = 0; i < n; i++) {
            int32_t v = reversed ? n - 1 - i : i;
            for (int64_t c = matrix->count[u][v]; c > 0; c--) {
                /* The weights of duplicate arcs sum to the entry of the matrix. */
                in->ewgt[count] = (int32_t)(matrix->sum[u][v] / matrix->count[u][v]);
                in->adj[count++] = v;
            }
        }
        for (int32_t v = 0; v < n; v++)
            matrix->sum[u][v] -=
                matrix->count[u][v] ? matrix->sum[u][v] % matrix->count[u][v] : 0;
    }
    in->xadj[n] = count;
    in->csr.xadj = in->xadj;
    in->csr.adj = in->adj;
    in->csr.ewgt = weighted ? in->ewgt : NULL;
}

static bool same_as_matrix(const cleave_csr *view, const oracle_graph *o)
{
    int64_t a = 0;
    for (int32_t v = 0; v < o->n; v++) {
        if (view->xadj[v] != a)
            return false;
        for (int32_t u = 0; u < o->n; u++)
            if (o->arc[v][u]) {
                if (a >= view->xadj[o->n] || view->adj[a] != u ||
                    (view->ewgt ? view->ewgt[a] : 1) != o->wgt[v][u])
                    return false;
                a++;
            }
    }
    return view->nvtx == o->n && view->xadj[o->n] == a;
}

static bool create_agrees(const arrays *in, const oracle_rows *matrix, cleave_kind kind,
                          unsigned flags)
{
    static oracle_outcome want;
    bool repair = flags & CLEAVE_REPAIR;
    oracle_rows_rules rules = {
        kind == CLEAVE_DAG,   repair || (flags & CLEAVE_DROP_LOOPS),  repair,
        flags & CLEAVE_TRUST, repair ? ORACLE_LARGER : ORACLE_REFUSE, false};
    oracle_rows_build(&want, matrix, &rules);
    cleave_csr cold = frozen_csr(&in->csr);
    cold.kind = kind;
    cleave_graph *g = (cleave_graph *)&err;
    cleave_status status = cleave_graph_create(&g, &cold, flags, &err);
    cleave_status expected = want.fault == ORACLE_FINE    ? CLEAVE_OK
                             : want.fault == ORACLE_CYCLE ? CLEAVE_ECYCLE
                                                          : CLEAVE_EINVAL;
    bool good = status == expected;
    if (status == CLEAVE_OK) {
        cleave_csr view = view_of(g);
        good = good && same_as_matrix(&view, &want.graph) && cleave_graph_kind(g) == kind;
        if (!(flags & CLEAVE_BORROW))
            good = good && view.xadj != cold.xadj && (view.adj != cold.adj);
    } else {
        good = good && g == NULL && err.message[0];
    }
    cleave_graph_free(status == CLEAVE_OK ? g : NULL);
    thaw();
    return good;
}

static void test_random_arrays(void)
{
    int made = 0, refused = 0;
    for (uint64_t seed = 0; seed < 4000; seed++) {
        static arrays in;
        static oracle_rows matrix;
        clv_rng rng = clv_rng_make(seed, 3, 0, 0);
        random_arrays(&in, &matrix, &rng);
        unsigned flags = clv_rng_below(&rng, 16);
        cleave_kind kind = clv_rng_below(&rng, 3) ? CLEAVE_UNDIRECTED : CLEAVE_DAG;
        err.message[0] = '\0';
        if (!create_agrees(&in, &matrix, kind, flags)) {
            fprintf(stderr, "seed %llu, flags %u, kind %d: \"%s\"\n", (unsigned long long)seed,
                    flags, (int)kind, err.message);
            CHECK(!"as the oracle says");
            return;
        }
        err.message[0] ? refused++ : made++;
    }
    CHECK(made > 500 && refused > 500);
}

/* ---- Copied and borrowed ------------------------------------------------------------ */

static void test_copy(void)
{
    static const cleave_kind kinds[] = {CLEAVE_UNDIRECTED, CLEAVE_DAG};
    for (int k = 0; k < 2; k++) {
        cleave_csr csr = make_grid(kinds[k], 5), kept = make_grid(kinds[k], 5);
        cleave_graph *g;
        REQUIRE_OK(cleave_graph_create(&g, &csr, 0, &err));
        /* The caller's arrays may change and go. */
        memset((void *)csr.xadj, 0x55, 26 * sizeof *csr.xadj);
        memset((void *)csr.adj, 0x55, 40 * sizeof *csr.adj);
        memset((char *)csr.names[7], 'x', 2);
        csr_free(&csr);
        cleave_csr view = view_of(g);
        CHECK(same_csr(&view, &kept));
        for (int32_t v = 0; v < kept.nvtx; v++)
            CHECK_STR(cleave_graph_name(g, v), kept.names[v]);
        cleave_graph_free(g);
        csr_free(&kept);
    }
}

static void check_borrowed_attributes(const cleave_csr *view, const cleave_csr *csr)
{
    CHECK(view->vwgt == csr->vwgt && view->vsize == csr->vsize && view->coords == csr->coords);
    CHECK(view->ncon == csr->ncon && view->ndim == csr->ndim);
}

static void test_borrow(void)
{
    static const cleave_kind kinds[] = {CLEAVE_UNDIRECTED, CLEAVE_DAG};
    static const unsigned more[] = {0, CLEAVE_REPAIR, CLEAVE_TRUST, CLEAVE_DROP_LOOPS};
    for (int i = 0; i < 8; i++) {
        cleave_csr csr = make_grid(kinds[i % 2], 5), cold = frozen_csr(&csr);
        cleave_graph *g;
        REQUIRE_OK(cleave_graph_create(&g, &cold, CLEAVE_BORROW | more[i / 2], &err));
        cleave_csr view = view_of(g), back = view;
        CHECK(view.xadj == cold.xadj && view.adj == cold.adj && view.ewgt == cold.ewgt);
        check_borrowed_attributes(&view, &cold);
        cleave_graph_view_predecessors(g, &back);
        CHECK((back.adj == view.adj) == (kinds[i % 2] == CLEAVE_UNDIRECTED));
        cleave_graph_free(g);
        thaw();
        csr_free(&csr);
    }
}

static void test_borrow_unsorted(void)
{
    cleave_csr csr = make_grid(CLEAVE_UNDIRECTED, 5), sorted = make_grid(CLEAVE_UNDIRECTED, 5);
    int32_t *adj = (int32_t *)csr.adj, *ewgt = (int32_t *)csr.ewgt, first = adj[0];
    adj[0] = adj[1];
    adj[1] = first;
    first = ewgt[0];
    ewgt[0] = ewgt[1];
    ewgt[1] = first;
    cleave_csr cold = frozen_csr(&csr);
    cleave_graph *g;
    REQUIRE_OK(cleave_graph_create(&g, &cold, CLEAVE_BORROW, &err));
    cleave_csr view = view_of(g);
    CHECK(same_csr(&view, &sorted));
    CHECK(view.adj != cold.adj && view.ewgt != cold.ewgt);
    check_borrowed_attributes(&view, &cold);
    cleave_graph_free(g);
    thaw();
    csr_free(&csr);
    csr_free(&sorted);
}

/* Without edges adj may be NULL; the graph has all arrays. */
static void test_no_edges(void)
{
    static const int64_t xadj[] = {0, 0, 0, 0};
    for (unsigned flags = 0; flags < 16; flags++)
        for (int kind = 0; kind < 2; kind++)
            for (int32_t n = 0; n < 4; n++) {
                cleave_csr csr = {.size = sizeof csr, .kind = (cleave_kind)kind};
                csr.nvtx = n;
                csr.ncon = 1;
                csr.xadj = xadj;
                cleave_graph *g, *again;
                REQUIRE_OK(cleave_graph_create(&g, &csr, flags, &err));
                cleave_csr view = view_of(g);
                CHECK(view.xadj && view.adj && view.nvtx == n && !view.ewgt);
                char path[4200];
                snprintf(path, sizeof path, "%s/empty.clv", test_scratch());
                CHECK_OK(cleave_graph_write(g, path, NULL, &err));
                REQUIRE_OK(cleave_graph_read(&again, path, NULL, &err));
                CHECK(same_graphs(g, again));
                cleave_graph_free(again);
                cleave_graph_free(g);
            }
}

/* ---- Complaints --------------------------------------------------------------------- */

static void refused(const cleave_csr *csr, unsigned flags, cleave_status status,
                    const char *message)
{
    cleave_graph *g = (cleave_graph *)&err;
    memset(&err, 0, sizeof err);
    CHECK_EQ(cleave_graph_create(&g, csr, flags, &err), status);
    CHECK(g == NULL);
    CHECK_EQ(err.status, status);
    CHECK_STR(err.message, message);
    CHECK_EQ(cleave_graph_create(&g, csr, flags, NULL), status);
}

/* The same error message for all flags. */
static void refused_always(const cleave_csr *csr, const char *message)
{
    for (unsigned flags = 0; flags < 16; flags++)
        refused(csr, flags, CLEAVE_EINVAL, message);
}

static void test_complaints(void)
{
    static const int64_t two[] = {0, 1, 2}, late[] = {1, 1, 2}, falling[] = {0, 2, 1};
    static const int32_t pair[] = {1, 0}, far[] = {1, 2}, negative[] = {-1, 0};
    static const int32_t minus[] = {3, -3};
    cleave_csr good = {.size = sizeof good, .nvtx = 2, .xadj = two, .adj = pair, .ncon = 1};
    cleave_csr bad = good;
    bad.xadj = late;
    refused_always(&bad, "xadj[0] is 1, not 0");
    bad.xadj = falling;
    refused_always(&bad, "xadj[2] is less than xadj[1]");
    bad = good;
    bad.adj = far;
    refused_always(&bad, "vertex 1 lists neighbour 2, outside 0..1");
    bad.adj = negative;
    refused_always(&bad, "vertex 0 lists neighbour -1, outside 0..1");
    bad = good;
    bad.ewgt = minus;
    refused_always(&bad, "edge 1 - 0 has the negative weight -3");
    bad = good;
    bad.kind = (cleave_kind)2;
    refused_always(&bad, "csr.kind is 2, not a kind of graph");
    bad = good;
    bad.nvtx = -1;
    refused_always(&bad, "csr.nvtx is -1, outside 0..2147483646");
    bad.nvtx = INT32_MAX;
    refused_always(&bad, "csr.nvtx is 2147483647, outside 0..2147483646");
}

static void test_rows_refused(void)
{
    static const int64_t x[] = {0, 2, 3, 4};
    static const int32_t loop[] = {0, 1, 0, 1}, twice[] = {1, 1, 0, 1};
    static const int32_t one_way[] = {1, 2, 0, 1}, fine[] = {1, 2, 0, 0};
    static const int32_t weights[] = {5, 6, 5, 7}, circle[] = {1, 2, 2, 0};
    cleave_csr csr = {.size = sizeof csr, .nvtx = 3, .xadj = x, .ncon = 1};
    for (unsigned borrow = 0; borrow < 2; borrow++) {
        csr.kind = CLEAVE_UNDIRECTED;
        csr.ewgt = NULL;
        csr.adj = loop;
        refused(&csr, borrow, CLEAVE_EINVAL, "vertex 0 is its own neighbour");
        csr.adj = twice;
        refused(&csr, borrow, CLEAVE_EINVAL, "vertex 0 lists neighbour 1 twice");
        csr.adj = one_way;
        refused(&csr, borrow, CLEAVE_EINVAL,
                "vertex 2 lists neighbour 1, which does not list it");
        csr.adj = fine;
        csr.ewgt = weights;
        refused(&csr, borrow, CLEAVE_EINVAL,
                "edge 2 - 0 has weight 7 this way and 6 the other way");
        csr.kind = CLEAVE_DAG;
        csr.adj = circle;
        refused(&csr, borrow, CLEAVE_ECYCLE, "the graph has a cycle: 0 -> 2 -> 0");
        refused(&csr, borrow | CLEAVE_REPAIR, CLEAVE_ECYCLE,
                "the graph has a cycle: 0 -> 2 -> 0");
    }
}

static void test_repair_limits(void)
{
    static const int64_t x[] = {0, 2, 3};
    static const int32_t adj[] = {1, 1, 0}, wgt[] = {INT32_MAX, 1, 1};
    cleave_csr csr = {.size = sizeof csr, .nvtx = 2, .xadj = x, .adj = adj, .ewgt = wgt};
    csr.ncon = 1;
    refused(&csr, CLEAVE_REPAIR, CLEAVE_ERANGE,
            "the weights of the duplicates of edge 0 - 1 sum to more than 2147483647");
}

/* ---- Attributes --------------------------------------------------------------------- */

static void test_bad_attributes(void)
{
    static const int32_t negative[] = {1, 2, 3, -4}, sizes[] = {0, -1};
    static const double coords[] = {0, 1, 2, 0.0 / 1}, infinite[] = {0, 1, 2, 1e308 * 10};
    static const char *const names[] = {"a", NULL};
    static const int64_t xadj[] = {0, 0, 0};
    cleave_csr good = {.size = sizeof good, .nvtx = 2, .xadj = xadj, .ncon = 1}, bad = good;
    bad.ncon = 0;
    refused_always(&bad, "ncon is 0; a vertex has at least one weight");
    bad.ncon = 2;
    bad.vwgt = negative;
    refused_always(&bad, "vertex 1 has the negative weight -4");
    bad = good;
    bad.vsize = sizes;
    refused_always(&bad, "vertex 1 has the negative size -1");
    bad = good;
    bad.ndim = 1;
    bad.coords = coords;
    refused_always(&bad, "ndim is 1; coordinates have 2 or 3 dimensions");
    bad.ndim = 4;
    refused_always(&bad, "ndim is 4; coordinates have 2 or 3 dimensions");
    bad.ndim = 0;
    refused_always(&bad, "coords and ndim must be given together");
    bad.ndim = 2;
    bad.coords = NULL;
    refused_always(&bad, "coords and ndim must be given together");
    bad.coords = infinite;
    refused_always(&bad, "a coordinate of vertex 1 is not finite");
    bad = good;
    bad.names = names;
    refused_always(&bad, "the name of vertex 1 is NULL");
}

static void test_names_and_source(void)
{
    static const char *const names[] = {"", "two words", "\xc3\xa9"};
    static const int64_t xadj[] = {0, 0, 0, 0};
    cleave_csr csr = {.size = sizeof csr, .nvtx = 3, .xadj = xadj, .ncon = 1, .names = names};
    cleave_graph *g;
    REQUIRE_OK(cleave_graph_create(&g, &csr, 0, &err));
    for (int32_t v = 0; v < 3; v++)
        CHECK_STR(cleave_graph_name(g, v), names[v]);
    CHECK(cleave_graph_name(g, -1) == NULL && cleave_graph_name(g, 3) == NULL);
    cleave_csr view = view_of(g);
    CHECK(view.names == NULL);
    cleave_source source = {.size = sizeof source, .format = "x", .entries = 9, .unit = "y"};
    cleave_graph_source(g, &source);
    CHECK(source.format == NULL && source.entries == 0 && source.unit == NULL);
    cleave_graph_free(g);
    csr.names = NULL;
    REQUIRE_OK(cleave_graph_create(&g, &csr, 0, &err));
    CHECK(cleave_graph_name(g, 0) == NULL);
    cleave_graph_free(g);
    const char *path = test_file("source.graph", "2 1\n2\n1\n");
    REQUIRE_OK(cleave_graph_read(&g, path, NULL, &err));
    cleave_graph_source(g, &source);
    CHECK_STR(source.format, "metis");
    CHECK_EQ(source.entries, 1);
    CHECK_EQ(source.size, sizeof source);
    cleave_graph_free(g);
}

/* Weights of absent arrays: one each, for any ncon. */
static void test_absent_weights(void)
{
    static const int64_t xadj[] = {0, 0};
    cleave_csr csr = {.size = sizeof csr, .nvtx = 1, .xadj = xadj, .ncon = 5};
    cleave_graph *g;
    REQUIRE_OK(cleave_graph_create(&g, &csr, 0, &err));
    cleave_csr view = view_of(g);
    CHECK(view.vwgt == NULL && view.ncon == 1);
    cleave_graph_free(g);
}

/* ---- Callers of another age --------------------------------------------------------- */

static void test_older_caller(void)
{
    /* A struct that ends behind ewgt: ncon and all that follows do not exist. */
    cleave_csr csr = make_grid(CLEAVE_UNDIRECTED, 3), old = csr;
    old.size = offsetof(cleave_csr, ncon);
    old.ncon = -7;
    old.ndim = 99;
    old.vsize = (const int32_t *)1;
    old.names = (const char *const *)1;
    old.vwgt = csr.vsize;
    cleave_graph *g;
    REQUIRE_OK(cleave_graph_create(&g, &old, 0, &err));
    cleave_csr view;
    memset(&view, 0x33, sizeof view);
    cleave_csr_init(&view, offsetof(cleave_csr, ncon));
    view.ncon = 77;
    cleave_graph_view(g, &view);
    CHECK(view.ncon == 77 && view.size == offsetof(cleave_csr, ncon));
    CHECK(view.nvtx == 9 && view.vwgt && view.ewgt);
    cleave_csr all = view_of(g);
    CHECK(all.ncon == 1 && all.ndim == 0 && !all.vsize && !all.coords);
    cleave_graph_free(g);
    csr_free(&csr);
}

static void test_newer_caller(void)
{
    struct {
        cleave_csr csr;
        int64_t future[2];
    } newer;
    cleave_csr csr = make_grid(CLEAVE_UNDIRECTED, 3);
    cleave_csr_init(&newer.csr, sizeof newer);
    CHECK(newer.csr.size == sizeof newer && newer.csr.ncon == 1 && newer.future[1] == 0);
    newer.csr = csr;
    newer.csr.size = sizeof newer;
    cleave_graph *g;
    REQUIRE_OK(cleave_graph_create(&g, &newer.csr, 0, &err));
    newer.future[0] = 5; /* the graph's, if it knew */
    cleave_graph_view(g, &newer.csr);
    CHECK(newer.future[0] == 5 && newer.csr.size == sizeof newer && newer.csr.nvtx == 9);
    cleave_graph_free(g);
    newer.csr = csr;
    newer.csr.size = sizeof newer;
    refused(&newer.csr, 0, CLEAVE_EINVAL,
            "csr sets an option that library version " CLEAVE_VERSION " does not have");
    newer.csr.size = 1 << 20;
    refused(&newer.csr, 0, CLEAVE_EINVAL,
            "csr.size is 1048576; call its _init function first");
    csr_free(&csr);
}

/* Only the fields that the caller's struct has are written. */
static void test_older_results(void)
{
    static const int32_t part[] = {0, 0, 1};
    const char *path = test_file("mend.graph", "3 3 001\n2 5 2 6 1 9\n1 4 3 7\n\n");
    cleave_repairs repairs;
    memset(&repairs, 0x11, sizeof repairs);
    cleave_repairs_init(&repairs, offsetof(cleave_repairs, one_way));
    repairs.one_way = 77;
    cleave_read_options opt;
    cleave_read_options_init(&opt, sizeof opt);
    opt.flags = CLEAVE_REPAIR;
    opt.repairs = &repairs;
    cleave_graph *g;
    REQUIRE_OK(cleave_graph_read(&g, path, &opt, &err));
    CHECK(repairs.self_loops == 1 && repairs.duplicates == 1 && repairs.one_way == 77);
    cleave_mapping *m;
    REQUIRE_OK(cleave_mapping_create(&m, 3, 2, part, &err));
    cleave_metrics metrics;
    memset(&metrics, 0x11, sizeof metrics);
    cleave_metrics_init(&metrics, offsetof(cleave_metrics, volume));
    metrics.volume = 77;
    CHECK_OK(cleave_evaluate(&metrics, g, m, NULL, &err));
    CHECK(metrics.cut == 7 && metrics.volume == 77);
    CHECK_EQ(metrics.size, offsetof(cleave_metrics, volume));
    cleave_mapping_free(m);
    cleave_graph_free(g);
    cleave_repairs_init(&repairs, sizeof repairs);
    REQUIRE_OK(cleave_graph_read(&g, path, &opt, &err));
    CHECK(repairs.self_loops == 1 && repairs.duplicates == 1);
    CHECK(repairs.one_way == 1 && repairs.unequal == 1);
    cleave_graph_free(g);
}

/* Bits without a meaning, and values where there are none, are not passed over. */
static void test_refused_options(void)
{
    static const int64_t xadj[] = {0, 1, 2};
    static const int32_t adj[] = {1, 0};
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    csr.nvtx = 2;
    csr.xadj = xadj;
    csr.adj = adj;
    cleave_graph *g;
    CHECK_EQ(cleave_graph_create(&g, &csr, 16u, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "flags is 16, which has unknown bits");
    const char *path = test_file("two.graph", "2 1\n2\n1\n");
    cleave_read_options opt;
    cleave_read_options_init(&opt, sizeof opt);
    opt.flags = CLEAVE_BORROW;
    CHECK_EQ(cleave_graph_read(&g, path, &opt, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "flags is 1; only CLEAVE_REPAIR and CLEAVE_TRUST are for reading");
    opt.flags = 0;
    opt.weights = "values";
    CHECK_EQ(cleave_graph_read(&g, path, &opt, &err), CLEAVE_EINVAL);
    CHECK(strstr(err.message, "format \"metis\" has no values to make weights of") != NULL);
}

/* Coordinates that lie beside the graph are taken when they fit; named ones must. */
static void test_coords_beside(void)
{
    const char *path = test_file("pair.graph", "2 1\n2\n1\n");
    const char *coords = test_file("pair.coords", "0 1\n2 3\n");
    cleave_csr view;
    cleave_csr_init(&view, sizeof view);
    cleave_graph *g;
    REQUIRE_OK(cleave_graph_read(&g, path, NULL, &err));
    cleave_graph_view(g, &view);
    CHECK_EQ(view.ndim, 2);
    CHECK(view.coords && view.coords[3] == 3.0);
    cleave_graph_free(g);
    test_file("pair.coords", "0 1\n2 3\n4 5\n");
    REQUIRE_OK(cleave_graph_read(&g, path, NULL, &err));
    cleave_graph_view(g, &view);
    CHECK_EQ(view.ndim, 0);
    CHECK(view.coords == NULL);
    cleave_graph_free(g);
    cleave_read_options opt;
    cleave_read_options_init(&opt, sizeof opt);
    opt.coords = coords;
    CHECK_EQ(cleave_graph_read(&g, path, &opt, &err), CLEAVE_EPARSE);
    CHECK(g == NULL);
}

int main(void)
{
    test_file("scratch", ""); /* the folder is there, and goes at the end */
    RUN(test_random_arrays);
    RUN(test_copy);
    RUN(test_borrow);
    RUN(test_borrow_unsorted);
    RUN(test_no_edges);
    RUN(test_complaints);
    RUN(test_rows_refused);
    RUN(test_repair_limits);
    RUN(test_bad_attributes);
    RUN(test_names_and_source);
    RUN(test_absent_weights);
    RUN(test_older_caller);
    RUN(test_newer_caller);
    RUN(test_older_results);
    RUN(test_refused_options);
    RUN(test_coords_beside);
    return test_end();
}
