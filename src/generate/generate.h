/* SPDX-License-Identifier: Apache-2.0 */
/* generate/generate.h - generated graphs.
 *
 * A text KIND[:PARAMETER...] describes a graph; the table below has the kinds.  The same text
 * and seed give the same graph on any machine and any number of threads: random numbers are
 * drawn per row or per block of fixed size, and floating-point arithmetic is limited to
 * operations whose results IEEE 754 determines (+ - * / and sqrt; generate/real.h has the
 * rest). */
#ifndef CLV_GENERATE_GENERATE_H
#define CLV_GENERATE_GENERATE_H

#include "base/threads.h"
#include "generate/spec.h"
#include "graph/graph.h"

/* What a generator gets in addition to its parameters. */
typedef struct clv_making {
    uint64_t seed;
    clv_team *team; /* NULL: single-threaded */
} clv_making;

typedef struct clv_generator {
    const char *name;        /* "grid2d" */
    const char *form;        /* "grid2d:WxH[:5|9][:periodic]" */
    const char *description; /* one line for help */
    /* *out is NULL at the call; on failure the caller frees it. */
    cleave_status (*make)(clv_graph **out, clv_spec *spec, const clv_making *how,
                          cleave_error *err);
} clv_generator;

extern const clv_generator clv_generators[]; /* ends with a NULL name */

/* The kind at the start of a text, whose name has *length characters; NULL: unknown. */
const clv_generator *clv_generator_find(const char *text, size_t *length);

/* Generates the graph that `text` describes; on failure *out is NULL. */
cleave_status clv_generate(clv_graph **out, const char *text, const clv_making *how,
                           cleave_error *err);

/* ---- The generators; forms and meanings are in the table ------------------------------- */
#define CLV_GENERATOR(name)                                                                   \
    cleave_status name(clv_graph **out, clv_spec *spec, const clv_making *how,                \
                       cleave_error *err)
CLV_GENERATOR(clv_generate_grid2d); /* grid.c */
CLV_GENERATOR(clv_generate_grid3d);
CLV_GENERATOR(clv_generate_mesh2d); /* mesh.c */
CLV_GENERATOR(clv_generate_mesh3d);
CLV_GENERATOR(clv_generate_spiral);
CLV_GENERATOR(clv_generate_geometric); /* geometric.c */
CLV_GENERATOR(clv_generate_rmat);      /* rmat.c */
CLV_GENERATOR(clv_generate_gnp);       /* random.c */
CLV_GENERATOR(clv_generate_tree);
CLV_GENERATOR(clv_generate_layered); /* dag.c */
CLV_GENERATOR(clv_generate_stencil);

#endif
