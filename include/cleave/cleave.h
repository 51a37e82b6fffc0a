/* SPDX-License-Identifier: Apache-2.0 */
/* cleave - map a mesh, a matrix or a DAG onto a machine.
 *
 * Errors     Functions that can fail return cleave_status: 0, or a negative code with a
 *            message in `err` (always the last argument, may be NULL).  On failure *out is
 *            NULL; EBALANCE and ECANCEL return the best result found where a function's
 *            comment states it.  Functions without a status cannot fail: for NULL they
 *            return 0 or NULL, or describe an empty object.
 * Ownership  Free objects returned through `out` with cleave_X_free; it accepts NULL.
 *            A returned `const T *` belongs to the object it came from.  Input arrays
 *            are never written, and are copied unless CLEAVE_BORROW is set.
 * Threads    No global state.  Graphs, mappings and matrices are immutable once created:
 *            threads can share them; free them once.  Options can be shared, too: of the
 *            objects a const struct points to, only `report`, `repairs` and `components`
 *            are written, and concurrent calls must not share these.
 * Silence    Never prints, exits, raises signals, or reads environment or locale.
 * Results    Same version, input, options and seed give the same result, on any
 *            machine and any number of threads.
 * Structs    Every struct except cleave_error, which is frozen, starts with `size`; its
 *            _init function sets it and all defaults.  Structs grow at their end; for this
 *            reason no struct contains another.  Widths are fixed: vertices int32_t,
 *            offsets and sums int64_t, single weights up to 2^31-1.
 * Headers    Include this one; it includes the other headers of its directory.
 * Paths      "-" is standard input or output; ".gz" files are read and written
 *            compressed.  Output files are written atomically: a file is synced before it
 *            is renamed to its name, so that it is complete or absent even after a system
 *            crash. */
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
    int64_t done;      /* units of work completed */
    int64_t total;     /* units of work in total; 0 when unknown */
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

/* Flags of cleave_graph_create and, except the first and the last, of cleave_read_options;
 * other flags are rejected.
 * CLEAVE_TRUST skips most of the input validation: sizes are checked, symmetry and cycles
 * are not.  A binary file is memory-mapped instead of read; if its contents are damaged, or
 * if it is truncated while in use, the process may crash. */
#define CLEAVE_BORROW 1u     /* use the caller's arrays, which must outlive the graph */
#define CLEAVE_REPAIR 2u     /* repair defects where possible instead of rejecting them */
#define CLEAVE_TRUST 4u      /* check sizes only */
#define CLEAVE_DROP_LOOPS 8u /* drop self-loops, such as the diagonal of a matrix */

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

/* ---- Graph files --------------------------------------------------------------- */

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
/* The format in which a file of this name is written; NULL: the name implies no format. */
CLEAVE_API const char *cleave_format_of_path(const char *path);

/* Writes the graph's coordinates: "x y z" lines, or Scotch's form when the name ends
 * in .xyz, or a dense Matrix Market array when it ends in .mtx. */
CLEAVE_API cleave_status cleave_graph_write_coords(const cleave_graph *g, const char *path,
                                                   cleave_error *err);

/* ---- Matrices ------------------------------------------------------------------ */

/* A sparse matrix with values in compressed rows, columns in ascending order. */
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
 * duplicate entries are summed.  Only opt->progress and opt->payload are used. */
CLEAVE_API cleave_status cleave_matrix_read(cleave_matrix **out, const char *path,
                                            const cleave_read_options *opt, cleave_error *err);
CLEAVE_API cleave_status cleave_matrix_create(cleave_matrix **out,
                                              const cleave_matrix_csr *csr, cleave_error *err);
CLEAVE_API void cleave_matrix_view(const cleave_matrix *a, cleave_matrix_csr *view);
/* Writes a Matrix Market file, "symmetric" if pattern and values are symmetric. */
CLEAVE_API cleave_status cleave_matrix_write(const cleave_matrix *a, const char *path,
                                             cleave_error *err);
CLEAVE_API void cleave_matrix_free(cleave_matrix *a);

/* ---- Mappings ------------------------------------------------------------------ */

/* A cleave_mapping: vertex -> part (or PE).  A partition is a mapping onto equal parts. */

/* Copies part; nparts -1: one more than the largest part number. */
CLEAVE_API cleave_status cleave_mapping_create(cleave_mapping **out, int32_t nvtx,
                                               int32_t nparts, const int32_t *part,
                                               cleave_error *err);
/* Reads a METIS partition (one 0-based part per line) or a Scotch .map file.
 * nvtx -1: as many as the file has; nparts -1: one more than the largest part. */
CLEAVE_API cleave_status cleave_mapping_read(cleave_mapping **out, const char *path,
                                             int32_t nvtx, int32_t nparts, cleave_error *err);
/* Writes the METIS form; Scotch's if the name ends in .map or .map.gz; the input of
 * OpenFOAM's method "manual" if the file is named cellDecomposition. */
CLEAVE_API cleave_status cleave_mapping_write(const cleave_mapping *m, const char *path,
                                              cleave_error *err);
CLEAVE_API int32_t cleave_mapping_vertices(const cleave_mapping *m);
CLEAVE_API int32_t cleave_mapping_nparts(const cleave_mapping *m);
CLEAVE_API const int32_t *cleave_mapping_parts(const cleave_mapping *m); /* nvtx */
CLEAVE_API void cleave_mapping_free(cleave_mapping *m);

/* Reads an hMETIS fix file, one line per vertex: the part it must be in, or -1 if it is
 * free.  part has nvtx elements. */
CLEAVE_API cleave_status cleave_fixed_read(int32_t *part, int32_t nvtx, int32_t nparts,
                                           const char *path, cleave_error *err);
/* Reads groups, one line per vertex: the number >= 0 of its group, or -1 if it has none.
 * group has nvtx elements. */
CLEAVE_API cleave_status cleave_groups_read(int32_t *group, int32_t nvtx, const char *path,
                                            cleave_error *err);
/* Reads bounds on part weights, one line per part with ncon integers >= 0, or -1 for no
 * bound.  bound has nparts * ncon elements, those of a part adjacent. */
CLEAVE_API cleave_status cleave_bounds_read(int64_t *bound, int32_t nparts, int32_t ncon,
                                            const char *path, cleave_error *err);
/* Reads relative part sizes >= 0: one line per part (with ncon numbers), or METIS target
 * weights, lines `part = weight`, `first-last : con = weight`, where parts without a line
 * share the remainder to 1.  shares has nparts * ncon elements, those of a part adjacent. */
CLEAVE_API cleave_status cleave_shares_read(double *shares, int32_t nparts, int32_t ncon,
                                            const char *path, cleave_error *err);

/* The quotient graph: a vertex per part, with the weight of the part; an edge per pair of
 * adjacent parts, with the weight of the cut between them.  Weights are sums and have 64
 * bits. */
typedef struct cleave_quotient cleave_quotient;
typedef struct cleave_quotient_csr {
    size_t size;
    cleave_kind kind; /* of the partitioned graph */
    int32_t nparts;
    int32_t ncon;          /* weights per part */
    const int64_t *xadj;   /* nparts + 1 offsets into adj */
    const int32_t *adj;    /* ascending; undirected: both directions; DAG: successors */
    const int64_t *weight; /* nparts * ncon, a part's weights side by side */
    const int64_t *cut;    /* one per entry of adj */
} cleave_quotient_csr;
CLEAVE_API void cleave_quotient_csr_init(cleave_quotient_csr *csr, size_t size);
/* CLEAVE_ECYCLE if the quotient of a DAG has a cycle; the message names the parts of one.
 * O(nvtx + narc + nparts). */
CLEAVE_API cleave_status cleave_quotient_create(cleave_quotient **out, const cleave_graph *g,
                                                const cleave_mapping *m, cleave_error *err);
/* The quotient's own arrays; valid until it is freed.  view->size as for cleave_graph_view. */
CLEAVE_API void cleave_quotient_view(const cleave_quotient *q, cleave_quotient_csr *view);
/* Writes it as a graph file; opt as for cleave_graph_write, opt->part has nparts elements.
 * DOT, METIS, Matrix Market and edge lists hold 64-bit numbers; in other formats a weight
 * above 2^31-1 is CLEAVE_ERANGE. */
CLEAVE_API cleave_status cleave_quotient_write(const cleave_quotient *q, const char *path,
                                               const cleave_write_options *opt,
                                               cleave_error *err);
CLEAVE_API void cleave_quotient_free(cleave_quotient *q);
/* The quotient as a graph, which can be partitioned or mapped itself.  Weights of a graph have
 * 32 bits: CLEAVE_ERANGE if a sum exceeds 2^31-1; the message names the parts. */
CLEAVE_API cleave_status cleave_graph_quotient(cleave_graph **out, const cleave_graph *g,
                                               const cleave_mapping *m, cleave_error *err);
/* A topological order of the parts of a mapping of a DAG; among the parts that are ready, the
 * smallest number comes first.  order has nparts elements.  CLEAVE_ECYCLE if the parts form a
 * cycle; the message names one.
 * O(nvtx + narc + nparts log nparts). */
CLEAVE_API cleave_status cleave_mapping_part_order(const cleave_graph *g,
                                                   const cleave_mapping *m, int32_t *order,
                                                   cleave_error *err);

/* As cleave_mapping_read for the vertices of g.  If the labels of a Scotch .map file do not
 * number the vertices from 0 or 1, they are looked up in the vertex names of g, which must
 * be distinct numbers, as in a labelled Scotch graph. */
CLEAVE_API cleave_status cleave_mapping_read_for(cleave_mapping **out, const char *path,
                                                 const cleave_graph *g, int32_t nparts,
                                                 cleave_error *err);

/* ---- Targets ------------------------------------------------------------------- */

/* The target machine: processing elements (PEs) with speeds, and the distances between
 * them. */
typedef struct cleave_target cleave_target;
/* Creates a target from text, in the syntax of the option -t of the command line:
 *   8                      eight equal PEs, each at distance 1 from every other
 *   3,2,2,1                four PEs with these relative speeds (>= 0, not all 0; a PE of
 *                          speed 0 stays empty)
 *   hypercube:10           2^10 PEs; distance: number of different bits
 *   mesh:4x2  torus:8x8x8  any number of dimensions, the first varies fastest; distance:
 *                          steps
 *   tree:4:8:16@1:10:100   4 PEs per node, 8 nodes per rack, 16 racks; distance 1 inside a
 *                          node, 10 inside a rack, 100 beyond
 *   graph:FILE             any graph: an edge weight is a length; distance: shortest path
 *   scotch:FILE.tgt        a target file of Scotch
 *   machine  machine:pu    the cores (hardware threads) that this process may use
 *   hwloc:FILE.xml         a topology saved by hwloc, or a synthetic description for hwloc
 *   slurm:topology.conf    the nodes of a cluster; distance: levels of switches to climb
 * TARGET[0,4,5-7], TARGET[n[1-4,7],m3]: a subset of the PEs of any target, in this order, by
 * number or by name.  CLEAVE_EINVAL if the text is invalid; errors of files are reported as
 * by the readers. */
CLEAVE_API cleave_status cleave_target_parse(cleave_target **out, const char *spec,
                                             cleave_error *err);
/* npes >= 1 PEs; speeds NULL: equal. */
CLEAVE_API cleave_status cleave_target_create(cleave_target **out, int32_t npes,
                                              const double *speeds, cleave_error *err);
CLEAVE_API int32_t cleave_target_pes(const cleave_target *t);
CLEAVE_API double cleave_target_speed(const cleave_target *t, int32_t pe); /* 1 if equal */
/* The distance of two PEs, 0 from a PE to itself; -1 if p or q is out of range. */
CLEAVE_API int32_t cleave_target_distance(const cleave_target *t, int32_t p, int32_t q);
/* The name of a PE, such as the host name of a node; NULL: it has only a number. */
CLEAVE_API const char *cleave_target_name(const cleave_target *t, int32_t pe);
/* The number of levels of a hierarchical target, such as node, rack, machine; 0: the target
 * is not hierarchical. */
CLEAVE_API int32_t cleave_target_levels(const cleave_target *t);
/* The level of the smallest group that contains both PEs, 1 being the lowest; 0: p equals q,
 * p or q is out of range, or there are no levels. */
CLEAVE_API int32_t cleave_target_level(const cleave_target *t, int32_t p, int32_t q);
/* The number of links that routes use; 0: routes are unknown. */
CLEAVE_API int64_t cleave_target_links(const cleave_target *t);
/* The shape in one word: "equal", "mesh", "tree", ...; "" for NULL. */
CLEAVE_API const char *cleave_target_shape(const cleave_target *t);
/* A description in one line, such as "mesh of 4 x 2"; at most size bytes including the
 * terminating 0. */
CLEAVE_API void cleave_target_describe(const cleave_target *t, char *text, size_t size);
/* Writes a Scotch target file of kind "deco 0" for any shape: it lists the distances of all
 * pairs of PEs.  CLEAVE_ERANGE above 32768 PEs, where the file would have gigabytes.
 * O(PEs^2). */
CLEAVE_API cleave_status cleave_target_write(const cleave_target *t, const char *path,
                                             cleave_error *err);
CLEAVE_API void cleave_target_free(cleave_target *t);

/* ---- Partitioning and mapping ---------------------------------------------------- */

typedef enum cleave_effort {
    CLEAVE_EFFORT_FAST = 0,    /* in about the time METIS takes */
    CLEAVE_EFFORT_DEFAULT = 1, /* a few times as long */
    CLEAVE_EFFORT_QUALITY = 2, /* ten times as long */
    CLEAVE_EFFORT_BEST = 3     /* as long as time_limit allows */
} cleave_effort;

typedef enum cleave_objective {
    CLEAVE_OBJECTIVE_CUT = 0,       /* weight of the edges between parts */
    CLEAVE_OBJECTIVE_VOLUME = 1,    /* sum over vertices of vsize * other parts that read it */
    CLEAVE_OBJECTIVE_COST = 2,      /* sum over edges of weight * distance; the same as the cut
                                       when all PEs are equally far from each other */
    CLEAVE_OBJECTIVE_CONGESTION = 3 /* the largest load of a link, then the cost; the routes
                                       of the target must be known */
} cleave_objective;

/* Constraints of a mapping besides balance.  Every array may be NULL: no such constraint. */
typedef struct cleave_constraints {
    size_t size;
    const int32_t *fixed;    /* nvtx: the part a vertex must be in, -1: any */
    const int32_t *groups;   /* nvtx: vertices with the same number stay together, -1: alone */
    const double *shares;    /* nparts * ncon relative part sizes; NULL: the target's speeds.
                                A PE of speed 0 always stays empty */
    const double *imbalance; /* nparts: replaces the imbalance of the options */
    const int64_t *min, *max;    /* nparts * ncon part weights, -1: no bound of this kind; max
                                    replaces the bound derived from imbalance */
    int connected;               /* nonzero: a part is connected within each connected
                                    component of the graph, which must be undirected */
    const cleave_mapping *start; /* improve this mapping instead of computing a new one; for
                                    a DAG it need not be acyclic */
} cleave_constraints;
CLEAVE_API void cleave_constraints_init(cleave_constraints *constraints, size_t size);

/* Results of cleave_map besides the mapping. */
typedef struct cleave_map_report {
    size_t size;
    int64_t cut, volume; /* recomputed from the mapping */
    double imbalance;    /* max over parts and weights of weight / share - 1 */
    int32_t empty_parts;
    int32_t balanced;  /* 1: every part is within its bounds */
    int32_t levels;    /* of the multilevel hierarchy, the graph itself included */
    int32_t threads;   /* in use */
    int32_t cycles;    /* multilevel cycles */
    int32_t timed_out; /* 1: the time limit ended the search */
    double seconds, seconds_coarsen, seconds_initial, seconds_refine;
    int32_t acyclic;       /* for a DAG 1, recomputed from the mapping; -1: undirected */
    int64_t critical_path; /* with the default costs of cleave_evaluate; -1: undirected */
    int64_t cost; /* sum of weight * distance, recomputed from the mapping; -1: all PEs
                     are equally far from each other, the cut is the cost */
    int64_t cost_identity; /* of the mapping v -> floor(v * PEs / nvtx); -1 likewise */
    /* The largest residual of the eigenvectors that "rsb" used: the norm of L x - value x, x
     * of norm 1, divided by the largest weighted degree; -1: none was computed. */
    double residual;
    int32_t converged; /* 1: all converged to 1 % of their eigenvalues; -1 likewise */
} cleave_map_report;
CLEAVE_API void cleave_map_report_init(cleave_map_report *report, size_t size);

typedef struct cleave_options {
    size_t size;
    double imbalance;           /* 0.03: no part above floor(1.03 * ceil(share)) */
    uint64_t seed;              /* 1; every value is a seed */
    cleave_effort effort;       /* CLEAVE_EFFORT_DEFAULT */
    cleave_objective objective; /* CLEAVE_OBJECTIVE_COST */
    int threads;                /* 0: all that this process may use */
    double time_limit; /* seconds; 0: none.  The result is the best mapping found by then; the
                          call returns about 5 % and two evaluations of the graph later */
    const cleave_constraints *constraints; /* NULL: none */
    cleave_map_report *report;             /* NULL, or written on return */
    cleave_progress_fn progress;           /* NULL */
    void *payload;                         /* NULL */
    /* NULL, "", "auto" or "multilevel": the library's best method.  On targets with distances
     * also "drb" (dual recursive bipartitioning), "kway", "multisection" (along the levels of
     * a hierarchy).  For undirected graphs also "rcb" (recursive coordinate bisection), "zci",
     * "hci" (intervals along the Morton and Hilbert curves), "rsb" (recursive spectral
     * bisection); all but "rsb" need coordinates, and all balance the first vertex weight
     * only: if a bound of another weight is not met, CLEAVE_EBALANCE.  For DAGs also the
     * baselines "dagp", "kernighan", "fauzia". */
    const char *method;
    const char *params; /* NULL, or parameters of the method: "order=top,match=hem,runs=5" for
                           dagp; "policy=depth", "=breadth" or "=size" for drb; for rcb, zci,
                           hci and rsb "grouping=simple" or "=binpacking" (how unequal parts
                           are halved) and "refine=1" (refine the boundaries) */
    int one_to_one;     /* 0; nonzero: every vertex gets its own PE; needs at least as many
                           PEs as vertices */
} cleave_options;
CLEAVE_API void cleave_options_init(cleave_options *opt, size_t size);

/* Maps the vertices of a graph onto the PEs of t; opt NULL: defaults.  With at least as many
 * vertices as PEs, no PE is empty (except those of speed 0); with fewer, every vertex has its
 * own PE.  The mapping of a DAG is always acyclic: a group, or a set of vertices fixed to one
 * part, includes all vertices on paths between its vertices.  CLEAVE_ECYCLE if the fixed
 * vertices and groups allow no such mapping; the message names a cycle of parts.
 * CLEAVE_EBALANCE (a bound cannot be met or was not met; the message names the bound and the
 * value reached) and CLEAVE_ECANCEL (stopped by the callback) also return the best mapping
 * found.  About O(edges * log PEs); memory about twice the graph's. */
CLEAVE_API cleave_status cleave_map(cleave_mapping **out, const cleave_graph *g,
                                    const cleave_target *t, const cleave_options *opt,
                                    cleave_error *err);

/* Writes the placement of the ranks of a parallel program for a launcher; the vertices of m
 * are the ranks.  Forms:
 *   rankfile     Open MPI: mpirun --rankfile FILE, or --map-by rankfile:file=FILE
 *   hostfile     Slurm: SLURM_HOSTFILE=FILE srun --distribution=arbitrary
 *   cpu-bind     Slurm: srun $(cat FILE)
 *   rank-order   Cray MPICH: the file MPICH_RANK_ORDER, MPICH_RANK_REORDER_METHOD=3
 *   permutation  the PE of each rank, one per line
 * hosts: NULL, or the names of the nodes of t, such as "n[1-4,7],m3", if the PEs have no
 * names or are not whole nodes.  CLEAVE_EINVAL if a form cannot express the mapping. */
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
/* Generates the graph that spec describes: KIND[:PARAMETER...], such as "grid3d:40x40x40",
 * "rgg:100000:12" or "rmat:20:10"; opt NULL: defaults.  CLEAVE_EINVAL if spec is invalid; the
 * message shows the form of the kind.  CLEAVE_ERANGE if the graph is too large. */
CLEAVE_API cleave_status cleave_graph_generate(cleave_graph **out, const char *spec,
                                               const cleave_generate_options *opt,
                                               cleave_error *err);
/* The i-th kind, i = 0, 1, ...; NULL past the end.  form ("gnp:N:P") and description may
 * be NULL. */
CLEAVE_API const char *cleave_generator_name(int i, const char **form,
                                             const char **description);

/* The factor of a symbolic Cholesky factorisation of an undirected graph, as a DAG with an
 * arc from column j to row i for each non-zero of the factor below the diagonal.
 * order: "natural" or "mindeg" (minimum degree), NULL: natural.  permutation: NULL, or nvtx
 * vertices in the order of elimination; order is then NULL.  Vertex k of the factor is the
 * k-th eliminated vertex and keeps its coordinates and name.  O(non-zeros of the factor). */
CLEAVE_API cleave_status cleave_graph_factor(cleave_graph **out, const cleave_graph *g,
                                             const char *order, const int32_t *permutation,
                                             cleave_error *err);
/* The same factor as a lower triangular matrix with its diagonal and with random values:
 * multiples of 1/256 in [-1, 0) below the diagonal, and on the diagonal 1 more than the sum
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

#include "cleave/run.h" /* uses schedule.h */

#include "cleave/circuit.h" /* uses run.h */

#include "cleave/view.h" /* uses all of them */

#endif
