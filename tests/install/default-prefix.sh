#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# default-prefix.sh CMAKE BUILD SOURCE CC - a program compiled by the line of the README against
# the library in /usr/local starts, and Python finds the library, without further configuration of
# the loader; after uninstalling the loader no longer finds it.
#
# Installs for real, in a mount namespace whose /usr/local is empty and whose /etc is a copy: the
# machine itself does not change.  tools/bare-test does the same in a root of its own.
# Exit status 77: skipped.
set -eu
cmake=$1
build=$2
source=$3
cc=$4

skip() {
    echo "skipped: $*"
    exit 77
}

if [ "${5:-}" != inside ]; then
    [ "$(id -u)" = 0 ] || skip "only root can install into /usr/local"
    command -v ldconfig >/dev/null || [ -x /sbin/ldconfig ] || skip "there is no ldconfig"
    unshare --mount sh -c 'mount -t tmpfs tmpfs /mnt' 2>/dev/null || skip "no mount namespaces here"
    for tool in "$cmake" "$cc"; do
        case $(readlink -f "$tool") in
        /usr/local/*) skip "$tool is itself in /usr/local" ;;
        esac
    done
    exec unshare --mount sh "$0" "$cmake" "$build" "$source" "$cc" inside
fi

scratch=$(mktemp -d)
trap 'umount -l "$scratch"; rmdir "$scratch"' EXIT
mount -t tmpfs tmpfs "$scratch"
cp -a /etc "$scratch/etc"
mount --bind "$scratch/etc" /etc
mount -t tmpfs -o mode=755 tmpfs /usr/local
mkdir /usr/local/lib
PATH=/usr/sbin:/usr/bin:/sbin:/bin
ldconfig

quietly() {
    "$@" >"$scratch/log" 2>&1 || {
        echo "failed: $*"
        cat "$scratch/log"
        exit 1
    }
}

known() {
    ldconfig -p | grep -q 'libcleave\.so\.0 .*/usr/local/lib'
}

quietly "$cmake" --install "$build" --prefix /usr/local
find /usr/local ! -type d >"$scratch/manifest" # other tests install from this build, too
known || {
    echo "the loader does not know the installed library"
    cat "$scratch/log"
    exit 1
}
cd "$scratch"
flags=-lcleave
! command -v pkg-config >/dev/null || flags=$(env -u PKG_CONFIG_PATH pkg-config --cflags --libs cleave)
# shellcheck disable=SC2086 # words
quietly "$cc" -o slices "$source/examples/slices.c" $flags
quietly env -i ./slices "$source/examples/data/grid.graph" 4
grep -q '^cut ' log || {
    echo "the program prints no cut:"
    cat log
    exit 1
}
echo "ok a program compiled with $flags starts"
if python3 -c 'import numpy' 2>/dev/null; then
    quietly env -i PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$source/bindings/python" \
        python3 -c 'import cleave; print(cleave.library_path)'
    grep -q libcleave log || {
        echo "Python found another library:"
        cat log
        exit 1
    }
    echo "ok import cleave"
else
    echo "skipped import cleave: numpy is not installed"
fi
cd /
quietly "$cmake" -DMANIFEST="$scratch/manifest" -P "$source/cmake/uninstall.cmake"
! known || {
    echo "after uninstalling the loader still knows the library"
    exit 1
}
echo "ok uninstalled"
