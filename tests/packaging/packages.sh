#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# packages.sh [FOLDER]: builds and runs the examples on both hosts out of the installed Debian packages.
# With a folder it installs them from there before, and purges them in the end, of which nothing may be
# left: scripts/packages.sh does so in a chroot. The last line is "N passed, N failed".
#
# shellcheck disable=SC2317 # functions are called by check
set -u
folder=${1-}
ours=(libmpix-openmpi libmpix-mpich mpix-tools libmpix-dev python3-mpix mpix-doc)
needed=(cmake gfortran libmpich-dev libopenmpi-dev make man-db mpich openmpi-bin pkgconf
        python3-numpy)
examples=/usr/share/doc/mpix-doc/examples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_MCA_pml=ob1 OMPI_MCA_btl_base_warn_component_unused=0 OMPI_MCA_plm_rsh_agent=/bin/false
export DEBIAN_FRONTEND=noninteractive

passed=0 failed=0
check() { # NAME COMMAND...
    local name=$1 output status
    shift
    output=$(set -e && "$@" 2>&1 </dev/null)
    status=$?
    if [ "$status" -eq 0 ]; then
        echo "passed: $name"
        passed=$((passed + 1))
    else
        printf 'FAILED: %s\n%s\n' "$name" "$output"
        failed=$((failed + 1))
    fi
}
finish() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
    exit
}

# ---- installing and purging ----

install_packages() {
    local package files=()
    for package in "${ours[@]}"; do files+=("$folder/${package}"_*.deb); done
    apt-get update && apt-get install -y --no-install-recommends "${needed[@]}" "${files[@]}"
}
installed_files() { dpkg -L "${ours[@]}" | sort -u; }
purge_one() {
    apt-get purge -y libmpix-openmpi # with what depends on it
    stands_before MPICH mpix-info
}
purge_all() {
    dpkg --purge "${ours[@]}"
    while IFS= read -r file; do
        [[ -d $file || ! -e $file && ! -L $file ]] || { echo "left: $file" && return 1; }
    done <"$work/files"
    # Links of alternatives, folders, what dpkg keeps of a package.
    local left
    left=$(find / -xdev -name '*mpix*' -not -path '/packages*')
    echo "$left"
    [ -z "$left" ]
}

# ---- building and running ----

stands_before() { "$2" | grep "^host: $1"; } # WHAT THE HOST SAYS, COMMAND
mpix_run() { # HOST RANKS PROGRAM ARGUMENTS...: whose answer is right, and which has plans
    local host=$1 ranks=$2 more=()
    shift 2
    [ "$host" != openmpi ] || more=(--oversubscribe)
    timeout -k 5 90 mpix-run --stats -n "$ranks" "${more[@]}" "$@" >"$work/output" 2>&1 ||
        { cat "$work/output" && return 1; }
    cat "$work/output"
    grep -qE '^right$|largest error' "$work/output" && grep -q '^mpix: ' "$work/output" &&
        ! grep -q 'no plans' "$work/output"
}
run_cg() { mpix_run "$1" "$2" "$3" "$examples/diffusion.mtx" 2; } # HOST RANKS PROGRAM
compile_cg() { "$@" "$examples"/{cg,halo,matrix}.c -lm; } # COMPILER OPTIONS...
has_mpix_names() { # HOST
    "mpicc.$1" -include mpi.h -include mpi-ext.h -E -x c /dev/null 2>&1 | grep -q MPIX_Allreduce_init
}
compile_heat() { # PROGRAM COMPILER OPTIONS...
    local program=$1
    shift
    mkdir -p "$program.modules"
    "$@" -J "$program.modules" "$examples/heat_problem.F90" "$examples/${program##*/}.F90" -o "$program"
}
is_linked() { ldd "$2" | grep "=> /usr/lib/.*/mpix/$1/libmpix.so"; } # HOST PROGRAM
by_pkg_config() { # HOST PROGRAM
    # shellcheck disable=SC2046
    cc "$examples/gravity.c" -o "$2" $(pkg-config --cflags --libs "mpix-$1") -lm
    is_linked "$1" "$2"
}
by_cmake() { # HOST PROGRAM
    local project=$work/project.$1
    mkdir "$project"
    printf '%s\n' 'cmake_minimum_required(VERSION 3.18)' 'project(app C)' 'find_package(mpix REQUIRED)' \
        "add_executable(app $examples/gravity.c)" 'target_link_libraries(app mpix::mpix m)' \
        >"$project/CMakeLists.txt"
    cmake -S "$project" -B "$project/made" -DMPI_C_COMPILER="mpicc.$1"
    cmake --build "$project/made"
    cp "$project/made/app" "$2"
    is_linked "$1" "$2"
}
has_pages() {
    local page
    for page in /usr/share/man/man*/*mpix*; do man -w "$(basename "${page%%.*}")" || return; done
    man -w mpix
}

if [ -n "$folder" ]; then
    check 'the packages are installed' install_packages
    [ "$failed" -eq 0 ] || finish
    installed_files >"$work/files"
fi
check 'mpix-info.openmpi' stands_before 'Open MPI' mpix-info.openmpi
check 'mpix-info.mpich' stands_before MPICH mpix-info.mpich
check 'mpix-info is that of Open MPI' stands_before 'Open MPI' mpix-info
for host in openmpi mpich; do
    check "$host: mpicc compiles cg" compile_cg "mpicc.$host" -o "$work/cg"
    names=() # Open MPI 4.1 has others
    ! has_mpix_names "$host" || names=(-DMPIX_NAMES)
    check "$host: mpifort compiles heat" compile_heat "$work/heat" "mpifort.$host" "${names[@]}"
    check "$host: mpixfort compiles heat_partitions" \
        compile_heat "$work/heat_partitions" mpixfort --host-mpi "$host"
    check "$host: mpixcc compiles cg" compile_cg mpixcc --host-mpi "$host" -o "$work/linked"
    check "$host: cg is linked" is_linked "$host" "$work/linked"
    check "$host: pkg-config" by_pkg_config "$host" "$work/found"
    check "$host: CMake" by_cmake "$host" "$work/made"
    for ranks in 2 3; do
        check "$host: cg, preloaded, on $ranks" run_cg "$host" "$ranks" "$work/cg"
        check "$host: heat, preloaded, on $ranks" mpix_run "$host" "$ranks" "$work/heat" 64 200
        check "$host: heat_partitions on $ranks" mpix_run "$host" "$ranks" "$work/heat_partitions" 64 200
        check "$host: cg, linked, on $ranks" run_cg "$host" "$ranks" "$work/linked"
    done
    check "$host: built with pkg-config, on 2" mpix_run "$host" 2 "$work/found" 1 1 2
    check "$host: built with CMake, on 2" mpix_run "$host" 2 "$work/made" 1 1 2
done
for ranks in 2 3; do # the MPI of Debian's mpi4py
    check "Python: jacobi on $ranks" mpix_run openmpi "$ranks" /usr/bin/python3 "$examples/jacobi.py"
done
check 'mpix-simulate' mpix-simulate --help
check 'manual pages' has_pages
if [ -n "$folder" ]; then
    check 'without Open MPI mpix-info is that of MPICH' purge_one
    check 'what is purged is gone' purge_all
fi
finish
