/* SPDX-License-Identifier: Apache-2.0 */
#include "refine/placement_fixture.h"

/* ---- Making -------------------------------------------------------------------------- */

static void start(placement_fixture *f, const clv_machine *m, int32_t nitems)
{
    f->p = (clv_placement){.nitems = nitems,
                           .xadj = f->xadj,
                           .adj = f->adj,
                           .weight = f->weight,
                           .machine = m,
                           .at = f->at};
}

void placement_scatter(placement_fixture *f, uint64_t seed)
{
    clv_rng rng = clv_rng_make(seed, 1, 2, 3);
    int32_t order[PLACEMENT_ITEMS];
    clv_rng_permutation(&rng, f->p.machine->npes, order);
    for (int32_t i = 0; i < f->p.nitems; i++)
        f->at[i] = f->before[i] = order[i];
}

void placement_random(placement_fixture *f, const clv_machine *m, int32_t nitems,
                      int32_t degree, uint64_t seed)
{
    clv_rng rng = clv_rng_make(seed, 4, 5, 6);
    static int32_t w[PLACEMENT_ITEMS][PLACEMENT_ITEMS];
    start(f, m, nitems);
    for (int32_t i = 0; i < nitems; i++)
        for (int32_t j = 0; j <= i; j++) {
            bool joined = clv_rng_below(&rng, (uint32_t)nitems) < (uint32_t)degree;
            w[i][j] = w[j][i] = joined ? (int32_t)clv_rng_below(&rng, 10) : -1;
        }
    int64_t count = 0;
    for (int32_t i = 0; i < nitems; i++) {
        f->xadj[i] = count;
        for (int32_t j = 0; j < nitems; j++)
            if (w[i][j] >= 0 && count < PLACEMENT_ARCS) {
                f->adj[count] = j;
                f->weight[count++] = w[i][j];
            }
    }
    f->xadj[nitems] = count;
    placement_scatter(f, seed);
}

void placement_self(placement_fixture *f, const clv_machine *m)
{
    int64_t count = 0;
    start(f, m, m->npes);
    f->p.weight = NULL;
    for (int32_t i = 0; i < m->npes; i++) {
        f->xadj[i] = count;
        for (int32_t j = 0; j < m->npes; j++)
            if (i != j && clv_machine_distance(m, i, j) == 1)
                f->adj[count++] = j;
        f->at[i] = f->before[i] = i;
    }
    f->xadj[m->npes] = count;
}

void placement_bound(placement_fixture *f, uint64_t seed)
{
    clv_rng rng = clv_rng_make(seed, 7, 8, 9);
    for (int32_t i = 0; i < f->p.machine->npes; i++) {
        f->need[i] = clv_rng_below(&rng, 4);
        f->max[i] = clv_rng_below(&rng, 5);
        f->min[i] = seed % 2 ? clv_rng_below(&rng, 2) : 0;
    }
    f->p.need = f->need;
    f->p.bounds = (clv_bounds){f->p.machine->npes, 1, NULL, f->max, f->min};
}

/* ---- Checking ------------------------------------------------------------------------ */

int64_t placement_cost(const placement_fixture *f, const int32_t *at)
{
    int64_t cost = 0;
    for (int32_t i = 0; i < f->p.nitems; i++)
        for (int64_t a = f->xadj[i]; a < f->xadj[i + 1]; a++)
            if (f->adj[a] < i)
                cost += (f->p.weight ? f->weight[a] : 1) *
                        clv_machine_distance(f->p.machine, at[i], at[f->adj[a]]);
    return cost;
}

int64_t placement_excess(const placement_fixture *f, const int32_t *at)
{
    int64_t held[PLACEMENT_ITEMS] = {0}, excess = 0;
    if (!f->p.need)
        return 0;
    for (int32_t i = 0; i < f->p.nitems; i++)
        held[at[i]] += f->need[i];
    for (int32_t q = 0; q < f->p.machine->npes; q++) {
        excess += held[q] > f->max[q] ? held[q] - f->max[q] : 0;
        excess += held[q] < f->min[q] ? f->min[q] - held[q] : 0;
    }
    return excess;
}

static void try_all(const placement_fixture *f, int32_t i, int32_t *at, uint8_t *used,
                    int64_t *least)
{
    if (i == f->p.nitems) {
        int64_t cost = placement_cost(f, at);
        if (cost < *least && placement_excess(f, at) <= placement_excess(f, f->before))
            *least = cost;
        return;
    }
    for (int32_t q = 0; q < f->p.machine->npes; q++) {
        if (used[q] || (f->p.fixed && f->fixed[i] && q != f->before[i]))
            continue;
        used[q] = 1;
        at[i] = q;
        try_all(f, i + 1, at, used, least);
        used[q] = 0;
    }
}

int64_t placement_optimum(const placement_fixture *f)
{
    int32_t at[PLACEMENT_ITEMS] = {0};
    uint8_t used[PLACEMENT_ITEMS] = {0};
    int64_t least = INT64_MAX;
    try_all(f, 0, at, used, &least);
    return least;
}

const char *placement_fault(const placement_fixture *f)
{
    uint8_t used[PLACEMENT_ITEMS] = {0};
    for (int32_t i = 0; i < f->p.nitems; i++) {
        if (f->at[i] < 0 || f->at[i] >= f->p.machine->npes)
            return "a place is out of range";
        if (used[f->at[i]]++)
            return "two items share a place";
        if (f->p.fixed && f->fixed[i] && f->at[i] != f->before[i])
            return "a fixed item has moved";
    }
    if (placement_excess(f, f->at) > placement_excess(f, f->before))
        return "more is beyond the bounds";
    if (placement_cost(f, f->at) != clv_placement_cost(&f->p))
        return "the cost is wrong";
    return placement_cost(f, f->at) > placement_cost(f, f->before) ? "it is dearer" : NULL;
}
