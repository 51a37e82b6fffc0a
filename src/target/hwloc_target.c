/* SPDX-License-Identifier: Apache-2.0 */
/* target/hwloc_target.c - see target/hwloc_target.h.
 *
 * hwloc's tree of objects is walked from the root down; what holds a core that may be used
 * becomes a node of the tree of switches, and nodes that distinguish nothing disappear there
 * (target/switch_builder.h). */
#include "target/hwloc_target.h"

#include <string.h>

#ifdef CLEAVE_HAVE_HWLOC

#include <hwloc.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/number.h"
#include "formats/input.h"
#include "target/hwloc_nest.h"
#include "target/numa_target.h"
#include "target/switch_builder.h"

enum { largest_file = 1 << 26, most_synthetic = 4096, name_bytes = 16 };

typedef struct survey {
    hwloc_topology_t topology;
    hwloc_cpuset_t usable, common; /* common: scratch */
    bool pu;
    char *xml; /* the text of the file, while it is loaded */
    clv_switch_builder tree;
    int32_t npes, room;
    hwloc_obj_t *object; /* by PE */
    clv_ws ws;
    cleave_error *err;
} survey;

/* ---- Where the description comes from -----------------------------------------------------
 */

static cleave_status load_this_machine(survey *s)
{
    if (hwloc_topology_load(s->topology) != 0)
        return clv_fail(s->err, CLEAVE_EIO, "hwloc cannot examine this machine");
    if (!hwloc_topology_is_thissystem(s->topology))
        return clv_fail(
            s->err, CLEAVE_EINVAL,
            "the environment makes hwloc describe another machine than this: unset "
            "HWLOC_XMLFILE, HWLOC_SYNTHETIC and HWLOC_FSROOT, or write hwloc:FILE");
    hwloc_const_cpuset_t all = hwloc_topology_get_allowed_cpuset(s->topology);
    if (hwloc_get_cpubind(s->topology, s->usable, HWLOC_CPUBIND_PROCESS) != 0)
        return hwloc_bitmap_copy(s->usable, all) == 0 ? CLEAVE_OK : clv_fail_memory(s->err);
    return hwloc_bitmap_and(s->usable, s->usable, all) == 0 ? CLEAVE_OK
                                                            : clv_fail_memory(s->err);
}

static cleave_status use_all(survey *s)
{
    hwloc_const_cpuset_t all = hwloc_topology_get_allowed_cpuset(s->topology);
    return hwloc_bitmap_copy(s->usable, all) == 0 ? CLEAVE_OK : clv_fail_memory(s->err);
}

static cleave_status load_file(survey *s, const char *path)
{
    clv_input *in;
    int64_t count = 0;
    CLV_TRY(clv_input_open(&in, path, NULL, NULL, s->err));
    cleave_status status = clv_input_slurp(in, largest_file, &s->xml, &count, s->err);
    clv_input_close(in);
    CLV_TRY(status);
    if (hwloc_topology_set_xmlbuffer(s->topology, s->xml, (int)count + 1) != 0 ||
        hwloc_topology_load(s->topology) != 0)
        return clv_fail_at(s->err, CLEAVE_EPARSE, path, 0,
                           "is no XML file of hwloc 1 or 2, as lstopo writes them");
    return use_all(s);
}

/* How many of the smallest objects a synthetic description asks for, at most most_synthetic
 * + 1: numbers in parentheses are attributes, those in brackets memory. */
static int64_t count_synthetic(const char *text)
{
    int64_t product = 1, value;
    bool overflow = false;
    while (*text && product <= most_synthetic) {
        if (*text == '(' || *text == '[') {
            text += strcspn(text, *text == '(' ? ")" : "]");
            continue;
        }
        bool starts = *text == ':' || *text == ' ';
        const char *digits = starts ? text + 1 : text;
        size_t length = strspn(digits, "0123456789");
        if (length == 0) { /* a word such as l3 */
            text += *text == ' ' ? 1 : 1 + strcspn(text + 1, ": ([");
            continue;
        }
        clv_parse_i64(digits, digits + length, &value, &overflow);
        product = overflow || value > most_synthetic ? most_synthetic + 1
                  : value > 0                        ? product * value
                                                     : product;
        text = digits + length;
    }
    return product;
}

static cleave_status load_synthetic(survey *s, const char *text)
{
    if (count_synthetic(text) > most_synthetic)
        return clv_fail(s->err, CLEAVE_ERANGE,
                        "\"" CLV_TARGET_SHOWN
                        "\" has more than %d hardware threads, for which hwloc takes too "
                        "long: write tree:4:8@1:10 and the like",
                        CLV_TARGET_SHOW(text, strlen(text)), (int)most_synthetic);
    if (hwloc_topology_set_synthetic(s->topology, text) != 0 ||
        hwloc_topology_load(s->topology) != 0)
        return clv_fail(s->err, CLEAVE_EINVAL,
                        "\"" CLV_TARGET_SHOWN
                        "\" is neither a file nor a machine that hwloc can make, such as "
                        "\"pack:2 core:4 pu:2\"",
                        CLV_TARGET_SHOW(text, strlen(text)));
    return use_all(s);
}

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* A name that can only be meant as a file is reported as a missing file. */
static bool is_file(const char *text)
{
    struct stat info;
    return strcmp(text, "-") == 0 || stat(text, &info) == 0 || strchr(text, '/') ||
           ends_in(text, ".xml") || ends_in(text, ".xml.gz");
}

/* ---- The tree -----------------------------------------------------------------------------
 */

static bool is_pe(const survey *s, hwloc_obj_t o)
{
    return o->type == HWLOC_OBJ_PU || (o->type == HWLOC_OBJ_CORE && !s->pu);
}

static cleave_status add_pe(survey *s, hwloc_obj_t o)
{
    if (s->npes == s->room) {
        int32_t room = 2 * s->room + 256;
        hwloc_obj_t *larger = clv_realloc(s->object, room, sizeof *larger);
        if (!larger)
            return clv_fail_memory(s->err);
        s->object = larger;
        s->room = room;
    }
    s->object[s->npes++] = o;
    return CLEAVE_OK;
}

/* The next object behind o and all that is below it. */
static hwloc_obj_t behind(hwloc_obj_t o)
{
    while (o && !o->next_sibling)
        o = o->parent;
    return o ? o->next_sibling : NULL;
}

/* userdata is the number of the object in the tree: nobody else uses this topology. */
static cleave_status walk(survey *s)
{
    hwloc_obj_t o = hwloc_get_root_obj(s->topology);
    while (o) {
        if (!o->cpuset || !hwloc_bitmap_intersects(o->cpuset, s->usable)) {
            o = behind(o);
            continue;
        }
        int32_t parent = o->parent ? (int32_t)(intptr_t)o->parent->userdata : -1, number = 0;
        CLV_TRY(clv_switch_builder_add(&s->tree, parent, &number, s->err));
        o->userdata = (void *)(intptr_t)number;
        if (is_pe(s, o))
            CLV_TRY(add_pe(s, o));
        o = is_pe(s, o) || !o->first_child ? behind(o) : o->first_child;
    }
    if (s->npes == 0)
        return clv_fail(s->err, CLEAVE_EINVAL, "hwloc knows no cores of this machine");
    return CLEAVE_OK;
}

/* Names and seats of the PEs. */
static cleave_status describe_pes(survey *s, clv_target *t)
{
    char **name = clv_arena_alloc(&t->arena, t->npes, sizeof *name);
    char *text = clv_arena_alloc(&t->arena, (int64_t)t->npes * name_bytes, 1);
    clv_seat *seat = clv_arena_alloc(&t->arena, t->npes, sizeof *seat);
    if (!name || !text || !seat)
        return clv_fail_memory(s->err);
    for (int32_t pe = 0; pe < t->npes; pe++) {
        hwloc_obj_t o = s->object[pe];
        name[pe] = text + (int64_t)pe * name_bytes;
        snprintf(name[pe], name_bytes, "%s:%d", o->type == HWLOC_OBJ_PU ? "pu" : "core",
                 (int)o->logical_index);
        if (hwloc_bitmap_and(s->common, o->cpuset, s->usable) != 0)
            return clv_fail_memory(s->err);
        seat[pe] =
            (clv_seat){0, (int32_t)o->logical_index, (int32_t)hwloc_bitmap_first(s->common)};
    }
    t->name = name;
    t->seat = seat;
    t->per_node = INT32_MAX; /* one computer, whatever it has */
    return CLEAVE_OK;
}

/* ---- Speeds -------------------------------------------------------------------------------
 */

#if HWLOC_API_VERSION >= 0x00020400

static double kind_number(survey *s, int kind, const char *name)
{
    unsigned count = 0;
    struct hwloc_info_s *infos = NULL;
    double value = 0;
    if (hwloc_cpukinds_get_info(s->topology, (unsigned)kind, NULL, NULL, &count, &infos, 0) !=
        0)
        return 0;
    for (unsigned i = 0; i < count; i++) {
        const char *end = infos[i].value + strlen(infos[i].value);
        if (strcmp(infos[i].name, name) == 0 &&
            clv_parse_double(infos[i].value, end, &value) == end)
            return value > 0 && value < 1e9 ? value : 0;
    }
    return 0;
}

/* Kinds are numbered from the slowest when hwloc knows a ranking. */
static bool speeds_by_number(survey *s, int kinds, const char *name, double *speed)
{
    for (int k = 0; k < kinds; k++) {
        speed[k] = kind_number(s, k, name);
        if (speed[k] <= 0 || (k > 0 && speed[k] < speed[k - 1]))
            return false;
    }
    for (int k = kinds - 1; k >= 0; k--)
        speed[k] /= speed[0];
    return true;
}

/* False: nothing is known. */
static bool kind_speeds(survey *s, int kinds, double *speed)
{
    int efficiency = -1;
    if (hwloc_cpukinds_get_info(s->topology, 0, NULL, &efficiency, NULL, NULL, 0) != 0 ||
        efficiency < 0)
        return false;
    if (speeds_by_number(s, kinds, "LinuxCapacity", speed) ||
        speeds_by_number(s, kinds, "FrequencyBaseMHz", speed) ||
        speeds_by_number(s, kinds, "FrequencyMaxMHz", speed))
        return true;
    for (int k = 0; k < kinds; k++)
        speed[k] = k + 1;
    return true;
}

static cleave_status set_speeds(survey *s, clv_target *t)
{
    int kinds = hwloc_cpukinds_get_nr(s->topology, 0);
    if (kinds < 2)
        return CLEAVE_OK;
    double *by_kind = clv_ws_alloc(&s->ws, kinds, sizeof *by_kind);
    double *speed = clv_ws_alloc(&s->ws, t->npes, sizeof *speed);
    if (!by_kind || !speed)
        return clv_fail_memory(s->err);
    if (!kind_speeds(s, kinds, by_kind))
        return CLEAVE_OK;
    for (int32_t pe = 0; pe < t->npes; pe++) { /* a core is as fast as its first thread */
        if (hwloc_bitmap_only(s->common, (unsigned)t->seat[pe].cpu) != 0)
            return clv_fail_memory(s->err);
        int kind = hwloc_cpukinds_get_by_cpuset(s->topology, s->common, 0);
        if (kind < 0)
            return CLEAVE_OK;
        speed[pe] = by_kind[kind];
    }
    return clv_target_set_speeds(t, speed, s->err);
}

#else

static cleave_status set_speeds(survey *s, clv_target *t)
{
    (void)s;
    (void)t;
    return CLEAVE_OK;
}

#endif

/* ---- NUMA ---------------------------------------------------------------------------------
 */

/* The smallest of the matrix's nodes that holds the PE; -1: none does. */
static int32_t node_of(const struct hwloc_distances_s *d, hwloc_obj_t pe)
{
    int32_t best = -1;
    for (unsigned i = 0; i < d->nbobjs; i++) {
        hwloc_const_cpuset_t set = d->objs[i] ? d->objs[i]->cpuset : NULL;
        if (set && hwloc_bitmap_isincluded(pe->cpuset, set) &&
            (best < 0 ||
             hwloc_bitmap_weight(set) < hwloc_bitmap_weight(d->objs[best]->cpuset)))
            best = (int32_t)i;
    }
    return best;
}

/* Leaves nodes 0 when the matrix does not cover all PEs. */
static cleave_status copy_matrix(survey *s, const struct hwloc_distances_s *d, clv_numa *numa)
{
    int64_t n = d->nbobjs;
    int32_t *nodes = clv_ws_alloc(&s->ws, s->npes, sizeof *nodes);
    uint64_t *latency = clv_ws_alloc(&s->ws, n * n, sizeof *latency);
    if (!nodes || !latency)
        return clv_fail_memory(s->err);
    for (int32_t pe = 0; pe < s->npes; pe++) {
        nodes[pe] = node_of(d, s->object[pe]);
        if (nodes[pe] < 0)
            return CLEAVE_OK;
    }
    for (int64_t i = 0; i < n * n; i++)
        latency[i] = d->values[i];
    *numa = (clv_numa){.nodes = (int32_t)n, .node_of = nodes, .latency = latency};
    return CLEAVE_OK;
}

static cleave_status find_matrix(survey *s, clv_numa *numa)
{
    struct hwloc_distances_s *d = NULL;
    unsigned count = 1;
    if (hwloc_distances_get_by_type(s->topology, HWLOC_OBJ_NUMANODE, &count, &d,
                                    HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0) != 0 ||
        count == 0 || !d)
        return CLEAVE_OK;
    cleave_status status = CLEAVE_OK;
    if (d->nbobjs >= 2 && d->nbobjs <= clv_most_numa_nodes)
        status = copy_matrix(s, d, numa);
    hwloc_distances_release(s->topology, d);
    return status;
}

/* ---- All together -------------------------------------------------------------------------
 */

static void put_words(const survey *s, const clv_target *t, const clv_numa *numa, char *words,
                      size_t size)
{
    int packages = hwloc_get_nbobjs_by_type(s->topology, HWLOC_OBJ_PACKAGE);
    int nodes = hwloc_get_nbobjs_by_type(s->topology, HWLOC_OBJ_NUMANODE);
    packages = packages > 0 ? packages : 1;
    snprintf(words, size, "computer with %ld %s%s, %d package%s, %d NUMA node%s%s",
             (long)t->npes, s->object[0]->type == HWLOC_OBJ_PU ? "hardware thread" : "core",
             t->npes == 1 ? "" : "s", packages, packages == 1 ? "" : "s", nodes,
             nodes == 1 ? "" : "s", numa->nodes > 0 ? " at measured distances" : "");
}

static cleave_status finish(clv_target **out, survey *s)
{
    clv_target *tree = NULL;
    clv_numa numa = {0};
    char words[160];
    CLV_TRY(walk(s));
    CLV_TRY(find_matrix(s, &numa));
    CLV_TRY(clv_switch_builder_finish(&tree, &s->tree, false, s->err));
    clv_nest *nest = NULL;
    cleave_status status =
        clv_hwloc_nest(&nest, s->topology, s->usable, s->pu, &tree->arena, s->err);
    numa.nest = nest;
    if (status == CLEAVE_OK && tree->npes != s->npes)
        status = clv_fail(s->err, CLEAVE_EINVAL, "hwloc describes parts without any core");
    if (status == CLEAVE_OK)
        status = describe_pes(s, tree);
    if (status == CLEAVE_OK)
        status = set_speeds(s, tree);
    if (status != CLEAVE_OK) {
        clv_target_free(tree);
        return status;
    }
    put_words(s, tree, &numa, words, sizeof words);
    return clv_target_numa(out, tree, &numa, words, s->err);
}

/* text NULL: this machine. */
static cleave_status make(clv_target **out, survey *s, const char *text)
{
    if (hwloc_topology_init(&s->topology) != 0) {
        s->topology = NULL;
        return clv_fail_memory(s->err);
    }
    s->usable = hwloc_bitmap_alloc();
    s->common = hwloc_bitmap_alloc();
    if (!s->usable || !s->common)
        return clv_fail_memory(s->err);
    CLV_TRY(!text           ? load_this_machine(s)
            : is_file(text) ? load_file(s, text)
                            : load_synthetic(s, text));
    return finish(out, s);
}

static cleave_status survey_machine(clv_target **out, const char *text, bool pu,
                                    cleave_error *err)
{
    survey s = {.pu = pu, .err = err};
    *out = NULL;
    cleave_status status = make(out, &s, text);
    if (s.topology)
        hwloc_topology_destroy(s.topology);
    hwloc_bitmap_free(s.usable);
    hwloc_bitmap_free(s.common);
    clv_sys_free(s.xml);
    clv_sys_free(s.object);
    clv_switch_builder_free(&s.tree);
    clv_ws_free(&s.ws);
    return status;
}

cleave_status clv_target_this_machine(clv_target **out, bool pu, cleave_error *err)
{
    return survey_machine(out, NULL, pu, err);
}

cleave_status clv_target_hwloc(clv_target **out, const char *text, cleave_error *err)
{
    bool pu = strncmp(text, "pu:", 3) == 0;
    return survey_machine(out, pu ? text + 3 : text, pu, err);
}

#else

#include <sched.h>

#include "base/threads.h"

/* The numbers of the processors that this process may use, as far as the system tells. */
static void find_cpus(clv_seat *seat, int32_t count)
{
    int32_t found = 0;
    for (int32_t i = 0; i < count; i++)
        seat[i] = (clv_seat){0, i, i};
#ifdef CPU_COUNT_S
    cpu_set_t mask[65536 / CPU_SETSIZE];
    if (sched_getaffinity(0, sizeof mask, mask) == 0)
        for (int32_t cpu = 0; cpu < 65536 && found < count; cpu++)
            if (CPU_ISSET_S((size_t)cpu, sizeof mask, mask))
                seat[found++].cpu = cpu;
#endif
    (void)found;
}

cleave_status clv_target_this_machine(clv_target **out, bool pu, cleave_error *err)
{
    (void)pu;
    CLV_TRY(clv_target_new(out, clv_processors(), NULL, err));
    clv_seat *seat = clv_arena_alloc(&(*out)->arena, (*out)->npes, sizeof *seat);
    if (!seat) {
        clv_target_free(*out);
        *out = NULL;
        return clv_fail_memory(err);
    }
    find_cpus(seat, (*out)->npes);
    (*out)->seat = seat;
    (*out)->per_node = INT32_MAX;
    return CLEAVE_OK;
}

cleave_status clv_target_hwloc(clv_target **out, const char *text, cleave_error *err)
{
    *out = NULL;
    return clv_fail(err, CLEAVE_EINVAL,
                    "\"" CLV_TARGET_SHOWN
                    "\" is a machine for hwloc, and this library was built without it",
                    CLV_TARGET_SHOW(text, strlen(text)));
}

#endif
