/* SPDX-License-Identifier: Apache-2.0 */
/* bench/map/map_valid.c - checks all results.  A result is invalid if the library reports a
 * failure, if the evaluation finds a part above its bound or an empty PE, or if the report and
 * the evaluation differ.  The cost that Scotch reports must equal ours: otherwise the two
 * machines differ. */
#include <stdio.h>
#include <string.h>

#include "map/map.h"

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
