"""Design exercises: the answer makes weights, and is judged by what attention with these weights does."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from course_attention.judging.case import Case
from course_attention.judging.exercise import FunctionExercise, Returns

# Two scores of a row this close, relative to the largest score of all, are equal: float32 leaves no more between them.
_EQUAL = 1e-5
_TWO_WEIGHTS = Returns(names=("w_query", "w_key"), from_sizes_only=True)


@dataclass(frozen=True, kw_only=True)
class DesignExercise(FunctionExercise):
    """An exercise that is answered by a function that makes w_query and w_key, each (d_model, d_key).

    The size d_key is the student's choice. The oracle gives the attention weights that are asked for, (n_tokens,
    n_tokens). It takes the arguments of the answer, and what `DesignCase.sequence` adds to them. A variant makes wrong
    weights from the arguments of the answer. It explains an answer whose tokens prefer the same keys, however strongly.

    Attributes:
        attends: makes the tokens x, (n_tokens, d_model), and the mask, (n_tokens, n_tokens) or None, from what the
            oracle takes.
        tolerance: how far a weight may lie from the one asked for, as a share of that one. Where a weight of 0 is asked
            for, it is the largest weight that may stand there.
    """

    attends: Callable[..., tuple[np.ndarray, np.ndarray | None]]
    tolerance: float
    returns: Returns = _TWO_WEIGHTS


@dataclass(frozen=True)
class DesignCase(Case):
    """The arguments of a design, and a sequence that it does not see.

    Attributes:
        sequence: what the oracle takes beside the arguments: name → Array or number.
    """

    sequence: Mapping[str, Any] = field(default_factory=dict)

    def plain(self) -> dict[str, Any]:
        """Return the arguments and the sequence, as the oracle takes them."""
        return super().plain() | Case(self.title, self.property, self.sequence).plain()

    @property
    def size(self) -> int:
        """How many tokens a reader would have to look at."""
        lengths = [v for v in self.sequence.values() if isinstance(v, int)]
        return Case(self.title, self.property, self.sequence).size + sum(lengths)

    @property
    def shown(self) -> dict[str, Any]:
        """The arguments and the sequence, as a reader is shown them."""
        return super().shown | Case(self.title, self.property, self.sequence).shown


@dataclass(frozen=True)
class Undivided:
    """Wrong weights that would be right if the scores were not divided by √d_key.

    It explains an answer of which the same can be said.

    Attributes:
        weights: makes an example of such weights.
    """

    weights: Callable[..., Any]

    def __call__(self, **arguments: Any) -> Any:
        """Return the example."""
        return self.weights(**arguments)


def scores(x: np.ndarray, w_query: np.ndarray, w_key: np.ndarray, divided: bool = True) -> np.ndarray:
    """X W_Q (X W_K)ᵀ, divided by √d_key where attention does it."""
    products: np.ndarray = (x @ w_query) @ (x @ w_key).T
    return products / np.sqrt(w_key.shape[-1]) if divided else products


def softmax(scores: np.ndarray, allowed: np.ndarray | None) -> np.ndarray:
    """Return the attention weights of scores. Every query has a key that it may attend to.

    Example:
        >>> softmax(np.zeros((1, 3)), np.array([[True, True, False]]))
        array([[0.5, 0.5, 0. ]])
    """
    blocked = scores if allowed is None else np.where(allowed, scores, -np.inf)
    weights: np.ndarray = np.exp(blocked - blocked.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights


def preferred(scores: np.ndarray) -> np.ndarray:
    """For each query, the keys with the largest score: what it would attend to if all scores were much larger.

    Example:
        >>> preferred(np.array([[0.0, 2.0, 2.0], [1.0, 1.0, 1.0]]))
        array([[False,  True,  True],
               [ True,  True,  True]])
    """
    nearly = _EQUAL * np.abs(scores).max()
    found: np.ndarray = scores >= scores.max(axis=-1, keepdims=True) - nearly
    return found
