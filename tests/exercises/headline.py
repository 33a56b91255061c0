"""Whether the case that a verdict shows has the fault that its headline speaks of."""

from __future__ import annotations

import numpy as np

from course_attention.exercises import Entry
from course_attention.judging import faults
from course_attention.judging.drawn_cases import drawn_cases
from course_attention.judging.prepared_case import PreparedCase
from course_attention.judging.verdict import Verdict

# Wrong masks that leave a blocked position its weight.
LEAVES_A_WEIGHT = ("mask-ignored", "mask-inverted", "mask-scores-to-zero", "mask-added-as-01")
VISIBLE = 0.001  # of the number: what four digits show


def contradiction(entry: Entry, verdict: Verdict, seed: int) -> str:
    """In which way a verdict's headline does not fit the case below it; "" where it fits."""
    example = verdict.example
    if example is None:
        return "no case is shown"
    if verdict.status == "errored":
        return ""
    of_a_test = entry.kind == "test"  # the case shows a wrong function, and not the answer
    takes_mask = not of_a_test and any(
        name.endswith("allowed") for case in drawn_cases(entry.exercise, seed) for name in case.case.arguments
    )
    masked = any(name.endswith("allowed") and value is not None for name, value in example.inputs.items())
    about_mask = (verdict.misconception or "").startswith("mask") or verdict.idea == faults.BLOCKED_WEIGHT.title
    if takes_mask and about_mask and not masked:
        return "a mask is spoken of, and the case has none"
    if verdict.idea.endswith("then look at the mask") and masked:
        return "the mask is said to come later, and the case has one"
    if example.where is None:
        return "" if example.note else "nothing tells where the results part"
    expected, received = example.expected[example.where], example.received[example.where]
    # A decoder shows the weights of its cross-attention, which a mistake in its self-attention changes as well.
    shows_weights = example.part in ("weights", "distribution") and "memory_allowed" not in example.inputs
    if verdict.misconception in LEAVES_A_WEIGHT and shows_weights and expected * received:
        return "neither is a blocked position given a weight nor an allowed one none"
    apart = abs(float(expected) - float(received))
    # What no idea explains may differ by rounding alone.
    if verdict.misconception and apart < VISIBLE * max(abs(float(expected)), abs(float(received))):
        return "the difference cannot be seen"
    if not of_a_test and verdict.misconception in entry.exercise.misconceptions and not _can_show(entry, verdict, seed):
        return "the mistake does not show in this case"
    return ""


def _can_show(entry: Entry, verdict: Verdict, seed: int) -> bool:
    """Whether the named misconception changes something in the case that is shown."""
    cases = [c for c in drawn_cases(entry.exercise, seed) if verdict.example.title.startswith(c.case.title)]
    variants = entry.exercise.ideas[verdict.misconception].variants
    return any(_changed(case, case.wrong_results(variant)) for case in cases for variant in variants)


def _changed(case: PreparedCase, computed: tuple | None) -> bool:
    if computed is None:
        return True  # it raises
    return any(
        wrong.shape != right.shape or not np.allclose(wrong, right)
        for wrong, right in zip(computed[0], case.expected, strict=False)
    )
