/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/fuzz_demands.c - constraints and options from bytes, and whether they are valid;
 * see fuzz_instance.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz_instance.h"

/* The first reason stays. */
static void say_wrong(fuzz_instance *x, bool is, const char *why)
{
    if (is && !x->wrong[0])
        snprintf(x->wrong, sizeof x->wrong, "%s", why);
}

/* ---- Constraints ------------------------------------------------------------------------ */

cleave_mapping *fuzz_take_mapping(fuzz_input *in, int32_t nvtx, int32_t nparts)
{
    int32_t *part = malloc(((size_t)nvtx + 1) * sizeof *part);
    fuzz_draws draws = fuzz_take_draws(in);
    int how = fuzz_take(in, 3);
    cleave_mapping *m;
    cleave_error err;
    FUZZ_CHECK(part != NULL);
    for (int32_t v = 0; v < nvtx; v++)
        part[v] = how == 0   ? (int32_t)((int64_t)v * nparts / nvtx)
                  : how == 1 ? fuzz_draw(&draws, nparts)
                             : fuzz_draw(&draws, 1 + fuzz_draw(&draws, nparts));
    FUZZ_CHECK_OK(cleave_mapping_create(&m, nvtx, nparts, part, &err), err);
    free(part);
    return m;
}

static void take_fixed(fuzz_input *in, fuzz_instance *x)
{
    fuzz_draws draws = fuzz_take_draws(in);
    int32_t odds = 1 + fuzz_take(in, 12);
    bool beyond = fuzz_chance(in, 40);
    x->a.c.fixed = x->fixed;
    for (int32_t v = 0; v < x->a.n; v++)
        x->fixed[v] = fuzz_draw(&draws, odds) == 0 ? fuzz_draw(&draws, x->a.k) : -1;
    if (beyond && x->a.n > 0) {
        x->fixed[x->a.n / 2] = fuzz_draw(&draws, 2) ? x->a.k : -2;
        say_wrong(x, true, "fixed to a part that is not there");
    }
}

static void take_groups(fuzz_input *in, fuzz_instance *x)
{
    fuzz_draws draws = fuzz_take_draws(in);
    int32_t odds = 1 + fuzz_take(in, 6), count = 1 + fuzz_take(in, 30);
    bool negative = fuzz_chance(in, 40);
    x->a.c.groups = x->groups;
    for (int32_t v = 0; v < x->a.n; v++)
        x->groups[v] = fuzz_draw(&draws, odds) == 0 ? fuzz_draw(&draws, count) : -1;
    if (negative && x->a.n > 0) {
        x->groups[0] = -2;
        say_wrong(x, true, "a group below -1");
    }
}

static void take_shares(fuzz_input *in, fuzz_instance *x)
{
    x->a.shares = x->shares;
    for (int32_t i = 0; i < x->a.k * x->a.ncon; i++)
        x->shares[i] = fuzz_take(in, 10);
    for (int32_t c = 0; c < x->a.ncon; c++) {
        int64_t sum = 0;
        for (int32_t p = 0; p < x->a.k; p++)
            sum += x->machine.speeds[p] > 0 ? x->shares[p * x->a.ncon + c] : 0;
        say_wrong(x, sum == 0, "no part has a share");
    }
}

static void take_each(fuzz_input *in, fuzz_instance *x)
{
    x->a.each = x->each;
    for (int32_t p = 0; p < x->a.k; p++)
        x->each[p] = 10 * fuzz_take(in, 60);
}

static int64_t total_of(const fuzz_instance *x, int32_t con)
{
    int64_t total = 0;
    for (int32_t v = 0; v < x->a.n; v++)
        total += x->a.csr.vwgt ? x->a.csr.vwgt[(int64_t)v * x->a.ncon + con] : 1;
    return total;
}

/* Around an equal share, or nothing, or anything. */
static void take_bounds(fuzz_input *in, fuzz_instance *x, int64_t *bound)
{
    fuzz_draws draws = fuzz_take_draws(in);
    int low = fuzz_take(in, 200);
    for (int32_t i = 0; i < x->a.k * x->a.ncon; i++) {
        int64_t share = total_of(x, i % x->a.ncon) / x->a.k;
        int how = fuzz_draw(&draws, 8);
        bound[i] = how == 0   ? -1
                   : how == 1 ? fuzz_draw(&draws, INT32_MAX)
                              : share * (low + fuzz_draw(&draws, 60)) / 100;
    }
}

/* A lower bound above the upper one. */
static bool contradicts(const fuzz_instance *x)
{
    for (int32_t i = 0; x->a.c.min && i < x->a.k * x->a.ncon; i++) {
        int32_t p = i / x->a.ncon, con = i % x->a.ncon;
        int64_t total = total_of(x, con), min = x->a.c.min[i];
        int64_t bound = fixture_bound(&x->a, p, con);
        bool given = x->a.c.max && x->a.c.max[i] >= 0 && bound == x->a.c.max[i] && bound > 0;
        if (!given && min > total + 1)
            min = total + 1; /* any weight is too little: that is no contradiction yet */
        if (!given && bound == 0 && total == 0 && !fixture_has_no_share(&x->a, p, con) &&
            !(x->a.c.max && x->a.c.max[i] == 0))
            bound = 1;
        if (min > bound)
            return true;
    }
    return false;
}

/* Two parts for one group. */
static bool group_is_torn(const fuzz_instance *x)
{
    for (int32_t v = 0; x->a.c.fixed && x->a.c.groups && v < x->a.n; v++)
        for (int32_t u = 0; u < v; u++)
            if (x->groups[v] >= 0 && x->groups[u] == x->groups[v] && x->fixed[v] >= 0 &&
                x->fixed[u] >= 0 && x->fixed[u] != x->fixed[v])
                return true;
    return false;
}

static void take_start(fuzz_input *in, fuzz_instance *x)
{
    int32_t n = x->a.n, k = x->a.k;
    int off = fuzz_take(in, 40);
    n += off == 1;
    k += off == 2;
    x->start = fuzz_take_mapping(in, n, k);
    x->a.c.start = x->start;
    say_wrong(x, off == 1 || off == 2, "a start of another size");
}

static void take_constraints(fuzz_input *in, fuzz_verb verb, fuzz_instance *x)
{
    if (fuzz_chance(in, 5))
        take_fixed(in, x);
    if (fuzz_chance(in, 5))
        take_groups(in, x);
    if (fuzz_chance(in, 6))
        take_shares(in, x);
    if (fuzz_chance(in, 6))
        take_each(in, x);
    if (fuzz_chance(in, 6)) {
        take_bounds(in, x, x->max);
        x->a.c.max = x->max;
    }
    if (fuzz_chance(in, 10)) {
        take_bounds(in, x, x->min);
        x->a.c.min = x->min;
    }
    if (fuzz_chance(in, x->a.csr.kind == CLEAVE_DAG ? 60 : 6))
        x->a.c.connected = 1;
    if (verb == FUZZ_FOR_MAP && fuzz_chance(in, 5))
        take_start(in, x);
    say_wrong(x, x->a.c.connected && x->a.csr.kind == CLEAVE_DAG, "connected parts of a DAG");
    say_wrong(x, group_is_torn(x), "a group fixed to two parts");
}

/* ---- Options ---------------------------------------------------------------------------- */

int fuzz_progress(void *payload, const cleave_progress *now)
{
    fuzz_stop *stop = payload;
    FUZZ_CHECK(now->size == sizeof *now && now->phase && now->phase[0]);
    FUZZ_CHECK(stop->until == 0 || stop->calls < stop->until); /* never again after a stop */
    return ++stop->calls == stop->until;
}

void fuzz_take_stop(fuzz_input *in, fuzz_stop *stop)
{
    stop->calls = 0;
    stop->until = fuzz_chance(in, 8) ? 1 + fuzz_take(in, 2) : 0;
}

void fuzz_take_effort(fuzz_input *in, cleave_effort *effort, double *time_limit)
{
    static const double limits[] = {1e-9, 1e-5, 1e-4, 1e-3};
    int drawn = fuzz_take(in, 16);
    *effort = drawn < 9    ? CLEAVE_EFFORT_FAST
              : drawn < 13 ? CLEAVE_EFFORT_DEFAULT
              : drawn < 15 ? CLEAVE_EFFORT_QUALITY
                           : CLEAVE_EFFORT_BEST;
    *time_limit = *effort == CLEAVE_EFFORT_BEST ? 0.001 * (1 + fuzz_take(in, 4)) : 0;
    if (fuzz_chance(in, 10))
        *time_limit = limits[fuzz_take(in, 4)];
}

/* What rcb, zci, hci and rsb cannot do. */
static void judge_geometric(fuzz_instance *x, bool by_coordinates)
{
    const cleave_constraints *c = &x->a.c;
    say_wrong(x, x->a.csr.kind == CLEAVE_DAG, "a geometric method for a DAG");
    say_wrong(x, c->fixed || c->groups || c->start || c->connected,
              "constraints that a geometric method does not know");
    say_wrong(x, x->a.opt.objective == CLEAVE_OBJECTIVE_VOLUME, "the volume by geometry");
    say_wrong(x, by_coordinates && !x->a.csr.ndim && x->a.n > 0, "no coordinates");
}

static void judge_dagp(fuzz_instance *x)
{
    say_wrong(x, x->a.csr.kind != CLEAVE_DAG, "a method for DAGs");
    say_wrong(x, x->a.c.fixed || x->a.c.start, "constraints that dagp does not know");
    say_wrong(x, x->a.opt.objective != CLEAVE_OBJECTIVE_CUT, "dagp knows the cut alone");
}

static void take_method(fuzz_input *in, fuzz_instance *x)
{
    static const struct {
        const char *method, *params;
    } ways[] = {{"auto", NULL},        {"", NULL},
                {"kway", NULL},        {"drb", "policy=depth"},
                {"drb", NULL},         {"drb", "policy=breadth"},
                {"rcb", NULL},         {"zci", "grouping=simple"},
                {"hci", "refine=1"},   {"rsb", NULL},
                {"rsb", "refine=1"},   {"dagp", NULL},
                {"dagp", "runs=2"},    {"kernighan", NULL},
                {"fauzia", NULL},      {"multisection", NULL},
                {"nonsense", NULL},    {"multilevel", "runs=2"},
                {"rcb", "grouping=x"}, {"drb", "policy=size"}};
    int way = fuzz_take(in, sizeof ways / sizeof *ways);
    x->a.opt.method = ways[way].method;
    x->a.opt.params = ways[way].params;
    if (way >= 11 && way <= 14 && x->a.opt.objective == CLEAVE_OBJECTIVE_COST)
        x->a.opt.objective = CLEAVE_OBJECTIVE_CUT;
    if (way >= 6 && way <= 10)
        judge_geometric(x, way < 9);
    if (way >= 11 && way <= 14)
        judge_dagp(x);
    say_wrong(x, way == 15 && cleave_target_levels(x->machine.t) == 0, "no hierarchy");
    say_wrong(x, way >= 16 && way <= 18, "no such method or parameter");
}

static void take_one_to_one(fuzz_instance *x)
{
    bool taken[FUZZ_MOST_PES] = {false};
    int32_t parts = 0, units = 0;
    x->a.opt.one_to_one = 1;
    say_wrong(x, x->a.c.groups || x->a.n > x->a.k, "not one PE per vertex");
    for (int32_t v = 0; v < x->a.n && !x->wrong[0]; v++) {
        int32_t p = x->a.c.fixed ? x->fixed[v] : -1;
        units += p < 0;
        if (p < 0)
            continue;
        say_wrong(x, taken[p], "two vertices fixed to one PE");
        taken[p] = true;
    }
    for (int32_t p = 0; p < x->a.k; p++)
        parts += !taken[p] && !fixture_stays_empty(&x->a, p);
    say_wrong(x, units > parts, "too few PEs that may hold something");
}

/* Numbers that are none. */
static void take_nonsense(fuzz_input *in, fuzz_instance *x)
{
    cleave_options *opt = &x->a.opt;
    switch (fuzz_take(in, 5)) {
    case 0:
        x->a.thousandths = -1;
        break;
    case 1:
        opt->effort = (cleave_effort)7;
        break;
    case 2:
        opt->objective = (cleave_objective)-1;
        break;
    case 3:
        opt->threads = -1;
        break;
    default:
        opt->time_limit = fuzz_take(in, 2) ? NAN : -1;
    }
    say_wrong(x, true, "an option out of range");
}

static void take_objective(fuzz_input *in, fuzz_verb verb, fuzz_instance *x)
{
    int drawn = fuzz_take(in, 8), odds = verb == FUZZ_FOR_MAP ? 2 : 20;
    bool routes = cleave_target_links(x->machine.t) > 0;
    cleave_objective *objective = &x->a.opt.objective;
    *objective = drawn < 4 ? CLEAVE_OBJECTIVE_COST : CLEAVE_OBJECTIVE_CUT;
    if (drawn >= 6 && fuzz_chance(in, odds))
        *objective = CLEAVE_OBJECTIVE_VOLUME;
    if (drawn == 5 && (routes || fuzz_chance(in, 4)) && fuzz_chance(in, odds))
        *objective = CLEAVE_OBJECTIVE_CONGESTION;
    say_wrong(x, *objective == CLEAVE_OBJECTIVE_CONGESTION && !routes,
              "congestion without routes");
    say_wrong(x,
              verb == FUZZ_FOR_REMAP && (*objective == CLEAVE_OBJECTIVE_CONGESTION ||
                                         *objective == CLEAVE_OBJECTIVE_VOLUME),
              "an objective that remapping does not know");
}

static void take_options(fuzz_input *in, fuzz_verb verb, fuzz_instance *x)
{
    static const int32_t slack[] = {30, 0, 1, 10, 100, 500, 1000, 5000};
    cleave_options *opt = &x->a.opt;
    x->a.thousandths = slack[fuzz_take(in, 8)];
    opt->seed = (uint64_t)fuzz_take(in, 65536);
    opt->threads = 1 + fuzz_chance(in, 5);
    fuzz_take_effort(in, &opt->effort, &opt->time_limit);
    /* Annealing on a machine takes half a second, and under sanitizers twenty. */
    if (opt->effort == CLEAVE_EFFORT_QUALITY && opt->time_limit == 0 &&
        !fuzz_machine_is_flat(&x->machine))
        opt->time_limit = 0.02;
    fuzz_take_stop(in, &x->stop);
    opt->progress = fuzz_progress;
    opt->payload = &x->stop;
    if (verb == FUZZ_FOR_SPLIT)
        return;
    take_objective(in, verb, x);
    if (verb == FUZZ_FOR_MAP && fuzz_chance(in, 4))
        take_method(in, x);
    if (verb == FUZZ_FOR_MAP && x->a.k > 1 && fuzz_chance(in, x->a.n <= x->a.k ? 4 : 60))
        take_one_to_one(x);
    if (fuzz_chance(in, 30))
        take_nonsense(in, x);
}

/* ---- For people ------------------------------------------------------------------------- */

static const fuzz_instance *current;

static void print_ints(const char *name, const int32_t *values, int64_t count)
{
    if (!values || count > 400)
        return;
    fprintf(stderr, "  %s", name);
    for (int64_t i = 0; i < count; i++)
        fprintf(stderr, " %ld", (long)values[i]);
    fprintf(stderr, "\n");
}

static void print_bounds(const char *name, const int64_t *values, int64_t count)
{
    if (!values)
        return;
    fprintf(stderr, "  %s", name);
    for (int64_t i = 0; i < count; i++)
        fprintf(stderr, " %lld", (long long)values[i]);
    fprintf(stderr, "\n");
}

static void describe(void)
{
    const asked *a = &current->a;
    const cleave_csr *g = &a->csr;
    fprintf(stderr, "  %s, %ld vertices, %ld weights; target %s, refused for: %s\n",
            g->kind == CLEAVE_DAG ? "DAG" : "undirected", (long)a->n, (long)a->ncon,
            current->machine.text, current->wrong[0] ? current->wrong : "nothing");
    fprintf(stderr,
            "  method %s %s, effort %d, objective %d, imbalance %g, seed %lld, threads %d, "
            "limit %g, stop at %d, one to one %d, connected %d\n",
            a->opt.method ? a->opt.method : "", a->opt.params ? a->opt.params : "",
            (int)a->opt.effort, (int)a->opt.objective, a->thousandths / 1000.0,
            (long long)a->opt.seed, a->opt.threads, a->opt.time_limit, current->stop.until,
            a->opt.one_to_one, a->c.connected);
    for (int32_t v = 0; v < a->n && g->xadj[a->n] < 400; v++) {
        fprintf(stderr, "  row %ld:", (long)v);
        for (int64_t i = g->xadj[v]; i < g->xadj[v + 1]; i++)
            fprintf(stderr, " %ld/%ld", (long)g->adj[i], (long)(g->ewgt ? g->ewgt[i] : 1));
        fprintf(stderr, "\n");
    }
    print_ints("weights", g->vwgt, (int64_t)a->n * a->ncon);
    print_ints("sizes", g->vsize, a->n);
    print_ints("fixed", a->c.fixed, a->n);
    print_ints("groups", a->c.groups, a->n);
    print_ints("shares", a->shares, (int64_t)a->k * a->ncon);
    print_ints("thousandths of parts", a->each, a->k);
    print_ints("start", a->c.start ? cleave_mapping_parts(a->c.start) : NULL, a->n);
    print_bounds("min", a->c.min, (int64_t)a->k * a->ncon);
    print_bounds("max", a->c.max, (int64_t)a->k * a->ncon);
}

/* ---- All together ----------------------------------------------------------------------- */

void fuzz_take_instance(fuzz_input *in, fuzz_kinds kinds, fuzz_verb verb, fuzz_instance *x)
{
    memset(x, 0, sizeof *x);
    fuzz_take_machine(in, &x->machine);
    ask_graph(&x->a, "instance", fuzz_take_graph(in, kinds), x->machine.npes,
              CLEAVE_EFFORT_FAST);
    cleave_target_free(x->a.t);
    x->a.t = x->machine.t; /* freed with the machine */
    x->a.speeds = x->machine.unequal ? x->machine.speeds : NULL;
    if (verb != FUZZ_FOR_SPLIT)
        take_constraints(in, verb, x);
    take_options(in, verb, x);
    say_wrong(x, contradicts(x), "a lower bound above the upper one");
    current = x;
    fuzz_describe = describe;
}

void fuzz_instance_free(fuzz_instance *x)
{
    fuzz_describe = NULL;
    cleave_mapping_free(x->start);
    cleave_graph_free(x->a.g);
    fuzz_machine_free(&x->machine);
}
