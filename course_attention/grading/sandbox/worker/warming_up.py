"""Does once, before any submission, what all of them will ask of torch; see `grading.sandbox.warm_up`."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterable, Mapping
from typing import Any

from course_attention.execution.local import LocalRunner
from course_attention.grading.sandbox.messages import call_from_plain


def rehearse(parts: Iterable[Mapping[str, Any]]) -> None:
    """Run the calls on the course's own helpers, and leave nothing of these behind.

    No gradients are taken: torch's engine for them does not survive a fork.
    """
    for part in parts:
        own: dict[str, Any] = {"__name__": "rehearsal"}
        with contextlib.suppress(Exception):  # it saves time, and decides nothing
            exec(compile(part["source"], "<rehearsal>", "exec"), own)
            runner = LocalRunner(own[part["name"]])
            for call in part["calls"]:
                runner.observe(call_from_plain(call))
        runner = None
        own.clear()
    gc.collect()
