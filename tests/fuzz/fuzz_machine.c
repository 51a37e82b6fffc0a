/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/fuzz_machine.c - machines from bytes; see fuzz_instance.h.  Distances are those
 * of the definitions in cleave.h, pair by pair. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz_instance.h"

enum { K = FUZZ_MOST_PES, most_dimensions = 3 };

/* ---- Shapes ----------------------------------------------------------------------------- */

static void make_equal(fuzz_input *in, fuzz_machine *m)
{
    m->npes = 1 + fuzz_take(in, K);
    snprintf(m->text, sizeof m->text, "%d", (int)m->npes);
    for (int32_t p = 0; p < m->npes; p++)
        for (int32_t q = 0; q < m->npes; q++)
            m->distance[p][q] = p != q;
}

/* Speeds 0 to 9, of which the first is not 0. */
static void make_unequal(fuzz_input *in, fuzz_machine *m)
{
    size_t length = 0;
    make_equal(in, m);
    m->unequal = m->npes > 1;
    for (int32_t p = 0; p < m->npes && m->unequal; p++) {
        m->speeds[p] = p == 0 ? 1 + fuzz_take(in, 9) : fuzz_take(in, 10);
        length += (size_t)snprintf(m->text + length, sizeof m->text - length, "%s%d",
                                   p ? "," : "", (int)m->speeds[p]);
    }
}

static void make_hypercube(fuzz_input *in, fuzz_machine *m)
{
    int dimensions = fuzz_take(in, 6);
    m->npes = 1 << dimensions;
    snprintf(m->text, sizeof m->text, "hypercube:%d", dimensions);
    for (int32_t p = 0; p < m->npes; p++)
        for (int32_t q = 0; q < m->npes; q++)
            for (int bit = 0; bit < dimensions; bit++)
                m->distance[p][q] += (p >> bit & 1) != (q >> bit & 1);
}

/* Along one dimension; around: over the border, too. */
static int32_t steps(int32_t i, int32_t j, int32_t size, bool around)
{
    int32_t far = abs(i - j);
    return around && size - far < far ? size - far : far;
}

static void make_mesh(fuzz_input *in, fuzz_machine *m)
{
    bool around = fuzz_take(in, 2);
    int dimensions = 1 + fuzz_take(in, most_dimensions);
    int32_t size[most_dimensions];
    size_t length =
        (size_t)snprintf(m->text, sizeof m->text, "%s", around ? "torus:" : "mesh:");
    m->npes = 1;
    for (int i = 0; i < dimensions; i++) {
        size[i] = 1 + fuzz_take(in, dimensions == 1 ? K : 5);
        size[i] = size[i] * m->npes <= K ? size[i] : 1;
        m->npes *= size[i];
        length += (size_t)snprintf(m->text + length, sizeof m->text - length, "%s%d",
                                   i ? "x" : "", (int)size[i]);
    }
    for (int32_t p = 0; p < m->npes; p++)
        for (int32_t q = 0; q < m->npes; q++)
            for (int32_t i = 0, x = p, y = q; i < dimensions; i++) {
                m->distance[p][q] += steps(x % size[i], y % size[i], size[i], around);
                x /= size[i];
                y /= size[i];
            }
}

/* tree:a:b@x:y, the lowest level first. */
static void make_tree(fuzz_input *in, fuzz_machine *m)
{
    int levels = 1 + fuzz_take(in, most_dimensions);
    int32_t size[most_dimensions], far[most_dimensions];
    char distances[100] = "";
    size_t length = (size_t)snprintf(m->text, sizeof m->text, "tree"), behind = 0;
    m->npes = 1;
    for (int i = 0; i < levels; i++) {
        size[i] = 1 + fuzz_take(in, 5);
        size[i] = size[i] * m->npes <= K ? size[i] : 1;
        far[i] = (i ? far[i - 1] : 0) + 1 + fuzz_take(in, 10);
        m->npes *= size[i];
        length +=
            (size_t)snprintf(m->text + length, sizeof m->text - length, ":%d", (int)size[i]);
        behind += (size_t)snprintf(distances + behind, sizeof distances - behind, "%c%d",
                                   i ? ':' : '@', (int)far[i]);
    }
    strcat(m->text, distances);
    for (int32_t p = 0; p < m->npes; p++)
        for (int32_t q = 0; q < m->npes; q++)
            for (int32_t i = 0, x = p, y = q; i < levels && x != y; i++) {
                m->distance[p][q] = far[i];
                x /= size[i];
                y /= size[i];
            }
}

/* ---- A graph of PEs --------------------------------------------------------------------- */

static void write_network(const fuzz_machine *m, int32_t edges)
{
    char file[K * K * 8];
    size_t length = (size_t)snprintf(file, sizeof file, "%d %d 1\n", (int)m->npes, (int)edges);
    for (int32_t p = 0; p < m->npes; p++) {
        for (int32_t q = 0; q < m->npes; q++)
            if (p != q && m->distance[p][q] > 0)
                length += (size_t)snprintf(file + length, sizeof file - length, " %d %d",
                                           (int)q + 1, (int)m->distance[p][q]);
        file[length++] = '\n';
    }
    fuzz_file("network.graph", file, length);
}

static void find_paths(fuzz_machine *m)
{
    for (int32_t via = 0; via < m->npes; via++)
        for (int32_t p = 0; p < m->npes; p++)
            for (int32_t q = 0; q < m->npes; q++) {
                int32_t first = m->distance[p][via], second = m->distance[via][q];
                if (p != q && first > 0 && second > 0 &&
                    (m->distance[p][q] == 0 || first + second < m->distance[p][q]))
                    m->distance[p][q] = first + second;
            }
}

/* A tree and some edges more, so that every PE reaches every other. */
static void make_network(fuzz_input *in, fuzz_machine *m)
{
    fuzz_draws draws = fuzz_take_draws(in);
    int32_t edges = 0;
    m->npes = 1 + fuzz_take(in, K / 2);
    for (int32_t i = 1; i < 2 * m->npes; i++) {
        int32_t p = i < m->npes ? i : fuzz_draw(&draws, m->npes);
        int32_t q = fuzz_draw(&draws, i < m->npes ? i : m->npes);
        if (p == q || m->distance[p][q] > 0)
            continue;
        m->distance[p][q] = m->distance[q][p] = 1 + fuzz_draw(&draws, 9);
        edges++;
    }
    write_network(m, edges);
    snprintf(m->text, sizeof m->text, "graph:%s", fuzz_path("network.graph"));
    find_paths(m);
}

/* ---- Some PEs of a machine -------------------------------------------------------------- */

static void choose_some(fuzz_input *in, fuzz_machine *m)
{
    fuzz_machine whole = *m;
    bool taken[K] = {false};
    size_t length = strlen(m->text);
    int32_t count = 1 + fuzz_take(in, m->npes), first = fuzz_take(in, m->npes);
    if (m->unequal) /* somebody must have a speed */
        first = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t pe = i == 0 ? first : fuzz_take(in, whole.npes);
        while (taken[pe])
            pe = (pe + 1) % whole.npes;
        taken[pe] = true;
        m->number[i] = pe;
        m->speeds[i] = whole.speeds[pe];
        length += (size_t)snprintf(m->text + length, sizeof m->text - length, "%c%d",
                                   i ? ',' : '[', (int)pe);
    }
    snprintf(m->text + length, sizeof m->text - length, "]");
    m->npes = count;
    for (int32_t p = 0; p < count; p++)
        for (int32_t q = 0; q < count; q++)
            m->distance[p][q] = whole.distance[m->number[p]][m->number[q]];
}

/* ---- All together ----------------------------------------------------------------------- */

static void check_machine(const fuzz_machine *m)
{
    FUZZ_CHECK(cleave_target_pes(m->t) == m->npes);
    for (int32_t p = 0; p < m->npes; p++) {
        double ratio = cleave_target_speed(m->t, p) * m->speeds[0];
        FUZZ_CHECK(!m->unequal || ratio == cleave_target_speed(m->t, 0) * m->speeds[p]);
        for (int32_t q = 0; q < m->npes; q++)
            FUZZ_CHECK(cleave_target_distance(m->t, p, q) == m->distance[p][q]);
    }
}

void fuzz_take_machine(fuzz_input *in, fuzz_machine *m)
{
    static void (*const makers[])(fuzz_input *, fuzz_machine *) = {
        make_equal, make_equal, make_unequal, make_hypercube,
        make_mesh,  make_mesh,  make_tree,    make_network};
    cleave_error err;
    *m = (fuzz_machine){0};
    for (int32_t p = 0; p < K; p++) {
        m->speeds[p] = 1;
        m->number[p] = p;
    }
    makers[fuzz_take(in, 8)](in, m);
    if (fuzz_chance(in, 6))
        choose_some(in, m);
    FUZZ_CHECK_OK(cleave_target_parse(&m->t, m->text, &err), err);
    check_machine(m);
}

void fuzz_machine_free(fuzz_machine *m)
{
    cleave_target_free(m->t);
}

int64_t fuzz_cost(const fuzz_machine *m, const cleave_csr *g, const int32_t *part)
{
    int64_t sum = 0; /* of an undirected graph each edge twice */
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            sum += (int64_t)(g->ewgt ? g->ewgt[a] : 1) * m->distance[part[v]][part[g->adj[a]]];
    return g->kind == CLEAVE_DAG ? sum : sum / 2;
}

bool fuzz_machine_is_flat(const fuzz_machine *m)
{
    for (int32_t p = 0; p < m->npes; p++)
        for (int32_t q = 0; q < p; q++)
            if (m->distance[p][q] != m->distance[1][0])
                return false;
    return true;
}
