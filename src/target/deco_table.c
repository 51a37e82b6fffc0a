/* SPDX-License-Identifier: Apache-2.0 */
/* target/deco_table.c - the table of distances between many PEs of a large graph.
 *
 * The PEs of a mapping are close together: one search from each finds the others after
 * visiting a small number of arcs per PE, while a separate search for every pair visits
 * hundreds.  A search that would go far ends early; clv_deco_levels_between finds the
 * remaining distances. */
#include <string.h>

#include "base/queue.h"
#include "target/deco_levels.h"

enum { arcs_per_pe = 128 };

typedef struct searching {
    const clv_deco_level *level; /* the first: the graph itself */
    int32_t count;               /* number of PEs in the table */
    const int32_t *list;
    int32_t *index; /* by vertex: its index in list; -1: none */
    int64_t *far;   /* by vertex; -1: not reached */
    int32_t *order; /* the reached vertices; without lengths nearest first */
    int32_t reached;
    clv_heap heap; /* with lengths: by the negative distance */
    int32_t *table;
} searching;

static void reach(searching *s, int32_t v, int64_t far)
{
    if (s->far[v] < 0)
        s->order[s->reached++] = v;
    s->far[v] = far;
    if (s->level->exact)
        clv_heap_set(&s->heap, v, -far);
}

/* The nearest unvisited vertex, after `done` others; -1: none. */
static int32_t take_nearest(searching *s, int32_t done)
{
    if (s->level->exact)
        return s->heap.count > 0 ? clv_heap_pop(&s->heap) : -1;
    return done < s->reached ? s->order[done] : -1;
}

static void keep(searching *s, int64_t from, int32_t v)
{
    int64_t to = s->index[v], n = s->count;
    if (to >= 0 && to != from && s->far[v] <= INT32_MAX)
        s->table[from * n + to] = s->table[to * n + from] = (int32_t)s->far[v];
}

static void search_from(searching *s, int32_t from)
{
    const clv_deco_level *g = s->level;
    int64_t arcs = 0, most = (int64_t)arcs_per_pe * s->count;
    int32_t found = 0, v;
    s->reached = 0;
    reach(s, s->list[from], 0);
    for (int32_t done = 0; arcs < most && (v = take_nearest(s, done)) >= 0; done++) {
        keep(s, from, v);
        found += s->index[v] >= 0;
        if (found == s->count)
            break;
        arcs += g->xadj[v + 1] - g->xadj[v];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int64_t far = s->far[v] + (g->exact ? g->exact[a] : 1);
            if (s->far[g->adj[a]] < 0 || far < s->far[g->adj[a]])
                reach(s, g->adj[a], far);
        }
    }
    while (g->exact && s->heap.count > 0)
        clv_heap_pop(&s->heap);
    for (int32_t i = 0; i < s->reached; i++)
        s->far[s->order[i]] = -1;
}

cleave_status clv_deco_levels_table(const clv_deco_levels *d, int32_t count,
                                    const int32_t *list, int32_t *table, clv_ws *ws,
                                    cleave_error *err)
{
    int32_t n = d->level[0].nvtx;
    searching s = {.level = &d->level[0], .count = count, .list = list, .table = table};
    clv_ws_mark mark = clv_ws_save(ws);
    s.index = clv_ws_alloc(ws, n, sizeof *s.index);
    s.far = clv_ws_alloc(ws, n, sizeof *s.far);
    s.order = clv_ws_alloc(ws, n, sizeof *s.order);
    if (!s.index || !s.far || !s.order)
        return clv_fail_memory(err);
    if (s.level->exact)
        CLV_TRY(clv_heap_init(&s.heap, n, ws, err));
    memset(table, 0xff, (size_t)count * (size_t)count * sizeof *table);
    memset(s.index, 0xff, (size_t)n * sizeof *s.index);
    memset(s.far, 0xff, (size_t)n * sizeof *s.far);
    for (int32_t i = 0; i < count; i++)
        s.index[list[i]] = i;
    for (int32_t i = 0; i < count; i++)
        search_from(&s, i);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
