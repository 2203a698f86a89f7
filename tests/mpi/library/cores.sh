#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# cores.sh RUNNER HOST MPIX_INFO: ranks know how many cores they share, also where they are bound,
# by themselves or within scripts that do not exec them; and no core counts that their launcher may
# not use, though whoever started that may. Ranks that are sessions of their own know that too, where
# the kernel shares cores out among sessions.
set -u
runner=$1 host=$2 info=$3
unset OMP_NUM_THREADS OMP_THREAD_LIMIT # nproc follows them
all=$(nproc)
((all > 1)) && command -v taskset >/dev/null || exit 77
first=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
bound=(taskset -c "$first")
wrapped=(bash -c '"$@"; exit $?' wrapper)

# expect CORES RANKS COMMAND...: run as `launcher` says.
launcher=()
expect() {
    local wanted="$1 for $2" said
    said=$("${launcher[@]}" bash "$runner" "$host" "${2% *}" 20 -- "${@:3}" 2>&1)
    grep -qE "^  this node  +$wanted$" <<<"$said" && return
    printf '%s\nis not "%s": %s\n' "$said" "$wanted" "${*:3}"
    exit 1
}
expect "$all cores" '2 ranks' "$info"
expect "$all cores" '2 ranks' "${bound[@]}" "$info"
expect "$all cores" '2 ranks' "${bound[@]}" "${wrapped[@]}" "$info"
expect "$all cores" '2 ranks' "${wrapped[@]}" "${bound[@]}" "${wrapped[@]}" "${wrapped[@]}" "$info"
launcher=("${bound[@]}")
expect '1 core' '1 rank' "$info"
expect '1 core' '1 rank' "${wrapped[@]}" "$info"

ranks=$((all + 1))
apart='yields, then sleeps, as each rank is a session of its own'
alone=(setsid -w)
[[ $(cat /proc/sys/kernel/sched_autogroup_enabled 2>/dev/null) == 1 ]] || apart=yields
together=yields
[[ $host == openmpi ]] || together=$apart
expect_waits() {
    said=$(bash "$runner" "$host" "$ranks" 30 -- "${@:2}" 2>&1)
    grep -qE "^  a rank that waits  +$1$" <<<"$said" && return
    printf '%s\nis not "%s": %s\n' "$said" "$1" "${*:2}"
    exit 1
}
expect_waits "$together" "$info"
expect_waits "$together" "${wrapped[@]}" "$info"
expect_waits "$apart" "${alone[@]}" "$info"
expect_waits "$apart" "${alone[@]}" "${wrapped[@]}" "$info"
