#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# compiled-once.sh COMPILE_COMMANDS SOURCE - no file is compiled twice in the same way.
#
# What several programs share belongs into an OBJECT library (tests/CMakeLists.txt,
# share_objects).  Two compilations are the same when they differ in the name of the object
# alone.  The programs of bench/ are built one at a time and on demand.
set -eu
commands=$1
source=$2

count=$(grep -c '^ *"command": ' "$commands") || {
    echo "$commands lists no compilations"
    exit 1
}
again=$(sed -n 's/^ *"command": "\(.*\)",\{0,1\}$/\1/p' "$commands" |
    sed 's/ -o [^ ]*//; s/ -M[FT] [^ ]*//g' | grep -v -F " $source/bench/" | sort | uniq -d)
[ -z "$again" ] || {
    echo "compiled more than once:"
    printf '%s\n' "$again" | sed 's/.* -c //'
    exit 1
}
echo "$count compilations, all different"
