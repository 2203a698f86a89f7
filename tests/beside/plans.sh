# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154
#
# Sourced by the scripts here, which set `runner` and `host`.
fail() { printf '%s\n' "$@"; exit 1; }

# needs TOOL...: the test is skipped where one of them is missing.
needs() {
    local tool
    for tool; do command -v "$tool" >/dev/null || { echo "no $tool here"; exit 77; }; done
}

# says STATUS RANKS LIMIT [VARIABLE...] -- COMMAND...: all that is said is left in `output`.
says() {
    local status=$1 got=0
    output=$(bash "$runner" "$host" "${@:2}" 2>&1) || got=$?
    [[ $got -eq $status ]] || fail "$output" "status $got and not $status: ${*:4}"
}

# plans RANKS LIMIT [VARIABLE...] -- COMMAND...: of tests/fortran/sums_c.c, which finds its sums right,
# and whose 4 allreduces of 60 rounds have all run on plans.
plans() {
    says 0 "$1" "$2" MPIX_STATS=1 "${@:3}"
    grep -A 1 '^Allreduce ' <<<"$output" | grep -q ' starts  *240 ' ||
        fail "$output" "not 240 starts of plans: ${*:3}"
}

# sentences TIMES PATTERN: in `output`.
sentences() {
    [[ $(grep -c -- "$2" <<<"$output") -eq $1 ]] || fail "$output" "not $1 times: $2"
}
