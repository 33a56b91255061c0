"""What an LMS hands out is recognised, each notebook finds its student, and every file is accounted for."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import time
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from course_attention.course.cells import course_stems
from course_attention.grading.errors import CannotGrade
from course_attention.grading.intake import export as exports
from course_attention.grading.intake.arrange import WHEN, _free
from course_attention.grading.intake.export import Export, Found, opened
from course_attention.grading.intake.layouts import Layout, Owner, recognise
from course_attention.grading.intake.listing import FOLDER, TABLE, HandedIn, take_in

FIRST, SECOND = course_stems()[:2]
BLANK = json.dumps({"cells": [], "nbformat": 4, "nbformat_minor": 5, "metadata": {}})

CANVAS = {
    f"doejane_101_9001_{FIRST}.ipynb": BLANK,
    f"doejane_101_9002_{SECOND}-1.ipynb": BLANK,
    f"roebob_LATE_102_9003_{FIRST}-2.ipynb": BLANK,
    "roebob_102_9004_notes.pdf": "%PDF",
    "whole class.txt": "from nobody",
}
MOODLE_FOLDERS = {
    f"Jane Doe_101_assignsubmission_file/{FIRST}.ipynb": BLANK,
    f"Bob van der Roe_102_assignsubmission_file_/work/{SECOND}.ipynb": BLANK,
    "Bob van der Roe_102_assignsubmission_onlinetext/onlinetext.html": "<p>done</p>",
}
MOODLE_FLAT = {
    f"Jane Doe_101_assignsubmission_file_{FIRST}.ipynb": BLANK,
    f"Bob van der Roe_102_assignsubmission_file_{SECOND}.ipynb": BLANK,
}
GRADESCOPE = {
    "assignment_7_export/submission_metadata.yml": """\
submission_11:
  :submitters:
  - :name: Jane Doe
    :sid: '101'
    :email: jane@example.org
  - :name: Bob Roe
    :sid: '102'
    :email: bob@example.org
  :created_at: 2026-03-01 10:00:00.000000000 Z
  :score: 1.0
submission_12:
  :submitters:
  - :name: Cy Lee
    :email: cy@example.org
""",
    f"assignment_7_export/submission_11/{FIRST}.ipynb": BLANK,
    f"assignment_7_export/submission_12/notebooks/{SECOND}.ipynb": BLANK,
    f"assignment_7_export/submission_13/{SECOND}.ipynb": BLANK,
}
GITHUB = {
    "week-1-ada/.git/config": "",
    f"week-1-ada/notebooks/{FIRST}.ipynb": BLANK,
    "week-1-bob-roe/.git/config": "",
    f"week-1-bob-roe/{SECOND}.ipynb": BLANK,
    "week-1-bob-roe/README.md": "hello",
}
PLAIN = {
    f"ada/{FIRST}.ipynb": BLANK,
    f"bob/week 1/{SECOND}.ipynb": BLANK,
    "bob/week 1/timestamp.txt": "2026-03-01",
    "bob/drawing.png": "",
    f"bob/week 1/deeper/{FIRST}.ipynb": BLANK,
    f"{FIRST}.ipynb": BLANK,
}

# layout, files, (student, notebook) of each submission, how many files are passed over
EXPORTS = {
    "canvas": (
        "canvas",
        CANVAS,
        {("doejane_101", FIRST), ("doejane_101", SECOND), ("roebob_102", FIRST)},
        2,
    ),
    "moodle in folders": (
        "moodle",
        MOODLE_FOLDERS,
        {("Jane Doe_101", FIRST), ("Bob van der Roe_102", SECOND)},
        1,
    ),
    "moodle, flat": (
        "moodle",
        MOODLE_FLAT,
        {("Jane Doe_101", FIRST), ("Bob van der Roe_102", SECOND)},
        0,
    ),
    "gradescope": (
        "gradescope",
        GRADESCOPE,
        {("jane@example.org", FIRST), ("bob@example.org", FIRST), ("cy@example.org", SECOND)},
        1,
    ),
    "github": ("github", GITHUB, {("ada", FIRST), ("bob-roe", SECOND)}, 1),
    "folder": ("folder", PLAIN, {("ada", FIRST), ("bob", SECOND)}, 3),
}


def folder_of(place: Path, files: Mapping[str, str]) -> Path:
    for name, content in files.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return place


def zip_of(path: Path, files: Mapping[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def taken_in(submitted: Path, tmp_path: Path, layout: str | None = None, keep: str | None = None) -> HandedIn:
    out = tmp_path / "results"
    out.mkdir(exist_ok=True)
    with opened(submitted) as export:
        handed_in = take_in(export, out, layout, keep)
    handed_in.write(out)
    return handed_in


def remarks(tmp_path: Path) -> dict[str, list[dict[str, str]]]:
    found: dict[str, list[dict[str, str]]] = {}
    with open(tmp_path / "results" / TABLE, newline="", encoding="utf-8-sig") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["file"], []).append(row)
    return found


@pytest.mark.parametrize("packed", [False, True], ids=["folder", "zip"])
@pytest.mark.parametrize("kind", EXPORTS)
def test_recognised(kind: str, packed: bool, tmp_path: Path) -> None:
    """Each layout is recognised, unpacked or not; each notebook has its student; each other file has a reason."""
    layout, files, expected, passed_over = EXPORTS[kind]
    submitted = zip_of(tmp_path / "export.zip", files) if packed else folder_of(tmp_path / "submitted", files)
    handed_in = taken_in(submitted, tmp_path)
    assert handed_in.layout == layout
    assert {(one.student, one.notebook) for one in handed_in.submissions} == expected
    listed = remarks(tmp_path)
    assert set(listed) == {name for name in files if "/." not in name}
    assert all(row["result"] or row["remark"] for rows in listed.values() for row in rows)
    assert handed_in.passed_over == passed_over


def test_named_layout(tmp_path: Path) -> None:
    """A layout that is named overrides what would be recognised, and one that cannot be is refused."""
    submitted = folder_of(tmp_path / "submitted", GITHUB)
    assert {one.student for one in taken_in(submitted, tmp_path, "folder").submissions} == {
        "week-1-ada",
        "week-1-bob-roe",
    }
    with pytest.raises(CannotGrade, match=r"submission_metadata\.yml"):
        taken_in(submitted, tmp_path, "gradescope")


def test_when_handed_in(tmp_path: Path) -> None:
    """Gradescope says when a submission was handed in."""
    (one,) = [
        one
        for one in taken_in(zip_of(tmp_path / "g.zip", GRADESCOPE), tmp_path).submissions
        if one.student == "bob@example.org"
    ]
    assert one.submitted.startswith("2026-03-01")


def test_newest_counts(tmp_path: Path) -> None:
    """Of several versions in an export the newest counts, whatever its name, and the other is named with a reason."""
    owner = "Jane Doe_101_assignsubmission_file"
    with zipfile.ZipFile(tmp_path / "m.zip", "w") as archive:
        for name, year in (
            (f"{FIRST}.ipynb", 2024),
            (f"{FIRST} (1).ipynb", 2025),
            (f"{FIRST} (2).ipynb", 2023),
        ):
            archive.writestr(zipfile.ZipInfo(f"{owner}/{name}", (year, 1, 1, 0, 0, 0)), BLANK)
    submissions = taken_in(tmp_path / "m.zip", tmp_path).submissions
    (counts,) = [one for one in submissions if one.notebook == FIRST]
    assert counts.path.name == f"{FIRST} (1).ipynb"
    listed = remarks(tmp_path)
    assert "counts" in listed[f"{owner}/{FIRST}.ipynb"][0]["remark"]
    assert listed[f"{owner}/{FIRST} (1).ipynb"][0]["result"] == FIRST


def test_later_upload_counts(tmp_path: Path) -> None:
    """Canvas numbers its uploads: the larger number is the later one, whatever the times in the zip say."""
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archive:
        for number, year in ((999, 2025), (1000, 2024)):
            name = f"doejane_101_{number}_{FIRST}.ipynb"
            archive.writestr(zipfile.ZipInfo(name, (year, 1, 1, 0, 0, 0)), BLANK)
    taken_in(tmp_path / "c.zip", tmp_path)
    assert remarks(tmp_path)[f"doejane_101_1000_{FIRST}.ipynb"][0]["result"] == FIRST


@pytest.mark.parametrize(
    ("keep", "submissions"),
    [
        (None, {f"{FIRST}.ipynb": (FIRST, "")}),
        ("newest", {f"{FIRST} (1).ipynb": (FIRST, "")}),
        ("best", {f"{FIRST} (1).ipynb": (FIRST, ""), f"{FIRST}.ipynb": (f"{FIRST}.ipynb", "")}),
    ],
)
def test_keep(keep: str | None, submissions: dict[str, tuple[str, str]], tmp_path: Path) -> None:
    """In a folder the exact name counts unless the newest is asked for; with `best` every version is graded."""
    folder = folder_of(tmp_path / "in", {f"ada/{FIRST}.ipynb": BLANK, f"ada/{FIRST} (1).ipynb": BLANK})
    os.utime(folder / "ada" / f"{FIRST}.ipynb", (1, 1))
    found = taken_in(folder, tmp_path, keep=keep).submissions
    readable = {one.path.name: (one.result, one.refused) for one in found if not one.refused}
    assert readable == submissions
    assert {one.notebook for one in found if not one.refused} == {FIRST}
    listed = remarks(tmp_path)
    assert set(listed) == {f"ada/{FIRST}.ipynb", f"ada/{FIRST} (1).ipynb"}
    assert sum("counts" in row["remark"] for rows in listed.values() for row in rows) == 2 - len(submissions)


def test_late_by_its_name(tmp_path: Path) -> None:
    """Canvas says that a file is late, not when it came; what it says of one file is not said of another."""
    both = {**CANVAS, f"roebob_102_9009_{SECOND}.ipynb": BLANK}
    found = taken_in(zip_of(tmp_path / "c.zip", both), tmp_path).submissions
    assert {(one.student, one.notebook, one.submitted) for one in found} == {
        ("doejane_101", FIRST, ""),
        ("doejane_101", SECOND, ""),
        ("roebob_102", FIRST, "late, says Canvas"),
        ("roebob_102", SECOND, ""),
    }


ODD = {
    f"ada/{FIRST}.ipynb": BLANK,
    f"ada/{FIRST} (1).ipynb": BLANK,
    "ada/essay.ipynb": "{}",
    "ada/notes.txt": "",
    "ada/timestamp.txt": "2026-03-01",
    f"bob/week 1/{FIRST}.ipynb": "half",
    f"bob/a/b/{FIRST}.ipynb": BLANK,
    "readme.md": "",
}


@pytest.mark.parametrize("keep", [None, "newest", "best"])
@pytest.mark.parametrize("packed", [False, True], ids=["folder", "zip"])
def test_every_file_is_accounted_for(packed: bool, keep: str | None, tmp_path: Path) -> None:
    """Every file has a result or a reason, and the counts of the closing line add up to all files."""
    folder = folder_of(tmp_path / "in", ODD)
    if not packed:  # what a zip would refuse
        (folder / "eve").symlink_to(folder / "ada")
        (folder / "ada" / "loop.ipynb").symlink_to("loop.ipynb")
        (folder / "bob" / f"{SECOND}.ipynb").mkdir()
        (folder / "bob" / f"{SECOND}.ipynb" / "inside.txt").write_text("")
    handed_in = taken_in(zip_of(tmp_path / "x.zip", ODD) if packed else folder, tmp_path, keep=keep)
    rows = [row for found in remarks(tmp_path).values() for row in found]
    assert all(row["result"] or row["remark"] for row in rows)
    assert set(ODD) <= {row["file"] for row in rows} and len(rows) == handed_in.files
    results = {(one.student, one.result) for one in handed_in.submissions}
    assert {(row["student"], row["result"]) for row in rows if row["result"]} == results
    told = [row for row in rows if row["remark"] == WHEN]
    assert handed_in.files == len(results) + handed_in.passed_over + len(told)
    assert len(told) == 1 and handed_in.passed_over == (3 if packed else 4)


def test_again(tmp_path: Path) -> None:
    """A later export replaces what the last one left: who has withdrawn is gone, and a file that is the same stays."""
    taken_in(zip_of(tmp_path / "a.zip", MOODLE_FLAT), tmp_path)
    place = tmp_path / "results" / FOLDER
    before = (place / "Jane Doe_101" / f"{FIRST}.ipynb").stat().st_ino
    fewer = {name: text for name, text in MOODLE_FLAT.items() if name.startswith("Jane")}
    assert [one.student for one in taken_in(zip_of(tmp_path / "b.zip", fewer), tmp_path).submissions] == [
        "Jane Doe_101"
    ]
    assert os.listdir(place) == ["Jane Doe_101"]
    assert (place / "Jane Doe_101" / f"{FIRST}.ipynb").stat().st_ino == before


@pytest.mark.parametrize(
    "name",
    [f"../../{FIRST}.ipynb", f"/etc/{FIRST}.ipynb", f"ada/../../../{FIRST}.ipynb", f"ada//{FIRST}.ipynb"],
)
def test_names_that_lead_out(name: str, tmp_path: Path) -> None:
    """A zip cannot write outside the results, and what it tried is named."""
    submitted = zip_of(tmp_path / "evil.zip", {name: BLANK, f"ada/{FIRST}.ipynb": BLANK})
    assert len(taken_in(submitted, tmp_path).submissions) == 1
    inside = set(tmp_path.rglob("*.ipynb"))
    assert inside == {tmp_path / "results" / FOLDER / "ada" / f"{FIRST}.ipynb"}
    assert sum(bool(row["remark"]) for rows in remarks(tmp_path).values() for row in rows) == 1


def test_link_in_a_zip(tmp_path: Path) -> None:
    """A link in a zip is neither made nor followed."""
    with zipfile.ZipFile(tmp_path / "l.zip", "w") as archive:
        link = zipfile.ZipInfo(f"ada/{FIRST}.ipynb")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr(f"bob/{FIRST}.ipynb", BLANK)
    assert [one.student for one in taken_in(tmp_path / "l.zip", tmp_path).submissions] == ["bob"]
    assert "link" in remarks(tmp_path)[f"ada/{FIRST}.ipynb"][0]["remark"]


def test_more_than_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that unpacks to more than a notebook may have is passed over, and not unpacked any further."""
    submitted = tmp_path / "bomb.zip"
    with zipfile.ZipFile(submitted, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"ada/{FIRST}.ipynb", " " * 150_000_000)
        archive.writestr(f"bob/{FIRST}.ipynb", BLANK)
    assert [one.student for one in taken_in(submitted, tmp_path).submissions] == ["bob"]
    assert "larger" in remarks(tmp_path)[f"ada/{FIRST}.ipynb"][0]["remark"]


@pytest.mark.parametrize("damage", ["cut", "not a zip", "flipped"])
def test_damaged_zip(damage: str, tmp_path: Path) -> None:
    """A damaged zip is an error in a line, or costs the file that is damaged; never a traceback."""
    path = zip_of(tmp_path / "d.zip", PLAIN)
    content = path.read_bytes()
    if damage == "flipped":
        place = content.index(b'"cells"')
        path.write_bytes(content[:place] + b"#" + content[place + 1 :])
        handed_in = taken_in(path, tmp_path)
        assert len(handed_in.submissions) == 1
        assert any("cannot be read" in row["remark"] for rows in remarks(tmp_path).values() for row in rows)
    else:
        path.write_bytes(content[: len(content) // 2] if damage == "cut" else b"not a zip")
        with pytest.raises(CannotGrade, match="nor a zip"):
            taken_in(path, tmp_path)


def test_damaged_metadata(tmp_path: Path) -> None:
    """Gradescope's list of submissions that cannot be read stops the run with its reason."""
    files = {**GRADESCOPE, "assignment_7_export/submission_metadata.yml": "a: [1, {"}
    with pytest.raises(CannotGrade, match=r"submission_metadata\.yml cannot be read"):
        taken_in(zip_of(tmp_path / "g.zip", files), tmp_path)


def test_long_and_odd_names(tmp_path: Path) -> None:
    """Names that no folder can have are cut short and kept apart."""
    long = "x" * 300
    files = {
        f"{long}a_101_assignsubmission_file/{FIRST}.ipynb": BLANK,
        f"{long}b_102_assignsubmission_file/{FIRST}.ipynb": BLANK,
        f"Dots\\.._103_assignsubmission_file/{FIRST}.ipynb": BLANK,
    }
    assert len({one.student for one in taken_in(zip_of(tmp_path / "m.zip", files), tmp_path).submissions}) == 3


def test_asked_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Which layout it is, and whose each file is, is decided once; and the owners of notebooks are handed on."""
    asked: list[str] = []

    def counting(export: Export, layout: str | None) -> Layout:
        found = recognise(export, layout)

        def owners(one: Found) -> list[Owner]:
            asked.append(one.name)
            return found.owners(one)

        asked.append("the layout")
        return replace(found, owners=owners)

    monkeypatch.setattr("course_attention.grading.intake.listing.recognise", counting)
    _, files, expected, _ = EXPORTS["canvas"]
    handed_in = taken_in(zip_of(tmp_path / "export.zip", files), tmp_path)
    assert len(asked) == len(set(asked)) > len(expected)
    assert {owner.student for owner in handed_in.owners} == {student for student, _ in expected}


def test_folders_without_end(tmp_path: Path) -> None:
    """Folders within each other, more than Python can follow or a path can name, stop nobody: they are named."""
    folder_of(tmp_path / "in", {f"ada/{FIRST}.ipynb": BLANK})
    mallory = tmp_path / "in" / "mallory"
    mallory.mkdir()
    place = os.open(mallory, os.O_RDONLY)
    for _ in range(1100):
        os.mkdir("longer", dir_fd=place)
        inner = os.open("longer", os.O_RDONLY, dir_fd=place)
        os.close(os.open(f"{FIRST}.ipynb", os.O_CREAT, dir_fd=inner))
        os.close(place)
        place = inner
    os.close(place)
    try:
        found = taken_in(tmp_path / "in", tmp_path)
        assert [one.student for one in found.submissions] == ["ada", "mallory"]
        assert 39 <= sum(one.file.startswith("mallory") for one in found.listed) <= 41
    finally:
        subprocess.run(["rm", "-r", mallory], check=True)


def test_files_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One student's files, however many, stop nobody: every notebook is found, and the others are named or counted."""
    monkeypatch.setattr(exports, "MOST_FILES", 10)
    files = {f"mallory/{number}.txt": "" for number in range(30)}
    files |= {f"zoe/{FIRST}.ipynb": BLANK, "zoe/timestamp.txt": "2026-10-01"}
    for path in (folder_of(tmp_path / "in", files), zip_of(tmp_path / "in.zip", files)):
        found = taken_in(path, tmp_path)
        assert [(one.student, one.submitted) for one in found.submissions] == [("zoe", "2026-10-01")]
        assert [one.file for one in found.listed if "more" in one.file] == ["and 20 more files"]
        assert found.passed_over == 11


def test_names_without_end() -> None:
    """Thousands of notebooks of one name in a student's folders are told apart in a moment: it took minutes once."""
    kept: dict[Path, int] = {}
    began = time.process_time()
    for _ in range(3000):  # half a minute, where the time grew with the square of their number
        kept[_free(Path("ada"), "01.ipynb", kept)] = 0
    assert time.process_time() - began < 3
    assert len(kept) == 3000 and Path("ada", "01 (2999).ipynb") in kept
