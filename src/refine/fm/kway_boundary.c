/* SPDX-License-Identifier: Apache-2.0 */
/* refine/fm/kway_boundary.c - see refine/fm/kway_boundary.h.
 *
 * Passes over blocks of vertices or of entries: the first one counts what each block lists,
 * the second one lists it.  The links of the entries of a block come from a share of the
 * memory for links that depends on the arcs of the block only, so that the same entries are
 * without links on any number of threads. */
#include "refine/fm/kway_boundary.h"

#include "base/blocks.h"
#include "base/group.h"

enum { block_of_vertices = 4096, block_of_entries = 4096 };

typedef struct boundary_pass {
    clv_kway_search *f;
    clv_even_blocks blocks;
    int32_t first[clv_blocks_most + 1]; /* by block: index of its first item in list */
    int32_t *list;
    clv_gain_cache *member; /* views of the cache with scratch of a thread */
    atomic_llong links;     /* in use outside of entries */
    atomic_bool hidden;
} boundary_pass;

/* Also clears the mark of an inner vertex. */
static bool is_on_boundary(const clv_kway_search *f, int32_t v, bool *hidden)
{
    const clv_partition_state *s = f->s;
    const clv_graph *g = s->g;
    if (!s->maybe_boundary[v])
        return false;
    bool zero = false;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        if (s->part[g->adj[a]] == s->part[v])
            continue;
        if (clv_graph_ewgt(g, a) > 0)
            return true;
        zero = true;
    }
    *hidden |= zero;
    s->maybe_boundary[v] = zero;
    return false;
}

static void count_boundary(void *context, int64_t begin, int64_t end, int member)
{
    boundary_pass *p = context;
    bool hidden = false;
    (void)member;
    for (int64_t b = begin; b < end; b++) {
        int32_t count = 0;
        for (int32_t v = clv_block_begin(&p->blocks, b);
             v < clv_block_begin(&p->blocks, b + 1); v++)
            count += is_on_boundary(p->f, v, &hidden);
        p->first[b + 1] = count;
    }
    if (hidden)
        atomic_store_explicit(&p->hidden, true, memory_order_relaxed);
}

static void enter_block(boundary_pass *p, int64_t b, clv_gain_cache *t)
{
    const clv_partition_state *s = p->f->s;
    int32_t i = p->first[b], begin = clv_block_begin(&p->blocks, b);
    int32_t end = clv_block_begin(&p->blocks, b + 1);
    int64_t share = clv_gain_cache_links(s->g->xadj[end] - s->g->xadj[begin]);
    t->left = 0;
    t->spare = share;
    for (int32_t v = begin; v < end && i < p->first[b + 1]; v++) {
        bool hidden = false;
        if (!s->maybe_boundary[v] || !is_on_boundary(p->f, v, &hidden))
            continue;
        t->index[v] = i;
        p->list[i] = i;
        clv_gain_cache_fill(t, &t->entry[i++], v);
    }
    atomic_fetch_add_explicit(&p->links, share - t->spare, memory_order_relaxed);
}

static void enter_range(void *context, int64_t begin, int64_t end, int member)
{
    boundary_pass *p = context;
    for (int64_t b = begin; b < end; b++)
        enter_block(p, b, &p->member[member]);
}

/* Views of the cache for each thread. */
static cleave_status make_views(boundary_pass *p, int threads, cleave_error *err)
{
    clv_context *ctx = p->f->ctx;
    p->member = clv_ws_alloc(&ctx->ws[0], threads, sizeof *p->member);
    if (!p->member)
        return clv_fail_memory(err);
    for (int i = 0; i < threads; i++)
        CLV_TRY(clv_gain_cache_view(&p->member[i], &p->f->t, &ctx->ws[i], err));
    return CLEAVE_OK;
}

cleave_status clv_kway_enter_boundary(clv_kway_search *f, int32_t *list, int32_t *count,
                                      cleave_error *err)
{
    const clv_graph *g = f->s->g;
    clv_context *ctx = f->ctx;
    boundary_pass p = {.f = f, .blocks = clv_blocks_of(g->nvtx, block_of_vertices)};
    p.list = list;
    *count = 0;
    CLV_TRY(make_views(&p, clv_context_threads(ctx), err));
    if (!clv_context_for(ctx, p.blocks.count, 1, count_boundary, &p))
        return CLEAVE_OK;
    clv_running_sums32(p.first, p.blocks.count);
    if (!clv_context_for(ctx, p.blocks.count, 1, enter_range, &p))
        return CLEAVE_OK;
    f->t.count = *count = p.first[p.blocks.count];
    f->t.spare -= atomic_load(&p.links);
    f->t.hidden |= atomic_load(&p.hidden);
    for (int i = 0; i < clv_context_threads(ctx); i++)
        f->t.hidden |= p.member[i].hidden;
    return CLEAVE_OK;
}

/* ---- Later rounds ------------------------------------------------------------------- */

static void count_entries(void *context, int64_t begin, int64_t end, int member)
{
    boundary_pass *p = context;
    (void)member;
    for (int64_t b = begin; b < end; b++) {
        int32_t count = 0;
        for (int32_t i = clv_block_begin(&p->blocks, b);
             i < clv_block_begin(&p->blocks, b + 1); i++) {
            clv_gain_entry *e = &p->f->t.entry[i];
            e->locked = e->fixed;
            count += !e->fixed && (e->count > 0 || e->loose);
        }
        p->first[b + 1] = count;
    }
}

static void list_entries(void *context, int64_t begin, int64_t end, int member)
{
    boundary_pass *p = context;
    (void)member;
    for (int64_t b = begin; b < end; b++) {
        int32_t at = p->first[b];
        for (int32_t i = clv_block_begin(&p->blocks, b);
             i < clv_block_begin(&p->blocks, b + 1); i++) {
            const clv_gain_entry *e = &p->f->t.entry[i];
            if (!e->fixed && (e->count > 0 || e->loose))
                p->list[at++] = i;
        }
    }
}

int32_t clv_kway_list_boundary(clv_kway_search *f, int32_t *list)
{
    boundary_pass p = {.f = f, .blocks = clv_blocks_of(f->t.count, block_of_entries)};
    p.list = list;
    clv_parallel_for(f->ctx->team, p.blocks.count, 1, count_entries, &p);
    clv_running_sums32(p.first, p.blocks.count);
    clv_parallel_for(f->ctx->team, p.blocks.count, 1, list_entries, &p);
    return p.first[p.blocks.count];
}

static void mark_range(void *context, int64_t begin, int64_t end, int member)
{
    clv_kway_search *f = context;
    (void)member;
    for (int64_t i = begin; i < end; i++) {
        const clv_gain_entry *e = &f->t.entry[i];
        f->s->maybe_boundary[e->vertex] = e->count > 0 || e->loose || f->t.hidden;
    }
}

void clv_kway_mark_boundary(clv_kway_search *f)
{
    clv_parallel_for(f->ctx->team, f->t.count, block_of_entries, mark_range, f);
}
