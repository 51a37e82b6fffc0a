/* SPDX-License-Identifier: Apache-2.0 */
/* See xml_check.h.  Enough of XML 1.0 for pictures: elements, attributes, text, entities. */
#include "view/xml_check.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { deepest = 32 };

static int name_length(const char *p)
{
    int n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '-' || p[n] == ':' || p[n] == '_')
        n++;
    return isdigit((unsigned char)p[0]) || p[0] == '-' ? 0 : n;
}

/* Characters up to `end`; NULL when one is not allowed. */
static const char *skip_text(const char *p, char end)
{
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
    while (*p && *p != end) {
        if ((unsigned char)*p < 0x20 && *p != '\n' && *p != '\t')
            return NULL;
        if (*p == '<')
            return NULL;
        if (*p == '&') {
            int known = 0;
            for (int i = 0; i < 5; i++)
                known |= strncmp(p, entities[i], strlen(entities[i])) == 0;
            if (!known)
                return NULL;
        }
        p++;
    }
    return p;
}

static const char *skip_attributes(const char *p)
{
    const char *seen[16];
    int lengths[16], count = 0;
    while (*p == ' ') {
        int n = name_length(++p);
        if (n == 0 || p[n] != '=' || p[n + 1] != '"' || count == 16)
            return NULL;
        for (int i = 0; i < count; i++)
            if (lengths[i] == n && strncmp(seen[i], p, (size_t)n) == 0)
                return NULL;
        seen[count] = p;
        lengths[count++] = n;
        p = skip_text(p + n + 2, '"');
        if (!p || *p != '"')
            return NULL;
        p++;
    }
    return p;
}

static int valid_utf8(const unsigned char *p)
{
    while (*p) {
        int more = *p < 0x80                 ? 0
                   : *p >= 0xc2 && *p < 0xe0 ? 1
                   : *p >= 0xe0 && *p < 0xf0 ? 2
                   : *p >= 0xf0 && *p < 0xf5 ? 3
                                             : -1;
        if (more < 0)
            return 0;
        for (p++; more > 0; more--, p++)
            if ((*p & 0xc0) != 0x80)
                return 0;
    }
    return 1;
}

const char *xml_check(const char *p)
{
    char open[deepest][32];
    int depth = 0, roots = 0;
    if (!valid_utf8((const unsigned char *)p))
        return "not UTF-8";
    while (*p) {
        if (*p != '<') {
            if (depth == 0 && !isspace((unsigned char)*p))
                return "text outside the root";
            const char *end = strchr(p, '<');
            const char *reached = skip_text(p, '<');
            if (!reached || (end && reached != end))
                return "bad text";
            p = reached;
            continue;
        }
        int closing = p[1] == '/';
        p += 1 + closing;
        int n = name_length(p);
        if (n == 0 || n > 31)
            return "bad name";
        if (closing) {
            if (depth == 0 || strncmp(open[depth - 1], p, (size_t)n) != 0 ||
                open[depth - 1][n] || p[n] != '>')
                return "closes what is not open";
            depth--;
            p += n + 1;
            continue;
        }
        if (depth == deepest || (depth == 0 && roots++ > 0))
            return "too deep or a second root";
        snprintf(open[depth], sizeof open[depth], "%.*s", n, p);
        p = skip_attributes(p + n);
        if (!p)
            return "bad attribute";
        if (strncmp(p, "/>", 2) == 0) {
            p += 2;
        } else if (*p == '>') {
            depth++;
            p++;
        } else {
            return "tag does not end";
        }
    }
    return depth ? "something stays open" : roots == 1 ? NULL : "no root";
}

int count_of(const char *text, const char *word)
{
    int count = 0;
    for (const char *p = strstr(text, word); p; p = strstr(p + 1, word))
        count++;
    return count;
}
