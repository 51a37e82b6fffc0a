/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/remap_fixture.h"

#include "engine/map_fixture.h"
#include "support/test.h"

void remap_case_make(remap_case *c, const char *graph, const char *old_target,
                     const char *target, bool by_name)
{
    *c = (remap_case){.g = fixture_graph(graph)};
    cleave_error err = {0};
    cleave_csr_init(&c->csr, sizeof c->csr);
    cleave_graph_view(c->g, &c->csr);
    cleave_options_init(&c->options, sizeof c->options);
    cleave_constraints_init(&c->constraints, sizeof c->constraints);
    c->options.effort = CLEAVE_EFFORT_FAST;
    c->options.threads = 1;
    CHECK_OK(cleave_target_parse(&c->from, old_target, &err));
    CHECK_OK(cleave_target_parse(&c->t, target, &err));
    cleave_map(&c->old, c->g, c->from, &c->options, &err);
    CHECK(c->old != NULL);
    if (!by_name) {
        cleave_target_free(c->from);
        c->from = NULL;
    }
    cleave_remap_options_init(&c->opt, sizeof c->opt);
    cleave_remap_report_init(&c->report, sizeof c->report);
    cleave_map_report_init(&c->map, sizeof c->map);
}

void remap_case_free(remap_case *c)
{
    cleave_graph_free(c->g);
    cleave_mapping_free(c->old);
    cleave_target_free(c->t);
    cleave_target_free(c->from);
}

cleave_status remap_case_run(remap_case *c, cleave_mapping **out, cleave_error *err)
{
    c->options.constraints = &c->constraints;
    c->opt.options = &c->options;
    c->opt.from = c->from;
    c->opt.report = &c->report;
    c->options.report = &c->map;
    return cleave_remap(out, c->g, c->old, c->t, &c->opt, err);
}

int64_t remap_cut(const remap_case *c, const cleave_mapping *m)
{
    const cleave_csr *g = &c->csr;
    const int32_t *part = cleave_mapping_parts(m);
    int64_t cut = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (part[v] != part[g->adj[a]])
                cut += g->ewgt ? g->ewgt[a] : 1;
    return g->kind == CLEAVE_DAG ? cut : cut / 2;
}

int64_t remap_moved(const remap_case *c, const int32_t *lives, const cleave_mapping *m)
{
    int64_t sum = 0;
    for (int32_t v = 0; v < c->csr.nvtx; v++)
        if (cleave_mapping_parts(m)[v] != lives[v])
            sum += c->csr.vsize ? c->csr.vsize[v] : 1;
    return sum;
}

double remap_price(const remap_case *c)
{
    int64_t cut = c->map.cost >= 0 ? c->map.cost : c->report.cut;
    return (double)cut + c->opt.migration_price * (double)c->report.migration;
}
