#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# test.sh [--full | --minutes N] [openmpi] [mpich] [abi]: builds everything and runs on every host what a
# change needs, the suite quick. With --full all other tests follow; with --minutes N those pieces
# of them that begin within N minutes. The last line is "N passed, N failed". Failed tests are listed
# with their output, pieces that had no time by name.
set -eu
cd "$(dirname "$0")/.."
minutes=
case ${1-} in
--full) minutes=1000000 && shift ;;
--minutes) minutes=${2:?a number of minutes} && shift 2 ;;
esac
bash scripts/build.sh --all "$@"
bash scripts/install.sh python3-mpi4py python3-numpy python3-setuptools python3-pip

hosts=("$@")
if [ ${#hosts[@]} -eq 0 ]; then
    for host in openmpi mpich abi; do [ ! -d "build/$host" ] || hosts+=("$host"); done
fi

# The one library for the ABI is tested on each host that has it, as a setup of its tests.
tested=()
for host in "${hosts[@]}"; do
    if [ "$host" = abi ]; then
        for folder in build/abi/standard/hosts/*; do tested+=("abi:${folder##*/}"); done
    else
        tested+=("$host")
    fi
done

count() { # LOG OUTCOME
    grep -E "^$2: *[0-9]+" "$1" | tail -n 1 | grep -oE '[0-9]+' || echo 0
}

passed=0 failed=0 skipped=0
run() { # HOST PIECE [options of meson test...]
    local host=$1 piece=$2 build=build/${1%:*} setup=() ok bad idle
    local log=$build/test-$2-${1#*:}.log
    shift 2
    [ "$build" != build/abi ] || setup=(--setup "${host#*:}")
    echo "testing on $host: $piece"
    # What has one process runs two at a time, and first; the others bring their own ranks.
    meson test -C "$build" --no-rebuild --num-processes 2 --print-errorlogs "${setup[@]}" "$@" \
        >"$log" 2>&1 </dev/null || true
    ok=$(count "$log" Ok)
    bad=$(($(count "$log" Fail) + $(count "$log" Timeout) + $(count "$log" 'Unexpected Pass')))
    idle=$(count "$log" Skipped)
    if [ "$((ok + bad + idle))" -eq 0 ]; then
        cat "$log"
        bad=1
    elif [ "$bad" -gt 0 ]; then
        # What passed says nothing: what failed, with its output, and the names once more at the end.
        grep -vE '^ *[0-9]+/[0-9]+ .* OK +[0-9.]+s *$' "$log" | tail -n 400
    fi
    passed=$((passed + ok)) failed=$((failed + bad)) skipped=$((skipped + idle))
}

late=()
run_others() { # PIECE [options of meson test...]
    local piece=$1 host
    shift
    for host in "${tested[@]}"; do
        if [ "$SECONDS" -ge "$((minutes * 60))" ]; then
            late+=("$piece on $host")
        else
            run "$host" "$piece" --no-suite quick "$@"
        fi
    done
}

# The plan and node tiers need no host: once is enough.
run "${tested[0]}" quick --suite quick
for host in "${tested[@]:1}"; do
    run "$host" quick --suite quick --no-suite plan --no-suite node
done
# No piece takes more than a quarter of an hour.
if [ -n "$minutes" ]; then
    bash scripts/install.sh iproute2 cmake autoconf environment-modules || true
    bash scripts/install.sh chromium sphinx-common python3-sphinx python3-myst-parser furo || true
    run_others mpi --suite mpi --no-suite modes
    run_others rest --no-suite mpi --no-suite between
    run_others between --suite between
    run_others modes --suite modes
fi
for piece in "${late[@]}"; do echo "no time for $piece"; done
[ "$skipped" -eq 0 ] || echo "$skipped skipped, of what this machine does not permit"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
