"""Puts the source of the site together: `python -m course_site.stage FOLDER`, with `site/` on the path.

What the repository has as text goes in as it is, but for links; everything else is made from what the course knows.
"""

import json
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from course_attention.encyclopedia.entries import entries
from course_attention.encyclopedia.symptoms import symptoms
from course_attention.topics import TOPICS
from course_site import api_pages, cards, evidence_pages, indexes, lessons, misconception_pages, museum_page, rooms
from course_site.repository_links import ROOT, adapted
from tools.readme_picture import answer_in, verdict_on

PAGES = ROOT / "site" / "pages"
TEXTS = (
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
    *(f"docs/{f.name}" for f in sorted((ROOT / "docs").glob("*.md"))),
)
CLAIMS = tuple(f"docs/claims/{file.name}" for file in sorted((ROOT / "docs" / "claims").glob("*.md")))
WORKERS = 2
_written: set[Path] = set()


def main(folder: Path) -> None:
    """Write the source of the site into a folder. A file that stays as it was is not touched: Sphinx reads it once."""
    before = {file for file in folder.rglob("*") if file.is_file()}
    notebooks = _notebooks(folder)
    _texts(folder)
    _made(folder, notebooks)
    seen = {}  # misconception → its symptoms
    with ProcessPoolExecutor(WORKERS) as workers:  # the judge is asked for a card of each
        museum = workers.submit(museum_page.page)
        ids = list(entries())
        for id, (text, its_symptoms) in zip(ids, workers.map(_misconception, ids, chunksize=8), strict=True):
            _write(folder / "misconceptions" / f"{id}.md", text)
            seen[id] = its_symptoms
        _write(folder / "museum.md", museum.result())
    _write(folder / "misconceptions" / "by-symptom.md", indexes.by_symptom(seen))
    for file in before - _written:
        file.unlink()


def _misconception(id: str) -> tuple[str, tuple[str, ...]]:
    """Return a misconception's page and its symptoms: both come from one verdict, which the judge gives here."""
    return misconception_pages.page(id), symptoms(id)


def _notebooks(folder: Path) -> dict[str, dict]:
    notebooks = {}
    for topic in TOPICS:
        source = ROOT / "notebooks" / f"{topic.notebook}.ipynb"
        notebooks[topic.notebook] = notebook = json.loads(source.read_text(encoding="utf-8"))
        page = lessons.page_of(notebook, topic.notebook)
        for cell in page["cells"]:
            if cell["cell_type"] == "markdown":
                cell["source"] = adapted(cell["source"], "notebooks", _pages())
        _write(folder / "notebooks" / source.name, json.dumps(page))
        _write(folder / "originals" / source.name, source.read_bytes())
    return notebooks


def _texts(folder: Path) -> None:
    for name in (*TEXTS, *CLAIMS):
        text = (ROOT / name).read_text(encoding="utf-8")
        if name == "docs/architecture.md":
            text += f"\n## The rooms, drawn from the imports\n\n{cards.raw(rooms.drawn())}\n\n{rooms.table()}\n"
        _write(folder / name, adapted(text, str(Path(name).parent).removeprefix("."), _pages()))
    for image in (ROOT / "docs" / "images").glob("*.png"):
        _write(folder / "docs" / "images" / image.name, image.read_bytes())


def _made(folder: Path, notebooks: dict[str, dict]) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    answer, hours = answer_in(readme), readme.split("<!-- study time")[1].split("-->\n", 1)[1].split("<!--")[0]
    filled = {"ANSWER": answer.rstrip(), "CARD": cards.card(verdict_on(answer), level=2), "HOURS": _with_titles(hours)}
    filled |= {"STEMS": "\n".join(notebooks), "CLAIMS": "\n".join(f"../{name.removesuffix('.md')}" for name in CLAIMS)}
    for source in sorted(PAGES.glob("**/*.md")):
        text = re.sub(r"@(\w+)@", lambda found: filled[found[1]], source.read_text(encoding="utf-8"))
        _write(folder / source.relative_to(PAGES), text)
    _write(folder / "misconceptions" / "index.md", indexes.by_name())
    _write(folder / "misconceptions" / "by-exercise.md", indexes.by_exercise())
    for topic in TOPICS:
        for task in topic.practice:
            _write(folder / "misconceptions" / f"practice-{task}.md", misconception_pages.practice_page(task))
    _write(folder / "evidence" / "verdicts.md", evidence_pages.verdicts_page(notebooks))
    _write(folder / "evidence" / "benchmarks.md", evidence_pages.benchmarks_page(ROOT / "benchmarks"))
    for name, text in api_pages.pages().items():
        _write(folder / "api" / name, text)
    _write(folder / "static" / "cards.css", cards.style_sheet())


def _pages() -> set[str]:
    return {*TEXTS, *CLAIMS, *(f"notebooks/{topic.notebook}.ipynb" for topic in TOPICS)}


def _with_titles(hours: str) -> str:
    """Return the README's table with links that lead to the pages."""
    return adapted(hours.strip(), "", _pages()).replace("](notebooks/", "](/notebooks/")


def _write(file: Path, content: str | bytes) -> None:
    data = content.encode("utf-8") if isinstance(content, str) else content
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.is_file() or file.read_bytes() != data:
        file.write_bytes(data)
    _written.add(file)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
