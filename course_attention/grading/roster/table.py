"""A CSV file as it came: its cells, and how it is written, so that it can be given back with nothing else changed."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from course_attention.grading.errors import CannotGrade

_MARK = "\ufeff"  # the byte-order mark of UTF-8
_DELIMITERS = (",", ";", "\t")
_LARGEST = 100_000_000


@dataclass(frozen=True)
class Table:
    """The cells of a CSV file, and how it is written.

    Attributes:
        header: the names of the columns.
        rows: the other rows, each with at least as many cells as there are columns.
        delimiter: what stands between two cells.
        begins_with_mark: whether the file begins with a byte-order mark.
        line_end: what stands between two rows.
    """

    header: list[str]
    rows: list[list[str]]
    delimiter: str = ","
    begins_with_mark: bool = False
    line_end: str = "\n"

    def column(self, index: int) -> list[str]:
        """Return the cells of a column, without white space around them."""
        return [row[index].strip() for row in self.rows]

    def with_rows(self, rows: Iterable[Sequence[str]]) -> str:
        """Return the text of the same file with other rows."""
        file = io.StringIO(newline="")
        writer = csv.writer(file, delimiter=self.delimiter, lineterminator=self.line_end)
        writer.writerow(self.header)
        writer.writerows(rows)
        return (_MARK if self.begins_with_mark else "") + file.getvalue()


def read_table(path: Path) -> Table:
    """Read a CSV file with commas, semicolons or tabs, in UTF-8 or in Excel's UTF-16.

    Raises:
        CannotGrade: it is not such a file; the message says what it is.
        OSError: it cannot be read.
    """
    if path.stat().st_size > _LARGEST:
        raise CannotGrade(f"{path} has more than {_LARGEST // 1_000_000} MB: is it a class list?")
    content = path.read_bytes()
    if content.startswith(b"PK"):
        raise CannotGrade(f"{path} is a workbook or a zip; save the class list as CSV (UTF-8)")
    encoding = "utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        raise CannotGrade(
            f"{path} is not in UTF-8; in Excel, save it as 'CSV UTF-8', or use the LMS's own file"
        ) from None
    plain = text.removeprefix(_MARK)
    try:
        delimiter = max(_DELIMITERS, key=lambda one: len(next(_records(plain, one), [])))
        records = [record for record in _records(plain, delimiter) if any(cell.strip() for cell in record)]
    except csv.Error as error:
        raise CannotGrade(f"{path} cannot be read as CSV: {error}") from None
    if not records:
        raise CannotGrade(f"{path} is empty; a class list has a row of column names and one for each student")
    header, *rows = records
    padded = [[*row, *[""] * (len(header) - len(row))] for row in rows]
    line_end = "\r\n" if "\r\n" in plain else "\n"
    return Table(header, padded, delimiter, text != plain and encoding == "utf-8", line_end)


def _records(text: str, delimiter: str) -> Iterator[list[str]]:
    return csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
