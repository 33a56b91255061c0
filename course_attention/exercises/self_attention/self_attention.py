from course_attention.authoring import FunctionExercise, Returns
from course_attention.exercises.common.ready_made import ATTENTION
from course_attention.exercises.self_attention.in_parts import (
    SELF_MISTAKES,
    self_attention_cases,
    self_noise,
    self_oracle,
)
from course_attention.exercises.self_attention.words import WORDS

EXERCISE = FunctionExercise(
    name="self_attention",
    prompt="Let a sequence attend to itself, with an optional mask, and give the output and the weights.",
    points=2,
    difficulty=1,
    minutes=10,
    hints=(
        "Queries, keys and values are three products of the tokens, which are rows: one with each matrix.",
        "What follows the projections is `attention` from notebook 02, which takes the mask as it is.",
    ),
    ready_made=(*ATTENTION, "course_attention.cross_attention"),
    returns=Returns(names=("output", "weights"), axes=("..., n_tokens, d_value", "..., n_tokens, n_tokens")),
    oracle=self_oracle,
    cases=self_attention_cases,
    noise=self_noise,
    words=WORDS,
    misconceptions=SELF_MISTAKES,
)
