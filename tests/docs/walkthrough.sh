#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# walkthrough.sh SOURCE - docs/walkthrough.md, the README.md of each room, CONTRIBUTING.md and the
# drawing of the data flow agree with the source.
#
# A walk is a section "## TITLE" with the line "`COMMAND`: N hops." and a table whose rows are | hop
# | `function` | `reached from` | [file](../file) | what happens |. Each function must be defined in
# the file beside it, the rows must be numbered 1 to N, and the summary at the top must state the
# same N. Relative links must point to something. A room is a folder of src/ with a CMakeLists.txt,
# cli or mpi; it must have a README.md. The structs that it names must exist, and what a room of
# src/ "May include" must be what tools/check-layers allows. Paths in CONTRIBUTING.md must exist
# (those with CAPITALS are patterns), and so must the directories of docs/dataflow.svg.
set -eu
cd "$1"
walkthrough=docs/walkthrough.md
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
complain() {
    echo "$*" >>"$scratch/faults"
}

# defines FILE FUNCTION: a line that starts in column 1 names the function, and the next ';' or '{'
# behind it is a '{'.
defines() {
    awk -v name="$2" '
        open == 0 && /^[A-Za-z_]/ && match($0, "(^|[ *])" name "\\(") {
            open = 1
            $0 = substr($0, RSTART)
        }
        open && match($0, /[;{]/) {
            if (substr($0, RSTART, 1) == "{")
                found = 1
            open = 0
        }
        END { exit !found }' "$1"
}

# links FILE: every relative target of [text](target), without its #anchor.
links() {
    grep -o ']([^)]*)' "$1" | sed 's/^](//; s/)$//; s/#.*//' | grep -v -e '^$' -e '^[a-z]*:' || true
}

# ---- Walks ------------------------------------------------------------------------------
[ -f "$walkthrough" ] || { echo "there is no $walkthrough"; exit 1; }
# Counts and numbers of the rows are checked here, and each row goes to a file: line function file.
awk -v faults="$scratch/faults" -v rows="$scratch/rows" '
    function check() {
        if (title != "" && (count != stated || count != summary[title]))
            printf "docs/walkthrough.md: %s: %d rows, but %s hops stated, and %s in the summary\n",
                title, count, stated, summary[title] >>faults
        walks += title != ""
    }
    /^\| \[/ {
        split($0, cell, "|")
        name = cell[2]
        sub(/^ *\[/, "", name)
        sub(/\].*/, "", name)
        gsub(/ /, "", cell[4])
        summary[name] = cell[4]
    }
    /^## / { check(); title = substr($0, 4); count = 0; stated = "no" }
    title != "" && match($0, /: [0-9]+ hops\./) { stated = substr($0, RSTART + 2, RLENGTH - 8) + 0 }
    title != "" && /^\| [0-9]+ \|/ {
        count++
        split($0, cell, "|")
        if (cell[2] + 0 != count && !misnumbered[title]++)
            printf "docs/walkthrough.md:%d: hop %d has the number%s\n", FNR, count, cell[2] >>faults
        gsub(/[ `]/, "", cell[3])
        file = cell[5]
        sub(/^ *\[/, "", file)
        sub(/\].*/, "", file)
        link = cell[5]
        sub(/^.*\(/, "", link)
        sub(/\).*/, "", link)
        if (link != "../" file)
            printf "docs/walkthrough.md:%d: %s is linked as %s\n", FNR, file, link >>faults
        print FNR, cell[3], file >rows
    }
    END {
        check()
        if (walks == 0)
            print "docs/walkthrough.md: no walk found" >>faults
    }' "$walkthrough"
[ -f "$scratch/rows" ] || : >"$scratch/rows"
while read -r line function file; do
    if [ ! -f "$file" ]; then
        complain "$walkthrough:$line: there is no $file"
    elif ! defines "$file" "$function"; then
        complain "$walkthrough:$line: $file does not define $function"
    fi
done <"$scratch/rows"

# ---- Rooms and links --------------------------------------------------------------------
rooms=0
for room in $(for list in src/*/CMakeLists.txt; do dirname "$list"; done) cli mpi; do
    rooms=$((rooms + 1))
    [ -f "$room/README.md" ] || complain "$room has no README.md"
done
pages="CONTRIBUTING.md src/*/README.md src/*/*/README.md cli/README.md mpi/README.md compat/README.md"
for page in "$walkthrough" README.md $pages; do
    [ -f "$page" ] || continue
    for target in $(links "$page"); do
        [ -e "$(dirname "$page")/$target" ] || complain "$page: $target does not exist"
    done
done

grep -o '`[a-z]*/[a-z0-9_./-]*`' CONTRIBUTING.md | tr -d '`' | grep -v '^build/' | sort -u >"$scratch/paths"
[ -s "$scratch/paths" ] || complain "CONTRIBUTING.md: no paths found"
while read -r path; do
    [ -e "$path" ] || [ -e "src/$path" ] || complain "CONTRIBUTING.md: $path does not exist"
done <"$scratch/paths"
for room in $(grep -o '>[a-z]*/' docs/dataflow.svg | tr -d '>/'); do
    [ -d "src/$room" ] || [ -d "$room" ] || complain "docs/dataflow.svg: there is no $room"
done

# ---- Structs and includes ---------------------------------------------------------------
find src cli mpi include -name '*.h' -exec grep -oh -w -E '(clv|cleave|cli)_[a-z0-9_]+' {} + |
    LC_ALL=C sort -u >"$scratch/names"
for page in $pages; do
    [ -f "$page" ] || continue
    for name in $(grep -o -E '`(clv|cleave|cli)_[a-z0-9_]+`' "$page" | tr -d '`' |
        grep -v -x -e cleave_noun_verb -e clv_module_verb); do
        grep -q -x "$name" "$scratch/names" || complain "$page: no header has $name"
    done
    case $page in
    src/*/*/README.md) continue ;;
    src/*) ;;
    *) continue ;;
    esac
    room=$(basename "$(dirname "$page")")
    law=$(sed -n "s/^$room: *//p" tools/check-layers)
    told=$(sed -n 's/^May include: \([^.]*\)\..*/\1/p' "$page" | grep -o '`[a-z]*`' | tr -d '`' |
        grep -v -x base | tr '\n' ' ' | sed 's/ $//' || true)
    [ "$law" = "$told" ] || complain "$page: may include '$told', tools/check-layers says '$law'"
done

if [ -s "$scratch/faults" ]; then
    cat "$scratch/faults"
    exit 1
fi
echo "$(wc -l <"$scratch/rows") hops, $rooms rooms"
