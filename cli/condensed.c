/* SPDX-License-Identifier: Apache-2.0 */
/* Maps data between the vertices of a file and their strongly connected components. */
#include "cli/condensed.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Groups --------------------------------------------------------------------------- */

/* A vertex and its group, for sorting by group. */
typedef struct membership {
    int32_t group, vertex;
} membership;

static int compare(const void *a, const void *b)
{
    const membership *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

/* Union-find with path halving: the set of c, by its smallest member. */
static int32_t find_set(int32_t *set, int32_t c)
{
    while (set[c] != c)
        c = set[c] = set[set[c]];
    return c;
}

static void join_sets(int32_t *set, int32_t a, int32_t b)
{
    a = find_set(set, a);
    b = find_set(set, b);
    if (a < b)
        set[b] = a;
    else
        set[a] = b;
}

/* Components whose vertices share a group are in one group, transitively. */
static int32_t *join_groups(const int32_t *group, int32_t nvtx, const int32_t *component,
                            int32_t count)
{
    membership *list = cli_alloc(nvtx, sizeof *list);
    int32_t *set = cli_alloc(count, sizeof *set);
    int32_t members = 0;
    for (int32_t v = 0; v < nvtx; v++)
        if (group[v] >= 0)
            list[members++] = (membership){group[v], v};
    qsort(list, (size_t)members, sizeof *list, compare);
    for (int32_t c = 0; c < count; c++)
        set[c] = c;
    for (int32_t i = 1; i < members; i++)
        if (list[i].group == list[i - 1].group)
            join_sets(set, component[list[i - 1].vertex], component[list[i].vertex]);
    for (int32_t c = 0; c < count; c++)
        set[c] = find_set(set, c);
    free(list);
    return set;
}

/* ---- Fixed vertices ------------------------------------------------------------------- */

static cleave_status fix_components(cli_demands *d, int32_t nvtx, const int32_t *component,
                                    int32_t count, cleave_error *err)
{
    int32_t *fixed = cli_alloc(count, sizeof *fixed);
    int32_t *who = cli_alloc(count, sizeof *who);
    cleave_status status = CLEAVE_OK;
    for (int32_t c = 0; c < count; c++)
        fixed[c] = -1;
    for (int32_t v = 0; v < nvtx && status == CLEAVE_OK; v++) {
        int32_t c = component[v], p = d->fixed[v];
        if (p >= 0 && fixed[c] >= 0 && fixed[c] != p) {
            status = err->status = CLEAVE_EINVAL;
            snprintf(err->message, sizeof err->message,
                     "vertices %d and %d are in the same strongly connected component, but "
                     "fixed to parts %d and %d",
                     (int)who[c], (int)v, (int)fixed[c], (int)p);
        } else if (p >= 0) {
            fixed[c] = p;
            who[c] = v;
        }
    }
    free(who);
    free(d->fixed);
    d->fixed = fixed;
    return status;
}

static cleave_status start_components(cli_demands *d, int32_t nvtx, const int32_t *component,
                                      int32_t count, cleave_error *err)
{
    int32_t *part = cli_alloc(count, sizeof *part);
    const int32_t *from = cleave_mapping_parts(d->from);
    int32_t nparts = cleave_mapping_nparts(d->from);
    for (int32_t v = nvtx; v-- > 0;)
        part[component[v]] = from[v];
    cleave_mapping_free(d->from);
    d->from = NULL;
    cleave_status status = cleave_mapping_create(&d->from, count, nparts, part, err);
    free(part);
    return status;
}

/* ---- All together --------------------------------------------------------------------- */

cleave_status cli_condensed_read(cli_demands *d, const cleave_graph *g,
                                 const cleave_mapping *components, cleave_error *err)
{
    if (!components)
        return cli_demands_read(d, g, cleave_graph_vertices(g), err);
    int32_t nvtx = cleave_mapping_vertices(components);
    int32_t count = cleave_mapping_nparts(components);
    const int32_t *component = cleave_mapping_parts(components);
    cleave_status status = cli_demands_read(d, g, nvtx, err);
    if (status == CLEAVE_OK && d->fixed)
        status = fix_components(d, nvtx, component, count, err);
    if (status == CLEAVE_OK && d->from)
        status = start_components(d, nvtx, component, count, err);
    if (status == CLEAVE_OK && d->group) {
        int32_t *group = join_groups(d->group, nvtx, component, count);
        free(d->group);
        d->group = group;
    }
    cli_demands_point(d);
    return status;
}

cleave_status cli_condensed_expand(cleave_mapping **out, const cleave_mapping *m,
                                   const cleave_mapping *components, cleave_error *err)
{
    int32_t nvtx = cleave_mapping_vertices(components);
    const int32_t *component = cleave_mapping_parts(components);
    const int32_t *of_component = cleave_mapping_parts(m);
    int32_t *part = cli_alloc(nvtx, sizeof *part);
    for (int32_t v = 0; v < nvtx; v++)
        part[v] = of_component[component[v]];
    cleave_status status =
        cleave_mapping_create(out, nvtx, cleave_mapping_nparts(m), part, err);
    free(part);
    return status;
}
