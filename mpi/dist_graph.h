/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_graph.h - a graph whose vertices are distributed over the ranks.
 *
 * Rank r owns the vertices first[r] .. first[r + 1] - 1 (ParMETIS calls this array vtxdist).
 * Global numbers have 64 bits, local numbers 32.  A rank's own vertices are 0 .. nlocal - 1 in
 * global order.  Vertices of other ranks that are adjacent to an own vertex are its ghosts,
 * nlocal .. nlocal + nghost - 1, in ascending global order and therefore grouped by owner.
 * Rows exist for own vertices only, with local numbers in adj.
 *
 * Invariants of a finished graph: rows have no self-loops and no duplicates (they need not be
 * sorted); an undirected edge is stored in both directions, each by the owner of its tail,
 * with the same weight; a DAG has its successors in adj and its predecessors in pred
 * (undirected: the same arrays), and has no cycle.  Absent weight arrays (NULL) mean 1, and
 * are absent on all ranks or on none. */
#ifndef CLV_MPI_DIST_GRAPH_H
#define CLV_MPI_DIST_GRAPH_H

#include "graph/graph.h"
#include "mpi/comm.h"

/* The pattern of the ghost exchange.  Built once with the graph. */
typedef struct clv_halo {
    int32_t npeers;       /* ranks that share a ghost with this one */
    int32_t *peer;        /* ascending */
    int64_t *send_at;     /* npeers + 1 offsets into send */
    int32_t *send;        /* own vertices that the peer has as ghosts, ascending */
    int64_t *recv_at;     /* npeers + 1: ghosts of that peer, counted from 0 = local nlocal */
    MPI_Request *request; /* 2 * npeers */
    void *buffer;         /* of clv_halo_exchange: send_at[npeers] * 8 bytes */
} clv_halo;

typedef struct cleave_mpi_graph clv_dist_graph;
struct cleave_mpi_graph {
    clv_comm comm;
    bool owns_comm;
    cleave_kind kind;
    int64_t nglobal;     /* vertices of all ranks */
    int64_t narc_global; /* arcs of all ranks: two per undirected edge */
    int64_t *first;      /* comm.size + 1 */
    int32_t nlocal, nghost;
    int64_t narc;         /* of the own vertices */
    const int64_t *xadj;  /* nlocal + 1 */
    const int32_t *adj;   /* local numbers */
    const int32_t *ewgt;  /* by arc, or NULL */
    const int64_t *xpred; /* predecessors of a DAG; the arrays above if undirected */
    const int32_t *pred;
    const int32_t *pwgt;
    int32_t ncon;
    const int32_t *vwgt; /* nlocal * ncon, or NULL */
    /* Coarse graphs use 64-bit weights instead of the above where sums over all ranks may
     * exceed 31 bits, as in graph/graph.h; on all ranks or on none. */
    const int64_t *wide_ewgt, *wide_pwgt, *wide_vwgt;
    const int32_t *vsize; /* nlocal, or NULL */
    int32_t ndim;
    const double *coords; /* nlocal * ndim, or NULL */
    const int64_t *ghost; /* nghost global numbers, ascending */
    clv_halo halo;
    clv_arena arena; /* owns the arrays and this struct */
};

static inline clv_weights clv_dist_ewgts(const clv_dist_graph *g)
{
    return (clv_weights){g->ewgt, g->wide_ewgt};
}
static inline clv_weights clv_dist_pwgts(const clv_dist_graph *g)
{
    return (clv_weights){g->pwgt, g->wide_pwgt};
}
static inline clv_weights clv_dist_vwgts(const clv_dist_graph *g)
{
    return (clv_weights){g->vwgt, g->wide_vwgt};
}
static inline int64_t clv_dist_vwgt(const clv_dist_graph *g, int32_t v, int32_t con)
{
    return clv_weight_at(clv_dist_vwgts(g), (int64_t)v * g->ncon + con);
}
static inline int64_t clv_dist_ewgt(const clv_dist_graph *g, int64_t a)
{
    return clv_weight_at(clv_dist_ewgts(g), a);
}
static inline int64_t clv_dist_pwgt(const clv_dist_graph *g, int64_t a)
{
    return clv_weight_at(clv_dist_pwgts(g), a);
}
static inline int64_t clv_dist_edges(const clv_dist_graph *g)
{
    return g->kind == CLEAVE_UNDIRECTED ? g->narc_global / 2 : g->narc_global;
}
/* The global number of a local vertex, own or ghost. */
static inline int64_t clv_dist_global(const clv_dist_graph *g, int32_t v)
{
    return v < g->nlocal ? g->first[g->comm.rank] + v : g->ghost[v - g->nlocal];
}
/* The rank that owns a global vertex.  first: size + 1 ascending. */
int clv_dist_owner(const int64_t *first, int size, int64_t global);
/* The local number of a global vertex that is own or a ghost; -1: it is neither. */
int32_t clv_dist_local(const clv_dist_graph *g, int64_t global);
/* first[r] = floor(n * r / size). */
void clv_dist_even(int64_t n, int size, int64_t *first);

/* ---- Construction ---------------------------------------------------------------------- */

/* The own vertices of a rank.  Pointers marked `given` are copied; the others are from
 * clv_alloc and belong to the graph afterwards, also on failure. */
typedef struct clv_dist_rows {
    cleave_kind kind;
    const int64_t *first; /* size + 1, the same on all ranks; copied */
    int64_t *xadj;        /* own vertices + 1, xadj[0] == 0 */
    int64_t *adj;         /* global numbers: undirected both directions, DAG successors */
    int32_t *ewgt;        /* by arc, or NULL */
    int32_t ncon;         /* >= 1 */
    int32_t *vwgt;        /* own * ncon, or NULL */
    int64_t *wide_ewgt, *wide_vwgt; /* instead of the above, on all ranks; only when trusted */
    int32_t *vsize;                 /* own, or NULL */
    int32_t ndim;
    double *coords; /* own * ndim, or NULL */
    bool trust;     /* symmetry, duplicates and cycles are not checked */
} clv_dist_rows;
void clv_dist_rows_free(clv_dist_rows *rows);

/* Collective.  Takes the arrays of rows; adj becomes local in place, so that the peak memory
 * is rows->adj and the list of ghosts.  Unless trusted, checks everything together with the
 * other ranks: ranges of neighbours and weights, self-loops, duplicates, symmetry, cycles; the
 * message names global vertices.  Returns CLEAVE_ERANGE when a sum of weights exceeds int64_t,
 * and CLEAVE_EINVAL when an optional array is present on only some of the ranks that own
 * vertices. */
cleave_status clv_dist_graph_make(clv_dist_graph **out, const clv_comm *comm,
                                  clv_dist_rows *rows, cleave_error *err);
/* Frees the graph, and its communicator (collective then) when the graph owns it.  NULL is
 * allowed. */
void clv_dist_graph_free(clv_dist_graph *g);

/* Collective.  Distributes a whole graph: each rank gets a range of it.  whole is read on rank
 * 0 only; first NULL: even ranges. */
cleave_status clv_dist_graph_scatter(clv_dist_graph **out, const clv_comm *comm,
                                     const clv_graph *whole, const int64_t *first,
                                     cleave_error *err);
/* The own vertices as a graph that borrows the arrays of g: local numbers, so that arcs may
 * end at ghosts, nvtx and beyond. */
clv_graph clv_dist_local_view(const clv_dist_graph *g);
/* Collective: the whole graph, on all ranks (root -1) or on one, others get NULL.
 * CLEAVE_ERANGE when it has 2^31 vertices or more. */
cleave_status clv_dist_graph_gather(clv_graph **out, const clv_dist_graph *g, int root,
                                    cleave_error *err);

/* ---- Ghost exchange -------------------------------------------------------------------- */

/* Collective among peers.  values has nlocal + nghost items of `each` (1, 2, 4, 8) bytes; the
 * items of ghosts are set to those of their owners. */
void clv_halo_exchange(const clv_dist_graph *g, void *values, size_t each);

/* ---- Redistribution -------------------------------------------------------------------- */

/* Collective.  Vertex v of rank r moves to rank owner[v], 0 .. size - 1; vertices of one owner
 * keep their global order.  *out is the redistributed graph; number[v] (nlocal, may be NULL)
 * the new global number of the own vertex v of g. */
cleave_status clv_dist_redistribute(clv_dist_graph **out, const clv_dist_graph *g,
                                    const int32_t *owner, int64_t *number, cleave_error *err);
/* A redistribution that is done. */
typedef struct clv_dist_moved {
    const clv_dist_graph *from, *to;
    const int64_t *number; /* by own vertex of `from`: its global number in `to` */
} clv_dist_moved;

/* Collective.  Moves values by own vertex of `from`, `each` bytes, to the owners of the
 * vertices in `to`, and back. */
cleave_status clv_dist_send_values(const clv_dist_moved *moved, const void *values,
                                   size_t each, void *there, cleave_error *err);
cleave_status clv_dist_fetch_values(const clv_dist_moved *moved, const void *there,
                                    size_t each, void *values, cleave_error *err);

#endif
