/* SPDX-License-Identifier: Apache-2.0 */
/* order/halving_turn.c - orientation of the halves of an order by dynamic programming, see
 * order/halving_turn.h.
 *
 * The cost of an edge is the square root of its length in the order.  With the length itself,
 * two pairs of facing halves would cost the same whether both are two apart, or one adjacent
 * and one three apart; but in the latter case intervals are connected.  Neighbouring sets
 * interact through the edges between them; the optimal choice for all sets is found along the
 * line [Viterbi 1967]. */
#include "order/halving_turn.h"

#include <math.h>

typedef struct turning {
    const clv_graph *g;
    int32_t count;
    clv_turn *sets;
    int32_t *vertex, *home;
} turning;

/* ---- Costs ------------------------------------------------------------------------------ */

/* Weight of the edges between the halves of a set and those of the next. */
typedef struct facing {
    double weight[2][2];
} facing;

/* Adds an edge of a half (0, 1) to a place beyond the neighbouring sets.  It is longer by the
 * other half if that lies between. */
static void add_far(clv_turn *s, int half, int32_t home, double weight)
{
    bool left = home < s->begin;
    double between = half == 0 ? s->end - s->middle : s->middle - s->begin;
    double distance = left ? s->begin - home : home - s->end + 1;
    bool when_turned = (half == 0) == left;
    s->alone[when_turned] += weight * (sqrt(distance + between) - sqrt(distance));
}

static void weigh_half(const turning *t, int64_t i, int half, facing *f)
{
    const clv_graph *g = t->g;
    clv_turn *s = &t->sets[i];
    const clv_turn *next = i + 1 < t->count && s[1].begin == s->end ? s + 1 : NULL;
    int32_t least = i > 0 && s[-1].end == s->begin ? s[-1].begin : s->begin;
    int32_t beyond = next ? next->end : s->end;
    for (int32_t p = half ? s->middle : s->begin; p < (half ? s->end : s->middle); p++) {
        int32_t v = t->vertex[p];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t home = t->home[g->adj[a]];
            if (home < least || home >= beyond)
                add_far(s, half, home, clv_graph_ewgt(g, a));
            else if (home >= s->end)
                f->weight[half][home >= next->middle] += clv_graph_ewgt(g, a);
        }
    }
}

/* Distance between the midpoints of halves a and b of neighbouring sets. */
static double facing_cost(const clv_turn *s, const clv_turn *next, const facing *f, int turn,
                          int next_turn)
{
    double size[2] = {s->middle - s->begin, s->end - s->middle};
    double next_size[2] = {next->middle - next->begin, next->end - next->middle}, sum = 0;
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++) {
            double distance = (size[a] + next_size[b]) / 2;
            distance += (a == 0) == (turn == 0) ? size[!a] : 0;
            distance += (b == 1) == (next_turn == 0) ? next_size[!b] : 0;
            sum += f->weight[a][b] * sqrt(distance);
        }
    return sum;
}

static void weigh_sets(void *context, int64_t begin, int64_t end, int member)
{
    const turning *t = context;
    (void)member;
    for (int64_t i = begin; i < end; i++) {
        clv_turn *s = &t->sets[i];
        facing f = {{{0}}};
        s->alone[0] = s->alone[1] = 0;
        weigh_half(t, i, 0, &f);
        weigh_half(t, i, 1, &f);
        for (int turn = 0; turn < 2; turn++)
            for (int next = 0; next < 2; next++)
                s->next[turn][next] =
                    i + 1 < t->count ? facing_cost(s, s + 1, &f, turn, next) : 0;
    }
}

/* ---- Choice ----------------------------------------------------------------------------- */

/* Ties: not exchanged. */
static void choose(const turning *t)
{
    for (int32_t i = 0; i < t->count; i++) {
        clv_turn *s = &t->sets[i];
        for (int turn = 0; turn < 2; turn++) {
            double best[2] = {0, 0};
            for (int from = 0; from < 2 && i > 0; from++)
                best[from] = s[-1].best[from] + s[-1].next[from][turn];
            s->from[turn] = best[1] < best[0];
            s->best[turn] = s->alone[turn] + best[s->from[turn]];
        }
    }
    clv_turn *last = &t->sets[t->count - 1];
    last->turned = last->best[1] < last->best[0];
    for (int32_t i = t->count - 1; i > 0; i--)
        t->sets[i - 1].turned = t->sets[i].from[t->sets[i].turned];
}

/* ---- Exchange --------------------------------------------------------------------------- */

static void reverse(int32_t *vertex, int32_t begin, int32_t end)
{
    for (; begin + 1 < end; begin++) {
        int32_t v = vertex[begin];
        vertex[begin] = vertex[--end];
        vertex[end] = v;
    }
}

static void exchange(void *context, int64_t begin, int64_t end, int member)
{
    const turning *t = context;
    (void)member;
    for (int64_t i = begin; i < end; i++) {
        clv_turn *s = &t->sets[i];
        if (!s->turned)
            continue;
        reverse(t->vertex, s->begin, s->middle);
        reverse(t->vertex, s->middle, s->end);
        reverse(t->vertex, s->begin, s->end);
        s->middle = s->begin + (s->end - s->middle);
        for (int32_t p = s->begin; p < s->end; p++)
            t->home[t->vertex[p]] = p < s->middle ? s->begin : s->middle;
    }
}

void clv_halving_turn(const clv_graph *g, int32_t count, clv_turn *sets, int32_t *vertex,
                      int32_t *home, clv_team *team)
{
    turning t = {g, count, sets, vertex, home};
    int64_t grain = count / (16 * clv_team_size(team)) + 1;
    if (count == 0)
        return;
    clv_parallel_for(team, count, grain, weigh_sets, &t);
    choose(&t);
    clv_parallel_for(team, count, grain, exchange, &t);
}
