/* SPDX-License-Identifier: Apache-2.0 */
/* Converts the options of methods to one list of parameters. */
#include "cli/method_options.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/report.h"

/* Returns false when the buffer is full. */
static bool append(cli_method *m, const char *key, const char *value)
{
    size_t used = strlen(m->text), room = sizeof m->text - used;
    const char *comma = used ? "," : "", *equals = key[0] ? "=" : "";
    return (size_t)snprintf(m->text + used, room, "%s%s%s%s", comma, key, equals, value) <
           room;
}

static const char *given_key(const cli_method *m)
{
    return m->order       ? "order"
           : m->match     ? "match"
           : m->initial   ? "initial"
           : m->refine    ? "refine"
           : m->coarsen   ? "coarsen"
           : m->constrain ? "constrain"
           : m->runs      ? "runs"
                          : NULL;
}

static bool is_one_of(const cli_method *m, const char *const *names)
{
    while (*names && strcmp(cli_method_name(m), *names) != 0)
        names++;
    return *names != NULL;
}

static bool is_geometric(const cli_method *m)
{
    static const char *const names[] = {"rcb", "zci", "hci", "rsb", NULL};
    return is_one_of(m, names);
}

int cli_method_check(const char *verb, cli_method *m)
{
    const char *const keys[] = {"",        "order",     "match",  "initial", "refine",
                                "coarsen", "constrain", "policy", "grouping"};
    const char *const values[] = {m->params,  m->order,     m->match,  m->initial, m->refine,
                                  m->coarsen, m->constrain, m->policy, m->grouping};
    enum { nkeys = sizeof keys / sizeof keys[0] };
    char runs[16];
    bool fits = true;
    if (strcmp(cli_method_name(m), "dagp") != 0 && given_key(m))
        return cli_usage_error(verb, "--%s is for --method dagp", given_key(m));
    if (m->params && strcmp(cli_method_name(m), "dagp") != 0 && !is_geometric(m))
        return cli_usage_error(verb, "--params is for --method dagp, rcb, zci, hci and rsb");
    if (m->grouping && !is_geometric(m))
        return cli_usage_error(verb, "--grouping is for --method rcb, zci, hci and rsb");
    if (m->policy && strcmp(cli_method_name(m), "drb") != 0)
        return cli_usage_error(verb, "--policy is for --method drb");
    for (int i = 0; i < nkeys; i++)
        if (values[i])
            fits = fits && append(m, keys[i], values[i]);
    snprintf(runs, sizeof runs, "%d", (int)m->runs);
    if (m->runs)
        fits = fits && append(m, "runs", runs);
    return fits ? CLI_GO_ON : cli_usage_error(verb, "--params is too long");
}

const char *cli_method_name(const cli_method *m)
{
    return m->name ? m->name : m->own ? m->own : "multilevel";
}

bool cli_method_is_own(const cli_method *m)
{
    static const char *const others[] = {"dagp", "kernighan", "fauzia", NULL};
    return !is_one_of(m, others);
}

bool cli_method_is_pure(const cli_method *m)
{
    return !cli_method_is_own(m) || is_geometric(m);
}

static int place_of(const char *word, const char *const *words)
{
    int i = 0;
    while (strcmp(words[i], word) != 0)
        i++;
    return i;
}

cleave_effort cli_effort_of(const char *word)
{
    static const char *const efforts[] = {"fast", "default", "quality", "best"};
    return word ? (cleave_effort)place_of(word, efforts) : CLEAVE_EFFORT_DEFAULT;
}

cleave_objective cli_objective_of(const char *word)
{
    static const char *const objectives[] = {"cut", "volume", "cost", "congestion"};
    return word ? (cleave_objective)place_of(word, objectives) : CLEAVE_OBJECTIVE_CUT;
}

void cli_method_row(const cli_method *m, const char *effort, uint64_t seed,
                    bool several_weights)
{
    if (!cli_method_is_pure(m))
        cli_row("effort", "%s%s%s, seed %" PRIu64, effort, m->name ? ", " : "",
                m->name ? m->name : "", seed);
    else
        cli_row("method", "%s%s%s%s, seed %" PRIu64, m->name, m->text[0] ? " " : "", m->text,
                cli_method_is_own(m) && several_weights ? " by the first weight" : "", seed);
}
