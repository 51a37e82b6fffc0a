/* SPDX-License-Identifier: Apache-2.0 */
/* Machines as Linux describes them: directories like /sys, made from random machines and read
 * by this library and by hwloc, which must agree; known ones; missing and malformed files;
 * CPUs that are offline or not allowed; failing allocations. */
#include "target/sysfs_machine.h"

#include <stdarg.h>
#include <sys/stat.h>

#ifdef CLEAVE_HAVE_HWLOC
#include <hwloc.h>
#endif

#include "base/rng.h"
#include "target/floorplan.h"
#include "target/hwloc_target.h"
#include "target/shape_checks.h"
#include "target/this_machine.h"

enum { most_cpus = 64, most_nodes = 16 };

static cleave_error err;
static char root[600];
static bool usable[CLV_MOST_CPUS];

/* ---- Folders that look like /sys -------------------------------------------------------- */

static void put(const char *path, const char *format, ...)
{
    char full[1200];
    snprintf(full, sizeof full, "%s%s", root, path);
    for (char *p = full + strlen(root) + 1; (p = strchr(p, '/')) != NULL; *p++ = '/') {
        *p = '\0';
        mkdir(full, 0777);
    }
    FILE *f = fopen(full, "w");
    REQUIRE(f != NULL);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(f, format, arguments);
    va_end(arguments);
    fclose(f);
}

static void fresh_root(void)
{
    static int count;
    snprintf(root, sizeof root, "%s/machine%d", test_scratch(), count++);
    mkdir(root, 0777);
}

/* A set of CPUs in both notations: "0-3,8" is written number by number. */
static void put_set(const char *folder, const char *mask_name, const char *list_name,
                    uint64_t set)
{
    char path[300], list[400] = "";
    for (int c = 0; c < most_cpus; c++)
        if (set >> c & 1)
            sprintf(list + strlen(list), "%s%d", *list ? "," : "", c);
    snprintf(path, sizeof path, "%s/%s", folder, list_name);
    put(path, "%s\n", list);
    snprintf(path, sizeof path, "%s/%s", folder, mask_name);
    put(path, "%08x,%08x\n", (unsigned)(set >> 32), (unsigned)set);
}

/* Everything by CPU: which package, die, cluster, L3, L2, core and node it is in. */
enum { in_package, in_die, in_l3, in_l2, in_core, in_node, places };

typedef struct plan {
    int ncpus, nodes;
    int place[most_cpus][places];
    int distance[most_nodes][most_nodes];
    uint64_t online;
    bool old_names, numa;
    int capacity[most_cpus]; /* 0: no file */
} plan;

static uint64_t with(const plan *p, int what, int where)
{
    uint64_t set = 0;
    for (int c = 0; c < p->ncpus; c++)
        if ((p->online >> c & 1) && p->place[c][what] == where)
            set |= UINT64_C(1) << c;
    return set;
}

static void put_cache(const plan *p, int cpu, int index, int level, const char *type, int what)
{
    char folder[200], path[300];
    snprintf(folder, sizeof folder, "/sys/devices/system/cpu/cpu%d/cache/index%d", cpu, index);
    put_set(folder, "shared_cpu_map", "shared_cpu_list", with(p, what, p->place[cpu][what]));
    snprintf(path, sizeof path, "%s/level", folder);
    put(path, "%d\n", level);
    snprintf(path, sizeof path, "%s/type", folder);
    put(path, "%s\n", type);
    snprintf(path, sizeof path, "%s/size", folder);
    put(path, "%dK\n", 32 << (3 * level));
}

static void put_cpu(const plan *p, int c)
{
    char folder[200], path[300];
    const int *at = p->place[c];
    snprintf(folder, sizeof folder, "/sys/devices/system/cpu/cpu%d/topology", c);
    uint64_t core = with(p, in_core, at[in_core]),
             package = with(p, in_package, at[in_package]);
    if (p->old_names) {
        put_set(folder, "thread_siblings", "thread_siblings_list", core);
        put_set(folder, "core_siblings", "core_siblings_list", package);
    } else {
        put_set(folder, "core_cpus", "core_cpus_list", core);
        put_set(folder, "package_cpus", "package_cpus_list", package);
        put_set(folder, "die_cpus", "die_cpus_list", with(p, in_die, at[in_die]));
    }
    static const char *const id[] = {"physical_package_id", "die_id", NULL, NULL, "core_id"};
    for (int i = 0; i < 5; i++)
        if (id[i]) {
            snprintf(path, sizeof path, "%s/%s", folder, id[i]);
            put(path, "%d\n", at[i]);
        }
    put_cache(p, c, 0, 1, "Data", in_core);
    put_cache(p, c, 1, 1, "Instruction", in_core);
    put_cache(p, c, 2, 2, "Unified", in_l2);
    put_cache(p, c, 3, 3, "Unified", in_l3);
    if (p->capacity[c] > 0) {
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cpu_capacity", c);
        put(path, "%d\n", p->capacity[c]);
    }
}

static void put_node(const plan *p, int n)
{
    char folder[200], path[300], row[200] = "";
    snprintf(folder, sizeof folder, "/sys/devices/system/node/node%d", n);
    put_set(folder, "cpumap", "cpulist", with(p, in_node, n));
    snprintf(path, sizeof path, "%s/meminfo", folder);
    put(path, "Node %d MemTotal:       %d kB\n", n, 1 << 20);
    for (int i = 0; i < p->nodes; i++)
        sprintf(row + strlen(row), "%s%d", i ? " " : "", p->distance[n][i]);
    snprintf(path, sizeof path, "%s/distance", folder);
    put(path, "%s\n", row);
}

static void put_plan(const plan *p)
{
    fresh_root();
    put_set("/sys/devices/system/cpu", "mask", "online", p->online);
    put("/sys/devices/system/cpu/possible", "0-%d\n", p->ncpus - 1);
    put("/sys/devices/system/cpu/present", "0-%d\n", p->ncpus - 1);
    put("/proc/cpuinfo", "processor : 0\n");
    put("/proc/meminfo", "MemTotal:  %d kB\n", 1 << 20);
    for (int c = 0; c < p->ncpus; c++)
        if (p->online >> c & 1)
            put_cpu(p, c);
    if (!p->numa)
        return;
    put("/sys/devices/system/node/online", "0-%d\n", p->nodes - 1);
    for (int n = 0; n < p->nodes; n++)
        put_node(p, n);
}

/* ---- Random machines -------------------------------------------------------------------- */

static int draw(clv_rng *rng, int count)
{
    return (int)clv_rng_below(rng, (uint32_t)count);
}

/* Numbers of CPUs as systems give them: thread by thread, core by core, or in any order. */
static void number_cpus(plan *p, clv_rng *rng, int cores, int threads)
{
    int way = draw(rng, 3), name[most_cpus], copy[most_cpus][places];
    for (int c = 0; c < p->ncpus; c++)
        name[c] = way == 0 ? c / threads + c % threads * cores : c;
    for (int c = p->ncpus - 1; way == 2 && c > 0; c--) {
        int other = draw(rng, c + 1), kept = name[c];
        name[c] = name[other];
        name[other] = kept;
    }
    memcpy(copy, p->place, sizeof copy);
    for (int c = 0; c < p->ncpus; c++)
        memcpy(p->place[name[c]], copy[c], sizeof copy[c]);
}

static void set_distances(plan *p, clv_rng *rng)
{
    int steps = 1 + draw(rng, 3), bit = 1 + draw(rng, 3);
    for (int i = 0; i < p->nodes; i++)
        for (int j = 0; j <= i; j++) {
            int far = i == j               ? 10
                      : i / bit == j / bit ? 12
                                           : 20 + (steps > 1 ? 2 * draw(rng, steps) : 0);
            p->distance[i][j] = p->distance[j][i] = far;
        }
}

static void draw_plan(plan *p, clv_rng *rng)
{
    *p = (plan){0};
    int packages = 1 + draw(rng, 4), dies = 1 + draw(rng, 2), l3s = 1 + draw(rng, 2);
    int l2s = 1 + draw(rng, 2), cores = 1 + draw(rng, 2), threads = 1 + draw(rng, 2);
    packages = packages * dies * l3s * l2s * cores * threads > most_cpus ? 1 : packages;
    int all[] = {packages, packages * dies, packages * dies * l3s, packages * dies * l3s * l2s,
                 packages * dies * l3s * l2s * cores};
    p->ncpus = all[4] * threads;
    int node_level = draw(rng, 4); /* per package, die or L3; one for all */
    p->nodes = node_level == 3 ? 1 : all[node_level];
    p->nodes = p->nodes > most_nodes ? 1 : p->nodes;
    p->numa = draw(rng, 6) > 0;
    p->old_names = draw(rng, 4) == 0;
    for (int c = 0; c < p->ncpus; c++) {
        for (int i = 0; i < 5; i++)
            p->place[c][i] = c / (p->ncpus / all[i]);
        p->place[c][in_node] = c / (p->ncpus / p->nodes);
    }
    number_cpus(p, rng, all[4], threads);
    p->online = p->ncpus == 64 ? UINT64_MAX : (UINT64_C(1) << p->ncpus) - 1;
    if (draw(rng, 4) == 0)
        for (int c = 1; c < p->ncpus; c++)
            if (draw(rng, 5) == 0 && with(p, in_node, p->place[c][in_node]) != UINT64_C(1)
                                                                                   << c)
                p->online &= ~(UINT64_C(1) << c); /* every node keeps a CPU */
    set_distances(p, rng);
    bool kinds = draw(rng, 4) == 0;
    for (int c = 0; c < p->ncpus; c++)
        p->capacity[c] = !kinds ? 0 : p->place[c][in_l2] % 2 ? 1024 : 512;
}

/* ---- Read by us and by hwloc ------------------------------------------------------------ */

static cleave_status read_root(clv_target **out, bool pu)
{
    clv_ws ws = {0};
    clv_hardware h;
    *out = NULL;
    cleave_status status = clv_sysfs_machine(&h, root, usable, &ws, &err);
    if (status == CLEAVE_OK && h.count > 0)
        status = clv_target_hardware(out, &h, pu, &err);
    clv_ws_free(&ws);
    return status;
}

static clv_target *machine(bool pu)
{
    clv_target *t = NULL;
    memset(usable, 1, sizeof usable);
    CHECK_EQ(read_root(&t, pu), CLEAVE_OK);
    return t;
}

static void check_same_boxes(const clv_target *a, const clv_target *b)
{
    clv_arena arena = {0};
    clv_floorplan f, g;
    REQUIRE_OK(clv_target_floorplan(&f, a, &arena, &err));
    REQUIRE_OK(clv_target_floorplan(&g, b, &arena, &err));
    CHECK_EQ(f.nboxes, g.nboxes);
    for (int32_t i = 0; i < f.nboxes && i < g.nboxes; i++) {
        if (strncmp(f.box[i].name, "Group", 5) != 0) /* hwloc numbers them level by level */
            CHECK_STR(f.box[i].name, g.box[i].name);
        CHECK_EQ(f.box[i].kind, g.box[i].kind);
        CHECK_EQ(f.box[i].parent, g.box[i].parent);
        CHECK_EQ(f.box[i].first, g.box[i].first);
        CHECK_EQ(f.box[i].pes, g.box[i].pes);
    }
    clv_arena_free(&arena);
}

static void check_same(const clv_target *a, const clv_target *b)
{
    char one[200], other[200];
    a->shape->describe(a, one, sizeof one);
    b->shape->describe(b, other, sizeof other);
    CHECK_STR(one, other);
    CHECK_EQ(a->npes, b->npes);
    CHECK_EQ(a->levels, b->levels);
    CHECK_EQ(a->links, b->links);
    if (a->npes != b->npes)
        return;
    for (int32_t p = 0; p < a->npes; p++) {
        CHECK_STR(a->name[p], b->name[p]);
        CHECK_EQ(clv_target_seat(a, p).core, clv_target_seat(b, p).core);
        CHECK_EQ(clv_target_seat(a, p).cpu, clv_target_seat(b, p).cpu);
        CHECK(clv_target_speed_of(a, p) == clv_target_speed_of(b, p));
        for (int32_t q = 0; q < a->npes; q++)
            CHECK_EQ(clv_target_distance(a, p, q), clv_target_distance(b, p, q));
    }
    check_same_boxes(a, b);
}

#ifdef CLEAVE_HAVE_HWLOC

/* hwloc reads the folder and saves what it has understood. */
static const char *saved_by_hwloc(void)
{
    static char path[700];
    hwloc_topology_t topology;
    snprintf(path, sizeof path, "%s/saved.xml", root);
    setenv("HWLOC_FSROOT", root, 1);
    setenv("HWLOC_COMPONENTS", "linux,stop", 1);
    setenv("HWLOC_HIDE_ERRORS", "2", 1);
    bool saved = hwloc_topology_init(&topology) == 0 && hwloc_topology_load(topology) == 0 &&
                 hwloc_topology_export_xml(topology, path, 0) == 0;
    hwloc_topology_destroy(topology);
    unsetenv("HWLOC_FSROOT");
    unsetenv("HWLOC_COMPONENTS");
    return saved ? path : NULL;
}

static void check_against_hwloc(void)
{
    const char *path = saved_by_hwloc();
    char text[720];
    REQUIRE(path != NULL);
    for (int pu = 0; pu < 2; pu++) {
        clv_target *ours = machine(pu), *theirs = NULL;
        snprintf(text, sizeof text, "%s%s", pu ? "pu:" : "", path);
        CHECK_EQ(clv_target_hwloc(&theirs, text, &err), CLEAVE_OK);
        REQUIRE(ours && theirs);
        check_same(ours, theirs);
        check_domains(ours);
        check_pes(ours);
        clv_target_free(ours);
        clv_target_free(theirs);
    }
}

static void test_random(void)
{
    for (int seed = 0; seed < 40; seed += TEST_STRIDE) {
        plan p;
        clv_rng rng = clv_rng_make((uint64_t)seed, 0, 0, 0);
        draw_plan(&p, &rng);
        put_plan(&p);
        int failures = test_failures_;
        check_against_hwloc();
        if (test_failures_ > failures) {
            fprintf(stderr, "  in machine %d, %s\n", seed, root);
            return;
        }
    }
}

/* The hardware threads of this computer are those that hwloc sees.  It may find more of them
 * than /sys lists, because it also queries the processor. */
static void test_here(void)
{
    clv_target *ours = NULL, *theirs = NULL;
    if (access("/sys/devices/system/cpu/online", R_OK) != 0) {
        printf("this computer is not compared with hwloc: there is no /sys\n");
        return;
    }
    REQUIRE_OK(clv_target_this_machine(&ours, true, &err));
    REQUIRE_OK(clv_target_hwloc_machine(&theirs, true, &err));
    CHECK_EQ(ours->npes, theirs->npes);
    bool *seen = calloc(CLV_MOST_CPUS, sizeof *seen);
    if (!seen)
        abort();
    for (int32_t p = 0; p < theirs->npes; p++)
        seen[clv_target_seat(theirs, p).cpu] = true;
    for (int32_t p = 0; p < ours->npes; p++)
        CHECK(seen[clv_target_seat(ours, p).cpu]);
    free(seen);
    clv_target_free(ours);
    clv_target_free(theirs);
}

#endif

/* ---- Known machines --------------------------------------------------------------------- */

/* Two packages of two cores with two hardware threads, which are numbered c and c + 4. */
static void put_known(bool numa)
{
    plan p = {.ncpus = 8, .nodes = 2, .online = 0xff, .numa = numa};
    for (int c = 0; c < 8; c++) {
        int core = c % 4, package = core / 2;
        int place[places] = {package, package, package, core, core, package};
        memcpy(p.place[c], place, sizeof place);
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            p.distance[i][j] = i == j ? 10 : 30;
    put_plan(&p);
}

/* "core:0@0=1 core:1@1=1": names, CPUs and speeds. */
static const char *read_pes(bool pu)
{
    static char text[1000];
    clv_target *t = NULL;
    *text = '\0';
    CHECK_EQ(read_root(&t, pu), CLEAVE_OK);
    for (int32_t p = 0; t && p < t->npes; p++)
        sprintf(text + strlen(text), "%s%s@%d=%g", p ? " " : "", t->name[p],
                (int)clv_target_seat(t, p).cpu, clv_target_speed_of(t, p));
    clv_target_free(t);
    return text;
}

static void use_only(const char *cpus)
{
    memset(usable, 0, sizeof usable);
    for (; *cpus; cpus++)
        usable[*cpus - '0'] = true;
}

/* Cores are counted among all that the control group may use, independent of the process's
 * affinity. */
static void test_usable(void)
{
    put_known(true);
    use_only("01234567");
    CHECK_STR(read_pes(false), "core:0@0=1 core:1@1=1 core:2@2=1 core:3@3=1");
    use_only("367");
    CHECK_STR(read_pes(false), "core:2@6=1 core:3@3=1");
    CHECK_STR(read_pes(true), "pu:5@6=1 pu:6@3=1 pu:7@7=1");
    use_only("9");
    clv_target *t = NULL;
    CHECK_EQ(read_root(&t, false), CLEAVE_OK);
    CHECK(t == NULL); /* not even online */
    static const char *const file[] = {"/sys/fs/cgroup/a/b/cpuset.cpus.effective",
                                       "/sys/fs/cgroup/cpuset/a/b/cpuset.effective_cpus",
                                       "/sys/fs/cgroup/cpuset/cpuset.cpus"};
    for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
        put_known(false);
        put("/proc/self/cpuset", "/a/b\n");
        put(file[i], "1-3,5,7\n");
        use_only("37");
        CHECK_STR(read_pes(false), "core:2@3=1");
        CHECK_STR(read_pes(true), "pu:3@3=1 pu:4@7=1");
    }
}

static void put_speeds(const char *file, const int speed[8])
{
    char path[200];
    put_known(true);
    for (int c = 0; c < 8; c++) {
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/%s", c, file);
        if (speed[c] > 0)
            put(path, "%d\n", speed[c]);
    }
    memset(usable, 1, sizeof usable);
}

static void test_speeds(void)
{
    put_speeds("cpu_capacity", (int[]){512, 512, 1024, 1024, 512, 512, 1024, 1024});
    CHECK_STR(read_pes(false), "core:0@0=1 core:1@1=1 core:2@2=2 core:3@3=2");
    put_speeds("cpufreq/base_frequency", (int[]){20, 20, 20, 30, 20, 20, 20, 30});
    CHECK_STR(read_pes(false), "core:0@0=1 core:1@1=1 core:2@2=1 core:3@3=1.5");
    put_speeds("cpufreq/cpuinfo_max_freq", (int[]){20, 20, 20, 30, 20, 20, 20, 30});
    CHECK_STR(read_pes(false), "core:0@0=1 core:1@1=1 core:2@2=1 core:3@3=1.5");
    /* Cores of one kind that may be driven a little faster, and a file that is missing. */
    put_speeds("cpufreq/cpuinfo_max_freq", (int[]){50, 50, 50, 55, 50, 50, 50, 55});
    CHECK_STR(read_pes(false), "core:0@0=1 core:1@1=1 core:2@2=1 core:3@3=1");
    put_speeds("cpu_capacity", (int[]){512, 512, 1024, 1024, 512, 512, 1024, 0});
    CHECK_STR(read_pes(false), "core:0@0=1 core:1@1=1 core:2@2=1 core:3@3=1");
}

/* Memory without CPUs stands beside the machine, and latencies leave it out. */
static void test_memory_alone(void)
{
    put_known(true);
    put("/sys/devices/system/node/online", "0-2\n");
    put("/sys/devices/system/node/node2/cpulist", "\n");
    put("/sys/devices/system/node/node0/distance", "10 30 50\n");
    put("/sys/devices/system/node/node1/distance", "30 10 50\n");
    put("/sys/devices/system/node/node2/distance", "50 50 10\n");
    clv_target *t = machine(false);
    char text[200];
    REQUIRE(t != NULL);
    t->shape->describe(t, text, sizeof text);
    CHECK_STR(text, "computer with 4 cores, 2 packages, 3 NUMA nodes at measured distances");
    CHECK_EQ(clv_target_distance(t, 0, 1), 1);
    CHECK_EQ(clv_target_distance(t, 0, 2), 3);
    clv_target_free(t);
}

/* Any contents of the files give a machine with its CPUs. */
static void test_garbage(void)
{
    static const char *const files[] = {
        "/sys/devices/system/cpu/cpu1/topology/core_cpus_list",
        "/sys/devices/system/cpu/cpu0/topology/package_cpus_list",
        "/sys/devices/system/cpu/cpu0/topology/die_cpus_list",
        "/sys/devices/system/cpu/cpu0/topology/cluster_cpus_list",
        "/sys/devices/system/cpu/cpu2/cache/index3/shared_cpu_list",
        "/sys/devices/system/cpu/cpu2/cache/index2/level",
        "/sys/devices/system/cpu/cpu2/cache/index2/size",
        "/sys/devices/system/cpu/cpu2/cache/index2/type",
        "/sys/devices/system/node/online",
        "/sys/devices/system/node/node0/cpulist",
        "/sys/devices/system/node/node1/distance",
        "/sys/devices/system/node/node1/meminfo",
        "/sys/fs/cgroup/cpuset.cpus.effective",
        "/proc/self/cpuset"};
    static const char *const texts[] = {"",
                                        "x",
                                        "-",
                                        "0-",
                                        "7-0",
                                        "0,2,4",
                                        "1-6",
                                        "3,1",
                                        "0-65535",
                                        "0-99999999999999999999",
                                        "99999999999999999999",
                                        "-1",
                                        "5000000K",
                                        "0,0,0,0,0,0,0,0,0,0",
                                        "/../../..",
                                        "1 2",
                                        "0 0",
                                        "10 70000"};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        put_known(true);
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
            put(files[f], "%s\n", texts[i]);
            clv_target *t = machine(true);
            REQUIRE(t != NULL);
            CHECK_EQ(t->npes, 8);
            check_domains(t);
            check_pes(t);
            clv_target_free(t);
        }
    }
}

static void test_nothing(void)
{
    fresh_root();
    CHECK(machine(false) == NULL);
    put("/sys/devices/system/cpu/online", "garbage\n");
    CHECK(machine(false) == NULL);
    put("/sys/devices/system/cpu/online", "0-3\n"); /* and no folder of any CPU */
    CHECK_STR(read_pes(false), "pu:0@0=1 pu:1@1=1 pu:2@2=1 pu:3@3=1");
}

static cleave_status make_from_root(clv_target **t, const void *from)
{
    (void)from;
    return read_root(t, false);
}

static void test_out_of_memory(void)
{
    put_known(true);
    memset(usable, 1, sizeof usable);
    check_target_memory(make_from_root, NULL);
}

int main(void)
{
#ifdef CLEAVE_HAVE_HWLOC
    RUN(test_random);
    RUN(test_here);
#endif
    RUN(test_usable);
    RUN(test_speeds);
    RUN(test_memory_alone);
    RUN(test_garbage);
    RUN(test_nothing);
    RUN(test_out_of_memory);
    return test_end();
}
