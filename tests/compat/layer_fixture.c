/* SPDX-License-Identifier: Apache-2.0 */
/* tests/compat/layer_fixture.c - see layer_fixture.h. */
#include "compat/layer_fixture.h"

#include <math.h>

void fixture_grid(fixture *f, idx_t width, idx_t height)
{
    idx_t m = 0;
    f->n = width * height;
    for (idx_t y = 0; y < height; y++)
        for (idx_t x = 0; x < width; x++) {
            idx_t v = y * width + x;
            f->xadj[v] = m;
            if (y > 0)
                f->adj[m++] = v - width;
            if (x > 0)
                f->adj[m++] = v - 1;
            if (x < width - 1)
                f->adj[m++] = v + 1;
            if (y < height - 1)
                f->adj[m++] = v + width;
        }
    f->xadj[f->n] = m;
}

void fixture_from_one(fixture *f)
{
    for (idx_t i = 0; i < f->xadj[f->n]; i++)
        f->adj[i]++;
    for (idx_t v = 0; v <= f->n; v++)
        f->xadj[v]++;
}

void fixture_weights(idx_t *weight, idx_t count, unsigned seed)
{
    for (idx_t i = 0; i < count; i++) {
        seed = seed * 1103515245u + 12345u;
        weight[i] = (idx_t)(seed >> 16) % 5;
    }
}

int64_t fixture_cut(const fixture *f, const idx_t *wgt, const idx_t *part)
{
    int64_t twice = 0;
    for (idx_t v = 0; v < f->n; v++)
        for (idx_t i = f->xadj[v]; i < f->xadj[v + 1]; i++)
            if (part[v] != part[f->adj[i]])
                twice += wgt ? wgt[i] : 1;
    return twice / 2;
}

int64_t fixture_volume(const fixture *f, const idx_t *vsize, const idx_t *part)
{
    int64_t volume = 0;
    for (idx_t v = 0; v < f->n; v++)
        for (idx_t i = f->xadj[v]; i < f->xadj[v + 1]; i++) {
            bool counts = part[f->adj[i]] != part[v];
            for (idx_t j = f->xadj[v]; j < i; j++)
                counts = counts && part[f->adj[j]] != part[f->adj[i]];
            if (counts)
                volume += vsize ? vsize[v] : 1;
        }
    return volume;
}

idx_t fixture_empty(idx_t n, const idx_t *part, idx_t nparts)
{
    idx_t empty = 0;
    for (idx_t p = 0; p < nparts; p++) {
        idx_t count = 0;
        for (idx_t v = 0; v < n; v++)
            count += part[v] == p;
        empty += count == 0;
    }
    return empty;
}

bool fixture_balanced(idx_t n, const idx_t *vwgt, idx_t ncon, idx_t con, const idx_t *part,
                      idx_t nparts, const real_t *share, double eps)
{
    double total = 0, sum = 0;
    for (idx_t v = 0; v < n; v++)
        total += vwgt ? (double)vwgt[v * ncon + con] : 1;
    for (idx_t p = 0; p < nparts; p++)
        sum += share ? share[p * ncon + con] : 1;
    for (idx_t p = 0; p < nparts; p++) {
        double weight = 0, mean = (share ? share[p * ncon + con] : 1) / sum * total;
        for (idx_t v = 0; v < n; v++)
            if (part[v] == p)
                weight += vwgt ? (double)vwgt[v * ncon + con] : 1;
        if (weight > floor((1 + eps) * ceil(mean) + 1e-9))
            return false;
    }
    return true;
}

idx_t fixture_pieces(const fixture *f, const idx_t *part)
{
    static idx_t label[fixture_vertices];
    idx_t pieces = 0;
    for (idx_t v = 0; v < f->n; v++)
        label[v] = v;
    for (bool changed = true; changed;) {
        changed = false;
        for (idx_t v = 0; v < f->n; v++)
            for (idx_t i = f->xadj[v]; i < f->xadj[v + 1]; i++)
                if (part[v] == part[f->adj[i]] && label[f->adj[i]] < label[v]) {
                    label[v] = label[f->adj[i]];
                    changed = true;
                }
    }
    for (idx_t v = 0; v < f->n; v++)
        pieces += label[v] == v;
    return pieces;
}

idx_t fixture_neighbours(const fixture *f, const idx_t *part, idx_t nparts)
{
    idx_t most = 0;
    for (idx_t p = 0; p < nparts; p++) {
        bool met[fixture_vertices] = {0};
        idx_t count = 0;
        for (idx_t v = 0; v < f->n; v++)
            for (idx_t i = f->xadj[v]; part[v] == p && i < f->xadj[v + 1]; i++)
                met[part[f->adj[i]]] = true;
        for (idx_t q = 0; q < nparts; q++)
            count += met[q] && q != p;
        most = count > most ? count : most;
    }
    return most;
}

int64_t fixture_fill(const fixture *f, const idx_t *order)
{
    enum { most = 256 };
    static bool edge[most][most];
    bool gone[most] = {0};
    int64_t fill = f->n;
    memset(edge, 0, sizeof edge);
    for (idx_t v = 0; v < f->n; v++)
        for (idx_t i = f->xadj[v]; i < f->xadj[v + 1]; i++)
            edge[v][f->adj[i]] = true;
    for (idx_t k = 0; k < f->n; k++) {
        idx_t v = order[k];
        gone[v] = true;
        for (idx_t a = 0; a < f->n; a++) {
            if (gone[a] || !edge[v][a])
                continue;
            fill++;
            for (idx_t b = 0; b < f->n; b++)
                edge[a][b] = edge[a][b] || (b != a && !gone[b] && edge[v][b]);
        }
    }
    return fill;
}

bool fixture_inverse(idx_t n, const idx_t *perm, const idx_t *iperm, idx_t numbering)
{
    for (idx_t i = 0; i < n; i++) {
        idx_t v = perm[i] - numbering;
        if (v < 0 || v >= n || iperm[v] - numbering != i)
            return false;
    }
    return true;
}
