/* SPDX-License-Identifier: Apache-2.0 */
/* Probabilistic circuits, as DAGs and as circuits; options as in fuzz_read_options, then
 * the format to write. */
#include "formats/psdd.h"
#include "fuzz/fuzz_common.h"

static void check_circuit(const clv_circuit *c)
{
    FUZZ_CHECK(c->first[0] == 0 && c->first[c->nnode] == c->nelement);
    for (int32_t v = 0; v < c->nnode; v++) {
        bool decision = c->kind[v] == CLV_NODE_DECISION;
        FUZZ_CHECK(c->kind[v] <= CLV_NODE_DECISION);
        FUZZ_CHECK(decision == (c->first[v] < c->first[v + 1]));
        FUZZ_CHECK(decision == (c->literal[v] == 0));
        for (int64_t e = c->first[v]; e < c->first[v + 1]; e++) {
            FUZZ_CHECK(c->prime[e] >= 0 && c->prime[e] < v);
            FUZZ_CHECK(c->sub[e] >= 0 && c->sub[e] < v);
        }
    }
}

FUZZ_TARGET(psdd)
{
    cleave_error err = {.status = CLEAVE_OK};
    clv_input *file;
    clv_circuit *c;
    const char *path = fuzz_file("circuit", in->bytes, in->size);
    FUZZ_CHECK_OK(clv_input_open(&file, path, NULL, NULL, &err), err);
    cleave_status status = clv_psdd_read_circuit(&c, file, &err);
    clv_input_close(file);
    if (status == CLEAVE_OK)
        check_circuit(c);
    else
        fuzz_check_refusal(status, &err, c, path);
    clv_circuit_free(c);
    cleave_graph *g;
    cleave_read_options opt;
    cleave_read_options_init(&opt, sizeof opt);
    opt.format = "psdd";
    opt.binarise = 1;
    FUZZ_CHECK(cleave_graph_read(&g, path, &opt, NULL) == status);
    if (g)
        fuzz_check_graph(g);
    cleave_graph_free(g);
    fuzz_graph_file(in, "in.psdd", "psdd");
}
