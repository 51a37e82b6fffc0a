/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/generate.c - graph generators: by all ranks, or by rank 0 with a scatter. */
#include "mpi/generate.h"

#include <string.h>

#include "cleave/cleave_mpi.h"
#include "mpi/team.h"

/* ---- Selection -------------------------------------------------------------------------- */

static cleave_status generate_on_one(clv_dist_graph **out, const clv_comm *comm,
                                     const char *text, const clv_making *how,
                                     cleave_error *err)
{
    clv_graph *whole = NULL;
    cleave_status status = CLEAVE_OK;
    if (comm->rank == 0)
        status = clv_generate(&whole, text, how, err);
    status = clv_comm_agree(comm, status, err);
    if (status == CLEAVE_OK)
        status = clv_dist_graph_scatter(out, comm, whole, NULL, err);
    clv_graph_free(whole);
    return status;
}

cleave_status clv_dist_generate(clv_dist_graph **out, const clv_comm *comm, const char *text,
                                const clv_making *how, cleave_error *err)
{
    static const struct {
        CLV_GENERATOR((*whole));
        CLV_DIST_GENERATOR((*share));
    } table[] = {{clv_generate_grid2d, clv_dist_generate_grid2d},
                 {clv_generate_grid3d, clv_dist_generate_grid3d},
                 {clv_generate_geometric, clv_dist_generate_geometric},
                 {clv_generate_rmat, clv_dist_generate_rmat}};
    size_t length;
    const clv_generator *kind = clv_generator_find(text, &length);
    *out = NULL;
    for (size_t i = 0; kind && i < sizeof table / sizeof *table; i++)
        if (table[i].whole == kind->make) {
            clv_spec spec = clv_spec_start(text, length, kind->form);
            return table[i].share(out, comm, &spec, how, err);
        }
    return generate_on_one(out, comm, text, how, err);
}

static cleave_status read_arguments(cleave_generate_options *known, cleave_mpi_graph **out,
                                    const char *spec, const cleave_generate_options *opt,
                                    cleave_error *err)
{
    *known = (cleave_generate_options){.seed = 1};
    if (!out || !spec)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", out ? "spec" : "out");
    return opt ? clv_sized_copy(known, sizeof *known, opt, "options", err) : CLEAVE_OK;
}

static cleave_status generate(cleave_mpi_graph **out, const clv_comm *comm, const char *spec,
                              const cleave_generate_options *opt, cleave_error *err)
{
    cleave_generate_options known;
    CLV_TRY(clv_comm_agree(comm, read_arguments(&known, out, spec, opt, err), err));
    clv_making how = {.seed = known.seed};
    cleave_status status = clv_mpi_team(&how.team, comm, known.threads, err);
    status = clv_comm_agree(comm, status, err);
    if (status == CLEAVE_OK)
        status = clv_dist_generate(out, comm, spec, &how, err);
    clv_team_free(how.team);
    return status;
}

cleave_status cleave_mpi_graph_generate(cleave_mpi_graph **out, MPI_Comm mpi, const char *spec,
                                        const cleave_generate_options *opt, cleave_error *err)
{
    clv_comm comm;
    if (out)
        *out = NULL;
    CLV_TRY(clv_comm_open(&comm, mpi, err));
    cleave_status status = generate(out, &comm, spec, opt, err);
    if (status == CLEAVE_OK)
        (*out)->owns_comm = true;
    else
        clv_comm_close(&comm);
    return status;
}

/* ---- Distribution ----------------------------------------------------------------------- */

cleave_status clv_deal_open(clv_deal *deal, const clv_comm *comm, int64_t nblock, int batch,
                            cleave_error *err)
{
    *deal = (clv_deal){.comm = comm, .nblock = nblock, .batch = batch};
    deal->first = clv_alloc(comm->size + 1, sizeof *deal->first);
    deal->next = clv_alloc(comm->size, sizeof *deal->next);
    return clv_comm_agree_memory(comm, deal->first && deal->next, err);
}

void clv_deal_close(clv_deal *deal)
{
    clv_sys_free(deal->first);
    clv_sys_free(deal->next);
    *deal = (clv_deal){0};
}

int64_t clv_deal_rounds(const clv_deal *deal)
{
    int64_t round = (int64_t)deal->comm->size * deal->batch;
    return (deal->nblock + round - 1) / round;
}

int64_t clv_deal_blocks(const clv_deal *deal, int64_t round, int *count)
{
    int64_t begin = (round * deal->comm->size + deal->comm->rank) * deal->batch;
    int64_t left = deal->nblock - begin;
    *count = left <= 0 ? 0 : left < deal->batch ? (int)left : deal->batch;
    return begin;
}

void clv_deal_start(const clv_deal *deal)
{
    memset(deal->next, 0, (size_t)deal->comm->size * sizeof *deal->next);
}

int64_t clv_deal_place(const clv_deal *deal)
{
    int64_t sum = 0;
    for (int r = 0; r < deal->comm->size; r++) {
        int64_t count = deal->next[r];
        deal->first[r] = deal->next[r] = sum;
        sum += count;
    }
    deal->first[deal->comm->size] = sum;
    return sum;
}

cleave_status clv_deal_send(const clv_deal *deal, const void *items, size_t each,
                            clv_arrivals *got, cleave_error *err)
{
    return clv_comm_exchange(deal->comm, items, deal->first, each, got, err);
}
