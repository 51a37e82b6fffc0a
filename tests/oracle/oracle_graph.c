/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/oracle_graph.h"

#include <string.h>

void oracle_closure(const oracle_graph *o, bool reach[ORACLE_MAX][ORACLE_MAX])
{
    memcpy(reach, o->arc, sizeof o->arc);
    for (int k = 0; k < o->n; k++)
        for (int u = 0; u < o->n; u++)
            for (int v = 0; v < o->n; v++)
                if (reach[u][k] && reach[k][v])
                    reach[u][v] = true;
}

bool oracle_acyclic(const oracle_graph *o)
{
    bool reach[ORACLE_MAX][ORACLE_MAX];
    oracle_closure(o, reach);
    for (int v = 0; v < o->n; v++)
        if (reach[v][v])
            return false;
    return true;
}

int oracle_girth(const oracle_graph *o)
{
    enum { far = 1000000 };
    int distance[ORACLE_MAX][ORACLE_MAX], girth = far;
    for (int u = 0; u < o->n; u++)
        for (int v = 0; v < o->n; v++)
            distance[u][v] = o->arc[u][v] ? 1 : far;
    for (int k = 0; k < o->n; k++)
        for (int u = 0; u < o->n; u++)
            for (int v = 0; v < o->n; v++)
                if (distance[u][k] + distance[k][v] < distance[u][v])
                    distance[u][v] = distance[u][k] + distance[k][v];
    for (int v = 0; v < o->n; v++)
        if (distance[v][v] < girth)
            girth = distance[v][v];
    return girth == far ? 0 : girth;
}

void oracle_longest(const oracle_graph *o, bool backwards, int32_t *level)
{
    for (int v = 0; v < o->n; v++)
        level[v] = 0;
    for (int round = 0; round < o->n; round++)
        for (int u = 0; u < o->n; u++)
            for (int v = 0; v < o->n; v++)
                if ((backwards ? o->arc[v][u] : o->arc[u][v]) && level[v] < level[u] + 1)
                    level[v] = level[u] + 1;
}

void oracle_order(const oracle_graph *o, int32_t *order)
{
    bool placed[ORACLE_MAX] = {false};
    for (int i = 0; i < o->n; i++) {
        order[i] = -1;
        for (int v = 0; v < o->n && order[i] < 0; v++) {
            bool ready = !placed[v];
            for (int u = 0; u < o->n; u++)
                if (o->arc[u][v] && !placed[u])
                    ready = false;
            if (ready)
                order[i] = v;
        }
        if (order[i] >= 0)
            placed[order[i]] = true;
    }
}

int oracle_components(const oracle_graph *o, int32_t *component)
{
    static oracle_graph both;
    bool reach[ORACLE_MAX][ORACLE_MAX];
    both = *o;
    for (int u = 0; u < o->n; u++)
        for (int v = 0; v < o->n; v++)
            both.arc[u][v] = o->arc[u][v] || o->arc[v][u];
    oracle_closure(&both, reach);
    int count = 0;
    for (int v = 0; v < o->n; v++) {
        component[v] = -1;
        for (int u = 0; u < v && component[v] < 0; u++)
            if (reach[u][v])
                component[v] = component[u];
        if (component[v] < 0)
            component[v] = count++;
    }
    return count;
}

void oracle_quotient(const oracle_graph *o, int nparts, const int32_t *part,
                     oracle_graph *quotient)
{
    memset(quotient, 0, sizeof *quotient);
    quotient->n = nparts;
    for (int u = 0; u < o->n; u++) {
        for (int v = 0; v < o->n; v++) {
            if (o->arc[u][v] && part[u] != part[v]) {
                quotient->arc[part[u]][part[v]] = true;
                quotient->wgt[part[u]][part[v]] += o->wgt[u][v];
            }
        }
    }
}
