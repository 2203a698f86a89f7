#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# leaks.sh [openmpi] [mpich]: looks for memory that the library loses, on two ranks. Needs a build
# (scripts/build.sh --all) and valgrind. First ten thousand requests are made and freed under valgrind:
# every lost block and every invalid access with libmpix in its stack is printed and counts as
# wrong, but for those inside the host's own init and finalize. Then a million rounds of Start and
# Wait must not make a process grow. The last line is "N wrong".
set -u
cd "$(dirname "$0")/.."
command -v valgrind >/dev/null || { echo "leaks.sh needs valgrind" >&2; exit 1; }

hosts=("$@")
if [ ${#hosts[@]} -eq 0 ]; then
    for host in openmpi mpich; do [ -x "build/$host/tests/mpi/leaks" ] && hosts+=("$host"); done
fi
[ ${#hosts[@]} -gt 0 ] || { echo "leaks.sh: nothing is built, run scripts/build.sh --all" >&2; exit 1; }
reports=$(mktemp -d)
trap 'rm -rf "$reports"' EXIT

wrong=0
for host in "${hosts[@]}"; do
    program=build/$host/tests/mpi/leaks
    echo "$host: ten thousand requests under valgrind"
    if ! bash scripts/mpirun-test.sh "$host" 2 600 -- valgrind --quiet --leak-check=full \
        --show-leak-kinds=definite,indirect,possible --num-callers=40 \
        --log-file="$reports/$host.%p" "$program" >"$reports/output" 2>&1; then
        cat "$reports/output"
        wrong=$((wrong + 1))
    fi
    bash scripts/valgrind-records.sh "$reports/$host".* >"$reports/records"
    cut -c1-160 "$reports/records"
    wrong=$((wrong + $(grep -c '^----' "$reports/records")))

    echo "$host: a million rounds"
    bash scripts/mpirun-test.sh "$host" 2 600 -- "$program" 1000000 || wrong=$((wrong + 1))
done
echo "$wrong wrong"
[ "$wrong" -eq 0 ]
