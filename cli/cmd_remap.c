/* SPDX-License-Identifier: Apache-2.0 */
/* cleave remap GRAPH OLD -t TARGET: adapts a mapping to a changed machine with little
 * migration. */
#include "cli/map_command.h"

int cmd_remap(int argc, char **argv)
{
    cli_map_command p;
    cli_remapping r = {.price = 1};
    cli_map_command_init(&p, "remap");
    p.remapping = &r;
    p.demands.onto_machine = p.demands.is_old = true;
    p.method.own = "multilevel";
    const cli_option options[] = {
        CLI_OUTPUT_OPTIONS(&p.outputs, "the mapping (default: GRAPH.part.P for P PEs)"),
        {CLI_STRING, 't', "target", "TARGET", "the current machine", &p.demands.target_text,
         0},
        {CLI_STRING, 0, "from", "OLDTARGET", "the machine of OLD (default: numbered PEs)",
         &r.from_text, 0},
        {CLI_REAL, 0, "migration-price", "X",
         "cost of one unit of migration, in units of cut (default 1)", &r.price, 0},
        {CLI_CHOICE, 0, "strategy", "auto|interval|diffuse|scratch",
         "initial mapping (default auto: try all)", &r.strategy, 0},
        {CLI_STRING, 0, "order", "FILE", "for interval: from 'cleave order' (default: made)",
         &r.order_file, 0},
        CLI_LIMIT_OPTIONS(&p.demands),
        {CLI_IMBALANCE, 0, "imbalance", "X", "bound on the imbalance (default 0.03)",
         &p.opt.imbalance, 0},
        {CLI_CHOICE, 0, "objective", "cut|cost", "objective besides migration (default cost)",
         &p.objective, 0},
        CLI_SEARCH_OPTIONS(&p),
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
