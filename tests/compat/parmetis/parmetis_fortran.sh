#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# parmetis_fortran.sh BUILD SOURCE - a program in Fortran calls our libparmetis.so by the names
# that its compiler makes of ParMETIS_V3_PartKway, counting from 1, with a communicator that is
# a number.
. "$(dirname "$0")/../compat.sh"
need mpif90
need mpirun
folder=$build/dropin/parmetis-32
cat >"$scratch/program.f90" <<'PROGRAM'
program cut_a_path
  use iso_c_binding
  use mpi
  implicit none
  external :: ParMETIS_V3_PartKway
  integer(c_int32_t), parameter :: n = 4
  integer :: ierr, rank, ranks, r
  integer(c_int32_t), allocatable :: vtxdist(:)
  integer(c_int32_t) :: xadj(n + 1), adjncy(2 * n), part(n), options(0:3), cut, v, m, me
  integer(c_int32_t) :: vwgt(n), adjwgt(2 * n), total
  integer :: ones, all_ones
  real(c_float) :: tpwgts(2), ubvec(1)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  allocate(vtxdist(ranks + 1))
  vtxdist = [(1 + n * r, r = 0, ranks)]
  total = n * ranks
  m = 1
  do v = 1, n
    me = n * rank + v
    xadj(v) = m
    if (me > 1) then
      adjncy(m) = me - 1
      m = m + 1
    end if
    if (me < total) then
      adjncy(m) = me + 1
      m = m + 1
    end if
  end do
  xadj(n + 1) = m
  vwgt = 1
  adjwgt = 1
  tpwgts = 0.5
  ubvec = 1.05
  options = 0
  call ParMETIS_V3_PartKway(vtxdist, xadj, adjncy, vwgt, adjwgt, 0, 1, 1, 2, tpwgts, ubvec, &
                            options, cut, part, MPI_COMM_WORLD)
  ones = count(part == 1)
  call MPI_Reduce(ones, all_ones, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(i0, 1x, i0)', cut, all_ones
  call MPI_Finalize(ierr)
end program cut_a_path
PROGRAM
# MPI's own module has one underscore, so only names of ours can be tried with others.
mpif90 -w -o "$scratch/program" "$scratch/program.f90" "$folder/libparmetis.so" \
    -Wl,-rpath-link,"$build" || skip "no working compiler of Fortran for MPI"
for ranks in 1 2 3; do
    answer=$(LD_LIBRARY_PATH="$folder:$build" mpirun -n $ranks "$scratch/program") ||
        fail "the program on $ranks ranks"
    [ "$answer" = "1 $((2 * ranks))" ] || fail "on $ranks ranks it prints: $answer"
done
nm "$scratch/program" | grep -q ' U parmetis_v3_partkway_$' || fail "names are not what was meant"
echo "ok Fortran"
