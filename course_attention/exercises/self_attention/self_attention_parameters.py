from course_attention.authoring import Misconception, ValueExercise

EXERCISE = ValueExercise(
    name="self_attention_parameters",
    prompt="How many parameters does self-attention have with d_model 512 and d_key = d_value = 64, without biases?",
    points=1,
    difficulty=1,
    minutes=5,
    hints=(
        "The formula of attention has no parameters. Which matrices come before it?",
        "A matrix has as many entries as rows times columns.",
    ),
    value=98304,
    misconceptions={
        "output-projection-counted": Misconception(
            "An output projection is counted",
            "A matrix from d_value back to d_model belongs to multi-head attention. Here there are three matrices.",
            (131072,),
        ),
        "biases-counted": Misconception(
            "Biases are counted", "The projections are matrices, without biases.", (98496,)
        ),
        "one-matrix-forgotten": Misconception(
            "One matrix is left out", "There are three: for the queries, the keys and the values.", (65536,)
        ),
        "one-matrix": Misconception(
            "That is one matrix", "There are three: for the queries, the keys and the values.", (32768,)
        ),
        "square-matrices": Misconception(
            "It is eight times too much",
            "There are three matrices, and one head. They lead from d_model to d_key, or to d_value. Three of "
            "d_model × d_model is what eight heads of this size have together.",
            (786432,),
        ),
        "bytes-counted": Misconception(
            "These are bytes, not parameters",
            "In float32 each parameter takes 4 bytes.",
            (393216,),
        ),
        "square-value": Misconception(
            "The value matrix is taken as square",
            "One of the sources has it so. Here it leads from d_model to d_value, which is 64.",
            (327680,),
        ),
        "sizes-added": Misconception(
            "The sizes are added, not multiplied",
            "A matrix has an entry for each pair of row and column.",
            (1728, 576, 192),
        ),
        "formula-alone": Misconception(
            "The formula alone is counted",
            "softmax(Q Kᵀ / √d_key) V has no parameters. The matrices that make Q, K and V from the tokens do.",
            (0,),
        ),
        "model-size-forgotten": Misconception(
            "The matrices are taken as d_key × d_key",
            "They are applied to the tokens, which have d_model numbers.",
            (12288,),
        ),
        "interaction-counted": Misconception(
            "The interaction matrix is counted",
            "M is made of W_Q and W_K, and has d_model² entries. What is stored and trained are its two thin factors.",
            (294912, 262144),
        ),
    },
)
