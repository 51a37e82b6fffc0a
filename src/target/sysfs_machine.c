/* SPDX-License-Identifier: Apache-2.0 */
/* target/sysfs_machine.c - see target/sysfs_machine.h.
 *
 * Every object is a set of CPUs (target/cpu_sets.h).  Missing or malformed files count as
 * unknown. */
#include "target/sysfs_machine.h"

#include <stdio.h>
#include <string.h>

#include "target/cpu_sets.h"
#include "target/numa_groups.h"
#include "target/numa_target.h"
#include "target/sysfs_text.h"

enum { most_caches = 16 };

typedef struct numa_node {
    int32_t id;
    uint64_t bytes;
    int32_t size, *cpu;
    int32_t row;    /* row in the latencies; -1: none */
    int32_t next;   /* next node next to the same object */
    int32_t number; /* in depth-first order, like the numbers of sets */
} numa_node;

typedef struct machine {
    clv_sysfs files;
    const bool *usable;
    int32_t ncpus, *cpu; /* the CPUs in use, ascending */
    int32_t *listed;     /* scratch, same length */
    bool *counted;       /* by CPU number, as the next three */
    int32_t *around;     /* set */
    int32_t *node_of;    /* row */
    double *speed;       /* 0: unknown */
    clv_cpu_sets sets;
    int32_t nnodes;
    numa_node *node;
    clv_ws *ws;
    cleave_error *err;
} machine;

/* ---- Sets of CPUs ----------------------------------------------------------------------- */

/* The CPUs of the list that are in use; the list ascends. */
static int32_t parse_cpus(machine *m, const char *list)
{
    int64_t from, to;
    int32_t size = 0;
    while (clv_sysfs_next_range(&list, &from, &to))
        for (int64_t c = from; c <= to && c < CLV_MOST_CPUS; c++)
            if (m->counted[c] && size < m->ncpus)
                m->listed[size++] = (int32_t)c;
    return size;
}

/* Copies the first `size` entries of m->listed to ws; NULL: out of memory. */
static int32_t *keep_cpus(machine *m, int32_t size)
{
    int32_t *cpu = clv_ws_alloc(m->ws, size, sizeof *cpu);
    if (cpu)
        memcpy(cpu, m->listed, (size_t)size * sizeof *cpu);
    return cpu;
}

static cleave_status add_set(machine *m, clv_cpu_set s)
{
    return clv_cpu_sets_add(&m->sets, &s, m->ws, m->err);
}

/* Adds the set that a file of CPU c lists, once: if c is its first CPU. */
static cleave_status add_listed(machine *m, int32_t c, const char *path, clv_cpu_set s)
{
    if (!clv_sysfs_read(&m->files, path))
        return CLEAVE_OK;
    s.size = parse_cpus(m, m->files.text);
    if (s.size == 0 || m->listed[0] != c)
        return CLEAVE_OK;
    s.cpu = keep_cpus(m, s.size);
    return s.cpu ? add_set(m, s) : clv_fail_memory(m->err);
}

/* Kernels before 5.3 have other names for these files. */
static cleave_status add_topology(machine *m, int32_t c)
{
    static const struct {
        const char *name, *old;
        clv_cpu_set_kind kind;
    } file[] = {{"core_cpus_list", "thread_siblings_list", CLV_CPUS_CORE},
                {"package_cpus_list", "core_siblings_list", CLV_CPUS_PACKAGE},
                {"die_cpus_list", NULL, CLV_CPUS_DIE},
                {"cluster_cpus_list", NULL, CLV_CPUS_GROUP}};
    char path[128];
    for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%ld/topology/%s", (long)c,
                 file[i].name);
        if (file[i].old && !clv_sysfs_read(&m->files, path))
            snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%ld/topology/%s", (long)c,
                     file[i].old);
        CLV_TRY(add_listed(m, c, path, (clv_cpu_set){.kind = file[i].kind}));
    }
    return CLEAVE_OK;
}

static cleave_status add_caches(machine *m, int32_t c)
{
    char folder[96], path[128];
    for (int i = 0; i < most_caches; i++) {
        snprintf(folder, sizeof folder, "/sys/devices/system/cpu/cpu%ld/cache/index%d",
                 (long)c, i);
        snprintf(path, sizeof path, "%s/type", folder);
        if (!clv_sysfs_read(&m->files, path))
            return CLEAVE_OK;
        if (strncmp(m->files.text, "Instruction", 11) == 0)
            continue;
        clv_cpu_set s = {.kind = CLV_CPUS_CACHE,
                         .data = strncmp(m->files.text, "Data", 4) == 0};
        snprintf(path, sizeof path, "%s/level", folder);
        int64_t level = clv_sysfs_number(&m->files, path);
        snprintf(path, sizeof path, "%s/size", folder);
        int64_t bytes = clv_sysfs_number(&m->files, path);
        s.level = level > 0 && level < clv_most_cache_levels ? (int32_t)level : 1;
        s.bytes = bytes > 0 ? (uint64_t)bytes : 0;
        snprintf(path, sizeof path, "%s/shared_cpu_list", folder);
        CLV_TRY(add_listed(m, c, path, s));
    }
    return CLEAVE_OK;
}

static cleave_status find_sets(machine *m)
{
    CLV_TRY(
        add_set(m, (clv_cpu_set){.kind = CLV_CPUS_MACHINE, .size = m->ncpus, .cpu = m->cpu}));
    for (int32_t i = 0; i < m->ncpus; i++) {
        CLV_TRY(add_topology(m, m->cpu[i]));
        CLV_TRY(add_caches(m, m->cpu[i]));
        CLV_TRY(add_set(m, (clv_cpu_set){.kind = CLV_CPUS_PU, .size = 1, .cpu = &m->cpu[i]}));
    }
    return CLEAVE_OK;
}

/* ---- NUMA nodes ------------------------------------------------------------------------- */

static uint64_t node_bytes(machine *m, const char *path)
{
    static const char label[] = "MemTotal:";
    const char *found = clv_sysfs_read(&m->files, path) ? strstr(m->files.text, label) : NULL;
    int64_t kib = found ? clv_sysfs_parse(found + sizeof label - 1) : -1;
    return kib > 0 ? (uint64_t)kib * 1024 : 0;
}

static cleave_status read_node(machine *m, int32_t id)
{
    char path[96];
    numa_node n = {.id = id, .row = -1, .next = -1};
    snprintf(path, sizeof path, "/sys/devices/system/node/node%ld/meminfo", (long)id);
    n.bytes = node_bytes(m, path);
    snprintf(path, sizeof path, "/sys/devices/system/node/node%ld/cpulist", (long)id);
    if (!clv_sysfs_read(&m->files, path))
        return CLEAVE_OK;
    n.size = parse_cpus(m, m->files.text);
    n.cpu = keep_cpus(m, n.size);
    if (!n.cpu)
        return clv_fail_memory(m->err);
    m->node[m->nnodes++] = n;
    if (n.size == 0)
        return CLEAVE_OK;
    return add_set(m, (clv_cpu_set){.kind = CLV_CPUS_GROUP, .size = n.size, .cpu = n.cpu});
}

/* A kernel without NUMA has one node for the machine. */
static cleave_status find_nodes(machine *m)
{
    char *list = clv_ws_alloc(m->ws, clv_sysfs_room, 1);
    int32_t room = 1;
    int64_t from, to;
    if (!list)
        return clv_fail_memory(m->err);
    list[0] = '\0';
    if (clv_sysfs_read(&m->files, "/sys/devices/system/node/online"))
        memcpy(list, m->files.text, strlen(m->files.text) + 1);
    for (const char *p = list; clv_sysfs_next_range(&p, &from, &to) && to < CLV_MOST_CPUS;)
        room += (int32_t)(to - from + 1);
    m->node = clv_ws_alloc(m->ws, room, sizeof *m->node);
    if (!m->node)
        return clv_fail_memory(m->err);
    for (const char *p = list; clv_sysfs_next_range(&p, &from, &to) && to < CLV_MOST_CPUS;)
        for (int64_t id = from; id <= to && m->nnodes < room - 1; id++)
            CLV_TRY(read_node(m, (int32_t)id));
    if (m->nnodes == 0)
        m->node[m->nnodes++] = (numa_node){.bytes = node_bytes(m, "/proc/meminfo"),
                                           .size = m->ncpus,
                                           .cpu = m->cpu,
                                           .row = -1,
                                           .next = -1};
    return CLEAVE_OK;
}

/* The latencies from node n to the nodes with a row; the file has all online nodes in order.
 * False: it does not have them. */
static bool read_row(machine *m, const numa_node *n, uint64_t *latency)
{
    char path[96];
    int64_t value;
    snprintf(path, sizeof path, "/sys/devices/system/node/node%ld/distance", (long)n->id);
    if (!clv_sysfs_read(&m->files, path))
        return false;
    const char *p = m->files.text;
    for (int32_t i = 0; i < m->nnodes; i++) {
        if (!clv_sysfs_next_number(&p, &value) || value <= 0)
            return false;
        if (m->node[i].row >= 0)
            latency[m->node[i].row] = (uint64_t)value;
    }
    return true;
}

/* The latencies between the nodes with CPUs, and groups of close nodes. */
static cleave_status find_latencies(machine *m, clv_hardware *h)
{
    int32_t rows = 0;
    for (int32_t i = 0; i < m->nnodes; i++)
        if (m->node[i].size > 0)
            m->node[i].row = rows++;
    if (rows < 2 || rows > clv_most_numa_nodes)
        return CLEAVE_OK;
    uint64_t *latency = clv_ws_zalloc(m->ws, (int64_t)rows * rows, sizeof *latency);
    if (!latency)
        return clv_fail_memory(m->err);
    for (int32_t i = 0; i < m->nnodes; i++)
        if (m->node[i].row >= 0 &&
            !read_row(m, &m->node[i], latency + (int64_t)m->node[i].row * rows))
            return CLEAVE_OK;
    for (int32_t i = 0; i < m->nnodes; i++)
        for (int32_t c = 0; c < m->node[i].size; c++)
            m->node_of[m->node[i].cpu[c]] = m->node[i].row;
    h->nodes = rows;
    h->latency = latency;
    return CLEAVE_OK;
}

/* Adds the set of CPUs of each group; group is by row. */
static cleave_status add_groups(machine *m, int32_t ngroups, const int32_t *group)
{
    for (int32_t g = 0; g < ngroups; g++) {
        clv_cpu_set s = {.kind = CLV_CPUS_GROUP};
        for (int32_t i = 0; i < m->ncpus; i++) {
            int32_t row = m->node_of[m->cpu[i]];
            if (row >= 0 && group[row] == g)
                m->listed[s.size++] = m->cpu[i];
        }
        s.cpu = keep_cpus(m, s.size);
        if (!s.cpu)
            return clv_fail_memory(m->err);
        if (s.size > 0)
            CLV_TRY(add_set(m, s));
    }
    return CLEAVE_OK;
}

/* Groups, then groups of groups, until one group is left. */
static cleave_status group_nodes(machine *m, const clv_hardware *h)
{
    int64_t nodes = h->nodes, count = nodes;
    int32_t *group = clv_ws_alloc(m->ws, nodes, sizeof *group); /* by row */
    int32_t *next = clv_ws_alloc(m->ws, nodes, sizeof *next);   /* by group */
    int32_t *scratch = clv_ws_alloc(m->ws, nodes, sizeof *scratch);
    const uint64_t *latency = h->latency;
    if (!group || !next || !scratch)
        return clv_fail_memory(m->err);
    for (int32_t i = 0; i < nodes; i++)
        group[i] = i;
    while (count > 2) {
        int32_t ngroups = clv_group_nearest((int32_t)count, latency, next, scratch);
        uint64_t *mean = clv_ws_alloc(m->ws, (int64_t)ngroups * ngroups, sizeof *mean);
        if (!mean)
            return clv_fail_memory(m->err);
        if (ngroups == 0)
            return CLEAVE_OK;
        for (int32_t i = 0; i < nodes; i++)
            group[i] = group[i] < 0 ? -1 : next[group[i]];
        CLV_TRY(add_groups(m, ngroups, group));
        clv_group_latencies((int32_t)count, latency, next, ngroups, mean, scratch);
        latency = mean;
        count = ngroups;
    }
    return CLEAVE_OK;
}

/* ---- The tree --------------------------------------------------------------------------- */

/* Memory belongs to the outermost object with the same CPUs, but not to the machine if there
 * is another; memory without CPUs belongs to the machine. */
static void place_memory(machine *m)
{
    for (int32_t n = m->nnodes - 1; n >= 0; n--) {
        numa_node *node = &m->node[n];
        int32_t at = 0;
        for (int32_t s = node->size > 0 ? m->around[node->cpu[0]] : 0; s > 0;
             s = m->sets.set[s].parent)
            if (m->sets.set[s].size >= node->size &&
                (m->sets.set[s].size == node->size || at == 0))
                at = s;
        node->next = m->sets.set[at].memory;
        m->sets.set[at].memory = n;
    }
}

/* ---- Objects ---------------------------------------------------------------------------- */

static void add_memory(machine *m, clv_hardware *h, int32_t parent, int32_t n)
{
    for (; n >= 0; n = m->node[n].next) {
        clv_hardware_object *o = &h->object[h->count++];
        *o = (clv_hardware_object){
            .kind = CLV_HARDWARE_MEMORY, .parent = parent, .cpu = -1, .node = -1};
        clv_hardware_print_name(o->name, "NUMANode", m->node[n].number, m->node[n].bytes);
    }
}

static void name_set(const clv_cpu_set *s, char name[CLV_HARDWARE_NAME])
{
    static const char *const type[] = {"Machine", "Package", "Die", "", "Core", "PU", "Group"};
    char cache[16];
    snprintf(cache, sizeof cache, "L%d%s", (int)s->level, s->data ? "d" : "");
    if (s->kind == CLV_CPUS_MACHINE)
        snprintf(name, CLV_HARDWARE_NAME, "Machine");
    else
        clv_hardware_print_name(name, s->kind == CLV_CPUS_CACHE ? cache : type[s->kind],
                                s->number, s->bytes);
}

static int32_t first_usable(const machine *m, const clv_cpu_set *s)
{
    for (int32_t i = 0; i < s->size; i++)
        if (m->usable[s->cpu[i]])
            return s->cpu[i];
    return -1;
}

/* object_of: by set, for the sets before. */
static void add_object(machine *m, clv_hardware *h, int32_t number, int32_t *object_of)
{
    const clv_cpu_set *s = &m->sets.set[number];
    int32_t cpu = first_usable(m, s);
    if (cpu < 0)
        return;
    object_of[number] = h->count;
    clv_hardware_object *o = &h->object[h->count++];
    *o = (clv_hardware_object){.kind = s->kind == CLV_CPUS_CORE ? CLV_HARDWARE_CORE
                                       : s->kind == CLV_CPUS_PU ? CLV_HARDWARE_PU
                                                                : CLV_HARDWARE_GROUP,
                               .parent = s->parent < 0 ? -1 : object_of[s->parent],
                               .number = s->number,
                               .cpu = cpu,
                               .node = m->node_of[cpu],
                               .speed = m->speed[cpu]};
    name_set(s, o->name);
    add_memory(m, h, object_of[number], s->memory);
}

static int32_t behind(const machine *m, int32_t s)
{
    while (s >= 0 && m->sets.set[s].next < 0)
        s = m->sets.set[s].parent;
    return s < 0 ? -1 : m->sets.set[s].next;
}

static cleave_status list_objects(machine *m, clv_hardware *h)
{
    int32_t counts[CLV_CPUS_GROUP + 1] = {0}, caches[clv_most_cache_levels] = {0};
    int32_t *object_of = clv_ws_alloc(m->ws, m->sets.count, sizeof *object_of);
    h->object = clv_ws_alloc(m->ws, (int64_t)m->sets.count + m->nnodes, sizeof *h->object);
    if (!object_of || !h->object)
        return clv_fail_memory(m->err);
    for (int32_t s = 0; s >= 0;
         s = m->sets.set[s].child >= 0 ? m->sets.set[s].child : behind(m, s)) {
        clv_cpu_set_kind kind = m->sets.set[s].kind;
        m->sets.set[s].number =
            kind == CLV_CPUS_CACHE ? caches[m->sets.set[s].level]++ : counts[kind]++;
        for (int32_t n = m->sets.set[s].memory; n >= 0; n = m->node[n].next)
            m->node[n].number = h->memories++;
        add_object(m, h, s, object_of);
    }
    h->packages = counts[CLV_CPUS_PACKAGE];
    return CLEAVE_OK;
}

/* ---- CPUs ------------------------------------------------------------------------------- */

/* Counts the CPUs that are online and allowed by the control group. */
static cleave_status count_cpus(machine *m)
{
    int64_t from, to;
    bool *online = clv_ws_zalloc(m->ws, CLV_MOST_CPUS, sizeof *online);
    m->counted = clv_ws_zalloc(m->ws, CLV_MOST_CPUS, sizeof *m->counted);
    m->cpu = clv_ws_alloc(m->ws, CLV_MOST_CPUS, sizeof *m->cpu);
    m->around = clv_ws_alloc(m->ws, CLV_MOST_CPUS, sizeof *m->around);
    m->node_of = clv_ws_alloc(m->ws, CLV_MOST_CPUS, sizeof *m->node_of);
    if (!online || !m->counted || !m->cpu || !m->around || !m->node_of)
        return clv_fail_memory(m->err);
    if (!clv_sysfs_read(&m->files, "/sys/devices/system/cpu/online"))
        return CLEAVE_OK;
    const char *list = m->files.text;
    while (clv_sysfs_next_range(&list, &from, &to))
        for (int64_t c = from; c <= to && c < CLV_MOST_CPUS; c++)
            online[c] = true;
    clv_sysfs_cpuset(&m->files);
    list = m->files.text;
    bool all = *list == '\0';
    while (clv_sysfs_next_range(&list, &from, &to))
        for (int64_t c = from; c <= to && c < CLV_MOST_CPUS; c++)
            m->counted[c] = true;
    for (int32_t c = 0; c < CLV_MOST_CPUS; c++) {
        m->counted[c] = online[c] && (all || m->counted[c] || m->usable[c]);
        m->node_of[c] = -1;
        if (m->counted[c])
            m->cpu[m->ncpus++] = c;
    }
    return CLEAVE_OK;
}

/* Speeds from one file per CPU, relative to the slowest; false: a file is missing, or all
 * values differ by at most `percent`. */
static bool speeds_by(machine *m, const char *file, int percent)
{
    char path[96];
    double least = 0, most = 0;
    for (int32_t i = 0; i < m->ncpus; i++) {
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%ld/%s", (long)m->cpu[i],
                 file);
        int64_t value = clv_sysfs_number(&m->files, path);
        if (value <= 0 || value > INT32_MAX)
            return false;
        m->speed[m->cpu[i]] = (double)value;
        least = i == 0 || (double)value < least ? (double)value : least;
        most = (double)value > most ? (double)value : most;
    }
    for (int32_t i = 0; i < m->ncpus; i++)
        m->speed[m->cpu[i]] /= least;
    return most * 100 > least * (100 + percent);
}

/* Maximum frequencies vary a little among cores of one kind. */
static cleave_status find_speeds(machine *m)
{
    m->speed = clv_ws_alloc(m->ws, CLV_MOST_CPUS, sizeof *m->speed);
    if (!m->speed)
        return clv_fail_memory(m->err);
    if (!speeds_by(m, "cpu_capacity", 0) && !speeds_by(m, "cpufreq/base_frequency", 0) &&
        !speeds_by(m, "cpufreq/cpuinfo_max_freq", 10))
        memset(m->speed, 0, CLV_MOST_CPUS * sizeof *m->speed);
    return CLEAVE_OK;
}

cleave_status clv_sysfs_machine(clv_hardware *h, const char *root,
                                const bool usable[CLV_MOST_CPUS], clv_ws *ws,
                                cleave_error *err)
{
    machine m = {.files = {.root = root}, .usable = usable, .ws = ws, .err = err};
    *h = (clv_hardware){0};
    m.files.text = clv_ws_alloc(ws, clv_sysfs_room, 1);
    if (!m.files.text)
        return clv_fail_memory(err);
    CLV_TRY(count_cpus(&m));
    if (m.ncpus == 0)
        return CLEAVE_OK;
    m.listed = clv_ws_alloc(ws, m.ncpus, sizeof *m.listed);
    if (!m.listed)
        return clv_fail_memory(err);
    CLV_TRY(find_sets(&m));
    CLV_TRY(find_nodes(&m));
    CLV_TRY(find_latencies(&m, h));
    CLV_TRY(group_nodes(&m, h));
    CLV_TRY(find_speeds(&m));
    CLV_TRY(clv_cpu_sets_link(&m.sets, CLV_MOST_CPUS, m.around, ws, err));
    place_memory(&m);
    return list_objects(&m, h);
}
