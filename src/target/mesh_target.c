/* SPDX-License-Identifier: Apache-2.0 */
/* target/mesh_target.c - meshes and tori of any dimension.
 *
 * The first dimension varies fastest; dimensions of one PE are omitted.  A domain is a box: a
 * is its lowest and b its highest corner, as PE numbers.  It is cut across its longest side
 * (the last of several), and the distance of two boxes is the Manhattan distance of their
 * centres, with wraparound on a torus [Pellegrini, Lachat 2017].  Twice a centre is the sum of
 * two corners, so that all numbers are integers.
 *
 * Routes go dimension by dimension, starting with the first.  Links are undirected, one for
 * each edge of the mesh; a side of two PEs has one edge, on a torus as well.  Half way round a
 * torus, where both directions are equally long, the lower of the two coordinates decides:
 * even goes inside, odd through the wraparound, so that the links of a ring share the load. */
#include <stdio.h>
#include <string.h>

#include "target/divisor.h"
#include "target/floorplan.h"
#include "target/target_forms.h"

enum {
    most_sides = 30,       /* sides with two or more PEs */
    most_steps = 62,       /* of halving all sides */
    most_rotated = 1 << 12 /* longest side for which the largest gap is searched */
};

typedef struct mesh {
    bool torus;
    int32_t sides;
    int32_t side[most_sides]; /* each >= 2 */
    int32_t stride[most_sides];
    clv_divisor by_side[most_sides];
    int64_t link[most_sides]; /* number of the first link along that side */
} mesh;

static const mesh *mesh_of(const clv_target *t)
{
    return t->data;
}

/* Removes coordinate i from a PE number without the earlier coordinates. */
static int32_t next_coordinate(const mesh *m, int32_t i, int32_t *pe)
{
    int32_t rest = clv_divisor_quotient(*pe, m->by_side[i]),
            coordinate = *pe - rest * m->side[i];
    *pe = rest;
    return coordinate;
}

static clv_domain root(const clv_target *t)
{
    return (clv_domain){0, t->npes - 1};
}

static clv_domain terminal(const clv_target *t, int32_t pe)
{
    (void)t;
    return (clv_domain){pe, pe};
}

static bool bipartition(const clv_target *t, clv_domain d, clv_domain half[2])
{
    const mesh *m = mesh_of(t);
    int32_t low = d.a, high = d.b, longest = 0, across = 0;
    if (d.a == d.b)
        return false;
    for (int32_t i = 0; i < m->sides; i++) {
        int32_t first = next_coordinate(m, i, &low);
        int32_t length = next_coordinate(m, i, &high) - first;
        if (length >= longest) {
            longest = length;
            across = i;
        }
    }
    /* A side of longest + 1 PEs, of which the first half has longest / 2 + 1. */
    half[0] = (clv_domain){d.a, d.b - (longest - longest / 2) * m->stride[across]};
    half[1] = (clv_domain){d.a + (longest / 2 + 1) * m->stride[across], d.b};
    return true;
}

static int32_t pes(const clv_target *t, clv_domain d)
{
    const mesh *m = mesh_of(t);
    int32_t count = 1;
    for (int32_t i = 0; i < m->sides; i++) {
        int32_t first = next_coordinate(m, i, &d.a);
        count *= next_coordinate(m, i, &d.b) - first + 1;
    }
    return count;
}

static int32_t pe(const clv_target *t, clv_domain d)
{
    (void)t;
    return d.a;
}

static double weight(const clv_target *t, clv_domain d)
{
    const mesh *m = mesh_of(t);
    int32_t at[most_sides] = {0}, length[most_sides], current = d.a, i = 0;
    double sum = 0;
    if (!t->speed)
        return pes(t, d);
    for (; i < m->sides; i++) {
        int32_t first = next_coordinate(m, i, &d.a);
        length[i] = next_coordinate(m, i, &d.b) - first;
    }
    do {
        sum += t->speed[current];
        for (i = 0; i < m->sides && at[i] == length[i]; i++) {
            current -= at[i] * m->stride[i];
            at[i] = 0;
        }
        if (i < m->sides) {
            at[i]++;
            current += m->stride[i];
        }
    } while (i < m->sides);
    return sum;
}

static int64_t distance(const clv_target *t, clv_domain x, clv_domain y)
{
    const mesh *m = mesh_of(t);
    int64_t sum = 0;
    for (int32_t i = 0; i < m->sides; i++) {
        int32_t side = m->side[i];
        int64_t apart = (int64_t)next_coordinate(m, i, &x.a) + next_coordinate(m, i, &x.b) -
                        next_coordinate(m, i, &y.a) - next_coordinate(m, i, &y.b);
        apart = apart < 0 ? -apart : apart;
        sum += m->torus && apart > side ? 2 * (int64_t)side - apart : apart;
    }
    return sum;
}

static int32_t between(const clv_target *t, int32_t p, int32_t q)
{
    const mesh *m = mesh_of(t);
    int32_t sum = 0, last = m->sides - 1;
    for (int32_t i = 0; i <= last; i++) {
        /* What is left after the other sides is the last coordinate, without a division. */
        int32_t apart =
            i < last ? next_coordinate(m, i, &p) - next_coordinate(m, i, &q) : p - q;
        apart = apart < 0 ? -apart : apart;
        int32_t round = (m->torus ? m->side[i] : INT32_MAX) - apart;
        sum += round < apart ? round : apart;
    }
    return sum;
}

/* ---- Routes ----------------------------------------------------------------------------- */

/* A torus with two PEs per side has no second edge. */
static bool wraps(const mesh *m, int32_t i)
{
    return m->torus && m->side[i] > 2;
}

static int32_t edges_in_line(const mesh *m, int32_t i)
{
    return m->side[i] - !wraps(m, i);
}

/* Does the route go through the wraparound: is it shorter, or equally long with an odd
 * coordinate? */
static bool goes_round(const mesh *m, int32_t i, int32_t low, int32_t high)
{
    int32_t inside = high - low, outside = m->side[i] - inside;
    return wraps(m, i) && (outside < inside || (outside == inside && low % 2 == 1));
}

static void route(const clv_target *t, int32_t p, int32_t q, int64_t amount,
                  clv_link_loads *loads)
{
    const mesh *m = mesh_of(t);
    int32_t here = p, p_left = p, q_left = q;
    for (int32_t i = 0; i < m->sides; i++) {
        int32_t side = m->side[i], stride = m->stride[i];
        int32_t from = next_coordinate(m, i, &p_left), to = next_coordinate(m, i, &q_left);
        int32_t low = from < to ? from : to, high = from < to ? to : from;
        /* The link between coordinates c and c + 1 of this line has number c. */
        int64_t line =
            m->link[i] + here % stride + (int64_t)p_left * stride * edges_in_line(m, i);
        bool round = goes_round(m, i, low, high);
        for (int32_t c = round ? high : low; c != (round ? low : high);
             c = c + 1 == side ? 0 : c + 1)
            clv_link_add(loads, line + (int64_t)c * stride, amount);
        here += (to - from) * stride;
    }
}

/* ---- Coarsening for TARGET[list] -------------------------------------------------------- */

typedef struct box {
    int32_t low[most_sides], length[most_sides];
} box;

static int32_t coordinate_of(const mesh *m, int32_t pe, int32_t i)
{
    return pe / m->stride[i] % m->side[i];
}

static void find_bounds(const mesh *m, int32_t i, int32_t count, const int32_t *list, box *b)
{
    int32_t low = m->side[i], high = 0;
    for (int32_t j = 0; j < count; j++) {
        int32_t c = coordinate_of(m, list[j], i);
        low = c < low ? c : low;
        high = c > high ? c : high;
    }
    b->low[i] = low;
    b->length[i] = high - low + 1;
}

/* On a ring the box starts after the largest gap: PEs on both sides of the wraparound are
 * neighbours. */
static void rotate_bounds(const mesh *m, int32_t i, int32_t count, const int32_t *list, box *b)
{
    bool used[most_rotated] = {false};
    int32_t side = m->side[i], last = b->low[i], largest = side - b->length[i];
    for (int32_t j = 0; j < count; j++)
        used[coordinate_of(m, list[j], i)] = true;
    for (int32_t c = last; c < side; c++) {
        if (!used[c])
            continue;
        if (c - last - 1 > largest) {
            largest = c - last - 1;
            b->low[i] = c;
            b->length[i] = side - largest;
        }
        last = c;
    }
}

/* The sequence of steps: the sides are halved in turn until the box is one PE. A side of odd
 * length leaves its last PE alone, the next time its first, and so on. */
static int32_t plan_steps(const mesh *m, box *b, int32_t *side_of, int32_t *offset)
{
    bool from_end[most_sides] = {false};
    int32_t steps = 0;
    for (bool more = true; more;) {
        more = false;
        for (int32_t i = 0; i < m->sides; i++) {
            if (b->length[i] == 1)
                continue;
            side_of[steps] = i;
            offset[steps++] = b->length[i] % 2 && from_end[i];
            from_end[i] ^= b->length[i] % 2;
            b->length[i] -= b->length[i] / 2;
            more = true;
        }
    }
    return steps;
}

static void trace(const clv_target *t, int32_t count, const int32_t *list, int64_t *code)
{
    const mesh *m = mesh_of(t);
    box b;
    int32_t side_of[most_steps], offset[most_steps], at[most_sides];
    for (int32_t i = 0; i < m->sides; i++) {
        find_bounds(m, i, count, list, &b);
        if (m->torus && m->side[i] <= most_rotated)
            rotate_bounds(m, i, count, list, &b);
    }
    int32_t steps = plan_steps(m, &b, side_of, offset);
    for (int32_t j = 0; j < count; j++) {
        int32_t left = list[j];
        for (int32_t i = 0; i < m->sides; i++) {
            int32_t c = next_coordinate(m, i, &left) - b.low[i];
            at[i] = c < 0 ? c + m->side[i] : c;
        }
        code[j] = 0;
        for (int32_t step = 0; step < steps; step++) {
            int32_t c = at[side_of[step]] + offset[step];
            code[j] |= (int64_t)(c & 1) << step;
            at[side_of[step]] = c >> 1;
        }
    }
}

static cleave_status floorplan_of(const clv_target *t, clv_floorplan *f, clv_arena *arena,
                                  cleave_error *err)
{
    const mesh *m = mesh_of(t);
    bool around[most_sides] = {false};
    for (int32_t i = 0; i < m->sides; i++)
        around[i] = wraps(m, i);
    const clv_floorplan_grid grid = {m->sides, m->side, m->stride, around, m->link};
    return clv_floorplan_mesh(f, &grid, arena, err);
}

/* ---- Construction ----------------------------------------------------------------------- */

static void describe(const clv_target *t, char *text, size_t size)
{
    const mesh *m = mesh_of(t);
    const char *kind = m->torus ? "torus" : "mesh";
    size_t used = 0;
    if (m->sides == 0)
        snprintf(text, size, "%s of 1", kind);
    for (int32_t i = 0; i < m->sides && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s%ld", i == 0 ? kind : "",
                                 i == 0 ? " of " : " x ", (long)m->side[i]);
}

static const clv_shape shape = {.name = "mesh",
                                .root = root,
                                .terminal = terminal,
                                .bipartition = bipartition,
                                .pes = pes,
                                .pe = pe,
                                .weight = weight,
                                .distance = distance,
                                .between = between,
                                .route = route,
                                .trace = trace,
                                .floorplan = floorplan_of,
                                .describe = describe};

static cleave_status fill(mesh *m, int32_t dimensions, const int32_t *side, int64_t *npes,
                          cleave_error *err)
{
    *npes = 1;
    for (int32_t i = 0; i < dimensions; i++) {
        if (side[i] < 1)
            return clv_fail(err, CLEAVE_EINVAL, "a side of %ld PEs cannot be: 1 or more",
                            (long)side[i]);
        if (*npes * side[i] > INT32_MAX)
            return clv_fail(err, CLEAVE_ERANGE, "a %s cannot have more than %ld PEs",
                            m->torus ? "torus" : "mesh", (long)INT32_MAX);
        if (side[i] == 1)
            continue;
        m->side[m->sides] = side[i];
        m->by_side[m->sides] = clv_divisor_make(side[i]);
        m->stride[m->sides++] = (int32_t)*npes;
        *npes *= side[i];
    }
    return CLEAVE_OK;
}

static int64_t number_links(mesh *m, int64_t npes)
{
    int64_t links = 0;
    for (int32_t i = 0; i < m->sides; i++) {
        m->link[i] = links;
        links += npes / m->side[i] * edges_in_line(m, i);
    }
    return links;
}

cleave_status clv_target_mesh(clv_target **out, int32_t dimensions, const int32_t *side,
                              bool torus, cleave_error *err)
{
    mesh made = {.torus = torus};
    int64_t npes;
    *out = NULL;
    if (dimensions < 1)
        return clv_fail(err, CLEAVE_EINVAL, "a mesh cannot have %ld dimensions",
                        (long)dimensions);
    CLV_TRY(fill(&made, dimensions, side, &npes, err));
    clv_target *t = clv_target_open(&shape, (int32_t)npes);
    mesh *copy = t ? clv_arena_alloc(&t->arena, 1, sizeof *copy) : NULL;
    if (!copy) {
        clv_target_free(t);
        return clv_fail_memory(err);
    }
    t->links = number_links(&made, npes);
    *copy = made;
    t->data = copy;
    *out = t;
    return CLEAVE_OK;
}

/* ---- Text forms ------------------------------------------------------------------------- */

static cleave_status parse_mesh(clv_target **out, const char *text, cleave_error *err)
{
    static const clv_number_form form = {'x', 1, "the sides of a mesh", "mesh:4x2"};
    clv_target_numbers side;
    CLV_TRY(clv_target_parse_numbers(&side, text, strlen(text), &form, err));
    return clv_target_mesh(out, side.count, side.number, false, err);
}

static cleave_status parse_torus(clv_target **out, const char *text, cleave_error *err)
{
    static const clv_number_form form = {'x', 1, "the sides of a torus", "torus:8x8x8"};
    clv_target_numbers side;
    CLV_TRY(clv_target_parse_numbers(&side, text, strlen(text), &form, err));
    return clv_target_mesh(out, side.count, side.number, true, err);
}

const clv_target_form clv_target_form_mesh = {
    .prefix = "mesh:",
    .example = "mesh:4x2",
    .description = "a mesh of any number of dimensions; the distance is the number of steps",
    .parse = parse_mesh,
};

const clv_target_form clv_target_form_torus = {
    .prefix = "torus:",
    .example = "torus:8x8x8",
    .description = "the same, closed to a ring in every dimension",
    .parse = parse_torus,
};
