#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# setup.sh SOURCE - what tools/setup asks apt for on a machine that has nothing, what it says
# before, and that CLEAVE_SETUP=0 keeps it from asking.
#
# apt-get is a script that writes down its arguments and answers as apt does; PATH has nothing
# else but the tools of every Debian.
set -eu
source=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" "$scratch/tools"
cp "$source/tools/setup" "$scratch/tools"
for tool in awk cat dirname env grep mkdir mktemp printf rm sed sh tail tr; do
    ln -s "$(command -v $tool)" "$scratch/bin/$tool"
done
script() { # NAME: the text comes from standard input
    { echo '#!/bin/sh' && cat; } >"$scratch/bin/$1"
    chmod +x "$scratch/bin/$1"
}
echo 'echo 0' | script id
echo 'exit 1' | script dpkg-query
script apt-get <<END
echo "\$*" >>"$scratch/asked"
case "\$*" in
*--assume-no*)
    echo '0 upgraded, 14 newly installed, 0 to remove and 3 not upgraded.'
    echo 'Need to get 12.3 MB of archives.'
    echo 'After this operation, 45.6 MB of additional disk space will be used.'
    exit 1
    ;;
esac
END

# setup STATUS TASK [NAME=VALUE]: its exit status; what it says is in said, what apt heard in asked.
setup() {
    wanted=$1
    task=$2
    shift 2
    rm -rf "$scratch/asked" "$scratch/build"
    : >"$scratch/asked"
    status=0
    env -i PATH="$scratch/bin" CC="$scratch/bin/cc" CLEAVE_PYTHON=false "$@" \
        sh "$scratch/tools/setup" "$task" >"$scratch/said" 2>&1 || status=$?
    [ $status = "$wanted" ] || complain "tools/setup $task $*: status $status, not $wanted"
}

complain() {
    echo "$*"
    echo "--- said:" && cat "$scratch/said"
    echo "--- apt was asked:" && cat "$scratch/asked"
    exit 1
}

asked() {
    grep -q -e "install.* $1" "$scratch/asked"
}

# Nothing is there, and apt installs nothing: the task fails for what it cannot do without.
setup 1 build
asked cmake || complain "cmake is not installed"
! asked '[a-z]*mpi' || complain "make run installs an MPI"
grep -q 'setup: installing 14 packages, 12.3 MB to download, 45.6 MB on disk' "$scratch/said" ||
    complain "sizes are not announced"
grep -q 'setup: error: cmake is missing' "$scratch/said" || complain "cmake is not missed"
setup 1 test
asked libopenmpi-dev || complain "make test installs no MPI"
asked python3-wheel || complain "make test installs no wheel for the Python package"

setup 1 build CLEAVE_SETUP=0
[ ! -s "$scratch/asked" ] || complain "CLEAVE_SETUP=0 asks apt"
grep -q 'setup: libhwloc-dev is missing: ' "$scratch/said" || complain "nothing is said of libhwloc-dev"

# With what is required: what is optional is missed, but not in vain.
for tool in cc make cmake; do
    case $tool in
    # shellcheck disable=SC2016 # for the script
    cc) echo 'case $(cat) in *stdio*) exit 0 ;; *) exit 1 ;; esac' | script cc ;;
    *) echo 'exit 0' | script $tool ;;
    esac
done
setup 0 build CLEAVE_SETUP=0
[ ! -s "$scratch/asked" ] || complain "CLEAVE_SETUP=0 asks apt"
grep -q 'setup: zlib1g-dev is missing: ' "$scratch/said" || complain "nothing is said of zlib1g-dev"
setup 0 build
asked zlib1g-dev || complain "optional packages are not installed"
setup 2 nonsense
echo "ok tools/setup"
