"""The exercise `additive_parameters`: the number, and wrong numbers with the misconceptions behind them."""

from __future__ import annotations

from course_attention.exercises.seq2seq.words import WORDS
from course_attention.judging.exercise import ValueExercise

EXERCISE = ValueExercise(
    name="additive_parameters",
    prompt="How many weights does additive attention wᵀ tanh(W₁h + W₂s) add, for d_hidden 64 and an inner width "
    "of 32, without biases?",
    points=1,
    difficulty=1,
    minutes=5,
    hints=(
        "There are three things to learn: W₁, W₂ and w.",
        "W₁ takes a vector of 64 to one of 32. So does W₂. w turns 32 numbers into one.",
    ),
    value=4128,
    wrong_values={
        "score-vector-forgotten": (4096,),
        "one-projection": (2080, 2048),
        "biases-counted": (4192, 4193, 4161, 4160),
        "square-projections": (8192, 8224, 8256),
    },
    words=WORDS
    | {
        "score-vector-forgotten": (
            "The vector w is left out",
            "W₁ and W₂ are counted. What turns the 32 hidden units into a single score?",
        ),
        "one-projection": (
            "Only one of the two projections is counted",
            "The encoder state and the decoder state each have a matrix of their own.",
        ),
        "biases-counted": ("Biases are counted too", "The formula has none: wᵀ tanh(W₁h + W₂s)."),
        "square-projections": ("The inner width is taken as 64", "W₁ and W₂ lead from 64 numbers to 32."),
    },
)
