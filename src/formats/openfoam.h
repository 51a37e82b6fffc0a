/* SPDX-License-Identifier: Apache-2.0 */
/* formats/openfoam.h - partitions in the form that OpenFOAM's method manual reads. */
#ifndef CLV_FORMATS_OPENFOAM_H
#define CLV_FORMATS_OPENFOAM_H

#include "formats/formats.h"
#include "formats/text.h"

/* Is the file name cellDecomposition, the default of OpenFOAM? */
bool clv_path_is_openfoam(const char *path);
void clv_openfoam_put(clv_output *out, int32_t count, const int32_t *part);
/* The text before and after the values. */
void clv_openfoam_put_begin(clv_output *out, int64_t count);
void clv_openfoam_put_end(clv_output *out);

/* ---- Reading (openfoam_read.c) -------------------------------------------------------- */

/* Is this the start of an OpenFOAM file: a comment or the word FoamFile?  No other partition
 * format starts like that. */
bool clv_openfoam_looks_like(const char *bytes, size_t count);
/* Reads up to the first value of the list. uniform: one value applies to all. */
cleave_status clv_openfoam_begin(clv_text *text, int64_t *count, bool *uniform);
/* The next value, or the end of the list. */
cleave_status clv_openfoam_next(clv_text *text, int64_t *value, bool *ends);

#endif
