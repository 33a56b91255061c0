from collections.abc import Callable

from course_attention.authoring import FunctionExercise, Misconception, Returns
from course_attention.exercises.complexity.counts import attention_oracle, multiplied, noise, sizes
from course_attention.exercises.complexity.words import WORDS


def oracle(n_queries: int, n_keys: int, d_key: int, d_value: int, bytes_per_number: int) -> float:
    """Multiply–adds over the bytes of Q, K, V and the output."""
    numbers = sum((n_queries * d_key, n_keys * d_key, n_keys * d_value, n_queries * d_value))
    return attention_oracle(n_queries, n_keys, d_key, d_value) / (numbers * bytes_per_number)


def _intensity(moved=(1, 1, 1, 1), scores=0, products=(1, 1)) -> Callable[..., float]:
    """With so many times Q, K, V and the output moved, the scores as well, and so many of the two products."""

    def ratio(n_queries: int, n_keys: int, d_key: int, d_value: int, bytes_per_number: int) -> float:
        parts = (n_queries * d_key, n_keys * d_key, n_keys * d_value, n_queries * d_value)
        numbers = sum(times * part for times, part in zip(moved, parts, strict=True))
        numbers += scores * n_queries * n_keys
        terms = products[0] * d_key + products[1] * d_value
        return n_queries * n_keys * terms / (numbers * bytes_per_number)

    return ratio


def _work(n_queries: int, n_keys: int, d_key: int, d_value: int) -> int:
    return attention_oracle(n_queries, n_keys, d_key, d_value)


def _numbers(n_queries: int, n_keys: int, d_key: int, d_value: int) -> int:
    return (n_queries + n_keys) * (d_key + d_value)


def _divided_by_bytes_alone(bytes_per_number: int, **given: int) -> float:
    return _work(**given) / bytes_per_number * _numbers(**given)


def _with_sizes(*shapes: tuple[str, str]) -> Callable[..., float]:
    """With other rows and columns of Q, K, V and the output."""

    def ratio(bytes_per_number: int, **given: int) -> float:
        return _work(**given) / (bytes_per_number * sum(given[rows] * given[columns] for rows, columns in shapes))

    return ratio


_Q, _K = ("n_queries", "d_key"), ("n_keys", "d_key")
_V, _OUT = ("n_keys", "d_value"), ("n_queries", "d_value")
_OTHER_SIZES = (
    (_Q, _K, _V, _Q),  # the output as wide as the queries
    (_Q, _K, _V, _V),  # the output as long as the values
    (_Q, _K, _K, _OUT),  # the values as wide as the keys
    (_K, _K, _V, _OUT),  # the queries as many as the keys
    (_K, _K, _K, _OUT),  # three tensors of keys
    (_Q, _K, _K, _Q),  # one width
    (_K, _K, _V, _V),  # one length
    (_Q, _Q, _V, _OUT),  # the keys as many as the queries
    (_Q, _K, _OUT, _OUT),  # the values as many as the queries
    (_Q, _Q, _OUT, _OUT),  # both
)


EXERCISE = FunctionExercise(
    name="attention_intensity",
    prompt="How many multiply–adds does attention do for each byte that it reads or writes?",
    points=2,
    difficulty=2,
    minutes=8,
    hints=(
        "The numerator is the multiply–adds of scores and mixing, which you have counted.",
        "The denominator is the bytes: four tensors are moved, each of them once. How many numbers does each one have?",
        "Q has n_queries · d_key numbers, and the output has n_queries · d_value. The scores are not moved at all.",
    ),
    library="numpy",
    returns=Returns(names=("intensity",), number=True, from_sizes_only=True),
    oracle=oracle,
    cases=sizes(
        "n_queries",
        "n_keys",
        "d_key",
        "d_value",
        "bytes_per_number",
        large={"n_queries": 1, "n_keys": 4096, "d_key": 128, "d_value": 128, "bytes_per_number": 2},
        alike={"n_queries": 6, "n_keys": 6, "d_key": 4, "d_value": 4, "bytes_per_number": 4},
    ),
    noise=noise(oracle),
    words=WORDS,
    misconceptions={
        "scores-moved": Misconception(
            "The scores are counted as moved",
            "Attention can be computed block by block, and then the scores never reach the main memory. "
            "Count only Q, K and V, which have to be read, and the output, which has to be written.",
            (_intensity(scores=1), _intensity(scores=2), _intensity(scores=4)),
        ),
        "tensor-forgotten": Misconception(
            "One of the four tensors is forgotten",
            "Four tensors are moved: Q, K and V are read, and the output is written. Which one is missing?",
            (
                _intensity(moved=(1, 1, 1, 0)),
                _intensity(moved=(0, 1, 1, 1)),
                _intensity(moved=(1, 0, 1, 1)),
                _intensity(moved=(1, 1, 0, 1)),
            ),
        ),
        "read-for-each-query": Misconception(
            "K and V are read again for each query",
            "All queries are there at once and share what has been read. So K and V are read a single time, like Q.",
            (lambda n_queries, **given: oracle(n_queries=1, **given),),
        ),
        "keys-and-values-only": Misconception(
            "Only K and V are counted as moved",
            "With a single query they are nearly everything. But Q has to be read and the output written "
            "as well. With many queries these two are as large as K and V.",
            (_intensity(moved=(0, 1, 1, 0)),),
        ),
        "ratio-inverted": Misconception(
            "The ratio is upside down",
            "The question is how many multiply–adds there are for each byte, not how many bytes for each multiply–add.",
            (lambda **given: 1 / oracle(**given),),
        ),
        "bytes-forgotten": Misconception(
            "The size of a number is not in the bytes",
            "A tensor takes bytes_per_number bytes for each of its numbers, so this factor belongs to the denominator.",
            (lambda bytes_per_number, **given: oracle(bytes_per_number=1, **given),),
        ),
        "parentheses-forgotten": Misconception(
            "A factor of the denominator multiplies",
            "The bytes are the numbers that are moved, times the bytes of each. The whole of it divides. In Python "
            "a / b * c is (a / b) · c, so the denominator needs parentheses: a / (b * c).",
            (
                lambda bytes_per_number, **given: oracle(bytes_per_number=1, **given) * bytes_per_number,
                _divided_by_bytes_alone,
            ),
        ),
        "other-sizes": Misconception(
            "At least one of the four tensors is counted with other sizes",
            "Queries and the output have n_queries rows, and keys and values n_keys. Queries and keys have d_key "
            "columns. How many have values and the output?",
            tuple(_with_sizes(*sizes) for sizes in _OTHER_SIZES),
        ),
        "difference": Misconception(
            "The bytes are subtracted",
            "How many multiply–adds there are *for each* byte is a ratio: divide one number by the other.",
            (lambda bytes_per_number, **given: _work(**given) - bytes_per_number * _numbers(**given),),
        ),
        "bits-for-bytes": Misconception(
            "Bits are counted",
            "A byte has 8 bits. `bytes_per_number` gives bytes already, so there is no 8 here.",
            multiplied(oracle, 1 / 8),
        ),
        "scores-only": (_intensity(products=(1, 0)),),
        "mixing-only": (_intensity(products=(0, 1)),),
        "counted-twice": multiplied(oracle, 2),
    },
)
