#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# formats.sh SOURCE - docs/formats.md and the readers have the same messages.
#
# A sentence of the page has <placeholders> or <this/that> where the source has conversions
# of printf.
#   1. Whatever a function of src/formats, or of the reader of Scotch's targets, hands to one
#      that fails, or names as the number it wants to read, stands on the page.
#   2. Sentences and numbers in the tables of the page occur in src/.  Some are put together
#      from several strings: the pieces between placeholders are looked for.
#   3. Every format and every extension is on the page.
set -eu
cd "$1"
LC_ALL=C
export LC_ALL
page=docs/formats.md
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

# "FUNCTION<tab>STRING" for each string of C files and the call it is an argument of;
# adjacent strings are one, conversions become <>.
strings_of() {
    awk '
    function flush_string() {
        if (!have)
            return
        gsub(/\\"/, "\"", text)
        gsub(/%%/, "\001", text)
        gsub(/%[-+ 0#]*[0-9*]*(\.[0-9*]+)?(ll|l|z|h)?[a-zA-Z]/, "<>", text)
        gsub(/\001/, "%", text)
        print call[depth] "\t" text
        have = 0
        text = ""
    }
    FNR == 1 { depth = comment = 0 }
    /^}/ { depth = 0 }
    /^[ \t]*#/ { next }
    {
        rest = $0
        while (rest != "") {
            length_ = 1
            if (comment) {
                at = index(rest, "*/")
                comment = at == 0
                length_ = at ? at + 1 : length(rest)
            } else if (match(rest, /^[ \t]+/)) {
                length_ = RLENGTH
            } else if (substr(rest, 1, 2) == "/*") {
                comment = 1
                length_ = 2
            } else if (match(rest, /^"([^"\\]|\\.)*"/)) {
                length_ = RLENGTH
                have = 1
                text = text substr(rest, 2, RLENGTH - 2)
            } else {
                flush_string()
                c = substr(rest, 1, 1)
                if (match(rest, /^[A-Za-z_][A-Za-z_0-9]*/)) {
                    length_ = RLENGTH
                    name = substr(rest, 1, RLENGTH)
                } else {
                    if (match(rest, /^\047([^\047\\]|\\.)*\047/))
                        length_ = RLENGTH
                    else if (c == "(")
                        call[++depth] = name
                    else if (c == ")" && depth > 0)
                        depth--
                    name = ""
                }
            }
            rest = substr(rest, length_ + 1)
        }
    }' "$@"
}

# The page with and without the words in its placeholders.  Rows of tables are not wrapped.
sed 's|<[A-Za-z0-9][^<>]*>|<>|g' $page | cat - $page >"$scratch/page"

# absent TEXTS WHERE SAY: the lines of TEXTS that are part of no line of WHERE
absent() {
    awk -v say="$3" 'FILENAME == ARGV[1] { have[n++] = $0; next }
        $0 == "" { next }
        {
            for (i = 0; i < n && index(have[i], $0) == 0; i++)
                ;
            if (i == n) { print say ": " $0; bad = 1 }
        }
        END { exit bad }' "$2" "$1" || failures=1
}

# ---- 1. From the source to the page
# graph_file.c checks the arguments of calls, not files.
strings_of $(ls src/formats/*.c | grep -v /graph_file.c) src/target/scotch_*.c >"$scratch/strings"
awk -F '\t' '$1 ~ /fail|refuse|^clv_text_(next_)?(i64|double)$|end_line$|^next_number$|^read_variable$/ &&
    $2 ~ /[a-z]/ { print $2 }' "$scratch/strings" | sed 's/^[ <>]*//; s/[ <>]*$//' | sort -u >"$scratch/said"
absent "$scratch/said" "$scratch/page" "the readers say what $page does not"

# ---- 2. From the page to the source
# The first cells of tables that are headed "sentence", "number" or "expected", cut at
# placeholders; of <this/that> both are looked for.
awk -F '|' '/^\|/ && !table { table = 1; wanted = $2 ~ /^ (sentence|number|expected) $/; next }
    !/^\|/ { table = 0; next }
    wanted && $2 ~ /`/ { print $2 }' $page | grep -o '`[^`]*`' | tr -d '`' >"$scratch/rows"
awk '{
    while (match($0, /<[A-Za-z0-9][^<>]*>/)) {
        choice = substr($0, RSTART + 1, RLENGTH - 2)
        if (!gsub("/", "\n", choice))
            choice = ""
        $0 = substr($0, 1, RSTART - 1) "\n" choice "\n" substr($0, RSTART + RLENGTH)
    }
    print
}' "$scratch/rows" | sed 's/^ *//; s/ *$//' | sort -u >"$scratch/pieces"
strings_of $(find src -name "*.c") | cut -f 2- >"$scratch/all"
absent "$scratch/pieces" "$scratch/all" "$page has what src/ does not say"

# ---- 3. Names
sed -n 's/^    \.name = "\(.*\)",$/`\1`/p' src/formats/*.c >"$scratch/names"
sed -n 's/^    \.extensions = "\(.*\)",$/\1/p' src/formats/*.c | tr ' ' '\n' |
    sed -n 's/..*/`.&`/p' >>"$scratch/names"
absent "$scratch/names" "$page" "not in $page"

echo "$(wc -l <"$scratch/said") sentences of readers, $(wc -l <"$scratch/rows") in tables," \
    "$(wc -l <"$scratch/names") names"
[ -s "$scratch/said" ] && [ -s "$scratch/rows" ] && [ -s "$scratch/names" ] && [ $failures = 0 ]
