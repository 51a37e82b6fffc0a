/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/order_text.c - writes an order to a file through rank 0.
 *
 * The file lists the vertices by place.  Each rank gets an even range of the places, to which
 * the others send their vertices, a batch at a time; then rank 0 writes the ranges in turn.
 * The optional hash of the graph depends on the order of all arcs and is omitted, except on
 * one rank, which writes what formats/order_file.c writes. */
#include <string.h>

#include "cleave/cleave_mpi.h"
#include "formats/order_file.h"
#include "mpi/files.h"

enum { batch = 1 << 16 };

typedef struct standing {
    int64_t place, vertex;
    int64_t weight;
} standing;

/* The vertex at a place; -1: none yet. */
typedef struct order_line {
    int64_t vertex, weight;
} order_line;

typedef struct order_writer {
    const clv_dist_graph *g;
    const int64_t *place;
    int64_t *even;       /* ranges of places */
    int64_t *send_first; /* by rank: its first place of a batch; size + 1 */
    standing *sorted;
    order_line *lines; /* of the own range */
} order_writer;

/* ---- Sending ---------------------------------------------------------------------------- */

/* The places of own vertices begin .. end - 1, sorted by the ranks that own them. */
static void sort_batch(order_writer *w, int32_t begin, int32_t end)
{
    const clv_dist_graph *g = w->g;
    int size = g->comm.size;
    int64_t *at = w->send_first;
    memset(at, 0, (size_t)(size + 1) * sizeof *at);
    for (int32_t v = begin; v < end; v++)
        at[clv_dist_owner(w->even, size, w->place[v]) + 1]++;
    for (int r = 0; r < size; r++)
        at[r + 1] += at[r];
    for (int32_t v = begin; v < end; v++)
        w->sorted[at[clv_dist_owner(w->even, size, w->place[v])]++] =
            (standing){w->place[v], clv_dist_global(g, v), clv_dist_vwgt(g, v, 0)};
    memmove(at + 1, at, (size_t)size * sizeof *at);
    at[0] = 0;
}

static cleave_status take_batch(order_writer *w, const clv_arrivals *got, cleave_error *err)
{
    const standing *s = got->items;
    int64_t first = w->even[w->g->comm.rank];
    for (int64_t i = 0; i < got->count; i++) {
        order_line *line = &w->lines[s[i].place - first];
        if (line->vertex >= 0)
            return clv_fail(err, CLEAVE_EINVAL, "place %lld is that of vertices %lld and %lld",
                            (long long)s[i].place, (long long)line->vertex,
                            (long long)s[i].vertex);
        *line = (order_line){s[i].vertex, s[i].weight};
    }
    return CLEAVE_OK;
}

static cleave_status send_all(order_writer *w, cleave_error *err)
{
    const clv_comm *comm = &w->g->comm;
    cleave_status mine = CLEAVE_OK;
    int32_t next = 0, n = w->g->nlocal;
    while (clv_comm_max(comm, next < n)) {
        int32_t end = n - next < batch ? n : next + batch;
        clv_arrivals got;
        sort_batch(w, next, end);
        next = end;
        CLV_TRY(
            clv_comm_exchange(comm, w->sorted, w->send_first, sizeof(standing), &got, err));
        if (mine == CLEAVE_OK)
            mine = take_batch(w, &got, err);
        clv_arrivals_free(&got);
    }
    return clv_comm_agree(comm, mine, err);
}

/* ---- Writing ---------------------------------------------------------------------------- */

static void put_lines(void *context, const void *items, int64_t count)
{
    clv_output *out = context;
    const order_line *lines = items;
    for (int64_t i = 0; i < count; i++) {
        clv_put_i64(out, lines[i].vertex);
        clv_put_char(out, ' ');
        clv_put_i64(out, lines[i].weight);
        clv_put_char(out, '\n');
    }
}

static cleave_status put_order(const order_writer *w, const char *path, const char *method,
                               cleave_error *err)
{
    const clv_comm *comm = &w->g->comm;
    clv_output *out = NULL;
    cleave_status status = CLEAVE_OK;
    if (comm->rank == 0)
        status = clv_output_open(&out, path, NULL, NULL, err);
    CLV_TRY(clv_comm_agree(comm, status, err));
    if (out)
        clv_order_put_title(out, w->g->nglobal, method);
    clv_root_collect(comm, w->even, w->lines, sizeof *w->lines, put_lines, out);
    return clv_comm_agree(comm, out ? clv_output_commit(out, err) : CLEAVE_OK, err);
}

static cleave_status allocate(order_writer *w, cleave_error *err)
{
    const clv_comm *comm = &w->g->comm;
    int64_t own = 0;
    w->even = clv_alloc(comm->size + 1, sizeof *w->even);
    w->send_first = clv_alloc(comm->size + 1, sizeof *w->send_first);
    w->sorted = clv_alloc(batch, sizeof *w->sorted);
    if (w->even) {
        clv_dist_even(w->g->nglobal, comm->size, w->even);
        own = w->even[comm->rank + 1] - w->even[comm->rank];
        w->lines = clv_alloc(own, sizeof *w->lines);
    }
    for (int64_t i = 0; w->lines && i < own; i++)
        w->lines[i].vertex = -1;
    return clv_comm_agree_memory(comm, w->even && w->send_first && w->sorted && w->lines, err);
}

static cleave_status write_order(const clv_dist_graph *g, const int64_t *place,
                                 const char *path, const char *method, cleave_error *err)
{
    order_writer w = {.g = g, .place = place};
    cleave_status status = allocate(&w, err);
    if (status == CLEAVE_OK)
        status = send_all(&w, err);
    if (status == CLEAVE_OK)
        status = put_order(&w, path, method, err);
    clv_sys_free(w.even);
    clv_sys_free(w.send_first);
    clv_sys_free(w.sorted);
    clv_sys_free(w.lines);
    return status;
}

/* ---- One rank --------------------------------------------------------------------------- */

static cleave_status write_alone(const clv_dist_graph *g, const int64_t *place,
                                 const char *path, const char *method, cleave_error *err)
{
    clv_graph *whole;
    clv_order *order = NULL;
    clv_ws ws = {NULL};
    CLV_TRY(clv_dist_graph_gather(&whole, g, 0, err));
    int32_t *vertex = clv_alloc(g->nlocal, sizeof *vertex);
    cleave_status status = vertex ? CLEAVE_OK : clv_fail_memory(err);
    for (int32_t p = 0; vertex && p < g->nlocal; p++)
        vertex[p] = -1;
    for (int32_t v = 0; vertex && v < g->nlocal; v++)
        vertex[place[v]] = v; /* clv_order_new reports a place that stays empty */
    if (status == CLEAVE_OK)
        status = clv_order_new(&order, whole, method, vertex, &ws, err);
    clv_ws_free(&ws);
    if (status == CLEAVE_OK)
        status = clv_order_write(order, path, err);
    clv_order_free(order);
    clv_sys_free(vertex);
    clv_graph_free(whole);
    return status;
}

/* ---- All of it -------------------------------------------------------------------------- */

static cleave_status check(const clv_dist_graph *g, const int64_t *place, const char *path,
                           const char *method, cleave_error *err)
{
    if (!path || !method || (!place && g->nlocal > 0))
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL",
                        !path    ? "path"
                        : method ? "place"
                                 : "method");
    if (!clv_order_method_fits(method, strlen(method)))
        return clv_fail(
            err, CLEAVE_EINVAL,
            "the method is not a name of at most %d small letters, digits, - and _",
            (int)clv_order_method_room);
    if (g->comm.size > 1 && clv_path_has_extension(path, "clo"))
        return clv_fail(err, CLEAVE_EINVAL,
                        "several ranks write an order as text: its name cannot end in .clo");
    for (int32_t v = 0; v < g->nlocal; v++)
        if (place[v] < 0 || place[v] >= g->nglobal)
            return clv_fail(err, CLEAVE_EINVAL, "vertex %lld has place %lld, outside 0..%lld",
                            (long long)clv_dist_global(g, v), (long long)place[v],
                            (long long)g->nglobal - 1);
    return CLEAVE_OK;
}

cleave_status cleave_mpi_order_write(const char *path, const cleave_mpi_graph *g,
                                     const int64_t *place, const char *method,
                                     cleave_error *err)
{
    if (!g)
        return clv_fail(err, CLEAVE_EINVAL, "graph is NULL");
    CLV_TRY(clv_comm_agree(&g->comm, check(g, place, path, method, err), err));
    return g->comm.size == 1 ? write_alone(g, place, path, method, err)
                             : write_order(g, place, path, method, err);
}
