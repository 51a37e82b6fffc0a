/* SPDX-License-Identifier: Apache-2.0 */
/* formats/json.h - JSON files through jansson: loading, and type-checked access to members.
 *
 * jansson does not record the positions of values: messages about values have no line number.
 * It allocates with malloc; that can only be changed for the whole process. */
#ifndef CLV_FORMATS_JSON_H
#define CLV_FORMATS_JSON_H

#include <jansson.h>

#include "formats/input.h"

/* For messages: where they go, and the file they are about. */
typedef struct clv_json {
    clv_input *in;
    cleave_error *err;
} clv_json;

/* All numbers are reals; duplicate keys in an object are an error.  The caller releases *root
 * with json_decref. */
cleave_status clv_json_load(clv_json *json, json_t **root);

/* CLEAVE_EPARSE "path: sentence". */
cleave_status clv_json_fail(const clv_json *json, const char *format, ...) CLV_PRINTF(2, 3);

/* The member of an object; NULL if it is absent or null, or if the object is NULL. */
cleave_status clv_json_array(const clv_json *json, const json_t *object, const char *key,
                             json_t **value);
cleave_status clv_json_object(const clv_json *json, const json_t *object, const char *key,
                              json_t **value);
cleave_status clv_json_string(const clv_json *json, const json_t *object, const char *key,
                              json_t **value);
/* *number is unchanged if the member is absent; negative numbers are an error. */
cleave_status clv_json_number(const clv_json *json, const json_t *object, const char *key,
                              bool *known, double *number);

#endif
