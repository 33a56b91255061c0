"""Tables as CSV for spreadsheets and learning platforms; no cell can be taken for a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from course_attention.presentation.wording import points

# Excel reads a table as UTF-8 only where it begins with this mark. Learning platforms would take it for text.
BYTE_ORDER_MARK = "\ufeff"
# Spreadsheets take what begins so for a formula; the wide forms count as well where East Asian text is typed.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def as_csv(rows: Iterable[Iterable[str | float | None]]) -> str:
    """Rows as CSV, every cell quoted; None is a blank cell.

    Example:
        >>> print(as_csv([["student", "total"], ['=1+1,"a"', 2.5], ["b", None]]), end="")
        "student","total"
        "'=1+1,""a\""","2.5"
        "b",""
    """
    file = io.StringIO(newline="")
    writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerows([_cell(value) for value in row] for row in rows)
    return file.getvalue()


def _cell(value: str | float | None) -> str:
    if isinstance(value, str):
        return f"'{value}" if value.startswith(_FORMULA) else value
    return "" if value is None else points(value)
