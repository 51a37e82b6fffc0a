/* SPDX-License-Identifier: Apache-2.0 */
/* Every allocation of every public function fails once.  Either the call returns CLEAVE_ENOMEM
 * with its message, *out NULL and nothing leaked, or the memory was optional and the result is
 * the same as without a failure. functions.sh checks that no public function that can fail is
 * missing here. */
#include "api/oom_call.h"

static cleave_error err;

int64_t oom_allocations;
static int64_t nth; /* allocation to fail; 0: none */

void oom_begin(void)
{
    test_alloc_fail_at(nth);
}

cleave_status oom_end(cleave_status status)
{
    oom_allocations = test_alloc_calls();
    test_alloc_fail_at(0);
    return status;
}

static bool exists(const char *path)
{
    FILE *file = fopen(path, "r");
    if (file)
        fclose(file);
    return file != NULL;
}

cleave_status oom_file_result(cleave_status status, const char *path, uint64_t *result)
{
    char command[4400];
    CHECK_EQ(exists(path), status == CLEAVE_OK);
    *result = 1;
    snprintf(command, sizeof command, "ls '%s' | grep -q '\\.tmp$'", test_scratch());
    CHECK(system(command) != 0);
    remove(path);
    return status;
}

/* ---- Graphs --------------------------------------------------------------------------- */

static cleave_status call_create(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_graph *g = (cleave_graph *)ints;
    const cleave_csr *csr = strstr(detail, "dag") ? &dag_csr : &undirected_csr;
    unsigned flags = strstr(detail, "borrow") ? CLEAVE_BORROW : 0;
    if (strstr(detail, "repair")) {
        csr = &faulty_csr;
        flags |= CLEAVE_REPAIR;
    }
    if (strstr(detail, "unsorted"))
        csr = &unsorted_csr;
    if (strstr(detail, "trust"))
        flags |= CLEAVE_TRUST;
    cleave_status status = UNDER_TEST(cleave_graph_create(&g, csr, flags, e));
    return graph_result(status, g, result);
}

static cleave_status call_builder_create(const char *detail, uint64_t *result, cleave_error *e)
{
    (void)detail;
    cleave_builder *b = (cleave_builder *)ints;
    cleave_status status = UNDER_TEST(cleave_builder_create(&b, CLEAVE_DAG, e));
    CHECK((b != NULL) == (status == CLEAVE_OK));
    cleave_builder_free(b);
    *result = 1;
    return status;
}

static cleave_builder *builder(const char *detail)
{
    cleave_kind kind = strstr(detail, "dag") ? CLEAVE_DAG : CLEAVE_UNDIRECTED;
    cleave_builder *b = NULL;
    CHECK_OK(cleave_builder_create(&b, kind, &err));
    return b;
}

/* The DAG's arcs row by row. */
static cleave_status add_rows(cleave_builder *b, bool weighted, cleave_error *e)
{
    cleave_status status = CLEAVE_OK;
    for (int32_t v = 0; v < n && status == CLEAVE_OK; v++)
        for (int64_t a = dag_csr.xadj[v]; a < dag_csr.xadj[v + 1] && status == CLEAVE_OK; a++)
            status = cleave_builder_add(b, 1, &v, dag_csr.adj + a,
                                        weighted ? dag_csr.ewgt + a : NULL, e);
    return status;
}

static cleave_status call_builder_add(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_builder *b = builder(detail);
    cleave_status status = UNDER_TEST(add_rows(b, strstr(detail, "weighted"), e));
    cleave_builder_free(b);
    *result = 1;
    return status;
}

static cleave_status call_builder_finish(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_builder *b = builder(detail);
    CHECK_OK(add_rows(b, strstr(detail, "weighted"), &err));
    cleave_graph *g = (cleave_graph *)ints;
    cleave_status status = UNDER_TEST(cleave_builder_finish(&g, b, n, &dag_csr, e));
    cleave_builder_free(b);
    return graph_result(status, g, result);
}

static cleave_status call_order(const char *detail, uint64_t *result, cleave_error *e)
{
    (void)detail;
    cleave_status status = UNDER_TEST(cleave_graph_topological_order(dag, ints, e));
    *result = bytes_digest(ints, n * sizeof *ints);
    return status;
}

static cleave_status call_levels(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_levels which = strstr(detail, "top")      ? CLEAVE_LEVELS_TOP
                          : strstr(detail, "bottom") ? CLEAVE_LEVELS_BOTTOM
                                                     : CLEAVE_LEVELS_ALAP;
    int32_t depth = 0;
    cleave_status status = UNDER_TEST(cleave_graph_levels(dag, which, ints, &depth, e));
    *result = bytes_digest(ints, n * sizeof *ints) + (uint64_t)depth;
    return status;
}

static cleave_status call_components(const char *detail, uint64_t *result, cleave_error *e)
{
    int32_t count = 0;
    cleave_status status = UNDER_TEST(
        cleave_graph_components(strstr(detail, "dag") ? dag : undirected, ints, &count, e));
    *result = bytes_digest(ints, n * sizeof *ints) + (uint64_t)count;
    return status;
}

static cleave_status call_strong(const char *detail, uint64_t *result, cleave_error *e)
{
    const cleave_csr *csr = strstr(detail, "dag") ? &dag_csr : &undirected_csr;
    int32_t count = 0;
    cleave_status status =
        UNDER_TEST(cleave_strong_components(n, csr->xadj, csr->adj, ints, &count, e));
    *result = bytes_digest(ints, n * sizeof *ints) + (uint64_t)count;
    return status;
}

static cleave_status call_transpose(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_graph *g = (cleave_graph *)ints;
    cleave_status status =
        UNDER_TEST(cleave_graph_transpose(&g, strstr(detail, "dag") ? dag : undirected, e));
    return graph_result(status, g, result);
}

static cleave_status call_subgraph(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_graph *g = (cleave_graph *)ints;
    for (int32_t i = 0; i < n / 2; i++)
        more_ints[i] = n - 1 - i;
    cleave_status status = UNDER_TEST(cleave_graph_subgraph(
        &g, strstr(detail, "dag") ? dag : undirected, n / 2, more_ints, e));
    return graph_result(status, g, result);
}

static cleave_status call_quotient(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_graph *g = (cleave_graph *)ints;
    const cleave_mapping *m = strstr(detail, "many") ? many : slices;
    cleave_status status =
        UNDER_TEST(cleave_graph_quotient(&g, strstr(detail, "dag") ? dag : undirected, m, e));
    return graph_result(status, g, result);
}

static cleave_status call_builder_symmetrise(const char *detail, uint64_t *result,
                                             cleave_error *e)
{
    cleave_builder *b = builder(detail);
    cleave_status status = UNDER_TEST(cleave_builder_symmetrise(b, "sum", e));
    cleave_builder_free(b);
    *result = 1;
    return status;
}

static cleave_status call_quotient_create(const char *detail, uint64_t *result,
                                          cleave_error *e)
{
    cleave_quotient *q = (cleave_quotient *)ints;
    const cleave_mapping *m = strstr(detail, "many") ? many : slices;
    cleave_status status =
        UNDER_TEST(cleave_quotient_create(&q, strstr(detail, "dag") ? dag : undirected, m, e));
    CHECK((q != NULL) == (status == CLEAVE_OK));
    cleave_quotient_csr view;
    cleave_quotient_csr_init(&view, sizeof view);
    cleave_quotient_view(q, &view);
    if (q)
        *result = bytes_digest(view.weight, (size_t)view.nparts * sizeof *view.weight);
    cleave_quotient_free(q);
    return status;
}

static cleave_status call_quotient_write(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_quotient *q = NULL;
    const char *path = oom_scratch(detail);
    CHECK_OK(cleave_quotient_create(&q, undirected, slices, &err));
    cleave_status status = UNDER_TEST(cleave_quotient_write(q, path, NULL, e));
    cleave_quotient_free(q);
    return oom_file_result(status, path, result);
}

static cleave_status call_part_order(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_status status = UNDER_TEST(
        cleave_mapping_part_order(dag, *detail == 'm' ? many : slices, more_ints, e));
    *result = bytes_digest(more_ints, status == CLEAVE_OK ? 5 * sizeof *more_ints : 0);
    return status;
}

/* ---- Files ---------------------------------------------------------------------------- */

static cleave_status call_read(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_graph *g = (cleave_graph *)ints;
    cleave_repairs repairs;
    cleave_repairs_init(&repairs, sizeof repairs);
    cleave_read_options opt;
    cleave_read_options_init(&opt, sizeof opt);
    opt.repairs = &repairs;
    opt.threads = strstr(detail, "threads") ? 2 : 1;
    opt.coords = strstr(detail, "coords") ? NULL : "";
    opt.flags = strstr(detail, "trust") ? CLEAVE_TRUST : 0;
    opt.condense = strstr(detail, "condense") != NULL;
    opt.as = strstr(detail, "as-dag")  ? "dag"
             : strstr(detail, "lower") ? "lower"
             : strstr(detail, "upper") ? "upper"
                                       : NULL;
    opt.weights = strstr(detail, "values") ? "values" : strstr(detail, "none") ? "none" : NULL;
    opt.symmetrise = strstr(detail, "sum") ? "sum" : NULL;
    if (strstr(detail, "repair"))
        opt.flags |= CLEAVE_REPAIR;
    cleave_status status = UNDER_TEST(cleave_graph_read(&g, oom_input(detail), &opt, e));
    return graph_result(status, g, result);
}

static cleave_status call_write(const char *detail, uint64_t *result, cleave_error *e)
{
    char name[64];
    snprintf(name, sizeof name, "out-%.*s", (int)strcspn(detail, " "), detail);
    const char *path = oom_scratch(name);
    cleave_write_options opt;
    cleave_write_options_init(&opt, sizeof opt);
    opt.part = strstr(detail, "parts") ? cleave_mapping_parts(slices) : NULL;
    cleave_status status = UNDER_TEST(
        cleave_graph_write(strstr(detail, "as-dag") ? dag : undirected, path, &opt, e));
    return oom_file_result(status, path, result);
}

static cleave_status call_write_coords(const char *detail, uint64_t *result, cleave_error *e)
{
    const char *path = oom_scratch(detail);
    cleave_status status = UNDER_TEST(cleave_graph_write_coords(undirected, path, e));
    return oom_file_result(status, path, result);
}

/* ---- Matrices and mappings ------------------------------------------------------------ */

static cleave_status call_mapping_create(const char *detail, uint64_t *result, cleave_error *e)
{
    (void)detail;
    cleave_mapping *m = (cleave_mapping *)ints;
    cleave_status status =
        UNDER_TEST(cleave_mapping_create(&m, n, -1, cleave_mapping_parts(slices), e));
    return mapping_result(status, m, result);
}

static cleave_status call_mapping_read(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_mapping *m = (cleave_mapping *)ints;
    cleave_status status = UNDER_TEST(
        cleave_mapping_read(&m, oom_input(detail), strstr(detail, "open") ? -1 : n, -1, e));
    return mapping_result(status, m, result);
}

static cleave_status call_mapping_read_for(const char *detail, uint64_t *result,
                                           cleave_error *e)
{
    cleave_mapping *m = (cleave_mapping *)ints;
    cleave_status status =
        UNDER_TEST(cleave_mapping_read_for(&m, oom_input(detail), undirected, -1, e));
    return mapping_result(status, m, result);
}

static cleave_status call_write_other(const char *detail, uint64_t *result, cleave_error *e)
{
    const char *path = oom_scratch(detail);
    cleave_status status =
        UNDER_TEST(strstr(detail, "mtx")   ? cleave_matrix_write(matrix, path, e)
                   : strstr(detail, "svg") ? oom_write_plot(path, strstr(detail, "profile"), e)
                                           : cleave_mapping_write(slices, path, e));
    return oom_file_result(status, path, result);
}

/* ---- Evaluation ----------------------------------------------------------------------- */

static const cleave_mapping *mapping_for(const char *detail)
{
    return strstr(detail, "many") ? many : strstr(detail, "checkers") ? checkers : slices;
}

static cleave_status call_evaluate(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_metrics metrics, untouched;
    memset(&metrics, 0, sizeof metrics);
    cleave_metrics_init(&metrics, sizeof metrics);
    untouched = metrics;
    cleave_status status = UNDER_TEST(cleave_evaluate(
        &metrics, strstr(detail, "dag") ? dag : undirected, mapping_for(detail), NULL, e));
    CHECK((memcmp(&metrics, &untouched, sizeof metrics) != 0) == (status == CLEAVE_OK));
    *result = (uint64_t)metrics.cut * 31 + (uint64_t)metrics.pieces;
    return status;
}

static cleave_status call_evaluate_parts(const char *detail, uint64_t *result, cleave_error *e)
{
    const cleave_mapping *m = mapping_for(detail);
    cleave_status status = UNDER_TEST(cleave_evaluate_parts(
        strstr(detail, "dag") ? dag : undirected, m, longs, more_longs, ints, e));
    size_t parts = (size_t)cleave_mapping_nparts(m);
    *result = bytes_digest(longs, parts * sizeof *longs) ^
              bytes_digest(more_longs, parts * sizeof *more_longs) * 3 ^
              bytes_digest(ints, parts * sizeof *ints) * 5;
    return status;
}

static cleave_status call_evaluate_cycle(const char *detail, uint64_t *result, cleave_error *e)
{
    int32_t length = 0;
    cleave_status status =
        UNDER_TEST(cleave_evaluate_cycle(dag, mapping_for(detail), ints, &length, e));
    *result = (uint64_t)length;
    return status;
}

/* ---- Constraints and generators ------------------------------------------------------- */

static cleave_status call_fixed_read(const char *detail, uint64_t *result, cleave_error *e)
{
    bool groups = strstr(detail, "groups");
    cleave_status status =
        UNDER_TEST(groups ? cleave_groups_read(ints, n, oom_input(detail), e)
                          : cleave_fixed_read(ints, n, k, oom_input(detail), e));
    *result = bytes_digest(ints, n * sizeof *ints);
    return status;
}

static cleave_status call_shares_read(const char *detail, uint64_t *result, cleave_error *e)
{
    double shares[k];
    cleave_status status = UNDER_TEST(cleave_shares_read(shares, k, 1, oom_input(detail), e));
    *result = bytes_digest(shares, sizeof shares);
    return status;
}

static cleave_status call_bounds_read(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_status status = UNDER_TEST(cleave_bounds_read(longs, k, 1, oom_input(detail), e));
    *result = bytes_digest(longs, k * sizeof *longs);
    return status;
}

/* ---- Mapping -------------------------------------------------------------------------- */

static cleave_status call_map(const char *detail, uint64_t *result, cleave_error *e)
{
    oom_demands d;
    cleave_mapping *m = (cleave_mapping *)ints;
    oom_demands_make(&d, detail);
    cleave_status status = UNDER_TEST(cleave_map(&m, d.g, d.t, &d.opt, e));
    oom_demands_free(&d);
    return mapping_result(status, m, result);
}

static cleave_status call_generate(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_graph *g = (cleave_graph *)ints;
    cleave_generate_options opt;
    cleave_generate_options_init(&opt, sizeof opt);
    opt.threads = 2;
    cleave_status status = UNDER_TEST(cleave_graph_generate(&g, detail, &opt, e));
    return graph_result(status, g, result);
}

static cleave_status call_graph_factor(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_graph *g = (cleave_graph *)ints;
    for (int32_t v = 0; v < n; v++)
        more_ints[v] = n - 1 - v;
    bool given = strstr(detail, "given");
    cleave_status status = UNDER_TEST(cleave_graph_factor(
        &g, undirected, given ? NULL : detail, given ? more_ints : NULL, e));
    return graph_result(status, g, result);
}

/* ---- The list ------------------------------------------------------------------------- */

static const oom_entry entries[] = {
    {"cleave_graph_create", call_create,
     "copy|dag copy|borrow|dag borrow|repair|borrow repair|unsorted|borrow unsorted|trust|"
     "dag trust borrow"},
    {"cleave_builder_create", call_builder_create, ""},
    {"cleave_builder_add", call_builder_add, "dag|dag weighted|undirected weighted"},
    {"cleave_builder_finish", call_builder_finish,
     "dag|dag weighted|undirected|undirected weighted"},
    {"cleave_graph_topological_order", call_order, ""},
    {"cleave_graph_levels", call_levels, "top|bottom|alap"},
    {"cleave_graph_components", call_components, "undirected|dag"},
    {"cleave_strong_components", call_strong, "undirected|dag"},
    {"cleave_graph_transpose", call_transpose, "undirected|dag"},
    {"cleave_graph_subgraph", call_subgraph, "undirected|dag"},
    {"cleave_builder_symmetrise", call_builder_symmetrise, ""},
    {"cleave_quotient_create", call_quotient_create, "undirected slices|dag slices|dag many"},
    {"cleave_quotient_write", call_quotient_write, "out.dot|out.graph.gz"},
    {"cleave_graph_quotient", call_quotient,
     "undirected slices|dag slices|undirected many|dag many"},
    {"cleave_mapping_part_order", call_part_order, "slices|many"},
    {"cleave_graph_read", call_read,
     "u.graph|u.graph none|u.graph coords|u.graph threads|u.graph lower|u.graph.gz|bad.graph "
     "repair|"
     "u.mtx|u.mtx values|u.mtx lower|u.mtx upper values|g.mtx values sum|d.mtx as-dag|"
     "u.edges|u.edges as-dag|u.edges.gz|u.edges upper|u.dot|d.dot|d.dot.gz|u.clv|d.clv|"
     "d.clv trust|d.clv.gz|u.clv upper|cycles.edges as-dag condense|d.dot condense"},
    {"cleave_graph_write", call_write,
     "u.graph|u.graph.gz|u.mtx|d.mtx as-dag|u.edges|d.edges as-dag|u.dot|d.dot as-dag parts|"
     "u.clv|d.clv.gz as-dag|u.vtk|u.vtu parts|u.vtu.gz"},
    {"cleave_graph_write_coords", call_write_coords,
     "out.coords|out.xyz|out_coord.mtx|out.coords.gz"},
    {"cleave_matrix_write", call_write_other, "out.mtx|out.mtx.gz"},
    {"cleave_mapping_create", call_mapping_create, ""},
    {"cleave_mapping_read", call_mapping_read,
     "m.part|m.part open|m.map|m.map open|m.part.gz"},
    {"cleave_mapping_read_for", call_mapping_read_for, "m.part|m.map|m.part.gz"},
    {"cleave_mapping_write", call_write_other, "out.part|out.map|out.part.gz"},
    {"cleave_evaluate", call_evaluate,
     "undirected slices|dag slices|undirected checkers|dag checkers|undirected many|dag many"},
    {"cleave_evaluate_parts", call_evaluate_parts, "undirected slices|dag slices|dag many"},
    {"cleave_evaluate_cycle", call_evaluate_cycle, "slices|checkers|many"},
    {"cleave_fixed_read", call_fixed_read, "m.fix|m.fix.gz"},
    {"cleave_groups_read", call_fixed_read, "m.fix groups|m.fix.gz groups"},
    {"cleave_bounds_read", call_bounds_read, "plain.bounds"},
    {"cleave_shares_read", call_shares_read, "plain.shares|metis.shares"},
    {"cleave_map", call_map,
     "fast|default|quality|threads|fixed|groups|start fixed groups|connected|volume|speeds|"
     "bounds|several weights|many parts|dag fast|dag fast fixed groups|dag fast volume|"
     "dag many parts|dag method dagp|dag method kernighan|dag method fauzia|"
     "wide fast fixed groups|wide fast connected|wide fast volume|wide fast several weights|"
     "dag wide fast"},
    {"cleave_graph_generate", call_generate,
     "grid2d:30x30|grid3d:8x8x8|mesh2d:20x20|mesh3d:6x6x6|spiral|rgg:800:6|rmat:9:4|"
     "gnp:500:0.01|tree:500|tree:500:random|layered:9:9:3|stencil:9x9:5|polybench:lu:8"},
    {"cleave_plot_write", call_write_other, "out.svg|out.svg.gz"},
    {"cleave_plot_write_profile", call_write_other, "profile.svg|profile.svg.gz"},
    {"cleave_graph_factor", call_graph_factor, "natural|mindeg|given"},
    {NULL, NULL, NULL},
};

/* ---- Failing -------------------------------------------------------------------------- */

static cleave_status call(const oom_group *group, const oom_entry *entry, const char *detail,
                          uint64_t *result, cleave_error *e)
{
    if (group->make)
        group->make(detail);
    cleave_status status = entry->call(detail, result, e);
    if (group->drop)
        group->drop();
    return status;
}

static void fail_every_allocation(const oom_group *group, const oom_entry *entry,
                                  const char *detail)
{
    enum { endless = 3000 };
    uint64_t right = 0, result = 0;
    int failed = test_failures_;
    nth = 0;
    CHECK_OK(call(group, entry, detail, &right, &err));
    int64_t needed = oom_allocations;
    for (nth = 1; nth <= needed + 1 && nth < endless && test_failures_ == failed; nth++) {
        int64_t live = test_alloc_live();
        memset(&err, 0, sizeof err);
        cleave_status status = call(group, entry, detail, &result, nth % 2 ? &err : NULL);
        CHECK_EQ(test_alloc_live(), live);
        if (status == CLEAVE_OK) {
            CHECK(result == right);
            continue;
        }
        /* Which of two threads needs more scratch is a matter of luck, and so is who wins a
         * trial. */
        CHECK(nth <= needed || strstr(detail, "threads") || strstr(detail, "trial"));
        CHECK_EQ(status, CLEAVE_ENOMEM);
        if (nth % 2)
            CHECK(err.status == CLEAVE_ENOMEM && strcmp(err.message, "out of memory") == 0);
    }
    CHECK(needed < endless);
    if (test_failures_ != failed)
        fprintf(stderr, "%s(%s), allocation %lld of %lld\n", entry->function, detail,
                (long long)nth - 1, (long long)needed);
}

static void run_entry(const oom_group *group, const oom_entry *entry)
{
    int before = test_failures_;
    char details[1024];
    snprintf(details, sizeof details, "%s", entry->details);
    for (char *detail = details; detail;) {
        char *bar = strchr(detail, '|');
        if (bar)
            *bar = '\0';
        fail_every_allocation(group, entry, detail);
        detail = bar ? bar + 1 : NULL;
    }
    printf("%s %s\n", test_failures_ == before ? "ok" : "FAILED", entry->function);
    fflush(stdout);
}

static const oom_group own = {.entries = entries};
static const oom_group *const groups[] = {
    &own,     &oom_circuit,  &oom_target, &oom_matrix, &oom_order,
    &oom_run, &oom_schedule, &oom_tasks,  &oom_view,
};
enum { ngroups = sizeof groups / sizeof *groups };

int main(int argc, char **argv)
{
    bool list = false;
    for (int i = 0; i < ngroups; i++)
        list = listed(argc, argv, &groups[i]->entries[0].function, sizeof(oom_entry));
    if (list)
        return EXIT_SUCCESS;
    test_file("scratch", "");
    CHECK(oom_objects_make());
    for (int i = 0; i < ngroups; i++)
        for (const oom_entry *entry = groups[i]->entries; entry->function; entry++)
            run_entry(groups[i], entry);
    oom_objects_free();
    CHECK_EQ(test_alloc_live(), 0);
    return test_end();
}
