/* SPDX-License-Identifier: Apache-2.0 */
/* target/scotch_target.c - see target/scotch_target.h. */
#include "target/scotch_target.h"

#include <string.h>

#include "formats/grow.h"
#include "formats/text.h"
#include "target/scotch_deco.h"
#include "target/target_forms.h"

enum {
    most_nested = 16,
    most_dimensions = 32,
    most_tree_levels = 64,
    most_relabelled =
        1 << 22 /* PEs: memory is needed for each, not only for the labels given */
};

typedef struct target_reader {
    clv_text text;
    int depth; /* nesting depth of targets */
} target_reader;

static cleave_status read_target(clv_target **out, target_reader *r);

/* A list of integers that grows with the contents of the file. */
typedef struct number_list {
    int32_t *number;
    int64_t count, room;
} number_list;

static cleave_status read_list(number_list *list, target_reader *r, int64_t count,
                               const char *what)
{
    for (list->count = 0; list->count < count; list->count++) {
        int64_t value;
        if (list->count == list->room) {
            int64_t room = clv_next_room(list->room);
            if (!clv_grow_i32(&list->number, room))
                return clv_fail_memory(r->text.err);
            list->room = room;
        }
        CLV_TRY(clv_text_next_i64(&r->text, 0, INT32_MAX, what, &value));
        list->number[list->count] = (int32_t)value;
    }
    return CLEAVE_OK;
}

cleave_status clv_scotch_blame(const clv_text *text, cleave_status status,
                               const cleave_error *inner)
{
    if (status == CLEAVE_OK)
        return CLEAVE_OK;
    if (status == CLEAVE_ENOMEM)
        return clv_fail_memory(text->err);
    return clv_fail_at(text->err, status == CLEAVE_ERANGE ? status : CLEAVE_EPARSE,
                       clv_input_path(text->in), text->line, "%s", inner->message);
}

/* ---- Regular targets ------------------------------------------------------------------- */

static cleave_status read_complete(clv_target **out, target_reader *r)
{
    cleave_error inner;
    int64_t npes;
    CLV_TRY(clv_text_next_i64(&r->text, 1, INT32_MAX, "the number of PEs", &npes));
    return clv_scotch_blame(&r->text, clv_target_new(out, (int32_t)npes, NULL, &inner),
                            &inner);
}

static cleave_status make_weighted(clv_target **out, target_reader *r, const number_list *load)
{
    cleave_error inner;
    double *speeds = clv_alloc(load->count, sizeof *speeds);
    if (!speeds)
        return clv_fail_memory(r->text.err);
    for (int64_t i = 0; i < load->count; i++)
        speeds[i] = load->number[i];
    cleave_status status = clv_target_new(out, (int32_t)load->count, speeds, &inner);
    clv_sys_free(speeds);
    return clv_scotch_blame(&r->text, status, &inner);
}

static cleave_status read_weighted(clv_target **out, target_reader *r)
{
    int64_t npes;
    number_list load = {0};
    CLV_TRY(clv_text_next_i64(&r->text, 1, INT32_MAX, "the number of PEs", &npes));
    cleave_status status = read_list(&load, r, npes, "the weight of a PE");
    if (status == CLEAVE_OK)
        status = make_weighted(out, r, &load);
    clv_sys_free(load.number);
    return status;
}

static cleave_status read_hypercube(clv_target **out, target_reader *r)
{
    cleave_error inner;
    int64_t dimensions;
    CLV_TRY(clv_text_next_i64(&r->text, 0, 30, "the number of dimensions", &dimensions));
    return clv_scotch_blame(&r->text, clv_target_hypercube(out, (int32_t)dimensions, &inner),
                            &inner);
}

/* dimensions 0: their number comes first. */
static cleave_status read_box(clv_target **out, target_reader *r, int64_t dimensions,
                              bool torus)
{
    cleave_error inner;
    int32_t side[most_dimensions];
    int64_t value;
    if (dimensions == 0)
        CLV_TRY(clv_text_next_i64(&r->text, 1, most_dimensions, "the number of dimensions",
                                  &dimensions));
    for (int64_t i = 0; i < dimensions; i++) {
        CLV_TRY(
            clv_text_next_i64(&r->text, 1, INT32_MAX, "the length of a dimension", &value));
        side[i] = (int32_t)value;
    }
    return clv_scotch_blame(
        &r->text, clv_target_mesh(out, (int32_t)dimensions, side, torus, &inner), &inner);
}

/* ---- Trees ----------------------------------------------------------------------------- */

/* Scotch counts levels from the root, with the distance that each adds; here they count from
 * the leaves, with the whole distance. */
static cleave_status make_tree(clv_target **out, target_reader *r, int64_t levels,
                               const int32_t *sons, const int32_t *added)
{
    cleave_error inner;
    int32_t fanout[most_tree_levels], cost[most_tree_levels], depth = 0;
    int64_t way = 0;
    for (int64_t l = levels; l-- > 0;) {
        way += added[l];
        if (way > INT32_MAX)
            return clv_text_fail(&r->text, "the costs of the levels add up to more than %ld",
                                 (long)INT32_MAX);
        if (sons[l] == 1) /* no PEs meet at this level */
            continue;
        fanout[depth] = sons[l];
        cost[depth++] = (int32_t)way;
    }
    cleave_status status = depth == 0 ? clv_target_new(out, 1, NULL, &inner)
                                      : clv_target_tree(out, depth, fanout, cost, &inner);
    return clv_scotch_blame(&r->text, status, &inner);
}

static cleave_status read_tree(clv_target **out, target_reader *r)
{
    int32_t sons[most_tree_levels], added[most_tree_levels];
    int64_t levels, value;
    CLV_TRY(clv_text_next_i64(&r->text, 1, most_tree_levels, "the number of levels", &levels));
    for (int64_t l = 0; l < levels; l++) {
        CLV_TRY(clv_text_next_i64(&r->text, 1, INT32_MAX, "the number of sons", &value));
        sons[l] = (int32_t)value;
        CLV_TRY(clv_text_next_i64(&r->text, 0, INT32_MAX, "the cost of a level", &value));
        added[l] = (int32_t)value;
    }
    return make_tree(out, r, levels, sons, added);
}

/* leaf[l] becomes the leaf of PE l: labels are given for a block of leaves, and repeat for the
 * following blocks. */
static cleave_status place_labels(target_reader *r, const number_list *label, int32_t npes,
                                  int32_t *leaf)
{
    int32_t block = (int32_t)label->count;
    for (int32_t i = 0; i < npes; i++)
        leaf[i] = -1;
    for (int32_t i = 0; i < block; i++) {
        int32_t l = label->number[i];
        if (l >= block || leaf[l] >= 0)
            return clv_text_fail(&r->text, "the label %ld is %s", (long)l,
                                 l >= block ? "larger than their number allows"
                                            : "there twice");
        for (int32_t begin = 0; begin < npes; begin += block)
            leaf[begin + l] = begin + i;
    }
    return CLEAVE_OK;
}

static cleave_status relabel(clv_target **out, target_reader *r, clv_target *tree,
                             const number_list *label)
{
    cleave_error inner;
    int32_t *leaf = clv_alloc(tree->npes, sizeof *leaf);
    cleave_status status =
        leaf ? place_labels(r, label, tree->npes, leaf) : clv_fail_memory(r->text.err);
    if (status == CLEAVE_OK)
        status = clv_scotch_blame(&r->text,
                                  clv_target_sub(out, tree, tree->npes, leaf, &inner), &inner);
    else
        clv_target_free(tree);
    clv_sys_free(leaf);
    return status;
}

static bool is_identity(const number_list *label)
{
    for (int64_t i = 0; i < label->count; i++)
        if (label->number[i] != i)
            return false;
    return true;
}

static cleave_status read_labels(clv_target **out, target_reader *r, clv_target *tree,
                                 number_list *label)
{
    int64_t count;
    cleave_status status =
        clv_text_next_i64(&r->text, 1, tree->npes, "the number of labels", &count);
    if (status == CLEAVE_OK && tree->npes % count != 0)
        status = clv_text_fail(&r->text, "%lld labels do not divide the %ld PEs evenly",
                               (long long)count, (long)tree->npes);
    if (status == CLEAVE_OK && tree->npes > most_relabelled)
        status = clv_text_fail(&r->text, "a tree of %ld PEs is too large for labels",
                               (long)tree->npes);
    if (status == CLEAVE_OK)
        status = read_list(label, r, count, "the label of a PE");
    if (status != CLEAVE_OK) {
        clv_target_free(tree);
        return status;
    }
    if (!is_identity(label))
        return relabel(out, r, tree, label);
    *out = tree;
    return CLEAVE_OK;
}

static cleave_status read_labelled_tree(clv_target **out, target_reader *r)
{
    clv_target *tree = NULL;
    number_list label = {0};
    CLV_TRY(read_tree(&tree, r));
    cleave_status status = read_labels(out, r, tree, &label);
    clv_sys_free(label.number);
    return status;
}

/* ---- Subsets --------------------------------------------------------------------------- */

static cleave_status read_sub(clv_target **out, target_reader *r)
{
    cleave_error inner;
    int64_t count;
    number_list pe = {0};
    clv_target *whole = NULL;
    CLV_TRY(clv_text_next_i64(&r->text, 1, INT32_MAX, "the number of PEs", &count));
    cleave_status status = read_list(&pe, r, count, "the number of a PE");
    if (status == CLEAVE_OK)
        status = read_target(&whole, r);
    if (status == CLEAVE_OK)
        status = clv_scotch_blame(
            &r->text, clv_target_sub(out, whole, (int32_t)count, pe.number, &inner), &inner);
    clv_sys_free(pe.number);
    return status;
}

/* ---- Any target ------------------------------------------------------------------------ */

static bool is_word(const char *word, size_t length, const char *name)
{
    size_t i = 0;
    while (i < length && name[i] && clv_text_lower(word[i]) == clv_text_lower(name[i]))
        i++;
    return i == length && !name[i];
}

typedef enum target_kind {
    COMPLETE,
    WEIGHTED,
    HYPERCUBE,
    BOX,
    TORUS,
    TREE,
    LABELLED_TREE,
    SUB,
    DECO,
    VARIABLE
} target_kind;

static const struct kind_name {
    const char *name;
    target_kind kind;
    int dimensions;
} kind_names[] = {
    {"cmplt", COMPLETE, 0}, {"cmpltw", WEIGHTED, 0},      {"hcub", HYPERCUBE, 0},
    {"mesh2D", BOX, 2},     {"mesh3D", BOX, 3},           {"meshXD", BOX, 0},
    {"torus2D", TORUS, 2},  {"torus3D", TORUS, 3},        {"torusXD", TORUS, 0},
    {"tleaf", TREE, 0},     {"ltleaf", LABELLED_TREE, 0}, {"sub", SUB, 0},
    {"deco", DECO, 0},      {"varcmplt", VARIABLE, 0},    {"varhcub", VARIABLE, 0},
    {NULL, COMPLETE, 0}};

static cleave_status read_kind(const struct kind_name **kind, target_reader *r)
{
    const char *word;
    size_t length;
    bool more;
    CLV_TRY(clv_text_next_content(&r->text, "", &more));
    if (!more)
        return clv_text_fail(&r->text, "the file ends before the kind of the target");
    CLV_TRY(clv_text_word(&r->text, &word, &length));
    for (*kind = kind_names; (*kind)->name; ++*kind)
        if (is_word(word, length, (*kind)->name))
            return CLEAVE_OK;
    return clv_text_fail(&r->text, "\"%.*s\" is not a kind of target in Scotch's files",
                         length < 20 ? (int)length : 20, word);
}

static cleave_status read_numbers(clv_target **out, target_reader *r,
                                  const struct kind_name *kind)
{
    switch (kind->kind) {
    case COMPLETE:
        return read_complete(out, r);
    case WEIGHTED:
        return read_weighted(out, r);
    case HYPERCUBE:
        return read_hypercube(out, r);
    case BOX:
    case TORUS:
        return read_box(out, r, kind->dimensions, kind->kind == TORUS);
    case TREE:
        return read_tree(out, r);
    case LABELLED_TREE:
        return read_labelled_tree(out, r);
    case SUB:
        return read_sub(out, r);
    case DECO:
        return clv_scotch_deco(out, &r->text);
    case VARIABLE:
        break;
    }
    return clv_text_fail(&r->text,
                         "%s has no number of PEs: it is for clustering, not a machine that "
                         "can be mapped onto",
                         kind->name);
}

static cleave_status read_target(clv_target **out, target_reader *r)
{
    const struct kind_name *kind = kind_names;
    CLV_TRY(read_kind(&kind, r));
    if (++r->depth > most_nested)
        return clv_text_fail(&r->text, "targets are nested more than %d deep", most_nested);
    return read_numbers(out, r, kind);
}

static cleave_status read_file(clv_target **out, target_reader *r)
{
    bool more;
    CLV_TRY(read_target(out, r));
    CLV_TRY(clv_text_next_content(&r->text, "", &more));
    return more ? clv_text_fail(&r->text, "unexpected text after the target") : CLEAVE_OK;
}

cleave_status clv_target_scotch_file(clv_target **out, const char *path, cleave_error *err)
{
    clv_input *in;
    target_reader r = {0};
    *out = NULL;
    CLV_TRY(clv_input_open(&in, path, NULL, NULL, err));
    cleave_status status = clv_text_init(&r.text, in, err);
    if (status == CLEAVE_OK)
        status = read_file(out, &r);
    clv_text_free(&r.text);
    clv_input_close(in);
    if (status != CLEAVE_OK) {
        clv_target_free(*out);
        *out = NULL;
    }
    return status;
}

const clv_target_form clv_target_form_scotch = {
    .prefix = "scotch:",
    .example = "scotch:FILE",
    .description = "a target file of Scotch (.tgt)",
    .file = true,
    .parse = clv_target_scotch_file,
};
