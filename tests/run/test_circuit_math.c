/* SPDX-License-Identifier: Apache-2.0 */
/* exp and log of circuits: within the error bounds, and the same in every lane of every
 * width. */
#include <math.h>

#include "base/rng.h"
#include "run/circuit_kernels.h"
#include "support/test.h"

/* Units in the last place between a result and the truth. */
static double units_off(double got, long double want)
{
    double next = nextafter(fabs((double)want), INFINITY);
    return (double)fabsl(((long double)got - want) / (next - fabs((double)want)));
}

static double random_real(clv_rng *rng, double low, double high)
{
    double unit =
        (clv_rng_below(rng, 1u << 30) + clv_rng_below(rng, 1u << 30) * 0x1p-30) * 0x1p-30;
    return low + (high - low) * unit;
}

static void test_exp(void)
{
    double worst = 0;
    clv_rng rng = clv_rng_make(1, 2, 3, 4);
    CHECK(clv_circuit_exp(0) == 1 && clv_circuit_exp(-0.0) == 1);
    CHECK(clv_circuit_exp(-INFINITY) == 0 && clv_circuit_exp(-708.5) == 0);
    CHECK(clv_circuit_exp(-708) > 0 && isnormal(clv_circuit_exp(-708)));
    for (int i = 0; i < 400000 / TEST_STRIDE; i++) {
        double x = random_real(&rng, i % 4 == 0 ? -708 : -3, i % 5 == 0 ? 700 : 0);
        double off = units_off(clv_circuit_exp(x), expl(x));
        worst = off > worst ? off : worst;
    }
    CHECK(worst <= 1.25);
}

static void test_log(void)
{
    double worst = 0;
    clv_rng rng = clv_rng_make(1, 2, 3, 5);
    CHECK(clv_circuit_log(1) == 0 && isfinite(clv_circuit_log(0)));
    for (int i = 0; i < 400000 / TEST_STRIDE; i++) {
        double x = i % 3 == 0 ? random_real(&rng, 0.5, 2)
                   : i % 3 == 1
                       ? 1 + random_real(&rng, -1e-9, 1e-9)
                       : ldexp(random_real(&rng, 1, 2), (int)clv_rng_below(&rng, 2000) - 1000);
        double off = x == 1 ? 0 : units_off(clv_circuit_log(x), logl(x));
        worst = off > worst ? off : worst;
    }
    CHECK(worst <= 1);
}

static void test_log_rest(void)
{
    clv_rng rng = clv_rng_make(1, 2, 3, 6);
    CHECK(clv_circuit_log_rest(0) == -INFINITY && clv_circuit_log_rest(-INFINITY) == 0);
    for (int i = 0; i < 100000 / TEST_STRIDE; i++) {
        double w = -ldexp(random_real(&rng, 1, 2), (int)clv_rng_below(&rng, 70) - 60);
        long double want = logl(-expm1l(w));
        CHECK(fabsl(clv_circuit_log_rest(w) - want) <= 4e-16L * (1 + fabsl(want)));
    }
}

/* ---- Kernels -------------------------------------------------------------------------- */

enum { values = 64, groups = 11 };

typedef struct stuff {
    double value[values + 8 * groups];
    int32_t left[32 * 8 * groups], right[32 * 8 * groups], place[groups];
    double weight[32 * 8 * groups];
} stuff;

/* Logarithms, some of nothing at all; or their exponentials. */
static void fill(stuff *s, clv_rng *rng, bool linear)
{
    for (int i = 0; i < values; i++)
        s->value[i] = clv_rng_below(rng, 5) == 0 ? -INFINITY : random_real(rng, -60, 0);
    for (int i = 0; i < 32 * 8 * groups; i++) {
        s->left[i] = (int32_t)clv_rng_below(rng, values);
        s->right[i] = (int32_t)clv_rng_below(rng, values);
        s->weight[i] = clv_rng_below(rng, 9) == 0 ? -INFINITY : random_real(rng, -9, 0);
    }
    for (int i = 0; linear && i < 32 * 8 * groups; i++)
        s->weight[i] = clv_circuit_exp(s->weight[i]);
    for (int i = 0; linear && i < values; i++)
        s->value[i] = clv_circuit_exp(s->value[i]);
}

/* One node: the definition in run/circuit_program.h. */
static double define(const stuff *s, int elements, int group, int lane, clv_circuit_op op)
{
    double t[32], most = -INFINITY, sum = 0;
    int wide = elements ? elements : 1;
    for (int j = 0; j < wide; j++) {
        int k = 8 * (group * wide + j) + lane;
        double x = s->value[s->left[k]], y = s->value[s->right[k]], w = s->weight[k];
        t[j] = clv_circuit_is_linear(op) ? (elements ? x * y * w : x * y)
                                         : (elements ? x + y + w : x + y);
        most = t[j] > most ? t[j] : most;
        sum = j == 0 ? t[j] : sum + t[j];
    }
    if (op == CLV_CIRCUIT_LINEAR_SUM)
        return sum;
    if (op != CLV_CIRCUIT_LOG_SUM || most == -INFINITY || wide == 1)
        return most;
    sum = 0;
    for (int j = 0; j < wide; j++)
        sum += clv_circuit_exp(t[j] - most);
    return most + clv_circuit_log(sum);
}

static void check_groups(clv_circuit_kernel kernel, const stuff *given, clv_circuit_op op,
                         int elements)
{
    static stuff s;
    const clv_circuit_segment segment = {elements, groups, values, 0};
    const clv_circuit_groups g = {s.left, s.right, s.weight, NULL};
    s = *given;
    kernel(&segment, &segment + 1, &g, s.value);
    for (int i = 0; i < groups; i++)
        for (int lane = 0; lane < 8; lane++) {
            double want = define(given, elements, i, lane, op);
            CHECK(memcmp(&want, &s.value[values + 8 * i + lane], sizeof want) == 0);
        }
}

static void test_groups(void)
{
    static stuff s;
    clv_rng rng = clv_rng_make(1, 2, 3, 7);
    for (int op = 0; op < CLV_CIRCUIT_OPS; op++)
        for (int elements = 0; elements <= 32; elements++) {
            fill(&s, &rng, clv_circuit_is_linear((clv_circuit_op)op));
            check_groups(clv_circuit_kernels_plain.groups[op], &s, (clv_circuit_op)op,
                         elements);
            check_groups(clv_circuit_kernels_best()->groups[op], &s, (clv_circuit_op)op,
                         elements);
        }
}

int main(void)
{
    RUN(test_exp);
    RUN(test_log);
    RUN(test_log_rest);
    RUN(test_groups);
    return test_end();
}
