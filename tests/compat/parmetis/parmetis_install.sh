#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# parmetis_install.sh BUILD SOURCE CMAKE MPICC - the installed libraries of ParMETIS's interface
# work wherever they are moved: through pkg-config, through find_package, and as libparmetis.so
# by LD_LIBRARY_PATH.
. "$(dirname "$0")/../compat.sh"
cmake=$3
mpicc=$4
need mpirun
"$cmake" --install "$build" --prefix "$scratch/first" >"$scratch/log" 2>&1 || {
    cat "$scratch/log"
    fail "cannot install"
}
mv "$scratch/first" "$scratch/moved"
pkgconfig=$(dirname "$(find "$scratch/moved" -name cleaveparmetis_32.pc)")
libdir=$(dirname "$pkgconfig")

cat >"$scratch/program.c" <<END
#include <parmetis.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(comm, &rank);
    idx_t vtxdist[] = {0, 2, 4}, zero = 0, one = 1, two = 2, options[4] = {0}, cut, part[2];
    idx_t xadj[] = {0, rank ? 2 : 1, 3}, first[] = {1, 0, 2}, second[] = {1, 3, 2};
    real_t tpwgts[] = {.5f, .5f}, ubvec[] = {1.05f};
    int status = ParMETIS_V3_PartKway(vtxdist, xadj, rank ? second : first, NULL, NULL, &zero,
                                      &zero, &one, &two, tpwgts, ubvec, options, &cut, part,
                                      &comm);
    if (rank == 0)
        printf("%d %d %d\n", status, (int)cut, (int)(part[0] == part[1]));
    MPI_Finalize();
    return 0;
}
END
for width in 32 64; do
    if command -v pkg-config >/dev/null; then
        flags=$(PKG_CONFIG_PATH=$pkgconfig pkg-config --cflags --libs cleaveparmetis_$width)
        # shellcheck disable=SC2086 # flags are words
        "$mpicc" -o "$scratch/program$width" "$scratch/program.c" $flags ||
            fail "pkg-config cleaveparmetis_$width"
        answer=$(LD_LIBRARY_PATH=$libdir mpirun -n 2 "$scratch/program$width")
        [ "$answer" = "1 1 1" ] || fail "the program of cleaveparmetis_$width: $answer"
    fi
    # Linked as against any libparmetis; run with ours, which finds libcleave-mpi by itself.
    folder=$libdir/cleave/parmetis-$width
    "$mpicc" -o "$scratch/dropin$width" "$scratch/program.c" \
        -I"$scratch/moved/include/cleaveparmetis_$width" \
        -I"$scratch/moved/include/cleavemetis51_$width" -L"$folder" -lparmetis \
        -Wl,-rpath-link,"$libdir" || fail "linking libparmetis.so of $width"
    answer=$(LD_LIBRARY_PATH=$folder mpirun -n 2 "$scratch/dropin$width")
    [ "$answer" = "1 1 1" ] || fail "the drop-in of $width: $answer"
done

cat >"$scratch/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.16)
project(uses_parmetis C)
find_package(cleave REQUIRED COMPONENTS mpi)
foreach(width 32 64)
  add_executable(found\${width} program.c)
  target_link_libraries(found\${width} PRIVATE cleave::parmetis_\${width})
endforeach()
END
{
    "$cmake" -S "$scratch" -B "$scratch/use" -DMPI_C_COMPILER="$mpicc" \
        -DCMAKE_PREFIX_PATH="$scratch/moved" && "$cmake" --build "$scratch/use"
} >"$scratch/log" 2>&1 || {
    cat "$scratch/log"
    fail "find_package(cleave COMPONENTS mpi)"
}
for width in 32 64; do
    answer=$(mpirun -n 2 "$scratch/use/found$width")
    [ "$answer" = "1 1 1" ] || fail "the program of cleave::parmetis_$width: $answer"
done
! grep -r "$build" "$scratch/moved/include" "$libdir/pkgconfig" "$libdir/cmake" ||
    fail "what is installed names the build tree"
echo "ok installed libraries"
