/* SPDX-License-Identifier: Apache-2.0 */
/* target/floorplan.h - the drawing of a machine: positions of PEs, ends of links, nested
 * boxes.
 *
 * A floor plan shows the whole machine, also if the target has only some of its PEs.  Its
 * places are the PEs of the machine, then the other ends of links: switches, and the loose
 * ends of the wraparound links of a torus.  Computers, which are nested (packages, caches,
 * cores), have boxes and no lines. */
#ifndef CLV_TARGET_FLOORPLAN_H
#define CLV_TARGET_FLOORPLAN_H

#include "target/target.h"

enum { clv_most_drawn = 1 << 14 }; /* largest number of PEs of a machine that is drawn */

/* A link, or a part of it: wraparound links of a torus have two. */
typedef struct clv_floorplan_line {
    int32_t from, to; /* places */
    int64_t link;     /* number as in clv_shape.route; -1: its load is unknown */
} clv_floorplan_line;

/* Kinds of boxes around or inside PEs. */
typedef enum clv_box_kind {
    CLV_BOX_GROUP,  /* a package, a cache: all of its PEs are inside */
    CLV_BOX_MEMORY, /* next to its owner */
    CLV_BOX_PE,
    CLV_BOX_THREAD /* inside a PE */
} clv_box_kind;

typedef struct clv_floorplan_box {
    clv_box_kind kind;
    int32_t parent;     /* a box with a smaller number; -1: the outermost */
    int32_t first, pes; /* PEs first .. first + pes - 1 of the machine are inside */
    const char *name;   /* "L3 (16 MB)" */
    double left, top, right, bottom;
} clv_floorplan_box;

struct clv_floorplan {
    int ndim;     /* 2 or 3 */
    int32_t npes; /* of the machine: places 0 .. npes - 1 */
    int32_t nplaces;
    double *position;     /* nplaces * ndim; in two dimensions y grows downwards.  NULL: the
                             caller computes a layout in which joined places are close */
    const int32_t *used;  /* by PE of the machine: its number in the target, -1: not in the
                             target; NULL: the same numbers */
    double width, height; /* of a PE, in units of the positions; 0: chosen to fit */
    int32_t nswitches;    /* places npes .. npes + nswitches - 1 */
    int64_t nlines;
    clv_floorplan_line *line;
    int32_t nboxes; /* 0: none; parents precede their contents */
    clv_floorplan_box *box;
};

/* Arrays from arena.  CLEAVE_ERANGE beyond clv_most_drawn PEs.  O(PEs + links). */
cleave_status clv_target_floorplan(clv_floorplan *f, const clv_target *t, clv_arena *arena,
                                   cleave_error *err);

/* ---- For implementations of shapes ------------------------------------------------------ */

/* Allocates position and line for this number of places and lines, and sets the counts. */
cleave_status clv_floorplan_room(clv_floorplan *f, int ndim, int64_t nplaces, int64_t nlines,
                                 clv_arena *arena, cleave_error *err);
/* PEs on a circle in the order of their numbers; in rows if there are many. */
cleave_status clv_floorplan_round(const clv_target *t, clv_floorplan *f, clv_arena *arena,
                                  cleave_error *err);

/* A tree whose places all have a parent (-1: the root) and a level (0: the lowest, PEs), with
 * the PEs in the order `order`; drawn from top to bottom or, if it is wide, from the middle
 * outwards.  The line from v to parent[v] is link[v]. */
typedef struct clv_floorplan_tree {
    int32_t nplaces, levels;
    const int32_t *parent, *level;
    const int32_t *order; /* npes PEs */
    const int64_t *link;
} clv_floorplan_tree;
cleave_status clv_floorplan_hierarchy(clv_floorplan *f, int32_t npes,
                                      const clv_floorplan_tree *tree, clv_arena *arena,
                                      cleave_error *err);

/* A mesh or torus of f->npes PEs: its sides with at least two PEs, the first varies fastest.
 * The link from coordinate c of dimension i to the next has the number link[i] + the number of
 * preceding links along i (target/mesh_target.c). */
typedef struct clv_floorplan_grid {
    int32_t sides; /* at most 30 */
    const int32_t *side, *stride;
    const bool *wraps;
    const int64_t *link; /* the first of each dimension */
} clv_floorplan_grid;
cleave_status clv_floorplan_mesh(clv_floorplan *f, const clv_floorplan_grid *g,
                                 clv_arena *arena, cleave_error *err);

/* Nested boxes, listed by the maker of a target: sizes and positions follow from their
 * contents.  `box` is copied. */
typedef struct clv_nest {
    int32_t count;
    clv_floorplan_box *box;
} clv_nest;
cleave_status clv_floorplan_nest(clv_floorplan *f, int32_t npes, const clv_nest *nest,
                                 clv_arena *arena, cleave_error *err);

#endif
