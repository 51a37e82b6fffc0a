/* SPDX-License-Identifier: Apache-2.0 */
/* tests/compat/parmetis/par_fixture.h - graphs that every rank has as a whole, distributed in
 * ParMETIS's arrays, and slow checkers of the results.
 *
 * Every function that takes or gives a share is called by all ranks. */
#ifndef CLV_TESTS_PAR_FIXTURE_H
#define CLV_TESTS_PAR_FIXTURE_H

#include <stdbool.h>

#include "parmetis.h"
#include "support/test.h"

enum { most_vertices = 4096, most_arcs = 8 * most_vertices, most_kinds = 3, most_ranks = 64 };

typedef struct whole {
    idx_t n, xadj[most_vertices + 1], adj[most_arcs];
    idx_t vwgt[most_kinds * most_vertices], adjwgt[most_arcs], vsize[most_vertices];
    real_t xyz[3 * most_vertices];
    idx_t ncon;
} whole;

/* What one rank has of it, as the caller of ParMETIS has. */
typedef struct share {
    idx_t own, begin, numbering;
    idx_t vtxdist[most_ranks + 1], xadj[most_vertices + 1], adj[most_arcs];
    idx_t vwgt[most_kinds * most_vertices], adjwgt[most_arcs], vsize[most_vertices];
    real_t xyz[3 * most_vertices];
    idx_t part[most_vertices];
} share;

extern int rank, size;
extern MPI_Comm world;

/* MPI_Init, and silence on all ranks but one; the number of ranks is limited. */
void fixture_start(int *argc, char ***argv);
int fixture_end(void);

/* Numbers that look random, the same on all ranks that draw alike. */
void fixture_seed(unsigned seed);
idx_t fixture_draw(idx_t below);

/* width x height, four neighbours each, with coordinates and ncon weights 1 .. 5. */
void whole_grid(whole *w, idx_t width, idx_t height, idx_t ncon);
/* The ways to deal n items out; the last has all on one rank, others have empty ranks. */
enum { fixture_ways = 5 };
void fixture_ranges(idx_t n, int way, idx_t numbering, idx_t *vtxdist);
void deal(const whole *w, int way, idx_t numbering, share *s);

/* The parts of all vertices, counted from 0, on all ranks; false: one is out of range. */
bool gather_parts(const whole *w, const share *s, idx_t nparts, idx_t *all);
/* edges, vertices: are their weights meant? */
int64_t whole_cut(const whole *w, bool edges, const idx_t *part);
int64_t whole_moved(const whole *w, bool sizes, const idx_t *before, const idx_t *after);
idx_t whole_empty(const whole *w, const idx_t *part, idx_t nparts);
/* No part above floor((1 + eps) * ceil(share)) in one kind of weight; tpwgts NULL: equal. */
bool whole_balanced(const whole *w, bool vertices, idx_t kind, const idx_t *part, idx_t nparts,
                    const real_t *tpwgts, double eps);
/* The same value on all ranks? */
bool same_everywhere(int64_t value);

#endif
