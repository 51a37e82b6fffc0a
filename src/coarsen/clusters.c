/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/clusters.c - see coarsen/clusters.h.  Numbers are given block by block, from the
 * numbers of leaders in the blocks before. */
#include "coarsen/clusters.h"

static void init_range(void *context, int64_t begin, int64_t end, int member)
{
    clv_clusters *c = context;
    int32_t ncon = c->g->ncon;
    (void)member;
    for (int64_t v = begin; v < end; v++) {
        c->leader[v] = (int32_t)v;
        for (int32_t i = 0; i < ncon; i++)
            c->weight[v * ncon + i] = clv_graph_vwgt(c->g, (int32_t)v, i);
    }
}

cleave_status clv_clusters_init(clv_clusters *c, const clv_graph *g,
                                const clv_merge_rule *rule, clv_context *ctx,
                                cleave_error *err)
{
    int64_t n = g->nvtx;
    c->g = g;
    c->rule = rule;
    c->leader = clv_ws_alloc(ctx->ws, n, sizeof *c->leader);
    c->weight = clv_ws_alloc(ctx->ws, n * g->ncon, sizeof *c->weight);
    c->joined = clv_ws_zalloc(ctx->ws, n, sizeof *c->joined);
    if (!c->leader || !c->weight || !c->joined)
        return clv_fail_memory(err);
    clv_parallel_for(ctx->team, n, clv_block_least, init_range, c);
    return CLEAVE_OK;
}

typedef struct numbering {
    const clv_clusters *c;
    clv_even_blocks blocks;
    int32_t first[clv_blocks_most + 1]; /* by block: its first number */
    int32_t *map;
} numbering;

static void count_leaders(void *context, int64_t begin, int64_t end, int member)
{
    numbering *n = context;
    (void)member;
    for (int64_t b = begin; b < end; b++) {
        int32_t count = 0;
        for (int32_t v = clv_block_begin(&n->blocks, b);
             v < clv_block_begin(&n->blocks, b + 1); v++)
            count += n->c->leader[v] == v;
        n->first[b + 1] = count;
    }
}

static void number_leaders(void *context, int64_t begin, int64_t end, int member)
{
    numbering *n = context;
    (void)member;
    for (int64_t b = begin; b < end; b++) {
        int32_t number = n->first[b];
        for (int32_t v = clv_block_begin(&n->blocks, b);
             v < clv_block_begin(&n->blocks, b + 1); v++)
            if (n->c->leader[v] == v)
                n->map[v] = number++;
    }
}

static void number_members(void *context, int64_t begin, int64_t end, int member)
{
    numbering *n = context;
    const int32_t *leader = n->c->leader;
    (void)member;
    for (int64_t v = begin; v < end; v++)
        if (leader[v] != v)
            n->map[v] = n->map[leader[v]];
}

int32_t clv_clusters_number(const clv_clusters *c, clv_team *team, int32_t *map)
{
    numbering n = {.c = c, .blocks = clv_blocks_of(c->g->nvtx, clv_block_least), .map = map};
    clv_parallel_for(team, n.blocks.count, 1, count_leaders, &n);
    n.first[0] = 0;
    clv_running_sums32(n.first, n.blocks.count);
    clv_parallel_for(team, n.blocks.count, 1, number_leaders, &n);
    clv_parallel_for(team, c->g->nvtx, clv_block_least, number_members, &n);
    return n.first[n.blocks.count];
}
