/* SPDX-License-Identifier: Apache-2.0 */
/* target/cpu_sets.h - the objects of a computer as sets of CPUs, and the tree that they form.
 *
 * Sets are inserted from the largest to the smallest: around[c] is the smallest so far with
 * CPU c, so that the object around a new set is that of its CPUs, when they agree.  Sets that
 * overlap others in part, which no sound machine has, are left out. */
#ifndef CLV_TARGET_CPU_SETS_H
#define CLV_TARGET_CPU_SETS_H

#include "base/mem.h"

/* Of objects with the same CPUs the earlier is the outer. */
typedef enum clv_cpu_set_kind {
    CLV_CPUS_MACHINE,
    CLV_CPUS_PACKAGE,
    CLV_CPUS_DIE,   /* not when it is all of a package or a single CPU */
    CLV_CPUS_CACHE, /* by falling level */
    CLV_CPUS_CORE,
    CLV_CPUS_PU,
    CLV_CPUS_GROUP /* not when another object has its CPUs */
} clv_cpu_set_kind;

enum { clv_most_cache_levels = 99 };

typedef struct clv_cpu_set {
    clv_cpu_set_kind kind;
    int32_t level; /* of a cache, below clv_most_cache_levels */
    bool data;     /* a cache that holds no instructions */
    uint64_t bytes;
    int32_t size, *cpu;          /* ascending; size 0: not in the tree */
    int32_t parent, child, next; /* sets; -1: none */
    int32_t memory;              /* the first NUMA node beside it; -1: none */
    int32_t number;
} clv_cpu_set;

typedef struct clv_cpu_sets { /* zero-initialise: none */
    int32_t count, room;
    clv_cpu_set *set; /* from ws */
} clv_cpu_sets;

/* s->cpu is not copied; the links are set to -1. */
cleave_status clv_cpu_sets_add(clv_cpu_sets *sets, const clv_cpu_set *s, clv_ws *ws,
                               cleave_error *err);
/* Sets the links; children come in the order of their first CPUs.  around: by CPU, ncpus
 * of them: the smallest set with it afterwards.  Set 0 has all CPUs that there are in sets.
 * O(s log s + t d) for s sets of together t CPUs, d deep. */
cleave_status clv_cpu_sets_link(clv_cpu_sets *sets, int32_t ncpus, int32_t *around, clv_ws *ws,
                                cleave_error *err);

#endif
