/* SPDX-License-Identifier: Apache-2.0 */
/* target/scotch_deco.c - reading deco 0 and deco 1: see target/scotch_deco.h.
 *
 * Labels are what Scotch writes into mappings.  Unless they are 0..n-1, PEs are numbered by
 * ascending label, and the labels become their names. */
#include "target/scotch_deco.h"

#include <stdio.h>

#include "base/sort.h"
#include "formats/grow.h"
#include "target/deco.h"

typedef struct deco_reader {
    clv_text *text;
    int64_t npes, domains; /* as in the header; domains: the largest number */
    int64_t count, room;   /* terminals so far */
    int64_t *label;        /* by terminal, in the order of the file */
    int64_t *domain;
    int32_t *weight;
    int32_t *pe;       /* by terminal */
    int32_t *terminal; /* deco 1, by domain - 1: its terminal, or -1 */
    int64_t known, terminal_room;
    int32_t *far; /* distances of the terminals below the diagonal, row by row */
    int64_t pairs, pair_room;
} deco_reader;

static cleave_status add_terminal(deco_reader *r, int64_t label, int64_t weight,
                                  int64_t domain)
{
    if (r->count == r->room) {
        int64_t room = clv_next_room(r->room);
        if (!clv_grow_i64(&r->label, room) || !clv_grow_i64(&r->domain, room) ||
            !clv_grow_i32(&r->weight, room))
            return clv_fail_memory(r->text->err);
        r->room = room;
    }
    r->label[r->count] = label;
    r->weight[r->count] = (int32_t)weight;
    r->domain[r->count++] = domain;
    return CLEAVE_OK;
}

static cleave_status read_distance(deco_reader *r, bool keep)
{
    int64_t value;
    CLV_TRY(clv_text_next_i64(r->text, 0, INT32_MAX, "a distance", &value));
    if (!keep)
        return CLEAVE_OK;
    if (r->pairs == r->pair_room) {
        int64_t room = clv_next_room(r->pair_room);
        if (!clv_grow_i32(&r->far, room))
            return clv_fail_memory(r->text->err);
        r->pair_room = room;
    }
    r->far[r->pairs++] = (int32_t)value;
    return CLEAVE_OK;
}

static cleave_status read_kind_0(deco_reader *r)
{
    for (int64_t i = 0; i < r->npes; i++) {
        int64_t label, weight, domain;
        CLV_TRY(clv_text_next_i64(r->text, 0, INT32_MAX, "the label of a PE", &label));
        CLV_TRY(clv_text_next_i64(r->text, 0, INT32_MAX, "the weight of a PE", &weight));
        CLV_TRY(clv_text_next_i64(r->text, 1, r->domains, "the domain of a PE", &domain));
        CLV_TRY(add_terminal(r, label, weight, domain));
    }
    for (int64_t i = 0; i < r->npes * (r->npes - 1) / 2; i++)
        CLV_TRY(read_distance(r, true));
    return CLEAVE_OK;
}

static cleave_status add_domain(deco_reader *r, int64_t domain)
{
    int64_t label, size, weight;
    CLV_TRY(clv_text_next_i64(r->text, -1, INT32_MAX, "the label of a domain", &label));
    CLV_TRY(clv_text_next_i64(r->text, 0, r->npes, "the size of a domain", &size));
    CLV_TRY(clv_text_next_i64(r->text, 0, INT32_MAX, "the weight of a domain", &weight));
    if (r->known == r->terminal_room) {
        int64_t room = clv_next_room(r->terminal_room);
        if (!clv_grow_i32(&r->terminal, room))
            return clv_fail_memory(r->text->err);
        r->terminal_room = room;
    }
    r->terminal[r->known++] = size == 1 ? (int32_t)r->count : -1;
    if (size != 1)
        return CLEAVE_OK;
    if (label < 0)
        return clv_text_fail(r->text, "domain %lld is a PE without a label",
                             (long long)domain);
    if (r->count == r->npes)
        return clv_text_fail(r->text, "there are more domains of one PE than the %lld PEs",
                             (long long)r->npes);
    return add_terminal(r, label, weight, domain);
}

static cleave_status read_kind_1(deco_reader *r)
{
    for (int64_t domain = 1; domain <= r->domains; domain++)
        CLV_TRY(add_domain(r, domain));
    if (r->count < r->npes)
        return clv_text_fail(r->text, "there are %lld domains of one PE, but %lld PEs",
                             (long long)r->count, (long long)r->npes);
    for (int64_t i = 1; i < r->domains; i++)
        for (int64_t j = 0; j < i; j++)
            CLV_TRY(read_distance(r, r->terminal[i] >= 0 && r->terminal[j] >= 0));
    return CLEAVE_OK;
}

/* ---- Numbers of PEs -------------------------------------------------------------------- */

static cleave_status number_by_label(deco_reader *r, clv_ws *ws)
{
    clv_sort_item *item = clv_ws_alloc(ws, r->npes, sizeof *item);
    clv_sort_item *scratch = clv_ws_alloc(ws, r->npes, sizeof *scratch);
    r->pe = clv_ws_alloc(ws, r->npes, sizeof *r->pe);
    if (!item || !scratch || !r->pe)
        return clv_fail_memory(r->text->err);
    for (int64_t i = 0; i < r->npes; i++)
        item[i] = (clv_sort_item){.key = r->label[i], .with.index = i};
    item = clv_sort(item, scratch, r->npes);
    for (int64_t i = 0; i < r->npes; i++) {
        if (i > 0 && item[i].key == item[i - 1].key)
            return clv_text_fail(r->text, "two PEs have the label %lld",
                                 (long long)item[i].key);
        r->pe[item[i].with.index] = (int32_t)i;
    }
    return CLEAVE_OK;
}

static cleave_status name_by_label(const deco_reader *r, clv_target *t)
{
    enum { digits = 12 };
    bool plain = true;
    for (int64_t i = 0; i < r->npes; i++)
        plain = plain && r->label[i] == r->pe[i];
    if (plain)
        return CLEAVE_OK;
    char **name = clv_arena_alloc(&t->arena, r->npes, sizeof *name);
    char *space = clv_arena_alloc(&t->arena, r->npes, digits);
    if (!name || !space)
        return clv_fail_memory(r->text->err);
    for (int64_t i = 0; i < r->npes; i++) {
        name[r->pe[i]] = space + i * digits;
        snprintf(name[r->pe[i]], digits, "%ld", (long)r->label[i]);
    }
    t->name = name;
    return CLEAVE_OK;
}

/* ---- The tree -------------------------------------------------------------------------- */

/* Domain numbers as paths from the root, in the upper bits, so that they sort from left to
 * right in the tree. */
static int64_t path_of(int64_t domain)
{
    return (int64_t)((uint64_t)domain << (__builtin_clzll((uint64_t)domain) - 1));
}

static bool contains(int64_t outer, int64_t inner)
{
    while (inner > outer)
        inner /= 2;
    return inner == outer;
}

/* The node of the domains item[0 .. count - 1]: split where their paths first differ.  A
 * domain with only one half is that half. */
static int32_t make_node(int32_t (*half)[2], const deco_reader *r, const clv_sort_item *item,
                         int32_t count, int32_t *made)
{
    if (count == 1)
        return r->pe[item[0].with.index];
    uint64_t differ = (uint64_t)(item[0].key ^ item[count - 1].key);
    uint64_t bit = UINT64_C(1) << (63 - __builtin_clzll(differ));
    int32_t first = 1;
    while (!((uint64_t)item[first].key & bit))
        first++;
    int32_t left = make_node(half, r, item, first, made);
    int32_t right = make_node(half, r, item + first, count - first, made);
    half[*made][0] = left;
    half[*made][1] = right;
    return (int32_t)r->npes + (*made)++;
}

static cleave_status make_tree(int32_t (*half)[2], const deco_reader *r, clv_ws *ws)
{
    int32_t made = 0;
    clv_sort_item *item = clv_ws_alloc(ws, r->npes, sizeof *item);
    clv_sort_item *scratch = clv_ws_alloc(ws, r->npes, sizeof *scratch);
    if (!item || !scratch)
        return clv_fail_memory(r->text->err);
    for (int64_t i = 0; i < r->npes; i++)
        item[i] = (clv_sort_item){.key = path_of(r->domain[i]), .with.index = i};
    item = clv_sort(item, scratch, r->npes);
    for (int64_t i = 1; i < r->npes; i++) {
        int64_t x = r->domain[item[i - 1].with.index], y = r->domain[item[i].with.index];
        if (contains(x, y) || contains(y, x))
            return clv_text_fail(r->text, "domains %lld and %lld of two PEs overlap",
                                 (long long)(x < y ? x : y), (long long)(x < y ? y : x));
    }
    make_node(half, r, item, (int32_t)r->npes, &made);
    return CLEAVE_OK;
}

/* ---- The target ------------------------------------------------------------------------ */

static cleave_status set_weights(const deco_reader *r, clv_target *t, clv_ws *ws)
{
    cleave_error inner;
    double *speeds = clv_ws_alloc(ws, r->npes, sizeof *speeds);
    if (!speeds)
        return clv_fail_memory(r->text->err);
    for (int64_t i = 0; i < r->npes; i++)
        speeds[r->pe[i]] = r->weight[i];
    return clv_scotch_blame(r->text, clv_target_set_speeds(t, speeds, &inner), &inner);
}

static cleave_status fill_target(clv_target *t, const deco_reader *r, clv_ws *ws)
{
    clv_deco *d = t->data;
    const int32_t *far = r->far;
    int32_t(*half)[2] = clv_ws_alloc(ws, r->npes, sizeof *half);
    if (!half)
        return clv_fail_memory(r->text->err);
    CLV_TRY(make_tree(half, r, ws));
    CLV_TRY(set_weights(r, t, ws));
    CLV_TRY(name_by_label(r, t));
    for (int64_t i = 1; i < r->npes; i++)
        for (int64_t j = 0; j < i; j++)
            d->far[clv_deco_pair(r->pe[i], r->pe[j])] = *far++;
    return clv_deco_finish(t, half, ws, r->text->err);
}

static cleave_status read_table(clv_target **out, deco_reader *r, int64_t kind, clv_ws *ws)
{
    const int64_t most = INT64_C(1) << 62;
    CLV_TRY(clv_text_next_i64(r->text, 1, INT32_MAX / 2, "the number of PEs", &r->npes));
    CLV_TRY(clv_text_next_i64(r->text, r->npes, kind == 0 ? most : INT32_MAX,
                              "the largest number of a domain", &r->domains));
    CLV_TRY(kind == 0 ? read_kind_0(r) : read_kind_1(r));
    CLV_TRY(number_by_label(r, ws));
    CLV_TRY(clv_deco_open(out, (int32_t)r->npes, r->text->err));
    return fill_target(*out, r, ws);
}

cleave_status clv_scotch_deco(clv_target **out, clv_text *text)
{
    int64_t kind;
    deco_reader r = {.text = text};
    clv_ws ws = {0};
    CLV_TRY(clv_text_next_i64(text, 0, 2, "the kind of deco", &kind));
    if (kind == 2)
        return clv_scotch_deco2(out, text);
    cleave_status status = read_table(out, &r, kind, &ws);
    clv_sys_free(r.label);
    clv_sys_free(r.domain);
    clv_sys_free(r.weight);
    clv_sys_free(r.terminal);
    clv_sys_free(r.far);
    clv_ws_free(&ws);
    if (status != CLEAVE_OK) {
        clv_target_free(*out);
        *out = NULL;
    }
    return status;
}
