# shellcheck shell=sh disable=SC2034
# SPDX-License-Identifier: Apache-2.0
# Shared by the check-* scripts: `cleave`, a temporary directory, and counting. Usage: . lib.sh
# CLEAVE
set -u
cleave=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d) || exit 1
trap 'chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1
LC_ALL=C
export LC_ALL
checks=0
failures=0

fail() {
    failures=$((failures + 1))
    echo "FAILED: $*"
}

# expect WHAT ACTUAL EXPECTED
expect() {
    checks=$((checks + 1))
    [ "$2" = "$3" ] || fail "$1 is '$2', not '$3'"
}

# status EXPECTED COMMAND...: runs it, output in out and err
status() {
    expected=$1
    shift
    "$@" >out 2>err </dev/null
    actual=$?
    checks=$((checks + 1))
    if [ $actual -ne "$expected" ]; then
        fail "exit status of '$*' is $actual, not $expected"
        cat err
    fi
}

# member KEY: its value in the JSON object of the file out
member() {
    sed -n "s/.*[{,]\"$1\":\(\"[^\"]*\"\|[^,}]*\)[,}].*/\1/p" out
}

finish() {
    echo "$checks checks, $failures failed"
    [ $failures -eq 0 ] && [ $checks -gt 0 ]
    exit $?
}
