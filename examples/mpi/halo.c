/* SPDX-License-Identifier: Apache-2.0 */
/* halo [SIDE | GRAPH] - heat on a mesh that lies on many ranks: docs/parmetis.md.
 *
 *   mpicc halo.c $(pkg-config --cflags --libs cleave-mpi) -o halo && mpirun -n 4 ./halo 200
 *
 * A grid of SIDE x SIDE vertices (200), or a graph file, is divided among the ranks; every
 * vertex goes where it belongs.  Then heat spreads: in each step a vertex takes the mean of
 * itself and its neighbours, for which the ranks exchange what their neighbours have at the
 * border.  A flame moves on from phase to phase; where it is hot a vertex is more work.  So
 * after each phase the vertices get new weights, the ranks remap, and graph and heat migrate.
 *
 * Heat is an integer, so that sums do not depend on their order: in the end rank 0 computes
 * everything alone, and the two results must be the same, bit by bit. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cleave/cleave_mpi.h>

enum { phases = 4, steps = 40, flame_bits = 40, hot_bits = 22, hot_work = 8 };

static int rank, size;

/* The part of the mesh that this rank has now. */
typedef struct piece {
    cleave_mpi_graph *g;
    cleave_mpi_local view;
    int64_t *id;          /* by own vertex: its number in the beginning */
    int64_t *heat, *next; /* by own vertex, then by ghost */
} piece;

static void fail(const char *what, const char *why)
{
    if (rank == 0)
        fprintf(stderr, "halo: %s: %s\n", what, why);
    MPI_Finalize(); /* errors are those of all ranks, so everybody is here */
    exit(EXIT_FAILURE);
}

static void must(cleave_status status, const char *what, const cleave_error *err)
{
    if (status != CLEAVE_OK && status != CLEAVE_EBALANCE) /* the best there is will do */
        fail(what, err->message);
}

static int64_t *numbers(int64_t count)
{
    int64_t *block = calloc((size_t)count + 1, sizeof *block);
    if (!block)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE); /* this is the trouble of one rank alone */
    return block;
}

static int64_t sum_of(int64_t mine)
{
    int64_t all;
    MPI_Allreduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

/* ---- What happens at a vertex -------------------------------------------------------- */

static int32_t work_at(int64_t heat)
{
    return heat >> hot_bits ? hot_work : 1;
}

/* sum: of the vertex and its neighbours, which are count together. */
static int64_t new_heat(int64_t sum, int64_t count, int is_flame)
{
    int64_t heat = is_flame ? (int64_t)1 << flame_bits : sum / count;
    int32_t work = work_at(heat);
    for (int32_t i = 0; i < work; i++) /* what is hot cools in small steps */
        heat -= heat >> 8;
    return heat;
}

static int64_t flame_of(int phase, int64_t vertices)
{
    return (2 * phase + 1) * vertices / (2 * phases);
}

/* A checksum that does not depend on who adds up what. */
static uint64_t mark(int64_t id, int64_t heat)
{
    uint64_t x = (uint64_t)id * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)heat;
    x = (x ^ x >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
    return x ^ x >> 29;
}

/* ---- Steps with a halo --------------------------------------------------------------- */

static void step(piece *p, int64_t flame, cleave_error *err)
{
    const cleave_mpi_local *v = &p->view;
    must(cleave_mpi_exchange(p->g, p->heat, sizeof *p->heat, err), "exchange", err);
    for (int32_t i = 0; i < v->nlocal; i++) {
        int64_t sum = p->heat[i], count = 1 + v->xadj[i + 1] - v->xadj[i];
        for (int64_t a = v->xadj[i]; a < v->xadj[i + 1]; a++)
            sum += p->heat[v->adj[a]];
        p->next[i] = new_heat(sum, count, p->id[i] == flame);
    }
    int64_t *swap = p->heat;
    p->heat = p->next;
    p->next = swap;
}

static uint64_t checksum(const piece *p)
{
    uint64_t mine = 0;
    for (int32_t i = 0; i < p->view.nlocal; i++)
        mine += mark(p->id[i], p->heat[i]);
    return (uint64_t)sum_of((int64_t)mine);
}

/* The same on one rank, with the whole graph. */
static uint64_t serial_checksum(const cleave_graph *g)
{
    cleave_csr csr;
    uint64_t sum = 0;
    cleave_csr_init(&csr, sizeof csr);
    cleave_graph_view(g, &csr);
    int64_t *heat = numbers(csr.nvtx), *next = numbers(csr.nvtx);
    for (int t = 0; t < phases * steps; t++) {
        for (int32_t v = 0; v < csr.nvtx; v++) {
            int64_t total = heat[v], count = 1 + csr.xadj[v + 1] - csr.xadj[v];
            for (int64_t a = csr.xadj[v]; a < csr.xadj[v + 1]; a++)
                total += heat[csr.adj[a]];
            next[v] = new_heat(total, count, v == flame_of(t / steps, csr.nvtx));
        }
        int64_t *swap = heat;
        heat = next;
        next = swap;
    }
    for (int32_t v = 0; v < csr.nvtx; v++)
        sum += mark(v, heat[v]);
    free(heat);
    free(next);
    return sum;
}

/* ---- Vertices that move -------------------------------------------------------------- */

static void piece_open(piece *p, cleave_mpi_graph *g)
{
    p->g = g;
    cleave_mpi_local_init(&p->view, sizeof p->view);
    cleave_mpi_graph_view(g, &p->view);
    p->id = numbers(p->view.nlocal);
    p->heat = numbers((int64_t)p->view.nlocal + p->view.nghost);
    p->next = numbers((int64_t)p->view.nlocal + p->view.nghost);
}

static void piece_close(piece *p)
{
    cleave_mpi_graph_free(p->g);
    free(p->id);
    free(p->heat);
    free(p->next);
}

/* Everything goes to the ranks that own it now. */
static void move(piece *p, const int32_t *owner, cleave_error *err)
{
    piece there;
    cleave_mpi_graph *g = NULL;
    int64_t *number = numbers(p->view.nlocal);
    must(cleave_mpi_redistribute(&g, p->g, owner, number, err), "redistributing", err);
    piece_open(&there, g);
    must(cleave_mpi_migrate(p->g, g, number, p->id, sizeof *p->id, there.id, err), "migrating",
         err);
    must(cleave_mpi_migrate(p->g, g, number, p->heat, sizeof *p->heat, there.heat, err),
         "migrating", err);
    free(number);
    piece_close(p);
    *p = there;
}

/* The graph gets the weights of now.  Its rows are valid, so they are not checked again. */
static void weigh(piece *p, cleave_error *err)
{
    const cleave_mpi_local *v = &p->view;
    const int64_t *vtxdist = cleave_mpi_graph_vtxdist(p->g);
    int64_t *adj = numbers(v->xadj[v->nlocal]);
    int32_t *vwgt = (int32_t *)numbers(v->nlocal);
    cleave_mpi_graph *g = NULL;
    cleave_mpi_csr csr;
    for (int64_t a = 0; a < v->xadj[v->nlocal]; a++)
        adj[a] = v->adj[a] < v->nlocal ? vtxdist[rank] + v->adj[a]
                                       : v->ghost[v->adj[a] - v->nlocal];
    for (int32_t i = 0; i < v->nlocal; i++)
        vwgt[i] = work_at(p->heat[i]);
    cleave_mpi_csr_init(&csr, sizeof csr);
    csr.vtxdist = vtxdist;
    csr.xadj = v->xadj;
    csr.adj = adj;
    csr.ewgt = v->ewgt;
    csr.vwgt = vwgt;
    must(cleave_mpi_graph_create(&g, MPI_COMM_WORLD, &csr, CLEAVE_TRUST, err), "weights", err);
    free(adj);
    free(vwgt);
    cleave_mpi_graph_free(p->g);
    p->g = g;
    cleave_mpi_graph_view(g, &p->view);
}

/* ---- Who has what -------------------------------------------------------------------- */

static int32_t *all_here(const piece *p)
{
    int32_t *owner = (int32_t *)numbers(p->view.nlocal);
    for (int32_t i = 0; i < p->view.nlocal; i++)
        owner[i] = rank;
    return owner;
}

static cleave_metrics judge(const piece *p, cleave_error *err)
{
    cleave_metrics metrics;
    int32_t *owner = all_here(p);
    cleave_metrics_init(&metrics, sizeof metrics);
    must(cleave_mpi_evaluate(&metrics, p->g, size, owner, NULL, err), "judging", err);
    free(owner);
    return metrics;
}

/* Chooses owners, at first and then anew, and moves to them what is elsewhere; how many
 * vertices that were.  A vertex that moves is about 64 bytes, once; an edge that is cut is 16
 * bytes, in each step. */
static int64_t distribute(piece *p, const cleave_target *ranks, int anew, cleave_error *err)
{
    int64_t moved = 0;
    int32_t *owner = all_here(p);
    cleave_remap_options opt;
    cleave_remap_options_init(&opt, sizeof opt);
    opt.migration_price = 64.0 / (16 * steps);
    must(anew ? cleave_mpi_remap(owner, p->g, owner, size, ranks, &opt, err)
              : cleave_mpi_map(owner, p->g, ranks, NULL, err),
         "mapping", err);
    for (int32_t i = 0; i < p->view.nlocal; i++)
        moved += owner[i] != rank;
    move(p, owner, err);
    free(owner);
    return sum_of(moved);
}

static void print_phase(int phase, const cleave_metrics *before, const cleave_metrics *now,
                        int64_t moved, double map, double all_steps, int64_t halo)
{
    if (rank == 0 && phase == 0)
        printf("phase      cut    imbalance      moved  map [s]  steps [s]  halo [bytes]\n");
    if (rank == 0)
        printf("%5d %8" PRId64 " %6.3f -> %5.3f %9" PRId64 " %8.3f %10.3f %13" PRId64 "\n",
               phase, now->cut, before->imbalance, now->imbalance, moved, map, all_steps,
               halo);
}

static void simulate(piece *p, cleave_error *err)
{
    cleave_target *ranks = NULL;
    int64_t vertices = cleave_mpi_graph_vertices(p->g);
    must(cleave_target_create(&ranks, size, NULL, err), "ranks", err);
    for (int phase = 0; phase < phases; phase++) {
        if (phase > 0)
            weigh(p, err);
        cleave_metrics before = judge(p, err);
        double start = MPI_Wtime();
        int64_t moved = distribute(p, ranks, phase > 0, err);
        double ready = MPI_Wtime();
        for (int t = 0; t < steps; t++)
            step(p, flame_of(phase, vertices), err);
        double end = MPI_Wtime();
        cleave_metrics now = judge(p, err);
        print_phase(phase, &before, &now, moved, ready - start, end - ready,
                    sum_of((int64_t)p->view.nghost * (int64_t)sizeof *p->heat));
    }
    cleave_target_free(ranks);
}

/* ---- The mesh ------------------------------------------------------------------------- */

/* A number of digits is the side of a grid; anything else a file.  On all ranks, or whole. */
static void read_mesh(const char *name, cleave_mpi_graph **shared, cleave_graph **whole,
                      cleave_error *err)
{
    char spec[64];
    cleave_status status;
    if (strspn(name, "0123456789") < strlen(name)) {
        status = shared ? cleave_mpi_graph_read(shared, MPI_COMM_WORLD, name, NULL, err)
                        : cleave_graph_read(whole, name, NULL, err);
    } else {
        snprintf(spec, sizeof spec, "grid2d:%.9sx%.9s", name, name);
        status = shared ? cleave_mpi_graph_generate(shared, MPI_COMM_WORLD, spec, NULL, err)
                        : cleave_graph_generate(whole, spec, NULL, err);
    }
    if (status != CLEAVE_OK && whole)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    must(status, name, err);
}

/* Compared on rank 0; all ranks return the result. */
static int same_as_serial(const char *name, uint64_t parallel, cleave_error *err)
{
    int same = 0;
    if (rank == 0) {
        cleave_graph *whole = NULL;
        read_mesh(name, NULL, &whole, err);
        uint64_t serial = serial_checksum(whole);
        cleave_graph_free(whole);
        same = serial == parallel;
        printf("checksum %016" PRIx64 ", on one rank %016" PRIx64 ": %s\n", parallel, serial,
               same ? "the same" : "WRONG");
    }
    MPI_Bcast(&same, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return same;
}

int main(int argc, char **argv)
{
    cleave_error err = {CLEAVE_OK, ""};
    cleave_mpi_graph *g = NULL;
    piece p;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 2)
        fail("usage", "halo [SIDE | GRAPH]");
    const char *name = argc == 2 ? argv[1] : "200";
    read_mesh(name, &g, NULL, &err);
    piece_open(&p, g);
    for (int32_t i = 0; i < p.view.nlocal; i++)
        p.id[i] = cleave_mpi_graph_vtxdist(g)[rank] + i;
    simulate(&p, &err);
    int same = same_as_serial(name, checksum(&p), &err);
    piece_close(&p);
    MPI_Finalize();
    return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
