/* SPDX-License-Identifier: Apache-2.0 */
/* graph/symmetry.c - checks and completes both directions of every edge.
 *
 * Rows u are visited in ascending order, so the positions of u in other rows only move
 * forward: with one cursor per row every opposite arc is found in linear time, without a
 * transpose.
 *
 * On large graphs whose vertex numbers do not follow their edges, that pass misses the cache
 * at every arc.  A fingerprint is then compared first: the sum of a hash over all arcs that
 * lead up, minus the sum over those that lead down.  Its key is computed from the rows
 * themselves, so that it is hard to construct a file that matches; asymmetric rows pass with
 * probability 2^-64.  If the sums differ, the exact pass finds the edge. */
#include "graph/symmetry.h"

#include <stdatomic.h>
#include <string.h>

#include "base/rng.h"

/* Up to this number of vertices the cursors stay in cache, and the exact pass is faster. */
enum { fits_cache = 1 << 16 };

static int32_t weight_of(const clv_rows *rows, int64_t a)
{
    return rows->ewgt ? rows->ewgt[a] : 1;
}

/* Checks the arcs u -> v, v < u.  The next entry of row v, at its cursor, must be u. */
bool clv_symmetry_row(const clv_rows *rows, int32_t u, int64_t *cursor, clv_asymmetry *found)
{
    int64_t a = rows->xadj[u];
    for (; a < rows->xadj[u + 1] && rows->adj[a] < u; a++) {
        int32_t v = rows->adj[a];
        int64_t c = cursor[v];
        if (c < rows->xadj[v + 1] && rows->adj[c] < u) {
            *found = (clv_asymmetry){.from = v, .to = rows->adj[c]};
            return false;
        }
        if (c == rows->xadj[v + 1] || rows->adj[c] > u) {
            *found = (clv_asymmetry){.from = u, .to = v};
            return false;
        }
        if (weight_of(rows, c) != weight_of(rows, a)) {
            *found = (clv_asymmetry){u, v, true, weight_of(rows, a), weight_of(rows, c)};
            return false;
        }
        cursor[v] = c + 1;
    }
    cursor[u] = a; /* the first neighbour above u is expected next */
    return true;
}

int32_t clv_symmetry_rest(const clv_rows *rows, const int64_t *cursor)
{
    for (int32_t v = 0; v < rows->nvtx; v++)
        if (cursor[v] < rows->xadj[v + 1])
            return v;
    return -1;
}

/* ---- Fingerprints ------------------------------------------------------------------- */

typedef struct fingerprint {
    const clv_rows *rows;
    uint64_t key;
    atomic_uint_least64_t sum;
} fingerprint;

/* A hash that depends on every neighbour and every weight in [begin, end). */
static uint64_t piece_key(const int32_t *values, int64_t begin, int64_t end)
{
    uint64_t lane[4] = {1, 2, 3, (uint64_t)begin};
    int64_t a = begin;
    for (; a + 4 <= end; a += 4)
        for (int i = 0; i < 4; i++)
            lane[i] = (lane[i] ^ (uint32_t)values[a + i]) * 0x9fb21c651e98df25u;
    for (; a < end; a++)
        lane[0] = (lane[0] ^ (uint32_t)values[a]) * 0x9fb21c651e98df25u;
    return clv_hash64(clv_hash64(clv_hash64(lane[0] ^ lane[1]) ^ lane[2]) ^ lane[3]);
}

/* Addition is commutative: the sum does not depend on the number of threads. */
static void add_keys(void *context, int64_t begin, int64_t end, int member)
{
    fingerprint *f = context;
    (void)member;
    uint64_t key = piece_key(f->rows->adj, begin, end);
    if (f->rows->ewgt)
        key += clv_hash64(piece_key(f->rows->ewgt, begin, end));
    atomic_fetch_add_explicit(&f->sum, key, memory_order_relaxed);
}

/* One multiplication less than clv_hash64, because it runs once per arc. */
static inline uint64_t edge_hash(uint64_t edge, uint64_t key)
{
    uint64_t x = (edge ^ key) * 0x9fb21c651e98df25u;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
    return x ^ (x >> 29);
}

static inline uint64_t arc_hash(const fingerprint *f, int64_t a, uint64_t low, uint64_t high)
{
    uint64_t h = edge_hash(low << 32 | high, f->key);
    return f->rows->ewgt ? clv_hash64(h ^ (uint32_t)f->rows->ewgt[a]) : h;
}

static void add_arcs(void *context, int64_t begin, int64_t end, int member)
{
    fingerprint *f = context;
    (void)member;
    const int64_t *xadj = f->rows->xadj;
    const int32_t *adj = f->rows->adj;
    uint64_t sum = 0;
    for (int32_t u = (int32_t)begin; u < end; u++) {
        int64_t a = xadj[u];
        for (; a < xadj[u + 1] && adj[a] <= u; a++)
            sum -= arc_hash(f, a, (uint32_t)adj[a], (uint32_t)u);
        for (; a < xadj[u + 1]; a++)
            sum += arc_hash(f, a, (uint32_t)u, (uint32_t)adj[a]);
    }
    atomic_fetch_add_explicit(&f->sum, sum, memory_order_relaxed);
}

bool clv_symmetry_fingerprint(const clv_rows *rows, clv_team *team)
{
    enum { arcs_at_once = 1 << 18, vertices_at_once = 1 << 15 };
    if (rows->nvtx <= fits_cache)
        return false;
    fingerprint f = {.rows = rows};
    atomic_init(&f.sum, 0);
    clv_parallel_for(team, rows->xadj[rows->nvtx], arcs_at_once, add_keys, &f);
    f.key = atomic_load(&f.sum);
    atomic_store(&f.sum, 0);
    clv_parallel_for(team, rows->nvtx, vertices_at_once, add_arcs, &f);
    return atomic_load(&f.sum) == 0;
}

/* ---- The check -------------------------------------------------------------------- */

/* Are the ends of most edges so far apart that the cursors do not stay in the cache? */
static bool is_scattered(const clv_rows *rows)
{
    enum { samples = 256 };
    int32_t far = 0, seen = 0, step = rows->nvtx / samples + 1;
    for (int32_t v = step / 2; v < rows->nvtx - step; v += step) {
        if (rows->xadj[v] == rows->xadj[v + 1])
            continue;
        int64_t away = (int64_t)rows->adj[rows->xadj[v + 1] - 1] - v;
        far += away > fits_cache || away < -fits_cache;
        seen++;
    }
    return far > seen / 4;
}

/* The exact pass without messages, for rows of which only the offsets are known to be valid.
 * Neighbours below u are checked to ascend; those above are matched in ascending order by the
 * cursors.  An entry that is out of order, out of range or equal to u matches no cursor, so
 * the cursor of its row stays in front of it; a cursor that advances into the next row does
 * not end at its own end. */
static bool cursors_meet(const clv_rows *rows, int64_t *cursor)
{
    const int64_t *xadj = rows->xadj;
    const int32_t *adj = rows->adj, *ewgt = rows->ewgt;
    int64_t narc = xadj[rows->nvtx];
    for (int32_t u = 0; u < rows->nvtx; u++) {
        int64_t a = xadj[u];
        int32_t before = -1;
        for (; a < xadj[u + 1] && (uint32_t)adj[a] < (uint32_t)u; a++) {
            int64_t c = cursor[adj[a]]++;
            if (adj[a] <= before || c >= narc || adj[c] != u || (ewgt && ewgt[c] != ewgt[a]))
                return false;
            before = adj[a];
        }
        cursor[u] = a; /* the first neighbour above u is expected next */
    }
    bool meet = true;
    for (int32_t v = 0; v < rows->nvtx; v++)
        meet &= cursor[v] == xadj[v + 1];
    return meet;
}

bool clv_symmetry_proved(const clv_rows *rows)
{
    if (is_scattered(rows))
        return false;
    int64_t *cursor = clv_alloc(rows->nvtx, sizeof *cursor);
    bool proved = cursor && cursors_meet(rows, cursor);
    clv_sys_free(cursor);
    return proved;
}

/* Writes the transpose of `from` to `to`, whose rows have the same lengths; cursor: nvtx
 * entries.  False: a neighbour is out of range, or has more entries than its row holds. */
static bool transpose(const clv_rows *from, clv_rows *to, int64_t *cursor)
{
    memcpy(cursor, from->xadj, (size_t)from->nvtx * sizeof *cursor);
    for (int32_t u = 0; u < from->nvtx; u++)
        for (int64_t a = from->xadj[u]; a < from->xadj[u + 1]; a++) {
            int32_t v = from->adj[a];
            if (v < 0 || v >= from->nvtx || cursor[v] == from->xadj[v + 1])
                return false;
            if (from->ewgt)
                to->ewgt[cursor[v]] = from->ewgt[a];
            to->adj[cursor[v]++] = u;
        }
    return true;
}

/* A symmetric graph is its own transpose, and the rows of a transpose ascend. */
bool clv_symmetry_sorted(clv_rows *to, const clv_rows *from)
{
    int64_t narc = from->xadj[from->nvtx];
    *to = (clv_rows){.nvtx = from->nvtx};
    if (is_scattered(from))
        return false;
    to->xadj = clv_alloc((int64_t)from->nvtx + 1, sizeof *to->xadj);
    to->adj = clv_alloc(narc, sizeof *to->adj);
    to->ewgt = from->ewgt ? clv_alloc(narc, sizeof *to->ewgt) : NULL;
    int64_t *cursor = clv_alloc(from->nvtx, sizeof *cursor);
    bool sorted = to->xadj && to->adj && (!from->ewgt || to->ewgt) && cursor &&
                  transpose(from, to, cursor);
    if (sorted) {
        memcpy(to->xadj, from->xadj, ((size_t)from->nvtx + 1) * sizeof *to->xadj);
        sorted = to->known_good = cursors_meet(to, cursor);
    }
    clv_sys_free(cursor);
    if (!sorted)
        clv_rows_free(to);
    return sorted;
}

static void find_asymmetry(const clv_rows *rows, int64_t *cursor, clv_asymmetry *found)
{
    for (int32_t u = 0; u < rows->nvtx; u++)
        if (!clv_symmetry_row(rows, u, cursor, found))
            return;
    int32_t v = clv_symmetry_rest(rows, cursor);
    if (v >= 0)
        *found = (clv_asymmetry){.from = v, .to = rows->adj[cursor[v]]};
}

cleave_status clv_symmetry_check(const clv_rows *rows, clv_team *team, clv_ws *ws,
                                 clv_asymmetry *found, cleave_error *err)
{
    *found = (clv_asymmetry){.from = -1};
    bool large = clv_team_size(team) > 1 || is_scattered(rows);
    if (large && clv_symmetry_fingerprint(rows, team))
        return CLEAVE_OK;
    clv_ws_mark mark = clv_ws_save(ws);
    int64_t *cursor = clv_ws_alloc(ws, rows->nvtx, sizeof *cursor);
    if (!cursor)
        return clv_fail_memory(err);
    if (!cursors_meet(rows, cursor))
        find_asymmetry(rows, cursor, found);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* ---- Making rows symmetric -------------------------------------------------------- */

/* Index of the arc v -> u, or -1.  For a fixed v, calls must have ascending u. */
static int64_t find_opposite(const clv_rows *rows, int32_t v, int32_t u, int64_t *cursor)
{
    int64_t c = cursor[v];
    while (c < rows->xadj[v + 1] && rows->adj[c] < u)
        c++;
    cursor[v] = c;
    return c < rows->xadj[v + 1] && rows->adj[c] == u ? c : -1;
}

static void reset_cursors(const clv_rows *rows, int64_t *cursor)
{
    memcpy(cursor, rows->xadj, (size_t)rows->nvtx * sizeof *cursor);
}

/* missing[v] += number of arcs u -> v without v -> u; also counts pairs with unequal weights.
 */
static void count_missing(const clv_rows *rows, int64_t *cursor, int64_t *missing,
                          clv_symmetry_faults *found)
{
    reset_cursors(rows, cursor);
    for (int32_t u = 0; u < rows->nvtx; u++)
        for (int64_t a = rows->xadj[u]; a < rows->xadj[u + 1]; a++) {
            int32_t v = rows->adj[a];
            int64_t back = find_opposite(rows, v, u, cursor);
            if (back < 0) {
                missing[v]++;
                found->one_way++;
            } else if (u > v && weight_of(rows, a) != weight_of(rows, back)) {
                if (found->unequal++ == 0)
                    found->contradiction =
                        (clv_asymmetry){u, v, true, weight_of(rows, a), weight_of(rows, back)};
            }
        }
}

/* Sets the weights of both directions of each edge to the same value. */
static cleave_status combine_weights(clv_rows *rows, clv_symmetrise how, int64_t *cursor,
                                     int32_t overflow[2])
{
    reset_cursors(rows, cursor);
    for (int32_t u = 0; u < rows->nvtx; u++)
        for (int64_t a = rows->xadj[u]; a < rows->xadj[u + 1]; a++) {
            int32_t v = rows->adj[a];
            if (v < u)
                continue; /* done at the other end */
            int64_t back = find_opposite(rows, v, u, cursor);
            if (back < 0)
                continue;
            int64_t there = rows->ewgt[a], other = rows->ewgt[back];
            int64_t both = there > other ? there : other;
            if (how == CLV_SYMMETRISE_SUM)
                both = there + other;
            if (both > INT32_MAX) {
                overflow[0] = u;
                overflow[1] = v;
                return CLEAVE_ERANGE;
            }
            rows->ewgt[a] = rows->ewgt[back] = (int32_t)both;
        }
    return CLEAVE_OK;
}

/* Appends the missing arcs v -> u to the wider row v, ascending. */
static void append_missing(const clv_rows *rows, int64_t *cursor, int64_t *fill,
                           clv_rows *wide)
{
    reset_cursors(rows, cursor);
    for (int32_t u = 0; u < rows->nvtx; u++)
        for (int64_t a = rows->xadj[u]; a < rows->xadj[u + 1]; a++) {
            int32_t v = rows->adj[a];
            if (find_opposite(rows, v, u, cursor) >= 0)
                continue;
            wide->adj[fill[v]] = u;
            if (wide->ewgt)
                wide->ewgt[fill[v]] = rows->ewgt[a];
            fill[v]++;
        }
}

/* Merges the old row v with the entries at the end of its wider row.  In place: the write
 * position never overtakes the read position in the end part. */
static void merge_row(const clv_rows *rows, int32_t v, clv_rows *wide)
{
    int64_t a = rows->xadj[v], a_end = rows->xadj[v + 1];
    int64_t to = wide->xadj[v], b = to + (a_end - a), b_end = wide->xadj[v + 1];
    while (a < a_end || b < b_end) {
        bool old = b == b_end || (a < a_end && rows->adj[a] < wide->adj[b]);
        wide->adj[to] = old ? rows->adj[a] : wide->adj[b];
        if (wide->ewgt)
            wide->ewgt[to] = old ? rows->ewgt[a] : wide->ewgt[b];
        to++;
        if (old)
            a++;
        else
            b++;
    }
}

/* missing becomes the cursors for appending to the rows. */
static cleave_status insert_missing(clv_rows *rows, int64_t *missing, int64_t added,
                                    int64_t *cursor, cleave_error *err)
{
    int32_t nvtx = rows->nvtx;
    int64_t narc = rows->xadj[nvtx] + added;
    clv_rows wide = {.nvtx = nvtx};
    wide.xadj = clv_alloc((int64_t)nvtx + 1, sizeof *wide.xadj);
    wide.adj = clv_alloc(narc, sizeof *wide.adj);
    if (rows->ewgt)
        wide.ewgt = clv_alloc(narc, sizeof *wide.ewgt);
    if (!wide.xadj || !wide.adj || (rows->ewgt && !wide.ewgt)) {
        clv_rows_free(&wide);
        return clv_fail_memory(err);
    }
    wide.xadj[0] = 0;
    for (int32_t v = 0; v < nvtx; v++) {
        int64_t length = rows->xadj[v + 1] - rows->xadj[v];
        wide.xadj[v + 1] = wide.xadj[v] + length + missing[v];
        missing[v] = wide.xadj[v] + length;
    }
    append_missing(rows, cursor, missing, &wide);
    for (int32_t v = 0; v < nvtx; v++)
        merge_row(rows, v, &wide);
    clv_rows_free(rows);
    *rows = wide;
    return CLEAVE_OK;
}

cleave_status clv_symmetry_make(clv_rows *rows, clv_symmetrise how, clv_ws *ws,
                                clv_symmetry_faults *found, cleave_error *err)
{
    *found = (clv_symmetry_faults){.contradiction.from = -1, .overflow = {-1, -1}};
    clv_ws_mark mark = clv_ws_save(ws);
    int64_t *cursor = clv_ws_alloc(ws, rows->nvtx, sizeof *cursor);
    int64_t *missing = clv_ws_zalloc(ws, rows->nvtx, sizeof *missing);
    if (!cursor || !missing)
        return clv_fail_memory(err);
    count_missing(rows, cursor, missing, found);
    cleave_status status = CLEAVE_OK;
    if (how == CLV_SYMMETRISE_REFUSE)
        status = found->unequal ? CLEAVE_EINVAL : CLEAVE_OK;
    else if (rows->ewgt)
        status = combine_weights(rows, how, cursor, found->overflow);
    if (status == CLEAVE_OK && found->one_way)
        status = insert_missing(rows, missing, found->one_way, cursor, err);
    clv_ws_restore(ws, mark);
    return status;
}
