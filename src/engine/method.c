/* SPDX-License-Identifier: Apache-2.0 */
/* engine/method.c - the table of partitioning methods, see engine/method.h. */
#include "engine/method.h"

#include "base/params.h"
#include "engine/keep_start.h"
#include "engine/mapping/geometric_parts.h"
#include "engine/mapping/map_search.h"

/* ---- Parameters ------------------------------------------------------------------------- */

static cleave_status parse_dagp(clv_method *method, const char *params, cleave_error *err)
{
    return clv_dagp_parse(&method->params, params, err);
}

/* "policy=size" or empty, which means the same. */
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
                           ? clv_substring_find(param.value, "simple|binpacking")
                           : -1;
        int refine =
            clv_param_is(&param, "refine") ? clv_substring_find(param.value, "0|1") : -1;
        if (grouping < 0 && refine < 0)
            return clv_fail(err, CLEAVE_EINVAL,
                            "\"%.*s\" is not a parameter of %s; known are "
                            "grouping=simple|binpacking, refine=0|1",
                            clv_substring_shown(param.item), param.item.begin, method->name);
        if (grouping >= 0)
            method->grouping = grouping == 0 ? CLV_GROUPING_SIMPLE : CLV_GROUPING_BINPACKING;
        else
            method->refine = refine == 1;
    }
    return CLEAVE_OK;
}

/* ---- The method of another signature ---------------------------------------------------- */

static cleave_status partition_by_dagp(const clv_method_task *task, clv_search_result *result,
                                       cleave_error *err)
{
    *result = (clv_search_result){.runs = 1};
    return clv_dagp(&task->t, task->method->which, &task->method->params, task->ctx,
                    task->part, &result->last, err);
}

/* ---- The table -------------------------------------------------------------------------- */

#define SEARCH .keeps = CLV_KEEPS_ALL, .machine = CLV_MACHINE_BY_COST, .searches = true
#define DAGP(variant)                                                                         \
    .kind = CLV_METHOD_DAGP, .which = variant, .partition = partition_by_dagp,                \
    .keeps = CLV_KEEPS_ALL & ~(unsigned)(CLV_KEEPS_FIXED | CLV_KEEPS_START),                  \
    .needs_dag = true, .only_cut = true
#define GEOMETRIC                                                                             \
    .partition = clv_geometric_parts, .machine = CLV_MACHINE_ALWAYS, .places = true
#define GEOMETRIC_BY_NAME GEOMETRIC, .parse = parse_geometric, .needs_undirected = true

static const clv_method_row rows[] = {
    {"auto", CLV_METHOD_AUTO, .partition = clv_partition_kway, SEARCH, .nests = true},
    {"multilevel", CLV_METHOD_AUTO, .partition = clv_partition_kway, SEARCH, .nests = true},
    {"kway", CLV_METHOD_KWAY, .partition = clv_partition_kway, SEARCH, .nests = true},
    {"drb", CLV_METHOD_DRB, .partition = clv_partition_drb, .parse = parse_policy, SEARCH},
    {"multisection", CLV_METHOD_MULTISECTION, .partition = clv_partition_multisection,
     .needs_levels = true, SEARCH},
    {"dagp", DAGP(CLV_DAGP), .parse = parse_dagp},
    {"kernighan", DAGP(CLV_DAGP_KERNIGHAN)},
    {"fauzia", DAGP(CLV_DAGP_FILL)},
    {"rcb", CLV_METHOD_RCB, GEOMETRIC_BY_NAME, .needs_coordinates = true},
    {"zci", CLV_METHOD_ZCI, GEOMETRIC_BY_NAME, .needs_coordinates = true},
    {"hci", CLV_METHOD_HCI, GEOMETRIC_BY_NAME, .needs_coordinates = true},
    {"rsb", CLV_METHOD_RSB, GEOMETRIC_BY_NAME},
    {NULL, CLV_METHOD_HIERARCHY, .partition = clv_partition_hierarchy, SEARCH, .nests = true},
    {NULL, CLV_METHOD_BORDERS, GEOMETRIC, .keeps = CLV_KEEPS_START},
    {NULL, CLV_METHOD_SPREAD, .partition = clv_spread_singles, .keeps = CLV_KEEPS_ALL,
     .machine = CLV_MACHINE_ALWAYS, .places = true},
    {NULL, CLV_METHOD_KEEP_START, .partition = clv_keep_start, .keeps = CLV_KEEPS_ALL,
     .places = true}};
enum { nrows = sizeof rows / sizeof rows[0] };

/* ---- Looking it up ---------------------------------------------------------------------- */

static cleave_status find_row(const clv_method_row **row, const char *name, cleave_error *err)
{
    *row = &rows[0];
    if (!name || !*name)
        return CLEAVE_OK;
    for (int i = 0; i < nrows && rows[i].name; i++)
        if (strcmp(rows[i].name, name) == 0) {
            *row = &rows[i];
            return CLEAVE_OK;
        }
    char list[200] = "";
    for (int i = 0; i < nrows && rows[i].name; i++) {
        strncat(list, i ? ", " : "", sizeof list - strlen(list) - 1);
        strncat(list, rows[i].name, sizeof list - strlen(list) - 1);
    }
    return clv_fail(err, CLEAVE_EINVAL, "method is \"%.40s\"; expected one of %s", name, list);
}

cleave_status clv_method_parse(clv_method *method, const char *name, const char *params,
                               cleave_error *err)
{
    const clv_method_row *row;
    CLV_TRY(find_row(&row, name, err));
    *method = (clv_method){.kind = row->kind, .name = row->name, .which = row->which};
    if (row->parse)
        return row->parse(method, params, err);
    if (params && *params)
        return clv_fail(err, CLEAVE_EINVAL, "params is \"%.40s\", but method %s has none",
                        params, name && *name ? name : "multilevel");
    return CLEAVE_OK;
}

clv_method clv_method_of(clv_method_kind kind)
{
    return (clv_method){.kind = kind, .name = clv_method_row_of(kind)->name};
}

const clv_method_row *clv_method_row_of(clv_method_kind kind)
{
    const clv_method_row *row = rows;
    while (row->kind != kind)
        row++;
    return row;
}

const clv_method_row *clv_method_choose(const clv_method *method, const clv_machine *machine,
                                        const int32_t *start)
{
    bool hierarchy = machine && machine->t->levels > 1;
    if (method->kind == CLV_METHOD_AUTO && hierarchy && !start)
        return clv_method_row_of(CLV_METHOD_HIERARCHY);
    return clv_method_row_of(method->kind);
}
