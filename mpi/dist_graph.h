/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_graph.h - a graph whose vertices lie on many ranks.
 *
 * Rank r owns the vertices first[r] .. first[r + 1] - 1 of all (ParMETIS calls this array
 * vtxdist).  Global numbers are 64 bits wide, local ones 32: a rank's own vertices are
 * 0 .. nlocal - 1 in global order; the vertices of other ranks that have an arc with one of
 * them are its ghosts, nlocal .. nlocal + nghost - 1, ascending in their global numbers and
 * therefore grouped by owner.  Rows exist for own vertices only, with local numbers in adj.
 *
 * Invariants of a finished graph: rows of own vertices have no self-loops and no duplicates
 * (they need not ascend); undirected edges are stored in both directions, each by the owner
 * of its tail, with one weight; a DAG has its successors in adj and its predecessors in pred
 * (undirected: the same arrays), and has no cycle.  Absent weight arrays (NULL) mean 1, and
 * are absent on all ranks or on none. */
#ifndef CLV_MPI_DIST_GRAPH_H
#define CLV_MPI_DIST_GRAPH_H

#include "graph/graph.h"
#include "mpi/comm.h"

/* Who hears from whom about the vertices that both know.  Built once with the graph. */
typedef struct clv_halo {
    int32_t npeers;       /* ranks that own a ghost of mine or have a ghost of me */
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
    /* Coarse graphs have 64-bit weights in place of those above where sums over all ranks may
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

/* ---- Making one ------------------------------------------------------------------------ */

/* What a rank knows about its own vertices.  Pointers that are `given` are copied; the others
 * are from clv_alloc and belong to the graph from now on, whatever happens. */
typedef struct clv_dist_rows {
    cleave_kind kind;
    const int64_t *first; /* size + 1, the same on all ranks; copied */
    int64_t *xadj;        /* own vertices + 1, xadj[0] == 0 */
    int64_t *adj;         /* global numbers: undirected both directions, DAG successors */
    int32_t *ewgt;        /* by arc, or NULL */
    int32_t ncon;         /* >= 1 */
    int32_t *vwgt;        /* own * ncon, or NULL */
    int64_t *wide_ewgt, *wide_vwgt; /* in their places, on all ranks; only when trusted */
    int32_t *vsize;                 /* own, or NULL */
    int32_t ndim;
    double *coords; /* own * ndim, or NULL */
    bool trust;     /* made by us: symmetry, duplicates and cycles are not looked at */
} clv_dist_rows;
void clv_dist_rows_free(clv_dist_rows *rows);

/* Collective.  Takes over the arrays of rows; adj becomes local in place, so that the most
 * that is in memory at a time is rows->adj and what names the ghosts.  Unless trusted, looks
 * at everything together with the other ranks: ranges of neighbours and weights, self-loops,
 * duplicates, symmetry, cycles; the message names global vertices.  A sum of weights beyond
 * int64_t: CLEAVE_ERANGE.  Whether optional arrays are there must be the same on all ranks
 * that own vertices (CLEAVE_EINVAL). */
cleave_status clv_dist_graph_make(clv_dist_graph **out, const clv_comm *comm,
                                  clv_dist_rows *rows, cleave_error *err);
/* Frees; the communicator too (collective then) when the graph owns it.  NULL is fine. */
void clv_dist_graph_free(clv_dist_graph *g);

/* Collective: the graph of a whole one, each rank a range of it.  whole is only looked at on
 * rank 0; first NULL: even ranges. */
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

/* ---- Talking about ghosts -------------------------------------------------------------- */

/* Collective among peers: values has nlocal + nghost items of `each` (1, 2, 4, 8) bytes; those
 * of the ghosts are set to what their owners have. */
void clv_halo_exchange(const clv_dist_graph *g, void *values, size_t each);

/* ---- Moving ---------------------------------------------------------------------------- */

/* Collective: vertex v of rank r goes to rank owner[v], 0 .. size - 1; ties keep the global
 * order.  *out is the graph with these owners; number[v] (nlocal, may be NULL) the new global
 * number of the own vertex v of g. */
cleave_status clv_dist_redistribute(clv_dist_graph **out, const clv_dist_graph *g,
                                    const int32_t *owner, int64_t *number, cleave_error *err);
/* Collective: values by own vertex of g, `each` bytes, to where the vertices are in `to`
 * (number as above), and back. */
cleave_status clv_dist_send_values(const clv_dist_graph *g, const clv_dist_graph *to,
                                   const int64_t *number, const void *values, size_t each,
                                   void *there, cleave_error *err);
cleave_status clv_dist_fetch_values(const clv_dist_graph *g, const clv_dist_graph *to,
                                    const int64_t *number, const void *there, size_t each,
                                    void *values, cleave_error *err);

#endif
