/* SPDX-License-Identifier: Apache-2.0 */
/* target/hwloc_nest.c - see target/hwloc_nest.h. */
#ifdef CLEAVE_HAVE_HWLOC

#include "target/hwloc_nest.h"

#include <stdio.h>

enum { name_room = 48 };

typedef struct listing {
    hwloc_const_cpuset_t usable;
    bool pu;
    int32_t count, npes;
    clv_floor_box *box; /* NULL: counting */
    char *text;
} listing;

/* "16 MB": whole numbers of the largest unit that leaves at least two digits, or one. */
static void print_size(char *to, size_t room, unsigned long long bytes)
{
    static const char *const unit[] = {"B", "KB", "MB", "GB", "TB"};
    int u = 0;
    while (u < 4 && (bytes >= 10240 || (bytes >= 1024 && bytes % 1024 == 0))) {
        bytes = (bytes + 512) / 1024;
        u++;
    }
    snprintf(to, room, "%llu %s", bytes, unit[u]);
}

static void print_name(char *to, hwloc_obj_t o)
{
    char type[24], size[24] = "";
    unsigned long long bytes = o->type == HWLOC_OBJ_NUMANODE ? o->attr->numanode.local_memory
                               : hwloc_obj_type_is_cache(o->type) ? o->attr->cache.size
                                                                  : 0;
    hwloc_obj_type_snprintf(type, sizeof type, o, 0);
    if (bytes > 0)
        print_size(size, sizeof size, bytes);
    if (o->type == HWLOC_OBJ_MACHINE)
        snprintf(to, name_room, "Machine");
    else if (bytes > 0)
        snprintf(to, name_room, "%s %u (%s)", type, o->logical_index, size);
    else
        snprintf(to, name_room, "%s %u", type, o->logical_index);
}

static int32_t add_box(listing *l, hwloc_obj_t o, int32_t parent, clv_box_kind kind)
{
    int32_t number = l->count++;
    if (l->box) {
        char *name = l->text + (int64_t)number * name_room;
        print_name(name, o);
        l->box[number] =
            (clv_floor_box){.kind = kind, .parent = parent, .first = l->npes, .name = name};
    }
    return number;
}

static bool is_usable(const listing *l, hwloc_obj_t o)
{
    return o->cpuset && hwloc_bitmap_intersects(o->cpuset, l->usable);
}

/* hwloc's trees are a few levels deep. */
static void list_objects(listing *l, hwloc_obj_t o, int32_t parent, bool in_pe)
{
    bool pe = o->type == HWLOC_OBJ_PU ? !in_pe : o->type == HWLOC_OBJ_CORE && !l->pu;
    int32_t first = l->npes;
    int32_t number = add_box(l, o, parent,
                             pe      ? CLV_BOX_PE
                             : in_pe ? CLV_BOX_THREAD
                                     : CLV_BOX_GROUP);
    for (hwloc_obj_t m = o->memory_first_child; m && !in_pe; m = m->next_sibling)
        if (m->type == HWLOC_OBJ_NUMANODE)
            add_box(l, m, number, CLV_BOX_MEMORY);
    for (hwloc_obj_t child = o->first_child; child; child = child->next_sibling)
        if (is_usable(l, child))
            list_objects(l, child, number, in_pe || pe);
    l->npes += pe;
    if (l->box)
        l->box[number].pes = l->npes - first;
}

cleave_status clv_hwloc_nest(clv_nest **out, hwloc_topology_t topology,
                             hwloc_const_cpuset_t usable, bool pu, clv_arena *arena,
                             cleave_error *err)
{
    listing counted = {.usable = usable, .pu = pu};
    hwloc_obj_t root = hwloc_get_root_obj(topology);
    list_objects(&counted, root, -1, false);
    listing l = {.usable = usable, .pu = pu};
    clv_nest *nest = clv_arena_alloc(arena, 1, sizeof *nest);
    l.box = clv_arena_alloc(arena, counted.count, sizeof *l.box);
    l.text = clv_arena_alloc(arena, counted.count, name_room);
    if (!nest || !l.box || !l.text)
        return clv_fail_memory(err);
    list_objects(&l, root, -1, false);
    *nest = (clv_nest){l.count, l.box};
    *out = nest;
    return CLEAVE_OK;
}

#else

typedef int clv_hwloc_nest_needs_hwloc; /* a file of nothing is not C */

#endif
