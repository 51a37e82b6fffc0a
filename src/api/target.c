/* SPDX-License-Identifier: Apache-2.0 */
/* api/target.c - public targets: creation, accessors, writing. */
#include "target/target.h"

#include "target/deco.h"
#include "target/target_forms.h"

cleave_status cleave_target_parse(cleave_target **out, const char *spec, cleave_error *err)
{
    if (out)
        *out = NULL;
    if (!out || !spec)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", out ? "spec" : "out");
    return clv_target_parse(out, spec, err);
}

const char *cleave_target_form(int i, const char **description)
{
    const clv_target_form *form = clv_target_form_at(i);
    if (form && description)
        *description = form->description;
    return form ? form->example : NULL;
}

cleave_status cleave_target_create(cleave_target **out, int32_t npes, const double *speeds,
                                   cleave_error *err)
{
    if (!out)
        return clv_fail(err, CLEAVE_EINVAL, "out is NULL");
    return clv_target_new(out, npes, speeds, err);
}

int32_t cleave_target_pes(const cleave_target *t)
{
    return t ? t->npes : 0;
}

static bool has_pe(const cleave_target *t, int32_t pe)
{
    return t && pe >= 0 && pe < t->npes;
}

double cleave_target_speed(const cleave_target *t, int32_t pe)
{
    return has_pe(t, pe) ? clv_target_speed_of(t, pe) : 0;
}

int32_t cleave_target_distance(const cleave_target *t, int32_t p, int32_t q)
{
    return has_pe(t, p) && has_pe(t, q) ? clv_target_distance(t, p, q) : -1;
}

const char *cleave_target_name(const cleave_target *t, int32_t pe)
{
    return has_pe(t, pe) && t->name ? t->name[pe] : NULL;
}

int32_t cleave_target_levels(const cleave_target *t)
{
    return t ? t->levels : 0;
}

int32_t cleave_target_level(const cleave_target *t, int32_t p, int32_t q)
{
    if (!has_pe(t, p) || !has_pe(t, q) || t->levels == 0)
        return 0;
    return t->shape->level(t, p, q);
}

int64_t cleave_target_links(const cleave_target *t)
{
    return t && t->shape->route ? t->links : 0;
}

const char *cleave_target_shape(const cleave_target *t)
{
    return t ? t->shape->name : "";
}

void cleave_target_describe(const cleave_target *t, char *text, size_t size)
{
    if (!text || size == 0)
        return;
    *text = 0;
    if (t)
        t->shape->describe(t, text, size);
}

void cleave_target_free(cleave_target *t)
{
    clv_target_free(t);
}

cleave_status cleave_target_write(const cleave_target *t, const char *path, cleave_error *err)
{
    if (!t)
        return clv_fail(err, CLEAVE_EINVAL, "the target is NULL");
    if (!path)
        return clv_fail(err, CLEAVE_EINVAL, "path is NULL");
    return clv_target_write_deco(t, path, err);
}
