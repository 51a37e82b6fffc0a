/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/oracle_rows.h"

#include <string.h>

void oracle_rows_clear(oracle_rows *rows, int n, bool weighted)
{
    memset(rows, 0, sizeof *rows);
    rows->n = n;
    rows->weighted = weighted;
}

void oracle_rows_add(oracle_rows *rows, int tail, int head, int64_t wgt)
{
    rows->count[tail][head]++;
    rows->sum[tail][head] += wgt;
}

bool oracle_one_way(const oracle_graph *o, int v, int u)
{
    return o->arc[v][u] && !o->arc[u][v];
}

bool oracle_unequal(const oracle_graph *o, int v, int u)
{
    return o->arc[v][u] && o->arc[u][v] && o->wgt[v][u] != o->wgt[u][v];
}

static void note(oracle_outcome *out, oracle_fault fault, int v, int u)
{
    if (out->fault == ORACLE_FINE) {
        out->fault = fault;
        out->v = v;
        out->u = u;
    }
}

static void look_at_loops(oracle_outcome *out, const oracle_rows *rows, bool drop)
{
    for (int v = 0; v < rows->n; v++) {
        out->loops += rows->count[v][v];
        if (rows->count[v][v] > 0 && !drop)
            note(out, ORACLE_LOOP, v, v);
    }
}

static void look_at_duplicates(oracle_outcome *out, const oracle_rows *rows, bool merge)
{
    for (int v = 0; v < rows->n; v++)
        for (int u = 0; u < rows->n; u++)
            if (u != v && rows->count[v][u] > 1) {
                out->duplicates += rows->count[v][u] - 1;
                if (!merge)
                    note(out, ORACLE_DUPLICATE, v, u);
            }
}

static void take_matrix(oracle_outcome *out, const oracle_rows *rows)
{
    out->graph.n = rows->n;
    for (int v = 0; v < rows->n; v++)
        for (int u = 0; u < rows->n; u++) {
            if (u == v || rows->count[v][u] == 0)
                continue;
            out->graph.arc[v][u] = true;
            out->graph.wgt[v][u] = rows->weighted ? rows->sum[v][u] : 1;
            if (out->graph.wgt[v][u] > INT32_MAX)
                note(out, ORACLE_DUPLICATE_SUM, v, u);
        }
}

static void look_at_symmetry(oracle_outcome *out)
{
    for (int v = 0; v < out->graph.n; v++)
        for (int u = 0; u < out->graph.n; u++) {
            out->one_way += oracle_one_way(&out->graph, v, u);
            out->unequal += v < u && oracle_unequal(&out->graph, v, u);
        }
}

static void make_symmetric(oracle_outcome *out, bool weighted, oracle_how how)
{
    oracle_graph old = out->graph;
    for (int v = 0; v < old.n; v++)
        for (int u = v + 1; u < old.n; u++) {
            if (!old.arc[v][u] && !old.arc[u][v])
                continue;
            int64_t there = old.wgt[v][u], back = old.wgt[u][v]; /* 0 where absent */
            int64_t wgt = there > back ? there : back;
            if (how == ORACLE_SUM)
                wgt = there + back;
            if (!weighted)
                wgt = 1;
            if (wgt > INT32_MAX)
                note(out, ORACLE_BOTH_WAYS_SUM, v, u);
            out->graph.arc[v][u] = out->graph.arc[u][v] = true;
            out->graph.wgt[v][u] = out->graph.wgt[u][v] = wgt;
        }
}

void oracle_rows_build(oracle_outcome *out, const oracle_rows *rows,
                       const oracle_rows_rules *rules)
{
    memset(out, 0, sizeof *out);
    look_at_loops(out, rows, rules->drop_loops);
    look_at_duplicates(out, rows, rules->merge_duplicates);
    take_matrix(out, rows);
    if (out->fault || rules->trust)
        return;
    if (rules->dag) {
        if (!oracle_acyclic(&out->graph))
            note(out, ORACLE_CYCLE, -1, -1);
        return;
    }
    look_at_symmetry(out);
    if (rules->how == ORACLE_REFUSE && ((out->one_way && !rules->one_way) || out->unequal))
        note(out, ORACLE_ASYMMETRY, -1, -1);
    else
        make_symmetric(out, rows->weighted, rules->how);
}
