/* SPDX-License-Identifier: Apache-2.0 */
/* formats/evidence_file.h - evidence on the variables of a circuit, and the results. */
#ifndef CLV_FORMATS_EVIDENCE_FILE_H
#define CLV_FORMATS_EVIDENCE_FILE_H

#include "base/mem.h"

struct cleave_evidence {
    int64_t count; /* instances */
    int8_t *value; /* count * variables; from clv_alloc */
};

/* *out: freed by clv_evidence_free; NULL on failure. */
cleave_status clv_evidence_read(cleave_evidence **out, const char *path, int32_t variables,
                                cleave_error *err);
void clv_evidence_free(cleave_evidence *e);
cleave_status clv_results_write(const char *path, int64_t count, const double *result,
                                cleave_error *err);

#endif
