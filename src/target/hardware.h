/* SPDX-License-Identifier: Apache-2.0 */
/* target/hardware.h - one computer as a tree of objects, from hwloc or from sysfs.
 *
 * target/sysfs_machine.h reads it from Linux, target/hwloc_target.h from hwloc;
 * target/hardware.c makes a target of it. */
#ifndef CLV_TARGET_HARDWARE_H
#define CLV_TARGET_HARDWARE_H

#include "target/target.h"

typedef enum clv_hardware_kind {
    CLV_HARDWARE_GROUP, /* the machine, a package, a cache: any object that contains PUs */
    CLV_HARDWARE_CORE,
    CLV_HARDWARE_PU,    /* a hardware thread */
    CLV_HARDWARE_MEMORY /* a NUMA node, next to its owner */
} clv_hardware_kind;

enum { CLV_HARDWARE_NAME = 64 };

typedef struct clv_hardware_object {
    clv_hardware_kind kind;
    int32_t parent; /* an object with a smaller number; -1: the machine */
    int32_t number; /* among those of its kind, the logical index of hwloc */
    int32_t cpu;    /* the operating system's number of the first usable PU inside; -1: none */
    int32_t node;   /* row of `latency` of a core or PU; -1: none */
    double speed;   /* of a core or PU; 0: unknown */
    char name[CLV_HARDWARE_NAME]; /* "L3 0 (16 MB)" */
} clv_hardware_object;

/* Objects are in depth-first order from the machine down, the memory of an object first.  Only
 * memory and objects with a usable PU are included. */
typedef struct clv_hardware {
    int32_t count;
    clv_hardware_object *object;
    int32_t packages, memories; /* in the whole computer, usable or not */
    int32_t nodes;              /* 0: latencies are unknown */
    uint64_t *latency;          /* nodes * nodes */
} clv_hardware;

/* "L3 0 (16 MB)", or "Package 0" if bytes is 0. */
void clv_hardware_print_name(char name[CLV_HARDWARE_NAME], const char *type, int32_t number,
                             uint64_t bytes);

/* A PE is a core, or a PU if `pu` is set or cores are unknown. h is only read. */
cleave_status clv_target_hardware(clv_target **out, const clv_hardware *h, bool pu,
                                  cleave_error *err);

#endif
