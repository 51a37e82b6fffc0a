/* SPDX-License-Identifier: Apache-2.0 */
/* cleave/cleave_mpi.h - the same verbs for graphs that lie on many ranks of MPI.
 *
 * Collective  Every function here is called by all ranks of the graph's communicator, with
 *             the same options, but those that say "local".
 * Errors      As in cleave/cleave.h, and together: one rank's bad input, failed allocation or
 *             full disk gives the same status and the same sentence on all ranks.
 * Vertices    Rank r owns the vertices vtxdist[r] .. vtxdist[r + 1] - 1.  Global numbers are
 *             int64_t, those of one rank int32_t: at most 2^31 - 2 vertices with their ghosts.
 *             Arrays "by own vertex" have vtxdist[r + 1] - vtxdist[r] entries.
 * Results     Same version, input, options, seed and number of ranks give the same result;
 *             one rank gives exactly what cleave/cleave.h gives.
 * Threads     options.threads are those of each rank; 0: the processors of a machine are
 *             shared evenly by the ranks that run on it.
 * MPI         is initialised by the caller, who frees what he got before MPI_Finalize.  Only
 *             the calling thread calls MPI (MPI_THREAD_FUNNELED is enough). */
#ifndef CLEAVE_CLEAVE_MPI_H
#define CLEAVE_CLEAVE_MPI_H

#include <mpi.h>

#include <cleave/cleave.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Graphs -------------------------------------------------------------------- */

typedef struct cleave_mpi_graph cleave_mpi_graph;

/* The own vertices of a rank as plain arrays; xadj of a rank without vertices may be NULL. */
typedef struct cleave_mpi_csr {
    size_t size;
    cleave_kind kind;       /* CLEAVE_UNDIRECTED */
    const int64_t *vtxdist; /* ranks + 1, from 0, the same on all ranks */
    const int64_t *xadj;    /* own + 1 offsets into adj */
    const int64_t *adj;     /* global numbers; undirected: both directions; DAG: successors */
    const int32_t *vwgt;    /* own * ncon, >= 0; NULL on all ranks: all 1 */
    const int32_t *ewgt;    /* one per entry of adj, >= 0; NULL on all ranks: all 1 */
    int32_t ncon;           /* 1 */
    int32_t ndim;           /* 0 */
    const int32_t *vsize;   /* own; NULL on all ranks: all 1 */
    const double *coords;   /* own * ndim */
} cleave_mpi_csr;
CLEAVE_API void cleave_mpi_csr_init(cleave_mpi_csr *csr, size_t size); /* local */

/* Makes a graph from arrays, which are copied.  Refuses what cleave_graph_create refuses, also
 * what only two ranks together can see; flags: 0 or CLEAVE_TRUST, which leaves out symmetry,
 * duplicates and cycles. */
CLEAVE_API cleave_status cleave_mpi_graph_create(cleave_mpi_graph **out, MPI_Comm comm,
                                                 const cleave_mpi_csr *csr, unsigned flags,
                                                 cleave_error *err);
CLEAVE_API void cleave_mpi_graph_free(cleave_mpi_graph *g);

/* Reads a graph file.  Plain binary files (.clv), METIS files and Matrix Market files are read
 * by all ranks, each its own range; other formats and compressed files by rank 0 alone, which
 * deals the graph out.  opt NULL: defaults; as cleave_graph_read. */
CLEAVE_API cleave_status cleave_mpi_graph_read(cleave_mpi_graph **out, MPI_Comm comm,
                                               const char *path,
                                               const cleave_read_options *opt,
                                               cleave_error *err);
/* Writes a binary graph (.clv), all ranks their own ranges; other formats are gathered by rank
 * 0, which writes them as cleave_graph_write does. */
CLEAVE_API cleave_status cleave_mpi_graph_write(const cleave_mpi_graph *g, const char *path,
                                                cleave_error *err);
/* The graph that cleave_graph_generate makes of the same spec and seed.  Of grid2d, grid3d,
 * rgg and rmat no rank ever holds more than about its share; others are made by rank 0 and
 * dealt out. */
CLEAVE_API cleave_status cleave_mpi_graph_generate(cleave_mpi_graph **out, MPI_Comm comm,
                                                   const char *spec,
                                                   const cleave_generate_options *opt,
                                                   cleave_error *err);

/* Local. */
CLEAVE_API cleave_kind cleave_mpi_graph_kind(const cleave_mpi_graph *g);
CLEAVE_API int64_t cleave_mpi_graph_vertices(const cleave_mpi_graph *g); /* of all ranks */
CLEAVE_API int64_t cleave_mpi_graph_edges(const cleave_mpi_graph *g);    /* of all ranks */
CLEAVE_API const int64_t *cleave_mpi_graph_vtxdist(const cleave_mpi_graph *g);

/* What a rank has of a graph, for programs that compute with it: its own vertices are
 * 0 .. nlocal - 1, its ghosts (vertices of other ranks with an edge to one of these)
 * nlocal .. nlocal + nghost - 1.  Arrays belong to the graph. */
typedef struct cleave_mpi_local {
    size_t size;
    int32_t nlocal, nghost;
    const int64_t *xadj; /* nlocal + 1 */
    const int32_t *adj;  /* local numbers */
    const int32_t *ewgt; /* or NULL */
    int32_t ncon, ndim;
    const int32_t *vwgt;    /* nlocal * ncon, or NULL */
    const int32_t *vsize;   /* nlocal, or NULL */
    const double *coords;   /* nlocal * ndim, or NULL */
    const int64_t *ghost;   /* nghost global numbers, ascending */
    int32_t npeers;         /* ranks to exchange with */
    const int32_t *peer;    /* npeers ranks */
    const int64_t *send_at; /* npeers + 1 offsets into send */
    const int32_t *send;    /* own vertices that the peer has as ghosts */
    const int64_t *recv_at; /* npeers + 1: ghosts of the peer, counted from 0 */
} cleave_mpi_local;
CLEAVE_API void cleave_mpi_local_init(cleave_mpi_local *local, size_t size);
CLEAVE_API void cleave_mpi_graph_view(const cleave_mpi_graph *g, cleave_mpi_local *local);

/* values: nlocal + nghost items of `each` bytes (1, 2, 4, 8); those of the ghosts are set to
 * what their owners have. */
CLEAVE_API cleave_status cleave_mpi_exchange(const cleave_mpi_graph *g, void *values,
                                             size_t each, cleave_error *err);

/* The graph with its vertices where they belong now: own vertex v moves to rank owner[v],
 * which keeps what it gets in the old global order.  number (by own vertex of g, may be NULL):
 * the new global numbers. */
CLEAVE_API cleave_status cleave_mpi_redistribute(cleave_mpi_graph **out,
                                                 const cleave_mpi_graph *g,
                                                 const int32_t *owner, int64_t *number,
                                                 cleave_error *err);
/* Data of the vertices follow: values by own vertex of g, `each` bytes, become `there`, by own
 * vertex of the new graph. */
CLEAVE_API cleave_status cleave_mpi_migrate(const cleave_mpi_graph *g,
                                            const cleave_mpi_graph *moved,
                                            const int64_t *number, const void *values,
                                            size_t each, void *there, cleave_error *err);

/* ---- Mapping ------------------------------------------------------------------- */

/* part (by own vertex) becomes the PE of each vertex; results as cleave_map.  Of
 * opt->constraints arrays by vertex are by own vertex; on several ranks groups, connected, min
 * and start are refused, and so are the objectives volume and congestion and methods other
 * than "auto", "multilevel", "hci" and "zci".  Further params: "gather=N": partition on one
 * rank what has at most so many arcs. */
CLEAVE_API cleave_status cleave_mpi_map(int32_t *part, const cleave_mpi_graph *g,
                                        const cleave_target *t, const cleave_options *opt,
                                        cleave_error *err);
/* The same, with an account of what the ranks sent each other: bytes of all ranks together, by
 * level, 0 the graph itself.  On one rank, and by the curves, there is one level and nothing
 * is sent. */
enum { CLEAVE_MPI_MOST_LEVELS = 64 };
typedef struct cleave_mpi_traffic {
    size_t size;
    int32_t levels;
    int64_t bytes_gather; /* for the coarsest graph on every rank, and its best solution */
    /* By level. */
    int64_t vertices[CLEAVE_MPI_MOST_LEVELS], edges[CLEAVE_MPI_MOST_LEVELS];
    int64_t bytes_coarsen[CLEAVE_MPI_MOST_LEVELS], bytes_refine[CLEAVE_MPI_MOST_LEVELS];
} cleave_mpi_traffic;
CLEAVE_API void cleave_mpi_traffic_init(cleave_mpi_traffic *traffic, size_t size);
CLEAVE_API cleave_status cleave_mpi_map_traffic(int32_t *part, const cleave_mpi_graph *g,
                                                const cleave_target *t,
                                                const cleave_options *opt,
                                                cleave_mpi_traffic *traffic,
                                                cleave_error *err);
/* The same in one call, for callers with arrays: nparts equal parts. */
CLEAVE_API cleave_status cleave_mpi_partition(MPI_Comm comm, const int64_t *vtxdist,
                                              const int64_t *xadj, const int64_t *adj,
                                              const int32_t *vwgt, const int32_t *ewgt,
                                              int32_t nparts, const cleave_options *opt,
                                              int32_t *part, cleave_error *err);
/* As cleave_remap: old (by own vertex) says where vertices are among nold PEs.  part may be
 * old. */
CLEAVE_API cleave_status cleave_mpi_remap(int32_t *part, const cleave_mpi_graph *g,
                                          const int32_t *old, int32_t nold,
                                          const cleave_target *t,
                                          const cleave_remap_options *opt, cleave_error *err);

/* ---- Orders -------------------------------------------------------------------- */

/* place (by own vertex) becomes the place of each vertex on a line.  "auto" is what it is on
 * one machine.  "hci", "zci": the curves, sorted by all ranks, the same as on one machine;
 * "multilevel": parts by the engine, one per rank along the line, inside of which each rank
 * goes on alone; "topo": a DAG level by level, in each by number.  Others on one rank only. */
CLEAVE_API cleave_status cleave_mpi_order(int64_t *place, const cleave_mpi_graph *g,
                                          const cleave_order_options *opt, cleave_error *err);

/* ---- Judging and files --------------------------------------------------------- */

/* As cleave_evaluate and cleave_evaluate_target, for part (by own vertex) in 0 .. nparts - 1.
 */
CLEAVE_API cleave_status cleave_mpi_evaluate(cleave_metrics *metrics,
                                             const cleave_mpi_graph *g, int32_t nparts,
                                             const int32_t *part,
                                             const cleave_evaluate_options *opt,
                                             cleave_error *err);
CLEAVE_API cleave_status cleave_mpi_evaluate_target(cleave_target_metrics *metrics,
                                                    const cleave_mpi_graph *g,
                                                    const int32_t *part,
                                                    const cleave_target *t, cleave_error *err);
/* A file of parts, one per line in global order.  *nparts: given, or -1 and then set to the
 * largest + 1. */
CLEAVE_API cleave_status cleave_mpi_parts_read(int32_t *part, int32_t *nparts,
                                               const cleave_mpi_graph *g, const char *path,
                                               cleave_error *err);
CLEAVE_API cleave_status cleave_mpi_parts_write(const char *path, const cleave_mpi_graph *g,
                                                const int32_t *part, cleave_error *err);
/* An order file (text), as cleave_order_write; method: its name in the header. */
CLEAVE_API cleave_status cleave_mpi_order_write(const char *path, const cleave_mpi_graph *g,
                                                const int64_t *place, const char *method,
                                                cleave_error *err);

/* Bytes that this rank has sent to others through these functions so far, for reports.  Local.
 */
CLEAVE_API int64_t cleave_mpi_bytes_sent(void);

#ifdef __cplusplus
}
#endif

#endif
