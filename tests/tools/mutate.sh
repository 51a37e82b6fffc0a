#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# mutate.sh SOURCE - what tools/mutate says of mutations that are noticed, survive, are explained,
# loop for ever, or cannot be tried, in a tree of one function and its test.
set -eu
source=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tree=$scratch/tree
list=$tree/tests/mutations
mkdir -p "$tree/tools" "$tree/src" "$list/room"
cp "$source/tools/mutate" "$tree/tools"
cat >"$tree/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.16)
project(tree C)
enable_testing()
add_executable(test_sum src/sum.c src/test.c)
add_test(NAME test_sum COMMAND test_sum)
END
cat >"$tree/src/sum.c" <<'END'
int sum(int n);
int sum(int n)
{
    int all = 0;
    for (int i = 1; i <= n; i++)
        all += i;
    return n < 0 ?
        0 : all;
}
END
echo 'int sum(int n); int main(void) { return sum(4) != 10; }' >"$tree/src/test.c"

mutation() { # NAME FIND REPLACE [LINE]
    printf 'what: %s\nfile: src/sum.c\ntests: test_sum\n%sfind:\n%s\nreplace:\n%s\n' \
        "$1" "${4:-}" "$2" "$3" >"$list/room/$1"
}

# mutate STATUS [ARGUMENT...]: what it says is in said.
mutate() {
    wanted=$1
    shift
    status=0
    MUTATE_BUILD=$scratch/work "$tree/tools/mutate" "$@" >"$scratch/said" 2>&1 || status=$?
    [ $status = "$wanted" ] || complain "tools/mutate $*: status $status, not $wanted"
}

complain() {
    echo "$*"
    echo "--- said:" && cat "$scratch/said"
    exit 1
}

said() {
    grep -q -e "$1" "$scratch/said" || complain "does not say $1"
}

mutation off 'i <= n' 'i < n'
mutation wrapped 'n < 0 ? 0 : all' 'n > 0 ? 0 : all' # found across a line end
mutate 0
said '^noticed *room/off: '
said '^noticed *room/wrapped: '
said '2 mutations in .*: 2 noticed; 0 errors'
mutation quiet 'n < 0 ?' 'n < -1 ?'
mutate 1
said '^SURVIVES *room/quiet: '
mutation quiet 'n < 0 ?' 'n < -1 ?' 'equivalent: nobody asks
'
mutate 0 room/quiet
said '^equivalent *room/quiet: '
mutation off 'i <= n' 'i < n' 'equivalent: it is not
'
mutate 2 room/off
said 'is noticed, and so not equivalent'
rm "$list/room/off"
mutation broken 'i <= n' 'i <= nn'
mutate 2 room
said 'ERROR *room/broken: does not build'
mutation broken 'int' 'long'
mutate 2 --check
said 'room/broken: the text is found [0-9]* times'
mutation broken 'i <= m' 'i < m'
mutate 2 --check
said 'the text is found 0 times'
rm "$list/room/broken"
mv "$tree/src/sum.c" "$tree/src/total.c" # another name: the text is searched
mutate 0 --check
sed -i 's/sum\.c/total.c/' "$tree/CMakeLists.txt"
mutate 0
mutate 2 nowhere

# Stopped while a test loops for ever, it ends the test as well.
running() {
    readlink /proc/[0-9]*/exe 2>/dev/null | grep -q -F "$scratch/work/build/test_sum"
}
if [ -d /proc/self ]; then
    mutation loop 'int all = 0;' 'int all = 0; while (1) ;'
    MUTATE_BUILD=$scratch/work "$tree/tools/mutate" room/loop >"$scratch/said" 2>&1 &
    pid=$!
    waited=0
    until running || [ $waited -ge 60 ]; do
        sleep 1
        waited=$((waited + 1))
    done
    kill "$pid"
    status=0
    wait "$pid" || status=$?
    [ $status = 130 ] || complain "stopped: status $status, not 130"
    ! running || complain "stopped, but the test goes on"
fi
! grep -q -e '-1' "$tree/src/total.c" || complain "the tree itself has changed"
echo "ok tools/mutate"
