/* SPDX-License-Identifier: Apache-2.0 */
/* graph/build.h - graphs from rows and from streams of edges: validation and repair. */
#ifndef CLV_GRAPH_BUILD_H
#define CLV_GRAPH_BUILD_H

#include "base/threads.h"
#include "graph/graph.h"

/* How the weights of the two directions of an edge become one.  The result depends only on the
 * arcs between the two vertices. */
typedef enum clv_symmetrise {
    CLV_SYMMETRISE_REFUSE = 0, /* both have the same weight; two weights are an error */
    CLV_SYMMETRISE_SUM,    /* weight = forward + backward; a missing direction counts as 0 */
    CLV_SYMMETRISE_MAX,    /* weight = larger of the two */
    CLV_SYMMETRISE_PATTERN /* all weights 1 (no weights were given) */
} clv_symmetrise;

/* What to do with rows that break the invariants of graph.h. */
typedef struct clv_build_rules {
    clv_symmetrise symmetrise;
    bool one_way;            /* an edge may be stored in one direction only; otherwise REFUSE
                                fails */
    bool drop_loops;         /* otherwise self-loops are an error */
    bool merge_duplicates;   /* and sum explicit weights; otherwise duplicates are an error */
    bool trust;              /* skip the checks of symmetry and cycles */
    bool cycles;             /* a DAG may have cycles, which the caller handles */
    cleave_repairs *repairs; /* counts the repairs; may be NULL */
    clv_team *team;          /* NULL: single-threaded */
} clv_build_rules;

/* For messages: the file and line of a vertex, and its name or number in the input. path NULL:
 * no file. */
typedef struct clv_where {
    const char *path;
    int64_t (*line_of)(const void *context, int32_t v); /* may be NULL */
    const void *context;
    const clv_names *names; /* may be NULL */
    int base;               /* number of the first vertex in the input: 0 or 1 */
    /* The line of an arc, or 0; may be NULL.  Called for invalid arcs only. */
    int64_t (*line_of_arc)(const void *context, int32_t from, int32_t to);
} clv_where;

/* Rows under construction: arrays from clv_alloc, owned by this struct until clv_build_graph
 * takes them over.  Neighbours may be in any order. */
typedef struct clv_rows {
    int32_t nvtx;
    int64_t *xadj; /* nvtx + 1 */
    int32_t *adj;
    int32_t *ewgt;   /* NULL: unweighted */
    bool ascending;  /* rows ascend strictly; there may be self-loops */
    bool paired;     /* symmetric: every arc has an opposite with the same multiplicity and
                        weight */
    bool known_good; /* paired, strictly ascending and without self-loops */
} clv_rows;
void clv_rows_free(clv_rows *rows); /* frees the arrays, zeroes the struct */

/* Sorts the rows if needed, enforces the rules, adds predecessors to a DAG and checks that it
 * has no cycle.  Takes over the arrays of `rows`, also on failure.  Neighbours must be in
 * range.  O(nvtx + narc). */
cleave_status clv_build_graph(clv_graph **out, cleave_kind kind, clv_rows *rows,
                              const clv_build_rules *rules, const clv_where *where,
                              cleave_error *err);

/* As cleave_graph_create, with known flags.  *out is NULL at the call; on failure the caller
 * frees it.  O(nvtx + narc) (graph/from_csr.c). */
cleave_status clv_graph_from_csr(clv_graph **out, const cleave_csr *csr, unsigned flags,
                                 cleave_error *err);

/* ---- Streams of edges ------------------------------------------------------------ */

/* Collects edges in blocks; an edge with the same tail as the edge before takes four bytes
 * (eight if weighted), so that a sorted list takes no more memory than its rows. */
typedef struct clv_edge_stream clv_edge_stream;
struct clv_edge_stream {
    struct clv_edge_block *first, *last;
    int32_t tail;       /* of the current run; -1: none */
    int64_t count;      /* edges, without self-loops */
    int64_t loops;      /* self-loops dropped */
    int32_t max_vertex; /* -1: none yet */
    bool weighted;
};
void clv_edge_stream_init(clv_edge_stream *stream, bool weighted);
/* 0 <= tail[i], head[i].  weight may be NULL for an unweighted stream.  False: out of
 * memory. */
bool clv_edge_stream_add(clv_edge_stream *stream, int64_t count, const int32_t *tail,
                         const int32_t *head, const int32_t *weight);
/* Replaces every vertex v by number(context, v) >= 0. */
void clv_edge_stream_renumber(clv_edge_stream *stream,
                              int32_t (*number)(const void *context, int32_t v),
                              const void *context);
void clv_edge_stream_free(clv_edge_stream *stream);

/* Rows of the stream: row tail contains head; with `both`, row head also contains tail.
 * Consumes the stream block by block: it is empty afterwards, also on failure. nvtx >
 * max_vertex. */
cleave_status clv_edge_stream_rows(clv_rows *rows, clv_edge_stream *stream, int32_t nvtx,
                                   bool both, cleave_error *err);

/* A graph from the edges of the stream, each in one direction or in both; self-loops are
 * dropped, duplicates merged. symmetrise applies to weighted streams. attributes may be NULL.
 * Consumes the stream; *out is NULL at the call, and on failure the caller frees it. */
cleave_status clv_edge_stream_graph(clv_graph **out, clv_edge_stream *stream, cleave_kind kind,
                                    clv_symmetrise symmetrise, int32_t nvtx,
                                    const cleave_csr *attributes, cleave_error *err);

/* For a DAG whose rows are set: fails if there is a cycle (unless `trust`), and adds xpred,
 * pred and pwgt in the arena of the graph. */
cleave_status clv_graph_finish_dag(clv_graph *g, bool trust, cleave_error *err);

/* ---- Attributes ------------------------------------------------------------------ */

/* CLEAVE_ERANGE: the weights of all arcs sum to more than CLV_MOST_WEIGHT (those of vertices
 * never do). clv_build_graph calls it; other constructors must. */
cleave_status clv_graph_check_sums(const clv_graph *g, cleave_error *err);

/* A coarse graph with 64-bit edge weights from valid rows that need not ascend; rows has no
 * weights.  On success takes over rows and *wide_ewgt (from clv_alloc, by arc), which becomes
 * NULL; on failure frees rows. */
cleave_status clv_build_wide(clv_graph **out, cleave_kind kind, clv_rows *rows,
                             int64_t **wide_ewgt, cleave_error *err);
/* Sets the vertex weights of a coarse graph to *vwgt (from clv_alloc, nvtx * ncon), which
 * becomes NULL. */
cleave_status clv_graph_set_wide_vwgt(clv_graph *g, int32_t ncon, int64_t **vwgt,
                                      cleave_error *err);
/* Checks the arrays vwgt, vsize, coords and names of csr (with ncon and ndim), then copies
 * them into g, or with `borrow` refers to them. */
cleave_status clv_graph_set_attributes(clv_graph *g, const cleave_csr *csr, bool borrow,
                                       cleave_error *err);

#endif
