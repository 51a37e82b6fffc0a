/* SPDX-License-Identifier: Apache-2.0 */
/* formats/dot_parse.h - the statements of a DOT file, turned into vertices and edges. */
#ifndef CLV_FORMATS_DOT_PARSE_H
#define CLV_FORMATS_DOT_PARSE_H

#include "formats/dot_vertices.h"
#include "formats/input.h"

typedef struct clv_dot_graph { /* zero-initialise */
    bool directed;             /* the file says digraph */
    int64_t header_line;       /* line of the keyword */
    clv_dot_vertices vertices;
    clv_edge_stream edges; /* weight -1: absent in the file */
    bool weighted;         /* some edge has an explicit weight */
    int64_t entries;       /* edges as the file counts them, with loops and duplicates */
    int32_t loop_vertex;   /* vertex of the first self-loop; valid if edges.loops > 0 */
    int64_t loop_line;
} clv_dot_graph;

/* Reads the whole input.  Edges of an undirected graph are stored from the vertex that
 * appeared first, so that a -- b and b -- a are duplicates.  The caller frees *out, also on
 * failure. */
cleave_status clv_dot_parse(clv_dot_graph *out, clv_input *in, cleave_error *err);
void clv_dot_graph_free(clv_dot_graph *graph);

#endif
