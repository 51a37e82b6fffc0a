/* SPDX-License-Identifier: Apache-2.0 */
/* formats/name_table.c - a set of names in an open-addressing hash table.
 *
 * Linear probing with a load factor of at most one half.  A file could be constructed whose
 * names all collide under a fixed hash function: after a probe sequence that is far longer
 * than expected, the table is rebuilt with another seed.  It is infeasible to find names that
 * collide under several seeds. */
#include "formats/name_table.h"

#include <string.h>

#include "base/rng.h"

enum { longest_run = 256, most_seeds = 16 };

/* begin repeats the offset of the text: one cache miss less per lookup. */
typedef struct clv_name_slot {
    uint32_t hash;
    int32_t number; /* -1: empty */
    int64_t begin;
} clv_name_slot;

static uint64_t hash_name(uint64_t seed, const char *name, int64_t length)
{
    uint64_t h = clv_hash64(seed ^ (uint64_t)length << 32), word;
    for (; length > 8; length -= 8, name += 8) {
        memcpy(&word, name, 8);
        h = clv_hash64(h ^ word);
    }
    word = 0;
    memcpy(&word, name, (size_t)length);
    return clv_hash64(h ^ word);
}

/* The slot of the name, or the empty slot where it would go; *run: slots probed. */
static clv_name_slot *find_slot(const clv_name_table *table, uint64_t hash, const char *name,
                                int64_t length, int *run)
{
    uint64_t mask = (uint64_t)table->nslots - 1;
    *run = 0;
    for (uint64_t i = hash & mask;; i = (i + 1) & mask) {
        clv_name_slot *slot = &table->slots[i];
        if (slot->number < 0)
            return slot;
        if (slot->hash == (uint32_t)(hash >> 32)) {
            const char *text = table->text + slot->begin;
            if (strncmp(text, name, (size_t)length) == 0 && text[length] == '\0')
                return slot;
        }
        *run += *run < longest_run;
    }
}

/* Rehashes all names into nslots slots. */
static bool rebuild(clv_name_table *table, int64_t nslots)
{
    clv_name_slot *slots = clv_alloc(nslots, sizeof *slots);
    if (!slots)
        return false;
    for (int64_t i = 0; i < nslots; i++)
        slots[i].number = -1;
    clv_sys_free(table->slots);
    table->slots = slots;
    table->nslots = nslots;
    uint64_t mask = (uint64_t)nslots - 1;
    for (int32_t n = 0; n < table->count; n++) {
        int64_t begin = table->offset[n], length = table->offset[n + 1] - begin - 1;
        uint64_t hash = hash_name(table->seed, table->text + begin, length);
        uint64_t i = hash & mask;
        while (slots[i].number >= 0)
            i = (i + 1) & mask;
        slots[i] = (clv_name_slot){(uint32_t)(hash >> 32), n, begin};
    }
    return true;
}

/* Makes room for one more name of this length. */
static bool reserve(clv_name_table *table, int64_t length)
{
    if (table->count + 1 >= table->space) {
        int64_t space =
            table->space < INT32_MAX / 2 ? 2 * (int64_t)table->space + 64 : INT32_MAX;
        int64_t *offset = clv_realloc(table->offset, space, sizeof *offset);
        if (!offset)
            return false;
        offset[table->count] = table->count ? offset[table->count] : 0;
        table->offset = offset;
        table->space = (int32_t)space;
    }
    int64_t needed = table->offset[table->count] + length + 1;
    if (needed > table->text_space) {
        char *text = clv_realloc(table->text, 2 * needed + 256, 1);
        if (!text)
            return false;
        table->text = text;
        table->text_space = 2 * needed + 256;
    }
    return 2 * (int64_t)table->count + 2 <= table->nslots ||
           rebuild(table, table->nslots ? 2 * table->nslots : 128);
}

cleave_status clv_name_table_add(clv_name_table *table, const char *name, int64_t length,
                                 int32_t *number, bool *added, cleave_error *err)
{
    if (table->count >= INT32_MAX - 1)
        return clv_fail(err, CLEAVE_ERANGE, "there are more than 2147483646 names");
    if (!reserve(table, length))
        return clv_fail_memory(err);
    int run;
    uint64_t hash = hash_name(table->seed, name, length);
    clv_name_slot *slot = find_slot(table, hash, name, length, &run);
    while (run >= longest_run && table->seed < most_seeds) {
        table->seed++;
        if (!rebuild(table, table->nslots))
            return clv_fail_memory(err);
        hash = hash_name(table->seed, name, length);
        slot = find_slot(table, hash, name, length, &run);
    }
    *added = slot->number < 0;
    if (*added) {
        int64_t begin = table->offset[table->count];
        memcpy(table->text + begin, name, (size_t)length);
        table->text[begin + length] = '\0';
        *slot = (clv_name_slot){(uint32_t)(hash >> 32), table->count++, begin};
        table->offset[table->count] = begin + length + 1;
    }
    *number = slot->number;
    return CLEAVE_OK;
}

void clv_name_table_freeze(clv_name_table *table)
{
    clv_sys_free(table->slots);
    table->slots = NULL;
    table->nslots = 0;
}

void clv_name_table_free(clv_name_table *table)
{
    clv_sys_free(table->slots);
    clv_sys_free(table->offset);
    clv_sys_free(table->text);
    memset(table, 0, sizeof *table);
}
