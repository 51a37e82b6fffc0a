/* SPDX-License-Identifier: Apache-2.0 */
/* order/split_line.c - splits an order for PEs: their sequence along it, then the cuts. */
#include "graph/share.h"
#include "order/split.h"

/* Equal PEs need no sequence, and with more PEs than fit on the stack it no longer has an
 * effect. Grouping very many PEs that are exchanged afterwards gains nothing either. */
void clv_split_line(const clv_order *o, const clv_split_rule *rule, int32_t *begin,
                    int32_t *end)
{
    enum { most = 8192, most_grouped = 256 };
    int32_t sequence[most];
    int32_t npes = rule->npes;
    const double *speed = rule->speed;
    bool free = speed && rule->grouping != CLV_GROUPING_SIMPLE && npes <= most;
    bool grouped = !rule->arranged || !o->crossing || npes <= most_grouped;
    if (free)
        clv_grouping_sequence(grouped ? rule->grouping : CLV_GROUPING_SIMPLE, speed, npes,
                              sequence, end);
    if (free && rule->arranged)
        clv_split_arrange(o, npes, speed, sequence);
    clv_split(o, rule, free ? sequence : NULL, begin, end);
}

cleave_status clv_split_check(const clv_order *o, const clv_split_rule *rule,
                              const int32_t *begin, const int32_t *end, cleave_error *err)
{
    int64_t total = o->before[o->nvtx];
    clv_share_rule shares = clv_share_rule_make(rule->speed, rule->npes, 1);
    for (int32_t pe = 0; pe < rule->npes; pe++) {
        int64_t weight = o->before[end[pe]] - o->before[begin[pe]];
        int64_t bound = clv_share_bound(&shares, total, pe, rule->imbalance);
        if (weight > bound)
            return clv_fail(err, CLEAVE_EBALANCE,
                            "the vertices are too heavy to cut the line there: PE %ld holds "
                            "%lld, above its bound %lld",
                            (long)pe, (long long)weight, (long long)bound);
    }
    return CLEAVE_OK;
}
