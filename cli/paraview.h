/* SPDX-License-Identifier: Apache-2.0 */
/* cli/paraview.h - the data besides parts that `cleave convert` writes to VTK files. */
#ifndef CLI_PARAVIEW_H
#define CLI_PARAVIEW_H

#include "cli/graph_io.h"

typedef struct cli_paraview {
    const char *order, *encoding; /* options; NULL: not given */
    unsigned flags;               /* for reading the order */
    bool mesh;                    /* elements of the input instead of edges of a graph */
    const char *node_coords;      /* of that mesh; NULL: next to it */
    int32_t *place;               /* by vertex, read from `order` */
} cli_paraview;

/* Whether this is a VTK format. */
bool cli_is_vtk(const char *format);

/* Rejects options that do not apply to the format; for the elements of a mesh, changes the
 * input: --coords are then those of its nodes. */
int cli_paraview_check(const char *verb, cli_paraview *p, const char *in, cli_input *input,
                       const char *format);
/* Reads the order of the vertices of g and completes opt. */
cleave_status cli_paraview_options(cli_paraview *p, const cleave_graph *g, const char *in,
                                   const cli_input *input, cleave_write_options *opt,
                                   cleave_error *err);
void cli_paraview_free(cli_paraview *p);

#endif
