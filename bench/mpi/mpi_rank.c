/* SPDX-License-Identifier: Apache-2.0 */
/* bench/mpi/mpi_rank.c - the program that bench/mpi/mpi.py runs on each rank: maps one graph a
 * few times.
 *
 *   bench_mpi_rank GRAPH|SPEC TARGET EFFORT GATHER REPEAT
 *
 * GATHER 0: the default.  Rank 0 prints a line of names and numbers, then a line per level.
 * Peak memory is VmHWM of /proc/self/status; a rank's share is 8 bytes for each of its
 * vertices and 4 for each of its arcs. */
#include <cleave/cleave_mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double peak_bytes(void)
{
    char line[256];
    double kib = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "VmHWM:", 6) == 0)
            kib = atof(line + 6);
    if (file)
        fclose(file);
    return 1024 * kib;
}

static void check(cleave_status status, const cleave_error *err)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (status == CLEAVE_OK || status == CLEAVE_EBALANCE)
        return;
    if (rank == 0)
        fprintf(stderr, "bench_mpi_rank: %s\n", err->message);
    MPI_Finalize();
    exit(EXIT_FAILURE);
}

static double largest(double mine)
{
    double all;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

static cleave_mpi_graph *open_graph(const char *name)
{
    cleave_error err = {0};
    cleave_mpi_graph *g = NULL;
    FILE *file = fopen(name, "r");
    if (file)
        fclose(file);
    check(file ? cleave_mpi_graph_read(&g, MPI_COMM_WORLD, name, NULL, &err)
               : cleave_mpi_graph_generate(&g, MPI_COMM_WORLD, name, NULL, &err),
          &err);
    return g;
}

typedef struct measured {
    cleave_map_report report;
    cleave_mpi_traffic traffic;
    double seconds; /* the minimum, of the slowest rank */
    double peak;    /* of this rank after the first mapping, before its evaluation */
    int valid;      /* result of cleave_mpi_evaluate */
} measured;

static void map_once(measured *m, const cleave_mpi_graph *g, const cleave_target *t,
                     cleave_options *opt, int32_t *part)
{
    cleave_error err = {0};
    cleave_metrics metrics;
    cleave_metrics_init(&metrics, sizeof metrics);
    opt->report = &m->report;
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    cleave_status status = cleave_mpi_map_traffic(part, g, t, opt, &m->traffic, &err);
    double seconds = largest(MPI_Wtime() - begin);
    check(status, &err);
    m->peak = m->peak == 0 ? peak_bytes() : m->peak;
    m->seconds = m->seconds == 0 || seconds < m->seconds ? seconds : m->seconds;
    check(cleave_mpi_evaluate(&metrics, g, cleave_target_pes(t), part, NULL, &err), &err);
    m->valid = status == CLEAVE_OK && metrics.balanced && metrics.empty_parts == 0 &&
               metrics.cut == m->report.cut;
}

static void print_result(const measured *m, const cleave_mpi_graph *g, double ready,
                         double read, double ratio, double peak)
{
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    printf("vertices %lld edges %lld ranks %d cut %lld cost %lld imbalance %.4f valid %d "
           "seconds %.4f coarsen %.4f initial %.4f refine %.4f read %.4f levels %d "
           "peak_ratio %.3f peak_mb %.1f ready_mb %.1f gather_mb %.3f\n",
           (long long)cleave_mpi_graph_vertices(g), (long long)cleave_mpi_graph_edges(g),
           ranks, (long long)m->report.cut, (long long)m->report.cost, m->report.imbalance,
           m->valid, m->seconds, m->report.seconds_coarsen, m->report.seconds_initial,
           m->report.seconds_refine, read, (int)m->report.levels, ratio, 1e-6 * peak,
           1e-6 * ready, 1e-6 * (double)m->traffic.bytes_gather);
    for (int i = 0; i < m->traffic.levels; i++)
        printf("level %d vertices %lld edges %lld coarsen_mb %.3f refine_mb %.3f\n", i,
               (long long)m->traffic.vertices[i], (long long)m->traffic.edges[i],
               1e-6 * (double)m->traffic.bytes_coarsen[i],
               1e-6 * (double)m->traffic.bytes_refine[i]);
}

int main(int argc, char **argv)
{
    cleave_error err = {0};
    cleave_options opt;
    cleave_target *t = NULL;
    cleave_mpi_local own;
    measured m = {.seconds = 0};
    char params[64];
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc != 6) {
        if (rank == 0)
            fprintf(stderr, "usage: bench_mpi_rank GRAPH|SPEC TARGET EFFORT GATHER REPEAT\n");
        MPI_Finalize();
        return 2;
    }
    double begin = MPI_Wtime();
    cleave_mpi_graph *g = open_graph(argv[1]);
    double read = largest(MPI_Wtime() - begin);
    cleave_mpi_local_init(&own, sizeof own);
    cleave_mpi_graph_view(g, &own);
    double share = 8.0 * own.nlocal + 4.0 * (double)own.xadj[own.nlocal];
    double ready = largest(peak_bytes());
    check(cleave_target_parse(&t, argv[2], &err), &err);
    cleave_options_init(&opt, sizeof opt);
    opt.effort = (cleave_effort)atoi(argv[3]);
    snprintf(params, sizeof params, "gather=%s", argv[4]);
    opt.params = atof(argv[4]) > 0 ? params : NULL;
    cleave_map_report_init(&m.report, sizeof m.report);
    cleave_mpi_traffic_init(&m.traffic, sizeof m.traffic);
    int32_t *part = malloc(((size_t)own.nlocal + 1) * sizeof *part);
    if (!part)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < atoi(argv[5]); i++)
        map_once(&m, g, t, &opt, part);
    double ratio = largest(share > 0 ? m.peak / share : 0), peak = largest(m.peak);
    if (rank == 0)
        print_result(&m, g, ready, read, ratio, peak);
    free(part);
    cleave_target_free(t);
    cleave_mpi_graph_free(g);
    MPI_Finalize();
    return 0;
}
