/* SPDX-License-Identifier: Apache-2.0 */
/* target/deco_write.c - writes any target as a Scotch deco 0 file.
 *
 * The domains of the file are those of the target as long as its tree of bipartitions is
 * shallow: Scotch keeps a table of all domain numbers up to the largest.  A deep tree is
 * replaced by even halves of the same order of PEs. */
#include <string.h>

#include "base/number.h"
#include "formats/output.h"
#include "target/deco.h"

enum { most_written = 32768, spare_depth = 2 };

typedef struct deco_writer {
    const clv_target *t;
    int32_t *order;  /* PEs in the order of the halves */
    int64_t *domain; /* by PE */
    int64_t *label;  /* by PE */
    int64_t *weight; /* by PE */
    int64_t largest; /* largest domain number */
} deco_writer;

/* ---- Domains --------------------------------------------------------------------------- */

typedef struct numbered {
    clv_domain d;
    int64_t number;
} numbered;

/* Numbers the domains; false: the tree is too deep, but order is complete. */
static bool number_halves(deco_writer *w, numbered *stack)
{
    const clv_target *t = w->t;
    int64_t most = 1;
    int32_t count = 0, depth = 0;
    clv_domain half[2];
    while (most < t->npes)
        most *= 2;
    most <<= spare_depth + 1;
    w->largest = 0;
    stack[depth++] = (numbered){t->shape->root(t), 1};
    while (depth > 0) {
        numbered now = stack[--depth];
        if (t->shape->bipartition(t, now.d, half)) {
            /* Above the bound the exact number does not matter. */
            int64_t next = now.number < most ? 2 * now.number : most;
            stack[depth++] = (numbered){half[1], next + 1};
            stack[depth++] = (numbered){half[0], next};
            continue;
        }
        int32_t pe = t->shape->pe(t, now.d);
        w->order[count++] = pe;
        w->domain[pe] = now.number;
        w->largest = now.number > w->largest ? now.number : w->largest;
    }
    return w->largest < most;
}

/* The recursion depth is the logarithm of count. */
static void number_evenly(deco_writer *w, const int32_t *order, int32_t count, int64_t number)
{
    if (count == 1) {
        w->domain[order[0]] = number;
        w->largest = number > w->largest ? number : w->largest;
        return;
    }
    int32_t first = (count + 1) / 2;
    number_evenly(w, order, first, 2 * number);
    number_evenly(w, order + first, count - first, 2 * number + 1);
}

/* ---- Weights and labels ---------------------------------------------------------------- */

/* Are all speeds times this factor integers, with a sum that is small enough? */
static bool are_whole(const clv_target *t, double factor)
{
    double sum = 0;
    for (int32_t pe = 0; pe < t->npes; pe++) {
        double weight = t->speed[pe] * factor;
        sum += weight;
        if (sum > INT32_MAX || weight != (double)(int64_t)weight)
            return false;
    }
    return true;
}

static double largest_speed(const clv_target *t)
{
    double largest = 0;
    for (int32_t pe = 0; pe < t->npes; pe++)
        largest = t->speed[pe] > largest ? t->speed[pe] : largest;
    return largest;
}

/* The smallest power of ten or of two that makes all speeds integers; 0: none does. */
static double whole_factor(const clv_target *t)
{
    for (double ten = 1; ten < 1e10; ten *= 10)
        if (are_whole(t, ten))
            return ten;
    for (double two = 1; two < 1e10; two *= 2)
        if (are_whole(t, two))
            return two;
    return 0;
}

static void choose_weights(deco_writer *w)
{
    const clv_target *t = w->t;
    double factor = t->equal ? 0 : whole_factor(t), rounding = 0;
    if (!t->equal && factor == 0) {
        /* Six digits, or fewer if the sum would be too large for Scotch. */
        factor = 1e6 / largest_speed(t);
        if (1e6 * t->npes > INT32_MAX)
            factor *= INT32_MAX / (1e6 * t->npes);
        rounding = 0.5;
    }
    for (int32_t pe = 0; pe < t->npes; pe++)
        w->weight[pe] = t->equal ? 1 : (int64_t)(t->speed[pe] * factor + rounding);
}

/* Labels: the names, if they are ascending whole numbers, otherwise the numbers of the PEs. */
static void choose_labels(deco_writer *w)
{
    const clv_target *t = w->t;
    bool overflow = false, fits = t->name != NULL;
    for (int32_t pe = 0; fits && pe < t->npes; pe++) {
        const char *end = t->name[pe] + strlen(t->name[pe]);
        fits = clv_parse_i64(t->name[pe], end, &w->label[pe], &overflow) == end && !overflow &&
               w->label[pe] <= INT32_MAX && w->label[pe] > (pe == 0 ? -1 : w->label[pe - 1]);
    }
    for (int32_t pe = 0; !fits && pe < t->npes; pe++)
        w->label[pe] = pe;
}

/* ---- The file -------------------------------------------------------------------------- */

static cleave_status number_domains(deco_writer *w, clv_ws *ws, cleave_error *err)
{
    int64_t n = w->t->npes;
    numbered *stack = clv_ws_alloc(ws, n + 1, sizeof *stack);
    w->order = clv_ws_alloc(ws, n, sizeof *w->order);
    w->domain = clv_ws_alloc(ws, n, sizeof *w->domain);
    w->label = clv_ws_alloc(ws, n, sizeof *w->label);
    w->weight = clv_ws_alloc(ws, n, sizeof *w->weight);
    if (!stack || !w->order || !w->domain || !w->label || !w->weight)
        return clv_fail_memory(err);
    if (!number_halves(w, stack)) {
        w->largest = 0;
        number_evenly(w, w->order, w->t->npes, 1);
    }
    choose_weights(w);
    choose_labels(w);
    return CLEAVE_OK;
}

static void put_row(clv_output *out, int64_t x, int64_t y, int64_t z)
{
    clv_put_i64(out, x);
    clv_put_char(out, '\t');
    clv_put_i64(out, y);
    clv_put_char(out, '\t');
    clv_put_i64(out, z);
    clv_put_char(out, '\n');
}

static void put_target(clv_output *out, const deco_writer *w)
{
    const clv_target *t = w->t;
    clv_put_text(out, "deco\n0\n");
    clv_put_i64(out, t->npes);
    clv_put_char(out, '\t');
    clv_put_i64(out, w->largest);
    clv_put_char(out, '\n');
    for (int32_t pe = 0; pe < t->npes; pe++)
        put_row(out, w->label[pe], w->weight[pe], w->domain[pe]);
    for (int32_t p = 1; p < t->npes; p++)
        for (int32_t q = 0; q < p; q++) {
            clv_put_i64(out, clv_target_distance(t, p, q));
            clv_put_char(out, q + 1 < p ? ' ' : '\n');
        }
}

static cleave_status write_prepared(const deco_writer *w, const char *path, cleave_error *err)
{
    clv_output *out;
    CLV_TRY(clv_output_open(&out, path, NULL, NULL, err));
    put_target(out, w);
    return clv_output_commit(out, err);
}

cleave_status clv_target_write_deco(const clv_target *t, const char *path, cleave_error *err)
{
    if (t->npes > most_written)
        return clv_fail(err, CLEAVE_ERANGE,
                        "a table of the distances of %ld PEs is too large to write; %ld PEs "
                        "are the most",
                        (long)t->npes, (long)most_written);
    deco_writer w = {.t = t};
    clv_ws ws = {0};
    cleave_status status = number_domains(&w, &ws, err);
    if (status == CLEAVE_OK)
        status = write_prepared(&w, path, err);
    clv_ws_free(&ws);
    return status;
}
