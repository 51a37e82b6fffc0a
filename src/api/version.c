/* SPDX-License-Identifier: Apache-2.0 */
/* api/version.c - the version and build of this library. */
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
