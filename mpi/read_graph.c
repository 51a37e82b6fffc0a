/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/read_graph.c - reads a graph file on all ranks.
 *
 * Rank 0 inspects the file and the options and makes a plan: plain files of three formats are
 * read by all ranks, each its share; all others are read by rank 0 as on one machine, and
 * scattered.  Files with an invalid header also go to the reader of one machine, which reports
 * the error.
 *
 * Errors that concern several lines of a text (an edge without its reverse, a cycle) are found
 * by clv_dist_graph_make, which has no line numbers.  Files that certainly fit one machine are
 * then read again by rank 0, only to report the path and line. */
#include <string.h>
#include <sys/stat.h>

#include "cleave/cleave_mpi.h"
#include "formats/graph_file.h"
#include "mpi/files.h"

/* Files up to this size are read again for an error message. */
enum { explain_bytes = 256 << 20 };

typedef struct request {
    clv_read_job job;
    cleave_read_options opt; /* complete, whatever the caller passed */
} request;

/* ---- The plan: rank 0 ------------------------------------------------------------------- */

static cleave_status plan_binary(clv_read_plan *plan, clv_input *in, cleave_error *err)
{
    const char *bytes;
    size_t count;
    CLV_TRY(clv_input_peek(in, &bytes, &count, err));
    memcpy(&plan->binary, bytes, count < sizeof plan->binary ? count : sizeof plan->binary);
    CLV_TRY(clv_binary_check_header(&plan->binary, count, clv_input_path(in), err));
    plan->route = CLV_READ_BINARY;
    return CLEAVE_OK;
}

/* The header has been read. */
static void note_body(clv_read_plan *plan, const clv_text *text)
{
    plan->body = clv_input_position(text->in) - (text->end - text->cur);
    plan->line = text->line;
}

static cleave_status plan_metis(clv_read_plan *plan, clv_input *in, cleave_error *err)
{
    clv_text text;
    cleave_status status = clv_text_init(&text, in, err);
    if (status == CLEAVE_OK)
        status = clv_metis_read_header(&plan->metis, &text);
    if (status == CLEAVE_OK) {
        note_body(plan, &text);
        plan->route = CLV_READ_METIS;
    }
    clv_text_free(&text);
    return status;
}

static cleave_status plan_matrix(clv_read_plan *plan, clv_input *in, cleave_error *err)
{
    mm_reader r;
    cleave_status status = clv_mm_open(&r, in, false, err);
    if (status == CLEAVE_OK)
        status = clv_mm_check_size(&r);
    bool square = r.nrow == r.ncol;
    bool directed = plan->as != CLV_AS_DAG || r.symmetry == MM_GENERAL;
    if (status == CLEAVE_OK && square && directed) {
        note_body(plan, &r.text);
        plan->matrix.pattern = r.pattern;
        plan->matrix.symmetry = r.symmetry;
        plan->matrix.nvtx = r.nrow;
        plan->matrix.nnz = r.nnz;
        plan->route = CLV_READ_MATRIX;
    }
    clv_text_free(&r.text);
    return status;
}

static cleave_status plan_input(clv_read_plan *plan, const clv_read_options *known,
                                const cleave_read_options *opt, clv_input *in,
                                cleave_error *err)
{
    const clv_format *format;
    bool triangle = known->as == CLV_AS_LOWER || known->as == CLV_AS_UPPER;
    CLV_TRY(clv_graph_file_input(&format, in, opt->format, err));
    plan->size = clv_input_size(in);
    if (plan->size < 0 || known->weights_from_values || known->cycles || opt->mesh ||
        opt->binarise)
        return CLEAVE_OK;
    if (format == &clv_format_binary && !triangle)
        return plan_binary(plan, in, err);
    if (format == &clv_format_metis && !triangle && !known->repair &&
        known->symmetrise == CLV_SYMMETRISE_REFUSE)
        return plan_metis(plan, in, err);
    if (format == &clv_format_matrix_market)
        return plan_matrix(plan, in, err);
    return CLEAVE_OK;
}

/* Only a lack of memory is reported; other failures recur when the whole file is read. */
static cleave_status make_plan(clv_read_plan *plan, const char *path,
                               const cleave_read_options *opt, cleave_error *err)
{
    clv_read_options known = {.as = CLV_AS_AUTO};
    struct stat info;
    clv_input *in = NULL;
    cleave_status status = clv_graph_file_options(&known, opt, err);
    if (status != CLEAVE_OK || strcmp(path, "-") == 0 || stat(path, &info) != 0 ||
        !S_ISREG(info.st_mode))
        return CLEAVE_OK;
    plan->as = known.as;
    plan->no_weights = known.no_weights;
    plan->trust = known.trust;
    status = clv_input_open(&in, path, NULL, NULL, err);
    if (status == CLEAVE_OK)
        status = plan_input(plan, &known, opt, in, err);
    if (status != CLEAVE_OK)
        plan->route = CLV_READ_WHOLE;
    clv_input_close(in);
    return status == CLEAVE_ENOMEM ? status : CLEAVE_OK;
}

/* ---- Reading by rank 0 ------------------------------------------------------------------ */

static cleave_status read_whole(clv_dist_graph **out, const request *q, cleave_error *err)
{
    const clv_comm *comm = q->job.comm;
    clv_graph *whole = NULL;
    cleave_status status = CLEAVE_OK;
    if (comm->rank == 0)
        status = cleave_graph_read(&whole, q->job.path, &q->opt, err);
    status = clv_comm_agree(comm, status, err);
    if (status == CLEAVE_OK)
        status = clv_dist_graph_scatter(out, comm, whole, NULL, err);
    clv_graph_free(whole);
    return status;
}

/* Broadcasts the repairs of rank 0. */
static void share_repairs(const request *q)
{
    cleave_repairs repairs;
    cleave_repairs_init(&repairs, sizeof repairs);
    if (q->job.comm->rank == 0 && q->opt.repairs && q->job.plan.route == CLV_READ_WHOLE)
        clv_sized_copy(&repairs, sizeof repairs, q->opt.repairs, "repairs", NULL);
    clv_comm_broadcast(q->job.comm, &repairs, sizeof repairs, 0);
    if (q->opt.repairs)
        clv_sized_write(q->opt.repairs, &repairs, sizeof repairs);
}

/* ---- Reading by all ranks --------------------------------------------------------------- */

/* clv_dist_graph_make has rejected the graph, with the same status on all ranks. */
static cleave_status explain(const request *q, cleave_status status, cleave_error *err)
{
    cleave_error said = {.status = status};
    cleave_read_options opt = q->opt;
    opt.progress = NULL;
    opt.repairs = NULL;
    opt.components = NULL;
    if (q->job.comm->rank == 0) {
        clv_graph *g = NULL;
        cleave_status again = CLEAVE_OK;
        if (q->job.plan.size <= explain_bytes)
            again = cleave_graph_read(&g, q->job.path, &opt, &said);
        clv_graph_free(g);
        if (again == CLEAVE_OK || again == CLEAVE_ENOMEM)
            clv_fail_at(&said, status == CLEAVE_EINVAL ? CLEAVE_EPARSE : status, q->job.path,
                        0, "%s", err->message);
    }
    clv_comm_broadcast(q->job.comm, &said, sizeof said, 0);
    *err = said;
    return said.status;
}

static void drop_weights(clv_dist_graph *g)
{
    g->vwgt = g->ewgt = g->pwgt = NULL;
    g->ncon = 1;
}

static cleave_status read_shares(clv_dist_graph **out, const request *q, cleave_error *err)
{
    const clv_read_plan *plan = &q->job.plan;
    cleave_status status = CLEAVE_OK;
    if (plan->route == CLV_READ_BINARY)
        CLV_TRY(
            clv_binary_check_kind((cleave_kind)plan->binary.kind, plan->as, q->job.path, err));
    switch (plan->route) {
    case CLV_READ_BINARY:
        status = clv_read_binary_shares(out, &q->job, err);
        break;
    case CLV_READ_METIS:
        status = clv_read_metis_shares(out, &q->job, err);
        break;
    default:
        status = clv_read_matrix_shares(out, &q->job, err);
    }
    if (status == CLEAVE_EINVAL || status == CLEAVE_ECYCLE || status == CLEAVE_ERANGE)
        return explain(q, status, err);
    CLV_TRY(status);
    if (plan->no_weights)
        drop_weights(*out);
    return CLEAVE_OK;
}

/* ---- Coordinates ------------------------------------------------------------------------ */

/* Rank 0: *coords stays NULL when there are none.  As in formats/graph_file.c, a coordinate
 * file found beside the graph that does not match is ignored. */
static cleave_status read_coords(double **coords, int32_t *ndim, const request *q,
                                 int64_t nvtx, cleave_error *err)
{
    bool oom = false;
    const char *path = q->opt.coords;
    char *beside = path ? NULL : clv_coords_beside(q->job.path, &oom);
    *coords = NULL;
    *ndim = 0;
    if (oom)
        return clv_fail_memory(err);
    if (!path && !beside)
        return CLEAVE_OK;
    cleave_status status =
        clv_coords_read(coords, ndim, path ? path : beside, (int32_t)nvtx, err);
    bool uninvited = beside != NULL && status == CLEAVE_EPARSE;
    clv_sys_free(beside);
    return uninvited ? CLEAVE_OK : status;
}

/* Collective.  Rank 0 holds the coordinates of all vertices temporarily. */
static cleave_status add_coords(clv_dist_graph *g, const request *q, cleave_error *err)
{
    const clv_comm *comm = q->job.comm;
    double *all = NULL, *mine = NULL;
    int32_t ndim = 0;
    bool none = q->opt.coords ? q->opt.coords[0] == '\0' : g->coords != NULL;
    if (none)
        return CLEAVE_OK;
    cleave_status status = CLEAVE_OK;
    if (comm->rank == 0)
        status = read_coords(&all, &ndim, q, g->nglobal, err);
    status = clv_comm_agree(comm, status, err);
    clv_comm_broadcast(comm, &ndim, sizeof ndim, 0);
    if (status == CLEAVE_OK && ndim > 0) {
        mine = clv_arena_alloc(&g->arena, (int64_t)g->nlocal * ndim, sizeof *mine);
        status = clv_comm_agree_memory(comm, mine != NULL, err);
    }
    if (status == CLEAVE_OK && ndim > 0) {
        clv_root_deal(comm, g->first, all, (size_t)ndim * sizeof *mine, mine);
        g->coords = mine;
        g->ndim = ndim;
    }
    clv_sys_free(all);
    return status;
}

/* ---- All of it -------------------------------------------------------------------------- */

static cleave_status check_arguments(request *q, cleave_mpi_graph **out, const char *path,
                                     const cleave_read_options *opt, cleave_error *err)
{
    if (!out || !path)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", out ? "path" : "out");
    q->opt = (cleave_read_options){.scale = 1.0, .common = 1};
    if (opt)
        CLV_TRY(clv_sized_copy(&q->opt, sizeof q->opt, opt, "opt", err));
    q->opt.size = sizeof q->opt;
    if (q->opt.components)
        *q->opt.components = NULL;
    q->job.path = path;
    q->job.progress = q->opt.progress;
    q->job.payload = q->opt.payload;
    return CLEAVE_OK;
}

static cleave_status read_graph(clv_dist_graph **out, request *q, cleave_error *err)
{
    clv_read_plan *plan = &q->job.plan;
    const clv_comm *comm = q->job.comm;
    cleave_status status = CLEAVE_OK;
    if (comm->rank == 0)
        status = make_plan(plan, q->job.path, &q->opt, err);
    CLV_TRY(clv_comm_agree(comm, status, err));
    clv_comm_broadcast(comm, plan, sizeof *plan, 0);
    if (plan->route == CLV_READ_WHOLE)
        return read_whole(out, q, err);
    CLV_TRY(read_shares(out, q, err));
    return add_coords(*out, q, err);
}

cleave_status cleave_mpi_graph_read(cleave_mpi_graph **out, MPI_Comm mpi, const char *path,
                                    const cleave_read_options *opt, cleave_error *err)
{
    clv_comm comm;
    clv_dist_graph *g = NULL;
    cleave_error unread; /* err may be shared with the caller */
    if (!err)
        err = &unread;
    if (out)
        *out = NULL;
    CLV_TRY(clv_comm_open(&comm, mpi, err));
    request q = {.job.comm = &comm};
    cleave_status status =
        clv_comm_agree(&comm, check_arguments(&q, out, path, opt, err), err);
    if (status == CLEAVE_OK) {
        status = read_graph(&g, &q, err);
        share_repairs(&q);
    }
    if (status != CLEAVE_OK) {
        clv_dist_graph_free(g);
        clv_comm_close(&comm);
        return status;
    }
    g->owns_comm = true;
    *out = g;
    return CLEAVE_OK;
}
