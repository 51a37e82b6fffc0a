#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# metis_install.sh BUILD SOURCE CMAKE CC - the installed libraries of METIS's interface work
# wherever they are moved: through pkg-config, through find_package, and as libmetis.so.5 by
# LD_LIBRARY_PATH.
. "$(dirname "$0")/compat.sh"
cmake=$3
cc=$4
"$cmake" --install "$build" --prefix "$scratch/first" >"$scratch/log" 2>&1 || {
    cat "$scratch/log"
    fail "cannot install"
}
mv "$scratch/first" "$scratch/moved"
pkgconfig=$(dirname "$(find "$scratch/moved" -name cleavemetis51_32.pc)")
libdir=$(dirname "$pkgconfig")

cat >"$scratch/program.c" <<END
#include <metis.h>
#include <stdio.h>
int main(void)
{
    idx_t n = 4, one = 1, two = 2, cut, part[4], options[METIS_NOPTIONS];
    idx_t xadj[] = {1, 2, 4, 6, 7}, adj[] = {2, 1, 3, 2, 4, 3};
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_NUMBERING] = 1;
    int status = METIS_PartGraphKway(&n, &one, xadj, adj, NULL, NULL, NULL, &two, NULL, NULL,
                                     options, &cut, part);
    printf("%d %d %d\n", status, (int)cut, (int)(part[0] == part[1]));
    return 0;
}
END
for key in 51_32 51_64 52_32 52_64; do
    if command -v pkg-config >/dev/null; then
        flags=$(PKG_CONFIG_PATH=$pkgconfig pkg-config --cflags --libs cleavemetis$key)
        # shellcheck disable=SC2086 # flags are words
        "$cc" -o "$scratch/program$key" "$scratch/program.c" $flags ||
            fail "pkg-config cleavemetis$key"
        [ "$(LD_LIBRARY_PATH=$libdir "$scratch/program$key")" = "1 1 1" ] ||
            fail "the program of cleavemetis$key"
    fi
    # Linked as against any libmetis; run with ours, which finds libcleave by itself.
    folder=$libdir/cleave/metis$(echo $key | tr _ -)
    "$cc" -o "$scratch/dropin$key" "$scratch/program.c" \
        -I"$scratch/moved/include/cleavemetis$key" -L"$folder" -lmetis -Wl,-rpath-link,"$libdir" ||
        fail "linking libmetis.so.5 of $key"
    [ "$(LD_LIBRARY_PATH=$folder "$scratch/dropin$key")" = "1 1 1" ] || fail "the drop-in $key"
done

cat >"$scratch/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.16)
project(uses_metis C)
find_package(cleave REQUIRED)
foreach(key 51_32 51_64 52_32 52_64)
  add_executable(found\${key} program.c)
  target_link_libraries(found\${key} PRIVATE cleave::metis\${key})
endforeach()
END
{
    "$cmake" -S "$scratch" -B "$scratch/use" -DCMAKE_C_COMPILER="$cc" \
        -DCMAKE_PREFIX_PATH="$scratch/moved" && "$cmake" --build "$scratch/use"
} >"$scratch/log" 2>&1 || {
    cat "$scratch/log"
    fail "find_package(cleave)"
}
for key in 51_32 51_64 52_32 52_64; do
    [ "$("$scratch/use/found$key")" = "1 1 1" ] || fail "the program of cleave::metis$key"
done
! grep -r "$build" "$scratch/moved/include" "$libdir/pkgconfig" "$libdir/cmake" ||
    fail "what is installed names the build tree"
echo "ok installed libraries"
