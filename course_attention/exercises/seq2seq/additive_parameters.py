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
            "Biases are counted too", "The formula has none: wᵀ tanh(W₁h + W₂s).", (4192, 4193, 4161)
        ),
        "width-counted-again": Misconception(
            "32 are counted too many",
            "w has one number for each of the 32 hidden units, and there are no biases.",
            (4160,),
        ),
        "square-projections": Misconception(
            "Each of the two matrices is counted with 4,096 entries",
            "W₁ and W₂ each lead from 64 numbers to 32.",
            (8192, 8224, 8256),
        ),
        "nothing-added": Misconception(
            "Nothing is counted",
            "A dot product has no weights. The additive score has three things to learn: W₁, W₂ and w.",
            (0,),
        ),
    },
)
