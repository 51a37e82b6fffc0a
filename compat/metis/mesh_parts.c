/* SPDX-License-Identifier: Apache-2.0 */
/* compat/metis/mesh_parts.c - METIS_PartMeshDual and METIS_PartMeshNodal: the graph of
 * elements or of nodes is partitioned; each node or element then joins the part of most of its
 * elements or nodes that has capacity for it. */
#include "layer.h"

typedef struct following {
    const cm_lists *own; /* of each follower, its leaders */
    const idx_t *leader; /* part by leader */
    idx_t *follower;     /* part by follower, to be filled */
    idx_t nparts;
    const real_t *tpwgts;
    idx_t *size;  /* followers by part */
    idx_t *votes; /* by part, all 0 between calls */
} following;

/* The part of all leaders if they agree, else -1; -2: there are none. */
static idx_t agreed(const following *f, idx_t i)
{
    idx_t first = f->own->first[i], end = f->own->first[i + 1];
    if (first == end)
        return -2;
    idx_t part = f->leader[f->own->item[first]];
    for (idx_t j = first + 1; j < end; j++)
        if (f->leader[f->own->item[j]] != part)
            return -1;
    return part;
}

/* Whether the part is below its share: beyond it, its boundary would grow. */
static bool has_room(const following *f, idx_t part)
{
    double share = f->tpwgts ? f->tpwgts[part] : 1.0 / (double)f->nparts;
    return f->size[part] < share * (double)f->own->count + 1;
}

/* The part of most leaders among those with capacity; if all are full, the part of most
 * leaders. */
static idx_t voted(following *f, idx_t i)
{
    idx_t first = f->own->first[i], end = f->own->first[i + 1], best = -1;
    bool best_room = false;
    for (idx_t j = first; j < end; j++)
        f->votes[f->leader[f->own->item[j]]]++;
    for (idx_t j = first; j < end; j++) {
        idx_t p = f->leader[f->own->item[j]];
        bool room = has_room(f, p);
        bool better = best < 0 || (room && !best_room) ||
                      (room == best_room &&
                       (f->votes[p] > f->votes[best] ||
                        (f->votes[p] == f->votes[best] && f->size[p] < f->size[best])));
        if (better) {
            best = p;
            best_room = room;
        }
    }
    for (idx_t j = first; j < end; j++)
        f->votes[f->leader[f->own->item[j]]] = 0;
    return best;
}

/* First followers with one possible part, then those with several, then those without
 * leaders. */
static int follow(following *f)
{
    f->size = cm_alloc(f->nparts, sizeof *f->size);
    f->votes = cm_alloc(f->nparts, sizeof *f->votes);
    bool room = f->size && f->votes;
    for (idx_t p = 0; room && p < f->nparts; p++)
        f->size[p] = f->votes[p] = 0;
    for (idx_t i = 0; room && i < f->own->count; i++) {
        f->follower[i] = agreed(f, i);
        if (f->follower[i] >= 0)
            f->size[f->follower[i]]++;
    }
    for (idx_t i = 0; room && i < f->own->count; i++)
        if (f->follower[i] == -1)
            f->size[f->follower[i] = voted(f, i)]++;
    idx_t next = 0; /* monotone: a full part stays full */
    for (idx_t i = 0; room && i < f->own->count; i++)
        if (f->follower[i] == -2) {
            while (next < f->nparts - 1 && !has_room(f, next))
                next++;
            f->size[f->follower[i] = next]++;
        }
    cm_free(f->size);
    cm_free(f->votes);
    return room ? METIS_OK : METIS_ERROR_MEMORY;
}

typedef struct arguments {
    idx_t *ne, *nn, *eptr, *eind, *vwgt, *vsize;
    idx_t *ncommon; /* NULL: the nodal graph */
    idx_t *nparts;
    real_t *tpwgts;
    idx_t *options, *objval, *epart, *npart;
} arguments;

static int part_opened(const arguments *a, const cm_mesh *mesh, const cm_settings *settings)
{
    bool dual = a->ncommon != NULL;
    idx_t *xadj, *adjncy, *leader = dual ? a->epart : a->npart;
    int status = dual ? cm_mesh_dual(mesh, *a->ncommon, &xadj, &adjncy)
                      : cm_mesh_nodal(mesh, &xadj, &adjncy);
    if (status != METIS_OK)
        return status;
    idx_t *vsize = settings->objective == CLEAVE_OBJECTIVE_VOLUME ? a->vsize : NULL;
    cm_arrays arrays = {dual ? *a->ne : *a->nn, 1, xadj, adjncy, a->vwgt, vsize, NULL, 0};
    cm_question question = {&arrays, *a->nparts, a->tpwgts, NULL, settings};
    status = cm_partition(&question, a->objval, leader);
    cm_free(xadj);
    cm_free(adjncy);
    if (status != METIS_OK)
        return status;
    following f = {.own = dual ? &mesh->elements : &mesh->nodes,
                   .leader = leader,
                   .follower = dual ? a->npart : a->epart,
                   .nparts = *a->nparts,
                   .tpwgts = a->tpwgts};
    return follow(&f);
}

static int part_mesh(const arguments *a)
{
    cm_settings settings;
    cm_mesh mesh;
    idx_t ptype = cm_option(a->options, METIS_OPTION_PTYPE, METIS_PTYPE_KWAY);
    cm_call call = ptype == METIS_PTYPE_RB ? CM_RECURSIVE : CM_KWAY;
    if (!a->ne || !a->nn || !a->nparts || !a->objval || !a->epart || !a->npart ||
        !cm_settings_read(&settings, a->options, call, 1))
        return METIS_ERROR_INPUT;
    int status = cm_mesh_open(&mesh, *a->ne, *a->nn, a->eptr, a->eind, settings.numbering);
    if (status == METIS_OK)
        status = part_opened(a, &mesh, &settings);
    cm_mesh_close(&mesh);
    if (status != METIS_OK || settings.numbering == 0)
        return status;
    for (idx_t e = 0; e < *a->ne; e++)
        a->epart[e]++;
    for (idx_t v = 0; v < *a->nn; v++)
        a->npart[v]++;
    return METIS_OK;
}

METIS_API(int)
METIS_PartMeshDual(idx_t *ne, idx_t *nn, idx_t *eptr, idx_t *eind, idx_t *vwgt, idx_t *vsize,
                   idx_t *ncommon, idx_t *nparts, real_t *tpwgts, idx_t *options,
                   idx_t *objval, idx_t *epart, idx_t *npart)
{
    arguments a = {ne,     nn,     eptr,    eind,   vwgt,  vsize, ncommon,
                   nparts, tpwgts, options, objval, epart, npart};
    return ncommon ? part_mesh(&a) : METIS_ERROR_INPUT;
}

METIS_API(int)
METIS_PartMeshNodal(idx_t *ne, idx_t *nn, idx_t *eptr, idx_t *eind, idx_t *vwgt, idx_t *vsize,
                    idx_t *nparts, real_t *tpwgts, idx_t *options, idx_t *objval, idx_t *epart,
                    idx_t *npart)
{
    arguments a = {ne,     nn,     eptr,    eind,   vwgt,  vsize, NULL,
                   nparts, tpwgts, options, objval, epart, npart};
    return part_mesh(&a);
}
