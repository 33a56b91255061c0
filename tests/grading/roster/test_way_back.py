"""What goes back to each LMS: its own IDs and its own columns, blanks where there is no mark, feedback by its names."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from pathlib import Path

import pytest

from course_attention.grading.intake.arrange import arrange
from course_attention.grading.intake.export import opened
from course_attention.grading.intake.layouts import recognise
from course_attention.grading.intake.listing import TABLE
from course_attention.grading.roster.enrolment import FILE
from course_attention.grading.roster.origins import keep_origins
from course_attention.grading.views import write_all
from tests.grading.roster.lists import CANVAS, GRADESCOPE, PARTICIPANTS, PLAIN, TEAM_WORKSHEET, WORKSHEET
from tests.grading.views.made import exercise, not_judged, record, write

FIRST, SECOND = "00_start_here", "02_queries_keys_values"
MARK = b"\xef\xbb\xbf"
HALF = [exercise(), exercise("mean_attention", "failed", 0.0)]  # 4 of 8 points
UNJUDGED = [exercise(), not_judged("mean_attention")]


def table(path: Path) -> list[list[str]]:
    return list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline="")))


def by_name(path: Path) -> dict[str, dict[str, str]]:
    header, *rows = table(path)
    at = header.index("Student") if "Student" in header else header.index("name")
    return {row[at]: dict(zip(header, row, strict=True)) for row in rows}


def views(results: Path, roster: str | bytes, *records: dict, export: tuple[str, ...] = ()) -> list[str]:
    """Give the views of results made by hand, with a class list, and with an LMS's file names where there are any."""
    write(results, *records)
    (results / FILE).write_bytes(roster if isinstance(roster, bytes) else roster.encode())
    if export:
        with zipfile.ZipFile(results / "export.zip", "w") as archive:
            for name in export:
                archive.writestr(name, "{}")
        with opened(results / "export.zip") as found:
            layout = recognise(found)
            handed_in = arrange(found, layout, results / "handed_in")
        keep_origins((one.owner for one in handed_in if one.owner), results, layout.name)
        rows = [(one.found.name, one.owner.student, Path(one.owner.file).stem) for one in handed_in if one.owner]
        with open(results / TABLE, "w", newline="") as file:
            csv.writer(file).writerows([("file", "student", "result"), *rows])
    return list(write_all(results).lines)


CANVAS_EXPORT = (
    f"doejane_101_9001_{FIRST}.ipynb",
    f"roebob_LATE_102_9002_{FIRST}-1.ipynb",
    f"leeann_103_9003_{FIRST}.ipynb",
    f"stranger_555_9004_{FIRST}.ipynb",
)
CANVAS_CLASS = (
    record("doejane_101", HALF, notebook=FIRST),
    record("doejane_101", HALF, notebook=SECOND),
    record("roebob_102", UNJUDGED, notebook=FIRST),
    record("leeann_103", notebook=FIRST),
    record("stranger_555", HALF, notebook=FIRST),
)


class TestCanvas:
    """A gradebook exported from Canvas, and what is imported there again."""

    def test_gradebook(self, tmp_path: Path) -> None:
        """Canvas's own ID columns and titles, the points, only what is graded; nobody who is not in the course."""
        views(tmp_path, CANVAS, *CANVAS_CLASS, export=CANVAS_EXPORT)
        header, possible, *students = table(tmp_path / "canvas.csv")
        ids = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
        assert header == [*ids, "00_start_here (7001)", SECOND]
        assert possible == ["Points Possible", "", "", "", "", "8", "8"]
        assert [row[:2] for row in students] == [
            ["Doe, Jane", "101"],
            ["Roe, Bob", "102"],
            ["Lee, Ann", "103"],
            ["Lee, Cy", "104"],
        ]
        assert [row[5:] for row in students] == [["4", "4"], ["", ""], ["3.50", ""], ["EX", ""]]

    def test_read_as_canvas_reads_it(self, tmp_path: Path) -> None:
        """Canvas's reader knows the header by its first cells, and refuses a quoted cell behind a byte-order mark."""
        views(tmp_path, "\ufeff" + CANVAS, *CANVAS_CLASS, export=CANVAS_EXPORT)
        content = (tmp_path / "canvas.csv").read_bytes()
        assert not content.startswith(MARK) and content.startswith(b'"Student","ID",')
        for title in table(tmp_path / "canvas.csv")[0][5:]:
            assert re.fullmatch(r"(.*)\s\((\d+)\)", title) or title == SECOND

    def test_other_points(self, tmp_path: Path) -> None:
        """Where Canvas counts out of another number, grades are converted, and a line says so."""
        lines = views(tmp_path, CANVAS.replace(",8.00,", ",20,"), *CANVAS_CLASS, export=CANVAS_EXPORT)
        jane = by_name(tmp_path / "canvas.csv")["Doe, Jane"]
        assert (jane["00_start_here (7001)"], jane[SECOND]) == ("10", "4")
        assert any("20 points in Canvas and 8 here" in line for line in lines)
        assert any(f"exactly one assignment called '{SECOND}'" in line for line in lines)

    def test_grades(self, tmp_path: Path) -> None:
        """Everybody has a row with name, ID, section and status, and what belongs to nobody on the list as well."""
        lines = views(tmp_path, CANVAS, *CANVAS_CLASS, export=CANVAS_EXPORT)
        assert (tmp_path / "grades.csv").read_bytes().startswith(MARK)
        header, *rows = table(tmp_path / "grades.csv")
        assert header == ["student", "name", "id", "section", "status", FIRST, SECOND, "total", "max"]
        assert rows == [
            ["doejane_101", "Doe, Jane", "S1", "A", "handed in", "4", "4", "8", "16"],
            ["roebob_102", "Roe, Bob", "S2", "B", "handed in", "", "", "", ""],
            ["leeann_103", "Lee, Ann", "S3", "A", "handed in", "", "", "", ""],
            ["", "Lee, Cy", "S4", "B", "absent", "", "", "", ""],
            ["stranger_555", "", "", "", "not on the class list", "4", "", "4", "8"],
        ]
        assert any("stranger_555" in line for line in lines)
        assert table(tmp_path / "class_list.csv")[-1][4:6] == ["not on the class list", "stranger_555"]
        assert "Doe, Jane" in (tmp_path / "report.html").read_text()

    def test_excused(self, tmp_path: Path) -> None:
        """Whom Canvas excuses from all that is graded is excused."""
        lines = views(tmp_path, CANVAS, CANVAS_CLASS[0], export=CANVAS_EXPORT)
        assert by_name(tmp_path / "grades.csv")["Lee, Cy"]["status"] == "excused"
        assert any("4 students: 1 handed in, 1 excused, 2 absent" in line for line in lines)

    def test_feedback(self, tmp_path: Path) -> None:
        """Each page has the two numbers that Canvas looks for before the name of what was handed in."""
        views(tmp_path, CANVAS, CANVAS_CLASS[0], CANVAS_CLASS[2], export=CANVAS_EXPORT)
        names = zipfile.ZipFile(tmp_path / "canvas_feedback.zip").namelist()
        assert names[0] == f"doejane_101_9001_{FIRST}.html"
        numbers = [[part for part in name.split("_") if re.fullmatch(r"\d+", part)][:2] for name in names]
        assert numbers == [["101", "9001"], ["102", "9002"]]

    def test_again(self, tmp_path: Path) -> None:
        """The views are the same bytes when they are written again."""
        views(tmp_path, CANVAS, *CANVAS_CLASS, export=CANVAS_EXPORT)
        before = {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
        write_all(tmp_path)
        assert before == {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}


MOODLE_EXPORT = (
    f"Jane Doe_101_assignsubmission_file/{FIRST}.ipynb",
    f"Bob Roe_102_assignsubmission_file/{FIRST}.ipynb",
    f"Ann Lee_103_assignsubmission_file/{FIRST}.ipynb",
)
MOODLE_CLASS = (
    record("Jane Doe_101", HALF, notebook=FIRST),
    record("Bob Roe_102", UNJUDGED, notebook=FIRST),
    record("Ann Lee_103", notebook=FIRST),
)


def participants(names: list[str]) -> list[tuple[str, str, str, str]]:
    """Take from names in a zip what Moodle's upload of feedback does: participant, type and name of plugin, file."""
    found = []
    for name in names:
        folder, _, file = name.partition("/")
        _, participant, kind, plugin, rest = folder.split("_", 4)
        found.append((participant, kind, plugin, rest + file))
    return found


class TestMoodle:
    """A grading worksheet, and what is uploaded in its place."""

    def test_worksheet(self, tmp_path: Path) -> None:
        """Only the grades that there are change; every other cell, row and column is as it came."""
        lines = views(tmp_path, WORKSHEET, *MOODLE_CLASS, export=MOODLE_EXPORT)
        came = list(csv.reader(io.StringIO(WORKSHEET)))
        came[1][4] = "50"
        assert table(tmp_path / "moodle_worksheet.csv") == came
        assert any("100 points in Moodle and 8 here" in line for line in lines)

    @pytest.mark.parametrize("mark", [b"", MARK])
    def test_begins_as_it_came(self, mark: bytes, tmp_path: Path) -> None:
        """A worksheet that came with a byte-order mark goes back with one, and no other does."""
        views(tmp_path, mark + WORKSHEET.encode(), *MOODLE_CLASS, export=MOODLE_EXPORT)
        assert (tmp_path / "moodle_worksheet.csv").read_bytes().startswith(mark + b"Identifier,")

    def test_several_notebooks(self, tmp_path: Path) -> None:
        """One assignment may hold several notebooks: they are added up. Where one is not judged there is no grade."""
        more = [record(one["student"], HALF, notebook=SECOND) for one in MOODLE_CLASS]
        views(tmp_path, WORKSHEET.replace("100.00", "16.00"), *MOODLE_CLASS, *more, export=MOODLE_EXPORT)
        assert [row[4] for row in table(tmp_path / "moodle_worksheet.csv")[1:]] == ["8", "", "55.00", ""]

    def test_feedback(self, tmp_path: Path) -> None:
        """Every page is in the folder that Moodle's upload takes for its student's."""
        views(tmp_path, WORKSHEET, *MOODLE_CLASS, export=MOODLE_EXPORT)
        names = zipfile.ZipFile(tmp_path / "moodle_feedback.zip").namelist()
        page = ("assignsubmission", "file", f"{FIRST}.html")
        assert sorted(participants(names)) == [(number, *page) for number in ("101", "102", "103")]

    def test_feedback_without_a_class_list(self, tmp_path: Path) -> None:
        """The numbers in the names of the zip are enough."""
        views(tmp_path, PARTICIPANTS, *MOODLE_CLASS, export=MOODLE_EXPORT)
        (tmp_path / FILE).unlink()
        write_all(tmp_path)
        names = zipfile.ZipFile(tmp_path / "moodle_feedback.zip").namelist()
        assert sorted(one[0] for one in participants(names)) == ["101", "102", "103"]
        assert not (tmp_path / "class_list.csv").exists() and not (tmp_path / "moodle_worksheet.csv").exists()

    def test_teams(self, tmp_path: Path) -> None:
        """What a team handed in gives each member a grade and feedback, under the member's own number."""
        export = (f"Team red_12_assignsubmission_file/{FIRST}.ipynb",)
        views(tmp_path, TEAM_WORKSHEET, record("Team red_12", HALF, notebook=FIRST), export=export)
        assert [row[5] for row in table(tmp_path / "moodle_worksheet.csv")[1:]] == ["50", "50", ""]
        names = zipfile.ZipFile(tmp_path / "moodle_feedback.zip").namelist()
        assert [one[0] for one in participants(names)] == ["101", "102"]

    def test_gradebook(self, tmp_path: Path) -> None:
        """Moodle's gradebook finds students by what the class list has: here by the address."""
        views(tmp_path, WORKSHEET, *MOODLE_CLASS, export=MOODLE_EXPORT)
        assert [[cell.strip() for cell in row] for row in table(tmp_path / "moodle.csv")] == [
            ["email", FIRST],
            ["jane@example.org", "4"],
            ["bob@example.org", "-"],
            ["ann@example.org", "-"],
            ["cy@example.org", "-"],
        ]
        assert not (tmp_path / "moodle.csv").read_bytes().startswith(MARK)


def test_marked_without_names(tmp_path: Path) -> None:
    """Where markers may not see names, the participant's number is all that there is, and it is enough."""
    rows = [
        'Identifier,Status,Grade,"Maximum Grade"',
        '"Participant 101",Done,,100',
        '"Participant 102",Draft,,100',
    ]
    blind = "\n".join(rows)
    export = (f"Participant_101_assignsubmission_file/{FIRST}.ipynb",)
    views(tmp_path, blind, record("Participant_101", HALF, notebook=FIRST), export=export)
    assert [row[2] for row in table(tmp_path / "moodle_worksheet.csv")] == ["Grade", "50", ""]
    assert zipfile.ZipFile(tmp_path / "moodle_feedback.zip").namelist() == [
        f"student_101_assignsubmission_file_/{FIRST}.html"
    ]
    assert [row[0] for row in table(tmp_path / "moodle.csv")] == ["username", "Participant_101"]


@pytest.mark.parametrize(("roster", "folder"), [(GRADESCOPE, "jane@example.org"), (PLAIN, "jdoe")])
def test_other_lists(roster: str, folder: str, tmp_path: Path) -> None:
    """Marks of an export of Gradescope, or of plain folders, go to Canvas by the IDs that the list has."""
    views(tmp_path, roster.replace("S1,", "S1,", 1), record(folder, HALF, notebook=FIRST))
    jane = by_name(tmp_path / "canvas.csv")["Jane Doe"]
    assert (jane["SIS User ID"], jane["Section"], jane[FIRST]) == ("S1", "A", "4")
    assert by_name(tmp_path / "canvas.csv")["Ann Lee"][FIRST] == ""


def test_excused_on_a_plain_list(tmp_path: Path) -> None:
    """Who is excused there is excused in Canvas."""
    views(tmp_path, PLAIN, record("jdoe", HALF, notebook=FIRST))
    assert by_name(tmp_path / "canvas.csv")["Cy Lee"][FIRST] == "EX"
    assert by_name(tmp_path / "grades.csv")["Cy Lee"]["status"] == "excused"


def test_two_assignments_one_after_the_other(tmp_path: Path) -> None:
    """What the first export said of its students is kept when a second one is graded into the same results."""
    views(tmp_path, CANVAS, CANVAS_CLASS[0], export=CANVAS_EXPORT[:1])
    views(tmp_path, CANVAS, record("roebob_102", HALF, notebook=SECOND), export=CANVAS_EXPORT[1:2])
    found = by_name(tmp_path / "canvas.csv")
    assert found["Doe, Jane"]["00_start_here (7001)"] == "4" and found["Roe, Bob"][SECOND] == "4"
