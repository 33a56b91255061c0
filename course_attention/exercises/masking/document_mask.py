"""The answer cell holds code with three faults; a variant may repair some of them and leave others."""

from collections.abc import Callable
from functools import partial

import numpy as np

from course_attention.authoring import (
    EPSILON,
    Array,
    Case,
    Draw,
    FunctionExercise,
    Misconception,
    Returns,
    properties,
    rounded,
)
from course_attention.exercises.common.masking import to_be_added
from course_attention.exercises.masking.words import WORDS

# The code to repair. Three things are wrong with it: it counts the pieces in place of the documents, it allows the
# future in place of the past, and it takes the first axis for the tokens.
GIVEN = """
def document_mask(documents):
    n_tokens = len(documents)
    # A new document begins where a token belongs to another document than the token before it.
    begins = torch.zeros_like(documents, dtype=torch.bool)
    begins[..., 1:] = documents[..., 1:] != documents[..., :-1]
    document = begins.cumsum(dim=-1)
    same = document.unsqueeze(-1) == document.unsqueeze(-2)
    # A token sees what came before it, and itself.
    past = torch.ones(n_tokens, n_tokens, dtype=torch.bool, device=documents.device).triu()
    return same & past
"""


_NARROW = ("int8", "uint8", "int16", "float16", "bfloat16")

_PADDING: tuple[Callable[[np.ndarray], np.ndarray], ...] = (
    lambda numbers: numbers == 0,
    lambda numbers: numbers < 0,
    lambda numbers: numbers <= 0,
    lambda numbers: numbers == -1,
)


def oracle(documents: np.ndarray) -> np.ndarray:
    """Both tokens belong to one document, and the key does not come after the query."""
    n_tokens = documents.shape[-1]
    allowed = np.zeros((*documents.shape, n_tokens))
    for *item, i in np.ndindex(documents.shape):
        sequence = documents[tuple(item)]
        allowed[*item, i, : i + 1] = sequence[: i + 1] == sequence[i]
    return allowed


def _pieces(documents: np.ndarray) -> np.ndarray:
    """Count the stretches of tokens of one document, each with a number."""
    begins = np.zeros(documents.shape, dtype=int)
    begins[..., 1:] = documents[..., 1:] != documents[..., :-1]
    return begins.cumsum(-1)


def _n_tokens(documents: np.ndarray) -> int:
    return documents.shape[-1]


def _pairs(numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return numbers[..., :, None], numbers[..., None, :]


def _pairs_of_items(numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Right for a single sequence. In a batch, each item is compared with each, and not each token."""
    return numbers[:, None], numbers[None, :]


def _documents(
    documents: np.ndarray,
    number: Callable[[np.ndarray], np.ndarray] = lambda documents: documents,
    related: Callable[..., np.ndarray] = np.equal,
    past: Callable[..., np.ndarray] = np.tril,
    n_tokens: Callable[[np.ndarray], int] = _n_tokens,
    pairs: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]] = _pairs,
    join: Callable[..., np.ndarray] = np.logical_and,
) -> np.ndarray:
    numbers, n = number(documents), n_tokens(documents)
    same = related(*pairs(numbers))
    return join(same, past(np.ones((n, n), dtype=bool))).astype(float)


def _items_compared(documents: np.ndarray) -> np.ndarray:
    """Cut the future off from the comparison, whatever its shape."""
    return np.tril(np.equal(*_pairs_of_items(documents))).astype(float)


def _first_item(documents: np.ndarray) -> np.ndarray:
    return np.broadcast_to(documents.reshape(-1, documents.shape[-1])[0], documents.shape)


def _in_dtype(dtype: str) -> Callable[[np.ndarray], np.ndarray]:
    """Cast the numbers as torch does: whole numbers too large are cut off, and others rounded."""
    if dtype in EPSILON:
        return lambda documents: rounded(documents, dtype)
    return lambda documents: documents.astype(np.int64).astype(dtype)


def _but(padding: Callable[[np.ndarray], np.ndarray]) -> Callable[..., np.ndarray]:
    """Compare the numbers, and let some of them belong to no document."""
    return lambda i, j: (i == j) & ~padding(i)


def cases(draw: Draw) -> list[Case]:
    """Documents in one piece and in several, a single token, and any number of axes before the tokens."""

    def case(title, property, documents, strided=False) -> Case:
        return Case(title, property, {"documents": Array(np.asarray(documents, dtype=np.int64), "int64", strided)})

    def numbers(n: int) -> np.ndarray:
        """Numbers of documents, 0 among them."""
        return draw.rng.permutation([0, *1 + draw.rng.permutation(8)[: n - 1]])

    def drawn(*shape: int) -> np.ndarray:
        """Each sequence has two documents at least, and returns to the first one."""
        documents = draw.rng.choice(numbers(3), size=shape)
        documents[..., 0] = documents[..., 2]
        documents[..., 1] = 9 + draw.rng.integers(9, size=shape[:-1])
        return documents

    a, b, c = numbers(3)
    n = int(draw.rng.integers(6, 10))
    return [
        case("3 tokens, 2 documents", properties.VALUES, [a, a, b]),
        case("4 tokens, 2 documents", properties.VALUES, [a, b, b, b]),
        case("6 tokens, 3 documents", properties.VALUES, [b, b, a, c, c, c]),
        # float16 takes 2048 for 2049, and 16 bits take it for 2¹⁶ + 2048.
        case("4 tokens, large numbers", properties.VALUES, [2048, 2049, 2**16 + 2048, 2049]),
        case("4 tokens, a number below 0", properties.VALUES, [-1, -1, b or c, b or c]),
        case("257 tokens", properties.LONG_SEQUENCES, draw.rng.choice([0, 1, 2, 5, 257, 2048, 2049], 257)),
        case("3 tokens, a document in two pieces", properties.SCATTERED_DOCUMENTS, [a, b, a]),
        case("5 tokens, 3 documents in pieces", properties.SCATTERED_DOCUMENTS, [c, a, c, b, a]),
        case(f"{n} tokens, not contiguous", properties.STRIDES, drawn(n), strided=True),
        case("batch 1, 3 tokens", properties.LEADING_DIMENSIONS, [[b, b, c]]),
        case("batch 2, 3 tokens", properties.LEADING_DIMENSIONS, [[a, b, a], [c, c, a]]),
        case("batch 4, 5 tokens", properties.LEADING_DIMENSIONS, drawn(4, 5)),
        case("batch 3, 3 tokens", properties.LEADING_DIMENSIONS, drawn(3, 3)),
        case("batch 2 × 3, 4 tokens", properties.LEADING_DIMENSIONS, drawn(2, 3, 4)),
        case("1 token", properties.VALUES, [b]),
        case("1 document", properties.VALUES, [c, c, c]),
    ]


EXERCISE = FunctionExercise(
    name="document_mask",
    prompt="Repair the mask for several documents in one sequence: a token sees its own document up to itself.",
    points=2,
    difficulty=2,
    minutes=12,
    hints=(
        "Run the code on `torch.tensor([1, 2, 1])`, and write down beside it what the mask should be, row by row.",
        "There are three faults. What does the code count: documents, or pieces? Which half of the square does `triu` "
        "keep? And which axis does `len` measure where there is a batch?",
        "Two tokens belong to the same document where their numbers are equal. Pieces need not be counted for that.",
    ),
    given=GIVEN,
    returns=Returns(names=("allowed",), dtype="bool", axes=("..., n_tokens, n_tokens",)),
    oracle=oracle,
    cases=cases,
    words=WORDS,
    misconceptions={
        "causal-upper": (
            partial(_documents, past=np.triu),
            partial(_documents, past=np.triu, number=_pieces),
            partial(_documents, past=np.triu, n_tokens=len),
            partial(_documents, past=np.triu, number=_pieces, n_tokens=len),
        ),
        "documents-in-pieces": Misconception(
            "A document is taken for one piece",
            "Each place where the document changes counts as the beginning of a new one, so a document "
            "that was interrupted is not recognised when it goes on.",
            (partial(_documents, number=_pieces), partial(_documents, number=_pieces, n_tokens=len)),
        ),
        "batch-as-sequence": Misconception(
            "The first axis is taken for the tokens",
            "With a single sequence there is no other axis. With a batch, the first axis holds its items,"
            " and the tokens are on the last.",
            (
                partial(_documents, n_tokens=len),
                partial(_documents, pairs=_pairs_of_items),
                partial(_documents, pairs=_pairs_of_items, n_tokens=len),
                _items_compared,
            ),
        ),
        "causal-strict": (partial(_documents, past=partial(np.tril, k=-1)),),
        "causal-off-by-one": (partial(_documents, past=partial(np.tril, k=1)),),
        "causality-lost": Misconception(
            "A token sees the rest of its document as well",
            "The mask keeps the documents apart, but it should also be causal: token i may attend to "
            "token j only where j ≤ i.",
            (
                partial(_documents, past=lambda ones: ones),
                partial(_documents, past=lambda ones: ones, number=_pieces),
            ),
        ),
        "documents-ignored": Misconception(
            "The documents are not kept apart",
            "This is a causal mask: a token sees everything before it, also what belongs to another document.",
            (partial(_documents, related=lambda i, j: np.full(np.broadcast(i, j).shape, True)),),
        ),
        "documents-compared": Misconception(
            "Documents are compared by size",
            "The numbers only name the documents. A smaller number does not mean that a document came earlier.",
            (partial(_documents, related=np.greater_equal), partial(_documents, related=np.less_equal)),
        ),
        "numbers-misread": Misconception(
            "Some numbers of documents are not taken as they are",
            "A number is only a name. Any whole number may be one: 0, a number below 0, or one that a small "
            "dtype, such as int8 or float16, does not hold. Two tokens belong together where their numbers are "
            "equal, and in no other case.",
            (
                *(partial(_documents, number=_in_dtype(dtype)) for dtype in _NARROW),
                *(partial(_documents, related=_but(padding)) for padding in _PADDING),
                partial(_documents, related=lambda i, j: i * j == i * i),
                partial(_documents, related=lambda i, j: i * j == j * j),
            ),
        ),
        "either-suffices": Misconception(
            "One of the two conditions is enough",
            "A token sees another one where they belong to the same document, and where that one does not come later. "
            "Both have to hold: `&` joins them so, and `|` does not.",
            (partial(_documents, join=np.logical_or),),
        ),
        "other-documents": Misconception(
            "A token sees the other documents, and not its own",
            "Which comparison is True where two tokens belong to the same document?",
            (partial(_documents, related=np.not_equal),),
        ),
        "mask-first-item-for-all": (partial(_documents, number=_first_item),),
        "mask-inverted": (lambda documents: 1.0 - oracle(documents),),
        "mask-to-be-added": to_be_added(oracle),
    },
)
