/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/graphopt_params.c - the parameters of method graphopt and their text form,
 * "window=0,ws=10,alpha=4". */
#include "base/params.h"
#include "schedule/schedulers.h"

clv_graphopt_params clv_graphopt_defaults(void)
{
    return (clv_graphopt_params){.window = true,
                                 .components = true,
                                 .coarsening = true,
                                 .alpha = 4,
                                 .ws = 10,
                                 .wc = 1,
                                 .coarse = 1000,
                                 .threshold = 1000,
                                 .depth = 0,
                                 .degree = 10,
                                 .effort = 4,
                                 .margin = 5,
                                 .sync = 500,
                                 .few = 1,
                                 .chunk = 4,
                                 .adapt = true};
}

static cleave_status parse_switch(bool *to, const clv_param *param, cleave_error *err)
{
    int64_t value = 0;
    if (!clv_substring_integer(param->value, 0, 1, &value))
        return clv_fail(err, CLEAVE_EINVAL, "%.*s: must be 0 or 1",
                        clv_substring_shown(param->item), param->item.begin);
    *to = value != 0;
    return CLEAVE_OK;
}

static cleave_status parse_number(int32_t *to, int32_t low, int32_t high,
                                  const clv_param *param, cleave_error *err)
{
    int64_t value = 0;
    if (!clv_substring_integer(param->value, low, high, &value))
        return clv_fail(err, CLEAVE_EINVAL, "%.*s: must be a number from %d to %d",
                        clv_substring_shown(param->item), param->item.begin, (int)low,
                        (int)high);
    *to = (int32_t)value;
    return CLEAVE_OK;
}

static cleave_status parse_one(clv_graphopt_params *p, const clv_param *param,
                               cleave_error *err)
{
    const struct {
        const char *key;
        bool *to;
    } switches[] = {{"window", &p->window},
                    {"components", &p->components},
                    {"coarsening", &p->coarsening},
                    {"adapt", &p->adapt}};
    const struct {
        const char *key;
        int32_t *to;
        int32_t low, high;
    } numbers[] = {{"alpha", &p->alpha, 1, 1000000},
                   {"ws", &p->ws, 0, 1000000},
                   {"wc", &p->wc, 0, 1000000},
                   {"coarse", &p->coarse, 1, 1000000000},
                   {"threshold", &p->threshold, 1, 1000000000},
                   {"depth", &p->depth, 0, 1000000000},
                   {"degree", &p->degree, 0, 1000000000},
                   {"effort", &p->effort, 0, 1000000},
                   {"margin", &p->margin, 0, 1000},
                   {"sync", &p->sync, 0, clv_graphopt_most_sync},
                   {"few", &p->few, 1, 1000000},
                   {"chunk", &p->chunk, 1, 1000000}};
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
        if (clv_param_is(param, switches[i].key))
            return parse_switch(switches[i].to, param, err);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (clv_param_is(param, numbers[i].key))
            return parse_number(numbers[i].to, numbers[i].low, numbers[i].high, param, err);
    return clv_fail(err, CLEAVE_EINVAL,
                    "\"%.*s\" is not a parameter of graphopt; known are window, components, "
                    "coarsening, adapt (0|1), alpha, ws, wc, coarse, threshold, depth, "
                    "degree, effort, margin, sync, few, chunk",
                    clv_substring_shown(param->item), param->item.begin);
}

cleave_status clv_graphopt_parse(clv_graphopt_params *params, const char *text,
                                 cleave_error *err)
{
    if (text && *text == '\0')
        text = NULL;
    while (text) {
        clv_param param = clv_param_next(&text);
        CLV_TRY(parse_one(params, &param, err));
    }
    return CLEAVE_OK;
}
