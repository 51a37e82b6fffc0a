/* SPDX-License-Identifier: Apache-2.0 */
/* target/cpu_sets.c - see target/cpu_sets.h. */
#include "target/cpu_sets.h"

#include <string.h>

#include "base/sort.h"

typedef struct sets_state {
    clv_cpu_sets *sets;
    int32_t ncpus, *around;
    clv_ws *ws;
    cleave_error *err;
} sets_state;

cleave_status clv_cpu_sets_add(clv_cpu_sets *sets, const clv_cpu_set *s, clv_ws *ws,
                               cleave_error *err)
{
    if (sets->count == sets->room) {
        int32_t room = 2 * sets->room + 64;
        clv_cpu_set *larger = clv_ws_alloc(ws, room, sizeof *larger);
        if (!larger)
            return clv_fail_memory(err);
        if (sets->count > 0)
            memcpy(larger, sets->set, (size_t)sets->count * sizeof *larger);
        sets->set = larger;
        sets->room = room;
    }
    clv_cpu_set *added = &sets->set[sets->count++];
    *added = *s;
    added->parent = added->child = added->next = added->memory = -1;
    return CLEAVE_OK;
}

/* Inserts a set.  False: its CPUs are in different sets, or it is redundant. */
static bool enter(sets_state *m, int32_t number)
{
    clv_cpu_set *s = &m->sets->set[number];
    int32_t outer = m->around[s->cpu[0]];
    for (int32_t i = 1; i < s->size; i++)
        if (m->around[s->cpu[i]] != outer)
            return false;
    bool equal = outer >= 0 && m->sets->set[outer].size == s->size;
    if ((s->kind == CLV_CPUS_GROUP && equal) ||
        (s->kind == CLV_CPUS_DIE &&
         (s->size == 1 || (equal && m->sets->set[outer].kind == CLV_CPUS_PACKAGE))))
        return false;
    s->parent = outer;
    for (int32_t i = 0; i < s->size; i++)
        m->around[s->cpu[i]] = number;
    return true;
}

/* Larger sets first; ties: the outer kind, caches by descending level. */
static int64_t entry_key(const sets_state *m, const clv_cpu_set *s)
{
    int64_t rank = s->kind * INT64_C(100) +
                   (s->kind == CLV_CPUS_CACHE ? clv_most_cache_levels - s->level : 0);
    return ((int64_t)m->ncpus - s->size) * 1000 + rank;
}

/* Inserts sets in this order; those that cannot be inserted become empty. */
static void enter_all(sets_state *m, const clv_sort_item *sorted, bool groups)
{
    for (int32_t c = 0; c < m->ncpus; c++)
        m->around[c] = -1;
    for (int32_t i = 0; i < m->sets->count; i++) {
        int32_t number = (int32_t)sorted[i].with.index;
        clv_cpu_set *s = &m->sets->set[number];
        if (s->size > 0 && (groups || s->kind != CLV_CPUS_GROUP) && !enter(m, number))
            s->size = 0;
    }
}

/* Is each of the inserted sets inside the group, around it or disjoint from it? common: by
 * set, 0 before and after. */
static bool fits(sets_state *m, const clv_cpu_set *group, int32_t *common)
{
    bool sound = true;
    for (int32_t i = 0; i < group->size; i++)
        for (int32_t s = m->around[group->cpu[i]]; s >= 0; s = m->sets->set[s].parent)
            common[s]++;
    for (int32_t i = 0; i < group->size; i++)
        for (int32_t s = m->around[group->cpu[i]]; s >= 0; s = m->sets->set[s].parent) {
            sound = sound && (common[s] == 0 || common[s] == m->sets->set[s].size ||
                              common[s] == group->size);
            common[s] = 0;
        }
    return sound;
}

/* Latencies may define groups across packages: groups yield to all other objects, and small
 * groups to large ones. */
static cleave_status enter_sets(sets_state *m, clv_sort_item *item, clv_sort_item *scratch)
{
    int32_t *common = clv_ws_zalloc(m->ws, m->sets->count, sizeof *common);
    if (!common)
        return clv_fail_memory(m->err);
    for (int32_t i = 0; i < m->sets->count; i++)
        item[i] = (clv_sort_item){.key = entry_key(m, &m->sets->set[i]), .with.index = i};
    const clv_sort_item *sorted = clv_sort(item, scratch, m->sets->count);
    enter_all(m, sorted, false);
    for (int32_t i = 0; i < m->sets->count; i++)
        if (m->sets->set[i].kind == CLV_CPUS_GROUP && !fits(m, &m->sets->set[i], common))
            m->sets->set[i].size = 0;
    enter_all(m, sorted, true);
    return CLEAVE_OK;
}

/* Children are ordered by their first CPU: inserts at the front, starting with the last. */
static void list_children(sets_state *m, clv_sort_item *item, clv_sort_item *scratch)
{
    int32_t count = 0;
    for (int32_t i = 0; i < m->sets->count; i++)
        if (m->sets->set[i].size > 0 && m->sets->set[i].parent >= 0)
            item[count++] =
                (clv_sort_item){.key = -(int64_t)m->sets->set[i].cpu[0], .with.index = i};
    const clv_sort_item *sorted = clv_sort(item, scratch, count);
    for (int32_t i = 0; i < count; i++) {
        int32_t number = (int32_t)sorted[i].with.index;
        clv_cpu_set *s = &m->sets->set[number];
        s->next = m->sets->set[s->parent].child;
        m->sets->set[s->parent].child = number;
    }
}

cleave_status clv_cpu_sets_link(clv_cpu_sets *sets, int32_t ncpus, int32_t *around, clv_ws *ws,
                                cleave_error *err)
{
    sets_state state = {sets, ncpus, around, ws, err};
    clv_sort_item *item = clv_ws_alloc(ws, sets->count, sizeof *item);
    clv_sort_item *scratch = clv_ws_alloc(ws, sets->count, sizeof *scratch);
    if (!item || !scratch)
        return clv_fail_memory(err);
    CLV_TRY(enter_sets(&state, item, scratch));
    list_children(&state, item, scratch);
    return CLEAVE_OK;
}
