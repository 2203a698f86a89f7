# SPDX-License-Identifier: BSD-3-Clause
"""opened.py global|own NAME: uses MPI, which it looks up at run time, in the process or in NAME itself.

opened.py module NAME: runs the main of a module that is linked with MPI.
"""
import ctypes
import sys

how, name = sys.argv[1:]
library = ctypes.CDLL(name, ctypes.RTLD_GLOBAL if how == "global" else ctypes.RTLD_LOCAL)
if how == "module":
    sys.exit(library.main(0, None))
mpi = ctypes.CDLL(None) if how == "global" else library
sys.exit(mpi.MPI_Init(None, None) or mpi.MPI_Finalize())
