/* SPDX-License-Identifier: Apache-2.0 */
/* refine/flow/maxflow.c - incremental breadth-first search (IBFS): see refine/flow/maxflow.h.
 *
 * Labels.  The terminals have label 1, the child of a node with label d has d + 1; labels of
 * the sink tree are negative, nodes outside both trees have 0.  A level of a tree is scanned
 * as a whole, then the nodes that lost their parent are processed together: each gets another
 * parent on the same level, else on the lowest possible level; a node beyond the last level of
 * its tree leaves the tree, and growing finds it again.  So labels only rise, which bounds the
 * work, and a parent is valid without walking the path to the root.
 *
 * Measured on corridors of meshes, roads and social networks: raising labels one by one, as in
 * the paper, takes 0.9 (brack2) to 2.2 times as long (road_NY: a region that is cut off rises
 * slowly); trees without levels [Boykov, Kolmogorov 2004] take 1.0 (t60k) to 4.3 times as long
 * (brack2). */
#include "refine/flow/maxflow.h"

#include <assert.h>
#include <string.h>

enum { no_level = INT32_MAX }; /* in a tree, level not known */
enum {
    in_front = 1,
    is_member = 4
}; /* flags of the source side; shifted by one for the sink */

/* The view from one tree: labels positive, residual capacity from the root outwards. */
static CLV_ALWAYS_INLINE int32_t level_of(const clv_maxflow *f, int32_t v, int side)
{
    return side == clv_flow_source ? f->label[v] : -f->label[v];
}
static CLV_ALWAYS_INLINE void set_level(clv_maxflow *f, int32_t v, int side, int32_t level)
{
    f->label[v] = side == clv_flow_source ? level : -level;
}
static CLV_ALWAYS_INLINE int32_t outward(const clv_flow_arc *a, int side)
{
    return side == clv_flow_source ? a->out : a->in;
}
static CLV_ALWAYS_INLINE int32_t inward(const clv_flow_arc *a, int side)
{
    return side == clv_flow_source ? a->in : a->out;
}

cleave_status clv_maxflow_init(clv_maxflow *f, int32_t nnode, int32_t narc, int32_t ncon,
                               clv_ws *ws, cleave_error *err)
{
    *f = (clv_maxflow){.nnode = nnode, .ncon = ncon};
    enum { lists = 16 };
    int32_t *block = clv_ws_alloc(ws, ((int64_t)nnode + 2) * lists, sizeof *block);
    f->arc = clv_ws_alloc(ws, narc, sizeof *f->arc);
    f->flags = clv_ws_alloc(ws, nnode, sizeof *f->flags);
    f->load[0] = clv_ws_alloc(ws, 2 * (int64_t)ncon, sizeof *f->load[0]);
    if (!block || !f->arc || !f->flags || !f->load[0])
        return clv_fail_memory(err);
    f->load[1] = f->load[0] + ncon;
    int32_t **list[lists] = {
        &f->first,
        &f->last,
        &f->label,
        &f->parent,
        &f->current,
        &f->orphans[0].first,
        &f->orphans[1].first,
        &f->after,
        &f->lost,
        &f->found,
        &f->front[0].now,
        &f->front[1].now,
        &f->front[0].next,
        &f->front[1].next,
        &f->member[0],
        &f->member[1],
    };
    for (int i = 0; i < lists; i++)
        *list[i] = block + (int64_t)i * (nnode + 2);
    return CLEAVE_OK;
}

static CLV_ALWAYS_INLINE void push_next(clv_maxflow *f, int32_t v, int side)
{
    clv_flow_front *front = &f->front[side];
    if (!(f->flags[v] & (in_front << side))) {
        f->flags[v] |= (uint8_t)(in_front << side);
        front->next[front->nnext++] = v;
    }
}

static CLV_ALWAYS_INLINE void push_now(clv_maxflow *f, int32_t v, int side)
{
    clv_flow_front *front = &f->front[side];
    if (!(f->flags[v] & (in_front << side))) {
        f->flags[v] |= (uint8_t)(in_front << side);
        front->now[front->nnow++] = v;
    }
}

static CLV_ALWAYS_INLINE void enter_tree(clv_maxflow *f, int32_t v, int side, int32_t level)
{
    set_level(f, v, side, level);
    f->current[v] = f->first[v];
    f->held[side]++;
    for (int32_t c = 0; c < f->ncon; c++)
        f->load[side][c] += f->weight[(int64_t)v * f->ncon + c];
    if (!(f->flags[v] & (is_member << side))) {
        f->flags[v] |= (uint8_t)(is_member << side);
        f->member[side][f->nmember[side]++] = v;
    }
}

static CLV_ALWAYS_INLINE void leave_tree(clv_maxflow *f, int32_t v, int side)
{
    f->label[v] = 0;
    f->held[side]--;
    for (int32_t c = 0; c < f->ncon; c++)
        f->load[side][c] -= f->weight[(int64_t)v * f->ncon + c];
}

void clv_maxflow_start(clv_maxflow *f, int32_t source, int32_t sink, const int64_t *weight)
{
    size_t n = (size_t)f->nnode;
    memset(f->label, 0, n * sizeof *f->label);
    memset(f->flags, 0, n);
    memset(f->load[0], 0, 2 * (size_t)f->ncon * sizeof *f->load[0]);
    f->weight = weight;
    f->flow = f->work = f->walked = 0;
    f->most_spent = INT64_MAX;
    f->ctx = NULL;
    f->next_look = 0;
    for (int side = 0; side < 2; side++) {
        int32_t root = side == clv_flow_source ? source : sink;
        f->nmember[side] = f->nsettled[side] = f->held[side] = 0;
        f->front[side].nnow = f->front[side].nnext = 0;
        f->front[side].level = 1;
        memset(f->orphans[side].first, -1, (n + 2) * sizeof *f->orphans[side].first);
        f->orphans[side].lowest = INT32_MAX;
        f->orphans[side].highest = -1;
        set_level(f, root, side, 1);
        f->parent[root] = clv_flow_root;
        push_now(f, root, side);
    }
}

/* ---- Orphans ------------------------------------------------------------------------- */

static CLV_ALWAYS_INLINE void add_orphan(clv_maxflow *f, int32_t v, int side, int32_t level)
{
    clv_flow_orphans *o = &f->orphans[side];
    f->parent[v] = clv_flow_orphan;
    f->after[v] = o->first[level];
    o->first[level] = v;
    if (level < o->lowest)
        o->lowest = level;
    if (level > o->highest)
        o->highest = level;
}

/* Removes the orphans that find no parent one level up from their levels, with all descendants
 * that find none either: f->lost, how many of them.  Lowest level first, so that nodes with a
 * level are valid parents. */
static CLV_ALWAYS_INLINE int32_t lose_levels(clv_maxflow *f, int side)
{
    clv_flow_orphans *o = &f->orphans[side];
    int32_t nlost = 0;
    for (int32_t level = o->lowest; level <= o->highest; level++) {
        while (o->first[level] >= 0) {
            int32_t v = o->first[level], a = f->current[v], last = f->last[v];
            o->first[level] = f->after[v];
            while (a < last && (level_of(f, f->arc[a].head, side) != level - 1 ||
                                inward(&f->arc[a], side) == 0))
                a++;
            if (a < last) {
                f->parent[v] = f->current[v] = a;
                continue;
            }
            set_level(f, v, side, no_level);
            f->lost[nlost++] = v;
            f->work += 3 * (int64_t)(last - f->first[v]);
            for (a = f->first[v]; a < last; a++) {
                int32_t w = f->arc[a].head;
                if (f->parent[w] == f->arc[a].back && level_of(f, w, side) > 0)
                    add_orphan(f, w, side, level_of(f, w, side));
            }
        }
    }
    o->lowest = INT32_MAX;
    o->highest = -1;
    return nlost;
}

/* Lists a lost node under the level that its neighbours with a level offer. */
static CLV_ALWAYS_INLINE void offer_level(clv_maxflow *f, int32_t v, int side, int32_t reach)
{
    int32_t best = reach, through = -1;
    for (int32_t a = f->first[v]; a < f->last[v]; a++) {
        const clv_flow_arc *arc = &f->arc[a];
        int32_t level = level_of(f, arc->head, side);
        if (level > 0 && level < best && inward(arc, side) > 0) {
            best = level;
            through = a;
        }
    }
    if (through < 0)
        return;
    int32_t lowest = f->orphans[side].lowest;
    add_orphan(f, v, side, best + 1);
    f->orphans[side].highest = reach;
    f->orphans[side].lowest = best + 1 < lowest ? best + 1 : lowest;
    f->parent[v] = f->current[v] = through;
}

static CLV_ALWAYS_INLINE void settle_level(clv_maxflow *f, int32_t v, int side, int32_t level,
                                           int32_t reach)
{
    set_level(f, v, side, level);
    if (level < reach)
        return;
    if (reach > f->front[side].level)
        push_next(f, v, side);
    else
        push_now(f, v, side);
}

/* Offers the next level to the lost neighbours of v; returns the number of nodes in
 * `found`. */
static CLV_ALWAYS_INLINE int32_t spread_level(clv_maxflow *f, int32_t v, int side,
                                              int32_t level, int32_t reach, int32_t nfound)
{
    for (int32_t a = f->first[v]; a < f->last[v]; a++) {
        const clv_flow_arc *arc = &f->arc[a];
        int32_t w = arc->head;
        if (level_of(f, w, side) != no_level || outward(arc, side) == 0)
            continue;
        settle_level(f, w, side, level + 1, reach);
        f->parent[w] = arc->back;
        f->current[w] = f->first[w];
        f->found[nfound++] = w;
    }
    return nfound;
}

/* Gives every orphan of the tree its new level and parent, or removes it from the tree when
 * that level is beyond the last one the tree can have: breadth-first among the nodes that lost
 * their level [Ramalingam, Reps 1996]. */
static CLV_ALWAYS_INLINE void adopt(clv_maxflow *f, int side, int32_t reach)
{
    clv_flow_orphans *o = &f->orphans[side];
    int32_t nlost = lose_levels(f, side), nfound = 0, done = 0;
    if (nlost == 0)
        return;
    for (int32_t i = 0; i < nlost; i++)
        offer_level(f, f->lost[i], side, reach);
    for (int32_t level = o->lowest; level <= o->highest; level++) {
        for (int32_t v = o->first[level]; v >= 0; v = f->after[v])
            if (level_of(f, v, side) == no_level) {
                settle_level(f, v, side, level, reach);
                f->found[nfound++] = v;
            }
        o->first[level] = -1;
        int32_t here = nfound;
        for (; level < reach && done < here; done++)
            nfound = spread_level(f, f->found[done], side, level, reach, nfound);
    }
    o->lowest = INT32_MAX;
    o->highest = -1;
    for (int32_t i = 0; i < nlost; i++)
        if (level_of(f, f->lost[i], side) == no_level)
            leave_tree(f, f->lost[i], side);
}

/* ---- Flow ------------------------------------------------------------------------------ */

/* The least residual capacity between v and its terminal; 0 when an orphan is in between. */
static CLV_ALWAYS_INLINE int32_t bottleneck(const clv_maxflow *f, int32_t v, int side,
                                            int32_t least)
{
    int32_t a = f->parent[v];
    while (a >= 0) {
        const clv_flow_arc *arc = &f->arc[a];
        least = inward(arc, side) < least ? inward(arc, side) : least;
        a = f->parent[arc->head];
    }
    return a == clv_flow_root ? least : 0;
}

static CLV_ALWAYS_INLINE void push_along(clv_maxflow *f, int32_t v, int side, int32_t amount)
{
    int32_t from_head = side == clv_flow_source ? amount : -amount;
    int64_t walked = 0;
    for (int32_t a = f->parent[v]; a >= 0; walked++) {
        clv_flow_arc *arc = &f->arc[a], *back = &f->arc[arc->back];
        arc->in -= from_head;
        arc->out += from_head;
        back->out -= from_head;
        back->in += from_head;
        int32_t head = arc->head;
        if (inward(arc, side) == 0)
            add_orphan(f, v, side, level_of(f, v, side));
        v = head;
        a = f->parent[v];
    }
    f->walked += walked;
}

typedef enum pushing { pushed, broken_here, broken_there } pushing;

/* Pushes flow through an arc of v, which is in the tree of `side`, into the other tree.  The
 * nodes that lose their parent wait: most of their descendants would move again soon. */
static CLV_ALWAYS_INLINE pushing augment(clv_maxflow *f, int32_t v, clv_flow_arc *arc,
                                         int side)
{
    int32_t amount = bottleneck(f, v, side, outward(arc, side));
    if (amount == 0)
        return broken_here;
    amount = bottleneck(f, arc->head, 1 - side, amount);
    if (amount == 0)
        return broken_there;
    clv_flow_arc *back = &f->arc[arc->back];
    int32_t to_head = side == clv_flow_source ? amount : -amount;
    f->flow += amount;
    arc->out -= to_head;
    arc->in += to_head;
    back->in -= to_head;
    back->out += to_head;
    push_along(f, v, side, amount);
    push_along(f, arc->head, 1 - side, amount);
    return pushed;
}

static CLV_ALWAYS_INLINE bool is_beyond(const clv_maxflow *f)
{
    return f->flow > f->limit || clv_maxflow_spent(f) > f->most_spent;
}

/* Follows the arcs of v, which is on the level of the front.  True: v must be scanned again
 * after the adoption of orphans. */
static CLV_ALWAYS_INLINE bool scan(clv_maxflow *f, int32_t v, int side)
{
    int32_t level = f->front[side].level;
    bool again = false;
    f->work += f->last[v] - f->first[v];
    for (int32_t a = f->first[v]; a < f->last[v];) {
        clv_flow_arc *arc = &f->arc[a];
        if (outward(arc, side) == 0) {
            a++;
            continue;
        }
        int32_t w = arc->head, there = level_of(f, w, side);
        if (there < 0) {
            pushing what = augment(f, v, arc, side);
            if (what == broken_here || f->parent[v] == clv_flow_orphan || is_beyond(f))
                return true;
            if (what == broken_there) {
                again = true;
                a++;
            }
            continue;
        }
        if (there == 0) {
            enter_tree(f, w, side, level + 1);
            f->parent[w] = arc->back;
            push_next(f, w, side);
        }
        a++;
    }
    return again;
}

static bool is_out_of_time(clv_maxflow *f)
{
    enum { between_clocks = 1 << 16 }; /* arcs */
    if (!f->ctx || f->work < f->next_look)
        return false;
    clv_context_count(f->ctx, between_clocks);
    f->next_look = f->work + between_clocks;
    return clv_context_stop(f->ctx);
}

/* Grows one tree by a level.  False: above a limit, or out of time. */
static CLV_ALWAYS_INLINE bool grow(clv_maxflow *f, int side)
{
    clv_flow_front *front = &f->front[side];
    while (front->nnow > 0) {
        int32_t kept = 0;
        for (int32_t i = 0; i < front->nnow; i++) {
            if (is_out_of_time(f))
                return false;
            int32_t v = front->now[i], level = level_of(f, v, side);
            if (level == front->level && scan(f, v, side)) {
                front->now[kept++] = v;
                if (is_beyond(f))
                    return false;
                continue;
            }
            f->flags[v] &= (uint8_t) ~(in_front << side);
            if (level == front->level + 1)
                push_next(f, v, side);
        }
        front->nnow = kept;
        adopt(f, side, front->level + 1);
        adopt(f, 1 - side, f->front[1 - side].level);
        if (is_beyond(f))
            return false;
    }
    int32_t *now = front->now;
    front->now = front->next;
    front->next = now;
    front->nnow = front->nnext;
    front->nnext = 0;
    front->level++;
    return true;
}

bool clv_maxflow_run(clv_maxflow *f, int64_t limit)
{
    f->limit = limit;
    while (f->front[0].nnow || f->front[1].nnow) {
        bool sink =
            !f->front[0].nnow || (f->front[1].nnow && f->front[1].nnow < f->front[0].nnow);
        if (sink ? !grow(f, clv_flow_sink) : !grow(f, clv_flow_source))
            return false;
    }
    return true;
}

/* ---- Terminals ------------------------------------------------------------------------- */

void clv_maxflow_settle(clv_maxflow *f, int side)
{
    assert(f->front[side].nnow == 0);
    int32_t *member = f->member[side], kept = f->nsettled[side];
    for (int32_t i = kept; i < f->nmember[side]; i++) {
        int32_t v = member[i];
        if (level_of(f, v, side) > 0) {
            set_level(f, v, side, 1);
            f->parent[v] = clv_flow_root;
            member[kept++] = v;
        } else {
            f->flags[v] &= (uint8_t) ~(is_member << side);
        }
    }
    f->nmember[side] = f->nsettled[side] = kept;
    f->front[side].level = 1;
}

void clv_maxflow_pierce(clv_maxflow *f, int32_t v, int side)
{
    int other = 1 - side;
    assert(level_of(f, v, side) <= 0);
    if (level_of(f, v, other) > 0) {
        for (int32_t a = f->first[v]; a < f->last[v]; a++) {
            int32_t w = f->arc[a].head;
            if (level_of(f, w, other) > 0 && f->parent[w] == f->arc[a].back)
                add_orphan(f, w, other, level_of(f, w, other));
        }
        leave_tree(f, v, other);
        enter_tree(f, v, side, 1);
        f->parent[v] = clv_flow_root;
        adopt(f, other, f->front[other].level);
    } else {
        enter_tree(f, v, side, 1);
        f->parent[v] = clv_flow_root;
    }
    push_now(f, v, side);
}
