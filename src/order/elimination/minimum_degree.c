/* SPDX-License-Identifier: Apache-2.0 */
/* order/elimination/minimum_degree.c - an elimination order with small fill.
 *
 * The quotient graph [Amestoy, Davis, Duff, SIAM J. Matrix Anal. 1996]: an eliminated pivot
 * becomes an element, whose list has the variables that its elimination made a clique; the
 * list of a variable i has the elements and variables adjacent to i.  Invariants between
 * steps:
 *  - weight[i] > 0 for a principal variable (it represents that many vertices), 0 if it was
 *    merged, was eliminated or is dense;
 *  - the list of i in `lists`: elements[i] elements, then variables, length[i] in total; an
 *    edge between two variables of one element is dropped;
 *  - the list of an element is in `pool`; elements absorbed by a later one are dead.
 * A variable's list never exceeds its initial size: when a pivot is added to it, the pivot as
 * a variable, or an element that the pivot absorbed, is removed. */
#include "order/elimination/minimum_degree.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"

enum { pivots_between_clocks = 1024 };

typedef struct quotient {
    int32_t nvtx, ninner; /* variables from ninner on are the halo: never eliminated */
    int32_t left;         /* vertices not yet eliminated, without dense ones */
    int32_t outside;      /* vertices of the halo */
    int32_t *weight;
    int32_t *degree; /* approximate, external; of an element: weight of its list */
    int64_t *start;  /* of i's list in `lists`, of an element's in `pool` */
    int32_t *length, *elements;
    int32_t *lists;
    bool *alive;   /* as an element */
    int32_t *pool; /* blocks: owner, length, entries */
    int64_t used, room;
    int32_t total; /* vertices in total */
    int32_t *head; /* by degree: the first variable; -1: none */
    int32_t *next, *prev;
    int32_t lowest; /* no variable has a smaller degree */
    int64_t *mark;  /* by element or variable, relative to `now` */
    int64_t now;
    uint64_t *hash; /* of i's list */
    int32_t *slot;  /* hash table of the pivot's variables; -1: empty */
    int32_t *chain;
    int32_t *follows; /* the vertices of a variable as a linked list; -1: the last */
    int32_t *tail;    /* its last vertex; -1: dense */
} quotient;

/* ---- Variables by degree ----------------------------------------------------------- */

/* Variables of the halo are never pivots, so they are not in the degree lists. */
static void enqueue(quotient *q, int32_t i)
{
    if (i >= q->ninner)
        return;
    int32_t d = q->degree[i];
    q->prev[i] = -1;
    q->next[i] = q->head[d];
    if (q->head[d] >= 0)
        q->prev[q->head[d]] = i;
    q->head[d] = i;
    if (d < q->lowest)
        q->lowest = d;
}

static void dequeue(quotient *q, int32_t i)
{
    if (i >= q->ninner)
        return;
    if (q->prev[i] >= 0)
        q->next[q->prev[i]] = q->next[i];
    else
        q->head[q->degree[i]] = q->next[i];
    if (q->next[i] >= 0)
        q->prev[q->next[i]] = q->prev[i];
}

/* Merges variable j into i. */
static void merge_variable(quotient *q, int32_t i, int32_t j)
{
    q->follows[q->tail[i]] = j;
    q->tail[i] = q->tail[j];
    q->weight[j] = 0;
}

/* ---- Storage of element lists --------------------------------------------------------- */

static void compact_pool(quotient *q)
{
    int64_t to = 0;
    for (int64_t from = 0; from < q->used;) {
        int32_t owner = q->pool[from], count = q->pool[from + 1], kept = 0;
        const int32_t *entry = q->pool + from + 2;
        from += count + 2;
        if (!q->alive[owner])
            continue;
        for (int32_t k = 0; k < count; k++)
            if (q->weight[entry[k]] > 0)
                q->pool[to + 2 + kept++] = entry[k];
        q->pool[to] = owner;
        q->pool[to + 1] = kept;
        q->start[owner] = to + 2;
        q->length[owner] = kept;
        to += kept + 2;
    }
    q->used = to;
}

/* To be called between steps only, when the invariant on the weights holds. */
static cleave_status make_room(quotient *q, int64_t count, cleave_error *err)
{
    if (q->used + count + 2 <= q->room)
        return CLEAVE_OK;
    compact_pool(q);
    if (q->used + count + 2 <= q->room)
        return CLEAVE_OK;
    int64_t room = 2 * (q->used + count + 2);
    int32_t *pool = clv_realloc(q->pool, room, sizeof *pool);
    if (!pool)
        return clv_fail_memory(err);
    q->pool = pool;
    q->room = room;
    return CLEAVE_OK;
}

/* ---- One step ------------------------------------------------------------------------ */

/* Moves the principal variables among `count` entries to the pivot's list, and marks them by
 * negative weights; returns their total weight. */
static int32_t gather_variables(quotient *q, const int32_t *entry, int32_t count,
                                int32_t *list, int32_t *length)
{
    int32_t sum = 0;
    for (int32_t k = 0; k < count; k++) {
        int32_t i = entry[k], w = q->weight[i];
        if (w <= 0)
            continue;
        sum += w;
        q->weight[i] = -w;
        dequeue(q, i);
        list[(*length)++] = i;
    }
    return sum;
}

/* Turns pivot p into an element that absorbs the adjacent elements. */
static cleave_status form_element(quotient *q, int32_t p, cleave_error *err)
{
    const int32_t *own = q->lists + q->start[p];
    int32_t elements = q->elements[p], variables = q->length[p] - elements;
    int64_t most = variables;
    for (int32_t k = 0; k < elements; k++)
        most += q->alive[own[k]] ? q->length[own[k]] : 0;
    CLV_TRY(make_room(q, most, err));
    int32_t *list = q->pool + q->used + 2, length = 0, sum = 0;
    int32_t w = q->weight[p];
    q->weight[p] = 0;
    for (int32_t k = 0; k < elements; k++) {
        int32_t e = own[k];
        if (!q->alive[e])
            continue;
        sum += gather_variables(q, q->pool + q->start[e], q->length[e], list, &length);
        q->alive[e] = false;
    }
    sum += gather_variables(q, own + elements, variables, list, &length);
    q->left -= w;
    q->start[p] = q->used + 2;
    q->length[p] = length;
    q->degree[p] = sum;
    q->alive[p] = true;
    return CLEAVE_OK;
}

/* mark[e] - now becomes the weight of the part of element e outside the list of pivot p. */
static void weigh_elements(quotient *q, int32_t p)
{
    const int32_t *list = q->pool + q->start[p];
    q->now += (int64_t)q->total + 1;
    for (int32_t k = 0; k < q->length[p]; k++) {
        int32_t i = list[k], w = -q->weight[i];
        const int32_t *entry = q->lists + q->start[i];
        for (int32_t m = 0; m < q->elements[i]; m++) {
            int32_t e = entry[m];
            if (!q->alive[e])
                continue;
            if (q->mark[e] < q->now)
                q->mark[e] = q->now + q->degree[e];
            q->mark[e] -= w;
        }
    }
}

/* Updates the list of i, a variable of pivot p: removes dead entries and those that p covers,
 * adds p.  Sets hash[i]; returns the approximate degree of i outside p's list. */
static int64_t clean_list(quotient *q, int32_t p, int32_t i)
{
    int32_t *list = q->lists + q->start[i], elements = 0, kept = 0;
    int64_t degree = 0;
    uint64_t hash = 0;
    for (int32_t k = 0; k < q->elements[i]; k++) {
        int32_t e = list[k];
        if (q->alive[e] && q->mark[e] == q->now)
            q->alive[e] = false; /* aggressive absorption: no part of it is outside p */
        if (!q->alive[e])
            continue;
        degree += q->mark[e] - q->now;
        hash += clv_hash64((uint64_t)e);
        list[kept++] = e;
    }
    elements = kept;
    for (int32_t k = q->elements[i]; k < q->length[i]; k++) {
        int32_t j = list[k];
        if (q->weight[j] <= 0)
            continue;
        degree += q->weight[j];
        hash += clv_hash64((uint64_t)j);
        list[kept++] = j;
    }
    /* p becomes the first element; the element it displaces moves to the end of the elements,
     * and the variable there to the end of the list. */
    list[kept] = list[elements];
    list[elements] = list[0];
    list[0] = p;
    q->elements[i] = elements + 1;
    q->length[i] = kept + 1;
    q->hash[i] = hash;
    return degree;
}

static bool same_lists(quotient *q, int32_t i, int32_t j)
{
    if (q->hash[i] != q->hash[j] || (i < q->ninner) != (j < q->ninner) ||
        q->length[i] != q->length[j] || q->elements[i] != q->elements[j])
        return false;
    q->now++;
    for (int32_t k = 0; k < q->length[i]; k++)
        q->mark[q->lists[q->start[i] + k]] = q->now;
    for (int32_t k = 0; k < q->length[j]; k++)
        if (q->mark[q->lists[q->start[j] + k]] != q->now)
            return false;
    return true;
}

/* Merges i into an indistinguishable variable of the same pivot, if there is one. */
static void merge_twin(quotient *q, int32_t i)
{
    int32_t *slot = &q->slot[q->hash[i] % (uint64_t)q->nvtx];
    for (int32_t j = *slot; j >= 0; j = q->chain[j])
        if (same_lists(q, i, j)) {
            q->weight[j] += q->weight[i]; /* both negative */
            merge_variable(q, j, i);
            return;
        }
    q->chain[i] = *slot;
    *slot = i;
}

/* Updates lists and degrees of the pivot's variables, without the part of the degree inside
 * p's list. */
static void update_variables(quotient *q, int32_t p)
{
    const int32_t *list = q->pool + q->start[p];
    weigh_elements(q, p);
    for (int32_t k = 0; k < q->length[p]; k++) {
        int32_t i = list[k];
        int64_t degree = clean_list(q, p, i);
        if (q->length[i] == 1 && i < q->ninner) { /* mass elimination: only p is adjacent, so
                                                     it is eliminated now, without more fill */
            q->left += q->weight[i];
            q->degree[p] += q->weight[i];
            merge_variable(q, p, i);
        } else if (degree < q->degree[i]) {
            q->degree[i] = (int32_t)degree;
        }
    }
    q->now += (int64_t)q->total + 1;
    for (int32_t k = 0; k < q->length[p]; k++)
        if (q->weight[list[k]] < 0)
            merge_twin(q, list[k]);
}

/* Reinserts the pivot's variables into the degree lists and closes its list. */
static void finish_element(quotient *q, int32_t p)
{
    int32_t *list = q->pool + q->start[p], kept = 0;
    for (int32_t k = 0; k < q->length[p]; k++) {
        int32_t i = list[k];
        q->slot[q->hash[i] % (uint64_t)q->nvtx] = -1;
        if (q->weight[i] == 0)
            continue;
        int32_t w = q->weight[i] = -q->weight[i];
        int64_t degree = (int64_t)q->degree[i] + q->degree[p] - w;
        int32_t most = q->left + q->outside - w;
        q->degree[i] = degree < most ? (int32_t)degree : most;
        enqueue(q, i);
        list[kept++] = i;
    }
    q->length[p] = kept;
    q->alive[p] = kept > 0;
    if (kept > 0) {
        q->pool[q->used] = p;
        q->pool[q->used + 1] = kept;
        q->used += kept + 2;
    }
}

static int32_t next_pivot(quotient *q)
{
    while (q->head[q->lowest] < 0)
        q->lowest++;
    int32_t p = q->head[q->lowest];
    dequeue(q, p);
    return p;
}

/* ---- Initialisation and main loop ---------------------------------------------------- */

static bool allocate(quotient *q, const clv_minimum_degree_task *task, clv_ws *ws)
{
    const clv_graph *g = task->g;
    int64_t n = g->nvtx, total = n;
    if (task->copies) {
        total = 0;
        for (int32_t v = 0; v < g->nvtx; v++)
            total += task->copies[v];
    }
    int32_t **ints[] = {&q->weight, &q->degree, &q->length, &q->elements, &q->next,
                        &q->prev,   &q->slot,   &q->chain,  &q->follows,  &q->tail};
    bool ok = true;
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++)
        ok = ok && (*ints[i] = clv_ws_alloc(ws, n, sizeof **ints[i]));
    q->head = clv_ws_alloc(ws, total + 1, sizeof *q->head);
    q->start = clv_ws_alloc(ws, n, sizeof *q->start);
    q->lists = clv_ws_alloc(ws, g->narc, sizeof *q->lists);
    q->alive = clv_ws_zalloc(ws, n, sizeof *q->alive);
    q->mark = clv_ws_zalloc(ws, n, sizeof *q->mark);
    q->hash = clv_ws_alloc(ws, n, sizeof *q->hash);
    q->room = g->narc + 2;
    q->pool = clv_alloc(q->room, sizeof *q->pool);
    q->total = (int32_t)total;
    return ok && q->head && q->start && q->lists && q->alive && q->mark && q->hash && q->pool;
}

/* Dense vertices are excluded: their lists would be scanned at each elimination of a
 * neighbour, and their position in the order hardly matters. */
static void set_up(quotient *q, const clv_minimum_degree_task *task)
{
    const clv_graph *g = task->g;
    double dense = 10 * sqrt((double)g->nvtx);
    q->nvtx = g->nvtx;
    q->ninner = task->ninner;
    if (g->narc > 0)
        memcpy(q->lists, g->adj, (size_t)g->narc * sizeof *q->lists);
    for (int32_t d = 0; d <= q->total; d++)
        q->head[d] = -1;
    for (int32_t i = 0; i < g->nvtx; i++) {
        int64_t degree = g->xadj[i + 1] - g->xadj[i];
        bool is_dense = task->dense && degree > 16 && (double)degree > dense;
        q->weight[i] = is_dense ? 0 : task->copies ? task->copies[i] : 1;
        *(i < q->ninner ? &q->left : &q->outside) += q->weight[i];
        q->start[i] = g->xadj[i];
        q->length[i] = (int32_t)degree;
        q->elements[i] = 0;
        q->slot[i] = q->follows[i] = -1;
        q->tail[i] = is_dense ? -1 : i;
    }
    for (int32_t i = g->nvtx - 1; i >= 0; i--) {
        q->degree[i] = 0;
        for (int64_t a = g->xadj[i]; a < g->xadj[i + 1]; a++)
            q->degree[i] += q->weight[g->adj[a]];
        if (q->weight[i])
            enqueue(q, i);
    }
}

/* After a timeout: appends the remaining vertices by number. */
static cleave_status place_rest(const quotient *q, int32_t place, clv_ws *ws, int32_t *order,
                                cleave_error *err)
{
    uint8_t *placed = clv_ws_zalloc(ws, q->ninner, sizeof *placed);
    if (!placed)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < place; i++)
        placed[order[i]] = 1;
    for (int32_t v = 0; v < q->ninner; v++)
        if (!placed[v])
            order[place++] = v;
    return CLEAVE_OK;
}

static cleave_status eliminate_all(quotient *q, clv_context *ctx, clv_ws *ws, int32_t *order,
                                   cleave_error *err)
{
    int32_t place = 0;
    for (int64_t pivots = 0; q->left > 0; pivots++) {
        if (ctx && pivots % pivots_between_clocks == 0 && clv_context_stop(ctx))
            return place_rest(q, place, ws, order, err);
        int32_t p = next_pivot(q);
        CLV_TRY(form_element(q, p, err));
        update_variables(q, p);
        finish_element(q, p);
        for (int32_t v = p; v >= 0; v = q->follows[v])
            order[place++] = v;
    }
    for (int32_t v = 0; v < q->ninner; v++)
        if (q->tail[v] < 0)
            order[place++] = v;
    return CLEAVE_OK;
}

cleave_status clv_minimum_degree(const clv_minimum_degree_task *task, clv_ws *ws,
                                 int32_t *order, cleave_error *err)
{
    quotient q = {.nvtx = 0};
    clv_ws_mark mark = clv_ws_save(ws);
    cleave_status status = CLEAVE_OK;
    if (!allocate(&q, task, ws)) {
        status = clv_fail_memory(err);
    } else {
        set_up(&q, task);
        if (task->ctx)
            clv_context_count(task->ctx, task->g->narc);
        status = eliminate_all(&q, task->ctx, ws, order, err);
    }
    clv_sys_free(q.pool);
    clv_ws_restore(ws, mark);
    return status;
}
