"""Sphinx's settings for the course's site. `make site` runs it on what `course_site.stage` has put together."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from course_attention import __version__  # noqa: E402
from course_attention.course.colab import REPOSITORY  # noqa: E402

project = "A course on attention"
author = copyright = "the course_attention authors"
version = release = __version__
language = "en"

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_design",
    "course_site.mathml",
    "course_site.libraries",
    "course_site.search_words",
]
templates_path = [str(HERE / "templates")]
exclude_patterns = ["originals"]

nb_execution_mode = "off"  # the notebooks carry their outputs
nb_merge_streams = True
myst_enable_extensions = ["amsmath", "colon_fence", "dollarmath"]
myst_heading_anchors = 4
myst_links_external_new_tab = False
html_math_renderer = "mathml"

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
napoleon_custom_sections = ["Source"]
python_use_unqualified_type_names = True
add_module_names = False

html_theme = "pydata_sphinx_theme"
html_title = project
html_static_path = [str(HERE / "static")]  # and what the stage has written
html_css_files = ["cards.css", "site.css"]
html_js_files = [("predictions.js", {"defer": "defer"})]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_sidebars = {"index": [], "museum": [], "misconceptions/**": []}
html_context = {"default_mode": "auto"}
html_theme_options = {
    "logo": {"text": project},
    "github_url": f"https://github.com/{REPOSITORY}",
    "navbar_align": "left",
    "navbar_persistent": ["search-button"],
    "header_links_before_dropdown": 6,
    "navigation_depth": 1,  # from the second level on it has buttons, and they have no name that could be read out
    "show_toc_level": 2,
    "show_prev_next": True,
    "secondary_sidebar_items": ["page-toc"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
    "footer_start": ["copyright"],
    "footer_end": [],
    "back_to_top_button": False,
}


def _escaped(app, what, name, obj, options, lines):
    """Keep |i − j| in a docstring from being read as a name to be substituted."""
    lines[:] = [line.replace("|", "\\|") for line in lines]


def setup(app):
    app.connect("config-inited", lambda app, config: config.html_static_path.append(f"{app.srcdir}/static"))
    app.connect("autodoc-process-docstring", _escaped)
