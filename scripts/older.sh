#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# older.sh FOLDER: runs programs that know MPI alone with the libraries in FOLDER/HOST/libmpix.so,
# which were built with an older version of the same hosts. The last line is "N passed, N failed".
# Call scripts/build.sh --all before; scripts/hosts.sh calls this.
set -u
cd "$(dirname "$0")/.."
folder=${1:?a folder of builds}
passed=0 failed=0
for host in openmpi mpich; do
    library=$folder/$host/libmpix.so
    [ -f "$library" ] && [ -d "build/$host/tests" ] || continue
    tests=build/$host/tests
    for program in "$tests"/mpi/pass_through "$tests"/fortran/sums_* "$tests"/hostbugs/*; do
        [ -f "$program" ] && [ -x "$program" ] || continue
        case ${program##*/} in
        empty_receive | grid_group | handler_leaves | nonblocking_edges | session_reduction) continue ;; # what no libmpix mends
        esac
        for ranks in 1 2 3; do
            if output=$(bash scripts/mpirun-test.sh "$host" "$ranks" 30 "LD_PRELOAD=$library" -- \
                "$PWD/$program" 2>&1); then
                passed=$((passed + 1))
            else
                failed=$((failed + 1))
                printf '%s, %s ranks, with %s:\n%s\n' "$program" "$ranks" "$library" "$output"
            fi
        done
    done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
