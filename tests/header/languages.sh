#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# languages.sh INCLUDE_DIR CC [HEADER FLAGS] - cleave.h (or that header, with those flags)
# compiles alone, without a warning, as C99, C11, C2x and C++17, with every compiler that is here.
set -eu
include=$1
cc=$2
header=${3:-cleave.h}
flags=${4:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
tried=''

# Included twice: the guard must hold.  The body must be able to use what it declares.
printf '#include <cleave/%s>\n' "$header" "$header" >"$scratch/alone.c"
cat >>"$scratch/alone.c" <<'END'

int main(void)
{
    cleave_csr csr;
    cleave_error err;
    cleave_graph *g = NULL;
    cleave_csr_init(&csr, sizeof csr);
    return cleave_graph_create(&g, &csr, 0, &err) == CLEAVE_OK;
}
END
cp "$scratch/alone.c" "$scratch/alone.cc"

try() {
    command -v "$1" >/dev/null || return 0
    # shellcheck disable=SC2086 # words
    if ! "$1" "-std=$2" -Wall -Wextra -Wpedantic -Wshadow -Werror -fsyntax-only \
        -I"$include" $flags "$scratch/$3"; then
        echo "$header does not compile with $1 -std=$2"
        failures=$((failures + 1))
    fi
    tried="$tried $1:$2"
}

for compiler in "$cc" gcc clang; do
    for standard in c99 c11 c2x; do
        try "$compiler" $standard alone.c
    done
done
for compiler in g++ clang++; do
    try "$compiler" c++17 alone.cc
done
echo "tried:$tried"
[ -n "$tried" ] && [ $failures = 0 ]
