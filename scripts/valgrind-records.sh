#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# valgrind-records.sh REPORT...: prints the records of memcheck's reports that are about the library,
# lost blocks and invalid accesses, each after a line of dashes: those with libmpix in the stack, but
# for those inside the host's own init and finalize. A record ends where valgrind leaves a line empty.
sed 's/^==[0-9]*== \{0,1\}//' "$@" | awk '
    /^$/ {
        if (record ~ /(definitely|indirectly|possibly) lost|^(Invalid|Use of|Conditional|Syscall|Mismatched|Source|Argument|Jump)/ &&
            record ~ /libmpix\.so|mpix::/ &&
            record !~ /PMPI_(Init|Finalize|Session)|ompi_mpi_(init|finalize)/)
            print "----\n" record
        record = ""
        next
    }
    { record = record $0 "\n" }'
