"""The exercise `encoding_norm`: the number, and wrong numbers with the misconceptions behind them."""

from __future__ import annotations

from course_attention.exercises.positions.words import WORDS
from course_attention.judging.exercise import ValueExercise

EXERCISE = ValueExercise(
    name="encoding_norm",
    prompt="What is ‖PE(p)‖², the sum of the squares of all channels of an encoding, for d_model = 64?",
    points=1,
    difficulty=1,
    minutes=3,
    hints=(
        "Take one pair of channels: the sine and the cosine of one angle. What is the sum of their squares?",
        "How many pairs have 64 channels?",
    ),
    value=32,
    wrong_values={
        "every-channel-one": (64,),
        "root-taken": (32**0.5, 8),
        "unit-length": (1,),
        "mean-square": (0.5,),
        "pairs-halved": (16,),
    },
    words=WORDS
    | {
        "every-channel-one": (
            "Each channel is counted as 1",
            "No channel stays at 1: a sine is large where its cosine is small. What do the squares "
            "of the two make?",
        ),
        "root-taken": (
            "The root is taken",
            "That is the length, or what the length would be. Its square is asked for.",
        ),
        "unit-length": (
            "That is the length of one pair",
            "One pair contributes sin² + cos² = 1. How many pairs are there?",
        ),
        "mean-square": (
            "That is the mean over the channels",
            "The mean square of a channel is right so. The sum over all of them is asked for.",
        ),
        "pairs-halved": (
            "Halved once too often",
            "Each pair contributes 1, not ½: the ½ belongs to each of its two channels.",
        ),
    },
)
