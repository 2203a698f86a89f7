-- SPDX-License-Identifier: BSD-3-Clause
local prefix = "@prefix@"

help([[mpix @version@: planned persistent MPI collectives. mpix-run -n 4 ./app runs a program with it,
mpixcc, mpixcxx and mpixfort link with it; man mpix tells more.]])
whatis("mpix @version@: planned persistent MPI collectives, for Open MPI and MPICH")
conflict("mpix")
prepend_path("PATH", pathJoin(prefix, "@bindir@"))
prepend_path("MANPATH", pathJoin(prefix, "@mandir@"))
prepend_path("CMAKE_PREFIX_PATH", prefix)
prepend_path("PKG_CONFIG_PATH", pathJoin(prefix, "@libdir@/pkgconfig"))
