"""The words of the search. Sphinx finds the stem of a word again on each page, which took a seventh of its time."""

from functools import cache
from typing import Any

from sphinx.application import Sphinx
from sphinx.search.en import SearchEnglish


class StemmedOnce(SearchEnglish):
    """English, with the stem of each word found once for all pages."""

    def __init__(self, options: dict[str, str]) -> None:
        super().__init__(options)
        self.stem = cache(super().stem)


def setup(app: Sphinx) -> dict[str, Any]:
    """Search with it, in place of Sphinx's own."""
    app.add_search_language(StemmedOnce)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
