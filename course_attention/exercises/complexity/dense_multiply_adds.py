from course_attention.authoring import Misconception
from course_attention.exercises.complexity.counts import count, multiplied, product, terms
from course_attention.exercises.complexity.words import WORDS


def oracle(n_tokens: int, d_in: int, d_out: int) -> int:
    """Lay the sequence out as a single row."""
    return product(1, n_tokens * d_in, n_tokens * d_out)


EXERCISE = count(
    "dense_multiply_adds",
    oracle,
    arguments={"n_tokens": (1000, 6), "d_in": (64, 6), "d_out": (128, 6)},
    words=WORDS,
    misconceptions={
        "linear-in-length": terms(lambda n, i, o: n * i * o, lambda n, i, o: 2 * n * i * o),
        "length-forgotten": Misconception(
            "A layer for one token is counted",
            "d_in · d_out takes one token to one token. Here every number of the sequence that comes in reaches every "
            "number of the one that goes out.",
            terms(lambda n, i, o: i * o),
        ),
        "additions-only": terms(lambda n, i, o: n * o * (n * i - 1)),
        "channels-not-crossed": terms(lambda n, i, o: n**2, lambda n, i, o: n**2 * i, lambda n, i, o: n**2 * o),
        "sizes-added": terms(lambda n, i, o: n * i + n * o, lambda n, i, o: n**2 * (i + o)),
        "counted-twice": multiplied(oracle, 2),
        "biases-counted": terms(lambda n, i, o: n * o * (n * i + 1), lambda n, i, o: n**2 * i * o + o),
        "all-squared": Misconception(
            "Every size is squared",
            "The length is on both sides of the layer, d_in on one of them, and d_out on the other.",
            terms(lambda n, i, o: (n * i * o) ** 2),
        ),
        "one-width": terms(lambda n, i, o: (n * i) ** 2, lambda n, i, o: (n * o) ** 2),
    },
    prompt="Count the multiply–adds of a dense layer from the whole sequence to the whole sequence.",
    points=1,
    difficulty=1,
    minutes=2,
    hints=(
        "Laid out in one row, the sequence has n_tokens · d_in numbers. How many does the result have?",
        "A dense layer has a weight for every pair of a number that comes in and one that goes out, and uses each "
        "of them once.",
    ),
)
