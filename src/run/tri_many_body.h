/* SPDX-License-Identifier: Apache-2.0 */
/* run/tri_many_body.h - the loops of a solve with eight right-hand sides at once, for one type
 * of number; see run/tri_kernel_body.h.  In the workspace the eight of a row stand side by
 * side (run/tri_pack.c), and arithmetic is by eights: each column sees what a single solve
 * would do. */

/* Two vectors that a processor has: compilers keep one of eight in memory. */
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

/* The right-hand sides of a row stand where its solutions will. */
static CLV_ALWAYS_INLINE NAME(eight) NAME(many_begin)(const clv_tri_cursor *c, int32_t place)
{
    return NAME(many_load)((const REAL *)c->work + (int64_t)place * 8);
}

/* Four entries apart, from a base on. */
static CLV_ALWAYS_INLINE void NAME(many_side)(const clv_tri_cursor *c, NAME(eight) * s,
                                              const int32_t *code, int32_t k, int32_t base,
                                              const REAL *value, int32_t count, bool near)
{
    const REAL *work = (const REAL *)c->work + (int64_t)base * 8;
    const clv_tri_short *small = (const clv_tri_short *)code;
    for (int64_t i = k; i < (int64_t)4 * count; i += 4)
        NAME(many_subtract)(s, value[i], work + (int64_t)(near ? small[i] : code[i]) * 8);
}

static CLV_ALWAYS_INLINE void NAME(many_sum)(const clv_tri_cursor *c, NAME(eight) * s,
                                             const int32_t *code, const REAL *value,
                                             int32_t count)
{
    const REAL *work = c->work;
    for (int32_t k = 0; k < count; k++)
        NAME(many_subtract)(s, value[k], work + (int64_t)code[k] * 8);
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

static CLV_ALWAYS_INLINE void NAME(many_single)(clv_tri_cursor *c, bool part, bool unit)
{
    const int32_t *code = c->code;
    const REAL *value = c->value;
    REAL *carry = c->carry;
    int32_t len = code[0], place = part ? code[2] : c->place, from = part ? code[3] : -1,
            to = part ? code[4] : -1;
    code += part ? 5 : 2;
    NAME(eight) s;
    if (from >= 0)
        s = NAME(many_load)(carry + (int64_t)from * 8);
    else
        s = NAME(many_begin)(c, place);
    NAME(many_sum)(c, &s, code, value, len);
    c->code = code + len;
    c->value = value + len + (to < 0);
    if (to >= 0) {
        NAME(many_store)(carry + (int64_t)to * 8, &s);
        return;
    }
    NAME(many_end)(c, place, &s, value[len], unit);
    c->place++;
}

static CLV_ALWAYS_INLINE void NAME(many_four)(clv_tri_cursor *c, int32_t len, bool near,
                                              bool unit)
{
    const int32_t *row = c->code, *code = row + 5;
    const REAL *value = c->value, *diagonal = value + (int64_t)4 * len;
    for (int32_t k = 0; k < 4; k++) {
        NAME(eight) s = NAME(many_begin)(c, c->place);
        NAME(many_side)(c, &s, code, k, row[4], value, len, near);
        NAME(many_end)(c, c->place++, &s, diagonal[k], unit);
    }
    c->code = code + (int64_t)(near ? 2 : 4) * len;
    c->value = diagonal + 4;
}

static CLV_ALWAYS_INLINE void NAME(many_chain)(clv_tri_cursor *c, bool near, bool part,
                                               bool unit)
{
    int32_t shared = c->code[0];
    const int32_t *len = c->code + 1, *row = c->code + 5, *place = row + 5, *from = row + 9,
                  *to = row + 13, *code = part ? row + 17 : row + 5;
    const int32_t *rest = code + (int64_t)(near ? 2 : 4) * shared;
    const REAL *value = c->value, *rest_value = value + (int64_t)4 * shared;
    REAL *carry = c->carry;
    for (int32_t k = 0; k < 4; k++) {
        int32_t at = part ? place[k] : c->place;
        NAME(eight)
        s = part && from[k] >= 0 ? NAME(many_load)(carry + (int64_t)from[k] * 8)
                                 : NAME(many_begin)(c, at);
        NAME(many_side)(c, &s, code, k, row[4], value, shared, near);
        NAME(many_sum)(c, &s, rest, rest_value, len[k]);
        rest += len[k];
        rest_value += len[k];
        if (part && to[k] >= 0) {
            NAME(many_store)(carry + (int64_t)to[k] * 8, &s);
            continue;
        }
        NAME(many_end)(c, at, &s, *rest_value++, unit);
        c->place++;
    }
    c->code = rest;
    c->value = rest_value;
}

static CLV_ALWAYS_INLINE void NAME(many_step)(clv_tri_cursor *c, bool unit)
{
    for (;;) {
        int32_t kind = c->code[0], count = c->code[1], parameter = c->code[2];
        c->code += 3;
        if (kind == clv_tri_end)
            return;
        for (int32_t i = 0; i < count; i++)
            switch (kind) {
            case clv_tri_single:
                NAME(many_single)(c, false, unit);
                break;
            case clv_tri_part:
                NAME(many_single)(c, true, unit);
                break;
            case clv_tri_four:
            case clv_tri_four_near:
                NAME(many_four)(c, parameter, kind == clv_tri_four_near, unit);
                break;
            case clv_tri_chain:
            case clv_tri_chain_near:
                NAME(many_chain)(c, kind == clv_tri_chain_near, false, unit);
                break;
            default:
                NAME(many_chain)(c, kind == clv_tri_chain_part_near, true, unit);
            }
    }
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
