/* SPDX-License-Identifier: Apache-2.0 */
/* order/layout.c - graph drawing by pivot MDS and sparse stress majorisation, component by
 * component; see order/layout.h. */
#include "order/layout.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "graph/topology.h"

enum { most_pivots = 48, large = 200000, few_pivots = 16, turns = 200 };

typedef struct piece {
    const clv_graph *g;
    clv_context *ctx;
    int ndim;
    int32_t count;         /* vertices of the component */
    const int32_t *vertex; /* count: its vertices */
    int32_t *number;       /* by vertex of the graph: its index within the component */
    int32_t npivots;
    int32_t pivot[most_pivots];  /* indices within the component */
    int32_t region[most_pivots]; /* number of vertices nearest to each pivot */
    int32_t *distance;           /* count * npivots */
    double *at;                  /* count * ndim */
    double *next;
} piece;

/* ---- Distances -------------------------------------------------------------------------- */

/* A breadth-first search from one pivot. */
typedef struct search {
    const piece *p;
    int32_t column; /* of the pivot, in distance */
    int32_t *queue; /* count */
    int32_t tail;
} search;

static int32_t *distance_of(const search *s, int32_t i)
{
    return &s->p->distance[(int64_t)i * s->p->npivots + s->column];
}

static void visit_neighbours(search *s, int32_t from, const int64_t *xadj, const int32_t *adj)
{
    int32_t v = s->p->vertex[from], further = *distance_of(s, from) + 1;
    for (int64_t a = xadj[v]; a < xadj[v + 1]; a++) {
        int32_t u = s->p->number[adj[a]], *d = distance_of(s, u);
        if (*d < 0) {
            *d = further;
            s->queue[s->tail++] = u;
        }
    }
}

static void measure_distances(const piece *p, int32_t column, int32_t *queue)
{
    search s = {.p = p, .column = column, .queue = queue, .tail = 1};
    for (int32_t i = 0; i < p->count; i++)
        *distance_of(&s, i) = -1;
    queue[0] = p->pivot[column];
    *distance_of(&s, queue[0]) = 0;
    for (int32_t head = 0; head < s.tail; head++) {
        visit_neighbours(&s, queue[head], p->g->xadj, p->g->adj);
        if (p->g->kind == CLEAVE_DAG)
            visit_neighbours(&s, queue[head], p->g->xpred, p->g->pred);
    }
}

/* Each pivot is as far as possible from the previous ones. */
static cleave_status find_pivots(piece *p, clv_ws *ws, cleave_error *err)
{
    int32_t *queue = clv_ws_alloc(ws, p->count, sizeof *queue);
    int32_t *least = clv_ws_alloc(ws, p->count, sizeof *least);
    int32_t *nearest = clv_ws_zalloc(ws, p->count, sizeof *nearest);
    if (!queue || !least || !nearest)
        return clv_fail_memory(err);
    memset(p->region, 0, sizeof p->region);
    p->pivot[0] = 0;
    for (int32_t i = 0; i < p->count; i++)
        least[i] = INT32_MAX;
    for (int32_t c = 0; c < p->npivots; c++) {
        int32_t farthest = 0;
        measure_distances(p, c, queue);
        for (int32_t i = 0; i < p->count; i++) {
            int32_t d = p->distance[(int64_t)i * p->npivots + c];
            if (d < least[i]) {
                least[i] = d;
                nearest[i] = c;
            }
            farthest = least[i] > least[farthest] ? i : farthest;
        }
        if (c + 1 < p->npivots)
            p->pivot[c + 1] = farthest;
    }
    for (int32_t i = 0; i < p->count; i++)
        p->region[nearest[i]]++;
    return CLEAVE_OK;
}

/* ---- Dominant directions ---------------------------------------------------------------- */

typedef struct centring {
    double column[most_pivots], total;
} centring;

static double squared(const piece *p, int32_t i, int32_t c)
{
    double d = p->distance[(int64_t)i * p->npivots + c];
    return d * d;
}

/* Row i of the doubly centred matrix of squared distances. */
static void centred_row(const piece *p, const centring *mean, int32_t i, double *row)
{
    double sum = 0;
    for (int32_t c = 0; c < p->npivots; c++)
        sum += squared(p, i, c);
    for (int32_t c = 0; c < p->npivots; c++)
        row[c] = -0.5 * (squared(p, i, c) - sum / p->npivots - mean->column[c] + mean->total);
}

static void correlate(const piece *p, centring *mean, double s[most_pivots][most_pivots])
{
    double row[most_pivots];
    *mean = (centring){.total = 0};
    for (int32_t i = 0; i < p->count; i++)
        for (int32_t c = 0; c < p->npivots; c++)
            mean->column[c] += squared(p, i, c) / p->count;
    for (int32_t c = 0; c < p->npivots; c++)
        mean->total += mean->column[c] / p->npivots;
    memset(s, 0, sizeof(double[most_pivots][most_pivots]));
    for (int32_t i = 0; i < p->count; i++) {
        centred_row(p, mean, i, row);
        for (int32_t a = 0; a < p->npivots; a++)
            for (int32_t b = 0; b < p->npivots; b++)
                s[a][b] += row[a] * row[b];
    }
}

static void remove_others(int32_t n, int d, double v[3][most_pivots])
{
    for (int e = 0; e < d; e++) {
        double dot = 0;
        for (int32_t i = 0; i < n; i++)
            dot += v[d][i] * v[e][i];
        for (int32_t i = 0; i < n; i++)
            v[d][i] -= dot * v[e][i];
    }
}

static void normalise(int32_t n, double *v)
{
    double sum = 0;
    for (int32_t i = 0; i < n; i++)
        sum += v[i] * v[i];
    for (int32_t i = 0; i < n; i++)
        v[i] = sum > 0 ? v[i] / sqrt(sum) : 0;
}

/* Power iteration with deflation, one direction at a time. */
static void dominant(int32_t n, const double s[most_pivots][most_pivots], int ndim,
                     double v[3][most_pivots])
{
    double w[most_pivots];
    for (int d = 0; d < ndim; d++) {
        for (int32_t i = 0; i < n; i++)
            v[d][i] = 1.0 / (1 + (i * 7 + d * 3) % 11);
        for (int turn = 0; turn < turns; turn++) {
            remove_others(n, d, v);
            normalise(n, v[d]);
            for (int32_t i = 0; i < n; i++) {
                w[i] = 0;
                for (int32_t j = 0; j < n; j++)
                    w[i] += s[i][j] * v[d][j];
            }
            memcpy(v[d], w, (size_t)n * sizeof *w);
        }
        remove_others(n, d, v);
        normalise(n, v[d]);
    }
}

/* Deterministic noise separates vertices that have the same distance to all pivots. */
static double noise(int32_t i, int d)
{
    uint32_t hash = (uint32_t)i * 2654435761u + (uint32_t)d * 40503u;
    hash = (hash ^ hash >> 15) * 2246822519u;
    return (hash >> 8 & 0xffff) / 65536.0 - 0.5;
}

static double edge_length(const piece *p)
{
    double sum = 0;
    int64_t edges = 0;
    for (int32_t i = 0; i < p->count; i++) {
        int32_t v = p->vertex[i];
        for (int64_t a = p->g->xadj[v]; a < p->g->xadj[v + 1]; a++, edges++) {
            double square = 0;
            int32_t u = p->number[p->g->adj[a]];
            for (int d = 0; d < p->ndim; d++) {
                double step =
                    p->at[(int64_t)i * p->ndim + d] - p->at[(int64_t)u * p->ndim + d];
                square += step * step;
            }
            sum += sqrt(square);
        }
    }
    return edges > 0 && sum > 0 ? sum / (double)edges : 1;
}

static void place_first(const piece *p)
{
    double s[most_pivots][most_pivots], v[3][most_pivots], row[most_pivots];
    centring mean;
    correlate(p, &mean, s);
    dominant(p->npivots, (const double(*)[most_pivots])s, p->ndim, v);
    for (int32_t i = 0; i < p->count; i++) {
        centred_row(p, &mean, i, row);
        for (int d = 0; d < p->ndim; d++) {
            double sum = 0;
            for (int32_t c = 0; c < p->npivots; c++)
                sum += row[c] * v[d][c];
            p->at[(int64_t)i * p->ndim + d] = sum;
        }
    }
    double scale = 1 / edge_length(p);
    for (int32_t i = 0; i < p->count; i++)
        for (int d = 0; d < p->ndim; d++) {
            double *x = &p->at[(int64_t)i * p->ndim + d];
            *x = *x * scale + 0.3 * noise(i, d);
        }
}

/* ---- Sweeps ----------------------------------------------------------------------------- */

/* Adds the position at which i has the wanted distance to j, with its weight. */
static void pull(const piece *p, int32_t i, int32_t j, double wanted, double weight,
                 double *sum)
{
    const double *x = p->at + (int64_t)i * p->ndim, *y = p->at + (int64_t)j * p->ndim;
    double square = 1e-9;
    for (int d = 0; d < p->ndim; d++)
        square += (x[d] - y[d]) * (x[d] - y[d]);
    double factor = wanted / sqrt(square);
    for (int d = 0; d < p->ndim; d++)
        sum[d] += weight * (y[d] + factor * (x[d] - y[d]));
}

static double pull_rows(const piece *p, int32_t i, const int64_t *xadj, const int32_t *adj,
                        double *sum)
{
    int32_t v = p->vertex[i];
    int64_t degree = xadj[v + 1] - xadj[v];
    /* A hub has too many edges for all of them to have their length. */
    double weight = degree > 16 ? 16.0 / (double)degree : 1;
    for (int64_t a = xadj[v]; a < xadj[v + 1]; a++)
        pull(p, i, p->number[adj[a]], 1, weight, sum);
    return weight * (double)degree;
}

/* Leaves of one vertex would collapse to a point: each is repelled by one other leaf, a
 * different one in every sweep. */
static double push_leaf(const piece *p, int32_t i, int turn, double *sum)
{
    const double room = 1.2, weight = 0.5;
    const clv_graph *g = p->g;
    int32_t v = p->vertex[i];
    int64_t down = g->xadj[v + 1] - g->xadj[v];
    int64_t up = g->kind == CLEAVE_DAG ? g->xpred[v + 1] - g->xpred[v] : 0;
    if (down + up != 1)
        return 0;
    /* The siblings are in the reverse row of the only neighbour. */
    bool back = g->kind == CLEAVE_DAG && down;
    int32_t hub = down ? g->adj[g->xadj[v]] : g->pred[g->xpred[v]];
    const int64_t *xadj = back ? g->xpred : g->xadj;
    uint32_t hash = ((uint32_t)i + 977u * (uint32_t)turn) * 2654435761u;
    int64_t at = xadj[hub] + (hash >> 4) % (xadj[hub + 1] - xadj[hub]);
    int32_t other = p->number[back ? g->pred[at] : g->adj[at]];
    double square = 0;
    for (int d = 0; d < p->ndim; d++) {
        double step = p->at[(int64_t)i * p->ndim + d] - p->at[(int64_t)other * p->ndim + d];
        square += step * step;
    }
    if (other == i || square > room * room)
        return 0;
    pull(p, i, other, room, weight, sum);
    return weight;
}

static void sweep(piece *p, int turn)
{
    for (int32_t i = 0; i < p->count; i++) {
        double sum[3] = {0}, weight = pull_rows(p, i, p->g->xadj, p->g->adj, sum);
        if (p->g->kind == CLEAVE_DAG)
            weight += pull_rows(p, i, p->g->xpred, p->g->pred, sum);
        weight += push_leaf(p, i, turn, sum);
        for (int32_t c = 0; c < p->npivots; c++) {
            double d = p->distance[(int64_t)i * p->npivots + c];
            if (d < 2)
                continue;
            /* A pivot represents those vertices of its region that are nearer to it than i
             * is. */
            double share = fmin(p->region[c], d * d) / (d * d);
            pull(p, i, p->pivot[c], d, share, sum);
            weight += share;
        }
        for (int d = 0; d < p->ndim; d++)
            p->next[(int64_t)i * p->ndim + d] =
                weight > 0 ? sum[d] / weight : p->at[(int64_t)i * p->ndim + d];
    }
    double *old = p->at;
    p->at = p->next;
    p->next = old;
}

static cleave_status lay_out(piece *p, double *position, cleave_error *err)
{
    clv_ws *ws = &p->ctx->ws[0];
    clv_ws_mark mark = clv_ws_save(ws);
    p->npivots = p->count > large ? few_pivots : most_pivots;
    p->npivots = p->npivots < p->count ? p->npivots : p->count;
    p->distance = clv_ws_alloc(ws, (int64_t)p->count * p->npivots, sizeof *p->distance);
    p->at = clv_ws_alloc(ws, (int64_t)p->count * p->ndim, sizeof *p->at);
    p->next = clv_ws_alloc(ws, (int64_t)p->count * p->ndim, sizeof *p->next);
    if (!p->distance || !p->at || !p->next)
        return clv_fail_memory(err);
    CLV_TRY(find_pivots(p, ws, err));
    place_first(p);
    int sweeps = p->count > large ? 8 : p->count > 20000 ? 30 : 80;
    for (int i = 0; i < sweeps && !clv_context_stop(p->ctx); i++)
        sweep(p, i);
    for (int32_t i = 0; i < p->count; i++)
        memcpy(position + (int64_t)p->vertex[i] * p->ndim, p->at + (int64_t)i * p->ndim,
               (size_t)p->ndim * sizeof *position);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* ---- Components side by side ------------------------------------------------------------ */

typedef struct shelf {
    double width;        /* upper limit, unless a single component is wider */
    double x, y, height; /* of the current row */
} shelf;

static void put_on(shelf *s, int ndim, int32_t count, const int32_t *vertex, double *position)
{
    const double gap = 2;
    double lo[3], hi[3];
    for (int d = 0; d < ndim; d++) {
        lo[d] = hi[d] = position[(int64_t)vertex[0] * ndim + d];
        for (int32_t i = 1; i < count; i++) {
            lo[d] = fmin(lo[d], position[(int64_t)vertex[i] * ndim + d]);
            hi[d] = fmax(hi[d], position[(int64_t)vertex[i] * ndim + d]);
        }
    }
    if (s->x > 0 && s->x + hi[0] - lo[0] > s->width) {
        s->y -= s->height + gap;
        s->x = s->height = 0;
    }
    for (int32_t i = 0; i < count; i++) {
        double *p = position + (int64_t)vertex[i] * ndim;
        p[0] += s->x - lo[0];
        p[1] += s->y - hi[1];
    }
    s->x += hi[0] - lo[0] + gap;
    s->height = fmax(s->height, hi[1] - lo[1]);
}

/* Sorts vertices by component, the largest first: order, and the first index of each. */
static cleave_status by_component(const clv_graph *g, clv_ws *ws, int32_t **order,
                                  int64_t **first, int32_t *count, cleave_error *err)
{
    int32_t *component = clv_ws_alloc(ws, g->nvtx, sizeof *component);
    if (!component)
        return clv_fail_memory(err);
    CLV_TRY(clv_topology_components(g, ws, component, count, err));
    clv_sort_item *item = clv_ws_zalloc(ws, *count, sizeof *item);
    clv_sort_item *scratch = clv_ws_alloc(ws, *count, sizeof *scratch);
    int32_t *rank = clv_ws_alloc(ws, *count, sizeof *rank);
    *first = clv_ws_zalloc(ws, (int64_t)*count + 2, sizeof **first);
    *order = clv_ws_alloc(ws, g->nvtx, sizeof **order);
    if (!item || !scratch || !rank || !*first || !*order)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++)
        item[component[v]].key--;
    for (int32_t c = 0; c < *count; c++)
        item[c].with.index = c;
    item = clv_sort(item, scratch, *count);
    for (int32_t c = 0; c < *count; c++) {
        rank[item[c].with.index] = c;
        (*first)[c + 2] = (*first)[c + 1] - item[c].key;
    }
    for (int32_t v = 0; v < g->nvtx; v++)
        (*order)[(*first)[rank[component[v]] + 1]++] = v;
    return CLEAVE_OK;
}

cleave_status clv_layout(const clv_graph *g, int ndim, clv_context *ctx, double *position,
                         cleave_error *err)
{
    clv_ws *ws = &ctx->ws[0];
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *order = NULL, pieces = 0;
    int64_t *first = NULL;
    CLV_TRY(by_component(g, ws, &order, &first, &pieces, err));
    piece p = {.g = g, .ctx = ctx, .ndim = ndim};
    p.number = clv_ws_alloc(ws, g->nvtx, sizeof *p.number);
    if (!p.number)
        return clv_fail_memory(err);
    shelf s = {.width = 1.5 * sqrt((double)g->nvtx)};
    for (int32_t c = 0; c < pieces; c++) {
        p.vertex = order + first[c];
        p.count = (int32_t)(first[c + 1] - first[c]);
        for (int32_t i = 0; i < p.count; i++)
            p.number[p.vertex[i]] = i;
        CLV_TRY(lay_out(&p, position, err));
        if (pieces > 1)
            put_on(&s, ndim, p.count, p.vertex, position);
    }
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
