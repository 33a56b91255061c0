"""Tables as CSV for spreadsheets and learning platforms; no cell can be taken for a formula.

Excel reads a table as UTF-8 only where it begins with a byte-order mark. Learning platforms would take it for text, so
that their tables have none.
"""

import csv
import io
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from course_attention.course.whole_files import writing_whole
from course_attention.presentation.wording import points

_BYTE_ORDER_MARK = "\ufeff"
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


def for_excel(table: str) -> str:
    """Return a table as Excel reads it."""
    return _BYTE_ORDER_MARK + table


@contextmanager
def written_for_excel(path: Path) -> Iterator[TextIO]:
    """Open a table for Excel to write row by row; it takes its name when whole. A class need not fit in memory."""
    with writing_whole(path) as file:
        table = io.TextIOWrapper(file, encoding="utf-8", errors="backslashreplace", newline="")
        table.write(for_excel(""))
        yield table
        table.detach()  # which writes what is left, and leaves the file open


def _cell(value: str | float | None) -> str:
    if isinstance(value, str):
        return f"'{value}" if value.startswith(_FORMULA) else value
    return "" if value is None else points(value)
