/* SPDX-License-Identifier: Apache-2.0 */
/* api/generate.c - public generators: checks the arguments, provides a team and a
 * workspace. */
#include "generate/generate.h"

#include "generate/factor.h"

void cleave_generate_options_init(cleave_generate_options *opt, size_t size)
{
    cleave_generate_options defaults = {.seed = 1};
    clv_sized_init(opt, size);
    clv_sized_write(opt, &defaults, sizeof defaults);
}

cleave_status cleave_graph_generate(cleave_graph **out, const char *spec,
                                    const cleave_generate_options *opt, cleave_error *err)
{
    if (out)
        *out = NULL;
    if (!out || !spec)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", out ? "spec" : "out");
    cleave_generate_options known = {.seed = 1};
    if (opt)
        CLV_TRY(clv_sized_copy(&known, sizeof known, opt, "options", err));
    clv_making how = {.seed = known.seed};
    CLV_TRY(clv_team_create(&how.team, known.threads, err));
    cleave_status status = clv_generate(out, spec, &how, err);
    clv_team_free(how.team);
    return status;
}

const char *cleave_generator_name(int i, const char **form, const char **description)
{
    int count = 0;
    while (clv_generators[count].name)
        count++;
    if (i < 0 || i >= count)
        return NULL;
    if (form)
        *form = clv_generators[i].form;
    if (description)
        *description = clv_generators[i].description;
    return clv_generators[i].name;
}

/* ---- Factors ------------------------------------------------------------------------- */

static cleave_status make_factor(clv_graph **out, const clv_graph *g, const char *order,
                                 const int32_t *permutation, clv_ws *ws, cleave_error *err)
{
    if (!g)
        return clv_fail(err, CLEAVE_EINVAL, "the graph is NULL");
    if (g->kind != CLEAVE_UNDIRECTED)
        return clv_fail(err, CLEAVE_EINVAL, "a DAG has no factor; an undirected graph has");
    return clv_factor_graph(out, g, order, permutation, ws, err);
}

cleave_status cleave_graph_factor(cleave_graph **out, const cleave_graph *g, const char *order,
                                  const int32_t *permutation, cleave_error *err)
{
    if (!out)
        return clv_fail(err, CLEAVE_EINVAL, "out is NULL");
    *out = NULL;
    clv_ws ws = {NULL};
    cleave_status status = make_factor(out, g, order, permutation, &ws, err);
    clv_ws_free(&ws);
    return status;
}
