/* SPDX-License-Identifier: Apache-2.0 */
/* tests/api/null_call.h - helpers of test_null_api.c and its parts, null_*.c, that check that
 * invalid arguments are rejected. */
#ifndef CLV_TESTS_NULL_CALL_H
#define CLV_TESTS_NULL_CALL_H

#include "api/api_support.h"
#include "support/test.h"

typedef struct null_group {
    const api_test *functions;         /* that can fail */
    void (*make)(void), (*drop)(void); /* objects, before and after each test; NULL: none */
    void (*silent)(void);              /* tests those that cannot fail; NULL: none */
} null_group;

extern const null_group null_circuit, null_map, null_matrix, null_order, null_remap, null_run,
    null_schedule, null_target, null_tasks, null_view;

/* Made once: a grid of 2 x 2 and the same as a DAG, with coordinates and two weights, a
 * mapping of 4 vertices to 2 parts, and one of 3. */
extern cleave_graph *null_grid, *null_dag;
extern cleave_mapping *null_mapping, *null_shorter;

/* What *out holds, to be cleared by the call. */
extern int64_t null_poison;
#define POISON(type) ((type *)&null_poison)

/* The call, whose last argument is e, fails with a message, and fails in the same way without
 * a place for the sentence; a cleave_error err is in scope. */
#define REFUSED(call, text)                                                                   \
    do {                                                                                      \
        cleave_error *e = &err;                                                               \
        memset(&err, 0, sizeof err);                                                          \
        CHECK_EQ(call, CLEAVE_EINVAL);                                                        \
        CHECK_EQ(err.status, CLEAVE_EINVAL);                                                  \
        CHECK_STR(err.message, text);                                                         \
        e = NULL;                                                                             \
        CHECK_EQ(call, CLEAVE_EINVAL);                                                        \
    } while (0)
#define REFUSED_OUT(type, out, call, text)                                                    \
    do {                                                                                      \
        (out) = POISON(type);                                                                 \
        REFUSED(call, text);                                                                  \
        CHECK((out) == NULL);                                                                 \
    } while (0)
/* The same for one bad option in opt, which starts as init leaves it. */
#define REFUSED_OPTION(type, out, init, field, value, call, text)                             \
    do {                                                                                      \
        init(&opt, sizeof opt);                                                               \
        opt.field = (value);                                                                  \
        REFUSED_OUT(type, out, call, text);                                                   \
    } while (0)

/* Of a function (type **out, const char *path, ...); then the arguments after the path. */
#define REFUSED_READ(type, function, ...)                                                     \
    do {                                                                                      \
        type *out_;                                                                           \
        REFUSED(function(NULL, "x", __VA_ARGS__), "out is NULL");                             \
        REFUSED_OUT(type, out_, function(&out_, NULL, __VA_ARGS__), "path is NULL");          \
    } while (0)
/* Of a function (object, const char *path, error). */
#define REFUSED_WRITE(function, object, name)                                                 \
    do {                                                                                      \
        REFUSED(function(NULL, "x", e), name " is NULL");                                     \
        REFUSED(function(object, NULL, e), "path is NULL");                                   \
    } while (0)
/* Of a function (type **out, graph, mapping, error). */
#define REFUSED_QUOTIENT(type, function)                                                      \
    do {                                                                                      \
        type *out_;                                                                           \
        REFUSED(function(NULL, null_dag, null_mapping, e), "out is NULL");                    \
        REFUSED_OUT(type, out_, function(&out_, NULL, null_mapping, e), "the graph is NULL"); \
        REFUSED_OUT(type, out_, function(&out_, null_dag, NULL, e), "the mapping is NULL");   \
        REFUSED_OUT(type, out_, function(&out_, null_dag, null_shorter, e),                   \
                    "the mapping is of 3 vertices, but the graph has 4");                     \
    } while (0)

#endif
