# SPDX-License-Identifier: BSD-3-Clause
#
# For scripts of this folder to read in, which have $run (between-test.sh), $host, $program and $failed:
# runs the program on a bed, and counts what it prints.

# lines LEAST MOST TEXT HOSTS RANKS_EACH LIMIT [NAME=VALUE...]: leaves what was printed in $output. Ends
# with 77 where a machine permits no bed.
lines() {
    local least=$1 most=$2 text=$3 hosts=$4 ranks=$5 limit=$6 found
    shift 6
    output=$(bash "$run" "$host" "$hosts" "$ranks" "$limit" MPIX_VERBOSE=plan "$@" -- "$program" 2>&1)
    case $? in
    0) ;;
    77) printf '%s\n' "$output" && exit 77 ;;
    *) tail -n 40 <<<"$output" && failed=1 && return ;;
    esac
    found=$(grep -c "$text" <<<"$output")
    [ "$found" -ge "$least" ] && [ "$found" -le "$most" ] && return
    printf '%s lines with "%s" on %s hosts of %s, and not %s to %s: %s\n' \
        "$found" "$text" "$hosts" "$ranks" "$least" "$most" "$*"
    failed=1
}
