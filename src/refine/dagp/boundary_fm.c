/* SPDX-License-Identifier: Apache-2.0 */
/* refine/dagp/boundary_fm.c - see refine/dagp/boundary_fm.h. */
#include "refine/dagp/boundary_fm.h"

#include "refine/balance/acyclic_balance.h"
#include "refine/fm/acyclic_fm.h"

enum { most_passes = 10, least_patience = 20 };

cleave_status clv_dagp_boundary_fm(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    int32_t quarter = s->g->nvtx / 4;
    clv_acyclic_fm_params params = {.passes = most_passes, .patience = quarter};
    if (quarter < least_patience)
        params.patience = least_patience;
    CLV_TRY(clv_acyclic_balance(s, ctx, err));
    return clv_context_stop(ctx) ? CLEAVE_OK : clv_acyclic_fm(s, &params, ctx, err);
}
