# SPDX-License-Identifier: BSD-3-Clause
"""The example of docs/python.md."""
import pathlib
import re
import unittest

from common import LEFT, RANKS, SIZE, Case

try:
    import numpy
except ImportError:
    numpy = None

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/python.md"


@unittest.skipIf(numpy is None, "no numpy")
class Page(Case):
    def test_the_example(self):
        names = {}
        exec(re.search(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)[1], names)
        self.assertTrue((names["theirs"] == LEFT + 10).all())
        self.assertTrue((names["total"] == sum(RANKS) + 10 * SIZE).all())
