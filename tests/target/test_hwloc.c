/* SPDX-License-Identifier: Apache-2.0 */
/* Machines by hwloc: synthetic ones with known distances, the shared XML files, this machine,
 * speeds, every error message, no output of hwloc, failing allocations. */
#include "target/hwloc_target.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/threads.h"
#include "target/shape_checks.h"
#include "target/this_machine.h"

static cleave_error err;

static clv_target *machine(const char *text)
{
    clv_target *t = NULL;
    memset(&err, 0, sizeof err);
    cleave_status status = clv_target_hwloc(&t, text, &err);
    CHECK((t != NULL) == (status == CLEAVE_OK));
    CHECK_EQ(err.status, status);
    return t;
}

/* "8: 1 1 2 2 3": distances from the first PE to the others, where they change; or the
 * complaint. */
static const char *read_as(const char *text)
{
    static char shown[1024];
    clv_target *t = machine(text);
    if (!t)
        return err.message;
    sprintf(shown, "%d:", (int)t->npes);
    for (int32_t pe = 1; pe < t->npes; pe++)
        if (clv_target_distance(t, 0, pe) != clv_target_distance(t, 0, pe - 1))
            sprintf(shown + strlen(shown), " %d from %s", (int)clv_target_distance(t, 0, pe),
                    t->name[pe]);
    check_domains(t);
    check_pes(t);
    clv_target_free(t);
    return shown;
}

static void test_synthetic(void)
{
    CHECK_STR(read_as("core:1 pu:1"), "1:");
    CHECK_STR(read_as("pack:2 l3:2 core:4 pu:2"),
              "16: 1 from core:1 2 from core:4 3 from core:8");
    CHECK_STR(read_as("pu:pack:2 l3:2 core:4 pu:2"),
              "32: 1 from pu:1 2 from pu:2 3 from pu:8 4 from pu:16");
    /* Levels with one child, and caches of one core, distinguish nothing. */
    CHECK_STR(read_as("pack:1 l3:1 l2:2 core:1 pu:4"), "2: 1 from core:1");
    CHECK_STR(read_as("pack:2 [numa] core:3 pu:1"), "6: 1 from core:1 2 from core:3");
    CHECK_STR(read_as("4"), "4: 1 from pu:1");
    CHECK_STR(read_as("garbage"), "\"garbage\" is neither a file nor a machine that hwloc can "
                                  "make, such as \"pack:2 core:4 pu:2\"");
    CHECK_STR(read_as(""), "\"\" is neither a file nor a machine that hwloc can make, such as "
                           "\"pack:2 core:4 pu:2\"");
    CHECK_EQ(err.status, CLEAVE_EINVAL);
    static const char *const large[] = {"pack:64 core:64 pu:2", "5000",
                                        "2 99999999999999999999"};
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        CHECK(strstr(read_as(large[i]), "has more than 4096 hardware threads") != NULL);
        CHECK_EQ(err.status, CLEAVE_ERANGE);
    }
}

static void test_seats(void)
{
    clv_target *t = machine("pack:2 core:2 pu:2(indexes=core:pack)");
    REQUIRE(t != NULL);
    CHECK_EQ(t->npes, 4);
    for (int32_t pe = 0; pe < t->npes; pe++) {
        char name[16];
        clv_seat seat = clv_target_seat(t, pe);
        sprintf(name, "core:%d", (int)pe);
        CHECK_STR(t->name[pe], name);
        CHECK_EQ(seat.node, 0);
        CHECK_EQ(seat.core, pe);
        CHECK(seat.cpu >= 0 && seat.cpu < 8);
        for (int32_t q = 0; q < pe; q++)
            CHECK(clv_target_seat(t, q).cpu != seat.cpu);
    }
    char text[200];
    t->shape->describe(t, text, sizeof text);
    CHECK_STR(text, "computer with 4 cores, 2 packages, 1 NUMA node");
    clv_target_free(t);
}

/* ---- Files ------------------------------------------------------------------------------ */

static void test_bad_files(void)
{
    CHECK(strstr(read_as("/nowhere/a.xml"), "no such file") != NULL);
    CHECK_EQ(err.status, CLEAVE_EIO);
    CHECK(strstr(read_as("nowhere.xml"), "no such file") != NULL);
    static const char *const texts[] = {"", "garbage", "<topology>", "<?xml version=\"1.0\"?>",
                                        "<topology version=\"2.0\"></topology>"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *path = test_file("bad.xml", texts[i]);
        CHECK(strstr(read_as(path),
                     "bad.xml: is not an XML file of hwloc 1 or 2, as lstopo writes "
                     "them") != NULL);
        CHECK_EQ(err.status, CLEAVE_EPARSE);
    }
}

static const char *shared_file(const char *folder, const char *name, const char *prefix)
{
    static char path[5000];
    snprintf(path, sizeof path, "%s%s/%s.xml", prefix, folder, name);
    return path;
}

static void check_file(const char *folder, const char *name, const char *words, int32_t levels,
                       int32_t largest)
{
    clv_target *t = machine(shared_file(folder, name, ""));
    char text[200];
    int32_t farthest = 0;
    REQUIRE(t != NULL);
    t->shape->describe(t, text, sizeof text);
    CHECK_STR(text, words);
    CHECK_EQ(t->levels, levels);
    for (int32_t p = 0; p < t->npes; p++)
        for (int32_t q = 0; q < t->npes; q++) {
            int32_t d = clv_target_distance(t, p, q);
            farthest = d > farthest ? d : farthest;
        }
    CHECK_EQ(farthest, largest);
    check_domains(t);
    check_pes(t);
    clv_target_free(t);
}

static void check_files(const char *folder)
{
    check_file(folder, "16amd64-4distances",
               "computer with 16 cores, 8 packages, 8 NUMA nodes at measured distances", 3, 2);
    check_file(folder, "16em64t-4s2c2t", "computer with 8 cores, 4 packages, 1 NUMA node", 2,
               2);
    check_file(folder, "192em64t-12gr2n8c2t",
               "computer with 192 cores, 24 packages, 24 NUMA nodes at measured distances", 3,
               79);
    check_file(folder, "192em64t-24n8c2t",
               "computer with 192 cores, 24 packages, 24 NUMA nodes at measured distances", 2,
               79);
    check_file(folder, "64intel64-heteromem",
               "computer with 16 cores, 1 package, 8 NUMA nodes", 3, 3);
    check_file(folder, "96em64t-4n4d3ca2co-pci",
               "computer with 96 cores, 16 packages, 4 NUMA nodes at measured distances", 4,
               39);
    check_file(folder, "fakecpukinds", "computer with 2 cores, 1 package, 1 NUMA node", 1, 1);
    check_file(folder, "nvidiaDGX2",
               "computer with 4 cores, 2 packages, 2 NUMA nodes at measured distances", 2, 21);
}

static void test_files(void)
{
    const char *folder = test_shared("topo", 8);
    if (folder)
        check_files(folder);
}

static void test_speeds(void)
{
    const char *folder = test_shared("topo", 1);
    if (!folder)
        return;
    clv_target *t = machine(shared_file(folder, "fakecpukinds", "pu:"));
    REQUIRE(t != NULL);
    CHECK_EQ(t->npes, 4);
    CHECK(!t->equal);
    for (int32_t pe = 0; pe < 4; pe++) /* CPUs 0 and 1 have 1000 MHz, 2 and 3 have 2000 */
        CHECK(clv_target_speed_of(t, pe) == (clv_target_seat(t, pe).cpu < 2 ? 1 : 2));
    clv_target_free(t);
}

/* ---- This machine ----------------------------------------------------------------------- */

static void test_this_machine(void)
{
    clv_target *cores, *threads;
    REQUIRE_OK(clv_target_this_machine(&cores, false, &err));
    REQUIRE_OK(clv_target_this_machine(&threads, true, &err));
    CHECK(cores->npes <= threads->npes);
    CHECK_EQ(threads->npes, clv_processors());
    check_domains(cores);
    check_domains(threads);
    for (int32_t pe = 1; pe < threads->npes; pe++)
        CHECK(clv_target_seat(threads, pe).cpu != clv_target_seat(threads, pe - 1).cpu);
    clv_target_free(cores);
    clv_target_free(threads);
}

/* Environment variables cannot replace a requested machine. */
static void test_environment(void)
{
    clv_target *t;
    setenv("HWLOC_SYNTHETIC", "pack:3 core:5 pu:1", 1);
    CHECK_EQ(clv_target_hwloc_machine(&t, false, &err), CLEAVE_EINVAL);
    CHECK(strstr(err.message, "unset HWLOC_XMLFILE") != NULL);
    CHECK_STR(read_as("core:2 pu:1"), "2: 1 from core:1");
    unsetenv("HWLOC_SYNTHETIC");
}

/* Nothing is printed to standard output or error for any fault. */
static void test_silence(void)
{
    char path[512];
    const char *folder = test_shared("topo", 8);
    snprintf(path, sizeof path, "%s/said", test_scratch());
    fflush(stdout);
    int file = open(path, O_CREAT | O_TRUNC | O_RDWR, 0600), kept[2] = {dup(1), dup(2)};
    REQUIRE(file >= 0 && kept[0] >= 0 && kept[1] >= 0);
    dup2(file, 1);
    dup2(file, 2);
    test_bad_files();
    test_synthetic();
    if (folder)
        check_files(folder);
    fflush(stdout);
    dup2(kept[0], 1);
    dup2(kept[1], 2);
    CHECK_EQ(lseek(file, 0, SEEK_END), 0);
    close(file);
    close(kept[0]);
    close(kept[1]);
}

static cleave_status make_by_hwloc(clv_target **t, const void *from)
{
    return clv_target_hwloc(t, from, &err);
}

static void test_memory(void)
{
    check_target_memory(make_by_hwloc, "pack:2 core:2 pu:2");
}

static void test_without(void)
{
    CHECK_STR(read_as("a.xml"),
              "\"a.xml\" is a machine for hwloc, and this library was built without it");
}

int main(void)
{
    RUN(test_this_machine);
    if (!strstr(cleave_features(), "hwloc")) {
        RUN(test_without);
        return test_end();
    }
    RUN(test_synthetic);
    RUN(test_seats);
    RUN(test_bad_files);
    RUN(test_files);
    RUN(test_speeds);
    RUN(test_environment);
    RUN(test_silence);
    RUN(test_memory);
    return test_end();
}
