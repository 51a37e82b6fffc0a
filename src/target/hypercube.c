/* SPDX-License-Identifier: Apache-2.0 */
/* target/hypercube.c - 2^d PEs, linked if their numbers differ in one bit.
 *
 * A domain is a subcube with fixed high bits: a is its first PE, b the number of free low bits
 * [Pellegrini, Roman 1996].  The distance of two subcubes is the Hamming distance of the bits
 * that are fixed in both, plus one half for every bit that is free in the larger one.
 *
 * Routes correct the lowest bit first.  Links are undirected: the edge of bit i at the PEs p
 * and p ^ 2^i has the number i * 2^(d-1) + (p without bit i). */
#include <stdio.h>
#include <string.h>

#include "target/floorplan.h"
#include "target/target_forms.h"

static int32_t dimensions_of(const clv_target *t)
{
    return __builtin_ctz((unsigned)t->npes);
}

static clv_domain root(const clv_target *t)
{
    return (clv_domain){0, dimensions_of(t)};
}

static clv_domain terminal(const clv_target *t, int32_t pe)
{
    (void)t;
    return (clv_domain){pe, 0};
}

static bool bipartition(const clv_target *t, clv_domain d, clv_domain half[2])
{
    (void)t;
    if (d.b == 0)
        return false;
    half[0] = (clv_domain){d.a, d.b - 1};
    half[1] = (clv_domain){d.a + (1 << (d.b - 1)), d.b - 1};
    return true;
}

static int32_t pes(const clv_target *t, clv_domain d)
{
    (void)t;
    return 1 << d.b;
}

static int32_t pe(const clv_target *t, clv_domain d)
{
    (void)t;
    return d.a;
}

static double weight(const clv_target *t, clv_domain d)
{
    return clv_target_sum_speeds(t, d.a, d.a + (pes(t, d) - 1));
}

static int64_t distance(const clv_target *t, clv_domain x, clv_domain y)
{
    (void)t;
    if (x.a == y.a && x.b == y.b)
        return 0;
    int32_t unknown = x.b > y.b ? x.b : y.b;
    return 2 * __builtin_popcount((unsigned)(x.a ^ y.a) >> unknown) + unknown;
}

static int32_t between(const clv_target *t, int32_t p, int32_t q)
{
    (void)t;
    return __builtin_popcount((unsigned)(p ^ q));
}

static void route(const clv_target *t, int32_t p, int32_t q, int64_t amount,
                  clv_link_loads *loads)
{
    for (int32_t i = 0; p != q; i++) {
        int32_t bit = 1 << i;
        if (!((p ^ q) & bit))
            continue;
        int32_t without = (p & (bit - 1)) | ((p >> (i + 1)) << i);
        clv_link_add(loads, (int64_t)i * (t->npes / 2) + without, amount);
        p ^= bit;
    }
}

/* Scotch's coarsening merges along the lowest bit first: the code is the number itself. */
static void trace(const clv_target *t, int32_t count, const int32_t *list, int64_t *code)
{
    (void)t;
    for (int32_t i = 0; i < count; i++)
        code[i] = list[i];
}

static void describe(const clv_target *t, char *text, size_t size)
{
    int32_t dimensions = dimensions_of(t);
    snprintf(text, size, "hypercube of %ld dimension%s", (long)dimensions,
             dimensions == 1 ? "" : "s");
}

/* Cubes in oblique projection, eight of them at the corners of a larger one, and so on. */
static cleave_status floorplan_of(const clv_target *t, clv_floorplan *f, clv_arena *arena,
                                  cleave_error *err)
{
    static const double direction[3][2] = {{1, 0}, {0, 1}, {0.55, -0.25}};
    int32_t dimensions = dimensions_of(t);
    CLV_TRY(clv_floorplan_room(f, 2, t->npes, t->links, arena, err));
    f->nlines = 0;
    f->width = f->height = dimensions > 2 ? 0.26 : 0.5;
    for (int32_t p = 0; p < t->npes; p++) {
        double *at = f->position + 2 * (int64_t)p, size = 1;
        for (int32_t i = 0; i < dimensions; i++) {
            for (int d = 0; d < 2; d++)
                at[d] += p >> i & 1 ? size * direction[i % 3][d] : 0;
            size *= i % 3 == 2 ? 2.5 : 1;
        }
    }
    for (int32_t i = 0; i < dimensions; i++)
        for (int32_t p = 0; p < t->npes; p++) {
            int32_t bit = 1 << i, without = (p & (bit - 1)) | ((p >> (i + 1)) << i);
            if (!(p & bit))
                f->line[f->nlines++] =
                    (clv_floorplan_line){p, p | bit, (int64_t)i * (t->npes / 2) + without};
        }
    return CLEAVE_OK;
}

static const clv_shape hypercube = {.name = "hypercube",
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

cleave_status clv_target_hypercube(clv_target **out, int32_t dimensions, cleave_error *err)
{
    *out = NULL;
    if (dimensions < 0 || dimensions > 30)
        return clv_fail(err, CLEAVE_EINVAL, "a hypercube has 0 to 30 dimensions, not %ld",
                        (long)dimensions);
    clv_target *t = clv_target_open(&hypercube, 1 << dimensions);
    if (!t)
        return clv_fail_memory(err);
    t->links = (int64_t)dimensions * (t->npes / 2);
    *out = t;
    return CLEAVE_OK;
}

/* ---- Text form -------------------------------------------------------------------------- */

static cleave_status parse_hypercube(clv_target **out, const char *text, cleave_error *err)
{
    static const clv_number_form form = {.separator = 'x'};
    clv_target_numbers dimensions;
    size_t length = strlen(text);
    if (clv_target_parse_numbers(&dimensions, text, length, &form, NULL) != CLEAVE_OK ||
        dimensions.count != 1)
        return clv_fail(
            err, CLEAVE_EINVAL,
            "\"" CLV_TARGET_SHOWN
            "\" is not the number of dimensions of a hypercube: write hypercube:10",
            CLV_TARGET_SHOW(text, length));
    return clv_target_hypercube(out, dimensions.number[0], err);
}

const clv_target_form clv_target_form_hypercube = {
    .prefix = "hypercube:",
    .example = "hypercube:10",
    .description = "2^10 PEs; the distance is the number of different bits",
    .parse = parse_hypercube,
};
