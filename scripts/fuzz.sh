#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# fuzz.sh [--minutes N] [--programs N] [--seed S] [--host H] [--ranks R] [--batch N]
#         [NAME=VALUE...] [option of the fuzzer...]
#
# Runs random programs under libmpix, on every host and at 1 to 6 ranks or on those that are named,
# until the time (1 minute) is over or so many have run. The seeds run on from S (default: the time
# of day). A program that fails is shrunk, and printed with the one command that repeats it.
# Variables and options of the fuzzer (tests/fuzz/main.cpp) hold for every run; without variables,
# batches differ in MPIX_PLAN and others, and in the thread level, and some are traced: then each
# round in the trace has an end and each message has two. The last line is "N programs, M failed".
set -u
cd "$(dirname "$0")/.."

minutes=1 most=0 seed=$(date +%s) hosts=() ranks=(1 2 3 4 5 6) batch=25 variables=() options=() given=0
while [ $# -gt 0 ]; do
    case $1 in
    --minutes) minutes=$2; shift ;;
    --programs) most=$2; shift ;;
    --seed) seed=$2; shift ;;
    --host) hosts+=("$2"); shift ;;
    --ranks) ranks=("$2"); shift ;;
    --batch) batch=$2; shift ;;
    --*) options+=("$1"); [[ ${2-} =~ ^[0-9,]+$ ]] && { options+=("$2"); shift; } ;;
    *=*) variables+=("$1"); given=1 ;;
    *) sed -n '4,14s/^# \{0,1\}//p' "$0" >&2; exit 64 ;;
    esac
    shift
done
for number in "$minutes" "$most" "$seed" "$batch" "${ranks[@]}"; do
    [[ $number =~ ^[0-9]+$ ]] || { echo "fuzz.sh: $number is no whole number" >&2; exit 64; }
done

# FUZZ_PROGRAM_DIR: where the programs are, as fuzz.<host>, or as fuzz for one host.
program_of() { # HOST
    local directory=${FUZZ_PROGRAM_DIR:-build/$1/tests/fuzz}
    [ -x "$directory/fuzz.$1" ] && echo "$directory/fuzz.$1" || echo "$directory/fuzz"
}
[ -n "${FUZZ_PROGRAM_DIR-}" ] || bash scripts/build.sh --all "${hosts[@]}" || exit 1
if [ ${#hosts[@]} -eq 0 ]; then
    for host in openmpi mpich; do [ -x "$(program_of "$host")" ] && hosts+=("$host"); done
fi
[ ${#hosts[@]} -gt 0 ] || { echo "fuzz.sh: no fuzzer is built" >&2; exit 1; }

# What a batch adds to its runs, by its number: mostly nothing.
trees=bcast_binomial,gather_binomial,scatter_binomial,allgather_bruck,alltoall_bruck,reduce_binomial
trees+=,allreduce_recursive_doubling,reduce_scatter_recursive_halving
pipelines=bcast_chain,scan_chain,exscan_chain,gather_linear,scatter_linear,allgather_ring
pipelines+=,alltoall_pairwise
pipelines+=,reduce_scatter_gather,allreduce_ring,reduce_scatter_pairwise
spreads=bcast_scatter_allgather,allgather_linear,alltoall_linear,allreduce_rabenseifner
spreads+=,reduce_scatter_ring
aggregates=allgather_pat,reduce_scatter_pat
trace=$(mktemp)
trap 'rm -f "$trace"' EXIT
vary() { # BATCH: sets environment, extra and traced
    environment=("${variables[@]}") extra=("${options[@]}") traced=0
    [ "$given" -eq 1 ] && return
    case $(($1 * 7 % 17)) in
    1 | 2) environment=("MPIX_PLAN=$trees") ;;
    3 | 4) environment=("MPIX_PLAN=$pipelines") ;;
    5 | 6) environment=("MPIX_PLAN=$spreads") ;;
    7) environment=(MPIX_PLAN=delegate) ;;
    8) environment=(MPIX_CHECK=1) ;;
    9) environment=(MPIX_TAG_LIMIT=20) ;;
    10) extra+=(--multiple) ;;
    11) environment=(MPIX_ASYNC_PROGRESS=1) extra+=(--multiple) ;;
    12) environment=("MPIX_PLAN=$aggregates") ;;
    13 | 14) environment=("MPIX_TRACE=$trace" MPIX_TRACE_EVENTS=2000000) traced=1 ;;
    esac
}

limit=20 # seconds of one program
run() { # SECONDS fuzz-option...: one run in the present setting
    local seconds=$1
    shift
    bash scripts/mpirun-test.sh "$host" "$rank_count" "$seconds" "${environment[@]}" -- \
        "$(program_of "$host")" "$@" "${extra[@]}" 2>&1
}
show() { # fuzz-option...: the program as it is generated in the present setting
    env "${environment[@]}" "$(program_of "$host")" --ranks "$rank_count" "${extra[@]}" "$@"
}

tries=1
fails() { # SEED ITEM...: whether one of the tries fails with these items left out
    local skipped try
    skipped=$(IFS=, && echo "${*:2}")
    for ((try = 0; try < tries; try++)); do
        run 30 --seed "$1" --limit 6 --skip "$skipped" >/dev/null || return 0
    done
    return 1
}

# Leaves out ever smaller parts of what is left, as long as it still fails.
shrink() { # SEED: sets skipped
    local seed=$1 items left chunk at part size until=$((SECONDS + 90))
    read -ra items <<<"$(show --seed "$seed" --items)"
    skipped=() left=("${items[@]}")
    chunk=$(((${#left[@]} + 1) / 2))
    while [ "$chunk" -ge 1 ] && [ $SECONDS -lt $until ]; do
        at=0
        while [ "$at" -lt "${#left[@]}" ] && [ $SECONDS -lt $until ]; do
            part=("${left[@]:at:chunk}") size=${#left[@]}
            if fails "$seed" "${skipped[@]}" "${part[@]}"; then
                skipped+=("${part[@]}")
                left=("${left[@]:0:at}" "${left[@]:at+chunk}")
            fi
            [ "${#left[@]}" -eq "$size" ] && at=$((at + chunk))
        done
        [ "$chunk" -eq 1 ] && break
        chunk=$(((chunk + 1) / 2))
    done
}

report() { # SEED OUTPUT
    local seed=$1 list command
    erase_progress
    echo "FAILED: seed $seed on $host, $rank_count ranks${environment[*]:+, ${environment[*]}}"
    grep -a "seed $seed, rank" <<<"$2" | head -n 8 | cut -c1-600
    skipped=() tries=1
    fails "$seed" && fails "$seed" || tries=4 # what does not fail every time
    if [ $tries -eq 1 ] || fails "$seed"; then
        shrink "$seed"
        list=$(IFS=, && echo "${skipped[*]}")
        command="bash scripts/mpirun-test.sh $host $rank_count 60 ${environment[*]} -- "
        command+="$(program_of "$host") --seed $seed ${list:+--skip $list} ${extra[*]}"
        echo "  repeat: $command"
        echo "  what is left of the program:"
        show --seed "$seed" --skip "$list" --print
        run 30 --seed "$seed" --limit 6 --skip "$list" | grep -a "seed $seed, rank" | head -n 3 |
            cut -c1-600
    else
        echo "  does not repeat alone. The batch: bash scripts/mpirun-test.sh $host $rank_count" \
            "$((batch * limit)) ${environment[*]} -- $(program_of "$host") --seed $first" \
            "--count $batch ${extra[*]}"
    fi
}

check_trace() {
    local output
    output=$(python3 -B tests/mpi/library/trace.py "$trace" "$rank_count" any=1 2>&1) && return
    failed=$((failed + 1))
    erase_progress
    echo "FAILED: the trace of seeds $next to $last on $host, $rank_count ranks"
    tail -n 8 <<<"$output" | cut -c1-600
}

# MPICH tells of datatypes that are left.
check_leaks() { # OUTPUT
    local told
    told=$(grep -a 'leaked handle' <<<"$1") || return
    failed=$((failed + 1))
    erase_progress
    echo "FAILED: seeds $next to $last on $host, $rank_count ranks${environment[*]:+, ${environment[*]}}"
    head -n 3 <<<"$told"
}

# Runs the rest of a batch after each program that ends the run.
run_batch() {
    local next=$first last=$((first + batch - 1)) output at
    while [ "$next" -le "$last" ]; do
        output=$(run $((batch * limit)) --seed "$next" --count $((last - next + 1)) --limit "$limit")
        local status=$?
        for at in $(grep -aoE '^seed [0-9]+ failed' <<<"$output" | grep -oE '[0-9]+'); do
            failed=$((failed + 1))
            report "$at" "$output"
        done
        if [ "$status" -le 1 ] && grep -qa ' programs, ' <<<"$output"; then
            [ "$traced" -eq 0 ] || check_trace
            check_leaks "$output"
            break
        fi
        at=$(grep -aoE '^seed [0-9]+$' <<<"$output" | tail -n 1 | grep -oE '[0-9]+')
        if [ -z "$at" ]; then
            erase_progress
            echo "no program ran on $host, $rank_count ranks: $output"
            exit 1
        fi
        failed=$((failed + 1))
        report "$at" "$output"
        next=$((at + 1))
        is_over && break
    done
    programs=$((programs + batch))
}

# A line on the terminal, rewritten in its place: what is done, and how long the rest will take.
show_progress() {
    [ -t 2 ] || return
    local seconds=$((minutes * 60 - SECONDS)) by_programs
    if [ "$most" -gt 0 ] && [ "$programs" -gt 0 ]; then
        by_programs=$((SECONDS * (most - programs) / programs))
        seconds=$((by_programs < seconds ? by_programs : seconds))
    fi
    printf '\r\033[K%d programs done, %d failed, now %s on %d ranks, about %d s left' \
        "$programs" "$failed" "$host" "$rank_count" "$((seconds > 0 ? seconds : 0))" >&2
}
erase_progress() { [ ! -t 2 ] || printf '\r\033[K' >&2; }

is_over() { [ $SECONDS -ge $((minutes * 60)) ] || [ "$most" -gt 0 -a "$programs" -ge "$most" ]; }

programs=0 failed=0 first=$seed batches=$((seed / batch % 17))
SECONDS=0
while ! is_over; do
    for rank_count in "${ranks[@]}"; do
        for host in "${hosts[@]}"; do
            is_over && break 3
            vary "$batches"
            show_progress
            run_batch
        done
        first=$((first + batch)) batches=$((batches + 1))
    done
done
erase_progress
echo "$programs programs, $failed failed"
[ "$failed" -eq 0 ]
