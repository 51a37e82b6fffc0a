/* SPDX-License-Identifier: Apache-2.0 */
/* compat/metis/mesh_graphs.c - graphs of meshes: METIS_MeshToDual, METIS_MeshToNodal, and
 * METIS_Free for their results.
 *
 * Dual: elements of n and m nodes are adjacent when they share at least min(ncommon, n - 1, m
 * - 1) nodes, and at least one [METIS manual, 5.8].  Nodal: nodes of the same element are
 * adjacent.  Both take time proportional to the sum of the squares of the list lengths. */
#include "layer.h"

static bool elements_valid(idx_t ne, idx_t nn, const idx_t *eptr, const idx_t *eind,
                           idx_t numbering)
{
    if (ne < 0 || nn < 0 || ne >= INT32_MAX || nn >= INT32_MAX || !eptr ||
        (numbering != 0 && numbering != 1) || eptr[0] != numbering)
        return false;
    for (idx_t e = 0; e < ne; e++)
        if (eptr[e + 1] < eptr[e])
            return false;
    idx_t count = eptr[ne] - numbering;
    if (count > 0 && !eind)
        return false;
    for (idx_t i = 0; i < count; i++)
        if (eind[i] < numbering || eind[i] - numbering >= nn)
            return false;
    return true;
}

static bool lists_new(cm_lists *lists, idx_t count, idx_t range, idx_t items)
{
    lists->count = count;
    lists->range = range;
    lists->first = cm_alloc((int64_t)count + 1, sizeof *lists->first);
    lists->item = cm_alloc(items, sizeof *lists->item);
    return lists->first && lists->item;
}

static void lists_free(cm_lists *lists)
{
    cm_free(lists->first);
    cm_free(lists->item);
}

/* Degenerate elements name a node twice: duplicates are dropped.  last: an entry per node. */
static void copy_elements(cm_lists *nodes, const idx_t *eptr, const idx_t *eind,
                          idx_t numbering, idx_t *last)
{
    idx_t to = 0;
    for (idx_t v = 0; v < nodes->range; v++)
        last[v] = -1;
    for (idx_t e = 0; e < nodes->count; e++) {
        nodes->first[e] = to;
        for (idx_t i = eptr[e] - numbering; i < eptr[e + 1] - numbering; i++) {
            idx_t node = eind[i] - numbering;
            if (last[node] != e)
                nodes->item[to++] = node;
            last[node] = e;
        }
    }
    nodes->first[nodes->count] = to;
}

/* by_item: the transpose of lists. */
static void turn_around(const cm_lists *lists, cm_lists *by_item)
{
    idx_t *first = by_item->first;
    for (idx_t i = 0; i <= by_item->count; i++)
        first[i] = 0;
    for (idx_t i = 0; i < lists->first[lists->count]; i++)
        first[lists->item[i] + 1]++;
    for (idx_t i = 0; i < by_item->count; i++)
        first[i + 1] += first[i];
    for (idx_t owner = 0; owner < lists->count; owner++)
        for (idx_t i = lists->first[owner]; i < lists->first[owner + 1]; i++)
            by_item->item[first[lists->item[i]]++] = owner;
    for (idx_t i = by_item->count; i > 0; i--)
        first[i] = first[i - 1];
    first[0] = 0;
}

int cm_mesh_open(cm_mesh *mesh, idx_t ne, idx_t nn, const idx_t *eptr, const idx_t *eind,
                 idx_t numbering)
{
    *mesh = (cm_mesh){.numbering = numbering};
    if (!elements_valid(ne, nn, eptr, eind, numbering))
        return METIS_ERROR_INPUT;
    idx_t items = eptr[ne] - numbering;
    idx_t *last = cm_alloc(nn, sizeof *last);
    bool room = last && lists_new(&mesh->nodes, ne, nn, items) &&
                lists_new(&mesh->elements, nn, ne, items);
    if (room) {
        copy_elements(&mesh->nodes, eptr, eind, numbering, last);
        turn_around(&mesh->nodes, &mesh->elements);
    }
    cm_free(last);
    return room ? METIS_OK : METIS_ERROR_MEMORY;
}

void cm_mesh_close(cm_mesh *mesh)
{
    lists_free(&mesh->nodes);
    lists_free(&mesh->elements);
}

/* ---- Neighbours ------------------------------------------------------------------ */

/* Owners of `own` that share enough items with others. */
typedef struct sharing {
    const cm_lists *own, *by_item;
    idx_t common;  /* 0: one is enough, however short the lists are */
    idx_t *shared; /* by owner, all 0 between calls */
    idx_t *met;    /* owners that share an item */
} sharing;

static idx_t length_of(const cm_lists *lists, idx_t owner)
{
    return lists->first[owner + 1] - lists->first[owner];
}

static idx_t least_shared(const sharing *s, idx_t a, idx_t b)
{
    if (s->common == 0)
        return 1;
    idx_t least = s->common, n = length_of(s->own, a) - 1, m = length_of(s->own, b) - 1;
    least = n < least ? n : least;
    least = m < least ? m : least;
    return least < 1 ? 1 : least;
}

static void sort(idx_t *item, idx_t count)
{
    for (idx_t gap = count / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11)
        for (idx_t i = gap; i < count; i++) {
            idx_t value = item[i], j = i;
            for (; j >= gap && item[j - gap] > value; j -= gap)
                item[j] = item[j - gap];
            item[j] = value;
        }
}

/* The neighbours of an owner in ascending order, in `to` unless that is NULL; returns their
 * number. */
static idx_t find_neighbours(sharing *s, idx_t owner, idx_t *to)
{
    idx_t met = 0, found = 0;
    for (idx_t i = s->own->first[owner]; i < s->own->first[owner + 1]; i++) {
        idx_t item = s->own->item[i];
        for (idx_t j = s->by_item->first[item]; j < s->by_item->first[item + 1]; j++) {
            idx_t other = s->by_item->item[j];
            if (other != owner && s->shared[other]++ == 0)
                s->met[met++] = other;
        }
    }
    for (idx_t i = 0; i < met; i++) {
        idx_t other = s->met[i];
        if (s->shared[other] >= least_shared(s, owner, other)) {
            if (to)
                to[found] = other;
            found++;
        }
        s->shared[other] = 0;
    }
    if (to)
        sort(to, found);
    return found;
}

/* Counts, then fills. */
static int fill_graph(sharing *s, idx_t *xadj, idx_t **adjncy)
{
    int64_t narc = 0;
    xadj[0] = 0;
    for (idx_t v = 0; v < s->own->count; v++) {
        narc += find_neighbours(s, v, NULL);
        if (narc > IDX_MAX)
            return METIS_ERROR_MEMORY; /* idx_t cannot count them */
        xadj[v + 1] = (idx_t)narc;
    }
    *adjncy = cm_alloc(narc, sizeof **adjncy);
    if (!*adjncy)
        return METIS_ERROR_MEMORY;
    for (idx_t v = 0; v < s->own->count; v++)
        find_neighbours(s, v, *adjncy + xadj[v]);
    return METIS_OK;
}

static int share_graph(const cm_lists *own, const cm_lists *by_item, idx_t common,
                       idx_t **xadj, idx_t **adjncy)
{
    sharing s = {own, by_item, common, cm_alloc(own->count, sizeof *s.shared),
                 cm_alloc(own->count, sizeof *s.met)};
    idx_t *first = cm_alloc((int64_t)own->count + 1, sizeof *first);
    int status = METIS_ERROR_MEMORY;
    *xadj = *adjncy = NULL;
    for (idx_t v = 0; s.shared && v < own->count; v++)
        s.shared[v] = 0;
    if (s.shared && s.met && first)
        status = fill_graph(&s, first, adjncy);
    cm_free(s.shared);
    cm_free(s.met);
    if (status == METIS_OK)
        *xadj = first;
    else
        cm_free(first);
    return status;
}

int cm_mesh_dual(const cm_mesh *mesh, idx_t ncommon, idx_t **xadj, idx_t **adjncy)
{
    return share_graph(&mesh->nodes, &mesh->elements, ncommon < 1 ? 1 : ncommon, xadj, adjncy);
}

int cm_mesh_nodal(const cm_mesh *mesh, idx_t **xadj, idx_t **adjncy)
{
    return share_graph(&mesh->elements, &mesh->nodes, 0, xadj, adjncy);
}

/* ---- Public functions ------------------------------------------------------------ */

static int open_given(cm_mesh *mesh, const idx_t *ne, const idx_t *nn, const idx_t *eptr,
                      const idx_t *eind, const idx_t *numflag)
{
    *mesh = (cm_mesh){0};
    if (!ne || !nn)
        return METIS_ERROR_INPUT;
    /* METIS counts from 0 unless numflag is 1. */
    return cm_mesh_open(mesh, *ne, *nn, eptr, eind, numflag && *numflag == 1 ? 1 : 0);
}

/* Closes the mesh, and numbers its graph of `count` vertices as it was numbered. */
static int hand_over(cm_mesh *mesh, int status, idx_t count, idx_t *xadj, idx_t *adjncy)
{
    idx_t numbering = mesh->numbering;
    cm_mesh_close(mesh);
    if (status != METIS_OK || numbering == 0)
        return status;
    for (idx_t i = 0; i < xadj[count]; i++)
        adjncy[i]++;
    for (idx_t v = 0; v <= count; v++)
        xadj[v]++;
    return METIS_OK;
}

METIS_API(int)
METIS_MeshToDual(idx_t *ne, idx_t *nn, idx_t *eptr, idx_t *eind, idx_t *ncommon,
                 idx_t *numflag, idx_t **r_xadj, idx_t **r_adjncy)
{
    cm_mesh mesh;
    if (!ncommon || !r_xadj || !r_adjncy)
        return METIS_ERROR_INPUT;
    *r_xadj = *r_adjncy = NULL;
    int status = open_given(&mesh, ne, nn, eptr, eind, numflag);
    if (status == METIS_OK)
        status = cm_mesh_dual(&mesh, *ncommon, r_xadj, r_adjncy);
    return hand_over(&mesh, status, mesh.nodes.count, *r_xadj, *r_adjncy);
}

METIS_API(int)
METIS_MeshToNodal(idx_t *ne, idx_t *nn, idx_t *eptr, idx_t *eind, idx_t *numflag,
                  idx_t **r_xadj, idx_t **r_adjncy)
{
    cm_mesh mesh;
    if (!r_xadj || !r_adjncy)
        return METIS_ERROR_INPUT;
    *r_xadj = *r_adjncy = NULL;
    int status = open_given(&mesh, ne, nn, eptr, eind, numflag);
    if (status == METIS_OK)
        status = cm_mesh_nodal(&mesh, r_xadj, r_adjncy);
    return hand_over(&mesh, status, mesh.elements.count, *r_xadj, *r_adjncy);
}

METIS_API(int) METIS_Free(void *ptr)
{
    cm_free(ptr);
    return METIS_OK;
}
