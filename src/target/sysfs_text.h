/* SPDX-License-Identifier: Apache-2.0 */
/* target/sysfs_text.h - parsing of the small text files of /proc and /sys. */
#ifndef CLV_TARGET_SYSFS_TEXT_H
#define CLV_TARGET_SYSFS_TEXT_H

#include <stdbool.h>
#include <stdint.h>

enum { clv_sysfs_room = 1 << 16 }; /* bytes; files that do not fit are not read */

typedef struct clv_sysfs {
    const char *root; /* in front of /proc and /sys */
    char *text;       /* clv_sysfs_room bytes: the file that was read last */
} clv_sysfs;

/* Ended by a 0; false and an empty text: it cannot be read. */
bool clv_sysfs_read(clv_sysfs *s, const char *path);
/* A whole number >= 0 behind blanks, with K, M or G behind it for 2^10, 2^20, 2^30; -1: there
 * is none. */
int64_t clv_sysfs_parse(const char *text);
int64_t clv_sysfs_number(clv_sysfs *s, const char *path);
/* The next number of a line, or the next range of a list "0-3,8"; false: there is none. */
bool clv_sysfs_next_number(const char **text, int64_t *value);
bool clv_sysfs_next_range(const char **text, int64_t *from, int64_t *to);
/* Reads the list of CPUs that the control group of this process may use; an empty text: it
 * is not known. */
void clv_sysfs_cpuset(clv_sysfs *s);

#endif
