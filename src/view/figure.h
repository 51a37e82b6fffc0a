/* SPDX-License-Identifier: Apache-2.0 */
/* view/figure.h - the contents of a picture, independent of the output format.
 *
 * To add a picture, fill a clv_figure and pass it to clv_figure_svg (view/figure_svg.c) or put
 * it on a clv_page (view/page.h); both draw every figure.
 *
 * A figure is a table of positions, in two or three dimensions, and layers drawn in order,
 * which readers of a page can switch on and off by name.  Items of layers refer to positions
 * by number, so that rotating a figure rotates all of it.  A colour is the number of a palette
 * entry, or an ink, which follows the reader's light or dark theme.  The fields of an item are
 * shown when the mouse is over it: "vertex 17, part 3, weight 2".
 *
 * All arrays are borrowed and must live until the figure is written.  Positions are finite. */
#ifndef CLV_VIEW_FIGURE_H
#define CLV_VIEW_FIGURE_H

#include "view/svg.h"

/* Colours below 0 belong to the theme; 0, 1, ... are entries of the palette. */
enum {
    CLV_INK_STRONG = -1, /* text: black on white */
    CLV_INK_MUTED = -2,  /* grey */
    CLV_INK_FAINT = -3,  /* a grid behind everything */
    CLV_INK_PAPER = -4,  /* the background: gaps, outlines of texts */
    CLV_INK_ACCENT = -5  /* highlights: critical paths, moved vertices */
};

typedef enum clv_layer_kind {
    CLV_LAYER_POINTS,   /* at: 1 position per item */
    CLV_LAYER_SEGMENTS, /* at: 2, from and to */
    CLV_LAYER_RECTS,    /* at: 2, opposite corners; only in two-dimensional figures */
    CLV_LAYER_AREAS,    /* at: offset[i] ... offset[i + 1] - 1, corners of a filled shape */
    CLV_LAYER_TEXTS     /* at: 1, the middle of the text */
} clv_layer_kind;

/* An attribute of the items of a layer; one of the arrays is set. */
typedef struct clv_field {
    const char *name; /* "part", "load", ... */
    const int32_t *ints;
    const int64_t *longs;
    const double *reals;
    const char *const *texts;
} clv_field;

enum { CLV_MOST_FIELDS = 8 };

typedef struct clv_layer {
    clv_layer_kind kind;
    const char *name; /* next to its checkbox; NULL: always shown */
    bool hidden;      /* initially */
    bool optional;    /* omitted, with a note, from pages that would become too large */
    int64_t count;
    const int32_t *at;     /* positions, see the kind; NULL (points and texts): item i at i */
    const int64_t *offset; /* areas: count + 1 */
    const int32_t *color;  /* by item; NULL: all `ink` */
    int32_t ink;
    double size;              /* pixels: radius of points, width of lines, height of texts; 0:
                                 chosen automatically.  Rects and areas: width of an outline in
                                 CLV_INK_PAPER */
    const float *sizes;       /* by item, NULL: all `size` */
    double opacity;           /* 0 means 1 */
    bool arrows;              /* segments: a head at `to` */
    bool dashed;              /* segments */
    bool balls;               /* shaded points as large as the gaps between them: size and
                                 sizes are radii in units of the positions */
    const char *const *texts; /* texts: by item; rects: NULL, or written inside if they fit */
    const char *noun;         /* name of an item under the mouse: "vertex"; NULL: items do not
                                 react */
    int nfields;
    clv_field field[CLV_MOST_FIELDS];
} clv_layer;

/* An entry of the legend: a colour, a name and a value. */
typedef struct clv_legend {
    int32_t color;
    const char *name;  /* "part 3" */
    const char *value; /* "1 234 vertices"; NULL: nothing */
} clv_legend;

enum { CLV_MOST_LAYERS = 12 };

typedef struct clv_figure {
    const char *title, *caption; /* caption NULL: none */
    int ndim;                    /* 2 or 3 */
    int64_t npositions;
    const double *position; /* npositions * ndim */
    const double *evened;   /* NULL, or alternative positions that enlarge dense regions; drawn
                               initially, and the reader of a page can switch */
    bool stretch;           /* fills its frame, with separate scales for x and y (charts over
                               time) */
    bool y_down;            /* y grows downwards; otherwise upwards */
    int32_t npalette;
    const uint32_t *palette; /* 0xRRGGBB */
    int64_t nlegend;
    const clv_legend *legend;
    const char *legend_title; /* NULL: "Legend" */
    int group_field;          /* points: a click on entry i of the legend shows only items with
                                 value i of this field; -1: none */
    int nlayers;
    clv_layer layer[CLV_MOST_LAYERS];
} clv_figure;

/* An empty figure with a title. */
clv_figure clv_figure_new(const char *title, int ndim);
/* The next layer, zeroed, at the end; asserts that there is room. */
clv_layer *clv_figure_layer(clv_figure *f, clv_layer_kind kind, const char *name);
void clv_layer_ints(clv_layer *layer, const char *name, const int32_t *value);
void clv_layer_longs(clv_layer *layer, const char *name, const int64_t *value);
void clv_layer_reals(clv_layer *layer, const char *name, const double *value);
void clv_layer_texts(clv_layer *layer, const char *name, const char *const *value);

/* First index in `at` of the positions of item i of a layer. */
static inline int64_t clv_layer_first(const clv_layer *layer, int64_t i)
{
    return layer->kind == CLV_LAYER_AREAS ? layer->offset[i]
           : layer->kind == CLV_LAYER_SEGMENTS || layer->kind == CLV_LAYER_RECTS ? 2 * i
                                                                                 : i;
}
static inline int32_t clv_layer_at(const clv_layer *layer, int64_t index)
{
    return layer->at ? layer->at[index] : (int32_t)index;
}
static inline int32_t clv_layer_color(const clv_layer *layer, int64_t i)
{
    return layer->color ? layer->color[i] : layer->ink;
}

/* The smallest and largest positions in each dimension; 0 and 0 without positions. */
void clv_figure_bounds(const clv_figure *f, const double *position, double lo[3],
                       double hi[3]);

typedef struct clv_picture_size {
    int32_t width, height; /* pixels */
} clv_picture_size;

/* CLEAVE_EINVAL unless both are from 200 to 4000 pixels. */
cleave_status clv_picture_size_check(int32_t width, int32_t height, cleave_error *err);

/* The whole picture as one SVG document: title, caption, layers that are not hidden, legend.
 * Layers of very many items are rasterised and embedded as PNG. */
cleave_status clv_figure_svg(clv_svg *svg, const clv_figure *f, clv_picture_size size,
                             clv_ws *ws, cleave_error *err);

/* The CSS of these pictures (view/figure_style.c). */
extern const char clv_figure_style[];

#endif
