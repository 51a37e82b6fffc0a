/* SPDX-License-Identifier: Apache-2.0 */
/* cleave remap GRAPH OLD -t TARGET: adapts a mapping to a changed machine with little
 * migration. */
#include "cli/map_command.h"

int cmd_remap(int argc, char **argv)
{
    cli_map_command p;
    cli_map_request *r = &p.request;
    cli_remapping remapping;
    cli_map_command_init(&p, "remap");
    cli_map_request_remap(r, &remapping);
    const cli_option options[] = {
        CLI_OUTPUT_OPTIONS(&r->outputs, "the mapping (default: GRAPH.part.P for P PEs)"),
        CLI_REMAPPING_OPTIONS(&r->demands, &remapping),
        {CLI_STRING, 0, "order", "FILE", "for interval: from 'cleave order' (default: made)",
         &remapping.order_file, 0},
        CLI_LIMIT_OPTIONS(&r->demands),
        CLI_IMBALANCE_OPTION(&r->opt.imbalance),
        {CLI_CHOICE, 0, "objective", "cut|cost", "objective besides migration (default cost)",
         &r->objective, 0},
        CLI_MAP_SEARCH_OPTIONS(&p),
        CLI_GRAPH_OPTIONS_BUT("format", &p),
        {0}};
    const cli_usage usage = {
        "remap",
        "GRAPH OLD -t TARGET",
        2,
        2,
        "Remaps a graph after the machine has changed: other speeds, PEs lost or added. OLD "
        "is\n"
        "the current mapping, one 0-based PE of OLDTARGET per line. PEs are matched by name,\n"
        "or else by number: PE 3 of 8[0-2,4-7] is number 4 of 8, and the vertices of number "
        "3\n"
        "must move. The objective is cut (on machines with distances: cost) plus price times\n"
        "migration. Migration is the sum of the sizes of the vertices that move; a lower "
        "bound\n"
        "on it is also reported. Price 0 ignores migration; a high price keeps it small.",
        options};
    return cli_map_command_run(&p, &usage, argc, argv);
}
