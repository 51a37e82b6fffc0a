/* SPDX-License-Identifier: Apache-2.0 */
/* cleave-mpi remap GRAPH OLD -t TARGET: adapts a mapping to a changed machine with little
 * migration. */
#include "mpi/program/mpi_map_command.h"

int cmd_remap(int argc, char **argv)
{
    map_command p;
    cli_map_request *r = &p.request;
    cli_remapping remapping;
    map_command_init(&p, "remap");
    cli_map_request_remap(r, &remapping);
    const cli_option options[] = {
        MAP_REQUEST_OUTPUT_OPTION(r, "the mapping (default: GRAPH.part.P for P PEs)"),
        CLI_REMAPPING_OPTIONS(&r->demands, &remapping),
        MAP_REQUEST_LIMIT_OPTIONS(r),
        {CLI_CHOICE, 0, "objective", "cut|cost", "objective besides migration (default cost)",
         &r->objective, 0},
        MAP_REQUEST_SEARCH_OPTIONS(r),
        CLI_INPUT_OPTIONS_BUT("format", &r->input, CLI_AS_KINDS),
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
