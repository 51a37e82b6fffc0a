/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/evaluate_dag.c - metrics of a distributed DAG along its arcs: the critical path, and
 * convexity (no path leaves a part and returns to it).  The rules are those of
 * evaluate/critical_path.c and evaluate/convex.c; all ranks visit vertices at once
 * (mpi/evaluate_sweep.c). */
#include "mpi/judge.h"

/* ---- Critical path ---------------------------------------------------------------------- */

typedef struct longest {
    const clv_judge *j;
    uint64_t *finish; /* own vertices and ghosts; as int64_t */
    int64_t vertex, inside, cut;
    bool fits;
    int64_t most;
} longest;

static void finish_vertex(void *context, int32_t v)
{
    longest *k = context;
    const clv_dist_graph *g = k->j->g;
    const int32_t *part = k->j->used.part;
    int64_t latest = 0, arrival;
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
        int32_t u = g->pred[a];
        int64_t cost = part[u] == part[v] ? k->inside : k->cut;
        k->fits = clv_add_i64((int64_t)k->finish[u], cost, &arrival) && k->fits;
        latest = arrival > latest ? arrival : latest;
    }
    k->fits = clv_add_i64(latest, k->vertex, &latest) && k->fits;
    k->finish[v] = (uint64_t)latest;
    k->most = latest > k->most ? latest : k->most;
}

cleave_status clv_judge_critical_path(clv_judge *j, int64_t cost_vertex, int64_t cost_inside,
                                      int64_t cost_cut, int64_t *length, cleave_error *err)
{
    const clv_comm *comm = &j->g->comm;
    clv_ws_mark mark = clv_ws_save(&j->ws);
    longest k = {
        .j = j, .vertex = cost_vertex, .inside = cost_inside, .cut = cost_cut, .fits = true};
    bool complete;
    k.finish = clv_ws_alloc(&j->ws, (int64_t)j->g->nlocal + j->g->nghost, sizeof *k.finish);
    cleave_status status = clv_comm_agree_memory(comm, k.finish != NULL, err);
    if (status == CLEAVE_OK)
        status = clv_judge_sweep(j->g, k.finish, finish_vertex, &k, &complete, err);
    clv_ws_restore(&j->ws, mark);
    CLV_TRY(status);
    if (!complete)
        return clv_fail(err, CLEAVE_ECYCLE, "the graph has a cycle, so no longest path");
    if (clv_comm_max(comm, !k.fits))
        return clv_fail(err, CLEAVE_ERANGE, "the length of the critical path exceeds 2^63-1");
    *length = clv_comm_max(comm, k.most);
    return CLEAVE_OK;
}

/* ---- Convexity -------------------------------------------------------------------------- */

/* Sixty-four parts of each component at a time; left[v] is the set of those that some path to
 * v inside the component has visited and left. */
typedef struct returns {
    const clv_judge *j;
    const int32_t *component; /* by part */
    int32_t *slot;            /* by part: its number among the component's candidates, or -1 */
    int32_t base, most;       /* slots base .. base + 63 are processed; of most */
    uint64_t *left;           /* own vertices and ghosts */
    bool found;
} returns;

static uint64_t bit_of(const returns *k, int32_t p)
{
    int32_t i = k->slot[p] - k->base;
    return i >= 0 && i < 64 ? (uint64_t)1 << i : 0;
}

static void follow(void *context, int32_t v)
{
    returns *k = context;
    const clv_dist_graph *g = k->j->g;
    const int32_t *part = k->j->used.part;
    int32_t p = part[v];
    uint64_t left = 0;
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
        int32_t u = g->pred[a], q = part[u];
        if (k->component[q] == k->component[p])
            left |= k->left[u] | (q != p ? bit_of(k, q) : 0);
    }
    k->found = k->found || (left & bit_of(k, p));
    k->left[v] = left;
}

/* Parts of one vertex are convex, and so is a part that is alone in its component.  members:
 * by part; candidates: by component. */
static void choose_candidates(returns *k, int64_t *members, int32_t *parts_in,
                              int32_t *candidates)
{
    const clv_judge *j = k->j;
    int32_t count = j->used.count;
    for (int32_t v = 0; v < j->g->nlocal; v++)
        members[j->used.part[v]]++;
    clv_comm_sum_all(&j->g->comm, members, count);
    for (int32_t p = 0; p < count; p++)
        parts_in[k->component[p]]++;
    for (int32_t p = 0; p < count; p++) {
        int32_t c = k->component[p];
        k->slot[p] = members[p] > 1 && parts_in[c] > 1 ? candidates[c]++ : -1;
        k->most = candidates[c] > k->most ? candidates[c] : k->most;
    }
}

static cleave_status look_for_returns(returns *k, clv_judge *j, cleave_error *err)
{
    int64_t count = j->used.count;
    k->slot = clv_ws_alloc(&j->ws, count, sizeof *k->slot);
    k->left = clv_ws_alloc(&j->ws, (int64_t)j->g->nlocal + j->g->nghost, sizeof *k->left);
    int64_t *members = clv_ws_zalloc(&j->ws, count, sizeof *members);
    int32_t *parts_in = clv_ws_zalloc(&j->ws, count, sizeof *parts_in);
    int32_t *candidates = clv_ws_zalloc(&j->ws, count, sizeof *candidates);
    CLV_TRY(clv_comm_agree_memory(
        &j->g->comm, k->slot && k->left && members && parts_in && candidates, err));
    choose_candidates(k, members, parts_in, candidates);
    for (; k->base < k->most && !k->found; k->base += 64) {
        bool complete;
        CLV_TRY(clv_judge_sweep(j->g, k->left, follow, k, &complete, err));
        if (!complete)
            return clv_fail(err, CLEAVE_ECYCLE, "the graph has a cycle, so no convex parts");
        k->found = clv_comm_max(&j->g->comm, k->found) != 0;
    }
    return CLEAVE_OK;
}

cleave_status clv_judge_convex(clv_judge *j, const int32_t *component, int32_t ncomponents,
                               bool *convex, cleave_error *err)
{
    returns k = {.j = j, .component = component};
    *convex = true;
    if (ncomponents == j->used.count)
        return CLEAVE_OK;
    clv_ws_mark mark = clv_ws_save(&j->ws);
    cleave_status status = look_for_returns(&k, j, err);
    clv_ws_restore(&j->ws, mark);
    *convex = !k.found;
    return status;
}
