/* SPDX-License-Identifier: Apache-2.0 */
/* tests/mpi/mpi_samples.h - random graphs that every rank generates, and owns a range of as a
 * distributed graph: results of all ranks are compared with those of one process for the whole
 * graph. */
#ifndef CLV_TESTS_MPI_SAMPLES_H
#define CLV_TESTS_MPI_SAMPLES_H

#include "base/rng.h"
#include "mpi/dist_graph.h"
#include "support/test.h"

/* Ranges: even, all on the first or on the last rank, at random with empty ones. */
enum { SAMPLE_SPREADS = 4 };

typedef struct sample {
    cleave_graph *whole;
    clv_dist_graph *g;
} sample;

typedef struct sample_spec {
    cleave_kind kind;
    int32_t n;
    double degree; /* edges per vertex */
    bool weighted; /* edges, vertices and sizes */
    int32_t ncon, ndim;
    int32_t heaviest; /* weight of an edge */
} sample_spec;

static inline void *sample_room(int64_t count, size_t each)
{
    void *room = calloc((size_t)(count > 0 ? count : 1), each);
    if (!room)
        abort();
    return room;
}

static inline cleave_graph *sample_whole(const sample_spec *spec, uint64_t seed)
{
    cleave_error err = {0};
    clv_rng rng = clv_rng_make(seed, 1, 0, 0);
    int32_t n = spec->n, *name = sample_room(n, sizeof *name);
    int64_t narc = n > 1 ? (int64_t)(n * spec->degree) : 0;
    cleave_builder *b = NULL;
    cleave_graph *g = NULL;
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    clv_rng_permutation(&rng, n, name);
    CHECK_OK(cleave_builder_create(&b, spec->kind, &err));
    for (int64_t i = 0; i < narc; i++) {
        int32_t x = (int32_t)clv_rng_below(&rng, (uint32_t)n);
        int32_t y = (int32_t)clv_rng_below(&rng, (uint32_t)n);
        int32_t weight = 1 + (int32_t)clv_rng_below(&rng, (uint32_t)spec->heaviest);
        if (i % 3 == 0) /* some structure: neighbours in the hidden order */
            y = (x + 1) % n;
        int32_t tail = name[x < y ? x : y], head = name[x < y ? y : x];
        CHECK_OK(
            cleave_builder_add(b, 1, &tail, &head, spec->weighted ? &weight : NULL, &err));
    }
    int32_t *vwgt = sample_room((int64_t)n * spec->ncon, sizeof *vwgt);
    int32_t *vsize = sample_room(n, sizeof *vsize);
    double *coords = sample_room((int64_t)n * spec->ndim, sizeof *coords);
    for (int64_t i = 0; i < (int64_t)n * spec->ncon; i++)
        vwgt[i] = (int32_t)clv_rng_below(&rng, 5);
    for (int32_t v = 0; v < n; v++)
        vsize[v] = (int32_t)clv_rng_below(&rng, 4);
    for (int64_t i = 0; i < (int64_t)n * spec->ndim; i++)
        coords[i] = clv_rng_unit(&rng) - 0.5;
    csr.ncon = spec->weighted ? spec->ncon : 1;
    csr.vwgt = spec->weighted ? vwgt : NULL;
    csr.vsize = spec->weighted ? vsize : NULL;
    csr.ndim = spec->ndim;
    csr.coords = spec->ndim > 0 ? coords : NULL;
    CHECK_OK(cleave_builder_finish(&g, b, n, &csr, &err));
    cleave_builder_free(b);
    free(name);
    free(vwgt);
    free(vsize);
    free(coords);
    return g;
}

/* A graph created with CLEAVE_TRUST: a directed cycle of n vertices. */
static inline cleave_graph *sample_circle(int32_t n)
{
    cleave_error err = {0};
    cleave_graph *g = NULL;
    cleave_csr csr;
    int64_t *xadj = sample_room(n + INT64_C(1), sizeof *xadj);
    int32_t *adj = sample_room(n, sizeof *adj);
    for (int32_t v = 0; v < n; v++) {
        xadj[v + 1] = v + 1;
        adj[v] = (v + 1) % n;
    }
    cleave_csr_init(&csr, sizeof csr);
    csr.kind = CLEAVE_DAG;
    csr.nvtx = n;
    csr.xadj = xadj;
    csr.adj = adj;
    CHECK_OK(cleave_graph_create(&g, &csr, CLEAVE_TRUST, &err));
    free(xadj);
    free(adj);
    return g;
}

/* first: size + 1. */
static inline void sample_spread(int64_t n, int size, int spread, uint64_t seed,
                                 int64_t *first)
{
    clv_rng rng = clv_rng_make(seed, 2, 0, 0);
    clv_dist_even(n, size, first);
    for (int r = 1; r < size; r++) {
        if (spread == 1)
            first[r] = n;
        if (spread == 2)
            first[r] = 0;
        if (spread == 3)
            first[r] = clv_rng_below(&rng, (uint32_t)n + 1);
    }
    for (int r = 1; spread == 3 && r < size; r++) /* ascending */
        for (int i = r; i > 1 && first[i - 1] > first[i]; i--) {
            int64_t swap = first[i];
            first[i] = first[i - 1];
            first[i - 1] = swap;
        }
}

/* whole is taken over. */
static inline sample sample_deal(const clv_comm *comm, cleave_graph *whole, int spread,
                                 uint64_t seed)
{
    cleave_error err = {0};
    sample s = {.whole = whole};
    int64_t *first = sample_room(comm->size + 1, sizeof *first);
    sample_spread(cleave_graph_vertices(whole), comm->size, spread, seed, first);
    CHECK_OK(clv_dist_graph_scatter(&s.g, comm, whole, first, &err));
    free(first);
    return s;
}

static inline sample sample_make(const clv_comm *comm, const sample_spec *spec, int spread,
                                 uint64_t seed)
{
    return sample_deal(comm, sample_whole(spec, seed), spread, seed);
}

static inline void sample_free(sample *s)
{
    clv_dist_graph_free(s->g);
    cleave_graph_free(s->whole);
}

/* What of an array by vertex is this rank's. */
static inline const int32_t *sample_own(const sample *s, const int32_t *by_vertex)
{
    return by_vertex + s->g->first[s->g->comm.rank];
}

/* Whether all ranks got the same status and the same sentence. */
static inline bool sample_agreed(const clv_comm *comm, cleave_status status,
                                 const cleave_error *err)
{
    cleave_error first = *err;
    int mine = status, all = status;
    MPI_Bcast(&all, 1, MPI_INT, 0, comm->mpi);
    MPI_Bcast(&first, (int)sizeof first, MPI_BYTE, 0, comm->mpi);
    int same =
        mine == all && (status == CLEAVE_OK || strcmp(first.message, err->message) == 0);
    return clv_comm_min(comm, same) == 1;
}

/* Every stride-th allocation of every rank fails once, alone: all ranks must return the same,
 * none may wait for ever, nothing may be lost.  For programs with the failing allocator. */
static inline void sample_fail_each(const clv_comm *comm, int64_t stride,
                                    cleave_status (*call)(void *context, cleave_error *err),
                                    void *context)
{
    cleave_error err = {0};
    int64_t live = test_alloc_live();
    test_alloc_fail_at(0);
    CHECK_OK(call(context, &err));
    int64_t mine = test_alloc_calls(), failed = 0, refused = 0;
    for (int r = 0; r < comm->size; r++) {
        int64_t calls = mine;
        clv_comm_broadcast(comm, &calls, sizeof calls, r);
        for (int64_t nth = 1; nth <= calls; nth += stride, failed++) {
            test_alloc_fail_at(comm->rank == r ? nth : 0);
            cleave_status status = call(context, &err);
            test_alloc_fail_at(0);
            refused += status == CLEAVE_ENOMEM;
            CHECK(status == CLEAVE_ENOMEM || status == CLEAVE_OK);
            CHECK(sample_agreed(comm, status, &err));
            CHECK_EQ(test_alloc_live(), live);
        }
    }
    CHECK(failed > 3);
    CHECK(2 * refused > failed); /* an array may also stay longer than it need be */
}

/* Of all ranks together: any failure fails all. */
static inline int sample_end(const clv_comm *comm)
{
    test_failures_ = (int)clv_comm_sum(comm, test_failures_);
    if (comm->rank == 0)
        return test_end();
    return test_failures_ ? EXIT_FAILURE : EXIT_SUCCESS;
}

#define RUN_ALL(comm, test)                                                                   \
    do {                                                                                      \
        int before_ = test_failures_;                                                         \
        test();                                                                               \
        int failed_ = (int)clv_comm_sum((comm), test_failures_ - before_);                    \
        if ((comm)->rank == 0) {                                                              \
            printf("%s %s\n", failed_ == 0 ? "ok" : "FAILED", #test);                         \
            fflush(stdout);                                                                   \
        }                                                                                     \
    } while (0)

#endif
