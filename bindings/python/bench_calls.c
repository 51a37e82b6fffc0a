/* SPDX-License-Identifier: Apache-2.0 */
/* The calls that bench.py compares with, as a C program would make them.  Loaded into the same
 * process and bound to the same library; each returns the processor seconds of its thread. */
#define _GNU_SOURCE /* clock_gettime */
#include <cleave/cleave.h>
#include <time.h>

double bench_partition(int32_t n, const int64_t *xadj, const int32_t *adj, unsigned flags,
                       int32_t k, int effort, int64_t *cut);
double bench_split(const cleave_order *o, const char *target, int repeat);
double bench_solve(cleave_trsv *plan, double *x, const double *b, int repeat);

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* From arrays to parts: graph, target, mapping with its report.  -1: it failed. */
double bench_partition(int32_t n, const int64_t *xadj, const int32_t *adj, unsigned flags,
                       int32_t k, int effort, int64_t *cut)
{
    double begun = now();
    cleave_graph *g = NULL;
    cleave_target *t = NULL;
    cleave_mapping *m = NULL;
    cleave_csr csr;
    cleave_options opt;
    cleave_map_report report;
    cleave_csr_init(&csr, sizeof csr);
    cleave_options_init(&opt, sizeof opt);
    cleave_map_report_init(&report, sizeof report);
    csr.nvtx = n;
    csr.xadj = xadj;
    csr.adj = adj;
    opt.effort = (cleave_effort)effort;
    opt.threads = 1;
    opt.report = &report;
    int good = cleave_graph_create(&g, &csr, CLEAVE_BORROW | flags, NULL) == CLEAVE_OK &&
               cleave_target_create(&t, k, NULL, NULL) == CLEAVE_OK &&
               cleave_map(&m, g, t, &opt, NULL) == CLEAVE_OK;
    *cut = report.cut;
    cleave_mapping_free(m);
    cleave_target_free(t);
    cleave_graph_free(g);
    return good ? now() - begun : -1;
}

/* Seconds per target, cut and mapping. */
double bench_split(const cleave_order *o, const char *target, int repeat)
{
    double begun = now();
    for (int i = 0; i < repeat; i++) {
        enum { most = 64 };
        int32_t begin[most], end[most];
        cleave_target *t;
        cleave_mapping *m = NULL;
        int good =
            cleave_target_parse(&t, target, NULL) == CLEAVE_OK &&
            cleave_target_pes(t) <= most &&
            cleave_order_split(begin, end, o, t, NULL, NULL) == CLEAVE_OK &&
            cleave_order_mapping(&m, o, cleave_target_pes(t), begin, end, NULL) == CLEAVE_OK;
        cleave_mapping_free(m);
        cleave_target_free(t);
        if (!good)
            return -1;
    }
    return (now() - begun) / repeat;
}

/* Seconds per solve. */
double bench_solve(cleave_trsv *plan, double *x, const double *b, int repeat)
{
    double begun = now();
    for (int i = 0; i < repeat; i++)
        if (cleave_trsv_solve(plan, x, b, NULL) != CLEAVE_OK)
            return -1;
    return (now() - begun) / repeat;
}
