/* SPDX-License-Identifier: Apache-2.0 */
/* Machines, shares and costs from the command line of `evaluate`, and the checks of
 * --strict. */
#include "cli/evaluation.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/target_rows.h"

void cli_evaluation_init(cli_evaluation *j)
{
    *j = (cli_evaluation){0};
    cleave_evaluate_options_init(&j->opt, sizeof j->opt);
    cleave_metrics_init(&j->metrics, sizeof j->metrics);
    cleave_target_metrics_init(&j->on_target, sizeof j->on_target);
    j->opt.imbalance = 0.03;
}

/* ---- The command line ---------------------------------------------------------------- */

/* PEs are parts, and their speeds are the relative sizes. */
static int take_target(cli_evaluation *j)
{
    cleave_error err = {0};
    if (j->shares_text)
        return cli_usage_error("evaluate", "-t and --shares both set the sizes of the parts");
    cleave_status status = cleave_target_parse(&j->target, j->target_text, &err);
    if (status == CLEAVE_EINVAL)
        return cli_usage_error("evaluate", "-t: %s", err.message);
    if (status != CLEAVE_OK)
        return cli_fail(status, &err);
    int32_t pes = cleave_target_pes(j->target);
    if (j->k && j->k != pes)
        return cli_usage_error("evaluate", "-k %d and -t %s (%d PEs) contradict each other",
                               (int)j->k, j->target_text, (int)pes);
    j->k = pes;
    j->shares = cli_target_shares(j->target);
    return CLI_GO_ON;
}

/* "--shares 8" is "-k 8"; "3,2,2,1" gives the relative sizes of the parts, and so does a file,
 * which can only be read when the number of parts is known. */
static int take_shares(cli_evaluation *j)
{
    int count = cli_count_fields(j->shares_text);
    double sum = 0;
    j->shares = cli_alloc(count, sizeof *j->shares);
    if (cli_split_reals(j->shares_text, j->shares, count) != count) {
        free(j->shares);
        j->shares = NULL;
        j->shares_file = j->shares_text;
        return access(j->shares_file, F_OK) == 0
                   ? CLI_GO_ON
                   : cli_usage_error("evaluate",
                                     "'%s' is neither a list of part sizes such as 3,2,2,1 "
                                     "nor a file",
                                     j->shares_text);
    }
    if (count == 1) {
        double parts = j->shares[0];
        free(j->shares);
        j->shares = NULL;
        if (parts < 1 || parts > INT32_MAX || parts != (int32_t)parts)
            return cli_usage_error("evaluate", "'%s' is not a number of parts from 1 to %d",
                                   j->shares_text, INT32_MAX);
        count = (int)parts;
    }
    for (int p = 0; j->shares && p < count; p++)
        sum += j->shares[p];
    if (j->shares && !(sum > 0))
        return cli_usage_error("evaluate", "the part sizes in '%s' are all zero",
                               j->shares_text);
    if (j->k && j->k != count)
        return cli_usage_error("evaluate", "-k %d and '%s' (%d parts) contradict each other",
                               (int)j->k, j->shares_text, count);
    j->k = count;
    return CLI_GO_ON;
}

static int take_costs(cli_evaluation *j)
{
    enum { most_cost = 999999999 };
    double costs[3];
    int64_t *const to[] = {&j->opt.cost_vertex, &j->opt.cost_inside, &j->opt.cost_cut};
    bool good = cli_split_reals(j->costs_text, costs, 3) == 3;
    for (int i = 0; good && i < 3; i++) {
        good = costs[i] <= most_cost && costs[i] == (double)(int64_t)costs[i];
        if (good)
            *to[i] = (int64_t)costs[i];
    }
    if (!good)
        return cli_usage_error("evaluate",
                               "--costs needs three whole numbers from 0 to %d such as "
                               "1,1,11, not '%s'",
                               (int)most_cost, j->costs_text);
    return CLI_GO_ON;
}

int cli_evaluation_check(cli_evaluation *j)
{
    int status = CLI_GO_ON;
    if (j->target_text)
        status = take_target(j);
    else if (j->shares_text)
        status = take_shares(j);
    if (status == CLI_GO_ON && j->costs_text)
        status = take_costs(j);
    j->opt.shares = j->shares;
    return status;
}

cleave_status cli_evaluation_read(cli_evaluation *j, int32_t nparts, cleave_error *err)
{
    if (!j->shares_file || nparts == 0) /* nothing to share out */
        return CLEAVE_OK;
    j->shares = cli_alloc(nparts, sizeof *j->shares);
    cleave_status status = cleave_shares_read(j->shares, nparts, 1, j->shares_file, err);
    j->opt.shares = j->shares;
    return status;
}

/* ---- The report ---------------------------------------------------------------------- */

void cli_evaluation_rows(const cli_evaluation *j, const char *graph, const char *partition,
                         cli_size size)
{
    const cli_bound bound = {.imbalance = j->opt.imbalance};
    cli_quality_rows(graph, partition, size, &j->metrics, &bound);
    cli_quality_directions(&j->metrics, j->cycle, j->cycle_length, &j->opt);
    if (cli_target_has_distances(j->target))
        cli_target_rows(j->target, &j->on_target);
}

void cli_evaluation_json(cli_json *json, const cli_evaluation *j, const char *graph,
                         const char *partition, cli_size size)
{
    const cli_bound bound = {.imbalance = j->opt.imbalance};
    cli_quality_json(json, graph, partition, size, &j->metrics, &bound);
    if (j->cycle)
        cli_json_ints(json, "cycle", j->cycle, j->cycle_length);
    else
        cli_json_null(json, "cycle");
    if (j->target)
        cli_target_json(json, j->target_text, &j->on_target);
}

/* ---- --strict ------------------------------------------------------------------------ */

/* Parts that can be empty: those of share 0, and those beyond the number of vertices. */
static int64_t allowed_empty(const cli_evaluation *j, const cleave_metrics *m, int64_t nvtx)
{
    int32_t idle = 0;
    for (int32_t p = 0; j->shares && p < m->parts; p++)
        idle += j->shares[p] == 0;
    int32_t busy = m->parts - idle;
    return idle + (busy > nvtx ? busy - nvtx : 0);
}

int cli_evaluation_strictly(const cli_evaluation *j, int64_t nvtx)
{
    const cleave_metrics *m = &j->metrics;
    int status = CLI_OK;
    if (!j->strict)
        return status;
    if (!m->balanced) {
        cli_complain("not met: the imbalance is %.4f, above the bound %g", m->imbalance,
                     j->opt.imbalance);
        status = CLI_NOT_MET;
    }
    if (m->empty_parts > allowed_empty(j, m, nvtx)) {
        cli_complain("not met: %" PRId32 " of %" PRId32 " parts are empty", m->empty_parts,
                     m->parts);
        status = CLI_NOT_MET;
    }
    if (m->acyclic == 0) {
        cli_complain("not met: the parts of the DAG depend on each other in a cycle");
        status = CLI_NOT_MET;
    }
    return status;
}

void cli_evaluation_free(cli_evaluation *j)
{
    cleave_target_free(j->target);
    free(j->shares);
    free(j->cycle);
}
