/* SPDX-License-Identifier: Apache-2.0 */
/* target/launch.c - see target/launch.h.
 *
 * All forms start from the same table: the ranks sorted by node, then by core, then by number.
 * A placement that a form cannot express is refused before the file is created. */
#include "target/launch.h"

#include <string.h>

#include "base/group.h"
#include "base/sort.h"
#include "formats/output.h"
#include "target/node_list.h"

typedef struct plan {
    int32_t nranks;
    const int32_t *pe; /* by rank */
    const clv_target *t;
    bool whole;    /* a PE is a whole node */
    int32_t *node; /* by PE: its node, numbered in the order of their first PEs */
    int32_t nnodes;
    const char *const *host; /* by node; NULL: unknown */
    int32_t *by_node;        /* ranks by node and number: the order of Slurm */
    int32_t *by_seat;        /* ranks by node, core and number */
    int32_t *first;          /* nnodes + 1 offsets into both */
    clv_ws ws;
    clv_arena arena;
    cleave_error *err;
} plan;

typedef struct launch_form {
    const char *name;
    bool shares; /* several ranks may be on one PE */
    cleave_status (*check)(const plan *p);
    void (*write)(clv_output *out, const plan *p);
} launch_form;

/* ---- Nodes and ranks -------------------------------------------------------------------- */

/* Numbers the nodes in the order of their first PEs. */
static cleave_status number_nodes(plan *p)
{
    int32_t npes = p->t->npes, distinct = 0;
    p->node = clv_ws_alloc(&p->ws, npes, sizeof *p->node);
    clv_ws_mark mark = clv_ws_save(&p->ws);
    clv_sort_item *items = clv_ws_alloc(&p->ws, npes, sizeof *items);
    clv_sort_item *scratch = clv_ws_alloc(&p->ws, npes, sizeof *scratch);
    int32_t *leader = clv_ws_zalloc(&p->ws, npes, sizeof *leader); /* 1: first of its node */
    if (!p->node || !items || !scratch || !leader)
        return clv_fail_memory(p->err);
    for (int32_t pe = 0; pe < npes; pe++)
        items[pe] = (clv_sort_item){.key = clv_target_seat(p->t, pe).node, .with.index = pe};
    const clv_sort_item *sorted = clv_sort(items, scratch, npes);
    for (int32_t i = 0; i < npes; i++) { /* temporarily: the first PE of the node */
        bool starts = i == 0 || sorted[i].key != sorted[i - 1].key;
        int32_t pe = (int32_t)sorted[i].with.index;
        p->node[pe] = starts ? pe : p->node[sorted[i - 1].with.index];
        leader[pe] = starts;
    }
    for (int32_t pe = 0; pe < npes; pe++) { /* the first PE of a node precedes its other PEs */
        int32_t led_by = p->node[pe];
        p->node[pe] = leader[pe] ? distinct++ : p->node[led_by];
    }
    p->nnodes = distinct;
    clv_ws_restore(&p->ws, mark);
    return CLEAVE_OK;
}

static cleave_status name_hosts(plan *p, const char *hosts)
{
    static const char *const alone[] = {"localhost"};
    if (!hosts) {
        p->host = p->whole ? (const char *const *)p->t->name : p->nnodes == 1 ? alone : NULL;
        return CLEAVE_OK;
    }
    char **names = NULL;
    int32_t count = 0;
    CLV_TRY(clv_node_list_expand(hosts, strlen(hosts), &names, &count, &p->arena, p->err));
    if (count != p->nnodes)
        return clv_fail(p->err, CLEAVE_EINVAL,
                        "there are %ld host names, and the target has %ld nodes", (long)count,
                        (long)p->nnodes);
    p->host = (const char *const *)names;
    return CLEAVE_OK;
}

static cleave_status sort_ranks(plan *p)
{
    int32_t n = p->nranks;
    p->by_node = clv_ws_alloc(&p->ws, n, sizeof *p->by_node);
    p->by_seat = clv_ws_alloc(&p->ws, n, sizeof *p->by_seat);
    p->first = clv_ws_zalloc(&p->ws, p->nnodes + INT64_C(1), sizeof *p->first);
    clv_ws_mark mark = clv_ws_save(&p->ws);
    clv_sort_item *items = clv_ws_alloc(&p->ws, n, sizeof *items);
    clv_sort_item *scratch = clv_ws_alloc(&p->ws, n, sizeof *scratch);
    if (!p->by_node || !p->by_seat || !p->first || !items || !scratch)
        return clv_fail_memory(p->err);
    for (int32_t r = 0; r < n; r++) {
        int64_t node = p->node[p->pe[r]];
        int32_t core = clv_target_seat(p->t, p->pe[r]).core;
        items[r] = (clv_sort_item){.key = node << 32 | core, .with.index = r};
        p->first[node]++;
    }
    clv_running_sums32(p->first, p->nnodes);
    const clv_sort_item *sorted = clv_sort(items, scratch, n);
    for (int32_t i = 0; i < n; i++)
        p->by_seat[i] = (int32_t)sorted[i].with.index;
    for (int32_t r = n - 1; r >= 0; r--) /* in reverse, so that ends become starts */
        p->by_node[--p->first[p->node[p->pe[r]]]] = r;
    clv_ws_restore(&p->ws, mark);
    return CLEAVE_OK;
}

static cleave_status refuse_shared(const plan *p, const char *form)
{
    for (int32_t i = 1; i < p->nranks; i++) {
        int32_t a = p->by_seat[i - 1], b = p->by_seat[i];
        if (p->pe[a] == p->pe[b])
            return clv_fail(p->err, CLEAVE_EINVAL,
                            "a %s has room for one rank per PE, and ranks %ld and %ld are "
                            "both on PE %ld",
                            form, (long)a, (long)b, (long)p->pe[a]);
    }
    return CLEAVE_OK;
}

static cleave_status refuse_nameless(const plan *p)
{
    if (p->host)
        return CLEAVE_OK;
    return clv_fail(p->err, CLEAVE_EINVAL,
                    "the names of the target's %ld node%s are not known: give a list of hosts "
                    "such as n[1-4,7]",
                    (long)p->nnodes, p->nnodes == 1 ? "" : "s");
}

static cleave_status refuse_whole(const plan *p)
{
    if (!p->whole)
        return CLEAVE_OK;
    return clv_fail(p->err, CLEAVE_EINVAL,
                    "the PEs of this target are whole nodes, without cores to put ranks on: "
                    "write a hostfile or a rank-order, or name a target with cores such as "
                    "tree:4:8@1:10");
}

/* ---- The forms -------------------------------------------------------------------------- */

static void write_rankfile(clv_output *out, const plan *p)
{
    for (int32_t r = 0; r < p->nranks; r++) {
        int32_t node = p->node[p->pe[r]];
        clv_put_text(out, "rank ");
        clv_put_i64(out, r);
        clv_put_char(out, '=');
        if (p->host) {
            clv_put_text(out, p->host[node]);
        } else {
            clv_put_text(out, "+n");
            clv_put_i64(out, node);
        }
        clv_put_text(out, " slot=");
        clv_put_i64(out, clv_target_seat(p->t, p->pe[r]).core);
        clv_put_char(out, '\n');
    }
}

static void write_hostfile(clv_output *out, const plan *p)
{
    for (int32_t r = 0; r < p->nranks; r++) {
        clv_put_text(out, p->host[p->node[p->pe[r]]]);
        clv_put_char(out, '\n');
    }
}

static int32_t cpu_of(const plan *p, int32_t node, int32_t i)
{
    return clv_target_seat(p->t, p->pe[p->by_node[p->first[node] + i]]).cpu;
}

static int32_t ranks_of(const plan *p, int32_t node)
{
    return p->first[node + 1] - p->first[node];
}

static int32_t fullest_node(const plan *p)
{
    int32_t best = 0;
    for (int32_t node = 1; node < p->nnodes; node++)
        best = ranks_of(p, node) > ranks_of(p, best) ? node : best;
    return best;
}

/* Is the list of every node a prefix of the list of the fullest node? */
static bool one_list_fits(const plan *p)
{
    int32_t fullest = fullest_node(p);
    for (int32_t node = 0; node < p->nnodes; node++)
        for (int32_t i = 0; i < ranks_of(p, node); i++)
            if (cpu_of(p, node, i) != cpu_of(p, fullest, i))
                return false;
    return true;
}

static cleave_status check_cpu_bind(const plan *p)
{
    CLV_TRY(refuse_whole(p));
    return one_list_fits(p) ? CLEAVE_OK : refuse_nameless(p);
}

static void put_cpus(clv_output *out, const plan *p, int32_t node)
{
    clv_put_text(out, "--cpu-bind=map_cpu");
    for (int32_t i = 0; i < ranks_of(p, node); i++) {
        clv_put_char(out, i == 0 ? ':' : ',');
        clv_put_i64(out, cpu_of(p, node, i));
    }
    clv_put_char(out, '\n');
}

static void write_cpu_bind(clv_output *out, const plan *p)
{
    if (one_list_fits(p)) {
        put_cpus(out, p, fullest_node(p));
        return;
    }
    for (int32_t node = 0; node < p->nnodes; node++) {
        if (ranks_of(p, node) == 0)
            continue;
        clv_put_text(out, "--nodelist=");
        clv_put_text(out, p->host[node]);
        clv_put_char(out, ' ');
        put_cpus(out, p, node);
    }
}

/* The launcher fills the nodes of the allocation in order, with equal numbers of ranks. */
static cleave_status check_rank_order(const plan *p)
{
    int32_t most = ranks_of(p, 0);
    for (int32_t node = 1; node < p->nnodes; node++) {
        int32_t before = ranks_of(p, node - 1), here = ranks_of(p, node);
        if (here > most || (here > 0 && before < most))
            return clv_fail(
                p->err, CLEAVE_EINVAL,
                "a rank-order needs the same number of ranks on every node but the "
                "last, and nodes %ld and %ld have %ld and %ld",
                (long)node - 1, (long)node, (long)before, (long)here);
    }
    return CLEAVE_OK;
}

static void write_rank_order(clv_output *out, const plan *p)
{
    for (int32_t node = 0; node < p->nnodes; node++)
        for (int32_t i = p->first[node]; i < p->first[node + 1]; i++) {
            clv_put_i64(out, p->by_seat[i]);
            clv_put_char(out, i + 1 < p->first[node + 1] ? ',' : '\n');
        }
}

static void write_permutation(clv_output *out, const plan *p)
{
    for (int32_t r = 0; r < p->nranks; r++) {
        clv_put_i64(out, p->pe[r]);
        clv_put_char(out, '\n');
    }
}

static cleave_status check_nothing(const plan *p)
{
    (void)p;
    return CLEAVE_OK;
}

static const launch_form forms[] = {
    {"rankfile", false, refuse_whole, write_rankfile},
    {"hostfile", true, refuse_nameless, write_hostfile},
    {"cpu-bind", false, check_cpu_bind, write_cpu_bind},
    {"rank-order", false, check_rank_order, write_rank_order},
    {"permutation", true, check_nothing, write_permutation},
};

/* ---- Writing ---------------------------------------------------------------------------- */

static cleave_status find_form(const char *name, const launch_form **form, cleave_error *err)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(forms[i].name, name) == 0) {
            *form = &forms[i];
            return CLEAVE_OK;
        }
    return clv_fail(err, CLEAVE_EINVAL,
                    "unknown launch file \"" CLV_TARGET_SHOWN
                    "\"; known are rankfile, hostfile, cpu-bind, rank-order and permutation",
                    CLV_TARGET_SHOW(name, strlen(name)));
}

static cleave_status make_plan(plan *p, const launch_form *form, const char *hosts)
{
    for (int32_t r = 0; r < p->nranks; r++)
        if (p->pe[r] < 0 || p->pe[r] >= p->t->npes)
            return clv_fail(p->err, CLEAVE_EINVAL,
                            "rank %ld is on PE %ld, and the target has %ld", (long)r,
                            (long)p->pe[r], (long)p->t->npes);
    CLV_TRY(number_nodes(p));
    CLV_TRY(name_hosts(p, hosts));
    CLV_TRY(sort_ranks(p));
    CLV_TRY(form->check(p));
    return form->shares || (p->whole && form->write == write_rank_order)
               ? CLEAVE_OK
               : refuse_shared(p, form->name);
}

cleave_status clv_launch_write(const char *path, const char *form,
                               const clv_placed_ranks *ranks, cleave_error *err)
{
    const launch_form *chosen = NULL;
    clv_output *out = NULL;
    CLV_TRY(find_form(form, &chosen, err));
    plan p = {.nranks = ranks->nranks,
              .pe = ranks->pe,
              .t = ranks->t,
              .whole = ranks->t->per_node == 1,
              .err = err};
    cleave_status status = make_plan(&p, chosen, ranks->hosts);
    if (status == CLEAVE_OK)
        status = clv_output_open(&out, path, NULL, NULL, err);
    if (status == CLEAVE_OK) {
        chosen->write(out, &p);
        status = clv_output_commit(out, err);
    }
    clv_ws_free(&p.ws);
    clv_arena_free(&p.arena);
    return status;
}
