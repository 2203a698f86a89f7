#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Runs one program on several hosts of a bed of its own (bed.sh), with a time limit, and leaves
# neither process nor bed behind. Returns 77, and says why, where a machine permits none.
#
#   between-test.sh [--tell-left] HOST HOSTS RANKS_EACH LIMIT_SECONDS [NAME=VALUE...] -- program...
#
# With --tell-left it names the processes that are there two seconds after the end of the launcher.
# BED_SHM is the size of the hosts' /dev/shm.
set -u
tells_left=false
[[ ${1-} != --tell-left ]] || { tells_left=true && shift; }
bed=$(dirname "$(readlink -f "$0")")/bed.sh
if [[ $# -lt 6 ]]; then
    sed -n '4,11p' "$0" | sed 's/^# \{0,1\}//' >&2
    exit 64
fi
host=$1 hosts=$2 each=$3 limit=$4
shift 4
[[ $host != abi ]] || host=${MPIX_ABI_HOST:-mpich}
export BED=t$$
bash "$bed" permitted || exit

sweep() {
    bash "$bed" down
    rm -f "$log"
}
log=
trap sweep EXIT
trap 'exit 130' INT TERM HUP

bash "$bed" up "$hosts" || exit
list=$(seq -s , -f "h%g:$each" "$hosts")
log=$(mktemp)
# Tests take the host's blocking calls for right, but coll/han of Open MPI 6 loses data between nodes where
# a datatype has gaps (docs/hosts.md).
timeout -k 5 "$limit" bash "$bed" "$host" "$list" -n $((hosts * each)) OMPI_MCA_coll=^han "$@" </dev/null >"$log" 2>&1 &
wait $!
status=$?
$tells_left && sleep 2 && for space in $(ip netns list | awk '{ print $1 }' | grep "^$BED-"); do
    for process in $(ip netns pids "$space"); do
        [[ $(<"/proc/$process/stat") == *') Z '* ]] || echo "LEFT: $process $(<"/proc/$process/comm")"
    done
done >>"$log" 2>/dev/null
cat "$log"
[[ $status -ne 124 ]] || echo "TIMEOUT: no end after $limit s: $host, $hosts hosts of $each ranks: $*"
exit "$status"
