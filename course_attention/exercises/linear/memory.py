"""A memory that is written token by token, with steps that can be exchanged for wrong ones."""

from collections.abc import Callable

import numpy as np

Write = Callable[..., np.ndarray]


def held(memory: np.ndarray, k: np.ndarray) -> np.ndarray:
    """Sᵀ k: what is read under a key."""
    return (memory * k).sum(axis=-2, keepdims=True)


def written(memory: np.ndarray, k: np.ndarray, v: np.ndarray, b: np.ndarray) -> np.ndarray:
    """S + β k (v − Sᵀ k)ᵀ."""
    return memory + b * k * (v - held(memory, k))


def through_tokens(
    query: np.ndarray,
    key: np.ndarray,
    value: np.ndarray,
    *shares: np.ndarray,
    write: Write,
    reads: str = "after",
    sees_query: bool = False,
) -> np.ndarray:
    """Write token by token, for all items at once; keys stand as columns and values as rows.

    Args:
        query, key, value: of all tokens.
        shares: numbers of all tokens, such as beta.
        write: makes a memory of the one before, a key, a value and the shares.
        reads: when an output is read, "after" its token is written, "before", or "at the end".
        sees_query: whether `write` takes the query as well, last.
    """
    memories = [np.zeros((*key.shape[:-2], key.shape[-1], value.shape[-1]))]
    for t in range(key.shape[-2]):
        k, v = key[..., t, :, None], value[..., t, None, :]
        also = (query[..., t, :, None],) if sees_query else ()
        memories.append(write(memories[-1], k, v, *(share[..., t, None, None] for share in shares), *also))
    places = {
        "after": memories[1:],
        "before": memories[:-1],
        "at the end": memories[-1:] * (len(memories) - 1),
    }
    return np.stack([(memory * query[..., t, :, None]).sum(axis=-2) for t, memory in enumerate(places[reads])], axis=-2)


def unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def squashed(share: np.ndarray) -> np.ndarray:
    """Return the sigmoid of a share."""
    return 1 / (1 + np.exp(-share))


# One share in the place of those of all tokens: the mean of an item, that of a whole batch, and the first token's.
ONE_FOR_ALL: tuple[Callable[[np.ndarray], np.ndarray], ...] = (
    lambda share: np.broadcast_to(share.mean(axis=-1, keepdims=True), share.shape),
    lambda share: np.full(share.shape, share.mean()),
    lambda share: np.broadcast_to(share[..., :1], share.shape),
)

# What the delta rule does with its correction, done in another way, whether the memory fades or not.
WRITES: dict[str, tuple[Write, ...]] = {
    "delta-not-subtracted": (lambda memory, k, v, b: memory + b * k * v,),
    "beta-forgotten": (lambda memory, k, v, b: written(memory, k, v, np.ones_like(b)),),
    "beta-on-value-only": (
        lambda memory, k, v, b: memory + k * (b * v - held(memory, k)),
        lambda memory, k, v, b: memory + k * (v - b * held(memory, k)),
    ),
    "delta-sign": (lambda memory, k, v, b: memory + b * k * (v + held(memory, k)),),
}
