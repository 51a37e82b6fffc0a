/* SPDX-License-Identifier: Apache-2.0 */
/* A graph from bytes (fuzz_instance.h) and objects derived from it: round trips through every
 * format that is both read and written, plain and compressed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz_instance.h"
#include "graph/graph.h"

enum { N = FUZZ_MOST_VERTICES, formats = 10 };

/* ---- Graphs ----------------------------------------------------------------------------- */

/* Names as files have them: numbers, words, and what formats must quote. */
static void take_names(fuzz_input *in, fuzz_arrays *arrays, char (*text)[24],
                       const char **names)
{
    static const char *const shapes[] = {"%d",   "v%d",           "a b %d", "\"%d\"", "%d\\",
                                         "node", "caf\303\251%d", "-%d",    "%d.5",   "<%d>&"};
    const char *shape = shapes[fuzz_take(in, 10)];
    int first = fuzz_take(in, 256);
    for (int32_t v = 0; v < arrays->csr.nvtx; v++) {
        snprintf(text[v], sizeof text[v], shape, (int)(first + v));
        names[v] = text[v];
    }
    arrays->csr.names = names;
}

/* As a file gave it: one that was read back from the binary format, which holds everything. */
static cleave_graph *take_read_graph(fuzz_input *in, cleave_graph **made)
{
    static fuzz_arrays arrays;
    static char text[N][24];
    static const char *names[N];
    cleave_error err;
    cleave_graph *g;
    cleave_read_options opt;
    const char *path = fuzz_path("first.clv");
    fuzz_take_arrays(in, FUZZ_ANY_KIND, &arrays);
    if (fuzz_chance(in, 4))
        take_names(in, &arrays, text, names);
    FUZZ_CHECK_OK(cleave_graph_create(made, &arrays.csr, 0, &err), err);
    fuzz_arrays_free(&arrays);
    cleave_read_options_init(&opt, sizeof opt);
    opt.threads = 1;
    FUZZ_CHECK_OK(cleave_graph_write(*made, path, NULL, &err), err);
    FUZZ_CHECK_OK(cleave_graph_read(&g, path, &opt, &err), err);
    return g;
}

/* Nothing is lost on the way through the first file. */
static void check_first(const cleave_graph *made, const cleave_graph *g)
{
    cleave_csr a, b;
    cleave_csr_init(&a, sizeof a);
    cleave_csr_init(&b, sizeof b);
    cleave_graph_view(made, &a);
    cleave_graph_view(g, &b);
    size_t n = (size_t)a.nvtx;
    FUZZ_CHECK(a.kind == b.kind && a.nvtx == b.nvtx && (n == 0 || a.ncon == b.ncon));
    FUZZ_CHECK(memcmp(a.xadj, b.xadj, (n + 1) * sizeof *a.xadj) == 0);
    FUZZ_CHECK(memcmp(a.adj, b.adj, (size_t)a.xadj[n] * sizeof *a.adj) == 0);
    FUZZ_CHECK(!a.ewgt || !b.ewgt ||
               memcmp(a.ewgt, b.ewgt, (size_t)a.xadj[n] * sizeof *a.ewgt) == 0);
    for (size_t i = 0; i < n * (size_t)a.ncon; i++)
        FUZZ_CHECK((a.vwgt ? a.vwgt[i] : 1) ==
                   (b.vwgt ? b.vwgt[i] : 1) + fuzz_spoils("weight"));
    for (size_t v = 0; v < n; v++)
        FUZZ_CHECK((a.vsize ? a.vsize[v] : 1) == (b.vsize ? b.vsize[v] : 1));
    FUZZ_CHECK(n == 0 || a.ndim == b.ndim);
    FUZZ_CHECK(n == 0 || a.ndim == 0 ||
               memcmp(a.coords, b.coords, n * (size_t)a.ndim * sizeof *a.coords) == 0);
}

static void check_graph(fuzz_input *in, const cleave_graph *g)
{
    int first = fuzz_take(in, formats), way = fuzz_take(in, 2);
    for (int i = 0; i < 3; i++) /* of the formats and ways of writing them some */
        fuzz_check_round_trip(g, (first + 3 * i) % formats + formats * ((way + i) % 2));
    if (g->ndim > 0 && g->nvtx > 0) {
        static const char *const names[] = {"a.xyz", "a.coords", "a_coord.mtx", "a.xyz.gz"};
        fuzz_check_coords_file(g, names[fuzz_take(in, 4)]);
    }
}

/* ---- Results ---------------------------------------------------------------------------- */

static void check_mapping(fuzz_input *in, const cleave_graph *g)
{
    static const char *const names[] = {"a.part", "a.map", "a.map.gz", "cellDecomposition",
                                        "a.part.gz"};
    cleave_mapping *m = fuzz_take_mapping(in, g->nvtx, 1 + fuzz_take(in, FUZZ_MOST_PES));
    fuzz_check_mapping_file(m, names[fuzz_take(in, 5)]);
    cleave_mapping_free(m);
}

static void check_order(fuzz_input *in, const cleave_graph *g)
{
    static const char *const names[] = {"a.order", "a.clo", "a.order.gz", "a.clo.gz"};
    cleave_error err;
    cleave_order *o;
    cleave_order_options opt;
    cleave_order_options_init(&opt, sizeof opt);
    opt.effort = CLEAVE_EFFORT_FAST;
    opt.threads = 1;
    FUZZ_CHECK_OK(cleave_order_build(&o, g, &opt, &err), err);
    fuzz_check_order_file(o, names[fuzz_take(in, 4)]);
    cleave_order_free(o);
}

static void check_schedule(fuzz_input *in, const cleave_graph *g)
{
    cleave_error err;
    cleave_schedule *s;
    cleave_schedule_costs costs;
    cleave_schedule_options opt;
    cleave_schedule_costs_init(&costs, sizeof costs);
    costs.sync = fuzz_take(in, 65536) / 7.0;
    costs.read = fuzz_take(in, 256) / 3.0;
    fuzz_check_costs_file(&costs, fuzz_take(in, 2) ? "a.costs.gz" : "a.costs");
    if (g->kind != CLEAVE_DAG || g->ncon != 1)
        return;
    cleave_schedule_options_init(&opt, sizeof opt);
    opt.threads = 1 + fuzz_take(in, 4);
    opt.method = "grow";
    opt.workers = 1;
    opt.split_rows = fuzz_chance(in, 2);
    FUZZ_CHECK_OK(cleave_schedule_build(&s, g, &opt, &err), err);
    fuzz_check_schedule_file(s, fuzz_take(in, 2) ? "a.schedule.gz" : "a.schedule");
    cleave_schedule_free(s);
}

/* ---- Matrices --------------------------------------------------------------------------- */

/* Any double but infinities, and with a sign of its own for 0. */
static double take_double(fuzz_input *in)
{
    uint8_t bytes[8];
    double value;
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)fuzz_take(in, 256);
    memcpy(&value, bytes, sizeof value);
    return isfinite(value) ? value : 1 / 3.0;
}

static void check_matrix(fuzz_input *in, const cleave_graph *g)
{
    enum { most = 64, rows = 8 };
    double some[most], *val = malloc((size_t)(g->narc + 1) * sizeof *val);
    cleave_error err;
    cleave_matrix *a;
    cleave_matrix_csr csr;
    FUZZ_CHECK(val != NULL);
    for (int i = 0; i < most; i++)
        some[i] = take_double(in);
    for (int64_t i = 0; i < g->narc; i++)
        val[i] = some[i % most];
    cleave_matrix_csr_init(&csr, sizeof csr);
    csr.nrow = csr.ncol = g->nvtx;
    csr.xadj = g->xadj;
    csr.col = g->adj;
    csr.val = val;
    FUZZ_CHECK_OK(cleave_matrix_create(&a, &csr, &err), err);
    fuzz_check_matrix_file(a, fuzz_take(in, 2) ? "a.mtx.gz" : "a.mtx");
    fuzz_check_vectors_file(some, rows, fuzz_take(in, most / rows + 1),
                            fuzz_take(in, 2) ? "a.vec.gz" : "a.vec");
    cleave_matrix_free(a);
    free(val);
}

FUZZ_TARGET(roundtrip)
{
    fuzz_machine machine;
    cleave_graph *made, *g = take_read_graph(in, &made);
    check_first(made, g);
    cleave_graph_free(made);
    check_graph(in, g);
    check_mapping(in, g);
    check_order(in, g);
    check_schedule(in, g);
    check_matrix(in, g);
    cleave_graph_free(g);
    fuzz_take_machine(in, &machine);
    fuzz_check_target_file(machine.t, fuzz_take(in, 2) ? "a.tgt.gz" : "a.tgt");
    fuzz_machine_free(&machine);
}
