#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# debian-lists.sh SOURCE LIBRARY - lists in debian/ and docs/packaging.md agree with the tree.
#
#   1. debian/libcleave0.symbols has every function that the library exports, and no other
#      (`tools/deb --symbols` adds what is new; what is gone breaks programs).
#   2. debian/changelog has the version of the header.
#   3. tools/setup installs what debian/control needs to build.
#   4. docs/packaging.md explains every option of CMake that a packager may want and the recipes
#      name no other; the recipes in Python can be read by Python.
set -eu
cd "$1"
library=$2
LC_ALL=C
export LC_ALL
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

complain() {
    echo "$*"
    failures=$((failures + 1))
}

sed -n 's/^ \(cleave_[^ ]*\)@CLEAVE_0 .*/\1/p' debian/libcleave0.symbols | sort >"$scratch/listed"
nm -D --defined-only "$library" | sed -n 's/.* T \(cleave_[^@]*\)\(@@CLEAVE_0\)\{0,1\}$/\1/p' |
    sort >"$scratch/exported"
for name in $(comm -13 "$scratch/listed" "$scratch/exported"); do
    complain "debian/libcleave0.symbols lacks $name; run tools/deb --symbols"
done
for name in $(comm -23 "$scratch/listed" "$scratch/exported"); do
    complain "the library no longer has $name, which programs may call"
done

version=$(sed -n 's/^#define CLEAVE_VERSION "\(.*\)"$/\1/p' include/cleave/status.h)
case $(sed -n '1s/^cleave (\([^)]*\)) .*/\1/p' debian/changelog) in
"$version"-*) ;;
*) complain "debian/changelog does not begin with version $version" ;;
esac

sed -n '/^Build-Depends:/,/^$/s/^ \([a-z0-9.+-]*\).*/\1/p' debian/control |
    sed 's/debhelper-compat/debhelper/; s/dh-sequence-python3/dh-python/' >"$scratch/needed"
tr -s ' ;\\' '\n' <tools/setup >"$scratch/words"
while read -r package; do
    grep -q -x -e "$package" "$scratch/words" || complain "tools/setup does not install $package"
done <"$scratch/needed"

sed -n 's/^option(\([A-Z_]*\) .*/\1/p' CMakeLists.txt >"$scratch/options"
while read -r option; do
    case $option in
    CLEAVE_FUZZ | CLEAVE_WERROR) continue ;; # for developers
    esac
    grep -q "^| .$option. " docs/packaging.md ||
        complain "docs/packaging.md does not explain $option"
done <"$scratch/options"
for option in $(grep -o -h -w -e 'CLEAVE_[A-Z_]\{2,\}' -e 'BUILD_[A-Z_]*' docs/packaging.md debian/rules | sort -u); do
    grep -q -x "$option" "$scratch/options" || complain "there is no option $option"
done
if command -v python3 >/dev/null; then
    python3 - docs/packaging.md <<'END' || complain "docs/packaging.md: a recipe is no Python"
import ast, re, sys
recipes = re.findall(r"```python\n(.*?)```", open(sys.argv[1]).read(), re.S)
assert len(recipes) == 2
for recipe in recipes:
    ast.parse(recipe)
END
fi

echo "$(wc -l <"$scratch/exported") symbols, $(wc -l <"$scratch/needed") packages, $failures failures"
[ -s "$scratch/exported" ] && [ -s "$scratch/needed" ] && [ $failures = 0 ]
