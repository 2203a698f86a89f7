#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# sanitize.sh address|thread [HOST...]: builds library and tests with the address and undefined-
# behaviour sanitizers, or with the thread sanitizer, in build/<host>-<sanitizer>, runs the tests and
# prints what is reported. What two processes do to an edge, the thread sanitizer sees of two
# threads. The hosts themselves are not instrumented: what only they know of is listed, with the
# reason, in tests/sanitizers/. Returns non-zero if a report or a failed test is left.
set -eu
cd "$(dirname "$0")/.."
bash scripts/install.sh
sanitizer=${1:?address or thread}
shift
case $sanitizer in
address) flags=address,undefined ;;
thread) flags=thread ;;
*) echo "sanitize.sh: unknown sanitizer '$sanitizer' (address, thread)" >&2 && exit 64 ;;
esac
hosts=("$@")
[ ${#hosts[@]} -gt 0 ] || hosts=(openmpi mpich)

suppressions=$PWD/tests/sanitizers
# A leak is valgrind's business (leaks.sh): the hosts' own would drown ours here.
export ASAN_OPTIONS=detect_leaks=0:abort_on_error=0:exitcode=99
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1:exitcode=99
# UCX's hooks into mmap run on threads that the sanitizer has not begun or has ended already.
export UCX_MEM_EVENTS=n
export TSAN_OPTIONS=suppressions=$suppressions/thread.txt:exitcode=99:ignore_noninstrumented_modules=1
# One program of every kind; the sizes and ranks of the ordinary tests would take an hour. Under the
# thread sanitizer only what has threads says anything.
programs=(bundles bundles_errors bundles_order channels_bundles channels_completion channels_data
          channels_errors channels_matching channels_slack collectives_counts collectives_in_place
          collectives_types communicators communicators_errors completion_mixed completion_ours
          completion_single errors_agreement errors_arguments errors_use flattening generalized
          intercommunicators intercommunicators_movement intercommunicators_reductions
          neighbours_graph neighbours_grid pairs_completion pairs_data pairs_early pairs_empty
          pairs_errors pairs_matching pairs_truncation pairs_withdrawn partitioned_chain
          partitioned_completion partitioned_data partitioned_early partitioned_errors
          partitioned_neighbours partitioned_preparation partitioned_reductions
          partitioned_requests point_to_point point_to_point_ends point_to_point_matching progress
          rebind rebind_channels rebind_errors rebind_partitioned reductions_predefined
          reductions_user semantics_lifetime semantics_order shared_memory shared_memory_pace tags)
plain=(tests/plan/plan_tests tests/fuzz/fuzz)
node_cases=()
if [ "$sanitizer" = thread ]; then
    programs=() plain=()
    node_cases=("two threads*,two sides*,threads *,a block is not used again*")
fi

failures=0
run() { # HOST RANKS [NAME=VALUE...] -- program
    local host=$1 ranks=$2
    shift 2
    if ! bash scripts/mpirun-test.sh "$host" "$ranks" 300 MPIX_TEST_LIMIT=280 "$@" >"$log" 2>&1; then
        failures=$((failures + 1))
        echo "FAILED: $host, $ranks ranks: $*"
        grep -vE '^-+$' "$log" | head -n 60
    fi
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
for host in "${hosts[@]}"; do
    build=build/$host-$sanitizer
    [ -f "$build/build.ninja" ] ||
        meson setup "$build" -Dmpi="$host" -Db_sanitize="$flags" -Db_lundef=false \
            -Dexamples=false >/dev/null
    ninja -C "$build" --quiet libmpix.so tests/shmem/node_tests tests/mpi/threads \
        tests/mpi/{pairs,partitioned}_threads tests/mpi/partitioned_twice "${plain[@]}" \
        "${programs[@]/#/tests/mpi/}" tests/mpi/errors_checked
    "$build/tests/shmem/node_tests" "${node_cases[@]}" >"$log" 2>&1 ||
        { failures=$((failures + 1)) && tail -n 60 "$log"; }
    if [ "$sanitizer" = address ]; then
        "$build/tests/plan/plan_tests" >"$log" 2>&1 ||
            { failures=$((failures + 1)) && tail -n 40 "$log"; }
        for ranks in 1 2 3; do
            run "$host" "$ranks" -- "$build/tests/fuzz/fuzz" --seed "$ranks" --count 100
        done
    fi
    for program in "${programs[@]}"; do run "$host" 3 -- "$build/tests/mpi/$program"; done
    [ "$sanitizer" = thread ] || run "$host" 3 MPIX_CHECK=1 -- "$build/tests/mpi/errors_checked"
    for ranks in 1 2 3; do
        run "$host" "$ranks" -- "$build/tests/mpi/threads"
        run "$host" "$ranks" MPIX_ASYNC_PROGRESS=1 -- "$build/tests/mpi/threads"
        run "$host" "$ranks" -- "$build/tests/mpi/pairs_threads"
        run "$host" "$ranks" -- "$build/tests/mpi/partitioned_twice"
    done
    for ranks in 1 2; do
        for level in funneled serialized multiple; do
            run "$host" "$ranks" "MPIX_TEST_THREADS=$level" -- \
                "$build/tests/mpi/partitioned_threads" 3
        done
    done
    echo "$host, $sanitizer: $failures failed so far"
done
[ "$failures" -eq 0 ]
