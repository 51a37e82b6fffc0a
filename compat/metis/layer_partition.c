/* SPDX-License-Identifier: Apache-2.0 */
/* compat/metis/layer_partition.c - the search behind all partitioning functions.
 *
 * One call of cleave_map on one thread for each of NCUTS seeds; the best is kept.  One thread,
 * because METIS is called by programs with one process per core or with their own threads.
 * Bounds below 1 % are reached in two steps.  Then parts are balanced further
 * (layer_balance.c).  MINCONN: of at least four seeds, the one whose parts have the fewest
 * neighbours. */
#include <math.h>

#include "layer.h"

enum { minconn_tries = 4 };

typedef struct search {
    const cm_question *question;
    cm_graph graph;
    cleave_target *target;
    cleave_constraints constraints;
    double *shares; /* nparts * ncon, or NULL */
    int64_t *max;   /* the same, where constraints differ in their imbalance */
    double imbalance;
} search;

typedef struct answer {
    cleave_mapping *mapping;
    cleave_map_report report;
    int64_t objective;
    int64_t neighbours; /* of the part that has the most; 0 when not requested */
} answer;

/* ---- Options --------------------------------------------------------------------- */

bool cm_weights_valid(const cm_question *q)
{
    idx_t ncon = q->arrays->ncon;
    for (idx_t c = 0; q->tpwgts && c < ncon; c++) {
        double sum = 0;
        for (idx_t p = 0; p < q->nparts; p++) {
            double share = q->tpwgts[(int64_t)p * ncon + c];
            if (!(share > 0) || !isfinite(share))
                return false;
            sum += share;
        }
        if (!(sum >= 0.99 && sum <= 1.01))
            return false;
    }
    for (idx_t c = 0; q->ubvec && c < ncon; c++)
        if (!(q->ubvec[c] >= 1) || !isfinite(q->ubvec[c]))
            return false;
    return true;
}

/* A float such as 1.03 is slightly less than its decimal value; the intended value has few
 * digits. */
static double allowance(const cm_question *q, idx_t c)
{
    if (!q->ubvec)
        return q->settings->imbalance;
    return floor(((double)q->ubvec[c] - 1) * 1e6 + 0.5) / 1e6;
}

static bool same_allowance(const cm_question *q)
{
    for (idx_t c = 1; c < q->arrays->ncon; c++)
        if (allowance(q, c) != allowance(q, 0))
            return false;
    return true;
}

static int make_shares(search *s)
{
    const cm_question *q = s->question;
    if (!q->tpwgts)
        return METIS_OK;
    int64_t count = (int64_t)q->nparts * q->arrays->ncon;
    s->shares = cm_alloc(count, sizeof *s->shares);
    if (!s->shares)
        return METIS_ERROR_MEMORY;
    for (int64_t i = 0; i < count; i++)
        s->shares[i] = q->tpwgts[i];
    s->constraints.shares = s->shares;
    return METIS_OK;
}

/* Bounds of one constraint, by the rule of cleave: floor((1 + eps) * ceil(share)). */
static void fill_bounds(search *s, idx_t c, const cleave_csr *view)
{
    const cm_question *q = s->question;
    int64_t ncon = view->ncon, total = 0;
    double sum = 0;
    for (int64_t v = 0; v < view->nvtx; v++)
        total += view->vwgt ? view->vwgt[v * ncon + c] : 1;
    for (int64_t p = 0; p < q->nparts; p++)
        sum += s->shares ? s->shares[p * ncon + c] : 1;
    for (int64_t p = 0; p < q->nparts; p++) {
        double share = (s->shares ? s->shares[p * ncon + c] : 1) / sum * (double)total;
        s->max[p * ncon + c] = (int64_t)fmin((1 + allowance(q, c)) * ceil(share), 0x1p62);
    }
}

static int make_bounds(search *s)
{
    const cm_question *q = s->question;
    cleave_csr view;
    s->imbalance = allowance(q, 0);
    if (same_allowance(q))
        return METIS_OK;
    s->max = cm_alloc((int64_t)q->nparts * q->arrays->ncon, sizeof *s->max);
    if (!s->max)
        return METIS_ERROR_MEMORY;
    cleave_csr_init(&view, sizeof view);
    cleave_graph_view(s->graph.g, &view);
    for (idx_t c = 0; c < q->arrays->ncon; c++)
        fill_bounds(s, c, &view);
    s->constraints.max = s->max;
    return METIS_OK;
}

static int open_question(search *s)
{
    const cm_question *q = s->question;
    int status = cm_graph_open(&s->graph, q->arrays);
    cleave_constraints_init(&s->constraints, sizeof s->constraints);
    s->constraints.connected = q->settings->contig;
    if (status == METIS_OK)
        status = make_shares(s);
    if (status == METIS_OK)
        status = make_bounds(s);
    if (status == METIS_OK)
        status = cm_status(cleave_target_create(&s->target, (int32_t)q->nparts, NULL, NULL));
    return status;
}

/* ---- Results --------------------------------------------------------------------- */

/* The largest number of neighbours of a part. */
static int count_neighbours(const search *s, answer *a)
{
    cleave_quotient *quotient;
    cleave_quotient_csr view;
    cleave_status status = cleave_quotient_create(&quotient, s->graph.g, a->mapping, NULL);
    if (status != CLEAVE_OK)
        return cm_status(status);
    cleave_quotient_csr_init(&view, sizeof view);
    cleave_quotient_view(quotient, &view);
    for (int32_t p = 0; p < view.nparts; p++) {
        int64_t degree = view.xadj[p + 1] - view.xadj[p];
        a->neighbours = degree > a->neighbours ? degree : a->neighbours;
    }
    cleave_quotient_free(quotient);
    return METIS_OK;
}

/* Where weights had to be divided, the cut is computed in the caller's weights. */
static int64_t caller_cut(const cm_arrays *a, const int32_t *part)
{
    int64_t twice = 0;
    for (idx_t v = 0; v < a->nvtx; v++)
        for (idx_t i = a->xadj[v] - a->numbering; i < a->xadj[v + 1] - a->numbering; i++)
            if (part[v] != part[a->adjncy[i] - a->numbering] &&
                __builtin_add_overflow(twice, (int64_t)a->adjwgt[i], &twice))
                return INT64_MAX;
    return twice / 2;
}

/* Far from the consecutive seeds that callers use. */
static uint64_t other_seed(uint64_t seed, idx_t i)
{
    return seed + (uint64_t)i * 0x9e3779b97f4a7c15u;
}

/* With a very tight bound few vertices can move, and the search gets stuck.  So it starts with
 * a looser bound, several times with more than two parts, and the best result is then refined
 * to the tight bound at higher effort. */
enum { tight = 100, relaxed = 33, starts = 2 }; /* below a hundredth, from a thirty-third */

static int map_loosely(const search *s, const cleave_options *opt, cleave_mapping **best)
{
    cleave_options loose = *opt;
    int64_t least = INT64_MAX;
    loose.imbalance = 1.0 / relaxed;
    *best = NULL;
    for (idx_t i = 0; i < (s->question->nparts > 2 ? starts : 1); i++) {
        cleave_mapping *mapping;
        loose.seed = other_seed(opt->seed, i);
        cleave_status status = cleave_map(&mapping, s->graph.g, s->target, &loose, NULL);
        if (!mapping) {
            cleave_mapping_free(*best);
            *best = NULL;
            return cm_status(status);
        }
        int64_t found =
            opt->objective == CLEAVE_OBJECTIVE_VOLUME ? opt->report->volume : opt->report->cut;
        bool take = !*best || found < least;
        cleave_mapping_free(take ? *best : mapping);
        if (take) {
            *best = mapping;
            least = found;
        }
    }
    return METIS_OK;
}

static int map(const search *s, const cleave_options *opt, cleave_mapping **out)
{
    cleave_options closely = *opt;
    cleave_constraints constraints = s->constraints;
    cleave_mapping *start = NULL;
    if (s->imbalance < 1.0 / tight && !s->max) {
        int loosely = map_loosely(s, opt, &start);
        if (loosely != METIS_OK)
            return loosely;
        if (closely.effort < CLEAVE_EFFORT_DEFAULT)
            closely.effort = CLEAVE_EFFORT_DEFAULT;
    }
    constraints.start = start;
    closely.constraints = &constraints;
    cleave_status status = cleave_map(out, s->graph.g, s->target, &closely, NULL);
    cleave_mapping_free(start);
    return *out ? METIS_OK : cm_status(status);
}

static int partition_with_seed(const search *s, uint64_t seed, answer *a)
{
    const cm_settings *settings = s->question->settings;
    cleave_options opt;
    cleave_options_init(&opt, sizeof opt);
    cleave_map_report_init(&a->report, sizeof a->report);
    a->mapping = NULL;
    a->neighbours = 0;
    opt.imbalance = s->imbalance;
    opt.seed = seed;
    opt.effort = settings->effort;
    opt.objective = settings->objective;
    opt.threads = 1;
    opt.constraints = &s->constraints;
    opt.report = &a->report;
    int status = map(s, &opt, &a->mapping);
    if (status != METIS_OK)
        return status;
    a->objective = settings->objective == CLEAVE_OBJECTIVE_VOLUME ? a->report.volume
                   : s->graph.scaled
                       ? caller_cut(s->question->arrays, cleave_mapping_parts(a->mapping))
                       : a->report.cut;
    return settings->minconn ? count_neighbours(s, a) : METIS_OK;
}

static bool better(const answer *a, const answer *b)
{
    if (a->report.empty_parts != b->report.empty_parts)
        return a->report.empty_parts < b->report.empty_parts;
    if (a->report.balanced != b->report.balanced)
        return a->report.balanced;
    if (!a->report.balanced && a->report.imbalance != b->report.imbalance)
        return a->report.imbalance < b->report.imbalance;
    if (a->neighbours != b->neighbours)
        return a->neighbours < b->neighbours;
    return a->objective < b->objective;
}

static int run_all(const search *s, answer *best)
{
    const cm_settings *settings = s->question->settings;
    idx_t tries = settings->ncuts;
    if (settings->minconn && tries < minconn_tries)
        tries = minconn_tries;
    int status = partition_with_seed(s, settings->seed, best);
    for (idx_t i = 1; i < tries && status == METIS_OK; i++) {
        answer next;
        status = partition_with_seed(s, other_seed(settings->seed, starts * i), &next);
        bool take = status == METIS_OK && better(&next, best);
        cleave_mapping_free(take ? best->mapping : next.mapping);
        if (take)
            *best = next;
    }
    return status;
}

/* Whether vertices can move between parts only to improve the balance. */
static bool may_balance(const search *s)
{
    const cm_question *q = s->question;
    const cm_settings *settings = q->settings;
    if (q->arrays->ncon > 1 || settings->contig || settings->minconn || s->graph.scaled ||
        settings->objective != CLEAVE_OBJECTIVE_CUT)
        return false;
    for (idx_t p = 1; q->tpwgts && p < q->nparts; p++)
        if (q->tpwgts[p] != q->tpwgts[0])
            return false;
    return true;
}

int cm_partition(const cm_question *q, idx_t *objective, idx_t *part)
{
    search s = {.question = q};
    answer best = {0};
    int status = METIS_ERROR_INPUT;
    if (q->nparts >= 1 && q->nparts < INT32_MAX && q->arrays->ncon >= 1 && cm_weights_valid(q))
        status = open_question(&s);
    if (status == METIS_OK)
        status = run_all(&s, &best);
    if (status == METIS_OK) {
        const int32_t *parts = cleave_mapping_parts(best.mapping);
        for (idx_t v = 0; v < q->arrays->nvtx; v++)
            part[v] = parts[v];
        if (may_balance(&s))
            status = cm_balance(s.graph.g, q->nparts, part, &best.objective);
        *objective = cm_narrow(best.objective);
    }
    cleave_mapping_free(best.mapping);
    cleave_target_free(s.target);
    cm_graph_close(&s.graph);
    cm_free(s.shares);
    cm_free(s.max);
    return status;
}
