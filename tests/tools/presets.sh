#!/bin/sh
# presets.sh TREE - only engine/presets.c and presets_order.c decide by the effort, and only they
# change a preset.
# presets.sh TREE - only engine/presets.c and presets_order.c decide by the effort, and only it changes a preset.
#
# The interface (src/api, programs) names efforts as defaults and checks their range.
set -eu
cd "$1"
sources() {
    find src mpi -name '*.[ch]' ! -path 'src/api/*' ! -path 'mpi/program/*' \
        ! -path 'mpi/include/*' ! -path src/engine/presets.c \
        ! -path src/engine/presets_order.c
}
bad=0
if sources | xargs grep -n 'CLEAVE_EFFORT_'; then
    echo "presets: the lines above decide by the effort outside of src/engine/presets*.c"
    bad=1
fi
if sources | xargs grep -nE '(\.|->)(coarsening|initial|refinement|dag|search)\.[a-z_]+ = '; then
    echo "presets: the lines above change a preset outside of src/engine/presets*.c"
    bad=1
fi
[ $bad = 0 ] && echo "presets: one place"
exit $bad
