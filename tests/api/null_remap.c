/* SPDX-License-Identifier: Apache-2.0 */
/* Part of test_null_api.c: remapping. */
#include <math.h>

#include "api/null_call.h"

static cleave_error err;
static const cleave_graph *g;
static cleave_target *two;
static cleave_mapping *old, *m;
static cleave_options options;
static cleave_remap_options opt;

static void make(void)
{
    static const int32_t part[] = {0, 0, 1, 1};
    g = null_grid;
    CHECK_OK(cleave_target_create(&two, 2, NULL, &err));
    CHECK_OK(cleave_mapping_create(&old, 4, 2, part, &err));
}

static void drop(void)
{
    cleave_mapping_free(old);
    cleave_target_free(two);
}

static void reset(void)
{
    cleave_options_init(&options, sizeof options);
    cleave_remap_options_init(&opt, sizeof opt);
    opt.options = &options;
}

#define REMAP_REFUSED(text)                                                                   \
    do {                                                                                      \
        REFUSED_OUT(cleave_mapping, m, cleave_remap(&m, g, old, two, &opt, e), text);         \
        reset();                                                                              \
    } while (0)

static void refuse_options(void)
{
    static const double bad[] = {-1, -1e-300, INFINITY, NAN};
    for (int i = 0; i < 4; i++) {
        opt.migration_price = bad[i];
        REMAP_REFUSED("the price of migration is not a number >= 0");
    }
    opt.strategy = "best";
    REMAP_REFUSED("unknown strategy \"best\"; there are auto, interval, diffuse and "
                  "scratch");
    options.objective = CLEAVE_OBJECTIVE_VOLUME;
    REMAP_REFUSED(
        "remapping minimises cut or cost, and migration; there is no other objective");
    options.imbalance = -1;
    REMAP_REFUSED("the imbalance allowed is not a number >= 0");
    options.size = 1;
    REMAP_REFUSED("opt.options.size is 1; call its _init function first");
    opt.size = 0;
    REMAP_REFUSED("opt.size is 0; call its _init function first");
    cleave_remap_report report = {0};
    opt.report = &report;
    REMAP_REFUSED("opt.report needs cleave_remap_report_init first");
}

static void refuse_old(void)
{
    static const int32_t part[] = {0, 0, 1, 2};
    cleave_mapping *good = old, *shorter = NULL, *wider = NULL;
    CHECK_OK(cleave_mapping_create(&shorter, 3, 2, part, &err));
    CHECK_OK(cleave_mapping_create(&wider, 4, 3, part, &err));
    old = shorter;
    REMAP_REFUSED("the old mapping has 3 vertices, but the graph has 4");
    old = wider;
    opt.from = two;
    REMAP_REFUSED("vertex 3 is on PE 2 of the old mapping, but the old machine has 2 PEs");
    old = good;
    cleave_mapping_free(shorter);
    cleave_mapping_free(wider);
}

static void remap(void)
{
    REFUSED(cleave_remap(NULL, g, old, two, NULL, e), "out is NULL");
    REFUSED_OUT(cleave_mapping, m, cleave_remap(&m, NULL, old, two, NULL, e),
                "the graph is NULL");
    REFUSED_OUT(cleave_mapping, m, cleave_remap(&m, g, NULL, two, NULL, e),
                "the old mapping is NULL");
    REFUSED_OUT(cleave_mapping, m, cleave_remap(&m, g, old, NULL, NULL, e),
                "the target is NULL");
    reset();
    refuse_options();
    refuse_old();
}

static const api_test functions[] = {{"cleave_remap", remap}, {NULL, NULL}};

const null_group null_remap = {.functions = functions, .make = make, .drop = drop};
