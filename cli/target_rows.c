/* SPDX-License-Identifier: Apache-2.0 */
/* The cost of a mapping on its target, compared with that of the identity mapping. */
#include "cli/target_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cli_target_has_distances(const cleave_target *t)
{
    return t && strcmp(cleave_target_shape(t), "equal") != 0;
}

double *cli_target_shares(const cleave_target *t)
{
    int32_t pes = t ? cleave_target_pes(t) : 0;
    bool equal = true;
    for (int32_t pe = 1; pe < pes && equal; pe++)
        equal = cleave_target_speed(t, pe) == cleave_target_speed(t, 0);
    if (equal) /* no array: there may be many times as many PEs as vertices */
        return NULL;
    double *shares = cli_alloc(pes, sizeof *shares);
    for (int32_t pe = 0; pe < pes; pe++)
        shares[pe] = cleave_target_speed(t, pe);
    return shares;
}

/* "713, identity 1204 (-40.8 %)" */
static void row_with_identity(const char *label, int64_t cost, int64_t identity)
{
    double change = identity > 0 ? 100 * ((double)cost / (double)identity - 1) : 0;
    if (identity > 0)
        cli_row(label, "%" PRId64 ", identity %" PRId64 " (%+.1f %%)", cost, identity, change);
    else
        cli_row(label, "%" PRId64 ", identity %" PRId64, cost, identity);
}

static int shown_levels(const cleave_target_metrics *m)
{
    return m->levels < CLEAVE_MOST_LEVELS ? (int)m->levels : CLEAVE_MOST_LEVELS;
}

void cli_target_rows(const cleave_target *t, const cleave_target_metrics *m)
{
    char text[256];
    cleave_target_describe(t, text, sizeof text);
    cli_row("target", "%s", text);
    row_with_identity("cost", m->cost, m->cost_identity);
    for (int i = 0; i < shown_levels(m); i++) {
        char label[32];
        snprintf(label, sizeof label, "cost of level %d", i + 1);
        row_with_identity(label, m->cost_level[i], m->cost_level_identity[i]);
    }
    cli_row("average dilation", "%.4f", m->average_dilation);
    if (m->max_link_load >= 0)
        cli_row("link load", "largest %" PRId64 ", mean %.2f", m->max_link_load,
                m->average_link_load);
    cli_row("PE traffic", "largest %" PRId64, m->max_pe_traffic);
}

static void json_levels(cli_json *json, const char *prefix, int levels, const int64_t *cost)
{
    char key[64];
    for (int i = 0; i < levels; i++) {
        snprintf(key, sizeof key, "%s_%d", prefix, i + 1);
        cli_json_int(json, key, cost[i]);
    }
}

void cli_target_json(cli_json *json, const char *target, const cleave_target_metrics *m)
{
    cli_json_text(json, "target", target);
    cli_json_int(json, "cost", m->cost);
    cli_json_int(json, "cost_identity", m->cost_identity);
    cli_json_real(json, "average_dilation", m->average_dilation);
    if (m->max_link_load >= 0) {
        cli_json_int(json, "max_link_load", m->max_link_load);
        cli_json_real(json, "average_link_load", m->average_link_load);
    } else {
        cli_json_null(json, "max_link_load");
        cli_json_null(json, "average_link_load");
    }
    cli_json_int(json, "max_pe_traffic", m->max_pe_traffic);
    json_levels(json, "cost_level", shown_levels(m), m->cost_level);
    json_levels(json, "cost_identity_level", shown_levels(m), m->cost_level_identity);
}
