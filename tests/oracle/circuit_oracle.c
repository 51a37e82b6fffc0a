/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/circuit_oracle.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"

typedef struct walk {
    const clv_circuit *c;
    const int8_t *evidence;
    bool max;
    long double *value; /* by node; NAN: not yet */
} walk;

static long double node_value(const walk *w, int32_t v);

static long double leaf_value(const walk *w, int32_t v)
{
    int32_t literal = w->c->literal[v];
    int8_t e = w->evidence[abs(literal) - 1];
    if (w->c->kind[v] == CLV_NODE_LITERAL)
        return e < 0 || (e == 1) == (literal > 0) ? 0 : -INFINITY;
    long double is_true = fmin(w->c->node_weight[v], 0); /* above it is rounding */
    long double is_false = is_true < 0 ? logl(-expm1l(is_true)) : -INFINITY;
    if (e >= 0)
        return e ? is_true : is_false;
    return w->max ? fmaxl(is_true, is_false) : 0;
}

static long double sum_value(const walk *w, int32_t v)
{
    const clv_circuit *c = w->c;
    long double most = -INFINITY, sum = 0;
    for (int64_t e = c->first[v]; e < c->first[v + 1]; e++)
        most =
            fmaxl(most, node_value(w, c->prime[e]) + node_value(w, c->sub[e]) + c->weight[e]);
    if (w->max || most == -INFINITY)
        return most;
    for (int64_t e = c->first[v]; e < c->first[v + 1]; e++)
        sum +=
            expl(node_value(w, c->prime[e]) + node_value(w, c->sub[e]) + c->weight[e] - most);
    return most + logl(sum);
}

static long double node_value(const walk *w, int32_t v)
{
    if (isnan(w->value[v]))
        w->value[v] = w->c->kind[v] == CLV_NODE_DECISION ? sum_value(w, v) : leaf_value(w, v);
    return w->value[v];
}

long double oracle_circuit(const clv_circuit *c, const int8_t *evidence, bool max)
{
    walk w = {c, evidence, max, malloc((size_t)c->nnode * sizeof *w.value)};
    for (int32_t v = 0; v < c->nnode; v++)
        w.value[v] = NAN;
    long double root = node_value(&w, c->nnode - 1);
    free(w.value);
    return root;
}

/* ---- Random circuits ------------------------------------------------------------------ */

typedef struct text {
    char *bytes;
    size_t used, room;
} text;

static void put(text *t, const char *format, ...)
{
    va_list list;
    if (t->room - t->used < 256) {
        t->room = 2 * t->room + 4096;
        t->bytes = realloc(t->bytes, t->room);
    }
    va_start(list, format);
    t->used += (size_t)vsnprintf(t->bytes + t->used, t->room - t->used, format, list);
    va_end(list);
}

static void put_leaf(text *t, clv_rng *rng, int id, int variable)
{
    static const double special[] = {0, -1e-20, -INFINITY, -800, -0.3466, -0.6931, 1e-12};
    switch (clv_rng_below(rng, 4)) {
    case 0:
        put(t, "T %d 0 %d %.17g\n", id, variable, special[clv_rng_below(rng, 7)]);
        break;
    case 1:
        put(t, "T %d 0 %d %.17g\n", id, variable, -(double)clv_rng_below(rng, 5000) / 1000);
        break;
    default:
        put(t, "L %d 0 %d\n", id, clv_rng_below(rng, 2) ? variable : -variable);
        break;
    }
}

/* Weights of a node add up to 1, or (one in sixteen) are anything. */
static void put_node(text *t, clv_rng *rng, int id, int elements, int reach)
{
    double share[2000], total = 0;
    bool wild = clv_rng_below(rng, 16) == 0;
    for (int i = 0; i < elements; i++) {
        share[i] = clv_rng_below(rng, 9) == 0 && i > 0 ? 0 : 1 + clv_rng_below(rng, 1000);
        total += share[i];
    }
    put(t, "D %d 0 %d", id, elements);
    for (int i = 0; i < elements; i++) {
        int low = id > reach ? id - reach : 0;
        int prime = low + (int)clv_rng_below(rng, (uint32_t)(id - low));
        int sub = (int)clv_rng_below(rng, (uint32_t)(clv_rng_below(rng, 2) ? id : 1 + id / 8));
        double w = elements == 1 && clv_rng_below(rng, 4) ? 0 : log(share[i] / total);
        put(t, " %d %d %.17g", prime, sub, wild ? (double)clv_rng_below(rng, 9) - 4 : w);
    }
    put(t, "\n");
}

char *oracle_circuit_text(uint64_t seed)
{
    clv_rng rng = clv_rng_make(seed, 77, 0, 0);
    int variables = 1 + (int)clv_rng_below(&rng, 12), id = 0;
    int leaves = 1 + (int)clv_rng_below(&rng, 30), nodes = (int)clv_rng_below(&rng, 200);
    int reach = 5 + (int)clv_rng_below(&rng, 200);
    text t = {0};
    put(&t, "psdd 0\n");
    for (; id < leaves; id++)
        put_leaf(&t, &rng, id, 1 + (int)clv_rng_below(&rng, (uint32_t)variables));
    if (seed % 10 == 0)
        nodes = 0;
    for (int i = 0; i < nodes; i++, id++)
        put_node(&t, &rng, id, 1 + (int)clv_rng_below(&rng, 1 + clv_rng_below(&rng, 6)),
                 reach);
    if (seed % 3 == 1) /* as many as must be split up, once and twice */
        put_node(&t, &rng, id, 25 + (int)clv_rng_below(&rng, seed % 2 ? 30 : 1500), id);
    return t.bytes;
}
