/* SPDX-License-Identifier: Apache-2.0 */
/* target/target.h - the target of a mapping: processing elements (PEs) with speeds, and the
 * distances between them.
 *
 * Targets are immutable.  Speeds are relative; a PE of speed 0 stays empty.  Every shape of
 * machine is in its own file behind a table of functions, the clv_shape; code outside this
 * room does not depend on shapes.
 *
 * Domains are the sets of PEs that result from halving the machine recursively, as in dual
 * recursive bipartitioning [Pellegrini, Roman 1996].  A domain is two numbers whose meaning
 * depends on the shape: the corners of a box of a mesh, a range of leaves, a node of a tree of
 * bipartitions. */
#ifndef CLV_TARGET_TARGET_H
#define CLV_TARGET_TARGET_H

#include "base/mem.h"
#include "base/sort.h"

typedef struct cleave_target clv_target;
typedef struct clv_shape clv_shape;
typedef struct clv_floorplan clv_floorplan; /* target/floorplan.h */

typedef struct clv_domain {
    int32_t a, b;
} clv_domain;

/* The location of a PE for a launcher: the computer, the core or hardware thread by its
 * logical index in hwloc and Open MPI, and its number in the operating system. */
typedef struct clv_seat {
    int32_t node, core, cpu;
} clv_seat;

struct cleave_target {
    int32_t npes;        /* >= 1 */
    bool equal;          /* all speeds are equal */
    const double *speed; /* npes, finite, >= 0, at least one above 0; NULL: all 1 */
    const clv_shape *shape;
    char *const *name;     /* npes; NULL: PEs have only numbers */
    const int32_t *number; /* npes: number in the whole machine of which these are some PEs;
                              NULL: the same */
    int32_t per_node; /* consecutive PEs per computer; 1: a PE is a computer, and name is its
                         host name */
    const clv_seat *seat; /* npes; NULL: clv_target_seat computes them from per_node */
    int32_t levels;       /* of a hierarchy: clv_shape.level returns 1 to this number; 0: not a
                             hierarchy */
    int64_t links;        /* of clv_shape.route; 0: routes are unknown */
    void *data;           /* data of the shape */
    clv_arena arena;      /* owns speed, name and data, but not the target itself */
};

/* The loads of links: of all of them, or a list of what routes add to single links, for few
 * routes on a machine with many links. */
typedef struct clv_link_loads {
    int64_t *all;        /* by link; NULL: a list */
    clv_sort_item *list; /* link and amount, in any order and repeated; NULL: only counted */
    int64_t count;       /* of the list */
} clv_link_loads;

static inline void clv_link_add(clv_link_loads *loads, int64_t link, int64_t amount)
{
    if (loads->all) {
        loads->all[link] += amount;
        return;
    }
    if (loads->list)
        loads->list[loads->count] = (clv_sort_item){.key = link, .with.index = amount};
    loads->count++;
}

/* Distances are >= 0, symmetric, 0 from a PE to itself, at most 2^31-1.  Arguments are valid
 * PEs and domains. */
struct clv_shape {
    const char *name; /* "mesh" */

    /* The domain of all PEs. */
    clv_domain (*root)(const clv_target *t);
    /* The domain of one PE. */
    clv_domain (*terminal)(const clv_target *t, int32_t pe);
    /* False: d is a single PE. Otherwise its two non-empty halves. */
    bool (*bipartition)(const clv_target *t, clv_domain d, clv_domain half[2]);
    int32_t (*pes)(const clv_target *t, clv_domain d); /* number of PEs */
    int32_t (*pe)(const clv_target *t, clv_domain d);  /* of a single PE; otherwise any of its
                                                          PEs */
    double (*weight)(const clv_target *t, clv_domain d); /* sum of the speeds */
    /* Twice the distance of two domains; 0 from a domain to itself. */
    int64_t (*distance)(const clv_target *t, clv_domain x, clv_domain y);
    /* The distance of two PEs, in constant or logarithmic time. */
    int32_t (*between)(const clv_target *t, int32_t p, int32_t q);
    /* Distances are found by searches over hundreds of arcs, not by formulas or tables. */
    bool searched;
    /* Fills table[i * count + j] with the distance of PEs list[i] and list[j], all different,
     * if that takes less work than `between` and is at least as accurate; other entries,
     * including the diagonal, become -1.  Scratch from ws.  NULL: `between` is always used. */
    cleave_status (*table)(const clv_target *t, int32_t count, const int32_t *list,
                           int32_t *table, clv_ws *ws, cleave_error *err);

    /* The number of domains that the machine itself divides d into, and these domains; NULL:
     * its halves. */
    int32_t (*children)(const clv_target *t, clv_domain d);
    clv_domain (*child)(const clv_target *t, clv_domain d, int32_t i);
    /* The level of the smallest group that contains both PEs: 1 is the lowest, t->levels the
     * whole machine; 0 for a PE and itself.  NULL: not a hierarchy. */
    int32_t (*level)(const clv_target *t, int32_t p, int32_t q);

    /* Adds amount to the load of each link on the route from p to q; NULL: routes are
     * unknown. */
    void (*route)(const clv_target *t, int32_t p, int32_t q, int64_t amount,
                  clv_link_loads *loads);

    /* The position of PEs in Scotch's coarsening for TARGET[list] (target/sub.c): bit i of
     * code[j] is 1 if PE list[j] is in the second of the two domains that merge in step i, 0
     * if it is in the first or is not merged.  All codes differ and are >= 0.  NULL: the
     * levels of a hierarchy, or the halves of the domains, determine it. */
    void (*trace)(const clv_target *t, int32_t count, const int32_t *list, int64_t *code);
    /* The position of a PE in the order of the children or halves, or any increasing function
     * of it.  NULL: determined by a traversal of all domains. */
    int32_t (*place)(const clv_target *t, int32_t pe);

    /* Its drawing, for at most clv_most_drawn PEs; NULL: PEs on a circle, or in rows. */
    cleave_status (*floorplan)(const clv_target *t, clv_floorplan *f, clv_arena *arena,
                               cleave_error *err);

    /* A one-line description: "mesh of 4 x 2".  At most size bytes with the terminating zero.
     */
    void (*describe)(const clv_target *t, char *text, size_t size);
};

/* Shapes without data. */
extern const clv_shape clv_shape_equal; /* target/equal.c: all at distance 1 */

/* ---- Construction (target.c) ------------------------------------------------------------ */

/* A target with npes, shape and equal speeds set, or NULL: out of memory.  The constructor of
 * the shape sets the rest; memory comes from t->arena. */
clv_target *clv_target_open(const clv_shape *shape, int32_t npes);
/* Copies npes speeds; NULL: all 1.  CLEAVE_EINVAL: the message names the invalid speed. */
cleave_status clv_target_set_speeds(clv_target *t, const double *speeds, cleave_error *err);
void clv_target_free(clv_target *t);

/* PEs that differ only in speed. speeds NULL: equal; otherwise copied. */
cleave_status clv_target_new(clv_target **out, int32_t npes, const double *speeds,
                             cleave_error *err);
/* target_text.c: all forms of target/target_forms.h; reads the files that they refer to. */
cleave_status clv_target_parse(clv_target **out, const char *text, cleave_error *err);

/* Sum of the speeds of PEs first .. last. */
double clv_target_sum_speeds(const clv_target *t, int32_t first, int32_t last);

/* A description in messages: at most 60 bytes and "...". */
#define CLV_TARGET_SHOWN "%.*s%s"
#define CLV_TARGET_SHOW(text, length)                                                         \
    (int)((length) > 60 ? 60 : (length)), (text), (length) > 60 ? "..." : ""

/* target/mesh_target.c.  side: dimensions, each >= 1, the first varies fastest; product
 * < 2^31.  Links are undirected: one for each edge of the mesh. */
cleave_status clv_target_mesh(clv_target **out, int32_t dimensions, const int32_t *side,
                              bool torus, cleave_error *err);
/* target/hypercube.c: 2^dimensions PEs, 0 <= dimensions <= 30.  One link for each edge. */
cleave_status clv_target_hypercube(clv_target **out, int32_t dimensions, cleave_error *err);
/* target/line_target.c: cost[d], 0 <= d < npes, is the distance of PEs d apart, copied. */
cleave_status clv_target_line(clv_target **out, int32_t npes, const int32_t *cost,
                              cleave_error *err);
/* target/tree.c: the leaves of a tree of switches: fanout[0] leaves under each lowest switch,
 * fanout[1] lowest switches under each next one, and so on; cost[i] >= 0 is the distance of
 * leaves whose lowest common switch is of level i + 1.  Every node but the root has one link,
 * upwards. */
cleave_status clv_target_tree(clv_target **out, int32_t levels, const int32_t *fanout,
                              const int32_t *cost, cleave_error *err);
/* target/switches.c: the same with any numbers of children.  Nodes 0..nnodes-1, node 0 is the
 * root, parent[i] < i; leaves are the nodes without children, PE i is the i-th of them;
 * cost[i]: distance of PEs whose lowest common node is i (0 for a leaf); level[i] of each node
 * (0 for a leaf, higher for the parent). */
cleave_status clv_target_switches(clv_target **out, int32_t nnodes, const int32_t *parent,
                                  const int32_t *cost, const int32_t *level,
                                  cleave_error *err);

/* Limit for targets whose tree of halves is in memory: there are twice as many domains. */
enum { clv_most_tree_pes = 1 << 30 };

/* target/sub.c: the count PEs of t in list, in that order; takes over t, also on failure.
 * Speeds and names are kept.  CLEAVE_EINVAL: a PE is out of range, or listed twice. */
cleave_status clv_target_sub(clv_target **out, clv_target *t, int32_t count,
                             const int32_t *list, cleave_error *err);

/* ---- Queries ---------------------------------------------------------------------------- */

/* The relative sizes of the parts; NULL: equal. */
static inline const double *clv_target_shares(const clv_target *t)
{
    return t->equal ? NULL : t->speed;
}

static inline double clv_target_speed_of(const clv_target *t, int32_t pe)
{
    return t->speed ? t->speed[pe] : 1;
}

static inline clv_seat clv_target_seat(const clv_target *t, int32_t pe)
{
    int32_t core = pe % t->per_node;
    return t->seat ? t->seat[pe] : (clv_seat){pe / t->per_node, core, core};
}

/* Are all PEs at distance 1 from each other? */
static inline bool clv_target_is_flat(const clv_target *t)
{
    return t->shape == &clv_shape_equal;
}

/* Does the cost depend on the PE of a part? */
static inline bool clv_target_has_distances(const clv_target *t)
{
    return !clv_target_is_flat(t) && t->npes > 1;
}

static inline int32_t clv_target_distance(const clv_target *t, int32_t p, int32_t q)
{
    return t->shape->between(t, p, q);
}

/* Adds amount to load[link] for each link on the route from p to q. */
static inline void clv_target_route(const clv_target *t, int32_t p, int32_t q, int64_t amount,
                                    int64_t *load)
{
    clv_link_loads loads = {.all = load};
    t->shape->route(t, p, q, amount, &loads);
}

/* The number of domains that the machine divides d into: its groups in a hierarchy, otherwise
 * its halves; 0: d is a single PE. */
static inline int32_t clv_target_children(const clv_target *t, clv_domain d)
{
    if (t->shape->pes(t, d) == 1)
        return 0;
    return t->shape->children ? t->shape->children(t, d) : 2;
}

/* The i-th of these domains. */
static inline clv_domain clv_target_child(const clv_target *t, clv_domain d, int32_t i)
{
    if (t->shape->child)
        return t->shape->child(t, d, i);
    clv_domain half[2] = {d, d};
    t->shape->bipartition(t, d, half);
    return half[i];
}

#endif
