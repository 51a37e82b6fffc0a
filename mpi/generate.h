/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/generate.h - distributed graph generators: every rank generates its own share.
 *
 * The graph is the one that generate/generate.h makes from the same spec and seed, vertex for
 * vertex; only the ranges of the ranks depend on their number.  All functions here are
 * collective unless marked "local". */
#ifndef CLV_MPI_GENERATE_H
#define CLV_MPI_GENERATE_H

#include "generate/generate.h"
#include "mpi/dist_graph.h"

/* how->team: the threads of this rank. */
cleave_status clv_dist_generate(clv_dist_graph **out, const clv_comm *comm, const char *text,
                                const clv_making *how, cleave_error *err);

/* ---- The generators --------------------------------------------------------------------- */
#define CLV_DIST_GENERATOR(name)                                                              \
    cleave_status name(clv_dist_graph **out, const clv_comm *comm, clv_spec *spec,            \
                       const clv_making *how, cleave_error *err)
CLV_DIST_GENERATOR(clv_dist_generate_grid2d); /* generate_grid.c */
CLV_DIST_GENERATOR(clv_dist_generate_grid3d);
CLV_DIST_GENERATOR(clv_dist_generate_geometric); /* generate_geometric.c */
CLV_DIST_GENERATOR(clv_dist_generate_rmat);      /* generate_rmat.c */

/* ---- Distribution ----------------------------------------------------------------------- */

/* Random items are drawn in blocks, a batch of blocks at a time: in round t rank r has the
 * `batch` blocks from (t * size + r) * batch on.  The items a rank receives, by round and in a
 * round by rank, are therefore in the order of the blocks. */
typedef struct clv_deal {
    const clv_comm *comm;
    int64_t nblock; /* of all ranks and rounds */
    int batch;
    int64_t *first; /* by rank: its first item of this round; size + 1 */
    int64_t *next;  /* by rank: a count while counting, then the position of the next item */
} clv_deal;

cleave_status clv_deal_open(clv_deal *deal, const clv_comm *comm, int64_t nblock, int batch,
                            cleave_error *err);
void clv_deal_close(clv_deal *deal); /* local */
/* Local. */
int64_t clv_deal_rounds(const clv_deal *deal);
/* Local.  The first block of this rank in a round, and the number of its blocks, which can be
 * 0. */
int64_t clv_deal_blocks(const clv_deal *deal, int64_t round, int *count);
/* Local, for each round: start; next[r]++ for each item of rank r; place returns their number;
 * then each item goes to next[r]++. */
void clv_deal_start(const clv_deal *deal);
int64_t clv_deal_place(const clv_deal *deal);
/* Exchanges the items of the round, of `each` bytes; the caller frees *got. */
cleave_status clv_deal_send(const clv_deal *deal, const void *items, size_t each,
                            clv_arrivals *got, cleave_error *err);

#endif
