/* SPDX-License-Identifier: Apache-2.0 */
/* base/cgroup.c - see base/cgroup.h.
 *
 * /proc/self/cgroup has the path of the group relative to the mount point of its hierarchy.
 * In a container the mount point may be the container's own group, while the path is that of
 * the host and does not exist: all groups from the path up to the mount point are read, and
 * missing ones are skipped. */
#include "base/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { longest_path = 4096, longest_file = 16384 };

/* Reads a file up to the given size, zero-terminated; false: it cannot be read. */
static bool read_text(const char *path, char *text, size_t room)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    size_t used = 0;
    if (fd < 0)
        return false;
    while (used + 1 < room) {
        ssize_t got = read(fd, text + used, room - 1 - used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        used += (size_t)got;
    }
    close(fd);
    text[used] = '\0';
    return true;
}

/* A whole number at *p, which moves after it; -1: there is none, or it is too large. */
static int64_t take_number(const char **p)
{
    int64_t value = 0;
    const char *digits = *p;
    while (**p >= '0' && **p <= '9') {
        if (value > INT64_MAX / 10 - 1)
            return -1;
        value = 10 * value + (*(*p)++ - '0');
    }
    return *p > digits ? value : -1;
}

static bool at_end(const char *p)
{
    return *p == '\0' || *p == '\n';
}

/* Number of threads that a quota per period can keep busy; 0: no quota. */
static int busy_threads(int64_t quota, int64_t period)
{
    if (quota <= 0 || period <= 0)
        return 0;
    int64_t threads = quota / period + (quota % period != 0);
    return threads > INT_MAX ? INT_MAX : (int)threads;
}

/* Version 2: "QUOTA PERIOD", or "max PERIOD". */
static int quota_of_group(const char *group)
{
    char path[longest_path + 64], text[64];
    snprintf(path, sizeof path, "%s/cpu.max", group);
    if (!read_text(path, text, sizeof text))
        return 0;
    const char *p = text;
    int64_t quota = take_number(&p);
    if (quota < 0 || *p != ' ')
        return 0;
    p++;
    int64_t period = take_number(&p);
    return at_end(p) ? busy_threads(quota, period) : 0;
}

static int64_t number_in(const char *group, const char *name)
{
    char path[longest_path + 64], text[64];
    snprintf(path, sizeof path, "%s/%s", group, name);
    if (!read_text(path, text, sizeof text))
        return -1;
    const char *p = text;
    int64_t value = take_number(&p);
    return at_end(p) ? value : -1;
}

/* Version 1: two files; -1 means no quota. */
static int quota_of_group_1(const char *group)
{
    return busy_threads(number_in(group, "cpu.cfs_quota_us"),
                        number_in(group, "cpu.cfs_period_us"));
}

static int smaller_quota(int a, int b)
{
    return a == 0 || (b > 0 && b < a) ? b : a;
}

/* The smallest quota of the groups from `name` up to `place`, where the hierarchy is mounted.
 */
static int quota_upwards(const char *place, const char *name, int (*quota_of)(const char *))
{
    char group[longest_path];
    size_t root = strlen(place);
    /* A path that leaves the mounted hierarchy cannot be followed: only its root is read. */
    bool outside = strstr(name, "/..") != NULL || root + strlen(name) >= sizeof group;
    snprintf(group, sizeof group, "%s%s", place, outside || !name[1] ? "" : name);
    int quota = 0;
    for (;;) {
        quota = smaller_quota(quota, quota_of(group));
        char *slash = strrchr(group, '/');
        if (!slash || (size_t)(slash - group) < root)
            return quota;
        *slash = '\0';
    }
}

/* Is cpu one of the controllers in a list such as "cpu,cpuacct"? */
static bool has_cpu(const char *controllers)
{
    for (const char *p = controllers; *p;) {
        size_t length = strcspn(p, ",");
        if (length == 3 && memcmp(p, "cpu", 3) == 0)
            return true;
        p += length + (p[length] == ',');
    }
    return false;
}

/* A line "ID:CONTROLLERS:NAME"; version 2 has the id 0 and no controllers. */
static int quota_of_line(const char *root, char *line)
{
    static const char *const places[] = {"", "/unified", "/cpu", "/cpu,cpuacct"};
    char *controllers = strchr(line, ':'), *name = NULL;
    if (controllers)
        name = strchr(++controllers, ':');
    if (!name || name[1] != '/')
        return 0;
    *name++ = '\0';
    bool first_version = has_cpu(controllers);
    if (!first_version && controllers[0] != '\0')
        return 0;
    int quota = 0;
    for (int i = first_version ? 2 : 0; i < (first_version ? 4 : 2); i++) {
        char place[longest_path];
        int length = snprintf(place, sizeof place, "%s/sys/fs/cgroup%s", root, places[i]);
        if (length > 0 && (size_t)length < sizeof place)
            quota = smaller_quota(
                quota,
                quota_upwards(place, name, first_version ? quota_of_group_1 : quota_of_group));
    }
    return quota;
}

int clv_cgroup_cpus(const char *root)
{
    char path[longest_path], text[longest_file];
    int quota = 0, length = snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    if (length < 0 || (size_t)length >= sizeof path || !read_text(path, text, sizeof text))
        return 0;
    for (char *line = text; *line;) {
        char *end = line + strcspn(line, "\n");
        char *next = *end ? end + 1 : end;
        *end = '\0';
        quota = smaller_quota(quota, quota_of_line(root, line));
        line = next;
    }
    return quota;
}
