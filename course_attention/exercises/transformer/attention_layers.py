from course_attention.authoring import Misconception, ValueExercise

EXERCISE = ValueExercise(
    name="attention_layers",
    prompt="How many multi-head attention layers has an encoder–decoder of 6 + 6 blocks?",
    points=1,
    difficulty=1,
    minutes=3,
    hints=(
        "Count the attentions of one encoder block, and of one decoder block.",
        "A decoder block attends to two sequences, one after the other.",
    ),
    value=18,
    misconceptions={
        "cross-attention-forgotten": Misconception(
            "Each block is counted with one attention",
            "That is so in the encoder. A decoder block attends to its own sequence, and then to the encoder's output.",
            (12,),
        ),
        "encoder-counted-twice": Misconception(
            "The encoder's blocks are counted with two attentions each",
            "An encoder block has one sequence to attend to: its own.",
            (24,),
        ),
        "one-stack-only": Misconception(
            "The layers of a single stack are counted", "There are 6 blocks on either side.", (6,)
        ),
        "sublayers-counted": Misconception(
            "All sublayers are counted",
            "The feed-forward networks are sublayers too, but no attention.",
            (30,),
        ),
        "other-things-counted": Misconception(
            "Something else than layers is counted",
            "6 · 6 is the number of pairs of an encoder block and a decoder block, and 12 · 3 counts queries, keys and "
            "values apart. A multi-head attention is one layer. Count those of each block, and add them up.",
            (36,),
        ),
        "one-block-each": Misconception(
            "One block of each stack is counted, or the kinds of attention",
            "Every block has layers of its own, and there are 6 blocks on either side.",
            (3, 2),
        ),
        "heads-counted": Misconception(
            "The heads are counted one by one",
            "A multi-head attention is one layer, however many heads it has.",
            (144, 96),
        ),
        "projections-counted": Misconception(
            "The projections are counted one by one",
            "Queries, keys and values have a projection each; together they are one attention.",
            (54, 72),
        ),
    },
)
