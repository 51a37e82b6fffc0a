/* SPDX-License-Identifier: Apache-2.0 */
/* Options of methods become one list of parameters. */
#include "cli/method_options.h"

#include <stdio.h>
#include <string.h>

/* False: there is no room. */
static bool append(cli_method *m, const char *key, const char *value)
{
    size_t used = strlen(m->text), room = sizeof m->text - used;
    const char *comma = used ? "," : "", *equals = key[0] ? "=" : "";
    return (size_t)snprintf(m->text + used, room, "%s%s%s%s", comma, key, equals, value) <
           room;
}

static const char *given_key(const cli_method *m)
{
    return m->order     ? "order"
           : m->match   ? "match"
           : m->initial ? "initial"
           : m->refine  ? "refine"
           : m->runs    ? "runs"
           : m->params  ? "params"
                        : NULL;
}

int cli_method_check(const char *verb, cli_method *m)
{
    const char *const keys[] = {"", "order", "match", "initial", "refine", "policy"};
    const char *const values[] = {m->params,  m->order,  m->match,
                                  m->initial, m->refine, m->policy};
    char runs[16];
    bool fits = true;
    if (strcmp(cli_method_name(m), "dagp") != 0 && given_key(m))
        return cli_usage_error(verb, "--%s is for --method dagp", given_key(m));
    if (m->policy && strcmp(cli_method_name(m), "drb") != 0)
        return cli_usage_error(verb, "--policy is for --method drb");
    for (int i = 0; i < 6; i++)
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
    static const char *const others[] = {"dagp", "kernighan", "fauzia"};
    for (int i = 0; i < 3; i++)
        if (strcmp(cli_method_name(m), others[i]) == 0)
            return false;
    return true;
}
