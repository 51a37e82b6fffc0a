#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fortran.sh BUILD SOURCE - a program in Fortran calls our libmetis.so.5 by the names that its
# compiler makes of METIS_PartGraphKway and METIS_NodeND, counting from 1.
. "$(dirname "$0")/compat.sh"
need gfortran
cat >"$scratch/program.f90" <<'PROGRAM'
program cut_a_path
  use iso_c_binding
  implicit none
  external :: METIS_SetDefaultOptions, METIS_PartGraphKway, METIS_NodeND
  integer(c_int32_t), parameter :: n = 8
  integer(c_int32_t) :: xadj(n + 1), adjncy(2 * n - 2), part(n), perm(n), iperm(n)
  integer(c_int32_t) :: options(0:39), cut, v, m, vwgt(n), vsize(n), adjwgt(2 * n - 2)
  real(c_float) :: tpwgts(2), ubvec(1)
  m = 1
  do v = 1, n
    xadj(v) = m
    if (v > 1) then
      adjncy(m) = v - 1
      m = m + 1
    end if
    if (v < n) then
      adjncy(m) = v + 1
      m = m + 1
    end if
  end do
  xadj(n + 1) = m
  vwgt = 1
  vsize = 1
  adjwgt = 1
  tpwgts = 0.5
  ubvec = 1.03
  call METIS_SetDefaultOptions(options)
  options(17) = 1
  call METIS_PartGraphKway(n, 1, xadj, adjncy, vwgt, vsize, adjwgt, 2, tpwgts, ubvec, options, &
                           cut, part)
  call METIS_NodeND(n, xadj, adjncy, vwgt, options, perm, iperm)
  print '(i0, 1x, i0, 1x, i0)', cut, count(part == 1), sum(perm(iperm) - [(v, v = 1, n)])
end program cut_a_path
PROGRAM
# With one underscore, with two, and with none.
for flags in -funderscoring "-funderscoring -fsecond-underscore" -fno-underscoring; do
    # shellcheck disable=SC2086 # flags are words
    gfortran -w $flags -o "$scratch/program" "$scratch/program.f90" "$dropin/libmetis.so.5" \
        -Wl,-rpath-link,"$build" || fail "gfortran $flags"
    answer=$(ours "$scratch/program") || fail "the program made with $flags"
    [ "$answer" = "1 4 0" ] || fail "made with $flags it prints: $answer"
done
nm "$scratch/program" | grep -q ' U metis_partgraphkway$' || fail "names are not what was meant"
echo "ok Fortran"
