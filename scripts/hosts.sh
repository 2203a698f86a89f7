#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# hosts.sh RELEASE [COMMAND...]: runs a command, or the quick tests, in this tree on another release of
# Debian with its compiler and its hosts: trixie or sid. The first call makes it with debootstrap, in
# .cache/hosts, which takes a few minutes and 3 GB. It has build folders of its own. Needs root.
#
#   hosts.sh trixie                             # builds, and runs the suite quick on all hosts; then
#                                               # programs with the libraries that were built outside
#   hosts.sh trixie bash scripts/test.sh --full
#   hosts.sh trixie bash                        # to look around
set -eu
cd "$(dirname "$0")/.."
if [ $# -eq 0 ]; then
    sed -n '4,11p' "$0" | sed 's/^# \{0,1\}//' >&2
    exit 64
fi
release=$1
shift
[ $# -gt 0 ] || set -- bash -c 'bash scripts/test.sh && bash scripts/older.sh /older'
if [ "$(id -u)" -ne 0 ]; then
    echo "hosts.sh: debootstrap and chroot need root" >&2
    exit 1
fi

cache=$PWD/.cache/hosts
root=$cache/$release
make_release() {
    local log=$cache/$release.log mirror
    bash scripts/install.sh debootstrap
    mirror=$(sed -nE 's#^(URIs:|deb) +(https?://[^ ]*/debian/?)( .*)?$#\2#p' /etc/apt/sources.list \
        /etc/apt/sources.list.d/* 2>/dev/null | head -n 1)
    echo "making $release in $root; its log is $log"
    rm -rf "$root.new"
    mkdir -p "$cache"
    # Of an old release the list of packages may have expired.
    debootstrap --variant=minbase "$release" "$root.new" "${mirror:-http://deb.debian.org/debian}" \
        >"$log" 2>&1 </dev/null || { tail -n 20 "$log" >&2 && rm -rf "$root.new" && exit 1; }
    echo 'Acquire::Check-Valid-Until "false";' >"$root.new/etc/apt/apt.conf.d/99old"
    mv "$root.new" "$root"
}
[ -d "$root" ] || make_release

mkdir -p "$root/mpix" "$root/older" "$cache/$release-build" build
# The mounts are gone with the last process of the command.
# shellcheck disable=SC2016
exec unshare --mount --pid --fork --kill-child bash -c '
    set -eu
    root=$1 tree=$2 builds=$3
    shift 3
    mount -t proc proc "$root/proc"
    mount --rbind /sys "$root/sys"
    mount --rbind /dev "$root/dev"
    mount -t tmpfs tmpfs "$root/dev/shm" 2>/dev/null || true
    mount -t tmpfs tmpfs "$root/tmp" # launchers keep what they find each other by there
    mount --bind "$tree/build" "$root/older"
    mount --bind "$tree" "$root/mpix"
    mount --bind "$builds" "$root/mpix/build"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    export LANG=C.UTF-8 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export OMPI_MCA_btl_tcp_if_include=lo # processes that did not begin together meet over TCP
    export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
    exec chroot "$root" bash -c "cd /mpix && exec \"\$@\"" hosts.sh "$@"
' hosts.sh "$root" "$PWD" "$cache/$release-build" "$@"
