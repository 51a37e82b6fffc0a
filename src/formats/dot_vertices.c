/* SPDX-License-Identifier: Apache-2.0 */
/* formats/dot_vertices.c - the vertices of a DOT file. */
#include "formats/dot_vertices.h"

#include <math.h>
#include <string.h>

#include "base/number.h"

enum { most_dimensions = 3 };

/* ---- Attributes ---------------------------------------------------------------------- */

/* Grows *array to `space` vertices of `each` bytes, unless it is absent. */
static bool grow_array(void **array, int64_t space, size_t each)
{
    if (!*array)
        return true;
    void *larger = clv_realloc(*array, space, each);
    if (larger)
        *array = larger;
    return larger != NULL;
}

static bool reserve(clv_dot_vertices *vertices)
{
    if (vertices->names.count < vertices->space)
        return true;
    int64_t space = vertices->names.count > INT32_MAX / 2
                        ? INT32_MAX
                        : 2 * (int64_t)vertices->names.count + 64;
    void *vwgt = vertices->vwgt, *vsize = vertices->vsize, *coords = vertices->coords;
    bool ok = grow_array(&vwgt, space, (size_t)vertices->ncon * sizeof *vertices->vwgt) &&
              grow_array(&vsize, space, sizeof *vertices->vsize) &&
              grow_array(&coords, space, most_dimensions * sizeof *vertices->coords);
    vertices->vwgt = vwgt;
    vertices->vsize = vsize;
    vertices->coords = coords;
    if (ok)
        vertices->space = (int32_t)space;
    return ok;
}

static void fill(int32_t *values, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++)
        values[i] = 1;
}

/* Attributes of a vertex without any in the file. */
static void clear_vertex(clv_dot_vertices *vertices, int32_t v)
{
    if (vertices->vwgt)
        fill(vertices->vwgt, (int64_t)v * vertices->ncon, ((int64_t)v + 1) * vertices->ncon);
    if (vertices->vsize)
        vertices->vsize[v] = 1;
    if (vertices->coords)
        vertices->coords[(int64_t)v * most_dimensions] = NAN;
}

static bool start_weights(clv_dot_vertices *vertices, int32_t ncon)
{
    int64_t count;
    if (!clv_mul_i64(vertices->space, ncon, &count))
        return false;
    vertices->vwgt = clv_alloc(count, sizeof *vertices->vwgt);
    if (!vertices->vwgt)
        return false;
    vertices->ncon = ncon;
    fill(vertices->vwgt, 0, (int64_t)vertices->names.count * ncon);
    return true;
}

static bool start_sizes(clv_dot_vertices *vertices)
{
    vertices->vsize = clv_alloc(vertices->space, sizeof *vertices->vsize);
    if (vertices->vsize)
        fill(vertices->vsize, 0, vertices->names.count);
    return vertices->vsize != NULL;
}

static bool start_coords(clv_dot_vertices *vertices, int32_t ndim)
{
    vertices->coords = clv_alloc(vertices->space, most_dimensions * sizeof *vertices->coords);
    if (!vertices->coords)
        return false;
    vertices->ndim = ndim;
    for (int32_t v = 0; v < vertices->names.count; v++)
        vertices->coords[(int64_t)v * most_dimensions] = NAN;
    return true;
}

bool clv_dot_vertices_set(clv_dot_vertices *vertices, int32_t v,
                          const clv_dot_attributes *attributes)
{
    if (attributes->ncon > 0) {
        if (!vertices->vwgt && !start_weights(vertices, attributes->ncon))
            return false;
        memcpy(vertices->vwgt + (int64_t)v * vertices->ncon, attributes->weight,
               (size_t)vertices->ncon * sizeof *vertices->vwgt);
    }
    if (attributes->vsize >= 0) {
        if (!vertices->vsize && !start_sizes(vertices))
            return false;
        vertices->vsize[v] = attributes->vsize;
    }
    if (attributes->ndim > 0) {
        if (!vertices->coords && !start_coords(vertices, attributes->ndim))
            return false;
        vertices->mixed_coords |= attributes->ndim != vertices->ndim;
        memcpy(vertices->coords + (int64_t)v * most_dimensions, attributes->pos,
               sizeof attributes->pos);
    }
    return true;
}

cleave_status clv_dot_vertices_add(clv_dot_vertices *vertices, const char *name,
                                   int64_t length, const clv_dot_attributes *defaults,
                                   int32_t *v, cleave_error *err)
{
    if (!reserve(vertices))
        return clv_fail_memory(err);
    bool added;
    CLV_TRY(clv_name_table_add(&vertices->names, name, length, v, &added, err));
    if (!added)
        return CLEAVE_OK;
    clear_vertex(vertices, *v);
    return clv_dot_vertices_set(vertices, *v, defaults) ? CLEAVE_OK : clv_fail_memory(err);
}

/* ---- Numbers ------------------------------------------------------------------------- */

typedef struct numbered {
    uint64_t key;
    int32_t v;
} numbered;

/* Is the name written as clv_print_i64 writes numbers (no +, no leading zeros)? */
static bool is_plain_integer(const char *name, int64_t length, int64_t *value)
{
    char again[CLV_NUMBER_SPACE];
    bool overflow = false;
    if (length > 20 || clv_parse_i64(name, name + length, value, &overflow) != name + length ||
        overflow)
        return false;
    return clv_print_i64(again, *value) - again == length &&
           memcmp(again, name, (size_t)length) == 0;
}

/* All ids as integers, mapped to keys of the same order; false: one is not an integer. */
static bool read_integers(const clv_name_table *names, numbered *ids)
{
    for (int32_t v = 0; v < names->count; v++) {
        int64_t value;
        if (!is_plain_integer(clv_name_table_name(names, v),
                              names->offset[v + 1] - names->offset[v] - 1, &value))
            return false;
        ids[v] = (numbered){(uint64_t)value ^ (uint64_t)1 << 63, v};
    }
    return true;
}

/* Radix sort, least significant byte first; returns the array that holds the result. */
static numbered *sort_ids(numbered *from, numbered *to, int32_t n)
{
    for (int shift = 0; shift < 64; shift += 8) {
        int32_t start[256] = {0}, sum = 0;
        for (int32_t i = 0; i < n; i++)
            start[(from[i].key >> shift) & 255]++;
        if (start[(from[0].key >> shift) & 255] == n)
            continue;
        for (int d = 0; d < 256; d++) {
            int32_t count = start[d];
            start[d] = sum;
            sum += count;
        }
        for (int32_t i = 0; i < n; i++)
            to[start[(from[i].key >> shift) & 255]++] = from[i];
        numbered *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

/* old[i]: the vertex that becomes number i.  *changed: some vertex gets another number.
 * *exact: the ids are 0..n-1. */
static cleave_status choose_order(const clv_name_table *names, int32_t *old, bool *changed,
                                  bool *exact, cleave_error *err)
{
    int32_t n = names->count;
    *changed = false;
    *exact = n == 0;
    numbered *ids = clv_alloc(2 * (int64_t)n, sizeof *ids);
    if (!ids)
        return clv_fail_memory(err);
    if (n > 0 && read_integers(names, ids)) {
        const numbered *sorted = sort_ids(ids, ids + n, n);
        for (int32_t i = 0; i < n; i++) {
            old[i] = sorted[i].v;
            *changed |= old[i] != i;
        }
        *exact = sorted[0].key == (uint64_t)1 << 63 &&
                 sorted[n - 1].key == ((uint64_t)1 << 63 | (uint64_t)(n - 1));
    }
    clv_sys_free(ids);
    return CLEAVE_OK;
}

static int32_t new_number(const void *context, int32_t v)
{
    const int32_t *number = context;
    return number[v];
}

/* Puts *array into the new order; *array may be NULL. */
static bool renumber_array(void **array, size_t each, const int32_t *old, int32_t n)
{
    if (!*array)
        return true;
    char *made = clv_alloc(n, each);
    if (!made)
        return false;
    for (int32_t i = 0; i < n; i++)
        memcpy(made + (size_t)i * each, (const char *)*array + (size_t)old[i] * each, each);
    clv_sys_free(*array);
    *array = made;
    return true;
}

static bool renumber_names(clv_name_table *names, const int32_t *old)
{
    int32_t n = names->count;
    int64_t *offset = clv_alloc((int64_t)n + 1, sizeof *offset);
    char *text = clv_alloc(names->offset[n], 1);
    if (!offset || !text) {
        clv_sys_free(offset);
        clv_sys_free(text);
        return false;
    }
    offset[0] = 0;
    for (int32_t i = 0; i < n; i++) {
        int64_t begin = names->offset[old[i]], length = names->offset[old[i] + 1] - begin;
        memcpy(text + offset[i], names->text + begin, (size_t)length);
        offset[i + 1] = offset[i] + length;
    }
    clv_sys_free(names->offset);
    clv_sys_free(names->text);
    names->offset = offset;
    names->text = text;
    return true;
}

/* old[i]: the vertex that becomes i; number is scratch for the inverse. */
static cleave_status renumber(clv_dot_vertices *vertices, clv_edge_stream *edges,
                              const int32_t *old, int32_t *number, cleave_error *err)
{
    int32_t n = vertices->names.count;
    for (int32_t i = 0; i < n; i++)
        number[old[i]] = i;
    clv_edge_stream_renumber(edges, new_number, number);
    void *vwgt = vertices->vwgt, *vsize = vertices->vsize, *coords = vertices->coords;
    bool ok = renumber_array(&vwgt, (size_t)vertices->ncon * sizeof *vertices->vwgt, old, n) &&
              renumber_array(&vsize, sizeof *vertices->vsize, old, n) &&
              renumber_array(&coords, most_dimensions * sizeof *vertices->coords, old, n);
    vertices->vwgt = vwgt;
    vertices->vsize = vsize;
    vertices->coords = coords;
    return ok && renumber_names(&vertices->names, old) ? CLEAVE_OK : clv_fail_memory(err);
}

cleave_status clv_dot_vertices_finish(clv_dot_vertices *vertices, clv_edge_stream *edges,
                                      cleave_error *err)
{
    clv_name_table_freeze(&vertices->names);
    int64_t n = vertices->names.count;
    int32_t *old = clv_alloc(2 * n, sizeof *old);
    if (!old)
        return clv_fail_memory(err);
    bool changed, exact;
    cleave_status status = choose_order(&vertices->names, old, &changed, &exact, err);
    if (status == CLEAVE_OK && changed)
        status = renumber(vertices, edges, old, old + n, err);
    clv_sys_free(old);
    if (status == CLEAVE_OK && exact)
        clv_name_table_free(&vertices->names);
    return status;
}

/* ---- Transfer to the graph ----------------------------------------------------------- */

/* Transfers *array to the arena of g; on failure returns false, and the caller keeps it. */
static bool adopt_array(clv_graph *g, void *array)
{
    return !array || clv_arena_adopt(&g->arena, array);
}

/* Keeps coordinates only if every vertex has them; compacts from 3 to ndim per vertex. */
static void close_up_coords(clv_dot_vertices *vertices, int32_t nvtx)
{
    if (!vertices->coords)
        return;
    bool usable = !vertices->mixed_coords;
    for (int64_t v = 0; usable && v < nvtx; v++) {
        usable = !isnan(vertices->coords[v * most_dimensions]);
        memmove(vertices->coords + v * vertices->ndim, vertices->coords + v * most_dimensions,
                (size_t)vertices->ndim * sizeof *vertices->coords);
    }
    if (usable)
        return;
    clv_sys_free(vertices->coords);
    vertices->coords = NULL;
}

cleave_status clv_dot_vertices_give(clv_dot_vertices *vertices, clv_graph *g,
                                    cleave_error *err)
{
    clv_name_table *names = &vertices->names;
    close_up_coords(vertices, g->nvtx);
    if (!adopt_array(g, names->offset))
        return clv_fail_memory(err);
    g->names.offset = names->offset;
    names->offset = NULL;
    if (!adopt_array(g, names->text))
        return clv_fail_memory(err);
    g->names.text = names->text;
    names->text = NULL;
    if (!adopt_array(g, vertices->vwgt))
        return clv_fail_memory(err);
    g->vwgt = vertices->vwgt;
    g->ncon = vertices->vwgt ? vertices->ncon : 1;
    vertices->vwgt = NULL;
    if (!adopt_array(g, vertices->vsize))
        return clv_fail_memory(err);
    g->vsize = vertices->vsize;
    vertices->vsize = NULL;
    if (!adopt_array(g, vertices->coords))
        return clv_fail_memory(err);
    g->coords = vertices->coords;
    g->ndim = vertices->coords ? vertices->ndim : 0;
    vertices->coords = NULL;
    return CLEAVE_OK;
}

void clv_dot_vertices_free(clv_dot_vertices *vertices)
{
    clv_name_table_free(&vertices->names);
    clv_sys_free(vertices->vwgt);
    clv_sys_free(vertices->vsize);
    clv_sys_free(vertices->coords);
    memset(vertices, 0, sizeof *vertices);
}
