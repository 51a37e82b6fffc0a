/* SPDX-License-Identifier: Apache-2.0 */
/* Evidence files.  First character: the number of variables. */
#include <stdio.h>

#include "fuzz/fuzz_common.h"

FUZZ_TARGET(evidence)
{
    cleave_error err = {.status = CLEAVE_OK};
    cleave_evidence *e;
    int32_t variables = 1 + fuzz_choose(in, 0, 40);
    const char *path = fuzz_file("in.evidence", in->bytes, in->size);
    cleave_status status = cleave_evidence_read(&e, path, variables, &err);
    if (status != CLEAVE_OK) {
        fuzz_check_refusal(status, &err, e, path);
        return;
    }
    int64_t count = cleave_evidence_count(e);
    FUZZ_CHECK(count >= 0 && (size_t)(count * variables) <= in->size);
    for (int64_t i = 0; i < count * variables; i++)
        FUZZ_CHECK(cleave_evidence_view(e)[i] >= -1 && cleave_evidence_view(e)[i] <= 1);
    cleave_evidence_free(e);
}
