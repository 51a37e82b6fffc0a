/* SPDX-License-Identifier: Apache-2.0 */
/* "Did you mean": the known word closest to a misspelt one.
 *
 * Distance = insertions, deletions, substitutions and swaps of neighbours (optimal
 * string alignment); the beginning of a word counts as one slip. */
#include <string.h>

#include "cli/cli.h"

enum { longest = 31 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int distance(const char *a, const char *b)
{
    int row[longest + 2][longest + 2];
    int la = (int)strlen(a), lb = (int)strlen(b);
    for (int i = 0; i <= la; i++)
        row[i][0] = i;
    for (int j = 0; j <= lb; j++)
        row[0][j] = j;
    for (int i = 1; i <= la; i++) {
        for (int j = 1; j <= lb; j++) {
            int replace = row[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            int best = least(replace, least(row[i - 1][j], row[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = least(best, row[i - 2][j - 2] + 1);
            row[i][j] = best;
        }
    }
    return row[la][lb];
}

const char *cli_suggest(const char *word, const char *const *known)
{
    size_t length = strlen(word);
    if (length == 0 || length > longest)
        return NULL;
    const char *found = NULL;
    int best = 1 + least(2, (int)(length + 2) / 4); /* 1 slip in a short word, 2 in others */
    for (; *known; known++) {
        if (strlen(*known) > longest)
            continue;
        int d = distance(word, *known);
        if (length > 1 && strncmp(word, *known, length) == 0)
            d = least(d, 1);
        if (d < best) {
            best = d;
            found = *known;
        }
    }
    return found;
}
