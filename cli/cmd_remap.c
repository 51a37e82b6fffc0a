/* SPDX-License-Identifier: Apache-2.0 */
/* cleave remap GRAPH OLD -t TARGET: the machine has changed, and little should move. */
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
        {CLI_STRING, 't', "target", "TARGET", "the machine as it is now",
         &p.demands.target_text, 0},
        {CLI_STRING, 0, "from", "OLDTARGET", "the machine of OLD (default: numbered PEs)",
         &r.from_text, 0},
        {CLI_REAL, 0, "migration-price", "X",
         "of one unit that moves, in units of cut "
         "(default 1)",
         &r.price, 0},
        {CLI_CHOICE, 0, "strategy", "auto|interval|diffuse|scratch",
         "where to start (default auto: all)", &r.strategy, 0},
        {CLI_STRING, 0, "order", "FILE", "for interval: from 'cleave order' (default: made)",
         &r.order_file, 0},
        CLI_LIMIT_OPTIONS(&p.demands),
        {CLI_IMBALANCE, 0, "imbalance", "X", "bound on the imbalance (default 0.03)",
         &p.opt.imbalance, 0},
        {CLI_CHOICE, 0, "objective", "cut|cost",
         "what to make small besides migration "
         "(default cost)",
         &p.objective, 0},
        CLI_SEARCH_OPTIONS(&p),
        CLI_GRAPH_OPTIONS_BUT("format", &p),
        {0}};
    const cli_usage usage = {
        "remap",
        "GRAPH OLD -t TARGET",
        2,
        2,
        "Maps a graph anew when the machine has changed: other speeds, PEs lost or added.\n"
        "OLD is the mapping so far, one 0-based PE of OLDTARGET per line.  PEs are matched "
        "by\n"
        "name, or else by number: PE 3 of 8[0-2,4-7] is the one that was number 4 of 8, and\n"
        "what lived on number 3 must move.  Cut (on machines with distances: cost) plus "
        "price\n"
        "times migration is made small; migration is the sum of the sizes of the vertices\n"
        "that move, and at least what lost and overloaded PEs force is said with it.\n"
        "Price 0: move what you like; a high price: as little as can be.",
        options};
    return cli_map_command_run(&p, &usage, argc, argv);
}
