/* SPDX-License-Identifier: Apache-2.0 */
/* Cross edges and setups of coordinate methods on the mesh 3elt against those printed in
 * Table 3 of Kaddoura, Ou, Ranka 1995: averages over 20 random machines for each of the speed
 * ratios 1, 2, 3, 4, 8, at 4, 5, 10, 15 and 20 parts, binpacking.  Speeds are drawn evenly
 * from 1 to the ratio; the paper does not specify how. */
#include "order/curve.h"
#include "order/halving.h"
#include "order/line_fixture.h"

enum { counts = 5, most_parts = 20, samples = 20 };
static const int32_t parts_of[counts] = {4, 5, 10, 15, 20};
static const double ratios[] = {1, 2, 3, 4, 8};
static cleave_error err;
static clv_graph *mesh;
static int32_t *part;
static clv_context ctx;

typedef struct measured {
    double edges, setups;
} measured;

static void measure(measured *m, int32_t nparts)
{
    bool joined[most_parts][most_parts] = {{false}};
    for (int32_t v = 0; v < mesh->nvtx; v++)
        for (int64_t a = mesh->xadj[v]; a < mesh->xadj[v + 1]; a++) {
            int32_t p = part[v], q = part[mesh->adj[a]];
            m->edges += v < mesh->adj[a] && p != q;
            joined[p][q] = true;
        }
    for (int32_t p = 0; p < nparts; p++)
        for (int32_t q = 0; q < p; q++)
            m->setups += joined[p][q];
}

static void split_line(const clv_order *o, int32_t nparts, const double *speed)
{
    int32_t sequence[most_parts], begin[most_parts], end[most_parts];
    clv_grouping_sequence(CLV_GROUPING_BINPACKING, speed, nparts, sequence, begin);
    clv_split(o, &(clv_split_rule){.npes = nparts, .speed = speed}, sequence, begin, end);
    for (int32_t p = 0; p < nparts; p++)
        for (int32_t place = begin[p]; place < end[p]; place++)
            part[o->vertex[place]] = p;
}

/* o NULL: coordinate bisection. */
static void average(const clv_order *o, int32_t nparts, measured *m)
{
    int taken = 0;
    *m = (measured){0, 0};
    for (size_t r = 0; r < sizeof ratios / sizeof *ratios; r++)
        for (int s = 0; s < samples; s += TEST_STRIDE, taken++) {
            double speed[most_parts];
            clv_rng rng = clv_rng_make(1, r, (uint64_t)s, (uint64_t)nparts);
            for (int32_t p = 0; p < nparts; p++)
                speed[p] = 1 + (ratios[r] - 1) * clv_rng_unit(&rng);
            if (o)
                split_line(o, nparts, speed);
            else
                CHECK_OK(clv_halving_parts(
                    mesh, &clv_source_coordinates,
                    &(clv_split_rule){
                        .npes = nparts, .speed = speed, .grouping = CLV_GROUPING_BINPACKING},
                    &ctx, part, &err));
            measure(m, nparts);
        }
    m->edges /= taken;
    m->setups /= taken;
}

static void check_table(const char *name, const clv_order *o, const double *edges,
                        const double *setups)
{
    for (int i = 0; i < counts; i++) {
        measured m;
        average(o, parts_of[i], &m);
        printf("%s, %d parts: %.0f edges (%.0f printed), %.1f setups (%.0f printed)\n", name,
               (int)parts_of[i], m.edges, edges[i], m.setups, setups[i]);
        CHECK(m.edges <= 1.10 * edges[i]);
        CHECK(m.setups <= 1.10 * setups[i]);
        CHECK(m.edges >= 0.5 * edges[i]); /* else something else was measured */
    }
}

static void test_hci(void)
{
    static const double edges[counts] = {590, 664, 969, 1227, 1396};
    static const double setups[counts] = {5, 8, 22, 39, 52};
    clv_order *o;
    REQUIRE_OK(clv_curve_order(mesh, CLV_CURVE_HILBERT, &ctx, part, &err));
    REQUIRE_OK(clv_order_new(&o, mesh, "hci", part, ctx.ws, &err));
    check_table("hci", o, edges, setups);
    clv_order_free(o);
}

static void test_rcb(void)
{
    static const double edges[counts] = {423, 736, 1149, 1662, 1960};
    static const double setups[counts] = {6, 16, 38, 73, 105};
    check_table("rcb", NULL, edges, setups);
}

int main(void)
{
    cleave_graph *g = NULL;
    const char *path = test_shared("mesh/3elt.grf", 2);
    if (!path)
        return TEST_SKIP;
    if (cleave_graph_read(&g, path, NULL, &err) != CLEAVE_OK || g->ndim != 2)
        return EXIT_FAILURE;
    mesh = g;
    part = malloc((size_t)g->nvtx * sizeof *part);
    line_context(&ctx, 1, 1);
    RUN(test_hci);
    RUN(test_rcb);
    clv_context_close(&ctx);
    free(part);
    clv_graph_free(g);
    return test_end();
}
