/* SPDX-License-Identifier: Apache-2.0 */
/* bench/adaptive/adaptive_set.c - the meshes, and the distributions of speeds.  Random numbers
 * depend only on the arguments: every run has the same instances. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adaptive/adaptive.h"

/* Those with coordinates first. */
const adaptive_graph adaptive_set[] = {
    {"3elt", "mesh/3elt.grf", 1},           {"bump", "mesh/bump.grf", 1},
    {"4elt", "mesh/4elt.grf", 0},           {"brack2", "mesh/brack2_3.graph.gz", 0},
    {"crack", "walshaw/crack.graph", 1},    {"cti", "walshaw/cti.graph", 1},
    {"cs4", "walshaw/cs4.graph", 0},        {"t60k", "walshaw/t60k.graph.gz", 0},
    {"wing", "walshaw/wing.graph.gz", 0},   {"fe_body", "walshaw/fe_body.graph.gz", 0},
    {"lap3d_40", "mtx/lap3d_40.mtx.gz", 0},
};
const int adaptive_count = sizeof adaptive_set / sizeof *adaptive_set;

int adaptive_find(const char *name)
{
    for (int i = 0; i < adaptive_count; i++)
        if (strcmp(adaptive_set[i].name, name) == 0)
            return i;
    return -1;
}

/* ---- Graphs ----------------------------------------------------------------------------- */

cleave_graph *adaptive_read(const settings *s, const char *name)
{
    char path[600];
    cleave_graph *g;
    cleave_error err;
    int at = adaptive_find(name);
    if (at < 0) {
        if (cleave_graph_generate(&g, name, NULL, &err) != CLEAVE_OK)
            bench_fail(err.message);
        return g;
    }
    cleave_read_options opt;
    cleave_read_options_init(&opt, sizeof opt);
    opt.symmetrise = "max";
    opt.weights = "none"; /* brack2 has coordinates, a matrix has values */
    snprintf(path, sizeof path, "%s/data/%s", s->shared, adaptive_set[at].file);
    if (cleave_graph_read(&g, path, &opt, &err) != CLEAVE_OK)
        bench_fail(err.message);
    return g;
}

int adaptive_has_coords(const cleave_graph *g)
{
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    cleave_graph_view(g, &csr);
    return csr.coords != NULL;
}

/* ---- Random numbers (splitmix64) -------------------------------------------------------- */

static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double unit(uint64_t *state)
{
    return (double)(next(state) >> 11) * (1.0 / 9007199254740992.0);
}

static uint64_t state_of(int use, int k, int ratio, int seed)
{
    uint64_t state = (uint64_t)use;
    state = next(&state) ^ (uint64_t)k;
    state = next(&state) ^ (uint64_t)ratio;
    state = next(&state) ^ (uint64_t)seed;
    return state;
}

void speeds_draw(double *speed, int k, int ratio, int seed)
{
    uint64_t state = state_of(1, k, ratio, seed);
    int least = 0, most = 0;
    for (int i = 0; i < k; i++) {
        speed[i] = 1 + (ratio - 1) * unit(&state);
        least = speed[i] < speed[least] ? i : least;
        most = speed[i] > speed[most] ? i : most;
    }
    speed[least] = 1;
    speed[most] = ratio;
}

void speeds_change(double *speed, int k, double most, int either, int seed)
{
    uint64_t state = state_of(2, k, (int)most, seed);
    for (int i = 0; i < k; i++) {
        double factor = 1 + (most - 1) * unit(&state);
        int rises = unit(&state) < 0.5 && either;
        speed[i] = rises ? speed[i] * factor : speed[i] / factor;
    }
}

void pes_choose(char *chosen, int k, int count, int seed)
{
    uint64_t state = state_of(3, k, count, seed);
    memset(chosen, 0, (size_t)k);
    while (count > 0) {
        int pe = (int)(next(&state) % (uint64_t)k);
        count -= !chosen[pe];
        chosen[pe] = 1;
    }
}

cleave_target *target_of(const double *speed, int k)
{
    cleave_target *t;
    cleave_error err;
    if (cleave_target_create(&t, k, speed, &err) != CLEAVE_OK)
        bench_fail(err.message);
    return t;
}
