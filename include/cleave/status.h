/* SPDX-License-Identifier: Apache-2.0 */
/* cleave/status.h - status codes and messages, versions and progress.
 *
 * Every function that can fail returns a cleave_status and writes a message to its last
 * argument:
 *
 *     if (status != CLEAVE_OK)
 *         fprintf(stderr, "%s: %s\n", cleave_status_name(status), err.message);
 */
#ifndef CLEAVE_STATUS_H
#define CLEAVE_STATUS_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) || defined(__clang__)
#define CLEAVE_API __attribute__((visibility("default")))
#else
#define CLEAVE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Status and messages -------------------------------------------------------------- */

/* One list makes the enum, cleave_status_name and cleave_status_text. */
#define CLEAVE_STATUS_LIST(X)                                                                 \
    X(CLEAVE_OK, 0, "success")                                                                \
    X(CLEAVE_EINVAL, -1, "an argument or an option is out of range")                          \
    X(CLEAVE_ENOMEM, -2, "out of memory")                                                     \
    X(CLEAVE_EIO, -3, "cannot open, read or write")                                           \
    X(CLEAVE_EPARSE, -4, "the input is not what its format demands")                          \
    X(CLEAVE_ERANGE, -5, "a size or a sum of weights does not fit")                           \
    X(CLEAVE_ECYCLE, -6, "a DAG was promised but the graph has a cycle")                      \
    X(CLEAVE_ECANCEL, -7, "stopped by the progress callback")                                 \
    X(CLEAVE_EBALANCE, -8, "no mapping within the balance bound exists or was found")

typedef enum cleave_status {
#define CLEAVE_STATUS_ENUM(name, value, text) name = value,
    CLEAVE_STATUS_LIST(CLEAVE_STATUS_ENUM)
#undef CLEAVE_STATUS_ENUM
        CLEAVE_STATUS_FORCE_INT = 0x7fffffff /* not a status: fixes the width */
} cleave_status;

typedef struct cleave_error {
    cleave_status status;
    char message[252]; /* one sentence; for EPARSE it starts with path:line: */
} cleave_error;

CLEAVE_API const char *cleave_status_name(cleave_status status); /* "CLEAVE_EINVAL" */
CLEAVE_API const char *cleave_status_text(cleave_status status); /* "an argument ..." */

/* ---- Versions ------------------------------------------------------------------------- */

/* Of the headers. */
#define CLEAVE_VERSION_MAJOR 0
#define CLEAVE_VERSION_MINOR 1
#define CLEAVE_VERSION_PATCH 0
#define CLEAVE_VERSION "0.1.0"

CLEAVE_API const char *cleave_version(void);  /* of the library: "0.1.0" */
CLEAVE_API const char *cleave_features(void); /* compiled in: "threads zlib" */

/* ---- Progress ------------------------------------------------------------------------- */

/* Progress of a call, reported on the calling thread: once at the beginning, then at most ten
 * times a second. */
typedef struct cleave_progress {
    size_t size;
    const char *phase; /* "reading", "coarsening", ... */
    int64_t done;      /* units of work completed */
    int64_t total;     /* units of work in total; 0 when unknown */
    int32_t level;     /* of the multilevel hierarchy, 0 the finest; -1 when there is none */
    int64_t cut;       /* of the best mapping so far; -1 when unknown */
} cleave_progress;

/* Returns nonzero to stop the call, which then returns CLEAVE_ECANCEL. */
typedef int (*cleave_progress_fn)(void *payload, const cleave_progress *now);

#ifdef __cplusplus
}
#endif

#endif
