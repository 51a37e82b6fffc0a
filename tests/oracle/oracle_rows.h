/* SPDX-License-Identifier: Apache-2.0 */
/* tests/oracle/oracle_rows.h - the rows of a list of arcs, by dense matrices: the number of
 * copies of each arc and their total weight.  Nothing is sorted. */
#ifndef CLV_TESTS_ORACLE_ROWS_H
#define CLV_TESTS_ORACLE_ROWS_H

#include "oracle/oracle_graph.h"

typedef struct oracle_rows {
    int n; /* at most ORACLE_MAX */
    bool weighted;
    int64_t count[ORACLE_MAX][ORACLE_MAX];
    int64_t sum[ORACLE_MAX][ORACLE_MAX];
} oracle_rows;

typedef enum oracle_how { ORACLE_REFUSE, ORACLE_SUM, ORACLE_LARGER } oracle_how;

typedef struct oracle_rows_rules {
    bool dag;
    bool drop_loops, merge_duplicates, trust;
    oracle_how how; /* of edges stored one way or with two weights */
    bool one_way;   /* one direction is enough */
} oracle_rows_rules;

/* In the order in which they are complained of. */
typedef enum oracle_fault {
    ORACLE_FINE,
    ORACLE_LOOP,          /* of v, the smallest such vertex */
    ORACLE_DUPLICATE,     /* u twice in row v, first in the order of rows */
    ORACLE_DUPLICATE_SUM, /* the copies of arc v -> u weigh more than 2^31-1 together */
    ORACLE_ASYMMETRY,     /* somewhere: see oracle_one_way and oracle_unequal */
    ORACLE_BOTH_WAYS_SUM, /* both directions of edge v - u, v < u, weigh too much */
    ORACLE_CYCLE          /* somewhere */
} oracle_fault;

typedef struct oracle_outcome {
    oracle_fault fault;
    int v, u;
    int64_t loops, duplicates, one_way, unequal; /* what there was to mend */
    oracle_graph graph;                          /* as far as it came; wgt 1 if unweighted */
} oracle_outcome;

void oracle_rows_clear(oracle_rows *rows, int n, bool weighted);
void oracle_rows_add(oracle_rows *rows, int tail, int head, int64_t wgt);
void oracle_rows_build(oracle_outcome *out, const oracle_rows *rows,
                       const oracle_rows_rules *rules);

/* Of the graph: v -> u is there and its opposite is not; both are, with two weights. */
bool oracle_one_way(const oracle_graph *o, int v, int u);
bool oracle_unequal(const oracle_graph *o, int v, int u);

#endif
