/* SPDX-License-Identifier: Apache-2.0 */
/* engine/method.c - see engine/method.h. */
#include "engine/method.h"

#include <string.h>

static const char *const names[] = {"dagp", "kernighan", "fauzia"}; /* as clv_dagp_method */
static const char own_name[] = "multilevel";

static cleave_status find(clv_method *method, const char *name, cleave_error *err)
{
    if (!name || !*name || strcmp(name, own_name) == 0)
        return CLEAVE_OK;
    for (int i = 0; i < 3; i++)
        if (strcmp(names[i], name) == 0) {
            method->name = names[i];
            method->which = (clv_dagp_method)i;
            return CLEAVE_OK;
        }
    return clv_fail(err, CLEAVE_EINVAL, "method is \"%.40s\", which is none of %s, %s, %s, %s",
                    name, own_name, names[0], names[1], names[2]);
}

cleave_status clv_method_parse(clv_method *method, const char *name, const char *params,
                               cleave_error *err)
{
    *method = (clv_method){0};
    CLV_TRY(find(method, name, err));
    if (method->name && method->which == CLV_DAGP)
        return clv_dagp_parse(&method->params, params, err);
    if (params && *params)
        return clv_fail(err, CLEAVE_EINVAL, "params is \"%.40s\", but method %s has none",
                        params, method->name ? method->name : own_name);
    return CLEAVE_OK;
}
