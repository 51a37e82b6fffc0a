/* SPDX-License-Identifier: Apache-2.0 */
/* Drawings of machines, against their routes: the lines of a link join its ends, PEs do not
 * overlap, boxes contain their members; and every allocation fails once. */
#include "target/floorplan.h"

#include <math.h>

#include "support/test.h"

static cleave_error err;

static const char *const machines[] = {"1",
                                       "7",
                                       "3,2,2,1",
                                       "300",
                                       "mesh:1",
                                       "mesh:5",
                                       "mesh:4x3",
                                       "mesh:3x2x4",
                                       "mesh:3x2x2x3",
                                       "torus:2",
                                       "torus:7",
                                       "torus:2x2",
                                       "torus:5x4",
                                       "torus:3x4x5",
                                       "torus:2x3x4x3",
                                       "hypercube:0",
                                       "hypercube:2",
                                       "hypercube:7",
                                       "tree:4@1",
                                       "tree:1:3:1@1:2:3",
                                       "tree:3:4:2@1:10:100",
                                       "tree:4:5:6@1:10:100",
                                       "torus:6x6[0,7,14,35,2]",
                                       "tree:3:4@1:5[11,2,3]"};
enum { nmachines = sizeof machines / sizeof *machines };

/* The places that link `link` joins, loose ends and bows aside. */
static int ends_of(const clv_floorplan *f, int64_t link, int32_t end[2])
{
    int count = 0;
    for (int64_t i = 0; i < f->nlines; i++) {
        const int32_t both[2] = {f->line[i].from, f->line[i].to};
        for (int k = 0; k < 2 && f->line[i].link == link; k++)
            if (both[k] < f->npes + f->nswitches && count < 2)
                end[count++] = both[k];
    }
    return count;
}

static int32_t other_end(const int32_t end[2], int32_t place)
{
    return end[0] == place ? end[1] : end[1] == place ? end[0] : -1;
}

/* Following the loaded links from p leads to q, and uses them all. */
static void check_route(const clv_target *t, const clv_floorplan *f, const int32_t (*end)[2],
                        int32_t p, int32_t q)
{
    int64_t *load = calloc((size_t)t->links + 1, sizeof *load), left = 0;
    clv_target_route(t, p, q, 1, load);
    for (int64_t l = 0; l < t->links; l++)
        left += load[l];
    int32_t at = p, goal = q;
    for (int32_t m = 0; f->used && m < f->npes; m++) {
        at = f->used[m] == p ? m : at;
        goal = f->used[m] == q ? m : goal;
    }
    for (bool moved = true; moved && left > 0;) {
        moved = false;
        for (int64_t l = 0; l < t->links && !moved; l++)
            if (load[l] > 0 && other_end(end[l], at) >= 0) {
                at = other_end(end[l], at);
                load[l]--;
                left--;
                moved = true;
            }
    }
    CHECK_EQ(left, 0);
    CHECK_EQ(at, goal);
    free(load);
}

static void check_apart(const clv_floorplan *f)
{
    for (int32_t p = 0; p < f->npes; p++)
        for (int32_t q = 0; q < p; q++) {
            double apart = 0;
            for (int d = 0; d < f->ndim; d++)
                apart = fmax(apart, fabs(f->position[(int64_t)p * f->ndim + d] -
                                         f->position[(int64_t)q * f->ndim + d]) /
                                        (d == 0 ? f->width : f->height));
            if (f->ndim == 2)
                CHECK(apart > 0.7); /* of a circle the neighbours may touch at corners */
        }
}

static void check_floor(const char *text)
{
    clv_target *t = NULL;
    clv_arena arena = {0};
    clv_floorplan f;
    REQUIRE_OK(clv_target_parse(&t, text, &err));
    REQUIRE_OK(clv_target_floorplan(&f, t, &arena, &err));
    REQUIRE(f.position != NULL && f.nplaces >= f.npes + f.nswitches);
    check_apart(&f);
    for (int64_t i = 0; i < (int64_t)f.nplaces * f.ndim; i++)
        CHECK(isfinite(f.position[i]));
    int32_t(*end)[2] = calloc((size_t)t->links + 1, sizeof *end);
    for (int64_t l = 0; l < t->links; l++)
        CHECK_EQ(ends_of(&f, l, end[l]), 2);
    for (int32_t p = 0; p < t->npes && t->links > 0; p += TEST_STRIDE)
        for (int32_t q = 0; q < t->npes; q += 1 + t->npes / 16)
            check_route(t, &f, (const int32_t(*)[2])end, p, q);
    free(end);
    clv_arena_free(&arena);
    clv_target_free(t);
}

static void test_routes(void)
{
    for (int i = 0; i < nmachines; i++)
        check_floor(machines[i]);
}

/* ---- Boxes ------------------------------------------------------------------------------ */

static bool overlap(const clv_floorplan_box *a, const clv_floorplan_box *b)
{
    return a->left < b->right - 1e-9 && b->left < a->right - 1e-9 &&
           a->top < b->bottom - 1e-9 && b->top < a->bottom - 1e-9;
}

static void check_boxes(const clv_floorplan *f)
{
    for (int32_t b = 1; b < f->nboxes; b++) {
        const clv_floorplan_box *box = &f->box[b], *up = &f->box[box->parent];
        CHECK(box->parent < b && box->left < box->right && box->top < box->bottom);
        CHECK(box->left >= up->left && box->right <= up->right + 1e-9);
        CHECK(box->top >= up->top && box->bottom <= up->bottom + 1e-9);
        CHECK(box->kind == CLV_BOX_MEMORY ||
              (box->first >= up->first && box->first + box->pes <= up->first + up->pes) ||
              up->kind == CLV_BOX_PE);
        for (int32_t a = 1; a < b; a++)
            if (f->box[a].parent == box->parent)
                CHECK(!overlap(&f->box[a], box));
    }
}

static void test_boxes(void)
{
    static const char *const computers[] = {"hwloc:pack:2 l3:2 core:4 pu:2",
                                            "hwloc:pu:pack:2 l3:2 core:4 pu:2", "hwloc:core:3",
                                            "machine", "hwloc:pack:2 l3:2 core:4 pu:2[3,1]"};
    for (int i = 0; i < 5; i++) {
        clv_target *t = NULL;
        clv_arena arena = {0};
        clv_floorplan f;
        int32_t pes = 0, threads = 0;
        if (clv_target_parse(&t, computers[i], &err) == CLEAVE_EINVAL)
            continue; /* built without hwloc */
        REQUIRE(t != NULL);
        REQUIRE_OK(clv_target_floorplan(&f, t, &arena, &err));
        check_boxes(&f);
        for (int32_t b = 0; b < f.nboxes; b++) {
            pes += f.box[b].kind == CLV_BOX_PE && f.box[b].pes == 1;
            threads += f.box[b].kind == CLV_BOX_THREAD;
        }
        CHECK_EQ(pes, f.nboxes ? f.npes : 0);
        if (i == 0 && f.nboxes) {
            CHECK_EQ(f.npes, 16);
            CHECK_EQ(threads, 32);
            CHECK_STR(f.box[0].name, "Machine");
            CHECK_EQ(f.box[0].pes, 16);
        }
        if (i == 1 && f.nboxes)
            CHECK_EQ(f.npes, 32);
        if (i == 4 && f.nboxes)
            CHECK(f.npes == 16 && f.used[3] == 0 && f.used[1] == 1 && f.used[0] == -1);
        clv_arena_free(&arena);
        clv_target_free(t);
    }
}

static void test_limits(void)
{
    clv_target *t = NULL;
    clv_arena arena = {0};
    clv_floorplan f;
    REQUIRE_OK(clv_target_parse(&t, "torus:200x200", &err));
    CHECK_EQ(clv_target_floorplan(&f, t, &arena, &err), CLEAVE_ERANGE);
    CHECK_STR(err.message, "a machine of 40000 PEs cannot be drawn: 16384 at most");
    clv_target_free(t);
    clv_arena_free(&arena);
}

static void test_oom(void)
{
    static const char *const some[] = {"5",
                                       "torus:4x3",
                                       "hypercube:3",
                                       "tree:3:2@1:2",
                                       "mesh:4x3[2,5]",
                                       "hwloc:pack:2 core:2"};
    for (int i = 0; i < 6; i++) {
        clv_target *t = NULL;
        if (clv_target_parse(&t, some[i], &err) != CLEAVE_OK)
            continue;
        for (test_oom_rounds oom = {0}; test_oom_next(&oom);) {
            clv_arena arena = {0};
            clv_floorplan f;
            TEST_OOM(&oom, clv_target_floorplan(&f, t, &arena, &err));
            clv_arena_free(&arena);
        }
        clv_target_free(t);
    }
}

int main(void)
{
    RUN(test_routes);
    RUN(test_boxes);
    RUN(test_limits);
    RUN(test_oom);
    return test_end();
}
