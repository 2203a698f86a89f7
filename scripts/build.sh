#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# build.sh [openmpi] [mpich]: builds for the named hosts, or for each that is found, and leaves
# build/<host>/libmpix.so.
set -eu
cd "$(dirname "$0")/.."
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
    ninja -C "build/$host" --quiet
    echo "built build/$host/libmpix.so"
done
