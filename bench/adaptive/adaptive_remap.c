/* SPDX-License-Identifier: Apache-2.0 */
/* bench/adaptive/adaptive_remap.c - remapping after a change of the machine: every strategy at
 * every migration cost.
 *
 * Events: a tenth of the PEs is lost, either of PEs whose speeds differ by up to 4 ("lost":
 * the remaining ones keep their numbers) or of equal nodes at a Slurm switch ("named"); or
 * speeds change because of other load: each is divided by a number uniform in [1, 4]
 * ("slower"), or divided or multiplied by it ("speed"), so that the ratio of two PEs can
 * change by 16.  The old mapping is that of cleave_map with default options.  Migration is
 * recomputed here from the two mappings. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adaptive/adaptive_remap.h"

const remap_event remap_events[nremap_event] = {{"lost", LOST, 20},
                                                {"lost", LOST, 30},
                                                {"named", NAMED, 20},
                                                {"slower", SLOWER, 20},
                                                {"speed", SPEED, 20}};
const double remap_prices[nremap_price] = {0, 1, 10, 1000};
const char *const remap_strategies[nremap_strategy] = {"interval", "diffuse", "scratch",
                                                       "auto"};

adaptive_row remap_question(const settings *s, const char *graph, const remap_event *e,
                            const char *strategy, double price, int seed)
{
    char name[40];
    snprintf(name, sizeof name, "%s:%s", e->name, strategy);
    adaptive_row q = adaptive_question(s, graph, name, e->pes, 0, seed);
    q.price = price;
    return q;
}

/* ---- Machines --------------------------------------------------------------------------- */

typedef struct change {
    cleave_target *before, *after;
    double speed[max_pes]; /* by PE of `after` */
    int pes;               /* of `after` */
    int was[max_pes];      /* the PE of `before` that equals a PE of `after` */
} change;

static cleave_target *parse(const char *spec)
{
    cleave_target *t;
    cleave_error err;
    if (cleave_target_parse(&t, spec, &err) != CLEAVE_OK)
        bench_fail(err.message);
    return t;
}

/* The machine with a [list] of the remaining PEs. */
static void keep_left(change *c, const char *machine, const char *prefix, int pes,
                      const char *lost)
{
    char spec[max_pes * 32];
    int used = snprintf(spec, sizeof spec, "%s[", machine);
    for (int pe = 0; pe < pes; pe++)
        if (!lost[pe]) {
            used += snprintf(spec + used, sizeof spec - (size_t)used, "%s%s%d",
                             c->pes ? "," : "", prefix, pe);
            c->was[c->pes++] = pe;
        }
    snprintf(spec + used, sizeof spec - (size_t)used, "]");
    c->after = parse(spec);
}

/* Nodes n0, n1, ... at one switch; afterwards the remaining ones. */
static void lose_nodes(change *c, const settings *s, int pes, const char *lost)
{
    char path[450], machine[500];
    snprintf(path, sizeof path, "%s/adaptive-slurm-%d.conf", s->folder, pes);
    FILE *file = fopen(path, "w");
    if (!file || fprintf(file, "SwitchName=s0 Nodes=n[0-%d]\n", pes - 1) < 0 ||
        fclose(file) != 0)
        bench_fail(path);
    snprintf(machine, sizeof machine, "slurm:%s", path);
    c->before = parse(machine);
    keep_left(c, machine, "n", pes, lost);
    remove(path);
}

static void lose_speeds(change *c, const double *speed, int pes, const char *lost)
{
    char machine[max_pes * 24];
    int used = 0;
    for (int pe = 0; pe < pes; pe++)
        used += snprintf(machine + used, sizeof machine - (size_t)used, "%s%.15g",
                         pe ? "," : "", speed[pe]);
    c->before = parse(machine);
    keep_left(c, machine, "", pes, lost);
}

static void make_change(change *c, const settings *s, const remap_event *e, int seed)
{
    char lost[max_pes];
    double speed[max_pes];
    memset(c, 0, sizeof *c);
    pes_choose(lost, e->pes, e->pes / 10, seed);
    speeds_draw(speed, e->pes, 4, seed);
    if (e->kind == NAMED)
        lose_nodes(c, s, e->pes, lost);
    else if (e->kind == LOST)
        lose_speeds(c, speed, e->pes, lost);
    else {
        c->before = target_of(speed, e->pes);
        speeds_change(speed, e->pes, 4, e->kind == SPEED, seed);
        c->after = target_of(speed, e->pes);
        for (c->pes = 0; c->pes < e->pes; c->pes++)
            c->was[c->pes] = c->pes;
    }
    for (int pe = 0; pe < c->pes; pe++)
        c->speed[pe] = cleave_target_speed(c->after, pe);
}

/* ---- Measuring -------------------------------------------------------------------------- */

typedef struct remap_run {
    const settings *s;
    adaptive_results *all;
    const char *name;
    cleave_graph *g;
    cleave_mapping *old; /* of the current event; NULL: not needed so far */
} remap_run;

static void complain(adaptive_row *r, const char *message)
{
    fprintf(stderr, "%s: %s %d PEs %s price %g seed %d: %s\n", bench_name, r->graph, r->k,
            r->method, r->price, r->seed, message);
}

static cleave_mapping *map_fresh(const remap_run *run, const cleave_target *t, int seed,
                                 adaptive_row *r)
{
    cleave_options opt;
    cleave_mapping *m = NULL;
    cleave_error err = {CLEAVE_OK, ""};
    cleave_options_init(&opt, sizeof opt);
    opt.imbalance = run->s->imbalance;
    opt.seed = (uint64_t)seed;
    opt.threads = run->s->threads[0];
    double start = bench_seconds();
    cleave_status status = cleave_map(&m, run->g, t, &opt, &err);
    if (r) {
        r->seconds = bench_seconds() - start;
        r->status = (int)status;
    }
    if (!m)
        bench_fail(err.message);
    return m;
}

/* Vertices that moved; *forced: those that were on removed PEs. */
static long long count_moved(const change *c, const cleave_mapping *old,
                             const cleave_mapping *now, long long *forced)
{
    const int32_t *from = cleave_mapping_parts(old), *to = cleave_mapping_parts(now);
    char alive[max_pes] = {0};
    long long moved = 0;
    for (int pe = 0; pe < c->pes; pe++)
        alive[c->was[pe]] = 1;
    *forced = 0;
    for (int32_t v = 0; v < cleave_mapping_vertices(now); v++) {
        moved += c->was[to[v]] != from[v];
        *forced += !alive[from[v]];
    }
    return moved;
}

static void judge(const remap_run *run, const change *c, const cleave_mapping *m,
                  const cleave_remap_report *report, adaptive_row *r)
{
    char text[200];
    long long forced;
    adaptive_judge(r, run->g, m, c->speed);
    r->migration = count_moved(c, run->old, m, &forced);
    r->bound = report->migration_bound;
    if (report->cut == r->cut && report->migration == r->migration &&
        r->bound <= r->migration && r->bound >= forced)
        return;
    snprintf(text, sizeof text,
             "the report says cut %lld, migration %lld, bound %lld; cut is %lld, migration "
             "%lld, at least %lld",
             (long long)report->cut, (long long)report->migration, r->bound, r->cut,
             r->migration, forced);
    complain(r, text);
    r->status = 1;
}

static void remap_once(const remap_run *run, const change *c, const char *strategy,
                       adaptive_row *r)
{
    cleave_options options;
    cleave_remap_options opt;
    cleave_remap_report report;
    cleave_mapping *m = NULL;
    cleave_error err = {CLEAVE_OK, ""};
    cleave_options_init(&options, sizeof options);
    cleave_remap_options_init(&opt, sizeof opt);
    cleave_remap_report_init(&report, sizeof report);
    options.imbalance = r->imbalance;
    options.seed = (uint64_t)r->seed;
    options.threads = r->threads;
    opt.migration_price = r->price;
    opt.strategy = strategy;
    opt.from = c->before;
    opt.options = &options;
    opt.report = &report;
    double start = bench_seconds();
    r->status = (int)cleave_remap(&m, run->g, run->old, c->after, &opt, &err);
    r->seconds = bench_seconds() - start;
    if (r->status)
        complain(r, err.message);
    if (m)
        judge(run, c, m, &report, r);
    cleave_mapping_free(m);
}

static void measure_remap(remap_run *run, const remap_event *e, const change *c, int strategy,
                          double price, int seed)
{
    const char *name = strategy < 0 ? "fresh" : remap_strategies[strategy];
    adaptive_row q = remap_question(run->s, run->name, e, name, price, seed);
    if (adaptive_look(run->all, &q))
        return;
    if (!run->g)
        run->g = adaptive_read(run->s, run->name);
    if (!run->old)
        run->old = map_fresh(run, c->before, seed, NULL);
    if (strategy < 0) {
        cleave_mapping *m = map_fresh(run, c->after, seed, &q);
        adaptive_judge(&q, run->g, m, c->speed);
        cleave_mapping_free(m);
    } else
        remap_once(run, c, name, &q);
    adaptive_add(run->all, &q);
    fprintf(stderr,
            "%-8s %2d %-16s price %-5g cut %7lld migration %7lld bound %6lld %.3f s%s\n",
            q.graph, q.k, q.method, q.price, q.cut, q.migration, q.bound, q.seconds,
            adaptive_invalid(&q) ? "  INVALID" : "");
}

static void measure_event(remap_run *run, const remap_event *e, int seed)
{
    change c;
    make_change(&c, run->s, e, seed);
    measure_remap(run, e, &c, -1, 0, seed);
    for (int p = 0; p < nremap_price; p++)
        for (int i = 0; i < nremap_strategy; i++)
            measure_remap(run, e, &c, i, remap_prices[p], seed);
    cleave_mapping_free(run->old);
    run->old = NULL;
    cleave_target_free(c.before);
    cleave_target_free(c.after);
}

void remap_measure(const settings *s, adaptive_results *all)
{
    for (int i = 0; i < s->ngraphs; i++) {
        remap_run run = {.s = s, .all = all, .name = adaptive_set[s->graphs[i]].name};
        for (int e = 0; e < nremap_event; e++)
            for (int seed = 1; seed <= s->seeds; seed++)
                measure_event(&run, &remap_events[e], seed);
        cleave_graph_free(run.g);
    }
}
