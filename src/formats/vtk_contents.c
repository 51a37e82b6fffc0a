/* SPDX-License-Identifier: Apache-2.0 */
/* formats/vtk_contents.c - the points and cells of a VTK file, and the arrays over both.
 *
 * METIS meshes do not name the types of their elements, which follow from the number of nodes.
 * In three dimensions: tetrahedra (4), pyramids (5), wedges (6), hexahedra (8), others convex
 * hulls; in two dimensions: triangles, quadrilaterals, polygons; in both one node is a vertex
 * and two are a line. */
#include "formats/vtk.h"

#include <string.h>

#include "formats/metis_mesh.h"

enum clv_vtk_cell {
    cell_empty = 0,
    cell_vertex = 1,
    cell_line = 3,
    cell_triangle = 5,
    cell_polygon = 7,
    cell_quad = 9,
    cell_tetra = 10,
    cell_hexahedron = 12,
    cell_wedge = 13,
    cell_pyramid = 14,
    cell_convex = 41
};

/* ---- Arrays --------------------------------------------------------------------------- */

static void add_array(clv_vtk_arrays *arrays, const char *name, clv_vtk_type type,
                      int32_t components, int64_t tuples, const void *data)
{
    if (data)
        arrays->array[arrays->count++] = (clv_vtk_array){name, type, components, tuples, data};
}

/* Three numbers per point; the third is 0 in two dimensions. */
static cleave_status three_numbers(clv_vtk_array *array, const char *name, int64_t count,
                                   int32_t ndim, const double *coords, clv_arena *arena,
                                   cleave_error *err)
{
    *array = (clv_vtk_array){name, CLV_VTK_F64, 3, count, coords};
    if (ndim == 3)
        return CLEAVE_OK;
    double *wide = clv_arena_zalloc(arena, count * 3, sizeof *wide);
    if (!wide)
        return clv_fail_memory(err);
    for (int64_t i = 0; i < count; i++)
        memcpy(wide + 3 * i, coords + ndim * i, (size_t)ndim * sizeof *wide);
    array->data = wide;
    return CLEAVE_OK;
}

/* The attributes of vertices. */
static void add_vertex_arrays(clv_vtk_arrays *arrays, const clv_vtk_picture *p)
{
    const clv_graph *g = p->g;
    add_array(arrays, "part", CLV_VTK_I32, 1, g->nvtx, p->part);
    add_array(arrays, "place", CLV_VTK_I32, 1, g->nvtx, p->place);
    add_array(arrays, "weight", CLV_VTK_I32, g->ncon, g->nvtx, g->vwgt);
    add_array(arrays, "size", CLV_VTK_I32, 1, g->nvtx, g->vsize);
}

/* Arrays for cells with a known total number of points. */
typedef struct cell_room {
    int32_t *point;
    int64_t *end;
    unsigned char *type;
} cell_room;

static cleave_status make_room(clv_vtk_contents *c, int64_t ncell, int64_t npoint,
                               cell_room *room, cleave_error *err)
{
    room->point = clv_arena_alloc(&c->arena, npoint, sizeof *room->point);
    room->end = clv_arena_alloc(&c->arena, ncell, sizeof *room->end);
    room->type = clv_arena_alloc(&c->arena, ncell, 1);
    if (!room->point || !room->end || !room->type)
        return clv_fail_memory(err);
    c->ncell = ncell;
    c->connectivity = (clv_vtk_array){"connectivity", CLV_VTK_I32, 1, npoint, room->point};
    c->offsets = (clv_vtk_array){"offsets", CLV_VTK_I64, 1, ncell, room->end};
    c->types = (clv_vtk_array){"types", CLV_VTK_U8, 1, ncell, room->type};
    return CLEAVE_OK;
}

/* ---- A graph -------------------------------------------------------------------------- */

/* Does v have neither neighbours nor predecessors? */
static bool isolated(const clv_graph *g, int32_t v)
{
    return g->xadj[v] == g->xadj[v + 1] && g->xpred[v] == g->xpred[v + 1];
}

/* An undirected edge is drawn once, from its smaller end. */
static bool drawn(const clv_graph *g, int32_t v, int64_t a)
{
    return g->kind == CLEAVE_DAG || g->adj[a] > v;
}

static void put_cell(cell_room *room, int64_t i, int32_t v, int32_t u)
{
    int64_t at = i > 0 ? room->end[i - 1] : 0;
    room->point[at++] = v;
    if (u >= 0)
        room->point[at++] = u;
    room->end[i] = at;
    room->type[i] = u >= 0 ? cell_line : cell_vertex;
}

static cleave_status collect_edges(clv_vtk_contents *c, const clv_vtk_picture *p,
                                   cleave_error *err)
{
    const clv_graph *g = p->g;
    int64_t alone = 0, edges = clv_graph_edges(g), i = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        alone += isolated(g, v);
    cell_room room;
    CLV_TRY(make_room(c, edges + alone, 2 * edges + alone, &room, err));
    int32_t *weight = g->ewgt ? clv_arena_zalloc(&c->arena, c->ncell, sizeof *weight) : NULL;
    int32_t *cut = p->part ? clv_arena_zalloc(&c->arena, c->ncell, sizeof *cut) : NULL;
    if ((g->ewgt && !weight) || (p->part && !cut))
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++) {
        if (isolated(g, v))
            put_cell(&room, i++, v, -1);
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            if (!drawn(g, v, a))
                continue;
            if (weight)
                weight[i] = g->ewgt[a];
            if (cut)
                cut[i] = p->part[v] != p->part[g->adj[a]];
            put_cell(&room, i++, v, g->adj[a]);
        }
    }
    add_array(&c->cell_data, "cut", CLV_VTK_I32, 1, c->ncell, cut);
    add_array(&c->cell_data, "edge_weight", CLV_VTK_I32, 1, c->ncell, weight);
    return CLEAVE_OK;
}

static cleave_status collect_graph(clv_vtk_contents *c, const clv_vtk_picture *p,
                                   cleave_error *err)
{
    const clv_graph *g = p->g;
    if (!g->coords)
        return clv_fail(err, CLEAVE_EINVAL,
                        "the graph has no coordinates, and a picture needs them");
    c->npoint = g->nvtx;
    CLV_TRY(three_numbers(&c->points, "points", g->nvtx, g->ndim, g->coords, &c->arena, err));
    add_vertex_arrays(&c->point_data, p);
    return collect_edges(c, p, err);
}

/* ---- A mesh --------------------------------------------------------------------------- */

static unsigned char cell_type(int64_t nodes, int32_t ndim)
{
    static const unsigned char flat[] = {cell_empty, cell_vertex, cell_line, cell_triangle,
                                         cell_quad};
    static const unsigned char solid[] = {cell_empty,    cell_vertex, cell_line,
                                          cell_triangle, cell_tetra,  cell_pyramid,
                                          cell_wedge,    cell_convex, cell_hexahedron};
    if (ndim == 2)
        return nodes < (int64_t)sizeof flat ? flat[nodes] : cell_polygon;
    return nodes < (int64_t)sizeof solid ? solid[nodes] : cell_convex;
}

static cleave_status collect_elements(clv_vtk_contents *c, const clv_mesh *mesh, int32_t ndim,
                                      cleave_error *err)
{
    cell_room room;
    int64_t npoint = mesh->first[mesh->nelement];
    CLV_TRY(make_room(c, mesh->nelement, npoint, &room, err));
    memcpy(room.point, mesh->node, (size_t)npoint * sizeof *room.point);
    for (int32_t e = 0; e < mesh->nelement; e++) {
        room.end[e] = mesh->first[e + 1];
        room.type[e] = cell_type(mesh->first[e + 1] - mesh->first[e], ndim);
    }
    return CLEAVE_OK;
}

static cleave_status read_node_coords(clv_vtk_contents *c, const clv_vtk_picture *p,
                                      int32_t nnode, int32_t *ndim, cleave_error *err)
{
    bool oom = false;
    char *beside = p->mesh_coords ? NULL : clv_coords_beside(p->mesh_file, &oom);
    const char *path = beside ? beside : p->mesh_coords;
    double *coords = NULL;
    cleave_status status;
    if (oom)
        status = clv_fail_memory(err);
    else if (!path)
        status =
            clv_fail_at(err, CLEAVE_EINVAL, p->mesh_file, 0,
                        "there are no coordinates of its nodes, and a picture needs them");
    else
        status = clv_coords_read(&coords, ndim, path, nnode, err);
    clv_sys_free(beside);
    CLV_TRY(status);
    if (!clv_arena_adopt(&c->arena, coords)) {
        clv_sys_free(coords);
        return clv_fail_memory(err);
    }
    c->npoint = nnode;
    return three_numbers(&c->points, "points", nnode, *ndim, coords, &c->arena, err);
}

static cleave_status collect_from(clv_vtk_contents *c, const clv_vtk_picture *p,
                                  const clv_mesh *mesh, cleave_error *err)
{
    int32_t vertices = p->mesh_nodal ? mesh->nnode : mesh->nelement, ndim;
    if (vertices != p->g->nvtx)
        return clv_fail_at(err, CLEAVE_EINVAL, p->mesh_file, 0,
                           "has %d %s, but the graph has %d vertices", (int)vertices,
                           p->mesh_nodal ? "nodes" : "elements", (int)p->g->nvtx);
    CLV_TRY(read_node_coords(c, p, mesh->nnode, &ndim, err));
    CLV_TRY(collect_elements(c, mesh, ndim, err));
    add_vertex_arrays(p->mesh_nodal ? &c->point_data : &c->cell_data, p);
    if (p->mesh_nodal || !p->g->coords)
        return CLEAVE_OK;
    clv_vtk_array centre;
    CLV_TRY(three_numbers(&centre, "coordinates", p->g->nvtx, p->g->ndim, p->g->coords,
                          &c->arena, err));
    c->cell_data.array[c->cell_data.count++] = centre;
    return CLEAVE_OK;
}

cleave_status clv_vtk_collect(clv_vtk_contents *contents, const clv_vtk_picture *p,
                              cleave_error *err)
{
    if (!p->mesh_file)
        return collect_graph(contents, p, err);
    clv_mesh mesh = {0};
    cleave_status status = clv_mesh_read(&mesh, p->mesh_file, err);
    if (status == CLEAVE_OK)
        status = collect_from(contents, p, &mesh, err);
    clv_mesh_free(&mesh);
    return status;
}
