/* SPDX-License-Identifier: Apache-2.0 */
/* Orders and meshes for VTK files. */
#include "cli/paraview.h"

#include <stdlib.h>
#include <string.h>

bool cli_is_vtk(const char *format)
{
    return format && (strcmp(format, "vtk") == 0 || strcmp(format, "vtu") == 0);
}

int cli_paraview_check(const char *verb, cli_paraview *p, const char *in, cli_input *input,
                       const char *format)
{
    if (!cli_is_vtk(format)) {
        if (p->order || p->encoding)
            return cli_usage_error(verb,
                                   "--order and --encoding are for vtk and vtu, not for "
                                   "%s",
                                   format ? format : "this output");
        return CLI_GO_ON;
    }
    if (p->encoding && strcmp(p->encoding, "base64") == 0 && strcmp(format, "vtk") == 0)
        return cli_usage_error(verb, "--encoding base64 is for vtu, not for vtk");
    const char *from = input->from ? input->from : cleave_format_of_path(in);
    p->flags = input->trust ? CLEAVE_TRUST : 0;
    p->mesh = from && strcmp(from, "mesh") == 0 && strcmp(in, "-") != 0;
    if (p->mesh) {
        p->node_coords = input->coords;
        input->coords = ""; /* the vertices of a dual graph are not the nodes */
    }
    return CLI_GO_ON;
}

static cleave_status read_places(cli_paraview *p, const cleave_graph *g, cleave_error *err)
{
    cleave_order *o = NULL;
    cleave_status status = cleave_order_open(&o, p->order, p->flags, err);
    if (status == CLEAVE_OK)
        status = cli_order_fit(o, p->order, g, false, err);
    if (status == CLEAVE_OK) {
        int32_t nvtx = cleave_graph_vertices(g);
        const int32_t *vertex = cleave_order_view(o);
        p->place = cli_alloc(nvtx, sizeof *p->place);
        for (int32_t i = 0; i < nvtx; i++)
            p->place[vertex[i]] = i;
    }
    cleave_order_free(o);
    return status;
}

cleave_status cli_paraview_options(cli_paraview *p, const cleave_graph *g, const char *in,
                                   const cli_input *input, cleave_write_options *opt,
                                   cleave_error *err)
{
    cleave_status status = p->order ? read_places(p, g, err) : CLEAVE_OK;
    opt->place = p->place;
    opt->encoding = p->encoding;
    if (p->mesh) {
        opt->mesh_file = in;
        opt->mesh = input->nodal ? "nodal" : "dual";
        opt->mesh_coords = p->node_coords;
    }
    return status;
}

void cli_paraview_free(cli_paraview *p)
{
    free(p->place);
    p->place = NULL;
}
