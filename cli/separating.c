/* SPDX-License-Identifier: Apache-2.0 */
/* cleave partition GRAPH --separator: two sides and the vertices between them. */
#include "cli/separating.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/graph_io.h"
#include "cli/method_options.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/quality.h"

enum { nparts = 3 }; /* two sides and the separator, as the file names them */

typedef struct separating {
    cli_input input;
    cli_outputs outputs;
    const char *graph; /* path */
    const char *effort, *seed_text;
    bool json, separator;
    cleave_separator_options opt;
    cleave_graph *g;
    cleave_mapping *m;
    cleave_status status; /* OK, or ECANCEL with a separator */
    int64_t weight[nparts], vertices[nparts];
    cli_times times;
} separating;

bool cli_separating_asked(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--separator") == 0)
            return true;
    return false;
}

static int check_usage(separating *p, char **operands)
{
    p->graph = operands[0];
    int status = cli_input_check("partition", &p->input);
    if (status == CLI_GO_ON)
        status = cli_take_seed("partition", p->seed_text, &p->opt.seed);
    if (status == CLI_GO_ON)
        status = cli_outputs_check("partition", &p->outputs, p->graph, nparts, p->json);
    p->effort = p->effort ? p->effort : "default";
    p->opt.effort = cli_effort_of(p->effort);
    p->opt.threads = p->input.threads;
    return status;
}

static void separate(separating *p, cleave_error *err)
{
    cli_progress progress;
    p->opt.progress = cli_progress_report;
    p->opt.payload = &progress;
    cli_progress_begin(&progress, CLI_COMPUTING);
    p->status = cleave_separator(&p->m, p->g, &p->opt, p->weight, err);
    p->times.work = cli_progress_end(&progress);
    for (int32_t v = 0; p->m && v < cleave_graph_vertices(p->g); v++)
        p->vertices[cleave_mapping_parts(p->m)[v]]++;
}

static cleave_status write_all(separating *p, cleave_error *err)
{
    double start = cli_clock();
    cleave_status status = cli_outputs_write(&p->outputs, p->g, p->m, p->m, NULL, err);
    p->times.write = cli_clock() - start;
    return status;
}

static void print_text(const separating *p)
{
    static const char *const names[nparts] = {"side 0", "side 1", "separator"};
    cli_line("%s: %s", p->graph, p->outputs.mapping);
    cli_size_row(cli_size_of(p->g));
    for (int i = nparts - 1, done = 0; done < nparts; i = (i + 1) % nparts, done++)
        cli_row(names[i], "weight %" PRId64 ", %" PRId64 " %s", p->weight[i], p->vertices[i],
                cli_plural(p->vertices[i], "vertex", "vertices"));
    cli_row("effort", "%s, seed %" PRIu64 ", bound of the imbalance %g", p->effort,
            p->opt.seed, p->opt.imbalance);
    cli_times_row(&p->times);
}

static void print_json(const separating *p)
{
    cli_json json;
    cli_json_begin(&json);
    cli_json_text(&json, "file", p->graph);
    cli_json_text(&json, "partition", p->outputs.mapping);
    cli_json_int(&json, "vertices", cleave_graph_vertices(p->g));
    cli_json_int(&json, "edges", cleave_graph_edges(p->g));
    cli_json_int(&json, "separator_weight", p->weight[2]);
    cli_json_ints(&json, "part_weight", p->weight, nparts);
    cli_json_ints(&json, "part_vertices", p->vertices, nparts);
    cli_json_text(&json, "effort", p->effort);
    cli_json_unsigned(&json, "seed", p->opt.seed);
    cli_json_times(&json, &p->times);
    cli_json_end(&json);
}

static int find_separator(separating *p)
{
    cleave_error err = {0};
    cleave_status status =
        cli_graph_read(&p->g, p->graph, &p->input, NULL, &p->times.read, &err);
    if (status != CLEAVE_OK)
        return cli_fail(status, &err);
    separate(p, &err);
    if (!p->m)
        return cli_fail(p->status, &err);
    status = write_all(p, &err);
    if (status != CLEAVE_OK)
        return cli_fail(status, &err);
    if (p->json)
        print_json(p);
    else if (!cli_outputs_piped(&p->outputs))
        print_text(p);
    int flushed = cli_flush();
    return flushed != CLI_OK || p->status == CLEAVE_OK ? flushed : CLI_NOT_MET;
}

int cli_separating_run(int argc, char **argv)
{
    separating p = {0};
    cli_input_init(&p.input);
    cleave_separator_options_init(&p.opt, sizeof p.opt);
    const cli_option options[] = {{CLI_FLAG, 0, "separator", NULL,
                                   "two sides and the vertices between them", &p.separator, 0},
                                  {CLI_STRING, 'o', "output", "FILE",
                                   "the partition (default: GRAPH.part.3)", &p.outputs.mapping,
                                   0},
                                  {CLI_IMBALANCE, 0, "imbalance", "X",
                                   "bound of the sides (default 0.2)", &p.opt.imbalance, 0},
                                  CLI_EFFORT_OPTION(&p.effort),
                                  CLI_TIME_LIMIT_OPTION("separator", &p.opt.time_limit),
                                  CLI_SEED_OPTION(&p.seed_text),
                                  CLI_JSON_OPTION(&p.json),
                                  CLI_INPUT_OPTIONS(&p.input, CLI_AS_KINDS),
                                  {0}};
    const cli_usage usage = {"partition",
                             "GRAPH --separator",
                             1,
                             1,
                             "Finds a vertex separator of small weight that leaves two sides "
                             "of about equal weight.\n"
                             "The output is a partition file: 0 and 1 are the sides, which no "
                             "edge joins, 2 is the\n"
                             "separator.",
                             options};
    int count, status = cli_parse(&usage, argc, argv, &count);
    if (status == CLI_GO_ON)
        status = check_usage(&p, argv);
    if (status == CLI_GO_ON)
        status = find_separator(&p);
    cleave_mapping_free(p.m);
    cleave_graph_free(p.g);
    cli_outputs_free(&p.outputs);
    return status;
}
