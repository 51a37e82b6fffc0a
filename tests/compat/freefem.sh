#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# freefem.sh BUILD SOURCE - FreeFem++ of Debian, unchanged, loads its METIS module on our
# libmetis.so.5 and divides a square by metisdual and metisnodal: eight parts, within 1 %
# (nodal: 2 %), at most 1.1 times as many edges between them as with the original, and the
# balance that it prints is the one counted.
. "$(dirname "$0")/compat.sh"
need FreeFem++-nw
cat >"$scratch/square.edp" <<'END'
load "metis"
mesh Th = square(60, 60);
int[int] part(Th.nt);
real[int] size(8);
for (int dual = 0; dual < 2; dual++) {
    if (dual)
        metisdual(part, Th, 8);
    else
        metisnodal(part, Th, 8);
    size = 0;
    int between = 0;
    for (int t = 0; t < Th.nt; t++) {
        size[part[t]] += 1;
        for (int e = 0; e < 3; e++) {
            int side = e, other = Th[t].adj(side);
            between += part[t] != part[other];
        }
    }
    cout << "RESULT " << (dual ? "dual" : "nodal") << " " << size.min << " " << size.max
         << " " << size.max * 8 / Th.nt << " " << between / 2 << endl;
}
END

echo 'load "metis"' >"$scratch/load.edp"
FreeFem++-nw -v 1 "$scratch/load.edp" >/dev/null 2>&1 ||
    skip "FreeFem++ has no METIS module here"
FreeFem++-nw -v 1 "$scratch/square.edp" >"$scratch/theirs" 2>&1 ||
    fail "FreeFem++ with the original: $(cat "$scratch/theirs")"
ours FreeFem++-nw -v 1 "$scratch/square.edp" >"$scratch/ours" 2>&1 ||
    fail "FreeFem++ with ours: $(cat "$scratch/ours")"
calls_ours libmetis__ComputeElementBalance ours FreeFem++-nw -v 1 "$scratch/square.edp"
grep '^RESULT' "$scratch/ours"
echo "the original:"
grep '^RESULT' "$scratch/theirs"

# Smallest and largest part, largest over mean, edges between parts.
read_result() {
    read -r _ _ smallest largest balance border <<END
$(grep "^RESULT $2" "$scratch/$1")
END
}

# printed NUMBER: the Balance that the module prints, 0 for nodal and 1 for dual.
printed() {
    sed -n "s/.*Balance: *\([0-9.]*\) Nodal=0\/Dual $1.*/\1/p" "$scratch/ours"
}

# check dual|nodal BOUND NUMBER
check() {
    read_result theirs "$1"
    allowed=$border
    read_result ours "$1"
    at_most "$largest" 900 "$2" || fail "$1: the largest part has $largest elements, the mean is 900"
    at_most 1 "$smallest" 1 || fail "$1: a part is empty"
    at_most "$border" "$allowed" 1.1 ||
        fail "$1: $border edges between parts, $allowed with the original"
    [ "$(printed "$3")" = "$(printf %.2f "$balance")" ] ||
        fail "$1: prints the balance $(printed "$3"), it is $balance"
}

check dual 1.01 1
check nodal 1.02 0
echo "ok FreeFem++"
