/* SPDX-License-Identifier: Apache-2.0 */
/* api/run_team.c - cleave_team, and what the options and facts of all plans share.
 *
 * A solve takes from ten microseconds to a few milliseconds, and the next one usually follows
 * soon: waking a sleeping thread would cost as much again.  Members therefore spin for a while
 * after each call before they sleep. */
#include "api/run_team.h"

#include <string.h>

/* Long enough for what a solver does between two solves (a product with the matrix, a few dot
 * products), short enough that an idle program is idle. */
static const double patience = 100e-6;

cleave_status clv_run_team_create(cleave_team **out, int threads, bool insist,
                                  cleave_error *err)
{
    *out = NULL;
    cleave_team *team = clv_zalloc(1, sizeof *team);
    if (!team)
        return clv_fail_memory(err);
    team->turn = clv_lock_new();
    cleave_status status = team->turn ? CLEAVE_OK : clv_fail_memory(err);
    if (status == CLEAVE_OK && threads != 1)
        status = insist ? clv_team_create(&team->team, threads, err)
                        : clv_team_create_up_to(&team->team, threads, err);
    if (status != CLEAVE_OK) {
        cleave_team_free(team);
        return status;
    }
    clv_team_set_patience(team->team, patience);
    *out = team;
    return CLEAVE_OK;
}

cleave_status cleave_team_create(cleave_team **out, int threads, cleave_error *err)
{
    if (!out)
        return clv_fail(err, CLEAVE_EINVAL, "out is NULL");
    *out = NULL;
    if (threads < 0)
        return clv_fail(err, CLEAVE_EINVAL, "threads is %d", threads);
    if (threads == 0)
        return clv_run_team_create(out, clv_threads_available(), false, err);
    return clv_run_team_create(out, threads, true, err);
}

void cleave_team_free(cleave_team *team)
{
    if (!team)
        return;
    clv_team_free(team->team);
    clv_lock_free(team->turn);
    clv_sys_free(team);
}

int cleave_team_size(const cleave_team *team)
{
    return team ? clv_team_size(team->team) : 0;
}

void clv_run_team_call(cleave_team *team, int workers,
                       void (*work)(void *context, int member, int size), void *context)
{
    clv_lock_take(team->turn);
    clv_team_run(workers > 1 ? team->team : NULL, work, context);
    clv_lock_give(team->turn);
}

/* ---- Options and facts ----------------------------------------------------------------- */

void cleave_run_options_init(cleave_run_options *opt, size_t size)
{
    cleave_run_options defaults = {.split_rows = -1, .seed = 1};
    clv_sized_init(opt, size);
    clv_sized_write(opt, &defaults, sizeof defaults);
}

void cleave_run_info_init(cleave_run_info *info, size_t size)
{
    clv_sized_init(info, size);
}

cleave_status clv_run_options_take(cleave_run_options *out, const cleave_run_options *opt,
                                   cleave_error *err)
{
    enum { most_threads = 4096 };
    cleave_run_options_init(out, sizeof *out);
    if (opt)
        CLV_TRY(clv_sized_copy(out, sizeof *out, opt, "cleave_run_options", err));
    if (out->threads < 0 || out->threads > most_threads)
        return clv_fail(err, CLEAVE_EINVAL, "%d threads asked for; 0 to %d are possible",
                        out->threads, (int)most_threads);
    if (out->team && out->threads > cleave_team_size(out->team))
        return clv_fail(err, CLEAVE_EINVAL, "%d threads asked for, but the team has %d",
                        out->threads, cleave_team_size(out->team));
    if (out->expected_calls < 0)
        return clv_fail(err, CLEAVE_EINVAL, "expected_calls is %lld",
                        (long long)out->expected_calls);
    if (out->split_rows < -1 || out->split_rows > 1)
        return clv_fail(err, CLEAVE_EINVAL, "split_rows is %d, which is none of -1, 0, 1",
                        out->split_rows);
    return CLEAVE_OK;
}

int clv_run_threads(const cleave_run_options *opt)
{
    if (opt->threads > 0)
        return opt->threads;
    return opt->team ? cleave_team_size(opt->team) : clv_threads_available();
}

static const char *const sync_names[] = {"auto", "barrier", "p2p", "stale"};

cleave_status clv_run_find_sync(clv_sync *sync, const cleave_run_options *opt,
                                cleave_error *err)
{
    const char *name = opt->sync && *opt->sync ? opt->sync : "auto";
    for (int i = 0; i < 4; i++)
        if (strcmp(name, sync_names[i]) == 0) {
            *sync = (clv_sync)i;
            return CLEAVE_OK;
        }
    return clv_fail(err, CLEAVE_EINVAL,
                    "sync is \"%s\", which is none of auto, barrier, p2p, stale", name);
}

const char *clv_run_sync_name(clv_sync sync)
{
    return sync_names[sync];
}
