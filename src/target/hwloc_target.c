/* SPDX-License-Identifier: Apache-2.0 */
/* target/hwloc_target.c - see target/hwloc_target.h.
 *
 * Converts hwloc's tree of objects to a clv_hardware, from which target/hardware.c makes the
 * target. */
#include "target/hwloc_target.h"

#include <string.h>

#include "target/target_forms.h"

#ifdef CLEAVE_HAVE_HWLOC

#include <hwloc.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/number.h"
#include "base/threads.h"
#include "formats/input.h"
#include "target/hardware.h"
#include "target/numa_target.h"

enum {
    largest_file = 1 << 26,
    most_synthetic = 4096,
    /* Upper bounds on the memory that hwloc needs: in any case, per byte of a file, per
     * hardware thread. */
    base_need = 64 << 20, /* its plug-ins load large libraries */
    need_per_byte = 16,
    need_per_thread = 16 << 10
};

typedef struct survey {
    hwloc_topology_t topology;
    hwloc_cpuset_t usable, common; /* common: scratch */
    char *xml;                     /* the text of the file, while it is loaded */
    clv_hardware h;                /* its arrays are from ws */
    hwloc_obj_t *object;           /* by object of h */
    clv_ws ws;
    cleave_error *err;
} survey;

/* ---- Sources of the description --------------------------------------------------------- */

/* If an allocation inside hwloc fails, it dereferences NULL, and the process crashes: it is
 * only called after a successful allocation of what it needs. */
static cleave_status open_topology(survey *s, int64_t need)
{
    void *probe = clv_alloc(need, 1);
    if (!probe)
        return clv_fail_memory(s->err);
    clv_sys_free(probe);
    if (hwloc_topology_init(&s->topology) != 0) {
        s->topology = NULL;
        return clv_fail_memory(s->err);
    }
    s->usable = hwloc_bitmap_alloc();
    s->common = hwloc_bitmap_alloc();
    return s->usable && s->common ? CLEAVE_OK : clv_fail_memory(s->err);
}

static cleave_status load_this_machine(survey *s)
{
    CLV_TRY(open_topology(s, base_need + (int64_t)need_per_thread * clv_processors()));
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
    CLV_TRY(open_topology(s, base_need + need_per_byte * count));
    if (hwloc_topology_set_xmlbuffer(s->topology, s->xml, (int)count + 1) != 0 ||
        hwloc_topology_load(s->topology) != 0)
        return clv_fail_at(s->err, CLEAVE_EPARSE, path, 0,
                           "is not an XML file of hwloc 1 or 2, as lstopo writes them");
    return use_all(s);
}

/* The number of smallest objects in a synthetic description, at most most_synthetic + 1:
 * numbers in parentheses are attributes, those in brackets memory. */
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
    int64_t threads = count_synthetic(text);
    if (threads > most_synthetic)
        return clv_fail(s->err, CLEAVE_ERANGE,
                        "\"" CLV_TARGET_SHOWN
                        "\" has more than %d hardware threads, for which hwloc takes too "
                        "long: write tree:4:8@1:10 and the like",
                        CLV_TARGET_SHOW(text, strlen(text)), (int)most_synthetic);
    CLV_TRY(open_topology(s, base_need + need_per_thread * threads));
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

/* A name that must be a file is reported as a missing file. */
static bool is_file(const char *text)
{
    struct stat info;
    return strcmp(text, "-") == 0 || stat(text, &info) == 0 || strchr(text, '/') ||
           ends_in(text, ".xml") || ends_in(text, ".xml.gz");
}

/* ---- The objects ------------------------------------------------------------------------ */

static bool is_usable(const survey *s, hwloc_obj_t o)
{
    return o->cpuset && hwloc_bitmap_intersects(o->cpuset, s->usable);
}

static void name_object(hwloc_obj_t o, char name[CLV_HARDWARE_NAME])
{
    char type[24];
    uint64_t bytes = o->type == HWLOC_OBJ_NUMANODE      ? o->attr->numanode.local_memory
                     : hwloc_obj_type_is_cache(o->type) ? o->attr->cache.size
                                                        : 0;
    hwloc_obj_type_snprintf(type, sizeof type, o, 0);
    if (o->type == HWLOC_OBJ_MACHINE)
        snprintf(name, CLV_HARDWARE_NAME, "Machine");
    else
        clv_hardware_print_name(name, type, (int32_t)o->logical_index, bytes);
}

static int32_t add_object(survey *s, hwloc_obj_t o, int32_t parent, clv_hardware_kind kind)
{
    int32_t number = s->h.count++;
    if (s->h.object) {
        s->h.object[number] = (clv_hardware_object){.kind = kind,
                                                    .parent = parent,
                                                    .number = (int32_t)o->logical_index,
                                                    .cpu = -1,
                                                    .node = -1};
        name_object(o, s->h.object[number].name);
        s->object[number] = o;
    }
    return number;
}

/* The recursion is shallow: hwloc's trees have few levels. */
static void list_objects(survey *s, hwloc_obj_t o, int32_t parent)
{
    int32_t number = add_object(s, o, parent,
                                o->type == HWLOC_OBJ_PU     ? CLV_HARDWARE_PU
                                : o->type == HWLOC_OBJ_CORE ? CLV_HARDWARE_CORE
                                                            : CLV_HARDWARE_GROUP);
    for (hwloc_obj_t m = o->memory_first_child; m; m = m->next_sibling)
        if (m->type == HWLOC_OBJ_NUMANODE)
            add_object(s, m, number, CLV_HARDWARE_MEMORY);
    for (hwloc_obj_t child = o->first_child; child; child = child->next_sibling)
        if (is_usable(s, child))
            list_objects(s, child, number);
}

/* Two passes: count, then store. */
static cleave_status find_objects(survey *s)
{
    hwloc_obj_t root = hwloc_get_root_obj(s->topology);
    list_objects(s, root, -1);
    s->h.object = clv_ws_alloc(&s->ws, s->h.count, sizeof *s->h.object);
    s->object = clv_ws_alloc(&s->ws, s->h.count, sizeof *s->object);
    if (!s->h.object || !s->object)
        return clv_fail_memory(s->err);
    s->h.count = 0;
    list_objects(s, root, -1);
    s->h.packages = hwloc_get_nbobjs_by_type(s->topology, HWLOC_OBJ_PACKAGE);
    s->h.memories = hwloc_get_nbobjs_by_type(s->topology, HWLOC_OBJ_NUMANODE);
    for (int32_t i = 0; i < s->h.count; i++) {
        if (s->h.object[i].kind == CLV_HARDWARE_MEMORY)
            continue;
        if (hwloc_bitmap_and(s->common, s->object[i]->cpuset, s->usable) != 0)
            return clv_fail_memory(s->err);
        s->h.object[i].cpu = (int32_t)hwloc_bitmap_first(s->common);
    }
    return CLEAVE_OK;
}

/* ---- Speeds ----------------------------------------------------------------------------- */

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

/* Kinds are numbered from the slowest if hwloc has a ranking. */
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

/* False: speeds are unknown. */
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

/* The speed of a core is that of its first thread. */
static cleave_status find_speeds(survey *s)
{
    int kinds = hwloc_cpukinds_get_nr(s->topology, 0);
    if (kinds < 2)
        return CLEAVE_OK;
    double *by_kind = clv_ws_alloc(&s->ws, kinds, sizeof *by_kind);
    if (!by_kind)
        return clv_fail_memory(s->err);
    if (!kind_speeds(s, kinds, by_kind))
        return CLEAVE_OK;
    for (int32_t i = 0; i < s->h.count; i++) {
        clv_hardware_object *o = &s->h.object[i];
        if (o->cpu < 0)
            continue;
        if (hwloc_bitmap_only(s->common, (unsigned)o->cpu) != 0)
            return clv_fail_memory(s->err);
        int kind = hwloc_cpukinds_get_by_cpuset(s->topology, s->common, 0);
        o->speed = kind < 0 ? 0 : by_kind[kind];
    }
    return CLEAVE_OK;
}

#else

static cleave_status find_speeds(survey *s)
{
    (void)s;
    return CLEAVE_OK;
}

#endif

/* ---- NUMA ------------------------------------------------------------------------------- */

/* The smallest node of the matrix that contains the object; -1: none. */
static int32_t node_of(const struct hwloc_distances_s *d, hwloc_obj_t o)
{
    int32_t best = -1;
    for (unsigned i = 0; i < d->nbobjs; i++) {
        hwloc_const_cpuset_t set = d->objs[i] ? d->objs[i]->cpuset : NULL;
        if (set && hwloc_bitmap_isincluded(o->cpuset, set) &&
            (best < 0 ||
             hwloc_bitmap_weight(set) < hwloc_bitmap_weight(d->objs[best]->cpuset)))
            best = (int32_t)i;
    }
    return best;
}

static cleave_status copy_matrix(survey *s, const struct hwloc_distances_s *d)
{
    int64_t n = d->nbobjs;
    s->h.latency = clv_ws_alloc(&s->ws, n * n, sizeof *s->h.latency);
    if (!s->h.latency)
        return clv_fail_memory(s->err);
    for (int64_t i = 0; i < n * n; i++)
        s->h.latency[i] = d->values[i];
    for (int32_t i = 0; i < s->h.count; i++)
        if (s->h.object[i].cpu >= 0)
            s->h.object[i].node = node_of(d, s->object[i]);
    s->h.nodes = (int32_t)n;
    return CLEAVE_OK;
}

static cleave_status find_latencies(survey *s)
{
    struct hwloc_distances_s *d = NULL;
    unsigned count = 1;
    if (hwloc_distances_get_by_type(s->topology, HWLOC_OBJ_NUMANODE, &count, &d,
                                    HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0) != 0 ||
        count == 0 || !d)
        return CLEAVE_OK;
    cleave_status status = CLEAVE_OK;
    if (d->nbobjs >= 2 && d->nbobjs <= clv_most_numa_nodes)
        status = copy_matrix(s, d);
    hwloc_distances_release(s->topology, d);
    return status;
}

/* ---- The target ------------------------------------------------------------------------- */

static cleave_status find_hardware(survey *s, const char *text)
{
    CLV_TRY(!text           ? load_this_machine(s)
            : is_file(text) ? load_file(s, text)
                            : load_synthetic(s, text));
    CLV_TRY(find_objects(s));
    CLV_TRY(find_latencies(s));
    return find_speeds(s);
}

/* text NULL: this machine. */
static cleave_status survey_machine(clv_target **out, const char *text, bool pu,
                                    cleave_error *err)
{
    survey s = {.err = err};
    *out = NULL;
    cleave_status status = find_hardware(&s, text);
    if (s.topology)
        hwloc_topology_destroy(s.topology);
    hwloc_bitmap_free(s.usable);
    hwloc_bitmap_free(s.common);
    clv_sys_free(s.xml);
    if (status == CLEAVE_OK)
        status = clv_target_hardware(out, &s.h, pu, err);
    clv_ws_free(&s.ws);
    return status;
}

cleave_status clv_target_hwloc_machine(clv_target **out, bool pu, cleave_error *err)
{
    return survey_machine(out, NULL, pu, err);
}

cleave_status clv_target_hwloc(clv_target **out, const char *text, cleave_error *err)
{
    bool pu = strncmp(text, "pu:", 3) == 0;
    return survey_machine(out, pu ? text + 3 : text, pu, err);
}

#else

cleave_status clv_target_hwloc(clv_target **out, const char *text, cleave_error *err)
{
    *out = NULL;
    return clv_fail(err, CLEAVE_EINVAL,
                    "\"" CLV_TARGET_SHOWN
                    "\" is a machine for hwloc, and this library was built without it",
                    CLV_TARGET_SHOW(text, strlen(text)));
}

#endif

const clv_target_form clv_target_form_hwloc = {
    .prefix = "hwloc:",
    .example = "hwloc:FILE",
    .description = "a topology saved by hwloc (.xml), or a synthetic description for hwloc",
    .file = true,
    .parse = clv_target_hwloc,
};
