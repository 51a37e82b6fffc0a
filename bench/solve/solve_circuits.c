/* SPDX-License-Identifier: Apache-2.0 */
/* bench/solve/solve_circuits.c - probabilistic circuits: one instance at a time and 64 at
 * once, with logarithms and with probabilities; the simple program on one thread and by
 * levels, and auto, interleaved.  A third of the variables of an instance are unobserved. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solve/solve.h"

enum { SERIAL, BY_LEVELS, AUTO, nway, most_batch = 64, ncase = 4 };
static const char *const methods[nway] = {"serial", "levels", NULL};
static const struct {
    const char *space;
    int batch;
} cases[ncase] = {{"log", 1}, {"log", most_batch}, {"linear", 1}, {"linear", most_batch}};

typedef struct circuit_row {
    char name[40];
    long long nodes, elements;
    int threads, layers;
    double seconds[ncase][nway]; /* of an instance */
    int wrong;
} circuit_row;

static int8_t *draw_evidence(int32_t variables)
{
    size_t count = (size_t)variables * most_batch;
    int8_t *evidence = malloc(count + 1);
    uint64_t state = 88172645463325252u;
    if (!evidence)
        bench_fail("out of memory");
    for (size_t i = 0; i < count; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        evidence[i] = (int8_t)((state >> 20) % 3) - 1;
    }
    return evidence;
}

static void measure_case(circuit_row *r, int which, cleave_circuit_plan *const *plan,
                         const int8_t *evidence, double budget)
{
    cleave_circuit_options opt;
    cleave_error err;
    double result[nway][most_batch];
    int batch = cases[which].batch, times[nway];
    cleave_circuit_options_init(&opt, sizeof opt);
    opt.space = cases[which].space;
    double start = bench_seconds();
    for (int round = 0; round < 6 || bench_seconds() - start < budget; round++)
        for (int w = 0; w < nway; w++) {
            if (round < 2)
                times[w] = 1;
            double begin = bench_seconds();
            for (int i = 0; i < times[w]; i++)
                solve_must(
                    cleave_circuit_evaluate(plan[w], &opt, batch, evidence, result[w], &err),
                    &err);
            double seconds = (bench_seconds() - begin) / times[w] / batch;
            if (round == 1)
                times[w] = 1 + (int)(0.002 / (seconds * batch + 1e-9));
            if (round < 2 || seconds < r->seconds[which][w])
                r->seconds[which][w] = seconds;
        }
    for (int w = 1; w < nway; w++)
        r->wrong += memcmp(result[w], result[0], (size_t)batch * sizeof(double)) != 0;
}

static void measure_circuit(circuit_row *r, const cleave_circuit *c, int threads,
                            double budget)
{
    cleave_circuit_plan *plan[nway];
    cleave_run_options opt;
    cleave_run_info info;
    cleave_error err;
    cleave_run_options_init(&opt, sizeof opt);
    for (int w = 0; w < nway; w++) {
        opt.method = methods[w];
        opt.threads = w == SERIAL ? 1 : threads;
        solve_must(cleave_circuit_plan_create(&plan[w], c, &opt, &err), &err);
    }
    cleave_run_info_init(&info, sizeof info);
    cleave_circuit_plan_info(plan[AUTO], &info);
    r->threads = info.threads;
    r->layers = info.layers;
    r->nodes = cleave_circuit_nodes(c);
    r->elements = cleave_circuit_elements(c);
    int8_t *evidence = draw_evidence(cleave_circuit_variables(c));
    for (int i = 0; i < ncase; i++)
        measure_case(r, i, plan, evidence, budget / 2);
    free(evidence);
    for (int w = 0; w < nway; w++)
        cleave_circuit_plan_free(plan[w]);
}

static void print_row(const circuit_row *r)
{
    printf("  %-16s %8lld %9lld %7d %6d", r->name, r->nodes, r->elements, r->threads,
           r->layers);
    for (int i = 0; i < ncase; i++) {
        const double *s = r->seconds[i];
        printf("  %9.2f %6.2f %6.2f", 1e6 * s[AUTO], s[BY_LEVELS] / s[AUTO],
               s[SERIAL] / s[AUTO]);
    }
    printf("%s\n", r->wrong ? "  WRONG BITS" : "");
}

static void print_heading(void)
{
    printf("\ncircuits: microseconds of an instance, speed-up over levels, over one thread\n");
    printf("  %-16s %8s %9s %7s %6s", "", "nodes", "elements", "threads", "layers");
    for (int i = 0; i < ncase; i++)
        printf("  %16s %6d", cases[i].space, cases[i].batch);
    printf("\n");
}

static void print_bars(const circuit_row *rows, int count)
{
    printf("\nbars%-56s %8s %8s\n", "", "reached", "bar");
    for (int i = 0; i < ncase; i++) {
        double sum = 0, worst = 1e300;
        const char *where = "-";
        for (int k = 0; k < count; k++) {
            double gain = rows[k].seconds[i][BY_LEVELS] / rows[k].seconds[i][AUTO];
            sum += log(gain);
            if (gain < worst) {
                worst = gain;
                where = rows[k].name;
            }
        }
        double mean = count ? exp(sum / count) : 0;
        printf("  circuits over levels, %-6s, batch %2d, mean %23s %8.3f %8.2f %s\n",
               cases[i].space, cases[i].batch, "", mean, 1.5, mean >= 1.5 ? "met" : "MISSED");
        printf("  %-58s %8.3f %8.2f %s (%s)\n", "  worst", worst, 1.5,
               worst >= 1.5 ? "met" : "MISSED", where);
    }
}

int solve_circuits(const settings *s, int quick, int threads, double budget)
{
    static circuit_row rows[max_list];
    int count = 0, wrong = 0;
    print_heading();
    for (int i = 0; i < layers_count && count < max_list; i++) {
        const layers_graph *what = &layers_set[i];
        char path[600];
        cleave_circuit *c;
        cleave_error err;
        if (what->kind != CIRCUIT || (quick && !what->quick))
            continue;
        snprintf(path, sizeof path, "%s/data/%s", s->shared, what->file);
        solve_must(cleave_circuit_read(&c, path, &err), &err);
        circuit_row *r = &rows[count++];
        snprintf(r->name, sizeof r->name, "%s", what->name);
        measure_circuit(r, c, threads, budget);
        cleave_circuit_free(c);
        print_row(r);
        fflush(stdout);
        wrong += r->wrong;
    }
    print_bars(rows, count);
    return wrong;
}
