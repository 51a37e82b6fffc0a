/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/improve_layers.c - balances layers and merges adjacent ones.
 *
 * The arcs inside a range of layers connect its vertices into components.  A component may be
 * on any thread, so the range can become one layer as soon as its components are packed; they
 * are merged if its largest thread takes no longer than those of the two ranges that it
 * replaces plus the synchronisation between them.  Adjacent ranges are tried in pairs, and
 * again while one of the two is new: log(layers) rounds, most of them short.
 *
 * Arcs are visited once: those inside a layer join components, numbered by layer; the others
 * are kept as arcs between components, and fewer and fewer of these leave a range.  An attempt
 * to merge joins components in a second forest, so that a failed attempt leaves the first
 * unchanged.
 *
 * Packing: heavy components in descending order, each to the least loaded thread [Graham 1969,
 * LPT]; then light components in the order of their numbers, which keeps neighbours
 * together. */
#include "base/group.h"
#include "base/queue.h"
#include "base/sort.h"
#include "schedule/grow_layers.h"

enum {
    most_rounds = 12,
    light = 64,        /* a component is light if it weighs less than a thread's mean load /
                          light */
    look_after = 20000 /* components between two checks whether to stop */
};

/* A range of layers that becomes one layer. */
typedef struct range {
    int32_t first;            /* its first layer, before merging */
    int32_t number;           /* of its first component; the others follow */
    int32_t begin, end;       /* its root components, in `roots` */
    int64_t leave, leave_end; /* arcs that leave it, in `arcs` */
    int64_t total, most;      /* weight of all, and of its largest thread */
    bool fresh;               /* new since it was last tried with its neighbours */
} range;

typedef struct arc {
    int32_t from, to; /* vertices at first, components later */
} arc;

typedef struct component {
    int64_t weight;
    int32_t root; /* a component that it is part of; itself: it is a root */
    int32_t thread;
    /* In the second forest, which an attempt to merge makes: */
    int32_t joint_root, joint_thread;
    int64_t joint_weight;
} component;

/* The vertices of each layer as components. */
typedef struct layer_forest {
    int32_t *parent; /* by vertex: union-find within its layer; a root is its own parent */
    int64_t *weight; /* by root */
    int32_t *number; /* by root: number of the component */
} layer_forest;

/* Components on the way to their threads. */
typedef struct packing {
    int64_t *load;        /* by thread */
    clv_heap idle;        /* threads, the least loaded on top */
    clv_sort_item *heavy; /* components */
    clv_sort_item *scratch;
    int32_t *light; /* components */
    int32_t nheavy, nlight;
} packing;

typedef struct improvement {
    const clv_graph *g;
    clv_layering *l;
    double sync;
    layer_forest forest;
    component *all; /* sorted by layer, then by smallest vertex */
    int32_t *roots; /* root components, by range, ascending */
    arc *arcs;      /* between components, by range */
    range *ranges;  /* with a sentinel at the end */
    int32_t nranges;
    packing pack;
    clv_context *ctx;
    int64_t done; /* components since the last check whether to stop */
} improvement;

/* Counts `count` more components; returns whether it is time to stop. */
static bool is_time_to_stop(improvement *m, int64_t count)
{
    m->done += count;
    if (m->done < look_after)
        return false;
    m->done = 0;
    return clv_context_stop(m->ctx);
}

/* ---- Components ------------------------------------------------------------------------- */

static inline int32_t find_parent(int32_t *parent, int32_t v)
{
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

static inline int32_t find_root(component *all, int32_t c)
{
    while (all[c].root != c) {
        all[c].root = all[all[c].root].root;
        c = all[c].root;
    }
    return c;
}

static inline int32_t find_joint_root(component *all, int32_t c)
{
    while (all[c].joint_root != c) {
        all[c].joint_root = all[all[c].joint_root].joint_root;
        c = all[c].joint_root;
    }
    return c;
}

/* Joins vertices inside layers; the smallest vertex is the root.  Stores other arcs in `arcs`;
 * returns their number. */
static int64_t join_layers(improvement *m, arc *arcs)
{
    const clv_graph *g = m->g;
    const int32_t *layer = m->l->layer;
    int32_t *parent = m->forest.parent;
    int64_t *weight = m->forest.weight, count = 0;
    for (int32_t v = 0; v < g->nvtx; v++) {
        parent[v] = v;
        weight[v] = clv_graph_vwgt(g, v, 0);
    }
    for (int32_t v = 0; v < g->nvtx; v++) {
        int32_t root = find_parent(parent, v);
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t u = g->adj[a];
            if (layer[u] != layer[v]) {
                arcs[count++] = (arc){v, u};
                continue;
            }
            int32_t other = find_parent(parent, u);
            if (other == root)
                continue;
            int32_t child = other > root ? other : root;
            root = other > root ? root : other;
            parent[child] = root;
            weight[root] += weight[child];
        }
    }
    return count;
}

/* Resets the second forest: each component of the range is a tree of its own. */
static void reset_trees(improvement *m, const range *r)
{
    for (int32_t i = r->begin; i < r->end; i++) {
        component *c = &m->all[m->roots[i]];
        c->joint_root = m->roots[i];
        c->joint_weight = c->weight;
    }
}

/* Joins the components of a range and of the next in the second forest.  Returns false as soon
 * as one is heavier than `limit`. */
static bool join_ranges(improvement *m, const range *r, const range *next, double limit)
{
    component *all = m->all;
    reset_trees(m, r);
    reset_trees(m, next);
    for (int64_t i = r->leave; i < r->leave_end; i++) {
        arc *a = &m->arcs[i];
        if (a->to >= next[1].number)
            continue;
        a->from = find_root(all, a->from);
        a->to = find_root(all, a->to);
        int32_t from = find_joint_root(all, a->from), to = find_joint_root(all, a->to);
        if (from == to)
            continue;
        int32_t root = from < to ? from : to, child = from < to ? to : from;
        all[child].joint_root = root;
        all[root].joint_weight += all[child].joint_weight;
        if ((double)all[root].joint_weight > limit)
            return false;
    }
    return true;
}

/* ---- Packing ---------------------------------------------------------------------------- */

static void assign_thread(improvement *m, int32_t c, int32_t t)
{
    m->all[c].joint_thread = t;
    m->pack.load[t] += m->all[c].joint_weight;
}

/* Assigns component c to the least loaded thread. */
static void assign_idle_thread(improvement *m, int32_t c)
{
    packing *p = &m->pack;
    int32_t t = clv_heap_top(&p->idle);
    assign_thread(m, c, t);
    clv_heap_set(&p->idle, t, -p->load[t]);
}

/* Separates the components of a range: heavier than the bound, or light. */
static void separate_components(improvement *m, const range *r, int64_t bound)
{
    packing *p = &m->pack;
    for (int32_t i = r->begin; i < r->end; i++) {
        int32_t c = m->roots[i];
        const component *it = &m->all[c];
        if (it->joint_root != c)
            continue;
        if (it->joint_weight > bound)
            p->heavy[p->nheavy++] =
                (clv_sort_item){.key = -it->joint_weight, .with = {.index = c}};
        else
            p->light[p->nlight++] = c;
    }
}

static void pack_heavy(improvement *m, int32_t threads)
{
    packing *p = &m->pack;
    const clv_sort_item *sorted = clv_sort(p->heavy, p->scratch, p->nheavy);
    for (int32_t t = 0; t < threads; t++)
        clv_heap_set(&p->idle, t, 0);
    for (int32_t i = 0; i < p->nheavy; i++)
        assign_idle_thread(m, (int32_t)sorted[i].with.index);
}

/* Light components fill one thread after the other up to the mean; the rest goes to the least
 * loaded threads one by one. */
static void pack_light(improvement *m, int64_t mean, int32_t threads)
{
    packing *p = &m->pack;
    int32_t i = 0;
    for (int32_t t = 0; t < threads; t++) {
        while (i < p->nlight && p->load[t] + m->all[p->light[i]].joint_weight <= mean)
            assign_thread(m, p->light[i++], t);
        clv_heap_set(&p->idle, t, -p->load[t]);
    }
    for (; i < p->nlight; i++)
        assign_idle_thread(m, p->light[i]);
}

/* Packs the components of a range and, if not NULL, of the next, as joined in the second
 * forest; returns the load of the largest thread.  Visits at most as many threads as there are
 * components. */
static int64_t pack_components(improvement *m, const range *r, const range *next)
{
    packing *p = &m->pack;
    int32_t threads = m->l->threads;
    int64_t most = 0, total = r->total + (next ? next->total : 0);
    int64_t mean = (total + threads - 1) / threads;
    p->nheavy = p->nlight = 0;
    separate_components(m, r, mean / light);
    if (next)
        separate_components(m, next, mean / light);
    if (p->nheavy + p->nlight < threads)
        threads = p->nheavy + p->nlight;
    for (int32_t t = 0; t < threads; t++)
        p->load[t] = 0;
    clv_heap_clear(&p->idle);
    pack_heavy(m, threads);
    pack_light(m, mean, threads);
    for (int32_t t = 0; t < threads; t++)
        most = p->load[t] > most ? p->load[t] : most;
    return most;
}

/* ---- Rounds ----------------------------------------------------------------------------- */

/* Balances one range if there is something to gain. */
static void balance_range(improvement *m, range *r)
{
    int64_t mean = r->total / m->l->threads;
    if (r->most <= mean + mean / 64)
        return;
    for (int32_t i = r->begin; i < r->end; i++)
        if (m->all[m->roots[i]].weight >= r->most)
            return;
    reset_trees(m, r);
    int64_t most = pack_components(m, r, NULL);
    if (most >= r->most)
        return;
    for (int32_t i = r->begin; i < r->end; i++)
        m->all[m->roots[i]].thread = m->all[m->roots[i]].joint_thread;
    r->most = most;
}

/* Accepts the second forest for a range; the remaining roots go to roots[to...).  Returns
 * their end. */
static int32_t keep_roots(improvement *m, const range *r, int32_t to)
{
    for (int32_t i = r->begin; i < r->end; i++) {
        int32_t c = m->roots[i], root = find_joint_root(m->all, c);
        component *it = &m->all[c];
        it->root = root;
        if (root != c)
            continue;
        it->weight = it->joint_weight;
        it->thread = it->joint_thread;
        m->roots[to++] = c;
    }
    return to;
}

/* Merges a range and the next if that does not increase the cost. */
static bool merge_ranges(improvement *m, range *r, const range *next)
{
    double limit = (double)r->most + (double)next->most + m->sync;
    if (!join_ranges(m, r, next, limit))
        return false;
    int64_t most = pack_components(m, r, next);
    if ((double)most > limit)
        return false;
    r->end = keep_roots(m, next, keep_roots(m, r, r->begin));
    /* Arcs that leave both ranges move next to those of the second. */
    int64_t leave = next->leave;
    for (int64_t a = r->leave_end; a-- > r->leave;)
        if (m->arcs[a].to >= next[1].number)
            m->arcs[--leave] = m->arcs[a];
    r->leave = leave;
    r->leave_end = next->leave_end;
    r->total += next->total;
    r->most = most;
    return true;
}

/* Tries all pairs that have not failed already; returns whether any was merged.  *stop: it is
 * time to stop, and the result is not complete. */
static bool merge_round(improvement *m, bool *stop)
{
    int32_t count = 0;
    bool any = false;
    for (int32_t i = 0; i < m->nranges && !*stop;) {
        *stop = is_time_to_stop(m, 1 + m->ranges[i].end - m->ranges[i].begin);
        range r = m->ranges[i], *next = &m->ranges[i + 1];
        bool merged =
            i + 1 < m->nranges && (r.fresh || next->fresh) && merge_ranges(m, &r, next);
        i += merged ? 2 : 1;
        any = any || merged;
        /* A range that did not merge with the next is still new for the one before. */
        r.fresh = merged;
        m->ranges[count++] = r;
    }
    m->ranges[count] = m->ranges[m->nranges];
    m->nranges = count;
    return any;
}

/* Balances all ranges and merges neighbours.  Returns false after a stop: the ranges are not
 * complete then. */
static bool balance_and_merge(improvement *m)
{
    bool stop = false;
    for (int32_t i = 0; i < m->nranges && !stop; i++) {
        balance_range(m, &m->ranges[i]);
        stop = is_time_to_stop(m, 1 + m->ranges[i].end - m->ranges[i].begin);
    }
    for (int round = 0; round < most_rounds && !stop && merge_round(m, &stop); round++)
        ;
    return !stop;
}

/* ---- Ranges ----------------------------------------------------------------------------- */

/* Counting sort of the components by layer.  first: layers + 1 zeros; becomes the start of
 * each layer. */
static void number_components(improvement *m, int32_t *first)
{
    const int32_t *layer = m->l->layer, *parent = m->forest.parent;
    int32_t n = m->g->nvtx, layers = m->l->layers, end = 0;
    for (int32_t v = 0; v < n; v++)
        first[layer[v]] += parent[v] == v;
    for (int32_t l = 0; l < layers; l++)
        first[l] = end += first[l];
    first[layers] = end;
    for (int32_t v = n; v-- > 0;)
        if (parent[v] == v)
            m->forest.number[v] = --first[layer[v]];
    for (int32_t v = 0; v < n; v++) {
        if (parent[v] != v)
            continue;
        int32_t c = m->forest.number[v];
        m->roots[c] = c;
        m->all[c] = (component){.weight = m->forest.weight[v],
                                .root = c,
                                .joint_root = c,
                                .thread = m->l->thread[v]};
    }
}

/* Counting sort of the arcs between components by the layer that they leave.  leave: layers +
 * 1 zeros. */
static void sort_arcs(improvement *m, int64_t narcs, const arc *arcs, int64_t *leave)
{
    const int32_t *layer = m->l->layer, *number = m->forest.number;
    int32_t *parent = m->forest.parent;
    for (int64_t a = 0; a < narcs; a++)
        leave[layer[arcs[a].from]]++;
    clv_running_sums(leave, m->l->layers);
    for (int64_t a = narcs; a-- > 0;)
        m->arcs[--leave[layer[arcs[a].from]]] =
            (arc){number[find_parent(parent, arcs[a].from)],
                  number[find_parent(parent, arcs[a].to)]};
}

/* Sets total and most of a range from the loads of its threads. */
static void weigh_range(improvement *m, range *r)
{
    int64_t *load = m->pack.load;
    for (int32_t i = r->begin; i < r->end; i++)
        load[m->all[m->roots[i]].thread] = 0;
    for (int32_t i = r->begin; i < r->end; i++) {
        const component *c = &m->all[m->roots[i]];
        load[c->thread] += c->weight;
        r->total += c->weight;
        r->most = load[c->thread] > r->most ? load[c->thread] : r->most;
    }
}

/* A range for each layer that has vertices. */
static void list_ranges(improvement *m, const int32_t *first, const int64_t *leave)
{
    int32_t layers = m->l->layers;
    for (int32_t l = 0; l < layers; l++) {
        if (first[l] == first[l + 1])
            continue;
        range *r = &m->ranges[m->nranges++];
        *r = (range){.first = l,
                     .number = first[l],
                     .begin = first[l],
                     .end = first[l + 1],
                     .leave = leave[l],
                     .leave_end = leave[l + 1],
                     .fresh = true};
        weigh_range(m, r);
    }
    m->ranges[m->nranges] = (range){.first = layers, .number = first[layers]};
}

static double cost_of(const improvement *m)
{
    int64_t work = 0;
    for (int32_t i = 0; i < m->nranges; i++)
        work += m->ranges[i].most;
    return (double)work + m->sync * m->nranges;
}

/* Each range becomes a layer.  number: scratch for each old layer. */
static void write_layers(improvement *m, int32_t *number)
{
    clv_layering *l = m->l;
    for (int32_t i = 0; i < m->nranges; i++)
        for (int32_t old = m->ranges[i].first; old < m->ranges[i + 1].first; old++)
            number[old] = i;
    for (int32_t v = 0; v < m->g->nvtx; v++) {
        int32_t c = m->forest.number[find_parent(m->forest.parent, v)];
        l->thread[v] = m->all[find_root(m->all, c)].thread;
        l->layer[v] = number[l->layer[v]];
    }
    l->layers = m->nranges;
}

/* ---- Memory ----------------------------------------------------------------------------- */

static cleave_status open_packing(packing *p, int32_t nvtx, int32_t threads, clv_ws *ws,
                                  cleave_error *err)
{
    /* Each heavy component has at least 1 / light of the mean load. */
    int64_t most_heavy = (int64_t)light * threads < nvtx ? (int64_t)light * threads : nvtx;
    CLV_TRY(clv_heap_init(&p->idle, threads, ws, err));
    p->load = clv_ws_alloc(ws, threads, sizeof *p->load);
    p->heavy = clv_ws_alloc(ws, most_heavy, sizeof *p->heavy);
    p->scratch = clv_ws_alloc(ws, most_heavy, sizeof *p->scratch);
    p->light = clv_ws_alloc(ws, nvtx, sizeof *p->light);
    return p->load && p->heavy && p->scratch && p->light ? CLEAVE_OK : clv_fail_memory(err);
}

static cleave_status open_components(improvement *m, clv_ws *ws, cleave_error *err)
{
    int32_t n = m->g->nvtx;
    layer_forest *f = &m->forest;
    f->parent = clv_ws_alloc(ws, n, sizeof *f->parent);
    f->weight = clv_ws_alloc(ws, n, sizeof *f->weight);
    f->number = clv_ws_alloc(ws, n, sizeof *f->number);
    m->all = clv_ws_alloc(ws, n, sizeof *m->all);
    m->roots = clv_ws_alloc(ws, n, sizeof *m->roots);
    m->ranges = clv_ws_alloc(ws, (int64_t)m->l->layers + 1, sizeof *m->ranges);
    return f->parent && f->weight && f->number && m->all && m->roots && m->ranges
               ? CLEAVE_OK
               : clv_fail_memory(err);
}

static cleave_status improve(improvement *m, double *cost, cleave_error *err)
{
    clv_ws *ws = m->ctx->ws;
    int32_t *first = clv_ws_zalloc(ws, (int64_t)m->l->layers + 1, sizeof *first);
    int64_t *leave = clv_ws_zalloc(ws, (int64_t)m->l->layers + 1, sizeof *leave);
    arc *arcs = clv_ws_alloc(ws, m->g->narc, sizeof *arcs);
    if (!first || !leave || !arcs)
        return clv_fail_memory(err);
    CLV_TRY(open_packing(&m->pack, m->g->nvtx, m->l->threads, ws, err));
    CLV_TRY(open_components(m, ws, err));
    int64_t narcs = join_layers(m, arcs);
    m->arcs = clv_ws_alloc(ws, narcs, sizeof *m->arcs);
    if (!m->arcs)
        return clv_fail_memory(err);
    number_components(m, first);
    sort_arcs(m, narcs, arcs, leave);
    list_ranges(m, first, leave);
    *cost = cost_of(m);
    if (!balance_and_merge(m))
        return CLEAVE_OK;
    write_layers(m, first);
    *cost = cost_of(m);
    return CLEAVE_OK;
}

cleave_status clv_improve_layers(const clv_graph *g, double sync, clv_context *ctx,
                                 clv_layering *l, double *cost, cleave_error *err)
{
    improvement m = {.g = g, .l = l, .sync = sync, .ctx = ctx};
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = improve(&m, cost, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
