/* SPDX-License-Identifier: Apache-2.0 */
/* compat/parmetis/parlayer.h - the ParMETIS interface on top of the public interface of
 * cleave.
 *
 * parlayer_memory.c     the only callers of malloc and free
 * parlayer_talk.c       collectives with agreed errors and 64-bit counts
 * parlayer_question.c   checks the caller's scalars and compares them between ranks
 * parlayer_graph.c      the caller's arrays as a cleave_mpi_graph
 * parlayer_mend.c       the same for arrays with loops, duplicates, and edges of two weights
 * parlayer_partition.c  the search behind all partitioning functions
 * parlayer_rename.c     renumbers parts after the ranks that have most of them
 * dual_nodes.c          the elements of each node, stored by the nodes' owners
 * dual_rows.c           the dual graph of a mesh
 * parmetis_part.c, parmetis_mesh.c, parmetis_fortran.c    the public functions
 *
 * One source makes two libraries: parmetis.h is the generated header of one of them, with its
 * width of idx_t.  Nothing here has state or prints, and only results are written to the
 * caller's memory.  A function that takes cp_ranks is collective unless marked "local": all
 * ranks call it, earlier errors of single ranks are agreed on first, and its status is the
 * same on all ranks. */
#ifndef CLEAVEPARMETIS_PARLAYER_H
#define CLEAVEPARMETIS_PARLAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cleave/cleave_mpi.h"
#include "parmetis.h"

/* ---- Memory ---------------------------------------------------------------------- */

/* count >= 0 items; NULL when out of memory, never for 0. */
void *cp_alloc(int64_t count, size_t each);
/* old can be NULL; it is still allocated when the result is NULL. */
void *cp_realloc(void *old, int64_t count, size_t each);
void cp_free(void *block);

/* ---- Ranks ----------------------------------------------------------------------- */

typedef struct cp_ranks {
    MPI_Comm comm; /* a duplicate */
    int rank, size;
} cp_ranks;

/* Returns METIS_OK, or an error without communication when comm is invalid.  Must be closed in
 * the first case only. */
int cp_ranks_open(cp_ranks *ranks, const MPI_Comm *comm);
void cp_ranks_close(cp_ranks *ranks);

/* The worst of all statuses. */
int cp_agree(const cp_ranks *ranks, int status);
/* The same, and METIS_ERROR_INPUT unless digests are equal. */
int cp_agree_same(const cp_ranks *ranks, int status, uint64_t digest);
/* In place. */
void cp_sum_all(const cp_ranks *ranks, int64_t *values, int count);
int64_t cp_max(const cp_ranks *ranks, int64_t value);
int64_t cp_min(const cp_ranks *ranks, int64_t value);

/* The ranks to which this one sends and from which it receives in a step of an exchange. */
static inline int cp_receiver(const cp_ranks *ranks, int step)
{
    return (ranks->rank + step) % ranks->size;
}
static inline int cp_sender(const cp_ranks *ranks, int step)
{
    return (ranks->rank + ranks->size - step) % ranks->size;
}
/* Sends to the receiver of a step and receives from its sender, any number of bytes. */
void cp_swap(const cp_ranks *ranks, int step, const void *send, int64_t send_bytes, void *got,
             int64_t got_bytes);
/* Exchanges the numbers of items: first and got_first have size + 1 entries. */
void cp_tell_counts(const cp_ranks *ranks, const int64_t *first, int64_t *got_first);
/* Items for rank r are at send[first[r]] .. send[first[r + 1] - 1], those from r go to
 * got[got_first[r]] .. got[got_first[r + 1] - 1]. */
void cp_exchange(const cp_ranks *ranks, const void *send, const int64_t *first, void *got,
                 const int64_t *got_first, size_t each);

/* Local: a digest of bytes that continues another one (the first: 0). */
uint64_t cp_digest(uint64_t digest, const void *bytes, size_t count);

/* ---- Arguments ------------------------------------------------------------------- */

/* The arguments of a partitioning function; those that it does not have are NULL. */
typedef struct cp_call {
    const idx_t *vtxdist, *xadj, *adjncy, *vwgt, *vsize, *adjwgt;
    const idx_t *wgtflag, *numflag, *ncon, *nparts;
    const real_t *tpwgts, *ubvec;
    const real_t *itr; /* NULL: not a repartitioning */
    const idx_t *options;
    idx_t *edgecut, *part;
} cp_call;

/* Their values, the same on all ranks except for the arrays by vertex. */
typedef struct cp_question {
    idx_t numbering, ncon, nparts;
    const idx_t *vtxdist;
    int64_t begin, own; /* of this rank, counted from 0 */
    int64_t total;
    /* By own vertex, NULL where there are no such weights. */
    const idx_t *xadj, *adjncy, *vwgt, *vsize, *adjwgt;
    const real_t *tpwgts, *ubvec;
    double itr;
    bool remap, coupled;
    uint64_t seed;
} cp_question;

int cp_question_read(cp_question *q, const cp_ranks *ranks, const cp_call *call);

/* Local: whether the ranges ascend from numbering.  own becomes the range of this rank. */
bool cp_ranges_valid(const cp_ranks *ranks, const idx_t *vtxdist, idx_t numbering,
                     int64_t *own);
/* Local: checks that offsets of own items ascend from numbering, and that items are
 * present. */
bool cp_offsets_valid(const idx_t *offset, int64_t own, idx_t numbering, const idx_t *item);

/* ---- Graphs ---------------------------------------------------------------------- */

typedef struct cp_graph {
    cleave_mpi_graph *g;
    int edge_halvings, size_halvings; /* weights too large for cleave are divided by 2^n */
} cp_graph;

int cp_graph_open(cp_graph *graph, const cp_ranks *ranks, const cp_question *q);
void cp_graph_close(cp_graph *graph);

/* Rows of a rank, counted from 0, before they become a graph. */
typedef struct cp_rows {
    int64_t begin, own;
    int64_t *vtxdist;
    int64_t *xadj, *adj; /* allocated here, or NULL where the caller's arrays are used */
    int32_t *vwgt, *ewgt, *vsize;
    cleave_mpi_csr csr; /* points to these, or to the caller's */
} cp_rows;
/* rows contains what cleave rejects: drops self-loops, merges duplicates, and sets the two
 * weights of an edge to the larger of them. */
int cp_rows_mend(cp_rows *rows, cp_graph *graph, const cp_ranks *ranks);

/* Local: the METIS status of a cleave status. */
int cp_status(cleave_status status);

/* ---- Partitions ------------------------------------------------------------------ */

int cp_partition(const cp_call *call, const MPI_Comm *comm);
int cp_partition_ranks(const cp_call *call, const cp_ranks *ranks);
/* With as many equal parts as ranks: renumbers part (by own vertex) so that many vertices have
 * the number of their current rank. */
int cp_rename_parts(const cp_ranks *ranks, int32_t *part, int64_t own);

/* ---- Meshes ---------------------------------------------------------------------- */

typedef struct cp_mesh {
    const idx_t *elmdist, *eptr, *eind;
    idx_t numbering, ncommon;
    int64_t begin, own; /* elements of this rank, counted from 0 */
} cp_mesh;

/* Counted from 0 in either numbering; the caller frees both arrays. */
int cp_mesh_dual(const cp_mesh *mesh, const cp_ranks *ranks, idx_t **xadj, idx_t **adjncy);

/* The nodes of own elements, each once per element. */
typedef struct cp_elements {
    int64_t count;
    int64_t *first; /* count + 1 */
    idx_t *node;
} cp_elements;

/* The elements of the nodes that a rank owns. */
typedef struct cp_nodes {
    int64_t count;
    idx_t *node;    /* ascending */
    int64_t *first; /* count + 1 */
    idx_t *element; /* global, ascending by node */
} cp_nodes;

/* Local: the rank that has the list of a node.  Consecutive numbers stay together, and all
 * ranks get their share even of sparse numbers. */
int cp_node_owner(idx_t node, int size);
/* Fills both; they must be freed in any case. */
int cp_nodes_open(cp_nodes *nodes, cp_elements *elements, const cp_mesh *mesh,
                  const cp_ranks *ranks);
void cp_nodes_close(cp_nodes *nodes, cp_elements *elements);
/* Local: the index of a node that is present. */
int64_t cp_nodes_find(const cp_nodes *nodes, idx_t node);
/* Local: ascending. */
void cp_sort(idx_t *item, int64_t count);

#endif
