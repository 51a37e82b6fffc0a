/* SPDX-License-Identifier: Apache-2.0 */
/* compat/parmetis/parlayer_rename.c - renumbers parts after the ranks that have most of their
 * vertices.
 *
 * Programs with as many parts as ranks send every vertex to the rank of its part's number.  As
 * in ParMETIS, parts are numbered so that many vertices are already there.  Each rank claims a
 * small number of parts of which it has the most vertices, and the largest claims are granted
 * first. */
#include "parlayer.h"

enum { claims_each = 8 };

typedef struct claim {
    int64_t count; /* own vertices in the part */
    int32_t rank, part;
} claim;

static bool before(const claim *a, const claim *b)
{
    if (a->count != b->count)
        return a->count > b->count;
    return a->rank != b->rank ? a->rank < b->rank : a->part < b->part;
}

static void sort_claims(claim *claims, int64_t count)
{
    for (int64_t gap = count / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11)
        for (int64_t i = gap; i < count; i++) {
            claim c = claims[i];
            int64_t j = i;
            for (; j >= gap && before(&c, &claims[j - gap]); j -= gap)
                claims[j] = claims[j - gap];
            claims[j] = c;
        }
}

/* all: capacity for one per part. */
static void make_claims(const cp_ranks *ranks, const int32_t *part, int64_t own, claim *all,
                        claim *best)
{
    for (int p = 0; p < ranks->size; p++)
        all[p] = (claim){0, ranks->rank, p};
    for (int64_t v = 0; v < own; v++)
        all[part[v]].count++;
    sort_claims(all, ranks->size);
    for (int i = 0; i < claims_each; i++)
        best[i] = i < ranks->size ? all[i] : (claim){0, ranks->rank, 0};
}

/* rank_of: by part, then by rank the part it got, -1: none yet. */
static void grant_claims(const claim *claims, int size, int32_t *rank_of, int32_t *part_of)
{
    for (int r = 0; r < size; r++)
        rank_of[r] = part_of[r] = -1;
    for (int64_t i = 0; i < (int64_t)size * claims_each && claims[i].count > 0; i++)
        if (rank_of[claims[i].part] < 0 && part_of[claims[i].rank] < 0) {
            rank_of[claims[i].part] = claims[i].rank;
            part_of[claims[i].rank] = claims[i].part;
        }
    for (int p = 0, r = 0; p < size; p++) {
        if (rank_of[p] >= 0)
            continue;
        while (part_of[r] >= 0)
            r++;
        rank_of[p] = r;
        part_of[r] = p;
    }
}

int cp_rename_parts(const cp_ranks *ranks, int32_t *part, int64_t own)
{
    int64_t size = ranks->size;
    claim mine[claims_each];
    claim *all = cp_alloc(size * claims_each, sizeof *all);
    int32_t *rank_of = cp_alloc(size, sizeof *rank_of);
    int32_t *part_of = cp_alloc(size, sizeof *part_of);
    int status = cp_agree(ranks, all && rank_of && part_of ? METIS_OK : METIS_ERROR_MEMORY);
    if (status == METIS_OK) {
        make_claims(ranks, part, own, all, mine);
        MPI_Allgather(mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, ranks->comm);
        sort_claims(all, size * claims_each);
        grant_claims(all, ranks->size, rank_of, part_of);
        for (int64_t v = 0; v < own; v++)
            part[v] = rank_of[part[v]];
    }
    cp_free(all);
    cp_free(rank_of);
    cp_free(part_of);
    return status;
}
