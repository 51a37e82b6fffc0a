/* SPDX-License-Identifier: Apache-2.0 */
/* api/team.c - cleave_team, the options and properties that all plans share, and the
 * memory bandwidth. */
#include "run/run_team.h"

#include "api/run_arguments.h"
#include "run/bandwidth.h"

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
    clv_run_team_free(team);
}

int cleave_team_size(const cleave_team *team)
{
    return team ? clv_run_team_size(team) : 0;
}

/* ---- Options and properties ------------------------------------------------------------ */

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
        return clv_fail(err, CLEAVE_EINVAL, "%d threads requested; 0 to %d are possible",
                        out->threads, (int)most_threads);
    if (out->team && out->threads > cleave_team_size(out->team))
        return clv_fail(err, CLEAVE_EINVAL, "%d threads requested, but the team has %d",
                        out->threads, cleave_team_size(out->team));
    if (out->expected_calls < 0)
        return clv_fail(err, CLEAVE_EINVAL, "expected_calls is %lld",
                        (long long)out->expected_calls);
    if (out->split_rows < -1 || out->split_rows > 1)
        return clv_fail(err, CLEAVE_EINVAL, "split_rows is %d; expected one of -1, 0, 1",
                        out->split_rows);
    return CLEAVE_OK;
}

cleave_status cleave_bandwidth_measure(double *bytes_per_second, int threads,
                                       cleave_error *err)
{
    if (!bytes_per_second)
        return clv_fail(err, CLEAVE_EINVAL, "bytes_per_second is NULL");
    return clv_bandwidth_measure(bytes_per_second, threads, err);
}
