/* SPDX-License-Identifier: Apache-2.0 */
/* run/circuit_kernel_body.h - the loops of run/circuit_kernels.h for one vector width:
 * included by each run/circuit_kernels*.c, after it has defined LANES, LANE, LANE_TARGET and
 * GROUP. GROUP is the number of adjacent nodes: 8, or 1 for the simple loops.  A vector holds
 * LANES of them. */
#include <float.h>

#include "run/circuit_math.h"

#if defined(__GNUC__) && !defined(__clang__)
#define UNROLLED _Pragma("GCC unroll 8")
#else
#define UNROLLED
#endif

/* An unaligned load. */
LANE_TARGET static CLV_ALWAYS_INLINE LANE(real) LANE(load)(const double *from)
{
    LANE(real) v;
    memcpy(&v, from, sizeof v);
    return v;
}

LANE_TARGET static CLV_ALWAYS_INLINE void LANE(store)(double *to, LANE(real) v)
{
    memcpy(to, &v, sizeof v);
}

LANE_TARGET static CLV_ALWAYS_INLINE LANE(real)
    LANE(gather)(const double *value, const int32_t *place)
{
#if LANES == 1
    return (LANE(real)){value[place[0]]};
#elif LANES == 4
    return (LANE(real)){value[place[0]], value[place[1]], value[place[2]], value[place[3]]};
#else
    return (LANE(real)){value[place[0]], value[place[1]]};
#endif
}

/* ---- A node from the values of its elements ------------------------------------------- */

/* The state of a node between the two halves of its evaluation.  All exponentials of several
 * nodes are computed first, then all logarithms: each is a long chain of operations, and the
 * processor overlaps only operations within about a hundred instructions. */
typedef struct LANE(halfway) {
    LANE(real) most, sum;
} LANE(halfway);

/* Without exponentials only `sum` is used. */
LANE_TARGET static CLV_ALWAYS_INLINE LANE(halfway)
    LANE(first_half)(const LANE(real) * t, int32_t count, clv_circuit_op op)
{
    if (count < 1)
        __builtin_unreachable();
    LANE(halfway) h = {t[0], t[0]};
    if (op == CLV_CIRCUIT_LINEAR_SUM) {
        UNROLLED for (int32_t j = 1; j < count; j++) h.sum += t[j];
        return h;
    }
    UNROLLED for (int32_t j = 1; j < count; j++) h.most = LANE(max)(h.most, t[j]);
    h.sum = h.most;
    if (op != CLV_CIRCUIT_LOG_SUM || count == 1)
        return h;
    /* If all terms are 0, most is minus infinity, which must not be subtracted. */
    LANE(real) base = LANE(max)(h.most, LANE(all)(-DBL_MAX));
    if (count == 2) { /* the exponential of the larger one is 1 */
        LANE(bits) more = (LANE(bits))(t[0] > t[1]);
        LANE(real)
        least = (LANE(real))(((LANE(bits))t[1] & more) | ((LANE(bits))t[0] & ~more));
        h.sum = 1.0 + LANE(exp)(least - base);
        return h;
    }
    h.sum = LANE(exp)(t[0] - base);
    UNROLLED for (int32_t j = 1; j < count; j++) h.sum += LANE(exp)(t[j] - base);
    return h;
}

LANE_TARGET static CLV_ALWAYS_INLINE LANE(real)
    LANE(second_half)(LANE(halfway) h, int32_t count, clv_circuit_op op)
{
    return op == CLV_CIRCUIT_LOG_SUM && count > 1 ? h.most + LANE(log)(h.sum) : h.sum;
}

LANE_TARGET static CLV_ALWAYS_INLINE LANE(real)
    LANE(element)(LANE(real) left, LANE(real) right, LANE(real) weight, clv_circuit_op op)
{
    return clv_circuit_is_linear(op) ? left * right * weight : left + right + weight;
}

enum {
    LANE(vectors) = GROUP / LANES, /* per group */
    LANE(stretch) = 4              /* groups between the halves */
};

/* ---- Groups --------------------------------------------------------------------------- */

LANE_TARGET static CLV_ALWAYS_INLINE void LANE(groups_of)(const clv_circuit_segment *s,
                                                          int32_t count,
                                                          const clv_circuit_groups *g,
                                                          double *value, clv_circuit_op op)
{
    const int32_t *left = g->left + s->element, *right = g->right + s->element;
    const double *weight = g->weight + s->element;
    double *to = value + s->place;
    for (int32_t done = 0; done < s->groups; done += LANE(stretch)) {
        int32_t some = s->groups - done < LANE(stretch) ? s->groups - done : LANE(stretch);
        LANE(halfway) h[LANE(vectors) * LANE(stretch)];
        for (int32_t i = 0; i < some * LANE(vectors); i++) {
            LANE(real) t[clv_circuit_widest];
            UNROLLED for (int32_t j = 0; j < count; j++)
            {
                int k = GROUP * j;
                t[j] =
                    LANE(element)(LANE(gather)(value, left + k),
                                  LANE(gather)(value, right + k), LANE(load)(weight + k), op);
            }
            h[i] = LANE(first_half)(t, count, op);
            int32_t step =
                i % LANE(vectors) == LANE(vectors) - 1 ? LANES + GROUP * (count - 1) : LANES;
            left += step;
            right += step;
            weight += step;
        }
        for (int32_t i = 0; i < some * LANE(vectors); i++, to += LANES)
            LANE(store)(to, LANE(second_half)(h[i], count, op));
    }
}

/* Products: nodes with one element of weight 1. */
LANE_TARGET static CLV_ALWAYS_INLINE void LANE(products)(const clv_circuit_segment *s,
                                                         const clv_circuit_groups *g,
                                                         double *value, clv_circuit_op op)
{
    const int32_t *left = g->left + s->element, *right = g->right + s->element;
    double *to = value + s->place;
    int64_t count = (int64_t)s->groups * GROUP;
    for (int64_t i = 0; i < count; i += LANES) {
        LANE(real) x = LANE(gather)(value, left + i), y = LANE(gather)(value, right + i);
        LANE(store)(to + i, clv_circuit_is_linear(op) ? x * y : x + y);
    }
}

#if GROUP == 8
/* ---- Sweeps --------------------------------------------------------------------------- */

LANE_TARGET static CLV_ALWAYS_INLINE void LANE(sweep_of)(const clv_circuit_segment *s,
                                                         int32_t count,
                                                         const clv_circuit_groups *g,
                                                         double *value, clv_circuit_op op)
{
    const int32_t *left = g->left + s->element, *right = g->right + s->element;
    const int32_t *place = g->place + s->place;
    const double *weight = g->weight + s->element;
    for (int32_t done = 0; done < s->groups; done += LANE(stretch)) {
        int32_t some = s->groups - done < LANE(stretch) ? s->groups - done : LANE(stretch);
        LANE(halfway) h[LANE(vectors) * LANE(stretch)];
        for (int32_t i = 0; i < some; i++, left += count, right += count, weight += count)
            UNROLLED for (int32_t at = 0; at < LANE(vectors); at++)
            {
                LANE(real) t[clv_circuit_widest];
                UNROLLED for (int32_t j = 0; j < count; j++)
                {
                    int64_t x = (int64_t)left[j] * clv_circuit_lanes + at * LANES;
                    int64_t y = (int64_t)right[j] * clv_circuit_lanes + at * LANES;
                    t[j] = LANE(element)(LANE(load)(value + x), LANE(load)(value + y),
                                         LANE(all)(weight[j]), op);
                }
                h[i * LANE(vectors) + at] = LANE(first_half)(t, count, op);
            }
        for (int32_t i = 0; i < some; i++, place++)
            UNROLLED for (int32_t at = 0; at < LANE(vectors); at++)
                LANE(store)(value + (int64_t)*place * clv_circuit_lanes + at * LANES,
                            LANE(second_half)(h[i * LANE(vectors) + at], count, op));
    }
}

LANE_TARGET static CLV_ALWAYS_INLINE void LANE(sweep_products)(const clv_circuit_segment *s,
                                                               const clv_circuit_groups *g,
                                                               double *value,
                                                               clv_circuit_op op)
{
    const int32_t *left = g->left + s->element, *right = g->right + s->element;
    const int32_t *place = g->place + s->place;
    for (int32_t i = 0; i < s->groups; i++) {
        const double *from = value + (int64_t)left[i] * clv_circuit_lanes;
        const double *and_from = value + (int64_t)right[i] * clv_circuit_lanes;
        double *to = value + (int64_t)place[i] * clv_circuit_lanes;
        UNROLLED for (int32_t at = 0; at < clv_circuit_lanes; at += LANES)
        {
            LANE(real) x = LANE(load)(from + at), y = LANE(load)(and_from + at);
            LANE(store)(to + at, clv_circuit_is_linear(op) ? x * y : x + y);
        }
    }
}
#endif

/* ---- One function per operation ------------------------------------------------------- */

#define KERNEL(name, of, products, op)                                                        \
    LANE_TARGET static void LANE(name)(const clv_circuit_segment *s,                          \
                                       const clv_circuit_segment *end,                        \
                                       const clv_circuit_groups *g, double *value)            \
    {                                                                                         \
        for (; s < end; s++) {                                                                \
            switch (s->elements) {                                                            \
            case 0:                                                                           \
                LANE(products)(s, g, value, op);                                              \
                break;                                                                        \
            case 1:                                                                           \
                LANE(of)(s, 1, g, value, op);                                                 \
                break;                                                                        \
            case 2:                                                                           \
                LANE(of)(s, 2, g, value, op);                                                 \
                break;                                                                        \
            case 3:                                                                           \
                LANE(of)(s, 3, g, value, op);                                                 \
                break;                                                                        \
            case 4:                                                                           \
                LANE(of)(s, 4, g, value, op);                                                 \
                break;                                                                        \
            default:                                                                          \
                LANE(of)(s, s->elements, g, value, op);                                       \
                break;                                                                        \
            }                                                                                 \
        }                                                                                     \
    }
#if GROUP == 8
#define KERNEL_PAIR(name, op)                                                                 \
    KERNEL(groups_##name, groups_of, products, op)                                            \
    KERNEL(sweep_##name, sweep_of, sweep_products, op)
#else
#define KERNEL_PAIR(name, op) KERNEL(groups_##name, groups_of, products, op)
#endif
KERNEL_PAIR(log_sum, CLV_CIRCUIT_LOG_SUM)
KERNEL_PAIR(linear_sum, CLV_CIRCUIT_LINEAR_SUM)
KERNEL_PAIR(log_max, CLV_CIRCUIT_LOG_MAX)
KERNEL_PAIR(linear_max, CLV_CIRCUIT_LINEAR_MAX)

/* In the order of clv_circuit_op. */
#define GROUPS_TABLE                                                                          \
    {                                                                                         \
        LANE(groups_log_sum), LANE(groups_linear_sum), LANE(groups_log_max),                  \
            LANE(groups_linear_max)                                                           \
    }
#define SWEEP_TABLE                                                                           \
    {                                                                                         \
        LANE(sweep_log_sum), LANE(sweep_linear_sum), LANE(sweep_log_max),                     \
            LANE(sweep_linear_max)                                                            \
    }
