/* SPDX-License-Identifier: Apache-2.0 */
/* cleave-mpi remap GRAPH OLD -t TARGET: adapts a mapping to a changed machine with little
 * migration. */
#include "mpi/program/mpi_map_command.h"

int cmd_remap(int argc, char **argv)
{
    map_command p;
    cli_remapping r = {.price = 1};
    map_command_init(&p, "remap");
    p.remapping = &r;
    p.demands.onto_machine = p.demands.is_old = true;
    p.method.own = "multilevel";
    const cli_option options[] = {
        MAP_COMMAND_OUTPUT_OPTION(&p, "the mapping (default: GRAPH.part.P for P PEs)"),
        {CLI_STRING, 't', "target", "TARGET", "the current machine", &p.demands.target_text,
         0},
        {CLI_STRING, 0, "from", "OLDTARGET", "the machine of OLD (default: numbered PEs)",
         &r.from_text, 0},
        {CLI_REAL, 0, "migration-price", "X",
         "cost of one unit of migration, in units of cut (default 1)", &r.price, 0},
        {CLI_CHOICE, 0, "strategy", "auto|interval|diffuse|scratch",
         "initial mapping (default auto: try all)", &r.strategy, 0},
        MAP_COMMAND_LIMIT_OPTIONS(&p),
        {CLI_CHOICE, 0, "objective", "cut|cost", "objective besides migration (default cost)",
         &p.objective, 0},
        MAP_COMMAND_SEARCH_OPTIONS(&p),
        CLI_INPUT_OPTIONS_BUT("format", &p.input, CLI_AS_KINDS),
        {0}};
    const cli_usage usage = {
        "remap",
        "GRAPH OLD -t TARGET",
        2,
        2,
        "Remaps a graph after the machine has changed, on all ranks. OLD is the current\n"
        "mapping, one 0-based PE of OLDTARGET per line; PEs are matched by name, or else by\n"
        "number. The objective is cut (on machines with distances: cost) plus price times\n"
        "migration. Migration is the sum of the sizes of the vertices that move.",
        options};
    return map_command_run(&p, &usage, argc, argv);
}
