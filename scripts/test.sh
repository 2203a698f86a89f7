#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# test.sh [openmpi] [mpich]: builds and runs every test on every host. The last line is
# "N passed, N failed". Failed tests are listed with their output.
set -eu
cd "$(dirname "$0")/.."
bash scripts/build.sh --all "$@"

hosts=("$@")
if [ ${#hosts[@]} -eq 0 ]; then
    for host in openmpi mpich; do [ -d "build/$host" ] && hosts+=("$host"); done
fi

passed=0 failed=0
for host in "${hosts[@]}"; do
    echo "testing on $host"
    # One at a time: the MPI tests bring their own ranks. The plan and node tiers need no host: once is enough.
    suites=()
    [ "$host" = "${hosts[0]}" ] || suites=(--no-suite plan --no-suite node)
    meson test -C "build/$host" --no-rebuild --num-processes 1 --print-errorlogs "${suites[@]}" \
        >"build/$host/test.log" 2>&1 </dev/null || true
    count() { grep -E "^$1: *[0-9]+" "build/$host/test.log" | tail -n 1 | grep -oE '[0-9]+' || echo 0; }
    ok=$(count Ok)
    bad=$(($(count Fail) + $(count Timeout) + $(count 'Unexpected Pass')))
    if [ "$((ok + bad))" -eq 0 ]; then
        cat "build/$host/test.log"
        bad=1
    elif [ "$bad" -gt 0 ]; then
        # What passed says nothing: what failed, with its output, and the names once more at the end.
        grep -vE '^ *[0-9]+/[0-9]+ .* OK +[0-9.]+s *$' "build/$host/test.log" | tail -n 400
    fi
    passed=$((passed + ok)) failed=$((failed + bad))
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
