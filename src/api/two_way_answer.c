/* SPDX-License-Identifier: Apache-2.0 */
/* api/two_way_answer.c - parses the output of a solver of the two-way model. */
#include <string.h>

#include "schedule/two_way.h"

cleave_status cleave_two_way_answer(int32_t *part, int32_t count, const char *text,
                                    int *proved, cleave_error *err)
{
    bool best = false;
    if (proved)
        *proved = 0;
    if (!part || !text)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", part ? "text" : "part");
    if (count < 0)
        return clv_fail(err, CLEAVE_EINVAL, "count is %d", (int)count);
    CLV_TRY(clv_two_way_answer(text, (int64_t)strlen(text), count, part, &best, err));
    if (proved)
        *proved = best;
    return CLEAVE_OK;
}
