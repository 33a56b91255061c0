"""The finished site, read as files: links, alt texts, answers that are not given away."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from course_attention.answer_corpus.corpus import answers
from course_attention.encyclopedia.entries import entries
from course_attention.exercises import CATALOGUE
from course_attention.topics import TOPICS

pytestmark = pytest.mark.slow


class Page(HTMLParser):
    """A page: where it links to, what can be linked to, its pictures and its text."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.ids: set[str] = set()
        self.undescribed: list[str] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attributes}
        self.ids |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if tag in ("img", "script", "source", "iframe") and "src" in found:
            self.loaded.append(found["src"])
        if tag == "link" and found.get("rel") in ("stylesheet", "preload", "icon", "shortcut icon"):
            self.loaded.append(found["href"])
        if tag == "img" and not found.get("alt", "").strip():
            self.undescribed.append(found.get("src", ""))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.fixture(scope="module")
def pages(built: Path) -> dict[Path, Page]:
    return {
        file: Page(file.read_text(encoding="utf-8"))
        for file in sorted(built.rglob("*.html"))
        if "_static" not in file.parts
    }


def broken(file: Path, page: Page, pages: dict[Path, Page], built: Path) -> Iterator[str]:
    for link in {*page.links, *page.loaded}:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc or link.startswith("data:"):
            continue
        target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
        has_place = target not in pages or unquote(parts.fragment) in pages[target].ids
        if not target.exists() or (parts.fragment and not has_place):
            yield f"{file.relative_to(built)}: {link}"


def test_what_there_is(pages, built):
    """Every lesson and every misconception has its page, beside the indexes and the museum."""
    names = {file.relative_to(built).as_posix() for file in pages}
    assert {f"notebooks/{topic.notebook}.html" for topic in TOPICS} <= names
    assert {f"misconceptions/{id}.html" for id in entries()} <= names
    for name in ("index", "museum", "misconceptions/by-symptom", "misconceptions/by-exercise", "evidence/verdicts"):
        assert f"{name}.html" in names


def test_no_link_is_broken(pages, built):
    """Each link leads to a page or a file that there is, and to a place in it."""
    resolved = {file.resolve(): page for file, page in pages.items()}
    assert [one for file, page in resolved.items() for one in broken(file, page, resolved, built.resolve())] == []


def test_every_picture_is_described(pages):
    """Each picture has an alt text."""
    assert {str(file): page.undescribed for file, page in pages.items() if page.undescribed} == {}


def test_nothing_is_loaded_from_elsewhere(pages):
    """Scripts, pictures and style sheets are files of the site."""
    assert [one for page in pages.values() for one in page.loaded if urlsplit(one).netloc] == []


def test_no_answer_is_given_away(pages):
    """No page has a right answer of the corpus whole."""
    squeezed = "\n".join(_squeezed("".join(page.texts)) for page in pages.values())
    given = [
        f"{name}: {answer.label}"
        for name, entry in CATALOGUE.items()
        for answer in answers(name)
        if answer.kind in ("right", "odd") and _has(squeezed, answer.source, entry.kind == "value")
    ]
    assert given == []


def _has(squeezed: str, source: str, is_number: bool) -> bool:
    """Whether a text has an answer; a number does not count as a part of a longer one."""
    answer = _squeezed(_without_docstring(source))
    return answer in squeezed and (not is_number or bool(re.search(re.escape(answer) + r"(?![\w.*+/-])", squeezed)))


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def _without_docstring(source: str) -> str:
    return re.sub(r'"""(?:.|\n)*?"""', "", source, count=1)


def test_search_knows_the_words(built):
    """The index of the search, which needs no server, has the words of lessons and of misconceptions."""
    index = (built / "searchindex.js").read_text(encoding="utf-8")
    assert "causal" in index and "nucleu" in index
