/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/map_run.h - the common steps of cleave_mpi_map and cleave_mpi_remap: check options,
 * search, validate, report. */
#ifndef CLV_MPI_MAP_RUN_H
#define CLV_MPI_MAP_RUN_H

#include "api/map_arguments.h"
#include "graph/share.h"
#include "mpi/dist_multilevel.h"

typedef struct clv_mpi_run {
    const clv_dist_graph *g;
    const cleave_target *t;
    clv_map_request request; /* options, checked; constraints without arrays by vertex */
    cleave_constraints constraints; /* as the caller gave them */
    bool some_fixed;                /* given on any rank: a rank without vertices may pass
                                       NULL */
    int64_t gather;                 /* param: see clv_dist_task */
    const int32_t *home;            /* of a remapping, else NULL */
    double price;
    const char *strategy;
    clv_context ctx;
    bool open;      /* ctx is */
    double *masked; /* constraints.shares, if PEs of speed 0 had some; else NULL */
    double begin;
    clv_dist_result result;
    /* The validation. */
    int64_t cut, volume, cost, cost_identity, critical_path;
    int32_t empty_parts, acyclic;
    double imbalance;
    bool balanced;
} clv_mpi_run;

/* The value of the parameter gather=ARCS, -1: not given.  Not collective. */
cleave_status clv_mpi_parse_gather(const char *params, int64_t *gather, cleave_error *err);

/* Collective; opt NULL: defaults.  Opens the context. */
cleave_status clv_mpi_run_open(clv_mpi_run *run, const clv_dist_graph *g,
                               const cleave_target *t, const cleave_options *opt,
                               cleave_error *err);
void clv_mpi_run_close(clv_mpi_run *run);
/* Collective.  Fills part (own vertices) by the multilevel method; a DAG is redistributed
 * first. */
cleave_status clv_mpi_run_search(clv_mpi_run *run, int32_t *part, cleave_error *err);
/* Collective.  Validates part from scratch (mpi/map_verdict.c).  Returns CLEAVE_OK, or
 * CLEAVE_EBALANCE or CLEAVE_ECANCEL with a valid mapping. */
cleave_status clv_mpi_run_judge(clv_mpi_run *run, const int32_t *part, cleave_error *err);
/* Not collective: the speeds of the PEs in room, or NULL when all are equal; relative sizes of
 * the parts by one weight; and the upper bound of one part. */
const double *clv_mpi_speeds(const clv_target *t, double *room);
clv_share_rule clv_mpi_run_rule(const clv_mpi_run *run, const double *speeds, int32_t con);
int64_t clv_mpi_run_bound(const clv_mpi_run *run, const clv_share_rule *rule, int64_t total,
                          int32_t p, int32_t con);
void clv_mpi_run_report(const clv_mpi_run *run, cleave_map_report *report);

#endif
