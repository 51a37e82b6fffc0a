/* SPDX-License-Identifier: Apache-2.0 */
/* formats/json.c - JSON files by jansson; empty without it. */
#include "base/status.h"

#ifdef CLEAVE_HAVE_JANSSON

#include <stdarg.h>
#include <stdio.h>

#include "formats/json.h"

typedef struct source {
    clv_json *json;
    cleave_status status; /* of the last read */
} source;

static size_t read_bytes(void *to, size_t room, void *context)
{
    source *s = context;
    size_t count = 0;
    s->status = clv_input_read(s->json->in, to, room, &count, s->json->err);
    return s->status == CLEAVE_OK ? count : (size_t)-1;
}

cleave_status clv_json_load(clv_json *json, json_t **root)
{
    json_error_t error;
    source s = {json, CLEAVE_OK};
    *root = json_load_callback(read_bytes, &s,
                               JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &error);
    if (s.status != CLEAVE_OK) { /* possibly after a complete object */
        json_decref(*root);
        *root = NULL;
        return s.status;
    }
    if (*root)
        return CLEAVE_OK;
    if (json_error_code(&error) == json_error_out_of_memory)
        return clv_fail_memory(json->err);
    return clv_fail_at(json->err, CLEAVE_EPARSE, clv_input_path(json->in),
                       error.line > 0 ? error.line : 1, "%s", error.text);
}

cleave_status clv_json_fail(const clv_json *json, const char *format, ...)
{
    char sentence[252];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    return clv_fail_at(json->err, CLEAVE_EPARSE, clv_input_path(json->in), 0, "%s", sentence);
}

static cleave_status member(const clv_json *json, const json_t *object, const char *key,
                            json_type type, const char *type_name, json_t **value)
{
    *value = json_object_get(object, key);
    if (json_is_null(*value))
        *value = NULL;
    if (*value && json_typeof(*value) != type)
        return clv_json_fail(json, "a member \"%s\" is not %s", key, type_name);
    return CLEAVE_OK;
}

cleave_status clv_json_array(const clv_json *json, const json_t *object, const char *key,
                             json_t **value)
{
    return member(json, object, key, JSON_ARRAY, "an array", value);
}

cleave_status clv_json_object(const clv_json *json, const json_t *object, const char *key,
                              json_t **value)
{
    return member(json, object, key, JSON_OBJECT, "an object", value);
}

cleave_status clv_json_string(const clv_json *json, const json_t *object, const char *key,
                              json_t **value)
{
    return member(json, object, key, JSON_STRING, "a string", value);
}

cleave_status clv_json_number(const clv_json *json, const json_t *object, const char *key,
                              bool *known, double *number)
{
    json_t *value;
    CLV_TRY(member(json, object, key, JSON_REAL, "a number", &value));
    *known = value != NULL;
    if (!value)
        return CLEAVE_OK;
    *number = json_real_value(value);
    return *number >= 0 ? CLEAVE_OK : clv_json_fail(json, "a member \"%s\" is negative", key);
}

#endif
