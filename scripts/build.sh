#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# build.sh [--all] [openmpi] [mpich] [abi]: builds for the named hosts, or for each that is found, and
# leaves build/<host>/libmpix.so, tools and examples; with --all tests and benchmarks too. abi is any
# host with the ABI of MPI 5: build/abi/libmpix_abi.so.
set -eu
cd "$(dirname "$0")/.."
targets=(users)
[ "${1-}" != --all ] || { targets=() && shift; }
bash scripts/install.sh

hosts=("$@")
if [ ${#hosts[@]} -eq 0 ]; then
    for host in openmpi mpich; do
        command -v "mpicc.$host" >/dev/null && hosts+=("$host")
    done
    ! sh scripts/abi-flags.sh 2>/dev/null || hosts+=(abi)
fi
[ ${#hosts[@]} -gt 0 ] || { echo "No MPI found: neither mpicc.openmpi nor mpicc.mpich" >&2; exit 1; }

for host in "${hosts[@]}"; do
    [ -f "build/$host/build.ninja" ] || meson setup "build/$host" -Dmpi="$host" >/dev/null
    ninja -C "build/$host" --quiet "${targets[@]}"
    echo "built $(ls build/"$host"/libmpix*.so)"
done
