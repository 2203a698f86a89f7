# SPDX-License-Identifier: BSD-3-Clause
"""Runs all cases on every rank, and finds out whether they have called everything."""
import os
import sys
import unittest

from mpi4py import MPI

import mpix

CASES = sys.argv[1:] or ["collectives", "groups", "partitioned", "partitioned_collectives",
                         "channels", "bundles", "errors", "lifetimes", "arrays", "page"]
# Of these the package uses the form for one request.
BY_ONE = {"MPIX_Ibind_channels", "MPIX_Ibind_slack_channels"}


def uncalled():
    return sorted(set(mpix.library.PARAMETERS) - mpix.library.functions.keys() - BY_ONE)


def main():
    suite = unittest.defaultTestLoader.loadTestsFromNames(CASES)
    is_first = MPI.COMM_WORLD.Get_rank() == 0
    result = unittest.TextTestRunner(verbosity=2 if is_first else 1, failfast=True).run(suite)
    left = uncalled() if result.wasSuccessful() and len(sys.argv) == 1 else []
    if left:
        print("no case has called", *left, file=sys.stderr)
    if left or not result.wasSuccessful():
        sys.stderr.flush()
        os._exit(1)  # others may wait for this rank: the launcher ends them


main()
