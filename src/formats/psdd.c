/* SPDX-License-Identifier: Apache-2.0 */
/* formats/psdd.c - probabilistic sentential decision diagrams, .psdd, as written by LearnPSDD
 * and related programs.
 *
 * Comment lines start with `c`; a line `psdd N` precedes the nodes, where N is only a hint.
 * Then a line per node, children before parents: `L id vtree literal`, `T id vtree variable
 * log-weight`, `D id vtree k (prime sub log-weight)*k`.  The ids are arbitrary distinct
 * numbers.
 *
 * As a DAG: node i of the file is vertex i, with weight 2 k, or 1 for a leaf; arcs go from
 * child to parent, and duplicates are merged. */
#include "formats/psdd.h"

#include <math.h>
#include <string.h>

#include "base/group.h"
#include "base/sort.h"
#include "formats/grow.h"
#include "formats/text.h"

typedef struct psdd_reader {
    clv_text text;
    int32_t nnode;
    int64_t nelement, node_room, element_room;
    uint8_t *kind;
    int64_t *id, *line, *first;
    int32_t *vtree, *literal;
    double *node_weight;
    int64_t *prime_id, *sub_id;
    double *weight;
    /* Index of nodes by id: a table `place` if the ids are not too sparse, otherwise the nodes
     * sorted by id in `order`. */
    int64_t lowest, highest; /* id */
    int32_t *place;
    int32_t *order;
} psdd_reader;

/* ---- Capacity ------------------------------------------------------------------------- */

static bool grow_u8(uint8_t **array, int64_t room)
{
    uint8_t *larger = clv_realloc(*array, room, sizeof *larger);
    if (larger)
        *array = larger;
    return larger != NULL;
}

static cleave_status grow_nodes(psdd_reader *r)
{
    int64_t room = clv_next_room(r->node_room);
    if (!grow_u8(&r->kind, room) || !clv_grow_i64(&r->id, room) ||
        !clv_grow_i64(&r->line, room) || !clv_grow_i64(&r->first, room + 1) ||
        !clv_grow_i32(&r->vtree, room) || !clv_grow_i32(&r->literal, room) ||
        !clv_grow_double(&r->node_weight, room))
        return clv_fail_memory(r->text.err);
    r->node_room = room;
    return CLEAVE_OK;
}

static cleave_status grow_elements(psdd_reader *r)
{
    int64_t room = clv_next_room(r->element_room);
    if (!clv_grow_i64(&r->prime_id, room) || !clv_grow_i64(&r->sub_id, room) ||
        !clv_grow_double(&r->weight, room))
        return clv_fail_memory(r->text.err);
    r->element_room = room;
    return CLEAVE_OK;
}

/* ---- Lines ---------------------------------------------------------------------------- */

static cleave_status read_log(psdd_reader *r, double *value)
{
    CLV_TRY(clv_text_double(&r->text, "a log-weight", value));
    if (isnan(*value) || *value == INFINITY) /* minus infinity is valid: the logarithm of 0 */
        return clv_text_fail(&r->text, "a log-weight is not the logarithm of a number");
    return CLEAVE_OK;
}

static cleave_status read_variable(psdd_reader *r, int32_t low, const char *what,
                                   int32_t *variable)
{
    int64_t value;
    CLV_TRY(clv_text_i64(&r->text, low, INT32_MAX, what, &value));
    if (value == 0)
        return clv_text_fail(&r->text, "%s is 0: variables count from 1", what);
    *variable = (int32_t)value;
    return CLEAVE_OK;
}

static cleave_status read_elements(psdd_reader *r)
{
    int64_t count;
    CLV_TRY(clv_text_i64(&r->text, 1, INT32_MAX / 2, "the number of elements", &count));
    for (int64_t i = 0; i < count; i++, r->nelement++) {
        if (r->nelement == r->element_room)
            CLV_TRY(grow_elements(r));
        int64_t e = r->nelement;
        CLV_TRY(clv_text_i64(&r->text, 0, INT64_MAX, "a prime", &r->prime_id[e]));
        CLV_TRY(clv_text_i64(&r->text, 0, INT64_MAX, "a sub", &r->sub_id[e]));
        CLV_TRY(read_log(r, &r->weight[e]));
    }
    return CLEAVE_OK;
}

/* Called after the letter of the line was read. */
static cleave_status read_node(psdd_reader *r, char letter)
{
    if (r->nnode == INT32_MAX - 1)
        return clv_fail_at(r->text.err, CLEAVE_ERANGE, clv_input_path(r->text.in),
                           r->text.line, "more than %d nodes", INT32_MAX - 1);
    if (r->nnode == r->node_room)
        CLV_TRY(grow_nodes(r));
    int32_t v = r->nnode++;
    int64_t vtree;
    r->line[v] = r->text.line;
    r->first[v] = r->nelement;
    r->literal[v] = 0;
    r->node_weight[v] = 0;
    CLV_TRY(clv_text_i64(&r->text, 0, INT64_MAX, "the id of a node", &r->id[v]));
    CLV_TRY(clv_text_i64(&r->text, 0, INT32_MAX, "the vtree of a node", &vtree));
    r->vtree[v] = (int32_t)vtree;
    if (letter == 'L') {
        r->kind[v] = CLV_NODE_LITERAL;
        CLV_TRY(read_variable(r, -INT32_MAX, "the literal", &r->literal[v]));
    } else if (letter == 'T') {
        r->kind[v] = CLV_NODE_TRUE;
        CLV_TRY(read_variable(r, 0, "the variable", &r->literal[v]));
        CLV_TRY(read_log(r, &r->node_weight[v]));
    } else {
        r->kind[v] = CLV_NODE_DECISION;
        CLV_TRY(read_elements(r));
    }
    r->first[v + 1] = r->nelement;
    return clv_text_end_line(&r->text, "the node");
}

static cleave_status read_header(psdd_reader *r)
{
    const char *word = "";
    size_t length = 0;
    int64_t hint;
    bool more;
    CLV_TRY(clv_text_next_content(&r->text, "c", &more));
    if (!more)
        return clv_text_fail(&r->text, "the file has no line 'psdd N'");
    CLV_TRY(clv_text_word(&r->text, &word, &length));
    if (length != 4 || memcmp(word, "psdd", 4) != 0)
        return clv_text_fail(&r->text, "expected 'psdd N', not \"%.*s\"",
                             length < 40 ? (int)length : 40, word);
    CLV_TRY(clv_text_i64(&r->text, 0, INT64_MAX, "the number of nodes", &hint));
    CLV_TRY(clv_text_end_line(&r->text, "the number of nodes"));
    return clv_text_skip_line(&r->text);
}

static cleave_status read_nodes(psdd_reader *r)
{
    CLV_TRY(grow_nodes(r));
    CLV_TRY(grow_elements(r));
    r->first[0] = 0;
    for (;;) {
        const char *word;
        size_t length;
        bool more;
        CLV_TRY(clv_text_next_content(&r->text, "c", &more));
        if (!more)
            return CLEAVE_OK;
        CLV_TRY(clv_text_word(&r->text, &word, &length));
        if (length != 1 || (*word != 'L' && *word != 'T' && *word != 'D'))
            return clv_text_fail(&r->text, "\"%.*s\" is not a node L, T or D",
                                 length < 40 ? (int)length : 40, word);
        CLV_TRY(read_node(r, *word));
        CLV_TRY(clv_text_skip_line(&r->text));
    }
}

/* ---- Ids ------------------------------------------------------------------------------ */

/* Sorts the nodes by id into `order`; nodes with equal ids stay in file order. */
static cleave_status sort_ids(psdd_reader *r)
{
    int64_t n = r->nnode;
    clv_sort_item *items = clv_alloc(2 * n, sizeof *items);
    r->order = clv_alloc(n, sizeof *r->order);
    if (!items || !r->order) {
        clv_sys_free(items);
        return clv_fail_memory(r->text.err);
    }
    for (int64_t v = 0; v < n; v++)
        items[v] = (clv_sort_item){r->id[v], {v}};
    const clv_sort_item *sorted = clv_sort(items, items + n, n);
    for (int64_t k = 0; k < n; k++)
        r->order[k] = (int32_t)sorted[k].with.index;
    clv_sys_free(items);
    return CLEAVE_OK;
}

static cleave_status fail_at_node(const psdd_reader *r, int32_t v, int64_t id,
                                  const char *what)
{
    return clv_fail_at(r->text.err, CLEAVE_EPARSE, clv_input_path(r->text.in), r->line[v],
                       "node %lld %s", (long long)id, what);
}

/* Builds the table by id; fails if an id occurs twice. */
static cleave_status index_by_id(psdd_reader *r)
{
    int64_t span = r->highest - r->lowest + 1;
    r->place = clv_alloc(span, sizeof *r->place);
    if (!r->place)
        return clv_fail_memory(r->text.err);
    memset(r->place, 0xff, (size_t)span * sizeof *r->place);
    for (int32_t v = 0; v < r->nnode; v++) {
        int32_t *place = &r->place[r->id[v] - r->lowest];
        if (*place >= 0)
            return fail_at_node(r, v, r->id[v], "occurs twice");
        *place = v;
    }
    return CLEAVE_OK;
}

static cleave_status index_ids(psdd_reader *r)
{
    enum { harmless = 1 << 16, sparse = 16 };
    r->lowest = INT64_MAX;
    r->highest = -1;
    for (int32_t v = 0; v < r->nnode; v++) {
        r->lowest = r->id[v] < r->lowest ? r->id[v] : r->lowest;
        r->highest = r->id[v] > r->highest ? r->id[v] : r->highest;
    }
    if (r->nnode == 0)
        return CLEAVE_OK;
    if (r->highest - r->lowest < harmless + (int64_t)sparse * r->nnode)
        return index_by_id(r);
    CLV_TRY(sort_ids(r));
    for (int32_t i = 1; i < r->nnode; i++)
        if (r->id[r->order[i - 1]] == r->id[r->order[i]])
            return fail_at_node(r, r->order[i], r->id[r->order[i]], "occurs twice");
    return CLEAVE_OK;
}

/* The node of an id, or -1. */
static int32_t find_node(const psdd_reader *r, int64_t id)
{
    if (r->place)
        return id < r->lowest || id > r->highest ? -1 : r->place[id - r->lowest];
    int32_t low = 0, high = r->nnode;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (r->id[r->order[middle]] <= id)
            low = middle;
        else
            high = middle;
    }
    return r->id[r->order[low]] == id ? r->order[low] : -1;
}

static cleave_status resolve_ids(const psdd_reader *r, int32_t v, const int64_t *ids,
                                 int32_t *nodes)
{
    for (int64_t e = r->first[v]; e < r->first[v + 1]; e++) {
        int32_t child = find_node(r, ids[e]);
        if (child < 0)
            return fail_at_node(r, v, ids[e], "is not in the file");
        if (child >= v)
            return fail_at_node(r, v, ids[e], "is used before its own line");
        nodes[e] = child;
    }
    return CLEAVE_OK;
}

/* ---- The circuit ---------------------------------------------------------------------- */

/* Transfers the arrays to the circuit, also on failure. */
static cleave_status give_arrays(clv_circuit *c, psdd_reader *r)
{
    void *const blocks[] = {r->kind,  r->id,          r->vtree, r->literal,
                            r->first, r->node_weight, r->weight};
    bool fine = true;
    c->kind = r->kind;
    c->id = r->id;
    c->vtree = r->vtree;
    c->literal = r->literal;
    c->first = r->first;
    c->node_weight = r->node_weight;
    c->weight = r->weight;
    r->kind = NULL;
    r->id = r->first = NULL;
    r->vtree = r->literal = NULL;
    r->node_weight = r->weight = NULL;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (!clv_arena_adopt(&c->arena, blocks[i])) {
            clv_sys_free(blocks[i]);
            fine = false;
        }
    return fine ? CLEAVE_OK : clv_fail_memory(r->text.err);
}

static cleave_status make_circuit(clv_circuit *c, psdd_reader *r)
{
    int32_t *prime = clv_arena_alloc(&c->arena, r->nelement, sizeof *prime);
    int32_t *sub = clv_arena_alloc(&c->arena, r->nelement, sizeof *sub);
    if (!prime || !sub)
        return clv_fail_memory(r->text.err);
    c->nnode = r->nnode;
    c->nelement = r->nelement;
    c->prime = prime;
    c->sub = sub;
    CLV_TRY(index_ids(r));
    for (int32_t v = 0; v < r->nnode; v++) {
        CLV_TRY(resolve_ids(r, v, r->prime_id, prime));
        CLV_TRY(resolve_ids(r, v, r->sub_id, sub));
    }
    return give_arrays(c, r);
}

static void free_reader(psdd_reader *r)
{
    void *const blocks[] = {r->kind,     r->id,      r->line,   r->first,
                            r->vtree,    r->literal, r->weight, r->node_weight,
                            r->prime_id, r->sub_id,  r->place,  r->order};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        clv_sys_free(blocks[i]);
    clv_text_free(&r->text);
}

cleave_status clv_psdd_read_circuit(clv_circuit **out, clv_input *in, cleave_error *err)
{
    *out = NULL;
    clv_circuit *c = clv_circuit_new();
    if (!c)
        return clv_fail_memory(err);
    psdd_reader r = {.nnode = 0};
    cleave_status status = clv_text_init(&r.text, in, err);
    if (status == CLEAVE_OK)
        status = read_header(&r);
    if (status == CLEAVE_OK)
        status = read_nodes(&r);
    if (status == CLEAVE_OK)
        status = make_circuit(c, &r);
    free_reader(&r);
    if (status != CLEAVE_OK) {
        clv_circuit_free(c);
        return status;
    }
    *out = c;
    return CLEAVE_OK;
}

/* ---- The DAG -------------------------------------------------------------------------- */

/* Is child -> parent a new arc?  Parents come in ascending order, so last[child], the last
 * parent of the child, identifies duplicates. */
static bool is_new(int32_t *last, int32_t child, int32_t parent)
{
    bool new_one = last[child] != parent;
    last[child] = parent;
    return new_one;
}

/* xadj[v + 1] becomes the number of parents of v. */
static void count_parents(const clv_circuit *c, int32_t *last, int64_t *xadj)
{
    memset(xadj, 0, ((size_t)c->nnode + 1) * sizeof *xadj);
    for (int32_t v = 0; v < c->nnode; v++)
        for (int64_t e = c->first[v]; e < c->first[v + 1]; e++) {
            xadj[c->prime[e] + 1] += is_new(last, c->prime[e], v);
            xadj[c->sub[e] + 1] += is_new(last, c->sub[e], v);
        }
}

/* Fills the rows; xadj[v + 1] advances from the start of row v to its end. */
static void fill_parents(const clv_circuit *c, int32_t *last, int64_t *xadj, int32_t *adj)
{
    for (int32_t v = 0; v < c->nnode; v++)
        for (int64_t e = c->first[v]; e < c->first[v + 1]; e++) {
            if (is_new(last, c->prime[e], v))
                adj[xadj[c->prime[e] + 1]++] = v;
            if (is_new(last, c->sub[e], v))
                adj[xadj[c->sub[e] + 1]++] = v;
        }
}

static cleave_status make_rows(clv_rows *rows, const clv_circuit *c, cleave_error *err)
{
    size_t bytes = (size_t)c->nnode * sizeof(int32_t);
    int32_t *last = clv_alloc(c->nnode, sizeof *last);
    *rows = (clv_rows){.nvtx = c->nnode};
    rows->xadj = clv_alloc((int64_t)c->nnode + 1, sizeof *rows->xadj);
    cleave_status status = last && rows->xadj ? CLEAVE_OK : clv_fail_memory(err);
    if (status == CLEAVE_OK) {
        memset(last, 0xff, bytes);
        count_parents(c, last, rows->xadj);
        int64_t narc = clv_group_starts(rows->xadj, c->nnode);
        rows->adj = clv_alloc(narc, sizeof *rows->adj);
        status = rows->adj ? CLEAVE_OK : clv_fail_memory(err);
    }
    if (status == CLEAVE_OK) {
        memset(last, 0xff, bytes);
        fill_parents(c, last, rows->xadj, rows->adj);
    }
    clv_sys_free(last);
    if (status != CLEAVE_OK)
        clv_rows_free(rows);
    return status;
}

static cleave_status set_weights(clv_graph *g, const clv_circuit *c, cleave_error *err)
{
    int32_t *vwgt = clv_arena_alloc(&g->arena, c->nnode, sizeof *vwgt);
    if (!vwgt)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < c->nnode; v++)
        vwgt[v] = (int32_t)clv_circuit_work(c, v);
    g->vwgt = vwgt;
    return CLEAVE_OK;
}

/* The ids become names, unless they are the numbers of the vertices. */
static cleave_status set_names(clv_graph *g, const clv_circuit *c, cleave_error *err)
{
    int32_t v = 0;
    while (v < c->nnode && c->id[v] == v)
        v++;
    if (v == c->nnode)
        return CLEAVE_OK;
    int64_t *offset = clv_arena_alloc(&g->arena, (int64_t)c->nnode + 1, sizeof *offset);
    char *text = clv_arena_alloc(&g->arena, c->nnode, CLV_NUMBER_SPACE), *to = text;
    if (!offset || !text)
        return clv_fail_memory(err);
    for (v = 0; v < c->nnode; v++) {
        offset[v] = to - text;
        to = clv_print_i64(to, c->id[v]);
        *to++ = '\0';
    }
    offset[v] = to - text;
    g->names = (clv_names){offset, text};
    return CLEAVE_OK;
}

static cleave_status make_graph(clv_graph **out, const clv_circuit *c,
                                const clv_read_options *opt, cleave_error *err)
{
    bool dag = opt->as != CLV_AS_UNDIRECTED;
    clv_rows rows;
    CLV_TRY(make_rows(&rows, c, err));
    clv_build_rules rules = clv_rules_collapsing(opt, false);
    rules.trust = dag; /* rows ascend and children precede parents: no cycle */
    rows.known_good = dag;
    CLV_TRY(
        clv_build_graph(out, dag ? CLEAVE_DAG : CLEAVE_UNDIRECTED, &rows, &rules, NULL, err));
    (*out)->entries = 2 * c->nelement;
    (*out)->unit = "operations";
    CLV_TRY(set_weights(*out, c, err));
    return set_names(*out, c, err);
}

cleave_status clv_psdd_graph(clv_graph **out, const clv_circuit *c, cleave_error *err)
{
    cleave_repairs repairs;
    cleave_repairs_init(&repairs, sizeof repairs);
    const clv_read_options opt = {.repairs = &repairs};
    *out = NULL;
    cleave_status status = make_graph(out, c, &opt, err);
    if (status != CLEAVE_OK) {
        clv_graph_free(*out);
        *out = NULL;
    }
    return status;
}

static cleave_status read_psdd(clv_graph **out, clv_input *in, const clv_read_options *opt,
                               cleave_error *err)
{
    clv_circuit *c;
    CLV_TRY(clv_psdd_read_circuit(&c, in, err));
    cleave_status status = opt->binarise
                               ? clv_psdd_binary_graph(out, c, opt, clv_input_path(in), err)
                               : make_graph(out, c, opt, err);
    clv_circuit_free(c);
    return status;
}

/* Comment lines, then `psdd`. */
static int looks_like_psdd(const char *bytes, size_t count)
{
    const char *p = bytes, *end = bytes + count;
    while (p < end && (*p == 'c' || *p == '\n' || *p == '\r')) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        if (!newline)
            return 0;
        p = newline + 1;
    }
    return end - p >= 5 && memcmp(p, "psdd ", 5) == 0 ? 100 : 0;
}

const clv_format clv_format_psdd = {
    .name = "psdd",
    .description = "probabilistic circuit",
    .extensions = "psdd",
    .looks_like = looks_like_psdd,
    .read = read_psdd,
    .write = NULL,
};
