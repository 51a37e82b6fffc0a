/* SPDX-License-Identifier: Apache-2.0 */
/* bench/hubs/hubs.h - declarations shared by the files of bench_hubs, in addition to bench.h.
 *
 * hubs.c      the command line, the measurements, the table
 * hubs_set.c  the families of graphs with vertices of large degree */
#ifndef BENCH_HUBS_H
#define BENCH_HUBS_H

#include "common/bench.h"

enum { nhub_family = 10 };
extern const char *const hub_families[nhub_family];

/* How the edges of a DAG are directed. */
typedef enum hub_form { UNDIRECTED, BY_NUMBER, BY_RANDOM_ORDER, nhub_form } hub_form;
extern const char *const hub_forms[nhub_form];

typedef struct hub_graph {
    cleave_graph *g;          /* what is partitioned */
    cleave_graph *undirected; /* the graph for METIS; g itself unless that is a DAG */
    metis_graph *m;
} hub_graph;

/* A graph of the family with about `edges` edges.  For even seeds, vertices are renumbered
 * randomly after the edges of a DAG were directed. */
hub_graph hub_graph_make(int family, hub_form form, int64_t edges, int seed);
void hub_graph_drop(hub_graph *h);

#endif
