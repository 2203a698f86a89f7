#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Several hosts on one machine, to run programs between nodes: network, UTS, IPC and mount namespaces
# on one bridge. Needs root.
#
#   bed.sh permitted                    whether this machine lets one: says why not, and returns 77
#   bed.sh up N                         hosts h1..hN, and h0 where launchers run
#   bed.sh openmpi h1:2,h2:2 -n 4 [NAME=VALUE...] -- CMD...    under mpirun.openmpi, TCP between hosts
#   bed.sh mpich   h1:2,h2:2 -n 4 [NAME=VALUE...] -- CMD...    under mpirun.mpich, UCX over TCP
#   bed.sh down                         with whatever still runs there
#
# Each host has its name, its /dev/shm and its boot id, by which processes tell machines apart, and one
# core, or BED_CORES, which it shares with others where there are more hosts than cores. Ranks that share
# cores, of one host or of several, give them up while they wait, which they cannot know of other hosts;
# the others do not. The variables reach the ranks alone. BED names the bed, of which a machine may have
# several; BED_SHM is the size of their /dev/shm.
set -euo pipefail
bed=${BED:-mpix}
cores_each=${BED_CORES:-1}
dir=/run/mpix-bed.$bed
me=$(readlink -f "$0")

enter() { # HOST CMD...
    local host=$1 all first=0 last
    shift
    all=$(nproc --all)
    last=$((all - 1))
    if [ "$host" != h0 ]; then
        first=$(((${host#h} - 1) % (all > cores_each ? all / cores_each : 1) * cores_each))
        last=$((first + cores_each - 1))
    fi
    exec taskset -c "$first-$last" ip netns exec "$bed-$host" unshare -u -m -i bash -c '
        dir=$1 host=$2; shift 2
        hostname "$host"; mount -t tmpfs -o size="${BED_SHM:-2g}" tmpfs /dev/shm
        [ -e /etc/hosts ] || : >/etc/hosts
        mount --bind "$dir/hosts" /etc/hosts
        mount --bind "$dir/boot.$host" /proc/sys/kernel/random/boot_id
        exec "$@"' bed "$dir" "$host" "$@"
}

share_cores() { # HOST:RANKS,...
    local hosts i most=0
    IFS=, read -ra hosts <<<"$1"
    for i in "${hosts[@]}"; do
        [[ $i == *:* && ${i#*:} -gt most ]] && most=${i#*:}
    done
    ((most > cores_each || ${#hosts[@]} * cores_each > $(nproc --all)))
}

launch() { # LAUNCHER... : the rest of the arguments are those of the user
    local launcher=("$@") arguments=() variables=()
    [ "$yields" = 0 ] || variables=(MPIX_YIELD=1)
    set -- "${given[@]}"
    while [ "$#" -gt 0 ] && [ "$1" != -- ]; do
        case $1 in
        *=*) variables+=("$1") ;;
        *) arguments+=("$1") ;;
        esac
        shift
    done
    [ "$#" -gt 1 ] || { echo "bed.sh: no program" >&2 && exit 64; }
    shift
    enter h0 "${launcher[@]}" "${arguments[@]}" env "${variables[@]}" "$@"
}

case ${1-} in
permitted)
    if [ "$(id -u)" -ne 0 ] || ! command -v ip >/dev/null; then
        echo "bed.sh: it needs root, and the package iproute2"
        exit 77
    fi
    if ! why=$(ip netns add "$bed-try" 2>&1 && ip -n "$bed-try" link add br0 type bridge 2>&1 &&
        unshare -u -m -i true 2>&1); then
        ip netns del "$bed-try" 2>/dev/null || true
        echo "bed.sh: this machine permits no network namespaces: $why"
        exit 77
    fi
    ip netns del "$bed-try"
    ;;
up)
    hosts=${2:?how many hosts}
    mkdir -p "$dir"
    ip netns add "$bed-switch"
    ip -n "$bed-switch" link add br0 type bridge
    ip -n "$bed-switch" link set br0 up
    echo '127.0.0.1 localhost' >"$dir/hosts"
    for i in $(seq 0 "$hosts"); do
        ip netns add "$bed-h$i"
        ip -n "$bed-h$i" link set lo up
        ip -n "$bed-switch" link add "p$i" type veth peer name eth0 netns "$bed-h$i"
        ip -n "$bed-switch" link set "p$i" master br0 up
        ip -n "$bed-h$i" addr add "10.77.0.$((i + 1))/24" dev eth0
        ip -n "$bed-h$i" link set eth0 up
        echo "10.77.0.$((i + 1)) h$i" >>"$dir/hosts"
        cat /proc/sys/kernel/random/uuid >"$dir/boot.h$i"
    done
    ;;
down)
    for space in $(ip netns list | awk '{ print $1 }' | grep -E "^$bed-(h[0-9]+|switch)$"); do
        ip netns pids "$space" | xargs -r kill -KILL 2>/dev/null || true
        ip netns del "$space"
    done
    rm -rf "$dir"
    ;;
agent) # what the launchers call: [options] HOST command line
    shift
    while [[ ${1-} == -* ]]; do
        case $1 in
        -l | -p | -o) shift 2 ;;
        *) shift ;;
        esac
    done
    host=$1
    shift
    enter "$host" bash -c "exec $*"
    ;;
openmpi | mpich)
    host_mpi=$1 hosts=${2:?hosts and ranks}
    shift 2
    given=("$@") yields=0
    ! share_cores "$hosts" || yields=1
    printf '#!/usr/bin/env bash\nBED=%s BED_CORES=%s exec "%s" agent "$@"\n' "$bed" "$cores_each" "$me" \
        >"$dir/agent"
    chmod +x "$dir/agent"
    if [ "$host_mpi" = openmpi ]; then
        export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
        export PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
        launching=(--mca plm_rsh_agent "$dir/agent" --mca plm_rsh_no_tree_spawn 1 --mca oob_tcp_if_include eth0)
        case $(mpirun.openmpi --version) in
        *OpenRTE*) ;; # 4 and earlier
        *)
            launching=(--prtemca plm_ssh_agent "$dir/agent" --prtemca plm_ssh_no_tree_spawn 1
                --prtemca prte_if_include eth0)
            ;;
        esac
        launch mpirun.openmpi "${launching[@]}" --mca btl_tcp_if_include eth0 \
            --mca btl tcp,self,vader --mca pml ob1 --mca mpi_yield_when_idle "$yields" --bind-to none --host "$hosts"
    else
        export UCX_TLS=tcp,sm,self UCX_NET_DEVICES=eth0
        launch mpirun.mpich -iface eth0 -launcher rsh -launcher-exec "$dir/agent" -hosts "$hosts"
    fi
    ;;
*)
    sed -n '4,17p' "$0" | sed 's/^# \{0,1\}//' >&2
    exit 64
    ;;
esac
