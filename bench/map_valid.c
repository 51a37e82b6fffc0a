/* SPDX-License-Identifier: Apache-2.0 */
/* bench/map_valid.c - is everything right?  A result is invalid when the library says so, when
 * the evaluation finds it beyond the bound or with an idle PE, or when the report and the
 * evaluation differ.  Scotch, which counts costs itself, must count its own as we do: else the
 * two have not been given the same machine. */
#include <stdio.h>
#include <string.h>

#include "map.h"

static int complain(const map_row *r)
{
    int ours = r->status || r->cost < 0 || !r->balanced || r->empty;
    int theirs = r->scotch_says >= 0 && r->scotch_says != r->scotch_cost;
    if (ours)
        printf("INVALID: %s on %s, %s seed %d: status %d, cost %lld, imbalance %.4f%s, %d "
               "empty\n",
               r->graph, r->target, r->effort, r->seed, r->status, r->cost, r->reached,
               r->balanced ? "" : " beyond the bound", r->empty);
    if (theirs)
        printf("DIFFERS: %s on %s: Scotch counts its cost as %lld, we as %lld\n", r->graph,
               r->target, r->scotch_says, r->scotch_cost);
    return ours || theirs;
}

int map_valid(const settings *s, const map_results *all)
{
    int ours = 0, invalid = 0, broken = 0;
    printf("\n");
    for (int i = 0; i < all->count; i++) {
        const map_row *r = &all->rows[i];
        if (strcmp(r->tag, s->tag) != 0 || r->imbalance != s->imbalance)
            continue;
        ours++;
        invalid += complain(r);
        broken += !r->scotch_balanced || r->scotch_empty;
    }
    printf("%d results checked by cleave_evaluate and cleave_evaluate_target, %d invalid;\n"
           "Scotch beyond our bound or with an idle PE beside %d of them\n",
           ours, invalid, broken);
    return invalid;
}
