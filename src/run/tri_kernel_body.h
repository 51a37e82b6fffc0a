/* SPDX-License-Identifier: Apache-2.0 */
/* run/tri_kernel_body.h - the loops of a solve for one number type: REAL, INTEGER of the same
 * width, and NAME(x) for function names.  Included once for each type by
 * run/tri_kernel_table.h.
 *
 * Sums run over the columns of a row in order, each product rounded before it is subtracted:
 * no optimisation here changes a bit. */

typedef REAL NAME(v4) __attribute__((vector_size(4 * sizeof(REAL))));
/* The same, unaligned. */
typedef REAL NAME(u4)
    __attribute__((vector_size(4 * sizeof(REAL)), aligned(sizeof(REAL)), may_alias));
#define LOAD4(p) (*(const NAME(u4) *)(p))
#define GATHER4(p, at) ((NAME(v4)){(p)[(at)[0]], (p)[(at)[1]], (p)[(at)[2]], (p)[(at)[3]]})

/* ---- Parts of all loops ----------------------------------------------------------------- */

/* Subtracts the products of `length` entries in order. */
static CLV_ALWAYS_INLINE REAL NAME(subtract_entries)(clv_tri_cursor *c, int32_t length,
                                                     REAL sum)
{
    const int32_t *column = c->code;
    const REAL *value = c->value, *work = c->work;
    for (int32_t k = 0; k < length; k++)
        sum -= value[k] * work[column[k]];
    c->code = column + length;
    c->value = value + length;
    return sum;
}

/* Subtracts the products of one entry of each of four rows; columns are relative to base. */
static CLV_ALWAYS_INLINE void NAME(subtract_four)(clv_tri_cursor *c, bool near,
                                                  const REAL *base, NAME(v4) * sum)
{
    const int32_t *column = c->code;
    const clv_tri_short *near_column = (const clv_tri_short *)column;
    const REAL *value = c->value;
    *sum -= LOAD4(value) * (near ? GATHER4(base, near_column) : GATHER4(base, column));
    c->code = column + (near ? 2 : 4);
    c->value = value + 4;
}

/* The end of a row at this place. */
static CLV_ALWAYS_INLINE void NAME(finish_row)(clv_tri_cursor *c, int32_t place, int32_t row,
                                               REAL sum, clv_tri_form form)
{
    const REAL *diagonal = c->value;
    REAL *work = c->work, *x = c->x;
    if (!form.unit)
        sum /= *diagonal;
    c->value = diagonal + 1;
    work[place] = sum;
    x[form.ordered ? place : row] = sum;
    c->place++;
}

/* ---- The kinds of runs ------------------------------------------------------------------ */

static CLV_ALWAYS_INLINE void NAME(singles)(clv_tri_cursor *c, int32_t count,
                                            clv_tri_form form)
{
    const REAL *b = c->b, *x = c->x;
    clv_tri_cursor at = *c;
    for (int32_t i = 0; i < count; i++) {
        const clv_tri_row_code *head = (const clv_tri_row_code *)at.code;
        at.code += CLV_TRI_WORDS(*head);
        REAL sum = form.ordered ? x[at.place] : b[head->row];
        sum = NAME(subtract_entries)(&at, head->length, sum);
        NAME(finish_row)(&at, at.place, head->row, sum, form);
    }
    *c = at;
}

static CLV_ALWAYS_INLINE void NAME(parts)(clv_tri_cursor *c, int32_t count, clv_tri_form form)
{
    const REAL *b = c->b, *x = c->x;
    REAL *carry = c->carry;
    clv_tri_cursor at = *c;
    for (int32_t i = 0; i < count; i++) {
        const clv_tri_task_code *head = (const clv_tri_task_code *)at.code;
        at.code += CLV_TRI_WORDS(*head);
        REAL sum = head->from >= 0 ? carry[head->from]
                   : form.ordered  ? x[head->place]
                                   : b[head->row];
        sum = NAME(subtract_entries)(&at, head->length, sum);
        if (head->to >= 0)
            carry[head->to] = sum;
        else
            NAME(finish_row)(&at, head->place, head->row, sum, form);
    }
    *c = at;
}

/* Prefetches the right-hand sides and solutions of the rows of a four. */
static CLV_ALWAYS_INLINE void NAME(prefetch_rows)(const clv_tri_cursor *c,
                                                  const clv_tri_four_code *head)
{
    const REAL *b = c->b, *x = c->x;
    for (int32_t k = 0; k < 4; k++) {
        __builtin_prefetch(b + head->row[k]);
        __builtin_prefetch(x + head->row[k], 1);
    }
}

/* Four independent rows of `length` columns each. */
static CLV_ALWAYS_INLINE void NAME(fours)(clv_tri_cursor *c, int32_t count, int32_t length,
                                          bool near, clv_tri_form form)
{
    enum { ahead = 8 };
    const int32_t words = (int32_t)CLV_TRI_WORDS(clv_tri_four_code) + (near ? 2 : 4) * length;
    const REAL *b = c->b;
    REAL *work = c->work, *x = c->x;
    int32_t fetch = c->far ? count - ahead : 0;
    clv_tri_cursor at = *c;
    for (int32_t i = 0; i < count; i++, at.place += 4) {
        const clv_tri_four_code *head = (const clv_tri_four_code *)at.code;
        NAME(v4) sum = form.ordered ? (NAME(v4))LOAD4(x + at.place) : GATHER4(b, head->row);
        if (!form.ordered && i < fetch)
            NAME(prefetch_rows)(&at, (const clv_tri_four_code *)(at.code + ahead * words));
        at.code += CLV_TRI_WORDS(*head);
        for (int32_t k = 0; k < length; k++)
            NAME(subtract_four)(&at, near, work + head->base, &sum);
        const REAL *diagonal = at.value;
        at.value = diagonal + 4;
        if (!form.unit)
            sum /= LOAD4(diagonal);
        *(NAME(u4) *)(work + at.place) = sum;
        if (form.ordered)
            *(NAME(u4) *)(x + at.place) = sum;
        for (int32_t k = 0; !form.ordered && k < 4; k++)
            x[head->row[k]] = sum[k];
    }
    *c = at;
}

/* Loops of fixed length for short rows, which are frequent. */
static CLV_ALWAYS_INLINE void NAME(fours_by_length)(clv_tri_cursor *c, int32_t count,
                                                    int32_t length, bool near,
                                                    clv_tri_form form)
{
    switch (length) {
    case 1:
        NAME(fours)(c, count, 1, near, form);
        break;
    case 2:
        NAME(fours)(c, count, 2, near, form);
        break;
    case 3:
        NAME(fours)(c, count, 3, near, form);
        break;
    case 4:
        NAME(fours)(c, count, 4, near, form);
        break;
    case 5:
        NAME(fours)(c, count, 5, near, form);
        break;
    case 6:
        NAME(fours)(c, count, 6, near, form);
        break;
    default:
        NAME(fours)(c, count, length, near, form);
    }
}

/* ---- Chains ----------------------------------------------------------------------------- */

/* Four rows whose first columns do not depend on the four rows; the remaining columns in
 * order. */

/* The sums at the start: right-hand sides, or sums that earlier tasks of the rows kept.  tasks
 * NULL: whole rows. */
static CLV_ALWAYS_INLINE void NAME(start_chain)(const clv_tri_cursor *c,
                                                const clv_tri_chain_code *head,
                                                const clv_tri_carry_code *tasks, bool ordered,
                                                NAME(v4) * sum)
{
    const REAL *b = c->b, *x = c->x, *carry = c->carry;
    if (!tasks) {
        *sum = ordered ? (NAME(v4))LOAD4(x + c->place) : GATHER4(b, head->row);
        return;
    }
    REAL start[4];
    for (int32_t k = 0; k < 4; k++)
        start[k] = tasks->from[k] >= 0 ? carry[tasks->from[k]]
                   : ordered           ? x[tasks->place[k]]
                                       : b[head->row[k]];
    *sum = (NAME(v4)){start[0], start[1], start[2], start[3]};
}

/* Subtracts the interleaved columns. */
static CLV_ALWAYS_INLINE void NAME(subtract_shared)(clv_tri_cursor *c,
                                                    const clv_tri_chain_code *head, bool near,
                                                    NAME(v4) * sum)
{
    const REAL *base = (const REAL *)c->work + head->base;
    int32_t k = 0;
    for (; k + 4 <= head->shared; k += 4) {
        /* Further ahead than the hardware prefetcher. */
        __builtin_prefetch(c->code + 128);
        for (size_t at = 0; at < 16 * sizeof(REAL); at += 64)
            __builtin_prefetch((const char *)((const REAL *)c->value + 128) + at);
        NAME(subtract_four)(c, near, base, sum);
        NAME(subtract_four)(c, near, base, sum);
        NAME(subtract_four)(c, near, base, sum);
        NAME(subtract_four)(c, near, base, sum);
    }
    for (; k < head->shared; k++)
        NAME(subtract_four)(c, near, base, sum);
}

/* Subtracts the remaining columns of the k-th row, which ends here or keeps its sum. */
static CLV_ALWAYS_INLINE void NAME(finish_link)(clv_tri_cursor *c,
                                                const clv_tri_chain_code *head,
                                                const clv_tri_carry_code *tasks, int32_t k,
                                                REAL sum, clv_tri_form form)
{
    REAL *carry = c->carry;
    sum = NAME(subtract_entries)(c, head->rest[k], sum);
    if (tasks && tasks->to[k] >= 0)
        carry[tasks->to[k]] = sum;
    else
        NAME(finish_row)(c, tasks ? tasks->place[k] : c->place, head->row[k], sum, form);
}

static CLV_ALWAYS_INLINE void NAME(chains)(clv_tri_cursor *c, int32_t count, bool near,
                                           bool part, clv_tri_form form)
{
    clv_tri_cursor at = *c;
    for (int32_t i = 0; i < count; i++) {
        const clv_tri_chain_code *head = (const clv_tri_chain_code *)at.code;
        const clv_tri_carry_code *tasks = NULL;
        at.code += CLV_TRI_WORDS(*head);
        if (part) {
            tasks = (const clv_tri_carry_code *)at.code;
            at.code += CLV_TRI_WORDS(*tasks);
        }
        NAME(v4) sum;
        NAME(start_chain)(&at, head, tasks, form.ordered, &sum);
        NAME(subtract_shared)(&at, head, near, &sum);
        for (int32_t k = 0; k < 4; k++)
            NAME(finish_link)(&at, head, tasks, k, sum[k], form);
    }
    *c = at;
}

/* ---- Steps ------------------------------------------------------------------------------ */

static CLV_ALWAYS_INLINE void NAME(step)(clv_tri_cursor *c, clv_tri_form form)
{
    for (;;) {
        const clv_tri_run *run = (const clv_tri_run *)c->code;
        c->code += CLV_TRI_WORDS(*run);
        switch (run->kind) {
        case clv_tri_end:
            return;
        case clv_tri_single:
            NAME(singles)(c, run->count, form);
            break;
        case clv_tri_four:
            NAME(fours)(c, run->count, run->parameter, false, form);
            break;
        case clv_tri_four_near:
            NAME(fours_by_length)(c, run->count, run->parameter, true, form);
            break;
        case clv_tri_chain:
            NAME(chains)(c, run->count, false, false, form);
            break;
        case clv_tri_chain_near:
            NAME(chains)(c, run->count, true, false, form);
            break;
        case clv_tri_chain_part:
            NAME(chains)(c, run->count, false, true, form);
            break;
        case clv_tri_chain_part_near:
            NAME(chains)(c, run->count, true, true, form);
            break;
        default:
            NAME(parts)(c, run->count, form);
        }
    }
}

static void NAME(plain)(clv_tri_cursor *c)
{
    NAME(step)(c, (clv_tri_form){.unit = false, .ordered = false});
}
static void NAME(plain_unit)(clv_tri_cursor *c)
{
    NAME(step)(c, (clv_tri_form){.unit = true, .ordered = false});
}
static void NAME(ordered)(clv_tri_cursor *c)
{
    NAME(step)(c, (clv_tri_form){.unit = false, .ordered = true});
}
static void NAME(ordered_unit)(clv_tri_cursor *c)
{
    NAME(step)(c, (clv_tri_form){.unit = true, .ordered = true});
}

#undef LOAD4
#undef GATHER4
