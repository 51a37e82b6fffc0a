/* SPDX-License-Identifier: Apache-2.0 */
/* order/split_arrange.c - chooses the sequence of the processors along the order, so that few
 * edges cross the cuts.
 *
 * Exchanging two processors near each other moves the cuts between them and no others.  Local
 * search makes improving exchanges, up to a bounded number of places read. */
#include "order/cutter.h"

enum { farthest = 4, most_looks = 4096, many_pes = 256 };

typedef struct arranging {
    clv_cutter c;
    int32_t *sequence;
    int32_t looks;
} arranging;

static int64_t crossing_at(arranging *a, double weight)
{
    a->looks++;
    return a->c.o->crossing[clv_cutter_nearest(&a->c, 0, a->c.o->nvtx, weight)];
}

static double share_at(const arranging *a, int32_t i)
{
    return clv_share_of(&a->c.rule, a->c.total, a->sequence[i]);
}

/* `before`: the sum of the shares before the i-th. */
static bool exchange_pays(arranging *a, int32_t i, int32_t j, double before)
{
    double shift = share_at(a, j) - share_at(a, i), at = before;
    int64_t now = 0, then = 0;
    if (shift == 0)
        return false;
    for (int32_t k = i; k < j; k++) {
        at += share_at(a, k);
        now += crossing_at(a, at);
        then += crossing_at(a, at + shift);
    }
    return then < now;
}

static bool exchange_all(arranging *a, int32_t apart)
{
    double before = 0;
    bool better = false;
    for (int32_t i = 0; i + apart < a->c.npes && a->looks < most_looks; i++) {
        if (exchange_pays(a, i, i + apart, before)) {
            int32_t pe = a->sequence[i];
            a->sequence[i] = a->sequence[i + apart];
            a->sequence[i + apart] = pe;
            better = true;
        }
        before += share_at(a, i);
    }
    return better;
}

void clv_split_arrange(const clv_order *o, int32_t npes, const double *speed,
                       int32_t *sequence)
{
    arranging a = {.sequence = sequence};
    if (!o->crossing || !speed)
        return;
    clv_cutter_open(&a.c, o, npes, speed, 0);
    if (npes > many_pes) {
        exchange_all(&a, 1);
        return;
    }
    for (bool better = true; better && a.looks < most_looks;) {
        better = false;
        for (int32_t apart = 1; apart <= farthest; apart++)
            better = exchange_all(&a, apart) || better;
    }
}
