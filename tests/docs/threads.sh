#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# threads.sh SOURCE - every test that docs/threads.md cites is run by the program it names, and
# every test of test_threads_page.c is cited.
set -eu
cd "$1"
page=docs/threads.md
failures=0
rows=0
for pair in page:test_threads_page api:test_threads_api trsv:test_trsv_threads; do
    short=${pair%%:*}
    file=tests/api/${pair#*:}.c
    for name in $(grep -o "$short \`test_[a-z_]*\`" $page | sed 's/.*`\(.*\)`/\1/' | sort -u); do
        rows=$((rows + 1))
        grep -q "RUN($name);" "$file" || {
            echo "$page names $name, which $file does not run"
            failures=1
        }
    done
done
for name in $(sed -n 's/^    RUN(\(.*\));$/\1/p' tests/api/test_threads_page.c); do
    grep -q "page \`$name\`" $page || {
        echo "$page does not say what $name shows"
        failures=1
    }
done
# ThreadSanitizer runs them: CI leaves none of them out.
for name in test_threads_page test_threads_api test_trsv_threads; do
    if sed -n '/^sanitized tsan/,/[^\\]$/p' .ci/run | grep -q "[(|]${name#test_}[|)]"; then
        echo ".ci/run leaves $name out of ThreadSanitizer"
        failures=1
    fi
done
echo "$rows witnesses"
[ $rows -gt 10 ] && [ $failures = 0 ]
