/* SPDX-License-Identifier: Apache-2.0 */
/* refine/placement/placement_seats.c - builds the instance of
 * refine/placement/placement_search.h.
 *
 * Machines with groups of equal places have large plateaus: swapping two items in one node of
 * a cluster does not change the cost.  Such places are found by comparing their rows of
 * distances and get one number, `twin`; pairs of twins are not tried. */
#include <string.h>

#include "refine/placement/placement_search.h"

enum { stage_near = 0x706c6e, between_clocks = 16 };

/* ---- Costs and bounds ------------------------------------------------------------------- */

int64_t clv_seats_cost(const clv_seats *x, const int32_t *at)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < x->n; i++)
        for (int64_t a = x->xadj[i]; a < x->xadj[i + 1]; a++)
            sum += x->weight[a] * clv_seats_distance(x, at[i], at[x->adj[a]]);
    return sum / 2;
}

/* The overload of item i on a place. */
static int64_t excess(const clv_placement *p, int32_t i, int32_t place)
{
    int64_t sum = 0;
    for (int32_t c = 0; c < p->bounds.ncon; c++) {
        int64_t need = i < p->nitems ? p->need[(int64_t)i * p->bounds.ncon + c] : 0;
        int64_t most = p->bounds.max[(int64_t)place * p->bounds.ncon + c];
        int64_t least = p->bounds.min ? p->bounds.min[(int64_t)place * p->bounds.ncon + c] : 0;
        sum += need > most ? need - most : need < least ? least - need : 0;
    }
    return sum;
}

bool clv_seats_refuse(const clv_seats *x, const int32_t *at, int32_t i, int32_t j)
{
    const clv_placement *p = x->p;
    return excess(p, i, at[j]) + excess(p, j, at[i]) >
           excess(p, i, at[i]) + excess(p, j, at[j]);
}

static bool anything_fits(const clv_placement *p)
{
    if (!p->need)
        return true;
    for (int32_t c = 0; c < p->bounds.ncon; c++) {
        int64_t most = 0, least = INT64_MAX;
        for (int32_t i = 0; i < p->nitems; i++) {
            int64_t need = p->need[(int64_t)i * p->bounds.ncon + c];
            most = need > most ? need : most;
            least = need < least ? need : least;
        }
        if (p->nitems < p->machine->npes)
            least = 0;
        for (int32_t q = 0; q < p->machine->npes; q++) {
            int64_t k = (int64_t)q * p->bounds.ncon + c;
            if (p->bounds.max[k] < most || (p->bounds.min && p->bounds.min[k] > least))
                return false;
        }
    }
    return true;
}

/* Whether sums of costs stay far below 2^63.  Without a table the largest distance is
 * estimated from the distances of one place, unless any distance is safe. */
static bool costs_fit(const clv_seats *x)
{
    int64_t total = 1, far = 1, most;
    for (int64_t a = 0; a < x->xadj[x->n]; a++)
        if (!clv_add_i64(total, x->weight[a], &total))
            return false;
    if (clv_mul_i64(total, INT32_MAX, &most) && most < INT64_MAX / 4)
        return true;
    for (int64_t k = 0; x->table && k < (int64_t)x->n * x->n; k++)
        far = x->table[k] > far ? x->table[k] : far;
    for (int32_t q = 0; !x->table && q < x->n; q++) {
        int64_t d = 4 * clv_seats_distance(x, 0, q);
        far = d > far ? d : far;
    }
    return clv_mul_i64(total, far, &total) && total < INT64_MAX / 4;
}

/* ---- Rows of edges ---------------------------------------------------------------------- */

static cleave_status copy_rows(clv_seats *x, clv_ws *ws, cleave_error *err)
{
    const clv_placement *p = x->p;
    int64_t count = 0, narc = p->xadj[p->nitems] - p->xadj[0];
    int64_t *xadj = clv_ws_alloc(ws, x->n + INT64_C(1), sizeof *xadj);
    int32_t *adj = clv_ws_alloc(ws, narc, sizeof *adj);
    int64_t *weight = clv_ws_alloc(ws, narc, sizeof *weight);
    if (!xadj || !adj || !weight)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < x->n; i++) {
        xadj[i] = count;
        for (int64_t a = i < p->nitems ? p->xadj[i] : 0; i < p->nitems && a < p->xadj[i + 1];
             a++) {
            int64_t w = p->weight ? p->weight[a] : 1;
            if (p->adj[a] == i || w == 0)
                continue;
            adj[count] = p->adj[a];
            weight[count++] = w;
        }
    }
    xadj[x->n] = count;
    x->xadj = xadj;
    x->adj = adj;
    x->weight = weight;
    return CLEAVE_OK;
}

static cleave_status list_movers(clv_seats *x, clv_ws *ws, cleave_error *err)
{
    int32_t *mover = clv_ws_alloc(ws, x->n, sizeof *mover);
    x->movable = clv_ws_alloc(ws, x->n, sizeof *x->movable);
    if (!mover || !x->movable)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < x->n; i++) {
        x->movable[i] = i >= x->p->nitems || !x->p->fixed || !x->p->fixed[i];
        if (x->movable[i] && x->xadj[i + 1] > x->xadj[i])
            mover[x->nmovers++] = i;
    }
    x->mover = mover;
    return CLEAVE_OK;
}

/* ---- Places ----------------------------------------------------------------------------- */

static int32_t nearest_distance(const clv_seats *x, int32_t p)
{
    int32_t least = INT32_MAX;
    for (int32_t q = 0; q < x->n; q++) {
        int32_t d = x->table[(int64_t)p * x->n + q];
        least = q != p && d < least ? d : least;
    }
    return least;
}

/* Whether p and q have equal distances to all others and are nearest to each other. */
static bool are_twins(const clv_seats *x, const int32_t *nearest, int32_t p, int32_t q)
{
    const int32_t *a = x->table + (int64_t)p * x->n, *b = x->table + (int64_t)q * x->n;
    if (nearest[p] != nearest[q] || a[q] != nearest[p])
        return false;
    for (int32_t r = 0; r < x->n; r++)
        if (a[r] != b[r] && r != p && r != q)
            return false;
    return true;
}

/* Most pairs of places that are not twins differ at once, so this is usually O(n^2). */
static cleave_status number_twins(clv_seats *x, clv_ws *ws, cleave_error *err)
{
    int32_t *twin = clv_ws_alloc(ws, x->n, sizeof *twin);
    int32_t *nearest = clv_ws_alloc(ws, x->n, sizeof *nearest);
    if (!twin || !nearest)
        return clv_fail_memory(err);
    for (int32_t p = 0; p < x->n; p++) {
        twin[p] = p;
        nearest[p] = x->table ? nearest_distance(x, p) : 0;
    }
    for (int32_t p = 0; x->table && p < x->n; p++)
        for (int32_t q = p + 1; twin[p] == p && q < x->n; q++)
            if (twin[q] == q && are_twins(x, nearest, p, q))
                twin[q] = p;
    x->twin = twin;
    return CLEAVE_OK;
}

/* Keeps the smallest keys in ascending order. */
static void keep_least(uint64_t *key, int32_t *place, int32_t *count, int32_t most,
                       uint64_t new_key, int32_t new_place)
{
    int32_t k = *count;
    if (k == most && new_key >= key[k - 1])
        return;
    k = k == most ? k - 1 : (*count)++;
    for (; k > 0 && key[k - 1] > new_key; k--) {
        key[k] = key[k - 1];
        place[k] = place[k - 1];
    }
    key[k] = new_key;
    place[k] = new_place;
}

/* Without a table, the places with the next numbers: places are numbered by halving the
 * machine. */
static void list_near(const clv_seats *x, uint64_t salt, int32_t p, int32_t *near)
{
    uint64_t key[clv_seats_near];
    int32_t count = 0, begin = 0, end = x->n;
    if (!x->table) {
        begin = p > clv_seats_near ? p - clv_seats_near : 0;
        end = x->n - p > clv_seats_near ? p + clv_seats_near + 1 : x->n;
    }
    for (int32_t q = begin; q < end; q++) {
        if (q == p)
            continue;
        uint64_t d = (uint64_t)clv_seats_distance(x, p, q);
        uint64_t tie = clv_hash64(salt ^ ((uint64_t)(uint32_t)p << 32 | (uint32_t)q)) >> 32;
        keep_least(key, near, &count, x->nnear, d << 32 | tie, q);
    }
}

/* Each place needs 32 distances or more, which may be searches: time can run out. */
static cleave_status list_all_near(clv_seats *x, clv_context *ctx, cleave_error *err)
{
    clv_rng rng = clv_rng_make(ctx->seed, stage_near, 0, 0);
    uint64_t salt = clv_rng_u64(&rng);
    x->nnear = x->n - 1 < clv_seats_near ? x->n - 1 : clv_seats_near;
    int32_t *near = clv_ws_alloc(ctx->ws, (int64_t)x->n * x->nnear, sizeof *near);
    if (!near)
        return clv_fail_memory(err);
    for (int32_t p = 0; p < x->n && (p % between_clocks != 0 || !clv_context_stop(ctx)); p++)
        list_near(x, salt, p, near + (int64_t)p * x->nnear);
    x->near = near;
    return CLEAVE_OK;
}

cleave_status clv_seats_make(clv_seats *x, const clv_placement *p, clv_context *ctx,
                             bool *fits, cleave_error *err)
{
    clv_ws *ws = ctx->ws;
    *x = (clv_seats){.p = p, .n = p->machine->npes, .table = p->machine->table};
    *fits = false;
    CLV_TRY(copy_rows(x, ws, err));
    if (clv_context_stop(ctx))
        return CLEAVE_OK;
    CLV_TRY(list_movers(x, ws, err));
    CLV_TRY(number_twins(x, ws, err));
    CLV_TRY(list_all_near(x, ctx, err));
    x->all_fit = anything_fits(p);
    *fits = !clv_context_stop(ctx) && costs_fit(x);
    return CLEAVE_OK;
}

cleave_status clv_seating_make(clv_seating *s, const clv_seats *x, clv_ws *ws,
                               cleave_error *err)
{
    int32_t next = x->p->nitems;
    s->at = clv_ws_alloc(ws, x->n, sizeof *s->at);
    s->item = clv_ws_alloc(ws, x->n, sizeof *s->item);
    if (!s->at || !s->item)
        return clv_fail_memory(err);
    for (int32_t q = 0; q < x->n; q++)
        s->item[q] = -1;
    for (int32_t i = 0; i < x->p->nitems; i++) {
        s->at[i] = x->p->at[i];
        s->item[s->at[i]] = i;
    }
    for (int32_t q = 0; q < x->n; q++)
        if (s->item[q] < 0) {
            s->at[next] = q;
            s->item[q] = next++;
        }
    s->cost = clv_seats_cost(x, s->at);
    return CLEAVE_OK;
}
