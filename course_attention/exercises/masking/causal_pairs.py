from course_attention.authoring import Misconception, ValueExercise

EXERCISE = ValueExercise(
    name="causal_pairs",
    prompt="How many pairs of query and key does a causal mask of 64 tokens allow?",
    points=1,
    difficulty=1,
    minutes=5,
    hints=(
        "The first query sees one key, the second two. Add up the rows.",
        "1 + 2 + … + n, written forwards and backwards, makes n sums of n + 1: twice what is asked.",
    ),
    value=2080,
    misconceptions={
        "pairs-unmasked": Misconception(
            "All pairs are counted",
            "That is what the full matrix holds. The mask blocks the future.",
            (4096,),
        ),
        "diagonal-left-out": Misconception(
            "The diagonal is left out", "Each token may attend to itself, too.", (2016,)
        ),
        "half-of-all": Misconception(
            "That is half of all pairs",
            "The diagonal lies on neither side. Count the rows: how many keys does each query see?",
            (2048,),
        ),
        "future-counted": Misconception(
            "One future key is counted for each query",
            "Query i sees the keys up to i and no further.",
            (2143, 2144),
        ),
        "pairs-not-halved": Misconception(
            "The sum is not halved",
            "1 + 2 + … + n is half of n · (n + 1): write the sum forwards and backwards, and add.",
            (4160, 4032),
        ),
    },
)
