/* SPDX-License-Identifier: Apache-2.0 */
/* engine/method.h - which algorithm makes the mapping, by name. */
#ifndef CLV_ENGINE_METHOD_H
#define CLV_ENGINE_METHOD_H

#include "engine/bisection.h"
#include "engine/dagp.h"
#include "order/split.h"

typedef enum clv_method_kind {
    CLV_METHOD_AUTO, /* what suits the machine */
    CLV_METHOD_KWAY, /* the multilevel engine on all parts at once */
    CLV_METHOD_DRB,  /* recursive bisection of the graph and the machine, and no more */
    CLV_METHOD_MULTISECTION, /* along the machine's hierarchy, then as KWAY from there */
    CLV_METHOD_DAGP,         /* one of engine/dagp.h */
    CLV_METHOD_RCB,          /* those of engine/geometric_parts.h */
    CLV_METHOD_ZCI,
    CLV_METHOD_HCI,
    CLV_METHOD_RSB,
    CLV_METHOD_BORDERS /* what is given, its borders improved; has no name */
} clv_method_kind;

typedef struct clv_method {
    clv_method_kind kind;
    const char *name;
    clv_policy policy;     /* of DRB */
    clv_dagp_method which; /* of DAGP, and its variants */
    clv_dagp_params params;
    clv_grouping grouping; /* of those of engine/geometric_parts.h */
    bool refine;           /* and improve their borders afterwards */
} clv_method;

/* One of engine/geometric_parts.h, which keep to no constraints but shares and bounds? */
static inline bool clv_method_is_geometric(const clv_method *method)
{
    return method->kind >= CLV_METHOD_RCB && method->kind <= CLV_METHOD_RSB;
}

/* name NULL, "" or "multilevel": as "auto".  CLEAVE_EINVAL says what there is. */
cleave_status clv_method_parse(clv_method *method, const char *name, const char *params,
                               cleave_error *err);

#endif
