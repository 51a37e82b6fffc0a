/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of DAGs against independent counts: bands, arcs, cells and the arcs between them,
 * the critical path against cleave_evaluate; discs and arrows; every allocation fails once. */
#include "view/dag_picture.h"

#include <math.h>

#include "graph/mapping.h"
#include "support/test.h"
#include "view/flow_picture.h"
#include "view/frames.h"
#include "view/xml_check.h"

static cleave_error err;
static clv_arena arena;
static clv_ws ws;

static const clv_layer *layer_of(const clv_figure *f, const char *name)
{
    for (int i = 0; i < f->nlayers; i++)
        if (f->layer[i].name && strcmp(f->layer[i].name, name) == 0)
            return &f->layer[i];
    return NULL;
}

static const int64_t *field_of(const clv_layer *l, const char *name)
{
    for (int i = 0; i < l->nfields; i++)
        if (strcmp(l->field[i].name, name) == 0)
            return l->field[i].longs;
    return NULL;
}

static int64_t sum_of(const clv_layer *l, const char *name)
{
    const int64_t *value = field_of(l, name);
    int64_t sum = 0;
    for (int64_t i = 0; value && i < l->count; i++)
        sum += value[i];
    return sum;
}

typedef struct drawn {
    cleave_graph *g;
    cleave_mapping *m;
    cleave_metrics metrics;
    clv_dag_picture what;
    clv_dag_layout l;
    clv_figure f;
} drawn;

/* k parts, cut from the order of the numbers; step > 1: shuffled, so that it has cycles. */
static drawn draw(const char *spec, int32_t k, int32_t step, bool condensed)
{
    static int32_t part[20000];
    drawn d = {0};
    CHECK_OK(cleave_graph_generate(&d.g, spec, NULL, &err));
    int32_t n = d.g->nvtx;
    CHECK(n <= 20000);
    for (int32_t v = 0; v < n; v++)
        part[v] = step > 1 ? v * step % k : (int32_t)((int64_t)v * k / n);
    if (k > 0)
        CHECK_OK(cleave_mapping_create(&d.m, n, k, part, &err));
    cleave_metrics_init(&d.metrics, sizeof d.metrics);
    if (d.m)
        CHECK_OK(cleave_evaluate(&d.metrics, d.g, d.m, NULL, &err));
    d.what = (clv_dag_picture){.g = d.g,
                               .nparts = k,
                               .part = d.m ? d.m->part : NULL,
                               .cost_vertex = 1,
                               .cost_inside = 1,
                               .cost_cut = 11,
                               .title = "T",
                               .condensed = condensed};
    CHECK_OK(clv_dag_layout_make(&d.l, &d.what, &arena, &ws, &err));
    CHECK_OK(clv_dag_figure(&d.f, &d.what, &d.l, &arena, &ws, &err));
    return d;
}

static void drop(drawn *d)
{
    cleave_mapping_free(d->m);
    cleave_graph_free(d->g);
    clv_arena_free(&arena);
}

/* The path is valid, and has the length of the metrics. */
static void check_path(const drawn *d)
{
    const clv_graph *g = d->g;
    int64_t cost = 0;
    for (int64_t i = 0; i < d->l.npath; i++) {
        int32_t v = d->l.path[i];
        bool found = i == 0;
        for (int64_t a = g->xpred[v]; i > 0 && a < g->xpred[v + 1]; a++)
            found = found || g->pred[a] == d->l.path[i - 1];
        CHECK(found);
        cost += 1;
        if (i > 0)
            cost += d->l.part[v] == d->l.part[d->l.path[i - 1]] ? 1 : 11;
    }
    CHECK_EQ(cost, d->l.length);
    if (d->m)
        CHECK_EQ(cost, d->metrics.critical_path);
}

static void test_vertices(void)
{
    static const char *const specs[] = {"stencil:6x6:4", "polybench:2mm:3x4x3x4",
                                        "layered:5:8:2"};
    for (int i = 0; i < 6; i++) {
        drawn d = draw(specs[i % 3], 4, i < 3 ? 1 : 7, false);
        const clv_layer *bands = layer_of(&d.f, "bands"), *arcs = layer_of(&d.f, "arcs");
        const clv_layer *cut = layer_of(&d.f, "cut arcs");
        const clv_layer *vertices = layer_of(&d.f, "vertices");
        {
            REQUIRE(bands && arcs && cut && vertices);
            CHECK_EQ(bands->count, 4);
            CHECK_EQ(sum_of(bands, "vertices"), d.g->nvtx);
            CHECK_EQ(cut->count, d.metrics.cut);
            CHECK_EQ(arcs->count + cut->count, d.g->narc);
            CHECK_EQ(vertices->count, d.g->nvtx);
            CHECK_EQ(layer_of(&d.f, "critical path")->count, d.l.npath - 1);
            check_path(&d);
            /* Arcs run to the right, vertices are in their bands, no two on one place. */
            for (int32_t v = 0; v < d.g->nvtx; v++) {
                const double *p = d.f.position + 2 * v;
                const double *a = d.f.position + 2 * bands->at[2 * d.l.part[v]];
                const double *b = d.f.position + 2 * bands->at[2 * d.l.part[v] + 1];
                CHECK(p[0] >= a[0] && p[0] <= b[0] && p[1] >= a[1] && p[1] <= b[1]);
                for (int64_t k = d.g->xadj[v]; k < d.g->xadj[v + 1]; k++)
                    CHECK(d.f.position[2 * d.g->adj[k]] > p[0]);
                for (int32_t u = 0; u < v; u++)
                    CHECK(d.f.position[2 * u] != p[0] || d.f.position[2 * u + 1] != p[1]);
            }
        }
        drop(&d);
    }
}

static void test_cells(void)
{
    for (int i = 0; i < 6; i++) {
        drawn d = draw(i % 2 ? "stencil:20x20:12" : "polybench:2mm:5x6x7x8", i < 2 ? 0 : 6,
                       i < 4 ? 1 : 7, true);
        const clv_layer *cells = layer_of(&d.f, "cells"), *arcs = layer_of(&d.f, "arcs");
        const clv_layer *traffic = layer_of(&d.f, "traffic");
        REQUIRE(cells && arcs);
        CHECK_EQ(sum_of(cells, "vertices"), d.g->nvtx);
        CHECK_EQ(traffic != NULL, d.m != NULL);
        if (traffic)
            CHECK_EQ(sum_of(traffic, "weight"), d.metrics.cut);
        CHECK_EQ(sum_of(arcs, "weight") + (traffic ? sum_of(traffic, "weight") : 0),
                 d.g->narc);
        check_path(&d);
        drop(&d);
    }
}

/* Very deep: ranges of levels. */
static void test_deep(void)
{
    drawn d = draw("layered:500:20:2", 3, 1, true);
    const clv_layer *cells = layer_of(&d.f, "cells");
    CHECK(d.l.depth > 160);
    CHECK_EQ(sum_of(cells, "vertices"), d.g->nvtx);
    CHECK(cells->count <= 3 * 160);
    CHECK_STR(cells->field[1].name, "first level");
    check_path(&d);
    drop(&d);
}

/* ---- Quotients -------------------------------------------------------------------------- */

static void test_quotient(void)
{
    for (int i = 0; i < 3; i++) {
        drawn d = draw("stencil:6x6:4", i == 1 ? 9 : 4, i == 2 ? 7 : 1, false);
        clv_quotient_places q;
        clv_figure f;
        clv_svg svg = {0};
        int64_t weight[9], sum = 0;
        const clv_graph_parts parts = {d.g, d.what.nparts, d.m->part};
        CHECK_OK(clv_flow_quotient(&q, &parts, d.l.mean, &arena, &ws, &err));
        for (int64_t k = 0; k < q.nflows; k++) {
            const clv_flow *flow = &q.flow[k];
            sum += flow->amount;
            if (q.acyclic)
                CHECK(q.place[2 * flow->to] > q.place[2 * flow->from]);
        }
        CHECK_EQ(sum, d.metrics.cut);
        CHECK_EQ(q.nflows, d.metrics.setups);
        CHECK_EQ(q.acyclic, d.metrics.acyclic);
        for (int32_t p = 0; p < d.what.nparts; p++)
            weight[p] = p + 1;
        const clv_flow_picture what = {.title = "Q",
                                       .nparts = d.what.nparts,
                                       .place = q.place,
                                       .bend = q.bend,
                                       .weight = weight,
                                       .rgb = d.f.palette,
                                       .nflows = q.nflows,
                                       .flow = q.flow,
                                       .layer = "traffic",
                                       .noun = "traffic"};
        CHECK_OK(clv_flow_figure(&f, &what, &arena, &err));
        CHECK_EQ(layer_of(&f, "traffic")->count, q.nflows);
        CHECK_EQ(layer_of(&f, "parts")->count, d.what.nparts);
        const clv_frame frame[2] = {{&d.f, 0, 0, {600, 300}}, {&f, 0, 300, {600, 300}}};
        const clv_frames frames = {"A & B", {600, 600}, 2, frame};
        CHECK_OK(clv_frames_svg(&svg, &frames, &ws, &err));
        CHECK(xml_check(svg.text) == NULL);
        CHECK_EQ(count_of(svg.text, "<g class=\"frame\""), 2);
        clv_svg_free(&svg);
        drop(&d);
    }
}

/* The wider of two arrows stands for more; both keep off the discs. */
static void test_arrows(void)
{
    const double place[4] = {0, 0, 2, 0};
    const int64_t weight[2] = {1, 1};
    const uint32_t rgb[2] = {0, 0xffffff};
    const clv_flow flow[2] = {{0, 1, 10}, {1, 0, 5}};
    const clv_flow_picture what = {.title = "T",
                                   .nparts = 2,
                                   .place = place,
                                   .weight = weight,
                                   .rgb = rgb,
                                   .nflows = 2,
                                   .flow = flow,
                                   .layer = "flows",
                                   .noun = "flow",
                                   .left_out = 3};
    clv_figure f;
    CHECK_OK(clv_flow_figure(&f, &what, &arena, &err));
    const clv_layer *l = layer_of(&f, "flows");
    double width[2];
    for (int i = 0; i < 2; i++) {
        const double *a = f.position + 2 * l->at[l->offset[i]];
        const double *b = f.position + 2 * l->at[l->offset[i + 1] - 1];
        width[i] = hypot(a[0] - b[0], a[1] - b[1]);
        for (int64_t k = l->offset[i]; k < l->offset[i + 1]; k++)
            for (int p = 0; p < 2; p++)
                CHECK(hypot(f.position[2 * l->at[k]] - place[2 * p],
                            f.position[2 * l->at[k] + 1]) > 0.2);
    }
    CHECK(fabs(width[0] / width[1] - 2) < 1e-6);
    CHECK(strstr(f.caption, "the 3 smallest are not drawn"));
    clv_arena_free(&arena);
}

static void test_largest(void)
{
    clv_flow flow[5] = {{0, 1, 5}, {1, 2, 9}, {2, 3, 1}, {3, 4, 9}, {4, 5, 7}};
    int64_t count = 5;
    CHECK_OK(clv_flow_largest(flow, &count, 3, &ws, &err));
    CHECK_EQ(count, 3);
    CHECK(flow[0].from == 1 && flow[1].from == 3 && flow[2].from == 4);
}

static void test_empty(void)
{
    const int64_t zero[1] = {0};
    cleave_csr csr;
    cleave_graph *g = NULL;
    clv_dag_layout l;
    clv_figure f;
    clv_svg svg = {0};
    cleave_csr_init(&csr, sizeof csr);
    csr.kind = CLEAVE_DAG;
    csr.xadj = zero;
    CHECK_OK(cleave_graph_create(&g, &csr, 0, &err));
    for (int i = 0; i < 2; i++) {
        const clv_dag_picture what = {.g = g, .title = "T", .condensed = i == 1};
        CHECK_OK(clv_dag_layout_make(&l, &what, &arena, &ws, &err));
        CHECK_EQ(l.npath, 0);
        CHECK_OK(clv_dag_figure(&f, &what, &l, &arena, &ws, &err));
    }
    CHECK_OK(clv_figure_svg(&svg, &f, (clv_picture_size){300, 200}, &ws, &err));
    CHECK(xml_check(svg.text) == NULL);
    clv_svg_free(&svg);
    cleave_graph_free(g);
    clv_arena_free(&arena);
}

static void test_memory(void)
{
    drawn d = draw("stencil:6x6:4", 5, 1, false);
    for (int condensed = 0; condensed < 2; condensed++) {
        cleave_status status = CLEAVE_ENOMEM;
        d.what.condensed = condensed;
        for (int64_t nth = 1; status == CLEAVE_ENOMEM; nth += TEST_STRIDE) {
            clv_arena own = {NULL};
            clv_ws scratch = {0};
            clv_dag_layout l;
            clv_figure f;
            clv_quotient_places q;
            const clv_graph_parts parts = {d.g, 5, d.m->part};
            test_alloc_fail_at(nth);
            status = clv_dag_layout_make(&l, &d.what, &own, &scratch, &err);
            if (status == CLEAVE_OK)
                status = clv_dag_figure(&f, &d.what, &l, &own, &scratch, &err);
            if (status == CLEAVE_OK)
                status = clv_flow_quotient(&q, &parts, l.mean, &own, &scratch, &err);
            test_alloc_fail_at(0);
            clv_ws_free(&scratch);
            clv_arena_free(&own);
        }
        CHECK_OK(status);
    }
    drop(&d);
}

int main(void)
{
    RUN(test_vertices);
    RUN(test_cells);
    RUN(test_deep);
    RUN(test_quotient);
    RUN(test_arrows);
    RUN(test_largest);
    RUN(test_empty);
    RUN(test_memory);
    clv_ws_free(&ws);
    return test_end();
}
