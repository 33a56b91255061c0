"""The exercise `attention_layers`: the number, and wrong numbers with the misconceptions behind them."""

from __future__ import annotations

from course_attention.exercises.transformer.words import WORDS
from course_attention.judging.exercise import ValueExercise

EXERCISE = ValueExercise(
    name="attention_layers",
    prompt="How many multi-head attention layers has an encoder–decoder of 6 + 6 blocks?",
    points=1,
    difficulty=1,
    minutes=5,
    hints=(
        "Count the attentions of one encoder block, and of one decoder block.",
        "A decoder block attends to two sequences, one after the other.",
    ),
    value=18,
    wrong_values={
        "cross-attention-forgotten": (12,),
        "encoder-counted-twice": (24,),
        "one-stack-only": (6,),
        "sublayers-counted": (30,),
        "heads-counted": (144, 96),
        "projections-counted": (54, 36, 72),
    },
    words=WORDS
    | {
        "cross-attention-forgotten": (
            "Each block is counted with one attention",
            "That is so in the encoder. A decoder block attends to its own sequence, and then to the "
            "encoder's output.",
        ),
        "encoder-counted-twice": (
            "The encoder's blocks are counted with two attentions each",
            "An encoder block has one sequence to attend to: its own.",
        ),
        "one-stack-only": ("The layers of a single stack are counted", "There are 6 blocks on either side."),
        "sublayers-counted": (
            "All sublayers are counted",
            "The feed-forward networks are sublayers too, but no attention.",
        ),
        "heads-counted": (
            "The heads are counted one by one",
            "A multi-head attention is one layer, however many heads it has.",
        ),
        "projections-counted": (
            "The projections are counted one by one",
            "Queries, keys and values have a projection each; together they are one attention.",
        ),
    },
)
