/* SPDX-License-Identifier: Apache-2.0 */
/* formats/wfcommons.c - workflows in WfFormat, the JSON format of WfCommons [Coleman et al.
 * 2022], version 1.5 (workflow.specification and workflow.execution) and earlier
 * (workflow.tasks with files and runtimes inside).
 *
 * A task is a vertex, with its id as name and its runtime in milliseconds as weight; an arc
 * goes from parent to child, with the KiB of the files that the parent writes and the child
 * reads as weight.  Both are rounded up and at least 1; without any runtimes, or any files,
 * there are no such weights.
 *
 * jansson reads the JSON and does not record positions: messages about tasks contain the name
 * of the task instead of the line. */
#include "formats/wfcommons.h"

#ifdef CLEAVE_HAVE_JANSSON

#include <math.h>
#include <string.h>

#include "formats/grow.h"
#include "formats/json.h"
#include "formats/name_table.h"
#include "graph/rows.h"

/* Files by task: lists of file numbers in the order of the tasks. */
typedef struct file_lists {
    int64_t *first; /* ntask + 1 */
    int32_t *file;
    int64_t count, room;
} file_lists;

typedef struct wf_reader {
    clv_json json;
    int32_t ntask;
    clv_name_table ids;   /* tasks first, then unknown ids that are referenced */
    clv_name_table names; /* of tasks; several tasks may have the same name */
    int32_t *owner;       /* by name: its task, or -1 if there are several */
    int64_t owner_room;
    clv_name_table files;
    double *size; /* by file, in bytes */
    int64_t size_room;
    file_lists inputs, outputs;
    clv_edge_stream arcs;
    int32_t *vwgt;
    bool has_runtimes;
} wf_reader;

/* ---- Members -------------------------------------------------------------------------- */

/* The id of a task or a file, or its name if it has no id. */
static cleave_status id_member(const wf_reader *r, const json_t *object, json_t **id)
{
    CLV_TRY(clv_json_string(&r->json, object, "id", id));
    return *id ? CLEAVE_OK : clv_json_string(&r->json, object, "name", id);
}

/* A number under its key, or under its key before version 1.4. */
static cleave_status number_member(const wf_reader *r, const json_t *object, const char *key,
                                   const char *old_key, bool *known, double *number)
{
    CLV_TRY(clv_json_number(&r->json, object, key, known, number));
    return *known ? CLEAVE_OK : clv_json_number(&r->json, object, old_key, known, number);
}

/* Rounds up, to at least 1.  A value that is whole except for rounding errors is not
 * increased: 141.835 seconds are 141835 milliseconds, although 141.835 * 1000 is a bit more in
 * floating point. */
static bool to_weight(double value, int32_t *weight)
{
    double nearest = floor(value + 0.5);
    value = fabs(value - nearest) <= 1e-9 * value ? nearest : ceil(value);
    if (!(value <= INT32_MAX))
        return false;
    *weight = value < 1 ? 1 : (int32_t)value;
    return true;
}

/* ---- Tasks ---------------------------------------------------------------------------- */

static const char *id_of(const wf_reader *r, int32_t task)
{
    return clv_name_table_name(&r->ids, task);
}

static cleave_status add_string(wf_reader *r, clv_name_table *table, const json_t *string,
                                int32_t *number, bool *added)
{
    return clv_name_table_add(table, json_string_value(string),
                              (int64_t)json_string_length(string), number, added, r->json.err);
}

static cleave_status add_name(wf_reader *r, const json_t *name, int32_t task)
{
    int32_t number;
    bool added;
    CLV_TRY(add_string(r, &r->names, name, &number, &added));
    if (number == r->owner_room) {
        int64_t room = clv_next_room(r->owner_room);
        if (!clv_grow_i32(&r->owner, room))
            return clv_fail_memory(r->json.err);
        r->owner_room = room;
    }
    r->owner[number] = added ? task : -1;
    return CLEAVE_OK;
}

static cleave_status add_task(wf_reader *r, const json_t *task)
{
    json_t *id, *name;
    int32_t number;
    bool added;
    if (!json_is_object(task))
        return clv_json_fail(&r->json, "task %d is not an object", (int)r->ntask);
    CLV_TRY(id_member(r, task, &id));
    if (!id)
        return clv_json_fail(&r->json, "task %d has neither an id nor a name", (int)r->ntask);
    CLV_TRY(add_string(r, &r->ids, id, &number, &added));
    if (!added)
        return clv_json_fail(&r->json, "task \"%.80s\" occurs twice", json_string_value(id));
    CLV_TRY(clv_json_string(&r->json, task, "name", &name));
    if (name)
        CLV_TRY(add_name(r, name, number));
    r->ntask++;
    return CLEAVE_OK;
}

/* The task with an id or, before version 1.5, a name. */
static cleave_status find_task(wf_reader *r, const json_t *reference, const char *what,
                               int32_t from, int32_t *task)
{
    bool added;
    if (!json_is_string(reference))
        return clv_json_fail(&r->json, "a %s of task \"%.80s\" is not a string", what,
                             id_of(r, from));
    CLV_TRY(add_string(r, &r->ids, reference, task, &added));
    if (*task < r->ntask)
        return CLEAVE_OK;
    CLV_TRY(add_string(r, &r->names, reference, task, &added));
    if (!added && r->owner[*task] >= 0) {
        *task = r->owner[*task];
        return CLEAVE_OK;
    }
    return clv_json_fail(&r->json, "task \"%.80s\" has a %s \"%.80s\", which is not a task",
                         id_of(r, from), what, json_string_value(reference));
}

static cleave_status add_arcs(wf_reader *r, const json_t *task, int32_t v, bool children)
{
    json_t *list, *reference;
    size_t i;
    CLV_TRY(clv_json_array(&r->json, task, children ? "children" : "parents", &list));
    json_array_foreach(list, i, reference)
    {
        int32_t other;
        CLV_TRY(find_task(r, reference, children ? "child" : "parent", v, &other));
        if (other == v)
            return clv_fail_at(r->json.err, CLEAVE_ECYCLE, clv_input_path(r->json.in), 0,
                               "the graph has a cycle: %.80s -> %.80s", id_of(r, v),
                               id_of(r, v));
        int32_t tail = children ? v : other, head = children ? other : v;
        if (!clv_edge_stream_add(&r->arcs, 1, &tail, &head, NULL))
            return clv_fail_memory(r->json.err);
    }
    return CLEAVE_OK;
}

static cleave_status set_runtime(wf_reader *r, const json_t *object, int32_t v)
{
    bool known;
    double seconds = 0;
    CLV_TRY(number_member(r, object, "runtimeInSeconds", "runtime", &known, &seconds));
    if (!known)
        return CLEAVE_OK;
    r->has_runtimes = true;
    if (!to_weight(1000 * seconds, &r->vwgt[v]))
        return clv_fail_at(r->json.err, CLEAVE_ERANGE, clv_input_path(r->json.in), 0,
                           "task \"%.80s\" runs for more than 2147483647 milliseconds",
                           id_of(r, v));
    return CLEAVE_OK;
}

/* ---- Files ---------------------------------------------------------------------------- */

static cleave_status find_file(wf_reader *r, const json_t *id, int32_t *file)
{
    bool added;
    if (!json_is_string(id))
        return clv_json_fail(&r->json, "the name of a file is not a string");
    CLV_TRY(add_string(r, &r->files, id, file, &added));
    if (added && *file == r->size_room) {
        int64_t room = clv_next_room(r->size_room);
        if (!clv_grow_double(&r->size, room))
            return clv_fail_memory(r->json.err);
        r->size_room = room;
    }
    if (added)
        r->size[*file] = 0;
    return CLEAVE_OK;
}

static cleave_status add_to_list(wf_reader *r, file_lists *lists, int32_t file)
{
    if (lists->count == lists->room) {
        int64_t room = clv_next_room(lists->room);
        if (!clv_grow_i32(&lists->file, room))
            return clv_fail_memory(r->json.err);
        lists->room = room;
    }
    lists->file[lists->count++] = file;
    return CLEAVE_OK;
}

/* Version 1.5: lists of ids only. */
static cleave_status add_file_names(wf_reader *r, const json_t *task, const char *key,
                                    file_lists *lists)
{
    json_t *list, *name;
    size_t i;
    CLV_TRY(clv_json_array(&r->json, task, key, &list));
    json_array_foreach(list, i, name)
    {
        int32_t file;
        CLV_TRY(find_file(r, name, &file));
        CLV_TRY(add_to_list(r, lists, file));
    }
    return CLEAVE_OK;
}

static cleave_status set_size(wf_reader *r, const json_t *object, int32_t *file)
{
    json_t *name;
    bool known;
    double size = 0;
    if (!json_is_object(object))
        return clv_json_fail(&r->json, "a file is not an object");
    CLV_TRY(id_member(r, object, &name));
    if (!name)
        return clv_json_fail(&r->json, "a file has neither an id nor a name");
    CLV_TRY(find_file(r, name, file));
    CLV_TRY(number_member(r, object, "sizeInBytes", "size", &known, &size));
    if (known)
        r->size[*file] = size;
    return CLEAVE_OK;
}

/* Before version 1.5: objects with a size and a direction. */
static cleave_status add_linked_files(wf_reader *r, const json_t *task)
{
    json_t *list, *object, *link;
    size_t i;
    CLV_TRY(clv_json_array(&r->json, task, "files", &list));
    json_array_foreach(list, i, object)
    {
        int32_t file;
        CLV_TRY(set_size(r, object, &file));
        CLV_TRY(clv_json_string(&r->json, object, "link", &link));
        const char *direction = link ? json_string_value(link) : "";
        bool input = strcmp(direction, "input") == 0;
        if (!input && strcmp(direction, "output") != 0)
            return clv_json_fail(
                &r->json, "the link of a file is \"%.40s\", not input or output", direction);
        CLV_TRY(add_to_list(r, input ? &r->inputs : &r->outputs, file));
    }
    return CLEAVE_OK;
}

/* Sorts each list and removes duplicates. */
static cleave_status tidy_lists(wf_reader *r, file_lists *lists)
{
    clv_ws ws = {NULL};
    if (!lists->file && !(lists->file = clv_alloc(0, sizeof *lists->file)))
        return clv_fail_memory(r->json.err);
    clv_rows rows = {.nvtx = r->ntask, .xadj = lists->first, .adj = lists->file};
    cleave_status status = clv_rows_sort(&rows, &ws, r->json.err);
    clv_ws_free(&ws);
    lists->file = rows.adj;
    int64_t to = 0;
    for (int32_t v = 0; status == CLEAVE_OK && v < r->ntask; v++) {
        int64_t i = lists->first[v], start = to;
        lists->first[v] = to;
        for (; i < lists->first[v + 1]; i++)
            if (to == start || lists->file[to - 1] != lists->file[i])
                lists->file[to++] = lists->file[i];
    }
    lists->first[r->ntask] = to;
    return status;
}

static bool contains(const int32_t *list, int64_t count, int32_t file)
{
    int64_t low = 0, high = count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (list[middle] < file)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && list[low] == file;
}

/* Bytes of the files that parent writes and child reads.  Searches for the files of the
 * shorter list: a task with many files and many children costs no more than the lists of the
 * children. */
static double passed_bytes(const wf_reader *r, int32_t parent, int32_t child)
{
    const int32_t *a = r->outputs.file + r->outputs.first[parent];
    const int32_t *b = r->inputs.file + r->inputs.first[child];
    int64_t na = r->outputs.first[parent + 1] - r->outputs.first[parent];
    int64_t nb = r->inputs.first[child + 1] - r->inputs.first[child];
    bool a_first = na <= nb;
    const int32_t *shorter = a_first ? a : b, *longer = a_first ? b : a;
    int64_t nshort = a_first ? na : nb, nlong = a_first ? nb : na;
    double bytes = 0;
    for (int64_t i = 0; i < nshort; i++)
        if (contains(longer, nlong, shorter[i]))
            bytes += r->size[shorter[i]];
    return bytes;
}

/* ---- The workflow --------------------------------------------------------------------- */

static cleave_status read_specification(wf_reader *r, const json_t *tasks)
{
    json_t *task;
    size_t i;
    if (json_array_size(tasks) >= INT32_MAX)
        return clv_json_fail(&r->json, "there are more than %d tasks", INT32_MAX - 1);
    json_array_foreach(tasks, i, task)
    {
        CLV_TRY(add_task(r, task));
    }
    r->inputs.first = clv_zalloc((int64_t)r->ntask + 1, sizeof *r->inputs.first);
    r->outputs.first = clv_zalloc((int64_t)r->ntask + 1, sizeof *r->outputs.first);
    r->vwgt = clv_alloc(r->ntask, sizeof *r->vwgt);
    if (!r->inputs.first || !r->outputs.first || !r->vwgt)
        return clv_fail_memory(r->json.err);
    json_array_foreach(tasks, i, task)
    {
        int32_t v = (int32_t)i;
        r->vwgt[v] = 1;
        CLV_TRY(add_arcs(r, task, v, true));
        CLV_TRY(add_arcs(r, task, v, false));
        CLV_TRY(set_runtime(r, task, v));
        CLV_TRY(add_file_names(r, task, "inputFiles", &r->inputs));
        CLV_TRY(add_file_names(r, task, "outputFiles", &r->outputs));
        CLV_TRY(add_linked_files(r, task));
        r->inputs.first[v + 1] = r->inputs.count;
        r->outputs.first[v + 1] = r->outputs.count;
    }
    return CLEAVE_OK;
}

static cleave_status read_sizes(wf_reader *r, const json_t *specification)
{
    json_t *files, *object;
    size_t i;
    int32_t file;
    CLV_TRY(clv_json_array(&r->json, specification, "files", &files));
    json_array_foreach(files, i, object)
    {
        CLV_TRY(set_size(r, object, &file));
    }
    return CLEAVE_OK;
}

static cleave_status read_execution(wf_reader *r, const json_t *workflow)
{
    json_t *execution, *tasks, *task, *id;
    size_t i;
    CLV_TRY(clv_json_object(&r->json, workflow, "execution", &execution));
    CLV_TRY(clv_json_array(&r->json, execution, "tasks", &tasks));
    json_array_foreach(tasks, i, task)
    {
        int32_t v;
        bool added;
        if (!json_is_object(task))
            return clv_json_fail(&r->json, "executed task %zu is not an object", i);
        CLV_TRY(id_member(r, task, &id));
        if (!id)
            return clv_json_fail(&r->json, "executed task %zu has neither an id nor a name",
                                 i);
        CLV_TRY(add_string(r, &r->ids, id, &v, &added));
        if (v >= r->ntask)
            return clv_json_fail(&r->json,
                                 "the executed task \"%.80s\" is not among the tasks",
                                 json_string_value(id));
        CLV_TRY(set_runtime(r, task, v));
    }
    return CLEAVE_OK;
}

static cleave_status read_workflow(wf_reader *r, const json_t *root)
{
    json_t *workflow, *specification, *tasks;
    CLV_TRY(clv_json_object(&r->json, root, "workflow", &workflow));
    if (!workflow)
        return clv_json_fail(&r->json,
                             "there is no object \"workflow\": this is not WfFormat");
    CLV_TRY(clv_json_object(&r->json, workflow, "specification", &specification));
    if (!specification)
        specification = workflow;
    CLV_TRY(clv_json_array(&r->json, specification, "tasks", &tasks));
    if (!tasks)
        return clv_json_fail(&r->json, "the workflow has no array \"tasks\"");
    CLV_TRY(read_specification(r, tasks));
    CLV_TRY(read_sizes(r, specification));
    return read_execution(r, workflow);
}

static cleave_status set_arc_weights(wf_reader *r, clv_rows *rows)
{
    CLV_TRY(tidy_lists(r, &r->inputs));
    CLV_TRY(tidy_lists(r, &r->outputs));
    rows->ewgt = clv_alloc(rows->xadj[rows->nvtx], sizeof *rows->ewgt);
    if (!rows->ewgt)
        return clv_fail_memory(r->json.err);
    for (int32_t v = 0; v < rows->nvtx; v++)
        for (int64_t a = rows->xadj[v]; a < rows->xadj[v + 1]; a++)
            if (!to_weight(passed_bytes(r, v, rows->adj[a]) / 1024, &rows->ewgt[a]))
                return clv_fail_at(r->json.err, CLEAVE_ERANGE, clv_input_path(r->json.in), 0,
                                   "more than 2147483647 KiB go from task \"%.60s\" to "
                                   "\"%.60s\"",
                                   id_of(r, v), id_of(r, rows->adj[a]));
    return CLEAVE_OK;
}

/* Merges duplicates, because parent and child both list the arc, and sets the weights. */
static cleave_status make_rows(wf_reader *r, clv_rows *rows)
{
    clv_ws ws = {NULL};
    CLV_TRY(clv_edge_stream_rows(rows, &r->arcs, r->ntask, false, r->json.err));
    cleave_status status = clv_rows_sort(rows, &ws, r->json.err);
    clv_ws_free(&ws);
    CLV_TRY(status);
    int32_t edge[2];
    clv_rows_clean(rows, edge); /* no weights yet, so nothing can overflow */
    return r->files.count > 0 ? set_arc_weights(r, rows) : CLEAVE_OK;
}

static cleave_status give_attributes(wf_reader *r, clv_graph *g)
{
    static const char *const units[] = {NULL, "ms per vertex", "KiB per arc",
                                        "ms per vertex, KiB per arc"};
    g->unit = units[r->has_runtimes + 2 * (g->ewgt != NULL)];
    if (r->has_runtimes) {
        if (!clv_arena_adopt(&g->arena, r->vwgt))
            return clv_fail_memory(r->json.err);
        g->vwgt = r->vwgt;
        r->vwgt = NULL;
    }
    if (r->ntask == 0)
        return CLEAVE_OK;
    if (!clv_arena_adopt(&g->arena, r->ids.offset))
        return clv_fail_memory(r->json.err);
    g->names.offset = r->ids.offset;
    r->ids.offset = NULL;
    if (!clv_arena_adopt(&g->arena, r->ids.text)) {
        g->names.offset = NULL;
        return clv_fail_memory(r->json.err);
    }
    g->names.text = r->ids.text;
    r->ids.text = NULL;
    return CLEAVE_OK;
}

static cleave_status make_graph(clv_graph **out, wf_reader *r, const clv_read_options *opt)
{
    clv_rows rows = {.nvtx = 0};
    cleave_status status = make_rows(r, &rows);
    if (status != CLEAVE_OK) {
        clv_rows_free(&rows);
        return status;
    }
    bool dag = opt->as != CLV_AS_UNDIRECTED;
    int64_t arcs = rows.xadj[r->ntask];
    clv_names names = {r->ids.offset, r->ids.text};
    clv_where where = {.path = clv_input_path(r->json.in), .names = &names};
    clv_build_rules rules = clv_rules_collapsing(opt, rows.ewgt != NULL);
    CLV_TRY(clv_build_graph(out, dag ? CLEAVE_DAG : CLEAVE_UNDIRECTED, &rows, &rules, &where,
                            r->json.err));
    (*out)->entries = arcs;
    return give_attributes(r, *out);
}

static void free_reader(wf_reader *r)
{
    clv_name_table_free(&r->ids);
    clv_name_table_free(&r->names);
    clv_name_table_free(&r->files);
    clv_sys_free(r->owner);
    clv_sys_free(r->size);
    clv_sys_free(r->inputs.first);
    clv_sys_free(r->inputs.file);
    clv_sys_free(r->outputs.first);
    clv_sys_free(r->outputs.file);
    clv_edge_stream_free(&r->arcs);
    clv_sys_free(r->vwgt);
}

static cleave_status read_wfcommons(clv_graph **out, clv_input *in,
                                    const clv_read_options *opt, cleave_error *err)
{
    json_t *root;
    wf_reader r = {.json = {in, err}};
    clv_edge_stream_init(&r.arcs, false);
    CLV_TRY(clv_json_load(&r.json, &root));
    cleave_status status = read_workflow(&r, root);
    json_decref(root);
    if (status == CLEAVE_OK)
        status = make_graph(out, &r, opt);
    free_reader(&r);
    return status;
}

#else

#include <string.h>

static cleave_status read_wfcommons(clv_graph **out, clv_input *in,
                                    const clv_read_options *opt, cleave_error *err)
{
    (void)out;
    (void)opt;
    return clv_fail_at(err, CLEAVE_EINVAL, clv_input_path(in), 0,
                       "is a JSON file, and this library was built without jansson");
}

#endif

/* An object with a key "workflow" near its start. */
static int looks_like_wfcommons(const char *bytes, size_t count)
{
    static const char key[] = "\"workflow\"";
    const size_t length = sizeof key - 1;
    size_t i = 0;
    while (i < count && (bytes[i] == ' ' || (bytes[i] >= '\t' && bytes[i] <= '\r')))
        i++;
    if (i == count || bytes[i] != '{')
        return 0;
    for (; i + length <= count; i++)
        if (memcmp(bytes + i, key, length) == 0)
            return 95;
    return 0;
}

const clv_format clv_format_wfcommons = {
    .name = "wfcommons",
    .description = "WfCommons workflow (WfFormat JSON)",
    .extensions = "json",
    .looks_like = looks_like_wfcommons,
    .read = read_wfcommons,
    .write = clv_wfcommons_write,
    .holds = CLEAVE_HOLDS_VERTEX_WEIGHTS | CLEAVE_HOLDS_EDGE_WEIGHTS | CLEAVE_HOLDS_IDS |
             CLEAVE_HOLDS_NAMES | CLEAVE_HOLDS_DIRECTION | CLEAVE_HOLDS_ORDER |
             CLEAVE_HOLDS_NO_ZEROS,
};
