from functools import partial

import numpy as np

from course_attention.authoring import Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.common.masking import to_be_added
from course_attention.exercises.masking.words import WORDS


def oracle(n_queries: int, n_keys: int | None = None) -> np.ndarray:
    """As many keys come after the last one that query i sees as queries come after it."""
    n_keys = n_queries if n_keys is None else n_keys
    allowed = np.zeros((n_queries, n_keys))
    for i, j in np.ndindex(allowed.shape):
        allowed[i, j] = n_keys - 1 - j >= n_queries - 1 - i
    return allowed


def _causal(n_queries, n_keys=None, offset=lambda q, k: k - q, half=np.tril) -> np.ndarray:
    n_keys = n_queries if n_keys is None else n_keys
    return half(np.ones((n_queries, n_keys)), offset(n_queries, n_keys))


def _cut_from_the_end(n_queries: int, n_keys: int | None = None) -> np.ndarray:
    """Slice each row as Python does: a negative end counts from the end."""
    n_keys = n_queries if n_keys is None else n_keys
    allowed = np.zeros((n_queries, n_keys))
    for i in range(n_queries):
        allowed[i, : i + n_keys - n_queries + 1] = 1.0
    return allowed


def _last_rows_of_a_square(n_queries: int, n_keys: int | None = None) -> np.ndarray:
    """Cut the rows out of a square, from one that is negative where there are more queries than keys."""
    n_keys = n_queries if n_keys is None else n_keys
    n = max(n_queries, n_keys)
    return np.tril(np.ones((n, n)))[n_keys - n_queries : n_keys, :n_keys]


def cases(draw: Draw) -> list[Case]:
    """As many keys as queries, more, and fewer."""

    def case(property, n_queries, n_keys=None) -> Case:
        sizes = {"n_queries": n_queries} | ({} if n_keys is None else {"n_keys": n_keys})
        keys = f"{n_keys} keys" if n_keys else "as many keys"
        return Case(f"{n_queries} queries, {keys}", property, sizes)

    n, more = int(draw.rng.integers(5, 9)), int(draw.rng.integers(2, 5))
    return [
        case(properties.VALUES, 3),
        case(properties.VALUES, 4, 4),
        case(properties.VALUES, n),
        case(properties.ALIGNMENT, 2, 4),
        case(properties.ALIGNMENT, 4, 2),
        case(properties.ALIGNMENT, 3, 4),
        case(properties.ALIGNMENT, n, n + more),
        case(properties.ALIGNMENT, n, n - more),
        case(properties.EDGES, 1, 1),
        case(properties.EDGES, 1, 4),
        case(properties.EDGES, 4, 1),
        case(properties.LONG_SEQUENCES, 2, 257),
        case(properties.LONG_SEQUENCES, 257, 2),
    ]


EXERCISE = FunctionExercise(
    name="causal_mask",
    prompt="Let each query see the keys up to its own and none after it; the last query sees every key.",
    points=2,
    difficulty=2,
    minutes=8,
    hints=(
        "Write the mask for 3 queries and 3 keys on paper, then for the last 2 of these queries alone: the same "
        "rows, with the first one cut off.",
        "`torch.ones(…).tril()` keeps the lower triangle with its diagonal. Its argument moves the diagonal: "
        "positive to the right, negative to the left.",
        "By how many columns must the diagonal move so that it ends in the bottom right corner? Try 2 queries and "
        "4 keys. The mask is of `dtype=torch.bool`.",
    ),
    returns=Returns(names=("allowed",), dtype="bool", from_sizes_only=True, axes=("n_queries, n_keys",)),
    oracle=oracle,
    cases=cases,
    weights={properties.LONG_SEQUENCES: 0.5},
    words=WORDS,
    misconceptions={
        "causal-strict": (partial(_causal, offset=lambda q, k: k - q - 1),),
        "causal-off-by-one": (partial(_causal, offset=lambda q, k: k - q + 1),),
        "causal-upper": tuple(
            partial(_causal, offset=offset, half=np.triu)
            for offset in (lambda q, k: k - q, lambda q, k: k - q + 1, lambda q, k: 0, lambda q, k: 1)
        ),
        "causal-top-left": Misconception(
            "The mask is aligned at the top left",
            "With as many queries as keys there is no difference. With more keys, the queries are the last tokens of "
            "the sequence: the last query sees every key, so the mask is aligned at the bottom right.",
            (partial(_causal, offset=lambda q, k: 0),),
        ),
        "slice-before-start": (_cut_from_the_end, _last_rows_of_a_square),
        "alignment-moved-wrongly": Misconception(
            "The diagonal is moved the wrong way, or too far",
            "The last query belongs to the last key. With 2 queries and 4 keys, the first query sees 3 keys; with 4 "
            "queries and 2 keys, the first two see none. Which sign does the move have in each?",
            (
                partial(_causal, offset=lambda q, k: q - k),
                partial(_causal, offset=lambda q, k: abs(k - q)),
                partial(_causal, offset=lambda q, k: max(k - q, 0)),
            ),
        ),
        "causal-all": (partial(_causal, offset=lambda q, k: k),),
        "axes-exchanged": Misconception(
            "Rows are keys, and columns are queries",
            "The mask has the shape of the scores: a row for each query, a column for each key.",
            (
                lambda n_queries, n_keys=None: _causal(n_queries, n_keys).T,
                lambda n_queries, n_keys=None: _causal(n_keys or n_queries, n_queries),
                lambda n_queries, n_keys=None: _causal(n_keys or n_queries, n_queries, lambda q, k: 0),
            ),
        ),
        "n-keys-ignored": Misconception(
            "The mask is square, whatever the number of keys",
            "There may be more keys than queries, or fewer: a column for each key.",
            (lambda n_queries, n_keys=None: _causal(n_queries),),
        ),
        "mask-to-be-added": to_be_added(oracle),
    },
)
