/* SPDX-License-Identifier: Apache-2.0 */
/* Texts split among the ranks: at every position, with errors at every position. */
#include "mpi/mpi_file_fixture.h"

typedef struct text_sample {
    const char *name, *as, *text;
} text_sample;

static const text_sample metis_samples[] = {
    {"t.graph", NULL, "4 4\n2 3\n1 3\n1 2 4\n3\n"},
    {"t.graph", NULL, "% c\n 5 2\n\n%in\n3 5\n2 \t\n\n2"},
    {"t.graph", NULL, "4 4\n2 3\n1 3\n1 2 4\n3"},
    {"t.graph", NULL, "4 4 001\n2 7 3 8\n1 7 3 9\n1 8 2 9 4 1\n3 1\n"},
    {"t.graph", NULL, "3 2 010 1 0\r\n5 2\r\n6 1 3\r\n% x\r\n7 2\r\n\r\n\n"},
    {"t.graph", NULL, "3 2 111 2\n9 1 2 2 5\n8 3 4 1 5 3 6\n7 5 6 2 6\n"},
    {"t.graph", NULL, "3 2 100\n9 2\n8 1 3\n7 2\n   "},
    {"t.graph", "dag", "4 3\n2 3\n4\n\n\n%\n\n"},
    {"t.graph", "dag", "3 3\n2\n3\n1\n"},
    {"t.graph", NULL, "0 0\n\n%\n"},
    {"t.graph", NULL, "1 0"},
    {"t.graph", NULL, "7 5\n\n3 4 5 6 7\n2\n2\n2\n2\n2\n"},
    {"t.graph", NULL, "3 3\n2 3\n1 3\n2\n"},
    {"t.graph", NULL, "3 2\n2 2\n1 3\n2\n"},
    {"t.graph", NULL, "3 2\n1 2\n1 3\n2\n"},
    {"t.graph", NULL, "3 2\n2\n3 1\n2\n4\n"},
    {"t.graph", NULL,
     "\xef\xbb\xbf"
     "2 1\n2\n1\n"},
};

static const text_sample matrix_samples[] = {
    {"t.mtx", NULL,
     "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n2 1\n3 2\n3 3\n"},
    {"t.mtx", NULL,
     "%%MatrixMarket matrix coordinate real general\n%c\n4 4 5\n1 2 -1e3\n%\n2 1 .5\n\n4 3 7\n"
     "4 4 1\n1 2 3"},
    {"t.mtx", "lower",
     "%%MatrixMarket matrix coordinate integer general\n4 4 5\n1 2 1\n2 1 2\n4 3 3\n3 3 1\n4 "
     "1 "
     "1\n"},
    {"t.mtx", "upper",
     "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 3\n2 1\n4 1\n4 3\n"},
    {"t.mtx", "dag",
     "%%MatrixMarket matrix coordinate pattern general\n4 4 4\n2 1\n4 1\n4 2\n2 1\n"},
    {"t.mtx", "dag",
     "%%MatrixMarket matrix coordinate pattern general\n3 3 3\n2 1\n3 2\n1 3\n"},
    {"t.mtx", "dag", "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n"},
    {"t.mtx", NULL, "%%MatrixMarket matrix coordinate pattern general\n3 2 1\n2 1\n"},
    {"t.mtx", NULL, "%%MatrixMarket matrix coordinate pattern general\n9 9 0\n \n%\n"},
    {"t.mtx", NULL, "%%MatrixMarket matrix coordinate pattern general\n0 0 0"},
    {"t.mtx", NULL, "%%MatrixMarket matrix coordinate pattern general\n2 2 3\n2 1\n1 1\n"},
    {"t.mtx", NULL, "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1\n1 1\n"},
};

enum {
    nmetis = sizeof metis_samples / sizeof *metis_samples,
    nmatrix = sizeof matrix_samples / sizeof *matrix_samples
};

static cleave_status check_text(const text_sample *s, const char *text, size_t count)
{
    cleave_read_options opt = read_as(s->as);
    return check_reading(shared_bytes(s->name, text, count), &opt, text);
}

/* A comment of growing length moves the cuts over all places of the text in front of it; half
 * a place per byte where there is one cut only. */
static int cut_everywhere(const text_sample *samples, int count)
{
    int good = 0;
    size_t step = TEST_STRIDE * (comm.size == 2 ? 2 : 1);
    for (int i = 0; i < count; i++) {
        size_t length = strlen(samples[i].text);
        char *text = malloc(3 * length + 8);
        good += check_text(&samples[i], samples[i].text, length) == CLEAVE_OK;
        for (size_t more = 0; more < 2 * length && comm.size > 1; more += step) {
            int at = sprintf(text, "%s\n%%", samples[i].text);
            memset(text + at, 'x', more);
            strcpy(text + at + more, more / step % 2 ? "\n" : "");
            check_text(&samples[i], text, strlen(text));
        }
        free(text);
    }
    return good;
}

static void test_metis_cut_everywhere(void)
{
    CHECK_EQ(cut_everywhere(metis_samples, nmetis), 11);
}

static void test_matrix_cut_everywhere(void)
{
    CHECK_EQ(cut_everywhere(matrix_samples, nmatrix), 7);
}

/* One change: a byte replaced, removed or put in; the same on all ranks. */
static size_t damage(char *text, size_t length, clv_rng *rng)
{
    static const char bytes[] = "0123456789  \n\n%-.e\tx\r\0";
    size_t at = clv_rng_below(rng, (uint32_t)length + 1);
    char byte = bytes[clv_rng_below(rng, sizeof bytes)];
    switch (clv_rng_below(rng, 3)) {
    case 0:
        memmove(text + at + 1, text + at, length - at);
        text[at] = byte;
        return length + 1;
    case 1:
        if (at == length)
            return length;
        memmove(text + at, text + at + 1, length - at - 1);
        return length - 1;
    default:
        if (at < length)
            text[at] = byte;
        return length;
    }
}

static void damage_all(const text_sample *samples, int count, int times, uint64_t seed)
{
    int statuses[16] = {0};
    for (int t = 0; t < times; t++) {
        clv_rng rng = clv_rng_make(seed, 1, 2, (uint64_t)t);
        const text_sample *s = &samples[clv_rng_below(&rng, (uint32_t)count)];
        char text[512];
        size_t length = strlen(s->text);
        memcpy(text, s->text, length);
        for (uint32_t changes = 1 + clv_rng_below(&rng, 3); changes > 0; changes--)
            length = damage(text, length, &rng);
        text[length] = '\0';
        statuses[-check_text(s, text, length)]++;
    }
    CHECK(statuses[0] > times / 100);            /* good ones came up, */
    CHECK(statuses[-CLEAVE_EPARSE] > times / 4); /* and bad ones */
}

static void test_metis_damaged(void)
{
    damage_all(metis_samples, nmetis, 800 / TEST_STRIDE, 5);
}

static void test_matrix_damaged(void)
{
    damage_all(matrix_samples, nmatrix, 800 / TEST_STRIDE, 6);
}

/* A line that is longer than the window of a reader, and the share of a rank. */
static void test_long_line(void)
{
    enum { leaves = 120000 };
    char *text = malloc(16 * (size_t)leaves), *to = text;
    to += sprintf(to, "%d %d\n", leaves + 1, leaves);
    for (int i = 0; i < leaves; i++)
        to += sprintf(to, "%d ", i + 2);
    *to++ = '\n';
    for (int i = 0; i < leaves; i++)
        to += sprintf(to, "1\n");
    text_sample star = {"star.graph", NULL, "star"};
    CHECK_EQ(check_text(&star, text, (size_t)(to - text)), CLEAVE_OK);
    to[-2] = '3'; /* line leaves + 2 */
    CHECK_EQ(check_text(&star, text, (size_t)(to - text)), CLEAVE_EPARSE);
    memset(text + 20, '7', 400000); /* a word longer than any window */
    CHECK_EQ(check_text(&star, text, (size_t)(to - text)), CLEAVE_EPARSE);
    free(text);
}

/* More batches than one of the matrix reader, unequal on the ranks. */
static void test_large_matrix(void)
{
    enum { n = 30000, nnz = 400000 };
    clv_rng rng = clv_rng_make(9, 9, 9, 9);
    char *text = malloc(20 * (size_t)nnz + 100), *to = text;
    to +=
        sprintf(to, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", n, n, nnz);
    for (int i = 0; i < nnz; i++) {
        uint32_t row = 1 + clv_rng_below(&rng, n), col = 1 + clv_rng_below(&rng, n);
        if (i % 2) /* many arcs at few vertices */
            row = 1 + row / 1000;
        to += sprintf(to, i < nnz / 4 ? "  %05u   %05u  1.5\n" : "%u %u 1\n", row, col);
    }
    text_sample s = {"large.mtx", NULL, "large"};
    CHECK_EQ(check_text(&s, text, (size_t)(to - text)), CLEAVE_OK);
    s.as = "lower";
    CHECK_EQ(check_text(&s, text, (size_t)(to - text)), CLEAVE_OK);
    s.as = "dag";
    CHECK_EQ(check_text(&s, text, (size_t)(to - text)), CLEAVE_ECYCLE);
    /* Two faults: the first in the file is reported, although it is found last. */
    memcpy(text + (to - text) / 2, "zz", 2);
    memcpy(to - 3, "zz", 2);
    s.as = NULL;
    CHECK_EQ(check_text(&s, text, (size_t)(to - text)), CLEAVE_EPARSE);
    free(text);
}

/* Memory is short on one rank only: everybody hears of it, and nothing is left behind. */
static void starve(const text_sample *s, int rank)
{
    cleave_error err;
    cleave_read_options opt = read_as(s->as);
    const char *path = shared_bytes(s->name, s->text, strlen(s->text));
    int64_t live = test_alloc_live(), n = 1;
    for (bool met = true; met; n += TEST_STRIDE) {
        clv_graph *whole;
        cleave_mpi_graph *g = NULL;
        memset(&err, 0, sizeof err);
        test_alloc_fail_at(comm.rank == rank ? n : 0);
        cleave_status status = cleave_mpi_graph_read(&g, comm.mpi, path, &opt, &err);
        met = clv_comm_max(&comm, comm.rank == rank ? test_alloc_calls() : 0) >= n;
        test_alloc_fail_at(0);
        CHECK(sample_agreed(&comm, status, &err));
        CHECK(status == CLEAVE_OK || status == CLEAVE_ENOMEM);
        if (status == CLEAVE_OK) {
            CHECK_OK(clv_dist_graph_gather(&whole, g, 0, &err));
            clv_graph_free(whole);
        }
        clv_dist_graph_free(g);
        CHECK_EQ(test_alloc_live(), live);
    }
    CHECK(n > 10);
}

static void test_memory_fails(void)
{
    starve(&metis_samples[5], comm.size - 1);
    starve(&metis_samples[5], 0);
    starve(&matrix_samples[1], comm.size - 1);
    starve(&matrix_samples[4], 0);
}

int main(int argc, char **argv)
{
    cleave_error err = {0};
    MPI_Init(&argc, &argv);
    CHECK_OK(clv_comm_open(&comm, MPI_COMM_WORLD, &err));
    RUN_ALL(&comm, test_metis_cut_everywhere);
    RUN_ALL(&comm, test_matrix_cut_everywhere);
    RUN_ALL(&comm, test_metis_damaged);
    RUN_ALL(&comm, test_matrix_damaged);
    RUN_ALL(&comm, test_long_line);
    RUN_ALL(&comm, test_large_matrix);
    RUN_ALL(&comm, test_memory_fails);
    int status = sample_end(&comm);
    clv_comm_close(&comm);
    MPI_Finalize();
    return status;
}
