/* SPDX-License-Identifier: Apache-2.0 */
/* Names and contents of the files that a mapping is written to. */
#include "cli/outputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/paraview.h"
#include "cli/progress.h"

enum { most_outputs = 3 + sizeof(((cli_list *)0)->value) / sizeof(char *) };

/* The text after FORM=. */
static const char *launch_file(const char *text)
{
    return strchr(text, '=') + 1;
}

static int list_paths(const cli_outputs *o, const char *paths[most_outputs])
{
    const char *const all[] = {o->mapping, o->part_order, o->quotient};
    int count = 0;
    for (int i = 0; i < 3; i++)
        if (all[i])
            paths[count++] = all[i];
    for (int i = 0; i < o->launch.count; i++)
        paths[count++] = launch_file(o->launch.value[i]);
    return count;
}

static bool is_pipe(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* ---- Checking ------------------------------------------------------------------------- */

static const char *const launch_forms[] = {"rankfile",   "hostfile",    "cpu-bind",
                                           "rank-order", "permutation", NULL};

/* The form as a separate string. */
static const char *launch_form(const char *text)
{
    size_t length = strcspn(text, "=");
    for (int i = 0; launch_forms[i]; i++)
        if (strlen(launch_forms[i]) == length && strncmp(launch_forms[i], text, length) == 0)
            return launch_forms[i];
    return NULL;
}

static int check_launch(const char *verb, const cli_outputs *o)
{
    const cli_list *launch = &o->launch;
    if (o->hosts && launch->count == 0)
        return cli_usage_error(verb, "--hosts needs --launch");
    for (int i = 0; i < launch->count; i++) {
        const char *text = launch->value[i], *equals = strchr(text, '=');
        char word[32];
        if (equals && equals[1] && launch_form(text))
            continue;
        if (!equals || !equals[1])
            return cli_usage_error(verb, "--launch needs FORM=FILE, not '%s'", text);
        snprintf(word, sizeof word, "%.*s", (int)(equals - text), text);
        const char *meant = cli_suggest(word, launch_forms);
        if (meant)
            return cli_usage_error(verb, "--launch: unknown form '%s', did you mean '%s'?",
                                   word, meant);
        return cli_usage_error(
            verb,
            "--launch: unknown form '%s', expected one of rankfile, hostfile, "
            "cpu-bind, rank-order, permutation",
            word);
    }
    return CLI_GO_ON;
}

/* The directory of a path, with its slash ("./" where there is none); returns the name after
 * it. */
static const char *split_path(const char *path, char *folder, size_t size)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        snprintf(folder, size, "./");
    else
        snprintf(folder, size, "%.*s", (int)(slash - path) + 1, path);
    return slash ? slash + 1 : path;
}

void cli_outputs_beside(cli_outputs *o, const char *graph, const char *suffix)
{
    size_t room = strlen(graph) + strlen(suffix) + 1;
    if (o->mapping || is_pipe(graph))
        return;
    o->own = cli_alloc((int64_t)room, 1);
    snprintf(o->own, room, "%s%s", graph, suffix);
    o->mapping = o->own;
}

/* METIS's file name, next to the graph; input from a pipe has no directory. */
static int choose_name(const char *verb, cli_outputs *o, const char *graph, int32_t k)
{
    char suffix[24];
    snprintf(suffix, sizeof suffix, ".part.%d", (int)k);
    cli_outputs_beside(o, graph, suffix);
    return o->mapping ? CLI_GO_ON : cli_usage_error(verb, "missing output: -o FILE");
}

/* Whether both paths lead to the same file, or would once it exists. */
static bool same_file(const char *a, const char *b)
{
    struct stat one, two;
    if (strcmp(a, b) == 0)
        return true;
    if (stat(a, &one) == 0 && stat(b, &two) == 0)
        return one.st_dev == two.st_dev && one.st_ino == two.st_ino;
    char folder_a[4096], folder_b[4096];
    const char *name_a = split_path(a, folder_a, sizeof folder_a);
    const char *name_b = split_path(b, folder_b, sizeof folder_b);
    return strcmp(name_a, name_b) == 0 && stat(folder_a, &one) == 0 &&
           stat(folder_b, &two) == 0 && one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}

static int check_names(const char *verb, const cli_outputs *o, const char *graph, bool json)
{
    const char *paths[most_outputs];
    int count = list_paths(o, paths), pipes = 0;
    if (cli_is_vtk(cleave_format_of_path(o->mapping)))
        return cli_usage_error(verb,
                               "'%s' would hold parts alone: write them to another file, then "
                               "'cleave convert %s %s --part FILE'",
                               o->mapping, graph, o->mapping);
    for (int i = 0; i < count; i++) {
        if (is_pipe(paths[i])) {
            pipes++;
            continue;
        }
        if (!is_pipe(graph) && same_file(paths[i], graph))
            return cli_usage_error(verb, "the output would replace the %s '%s'",
                                   o->input ? o->input : "graph", graph);
        for (int j = 0; j < i; j++)
            if (!is_pipe(paths[j]) && same_file(paths[i], paths[j]))
                return cli_usage_error(verb, "'%s' is named for two outputs", paths[i]);
    }
    if (pipes > 1)
        return cli_usage_error(verb, "only one of the outputs can be '-'");
    if (json && is_pipe(o->mapping))
        return cli_usage_error(verb, "--json and -o - both write to standard output");
    if (json && pipes)
        return cli_usage_error(verb, "--json and '-' both write to standard output");
    return CLI_GO_ON;
}

/* Checked before hours of work. */
static int check_folder(const char *path)
{
    char folder[4096];
    if (is_pipe(path) || strlen(path) >= sizeof folder)
        return CLI_GO_ON;
    split_path(path, folder, sizeof folder);
    if (access(folder, W_OK | X_OK) == 0 || access(path, W_OK) == 0)
        return CLI_GO_ON;
    cli_complain("%s: cannot write it: its folder is missing or read-only", path);
    return CLI_FAILED;
}

int cli_outputs_check(const char *verb, cli_outputs *o, const char *path, int32_t k, bool json)
{
    int status = check_launch(verb, o);
    if (status == CLI_GO_ON)
        status = choose_name(verb, o, path, k);
    if (status == CLI_GO_ON)
        status = check_names(verb, o, path, json);
    if (status != CLI_GO_ON)
        return status;
    const char *paths[most_outputs];
    int count = list_paths(o, paths);
    for (int i = 0; i < count && status == CLI_GO_ON; i++)
        status = check_folder(paths[i]);
    return status;
}

bool cli_outputs_piped(const cli_outputs *o)
{
    const char *paths[most_outputs];
    int count = list_paths(o, paths);
    for (int i = 0; i < count; i++)
        if (is_pipe(paths[i]))
            return true;
    return false;
}

/* ---- Writing -------------------------------------------------------------------------- */

/* One part per line is what a partition file looks like. */
static cleave_status write_order(const char *path, const cleave_graph *g,
                                 const cleave_mapping *m, cleave_error *err)
{
    int32_t nparts = cleave_mapping_nparts(m);
    int32_t *order = cli_alloc(nparts, sizeof *order);
    cleave_mapping *lines = NULL;
    cleave_status status = cleave_mapping_part_order(g, m, order, err);
    if (status == CLEAVE_OK)
        status = cleave_mapping_create(&lines, nparts, nparts, order, err);
    if (status == CLEAVE_OK)
        status = cleave_mapping_write(lines, path, err);
    cleave_mapping_free(lines);
    free(order);
    return status;
}

static cleave_status write_quotient(const char *path, const cleave_graph *g,
                                    const cleave_mapping *m, cleave_error *err)
{
    int32_t nparts = cleave_mapping_nparts(m);
    int32_t *part = cli_alloc(nparts, sizeof *part);
    cleave_quotient *quotient = NULL;
    cleave_write_options opt;
    cleave_write_options_init(&opt, sizeof opt);
    opt.format = cleave_format_of_path(path) ? NULL : "dot";
    opt.part = part;
    for (int32_t p = 0; p < nparts; p++)
        part[p] = p;
    cleave_status status = cleave_quotient_create(&quotient, g, m, err);
    if (status == CLEAVE_OK)
        status = cleave_quotient_write(quotient, path, &opt, err);
    cleave_quotient_free(quotient);
    free(part);
    return status;
}

cleave_status cli_outputs_write(const cli_outputs *o, const cleave_graph *g,
                                const cleave_mapping *m, const cleave_mapping *written,
                                const cleave_target *t, cleave_error *err)
{
    cli_progress progress;
    cli_progress_begin(&progress, CLI_WRITING);
    cleave_status status = cleave_mapping_write(written, o->mapping, err);
    if (status == CLEAVE_OK && o->part_order)
        status = write_order(o->part_order, g, m, err);
    if (status == CLEAVE_OK && o->quotient)
        status = write_quotient(o->quotient, g, m, err);
    for (int i = 0; i < o->launch.count && status == CLEAVE_OK; i++) {
        const char *text = o->launch.value[i];
        status = cleave_launch_write(launch_file(text), launch_form(text), written, t,
                                     o->hosts, err);
    }
    cli_progress_end(&progress);
    return status;
}

int cli_outputs_interrupted(const cli_outputs *o)
{
    cli_complain("interrupted: %s has the best result so far",
                 is_pipe(o->mapping) ? "the output" : o->mapping);
    return CLI_NOT_MET;
}

void cli_outputs_free(cli_outputs *o)
{
    free(o->own);
    o->own = NULL;
}
