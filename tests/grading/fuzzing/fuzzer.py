"""Tries inputs on the judge's own side, and says which broke a promise: no error, and bounded time and memory."""

from __future__ import annotations

import itertools
import resource
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random

from tests.grading.fuzzing.targets import TARGETS

SECONDS = {"reader": 10.0, "source": 5.0, "channel": 5.0, "judge": 20.0}  # of processor time, for one input
MEMORY = 500_000_000  # bytes that the process may grow by


@dataclass(frozen=True)
class Fault:
    """An input that broke a promise.

    Attributes:
        target: the part of the grader.
        number: of the input; with the seed it makes the input again.
        what: happened.
        content: the input.
    """

    target: str
    number: int
    what: str
    content: bytes


def fuzz(
    seconds: float,
    seed: int,
    targets: tuple[str, ...] = tuple(TARGETS),
    numbers: Iterable[int] | None = None,
) -> Iterator[Fault]:
    """Try inputs, each target in turn.

    Args:
        seconds: for all of them.
        seed: draws the inputs.
        targets: the parts of the grader to be tried.
        numbers: of the inputs to try; None for all of them, from the first.

    Yields:
        The inputs that broke a promise.
    """
    end = time.monotonic() + seconds
    for number in itertools.count() if numbers is None else numbers:
        for target in targets:
            if time.monotonic() > end:
                return
            if (fault := _tried(target, seed, number)) is not None:
                yield fault
            TRIED[target] += 1


TRIED: Counter[str] = Counter()  # how many inputs of each target


def _tried(target: str, seed: int, number: int) -> Fault | None:
    content, check = TARGETS[target](Random(f"{seed} {target} {number}"))
    began, memory, what = time.process_time(), _peak(), ""
    wall = time.monotonic()
    try:
        check()
    except Exception:  # noqa: BLE001 - finding these is the purpose
        what = traceback.format_exc()
    took = time.monotonic() - wall if target == "reader" else time.process_time() - began
    if took > SECONDS[target]:
        what += f"\nit took {took:.1f} seconds; {SECONDS[target]} are allowed"
    if (grown := _peak() - memory) > MEMORY:
        what += f"\nit took {grown / 1e6:.0f} MB; {MEMORY / 1e6:.0f} are allowed"
    return Fault(target, number, what.strip(), content()) if what else None


def _peak() -> int:
    """Give the most memory that this process has had, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
