#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# wrapper-flags.sh compile|link WRAPPER.HOST OPTION: the flags an MPI compiler wrapper adds, without the
# compiler's own name and without packaging flags that are not MPI's. The wrapper without a host in its
# name comes first if it is that host's: no other's knows the option.
what=$1 wrapper=$2 option=$3
said=$("${wrapper%.*}" "$option" 2>/dev/null) || said=$("$wrapper" "$option") || exit 1
for word in $said; do
    case $what:$word in
    compile:-I*|compile:-D*|compile:-pthread) echo "$word" ;;
    link:-L*|link:-l*|link:-pthread|link:-Wl,-rpath*|link:-Wl,/*|link:/*.so|link:/*.a) echo "$word" ;;
    esac
done
