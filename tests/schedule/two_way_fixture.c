/* SPDX-License-Identifier: Apache-2.0 */
/* See two_way_fixture.h. */
#include "schedule/two_way_fixture.h"

static void *must(void *block)
{
    if (!block) {
        fprintf(stderr, "two_way_fixture: no memory\n");
        exit(EXIT_FAILURE);
    }
    return block;
}

typedef struct arc_list {
    int64_t count, space;
    int32_t *tail, *head;
} arc_list;

static void add_arc(arc_list *list, int32_t tail, int32_t head)
{
    if (list->count == list->space) {
        list->space = 2 * list->space + 64;
        list->tail = must(realloc(list->tail, (size_t)list->space * sizeof *list->tail));
        list->head = must(realloc(list->head, (size_t)list->space * sizeof *list->head));
    }
    list->tail[list->count] = tail;
    list->head[list->count++] = head;
}

/* Arcs between places of the hidden order, lower to higher. */
static void draw_arcs(arc_list *list, const two_way_options *o, clv_rng *rng)
{
    int32_t n = o->nvtx, width = 1;
    int64_t several = (int64_t)n * (int64_t)clv_rng_below(rng, 4) / 2;
    while (width * width < 4 * n)
        width++;
    if (o->shape == TWO_WAY_RANDOM)
        for (int64_t i = 0; n > 1 && i < several; i++) {
            int32_t tail = (int32_t)clv_rng_below(rng, (uint32_t)n - 1);
            add_arc(list, tail,
                    tail + 1 + (int32_t)clv_rng_below(rng, (uint32_t)(n - 1 - tail)));
        }
    for (int32_t v = 0; v + 1 < n; v++) {
        int32_t step = 1 + (int32_t)clv_rng_below(rng, 5);
        if (o->shape == TWO_WAY_LOCAL && clv_rng_below(rng, 4) != 0 && v + step < n)
            add_arc(list, v, v + step);
        if (o->shape == TWO_WAY_LOCAL && step < 3 && v + 4 < n)
            add_arc(list, v, v + 4);
        if (o->shape == TWO_WAY_GRID)
            for (int32_t d = -1; d <= 1; d++)
                if (v % width + d >= 0 && v % width + d < width && v + width + d < n)
                    add_arc(list, v, v + width + d);
        if (o->shape == TWO_WAY_TREE)
            add_arc(list, v, v + 1 + (int32_t)clv_rng_below(rng, (uint32_t)(n - 1 - v)));
        if (o->shape == TWO_WAY_PIECES && v % 7 != 6)
            add_arc(list, v, v - v % 7 + 6 < n ? v - v % 7 + 6 : n - 1);
    }
}

static clv_graph *make_graph(arc_list *list, const two_way_options *o, int32_t *weight,
                             clv_rng *rng)
{
    int32_t n = o->nvtx;
    int64_t *xadj = must(calloc((size_t)n + 2, sizeof *xadj));
    int32_t *adj = must(calloc((size_t)list->count + 1, sizeof *adj));
    int32_t *name = must(calloc((size_t)n + 1, sizeof *name));
    clv_graph *g = NULL;
    cleave_error err = {.status = CLEAVE_OK};
    clv_rng_permutation(rng, n, name);
    for (int64_t a = 0; a < list->count; a++)
        xadj[name[list->tail[a]] + 1]++;
    for (int32_t v = 0; v < n; v++)
        xadj[v + 1] += xadj[v];
    for (int64_t a = 0; a < list->count; a++)
        adj[xadj[name[list->tail[a]]]++] = name[list->head[a]];
    for (int32_t v = n; v > 0; v--)
        xadj[v] = xadj[v - 1];
    xadj[0] = 0;
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    csr.kind = CLEAVE_DAG;
    csr.nvtx = n;
    csr.xadj = xadj;
    csr.adj = adj;
    csr.vwgt = o->weight > 0 ? weight : NULL;
    if (cleave_graph_create(&g, &csr, CLEAVE_REPAIR, &err) != CLEAVE_OK)
        fprintf(stderr, "two_way_fixture: %s\n", err.message);
    must(g);
    free(xadj);
    free(adj);
    free(name);
    return g;
}

void two_way_make(two_way_fixture *f, const two_way_options *o)
{
    clv_rng rng = clv_rng_make(o->seed, 77, (uint64_t)o->shape, (uint64_t)o->nvtx);
    arc_list list = {0};
    draw_arcs(&list, o, &rng);
    f->weight = must(calloc((size_t)o->nvtx + 1, sizeof *f->weight));
    f->to = must(calloc((size_t)o->narrivals + 1, sizeof *f->to));
    f->from = must(calloc((size_t)o->narrivals + 1, sizeof *f->from));
    for (int32_t v = 0; v < o->nvtx; v++)
        f->weight[v] = (int32_t)clv_rng_below(&rng, (uint32_t)o->weight + 1);
    for (int32_t a = 0; a < o->narrivals; a++) {
        f->to[a] = (int32_t)clv_rng_below(&rng, (uint32_t)o->nvtx);
        f->from[a] = 1 + (int32_t)clv_rng_below(&rng, 2);
    }
    f->g = make_graph(&list, o, f->weight, &rng);
    f->model = (clv_two_way){.g = f->g,
                             .ws = o->ws,
                             .wc = o->wc,
                             .narrivals = o->narrivals,
                             .to = f->to,
                             .from = f->from};
    free(list.tail);
    free(list.head);
}

two_way_options two_way_any(uint64_t seed, int32_t largest)
{
    clv_rng rng = clv_rng_make(seed, 78, 0, 0);
    two_way_options o = {.shape = (two_way_shape)clv_rng_below(&rng, TWO_WAY_SHAPES),
                         .nvtx = 1 + (int32_t)clv_rng_below(&rng, (uint32_t)largest),
                         .weight = (int32_t)clv_rng_below(&rng, 4) * 3,
                         .ws = 10,
                         .wc = 1,
                         .seed = seed};
    if (clv_rng_below(&rng, 3) != 0)
        o.narrivals = (int32_t)clv_rng_below(&rng, 3 * (uint32_t)o.nvtx);
    if (clv_rng_below(&rng, 4) == 0) {
        o.ws = 1 + (int32_t)clv_rng_below(&rng, 5);
        o.wc = (int32_t)clv_rng_below(&rng, 6);
    }
    return o;
}

void two_way_figure_6(two_way_fixture *f)
{
    static const int32_t tail[] = {1, 2, 5, 3, 4, 6, 7, 8}, head[] = {5, 5, 7, 6, 6, 8, 9, 9};
    static const int32_t source[] = {1, 1, 1, 2, 2, 2, 3, 3, 4};
    static const int32_t to[] = {1, 4, 7, 1, 2, 8, 2, 8, 4};
    static const int32_t part_of_source[] = {1, 1, 2, 2};
    enum { nvtx = 9, narc = 8, narrivals = 9 };
    int64_t xadj[nvtx + 1] = {0};
    int32_t adj[narc], count = 0;
    for (int32_t v = 0; v < nvtx; v++) {
        for (int a = 0; a < narc; a++)
            if (tail[a] == v + 1)
                adj[count++] = head[a] - 1;
        xadj[v + 1] = count;
    }
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    csr.kind = CLEAVE_DAG;
    csr.nvtx = nvtx;
    csr.xadj = xadj;
    csr.adj = adj;
    *f = (two_way_fixture){0};
    if (cleave_graph_create(&f->g, &csr, 0, NULL) != CLEAVE_OK)
        exit(EXIT_FAILURE);
    f->to = must(calloc(narrivals, sizeof *f->to));
    f->from = must(calloc(narrivals, sizeof *f->from));
    for (int a = 0; a < narrivals; a++) {
        f->to[a] = to[a] - 1;
        f->from[a] = part_of_source[source[a] - 1];
    }
    f->model = (clv_two_way){
        .g = f->g, .ws = 10, .wc = 1, .narrivals = narrivals, .to = f->to, .from = f->from};
}

void two_way_free(two_way_fixture *f)
{
    cleave_graph_free(f->g);
    free(f->weight);
    free(f->to);
    free(f->from);
}

/* ---- The truth -------------------------------------------------------------------------- */

/* From the definition, sharing nothing with the solver. */
static bool allowed(const clv_graph *g, const int32_t *part)
{
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (part[g->adj[a]] != part[v] && part[g->adj[a]] != 0)
                return false;
    return true;
}

static int64_t value_of(const clv_two_way *model, const int32_t *part)
{
    int64_t size[3] = {0}, value;
    for (int32_t v = 0; v < model->g->nvtx; v++)
        size[part[v]] += model->g->vwgt ? model->g->vwgt[v] : 1;
    value = model->ws * (size[1] < size[2] ? size[1] : size[2]);
    for (int32_t a = 0; a < model->narrivals; a++)
        if (part[model->to[a]] == 3 - model->from[a])
            value -= model->wc;
    return value;
}

int64_t two_way_optimum(const clv_two_way *model)
{
    enum { most = 12 };
    int32_t part[most] = {0}, n = model->g->nvtx;
    int64_t best = 0;
    for (bool more = n <= most; more;) {
        if (allowed(model->g, part) && value_of(model, part) > best)
            best = value_of(model, part);
        int32_t v = 0;
        while (v < n && part[v] == 2)
            part[v++] = 0;
        more = v < n;
        if (more)
            part[v]++;
    }
    return best;
}

const char *two_way_fault(const clv_two_way *model, const int32_t *part,
                          const clv_two_way_result *result)
{
    for (int32_t v = 0; v < model->g->nvtx; v++)
        if (part[v] < 0 || part[v] > 2)
            return "a label out of range";
    if (!allowed(model->g, part))
        return "an arc is broken";
    if (value_of(model, part) != result->objective)
        return "another objective than promised";
    return result->objective < 0 ? "worse than nothing" : NULL;
}

void two_way_open(clv_context *ctx, int threads, uint64_t seed, double limit)
{
    if (clv_context_open(ctx, threads, seed, NULL) != CLEAVE_OK)
        exit(EXIT_FAILURE);
    clv_context_watch(ctx, limit, NULL, NULL);
}
