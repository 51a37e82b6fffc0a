/* SPDX-License-Identifier: Apache-2.0 */
/* Weights whose totals exceed 31 bits, through the public functions: light edges and vertices
 * keep their weight beside heavy ones on all levels, and no bound is too large.  Cuts and part
 * weights are counted here. */
#include <stdbool.h>

#include "cleave/cleave.h"
#include "support/test.h"

static cleave_error err;

static uint32_t drawn(uint32_t a, uint32_t b)
{
    uint32_t x = (a * 0x9e3779b1u) ^ (b * 0x85ebca77u);
    x = (x ^ (x >> 15)) * 0x2c1b3c6du;
    return x ^ (x >> 13);
}

/* ---- Grids ------------------------------------------------------------------------------ */

typedef struct weighing {
    int32_t heavy, light, line; /* of the edges: 3 of 10, the others, across the lines */
    bool rows;                  /* a line between rows, too */
} weighing;

/* A grid whose middle lines are cheap to cut. */
typedef struct grid {
    int32_t side;
    cleave_csr csr;
    int64_t *xadj;
    int32_t *adj, *ewgt, *vwgt;
} grid;

static int32_t edge_weight(const grid *d, const weighing *w, int32_t v, int32_t u)
{
    int32_t low = v < u ? v : u, high = v < u ? u : v, middle = d->side / 2 - 1;
    if (high == low + 1 ? low % d->side == middle : w->rows && low / d->side == middle)
        return w->line;
    return drawn((uint32_t)low, (uint32_t)(high - low)) % 10 < 3 ? w->heavy : w->light;
}

/* Undirected, or with arcs to the right and down alone. */
static void make_grid(grid *d, cleave_kind kind, int32_t side, const weighing *w, int32_t ncon)
{
    int32_t n = side * side;
    int64_t at = 0;
    *d = (grid){.side = side};
    d->xadj = calloc((size_t)n + 1, sizeof *d->xadj);
    d->adj = calloc(4 * (size_t)n, sizeof *d->adj);
    d->ewgt = calloc(4 * (size_t)n, sizeof *d->ewgt);
    d->vwgt = calloc((size_t)(n * ncon), sizeof *d->vwgt);
    if (!d->xadj || !d->adj || !d->ewgt || !d->vwgt)
        abort();
    for (int32_t v = 0; v < n; v++) {
        int32_t x = v % side, y = v / side;
        int32_t next[4] = {y > 0 ? v - side : -1, x > 0 ? v - 1 : -1,
                           x < side - 1 ? v + 1 : -1, y < side - 1 ? v + side : -1};
        for (int i = kind == CLEAVE_DAG ? 2 : 0; i < 4; i++)
            if (next[i] >= 0) {
                d->adj[at] = next[i];
                d->ewgt[at++] = edge_weight(d, w, v, next[i]);
            }
        d->xadj[v + 1] = at;
        for (int32_t c = 0; c < ncon; c++)
            d->vwgt[v * ncon + c] = 1;
    }
    cleave_csr_init(&d->csr, sizeof d->csr);
    d->csr.kind = kind;
    d->csr.nvtx = n;
    d->csr.xadj = d->xadj;
    d->csr.adj = d->adj;
    d->csr.ewgt = d->ewgt;
    d->csr.ncon = ncon;
    d->csr.vwgt = d->vwgt;
}

static void scale_edges(grid *d, int32_t times, int32_t by)
{
    for (int64_t a = 0; a < d->xadj[d->csr.nvtx]; a++)
        d->ewgt[a] = d->ewgt[a] / by * times;
}

static void free_grid(grid *d)
{
    free(d->xadj);
    free(d->adj);
    free(d->ewgt);
    free(d->vwgt);
}

/* ---- Mapping and counting --------------------------------------------------------------- */

typedef struct outcome {
    cleave_status status;
    int64_t cut;      /* each edge once */
    int64_t volume;   /* as reported */
    int64_t part[64]; /* weights of the parts, of the first constraint */
    int64_t second[64];
    int32_t *of; /* parts by vertex; to be freed */
} outcome;

static outcome count(const grid *d, const cleave_mapping *m)
{
    outcome o = {0};
    int32_t n = d->csr.nvtx, ncon = d->csr.ncon;
    o.of = calloc((size_t)n, sizeof *o.of);
    if (!o.of)
        abort();
    memcpy(o.of, cleave_mapping_parts(m), (size_t)n * sizeof *o.of);
    for (int32_t v = 0; v < n; v++) {
        o.part[o.of[v]] += d->vwgt[v * ncon];
        o.second[o.of[v]] += d->vwgt[v * ncon + ncon - 1];
        for (int64_t a = d->xadj[v]; a < d->xadj[v + 1]; a++)
            o.cut += o.of[v] != o.of[d->adj[a]] ? d->ewgt[a] : 0;
    }
    o.cut /= d->csr.kind == CLEAVE_UNDIRECTED ? 2 : 1;
    return o;
}

static outcome map_grid(const grid *d, const char *target, const cleave_options *opt)
{
    cleave_graph *g = NULL;
    cleave_target *t = NULL;
    cleave_mapping *m = NULL;
    outcome o = {0};
    cleave_map_report report;
    cleave_options full = *opt;
    cleave_map_report_init(&report, sizeof report);
    full.report = &report;
    full.threads = 1;
    CHECK_OK(cleave_graph_create(&g, &d->csr, 0, &err));
    CHECK_OK(cleave_target_parse(&t, target, &err));
    cleave_status status = cleave_map(&m, g, t, &full, &err);
    if (m) {
        o = count(d, m);
        CHECK_EQ(report.cut, o.cut);
        o.volume = report.volume;
    }
    o.status = status;
    cleave_mapping_free(m);
    cleave_target_free(t);
    cleave_graph_free(g);
    return o;
}

static cleave_options options(cleave_effort effort, uint64_t seed)
{
    cleave_options opt;
    cleave_options_init(&opt, sizeof opt);
    opt.effort = effort;
    opt.seed = seed;
    return opt;
}

static int64_t cut_of(const grid *d, const char *target, cleave_effort effort, uint64_t seed)
{
    cleave_options opt = options(effort, seed);
    outcome o = map_grid(d, target, &opt);
    CHECK_EQ(o.status, CLEAVE_OK);
    free(o.of);
    return o.cut;
}

/* ---- Edges ------------------------------------------------------------------------------ */

static const weighing beyond = {200000000, 1000, 1, false};

/* The cheap line weighs `side`; nothing else comes near. */
static void test_light_line(void)
{
    grid d;
    make_grid(&d, CLEAVE_UNDIRECTED, 200, &beyond, 1);
    for (uint64_t seed = 1; seed <= 4; seed++) {
        CHECK_EQ(cut_of(&d, "2", CLEAVE_EFFORT_FAST, seed), 200);
        CHECK_EQ(cut_of(&d, "2", CLEAVE_EFFORT_DEFAULT, seed), 200);
    }
    CHECK_EQ(cut_of(&d, "2", CLEAVE_EFFORT_QUALITY, 1), 200);
    free_grid(&d);
}

/* Edges between regions weigh 1, whatever the form of their border. */
typedef enum region_form { STAIRCASE, RING, QUARTERS, region_forms } region_form;

static int32_t region_of(region_form form, int32_t side, int32_t v)
{
    int32_t x = v % side, y = v / side, dx = 2 * x - side + 1, dy = 2 * y - side + 1;
    if (form == STAIRCASE)
        return x + y >= side;
    if (form == RING) /* about half of the vertices */
        return (dx * dx + dy * dy) * 157 < 100 * side * side;
    return (x >= side / 2) + 2 * (y >= side / 2);
}

/* Returns what the light edges weigh together. */
static int64_t lighten_borders(grid *d, region_form form)
{
    int64_t border = 0;
    for (int32_t v = 0; v < d->csr.nvtx; v++)
        for (int64_t a = d->xadj[v]; a < d->xadj[v + 1]; a++)
            if (region_of(form, d->side, v) != region_of(form, d->side, d->adj[a])) {
                d->ewgt[a] = 1;
                border++;
            }
    return border / 2;
}

/* Both efforts find borders of any form, whether weights need 64 bits or not. */
static void test_light_borders(void)
{
    static const weighing contrasts[] = {
        {200000000, 1000, 1000, false}, {20000, 1000, 1000, false}, {200, 10, 10, false}};
    for (int form = 0; form < region_forms; form++)
        for (int i = 0; i < 3; i++) {
            grid d;
            const char *target = form == QUARTERS ? "4" : "2";
            make_grid(&d, CLEAVE_UNDIRECTED, 150, &contrasts[i], 1);
            int64_t border = lighten_borders(&d, (region_form)form);
            for (uint64_t seed = 1; seed <= 3; seed++) {
                CHECK_EQ(cut_of(&d, target, CLEAVE_EFFORT_FAST, seed), border);
                CHECK_EQ(cut_of(&d, target, CLEAVE_EFFORT_DEFAULT, seed), border);
            }
            free_grid(&d);
        }
}

/* Two neighbours by number stay together; the groups are to be freed. */
static int32_t *group_in_pairs(cleave_constraints *c, const grid *d)
{
    int32_t *group = calloc((size_t)d->csr.nvtx, sizeof *group);
    if (!group)
        abort();
    for (int32_t v = 0; v < d->csr.nvtx; v++)
        group[v] = v / 2;
    cleave_constraints_init(c, sizeof *c);
    c->groups = group;
    return group;
}

/* Weights times a power of two that takes the total above 2^31, and groups of two, which are
 * contracted before everything else: the same parts. */
static void test_unit_of_groups(void)
{
    static const weighing small = {20000, 1000, 1, false};
    enum { factor = 1 << 13 };
    grid d;
    make_grid(&d, CLEAVE_UNDIRECTED, 100, &small, 1);
    cleave_constraints c;
    int32_t *group = group_in_pairs(&c, &d);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        cleave_options opt = options(CLEAVE_EFFORT_FAST, seed);
        opt.constraints = &c;
        outcome was = map_grid(&d, "2", &opt);
        scale_edges(&d, factor, 1);
        outcome is = map_grid(&d, "2", &opt);
        scale_edges(&d, 1, factor);
        CHECK_EQ(is.cut, was.cut * factor);
        CHECK(memcmp(is.of, was.of, (size_t)d.csr.nvtx * sizeof *is.of) == 0);
        free(was.of);
        free(is.of);
    }
    free(group);
    free_grid(&d);
}

/* Heavy edges and groups together make clusters that are too heavy for one coarse vertex: the
 * first solution must not cut them all the same. */
static void test_light_line_of_groups(void)
{
    grid d;
    make_grid(&d, CLEAVE_UNDIRECTED, 100, &beyond, 1);
    cleave_constraints c;
    int32_t *group = group_in_pairs(&c, &d);
    for (uint64_t seed = 1; seed <= 4; seed++)
        for (int effort = CLEAVE_EFFORT_FAST; effort <= CLEAVE_EFFORT_DEFAULT; effort++) {
            cleave_options opt = options((cleave_effort)effort, seed);
            opt.constraints = &c;
            outcome o = map_grid(&d, "2", &opt);
            CHECK_EQ(o.cut, 100);
            free(o.of);
        }
    free(group);
    free_grid(&d);
}

/* Four quarters on a square of PEs: every edge across a line has distance 1. */
static void test_light_lines_on_machine(void)
{
    weighing lines = beyond;
    grid d;
    lines.rows = true;
    make_grid(&d, CLEAVE_UNDIRECTED, 60, &lines, 1);
    for (uint64_t seed = 1; seed <= 3; seed++)
        CHECK_EQ(cut_of(&d, "mesh:2x2", CLEAVE_EFFORT_DEFAULT, seed), 120);
    free_grid(&d);
}

static void test_light_line_of_dag(void)
{
    weighing line = beyond;
    grid d;
    make_grid(&d, CLEAVE_DAG, 60, &line, 1);
    for (uint64_t seed = 1; seed <= 3; seed++)
        CHECK_EQ(cut_of(&d, "2", CLEAVE_EFFORT_DEFAULT, seed), 60);
    free_grid(&d);
}

/* Pairs of a vertex and a part, other than its own, that it has neighbours in. */
static int64_t volume_of(const grid *d, const int32_t *of)
{
    int64_t volume = 0;
    for (int32_t v = 0; v < d->csr.nvtx; v++) {
        uint64_t seen = 0;
        for (int64_t a = d->xadj[v]; a < d->xadj[v + 1]; a++)
            if (of[d->adj[a]] != of[v] && !(seen >> of[d->adj[a]] & 1)) {
                seen |= UINT64_C(1) << of[d->adj[a]];
                volume++;
            }
    }
    return volume;
}

/* Connected pieces of all parts together. */
static int32_t count_pieces(const grid *d, const int32_t *of)
{
    int32_t n = d->csr.nvtx, pieces = 0;
    int32_t *stack = calloc((size_t)n, sizeof *stack);
    bool *seen = calloc((size_t)n, sizeof *seen);
    if (!stack || !seen)
        abort();
    for (int32_t s = 0; s < n; s++) {
        int32_t top = 0;
        pieces += !seen[s];
        if (!seen[s])
            stack[top++] = s;
        seen[s] = true;
        while (top > 0) {
            int32_t v = stack[--top];
            for (int64_t a = d->xadj[v]; a < d->xadj[v + 1]; a++) {
                int32_t u = d->adj[a];
                if (!seen[u] && of[u] == of[v]) {
                    seen[u] = true;
                    stack[top++] = u;
                }
            }
        }
    }
    free(stack);
    free(seen);
    return pieces;
}

/* Other objectives and demands beside heavy edges and vertices. */
static void test_volume_and_pieces(void)
{
    grid d;
    make_grid(&d, CLEAVE_UNDIRECTED, 60, &beyond, 1);
    for (int32_t v = 0; v < d.csr.nvtx; v++)
        d.vwgt[v] = 1500000000 + v % 7;
    for (int connected = 0; connected < 2; connected++) {
        cleave_options opt = options(CLEAVE_EFFORT_FAST, 1);
        cleave_constraints c;
        cleave_constraints_init(&c, sizeof c);
        c.connected = connected;
        opt.constraints = &c;
        opt.objective = CLEAVE_OBJECTIVE_VOLUME;
        outcome o = map_grid(&d, "6", &opt);
        CHECK_EQ(o.status, CLEAVE_OK);
        CHECK_EQ(o.volume, volume_of(&d, o.of));
        for (int p = 0; p < 6; p++)
            CHECK(o.part[p] <= INT64_C(618) * 1500000007);
        CHECK(!connected || count_pieces(&d, o.of) == 6);
        free(o.of);
    }
    free_grid(&d);
}

/* Weights times a constant that takes the total above 2^31: the same graph in another unit.
 * Thresholds of the refiners round differently, so cuts are only about the same. */
static void test_unit_of_edges(void)
{
    static const weighing small = {90, 7, 3, false};
    enum { factor = 1 << 22 };
    grid d;
    make_grid(&d, CLEAVE_UNDIRECTED, 120, &small, 1);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        int64_t was = cut_of(&d, "6", CLEAVE_EFFORT_DEFAULT, seed);
        scale_edges(&d, factor, 1);
        int64_t is = cut_of(&d, "6", CLEAVE_EFFORT_DEFAULT, seed);
        scale_edges(&d, 1, factor);
        CHECK(is % factor == 0);
        CHECK((double)is < 1.1 * (double)was * factor);
        CHECK((double)is > 0.9 * (double)was * factor);
    }
    free_grid(&d);
}

/* Sizes of groups that do not fit 31 bits: the volume in another unit, and the same parts. */
static void test_unit_of_sizes(void)
{
    static const weighing plain = {1, 1, 1, false};
    enum { factor = 1 << 28, side = 32, n = side * side };
    static int32_t groups[n], vsize[n];
    for (int i = 0; i < 6; i++) {
        grid d;
        outcome o[2];
        cleave_constraints constraints;
        cleave_options opt = options(CLEAVE_EFFORT_FAST, 1 + (uint64_t)i);
        make_grid(&d, i < 4 ? CLEAVE_UNDIRECTED : CLEAVE_DAG, side, &plain, 1);
        cleave_constraints_init(&constraints, sizeof constraints);
        constraints.groups = groups;
        opt.constraints = &constraints;
        opt.objective = CLEAVE_OBJECTIVE_VOLUME;
        opt.imbalance = 0.1;
        d.csr.vsize = vsize;
        for (int unit = 0; unit < 2; unit++) {
            for (int32_t v = 0; v < n; v++) {
                groups[v] = v / 4;
                vsize[v] =
                    (int32_t)(1 + drawn((uint32_t)(v / 4), 7) % 7) * (unit ? factor : 1);
            }
            o[unit] = map_grid(&d, "5", &opt);
            CHECK_EQ(o[unit].status, CLEAVE_OK);
        }
        CHECK_EQ(o[1].volume, o[0].volume * factor);
        CHECK(memcmp(o[0].of, o[1].of, n * sizeof *o[0].of) == 0);
        free(o[0].of);
        free(o[1].of);
        free_grid(&d);
    }
}

/* ---- Vertices --------------------------------------------------------------------------- */

/* One weight of 1.5e9 each, one of 1 or 2: light constraints are kept beside heavy ones, and
 * the cut is about that of small weights. */
static void test_heavy_vertices(void)
{
    static const weighing plain = {1, 1, 1, false};
    grid d;
    make_grid(&d, CLEAVE_UNDIRECTED, 200, &plain, 2);
    for (int32_t v = 0; v < d.csr.nvtx; v++)
        d.vwgt[2 * v + 1] = 1 + v % 2;
    int64_t small = 0, heavy = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        cleave_options opt = options(CLEAVE_EFFORT_FAST, seed);
        small += cut_of(&d, "8", opt.effort, seed);
        for (int32_t v = 0; v < d.csr.nvtx; v++)
            d.vwgt[2 * v] = 1500000000;
        outcome o = map_grid(&d, "8", &opt);
        CHECK_EQ(o.status, CLEAVE_OK);
        for (int p = 0; p < 8; p++)
            CHECK(o.part[p] <= INT64_C(5150) * 1500000000 && o.second[p] <= 7725);
        heavy += o.cut;
        free(o.of);
        for (int32_t v = 0; v < d.csr.nvtx; v++)
            d.vwgt[2 * v] = 1;
    }
    CHECK((double)heavy < 1.1 * (double)small);
    free_grid(&d);
}

/* Vertices that weigh more than 2^50 together: parts of seven are within 3 %. */
static void test_heaviest_total(void)
{
    static const weighing plain = {1, 1, 1, false};
    grid d;
    int64_t total = 0;
    make_grid(&d, CLEAVE_UNDIRECTED, 730, &plain, 1);
    for (int32_t v = 0; v < d.csr.nvtx; v++) {
        d.vwgt[v] = INT32_MAX - v % 1000;
        total += d.vwgt[v];
    }
    CHECK(total > INT64_C(1) << 50);
    cleave_options opt = options(CLEAVE_EFFORT_FAST, 1);
    outcome o = map_grid(&d, "7", &opt);
    CHECK_EQ(o.status, CLEAVE_OK);
    int64_t sum = 0;
    for (int p = 0; p < 7; p++) {
        CHECK(o.part[p] <= (total + 6) / 7 / 100 * 103 + 103);
        sum += o.part[p];
    }
    CHECK_EQ(sum, total);
    free(o.of);
    free_grid(&d);
}

/* A column of light vertices is the best separator, whatever the others weigh. */
static void test_separator(void)
{
    static const weighing plain = {1, 1, 1, false};
    enum { side = 100 };
    grid d;
    make_grid(&d, CLEAVE_UNDIRECTED, side, &plain, 1);
    for (int32_t v = 0; v < d.csr.nvtx; v++)
        d.vwgt[v] = v % side == side / 2 ? 1 : drawn((uint32_t)v, 5) % 4 ? 3000 : 2000000000;
    cleave_graph *g = NULL;
    CHECK_OK(cleave_graph_create(&g, &d.csr, 0, &err));
    int64_t lightest = INT64_MAX;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        cleave_separator_options opt;
        cleave_mapping *m = NULL;
        int64_t weight[3];
        cleave_separator_options_init(&opt, sizeof opt);
        opt.seed = seed;
        CHECK_OK(cleave_separator(&m, g, &opt, weight, &err));
        lightest = weight[2] < lightest ? weight[2] : lightest;
        cleave_mapping_free(m);
    }
    CHECK_EQ(lightest, side);
    cleave_graph_free(g);
    free_grid(&d);
}

/* ---- Bounds ----------------------------------------------------------------------------- */

static void check_bounds(const grid *d, const char *target, int32_t k, int which)
{
    static const double lavish[] = {1e300, 4e16, 1e9, 17};
    int64_t max[64], min[64];
    double imbalance[64];
    cleave_constraints c;
    cleave_constraints_init(&c, sizeof c);
    for (int32_t p = 0; p < k; p++) {
        max[p] = which == 5 ? INT64_MAX : INT64_C(1) << 62;
        min[p] = p == 0 && which == 6 ? max[p] : -1;
        imbalance[p] = p % 2 ? 1e300 : 0.5;
    }
    c.max = which == 5 || which == 6 ? max : NULL;
    c.min = which == 6 ? min : NULL;
    c.imbalance = which == 4 ? imbalance : NULL;
    for (int effort = CLEAVE_EFFORT_FAST; effort <= CLEAVE_EFFORT_QUALITY; effort += 2) {
        cleave_options opt = options((cleave_effort)effort, 1);
        opt.constraints = &c;
        if (which < 4)
            opt.imbalance = lavish[which];
        outcome o = map_grid(d, target, &opt);
        /* More than there is cannot be had: the last case alone. */
        CHECK_EQ(o.status, which == 6 ? CLEAVE_EBALANCE : CLEAVE_OK);
        bool valid = o.of != NULL;
        for (int32_t v = 0; valid && v < d->csr.nvtx; v++)
            valid = o.of[v] >= 0 && o.of[v] < k;
        CHECK(valid);
        free(o.of);
    }
}

/* Imbalances and bounds of any size are valid; under UBSan also: nothing overflows. */
static void test_huge_bounds(void)
{
    static const weighing few = {40, 9, 1, false};
    for (int dag = 0; dag < 2; dag++) {
        grid d;
        make_grid(&d, dag ? CLEAVE_DAG : CLEAVE_UNDIRECTED, 12, &few, 1);
        for (int heavy = 0; heavy < 2; heavy++) {
            for (int32_t v = 0; v < d.csr.nvtx; v++)
                d.vwgt[v] = heavy ? INT32_MAX - v : 1 + v % 3;
            for (int which = heavy; which < 7; which += 1 + heavy) {
                check_bounds(&d, "2", 2, which);
                check_bounds(&d, "13", 13, which);
                if (!dag)
                    check_bounds(&d, "mesh:3x2", 6, which);
            }
        }
        free_grid(&d);
    }
}

int main(void)
{
    RUN(test_light_line);
    RUN(test_light_borders);
    RUN(test_light_line_of_groups);
    RUN(test_unit_of_groups);
    RUN(test_light_lines_on_machine);
    RUN(test_light_line_of_dag);
    RUN(test_volume_and_pieces);
    RUN(test_unit_of_edges);
    RUN(test_unit_of_sizes);
    RUN(test_heavy_vertices);
    RUN(test_heaviest_total);
    RUN(test_separator);
    RUN(test_huge_bounds);
    return test_end();
}
