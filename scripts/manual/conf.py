# SPDX-License-Identifier: BSD-3-Clause
"""How Sphinx makes the site of scripts/docs.sh: nothing is fetched, and no other site asked."""
project = "mpix"
author = "the mpix authors"
extensions = ["myst_parser"]
myst_heading_anchors = 4
source_suffix = {".rst": "restructuredtext", ".md": "markdown"}
# What is the host's.
nitpick_ignore_regex = [("c:identifier", "MPI_.*")]
highlight_language = "none"
smartquotes = False  # two hyphens begin an option
html_theme = "furo"
html_title = "mpix"
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
pygments_style = "default"
