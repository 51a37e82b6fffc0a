/* SPDX-License-Identifier: Apache-2.0 */
/* target/scotch_deco.h - the three kinds of Scotch's decomposition-defined targets, behind the
 * word "deco":
 *   0 PES LARGEST (LABEL WEIGHT DOMAIN)... DISTANCE...
 *     a domain is numbered like a node of a heap: 1 is the machine, 2i and 2i + 1 the halves
 * of i, LARGEST the largest of a PE; distances of PEs below the diagonal, row by row; 1 PES
 * DOMAINS (LABEL SIZE WEIGHT)... DISTANCE... the same compiled: all domains 1..DOMAINS, those
 * that do not exist with size 0, and the distances of them all; 2 PES LEVELS ENTRIES (DOMAIN
 * VERTEX)... (9 numbers of each of 2 PES - 1 domains)... (GRAPH DIAMETER)... ENTRY... PEs
 * among the vertices of a graph, the first; coarser ones behind it. */
#ifndef CLV_TARGET_SCOTCH_DECO_H
#define CLV_TARGET_SCOTCH_DECO_H

#include "formats/text.h"
#include "target/target.h"

/* Reads what follows the word "deco".  Of kind 2 only the graph, the list of PEs and their
 * weights are used: the tree is recomputed, and distances are those of target/graph_target.h,
 * no worse than Scotch's. */
cleave_status clv_scotch_deco(clv_target **out, clv_text *text);
cleave_status clv_scotch_deco2(clv_target **out, clv_text *text); /* scotch_deco2.c */

/* The failure of something that made a target, now with the place in the file. */
cleave_status clv_scotch_blame(const clv_text *text, cleave_status status,
                               const cleave_error *inner);

#endif
