/* SPDX-License-Identifier: Apache-2.0 */
/* view/page_data.c - a figure in the form that view/page.js reads: JSON that describes typed
 * arrays, and the bytes of all arrays, compressed with zlib if available, in base64.
 *
 * Arrays have the narrowest type that holds their values; arrays of position numbers are
 * stored as differences, most of which are small.  Positions of large figures are reduced to
 * sixteen bits, an error of a fraction of a pixel.  An array that is used twice is stored
 * once. */
#include <math.h>
#include <string.h>

#include "view/deflate.h"
#include "view/page.h"

enum { exact_positions = 20000, most_stored = 64 };

typedef struct stored {
    const void *array;
    int64_t count;
    int64_t at;
    const char *type;
} stored;

typedef struct packing {
    clv_page *page;
    clv_buffer bytes;
    int nstored;
    stored known[most_stored];
} packing;

/* ---- Arrays ----------------------------------------------------------------------------- */

static void put_reference(packing *p, int64_t at, int64_t count, const char *type)
{
    clv_buffer *out = &p->page->out;
    clv_buffer_text(out, "{\"o\":");
    clv_buffer_int(out, at);
    clv_buffer_text(out, ",\"n\":");
    clv_buffer_int(out, count);
    clv_buffer_text(out, ",\"t\":\"");
    clv_buffer_text(out, type);
    clv_buffer_text(out, "\"}");
}

static bool put_known(packing *p, const void *array, int64_t count)
{
    for (int i = 0; i < p->nstored; i++)
        if (p->known[i].array == array && p->known[i].count == count) {
            put_reference(p, p->known[i].at, count, p->known[i].type);
            return true;
        }
    return false;
}

static void store_reference(packing *p, const void *array, int64_t count, int64_t at,
                            const char *type)
{
    if (p->nstored < most_stored)
        p->known[p->nstored++] = (stored){array, count, at, type};
    put_reference(p, at, count, type);
}

static void put_ints(packing *p, const int32_t *value, int64_t count)
{
    if (!value) {
        clv_buffer_text(&p->page->out, "null");
        return;
    }
    if (put_known(p, value, count))
        return;
    int32_t lo = 0, hi = 0;
    for (int64_t i = 0; i < count; i++) {
        lo = value[i] < lo ? value[i] : lo;
        hi = value[i] > hi ? value[i] : hi;
    }
    clv_buffer_align(&p->bytes, 8);
    int64_t at = p->bytes.used;
    bool byte = lo >= 0 ? hi < 256 : lo >= -128 && hi < 128;
    bool two = lo >= 0 ? hi < 65536 : lo >= -32768 && hi < 32768;
    for (int64_t i = 0; i < count; i++) {
        if (byte) {
            unsigned char small = (unsigned char)value[i];
            clv_buffer_bytes(&p->bytes, &small, 1);
        } else if (two) {
            uint16_t medium = (uint16_t)value[i];
            unsigned char pair[2] = {(unsigned char)medium, (unsigned char)(medium >> 8)};
            clv_buffer_bytes(&p->bytes, pair, 2);
        } else {
            clv_buffer_bytes(&p->bytes, &value[i], 4);
        }
    }
    store_reference(p, value, count, at,
                    byte  ? (lo < 0 ? "i8" : "u8")
                    : two ? (lo < 0 ? "i16" : "u16")
                          : "i32");
}

static void put_differences(packing *p, const int32_t *value, int64_t count)
{
    if (!value) {
        clv_buffer_text(&p->page->out, "null");
        return;
    }
    if (put_known(p, value, count))
        return;
    int64_t at = p->bytes.used, before = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t step = value[i] - before;
        uint64_t code = step < 0 ? (uint64_t)(-step) * 2 - 1 : (uint64_t)step * 2;
        unsigned char piece[10];
        int length = 0;
        do {
            piece[length++] = (unsigned char)((code & 127) | (code > 127 ? 128 : 0));
            code >>= 7;
        } while (code);
        clv_buffer_bytes(&p->bytes, piece, (size_t)length);
        before = value[i];
    }
    store_reference(p, value, count, at, "d");
}

static void put_doubles(packing *p, const double *value, int64_t count)
{
    if (put_known(p, value, count))
        return;
    clv_buffer_align(&p->bytes, 8);
    int64_t at = p->bytes.used;
    clv_buffer_bytes(&p->bytes, value, (size_t)count * sizeof *value);
    store_reference(p, value, count, at, "f64");
}

/* Browsers round integers beyond 2^53. */
static void put_longs(packing *p, const int64_t *value, int64_t count)
{
    if (put_known(p, value, count))
        return;
    clv_buffer_align(&p->bytes, 8);
    int64_t at = p->bytes.used;
    for (int64_t i = 0; i < count; i++) {
        double rounded = (double)value[i];
        clv_buffer_bytes(&p->bytes, &rounded, sizeof rounded);
    }
    store_reference(p, value, count, at, "f64");
}

static void put_floats(packing *p, const float *value, int64_t count)
{
    if (!value) {
        clv_buffer_text(&p->page->out, "null");
        return;
    }
    clv_buffer_align(&p->bytes, 8);
    int64_t at = p->bytes.used;
    clv_buffer_bytes(&p->bytes, value, (size_t)count * sizeof *value);
    store_reference(p, value, count, at, "f32");
}

static void put_offsets(packing *p, const int64_t *offset, int64_t count)
{
    clv_buffer_align(&p->bytes, 8);
    int64_t at = p->bytes.used;
    for (int64_t i = 0; i < count; i++) {
        int32_t narrow = (int32_t)offset[i];
        clv_buffer_bytes(&p->bytes, &narrow, sizeof narrow);
    }
    put_reference(p, at, count, "i32");
}

static void put_texts(packing *p, const char *const *text, int64_t count)
{
    clv_buffer *out = &p->page->out;
    clv_buffer_text(out, "[");
    for (int64_t i = 0; i < count; i++) {
        clv_buffer_text(out, i ? "," : "");
        clv_buffer_json(out, text[i] ? text[i] : "");
    }
    clv_buffer_text(out, "]");
}

/* ---- Positions -------------------------------------------------------------------------- */

static void put_bounds(clv_buffer *out, const char *name, int ndim, const double *bound)
{
    clv_buffer_text(out, name);
    for (int d = 0; d < ndim; d++) {
        clv_buffer_text(out, d ? "," : "[");
        clv_buffer_real(out, bound[d]);
    }
    clv_buffer_text(out, "],");
}

/* Bounds, then the positions. */
static void put_positions(packing *p, const clv_figure *f, const double *position)
{
    clv_buffer *out = &p->page->out;
    double lo[3], hi[3];
    int64_t count = f->npositions * f->ndim;
    clv_figure_bounds(f, position, lo, hi);
    clv_buffer_text(out, "{");
    put_bounds(out, "\"lo\":", f->ndim, lo);
    put_bounds(out, "\"hi\":", f->ndim, hi);
    clv_buffer_text(out, "\"at\":");
    bool exact = f->npositions <= exact_positions;
    clv_buffer_align(&p->bytes, 8);
    int64_t at = p->bytes.used;
    for (int64_t i = 0; i < count; i++) {
        int d = (int)(i % f->ndim);
        if (exact) {
            float rounded = (float)position[i];
            clv_buffer_bytes(&p->bytes, &rounded, sizeof rounded);
            continue;
        }
        double share = hi[d] > lo[d] ? (position[i] - lo[d]) / (hi[d] - lo[d]) : 0;
        uint16_t step = (uint16_t)(share * 65535 + 0.5);
        clv_buffer_bytes(&p->bytes, &step, sizeof step);
    }
    put_reference(p, at, count, exact ? "f32" : "u16");
    clv_buffer_text(out, "}");
}

/* ---- Layers ----------------------------------------------------------------------------- */

static void put_name(clv_buffer *out, const char *key)
{
    clv_buffer_text(out, ",\"");
    clv_buffer_text(out, key);
    clv_buffer_text(out, "\":");
}

static void put_fields(packing *p, const clv_layer *layer)
{
    clv_buffer *out = &p->page->out;
    put_name(out, "fields");
    clv_buffer_text(out, "[");
    for (int i = 0; i < layer->nfields; i++) {
        const clv_field *field = &layer->field[i];
        clv_buffer_text(out, i ? ",{\"name\":" : "{\"name\":");
        clv_buffer_json(out, field->name);
        put_name(out, field->texts ? "texts" : "v");
        if (field->texts)
            put_texts(p, field->texts, layer->count);
        else if (field->ints)
            put_ints(p, field->ints, layer->count);
        else if (field->longs)
            put_longs(p, field->longs, layer->count);
        else
            put_doubles(p, field->reals, layer->count);
        clv_buffer_text(out, "}");
    }
    clv_buffer_text(out, "]");
}

static void put_flag(clv_buffer *out, const char *key, bool value)
{
    put_name(out, key);
    clv_buffer_text(out, value ? "true" : "false");
}

static void put_looks(packing *p, const clv_layer *layer)
{
    clv_buffer *out = &p->page->out;
    put_name(out, "ink");
    clv_buffer_int(out, layer->ink);
    put_name(out, "size");
    clv_buffer_real(out, layer->size);
    put_name(out, "opacity");
    clv_buffer_real(out, layer->opacity > 0 ? layer->opacity : 1);
    put_flag(out, "hidden", layer->hidden);
    put_flag(out, "arrows", layer->arrows);
    put_flag(out, "dashed", layer->dashed);
    put_flag(out, "balls", layer->balls);
    put_name(out, "noun");
    clv_buffer_json(out, layer->noun);
}

static void put_arrays(packing *p, const clv_layer *layer, int64_t positions)
{
    clv_buffer *out = &p->page->out;
    put_name(out, "at");
    put_differences(p, layer->at, positions);
    put_name(out, "offset");
    if (layer->kind == CLV_LAYER_AREAS)
        put_offsets(p, layer->offset, layer->count + 1);
    else
        clv_buffer_text(out, "null");
    put_name(out, "color");
    put_ints(p, layer->color, layer->count);
    put_name(out, "sizes");
    put_floats(p, layer->sizes, layer->count);
    if (layer->texts) {
        put_name(out, "texts");
        put_texts(p, layer->texts, layer->count);
    }
    put_fields(p, layer);
}

static void put_layer(packing *p, const clv_layer *layer)
{
    static const char *const kinds[] = {"points", "segments", "rects", "areas", "texts"};
    clv_buffer *out = &p->page->out;
    int64_t positions = clv_layer_first(layer, layer->count);
    /* Estimate: three bytes per position, as differences before compression. */
    bool dropped = layer->optional &&
                   out->used + 2 * (p->bytes.used + 3 * positions) / 3 > p->page->budget;
    clv_buffer_text(out, "{\"kind\":\"");
    clv_buffer_text(out, kinds[layer->kind]);
    clv_buffer_text(out, "\",\"name\":");
    clv_buffer_json(out, layer->name);
    put_name(out, "count");
    clv_buffer_int(out, dropped ? 0 : layer->count);
    put_looks(p, layer);
    put_flag(out, "dropped", dropped);
    if (dropped)
        clv_buffer_text(out, ",\"fields\":[]");
    else
        put_arrays(p, layer, positions);
    clv_buffer_text(out, "}");
}

/* ---- The figure ------------------------------------------------------------------------- */

static void put_palette(clv_buffer *out, const clv_figure *f)
{
    static const char hex[] = "0123456789abcdef";
    put_name(out, "palette");
    clv_buffer_text(out, "[");
    for (int32_t i = 0; i < f->npalette; i++) {
        char text[] = ",\"000000\"";
        for (int d = 0; d < 6; d++)
            text[2 + d] = hex[f->palette[i] >> (20 - 4 * d) & 15];
        clv_buffer_text(out, text + (i == 0));
    }
    clv_buffer_text(out, "]");
}

static void put_legend(clv_buffer *out, const clv_figure *f)
{
    put_name(out, "legendTitle");
    clv_buffer_json(out, f->legend_title);
    put_name(out, "legend");
    clv_buffer_text(out, "[");
    for (int64_t i = 0; i < f->nlegend; i++) {
        clv_buffer_text(out, i ? ",{\"c\":" : "{\"c\":");
        clv_buffer_int(out, f->legend[i].color);
        put_name(out, "n");
        clv_buffer_json(out, f->legend[i].name);
        put_name(out, "v");
        clv_buffer_json(out, f->legend[i].value);
        clv_buffer_text(out, "}");
    }
    clv_buffer_text(out, "]");
}

static void put_bytes(packing *p)
{
    clv_buffer *out = &p->page->out;
    clv_buffer squeezed = {0};
    clv_deflate(&squeezed, p->bytes.text, p->bytes.used);
    out->failed = out->failed || p->bytes.failed || squeezed.failed;
    /* Incompressible data is stored uncompressed, which every browser can read. */
    bool worth = squeezed.used < p->bytes.used - p->bytes.used / 8;
    put_flag(out, "deflated", worth);
    put_name(out, "data");
    clv_buffer_text(out, "\"");
    if (!out->failed)
        clv_buffer_base64(out, worth ? squeezed.text : p->bytes.text,
                          worth ? squeezed.used : p->bytes.used);
    clv_buffer_text(out, "\"");
    clv_buffer_free(&squeezed);
}

void clv_page_data(clv_page *page, const clv_figure *f)
{
    packing p = {.page = page};
    clv_buffer *out = &page->out;
    clv_buffer_text(out, "{\"ndim\":");
    clv_buffer_int(out, f->ndim);
    put_name(out, "npositions");
    clv_buffer_int(out, f->npositions);
    put_flag(out, "stretch", f->stretch);
    put_flag(out, "yDown", f->y_down);
    put_name(out, "group");
    clv_buffer_int(out, f->group_field);
    put_palette(out, f);
    put_legend(out, f);
    put_name(out, "position");
    put_positions(&p, f, f->position);
    if (f->evened) {
        put_name(out, "evened");
        put_positions(&p, f, f->evened);
    }
    put_name(out, "layers");
    clv_buffer_text(out, "[");
    for (int i = 0; i < f->nlayers; i++) {
        clv_buffer_text(out, i ? "," : "");
        put_layer(&p, &f->layer[i]);
    }
    clv_buffer_text(out, "]");
    put_bytes(&p);
    clv_buffer_text(out, "}");
    clv_buffer_free(&p.bytes);
}
