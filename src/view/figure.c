/* SPDX-License-Identifier: Apache-2.0 */
/* view/figure.c - creating figures: layers and the data of items. */
#include "view/figure.h"

#include <assert.h>

clv_figure clv_figure_new(const char *title, int ndim)
{
    assert(ndim == 2 || ndim == 3);
    return (clv_figure){.title = title, .ndim = ndim, .group_field = -1};
}

clv_layer *clv_figure_layer(clv_figure *f, clv_layer_kind kind, const char *name)
{
    assert(f->nlayers < CLV_MOST_LAYERS);
    clv_layer *layer = &f->layer[f->nlayers++];
    *layer = (clv_layer){.kind = kind, .name = name, .ink = CLV_INK_STRONG};
    return layer;
}

static clv_field *next_field(clv_layer *layer, const char *name)
{
    assert(layer->nfields < CLV_MOST_FIELDS);
    clv_field *field = &layer->field[layer->nfields++];
    *field = (clv_field){.name = name};
    return field;
}

void clv_layer_ints(clv_layer *layer, const char *name, const int32_t *value)
{
    next_field(layer, name)->ints = value;
}

void clv_layer_longs(clv_layer *layer, const char *name, const int64_t *value)
{
    next_field(layer, name)->longs = value;
}

void clv_layer_reals(clv_layer *layer, const char *name, const double *value)
{
    next_field(layer, name)->reals = value;
}

void clv_layer_texts(clv_layer *layer, const char *name, const char *const *value)
{
    next_field(layer, name)->texts = value;
}

void clv_figure_bounds(const clv_figure *f, const double *position, double lo[3], double hi[3])
{
    for (int d = 0; d < 3; d++) {
        lo[d] = hi[d] = f->npositions > 0 && d < f->ndim ? position[d] : 0;
        for (int64_t i = 0; d < f->ndim && i < f->npositions; i++) {
            double x = position[i * f->ndim + d];
            lo[d] = x < lo[d] ? x : lo[d];
            hi[d] = x > hi[d] ? x : hi[d];
        }
    }
}

cleave_status clv_picture_size_check(int32_t width, int32_t height, cleave_error *err)
{
    enum { smallest = 200, largest = 4000 };
    if (width < smallest || width > largest || height < smallest || height > largest)
        return clv_fail(err, CLEAVE_EINVAL, "%d x %d pixels: each must be from %d to %d",
                        (int)width, (int)height, smallest, largest);
    return CLEAVE_OK;
}
