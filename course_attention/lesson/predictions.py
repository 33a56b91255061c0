"""The predictions that were compared with a result: in memory for the session, in a workspace for all notebooks."""

from collections.abc import Sequence
from typing import Any

from course_attention.lesson.workspace_file import WorkspaceFile


def _entry(plain: object) -> dict[str, Any]:
    if not isinstance(plain, dict) or not {"answer", "right"} <= plain.keys():
        raise TypeError(f"not a prediction: {plain}")
    return plain


_memory: dict[str, dict[str, Any]] = {}  # question -> {"answer": …, "right": …}
_file = WorkspaceFile("predictions", "the list of predictions", _entry, dict)


def keep(question: str, answer: str | float, right: bool) -> None:
    """Keep how a prediction turned out. The first counts: whoever knows the result no longer predicts it."""
    entry = {"answer": answer, "right": right}
    _memory.setdefault(question, entry)
    _file.entries(lambda kept: kept.setdefault(question, entry))


def answer_to(question: str, choices: Sequence[str]) -> Any:
    """Return the prediction that was kept for this question, so that a notebook which runs again need not ask again."""
    answer = _all().get(question, {}).get("answer")
    fits = answer in choices if choices else isinstance(answer, (int, float))
    return answer if fits else None


def summary() -> str:
    """How many predictions were right, as a sentence; "" where none was made."""
    kept = _all().values()
    right = sum(bool(entry["right"]) for entry in kept)
    return f"Predictions: {right} of {len(kept)} came out as you said. They are not scored." if kept else ""


def remarks() -> list[str]:
    """Return what became of the file, where it could not be used as it was."""
    return _file.remarks


def _all() -> dict[str, dict[str, Any]]:
    return {**_memory, **_file.entries()}
