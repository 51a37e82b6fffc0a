/* SPDX-License-Identifier: Apache-2.0 */
/* view/graph_picture.c - the layers of a graph drawing.
 *
 * A two-dimensional mesh is filled: a face whose corners are in one part as a whole, others in
 * one area per corner, cut at the middles of the edges and of the face.  Part boundaries run
 * along these cuts.  If there are no faces, or too many, vertices are drawn as large as the
 * gaps between them, which fills the mesh as well. */
#include "view/graph_picture.h"

#include <math.h>

#include "view/faces.h"

enum { most_faced = 120000, most_local = 200000, most_lines = 40000, small_graph = 3000 };

typedef struct drawing {
    clv_figure *f;
    const clv_graph_picture *what;
    clv_arena *arena;
    clv_ws *ws;
    const int32_t *tint; /* by vertex: its part, or its position in an order, as a colour;
                            NULL: all equal */
    double length;       /* mean length of the edges */
    bool filled;         /* there are faces */
} drawing;

/* ---- Edges ------------------------------------------------------------------------------ */

static bool is_cut(const clv_graph_picture *w, int32_t v, int32_t u)
{
    return w->part && w->part[v] != w->part[u];
}

static bool is_edge(const clv_graph *g, int32_t v, int32_t u)
{
    return g->kind == CLEAVE_DAG || v < u;
}

static double distance(const clv_graph_picture *w, int32_t v, int32_t u)
{
    double square = 0;
    for (int d = 0; d < w->ndim; d++) {
        double step =
            w->position[(int64_t)v * w->ndim + d] - w->position[(int64_t)u * w->ndim + d];
        square += step * step;
    }
    return sqrt(square);
}

static double mean_length(const clv_graph_picture *w)
{
    const clv_graph *g = w->g;
    double sum = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            sum += distance(w, v, g->adj[a]);
    return g->narc > 0 ? sum / (double)g->narc : 1;
}

/* A layer of segments: the cut edges, or the others. */
static cleave_status add_edges(drawing *d, const char *name, bool cut, clv_layer **layer,
                               cleave_error *err)
{
    const clv_graph *g = d->what->g;
    int64_t count = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            count += is_edge(g, v, g->adj[a]) && is_cut(d->what, v, g->adj[a]) == cut;
    int32_t *at = clv_arena_alloc(d->arena, 2 * count, sizeof *at);
    int32_t *color = clv_arena_alloc(d->arena, count, sizeof *color);
    if (!at || !color)
        return clv_fail_memory(err);
    *layer = clv_figure_layer(d->f, CLV_LAYER_SEGMENTS, name);
    (*layer)->at = at;
    (*layer)->color = d->tint && !cut && !d->filled ? color : NULL;
    (*layer)->count = count;
    (*layer)->arrows = g->kind == CLEAVE_DAG && g->nvtx <= small_graph;
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            if (!is_edge(g, v, g->adj[a]) || is_cut(d->what, v, g->adj[a]) != cut)
                continue;
            *at++ = v;
            *at++ = g->adj[a];
            *color++ = d->tint ? d->tint[v] : CLV_INK_MUTED;
        }
    return CLEAVE_OK;
}

static cleave_status add_inner_edges(drawing *d, cleave_error *err)
{
    clv_layer *layer;
    CLV_TRY(add_edges(d, "edges", false, &layer, err));
    /* More white lines than this would hide the colours. */
    int64_t most = d->filled ? most_lines : 3 * (int64_t)most_faced;
    layer->optional = layer->count > 100000;
    layer->ink = d->filled ? CLV_INK_PAPER : CLV_INK_MUTED;
    layer->opacity = d->filled ? 0.45 : d->what->part ? 0.55 : 0.5;
    layer->size = d->filled ? 0.5 : layer->count > 20000 ? 0.5 : 0.9;
    layer->hidden = layer->count > most || d->what->ndim == 3;
    return CLEAVE_OK;
}

static cleave_status add_cut_edges(drawing *d, cleave_error *err)
{
    clv_layer *layer;
    if (!d->what->part)
        return CLEAVE_OK;
    CLV_TRY(add_edges(d, "cut edges", true, &layer, err));
    layer->ink = CLV_INK_STRONG;
    layer->optional = layer->count > 200000;
    bool many = layer->count > 15000;
    layer->size = d->filled ? (many ? 0.4 : 0.8) : many ? 0.6 : 1.1;
    layer->opacity = d->what->ndim == 3 ? 1 : d->filled ? (many ? 0.35 : 0.6) : 0.7;
    return CLEAVE_OK;
}

/* ---- Faces ------------------------------------------------------------------------------ */

static bool has_several_parts(const drawing *d, const clv_faces *faces, int64_t i)
{
    for (int64_t k = faces->offset[i] + 1; d->what->part && k < faces->offset[i + 1]; k++)
        if (d->what->part[faces->corner[k]] != d->what->part[faces->corner[k - 1]])
            return true;
    return false;
}

/* Numbers of elements in the areas and borders of the faces. */
typedef struct sizes {
    int64_t areas, corners, positions, borders;
} sizes;

static sizes size_up(const drawing *d, const clv_faces *faces)
{
    sizes s = {0};
    for (int64_t i = 0; i < faces->count; i++) {
        int64_t corners = faces->offset[i + 1] - faces->offset[i];
        bool split = has_several_parts(d, faces, i);
        s.areas += split ? corners : 1;
        s.corners += split ? 4 * corners : corners;
        s.positions += split ? corners + 1 : 0;
        s.borders += split ? corners : 0;
    }
    return s;
}

typedef struct filling {
    double *position, *evened; /* those of the vertices first; evened may be NULL */
    int64_t positions;
    int64_t areas, *offset;
    int32_t *corner, *color;
    int64_t borders;
    int32_t *border;
} filling;

static void add_area(filling *fill, int count, const int32_t *corner, int32_t color)
{
    int64_t at = fill->offset[fill->areas];
    for (int i = 0; i < count; i++)
        fill->corner[at + i] = corner[i];
    fill->color[fill->areas] = color;
    fill->offset[++fill->areas] = at + count;
}

static void put_middle(double *position, int64_t at, int count, const int32_t *of)
{
    double *to = position + 2 * at;
    to[0] = to[1] = 0;
    for (int i = 0; i < count; i++)
        for (int c = 0; c < 2; c++)
            to[c] += position[2 * (int64_t)of[i] + c] / count;
}

static int32_t add_middle(filling *fill, int count, const int32_t *of)
{
    put_middle(fill->position, fill->positions, count, of);
    if (fill->evened)
        put_middle(fill->evened, fill->positions, count, of);
    return (int32_t)fill->positions++;
}

static void split_face(const drawing *d, filling *fill, int count, const int32_t *corner)
{
    const int32_t *part = d->what->part;
    int32_t center = add_middle(fill, count, corner), first = (int32_t)fill->positions;
    for (int i = 0; i < count; i++)
        add_middle(fill, 2, (const int32_t[2]){corner[i], corner[(i + 1) % count]});
    for (int i = 0; i < count; i++) {
        int32_t before = first + (i + count - 1) % count, after = first + i;
        add_area(fill, 4, (const int32_t[4]){before, corner[i], after, center},
                 part[corner[i]]);
        if (part[corner[i]] == part[corner[(i + 1) % count]])
            continue;
        fill->border[2 * fill->borders] = after;
        fill->border[2 * fill->borders++ + 1] = center;
    }
}

static void fill_faces(const drawing *d, const clv_faces *faces, filling *fill)
{
    const clv_graph_picture *w = d->what;
    for (int64_t i = 0; i < 2 * (int64_t)w->g->nvtx; i++) {
        fill->position[i] = w->position[i];
        if (fill->evened)
            fill->evened[i] = w->evened[i];
    }
    fill->positions = w->g->nvtx;
    fill->offset[0] = 0;
    for (int64_t i = 0; i < faces->count; i++) {
        int count = (int)(faces->offset[i + 1] - faces->offset[i]);
        const int32_t *corner = faces->corner + faces->offset[i];
        if (has_several_parts(d, faces, i))
            split_face(d, fill, count, corner);
        else
            add_area(fill, count, corner, d->tint ? d->tint[corner[0]] : 0);
    }
}

/* Adds the areas; the borders become a separate layer above the edges. */
static cleave_status add_areas(drawing *d, filling *fill, cleave_error *err)
{
    clv_faces faces = {0};
    const clv_graph_picture *w = d->what;
    if (w->ndim == 2 && w->g->nvtx <= most_faced)
        CLV_TRY(clv_faces_find(&faces, w->g, w->position, d->arena, d->ws, err));
    if (faces.count == 0)
        return CLEAVE_OK;
    sizes s = size_up(d, &faces);
    fill->position =
        clv_arena_alloc(d->arena, 2 * (w->g->nvtx + s.positions), sizeof *fill->position);
    if (w->evened)
        fill->evened =
            clv_arena_alloc(d->arena, 2 * (w->g->nvtx + s.positions), sizeof *fill->evened);
    fill->offset = clv_arena_alloc(d->arena, s.areas + 1, sizeof *fill->offset);
    fill->corner = clv_arena_alloc(d->arena, s.corners, sizeof *fill->corner);
    fill->color = clv_arena_alloc(d->arena, s.areas, sizeof *fill->color);
    fill->border = clv_arena_alloc(d->arena, 2 * s.borders, sizeof *fill->border);
    if ((w->evened && !fill->evened) || !fill->position || !fill->offset || !fill->corner ||
        !fill->color || !fill->border)
        return clv_fail_memory(err);
    fill_faces(d, &faces, fill);
    d->filled = true;
    d->f->position = fill->position;
    d->f->evened = fill->evened;
    d->f->npositions = fill->positions;
    clv_layer *layer = clv_figure_layer(d->f, CLV_LAYER_AREAS, "parts");
    layer->name = w->part ? "parts" : "faces";
    layer->count = fill->areas;
    layer->at = fill->corner;
    layer->offset = fill->offset;
    layer->color = fill->color;
    return CLEAVE_OK;
}

static void add_borders(drawing *d, const filling *fill)
{
    if (!d->filled || !d->what->part)
        return;
    clv_layer *layer = clv_figure_layer(d->f, CLV_LAYER_SEGMENTS, "part boundaries");
    layer->count = fill->borders;
    layer->at = fill->border;
    layer->size = fill->borders > 25000 ? 0.8 : fill->borders > 8000 ? 1.2 : 1.8;
}

/* ---- Vertices --------------------------------------------------------------------------- */

/* Half of the mean length of a vertex's edges: neighbours touch. */
static cleave_status local_sizes(drawing *d, clv_layer *layer, cleave_error *err)
{
    const clv_graph_picture *w = d->what;
    const clv_graph *g = w->g;
    float *radius = clv_arena_alloc(d->arena, g->nvtx, sizeof *radius);
    if (!radius)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++) {
        double sum = 0;
        int64_t degree = g->xadj[v + 1] - g->xadj[v];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            sum += distance(w, v, g->adj[a]);
        radius[v] = (float)(0.5 * (degree > 0 ? sum / (double)degree : d->length));
    }
    layer->sizes = radius;
    return CLEAVE_OK;
}

static cleave_status add_vertices(drawing *d, cleave_error *err)
{
    const clv_graph_picture *w = d->what;
    clv_layer *layer = clv_figure_layer(d->f, CLV_LAYER_POINTS, "vertices");
    layer->count = w->g->nvtx;
    layer->color = d->tint;
    layer->ink = 0;
    layer->noun = "vertex";
    bool many = w->g->nvtx > 20000 && !d->filled;
    layer->balls = w->ndim == 3 || many;
    layer->size = layer->balls        ? 0.5 * d->length
                  : d->filled         ? 1.4
                  : w->g->nvtx > 5000 ? 1.6
                  : w->g->nvtx > 800  ? 2.6
                                      : 4;
    layer->hidden = d->filled && w->g->nvtx > small_graph;
    if (layer->balls && w->ndim == 3 && w->g->nvtx <= most_local)
        CLV_TRY(local_sizes(d, layer, err));
    if (w->part)
        clv_layer_ints(layer, "part", w->part);
    if (w->place)
        clv_layer_ints(layer, "place", w->place);
    if (w->g->vwgt && w->g->ncon == 1)
        clv_layer_ints(layer, "weight", w->g->vwgt);
    if (!w->g->names.offset || w->g->nvtx > 50000)
        return CLEAVE_OK;
    const char **name = clv_arena_alloc(d->arena, w->g->nvtx, sizeof *name);
    if (!name)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < w->g->nvtx; v++)
        name[v] = clv_graph_name(w->g, v);
    clv_layer_texts(layer, "name", name);
    return CLEAVE_OK;
}

/* Sets palette, legend, and the colour of each vertex. */
static cleave_status add_colors(drawing *d, cleave_error *err)
{
    const clv_graph_picture *w = d->what;
    if (!w->part && w->place) {
        int32_t *tint;
        CLV_TRY(clv_graph_tints(&tint, d->f, w->g->nvtx, w->place, d->arena, err));
        d->tint = tint;
        return CLEAVE_OK;
    }
    uint32_t *rgb = NULL;
    clv_graph_parts parts = {w->g, w->part && w->nparts > 0 ? w->nparts : 1, w->part};
    CLV_TRY(clv_graph_colors(&rgb, &parts, d->arena, d->ws, err));
    d->f->palette = rgb;
    d->f->npalette = parts.nparts;
    d->tint = w->part;
    if (!w->part)
        return CLEAVE_OK;
    d->f->group_field = 0;
    return clv_graph_legend(d->f, &(clv_graph_parts){w->g, w->nparts, w->part}, d->arena, err);
}

cleave_status clv_graph_figure(clv_figure *f, const clv_graph_picture *what, clv_arena *arena,
                               clv_ws *ws, cleave_error *err)
{
    drawing d = {.f = f, .what = what, .arena = arena, .ws = ws, .length = mean_length(what)};
    filling fill = {0};
    *f = clv_figure_new(what->title, what->ndim);
    f->caption = what->caption;
    f->position = what->position;
    f->evened = what->evened;
    f->npositions = what->g->nvtx;
    CLV_TRY(add_colors(&d, err));
    CLV_TRY(add_areas(&d, &fill, err));
    /* Large clouds of vertices hide everything below them: edges go on top. */
    bool cloud = !d.filled && what->g->nvtx > 20000;
    if (cloud)
        CLV_TRY(add_vertices(&d, err));
    CLV_TRY(add_inner_edges(&d, err));
    add_borders(&d, &fill);
    CLV_TRY(add_cut_edges(&d, err));
    return cloud ? CLEAVE_OK : add_vertices(&d, err);
}
