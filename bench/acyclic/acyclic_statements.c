/* SPDX-License-Identifier: Apache-2.0 */
/* bench/acyclic/acyclic_statements.c - the figures that the paper's text quotes from its
 * performance profiles, computed from ours. docs/acyclic-paper.md discusses them. */
#include "acyclic/acyclic.h"

#include <math.h>
#include <stdio.h>

static const int dagp_variants[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
static const int three[] = {0, 9, 10};
enum { BEST_DAGP = 0, BASE = 3, ACYCKWAY = 8, KERNIGHAN = 9, FAUZIA = 10 };

static double best_of(const paper_results *p, const int *tool, int count, int at,
                      paper_value what)
{
    double best = INFINITY;
    for (int t = 0; t < count; t++)
        best = fmin(best, paper_get(p, tool[t], at, what));
    return best;
}

/* Per cent of the cases on which the method is within a factor of the best of the tools. */
static double within(const paper_results *p, int which, const int *tool, int count,
                     paper_value what, double factor)
{
    int inside = 0, cases = 0;
    for (int i = 0; i < p->ncase; i++) {
        double best = best_of(p, tool, count, i, what);
        int run = p->cell[which][i].seeds || p->cell[which][i].invalid;
        if (!isfinite(best) || !run)
            continue;
        cases++;
        inside += paper_get(p, which, i, what) <= factor * best * (1 + 1e-12);
    }
    return cases ? 100.0 * inside / cases : NAN;
}

/* Geometric mean of one method over another, where both are measured. */
static double over(const paper_results *p, int which, int other, paper_value what)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < p->ncase; i++) {
        double a = paper_get(p, which, i, what), b = paper_get(p, other, i, what);
        if (isfinite(a) && isfinite(b)) {
            sum += log(a / b);
            count++;
        }
    }
    return count ? exp(sum / count) : NAN;
}

/* Per cent of the cases on which `slow` takes more than `factor` times as long as `fast`. */
static double slower(const paper_results *p, int slow, int fast, double factor)
{
    int inside = 0, count = 0;
    for (int i = 0; i < p->ncase; i++) {
        double a = paper_get(p, slow, i, PAPER_TIME), b = paper_get(p, fast, i, PAPER_TIME);
        if (!isfinite(a) || !isfinite(b))
            continue;
        count++;
        inside += a > factor * b;
    }
    return count ? 100.0 * inside / count : NAN;
}

/* Per cent of the cases whose best variant is one of the first three, Top-X-X-X. */
static double top_is_best(const paper_results *p)
{
    int inside = 0, count = 0;
    for (int i = 0; i < p->ncase; i++) {
        double best = best_of(p, dagp_variants, 9, i, PAPER_CUT);
        if (!isfinite(best))
            continue;
        count++;
        inside += best_of(p, dagp_variants, 3, i, PAPER_CUT) <= best;
    }
    return count ? 100.0 * inside / count : NAN;
}

/* The value in the paper, and the tolerance for "holds". */
typedef enum claim {
    LESS,     /* below the figure */
    AT_LEAST, /* not below it */
    MOSTLY,   /* at least so many per cent of the cases, with a tolerance of ten */
    ABOUT     /* about so many per cent of the cases, with a tolerance of ten */
} claim;

typedef struct statement {
    const char *place, *what;
    claim claim;
    double paper, here;
} statement;

static int holds(const statement *s)
{
    switch (s->claim) {
    case LESS:
        return s->here < s->paper;
    case AT_LEAST:
        return s->here >= s->paper;
    case MOSTLY:
        return s->here >= s->paper - 10;
    default:
        return fabs(s->here - s->paper) <= 10;
    }
}

/* A row of the table in docs/acyclic-paper.md. */
static void say(const char *place, const char *what, claim claim, double paper, double here)
{
    static const char *const before[] = {"below ", "at least ", "", "about "};
    statement s = {place, what, claim, paper, here};
    const char *percent = claim < MOSTLY ? "" : " %";
    printf("| %s | %s | %s%g%s | ", place, what, before[claim], paper, percent);
    if (isnan(here))
        printf("not measured | |\n");
    else
        printf("%.*f%s | %s |\n", claim < MOSTLY ? 3 : 0, here, percent,
               holds(&s) ? "yes" : "no");
}

static void say_options(const paper_results *p)
{
    say("V-B, Fig. 3a", "a variant that coarsens in depth-first topological order is the best",
        MOSTLY, 60, top_is_best(p));
    say("V-B, Fig. 3a", "Top-Rand-Ker+GP-TopRef is within 1.3 of the best variant", MOSTLY, 90,
        within(p, BEST_DAGP, dagp_variants, 9, PAPER_CUT, 1.3));
    say("Fig. 3, caption", "cut in topological order over the base variant's", LESS, 1,
        over(p, BEST_DAGP, BASE, PAPER_CUT));
    say("Fig. 3, caption", "cut with AcycKWay over the base variant's", AT_LEAST, 1,
        over(p, ACYCKWAY, BASE, PAPER_CUT));
    say("V-B, Fig. 3b", "time with AcycKWay over the base variant's", AT_LEAST, 1,
        over(p, ACYCKWAY, BASE, PAPER_TIME));
    for (int v = 0; v < 2; v++) {
        char text[100];
        snprintf(text, sizeof text, "%s is within 1.6 of the fastest variant",
                 variants[v].name);
        say("V-B, Fig. 3b", text, ABOUT, 70, within(p, v, dagp_variants, 9, PAPER_TIME, 1.6));
        snprintf(text, sizeof text, "%s takes more than 3 times the fastest",
                 variants[v].name);
        say("V-B, Fig. 3b", text, ABOUT, 25,
            100 - within(p, v, dagp_variants, 9, PAPER_TIME, 3));
    }
}

static void say_comparators(const paper_results *p)
{
    static const int two[] = {BEST_DAGP, KERNIGHAN};
    say("V-B, Fig. 4a", "dagP has the least cut of the three methods", MOSTLY, 70,
        within(p, BEST_DAGP, three, 3, PAPER_CUT, 1));
    say("V-B, Fig. 4a", "dagP is within 1.1 of the least cut", MOSTLY, 90,
        within(p, BEST_DAGP, three, 3, PAPER_CUT, 1.1));
    say("Fig. 4, caption", "dagP's cut over Kernighan's", LESS, 1,
        over(p, BEST_DAGP, KERNIGHAN, PAPER_CUT));
    say("Fig. 4, caption", "dagP's cut over Fauzia et al.'s", LESS, 1,
        over(p, BEST_DAGP, FAUZIA, PAPER_CUT));
    say("V-B, Fig. 4b", "dagP is faster than Kernighan on the whole graph", MOSTLY, 100,
        within(p, BEST_DAGP, two, 2, PAPER_TIME, 1));
    say("V-B, Fig. 4b", "Kernighan takes more than 20 times as long as dagP", ABOUT, 50,
        slower(p, KERNIGHAN, BEST_DAGP, 20));
    say("V-B, Fig. 5a", "dagP has the least volume of the three", MOSTLY, 70,
        within(p, BEST_DAGP, three, 3, PAPER_VOLUME, 1));
    say("V-B, Fig. 5a", "dagP is within 1.2 of the least volume", MOSTLY, 95,
        within(p, BEST_DAGP, three, 3, PAPER_VOLUME, 1.2));
    say("V-B, Fig. 5b", "Kernighan has the shortest critical path", ABOUT, 85,
        within(p, KERNIGHAN, three, 3, PAPER_PATH, 1));
    say("V-B, Fig. 5b", "Fauzia et al. have the shortest critical path", ABOUT, 50,
        within(p, FAUZIA, three, 3, PAPER_PATH, 1));
    say("V-B, Fig. 5b", "dagP has the shortest critical path", ABOUT, 45,
        within(p, BEST_DAGP, three, 3, PAPER_PATH, 1));
    say("V-B, Fig. 5b", "dagP is within 1.25 of the shortest critical path", MOSTLY, 95,
        within(p, BEST_DAGP, three, 3, PAPER_PATH, 1.25));
}

void paper_statements(const paper_results *p)
{
    printf("\n| place | statement | paper | here | holds |\n|---|---|---|---|---|\n");
    say_options(p);
    say_comparators(p);
    printf("\n| over %s | cut | volume | critical path | time |\n|---|---|---|---|---|\n",
           variants[BEST_DAGP].name);
    for (int v = 1; v < nvariant; v++)
        if (!isnan(over(p, v, BEST_DAGP, PAPER_CUT)))
            printf("| %s | %.3f | %.3f | %.3f | %.2f |\n", variants[v].name,
                   over(p, v, BEST_DAGP, PAPER_CUT), over(p, v, BEST_DAGP, PAPER_VOLUME),
                   over(p, v, BEST_DAGP, PAPER_PATH), over(p, v, BEST_DAGP, PAPER_TIME));
    printf("\n");
}
