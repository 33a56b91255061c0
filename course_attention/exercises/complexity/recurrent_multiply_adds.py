from course_attention.authoring import Misconception
from course_attention.exercises.complexity.counts import count, multiplied, product, terms
from course_attention.exercises.complexity.words import WORDS


def oracle(n_tokens: int, d_in: int, d_hidden: int) -> int:
    """At each step one row goes through two matrices."""
    return sum(product(1, d_in, d_hidden) + product(1, d_hidden, d_hidden) for _ in range(n_tokens))


EXERCISE = count(
    "recurrent_multiply_adds",
    oracle,
    arguments={"n_tokens": (4096, 6), "d_in": (512, 6), "d_hidden": (256, 6)},
    words=WORDS,
    misconceptions={
        "recurrent-input-only": Misconception(
            "The product with the last state is forgotten",
            "Each step has two products: the token with d_in × d_hidden weights, and the state before it "
            "with weights of its own.",
            terms(lambda n, i, h: n * i * h),
        ),
        "recurrent-state-only": Misconception(
            "The product with the token is forgotten",
            "Each step has two products: one with the state before it, and one with the token that comes in.",
            terms(lambda n, i, h: n * h**2),
        ),
        "one-matrix-twice": Misconception(
            "One of the two matrices is counted twice",
            "W_in takes d_in numbers to d_hidden, and W_hidden takes d_hidden to d_hidden.",
            terms(lambda n, i, h: 2 * n * i * h, lambda n, i, h: 2 * n * h**2),
        ),
        "sizes-multiplied": Misconception(
            "The two products are multiplied, and not added",
            "A step does one product after the other, so what they cost is added up.",
            terms(lambda n, i, h: n * i * h**3, lambda n, i, h: n * i * h**2),
        ),
        "one-square-matrix": Misconception(
            "One square matrix is counted for token and state together",
            "Token and state together are d_in + d_hidden numbers. What goes out of a step are d_hidden numbers.",
            terms(lambda n, i, h: n * (i + h) ** 2),
        ),
        "state-not-multiplied": Misconception(
            "The state is counted as if it were only added",
            "The state before goes through a matrix of its own, W_hidden, before it is added.",
            terms(lambda n, i, h: n * i * h + n * h),
        ),
        "output-counted": Misconception(
            "An output is counted as well",
            "The layer gives its states, and no product comes after them.",
            terms(lambda n, i, h: n * (i * h + 2 * h**2)),
        ),
        "additions-only": terms(lambda n, i, h: n * h * (i + h - 1), lambda n, i, h: n * h * (i + h - 2)),
        "gated-cell": Misconception(
            "A cell with gates is counted",
            "A GRU has three such pairs of products at each step, an LSTM four. A plain cell has one.",
            multiplied(oracle, 3, 4),
        ),
        "first-state-skipped": Misconception(
            "The first step is counted without its state",
            "The first state is 0, and its product could be saved. The cell does the same at each step "
            "and does not look.",
            terms(lambda n, i, h: n * i * h + (n - 1) * h * h),
        ),
        "length-forgotten": terms(lambda n, i, h: i * h + h**2),
        "counted-twice": multiplied(oracle, 2),
        "quadratic-in-length": terms(lambda n, i, h: n**2 * (i * h + h**2)),
        "biases-counted": tuple(
            lambda n_tokens, d_in, d_hidden, biases=biases: n_tokens * d_hidden * (d_in + d_hidden + biases)
            for biases in (1, 2)
        ),
        "parentheses-forgotten": terms(lambda n, i, h: n * i * h + h**2),
    },
    prompt="Count the multiply–adds of a plain recurrent cell along a sequence.",
    points=1,
    difficulty=1,
    minutes=2,
    hints=(
        "One step is h_t = tanh(x_t W_in + h_{t−1} W_hidden). What are the shapes of the two matrices?",
        "A row of d_in numbers times a matrix of (d_in, d_hidden) takes d_in · d_hidden multiply–adds. The state "
        "has d_hidden numbers before the step and after it.",
        "Add up the two products of one step. All steps are alike, the first included.",
    ),
)
