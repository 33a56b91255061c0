from collections.abc import Callable
from functools import partial

import numpy as np

from course_attention.authoring import Array, Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.common.attention import (
    Pair,
    attend,
    attention_noise,
    attention_oracle,
    dot,
    scaled_by,
)
from course_attention.exercises.common.inputs import of
from course_attention.exercises.common.mistakes import SPLIT_HEADS
from course_attention.exercises.common.variants import variants
from course_attention.exercises.long_context.words import WORDS


def _projected(latent: np.ndarray, weight: np.ndarray) -> np.ndarray:
    projected = np.empty((*latent.shape[:-1], weight.shape[-1]))
    for index in np.ndindex(projected.shape):
        projected[index] = dot(latent[index[:-1]], weight[:, index[-1]])
    return projected


def oracle(query, latent, w_key, w_value, allowed=None) -> Pair:
    """Head by head, with the keys and values that the definition speaks of."""
    n_heads = query.shape[-3]
    if allowed is not None:
        allowed = np.broadcast_to(allowed, (*query.shape[:-1], latent.shape[-2]))
    found = []
    for head in range(n_heads):
        key, value = _projected(latent, w_key[head]), _projected(latent, w_value[head])
        mask = None if allowed is None else allowed[..., head, :, :]
        found.append(attention_oracle(query[..., head, :, :], key, value, mask))
    return np.stack([output for output, _ in found], -3), np.stack([weights for _, weights in found], -3)


Project = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def _latent(
    query,
    latent,
    w_key,
    w_value,
    allowed=None,
    *,
    keys: Project = lambda latent, w_key, w_value: latent @ w_key,
    values: Project = lambda latent, w_key, w_value: latent @ w_value,
    spread: Callable[[np.ndarray], np.ndarray] = lambda latent: latent[..., None, :, :],
    attend=attend,
) -> Pair:
    """Attention of all heads to what they make of the latents."""
    own = spread(latent), w_key, w_value
    return attend(query, keys(*own), values(*own), allowed)


def _all_heads(vectors: np.ndarray, weight: np.ndarray) -> np.ndarray:
    return np.broadcast_to(vectors, (*vectors.shape[:-3], len(weight), *vectors.shape[-2:]))


def _first_key(latent: np.ndarray, w_key: np.ndarray, w_value: np.ndarray) -> np.ndarray:
    return latent @ w_key[:1]


def _first_value(latent: np.ndarray, w_key: np.ndarray, w_value: np.ndarray) -> np.ndarray:
    return _all_heads(latent @ w_value[:1], w_value)


def _scaled_by_latent(query, latent, w_key, w_value, allowed=None) -> Pair:
    score = scaled_by(lambda query, key, value: np.sqrt(latent.shape[-1]))
    return _latent(query, latent, w_key, w_value, allowed, attend=partial(attend, score=score))


def noise(query, latent, w_key, w_value, allowed=None) -> tuple[float, float]:
    """Of output and weights: attention's own, where keys and values are sums of d_latent terms themselves."""
    latent = np.abs(latent)[..., None, :, :]
    sizes = attention_noise(query, latent @ np.abs(w_key), latent @ np.abs(w_value))
    return sizes[0] * np.sqrt(latent.shape[-1]), sizes[1] * np.sqrt(latent.shape[-1])


SMALL = "2 heads, 1 query, 2 keys, d_latent 3, d_key 2, d_value 1"


def cases(draw: Draw) -> list[Case]:
    """Sizes that all differ and that are all equal; masks of every shape; many keys for few queries."""

    def case(title, name, batch, sizes, allowed=None, by_hand=False, gradient=False, limit=None, **kind) -> Case:
        n_heads, n_queries, n_keys, d_latent, d_key, d_value = sizes
        make = draw.halves if by_hand else draw.normal
        arguments = {
            "query": make(*batch, n_heads, n_queries, d_key, **kind),
            "latent": make(*batch, n_keys, d_latent, **kind),
            "w_key": make(n_heads, d_latent, d_key, **kind),
            "w_value": make(n_heads, d_latent, d_value, **kind),
        }
        if allowed is not None:
            arguments["allowed"] = allowed
        return Case(title, name, arguments, gradient, limit=limit)

    small, cube = (2, 1, 2, 3, 2, 1), (4, 4, 4, 4, 4, 4)
    same, three = (2, 2, 3, 2, 2, 2), (3, 2, 4, 5, 6, 1)
    # Head 1 looks the other way, so that its lowest score is another key's.
    large = {
        "query": of([[[120.0, 0.0], [0.0, -120.0]], [[-120.0, 0.0], [0.0, 120.0]]]),
        "latent": of([[120.0, 108.0], [-118.0, -120.0], [115.0, -116.0]]),
        "w_key": of([[[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 1.0]]]),
        "w_value": of([[[0.5, 1.0, -1.0], [1.0, -0.5, 0.5]], [[-1.0, 0.5, 1.0], [0.5, 1.0, 0.5]]]),
    }
    lowest = np.array([[[False, True, False], [True, False, False]], [[True, False, False], [False, True, False]]])
    nothing = np.array([[True, False, True], [False, False, False]])
    large_scores, several, mask = properties.LARGE_SCORES, properties.LEADING_DIMENSIONS, properties.MASK
    return [
        case(SMALL, properties.VALUES, (), small, by_hand=True, gradient=True),
        case("2 heads, 2 queries, 3 keys, every d 2", properties.VALUES, (), same, by_hand=True, gradient=True),
        case("3 heads, 4 queries, 5 keys", properties.VALUES, (), (3, 4, 5, 2, 6, 7)),
        case("every size 4", properties.VALUES, (), cube),
        case("one head, one token", properties.VALUES, (), (1, 1, 1, 3, 2, 4), dtype="float32"),
        case("more channels than in the latent", properties.VALUES, (), (2, 3, 4, 2, 5, 6), dtype="float32"),
        case(f"batch 3, {SMALL}", several, (3,), small, by_hand=True),
        case("batch 3, 3 heads", several, (3,), three),
        case("batch 4, every size 4", several, (4,), cube),
        case("batch 2, 3 heads, 4 queries, 5 keys", several, (2,), (3, 4, 5, 6, 7, 1)),
        case("batch 1, 2 heads", several, (1,), (2, 3, 4, 5, 6, 1)),
        case("two batch dimensions", several, (2, 3), (4, 2, 5, 3, 6, 1), dtype="float32"),
        case("inputs that are not contiguous", properties.STRIDES, (2,), (4, 3, 5, 6, 2, 7), strided=True),
        case(
            "2 heads, 2 queries, 3 keys, masked",
            mask,
            (),
            same,
            draw.allowed(2, 3),
            by_hand=True,
            gradient=True,
        ),
        case("2 heads, a mask for each head", mask, (), same, draw.allowed(2, 2, 3)),
        case("batch 2, a mask for each item and head", mask, (2,), (6, 3, 5, 4, 2, 1), draw.allowed(2, 6, 3, 5)),
        case(
            "batch 2, key padding (batch, 1, 1, n_keys)",
            mask,
            (2,),
            (3, 5, 4, 2, 6, 1),
            Array(draw.padded(2, 4).values[:, None], "bool"),
        ),
        case(
            "batch 3, 4 queries, 4 keys, key padding",
            mask,
            (3,),
            (2, 4, 4, 3, 4, 4),
            Array(draw.padded(3, 4).values[:, None], "bool"),
        ),
        case("batch 2, one mask for all", mask, (2,), (3, 4, 4, 5, 2, 1), draw.allowed(4, 4)),
        case("batch 4, every size 4, masked", mask, (4,), cube, draw.allowed(4, 1, 4, 4), dtype="float32"),
        case(
            "2 heads, 2 queries, 3 keys, nothing allowed for query 1",
            properties.NOTHING_ALLOWED,
            (),
            same,
            Array(nothing, "bool"),
            by_hand=True,
            gradient=True,
        ),
        case(
            "batch 2, nothing allowed for query 1",
            properties.NOTHING_ALLOWED,
            (2,),
            (4, 2, 3, 5, 6, 7),
            Array(nothing, "bool"),
            dtype="float32",
        ),
        Case("scores near ±10,000", large_scores, large),
        Case("scores near ±10,000, masked", large_scores, {**large, "allowed": Array(lowest, "bool")}),
        # The keys of one head fit into the limit, those of all heads do not.
        case("3 heads, 2 queries, 40 keys", properties.MEMORY, (), (3, 2, 40, 4, 5, 3), limit=3 * 2 * 40),
        case(
            "batch 2, 3 heads, 1 query, 40 keys",
            properties.MEMORY,
            (2,),
            (3, 1, 40, 2, 3, 2),
            limit=2 * 3 * 1 * 40,
        ),
        # The keys of one head are wider than the latents.
        case("2 heads, 1 query, 40 keys, d_key 8", properties.MEMORY, (), (2, 1, 40, 3, 8, 8), limit=200),
        case("2 heads, masked", properties.DTYPES, (), (2, 3, 4, 2, 5, 1), draw.allowed(3, 4), dtype="bfloat16"),
        case("batch 2, in float32", properties.DTYPES, (2,), (4, 3, 5, 2, 6, 1), dtype="float32"),
    ]


EXERCISE = FunctionExercise(
    name="latent_attention",
    prompt="Attend to keys and values that are made from one short vector a token, without ever making them.",
    points=4,
    difficulty=3,
    minutes=20,
    hints=(
        "Write a score out with its matrix: q · (c W). A product of three can be bracketed in another way. Which "
        "factor could W be multiplied with before the keys come in?",
        "On the way out it is the same. The output of a head is Σ weight · (c W), and W is the same for every key.",
        "Three steps in the latent space: the query times the transposed key matrix of its head, attention to the "
        "latents themselves, and the result times the value matrix. The scale stays √d_key. `einsum` keeps track of "
        "the heads, which the latents do not have.",
    ),
    returns=Returns(
        names=("output", "weights"),
        axes=("..., n_heads, n_queries, d_value", "..., n_heads, n_queries, n_keys"),
    ),
    oracle=oracle,
    cases=cases,
    noise=noise,
    words=WORDS,
    misconceptions={
        **variants(
            _latent,
            "attend",
            {idea: ways for idea, ways in SPLIT_HEADS.items() if idea != "weights-times-keys"},
        ),
        "values-from-key-matrix": Misconception(
            "The values are made with the keys' matrix",
            "Keys and values come from the same latent vector, each with a matrix of its own. With one matrix for "
            "both, what a head brings back is what it searched by.",
            (partial(_latent, values=lambda latent, w_key, w_value: latent @ w_key),),
        ),
        "scale-by-latent": Misconception(
            "The scores are divided by the square root of d_latent",
            "The products are sums over d_latent only because of the order in which they are computed. They are the "
            "scores of queries and keys of d_key channels, and their scale stays √d_key.",
            (_scaled_by_latent,),
        ),
        "latent-as-key": Misconception(
            "The queries meet the latents without the keys' matrix",
            "Each head has its own keys, latent @ w_key[h]. Where does w_key[h] go when the keys are not made?",
            (partial(_latent, keys=lambda latent, w_key, w_value: latent),),
        ),
        "latent-as-value": Misconception(
            "The weighted latents come back without the values' matrix",
            "The weighted sum of the latents is not the output yet: each head makes its values with w_value[h].",
            (partial(_latent, values=lambda latent, w_key, w_value: _all_heads(latent, w_value)),),
        ),
        "key-matrix-not-transposed": Misconception(
            "The keys' matrix moves to the queries without being transposed",
            "q · (c W) is Σ over both axes of W: q goes along its columns and c along its rows. When W is multiplied "
            "with q first, it has to be transposed.",
            (partial(_latent, keys=lambda latent, w_key, w_value: latent @ w_key.swapaxes(-1, -2)),),
        ),
        "first-head-for-all": Misconception(
            "Every head uses the matrices of head 0",
            "The latents are shared by all heads. The matrices that make keys and values from them are not.",
            (
                partial(_latent, keys=_first_key, values=_first_value),
                partial(_latent, keys=_first_key),
                partial(_latent, values=_first_value),
            ),
        ),
        "batch-as-heads": Misconception(
            "The batch of the latents is lined up with the heads",
            "The latents have no axis of heads. Without one, broadcasting takes the last batch axis for it, and head h "
            "reads the latents of item h.",
            (partial(_latent, spread=lambda latent: latent),),
        ),
    },
)
