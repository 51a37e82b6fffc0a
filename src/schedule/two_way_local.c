/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/two_way_local.c - local search for the two-way model, for instances of any size.
 *
 * A move claims a vertex for a part: the vertex and its ancestors go there, vertices of the
 * other part that depend on them become later, and vertices whose predecessors are then all in
 * the part follow.  A move thus takes a cluster of sources that share a descendant; the deeper
 * the vertex, the larger the cluster.  A vertex with a cost may also be dropped, with its
 * descendants.
 *
 * A move is accepted if the score is not below the current one or the one some moves ago [late
 * acceptance: Burke & Bykov 2017]; otherwise it is undone.  The score adds a small multiple of
 * the worth of both parts to the value, which does not depend on the larger part.  Rounds
 * after the first ones start with the best solution, perturbed. */
#include <string.h>

#include "base/rng.h"
#include "schedule/two_way_instance.h"

enum {
    stage = 0x2b41, /* for the random numbers */
    memory = 48,    /* moves between a score and the one it is compared with */
    sharpness = 8,  /* weight of the value against the worth of both parts */
    most_picks = 4, /* draws of a vertex until one is at the border */
    widest = 6,     /* regions have at most 2^widest vertices */
    stop_interval = 256
};

typedef struct relabelled {
    int32_t vertex, label; /* values before the change */
} relabelled;

typedef struct moves {
    clv_two_way_instance *t;
    clv_rng rng;
    int32_t *label;
    int32_t *held[3]; /* by vertex: number of predecessors in that part; [0] unused */
    int32_t *open;    /* vertices with label 0 */
    int32_t *place;   /* by vertex: index in open */
    int32_t nopen;
    int64_t worth[3], cost;
    relabelled *trail; /* changes of the current move */
    int32_t ntrail, trail_space;
    int32_t *stack, *region;
    uint8_t *in_region;
    int32_t *changed; /* vertices whose label may differ from the best solution */
    uint8_t *is_changed;
    int32_t nchanged;
} moves;

static int64_t value_of(const moves *m)
{
    return (m->worth[1] < m->worth[2] ? m->worth[1] : m->worth[2]) - m->cost;
}

static int64_t score_of(const moves *m)
{
    return sharpness * value_of(m) + m->worth[1] + m->worth[2];
}

/* ---- Labels ----------------------------------------------------------------------------- */

static void set_open(moves *m, int32_t v, bool open)
{
    if (open) {
        m->place[v] = m->nopen;
        m->open[m->nopen++] = v;
    } else {
        int32_t last = m->open[--m->nopen];
        m->open[m->place[v]] = last;
        m->place[last] = m->place[v];
    }
}

static void set_label(moves *m, int32_t v, int32_t label)
{
    const clv_two_way_instance *t = m->t;
    const clv_graph *g = t->g;
    int32_t old = m->label[v];
    int32_t *lost = m->held[old], *won = m->held[label];
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        lost[g->adj[a]]--;
        won[g->adj[a]]++;
    }
    m->t->steps -= 2 + g->xadj[v + 1] - g->xadj[v];
    m->worth[old] -= t->worth[v];
    m->worth[label] += t->worth[v];
    m->cost += t->cost[label][v] - t->cost[old][v];
    if (old == 0 || label == 0)
        set_open(m, v, label == 0);
    m->label[v] = label;
    if (!m->is_changed[v]) {
        m->is_changed[v] = 1;
        m->changed[m->nchanged++] = v;
    }
}

static void relabel(moves *m, int32_t v, int32_t label)
{
    m->trail[m->ntrail++] = (relabelled){v, m->label[v]};
    set_label(m, v, label);
}

static void take_back(moves *m)
{
    while (m->ntrail > 0) {
        relabelled was = m->trail[--m->ntrail];
        set_label(m, was.vertex, was.label);
    }
}

static void save_best(moves *m)
{
    clv_two_way_instance *t = m->t;
    for (int32_t i = 0; i < m->nchanged; i++) {
        t->best[m->changed[i]] = m->label[m->changed[i]];
        m->is_changed[m->changed[i]] = 0;
    }
    m->nchanged = 0;
    t->best_value = value_of(m);
    t->best_total = m->worth[1] + m->worth[2];
}

/* Restores the best solution. */
static void load_best(moves *m)
{
    while (m->nchanged > 0) {
        int32_t v = m->changed[m->nchanged - 1];
        if (m->label[v] != m->t->best[v])
            set_label(m, v, m->t->best[v]);
        m->nchanged--;
        m->is_changed[v] = 0;
    }
}

/* ---- Moves ------------------------------------------------------------------------------ */

/* Removes v and its descendants from their part. */
static void drop_vertex(moves *m, int32_t v)
{
    const clv_graph *g = m->t->g;
    int32_t depth = 0, part = m->label[v];
    relabel(m, v, 0);
    m->stack[depth++] = v;
    while (depth > 0) {
        int32_t u = m->stack[--depth];
        for (int64_t a = g->xadj[u]; a < g->xadj[u + 1]; a++)
            if (m->label[g->adj[a]] == part) {
                relabel(m, g->adj[a], 0);
                m->stack[depth++] = g->adj[a];
            }
    }
}

/* Collects v and its ancestors that are not in the part; 0: more than `most`. */
static int32_t collect_region(moves *m, int32_t v, int32_t part, int32_t most)
{
    const clv_graph *g = m->t->g;
    int32_t size = 0;
    m->region[size++] = v;
    m->in_region[v] = 1;
    for (int32_t i = 0; i < size && size <= most; i++) {
        int32_t u = m->region[i];
        m->t->steps -= 1 + g->xpred[u + 1] - g->xpred[u];
        for (int64_t a = g->xpred[u]; a < g->xpred[u + 1]; a++) {
            int32_t w = g->pred[a];
            if (m->label[w] == part || m->in_region[w])
                continue;
            m->in_region[w] = 1;
            m->region[size++] = w;
        }
    }
    for (int32_t i = 0; i < size; i++)
        m->in_region[m->region[i]] = 0;
    return size <= most ? size : 0;
}

/* Adds the vertices whose predecessors are now all in the part. */
static void grow_region(moves *m, int32_t size, int32_t part)
{
    const clv_two_way_instance *t = m->t;
    const clv_graph *g = t->g;
    int32_t depth = 0;
    for (int32_t i = 0; i < size; i++)
        m->stack[depth++] = m->region[i];
    while (depth > 0) {
        int32_t u = m->stack[--depth];
        m->t->steps -= g->xadj[u + 1] - g->xadj[u];
        for (int64_t a = g->xadj[u]; a < g->xadj[u + 1]; a++) {
            int32_t w = g->adj[a];
            if (m->label[w] != 0 || m->held[part][w] < g->xpred[w + 1] - g->xpred[w] ||
                t->cost[part][w] > t->worth[w])
                continue;
            relabel(m, w, part);
            m->stack[depth++] = w;
        }
    }
}

static bool claim_vertex(moves *m, int32_t v, int32_t part, int32_t most)
{
    int32_t size = collect_region(m, v, part, most);
    for (int32_t i = 0; i < size; i++)
        if (m->label[m->region[i]] != 0)
            drop_vertex(m, m->region[i]);
    for (int32_t i = 0; i < size; i++)
        relabel(m, m->region[i], part);
    grow_region(m, size, part);
    return size > 0;
}

/* A vertex to claim: usually one with label 0 and a predecessor in a part. */
static int32_t draw_vertex(moves *m)
{
    int32_t v = (int32_t)clv_rng_below(&m->rng, (uint32_t)m->t->nvtx);
    if (m->nopen == 0 || clv_rng_below(&m->rng, 4) == 0)
        return v;
    for (int i = 0; i < most_picks; i++) {
        v = m->open[clv_rng_below(&m->rng, (uint32_t)m->nopen)];
        if (m->held[1][v] + m->held[2][v] > 0)
            break;
    }
    return v;
}

static void make_move(moves *m)
{
    const clv_two_way_instance *t = m->t;
    int32_t v = draw_vertex(m), part = m->worth[2] < m->worth[1] ? 2 : 1;
    if (t->costs && m->label[v] != 0 && t->cost[m->label[v]][v] > 0 &&
        clv_rng_below(&m->rng, 2) == 0) {
        drop_vertex(m, v);
        return;
    }
    if (m->label[v] != 0)
        part = 3 - m->label[v];
    else if (clv_rng_below(&m->rng, 4) == 0)
        part = 3 - part;
    claim_vertex(m, v, part, 1 << (1 + clv_rng_below(&m->rng, widest)));
}

/* ---- Rounds ----------------------------------------------------------------------------- */

static void search_round(moves *m, int64_t steps)
{
    clv_two_way_instance *t = m->t;
    int64_t past[memory], score = score_of(m), end = t->steps - steps;
    for (int i = 0; i < memory; i++)
        past[i] = score;
    for (int64_t i = 0; t->steps > end && t->best_value < t->limit; i++) {
        if (i % stop_interval == 0 && !clv_two_way_goes_on(t))
            return;
        m->ntrail = 0;
        make_move(m);
        t->steps -= 8;
        int64_t next = score_of(m);
        if (next < score && next < past[i % memory])
            take_back(m);
        else
            score = next;
        if (score > past[i % memory])
            past[i % memory] = score;
        if (clv_two_way_better(t, value_of(m), m->worth[1] + m->worth[2]))
            save_best(m);
    }
}

/* Removes vertices that cost more than they contribute, in reverse order. */
static void trim_vertices(moves *m)
{
    const clv_two_way_instance *t = m->t;
    for (int32_t i = t->nvtx - 1; i >= 0 && t->steps > 0; i--) {
        int32_t v = t->order[i];
        int64_t value = value_of(m);
        if (m->label[v] == 0 || t->cost[m->label[v]][v] == 0)
            continue;
        m->ntrail = 0;
        drop_vertex(m, v);
        if (value_of(m) <= value)
            take_back(m);
    }
    if (clv_two_way_better(t, value_of(m), m->worth[1] + m->worth[2]))
        save_best(m);
}

static bool init_moves(moves *m)
{
    clv_two_way_instance *t = m->t;
    clv_ws *ws = t->ctx->ws;
    int64_t n = t->nvtx;
    m->label = clv_ws_zalloc(ws, n, sizeof *m->label);
    bool enough = m->label != NULL;
    for (int i = 0; i < 3; i++) {
        m->held[i] = clv_ws_zalloc(ws, n, sizeof *m->held[i]);
        enough = enough && m->held[i];
    }
    m->open = clv_ws_alloc(ws, n, sizeof *m->open);
    m->place = clv_ws_alloc(ws, n, sizeof *m->place);
    /* A move changes a vertex at most twice: out of one part, into the other. */
    m->trail = clv_ws_alloc(ws, 2 * n, sizeof *m->trail);
    m->stack = clv_ws_alloc(ws, 2 * n, sizeof *m->stack);
    m->region = clv_ws_alloc(ws, n, sizeof *m->region);
    m->in_region = clv_ws_zalloc(ws, n, 1);
    m->changed = clv_ws_alloc(ws, n, sizeof *m->changed);
    m->is_changed = clv_ws_zalloc(ws, n, 1);
    if (!enough || !m->open || !m->place || !m->trail || !m->stack || !m->region ||
        !m->in_region || !m->changed || !m->is_changed)
        return false;
    for (int32_t v = 0; v < t->nvtx; v++)
        set_open(m, v, true);
    for (int32_t v = 0; v < t->nvtx; v++)
        if (t->best[v] != 0)
            set_label(m, v, t->best[v]);
    load_best(m);
    return true;
}

/* The first rounds start with the starts that are not far behind, best first; later rounds
 * with the best solution, perturbed. */
static void begin_round(moves *m, int round)
{
    enum { shakes = 3 };
    clv_two_way_instance *t = m->t;
    if (round < t->nstarts) {
        for (int32_t v = 0; v < t->nvtx; v++)
            if (m->label[v] != t->start[round][v])
                set_label(m, v, t->start[round][v]);
        return;
    }
    load_best(m);
    for (int i = 0; i < shakes && round > t->nstarts; i++) {
        m->ntrail = 0;
        make_move(m);
    }
}

cleave_status clv_two_way_local(clv_two_way_instance *t, cleave_error *err)
{
    enum { last_rounds = 4 };
    moves m = {.t = t};
    clv_ws_mark mark = clv_ws_save(t->ctx->ws);
    bool enough = init_moves(&m);
    int rounds = t->nstarts + last_rounds;
    int64_t first_steps = t->nstarts > 0 ? t->steps / 3 / t->nstarts : 0;
    int64_t last_steps = t->steps / 3 * 2 / last_rounds;
    for (int round = 0; enough && round < rounds && clv_two_way_goes_on(t); round++) {
        m.rng = clv_rng_make(t->ctx->seed, stage, 0, (uint64_t)round);
        begin_round(&m, round);
        if (t->costs)
            trim_vertices(&m);
        search_round(&m, round < t->nstarts ? first_steps : last_steps);
        if (t->costs)
            trim_vertices(&m);
    }
    clv_ws_restore(t->ctx->ws, mark);
    return enough ? CLEAVE_OK : clv_fail_memory(err);
}
