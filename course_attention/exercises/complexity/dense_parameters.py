from course_attention.authoring import Misconception, ValueExercise
from course_attention.exercises.complexity.words import WORDS

EXERCISE = ValueExercise(
    name="dense_parameters",
    prompt="How many weights does a dense layer from 100 tokens of 64 channels to 100 tokens of 64 channels have, "
    "without biases?",
    points=1,
    difficulty=1,
    minutes=2,
    hints=(
        "How many numbers come in, and how many go out?",
        "Each number that goes out has a weight for each that comes in.",
    ),
    value=40960000,
    words=WORDS,
    misconceptions={
        "one-output-token": Misconception(
            "The tokens are counted on one side only",
            "100 · 64 · 64 weights make one token out of all 100, or each token out of itself alone. Here 100 tokens "
            "are made, and each of them is made out of all 100.",
            (409600, 409664),
        ),
        "one-token-only": Misconception(
            "A layer for one token is counted",
            "64 · 64 weights take one token to one token. Here all 100 tokens that come in reach all 100 that go out.",
            (4096, 4160),
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
        "channels-once": Misconception(
            "The channels are counted on one side only",
            "Each of the 100 tokens has 64 channels on the side that comes in, and 64 on the side that goes out.",
            (640000,),
        ),
        "input-counted": Misconception(
            "The numbers that come in are counted, and not the weights",
            "100 · 64 numbers come in. Each number that goes out has a weight for every one of them.",
            (6400,),
        ),
        "in-millions": Misconception(
            "The number is given in thousands or in millions",
            "The exercise asks for the number itself.",
            (40.96, 40960),
        ),
        "half-of-the-weights": Misconception(
            "Each pair of numbers is counted once",
            "The weight from one place to another is not the weight back: each direction has a weight of its own.",
            (20480000, 20483200),
        ),
        "biases-counted": Misconception(
            "Biases are counted",
            "The layer has none here. With biases, each number that goes out would have one more weight.",
            (40966400, 40960064),
        ),
        "sizes-added": (12800, 14096, 26896),
        "counted-twice": Misconception(
            "Every weight is counted twice",
            "FLOPs count two operations for each weight, and a weight is one number.",
            (81920000,),
        ),
        "bytes-counted": Misconception(
            "Bytes are counted",
            "The exercise asks how many weights there are, whatever each of them takes.",
            (163840000,),
        ),
    },
)
