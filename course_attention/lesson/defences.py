"""Which answers were defended: in memory for the session, in a workspace for all notebooks. Never scored."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace

from course_attention.lesson.workspace_file import WorkspaceFile

IN_A_ROW = 3  # questions that are answered rightly one after the other: then an answer is defended
_REMEMBERED = 30  # changes that are not asked about again


@dataclass(frozen=True)
class Defence:
    """How the questions about one exercise's answer went.

    Attributes:
        asked: how many were answered.
        right: how many of them rightly.
        row: how many of the last ones, one after the other.
        defended: whether there were ever enough in a row.
        changes: what was asked about lately.
    """

    asked: int = 0
    right: int = 0
    row: int = 0
    defended: bool = False
    changes: tuple[str, ...] = ()

    def after(self, is_right: bool, change: str) -> "Defence":
        """Return the same with one more question.

        Example:
            >>> before = Defence(row=2)
            >>> before.after(True, "x → y").defended, before.after(False, "x → y").row
            (True, 0)
        """
        row = self.row + 1 if is_right else 0
        return replace(
            self,
            asked=self.asked + 1,
            right=self.right + is_right,
            row=row,
            defended=self.defended or row >= IN_A_ROW,
            changes=(*self.changes, change)[-_REMEMBERED:],
        )


def _defence(entry: object) -> Defence:
    """Return an entry from its plain data, or TypeError: a file that was edited by hand may hold anything."""
    if not isinstance(entry, dict):
        raise TypeError(f"not a defence: {entry}")
    found = Defence(**{**entry, "changes": tuple(entry.get("changes", ()))})
    numbers = (found.asked, found.right, found.row)
    if not all(isinstance(n, int) and n >= 0 for n in numbers) or not isinstance(found.defended, bool):
        raise TypeError(f"not a defence: {entry}")
    return found


_memory: dict[str, Defence] = {}
_file = WorkspaceFile("defences", "what was defended", _defence, asdict)


def keep(name: str, is_right: bool, change: str) -> Defence:
    """Keep how a question went; returns how the exercise stands now."""

    def count(entries: dict[str, Defence]) -> None:
        entries[name] = entries.get(name, Defence()).after(is_right, change)

    count(_memory)
    return _file.entries(count).get(name, _memory[name])


def defence_of(name: str) -> Defence:
    """Return how the questions about an exercise went so far."""
    return _all().get(name, Defence())


def defended() -> tuple[str, ...]:
    """Return the exercises whose answers were defended."""
    return tuple(name for name, one in _all().items() if one.defended)


def summary(passed: Iterable[str]) -> str:
    """How many of the answers that passed were defended, as a sentence; "" where nobody was asked.

    Args:
        passed: the exercises that passed and can be asked about. Which these are takes time to find out, so they are
            drawn only where somebody was asked.
    """
    if not _all():
        return ""
    passed = list(passed)
    done = [name for name in passed if name in defended()]
    names = f" ({', '.join(done)})" if done else ""
    return f"Defended, three changes in a row: {len(done)} of {len(passed)}{names}. This is not scored."


def remarks() -> list[str]:
    """Return what became of the file, where it could not be used as it was."""
    return _file.remarks


def _all() -> dict[str, Defence]:
    return {**_memory, **_file.entries()}
