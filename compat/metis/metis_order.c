/* SPDX-License-Identifier: Apache-2.0 */
/* compat/metis/metis_order.c - METIS_NodeND, METIS_ComputeVertexSeparator and
 * METIS_NodeRefine.
 *
 * COMPRESS, CCORDER and PFACTOR control how METIS treats vertices with the same neighbours,
 * components and dense rows; the nested dissection of cleave always detects all of them. */
#include "layer.h"

static void hand_out(const int32_t *place, const cm_arrays *a, idx_t *perm, idx_t *iperm)
{
    for (idx_t i = 0; i < a->nvtx; i++) {
        perm[i] = place[i] + a->numbering;
        iperm[place[i]] = i + a->numbering;
    }
}

METIS_API(int)
METIS_NodeND(idx_t *nvtxs, idx_t *xadj, idx_t *adjncy, idx_t *vwgt, idx_t *options,
             idx_t *perm, idx_t *iperm)
{
    cm_settings settings;
    cleave_order_options opt;
    cm_graph graph;
    cleave_order *order = NULL;
    if (!nvtxs || (*nvtxs > 0 && (!perm || !iperm)) ||
        !cm_settings_read(&settings, options, CM_ORDER, 1))
        return METIS_ERROR_INPUT;
    cm_arrays arrays = {*nvtxs, 1, xadj, adjncy, vwgt, NULL, NULL, settings.numbering};
    int status = cm_graph_open(&graph, &arrays);
    cleave_order_options_init(&opt, sizeof opt);
    opt.method = "nd";
    opt.seed = settings.seed;
    opt.effort = settings.effort;
    opt.threads = 1;
    if (status == METIS_OK)
        status = cm_status(cleave_order_build(&order, graph.g, &opt, NULL));
    if (status == METIS_OK)
        hand_out(cleave_order_view(order), &arrays, perm, iperm);
    cleave_order_free(order);
    cm_graph_close(&graph);
    return status;
}

/* METIS ignores NUMBERING in all functions for ParMETIS: their arrays count from 0.  Arrays
 * that count from 1, with NUMBERING set, are accepted as well. */
idx_t cm_numbering_of(const cm_settings *settings, const idx_t *xadj)
{
    return settings->numbering == 1 && xadj && xadj[0] == 1;
}

/* The sides are 0 and 1 and the separator is 2 in either numbering.  *sepsize: its weight. */
METIS_API(int)
METIS_ComputeVertexSeparator(idx_t *nvtxs, idx_t *xadj, idx_t *adjncy, idx_t *vwgt,
                             idx_t *options, idx_t *sepsize, idx_t *part)
{
    cm_settings settings;
    cleave_separator_options opt;
    cm_graph graph;
    cleave_mapping *mapping = NULL;
    if (!nvtxs || !sepsize || (*nvtxs > 0 && !part) ||
        !cm_settings_read(&settings, options, CM_SEPARATOR, 1))
        return METIS_ERROR_INPUT;
    idx_t numbering = cm_numbering_of(&settings, xadj);
    cm_arrays arrays = {*nvtxs, 1, xadj, adjncy, vwgt, NULL, NULL, numbering};
    int status = cm_graph_open(&graph, &arrays);
    cleave_separator_options_init(&opt, sizeof opt);
    opt.imbalance = settings.imbalance;
    opt.seed = settings.seed;
    opt.effort = settings.effort;
    opt.threads = 1;
    if (status == METIS_OK)
        status = cm_status(cleave_separator(&mapping, graph.g, &opt, NULL, NULL));
    int64_t weight = 0;
    for (idx_t v = 0; status == METIS_OK && v < arrays.nvtx; v++) {
        part[v] = cleave_mapping_parts(mapping)[v];
        weight += part[v] == 2 ? (vwgt ? vwgt[v] : 1) : 0;
    }
    if (status == METIS_OK)
        *sepsize = cm_narrow(weight);
    cleave_mapping_free(mapping);
    cm_graph_close(&graph);
    return status;
}

/* ParMETIS refines projected separators with this function; the input is already a separator
 * and is returned unchanged. */
METIS_API(int)
METIS_NodeRefine(idx_t nvtxs, idx_t *xadj, idx_t *vwgt, idx_t *adjncy, idx_t *where,
                 idx_t *hmarker, real_t ubfactor)
{
    (void)vwgt, (void)adjncy, (void)hmarker, (void)ubfactor;
    return nvtxs >= 0 && xadj && (where || nvtxs == 0) ? METIS_OK : METIS_ERROR_INPUT;
}
