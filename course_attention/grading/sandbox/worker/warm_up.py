"""Makes the calls once, before any submission, that the judge will make; `grading.sandbox.warm_up` says why."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from course_attention.execution.local import LocalRunner
from course_attention.grading.sandbox.messages import call_from_plain


def warm_up(parts: Iterable[Mapping[str, Any]]) -> None:
    """Run the calls on the course's own helpers, and leave nothing of these behind.

    No gradients are taken: torch's engine for them does not survive a fork.
    """
    for part in parts:
        own: dict[str, Any] = {"__name__": "warm_up"}
        with contextlib.suppress(Exception):  # it saves time, and decides nothing
            exec(compile(part["source"], "<warm-up>", "exec"), own)
            _call(own[part["name"]], part["calls"])
        own.clear()
    gc.collect()


def _call(helper: Callable[..., Any], calls: Iterable[Mapping[str, Any]]) -> None:
    runner = LocalRunner(helper)
    for call in calls:
        runner.observe(call_from_plain(call))
