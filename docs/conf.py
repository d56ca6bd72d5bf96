"""The site: built by `make docs`, with warnings as errors."""

import sfumato

project = "sfumato"
author = "The sfumato maintainers"
copyright = "2026, the sfumato maintainers"
version = release = sfumato.__version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "sphinxcontrib.bibtex",
]
exclude_patterns = ["_build"]
myst_enable_extensions = ["dollarmath", "deflist", "colon_fence"]
myst_heading_anchors = 3

# Formulas of the proofs are numbered by their page, so that a number names one formula.
numfig = True

nb_execution_mode = "force"
nb_merge_streams = True
nb_execution_raise_on_error = True
nb_execution_timeout = 120

autosummary_generate = True
autosummary_imported_members = True
autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints = "none"
napoleon_google_docstring = False
napoleon_use_rtype = False

bibtex_bibfiles = ["references.bib"]
bibtex_default_style = "plain"
bibtex_reference_style = "author_year"

html_theme = "furo"
html_title = "sfumato"
html_static_path = ["_static"]
html_css_files = ["site.css"]
# What a command prints is not there to be copied.
copybutton_selector = "div:not(.highlight-text) > div.highlight > pre"
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
