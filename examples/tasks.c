/* SPDX-License-Identifier: Apache-2.0 */
/* tasks [DAG] PARTS - divide a graph of tasks into parts that each run in one go:
 * docs/guide/tasks.md.
 *
 * Without a file: a heat equation on 8 x 8 points over 20 steps, a task per point and step.
 * The parts are acyclic: none waits for one that waits for it.  Prints the parts in an order
 * in which they can run, with what each computes and sends. */
#include <stdio.h>
#include <stdlib.h>

#include <cleave/cleave.h>

static int fail(const char *what, const cleave_error *err)
{
    fprintf(stderr, "tasks: %s: %s\n", what, err->message);
    return EXIT_FAILURE;
}

static cleave_status read_tasks(cleave_graph **out, const char *path, cleave_error *err)
{
    cleave_read_options opt;
    cleave_read_options_init(&opt, sizeof opt);
    opt.as = "dag";
    return path ? cleave_graph_read(out, path, &opt, err)
                : cleave_graph_generate(out, "stencil:8x8:20", NULL, err);
}

static cleave_status divide(cleave_mapping **out, const cleave_graph *g, int32_t parts,
                            cleave_error *err)
{
    cleave_target *t = NULL;
    cleave_status status = cleave_target_create(&t, parts, NULL, err);
    if (status == CLEAVE_OK)
        status = cleave_map(out, g, t, NULL, err);
    cleave_target_free(t);
    return status;
}

static int show(const cleave_graph *g, const cleave_mapping *m)
{
    cleave_error err = {CLEAVE_OK, ""};
    int32_t parts = cleave_mapping_nparts(m);
    int32_t *order = malloc((size_t)parts * sizeof *order);
    int64_t *weight = malloc(2 * (size_t)parts * sizeof *weight);
    cleave_metrics metrics;
    cleave_metrics_init(&metrics, sizeof metrics);
    int result = EXIT_FAILURE;
    if (!order || !weight) {
        fprintf(stderr, "tasks: out of memory\n");
    } else if (cleave_evaluate(&metrics, g, m, NULL, &err) != CLEAVE_OK ||
               cleave_mapping_part_order(g, m, order, &err) != CLEAVE_OK ||
               cleave_evaluate_parts(g, m, weight, weight + parts, NULL, &err) != CLEAVE_OK) {
        fail("judging", &err);
    } else {
        printf("tasks %ld, cut %lld, acyclic %s, critical path %lld\n",
               (long)cleave_graph_vertices(g), (long long)metrics.cut,
               metrics.acyclic == 1 ? "yes" : "no", (long long)metrics.critical_path);
        for (int32_t i = 0; i < parts; i++)
            printf("part %d: work %lld, sends %lld\n", (int)order[i],
                   (long long)weight[order[i]], (long long)weight[parts + order[i]]);
        result = EXIT_SUCCESS;
    }
    free(order);
    free(weight);
    return result;
}

int main(int argc, char **argv)
{
    int32_t parts = argc > 1 ? (int32_t)atoi(argv[argc - 1]) : 0;
    if (parts < 1 || argc > 3) {
        fprintf(stderr, "usage: tasks [DAG] PARTS\n");
        return EXIT_FAILURE;
    }
    cleave_error err = {CLEAVE_OK, ""};
    cleave_graph *g = NULL;
    cleave_mapping *m = NULL;
    int result;
    if (read_tasks(&g, argc == 3 ? argv[1] : NULL, &err) != CLEAVE_OK)
        result = fail("reading", &err); /* names a cycle if there is one */
    else if (divide(&m, g, parts, &err) != CLEAVE_OK)
        result = fail("dividing", &err);
    else
        result = show(g, m);
    cleave_mapping_free(m);
    cleave_graph_free(g);
    return result;
}
