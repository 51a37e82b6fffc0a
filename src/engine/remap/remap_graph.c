/* SPDX-License-Identifier: Apache-2.0 */
/* engine/remap/remap_graph.c - the graph with anchors, whose cut is cut + price * migration
 * [Catalyurek et al. 2007]; see engine/remap/remap.h.
 *
 * Weights are integers, of 31 bits if all fit and of 63 bits otherwise.  A fractional price is
 * represented by scaling all weights.  A price so high that sums of anchor edges would
 * overflow is lowered: it already outweighs all other edges of a vertex. */
#include "engine/remap/remap.h"

enum {
    most_scale = 1024
}; /* of the weights, so that a low price does not round to 0; not
      tuned */

typedef struct tying {
    const clv_remap_task *task;
    double price;    /* of vsize 1, in scaled weights */
    int64_t scale;   /* factor of the edge weights */
    int64_t ntied;   /* number of vertices tied to an anchor */
    bool wide;       /* an edge or a tie does not fit 31 bits */
    int32_t *anchor; /* by PE: its anchor; -1: none */
} tying;

/* ---- Weights ---------------------------------------------------------------------------- */

typedef struct weight_sums {
    double edges, sizes; /* each edge once; sizes of the vertices that have a home */
    int64_t heaviest;    /* heaviest edge */
} weight_sums;

static weight_sums sum_weights(const clv_remap_task *task)
{
    const clv_graph *g = task->to.g;
    weight_sums sums = {0};
    int64_t edges = 0, sizes = 0;
    for (int64_t a = 0; a < g->narc; a++) {
        int64_t w = clv_graph_ewgt(g, a);
        edges += w;
        sums.heaviest = w > sums.heaviest ? w : sums.heaviest;
    }
    for (int32_t v = 0; v < g->nvtx; v++)
        sizes += task->home[v] >= 0 ? clv_graph_vsize(g, v) : 0;
    sums.edges = (double)edges / 2;
    sums.sizes = (double)sizes;
    return sums;
}

/* Weights are scaled up to this sum, so that coarse levels keep 32 bits. */
static const double exact_sum = INT32_MAX / 2;
/* Sum of all ties: with the edges, each as two arcs, below 2^62 (clv_graph_check_sums). */
static const double largest_sum = 0x1p60;

/* With distances, the sum of the ties is limited to twice the sum of the edges, which is high
 * enough a price: their sum times any distance then fits if that of the edges does. */
static void choose_weights(tying *t, double price)
{
    weight_sums sums = sum_weights(t->task);
    t->scale = 1;
    if (!(sums.sizes > 0))
        return; /* no vertex with a home has a size */
    double dear = 2 * sums.edges > exact_sum ? 2 * sums.edges : exact_sum;
    double most = (t->task->to.machine ? dear : largest_sum) / sums.sizes;
    price = price < most ? price : most;
    bool whole = price == (double)(int64_t)price;
    t->wide = sums.heaviest > INT32_MAX; /* of a coarse graph, which is not scaled */
    while (!whole && t->scale < most_scale &&
           (double)t->scale * 2 * (sums.edges + price * sums.sizes) < exact_sum &&
           t->scale * 2 * sums.heaviest <= INT32_MAX)
        t->scale *= 2;
    t->price = price * (double)t->scale;
}

/* Weight of the edge between a vertex and its anchor; 0: none. */
static int64_t tie_of(const tying *t, int32_t v)
{
    if (t->task->home[v] < 0)
        return 0;
    return (int64_t)(t->price * (double)clv_graph_vsize(t->task->to.g, v) + 0.5);
}

/* ---- Rows ------------------------------------------------------------------------------- */

static cleave_status number_anchors(tying *t, clv_remap_anchored *x, clv_ws *ws,
                                    cleave_error *err)
{
    int32_t k = t->task->to.bounds.nparts;
    x->pe = clv_ws_alloc(ws, k, sizeof *x->pe);
    t->anchor = clv_ws_alloc(ws, k, sizeof *t->anchor);
    if (!x->pe || !t->anchor)
        return clv_fail_memory(err);
    for (int32_t p = 0; p < k; p++)
        t->anchor[p] = -1;
    for (int32_t v = 0; v < t->task->to.g->nvtx; v++)
        if (tie_of(t, v) > 0) {
            t->anchor[t->task->home[v]] = 0;
            t->ntied++;
            t->wide = t->wide || tie_of(t, v) > INT32_MAX;
        }
    for (int32_t p = 0; p < k; p++)
        if (t->anchor[p] == 0) {
            t->anchor[p] = x->anchors;
            x->pe[x->anchors++] = p;
        }
    return CLEAVE_OK;
}

/* Computes where the rows begin; next[a] is the start of the row of anchor a. */
static void place_rows(const tying *t, int32_t anchors, int64_t *xadj, int64_t *next)
{
    const clv_graph *g = t->task->to.g;
    int64_t at = 0;
    for (int32_t a = 0; a < anchors; a++)
        next[a] = 0;
    for (int32_t v = 0; v < g->nvtx; v++) {
        xadj[v] = at;
        at += g->xadj[v + 1] - g->xadj[v];
        if (tie_of(t, v) > 0) {
            at++;
            next[t->anchor[t->task->home[v]]]++;
        }
    }
    for (int32_t a = 0; a < anchors; a++) {
        int64_t degree = next[a];
        xadj[g->nvtx + a] = next[a] = at;
        at += degree;
    }
    xadj[g->nvtx + anchors] = at;
}

static cleave_status tie_all(const tying *t, clv_remap_anchored *x, clv_ws *ws,
                             cleave_error *err)
{
    const clv_graph *g = t->task->to.g;
    int64_t narc = g->narc + 2 * t->ntied;
    int64_t *xadj = clv_ws_alloc(ws, x->g.nvtx + INT64_C(1), sizeof *xadj);
    int32_t *adj = clv_ws_alloc(ws, narc, sizeof *adj);
    clv_new_weights ewgt;
    int64_t *next = clv_ws_alloc(ws, x->anchors, sizeof *next);
    if (!xadj || !adj || !clv_weights_zalloc(&ewgt, t->wide, narc, ws) || !next)
        return clv_fail_memory(err);
    place_rows(t, x->anchors, xadj, next);
    for (int32_t v = 0; v < g->nvtx; v++) {
        int64_t at = xadj[v];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++, at++) {
            adj[at] = g->adj[a];
            clv_weight_set(ewgt, at, clv_graph_ewgt(g, a) * t->scale);
        }
        int64_t tie = tie_of(t, v);
        if (tie == 0)
            continue;
        int32_t a = t->anchor[t->task->home[v]];
        adj[at] = g->nvtx + a;
        adj[next[a]] = v;
        clv_weight_set(ewgt, at, tie);
        clv_weight_set(ewgt, next[a]++, tie);
    }
    x->g.narc = narc;
    x->g.xadj = x->g.xpred = xadj;
    x->g.adj = x->g.pred = adj;
    clv_graph_set_ewgts(&x->g, clv_weights_of(ewgt));
    clv_graph_set_pwgts(&x->g, clv_weights_of(ewgt));
    return CLEAVE_OK;
}

/* ---- Vertices --------------------------------------------------------------------------- */

static cleave_status weigh_vertices(clv_remap_anchored *x, const clv_graph *g, clv_ws *ws,
                                    cleave_error *err)
{
    clv_new_weights vwgt;
    if (!clv_weights_zalloc(&vwgt, g->wide_vwgt != NULL, (int64_t)x->g.nvtx * g->ncon, ws))
        return clv_fail_memory(err);
    for (int64_t i = 0; i < (int64_t)g->nvtx * g->ncon; i++)
        clv_weight_set(vwgt, i, clv_weight_at(clv_graph_vwgts(g), i));
    clv_graph_set_vwgts(&x->g, clv_weights_of(vwgt));
    return CLEAVE_OK;
}

/* Groups of the vertices, then one group for each anchor. */
static cleave_status extend_groups(clv_remap_anchored *x, const clv_partition_task *to,
                                   clv_ws *ws, cleave_error *err)
{
    const clv_groups *groups = to->groups;
    int32_t *fixed = clv_ws_alloc(ws, (int64_t)groups->count + x->anchors, sizeof *fixed);
    int32_t *group = groups->group ? clv_ws_alloc(ws, x->g.nvtx, sizeof *group) : NULL;
    if (!fixed || (groups->group && !group))
        return clv_fail_memory(err);
    for (int32_t u = 0; u < groups->count; u++)
        fixed[u] = groups->fixed ? groups->fixed[u] : -1;
    for (int32_t a = 0; a < x->anchors; a++)
        fixed[groups->count + a] = x->pe[a];
    for (int32_t v = 0; group && v < x->g.nvtx; v++)
        group[v] = v < to->g->nvtx ? groups->group[v] : groups->count + (v - to->g->nvtx);
    x->groups = (clv_groups){groups->count + x->anchors, group, fixed};
    return CLEAVE_OK;
}

cleave_status clv_remap_anchor(clv_remap_anchored *x, const clv_remap_task *task, double price,
                               clv_ws *ws, cleave_error *err)
{
    const clv_graph *g = task->to.g;
    tying t = {.task = task};
    *x = (clv_remap_anchored){.g = *g, .groups = *task->to.groups};
    if (g->kind == CLEAVE_DAG || !(price > 0))
        return CLEAVE_OK;
    choose_weights(&t, price);
    CLV_TRY(number_anchors(&t, x, ws, err));
    if (x->anchors == 0 || x->anchors > INT32_MAX - g->nvtx) {
        x->anchors = 0;
        return CLEAVE_OK;
    }
    x->g = (clv_graph){.kind = g->kind, .nvtx = g->nvtx + x->anchors, .ncon = g->ncon};
    CLV_TRY(tie_all(&t, x, ws, err));
    CLV_TRY(weigh_vertices(x, g, ws, err));
    return extend_groups(x, &task->to, ws, err);
}
