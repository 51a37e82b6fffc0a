/* SPDX-License-Identifier: Apache-2.0 */
/* target/sysfs_text.h - parsing of the small text files of /proc and /sys. */
#ifndef CLV_TARGET_SYSFS_TEXT_H
#define CLV_TARGET_SYSFS_TEXT_H

#include <stdbool.h>
#include <stdint.h>

enum { clv_sysfs_room = 1 << 16 }; /* bytes; larger files are not read */

typedef struct clv_sysfs {
    const char *root; /* prefix of /proc and /sys */
    char *text;       /* clv_sysfs_room bytes: the contents of the last file */
} clv_sysfs;

/* Zero-terminated; false and an empty text: the file cannot be read. */
bool clv_sysfs_read(clv_sysfs *s, const char *path);
/* A whole number >= 0 after blanks, with an optional suffix K, M or G for 2^10, 2^20, 2^30;
 * -1: none. */
int64_t clv_sysfs_parse(const char *text);
int64_t clv_sysfs_number(clv_sysfs *s, const char *path);
/* The next number of a line, or the next range of a list "0-3,8"; false: none. */
bool clv_sysfs_next_number(const char **text, int64_t *value);
bool clv_sysfs_next_range(const char **text, int64_t *from, int64_t *to);
/* Reads the list of CPUs that the control group of this process allows; empty text: unknown.
 */
void clv_sysfs_cpuset(clv_sysfs *s);

#endif
