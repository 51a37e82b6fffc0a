/* SPDX-License-Identifier: Apache-2.0 */
/* formats/name_table.h - a set of names, numbered in order of first appearance.
 *
 * The texts are stored one after the other, each zero-terminated, as clv_names requires. */
#ifndef CLV_FORMATS_NAME_TABLE_H
#define CLV_FORMATS_NAME_TABLE_H

#include "base/mem.h"

typedef struct clv_name_table { /* zero-initialise: an empty table */
    int32_t count;
    int64_t *offset; /* count + 1 offsets into text; NULL while empty */
    char *text;
    int32_t space;      /* capacity of offset, in names */
    int64_t text_space; /* capacity of text, in bytes */
    struct clv_name_slot *slots;
    int64_t nslots; /* 0 or a power of two */
    uint64_t seed;
} clv_name_table;

/* *number becomes the number of the name; *added: the name is new.  The name is not
 * zero-terminated.  CLEAVE_ENOMEM, or CLEAVE_ERANGE for more than 2^31-2 names. */
cleave_status clv_name_table_add(clv_name_table *table, const char *name, int64_t length,
                                 int32_t *number, bool *added, cleave_error *err);
static inline const char *clv_name_table_name(const clv_name_table *table, int32_t number)
{
    return table->text + table->offset[number];
}
/* Frees what only clv_name_table_add needs; the names stay. */
void clv_name_table_freeze(clv_name_table *table);
void clv_name_table_free(clv_name_table *table);

#endif
