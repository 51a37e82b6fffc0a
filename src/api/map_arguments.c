/* SPDX-License-Identifier: Apache-2.0 */
/* api/map_arguments.c - see api/map_arguments.h. */
#include "api/map_arguments.h"

#include <math.h>

#include "engine/order/line_method.h"

void cleave_options_init(cleave_options *opt, size_t size)
{
    cleave_options defaults = {.imbalance = 0.03,
                               .seed = 1,
                               .effort = CLEAVE_EFFORT_DEFAULT,
                               .objective = CLEAVE_OBJECTIVE_COST};
    clv_sized_init(opt, size);
    clv_sized_write(opt, &defaults, sizeof defaults);
}

void cleave_constraints_init(cleave_constraints *constraints, size_t size)
{
    clv_sized_init(constraints, size);
}

void cleave_map_report_init(cleave_map_report *report, size_t size)
{
    clv_sized_init(report, size);
}

static cleave_status check_options(const cleave_options *opt, cleave_error *err)
{
    if (!(opt->imbalance >= 0) || !isfinite(opt->imbalance))
        return clv_fail(err, CLEAVE_EINVAL, "the imbalance allowed is not a number >= 0");
    if ((int)opt->effort < CLEAVE_EFFORT_FAST || opt->effort > CLEAVE_EFFORT_BEST)
        return clv_fail(err, CLEAVE_EINVAL, "unknown effort %d", (int)opt->effort);
    if ((int)opt->objective < CLEAVE_OBJECTIVE_CUT ||
        opt->objective > CLEAVE_OBJECTIVE_CONGESTION)
        return clv_fail(err, CLEAVE_EINVAL, "unknown objective %d", (int)opt->objective);
    if (opt->threads < 0)
        return clv_fail(err, CLEAVE_EINVAL, "threads is %d", opt->threads);
    if (!(opt->time_limit >= 0) || !isfinite(opt->time_limit))
        return clv_fail(err, CLEAVE_EINVAL, "the time limit is not a number of seconds >= 0");
    size_t size = opt->report ? opt->report->size : sizeof *opt->report;
    if (size < sizeof size || size > 65536)
        return clv_fail(err, CLEAVE_EINVAL, "opt.report needs cleave_map_report_init first");
    return CLEAVE_OK;
}

/* Where all PEs have equal distances, the cost is the cut. */
static cleave_status choose_objective(clv_map_request *request, cleave_error *err)
{
    cleave_objective *objective = &request->opt.objective;
    if (*objective == CLEAVE_OBJECTIVE_CONGESTION && request->t->links == 0)
        return clv_fail(err, CLEAVE_EINVAL,
                        "congestion is for targets whose routes are known, such as meshes, "
                        "tori, hypercubes and trees");
    if (*objective == CLEAVE_OBJECTIVE_COST && clv_target_is_flat(request->t))
        *objective = CLEAVE_OBJECTIVE_CUT;
    return CLEAVE_OK;
}

static cleave_status check_one_to_one(const clv_map_request *request, cleave_error *err)
{
    if (!request->opt.one_to_one)
        return CLEAVE_OK;
    if (request->constraints.groups)
        return clv_fail(err, CLEAVE_EINVAL,
                        "one vertex per PE was requested, and groups that share one");
    if (request->t->npes >= request->g->nvtx)
        return CLEAVE_OK;
    return clv_fail(err, CLEAVE_EINVAL,
                    "one vertex per PE was requested, but there are %ld vertices and %ld PEs",
                    (long)request->g->nvtx, (long)request->t->npes);
}

static cleave_status check_fixed(const int32_t *fixed, int32_t nvtx, int32_t nparts,
                                 cleave_error *err)
{
    for (int32_t v = 0; fixed && v < nvtx; v++)
        if (fixed[v] < -1 || fixed[v] >= nparts)
            return clv_fail(err, CLEAVE_EINVAL,
                            "vertex %ld is fixed to part %ld, but parts run from 0 to %ld, "
                            "and -1 is for any",
                            (long)v, (long)fixed[v], (long)nparts - 1);
    return CLEAVE_OK;
}

static cleave_status check_groups(const int32_t *groups, int32_t nvtx, cleave_error *err)
{
    for (int32_t v = 0; groups && v < nvtx; v++)
        if (groups[v] < -1)
            return clv_fail(err, CLEAVE_EINVAL,
                            "vertex %ld is in group %ld, but groups are numbered from 0, and "
                            "-1 is for none",
                            (long)v, (long)groups[v]);
    return CLEAVE_OK;
}

static cleave_status check_start(const clv_mapping *start, int32_t nvtx, int32_t nparts,
                                 cleave_error *err)
{
    if (!start)
        return CLEAVE_OK;
    if (start->nvtx != nvtx)
        return clv_fail(err, CLEAVE_EINVAL,
                        "the mapping to start from has %ld vertices, but the graph has %ld",
                        (long)start->nvtx, (long)nvtx);
    if (start->nparts != nparts)
        return clv_fail(err, CLEAVE_EINVAL,
                        "the mapping to start from has %ld parts, but the target has %ld PEs",
                        (long)start->nparts, (long)nparts);
    return CLEAVE_OK;
}

/* The first constraint that the method does not support; NULL: none. */
static const char *beyond_method(const clv_map_request *request, unsigned keeps)
{
    const cleave_constraints *given = &request->constraints;
    bool volume = request->opt.objective == CLEAVE_OBJECTIVE_VOLUME;
    return given->fixed && !(keeps & CLV_KEEPS_FIXED)           ? "fixed vertices"
           : given->groups && !(keeps & CLV_KEEPS_GROUPS)       ? "groups"
           : given->start && !(keeps & CLV_KEEPS_START)         ? "a mapping to start from"
           : given->connected && !(keeps & CLV_KEEPS_CONNECTED) ? "connected parts"
           : volume && !(keeps & CLV_KEEPS_VOLUME)              ? "the volume"
                                                                : NULL;
}

/* The row of a method lists the graphs, targets and constraints it supports. */
static cleave_status check_method(clv_map_request *request, cleave_error *err)
{
    CLV_TRY(clv_method_parse(&request->method, request->opt.method, request->opt.params, err));
    const clv_method_row *row = clv_method_row_of(request->method.kind);
    const char *name = request->method.name, *beyond = beyond_method(request, row->keeps);
    bool dag = request->g->kind == CLEAVE_DAG;
    if (row->needs_levels && request->t->levels == 0)
        return clv_fail(err, CLEAVE_EINVAL,
                        "method %s is for hierarchies, but the target has no levels", name);
    if (row->needs_undirected && dag)
        return clv_fail(err, CLEAVE_EINVAL,
                        "method %s is for undirected graphs, but the graph is a DAG, which "
                        "can be read as \"undirected\"",
                        name);
    if (row->needs_dag && !dag)
        return clv_fail(err, CLEAVE_EINVAL,
                        "method %s is for DAGs, but the graph is undirected", name);
    if (beyond)
        return clv_fail(err, CLEAVE_EINVAL, "method %s does not support %s", name, beyond);
    if (row->only_cut && request->opt.objective != CLEAVE_OBJECTIVE_CUT)
        return clv_fail(err, CLEAVE_EINVAL, "method %s minimises the cut only", name);
    return row->needs_coordinates ? clv_coordinates_check(request->g, name, err) : CLEAVE_OK;
}

cleave_status clv_map_request_check(clv_map_request *request, const clv_graph *g,
                                    const clv_target *t, const cleave_options *opt,
                                    cleave_error *err)
{
    if (!g || !t)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", g ? "the target" : "the graph");
    request->g = g;
    request->t = t;
    cleave_options_init(&request->opt, sizeof request->opt);
    cleave_constraints_init(&request->constraints, sizeof request->constraints);
    if (opt)
        CLV_TRY(clv_sized_copy(&request->opt, sizeof request->opt, opt, "opt", err));
    CLV_TRY(check_options(&request->opt, err));
    if (request->opt.constraints)
        CLV_TRY(clv_sized_copy(&request->constraints, sizeof request->constraints,
                               request->opt.constraints, "opt.constraints", err));
    CLV_TRY(choose_objective(request, err));
    CLV_TRY(check_one_to_one(request, err));
    CLV_TRY(check_method(request, err));
    if (g->kind == CLEAVE_DAG && request->constraints.connected)
        return clv_fail(
            err, CLEAVE_EINVAL,
            "connected parts are not possible for a DAG; read it as \"undirected\"");
    CLV_TRY(check_fixed(request->constraints.fixed, g->nvtx, t->npes, err));
    CLV_TRY(check_groups(request->constraints.groups, g->nvtx, err));
    return check_start(request->constraints.start, g->nvtx, t->npes, err);
}
