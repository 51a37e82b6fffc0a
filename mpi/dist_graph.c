/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_graph.c - construction of a distributed graph: ranges, ghost vertices, local
 * numbers.
 *
 * Ghosts are found with one bit per vertex of the whole graph where that is less than a byte
 * per arc of this rank, and by sorting otherwise. */
#include "mpi/dist_graph.h"

#include <string.h>

#include "base/rng.h"
#include "base/sort.h"
#include "mpi/dist_check.h"
#include "mpi/dist_halo.h"

/* ---- Ranges ----------------------------------------------------------------------------- */

int clv_dist_owner(const int64_t *first, int size, int64_t global)
{
    int low = 0, high = size - 1; /* the last rank whose range begins at or before it */
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        if (first[middle] <= global)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

int32_t clv_dist_local(const clv_dist_graph *g, int64_t global)
{
    int64_t begin = g->first[g->comm.rank];
    if (global >= begin && global < begin + g->nlocal)
        return (int32_t)(global - begin);
    int32_t low = 0, high = g->nghost;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (g->ghost[middle] < global)
            low = middle + 1;
        else
            high = middle;
    }
    return low < g->nghost && g->ghost[low] == global ? g->nlocal + low : -1;
}

void clv_dist_even(int64_t n, int size, int64_t *first)
{
    for (int r = 0; r <= size; r++)
        first[r] = n / size * r + n % size * r / size;
}

/* ---- Ghosts ----------------------------------------------------------------------------- */

/* The ghosts of a rank during construction: a bit set or a sorted list. */
typedef struct ghost_set {
    int64_t begin, end; /* own vertices: never ghosts */
    int64_t nglobal;
    uint64_t *bits;  /* NULL: the list */
    int32_t *before; /* ghosts before each word of bits */
    int64_t *list;   /* ghosts, ascending */
    int64_t count;
} ghost_set;

static bool is_own(const ghost_set *s, int64_t u)
{
    return u >= s->begin && u < s->end;
}

static void mark_ghosts(ghost_set *s, const int64_t *adj, int64_t narc)
{
    for (int64_t a = 0; a < narc; a++)
        if (!is_own(s, adj[a]))
            s->bits[adj[a] >> 6] |= UINT64_C(1) << (adj[a] & 63);
}

static int64_t count_bits(ghost_set *s)
{
    int64_t words = (s->nglobal + 63) / 64, count = 0;
    for (int64_t i = 0; i < words; i++) {
        s->before[i] = (int32_t)(count < INT32_MAX ? count : INT32_MAX);
        count += __builtin_popcountll(s->bits[i]);
    }
    return count;
}

static void list_bits(const ghost_set *s)
{
    int64_t words = (s->nglobal + 63) / 64, at = 0;
    for (int64_t i = 0; i < words; i++)
        for (uint64_t rest = s->bits[i]; rest; rest &= rest - 1)
            s->list[at++] = i * 64 + __builtin_ctzll(rest);
}

static bool find_by_bits(ghost_set *s, const clv_dist_rows *rows, int64_t narc,
                         const int64_t *pred, int64_t npred)
{
    int64_t words = (s->nglobal + 63) / 64;
    s->bits = clv_zalloc(words, sizeof *s->bits);
    s->before = clv_alloc(words, sizeof *s->before);
    if (!s->bits || !s->before)
        return false;
    mark_ghosts(s, rows->adj, narc);
    mark_ghosts(s, pred, npred);
    s->count = count_bits(s);
    s->list = clv_alloc(s->count, sizeof *s->list);
    if (!s->list)
        return false;
    list_bits(s);
    return true;
}

static int64_t copy_outsiders(const ghost_set *s, const int64_t *adj, int64_t narc,
                              clv_sort_item *to)
{
    int64_t count = 0;
    for (int64_t a = 0; a < narc; a++)
        if (!is_own(s, adj[a])) {
            if (to)
                to[count].key = adj[a];
            count++;
        }
    return count;
}

static bool find_by_sorting(ghost_set *s, const clv_dist_rows *rows, int64_t narc,
                            const int64_t *pred, int64_t npred)
{
    int64_t count = copy_outsiders(s, rows->adj, narc, NULL);
    int64_t all = count + copy_outsiders(s, pred, npred, NULL);
    clv_sort_item *items = clv_zalloc(all, sizeof *items);
    clv_sort_item *scratch = clv_alloc(all, sizeof *scratch);
    bool ok = items && scratch;
    if (ok) {
        copy_outsiders(s, rows->adj, narc, items);
        copy_outsiders(s, pred, npred, items + count);
        const clv_sort_item *sorted = clv_sort(items, scratch, all);
        for (int64_t i = 0; i < all; i++)
            s->count += i == 0 || sorted[i].key != sorted[i - 1].key;
        s->list = clv_alloc(s->count, sizeof *s->list);
        ok = s->list != NULL;
        for (int64_t i = 0, at = 0; ok && i < all; i++)
            if (i == 0 || sorted[i].key != sorted[i - 1].key)
                s->list[at++] = sorted[i].key;
    }
    clv_sys_free(items);
    clv_sys_free(scratch);
    return ok;
}

static int32_t ghost_place(const ghost_set *s, int64_t u)
{
    if (s->bits) {
        uint64_t below = s->bits[u >> 6] & ((UINT64_C(1) << (u & 63)) - 1);
        return s->before[u >> 6] + (int32_t)__builtin_popcountll(below);
    }
    int64_t low = 0, high = s->count - 1;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (s->list[middle] < u)
            low = middle + 1;
        else
            high = middle;
    }
    return (int32_t)low;
}

/* Replaces global numbers by local ones in place: adj is read and written from the front, and
 * the written numbers are half as wide. */
static int32_t *make_local(const ghost_set *s, int64_t *adj, int64_t narc)
{
    int32_t nlocal = (int32_t)(s->end - s->begin), *to = (int32_t *)adj;
    for (int64_t a = 0; a < narc; a++) {
        int64_t u;
        memcpy(&u, adj + a, sizeof u);
        int32_t local = is_own(s, u) ? (int32_t)(u - s->begin) : nlocal + ghost_place(s, u);
        memcpy(to + a, &local, sizeof local);
    }
    int32_t *smaller = clv_realloc(adj, narc, sizeof *smaller);
    return smaller ? smaller : (int32_t *)adj;
}

/* ---- Vertex arrays ---------------------------------------------------------------------- */

void clv_dist_rows_free(clv_dist_rows *rows)
{
    clv_sys_free(rows->xadj);
    clv_sys_free(rows->adj);
    clv_sys_free(rows->ewgt);
    clv_sys_free(rows->vwgt);
    clv_sys_free(rows->wide_ewgt);
    clv_sys_free(rows->wide_vwgt);
    clv_sys_free(rows->vsize);
    clv_sys_free(rows->coords);
    rows->xadj = rows->adj = NULL;
    rows->ewgt = rows->vwgt = rows->vsize = NULL;
    rows->wide_ewgt = rows->wide_vwgt = NULL;
    rows->coords = NULL;
}

/* Moves *array to the graph; on false (out of memory) the caller still owns it. */
#define ADOPT(g, to, array)                                                                   \
    (!(array) ||                                                                              \
     (clv_arena_adopt(&(g)->arena, (array)) && ((g)->to = (array), (array) = NULL, true)))

static bool find_ghosts(ghost_set *s, const clv_dist_rows *rows, int64_t narc,
                        const int64_t *pred, int64_t npred)
{
    if (s->nglobal / 8 <= narc + npred + 4096)
        return find_by_bits(s, rows, narc, pred, npred);
    return find_by_sorting(s, rows, narc, pred, npred);
}

static cleave_status number_locally(clv_dist_graph *g, clv_dist_rows *rows,
                                    clv_dist_preds *preds, cleave_error *err)
{
    int64_t npred = preds->xadj ? preds->xadj[g->nlocal] : 0;
    ghost_set s = {.begin = g->first[g->comm.rank],
                   .end = g->first[g->comm.rank + 1],
                   .nglobal = g->nglobal};
    bool ok = find_ghosts(&s, rows, g->narc, preds->adj, npred);
    cleave_status status = ok ? CLEAVE_OK : clv_fail_memory(err);
    if (ok && s.count + g->nlocal > INT32_MAX - 1)
        status = clv_fail(err, CLEAVE_ERANGE,
                          "a rank has more than 2^31 - 2 vertices, its ghosts included: use "
                          "more ranks");
    if (status == CLEAVE_OK) {
        g->nghost = (int32_t)s.count;
        int32_t *adj = make_local(&s, rows->adj, g->narc), *pred = NULL;
        rows->adj = NULL;
        if (preds->xadj)
            pred = make_local(&s, preds->adj, npred);
        preds->adj = NULL;
        if (!ADOPT(g, adj, adj) || !ADOPT(g, pred, pred) || !ADOPT(g, ghost, s.list))
            status = clv_fail_memory(err);
        clv_sys_free(adj);
        clv_sys_free(pred);
    }
    clv_sys_free(s.bits);
    clv_sys_free(s.before);
    clv_sys_free(s.list);
    return status;
}

static cleave_status adopt_rest(clv_dist_graph *g, clv_dist_rows *rows, clv_dist_preds *preds,
                                cleave_error *err)
{
    if (!ADOPT(g, xadj, rows->xadj) || !ADOPT(g, ewgt, rows->ewgt) ||
        !ADOPT(g, vwgt, rows->vwgt) || !ADOPT(g, vsize, rows->vsize) ||
        !ADOPT(g, coords, rows->coords) || !ADOPT(g, xpred, preds->xadj) ||
        !ADOPT(g, pwgt, preds->ewgt) || !ADOPT(g, wide_ewgt, rows->wide_ewgt) ||
        !ADOPT(g, wide_vwgt, rows->wide_vwgt) || !ADOPT(g, wide_pwgt, preds->wide_ewgt))
        return clv_fail_memory(err);
    if (g->kind == CLEAVE_UNDIRECTED) {
        g->xpred = g->xadj;
        g->pred = g->adj;
        g->pwgt = g->ewgt;
        g->wide_pwgt = g->wide_ewgt;
    }
    return CLEAVE_OK;
}

static cleave_status begin(clv_dist_graph *g, const clv_comm *comm, clv_dist_rows *rows,
                           cleave_error *err)
{
    g->comm = *comm;
    g->first = clv_arena_alloc(&g->arena, comm->size + 1, sizeof *g->first);
    if (g->first)
        memcpy(g->first, rows->first, (size_t)(comm->size + 1) * sizeof *g->first);
    if (!rows->xadj)
        rows->xadj = clv_zalloc(1, sizeof *rows->xadj);
    if (!rows->adj)
        rows->adj = clv_alloc(0, sizeof *rows->adj);
    CLV_TRY(clv_comm_agree_memory(comm, g->first && rows->xadj && rows->adj, err));
    CLV_TRY(clv_dist_check_rows(comm, rows, err)); /* a rank without vertices takes the value
                                                      of the others */
    g->kind = rows->kind;
    g->ncon = rows->ncon;
    g->ndim = rows->ndim;
    g->nglobal = g->first[comm->size];
    g->nlocal = (int32_t)(g->first[comm->rank + 1] - g->first[comm->rank]);
    g->narc = rows->xadj[g->nlocal];
    g->narc_global = clv_comm_sum(comm, g->narc);
    return CLEAVE_OK;
}

/* g owns only what was moved to it; the caller frees the rest of rows and preds. */
static cleave_status finish(clv_dist_graph *g, clv_dist_rows *rows, clv_dist_preds *preds,
                            cleave_error *err)
{
    const clv_comm *comm = &g->comm;
    if (rows->kind == CLEAVE_DAG)
        CLV_TRY(clv_dist_make_preds(comm, rows, preds, err));
    CLV_TRY(clv_comm_agree(comm, number_locally(g, rows, preds, err), err));
    CLV_TRY(clv_comm_agree(comm, adopt_rest(g, rows, preds, err), err));
    CLV_TRY(clv_dist_make_halo(g, err));
    if (!rows->trust && g->kind == CLEAVE_DAG)
        CLV_TRY(clv_dist_check_cycles(g, err));
    return CLEAVE_OK;
}

cleave_status clv_dist_graph_make(clv_dist_graph **out, const clv_comm *comm,
                                  clv_dist_rows *rows, cleave_error *err)
{
    clv_dist_graph *g = clv_zalloc(1, sizeof *g);
    clv_dist_preds preds = {0};
    *out = NULL;
    cleave_status status = clv_comm_agree_memory(comm, g != NULL, err);
    if (status == CLEAVE_OK)
        status = begin(g, comm, rows, err);
    if (status == CLEAVE_OK)
        status = finish(g, rows, &preds, err);
    clv_dist_rows_free(rows);
    clv_dist_preds_free(&preds);
    if (status == CLEAVE_OK)
        *out = g;
    else
        clv_dist_graph_free(g);
    return status;
}

void clv_dist_graph_free(clv_dist_graph *g)
{
    if (!g)
        return;
    if (g->owns_comm)
        clv_comm_close(&g->comm);
    clv_arena_free(&g->arena);
    clv_sys_free(g);
}

clv_graph clv_dist_local_view(const clv_dist_graph *g)
{
    return (clv_graph){.kind = g->kind,
                       .nvtx = g->nlocal,
                       .narc = g->narc,
                       .xadj = g->xadj,
                       .adj = g->adj,
                       .ewgt = g->ewgt,
                       .xpred = g->xpred,
                       .pred = g->pred,
                       .pwgt = g->pwgt,
                       .ncon = g->ncon,
                       .vwgt = g->vwgt,
                       .wide_ewgt = g->wide_ewgt,
                       .wide_pwgt = g->wide_pwgt,
                       .wide_vwgt = g->wide_vwgt,
                       .vsize = g->vsize};
}
