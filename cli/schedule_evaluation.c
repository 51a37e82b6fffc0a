/* SPDX-License-Identifier: Apache-2.0 */
/* See cli/schedule_evaluation.h. */
#include "cli/schedule_evaluation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/progress.h"
#include "cli/schedule_rows.h"

bool cli_schedule_check_is_one(const char *path)
{
    static const char beginning[] = "% cleave schedule";
    unsigned char found[sizeof beginning - 1];
    FILE *file = strcmp(path, "-") == 0 ? NULL : fopen(path, "rb");
    size_t count = file ? fread(found, 1, sizeof found, file) : 0;
    if (file)
        fclose(file);
    if (count >= 2 && found[0] == 0x1f && found[1] == 0x8b) { /* compressed */
        cleave_schedule *s;
        cleave_error err;
        bool good = cleave_schedule_read(&s, path, &err) == CLEAVE_OK;
        cleave_schedule_free(s);
        return good;
    }
    return count == sizeof found && memcmp(found, beginning, count) == 0;
}

bool cli_schedule_check_triangle(const cli_input *input)
{
    return input->as && (strcmp(input->as, "lower") == 0 || strcmp(input->as, "upper") == 0);
}

cleave_status cli_schedule_check_weigh(cleave_graph **g, bool *weighed, cleave_error *err)
{
    cleave_csr csr, before;
    cleave_csr_init(&csr, sizeof csr);
    cleave_csr_init(&before, sizeof before);
    cleave_graph_view(*g, &csr);
    if (csr.vwgt || csr.kind != CLEAVE_DAG)
        return CLEAVE_OK;
    cleave_graph_view_predecessors(*g, &before);
    int32_t *weight = cli_alloc(csr.nvtx, sizeof *weight);
    for (int32_t v = 0; v < csr.nvtx; v++)
        weight[v] = (int32_t)(before.xadj[v + 1] - before.xadj[v]) + 1;
    cleave_graph *weighted = NULL;
    csr.vwgt = weight;
    cleave_status status = cleave_graph_create(&weighted, &csr, 0, err);
    free(weight);
    if (status != CLEAVE_OK)
        return status;
    cleave_graph_free(*g);
    *g = weighted;
    *weighed = true;
    return CLEAVE_OK;
}

/* ---- Metrics -------------------------------------------------------------------------- */

typedef struct checking {
    const cli_schedule_check *asked;
    cli_schedule_facts facts;
    cleave_graph *g;
    cleave_schedule *s;
    bool row_weights;
    double seconds_read;
} checking;

static cleave_status read_all(checking *c, cleave_error *err)
{
    const cli_schedule_check *asked = c->asked;
    cli_progress progress;
    cleave_status status = CLEAVE_OK;
    if (asked->costs_file)
        status = cleave_schedule_costs_read(&c->facts.costs, asked->costs_file, err);
    if (status == CLEAVE_OK)
        status =
            cli_graph_read(&c->g, asked->graph, asked->input, NULL, &c->seconds_read, err);
    if (status != CLEAVE_OK)
        return status;
    cli_progress_begin(&progress, CLI_READING);
    status = cleave_schedule_read(&c->s, asked->schedule, err);
    cli_progress_end(&progress);
    return status;
}

/* A schedule with split rows is for a triangular matrix, with any options. */
static cleave_status evaluate_file(checking *c, cleave_error *err)
{
    cleave_status status = CLEAVE_OK;
    if (cli_schedule_check_triangle(c->asked->input) || cleave_schedule_row(c->s))
        status = cli_schedule_check_weigh(&c->g, &c->row_weights, err);
    return status == CLEAVE_OK ? cli_schedule_measure(&c->facts, c->g, c->s, err) : status;
}

static int report(const checking *c)
{
    const cli_schedule_report r = {.graph = c->asked->graph,
                                   .schedule = c->asked->schedule,
                                   .g = c->g,
                                   .s = c->s,
                                   .row_weights = c->row_weights,
                                   .table = c->asked->table};
    if (c->asked->json) {
        cli_json json;
        cli_json_begin(&json);
        cli_schedule_json_head(&json, &r);
        cli_schedule_json(&json, &c->facts, &r);
        cli_json_real(&json, "seconds_read", c->seconds_read);
        cli_json_end(&json);
    } else {
        cli_schedule_rows(&c->facts, &r);
    }
    return cli_flush();
}

int cli_schedule_check_run(const cli_schedule_check *asked)
{
    checking c = {.asked = asked};
    cleave_error err = {0};
    int exit_status;
    cleave_schedule_costs_init(&c.facts.costs, sizeof c.facts.costs);
    cleave_status status = read_all(&c, &err);
    if (status != CLEAVE_OK) {
        exit_status = cli_fail(status, &err);
    } else if ((status = evaluate_file(&c, &err)) == CLEAVE_EINVAL) {
        cli_complain("%s: %s", asked->schedule, err.message);
        exit_status = CLI_NOT_MET;
    } else {
        exit_status = status == CLEAVE_OK ? report(&c) : cli_fail(status, &err);
    }
    free(c.facts.work);
    cleave_schedule_free(c.s);
    cleave_graph_free(c.g);
    return exit_status;
}
