/* SPDX-License-Identifier: Apache-2.0 */
/* Part of test_oom_api.c: orders and splits. */
#include "api/oom_call.h"

static cleave_error err;

/* Made by each call before anything fails: a mesh with coordinates or a DAG, and an order. */
static struct {
    cleave_graph *g;
    cleave_order *o;
    cleave_target *t;
} x;

static void make(const char *detail)
{
    memset(&x, 0, sizeof x);
    bool directed = strstr(detail, "dag") != NULL;
    cleave_order_options opt;
    cleave_order_options_init(&opt, sizeof opt);
    opt.method = directed ? "topo" : "hci";
    if (strstr(detail, "several") || strstr(detail, "wide")) { /* weights */
        cleave_csr csr = make_grid(CLEAVE_UNDIRECTED, strstr(detail, "wide") ? 14 : 9);
        if (strstr(detail, "wide"))
            oom_make_wide(&csr);
        CHECK_OK(cleave_graph_create(&x.g, &csr, 0, &err));
        csr_free(&csr);
    } else {
        CHECK_OK(cleave_graph_generate(&x.g, directed ? "stencil:9x9:5" : "mesh2d:20x20", NULL,
                                       &err));
    }
    CHECK_OK(cleave_order_build(&x.o, x.g, &opt, &err));
    CHECK_OK(cleave_target_parse(&x.t, strstr(detail, "mesh") ? "mesh:2x2" : "3,2,2,1", &err));
}

static void drop(void)
{
    cleave_graph_free(x.g);
    cleave_order_free(x.o);
    cleave_target_free(x.t);
}

/* An order or none; freed. */
static cleave_status order_result(cleave_status status, cleave_order *o, uint64_t *result)
{
    CHECK((o != NULL) == (status == CLEAVE_OK));
    if (o)
        *result = bytes_digest(cleave_order_view(o),
                               (size_t)cleave_order_vertices(o) * sizeof(int32_t));
    cleave_order_free(o);
    return status;
}

/* detail: the method, "dag", "several" or "wide" in front of it where the graph is such. */
static cleave_status call_build(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_order *o = x.o;
    cleave_order_options opt;
    cleave_order_options_init(&opt, sizeof opt);
    opt.method = strchr(detail, ' ') ? strchr(detail, ' ') + 1 : detail;
    opt.effort = CLEAVE_EFFORT_FAST;
    opt.threads = 1;
    cleave_status status = UNDER_TEST(cleave_order_build(&o, x.g, &opt, e));
    return order_result(status, o, result);
}

static cleave_status call_create(const char *detail, uint64_t *result, cleave_error *e)
{
    (void)detail;
    cleave_order *o = x.o;
    cleave_status status = UNDER_TEST(
        cleave_order_create(&o, cleave_order_vertices(x.o), cleave_order_view(x.o), NULL, e));
    return order_result(status, o, result);
}

static cleave_status call_open(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_order *o = x.o;
    CHECK_OK(cleave_order_write(x.o, oom_scratch(detail), &err));
    cleave_status status =
        UNDER_TEST(cleave_order_open(&o, oom_scratch(detail), CLEAVE_TRUST, e));
    remove(oom_scratch(detail));
    return order_result(status, o, result);
}

static cleave_status call_read(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_order *o = x.o;
    CHECK_OK(cleave_order_write(x.o, oom_scratch(detail), &err));
    cleave_status status = UNDER_TEST(cleave_order_read(&o, oom_scratch(detail), e));
    remove(oom_scratch(detail));
    return order_result(status, o, result);
}

static cleave_status call_write(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_status status = UNDER_TEST(cleave_order_write(x.o, oom_scratch(detail), e));
    return oom_file_result(status, oom_scratch(detail), result);
}

static cleave_status call_check(const char *detail, uint64_t *result, cleave_error *e)
{
    (void)detail;
    cleave_status status = UNDER_TEST(cleave_order_check(x.o, x.g, e));
    *result = 1;
    return status;
}

static cleave_status call_complete(const char *detail, uint64_t *result, cleave_error *e)
{
    (void)detail;
    cleave_order *given = NULL;
    CHECK_OK(cleave_order_create(&given, cleave_order_vertices(x.o), cleave_order_view(x.o),
                                 NULL, &err));
    cleave_status status = UNDER_TEST(cleave_order_complete(given, x.g, e));
    CHECK((cleave_order_average_crossing(given) >= 0) == (status == CLEAVE_OK));
    *result = 1;
    cleave_order_free(given);
    return status;
}

/* This cannot fail: it allocates nothing. */
static cleave_status call_split(const char *detail, uint64_t *result, cleave_error *e)
{
    (void)detail;
    int32_t cut[8];
    cleave_status status = UNDER_TEST(cleave_order_split(cut, cut + 4, x.o, x.t, NULL, e));
    CHECK_EQ(oom_allocations, 0);
    *result = bytes_digest(cut, sizeof cut);
    return status;
}

static cleave_status call_mapping(const char *detail, uint64_t *result, cleave_error *e)
{
    (void)detail;
    cleave_mapping *m = (cleave_mapping *)ints;
    int32_t zero = 0, n = cleave_order_vertices(x.o);
    cleave_status status = UNDER_TEST(cleave_order_mapping(&m, x.o, 1, &zero, &n, e));
    return mapping_result(status, m, result);
}

static cleave_status call_refine(const char *detail, uint64_t *result, cleave_error *e)
{
    cleave_mapping *m = (cleave_mapping *)ints;
    cleave_options opt;
    cleave_options_init(&opt, sizeof opt);
    opt.threads = 1;
    if (strstr(detail, "text")) { /* an order without data of the graph */
        cleave_order *o = NULL;
        CHECK_OK(cleave_order_create(&o, cleave_order_vertices(x.o), cleave_order_view(x.o),
                                     NULL, &err));
        cleave_order_free(x.o);
        x.o = o;
    }
    cleave_status status = UNDER_TEST(cleave_order_split_refine(&m, x.g, x.o, x.t, &opt, e));
    return mapping_result(status, m, result);
}

static cleave_status call_evaluate(const char *detail, uint64_t *result, cleave_error *e)
{
    (void)detail;
    cleave_order_metrics metrics;
    cleave_order_metrics_init(&metrics, sizeof metrics);
    cleave_status status = UNDER_TEST(cleave_evaluate_order(&metrics, x.g, x.o, e));
    *result = (uint64_t)metrics.fill;
    return status;
}

static cleave_status call_separator(const char *detail, uint64_t *result, cleave_error *e)
{
    (void)detail;
    cleave_mapping *m = NULL;
    cleave_separator_options opt;
    cleave_separator_options_init(&opt, sizeof opt);
    opt.threads = 1;
    cleave_status status = UNDER_TEST(cleave_separator(&m, x.g, &opt, NULL, e));
    return mapping_result(status, m, result);
}

static const oom_entry entries[] = {
    {"cleave_evaluate_order", call_evaluate, ""},
    {"cleave_separator", call_separator, "undirected|several"},
    {"cleave_order_build", call_build,
     "auto|zci|hci|rcbi|rsbi|multilevel|nd|mindeg|dag topo|dag multilevel|several "
     "rsbi|several hci|wide rsbi|wide multilevel|wide nd|wide mindeg"},
    {"cleave_order_create", call_create, ""},
    {"cleave_order_read", call_read, "a.order|a.order.gz|a.clo|a.clo.gz"},
    {"cleave_order_open", call_open, "a.order|a.clo|a.clo.gz"},
    {"cleave_order_write", call_write, "b.order|b.order.gz|b.clo|b.clo.gz"},
    {"cleave_order_check", call_check, "undirected|dag"},
    {"cleave_order_complete", call_complete, "undirected|dag"},
    {"cleave_order_split", call_split, "speeds|mesh"},
    {"cleave_order_mapping", call_mapping, ""},
    {"cleave_order_split_refine", call_refine, "speeds|text|mesh|dag|several"},
    {NULL, NULL, NULL},
};

const oom_group oom_order = {.entries = entries, .make = make, .drop = drop};
