# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# tools/clean-root.sh - for scripts that run tests in a clean root: the smallest one of the Debian
# release that runs here, made by debootstrap from the mirror that apt uses here.
#
# A script sets `root` (where the root is to be; nothing else lies there), `out` (a folder
# for logs) and `me` (its name), and sources this file. Exit status 77: a tool is missing, and the
# test was skipped.

skip() {
    echo "$me: skipped: $*"
    exit 77
}

stop() {
    echo "$me: $*"
    exit 1
}

# root_needs TOOL...: skips unless a root can be created here and these programs are installed.
root_needs() {
    local tool
    PATH=$PATH:/usr/sbin:/sbin
    for tool in debootstrap unshare chroot "$@"; do
        command -v "$tool" >/dev/null || skip "$tool is missing (tools/setup ci installs it)"
    done
    [ "$(id -u)" = 0 ] || skip "only root can make a root"
    unshare --mount true 2>/dev/null || skip "no mount namespaces here"
    release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
    mirror=$(origins | awk -v release="$release" '$2 == release { print $1; exit }')
    [ -n "$mirror" ] || skip "apt knows no mirror of Debian $release; apt-get update may help"
    proxy=$(apt-config dump --format '%v%n' Acquire::http::Proxy)
    [ -z "$proxy" ] || export http_proxy="$proxy"
}

# Lines "URI SUITE COMPONENT" of Debian's own among the sources of apt.
origins() {
    apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' \
        'Created-By: Packages' 'Origin: Debian' | grep -E "^[^ ]+ $release(-updates|-security)? main$" | sort -u
}

# Begins to make the root, in a mount namespace of its own, so that nothing stays mounted when it
# is interrupted; the root goes away when the script ends.
start_root() {
    trap remove_root EXIT
    rm -rf --one-file-system "$root"
    unshare --mount debootstrap --variant=minbase "$@" "$release" "$root" "$mirror" \
        >"$out/debootstrap.log" 2>&1 &
    bootstrap=$!
}

remove_root() {
    wait
    rm -rf --one-file-system "$root"
}

# Waits for the root, and tells its apt where packages are.
finish_root() {
    wait $bootstrap || {
        tail -n 5 "$out/debootstrap.log"
        if grep -q -i -e retriev -e download -e 'getting release' <(tail -n 3 "$out/debootstrap.log"); then
            skip "the mirror of apt cannot be reached"
        fi
        stop "debootstrap failed; $out/debootstrap.log has all it said"
    }
    origins | sed 's/^/deb /' >"$root/etc/apt/sources.list"
    echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io" # the root does not outlive us
    echo 'APT::Install-Recommends "false"; Acquire::Retries "3";' >"$root/etc/apt/apt.conf.d/90clean-root"
}

# inside COMMAND...: in the root, where /proc, /sys and shared memory are; mounts end with the
# command.
inside() {
    # shellcheck disable=SC2016 # for the inner shell
    unshare --mount sh -c 'root=$1; shift
        mount -t proc proc "$root/proc" 2>/dev/null || true
        mount -t sysfs sysfs "$root/sys" 2>/dev/null || true
        mkdir -p "$root/dev/shm"
        mount -t tmpfs tmpfs "$root/dev/shm" 2>/dev/null || true
        exec chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
            DEBIAN_FRONTEND=noninteractive http_proxy="${http_proxy:-}" LC_ALL=C.UTF-8 "$@"' \
        sh "$root" "$@" </dev/null
}

quietly() {
    "$@" >"$out/step.log" 2>&1 || {
        tail -n 30 "$out/step.log"
        stop "failed: $*"
    }
}
