/* SPDX-License-Identifier: Apache-2.0 */
/* api/trial.c - ways to compute the same, one against the other by the clock.
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

/* A look takes at least so many seconds, else the clock is too coarse; of what takes so long
 * that little can happen meanwhile, one look a round is enough. */
static const double shortest = 10e-6, longest = 100e-6;
/* What wins less than this is not worth keeping other processors busy. */
static const double worth = 0.95;
/* What takes so much longer is not helped by another chance: one thread; several threads
 * after two rounds, and after more. */
static const double slower = 1.12, hopeless = 1.5, unlikely = 1.25;
/* Of waking a team and coming together again; of a wait inside. */
static const double wake_risk = 5e-6, wait_risk = 0.35e-6;

double clv_trial_risk(int32_t threads, int64_t waits)
{
    return threads > 1 ? wake_risk + wait_risk * (double)waits / threads : 0;
}

static void compute_some(const clv_contender *c, int times)
{
    for (int i = 0; i < times; i++)
        c->compute(c->context);
}

/* What comes before the looks is not counted: the other one has been in the caches, and
 * threads may have gone to sleep. */
static void take_turn(clv_contender *c, int before)
{
    double start = clv_clock();
    compute_some(c, before);
    double seconds = (clv_clock() - start) / before;
    int times = seconds < shortest ? (int)(shortest / (seconds + 1e-9)) + 1 : 1;
    for (int looks = seconds < longest ? 2 : 1; looks > 0; looks--) {
        start = clv_clock();
        compute_some(c, times);
        seconds = (clv_clock() - start) / times;
        c->best = seconds < c->best ? seconds : c->best;
    }
}

static double score(const clv_contender *c)
{
    return c->best + c->risk;
}

/* The simplest, which comes last, where the difference is small. */
static int find_winner(const clv_contender *c, int count)
{
    int winner = 0;
    for (int i = 1; i < count; i++)
        if (!(score(&c[winner]) < worth * score(&c[i])))
            winner = i;
    return winner;
}

/* Leaves out whoever cannot win any more.  Returns how many threaded ones are left besides the
 * winner. */
static int drop_losers(clv_contender *c, int count, int winner, int round)
{
    int chances = 0;
    for (int i = 0; i < count; i++) {
        double limit = !c[i].threaded ? slower : round < 2 ? hopeless : unlikely;
        bool certain = round > 0 || !c[i].threaded;
        if (i != winner && certain && score(&c[i]) > limit * score(&c[winner]))
            c[i].out = true;
        chances += i != winner && c[i].threaded && !c[i].out;
    }
    return chances;
}

/* Whatever else the machine does disturbs threads more than one.  Therefore, if threads win
 * after two rounds it is settled, and if they lose they have more chances, in which the others
 * rest. */
int clv_trial_best(clv_contender *c, int count, int first_times)
{
    enum { least_rounds = 2, rounds = 6 };
    int winner = 0, live = count;
    for (int i = 0; i < count; i++) {
        c[i].best = 1e9;
        c[i].out = false;
    }
    for (int round = 0; round < rounds && live > 1; round++) {
        for (int i = count - 1; i >= 0; i--)
            if (!c[i].out && (c[i].threaded || round < least_rounds))
                take_turn(&c[i], round == 0 ? first_times : 1);
        winner = find_winner(c, count);
        int chances = drop_losers(c, count, winner, round);
        if (round + 1 >= least_rounds && (c[winner].threaded || chances == 0))
            break;
        live = 0;
        for (int i = 0; i < count; i++)
            live += !c[i].out;
    }
    return winner;
}
