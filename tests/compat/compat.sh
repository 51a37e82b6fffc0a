# SPDX-License-Identifier: Apache-2.0
# tests/compat/compat.sh - sourced by the tests that run other programs with our libmetis.
#
# Arguments: the build and the source folder.
set -eu
build=$1
source=$2
dropin=$build/dropin/metis51-32
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C

skip() {
    echo "skipped: $*"
    exit 77
}

fail() {
    echo "failed: $*"
    exit 1
}

need() {
    command -v "$1" >/dev/null || skip "$1 is not installed"
}

# ours COMMAND...: with our library in place of the original.  preloaded COMMAND...: over it; a
# library that is called libmetis.so.5 as well would keep the original out.
ours() {
    LD_LIBRARY_PATH="$dropin" "$@"
}

preloaded() {
    LD_PRELOAD="$build/libcleavemetis51_32.so.0" "$@"
}

# calls_ours SYMBOL ours|preloaded COMMAND...: does the program bind SYMBOL to our library?
calls_ours() {
    symbol=$1
    shift
    LD_DEBUG=bindings LD_DEBUG_OUTPUT="$scratch/bindings" "$@" >/dev/null 2>&1 || true
    cat "$scratch"/bindings.* >"$scratch/all" 2>/dev/null
    rm -f "$scratch"/bindings.*
    grep -q "to $build/[^ ]*metis[^ ]* .*symbol .$symbol" "$scratch/all" ||
        fail "$symbol is not bound to our library: $*"
}

# at_most A B FACTOR: A <= B * FACTOR, as real numbers.
at_most() {
    awk -v a="$1" -v b="$2" -v f="$3" 'BEGIN { exit !(a <= b * f) }'
}

# grid WIDTH HEIGHT: a grid in METIS's format.
grid() {
    awk -v w="$1" -v h="$2" 'BEGIN {
        print w * h, w * (h - 1) + h * (w - 1)
        for (y = 0; y < h; y++)
            for (x = 0; x < w; x++) {
                v = y * w + x + 1
                line = ""
                if (y > 0) line = line " " v - w
                if (x > 0) line = line " " v - 1
                if (x < w - 1) line = line " " v + 1
                if (y < h - 1) line = line " " v + w
                print substr(line, 2)
            }
    }'
}
