#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# install.sh CMAKE BUILD SOURCE CC - the installed files work for other projects, also after they
# are moved.
#
# Installs into one folder, moves it to another, and from there builds and runs the example
# through find_package (shared, static) and pkg-config (shared, static); then checks that
# program, manual pages and licence are in place and nothing names the build tree, that DESTDIR
# works, and that uninstalling takes away what was installed and nothing else.
set -eu
cmake=$1
build=$2
source=$3
cc=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/moved
graph=$source/examples/data/grid.graph

quietly() {
    "$@" >"$scratch/log" 2>&1 || {
        echo "failed: $*"
        cat "$scratch/log"
        exit 1
    }
}

# run NAME COMMAND...: the example must print a cut.
run() {
    name=$1
    shift
    quietly "$@"
    grep -q '^cut ' "$scratch/log" || {
        echo "$name: the example did not print its cut:"
        cat "$scratch/log"
        exit 1
    }
    echo "ok $name"
}

# journeys FOLDER: the examples of docs/guide run there; tests/examples looks at what they say.
journeys() {
    (cd "$scratch" && quietly "$1/decompose" "$graph" 4 parts.4 && quietly "$1/place_ranks" &&
        quietly "$1/tasks" 4 && quietly "$1/adapt" "$graph")
    [ "$(wc -l <"$scratch/parts.4")" = 96 ] || {
        echo "decompose did not write 96 parts"
        exit 1
    }
    echo "ok examples of the guide"
}

# announced WORDS: where the loader has a cache, the last installing said so.
announced() {
    PATH=$PATH:/usr/sbin:/sbin command -v ldconfig >/dev/null || return 0
    grep -q "^-- Loader: .*$1" "$scratch/log" || {
        echo "installing does not say what the loader needs:"
        tail -n 5 "$scratch/log"
        exit 1
    }
}

quietly "$cmake" --install "$build" --prefix "$scratch/first"
announced "LD_LIBRARY_PATH=$scratch/first/lib"
mv "$scratch/first" "$prefix"
pkgconfig=$(dirname "$(find "$prefix" -name cleave.pc)")
libdir=$(dirname "$pkgconfig")

# ---- Through find_package -----------------------------------------------------------

for kind in cleave shared static; do
    quietly "$cmake" -S "$source/examples" -B "$scratch/use-$kind" -DCMAKE_C_COMPILER="$cc" \
        -DCMAKE_PREFIX_PATH="$prefix" -DCLEAVE_TARGET=cleave::$kind
    quietly "$cmake" --build "$scratch/use-$kind"
    run "find_package cleave::$kind" "$scratch/use-$kind/slices" "$graph" 4
    # Both lines have the same number of iterations; the program itself compares the solutions.
    quietly "$scratch/use-$kind/pcg" 40
    if [ "$(sed -n 's/.*iterations \([0-9]*\), residual [0-9.]*e-[01][0-9],.*/\1/p' "$scratch/log" |
        sort | uniq -c | sed 's/^ *2 [1-9].*/same/')" != same ]; then
        echo "pcg prints something else:"
        cat "$scratch/log"
        exit 1
    fi
    journeys "$scratch/use-$kind"
done
if readelf -d "$scratch/use-static/slices" | grep -q libcleave; then
    echo "cleave::static needs libcleave.so"
    exit 1
fi
if ! readelf -d "$scratch/use-shared/slices" | grep -q 'NEEDED.*libcleave\.so\.0'; then
    echo "cleave::shared does not need libcleave.so.0"
    exit 1
fi

# Without the component MPI is not searched; with it the example runs on all ranks.
if [ -f "$prefix/include/cleave/cleave_mpi.h" ]; then
    if grep -q '^MPI_' "$scratch/use-cleave/CMakeCache.txt"; then
        echo "find_package(cleave) looks for MPI"
        exit 1
    fi
    quietly "$cmake" -S "$source/examples/mpi" -B "$scratch/use-mpi" -DCMAKE_C_COMPILER="$cc" \
        -DCMAKE_PREFIX_PATH="$prefix"
    quietly "$cmake" --build "$scratch/use-mpi"
    if ! readelf -d "$scratch/use-mpi/halo" | grep -q 'NEEDED.*libcleave-mpi\.so\.0'; then
        echo "cleave::mpi does not need libcleave-mpi.so.0"
        exit 1
    fi
    quietly "$scratch/use-mpi/halo" 20
    echo "ok find_package cleave::mpi"
else
    echo "skipped cleave::mpi: it was built without MPI"
fi
if readelf -d "$prefix/bin/cleave" "$libdir/libcleave.so" | grep -q 'NEEDED.*mpi'; then
    echo "cleave or libcleave needs MPI"
    exit 1
fi

# ---- Through pkg-config --------------------------------------------------------------

if command -v pkg-config >/dev/null; then
    export PKG_CONFIG_PATH="$pkgconfig"
    # shellcheck disable=SC2046 # flags are words
    quietly "$cc" -o "$scratch/slices" "$source/examples/slices.c" \
        $(pkg-config --cflags --libs cleave)
    run "pkg-config" env LD_LIBRARY_PATH="$libdir" "$scratch/slices" "$graph" 4
    mkdir "$scratch/use-pkg-config"
    for name in decompose place_ranks pcg tasks adapt; do
        # shellcheck disable=SC2046
        quietly "$cc" -o "$scratch/use-pkg-config/$name" "$source/examples/$name.c" \
            $(pkg-config --cflags --libs cleave) -lm
    done
    (LD_LIBRARY_PATH=$libdir && export LD_LIBRARY_PATH && journeys "$scratch/use-pkg-config")
    # shellcheck disable=SC2046
    quietly "$cc" -static -o "$scratch/slices-static" "$source/examples/slices.c" \
        $(pkg-config --static --cflags --libs cleave)
    run "pkg-config --static" "$scratch/slices-static" "$graph" 4
    if pkg-config --exists cleave-mpi && command -v mpicc >/dev/null; then
        # shellcheck disable=SC2046
        quietly mpicc -o "$scratch/halo" "$source/examples/mpi/halo.c" \
            $(pkg-config --cflags --libs cleave-mpi)
        quietly env LD_LIBRARY_PATH="$libdir" "$scratch/halo" 20
        echo "ok pkg-config cleave-mpi"
    fi
    if command -v gfortran >/dev/null; then
        (cd "$scratch" && quietly gfortran -c "$(pkg-config --variable=fortran cleave)/cleave.f90" &&
            quietly gfortran -o partition_mesh \
                "$(pkg-config --variable=examples cleave)/partition_mesh.f90" cleave.o \
                -L"$libdir" -lcleave -Wl,-rpath,"$libdir" &&
            quietly ./partition_mesh "$graph" 4 fortran.4)
        echo "ok the Fortran module"
    else
        echo "skipped the Fortran module: gfortran is not installed"
    fi
    header_version=$(sed -n 's/^#define CLEAVE_VERSION "\(.*\)"$/\1/p' "$source/include/cleave/status.h")
    if [ "$(pkg-config --modversion cleave)" != "$header_version" ]; then
        echo "cleave.pc has version $(pkg-config --modversion cleave), not $header_version"
        exit 1
    fi
else
    echo "skipped pkg-config: it is not installed"
fi

# ---- The rest ------------------------------------------------------------------------

if ! "$prefix/bin/cleave" --version >"$scratch/log" 2>&1; then
    echo "the installed program does not run:"
    cat "$scratch/log"
    exit 1
fi
for header in "$source"/include/cleave/*.h; do
    if [ ! -f "$prefix/include/cleave/$(basename "$header")" ]; then
        echo "$(basename "$header") was not installed"
        exit 1
    fi
done
for file in share/man/man1/cleave.1 \
    share/doc/cleave/examples/decompose.c share/doc/cleave/examples/partition_mesh.f90 \
    share/cleave/fortran/cleave.f90 share/doc/cleave/LICENSE share/bash-completion/completions/cleave; do
    if [ ! -f "$prefix/$file" ]; then
        echo "$file was not installed"
        exit 1
    fi
done
for page in "$source"/docs/man/*.[1-9]; do
    if [ "$(basename "$page")" = cleave-mpi.1 ] && [ ! -f "$prefix/bin/cleave-mpi" ]; then
        continue
    fi
    if [ ! -f "$prefix/share/man/man${page##*.}/$(basename "$page")" ]; then
        echo "$(basename "$page") was not installed"
        exit 1
    fi
done
for file in libcleave.a libcleave.so libcleave.so.0; do
    if [ ! -e "$libdir/$file" ]; then
        echo "$file was not installed"
        exit 1
    fi
done
if grep -rlI -e "$build" -e "$scratch/first" "$prefix"; then
    echo "these files name the build tree or the first prefix"
    exit 1
fi
echo "ok program, manual, completion, licence"

# ---- DESTDIR and uninstalling ----------------------------------------------------------

export DESTDIR="$scratch/stage"
quietly "$cmake" --install "$build" --prefix /opt/tools
announced 'run ldconfig once /opt/tools/lib'
cp "$build/install_manifest.txt" "$scratch/manifest"
staged=$scratch/stage/opt/tools
if [ "$(cd "$staged" && find . | sort)" != "$(cd "$prefix" && find . | sort)" ]; then
    echo "below DESTDIR there is something else than below a prefix"
    exit 1
fi
soname=$(readelf -d "$staged/${libdir#"$prefix"/}/libcleave.so" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
if [ "$soname" != libcleave.so.0 ]; then
    echo "the soname is '$soname'"
    exit 1
fi
touch "$staged/bin/somebody-elses"
quietly "$cmake" -DMANIFEST="$scratch/manifest" -P "$source/cmake/uninstall.cmake"
left=$(cd "$staged" && find . -type f -o -type l -o -name cleave)
if [ "$left" != ./bin/somebody-elses ]; then
    echo "uninstalling leaves $left"
    exit 1
fi
echo "ok DESTDIR, soname, uninstall"
