/* SPDX-License-Identifier: Apache-2.0 */
/* target/pe_range.h - shapes whose domains are the ranges a .. b of PE numbers. */
#ifndef CLV_TARGET_PE_RANGE_H
#define CLV_TARGET_PE_RANGE_H

#include "target/target.h"

static inline clv_domain clv_pe_range_root(const clv_target *t)
{
    return (clv_domain){0, t->npes - 1};
}

static inline clv_domain clv_pe_range_terminal(const clv_target *t, int32_t pe)
{
    (void)t;
    return (clv_domain){pe, pe};
}

static inline int32_t clv_pe_range_pes(const clv_target *t, clv_domain d)
{
    (void)t;
    return d.b - d.a + 1;
}

static inline int32_t clv_pe_range_pe(const clv_target *t, clv_domain d)
{
    (void)t;
    return d.a;
}

static inline double clv_pe_range_weight(const clv_target *t, clv_domain d)
{
    return clv_target_sum_speeds(t, d.a, d.b);
}

/* Cuts the domain after PE `last`. */
static inline void clv_pe_range_cut(clv_domain d, int32_t last, clv_domain half[2])
{
    half[0] = (clv_domain){d.a, last};
    half[1] = (clv_domain){last + 1, d.b};
}

/* Entries in the function table of such a shape. */
#define CLV_PE_RANGES                                                                         \
    .root = clv_pe_range_root, .terminal = clv_pe_range_terminal, .pes = clv_pe_range_pes,    \
    .pe = clv_pe_range_pe, .weight = clv_pe_range_weight

#endif
