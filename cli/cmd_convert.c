/* SPDX-License-Identifier: Apache-2.0 */
/* cleave convert IN OUT: the same graph, or matrix, in another format; convert -t TARGET OUT:
 * a machine as a target file of Scotch. */
#include <string.h>

#include "cli/format_holds.h"
#include "cli/paraview.h"
#include "cli/progress.h"

typedef struct conversion {
    cli_input input;
    const char *in, *out, *to, *write_coords, *part, *target;
    cli_paraview paraview;
    bool no_sync;
} conversion;

static cleave_status write_coords(const cleave_graph *g, const char *path, cleave_error *err)
{
    cli_progress progress;
    cli_progress_begin(&progress, CLI_WRITING);
    cleave_status status = cleave_graph_write_coords(g, path, err);
    cli_progress_end(&progress);
    return status;
}

static cleave_status write_all(const cleave_graph *g, const cleave_mapping *part,
                               conversion *c, cleave_error *err)
{
    cleave_write_options opt;
    cleave_write_options_init(&opt, sizeof opt);
    opt.format = c->to;
    opt.part = part ? cleave_mapping_parts(part) : NULL;
    opt.no_sync = c->no_sync;
    cleave_status status = cli_paraview_options(&c->paraview, g, c->in, &c->input, &opt, err);
    if (status == CLEAVE_OK)
        status = cli_graph_write_with(g, c->out, opt, err);
    cli_paraview_free(&c->paraview);
    if (status == CLEAVE_OK && c->write_coords)
        status = write_coords(g, c->write_coords, err);
    return status;
}

static int convert_graph(conversion *c)
{
    cleave_graph *g;
    cleave_mapping *part = NULL;
    cleave_error err = {0};
    const char *format = cli_format_of(c->out, c->to);
    cleave_status status = cli_graph_read(&g, c->in, &c->input, NULL, NULL, &err);
    if (status == CLEAVE_OK && c->write_coords && !cli_has_coords(g)) {
        cleave_graph_free(g);
        return cli_usage_error("convert", "--write-coords: '%s' has no coordinates", c->in);
    }
    if (status == CLEAVE_OK && c->part)
        status = cleave_mapping_read_for(&part, c->part, g, -1, &err);
    if (status == CLEAVE_OK)
        status = write_all(g, part, c, &err);
    if (status == CLEAVE_OK) {
        cli_warn_losses(g, format, c->write_coords ? NULL : "--write-coords");
        if (part && !cli_format_shows_parts(format))
            cli_warn("format %s cannot show parts", format ? format : "of the output");
    }
    cleave_mapping_free(part);
    cleave_graph_free(g);
    return status == CLEAVE_OK ? CLI_OK : cli_fail(status, &err);
}

static int convert_matrix(const conversion *c)
{
    cleave_matrix *a;
    cleave_error err = {0};
    cleave_status status = cli_matrix_read(&a, c->in, &c->input, NULL, &err);
    if (status == CLEAVE_OK) {
        cli_progress progress;
        cli_progress_begin(&progress, CLI_WRITING);
        status = cleave_matrix_write(a, c->out, &err);
        cli_progress_end(&progress);
    }
    cleave_matrix_free(a);
    return status == CLEAVE_OK ? CLI_OK : cli_fail(status, &err);
}

static int convert_target(const conversion *c)
{
    cleave_target *t;
    cleave_error err = {0};
    cleave_status status = cleave_target_parse(&t, c->target, &err);
    if (status == CLEAVE_EINVAL)
        return cli_usage_error("convert", "-t: %s", err.message);
    if (status == CLEAVE_OK) {
        cli_progress progress;
        cli_progress_begin(&progress, CLI_WRITING);
        status = cleave_target_write(t, c->out, &err);
        cli_progress_end(&progress);
    }
    cleave_target_free(t);
    return status == CLEAVE_OK ? CLI_OK : cli_fail(status, &err);
}

/* A machine has one output format and is not read from a graph. */
static int check_target_usage(conversion *c, int count, char **argv)
{
    const cli_input *in = &c->input;
    if (count + (c->out != NULL) != 1)
        return cli_usage_error("convert", count + (c->out != NULL) > 1
                                              ? "-t replaces the input: name only the output"
                                              : "missing output: -o FILE.tgt");
    if (count == 1)
        c->out = argv[0];
    if (c->to || c->write_coords || c->part || in->from || in->as || in->symmetrise ||
        c->paraview.order || c->paraview.encoding || in->weights || in->coords || in->dual ||
        in->nodal || in->binarise)
        return cli_usage_error("convert", "graph options cannot be combined with -t");
    return CLI_GO_ON;
}

static int check_matrix_usage(const conversion *c)
{
    const char *format = cli_format_of(c->out, c->to);
    if (format && strcmp(format, "mtx") != 0)
        return cli_usage_error("convert", "a matrix with values is written as mtx, not as %s",
                               format);
    if (c->input.from && strcmp(c->input.from, "mtx") != 0)
        return cli_usage_error("convert", "a matrix with values is read from mtx, not from %s",
                               c->input.from);
    if (c->part || c->write_coords || c->paraview.order || c->paraview.encoding ||
        c->input.weights || c->input.symmetrise || c->input.dual || c->input.nodal ||
        c->input.binarise)
        return cli_usage_error(
            "convert", "--part, --order, --encoding, --write-coords, --weights, --symmetrise, "
                       "--dual, --nodal and --binarise are for graphs, not "
                       "for --as matrix");
    return CLI_GO_ON;
}

static int check_usage(conversion *c, int count, char **argv)
{
    if (c->target)
        return check_target_usage(c, count, argv);
    if (count == 0)
        return cli_usage_error("convert", "convert: missing argument, expected IN OUT");
    c->in = argv[0];
    if ((count == 2) == (c->out != NULL))
        return cli_usage_error("convert",
                               count == 2 ? "the output is named twice: '%s' and -o '%s'"
                                          : "missing output after '%s'%s",
                               count == 2 ? argv[1] : c->in, count == 2 ? c->out : "");
    if (count == 2)
        c->out = argv[1];
    bool matrix = c->input.as && strcmp(c->input.as, "matrix") == 0;
    if (matrix)
        return check_matrix_usage(c);
    int status = cli_check_output("convert", c->out, c->to);
    if (status == CLI_GO_ON)
        status = cli_paraview_check("convert", &c->paraview, c->in, &c->input,
                                    cli_format_of(c->out, c->to));
    return status == CLI_GO_ON ? cli_input_check("convert", &c->input) : status;
}

int cmd_convert(int argc, char **argv)
{
    conversion c = {0};
    cli_input_init(&c.input);
    const cli_option options[] = {
        {CLI_STRING, 'o', "output", "OUT", "the output, instead of a second operand", &c.out,
         0},
        {CLI_STRING, 't', "target", "TARGET", "write this machine, as a target file of Scotch",
         &c.target, 0},
        {CLI_FORMAT, 0, "to", "FORMAT", "format of OUT (default: from its name)", &c.to, 0},
        {CLI_STRING, 0, "write-coords", "FILE", "also write the coordinates", &c.write_coords,
         0},
        {CLI_STRING, 0, "part", "FILE",
         "a partition for formats that can show one (dot, vtk, vtu) or are one (openfoam)",
         &c.part, 0},
        {CLI_STRING, 0, "order", "FILE", "vtk, vtu: also show the places of this order",
         &c.paraview.order, 0},
        {CLI_CHOICE, 0, "encoding", "ascii|base64|raw", "vtk, vtu: encoding of numbers",
         &c.paraview.encoding, 0},
        {CLI_FLAG, 0, "no-sync", NULL, "do not sync OUT to the device", &c.no_sync, 0},
        CLI_INPUT_OPTIONS(&c.input, CLI_AS_KINDS "|matrix"),
        {0}};
    const cli_usage usage = {
        "convert",
        "IN OUT | -t TARGET OUT",
        0,
        2,
        "Writes a graph in another format, chosen by the name of OUT or by --to. A warning\n"
        "names what the format cannot hold. --as lower or upper makes the DAG of a triangle "
        "of\n"
        "a matrix; --as matrix keeps the values of a Matrix Market file. '-' is standard "
        "input\n"
        "or output; names that end in .gz are compressed. vtk and vtu show a graph with\n"
        "coordinates, or the elements of a METIS mesh, with parts and weights in ParaView;\n"
        "openfoam is the file cellDecomposition that decomposePar reads with its method\n"
        "manual.\n"
        "With -t it writes a target of 'cleave map', with the distances of all PEs (Scotch:\n"
        "deco 0), which scotch:OUT reads back.",
        options};
    int count, status = cli_parse(&usage, argc, argv, &count);
    if (status == CLI_GO_ON)
        status = check_usage(&c, count, argv);
    if (status != CLI_GO_ON)
        return status;
    if (c.target)
        return convert_target(&c);
    bool matrix = c.input.as && strcmp(c.input.as, "matrix") == 0;
    return matrix ? convert_matrix(&c) : convert_graph(&c);
}
