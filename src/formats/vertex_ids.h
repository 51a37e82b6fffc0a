/* SPDX-License-Identifier: Apache-2.0 */
/* formats/vertex_ids.h - arbitrary numbers as vertices.
 *
 * During reading, each id gets a code: itself if it is small, otherwise a slot of a hash
 * table.  At the end the codes that occurred are renumbered 0..n-1 in ascending order of their
 * ids. */
#ifndef CLV_FORMATS_VERTEX_IDS_H
#define CLV_FORMATS_VERTEX_IDS_H

#include "graph/build.h"

typedef struct clv_vertex_ids {
    struct clv_id_page **page; /* which small ids occurred, by page; NULL: none yet */
    int64_t *large;            /* ids that are not small, in order of appearance */
    int32_t nlarge, large_room;
    int32_t *slot;       /* hash table: index into large, or -1 */
    int32_t nslots;      /* power of two, or 0 */
    int32_t *large_rank; /* after finish: new number of each large id */
    int32_t nvtx;        /* after finish */
} clv_vertex_ids;        /* zero-initialise */

/* Gives id a code and marks it as present; false: out of memory or too many ids. */
bool clv_vertex_ids_code(clv_vertex_ids *ids, int64_t id, int32_t *code);
/* Fixes the numbering. */
cleave_status clv_vertex_ids_finish(clv_vertex_ids *ids, cleave_error *err);
int32_t clv_vertex_ids_number(const void *ids, int32_t code);
/* Are the ids exactly 0..nvtx-1?  Then vertices need no names. */
bool clv_vertex_ids_plain(const clv_vertex_ids *ids);
/* The ids as names, in memory of the arena. */
cleave_status clv_vertex_ids_names(clv_names *names, const clv_vertex_ids *ids,
                                   clv_arena *arena, cleave_error *err);
void clv_vertex_ids_free(clv_vertex_ids *ids);

#endif
