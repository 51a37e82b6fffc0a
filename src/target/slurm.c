/* SPDX-License-Identifier: Apache-2.0 */
/* target/slurm.c - switches, blocks and nodes of topology.conf; see target/slurm.h.
 *
 * Each switch is below at most one other and each node below one switch: the nodes of a switch
 * are a range of the table of names, and a traversal from the top switches reaches everything
 * but cycles. */
#include "target/slurm.h"

#include <string.h>

#include "base/number.h"
#include "formats/grow.h"
#include "formats/name_table.h"
#include "target/node_list.h"
#include "target/slurm_conf.h"
#include "target/switch_builder.h"
#include "target/target_forms.h"

enum { most_sizes = 16, most_list_bytes = 1 << 24, most_shown = 60 };

typedef struct fabric_switch { /* or a block */
    int64_t line;              /* where it is described; 0: it has only been mentioned */
    int32_t parent;            /* -1: none */
    int32_t first, count;      /* nodes, or entries of `child` */
    bool leaf;                 /* it has nodes */
} fabric_switch;

typedef struct fabric {
    clv_conf conf;
    clv_name_table switches, nodes;
    fabric_switch *info; /* by switch */
    int64_t info_room;
    int32_t *child; /* the switches below each switch, concatenated */
    int64_t child_count, child_room;
    bool has_switches, has_blocks;
    int64_t size[most_sizes]; /* BlockSizes */
    int sizes;
    clv_switch_builder tree;
    int32_t *node_of_pe;
    clv_ws ws;
    cleave_error *err;
} fabric;

#define FAIL(f, ...)                                                                          \
    clv_fail_at((f)->err, CLEAVE_EPARSE, (f)->conf.path, (f)->conf.line, __VA_ARGS__)
#define SHOW(s)                                                                               \
    (int)((s)->value_length < most_shown ? (s)->value_length : most_shown), (s)->value

static const char *switch_name(const fabric *f, int32_t s)
{
    return clv_name_table_name(&f->switches, s);
}

/* ---- Reading ---------------------------------------------------------------------------- */

/* Expands a list of names in the arena. */
static cleave_status expand(const fabric *f, const clv_conf_setting *s, clv_arena *arena,
                            char ***names, int32_t *count, int64_t most)
{
    cleave_error why = {CLEAVE_OK, ""};
    int64_t bytes = 0;
    cleave_status status = clv_node_list_count(s->value, s->value_length, count, &bytes, &why);
    if (status == CLEAVE_OK && (*count > most || bytes > most_list_bytes))
        return clv_fail_at(f->err, CLEAVE_ERANGE, f->conf.path, f->conf.line,
                           "there are more names than a topology may have: %ld nodes, %ld "
                           "switches, %ld bytes in a list",
                           (long)clv_most_slurm_nodes, (long)clv_most_slurm_switches,
                           (long)most_list_bytes);
    if (status == CLEAVE_OK)
        status = clv_node_list_expand(s->value, s->value_length, names, count, arena, &why);
    if (status == CLEAVE_ENOMEM)
        return clv_fail_memory(f->err);
    if (status != CLEAVE_OK)
        return clv_fail_at(f->err, status == CLEAVE_EINVAL ? CLEAVE_EPARSE : status,
                           f->conf.path, f->conf.line, "%s", why.message);
    return CLEAVE_OK;
}

/* The number of the switch or block with this name; it is added if it is new. */
static cleave_status find_switch(fabric *f, const char *name, size_t length, int32_t *number)
{
    bool added;
    CLV_TRY(clv_name_table_add(&f->switches, name, (int64_t)length, number, &added, f->err));
    if (!added)
        return CLEAVE_OK;
    if (f->switches.count > f->info_room) {
        int64_t room = clv_next_room(f->info_room);
        fabric_switch *larger = clv_realloc(f->info, room, sizeof *larger);
        if (!larger)
            return clv_fail_memory(f->err);
        f->info = larger;
        f->info_room = room;
    }
    f->info[*number] = (fabric_switch){.parent = -1};
    return CLEAVE_OK;
}

static cleave_status add_nodes(fabric *f, int32_t s, char *const *names, int32_t count)
{
    f->info[s].leaf = true;
    f->info[s].first = f->nodes.count;
    f->info[s].count = count;
    for (int32_t i = 0; i < count; i++) {
        int32_t number;
        bool added;
        CLV_TRY(clv_name_table_add(&f->nodes, names[i], (int64_t)strlen(names[i]), &number,
                                   &added, f->err));
        if (!added)
            return FAIL(f, "node %.60s is listed twice", names[i]);
    }
    return CLEAVE_OK;
}

static cleave_status add_children(fabric *f, int32_t s, char *const *names, int32_t count)
{
    int32_t first = (int32_t)f->child_count;
    if (f->child_count + count > f->child_room) {
        int64_t room = clv_next_room(f->child_room) + count;
        if (!clv_grow_i32(&f->child, room))
            return clv_fail_memory(f->err);
        f->child_room = room;
    }
    for (int32_t i = 0; i < count; i++) {
        int32_t below = 0;
        CLV_TRY(find_switch(f, names[i], strlen(names[i]), &below));
        if (f->info[below].parent >= 0)
            return FAIL(f, "switch %.60s is listed twice", names[i]);
        f->info[below].parent = s;
        f->child[f->child_count++] = below;
    }
    f->info[s].first = first;
    f->info[s].count = count;
    return CLEAVE_OK;
}

/* The nodes or switches below switch or block s: one of the lists is given. */
static cleave_status add_below(fabric *f, int32_t s, const clv_conf_setting *nodes,
                               const clv_conf_setting *switches)
{
    clv_arena arena = {0};
    char **names = NULL;
    int32_t count = 0;
    int64_t most = nodes ? clv_most_slurm_nodes - f->nodes.count
                         : clv_most_slurm_switches - f->switches.count;
    cleave_status status = expand(f, nodes ? nodes : switches, &arena, &names, &count, most);
    if (status == CLEAVE_OK)
        status = nodes ? add_nodes(f, s, names, count) : add_children(f, s, names, count);
    clv_arena_free(&arena);
    return status;
}

static cleave_status read_switch(fabric *f, const char *what, const clv_conf_setting *name,
                                 const clv_conf_setting *nodes,
                                 const clv_conf_setting *switches)
{
    clv_arena arena = {0};
    char **names = NULL;
    int32_t count = 0, s = 0;
    cleave_status status =
        expand(f, name, &arena, &names, &count, clv_most_slurm_switches - f->switches.count);
    if (status == CLEAVE_OK && count != 1)
        status = FAIL(f, "\"%.*s\" is not the name of one %s", SHOW(name), what);
    if (status == CLEAVE_OK)
        status = find_switch(f, names[0], strlen(names[0]), &s);
    clv_arena_free(&arena);
    CLV_TRY(status);
    if (f->info[s].line > 0)
        return FAIL(f, "%s %.*s has a line of its own already, line %lld", what, SHOW(name),
                    (long long)f->info[s].line);
    f->info[s].line = f->conf.line;
    if (nodes && switches)
        return FAIL(f, "switch %.*s has both Switches= and Nodes=; Slurm allows one of them",
                    SHOW(name));
    if (!nodes && !switches)
        return FAIL(f, "%s %.*s has nothing below it: Nodes= is missing", what, SHOW(name));
    return add_below(f, s, nodes, switches);
}

static cleave_status read_sizes(fabric *f, const clv_conf_setting *s)
{
    const char *p = s->value, *end = p + s->value_length;
    if (f->sizes > 0)
        return FAIL(f, "there are two lines of BlockSizes=");
    for (;; p++) {
        bool overflow = false;
        int64_t size = 0;
        const char *behind =
            p < end && *p >= '0' && *p <= '9' ? clv_parse_i64(p, end, &size, &overflow) : NULL;
        if (!behind || (behind < end && *behind != ',') || overflow || size < 1 ||
            f->sizes == most_sizes)
            return FAIL(f, "BlockSizes=%.*s is not a list of up to %d numbers above 0",
                        SHOW(s), (int)most_sizes);
        int64_t ratio = f->sizes > 0 ? size / f->size[0] : 1;
        if (f->sizes > 0 && (size <= f->size[f->sizes - 1] || size % f->size[0] != 0 ||
                             (ratio & (ratio - 1)) != 0))
            return FAIL(
                f,
                "BlockSizes=%.*s: each size must be the first one times a power of two, "
                "and larger than the one before",
                SHOW(s));
        f->size[f->sizes++] = size;
        p = behind;
        if (p == end)
            return CLEAVE_OK;
    }
}

/* The settings of a line by key; NULL: absent. */
static cleave_status sort_settings(const fabric *f, const char *const *keys, int nkeys,
                                   const clv_conf_setting **by_key)
{
    for (int i = 0; i < f->conf.count; i++) {
        const clv_conf_setting *s = &f->conf.setting[i];
        int k = 0;
        while (k < nkeys && !clv_conf_is(s, keys[k]))
            k++;
        if (k == nkeys && clv_conf_is(s, "include"))
            return FAIL(f, "Include is not followed: put the lines of that file here");
        if (k == nkeys)
            return FAIL(
                f,
                "\"%.*s\" is not a setting of a topology; known are SwitchName, Switches, "
                "Nodes, LinkSpeed, BlockName and BlockSizes",
                (int)(s->key_length < most_shown ? s->key_length : most_shown), s->key);
        if (by_key[k])
            return FAIL(f, "%.*s= occurs twice in the line", (int)s->key_length, s->key);
        by_key[k] = s;
    }
    return CLEAVE_OK;
}

static cleave_status read_line(fabric *f)
{
    enum { switch_name_key, switches, nodes, link_speed, block_name, block_sizes, nkeys };
    static const char *const keys[] = {"switchname", "switches",  "nodes",
                                       "linkspeed",  "blockname", "blocksizes"};
    const clv_conf_setting *by_key[nkeys] = {0};
    CLV_TRY(sort_settings(f, keys, nkeys, by_key));
    f->has_switches = f->has_switches || by_key[switch_name_key];
    f->has_blocks = f->has_blocks || by_key[block_name] || by_key[block_sizes];
    if (f->has_switches && f->has_blocks)
        return FAIL(f, "there are switches and blocks in one topology");
    if (by_key[switch_name_key])
        return read_switch(f, "switch", by_key[switch_name_key], by_key[nodes],
                           by_key[switches]);
    if (by_key[block_name] && by_key[switches])
        return FAIL(f, "a block has Nodes=, not Switches=");
    if (by_key[block_name])
        CLV_TRY(read_switch(f, "block", by_key[block_name], by_key[nodes], by_key[switches]));
    else if (!by_key[block_sizes])
        return FAIL(f, "the line has neither SwitchName= nor BlockName=");
    return by_key[block_sizes] ? read_sizes(f, by_key[block_sizes]) : CLEAVE_OK;
}

/* ---- Building --------------------------------------------------------------------------- */

static cleave_status add_leaves(fabric *f, int32_t s, int32_t node, int32_t *npes)
{
    int32_t ignored;
    for (int32_t i = 0; i < f->info[s].count; i++) {
        f->node_of_pe[(*npes)++] = f->info[s].first + i;
        CLV_TRY(clv_switch_builder_add(&f->tree, node, &ignored, f->err));
    }
    return CLEAVE_OK;
}

/* Switches that were not visited are in cycles, or below one. */
static cleave_status refuse_cycle(fabric *f, const int32_t *above)
{
    int32_t s = 0;
    while (above[s] >= 0)
        s++;
    for (int32_t i = 0; i < f->switches.count; i++)
        s = f->info[s].parent;
    f->conf.line = f->info[s].line;
    return FAIL(f, "switch %.60s is above itself", switch_name(f, s));
}

/* Builds the tree below the top switches, in the order of their lists. */
static cleave_status build_switches(fabric *f)
{
    int32_t total = f->switches.count, depth = 0, visited = 0, npes = 0, root = 0;
    int32_t *stack = clv_ws_alloc(&f->ws, total, sizeof *stack); /* switches to come */
    int32_t *above = clv_ws_alloc(&f->ws, total, sizeof *above); /* by switch: a tree node */
    if (!stack || !above)
        return clv_fail_memory(f->err);
    CLV_TRY(clv_switch_builder_add(&f->tree, -1, &root, f->err));
    for (int32_t s = total - 1; s >= 0; s--) {
        above[s] = f->info[s].parent < 0 ? root : -1;
        if (f->info[s].parent < 0)
            stack[depth++] = s;
    }
    while (depth > 0) {
        int32_t s = stack[--depth], node = 0;
        const fabric_switch *info = &f->info[s];
        visited++;
        CLV_TRY(clv_switch_builder_add(&f->tree, above[s], &node, f->err));
        if (info->leaf)
            CLV_TRY(add_leaves(f, s, node, &npes));
        for (int32_t i = info->leaf ? 0 : info->count; i-- > 0;) {
            int32_t below = f->child[info->first + i];
            above[below] = node;
            stack[depth++] = below;
        }
    }
    return visited == total ? CLEAVE_OK : refuse_cycle(f, above);
}

/* Blocks in file order; consecutive blocks are joined according to the sizes. */
static cleave_status build_blocks(fabric *f)
{
    int32_t group[most_sizes] = {0}, npes = 0,
            root = 0; /* group[i]: the present one of a size */
    CLV_TRY(clv_switch_builder_add(&f->tree, -1, &root, f->err));
    for (int32_t block = 0; block < f->switches.count; block++) {
        int32_t above = root;
        for (int i = f->sizes - 1; i > 0; i--) {
            if (block % (f->size[i] / f->size[0]) == 0)
                CLV_TRY(clv_switch_builder_add(&f->tree, above, &group[i], f->err));
            above = group[i];
        }
        int32_t node = 0;
        CLV_TRY(clv_switch_builder_add(&f->tree, above, &node, f->err));
        CLV_TRY(add_leaves(f, block, node, &npes));
    }
    return CLEAVE_OK;
}

static cleave_status read_topology(fabric *f)
{
    for (;;) {
        CLV_TRY(clv_conf_next(&f->conf));
        if (f->conf.count == 0)
            break;
        CLV_TRY(read_line(f));
    }
    if (f->switches.count == 0)
        return clv_fail_at(f->err, CLEAVE_EPARSE, f->conf.path, 0,
                           "there is neither a switch nor a block in it");
    for (int32_t s = 0; s < f->switches.count; s++) {
        if (f->info[s].line > 0)
            continue;
        f->conf.line = f->info[f->info[s].parent].line;
        return FAIL(f, "switch %.60s has no line of its own", switch_name(f, s));
    }
    clv_name_table_freeze(&f->switches);
    clv_name_table_freeze(&f->nodes);
    return CLEAVE_OK;
}

/* Sets the names of the PEs; the target owns the text. */
static cleave_status name_pes(clv_target *t, const fabric *f)
{
    const clv_name_table *nodes = &f->nodes;
    char **name = clv_arena_alloc(&t->arena, t->npes, sizeof *name);
    char *text = clv_arena_alloc(&t->arena, nodes->offset[nodes->count], 1);
    if (!name || !text)
        return clv_fail_memory(f->err);
    memcpy(text, nodes->text, (size_t)nodes->offset[nodes->count]);
    for (int32_t pe = 0; pe < t->npes; pe++)
        name[pe] = text + nodes->offset[f->node_of_pe[pe]];
    t->name = name;
    return CLEAVE_OK;
}

static cleave_status make_target(clv_target **out, fabric *f, const char *path)
{
    CLV_TRY(clv_conf_open(&f->conf, path, f->err));
    CLV_TRY(read_topology(f));
    f->node_of_pe = clv_ws_alloc(&f->ws, f->nodes.count, sizeof *f->node_of_pe);
    if (!f->node_of_pe)
        return clv_fail_memory(f->err);
    CLV_TRY(f->has_blocks ? build_blocks(f) : build_switches(f));
    CLV_TRY(clv_switch_builder_finish(out, &f->tree, true, f->err));
    cleave_status status = name_pes(*out, f);
    if (status != CLEAVE_OK) {
        clv_target_free(*out);
        *out = NULL;
    }
    return status;
}

cleave_status clv_target_slurm(clv_target **out, const char *path, cleave_error *err)
{
    fabric f = {.err = err};
    *out = NULL;
    cleave_status status = make_target(out, &f, path);
    clv_conf_free(&f.conf);
    clv_name_table_free(&f.switches);
    clv_name_table_free(&f.nodes);
    clv_sys_free(f.info);
    clv_sys_free(f.child);
    clv_switch_builder_free(&f.tree);
    clv_ws_free(&f.ws);
    return status;
}

const clv_target_form clv_target_form_slurm = {
    .prefix = "slurm:",
    .example = "slurm:FILE",
    .description =
        "the nodes of a cluster (topology.conf); the distance is the levels climbed",
    .file = true,
    .parse = clv_target_slurm,
};
