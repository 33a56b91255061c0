"""What `verify` found out about one thing, and how it is printed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

_MARKS = {"good": "✓", "bad": "✗", "look": "·"}
_WIDE = 20  # characters for what was looked at


@dataclass(frozen=True)
class Finding:
    """One line of the table.

    Attributes:
        about: the exercise or the notebook.
        looked_at: what was looked at.
        state: "good", "bad", or "look" where it could not be tried.
        said: what was found, and where it is bad what to do about it.
    """

    about: str
    looked_at: str
    state: Literal["good", "bad", "look"]
    said: str


def finding(about: str, looked_at: str, faults: Sequence[str], good: str) -> Finding:
    """Return a finding that is good where there are no faults.

    Example:
        >>> finding("conv", "words", [], "2 misconceptions have them").state
        'good'
    """
    return Finding(about, looked_at, "bad" if faults else "good", "\n".join(faults) or good)


def table(found: Finding, after: Finding | None = None) -> list[str]:
    """Return the lines of a finding, below a heading where it is the first about its exercise or notebook.

    Example:
        >>> print(*table(Finding("conv", "words", "good", "2 misconceptions have them")), sep="|")
        |conv|  ✓ words                 2 misconceptions have them
    """
    head = [] if after is not None and after.about == found.about else ["", found.about]
    first, *rest = found.said.splitlines()
    line = f"  {_MARKS[found.state]} {found.looked_at:<{_WIDE}}  {first}"
    return [*head, line, *(f"    {'':<{_WIDE}}  {other}" for other in rest)]


def summary(findings: Sequence[Finding]) -> str:
    """Return a last line that counts."""
    bad, untried = (sum(one.state == state for one in findings) for state in ("bad", "look"))
    good = f"{len(findings) - bad - untried} good"
    return ", ".join(
        [good, *([f"{bad} to mend (✗)"] if bad else []), *([f"{untried} not tried (·)"] if untried else [])]
    )
