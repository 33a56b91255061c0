from course_attention.authoring import Misconception, ValueExercise

EXERCISE = ValueExercise(
    name="causal_pairs",
    prompt="How many pairs of query and key does a causal mask of 64 tokens allow?",
    points=1,
    difficulty=1,
    minutes=3,
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
        "diagonal-added-to-half": Misconception(
            "The whole diagonal is added to half of all pairs, or taken from it",
            "Half of all pairs holds half of the diagonal already. Count the pairs below the diagonal by themselves, "
            "and then add the diagonal.",
            (2112, 1984),
        ),
        "one-token-more-or-less": Misconception(
            "The rows are counted for another number of tokens",
            "The first query sees one key, and the last one sees all 64. How many rows are there, and what is the last "
            "number of the sum?",
            (2145, 1953),
        ),
        "pairs-one-query": Misconception(
            "Only one row is counted, or one key for each query",
            "The diagonal holds 64 pairs, and so does the last row. Most queries see more keys than their own, and "
            "fewer than the last one. Add up all rows.",
            (64, 63, 65),
        ),
        "pairs-as-share": Misconception(
            "A share or a mean is given",
            "The number of all allowed pairs is asked for. Multiply the share by the number of all pairs, or the mean "
            "by the number of queries.",
            (2080 / 4096, 100 * 2080 / 4096, 0.5, 50, 32.5, 32),
        ),
        "pairs-halved-twice": Misconception(
            "Halved once too often",
            "n · (n + 1) is twice the sum, so it is halved once.",
            (1040, 1024),
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
