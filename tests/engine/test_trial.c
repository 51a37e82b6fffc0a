/* SPDX-License-Identifier: Apache-2.0 */
/* engine/trial.c: candidates that take a known time.  They differ so much that no disturbance
 * of the machine reverses them in all measurements. */
#include "base/context.h"
#include "engine/trial.h"
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

static clv_trial_candidate enter(spinner *s, double seconds, double risk, bool threaded)
{
    *s = (spinner){.seconds = seconds};
    return (clv_trial_candidate){
        .compute = spin, .context = s, .threaded = threaded, .risk = risk};
}

static bool faster(double a, double risk_a, double b, double risk_b)
{
    spinner first, second;
    clv_trial_candidate both[2] = {enter(&first, a, risk_a, false),
                                   enter(&second, b, risk_b, false)};
    return clv_trial_fastest(both, 2, 1) == 0;
}

static void the_faster_one_wins(void)
{
    CHECK(faster(5e-6, 0, 100e-6, 0));
    CHECK(!faster(100e-6, 0, 5e-6, 0));
}

/* At any position among several; the last if all are equal. */
static void the_fastest_of_several_wins(void)
{
    for (int fast = 0; fast < 3; fast++) {
        spinner s[3];
        clv_trial_candidate all[3];
        for (int i = 0; i < 3; i++)
            all[i] = enter(&s[i], i == fast ? 5e-6 : 100e-6, 0, i < 2);
        CHECK_EQ(clv_trial_fastest(all, 3, 1), fast);
    }
    spinner s[3];
    clv_trial_candidate same[3];
    for (int i = 0; i < 3; i++)
        same[i] = enter(&s[i], 5e-6, 1, false);
    CHECK_EQ(clv_trial_fastest(same, 3, 1), 2);
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

/* So many rounds: once, then two looks, or one where it took long, be it that others had the
 * processor. */
static bool is_rounds(const spinner *s, int rounds)
{
    return s->count >= 2 * rounds && s->count <= 3 * rounds;
}

/* How often they compute. */
static void effort_is_bounded(void)
{
    spinner first, second;
    clv_trial_candidate both[2];
    /* One thread each: settled in a round, or in two. */
    both[0] = enter(&first, 50e-6, 0, false);
    both[1] = enter(&second, 50e-6, 1, false);
    CHECK_EQ(clv_trial_fastest(both, 2, 7), 0);
    CHECK(first.count > 7 && first.count <= 7 + 2);
    CHECK(second.count > 7 && second.count <= 7 + 2);
    both[0] = enter(&first, 50e-6, 1, false);
    both[1] = enter(&second, 50e-6, 1, false);
    CHECK_EQ(clv_trial_fastest(both, 2, 1), 1);
    CHECK(is_rounds(&first, 2) && is_rounds(&second, 2));
    /* Clear winners and clear losers have two rounds, others six. */
    both[0] = enter(&first, 50e-6, 0, true);
    both[1] = enter(&second, 50e-6, 0.1, false);
    CHECK_EQ(clv_trial_fastest(both, 2, 1), 0);
    CHECK(first.count <= 2 * 3 && is_rounds(&second, 1));
    both[0] = enter(&first, 50e-6, 1, true);
    both[1] = enter(&second, 50e-6, 0, false);
    CHECK_EQ(clv_trial_fastest(both, 2, 1), 1);
    CHECK(is_rounds(&first, 2) && is_rounds(&second, 2));
    both[0] = enter(&first, 50e-6, 1.1, true);
    both[1] = enter(&second, 50e-6, 1, false);
    CHECK_EQ(clv_trial_fastest(both, 2, 1), 1);
    CHECK(is_rounds(&first, 6) && is_rounds(&second, 2));
    /* What takes long. */
    both[0] = enter(&first, 300e-6, 1, false);
    both[1] = enter(&second, 300e-6, 1, false);
    CHECK_EQ(clv_trial_fastest(both, 2, 1), 1);
    CHECK(first.count == 2 * 2 && second.count == 2 * 2);
}

/* What takes less than the clock can see is repeated. */
static void short_ones_are_repeated(void)
{
    spinner first, second;
    clv_trial_candidate both[2] = {enter(&first, 0, 0, true), enter(&second, 0, 0, false)};
    clv_trial_fastest(both, 2, 1);
    CHECK(first.count > 100);
}

int main(void)
{
    the_faster_one_wins();
    the_fastest_of_several_wins();
    risk_counts();
    effort_is_bounded();
    short_ones_are_repeated();
    return test_end();
}
