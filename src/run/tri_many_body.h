/* SPDX-License-Identifier: Apache-2.0 */
/* run/tri_many_body.h - the loops of a solve with eight right-hand sides for one number type;
 * see run/tri_kernel_body.h.  In the workspace the eight numbers of a row are adjacent
 * (run/tri_pack.c), and arithmetic is on groups of eight: each column has the same operations
 * as in a single solve. */

/* Two native vectors, because compilers keep a single vector of eight in memory. */
typedef struct NAME(eight) {
    NAME(v4) low, high;
} NAME(eight);
#define LOAD4(p) (*(const NAME(u4) *)(p))

static CLV_ALWAYS_INLINE NAME(eight) NAME(many_load)(const REAL *from)
{
    return (NAME(eight)){LOAD4(from), LOAD4(from + 4)};
}

static CLV_ALWAYS_INLINE void NAME(many_store)(REAL *to, const NAME(eight) * s)
{
    *(NAME(u4) *)to = s->low;
    *(NAME(u4) *)(to + 4) = s->high;
}

static CLV_ALWAYS_INLINE void NAME(many_subtract)(NAME(eight) * s, REAL value, const REAL *x)
{
    s->low -= value * LOAD4(x);
    s->high -= value * LOAD4(x + 4);
}

/* The right-hand sides of a row are stored where its solutions will be. */
static CLV_ALWAYS_INLINE NAME(eight) NAME(many_begin)(const clv_tri_cursor *c, int32_t place)
{
    return NAME(many_load)((const REAL *)c->work + (int64_t)place * 8);
}

/* Interleaved entries of four rows. */
typedef struct NAME(interleaved) {
    const int32_t *code;
    const REAL *value;
    int32_t base;  /* columns are relative to it */
    int32_t count; /* entries of each row */
    bool near;
} NAME(interleaved);

/* Subtracts the products of the k-th of the four rows. */
static CLV_ALWAYS_INLINE void NAME(many_side)(const clv_tri_cursor *c,
                                              const NAME(interleaved) * all, int32_t k,
                                              NAME(eight) * s)
{
    const REAL *work = (const REAL *)c->work + (int64_t)all->base * 8;
    const clv_tri_short *near_code = (const clv_tri_short *)all->code;
    for (int64_t i = k; i < (int64_t)4 * all->count; i += 4) {
        int64_t column = all->near ? near_code[i] : all->code[i];
        NAME(many_subtract)(s, all->value[i], work + column * 8);
    }
}

/* Subtracts the products of `length` entries of a row in order. */
static CLV_ALWAYS_INLINE void NAME(many_sum)(clv_tri_cursor *c, int32_t length,
                                             NAME(eight) * s)
{
    const REAL *work = c->work, *value = c->value;
    for (int32_t k = 0; k < length; k++)
        NAME(many_subtract)(s, value[k], work + (int64_t)c->code[k] * 8);
    c->code += length;
    c->value = value + length;
}

static CLV_ALWAYS_INLINE void NAME(many_end)(clv_tri_cursor *c, int32_t place, NAME(eight) * s,
                                             REAL diagonal, bool unit)
{
    if (!unit) {
        s->low /= diagonal;
        s->high /= diagonal;
    }
    NAME(many_store)((REAL *)c->work + (int64_t)place * 8, s);
}

static CLV_ALWAYS_INLINE void NAME(many_single)(clv_tri_cursor *c, bool unit)
{
    const clv_tri_row_code *head = (const clv_tri_row_code *)c->code;
    c->code += CLV_TRI_WORDS(*head);
    NAME(eight) s = NAME(many_begin)(c, c->place);
    NAME(many_sum)(c, head->length, &s);
    const REAL *diagonal = c->value;
    c->value = diagonal + 1;
    NAME(many_end)(c, c->place++, &s, *diagonal, unit);
}

/* A task that begins with a kept sum, or keeps its own, or neither. */
static CLV_ALWAYS_INLINE NAME(eight)
    NAME(many_resume)(const clv_tri_cursor *c, int32_t from, int32_t place)
{
    if (from < 0)
        return NAME(many_begin)(c, place);
    return NAME(many_load)((const REAL *)c->carry + (int64_t)from * 8);
}

static CLV_ALWAYS_INLINE void NAME(many_keep)(clv_tri_cursor *c, int32_t to, NAME(eight) * s)
{
    NAME(many_store)((REAL *)c->carry + (int64_t)to * 8, s);
}

static CLV_ALWAYS_INLINE void NAME(many_part)(clv_tri_cursor *c, bool unit)
{
    const clv_tri_task_code *head = (const clv_tri_task_code *)c->code;
    c->code += CLV_TRI_WORDS(*head);
    NAME(eight) s = NAME(many_resume)(c, head->from, head->place);
    NAME(many_sum)(c, head->length, &s);
    if (head->to >= 0) {
        NAME(many_keep)(c, head->to, &s);
        return;
    }
    const REAL *diagonal = c->value;
    c->value = diagonal + 1;
    NAME(many_end)(c, head->place, &s, *diagonal, unit);
    c->place++;
}

static CLV_ALWAYS_INLINE void NAME(many_four)(clv_tri_cursor *c, int32_t length, bool near,
                                              bool unit)
{
    const clv_tri_four_code *head = (const clv_tri_four_code *)c->code;
    const NAME(interleaved) all = {
        .code = c->code + CLV_TRI_WORDS(*head), .value = c->value, head->base, length, near};
    const REAL *diagonal = all.value + (int64_t)4 * length;
    for (int32_t k = 0; k < 4; k++) {
        NAME(eight) s = NAME(many_begin)(c, c->place);
        NAME(many_side)(c, &all, k, &s);
        NAME(many_end)(c, c->place++, &s, diagonal[k], unit);
    }
    c->code = all.code + (int64_t)(near ? 2 : 4) * length;
    c->value = diagonal + 4;
}

static CLV_ALWAYS_INLINE void NAME(many_chain)(clv_tri_cursor *c, bool near, bool part,
                                               bool unit)
{
    const clv_tri_chain_code *head = (const clv_tri_chain_code *)c->code;
    const int32_t *code = c->code + CLV_TRI_WORDS(*head);
    const clv_tri_carry_code *tasks = part ? (const clv_tri_carry_code *)code : NULL;
    code += part ? CLV_TRI_WORDS(*tasks) : 0;
    const NAME(interleaved) all = {code, c->value, head->base, head->shared, near};
    c->code = code + (int64_t)(near ? 2 : 4) * head->shared;
    c->value = all.value + (int64_t)4 * head->shared;
    for (int32_t k = 0; k < 4; k++) {
        int32_t place = part ? tasks->place[k] : c->place;
        NAME(eight) s = NAME(many_resume)(c, part ? tasks->from[k] : -1, place);
        NAME(many_side)(c, &all, k, &s);
        NAME(many_sum)(c, head->rest[k], &s);
        if (part && tasks->to[k] >= 0) {
            NAME(many_keep)(c, tasks->to[k], &s);
            continue;
        }
        const REAL *diagonal = c->value;
        c->value = diagonal + 1;
        NAME(many_end)(c, place, &s, *diagonal, unit);
        c->place++;
    }
}

static CLV_ALWAYS_INLINE void NAME(many_step)(clv_tri_cursor *c, bool unit)
{
    clv_tri_cursor at = *c;
    for (;;) {
        /* A copy, because stores of vectors may alias the stream. */
        const clv_tri_run run = *(const clv_tri_run *)at.code;
        at.code += CLV_TRI_WORDS(run);
        if (run.kind == clv_tri_end)
            break;
        for (int32_t i = 0; i < run.count; i++)
            switch (run.kind) {
            case clv_tri_single:
                NAME(many_single)(&at, unit);
                break;
            case clv_tri_part:
                NAME(many_part)(&at, unit);
                break;
            case clv_tri_four:
            case clv_tri_four_near:
                NAME(many_four)(&at, run.parameter, run.kind == clv_tri_four_near, unit);
                break;
            case clv_tri_chain:
            case clv_tri_chain_near:
                NAME(many_chain)(&at, run.kind == clv_tri_chain_near, false, unit);
                break;
            default:
                NAME(many_chain)(&at, run.kind == clv_tri_chain_part_near, true, unit);
            }
    }
    *c = at;
}

static void NAME(many)(clv_tri_cursor *c)
{
    NAME(many_step)(c, false);
}
static void NAME(many_unit)(clv_tri_cursor *c)
{
    NAME(many_step)(c, true);
}

#undef LOAD4
