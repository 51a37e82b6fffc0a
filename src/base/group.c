/* SPDX-License-Identifier: Apache-2.0 */
/* base/group.c - counting sort, see base/group.h. */
#include "base/group.h"

#include <string.h>

void clv_group_by_key(int32_t n, const int32_t *key, int32_t nkeys, int32_t *first,
                      int32_t *member)
{
    memset(first, 0, ((size_t)nkeys + 1) * sizeof *first);
    for (int32_t i = 0; i < n; i++)
        if (key[i] >= 0)
            first[key[i]]++;
    clv_running_sums32(first, nkeys);
    for (int32_t i = n; i-- > 0;)
        if (key[i] >= 0)
            member[--first[key[i]]] = i;
}

void clv_group_list_by_key(int32_t count, const int32_t *list, const int32_t *key,
                           int32_t nkeys, int32_t *first, int32_t *member)
{
    memset(first, 0, ((size_t)nkeys + 1) * sizeof *first);
    for (int32_t i = 0; i < count; i++)
        if (key[list[i]] >= 0)
            first[key[list[i]]]++;
    clv_running_sums32(first, nkeys);
    for (int32_t i = count; i-- > 0;)
        if (key[list[i]] >= 0)
            member[--first[key[list[i]]]] = list[i];
}

cleave_status clv_key_groups_make(clv_key_groups *groups, int32_t n, const int32_t *key,
                                  int32_t nkeys, clv_ws *ws, cleave_error *err)
{
    groups->first = clv_ws_alloc(ws, nkeys + INT64_C(1), sizeof *groups->first);
    groups->member = clv_ws_alloc(ws, n, sizeof *groups->member);
    if (!groups->first || !groups->member)
        return clv_fail_memory(err);
    clv_group_by_key(n, key, nkeys, groups->first, groups->member);
    return CLEAVE_OK;
}
