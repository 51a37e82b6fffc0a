/* SPDX-License-Identifier: Apache-2.0 */
/* formats/wfcommons.h - writing WfFormat; unlike reading, it needs no JSON library. */
#ifndef CLV_FORMATS_WFCOMMONS_H
#define CLV_FORMATS_WFCOMMONS_H

#include "formats/formats.h"

/* As clv_format.write. */
cleave_status clv_wfcommons_write(const clv_graph *g, clv_output *out, const int32_t *part,
                                  cleave_error *err);

#endif
