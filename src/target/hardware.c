/* SPDX-License-Identifier: Apache-2.0 */
/* target/hardware.c - see target/hardware.h.
 *
 * An object that contains a PE becomes a node of the tree of switches, in which nodes that
 * distinguish nothing are removed (target/switch_builder.h); all objects become boxes for
 * drawing. */
#include "target/hardware.h"

#include <stdio.h>
#include <string.h>

#include "target/numa_target.h"
#include "target/switch_builder.h"

enum { pe_name_bytes = 16 };

typedef struct survey {
    const clv_hardware *h;
    clv_box_kind *role; /* by object */
    int32_t npes;
    int32_t *object; /* by PE */
    clv_switch_builder tree;
    clv_ws ws;
    cleave_error *err;
} survey;

/* "16 MB": an integer in the largest unit that leaves at least two digits, or one. */
static void print_size(char *to, size_t room, uint64_t bytes)
{
    static const char *const unit[] = {"B", "KB", "MB", "GB", "TB"};
    int u = 0;
    while (u < 4 && (bytes >= 10240 || (bytes >= 1024 && bytes % 1024 == 0))) {
        bytes = (bytes + 512) / 1024;
        u++;
    }
    snprintf(to, room, "%llu %s", (unsigned long long)bytes, unit[u]);
}

void clv_hardware_print_name(char name[CLV_HARDWARE_NAME], const char *type, int32_t number,
                             uint64_t bytes)
{
    char size[24];
    print_size(size, sizeof size, bytes);
    if (bytes > 0)
        snprintf(name, CLV_HARDWARE_NAME, "%.12s %ld (%s)", type, (long)number, size);
    else
        snprintf(name, CLV_HARDWARE_NAME, "%.30s %ld", type, (long)number);
}

/* ---- The tree --------------------------------------------------------------------------- */

static clv_box_kind role_of(const survey *s, const clv_hardware_object *o, bool pu)
{
    clv_box_kind around = o->parent < 0 ? CLV_BOX_GROUP : s->role[o->parent];
    if (o->kind == CLV_HARDWARE_MEMORY)
        return CLV_BOX_MEMORY;
    if (around == CLV_BOX_PE || around == CLV_BOX_THREAD)
        return CLV_BOX_THREAD;
    bool pe = o->kind == CLV_HARDWARE_PU || (o->kind == CLV_HARDWARE_CORE && !pu);
    return pe ? CLV_BOX_PE : CLV_BOX_GROUP;
}

static cleave_status walk(survey *s, bool pu)
{
    int32_t *node = clv_ws_alloc(&s->ws, s->h->count, sizeof *node);
    s->role = clv_ws_alloc(&s->ws, s->h->count, sizeof *s->role);
    s->object = clv_ws_alloc(&s->ws, s->h->count, sizeof *s->object);
    if (!node || !s->role || !s->object)
        return clv_fail_memory(s->err);
    for (int32_t i = 0; i < s->h->count; i++) {
        const clv_hardware_object *o = &s->h->object[i];
        s->role[i] = role_of(s, o, pu);
        if (s->role[i] == CLV_BOX_PE)
            s->object[s->npes++] = i;
        if (s->role[i] == CLV_BOX_PE || s->role[i] == CLV_BOX_GROUP)
            CLV_TRY(clv_switch_builder_add(&s->tree, o->parent < 0 ? -1 : node[o->parent],
                                           &node[i], s->err));
    }
    if (s->npes == 0)
        return clv_fail(s->err, CLEAVE_EINVAL, "the computer has no cores");
    return CLEAVE_OK;
}

/* ---- Names, speeds and latencies -------------------------------------------------------- */

/* Sets names and seats of the PEs. */
static cleave_status describe_pes(survey *s, clv_target *t)
{
    char **name = clv_arena_alloc(&t->arena, t->npes, sizeof *name);
    char *text = clv_arena_alloc(&t->arena, (int64_t)t->npes * pe_name_bytes, 1);
    clv_seat *seat = clv_arena_alloc(&t->arena, t->npes, sizeof *seat);
    if (!name || !text || !seat)
        return clv_fail_memory(s->err);
    for (int32_t pe = 0; pe < t->npes; pe++) {
        const clv_hardware_object *o = &s->h->object[s->object[pe]];
        name[pe] = text + (int64_t)pe * pe_name_bytes;
        snprintf(name[pe], pe_name_bytes, "%s:%d", o->kind == CLV_HARDWARE_PU ? "pu" : "core",
                 (int)o->number);
        seat[pe] = (clv_seat){0, o->number, o->cpu};
    }
    t->name = name;
    t->seat = seat;
    t->per_node = INT32_MAX; /* one computer is one node */
    return CLEAVE_OK;
}

/* Speeds are used only if that of every PE is known. */
static cleave_status set_speeds(survey *s, clv_target *t)
{
    bool equal = true;
    double *speed = clv_ws_alloc(&s->ws, t->npes, sizeof *speed);
    if (!speed)
        return clv_fail_memory(s->err);
    for (int32_t pe = 0; pe < t->npes; pe++) {
        speed[pe] = s->h->object[s->object[pe]].speed;
        if (!(speed[pe] > 0))
            return CLEAVE_OK;
        equal = equal && speed[pe] == speed[0];
    }
    return equal ? CLEAVE_OK : clv_target_set_speeds(t, speed, s->err);
}

/* Latencies are used only if they cover every PE. */
static cleave_status find_nodes(survey *s, clv_numa *numa)
{
    int32_t *node = clv_ws_alloc(&s->ws, s->npes, sizeof *node);
    if (!node)
        return clv_fail_memory(s->err);
    for (int32_t pe = 0; pe < s->npes; pe++) {
        node[pe] = s->h->object[s->object[pe]].node;
        if (node[pe] < 0)
            return CLEAVE_OK;
    }
    *numa = (clv_numa){.nodes = s->h->nodes, .node_of = node, .latency = s->h->latency};
    return CLEAVE_OK;
}

/* Boxes for all objects, from arena. */
static cleave_status draw(survey *s, clv_nest **out, clv_arena *arena)
{
    int32_t count = s->h->count, npes = 0;
    clv_nest *nest = clv_arena_alloc(arena, 1, sizeof *nest);
    clv_floorplan_box *box = clv_arena_alloc(arena, count, sizeof *box);
    char *text = clv_arena_alloc(arena, count, CLV_HARDWARE_NAME);
    if (!nest || !box || !text)
        return clv_fail_memory(s->err);
    for (int32_t i = 0; i < count; i++, text += CLV_HARDWARE_NAME) {
        bool pe = s->role[i] == CLV_BOX_PE;
        memcpy(text, s->h->object[i].name, CLV_HARDWARE_NAME);
        box[i] = (clv_floorplan_box){.kind = s->role[i],
                                     .parent = s->h->object[i].parent,
                                     .first = s->role[i] == CLV_BOX_THREAD ? npes - 1 : npes,
                                     .pes = pe,
                                     .name = text};
        npes += pe;
    }
    for (int32_t i = count - 1; i > 0; i--)
        box[box[i].parent].pes += box[i].pes;
    *nest = (clv_nest){count, box};
    *out = nest;
    return CLEAVE_OK;
}

static void put_words(const survey *s, const clv_numa *numa, char *words, size_t size)
{
    int packages = s->h->packages > 0 ? (int)s->h->packages : 1, nodes = (int)s->h->memories;
    bool threads = s->h->object[s->object[0]].kind == CLV_HARDWARE_PU;
    snprintf(words, size, "computer with %ld %s%s, %d package%s, %d NUMA node%s%s",
             (long)s->npes, threads ? "hardware thread" : "core", s->npes == 1 ? "" : "s",
             packages, packages == 1 ? "" : "s", nodes, nodes == 1 ? "" : "s",
             numa->nodes > 0 ? " at measured distances" : "");
}

static cleave_status make(clv_target **out, survey *s, bool pu)
{
    clv_target *tree = NULL;
    clv_numa numa = {0};
    clv_nest *nest = NULL;
    char words[160];
    CLV_TRY(walk(s, pu));
    if (s->h->nodes > 0)
        CLV_TRY(find_nodes(s, &numa));
    CLV_TRY(clv_switch_builder_finish(&tree, &s->tree, false, s->err));
    cleave_status status = draw(s, &nest, &tree->arena);
    numa.nest = nest;
    if (status == CLEAVE_OK && tree->npes != s->npes)
        status = clv_fail(s->err, CLEAVE_EINVAL, "the computer has parts without any core");
    if (status == CLEAVE_OK)
        status = describe_pes(s, tree);
    if (status == CLEAVE_OK)
        status = set_speeds(s, tree);
    if (status != CLEAVE_OK) {
        clv_target_free(tree);
        return status;
    }
    put_words(s, &numa, words, sizeof words);
    return clv_target_numa(out, tree, &numa, words, s->err);
}

cleave_status clv_target_hardware(clv_target **out, const clv_hardware *h, bool pu,
                                  cleave_error *err)
{
    survey s = {.h = h, .err = err};
    *out = NULL;
    cleave_status status = make(out, &s, pu);
    clv_switch_builder_free(&s.tree);
    clv_ws_free(&s.ws);
    return status;
}
