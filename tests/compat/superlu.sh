#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# superlu.sh BUILD SOURCE - SuperLU_DIST of Debian, unchanged, on our libmetis.so.5: the right
# solution, and factors no larger than with the original.
. "$(dirname "$0")/compat.sh"
need mpicc
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=self OMP_NUM_THREADS=1
mpicc -O1 -w -o "$scratch/driver" "$source/tests/compat/superlu_driver.c" \
    -I/usr/include/superlu-dist -lsuperlu_dist -lm 2>"$scratch/log" ||
    skip "libsuperlu-dist-dev is not installed"

"$scratch/driver" >"$scratch/theirs" || skip "MPI does not run here"
ours "$scratch/driver" >"$scratch/ours" || fail "the driver does not work with ours"
calls_ours METIS_NodeND ours "$scratch/driver"
paste "$scratch/ours" "$scratch/theirs"
read -r _ size _ <"$scratch/ours"
read -r _ theirs _ <"$scratch/theirs"
at_most "$size" "$theirs" 1.05 || fail "factors of $size bytes, $theirs with the original"
echo "ok SuperLU_DIST"
