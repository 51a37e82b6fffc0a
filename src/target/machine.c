/* SPDX-License-Identifier: Apache-2.0 */
/* target/machine.c - see target/machine.h. */
#include "target/machine.h"

#include <string.h>

/* Numbers the PEs in the order of the recursive halving.  The stack has one domain per depth:
 * the second halves that are still to be visited. */
static cleave_status number_places(clv_machine *m, clv_ws *ws, cleave_error *err)
{
    const clv_target *t = m->t;
    int32_t count = 0, depth = 0;
    clv_ws_mark mark = clv_ws_save(ws);
    clv_domain *stack = clv_ws_alloc(ws, m->npes + INT64_C(1), sizeof *stack), half[2];
    if (!stack)
        return clv_fail_memory(err);
    stack[depth++] = t->shape->root(t);
    while (depth > 0) {
        clv_domain d = stack[--depth];
        if (t->shape->bipartition(t, d, half)) {
            stack[depth++] = half[1];
            stack[depth++] = half[0];
        } else {
            m->pe[count++] = t->shape->pe(t, d);
        }
    }
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

static cleave_status fill_table(clv_machine *m, clv_ws *ws, cleave_error *err)
{
    int64_t n = m->npes;
    m->table = clv_ws_alloc(ws, n * n, sizeof *m->table);
    m->sum = clv_ws_zalloc(ws, (n + 1) * (n + 1), sizeof *m->sum);
    if (!m->table || !m->sum)
        return clv_fail_memory(err);
    if (m->t->shape->table)
        CLV_TRY(m->t->shape->table(m->t, m->npes, m->pe, m->table, ws, err));
    else
        memset(m->table, 0xff, (size_t)(n * n) * sizeof *m->table);
    for (int64_t p = 0; p < n; p++) {
        int64_t row = 0;
        for (int64_t q = p; q < n; q++)
            if (m->table[p * n + q] < 0)
                m->table[p * n + q] = m->table[q * n + p] =
                    m->t->shape->between(m->t, m->pe[p], m->pe[q]);
        for (int64_t q = 0; q < n; q++) {
            row += m->table[p * n + q];
            m->sum[(p + 1) * (n + 1) + q + 1] = m->sum[p * (n + 1) + q + 1] + row;
        }
    }
    return CLEAVE_OK;
}

static void find_nearest(const clv_machine *m, int32_t p, int32_t *list)
{
    const int32_t *row = m->table + (int64_t)p * m->npes;
    int32_t least = INT32_MAX, count = 0;
    for (int32_t q = 0; q < m->npes; q++) {
        if (q == p || row[q] > least)
            continue;
        if (row[q] < least)
            count = 0;
        least = row[q];
        if (count < clv_most_nearest)
            list[count++] = q;
    }
    while (count < clv_most_nearest)
        list[count++] = -1;
}

/* Is r on a shortest path from p to another place? */
static bool leads_on(const clv_machine *m, int32_t p, int32_t r)
{
    const int32_t *from = m->table + (int64_t)p * m->npes;
    const int32_t *then = m->table + (int64_t)r * m->npes;
    for (int32_t q = 0; q < m->npes; q++)
        if (q != r && q != p && (int64_t)from[r] + then[q] == from[q])
            return true;
    return false;
}

static cleave_status list_nearest(clv_machine *m, clv_ws *ws, cleave_error *err)
{
    int32_t n = m->npes;
    m->nearest = clv_ws_alloc(ws, (int64_t)n * clv_most_nearest, sizeof *m->nearest);
    if (!m->nearest)
        return clv_fail_memory(err);
    for (int32_t p = 0; p < n; p++) {
        int32_t *list = m->nearest + (int64_t)p * clv_most_nearest;
        find_nearest(m, p, list);
        /* In a hierarchy no PE is on a path between others. */
        if (!m->between && m->t->levels == 0 && list[0] >= 0)
            m->between = leads_on(m, p, list[0]);
    }
    return CLEAVE_OK;
}

cleave_status clv_machine_make(clv_machine *m, const clv_target *t, const int32_t *by_place,
                               clv_ws *ws, cleave_error *err)
{
    *m = (clv_machine){.t = t, .npes = t->npes};
    m->pe = clv_ws_alloc(ws, t->npes, sizeof *m->pe);
    m->place = clv_ws_alloc(ws, t->npes, sizeof *m->place);
    if (!m->pe || !m->place)
        return clv_fail_memory(err);
    if (by_place)
        memcpy(m->pe, by_place, (size_t)t->npes * sizeof *m->pe);
    else
        CLV_TRY(number_places(m, ws, err));
    for (int32_t i = 0; i < m->npes; i++)
        m->place[m->pe[i]] = i;
    if (t->npes > clv_most_tabled)
        return CLEAVE_OK;
    CLV_TRY(fill_table(m, ws, err));
    return list_nearest(m, ws, err);
}
