"""Looks at mutants in a process of its own: an endless loop is ended, and runaway memory ends that process alone."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection

from course_attention.execution.nesting import labelled
from course_attention.mutants.fates import SEEDS, Fate, fate
from tests.mutants.corpus_answers import all_mutants

SECONDS = 60  # for one mutant, where nothing has ended it before
MEMORY = 4 << 30
Found = tuple[int, str, str]  # the mutant's number, its fate, and where it differs


def fates(exercise: str, numbers: Sequence[int], look: Callable[..., None] | None = None) -> Iterator[Found]:
    """Yield the fate of each mutant of an exercise, in order; one that hangs or brings the process down is killed.

    Args:
        exercise: its name.
        numbers: of the mutants to look at, in the order of `all_mutants`.
        look: what the process does, where it is something else than looking.
    """
    context = multiprocessing.get_context("spawn")
    left = list(numbers)
    while left:
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=look or _look, args=(theirs, exercise, left), daemon=True)
        process.start()
        theirs.close()
        try:
            wait = 10 * SECONDS  # torch is loaded, and the judge's cases are drawn, with the first
            while left and ours.poll(wait):
                found: Found = ours.recv()
                left.pop(0)
                wait = SECONDS
                yield found
        except EOFError:
            pass
        finally:
            process.kill()
            process.join()
            ours.close()
        if left:
            yield left.pop(0), "killed", "it never ended, or ended Python"


def _look(out: Connection, exercise: str, numbers: Sequence[int]) -> None:
    with contextlib.suppress(ImportError):  # not on Windows
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    found = all_mutants(exercise)
    for number in numbers:
        one = fate(*found[number], seeds=[number % len(SEEDS)])
        out.send((number, one.kind, where(one)))


def where(one: Fate) -> str:
    """How a survivor differs, and the dtype and the shapes of the input for which it does; "" for any other mutant."""
    if one.case is None:
        return ""
    shapes = {name: getattr(value, "values", value) for name, value in labelled(one.case.arguments).items()}
    shown = ", ".join(f"{name} {getattr(value, 'shape', value)}" for name, value in shapes.items())
    return f"{one.fault[:120]}; {one.case.dtype}, {shown}"
