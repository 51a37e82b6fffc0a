/* SPDX-License-Identifier: Apache-2.0 */
/* tests/compat/parmetis/par_fixture.c - see par_fixture.h. */
#include "compat/parmetis/par_fixture.h"

#include <math.h>

int rank, size;
MPI_Comm world;
static unsigned state;

void fixture_start(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    world = MPI_COMM_WORLD;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    if (size > most_ranks)
        MPI_Abort(world, EXIT_FAILURE);
    if (rank > 0 && !freopen("/dev/null", "w", stdout))
        MPI_Abort(world, EXIT_FAILURE);
}

int fixture_end(void)
{
    MPI_Finalize();
    return test_end();
}

void fixture_seed(unsigned seed)
{
    state = seed;
}

idx_t fixture_draw(idx_t below)
{
    state = state * 1103515245u + 12345u;
    return (idx_t)(state >> 16) % below;
}

/* ---- Graphs ----------------------------------------------------------------------- */

static void fill_weights(whole *w, idx_t ncon)
{
    fixture_seed(7);
    w->ncon = ncon;
    for (idx_t i = 0; i < w->n * ncon; i++)
        w->vwgt[i] = 1 + fixture_draw(5);
    for (idx_t v = 0; v < w->n; v++)
        w->vsize[v] = 1 + fixture_draw(3);
    for (idx_t v = 0; v < w->n; v++) /* both directions alike */
        for (idx_t i = w->xadj[v]; i < w->xadj[v + 1]; i++)
            w->adjwgt[i] = 1 + (v + w->adj[i]) % 7;
}

void whole_grid(whole *w, idx_t width, idx_t height, idx_t ncon)
{
    idx_t m = 0;
    w->n = width * height;
    for (idx_t v = 0; v < w->n; v++) {
        idx_t x = v % width, y = v / width;
        w->xadj[v] = m;
        if (y > 0)
            w->adj[m++] = v - width;
        if (x > 0)
            w->adj[m++] = v - 1;
        if (x < width - 1)
            w->adj[m++] = v + 1;
        if (y < height - 1)
            w->adj[m++] = v + width;
        w->xyz[3 * v] = (real_t)x;
        w->xyz[3 * v + 1] = (real_t)y;
        w->xyz[3 * v + 2] = 0;
    }
    w->xadj[w->n] = m;
    fill_weights(w, ncon);
}

void fixture_ranges(idx_t n, int way, idx_t numbering, idx_t *vtxdist)
{
    for (int r = 0; r <= size; r++) {
        idx_t even = n / size * r + n % size * r / size;
        switch (way) {
        case 0: /* even */
            vtxdist[r] = even;
            break;
        case 1: /* every other rank has nothing */
            vtxdist[r] = r == size ? n : n / size * (r / 2 * 2);
            break;
        case 2: /* the first has little, the last the most */
            vtxdist[r] = (idx_t)((int64_t)n * r * r / ((int64_t)size * size));
            break;
        case 3: /* the first has nothing */
            vtxdist[r] = r <= 1 && size > 1 ? 0 : even;
            break;
        default: /* one has all */
            vtxdist[r] = r <= size / 2 ? 0 : n;
        }
        vtxdist[r] += numbering;
    }
}

void deal(const whole *w, int way, idx_t numbering, share *s)
{
    fixture_ranges(w->n, way, numbering, s->vtxdist);
    s->numbering = numbering;
    s->begin = s->vtxdist[rank] - numbering;
    s->own = s->vtxdist[rank + 1] - s->vtxdist[rank];
    idx_t first = w->xadj[s->begin];
    for (idx_t v = 0; v <= s->own; v++)
        s->xadj[v] = w->xadj[s->begin + v] - first + numbering;
    for (idx_t i = 0; i < w->xadj[s->begin + s->own] - first; i++) {
        s->adj[i] = w->adj[first + i] + numbering;
        s->adjwgt[i] = w->adjwgt[first + i];
    }
    for (idx_t i = 0; i < s->own * w->ncon; i++)
        s->vwgt[i] = w->vwgt[s->begin * w->ncon + i];
    for (idx_t i = 0; i < s->own * 3; i++)
        s->xyz[i] = w->xyz[s->begin * 3 + i];
    for (idx_t v = 0; v < s->own; v++) {
        s->vsize[v] = w->vsize[s->begin + v];
        s->part[v] = -7;
    }
}

/* ---- Checkers --------------------------------------------------------------------- */

bool same_everywhere(int64_t value)
{
    int64_t low, high;
    MPI_Allreduce(&value, &low, 1, MPI_INT64_T, MPI_MIN, world);
    MPI_Allreduce(&value, &high, 1, MPI_INT64_T, MPI_MAX, world);
    return low == high;
}

bool gather_parts(const whole *w, const share *s, idx_t nparts, idx_t *all)
{
    int count[most_ranks], first[most_ranks];
    for (int r = 0; r < size; r++) {
        count[r] = (int)((s->vtxdist[r + 1] - s->vtxdist[r]) * (idx_t)sizeof(idx_t));
        first[r] = (int)((s->vtxdist[r] - s->numbering) * (idx_t)sizeof(idx_t));
    }
    MPI_Allgatherv(s->part, count[rank], MPI_BYTE, all, count, first, MPI_BYTE, world);
    for (idx_t v = 0; v < w->n; v++) {
        all[v] -= s->numbering;
        if (all[v] < 0 || all[v] >= nparts)
            return false;
    }
    return true;
}

int64_t whole_cut(const whole *w, bool edges, const idx_t *part)
{
    int64_t twice = 0;
    for (idx_t v = 0; v < w->n; v++)
        for (idx_t i = w->xadj[v]; i < w->xadj[v + 1]; i++)
            if (part[v] != part[w->adj[i]])
                twice += edges ? w->adjwgt[i] : 1;
    return twice / 2;
}

int64_t whole_moved(const whole *w, bool sizes, const idx_t *before, const idx_t *after)
{
    int64_t moved = 0;
    for (idx_t v = 0; v < w->n; v++)
        if (before[v] != after[v])
            moved += sizes ? w->vsize[v] : 1;
    return moved;
}

idx_t whole_empty(const whole *w, const idx_t *part, idx_t nparts)
{
    idx_t empty = 0;
    for (idx_t p = 0; p < nparts; p++) {
        idx_t count = 0;
        for (idx_t v = 0; v < w->n; v++)
            count += part[v] == p;
        empty += count == 0;
    }
    return empty;
}

bool whole_balanced(const whole *w, bool vertices, idx_t kind, const idx_t *part, idx_t nparts,
                    const real_t *tpwgts, double eps)
{
    idx_t ncon = w->ncon;
    double total = 0, sum = 0;
    for (idx_t v = 0; v < w->n; v++)
        total += vertices ? (double)w->vwgt[v * ncon + kind] : 1;
    for (idx_t p = 0; p < nparts; p++)
        sum += tpwgts ? tpwgts[p * ncon + kind] : 1;
    for (idx_t p = 0; p < nparts; p++) {
        double weight = 0, mean = (tpwgts ? tpwgts[p * ncon + kind] : 1) / sum * total;
        for (idx_t v = 0; v < w->n; v++)
            if (part[v] == p)
                weight += vertices ? (double)w->vwgt[v * ncon + kind] : 1;
        if (weight > floor((1 + eps) * ceil(mean - 1e-9) + 1e-9))
            return false;
    }
    return true;
}
