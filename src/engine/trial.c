/* SPDX-License-Identifier: Apache-2.0 */
/* engine/trial.c - autotuning: times several candidates that compute the same result and
 * selects the fastest.
 *
 * The speed of a thread depends on caches, on instruction-level parallelism and on other load.
 * A model of multiply-adds and waits is off by half where threads gain little.  One solve
 * takes a hundredth of the analysis, so a trial is cheap.  All candidates compute the same
 * result, so the choice may depend on measured times.
 *
 * Timing does not predict the next second: on one machine a round trip between two processors
 * takes 130 ns in some seconds and 500 ns in others.  A candidate whose threads wait for each
 * other must therefore win by more than slow round trips would cost. */
#include "engine/trial.h"

#include "base/context.h"

/* Seconds.  A sample takes at least `shortest`, because the clock is coarse.  If one
 * computation takes `longest` or more, one sample per round is enough. */
static const double shortest = 10e-6, longest = 100e-6;
/* A smaller gain does not justify occupying other processors. */
static const double worth = 0.95;
/* A candidate slower than the winner by this factor is dropped: with one thread; with several
 * threads after two rounds; with several threads later. */
static const double slower = 1.12, hopeless = 1.5, unlikely = 1.25;
/* Seconds: for waking a team and its final barrier; for one wait inside. */
static const double wake_risk = 5e-6, wait_risk = 0.35e-6;

double clv_trial_risk(int32_t threads, int64_t waits)
{
    return threads > 1 ? wake_risk + wait_risk * (double)waits / threads : 0;
}

static void compute_times(const clv_trial_candidate *c, int times)
{
    for (int i = 0; i < times; i++)
        c->compute(c->context);
}

/* The first computations are not timed: the caches hold another candidate's data, and threads
 * may be asleep. */
static void time_candidate(clv_trial_candidate *c, int before)
{
    double start = clv_clock();
    compute_times(c, before);
    double seconds = (clv_clock() - start) / before;
    int times = seconds < shortest ? (int)(shortest / (seconds + 1e-9)) + 1 : 1;
    for (int samples = seconds < longest ? 2 : 1; samples > 0; samples--) {
        start = clv_clock();
        compute_times(c, times);
        seconds = (clv_clock() - start) / times;
        c->best = seconds < c->best ? seconds : c->best;
    }
}

static double score(const clv_trial_candidate *c)
{
    return c->best + c->risk;
}

/* If the difference is small, the last candidate wins, which is the simplest. */
static int find_winner(const clv_trial_candidate *c, int count)
{
    int winner = 0;
    for (int i = 1; i < count; i++)
        if (!(score(&c[winner]) < worth * score(&c[i])))
            winner = i;
    return winner;
}

/* Drops candidates that can no longer win.  Returns the number of remaining threaded
 * candidates other than the winner. */
static int drop_losers(clv_trial_candidate *c, int count, int winner, int round)
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

/* Other load disturbs several threads more than one.  If a threaded candidate wins after two
 * rounds, the trial ends.  Otherwise threaded candidates get more rounds, in which the others
 * are not timed again. */
int clv_trial_fastest(clv_trial_candidate *c, int count, int first_times)
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
                time_candidate(&c[i], round == 0 ? first_times : 1);
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
