"""Puts the verdict on a test of functions into words: how many it tells apart, and one about which it is wrong."""

from collections.abc import Sequence

import numpy as np

from course_attention.judging import properties
from course_attention.judging.candidate import Told
from course_attention.judging.exercise import FunctionTestExercise
from course_attention.judging.report import failing_verdict, passed, words
from course_attention.judging.scoring import Held
from course_attention.judging.verdict import Example, Status, Verdict

# What a wrong function gives is known to four digits.
_SHOWN_DIGITS, _SHOWN_ZERO = 1e-3, 1e-7


def told_apart(exercise: FunctionTestExercise, told: Sequence[Told], named: str) -> Verdict:
    """Say which functions a test has told apart, and show one that it has not.

    The score is the share of the right functions that were accepted times the share of the wrong ones that were
    refused, so that whoever says the same of all of them earns nothing.
    """
    right = [one.is_right for one in told if one.candidate.is_right]
    wrong = [one.is_right for one in told if not one.candidate.is_right]
    held: Held = ((properties.RIGHT_FUNCTIONS_ACCEPTED, all(right)), (properties.WRONG_FUNCTIONS_REFUSED, all(wrong)))
    if all(right) and all(wrong):
        return passed(exercise, held)
    score_in_words = (
        f"Of {len(right)} right functions it accepts {sum(right)}, and of {len(wrong)} wrong ones it refuses "
        f"{sum(wrong)}."
    )
    missed = [one for one in told if not one.is_right]
    shown = next(
        (one for one in missed if one.accepted is None or one.candidate.hidden_from == named),
        min(missed, key=lambda one: not one.candidate.is_right),
    )
    text = _words_on_one(exercise, shown, named)
    status: Status = "errored" if all(one.outcome.error for one in told) else "failed"
    share = sum(right) / len(right) * sum(wrong) / len(wrong)
    return failing_verdict(
        exercise, status, named or None, text, score_in_words, _witnessed(exercise, shown), held, counted=share
    )


_ONE_OF_MANY = (
    "A comparison of tensors gives True or False for each entry. `torch.allclose` says it of all of them together, and "
    "`bool(….all())` makes a plain True or False."
)


def _words_on_one(exercise: FunctionTestExercise, shown: Told, named: str) -> tuple[str, str]:
    """Return a title and an explanation for a function about which a test is wrong."""
    does, error = shown.candidate.does, shown.outcome.error
    which = f"a {'right' if shown.candidate.is_right else 'wrong'} function, one that {does}"
    if named:
        title, explanation = words(exercise.ideas[named])
    elif not shown.in_time:
        title, explanation = (
            "It takes more than 5 seconds for a function",
            "A test is run often, so it has to be quick.",
        )
    elif error is not None:
        title, explanation = f"The answer raised {error.type}", f"{error.message.rstrip('.')}." if error.message else ""
        explanation += f" The line: `{error.line}`." if error.line else ""
    elif shown.accepted is None:
        form = shown.outcome.form
        came = "nothing" if form == "nothing" else f"a {shown.outcome.results[0].kind if form == 'single' else form}"
        title = "It should return True or False"
        ask = _ONE_OF_MANY if came == "a tensor" else "Is there a `return` on every way through the code?"
        explanation = f"It returned {came}. {ask}"
    else:
        title, explanation = words(
            properties.RIGHT_FUNCTIONS_ACCEPTED if shown.candidate.is_right else properties.WRONG_FUNCTIONS_REFUSED
        )
    came_for = {True: "True", False: "False", None: "neither True nor False"}[shown.accepted]
    return title, f"{explanation} It gives {came_for} for {which}.".strip()


def _witnessed(exercise: FunctionTestExercise, shown: Told) -> Example:
    """Return the input that shows what is wrong with a function; of a right one, which it is."""
    witness = shown.candidate.witness
    if witness is None:
        note = f"`{exercise.name}` does not give True for it."
        return Example(f"a right function that {shown.candidate.does}", {}, "", None, None, note=note)
    expected, received = witness.expected, witness.received
    where, note = None, f"The wrong function gives no {witness.part}."
    if received is not None:
        note = "“Received” is what the wrong function gives."
        if np.shape(received) == np.shape(expected):
            apart = ~np.isclose(expected, received, rtol=_SHOWN_DIGITS, atol=_SHOWN_ZERO)
            where = tuple(int(i) for i in np.argwhere(apart)[0])
    return Example(witness.title, dict(witness.inputs), witness.part, expected, received, where, note)
