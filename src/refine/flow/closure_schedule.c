/* SPDX-License-Identifier: Apache-2.0 */
/* refine/flow/closure_schedule.c - schedules the pairs of parts of a DAG for
 * refine/flow/flow.c.
 *
 * Pairs with the heaviest boundary come first, as many at a time as one topological order of
 * the parts makes neighbours (refine/state/part_line.h): a wave.  Its moves can create or
 * remove paths between other parts, so the pairs are searched anew after each wave that moves
 * something.  A round ends when every pair with a part that changed since the last round had
 * its turn; pairs with a third part on a path between them have none.
 *
 * Corridors without bounds gain much, but only in one of twenty tries, and every pair has one
 * on every level: with many pairs or hubs that was most of the time.  Corridors without a gain
 * are paid from a credit proportional to the arcs of the graph; when it is spent, flows end on
 * this level. */
#include "base/sort.h"
#include "refine/flow/flow_schedule.h"
#include "refine/state/part_line.h"

#include <string.h>

enum { waves_per_round = 16 };

typedef struct turn { /* of a pair, by its first part */
    int32_t second;
    int32_t round, wave; /* the last of its turns, 0: none */
    bool gained;         /* there was a gain */
} turn;

typedef struct closures {
    clv_flow_rounds *r;
    int32_t round, wave; /* from 1 on */
    int32_t *changed;    /* by part: the last wave that changed it */
    int32_t *first;      /* by part: of its turns; nparts + 1 */
    turn *turn;          /* by pair, of this wave; grows */
    int32_t nturn, capacity;
    bool moved;     /* there was a move since the pairs were searched */
    int64_t credit; /* for corridors without a gain */
} closures;

/* Copies the turns of the pairs of the last wave to those of this one. */
static cleave_status recall_turns(closures *c, clv_ws *ws, cleave_error *err)
{
    const clv_flow_rounds *r = c->r;
    int32_t k = r->s->bounds.nparts;
    turn *old = clv_ws_alloc(ws, c->nturn, sizeof *old);
    int32_t *place = clv_ws_alloc(ws, k, sizeof *place);
    if (!old || !place)
        return clv_fail_memory(err);
    if (c->nturn > 0)
        memcpy(old, c->turn, (size_t)c->nturn * sizeof *old);
    if (r->npair > c->capacity) {
        turn *longer = clv_realloc(c->turn, r->capacity, sizeof *longer);
        if (!longer)
            return clv_fail_memory(err);
        c->turn = longer;
        c->capacity = r->capacity;
    }
    memset(place, -1, (size_t)k * sizeof *place);
    for (int32_t p = 0; p < k; p++) {
        for (int32_t i = c->first[p]; i < c->first[p + 1]; i++)
            place[old[i].second] = i;
        for (int32_t i = r->first[p]; i < r->first[p + 1]; i++) {
            int32_t q = r->pair[i].part[1];
            bool known = place[q] >= c->first[p];
            c->turn[i] = known ? old[place[q]] : (turn){q, 0, 0, false};
        }
    }
    memcpy(c->first, r->first, ((size_t)k + 1) * sizeof *c->first);
    c->nturn = r->npair;
    return CLEAVE_OK;
}

static bool is_due(const closures *c, int32_t i)
{
    const turn *t = &c->turn[i];
    const int32_t *part = c->r->pair[i].part;
    return t->round == 0 || (t->round < c->round && (c->changed[part[0]] >= t->wave ||
                                                     c->changed[part[1]] >= t->wave));
}

/* The share of the credit of a pair, by its vertices: the pairs of a wave together get at most
 * all of it.  0: no bound. */
static int64_t share_of(const closures *c, const clv_flow_pair *pair)
{
    const clv_partition_state *s = c->r->s;
    int64_t both = (int64_t)s->count[pair->part[0]] + s->count[pair->part[1]];
    if (c->credit == INT64_MAX)
        return 0;
    return 1 + (int64_t)((double)c->credit * (double)both / (double)s->g->nvtx);
}

/* Selects the pairs of a wave: r->order, count of them; the ranks make them neighbours. */
static cleave_status choose_pairs(closures *c, clv_ws *ws, int32_t *count, cleave_error *err)
{
    clv_flow_rounds *r = c->r;
    int32_t n = r->npair, k = r->s->bounds.nparts, ndue = 0;
    clv_sort_item *items = clv_ws_alloc(ws, 2 * (int64_t)n, sizeof *items);
    int32_t *head = clv_ws_alloc(ws, n, sizeof *head);
    r->order = clv_ws_alloc(ws, k / 2, sizeof *r->order);
    r->outcome = clv_ws_alloc(ws, k / 2, sizeof *r->outcome);
    clv_part_line line;
    if (!items || !head || !r->order || !r->outcome)
        return clv_fail_memory(err);
    int64_t work = r->s->g->narc / 4 + 10000;
    CLV_TRY(
        clv_part_line_open(&line, r->s, (clv_quotient_arcs){r->first, head}, work, ws, err));
    for (int32_t i = 0; i < n; i++) {
        head[i] = r->pair[i].part[1];
        if (!is_due(c, i))
            continue;
        items[ndue].key = -r->pair[i].cut;
        items[ndue++].with.index = i;
    }
    const clv_sort_item *sorted = clv_sort(items, items + n, ndue);
    *count = 0;
    for (int32_t j = 0; j < ndue; j++) {
        int32_t i = (int32_t)sorted[j].with.index;
        if (!clv_part_line_join(&line, r->pair[i].part[0], head[i]))
            continue;
        r->order[(*count)++] = i;
        r->pair[i].wide = c->turn[i].round == 0 || c->turn[i].gained;
        r->pair[i].most_spent = share_of(c, &r->pair[i]);
        c->turn[i].round = c->round;
        c->turn[i].wave = c->wave;
    }
    return CLEAVE_OK;
}

/* Charges the cost of the wave without a gain to the credit. */
static void pay_lost(closures *c)
{
    for (int i = 0; i < clv_context_threads(c->r->ctx); i++) {
        clv_flow_worker *worker = &c->r->worker[i];
        if (c->credit < INT64_MAX)
            c->credit -= worker->lost - worker->paid;
        worker->paid = worker->lost;
    }
}

/* Pairs that the last wave did not change need no search. */
static cleave_status look_at_borders(closures *c, clv_ws_mark mark, cleave_error *err)
{
    clv_ws *ws = c->r->ctx->ws;
    if (!c->moved)
        return CLEAVE_OK;
    c->moved = false;
    clv_ws_restore(ws, mark);
    CLV_TRY(clv_flow_find_pairs(c->r, ws, err));
    return recall_turns(c, ws, err);
}

static cleave_status run_one_wave(closures *c, int32_t *count, cleave_error *err)
{
    clv_flow_rounds *r = c->r;
    CLV_TRY(choose_pairs(c, r->ctx->ws, count, err));
    memset(r->changed, 0, (size_t)r->s->bounds.nparts);
    CLV_TRY(clv_flow_run_wave(r, 0, *count, err));
    pay_lost(c);
    for (int32_t i = 0; i < *count; i++) {
        c->turn[r->order[i]].gained = r->outcome[i].gain > 0;
        c->moved = c->moved || r->outcome[i].count > 0;
    }
    for (int32_t p = 0; p < r->s->bounds.nparts; p++)
        if (r->changed[p])
            c->changed[p] = c->wave;
    return CLEAVE_OK;
}

static cleave_status run_all(closures *c, cleave_error *err)
{
    clv_flow_rounds *r = c->r;
    clv_partition_state *s = r->s;
    clv_ws *ws = r->ctx->ws;
    clv_ws_mark mark = clv_ws_save(ws); /* clv_flow_refine restores it after a failure */
    c->moved = true;
    for (c->round = 1; c->round <= r->params->rounds && s->cut > 0; c->round++) {
        int64_t before = s->cut;
        for (int i = 0; i < waves_per_round && c->credit > 0 && !clv_context_stop(r->ctx);
             i++) {
            int32_t count = 0;
            c->wave++;
            CLV_TRY(look_at_borders(c, mark, err));
            clv_ws_mark borders = clv_ws_save(ws);
            CLV_TRY(run_one_wave(c, &count, err));
            clv_ws_restore(ws, borders);
            if (count == 0)
                break;
        }
        int64_t gain = before - s->cut;
        if (gain == 0 || gain < before / 1000 * r->params->min_gain)
            break;
    }
    return CLEAVE_OK;
}

cleave_status clv_closure_rounds(clv_flow_rounds *r, cleave_error *err)
{
    int32_t k = r->s->bounds.nparts;
    closures c = {.r = r, .credit = INT64_MAX};
    if (r->params->lost > 0) /* a network has each arc in both directions */
        c.credit = 2 * r->s->g->narc * r->params->lost;
    c.changed = clv_ws_zalloc(r->ctx->ws, 2 * (int64_t)k + 1, sizeof *c.changed);
    if (!c.changed)
        return clv_fail_memory(err);
    c.first = c.changed + k;
    memset(r->active, 1, (size_t)k);
    cleave_status status = run_all(&c, err);
    clv_sys_free(c.turn);
    return status;
}
