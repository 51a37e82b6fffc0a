#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# guide.sh PAGE CMAKE BUILD SOURCE CC - installs the package in a temporary directory and runs the
# commands of a page of docs/guide unchanged, in an empty directory.
set -eu
page=$1
cmake=$2
build=$3
source=$4
cc=$5
if ! command -v pkg-config >/dev/null; then
    echo "skipped: pkg-config is not installed"
    exit 77
fi
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
"$cmake" --install "$build" --prefix "$prefix" >"$prefix/log" 2>&1 || {
    cat "$prefix/log"
    exit 1
}
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name cleave.pc)")
LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")
mkdir -p "$prefix/compiler"
printf '#!/bin/sh\nexec %s "$@"\n' "$cc" >"$prefix/compiler/cc"
chmod +x "$prefix/compiler/cc"
PATH=$prefix/compiler:$PATH
export PKG_CONFIG_PATH LD_LIBRARY_PATH PATH
sh "$(dirname "$0")/examples.sh" "$page" "$prefix/bin/cleave" "$source" "$build" "$cc" fresh
