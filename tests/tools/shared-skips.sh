#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shared-skips.sh PROGRAM... - without the shared data each of these test programs passes, or is
# skipped, and says how many cases it leaves out for want of which file.
set -eu
for program; do
    status=0
    said=$(CLEAVE_SHARED=/nowhere "$program" 2>&1) || status=$?
    case $status in
    0 | 77) ;;
    *)
        printf '%s\n%s: status %s without the shared data\n' "$said" "$program" $status
        exit 1
        ;;
    esac
    printf '%s\n' "$said" | grep -q '^skipped: [0-9]* cases\{0,1\} needs\{0,1\} \.\./shared/data/' || {
        printf '%s\n%s: does not say what it skips\n' "$said" "$program"
        exit 1
    }
done
echo "ok: $# programs say what they skip"
