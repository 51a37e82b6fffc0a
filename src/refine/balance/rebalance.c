/* SPDX-License-Identifier: Apache-2.0 */
/* refine/balance/rebalance.c - greedy rebalancing by loss per unit of weight
 * [Maas, Gottesbueren, Seemaier 2024], with lazily corrected keys.
 *
 * One loop serves all cases.  It keeps candidates in a queue, best key first.  A key can be
 * outdated: the top is evaluated again and goes back when another candidate is better.
 * The possible moves of a candidate depend on the goal:
 *   unload   leave a part above its bounds for one with capacity
 *   fill     enter a part that is empty or below its bounds
 *   push     leave a part above its bounds for any part, which may then be overloaded
 * A move is made only if it reduces the overload, so that the loop terminates. */
#include "refine/balance/rebalance.h"

#include <string.h>

#include "refine/gain/lazy_queue.h"
#include "refine/gain/mapping_gain.h"

enum {
    most_rounds = 32,
    most_pushes = 8, /* limit on moves in multiples of the number of vertices, for huge
                        weights */
    most_roomy = 32, /* non-adjacent parts considered for a vertex */
    few_parts = 256,
    few_moves = 8,
    many_parts = 1 << 15,  /* beyond, the scan continues until it finds parts with capacity */
    most_looks = 1000,     /* limit on neighbours of a moved vertex to evaluate */
    arcs_per_look = 64,    /* work credit that a moved neighbour adds */
    first_capacity = 256,  /* of the log */
    looks_at_once = 16384, /* vertices; as many are evaluated in parallel */
    grain = 512
};

typedef enum goal { UNLOAD, FILL, PUSH } goal;

typedef struct offer { /* the best move of a vertex */
    int64_t key, gain;
    int32_t v, to; /* to -1: nothing */
} offer;

typedef struct balancer {
    clv_partition_state *s;
    clv_context *ctx;
    clv_neighbour_parts *f; /* one per thread */
    goal goal;
    clv_lazy_queue queue;
    int32_t roomy[most_roomy]; /* non-adjacent parts that v can move to */
    int32_t nroomy;
    int32_t next_part;    /* with very many parts: where the scan for capacity continues */
    int64_t too_heavy;    /* one constraint: no part has capacity for this weight any more */
    int64_t moves, fresh; /* fresh: moves when roomy was computed */
    int64_t credit;       /* arcs of vertices that can still be evaluated again */
    /* UNLOAD only.  By vertex: an upper bound on the gain of its best move, for those with the
     * flag `known`; changes are flagged, too. */
    int64_t *gain;
    uint8_t *flags, known, changed;
    bool bulk; /* boundary only: from hints, and with a log */
    clv_rebalance_log *log;
} balancer;

/* ---- Parts --------------------------------------------------------------------------- */

static bool is_under(const clv_partition_state *s, int32_t p)
{
    int32_t ncon = s->g->ncon;
    if (clv_state_is_wanting(s, p))
        return true;
    for (int32_t c = 0; s->bounds.min && c < ncon; c++)
        if (s->weight[(int64_t)p * ncon + c] < s->bounds.min[(int64_t)p * ncon + c])
            return true;
    return false;
}

/* Whether v can help towards the goal. */
static bool is_concerned(const balancer *b, int32_t v)
{
    const clv_partition_state *s = b->s;
    if (clv_state_is_fixed(s, v))
        return false;
    if (b->goal == FILL)
        return s->count[s->part[v]] > 1 && !is_under(s, s->part[v]);
    return clv_state_is_over(s, s->part[v]);
}

/* The priority of non-adjacent parts, smallest first.  FILL: minus the deficit; one
 * constraint: minus the remaining capacity, so that the first part tells whether any has
 * capacity; else the load in 2^-20 of the upper bounds, the maximum over the constraints. */
static int64_t fullness(const balancer *b, int32_t p)
{
    const clv_partition_state *s = b->s;
    int32_t ncon = s->g->ncon;
    int64_t worst = b->goal == FILL ? 0 : INT64_MIN;
    if (b->goal == UNLOAD && ncon == 1)
        return s->weight[p] - s->bounds.max[p];
    for (int32_t c = 0; c < ncon; c++) {
        int64_t i = (int64_t)p * ncon + c, w = s->weight[i], max = s->bounds.max[i];
        if (b->goal == FILL) {
            worst -= s->bounds.min && w < s->bounds.min[i] ? s->bounds.min[i] - w : 0;
            continue;
        }
        for (; max >= INT64_C(1) << 40 || w >= INT64_C(1) << 40; max >>= 1)
            w >>= 1;
        int64_t full = max > 0 ? (w << 20) / max : INT64_MAX;
        worst = full > worst ? full : worst;
    }
    return worst - (b->goal == FILL && s->count[p] == 0);
}

/* Inserts part p into the short list of the parts with the most remaining capacity (FILL: with
 * the largest deficit); key: their priority. */
static void insert_roomy(balancer *b, int32_t p, int64_t *key)
{
    if (b->goal == FILL ? !is_under(b->s, p) : clv_state_is_over(b->s, p))
        return;
    int64_t full = fullness(b, p);
    int32_t i = b->nroomy;
    if (i == most_roomy && full >= key[i - 1])
        return;
    if (i < most_roomy)
        b->nroomy++;
    else
        i--;
    for (; i > 0 && key[i - 1] > full; i--) {
        key[i] = key[i - 1];
        b->roomy[i] = b->roomy[i - 1];
    }
    key[i] = full;
    b->roomy[i] = p;
}

/* The parts with the most remaining capacity among all parts. */
static void find_roomy(balancer *b)
{
    int64_t key[most_roomy];
    b->nroomy = 0;
    b->fresh = b->moves;
    b->s->parts_looked_at += b->s->bounds.nparts;
    for (int32_t p = 0; p < b->s->bounds.nparts; p++)
        insert_roomy(b, p, key);
}

/* Parts with capacity among very many: the scan continues where the last one ended, until it
 * finds enough of them, so that its time is proportional to the moves while there is any. */
static void find_next_roomy(balancer *b)
{
    const int64_t just_full = 1 << 20;
    int64_t key[most_roomy];
    int32_t looked = 0;
    b->nroomy = 0;
    b->fresh = b->moves;
    for (; looked < b->s->bounds.nparts; looked++) {
        bool enough = b->nroomy == most_roomy && key[most_roomy - 1] < just_full;
        if (enough && looked % most_roomy == 0)
            break;
        insert_roomy(b, b->next_part, key);
        b->next_part = b->next_part + 1 < b->s->bounds.nparts ? b->next_part + 1 : 0;
    }
    b->s->parts_looked_at += looked;
}

/* Updates the list after some moves; after each one only where that is cheap. */
static bool refresh_roomy(balancer *b)
{
    if (b->moves - b->fresh < (b->s->bounds.nparts <= few_parts ? 1 : few_moves))
        return false;
    if (b->s->bounds.nparts <= many_parts)
        find_roomy(b);
    else
        find_next_roomy(b);
    return true;
}

/* ---- Keys ---------------------------------------------------------------------------- */

/* The relevant weight of v: in the constraints that its part exceeds, or that part `to`
 * lacks. */
static int64_t weight_that_counts(const balancer *b, int32_t v, int32_t to)
{
    const clv_partition_state *s = b->s;
    const clv_graph *g = s->g;
    int64_t sum = 0;
    for (int32_t c = 0; c < g->ncon; c++) {
        int64_t w = clv_graph_vwgt(g, v, c);
        int64_t i = (int64_t)s->part[v] * g->ncon + c, j = (int64_t)to * g->ncon + c;
        if (b->goal == FILL ? s->bounds.min && s->weight[j] < s->bounds.min[j]
                            : s->weight[i] > s->bounds.max[i])
            sum += w;
    }
    return sum;
}

static bool is_allowed(const balancer *b, int32_t v, int32_t to)
{
    const clv_partition_state *s = b->s;
    if (to == s->part[v] || (b->goal == FILL && !is_under(s, to)))
        return false;
    return b->goal == PUSH || clv_state_fits(s, v, to);
}

/* Updates `best` if the move of best->v to part `to` is better. */
static void consider(const balancer *b, offer *best, int32_t to, int64_t gain)
{
    int32_t v = best->v;
    if (!is_allowed(b, v, to))
        return;
    int64_t change = clv_state_overload_change(b->s, v, to);
    if (change >= 0)
        return;
    int64_t key =
        b->goal == PUSH ? -change : clv_rebalance_key(gain, weight_that_counts(b, v, to));
    if (best->to < 0 || key > best->key || (key == best->key && to < best->to)) {
        best->key = key;
        best->gain = gain;
        best->to = to;
    }
}

/* Non-adjacent parts: all cost the same, so the first that can take v is used. */
static void consider_far(const balancer *b, offer *best, int64_t own)
{
    for (int32_t i = 0; i < b->nroomy; i++) {
        consider(b, best, b->roomy[i], -own);
        if (best->to >= 0 && b->goal != PUSH)
            return;
    }
}

/* On a machine: the places of the neighbours, the strongest first, and if those are full all
 * places with capacity. */
static void consider_places(const balancer *b, offer *best, clv_neighbour_parts *f, bool far)
{
    const clv_partition_state *s = b->s;
    int32_t most = clv_strongest_first(f);
    int64_t now = clv_mapping_cost(s->machine, f, s->part[best->v]);
    for (int32_t i = 0; i < f->count && (i < most || best->to < 0); i++)
        if (is_allowed(b, best->v, f->touched[i]))
            consider(b, best, f->touched[i],
                     now - clv_mapping_cost(s->machine, f, f->touched[i]));
    const int32_t *near =
        s->machine->nearest
            ? s->machine->nearest + (int64_t)s->part[best->v] * clv_most_nearest
            : NULL;
    for (int32_t i = 0; near && i < clv_most_nearest && near[i] >= 0; i++)
        if (f->conn[near[i]] == 0 && is_allowed(b, best->v, near[i]))
            consider(b, best, near[i], now - clv_mapping_cost(s->machine, f, near[i]));
    if (!far || (best->to >= 0 && b->goal != PUSH))
        return;
    for (int32_t i = 0; i < b->nroomy; i++)
        consider(b, best, b->roomy[i], now - clv_mapping_cost(s->machine, f, b->roomy[i]));
}

/* The best current move of v; to is -1 when there is none. */
static offer look_at(const balancer *b, clv_neighbour_parts *f, int32_t v)
{
    const clv_partition_state *s = b->s;
    offer best = {.v = v, .to = -1};
    if (!is_concerned(b, v) || (b->goal != FILL && weight_that_counts(b, v, 0) == 0))
        return best;
    clv_neighbour_parts_gather(f, s, v);
    int64_t own = f->conn[s->part[v]];
    bool heavy = s->g->ncon == 1 && clv_graph_vwgt(s->g, v, 0) >= b->too_heavy;
    if (s->machine) {
        consider_places(b, &best, f, b->goal == PUSH || !heavy);
        clv_neighbour_parts_clear(f);
        return best;
    }
    for (int32_t i = 0; i < f->count; i++)
        consider(b, &best, f->touched[i], f->conn[f->touched[i]] - own);
    if (b->goal == PUSH || (best.to < 0 && !heavy))
        consider_far(b, &best, own);
    clv_neighbour_parts_clear(f);
    return best;
}

/* ---- Candidates ---------------------------------------------------------------------- */

/* The low bits of the known gain of v: entries with other bits are outdated. */
static int32_t stamp_of(const balancer *b, int32_t v)
{
    return b->goal == UNLOAD ? (int32_t)(uint32_t)(uint64_t)b->gain[v] : 0;
}

static bool enqueue(balancer *b, int32_t v, int64_t key, int64_t gain)
{
    if (b->goal == UNLOAD) {
        b->flags[v] |= b->known | (gain != b->gain[v] ? b->changed : 0);
        b->gain[v] = gain;
    }
    return clv_lazy_push(&b->queue, v, stamp_of(b, v), key);
}

static bool add_hinted(balancer *b, const clv_rebalance_hints *hints)
{
    for (int32_t i = 0; i < hints->count; i++) {
        int32_t v = hints->list[i];
        if (!is_concerned(b, v))
            continue;
        int64_t w = b->goal == FILL ? 1 : weight_that_counts(b, v, 0);
        if (!clv_lazy_push(&b->queue, v, stamp_of(b, v), clv_rebalance_key(hints->gain[v], w)))
            return false;
    }
    return true;
}

typedef struct looking {
    balancer *b;
    int32_t *list;
    offer *found;
} looking;

static void look_at_range(void *context, int64_t begin, int64_t end, int member)
{
    looking *l = context;
    for (int64_t i = begin; i < end; i++)
        l->found[i] = look_at(l->b, &l->b->f[member], l->list[i]);
}

static bool add_found(balancer *b, looking *l, int32_t count)
{
    if (count == looks_at_once)
        clv_parallel_for(b->ctx->team, count, grain, look_at_range, l);
    else
        look_at_range(l, 0, count, 0);
    for (int32_t i = 0; i < count; i++)
        if (l->found[i].to >= 0 &&
            !enqueue(b, l->found[i].v, l->found[i].key, l->found[i].gain))
            return false;
    return true;
}

/* Evaluates all vertices of the boundary, or all vertices, and keeps those that can help. */
static bool add_all(balancer *b, bool inside)
{
    const clv_partition_state *s = b->s;
    int32_t n = s->g->nvtx, count = 0, most = n < looks_at_once ? n : looks_at_once;
    clv_ws *ws = &b->ctx->ws[0];
    looking l = {b, clv_ws_alloc(ws, most, sizeof l.list[0]),
                 clv_ws_alloc(ws, most, sizeof l.found[0])};
    if (!l.list || !l.found)
        return false;
    for (int32_t v = 0; v < n; v++) {
        if ((inside || s->maybe_boundary[v]) && is_concerned(b, v))
            l.list[count++] = v;
        if (count == looks_at_once || (count > 0 && v == n - 1)) {
            if (!add_found(b, &l, count))
                return false;
            count = 0;
        }
    }
    return true;
}

/* ---- The loop ------------------------------------------------------------------------ */

bool clv_rebalance_note(clv_rebalance_log *log, int32_t v, int32_t part, clv_ws *ws)
{
    if (log->count == log->capacity) {
        int64_t capacity = log->capacity ? 2 * (int64_t)log->capacity : first_capacity;
        capacity = capacity < INT32_MAX ? capacity : INT32_MAX;
        int32_t *move = clv_ws_alloc(ws, 2 * capacity, sizeof move[0]);
        if (!move)
            return false;
        if (log->count > 0)
            memcpy(move, log->move, 2 * (size_t)log->count * sizeof move[0]);
        log->move = move;
        log->capacity = (int32_t)capacity;
    }
    log->move[2 * (int64_t)log->count] = v;
    log->move[2 * (int64_t)log->count + 1] = part;
    log->count++;
    return true;
}

/* Whether u can be evaluated again after a neighbour has moved.  An evaluation scans all arcs
 * of u: hubs wait until enough neighbours have moved to pay for it. */
static bool is_affordable(balancer *b, int32_t u)
{
    int64_t arcs = b->s->g->xadj[u + 1] - b->s->g->xadj[u];
    b->credit += arcs_per_look;
    if (arcs > b->credit)
        return false;
    b->credit -= arcs;
    b->s->touched += arcs;
    return true;
}

/* v has moved away from u over an arc of weight w (on a machine: times the distance of the
 * move).  If u is known, its gain has grown by 2 w at most: this bound is enough until it
 * reaches the top.  Others are evaluated. */
static bool add_neighbour(balancer *b, int32_t u, int64_t w, int32_t *looks)
{
    if (!is_affordable(b, u))
        return true;
    if (b->goal == UNLOAD && (b->flags[u] & b->known)) {
        int64_t gain = b->gain[u] + 2 * w;
        int64_t key = clv_rebalance_key(gain, weight_that_counts(b, u, 0));
        return enqueue(b, u, key, gain);
    }
    if (--*looks < 0)
        return true;
    offer best = look_at(b, &b->f[0], u);
    return best.to < 0 || enqueue(b, u, best.key, best.gain);
}

/* Former neighbours of v lose less by following it now.  Not all neighbours of a hub are
 * evaluated: that would not be linear. */
static bool add_neighbours(balancer *b, int32_t v, int32_t from)
{
    const clv_partition_state *s = b->s;
    const clv_graph *g = s->g;
    int32_t looks = b->goal == FILL && b->bulk ? 0 : most_looks;
    int64_t way = clv_state_cost(s, 1, from, s->part[v]);
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t u = g->adj[a];
        if (b->goal == FILL ? s->part[u] == s->part[v] : s->part[u] != from)
            continue;
        int64_t w = clv_graph_ewgt(g, a) * way;
        if (!clv_state_is_fixed(s, u) && !add_neighbour(b, u, w, &looks))
            return false;
    }
    return true;
}

static bool move(balancer *b, offer best)
{
    clv_partition_state *s = b->s;
    int32_t v = best.v, from = s->part[v];
    clv_context_count(b->ctx, s->g->xadj[v + 1] - s->g->xadj[v]);
    if (b->log && !clv_rebalance_note(b->log, v, from, &b->ctx->ws[0]))
        return false;
    s->cut -= best.gain;
    clv_state_move(s, v, best.to);
    clv_state_mark(s, v);
    b->moves++;
    if (b->goal == PUSH)
        refresh_roomy(b);
    return (b->goal != FILL && !clv_state_is_over(s, from)) || add_neighbours(b, v, from);
}

/* The same as look_at, with another scan of the parts when those known are full. */
static offer look_again(balancer *b, int32_t v)
{
    offer best = look_at(b, &b->f[0], v);
    if (best.to >= 0 || !is_concerned(b, v) || !refresh_roomy(b))
        return best;
    if (b->s->bounds.nparts > many_parts) {
        best = look_at(b, &b->f[0], v);
        if (best.to >= 0)
            return best;
        find_roomy(b);
    }
    int64_t w = clv_graph_vwgt(b->s->g, v, 0);
    if (b->goal == UNLOAD && b->s->g->ncon == 1 &&
        (b->nroomy == 0 || clv_state_room(b->s, b->roomy[0], v, 1) < 0))
        b->too_heavy = w < b->too_heavy ? w : b->too_heavy;
    return look_at(b, &b->f[0], v);
}

/* On the finest level a valid solution is worth more than the time limit, and takes near
 * linear time; callers with hints have a valid one to return to. */
static bool out_of_time(balancer *b)
{
    return (b->s->level > 0 || b->bulk) && clv_context_stop(b->ctx);
}

static bool drain(balancer *b)
{
    int64_t most = b->moves + most_pushes * (int64_t)b->s->g->nvtx;
    for (int64_t steps = 0; clv_lazy_first(&b->queue) < CLV_LAZY_BUCKETS && b->moves < most;
         steps++) {
        if (steps % 1024 == 1023 && out_of_time(b))
            break;
        clv_lazy_item top = clv_lazy_pop(&b->queue);
        if (top.stamp != stamp_of(b, top.v))
            continue;
        offer best = look_again(b, top.v);
        if (best.to < 0)
            continue;
        bool waits = clv_lazy_bucket(best.key) > clv_lazy_first(&b->queue);
        if (waits ? !enqueue(b, best.v, best.key, best.gain) : !move(b, best))
            return false;
    }
    return true;
}

static bool reach_goal(balancer *b, goal what, const clv_rebalance_hints *hints, bool inside)
{
    b->goal = what;
    clv_lazy_clear(&b->queue);
    b->too_heavy = INT64_MAX;
    find_roomy(b);
    if (what == FILL && b->nroomy == 0)
        return true;
    return (hints ? add_hinted(b, hints) : add_all(b, inside)) && drain(b);
}

static bool open_balancer(balancer *b, clv_partition_state *s, clv_context *ctx)
{
    int members = s->g->nvtx < looks_at_once ? 1 : clv_context_threads(ctx);
    *b = (balancer){.s = s, .ctx = ctx, .queue.ws = &ctx->ws[0]};
    b->f = clv_ws_alloc(&ctx->ws[0], members, sizeof b->f[0]);
    if (!b->f)
        return false;
    for (int m = 0; m < members; m++)
        if (!clv_neighbour_parts_init(&b->f[m], s->bounds.nparts, &ctx->ws[0]))
            return false;
    return true;
}

static bool any_under(const clv_partition_state *s)
{
    for (int32_t p = 0; p < s->bounds.nparts; p++)
        if (is_under(s, p))
            return true;
    return false;
}

static bool any_over(const clv_partition_state *s)
{
    for (int32_t p = 0; p < s->bounds.nparts; p++)
        if (clv_state_is_over(s, p))
            return true;
    return false;
}

/* One goal after the other, the cheap methods first; the next method is tried only when the
 * ones before changed nothing. */
static cleave_status balance(balancer *b, cleave_error *err)
{
    clv_partition_state *s = b->s;
    int64_t last_pair = s->pairs_looked_at + clv_rebalance_most_pairs(s->g->nvtx);
    for (int round = 0; round < most_rounds; round++) {
        int64_t before = clv_state_overload(s);
        if (before == 0 || out_of_time(b))
            return CLEAVE_OK;
        for (int inside = 0; inside < 2; inside++)
            if ((any_under(s) && !reach_goal(b, FILL, NULL, inside)) ||
                (any_over(s) && !reach_goal(b, UNLOAD, NULL, inside)))
                return clv_fail_memory(err);
        if (clv_state_overload(s) == before && any_over(s) && !reach_goal(b, PUSH, NULL, true))
            return clv_fail_memory(err);
        if (clv_state_overload(s) < before)
            continue;
        if (s->pairs_looked_at >= last_pair)
            return CLEAVE_OK;
        CLV_TRY(clv_rebalance_swap(s, b->ctx, err));
        if (clv_state_overload(s) == before)
            return CLEAVE_OK;
    }
    return CLEAVE_OK;
}

cleave_status clv_rebalance(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    if (clv_state_overload(s) == 0)
        return CLEAVE_OK;
    clv_ws_mark mark = clv_ws_save(&ctx->ws[0]);
    balancer b;
    bool ready = open_balancer(&b, s, ctx);
    b.gain = clv_ws_zalloc(&ctx->ws[0], s->g->nvtx, sizeof b.gain[0]);
    b.flags = clv_ws_zalloc(&ctx->ws[0], s->g->nvtx, sizeof b.flags[0]);
    b.known = 1;
    ready = ready && b.gain && b.flags;
    cleave_status status = ready ? balance(&b, err) : clv_fail_memory(err);
    clv_ws_restore(&ctx->ws[0], mark);
    return status;
}

cleave_status clv_rebalance_boundary(clv_partition_state *s, const clv_rebalance_hints *hints,
                                     clv_rebalance_log *log, clv_context *ctx,
                                     cleave_error *err)
{
    balancer b;
    if (!open_balancer(&b, s, ctx))
        return clv_fail_memory(err);
    b.log = log;
    b.bulk = true;
    b.gain = hints->gain;
    b.flags = hints->flags;
    b.known = hints->known;
    b.changed = hints->changed;
    if ((any_under(s) && !reach_goal(&b, FILL, hints, false)) ||
        (any_over(s) && !reach_goal(&b, UNLOAD, hints, false)))
        return clv_fail_memory(err);
    return CLEAVE_OK;
}
