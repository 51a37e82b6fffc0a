/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/evaluate_sweep.c - propagation of values along the arcs of a distributed DAG: Kahn's
 * algorithm with messages between ranks.
 *
 * The value of an own vertex is sent once to each peer that has a successor of it, in the
 * round after its visit, addressed by its position in the list of the ghost exchange
 * (mpi/dist_graph.h). */
#include <string.h>

#include "mpi/judge.h"

enum { tag_sweep = 15 };

typedef struct message {
    int64_t place; /* among the own vertices that are ghosts of the peer */
    uint64_t value;
} message;

typedef struct sweep {
    const clv_dist_graph *g;
    uint64_t *value;
    void (*visit)(void *context, int32_t v);
    void *context;
    int64_t *missing; /* own vertices: predecessors without a value */
    int32_t *ready;   /* a stack of own vertices */
    int32_t nready;
    int64_t done;
    int64_t *xreader; /* nghost + 1 */
    int32_t *reader;  /* by ghost: own successors */
    uint8_t *told;    /* by item of halo.send */
    message *out, *in;
    int64_t *count; /* by peer: messages of this round */
    MPI_Status *status;
    MPI_Request *request;
    MPI_Datatype type; /* of a message, so that counts fit */
} sweep;

/* ---- Arcs from ghosts ------------------------------------------------------------------- */

static void fill_readers(sweep *s)
{
    const clv_dist_graph *g = s->g;
    for (int64_t a = 0; a < g->xpred[g->nlocal]; a++)
        if (g->pred[a] >= g->nlocal)
            s->xreader[g->pred[a] - g->nlocal]++;
    for (int32_t i = 0; i < g->nghost; i++)
        s->xreader[i + 1] += s->xreader[i];
    /* Filled from their ends: lists ascend and xreader ends at their beginnings. */
    for (int32_t v = g->nlocal; v-- > 0;)
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
            if (g->pred[a] >= g->nlocal)
                s->reader[--s->xreader[g->pred[a] - g->nlocal]] = v;
}

static int64_t count_arcs_from_ghosts(const clv_dist_graph *g)
{
    int64_t count = 0;
    for (int64_t a = 0; a < g->xpred[g->nlocal]; a++)
        count += g->pred[a] >= g->nlocal;
    return count;
}

static bool open_sweep(sweep *s)
{
    const clv_dist_graph *g = s->g;
    const clv_halo *h = &g->halo;
    s->missing = clv_alloc(g->nlocal, sizeof *s->missing);
    s->ready = clv_alloc(g->nlocal, sizeof *s->ready);
    s->xreader = clv_zalloc((int64_t)g->nghost + 1, sizeof *s->xreader);
    s->reader = clv_alloc(count_arcs_from_ghosts(g), sizeof *s->reader);
    s->told = clv_zalloc(h->send_at[h->npeers], sizeof *s->told);
    s->out = clv_alloc(h->send_at[h->npeers], sizeof *s->out);
    s->in = clv_alloc(g->nghost, sizeof *s->in);
    s->count = clv_zalloc(h->npeers, sizeof *s->count);
    s->status = clv_alloc(h->npeers, sizeof *s->status);
    s->request = clv_alloc(2 * (int64_t)h->npeers, sizeof *s->request);
    return s->missing && s->ready && s->xreader && s->reader && s->told && s->out && s->in &&
           s->count && s->status && s->request;
}

static void close_sweep(sweep *s)
{
    clv_sys_free(s->missing);
    clv_sys_free(s->ready);
    clv_sys_free(s->xreader);
    clv_sys_free(s->reader);
    clv_sys_free(s->told);
    clv_sys_free(s->out);
    clv_sys_free(s->in);
    clv_sys_free(s->count);
    clv_sys_free(s->status);
    clv_sys_free(s->request);
}

/* ---- One rank --------------------------------------------------------------------------- */

static void reach(sweep *s, int32_t v)
{
    if (--s->missing[v] == 0)
        s->ready[s->nready++] = v;
}

/* The peer that owns a ghost. */
static int32_t peer_of(const clv_halo *h, int64_t ghost)
{
    int32_t low = 0, high = h->npeers - 1;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (h->recv_at[middle + 1] > ghost)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The position of the own vertex in the list of ghosts of peer i. */
static int64_t place_of(const clv_halo *h, int32_t i, int32_t v)
{
    int64_t low = h->send_at[i], high = h->send_at[i + 1] - 1;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (h->send[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void send_value(sweep *s, int32_t v, int32_t ghost)
{
    const clv_halo *h = &s->g->halo;
    int32_t i = peer_of(h, ghost);
    int64_t place = place_of(h, i, v);
    if (s->told[place])
        return;
    s->told[place] = 1;
    s->out[h->send_at[i] + s->count[i]++] = (message){place - h->send_at[i], s->value[v]};
}

static void visit_ready(sweep *s)
{
    const clv_dist_graph *g = s->g;
    while (s->nready > 0) {
        int32_t v = s->ready[--s->nready];
        s->visit(s->context, v);
        s->done++;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            if (g->adj[a] < g->nlocal)
                reach(s, g->adj[a]);
            else
                send_value(s, v, g->adj[a] - g->nlocal);
        }
    }
}

/* ---- All ranks -------------------------------------------------------------------------- */

static void receive_values(sweep *s, int32_t peer, int64_t count)
{
    const clv_dist_graph *g = s->g;
    const message *in = s->in + g->halo.recv_at[peer];
    for (int64_t i = 0; i < count; i++) {
        int64_t ghost = g->halo.recv_at[peer] + in[i].place;
        s->value[g->nlocal + ghost] = in[i].value;
        for (int64_t a = s->xreader[ghost]; a < s->xreader[ghost + 1]; a++)
            reach(s, s->reader[a]);
    }
}

static void exchange(sweep *s)
{
    const clv_halo *h = &s->g->halo;
    MPI_Comm mpi = s->g->comm.mpi;
    int32_t nin = 0, nout = 0;
    for (int32_t i = 0; i < h->npeers; i++)
        if (h->recv_at[i + 1] > h->recv_at[i])
            MPI_Irecv(s->in + h->recv_at[i], (int)(h->recv_at[i + 1] - h->recv_at[i]), s->type,
                      h->peer[i], tag_sweep, mpi, &s->request[nin++]);
    for (int32_t i = 0; i < h->npeers; i++)
        if (h->send_at[i + 1] > h->send_at[i]) {
            clv_comm_count_bytes(&s->g->comm, s->count[i] * (int64_t)sizeof(message));
            MPI_Isend(s->out + h->send_at[i], (int)s->count[i], s->type, h->peer[i], tag_sweep,
                      mpi, &s->request[nin + nout++]);
            s->count[i] = 0;
        }
    MPI_Waitall(nin, s->request, s->status);
    MPI_Waitall(nout, s->request + nin, MPI_STATUSES_IGNORE);
    for (int32_t i = 0, at = 0; i < h->npeers; i++)
        if (h->recv_at[i + 1] > h->recv_at[i]) {
            int count;
            MPI_Get_count(&s->status[at++], s->type, &count);
            receive_values(s, i, count);
        }
}

static void run_rounds(sweep *s)
{
    const clv_dist_graph *g = s->g;
    for (int32_t v = g->nlocal - 1; v >= 0; v--) {
        s->missing[v] = g->xpred[v + 1] - g->xpred[v];
        if (s->missing[v] == 0)
            s->ready[s->nready++] = v;
    }
    for (;;) {
        int64_t news = 0;
        visit_ready(s);
        for (int32_t i = 0; i < g->halo.npeers; i++)
            news += s->count[i];
        if (!clv_comm_max(&g->comm, news > 0))
            return;
        exchange(s);
    }
}

cleave_status clv_judge_sweep(const clv_dist_graph *g, uint64_t *value,
                              void (*visit)(void *context, int32_t v), void *context,
                              bool *complete, cleave_error *err)
{
    sweep s = {.g = g, .value = value, .visit = visit, .context = context};
    cleave_status status = clv_comm_agree_memory(&g->comm, open_sweep(&s), err);
    if (status == CLEAVE_OK) {
        MPI_Type_contiguous((int)sizeof(message), MPI_BYTE, &s.type);
        MPI_Type_commit(&s.type);
        fill_readers(&s);
        run_rounds(&s);
        MPI_Type_free(&s.type);
        *complete = clv_comm_sum(&g->comm, s.done) == g->nglobal;
    }
    close_sweep(&s);
    return status;
}
