# SPDX-License-Identifier: BSD-3-Clause
"""Ends while requests are active whose functions never say that they are done. MPI ends after
the interpreter, and must not call them then."""
import gc

import mpix


def refuse():
    return False


requests = [mpix.Pgrequest_init(lambda: None, refuse, lambda status: None) for _ in range(3)]
bundle = mpix.Bundle_init(requests[1:2])
for request in requests[0], requests[2], bundle:
    request.Start()
    assert not request.Test()
del requests, request
gc.collect()
