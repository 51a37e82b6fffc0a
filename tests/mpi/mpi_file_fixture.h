/* SPDX-License-Identifier: Apache-2.0 */
/* tests/mpi/mpi_file_fixture.h - files that all ranks can read, and comparison of the graph
 * and the messages with those of one process. */
#ifndef CLV_TESTS_MPI_FILE_FIXTURE_H
#define CLV_TESTS_MPI_FILE_FIXTURE_H

#include <dirent.h>
#include <sys/stat.h>

#include "cleave/cleave_mpi.h"
#include "formats/graph_fixture.h"
#include "mpi/mpi_samples.h"

static clv_comm comm;

/* The scratch folder of rank 0, for all. */
static inline const char *shared_folder(void)
{
    static char folder[4096];
    if (!folder[0]) {
        if (comm.rank == 0) {
            test_file("keep", ""); /* so that the folder is removed at the end */
            snprintf(folder, sizeof folder, "%s", test_scratch());
        }
        MPI_Bcast(folder, sizeof folder, MPI_BYTE, 0, comm.mpi);
    }
    return folder;
}

static inline const char *shared_path(const char *name)
{
    static char path[8][4200];
    static int next;
    char *to = path[next++ % 8];
    snprintf(to, sizeof path[0], "%s/%s", shared_folder(), name);
    return to;
}

/* Written by rank 0; the name is known to all ranks. */
static inline const char *shared_bytes(const char *name, const void *bytes, size_t count)
{
    const char *path = shared_path(name);
    if (comm.rank == 0)
        test_file_bytes(name, bytes, count);
    MPI_Barrier(comm.mpi);
    return path;
}

/* The bytes of a file, or NULL; on rank 0. */
static inline char *file_bytes(const char *path, size_t *count)
{
    FILE *file = fopen(path, "rb");
    struct stat info;
    *count = 0;
    if (!file)
        return NULL;
    if (fstat(fileno(file), &info) != 0)
        abort();
    char *bytes = malloc((size_t)info.st_size + 1);
    *count = fread(bytes, 1, (size_t)info.st_size, file);
    fclose(file);
    return bytes;
}

static inline bool same_files(const char *a, const char *b)
{
    size_t a_count, b_count;
    char *a_bytes = file_bytes(a, &a_count), *b_bytes = file_bytes(b, &b_count);
    bool same =
        a_bytes && b_bytes && a_count == b_count && memcmp(a_bytes, b_bytes, a_count) == 0;
    free(a_bytes);
    free(b_bytes);
    return same;
}

/* How many files of the folder have this word in their names. */
static inline int count_files(const char *word)
{
    DIR *folder = opendir(shared_folder());
    int count = 0;
    if (!folder)
        abort();
    for (struct dirent *file; (file = readdir(folder));)
        count += strstr(file->d_name, word) != NULL;
    closedir(folder);
    return count;
}

/* What the ranks read, whole on rank 0; the status of all. */
static inline cleave_status read_together(clv_graph **whole, const char *path,
                                          const cleave_read_options *opt, cleave_error *err)
{
    cleave_mpi_graph *g = NULL;
    *whole = NULL;
    memset(err, 0, sizeof *err);
    cleave_status status = cleave_mpi_graph_read(&g, comm.mpi, path, opt, err);
    CHECK(sample_agreed(&comm, status, err));
    CHECK((status == CLEAVE_OK) == (g != NULL));
    if (status == CLEAVE_OK)
        CHECK_EQ(clv_dist_graph_gather(whole, g, 0, err), CLEAVE_OK);
    clv_dist_graph_free(g);
    return status;
}

/* Names stay behind on one machine. */
static inline bool same_graph(const clv_graph *ours, const clv_graph *theirs)
{
    clv_graph nameless = *theirs;
    nameless.names = (clv_names){NULL, NULL};
    return ours && fixture_same(ours, &nameless);
}

/* The ranks read as one machine does, or fail with the same status and, if wanted, the same
 * words; shows what differs. */
static inline cleave_status check_verdict(const char *path, const cleave_read_options *opt,
                                          bool words, const char *what)
{
    clv_graph *ours, *theirs = NULL;
    cleave_error err = {0}, expected = {0};
    cleave_status status = read_together(&ours, path, opt, &err), alone = status;
    if (comm.rank == 0) {
        alone = cleave_graph_read(&theirs, path, opt, &expected);
        int before = test_failures_;
        CHECK_EQ(status, alone);
        if (words && status != CLEAVE_OK && alone != CLEAVE_OK)
            CHECK_STR(err.message, expected.message);
        if (status == CLEAVE_OK && alone == CLEAVE_OK)
            CHECK(same_graph(ours, theirs));
        if (test_failures_ != before)
            fprintf(stderr, "  %d ranks, status %d (%s), alone %d (%s), file:\n%s\n---\n",
                    comm.size, (int)status, err.message, (int)alone, expected.message, what);
        cleave_graph_free(theirs);
    }
    clv_graph_free(ours);
    MPI_Barrier(comm.mpi);
    return status;
}

static inline cleave_status check_reading(const char *path, const cleave_read_options *opt,
                                          const char *what)
{
    return check_verdict(path, opt, true, what);
}

static inline cleave_read_options read_as(const char *as)
{
    cleave_read_options opt;
    cleave_read_options_init(&opt, sizeof opt);
    opt.as = as;
    return opt;
}

#endif
