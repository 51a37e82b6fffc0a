/* SPDX-License-Identifier: Apache-2.0 */
/* tests/engine/map_fixture_judge.c - the slow checker; see the header. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/map_fixture.h"

/* ---- Weights and bounds ----------------------------------------------------------------- */

static int64_t share_of(const asked *a, int32_t p, int32_t con)
{
    if (a->speeds && a->speeds[p] == 0)
        return 0;
    return a->shares ? a->shares[p * a->ncon + con] : a->speeds ? a->speeds[p] : 1;
}

static int64_t total_of(const asked *a, int32_t con)
{
    int64_t total = 0;
    for (int32_t v = 0; v < a->n; v++)
        total += a->csr.vwgt ? a->csr.vwgt[(int64_t)v * a->ncon + con] : 1;
    return total;
}

int64_t fixture_bound(const asked *a, int32_t p, int32_t con)
{
    int64_t sum = 0, i = (int64_t)p * a->ncon + con;
    if (share_of(a, p, con) == 0)
        return 0;
    if (a->c.max && a->c.max[i] >= 0)
        return a->c.max[i];
    for (int32_t q = 0; q < a->k; q++)
        sum += share_of(a, q, con);
    int64_t numerator = total_of(a, con) * share_of(a, p, con);
    int64_t above = 1000 + (a->each ? a->each[p] : a->thousandths);
    return (numerator + sum - 1) / sum * above / 1000;
}

bool fixture_has_no_share(const asked *a, int32_t p, int32_t con)
{
    return share_of(a, p, con) == 0;
}

bool fixture_stays_empty(const asked *a, int32_t p)
{
    for (int32_t c = 0; c < a->ncon; c++) {
        bool weightless = total_of(a, c) == 0 && share_of(a, p, c) > 0 &&
                          !(a->c.max && a->c.max[(int64_t)p * a->ncon + c] >= 0);
        if (weightless || fixture_bound(a, p, c) > 0)
            return false;
    }
    return true;
}

static void judge_weights(const asked *a, const int32_t *part, facts *f)
{
    int64_t *weight = calloc((size_t)a->k * (size_t)a->ncon, sizeof *weight);
    for (int32_t v = 0; v < a->n; v++)
        for (int32_t c = 0; c < a->ncon; c++)
            weight[(int64_t)part[v] * a->ncon + c] +=
                a->csr.vwgt ? a->csr.vwgt[(int64_t)v * a->ncon + c] : 1;
    for (int32_t c = 0; c < a->ncon; c++)
        for (int32_t p = 0; p < a->k; p++) {
            int64_t w = weight[(int64_t)p * a->ncon + c], max = fixture_bound(a, p, c);
            int64_t min = a->c.min ? a->c.min[(int64_t)p * a->ncon + c] : 0;
            f->overload += (w > max ? w - max : 0) + (w < min ? min - w : 0);
        }
    f->balanced = f->overload == 0;
    free(weight);
}

/* Where v must be, on its own or with its group; -1: anywhere.  *first: no vertex of its group
 * comes before it. */
static int32_t fixed_with_group(const asked *a, int32_t v, bool *first)
{
    int32_t fixed = a->c.fixed ? a->c.fixed[v] : -1;
    *first = true;
    for (int32_t u = 0; a->c.groups && a->c.groups[v] >= 0 && u < a->n; u++)
        if (a->c.groups[u] == a->c.groups[v]) {
            *first = *first && u >= v;
            fixed = a->c.fixed && a->c.fixed[u] >= 0 ? a->c.fixed[u] : fixed;
        }
    return fixed;
}

/* Parts that hold nothing although there is something that could be there: a group counts
 * once, and what is fixed elsewhere cannot.  Where all must stay empty somebody holds it all.
 */
static void judge_empty(const asked *a, const int32_t *part, facts *f)
{
    char *used = calloc((size_t)a->k, 1), *taken = calloc((size_t)a->k, 1);
    char *idle = calloc((size_t)a->k, 1);
    int32_t loose = 0, open = 0, unused = 0, may_hold = 0;
    for (int32_t p = 0; p < a->k; p++)
        may_hold += !(idle[p] = fixture_stays_empty(a, p));
    f->idle = true;
    for (int32_t v = 0; v < a->n; v++) {
        bool first;
        int32_t fixed = fixed_with_group(a, v, &first);
        used[part[v]] = 1;
        if (fixed >= 0)
            taken[fixed] = 1;
        else
            loose += first;
        f->idle = f->idle && (fixed >= 0 || may_hold == 0 || !idle[part[v]]);
    }
    for (int32_t p = 0; p < a->k; p++) {
        f->empty += !used[p];
        unused += !used[p] && !idle[p];
        open += !taken[p] && !idle[p];
    }
    f->needless = unused - (open > loose ? open - loose : 0);
    f->needless = f->needless > 0 ? f->needless : 0;
    f->overload += f->needless;
    free(used);
    free(taken);
    free(idle);
}

/* ---- Edges ------------------------------------------------------------------------------ */

static void judge_edges(const asked *a, const int32_t *part, facts *f)
{
    const cleave_csr *g = &a->csr;
    int32_t *reader = malloc((size_t)a->k * sizeof *reader);
    memset(reader, 0xff, (size_t)a->k * sizeof *reader);
    int64_t sum = 0; /* of an undirected graph each edge twice */
    for (int32_t v = 0; v < a->n; v++)
        for (int64_t at = g->xadj[v]; at < g->xadj[v + 1]; at++) {
            int32_t p = part[g->adj[at]];
            if (p == part[v])
                continue;
            sum += g->ewgt ? g->ewgt[at] : 1;
            if (reader[p] != v)
                f->volume += g->vsize ? g->vsize[v] : 1;
            reader[p] = v;
        }
    f->cut = g->kind == CLEAVE_DAG ? sum : sum / 2;
    free(reader);
}

/* Each vertex gets the smallest vertex that it can reach, within its part if there is one. */
static void spread_labels(const asked *a, const int32_t *part, int32_t *label)
{
    const cleave_csr *g = &a->csr;
    for (int32_t v = 0; v < a->n; v++)
        label[v] = v;
    for (bool again = true; again;) {
        again = false;
        for (int32_t i = 0; i < 2 * a->n; i++) { /* forth and back */
            int32_t v = i < a->n ? i : 2 * a->n - 1 - i;
            for (int64_t at = g->xadj[v]; at < g->xadj[v + 1]; at++) {
                int32_t u = g->adj[at];
                if ((!part || part[u] == part[v]) && label[u] < label[v]) {
                    label[v] = label[u];
                    again = true;
                }
            }
        }
    }
}

/* Two leaders of pieces in one part must be of different components. */
static bool judge_pieces(const asked *a, const int32_t *part)
{
    size_t bytes = (size_t)a->n * sizeof(int32_t) + 4;
    int32_t *piece = malloc(bytes), *component = malloc(bytes), *leaders = malloc(bytes);
    int32_t count = 0;
    bool whole = true;
    spread_labels(a, part, piece);
    spread_labels(a, NULL, component);
    for (int32_t v = 0; v < a->n; v++)
        if (piece[v] == v)
            leaders[count++] = v;
    for (int32_t i = 0; i < count && whole; i++)
        for (int32_t j = 0; j < i && whole; j++)
            whole = part[leaders[i]] != part[leaders[j]] ||
                    component[leaders[i]] != component[leaders[j]];
    free(piece);
    free(component);
    free(leaders);
    return whole;
}

/* ---- All together ----------------------------------------------------------------------- */

void fixture_facts(const asked *a, const int32_t *part, facts *f)
{
    *f = (facts){.fixed = true, .groups = true, .connected = true};
    judge_weights(a, part, f);
    judge_empty(a, part, f);
    judge_edges(a, part, f);
    for (int32_t v = 0; v < a->n; v++) {
        if (a->c.fixed && a->c.fixed[v] >= 0)
            f->fixed = f->fixed && part[v] == a->c.fixed[v];
        for (int32_t u = 0; a->c.groups && a->c.groups[v] >= 0 && u < v; u++)
            if (a->c.groups[u] == a->c.groups[v])
                f->groups = f->groups && part[u] == part[v];
    }
    if (a->c.connected)
        f->connected = judge_pieces(a, part);
}

static double imbalance_of(const asked *a, const int32_t *part)
{
    double worst = 0;
    for (int32_t c = 0; c < a->ncon; c++) {
        int64_t sum = 0, total = total_of(a, c);
        int64_t *weight = calloc((size_t)a->k, sizeof *weight);
        for (int32_t p = 0; p < a->k; p++)
            sum += share_of(a, p, c);
        for (int32_t v = 0; v < a->n; v++)
            weight[part[v]] += a->csr.vwgt ? a->csr.vwgt[(int64_t)v * a->ncon + c] : 1;
        for (int32_t p = 0; p < a->k; p++) {
            double share = (double)(total * share_of(a, p, c)) / (double)sum;
            if (weight[p] > 0 && (double)weight[p] / share - 1 > worst)
                worst = (double)weight[p] / share - 1;
        }
        free(weight);
    }
    return worst;
}

static const char *judge_report(const asked *a, const int32_t *part, const facts *f)
{
    const cleave_map_report *r = &a->report;
    double imbalance = imbalance_of(a, part);
    if (r->cut != f->cut || r->volume != f->volume)
        return "the report's cut or volume is not true";
    if (r->empty_parts != f->empty || r->balanced != f->balanced)
        return "the report's empty parts or balance is not true";
    if (r->imbalance != imbalance && !(fabs(r->imbalance - imbalance) < 1e-9))
        return "the report's imbalance is not true";
    if (r->levels < 1 || r->threads < 1 || !(r->seconds >= 0))
        return "the report's levels, threads or seconds make no sense";
    if (r->timed_out && a->opt.time_limit == 0)
        return "timed out without a time limit";
    return NULL;
}

const char *fixture_judge(const asked *a, cleave_status status, const cleave_mapping *m,
                          facts *f)
{
    static char text[400];
    const char *wrong = NULL;
    const int32_t *part = m ? cleave_mapping_parts(m) : NULL;
    *f = (facts){0};
    if (!m)
        wrong = "there is no mapping";
    else if (cleave_mapping_vertices(m) != a->n || cleave_mapping_nparts(m) != a->k)
        wrong = "the mapping has another size";
    for (int32_t v = 0; !wrong && v < a->n; v++)
        if (part[v] < 0 || part[v] >= a->k)
            wrong = "a part is out of range";
    if (!wrong) {
        fixture_facts(a, part, f);
        bool met = f->overload == 0 && f->fixed && f->groups && f->connected && f->idle;
        wrong = !f->fixed    ? "a fixed vertex moved"
                : !f->groups ? "a group was torn"
                : (status != (met ? CLEAVE_OK : CLEAVE_EBALANCE) && status != CLEAVE_ECANCEL)
                    ? "the status is not true"
                    : judge_report(a, part, f);
    }
    if (!wrong)
        return NULL;
    snprintf(text, sizeof text,
             "%s into %d parts, effort %d, seed %d: %s (%s, overload %lld, %d empty, %d "
             "needless, connected %d: %.150s)",
             a->name, a->k, (int)a->opt.effort, (int)a->opt.seed, wrong,
             cleave_status_name(status), (long long)f->overload, f->empty, f->needless,
             f->connected, a->err.message);
    return text;
}
