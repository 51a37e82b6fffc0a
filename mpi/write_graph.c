/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/write_graph.c - parallel writing of a graph file.
 *
 * A plain binary file is written by all ranks, each its own ranges.  Where all ranks are on
 * one computer and can open the file descriptor of rank 0, the file is unnamed until it is
 * complete, so that nothing is left behind when processes are killed; otherwise it has a
 * temporary name.  The checksum depends on the order of the bytes: when all data is written,
 * rank 0 reads the file, writes the header, and gives the file its name.  Other formats are
 * gathered on rank 0.
 *
 * Rows of a file ascend; those of a distributed graph need not.  They are sorted while
 * writing, one at a time. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sort.h"
#include "cleave/cleave_mpi.h"
#include "formats/graph_file.h"
#include "mpi/files.h"

enum { buffer_items = 1 << 16, source_bytes = 2 };

typedef struct binary_writer {
    const clv_dist_graph *g;
    const char *path; /* the final one */
    clv_binary_header h;
    clv_plain_file file;
    int64_t *offsets;          /* buffer_items of them */
    int32_t *heads, *weights;  /* likewise */
    clv_sort_item *row, *more; /* the longest row */
} binary_writer;

/* ---- Layout ----------------------------------------------------------------------------- */

static void lay_out(binary_writer *w)
{
    const clv_dist_graph *g = w->g;
    bool dag = g->kind == CLEAVE_DAG;
    bool there[clv_binary_sections] = {[CLV_XADJ] = true,
                                       [CLV_ADJ] = true,
                                       [CLV_EWGT] = g->ewgt != NULL,
                                       [CLV_XPRED] = dag,
                                       [CLV_PRED] = dag,
                                       [CLV_PWGT] = dag && g->pwgt,
                                       [CLV_VWGT] = g->vwgt != NULL,
                                       [CLV_VSIZE] = g->vsize != NULL,
                                       [CLV_COORDS] = g->ndim > 0,
                                       [CLV_SOURCE] = true};
    w->h.kind = (int32_t)g->kind;
    w->h.nvtx = (int32_t)g->nglobal;
    w->h.ncon = g->ncon;
    w->h.ndim = g->ndim;
    w->h.narc = g->narc_global;
    w->h.entries = clv_dist_edges(g);
    clv_binary_lay_out(&w->h, there, 0, source_bytes);
}

static int64_t longest_row(const clv_dist_graph *g)
{
    int64_t longest = 0;
    for (int32_t v = 0; v < g->nlocal; v++) {
        int64_t next = g->xadj[v + 1] - g->xadj[v], back = g->xpred[v + 1] - g->xpred[v];
        longest = next > longest ? next : longest;
        longest = back > longest ? back : longest;
    }
    return longest;
}

static bool allocate(binary_writer *w)
{
    int64_t longest = longest_row(w->g);
    w->offsets = clv_alloc(buffer_items, sizeof *w->offsets);
    w->heads = clv_alloc(buffer_items, sizeof *w->heads);
    w->weights = clv_alloc(buffer_items, sizeof *w->weights);
    w->row = clv_alloc(longest, sizeof *w->row);
    w->more = clv_alloc(longest, sizeof *w->more);
    return w->offsets && w->heads && w->weights && w->row && w->more;
}

static void free_buffers(binary_writer *w)
{
    clv_sys_free(w->offsets);
    clv_sys_free(w->heads);
    clv_sys_free(w->weights);
    clv_sys_free(w->row);
    clv_sys_free(w->more);
}

/* ---- Own ranges: local ------------------------------------------------------------------ */

/* Writes count items from number `begin` of the section on; a missing section is skipped. */
static cleave_status put_items(const binary_writer *w, clv_binary_section s, const void *items,
                               int64_t begin, int64_t count, cleave_error *err)
{
    int64_t each = clv_binary_item_bytes(&w->h, s);
    if (!w->h.section[s].offset)
        return CLEAVE_OK;
    return clv_plain_write(&w->file, items, count * each,
                           (int64_t)w->h.section[s].offset + begin * each, err);
}

/* The offsets of the own rows, after `before` arcs of lower ranks; the last rank also writes
 * the end of the last row. */
static cleave_status put_offsets(const binary_writer *w, clv_binary_section s,
                                 const int64_t *xadj, int64_t before, cleave_error *err)
{
    const clv_dist_graph *g = w->g;
    int64_t own = g->nlocal + (g->comm.rank == g->comm.size - 1 ? 1 : 0);
    for (int64_t v = 0; v < own; v += buffer_items) {
        int64_t now = own - v < buffer_items ? own - v : buffer_items;
        for (int64_t i = 0; i < now; i++)
            w->offsets[i] = before + xadj[v + i];
        CLV_TRY(put_items(w, s, w->offsets, g->first[g->comm.rank] + v, now, err));
    }
    return CLEAVE_OK;
}

/* A row in ascending global numbers, with the positions of its arcs. */
static const clv_sort_item *sort_row(const binary_writer *w, const int32_t *adj, int64_t begin,
                                     int64_t count)
{
    bool ascends = true;
    for (int64_t i = 0; i < count; i++) {
        w->row[i] = (clv_sort_item){clv_dist_global(w->g, adj[begin + i]), {begin + i}};
        ascends = ascends && (i == 0 || w->row[i - 1].key < w->row[i].key);
    }
    return ascends ? w->row : clv_sort(w->row, w->more, count);
}

/* Rows with their weights, into two sections. */
typedef struct row_section {
    clv_binary_section heads, weights;
    const int64_t *xadj;
    const int32_t *adj, *ewgt;
    int64_t next; /* number of the arc to be written next, in the file */
} row_section;

static cleave_status flush(const binary_writer *w, row_section *to, int64_t count,
                           cleave_error *err)
{
    int64_t at = to->next;
    to->next += count;
    CLV_TRY(put_items(w, to->heads, w->heads, at, count, err));
    return put_items(w, to->weights, w->weights, at, count, err);
}

static cleave_status put_rows(const binary_writer *w, row_section *from, cleave_error *err)
{
    int64_t used = 0;
    for (int32_t v = 0; v < w->g->nlocal; v++) {
        int64_t count = from->xadj[v + 1] - from->xadj[v];
        const clv_sort_item *row = sort_row(w, from->adj, from->xadj[v], count);
        for (int64_t i = 0; i < count; i++) {
            if (used == buffer_items) {
                CLV_TRY(flush(w, from, used, err));
                used = 0;
            }
            w->heads[used] = (int32_t)row[i].key;
            w->weights[used++] = from->ewgt ? from->ewgt[row[i].with.index] : 1;
        }
    }
    return flush(w, from, used, err);
}

static cleave_status put_own(const binary_writer *w, int64_t before, int64_t pred_before,
                             cleave_error *err)
{
    static const char source[clv_binary_alignment];
    const clv_dist_graph *g = w->g;
    int64_t first = g->first[g->comm.rank], own = g->nlocal;
    row_section next = {CLV_ADJ, CLV_EWGT, g->xadj, g->adj, g->ewgt, before};
    row_section back = {CLV_PRED, CLV_PWGT, g->xpred, g->pred, g->pwgt, pred_before};
    CLV_TRY(put_offsets(w, CLV_XADJ, g->xadj, before, err));
    CLV_TRY(put_rows(w, &next, err));
    if (g->kind == CLEAVE_DAG) {
        CLV_TRY(put_offsets(w, CLV_XPRED, g->xpred, pred_before, err));
        CLV_TRY(put_rows(w, &back, err));
    }
    CLV_TRY(put_items(w, CLV_VWGT, g->vwgt, first, own, err));
    CLV_TRY(put_items(w, CLV_VSIZE, g->vsize, first, own, err));
    CLV_TRY(put_items(w, CLV_COORDS, g->coords, first, own, err));
    /* Two empty words, and the zeros up to the end of the file. */
    if (g->comm.rank == 0)
        CLV_TRY(put_items(w, CLV_SOURCE, source, 0, clv_binary_alignment, err));
    return CLEAVE_OK;
}

/* ---- All ranks -------------------------------------------------------------------------- */

/* Collective.  Broadcasts temporary of rank 0 to *copy (from clv_alloc). */
static cleave_status share_name(char **copy, const clv_comm *comm, const char *temporary,
                                cleave_error *err)
{
    int64_t length = comm->rank == 0 ? (int64_t)strlen(temporary) + 1 : 0;
    clv_comm_broadcast(comm, &length, sizeof length, 0);
    *copy = clv_alloc(length, 1);
    CLV_TRY(clv_comm_agree_memory(comm, *copy != NULL, err));
    if (comm->rank == 0)
        memcpy(*copy, temporary, (size_t)length);
    clv_comm_broadcast(comm, *copy, length, 0);
    return CLEAVE_OK;
}

/* Collective.  Whether all ranks can open rank 0's file through its path in /proc; name is
 * rank 0's.  Containers may hide it, or show another file. */
static bool all_reach(const clv_comm *comm, char name[CLV_OUTPUT_UNNAMED], bool known)
{
    struct stat info = {0};
    int64_t found = clv_comm_is_local(comm) && (comm->rank > 0 || known);
    clv_comm_broadcast(comm, name, CLV_OUTPUT_UNNAMED, 0);
    clv_comm_broadcast(comm, &found, sizeof found, 0);
    if (!found)
        return false;
    found = stat(name, &info) == 0 && access(name, R_OK | W_OK) == 0;
    uint64_t identity[2] = {(uint64_t)info.st_dev, (uint64_t)info.st_ino};
    uint64_t first[2] = {identity[0], identity[1]};
    clv_comm_broadcast(comm, first, sizeof first, 0);
    found = found && first[0] == identity[0] && first[1] == identity[1];
    return clv_comm_min(comm, found) == 1;
}

/* Collective.  The name by which all ranks open the file, from clv_alloc; out is rank 0's. */
static cleave_status name_file(char **name, const clv_comm *comm, clv_output *out,
                               const char *path, cleave_error *err)
{
    char unnamed[CLV_OUTPUT_UNNAMED] = "";
    const char *temporary = unnamed;
    cleave_status status = CLEAVE_OK;
    if (!all_reach(comm, unnamed, out && clv_output_unnamed(out, unnamed))) {
        if (out)
            status = clv_output_temporary(&temporary, out, err);
        if (out && status == CLEAVE_OK && !temporary)
            status = clv_fail_at(err, CLEAVE_EIO, path, 0, "is no longer a regular file");
        CLV_TRY(clv_comm_agree(comm, status, err));
    }
    return share_name(name, comm, temporary, err);
}

/* Rank 0, after all ranks have written their data. */
static cleave_status put_header(binary_writer *w, const char *name, cleave_error *err)
{
    uint64_t sum;
    CLV_TRY(clv_plain_open(&w->file, name, w->path, true, err));
    cleave_status status =
        clv_plain_sum(&w->file, sizeof w->h, (int64_t)w->h.start.file_size, &sum, err);
    if (status == CLEAVE_OK) {
        clv_binary_seal(&w->h, sum);
        status = clv_plain_write(&w->file, &w->h, sizeof w->h, 0, err);
    }
    cleave_status closed = clv_plain_close(&w->file, status == CLEAVE_OK ? err : NULL);
    return status == CLEAVE_OK ? closed : status;
}

/* Collective.  Writes the whole contents of the file called name. */
static cleave_status fill_file(binary_writer *w, const char *name, cleave_error *err)
{
    const clv_comm *comm = &w->g->comm;
    int64_t before = clv_comm_before(comm, w->g->narc);
    int64_t pred_before = clv_comm_before(comm, w->g->xpred[w->g->nlocal]);
    lay_out(w);
    cleave_status status = allocate(w) ? clv_plain_open(&w->file, name, w->path, true, err)
                                       : clv_fail_memory(err);
    if (status == CLEAVE_OK)
        status = put_own(w, before, pred_before, err);
    cleave_status closed = clv_plain_close(&w->file, status == CLEAVE_OK ? err : NULL);
    free_buffers(w);
    CLV_TRY(clv_comm_agree(comm, status == CLEAVE_OK ? closed : status, err));
    status = comm->rank == 0 ? put_header(w, name, err) : CLEAVE_OK;
    return clv_comm_agree(comm, status, err);
}

static cleave_status write_binary(const clv_dist_graph *g, const char *path, cleave_error *err)
{
    const clv_comm *comm = &g->comm;
    binary_writer w = {.g = g, .path = path};
    clv_output *out = NULL;
    char *name = NULL;
    if (g->nglobal >= INT32_MAX)
        return clv_fail(err, CLEAVE_ERANGE,
                        "%lld vertices are too many for a binary graph: at most 2^31 - 2",
                        (long long)g->nglobal);
    cleave_status status = CLEAVE_OK;
    if (comm->rank == 0)
        status = clv_output_open(&out, path, NULL, NULL, err);
    status = clv_comm_agree(comm, status, err);
    if (status == CLEAVE_OK)
        status = name_file(&name, comm, out, path, err);
    if (status == CLEAVE_OK)
        status = fill_file(&w, name, err);
    clv_sys_free(name);
    if (status != CLEAVE_OK) {
        clv_output_abandon(out);
        return status;
    }
    return clv_comm_agree(comm, out ? clv_output_commit(out, err) : CLEAVE_OK, err);
}

static cleave_status write_gathered(const clv_dist_graph *g, const char *path,
                                    cleave_error *err)
{
    clv_graph *whole;
    CLV_TRY(clv_dist_graph_gather(&whole, g, 0, err));
    cleave_status status = CLEAVE_OK;
    if (g->comm.rank == 0)
        status = cleave_graph_write(whole, path, NULL, err);
    clv_graph_free(whole);
    return clv_comm_agree(&g->comm, status, err);
}

/* Rank 0: whether it is a binary file that several ranks can write. */
static cleave_status plan(bool *by_all, const char *path, cleave_error *err)
{
    const clv_format *format;
    struct stat info;
    size_t length = strlen(path);
    CLV_TRY(clv_graph_file_output(&format, path, NULL, err));
    bool packed = length > 3 && strcmp(path + length - 3, ".gz") == 0;
    bool plain = stat(path, &info) != 0 || S_ISREG(info.st_mode);
    *by_all = format == &clv_format_binary && !packed && plain;
    return CLEAVE_OK;
}

cleave_status cleave_mpi_graph_write(const cleave_mpi_graph *g, const char *path,
                                     cleave_error *err)
{
    if (!g)
        return clv_fail(err, CLEAVE_EINVAL, "graph is NULL");
    bool by_all = false;
    cleave_status status = path ? CLEAVE_OK : clv_fail(err, CLEAVE_EINVAL, "path is NULL");
    if (path && g->comm.rank == 0)
        status = plan(&by_all, path, err);
    CLV_TRY(clv_comm_agree(&g->comm, status, err));
    clv_comm_broadcast(&g->comm, &by_all, sizeof by_all, 0);
    return by_all ? write_binary(g, path, err) : write_gathered(g, path, err);
}
