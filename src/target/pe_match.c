/* SPDX-License-Identifier: Apache-2.0 */
/* target/pe_match.c - see target/pe_match.h. */
#include "target/pe_match.h"

#include <stdio.h>
#include <string.h>

#include "formats/name_table.h"

/* PEs of the new machine by name: those with the same name in a chain, lowest number first. */
typedef struct named_pes {
    clv_name_table names;
    int32_t known;         /* names of the new machine; higher numbers are names of the old one
                              only */
    int32_t *first, *next; /* by number of a name; by PE.  -1: no more */
} named_pes;

/* The name of a PE; t NULL: its number.  Numbers are written into text. */
static const char *name_of(const clv_target *t, int32_t pe, char text[16])
{
    if (t && t->name)
        return t->name[pe];
    snprintf(text, 16, "%ld", (long)(t && t->number ? t->number[pe] : pe));
    return text;
}

static cleave_status number_of(named_pes *pes, const clv_target *t, int32_t pe,
                               int32_t *number, cleave_error *err)
{
    char text[16];
    bool added;
    const char *name = name_of(t, pe, text);
    return clv_name_table_add(&pes->names, name, (int64_t)strlen(name), number, &added, err);
}

/* In reverse, so that chains start with the lowest number. */
static cleave_status enter_all(named_pes *pes, const clv_target *now, clv_ws *ws,
                               cleave_error *err)
{
    pes->first = clv_ws_alloc(ws, now->npes, sizeof *pes->first);
    pes->next = clv_ws_alloc(ws, now->npes, sizeof *pes->next);
    if (!pes->first || !pes->next)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < now->npes; i++)
        pes->first[i] = -1;
    for (int32_t pe = now->npes; pe-- > 0;) {
        int32_t number;
        CLV_TRY(number_of(pes, now, pe, &number, err));
        pes->next[pe] = pes->first[number];
        pes->first[number] = pe;
    }
    pes->known = pes->names.count;
    return CLEAVE_OK;
}

static cleave_status look_up_all(named_pes *pes, const clv_target *before, int32_t count,
                                 const int32_t *old, int32_t *match, cleave_error *err)
{
    for (int32_t i = 0; i < count; i++) {
        int32_t number;
        CLV_TRY(number_of(pes, before, old[i], &number, err));
        match[i] = number < pes->known ? pes->first[number] : -1;
        if (match[i] >= 0)
            pes->first[number] = pes->next[match[i]];
    }
    return CLEAVE_OK;
}

/* A machine whose PEs have the names 0, 1, 2, ... */
static bool is_numbered(const clv_target *t)
{
    return !t || (!t->name && !t->number);
}

cleave_status clv_pe_match(const clv_target *before, int32_t count, const int32_t *old,
                           const clv_target *now, int32_t *match, cleave_error *err)
{
    if (is_numbered(before) && is_numbered(now)) {
        for (int32_t i = 0; i < count; i++)
            match[i] = old[i] < now->npes ? old[i] : -1;
        return CLEAVE_OK;
    }
    named_pes pes = {0};
    clv_ws ws = {0};
    cleave_status status = enter_all(&pes, now, &ws, err);
    if (status == CLEAVE_OK)
        status = look_up_all(&pes, before, count, old, match, err);
    clv_name_table_free(&pes.names);
    clv_ws_free(&ws);
    return status;
}
