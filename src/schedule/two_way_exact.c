/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/two_way_exact.c - branch and bound for the two-way model, with proof of optimality.
 *
 * It decides the sources first, then the other vertices with a cost, topologically.  All
 * others follow: a vertex whose predecessors are all in a part where it costs nothing goes
 * there, which cannot lower the value; for the same reason only vertices with a cost are left
 * out deliberately.  If a vertex can no longer be in a part, neither can its descendants.
 *
 * Bound: the smaller part is at most x * part 1 + (1 - x) * part 2 for every x in 0..1, a sum
 * over vertices, each at its best remaining option. x = 0 and 1 bound each part alone, x = 1/2
 * bounds both together; other values weigh sizes against costs.  The sums are updated
 * incrementally for a list of values of x.
 *
 * Symmetry: without costs the first source is in part 1; of indistinguishable vertices the one
 * earlier in the order gets the earlier label in the sequence 1, 2, 0. */
#include "schedule/two_way_instance.h"

enum {
    later = 1, /* bits of options; part i has 1 << i */
    all_options = 8,
    whole = 32,
    most_mixes = 13,
    most_decisions = 128, /* with more decisions a proof is infeasible */
    stop_interval = 1024
};

static const int64_t mixes[most_mixes] = {0, 16, 32, 1, 2, 4, 8, 12, 20, 24, 28, 30, 31};

typedef struct trail_entry {
    int32_t vertex;
    uint8_t options, label; /* values before the change */
} trail_entry;

typedef struct frame {
    int32_t place, mark; /* index in `decide`; length of the trail */
    uint8_t left;        /* options not yet tried */
} frame;

typedef struct search {
    clv_two_way_instance *t;
    int nmixes;
    int64_t bound[most_mixes]; /* multiplied by `whole` */
    int64_t *best;             /* by vertex, options and mix: best_of */
    uint8_t *options, *label;  /* by vertex; label 0 also means undecided */
    int32_t *waiting;          /* number of predecessors that are not in a part yet */
    int64_t worth[3], cost;    /* of labelled vertices */
    int32_t ndecide;
    int32_t *decide; /* vertices to branch on */
    int32_t *twin;   /* by vertex: the preceding indistinguishable vertex, or -1 */
    trail_entry *trail;
    int32_t ntrail;
    int32_t *stack;
    frame *frames;
} search;

/* ---- Bounds ----------------------------------------------------------------------------- */

/* The best contribution of v to the bound for x = mix / whole. */
static int64_t best_of(const clv_two_way_instance *t, int32_t v, uint8_t options, int64_t mix)
{
    int64_t best = options & later ? 0 : -INT64_MAX;
    if (options & 2) {
        int64_t gain = mix * t->worth[v] - whole * t->cost[1][v];
        best = gain > best ? gain : best;
    }
    if (options & 4) {
        int64_t gain = (whole - mix) * t->worth[v] - whole * t->cost[2][v];
        best = gain > best ? gain : best;
    }
    return best;
}

static bool bound_allows_better(const search *s)
{
    int64_t wanted = whole * (s->t->best_value + s->t->unit);
    for (int i = 0; i < s->nmixes; i++)
        if (s->bound[i] < wanted)
            return false;
    return true;
}

void clv_two_way_bound(clv_two_way_instance *t)
{
    t->limit = INT64_MAX;
    for (int i = 0; i < most_mixes; i++) {
        int64_t bound = 0;
        for (int32_t v = 0; v < t->nvtx; v++)
            bound += best_of(t, v, later | 2 | 4, mixes[i]);
        bound = bound / whole / t->unit * t->unit;
        t->limit = bound < t->limit ? bound : t->limit;
    }
}

/* ---- Decisions and their consequences --------------------------------------------------- */

static void set_label(search *s, int32_t v, uint8_t options, uint8_t label)
{
    const int64_t *now = s->best + ((int64_t)v * all_options + s->options[v]) * s->nmixes;
    const int64_t *next = s->best + ((int64_t)v * all_options + options) * s->nmixes;
    for (int i = 0; i < s->nmixes; i++)
        s->bound[i] += next[i] - now[i];
    s->options[v] = options;
    s->label[v] = label;
}

static void record_change(search *s, int32_t v, uint8_t options, uint8_t label)
{
    s->trail[s->ntrail++] = (trail_entry){v, s->options[v], s->label[v]};
    s->t->steps -= 2; /* forward and back */
    set_label(s, v, options, label);
}

/* Excludes v and its descendants from part i. */
static void exclude_part(search *s, int32_t v, int i)
{
    const clv_graph *g = s->t->g;
    uint8_t bit = (uint8_t)(1 << i);
    int32_t depth = 0;
    if (!(s->options[v] & bit))
        return;
    record_change(s, v, s->options[v] & (uint8_t)~bit, s->label[v]);
    s->stack[depth++] = v;
    while (depth > 0) {
        int32_t u = s->stack[--depth];
        s->t->steps -= 1 + g->xadj[u + 1] - g->xadj[u];
        for (int64_t a = g->xadj[u]; a < g->xadj[u + 1]; a++)
            if (s->options[g->adj[a]] & bit) {
                int32_t w = g->adj[a];
                record_change(s, w, s->options[w] & (uint8_t)~bit, s->label[w]);
                s->stack[depth++] = w;
            }
    }
}

static void count_in(search *s, int32_t v, int i, int sign)
{
    const clv_graph *g = s->t->g;
    s->worth[i] += sign * s->t->worth[v];
    s->cost += sign * s->t->cost[i][v];
    s->t->steps -= 1 + g->xadj[v + 1] - g->xadj[v];
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        s->waiting[g->adj[a]] -= sign;
}

/* Puts v into part i, and with it all vertices whose predecessors are now all there and that
 * cost nothing. */
static void assign_part(search *s, int32_t v, int i)
{
    const clv_graph *g = s->t->g;
    int32_t depth = 0;
    exclude_part(s, v, 3 - i);
    record_change(s, v, (uint8_t)(1 << i), (uint8_t)i);
    count_in(s, v, i, 1);
    s->stack[depth++] = v;
    while (depth > 0) {
        int32_t u = s->stack[--depth];
        for (int64_t a = g->xadj[u]; a < g->xadj[u + 1]; a++) {
            int32_t w = g->adj[a];
            if (s->waiting[w] > 0 || s->label[w] != 0 || !(s->options[w] & (1 << i)) ||
                s->t->cost[i][w] > 0)
                continue;
            record_change(s, w, (uint8_t)(1 << i), (uint8_t)i);
            count_in(s, w, i, 1);
            s->stack[depth++] = w;
        }
    }
}

static void take_back(search *s, int32_t mark)
{
    while (s->ntrail > mark) {
        trail_entry was = s->trail[--s->ntrail];
        int32_t v = was.vertex;
        if (s->label[v] != was.label)
            count_in(s, v, s->label[v], -1);
        set_label(s, v, was.options, was.label);
    }
}

/* ---- Branching -------------------------------------------------------------------------- */

/* The options of a vertex to branch on; 0: nothing to decide. */
static uint8_t open_options(const search *s, int32_t place)
{
    const clv_two_way_instance *t = s->t;
    int32_t v = s->decide[place], twin = s->twin[v];
    uint8_t options = s->options[v];
    if (s->label[v] != 0 || options == later ||
        (!clv_two_way_is_source(t, v) && s->waiting[v] > 0))
        return 0;
    if (!clv_two_way_is_dear(t, v))
        options &= 2 | 4;
    if (!t->costs && place == 0)
        options &= 2;
    if (twin >= 0 && s->label[twin] == 0)
        options &= later;
    else if (twin >= 0 && s->label[twin] == 2)
        options &= later | 4;
    return options;
}

/* Parts before later, the lighter part first. */
static int pick_option(const search *s, uint8_t left)
{
    int lighter = s->worth[2] < s->worth[1] ? 2 : 1;
    if (left & (1 << lighter))
        return lighter;
    return left & (1 << (3 - lighter)) ? 3 - lighter : 0;
}

static void offer_solution(search *s)
{
    clv_two_way_instance *t = s->t;
    int64_t smaller = s->worth[1] < s->worth[2] ? s->worth[1] : s->worth[2];
    int64_t total = s->worth[1] + s->worth[2];
    if (!clv_two_way_better(t, smaller - s->cost, total))
        return;
    for (int32_t v = 0; v < t->nvtx; v++)
        t->best[v] = s->label[v];
    t->best_value = smaller - s->cost;
    t->best_total = total;
}

/* Opens a frame for the first vertex from `place` on with an open option; if there is none,
 * keeps the solution.  Returns the new depth. */
static int32_t open_frame(search *s, int32_t place, int32_t depth)
{
    uint8_t left = 0;
    while (place < s->ndecide && (left = open_options(s, place)) == 0)
        place++;
    if (place == s->ndecide) {
        offer_solution(s);
        return depth;
    }
    s->frames[depth] = (frame){place, s->ntrail, left};
    return depth + 1;
}

/* Returns true if the search is complete, false if the budget is used up. */
static bool branch_and_bound(search *s)
{
    int64_t nodes = 0;
    int32_t depth = open_frame(s, 0, 0);
    while (depth > 0) {
        frame *f = &s->frames[depth - 1];
        take_back(s, f->mark);
        if (f->left == 0) {
            depth--;
            continue;
        }
        if (s->t->steps <= 0 || (++nodes % stop_interval == 0 && !clv_two_way_goes_on(s->t)))
            return false;
        int i = pick_option(s, f->left);
        f->left &= (uint8_t) ~(1 << i);
        if (i == 0) {
            exclude_part(s, s->decide[f->place], 1);
            exclude_part(s, s->decide[f->place], 2);
        } else {
            assign_part(s, s->decide[f->place], i);
        }
        if (bound_allows_better(s))
            depth = open_frame(s, f->place + 1, depth);
    }
    return true;
}

/* ---- The stage -------------------------------------------------------------------------- */

static bool init_search(search *s)
{
    clv_two_way_instance *t = s->t;
    clv_ws *ws = t->ctx->ws;
    int64_t n = t->nvtx;
    s->options = clv_ws_alloc(ws, n, 1);
    s->label = clv_ws_zalloc(ws, n, 1);
    s->waiting = clv_ws_alloc(ws, n, sizeof *s->waiting);
    s->decide = clv_ws_alloc(ws, n, sizeof *s->decide);
    s->twin = clv_ws_alloc(ws, n, sizeof *s->twin);
    s->stack = clv_ws_alloc(ws, n, sizeof *s->stack);
    /* Each vertex loses at most three options. */
    s->trail = clv_ws_alloc(ws, 4 * n, sizeof *s->trail);
    s->frames = clv_ws_alloc(ws, n, sizeof *s->frames);
    s->nmixes = t->costs ? most_mixes : 3;
    s->best = clv_ws_alloc(ws, n * all_options * s->nmixes, sizeof *s->best);
    if (!s->options || !s->label || !s->waiting || !s->decide || !s->twin || !s->stack ||
        !s->trail || !s->frames || !s->best ||
        !clv_two_way_decisions(t, s->decide, &s->ndecide, s->twin))
        return false;
    for (int32_t v = 0; v < t->nvtx; v++) {
        s->options[v] = later | 2 | 4;
        s->waiting[v] = (int32_t)(t->g->xpred[v + 1] - t->g->xpred[v]);
        int64_t *best = s->best + (int64_t)v * all_options * s->nmixes;
        for (int options = 0; options < all_options; options++)
            for (int i = 0; i < s->nmixes; i++)
                best[options * s->nmixes + i] = best_of(t, v, (uint8_t)options, mixes[i]);
        for (int i = 0; i < s->nmixes; i++)
            s->bound[i] += best[s->options[v] * s->nmixes + i];
    }
    return true;
}

/* Is the number of decisions small enough? */
static bool within_reach(const clv_two_way_instance *t, int64_t steps)
{
    int32_t decisions = t->nsources;
    for (int32_t v = 0; v < t->nvtx; v++)
        decisions += !clv_two_way_is_source(t, v) && clv_two_way_is_dear(t, v);
    return decisions <= most_decisions && (int64_t)t->nsources * t->nvtx <= steps;
}

cleave_status clv_two_way_exact(clv_two_way_instance *t, int64_t steps, cleave_error *err)
{
    search s = {.t = t};
    clv_ws_mark mark = clv_ws_save(t->ctx->ws);
    if (t->best_value >= t->limit || !within_reach(t, steps))
        return CLEAVE_OK;
    int64_t kept = t->steps > steps ? t->steps - steps : 0;
    t->steps -= kept;
    bool enough = init_search(&s);
    if (enough && branch_and_bound(&s))
        t->limit = t->best_value;
    t->steps = (t->steps > 0 ? t->steps : 0) + kept;
    clv_ws_restore(t->ctx->ws, mark);
    return enough ? CLEAVE_OK : clv_fail_memory(err);
}
