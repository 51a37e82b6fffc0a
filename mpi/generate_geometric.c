/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/generate_geometric.c - distributed random geometric graphs (generate/geometric.h).
 *
 * Vertices are numbered cell by cell, so that a row of cells (along the x axis) has
 * consecutive numbers.  The ranks draw the points twice.  The first pass counts them by row of
 * cells, which gives the rows of the even range of each rank.  The second pass sends each
 * point to all ranks with vertices in its row or an adjacent row.  A rank receives a window of
 * consecutive vertices, its own and all their possible neighbours, in the order in which they
 * were drawn, and numbers them as one machine would.  Memory: a rank's share and one row of
 * cells (in 3-D one layer) on either side. */
#include "generate/geometric.h"

#include <string.h>

#include "mpi/generate.h"

enum { batch_blocks = 16, row_grain = 512 };

typedef struct sharing {
    clv_geometric g;
    const clv_comm *comm;
    clv_team *team;
    clv_deal deal;
    int64_t nrow;       /* rows of cells */
    int64_t *row_first; /* by row: its first vertex; nrow + 1 */
    int64_t *first;     /* by rank: its first vertex; size + 1 */
    int64_t *low;       /* by rank: the first row of its window, ascending */
    int64_t *high;      /* by rank: one past the last one */
    int32_t *reader;    /* by row: the first rank with the row in its window */
    double *drawn;      /* points of a batch */
    double *dealt;      /* the same by rank, some of them several times */
    double *points;     /* of the window as drawn */
    clv_geometric_window window;
    int64_t own; /* the first own vertex in the window */
    clv_dist_rows rows;
} sharing;

static int64_t row_of(const sharing *s, const double *point)
{
    return clv_geometric_cell(&s->g, point) / s->g.cells;
}

/* ---- Drawing ---------------------------------------------------------------------------- */

typedef struct batch {
    const sharing *s;
    int64_t block; /* the first one */
} batch;

static void draw_blocks(void *context, int64_t begin, int64_t end, int member)
{
    const batch *b = context;
    const clv_geometric *g = &b->s->g;
    (void)member;
    for (int64_t i = begin; i < end; i++)
        clv_geometric_draw(g, b->block + i, b->s->drawn + i * CLV_POINT_BLOCK * g->ndim);
}

/* Draws this rank's points of a round; returns how many. */
static int64_t draw_round(const sharing *s, int64_t round)
{
    int count;
    batch b = {s, clv_deal_blocks(&s->deal, round, &count)};
    clv_parallel_for(s->team, count, 1, draw_blocks, &b);
    int64_t begin = b.block * CLV_POINT_BLOCK, end = begin + (int64_t)count * CLV_POINT_BLOCK;
    return count == 0 ? 0 : (end < s->g.nvtx ? end : s->g.nvtx) - begin;
}

static void count_points(const sharing *s)
{
    int64_t *count = s->row_first + 1;
    for (int64_t round = 0; round < clv_deal_rounds(&s->deal); round++) {
        int64_t n = draw_round(s, round);
        for (int64_t i = 0; i < n; i++)
            count[row_of(s, s->drawn + i * s->g.ndim)]++;
    }
    clv_comm_sum_all(s->comm, count, s->nrow);
    for (int64_t row = 0; row < s->nrow; row++)
        count[row] += count[row - 1];
}

/* ---- Windows ---------------------------------------------------------------------------- */

static int64_t row_of_vertex(const sharing *s, int64_t v)
{
    int64_t low = 0, high = s->nrow - 1; /* the last row that begins at or before it */
    while (low < high) {
        int64_t middle = low + (high - low + 1) / 2;
        if (s->row_first[middle] <= v)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static void choose_windows(const sharing *s)
{
    int64_t reach = s->g.ndim == 2 ? 1 : (int64_t)s->g.cells + 1;
    clv_dist_even(s->g.nvtx, s->comm->size, s->first);
    for (int r = s->comm->size - 1; r >= 0; r--) {
        int64_t low = row_of_vertex(s, s->first[r]) - reach;
        s->low[r] = s->high[r] = low > 0 ? low : 0;
        if (s->first[r] == s->first[r + 1])
            continue;
        int64_t high = row_of_vertex(s, s->first[r + 1] - 1) + reach + 1;
        s->high[r] = high < s->nrow ? high : s->nrow;
        for (int64_t row = s->low[r]; row < s->high[r]; row++)
            s->reader[row] = r;
    }
}

/* The next rank from r on whose window contains the row; size: none. */
static int next_reader(const sharing *s, int r, int64_t row)
{
    while (r < s->comm->size && s->low[r] <= row) {
        if (row < s->high[r])
            return r;
        r++;
    }
    return s->comm->size;
}

/* ---- Distribution ----------------------------------------------------------------------- */

static void count_readers(const sharing *s, int64_t n)
{
    int size = s->comm->size;
    clv_deal_start(&s->deal);
    for (int64_t i = 0; i < n; i++) {
        int64_t row = row_of(s, s->drawn + i * s->g.ndim);
        for (int r = s->reader[row]; r < size; r = next_reader(s, r + 1, row))
            s->deal.next[r]++;
    }
}

static void copy_to_readers(const sharing *s, int64_t n)
{
    int ndim = s->g.ndim, size = s->comm->size;
    for (int64_t i = 0; i < n; i++) {
        const double *point = s->drawn + i * ndim;
        int64_t row = row_of(s, point);
        for (int r = s->reader[row]; r < size; r = next_reader(s, r + 1, row))
            memcpy(s->dealt + s->deal.next[r]++ * ndim, point, (size_t)ndim * sizeof *point);
    }
}

/* One round; *at is the number of points of the window received so far. */
static cleave_status deal_round(sharing *s, int64_t round, int64_t *at, cleave_error *err)
{
    size_t each = (size_t)s->g.ndim * sizeof *s->points;
    int64_t n = draw_round(s, round);
    count_readers(s, n);
    int64_t copies = clv_deal_place(&s->deal);
    s->dealt = clv_alloc(copies * s->g.ndim, sizeof *s->dealt);
    CLV_TRY(clv_comm_agree_memory(s->comm, s->dealt != NULL, err));
    copy_to_readers(s, n);
    clv_arrivals got;
    CLV_TRY(clv_deal_send(&s->deal, s->dealt, each, &got, err));
    memcpy(s->points + *at * s->g.ndim, got.items, (size_t)got.count * each);
    *at += got.count;
    clv_arrivals_free(&got);
    clv_sys_free(s->dealt);
    s->dealt = NULL;
    return CLEAVE_OK;
}

static cleave_status deal_points(sharing *s, cleave_error *err)
{
    int me = s->comm->rank;
    int64_t base = s->row_first[s->low[me]], n = s->row_first[s->high[me]] - base;
    int64_t cells = s->g.cells, at = 0;
    s->window = (clv_geometric_window){&s->g, s->low[me] * cells,
                                       (s->high[me] - s->low[me]) * cells, NULL, NULL};
    s->points = clv_alloc(n * s->g.ndim, sizeof *s->points);
    CLV_TRY(clv_comm_agree_memory(s->comm, s->points != NULL, err));
    for (int64_t round = 0; round < clv_deal_rounds(&s->deal); round++)
        CLV_TRY(deal_round(s, round, &at, err));
    s->window.coords = clv_alloc(n * s->g.ndim, sizeof *s->window.coords);
    s->window.first = clv_zalloc(s->window.ncell + 2, sizeof *s->window.first);
    bool ok = s->window.coords && s->window.first;
    CLV_TRY(clv_comm_agree_memory(s->comm, ok, err));
    clv_geometric_number(&s->window, s->points, n);
    clv_sys_free(s->points);
    s->points = NULL;
    s->own = s->first[me] - base;
    return CLEAVE_OK;
}

/* ---- Rows ------------------------------------------------------------------------------- */

static void count_rows(void *context, int64_t begin, int64_t end, int member)
{
    const sharing *s = context;
    (void)member;
    for (int64_t v = begin; v < end; v++)
        s->rows.xadj[v] = clv_geometric_near(&s->window, s->own + v, NULL);
}

/* Neighbours are found as 32-bit numbers of the window and stored in the second half of their
 * row; from there they are widened to global numbers from the front. */
static void fill_rows(void *context, int64_t begin, int64_t end, int member)
{
    const sharing *s = context;
    int64_t base = s->first[s->comm->rank] - s->own;
    (void)member;
    for (int64_t v = begin; v < end; v++) {
        int64_t *row = s->rows.adj + s->rows.xadj[v];
        int64_t degree = s->rows.xadj[v + 1] - s->rows.xadj[v];
        int32_t *narrow = (int32_t *)row + degree;
        clv_geometric_near(&s->window, s->own + v, narrow);
        for (int64_t a = 0; a < degree; a++) {
            int32_t u;
            memcpy(&u, narrow + a, sizeof u);
            int64_t wide = base + u;
            memcpy(row + a, &wide, sizeof wide);
        }
    }
}

static bool join_points(sharing *s)
{
    int me = s->comm->rank, ndim = s->g.ndim;
    int64_t n = s->first[me + 1] - s->first[me];
    s->rows.xadj = clv_alloc(n + 1, sizeof *s->rows.xadj);
    if (!s->rows.xadj)
        return false;
    clv_parallel_for(s->team, n, row_grain, count_rows, s);
    s->rows.xadj[n] = clv_prefix_sum(s->team, s->rows.xadj, n);
    s->rows.adj = clv_alloc(s->rows.xadj[n], sizeof *s->rows.adj);
    if (!s->rows.adj)
        return false;
    clv_parallel_for(s->team, n, row_grain, fill_rows, s);
    /* Keeps only the own points of the window. */
    double *coords = s->window.coords;
    memmove(coords, coords + s->own * ndim, (size_t)(n * ndim) * sizeof *coords);
    double *smaller = clv_realloc(coords, n * ndim, sizeof *coords);
    s->rows.coords = smaller ? smaller : coords;
    s->window.coords = NULL;
    return true;
}

/* ---- The generator ---------------------------------------------------------------------- */

static void free_scratch(sharing *s)
{
    clv_deal_close(&s->deal);
    clv_sys_free(s->row_first);
    clv_sys_free(s->low);
    clv_sys_free(s->high);
    clv_sys_free(s->reader);
    clv_sys_free(s->drawn);
    clv_sys_free(s->dealt);
    clv_sys_free(s->points);
    clv_sys_free(s->window.coords);
    clv_sys_free(s->window.first);
}

static cleave_status share_points(sharing *s, cleave_error *err)
{
    int size = s->comm->size;
    CLV_TRY(clv_deal_open(&s->deal, s->comm, clv_geometric_blocks(&s->g), batch_blocks, err));
    s->row_first = clv_zalloc(s->nrow + 1, sizeof *s->row_first);
    s->first = clv_alloc(size + 1, sizeof *s->first);
    s->low = clv_alloc(size, sizeof *s->low);
    s->high = clv_alloc(size, sizeof *s->high);
    s->reader = clv_alloc(s->nrow, sizeof *s->reader);
    s->drawn = clv_alloc(batch_blocks * CLV_POINT_BLOCK * s->g.ndim, sizeof *s->drawn);
    bool ok = s->row_first && s->first && s->low && s->high && s->reader && s->drawn;
    CLV_TRY(clv_comm_agree_memory(s->comm, ok, err));
    count_points(s);
    choose_windows(s);
    return deal_points(s, err);
}

cleave_status clv_dist_generate_geometric(clv_dist_graph **out, const clv_comm *comm,
                                          clv_spec *spec, const clv_making *how,
                                          cleave_error *err)
{
    sharing s = {.g.seed = how->seed, .comm = comm, .team = how->team};
    CLV_TRY(clv_comm_agree(comm, clv_geometric_read(&s.g, spec, err), err));
    s.nrow = s.g.ncell / s.g.cells;
    cleave_status status = share_points(&s, err);
    if (status == CLEAVE_OK)
        status = clv_comm_agree_memory(comm, join_points(&s), err);
    free_scratch(&s);
    s.rows.kind = CLEAVE_UNDIRECTED;
    s.rows.first = s.first;
    s.rows.ncon = 1;
    s.rows.ndim = s.g.ndim;
    s.rows.trust = true;
    if (status == CLEAVE_OK)
        status = clv_dist_graph_make(out, comm, &s.rows, err);
    clv_dist_rows_free(&s.rows);
    clv_sys_free(s.first);
    return status;
}
