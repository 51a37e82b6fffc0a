/* SPDX-License-Identifier: Apache-2.0 */
/* target/pe_list.c - see target/pe_list.h. */
#include "target/pe_list.h"

#include <string.h>

#include "base/number.h"
#include "formats/grow.h"
#include "formats/name_table.h"
#include "target/node_list.h"

typedef struct pe_list {
    const clv_target *t;
    int32_t *pe; /* from clv_alloc */
    int64_t count, room;
    clv_name_table names; /* of all PEs, if a name had to be looked up */
    int32_t *named;       /* by number of a name: its first PE */
    int32_t known; /* number of PE names; higher numbers are unknown names in the list */
} pe_list;

static cleave_status add_pe(pe_list *l, int32_t pe, cleave_error *err)
{
    /* More than the target has: one is a duplicate, which is reported later. */
    if (l->count > l->t->npes)
        return CLEAVE_OK;
    if (l->count == l->room) {
        if (!clv_grow_i32(&l->pe, clv_next_room(l->room)))
            return clv_fail_memory(err);
        l->room = clv_next_room(l->room);
    }
    l->pe[l->count++] = pe;
    return CLEAVE_OK;
}

/* ---- Numbers ---------------------------------------------------------------------------- */

/* "4" or "5-7"; false: neither.  Numbers that do not fit become INT64_MAX. */
static bool read_range(const char *item, const char *end, int64_t range[2])
{
    bool overflow = false;
    if (item == end || *item < '0' || *item > '9')
        return false;
    const char *p = clv_parse_i64(item, end, &range[0], &overflow);
    range[1] = range[0];
    if (p == end)
        return true;
    if (*p++ != '-' || p == end || *p < '0' || *p > '9')
        return false;
    return clv_parse_i64(p, end, &range[1], &overflow) == end;
}

static cleave_status add_range(pe_list *l, const int64_t range[2], cleave_error *err)
{
    if (range[1] < range[0])
        return clv_fail(err, CLEAVE_EINVAL, "the range %lld-%lld of PEs runs backwards",
                        (long long)range[0], (long long)range[1]);
    if (range[1] >= l->t->npes)
        return clv_fail(err, CLEAVE_EINVAL,
                        "PE %lld of the list does not exist: the target has PEs 0 to %ld",
                        (long long)range[1], (long)l->t->npes - 1);
    if (range[1] - range[0] >= clv_most_tree_pes) /* before memory is allocated */
        return clv_fail(err, CLEAVE_ERANGE, "a list cannot have %lld PEs",
                        (long long)(range[1] - range[0] + 1));
    for (int64_t pe = range[0]; pe <= range[1]; pe++)
        CLV_TRY(add_pe(l, (int32_t)pe, err));
    return CLEAVE_OK;
}

/* ---- Names ------------------------------------------------------------------------------ */

static cleave_status index_names(pe_list *l, cleave_error *err)
{
    if (l->named)
        return CLEAVE_OK;
    l->named = clv_alloc(l->t->npes, sizeof *l->named);
    if (!l->named)
        return clv_fail_memory(err);
    for (int32_t pe = 0; pe < l->t->npes; pe++) {
        const char *name = l->t->name[pe];
        int32_t number;
        bool added;
        CLV_TRY(
            clv_name_table_add(&l->names, name, (int64_t)strlen(name), &number, &added, err));
        if (added)
            l->named[number] = pe;
    }
    l->known = l->names.count;
    return CLEAVE_OK;
}

/* *pe -1: no PE has that name. */
static cleave_status find_name(pe_list *l, const char *name, size_t length, int32_t *pe,
                               cleave_error *err)
{
    int32_t number;
    bool added;
    CLV_TRY(index_names(l, err));
    CLV_TRY(clv_name_table_add(&l->names, name, (int64_t)length, &number, &added, err));
    *pe = number < l->known ? l->named[number] : -1;
    return CLEAVE_OK;
}

static cleave_status add_name(pe_list *l, const char *name, size_t length, cleave_error *err)
{
    int32_t pe;
    CLV_TRY(find_name(l, name, length, &pe, err));
    if (pe < 0)
        return clv_fail(err, CLEAVE_EINVAL,
                        "no PE of the target is called \"" CLV_TARGET_SHOWN "\"",
                        CLV_TARGET_SHOW(name, length));
    return add_pe(l, pe, err);
}

/* Names with numbers in brackets. */
static cleave_status add_names(pe_list *l, const char *item, size_t length, cleave_error *err)
{
    clv_arena arena = {0};
    char **names = NULL;
    int32_t count = 0;
    cleave_status status = clv_node_list_expand(item, length, &names, &count, &arena, err);
    for (int32_t i = 0; i < count && status == CLEAVE_OK; i++)
        status = add_name(l, names[i], strlen(names[i]), err);
    clv_arena_free(&arena);
    return status;
}

/* ---- Items ------------------------------------------------------------------------------ */

static cleave_status add_item(pe_list *l, const char *item, size_t length, cleave_error *err)
{
    int64_t range[2];
    int32_t pe = -1;
    if (length == 0)
        return clv_fail(err, CLEAVE_EINVAL, "an item of the list of PEs is empty");
    bool numbers = read_range(item, item + length, range);
    if (numbers && l->t->name) /* names may look like numbers */
        CLV_TRY(find_name(l, item, length, &pe, err));
    if (pe >= 0)
        return add_pe(l, pe, err);
    if (numbers)
        return add_range(l, range, err);
    if (!l->t->name)
        return clv_fail(err, CLEAVE_EINVAL,
                        "\"" CLV_TARGET_SHOWN
                        "\" is not a list of PEs: numbers and ranges such as 0,4,5-7",
                        CLV_TARGET_SHOW(item, length));
    return memchr(item, '[', length) ? add_names(l, item, length, err)
                                     : add_name(l, item, length, err);
}

/* The position after the item at p: a comma outside all brackets, or the end. */
static const char *item_end(const char *p, const char *end)
{
    for (int64_t open = 0; p < end && (*p != ',' || open > 0); p++)
        open += (*p == '[') - (*p == ']');
    return p;
}

static cleave_status read_list(pe_list *l, const char *list, size_t length, cleave_error *err)
{
    const char *end = list + length;
    if (length == 0)
        return clv_fail(err, CLEAVE_EINVAL, "the list of PEs is empty");
    for (const char *p = list;; p++) {
        const char *next = item_end(p, end);
        CLV_TRY(add_item(l, p, (size_t)(next - p), err));
        if (next == end)
            return CLEAVE_OK;
        p = next;
    }
}

cleave_status clv_target_restrict(clv_target **out, clv_target *t, const char *list,
                                  size_t length, cleave_error *err)
{
    pe_list l = {.t = t};
    *out = NULL;
    cleave_status status = read_list(&l, list, length, err);
    if (status == CLEAVE_OK)
        status = clv_target_sub(out, t, (int32_t)(l.count < INT32_MAX ? l.count : INT32_MAX),
                                l.pe, err);
    else
        clv_target_free(t);
    clv_name_table_free(&l.names);
    clv_sys_free(l.named);
    clv_sys_free(l.pe);
    return status;
}
