# SPDX-License-Identifier: BSD-3-Clause
"""sums.py TIMES: sums of 64 doubles by mpi4py."""
import sys

import numpy
from mpi4py import MPI

comm = MPI.COMM_WORLD
given, found = numpy.arange(64.0) + comm.rank, numpy.empty(64)
comm.Barrier()
begin = MPI.Wtime()
for _ in range(int(sys.argv[1])):
    comm.Allreduce(given, found)
seconds = MPI.Wtime() - begin
if comm.rank == 0:
    print(f"time {seconds:.6f}\nanswer {found.sum():.9g}")
