/* SPDX-License-Identifier: Apache-2.0 */
/* Targets and constraints from the command line and from files. */
#include "cli/demands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- The command line ----------------------------------------------------------------- */

static int make_target(const char *verb, cli_demands *d)
{
    cleave_error err = {0};
    if (!d->k && !d->target_text)
        return cli_usage_error(verb, d->onto_machine
                                         ? "missing target: -t TARGET"
                                         : "missing number of parts: -k PARTS or -t TARGET");
    cleave_status status = d->target_text
                               ? cleave_target_parse(&d->target, d->target_text, &err)
                               : cleave_target_create(&d->target, d->k, NULL, &err);
    if (status == CLEAVE_EINVAL)
        return cli_usage_error(verb, "-t: %s", err.message);
    if (status != CLEAVE_OK)
        return cli_fail(status, &err);
    int32_t pes = cleave_target_pes(d->target);
    if (d->k && d->k != pes)
        return cli_usage_error(verb, "-k %d and -t %s (%d PEs) contradict each other",
                               (int)d->k, d->target_text, (int)pes);
    d->k = pes;
    snprintf(d->count, sizeof d->count, "%d", (int)pes);
    if (!d->target_text)
        d->target_text = d->count;
    return CLI_GO_ON;
}

static bool is_weight(const char *text, int64_t *weight)
{
    char *end;
    errno = 0;
    *weight = strtoll(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && !*end && errno == 0;
}

static int check_bound(const char *verb, const char *option, const char *text)
{
    int64_t weight;
    if (!text || is_weight(text, &weight) || strcmp(text, "-") == 0 || access(text, F_OK) == 0)
        return CLI_GO_ON;
    return cli_usage_error(verb, "--%s: '%s' is neither a whole number from 0 up nor a file",
                           option, text);
}

static bool has_speeds(const cleave_target *t)
{
    for (int32_t pe = 1; pe < cleave_target_pes(t); pe++)
        if (cleave_target_speed(t, pe) != cleave_target_speed(t, 0))
            return true;
    return false;
}

int cli_demands_check(const char *verb, cli_demands *d)
{
    int status = make_target(verb, d);
    if (status == CLI_GO_ON)
        status = check_bound(verb, "min", d->min_text);
    if (status == CLI_GO_ON)
        status = check_bound(verb, "max", d->max_text);
    if (status == CLI_GO_ON && d->shares_file && has_speeds(d->target))
        status = cli_usage_error(verb, "-t %s and --shares both set the sizes of the parts",
                                 d->target_text);
    return status;
}

int cli_demands_from_input(const cli_demands *d)
{
    const char *const files[] = {d->fix,      d->groups,   d->shares_file,
                                 d->min_text, d->max_text, d->start};
    int count = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        count += files[i] && strcmp(files[i], "-") == 0;
    return count;
}

/* ---- Files ---------------------------------------------------------------------------- */

/* A single number is used for every part and every weight. */
static cleave_status read_bound(int64_t **to, const char *text, int32_t k, int32_t ncon,
                                cleave_error *err)
{
    int64_t weight;
    if (!text)
        return CLEAVE_OK;
    *to = cli_alloc((int64_t)k * ncon, sizeof **to);
    if (!is_weight(text, &weight))
        return cleave_bounds_read(*to, k, ncon, text, err);
    for (int64_t i = 0; i < (int64_t)k * ncon; i++)
        (*to)[i] = weight;
    return CLEAVE_OK;
}

/* Labels of a Scotch mapping can only be looked up when the graph is available. */
static cleave_status read_start(cli_demands *d, const cleave_graph *g, int32_t nvtx,
                                cleave_error *err)
{
    int32_t nparts = d->is_old ? -1 : d->k;
    if (nvtx == cleave_graph_vertices(g))
        return cleave_mapping_read_for(&d->from, d->start, g, nparts, err);
    return cleave_mapping_read(&d->from, d->start, nvtx, nparts, err);
}

static cleave_status read_vertices(cli_demands *d, const cleave_graph *g, int32_t nvtx,
                                   cleave_error *err)
{
    cleave_status status = CLEAVE_OK;
    if (d->fix) {
        d->fixed = cli_alloc(nvtx, sizeof *d->fixed);
        status = cleave_fixed_read(d->fixed, nvtx, d->k, d->fix, err);
    }
    if (status == CLEAVE_OK && d->groups) {
        d->group = cli_alloc(nvtx, sizeof *d->group);
        status = cleave_groups_read(d->group, nvtx, d->groups, err);
    }
    if (status == CLEAVE_OK && d->start)
        status = read_start(d, g, nvtx, err);
    return status;
}

cleave_status cli_demands_read_parts(cli_demands *d, int32_t ncon, cleave_error *err)
{
    cleave_status status = CLEAVE_OK;
    if (d->shares_file) {
        d->shares = cli_alloc((int64_t)d->k * ncon, sizeof *d->shares);
        status = cleave_shares_read(d->shares, d->k, ncon, d->shares_file, err);
    }
    if (status == CLEAVE_OK)
        status = read_bound(&d->min, d->min_text, d->k, ncon, err);
    if (status == CLEAVE_OK)
        status = read_bound(&d->max, d->max_text, d->k, ncon, err);
    return status;
}

void cli_demands_point(cli_demands *d)
{
    cleave_constraints *c = &d->constraints;
    cleave_constraints_init(c, sizeof *c);
    c->fixed = d->fixed;
    c->groups = d->group;
    c->shares = d->shares;
    c->min = d->min;
    c->max = d->max;
    c->connected = d->connected;
    c->start = d->is_old ? NULL : d->from;
}

cleave_status cli_demands_read(cli_demands *d, const cleave_graph *g, int32_t nvtx,
                               cleave_error *err)
{
    cleave_csr view;
    cleave_csr_init(&view, sizeof view);
    cleave_graph_view(g, &view);
    cleave_status status = read_vertices(d, g, nvtx, err);
    if (status == CLEAVE_OK)
        status = cli_demands_read_parts(d, view.ncon, err);
    cli_demands_point(d);
    return status;
}

void cli_demands_free(cli_demands *d)
{
    cleave_target_free(d->target);
    cleave_mapping_free(d->from);
    free(d->fixed);
    free(d->group);
    free(d->shares);
    free(d->min);
    free(d->max);
}
