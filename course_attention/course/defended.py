"""Which answers a student has defended, as a saved notebook keeps it: `defend` writes it into its output."""

from typing import Any

KEPT = "application/vnd.course-attention.defended+json"  # the MIME type under which nobody sees it
_MOST = 200  # names that are read of a notebook; there are fewer exercises


def kept(names: list[str]) -> dict[str, Any]:
    """Return what an output keeps, by MIME type.

    Example:
        >>> defended_in([{"data": kept(["softmax"])}])
        ('softmax',)
    """
    return {KEPT: {"defended": names}}


def defended_in(outputs: Any) -> tuple[str, ...]:
    """Return the exercises that the outputs of a cell say were defended. They may hold anything: a student has them."""
    found: dict[str, None] = {}
    for output in outputs if isinstance(outputs, list) else []:
        data = output.get("data") if isinstance(output, dict) else None
        said = data.get(KEPT) if isinstance(data, dict) else None
        names = said.get("defended") if isinstance(said, dict) else None
        found |= dict.fromkeys(one for one in names if isinstance(one, str)) if isinstance(names, list) else {}
    return tuple(found)[:_MOST]
