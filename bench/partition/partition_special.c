/* SPDX-License-Identifier: Apache-2.0 */
/* bench/partition/partition_special.c - separate tables: best known cuts, very many parts, and
 * communication volume as the objective. */
#include <math.h>
#include <stdio.h>

#include "partition/partition.h"

void special_known(const settings *s, const results *all)
{
    int exact = 0, close = 0, count = 0, threads = s->threads[s->nthreads - 1];
    printf("\nbest known cuts, k = 2 at 5 %%; %s with %g s on %d threads\n",
           effort_names[s->efforts[0]], s->best_limit, threads);
    printf("%-12s %8s %8s %8s %8s %9s\n", "graph", "known", "ours", "above", "METIS",
           "seconds");
    for (int i = 0; i < s->ngraphs; i++) {
        const graph_entry *entry = &graph_set[s->graphs[i]];
        long long cut = -1, metis = 0;
        double seconds = 0;
        for (int seed = 1; seed <= s->seeds; seed++) {
            row q = store_question(s, entry->name, 2, s->efforts[0], threads, seed);
            const row *r = store_find(all, &q);
            if (!r || !entry->known)
                continue;
            int valid = r->balanced && !r->empty && r->status == 0;
            if (valid && (cut < 0 || r->cut < cut)) {
                cut = r->cut;
                metis = r->metis_cut;
            }
            seconds += r->seconds;
        }
        if (cut < 0)
            continue;
        double above = 100.0 * (double)(cut - entry->known) / entry->known;
        printf("%-12s %8d %8lld %7.2f%% %8lld %9.1f\n", entry->name, entry->known, cut, above,
               metis, seconds);
        count++;
        exact += cut <= entry->known;
        close += above <= 2;
    }
    printf("%d of %d reached, %d within 2 %%\n", exact, count, close);
}

static void print_large(const row *r)
{
    printf(
        "%-10s %6d %-8s %d %9lld %6.3f %9.4f %6.2f   %s, %s, %d empty; METIS %s, %d empty\n",
        r->graph, r->k, r->effort, r->threads, r->cut, (double)r->cut / (double)r->metis_cut,
        r->seconds, r->seconds / r->metis_seconds, r->status ? "FAILED" : "valid",
        r->balanced ? "balanced" : "UNBALANCED", r->empty,
        r->metis_balanced ? "balanced" : "beyond the bound", r->metis_empty);
}

void special_large(const settings *s, const results *all)
{
    printf("\nvery many parts, %g %% imbalance\n", 100 * s->imbalance);
    printf("%-10s %6s %-8s %s %8s %6s %9s %6s\n", "graph", "k", "effort", "t", "cut", "/METIS",
           "seconds", "/METIS");
    for (int i = 0; i < all->count; i++) {
        row q = all->rows[i];
        q = store_question(s, q.graph, q.k, 0, q.threads, q.seed);
        snprintf(q.effort, sizeof q.effort, "%s", all->rows[i].effort);
        q.limit = all->rows[i].limit;
        if (q.k >= 1000 && store_find(all, &q) == &all->rows[i])
            print_large(&all->rows[i]);
    }
}

void special_volume(const settings *s, const results *all)
{
    printf("\nobjective volume over METIS's objtype=vol, %g %% imbalance, %d graphs\n",
           100 * s->imbalance, s->ngraphs);
    printf("%-18s %12s %12s\n", "", "volume", "time");
    for (int e = 0; e < s->nefforts; e++)
        for (int t = 0; t < s->nthreads; t++) {
            slice everything = {-1, -1, -1};
            ratios r = table_ours(s, all, s->efforts[e], s->threads[t], everything);
            printf("%-8s %d thread%s %12.3f %12.2f   (%d instances)\n",
                   effort_names[s->efforts[e]], s->threads[t], s->threads[t] == 1 ? " " : "s",
                   r.cut, r.time, r.count);
        }
    int invalid = 0;
    for (int i = 0; i < s->ngraphs; i++)
        for (int j = 0; j < s->nk; j++)
            for (int e = 0; e < s->nefforts; e++) {
                row r;
                int seeds = table_instance(s, all, s->graphs[i], s->k[j], s->efforts[e],
                                           s->threads[0], &r);
                invalid += seeds - (seeds ? r.balanced : 0);
                if (seeds)
                    printf("%-18s k=%-3d %-8s volume %9lld / %9lld = %.3f  time %.2f\n",
                           graph_set[s->graphs[i]].name, s->k[j], effort_names[s->efforts[e]],
                           r.volume / seeds, r.metis_volume / seeds,
                           (double)r.volume / (double)r.metis_volume,
                           r.seconds / r.metis_seconds);
            }
    printf("%d invalid\n", invalid);
}
