/* SPDX-License-Identifier: Apache-2.0 */
/* cleave/graph.h - graphs: undirected graphs (meshes, symmetric matrices) and DAGs, with
 * weights, sizes, coordinates and names of their vertices.
 *
 * A graph is created from arrays, from a stream of edges or from a file, and never changes
 * after that:
 *
 *     cleave_graph *g = NULL;
 *     if (cleave_graph_read(&g, "mesh.graph", NULL, &err) == CLEAVE_OK)
 *         printf("%d vertices\n", (int)cleave_graph_vertices(g));
 *     cleave_graph_free(g);
 *
 * Parts of a graph are in mapping.h, generated graphs in generate.h. */
#ifndef CLEAVE_GRAPH_H
#define CLEAVE_GRAPH_H

#include "cleave/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cleave_graph cleave_graph;
typedef struct cleave_mapping cleave_mapping; /* see mapping.h */

typedef enum cleave_kind {
    CLEAVE_UNDIRECTED = 0, /* every edge is stored in both directions */
    CLEAVE_DAG = 1         /* arcs run from producer to consumer; no cycle */
} cleave_kind;

/* Flags of cleave_graph_create and, except the first and the last, of cleave_read_options;
 * other flags are rejected.
 * CLEAVE_TRUST skips most of the input validation: sizes are checked, symmetry and cycles
 * are not.  A binary file is memory-mapped instead of read; if its contents are damaged, or
 * if it is truncated while in use, the process may crash. */
#define CLEAVE_BORROW 1u     /* use the caller's arrays, which must outlive the graph */
#define CLEAVE_REPAIR 2u     /* repair defects where possible instead of rejecting them */
#define CLEAVE_TRUST 4u      /* check sizes only */
#define CLEAVE_DROP_LOOPS 8u /* drop self-loops, such as the diagonal of a matrix */

/* ---- Graphs from arrays --------------------------------------------------------------- */

/* A graph as plain arrays in compressed sparse row (CSR) form.  Input of cleave_graph_create
 * and output of cleave_graph_view (which returns the neighbours of a vertex in ascending
 * order). */
typedef struct cleave_csr {
    size_t size;          /* sizeof(cleave_csr); lets the struct grow */
    cleave_kind kind;     /* CLEAVE_UNDIRECTED */
    int32_t nvtx;         /* 0 */
    const int64_t *xadj;  /* nvtx + 1 offsets into adj */
    const int32_t *adj;   /* undirected: both directions; DAG: successors */
    const int32_t *vwgt;  /* nvtx * ncon, >= 0, a vertex's weights side by side; NULL: all 1 */
    const int32_t *ewgt;  /* one per entry of adj, >= 0; NULL: all 1 */
    int32_t ncon;         /* 1: weights per vertex */
    int32_t ndim;         /* 0: coordinates per vertex: 0, 2 or 3 */
    const int32_t *vsize; /* data to send per vertex, >= 0; NULL: all 1 */
    const double *coords; /* nvtx * ndim, a vertex's coordinates side by side */
    const char *const *names; /* nvtx strings; NULL: vertices have no names.  Not set by
                                 cleave_graph_view: see cleave_graph_name */
} cleave_csr;
CLEAVE_API void cleave_csr_init(cleave_csr *csr, size_t size);

/* The number of defects of each kind that CLEAVE_REPAIR repaired. */
typedef struct cleave_repairs {
    size_t size;
    int64_t self_loops; /* dropped */
    int64_t duplicates; /* merged; explicit weights are summed, absent ones stay 1 */
    int64_t one_way;    /* the missing opposite direction was added */
    int64_t unequal;    /* the two directions had different weights: the larger is kept */
    int64_t counts;     /* header counts that did not match the contents */
} cleave_repairs;
CLEAVE_API void cleave_repairs_init(cleave_repairs *repairs, size_t size);

/* Creates a graph from arrays; O(nvtx + narc).  Rejects, with a message that names vertex
 * and neighbour: decreasing offsets, neighbours out of range, self-loops, duplicates, edges
 * stored in one direction only or with two weights, negative weights, cycles of a DAG
 * (CLEAVE_ECYCLE).  CLEAVE_REPAIR repairs all of these except the first two and the cycles.
 * With CLEAVE_BORROW the arrays are used in place; adj and ewgt are still copied if a row is
 * not in ascending order or has self-loops to drop. */
CLEAVE_API cleave_status cleave_graph_create(cleave_graph **out, const cleave_csr *csr,
                                             unsigned flags, cleave_error *err);
CLEAVE_API void cleave_graph_free(cleave_graph *g);

/* ---- Graphs from edges ---------------------------------------------------------------- */

/* Creates a graph from a stream of edges, in any order and in any number of calls. */
typedef struct cleave_builder cleave_builder;
CLEAVE_API cleave_status cleave_builder_create(cleave_builder **out, cleave_kind kind,
                                               cleave_error *err);
/* Adds count edges tail[i] - head[i] (arcs tail -> head of a DAG), each undirected edge in one
 * direction or in both.  Self-loops are dropped.  wgt NULL: all 1; duplicates then collapse to
 * one edge of weight 1, while explicit weights of the same direction are summed.  If both
 * directions of an edge are added, their weights must be equal: see
 * cleave_builder_symmetrise. */
CLEAVE_API cleave_status cleave_builder_add(cleave_builder *b, int64_t count,
                                            const int32_t *tail, const int32_t *head,
                                            const int32_t *wgt, cleave_error *err);
/* Sets the weight of an undirected edge whose two directions were added.  NULL or "refuse",
 * the default: the weight of both; cleave_builder_finish rejects different weights and names
 * the edge; "sum": their sum; "max": the larger one.  An edge added in one direction keeps
 * its weight. */
CLEAVE_API cleave_status cleave_builder_symmetrise(cleave_builder *b, const char *rule,
                                                   cleave_error *err);
/* Ends the stream.  nvtx -1: one more than the largest vertex number.  `attributes`
 * can set vwgt, ncon, vsize, ndim, coords and names (its nvtx, xadj, adj and ewgt are
 * ignored), or be NULL.  The builder cannot be used again but must still be freed. */
CLEAVE_API cleave_status cleave_builder_finish(cleave_graph **out, cleave_builder *b,
                                               int32_t nvtx, const cleave_csr *attributes,
                                               cleave_error *err);
CLEAVE_API void cleave_builder_free(cleave_builder *b);

/* ---- Contents ------------------------------------------------------------------------- */

CLEAVE_API cleave_kind cleave_graph_kind(const cleave_graph *g);
CLEAVE_API int32_t cleave_graph_vertices(const cleave_graph *g);
CLEAVE_API int64_t cleave_graph_edges(const cleave_graph *g); /* undirected: each once */

/* The graph's own arrays; valid until the graph is freed.  view->size is the size of the
 * struct that the caller was compiled with (cleave_csr_init sets it). */
CLEAVE_API void cleave_graph_view(const cleave_graph *g, cleave_csr *view);
/* The same for a DAG's predecessors: adj and ewgt of the reversed arcs.  For undirected
 * graphs the same as cleave_graph_view. */
CLEAVE_API void cleave_graph_view_predecessors(const cleave_graph *g, cleave_csr *view);
/* The name of a vertex, or NULL if vertices have no names or v is out of range. */
CLEAVE_API const char *cleave_graph_name(const cleave_graph *g, int32_t v);

/* Where a graph came from. */
typedef struct cleave_source {
    size_t size;
    const char *format; /* "metis", "mtx", "edges", "dot", "binary", ... */
    int64_t entries;    /* edges, arcs or non-zeros as the file counts them */
    const char *unit;   /* meaning of the weights, or NULL */
    const char *origin; /* format that a binary file was converted from, or NULL */
} cleave_source;
CLEAVE_API void cleave_source_init(cleave_source *source, size_t size);
/* Fills source; format is NULL when the graph was not read from a file. */
CLEAVE_API void cleave_graph_source(const cleave_graph *g, cleave_source *source);

/* ---- Levels, components, derived graphs ----------------------------------------------- */

/* A topological order of the vertices of a DAG; among the vertices that are ready, the
 * smallest number comes first.  order has nvtx elements.  O(narc + nvtx log nvtx). */
CLEAVE_API cleave_status cleave_graph_topological_order(const cleave_graph *g, int32_t *order,
                                                        cleave_error *err);
typedef enum cleave_levels {
    CLEAVE_LEVELS_TOP = 0,    /* arcs on the longest path from a source to v */
    CLEAVE_LEVELS_BOTTOM = 1, /* arcs on the longest path from v to a sink */
    CLEAVE_LEVELS_ALAP = 2    /* as late as possible: depth - 1 - bottom level */
} cleave_levels;
/* level has nvtx elements; *depth (may be NULL) is set to the number of levels. */
CLEAVE_API cleave_status cleave_graph_levels(const cleave_graph *g, cleave_levels which,
                                             int32_t *level, int32_t *depth,
                                             cleave_error *err);
/* Connected components (directions ignored), numbered by their smallest vertex. */
CLEAVE_API cleave_status cleave_graph_components(const cleave_graph *g, int32_t *component,
                                                 int32_t *ncomponents, cleave_error *err);
/* Strongly connected components of any directed graph given as arrays (cycles allowed),
 * numbered so that arcs between components run from a lower to a higher number. */
CLEAVE_API cleave_status cleave_strong_components(int32_t nvtx, const int64_t *xadj,
                                                  const int32_t *adj, int32_t *component,
                                                  int32_t *ncomponents, cleave_error *err);
/* The DAG with every arc reversed (an undirected graph is copied). */
CLEAVE_API cleave_status cleave_graph_transpose(cleave_graph **out, const cleave_graph *g,
                                                cleave_error *err);
/* The graph induced by count distinct vertices; vertex i of the result is vertices[i]. */
CLEAVE_API cleave_status cleave_graph_subgraph(cleave_graph **out, const cleave_graph *g,
                                               int32_t count, const int32_t *vertices,
                                               cleave_error *err);

/* ---- Files ---------------------------------------------------------------------------- */

typedef struct cleave_read_options {
    size_t size;
    const char *format;          /* NULL: detect from contents and name; else "metis", ... */
    const char *as;              /* NULL: as the file states; "undirected", "dag", and for
                                    matrices "lower", "upper": the DAG of that triangle */
    const char *symmetrise;      /* NULL or "refuse": both directions of an edge have the
                                    same weight; METIS, Scotch, values of general matrices
                                    and shortest paths need both, others one; "sum": the
                                    sum of both directions, "max": the larger one */
    const char *weights;         /* NULL: those of the file; "values": |value| * scale of a
                                    matrix, rounded; "none": all 1, the file's are ignored */
    double scale;                /* 1.0 */
    const char *coords;          /* NULL: NAME.xyz, NAME.coords or NAME_coord.mtx beside the
                                    graph file if one exists and fits; "": none; else a
                                    path */
    const char *mesh;            /* for meshes: NULL or "dual": a vertex per element;
                                    "nodal": a vertex per node */
    int32_t common;              /* 1: nodes that neighbours of the dual graph share */
    int binarise;                /* 0; 1: for circuits, a vertex per two-input operation */
    unsigned flags;              /* 0; CLEAVE_REPAIR, CLEAVE_TRUST */
    int threads;                 /* 0: as many as this process may use and can start */
    cleave_repairs *repairs;     /* NULL, or written when CLEAVE_REPAIR is set */
    cleave_progress_fn progress; /* NULL */
    void *payload;
    int condense; /* 0: a DAG with a cycle is rejected; 1: the strongly connected components
                     of the file become the vertices, see below */
    cleave_mapping **components; /* NULL, or written: the vertex of the graph that contains
                                    each vertex of the file; the caller frees it */
} cleave_read_options;
CLEAVE_API void cleave_read_options_init(cleave_read_options *opt, size_t size);
/* With opt->condense and a cycle in the file, components are numbered by their smallest
 * vertex, parallel arcs are merged, weights and sizes are summed, a component is named by
 * the name (or number from 0) of its smallest vertex and the count of its other vertices,
 * and coordinates are dropped.  Undirected graphs are not changed. */
CLEAVE_API cleave_status cleave_graph_read(cleave_graph **out, const char *path,
                                           const cleave_read_options *opt, cleave_error *err);

typedef struct cleave_write_options {
    size_t size;
    const char *format;          /* NULL: from the name */
    const int32_t *part;         /* NULL, or nvtx parts; used by the formats dot, vtk, vtu
                                    and openfoam */
    cleave_progress_fn progress; /* NULL */
    void *payload;
    /* The rest is for vtk and vtu, which show vertices as points and edges as lines. */
    const int32_t *place;  /* NULL, or nvtx positions, such as those of an order */
    const char *encoding;  /* NULL: "ascii" in vtk, "base64" in vtu; also "raw": bytes */
    const char *mesh_file; /* NULL, or the METIS mesh that the graph was read from: its
                              elements are shown instead, and vertices are elements */
    const char *mesh;      /* NULL or "dual"; "nodal": the vertices are nodes, as when read */
    const char *mesh_coords; /* NULL: a file beside the mesh, as for graphs; else the path
                                of the node coordinates */
    int no_sync; /* 0; nonzero: do not sync the file to the device (any format); for scratch
                    files, which need not survive a system crash */
} cleave_write_options;
CLEAVE_API void cleave_write_options_init(cleave_write_options *opt, size_t size);
CLEAVE_API cleave_status cleave_graph_write(const cleave_graph *g, const char *path,
                                            const cleave_write_options *opt,
                                            cleave_error *err);
/* The i-th format, i = 0, 1, ...; NULL past the end.  can_write may be NULL; 0: it can
 * only be read, 1: read and written, 2: only written. */
CLEAVE_API const char *cleave_format_name(int i, const char **description, int *can_write);
/* What a format can hold besides the edges of a graph. */
typedef enum cleave_holding {
    CLEAVE_HOLDS_VERTEX_WEIGHTS = 1,
    CLEAVE_HOLDS_SEVERAL_WEIGHTS = 2, /* of a vertex */
    CLEAVE_HOLDS_EDGE_WEIGHTS = 4,
    CLEAVE_HOLDS_EDGE_VALUES = 8, /* edge weights, but they are read only on request */
    CLEAVE_HOLDS_VERTEX_SIZES = 16,
    CLEAVE_HOLDS_COORDINATES = 32,
    CLEAVE_HOLDS_IDS = 64,        /* names that are ascending whole numbers */
    CLEAVE_HOLDS_NAMES = 128,     /* any other names */
    CLEAVE_HOLDS_DIRECTION = 256, /* a DAG is read back as one without being told */
    CLEAVE_HOLDS_PARTS = 512,     /* of cleave_write_options */
    CLEAVE_HOLDS_ORDER = 1024,    /* of vertices named by whole numbers that do not ascend */
    CLEAVE_HOLDS_NO_ZEROS = 2048  /* a restriction: weights are at least 1 */
} cleave_holding;
/* CLEAVE_HOLDS_ bits of a format that can be written; 0 for others and unknown names.
 * CLEAVE_HOLDS_PARTS alone: the format holds parts instead of a graph. */
CLEAVE_API unsigned cleave_format_holds(const char *format);
/* The format in which a file of this name is written; NULL: the name implies no format. */
CLEAVE_API const char *cleave_format_of_path(const char *path);

/* Writes the graph's coordinates: "x y z" lines, or Scotch's form when the name ends
 * in .xyz, or a dense Matrix Market array when it ends in .mtx. */
CLEAVE_API cleave_status cleave_graph_write_coords(const cleave_graph *g, const char *path,
                                                   cleave_error *err);

#ifdef __cplusplus
}
#endif

#endif
