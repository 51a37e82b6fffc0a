/* SPDX-License-Identifier: Apache-2.0 */
/* engine/acyclic/dagp_params.c - the variants of dagP by name (see engine/acyclic/dagp.h). */
#include "base/params.h"
#include "engine/acyclic/dagp.h"

enum { most_runs = 1000000, not_given = -1 };

typedef enum key { version, coarsen, constrain, order, match, initial, refine, nkeys } key;

typedef struct choice {
    const char *key;
    const char *values; /* as in "a|b|c" */
    int newer;          /* index of the first value that only the version of 2019 has */
    int preferred;      /* its default */
} choice;

static const choice choices[nkeys] = {
    [version] = {"version", "2017|2019", CLV_DAGP_2019, CLV_DAGP_2019},
    [coarsen] = {"coarsen", "matching|cotop|cocyc|cohyb|none", CLV_DAGP_COTOP, CLV_DAGP_COHYB},
    [constrain] = {"constrain", "no|clusters|start", CLV_DAGP_CLUSTERS,
                   CLV_DAGP_CLUSTERS_AND_START},
    [order] = {"order", "top|rand|breadth", CLV_DAG_ORDER_BREADTH, CLV_DAG_ORDER_BREADTH},
    [match] = {"match", "rand|hem|nwhem", CLV_DAG_MATCH_NWHEM + 1, CLV_DAG_MATCH_HEM},
    [initial] = {"initial", "ker+gp|kern|gp|greedy|undirected", CLV_DAGP_GREEDY,
                 CLV_DAGP_UNDIRECTED},
    [refine] = {"refine", "topref|acyckway|fm", CLV_DAGP_FM, CLV_DAGP_FM},
};

typedef struct chosen {
    int value[nkeys]; /* or not_given */
    int32_t runs;
} chosen;

static bool is_clustered(int value)
{
    return value != CLV_DAGP_MATCHING && value != CLV_DAGP_NO_COARSENING;
}

/* ---- Words ------------------------------------------------------------------------------ */

static cleave_status parse_runs(chosen *c, clv_substring value, cleave_error *err)
{
    int64_t runs = 0;
    if (!clv_substring_integer(value, 1, most_runs, &runs))
        return clv_fail(err, CLEAVE_EINVAL, "runs=%.*s: must be a number from 1 to %d",
                        clv_substring_shown(value), value.begin, most_runs);
    c->runs = (int32_t)runs;
    return CLEAVE_OK;
}

static cleave_status parse_one(chosen *c, const clv_param *param, cleave_error *err)
{
    if (clv_param_is(param, "runs"))
        return parse_runs(c, param->value, err);
    for (int i = 0; i < nkeys; i++) {
        if (!clv_param_is(param, choices[i].key))
            continue;
        c->value[i] = clv_substring_find(param->value, choices[i].values);
        if (c->value[i] < 0)
            return clv_fail(err, CLEAVE_EINVAL, "%s=%.*s: there is %s", choices[i].key,
                            clv_substring_shown(param->value), param->value.begin,
                            choices[i].values);
        return CLEAVE_OK;
    }
    return clv_fail(
        err, CLEAVE_EINVAL,
        "\"%.*s\" is not a parameter of dagp; known are order, match, initial, refine, "
        "coarsen, constrain, version, runs",
        clv_substring_shown(param->item), param->item.begin);
}

/* ---- Versions --------------------------------------------------------------------------- */

/* A value that only the version of 2019 has selects it. */
static cleave_status choose_version(chosen *c, cleave_error *err)
{
    for (int i = version + 1; i < nkeys; i++) {
        if (c->value[i] < choices[i].newer)
            continue;
        if (c->value[version] == CLV_DAGP_2017)
            return clv_fail(err, CLEAVE_EINVAL, "version=2017 has no such value of %s",
                            choices[i].key);
        c->value[version] = CLV_DAGP_2019;
    }
    if (c->value[version] == not_given)
        c->value[version] = CLV_DAGP_2017;
    return CLEAVE_OK;
}

/* What was not given depends on what was. */
static void fill_in(chosen *c)
{
    bool newer = c->value[version] == CLV_DAGP_2019;
    int *v = c->value;
    if (newer && v[initial] == not_given)
        v[initial] = CLV_DAGP_UNDIRECTED;
    if (newer && v[coarsen] == not_given)
        v[coarsen] = CLV_DAGP_COHYB;
    if (newer && v[constrain] == not_given &&
        (v[initial] != CLV_DAGP_UNDIRECTED || !is_clustered(v[coarsen])))
        v[constrain] = CLV_DAGP_UNCONSTRAINED;
    if (newer && v[order] == not_given && !is_clustered(v[coarsen]))
        v[order] = CLV_DAG_ORDER_TOP;
    for (int i = 0; i < nkeys; i++)
        if (v[i] == not_given)
            v[i] = newer ? choices[i].preferred : 0;
}

static cleave_status check_together(const chosen *c, cleave_error *err)
{
    if (c->value[constrain] == CLV_DAGP_CLUSTERS_AND_START &&
        c->value[initial] != CLV_DAGP_UNDIRECTED)
        return clv_fail(err, CLEAVE_EINVAL, "constrain=start needs initial=undirected");
    if (c->value[constrain] != CLV_DAGP_UNCONSTRAINED && !is_clustered(c->value[coarsen]))
        return clv_fail(err, CLEAVE_EINVAL, "constrain is for coarsen=cotop, cocyc and cohyb");
    if (c->value[order] == CLV_DAG_ORDER_BREADTH && !is_clustered(c->value[coarsen]))
        return clv_fail(err, CLEAVE_EINVAL,
                        "order=breadth is for coarsen=cotop, cocyc and cohyb");
    return CLEAVE_OK;
}

cleave_status clv_dagp_parse(clv_dagp_params *params, const char *text, cleave_error *err)
{
    chosen c = {.runs = 0};
    for (int i = 0; i < nkeys; i++)
        c.value[i] = not_given;
    if (text && *text == '\0')
        text = NULL;
    while (text) {
        clv_param param = clv_param_next(&text);
        CLV_TRY(parse_one(&c, &param, err));
    }
    CLV_TRY(choose_version(&c, err));
    fill_in(&c);
    CLV_TRY(check_together(&c, err));
    *params = (clv_dagp_params){.version = (clv_dagp_version)c.value[version],
                                .coarsen = (clv_dagp_coarsen)c.value[coarsen],
                                .constrain = (clv_dagp_constrain)c.value[constrain],
                                .order = (clv_dag_order)c.value[order],
                                .match = (clv_dag_match)c.value[match],
                                .initial = (clv_dagp_start)c.value[initial],
                                .refine = (clv_dagp_refine)c.value[refine],
                                .runs = c.runs};
    return CLEAVE_OK;
}
