/* SPDX-License-Identifier: Apache-2.0 */
/* bench/hubs.h - declarations shared by the files of bench_hubs besides bench.h.
 *
 * hubs.c      the command line, what is measured, the table
 * hubs_set.c  the families of graphs with vertices of large degree */
#ifndef BENCH_HUBS_H
#define BENCH_HUBS_H

#include "bench.h"

enum { nhub_family = 10 };
extern const char *const hub_families[nhub_family];

/* How the edges of a DAG are directed. */
typedef enum hub_form { UNDIRECTED, BY_NUMBER, BY_RANDOM_ORDER, nhub_form } hub_form;
extern const char *const hub_forms[nhub_form];

typedef struct hub_graph {
    cleave_graph *g;          /* what is partitioned */
    cleave_graph *undirected; /* what METIS gets; g itself unless that is a DAG */
    metis_graph *m;
} hub_graph;

/* A graph of the family with about `edges` edges.  Even seeds have their vertices numbered
 * anew at random, after the edges of a DAG were directed. */
hub_graph hub_graph_make(int family, hub_form form, int64_t edges, int seed);
void hub_graph_drop(hub_graph *h);

#endif
