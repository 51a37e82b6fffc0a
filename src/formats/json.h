/* SPDX-License-Identifier: Apache-2.0 */
/* formats/json.h - JSON files by jansson: loading, and members that must be of a type.
 *
 * jansson does not remember where a value stood: messages about values name no line.  It
 * allocates with malloc; there is no way to change that but for the whole process. */
#ifndef CLV_FORMATS_JSON_H
#define CLV_FORMATS_JSON_H

#include <jansson.h>

#include "formats/input.h"

/* Where messages go, and about which file they are. */
typedef struct clv_json {
    clv_input *in;
    cleave_error *err;
} clv_json;

/* All numbers are reals; an object with a key twice is refused.  *root to be released by
 * json_decref. */
cleave_status clv_json_load(clv_json *json, json_t **root);

/* CLEAVE_EPARSE "path: sentence". */
cleave_status clv_json_fail(const clv_json *json, const char *format, ...) CLV_PRINTF(2, 3);

/* The member of an object; NULL when it is absent or null, or the object is NULL. */
cleave_status clv_json_array(const clv_json *json, const json_t *object, const char *key,
                             json_t **value);
cleave_status clv_json_object(const clv_json *json, const json_t *object, const char *key,
                              json_t **value);
cleave_status clv_json_string(const clv_json *json, const json_t *object, const char *key,
                              json_t **value);
/* Leaves *number alone when there is none; negative ones are refused. */
cleave_status clv_json_number(const clv_json *json, const json_t *object, const char *key,
                              bool *known, double *number);

#endif
