/* SPDX-License-Identifier: Apache-2.0 */
/* target/pe_match.h - matches the PEs of a changed machine to those of the old one. */
#ifndef CLV_TARGET_PE_MATCH_H
#define CLV_TARGET_PE_MATCH_H

#include "target/target.h"

/* match[i] becomes the PE of `now` that corresponds to PE old[i] of `before`, -1: there is
 * none.  PEs with the same name correspond; PEs without names have their numbers in the whole
 * machine as names.  Several PEs with one name are matched in the order of their numbers.
 * before NULL: PEs of the old machine have only numbers. old ascends strictly, each >= 0 and,
 * with before, below its npes.  O(count + npes), nearly linear in the length of the names. */
cleave_status clv_pe_match(const clv_target *before, int32_t count, const int32_t *old,
                           const clv_target *now, int32_t *match, cleave_error *err);

#endif
