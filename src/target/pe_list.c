/* SPDX-License-Identifier: Apache-2.0 */
/* target/pe_list.c - see target/pe_list.h. */
#include "target/pe_list.h"

cleave_status clv_target_restrict(clv_target **out, clv_target *t, const char *list,
                                  size_t length, cleave_error *err)
{
    (void)list;
    (void)length;
    *out = NULL;
    clv_target_free(t);
    return clv_fail(err, CLEAVE_EINVAL, "lists of PEs are not supported by this build");
}
