/* SPDX-License-Identifier: Apache-2.0 */
/* evaluate/used_parts.c - parts numbered without gaps.
 *
 * A mapping may name far more parts than there are vertices (a partition file with one line
 * "2000000000").  Arrays by part would then be much larger than the graph, so such a mapping
 * is first renumbered to the parts in use, ascending. */
#include "base/group.h"
#include "evaluate/evaluate.h"

#include <string.h>

/* Least significant digit first; three digits of 11 bits cover 0..2^31-1.  The sorted
 * keys end up in `spare`. */
static void radix_sort(int32_t count, int32_t *keys, int32_t *spare, int32_t *tally)
{
    enum { bits = 11, radix = 1 << bits };
    for (int shift = 0; shift < 3 * bits; shift += bits) {
        memset(tally, 0, (radix + 1) * sizeof *tally);
        for (int32_t i = 0; i < count; i++)
            tally[(((uint32_t)keys[i] >> shift) & (radix - 1)) + 1]++;
        clv_running_sums32(tally, radix);
        for (int32_t i = 0; i < count; i++)
            spare[tally[((uint32_t)keys[i] >> shift) & (radix - 1)]++] = keys[i];
        int32_t *swap = keys;
        keys = spare;
        spare = swap;
    }
}

static int32_t drop_repeats(int32_t count, int32_t *sorted)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++)
        if (kept == 0 || sorted[i] != sorted[kept - 1])
            sorted[kept++] = sorted[i];
    return kept;
}

static int32_t place_of(int32_t key, int32_t count, const int32_t *sorted)
{
    int32_t low = 0, high = count - 1;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (sorted[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

cleave_status clv_evaluate_used_parts(int32_t nvtx, int32_t nparts, const int32_t *part,
                                      clv_ws *ws, clv_used_parts *used, cleave_error *err)
{
    *used = (clv_used_parts){nparts, part, NULL};
    if (nparts <= nvtx)
        return CLEAVE_OK;
    int32_t *keys = clv_ws_alloc(ws, nvtx, sizeof *keys);
    int32_t *label = clv_ws_alloc(ws, nvtx, sizeof *label);
    int32_t *tally = clv_ws_alloc(ws, 2049, sizeof *tally);
    if (!keys || !label || !tally)
        return clv_fail_memory(err);
    if (nvtx > 0)
        memcpy(keys, part, (size_t)nvtx * sizeof *keys);
    radix_sort(nvtx, keys, label, tally);
    used->count = drop_repeats(nvtx, label);
    used->label = label;
    for (int32_t v = 0; v < nvtx; v++)
        keys[v] = place_of(part[v], used->count, label);
    used->part = keys;
    return CLEAVE_OK;
}
