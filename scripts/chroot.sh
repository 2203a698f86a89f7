#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# chroot.sh make RELEASE FOLDER: makes a minimal Debian with debootstrap, unless it is there.
# chroot.sh enter FOLDER [FROM:TO...] -- COMMAND...: runs a command in it, with each FROM of this machine
# at TO. What it mounts and starts ends with the command. Both need root.
set -eu
usage() {
    sed -n '4,6s/^# \{0,1\}//p' "$0" >&2
    exit 64
}
[ $# -ge 3 ] || usage
if [ "$(id -u)" -ne 0 ]; then
    echo "chroot.sh: debootstrap and chroot need root" >&2
    exit 1
fi

make_release() { # RELEASE FOLDER
    local release=$1 root=$2 log=$2.log mirror
    [ ! -d "$root" ] || return 0
    bash "$(dirname "$0")/install.sh" debootstrap
    mirror=$(sed -nE 's#^(URIs:|deb) +(https?://[^ ]*/debian/?)( .*)?$#\2#p' /etc/apt/sources.list \
        /etc/apt/sources.list.d/* 2>/dev/null | head -n 1)
    echo "making $release in $root; its log is $log"
    rm -rf "$root.new"
    mkdir -p "$root.new"
    # Of an old release the list of packages may have expired.
    debootstrap --variant=minbase "$release" "$root.new" "${mirror:-http://deb.debian.org/debian}" \
        >"$log" 2>&1 </dev/null || { tail -n 20 "$log" >&2 && rm -rf "$root.new" && exit 1; }
    echo 'Acquire::Check-Valid-Until "false";' >"$root.new/etc/apt/apt.conf.d/99old"
    mv "$root.new" "$root"
}

# The mounts are gone with the last process of the command.
enter() { # FOLDER [FROM:TO...] -- COMMAND...
    # shellcheck disable=SC2016
    exec unshare --mount --pid --fork --kill-child bash -c '
        set -eu
        root=$1
        shift
        mount --bind "$root" "$root" # else nothing within could enter another
        mount -t proc proc "$root/proc"
        mount --rbind /sys "$root/sys"
        mount --rbind /dev "$root/dev"
        mount -t tmpfs tmpfs "$root/dev/shm" 2>/dev/null || true
        mount -t tmpfs tmpfs "$root/tmp" # launchers keep what they find each other by there
        while [ "$1" != -- ]; do
            mkdir -p "$root${1#*:}"
            mount --bind "${1%%:*}" "$root${1#*:}"
            shift
        done
        shift
        cp /etc/resolv.conf "$root/etc/resolv.conf"
        export LANG=C.UTF-8 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
        export PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
        export OMPI_MCA_btl_tcp_if_include=lo # processes that did not begin together meet over TCP
        export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
        exec chroot "$root" "$@"
    ' chroot.sh "$@"
}

what=$1
shift
case $what in
make) make_release "$@" ;;
enter) enter "$@" ;;
*) usage ;;
esac
