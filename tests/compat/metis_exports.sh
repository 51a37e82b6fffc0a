#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# metis_exports.sh BUILD SOURCE - the libraries and their drop-ins show METIS's names, those
# that known clients use and no others, under SONAMEs and versions of their own, and have no
# state; the headers compile alone as C and C++.
. "$(dirname "$0")/compat.sh"

# What the packages of Debian 12 that depend on libmetis5 leave undefined and libmetis.so.5
# defines (nm -D).  METIS's own programs (package metis) are not here: they need GKlib.
clients() {
    cat <<END
colmap METIS_PartGraphKway METIS_SetDefaultOptions
libcholmod3 METIS_ComputeVertexSeparator METIS_NodeND
libdeal.ii METIS_PartGraphKway METIS_PartGraphRecursive METIS_SetDefaultOptions
libfreefem++ METIS_PartMeshDual METIS_PartMeshNodal libmetis__ComputeElementBalance
libgmsh METIS_PartGraphKway METIS_PartGraphRecursive METIS_SetDefaultOptions
libnglib METIS_PartGraphKway METIS_PartMeshDual
libsuperlu-dist METIS_NodeND
syrthes-tools METIS_PartGraphKway METIS_PartGraphRecursive
END
}
internal=libmetis__ComputeElementBalance

names() {
    nm -D --defined-only "$1" | awk '$2 != "A" { print $3 }' | LC_ALL=C sort
}

soname() {
    objdump -p "$1" | awk '$1 == "SONAME" { print $2 }'
}

keys=$(cd "$build" && echo libcleavemetis*.so.0 | sed 's/libcleavemetis//g; s/\.so\.0//g')
[ "$(echo "$keys" | wc -w)" -ge 4 ] || fail "there are only $keys"
for key in $keys; do
    library=$build/libcleavemetis$key.so.0
    folder=$build/dropin/metis$(echo "$key" | tr _ -)
    [ "$(soname "$library")" = libcleavemetis$key.so.0 ] || fail "$library: SONAME"
    [ "$(soname "$folder/libmetis.so.5")" = libmetis.so.5 ] || fail "$folder: SONAME"
    version=CLEAVEMETIS$(echo "$key" | tr a-z A-Z)_0
    names "$library" | sed "s/@@$version\$//" >"$scratch/versioned"
    names "$folder/libmetis.so.5" >"$scratch/plain"
    cmp -s "$scratch/versioned" "$scratch/plain" || fail "$key: versions or names differ"
    ! grep -v -i -e '^metis_' -e "^$internal\$" "$scratch/plain" ||
        fail "$key: names that are neither METIS_ nor a client's"
    clients | while read -r client symbols; do
        for symbol in $symbols; do
            grep -q -x "$symbol" "$scratch/plain" || fail "$key: $client needs $symbol"
        done
    done
    [ "$(wc -l <"$scratch/plain")" -ge 50 ] || fail "$key: names are missing"
    for object in "$build"/compat/metis/CMakeFiles/cleavemetis_layer$key.dir/*.o; do
        ! nm "$object" | grep ' [BbDdCSs] ' || fail "$object has writable data"
        ! nm "$object" | grep -E ' U (printf|puts|exit|abort|signal|fprintf|stderr|getenv|feenableexcept|rand)$' ||
            fail "$object prints, exits or worse"
    done
    include=$build/compat/metis/include/cleavemetis$key
    width=$(echo "$key" | cut -d_ -f2)
    for language in c c++; do
        compiler=${CC:-cc}
        [ $language = c ] || compiler=${CXX:-c++}
        command -v "$compiler" >/dev/null || continue
        printf '#include <metis.h>\n#if IDXTYPEWIDTH != %s || METIS_VER_MINOR != %s\n#error no\n#endif\nidx_t x;\n' \
            "$width" "$(echo "$key" | cut -c2)" >"$scratch/program"
        "$compiler" -x $language -Wall -Wextra -Werror -pedantic -I"$include" -fsyntax-only \
            "$scratch/program" || fail "$include/metis.h as $language"
        # Who says which width is meant is heard.
        "$compiler" -x $language -Werror -DIDXTYPEWIDTH="$width" -I"$include" -fsyntax-only \
            "$scratch/program" || fail "$include/metis.h with -DIDXTYPEWIDTH=$width"
        ! "$compiler" -x $language -DIDXTYPEWIDTH=$((96 - width)) -I"$include" -fsyntax-only \
            "$scratch/program" 2>/dev/null || fail "$include/metis.h takes the other width"
    done
done
# Every name of METIS in Debian's library is exported.
for file in /usr/lib/*/libmetis.so.5; do
    [ -f "$file" ] || continue
    names "$file" | grep -i '^metis_' >"$scratch/original"
    missing=$(LC_ALL=C comm -23 "$scratch/original" "$scratch/plain")
    [ -z "$missing" ] || fail "missing: $missing"
done
echo "ok names"
