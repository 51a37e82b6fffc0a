/* SPDX-License-Identifier: Apache-2.0 */
/* engine/method.c - see engine/method.h. */
#include "engine/method.h"

#include "base/params.h"

static const clv_method methods[] = {
    {.kind = CLV_METHOD_AUTO, .name = "auto"},
    {.kind = CLV_METHOD_AUTO, .name = "multilevel"},
    {.kind = CLV_METHOD_KWAY, .name = "kway"},
    {.kind = CLV_METHOD_DRB, .name = "drb"},
    {.kind = CLV_METHOD_MULTISECTION, .name = "multisection"},
    {.kind = CLV_METHOD_DAGP, .name = "dagp", .which = CLV_DAGP},
    {.kind = CLV_METHOD_DAGP, .name = "kernighan", .which = CLV_DAGP_KERNIGHAN},
    {.kind = CLV_METHOD_DAGP, .name = "fauzia", .which = CLV_DAGP_FILL},
    {.kind = CLV_METHOD_RCB, .name = "rcb"},
    {.kind = CLV_METHOD_ZCI, .name = "zci"},
    {.kind = CLV_METHOD_HCI, .name = "hci"},
    {.kind = CLV_METHOD_RSB, .name = "rsb"}};
enum { nmethods = sizeof methods / sizeof methods[0] };

static cleave_status find(clv_method *method, const char *name, cleave_error *err)
{
    *method = methods[0];
    if (!name || !*name)
        return CLEAVE_OK;
    for (int i = 0; i < nmethods; i++)
        if (strcmp(methods[i].name, name) == 0) {
            *method = methods[i];
            return CLEAVE_OK;
        }
    return clv_fail(err, CLEAVE_EINVAL,
                    "method is \"%.40s\", which is none of auto, multilevel, kway, drb, "
                    "multisection, dagp, kernighan, fauzia, rcb, zci, hci, rsb",
                    name);
}

/* "policy=size", or nothing, which means the same. */
static cleave_status parse_policy(clv_method *method, const char *params, cleave_error *err)
{
    static const char *const texts[] = {"", "policy=depth", "policy=breadth", "policy=size"};
    method->policy = CLV_POLICY_SIZE;
    for (int i = CLV_POLICY_DEPTH; params && *params && i <= CLV_POLICY_SIZE; i++)
        if (strcmp(params, texts[i]) == 0) {
            method->policy = (clv_policy)i;
            return CLEAVE_OK;
        }
    if (params && *params)
        return clv_fail(err, CLEAVE_EINVAL,
                        "params is \"%.40s\", but method drb has policy=depth, policy=breadth "
                        "and policy=size",
                        params);
    return CLEAVE_OK;
}

/* "grouping=simple,refine=1". */
static cleave_status parse_geometric(clv_method *method, const char *params, cleave_error *err)
{
    method->grouping = CLV_GROUPING_BINPACKING;
    if (params && !*params)
        params = NULL;
    while (params) {
        clv_param param = clv_param_next(&params);
        int grouping = clv_param_is(&param, "grouping")
                           ? clv_piece_find(param.value, "simple|binpacking")
                           : -1;
        int refine = clv_param_is(&param, "refine") ? clv_piece_find(param.value, "0|1") : -1;
        if (grouping < 0 && refine < 0)
            return clv_fail(err, CLEAVE_EINVAL,
                            "\"%.*s\" is no parameter of %s: there is "
                            "grouping=simple|binpacking, refine=0|1",
                            clv_piece_shown(param.item), param.item.begin, method->name);
        if (grouping >= 0)
            method->grouping = grouping == 0 ? CLV_GROUPING_SIMPLE : CLV_GROUPING_BINPACKING;
        else
            method->refine = refine == 1;
    }
    return CLEAVE_OK;
}

cleave_status clv_method_parse(clv_method *method, const char *name, const char *params,
                               cleave_error *err)
{
    CLV_TRY(find(method, name, err));
    if (method->kind == CLV_METHOD_DAGP && method->which == CLV_DAGP)
        return clv_dagp_parse(&method->params, params, err);
    if (method->kind == CLV_METHOD_DRB)
        return parse_policy(method, params, err);
    if (clv_method_is_geometric(method))
        return parse_geometric(method, params, err);
    if (params && *params)
        return clv_fail(err, CLEAVE_EINVAL, "params is \"%.40s\", but method %s has none",
                        params, name && *name ? name : "multilevel");
    return CLEAVE_OK;
}
