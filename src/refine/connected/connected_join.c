/* SPDX-License-Identifier: Apache-2.0 */
/* refine/connected/connected_join.c - joins the pieces of a part that hold fixed vertices by
 * paths.
 *
 * A multi-source breadth-first search from all terminals of a part (the pieces with fixed
 * vertices, and its heaviest piece if that is another one).  Where two searches meet, the path
 * between them is moved to the part and fixed.  Doing this for all parts is a disjoint trees
 * problem, which is hard; parts are processed one after the other, and again as long as a path
 * has separated the terminals of another part. */
#include "refine/connected/connected_moves.h"

enum { most_rounds = 8 };

typedef struct joining {
    clv_connected_parts *c;
    clv_pieces pieces;
    int32_t *parent; /* nvtx: predecessor in the search; -1: a terminal */
    int32_t *tree;   /* nvtx: terminal that reached it */
    int32_t *queue;  /* nvtx */
    int32_t *leader; /* by terminal of the group */
} joining;

static int32_t find(joining *j, int32_t t)
{
    while (j->leader[t] != t) {
        j->leader[t] = j->leader[j->leader[t]];
        t = j->leader[t];
    }
    return t;
}

/* Moves the path from v back to its terminal to part p and fixes it there. */
static void take_path(joining *j, int32_t v, int32_t p)
{
    clv_connected_parts *c = j->c;
    for (; v >= 0; v = j->parent[v]) {
        if (c->s->part[v] != p)
            clv_state_move(c->s, v, p);
        c->home[v] = p;
    }
}

static void put_terminal(joining *j, int32_t piece, int32_t t, int32_t *tail)
{
    clv_connected_parts *c = j->c;
    const clv_graph *g = c->s->g;
    const clv_connected_piece *info = &j->pieces.piece[piece];
    int32_t head = *tail;
    j->queue[(*tail)++] = info->first;
    c->stamp[info->first] = c->now;
    j->tree[info->first] = t;
    j->parent[info->first] = -1;
    while (head < *tail) {
        int32_t v = j->queue[head++];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t u = g->adj[a];
            if (j->pieces.of[u] != piece || c->s->part[u] != info->part ||
                c->stamp[u] == c->now)
                continue;
            c->stamp[u] = c->now;
            j->tree[u] = t;
            j->parent[u] = -1;
            j->queue[(*tail)++] = u;
        }
    }
}

/* Joins the `count` terminals in the queue as far as possible; true: some were joined. */
static bool join_terminals(joining *j, int32_t count, int32_t tail, int32_t p)
{
    clv_connected_parts *c = j->c;
    const clv_graph *g = c->s->g;
    bool any = false;
    for (int32_t head = 0; head < tail && count > 1; head++) {
        int32_t v = j->queue[head];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1] && count > 1; a++) {
            int32_t u = g->adj[a];
            if (c->stamp[u] == c->now) {
                int32_t mine = find(j, j->tree[v]), other = find(j, j->tree[u]);
                if (mine == other)
                    continue;
                j->leader[other] = mine;
                count--;
                any = true;
                take_path(j, v, p);
                take_path(j, u, p);
            } else if (c->home[u] < 0 || c->home[u] == p) {
                if (c->s->count[c->s->part[u]] <= 1)
                    continue; /* a part keeps its last vertex */
                c->stamp[u] = c->now;
                j->tree[u] = j->tree[v];
                j->parent[u] = v;
                j->queue[tail++] = u;
            }
        }
    }
    return any;
}

/* The pieces order[begin..end) of one part and component. */
static void join_group(joining *j, int32_t begin, int32_t end, bool *joined)
{
    clv_connected_parts *c = j->c;
    const clv_pieces *pieces = &j->pieces;
    int32_t p = pieces->piece[pieces->order[begin]].part;
    int32_t homes = 0, tail = 0, count = 0;
    for (int32_t i = begin; i < end; i++)
        homes += pieces->piece[pieces->order[i]].has_home;
    bool heaviest = !pieces->piece[pieces->order[begin]].has_home;
    if (homes == 0 || homes + heaviest < 2)
        return;
    c->now++;
    for (int32_t i = begin; i < end; i++) {
        int32_t piece = pieces->order[i];
        if (i > begin && !pieces->piece[piece].has_home)
            continue;
        j->leader[count] = count;
        /* The path of an earlier group may have crossed this piece. */
        if (c->s->part[pieces->piece[piece].first] == p)
            put_terminal(j, piece, count++, &tail);
    }
    if (join_terminals(j, count, tail, p))
        *joined = true;
}

static cleave_status run_round(joining *j, bool *joined, cleave_error *err)
{
    clv_connected_parts *c = j->c;
    CLV_TRY(clv_connected_pieces(c, &j->pieces, err));
    const clv_pieces *pieces = &j->pieces;
    j->leader = clv_ws_alloc(c->ctx->ws, pieces->count, sizeof *j->leader);
    if (!j->leader)
        return clv_fail_memory(err);
    *joined = false;
    for (int32_t begin = 0, end; begin < pieces->count; begin = end) {
        for (end = begin + 1; end < pieces->count && clv_pieces_same(pieces, begin, end);
             end++)
            ;
        if (end - begin > 1)
            join_group(j, begin, end, joined);
    }
    return CLEAVE_OK;
}

static cleave_status join(clv_connected_parts *c, cleave_error *err)
{
    clv_ws *ws = c->ctx->ws;
    int32_t n = c->s->g->nvtx;
    joining j = {.c = c};
    j.parent = clv_ws_alloc(ws, n, sizeof *j.parent);
    j.tree = clv_ws_alloc(ws, n, sizeof *j.tree);
    j.queue = clv_ws_alloc(ws, n, sizeof *j.queue);
    if (!j.parent || !j.tree || !j.queue)
        return clv_fail_memory(err);
    bool joined = true;
    for (int round = 0; round < most_rounds && joined; round++) {
        if (clv_context_stop(c->ctx))
            break;
        clv_ws_mark mark = clv_ws_save(ws);
        cleave_status status = run_round(&j, &joined, err);
        clv_ws_restore(ws, mark);
        CLV_TRY(status);
    }
    return CLEAVE_OK;
}

cleave_status clv_connected_join(clv_connected_parts *c, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(c->ctx->ws);
    cleave_status status = join(c, err);
    clv_ws_restore(c->ctx->ws, mark);
    return status;
}
