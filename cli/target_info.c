/* SPDX-License-Identifier: Apache-2.0 */
/* A machine in numbers: PEs, speeds, levels, links, distances.
 *
 * With a small number of PEs, distances of all pairs are computed; otherwise those from some
 * PEs, evenly spaced, to all others.  If a distance is a search, as in a large target graph,
 * the PEs at the other end are sampled as well: the number of searches is bounded. */
#include "cli/target_info.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "cli/report.h"

enum { most_pairs = 1 << 22, most_searches = 1 << 16, most_names = 6 };

typedef struct span {
    int64_t least, most;
} span;

typedef struct machine {
    const char *text; /* as on the command line */
    cleave_target *t;
    char description[256];
    int32_t pes, rows;              /* rows: sampled PEs from which distances are computed */
    int32_t columns;                /* sampled PEs to which they are computed; pes: all */
    double slowest, fastest, total; /* speeds */
    int32_t levels;                 /* at most CLEAVE_MOST_LEVELS are reported */
    span group[CLEAVE_MOST_LEVELS]; /* PEs in the groups of a level */
    span reach[CLEAVE_MOST_LEVELS]; /* distances of PEs whose smallest group is of a level */
    span distance;
    double mean_distance;
    int64_t pairs; /* number of sampled pairs of different PEs */
} machine;

static void widen(span *s, int64_t value)
{
    if (s->most < 0 || value < s->least)
        s->least = value;
    if (value > s->most)
        s->most = value;
}

static void measure_speeds(machine *m)
{
    m->slowest = m->fastest = cleave_target_speed(m->t, 0);
    for (int32_t pe = 0; pe < m->pes; pe++) {
        double speed = cleave_target_speed(m->t, pe);
        m->slowest = speed < m->slowest ? speed : m->slowest;
        m->fastest = speed > m->fastest ? speed : m->fastest;
        m->total += speed;
    }
}

/* Distances and groups from PE p; returns the sum of the distances. */
static double measure_row(machine *m, int32_t p)
{
    int64_t within[CLEAVE_MOST_LEVELS] = {0}, count = 1;
    double sum = 0;
    for (int32_t j = 0; j < m->columns; j++) {
        int32_t q = (int32_t)((j + INT64_C(1)) * m->pes / m->columns - 1);
        if (p == q)
            continue;
        int32_t distance = cleave_target_distance(m->t, p, q);
        int32_t level = cleave_target_level(m->t, p, q);
        widen(&m->distance, distance);
        sum += distance;
        m->pairs++;
        if (level > 0 && level <= CLEAVE_MOST_LEVELS) {
            within[level - 1]++;
            widen(&m->reach[level - 1], distance);
        }
    }
    for (int i = 0; i < m->levels; i++)
        widen(&m->group[i], count += within[i]);
    return sum;
}

/* Routes and hierarchies are known for the shapes whose distances are formulas. */
static bool has_formula(const machine *m)
{
    return m->levels > 0 || cleave_target_links(m->t) > 0 ||
           strcmp(cleave_target_shape(m->t), "equal") == 0;
}

/* Chooses the numbers of sampled PEs at both ends. */
static void choose_sample(machine *m)
{
    m->columns = m->pes;
    m->rows = m->pes <= most_pairs / m->pes ? m->pes : most_pairs / m->pes;
    m->rows = m->rows < 1 ? 1 : m->rows;
    if (m->rows == m->pes || has_formula(m))
        return;
    m->rows = m->columns = 1;
    while (m->rows * m->columns < most_searches)
        m->columns = ++m->rows;
}

static void measure_distances(machine *m)
{
    double sum = 0;
    choose_sample(m);
    m->distance.most = -1;
    for (int i = 0; i < CLEAVE_MOST_LEVELS; i++)
        m->group[i].most = m->reach[i].most = -1;
    for (int32_t i = 0; i < m->rows; i++)
        sum += measure_row(m, (int32_t)((int64_t)i * m->pes / m->rows));
    if (m->pes > 1)
        m->mean_distance = sum / (double)m->pairs;
    else
        m->distance = (span){0, 0};
}

static const char *between(const span *s, char text[64])
{
    if (s->least == s->most)
        snprintf(text, 64, "%" PRId64, s->least);
    else
        snprintf(text, 64, "%" PRId64 " to %" PRId64, s->least, s->most);
    return text;
}

static void print_names(const machine *m)
{
    if (!cleave_target_name(m->t, 0))
        return;
    char text[512] = "";
    size_t used = 0;
    for (int32_t pe = 0; pe < m->pes && pe < most_names && used < sizeof text; pe++) {
        const char *name = cleave_target_name(m->t, pe);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.60s", pe ? ", " : "",
                                 name ? name : "-");
    }
    cli_row("names", "%s%s", text, m->pes > most_names ? ", ..." : "");
}

static void print_levels(const machine *m)
{
    char size[64], reach[64], label[32];
    for (int i = 0; i < m->levels; i++) {
        if (m->reach[i].most < 0)
            continue; /* no group of this level has two PEs that need it */
        snprintf(label, sizeof label, "level %d", i + 1);
        cli_row(label, "groups of %s PEs, distance %s", between(&m->group[i], size),
                between(&m->reach[i], reach));
    }
}

static void print_text(const machine *m)
{
    bool all = m->rows == m->pes;
    int64_t links = cleave_target_links(m->t);
    cli_line("%s", m->text);
    cli_row("machine", "%s", m->description);
    cli_row("shape", "%s", cleave_target_shape(m->t));
    cli_row("PEs", "%" PRId32, m->pes);
    if (m->slowest == m->fastest)
        cli_row("speeds", "equal");
    else
        cli_row("speeds", "from %g to %g, total %g", m->slowest, m->fastest, m->total);
    print_levels(m);
    if (links > 0)
        cli_row("links", "%" PRId64, links);
    else
        cli_row("links", "routes are not known");
    cli_row("diameter", "%s%" PRId64, all ? "" : "at least ", m->distance.most);
    if (all)
        cli_row("mean distance", "%.4f", m->mean_distance);
    else if (m->columns == m->pes)
        cli_row("mean distance", "about %.4f (from %" PRId32 " PEs)", m->mean_distance,
                m->rows);
    else
        cli_row("mean distance", "about %.4f (from %" PRId64 " pairs)", m->mean_distance,
                m->pairs);
    print_names(m);
}

static void print_json(const machine *m)
{
    cli_json json;
    cli_json_begin(&json);
    cli_json_text(&json, "target", m->text);
    cli_json_text(&json, "description", m->description);
    cli_json_text(&json, "shape", cleave_target_shape(m->t));
    cli_json_int(&json, "pes", m->pes);
    cli_json_real(&json, "speed_min", m->slowest);
    cli_json_real(&json, "speed_max", m->fastest);
    cli_json_real(&json, "speed_total", m->total);
    cli_json_int(&json, "levels", cleave_target_levels(m->t));
    for (int i = 0; i < m->levels; i++) {
        char key[64];
        snprintf(key, sizeof key, "group_max_level_%d", i + 1);
        cli_json_int(&json, key, m->group[i].most);
        snprintf(key, sizeof key, "distance_max_level_%d", i + 1);
        if (m->reach[i].most < 0)
            cli_json_null(&json, key);
        else
            cli_json_int(&json, key, m->reach[i].most);
    }
    if (cleave_target_links(m->t) > 0)
        cli_json_int(&json, "links", cleave_target_links(m->t));
    else
        cli_json_null(&json, "links");
    cli_json_int(&json, "diameter", m->distance.most);
    cli_json_real(&json, "mean_distance", m->mean_distance);
    cli_json_int(&json, "distances_from", m->rows);
    cli_json_int(&json, "distance_pairs", m->pairs);
    cli_json_bool(&json, "names", cleave_target_name(m->t, 0) != NULL);
    cli_json_text(&json, "first_name", cleave_target_name(m->t, 0));
    cli_json_end(&json);
}

int cli_target_info(const char *text, bool json)
{
    machine m = {.text = text};
    cleave_error err = {0};
    cleave_status status = cleave_target_parse(&m.t, text, &err);
    if (status == CLEAVE_EINVAL)
        return cli_usage_error("info", "-t: %s", err.message);
    if (status != CLEAVE_OK)
        return cli_fail(status, &err);
    m.pes = cleave_target_pes(m.t);
    m.levels = cleave_target_levels(m.t);
    m.levels = m.levels < CLEAVE_MOST_LEVELS ? m.levels : CLEAVE_MOST_LEVELS;
    cleave_target_describe(m.t, m.description, sizeof m.description);
    measure_speeds(&m);
    measure_distances(&m);
    if (json)
        print_json(&m);
    else
        print_text(&m);
    cleave_target_free(m.t);
    return cli_flush();
}
