#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# parmetis_exports.sh BUILD SOURCE CMAKE MPICC - the libraries and their drop-ins show
# ParMETIS's names and no others, under SONAMEs and versions of their own, and have no state;
# the headers compile alone as C and C++.
. "$(dirname "$0")/../compat.sh"
mpicc=$4

names() {
    nm -D --defined-only "$1" | awk '$2 != "A" { print $3 }' | LC_ALL=C sort
}

soname() {
    objdump -p "$1" | awk '$1 == "SONAME" { print $2 }'
}

for width in 32 64; do
    library=$build/libcleaveparmetis_$width.so.0
    dropin=$build/dropin/parmetis-$width/libparmetis.so.4.0
    [ "$(soname "$library")" = libcleaveparmetis_$width.so.0 ] || fail "$library: SONAME"
    [ "$(soname "$dropin")" = libparmetis.so.4.0 ] || fail "$dropin: SONAME"
    names "$library" | sed "s/@@CLEAVEPARMETIS_${width}_0\$//" >"$scratch/versioned"
    names "$dropin" >"$scratch/plain"
    cmp -s "$scratch/versioned" "$scratch/plain" || fail "$width: versions or names differ"
    ! grep -v -i '^parmetis_v3_\|^metis_free' "$scratch/plain" || fail "$width: other names"
    # Seven functions and METIS_Free, each as in C and in the four ways of Fortran.
    [ "$(wc -l <"$scratch/plain")" -eq 40 ] || fail "$width: names are missing"
    for object in "$build"/compat/parmetis/CMakeFiles/cleaveparmetis_layer_$width.dir/*.o; do
        ! nm "$object" | grep ' [BbDdCSs] ' || fail "$object has writable data"
        ! nm "$object" | grep -E ' U (printf|puts|exit|abort|signal|fprintf|stderr|getenv|rand|MPI_Abort)$' ||
            fail "$object prints, exits or worse"
    done
    include="-I$build/compat/parmetis/include/cleaveparmetis_$width"
    include="$include -I$build/compat/metis/include/cleavemetis51_$width"
    printf '#include <parmetis.h>\n#if IDXTYPEWIDTH != %s\n#error no\n#endif\nidx_t x;\n' \
        $width >"$scratch/program.c"
    cp "$scratch/program.c" "$scratch/program.cc"
    # shellcheck disable=SC2086 # include has words
    "$mpicc" -Wall -Wextra -Werror -pedantic $include -fsyntax-only "$scratch/program.c" ||
        fail "parmetis.h as C"
    if command -v mpicxx >/dev/null; then
        # shellcheck disable=SC2086 # warnings would be those of mpi.h
        mpicxx $include -fsyntax-only "$scratch/program.cc" ||
            fail "parmetis.h as C++"
    fi
    # The metis.h of another width is noticed.
    ! "$mpicc" -I"$build/compat/parmetis/include/cleaveparmetis_$width" \
        -I"$build/compat/metis/include/cleavemetis51_$((96 - width))" -fsyntax-only \
        "$scratch/program.c" 2>/dev/null || fail "parmetis.h takes the other width"
done
echo "ok names"
