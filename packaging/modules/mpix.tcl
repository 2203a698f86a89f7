#%Module
# SPDX-License-Identifier: BSD-3-Clause
set prefix @prefix@

proc ModulesHelp {} {
    puts stderr "mpix @version@: planned persistent MPI collectives. mpix-run -n 4 ./app runs a program with it,"
    puts stderr "mpixcc, mpixcxx and mpixfort link with it; man mpix tells more."
}
module-whatis "mpix @version@: planned persistent MPI collectives, for Open MPI and MPICH"
conflict mpix
prepend-path PATH $prefix/@bindir@
prepend-path MANPATH $prefix/@mandir@
prepend-path CMAKE_PREFIX_PATH $prefix
prepend-path PKG_CONFIG_PATH $prefix/@libdir@/pkgconfig
