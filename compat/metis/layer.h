/* SPDX-License-Identifier: Apache-2.0 */
/* compat/metis/layer.h - the METIS interface on top of the public interface of cleave.
 *
 * layer_memory.c     the only callers of malloc and free
 * layer_options.c    options[], every slot checked as METIS checks it
 * layer_graph.c      the caller's arrays as a cleave_graph
 * layer_mend.c       the same for arrays with loops and duplicates
 * layer_partition.c  the search behind all partitioning functions
 * layer_balance.c    balances parts further at almost no cost in cut
 * metis_part.c, metis_order.c, metis_dissect.c, metis_reorder.c, mesh_graphs.c,
 * mesh_parts.c, metis_fortran.c    the public functions
 * metis_internal.c   internal functions that some programs call
 *
 * One source makes four libraries: metis.h is the generated header of one of them, with its
 * option numbers and its width of idx_t.  Nothing here has state or prints, and only results
 * are written to the caller's memory. */
#ifndef CLEAVEMETIS_LAYER_H
#define CLEAVEMETIS_LAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cleave/cleave.h"
#include "metis.h"

/* ---- Memory ---------------------------------------------------------------------- */

/* count >= 0 items; NULL when out of memory, never for 0. */
void *cm_alloc(int64_t count, size_t each);
void cm_free(void *block);

/* ---- Options --------------------------------------------------------------------- */

typedef enum cm_call { CM_RECURSIVE, CM_KWAY, CM_ORDER, CM_SEPARATOR } cm_call;

typedef struct cm_settings {
    cleave_objective objective;
    cleave_effort effort;
    idx_t ncuts;
    idx_t numbering;
    uint64_t seed;
    bool minconn, contig;
    double imbalance;
} cm_settings;

/* Returns false when METIS would reject them, too.  ncon determines the default imbalance. */
bool cm_settings_read(cm_settings *s, const idx_t *options, cm_call call, idx_t ncon);

/* A slot of options, which can be NULL; otherwise when it is not set. */
idx_t cm_option(const idx_t *options, int slot, idx_t otherwise);

/* ---- Graphs ---------------------------------------------------------------------- */

/* The caller's arrays; NULL pointers as METIS allows them. */
typedef struct cm_arrays {
    idx_t nvtx, ncon;
    const idx_t *xadj, *adjncy, *vwgt, *vsize, *adjwgt;
    idx_t numbering; /* of xadj and adjncy */
} cm_arrays;

typedef struct cm_graph {
    cleave_graph *g;
    /* Allocated here, or NULL where the caller's arrays are used. */
    int64_t *xadj;
    int32_t *adj, *vwgt, *vsize, *ewgt;
    bool scaled; /* weights of edges were too large and are divided or clipped */
} cm_graph;

/* Returns METIS_OK or an error.  cm_graph_close must be called in any case. */
int cm_graph_open(cm_graph *graph, const cm_arrays *arrays);
void cm_graph_close(cm_graph *graph);
/* csr contains what cleave rejects: drops self-loops, merges duplicates. */
int cm_graph_mend(cm_graph *graph, cleave_csr *csr);

/* The arrays of ComputeVertexSeparator and NodeNDP. */
idx_t cm_numbering_of(const cm_settings *settings, const idx_t *xadj);

/* The METIS status of a cleave status. */
int cm_status(cleave_status status);

/* ---- Partitions ------------------------------------------------------------------ */

typedef struct cm_question {
    const cm_arrays *arrays;
    idx_t nparts;
    const real_t *tpwgts, *ubvec; /* NULL: equal, by settings */
    const cm_settings *settings;
} cm_question;

/* part: nvtx entries, filled from 0 in either numbering. */
int cm_partition(const cm_question *question, idx_t *objective, idx_t *part);
/* Whether METIS would accept them.  nparts * ncon and ncon numbers or NULL. */
bool cm_weights_valid(const cm_question *question);

/* Moves vertices, each of one weight, from heavier to lighter parts where that costs less than
 * 1 % of the cut.  *cut: of part, before and after.  Fails only when out of memory; part is
 * then unchanged. */
int cm_balance(const cleave_graph *g, idx_t nparts, idx_t *part, int64_t *cut);

/* A sum as an idx_t, which may be too narrow. */
idx_t cm_narrow(int64_t value);

/* ---- Meshes ---------------------------------------------------------------------- */

/* Lists by owner, counted from 0: the nodes of elements, the elements of nodes. */
typedef struct cm_lists {
    idx_t count, range; /* owners; items are below range */
    idx_t *first, *item;
} cm_lists;

typedef struct cm_mesh {
    cm_lists nodes, elements; /* by element, by node */
    idx_t numbering;          /* of the caller's arrays: from 0 or from 1 */
} cm_mesh;

int cm_mesh_open(cm_mesh *mesh, idx_t ne, idx_t nn, const idx_t *eptr, const idx_t *eind,
                 idx_t numbering);
void cm_mesh_close(cm_mesh *mesh);
/* The caller frees both arrays with free(). */
int cm_mesh_dual(const cm_mesh *mesh, idx_t ncommon, idx_t **xadj, idx_t **adjncy);
int cm_mesh_nodal(const cm_mesh *mesh, idx_t **xadj, idx_t **adjncy);

/* ---- Not in metis.h -------------------------------------------------------------- */

/* For FreeFem++: the elements in the largest part over those in a part on average, 1 or more.
 * where: the part of each of ne elements, from 0.  Without elements 1; 0 when memory runs
 * out. */
METIS_API(real_t) libmetis__ComputeElementBalance(idx_t ne, idx_t nparts, idx_t *where);

#endif
