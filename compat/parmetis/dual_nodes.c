/* SPDX-License-Identifier: Apache-2.0 */
/* compat/parmetis/dual_nodes.c - the elements of each node: lists stored by the nodes' owners.
 *
 * Every rank sends the pairs (node, element) of its elements to the owners of the nodes, which
 * sort them by node.  Memory: five times the nodes of the own elements, if these are spread
 * evenly. */
#include "parlayer.h"

int cp_node_owner(idx_t node, int size)
{
    uint64_t mixed = ((uint64_t)node >> 6) * UINT64_C(0x9e3779b97f4a7c15);
    mixed ^= mixed >> 32;
    return (int)(mixed % (uint64_t)size);
}

void cp_sort(idx_t *item, int64_t count)
{
    for (int64_t gap = count / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11)
        for (int64_t i = gap; i < count; i++) {
            idx_t value = item[i];
            int64_t j = i;
            for (; j >= gap && item[j - gap] > value; j -= gap)
                item[j] = item[j - gap];
            item[j] = value;
        }
}

/* ---- Own elements ------------------------------------------------------------------ */

/* Degenerate elements name a node twice: duplicates are dropped. */
static void copy_element(cp_elements *to, int64_t e, const idx_t *node, int64_t count,
                         idx_t numbering)
{
    int64_t begin = to->first[e], end = begin;
    for (int64_t i = 0; i < count; i++)
        to->node[begin + i] = node[i] - numbering;
    cp_sort(to->node + begin, count);
    for (int64_t i = begin; i < begin + count; i++)
        if (end == begin || to->node[end - 1] != to->node[i])
            to->node[end++] = to->node[i];
    to->first[e + 1] = end;
}

static int copy_elements(cp_elements *to, const cp_mesh *mesh)
{
    int64_t items = mesh->own > 0 ? (int64_t)mesh->eptr[mesh->own] - mesh->numbering : 0;
    to->count = mesh->own;
    to->first = cp_alloc(mesh->own + 1, sizeof *to->first);
    to->node = cp_alloc(items, sizeof *to->node);
    if (!to->first || !to->node)
        return METIS_ERROR_MEMORY;
    to->first[0] = 0;
    for (int64_t e = 0; e < mesh->own; e++)
        copy_element(to, e, mesh->eind + (mesh->eptr[e] - mesh->numbering),
                     mesh->eptr[e + 1] - mesh->eptr[e], mesh->numbering);
    return METIS_OK;
}

/* ---- Pairs ------------------------------------------------------------------------- */

typedef struct pair {
    idx_t node, element;
} pair;

typedef struct post {
    int64_t *first, *got_first; /* by rank */
    pair *sent, *got;
} post;

static void post_free(post *p)
{
    cp_free(p->first);
    cp_free(p->got_first);
    cp_free(p->sent);
    cp_free(p->got);
}

static int post_new(post *p, const cp_elements *elements, int size)
{
    int64_t items = elements->first[elements->count];
    p->first = cp_alloc((int64_t)size + 1, sizeof *p->first);
    p->got_first = cp_alloc((int64_t)size + 1, sizeof *p->got_first);
    p->sent = cp_alloc(items, sizeof *p->sent);
    return p->first && p->got_first && p->sent ? METIS_OK : METIS_ERROR_MEMORY;
}

/* By owner, and for each owner in the order of the elements. */
static void fill_post(post *p, const cp_elements *elements, const cp_mesh *mesh, int size)
{
    for (int r = 0; r <= size; r++)
        p->first[r] = 0;
    for (int64_t i = 0; i < elements->first[elements->count]; i++)
        p->first[cp_node_owner(elements->node[i], size) + 1]++;
    for (int r = 0; r < size; r++)
        p->first[r + 1] += p->first[r];
    for (int64_t e = 0; e < elements->count; e++)
        for (int64_t i = elements->first[e]; i < elements->first[e + 1]; i++) {
            int owner = cp_node_owner(elements->node[i], size);
            p->sent[p->first[owner]++] = (pair){elements->node[i], (idx_t)(mesh->begin + e)};
        }
    for (int r = size; r > 0; r--)
        p->first[r] = p->first[r - 1];
    p->first[0] = 0;
}

static int send_pairs(post *p, const cp_ranks *ranks)
{
    cp_tell_counts(ranks, p->first, p->got_first);
    p->got = cp_alloc(p->got_first[ranks->size], sizeof *p->got);
    int status = cp_agree(ranks, p->got ? METIS_OK : METIS_ERROR_MEMORY);
    if (status == METIS_OK)
        cp_exchange(ranks, p->sent, p->first, p->got, p->got_first, sizeof *p->got);
    cp_free(p->sent);
    p->sent = NULL;
    return status;
}

/* ---- Lists ------------------------------------------------------------------------- */

enum { digit_bits = 11, digits = 1 << digit_bits };

/* A stable counting sort by one digit of the node. */
static void sort_digit(const pair *from, pair *to, int64_t count, int shift)
{
    int64_t place[digits + 1] = {0};
    for (int64_t i = 0; i < count; i++)
        place[((uint64_t)from[i].node >> shift & (digits - 1)) + 1]++;
    for (int d = 0; d < digits; d++)
        place[d + 1] += place[d];
    for (int64_t i = 0; i < count; i++)
        to[place[(uint64_t)from[i].node >> shift & (digits - 1)]++] = from[i];
}

/* Sorts by node; elements already ascend, because ranks and their messages do. */
static bool sort_pairs(post *p, int64_t count)
{
    idx_t most = 0;
    pair *to = cp_alloc(count, sizeof *to);
    if (!to)
        return false;
    for (int64_t i = 0; i < count; i++)
        most = p->got[i].node > most ? p->got[i].node : most;
    for (int shift = 0; shift < (int)sizeof(idx_t) * 8 && (uint64_t)most >> shift;
         shift += digit_bits) {
        pair *from = p->got;
        sort_digit(from, to, count, shift);
        p->got = to;
        to = from;
    }
    cp_free(to);
    return true;
}

static bool make_lists(cp_nodes *nodes, const pair *sorted, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        nodes->count += i == 0 || sorted[i].node != sorted[i - 1].node;
    nodes->node = cp_alloc(nodes->count, sizeof *nodes->node);
    nodes->first = cp_alloc(nodes->count + 1, sizeof *nodes->first);
    nodes->element = cp_alloc(count, sizeof *nodes->element);
    if (!nodes->node || !nodes->first || !nodes->element)
        return false;
    int64_t n = 0;
    for (int64_t i = 0; i < count; i++) {
        if (i == 0 || sorted[i].node != sorted[i - 1].node) {
            nodes->node[n] = sorted[i].node;
            nodes->first[n++] = i;
        }
        nodes->element[i] = sorted[i].element;
    }
    nodes->first[n] = count;
    return true;
}

int64_t cp_nodes_find(const cp_nodes *nodes, idx_t node)
{
    int64_t low = 0, high = nodes->count - 1; /* it is present */
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (nodes->node[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int make_nodes(cp_nodes *nodes, cp_elements *elements, const cp_mesh *mesh,
                      const cp_ranks *ranks, post *p)
{
    int status = copy_elements(elements, mesh);
    if (status == METIS_OK)
        status = post_new(p, elements, ranks->size);
    status = cp_agree(ranks, status);
    if (status != METIS_OK)
        return status;
    fill_post(p, elements, mesh, ranks->size);
    status = send_pairs(p, ranks);
    if (status != METIS_OK)
        return status;
    int64_t count = p->got_first[ranks->size];
    bool ok = sort_pairs(p, count) && make_lists(nodes, p->got, count);
    return cp_agree(ranks, ok ? METIS_OK : METIS_ERROR_MEMORY);
}

int cp_nodes_open(cp_nodes *nodes, cp_elements *elements, const cp_mesh *mesh,
                  const cp_ranks *ranks)
{
    post p = {0};
    *nodes = (cp_nodes){0};
    *elements = (cp_elements){0};
    int status = make_nodes(nodes, elements, mesh, ranks, &p);
    post_free(&p);
    return status;
}

void cp_nodes_close(cp_nodes *nodes, cp_elements *elements)
{
    cp_free(nodes->node);
    cp_free(nodes->first);
    cp_free(nodes->element);
    cp_free(elements->first);
    cp_free(elements->node);
}
