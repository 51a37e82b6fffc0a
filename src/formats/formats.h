/* SPDX-License-Identifier: Apache-2.0 */
/* formats/formats.h - the table of formats: one file per format, with its reader, its writer
 * and its row of the table. detect.c chooses a format from contents and name. */
#ifndef CLV_FORMATS_FORMATS_H
#define CLV_FORMATS_FORMATS_H

#include "formats/input.h"
#include "formats/output.h"
#include "graph/build.h"
#include "graph/derive.h"
#include "graph/graph.h"
#include "graph/mapping.h"

typedef enum clv_as {
    CLV_AS_AUTO,
    CLV_AS_UNDIRECTED,
    CLV_AS_DAG,
    CLV_AS_LOWER,
    CLV_AS_UPPER
} clv_as;

/* cleave_read_options, checked and converted to enums. */
typedef struct clv_read_options {
    clv_as as;
    clv_symmetrise symmetrise; /* REFUSE, SUM or MAX */
    bool weights_from_values;
    bool no_weights; /* drop the weights of the file after reading */
    double scale;
    bool repair, trust;
    bool cycles;             /* directed graphs may have cycles, which are condensed later */
    cleave_repairs *repairs; /* never NULL while reading */
    int threads;             /* 0: all that this process may use */
    bool mesh_nodal;         /* of a mesh: the nodal instead of the dual graph */
    int32_t mesh_common;     /* common nodes that make two elements neighbours in the dual
                                graph */
    bool binarise;           /* circuits: a vertex per operation with two inputs */
} clv_read_options;

typedef struct clv_format {
    const char *name;        /* "metis": --format NAME */
    const char *description; /* one line for help */
    const char *extensions;  /* "graph metis": the first is the default */
    /* Confidence 0..100 that a file with these first bytes has this format; NULL: by name
     * only. */
    int (*looks_like)(const char *bytes, size_t count);
    /* *out is NULL at the call; on failure the caller frees it.  `as` is CLV_AS_LOWER or
     * CLV_AS_UPPER only if reads_triangles.  NULL: the format cannot be read. */
    cleave_status (*read)(clv_graph **out, clv_input *in, const clv_read_options *opt,
                          cleave_error *err);
    /* part: NULL, or a part per vertex, which is shown.  NULL: the format cannot be written.
     */
    cleave_status (*write)(const clv_graph *g, clv_output *out, const int32_t *part,
                           cleave_error *err);
    /* The same with sums of 64 bits instead of the weights of the graph; sums NULL: the
     * weights of the graph.  NULL: the format cannot hold such numbers. */
    cleave_status (*write_sums)(const clv_graph *g, const clv_sums *sums, clv_output *out,
                                const int32_t *part, cleave_error *err);
    bool reads_triangles; /* extracts a lower or upper triangle itself */
    bool reads_values;    /* has real values that can be converted to weights */
    unsigned holds;       /* CLEAVE_HOLDS_ bits; 0 if it cannot be written */
} clv_format;

enum {
    CLV_HOLDS_WEIGHTS = CLEAVE_HOLDS_VERTEX_WEIGHTS | CLEAVE_HOLDS_SEVERAL_WEIGHTS |
                        CLEAVE_HOLDS_EDGE_WEIGHTS | CLEAVE_HOLDS_VERTEX_SIZES
};

/* The weights to write: the sums if present, otherwise the weights of the graph. */
static inline bool clv_sums_weigh_arcs(const clv_sums *sums, const clv_graph *g)
{
    return sums || g->ewgt;
}
static inline bool clv_sums_weigh_vertices(const clv_sums *sums, const clv_graph *g)
{
    return sums || g->vwgt;
}
static inline int64_t clv_sums_arc(const clv_sums *sums, const clv_graph *g, int64_t a)
{
    return sums ? sums->arc[a] : clv_graph_ewgt(g, a);
}
static inline int64_t clv_sums_vertex(const clv_sums *sums, const clv_graph *g, int32_t v,
                                      int32_t c)
{
    return sums ? sums->vertex[(int64_t)v * g->ncon + c] : clv_graph_vwgt(g, v, c);
}

/* The formats, in the order of help; each is a row in its own file. */
#define CLV_FORMATS(FORMAT)                                                                   \
    FORMAT(metis)                                                                             \
    FORMAT(matrix_market)                                                                     \
    FORMAT(edges)                                                                             \
    FORMAT(dot)                                                                               \
    FORMAT(binary)                                                                            \
    FORMAT(scotch)                                                                            \
    FORMAT(dgraph)                                                                            \
    FORMAT(pace)                                                                              \
    FORMAT(hdag)                                                                              \
    FORMAT(wfcommons)                                                                         \
    FORMAT(psdd)                                                                              \
    FORMAT(metis_mesh)                                                                        \
    FORMAT(csv_matrix)                                                                        \
    FORMAT(vtk)                                                                               \
    FORMAT(vtu)                                                                               \
    FORMAT(openfoam)

#define CLV_DECLARE_FORMAT(name) extern const clv_format clv_format_##name;
CLV_FORMATS(CLV_DECLARE_FORMAT)
#undef CLV_DECLARE_FORMAT

/* NULL-terminated. */
extern const clv_format *const clv_formats[];
const clv_format *clv_format_by_name(const char *name); /* NULL: unknown */
/* From the extension of path (".gz" ignored); NULL: no format has it. */
const clv_format *clv_format_by_path(const char *path);
/* From the first bytes, with the extension as tie-breaker; NULL: not recognised. */
const clv_format *clv_format_detect(const char *path, const char *bytes, size_t count);

/* Does the file name without ".gz" have this extension (given without its dot)? */
bool clv_path_has_extension(const char *path, const char *extension);

/* Rules for formats in which an edge is stored in one direction or in both, and duplicates are
 * merged: edge lists, patterns of matrices.  Two directions with different weights are an
 * error unless opt->symmetrise combines them; repair takes the larger weight. */
clv_build_rules clv_rules_collapsing(const clv_read_options *opt, bool weighted);
/* Rules for formats whose weighted arcs are stored in both directions, and duplicates are
 * merged: values of general matrices, shortest paths. */
clv_build_rules clv_rules_both_ways(const clv_read_options *opt);
/* Rules for a format that stores both directions without duplicates: METIS. */
clv_build_rules clv_rules_strict(const clv_read_options *opt, bool weighted);

/* Replaces an undirected graph by the DAG of one of its triangles: arcs from the smaller to
 * the larger vertex (CLV_AS_LOWER) or from the larger to the smaller (CLV_AS_UPPER). */
cleave_status clv_orient(clv_graph **g, clv_as as, cleave_error *err);

/* ---- Coordinates (coords.c) ------------------------------------------------------- */
/* Reads .xyz (Scotch), plain "x y [z]" lines, or a dense Matrix Market array; *coords
 * from clv_alloc, *ndim 2 or 3, exactly nvtx vertices (in one dimension: padded to 2). */
cleave_status clv_coords_read(double **coords, int32_t *ndim, const char *path, int32_t nvtx,
                              cleave_error *err);
cleave_status clv_coords_write(const clv_graph *g, const char *path, cleave_error *err);
/* The path of a coordinate file next to the graph file, from clv_alloc; NULL: there is none
 * (or out of memory; then *oom is true). */
char *clv_coords_beside(const char *graph_path, bool *oom);

/* ---- Partition files (partition_file.c) ------------------------------------------- */
/* g may be NULL; otherwise labels of a Scotch mapping may be names of its vertices. */
cleave_status clv_partition_read(clv_mapping **out, const char *path, const clv_graph *g,
                                 int32_t nvtx, int32_t nparts, cleave_error *err);
/* The same without storing the parts: passes them to the sink in the order of the vertices, in
 * batches (in one batch if the file has another order). nvtx >= 0. */
typedef cleave_status (*clv_partition_sink)(void *context, const int32_t *part, int64_t count,
                                            cleave_error *err);
cleave_status clv_partition_stream(const char *path, int64_t nvtx, int32_t nparts,
                                   clv_partition_sink sink, void *context, cleave_error *err);
cleave_status clv_partition_write(const clv_mapping *m, const char *path, cleave_error *err);
/* Writes a partition file in batches, nvtx parts in total; the file appears at the end. */
typedef struct clv_partition_writer {
    clv_output *out;
    int64_t next; /* vertex */
    bool scotch, openfoam;
} clv_partition_writer;
cleave_status clv_partition_begin(clv_partition_writer *w, const char *path, int64_t nvtx,
                                  cleave_error *err);
void clv_partition_put(clv_partition_writer *w, const int32_t *part, int64_t count);
cleave_status clv_partition_end(clv_partition_writer *w, cleave_error *err);

/* ---- Constraints (fixfile.c, part_bounds.c, tpwgts.c) ------------------------------ */
/* As cleave_fixed_read, cleave_groups_read, cleave_bounds_read and cleave_shares_read. */
cleave_status clv_fixed_read(int32_t *part, int32_t nvtx, int32_t nparts, const char *path,
                             cleave_error *err);
cleave_status clv_groups_read(int32_t *group, int32_t nvtx, const char *path,
                              cleave_error *err);
cleave_status clv_bounds_read(int64_t *bound, int32_t nparts, int32_t ncon, const char *path,
                              cleave_error *err);
cleave_status clv_shares_read(double *shares, int32_t nparts, int32_t ncon, const char *path,
                              cleave_error *err);

#endif
