"""The predictions that were compared with a result: in memory for the session, in a workspace for all notebooks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from filelock import FileLock

from course_attention.course.workspace import write_whole
from course_attention.lesson.records import SECONDS_TO_WAIT, workspace

_memory: dict[str, dict[str, Any]] = {}  # question -> {"answer": …, "right": …}


def keep(question: str, answer: str | float, right: bool) -> None:
    """Keep how a prediction turned out. The first counts: whoever knows the result no longer predicts it."""
    entry = {"answer": answer, "right": right}
    _memory.setdefault(question, entry)
    if (folder := workspace()) is None:
        return
    try:
        with FileLock(folder / "predictions.lock", timeout=SECONDS_TO_WAIT):
            kept = _read(folder)
            if question not in kept:
                text = json.dumps({**kept, question: entry}, indent=1, ensure_ascii=False)
                write_whole(folder / "predictions.json", text.encode())
    except OSError:  # the session's memory stands in; nothing depends on a prediction
        pass


def answer_to(question: str, choices: Sequence[str]) -> Any:
    """The prediction that was kept for this question, so that a notebook which runs again need not ask again."""
    answer = _all().get(question, {}).get("answer")
    fits = answer in choices if choices else isinstance(answer, (int, float))
    return answer if fits else None


def summary() -> str:
    """How many predictions were right, as a sentence; "" where none was made."""
    kept = _all().values()
    right = sum(bool(entry["right"]) for entry in kept)
    return f"Predictions: {right} of {len(kept)} came out as you said. They are not scored." if kept else ""


def _all() -> dict[str, dict[str, Any]]:
    folder = workspace()
    return {**_memory, **(_read(folder) if folder else {})}


def _read(folder: Path) -> dict[str, dict[str, Any]]:
    """What is kept in a workspace. A file that cannot be read counts for nothing, and is written anew."""
    try:
        entries = json.loads((folder / "predictions.json").read_text(encoding="utf-8"))
        return {q: e for q, e in entries.items() if isinstance(e, dict) and {"answer", "right"} <= e.keys()}
    except (OSError, ValueError, AttributeError):
        return {}
