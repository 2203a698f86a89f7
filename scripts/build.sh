#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# build.sh [--all] [openmpi] [mpich]: builds for the named hosts, or for each that is found, and
# leaves build/<host>/libmpix.so, tools and examples; with --all tests and benchmarks too. Tests that
# need no host are built for the first one.
set -eu
cd "$(dirname "$0")/.."
targets=(users)
[ "${1-}" != --all ] || { targets=(all hostless) && shift; }
bash scripts/install.sh

hosts=("$@")
if [ ${#hosts[@]} -eq 0 ]; then
    for host in openmpi mpich; do
        command -v "mpicc.$host" >/dev/null && hosts+=("$host")
    done
fi
[ ${#hosts[@]} -gt 0 ] || { echo "No MPI found: neither mpicc.openmpi nor mpicc.mpich" >&2; exit 1; }

for host in "${hosts[@]}"; do
    [ -f "build/$host/build.ninja" ] || meson setup "build/$host" -Dmpi="$host" >/dev/null
    ninja -C "build/$host" --quiet "${targets[@]}"
    [ "${targets[0]}" != all ] || targets=(all)
    echo "built build/$host/libmpix.so"
done
