/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of api/trial.c: contenders that take a known time.  They differ by so much that no
 * disturbance of the machine reverses them in all looks. */
#include "api/trial.h"
#include "base/context.h"
#include "support/test.h"

typedef struct spinner {
    double seconds;
    int count;
} spinner;

static void spin(void *context)
{
    spinner *s = context;
    double end = clv_clock() + s->seconds;
    while (clv_clock() < end)
        ;
    s->count++;
}

static clv_contender enter(spinner *s, double seconds, double risk)
{
    *s = (spinner){.seconds = seconds};
    return (clv_contender){.compute = spin, .context = s, .risk = risk};
}

static bool faster(double a, double risk_a, double b, double risk_b)
{
    spinner first, second;
    clv_contender one = enter(&first, a, risk_a), two = enter(&second, b, risk_b);
    return clv_trial_faster(&one, &two, 2, 3);
}

static void the_faster_one_wins(void)
{
    CHECK(faster(5e-6, 0, 100e-6, 0));
    CHECK(!faster(100e-6, 0, 5e-6, 0));
}

/* What may go wrong counts like time. */
static void risk_counts(void)
{
    CHECK(!faster(5e-6, 1, 100e-6, 0));
    CHECK(faster(5e-6, 1, 100e-6, 2));
    CHECK(clv_trial_risk(1, 1000) == 0);
    CHECK(clv_trial_risk(2, 0) > 0);
    CHECK(clv_trial_risk(2, 1000) > clv_trial_risk(2, 10));
    CHECK(clv_trial_risk(8, 1000) < clv_trial_risk(2, 1000));
}

/* Three looks a round; threads have eight rounds, two where the first ones have settled it. */
static void effort_is_bounded(void)
{
    spinner first, second;
    clv_contender one = enter(&first, 50e-6, 0), two = enter(&second, 50e-6, 0);
    clv_trial_faster(&one, &two, 2, 3);
    CHECK(first.count == 3 * 3 * 2 && second.count == 3 * 3 * 2);
    one = enter(&first, 50e-6, 1);
    two = enter(&second, 50e-6, 0);
    CHECK(!clv_trial_threads_faster(&one, &two));
    CHECK(first.count == 3 * 8);
    one = enter(&first, 50e-6, 0);
    two = enter(&second, 50e-6, 1);
    CHECK(clv_trial_threads_faster(&one, &two));
    CHECK(first.count == 3 * 2);
}

/* What takes less than the clock can see is repeated. */
static void short_ones_are_repeated(void)
{
    spinner first, second;
    clv_contender one = enter(&first, 0, 0), two = enter(&second, 0, 0);
    clv_trial_threads_faster(&one, &two);
    CHECK(first.count > 100);
}

int main(void)
{
    the_faster_one_wins();
    risk_counts();
    effort_is_bounded();
    short_ones_are_repeated();
    return test_end();
}
