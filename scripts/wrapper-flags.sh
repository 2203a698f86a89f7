#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# wrapper-flags.sh compile|link WRAPPER OPTION: the flags an MPI compiler wrapper adds, without the
# compiler's own name and without packaging flags that are not MPI's.
what=$1 wrapper=$2 option=$3
$wrapper "$option" | tr ' ' '\n' | while read -r word; do
    case $what:$word in
    compile:-I*|compile:-D*|compile:-pthread) echo "$word" ;;
    link:-L*|link:-l*|link:-pthread|link:-Wl,-rpath*|link:/*.so|link:/*.a) echo "$word" ;;
    esac
done
