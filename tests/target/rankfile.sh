#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rankfile.sh TEST_LAUNCH - Open MPI puts ranks where a rankfile of ours says.
#
# TEST_LAUNCH rankfile FILE writes one for this machine, ranks on its cores from the last to
# the first, and prints the CPU of each rank.
set -eu
if ! command -v mpirun >/dev/null || ! mpirun --version 2>/dev/null | grep -q 'Open MPI'; then
    echo "there is no Open MPI"
    exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$1" rankfile "$scratch/ranks" >"$scratch/want"
count=$(wc -l <"$scratch/want")
set -- mpirun --oversubscribe -np "$count"
[ "$(id -u)" != 0 ] || set -- "$@" --allow-run-as-root
case $(mpirun --version) in
*' 4.'*) set -- "$@" --rankfile "$scratch/ranks" ;;
*) set -- "$@" --map-by "rankfile:file=$scratch/ranks" ;;
esac
# Where mpirun cannot start anything at all, nothing is learned.
# shellcheck disable=SC2046 # a flag or nothing
if ! mpirun --oversubscribe -np 1 $([ "$(id -u)" != 0 ] || echo --allow-run-as-root) true \
    >"$scratch/first" 2>&1; then
    echo "mpirun does not run here:"
    head -n 5 "$scratch/first"
    exit 77
fi
# shellcheck disable=SC2016 # for the shell that mpirun starts
"$@" sh -c 'echo "$OMPI_COMM_WORLD_RANK $(sed -n "s/^Cpus_allowed_list:[[:space:]]*//p" \
    /proc/self/status)"' | sort -n >"$scratch/bound"
# A core may have several CPUs: ours is the first.
sed 's/ \([0-9]*\)[-,].*/ \1/' "$scratch/bound" >"$scratch/got"
cat "$scratch/ranks" "$scratch/bound"
diff "$scratch/want" "$scratch/got"
