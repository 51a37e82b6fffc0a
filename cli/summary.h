/* SPDX-License-Identifier: Apache-2.0 */
/* cli/summary.h - the numbers that `cleave info` prints about a graph. */
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H

#include "cli/cli.h"

typedef struct cli_range {
    int64_t min, max, total;
} cli_range;

typedef struct cli_summary {
    cleave_csr view;      /* of the graph, which must outlive it */
    cleave_source source; /* its source */
    int64_t edges;
    cli_range degree;        /* neighbours; of a DAG both directions */
    int64_t isolated;        /* vertices without neighbours */
    int32_t out_max, in_max; /* of a DAG */
    cli_range *weight;       /* ncon of them; NULL: no vertex weights */
    cli_range edge_weight;   /* when view.ewgt; each undirected edge once */
    cli_range vsize;         /* when view.vsize */
    double low[3], high[3];  /* bounding box when view.ndim */
    bool named;              /* vertices have names */
    int32_t components;      /* connected, directions ignored */
    int32_t sources, sinks;  /* of a DAG */
    int32_t levels;          /* of a DAG: vertices on its longest path */
    double mean_parallelism; /* of a DAG: vertices per level */
} cli_summary;

/* O(nvtx + narc). */
cleave_status cli_summarise(cli_summary *summary, const cleave_graph *g, cleave_error *err);
void cli_summary_free(cli_summary *summary);

#endif
