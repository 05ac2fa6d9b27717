"""Sphinx's configuration of the site. `make docs` writes the sources first: tools/site/build.py."""

from __future__ import annotations

from pathlib import Path

import skerry

HERE = Path(__file__).parent
SOURCE = HERE.parent / "build/site-source"

project = "skerry"
author = "the authors of skerry"
project_copyright = author
version = release = skerry.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.intersphinx",
    "sphinx_copybutton",
    "sphinx_design",
]
exclude_patterns = ["generated"]
suppress_warnings = ["config.cache"]

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4

autodoc_type_aliases = {"npt.DTypeLike": "npt.DTypeLike"}
maximum_signature_line_length = 90
autodoc_mock_imports = ["datatrove", "pyspark", "ray", "sklearn", "torch", "torch_geometric"]
autosummary_generate = False
numpydoc_show_class_members = False
default_role = "py:obj"
python_use_unqualified_type_names = True

# Inventories of the few names that the pages refer to, so that a build needs no network.
intersphinx_mapping = {
    path.stem.replace("_", "."): (address, str(path))
    for path in sorted((SOURCE / "generated").glob("*.inv"))
    for address in [path.with_suffix(".url").read_text().strip()]
}

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "furo"
html_title = "skerry"
html_favicon = "site/static/favicon.svg"
html_static_path = ["site/static"]
html_css_files = ["site.css"]
html_extra_path = [str(SOURCE / "extra")]
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0a5cc2", "color-brand-content": "#0a5cc2"},
    "dark_css_variables": {"color-brand-primary": "#7ab7ff", "color-brand-content": "#7ab7ff"},
}
