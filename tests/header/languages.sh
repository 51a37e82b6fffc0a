#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# languages.sh INCLUDE_DIR CC [FLAGS] - every header of INCLUDE_DIR/cleave compiles alone, without
# a warning, as C99, C11, C2x and C++17, with every compiler that is here; so does its example.
#
# The example is the indented text of the header's first comment; cleave.h and cleave_mpi.h have
# none.  It may use the objects below without declaring them.
set -eu
include=$1
cc=$2
flags=${3:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
tried=''
examples=0

objects='status:cleave_status status
err:cleave_error err
g:const cleave_graph *g
m:const cleave_mapping *m
t:const cleave_target *t
a:const cleave_matrix *a
c:const cleave_circuit *c
x:double *x
b:const double *b
nbatch:int64_t nbatch
evidence:const int8_t *evidence
result:double *result'

has_example() {
    case $1 in */cleave.h | */cleave_mpi.h) return 1 ;; esac
}

example() {
    ! has_example "$1" || sed -n '/^\/\* cleave/,/\*\/$/{/\*\/$/q; s/^ \* \{5\}//p}' "$1"
}

# Those of the objects that file $1 uses and does not declare, as parameters.
parameters() {
    echo "$objects" | while IFS=: read -r name parameter; do
        ! grep -q -w "$name" "$1" || grep -q "[a-z] [*]*$name\( = NULL\)*[,;]" "$1" || echo "$parameter"
    done | paste -s -d ,
}

# Included twice: the guard must hold.
program() {
    printf '#include <cleave/%s>\n' "$(basename "$1")" "$(basename "$1")"
    example "$1" >"$scratch/example"
    if [ -s "$scratch/example" ]; then
        echo '#include <stdio.h>'
        echo "void example($(parameters "$scratch/example"));"
        echo "void example($(parameters "$scratch/example"))"
        echo '{'
        cat "$scratch/example"
        echo '}'
    fi
    echo 'int main(void) { return CLEAVE_OK; }'
}

try() {
    command -v "$1" >/dev/null || return 0
    # shellcheck disable=SC2086 # words
    if ! "$1" "-std=$2" -Wall -Wextra -Wpedantic -Wshadow -Werror -fsyntax-only \
        -I"$include" $flags "$scratch/$3"; then
        echo "$(basename "$header") does not compile with $1 -std=$2"
        failures=$((failures + 1))
    fi
    tried="$tried $1:$2"
}

for header in "$include"/cleave/*.h; do
    program "$header" >"$scratch/alone.c"
    cp "$scratch/alone.c" "$scratch/alone.cc"
    if [ -s "$scratch/example" ]; then
        examples=$((examples + 1))
    elif has_example "$header"; then
        echo "$(basename "$header") has no example"
        failures=$((failures + 1))
    fi
    tried=''
    for compiler in "$cc" gcc clang; do
        for standard in c99 c11 c2x; do
            try "$compiler" $standard alone.c
        done
    done
    for compiler in g++ clang++; do
        try "$compiler" c++17 alone.cc
    done
done
echo "tried:$tried; $examples examples"
[ -n "$tried" ] && [ $failures = 0 ]
