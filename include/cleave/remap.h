/* SPDX-License-Identifier: Apache-2.0 */
/* cleave/remap.h - remapping: a mapping for a changed machine that migrates little.
 *
 *     cleave_mapping *now = NULL;
 *     if (cleave_remap(&now, g, m, t, NULL, &err) == CLEAVE_OK)
 *         cleave_mapping_write(now, "mesh.part", &err);
 *     cleave_mapping_free(now);
 */
#ifndef CLEAVE_REMAP_H
#define CLEAVE_REMAP_H

#include "cleave/graph.h"
#include "cleave/map.h"
#include "cleave/mapping.h"
#include "cleave/order.h"
#include "cleave/status.h"
#include "cleave/target.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Results of cleave_remap in addition to options->report. */
typedef struct cleave_remap_report {
    size_t size;
    char strategy[16];       /* the strategy that computed the mapping: "diffuse" */
    int64_t cut, cut_before; /* of the new and of the old mapping */
    int64_t migration;       /* sum of vsize (1 when absent) of the vertices that moved */
    int64_t migration_bound; /* lower bound on the migration of any balanced mapping */
} cleave_remap_report;
CLEAVE_API void cleave_remap_report_init(cleave_remap_report *report, size_t size);

typedef struct cleave_remap_options {
    size_t size;
    double migration_price;    /* 1: cost of one unit of migration in units of cut; >= 0 */
    const char *strategy;      /* NULL or "auto": try all, use the mapping with the smallest
                                  cut + price * migration; "interval", "diffuse", "scratch" */
    const cleave_target *from; /* the old machine, whose PEs are matched with those of the
                                  new one by name; NULL: by number */
    const cleave_order *order; /* for "interval"; NULL: one is computed */
    const cleave_options *options; /* NULL: defaults; its method, params, one_to_one and
                                      constraints->start are ignored; objective: cut or cost;
                                      its report is written */
    cleave_remap_report *report;   /* NULL, or written on return */
} cleave_remap_options;
CLEAVE_API void cleave_remap_options_init(cleave_remap_options *opt, size_t size);

/* Remaps g onto a changed machine: `old` is the present mapping (its parts are PEs of
 * opt->from), t is the new machine.  Vertices on removed PEs must move; other vertices move if
 * this reduces the cost.  Results as cleave_map. */
CLEAVE_API cleave_status cleave_remap(cleave_mapping **out, const cleave_graph *g,
                                      const cleave_mapping *old, const cleave_target *t,
                                      const cleave_remap_options *opt, cleave_error *err);

#ifdef __cplusplus
}
#endif

#endif
