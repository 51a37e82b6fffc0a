/* SPDX-License-Identifier: Apache-2.0 */
/* target/slurm_conf.h - the lines of Slurm's configuration files: "Key=value Key=value".
 *
 * A line that ends in \ is continued at the first byte of the next line, # starts a comment, a
 * value may be in double quotes, keys are case-insensitive. */
#ifndef CLV_TARGET_SLURM_CONF_H
#define CLV_TARGET_SLURM_CONF_H

#include "base/mem.h"

enum { clv_most_conf_settings = 8 }; /* in a line */

typedef struct clv_conf_setting {
    const char *key, *value;
    size_t key_length, value_length; /* value NULL: Include FILE has none */
} clv_conf_setting;

typedef struct clv_conf {
    const char *path;
    char *text, *cur, *end;
    int64_t line; /* line number of the current settings, from 1 */
    int64_t next_line;
    int count; /* settings in the current line */
    clv_conf_setting setting[clv_most_conf_settings];
    cleave_error *err;
} clv_conf;

/* Reads the whole file.  The caller calls clv_conf_free, also after a failure. */
cleave_status clv_conf_open(clv_conf *conf, const char *path, cleave_error *err);
void clv_conf_free(clv_conf *conf);
/* The next line with settings; count 0: end of the file. */
cleave_status clv_conf_next(clv_conf *conf);
/* Is this the key, ignoring case? name is in lower case. */
bool clv_conf_is(const clv_conf_setting *setting, const char *name);

#endif
