/* SPDX-License-Identifier: Apache-2.0 */
/* target/target_forms.h - the text forms of targets, such as mesh:4x2, one row each.
 *
 * A row is in the file of its shape; CLV_TARGET_FORMS lists the rows.  Parsing, the message
 * about an unknown form and `cleave help targets` use only this list. */
#ifndef CLV_TARGET_TARGET_FORMS_H
#define CLV_TARGET_TARGET_FORMS_H

#include "target/target.h"

typedef struct clv_target_form {
    const char *prefix;      /* "mesh:"; a prefix of no other form.  "": numbers alone */
    const char *example;     /* "mesh:4x2" */
    const char *description; /* one line for help */
    bool file;               /* what follows the prefix is, or may be, the path of a file */
    /* text: what follows the prefix.  *out is NULL on failure. */
    cleave_status (*parse)(clv_target **out, const char *text, cleave_error *err);
} clv_target_form;

/* In the order of help. */
#define CLV_TARGET_FORMS(FORM)                                                                \
    FORM(count)                                                                               \
    FORM(speeds)                                                                              \
    FORM(hypercube)                                                                           \
    FORM(mesh)                                                                                \
    FORM(torus)                                                                               \
    FORM(tree)                                                                                \
    FORM(graph)                                                                               \
    FORM(scotch)                                                                              \
    FORM(machine)                                                                             \
    FORM(hwloc)                                                                               \
    FORM(slurm)

#define CLV_DECLARE_TARGET_FORM(name) extern const clv_target_form clv_target_form_##name;
CLV_TARGET_FORMS(CLV_DECLARE_TARGET_FORM)
#undef CLV_DECLARE_TARGET_FORM

/* The i-th form; NULL: i is out of range. */
const clv_target_form *clv_target_form_at(int i);

/* ---- For the parsers of forms ----------------------------------------------------------- */

enum { clv_most_target_numbers = 64 }; /* sides of a mesh, levels of a tree */

typedef struct clv_target_numbers {
    int32_t count;
    int32_t number[clv_most_target_numbers];
} clv_target_numbers;

/* How numbers are written, such as "4x2". */
typedef struct clv_number_form {
    char separator;
    int32_t low;         /* each is low .. 2^31-1 */
    const char *what;    /* in messages: "the sides of a mesh" */
    const char *example; /* in messages: "mesh:4x2" */
} clv_number_form;

cleave_status clv_target_parse_numbers(clv_target_numbers *out, const char *text,
                                       size_t length, const clv_number_form *form,
                                       cleave_error *err);

/* Strict: no blanks, no signs. */
static inline bool clv_target_starts_number(const char *p)
{
    return (*p >= '0' && *p <= '9') || *p == '.';
}

#endif
