# SPDX-License-Identifier: BSD-3-Clause
"""Stands in for mpi4py on MPICH, where none is built for that: see MPI.py."""
