"""Watches an answer while it is checked: says where it still is when it runs for long, and where it was stopped."""

from __future__ import annotations

import ast
import itertools
import linecache
import sys
import threading
import traceback
from collections.abc import Iterable, Sequence
from contextvars import copy_context
from types import FrameType
from typing import Any

from course_attention.presentation.display import Bundle, show
from course_attention.presentation.notice import notice

SECONDS = 20.0  # until the first card, and between its updates; no check of a right answer takes as long

LOOP = "Look at the condition of the loop: does anything in the loop change it?"
STOP = "If it never ends, stop it with the ■ in the toolbar, or the menu Kernel > Interrupt Kernel."
BUSY = "Its code may also be slow, or the computer busy."  # where no line of the answer's is a `while`
AGAIN = (
    f"{LOOP} Change your answer above, run its cell, then run this one again. "
    "Until then the cells below use the course's own."
)


class Watch:
    """While it is entered, shows a card each time that the check has taken another 20 seconds.

    Args:
        name: the exercise.
        caller: the frame of the cell that checks. The student's code has the same globals.
    """

    def __init__(self, name: str, caller: FrameType) -> None:
        self._name, self._caller = name, caller
        self._thread = threading.get_ident()
        self._ended = threading.Event()
        self._shown: Any = None

    def __enter__(self) -> Watch:
        # The context tells IPython's kernel under which cell a card belongs.
        self._watcher = threading.Thread(target=copy_context().run, args=(self._look,), daemon=True)
        self._watcher.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._ended.set()
        self._watcher.join()  # a card on its way must not come after the verdict

    def show(self, bundle: Bundle) -> None:
        """Show a card in the place of the last one, where there was one."""
        self._shown = show(bundle, self._shown)

    def stopped(self, error: KeyboardInterrupt, printed: Sequence[str]) -> Bundle:
        """Return the card for a check that the student stopped, with what the answer had printed."""
        title = f"You stopped `{self._name}`{self._at(reversed(list(traceback.walk_tb(error.__traceback__))))}"
        return notice("timeout", self._name, title, AGAIN, badge="■ stopped", printed=printed)

    def _look(self) -> None:
        seconds = 0.0
        while not self._ended.wait(SECONDS):
            seconds += SECONDS
            running = traceback.walk_stack(sys._current_frames().get(self._thread))  # the innermost frame first
            inside = itertools.takewhile(lambda step: step[0] is not self._caller, running)
            at = self._at(inside)
            title = f"`{self._name}` is still running{at}, after {seconds:.0f} seconds"
            text = f"{STOP} {LOOP if at.startswith(' at `while') else BUSY}"
            self.show(notice("timeout", self._name, title, text, badge="… still running"))

    def _at(self, steps: Iterable[tuple[FrameType, int]]) -> str:
        """Where in the student's code these steps are, the innermost first.

        A function that an endless loop calls is not where it hangs, so a `while` is preferred.
        """
        lines = [line for step in steps if self._is_own(step[0]) and (line := _line(*step))]
        endless = (line for line in lines if line.startswith(("while ", "while(")))
        return f" at `{next(endless, lines[0])}`" if lines else ""

    def _is_own(self, frame: FrameType) -> bool:
        return frame is not self._caller and frame.f_globals is self._caller.f_globals


def _line(frame: FrameType, line: int) -> str:
    """Return the line of source at which a frame is; the head of the innermost `while`, else `for`, around it."""
    filename = frame.f_code.co_filename
    try:
        tree = ast.parse("".join(linecache.getlines(filename)))
    except (SyntaxError, ValueError):
        tree = ast.Module([], [])
    around = [
        (isinstance(node, ast.While), node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, ast.While | ast.For) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    return linecache.getline(filename, max(around)[1] if around else line).strip()
