/* SPDX-License-Identifier: Apache-2.0 */
/* target/target.h - the target of a mapping: processing elements (PEs) with speeds, and the
 * distances between them.
 *
 * A target never changes once made.  Speeds are relative; a PE of speed 0 is there to stay
 * empty.  Every shape of machine is a file of its own behind one table of functions, the
 * clv_shape; nothing outside this room knows a shape by name.
 *
 * Domains are the sets of PEs that come from halving the machine again and again, as dual
 * recursive bipartitioning does [Pellegrini, Roman 1996].  A domain is two numbers whose
 * meaning is the shape's own: the corners of a box of a mesh, a range of leaves, a node of a
 * tree of bipartitions. */
#ifndef CLV_TARGET_TARGET_H
#define CLV_TARGET_TARGET_H

#include "base/mem.h"

typedef struct cleave_target clv_target;
typedef struct clv_shape clv_shape;
typedef struct clv_floorplan clv_floorplan; /* target/floorplan.h */

typedef struct clv_domain {
    int32_t a, b;
} clv_domain;

/* Where a launcher finds a PE: the computer, the core or hardware thread in it as hwloc and
 * Open MPI count them, and its number in the operating system. */
typedef struct clv_seat {
    int32_t node, core, cpu;
} clv_seat;

struct cleave_target {
    int32_t npes;        /* >= 1 */
    bool equal;          /* all speeds are the same */
    const double *speed; /* npes, finite, >= 0, at least one above 0; NULL: all 1 */
    const clv_shape *shape;
    char *const *name; /* npes; NULL: PEs have no names but their numbers */
    const int32_t
        *number;      /* npes: in the machine of which these are some PEs; NULL: their own */
    int32_t per_node; /* consecutive PEs of a computer; 1: a PE is one, name: its host name */
    const clv_seat *seat; /* npes; NULL: clv_target_seat makes them from per_node */
    int32_t levels;       /* of a hierarchy: clv_shape.level gives 1 to this; 0: it is none */
    int64_t links;        /* of clv_shape.route; 0: routes are not known */
    void *data;           /* the shape's own */
    clv_arena arena;      /* owns speed, name and data, but not the target itself */
};

/* Distances are >= 0, symmetric, 0 from a PE to itself, at most 2^31-1.  PEs and domains that
 * are handed in are valid. */
struct clv_shape {
    const char *name; /* "mesh" */

    /* The domain of all PEs. */
    clv_domain (*root)(const clv_target *t);
    /* The domain of one PE. */
    clv_domain (*terminal)(const clv_target *t, int32_t pe);
    /* False: d is a single PE.  Else its two halves, neither empty. */
    bool (*bipartition)(const clv_target *t, clv_domain d, clv_domain half[2]);
    int32_t (*pes)(const clv_target *t, clv_domain d); /* how many it has */
    int32_t (*pe)(const clv_target *t, clv_domain d); /* of a single PE; else any of its PEs */
    double (*weight)(const clv_target *t, clv_domain d); /* sum of the speeds */
    /* Twice the distance of two domains; 0 from a domain to itself. */
    int64_t (*distance)(const clv_target *t, clv_domain x, clv_domain y);
    /* The distance of two PEs, in constant or logarithmic time. */
    int32_t (*between)(const clv_target *t, int32_t p, int32_t q);
    /* Distances come from searches of hundreds of arcs, not from formulas or tables. */
    bool searched;
    /* Fills table[i * count + j] with the distance of PEs list[i] and list[j], all different,
     * where it is found with less work than by `between`, and at least as exactly; the rest,
     * the diagonal too, becomes -1.  Scratch from ws.  NULL: by `between` alone. */
    cleave_status (*table)(const clv_target *t, int32_t count, const int32_t *list,
                           int32_t *table, clv_ws *ws, cleave_error *err);

    /* Into how many domains the machine itself divides d, and which; NULL: into its halves. */
    int32_t (*children)(const clv_target *t, clv_domain d);
    clv_domain (*child)(const clv_target *t, clv_domain d, int32_t i);
    /* The level of the smallest group with both PEs: 1 the lowest, t->levels the whole; 0 for
     * a PE and itself.  NULL: not a hierarchy. */
    int32_t (*level)(const clv_target *t, int32_t p, int32_t q);

    /* Adds amount to load[link] for each link on the way from p to q; NULL: not known. */
    void (*route)(const clv_target *t, int32_t p, int32_t q, int64_t amount, int64_t *load);

    /* The way of PEs through the seed's coarsening for TARGET[list] (target/sub.c): bit i of
     * code[j] is 1 when PE list[j] comes from the second of the two that meet in step i, 0
     * when it comes from the first or stays alone.  All codes differ and are >= 0.  NULL: the
     * levels of a hierarchy, or the halves of the domains, say it. */
    void (*trace)(const clv_target *t, int32_t count, const int32_t *list, int64_t *code);
    /* Where a PE stands in the order in which the children, or halves, are reached, or any
     * number that ascends with it.  NULL: it takes a traversal of all domains. */
    int32_t (*place)(const clv_target *t, int32_t pe);

    /* How it is drawn, of at most clv_most_drawn PEs; NULL: PEs on a circle, or in rows. */
    cleave_status (*floorplan)(const clv_target *t, clv_floorplan *f, clv_arena *arena,
                               cleave_error *err);

    /* One line for people: "mesh of 4 x 2".  At most size bytes with the 0. */
    void (*describe)(const clv_target *t, char *text, size_t size);
};

/* The shapes that have no data of their own. */
extern const clv_shape clv_shape_equal; /* target/equal.c: all at distance 1 */

/* ---- Making targets (target.c) ---------------------------------------------------------- */

/* A target with nothing set but npes, shape and equal speeds, or NULL: out of memory.  The
 * maker fills it; what it needs comes from t->arena. */
clv_target *clv_target_open(const clv_shape *shape, int32_t npes);
/* Copies speeds, npes of them; NULL: all 1.  CLEAVE_EINVAL names the speed that is wrong. */
cleave_status clv_target_set_speeds(clv_target *t, const double *speeds, cleave_error *err);
void clv_target_free(clv_target *t);

/* PEs that differ in nothing but speed.  speeds NULL: equal; else copied. */
cleave_status clv_target_new(clv_target **out, int32_t npes, const double *speeds,
                             cleave_error *err);
/* target_text.c: every text form of cleave_target_parse; reads the files that it names. */
cleave_status clv_target_parse(clv_target **out, const char *text, cleave_error *err);

/* Sum of the speeds of PEs first .. last. */
double clv_target_sum_speeds(const clv_target *t, int32_t first, int32_t last);

/* The text as a name for messages: at most 60 bytes and "...". */
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
/* target/tree.c: the leaves of a tree of switches: fanout[0] of them under each lowest switch,
 * fanout[1] lowest switches under each next one, and so on; cost[i] is the distance of leaves
 * whose lowest common switch is of level i + 1, >= 0.  Every node but the root has one link,
 * the one up. */
cleave_status clv_target_tree(clv_target **out, int32_t levels, const int32_t *fanout,
                              const int32_t *cost, cleave_error *err);
/* target/switches.c: the same with any number of children anywhere.  Nodes 0..nnodes-1, node 0
 * the root, parent[i] < i; leaves are those without children, PE i is the i-th of them;
 * cost[i]: distance of PEs whose lowest common node is i (a leaf: 0); level[i] of each node
 * (a leaf: 0, more at the parent). */
cleave_status clv_target_switches(clv_target **out, int32_t nnodes, const int32_t *parent,
                                  const int32_t *cost, const int32_t *level,
                                  cleave_error *err);

/* PEs of a target whose halves are kept in memory: domains are twice as many. */
enum { clv_most_tree_pes = 1 << 30 };

/* target/sub.c: the count PEs of t named by list, in that order; takes t over, also on
 * failure.  Speeds and names are carried along.  CLEAVE_EINVAL: out of range, named twice. */
cleave_status clv_target_sub(clv_target **out, clv_target *t, int32_t count,
                             const int32_t *list, cleave_error *err);

/* ---- For everybody ---------------------------------------------------------------------- */

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

/* Does it matter on which PE a part is? */
static inline bool clv_target_has_distances(const clv_target *t)
{
    return !clv_target_is_flat(t) && t->npes > 1;
}

static inline int32_t clv_target_distance(const clv_target *t, int32_t p, int32_t q)
{
    return t->shape->between(t, p, q);
}

/* Into how many domains the machine divides d: its groups when it is a hierarchy, else the
 * halves; 0: d is a single PE. */
static inline int32_t clv_target_children(const clv_target *t, clv_domain d)
{
    if (t->shape->pes(t, d) == 1)
        return 0;
    return t->shape->children ? t->shape->children(t, d) : 2;
}

/* The i-th of them. */
static inline clv_domain clv_target_child(const clv_target *t, clv_domain d, int32_t i)
{
    if (t->shape->child)
        return t->shape->child(t, d, i);
    clv_domain half[2] = {d, d};
    t->shape->bipartition(t, d, half);
    return half[i];
}

#endif
