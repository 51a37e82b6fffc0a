/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/improve_layers.c - layers balanced, and merged with their neighbours.
 *
 * The arcs inside a range of layers tie its vertices into components.  Any thread may have any
 * component, so a range is one layer as soon as its components can be packed; it should be
 * when the largest thread then takes no longer than those of the two layers that it replaces
 * and the synchronisation between them.  Neighbours are tried in pairs, and again while one
 * of the two is new: log(layers) rounds, most of them short.
 *
 * The arcs are looked at once: those inside a layer become components, numbered by layer; the
 * others are kept as arcs between these, of which ever fewer leave a range.  An attempt to
 * merge joins components in a second forest, so that there is nothing to take back.
 *
 * Packing: heavy components, the heaviest first, to the thread with the least [Graham 1969,
 * LPT]; then light ones in the order of their numbers, which keeps neighbours together. */
#include "base/queue.h"
#include "base/sort.h"
#include "schedule/grow_layers.h"

enum {
    most_rounds = 12,
    light = 64,        /* a component lighter than a thread's mean by this factor */
    look_after = 20000 /* components between two looks whether to stop */
};

/* A range of layers that is going to be one. */
typedef struct range {
    int32_t first;            /* its first layer, in old numbers */
    int32_t number;           /* of its first component; its others follow */
    int32_t begin, end;       /* those that are none's part, in `roots` */
    int64_t leave, leave_end; /* arcs that leave it, in `arcs` */
    int64_t total, most;      /* weight of all, and of its largest thread */
    bool fresh;               /* new since its neighbours were tried */
} range;

typedef struct arc {
    int32_t from, to; /* vertices at first, then components */
} arc;

typedef struct component {
    int64_t weight;
    int64_t heavier; /* its weight if ranges are merged, */
    int32_t joint;   /* its root then, */
    int32_t place;   /* its thread then */
    int32_t root;    /* a component that it is part of; itself: none */
    int32_t home;    /* thread */
} component;

typedef struct improvement {
    const clv_graph *g;
    int32_t threads;
    double sync;
    int32_t *layer, *thread;
    range *ranges; /* and one more, the end */
    int32_t nranges;
    int32_t *parent; /* by vertex: of a component of its layer; its root is its own parent */
    int64_t *weight; /* by such a root */
    int32_t *number; /* by such a root: of the component */
    component *all;  /* by layer; in a layer by the smallest vertex */
    int32_t *roots;  /* components, by range, ascending */
    arc *arcs;       /* by range */
    int64_t *load;   /* by thread */
    clv_heap idle;   /* threads, the one with the least load on top */
    clv_sort_item *items, *scratch;
    int32_t *lights;
    clv_context *ctx;
    int64_t done; /* since it was asked whether to stop */
} improvement;

/* Is it time to stop, now that `count` more components have been looked at? */
static bool look_up(improvement *m, int64_t count)
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

static inline int32_t find_joint(component *all, int32_t c)
{
    while (all[c].joint != c) {
        all[c].joint = all[all[c].joint].joint;
        c = all[c].joint;
    }
    return c;
}

/* Components inside layers, the smallest vertex of each its root; other arcs go to `arcs`.
 * Returns how many. */
static int64_t join_layers(improvement *m, arc *arcs)
{
    const clv_graph *g = m->g;
    int64_t count = 0;
    for (int32_t v = 0; v < g->nvtx; v++) {
        m->parent[v] = v;
        m->weight[v] = clv_graph_vwgt(g, v, 0);
    }
    for (int32_t v = 0; v < g->nvtx; v++) {
        int32_t root = find_parent(m->parent, v);
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t u = g->adj[a];
            if (m->layer[u] != m->layer[v]) {
                arcs[count++] = (arc){v, u};
                continue;
            }
            int32_t other = find_parent(m->parent, u);
            if (other == root)
                continue;
            int32_t child = other > root ? other : root;
            root = other > root ? root : other;
            m->parent[child] = root;
            m->weight[root] += m->weight[child];
        }
    }
    return count;
}

/* Each component of a range is on its own, in the second forest. */
static void part_all(improvement *m, const range *r)
{
    for (int32_t i = r->begin; i < r->end; i++) {
        component *c = &m->all[m->roots[i]];
        c->joint = m->roots[i];
        c->heavier = c->weight;
    }
}

/* Joins the components of a range and the next in the second forest.  False as soon as one is
 * heavier than `limit`. */
static bool join_ranges(improvement *m, const range *r, const range *next, double limit)
{
    component *all = m->all;
    part_all(m, r);
    part_all(m, next);
    for (int64_t i = r->leave; i < r->leave_end; i++) {
        arc *a = &m->arcs[i];
        if (a->to >= next[1].number)
            continue;
        a->from = find_root(all, a->from);
        a->to = find_root(all, a->to);
        int32_t from = find_joint(all, a->from), to = find_joint(all, a->to);
        if (from == to)
            continue;
        int32_t root = from < to ? from : to, child = from < to ? to : from;
        all[child].joint = root;
        all[root].heavier += all[child].heavier;
        if ((double)all[root].heavier > limit)
            return false;
    }
    return true;
}

/* ---- Packing ---------------------------------------------------------------------------- */

static void give(improvement *m, int32_t c, int32_t t)
{
    m->all[c].place = t;
    m->load[t] += m->all[c].heavier;
}

/* To the thread with the least. */
static void give_idle(improvement *m, int32_t c)
{
    int32_t t = clv_heap_top(&m->idle);
    give(m, c, t);
    clv_heap_set(&m->idle, t, -m->load[t]);
}

/* Sorts out the components of a range: heavy ones to `items`, light ones to `lights`. */
static void sort_out(improvement *m, const range *r, int64_t bound, int32_t *heavy,
                     int32_t *nlight)
{
    for (int32_t i = r->begin; i < r->end; i++) {
        int32_t c = m->roots[i];
        const component *it = &m->all[c];
        if (it->joint != c)
            continue;
        if (it->heavier > bound)
            m->items[(*heavy)++] = (clv_sort_item){.key = -it->heavier, .with = {.index = c}};
        else
            m->lights[(*nlight)++] = c;
    }
}

static void pack_heavy(improvement *m, int32_t heavy, int32_t threads)
{
    const clv_sort_item *sorted = clv_sort(m->items, m->scratch, heavy);
    for (int32_t t = 0; t < threads; t++)
        clv_heap_set(&m->idle, t, 0);
    for (int32_t i = 0; i < heavy; i++)
        give_idle(m, (int32_t)sorted[i].with.index);
}

/* Light components fill thread after thread up to the mean; the rest one by one. */
static void pack_light(improvement *m, int32_t nlight, int64_t mean, int32_t threads)
{
    int32_t i = 0;
    for (int32_t t = 0; t < threads; t++) {
        while (i < nlight && m->load[t] + m->all[m->lights[i]].heavier <= mean)
            give(m, m->lights[i++], t);
        clv_heap_set(&m->idle, t, -m->load[t]);
    }
    for (; i < nlight; i++)
        give_idle(m, m->lights[i]);
}

/* Packs the components of a range and, if there is one, the next, as the second forest has
 * them; returns the weight of the largest thread.  No more threads are looked at than there
 * are components. */
static int64_t pack(improvement *m, const range *r, const range *next)
{
    int64_t most = 0, total = r->total + (next ? next->total : 0);
    int64_t mean = (total + m->threads - 1) / m->threads;
    int32_t heavy = 0, nlight = 0;
    sort_out(m, r, mean / light, &heavy, &nlight);
    if (next)
        sort_out(m, next, mean / light, &heavy, &nlight);
    int32_t threads = heavy + nlight < m->threads ? heavy + nlight : m->threads;
    for (int32_t t = 0; t < threads; t++)
        m->load[t] = 0;
    clv_heap_clear(&m->idle);
    pack_heavy(m, heavy, threads);
    pack_light(m, nlight, mean, threads);
    for (int32_t t = 0; t < threads; t++)
        most = m->load[t] > most ? m->load[t] : most;
    return most;
}

/* ---- Rounds ----------------------------------------------------------------------------- */

/* Balances one range if there is anything to gain. */
static void balance(improvement *m, range *r)
{
    int64_t mean = r->total / m->threads;
    if (r->most <= mean + mean / 64)
        return;
    for (int32_t i = r->begin; i < r->end; i++)
        if (m->all[m->roots[i]].weight >= r->most)
            return;
    part_all(m, r);
    int64_t most = pack(m, r, NULL);
    if (most >= r->most)
        return;
    for (int32_t i = r->begin; i < r->end; i++)
        m->all[m->roots[i]].home = m->all[m->roots[i]].place;
    r->most = most;
}

/* The components of a range become what they are in the second forest; the roots that remain
 * go to roots[to...).  Returns their end. */
static int32_t keep_roots(improvement *m, const range *r, int32_t to)
{
    for (int32_t i = r->begin; i < r->end; i++) {
        int32_t c = m->roots[i], root = find_joint(m->all, c);
        component *it = &m->all[c];
        it->root = root;
        if (root != c)
            continue;
        it->weight = it->heavier;
        it->home = it->place;
        m->roots[to++] = c;
    }
    return to;
}

/* Makes one of a range and the next, if that pays. */
static bool merge(improvement *m, range *r, const range *next)
{
    double limit = (double)r->most + (double)next->most + m->sync;
    if (!join_ranges(m, r, next, limit))
        return false;
    int64_t most = pack(m, r, next);
    if ((double)most > limit)
        return false;
    r->end = keep_roots(m, next, keep_roots(m, r, r->begin));
    /* Arcs that leave both move next to those of the second. */
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

/* Tries all pairs that are not known to fail; returns whether any was merged.  *stop: it is
 * time to, and there is nothing to be had. */
static bool merge_round(improvement *m, bool *stop)
{
    int32_t count = 0;
    bool any = false;
    for (int32_t i = 0; i < m->nranges && !*stop;) {
        *stop = look_up(m, 1 + m->ranges[i].end - m->ranges[i].begin);
        range r = m->ranges[i], *next = &m->ranges[i + 1];
        bool merged = i + 1 < m->nranges && (r.fresh || next->fresh) && merge(m, &r, next);
        i += merged ? 2 : 1;
        any = any || merged;
        /* A range that did not merge is still new to what comes before it. */
        r.fresh = merged;
        m->ranges[count++] = r;
    }
    m->ranges[count] = m->ranges[m->nranges];
    m->nranges = count;
    return any;
}

/* ---- Ranges ----------------------------------------------------------------------------- */

/* Components by layer, by counting.  first: zeros, layers + 1; becomes where layers begin. */
static void number_components(improvement *m, int32_t layers, int32_t *first)
{
    int32_t n = m->g->nvtx, end = 0;
    for (int32_t v = 0; v < n; v++)
        first[m->layer[v]] += m->parent[v] == v;
    for (int32_t l = 0; l < layers; l++)
        first[l] = end += first[l];
    first[layers] = end;
    for (int32_t v = n; v-- > 0;)
        if (m->parent[v] == v)
            m->number[v] = --first[m->layer[v]];
    for (int32_t v = 0; v < n; v++) {
        if (m->parent[v] != v)
            continue;
        int32_t c = m->number[v];
        m->roots[c] = c;
        m->all[c] =
            (component){.weight = m->weight[v], .root = c, .joint = c, .home = m->thread[v]};
    }
}

/* Arcs between components, by the layer that they leave.  leave: zeros, layers + 1. */
static void sort_arcs(improvement *m, int32_t layers, int64_t narcs, const arc *arcs,
                      int64_t *leave)
{
    int64_t end = 0;
    for (int64_t a = 0; a < narcs; a++)
        leave[m->layer[arcs[a].from]]++;
    for (int32_t l = 0; l < layers; l++)
        leave[l] = end += leave[l];
    leave[layers] = end;
    for (int64_t a = narcs; a-- > 0;)
        m->arcs[--leave[m->layer[arcs[a].from]]] =
            (arc){m->number[find_parent(m->parent, arcs[a].from)],
                  m->number[find_parent(m->parent, arcs[a].to)]};
}

/* What the threads of a range weigh. */
static void weigh_range(improvement *m, range *r)
{
    for (int32_t i = r->begin; i < r->end; i++)
        m->load[m->all[m->roots[i]].home] = 0;
    for (int32_t i = r->begin; i < r->end; i++) {
        const component *c = &m->all[m->roots[i]];
        int64_t load = m->load[c->home] += c->weight;
        r->total += c->weight;
        r->most = load > r->most ? load : r->most;
    }
}

/* A range for each layer that has any vertices. */
static void list_ranges(improvement *m, int32_t layers, const int32_t *first,
                        const int64_t *leave)
{
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

/* Returns the cost.  number: place for each layer.  Layers and threads are written at the end
 * alone: when it is time to stop they stay as they are. */
static double improve(improvement *m, int32_t *layers, int32_t *number)
{
    double before = cost_of(m);
    bool stop = false;
    for (int32_t i = 0; i < m->nranges && !stop; i++) {
        balance(m, &m->ranges[i]);
        stop = look_up(m, 1 + m->ranges[i].end - m->ranges[i].begin);
    }
    for (int round = 0; round < most_rounds && !stop && merge_round(m, &stop); round++)
        ;
    if (stop)
        return before;
    for (int32_t i = 0; i < m->nranges; i++)
        for (int32_t l = m->ranges[i].first; l < m->ranges[i + 1].first; l++)
            number[l] = i;
    for (int32_t v = 0; v < m->g->nvtx; v++) {
        int32_t c = m->number[find_parent(m->parent, v)];
        m->thread[v] = m->all[find_root(m->all, c)].home;
        m->layer[v] = number[m->layer[v]];
    }
    *layers = m->nranges;
    return cost_of(m);
}

static cleave_status improve_all(improvement *m, int32_t *layers, double *cost,
                                 cleave_error *err)
{
    clv_ws *ws = m->ctx->ws;
    int32_t n = m->g->nvtx;
    /* A heavy component has more than its share of the mean. */
    int64_t most_heavy = (int64_t)light * m->threads < n ? (int64_t)light * m->threads : n;
    CLV_TRY(clv_heap_init(&m->idle, m->threads, ws, err));
    m->ranges = clv_ws_alloc(ws, (int64_t)*layers + 1, sizeof *m->ranges);
    m->parent = clv_ws_alloc(ws, n, sizeof *m->parent);
    m->weight = clv_ws_alloc(ws, n, sizeof *m->weight);
    m->number = clv_ws_alloc(ws, n, sizeof *m->number);
    m->load = clv_ws_alloc(ws, m->threads, sizeof *m->load);
    m->items = clv_ws_alloc(ws, most_heavy, sizeof *m->items);
    m->scratch = clv_ws_alloc(ws, most_heavy, sizeof *m->scratch);
    int32_t *first = clv_ws_zalloc(ws, (int64_t)*layers + 1, sizeof *first);
    int64_t *leave = clv_ws_zalloc(ws, (int64_t)*layers + 1, sizeof *leave);
    m->all = clv_ws_alloc(ws, n, sizeof *m->all);
    m->roots = clv_ws_alloc(ws, n, sizeof *m->roots);
    m->lights = clv_ws_alloc(ws, n, sizeof *m->lights);
    arc *arcs = clv_ws_alloc(ws, m->g->narc, sizeof *arcs);
    if (!(m->ranges && m->parent && m->weight && m->number && m->load && m->items &&
          m->scratch && first && leave && m->all && m->roots && m->lights && arcs))
        return clv_fail_memory(err);
    int64_t narcs = join_layers(m, arcs);
    m->arcs = clv_ws_alloc(ws, narcs, sizeof *m->arcs);
    if (!m->arcs)
        return clv_fail_memory(err);
    number_components(m, *layers, first);
    sort_arcs(m, *layers, narcs, arcs, leave);
    list_ranges(m, *layers, first, leave);
    *cost = improve(m, layers, first);
    return CLEAVE_OK;
}

cleave_status clv_improve_layers(const clv_graph *g, int32_t threads, double sync,
                                 clv_context *ctx, int32_t *layer, int32_t *thread,
                                 int32_t *layers, double *cost, cleave_error *err)
{
    improvement m = {.g = g,
                     .threads = threads,
                     .sync = sync,
                     .layer = layer,
                     .thread = thread,
                     .ctx = ctx};
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = improve_all(&m, layers, cost, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
