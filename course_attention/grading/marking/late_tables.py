"""Reads late rules from TOML tables, and writes them as such.

```toml
late = { after = "2026-10-01T23:59:00+02:00", per_day = 0.1, at_most = 0.5 }
drop = { lowest = 1 }            # or { all_but_best = 5 }
```

A notebook may have a table of its own in `late`. What it does not say is as for all others:

```toml
[late]
per_day = 0.1
01_seq2seq_attention.after = 2026-10-01T23:59:00+02:00
02_queries_keys_values.after = 2026-10-08T23:59:00+02:00
```

Students, teams and sections may have due dates of their own, for all notebooks or for some:

```toml
[late]
after = 2026-10-01T23:59:00+02:00
per_day = 0.1

[late.extensions]
"ada@example.org" = 2026-10-15T23:59:00+02:00
bob = "excused"
eve.02_queries_keys_values = 2026-10-22T23:59:00+02:00
```
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from course_attention.grading.errors import CannotGrade
from course_attention.grading.marking.drop import Drop
from course_attention.grading.marking.late_rules import Extension, LateRule, LateRules

_FIELDS = ("after", "per_day", "at_most")
_EXTENSIONS = "extensions"
_EXCUSED = "excused"
_DROPS = ("lowest", "all_but_best")
_TIME = "a time with its offset from UTC, such as 2026-10-01T23:59:00+02:00"
_SHARE = "the share of the points that {}, a number from 0 to 1"
_PER_DAY, _AT_MOST = _SHARE.format("each day takes off"), _SHARE.format("is taken off at most")


def late_rules(tables: Mapping[str, Any], notebooks: Collection[str] | None = None) -> LateRules:
    """Read late rules.

    Args:
        tables: `late` and `drop`, each of which may be missing.
        notebooks: those of the course; a rule for any other is an error. None allows every name.

    Raises:
        CannotGrade: a table breaks a rule; the message says which, what was expected and what came.

    Example:
        >>> late_rules({"drop": {"lowest": 1}}).drop
        Drop(lowest=1, all_but_best=None)
        >>> late_rules({"late": {"after": "tomorrow", "per_day": 0.1}})
        Traceback (most recent call last):
        course_attention.grading.errors.CannotGrade: late.after is a time with its offset from UTC, such as \
2026-10-01T23:59:00+02:00; got 'tomorrow'
    """
    _only(tables, ("late", "drop"), "the rules")
    late = _table(tables, "late")
    common = {name: late[name] for name in _FIELDS if name in late}
    named = [name for name in late if name not in (*_FIELDS, _EXTENSIONS)]
    if unknown := [name for name in named if notebooks is not None and name not in notebooks]:
        expected = f"{', '.join(_FIELDS)}, {_EXTENSIONS} and tables of notebooks ({', '.join(notebooks or ())})"
        raise CannotGrade(f"late may hold {expected}; got {unknown[0]!r}")
    own = {name: _table(late, name, "late.") for name in named}
    if late and "after" not in common and not own:
        raise CannotGrade(f"late.after is {_TIME}; it is missing")
    for name, table in own.items():
        _only(table, _FIELDS, f"late.{name}")
    return LateRules(
        _rule(common, "late") if "after" in common else None,
        {name: _rule({**common, **table}, f"late.{name}") for name, table in own.items()},
        _drop(_table(tables, "drop")),
        {
            who: _extension(said, f"late.{_EXTENSIONS}.{who}", notebooks)
            for who, said in _table(late, _EXTENSIONS, "late.").items()
        },
    )


def tables_of(rules: LateRules) -> dict[str, Any]:
    """Return the tables from which `late_rules` reads these rules again.

    Example:
        >>> tables_of(LateRules(drop=Drop(lowest=1)))
        {'late': {}, 'drop': {'lowest': 1}}
    """
    drop = {name: getattr(rules.drop, name, None) for name in _DROPS}
    extensions = {who: _said(extension) for who, extension in rules.extensions.items()}
    return {
        "late": {
            **(_fields(rules.default) if rules.default else {}),
            **{name: _fields(rule) for name, rule in rules.notebooks.items()},
            **({_EXTENSIONS: extensions} if extensions else {}),
        },
        "drop": {name: number for name, number in drop.items() if number is not None},
    }


def _fields(rule: LateRule) -> dict[str, Any]:
    return {"after": rule.after.isoformat(), "per_day": rule.per_day, "at_most": rule.at_most}


def _said(extension: Extension) -> Any:
    """Return an extension as it stands in a table: one date, or a table of notebooks."""
    dates = {notebook: _EXCUSED if until is None else until.isoformat() for notebook, until in extension.items()}
    return dates.get("", dates)


def _extension(said: object, name: str, notebooks: Collection[str] | None) -> Extension:
    if not isinstance(said, Mapping):
        return {"": _until(said, name)}
    if unknown := [one for one in said if notebooks is not None and one not in notebooks]:
        raise CannotGrade(f"{name} may hold notebooks ({', '.join(notebooks or ())}); got {unknown[0]!r}")
    return {notebook: _until(one, f"{name}.{notebook}") for notebook, one in said.items()}


def _until(value: object, name: str) -> datetime | None:
    return None if value == _EXCUSED else _time(value, name, f'{_TIME}, or "{_EXCUSED}"')


def _table(tables: Mapping[str, Any], name: str, inside: str = "") -> Mapping[str, Any]:
    table = tables.get(name, {})
    if not isinstance(table, Mapping):
        raise CannotGrade(f"{inside}{name} is a table; got {table!r}")
    return table


def _only(table: Mapping[str, Any], expected: Collection[str], whose: str) -> None:
    for name in table:
        if name not in expected:
            raise CannotGrade(f"{whose} may hold {', '.join(expected)}; got {name!r}")


def _rule(table: Mapping[str, Any], name: str) -> LateRule:
    if "after" not in table:
        raise CannotGrade(f"{name}.after is {_TIME}; it is missing")
    if "per_day" not in table:
        raise CannotGrade(f"{name}.per_day is {_PER_DAY}; it is missing")
    return LateRule(
        _time(table["after"], f"{name}.after"),
        _share(table["per_day"], f"{name}.per_day", _PER_DAY),
        _share(table.get("at_most", 1.0), f"{name}.at_most", _AT_MOST),
    )


def _time(value: object, name: str, expected: str = _TIME) -> datetime:
    time = value
    if isinstance(value, str):
        try:
            time = datetime.fromisoformat(value)
        except ValueError:
            time = None
    if not isinstance(time, datetime) or time.utcoffset() is None:
        came = repr(value) if isinstance(value, str) else value
        raise CannotGrade(f"{name} is {expected}; got {came}")
    return time


def _share(value: object, name: str, expected: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise CannotGrade(f"{name} is {expected}; got {value!r}")
    return float(value)


def _drop(table: Mapping[str, Any]) -> Drop | None:
    if not table:
        return None
    _only(table, _DROPS, "drop")
    if len(table) > 1:
        raise CannotGrade(f"drop holds one of {' and '.join(_DROPS)}; got both")
    ((name, number),) = table.items()
    least = 0 if name == "lowest" else 1
    if isinstance(number, bool) or not isinstance(number, int) or number < least:
        raise CannotGrade(f"drop.{name} is a whole number of {least} or more; got {number!r}")
    return Drop(**{name: number})
