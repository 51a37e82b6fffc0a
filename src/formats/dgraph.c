/* SPDX-License-Identifier: Apache-2.0 */
/* formats/dgraph.c - the DAG format of dagP, .dgraph [Herrmann et al. 2019].
 *
 * The numbers of vertices and arcs; for each vertex where its predecessors start in the list
 * below, counted from 0, and after the last vertex where they end; then that list, vertices
 * counted from 1.  Line breaks have no meaning.  There are no weights; dagP sets all to 1. */
#include "formats/formats.h"
#include "formats/grow.h"
#include "formats/text.h"
#include "graph/derive.h"

typedef struct dgraph_reader {
    clv_text text;
    int64_t nvtx, narc;
    clv_rows rows; /* predecessors */
} dgraph_reader;

/* ---- Reading -------------------------------------------------------------------------- */

static cleave_status read_offsets(dgraph_reader *r)
{
    int64_t room = 0, before = 0;
    for (int64_t v = 0; v <= r->nvtx; v++) {
        if (v == room && !clv_grow_i64(&r->rows.xadj, room = clv_next_room(room)))
            return clv_fail_memory(r->text.err);
        const char *what = v == 0         ? "the first offset"
                           : v == r->nvtx ? "the last offset"
                                          : "an offset";
        CLV_TRY(clv_text_next_i64(&r->text, v == r->nvtx ? r->narc : before,
                                  v == 0 ? 0 : r->narc, what, &before));
        r->rows.xadj[v] = before;
    }
    r->rows.nvtx = (int32_t)r->nvtx;
    return CLEAVE_OK;
}

static cleave_status read_predecessors(dgraph_reader *r)
{
    int64_t room = 0, value;
    for (int64_t a = 0; a < r->narc; a++) {
        if (a == room && !clv_grow_i32(&r->rows.adj, room = clv_next_room(room)))
            return clv_fail_memory(r->text.err);
        CLV_TRY(clv_text_next_i64(&r->text, 1, r->nvtx, "a predecessor", &value));
        r->rows.adj[a] = (int32_t)(value - 1);
    }
    if (!r->rows.adj && !(r->rows.adj = clv_alloc(0, sizeof *r->rows.adj)))
        return clv_fail_memory(r->text.err);
    bool more;
    CLV_TRY(clv_text_next_content(&r->text, "", &more));
    if (more)
        return clv_text_fail(&r->text, "unexpected text after the last of %lld arcs",
                             (long long)r->narc);
    return CLEAVE_OK;
}

static cleave_status read_lists(dgraph_reader *r)
{
    CLV_TRY(clv_text_next_i64(&r->text, 0, INT32_MAX - 1, "the number of vertices", &r->nvtx));
    CLV_TRY(clv_text_next_i64(&r->text, 0, r->nvtx ? INT64_MAX / 4 : 0, "the number of arcs",
                              &r->narc));
    CLV_TRY(read_offsets(r));
    return read_predecessors(r);
}

/* Transposes the rows: successors instead of predecessors. */
static cleave_status turn_around(dgraph_reader *r)
{
    clv_rows turned = {.nvtx = r->rows.nvtx};
    turned.xadj = clv_alloc(r->nvtx + 1, sizeof *turned.xadj);
    turned.adj = clv_alloc(r->narc, sizeof *turned.adj);
    if (!turned.xadj || !turned.adj) {
        clv_rows_free(&turned);
        return clv_fail_memory(r->text.err);
    }
    clv_derive_transpose_rows(turned.nvtx, (clv_csr){.xadj = r->rows.xadj, .adj = r->rows.adj},
                              (clv_csr_space){.xadj = turned.xadj, .adj = turned.adj});
    clv_rows_free(&r->rows);
    r->rows = turned;
    return CLEAVE_OK;
}

static cleave_status make_graph(clv_graph **out, dgraph_reader *r, const clv_read_options *opt)
{
    bool dag = opt->as != CLV_AS_UNDIRECTED;
    if (dag)
        CLV_TRY(turn_around(r));
    clv_build_rules rules =
        dag ? clv_rules_strict(opt, false) : clv_rules_collapsing(opt, false);
    clv_where where = {.path = clv_input_path(r->text.in), .base = 1};
    CLV_TRY(clv_build_graph(out, dag ? CLEAVE_DAG : CLEAVE_UNDIRECTED, &r->rows, &rules,
                            &where, r->text.err));
    (*out)->entries = r->narc;
    return CLEAVE_OK;
}

static cleave_status read_dgraph(clv_graph **out, clv_input *in, const clv_read_options *opt,
                                 cleave_error *err)
{
    dgraph_reader r = {.nvtx = 0};
    cleave_status status = clv_text_init(&r.text, in, err);
    if (status == CLEAVE_OK)
        status = read_lists(&r);
    if (status == CLEAVE_OK)
        status = make_graph(out, &r, opt);
    clv_text_free(&r.text);
    clv_rows_free(&r.rows);
    return status;
}

/* ---- Writing -------------------------------------------------------------------------- */

static cleave_status write_dgraph(const clv_graph *g, clv_output *out, const int32_t *part,
                                  cleave_error *err)
{
    (void)part;
    if (g->kind != CLEAVE_DAG)
        return clv_fail(err, CLEAVE_EINVAL,
                        "format \"dgraph\" holds DAGs, and this graph is undirected");
    clv_put_i64(out, g->nvtx);
    clv_put_char(out, ' ');
    clv_put_i64(out, g->narc);
    clv_put_char(out, '\n');
    for (int64_t v = 0; v <= g->nvtx; v++) {
        clv_put_i64(out, g->xpred[v]);
        clv_put_char(out, '\n');
    }
    for (int64_t a = 0; a < g->narc; a++) {
        clv_put_i64(out, (int64_t)g->pred[a] + 1);
        clv_put_char(out, '\n');
    }
    return CLEAVE_OK;
}

const clv_format clv_format_dgraph = {
    .name = "dgraph",
    .description = "dagP DAG",
    .extensions = "dgraph dg",
    .looks_like = NULL,
    .read = read_dgraph,
    .write = write_dgraph,
    .holds = CLEAVE_HOLDS_DIRECTION,
};
