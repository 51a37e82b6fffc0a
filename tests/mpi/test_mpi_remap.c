/* SPDX-License-Identifier: Apache-2.0 */
/* Remapping by several ranks: bounds are kept, migration is counted and follows its cost; and
 * the call for arrays. */
#include "mpi_outcome.h"

/* ---- Remapping -------------------------------------------------------------------------- */

static outcome remap_it(const sample *s, const int32_t *old, int32_t nold, const char *target,
                        double price, const cleave_constraints *constraints,
                        cleave_remap_report *report)
{
    outcome o = {.part = sample_room(s->g->nlocal, sizeof *o.part)};
    cleave_options opt = defaults("gather=0");
    cleave_remap_options remap;
    cleave_target *t = NULL;
    cleave_remap_options_init(&remap, sizeof remap);
    cleave_remap_report_init(report, sizeof *report);
    remap.migration_price = price;
    cleave_map_report_init(&o.report, sizeof o.report);
    opt.report = &o.report;
    opt.constraints = constraints;
    remap.options = &opt;
    remap.report = report;
    CHECK_EQ(cleave_target_parse(&t, target, &o.err), CLEAVE_OK);
    o.status = cleave_mpi_remap(o.part, s->g, old, nold, t, &remap, &o.err);
    CHECK(sample_agreed(&comm, o.status, &o.err));
    cleave_target_free(t);
    gather_parts(s, &o);
    return o;
}

/* A PE is lost: what a high price makes of it moves little, what costs nothing cuts little. */
static void test_remap(void)
{
    cleave_remap_report dear, cheap;
    sample s = generated("grid2d:60x60", 0);
    cleave_options opt = defaults("gather=0");
    outcome old = map_it(&s, "6", &opt);
    outcome a = remap_it(&s, old.part, 6, "5", 1000, NULL, &dear);
    outcome b = remap_it(&s, old.part, 6, "5", 0, NULL, &cheap);
    check_ok(&a);
    check_ok(&b);
    check_report(&s, "5", &a);
    check_bounds(&s, 5, &a);
    check_bounds(&s, 5, &b);
    int64_t moved = 0;
    for (int32_t v = 0; v < s.whole->nvtx; v++)
        moved += a.parts[v] != old.parts[v];
    CHECK_EQ(dear.migration, moved);
    CHECK_EQ(dear.cut, a.report.cut);
    CHECK_EQ(dear.cut_before, old.report.cut);
    CHECK(dear.migration >= dear.migration_bound);
    CHECK(dear.migration < s.whole->nvtx * 2 / 5);
    CHECK(dear.migration <= cheap.migration);
    CHECK(cheap.cut <= dear.cut + dear.cut / 20);
    outcome_free(&a);
    outcome_free(&b);
    a = remap_it(&s, old.part, 6, "5", 1e308, NULL, &dear);
    check_ok(&a);
    check_bounds(&s, 5, &a);
    outcome_free(&a);
    if (s.g->nlocal > 0)
        old.part[0] = 6;
    a = remap_it(&s, old.part, 6, "5", 1, NULL, &dear);
    CHECK_EQ(a.status, CLEAVE_EINVAL);
    outcome_free(&a);
    outcome_free(&old);
    sample_free(&s);
}

/* Sizes and edges in another unit, whose sums and ties need more than 31 bits: what a high
 * price makes of it moves as little. */
static void test_unit(void)
{
    cleave_remap_report report[2];
    sample s = generated("grid2d:60x60", 0);
    cleave_options opt = defaults("gather=0");
    outcome old = map_it(&s, "6", &opt);
    int64_t arcs = s.g->xadj[s.g->nlocal];
    int32_t *ewgt = sample_room(arcs, sizeof *ewgt);
    int32_t *vsize = sample_room(s.g->nlocal, sizeof *vsize);
    s.g->ewgt = ewgt;
    s.g->vsize = vsize;
    for (int i = 0; i < 2; i++) {
        int32_t unit = i ? 1 << 26 : 1;
        for (int64_t a = 0; a < arcs; a++)
            ewgt[a] = 7 * unit;
        for (int32_t v = 0; v < s.g->nlocal; v++)
            vsize[v] = (1 + (int32_t)(clv_dist_global(s.g, v) * 7919 % 31)) * unit;
        outcome o = remap_it(&s, old.part, 6, "5", 50, NULL, &report[i]);
        check_ok(&o);
        outcome_free(&o);
    }
    CHECK((double)report[1].migration < 1.02 * (1 << 26) * (double)report[0].migration);
    s.g->ewgt = s.g->vsize = NULL;
    free(ewgt);
    free(vsize);
    outcome_free(&old);
    sample_free(&s);
}

/* PEs of speed 0 and parts with a share of 0 are emptied. */
static void test_idle(void)
{
    static const char *const spec[] = {"grid2d:40x40", "stencil:8x8:20"};
    static const double shares[] = {2, 3, 0, 2, 3};
    for (int i = 0; i < 8; i++) {
        sample s = generated(spec[i % 2], 0);
        cleave_options opt = defaults("gather=0");
        cleave_constraints constraints;
        cleave_remap_report report;
        bool shared = i / 2 % 2;
        cleave_constraints_init(&constraints, sizeof constraints);
        constraints.shares = shared ? shares : NULL;
        outcome old = map_it(&s, "5", &opt);
        outcome o =
            remap_it(&s, old.part, 5, "3,0,1,2,2", i < 4 ? 0 : 10, &constraints, &report);
        check_ok(&o);
        CHECK_EQ(o.report.empty_parts, 1 + shared);
        for (int32_t v = 0; v < s.g->nlocal; v++)
            CHECK(o.part[v] != 1 && !(shared && o.part[v] == 2));
        outcome_free(&o);
        outcome_free(&old);
        sample_free(&s);
    }
}

/* ---- Arrays ----------------------------------------------------------------------------- */

/* A ring, partitioned in one call. */
static void test_one_call(void)
{
    enum { each = 50 };
    cleave_error err = {0};
    int64_t n = (int64_t)each * comm.size, *vtxdist = sample_room(comm.size + 1, 8);
    int64_t xadj[each + 1], adj[2 * each];
    int32_t part[each];
    clv_dist_even(n, comm.size, vtxdist);
    for (int64_t v = 0; v < each; v++) {
        int64_t me = vtxdist[comm.rank] + v;
        xadj[v] = 2 * v;
        adj[2 * v] = (me + n - 1) % n;
        adj[2 * v + 1] = (me + 1) % n;
    }
    xadj[each] = 2 * each;
    CHECK_OK(cleave_mpi_partition(MPI_COMM_WORLD, vtxdist, xadj, adj, NULL, NULL, 5, NULL,
                                  part, &err));
    for (int v = 0; v < each; v++)
        CHECK(part[v] >= 0 && part[v] < 5);
    free(vtxdist);
}

int main(int argc, char **argv)
{
    cleave_error err = {0};
    MPI_Init(&argc, &argv);
    CHECK_OK(clv_comm_open(&comm, MPI_COMM_WORLD, &err));
    RUN_ALL(&comm, test_remap);
    RUN_ALL(&comm, test_unit);
    RUN_ALL(&comm, test_idle);
    RUN_ALL(&comm, test_one_call);
    int status = sample_end(&comm);
    clv_comm_close(&comm);
    MPI_Finalize();
    return status;
}
