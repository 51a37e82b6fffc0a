/* SPDX-License-Identifier: Apache-2.0 */
/* api/version.c - what this library is. */
#include "cleave/cleave.h"

const char *cleave_version(void)
{
    return CLEAVE_VERSION;
}

const char *cleave_features(void)
{
    return "threads"
#ifdef CLEAVE_HAVE_ZLIB
           " zlib"
#endif
#ifdef CLEAVE_HAVE_JANSSON
           " jansson"
#endif
#ifdef CLEAVE_HAVE_HWLOC
           " hwloc"
#endif
        ;
}
