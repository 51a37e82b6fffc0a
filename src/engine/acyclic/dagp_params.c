/* SPDX-License-Identifier: Apache-2.0 */
/* engine/acyclic/dagp_params.c - the variants of dagP by name (see engine/acyclic/dagp.h). */
#include "base/params.h"
#include "engine/acyclic/dagp.h"

enum { most_runs = 1000000 };

typedef struct choice {
    const char *key;
    const char *values; /* as in "a|b|c" */
} choice;

static const choice choices[] = {
    {"order", "top|rand"},
    {"match", "rand|hem|nwhem"},
    {"initial", "ker+gp|kern|gp"},
    {"refine", "topref|acyckway"},
};
enum { nchoices = sizeof choices / sizeof choices[0] };

static cleave_status parse_runs(clv_dagp_params *params, clv_piece value, cleave_error *err)
{
    int64_t runs = 0;
    if (!clv_piece_count(value, 1, most_runs, &runs))
        return clv_fail(err, CLEAVE_EINVAL, "runs=%.*s: must be a number from 1 to %d",
                        clv_piece_shown(value), value.begin, most_runs);
    params->runs = (int32_t)runs;
    return CLEAVE_OK;
}

static cleave_status set_choice(clv_dagp_params *params, int index, clv_piece value,
                                cleave_error *err)
{
    int chosen = clv_piece_find(value, choices[index].values);
    if (chosen < 0)
        return clv_fail(err, CLEAVE_EINVAL, "%s=%.*s: there is %s", choices[index].key,
                        clv_piece_shown(value), value.begin, choices[index].values);
    switch (index) {
    case 0:
        params->order = (clv_dag_order)chosen;
        break;
    case 1:
        params->match = (clv_dag_match)chosen;
        break;
    case 2:
        params->initial = (clv_dagp_start)chosen;
        break;
    default:
        params->refine = (clv_dagp_refine)chosen;
        break;
    }
    return CLEAVE_OK;
}

static cleave_status parse_one(clv_dagp_params *params, const clv_param *param,
                               cleave_error *err)
{
    if (clv_param_is(param, "runs"))
        return parse_runs(params, param->value, err);
    for (int i = 0; i < nchoices; i++)
        if (clv_param_is(param, choices[i].key))
            return set_choice(params, i, param->value, err);
    return clv_fail(err, CLEAVE_EINVAL,
                    "\"%.*s\" is no parameter of dagp: there is order=%s, match=%s, "
                    "initial=%s, refine=%s, runs=N",
                    clv_piece_shown(param->item), param->item.begin, choices[0].values,
                    choices[1].values, choices[2].values, choices[3].values);
}

cleave_status clv_dagp_parse(clv_dagp_params *params, const char *text, cleave_error *err)
{
    *params = (clv_dagp_params){0};
    if (text && *text == '\0')
        text = NULL;
    while (text) {
        clv_param param = clv_param_next(&text);
        CLV_TRY(parse_one(params, &param, err));
    }
    return CLEAVE_OK;
}
