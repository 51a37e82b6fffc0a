# shellcheck shell=sh
# SPDX-License-Identifier: Apache-2.0
# For transcripts and scripts: `ranks N ...` is cleave-mpi on N ranks.  CLEAVE_MPI is the program,
# MPIRUN what starts it.
ranks() {
    number=$1
    shift
    "${MPIRUN:-mpirun}" -n "$number" "$CLEAVE_MPI" "$@"
}
