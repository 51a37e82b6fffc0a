/* SPDX-License-Identifier: Apache-2.0 */
/* bench/adaptive/adaptive_printed.c - Tables 1 to 7 of Kaddoura, Ou and Ranka (1995) as
 * published: edges, setups. */
#include "adaptive/adaptive.h"

typedef short pair[2];

printed printed_table1(int graph, paper_method m, int part)
{
    static const pair hci[npaper_graph][npaper_part] = {
        {{620, 5}, {604, 9}, {868, 23}, {1157, 36}, {1346, 50}},
        {{170, 5}, {198, 7}, {307, 18}, {427, 31}, {487, 40}}};
    static const pair zci[npaper_graph][npaper_part] = {
        {{687, 5}, {748, 9}, {1090, 25}, {1479, 40}, {1566, 61}},
        {{164, 5}, {235, 8}, {355, 22}, {471, 33}, {486, 50}}};
    const short *at = m == P_HCI ? hci[graph][part] : zci[graph][part];
    return (printed){at[0], at[1]};
}

/* Methods RSB, RCB, HCI; binpacking, then simple. */
printed printed_table2(int graph, paper_method m, int grouping, int ratio)
{
    static const pair table[npaper_graph][npaper_ratio][3][ngrouping] = {
        {{{{514, 19}, {514, 19}}, {{1143, 38}, {1143, 38}}, {{868, 23}, {868, 23}}},
         {{{560, 18}, {564, 18}}, {{1143, 38}, {1143, 38}}, {{994, 22}, {1025, 22}}},
         {{{552, 18}, {521, 19}}, {{1143, 38}, {1143, 38}}, {{1003, 22}, {1005, 23}}},
         {{{551, 18}, {518, 19}}, {{1143, 38}, {1143, 38}}, {{1001, 22}, {947, 23}}},
         {{{543, 18}, {534, 19}}, {{1174, 40}, {1143, 38}}, {{977, 22}, {964, 22}}}},
        {{{{86, 9}, {87, 9}}, {{429, 28}, {429, 28}}, {{307, 18}, {307, 18}}},
         {{{93, 9}, {88, 9}}, {{429, 28}, {429, 28}}, {{317, 18}, {321, 18}}},
         {{{89, 9}, {84, 9}}, {{429, 28}, {429, 28}}, {{316, 18}, {322, 18}}},
         {{{90, 9}, {87, 9}}, {{429, 28}, {429, 28}}, {{315, 19}, {325, 18}}},
         {{{92, 9}, {88, 9}}, {{445, 30}, {429, 28}}, {{312, 19}, {321, 18}}}}};
    if (m > P_HCI)
        return (printed){0, 0};
    const short *at = table[graph][ratio][m][grouping];
    return (printed){at[0], at[1]};
}

static printed table5(int graph, int grouping, int part)
{
    static const pair table[npaper_graph][npaper_part][ngrouping] = {
        {{{364, 5}, {388, 5}},
         {{485, 7}, {489, 7}},
         {{764, 22}, {798, 21}},
         {{1017, 37}, {1059, 37}},
         {{1211, 51}, {1244, 51}}},
        {{{61, 3}, {70, 3}},
         {{91, 4}, {96, 4}},
         {{177, 11}, {175, 11}},
         {{256, 17}, {257, 17}},
         {{323, 25}, {334, 24}}}};
    const short *at = table[graph][part][grouping];
    return (printed){at[0], at[1]};
}

printed printed_table3(int graph, paper_method m, int grouping, int part)
{
    static const pair table[npaper_graph][npaper_part][3][ngrouping] = {
        {{{{269, 5}, {269, 5}}, {{423, 6}, {413, 5}}, {{590, 5}, {569, 5}}},
         {{{313, 8}, {343, 7}}, {{736, 16}, {736, 16}}, {{664, 8}, {661, 8}}},
         {{{544, 18}, {530, 19}}, {{1149, 38}, {1143, 38}}, {{969, 22}, {962, 23}}},
         {{{724, 29}, {726, 30}}, {{1662, 73}, {1544, 64}}, {{1227, 39}, {1200, 37}}},
         {{{880, 40}, {861, 40}}, {{1960, 105}, {1876, 96}}, {{1396, 52}, {1395, 51}}}},
        {{{{30, 3}, {30, 3}}, {{145, 5}, {143, 5}}, {{173, 5}, {165, 5}}},
         {{{43, 4}, {40, 4}}, {{231, 12}, {231, 12}}, {{188, 7}, {196, 7}}},
         {{{90, 9}, {87, 9}}, {{432, 28}, {429, 28}}, {{313, 18}, {319, 18}}},
         {{{140, 14}, {137, 14}}, {{678, 52}, {615, 54}}, {{424, 29}, {405, 30}}},
         {{{186, 19}, {187, 19}}, {{865, 80}, {823, 72}}, {{480, 40}, {484, 40}}}}};
    if (m == P_RSBI)
        return table5(graph, grouping, part);
    if (m > P_HCI)
        return (printed){0, 0};
    const short *at = table[graph][part][m][grouping];
    return (printed){at[0], at[1]};
}

double printed_table4(int graph, paper_method m, int k)
{
    static const double table[npaper_graph][3][3] = {
        {{22.73, 0.08, 0.94}, {33.74, 0.10, 0.94}, {37.93, 0.13, 0.94}},
        {{5.66, 0.04, 0.06}, {7.33, 0.08, 0.24}, {7.79, 0.10, 0.25}}};
    int at = k == 4 ? 0 : k == 10 ? 1 : 2;
    return m > P_HCI || (at == 2 && k != 20) ? 0 : table[graph][at][m];
}

double printed_table6(int graph, int grouping, int part)
{
    static const short table[npaper_graph][npaper_part][ngrouping] = {
        {{26, 29}, {36, 30}, {27, 34}, {28, 31}, {27, 31}},
        {{45, 49}, {56, 55}, {51, 48}, {46, 47}, {42, 44}}};
    return table[graph][part][grouping];
}

double printed_table7(int graph)
{
    return graph == 0 ? 53.58 : 9.68;
}
