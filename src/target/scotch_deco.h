/* SPDX-License-Identifier: Apache-2.0 */
/* target/scotch_deco.h - the three kinds of Scotch's decomposition-defined targets, after the
 * word "deco":
 *
 *   0 PES LARGEST (LABEL WEIGHT DOMAIN)... DISTANCE...
 *     Domains are numbered like the nodes of a heap: 1 is the machine, 2i and 2i + 1 are the
 *     halves of i; LARGEST is the largest domain of a PE.  Distances of PEs below the
 *     diagonal, row by row.
 *   1 PES DOMAINS (LABEL SIZE WEIGHT)... DISTANCE...
 *     The same compiled: all domains 1..DOMAINS, with size 0 for missing ones, and the
 *     distances of all of them.
 *   2 PES LEVELS ENTRIES (DOMAIN VERTEX)... (9 numbers of each of 2 PES - 1 domains)...
 *     (GRAPH DIAMETER)... ENTRY...
 *     PEs are vertices of the first graph; the graphs after it are coarser. */
#ifndef CLV_TARGET_SCOTCH_DECO_H
#define CLV_TARGET_SCOTCH_DECO_H

#include "formats/text.h"
#include "target/target.h"

/* Reads what follows the word "deco".  For kind 2 only the graph, the list of PEs and their
 * weights are used: the tree is recomputed, and distances are those of target/graph_target.h,
 * which are at least as accurate as Scotch's. */
cleave_status clv_scotch_deco(clv_target **out, clv_text *text);
cleave_status clv_scotch_deco2(clv_target **out, clv_text *text); /* scotch_deco2.c */

/* The failure of the constructor of a target, with the position in the file added. */
cleave_status clv_scotch_blame(const clv_text *text, cleave_status status,
                               const cleave_error *inner);

#endif
