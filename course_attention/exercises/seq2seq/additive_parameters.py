from course_attention.authoring import Misconception, ValueExercise

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
    misconceptions={
        "score-vector-forgotten": Misconception(
            "The vector w is left out",
            "W₁ and W₂ are counted. What turns the 32 hidden units into a single score?",
            (4096,),
        ),
        "one-projection": Misconception(
            "Only one of the two projections is counted",
            "The encoder state and the decoder state each have a matrix of their own.",
            (2080, 2048),
        ),
        "biases-counted": Misconception(
            "Biases are counted too", "The formula has none: wᵀ tanh(W₁h + W₂s).", (4192, 4193, 4161, 4160)
        ),
        "square-projections": Misconception(
            "The inner width is taken as 64", "W₁ and W₂ lead from 64 numbers to 32.", (8192, 8224, 8256)
        ),
    },
)
