"""The answer is handed a model. A case holds what that model writes, as a `Step`."""

from collections.abc import Callable
from functools import partial

import numpy as np

from course_attention.authoring import (
    Array,
    Case,
    Draw,
    FunctionExercise,
    Misconception,
    Returns,
    Step,
    properties,
)
from course_attention.exercises.common.variants import each

Model = Callable[[np.ndarray], np.ndarray]


def oracle(step: Model, start_token: int, end_token: int, max_length: int, batch: int) -> np.ndarray:
    """Rows grow by their most probable token; a row that has ended grows by end tokens."""
    rows = [[start_token] for _ in range(batch)]
    for _ in range(max_length):
        logits = step(np.array(rows))
        for row, after in zip(rows, logits, strict=True):
            row.append(end_token if end_token in row[1:] else int(np.argmax(after[-1])))
        if all(end_token in row[1:] for row in rows):
            break
    return np.array([row[1:] for row in rows])


def _decode(
    step: Model,
    start_token: int,
    end_token: int,
    max_length: int,
    batch: int,
    *,
    read: Callable[[np.ndarray], np.ndarray] = lambda tokens: tokens,
    place: int = -1,
    chosen: Callable[..., np.ndarray] = np.argmax,
    after_end: Callable[[np.ndarray, int, int], np.ndarray | int] = lambda best, start, end: end,
    remembered: Callable[[np.ndarray, np.ndarray], np.ndarray] = np.logical_or,
    is_over: Callable[[np.ndarray], bool] = np.all,
    more: int = 0,
    kept: slice = slice(1, None),
) -> np.ndarray:
    tokens, ended = np.full((batch, 1), start_token), np.zeros(batch, dtype=bool)
    while tokens.shape[1] <= max_length + more and not is_over(ended):
        best = chosen(step(read(tokens))[:, place], axis=-1)
        best = np.where(ended, after_end(best, start_token, end_token), best)
        tokens = np.concatenate([tokens, best[:, None]], axis=1)
        ended = remembered(ended, best == end_token)
    return tokens[:, kept]


def _noticed_late(
    step: Model, start_token: int, end_token: int, max_length: int, batch: int, filled: bool
) -> np.ndarray:
    """Look for the end in the tokens of the turn before, and stop one turn too late."""
    tokens, ended = np.full((batch, 1), start_token), np.zeros(batch, dtype=bool)
    while tokens.shape[1] <= max_length and not ended.all():
        has_ended = (tokens[:, 1:] == end_token).any(axis=1)
        best = np.argmax(step(tokens)[:, -1], axis=-1)
        best = np.where(has_ended if filled else ended, end_token, best)
        tokens, ended = np.concatenate([tokens, best[:, None]], axis=1), has_ended
    return tokens[:, 1:]


def _write_on(best: np.ndarray, start: int, end: int) -> np.ndarray:
    return best


def _never(ended: np.ndarray) -> bool:
    return False


def _end_cut_off(step: Model, start_token: int, end_token: int, max_length: int, batch: int) -> np.ndarray:
    tokens = oracle(step, start_token, end_token, max_length, batch)
    return tokens[:, :-1] if (tokens[:, -1] == end_token).all() else tokens


def _first_row_for_all(step: Model, start_token: int, end_token: int, max_length: int, batch: int) -> np.ndarray:
    """Choose by the logits of the first row, for every row."""
    tokens = np.full((batch, 1), start_token)
    while tokens.shape[1] <= max_length and (tokens[0, 1:] != end_token).all():
        best = np.argmax(step(tokens)[0, -1])
        tokens = np.concatenate([tokens, np.full((batch, 1), best)], axis=1)
    return tokens[:, 1:]


def _in_one_call(step: Model, start_token: int, max_length: int, batch: int, kept: slice, **ends: int) -> np.ndarray:
    return np.argmax(step(np.full((batch, max_length + 1), start_token)), axis=-1)[:, kept]


def _assumed(**tokens: int) -> Callable[..., np.ndarray]:
    """Do the right computation with a start or an end token of its own."""
    return lambda **arguments: oracle(**{**arguments, **tokens})


def cases(draw: Draw) -> list[Case]:
    def case(title, name, lengths, max_length, start_token, end_token, n_vocabulary=None) -> Case:
        """Rows that end with their token number `lengths`, or never; what stands after the end is never to be seen."""
        n_vocabulary = n_vocabulary or max_length + 5
        others = [token for token in range(n_vocabulary) if token not in (start_token, end_token)]
        writes = np.stack([draw.rng.permutation(others)[: max_length + 2] for _ in lengths])
        for row, length in zip(writes, lengths, strict=True):
            if length is not None:
                row[length - 1] = end_token
        step = Step(Array(writes, "int64"), start_token, n_vocabulary)
        arguments = {
            "step": step,
            "start_token": start_token,
            "end_token": end_token,
            "max_length": max_length,
        }
        return Case(title, name, {**arguments, "batch": len(lengths)})

    return [
        case("one row that ends with its third token", properties.VALUES, (3,), 5, 1, 2),
        case("two rows that end with their third token", properties.VALUES, (3, 3), 4, 3, 0),
        case("two rows that never end", properties.VALUES, (None, None), 3, 0, 1),
        case("two rows of different lengths", properties.ROWS_OF_DIFFERENT_LENGTHS, (2, 4), 5, 1, 2),
        case("three rows, one of which never ends", properties.ROWS_OF_DIFFERENT_LENGTHS, (3, None, 1), 4, 2, 4),
        case("three rows of different lengths", properties.ROWS_OF_DIFFERENT_LENGTHS, (5, 2, 4), 7, 4, 3),
        case("two rows that end at once", properties.EDGES, (1, 1), 3, 2, 1),
        case("a single token that is no end", properties.EDGES, (None, None), 1, 1, 0),
        case("two rows of 70 tokens and of 66", properties.LONG_SEQUENCES, (70, 66), 75, 257, 299, n_vocabulary=300),
        case("the end in the last place that there is", properties.EDGES, (4, 2), 4, 5, 1),
    ]


EXERCISE = FunctionExercise(
    name="greedy_decode",
    prompt="Let a model write: one token after another, each time the most probable, until every row has ended.",
    points=2,
    difficulty=2,
    minutes=14,
    hints=(
        "Every row begins with the start token. Each turn asks `step` for logits and appends a token to every row.",
        "`step` gives logits at every place, for the token after it. Only those at the last place are about a new "
        "token.",
        "Remember in a boolean tensor which rows have ended. `torch.where` gives those the end token, whatever the "
        "model says. The loop is over when all have ended, or when there are max_length tokens.",
    ),
    # The model may be anywhere: there is no tensor among the arguments whose dtype or device could be kept.
    returns=Returns(names=("tokens",), dtype="int64", from_sizes_only=True, axes=("batch, m",)),
    oracle=oracle,
    cases=cases,
    mutant_inputs={
        "start_token": lambda inputs: inputs.whole(0, 11),
        # No contract says what becomes of a row that begins with its end.
        "end_token": lambda inputs: (inputs.of("start_token") + inputs.whole(1, 11)) % 12,
        "max_length": lambda inputs: inputs.whole(1, 11),
        "step": lambda inputs: Step(
            Array(inputs.rng.integers(12, size=(inputs.of("batch"), 13)), "int64"),
            inputs.of("start_token"),
            12,
        ),
    },
    misconceptions={
        "end-ignored": Misconception(
            "The end token ends nothing",
            "Every row gets max_length tokens. What a model writes after its end token means nothing: it "
            "was never trained to go on from there.",
            (partial(_decode, after_end=_write_on, is_over=_never),),
        ),
        "writes-after-end": Misconception(
            "A row that has ended goes on",
            "The rows of a batch end at different lengths. A row that waits for the others still gets "
            "tokens from the model, and they mean nothing. Remember which rows have ended: after its "
            "first end token a row holds end tokens only.",
            (
                partial(_decode, after_end=_write_on),
                # It stops only where all rows write the end token in the same step.
                partial(_decode, after_end=_write_on, remembered=lambda before, now: now),
            ),
        ),
        "never-stops-early": Misconception(
            "The loop runs to max_length although every row has ended",
            "Each turn costs a whole run of the model. When all rows have ended there is nothing left to write.",
            (partial(_decode, is_over=_never),),
        ),
        "end-noticed-late": Misconception(
            "The end of a row is noticed one turn too late",
            "Look for the end token among the tokens that were written in this turn. Where all rows have ended with "
            "them, no turn comes after it.",
            (partial(_noticed_late, filled=True), partial(_noticed_late, filled=False)),
        ),
        "stops-at-first-end": Misconception(
            "The loop stops while some rows are unfinished",
            "One row that has ended says nothing about the others. The loop is over when all of them have ended.",
            each(_decode, "is_over", np.any, lambda ended: bool(ended[0])),
        ),
        "filled-with-another-token": Misconception(
            "A row that has ended is filled with another token than the end token",
            "Rows have to be equally long to fit into one tensor, so something must stand after the end. "
            "In this exercise that is `end_token`.",
            each(_decode, "after_end", lambda best, start, end: 0, lambda best, start, end: start),
        ),
        "end-cut-off": Misconception(
            "The last end token is missing",
            "A reader sees from the end token that a row is complete, and was not stopped by max_length. "
            "It belongs to what was written.",
            (_end_cut_off,),
        ),
        "start-kept": Misconception(
            "The start token is part of the result",
            "The caller put it there so that the model has something to read. The model did not write it.",
            (partial(_decode, kept=slice(None)),),
        ),
        "length-off-by-one": Misconception(
            "A row may get one token too few or too many",
            "max_length counts the tokens that are written. The start token is not one of them.",
            each(_decode, "more", -1, 1),
        ),
        "only-last-token-read": Misconception(
            "The model reads only the newest token",
            "It then chooses as if nothing had been written before. Each step gets everything that has "
            "been written so far, the start token in front.",
            (partial(_decode, read=lambda tokens: tokens[:, -1:]),),
        ),
        "first-place-read": Misconception(
            "The logits of the first place are read",
            "They predict the token after the start token, and are the same in every turn. The newest "
            "prediction is at the last place.",
            (partial(_decode, place=0),),
        ),
        "logit-for-token": Misconception(
            "The largest logit is appended, and not the token that has it",
            "Along an axis, `max` gives the largest number, and `argmax` the place where it stands. The place is the "
            "token.",
            (
                partial(_decode, chosen=np.max),
                partial(_decode, chosen=np.max, after_end=_write_on, remembered=lambda before, now: now),
            ),
        ),
        "all-in-one-call": Misconception(
            "All tokens come from a single call of step",
            "The model reads nothing but start tokens here. A token depends on those before it, so the model has to "
            "read them before it can choose the next one: one call for each.",
            tuple(partial(_in_one_call, kept=kept) for kept in (slice(1, None), slice(None, -1))),
        ),
        "first-row-for-all": Misconception(
            "Every row gets the token of the first row",
            "Each row of the logits is about a row of its own, so each row has a most probable token of its own.",
            (_first_row_for_all,),
        ),
        "least-probable": Misconception(
            "The least probable token is chosen",
            "A large logit means a large probability.",
            (partial(_decode, chosen=np.argmin),),
        ),
        "start-ignored": Misconception(
            "start_token is ignored",
            "The rows begin with the same token whatever the caller asked for. The model was trained with another one.",
            tuple(_assumed(start_token=token) for token in (0, 1)),
        ),
        "end-token-assumed": Misconception(
            "end_token is ignored",
            "The same token is taken for the end whatever the caller says.",
            tuple(_assumed(end_token=token) for token in (0, 1, 2)),
        ),
    },
)
