"""Links to files of the repository lead to the site's pages where it has them, else to the code host."""

import os
import re
from collections.abc import Collection
from pathlib import Path

from course_attention.course.colab import REPOSITORY

ROOT = Path(__file__).resolve().parents[2]
_ON_THE_HOST = re.compile(rf"(?<=\]\()https://github\.com/{re.escape(REPOSITORY)}/blob/main/([^)\s#]*)")
_LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^)\s#]*)(#[^)\s]*)?(?=\))")


def adapted(text: str, folder: str, pages: Collection[str]) -> str:
    """Return a page of Markdown whose links lead to pages of the site, or to the code host.

    Args:
        text: the page.
        folder: in which the page lies, seen from the top of the repository.
        pages: the files that are pages of the site, seen from there too.

    Example:
        >>> adapted("[a](../Makefile), [b](testing.md#x)", "docs", {"docs/testing.md"})
        '[a](https://github.com/YOUR-ORGANISATION/attention-course/blob/main/Makefile), [b](testing.md#x)'
    """

    def link(found: re.Match[str]) -> str:
        path, anchor = found[1], found[2] or ""
        if not path:
            return found[0]
        whole = os.path.normpath(f"{folder}/{path}").replace(os.sep, "/")
        if whole in pages:
            return found[0]
        if whole == "README.md":
            return os.path.relpath("index.md", folder or ".").replace(os.sep, "/")
        kind = "tree" if (ROOT / whole).is_dir() else "blob"
        return f"https://github.com/{REPOSITORY}/{kind}/main/{whole}{anchor}"

    # A notebook names the code host: a copy of it may lie anywhere.
    here = _ON_THE_HOST.sub(lambda found: os.path.relpath(found[1], folder or ".").replace(os.sep, "/"), text)
    return _LINK.sub(link, here)
