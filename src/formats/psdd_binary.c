/* SPDX-License-Identifier: Apache-2.0 */
/* formats/psdd_binary.c - a circuit as a DAG of operations with two inputs. */
#include "formats/psdd.h"

typedef struct binary_dag {
    int32_t nvtx;
    int32_t *vertex; /* by node: the vertex that computes its value */
    int32_t *vwgt;   /* by vertex */
    int32_t *queue;  /* vertices that are not yet added up */
    clv_edge_stream arcs;
} binary_dag;

/* Leaves, products, and one sum less than products for each node. */
static int64_t count_vertices(const clv_circuit *c, int64_t *most_elements)
{
    int64_t count = 0;
    *most_elements = 0;
    for (int32_t v = 0; v < c->nnode; v++) {
        int64_t elements = c->first[v + 1] - c->first[v];
        count += elements > 0 ? 2 * elements - 1 : 1;
        *most_elements = elements > *most_elements ? elements : *most_elements;
    }
    return count;
}

static int32_t add_vertex(binary_dag *d, int32_t weight)
{
    d->vwgt[d->nvtx] = weight;
    return d->nvtx++;
}

static bool add_operation(binary_dag *d, int32_t weight, int32_t a, int32_t b, int32_t *result)
{
    *result = add_vertex(d, weight);
    return clv_edge_stream_add(&d->arcs, 1, &a, result, NULL) &&
           (a == b || clv_edge_stream_add(&d->arcs, 1, &b, result, NULL));
}

/* Adds pairs from the front of a queue and appends the sums: a tree of minimum depth. */
static bool add_up(binary_dag *d, int64_t count, int32_t *result)
{
    while (count > 1) {
        int64_t pairs = count / 2;
        for (int64_t i = 0; i < pairs; i++)
            if (!add_operation(d, 1, d->queue[2 * i], d->queue[2 * i + 1], &d->queue[i]))
                return false;
        if (count % 2)
            d->queue[pairs] = d->queue[count - 1];
        count = pairs + count % 2;
    }
    *result = d->queue[0];
    return true;
}

static bool add_node(binary_dag *d, const clv_circuit *c, int32_t v)
{
    int64_t count = 0;
    if (c->kind[v] != CLV_NODE_DECISION) {
        d->vertex[v] = add_vertex(d, 1);
        return true;
    }
    for (int64_t e = c->first[v]; e < c->first[v + 1]; e++)
        if (!add_operation(d, 2, d->vertex[c->prime[e]], d->vertex[c->sub[e]],
                           &d->queue[count++]))
            return false;
    return add_up(d, count, &d->vertex[v]);
}

static cleave_status add_nodes(binary_dag *d, const clv_circuit *c, const char *path,
                               cleave_error *err)
{
    int64_t most_elements, count = count_vertices(c, &most_elements);
    if (count >= INT32_MAX)
        return clv_fail_at(err, CLEAVE_ERANGE, path, 0,
                           "the circuit has %lld operations with two inputs, too many",
                           (long long)count);
    d->vertex = clv_alloc(c->nnode, sizeof *d->vertex);
    d->vwgt = clv_alloc(count, sizeof *d->vwgt);
    d->queue = clv_alloc(most_elements, sizeof *d->queue);
    if (!d->vertex || !d->vwgt || !d->queue)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < c->nnode; v++)
        if (!add_node(d, c, v))
            return clv_fail_memory(err);
    return CLEAVE_OK;
}

static cleave_status make_graph(clv_graph **out, binary_dag *d, const clv_read_options *opt,
                                cleave_error *err)
{
    clv_rows rows;
    bool dag = opt->as != CLV_AS_UNDIRECTED;
    CLV_TRY(clv_edge_stream_rows(&rows, &d->arcs, d->nvtx, false, err));
    clv_build_rules rules = clv_rules_collapsing(opt, false);
    rules.trust = dag; /* inputs precede results: no cycle */
    CLV_TRY(
        clv_build_graph(out, dag ? CLEAVE_DAG : CLEAVE_UNDIRECTED, &rows, &rules, NULL, err));
    if (!clv_arena_adopt(&(*out)->arena, d->vwgt))
        return clv_fail_memory(err);
    (*out)->vwgt = d->vwgt;
    (*out)->unit = "operations";
    d->vwgt = NULL;
    return CLEAVE_OK;
}

cleave_status clv_psdd_binary_graph(clv_graph **out, const clv_circuit *c,
                                    const clv_read_options *opt, const char *path,
                                    cleave_error *err)
{
    binary_dag d = {.nvtx = 0};
    clv_edge_stream_init(&d.arcs, false);
    cleave_status status = add_nodes(&d, c, path, err);
    if (status == CLEAVE_OK)
        status = make_graph(out, &d, opt, err);
    if (status == CLEAVE_OK)
        (*out)->entries = 2 * c->nelement;
    clv_edge_stream_free(&d.arcs);
    clv_sys_free(d.vertex);
    clv_sys_free(d.vwgt);
    clv_sys_free(d.queue);
    return status;
}
