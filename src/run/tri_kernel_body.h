/* SPDX-License-Identifier: Apache-2.0 */
/* run/tri_kernel_body.h - the loops of a solve, for one type of number: REAL, INTEGER as wide,
 * and NAME(x) to tell their names apart.  Included by run/tri_kernels.c once for each.
 *
 * Sums run over a row's columns one after the other, a product rounded and then a difference:
 * what is faster here never changes a bit. */

typedef REAL NAME(v4) __attribute__((vector_size(4 * sizeof(REAL))));
/* The same at any address. */
typedef REAL NAME(u4)
    __attribute__((vector_size(4 * sizeof(REAL)), aligned(sizeof(REAL)), may_alias));
#define LOAD4(p) (*(const NAME(u4) *)(p))
/* Of the four columns that begin at number j; near and work are at hand. */
#define COLUMNS4(j)                                                                           \
    (near ? GATHER4(from_base, (const clv_tri_short *)code + (j))                             \
          : GATHER4(from_base, code + (j)))
#define GATHER4(p, at) ((NAME(v4)){(p)[(at)[0]], (p)[(at)[1]], (p)[(at)[2]], (p)[(at)[3]]})

static CLV_ALWAYS_INLINE void NAME(singles)(clv_tri_cursor *c, int32_t count, bool unit,
                                            bool ordered)
{
    const int32_t *code = c->code;
    const REAL *value = c->value;
    REAL *work = c->work, *x = c->x;
    const REAL *b = c->b;
    int32_t place = c->place;
    for (int32_t i = 0; i < count; i++) {
        int32_t len = code[0], row = code[1];
        code += 2;
        REAL s = ordered ? x[place] : b[row];
        for (int32_t k = 0; k < len; k++)
            s -= value[k] * work[code[k]];
        if (!unit)
            s /= value[len];
        value += len + 1;
        code += len;
        work[place] = s;
        x[ordered ? place : row] = s;
        place++;
    }
    c->code = code;
    c->value = value;
    c->place = place;
}

static CLV_ALWAYS_INLINE void NAME(parts)(clv_tri_cursor *c, int32_t count, bool unit,
                                          bool ordered)
{
    const int32_t *code = c->code;
    const REAL *value = c->value;
    REAL *work = c->work, *x = c->x, *carry = c->carry;
    const REAL *b = c->b;
    for (int32_t i = 0; i < count; i++) {
        int32_t len = code[0], row = code[1], place = code[2], from = code[3], to = code[4];
        code += 5;
        REAL s = from >= 0 ? carry[from] : ordered ? x[place] : b[row];
        for (int32_t k = 0; k < len; k++)
            s -= value[k] * work[code[k]];
        code += len;
        value += len;
        if (to >= 0) {
            carry[to] = s;
            continue;
        }
        if (!unit)
            s /= *value;
        value++;
        work[place] = s;
        c->place++;
        x[ordered ? place : row] = s;
    }
    c->code = code;
    c->value = value;
}

/* Four independent rows of len columns each. */
static CLV_ALWAYS_INLINE void NAME(fours)(clv_tri_cursor *c, int32_t count, int32_t len,
                                          bool near, bool unit, bool ordered)
{
    enum { ahead = 8 };
    const int32_t *code = c->code;
    int32_t place = c->place, fetch = c->far ? count - ahead : 0;
    const REAL *value = c->value;
    REAL *work = c->work, *x = c->x;
    const REAL *b = c->b;
    for (int32_t i = 0; i < count; i++) {
        const int32_t *row = code;
        NAME(v4) s = ordered ? (NAME(v4))LOAD4(x + place) : GATHER4(b, row);
        const REAL *from_base = work + row[4];
        if (!ordered && i < fetch) {
            const int32_t *later = row + ahead * (5 + (near ? 2 : 4) * len);
            for (int32_t k = 0; k < 4; k++) {
                __builtin_prefetch(b + later[k]);
                __builtin_prefetch(x + later[k], 1);
            }
        }
        code += 5;
        for (int32_t k = 0; k < len; k++) {
            s -= LOAD4(value) * COLUMNS4(0);
            code += near ? 2 : 4;
            value += 4;
        }
        if (!unit)
            s /= LOAD4(value);
        value += 4;
        *(NAME(u4) *)(work + place) = s;
        if (ordered)
            *(NAME(u4) *)(x + place) = s;
        place += 4;
        for (int32_t k = 0; !ordered && k < 4; k++)
            x[row[k]] = s[k];
    }
    c->code = code;
    c->value = value;
    c->place = place;
}

/* Short rows are many: loops that know the length. */
static CLV_ALWAYS_INLINE void NAME(fours_by_length)(clv_tri_cursor *c, int32_t count,
                                                    int32_t len, bool near, bool unit,
                                                    bool ordered)
{
    switch (len) {
    case 1:
        NAME(fours)(c, count, 1, near, unit, ordered);
        break;
    case 2:
        NAME(fours)(c, count, 2, near, unit, ordered);
        break;
    case 3:
        NAME(fours)(c, count, 3, near, unit, ordered);
        break;
    case 4:
        NAME(fours)(c, count, 4, near, unit, ordered);
        break;
    case 5:
        NAME(fours)(c, count, 5, near, unit, ordered);
        break;
    case 6:
        NAME(fours)(c, count, 6, near, unit, ordered);
        break;
    default:
        NAME(fours)(c, count, len, near, unit, ordered);
    }
}

/* Four rows whose first columns do not depend on the four; the rest in order. */
static CLV_ALWAYS_INLINE void NAME(chains)(clv_tri_cursor *c, int32_t count, bool near,
                                           bool part, bool unit, bool ordered)
{
    const int32_t *code = c->code;
    const REAL *value = c->value;
    REAL *work = c->work, *x = c->x, *carry = c->carry;
    const REAL *b = c->b;
    for (int32_t i = 0; i < count; i++) {
        int32_t shared = code[0];
        const int32_t *len = code + 1, *row = code + 5, *place = row + 5, *from = row + 9,
                      *to = row + 13;
        const REAL *from_base = work + row[4];
        NAME(v4) s;
        if (part) {
            REAL start[4];
            for (int32_t k = 0; k < 4; k++)
                start[k] = from[k] >= 0 ? carry[from[k]] : ordered ? x[place[k]] : b[row[k]];
            s = (NAME(v4)){start[0], start[1], start[2], start[3]};
        } else {
            s = ordered ? (NAME(v4))LOAD4(x + c->place) : GATHER4(b, row);
        }
        code = part ? row + 17 : row + 5;
        int32_t k = 0;
        for (; k + 4 <= shared; k += 4) {
            /* Further ahead than the processor looks by itself. */
            __builtin_prefetch(code + 128);
            for (size_t at = 0; at < 16 * sizeof(REAL); at += 64)
                __builtin_prefetch((const char *)(value + 128) + at);
            for (int32_t j = 0; j < 16; j += 4)
                s -= LOAD4(value + j) * COLUMNS4(j);
            code += near ? 8 : 16;
            value += 16;
        }
        for (; k < shared; k++) {
            s -= LOAD4(value) * COLUMNS4(0);
            code += near ? 2 : 4;
            value += 4;
        }
        for (k = 0; k < 4; k++) {
            REAL sum = s[k];
            for (int32_t j = 0; j < len[k]; j++)
                sum -= *value++ * work[*code++];
            if (part && to[k] >= 0) {
                carry[to[k]] = sum;
                continue;
            }
            if (!unit)
                sum /= *value;
            value++;
            int32_t at = part ? place[k] : c->place;
            work[at] = sum;
            x[ordered ? at : row[k]] = sum;
            c->place++;
        }
    }
    c->code = code;
    c->value = value;
}

static CLV_ALWAYS_INLINE void NAME(step)(clv_tri_cursor *c, bool unit, bool ordered)
{
    for (;;) {
        int32_t kind = c->code[0], count = c->code[1], parameter = c->code[2];
        c->code += 3;
        switch (kind) {
        case clv_tri_end:
            return;
        case clv_tri_single:
            NAME(singles)(c, count, unit, ordered);
            break;
        case clv_tri_four:
            NAME(fours)(c, count, parameter, false, unit, ordered);
            break;
        case clv_tri_four_near:
            NAME(fours_by_length)(c, count, parameter, true, unit, ordered);
            break;
        case clv_tri_chain:
            NAME(chains)(c, count, false, false, unit, ordered);
            break;
        case clv_tri_chain_near:
            NAME(chains)(c, count, true, false, unit, ordered);
            break;
        case clv_tri_chain_part:
            NAME(chains)(c, count, false, true, unit, ordered);
            break;
        case clv_tri_chain_part_near:
            NAME(chains)(c, count, true, true, unit, ordered);
            break;
        default:
            NAME(parts)(c, count, unit, ordered);
        }
    }
}

static void NAME(plain)(clv_tri_cursor *c)
{
    NAME(step)(c, false, false);
}
static void NAME(plain_unit)(clv_tri_cursor *c)
{
    NAME(step)(c, true, false);
}
static void NAME(ordered)(clv_tri_cursor *c)
{
    NAME(step)(c, false, true);
}
static void NAME(ordered_unit)(clv_tri_cursor *c)
{
    NAME(step)(c, true, true);
}

#undef LOAD4
#undef GATHER4
#undef COLUMNS4
