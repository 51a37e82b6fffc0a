/* SPDX-License-Identifier: Apache-2.0 */
/* formats/binary_verify.c - checksum and invariants of the binary format.
 *
 * The checksum has eight independent lanes of xor, multiply, add and rotate, so that a
 * processor overlaps them and memory bandwidth is the limit.  Each step is a bijection of the
 * lane for a given word and of the word for a given lane: that is why a change in one word
 * always changes the sum. */
#include "formats/binary_verify.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "graph/symmetry.h"
#include "graph/topology.h"

/* ---- Checksum ------------------------------------------------------------------------ */

enum { block_size = 64, lanes = 8 };

void clv_binary_sum_init(clv_binary_sum *sum)
{
    sum->blocks = 0;
    for (int i = 0; i < lanes; i++)
        sum->lane[i] = clv_hash64((uint64_t)i + 1);
}

static inline void add_block(uint64_t lane[lanes], const unsigned char *block)
{
    for (int i = 0; i < lanes; i++) {
        uint64_t word;
        memcpy(&word, block + 8 * i, 8);
        uint64_t x = (lane[i] ^ word) * 0x9fb21c651e98df25u + 0xd1b54a32d192ed03u;
        lane[i] = x << 29 | x >> 35;
    }
}

void clv_binary_sum_add(clv_binary_sum *sum, const void *bytes, uint64_t count)
{
    const unsigned char *p = bytes;
    uint64_t lane[lanes];
    memcpy(lane, sum->lane, sizeof lane);
    for (; count >= block_size; count -= block_size, p += block_size, sum->blocks++)
        add_block(lane, p);
    if (count > 0) {
        unsigned char last[block_size] = {0};
        memcpy(last, p, (size_t)count);
        add_block(lane, last);
        sum->blocks++;
    }
    memcpy(sum->lane, lane, sizeof lane);
}

uint64_t clv_binary_sum_value(const clv_binary_sum *sum)
{
    uint64_t value = clv_hash64(sum->blocks);
    for (int i = 0; i < lanes; i++)
        value = clv_hash64(value ^ sum->lane[i]);
    return value;
}

/* ---- Invariants ---------------------------------------------------------------------- */

typedef struct verifier {
    const clv_graph *g;
    const char *path;
    cleave_error *err;
    int32_t first; /* the vertex of the file that is vertex 0 of g */
    int32_t nvtx;  /* of the file */
} verifier;

static cleave_status fail_vertex(const verifier *check, int64_t v, const char *what)
{
    return clv_fail_at(check->err, CLEAVE_EPARSE, check->path, 0, "vertex %lld %s",
                       (long long)(check->first + v), what);
}

static cleave_status check_offsets(const verifier *check, const int64_t *xadj)
{
    int64_t narc = check->g->narc;
    for (int32_t v = 0; v < check->g->nvtx; v++)
        if (xadj[v] > xadj[v + 1] || xadj[v + 1] > narc)
            return fail_vertex(check, v, "has neighbours that end before they begin");
    return CLEAVE_OK;
}

static cleave_status check_neighbours(const verifier *check, const int64_t *xadj,
                                      const int32_t *adj)
{
    int32_t nvtx = check->nvtx;
    for (int32_t v = 0; v < check->g->nvtx; v++) {
        int32_t before = -1;
        for (int64_t a = xadj[v]; a < xadj[v + 1]; a++) {
            if (adj[a] < 0 || adj[a] >= nvtx)
                return fail_vertex(check, v, "has a neighbour that is not a vertex");
            if (adj[a] <= before)
                return fail_vertex(check, v, "has neighbours that do not ascend");
            if (adj[a] == check->first + v)
                return fail_vertex(check, v, "is its own neighbour");
            before = adj[a];
        }
    }
    return CLEAVE_OK;
}

static cleave_status check_rows(const verifier *check, const int64_t *xadj, const int32_t *adj)
{
    CLV_TRY(check_offsets(check, xadj));
    return check_neighbours(check, xadj, adj);
}

/* The rows of predecessors must be the transpose of the rows of successors; in an undirected
 * graph both are the same rows, and the check is one of symmetry.  Rows ascend, so the loop
 * meets the arcs into a vertex in the order in which its row lists them. */
static cleave_status check_transpose(const verifier *check, clv_ws *ws)
{
    const clv_graph *g = check->g;
    /* The casts drop const; clv_symmetry_fingerprint only reads. */
    clv_rows rows = {.nvtx = g->nvtx,
                     .xadj = (int64_t *)g->xadj,
                     .adj = (int32_t *)g->adj,
                     .ewgt = (int32_t *)g->ewgt};
    if (g->kind == CLEAVE_UNDIRECTED && clv_symmetry_fingerprint(&rows, NULL))
        return CLEAVE_OK;
    int64_t *next = clv_ws_alloc(ws, g->nvtx, sizeof *next);
    if (!next)
        return clv_fail_memory(check->err);
    memcpy(next, g->xpred, (size_t)g->nvtx * sizeof *next);
    for (int32_t v = 0; v < g->nvtx; v++) {
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t u = g->adj[a];
            int64_t back = next[u]++;
            if (back >= g->xpred[u + 1] || g->pred[back] != v)
                return fail_vertex(check, v, "has an edge whose other direction is missing");
            if (g->ewgt && g->ewgt[a] != g->pwgt[back])
                return fail_vertex(check, v, "has an edge with two weights");
        }
    }
    /* Both sides have narc arcs: if every arc has been found, no predecessor is left. */
    return CLEAVE_OK;
}

static cleave_status check_acyclic(const verifier *check, clv_ws *ws)
{
    const clv_graph *g = check->g;
    int32_t *order = clv_ws_alloc(ws, g->nvtx, sizeof *order), length;
    if (!order)
        return clv_fail_memory(check->err);
    bool complete;
    CLV_TRY(clv_topology_sort(g->nvtx, g->xadj, g->adj, ws, order, &complete, check->err));
    if (complete)
        return CLEAVE_OK;
    CLV_TRY(clv_topology_find_cycle(g->nvtx, g->xadj, g->adj, ws, order, &length, check->err));
    char text[120];
    clv_topology_cycle_text(order, length, &g->names, 0, text, sizeof text);
    return clv_fail_at(check->err, CLEAVE_ECYCLE, check->path, 0, "the graph has a cycle: %s",
                       text);
}

/* values may be NULL; there are `each` values per vertex. */
static cleave_status check_not_negative(const verifier *check, const int32_t *values,
                                        int64_t count, int64_t each, const char *what)
{
    for (int64_t i = 0; values && i < count; i++)
        if (values[i] < 0)
            return fail_vertex(check, i / each, what);
    return CLEAVE_OK;
}

static cleave_status check_attributes(const verifier *check)
{
    const clv_graph *g = check->g;
    CLV_TRY(check_not_negative(check, g->vwgt, (int64_t)g->nvtx * g->ncon, g->ncon,
                               "has a negative weight"));
    CLV_TRY(check_not_negative(check, g->vsize, g->nvtx, 1, "has a negative size"));
    for (int32_t v = 0; g->ewgt && v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (g->ewgt[a] < 0)
                return fail_vertex(check, v, "has an edge of negative weight");
    for (int64_t i = 0; g->coords && i < (int64_t)g->nvtx * g->ndim; i++)
        if (!isfinite(g->coords[i]))
            return fail_vertex(check, i / g->ndim, "has a coordinate that is not finite");
    return CLEAVE_OK;
}

static cleave_status check_names(const verifier *check, int64_t name_bytes)
{
    const clv_names *names = &check->g->names;
    for (int32_t v = 0; names->offset && v < check->g->nvtx; v++) {
        int64_t begin = names->offset[v], end = names->offset[v + 1];
        if (begin < 0 || end <= begin || end > name_bytes)
            return fail_vertex(check, v, "has a name that ends before it begins");
        const char *zero = memchr(names->text + begin, 0, (size_t)(end - begin));
        if (zero != names->text + end - 1)
            return fail_vertex(check, v, "has a name that does not end in a zero byte");
    }
    return CLEAVE_OK;
}

cleave_status clv_binary_verify(const clv_graph *g, int64_t name_bytes, const char *path,
                                cleave_error *err)
{
    verifier check = {g, path, err, 0, g->nvtx};
    clv_ws ws = {NULL};
    cleave_status status = check_rows(&check, g->xadj, g->adj);
    if (status == CLEAVE_OK && g->kind == CLEAVE_DAG)
        status = check_rows(&check, g->xpred, g->pred);
    if (status == CLEAVE_OK)
        status = check_transpose(&check, &ws);
    if (status == CLEAVE_OK)
        status = check_attributes(&check);
    if (status == CLEAVE_OK)
        status = check_names(&check, name_bytes);
    if (status == CLEAVE_OK && g->kind == CLEAVE_DAG)
        status = check_acyclic(&check, &ws);
    clv_ws_free(&ws);
    return status;
}

/* ---- Shares ---------------------------------------------------------------------------- */

cleave_status clv_binary_verify_offsets(const clv_graph *share, int32_t first,
                                        const char *path, cleave_error *err)
{
    verifier check = {share, path, err, first, 0};
    return check_offsets(&check, share->xadj);
}

cleave_status clv_binary_verify_share(const clv_graph *share, int32_t first, int32_t nvtx,
                                      const char *path, cleave_error *err)
{
    verifier check = {share, path, err, first, nvtx};
    CLV_TRY(check_neighbours(&check, share->xadj, share->adj));
    return check_attributes(&check);
}
