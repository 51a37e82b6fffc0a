/* SPDX-License-Identifier: Apache-2.0 */
/* target/target.h - where it is computed: processing elements (PEs) with speeds.
 *
 * A target never changes once made.  Speeds are relative; a PE of speed 0 is there to stay
 * empty.  Every PE is at the same distance from every other. */
#ifndef CLV_TARGET_TARGET_H
#define CLV_TARGET_TARGET_H

#include "base/mem.h"

typedef struct cleave_target clv_target;
struct cleave_target {
    int32_t npes;        /* >= 1 */
    bool equal;          /* all speeds are the same */
    const double *speed; /* npes, finite, >= 0, at least one above 0; NULL: all 1 */
};

/* speeds NULL: equal; else copied.  CLEAVE_EINVAL names the speed that is wrong. */
cleave_status clv_target_new(clv_target **out, int32_t npes, const double *speeds,
                             cleave_error *err);
/* target_text.c: the text forms of cleave_target_parse.  O(length). */
cleave_status clv_target_parse(clv_target **out, const char *text, cleave_error *err);
void clv_target_free(clv_target *t);

/* The relative sizes of the parts; NULL: all the same. */
static inline const double *clv_target_shares(const clv_target *t)
{
    return t->equal ? NULL : t->speed;
}

#endif
