"""All views of a folder of results are written, again with the same bytes, and no others are left."""

from __future__ import annotations

import csv
import json
import sys
import unicodedata
from pathlib import Path
from types import SimpleNamespace

import pytest

from course_attention.grading.run.results import result_files
from course_attention.grading.views import write_all
from course_attention.grading.views.results import by_student
from tests.grading.views.made import NOTEBOOK, details, exercise, record, write
from tests.grading.views.pages.test_feedback import everywhere

CLASS = [
    record("ada", [exercise(), exercise("mean_attention")]),
    record("ada", [exercise("softmax")], notebook="00_start_here", max_score=4.0),
    record("grace", [exercise(status="failed", score=0.25, misconception="no-scale", details=details())]),
    record("ζωή"),
]


def contents(results: Path) -> dict[str, bytes]:
    """Every file but the results themselves."""
    files = (path for path in results.rglob("*") if path.is_file())
    return {str(path.relative_to(results)): path.read_bytes() for path in files if path.suffix != ".json"} | {
        str(path.relative_to(results)): path.read_bytes() for path in results.glob("gradescope/*/*")
    }


def test_every_view_is_written(tmp_path: Path) -> None:
    """Each student and each submission has its files; the lines name where they are."""
    write(tmp_path, *CLASS)
    lines = write_all(tmp_path).lines
    assert set(contents(tmp_path)) == {
        "grades.csv",
        "exercises.csv",
        "canvas.csv",
        "moodle.csv",
        "report.html",
        "gradescope/ada/results.json",
        "gradescope/grace/results.json",
        "gradescope/ζωή/results.json",
        "feedback/ada/00_start_here.html",
        f"feedback/ada/{NOTEBOOK}.html",
        f"feedback/grace/{NOTEBOOK}.html",
        f"feedback/ζωή/{NOTEBOOK}.html",
    }
    assert [str(tmp_path) in line for line in lines] == [True] * 3


def test_same_bytes_from_same_results(tmp_path: Path) -> None:
    """The views say nothing but what the results say: not when, where, or in what order they were written."""
    first, second = tmp_path / "a" / "first", tmp_path / "second"
    write(first, *CLASS)
    write(second, *({**one, "seconds": 9.0} for one in reversed(CLASS)))
    for results in (first, second, second):
        write_all(results)
    assert contents(first) == contents(second)


def test_what_has_not_changed_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Views written again touch only what has changed."""
    write(tmp_path, *CLASS)
    write_all(tmp_path)
    write(tmp_path, record("ada", [exercise(), exercise("mean_attention", "errored")]))
    written = []
    monkeypatch.setattr("course_attention.grading.views.writing.write_whole", lambda path, _: written.append(path.name))
    write_all(tmp_path)
    tables = ["canvas.csv", "grades.csv", "moodle.csv"]
    assert sorted(written) == sorted([f"{NOTEBOOK}.html", "report.html", "results.json", *tables])


def test_stale_views_are_removed(tmp_path: Path) -> None:
    """Views of results that are gone go too; files that are no view stay, as does what a link leads to."""
    write(tmp_path, *CLASS)
    write_all(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "page.html").write_text("mine")
    (tmp_path / "feedback" / "link").symlink_to(elsewhere)
    (tmp_path / "feedback" / "ada" / "mine.txt").write_text("mine")
    for path in [
        *(tmp_path / "results" / "ζωή").iterdir(),
        tmp_path / "results" / "ada" / "00_start_here.json",
    ]:
        path.unlink()
    write_all(tmp_path)
    left = {str(path.relative_to(tmp_path / "feedback")) for path in (tmp_path / "feedback").rglob("*")}
    assert left == {"ada", f"ada/{NOTEBOOK}.html", "ada/mine.txt", "grace", f"grace/{NOTEBOOK}.html", "link"}
    assert (elsewhere / "page.html").exists()
    assert sorted(path.name for path in (tmp_path / "gradescope").iterdir()) == ["ada", "grace"]


def test_unreadable_results_have_no_views(tmp_path: Path) -> None:
    """Temporary and damaged files are passed over."""
    write(tmp_path, CLASS[0])
    folder = tmp_path / "results" / "ada"
    (folder / ".x.json.12.tmp").write_text("{")
    (folder / "damaged.json").write_text("{")
    write_all(tmp_path)
    assert [path.name for path in (tmp_path / "feedback" / "ada").iterdir()] == [f"{NOTEBOOK}.html"]


def test_no_results(tmp_path: Path) -> None:
    """An empty class has empty tables and a report that says so."""
    write_all(tmp_path)
    assert (tmp_path / "grades.csv").read_text(encoding="utf-8-sig") == '"student","total","max"\n'
    assert "No notebook is graded yet." in (tmp_path / "report.html").read_text()


def test_fields_of_the_contract_are_enough(tmp_path: Path) -> None:
    """A result without the fields that are ours alone is shown as far as it goes."""
    one = record("ada", [exercise(status="failed", misconception="no-scale")])
    del one["exercises"][0]["details"], one["submitted"]
    write(tmp_path, one)
    path = tmp_path / "results" / "ada" / f"{NOTEBOOK}.json"
    path.write_text(json.dumps({name: value for name, value in one.items() if name != "assignment"}))
    write_all(tmp_path)
    assert "attention: failed." in (tmp_path / "feedback" / "ada" / f"{NOTEBOOK}.html").read_text()


def test_odd_names(tmp_path: Path) -> None:
    """Names of every script, with quotes, commas, slashes, and half a surrogate pair, have all their views."""
    names = [
        'O"Brien, "Jr"',
        "a/../b",
        "=1+1",
        "Ελένη",
        "王芳",
        "محمد",
        "a\nb",
        "🦆",
        "half a pair \\ud800",
        "%00",
        "-",
    ]
    write(tmp_path, *(record(name, [exercise(message="half a pair \ud800")]) for name in names))
    write_all(tmp_path)
    with (tmp_path / "grades.csv").open(newline="", encoding="utf-8-sig") as file:
        shown = {row["student"] for row in csv.DictReader(file)}
    assert shown == {f"'{name}" if name[0] in "=-" else name for name in names}
    assert len(list(tmp_path.glob("feedback/*/*.html"))) == len(names)
    for path in tmp_path.glob("gradescope/*/results.json"):
        assert "half a pair" in json.loads(path.read_text())["tests"][0]["output"]


ACTING = "\x1b]0;title\x07\x9b31m\x7f\r \u202egnp\u2066\u200f\u2069\u2028"


def acts(text: str) -> set[str]:
    """Find the characters of a text that a terminal obeys, or that turn the direction of text."""
    return {
        one
        for one in text
        if (unicodedata.category(one) == "Cc" and one not in "\n\t")
        or unicodedata.category(one) in ("Zl", "Zp")
        or unicodedata.bidirectional(one) in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
        or one in "\u200e\u200f\u061c"
    }


def test_characters_that_act(tmp_path: Path) -> None:
    """Terminal commands and changes of direction, wherever a student wrote them, are in no view and no result file."""
    assert len(acts(ACTING)) == 10
    graded = everywhere(f"a{ACTING}") | {"student": f"b{ACTING}"}
    unread = record(f"c{ACTING}", notes=[ACTING], assignment=ACTING)
    other = f"n{ACTING}"
    write(tmp_path, graded, unread, record("ada", [exercise()], fingerprint=ACTING, notebook=other))
    for index, file in enumerate(sorted((tmp_path / "results").rglob("*.json"))):
        file.rename(file.with_name(f"{index} {other}.json"))
    lines = write_all(tmp_path).lines
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {path.suffix for path in files} == {".json", ".html", ".csv"}
    for path in files:
        assert acts(path.read_bytes().decode()) == set(), path
    assert acts("".join(line.replace(str(tmp_path), "") for line in lines)) == set()
    assert r"\x1b]0;title" in (tmp_path / "report.html").read_text(encoding="utf-8")
    again = [result.record for own in by_student(tmp_path) for result in own]
    assert any(r"\u202egnp" in one["student"] for one in again)


def test_result_files_hold_what_they_were_given(tmp_path: Path) -> None:
    """Such characters are escaped in a result file as JSON has it, and read back as they were."""
    one = record(ACTING, [exercise(message=ACTING)])
    result_files.write(tmp_path / "one.json", one)
    assert result_files.read(tmp_path / "one.json") == one


def test_gradebook_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """nbgrader's gradebook is filled only where one is named."""
    module = SimpleNamespace(write_gradebook=lambda results, database: f"{results.name} {database}")
    monkeypatch.setitem(sys.modules, "course_attention.grading.views.gradebook", module)
    write(tmp_path, *CLASS)
    assert len(write_all(tmp_path).lines) == 3
    *_, filled, kept = write_all(tmp_path, "grades.db").lines
    assert filled == f"{tmp_path.name} grades.db" and kept.startswith("exported: ")
