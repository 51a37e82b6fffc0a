/* SPDX-License-Identifier: Apache-2.0 */
/* target/this_machine.c - see target/this_machine.h. */
#include "target/this_machine.h"

#include <sched.h>
#include <string.h>

#include "base/threads.h"
#include "target/hwloc_target.h"
#include "target/sysfs_machine.h"
#include "target/target_forms.h"

/* The CPUs that this process may use, if the system reports them. */
static bool find_usable(bool usable[CLV_MOST_CPUS])
{
#ifdef CPU_COUNT_S
    cpu_set_t mask[CLV_MOST_CPUS / CPU_SETSIZE];
    if (sched_getaffinity(0, sizeof mask, mask) == 0) {
        for (int32_t cpu = 0; cpu < CLV_MOST_CPUS; cpu++)
            usable[cpu] = CPU_ISSET_S((size_t)cpu, sizeof mask, mask);
        return true;
    }
#endif
    (void)usable;
    return false;
}

static cleave_status make_flat(clv_target **out, const bool *usable, cleave_error *err)
{
    CLV_TRY(clv_target_new(out, clv_processors(), NULL, err));
    int32_t count = (*out)->npes, found = 0;
    clv_seat *seat = clv_arena_alloc(&(*out)->arena, count, sizeof *seat);
    if (!seat) {
        clv_target_free(*out);
        *out = NULL;
        return clv_fail_memory(err);
    }
    for (int32_t i = 0; i < count; i++)
        seat[i] = (clv_seat){0, i, i};
    for (int32_t cpu = 0; cpu < CLV_MOST_CPUS && found < count; cpu++)
        if (usable[cpu])
            seat[found++].cpu = cpu;
    (*out)->seat = seat;
    (*out)->per_node = INT32_MAX;
    return CLEAVE_OK;
}

#if defined CLEAVE_HAVE_HWLOC && !defined __linux__

static cleave_status make_elsewhere(clv_target **out, const bool *usable, bool pu,
                                    cleave_error *err)
{
    (void)usable;
    return clv_target_hwloc_machine(out, pu, err);
}

#else

static cleave_status make_elsewhere(clv_target **out, const bool *usable, bool pu,
                                    cleave_error *err)
{
    (void)pu;
    return make_flat(out, usable, err);
}

#endif

static cleave_status make(clv_target **out, bool pu, clv_ws *ws, cleave_error *err)
{
    clv_hardware h = {0};
    bool *usable = clv_ws_zalloc(ws, CLV_MOST_CPUS, sizeof *usable);
    if (!usable)
        return clv_fail_memory(err);
    if (find_usable(usable))
        CLV_TRY(clv_sysfs_machine(&h, "", usable, ws, err));
    return h.count > 0 ? clv_target_hardware(out, &h, pu, err)
                       : make_elsewhere(out, usable, pu, err);
}

cleave_status clv_target_this_machine(clv_target **out, bool pu, cleave_error *err)
{
    clv_ws ws = {0};
    *out = NULL;
    cleave_status status = make(out, pu, &ws, err);
    clv_ws_free(&ws);
    return status;
}

static cleave_status parse_machine(clv_target **out, const char *text, cleave_error *err)
{
    if (*text && strcmp(text, ":pu") != 0)
        return clv_fail(err, CLEAVE_EINVAL,
                        "\"machine" CLV_TARGET_SHOWN
                        "\" is not a target: write machine (its cores) or machine:pu (its "
                        "hardware threads)",
                        CLV_TARGET_SHOW(text, strlen(text)));
    return clv_target_this_machine(out, *text != 0, err);
}

const clv_target_form clv_target_form_machine = {
    .prefix = "machine",
    .example = "machine",
    .description = "the cores that this process may use; machine:pu: their hardware threads",
    .parse = parse_machine,
};
