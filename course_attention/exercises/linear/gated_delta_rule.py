from functools import partial

import numpy as np

from course_attention.authoring import (
    Array,
    Case,
    Draw,
    FunctionExercise,
    Misconception,
    Returns,
    properties,
    rounded,
)
from course_attention.exercises.common.attention import dot
from course_attention.exercises.common.variants import each, variants
from course_attention.exercises.linear.linear_attention import elu
from course_attention.exercises.linear.memory import (
    ONE_FOR_ALL,
    WRITES,
    Write,
    held,
    squashed,
    through_tokens,
    unit,
    written,
)
from course_attention.exercises.linear.words import WORDS


def oracle(query: np.ndarray, key: np.ndarray, value: np.ndarray, beta: np.ndarray, decay: np.ndarray) -> np.ndarray:
    """Token by token: fade, read under the key, write the difference, read under the query."""
    output = np.empty(value.shape)
    for batch in np.ndindex(value.shape[:-2]):
        memory = np.zeros((key.shape[-1], value.shape[-1]))
        for t in range(value.shape[-2]):
            k, q = key[batch][t], query[batch][t]
            for entry in np.ndindex(memory.shape):
                memory[entry] *= decay[batch][t]
            found = [dot(k, column) for column in memory.T]
            for a, c in np.ndindex(memory.shape):
                memory[a, c] += beta[batch][t] * k[a] * (value[batch][t][c] - found[c])
            output[batch][t] = [dot(q, column) for column in memory.T]
    return output


def _faded_then(write: Write) -> Write:
    return lambda memory, k, v, b, g: write(g * memory, k, v, b)


_RIGHT = _faded_then(written)


def _gated(query, key, value, beta, decay, write=_RIGHT, reads="after", sees_query=False) -> np.ndarray:
    return through_tokens(query, key, value, beta, decay, write=write, reads=reads, sees_query=sees_query)


def _faded_outputs(query, key, value, beta, decay) -> np.ndarray:
    return through_tokens(query, key, value, beta, write=written) * decay[..., None]


def _read_from_faded(query, key, value, beta, decay) -> np.ndarray:
    """Read after the memory faded and before the token is written."""
    return _gated(query, key, value, beta, decay, reads="before") * decay[..., None]


def _one_late(query, key, value, beta, decay) -> np.ndarray:
    """Let the memory fade at the end of each step, after the output was read."""
    late = np.concatenate([np.ones_like(decay[..., :1]), decay[..., :-1]], axis=-1)
    return _gated(query, key, value, beta, late)


def noise(query: np.ndarray, key: np.ndarray, value: np.ndarray, beta: np.ndarray, decay: np.ndarray) -> tuple[float]:
    """Bound the memory and its rounding error step by step, by the lengths of its vectors.

    A decay may also be taken from sums of logarithms, as chunked forms do, whose error grows with these sums.
    """
    lengths = [np.linalg.norm(x, axis=-1) for x in (query, key, value)]
    size, error = np.zeros(beta.shape[:-1]), np.zeros(beta.shape[:-1])
    largest = 0.0
    for t in range(beta.shape[-1]):
        q, k, v = (length[..., t] for length in lengths)
        b, g = beta[..., t], decay[..., t]
        kept = np.maximum(1.0, np.abs(1 - b * k**2))  # by this factor a step stretches the memory at most
        read = np.sqrt(key.shape[-1]) * g * size
        error = g * kept * error + g * size + b * k * (k * read + v)
        size = g * kept * size + b * k * v
        largest = max(largest, float((q * (error + np.sqrt(key.shape[-1]) * size)).max()))
    return (largest * (1 + float(-np.log(decay).sum(axis=-1).min())),)


SMALL = "2 tokens, d_key 1, d_value 1"


def cases(draw: Draw) -> list[Case]:
    """One token and several, strong and weak fading, any number of axes before the tokens, in three dtypes."""

    def case(title, name, batch, n, d_key, d_value, by_hand=False, fades=(0.05, 1.0), long=False, **kind) -> Case:
        kind = {"dtype": "float64", **kind}
        dtype = kind["dtype"]
        make = draw.halves if by_hand else draw.normal
        share = draw.rng.integers(1, 8, size=(*batch, n)) / 8
        left = (
            draw.rng.integers(1, 4, size=(*batch, n)) / 4
            if by_hand
            else draw.rng.uniform(fades[0], fades[1], size=(*batch, n))
        )
        key = make(*batch, n, d_key, **kind)
        arguments = {
            "query": make(*batch, n, d_key, **kind),
            # Of longer keys no rounding is small after many writes.
            "key": Array(rounded(unit(key.values), dtype), dtype) if long else key,
            "value": make(*batch, n, d_value, **kind),
            "beta": Array(rounded(share, dtype), dtype),
            "decay": Array(rounded(left, dtype), dtype),
        }
        return Case(title, name, arguments, gradient=by_hand)

    several, far = properties.LEADING_DIMENSIONS, properties.LONG_SEQUENCES
    return [
        case(SMALL, properties.VALUES, (), 2, 1, 1, by_hand=True),
        case("2 tokens, d_key 2, d_value 1", properties.VALUES, (), 2, 2, 1, by_hand=True),
        case("3 tokens, d_key 2, d_value 3", properties.VALUES, (), 3, 2, 3, by_hand=True),
        case("5 tokens, d_key 3, d_value 4", properties.VALUES, (), 5, 3, 4),
        case("one token", properties.VALUES, (), 1, 3, 2, dtype="float32"),
        case("4 tokens, d_key 4, d_value 4", properties.VALUES, (), 4, 4, 4),
        case("3 tokens, nothing fades", properties.VALUES, (), 3, 2, 1, fades=(1.0, 1.0)),
        case("batch 2, 3 tokens, d_key 2", several, (2,), 3, 2, 1, by_hand=True),
        case("batch 3, every size 3", several, (3,), 3, 3, 3),
        case("two batch dimensions", several, (2, 3), 4, 2, 5, dtype="float32"),
        # Little fades, so that a token far back is still seen. In the other, a product of all decays is 0 in float32.
        case("257 tokens", far, (), 257, 2, 1, fades=(0.97, 1.0), long=True, dtype="float32"),
        case("70 tokens, strong fading", far, (), 70, 3, 2, fades=(0.05, 0.3), long=True, dtype="float32"),
        case("inputs that are not contiguous", properties.STRIDES, (2,), 4, 3, 2, strided=True),
        case("batch 2, 5 tokens, in float32", properties.DTYPES, (2,), 5, 4, 3, dtype="float32"),
        case("3 tokens", properties.DTYPES, (), 3, 2, 4, fades=(0.5, 1.0), dtype="bfloat16"),
    ]


EXERCISE = FunctionExercise(
    name="gated_delta_rule",
    prompt="Run the delta rule on a memory that fades: at each token first the memory fades, then it is corrected.",
    points=3,
    difficulty=3,
    minutes=15,
    hints=(
        "Begin with the delta rule. One thing is new: before anything else happens at a token, the whole memory "
        "becomes smaller by that token's decay.",
        "The faded memory S′ takes the place of the old one everywhere: it is read under the key, and it is what the "
        "difference is added to. What the token writes itself does not fade yet.",
        "decay has one number for each token, and the memory of that token is a matrix. Give the number two more axes "
        "of size 1, so that it lines up with the batch and not with the rows.",
    ),
    oracle=oracle,
    cases=cases,
    mutant_inputs={
        "beta": lambda inputs: inputs.array(inputs.rng.uniform(0.05, 0.95, size=inputs.shape("... n_tokens"))),
        "decay": lambda inputs: inputs.array(inputs.rng.uniform(0.05, 1.0, size=inputs.shape("... n_tokens"))),
    },
    noise=noise,
    returns=Returns(axes=("..., n_tokens, d_value",)),
    words=WORDS,
    misconceptions={
        "decay-forgotten": Misconception(
            "The memory does not fade",
            "This is the delta rule without a gate. The whole memory is multiplied by the token's decay before the "
            "token is written.",
            each(_gated, "write", lambda memory, k, v, b, g: written(memory, k, v, b)),
        ),
        "decay-after-write": Misconception(
            "The memory fades after the token was written",
            "Then what the token has just written fades as well, before anyone has read it. The memory fades first, "
            "and the token is written into what is left.",
            each(_gated, "write", lambda memory, k, v, b, g: g * written(memory, k, v, b)),
        ),
        "decay-not-in-prediction": Misconception(
            "What is subtracted was read from the memory before it faded",
            "The difference should say what is missing in the memory that is written to, and that one has faded. From "
            "the unfaded memory too much is subtracted.",
            each(_gated, "write", lambda memory, k, v, b, g: g * memory + b * k * (v - held(memory, k))),
        ),
        "decay-only-in-prediction": Misconception(
            "Only what is read under the key fades, and the memory itself stays as it was",
            "The decay is used for the difference, which is then added to the unfaded memory. S′ belongs in both "
            "places of the rule: it is read, and it is written to.",
            each(_gated, "write", lambda memory, k, v, b, g: memory + b * k * (v - held(g * memory, k))),
        ),
        "decay-on-keys": Misconception(
            "The keys are multiplied by the decay, and the memory does not fade",
            "A shorter key changes what this token reads and writes. What earlier tokens wrote stays as large as it "
            "was. Fading is about the whole memory.",
            each(_gated, "write", lambda memory, k, v, b, g: written(memory, g * k, v, b)),
        ),
        "decay-on-write": Misconception(
            "What the token writes is multiplied by the decay, and the memory does not fade",
            "beta already says how much is written. decay says how much of the old memory is left.",
            each(
                _gated,
                "write",
                lambda memory, k, v, b, g: written(memory, k, v, g * b),
                lambda memory, k, v, b, g: written(memory, k, g * v, b),
            ),
        ),
        "decay-inverted": Misconception(
            "The decay is read as the share that is lost",
            "decay is the share that is left: with 1 the memory stays as it is, and with a small number it nearly "
            "vanishes. Here it is the other way round.",
            each(_gated, "write", lambda memory, k, v, b, g: written((1 - g) * memory, k, v, b)),
        ),
        "decay-as-logarithm": Misconception(
            "The exponential of the decay is taken",
            "Published code often hands over the logarithm of the decay. Here the decay itself comes, a number from 0 "
            "to 1, which is used as it is.",
            each(
                _gated,
                "write",
                lambda memory, k, v, b, g: written(np.exp(g) * memory, k, v, b),
                lambda memory, k, v, b, g: written(np.exp(-g) * memory, k, v, b),
            ),
        ),
        "decay-twice": Misconception(
            "The memory fades twice at each token",
            "Once the memory has faded, it is used as it is. Look for a second place where the decay is multiplied.",
            each(
                _gated,
                "write",
                lambda memory, k, v, b, g: written(g * g * memory, k, v, b),
                lambda memory, k, v, b, g: g * g * memory + b * k * (v - held(g * memory, k)),
                lambda memory, k, v, b, g: g * memory + b * k * (v - held(g * g * memory, k)),
            ),
        ),
        "decay-on-output": Misconception(
            "What is read for the output is multiplied by the decay, and the memory does not fade",
            "Then the decay of a token changes its own output alone, and later tokens find the memory as large as it "
            "was. It is the memory that fades, before the token is written.",
            (_faded_outputs,),
        ),
        "decay-under-key-alone": Misconception(
            "Only what is held under the token's key fades",
            "That is what the delta rule does already. The decay makes the whole memory smaller, whatever key its "
            "parts are held under.",
            each(_gated, "write", lambda memory, k, v, b, g: written(memory - (1 - g) * k * held(memory, k), k, v, b)),
        ),
        "shares-exchanged": Misconception(
            "beta and decay have changed places",
            "decay says how much of the old memory is left, and beta how much of the difference is written. Compare "
            "the order of the arguments with the names in your loop.",
            (lambda query, key, value, beta, decay: _gated(query, key, value, decay, beta),),
        ),
        "decay-squashed": Misconception(
            "A sigmoid is applied to the decay",
            "Models make the decay with a sigmoid, or in another way, before they call the rule. Here it comes as a "
            "share already, and is used as it is.",
            (lambda query, key, value, beta, decay: _gated(query, key, value, beta, squashed(decay)),),
        ),
        "one-decay-for-all": Misconception(
            "All tokens share one decay",
            "Each token has a decay of its own, by which the memory fades before this token is written.",
            tuple(
                partial(
                    lambda query, key, value, beta, decay, one: _gated(query, key, value, beta, one(decay)), one=one
                )
                for one in ONE_FOR_ALL
            ),
        ),
        "read-under-query": (
            partial(
                _gated,
                write=lambda memory, k, v, b, g, q: g * memory + b * k * (v - held(g * memory, q)),
                sees_query=True,
            ),
        ),
        "beta-squashed": (lambda query, key, value, beta, decay: _gated(query, key, value, squashed(beta), decay),),
        "one-beta-for-all": tuple(
            partial(lambda query, key, value, beta, decay, one: _gated(query, key, value, one(beta), decay), one=one)
            for one in ONE_FOR_ALL
        ),
        "features-applied": (
            lambda query, key, value, beta, decay: _gated(elu(query) + 1, elu(key) + 1, value, beta, decay),
        ),
        "decay-one-late": Misconception(
            "The memory fades by the decay of the token before",
            "Each token fades the memory by its own decay before it is written. Where the memory fades at the end of "
            "a step, after the output is read, the next token finds it faded by a decay that is not its own.",
            (_one_late,),
        ),
        "decay-accumulated": Misconception(
            "The memory fades by the product of all decays so far",
            "The memory has already faded at every token before. Only the decay of this token is new.",
            (lambda query, key, value, beta, decay: _gated(query, key, value, beta, np.cumprod(decay, axis=-1)),),
        ),
        **variants(_gated, "write", {idea: tuple(map(_faded_then, ways)) for idea, ways in WRITES.items()}),
        "read-before-write": (*each(_gated, "reads", "before"), _read_from_faded),
        "last-memory-for-all": each(_gated, "reads", "at the end"),
        "keys-normalised": (
            lambda query, key, value, beta, decay: _gated(query, unit(key), value, beta, decay),
            lambda query, key, value, beta, decay: _gated(unit(query), unit(key), value, beta, decay),
        ),
    },
)
