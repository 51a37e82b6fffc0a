/* SPDX-License-Identifier: Apache-2.0 */
/* compat/metis/layer_options.c - options[]: every slot is checked as METIS 5.1 checks it.
 * Most have a meaning here; those about METIS internals (CTYPE, IPTYPE, RTYPE, NO2HOP, DBGLVL,
 * ...) are ignored. */
#include "layer.h"

idx_t cm_option(const idx_t *options, int slot, idx_t otherwise)
{
    return options && options[slot] != -1 ? options[slot] : otherwise;
}

static bool within(const idx_t *options, int slot, idx_t least, idx_t most)
{
    idx_t value = cm_option(options, slot, least);
    return value >= least && value <= most;
}

/* Slots that METIS reads only in some of its functions are checked only for these. */
static bool slots_valid(const idx_t *o, cm_call call)
{
    bool ok = within(o, METIS_OPTION_CTYPE, METIS_CTYPE_RM, METIS_CTYPE_SHEM) &&
              within(o, METIS_OPTION_NITER, 1, IDX_MAX) &&
              within(o, METIS_OPTION_UFACTOR, 1, IDX_MAX) &&
              within(o, METIS_OPTION_NUMBERING, 0, 1);
    if (call == CM_KWAY)
        return ok && within(o, METIS_OPTION_OBJTYPE, METIS_OBJTYPE_CUT, METIS_OBJTYPE_VOL) &&
               within(o, METIS_OPTION_NCUTS, 1, IDX_MAX) &&
               within(o, METIS_OPTION_MINCONN, 0, 1) && within(o, METIS_OPTION_CONTIG, 0, 1);
    ok = ok && within(o, METIS_OPTION_IPTYPE, METIS_IPTYPE_GROW, METIS_IPTYPE_NODE);
    if (call == CM_RECURSIVE)
        return ok && within(o, METIS_OPTION_OBJTYPE, METIS_OBJTYPE_CUT, METIS_OBJTYPE_CUT) &&
               within(o, METIS_OPTION_NCUTS, 1, IDX_MAX);
    return ok && within(o, METIS_OPTION_OBJTYPE, METIS_OBJTYPE_CUT, METIS_OBJTYPE_NODE) &&
           within(o, METIS_OPTION_RTYPE, METIS_RTYPE_FM, METIS_RTYPE_SEP1SIDED) &&
           within(o, METIS_OPTION_NSEPS, 1, IDX_MAX) &&
           within(o, METIS_OPTION_COMPRESS, 0, 1) && within(o, METIS_OPTION_CCORDER, 0, 1);
}

/* METIS refines NITER times, 10 by default, and tries NSEPS separators, 1 by default.  Much
 * larger values select a higher effort level. */
static cleave_effort effort_of(const idx_t *options, cm_call call)
{
    enum { many = 20, most = 100, several = 4 };
    idx_t niter = cm_option(options, METIS_OPTION_NITER, 10);
    idx_t nseps = cm_option(options, METIS_OPTION_NSEPS, 1);
    if (call == CM_ORDER || call == CM_SEPARATOR)
        return nseps > several ? CLEAVE_EFFORT_QUALITY : CLEAVE_EFFORT_DEFAULT;
    if (niter > most)
        return CLEAVE_EFFORT_QUALITY;
    return niter > many ? CLEAVE_EFFORT_DEFAULT : CLEAVE_EFFORT_FAST;
}

/* In thousandths. */
static idx_t default_ufactor(cm_call call, idx_t ncon)
{
    enum { kway = 30, bisection = 1, several_weights = 10, separator = 200 };
    if (call == CM_KWAY)
        return kway;
    if (call == CM_RECURSIVE)
        return ncon > 1 ? several_weights : bisection;
    return separator;
}

bool cm_settings_read(cm_settings *s, const idx_t *options, cm_call call, idx_t ncon)
{
    if (!slots_valid(options, call))
        return false;
    idx_t ufactor = cm_option(options, METIS_OPTION_UFACTOR, default_ufactor(call, ncon));
    bool kway = call == CM_KWAY;
    *s = (cm_settings){
        .objective = kway && cm_option(options, METIS_OPTION_OBJTYPE, METIS_OBJTYPE_CUT) ==
                                 METIS_OBJTYPE_VOL
                         ? CLEAVE_OBJECTIVE_VOLUME
                         : CLEAVE_OBJECTIVE_CUT,
        .effort = effort_of(options, call),
        .ncuts = cm_option(options, METIS_OPTION_NCUTS, 1),
        .numbering = cm_option(options, METIS_OPTION_NUMBERING, 0),
        .seed = (uint64_t)cm_option(options, METIS_OPTION_SEED, 1),
        .minconn = kway && cm_option(options, METIS_OPTION_MINCONN, 0) == 1,
        .contig = kway && cm_option(options, METIS_OPTION_CONTIG, 0) == 1,
        .imbalance = (double)ufactor / 1000,
    };
    return true;
}

METIS_API(int) METIS_SetDefaultOptions(idx_t *options)
{
    if (!options)
        return METIS_ERROR_INPUT;
    for (int slot = 0; slot < METIS_NOPTIONS; slot++)
        options[slot] = -1;
    return METIS_OK;
}
