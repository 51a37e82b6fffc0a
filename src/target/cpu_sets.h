/* SPDX-License-Identifier: Apache-2.0 */
/* target/cpu_sets.h - the objects of a computer as sets of CPUs, and the tree that they form.
 *
 * Sets are inserted from the largest to the smallest: around[c] is the smallest set so far
 * with CPU c, so the parent of a new set is that of its CPUs, if they agree.  Sets that
 * partially overlap others, which does not happen on a valid machine, are omitted. */
#ifndef CLV_TARGET_CPU_SETS_H
#define CLV_TARGET_CPU_SETS_H

#include "base/mem.h"

/* If objects have the same CPUs, the earlier kind is the outer one. */
typedef enum clv_cpu_set_kind {
    CLV_CPUS_MACHINE,
    CLV_CPUS_PACKAGE,
    CLV_CPUS_DIE,   /* omitted if it is all of a package or a single CPU */
    CLV_CPUS_CACHE, /* by descending level */
    CLV_CPUS_CORE,
    CLV_CPUS_PU,
    CLV_CPUS_GROUP /* omitted if another object has the same CPUs */
} clv_cpu_set_kind;

enum { clv_most_cache_levels = 99 };

typedef struct clv_cpu_set {
    clv_cpu_set_kind kind;
    int32_t level; /* of a cache, less than clv_most_cache_levels */
    bool data;     /* a data cache, without instructions */
    uint64_t bytes;
    int32_t size, *cpu;          /* ascending; size 0: not in the tree */
    int32_t parent, child, next; /* sets; -1: none */
    int32_t memory;              /* the first NUMA node next to it; -1: none */
    int32_t number;
} clv_cpu_set;

typedef struct clv_cpu_sets { /* zero-initialise: none */
    int32_t count, room;
    clv_cpu_set *set; /* from ws */
} clv_cpu_sets;

/* s->cpu is not copied; the links are set to -1. */
cleave_status clv_cpu_sets_add(clv_cpu_sets *sets, const clv_cpu_set *s, clv_ws *ws,
                               cleave_error *err);
/* Sets the links; children are in the order of their first CPUs. around: by CPU, ncpus
 * entries: afterwards the smallest set with that CPU. Set 0 has all CPUs of the sets.  O(s log
 * s + t d) for s sets with t CPUs in total and depth d. */
cleave_status clv_cpu_sets_link(clv_cpu_sets *sets, int32_t ncpus, int32_t *around, clv_ws *ws,
                                cleave_error *err);

#endif
