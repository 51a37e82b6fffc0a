/* SPDX-License-Identifier: Apache-2.0 */
/* api/trial.c - two ways to compute the same, one against the other by the clock.
 *
 * How fast a thread gets on depends on caches, on how much it can do side by side, and on what
 * else the machine does: a model of multiply-adds and waits misses the truth by half where
 * threads win little.  One solve takes a hundredth of the analysis, so that trying is cheap;
 * and as results do not depend on who computes them, it is no sin to ask the clock.
 *
 * What the clock cannot know is the next second: a round trip between two processors was seen
 * to take 130 ns in some and 500 ns in others, on the same machine.  So whoever waits for
 * others has to win by what that would cost. */
#include "api/trial.h"

#include "base/context.h"

/* A look takes at least so many seconds, else the clock is too coarse. */
static const double shortest = 20e-6;
/* What wins less than this is not worth keeping other processors busy. */
static const double worth = 0.95;
/* What takes so much longer is not helped by another chance. */
static const double hopeless = 1.5;
/* Of waking a team and coming together again; of a wait inside. */
static const double wake_risk = 5e-6, wait_risk = 0.35e-6;

double clv_trial_risk(int32_t threads, int64_t waits)
{
    return threads > 1 ? wake_risk + wait_risk * (double)waits / threads : 0;
}

static void compute_some(const clv_contender *c)
{
    for (int i = 0; i < c->times; i++)
        c->compute(c->context);
}

/* The first time is not counted: the other one has been in the caches, and threads may have
 * gone to sleep. */
static void take_turn(clv_contender *c)
{
    enum { looks = 2 };
    compute_some(c);
    for (int i = 0; i < looks; i++) {
        double start = clv_clock();
        compute_some(c);
        double seconds = (clv_clock() - start) / c->times;
        c->best = seconds < c->best ? seconds : c->best;
    }
}

static bool wins(const clv_contender *a, const clv_contender *b)
{
    return a->best + a->risk < worth * (b->best + b->risk);
}

static void start_trial(clv_contender *a, clv_contender *b, int times)
{
    a->times = b->times = times;
    a->best = b->best = 1e9;
}

static void compete(clv_contender *a, clv_contender *b)
{
    take_turn(b);
    if (b->best * b->times < shortest)
        a->times = b->times = (int)(shortest / (b->best + 1e-9)) + 1;
    take_turn(a);
}

bool clv_trial_faster(clv_contender *a, clv_contender *b, int times, int rounds)
{
    start_trial(a, b, times);
    for (int i = 0; i < rounds; i++)
        compete(a, b);
    return wins(a, b);
}

bool clv_trial_threads_faster(clv_contender *a, clv_contender *b)
{
    enum { least_rounds = 2, rounds = 8 };
    start_trial(a, b, 1);
    for (int i = 0; i < rounds; i++) {
        compete(a, b);
        if (i + 1 >= least_rounds && (wins(a, b) || a->best > hopeless * b->best))
            break;
    }
    return wins(a, b);
}
