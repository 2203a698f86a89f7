#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs what is missing, builds for every host MPI found, and runs the examples on each of them:
# the conjugate gradients and the heat equation bare and under libmpix, those of partitioned
# communication, which do everything with and without partitions. Prints answers and times side by
# side; returns non-zero if an answer is wrong, missing, or not the same with libmpix as without.
set -euo pipefail
cd "$(dirname "$0")/.."

limit=90       # seconds that one run may take
agreement=1e-8 # relative: the order of a sum may differ, and conjugate gradients amplify that
unset LD_PRELOAD
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failures=0

# Sets `program`, with its arguments, and `rounds`: bare and mpix in turn, the quickest of each
# counts. MPICH only spins, also when ranks outnumber cores: it gets less to do then.
choose_work() {
    local host=$1 ranks=$2 name=$3 solves=5 steps=5000
    rounds=3
    [[ $host == mpich && $ranks -gt $(nproc) ]] && solves=1 steps=200 rounds=1
    program=("build/$host/examples/$name")
    case $name in
    cg) program+=(examples/diffusion.mtx "$solves") ;;
    heat) program+=(64 "$steps") ;;
    esac
}

figure() { awk -v name="$1" '$1 == name { print $2 }' "$log"; }

# Sets `answer` and `seconds`; answer is empty unless the program itself found it right.
run() {
    local host=$1 ranks=$2 status=0
    shift 2
    bash scripts/mpirun-test.sh "$host" "$ranks" "$limit" "$@" >"$log" 2>&1 || status=$?
    answer=$(awk '/^(iterations|norm|decay|ratio) / { printf "%s%s %s", comma, $1, $2
                                                      comma = ", " }' "$log")
    seconds=$(figure seconds)
    if [[ $status -ne 0 ]] || ! grep -qx right "$log" || grep -q 'cannot be preloaded' "$log"; then
        echo "status $status from: $host, $ranks ranks: $*" >&2
        tail -n 20 "$log" >&2
        answer='' seconds=''
    fi
}

smaller() { awk -v a="$1" -v b="$2" 'BEGIN { print (b == "" || a < b) ? a : b }'; }

ratio() {
    awk -v a="$1" -v b="$2" 'BEGIN { print (a > 0 && b > 0) ? sprintf("%.2f", a / b) : "-" }'
}

row() { printf '%-8s %5s  %-7s  %-32s  %-32s %10s %10s %6s  %s\n' "$@"; }
parts_row() { printf '%-8s %5s  %-9s %10s %10s %6s  %s\n' "$@"; }

# Iterations may differ a little where the last residual is a close call, the other figures only by
# rounding.
agree() {
    awk -v a="$1" -v b="$2" -v agreement="$agreement" 'BEGIN {
        if (a == "" || b == "") exit 1
        n = split(a, x, /[ ,]+/)
        if (split(b, y, /[ ,]+/) != n) exit 1
        for (i = 2; i <= n; i += 2) {
            difference = x[i] > y[i] ? x[i] - y[i] : y[i] - x[i]
            if (difference > (x[i - 1] == "iterations" ? 2 : agreement * x[i])) exit 1
        }
    }'
}

compare() {
    local host=$1 ranks=$2 name=$3 bare='' ours='' bare_seconds='' our_seconds='' verdict=''
    local program rounds round
    choose_work "$host" "$ranks" "$name"
    for ((round = 0; round < rounds; ++round)); do
        run "$host" "$ranks" -- "${program[@]}"
        bare=$answer bare_seconds=$(smaller "$seconds" "$bare_seconds")
        run "$host" "$ranks" "LD_PRELOAD=$PWD/build/$host/libmpix.so" -- "${program[@]}"
        ours=$answer our_seconds=$(smaller "$seconds" "$our_seconds")
        agree "$bare" "$ours" || { verdict=DIFFERENT && break; }
    done
    [[ -n $bare && -n $ours ]] || verdict=FAILED
    [[ -z $verdict ]] || failures=$((failures + 1))
    row "$host" "$ranks" "$name" "${bare:-none}" "${ours:-none}" "${bare_seconds:--}" \
        "${our_seconds:--}" "$(ratio "$our_seconds" "$bare_seconds")" "$verdict"
}

# The quickest of three runs; each is itself the quickest of some repetitions, one way and the other
# in turn.
compare_parts() {
    local host=$1 ranks=$2 name=$3 whole='' parts='' verdict='' round
    for ((round = 0; round < 3; ++round)); do
        run "$host" "$ranks" -- "build/$host/examples/$name"
        [[ -n $answer ]] || { verdict=FAILED && failures=$((failures + 1)) && break; }
        whole=$(smaller "$(figure whole)" "$whole") parts=$(smaller "$(figure parts)" "$parts")
    done
    parts_row "$host" "$ranks" "$name" "${whole:--}" "${parts:--}" "$(ratio "$parts" "$whole")" \
        "$verdict"
}

bash scripts/build.sh
echo
row host ranks program 'answer, bare' 'answer, with mpix' 's, bare' 's, mpix' ratio ''
hosts=()
for host in openmpi mpich; do
    command -v "mpirun.$host" >/dev/null && [[ -e build/$host/libmpix.so ]] && hosts+=("$host")
done
((${#hosts[@]} > 0)) || { echo 'demo.sh: no host MPI with a built libmpix' >&2 && exit 1; }
for host in "${hosts[@]}"; do
    for ranks in 2 4; do
        for name in cg heat; do compare "$host" "$ranks" "$name"; done
    done
done
echo
echo 'Seconds: cg, the quickest solve; heat, all steps; the least of up to three runs.'
echo 'Ratio: mpix / bare.'
echo
parts_row host ranks program 's, whole' 's, parts' ratio ''
for host in "${hosts[@]}"; do
    for ranks in 2 4; do
        for name in fft storm gradients; do compare_parts "$host" "$ranks" "$name"; done
    done
done
echo
echo 'Seconds: with libmpix, all communicated when all is computed (whole), or as partitions (parts).'
echo 'Ratio: parts / whole.'
((failures == 0)) || { echo "$failures comparison(s) failed" >&2 && exit 1; }
