/* SPDX-License-Identifier: Apache-2.0 */
/* compat/parmetis/parlayer_question.c - checks the caller's scalars and compares them with
 * those of the other ranks.
 *
 * ParMETIS assumes that all ranks pass the same values.  Here a difference is
 * METIS_ERROR_INPUT on all ranks, where the original would hang or compute with inconsistent
 * values. */
#include <math.h>

#include "parlayer.h"

enum { most_weights = 1024 };

/* ---- Ranges and offsets ----------------------------------------------------------- */

bool cp_ranges_valid(const cp_ranks *ranks, const idx_t *vtxdist, idx_t numbering,
                     int64_t *own)
{
    if (!vtxdist || vtxdist[0] != numbering)
        return false;
    for (int r = 0; r < ranks->size; r++)
        if (vtxdist[r + 1] < vtxdist[r] ||
            (int64_t)vtxdist[r + 1] - vtxdist[r] > INT32_MAX - 2)
            return false;
    *own = (int64_t)vtxdist[ranks->rank + 1] - vtxdist[ranks->rank];
    return true;
}

bool cp_offsets_valid(const idx_t *offset, int64_t own, idx_t numbering, const idx_t *item)
{
    if (own == 0)
        return true;
    if (!offset || offset[0] != numbering)
        return false;
    for (int64_t v = 0; v < own; v++)
        if (offset[v + 1] < offset[v])
            return false;
    return item || offset[own] == numbering;
}

/* ---- Scalars --------------------------------------------------------------------- */

static bool all_there(const cp_call *c)
{
    return c->vtxdist && c->wgtflag && c->numflag && c->ncon && c->nparts && c->tpwgts &&
           c->ubvec && c->options && c->edgecut;
}

static bool scalars_valid(const cp_call *c)
{
    return *c->wgtflag >= 0 && *c->wgtflag <= 3 && (*c->numflag == 0 || *c->numflag == 1) &&
           *c->ncon >= 1 && *c->ncon <= most_weights && *c->nparts >= 1 &&
           *c->nparts < INT32_MAX - 1;
}

static bool shares_valid(const cp_call *c)
{
    idx_t ncon = *c->ncon;
    for (idx_t k = 0; k < ncon; k++) {
        double sum = 0;
        for (idx_t p = 0; p < *c->nparts; p++) {
            double share = c->tpwgts[(int64_t)p * ncon + k];
            if (!(share >= 0) || !isfinite(share))
                return false;
            sum += share;
        }
        if (!(sum >= 0.99 && sum <= 1.01))
            return false;
        if (!(c->ubvec[k] >= 1) || !isfinite(c->ubvec[k]))
            return false;
    }
    return true;
}

/* options[0] is 0: the other options are not set. */
static void read_options(cp_question *q, const cp_ranks *ranks, const idx_t *options)
{
    bool given = options[0] != 0;
    q->seed = given ? (uint64_t)options[2] : 1;
    q->coupled =
        q->remap && q->nparts == ranks->size && (!given || options[3] == PARMETIS_PSR_COUPLED);
}

/* Arrays by vertex; those that wgtflag excludes are not read. */
static bool read_arrays(cp_question *q, const cp_call *c)
{
    if (!cp_offsets_valid(c->xadj, q->own, q->numbering, c->adjncy))
        return false;
    if (q->own == 0)
        return true;
    bool arcs = c->xadj[q->own] > q->numbering;
    q->xadj = c->xadj;
    q->adjncy = c->adjncy;
    q->vwgt = *c->wgtflag & 2 ? c->vwgt : NULL;
    q->adjwgt = *c->wgtflag & 1 ? c->adjwgt : NULL;
    q->vsize = c->vsize;
    return c->part && (q->vwgt || !(*c->wgtflag & 2)) &&
           (q->adjwgt || !arcs || !(*c->wgtflag & 1));
}

static bool read_all(cp_question *q, const cp_ranks *ranks, const cp_call *c)
{
    if (!all_there(c) || !scalars_valid(c) || !shares_valid(c))
        return false;
    q->numbering = *c->numflag;
    q->ncon = *c->ncon;
    q->nparts = *c->nparts;
    q->vtxdist = c->vtxdist;
    q->tpwgts = c->tpwgts;
    q->ubvec = c->ubvec;
    q->remap = c->itr != NULL;
    q->itr = c->itr ? (double)*c->itr : 0;
    if (q->remap && (!(q->itr > 0) || !isfinite(q->itr)))
        return false;
    if (!cp_ranges_valid(ranks, c->vtxdist, q->numbering, &q->own))
        return false;
    q->begin = (int64_t)c->vtxdist[ranks->rank] - q->numbering;
    q->total = (int64_t)c->vtxdist[ranks->size] - q->numbering;
    read_options(q, ranks, c->options);
    return read_arrays(q, c);
}

static uint64_t digest_of(const cp_question *q, const cp_ranks *ranks, idx_t wgtflag)
{
    int64_t scalars[] = {q->numbering, q->ncon,          q->nparts, wgtflag,
                         q->coupled,   (int64_t)q->seed, q->remap};
    uint64_t digest = cp_digest(0, scalars, sizeof scalars);
    digest = cp_digest(digest, &q->itr, sizeof q->itr);
    digest = cp_digest(digest, q->vtxdist, ((size_t)ranks->size + 1) * sizeof *q->vtxdist);
    digest = cp_digest(digest, q->ubvec, (size_t)q->ncon * sizeof *q->ubvec);
    return cp_digest(digest, q->tpwgts, (size_t)q->ncon * (size_t)q->nparts * sizeof(real_t));
}

int cp_question_read(cp_question *q, const cp_ranks *ranks, const cp_call *call)
{
    *q = (cp_question){0};
    bool valid = read_all(q, ranks, call);
    return cp_agree_same(ranks, valid ? METIS_OK : METIS_ERROR_INPUT,
                         valid ? digest_of(q, ranks, *call->wgtflag) : 0);
}
