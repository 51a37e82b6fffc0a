/* SPDX-License-Identifier: Apache-2.0 */
/* cleave - map a mesh, a matrix or a DAG onto a machine.
 *
 * Errors     Whatever can fail returns cleave_status: 0, or a negative code and a
 *            sentence in `err` (always last, may be NULL).  On failure *out is NULL,
 *            except EBALANCE and ECANCEL, which hand out the best found where a
 *            function says so.  Functions without a status cannot fail: of NULL they
 *            return 0 or NULL, or describe something empty.
 * Ownership  What you get through `out` you free with cleave_X_free; NULL is fine.
 *            A returned `const T *` belongs to the object it came from.  Arrays
 *            you pass are never written, and are copied unless CLEAVE_BORROW.
 * Threads    No global state.  Graphs, mappings and matrices never change once made:
 *            share them freely, free them once.  So are options: of what a const struct
 *            points to, only `report`, `repairs` and `components` are written, and calls
 *            at the same time must not share these.
 * Silence    Never prints, exits, raises signals, or reads environment or locale.
 * Results    Same version, input, options and seed give the same result, on any
 *            machine and any number of threads.
 * Structs    Every struct but cleave_error, which stays as it is, starts with `size`; its
 *            _init function sets it and every default.  Structs grow at their end, and so
 *            no struct has another one inside.  Widths are fixed: vertices int32_t, offsets
 * and sums int64_t, single weights up to 2^31-1. Headers    Include this one; it includes the
 * others of its folder. Paths      "-" is standard input or output; ".gz" is read and written
 * compressed; an output file appears whole under its name or not at all, also after a crash of
 * the system: it is synced before it takes the name. */
#ifndef CLEAVE_CLEAVE_H
#define CLEAVE_CLEAVE_H

#include <stddef.h>
#include <stdint.h>

#define CLEAVE_VERSION_MAJOR 0
#define CLEAVE_VERSION_MINOR 1
#define CLEAVE_VERSION_PATCH 0
#define CLEAVE_VERSION "0.1.0"

#if defined(__GNUC__) || defined(__clang__)
#define CLEAVE_API __attribute__((visibility("default")))
#else
#define CLEAVE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Status and messages ------------------------------------------------------- */

/* One list makes the enum, cleave_status_name and cleave_status_text. */
#define CLEAVE_STATUS_LIST(X)                                                                 \
    X(CLEAVE_OK, 0, "success")                                                                \
    X(CLEAVE_EINVAL, -1, "an argument or an option is out of range")                          \
    X(CLEAVE_ENOMEM, -2, "out of memory")                                                     \
    X(CLEAVE_EIO, -3, "cannot open, read or write")                                           \
    X(CLEAVE_EPARSE, -4, "the input is not what its format demands")                          \
    X(CLEAVE_ERANGE, -5, "a size or a sum of weights does not fit")                           \
    X(CLEAVE_ECYCLE, -6, "a DAG was promised but the graph has a cycle")                      \
    X(CLEAVE_ECANCEL, -7, "the progress callback said stop")                                  \
    X(CLEAVE_EBALANCE, -8, "no mapping within the balance bound exists or was found")

typedef enum cleave_status {
#define CLEAVE_STATUS_ENUM(name, value, text) name = value,
    CLEAVE_STATUS_LIST(CLEAVE_STATUS_ENUM)
#undef CLEAVE_STATUS_ENUM
        CLEAVE_STATUS_FORCE_INT = 0x7fffffff /* not a status: fixes the width */
} cleave_status;

typedef struct cleave_error {
    cleave_status status;
    char message[252]; /* one sentence; for EPARSE it starts with path:line: */
} cleave_error;

CLEAVE_API const char *cleave_status_name(cleave_status status); /* "CLEAVE_EINVAL" */
CLEAVE_API const char *cleave_status_text(cleave_status status); /* "an argument ..." */

CLEAVE_API const char *cleave_version(void);  /* of the library: "0.1.0" */
CLEAVE_API const char *cleave_features(void); /* compiled in: "threads zlib" */

/* Progress of a call, reported on the calling thread: once at the beginning, then at most ten
 * times a second. */
typedef struct cleave_progress {
    size_t size;
    const char *phase; /* "reading", "coarsening", ... */
    int64_t done;      /* units of work behind us */
    int64_t total;     /* units in all; 0 when unknown */
    int32_t level;     /* of the multilevel hierarchy, 0 the finest; -1 when there is none */
    int64_t cut;       /* of the best mapping so far; -1 when unknown */
} cleave_progress;

/* Returns nonzero to stop the call, which then returns CLEAVE_ECANCEL. */
typedef int (*cleave_progress_fn)(void *payload, const cleave_progress *now);

/* ---- Graphs -------------------------------------------------------------------- */

typedef struct cleave_graph cleave_graph;
typedef struct cleave_mapping cleave_mapping; /* see Mappings */

typedef enum cleave_kind {
    CLEAVE_UNDIRECTED = 0, /* every edge is stored in both directions */
    CLEAVE_DAG = 1         /* arcs run from producer to consumer; no cycle */
} cleave_kind;

/* Flags of cleave_graph_create and, but for the first and the last, of cleave_read_options;
 * others are refused.
 * CLEAVE_TRUST takes the word of whoever made the graph: sizes are checked, symmetry and
 * cycles are not.  A binary file is mapped instead of read; one that is damaged inside, or
 * cut short while it is in use, may then crash the process. */
#define CLEAVE_BORROW 1u     /* use the caller's arrays, which must outlive the graph */
#define CLEAVE_REPAIR 2u     /* mend what can be mended instead of refusing it */
#define CLEAVE_TRUST 4u      /* check sizes only */
#define CLEAVE_DROP_LOOPS 8u /* leave out what joins a vertex to itself: a diagonal */

/* A graph as plain arrays.  Given to cleave_graph_create, and handed out by
 * cleave_graph_view (there the neighbours of a vertex ascend). */
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

/* What CLEAVE_REPAIR mended: how many of each. */
typedef struct cleave_repairs {
    size_t size;
    int64_t self_loops; /* dropped */
    int64_t duplicates; /* merged; explicit weights are summed, absent ones stay 1 */
    int64_t one_way;    /* the missing opposite direction was added */
    int64_t unequal;    /* both directions had different weights: the larger one kept */
    int64_t counts;     /* header counts that did not match the contents */
} cleave_repairs;
CLEAVE_API void cleave_repairs_init(cleave_repairs *repairs, size_t size);

/* Makes a graph from arrays; O(nvtx + narc).  Refuses, naming vertex and neighbour:
 * offsets that run backwards, neighbours out of range, self-loops, duplicates, edges
 * stored one way or with two weights, negative weights, cycles of a DAG (CLEAVE_ECYCLE).
 * CLEAVE_REPAIR mends all but the first two and the cycles.  With CLEAVE_BORROW the
 * arrays are used in place; adj and ewgt are still copied where rows do not ascend or have
 * self-loops to be dropped. */
CLEAVE_API cleave_status cleave_graph_create(cleave_graph **out, const cleave_csr *csr,
                                             unsigned flags, cleave_error *err);
CLEAVE_API void cleave_graph_free(cleave_graph *g);

/* Makes a graph from a stream of edges, in any order and in any number of calls. */
typedef struct cleave_builder cleave_builder;
CLEAVE_API cleave_status cleave_builder_create(cleave_builder **out, cleave_kind kind,
                                               cleave_error *err);
/* Adds count edges tail[i] - head[i] (arcs tail -> head of a DAG), each undirected edge in one
 * direction or in both.  Self-loops are dropped.  wgt NULL: all 1; duplicates then collapse to
 * one edge of weight 1, while given weights of the same direction are summed.  An edge in both
 * directions has the weight of both, which must be the same: see cleave_builder_symmetrise. */
CLEAVE_API cleave_status cleave_builder_add(cleave_builder *b, int64_t count,
                                            const int32_t *tail, const int32_t *head,
                                            const int32_t *wgt, cleave_error *err);
/* What becomes of an undirected edge whose two directions were added: NULL or "refuse", the
 * default: it has their weight, and cleave_builder_finish refuses two weights, naming the
 * edge; "sum": their sum; "max": the larger one.  An edge in one direction keeps its weight.
 */
CLEAVE_API cleave_status cleave_builder_symmetrise(cleave_builder *b, const char *rule,
                                                   cleave_error *err);
/* Ends the stream.  nvtx -1: one more than the largest vertex named.  `attributes`
 * may give vwgt, ncon, vsize, ndim, coords and names (its nvtx, xadj, adj and ewgt are
 * ignored), or be NULL.  The builder is used up but must still be freed. */
CLEAVE_API cleave_status cleave_builder_finish(cleave_graph **out, cleave_builder *b,
                                               int32_t nvtx, const cleave_csr *attributes,
                                               cleave_error *err);
CLEAVE_API void cleave_builder_free(cleave_builder *b);

CLEAVE_API cleave_kind cleave_graph_kind(const cleave_graph *g);
CLEAVE_API int32_t cleave_graph_vertices(const cleave_graph *g);
CLEAVE_API int64_t cleave_graph_edges(const cleave_graph *g); /* undirected: each once */

/* The graph's own arrays; valid until the graph is freed.  view->size says how much
 * of the struct the caller knows (cleave_csr_init sets it). */
CLEAVE_API void cleave_graph_view(const cleave_graph *g, cleave_csr *view);
/* The same for a DAG's predecessors: adj and ewgt of the reversed arcs.  Undirected
 * graphs give what cleave_graph_view gives. */
CLEAVE_API void cleave_graph_view_predecessors(const cleave_graph *g, cleave_csr *view);
/* The name of a vertex, or NULL when vertices have no names or v is out of range. */
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

/* Vertices in an order in which every arc runs forward; smallest number first among
 * those that are ready.  order has nvtx places.  A DAG only. O(narc + nvtx log nvtx). */
CLEAVE_API cleave_status cleave_graph_topological_order(const cleave_graph *g, int32_t *order,
                                                        cleave_error *err);
typedef enum cleave_levels {
    CLEAVE_LEVELS_TOP = 0,    /* arcs on the longest path from a source to v */
    CLEAVE_LEVELS_BOTTOM = 1, /* arcs on the longest path from v to a sink */
    CLEAVE_LEVELS_ALAP = 2    /* as late as possible: depth - 1 - bottom level */
} cleave_levels;
/* level has nvtx places; *depth (may be NULL) becomes the number of levels. */
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
/* The DAG with every arc turned around (an undirected graph is copied). */
CLEAVE_API cleave_status cleave_graph_transpose(cleave_graph **out, const cleave_graph *g,
                                                cleave_error *err);
/* The graph induced by count distinct vertices; vertex i of the result is vertices[i]. */
CLEAVE_API cleave_status cleave_graph_subgraph(cleave_graph **out, const cleave_graph *g,
                                               int32_t count, const int32_t *vertices,
                                               cleave_error *err);

/* ---- Graph files --------------------------------------------------------------- */

typedef struct cleave_read_options {
    size_t size;
    const char *format;          /* NULL: detect from contents and name; else "metis", ... */
    const char *as;              /* NULL: the file decides; "undirected", "dag", and for
                                    matrices "lower", "upper": the DAG of that triangle */
    const char *symmetrise;      /* NULL or "refuse": both directions of an edge have one
                                    weight; METIS, Scotch, values of general matrices and
                                    shortest paths need both, others one; "sum": an edge
                                    weighs both directions, "max": the heavier one */
    const char *weights;         /* NULL: those of the file; "values": |value| * scale of a
                                    matrix, rounded; "none": all 1, whatever the file says */
    double scale;                /* 1.0 */
    const char *coords;          /* NULL: NAME.xyz, NAME.coords or NAME_coord.mtx beside the
                                    graph when there is one that fits; "": none; else a
                                    path */
    const char *mesh;            /* NULL; for meshes "dual": a vertex per element, which is
                                    also what NULL means, or "nodal": a vertex per node */
    int32_t common;              /* 1: nodes that neighbours of the dual graph share */
    int binarise;                /* 0; 1: of a circuit a vertex per operation of two inputs */
    unsigned flags;              /* 0; CLEAVE_REPAIR, CLEAVE_TRUST */
    int threads;                 /* 0: all that this process may use, and the system starts */
    cleave_repairs *repairs;     /* NULL, or written when CLEAVE_REPAIR is set */
    cleave_progress_fn progress; /* NULL */
    void *payload;
    int condense; /* 0: a DAG with a cycle is refused; 1: the strongly connected components
                     of the file become the vertices, see below */
    cleave_mapping **components; /* NULL, or written: the vertex of the graph that each vertex
                                    of the file went into; yours to free */
} cleave_read_options;
CLEAVE_API void cleave_read_options_init(cleave_read_options *opt, size_t size);
/* With opt->condense and a cycle in the file, components are numbered by their smallest
 * vertex, arcs between the same two are merged, weights and sizes are summed, names (or
 * numbers from 0) are those of the smallest vertex and say how many more there are, and
 * coordinates are dropped.  An undirected graph is what it is. */
CLEAVE_API cleave_status cleave_graph_read(cleave_graph **out, const char *path,
                                           const cleave_read_options *opt, cleave_error *err);

typedef struct cleave_write_options {
    size_t size;
    const char *format;          /* NULL: from the name */
    const int32_t *part;         /* NULL, or nvtx parts that a format may show (dot, vtk, vtu)
                                    or consists of (openfoam) */
    cleave_progress_fn progress; /* NULL */
    void *payload;
    /* The rest is for vtk and vtu, which show vertices as points and edges as lines. */
    const int32_t *place;  /* NULL, or nvtx places on a line, such as those of an order */
    const char *encoding;  /* NULL: "ascii" in vtk, "base64" in vtu; also "raw": bytes */
    const char *mesh_file; /* NULL, or the METIS mesh that the graph was read from: its
                              elements are shown instead, and vertices are elements */
    const char *mesh;      /* NULL or "dual"; "nodal": the vertices are nodes, as when read */
    const char *mesh_coords; /* NULL: as for graphs beside the mesh; else the path of the
                                coordinates of its nodes */
    int no_sync; /* 0; nonzero: for scratch files, which need not survive a crash of the
                    system: do not wait until the file is on the device (any format) */
} cleave_write_options;
CLEAVE_API void cleave_write_options_init(cleave_write_options *opt, size_t size);
CLEAVE_API cleave_status cleave_graph_write(const cleave_graph *g, const char *path,
                                            const cleave_write_options *opt,
                                            cleave_error *err);
/* The i-th format, i = 0, 1, ...; NULL past the end.  can_write may be NULL; 0: it can
 * only be read, 1: read and written, 2: only written. */
CLEAVE_API const char *cleave_format_name(int i, const char **description, int *can_write);
/* The format that a file of this name is written in; NULL: the name does not tell. */
CLEAVE_API const char *cleave_format_of_path(const char *path);

/* Writes the graph's coordinates: "x y z" lines, or Scotch's form when the name ends
 * in .xyz, or a dense Matrix Market array when it ends in .mtx. */
CLEAVE_API cleave_status cleave_graph_write_coords(const cleave_graph *g, const char *path,
                                                   cleave_error *err);

/* ---- Matrices ------------------------------------------------------------------ */

/* A sparse matrix with values, rows compressed, columns ascending. */
typedef struct cleave_matrix cleave_matrix;
typedef struct cleave_matrix_csr {
    size_t size;
    int32_t nrow, ncol;
    const int64_t *xadj; /* nrow + 1 */
    const int32_t *col;
    const double *val; /* 1.0 everywhere for pattern files */
} cleave_matrix_csr;
CLEAVE_API void cleave_matrix_csr_init(cleave_matrix_csr *csr, size_t size);
/* Reads a Matrix Market file; a symmetric or skew file is expanded to both triangles,
 * duplicate entries are summed.  Of opt only progress and payload are used. */
CLEAVE_API cleave_status cleave_matrix_read(cleave_matrix **out, const char *path,
                                            const cleave_read_options *opt, cleave_error *err);
CLEAVE_API cleave_status cleave_matrix_create(cleave_matrix **out,
                                              const cleave_matrix_csr *csr, cleave_error *err);
CLEAVE_API void cleave_matrix_view(const cleave_matrix *a, cleave_matrix_csr *view);
/* Writes Matrix Market, "symmetric" when pattern and values are. */
CLEAVE_API cleave_status cleave_matrix_write(const cleave_matrix *a, const char *path,
                                             cleave_error *err);
CLEAVE_API void cleave_matrix_free(cleave_matrix *a);

/* ---- Mappings ------------------------------------------------------------------ */

/* A cleave_mapping: vertex -> part (or PE).  A partition is a mapping onto equal parts. */

/* Copies part; nparts -1: one more than the largest part named. */
CLEAVE_API cleave_status cleave_mapping_create(cleave_mapping **out, int32_t nvtx,
                                               int32_t nparts, const int32_t *part,
                                               cleave_error *err);
/* Reads a METIS partition (one 0-based part per line) or a Scotch .map file.
 * nvtx -1: as many as there are; nparts -1: one more than the largest part. */
CLEAVE_API cleave_status cleave_mapping_read(cleave_mapping **out, const char *path,
                                             int32_t nvtx, int32_t nparts, cleave_error *err);
/* Writes METIS form, or Scotch's when the name ends in .map or .map.gz, or what OpenFOAM's
 * method manual reads when the file is called cellDecomposition. */
CLEAVE_API cleave_status cleave_mapping_write(const cleave_mapping *m, const char *path,
                                              cleave_error *err);
CLEAVE_API int32_t cleave_mapping_vertices(const cleave_mapping *m);
CLEAVE_API int32_t cleave_mapping_nparts(const cleave_mapping *m);
CLEAVE_API const int32_t *cleave_mapping_parts(const cleave_mapping *m); /* nvtx */
CLEAVE_API void cleave_mapping_free(cleave_mapping *m);

/* Reads an hMETIS fix file, one line per vertex: the part it must be in, or -1 if it is
 * free.  part has nvtx places. */
CLEAVE_API cleave_status cleave_fixed_read(int32_t *part, int32_t nvtx, int32_t nparts,
                                           const char *path, cleave_error *err);
/* Reads groups, one line per vertex: the number >= 0 of its group, or -1 if it has none.
 * group has nvtx places. */
CLEAVE_API cleave_status cleave_groups_read(int32_t *group, int32_t nvtx, const char *path,
                                            cleave_error *err);
/* Reads bounds on part weights, one line per part with ncon whole numbers >= 0, or -1 for no
 * bound.  bound has nparts * ncon places, a part's side by side. */
CLEAVE_API cleave_status cleave_bounds_read(int64_t *bound, int32_t nparts, int32_t ncon,
                                            const char *path, cleave_error *err);
/* Reads relative part sizes >= 0: one line per part (with ncon numbers), or METIS target
 * weights, lines `part = weight`, `first-last : con = weight`, where parts without a line
 * share what is left of 1.  shares has nparts * ncon places, a part's side by side. */
CLEAVE_API cleave_status cleave_shares_read(double *shares, int32_t nparts, int32_t ncon,
                                            const char *path, cleave_error *err);

/* The quotient: a vertex per part, weighted by the part; an edge per pair of adjacent parts,
 * weighted by the cut between them.  The weights are sums, and 64 bits wide as sums are. */
typedef struct cleave_quotient cleave_quotient;
typedef struct cleave_quotient_csr {
    size_t size;
    cleave_kind kind; /* of the graph that was divided */
    int32_t nparts;
    int32_t ncon;          /* weights per part */
    const int64_t *xadj;   /* nparts + 1 offsets into adj */
    const int32_t *adj;    /* ascending; undirected: both directions; DAG: successors */
    const int64_t *weight; /* nparts * ncon, a part's weights side by side */
    const int64_t *cut;    /* one per entry of adj */
} cleave_quotient_csr;
CLEAVE_API void cleave_quotient_csr_init(cleave_quotient_csr *csr, size_t size);
/* A DAG whose quotient has a cycle: CLEAVE_ECYCLE, and the message names the parts of a cycle.
 * O(nvtx + narc + nparts). */
CLEAVE_API cleave_status cleave_quotient_create(cleave_quotient **out, const cleave_graph *g,
                                                const cleave_mapping *m, cleave_error *err);
/* The quotient's own arrays; valid until it is freed.  view->size as for cleave_graph_view. */
CLEAVE_API void cleave_quotient_view(const cleave_quotient *q, cleave_quotient_csr *view);
/* Writes it as a graph file; opt as for cleave_graph_write, part has nparts places.  DOT,
 * METIS, Matrix Market and edge lists hold numbers of 64 bits; in other formats a weight above
 * 2^31-1 is CLEAVE_ERANGE. */
CLEAVE_API cleave_status cleave_quotient_write(const cleave_quotient *q, const char *path,
                                               const cleave_write_options *opt,
                                               cleave_error *err);
CLEAVE_API void cleave_quotient_free(cleave_quotient *q);
/* The quotient as a graph, to be divided or mapped in turn.  Weights of a graph have 32 bits:
 * CLEAVE_ERANGE, naming the parts, where a sum exceeds 2^31-1. */
CLEAVE_API cleave_status cleave_graph_quotient(cleave_graph **out, const cleave_graph *g,
                                               const cleave_mapping *m, cleave_error *err);
/* The parts of a mapping of a DAG in an order in which every arc between them runs forward;
 * smallest number first among those that are ready.  order has nparts places.  CLEAVE_ECYCLE
 * names a cycle of parts when there is no such order.
 * O(nvtx + narc + nparts log nparts). */
CLEAVE_API cleave_status cleave_mapping_part_order(const cleave_graph *g,
                                                   const cleave_mapping *m, int32_t *order,
                                                   cleave_error *err);

/* As cleave_mapping_read for the vertices of g.  Labels of a Scotch .map file that do not
 * count the vertices from 0 or 1 are looked up among the names of g, which must all be
 * different numbers, as those of a labelled Scotch graph are. */
CLEAVE_API cleave_status cleave_mapping_read_for(cleave_mapping **out, const char *path,
                                                 const cleave_graph *g, int32_t nparts,
                                                 cleave_error *err);

/* ---- Targets ------------------------------------------------------------------- */

/* Where it is computed: processing elements (PEs) with speeds, and how far they are from each
 * other. */
typedef struct cleave_target cleave_target;
/* A machine from text, the same as after -t on the command line:
 *   8                      eight equal PEs, each at distance 1 from every other
 *   3,2,2,1                four PEs with these relative speeds (>= 0, not all 0; a PE of
 *                          speed 0 stays empty)
 *   hypercube:10           2^10 PEs; distance: bits that differ
 *   mesh:4x2  torus:8x8x8  any number of dimensions, the first varies fastest; steps
 *   tree:4:8:16@1:10:100   4 PEs per node, 8 nodes per rack, 16 racks; distance 1 inside a
 *                          node, 10 inside a rack, 100 beyond
 *   graph:FILE             any graph: an edge weight is a length; distance: shortest path
 *   scotch:FILE.tgt        a target file of Scotch
 *   machine  machine:pu    the cores (hardware threads) that this process may use
 *   hwloc:FILE.xml         a machine that hwloc saved, or a synthetic description for hwloc
 *   slurm:topology.conf    the nodes of a cluster; distance: levels of switches to climb
 * TARGET[0,4,5-7], TARGET[n[1-4,7],m3]: these PEs of any of them, in this order, by number
 * or by name.  CLEAVE_EINVAL says what is wrong with the text; files fail as files do. */
CLEAVE_API cleave_status cleave_target_parse(cleave_target **out, const char *spec,
                                             cleave_error *err);
/* npes >= 1 PEs; speeds NULL: equal. */
CLEAVE_API cleave_status cleave_target_create(cleave_target **out, int32_t npes,
                                              const double *speeds, cleave_error *err);
CLEAVE_API int32_t cleave_target_pes(const cleave_target *t);
CLEAVE_API double cleave_target_speed(const cleave_target *t, int32_t pe); /* 1 if equal */
/* The distance of two PEs, 0 from a PE to itself; -1: there are no such PEs. */
CLEAVE_API int32_t cleave_target_distance(const cleave_target *t, int32_t p, int32_t q);
/* What a PE is called where it comes from, such as the host name of a node; NULL: it has no
 * name but its number. */
CLEAVE_API const char *cleave_target_name(const cleave_target *t, int32_t pe);
/* How many levels of groups a hierarchy has, such as node, rack, machine; 0: it is none. */
CLEAVE_API int32_t cleave_target_levels(const cleave_target *t);
/* The level of the smallest group with both PEs: 1 the lowest; 0: they are the same, or there
 * are no such PEs or levels. */
CLEAVE_API int32_t cleave_target_level(const cleave_target *t, int32_t p, int32_t q);
/* Links over which routes are known to run; 0: they are not known. */
CLEAVE_API int64_t cleave_target_links(const cleave_target *t);
/* One word for the shape: "equal", "mesh", "tree", ...; "" for NULL. */
CLEAVE_API const char *cleave_target_shape(const cleave_target *t);
/* One line for people, such as "mesh of 4 x 2"; at most size bytes with the 0 at the end. */
CLEAVE_API void cleave_target_describe(const cleave_target *t, char *text, size_t size);
/* Writes a target file of Scotch, whatever the shape: its kind "deco 0", with the distances of
 * all pairs of PEs.  CLEAVE_ERANGE beyond 32768 PEs, which would be gigabytes.
 * O(PEs^2). */
CLEAVE_API cleave_status cleave_target_write(const cleave_target *t, const char *path,
                                             cleave_error *err);
CLEAVE_API void cleave_target_free(cleave_target *t);

/* ---- Partitioning and mapping ---------------------------------------------------- */

typedef enum cleave_effort {
    CLEAVE_EFFORT_FAST = 0,    /* in about the time METIS takes */
    CLEAVE_EFFORT_DEFAULT = 1, /* a few times that */
    CLEAVE_EFFORT_QUALITY = 2, /* ten times */
    CLEAVE_EFFORT_BEST = 3     /* as long as time_limit allows */
} cleave_effort;

typedef enum cleave_objective {
    CLEAVE_OBJECTIVE_CUT = 0,       /* weight of the edges between parts */
    CLEAVE_OBJECTIVE_VOLUME = 1,    /* sum over vertices of vsize * other parts that read it */
    CLEAVE_OBJECTIVE_COST = 2,      /* sum over edges of weight * distance; the same as the cut
                                       when all PEs are equally far from each other */
    CLEAVE_OBJECTIVE_CONGESTION = 3 /* the largest load of a link, then the cost; the target
                                       must know its routes */
} cleave_objective;

/* What a mapping must keep to besides balance.  Every array may be NULL: no such demand. */
typedef struct cleave_constraints {
    size_t size;
    const int32_t *fixed;    /* nvtx: the part a vertex must be in, -1: any */
    const int32_t *groups;   /* nvtx: vertices with the same number stay together, -1: alone */
    const double *shares;    /* nparts * ncon relative part sizes; NULL: the target's speeds.
                                A PE of speed 0 stays empty in any case */
    const double *imbalance; /* nparts: in place of the options' imbalance */
    const int64_t *min, *max;    /* nparts * ncon part weights, -1: no bound of this kind; max
                                    takes the place of the bound that imbalance gives */
    int connected;               /* nonzero: a part is in one piece within each connected
                                    component of the graph, which is undirected */
    const cleave_mapping *start; /* improve this one instead of starting anew; of a DAG it
                                    need not be acyclic */
} cleave_constraints;
CLEAVE_API void cleave_constraints_init(cleave_constraints *constraints, size_t size);

/* What cleave_map has to tell besides the mapping. */
typedef struct cleave_map_report {
    size_t size;
    int64_t cut, volume; /* recomputed from the mapping */
    double imbalance;    /* max over parts and weights of weight / share - 1 */
    int32_t empty_parts;
    int32_t balanced;  /* 1: every part is within its bounds */
    int32_t levels;    /* of the hierarchy, the graph itself included */
    int32_t threads;   /* in use */
    int32_t cycles;    /* times the hierarchy was climbed */
    int32_t timed_out; /* 1: the time limit ended the search */
    double seconds, seconds_coarsen, seconds_initial, seconds_refine;
    int32_t acyclic;       /* of a DAG 1, recomputed from the mapping; -1 undirected */
    int64_t critical_path; /* costs as in cleave_evaluate by default; -1 undirected */
    int64_t cost; /* sum of weight * distance, recomputed from the mapping; -1: all PEs
                     are equally far from each other, the cut is the cost */
    int64_t cost_identity; /* of the mapping v -> floor(v * PEs / nvtx); -1 likewise */
    /* Of the eigenvectors that "rsb" halved by, the worst: the norm of L x - value x, x of
     * norm 1, over the largest weighted degree; -1: none was computed. */
    double residual;
    int32_t converged; /* 1: all of them to a hundredth of their eigenvalues; -1 likewise */
} cleave_map_report;
CLEAVE_API void cleave_map_report_init(cleave_map_report *report, size_t size);

typedef struct cleave_options {
    size_t size;
    double imbalance;           /* 0.03: no part above floor(1.03 * ceil(share)) */
    uint64_t seed;              /* 1; every value is a seed */
    cleave_effort effort;       /* CLEAVE_EFFORT_DEFAULT */
    cleave_objective objective; /* CLEAVE_OBJECTIVE_COST */
    int threads;                /* 0: all that this process may use */
    double time_limit; /* seconds; 0: none.  The best mapping so far is then the result, about
                          5 % and two evaluations of the graph later */
    const cleave_constraints *constraints; /* NULL: none */
    cleave_map_report *report;             /* NULL, or written on return */
    cleave_progress_fn progress;           /* NULL */
    void *payload;                         /* NULL */
    /* NULL, "", "auto" or "multilevel": the best that this library knows; on targets with
     * distances also "drb" (dual recursive bipartitioning), "kway", "multisection" (along the
     * levels of a hierarchy); for undirected graphs also "rcb" (recursive coordinate
     * bisection), "zci", "hci" (intervals along the curves of Morton and Hilbert), "rsb"
     * (recursive spectral bisection), all but the last by coordinates, and all by the first
     * weight of a vertex: the bounds of others happen to be met, or CLEAVE_EBALANCE; for DAGs
     * also "dagp", "kernighan", "fauzia", by which others compare. */
    const char *method;
    const char *params; /* NULL; variants of such a method: "order=top,match=hem,runs=5" of
                           dagp, "policy=depth", "=breadth" or "=size" of drb,
                           "grouping=simple" or "=binpacking", "refine=1" of rcb, zci, hci and
                           rsb: how unequal parts are halved, and to improve the borders */
    int one_to_one;     /* 0; nonzero: every vertex has a PE of its own, of which there are at
                           least as many */
} cleave_options;
CLEAVE_API void cleave_options_init(cleave_options *opt, size_t size);

/* Maps the vertices of a graph onto the PEs of t; opt NULL: defaults.  With at least as many
 * vertices as PEs no PE stays empty (but those of speed 0); with fewer, every vertex has a PE
 * of its own.  The mapping of a DAG is acyclic, always; in a group or in what is fixed to a
 * part, all that lies on paths between its vertices is included.  CLEAVE_ECYCLE when fixed
 * vertices and groups allow no such mapping: the message names a cycle of parts.
 * CLEAVE_EBALANCE (a bound cannot be met or was not; the message says which and what was
 * reached) and CLEAVE_ECANCEL (the callback said stop) also hand out the best mapping found.
 * About O(edges * log PEs); memory about twice the graph's. */
CLEAVE_API cleave_status cleave_map(cleave_mapping **out, const cleave_graph *g,
                                    const cleave_target *t, const cleave_options *opt,
                                    cleave_error *err);

/* Writes where the ranks of a parallel program go, for those who start it; the vertices of m
 * are the ranks.  Forms:
 *   rankfile     Open MPI: mpirun --rankfile FILE, or --map-by rankfile:file=FILE
 *   hostfile     Slurm: SLURM_HOSTFILE=FILE srun --distribution=arbitrary
 *   cpu-bind     Slurm: srun $(cat FILE)
 *   rank-order   Cray MPICH: the file MPICH_RANK_ORDER, MPICH_RANK_REORDER_METHOD=3
 *   permutation  the PE of each rank, one per line
 * hosts NULL, or the names of the nodes of t, such as "n[1-4,7],m3", where the PEs have no
 * names or are not whole nodes.  CLEAVE_EINVAL says why a form cannot express the mapping. */
CLEAVE_API cleave_status cleave_launch_write(const char *path, const char *form,
                                             const cleave_mapping *m, const cleave_target *t,
                                             const char *hosts, cleave_error *err);

/* ---- Generators ---------------------------------------------------------------- */

typedef struct cleave_generate_options {
    size_t size;
    uint64_t seed; /* 1; every value is a seed */
    int threads;   /* 0: all that this process may use; the graph does not depend on it */
} cleave_generate_options;
CLEAVE_API void cleave_generate_options_init(cleave_generate_options *opt, size_t size);
/* Makes the graph that spec asks for: KIND[:PARAMETER...], such as "grid3d:40x40x40",
 * "rgg:100000:12" or "rmat:20:10"; opt NULL: defaults.  CLEAVE_EINVAL says what form the
 * kind has, CLEAVE_ERANGE that so large a graph does not fit. */
CLEAVE_API cleave_status cleave_graph_generate(cleave_graph **out, const char *spec,
                                               const cleave_generate_options *opt,
                                               cleave_error *err);
/* The i-th kind, i = 0, 1, ...; NULL past the end.  form ("gnp:N:P") and description may
 * be NULL. */
CLEAVE_API const char *cleave_generator_name(int i, const char **form,
                                             const char **description);

/* The filled lower triangle of a symbolic Cholesky factorisation of an undirected graph, as
 * a DAG with an arc from column j to row i for each non-zero of the factor below the
 * diagonal.  order: "natural" or "mindeg" (minimum degree), NULL: natural.  permutation
 * NULL, or nvtx vertices, the first to be eliminated first; order is then NULL.  Vertex k of
 * the factor is the k-th to be eliminated; coordinates and names go with it.
 * O(non-zeros of the factor). */
CLEAVE_API cleave_status cleave_graph_factor(cleave_graph **out, const cleave_graph *g,
                                             const char *order, const int32_t *permutation,
                                             cleave_error *err);
/* The same factor as a lower triangular matrix with its diagonal and with values drawn from
 * the seed: multiples of 1/256 in [-1, 0) below the diagonal, and on it 1 more than the sum
 * of the row's absolute values. */
CLEAVE_API cleave_status cleave_matrix_factor(cleave_matrix **out, const cleave_graph *g,
                                              const char *order, const int32_t *permutation,
                                              uint64_t seed, cleave_error *err);

#ifdef __cplusplus
}
#endif

#include "cleave/evaluate.h"
#include "cleave/matrix.h"
#include "cleave/order.h"
#include "cleave/plot.h"
#include "cleave/schedule.h"

#include "cleave/run.h" /* speaks of schedules */

#include "cleave/circuit.h" /* speaks of runs */

#include "cleave/view.h" /* draws all of them */

#endif
