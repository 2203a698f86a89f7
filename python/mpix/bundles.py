# SPDX-License-Identifier: BSD-3-Clause
"""Requests made of other requests."""
from mpi4py import MPI

from .library import call, handle, handles, place
from .request import Request


def Bundle_init(requests, info=MPI.INFO_NULL):
    bundle = Request()
    call("MPIX_Bundle_init", len(requests), handles(requests), handle(info, MPI.Info),
         place(bundle))
    bundle._keep((list(requests),))
    return bundle


def Bundle_after(bundle, later, earlier):
    call("MPIX_Bundle_after", handle(bundle), later, earlier)
