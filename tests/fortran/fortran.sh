#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fortran.sh SOURCE BUILD CC - bindings/fortran compiles as Fortran 2003, its structs are laid
# out as those of the header, its constants have the same values, its functions as many
# arguments, and its programs run.
set -eu
source=$1
build=$2
cc=$3
module=$source/bindings/fortran/cleave.f90
if ! command -v gfortran >/dev/null; then
    echo "skipped: gfortran is not installed"
    exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
failures=0

fail() {
    echo "$*"
    failures=$((failures + 1))
}

fortran() {
    gfortran -std=f2003 -Wall -Wextra "$@"
}

fortran -Werror -c "$module"

# ---- Structs ------------------------------------------------------------------------------
# "struct member" for each member; the struct alone for its size.
awk '/^ *type, bind\(c\) :: / { name = $NF; print name; next }
    /^ *end type/ { name = ""; next }
    name != "" && / :: / { print name, $NF }' "$module" >members
[ "$(wc -l <members)" -gt 200 ] || fail "only $(wc -l <members) members found"
{
    echo '#include <cleave/cleave.h>'
    echo '#include <stdio.h>'
    echo 'int main(void) {'
    awk 'NF == 1 { printf "printf(\"%s %%zu\\n\", sizeof(%s));\n", $1, $1; next }
        { printf "printf(\"%s %s %%zu\\n\", offsetof(%s, %s));\n", $1, $2, $1, $2 }' members
    echo 'return 0; }'
} >layout.c
"$cc" -I"$source/include" -o layout_c layout.c
{
    echo 'program layout'
    echo 'use cleave'
    echo 'implicit none'
    awk 'NF == 1 { printf "type(%s), target :: it_%s\n", $1, $1 }' members
    awk 'NF == 1 { printf "print \"(a,1x,i0)\", \"%s\", size(transfer(it_%s, [c_null_char]))\n", $1, $1; next }
        { printf "print \"(a,1x,i0)\", \"%s %s\", away(c_loc(it_%s), &\nc_loc(it_%s%%%s))\n", $1, $2, $1, $1, $2 }' members
    echo 'contains'
    echo 'function away(begin, place)'
    echo 'type(c_ptr), intent(in) :: begin, place'
    echo 'integer(c_intptr_t) :: away'
    echo 'away = transfer(place, away) - transfer(begin, away)'
    echo 'end function away'
    echo 'end program layout'
} | sed 's/c_loc(\(it_cleave_[a-z_]*%\(message\|cost_level\|cost_level_identity\)\))/c_loc(\1(1))/; s/it_cleave_remap_report%strategy)/it_cleave_remap_report%strategy(1))/' >layout.f90
gfortran -w -o layout_f layout.f90 cleave.o -L"$build" -lcleave -Wl,-rpath,"$build"
./layout_c >expected
./layout_f >found
diff -u --label header --label module expected found || fail "the structs differ"

# ---- Constants ----------------------------------------------------------------------------
# "NAME value" of the module; C prints the value of each. Flags of the header are all there.
grep -E '^ *integer\(c_int\), parameter :: ' "$module" | grep -o 'CLEAVE_[A-Z_]* = -*[0-9]*' |
    sed 's/ = / /' >constants
{
    echo '#include <cleave/cleave.h>'
    echo '#include <stdio.h>'
    echo 'int main(void) {'
    awk '{ printf "printf(\"%s %%d\\n\", (int)%s);\n", $1, $1 }' constants
    echo 'return 0; }'
} >constants.c
"$cc" -I"$source/include" -o constants_c constants.c
./constants_c | diff -u --label header --label module - constants || fail "the constants differ"
for name in $(sed -n 's/^#define \(CLEAVE_[A-Z_]*\) [0-9]*u .*/\1/p' "$source"/include/cleave/*.h); do
    grep -q "^$name " constants || fail "the module lacks $name"
done
[ "$(wc -l <constants)" -gt 20 ] || fail "only $(wc -l <constants) constants found"

# ---- Functions ----------------------------------------------------------------------------
# "name arguments" of the header and of the module.
cat "$source"/include/cleave/*.h | sed 's|/\*.*\*/||; /^#/d' | tr '\n' ' ' |
    grep -o 'CLEAVE_API [^(;]*([^)]*)' | sed 's/CLEAVE_API [^(]*[ *]\(cleave_[a-z0-9_]*\)(/\1 /; s/)$//' |
    awk '{ n = $2 == "void" && NF == 2 ? 0 : gsub(/,/, ",") + 1; print $1, n }' | sort >header
sed -n '/^    interface$/,/^    end interface$/p' "$module" | sed 's/&$/\\/' | sed -e ':a' -e '/\\$/N; s/\\\n//; ta' |
    grep -E '^ *(function|subroutine) cleave_[a-z0-9_]*\(.*bind\(c\)$' |
    sed 's/^ *[a-z]* \(cleave_[a-z0-9_]*\)(\(.*\)) bind(c)$/\1 \2/' |
    awk '{ print $1, NF == 1 ? 0 : gsub(/,/, ",") + 1 }' | sort >functions
[ "$(wc -l <functions)" -gt 80 ] || fail "only $(wc -l <functions) functions found"
comm -13 header functions >strange
[ ! -s strange ] || fail "not as in the header: $(tr '\n' ';' <strange)"

# ---- Programs -----------------------------------------------------------------------------
fortran -o test_module "$source/tests/fortran/test_module.f90" cleave.o -L"$build" -lcleave \
    -Wl,-rpath,"$build"
./test_module || fail "test_module fails"
fortran -o partition_mesh "$source/bindings/fortran/partition_mesh.f90" cleave.o -L"$build" \
    -lcleave -Wl,-rpath,"$build"
awk 'BEGIN { W = 20; H = 10; print W * H; for (y = 0; y < H; y++) for (x = 0; x < W; x++) {
    a = y * (W + 1) + x + 1; print a, a + 1, a + W + 2, a + W + 1 } }' >plate.mesh
./partition_mesh plate.mesh 4 plate.part >out || fail "partition_mesh fails"
[ "$(sort plate.part | uniq -c | wc -l)" = 4 ] && [ "$(wc -l <plate.part)" = 200 ] ||
    fail "partition_mesh wrote something else"
grep -q '^vertices 200, parts 4, cut [1-9][0-9]$' out || fail "partition_mesh printed: $(cat out)"
if ./partition_mesh none.mesh 4 none.part 2>err ||
    ! grep -q '^partition_mesh: none.mesh: cannot open it' err; then
    fail "partition_mesh does not complain about a missing file"
fi
echo "$(wc -l <members) members, $(wc -l <functions) functions, $failures failures"
[ $failures = 0 ]
