#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# installed.sh HOST BUILD WAY: installs the build of a host into a folder of its own, and builds and runs
# a program of a few lines through one of the ways in which others find it: pkg-config, mpixcc, mpixcxx,
# mpixfort, cmake, cmake-wrapper, autoconf, modules. Skipped (77) where the tool is not there.
set -eu
host=$1 build=$2 way=$3
here=$(cd "$(dirname "$0")" && pwd)
run=$here/../../scripts/mpirun-test.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

need() { # COMMAND...
    for tool; do
        type -P "$tool" >/dev/null || { echo "skipped: no $tool" && exit 77; }
    done
}

# Everything finds its kin by relative paths; the rest is told where the prefix has gone.
DESTDIR=$work/root meson install -C "$build" --no-rebuild --quiet >/dev/null
prefix=$work/root$(meson introspect "$build" --buildoptions |
    python3 -c 'import json, sys; print({o["name"]: o["value"] for o in json.load(sys.stdin)}["prefix"])')
library=$(find "$prefix" -path "*/mpix/$host/libmpix.so")
library=${library%/*}
export PATH=$prefix/bin:$PATH MPIX_HOST_MPI=$host
unset LD_LIBRARY_PATH # where the build is

# mpi.h alone is included: the names come from mpixcc. The others include mpix/mpix.h.
program() { # HEADER FILE
    cat >"$2" <<PROGRAM
#include <$1>
int main(int argc, char** argv) {
    int rank, size, sum = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce_init(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    const int has_plan = MPIX_Plan_name(request) != 0;
    MPI_Request_free(&request);
    MPI_Finalize();
    return !(has_plan && sum == size * (size - 1) / 2);
}
PROGRAM
}
run() { # PROGRAM
    for ranks in 1 2 3; do "$run" "$host" "$ranks" 20 -- "$1"; done
    # It finds the library that it was linked with, and no other.
    ldd "$1" | grep -q "=> $library/libmpix.so"
}

cmake_project() { # FILE LINES...: a project in the folder work
    printf '%s\n' 'cmake_minimum_required(VERSION 3.18)' 'project(app C)' "$@" >"$work/CMakeLists.txt"
}

case $way in
pkg-config)
    need pkg-config
    program mpix/mpix.h "$work/app.c"
    export PKG_CONFIG_PATH=$library/../../pkgconfig
    # shellcheck disable=SC2046
    cc "$work/app.c" -o "$work/app" \
        $(pkg-config --define-variable=prefix="$prefix" --cflags --libs "mpix-$host")
    run "$work/app"
    ;;
mpixcc)
    program mpi.h "$work/app.c"
    # As probes do, which put libraries before objects, and as distributions link.
    mpixcc -Wl,--as-needed -Wall -Werror -pedantic "$work/app.c" -o "$work/app"
    run "$work/app"
    mpixcc -c "$work/app.c" -o "$work/app.o"
    mpixcc "$work/app.o" -o "$work/app2"
    run "$work/app2"
    for asked in "-show $work/app.c" -show; do
        # shellcheck disable=SC2086
        told=$(mpixcc $asked)
        [[ $told == *"-L$library "*-lmpix*-lmpi* && $told == *"/include/mpix/wrapped"* ]] ||
            { echo "mpixcc $asked: $told" && exit 1; }
    done
    if [ "$host" = mpich ]; then
        mpixcc -link_info | grep -qE "^[^ ]*(cc|gcc) -L$library .*-lmpich"
    fi
    ! MPIX_HOST_MPI=none mpixcc "$work/app.c" 2>"$work/said"
    grep -q "there is no host 'none'" "$work/said"
    ;;
extension) # a module that an interpreter loads, as mpi4py is: nothing of MPI is there before it
    program mpi.h "$work/app.c"
    mpixcc -Wl,--as-needed -fPIC -shared "$work/app.c" -o "$work/module.so"
    printf '%s\n' 'import ctypes, sys' 'name = (ctypes.c_char_p * 2)(b"app", None)' \
        'arguments = ctypes.cast(name, ctypes.POINTER(ctypes.c_char_p))' \
        'sys.exit(ctypes.CDLL(sys.argv[1]).main(1, arguments))' >"$work/app.py"
    for ranks in 1 2 3; do "$run" "$host" "$ranks" 20 -- python3 "$work/app.py" "$work/module.so"; done
    ;;
mpixcxx)
    program mpi.h "$work/app.cpp"
    mpixcxx -Wl,--as-needed -Wall "$work/app.cpp" -o "$work/app"
    run "$work/app"
    ;;
mpixfort)
    for module in mpi_f08 mpi; do
        [ "$module" = mpi ] && kind=integer ours=mpix || kind='type(MPI_Request)' ours=mpix_f08
        printf '%s\n' 'program app' "  use $module" "  use $ours" '  implicit none' \
            '  integer, asynchronous :: mine(1), total(1)' '  integer :: ranks, ierror' \
            "  $kind :: request" '  logical :: has_plan' '  call MPI_Init(ierror)' \
            '  call MPI_Comm_rank(MPI_COMM_WORLD, mine(1), ierror)' \
            '  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)' \
            '  call MPI_Allreduce_init(mine, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, &' \
            '                          MPI_INFO_NULL, request, ierror)' \
            "  has_plan = MPIX_Plan_name(request) /= ''" '  call MPI_Start(request, ierror)' \
            '  call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)' \
            '  call MPI_Request_free(request, ierror)' '  call MPI_Finalize(ierror)' \
            '  if (.not. has_plan .or. total(1) /= ranks * (ranks - 1) / 2) stop 1' \
            'end program app' >"$work/app.f90"
        mpixfort -Wl,--as-needed "$work/app.f90" -o "$work/app"
        run "$work/app"
    done
    ;;
cmake)
    need cmake
    program mpix/mpix.h "$work/app.c"
    cmake_project 'find_package(mpix 99 QUIET)' 'if(mpix_FOUND)' '  message(FATAL_ERROR "too old")' \
        'endif()' 'find_package(mpix 0.1 REQUIRED)' 'add_executable(app app.c)' \
        'target_link_libraries(app mpix::mpix)'
    CMAKE_PREFIX_PATH=$prefix cmake -S "$work" -B "$work/made" -DMPI_C_COMPILER="mpicc.$host" >/dev/null
    cmake --build "$work/made" >/dev/null
    run "$work/made/app"
    # What is not said is found.
    CMAKE_PREFIX_PATH=$prefix MPIX_HOST_MPI='' cmake -S "$work" -B "$work/unsaid" \
        -DMPI_C_COMPILER="mpicc.$host" >/dev/null
    cmake --build "$work/unsaid" >/dev/null
    run "$work/unsaid/app"
    # Of one MPI, and libmpix of another.
    [ "$host" = mpich ] && other=openmpi || other=mpich
    if CMAKE_PREFIX_PATH=$prefix MPIX_HOST_MPI=$other cmake -S "$work" -B "$work/torn" \
        -DMPI_C_COMPILER="mpicc.$host" >"$work/said" 2>&1; then exit 1; fi
    grep -q "MPIX_HOST_MPI is $other, and" "$work/said"
    ;;
cmake-wrapper)
    need cmake
    program mpi.h "$work/app.c"
    cmake_project 'include(CheckSymbolExists)' 'find_package(MPI REQUIRED)' \
        'file(WRITE probe.c "#include <mpi.h>\nint main(void) { return MPI_Allreduce_init == 0; }\n")' \
        'try_compile(HAS_IT ${CMAKE_BINARY_DIR}/probe SOURCES ${CMAKE_SOURCE_DIR}/probe.c' \
        '            LINK_LIBRARIES MPI::MPI_C)' \
        'set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)' \
        'check_symbol_exists(MPI_Psend_init mpi.h HAS_PSEND)' \
        'if(NOT HAS_IT OR NOT HAS_PSEND)' '  message(FATAL_ERROR "probes: ${HAS_IT} ${HAS_PSEND}")' 'endif()' \
        'add_executable(app app.c)' 'target_link_libraries(app MPI::MPI_C)'
    cd "$work" # file(WRITE) is of the folder of sources
    cmake -S "$work" -B "$work/made" -DMPI_C_COMPILER="$prefix/bin/mpixcc" >/dev/null
    cmake --build "$work/made" >/dev/null
    run "$work/made/app"
    # And as the compiler of everything.
    cmake -S "$work" -B "$work/other" -DCMAKE_C_COMPILER="$prefix/bin/mpixcc" >/dev/null
    cmake --build "$work/other" >/dev/null
    run "$work/other/app"
    ;;
autoconf)
    need autoconf
    cd "$work"
    program mpi.h app.c
    printf '%s\n' 'AC_INIT([app], [1])' 'AC_PROG_CC' \
        'AC_CHECK_FUNC([MPI_Allreduce_init], [], [AC_MSG_ERROR([no Allreduce_init])])' \
        'AC_CHECK_FUNC([MPI_Psend_init], [], [AC_MSG_ERROR([no Psend_init])])' \
        'AC_CHECK_DECL([MPIX_Pbcast_init], [], [AC_MSG_ERROR([no declarations])], [[#include <mpi.h>]])' \
        'AC_CONFIG_FILES([Makefile])' 'AC_OUTPUT' >configure.ac
    printf 'app: app.c\n\t@CC@ @CFLAGS@ app.c -o app\n' >Makefile.in
    autoconf
    ./configure CC=mpixcc >/dev/null
    make --quiet app
    run "$work/app"
    ;;
modules) # Environment Modules, or Lmod, which cannot be installed beside it
    command=/usr/lib/x86_64-linux-gnu/modulecmd.tcl
    [ -e "$command" ] || command=/usr/share/lmod/lmod/libexec/lmod
    need "$command"
    PATH=${PATH#*:}
    # They say where packages are installed, and this one has been moved.
    cp -r "$prefix/share/modulefiles" "$work/modulefiles"
    before=${prefix#"$work/root"}
    sed -i "s# prefix $before\$# prefix $prefix#; s#= \"$before\"#= \"$prefix\"#" "$work"/modulefiles/mpix/*
    eval "$(MODULEPATH=$work/modulefiles "$command" bash load mpix)"
    [ "$(type -P mpixcc)" = "$prefix/bin/mpixcc" ]
    program mpi.h "$work/app.c"
    mpixcc "$work/app.c" -o "$work/app"
    run "$work/app"
    pkg-config --exists "mpix-$host"
    ;;
*)
    echo "installed.sh: unknown way $way" >&2
    exit 64
    ;;
esac
