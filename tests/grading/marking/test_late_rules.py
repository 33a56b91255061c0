"""Due dates: what each day takes off, what is not known is not taken off, and errors that say what was expected."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path

import pytest

from course_attention.course.cells import course_stems
from course_attention.grading.errors import CannotGrade
from course_attention.grading.marking import kept_rules, late_tables
from course_attention.grading.marking.drop import Drop
from course_attention.grading.marking.hand_in_time import hand_in_time
from course_attention.grading.marking.late_rules import LateRule, LateRules
from course_attention.grading.marking.late_tables import late_rules, tables_of

FIRST, SECOND = course_stems()[:2]
ROOT = Path(__file__).resolve().parents[3]
DUE = datetime.fromisoformat("2026-10-01T23:59:00+02:00")
DATED = "[late]\nafter = 2026-10-01T23:59:00+02:00\nper_day = 0.1"
RULE = LateRule(DUE, per_day=0.1, at_most=0.25)


@pytest.mark.parametrize(
    ("submitted", "taken_off"),
    [
        ("2026-10-01T23:59:00+02:00", 0.0),
        ("2026-10-01T21:59:00Z", 0.0),
        ("2026-10-01 17:00:00.123456789 America/New_York", 0.0),
        ("2026-10-01T23:59:01+02:00", 0.1),
        ("2026-10-02 21:59:00 UTC", 0.1),
        ("2026-10-02 18:00:00.5 America/New_York", 0.2),
        ("2026-10-02 23:59:00", 0.1),  # without a zone: the due date's
        ("2027-01-01", 0.25),
    ],
)
def test_days(submitted: str, taken_off: float) -> None:
    """Each day that has begun takes off its share, up to the most; zones are compared, not clocks."""
    lateness = RULE.lateness(submitted)
    assert lateness.taken_off == taken_off
    assert lateness.kind == ("late" if taken_off else "on time")
    assert lateness.counted(8.0) == round(8.0 * (1 - taken_off), 2)
    assert bool(lateness.words) is bool(lateness.sentence) is bool(taken_off)


@pytest.mark.parametrize(
    "submitted",
    [
        "",
        "late, says Canvas",
        "2026-10-09 12:00 America/Nowhere",
        "2026-10-09 12:00 America",
        "2026-10-09 12:00 X",
    ],
)
def test_unknown(submitted: str) -> None:
    """Where no time can be read nothing is taken off, and both the instructor and the student are told why."""
    lateness = RULE.lateness(submitted)
    assert (lateness.kind, lateness.counted(8.0)) == ("unknown", 8.0)
    for told in (lateness.words, lateness.sentence):
        assert (submitted or "no time of handing in is known") in told
        assert "othing" in told


@pytest.mark.parametrize("zone", ["../etc/passwd", "/etc/passwd", "America/../../etc", "posix/../x"])
def test_zone_is_no_path(zone: str) -> None:
    """A student may have written the time: the name of a zone opens no file elsewhere."""
    assert hand_in_time(f"2026-10-09 12:00 {zone}", DUE.tzinfo) is None


def test_tables() -> None:
    """A notebook has the rule of its own table, filled up from the common one; others have the common one."""
    rules = late_rules(
        {"late": {"after": DUE, "per_day": 0.1, SECOND: {"after": "2026-11-01T12:00:00Z"}}, "drop": {}},
        course_stems(),
    )
    assert rules.default == LateRule(DUE, 0.1) and rules.drop is None
    assert rules.notebooks == {SECOND: LateRule(datetime.fromisoformat("2026-11-01T12:00:00Z"), 0.1)}
    assert rules.lateness(FIRST, "2026-10-05").kind == "late"
    assert rules.lateness(SECOND, "2026-10-05").kind == "on time"
    only = late_rules({"late": {"per_day": 0.5, SECOND: {"after": DUE}}})
    assert only.lateness(FIRST, "") is None and only.lateness(SECOND, "").kind == "unknown"
    assert late_rules({}) == LateRules()


def test_kept(tmp_path: Path) -> None:
    """Rules are read from a TOML file, and come back from the folder of results as they were."""
    file = tmp_path / "rules.toml"
    file.write_text(
        f"[late]\nafter = 2026-10-01T23:59:00+02:00\nper_day = 0.1\n{SECOND} = {{ per_day = 0, at_most = 0.5 }}\n"
        "[drop]\nall_but_best = 5\n"
    )
    rules = kept_rules.read_toml(file)
    assert rules == LateRules(LateRule(DUE, 0.1), {SECOND: LateRule(DUE, 0.0, 0.5)}, Drop(all_but_best=5))
    assert late_rules(tables_of(rules)) == rules
    assert kept_rules.kept(tmp_path) == LateRules()
    kept_rules.keep(tmp_path, rules)
    assert kept_rules.in_force(tmp_path) == rules
    assert kept_rules.kept(tmp_path) == rules
    kept_rules.keep(tmp_path, LateRules())
    assert kept_rules.kept(tmp_path) == LateRules()


@pytest.mark.parametrize(
    ("text", "expected", "came"),
    [
        ("late = 3", "late is a table", "3"),
        ("late = { per_day = 0.1 }", "late.after is a time with its offset", "missing"),
        ('late = { after = "2026-10-01" , per_day = 0.1 }', "such as 2026-10-01T23:59:00+02:00", "'2026-10-01'"),
        ("late = { after = 2026-10-01T23:59:00, per_day = 0.1 }", "late.after is a time with its offset", "23:59:00"),
        ("late = { after = 2026-10-01T23:59:00Z }", "late.per_day is the share", "missing"),
        ("late = { after = 2026-10-01T23:59:00Z, per_day = 10 }", "late.per_day is the share", "10"),
        ('late = { after = 2026-10-01T23:59:00Z, per_day = "10%" }', "a number from 0 to 1", "'10%'"),
        ("late = { after = 2026-10-01T23:59:00Z, per_day = 0.1, at_most = nan }", "late.at_most is the share", "nan"),
        ("late = { after = 2026-10-01T23:59:00Z, per_dya = 0.1 }", "late may hold after, per_day, at_most", "per_dya"),
        (f"[late.{FIRST}]\nper_day = 0.1", f"late.{FIRST}.after is a time", "missing"),
        (f"{DATED}\n[late.extensions]\nada = 2026-10-09", "extensions.ada is a time with its", "2026-10-09"),
        (f"{DATED}\n[late.extensions]\nada = 'excuse'", 'or "excused"', "'excuse'"),
        (f"{DATED}\n[late.extensions.ada]\n99_nothing = 'excused'", "late.extensions.ada may hold", "99_nothing"),
        (f"{DATED}\nextensions = 1", "late.extensions is a table", "1"),
        ("[late.extensions]\nada = 'excused'", "late.after is a time", "missing"),
        (f"[late.{FIRST}]\nafter = 2026-10-01T23:59:00Z\ndays = 1", f"late.{FIRST} may hold after", "days"),
        ("[late.99_nothing]\nafter = 2026-10-01T23:59:00Z", FIRST, "99_nothing"),
        ("drop = { lowest = -1 }", "drop.lowest is a whole number of 0 or more", "-1"),
        ("drop = { all_but_best = 0 }", "drop.all_but_best is a whole number of 1 or more", "0"),
        ("drop = { lowest = 1, all_but_best = 2 }", "drop holds one of lowest and all_but_best", "both"),
        ("drop = { highest = 1 }", "drop may hold lowest, all_but_best", "highest"),
        ("lat = {}", "the rules may hold late, drop", "lat"),
        ("late = ]", "is not a TOML file", "line 1"),
    ],
)  # fmt: skip
def test_errors(text: str, expected: str, came: str, tmp_path: Path) -> None:
    """An error names the file and the rule, what was expected and what came."""
    file = tmp_path / "rules.toml"
    file.write_text(text)
    with pytest.raises(CannotGrade) as told:
        kept_rules.read_toml(file)
    message = str(told.value)
    assert message.startswith(str(file)) and expected in message and came in message.rpartition("; ")[2]


@pytest.mark.parametrize(
    "page", [ROOT / "docs" / "instructors.md", Path(late_tables.__file__)], ids=lambda one: one.name
)
def test_examples_of_the_guide(page: Path, tmp_path: Path) -> None:
    """What the guide and the module show can be typed as it is."""
    file = tmp_path / "late.toml"
    examples = re.findall(r"^```toml\n(late.*?|\[late.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)
    for example in examples:
        file.write_text(example)
        rules = kept_rules.read_toml(file)
        assert rules.lateness(FIRST, "2099-01-01") or rules.lateness(SECOND, "2099-01-01")
    assert len(examples) == 3


def test_damaged_by_hand(tmp_path: Path) -> None:
    """Rules that somebody has changed by hand are not passed over: points would change in silence."""
    for text in ("", "[]", '{"late": 1}'):
        (tmp_path / kept_rules.FILE).write_text(text)
        with pytest.raises(CannotGrade, match=f"{kept_rules.FILE}.*--late"):
            kept_rules.kept(tmp_path)


def test_drop() -> None:
    """The lowest go first, what was not handed in before them, and at least one notebook counts."""
    shares = {"a": 0.5, "b": 0.2, "c": 0.9}
    assert Drop(lowest=1).dropped(shares, 3) == {"b"}
    assert Drop(lowest=2).dropped(shares, 4) == {"b"}
    assert Drop(lowest=1).dropped(shares, 4) == frozenset()
    assert Drop(lowest=9).dropped(shares, 3) == {"a", "b"}
    assert Drop(lowest=1).dropped({"a": 0.5}, 1) == frozenset()
    assert Drop(all_but_best=1).dropped(shares, 3) == {"a", "b"}
    assert Drop(all_but_best=5).dropped(shares, 3) == frozenset()
    assert Drop(lowest=1).dropped({}, 3) == frozenset()
