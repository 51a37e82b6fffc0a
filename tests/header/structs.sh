#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# structs.sh FOLDER... - every public struct can grow at its end: it starts with its size, and no
# struct has another one inside, whose growth would move what is behind it.  cleave_error alone
# stays as it is.
set -eu
cat "$1"/*.h ${2:+"$2"/*.h} | awk '
    { text = text " " $0 }
    END {
        while ((at = index(text, "/*")) > 0) {
            rest = substr(text, at + 2)
            text = substr(text, 1, at - 1) " " substr(rest, index(rest, "*/") + 2)
        }
        work = text
        while (match(work, /typedef struct [a-z_0-9]+ \{/)) {
            head = substr(work, RSTART, RLENGTH)
            split(head, word, " ")
            name = word[3]
            work = substr(work, RSTART + RLENGTH)
            depth = 1
            for (i = 1; depth > 0 && i <= length(work); i++) {
                c = substr(work, i, 1)
                depth += (c == "{") - (c == "}")
            }
            body[name] = substr(work, 1, i - 2)
            count++
        }
        for (name in body) {
            if (name == "cleave_error")
                continue
            n = split(body[name], member, ";")
            if (member[1] !~ /^ *size_t size *$/)
                fault(name, "does not start with size_t size")
            for (i = 1; i <= n; i++) {
                m = member[i]
                gsub(/^ +| +$/, "", m)
                if (m ~ /[{}]/ || m ~ /^(const )?(struct|union) [a-z_0-9]* *[a-z]/)
                    fault(name, "has a struct inside: " m)
                kind = m
                sub(/^const /, "", kind)
                sub(/[ *].*/, "", kind)
                if (kind in body && m !~ /\*/)
                    fault(name, "has a struct inside: " m)
            }
        }
        if (count < 2)
            fault("header", "has no structs: the pattern is wrong")
        if (!faults)
            print count " structs can grow"
        exit faults > 0
    }
    function fault(name, what) {
        print name " " what
        faults++
    }'
