/* SPDX-License-Identifier: Apache-2.0 */
/* target/sysfs_text.c - see target/sysfs_text.h. */
#include "target/sysfs_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { longest_path = 4096 };

bool clv_sysfs_read(clv_sysfs *s, const char *path)
{
    char full[longest_path];
    size_t used = 0;
    ssize_t got = -1;
    int length = snprintf(full, sizeof full, "%s%s", s->root, path);
    int fd =
        length < 0 || (size_t)length >= sizeof full ? -1 : open(full, O_RDONLY | O_CLOEXEC);
    s->text[0] = '\0';
    if (fd < 0)
        return false;
    do {
        got = read(fd, s->text + used, clv_sysfs_room - used);
        used += got > 0 ? (size_t)got : 0;
    } while ((got < 0 && errno == EINTR) || (got > 0 && used < clv_sysfs_room));
    close(fd);
    bool whole = got == 0;
    s->text[whole ? used : 0] = '\0';
    return whole;
}

/* Blanks, then digits. */
static bool take_number(const char **text, int64_t *value)
{
    const char *p = *text + strspn(*text, " \t");
    const char *digits = p;
    *value = 0;
    for (; *p >= '0' && *p <= '9'; p++) {
        if (*value > INT64_MAX / 10 - 1)
            return false;
        *value = 10 * *value + (*p - '0');
    }
    *text = p;
    return p > digits;
}

int64_t clv_sysfs_parse(const char *text)
{
    int64_t value;
    if (!take_number(&text, &value))
        return -1;
    int shift = *text == 'K' ? 10 : *text == 'M' ? 20 : *text == 'G' ? 30 : 0;
    return value > INT64_MAX >> shift ? -1 : value << shift;
}

int64_t clv_sysfs_number(clv_sysfs *s, const char *path)
{
    return clv_sysfs_read(s, path) ? clv_sysfs_parse(s->text) : -1;
}

bool clv_sysfs_next_number(const char **text, int64_t *value)
{
    return take_number(text, value);
}

bool clv_sysfs_next_range(const char **text, int64_t *from, int64_t *to)
{
    if (**text == ',')
        (*text)++;
    if (!take_number(text, from))
        return false;
    *to = *from;
    if (**text != '-')
        return true;
    (*text)++;
    return take_number(text, to) && *to >= *from;
}

/* ---- Control groups --------------------------------------------------------------------- */

/* Version 2, and two names of version 1: the effective set, and the configured set. */
static bool read_group(clv_sysfs *s, const char *place, const char *name)
{
    static const char *const file[] = {"cpuset.cpus.effective", "cpuset.effective_cpus",
                                       "cpuset.cpus"};
    char path[longest_path];
    for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
        int length =
            snprintf(path, sizeof path, "/sys/fs/cgroup%s%s/%s", place, name, file[i]);
        if (length > 0 && (size_t)length < sizeof path && clv_sysfs_read(s, path) &&
            s->text[0] >= '0' && s->text[0] <= '9')
            return true;
    }
    return false;
}

/* In a container the name may be that on the host, which does not exist; the mounted group is
 * then the container's. */
static bool read_named(clv_sysfs *s, const char *name)
{
    static const char *const place[] = {"", "/unified", "/cpuset"};
    for (size_t i = 0; i < sizeof place / sizeof *place; i++)
        if ((!strstr(name, "/..") && read_group(s, place[i], name)) ||
            read_group(s, place[i], ""))
            return true;
    return false;
}

void clv_sysfs_cpuset(clv_sysfs *s)
{
    char name[longest_path] = "";
    if (clv_sysfs_read(s, "/proc/self/cpuset"))
        snprintf(name, sizeof name, "%.*s", (int)strcspn(s->text, "\n"), s->text);
    if (strlen(name) < 2)
        name[0] = '\0';
    if (!read_named(s, name))
        s->text[0] = '\0';
}
