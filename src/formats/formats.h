/* SPDX-License-Identifier: Apache-2.0 */
/* formats/formats.h - the table of formats: one file each, reading and writing side by
 * side.  detect.c chooses one from contents and name. */
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

/* cleave_read_options, checked and turned into enums. */
typedef struct clv_read_options {
    clv_as as;
    clv_symmetrise symmetrise; /* REFUSE, SUM or MAX */
    bool weights_from_values;
    bool no_weights; /* those of the file are dropped once it is read */
    double scale;
    bool repair, trust;
    bool cycles;             /* directed graphs may have cycles: they will be condensed */
    cleave_repairs *repairs; /* never NULL while reading */
    int threads;             /* 0: all that this process may use */
    bool mesh_nodal;         /* of a mesh: the nodal instead of the dual graph */
    int32_t mesh_common;     /* nodes that neighbours of the dual graph share */
    bool binarise;           /* of a circuit: a vertex per operation with two inputs */
} clv_read_options;

typedef struct clv_format {
    const char *name;        /* "metis": --format NAME */
    const char *description; /* one line for help */
    const char *extensions;  /* "graph metis": the first is the usual one */
    /* Confidence 0..100 that these first bytes are this format; NULL: by name only. */
    int (*looks_like)(const char *bytes, size_t count);
    /* *out is NULL at the call; on failure the caller frees what it holds.  as is never
     * CLV_AS_LOWER or _UPPER unless reads_triangles.  NULL pointer: cannot be read. */
    cleave_status (*read)(clv_graph **out, clv_input *in, const clv_read_options *opt,
                          cleave_error *err);
    /* part: NULL, or a part per vertex to show.  NULL pointer: cannot be written. */
    cleave_status (*write)(const clv_graph *g, clv_output *out, const int32_t *part,
                           cleave_error *err);
    /* The same for a graph without weights but with sums of 64 bits in their place; NULL sums:
     * its own.  NULL pointer: the format has no room for such numbers. */
    cleave_status (*write_sums)(const clv_graph *g, const clv_sums *sums, clv_output *out,
                                const int32_t *part, cleave_error *err);
    bool reads_triangles; /* knows a lower from an upper triangle by itself */
    bool reads_values;    /* has real values that can become weights */
} clv_format;

/* What a writer writes: the sums, if there are any, or the weights of the graph. */
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

extern const clv_format clv_format_metis;
extern const clv_format clv_format_matrix_market;
extern const clv_format clv_format_edges;
extern const clv_format clv_format_dot;
extern const clv_format clv_format_binary;
extern const clv_format clv_format_scotch;
extern const clv_format clv_format_dgraph;
extern const clv_format clv_format_pace;
extern const clv_format clv_format_hdag;
extern const clv_format clv_format_wfcommons;
extern const clv_format clv_format_psdd;
extern const clv_format clv_format_metis_mesh;
extern const clv_format clv_format_csv_matrix;
extern const clv_format clv_format_vtk;
extern const clv_format clv_format_vtu;
extern const clv_format clv_format_openfoam;

/* NULL-terminated. */
extern const clv_format *const clv_formats[];
const clv_format *clv_format_by_name(const char *name); /* NULL: unknown */
/* From the extension of path (".gz" ignored); NULL: none claims it. */
const clv_format *clv_format_by_path(const char *path);
/* From the first bytes, the extension deciding between equals; NULL: unrecognised. */
const clv_format *clv_format_detect(const char *path, const char *bytes, size_t count);

/* Does the file name, without ".gz", end in this extension (without its dot)? */
bool clv_path_has_extension(const char *path, const char *extension);

/* The rules for a format in which an edge is stored in one direction or in both, and
 * duplicates collapse: edge lists, patterns of matrices.  Two directions of different weights
 * are refused, or settled as opt->symmetrise says, by repair as MAX. */
clv_build_rules clv_rules_collapsing(const clv_read_options *opt, bool weighted);
/* The rules for a format whose weighted arcs stand in both directions, and duplicates
 * collapse: values of general matrices, shortest paths. */
clv_build_rules clv_rules_both_ways(const clv_read_options *opt);
/* The rules for a format that stores both directions and allows no duplicates: METIS. */
clv_build_rules clv_rules_strict(const clv_read_options *opt, bool weighted);

/* Replaces an undirected graph by the DAG of one of its triangles: arcs from the smaller
 * to the larger vertex (CLV_AS_LOWER) or the other way (CLV_AS_UPPER). */
cleave_status clv_orient(clv_graph **g, clv_as as, cleave_error *err);

/* ---- Coordinates (coords.c) ------------------------------------------------------- */
/* Reads .xyz (Scotch), plain "x y [z]" lines, or a dense Matrix Market array; *coords
 * from clv_alloc, *ndim 2 or 3, exactly nvtx vertices (in one dimension: padded to 2). */
cleave_status clv_coords_read(double **coords, int32_t *ndim, const char *path, int32_t nvtx,
                              cleave_error *err);
cleave_status clv_coords_write(const clv_graph *g, const char *path, cleave_error *err);
/* The path of a coordinate file beside the graph file, from clv_alloc; NULL: none there
 * (or out of memory; then *oom is true). */
char *clv_coords_beside(const char *graph_path, bool *oom);

/* ---- Partition files (partition_file.c) ------------------------------------------- */
/* g: NULL, or the graph that counts the vertices, and whose names the labels of a Scotch
 * mapping may be. */
cleave_status clv_partition_read(clv_mapping **out, const char *path, const clv_graph *g,
                                 int32_t nvtx, int32_t nparts, cleave_error *err);
/* The same without keeping them: parts go to the sink in the order of the vertices, some at a
 * time (all at once where the file has another order).  nvtx >= 0. */
typedef cleave_status (*clv_partition_sink)(void *context, const int32_t *part, int64_t count,
                                            cleave_error *err);
cleave_status clv_partition_stream(const char *path, int64_t nvtx, int32_t nparts,
                                   clv_partition_sink sink, void *context, cleave_error *err);
cleave_status clv_partition_write(const clv_mapping *m, const char *path, cleave_error *err);
/* The same some parts at a time, nvtx in all; the file appears at the end. */
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
