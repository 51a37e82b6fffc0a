/* SPDX-License-Identifier: Apache-2.0 */
/* Files of all formats read without their weights. */
#include "api/api_support.h"
#include "support/test.h"

static cleave_error err;

/* In every format that can be written: the same rows, and no weights. */
static void read_without_weights(const cleave_graph *g, const char *format, const char *as)
{
    char path[4200];
    cleave_csr was, is;
    cleave_graph *bare = NULL;
    cleave_write_options to;
    cleave_read_options from;
    snprintf(path, sizeof path, "%s/weights-%s", test_scratch(), format);
    cleave_write_options_init(&to, sizeof to);
    to.format = format;
    cleave_read_options_init(&from, sizeof from);
    from.format = format;
    from.as = as;
    from.weights = "none";
    CHECK_OK(cleave_graph_write(g, path, &to, &err));
    REQUIRE_OK(cleave_graph_read(&bare, path, &from, &err));
    cleave_csr_init(&was, sizeof was);
    cleave_csr_init(&is, sizeof is);
    cleave_graph_view(g, &was);
    cleave_graph_view(bare, &is);
    CHECK(is.vwgt == NULL && is.ewgt == NULL && is.ncon == 1);
    REQUIRE(is.nvtx == was.nvtx && is.xadj[is.nvtx] == was.xadj[was.nvtx]);
    CHECK(memcmp(is.adj, was.adj, (size_t)was.xadj[was.nvtx] * sizeof *was.adj) == 0);
    cleave_graph_view_predecessors(bare, &is);
    CHECK(is.ewgt == NULL);
    cleave_graph_free(bare);
}

static void test_without_weights(void)
{
    int can_write, count = 0;
    const char *format;
    cleave_csr plain = make_grid(CLEAVE_UNDIRECTED, 5), arcs = make_grid(CLEAVE_DAG, 5);
    cleave_graph *undirected = NULL, *dag = NULL;
    cleave_csr numbers = plain, levels = arcs;
    numbers.names = levels.names = NULL; /* by which some formats would sort */
    CHECK_OK(cleave_graph_create(&undirected, &numbers, 0, &err));
    CHECK_OK(cleave_graph_create(&dag, &levels, 0, &err));
    for (int i = 0; (format = cleave_format_name(i, NULL, &can_write)); i++) {
        bool dags = strcmp(format, "dgraph") == 0 || strcmp(format, "hdag") == 0 ||
                    strcmp(format, "wfcommons") == 0;
        bool both = strcmp(format, "binary") == 0 || strcmp(format, "dot") == 0;
        if (can_write != 1)
            continue;
        count++;
        if (dags || both)
            read_without_weights(dag, format, NULL);
        if (!dags)
            read_without_weights(undirected, format, NULL);
    }
    CHECK(count >= 9);
    cleave_graph_free(undirected);
    cleave_graph_free(dag);
    csr_free(&plain);
    csr_free(&arcs);
}

int main(void)
{
    test_file("scratch", ""); /* the folder is there, and goes at the end */
    RUN(test_without_weights);
    return test_end();
}
