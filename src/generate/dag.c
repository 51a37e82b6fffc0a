/* SPDX-License-Identifier: Apache-2.0 */
/* generate/dag.c - task graphs: random layers, and a stencil over time.
 *
 * layered: every vertex after the first layer draws DEGREE different predecessors (WIDTH if
 * that is less) from the layer before, uniformly, by Floyd's method; its level is thus its
 * layer. stencil: each step computes every point of a grid from the point and its neighbours
 * along the axes in the step before. */
#include "base/rng.h"
#include "generate/assemble.h"
#include "generate/generate.h"
#include "graph/derive.h"
#include "graph/rows.h"

/* ---- Random layers ---------------------------------------------------------------------- */

enum { layer_grain = 256 };

typedef struct layered {
    int32_t nvtx, width, degree;
    uint64_t seed;
    int64_t *xpred;
    int32_t *pred;
    int32_t **taken; /* by member, width entries: the last vertex that drew this predecessor */
} layered;

static void draw_predecessors(void *context, int64_t begin, int64_t end, int member)
{
    const layered *l = context;
    int32_t *taken = l->taken[member];
    for (int64_t i = begin; i < end; i++) {
        int32_t v = (int32_t)i, before = (v / l->width - 1) * l->width;
        int32_t *to = l->pred + l->xpred[v];
        if (before < 0)
            continue;
        clv_rng rng = clv_rng_make(l->seed, CLV_STAGE_LAYERED, 0, (uint64_t)v);
        for (int32_t j = l->width - l->degree; j < l->width; j++) {
            int32_t u = (int32_t)clv_rng_below(&rng, (uint32_t)j + 1);
            if (taken[u] == v) /* v is never 0: layer 0 draws nothing */
                u = j;
            taken[u] = v;
            *to++ = before + u;
        }
    }
}

static cleave_status draw_layers(layered *l, clv_ws *ws, clv_team *team, cleave_error *err)
{
    int64_t n = l->nvtx, members = clv_team_size(team);
    l->xpred = clv_ws_alloc(ws, n + 1, sizeof *l->xpred);
    l->taken = clv_ws_alloc(ws, members, sizeof *l->taken);
    if (!l->xpred || !l->taken)
        return clv_fail_memory(err);
    for (int64_t v = 0; v <= n; v++)
        l->xpred[v] = v > l->width ? (v - l->width) * l->degree : 0;
    l->pred = clv_ws_alloc(ws, l->xpred[n], sizeof *l->pred);
    if (!l->pred)
        return clv_fail_memory(err);
    for (int64_t m = 0; m < members; m++) {
        l->taken[m] = clv_ws_zalloc(ws, l->width, sizeof *l->taken[m]);
        if (!l->taken[m])
            return clv_fail_memory(err);
    }
    clv_parallel_for(team, n, layer_grain, draw_predecessors, l);
    return CLEAVE_OK;
}

static cleave_status make_layers(clv_rows *rows, layered *l, clv_ws *ws, clv_team *team,
                                 cleave_error *err)
{
    CLV_TRY(draw_layers(l, ws, team, err));
    *rows = (clv_rows){.nvtx = l->nvtx};
    rows->xadj = clv_alloc((int64_t)l->nvtx + 1, sizeof *rows->xadj);
    rows->adj = clv_alloc(l->xpred[l->nvtx], sizeof *rows->adj);
    if (!rows->xadj || !rows->adj) {
        clv_rows_free(rows);
        return clv_fail_memory(err);
    }
    clv_derive_transpose_rows(l->nvtx, (clv_csr){.xadj = l->xpred, .adj = l->pred},
                              (clv_csr_space){.xadj = rows->xadj, .adj = rows->adj});
    return CLEAVE_OK;
}

cleave_status clv_generate_layered(clv_graph **out, clv_spec *spec, const clv_making *how,
                                   cleave_error *err)
{
    int64_t size[2], degree;
    layered l = {.seed = how->seed};
    CLV_TRY(clv_spec_whole(spec, "LAYERS", CLV_MOST_VERTICES, &size[0], err));
    CLV_TRY(clv_spec_whole(spec, "WIDTH", CLV_MOST_VERTICES, &size[1], err));
    CLV_TRY(clv_spec_whole(spec, "DEGREE", CLV_MOST_VERTICES, &degree, err));
    CLV_TRY(clv_spec_end(spec, err));
    CLV_TRY(clv_spec_vertices(spec, size, 2, &l.nvtx, err));
    if (degree > size[1])
        degree = size[1];
    CLV_TRY(clv_spec_edges(spec, (double)l.nvtx * (double)degree, err));
    l.width = l.nvtx ? (int32_t)size[1] : 0;
    l.degree = (int32_t)degree;
    clv_ws ws = {NULL};
    clv_rows rows;
    cleave_status status = make_layers(&rows, &l, &ws, how->team, err);
    clv_ws_free(&ws);
    CLV_TRY(status);
    return clv_assemble(out, CLEAVE_DAG, &rows, 0, NULL, err);
}

/* ---- A stencil over time ---------------------------------------------------------------- */

typedef struct stencil {
    int32_t size[3];
    int32_t layer, nvtx; /* points of the grid; points of all steps */
} stencil;

static int list_stencil(const void *context, int32_t v, int32_t *to)
{
    const stencil *s = context;
    if (v >= s->nvtx - s->layer)
        return 0;
    int32_t point = v % s->layer, next = v + s->layer;
    int32_t x = point % s->size[0], y = point / s->size[0] % s->size[1];
    int32_t z = point / s->size[0] / s->size[1], plane = s->size[0] * s->size[1];
    int count = 0;
    if (z > 0)
        to[count++] = next - plane;
    if (y > 0)
        to[count++] = next - s->size[0];
    if (x > 0)
        to[count++] = next - 1;
    to[count++] = next;
    if (x < s->size[0] - 1)
        to[count++] = next + 1;
    if (y < s->size[1] - 1)
        to[count++] = next + s->size[0];
    if (z < s->size[2] - 1)
        to[count++] = next + plane;
    return count;
}

cleave_status clv_generate_stencil(clv_graph **out, clv_spec *spec, const clv_making *how,
                                   cleave_error *err)
{
    int64_t size[4] = {1, 1, 1, 1};
    int ndim;
    stencil s;
    CLV_TRY(clv_spec_sizes(spec, "W[xH[xD]]", 1, 3, size, &ndim, err));
    CLV_TRY(clv_spec_whole(spec, "STEPS", CLV_MOST_VERTICES, &size[3], err));
    CLV_TRY(clv_spec_end(spec, err));
    CLV_TRY(clv_spec_vertices(spec, size, 4, &s.nvtx, err));
    s.layer = s.nvtx ? (int32_t)(s.nvtx / size[3]) : 0;
    for (int d = 0; d < 3; d++)
        s.size[d] = (int32_t)size[d];
    clv_rows rows;
    CLV_TRY(clv_rows_listed(&rows, s.nvtx, list_stencil, &s, how->team, err));
    return clv_assemble(out, CLEAVE_DAG, &rows, 0, NULL, err);
}
