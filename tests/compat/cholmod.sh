#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cholmod.sh BUILD SOURCE - CHOLMOD of Debian, unchanged, on our libmetis.so.5: the factor does not
# have more fill than with the original.
. "$(dirname "$0")/compat.sh"
cc=${CC:-cc}
need "$cc"
"$cc" -O1 -o "$scratch/driver" "$source/tests/compat/cholmod_driver.c" -lcholmod 2>/dev/null ||
    skip "libsuitesparse-dev is not installed"
ldd "$scratch/driver" | grep -q libmetis || skip "this CHOLMOD knows no METIS"

"$scratch/driver" >"$scratch/theirs" || fail "the driver does not work with the original"
ours "$scratch/driver" >"$scratch/ours" || fail "the driver does not work with ours"
calls_ours METIS_NodeND ours "$scratch/driver"
calls_ours METIS_ComputeVertexSeparator ours "$scratch/driver"
paste "$scratch/ours" "$scratch/theirs"
while read -r name fill _ _ theirs _; do
    at_most "$fill" "$theirs" 1.02 || fail "$name: $fill non-zeros, $theirs with the original"
done <<END
$(paste "$scratch/ours" "$scratch/theirs")
END
echo "ok CHOLMOD"
