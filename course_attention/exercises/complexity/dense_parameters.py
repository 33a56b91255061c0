from course_attention.authoring import Misconception, ValueExercise
from course_attention.exercises.complexity.words import WORDS

EXERCISE = ValueExercise(
    name="dense_parameters",
    prompt="How many weights has a dense layer from 100 tokens of 64 channels to 100 tokens of 64 channels, "
    "without biases?",
    points=1,
    difficulty=1,
    minutes=5,
    hints=(
        "How many numbers come in, and how many go out?",
        "Each number that goes out has a weight for each that comes in.",
    ),
    value=40960000,
    words=WORDS,
    misconceptions={
        "one-output-token": Misconception(
            "The weights of a single output token are counted",
            "100 · 64 numbers make one token of 64. There are 100 tokens to be made, each with weights of its own.",
            (409600,),
        ),
        "one-token-only": Misconception(
            "A layer for one token is counted",
            "64 · 64 weights take one token to one token. Here all 100 tokens that come in reach all 100 that go out.",
            (4096,),
        ),
        "channels-forgotten": Misconception(
            "The channels are forgotten",
            "100 · 100 is a weight for each pair of tokens. Each token has 64 channels on either side.",
            (10000,),
        ),
        "one-kernel": Misconception(
            "The same weights are used at every distance",
            "A weight for each distance between tokens is a convolution. A dense layer has its own for each pair.",
            (815104,),
        ),
        "biases-counted": (40966400, 40960064),
        "sizes-added": (12800,),
        "counted-twice": (81920000,),
        "bytes-counted": Misconception(
            "Bytes are counted",
            "The exercise asks how many weights there are, whatever each of them takes.",
            (163840000,),
        ),
    },
)
