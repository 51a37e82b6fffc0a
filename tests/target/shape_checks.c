/* SPDX-License-Identifier: Apache-2.0 */
/* tests/target/shape_checks.c - see tests/target/shape_checks.h. */
#include "target/shape_checks.h"

#include <math.h>

clv_target *shape_of(const char *text)
{
    cleave_error err;
    clv_target *t = NULL;
    CHECK_OK(clv_target_parse(&t, text, &err));
    if (!t) {
        fprintf(stderr, "cannot go on without %s\n", text);
        exit(EXIT_FAILURE);
    }
    return t;
}

/* ---- Domains ---------------------------------------------------------------------------- */

int32_t all_domains(const clv_target *t, clv_domain *list)
{
    int32_t count = 1;
    list[0] = t->shape->root(t);
    for (int32_t i = 0; i < count; i++) {
        clv_domain half[2];
        if (!t->shape->bipartition(t, list[i], half))
            continue;
        if (count + 2 > 2 * t->npes - 1) {
            CHECK_EQ(count + 2, 2 * t->npes - 1); /* too many */
            return count;
        }
        list[count++] = half[0];
        list[count++] = half[1];
    }
    return count;
}

void domain_set(const clv_target *t, clv_domain d, uint8_t *set)
{
    clv_domain half[2];
    if (t->shape->bipartition(t, d, half)) {
        domain_set(t, half[0], set);
        domain_set(t, half[1], set);
    } else {
        CHECK(!set[t->shape->pe(t, d)]); /* halves are disjoint */
        set[t->shape->pe(t, d)] = 1;
    }
}

static void check_children(const clv_target *t, clv_domain d, const uint8_t *set)
{
    int32_t count = clv_target_children(t, d), pes = 0;
    uint8_t *all = calloc((size_t)t->npes, 1);
    CHECK(t->shape->pes(t, d) == 1 ? count == 0 : count >= 2);
    for (int32_t i = 0; i < count; i++) {
        clv_domain child = clv_target_child(t, d, i);
        CHECK(t->shape->pes(t, child) < t->shape->pes(t, d));
        pes += t->shape->pes(t, child);
        domain_set(t, child, all);
    }
    CHECK(count == 0 ||
          (pes == t->shape->pes(t, d) && memcmp(all, set, (size_t)t->npes) == 0));
    free(all);
}

static void check_domain(const clv_target *t, clv_domain d, uint8_t *set)
{
    int32_t pes = 0;
    double weight = 0;
    memset(set, 0, (size_t)t->npes);
    domain_set(t, d, set);
    for (int32_t pe = 0; pe < t->npes; pe++) {
        pes += set[pe];
        weight += set[pe] ? clv_target_speed_of(t, pe) : 0;
    }
    CHECK_EQ(t->shape->pes(t, d), pes);
    CHECK(fabs(t->shape->weight(t, d) - weight) <= 1e-9 * weight);
    CHECK(set[t->shape->pe(t, d)]);
    check_children(t, d, set);
    if (pes == 1) {
        clv_domain same = t->shape->terminal(t, t->shape->pe(t, d));
        CHECK(same.a == d.a && same.b == d.b);
    }
}

void check_domains(const clv_target *t)
{
    clv_domain *list = calloc(2 * (size_t)t->npes, sizeof *list);
    uint8_t *set = malloc((size_t)t->npes);
    int32_t count = all_domains(t, list);
    CHECK_EQ(count, 2 * t->npes - 1);
    for (int32_t i = 0; i < count; i++)
        check_domain(t, list[i], set);
    CHECK_EQ(t->shape->pes(t, t->shape->root(t)), t->npes);
    for (int32_t i = 0; i < count; i++)
        for (int32_t j = 0; j <= i; j++) {
            int64_t there = t->shape->distance(t, list[i], list[j]);
            CHECK_EQ(t->shape->distance(t, list[j], list[i]), there);
            CHECK(i == j ? there == 0 : there >= 0);
        }
    free(list);
    free(set);
}

void check_pes(const clv_target *t)
{
    for (int32_t p = 0; p < t->npes; p++)
        for (int32_t q = 0; q < t->npes; q++) {
            int32_t far = clv_target_distance(t, p, q);
            CHECK(p == q ? far == 0 : far >= 0);
            CHECK_EQ(clv_target_distance(t, q, p), far);
            clv_domain x = t->shape->terminal(t, p), y = t->shape->terminal(t, q);
            CHECK_EQ(t->shape->distance(t, x, y), 2 * (int64_t)far);
            if (t->shape->level) {
                int32_t level = t->shape->level(t, p, q);
                CHECK(p == q ? level == 0 : level >= 1 && level <= t->levels);
            }
        }
}

double mean_distance(const clv_target *t, clv_domain x, clv_domain y)
{
    uint8_t *in_x = calloc((size_t)t->npes, 1), *in_y = calloc((size_t)t->npes, 1);
    double sum = 0, count = 0;
    domain_set(t, x, in_x);
    domain_set(t, y, in_y);
    for (int32_t p = 0; p < t->npes; p++)
        for (int32_t q = 0; q < t->npes; q++)
            if (in_x[p] && in_y[q]) {
                sum += clv_target_distance(t, p, q);
                count++;
            }
    free(in_x);
    free(in_y);
    return 2 * sum / count;
}

/* ---- The oracle ------------------------------------------------------------------------- */

oracle oracle_new(int32_t nodes)
{
    return (oracle){.nodes = nodes, .next = malloc(sizeof(int32_t[2]) * 64 * (size_t)nodes)};
}

/* Once, however often it is named. */
void oracle_edge(oracle *o, int32_t u, int32_t v)
{
    for (int32_t e = 0; e < o->edges; e++)
        if ((o->next[e][0] == u && o->next[e][1] == v) ||
            (o->next[e][0] == v && o->next[e][1] == u))
            return;
    if (u != v) {
        o->next[o->edges][0] = u;
        o->next[o->edges++][1] = v;
    }
}

/* The Bellman-Ford algorithm, because it is simple. */
void oracle_reach(const oracle *o, int32_t from, int32_t *hops)
{
    bool changed = true;
    for (int32_t v = 0; v < o->nodes; v++)
        hops[v] = v == from ? 0 : INT32_MAX / 2;
    while (changed) {
        changed = false;
        for (int32_t e = 0; e < o->edges; e++)
            for (int side = 0; side < 2; side++) {
                int32_t u = o->next[e][side], v = o->next[e][!side];
                if (hops[v] > hops[u] + 1) {
                    hops[v] = hops[u] + 1;
                    changed = true;
                }
            }
    }
}

void oracle_free(oracle *o)
{
    free(o->next);
}

/* end[link] becomes the edge that the link is; every link is one edge. */
static void find_links(const clv_target *t, const oracle *o, int32_t *edge_of, int64_t *load)
{
    for (int64_t link = 0; link < t->links; link++)
        edge_of[link] = -1;
    for (int32_t e = 0; e < o->edges; e++) {
        int32_t used = 0;
        memset(load, 0, (size_t)t->links * sizeof *load);
        clv_target_route(t, o->next[e][0], o->next[e][1], 7, load);
        for (int64_t link = 0; link < t->links; link++)
            if (load[link]) {
                CHECK_EQ(load[link], 7);
                CHECK_EQ(edge_of[link], -1);
                edge_of[link] = e;
                used++;
            }
        CHECK_EQ(used, 1);
    }
    for (int64_t link = 0; link < t->links; link++)
        CHECK(edge_of[link] >= 0);
}

/* Follows the loaded links from p; each is used once, and the last ends at q. */
static void walk_route(const clv_target *t, const oracle *o, const int32_t *edge_of,
                       int64_t *load, int32_t p, int32_t q)
{
    int32_t here = p, steps = 0;
    int64_t left = 0;
    memset(load, 0, (size_t)t->links * sizeof *load);
    clv_target_route(t, p, q, 3, load);
    for (bool moved = true; moved;) {
        moved = false;
        for (int64_t link = 0; link < t->links && !moved; link++) {
            const int32_t *end = o->next[edge_of[link]];
            if (load[link] == 0 || (end[0] != here && end[1] != here))
                continue;
            CHECK_EQ(load[link], 3);
            load[link] = 0;
            here = end[0] == here ? end[1] : end[0];
            steps++;
            moved = true;
        }
    }
    for (int64_t link = 0; link < t->links; link++)
        left += load[link];
    CHECK_EQ(here, q);
    CHECK_EQ(steps, clv_target_distance(t, p, q));
    CHECK_EQ(left, 0);
}

void check_unit_paths(const clv_target *t, const oracle *o)
{
    int32_t *hops = malloc((size_t)o->nodes * sizeof *hops);
    int32_t *edge_of = malloc((size_t)(t->links + 1) * sizeof *edge_of);
    int64_t *load = malloc((size_t)(t->links + 1) * sizeof *load);
    CHECK_EQ(t->links, o->edges);
    find_links(t, o, edge_of, load);
    for (int32_t p = 0; p < t->npes; p++) {
        oracle_reach(o, p, hops);
        for (int32_t q = 0; q < t->npes; q++) {
            CHECK_EQ(clv_target_distance(t, p, q), hops[q]);
            walk_route(t, o, edge_of, load, p, q);
        }
    }
    free(hops);
    free(edge_of);
    free(load);
}

void check_target_memory(target_maker *make, const void *from)
{
    for (test_oom_rounds oom = {0}; test_oom_next(&oom);) {
        clv_target *t;
        TEST_OOM(&oom, make(&t, from));
        clv_target_free(t);
    }
}
