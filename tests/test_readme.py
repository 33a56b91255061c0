"""README, guides and CI keep their word: links lead somewhere, commands exist, rooms and sources are all listed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import course_attention
from course_attention import cli
from tools.readme_picture import answer_in, verdict_on

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = Path(course_attention.__file__).parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]
pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


def anchors(text: str) -> set[str]:
    """Return what GitHub calls the headings of a page: lower case, no punctuation, hyphens for spaces."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def dead_links(text: str, folder: Path) -> list[str]:
    """Return the links of a page to files and headings that are not there; links to other sites are not followed."""
    links = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'(?:src|srcset|href)="([^"]+)"', text)
    dead = []
    for link in links:
        path, _, anchor = link.partition("#")
        if re.match(r"\w+:", link):
            continue
        target = folder / path
        there = target.exists() if path else True
        if there and anchor:
            there = anchor in anchors(target.read_text(encoding="utf-8") if path else text)
        if not there:
            dead.append(link)
    return dead


def code(text: str) -> str:
    """Return what a page writes as commands: shell blocks, and code within a line."""
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    return "\n".join([*blocks, *re.findall(r"(?<!`)`([^`\n]+)`(?!`)", text)])


def test_readme_is_short():
    """The README has at most 150 lines; what needs more room stands in docs/."""
    assert len(README.splitlines()) <= 150


@pages
def test_links_lead_somewhere(page):
    """Every link of the README and the guides to a file, or to a heading, leads to one."""
    assert dead_links(page.read_text(encoding="utf-8"), page.parent) == []


def test_planted_dead_link_is_found(tmp_path):
    """The reader of links finds a file and a heading that are not there, and follows those that are."""
    (tmp_path / "other.md").write_text("# One heading, two words\n")
    good = "[a](other.md) [b](other.md#one-heading-two-words) [c](#here) [d](https://example.org/x)\n# Here\n"
    bad = '[e](gone.md) [f](other.md#gone) [g](#gone) <img src="gone.png">'
    assert dead_links(good + bad, tmp_path) == ["gone.md", "other.md#gone", "#gone", "gone.png"]


@pages
def test_make_targets_exist(page):
    """Every `make TARGET` that a page names is a target of the Makefile."""
    named = set(re.findall(r"\bmake ([a-z][a-z-]*)", code(page.read_text(encoding="utf-8"))))
    targets = set(re.findall(r"^([a-z][a-z-]*):", MAKEFILE, re.MULTILINE))
    assert named <= targets


@pages
def test_commands_exist(page, capsys):
    """Every `course-attention COMMAND --option` that a page names is one that the command line takes."""
    lines = re.findall(r"course-attention ([a-z][a-z-]*)([^\n&|]*)", code(page.read_text(encoding="utf-8")))
    for command, rest in lines:
        with pytest.raises(SystemExit) as stop:
            cli.main([command, "--help"])
        help_text = capsys.readouterr().out
        assert stop.value.code == 0, command
        for option in re.findall(r"--[a-z][a-z-]*", rest):
            assert option in help_text, f"course-attention {command} has no {option}"


@pages
def test_tools_exist(page):
    """Every tool that a page tells to run is there."""
    for tool in re.findall(r"\bpython (tools/\S+)", code(page.read_text(encoding="utf-8"))):
        assert (ROOT / tool).is_file(), tool


def test_readme_names_the_commands():
    """The three commands that everybody needs stand in the README."""
    assert {"make learn", "make test", "make test-all"} <= set(re.findall(r"^make [a-z-]+", README, re.MULTILINE))


def test_ci_and_releases_run_every_test():
    """.ci/run ends in `make test-all`; CI and a release call it."""
    assert (ROOT / ".ci" / "run").read_text().splitlines()[-1] == "exec make test-all"
    for workflow in ("tests.yml", "release.yml"):
        assert "run: .ci/run" in (ROOT / ".github" / "workflows" / workflow).read_text(), workflow


def test_commands_hide_no_failure():
    """Neither the Makefile nor .ci/run nor a workflow swallows an exit code."""
    workflows = [f".github/workflows/{path.name}" for path in (ROOT / ".github" / "workflows").glob("*.yml")]
    assert len(workflows) >= 2
    for name in ("Makefile", ".ci/run", *workflows):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert "|| true" not in text
        assert "continue-on-error" not in text
        assert not re.search(r"^\t-", text, re.MULTILINE)


def test_readme_lists_every_room():
    """The table of rooms has a row for each folder and module of the package, in the grader too, and no other."""
    listed = set(re.findall(r"^\| `([\w/]+)` \|", README, re.MULTILINE))
    rooms = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    inner = {f"grading/{path.parent.name}" for path in (PACKAGE / "grading").glob("*/__init__.py")}
    assert listed == (rooms - {"__init__", "__main__", "grading"}) | inner


def test_picture_shows_what_the_judge_says():
    """The README's answer gets the verdict that the picture's alt text tells, and both pictures are there."""
    alt = re.search(r'alt="([^"]*)"', README)[1]
    verdict = verdict_on(answer_in(README))
    assert verdict.misconception == "no-scale"
    assert verdict.idea in alt
    for scheme in ("light", "dark"):
        assert f"docs/images/verdict-{scheme}.png" in README


CITATION = re.compile(r"([A-Z]\w+)(?: et al\.| and ([A-Z]\w+))? \(?((?:1[89]|20)\d\d)\)?[,;:.) ]")


def cited(path: Path) -> set[tuple[str, str]]:
    """Return author and year of each paper that a file names."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown"]
        text = "\n".join("".join(cell["source"]) for cell in cells)
    text = " ".join(text.split())
    found = CITATION.findall(text)
    return {(name, year) for first, second, year in found for name in (first, second) if name}


def test_sources_are_listed():
    """docs/sources.md has a row for each paper that a docstring cites by author and year, in brackets."""
    rows = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8").splitlines()
    papers = set().union(*map(cited, (PACKAGE / "mechanisms").glob("*.py")))
    assert {("Vaswani", "2017"), ("Rabe", "2021"), ("Nadaraya", "1964")} <= papers
    missing = {(name, year) for name, year in papers if not any(name in row and f"({year})" in row for row in rows)}
    assert missing == set()


def test_sources_are_dated_and_linked():
    """Each row of a paper has a year, and a link or the reason why there is none."""
    text = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")
    papers = text[text.index("## Papers and books") :]
    rows = [row for row in papers.splitlines() if re.match(r"\| (?!source|thread|---)", row)]
    assert len(rows) >= 30
    for row in rows:
        assert "](https://" in row or "before there were links" in row, row
