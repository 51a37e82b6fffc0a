/* SPDX-License-Identifier: Apache-2.0 */
/* DAGs from files: hyperDAGs, workflows, circuits and lower triangles of matrices, from
 * ../shared, are partitioned validly.  Their weights are uneven, so a bound may be infeasible;
 * then the status reports that, and the result is still acyclic. */
#include "engine/acyclic_fixture.h"
#include "support/test.h"

static const char *const files[] = {
    "dag/instance_CG_N24_K22_nzP0d2.hdag",
    "dag/instance_spmv_N10_nzP0d25.hdag",
    "dag/instance_spmv_N120_nzP0d18.hdag",
    "dag/1000genome-chameleon-22ch-100k-001.json",
    "dag/epigenomics-chameleon-hep-2seq-100k-001.json",
    "dag/fetchngs-dirt02-001.json",
    "dag/montage-chameleon-dss-125d-001.json.gz",
    "psdd/little_4var.psdd",
    "psdd/nltcs.psdd",
    "psdd/msnbc.psdd",
    "psdd/wilt.psdd",
    "psdd/mnist-antonio.psdd",
    "psdd/plants.psdd.gz",
    "psdd/ad.psdd.gz",
    "mtx/1138_bus.mtx",
    "mtx/bcspwr10.mtx",
    "mtx/sherman3.mtx",
    "mtx/rajat01.mtx",
    "mtx/bcsstk13.mtx.gz",
    "mtx/bodyy5.mtx.gz",
    "mtx/cage10.mtx.gz",
    "mtx/bayer10.mtx.gz",
    "mtx/shallow_water1.mtx.gz",
    "mtx/chipcool0_L.mtx.gz",
    "mtx/lap3d_40.mtx.gz",
    "mtx/xenon1.mtx.gz",
};
enum { nfiles = sizeof files / sizeof *files };
static const char *folder; /* of the shared data */

/* A weight that no part can hold, or parts that cannot all have something of weight. */
static bool reachable(const asked *a)
{
    int64_t heaviest = 0;
    for (int32_t v = 0; v < a->n; v++) {
        int64_t w = a->csr.vwgt ? a->csr.vwgt[v] : 1;
        heaviest = w > heaviest ? w : heaviest;
    }
    /* Slices of an order differ from their share by at most the heaviest vertex. */
    return a->n >= a->k && 10 * heaviest <= fixture_bound(a, 0, 0) / 10;
}

static void partition(const char *file, cleave_graph *g, int32_t k, cleave_effort effort)
{
    asked a;
    facts f;
    ask_graph(&a, file, g, k, effort);
    a.thousandths = 100;
    a.opt.threads = 2;
    const char *wrong = dag_map(&a, reachable(&a) ? DAG_OK : DAG_VALID, &f, NULL);
    CHECK_STR(wrong ? wrong : "", "");
    cleave_target_free(a.t); /* the graph is used again */
}

static void read_and_partition(const char *file)
{
    char path[5000];
    cleave_graph *g = NULL;
    cleave_error err;
    cleave_read_options opt;
    cleave_read_options_init(&opt, sizeof opt);
    snprintf(path, sizeof path, "%s/%s", folder, file);
    opt.as = strncmp(file, "mtx", 3) == 0 ? "lower" : NULL;
    REQUIRE_OK(cleave_graph_read(&g, path, &opt, &err));
    CHECK_EQ(cleave_graph_kind(g), CLEAVE_DAG);
    int64_t edges = cleave_graph_edges(g);
    partition(file, g, 2, CLEAVE_EFFORT_FAST);
    partition(file, g, 16, CLEAVE_EFFORT_FAST);
    if (edges < 50000)
        partition(file, g, 8, CLEAVE_EFFORT_DEFAULT);
    if (edges < 5000)
        partition(file, g, 4, CLEAVE_EFFORT_QUALITY);
    cleave_graph_free(g);
}

static void test_files(void)
{
    for (size_t i = 0; i < nfiles; i++)
        read_and_partition(files[i]);
}

int main(void)
{
    folder = test_shared("", nfiles);
    if (!folder)
        return TEST_SKIP;
    RUN(test_files);
    return test_end();
}
