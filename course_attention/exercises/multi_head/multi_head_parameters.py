from course_attention.authoring import Misconception, ValueExercise

EXERCISE = ValueExercise(
    name="multi_head_parameters",
    prompt="How many weights has multi-head attention with d_model 512 and 8 heads of 64, without biases?",
    points=1,
    difficulty=1,
    minutes=5,
    hints=(
        "Count one head first: how large are its W_Q, W_K and W_V?",
        "Eight heads have eight times as many. What is still missing is the matrix behind them.",
    ),
    value=1048576,
    misconceptions={
        "output-projection-forgotten": Misconception(
            "The output projection is not counted",
            "After the heads are put side by side, W_O takes their 8 · 64 channels to d_model: one more matrix.",
            (786432,),
        ),
        "heads-counted-twice": Misconception(
            "The heads are counted twice",
            "A matrix of 512 × 512 holds the projections of all 8 heads already: each head has 64 of its columns.",
            (8388608, 6291456, 6553600),
        ),
        "one-head-only": Misconception(
            "The projections of a single head are counted",
            "Each of the 8 heads has its own W_Q, W_K and W_V of 512 × 64.",
            (98304, 131072, 360448),
        ),
        "output-of-one-head": Misconception(
            "The output projection is counted for one head",
            "W_O takes in what all heads put side by side: 8 · 64 rows, not 64.",
            (819200,),
        ),
        "biases-counted": Misconception(
            "Biases are counted too",
            "There are none here: nn.Linear(…, bias=False).",
            (1050624, 1050112, 1049088),
        ),
        "bytes-counted": Misconception(
            "These are bytes, not parameters",
            "In float32 each parameter takes 4 bytes.",
            (4194304,),
        ),
        "one-projection-only": Misconception(
            "Only one of the matrices is counted",
            "Queries, keys and values have a projection each, and there is one more behind the heads.",
            (262144, 524288),
        ),
    },
)
