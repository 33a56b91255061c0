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
) -> np.ndarray:
    """Write token by token, for all items at once; keys stand as columns and values as rows."""
    memories = [np.zeros((*key.shape[:-2], key.shape[-1], value.shape[-1]))]
    for t in range(key.shape[-2]):
        k, v = key[..., t, :, None], value[..., t, None, :]
        memories.append(write(memories[-1], k, v, *(share[..., t, None, None] for share in shares)))
    places = {
        "after": memories[1:],
        "before": memories[:-1],
        "at the end": memories[-1:] * (len(memories) - 1),
    }
    return np.stack([(memory * query[..., t, :, None]).sum(axis=-2) for t, memory in enumerate(places[reads])], axis=-2)


def unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


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
